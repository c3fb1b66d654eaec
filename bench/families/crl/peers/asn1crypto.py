"""asn1crypto: `load` is lazy, `.native` reads everything, `dump(force=True)` encodes everything again.

An object keeps the values that were read, and pickles them; an object that has not been read pickles its bytes.
"""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asn1crypto.crl import CertificateList

from bench.harness import Task

PROTOCOL = 5


def read(path: str) -> Any:
    """Return a CRL after every value was read."""
    crl = CertificateList.load(Path(path).read_bytes())
    _ = crl.native
    return crl


def facts(crl: Any) -> Iterator[object]:
    """Yield what was read."""
    tbs = crl.native["tbs_cert_list"]
    yield int(tbs["this_update"].timestamp())
    for entry in tbs["revoked_certificates"]:
        yield entry["user_certificate"], int(entry["revocation_date"].timestamp()), ()


def decode_and_read(path: str) -> Task:
    """Call `load` and `.native`."""
    data = Path(path).read_bytes()

    def call() -> Any:
        crl = CertificateList.load(data)
        _ = crl.native
        return crl

    return Task(call, facts)


def encode_anew(path: str) -> Task:
    """Call `dump(force=True)` on what was read."""
    crl = read(path)
    return Task(lambda: crl.dump(force=True), lambda encoded: [encoded])


def dumps(path: str) -> Task:
    """Pickle a CRL that was read."""
    crl = read(path)
    return Task(lambda: pickle.dumps(crl, PROTOCOL), lambda encoded: facts(pickle.loads(encoded)))


def loads(path: str) -> Task:
    """Unpickle it."""
    encoded = pickle.dumps(read(path), PROTOCOL)
    return Task(lambda: pickle.loads(encoded), facts)


def dumps_unread(path: str) -> Task:
    """Pickle a CRL that has not been read."""
    crl = CertificateList.load(Path(path).read_bytes())
    return Task(lambda: pickle.dumps(crl, PROTOCOL), lambda encoded: facts(pickle.loads(encoded)))


def loads_unread(path: str) -> Task:
    """Unpickle it, which checks nothing."""
    encoded = pickle.dumps(CertificateList.load(Path(path).read_bytes()), PROTOCOL)
    # The facts are read from another object, because this one must stay unread.
    return Task(lambda: pickle.loads(encoded), lambda _: facts(pickle.loads(encoded)))
