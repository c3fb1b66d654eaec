"""pyderasn, with the structures of RFC 5280 as its own tests declare them."""

import pickle
from collections.abc import Iterator
from datetime import timezone
from pathlib import Path
from typing import Any

from pyderasn import (
    Any as AnyValue,
)
from pyderasn import (
    BitString,
    Boolean,
    Choice,
    GeneralizedTime,
    Integer,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    UTCTime,
    tag_ctxc,
)

from bench.harness import Task


class Time(Choice):  # type: ignore[misc]
    """RFC 5280 4.1."""

    schema = (("utcTime", UTCTime()), ("generalTime", GeneralizedTime()))


class Extension(Sequence):  # type: ignore[misc]
    """RFC 5280 4.1."""

    schema = (("extnID", ObjectIdentifier()), ("critical", Boolean(default=False)), ("extnValue", OctetString()))


class Extensions(SequenceOf):  # type: ignore[misc]
    """RFC 5280 4.1."""

    schema = Extension()


class RevokedCertificate(Sequence):  # type: ignore[misc]
    """RFC 5280 5.1."""

    schema = (
        ("userCertificate", Integer()),
        ("revocationDate", Time()),
        ("crlEntryExtensions", Extensions(optional=True)),
    )


class RevokedCertificates(SequenceOf):  # type: ignore[misc]
    """RFC 5280 5.1."""

    schema = RevokedCertificate()


class TBSCertList(Sequence):  # type: ignore[misc]
    """RFC 5280 5.1; algorithm and issuer are not parsed."""

    schema = (
        ("version", Integer(optional=True)),
        ("signature", AnyValue()),
        ("issuer", AnyValue()),
        ("thisUpdate", Time()),
        ("nextUpdate", Time(optional=True)),
        ("revokedCertificates", RevokedCertificates(optional=True)),
        ("crlExtensions", Extensions(expl=tag_ctxc(0), optional=True)),
    )


class CertificateList(Sequence):  # type: ignore[misc]
    """RFC 5280 5.1."""

    schema = (("tbsCertList", TBSCertList()), ("signatureAlgorithm", AnyValue()), ("signatureValue", BitString()))


def facts(crl: Any) -> Iterator[object]:
    """Yield what was read."""

    def seconds(time: Any) -> int:
        return int(time.value.todatetime().replace(tzinfo=timezone.utc).timestamp())

    yield seconds(crl["tbsCertList"]["thisUpdate"])
    for entry in crl["tbsCertList"]["revokedCertificates"]:
        yield int(entry["userCertificate"]), seconds(entry["revocationDate"]), ()


def read(path: str) -> Any:
    """Return a decoded CRL."""
    return CertificateList().decod(Path(path).read_bytes())


def decode_and_read(path: str) -> Task:
    """Call `decod`, which builds all objects."""
    data = Path(path).read_bytes()
    return Task(lambda: CertificateList().decod(data), facts)


def encode_anew(path: str) -> Task:
    """Encode what was read."""
    crl = read(path)
    return Task(crl.encode, lambda encoded: [encoded])


def dumps(path: str) -> Task:
    """Pickle what was read."""
    crl = read(path)
    return Task(lambda: pickle.dumps(crl, 5), lambda encoded: facts(pickle.loads(encoded)))


def loads(path: str) -> Task:
    """Unpickle it."""
    encoded = pickle.dumps(read(path), 5)
    return Task(lambda: pickle.loads(encoded), facts)
