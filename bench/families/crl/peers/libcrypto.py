"""The OpenSSL of the system, through ctypes: parses into C structs and encodes from them."""

from collections.abc import Iterator
from pathlib import Path

from bench.families.crl.libcrypto import LibcryptoCRL, Missing, load
from bench.harness import Task, Unavailable


def version() -> str:
    """Return the name and version of the library."""
    try:
        said: bytes = load().OpenSSL_version(0)
    except Missing as reason:
        raise Unavailable(str(reason)) from None
    return " ".join(said.decode().split()[:2])


def encode_tbs_anew(path: str) -> Task:
    """Call `i2d_re_X509_CRL_tbs`; the facts copy the bytes from OpenSSL's memory."""
    crl = LibcryptoCRL(Path(path).read_bytes())
    return Task(crl.encode, lambda _: [crl.encode(take=True)])


def decode(path: str) -> Task:
    """Call `d2i_X509_CRL`, and free the result."""
    data = Path(path).read_bytes()

    def facts(_: object) -> Iterator[object]:
        crl = LibcryptoCRL(data)
        yield crl.encode(take=True)
        crl.close()

    return Task(lambda: LibcryptoCRL(data).close(), facts)
