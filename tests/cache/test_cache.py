"""The cache: stored data is found again, and neither invalid entries nor failing stores change a result."""

from __future__ import annotations

import itertools
import os
import pickle
import random
import shelve
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from support.cache_data import DATA, OTHER_DATA, SECRET, Logged, Order

import derlib
from derlib import (
    DecodeError,
    SchemaError,
    Sequence,
    SequenceOf,
)
from derlib.cache import Cache, DirectoryStore

posix_only = pytest.mark.skipif(os.name != "posix", reason="forks and kills processes as POSIX does")


class SameOrder(Sequence):
    number: int
    items: SequenceOf[str]


class Counting(dict[str, bytes]):
    """A store that counts writes."""

    writes = 0

    def __setitem__(self, name: str, value: bytes) -> None:
        self.writes += 1
        super().__setitem__(name, value)


# Hits and misses.


@pytest.mark.parametrize("compress", [0, 1, 9])
def test_stored_data_is_found_by_data_and_by_key(secret: str | None, compress: int, logged: Logged) -> None:
    store = Counting()
    cache = Cache(store, secret, compress=compress)
    key = cache.key(Order, DATA)
    assert cache.load(Order, key) is None
    first = cache.decode(Order, DATA)
    assert list(store) == [key]
    again = Cache(store, secret).decode(Order, DATA)
    found = cache.load(Order, key)
    assert first == again == found == Order.decode(DATA)
    assert type(found) is Order
    assert found.items[0] == "tea"
    assert store.writes == 1
    assert logged() == []


def test_equal_data_in_any_buffer_has_one_entry() -> None:
    store = Counting()
    cache = Cache(store)
    for data in (DATA, bytearray(DATA), memoryview(DATA), memoryview(b"".join(bytes([x, 0]) for x in DATA))[::2]):
        assert cache.decode(Order, data).number == 42
    assert store.writes == 1
    with pytest.raises(TypeError):
        cache.decode(Order, "text")


def test_data_of_type_expressions_can_be_stored(secret: str | None) -> None:
    cache = Cache({}, secret)
    octets = derlib.encode([1, 2], SequenceOf[int])
    assert list(cache.decode(SequenceOf[int], octets)) == [1, 2]
    assert cache.load(SequenceOf[int], cache.key(SequenceOf[int], octets)) == cache.decode(SequenceOf[int], octets)
    assert cache.decode(int, b"\x02\x01\x07") == cache.load(int, cache.key(int, b"\x02\x01\x07")) == 7
    assert cache.decode(derlib.TLV, b"\x05\x00").encode() == b"\x05\x00"


def test_invalid_data_raises_and_is_not_stored(secret: str | None) -> None:
    store = Counting()
    cache = Cache(store, secret)
    for data in (b"", DATA[:-1], DATA + b"\0", b"\x02\x01\x07"):
        with pytest.raises(DecodeError):
            cache.decode(Order, data)
    with pytest.raises(SchemaError):
        cache.decode(list, DATA)
    assert store.writes == 0


def test_a_malformed_key_is_a_value_error() -> None:
    made = Cache({}).key(Order, DATA)
    schema, _, digest = made.split("-")
    for key in ("", "x", "../" * 30, f"{made}-", f"{made}\n", f"{schema}-ffffffffffffffff-{digest}"):
        with pytest.raises(ValueError, match=r"not a result of Cache\.key"):
            Cache({}).load(Order, key)


def test_large_structures_are_stored_and_compressed(secret: str | None) -> None:
    data = derlib.encode(range(50_000), SequenceOf[int])
    plain: dict[str, bytes] = {}
    small: dict[str, bytes] = {}
    Cache(plain, secret).decode(SequenceOf[int], data)
    cache = Cache(small, secret, compress=6)
    cache.decode(SequenceOf[int], data)
    (entry,), (smaller,) = plain.values(), small.values()
    assert len(data) < len(entry) < len(data) + 300
    assert len(smaller) < len(data) / 2
    assert len(cache.load(SequenceOf[int], cache.key(SequenceOf[int], data))) == 50_000


