"""Damaged and forged entries are never used; they are logged and replaced. And the secrets that sign entries."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
import traceback
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.cache_data import DATA, OTHER_DATA, SECRET, Logged, Order

from derlib import DecodeError
from derlib.cache import Cache, _entry

OTHER = b"another one of some length"


def stored(secret: Any, data: bytes = DATA, compress: int = 0) -> tuple[str, bytes]:
    store: dict[str, bytes] = {}
    Cache(store, secret, compress=compress).decode(Order, data)
    ((key, entry),) = store.items()
    return key, entry


def damaged(entry: bytes, secret: str | None) -> Iterator[tuple[str, Any]]:
    for length in range(len(entry)):
        yield f"the first {length} bytes", entry[:length]
    for index in range(len(entry)):
        yield f"byte {index} changed", entry[:index] + bytes([entry[index] ^ 1]) + entry[index + 1 :]
    yield "a byte more", entry + b"\0"
    yield "the entry of other data", stored(secret, OTHER_DATA)[1]
    yield "signed with another secret, or not signed", stored(OTHER if secret is None else None)[1]
    yield "text", entry.decode("latin-1")
    yield "nothing", None
    yield "a pickle", pickle.dumps(Order)


@pytest.mark.parametrize("compress", [0, 9])
def test_a_damaged_entry_is_logged_and_replaced(
    secret: str | None, compress: int, logged: Logged
) -> None:
    data = Order(number=42, items=["tea"] * 20).encode()
    key, entry = stored(secret, data, compress)
    cache = Cache(store := {}, secret, compress=compress)
    for what, wrong in damaged(entry, secret):
        store[key] = wrong
        assert cache.load(Order, key) is None, what
        assert len(logged()) == 1, what
        assert cache.decode(Order, data).encode() == data
        (message,) = logged()
        assert message.startswith(f"entry {key} is not used: "), what
        assert store == {key: entry}, what
    assert cache.decode(Order, data).encode() == data
    assert logged() == []


def test_other_contents_under_a_valid_key_are_a_miss(logged: Logged) -> None:
    """Anyone who can write to a store without a secret can write such an entry."""
    cache = Cache(store := {})
    key = cache.key(Order, DATA)
    for contents in (OTHER_DATA, b"", DATA + b"\0", b"\xff" * len(DATA)):
        store[key] = cache._format.encode(key, contents)
        assert cache.load(Order, key) is None
        assert cache.decode(Order, DATA) == Order.decode(DATA)
        assert len(logged()) == 2
    bad = b"\x30\x00"
    key = cache.key(Order, bad)
    store[key] = cache._format.encode(key, bad)
    assert cache.load(Order, key) is None
    assert "is not an encoding of its type" in logged()[0]
    with pytest.raises(DecodeError):
        cache.decode(Order, bad)


def test_decompression_stops_after_the_length_in_the_key(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(store := {}, compress=9)
    key = cache.key(Order, DATA)
    store[key] = cache._format.encode(key, bytes(10_000_000))
    assert len(store[key]) < 20_000
    with pytest.raises(_entry.InvalidEntry, match="its contents are longer than the length in its key"):
        cache._format.decode(key, store[key], len(DATA))
    largest = 0
    plain = zlib.decompressobj

    class Watching:
        def __init__(self) -> None:
            self.inner = plain()

        def decompress(self, data: bytes, max_length: int) -> bytes:
            nonlocal largest
            found = self.inner.decompress(data, max_length)
            largest = max(largest, len(found))
            return found

    monkeypatch.setattr(zlib, "decompressobj", Watching)
    assert cache.decode(Order, DATA).number == 42
    assert "longer than the length" in logged()[0]
    assert largest == len(DATA) + 1


class Bomb:
    """An object that counts how often it is unpickled."""

    loads = 0

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _count_load, ()


def _count_load() -> None:
    Bomb.loads += 1


def forgeries(key: str) -> Iterator[bytes]:
    bomb = pickle.dumps(Bomb())
    yield bomb
    line = b"%b %b plain\n" % (_entry._FORMAT, key.encode())
    yield line + bomb
    yield Cache({}, OTHER)._format.encode(key, bomb)
    # Correctly signed, but for another key.
    yield Cache({}, SECRET)._format.encode(key[:-1] + ("0" if key[-1] != "0" else "1"), bomb)


def test_a_forged_pickle_is_not_loaded(logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(store := {}, SECRET)
    assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
    (key,) = store
    plain, calls = pickle.loads, []

    def counted(data: bytes) -> Any:
        calls.append(data)
        return plain(data)

    monkeypatch.setattr(pickle, "loads", counted)
    for forged in forgeries(key):
        store[key] = forged
        assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
        assert len(logged()) == 1
        assert calls == []
    assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
    assert len(calls) == 1
    assert Bomb.loads == 0


def test_decode_and_load_never_unpickle(secret: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(store := {}, secret)
    key = cache.key(Order, DATA)
    entries = [None, *forgeries(key)]

    def never(*_: object) -> None:
        raise AssertionError

    for name in ("load", "loads", "dump", "dumps", "Unpickler", "Pickler"):
        monkeypatch.setattr(pickle, name, never)
    for entry in entries:
        store[key] = entry
        assert cache.decode(Order, DATA) == cache.decode(Order, DATA) == cache.load(Order, key)


# Secrets.


def test_secrets_can_be_rotated(logged: Logged) -> None:
    store: dict[str, bytes] = {}
    Cache(store, OTHER).decode(Order, DATA)
    both = Cache(store, [OTHER, SECRET])
    before = dict(store)
    assert both.decode(Order, DATA).number == 42
    assert store == before
    both.decode(Order, OTHER_DATA)
    new = Cache(store, SECRET)
    assert new.load(Order, new.key(Order, OTHER_DATA)).number == 43
    assert logged() == []
    assert new.load(Order, new.key(Order, DATA)) is None
    assert "signature" in logged()[0]


def test_a_secret_can_be_given_as_text_or_bytes() -> None:
    assert stored(SECRET) == stored(SECRET.encode()) == stored([SECRET]) == stored(iter([SECRET.encode()]))


@pytest.mark.parametrize("wrong", ["", b"", "short", [], ["short", SECRET], [SECRET, ""]])
def test_a_short_or_missing_secret_is_an_error(wrong: Any) -> None:
    with pytest.raises(ValueError, match="secret") as caught:
        Cache({}, wrong)
    assert "short" not in str(caught.value)


def test_the_error_for_a_secret_with_surrogates_does_not_show_it() -> None:
    with pytest.raises(ValueError, match="surrogates") as caught:
        Cache({}, [SECRET, f"{SECRET}\udc80"])
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert SECRET not in shown
    assert type(caught.value) is ValueError


def test_repr_does_not_show_the_secret() -> None:
    cache = Cache({}, SECRET)
    assert SECRET not in repr(cache)
    assert SECRET not in repr(vars(cache))


@pytest.mark.parametrize("level", [-1, 10])
def test_compress_must_be_a_zlib_level(level: int) -> None:
    with pytest.raises(ValueError, match="level"):
        Cache({}, compress=level)


def test_the_signer_is_created_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import blake2signer

    made = []

    class Counted(blake2signer.Blake2Signer):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            made.append(self)
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(blake2signer, "Blake2Signer", Counted)
    cache = Cache({}, SECRET)
    for _ in range(3):
        cache.decode(Order, DATA)
        cache.derive(Order, OTHER_DATA, lambda order: order.number, name="number")
    assert len(made) == 1


def test_the_error_for_a_missing_package_says_what_to_install() -> None:
    code = """
        import sys
        sys.modules["blake2signer"] = None
        from derlib.cache import Cache
        assert Cache({}).decode(int, bytes([2, 1, 7])) == 7
        try:
            Cache({}, "a secret of some length")
        except ModuleNotFoundError as error:
            print(error)
    """
    assert "pip install blake2signer" in run(code)


def test_the_library_does_not_import_blake2signer() -> None:
    assert run("import sys, derlib, derlib.cache; print('blake2signer' in sys.modules)").strip() == "False"


def run(code: str, *arguments: str, **variables: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=environment).stdout
