"""cryptography's x509: the same values as Python objects, in lists."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from cryptography import x509

from bench.harness import Task

# CRLReason ::= ENUMERATED (RFC 5280 5.3.1)
NUMBERS = {
    x509.ReasonFlags.key_compromise: 1,
    x509.ReasonFlags.ca_compromise: 2,
    x509.ReasonFlags.affiliation_changed: 3,
    x509.ReasonFlags.superseded: 4,
    x509.ReasonFlags.cessation_of_operation: 5,
    x509.ReasonFlags.certificate_hold: 6,
    x509.ReasonFlags.remove_from_crl: 8,
    x509.ReasonFlags.privilege_withdrawn: 9,
    x509.ReasonFlags.aa_compromise: 10,
}


def entries(path: str) -> Task:
    """Read serial number, date and reason of every entry into lists."""
    data = Path(path).read_bytes()

    def call() -> tuple[list[int], list[datetime], list[x509.ReasonFlags | None]]:
        serials, dates = [], []
        reasons: list[x509.ReasonFlags | None] = []
        for entry in x509.load_der_x509_crl(data):
            serials.append(entry.serial_number)
            dates.append(entry.revocation_date_utc)
            reason = None
            for extension in entry.extensions:
                if isinstance(extension.value, x509.CRLReason):
                    reason = extension.value.reason
            reasons.append(reason)
        return serials, dates, reasons

    def facts(found: tuple[list[int], list[datetime], list[x509.ReasonFlags | None]]) -> Iterator[object]:
        for serial, date, reason in zip(*found, strict=True):
            yield serial, int(date.timestamp()), None if reason is None else NUMBERS[reason]

    return Task(call, facts)
