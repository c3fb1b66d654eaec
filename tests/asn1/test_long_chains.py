"""Long chains of types: neither a limit of Python nor the memory ends them."""

import gc

import pytest
from asn1.modules import errors, load, module

import derlib
from derlib import asn1
from derlib._core import Plan

LENGTH = 1000

CYCLES = {
    "SEQUENCE": ("SEQUENCE { a $ OPTIONAL }", {}),
    "CHOICE": ("CHOICE { a SEQUENCE OF $, b NULL }", {"b": derlib.NULL}),
    "SET OF": ("SET OF $", []),
    "CONTAINING": ("SET { a OCTET STRING (CONTAINING $) OPTIONAL }", {}),
    "tag": ("[1] SEQUENCE { a [2] $ OPTIONAL }", {}),
}


@pytest.mark.parametrize(("notation", "value"), CYCLES.values(), ids=CYCLES)
def test_types_in_one_cycle(notation: str, value: object) -> None:
    lines = [f"T{number} ::= {notation.replace('$', f'T{(number + 1) % LENGTH}')}" for number in range(LENGTH)]
    made = load("\n".join(lines))
    octets = derlib.encode(value, made.T0)
    assert derlib.encode(derlib.decode(made.T0, octets), made.T0) == octets
    text = asn1.to_asn1(made.T0)
    assert text.count("::=") == LENGTH + 1
    assert asn1.to_asn1(asn1.load(text).T0) == text


def test_implicit_tags_in_a_chain() -> None:
    """Each type had a plan for each tag in it: 1,000 tags took 1.8 GB."""
    length = 300
    lines = [f"T{n} ::= [{n}] IMPLICIT T{n - 1}" for n in range(1, length)]
    made = load("\n".join(["T0 ::= SEQUENCE { a INTEGER }", *lines]))
    before = _plans()
    for number in range(length):
        derlib.encode({"a": 1}, getattr(made, f"T{number}"))
    assert _plans() - before < 4 * length
    assert derlib.encode({"a": 1}, made.T299).hex() == "bf822b03020101"


def _plans() -> int:
    gc.collect()
    return sum(type(one) is Plan for one in gc.get_objects())


def test_an_implicit_tag_replaces_the_explicit_tag_inside_it() -> None:
    made = load("A ::= [1] IMPLICIT [2] IMPLICIT [3] EXPLICIT [4] IMPLICIT [5] IMPLICIT INTEGER")
    assert derlib.encode(1, made.A).hex() == "a103840101"


def test_untagged_choices_in_a_chain() -> None:
    lines = [f"T{n} ::= CHOICE {{ a T{n + 1}, b [{n}] NULL }}" for n in range(LENGTH)]
    found = errors(module("\n".join([*lines, f"T{LENGTH} ::= NULL"])))
    assert all("the definitions expand to too many parts" in error for error in found)
