"""Misuse of the core from Python: it may reject a call, or return wrong values of changed bytes, but never crashes.

Most tests run code that would crash the process if it were wrong; the sanitizers (`make sanitize`) detect more. Tests
that depend on timing run a bounded number of rounds and check only what is true in every interleaving. The test for
leaks runs in its own process, since the memory of this one belongs to all tests.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import datetime
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Generic, TypeVar

import pytest
from support.der import der
from support.scripts import TESTS, run_script
from support.threads import in_threads

import derlib
from derlib import (
    TLV,
    ASN1Error,
    BitString,
    Choice,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
    _core,
)

T = TypeVar("T")

DEPTH_LIMIT = 100

# Errors that reading may raise if bytes changed after they were decoded. `datetime` itself rejects digits that changed
# after derlib checked them.
CHANGED = (ASN1Error, ValueError, OverflowError, LookupError, AttributeError)


class Usage(NamedBits):
    signing = 1
    sealing = 2


class Point(Sequence):
    x: int
    y: bytes


class Pick(Choice):
    number: int
    point: Annotated[Point, Explicit(0)]
    picks: Annotated[SequenceOf[Pick], Implicit(1)]


class Pair(Set):
    number: int
    flag: bool


TYPES = OpenTypes("TYPES", {"1.2.3": int, "1.2.4": Point})
OPAQUE = OpenTypes("OPAQUE", {"1.2.3": int, "1.2.4": Point}, on_mismatch="opaque")


class Message(Sequence):
    kind: ObjectIdentifier
    typed: Annotated[Any, DefinedBy("kind", TYPES)]
    opaque: Annotated[Any, OctetString, DefinedBy("kind", OPAQUE)]
    values: SetOf[Annotated[Any, DefinedBy("kind", OPAQUE)]]


class Document(Sequence):
    message: Message
    text: str
    bits: BitString
    usage: Annotated[Usage, Implicit(0)]
    time: UTCTime | GeneralizedTime
    other: GeneralizedTime
    pick: Pick
    pair: Pair
    anything: Annotated[TLV, Explicit(7)]
    points: Annotated[SequenceOf[Point], Implicit(8)]


POINT = bytes.fromhex("3006 020101 040105")
MESSAGE = der(0x30, bytes.fromhex("06022a04"), POINT, der(4, POINT), der(0x31, POINT, POINT))
DATA = der(
    0x30,
    MESSAGE,
    bytes.fromhex("0c03c3a941 030204b0 80020640 170d3234303232393132333435365a"),
    bytes.fromhex("181232303234303232393132333435362e32355a"),
    der(0xA1, bytes.fromhex("020107"), der(0xA0, POINT)),
    bytes.fromhex("3106 0101ff 020105 a705 3003 020105"),
    der(0xA8, POINT * 40),
)

LISTS = (SequenceOf[int], SetOf[int])
MADE = (Point, Pair, Pick, *LISTS, Sequence, Set, Choice, SequenceOf, SetOf, TLV)

OPERATIONS: dict[str, Callable[[Any], object]] = {
    "repr": repr,
    "str": str,
    "hash": hash,
    "len": len,
    "list": list,
    "bytes": bytes,
    "reversed": lambda v: list(reversed(v)),
    "==": lambda v: v == type(v).__new__(type(v)),
    "in": lambda v: 1 in v,
    "der": lambda v: v.der,
    "encode": lambda v: v.encode(),
    "span": lambda v: v.span(),
    "outer span": lambda v: v.span(outer=True),
    "span of a field": lambda v: v.span("x"),
    "span of an arm": lambda v: v.span("number"),
    "span of an element": lambda v: v.span(0),
    "span of a path": lambda v: v.span("x", "y", 0),
    "raw field": lambda v: v.raw("x"),
    "raw arm": lambda v: v.raw("number"),
    "raw element": lambda v: v.raw(0),
    "[0]": lambda v: v[0],
    "[-1]": lambda v: v[-1],
    "[:]": lambda v: v[:],
    "index": lambda v: v.index(1),
    "count": lambda v: v.count(1),
    "field": lambda v: v.x,
    "alternative": lambda v: v.alternative,
    "arm value": lambda v: v.number,
    "value": lambda v: v.value,
    "content": lambda v: v.content,
    "children": lambda v: v.children,
    "walk": lambda v: [element.encode() for element in v.walk()],
    "decode": lambda v: v.decode(int),
    "pickle": pickle.dumps,
    "init": lambda v: v.__init__(),
}


def is_refused(operation: Callable[[Any], object], value: Any) -> None:
    """Do something that must not crash; any of Python's own errors is allowed."""
    with contextlib.suppress(TypeError, AttributeError, KeyError, IndexError, ASN1Error):
        operation(value)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("type_", MADE, ids=lambda t: t.__name__)
