"""INSTANCE OF is compiled as its associated type (X.681 C.7)."""

import pytest
from asn1.modules import load

import derlib
from derlib import asn1

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
    first = {"type_id": "2.999.1", "value": bytes.fromhex("020105")}
    names = made.Names(first=first, rest=[{"type_id": "2.999.1", "value": "a"}])
    assert names.encode().hex() == "301a a00a0603883701a003020105 310c280a0603883701a0030c0161".replace(" ", "")


def test_a_module_can_have_any_name() -> None:
    # X.501 has a module with this name.
    made = asn1.load("UsefulDefinitions DEFINITIONS ::= BEGIN C ::= TYPE-IDENTIFIER A ::= SEQUENCE { a C.&id } END")
    assert made.A(a="2.999").encode().hex() == "300406028837"
