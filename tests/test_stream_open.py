"""`derlib.stream.open`: a value is read part by part, and every rule is checked as if it were decoded as a whole."""

from __future__ import annotations

import hashlib
import io
import mmap
import os
import random
import tempfile
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import pytest
from corpus.files import accepted_files, schema_of
from hypothesis import given, reject
from hypothesis import strategies as st
from support.generated import encoded_schemas, schemas

from derlib import (
    TLV,
    ASN1Error,
    Containing,
    DecodeError,
    DefinedBy,
    Explicit,
    Implicit,
    LimitError,
    Limits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    OrderError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    StructureError,
    TrailingDataError,
    TruncatedError,
    UnrepresentableError,
    _core,
    decode,
    stream,
)
from derlib.strategies import ber_encodings

BIG = 1 << 20


class Entry(Sequence):
    number: int
    note: str | None = None


class Header(Sequence):
    version: int = 1
    name: str


class Log(Sequence):
    header: Header
    entries: SequenceOf[Entry]
    marks: Annotated[SetOf[int], Implicit(0)] | None = None
    content: Annotated[OctetString, Explicit(1)] | None = None


ENTRIES = [Entry(number=number, note="n" * (number % 7) or None) for number in range(50)]
LOG = Log(header=Header(name="log"), entries=ENTRIES, marks=[1, 2, 3], content=b"contents" * 40)
DER = LOG.encode()


class SlowFile(io.RawIOBase):
    """A file whose `read` returns one byte at a time, as a pipe can; it cannot seek."""

    def __init__(self, octets: bytes) -> None:
        self.octets = io.BytesIO(octets)

    def read(self, size: int = -1) -> bytes:
        return self.octets.read(1)


def mapped(octets: bytes) -> mmap.mmap:
    with tempfile.TemporaryFile() as file:
        file.write(octets)
        file.flush()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


SOURCES: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview with gaps": lambda octets: memoryview(bytes(n for octet in octets for n in (octet, 0)))[::2],
    "mmap": mapped,
    "BytesIO": io.BytesIO,
    "slow file": SlowFile,
}
each_source = pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
each_size = pytest.mark.parametrize("size", [40, BIG])