def test_a_view_without_octets_is_rejected(type_, name):
    empty = type_.__new__(type_)
    assert copy.copy(empty) is empty
    assert copy.deepcopy(empty) is empty
    is_refused(OPERATIONS[name], empty)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("type_", MADE, ids=lambda t: t.__name__)
def test_object_reduce_does_not_create_a_view(type_, protocol):
    view = type_.__new__(type_)
    is_refused(lambda v: object.__reduce_ex__(v, protocol), view)
    is_refused(lambda v: v.__setstate__({}), view)
    is_refused(lambda v: v.__setstate__((None, {"start": 1})), view)


def test_parts_without_contents_are_rejected():
    assert list(_core.ListIterator()) == []
    for part in (_core.Span, _core.Tag, ObjectIdentifier, BitString, _core.Plan, _core.OpenTable, _core.Source):
        try:
            empty = part.__new__(part)
        except TypeError:
            continue
        for operation in OPERATIONS.values():
            is_refused(operation, empty)


def test_a_reader_of_another_class_is_rejected():
    point = Point.decode(POINT)
    pick = derlib.decode(Pick, bytes.fromhex("020107"))
    numbers = derlib.decode(SequenceOf[int], bytes.fromhex("3003020107"))
    message = Message.decode(MESSAGE)
    for reader in (Point.x, Pick.number, Pair.flag, Message.typed):
        for view in (point, pick, numbers, message, 5, object(), Point.__new__(Point), Pick.__new__(Pick), TLV):
            is_refused(lambda v, reader=reader: reader.__get__(v, type(v)), view)
    for reader in (_core.FieldReader, _core.AlternativeReader):
        for view in (point, pick, 5):
            is_refused(lambda v, reader=reader: reader.__new__(reader).__get__(v, type(v)), view)
            is_refused(lambda v, reader=reader: reader.__new__(reader).__set__(v, 5), view)
    with pytest.raises(TypeError):
        Point.x.__get__(message, Message)


class Plain:
    """A mix-in as users write them: its instances have a __dict__ and weak references."""

    def double(self) -> int:
        return 2 * self.x


class Slotted:
    __slots__ = ()


def mixed() -> Any:
    class Mixed(Plain, Sequence):
        x: int

    return Mixed


def mixed_last() -> Any:
    class MixedLast(Sequence, Plain):
        x: int

    return MixedLast


def with_dict() -> Any:
    class WithDict(Sequence):
        __slots__ = ("__dict__",)
        x: int

    return WithDict


def with_weakref() -> Any:
    class WithWeakref(Sequence):
        __slots__ = ("__weakref__",)
        x: int

    return WithWeakref


def with_slot() -> Any:
    class WithSlot(Sequence):
        __slots__ = ("foo",)
        x: int

    return WithSlot


def derived() -> Any:
    class Derived(with_slot(), Slotted):
        pass

    return Derived


def derived_from_plain() -> Any:
    class Derived(mixed()):
        pass

    return Derived


def generic() -> Any:
    class Box(Sequence, Generic[T]):
        x: T

    return Box[int]


@pytest.mark.parametrize(
    "make", [mixed, mixed_last, with_dict, with_weakref, with_slot, derived, derived_from_plain, generic]
)
def test_a_class_can_add_attributes_to_its_instances(make):
    # A __dict__ or weak reference can be before the object, which its size does not show.
    try:
        cls = make()
    except derlib.SchemaError:
        return
    data = bytes.fromhex("3003020105")
    kept = []
    for number in range(2000):
        view = cls.decode(data)
        assert view.x == 5
        with contextlib.suppress(AttributeError):
            view.foo = [number, view]
        with contextlib.suppress(TypeError):
            kept.append(weakref.ref(view))
    del view
    gc.collect()
    views = [cls.decode(data) for _ in range(500)]
    gc.collect()
    assert all(view.x == 5 and view.encode() == data for view in views)


