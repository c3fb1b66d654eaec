"""Integers with more decimal digits than Python converts: they can be shown, and messages about them do not fail.

`repr` and `str` of such an int, and of a list that contains one, raise ValueError (`sys.set_int_max_str_digits`).
"""

from collections.abc import Callable

import pytest

import derlib
from derlib import (
    Choice,
    ConstraintError,
    EncodeError,
    Enumerated,
    NamedBits,
    NamedInteger,
    ObjectIdentifier,
    Real,
    SchemaError,
    Sequence,
    SequenceOf,
)

HUGE = 10**5000


class Inner(Sequence):
    x: int


class Colour(Enumerated, extensible=True):
    red = 0


class Version(NamedInteger):
    v1 = 0


class Usage(NamedBits):
    sign = 1


class Letter(Choice):
    number: int
    text: str


class Everything(Sequence):
    number: int
    numbers: SequenceOf[int]
    colour: Colour
    version: Version
    usage: Usage
    letter: Letter
    inner: Inner
    real: Real


EVERYTHING = Everything(
    number=-HUGE,
    numbers=[HUGE] * 300,
    colour=HUGE,
    version=HUGE,
    usage=Usage(1 << 20000),
    letter={"number": HUGE},
    inner={"x": HUGE},
    real=HUGE + 1,
)

SHOWN: dict[str, Callable[[], object]] = {
    "repr": lambda: repr(EVERYTHING),
    "str": lambda: str(EVERYTHING),
    "repr of a list": lambda: repr(EVERYTHING.numbers),
    "repr of an alternative": lambda: repr(EVERYTHING.letter),
    "repr of plain data": lambda: repr(EVERYTHING.numbers.to_native()),
    "repr of plain data of lists": lambda: repr(SequenceOf[SequenceOf[int]]([[HUGE]] * 300).to_native()),
    "repr of what has no name": lambda: repr((EVERYTHING.colour, EVERYTHING.version, EVERYTHING.usage)),
    "str of what has no name": lambda: (str(EVERYTHING.colour) + str(EVERYTHING.version) + str(EVERYTHING.usage)),
    "format of what has no name": lambda: f"{EVERYTHING.colour} {EVERYTHING.version} {EVERYTHING.usage}",
    "names of what has none": lambda: (EVERYTHING.colour.name, EVERYTHING.version.name, EVERYTHING.usage.names),
    "pretty": lambda: derlib.pretty(EVERYTHING, positions=True),
    "pretty of a short value": lambda: derlib.pretty(EVERYTHING.inner),
    "pretty of a list": lambda: derlib.pretty([HUGE]),
    "pretty of a tree": lambda: derlib.pretty(derlib.parse(EVERYTHING.encode())),
    "repr of a tree": lambda: repr(derlib.parse(EVERYTHING.encode())),
    "repr of a real": lambda: repr(EVERYTHING.real),
    "repr of a lookup": lambda: repr(SequenceOf[Inner]([EVERYTHING.inner]).index_by("x")),
}


@pytest.mark.parametrize("show", SHOWN.values(), ids=SHOWN)
def test_a_value_with_huge_numbers_has_a_short_repr(show):
    assert 0 < len(str(show())) < 20_000


def test_plain_data_and_json_of_huge_numbers_are_exact():
    native = EVERYTHING.to_native()
    assert (native["number"], native["colour"], native["version"]) == (-HUGE, HUGE, HUGE)
    assert Everything.from_native(native) == EVERYTHING
    assert Everything.from_json(EVERYTHING.to_json()) == EVERYTHING
    assert f'"number": "-{HUGE:#x}"' in EVERYTHING.to_json()


REFUSED = {
    "a step of a path": (lambda: EVERYTHING.span(HUGE), KeyError),
    "a step in an alternative": (lambda: EVERYTHING.letter.span(HUGE), KeyError),
    "a step that is a list": (lambda: EVERYTHING.span([HUGE]), KeyError),
    "a step of a list that is one": (lambda: EVERYTHING.numbers.span([HUGE]), KeyError),
    "a step in a number": (lambda: EVERYTHING.raw("number", HUGE), KeyError),
    "an index": (lambda: EVERYTHING.numbers[HUGE], IndexError),
    "a field to index by": (lambda: SequenceOf[Inner]([]).index_by(HUGE), SchemaError),
    "a list for a number": (lambda: derlib.encode([HUGE], int), ConstraintError),
    "a list in a list": (lambda: EVERYTHING.replace(numbers=[[HUGE]]), ConstraintError),
    "a number for a text": (lambda: derlib.encode(HUGE, str), ConstraintError),
    "the name of a field": (lambda: Inner.from_native({HUGE: 1}), ConstraintError),
    "the name of an alternative": (lambda: Letter.from_native({HUGE: 1}), ConstraintError),
    "a number of a bit": (lambda: derlib.encode([HUGE], Usage), ConstraintError),
    "a number for an item": (lambda: derlib.encode([HUGE], Colour), ConstraintError),
    "digits in JSON": (lambda: Inner.from_json('{"x": ' + "1" * 5000 + "}"), ConstraintError),
    "an arc": (lambda: ObjectIdentifier([1, 2, HUGE]), EncodeError),
    "a dotted form": (lambda: ObjectIdentifier("1.2." + "1" * 5000), EncodeError),
    "what is not a type": (lambda: derlib.decode(HUGE, b""), SchemaError),
    "a list of what is not a type": (lambda: derlib.decode([HUGE], b""), SchemaError),
    "what has no fields": (lambda: derlib.fields(HUGE), SchemaError),
    "a name of an identifier": (lambda: derlib.oids.register("1.2", HUGE), ValueError),
}


@pytest.mark.parametrize(("call", "error"), REFUSED.values(), ids=REFUSED)
def test_an_error_about_a_huge_number_is_the_one_that_is_documented(call, error):
    with pytest.raises(error) as caught:
        call()
    assert "Exceeds the limit" not in str(caught.value)
    assert len(str(caught.value)) < 400
