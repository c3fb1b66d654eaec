"""Hostile Python objects as values: they lie, call back, change, or are nested without end.

The writer may reject them or raise their exceptions. It never crashes, and its output is always valid.
"""

from __future__ import annotations

import datetime as dt
import io
import pickle
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    TLV,
    BitString,
    Choice,
    ConstraintError,
    Containing,
    DefinedBy,
    EncodeError,
    Enumerated,
    Explicit,
    External,
    GeneralizedTime,
    Implicit,
    LimitError,
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

UTC = dt.timezone.utc
EAST = dt.timezone(dt.timedelta(hours=1))


class Tree(SequenceOf["Tree"]):
    pass


class Nest(Sequence):
    child: Annotated[Nest, Explicit(0)] | None = None


class Large(Sequence):
    """So large that a copy of it is not validated again."""

    data: bytes


LARGE = Large(data=bytes(70_000))


def nest(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"child": value}
    return value


def tree(levels: int, leaf: Any) -> Any:
    for _ in range(levels):
        leaf = [leaf]
    return leaf


# Objects that lie about themselves.


class Agreeable(int):
    """A number that compares as in any range."""

    def __lt__(self, other: Any) -> bool:
        return bool(other != 0)

    def __le__(self, other: Any) -> bool:
        return True

    __gt__ = __ge__ = __le__


@pytest.mark.parametrize("number", [10**8, 2**62, 2**100, -(10**8), -(2**100)])
def test_an_index_that_lies_about_its_size_is_out_of_range(number):
    numbers = SequenceOf[int]([1] * 100)
    for look in (numbers.__getitem__, numbers.raw, numbers.span):
        with pytest.raises(IndexError):
            look(Agreeable(number))


class Elsewhen(dt.datetime):
    """A time whose methods return something else."""

    def astimezone(self, tz: Any = None) -> Any:
        return object()

    def utcoffset(self) -> Any:
        return self


@pytest.mark.parametrize("hint", [UTCTime, GeneralizedTime, UTCTime | GeneralizedTime])
def test_a_time_is_encoded_from_its_fields_not_its_methods(hint):
    octets = derlib.encode(Elsewhen(2024, 1, 1, tzinfo=EAST), hint)
    assert derlib.decode(hint, octets) == dt.datetime(2023, 12, 31, 23, tzinfo=UTC)


def test_the_fields_of_a_time_select_the_alternative():
    octets = derlib.encode(Elsewhen(2150, 1, 1, tzinfo=UTC), UTCTime | GeneralizedTime)
    assert octets == derlib.encode(dt.datetime(2150, 1, 1, tzinfo=UTC), GeneralizedTime)


class Said(str):
    """A string that claims to be another one."""

    def encode(self, *args: Any, **kwargs: Any) -> Any:
        return b"other"

    def split(self, *args: Any, **kwargs: Any) -> Any:
        return ["1", "2"]

    def count(self, *args: Any) -> Any:
        return 7

    def __len__(self) -> int:
        return 14


class Level(Enumerated):
    low = 0
    high = 1


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (derlib.UTF8String, "text"),
        (derlib.BMPString, "text"),
        (ObjectIdentifier, "1.2.3"),
        (derlib.RelativeOID, "2.3"),
        (derlib.OIDIRI, "/ISO"),
        (Level, "high"),
        (BitString, "0101"),
        (GeneralizedTime, "20200101000000Z"),
        (derlib.Date, "2020-01-01"),
        (float, "1.5"),
    ],
)
def test_a_string_is_encoded_from_its_characters_not_its_methods(hint: Any, text: str):
    assert derlib.encode(Said(text), hint) == derlib.encode(text, hint)


def test_a_selector_can_be_of_a_subclass_of_str():
    assert Chosen(large=LARGE, kind={"identifier": Said("1.2.3")}, value=5).value == 5
    assert ObjectIdentifier(Said("1.2.3")) == ObjectIdentifier("1.2.3")


class Dated(Sequence):
    large: Large
    time: UTCTime


@pytest.mark.parametrize("zone", [UTC, EAST])
def test_a_time_that_no_constructor_makes_is_rejected_beside_a_large_copy(zone):
    # 2024-02-31 25:61:61, from the state in a pickle.
    impossible = dt.datetime(bytes([7, 232, 2, 31, 25, 61, 61, 0, 0, 0]), zone)  # type: ignore[arg-type]
    with pytest.raises(ConstraintError):
        Dated(large=LARGE, time=impossible)


class Odd(int):
    """A number that converts itself to wrong bytes."""

    def bit_length(self) -> int:
        return 3

    def to_bytes(self, *arguments: Any, **keywords: Any) -> bytes:
        return b"\0\0\1"


