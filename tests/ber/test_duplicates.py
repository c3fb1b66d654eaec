"""Components that are there twice or in the wrong place are errors, also if one is dropped as a DEFAULT value."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any

import pytest

import derlib
from derlib import DefinedBy, Field, Implicit, ObjectIdentifier, OpenTypes, Sequence, SequenceOf, Set

from .rows import TYPED, Rejects, converted_or_error, rejects, table


class Pair(Sequence):
    a: int
    b: bool = False


class Three(Sequence):
    a: int | None = None
    b: bool = False
    c: bytes


class Segmented(Sequence):
    a: int = 5
    b: bytes = b"ab"


class Growing(Sequence, extensible=True):
    a: int
    b: bool = False


# SEQUENCE { a INTEGER, ..., ..., b BOOLEAN DEFAULT FALSE, c NULL }
class Middle(
    Sequence,
    fields=[
        Field("a", int),
        ...,
        ...,
        Field("b", bool, default=False),
        Field("c", Annotated[int, Implicit(3)]),
    ],
):
    pass


class Members(Set):
    a: int
    b: bool = False
    c: bytes | None = None


class GrowingMembers(Set, extensible=True):
    a: int
    b: bool = False


CLAUSES = {"member-extra": "8.11", "component-extra": "8.9", "unexpected-tag": "8.1.2"}


def twice(
    name: str, type_: Any, ber: str, offset: int, kind: str = "component-extra", path: tuple[str, ...] = ()
) -> Rejects:
    return rejects(name, type_, ber, kind, CLAUSES[kind], offset, path, TYPED)


SEQUENCES = [
    twice("a DEFAULT twice", Pair, "30 80 020101 010100 0101ff 0000", 8),
    twice("a DEFAULT twice, both dropped", Pair, "30 80 020101 010100 010100 0000", 8),
    twice("a DEFAULT after its component", Pair, "30 80 020101 0101ff 010100 0000", 8),
    twice("a component before a DEFAULT that is dropped", Three, "30 80 010100 020101 0401 61 0000", 5,
          "unexpected-tag", ("c",)),
    twice("a DEFAULT at the end", Three, "30 80 020101 040161 010100 0000", 8),
    twice("a DEFAULT in segments, twice", Segmented, "30 80 2480 040161 040162 0000 040162 0000", 12),
    twice("a DEFAULT after a later one", Segmented, "30 80 04026162 020105 0000", 6),
    twice("a DEFAULT twice before additions", Growing, "30 80 020101 010100 0101ff 0500 0000", 8),
    twice("a DEFAULT after an addition", Growing, "30 80 020101 0500 010100 0000", 7),
    twice("an addition after a DEFAULT that follows the marker", Middle, "30 80 020101 010100 0500 830107 0000", 8,
          "unexpected-tag", ("c",)),
]
SETS = [
    twice("a DEFAULT twice", Members, "31 80 020101 010100 0101ff 0000", 8, "member-extra", ("b",)),
    twice("a DEFAULT twice, the second dropped", Members, "31 80 020101 0101ff 010100 0000", 8, "member-extra", ("b",)),
    twice("a DEFAULT twice, both dropped", Members, "31 80 010100 020101 010100 0000", 8, "member-extra", ("b",)),
    twice("a member twice", Members, "31 80 020101 0101ff 020101 0000", 8, "member-extra", ("a",)),
    twice("a member twice, once in segments", Members, "31 80 0400 020101 2400 0000", 7, "member-extra", ("c",)),
    twice("a DEFAULT twice among additions", GrowingMembers, "31 80 0500 010100 020101 0101ff 0000", 10,
          "member-extra", ("b",)),
    twice("an addition twice", GrowingMembers, "31 80 0500 010100 020101 0500 0000", 10, "member-extra"),
]


@table([*SEQUENCES, *SETS])
def test_duplicates(row: Any, place: str) -> None:
    row.check(place)


def test_additions_around_a_default_that_is_dropped() -> None:
    for data, expected in {
        "30 80 020101 010100 0500 0400 0000": "30 07 020101 0500 0400",
        "30 80 020101 0500 0400 0000": "30 07 020101 0500 0400",
    }.items():
        assert derlib.ber.convert(bytes.fromhex(data), Growing).der == bytes.fromhex(expected)
    data = bytes.fromhex("30 80 020101 0500 0400 010100 830107 0000")
    assert derlib.ber.convert(data, Middle).der == bytes.fromhex("30 0a 020101 0500 0400 830107")


def test_every_order_of_components() -> None:
    """Each list of up to four components is valid exactly if its components follow the definition."""
    elements = {"a": ("020101",), "b": ("010100", "0101ff"), "c": ("0400", "2400")}
    for count in range(5):
        for names in product(elements, repeat=count):
            for chosen in product(*(elements[name] for name in names)):
                contents = bytes.fromhex("".join(chosen))
                valid = list(names) == sorted(set(names)) and "c" in names
                _, error = converted_or_error(b"\x30\x80" + contents + bytes(2), Three)
                assert (error is None) == valid, names
                if not valid:
                    assert error.kind in ("component-extra", "component-missing", "unexpected-tag")
                valid = len(names) == len(set(names)) and "a" in names
                __, error = converted_or_error(b"\x31\x80" + contents + bytes(2), Members)
                assert (error is None) == valid, names
                if not valid:
                    assert error.kind in ("member-extra", "member-missing")


LAX = OpenTypes("LAX", {"1.2.3": Pair, "1.2.4": Members}, on_mismatch="opaque")


class Open(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", LAX)]


@pytest.mark.parametrize(("kind", "value"), [("03", "30 80 020101 010100 010105 0000"),
                                             ("04", "31 80 010100 020101 010105 0000")])
def test_a_value_with_a_component_twice_stays_opaque(kind: str, value: str) -> None:
    octets = bytes.fromhex("30 80 06022a" + kind + value + "0000")
    contents = bytes.fromhex("020101 010100 0101ff" if kind == "03" else "010100 0101ff 020101")
    expected = bytes.fromhex("06022a" + kind) + bytes([0x30 + (kind == "04"), 9]) + contents
    assert derlib.ber.convert(octets, Open).der == b"\x30" + bytes([len(expected)]) + expected


def test_elements_of_a_list_with_a_default_twice() -> None:
    """The fast path of long lists finds it, too."""
    good = bytes.fromhex("30 80 020101 010100 0000")
    bad = bytes.fromhex("30 80 020101 010100 010100 0000")
    for count in (0, 8, 9, 40):
        _, error = converted_or_error(b"\x30\x80" + count * good + bad + 20 * good + bytes(2), SequenceOf[Pair])
        assert (error.kind, error.offset, error.path) == ("component-extra", 2 + count * len(good) + 8, (count,))
