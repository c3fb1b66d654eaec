"""derlib: columns as a pyarrow.Table, and the same values as Python objects."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow

import derlib
from bench.harness import Task
from derlib.schemas.crl import CertificateList, CRLReason

ENTRIES = "tbs_cert_list.revoked_certificates[*]"
COLUMNS: dict[str, str | derlib.Column] = {
    "serial": derlib.Column(f"{ENTRIES}.user_certificate", "binary"),
    "date": f"{ENTRIES}.revocation_date",
    "reason": f'{ENTRIES}.crl_entry_extensions["2.5.29.21"]',
}


def decode(path: str) -> Task:
    """Validate the whole CRL."""
    data = Path(path).read_bytes()
    return Task(lambda: CertificateList.decode(data))


def entry_facts(table: Any) -> Iterator[object]:
    """Yield the rows of a table."""
    for serial, date, reason in zip(*(table[name].to_pylist() for name in COLUMNS), strict=True):
        yield int.from_bytes(serial, "big", signed=True), int(date.timestamp()), reason


def entries(path: str) -> Task:
    """Read serial number, date and reason of every entry into a table."""
    data = Path(path).read_bytes()
    return Task(lambda: pyarrow.table(derlib.columns(CertificateList, data, COLUMNS)), entry_facts)


def entry_objects(path: str) -> Task:
    """Read serial number, date and reason of every entry into lists."""
    data = Path(path).read_bytes()

    def call() -> tuple[list[int], list[datetime], list[Any]]:
        serials, dates, reasons = [], [], []
        for entry in CertificateList.decode(data).tbs_cert_list.revoked_certificates or ():
            serials.append(entry.user_certificate)
            dates.append(entry.revocation_date)
            extensions = entry.crl_entry_extensions
            reasons.append(None if extensions is None else extensions.get(CRLReason))
        return serials, dates, reasons

    def facts(found: tuple[list[int], list[datetime], list[Any]]) -> Iterator[object]:
        for serial, date, reason in zip(*found, strict=True):
            yield serial, int(date.timestamp()), None if reason is None else int(reason)

    return Task(call, facts)
