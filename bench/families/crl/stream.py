"""A CRL whose entries come from a generator. Called by derlib_write.py."""

import mmap
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from tempfile import TemporaryFile
from typing import IO, Any

from derlib import NULL, BitString, encode, encode_to
from derlib.schemas.crl import CertificateList

DATE = datetime(2026, 11, 1, tzinfo=timezone.utc)
ALGORITHM = {"algorithm": "1.2.840.113549.1.1.11", "parameters": NULL}


def entries(count: int) -> Iterator[dict[str, Any]]:
    """Yield this many different entries."""
    for serial in range(count):
        yield {"user_certificate": serial, "revocation_date": DATE + timedelta(seconds=serial % 86_400)}


def crl(revoked: Any) -> dict[str, Any]:
    """Return a CRL with these entries. The signature is 256 zero bytes; nothing here verifies it."""
    return {
        "tbs_cert_list": {
            "version": 1,
            "signature": ALGORITHM,
            "issuer": {"rdn_sequence": [[{"type": "2.5.4.3", "value": "derlib benchmark"}]]},
            "this_update": DATE,
            "revoked_certificates": revoked,
        },
        "signature_algorithm": ALGORITHM,
        "signature_value": BitString(bytes(256)),
    }


def check_equal(count: int) -> None:
    """Exit unless streaming writes the same bytes as encoding a list."""
    with TemporaryFile() as file:
        encode_to(file, crl(entries(count)), CertificateList)
        file.seek(0)
        if file.read() != encode(crl(list(entries(count))), CertificateList):
            raise SystemExit("a streamed list and one in memory are encoded differently")


def check_file(file: IO[bytes], count: int) -> None:
    """Exit unless the file holds a CRL with this many entries and the expected last one."""
    file.flush()
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        decoded = CertificateList.decode(mapped, copy=False)
        revoked = decoded.tbs_cert_list.revoked_certificates
        if revoked is None or len(revoked) != count or revoked[-1].user_certificate != count - 1:
            raise SystemExit("the streamed CRL does not have the given entries")
        # A mapping cannot be closed while a value refers to it.
        del decoded, revoked