def test_a_list_of_open_types_outlives_its_schema():
    def make() -> tuple[Any, Any, Any]:
        table = OpenTypes("table", {"1.2.3": int})

        class Attribute(Sequence):
            kind: ObjectIdentifier
            values: SetOf[Annotated[Any, DefinedBy("kind", table)]]

        class Wrapped(Sequence):
            kind: ObjectIdentifier
            rows: SequenceOf[SetOf[Annotated[Any, DefinedBy("kind", table)]]]

        attribute = Attribute.decode(bytes.fromhex("3009 06022a03 3103020105"))
        wrapped = Wrapped.decode(bytes.fromhex("300b 06022a03 3005 3103020105"))
        return attribute.values, wrapped.rows, iter(wrapped.rows)

    views = [make() for _ in range(20)]
    gc.collect()
    others = [bytearray(size) for size in range(64, 1024, 8) for _ in range(20)]
    for values, rows, iterator in views:
        assert list(values) == [5]
        assert values[0] == 5
        assert list(rows[0]) == [5]
        assert list(next(iterator)) == [5]
    assert others


def test_values_outlive_their_schema_and_their_buffer():
    def make() -> list[Any]:
        class Leaf(Choice):
            number: int
            octets: bytes

        class Branch(Sequence):
            leaves: SequenceOf[Leaf]
            leaf: Annotated[Leaf, Explicit(0)]

        class Root(Sequence):
            branch: Branch

        data = bytearray.fromhex("3010 300e 3007 020105 0402aabb a003020106")
        root = Root.decode(data, copy=False)
        branch = root.branch
        return [
            branch,
            branch.leaves,
            branch.leaf,
            iter(branch.leaves),
            branch.raw("leaf"),
            root.der,
            reversed(branch.leaves),
        ]

    values = [make() for _ in range(20)]
    gc.collect()
    for branch, leaves, leaf, iterator, raw, octets, backwards in values:
        assert leaf.value == 6
        assert [each.value for each in leaves] == [5, b"\xaa\xbb"]
        assert next(iterator).number == 5
        assert next(backwards).octets == b"\xaa\xbb"
        assert bytes(raw) == b"\x06"
        assert len(octets) == 18
        assert branch.leaf is leaf


def test_a_set_can_have_256_members():
    fields = [derlib.Field(f"f{i}", Annotated[int, Implicit(i)], optional=True) for i in range(256)]
    wide = type(Set)("Wide", (Set,), {}, fields=fields)
    tags = [bytes([0x80 | i]) if i < 31 else bytes([0x9F, i] if i < 128 else [0x9F, 0x81, i - 128]) for i in range(256)]
    members = [tag + b"\1\5" for tag in tags]
    view = wide.decode(der(0x31, *members))
    assert [getattr(view, f"f{i}") for i in range(256)] == [5] * 256
    for i in range(256):
        with pytest.raises(derlib.StructureError):
            wide.decode(der(0x31, *members[: i + 1], members[i], *members[i + 1 :]))
        one = wide.decode(der(0x31, members[i]))
        assert [getattr(one, f"f{j}") for j in range(256)] == [5 if i == j else None for j in range(256)]
    with pytest.raises(derlib.SchemaError, match="at most 256 fields, got 257"):
        type(Set)("Wider", (Set,), {}, fields=[*fields, derlib.Field("g", Annotated[int, Implicit(256)])])


# Open types that are registered later.


