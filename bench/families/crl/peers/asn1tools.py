"""asn1tools: dicts and lists, by the ASN.1 of crl.asn1."""

from collections.abc import Iterator
from datetime import timezone
from pathlib import Path
from typing import Any

import asn1tools

from bench.harness import Task

SPECIFICATION = asn1tools.compile_string((Path(__file__).parent.parent / "crl.asn1").read_text(), "der")


def facts(crl: Any) -> Iterator[object]:
    """Yield what was read."""
    tbs = crl["tbsCertList"]
    yield int(tbs["thisUpdate"][1].replace(tzinfo=timezone.utc).timestamp())
    for entry in tbs["revokedCertificates"]:
        date = entry["revocationDate"][1].replace(tzinfo=timezone.utc)
        yield entry["userCertificate"], int(date.timestamp()), ()


def decode_and_read(path: str) -> Task:
    """Call `decode`, which returns Python values."""
    data = Path(path).read_bytes()
    return Task(lambda: SPECIFICATION.decode("CertificateList", data), facts)


def encode_anew(path: str) -> Task:
    """Encode these values."""
    crl = SPECIFICATION.decode("CertificateList", Path(path).read_bytes())
    return Task(lambda: SPECIFICATION.encode("CertificateList", crl), lambda encoded: [encoded])
