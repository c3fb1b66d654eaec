"""`Cache`: decoded structures, and values computed from them, in a store that need not be trusted.

- `decode` and `load` store DER, never a pickle. It must match the digest in its key and is validated again, so a
  manipulated store can only cost time.
- `derive` stores pickles. They are signed, and the signature is verified before a pickle is loaded.
- An invalid entry is a miss: it is logged and replaced. An error of the store is logged, and the value is computed
  without the store. Errors of the data, of the schema and of the caller's functions are raised.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import re
from collections.abc import Callable, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

from derlib import Deviation, Limits, decode
from derlib._ber_rules import CONVERT_HINT, with_hint
from derlib.cache._entry import EntryFormat, InvalidEntry
from derlib.cache._fingerprint import fingerprint
from derlib.cache._store import DirectoryStore
from derlib.errors import ASN1Error, DecodeError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Cache"]

T = TypeVar("T")
R = TypeVar("R")

LOG = logging.getLogger("derlib.cache")
# Fixed, because different versions of Python can share a store.
_PICKLE_PROTOCOL = 5
# A length has at most 15 hexadecimal digits, so that length + 1 fits into a signed 64-bit number.
_KEY = re.compile("([0-9a-f]{32})-([0-9a-f]{1,15})-([0-9a-f]{64})", re.ASCII)


class Cache:
    """Store decoded structures, and values that are computed from them.

    Args:
        store: any mutable mapping of str to bytes, such as a dict, a `DirectoryStore`, or one for a database. The keys
            consist of ``0-9``, ``a-f`` and ``-`` and have at most 147 characters.
        secret: at least 16 bytes, which sign the entries. A list of secrets is for rotation, from oldest to newest: all
            are accepted, the last one signs. This needs the extra ``derlib[cache]``. With None, entries are not signed,
            and `derive` raises `ValueError`.
        compress: the zlib level from 1 to 9, or 0 for no compression. It can change at any time.
        tolerate, limits: as in `derlib.decode`, for everything that this cache decodes.

    Raises:
        TypeError: the store is not a mutable mapping, a secret is neither str nor bytes, or `tolerate` or `limits` has
            the wrong type.
        ValueError: a secret is too short, or `compress` is not a level.
        ModuleNotFoundError: a secret is passed, but ``blake2signer`` is not installed.

    If the store raises an exception that is derived from `Exception`, the cache logs it and behaves as if the entry
    were missing. The logger is ``derlib.cache``. Threads can share a cache if they can share its store.

    >>> from derlib import SequenceOf
    >>> from derlib.cache import Cache
    >>> cache = Cache({})
    >>> numbers = cache.decode(SequenceOf[int], bytes.fromhex("3006020101020102"))
    >>> list(numbers)
    [1, 2]
    """

    def __init__(
        self,
        store: MutableMapping[str, bytes],
        secret: str | bytes | Iterable[str | bytes] | None = None,
        *,
        compress: int = 0,
        tolerate: Deviation | None = None,
        limits: Limits | None = None,
    ) -> None:
        if not hasattr(store, "__setitem__"):
            name = type(store).__name__
            raise TypeError(f"store: expected a mutable mapping, got {name}; DirectoryStore(path) is one in a folder")
        self._store = store
        if tolerate is not None and not isinstance(tolerate, Deviation):
            raise TypeError(f"tolerate: expected Deviation or None, got {type(tolerate).__name__}")
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits: expected Limits or None, got {type(limits).__name__}")
        self._tolerate = tolerate
        self._limits = limits
        self._decode_options = _decode_options(tolerate, limits)
        self._format = EntryFormat(secret, compress)

    def __repr__(self) -> str:
        # Show neither the secret nor the contents of the store.
        store = repr(self._store) if isinstance(self._store, DirectoryStore) else type(self._store).__name__
        return f"<Cache over {store}{', signed' if self._format.signs else ''}>"

    def key(self, type: Any, data: Buffer) -> str:
        """Return the key under which `decode` stores this data: schema, length and digest. Pass it to `load`.

        Raises:
            SchemaError: `type` is not a type.
        """
        return _key(type, _to_bytes(data))

    @overload
    def decode(self, type: type[T], data: Buffer) -> T: ...
    @overload
    def decode(self, type: Any, data: Buffer) -> Any: ...
    def decode(self, type: Any, data: Buffer) -> Any:
        """Decode `data` and store it.

        Args:
            type: a schema class or any type expression.
            data: all of the encoding; a buffer that is not `bytes` is copied.

        Raises:
            DecodeError, LimitError: `data` is not an encoding of `type`; nothing is stored.
            SchemaError: `type` is not a type.
        """
        encoding = _to_bytes(data)
        key = _key(type, encoding)
        stored = self._read(key, len(encoding))
        if stored == encoding:
            return self._decode(type, stored)
        if stored is not None:
            _log_invalid(key, "its contents do not have the length and digest in the key")
        value = self._decode(type, encoding)
        self._write(key, encoding)
        return value

    @overload
    def load(self, type: type[T], key: str) -> T | None: ...
    @overload
    def load(self, type: Any, key: str) -> Any: ...
    def load(self, type: Any, key: str) -> Any:
        """Return the value that `decode` stored under a key.

        Args:
            type: the type that it was decoded as.
            key: the result of `key` for this type and the data.

        Returns:
            The value, or None if the entry is missing, damaged, for another schema, or has a fault that this cache
            does not tolerate.

        Raises:
            TypeError, ValueError: `key` is not a result of `Cache.key`.
            SchemaError: `type` is not a type.
        """
        if not isinstance(key, str):
            raise TypeError(f"key: expected a result of Cache.key (str), got {key.__class__.__name__}")
        parts = _KEY.fullmatch(key)
        if parts is None:
            raise ValueError("the key is not a result of Cache.key")
        schema, length, digest = parts.groups()
        if schema != fingerprint(type):
            LOG.debug("entry %s belongs to another schema", key)
            return None
        stored = self._read(key, int(length, 16))
        if stored is None:
            return None
        if _digest(stored) != digest:
            _log_invalid(key, "its contents do not have the length and digest in the key")
            return None
        try:
            return self._decode(type, stored)
        except ASN1Error as error:
            _log_invalid(key, f"it is not an encoding of its type: {error}")
            return None

    @overload
    def derive(self, type: type[T], data: Buffer, make: Callable[[T], R], *, name: str) -> R: ...
    @overload
    def derive(self, type: Any, data: Buffer, make: Callable[[Any], R], *, name: str) -> R: ...
    def derive(self, type: Any, data: Buffer, make: Callable[[Any], R], *, name: str) -> R:
        """Return the result of ``make(value)`` for the decoded data. It is computed once and stored as a signed pickle.

        Args:
            type, data: as in `decode`. If the store has the result, the data are not decoded.
            make: called with the decoded value. The result must be picklable.
            name: any text, which distinguishes the results for the same data. Change it when `make` returns a different
                result. Caches with other `tolerate` or `limits` have separate entries.

        Raises:
            ValueError: the cache has no secret. Loading a pickle can run code, so it must be signed.
            TypeError: `name` is not a str.
            DecodeError, LimitError: `data` is not an encoding of `type`.
            SchemaError: `type` is not a type.

        Exceptions of `make` and of pickling its result are passed on.
        """
        if not self._format.signs:
            raise ValueError("derive stores pickles, which must be signed; pass a secret: Cache(store, secret)")
        encoding = _to_bytes(data)
        if not isinstance(name, str):
            raise TypeError(f"name: expected str, got {name.__class__.__name__}")
        # A name can contain a lone surrogate, which plain UTF-8 cannot encode.
        parts = (name.encode("utf-8", "surrogatepass"), *self._decode_options)
        key = f"{_key(type, encoding)}-{_digest_of(parts)}"
        stored = self._read(key, None)
        if stored is not None:
            try:
                value: R = pickle.loads(stored)
            except Exception as error:
                # It was valid when it was signed. A class has moved or changed since.
                _log_invalid(key, f"it cannot be unpickled: {_brief(error)}")
            else:
                return value
        value = make(self._decode(type, encoding))
        self._write(key, pickle.dumps(value, _PICKLE_PROTOCOL))
        return value

    def _decode(self, type: Any, data: Buffer) -> Any:
        """Return the value in DER. The cache does not read BER, so the hint of an error names what converts it."""
        try:
            return decode(type, data, tolerate=self._tolerate, limits=self._limits)
        except DecodeError as error:
            raise with_hint(error, CONVERT_HINT) from None

    def _read(self, key: str, limit: int | None) -> bytes | None:
        """Return the contents of a valid entry of at most `limit` bytes, or None."""
        try:
            entry = self._store[key]
        except KeyError:
            return None
        except Exception as error:
            LOG.warning("the store cannot read entry %s: %s", key, _brief(error))
            return None
        try:
            return self._format.decode(key, entry, limit)
        except InvalidEntry as error:
            _log_invalid(key, str(error))
            return None

    def _write(self, key: str, contents: bytes) -> None:
        entry = self._format.encode(key, contents)
        try:
            self._store[key] = entry
        except Exception as error:
            LOG.warning("the store cannot write entry %s: %s", key, _brief(error))


def _to_bytes(data: Buffer) -> bytes:
    if isinstance(data, bytes):
        return data
    try:
        return memoryview(data).tobytes()
    except TypeError:
        name = type(data).__name__
        raise TypeError(f"data: expected bytes or another buffer, got {name}; the type comes first") from None


def _digest(encoding: bytes) -> str:
    return hashlib.blake2b(encoding, digest_size=32).hexdigest()


def _decode_options(tolerate: Deviation | None, limits: Limits | None) -> tuple[bytes, ...]:
    """Return the options of decoding as parts of a key, because a derived value depends on them."""
    tolerated = Deviation(0) if tolerate is None else tolerate
    each_limit = vars(Limits() if limits is None else limits).values()
    return tuple(ascii(part).encode("ascii") for part in (tolerated.value, *each_limit))


def _digest_of(parts: tuple[bytes, ...]) -> str:
    """Return a digest of several parts. Each part is preceded by its length, so that the parts are unambiguous."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _key(type: Any, encoding: bytes) -> str:
    return f"{fingerprint(type)}-{len(encoding):x}-{_digest(encoding)}"


def _log_invalid(key: str, reason: str) -> None:
    LOG.warning("entry %s is not used: %s", key, reason)


def _brief(error: Exception) -> str:
    """Return an error as a short text for the log."""
    return f"{type(error).__name__}: {error}"[:200]
