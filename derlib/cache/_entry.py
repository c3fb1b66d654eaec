"""The format of entries in the store: `EntryFormat` signs and compresses them, and verifies them before it reads them.

An entry is a line with the format, the key and whether the contents are compressed, and then the contents. With a
secret, a signature by keyed BLAKE2 comes before all of that. It covers the key, so an entry that was signed for another
key is invalid.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blake2signer import Blake2Signer

__all__ = ["EntryFormat", "InvalidEntry"]

_FORMAT = b"derlib-cache-2"
_PLAIN = b"plain"
_ZLIB = b"zlib"
_DIGEST_SIZE = 32
_SECRET_SIZE = 16


class InvalidEntry(Exception):
    """An entry that must not be used; the message is the reason."""


class EntryFormat:
    """Encodes and decodes entries.

    Args:
        secret: the secret to sign with; or secrets from oldest to newest, of which the last one signs; or None.
        compress: the zlib level, 0 for no compression.
    """

    def __init__(self, secret: str | bytes | Iterable[str | bytes] | None, compress: int) -> None:
        if not 0 <= compress <= 9:
            raise ValueError(f"compress: expected a level from 0 (none) to 9, got {compress!r}")
        self._compress = compress
        # Created once: this takes many times longer than signing a small entry.
        self._signer = None if secret is None else _signer(secret)

    @property
    def signs(self) -> bool:
        """Whether entries are signed."""
        return self._signer is not None

    def encode(self, key: str, contents: bytes) -> bytes:
        """Return the entry for a key."""
        compression = _PLAIN
        if self._compress:
            compressed = zlib.compress(contents, self._compress)
            if len(compressed) < len(contents):
                compression, contents = _ZLIB, compressed
        entry = b"%b %b %b\n%b" % (_FORMAT, key.encode("ascii"), compression, contents)
        return entry if self._signer is None else self._signer.sign(entry)

    def decode(self, key: str, entry: bytes, limit: int | None = None) -> bytes:
        """Return the contents of an entry.

        Args:
            key: the key of the entry.
            entry: the value in the store.
            limit: the largest size of the contents in bytes, also after decompression; None for no limit, which is for
                signed entries only.

        Raises:
            InvalidEntry: the entry is forged or damaged, or has another key, secret or format.
        """
        if not isinstance(entry, bytes):
            raise InvalidEntry(f"expected bytes from the store, got {type(entry).__name__}")
        if self._signer is not None:
            entry = _unsigned(self._signer, entry)
        start = b"%b %b " % (_FORMAT, key.encode("ascii"))
        if not entry.startswith(start):
            raise InvalidEntry("it belongs to another key, or to another format")
        end = entry.find(b"\n", len(start), len(start) + 16)
        compression = entry[len(start) : max(end, len(start))]
        if compression == _PLAIN:
            return entry[end + 1 :]
        if compression == _ZLIB:
            return _decompressed(memoryview(entry)[end + 1 :], limit)
        raise InvalidEntry("its compression is unknown")


def _signer(secret: str | bytes | Iterable[str | bytes]) -> Blake2Signer:
    try:
        from blake2signer import Blake2Signer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "a cache with a secret needs blake2signer: pip install blake2signer", name=error.name
        ) from error
    secrets = tuple(secret) if isinstance(secret, Iterable) and not isinstance(secret, (str, bytes)) else (secret,)
    if not secrets:
        raise ValueError("the list of secrets is empty; give at least one, or None")
    # Deterministic: equal values give equal entries, so that concurrent writers write the same bytes.
    return Blake2Signer(
        [_secret_bytes(given) for given in secrets],
        personalisation=b"derlib.cache",
        digest_size=_DIGEST_SIZE,
        deterministic=True,
    )


def _secret_bytes(secret: str | bytes) -> bytes:
    """Return a secret as bytes. Error messages must not contain any part of it."""
    if not isinstance(secret, (str, bytes)):
        raise TypeError(f"secret: expected str or bytes, got {type(secret).__name__}")
    try:
        encoded = secret.encode() if isinstance(secret, str) else secret
    except UnicodeEncodeError:
        # Not chained: the original error contains the whole text.
        raise ValueError("a secret contains surrogates, which UTF-8 cannot encode; give it as bytes") from None
    if len(encoded) < _SECRET_SIZE:
        raise ValueError(f"the secret is {len(encoded)} bytes; at least {_SECRET_SIZE} are required")
    return encoded


def _unsigned(signer: Blake2Signer, entry: bytes) -> bytes:
    from blake2signer.errors import SignedDataError

    try:
        return signer.unsign(entry)
    except SignedDataError as error:
        raise InvalidEntry(f"its signature is invalid: {error}") from error


def _decompressed(compressed: memoryview, limit: int | None) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        # Ask for one byte more than the limit, to detect that it is exceeded; 0 would mean no limit.
        found = unpacker.decompress(compressed, 0 if limit is None else limit + 1)
    except zlib.error as error:
        raise InvalidEntry("it cannot be decompressed") from error
    if limit is not None and len(found) > limit:
        raise InvalidEntry("its contents are longer than the length in its key")
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidEntry("bytes follow its compressed contents, or some are missing")
    return found
