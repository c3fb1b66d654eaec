"""pyasn1, with the structures of pyasn1-modules."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyasn1.codec.der.decoder import decode
from pyasn1.codec.der.encoder import encode
from pyasn1_modules.rfc5280 import CertificateList

from bench.harness import Task


def read(data: bytes) -> Any:
    """Return a decoded CRL."""
    crl, _ = decode(data, asn1Spec=CertificateList())
    return crl


def facts(crl: Any) -> Iterator[object]:
    """Yield what was read."""
    tbs = crl["tbsCertList"]
    yield int(tbs["thisUpdate"].getComponent().asDateTime.timestamp())
    for entry in tbs["revokedCertificates"]:
        date = entry["revocationDate"].getComponent().asDateTime
        yield int(entry["userCertificate"]), int(date.timestamp()), ()


def decode_and_read(path: str) -> Task:
    """Call `decode`, which builds all objects; dates stay strings."""
    data = Path(path).read_bytes()
    return Task(lambda: read(data), facts)


def encode_anew(path: str) -> Task:
    """Encode what was read."""
    crl = read(Path(path).read_bytes())
    return Task(lambda: encode(crl), lambda encoded: [encoded])


def dumps(path: str) -> Task:
    """Pickle what was read."""
    crl = read(Path(path).read_bytes())
    return Task(lambda: pickle.dumps(crl, 5), lambda encoded: facts(pickle.loads(encoded)))


def loads(path: str) -> Task:
    """Unpickle it."""
    encoded = pickle.dumps(read(Path(path).read_bytes()), 5)
    return Task(lambda: pickle.loads(encoded), facts)
