"""Only the schema language makes valid plans and constraints; other callers get a SchemaError.

A plan is memory that the core trusts. So every call that would make it inconsistent is rejected.
"""

import gc
import sys
from typing import Annotated

import pytest

from derlib import Choice, Range, SchemaError, Sequence, SequenceOf, _core
from derlib._core import CompiledConstraint, ConstraintKind, Kind, OpenTable, Plan, pack_tag


class Pair(Sequence):
    first: int
    second: Annotated[int, Range(0, 5)] | None = None


class Arms(Choice):
    number: int
    text: str


def fresh(kind=Kind.KIND_EMPTY):
    return Plan(kind, "Fresh", None, object)


INTEGER = Plan(Kind.KIND_INTEGER, "INTEGER", pack_tag(2, 0, False), int)
ALPHABET = CompiledConstraint(ConstraintKind.CONSTRAINT_ALPHABET, "FROM", characters=((65, 90),))
ELEMENTS = CompiledConstraint(ConstraintKind.CONSTRAINT_ELEMENTS, "of each", (ALPHABET,))


def components(index, rule=None):
    return CompiledConstraint(ConstraintKind.CONSTRAINT_COMPONENTS, "WITH COMPONENTS", parts=((index, 0, rule),))


def ruled():
    plan = Plan(Kind.KIND_IA5_STRING, "IA5String", None, str).derived()
    plan.set_constraint(ALPHABET)
    return plan


WRONG = {
    "made with fields": lambda: Plan(Kind.KIND_SEQUENCE, "Fresh", None, Pair),
    "filled again": lambda: Pair.__plan__.set_fields(Kind.KIND_SEQUENCE, (), (), (), ()),
    "filled as another kind": lambda: fresh().set_fields(Kind.KIND_SEQUENCE, (), (), (), ()),
    "fields without plans": lambda: Plan(Kind.KIND_EMPTY, "Pair", None, Pair).set_fields(
        Kind.KIND_SEQUENCE, ("a",), (), (False,), (None,)
    ),
    "fields of a string": lambda: fresh().set_fields(Kind.KIND_OPEN_OCTETS, (), (), (), ()),
    "a default too late": lambda: Pair.__plan__.set_default(1, b"\x02\x01\x05", 5),
    "a default of no field": lambda: fresh().set_default(0, b"\x02\x01\x05", 5),
    "components of no SEQUENCE": lambda: fresh().set_one_of(1),
    "additions after the end": lambda: fresh().set_extensible(1),
    "alternatives too late": lambda: Arms.__plan__.set_alternatives([]),
    "an alternative that is not a field": lambda: fresh().set_alternatives([(pack_tag(2, 0, False), 0)]),
    "the element of a SEQUENCE": lambda: Plan(Kind.KIND_EMPTY, "Pair", None, Pair).set_element(
        Kind.KIND_SEQUENCE, INTEGER
    ),
    "an open type that is a list": lambda: Plan(Kind.KIND_EMPTY, "List", None, SequenceOf[int]).set_open(
        Kind.KIND_SEQUENCE_OF, OpenTable(), ()
    ),
    "an encoding in an INTEGER": lambda: fresh().set_contained(Kind.KIND_INTEGER, INTEGER),
    "two rules": lambda: ruled().set_constraint(ALPHABET),
    "elements of a number": lambda: INTEGER.derived().set_constraint(ELEMENTS),
    "components of a number": lambda: INTEGER.derived().set_constraint(components(0)),
    "a component that is not there": lambda: Pair.__plan__.derived().set_constraint(components(2)),
    "elements of a component": lambda: Pair.__plan__.derived().set_constraint(components(0, ELEMENTS)),
    "half a rule": lambda: CompiledConstraint(ConstraintKind.CONSTRAINT_INTERSECTION, "a rule", (ALPHABET,)),
    "a range without a plan": lambda: CompiledConstraint(ConstraintKind.CONSTRAINT_RANGE, "a range"),
    "a value that is not an encoding": lambda: CompiledConstraint(
        ConstraintKind.CONSTRAINT_VALUES, "a value", plan=INTEGER, values=(b"",)
    ),
    "an attribute of no field": lambda: type(vars(Pair)["first"])(Pair.__plan__, 2, "third", ""),
    "an attribute of no alternative": lambda: type(vars(Arms)["text"])(Arms.__plan__, -1, "none", ""),
    # The functions of a kind are found by its number.
    "a kind below all": lambda: Plan(-1, "None"),
    "a kind above all": lambda: Plan(1000, "None"),
    "a tag number that is too high": lambda: pack_tag(1 << 60, 0, False),
}


class Bare(_core.SequenceView):
    """A class of views that was not prepared: Python frees them in its own way."""


def test_a_view_of_a_class_without_a_plan_frees_its_references():
    plan = Plan(Kind.KIND_EMPTY, "Bare", pack_tag(16, 0, True), Bare)
    plan.set_fields(Kind.KIND_SEQUENCE, ("pair",), (Pair.__plan__,), (False,), (None,))
    read = type(vars(Pair)["first"])(plan, 0, "pair", "").__get__
    octets = bytes(bytearray.fromhex("3005 3003 020105"))
    before = sys.getrefcount(octets)
    view = _core.decode_plan(plan, octets)
    assert type(view) is Bare
    assert read(view, Bare).first == 5
    assert read(view, Bare) is read(view, Bare)
    assert sys.getrefcount(octets) > before
    del view
    gc.collect()
    assert sys.getrefcount(octets) == before


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_arguments_that_do_not_fit_together_are_rejected(call):
    with pytest.raises(SchemaError):
        call()


@pytest.mark.parametrize("part", [5, "rule", Pair.__plan__])
def test_a_part_of_a_constraint_that_is_not_a_constraint_is_rejected(part):
    # Also kinds without parts, which no other check covers.
    for kind, more in (
        (ConstraintKind.CONSTRAINT_ALPHABET, {"characters": ((65, 90),)}),
        (ConstraintKind.CONSTRAINT_COMPONENTS, {}),
    ):
        with pytest.raises(TypeError):
            CompiledConstraint(kind, "a rule", parts=((0, 0, part),), **more)