class Flags(NamedBits):
    first = 1 << 0


def test_a_number_is_encoded_from_its_value_not_its_methods():
    for number in (2**80, -(2**80)):
        assert derlib.decode(int, derlib.encode(Odd(number), int)) == number
    assert derlib.decode(Flags, derlib.encode(Odd(2**80), Flags)) == 2**80


class Faceless:
    @property
    def __class__(self) -> Any:
        raise LookupError("no class")


class OneOfNone(Mapping[str, Any]):
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __getitem__(self, name: str) -> Any:
        raise KeyError(name)


class Pick(Choice):
    number: int
    octets: bytes


def test_an_exception_of_a_value_is_passed_on():
    with pytest.raises(LookupError, match="no class"):
        derlib.encode(Faceless(), SequenceOf[int])


def test_a_mapping_with_fewer_items_than_its_length_is_rejected():
    with pytest.raises(ConstraintError, match="exactly one"):
        derlib.encode(OneOfNone(), Pick)


def test_a_number_is_not_a_bit_string():
    with pytest.raises(TypeError, match="expected bytes for BitString, got int"):
        BitString(10**12)  # type: ignore[arg-type]


# Values whose code calls the encoder again.


def test_a_recursive_call_of_a_constructor_builds_the_view_once():
    numbers = SequenceOf[int].__new__(SequenceOf[int])

    def elements() -> Iterator[int]:
        numbers.__init__([1] * 5_000)  # type: ignore[misc]
        assert numbers[4_000] == 1  # it has an index now, of positions in this encoding
        yield from range(90_000)

    with pytest.raises(TypeError, match="are immutable; build another one"):
        numbers.__init__(elements())  # type: ignore[misc]
    assert len(numbers) == 5_000
    assert set(numbers) == {1}


class Again:
    def __iter__(self) -> Iterator[Any]:
        derlib.encode(tree(300, Again()), Tree)
        return iter(())


def test_recursive_calls_of_the_encoder_end_before_the_stack_overflows():
    with pytest.raises(RecursionError):
        derlib.encode(tree(300, Again()), Tree)


# Invalid values beside a copy that is so large that the whole is not validated again.


class Beside(Sequence):
    large: Large
    nest: Annotated[Nest, Implicit(0)] | None = None
    few: Annotated[SequenceOf[int], Implicit(1), Size(0, 2)] | None = None
    any: Annotated[TLV, Explicit(2)] | None = None


def changed() -> Any:
    octets = bytearray(Nest(child={}).encode())
    value = Nest.decode(octets, copy=False)
    octets[2] = 0x31
    return value


def changed_tlv() -> TLV:
    octets = bytearray.fromhex("3003020101")
    value = derlib.parse(octets, copy=False)
    octets[2] = 0x01
    return value


def deep_octets(levels: int) -> bytes:
    octets = bytes.fromhex("0500")
    for _ in range(levels):
        octets = derlib.encode([octets], SequenceOf[TLV])
    return octets


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("nest", lambda: nest(70)),
        ("nest", changed),
        ("few", lambda: SequenceOf[int]([1, 2, 3])),
        ("any", changed_tlv),
        ("any", lambda: derlib.parse(deep_octets(100))),
        ("any", lambda: deep_octets(100)),
    ],
)
def test_a_wrong_value_beside_a_large_copy_is_rejected(field: str, make: Callable[[], Any]):
    with pytest.raises((ConstraintError, EncodeError)):
        Beside(large=LARGE, **{field: make()})


class Added(Set, extensible=True):
    large: Large


class Contained(Sequence):
    large: Large
    octets: Annotated[bytes, OctetString, Containing(int), Size(5)]


class Bits(Sequence):
    large: Large
    bits: Annotated[BitString, Containing(int), Size(5)]


class Foreign(Sequence):
    large: Large
    value: External


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (Added, {"$additions": [bytes.fromhex("800101"), bytes.fromhex("800102")]}),
        (Contained, {"octets": 5}),
        (Bits, {"bits": 5}),
        (Foreign, {"value": {"encoding": {"octet_aligned": b"1"}}}),
    ],
)
def test_rules_about_a_whole_value_are_checked_beside_a_large_copy(type_: Any, values: dict[str, Any]):
    with pytest.raises(ConstraintError):
        type_.from_native({"large": LARGE, **values})


class Shell(Sequence):
    inner: Annotated[Beside, Implicit(0)] | None = None
    shell: Annotated[Shell, Implicit(1)] | None = None