def test_contents_that_compression_would_enlarge_are_not_compressed() -> None:
    store: dict[str, bytes] = {}
    data = derlib.encode(random.Random(1).randbytes(1000), bytes)
    Cache(store, compress=9).decode(bytes, data)
    (entry,) = store.values()
    assert entry.endswith(data)


def test_entries_of_an_older_schema_are_not_found(secret: str | None) -> None:
    def order(default: int) -> Any:
        return type(Sequence)("Order", (Sequence,), {}, fields=[derlib.Field("number", int, default=default)])

    cache = Cache(store := {}, secret)
    old, new = order(1), order(2)
    data = old(number=3).encode()
    key = cache.key(old, data)
    cache.decode(old, data)
    assert cache.load(order(1), key).number == 3
    assert cache.load(new, key) is None
    cache.decode(new, data)
    assert len(store) == 2


# Derived values.


def test_a_derived_value_is_computed_once() -> None:
    made = []

    def total(order: Order) -> tuple[int, tuple[str, ...]]:
        made.append(order)
        return order.number, order.items[:]

    store = Counting()
    for compress in (0, 9):
        cache = Cache(store, SECRET, compress=compress)
        assert cache.derive(Order, DATA, total, name="total") == (42, ("tea", "milk"))
    assert len(made) == store.writes == 1
    assert cache.derive(Order, DATA, lambda order: order.number, name="total/2") == 42
    assert cache.derive(SameOrder, DATA, lambda order: type(order).__name__, name="total") == "SameOrder"
    assert cache.derive(Order, OTHER_DATA, total, name="total")[0] == 43
    assert store.writes == 4


@pytest.mark.parametrize("value", [None, 0, "", (), [1, 2]])
def test_any_picklable_value_can_be_derived(value: Any) -> None:
    made = []
    cache = Cache({}, SECRET)
    for _ in range(2):
        assert cache.derive(Order, DATA, lambda _: made.append(1) or value, name="it") == value
    assert made == [1]


class Entry(Sequence):
    serial: int
    remark: str | None = None


class Journal(Sequence):
    name: str
    entries: SequenceOf[Entry]


def test_a_derived_index_includes_its_list_and_needs_no_decoding() -> None:
    entries = [{"serial": number % 100, "remark": f"no. {number}"} for number in range(1000)]
    data = Journal(name="of 2026", entries=entries).encode()
    made = []

    def by_serial(journal: Journal) -> derlib.Lookup[Entry]:
        made.append(journal)
        return journal.entries.index_by("serial")

    store: dict[str, bytes] = {}
    for _ in range(3):
        index = Cache(store, SECRET).derive(Journal, data, by_serial, name="by serial")
        assert index.find(42).remark == "no. 42"
        assert index.find(100) is None
        assert len(index.find_all(42)) == 10
        assert len(index.elements) == 1000
    assert len(made) == 1


