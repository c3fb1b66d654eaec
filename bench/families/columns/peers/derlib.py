"""derlib: columns as a pyarrow.Table, and the same values as Python objects."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow

import derlib
from bench.families.columns.fields import FIELDS, certificate_facts
from bench.families.columns.inputs import encodings
from bench.harness import Task
from derlib.schemas.crl import CertificateList, CRLReason
from derlib.schemas.x509 import certificates_table

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


def entries(path: str, threads: int = 1) -> Task:
    """Read serial number, date and reason of every entry into a table."""
    data = Path(path).read_bytes()
    return Task(lambda: pyarrow.table(derlib.columns(CertificateList, data, COLUMNS, threads=threads)), entry_facts)


def entries_in_two_threads(path: str) -> Task:
    """Read the entries with two threads, which divide the list."""
    return entries(path, threads=2)


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


def certificates(path: str, threads: int = 1) -> Task:
    """Read every certificate into the whole ready-made table."""
    data = list(encodings(path))

    def facts(table: Any) -> Iterator[object]:
        columns = {name: table[name].to_pylist() for name in FIELDS}
        columns["serial_number"] = [int.from_bytes(one, "big", signed=True) for one in columns["serial_number"]]
        return certificate_facts(columns)

    return Task(lambda: pyarrow.table(certificates_table(data, threads=threads)), facts)


def certificates_in_two_threads(path: str) -> Task:
    """Read the certificates with two threads, which divide them."""
    return certificates(path, threads=2)


def stream(path: str) -> Task:
    """Read a file ten times as one iterator, into batches of the table that are not kept."""

    def call() -> int:
        inputs = chain.from_iterable(encodings(path) for _ in range(10))
        rows = 0
        for batch in pyarrow.RecordBatchReader.from_stream(certificates_table(inputs)):
            rows += batch.num_rows
            # Without this, the last batch would live while the next one is made.
            del batch
        return rows

    return Task(call, lambda rows: [rows])
