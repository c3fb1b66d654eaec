"""`malformed` can draw each kind of `DecodeError`, and predicts it correctly."""

from random import Random
from typing import Annotated

import pytest
from hypothesis import find, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.vendor.pretty import pretty
from test_strategies import FIRST_FOUND, Colour, Item, Pair, Signed, Usage, check_malformed, thorough

import derlib
from derlib import (
    Absent,
    Addition,
    Alphabet,
    Choice,
    Containing,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OneOf,
    Present,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
    WithComponent,
    WithComponents,
)
from derlib.strategies import Malformed, malformed, values

KINDS = {
    bool: {"boolean-true", "boolean-length", "not-primitive", "unexpected-tag", "trailing-data", "content-truncated",
           "length-truncated", "identifier-truncated", "length-not-minimal", "length-indefinite", "length-reserved",
           "tag-not-minimal"},
    Annotated[int, Range(0, 9)]: {"integer-empty", "integer-not-minimal", "range"},
    Colour: {"enumerated-unknown"},
    derlib.Null: {"null-contents"},
    ObjectIdentifier: {"oid-empty", "oid-not-minimal", "oid-unfinished"},
    Usage: {"bits-empty", "bits-unused", "bits-unused-empty", "bits-padding", "bits-named", "string-constructed"},
    Annotated[IA5String, Size(1, 3)]: {"ia5", "size"},
    str: {"utf8"},
    derlib.NumericString: {"numeric"},
    derlib.BMPString: {"bmp"},
    derlib.UniversalString: {"universal"},
    derlib.VisibleString: {"visible"},
    PrintableString: {"printable"},
    UTCTime | GeneralizedTime: {"utc-form", "utc-range", "generalized-form", "generalized-range",
                                "generalized-fraction", "alternative"},
    Annotated[SetOf[int], Size(1, 9), Explicit(0)]: {"set-of-order", "size", "explicit-empty", "explicit-extra",
                                                     "not-constructed"},
    Item: {"default-encoded", "component-extra"},
    Pair: {"component-missing"},
    Signed: {"contained-extra", "contained-bits"},
    derlib.TLV: {"tag-reserved", "any-set-order", "reference-missing", "real-mantissa", "time-form", "iso-range"},
    derlib.Real: {"real-special", "real-unfinished", "real-binary", "real-exponent", "real-mantissa", "real-decimal",
                  "not-primitive"},
    derlib.RelativeOID: {"oid-empty", "oid-not-minimal", "oid-unfinished"},
    derlib.OIDIRI: {"iri-utf8", "iri-form", "iri-label", "not-primitive"},
    derlib.RelativeOIDIRI: {"iri-utf8", "iri-form", "iri-label"},
    derlib.ObjectDescriptor: {"string-constructed"},
    derlib.ISOTime: {"time-form"},
    derlib.Date: {"date-form", "iso-range"},
    derlib.TimeOfDay: {"time-of-day-form", "iso-range"},
    derlib.DateTime: {"date-time-form", "iso-range", "not-primitive"},
    derlib.Duration: {"duration-form"},
    derlib.External: {"reference-missing", "component-missing", "alternative", "explicit-empty"},
    derlib.EmbeddedPDV: {"component-missing", "component-extra", "unexpected-tag", "alternative", "not-constructed"},
}


class Bag(Set):
    number: Annotated[int, Implicit(5)]
    mark: bool = False
    text: Annotated[str, Implicit(2)] | None = None


KINDS[Bag] = {"member-missing", "member-extra", "set-order", "default-encoded"}


# Faults of input that is not even BER: `decode` raises them only if its rules are "ber". tests/ber has them.
BER_KINDS = {
    "end-of-contents-missing", "end-of-contents-stray", "indefinite-primitive", "segment-bits", "segment-type",
    "signed-not-der", "time-local",
}


class Hello(Sequence, extensible=True):
    version: int
    note: Annotated[str, Implicit(0), Addition()] | None = None


class Box(Set, extensible=True):
    number: int


class Answer(Choice, extensible=True):
    number: int
    hello: Annotated[Hello, Implicit(3)]


class Reading(Sequence):
    value: int
    unit: str | None = None
    scale: Annotated[int, Implicit(1)] = 10


