"""The system's OpenSSL through ctypes: it parses into C structs, and encodes from them."""

from collections.abc import Iterator
from pathlib import Path

from bench.harness import Task, Unavailable
from bench.libcrypto import LibcryptoCRL, Missing, load


def version() -> str:
    """The name and number of the library."""
    try:
        said: bytes = load().OpenSSL_version(0)
    except Missing as reason:
        raise Unavailable(str(reason)) from None
    return " ".join(said.decode().split()[:2])


def encode_tbs_anew(path: str) -> Task:
    """`i2d_re_X509_CRL_tbs`, into memory of its own; the facts take the octets from there."""
    crl = LibcryptoCRL(Path(path).read_bytes())
    return Task(crl.encode, lambda _: [crl.encode(take=True)])


def decode(path: str) -> Task:
    """`d2i_X509_CRL`, and the freeing of what the run before made."""
    data = Path(path).read_bytes()

    def facts(_: object) -> Iterator[object]:
        crl = LibcryptoCRL(data)
        yield crl.encode(take=True)
        crl.close()

    return Task(lambda: LibcryptoCRL(data).close(), facts)
