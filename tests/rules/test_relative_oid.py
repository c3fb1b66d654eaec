"""RELATIVE-OID: X.690 8.20."""

import copy
import pickle

import pytest

import derlib
from derlib import ContentsError, IdentifierError, LimitError, ObjectIdentifier, RelativeOID, Sequence, StructureError

from .rows import der, reads, refuses, table


class Holder(Sequence):
    arcs: RelativeOID


def relative(dotted: str) -> RelativeOID:
    return RelativeOID(dotted)


ARC_MAX = 2**140 - 1

ARCS = [
    reads("one arc", RelativeOID, "0d 01 03", relative("3")),
    reads("the example of X.690 8.20.5", RelativeOID, "0d 04 c2 7b 03 02", relative("8571.3.2")),
    reads("an arc of 0", RelativeOID, "0d 01 00", relative("0")),
    reads("arcs of 39 and 40, which are not joined", RelativeOID, "0d 02 27 28", relative("39.40")),
    reads("an arc of 127", RelativeOID, "0d 01 7f", relative("127")),
    reads("an arc of 128", RelativeOID, "0d 02 81 00", relative("128")),
    reads("an arc of 20 octets", RelativeOID, der("0d", b"\xff" * 19 + b"\x7f"), relative(f"{ARC_MAX}")),
    refuses("an arc of 21 octets", RelativeOID, der("0d", "81", b"\xff" * 19 + b"\x7f"), LimitError),
    refuses("no contents", RelativeOID, "0d 00", ContentsError, "8.20"),
    refuses("only 80", RelativeOID, "0d 01 80", ContentsError, "8.20.2"),
    refuses("an arc that begins with 80", RelativeOID, "0d 02 80 01", ContentsError, "8.20.2"),
    refuses("a later arc that begins with 80", RelativeOID, "0d 03 01 80 01", ContentsError, "8.20.2"),
    refuses("a last arc without its end", RelativeOID, "0d 02 03 81", ContentsError, "8.20.2"),
    refuses("the constructed form", RelativeOID, "2d 03 0d 01 03", IdentifierError, "8.20.1|8.1.2.5"),
    refuses("an OBJECT IDENTIFIER", RelativeOID, "06 01 03", StructureError),
]


@table(ARCS)
def test_relative_oid(row, place):
    row.check(place)


def test_it_has_arcs_text_order_and_can_be_appended_to_a_root():
    value = derlib.decode(RelativeOID, bytes.fromhex("0d04c27b0302"))
    assert value.arcs == (8571, 3, 2)
    assert str(value) == value.dotted == "8571.3.2"
    assert repr(value) == "RelativeOID('8571.3.2')"
    assert value.under("1.0") == ObjectIdentifier("1.0.8571.3.2")
    assert value == RelativeOID([8571, 3, 2]) == RelativeOID(value) == RelativeOID.from_content(value.content)
    assert {value: 1}[RelativeOID("8571.3.2")] == 1
    assert value != ObjectIdentifier("2.5.29")
    ordered = [relative("2"), relative("2.0"), relative("128"), relative("16384")]
    assert sorted([*ordered[::-1]]) == ordered
    assert relative("2") < relative("2.0") <= relative("2.0") < relative("3") > relative("1") >= relative("1")
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert again == value


def test_plain_data_and_json_are_its_dotted_form():
    holder = Holder(arcs="8571.3")
    assert holder.to_native() == {"arcs": "8571.3"}
    assert Holder.from_native(holder.to_native()) == holder == Holder.from_json(holder.to_json())
    assert Holder(arcs=holder.arcs) == holder
    assert derlib.parse(holder.encode()).children[0].value == relative("8571.3")


@pytest.mark.parametrize("value", [[2**3500], "1" * 1100])
def test_the_limit_of_an_arc_is_reported(value):
    with pytest.raises(derlib.EncodeError, match=r"^an arc exceeds the limit of 3500 bits$"):
        RelativeOID(value)


@pytest.mark.parametrize("value", ["", ".", "1.", "01", "-1", "x", [], [-1], [2**3500], "1" * 1100])
def test_values_without_arcs_are_rejected(value):
    with pytest.raises(derlib.EncodeError):
        RelativeOID(value)
    with pytest.raises(derlib.ASN1Error):
        Holder(arcs=value)


def test_objects_without_a_value_and_invalid_contents_are_rejected():
    with pytest.raises(TypeError):
        RelativeOID.__new__(RelativeOID).arcs  # noqa: B018 - reading is what raises
    with pytest.raises(TypeError):
        relative("1").__init__("2")
    with pytest.raises(derlib.DecodeError):
        RelativeOID.from_content(b"\x80")