def test_a_derived_view_is_validated_again_when_it_is_loaded(logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(store := {}, SECRET)
    assert cache.derive(Order, DATA, lambda order: order.items, name="items")[0] == "tea"
    assert cache.derive(Order, DATA, lambda order: order.items, name="items")[0] == "tea"
    # The signature of the damaged view is valid, so only decoding finds the fault.
    key = next(iter(store))
    store[key] = cache._format.encode(key, pickle.dumps(derlib.SequenceOf[str](["tea"]), 4).replace(b"tea", b"t\xffa"))
    assert cache.derive(Order, DATA, lambda order: order.items, name="items")[0] == "tea"
    assert "ContentsError" in logged()[0]


@pytest.mark.parametrize("store", [None, "folder", b"", frozenset()])
def test_a_store_must_be_a_mutable_mapping(store: Any) -> None:
    with pytest.raises(TypeError, match="mutable mapping"):
        Cache(store)


@pytest.mark.parametrize("secret", [5, [5], ["0123456789abcdef", None]])
def test_a_secret_must_be_str_or_bytes(secret: Any) -> None:
    with pytest.raises(TypeError, match="secret: expected str or bytes, got"):
        Cache({}, secret)


@pytest.mark.parametrize("secret", ["", "0123456789abcde", b"0123456789abcde", ["0123456789abcdef", "short"]])
def test_a_secret_has_at_least_16_bytes(secret: Any) -> None:
    with pytest.raises(ValueError, match=r"the secret is \d+ bytes; at least 16 are required$"):
        Cache({}, secret)


def test_derive_needs_a_secret() -> None:
    with pytest.raises(ValueError, match="secret"):
        Cache({}).derive(Order, DATA, len, name="length")


@pytest.mark.parametrize("name", [None, 7, b"length", True])
def test_the_name_of_a_derived_value_must_be_a_str(name: Any) -> None:
    with pytest.raises(TypeError, match=f"name: expected str, got {type(name).__name__}"):
        Cache({}, SECRET).derive(Order, DATA, lambda order: order.number, name=name)


def test_any_text_can_name_a_derived_value() -> None:
    cache = Cache({}, SECRET)
    names = ["", "\x00", "\ud800", "\udfff", "\U0010ffff", "n" * 1000]
    for name in names:
        assert cache.derive(Order, DATA, lambda _, text=name: text, name=name) == name
    assert [cache.derive(Order, DATA, lambda _: None, name=name) for name in names] == names


@pytest.mark.parametrize("keywords", [{"tolerate": 1}, {"tolerate": "BOOLEAN_TRUE"}, {"limits": 5}, {"limits": {}}])
def test_the_constructor_checks_the_types_of_tolerate_and_limits(keywords: Any) -> None:
    [(name, value)] = keywords.items()
    with pytest.raises(TypeError, match=f"{name}: expected .*, got {type(value).__name__}"):
        Cache({}, **keywords)


def test_errors_of_the_caller_are_raised_and_nothing_is_stored() -> None:
    cache = Cache(store := {}, SECRET)
    with pytest.raises(ZeroDivisionError):
        cache.derive(Order, DATA, lambda _: 1 / 0, name="it")
    with pytest.raises((TypeError, pickle.PicklingError, AttributeError)):
        cache.derive(Order, DATA, lambda _: threading.Lock(), name="it")
    with pytest.raises(DecodeError):
        cache.derive(Order, DATA[:-1], lambda order: order.number, name="it")
    assert store == {}


class Moved:
    pass


def test_a_pickle_of_a_removed_class_is_replaced(logged: Logged, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(Counting(), SECRET)
    assert isinstance(cache.derive(Order, DATA, lambda _: Moved(), name="it"), Moved)
    with monkeypatch.context() as patch:
        patch.delattr(f"{__name__}.Moved")
        assert cache.derive(Order, DATA, lambda _: "new", name="it") == "new"
    assert "cannot be unpickled" in logged()[0]
    assert cache.derive(Order, DATA, lambda _: "newer", name="it") == "new"


# Stores that fail.


class StoreError(Exception):
    """An exception of a database client, which is not an OSError."""


class Failing(dict[str, bytes]):
    def __init__(self, error: BaseException, reading: bool, writing: bool) -> None:
        self.error, self.reading, self.writing = error, reading, writing

    def __getitem__(self, name: str) -> bytes:
        if self.reading:
            raise self.error
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: bytes) -> None:
        if self.writing:
            raise self.error
        super().__setitem__(name, value)


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), StoreError("down " * 1000), TimeoutError(), EOFError(), MemoryError()],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize(("reading", "writing"), [(True, False), (False, True), (True, True)])
def test_a_failing_store_is_logged_and_does_not_change_results(
    error: Exception, reading: bool, writing: bool, logged: Logged
) -> None:
    cache = Cache(Failing(error, reading, writing), SECRET)
    for _ in range(2):
        assert cache.decode(Order, DATA).number == 42
        assert cache.derive(Order, DATA, lambda order: order.number, name="number") == 42
        messages = logged()
        assert len(messages) == 2 * (reading + writing)
        assert all(type(error).__name__ in message and len(message) < 500 for message in messages)
    assert cache.load(Order, cache.key(Order, DATA)) is None


def test_a_missing_entry_is_not_logged(logged: Logged) -> None:
    cache = Cache(Failing(KeyError("gone"), reading=True, writing=False))
    assert cache.decode(Order, DATA).number == 42
    assert logged() == []


def test_a_keyboard_interrupt_in_the_store_is_raised() -> None:
    cache = Cache(Failing(KeyboardInterrupt(), reading=True, writing=True))
    with pytest.raises(KeyboardInterrupt):
        cache.decode(Order, DATA)


