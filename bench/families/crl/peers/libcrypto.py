"""The OpenSSL of the system, through ctypes: parses a CRL into C structs and encodes from them.

cryptography contains an OpenSSL, but does not expose these functions; the library of the system does.
"""

import ctypes
import ctypes.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.harness import Task, Unavailable


def load() -> ctypes.CDLL:
    """Return the library of the system with the functions that are used here.

    Raises:
        Unavailable: this machine has no suitable libcrypto.
    """
    found = ctypes.util.find_library("crypto")
    if found is None:
        raise Unavailable("no libcrypto is installed")
    try:
        library = ctypes.CDLL(found)
    except OSError as error:
        raise Unavailable(f"{found} cannot be loaded: {error}") from None
    pointer = ctypes.POINTER(ctypes.c_void_p)
    signatures: tuple[tuple[str, list[Any], Any], ...] = (
        ("OpenSSL_version", [ctypes.c_int], ctypes.c_char_p),
        ("d2i_X509_CRL", [ctypes.c_void_p, pointer, ctypes.c_long], ctypes.c_void_p),
        ("i2d_re_X509_CRL_tbs", [ctypes.c_void_p, pointer], ctypes.c_int),
        ("X509_CRL_free", [ctypes.c_void_p], None),
        ("CRYPTO_free", [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int], None),
    )
    for name, arguments, result in signatures:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise Unavailable(f"{found} has no {name}") from None
        function.argtypes, function.restype = arguments, result
    return library


def version() -> str:
    """Return the version of the library, such as '3.0.19'."""
    text: bytes = load().OpenSSL_version(0)
    return text.decode().split()[1]


class LibcryptoCRL:
    """A CRL that OpenSSL has parsed."""

    def __init__(self, data: bytes) -> None:
        self.library = load()
        buffer = ctypes.create_string_buffer(data, len(data))
        start = ctypes.c_void_p(ctypes.addressof(buffer))
        self.crl = self.library.d2i_X509_CRL(None, ctypes.byref(start), len(data))
        if not self.crl:
            raise ValueError("OpenSSL cannot parse this CRL")

    def encode(self, *, copy: bool = False) -> bytes | None:
        """Encode the TBSCertList into OpenSSL's memory; return a copy of it if asked to."""
        encoded = ctypes.c_void_p()
        length = self.library.i2d_re_X509_CRL_tbs(self.crl, ctypes.byref(encoded))
        if length <= 0:
            raise ValueError("OpenSSL cannot encode this CRL")
        try:
            return ctypes.string_at(encoded, length) if copy and encoded.value is not None else None
        finally:
            self.library.CRYPTO_free(encoded, b"", 0)

    def close(self) -> None:
        """Free the memory."""
        self.library.X509_CRL_free(self.crl)
        self.crl = None


def encode_tbs_anew(path: str) -> Task:
    """Call `i2d_re_X509_CRL_tbs`; the facts copy the bytes from OpenSSL's memory."""
    crl = LibcryptoCRL(Path(path).read_bytes())
    return Task(crl.encode, lambda _: [crl.encode(copy=True)])


def decode(path: str) -> Task:
    """Call `d2i_X509_CRL`, and free the result."""
    data = Path(path).read_bytes()

    def facts(_: object) -> Iterator[object]:
        crl = LibcryptoCRL(data)
        yield crl.encode(copy=True)
        crl.close()

    return Task(lambda: LibcryptoCRL(data).close(), facts)
