"""Each kind of `DecodeError` can be asked for from `malformed`, and comes with what was said of it."""

from typing import Annotated

import pytest
from hypothesis import find
from hypothesis.errors import Unsatisfiable
from test_strategies import FIRST_FOUND, Colour, Item, Pair, Signed, Usage, check_malformed

import derlib
from derlib import (
    Alphabet,
    Containing,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OneOf,
    PrintableString,
    Range,
    Sequence,
    Set,
    SetOf,
    Size,
    UTCTime,
)
from derlib.strategies import malformed

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


class Open(Sequence, extensible=True):
    number: int


# Of constraints for which no strategy is written yet; types that have them are refused.
NOT_DRAWN_YET = {"alphabet", "single-value", "constraint", "component-required", "component-forbidden"}
REFUSED = [
    Annotated[PrintableString, Alphabet("ab")], Annotated[int, OneOf(1, 5)],
    Annotated[OctetString, Containing(Bag)], Open,
    SetOf[Annotated[int, Range(0, 3) | Range(5, 9)]],
]


@pytest.mark.parametrize("hint", REFUSED, ids=str)
def test_constraints_that_cannot_be_drawn_are_a_clear_error(hint):
    with pytest.raises(derlib.SchemaError, match=r"cannot draw .* yet"):
        find(malformed(hint), lambda bad: True)


@pytest.mark.parametrize("hint", KINDS, ids=str)
def test_the_kinds_that_a_type_has_can_be_asked_for(hint):
    for kind in sorted(KINDS[hint]):
        bad = find(malformed(hint, kinds=[kind]), lambda bad: True, settings=FIRST_FOUND)
        assert bad.kind == kind
        check_malformed(hint, bad)


def test_only_limits_and_changing_buffers_are_never_the_reason():
    asked = set().union(*KINDS.values())
    known = {kind for kind, exception, _ in derlib._core.fault_kinds() if issubclass(exception, derlib.DecodeError)}
    assert known - asked == {"buffer-changed", *NOT_DRAWN_YET}


def test_a_kind_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no error of kind 'set-of'"):
        malformed(int, kinds=["set-of"])
    with pytest.raises(Unsatisfiable):
        find(malformed(int, kinds=["set-of-order"]), lambda bad: True)
