"""The cache: decoded structures and what was made of them, kept in a store that need not be trusted.

Users make a `Cache` over a mapping. Its rules:

- What `decode` and `load` keep is DER, never a pickle. It must have the digest that its key says, and is checked again
  by the decoder, so a store that lies costs time and no more.
- What `derive` keeps is a pickle, so it is only kept, and only read, under a signature. The signature is verified
  before the pickle is looked at.
- An entry that does not hold is a miss: logged, and replaced. A store that fails is logged, and the value is made
  without it. Errors of the data, of the schema and of the caller's own functions are raised as ever.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import logging
import pickle
import re
from collections.abc import Callable, Iterable, MutableMapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

from derlib._options import Deviation, Limits
from derlib._schema import decode
from derlib.cache._entry import Seal, UnfitEntry
from derlib.cache._fingerprint import fingerprint
from derlib.cache._store import DirectoryStore
from derlib.errors import ASN1Error

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Cache"]

T = TypeVar("T")
R = TypeVar("R")

LOG = logging.getLogger("derlib.cache")
# Fixed, so that processes of different versions of Python share a store.
_PICKLE_PROTOCOL = 5
# The length has as many digits as fit a signed 64-bit number, one octet more included.
_KEY = re.compile("([0-9a-f]{32})-([0-9a-f]{1,15})-([0-9a-f]{64})", re.ASCII)


class Cache:
    """Decoded structures, and values made of them, in a store.

    Args:
        store: any mutable mapping of str to bytes, such as a dict, a `DirectoryStore`, or one over a database. Its keys
            are made of ``0-9``, ``a-f`` and ``-`` and have at most 147 characters.
        secret: of 16 octets at least, to sign entries with; several are for rotation, from oldest to newest: all are
            accepted, the last one signs. Needs the extra ``derlib[cache]``. None: entries are not signed, and `derive`
            cannot be used.
        compress: the level of zlib from 1 to 9, 0 for none. It may change at any time.
        tolerate, limits: as `derlib.decode` takes them, for all that this cache decodes.

    Raises:
        TypeError: the store is no mutable mapping, a secret is neither str nor bytes, or `tolerate` or `limits` has
            another type.
        ValueError: a secret is too short, or the level is none.
        ModuleNotFoundError: there is a secret and no ``blake2signer``.

    The exceptions of the store that are logged and lead to a miss are all that derive from `Exception`: `OSError`,
    `KeyError`, those of database clients. The logger is ``derlib.cache``. A cache may be shared between threads if its
    store may.

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
            raise TypeError(
                f"the store is a mutable mapping, not {type(store).__name__}; DirectoryStore(path) is one over a folder"
            )
        self._store = store
        if tolerate is not None and not isinstance(tolerate, Deviation):
            raise TypeError(f"tolerate: expected Deviation or None, got {type(tolerate).__name__}")
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits: expected Limits or None, got {type(limits).__name__}")
        self._decode: Callable[[Any, Buffer], Any] = functools.partial(decode, tolerate=tolerate, limits=limits)
        self._reading = _reading(tolerate, limits)
        self._seal = Seal(secret, compress)

    def __repr__(self) -> str:
        # Never the secret, nor what is in the store.
        store = repr(self._store) if isinstance(self._store, DirectoryStore) else type(self._store).__name__
        return f"<Cache over {store}{', signed' if self._seal.signs else ''}>"

    def key(self, type: Any, data: Buffer) -> str:
        """The name under which `decode` keeps this data: schema, length and digest. Keep it to `load` by.

        Raises:
            SchemaError: `type` is no type.
        """
        return _key(type, _octets(data))

    @overload
    def decode(self, type: type[T], data: Buffer) -> T: ...
    @overload
    def decode(self, type: Any, data: Buffer) -> Any: ...
    def decode(self, type: Any, data: Buffer) -> Any:
        """Decode `data`, and keep it.

        Args:
            type: a schema class or any type expression.
            data: all of the encoding; a buffer that is not `bytes` is copied.

        Raises:
            DecodeError, LimitError: `data` is no encoding of `type`; nothing is kept then.
            SchemaError: `type` is no type.
        """
        octets = _octets(data)
        key = _key(type, octets)
        kept = self._read(key, len(octets))
        if kept == octets:
            return self._decode(type, kept)
        if kept is not None:
            _log_unfit(key, "its octets are not those that were kept")
        value = self._decode(type, octets)
        self._write(key, octets)
        return value

    @overload
    def load(self, type: type[T], key: str) -> T | None: ...
    @overload
    def load(self, type: Any, key: str) -> Any: ...
    def load(self, type: Any, key: str) -> Any:
        """The value that `decode` kept under `key`, or None: not kept, no longer sound, or kept for another schema.

        Args:
            type: the type that it was decoded as.
            key: what `key` gave for that type and data.

        Raises:
            ValueError: `key` is none of ours.
            SchemaError: `type` is no type.
        """
        if not isinstance(key, str):
            raise TypeError(f"a key is the str that Cache.key gives for the data, not {key.__class__.__name__}")
        parts = _KEY.fullmatch(key)
        if parts is None:
            raise ValueError("this is no key of Cache.key")
        schema, length, digest = parts.groups()
        if schema != fingerprint(type):
            LOG.debug("entry %s is of another schema", key)
            return None
        kept = self._read(key, int(length, 16))
        if kept is None:
            return None
        if _digest(kept) != digest:
            _log_unfit(key, "its octets are not those that were kept")
            return None
        try:
            return self._decode(type, kept)
        except ASN1Error as error:
            _log_unfit(key, f"it is no encoding of its type: {error}")
            return None

    @overload
    def derive(self, type: type[T], data: Buffer, make: Callable[[T], R], *, name: str) -> R: ...
    @overload
    def derive(self, type: Any, data: Buffer, make: Callable[[Any], R], *, name: str) -> R: ...
    def derive(self, type: Any, data: Buffer, make: Callable[[Any], R], *, name: str) -> R:
        """What `make` makes of the decoded data: made once, then kept as a signed pickle, such as an index.

        Args:
            type, data: as `decode` takes them. The data is not decoded when the value is found.
            make: called with the decoded value; what it returns must be picklable.
            name: which of all values derived from this data it is, any text. Change it whenever `make` changes its
                result. Caches with another `tolerate` or other `limits` have entries of their own.

        Raises:
            ValueError: the cache has no secret. A pickle from a store that others can write runs their code.
            TypeError: `name` is not a str.
            DecodeError, LimitError: `data` is no encoding of `type`.
            SchemaError: `type` is no type.

        What `make` raises is raised, and so is what pickling its result raises.
        """
        if not self._seal.signs:
            raise ValueError("derive keeps pickles, and those need a secret: Cache(store, secret)")
        octets = _octets(data)
        if not isinstance(name, str):
            raise TypeError(f"name: expected str, got {name.__class__.__name__}")
        # A lone surrogate is a character of a str like any other, so it may stand in a name.
        key = f"{_key(type, octets)}-{_digest_of((name.encode('utf-8', 'surrogatepass'), *self._reading))}"
        kept = self._read(key, None)
        if kept is not None:
            try:
                value: R = pickle.loads(kept)
            except Exception as error:
                # Sound when it was signed; since then a class moved, or changed what it accepts.
                _log_unfit(key, f"it cannot be unpickled: {_brief(error)}")
            else:
                return value
        value = make(self._decode(type, octets))
        self._write(key, pickle.dumps(value, _PICKLE_PROTOCOL))
        return value

    def _read(self, key: str, most: int | None) -> bytes | None:
        """The octets of an entry that holds, else None."""
        try:
            entry = self._store[key]
        except KeyError:
            return None
        except Exception as error:
            LOG.warning("the store cannot read entry %s: %s", key, _brief(error))
            return None
        try:
            return self._seal.open(key, entry, most)
        except UnfitEntry as error:
            _log_unfit(key, str(error))
            return None

    def _write(self, key: str, octets: bytes) -> None:
        entry = self._seal.close(key, octets)
        try:
            self._store[key] = entry
        except Exception as error:
            LOG.warning("the store cannot keep entry %s: %s", key, _brief(error))