def test_a_type_registered_after_decode_does_not_read_unvalidated_contents():
    table = OpenTypes("late", {"1.2.9": int})

    class Late(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", table)]

    mismatches = {
        "1.2.3": (Point, "020105"),
        "1.2.4": (bool, "0500"),
        "1.2.5": (UTCTime, "0c0141"),
        "1.2.6": (Pick, "0101ff"),
    }
    decoded = {}
    for number, (oid, (_, octets)) in enumerate(mismatches.items(), 3):
        data = der(0x30, bytes([6, 2, 0x2A, number]), bytes.fromhex(octets))
        decoded[oid] = [Late.decode(data), Late.decode(data)]
        assert isinstance(decoded[oid][0].content, TLV)
    for oid, (type_, octets) in mismatches.items():
        table.register(oid, type_)
        for view in decoded[oid]:
            # A value that was validated only as DER remains opaque, or has the new type if it matches.
            assert isinstance(view.content, TLV)
            assert view.content.encode() == bytes.fromhex(octets)


@pytest.mark.parametrize("octets", ["0100", "1700", "0200", "307f", "0c0141"])
def test_a_type_registered_while_a_value_is_built_does_not_read_unvalidated_contents(octets):
    table = OpenTypes("late", {"1.2.9": int})

    class Late(Sequence):
        kind: ObjectIdentifier
        content: Annotated[OctetString, DefinedBy("kind", table)]

    class Around(Sequence):
        numbers: SequenceOf[int]
        late: Late

    def numbers():
        for type_ in (Point, bool, UTCTime, int):
            table.register("1.2.3", type_)
            yield 1

    around = Around(numbers=numbers(), late=Late(kind="1.2.3", content=bytes.fromhex(octets)))
    assert around.late.content == bytes.fromhex(octets)


def test_a_type_registered_before_its_names_are_known_is_compiled_when_it_is_used():
    table = OpenTypes("table", {"1.2.9": int})

    class Holder(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", table)]

    Holder.decode(bytes.fromhex("3007 06022a09 020105"))
    module = ModuleType("names_known_later")
    sys.modules[module.__name__] = module
    try:
        exec("from derlib import Sequence\nclass Early(Sequence):\n    late: 'Late'\n", module.__dict__)
        try:
            table.register("1.2.5", module.Early)
        except derlib.SchemaError:
            return
        exec("class Late(Sequence):\n    number: int\n", module.__dict__)
        view = Holder.decode(bytes.fromhex("300b 06022a05 3005 3003020105"))
        assert view.content.late.number == 5
        for wrong in ("3002 0500", "3000", "3004 02020080"):
            with pytest.raises(ASN1Error):
                Holder.decode(der(0x30, bytes.fromhex("06022a05"), bytes.fromhex(wrong)))
    finally:
        del sys.modules[module.__name__]


# Threads.


def test_types_can_be_registered_while_other_threads_decode():
    table = OpenTypes("growing", {"1.2.3": int})

    class Row(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", table)]

    # More than the size from which the check runs without the GIL.
    rows = [der(0x30, bytes([6, 3, 0x2A, 0x83, n]), bytes.fromhex("020105")) for n in range(100)]
    data = der(0x30, *(rows * 20))
    assert len(data) > 16384

    def register() -> None:
        for number in range(3000):
            table.register(f"1.2.{number}", int)

    def decode() -> None:
        for _ in range(40):
            view = derlib.decode(SequenceOf[Row], data)
            assert len(view) == 2000
            first = view[0].content
            assert first == 5 or isinstance(first, TLV)

    in_threads(register, decode, decode)
    assert derlib.decode(SequenceOf[Row], data)[0].content == 5


def test_the_first_use_of_a_schema_by_several_threads_compiles_it_once():
    source = "from __future__ import annotations\nfrom derlib import *\n"
    source += "\n".join(f"class C{i}(Sequence):\n    a: int\n    n: C{i + 1} | None = None" for i in range(12))
    source += "\nclass C12(Sequence):\n    a: int\n"
    data = bytes.fromhex("3008 020101 3003020102")
    # Four bytes that a plan which is not filled could accept as something else.
    wrong = bytes.fromhex("3004 00000041")
    for round_ in range(12):
        module = ModuleType(f"first_use_{round_}")
        sys.modules[module.__name__] = module
        try:
            exec(source, module.__dict__)
            cls = module.C0

            def decode(cls: Any = cls) -> None:
                assert cls.decode(data).n.a == 2

            def refuse(cls: Any = cls) -> None:
                with pytest.raises(ASN1Error):
                    cls.decode(wrong)

            in_threads(decode, refuse, decode, decode)
        finally:
            del sys.modules[module.__name__]


def read_everything(value: Any) -> None:
    """Read all that a value offers; with a changed buffer it may raise one of CHANGED."""
    looks: list[Callable[[], object]] = [lambda: repr(value), lambda: hash(value)]
    if isinstance(value, _core.View):
        looks += [lambda: bytes(value.der), value.encode, value.span, lambda: value.span(outer=True)]
    if isinstance(value, Document):
        looks += [lambda: read_everything(value.message)]
    if isinstance(value, (Sequence, Set)):
        for field in derlib.fields(type(value)):
            looks.append(lambda name=field.name: read_everything(getattr(value, name)))
            looks.append(lambda name=field.name: (value.raw(name), value.span(name, outer=True)))
    elif isinstance(value, Choice):
        looks += [lambda: read_everything(value.value), lambda: value.raw(value.alternative)]
    elif isinstance(value, _core.ListView):
        looks += [
            lambda: [read_everything(each) for each in value[:3]],
            lambda: value[-1],
            lambda: value[len(value) // 2],
        ]
        looks += [lambda: value[::7], lambda: list(value), lambda: value.span(20)]
    elif isinstance(value, TLV):
        looks += [lambda: [each.value for each in value.walk()], lambda: value.children, lambda: value.content]
    for look in looks:
        try:
            look()
        except CHANGED:
            continue


def test_threads_that_read_the_same_fields_get_the_same_values():
    for _ in range(100):
        document = Document.decode(DATA)
        seen: list[Any] = []

        def read(document: Any = document, seen: list[Any] = seen) -> None:
            read_everything(document)
            seen.append([document.message, document.pick, document.points, document.pick.value, document.message.typed])

        in_threads(read, read, read)
        # The cached value is one object, whichever thread created it.
        assert all(a is b for other in seen[1:] for a, b in zip(seen[0], other, strict=True))
        assert document.points[-1].y == b"\x05"


def exact(data: bytes) -> Any:
    return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)


@pytest.mark.parametrize("step", [1, 3])
def test_every_octet_of_a_shared_buffer_changes_under_its_views(step):
    for octet in (0x00, 0x01, 0x30, 0x7F, 0x80, 0x84, 0xFF):
        for place in range(0, len(DATA), step * 3):
            buffer = exact(DATA)
            document = Document.decode(buffer, copy=False)
            tree = derlib.parse(buffer, copy=False)
            document.points[-1]  # builds the index
            buffer[place] = octet
            read_everything(document)
            read_everything(tree)


def test_nothing_is_read_outside_of_a_buffer_that_another_thread_changes():
    # ctypes.memmove changes the octets while the check runs without the GIL.
    data = der(0x30, DATA * 60)
    assert len(data) > 16384
    buffer = exact(data)
    noise = [bytes([value]) * 97 for value in (0x00, 0x30, 0x80, 0xFF, 0x84, 0x17)]
    done = threading.Event()
    offsets: list[int] = []

    def hammer() -> None:
        base = ctypes.addressof(buffer)
        for round_ in range(20000):
            if done.is_set():
                return
            place = (round_ * 7919) % (len(data) - 97)
            ctypes.memmove(base + place, noise[round_ % len(noise)], 97)
            ctypes.memmove(base + place, data[place : place + 97], 97)

    def decode() -> None:
        try:
            for _ in range(60):
                for type_ in (SequenceOf[Document], TLV):
                    try:
                        view = derlib.decode(type_, buffer, copy=False)
                    except ASN1Error as error:
                        offsets.append(error.offset)
                        continue
                    if type_ is not TLV:
                        for i in (0, 17, 59):
                            try:
                                read_everything(view[i])
                            except CHANGED:
                                continue
        finally:
            done.set()

    in_threads(hammer, decode)
    assert all(0 <= offset <= len(data) for offset in offsets)


def test_views_and_memoryviews_keep_the_buffer_alive():
    data = bytearray(DATA)
    document = Document.decode(data, copy=False)
    octets = document.raw("text")
    point = document.points[3]
    del document
    gc.collect()
    for keeper in ("point", "octets"):
        with pytest.raises(BufferError):
            data.append(0)
        assert keeper
    assert point.y == b"\x05"
    del point
    gc.collect()
    with pytest.raises(BufferError):
        data.append(0)
    octets.release()
    data.append(0)


def test_a_memoryview_under_a_view_cannot_be_released():
    whole = memoryview(bytearray(b"xx" + DATA + b"xx"))
    part = whole[2:-2]
    document = Document.decode(part, copy=False)
    with pytest.raises(BufferError):
        part.release()
    assert bytes(document.der) == DATA
    assert document.points[39].x == 1
    del document
    gc.collect()
    part.release()


def test_a_released_memoryview_is_rejected():
    released = memoryview(bytearray(DATA))
    released.release()
    for keep in (True, False):
        with pytest.raises(ValueError, match="released"):
            Document.decode(released, copy=keep)


# Values to encode: objects of the caller can run code, be huge, or contain themselves.


class Tree(SequenceOf["Tree"]):
    pass


class Node(Sequence):
    octets: bytes = b""
    child: Node | None = None


class Inner(Choice):
    octets: bytes
    number: int


class Outer(Choice):
    inner: Inner
    flag: bool


def nested(make: Callable[[Any], Any], inner: Any, depth: int) -> Any:
    for _ in range(depth):
        inner = make(inner)
    return inner


def test_values_that_contain_themselves_are_rejected():
    row: list[Any] = []
    row.append(row)
    with pytest.raises(ASN1Error):
        derlib.encode(row, Tree)
    fields: dict[str, Any] = {}
    fields["child"] = fields
    with pytest.raises(ASN1Error):
        derlib.encode(fields, Node)
    with pytest.raises(ASN1Error):
        Node(child=fields)


@pytest.mark.parametrize("depth", [101, 2_000, 100_000])
def test_values_nested_too_deeply_are_rejected(depth):
    with pytest.raises(ASN1Error):
        derlib.encode(nested(lambda inner: [inner], [], depth), Tree)
    with pytest.raises(ASN1Error):
        derlib.encode(nested(lambda inner: {"child": inner}, {}, depth), Node)


@pytest.mark.parametrize("size", [0, 70_000, 200_000])
def test_views_in_views_cannot_exceed_the_depth_of_decode(size):
    # It does not matter how much of the encoding was validated before.
    node = Node(octets=bytes(size))
    for _ in range(DEPTH_LIMIT - 1):
        node = Node(child=node)
    assert Node.decode(node.encode()) == node
    with pytest.raises(ASN1Error):
        Node(child=node)


def test_a_list_that_shrinks_while_it_is_written_is_never_read_after_its_end():
    rows: list[Any] = []

    class Zone(datetime.tzinfo):
        def utcoffset(self, _: datetime.datetime | None) -> datetime.timedelta:
            rows.clear()
            return datetime.timedelta(0)

        def dst(self, _: datetime.datetime | None) -> None:
            return None

    for _ in range(50):
        rows[:] = [datetime.datetime(2024, 1, 1, tzinfo=Zone()) for _ in range(500)]
        with contextlib.suppress(ASN1Error, IndexError, RuntimeError):
            derlib.encode(rows, SequenceOf[UTCTime])


def test_the_length_that_an_object_reports_is_not_trusted():
    class Liar(bytearray):
        claimed = 0

        def __len__(self) -> int:
            return self.claimed

    for claimed in (0, 1, 3, 64, 4096, 2**40, 2**62):
        Liar.claimed = claimed
        for type_ in (TLV, bytes):
            # Either the bytes that exist, or an error.
            with contextlib.suppress(ASN1Error, OverflowError, TypeError, ValueError, MemoryError):
                assert derlib.encode(Liar(b"\x05\x00"), type_)[-2:] == b"\x05\x00"
        with contextlib.suppress(ASN1Error):
            octets = derlib.encode(memoryview(b"\x05\x00\x02\x01").cast("H"), TLV)
            raise AssertionError(octets)


def test_a_shared_buffer_that_changed_is_not_written_without_validation():
    data = b"\x04\x83\x01\x11\x70" + bytes(70_000)
    for place, octet in ((0, 0x00), (1, 0x82), (1, 0x84), (2, 0x00), (2, 0xFF), (4, 0x00)):
        buffer = exact(data)
        view = derlib.decode(Inner, buffer, copy=False)
        buffer[place] = octet
        for write in (lambda v: derlib.encode(v, Inner), lambda v: Outer(inner=v).encode()):
            try:
                octets = write(view)
            except ASN1Error:
                continue
            assert derlib.parse(octets).encode() == octets


@pytest.mark.parametrize("type_", MADE, ids=lambda t: t.__name__)
def test_a_view_without_octets_is_not_written(type_):
    empty = type_.__new__(type_)
    for write in (
        lambda v: derlib.encode(v, type_),
        lambda v: derlib.encode([v], SequenceOf[TLV]),
        lambda v: Outer(inner=v),
        lambda v: Node(child=v),
        lambda v: v.replace(x=5),
    ):
        with pytest.raises((TypeError, AttributeError, ASN1Error)):
            write(empty)


# Leaks.

LEAKS = """
import ctypes, gc, sys, tracemalloc
sys.path[:0] = {tests!r}
import derlib, test_memory_safety as m

class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

# The C library counts its memory in use. The pages of the process would depend on what else the system runs.
mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = Mallinfo2

def in_use():
    now = mallinfo2()
    return now.uordblks + now.hblkhd

bad = [m.DATA[:i] + bytes([m.DATA[i] ^ 0x81]) + m.DATA[i + 1:] for i in range(0, len(m.DATA), 5)]

def cycle():
    document = m.Document.decode(m.DATA)
    m.read_everything(document)
    document.message.values[0].x, list(document.points), document.points[30], document.span("points", 3, "x")
    shared = m.Document.decode(bytearray(m.DATA), copy=False)
    m.read_everything(shared)
    first, rest = m.Document.decode_prefix(m.DATA + b"rest")
    list(derlib.parse(m.DATA).walk())
    for type_ in m.MADE:
        for operation in m.OPERATIONS.values():
            m.is_refused(operation, type_.__new__(type_))
    for data in bad:
        try:
            m.Document.decode(data)
        except derlib.ASN1Error as error:
            str(error), repr(error), error.path
        try:
            derlib.parse(data)
        except derlib.ASN1Error:
            pass
    for wrong in (None, 5, "x"):
        try:
            m.Document.decode(wrong)
        except TypeError:
            pass

tracemalloc.start(1)
# Caches and free lists fill during the first batches, at random: the order of sets and dicts changes with each process.
# A leak adds to every batch, so the smallest growth shows it.
grown = []
for batch in range(5):
    before, memory = tracemalloc.get_traced_memory()[0], in_use()
    for _ in range({rounds}):
        cycle()
    gc.collect()
    grown.append((tracemalloc.get_traced_memory()[0] - before, in_use() - memory))
print(*map(min, zip(*grown)))
"""


def test_repeated_operations_do_not_leak_memory():
    if sys.platform == "win32" or not hasattr(ctypes.CDLL(None), "mallinfo2"):
        pytest.skip("the C library does not count what is in use")
    rounds = 50
    code = LEAKS.format(tests=[str(Path(__file__).parent), TESTS], rounds=rounds)
    # No timeout: on a busy machine it may take ten times as long.
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    python, process = map(int, done.stdout.split())
    # A lost object would be 48 bytes or more in each round. A sanitizer does not free memory immediately, and without
    # pymalloc the free lists of the interpreter fill more slowly.
    plain = os.environ.get("PYTHONMALLOC") != "malloc"
    assert python < rounds * (40 if plain else 400), f"{python} bytes of Python's memory are lost"
    # The core takes some memory from the C library itself; the tables of tracemalloc are there, too.
    if plain:
        assert process < rounds * 200, f"{process} bytes of the C library's memory are lost"


def test_every_operation_raises_memory_error_if_memory_runs_out():
    pytest.importorskip("_testcapi", reason="this Python is without what makes memory end")
    done = run_script("memory_ends")
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


class Tagged(SequenceOf[int], size=Size(0, 3)):
    pass


def test_shared_constants_are_not_released_too_often():
    # A reference that is released once too often changes the reference count of an immortal object.
    view = Document.decode(DATA)
    before = [sys.getrefcount(thing) for thing in (Point, Document, derlib.NULL, Document.__plan__, Tagged.__plan__)]
    for _ in range(200):
        other = Document.decode(DATA)
        other.message.typed.x, list(other.points), other.pick.value, repr(other), hash(other)
        Tagged.decode(b"\x30\x00")
        derlib.decode(derlib.Null, b"\x05\x00")
    del other
    gc.collect()
    after = [sys.getrefcount(thing) for thing in (Point, Document, derlib.NULL, Document.__plan__, Tagged.__plan__)]
    assert all(abs(a - b) < 20 for a, b in zip(before, after, strict=True)), (before, after)
    assert view.points[0].x == 1
