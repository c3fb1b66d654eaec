"""Values with parts for a transparent CHOICE: they go to the alternative of their shape, and nothing is tried out."""

from collections import OrderedDict
from types import MappingProxyType
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    BitString,
    Choice,
    ConstraintError,
    Containing,
    DefinedBy,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
)


class Pair(Sequence):
    x: int
    y: int = 0


class Arms(Choice):
    number: int
    pair: Pair


class Growing(Choice, extensible=True):
    number: Annotated[int, Implicit(0)]


class Shown(dict[str, Any]):
    """A dict that says anything of itself."""

    def __contains__(self, name):
        return name == "x"

    def __len__(self):
        return 5


InOctets = Annotated[OctetString, Containing(Pair)]
InBits = Annotated[BitString, Containing(SequenceOf[int])]


@pytest.mark.parametrize(
    ("type_", "value", "octets"),
    [
        (Arms | SetOf[int], {"number": 5}, "020105"),
        (Arms | SetOf[int], {"pair": {"x": 1}}, "3003020101"),
        (Arms | SetOf[int], [5], "3103020105"),
        (Annotated[Arms, Explicit(0)] | Pair, {"pair": {"x": 1}}, "a0053003020101"),
        (Annotated[Arms, Explicit(0)] | Pair, {"x": 1}, "3003020101"),
        (Annotated[Growing, Explicit(0)] | SetOf[int], {"number": 5}, "a003800105"),
        (Annotated[Growing, Explicit(0)] | SetOf[int], {"$opaque": b"\x85\x00"}, "a0028500"),
        (Pair | SetOf[int], OrderedDict(x=1), "3003020101"),
        (Pair | SetOf[int], MappingProxyType({"x": 1}), "3003020101"),
        (Pair | SetOf[int], Shown(x=1), "3003020101"),
        (Pair | InBits, [1], "0306003003020101"),
        (Pair | InBits, {"x": 1}, "3003020101"),
        (InOctets | SetOf[int], {"x": 1}, "04053003020101"),
        (InOctets | SetOf[int], [1], "3103020101"),
        (InOctets | InBits, {"x": 1}, "04053003020101"),
        (InOctets | InBits, [1], "0306003003020101"),
    ],
)
def test_parts_go_to_the_alternative_of_their_shape(type_: Any, value: Any, octets: str):
    assert derlib.encode(value, type_).hex() == octets


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Arms | SetOf[int], {"other": 5}),
        (Arms | SetOf[int], {"number": 5, "pair": {"x": 1}}),
        (Arms | SetOf[int], {"$opaque": b"\x85\x00"}),
        (Pair | SetOf[int], Shown(y=1)),
        (InOctets | InBits, {"z": 1}),
        (InOctets | SequenceOf[bytes], {"z": 1}),
    ],
)
def test_parts_of_no_alternatives_shape_are_refused(type_: Any, value: Any):
    with pytest.raises(ConstraintError, match="no alternative takes it"):
        derlib.encode(value, type_)


class Marked(Sequence, tag=Explicit(0)):
    number: int


def test_a_value_under_the_tag_of_an_alternative_that_does_not_hold_it_is_refused():
    with pytest.raises(ConstraintError, match=r"Marked is no value of INTEGER \| UTF8String \| OCTET STRING"):
        derlib.encode(Marked(number=1), Annotated[int | str, Explicit(0)] | bytes)
    assert derlib.encode(Marked(number=1), Annotated[int | str, Explicit(1)] | Marked) == Marked(number=1).encode()


class Selected(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("SHAPES", {"1.2.3": Pair})), Explicit(0)] | SetOf[int]


def test_what_another_field_selects_may_have_any_shape():
    selected = Selected(kind="1.2.3", value={"x": 1})
    assert selected.encode().hex() == "300b" "06022a03" "a0053003020101"
    with pytest.raises(ConstraintError, match=r"both .*open type and SetOf\[int\] may take it, so name one"):
        Selected(kind="1.2.3", value=[1])
    assert Selected(kind="1.2.3", value={"SetOf[int]": [1]}).encode().hex() == "3009" "06022a03" "3103020101"
