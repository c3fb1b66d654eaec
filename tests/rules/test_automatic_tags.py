"""AUTOMATIC TAGS, X.680 25.3, 25.7 and 31.2.7: the tags of the components of a class, and when they get none."""

from typing import Annotated, Any

import pytest

from derlib import (
    Addition,
    Choice,
    Explicit,
    Field,
    Implicit,
    PrintableString,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    Size,
    StructureError,
    UTF8String,
)

from .rows import reads, refuses, table


class AutoSequence(Sequence, automatic_tags=True):
    pass


class AutoChoice(Choice, automatic_tags=True):
    pass


class Either(AutoChoice):
    number: int
    text: str


class Tagged(Sequence, tag=Implicit(9, "application")):
    flag: bool


class All(AutoSequence):
    x: int
    y: Annotated[bytes, Size(1)] | None = None
    either: Either
    text: PrintableString | UTF8String
    anything: Any
    numbers: SequenceOf[int]
    tagged: Tagged


# T ::= SEQUENCE { a INTEGER, b [1] BOOLEAN, c OCTET STRING }, the example of X.680 25.3.
class Written(AutoSequence):
    a: int
    b: Annotated[bool, Implicit(1)]
    c: bytes


class Extended(
    AutoSequence,
    fields=[Field("a", int), ..., Field("b", int, optional=True), ..., Field("c", int)],
):
    pass


class Members(Set, automatic_tags=True):
    a: int
    b: int


class Tree(AutoSequence):
    value: int
    left: "Tree | None" = None
    right: "Tree | None" = None


class Base(Sequence):
    a: int


class Derived(Base, automatic_tags=True):
    b: int


ROWS = [
    reads("all kinds of component", All,
        "30 1e 800101 810141 a203 810161 a303 130171 a402 0500 a503 020107 a603 0101ff",
        {"x": 1, "y": b"A", "either": ("text", "a"), "text": "q", "anything": b"\x05\x00", "numbers": [7],
         "tagged": {"flag": True}}),
    refuses("a component with its own tag", All, "30 03 020101", StructureError, "", 2),
    reads("none where one is written", Written, "30 09 020101 8101ff 040178", {"a": 1, "b": True, "c": b"x"}),
    reads("the root first, then additions", Extended, "30 09 800101 820102 810103", {"a": 1, "b": 2, "c": 3}),
    reads("members of a SET", Members, "31 06 800101 810102", {"a": 1, "b": 2}),
    reads("alternatives", Either, "800105", ("number", 5)),
    refuses("an alternative with its own tag", Either, "020105", StructureError, "8.13", 0),
    reads("a type in itself", Tree, "30 0d 800101 a103 800102 a203 800103",
        {"value": 1, "left": {"value": 2, "left": None, "right": None},
         "right": {"value": 3, "left": None, "right": None}}),
    reads("components of a base class", Derived, "30 06 800101 810102", {"a": 1, "b": 2}),
    reads("the base class alone", Base, "30 03 020101", {"a": 1}),
]


@table(ROWS)
def test_automatic_tags(row, place):
    row.check(place)


def test_values_are_written_with_the_tags():
    assert All(x=1, y=b"A", either={"text": "a"}, text="q", anything=b"\x05\x00", numbers=[7],
        tagged={"flag": True}).encode().hex() == (
        "301e" "800101" "810141" "a203810161" "a303130171" "a4020500" "a503020107" "a6030101ff")


def test_a_derived_class_may_switch_them_off():
    class Plain(AutoSequence, automatic_tags=False):
        x: int

    assert Plain(x=1).encode().hex() == "3003020101"


def test_types_that_cannot_be_tagged_automatically():
    with pytest.raises(SchemaError, match="addition 'b' has a tag"):

        class Late(AutoSequence, extensible=True):
            a: int
            b: Annotated[int, Explicit(4), Addition()] | None = None

    with pytest.raises(SchemaError, match="no alternatives"):
        AutoChoice.decode(b"\x05\x00")
    with pytest.raises(SchemaError, match="expected True or False"):

        class Wrong(Sequence, automatic_tags="yes"):
            pass
