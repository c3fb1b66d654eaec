"""Entries as the store sees them: `Seal` closes octets into an entry, and opens one only after it has proved it.

`Cache` calls this. An entry is a line that names the format, the key and whether the rest is compressed; then the
octets. With a secret, a signature by keyed BLAKE2 stands before all of that, so it holds the entry to its key: an
entry that was signed for another key is as forged as one that was not signed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blake2signer import Blake2Signer

__all__ = ["Seal", "UnfitEntry"]

_FORMAT = b"derlib-cache-2"
_PLAIN = b"plain"
_ZLIB = b"zlib"
_DIGEST_SIZE = 32
_SECRET_SIZE = 16


class UnfitEntry(Exception):
    """An entry that must not be used; the message says why."""


class Seal:
    """Closes and opens entries, with one secret or none, and one compression.

    Args:
        secret: what to sign with, secrets from oldest to newest of which the last one signs, or None.
        compress: the level of zlib, 0 for none.
    """

    def __init__(self, secret: str | bytes | Iterable[str | bytes] | None, compress: int) -> None:
        if not 0 <= compress <= 9:
            raise ValueError(f"compress is a level from 0 (none) to 9, not {compress!r}")
        self._compress = compress
        # Made once: to make it costs many times what signing a small entry does.
        self._signer = None if secret is None else _signer(secret)

    @property
    def signs(self) -> bool:
        """Whether entries are signed."""
        return self._signer is not None

    def close(self, key: str, octets: bytes) -> bytes:
        """The entry that holds `octets` for `key`."""
        form = _PLAIN
        if self._compress:
            smaller = zlib.compress(octets, self._compress)
            if len(smaller) < len(octets):
                form, octets = _ZLIB, smaller
        entry = b"%b %b %b\n%b" % (_FORMAT, key.encode("ascii"), form, octets)
        return entry if self._signer is None else self._signer.sign(entry)

    def open(self, key: str, entry: bytes, most: int | None = None) -> bytes:
        """The octets that an entry holds for `key`.

        Args:
            key: what was asked for.
            entry: what the store gave.
            most: how many octets there may be at most, however many a compressed entry would grow to; None for any
                number, which is for entries that are signed.

        Raises:
            UnfitEntry: the entry is forged, damaged, or of another key, secret or format.
        """
        if not isinstance(entry, bytes):
            raise UnfitEntry(f"the store gave {type(entry).__name__} where bytes were kept")
        if self._signer is not None:
            entry = _unsigned(self._signer, entry)
        start = b"%b %b " % (_FORMAT, key.encode("ascii"))
        if not entry.startswith(start):
            raise UnfitEntry("it belongs to another key, or to another format")
        end = entry.find(b"\n", len(start), len(start) + 16)
        form = entry[len(start) : max(end, len(start))]
        if form == _PLAIN:
            return entry[end + 1 :]
        if form == _ZLIB:
            return _decompressed(memoryview(entry)[end + 1 :], most)
        raise UnfitEntry("its form is not known")


def _signer(secret: str | bytes | Iterable[str | bytes]) -> Blake2Signer:
    try:
        from blake2signer import Blake2Signer
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'a cache with a secret needs blake2signer: pip install "derlib[cache]"', name=error.name
        ) from error
    secrets = tuple(secret) if isinstance(secret, Iterable) and not isinstance(secret, (str, bytes)) else (secret,)
    if not secrets:
        raise ValueError("an empty list of secrets signs nothing; give one at least, or None")
    octets = [_octets_of(given) for given in secrets]
    # Deterministic: the same value makes the same entry, so concurrent writers write the same octets.
    return Blake2Signer(octets, personalisation=b"derlib.cache", digest_size=_DIGEST_SIZE, deterministic=True)


def _octets_of(secret: str | bytes) -> bytes:
    """The octets of a secret that protects something. No error says anything of what it is."""
    if not isinstance(secret, (str, bytes)):
        raise TypeError(f"a secret is str or bytes, not {type(secret).__name__}")
    try:
        octets = secret.encode() if isinstance(secret, str) else secret
    except UnicodeEncodeError:
        # Without it: that error holds the whole text.
        raise ValueError("a secret has surrogates, which UTF-8 cannot write; give it as bytes") from None
    if len(octets) < _SECRET_SIZE:
        raise ValueError(f"the secret has {len(octets)} bytes; at least {_SECRET_SIZE} are needed")
    return octets


def _unsigned(signer: Blake2Signer, entry: bytes) -> bytes:
    from blake2signer.errors import SignedDataError

    try:
        return signer.unsign(entry)
    except SignedDataError as error:
        raise UnfitEntry(f"its signature does not hold: {error}") from error


def _decompressed(octets: memoryview, most: int | None) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        # One octet more than allowed shows that there are too many; 0 would mean any number.
        found = unpacker.decompress(octets, 0 if most is None else most + 1)
    except zlib.error as error:
        raise UnfitEntry("it cannot be decompressed") from error
    if most is not None and len(found) > most:
        raise UnfitEntry("it holds more octets than it may")
    if not unpacker.eof or unpacker.unused_data:
        raise UnfitEntry("it does not end where its compressed octets do")
    return found
