"""INSTANCE OF is compiled as its associated type (X.681 C.7)."""

import pytest
from asn1.modules import load

import derlib

NAMES = """
    NAME ::= TYPE-IDENTIFIER
    Unknown ::= INSTANCE OF NAME
    Known ::= INSTANCE OF NAME ({ { UTF8String IDENTIFIED BY { 2 999 1 } }, ... })
    Names ::= SEQUENCE { first [0] IMPLICIT INSTANCE OF NAME, rest SET OF Known }
    """


def test_the_tag_is_that_of_external() -> None:
    made = load(NAMES)
    encoded = bytes.fromhex("280a 0603883701 a0030c0161")
    assert made.Unknown.decode(encoded).value.value == "a"
    assert made.Known.decode(encoded).value == "a"


def test_the_object_set_selects_the_type() -> None:
    made = load(NAMES)
    assert made.Known(type_id="2.999.1", value="a").encode().hex() == "280a0603883701a0030c0161"
    with pytest.raises(derlib.DecodeError, match="value"):
        made.Known.decode(bytes.fromhex("280a 0603883701 a003020105"))


def test_as_a_component() -> None:
    made = load(NAMES)
    names = made.Names(first={"type_id": "2.999.1", "value": bytes.fromhex("020105")}, rest=[{"type_id": "2.999.1", "value": "a"}])
    assert names.encode().hex() == "301a a00a0603883701a003020105 310c280a0603883701a0030c0161".replace(" ", "")
