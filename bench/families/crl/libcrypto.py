"""OpenSSL's libcrypto through ctypes: parse a CRL, and encode it again. Called by peers/libcrypto.py.

cryptography contains an OpenSSL, but does not expose these functions; the library of the system does.
"""

import ctypes
import ctypes.util
from typing import Any


class Missing(Exception):
    """This machine has no suitable libcrypto; the message says why."""


def load() -> ctypes.CDLL:
    """Return the library of the system with the functions that are used here."""
    found = ctypes.util.find_library("crypto")
    if found is None:
        raise Missing("no libcrypto is installed")
    try:
        library = ctypes.CDLL(found)
    except OSError as error:
        raise Missing(f"{found} cannot be loaded: {error}") from None
    place = ctypes.POINTER(ctypes.c_void_p)
    signatures: tuple[tuple[str, list[Any], Any], ...] = (
        ("OpenSSL_version", [ctypes.c_int], ctypes.c_char_p),
        ("d2i_X509_CRL", [ctypes.c_void_p, place, ctypes.c_long], ctypes.c_void_p),
        ("i2d_re_X509_CRL_tbs", [ctypes.c_void_p, place], ctypes.c_int),
        ("X509_CRL_free", [ctypes.c_void_p], None),
        ("CRYPTO_free", [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int], None),
    )
    for name, arguments, result in signatures:
        try:
            function = getattr(library, name)
        except AttributeError:
            raise Missing(f"{found} has no {name}") from None
        function.argtypes, function.restype = arguments, result
    return library


class LibcryptoCRL:
    """A CRL that OpenSSL has parsed.

    Raises:
        Missing: OpenSSL is not installed.
    """

    def __init__(self, data: bytes) -> None:
        self.library = load()
        kept = ctypes.create_string_buffer(data, len(data))
        place = ctypes.c_void_p(ctypes.addressof(kept))
        self.crl = self.library.d2i_X509_CRL(None, ctypes.byref(place), len(data))
        if not self.crl:
            raise ValueError("OpenSSL cannot parse this CRL")

    @property
    def version(self) -> str:
        """Return the name and version of the library, such as 'OpenSSL 3.0.19'."""
        said: bytes = self.library.OpenSSL_version(0)
        return " ".join(said.decode().split()[:2])

    def encode(self, *, take: bool = False) -> bytes | None:
        """Encode the TBSCertList into OpenSSL's memory; `take` copies it from there."""
        encoded = ctypes.c_void_p()
        length = self.library.i2d_re_X509_CRL_tbs(self.crl, ctypes.byref(encoded))
        if length <= 0:
            raise ValueError("OpenSSL cannot encode this CRL")
        try:
            return ctypes.string_at(encoded, length) if take and encoded.value is not None else None
        finally:
            self.library.CRYPTO_free(encoded, b"", 0)

    def close(self) -> None:
        """Free the memory."""
        self.library.X509_CRL_free(self.crl)
        self.crl = None