def _octets(data: Buffer) -> bytes:
    if isinstance(data, bytes):
        return data
    try:
        return memoryview(data).tobytes()
    except TypeError:
        name = type(data).__name__
        raise TypeError(f"the type comes first, then the data: bytes or another buffer, not {name}") from None


def _digest(octets: bytes) -> str:
    return hashlib.blake2b(octets, digest_size=32).hexdigest()


def _reading(tolerate: Deviation | None, limits: Limits | None) -> tuple[bytes, ...]:
    """What decides how data is read, as parts of a key: a derived value depends on it."""
    tolerated = Deviation(0) if tolerate is None else tolerate
    bounds = dataclasses.astuple(Limits() if limits is None else limits)
    return tuple(ascii(part).encode("ascii") for part in (tolerated.value, *bounds))


def _digest_of(parts: tuple[bytes, ...]) -> str:
    """A digest of several parts. Each is preceded by its length, so no two rows of parts give the same octets."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _key(type: Any, octets: bytes) -> str:
    return f"{fingerprint(type)}-{len(octets):x}-{_digest(octets)}"


def _log_unfit(key: str, reason: str) -> None:
    LOG.warning("entry %s is not used: %s", key, reason)


def _brief(error: Exception) -> str:
    """An error in a line of a log: what a store says of itself may be long."""
    return f"{type(error).__name__}: {error}"[:200]
