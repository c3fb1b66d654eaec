"""derlib: the calls of the documentation."""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from bench.families.idioms.new_process import importing
from bench.harness import Task
from derlib import ObjectIdentifier, SequenceOf, iter_decode
from derlib.schemas.crl import CertificateList, RevokedCertificate
from derlib.schemas.x509 import BasicConstraints, Certificate

Entries = SequenceOf[RevokedCertificate]


def get(path: str, which: Any) -> Task:
    """Get an extension of the certificate that has most extensions."""
    certificates = [Certificate.decode(b64decode(text)) for text in json.loads(Path(path).read_text())]
    extensions = max((each.tbs_certificate.extensions for each in certificates), key=lambda listed: len(listed or ()))
    assert extensions is not None
    return Task(lambda: extensions.get(which), lambda found: [(found.ca, found.path_len_constraint)])


def get_by_type(path: str) -> Task:
    """Get an extension by the type of its value."""
    return get(path, BasicConstraints)


def get_by_oid(path: str) -> Task:
    """Get an extension by its identifier."""
    return get(path, ObjectIdentifier("2.5.29.19"))


def get_by_dotted(path: str) -> Task:
    """Get an extension by the text of its identifier."""
    return get(path, "2.5.29.19")


def entries(path: str) -> Entries:
    """Return the entries of a CRL."""
    listed = CertificateList.decode(Path(path).read_bytes()).tbs_cert_list.revoked_certificates
    assert listed is not None
    return Entries.decode(bytes(listed.der))


def equal_to(expected: object) -> Callable[[object], Iterator[object]]:
    """Return a function that yields a fact, or raises ValueError if it does not get the expected value."""

    def facts(found: object) -> Iterator[object]:
        if found != expected:
            raise ValueError("the result is not the expected one")
        yield True

    return facts


def from_native(path: str) -> Task:
    """Build the entries from the plain data of `to_native`, as a list of dicts."""
    expected = entries(path)
    data = list(expected.to_native())
    return Task(lambda: Entries.from_native(data), equal_to(expected))


def from_native_without_extensions(path: str) -> Task:
    """Build the same entries without their extensions."""
    data = [{**entry, "crl_entry_extensions": None} for entry in entries(path).to_native()]
    return Task(lambda: Entries.from_native(data))


def from_json(path: str) -> Task:
    """Build the entries from JSON text."""
    expected = entries(path)
    text = expected.to_json()
    return Task(lambda: Entries.from_json(text), equal_to(expected))


def json_loads(path: str) -> Task:
    """Parse the same text with Python's json."""
    text = entries(path).to_json()
    return Task(lambda: json.loads(text))


def to_json(path: str) -> Task:
    """Write the entries as JSON text."""
    listed = entries(path)
    return Task(listed.to_json, lambda text: equal_to(listed)(Entries.from_json(text)))


def json_dumps(path: str) -> Task:
    """Write what the text says with Python's json."""
    data = json.loads(entries(path).to_json())
    return Task(lambda: json.dumps(data))


def import_schemas(_: str) -> Task:
    """Import the schemas of CRLs, which include those of certificates."""
    return importing("derlib.schemas.crl")


def entry() -> RevokedCertificate:
    """Return an entry of 22 bytes."""
    moment = datetime(2026, 11, 1, tzinfo=timezone.utc)
    return RevokedCertificate(user_certificate=0x123456, revocation_date=moment)


def iterate(count: str) -> Task:
    """Decode consecutive values."""
    source = memoryview(int(count) * entry().encode())
    return Task(lambda: sum(1 for _ in iter_decode(source, RevokedCertificate)), equal_to(int(count)))


def decode_each(count: str) -> Task:
    """Decode the same values, each from bytes of its own."""
    encodings = [entry().encode() for _ in range(int(count))]
    return Task(lambda: len([RevokedCertificate.decode(one) for one in encodings]), equal_to(int(count)))