def leaves(value: Any, path: tuple[Any, ...] = (), sets: bool = True) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the path and value of each part of a decoded value that has no parts itself, or is a SET OF."""
    children: list[tuple[Any, Any]] = []
    if isinstance(value, _core.ListView) and (sets or not isinstance(value, SetOf)):
        children = list(enumerate(value))
    elif isinstance(value, _core.ChoiceView) and value.alternative is not None:
        children = [(value.alternative, value.value)]
    elif isinstance(value, _core.SequenceView):
        names = type(value).__plan__.names  # type: ignore[attr-defined]
        children = [(name, getattr(value, name)) for name in names if value.span(name) is not None]
    if not children:
        yield path, value
    for step, child in children:
        yield from leaves(child, (*path, step), sets)


def decoded_leaves(cls: Any, octets: bytes, sets: bool = True) -> list[tuple[tuple[Any, ...], Any]]:
    """Return the leaves of a value, in the order of its fields; reject one that `datetime` cannot represent."""
    try:
        return list(leaves(cls.decode(octets), (), sets))
    except UnrepresentableError:
        reject()


def read_parts(source: Any, cls: Any, paths: Any, rules: Any = "der", size: int = BIG) -> list[Any]:
    with stream.open(source, cls, rules, buffer_size=size) as opened:
        return list(opened.parts(*paths))


def error_of(call: Callable[[], Any]) -> ASN1Error | None:
    try:
        call()
    except ASN1Error as error:
        return error
    return None


# Reading.


@each_source
@each_size
def test_parts_are_read_in_the_order_of_the_encoding(source: Callable[[bytes], Any], size: int) -> None:
    target = io.BytesIO()
    with stream.open(source(DER), Log, buffer_size=size) as opened:
        assert opened["header", "version"] == 1
        assert opened["header", "name"] == "log"
        assert list(opened["entries"]) == ENTRIES
        assert list(opened["marks"]) == [1, 2, 3]
        assert opened.copy_bytes("content", target) == 320
    assert target.getvalue() == LOG.content


@each_source
def test_a_whole_value_is_read(source: Callable[[bytes], Any]) -> None:
    with stream.open(source(DER), Log) as opened:
        assert opened[()] == LOG
    with stream.open(source(LOG.entries.encode()), SequenceOf[Entry]) as opened_list:
        assert list(opened_list[()]) == ENTRIES


def test_parts_yields_several_paths() -> None:
    with stream.open(DER, Log) as opened:
        found = list(opened.parts(("entries", 3), "header.name", ("marks", ...), "entries[48].number"))
    assert found == [
        (("header", "name"), "log"),
        (("entries", 3), ENTRIES[3]),
        (("entries", 48, "number"), 48),
        (("marks", 0), 1),
        (("marks", 1), 2),
        (("marks", 2), 3),
    ]


@each_size
def test_absent_parts(size: int) -> None:
    octets = Log(header=Header(name="x"), entries=[]).encode()
    with stream.open(octets, Log, buffer_size=size) as opened:
        assert opened["header", "version"] == 1
        assert list(opened["entries"]) == []
        assert list(opened["marks"]) == []
        assert opened.copy_bytes("content") is None
        assert opened["content"] is None


def test_an_index_beyond_the_end_is_absent() -> None:
    with stream.open(DER, Log) as opened:
        assert opened["entries", 50] is None
        assert opened["content"] == LOG.content


def test_a_part_that_was_passed_is_an_error() -> None:
    with stream.open(DER, Log) as opened:
        assert opened["entries[4]"] == ENTRIES[4]
        for path in ["header", ("header", "name"), ("entries", 4), ("entries", 0, "number"), "entries", ()]:
            with pytest.raises(ValueError, match="in the order of the encoding"):
                opened[path]
        assert opened["entries", 5] == ENTRIES[5]


def test_an_iterator_ends_when_the_stream_is_read_beyond_it() -> None:
    with stream.open(DER, Log) as opened:
        entries = opened["entries"]
        assert next(entries) == ENTRIES[0]
        assert opened["content"] == LOG.content
        with pytest.raises(ValueError, match="beyond this list"):
            next(entries)


def test_paths_are_checked_when_they_are_asked_for() -> None:
    with stream.open(DER, Log) as opened:
        with pytest.raises(KeyError, match="'nothing' is not a part of Header"):
            opened["header", "nothing"]
        with pytest.raises(KeyError):
            opened["entries", "number"]
        with pytest.raises(KeyError, match="'hedaer' is not a part of Log; did you mean 'header'"):
            opened["hedaer"]
        for step in (1.5, True, "*", ..., None):
            with pytest.raises(TypeError, match="path: expected a name or an index, got"):
                opened["entries", step]
        with pytest.raises(ValueError, match="path: expected a string such as"):
            opened["entries[1]number"]
        with pytest.raises(ValueError, match="negative"):
            opened["entries", -1]
        with pytest.raises(TypeError, match="is Header, not an OCTET STRING"):
            opened.copy_bytes("header")
        with pytest.raises(ValueError, match="overlap"):
            opened.parts(("entries", ..., "number"), ("entries", 3))
        assert opened["header"] == LOG.header


def test_a_stream_is_not_read_after_it_is_closed() -> None:
    opened = stream.open(DER, Log)
    opened.close()
    opened.close()
    with pytest.raises(ValueError, match="closed"):
        opened["header"]


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="expected 'der' or 'ber' for rules, got 'cer'; 'ber' also accepts CER"):
        stream.open(DER, Log, "cer")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="expected 'der' or 'ber' for rules, got None"):
        stream.open(DER, Log, None)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="buffer_size"):
        stream.open(DER, Log, buffer_size=0)
    with pytest.raises(TypeError, match="expected bytes, another buffer or a file, got int"):
        stream.open(5, Log)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="mode 'rb'"):
        stream.open(io.StringIO(), Log)  # type: ignore[call-overload]
    with stream.open(DER, Log) as opened, pytest.raises(TypeError, match="expected a file"):
        opened.copy_bytes("content", 5)


def test_targets_of_a_copy() -> None:
    digest, file, chunks = hashlib.sha256(), io.BytesIO(), []
    with stream.open(DER, Log) as opened:
        opened.copy_bytes("content", digest, file, chunks.append)
    assert LOG.content is not None
    assert file.getvalue() == b"".join(chunks) == LOG.content
    assert digest.digest() == hashlib.sha256(LOG.content).digest()


def test_an_error_of_a_target_ends_the_stream() -> None:
    def full(octets: bytes) -> None:
        raise OSError("full")

    opened = stream.open(DER, Log)
    with pytest.raises(OSError, match="full"):
        opened.copy_bytes("content", full)
    for call in (lambda: opened["marks"], opened.close):
        with pytest.raises(OSError, match="full"):
            call()


def test_open_many() -> None:
    octets = b"".join(Log(header=Header(name=str(n)), entries=ENTRIES[:n]).encode() for n in range(5))
    assert [opened["header", "name"] for opened in stream.open_many(io.BytesIO(octets), Log)] == list("01234")
    assert [len(list(opened["entries"])) for opened in stream.open_many(octets, Log)] == [0, 1, 2, 3, 4]
    with pytest.raises(TruncatedError) as caught:
        list(stream.open_many(octets[:-1], Log))
    assert caught.value.path == ()


# Faults.


def test_each_element_is_validated_when_it_is_handed_out() -> None:
    bad = bytearray(DER)
    offset = LOG.span("entries", 30, "number").offset
    bad[offset] = 0x01
    opened = stream.open(bad, Log)
    entries = opened["entries"]
    for number in range(30):
        assert next(entries) == ENTRIES[number]
    with pytest.raises(StructureError) as caught:
        next(entries)
    assert caught.value.path == ("entries", 30, "number")
    assert caught.value.offset == offset
    with pytest.raises(StructureError):
        opened.close()


MARKS = b"\x02\x01\x01\x02\x01\x02\x02\x01\x03"
HEADER = Header(name="log").encode()
FAULTS: dict[str, tuple[bytes, type[ASN1Error]]] = {
    "truncated": (DER[:-1], TruncatedError),
    "followed by bytes": (DER + b"\0", TrailingDataError),
    "a SET OF out of order": (DER.replace(MARKS, MARKS[3:6] + MARKS[:3] + MARKS[6:]), OrderError),
    "a component twice": (
        b"\x30\x82" + (len(DER) - 4 + len(HEADER)).to_bytes(2, "big") + HEADER + DER[4:], StructureError,
    ),
}  # fmt: skip


@each_source
@each_size
@pytest.mark.parametrize("fault", FAULTS)
def test_the_end_raises_if_the_rest_is_invalid(fault: str, source: Callable[[bytes], Any], size: int) -> None:
    octets, kind = FAULTS[fault]
    opened = stream.open(source(octets), Log, buffer_size=size)
    # The size of a buffer is known, so it is truncated from the start.
    if fault != "truncated" or isinstance(source(b"0"), io.IOBase):
        assert opened["header", "name"] == "log"
    with pytest.raises(kind):
        opened.close()
    with pytest.raises(kind):
        opened.close()


class Pair(Set):
    first: int
    second: Annotated[int, Implicit(3)]
    third: Annotated[int, Implicit(4)] = 7


TABLE = OpenTypes("TABLE", {"2.999.1": Log, "2.999.2": SequenceOf[int]})
OPAQUE = OpenTypes("OPAQUE", {"2.999.1": Log}, on_mismatch="opaque")


class Typed(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", TABLE)]
    after: int = 0


class Opaque(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OPAQUE)]


class Wrapped(Sequence):
    kind: ObjectIdentifier
    value: Annotated[OctetString, DefinedBy("kind", TABLE)]


class Contained(Sequence):
    value: Annotated[OctetString, Containing(Log)]


class Bounded(Sequence):
    numbers: Annotated[SequenceOf[int], Size(2, 3)]
    text: str


@pytest.mark.parametrize("cls", [Typed, Wrapped])
def test_a_selector_chooses_the_type_of_an_open_type(cls: Any) -> None:
    octets = cls(kind=ObjectIdentifier("2.999.1"), value=LOG).encode()
    for size in (60, BIG):
        with stream.open(octets, cls, buffer_size=size) as opened:
            assert list(opened["value", "entries"]) == ENTRIES
            assert opened["value", "content"] == LOG.content if size == BIG else True
    other = cls(kind=ObjectIdentifier("2.999.2"), value=[1, 2]).encode()
    with stream.open(other, cls) as opened, pytest.raises(KeyError, match="entries"):
        opened["value", "entries"]
    with stream.open(other, cls) as opened:
        assert list(opened["value"]) == [1, 2]


@pytest.mark.parametrize("rules", ["der", "ber"])
@pytest.mark.parametrize("cls", [Typed, Wrapped])
def test_a_part_of_a_value_of_unknown_type_is_not_absent(cls: Any, rules: Any) -> None:
    octets = cls(kind=ObjectIdentifier("2.999.1"), value=LOG).encode().replace(b"\x88\x37\1", b"\x88\x37\7")
    message = "'entries' is not a part of value, whose type is not known"
    with stream.open(octets, cls, rules=rules) as opened, pytest.raises(KeyError, match=message):
        opened["value", "entries"]
    with stream.open(octets, cls, rules=rules) as opened, pytest.raises(KeyError, match="'content'"):
        opened.copy_bytes("value.content", io.BytesIO())
    with stream.open(octets, cls, rules=rules) as opened, pytest.raises(KeyError, match=message):
        list(opened.parts("value.entries[*]"))
    with stream.open(octets, cls, rules=rules) as opened:
        value = opened["value"]
        assert (value if isinstance(value, bytes) else value.encode()) == LOG.encode()


@pytest.mark.parametrize("value", [Contained(value=LOG), Opaque(kind=ObjectIdentifier("2.999.1"), value=LOG)])
def test_parts_of_contained_and_opaque_values(value: Any) -> None:
    for size in (len(DER), BIG):
        with stream.open(value.encode(), type(value), buffer_size=size) as opened:
            assert list(opened["value", "entries"]) == ENTRIES


def test_a_mismatch_that_could_be_opaque_is_not_guessed() -> None:
    octets = Opaque(kind=ObjectIdentifier("2.999.1"), value=LOG).encode()
    with pytest.raises(LimitError, match=r"larger than the buffer of 60 bytes.*`buffer_size`") as caught, \
            stream.open(octets, Opaque, buffer_size=60) as opened:  # fmt: skip
        opened["value", "entries"]
    assert caught.value.kind == "buffer-limit"
    assert caught.value.path == ("value",)


def test_parts_inside_a_value_that_was_read_as_a_whole() -> None:
    octets = Opaque(kind=ObjectIdentifier("2.999.1"), value=LOG).encode()
    with stream.open(octets, Opaque) as opened:
        assert opened["value", "header", "name"] == "log"
        assert opened["value", "entries", 7] == ENTRIES[7]
        assert [path for path, _ in opened.parts("value.marks[*]")] == [("value", "marks", n) for n in range(3)]
        with pytest.raises(ValueError, match="order of the encoding"):
            opened["value"]


def test_the_size_of_a_list_is_checked() -> None:
    for count, text in [(1, "size 1, outside SIZE (2..3)"), (4, "size 4, outside SIZE (2..3)")]:
        numbers = SequenceOf[int]([5] * count).encode()
        octets = b"\x30" + bytes([len(numbers) + 3]) + numbers + b"\x0c\x01a"
        expected = error_of(lambda octets=octets: Bounded.decode(octets))  # type: ignore[misc]
        with pytest.raises(DecodeError) as caught, stream.open(octets, Bounded) as opened:
            list(opened["numbers"])
        assert text in str(caught.value)
        assert str(caught.value) == str(expected)


def test_limits() -> None:
    with pytest.raises(LimitError, match="500") as caught, stream.open(DER, Log, limits=Limits(size=500)) as opened:
        opened["header"]
    assert caught.value.kind == "input-limit"
    for limits in (Limits(elements=20), Limits(depth=2)):
        expected = error_of(lambda limits=limits: Log.decode(DER, limits=limits))  # type: ignore[misc]
        for size in (40, BIG):
            with stream.open(DER, Log, limits=limits, buffer_size=size) as opened:
                error = error_of(lambda opened=opened: list(opened["entries"]))  # type: ignore[misc]
                assert str(error) == str(expected)
                opened._error = None
                opened._closed = True


def assert_too_small(error: LimitError, size: int) -> None:
    """Check that an error is about an element that does not fit into a small buffer."""
    assert error.kind == "buffer-limit"
    assert size < BIG


# BER.


def indefinite(tag: int, *parts: bytes) -> bytes:
    return bytes([tag, 0x80]) + b"".join(parts) + b"\0\0"


SEGMENTS = b"\x04\x03abc" + b"\x04\x81\x02de" + indefinite(0x24, b"\x04\x01f", b"\x24\x03\x04\x01g") + b"\x04\x00"
BER = indefinite(
    0x30, indefinite(0x30, b"\x02\x01\x01", b"\x0c\x81\x01x"), indefinite(0x30, indefinite(0x30, b"\x02\x01\x07")),
    indefinite(0xA0, b"\x02\x01\x02", b"\x02\x01\x01"), indefinite(0xA1, indefinite(0x24, SEGMENTS)),
)  # fmt: skip


@each_source
@pytest.mark.parametrize("size", [8, 20, BIG])
def test_ber(source: Callable[[bytes], Any], size: int) -> None:
    target = io.BytesIO()
    with stream.open(source(BER), Log, "ber", buffer_size=size) as opened:
        assert opened["header", "version"] == 1
        assert opened["header", "name"] == "x"
        assert list(opened["entries"]) == [Entry(number=7)]
        # One by one, they come in the order of the encoding.
        assert list(opened["marks"]) == [2, 1]
        assert opened.copy_bytes("content", target) == 7
    assert target.getvalue() == b"abcdefg"


BER_FAULTS = [
    ("segment-type", BER.replace(b"\x04\x01f", b"\x0c\x01f")),
    ("end-of-contents-missing", BER[:-2]),
    ("trailing-data", BER + b"\0\0"),
    ("integer-not-minimal", BER.replace(b"\x02\x01\x07", b"\x02\x02\0\x07")),
    ("indefinite-primitive", BER.replace(b"\x02\x01\x07", b"\x02\x80\0\0")),
]


@pytest.mark.parametrize("size", [5, BIG])
@pytest.mark.parametrize(("kind", "octets"), BER_FAULTS, ids=[kind for kind, _ in BER_FAULTS])
def test_faults_in_ber(kind: str, octets: bytes, size: int) -> None:
    expected = error_of(lambda: Log.decode(octets, rules="ber"))
    with pytest.raises(DecodeError) as caught:
        read_parts(SlowFile(octets), Log, [], "ber", size)
    assert kind == expected.kind  # type: ignore[union-attr]
    if kind != "end-of-contents-missing":
        assert (caught.value.kind, caught.value.offset) == (kind, expected.offset)  # type: ignore[union-attr]
    else:
        assert isinstance(caught.value, TruncatedError)


def test_segments_count_as_elements() -> None:
    with pytest.raises(LimitError) as caught, \
            stream.open(BER, Log, "ber", Limits(elements=6), buffer_size=5) as opened:  # fmt: skip
        opened.copy_bytes("content")
    assert caught.value.kind == "element-limit"


@pytest.mark.parametrize("segment", [1 << 12, 1 << 22])
def test_memory_does_not_depend_on_the_size_of_the_content(segment: int) -> None:
    block = b"\x04" + b"\x83" + segment.to_bytes(3, "big") + bytes(segment)
    reading, writing = os.pipe()

    def feed() -> None:
        with open(writing, "wb") as file:
            file.write(BER[: BER.index(SEGMENTS)])
            for _ in range((1 << 26) // segment):
                file.write(block)
            file.write(b"\0\0" * 3)

    feeder = threading.Thread(target=feed)
    feeder.start()
    digest = hashlib.sha256()
    with open(reading, "rb", buffering=0) as file, stream.open(file, Log, "ber") as opened:
        tracemalloc.start()
        assert opened.copy_bytes("content", digest) == 1 << 26
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    feeder.join()
    assert digest.digest() == hashlib.sha256(bytes(1 << 26)).digest()
    # The thread that writes has a segment, too.
    assert peak < 2 * BIG


def test_hostile_nesting() -> None:
    for octets in (b"\x30\x80" * 100_000, b"\x24\x80" * 100_000, b"\xa0\x80" * 100_000):
        with pytest.raises(ASN1Error), stream.open(octets, TLV, "ber", buffer_size=100) as opened:
            opened.copy_bytes(())


# Properties: the same values and errors as those of `decode`.


def check_parts(cls: Any, octets: bytes, der: bytes, rules: Any, size: int, slow: bool, seed: int) -> None:
    """Compare random parts with those of the decoded value, read by `parts` and one by one."""
    wanted = decoded_leaves(cls, der)
    wanted = random.Random(seed).sample(wanted, min(len(wanted), 12))
    wanted.sort(key=lambda leaf: cls.decode(der).span(*leaf[0]).offset)
    source = SlowFile if slow else bytes
    try:
        assert read_parts(source(octets), cls, [path for path, _ in wanted], rules, size) == wanted
        with stream.open(source(octets), cls, rules, buffer_size=size) as opened:
            for path, value in wanted:
                found = opened[path]
                # Lists compare identity first, so NaN is equal to itself.
                assert list(found) == list(value) if isinstance(value, _core.ListView) else [found] == [value]
    except LimitError as error:
        assert_too_small(error, size)


@given(encoded_schemas(), st.sampled_from([1, 8, 30, BIG]), st.booleans(), st.integers(0, 2**32))
def test_random_parts_of_random_schemas(drawn: tuple[Any, bytes], size: int, slow: bool, seed: int) -> None:
    cls, octets = drawn
    check_parts(cls, octets, octets, "der", size, slow, seed)


@given(st.data(), st.sampled_from([1, 8, 30, BIG]), st.booleans(), st.integers(0, 2**32))
def test_random_parts_of_random_ber(data: Any, size: int, slow: bool, seed: int) -> None:
    cls = data.draw(schemas())
    encoding = data.draw(ber_encodings(cls))
    # Members of a SET and elements of a SET OF can be in any order.
    wanted = dict(decoded_leaves(cls, encoding.der, False))
    try:
        found = read_parts(SlowFile(encoding.ber) if slow else encoding.ber, cls, list(wanted), "ber", size)
        assert dict(found) == wanted
    except LimitError as error:
        assert_too_small(error, size)


@given(encoded_schemas(), st.sampled_from([8, 30, BIG]), st.integers(0, 2**32))
def test_damage_has_the_same_error_as_in_decode(drawn: tuple[Any, bytes], size: int, seed: int) -> None:
    cls, octets = drawn
    chance = random.Random(seed)
    bad = bytearray(octets)
    bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
    expected = error_of(lambda: cls.decode(bad))
    paths = [path for path, _ in decoded_leaves(cls, octets)]
    found = error_of(lambda: read_parts(bad, cls, [] if chance.random() < 0.5 else paths, "der", size))
    assert_same_error(found, expected, size)


def assert_same_error(found: Any, expected: Any, size: int) -> None:
    if isinstance(found, LimitError) and found.kind == "buffer-limit":
        assert_too_small(found, size)
        return
    assert (found is None) == (expected is None), (found, expected)
    # The end of the input is found where it is reached.
    if expected is not None and "truncated" not in expected.kind and expected.kind != "trailing-data":
        assert (found.kind, found.path, found.offset) == (expected.kind, expected.path, expected.offset)


def test_files_of_the_corpus() -> None:
    for number, (item, value) in enumerate(accepted_files()):
        wanted = list(leaves(value))[:200]
        source = SlowFile(item.der) if number % 10 == 0 and len(item.der) < 5000 else item.der
        cls = schema_of(item)
        assert read_parts(source, cls, [path for path, _ in wanted]) == wanted, item.name
        # The smallest buffer that holds each primitive value.
        largest = max(value.span(*path, outer=True).length for path, _ in wanted) if len(wanted) < 200 else BIG
        assert read_parts(item.der, cls, [path for path, _ in wanted], size=max(largest, 2000)) == wanted, item.name


# Signed bytes, which are DER also in BER.


class Signed(Sequence, ber="keep"):
    notes: SequenceOf[bytes]


class Attributes(SetOf[int], ber="refuse"):
    pass


class Message(Sequence):
    text: bytes
    signed: Signed
    attributes: Attributes
    after: bytes


TEXT = indefinite(0x24, b"\x04\x01a", b"\x04\x01b")
SIGNED = Signed(notes=[b"c", b"d"]).encode()
LONG = b"\x30\x81" + SIGNED[1:]
MESSAGES = {
    "valid": (SIGNED, Attributes([1, 5]).encode(), None),
    "kept indefinite": (indefinite(0x30, indefinite(0x30, b"\x04\x01c")), b"\x31\x00", "length-indefinite"),
    "kept long": (LONG, b"\x31\x00", "length-not-minimal"),
    "kept inside": (b"\x30\x0a" + indefinite(0x30, b"\x04\x01c", b"\x04\x01d"), b"\x31\x00",
                    "length-indefinite"),
    "refused order": (SIGNED, b"\x31\x06\x02\x01\x05\x02\x01\x01", "set-of-order"),
    "refused length": (SIGNED, indefinite(0x31, b"\x02\x01\x05"), "length-indefinite"),
}  # fmt: skip


@pytest.mark.parametrize("size", [10, BIG])
@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("path", ["signed.notes[*]", "attributes[*]", "after"])
def test_what_is_signed_is_der_also_if_it_is_opened(name: str, path: str, size: int) -> None:
    signed, attributes, kind = MESSAGES[name]
    octets = indefinite(0x30, TEXT, signed, attributes, TEXT)
    error = error_of(lambda: read_parts(octets, Message, [path], "ber", size))
    expected = error_of(lambda: Message.decode(octets, rules="ber"))
    if kind is None:
        assert expected is None
        assert error is None
    else:
        assert expected is not None
        assert isinstance(error, DecodeError)
        assert error.kind in (kind, expected.kind)
        assert error.path[0] == expected.path[0]


def test_an_error_in_a_kept_element_has_its_offsets_in_the_file() -> None:
    octets = indefinite(0x30, TEXT, b"\x30\x08\x30\x06\x04\x01c\x04\x09d", b"\x31\x00", TEXT)
    expected = error_of(lambda: Message.decode(octets, rules="ber"))
    error = error_of(lambda: read_parts(octets, Message, [], "ber"))
    assert expected is not None
    assert str(expected).startswith("signed.notes[1] at offset 19: OCTET STRING (04 09 64)")
    assert "at offset 22 (" in str(expected)
    assert str(error) == str(expected)


# Misuse.


@pytest.mark.parametrize(
    "error", [KeyError("x"), UnrepresentableError("x"), LimitError("x", (), 0, "", "buffer-limit")]
)
def test_every_error_of_a_target_ends_the_stream(error: Exception) -> None:
    def target(octets: bytes) -> None:
        raise error

    opened = stream.open(DER, Log)
    with pytest.raises(type(error)):
        opened.copy_bytes("content", target)
    with pytest.raises(type(error)):
        opened.close()


@pytest.mark.parametrize("call", [lambda s: s["content"], lambda s: s.close(), lambda s: s.copy_bytes("content")])
def test_a_target_cannot_use_the_stream(call: Callable[[Any], Any]) -> None:
    opened = stream.open(DER, Log)
    with pytest.raises(RuntimeError, match="the stream is in use"):
        opened.copy_bytes("content", lambda octets: call(opened))
    with pytest.raises(RuntimeError):
        opened.close()


def test_a_closed_file_and_a_file_of_text() -> None:
    file = io.BytesIO(DER)
    file.close()
    with pytest.raises(ValueError, match="closed file"), stream.open(file, Log) as opened:
        opened["header"]
    with tempfile.TemporaryFile("w+") as text, pytest.raises(TypeError, match="mode 'rb'"):
        stream.open(text, Log)  # type: ignore[call-overload]


class Texts(io.RawIOBase):
    def read(self, size: int = -1) -> Any:
        return "text"


class Nothing(io.RawIOBase):
    def read(self, size: int = -1) -> Any:
        return None


def test_what_a_file_returns_is_checked() -> None:
    with pytest.raises(TypeError, match="mode 'rb'"):
        stream.open(Texts(), Log).close()
    with pytest.raises(BlockingIOError):
        stream.open(Nothing(), Log).close()


def test_a_list_is_left_early() -> None:
    with stream.open(DER, Log) as opened:
        for entry in opened["entries"]:
            if entry.number == 2:
                break
        assert opened["marks"] is not None
    with stream.open(DER[:-1] + b"\xff", Log) as opened:
        first = opened["entries[0]"]
    assert first == ENTRIES[0]


def test_two_iterators_share_the_stream() -> None:
    with stream.open(DER, Log) as opened:
        entries = opened["entries"]
        assert next(entries) == ENTRIES[0]
        others = opened.parts("entries[*].number")
        assert next(others) == (("entries", 1, "number"), 1)
        assert next(others) == (("entries", 2, "number"), 2)


def test_a_callable_gets_no_empty_bytes() -> None:
    octets = indefinite(0x24, b"\x04\x00" * 100_000)
    chunks: list[bytes] = []
    with stream.open(octets, bytes, "ber", buffer_size=10) as opened:
        assert opened.copy_bytes((), chunks.append) == 0
    assert chunks == []


def test_selectors_are_small() -> None:
    class Values(Sequence):
        kind: ObjectIdentifier
        values: SequenceOf[Annotated[Any, DefinedBy("kind", TABLE)]]

    octets = Values(kind=ObjectIdentifier("2.999" + ".1" * 70_000), values=[decode(TLV, b"\x05\x00")] * 3).encode()
    with pytest.raises(LimitError, match="comes after selectors with more than 65536 bytes"), \
            stream.open(octets, Values) as opened:  # fmt: skip
        next(opened["values"])
    assert len(Values.decode(octets).values) == 3
