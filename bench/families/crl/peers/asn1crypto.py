"""asn1crypto: `load` is lazy, `.native` reads all, `dump(force=True)` encodes all of it anew.

What was read is kept in the object, and pickled with it; an object of which nothing was read pickles its octets.
"""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asn1crypto.crl import CertificateList

from bench.harness import Task

PROTOCOL = 5


def read(path: str) -> Any:
    """A CRL with every value read."""
    crl = CertificateList.load(Path(path).read_bytes())
    _ = crl.native
    return crl


def facts(crl: Any) -> Iterator[object]:
    """What was read."""
    tbs = crl.native["tbs_cert_list"]
    yield int(tbs["this_update"].timestamp())
    for entry in tbs["revoked_certificates"]:
        yield entry["user_certificate"], int(entry["revocation_date"].timestamp()), ()


def decode_and_read(path: str) -> Task:
    """`load`, and `.native`."""
    data = Path(path).read_bytes()

    def call() -> Any:
        crl = CertificateList.load(data)
        _ = crl.native
        return crl

    return Task(call, facts)


def encode_anew(path: str) -> Task:
    """`dump(force=True)` of what was read."""
    crl = read(path)
    return Task(lambda: crl.dump(force=True), lambda octets: [octets])


def dumps(path: str) -> Task:
    """Pickle what was read."""
    crl = read(path)
    return Task(lambda: pickle.dumps(crl, PROTOCOL), lambda octets: facts(pickle.loads(octets)))


def loads(path: str) -> Task:
    """The way back."""
    octets = pickle.dumps(read(path), PROTOCOL)
    return Task(lambda: pickle.loads(octets), facts)


def dumps_unread(path: str) -> Task:
    """Pickle what was loaded, of which nothing was read."""
    crl = CertificateList.load(Path(path).read_bytes())
    return Task(lambda: pickle.dumps(crl, PROTOCOL), lambda octets: facts(pickle.loads(octets)))


def loads_unread(path: str) -> Task:
    """The way back, which checks nothing."""
    octets = pickle.dumps(CertificateList.load(Path(path).read_bytes()), PROTOCOL)
    # What is compared is read from another object: this one must stay unread.
    return Task(lambda: pickle.loads(octets), lambda _: facts(pickle.loads(octets)))