def test_the_depth_of_values_beside_a_large_copy_is_known_later():
    shell = Shell(inner=Beside(large=LARGE, nest=nest(45)))  # 93 nested elements
    for _ in range(7):
        shell = Shell(shell=shell)
    assert Shell.decode(shell.encode()) == shell
    with pytest.raises(EncodeError):
        Shell(shell=shell)


TYPES = OpenTypes("TYPES", {"1.2.3": int, "1.2.4": bytes})


class Kind(Sequence):
    identifier: ObjectIdentifier


class Chosen(Sequence):
    large: Large
    kind: Kind
    value: Annotated[Any, DefinedBy("kind.identifier", TYPES)]


class Either(Sequence):
    large: Large
    kind: ObjectIdentifier
    value: Annotated[Annotated[Any, DefinedBy("kind", TYPES), Explicit(1)] | bool, Explicit(0)]


def test_a_value_kept_with_another_selector_is_validated_beside_a_large_copy():
    either = Either(large=LARGE, kind="1.2.3", value=5)
    with pytest.raises(ConstraintError):
        either.replace(kind="1.2.4")


class Fickle(Mapping[str, Any]):
    """A mapping that returns different values for the same key."""

    def __init__(self) -> None:
        self.answers = iter(["1.2.3", "1.2.4"])

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(["identifier"])

    def __getitem__(self, name: str) -> Any:
        return next(self.answers)


def test_a_selector_that_changes_is_rejected_beside_a_large_copy():
    # A new copy: one from before a registration would always be validated again.
    with pytest.raises(ConstraintError):
        Chosen(large=Large(data=bytes(70_000)), kind=Fickle(), value=5)


def test_a_selector_in_a_value_of_another_class_is_rejected_as_such():
    class Other(Sequence):
        number: int

    for kind in (Other(number=5), 5, "1.2.3", ObjectIdentifier("1.2.3"), []):
        with pytest.raises(ConstraintError) as caught:
            Chosen(large=LARGE, kind=kind, value=b"\x02\x01\x05")
        assert caught.value.path[0] == "kind"


@pytest.mark.parametrize("make", [dict, Kind])
def test_a_selector_inside_a_value_is_found_in_a_dict_and_in_a_view(make):
    chosen = Chosen(large={"data": b""}, kind=make(identifier="1.2.3"), value=5)
    assert chosen.value == 5
    with pytest.raises(ConstraintError):
        Chosen(large={"data": b""}, kind=make(identifier="1.2.3"), value=b"a")


# Streaming.


class Streamed(Sequence):
    items: SequenceOf[Nest]
    numbers: SequenceOf[int] | None = None


def test_depth_in_and_beside_a_stream_is_limited():
    for value in ({"items": (nest(70) for _ in range(2))}, {"items": [nest(70)], "numbers": iter([1])}):
        file = io.BytesIO()
        with pytest.raises(EncodeError):
            derlib.encode_to(file, value, Streamed)
        assert file.getvalue() == b""
    file = io.BytesIO()
    derlib.encode_to(file, {"items": (nest(48) for _ in range(2))}, Streamed)
    assert len(Streamed.decode(file.getvalue()).items) == 2


class Carrier(Sequence):
    kind: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("kind", TYPES)]]
    numbers: SequenceOf[int]


def test_a_selected_value_is_validated_beside_a_stream():
    values = Carrier(kind="1.2.3", values=[1, 2], numbers=[]).values
    file = io.BytesIO()
    with pytest.raises(ConstraintError):
        derlib.encode_to(file, {"kind": "1.2.4", "values": values, "numbers": iter([1])}, Carrier)
    assert file.getvalue() == b""
    derlib.encode_to(file, {"kind": "1.2.3", "values": values, "numbers": iter([1])}, Carrier)
    assert list(Carrier.decode(file.getvalue()).values) == [1, 2]


def test_a_value_that_contains_itself_is_not_streamed():
    value: dict[str, Any] = {}
    value["child"] = value
    with pytest.raises(EncodeError, match="contains itself"):
        derlib.encode_to(io.BytesIO(), value, Nest)


class Slow(io.RawIOBase):
    """A file that accepts a few bytes at a time."""

    def __init__(self, answers: Callable[[int], Any]) -> None:
        self.octets = b""
        self.answers = answers

    def writable(self) -> bool:
        return True

    def write(self, octets: Any) -> Any:
        taken = self.answers(len(octets))
        self.octets += bytes(octets)[:taken]
        return taken


@pytest.mark.parametrize("make", [list, iter])
def test_partial_writes_are_continued(make):
    file = Slow(lambda count: min(count, 5))
    assert derlib.encode_to(file, make(range(100)), SequenceOf[int]) == len(file.octets)
    assert list(SequenceOf[int].decode(file.octets)) == list(range(100))


