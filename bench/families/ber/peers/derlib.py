"""derlib: `derlib.ber.convert`, and decode of its result."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.families.ber.inputs import der_of
from bench.harness import Task
from derlib import ber
from derlib.schemas.cms import ContentInfo
from derlib.schemas.crl import CertificateList


def conversion(path: str, type: Any) -> Task:
    """Convert a file, and check that the result is the DER that it was made from."""
    data = Path(path).read_bytes()

    def facts(converted: ber.Converted) -> Iterator[object]:
        assert converted.der == der_of(path).read_bytes()
        yield converted.der

    return Task(lambda: ber.convert(data, type), facts)


def convert(path: str) -> Task:
    """Convert a CRL."""
    return conversion(path, CertificateList)


def decode_result(path: str) -> Task:
    """Decode a CRL that was converted before."""
    der = ber.convert(Path(path).read_bytes(), CertificateList).der
    return Task(lambda: CertificateList.decode(der))


def convert_and_decode(path: str) -> Task:
    """Decode a CRL in BER."""
    data = Path(path).read_bytes()
    return Task(lambda: CertificateList.decode(data, rules="ber"))


def convert_cms(path: str) -> Task:
    """Convert a CMS message."""
    return conversion(path, ContentInfo)
