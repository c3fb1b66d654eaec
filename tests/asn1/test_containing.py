"""The tags and constraints of a contained type are those of the contents, not of the string."""

import pytest
from asn1.modules import load

import derlib

CONTAINED = [
    # contained type, value, encoding
    ("INTEGER (0..5)", 5, "0403020105"),
    ("[1] INTEGER", 5, "0405a103020105"),
    ("Alias", 5, "0405a103020105"),
    ("Tagged", "a", "0403 440161"),
    ("SEQUENCE SIZE (1) OF BOOLEAN", [True], "04053003 0101ff"),
    ("Recursive", {}, "04023000"),
    ("[1] IMPLICIT Recursive", {}, "0402a100"),
    ('UTF8String (FROM ("a".."c"))', "abc", "04050c03616263"),
    ("OCTET STRING (CONTAINING INTEGER (0..5))", 5, "04050403020105"),
]

PLACES = ["A ::= {}", "A ::= [7] IMPLICIT {}", "B ::= SEQUENCE {{ c {}, d A OPTIONAL }} A ::= B"]


@pytest.mark.parametrize(("notation", "value", "encoding"), CONTAINED)
@pytest.mark.parametrize("place", PLACES)
def test_contained_types(place: str, notation: str, value: object, encoding: str) -> None:
    made = load(f"""
        {place.format(f"OCTET STRING (CONTAINING {notation})")}
        Alias ::= [1] INTEGER (0..5)
        Tagged ::= [APPLICATION 4] IMPLICIT UTF8String (SIZE (1))
        Recursive ::= SEQUENCE {{ again OCTET STRING (CONTAINING [APPLICATION 2] Recursive) OPTIONAL }}
        """).A
    octets = bytes.fromhex(encoding)
    if "[7]" in place:
        octets = b"\x87" + octets[1:]
    elif "SEQUENCE" in place:
        octets, value = b"\x30" + bytes([len(octets)]) + octets, {"c": value}
    assert derlib.encode(value, made) == octets
    assert derlib.encode(derlib.decode(made, octets), made) == octets


def test_constraints_of_the_contents_are_checked() -> None:
    made = load("A ::= OCTET STRING (CONTAINING INTEGER (0..5))").A
    with pytest.raises(derlib.ConstraintError):
        derlib.encode(6, made)
