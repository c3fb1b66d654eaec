"""A type that is another one with a tag or a size is a class of its own, so that its methods know them."""

import pytest

import derlib
from derlib import asn1

MODULE = """
M DEFINITIONS IMPLICIT TAGS ::= BEGIN
A ::= SEQUENCE { a INTEGER, ..., b [0] INTEGER OPTIONAL, ..., c [1] BOOLEAN }
Inner ::= [5] A
Replaced ::= [6] Inner
Outer ::= [APPLICATION 7] EXPLICIT Replaced
AroundExplicit ::= [9] Outer
Either ::= CHOICE { x INTEGER, y A }
TaggedChoice ::= [1] Either
List ::= [APPLICATION 4] SEQUENCE OF INTEGER
Short ::= List (SIZE (1..2))
TaggedShort ::= [9] Short
Shorter ::= Short (SIZE (2..5))
Alias ::= Inner
Item ::= ENUMERATED { one(1) }
TaggedItem ::= [3] Item
Twice ::= [1] EXPLICIT [2] EXPLICIT A
Chosen ::= A (WITH COMPONENTS { ..., b PRESENT })
Holder ::= SEQUENCE { a [0] Inner, choice TaggedChoice DEFAULT x : 5, list Short, plain A }
holder Holder ::= { a { a 1, c TRUE }, choice y : { a 2, c TRUE }, list { 7 }, plain { a 3, c FALSE } }
END
"""
CLASSES = asn1.load(MODULE)


@pytest.mark.parametrize(
    ("name", "octets"),
    [
        ("Inner", "a506 020101 8101ff"),
        ("Replaced", "a606 020101 8101ff"),
        ("Alias", "a506 020101 8101ff"),
    ],
)
def test_the_methods_of_a_tagged_type_know_the_tag(name: str, octets: str) -> None:
    cls = getattr(CLASSES, name)
    value = cls(a=1, c=True)
    assert value.encode() == bytes.fromhex(octets)
    assert cls.decode(bytes.fromhex(octets)) == value
    assert isinstance(value, CLASSES.A)
    with pytest.raises(derlib.StructureError):
        cls.decode(bytes.fromhex("3006 020101 8101ff"))


def test_the_methods_of_a_tagged_choice_know_the_tag() -> None:
    value = CLASSES.TaggedChoice(x=1)
    assert value.encode().hex() == "a103020101"
    assert CLASSES.TaggedChoice.decode(value.encode()).x == 1


def test_a_list_with_a_size_checks_it() -> None:
    for cls in (CLASSES.Short, CLASSES.TaggedShort):
        assert len(cls([1, 2])) == 2
        with pytest.raises(derlib.ConstraintError, match=r"SIZE \(1\.\.2\)"):
            cls([1, 2, 3])
    assert CLASSES.TaggedShort([1]).encode().hex() == "a903020101"
    assert CLASSES.Short([1]).encode().hex() == "6403020101"


def test_two_sizes_apply_both() -> None:
    assert derlib.encode([1, 2], CLASSES.Shorter).hex() == "6406020101020102"
    for numbers in ([1], [1, 2, 3]):
        with pytest.raises(derlib.ConstraintError):
            derlib.encode(numbers, CLASSES.Shorter)


def test_other_types_are_aliases() -> None:
    assert derlib.encode(CLASSES.Item.one, CLASSES.TaggedItem).hex() == "830101"
    assert derlib.encode({"a": 1, "c": True}, CLASSES.Outer).hex() == "6708a606020101" + "8101ff"
    assert derlib.encode({"a": 1, "c": True}, CLASSES.AroundExplicit).hex() == "a908a606020101" + "8101ff"
    assert derlib.encode({"a": 1, "c": True}, CLASSES.Twice).hex() == "a10aa2083006020101" + "8101ff"
    with pytest.raises(derlib.ConstraintError, match="b"):
        derlib.encode({"a": 1, "c": True}, CLASSES.Chosen)


def test_values_are_those_of_the_derived_classes() -> None:
    holder = CLASSES.holder
    assert type(holder.a) is CLASSES.Inner
    assert type(holder.choice) is CLASSES.TaggedChoice
    assert type(holder.list) is CLASSES.Short
    assert holder.replace(choice=None).choice.x == 5
    assert CLASSES.Holder.decode(holder.encode()) == holder


def test_the_text_of_the_derived_classes_gives_the_same_types() -> None:
    again = asn1.load(asn1.to_asn1(CLASSES.Holder))
    assert again.Holder.decode(CLASSES.holder.encode()).encode() == CLASSES.holder.encode()


def test_the_elements_of_a_list_with_a_size_have_the_names_of_its_module() -> None:
    first = "First DEFINITIONS ::= BEGIN List ::= SEQUENCE OF Tree Tree ::= SEQUENCE { a INTEGER, b List OPTIONAL } END"
    second = "Second DEFINITIONS ::= BEGIN IMPORTS List FROM First; Short ::= List (SIZE (1..2)) END"
    package = asn1.load(first, second)
    assert package.second.Short([{"a": 1, "b": [{"a": 2}]}])[0].b[0].a == 2