# Constraints of each kind, on types and on their parts; and faults in and around extension additions.
KINDS |= {
    Annotated[PrintableString, Size(2) & Alphabet("A-Z")]: {"alphabet", "size", "printable"},
    Annotated[int, OneOf(1, 5)]: {"single-value", "integer-not-minimal"},
    SetOf[Annotated[int, Range(0, 3) | Range(5, 9)]]: {"constraint", "set-of-order"},
    Annotated[Annotated[bytes, Explicit(0)], ~Size(2)]: {"constraint"},
    Annotated[SetOf[int], WithComponent(Range(0, 3)), Size(1, 2) & ~OneOf([1])]: {"range", "size", "constraint"},
    Annotated[Reading, WithComponents(unit=Present & Alphabet("a-z"), scale=Range(20, 30))]: {
        "component-required", "alphabet", "range"},
    Annotated[Reading, WithComponents(scale=Range(0, 30))]: {"range", "default-encoded"},
    Annotated[Reading, WithComponents.only(value=OneOf(3))]: {"component-forbidden", "single-value"},
    Annotated[Answer, WithComponents(number=Absent, hello=WithComponents(note=Present))]: {
        "component-forbidden", "component-required"},
    Annotated[OctetString, Containing(Bag), Size(0, 40)]: {
        "contained-extra", "identifier-truncated", "size", "set-order"},
    Annotated[Reading, derlib.BitString, Containing(Reading)]: {"contained-bits", "bits-padding", "component-missing"},
    Hello: {"component-missing", "boolean-true", "real-mantissa", "any-set-order", "component-extra", "tag-reserved"},
    Box: {"member-missing", "member-extra", "set-order", "length-not-minimal"},
    SequenceOf[Answer]: {"boolean-true", "utf8"},
}


@pytest.mark.parametrize("hint", KINDS, ids=str)
def test_each_kind_that_a_type_can_have_is_drawn(hint):
    for kind in sorted(KINDS[hint]):
        bad = find(malformed(hint, kinds=[kind]), lambda bad: True, settings=FIRST_FOUND, random=Random(0))
        assert bad.kind == kind
        check_malformed(hint, bad)


def test_a_default_that_a_constraint_forbids_is_not_encoded():
    hint = Annotated[Reading, WithComponents(scale=Range(20, 30))]
    with pytest.raises(Unsatisfiable):
        find(malformed(hint, kinds=["default-encoded"]), lambda bad: True, settings=FIRST_FOUND, random=Random(0))


def test_every_kind_of_decode_error_but_changed_buffers_is_tested():
    tested = set().union(*KINDS.values())
    known = {kind for kind, exception, _ in derlib._core.fault_kinds() if issubclass(exception, derlib.DecodeError)}
    assert known - tested == {"buffer-changed", *BER_KINDS}


def test_an_unknown_kind_is_an_error():
    with pytest.raises(ValueError, match=r"'integer-minimal' is not .* of error; did you mean 'integer-not-minimal'"):
        malformed(int, kinds={"integer-minimal"})
    with pytest.raises(TypeError, match=r"kinds: expected a set of names, .* got str 'utf8'"):
        malformed(str, kinds="utf8")
    with pytest.raises(ValueError, match="'set-of' is not a kind of error"):
        malformed(int, kinds=["set-of"])
    with pytest.raises(Unsatisfiable):
        find(malformed(int, kinds=["set-of-order"]), lambda bad: True, settings=thorough(1))


def test_the_repr_of_a_long_encoding_is_shortened():
    other = {"kind": "utf8", "rule": "8.23.10", "path": (7, "note"), "offset": 9, "description": "a", "original": b""}
    assert repr(Malformed(encoding=b"\x0c\x01\xff", **other)) == (
        r"Malformed(encoding=b'\x0c\x01\xff', kind='utf8', rule='8.23.10', path=(7, 'note'), offset=9, description='a')"
    )
    long = repr(Malformed(encoding=b"a" * 125_000, **other))
    assert "aaaa' and 123,000 more, kind='utf8'" in long
    assert len(long) < 30_000
    assert pretty(Malformed(encoding=b"a" * 125_000, **other)) == long


class Shade(derlib.Enumerated):
    red = 0
    blue = 1


class Priority(derlib.NamedInteger):
    low = 0
    high = 7


class Switches(derlib.NamedBits):
    on = 1 << 0
    fast = 1 << 3


class Amount(derlib.Choice):
    exact: int
    text: str


class Order(derlib.Sequence):
    shade: Shade
    priority: Priority
    switches: Switches
    amount: Amount
    due: derlib.GeneralizedTime


@pytest.mark.parametrize("type", [Shade, Priority, Switches, Amount, derlib.GeneralizedTime, Order])
def test_hypothesis_prints_a_value_that_fails_as_its_repr(type):
    drawn = []

    @settings(max_examples=20, database=None, derandomize=True)
    @given(values(type))
    def fails(value):
        drawn.append(value)
        raise ArithmeticError

    with pytest.raises(ArithmeticError) as caught:
        fails()
    # The last value is the smallest one. hypothesis breaks long lines.
    printed = "".join("".join(caught.value.__notes__).split())
    assert f"value={drawn[-1]!r}".replace(" ", "") in printed