# Other stores.


class SqliteStore(MutableMapping[str, bytes]):
    """The store of docs/cache.md."""

    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("CREATE TABLE IF NOT EXISTS entry (name TEXT PRIMARY KEY, octets BLOB)")

    def __getitem__(self, name: str) -> bytes:
        row = self.connection.execute("SELECT octets FROM entry WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise KeyError(name)
        return row[0]

    def __setitem__(self, name: str, octets: bytes) -> None:
        self.connection.execute("REPLACE INTO entry VALUES (?, ?)", (name, octets))

    def __delitem__(self, name: str) -> None:
        if self.connection.execute("DELETE FROM entry WHERE name = ?", (name,)).rowcount == 0:
            raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for (name,) in self.connection.execute("SELECT name FROM entry"))

    def __len__(self) -> int:
        return self.connection.execute("SELECT count(*) FROM entry").fetchone()[0]


def open_stores(folder: Path) -> Iterator[MutableMapping[str, bytes]]:
    """Open each kind of store twice in the same place, as two runs of a program do."""
    for _ in range(2):
        yield DirectoryStore(folder / "directory")
    for _ in range(2):
        with shelve.open(str(folder / "shelf")) as shelf:
            yield shelf
    for _ in range(2):
        database = SqliteStore(str(folder / "entries.sqlite"))
        yield database
        database.connection.close()


def test_other_mappings_can_be_stores(tmp_path: Path, secret: str | None, logged: Logged) -> None:
    key = Cache({}).key(Order, DATA)
    for number, store in enumerate(open_stores(tmp_path)):
        cache = Cache(store, secret, compress=6)
        assert (cache.load(Order, key) is None) == (number % 2 == 0)
        assert cache.decode(Order, DATA) == cache.load(Order, key)
        assert list(store) == [key]
    assert logged() == []


def test_errors_of_a_closed_database_are_logged(logged: Logged) -> None:
    store = SqliteStore(":memory:")
    store.connection.close()
    assert Cache(store).decode(Order, DATA).number == 42
    assert all("ProgrammingError" in message for message in logged())


# Killed writers.


def order_data(number: int) -> bytes:
    items = [f"{number} {index}" for index in range(number % 500)]
    return Order(number=number, items=items).encode()


def decode_forever(path: Path, secret: str | None, seed: int, began: int) -> None:
    cache = Cache(DirectoryStore(path), secret)
    for number in itertools.count(seed):
        data = order_data(number % 7)
        # Each entry is written again each time, over the one that readers read.
        cache._write(cache.key(Order, data), data)
        if number == seed:
            os.write(began, b"!")
        cache.decode(Order, order_data(1000 + number))


@posix_only
def test_entries_are_whole_after_their_writers_were_killed(tmp_path: Path, secret: str | None, logged: Logged) -> None:
    draw = random.Random(20261120)
    cache = Cache(DirectoryStore(tmp_path), secret)
    found = 0
    reader, began = os.pipe()
    for seed in range(60):
        child = os.fork()
        if child == 0:
            try:
                decode_forever(tmp_path, secret, seed * 1000, began)
            finally:
                os._exit(1)
        # Wait until the writer has written, also on a slow disk.
        os.read(reader, 1)
        time.sleep(draw.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for number in range(7):
            data = order_data(number)
            loaded = cache.load(Order, cache.key(Order, data))
            if loaded is not None:
                assert loaded.encode() == data
                found += 1
    os.close(reader)
    os.close(began)
    # An incomplete entry would have been logged.
    assert logged() == []
    assert found > 100
    for name in list(cache._store):
        assert name in cache._store


def test_threads_can_share_a_cache(tmp_path: Path, logged: Logged) -> None:
    cache = Cache(DirectoryStore(tmp_path), SECRET, compress=1)
    wrong: list[int] = []

    def work() -> None:
        for number in range(20):
            data = order_data(number)
            if cache.decode(Order, data).number != number:
                wrong.append(number)
            if cache.derive(Order, data, lambda order: len(order.items), name="length") != number:
                wrong.append(number)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert logged() == []