@pytest.mark.parametrize("answer", [0, -1, 10**6, None])
def test_an_invalid_result_of_write_is_an_error(answer):
    with pytest.raises(OSError, match=r"^write\(\) returned|not ready for writing"):
        derlib.encode_to(Slow(lambda _: answer), [1, 2, 3], SequenceOf[int])


class Ring(SequenceOf["int | Ring"]):
    """A list of numbers and of lists of its own type."""


class Ringed(Sequence):
    ring: Ring


def test_a_type_that_contains_itself_through_a_choice_is_encoded():
    ring = Ring([1, Ring([2])])
    assert Ringed.decode(Ringed(ring=ring).encode()).ring == ring
    file = io.BytesIO()
    derlib.encode_to(file, iter([1, ring]), Ring)
    assert Ring.decode(file.getvalue()) == Ring([1, ring])


# Indexes.


class Entry(Sequence):
    number: int
    data: bytes
    child: Annotated[Entry, Explicit(0)] | None = None


def forged(identifier: int, contents: bytes) -> bytes:
    length = len(contents)
    octets = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([identifier]) + (bytes([length]) if length < 128 else bytes([0x80 | len(octets)]) + octets) + contents


def part_of_hash(number: int, length: int) -> tuple[bytes, int]:
    """Return the key of a table, and what its slot has beside the offset, for a list with these octets of contents."""
    entry = Entry(number=number, data=b"")
    padding = length - len(entry.encode()) - len(Entry(number=0, data=bytes(length)).encode()) + length
    entries = SequenceOf[Entry]([entry, Entry(number=0, data=bytes(padding))])
    assert entries.span().content_length == length
    octets = entries.index_by("number").__reduce__()[1][2]
    slots = struct.unpack(f"<{len(octets) // 4 - 4}I", octets[16:])
    bits = length.bit_length()
    return octets[:16], next(slot >> bits << bits for slot in slots if slot % (1 << bits) == 1)


def test_a_forged_table_does_not_find_elements_inside_an_element():
    inner = b""
    for _ in range(300):  # deeper than any validated element
        inner = forged(0x30, b"\x02\x01\x05\x04\x00" + (forged(0xA0, inner) if inner else b""))
    entries = SequenceOf[Entry]([Entry(number=1, data=inner)] * 40)
    contents = entries.encode()[entries.span().header_length :]
    with pytest.raises(LimitError):
        Entry.decode(inner)
    key, part = part_of_hash(5, len(contents))
    for place in (contents.index(inner), contents.rindex(inner)):
        table = key + struct.pack("<I", part | place + 1) * 3
        lookup = _core.restore_lookup(entries, "number", table)
        assert lookup.find(5) is None
        assert lookup.find_all(5) == ()
    again = pickle.loads(pickle.dumps(entries.index_by("number")))
    assert len(again.find_all(1)) == 40


def test_the_table_of_a_pickled_index_must_be_bytes():
    entries = SequenceOf[Entry]([Entry(number=1, data=b"")])
    with pytest.raises(TypeError):
        _core.restore_lookup(entries, "number", 10**12)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        _core.restore(_core.SequenceView, b"\x30\x00")


@pytest.mark.parametrize("kept", [False, True])
def test_many_elements_of_one_value_are_found_in_linear_time(kept: bool):
    # If each were compared with all before it, 300,000 equal elements would take 45,000,000,000 steps.
    same = [Entry(number=7, data=b"")] * 300_000
    last = Entry(number=8, data=b"\1"), Entry(number=7, data=b"\2")
    entries = SequenceOf[Entry]([Entry(number=6, data=b""), *same, *last])
    lookup = entries.index_by("number")
    if kept:
        lookup = pickle.loads(pickle.dumps(lookup))
    found = lookup.find_all(7)
    assert len(found) == 300_001
    assert found[300_000].data == b"\2"
    assert lookup.find(7) == entries[1]
    assert lookup.find(8) == entries[300_001]
    assert [lookup.find(number) for number in range(10_000, 20_000)] == [None] * 10_000


def test_groups_of_every_size_are_found_in_their_order():
    sizes = [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 66, 100, 1000]
    entries = SequenceOf[Entry](
        Entry(number=size, data=str(turn).encode()) for turn in range(1000) for size in sizes if turn < size
    )
    lookup = entries.index_by("number")
    for size in sizes:
        assert [element.data for element in lookup.find_all(size)] == [str(turn).encode() for turn in range(size)]
