"""Entries that do not hold, however they came about: never used, logged, replaced. And the secrets that tell."""

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

from derlib import DecodeError, Sequence, SequenceOf
from derlib.cache import Cache, _entry

SECRET = "a secret of some length"
OTHER = b"another one of some length"


class Order(Sequence):
    number: int
    items: SequenceOf[str]


DATA = Order(number=42, items=["tea", "milk"]).encode()
OTHER_DATA = Order(number=43, items=["tea", "milk"]).encode()

Logged = Callable[[], list[str]]


@pytest.fixture(params=[None, SECRET], ids=["unsigned", "signed"])
def secret(request: pytest.FixtureRequest) -> str | None:
    return request.param


def keep(secret: Any, data: bytes = DATA, compress: int = 0) -> tuple[str, bytes]:
    store: dict[str, bytes] = {}
    Cache(store, secret, compress=compress).decode(Order, data)
    ((key, entry),) = store.items()
    return key, entry


def damaged(entry: bytes, secret: str | None) -> Iterator[tuple[str, Any]]:
    for length in range(len(entry)):
        yield f"the first {length} octets", entry[:length]
    for place in range(len(entry)):
        yield f"octet {place} changed", entry[:place] + bytes([entry[place] ^ 1]) + entry[place + 1 :]
    yield "an octet more", entry + b"\0"
    yield "that of other data", keep(secret, OTHER_DATA)[1]
    yield "signed with another secret, or not at all", keep(OTHER if secret is None else None)[1]
    yield "text", entry.decode("latin-1")
    yield "nothing", None
    yield "a pickle", pickle.dumps(Order)


@pytest.mark.parametrize("compress", [0, 9])
def test_an_entry_that_does_not_hold_is_logged_and_replaced(
    secret: str | None, compress: int, logged: Logged
) -> None:
    data = Order(number=42, items=["tea"] * 20).encode()
    key, entry = keep(secret, data, compress)
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


def test_an_entry_of_wrong_octets_under_a_true_key_is_a_miss(logged: Logged) -> None:
    """Whoever can write to a store without a secret can make such an entry."""
    cache = Cache(store := {})
    key = cache.key(Order, DATA)
    for octets in (OTHER_DATA, b"", DATA + b"\0", b"\xff" * len(DATA)):
        store[key] = cache._seal.close(key, octets)
        assert cache.load(Order, key) is None
        assert cache.decode(Order, DATA) == Order.decode(DATA)
        assert len(logged()) == 2
    bad = b"\x30\x00"
    key = cache.key(Order, bad)
    store[key] = cache._seal.close(key, bad)
    assert cache.load(Order, key) is None
    assert "is not an encoding of its type" in logged()[0]
    with pytest.raises(DecodeError):
        cache.decode(Order, bad)


def test_a_small_entry_that_would_grow_without_bound_is_not_unpacked(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(store := {}, compress=9)
    key = cache.key(Order, DATA)
    store[key] = cache._seal.close(key, bytes(10_000_000))
    assert len(store[key]) < 20_000
    with pytest.raises(_entry.UnfitEntry, match="its contents are longer than the length in its key"):
        cache._seal.open(key, store[key], len(DATA))
    largest = 0
    plain = zlib.decompressobj

    class Watching:
        def __init__(self) -> None:
            self.inner = plain()

        def decompress(self, octets: bytes, most: int) -> bytes:
            nonlocal largest
            found = self.inner.decompress(octets, most)
            largest = max(largest, len(found))
            return found

    monkeypatch.setattr(zlib, "decompressobj", Watching)
    assert cache.decode(Order, DATA).number == 42
    assert "longer than the length" in logged()[0]
    assert largest == len(DATA) + 1


class Bomb:
    """Unpickling it would be noticed."""

    went_off = 0

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _go_off, ()


def _go_off() -> None:
    Bomb.went_off += 1


def forgeries(key: str) -> Iterator[bytes]:
    bomb = pickle.dumps(Bomb())
    yield bomb
    line = b"%b %b plain\n" % (_entry._FORMAT, key.encode())
    yield line + bomb
    yield Cache({}, OTHER)._seal.close(key, bomb)
    # Rightly signed by us, for another place.
    yield Cache({}, SECRET)._seal.close(key[:-1] + ("0" if key[-1] != "0" else "1"), bomb)


def test_nothing_is_unpickled_before_it_is_verified(logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(store := {}, SECRET)
    assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
    (key,) = store
    plain, calls = pickle.loads, []

    def counted(octets: bytes) -> Any:
        calls.append(octets)
        return plain(octets)

    monkeypatch.setattr(pickle, "loads", counted)
    for forged in forgeries(key):
        store[key] = forged
        assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
        assert len(logged()) == 1
        assert calls == []
    assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
    assert len(calls) == 1
    assert Bomb.went_off == 0


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


def test_a_secret_can_be_replaced_by_and_by(logged: Logged) -> None:
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


def test_text_and_octets_are_the_same_secret() -> None:
    assert keep(SECRET) == keep(SECRET.encode()) == keep([SECRET]) == keep(iter([SECRET.encode()]))


@pytest.mark.parametrize("wrong", ["", b"", "short", [], ["short", SECRET], [SECRET, ""]])
def test_a_secret_that_protects_nothing_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="secret") as caught:
        Cache({}, wrong)
    assert "short" not in str(caught.value)


def test_a_secret_that_cannot_be_encoded_is_refused_without_showing_it() -> None:
    with pytest.raises(ValueError, match="surrogates") as caught:
        Cache({}, [SECRET, f"{SECRET}\udc80"])
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert SECRET not in shown
    assert type(caught.value) is ValueError


def test_a_secret_does_not_show() -> None:
    cache = Cache({}, SECRET)
    assert SECRET not in repr(cache)
    assert SECRET not in repr(vars(cache))


@pytest.mark.parametrize("level", [-1, 10])
def test_a_level_that_there_is_not_is_refused(level: int) -> None:
    with pytest.raises(ValueError, match="level"):
        Cache({}, compress=level)


def test_the_signer_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import blake2signer

    made = []

    class Noted(blake2signer.Blake2Signer):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            made.append(self)
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(blake2signer, "Blake2Signer", Noted)
    cache = Cache({}, SECRET)
    for _ in range(3):
        cache.decode(Order, DATA)
        cache.derive(Order, OTHER_DATA, lambda order: order.number, name="number")
    assert len(made) == 1


def test_without_the_package_a_secret_says_what_to_install() -> None:
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
    assert 'pip install "derlib[cache]"' in run(code)


def test_the_library_does_not_import_the_package() -> None:
    assert run("import sys, derlib, derlib.cache; print('blake2signer' in sys.modules)").strip() == "False"


def run(code: str, *arguments: str, **variables: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=environment).stdout
