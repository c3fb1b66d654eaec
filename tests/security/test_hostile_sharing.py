"""Bytes that change while they are decoded, views that threads share, and extra elements at every level.

A shared buffer (`copy=False`) can belong to a file that another process maps, or to memory that a library writes. Each
decoding then results in a value or an error of derlib, and never reads elsewhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from support.der import der
from support.threads import in_threads

import derlib
from derlib import (
    TLV,
    ASN1Error,
    Choice,
    DefinedBy,
    Explicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    UTCTime,
)

CHANGED = (ASN1Error, IndexError)


class Inner(Sequence):
    number: int
    flag: bool = False


class Members(Set):
    number: int
    octets: bytes


class Arms(Choice):
    inner: Annotated[Inner, Explicit(0)]
    number: int


TYPES = OpenTypes("TYPES", {"1.2.3": Inner})


class Outer(Sequence):
    inner: Inner
    tagged: Annotated[Inner, Explicit(0)]
    members: Members
    arms: Arms
    kind: ObjectIdentifier
    body: Annotated[OctetString, DefinedBy("kind", TYPES)]
    rows: SequenceOf[Inner]
    numbers: SetOf[int]
    time: UTCTime


INNER = der(0x30, b"\x02\x01\x05")
PARTS = {
    "inner": INNER,
    "tagged": der(0xA0, INNER),
    "members": der(0x31, b"\x02\x01\x05\x04\x01\xaa"),
    "arms": der(0xA0, INNER),
    "kind": b"\x06\x02\x2a\x03",
    "body": der(0x04, INNER),
    "rows": der(0x30, INNER * 40),
    "numbers": der(0x31, b"".join(b"\x02\x01" + bytes([i]) for i in range(40))),
    "time": b"\x17\x0d260102030405Z",
}
OUTER = der(0x30, b"".join(PARTS.values()))
EXTRA = b"\x05\x00"


def test_the_document_is_valid():
    assert Outer.decode(OUTER).body.number == 5


def with_extra() -> dict[str, bytes]:
    """Yield the document with a NULL after the last element of each level."""
    changed = {
        "": {},
        "inner": {"inner": der(0x30, b"\x02\x01\x05" + EXTRA)},
        "tagged": {"tagged": der(0xA0, INNER + EXTRA)},
        "inside tagged": {"tagged": der(0xA0, der(0x30, b"\x02\x01\x05" + EXTRA))},
        "members": {"members": der(0x31, b"\x02\x01\x05\x04\x01\xaa" + EXTRA)},
        "arms": {"arms": der(0xA0, INNER + EXTRA)},
        "inside arms": {"arms": der(0xA0, der(0x30, b"\x02\x01\x05" + EXTRA))},
        "body": {"body": der(0x04, INNER + EXTRA)},
        "inside body": {"body": der(0x04, der(0x30, b"\x02\x01\x05" + EXTRA))},
        "rows": {"rows": der(0x30, INNER * 40 + EXTRA)},
        "the last row": {"rows": der(0x30, INNER * 39 + der(0x30, b"\x02\x01\x05" + EXTRA))},
        "numbers": {"numbers": der(0x31, PARTS["numbers"][2:] + EXTRA)},
    }
    octets = {name: der(0x30, b"".join((PARTS | parts).values())) for name, parts in changed.items()}
    octets[""] = der(0x30, b"".join(PARTS.values()) + EXTRA)
    octets["the input"] = OUTER + EXTRA
    return octets


@pytest.mark.parametrize("name", with_extra())
def test_an_element_too_many_is_found_at_every_level(name):
    data = with_extra()[name]
    with pytest.raises(derlib.DecodeError) as caught:
        Outer.decode(data)
    error = caught.value
    assert data[error.offset : error.offset + 2] == EXTRA
    assert error.path[:1] == ((name.split()[-1].replace("row", "rows").replace("rowss", "rows"),) if name else ()) or (
        name == "the input" and error.path == ()
    )


def test_an_explicit_tag_that_is_shorter_than_its_contents_is_rejected():
    for length in range(len(INNER)):
        data = der(0x30, INNER + bytes([0xA0, length]) + INNER)
        with pytest.raises(derlib.DecodeError):
            Outer.decode(data)
        with pytest.raises(derlib.DecodeError):
            derlib.decode(Annotated[Inner, Explicit(0)], bytes([0xA0, length]) + INNER)


def read_all(value: Any) -> list[Any]:
    """Return everything that a view reports, as plain values; an error is represented by its class."""
    looks: list[Callable[[], Any]] = [
        lambda: value.to_native(),
        lambda: value.to_json(),
        lambda: value.encode(),
        lambda: repr(value),
        lambda: hash(value),
        lambda: derlib.pretty(value),
        lambda: pickle.loads(pickle.dumps(value)) == value,
        lambda: [row.number for row in value.rows],
        lambda: [value.rows[i].span() for i in (39, 17, 0, 33)],
        lambda: value.rows[5:30:3],
        lambda: value.numbers[-1],
        lambda: value.rows.index_by("number").find(5),
        lambda: (
            value.arms.alternative,
            value.arms.value,
            value.body.number,
            value.time,
            value.span("tagged", outer=True),
        ),
        lambda: value.replace(time=value.time) == value,
        lambda: [one.tag for one in derlib.parse(value.encode()).walk()],
    ]
    said = []
    for look in looks:
        try:
            said.append(look())
        except CHANGED as error:
            said.append(type(error).__name__)
    return said


@pytest.mark.parametrize("copy", [True, False])
def test_threads_that_read_one_view_get_the_values_that_one_thread_gets(copy):
    expected = [str(each) for each in read_all(Outer.decode(OUTER))]
    assert not any(each in ("DecodeError", "IndexError") for each in expected)
    for _ in range(3):
        shared = Outer.decode(bytearray(OUTER), copy=copy)
        seen: list[list[str]] = []

        def read(shared: Any = shared, seen: list[list[str]] = seen) -> None:
            seen.extend([str(each) for each in read_all(shared)] for _ in range(3))

        in_threads(*[read] * 6)
        assert len(seen) == 18
        for each in seen:
            assert each == expected


def rows_of(count: int) -> bytes:
    return der(0x30, OUTER * count)


def changing(tmp_path: Path, kind: str, data: bytes) -> tuple[Any, Callable[[int, bytes], None], Callable[[], None]]:
    """A buffer, a function that changes it from another thread, and a function that releases it."""
    if kind == "ctypes":
        buffer = (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
        base = ctypes.addressof(buffer)
        return buffer, lambda place, octets: ctypes.memmove(base + place, octets, len(octets)) and None, lambda: None
    path = tmp_path / "shared"
    path.write_bytes(data)
    stream = path.open("r+b")
    buffer = mmap.mmap(stream.fileno(), len(data))
    # A second mapping of the same file, as in another process.
    other = mmap.mmap(stream.fileno(), len(data))

    def change(place: int, octets: bytes) -> None:
        other[place : place + len(octets)] = octets

    def close() -> None:
        other.close()
        stream.close()

    return buffer, change, close


@pytest.mark.parametrize("kind", ["ctypes", "mmap"])
def test_bytes_that_change_while_they_are_decoded_result_in_a_value_or_an_error(kind, tmp_path):
    # More than 16 KiB, so the check runs without the GIL, concurrently with the other thread.
    data = rows_of(80)
    assert len(data) > 16384
    buffer, change, close = changing(tmp_path, kind, data)
    done = threading.Event()
    noise = [bytes([octet]) * 61 for octet in (0x00, 0x30, 0x80, 0x84, 0xFF, 0x04, 0x17, 0x02)]
    offsets: list[int] = []

    def hammer() -> None:
        for turn in range(100_000):
            if done.is_set():
                return
            place = turn * 7919 % (len(data) - 61)
            change(place, noise[turn % len(noise)])
            change(place, data[place : place + 61])

    def decode() -> None:
        try:
            for _ in range(40):
                for type_ in (SequenceOf[Outer], TLV):
                    for copy in (True, False):
                        try:
                            view = derlib.decode(type_, buffer, copy=copy)
                        except ASN1Error as error:
                            offsets.append(error.offset)
                            continue
                        offsets.append(0)
                        if type_ is not TLV:
                            with contextlib.suppress(*CHANGED):
                                read_all(view[79])
                        else:
                            with contextlib.suppress(*CHANGED):
                                sum(1 for _ in view.walk())
        finally:
            done.set()

    in_threads(hammer, decode)
    assert len(offsets) == 160
    assert all(0 <= offset <= len(data) for offset in offsets)
    close()
