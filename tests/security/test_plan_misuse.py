"""Plans of every kind, in every function that takes a plan: no call crashes or leaves a plan partly changed.

Under the sanitizers (`make sanitize`) these tests detect more: an invalid call that is not rejected uses memory that is
not its own.
"""

from __future__ import annotations

import contextlib
import gc
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib import Choice, SchemaError, Sequence, SequenceOf, Set, SetOf, _core
from derlib._core import CompiledConstraint, ConstraintKind, Kind, OpenTable, Plan, pack_tag
from tests.support import arrow

K = Kind
# Errors that an invalid call may raise, about its arguments, the input or the values.
REFUSED = (TypeError, ValueError, LookupError, OverflowError)


class Pair(Sequence):
    first: int
    second: int | None = None


class Members(Set):
    a: int
    b: bool


class Numbers(SequenceOf[int]):
    pass


class Sorted(SetOf[int]):
    pass


class Arms(Choice):
    number: int
    text: str


class Numbered(derlib.NamedInteger):
    one = 1


class Bits(derlib.NamedBits):
    first = 1


INTEGER = Plan(K.KIND_INTEGER, "INTEGER", pack_tag(2, 0, False), int)
OID = Plan(K.KIND_OBJECT_IDENTIFIER, "OBJECT IDENTIFIER", pack_tag(6, 0, False))
ALPHABET = CompiledConstraint(ConstraintKind.CONSTRAINT_ALPHABET, "FROM", characters=((65, 90),))
SECOND = CompiledConstraint(ConstraintKind.CONSTRAINT_COMPONENTS, "WITH COMPONENTS", parts=((1, 2, None),))
TYPES = {
    K.KIND_SEQUENCE: Pair,
    K.KIND_SET: Members,
    K.KIND_SEQUENCE_OF: Numbers,
    K.KIND_SET_OF: Sorted,
    K.KIND_CHOICE: Arms,
    K.KIND_ENUMERATED: Numbered,
    K.KIND_NAMED_INTEGER: Numbered,
    K.KIND_NAMED_BITS: Bits,
}
# The number of the universal tag of each kind that has one.
TAGS = {
    K.KIND_BOOLEAN: 1, K.KIND_INTEGER: 2, K.KIND_NAMED_INTEGER: 2, K.KIND_ENUMERATED: 10, K.KIND_BIT_STRING: 3,
    K.KIND_NAMED_BITS: 3, K.KIND_OCTET_STRING: 4, K.KIND_NULL: 5, K.KIND_OBJECT_IDENTIFIER: 6, K.KIND_UTF8_STRING: 12,
    K.KIND_REAL: 9, K.KIND_SEQUENCE: 16, K.KIND_SET: 17, K.KIND_SEQUENCE_OF: 16, K.KIND_SET_OF: 17, K.KIND_EXPLICIT: 4,
    K.KIND_OPEN_OCTETS: 4, K.KIND_OPEN_BITS: 3,
}  # fmt: skip


def empty(kind: int, tagged: bool = True) -> Plan:
    """Return an empty plan that can be filled as this kind."""
    number = TAGS.get(kind) if tagged else None
    tag = None if number is None else pack_tag(number, 0, K.KIND_SEQUENCE <= kind <= K.KIND_EXPLICIT)
    return Plan(K.KIND_EMPTY, f"an empty {Kind(kind).name}", tag, TYPES.get(kind, object))


def made(kind: int) -> Plan:
    """Return a plan of this kind that is not sealed."""
    if kind < K.KIND_SEQUENCE or kind == K.KIND_ANY:
        return Plan(kind, Kind(kind).name, pack_tag(TAGS.get(kind, 4), 0, False), TYPES.get(kind))
    plan = empty(kind)
    if kind in (K.KIND_SEQUENCE, K.KIND_SET, K.KIND_CHOICE, K.KIND_UNION):
        fields = (INTEGER, OID) if kind == K.KIND_SEQUENCE else (INTEGER, Plan(K.KIND_BOOLEAN, "BOOLEAN", 8))
        plan.set_fields(kind, ("first", "second"), fields, (False, True), (None, None))
    elif kind in (K.KIND_SEQUENCE_OF, K.KIND_SET_OF, K.KIND_EXPLICIT):
        plan.set_element(kind, INTEGER)
    else:
        plan.set_open(kind, OpenTable(), ())
    return plan


def sealed(kind: int) -> Plan:
    plan = made(kind)
    plan.seal()
    return plan


KINDS = [kind for kind in Kind if kind != K.KIND_EMPTY]
STATES: dict[str, Callable[[int], Plan]] = {"empty": empty, "made": made, "sealed": sealed}
PLANS = [(state, kind) for kind in KINDS for state in STATES]


# Calls of each method that changes a plan, with arguments that are valid for some plan, and with invalid ones.
CHANGES: dict[str, Callable[[Plan], object]] = {
    **{
        f"set_fields of {count} as {Kind(kind).name}": lambda plan, kind=kind, count=count: plan.set_fields(
            kind, ("a", "b", "c")[:count], (INTEGER,) * count, (False,) * count, (None,) * count
        )
        for kind in Kind
        for count in (0, 1, 3)
    },
    "set_fields with too few plans": lambda plan: plan.set_fields(K.KIND_SEQUENCE, ("a",), (), (False,), (None,)),
    "set_fields with names that are none": lambda plan: plan.set_fields(
        K.KIND_SEQUENCE, (1,), (INTEGER,), (False,), (None,)
    ),
    "set_fields with plans that are none": lambda plan: plan.set_fields(
        K.KIND_SEQUENCE, ("a",), (Pair,), (False,), (None,)
    ),
    "set_fields of None": lambda plan: plan.set_fields(K.KIND_SET, None, None, None, None),
    "set_fields with 257 members": lambda plan: plan.set_fields(
        K.KIND_SET, tuple(f"a{i}" for i in range(257)), (INTEGER,) * 257, (False,) * 257, (None,) * 257
    ),
    **{
        f"set_default of {index}": lambda plan, index=index: plan.set_default(index, b"\x02\x01\x05", 5)
        for index in (-1, 0, 1, 2)
    },
    "set_default that is not an encoding": lambda plan: plan.set_default(1, b"\x02\x05\x05", 5),
    "set_default that is empty": lambda plan: plan.set_default(1, b"", 5),
    "set_default of None": lambda plan: plan.set_default(1, None, 5),
    **{f"set_one_of {count}": lambda plan, count=count: plan.set_one_of(count) for count in (-1, 0, 1, 2, 9)},
    **{f"set_extensible {place}": lambda plan, place=place: plan.set_extensible(place) for place in (-1, 0, 2, 3)},
    "set_alternatives": lambda plan: plan.set_alternatives([(16, 0), (pack_tag(40, 2, True), 1)]),
    "set_alternatives of none": lambda plan: plan.set_alternatives([]),
    "set_alternatives too far": lambda plan: plan.set_alternatives([(16, 0), (24, 9)]),
    "set_alternatives of other objects than pairs": lambda plan: plan.set_alternatives([(16, 0), 5]),
    "set_alternatives of no list": lambda plan: plan.set_alternatives(None),
    **{
        f"set_element as {Kind(kind).name}": lambda plan, kind=kind: plan.set_element(kind, INTEGER) for kind in Kind
    },
    "set_element of None": lambda plan: plan.set_element(K.KIND_SET_OF, None),
    **{
        f"set_open as {Kind(kind).name}": lambda plan, kind=kind: plan.set_open(kind, OpenTable(), (0, 1))
        for kind in Kind
    },
    "set_open with a path that is none": lambda plan: plan.set_open(
        K.KIND_OPEN, OpenTable(), (0, "a")
    ),
    **{
        f"set_contained as {Kind(kind).name}": lambda plan, kind=kind: plan.set_contained(kind, INTEGER)
        for kind in Kind
    },
    "set_size": lambda plan: plan.set_size(1, 2),
    "set_size of none": lambda plan: plan.set_size(3, 2),
    "set_size below zero": lambda plan: plan.set_size(-1, 2),
    "set_size of a text": lambda plan: plan.set_size(1, "2"),
    "set_constraint": lambda plan: plan.set_constraint(ALPHABET),
    "set_constraint about components": lambda plan: plan.set_constraint(SECOND),
    "set_constraint of None": lambda plan: plan.set_constraint(None),
    "set_range": lambda plan: plan.set_range(b"\x01", b"\x05"),
    "set_range without octets": lambda plan: plan.set_range(b"", None),
    "set_range that is padded": lambda plan: plan.set_range(None, b"\x00\x05"),
    "set_members": lambda plan: plan.set_members({1: "one"}, True),
    "set_members of a named integer": lambda plan: plan.set_members({1: "one"}, False),
    "set_members without numbers": lambda plan: plan.set_members({1: "one", "a": 2}, True),
    "set_members that are too large": lambda plan: plan.set_members({1 << 64: "one"}, True),
    "reset": lambda plan: plan.reset(),
    "seal": lambda plan: plan.seal(),
}
# Calls that succeed on a sealed plan, too, because they change nothing.
HARMLESS = {"seal"}

OCTETS = [bytes.fromhex(text) for text in (
    "", "0500", "020105", "3000", "3003020105", "3006020105020106", "30050201050500", "3103020105", "31060101ff020105",
    "a403020105", "0403020105", "030400020105", "0101ff", "0a0101", "06022a03", "0c0141", "04820105",
)]  # fmt: skip
VALUES: list[Any] = [
    None, 5, True, b"ab", "ab", [5], [], {}, {"first": 5}, {"first": 5, "second": "1.2.3"}, {"number": 5}, {"a": 5},
    Pair(first=1), Numbers([1]), Arms(number=1), derlib.parse(b"\x02\x01\x05"), 1.5, object(), [[5]],
]  # fmt: skip
# Those of them that JSON has.
PARSED: list[Any] = [each for each in VALUES if each is None or type(each) in (int, bool, str, list, dict, float)]
# Functions that take a plan: the name in the stub, and calls of it.
def read_columns(plan: Plan, steps: tuple[Any, ...]) -> None:
    """Read a column of each kind at a path that may not fit the plan."""
    program = _core.ColumnProgram(plan)
    for leaf in _core.ColumnLeaf:
        program.add(leaf.name, leaf, (steps,), width=4)
    arrow.table(derlib.Columns(program, OCTETS, True, 2, None))


TAKES_PLANS: dict[str, list[Callable[[Plan], object]]] = {
    "decode_plan": [lambda plan, each=each: look_at(_core.decode_plan(plan, each)) for each in OCTETS],
    "decode_plan_prefix": [lambda plan, each=each: _core.decode_plan_prefix(plan, each + b"\0") for each in OCTETS],
    "convert_ber": [lambda plan, each=each: look_at(_core.convert_ber(plan, each).value) for each in OCTETS],
    "check_written": [lambda plan, each=each: _core.check_written(plan, each) for each in OCTETS],
    "encode_plan": [lambda plan, each=each: _core.encode_plan(plan, each) for each in VALUES],
    "encode_pieces": [lambda plan, each=each: _core.encode_pieces(plan, each) for each in VALUES],
    "encode_elements": [
        lambda plan, each=each: _core.encode_elements(plan, each) for each in (*VALUES, [1], [1, b"a"], [[1], {}])
    ],
    "is_pair": [_core.is_pair],
    "build_plan": [lambda plan, each=each: look_at(_core.build_plan(plan, each)) for each in VALUES],
    "ColumnProgram": [
        lambda plan, steps=steps: read_columns(plan, steps)
        for steps in [
            (),
            *(((op, number, key),) for op in _core.ColumnStep for number in (0, 1, 9) for key in (None, b"\x2a\x03")),
            ((_core.ColumnStep.STEP_FIELD, 1, None), (_core.ColumnStep.STEP_TYPE, 0, b"\x2a\x03")),
            ((_core.ColumnStep.STEP_ROWS, 0, None), (_core.ColumnStep.STEP_FIELD, 0, None)),
            ((_core.ColumnStep.STEP_KEY, 0, b"\x2a\x03"), (_core.ColumnStep.STEP_FIELD, 1, None)),
        ]
    ],
    "build_json": [lambda plan, each=each: look_at(_core.build_json(plan, json.dumps(each))) for each in PARSED],
    "error_of_selectors": [
        lambda plan, index=index, each=each: _core.error_of_selectors(plan, index, each)
        for index in (-1, 0, 1, 2, 99)
        for each in ({}, {"first": 5}, {"first": b"", "second": None}, {"a": object()})
    ],
    "union_reads_plain": [_core.union_reads_plain],
    "set_associated": [lambda plan: _core.set_associated(plan, plan, plan)],
    "CompiledConstraint": [
        lambda plan, kind=kind: CompiledConstraint(kind, "a rule", plan=plan, values=(b"\x02\x01\x05", b"\x30\x00"))
        for kind in (*ConstraintKind, 0, 99)
    ],
    "Plan": [
        lambda plan: plan.derived(5).seal(),
        lambda plan: inside(plan, lambda outer: outer.set_element(K.KIND_SEQUENCE_OF, plan), Numbers),
        lambda plan: inside(plan, lambda outer: outer.set_element(K.KIND_EXPLICIT, plan), object),
        lambda plan: inside(plan, lambda outer: outer.set_contained(K.KIND_OPEN_OCTETS, plan), object),
        lambda plan: inside(
            plan, lambda outer: outer.set_fields(K.KIND_SEQUENCE, ("first",), (plan,), (True,), (None,)), Pair
        ),
        lambda plan: (
            repr(plan),
            plan.optional,
            plan.default_octets,
            plan.size,
            plan.range,
            plan.constraints,
            plan.selector,
        ),
    ],
    "OpenTable": [lambda plan: OpenTable().set_plan(b"\x2a\x03", plan, True)],
    "FieldReader": [lambda plan: type(vars(Pair)["first"])(plan, 1, "a", "").__get__(Pair(first=1, second=2))],
    "PartReader": [
        lambda plan, each=each, ber=ber, scope=scope: read_parts(plan, each, ber, scope)
        for each in OCTETS
        for ber in (False, True)
        for scope in (b"", b"\x06\x02\x2a\x03")
    ],
    "AlternativeReader": [lambda plan: type(vars(Arms)["text"])(plan, 1, "a", "").__get__(Arms(text="a"))],
}


def inside(plan: Plan, fill: Callable[[Plan], None], type_: Any) -> None:
    """Put a plan into another, and use that."""
    outer = Plan(K.KIND_EMPTY, "outer", pack_tag(16, 0, True), type_)
    fill(outer)
    for octets in OCTETS:
        with contextlib.suppress(*REFUSED):
            look_at(_core.decode_plan(outer, octets))
    for value in VALUES:
        with contextlib.suppress(*REFUSED):
            _core.encode_plan(outer, value)


def read_parts(plan: Plan, octets: bytes, ber: bool, scope: bytes) -> None:
    """Call every method of a `PartReader` that takes a plan, with the header of an element and without contents."""
    parts = _core.PartReader(None, ber)
    head = parts.read_header(None, octets + b"\0", 0, 0, -1, True)
    assert head is not None
    calls: list[Callable[[], object]] = [
        lambda: parts.read_header(plan, octets, 0, 0, -1, True),
        lambda: parts.require_tag(plan, head),
        lambda: parts.in_segments(plan, head),
        lambda: [str(parts.fault(kind, plan, head)) for kind in ("unexpected-tag", "component-missing", "size")],
        lambda: str(parts.truncated(plan, head, len(octets), bool(scope))),
        lambda: [parts.component(plan, following, head) for following in (0, 1, 2, 1 << 40)],
        lambda: parts.member(plan, head),
        lambda: parts.alternative(plan, head),
        lambda: parts.selected(plan, None, scope),
        lambda: parts.selected(INTEGER, plan, scope),
        lambda: parts.selected(plan, plan, scope),
        lambda: look_at(parts.value(plan, octets, 0, 0, -1, 0)),
        lambda: look_at(parts.value(plan, octets, 0, 0, -1, 5, plan, scope)),
        lambda: look_at(parts.converted_value(plan, octets, 0, 0)),
        lambda: look_at(parts.converted_value(plan, octets, 0, 5, plan, scope)),
    ]
    for call in calls:
        with contextlib.suppress(*REFUSED):
            call()


def look_at(value: Any) -> None:
    """Read everything in a value."""
    repr(value)
    if isinstance(value, _core.View):
        value.to_native()
        repr(value.span())
        for element in value if isinstance(value, _core.ListView) else ():
            repr(element)


def described(plan: Plan) -> tuple[Any, ...]:
    return (
        plan.kind, plan.tag, plan.names, plan.plans, plan.optional, plan.defaults, plan.default_octets,
        plan.alternatives, plan.insertion, plan.element, plan.one_of, plan.selector, plan.table, plan.size, plan.range,
        plan.constraints, plan.contained, plan.sealed,
    )  # fmt: skip


@pytest.mark.parametrize(("state", "kind"), PLANS, ids=[f"{state} {Kind(kind).name}" for state, kind in PLANS])
def test_a_call_that_is_rejected_leaves_the_plan_as_it_was(state, kind):
    refused = 0
    for name, change in CHANGES.items():
        plan = STATES[state](kind)
        before = described(plan)
        try:
            change(plan)
        except REFUSED:
            refused += 1
            assert described(plan) == before, name
        else:
            assert state != "sealed" or name in HARMLESS, name
        for octets in OCTETS:
            with contextlib.suppress(*REFUSED):
                look_at(_core.decode_plan(plan, octets))
    assert refused > 20


@pytest.mark.parametrize(("state", "kind"), PLANS, ids=[f"{state} {Kind(kind).name}" for state, kind in PLANS])
def test_a_derived_plan_does_not_change_its_base(state, kind):
    for name, change in CHANGES.items():
        base = STATES[state](kind)
        derived = base.derived(5)
        before = described(base)
        with contextlib.suppress(*REFUSED):
            change(derived)
        if name != "seal":
            assert described(base) == before, name


@pytest.mark.parametrize("fill", ["set_element", "set_fields", "set_open", "set_contained"])
def test_a_derived_plan_is_filled_by_its_base_alone(fill):
    # If it were filled itself, it would have one element and the node of another, without a check.
    fills = {
        "set_element": lambda plan, inner: plan.set_element(K.KIND_SEQUENCE_OF, inner),
        "set_fields": lambda plan, inner: plan.set_fields(K.KIND_SEQUENCE, ("a",), (inner,), (False,), (None,)),
        "set_open": lambda plan, inner: plan.set_open(K.KIND_OPEN, OpenTable(), ()),
        "set_contained": lambda plan, inner: plan.set_contained(K.KIND_OPEN_OCTETS, inner),
    }
    type_ = Pair if fill == "set_fields" else Numbers
    base = Plan(K.KIND_EMPTY, "base", pack_tag(16, 0, True), type_)
    derived = base.derived()
    with pytest.raises(SchemaError, match="derived from another one"):
        fills[fill](derived, INTEGER)
    selected = Plan(K.KIND_EMPTY, "open type")
    selected.set_open(K.KIND_OPEN, OpenTable(), (1000000,))
    fills[fill](base, selected)
    outer = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    outer.set_fields(K.KIND_SEQUENCE, ("a", "b"), (OID, derived), (False, False), (None, None))
    if fill == "set_element":
        with pytest.raises(SchemaError, match="selector"):
            _core.decode_plan(outer, bytes.fromhex("3008 06022a03 3002 0500"))


def test_a_default_that_its_field_cannot_have_is_rejected_each_time():
    plan = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    plan.set_fields(K.KIND_SEQUENCE, ("first", "second"), (OID, INTEGER), (False, True), (None, None))
    plan.set_default(1, b"\x01\x01\xff", True)
    for _ in range(2):
        with pytest.raises(SchemaError, match="default of second of Pair is not a value of its type"):
            _core.decode_plan(plan, bytes.fromhex("3004 06022a03"))
        assert not plan.sealed
    plan.set_default(1, b"\x02\x01\x05", 5)
    assert _core.decode_plan(plan, bytes.fromhex("3004 06022a03")).span("second") is None
    assert plan.sealed


def test_a_type_that_is_registered_while_another_one_is_compiled_stays_registered():
    table = OpenTable()
    open_type = Plan(K.KIND_EMPTY, "open type")
    open_type.set_open(K.KIND_OPEN, table, ())
    open_type.seal()
    late = Plan(K.KIND_EMPTY, "late", pack_tag(16, 0, True), Numbers)
    keys = [bytes([42, i]) for i in range(60)]

    def compile(plan: Plan) -> None:
        for key in keys:
            table.set_plan(key, INTEGER, False)
        plan.compiler = None
        plan.set_element(K.KIND_SEQUENCE_OF, INTEGER)

    late.compiler = compile
    table.set_plan(b"\x2a\x7f", late, False)
    assert [table.plan_for(key) for key in keys] == [INTEGER] * 60
    assert table.plan_for(b"\x2a\x7f") is late


def test_tags_that_unknown_alternatives_cannot_have_outlast_a_change_of_the_choice():
    choice = Plan(K.KIND_EMPTY, "Arms", None, Arms)
    choice.set_fields(
        K.KIND_CHOICE, ("number", "text"), (INTEGER, Plan(K.KIND_BOOLEAN, "BOOLEAN", 8)), (False,) * 2, (None,) * 2
    )
    choice.set_extensible(2)
    choice.set_alternatives([(16, 0), (8, 1)])
    outer = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    outer.set_fields(K.KIND_SEQUENCE, ("first", "second"), (choice, OID), (True, False), (None, None))
    outer.exclude_alternatives(0, (pack_tag(6, 0, False),))
    choice.set_alternatives([(16, 0), (8, 1)])
    view = _core.decode_plan(outer, bytes.fromhex("3004 06022a03"))
    assert view.span("first") is None
    assert view.span("second").offset == 2


@pytest.mark.parametrize(("state", "kind"), PLANS, ids=[f"{state} {Kind(kind).name}" for state, kind in PLANS])
def test_functions_accept_or_reject_plans_of_every_kind(state, kind):
    for calls in TAKES_PLANS.values():
        for call in calls:
            with contextlib.suppress(*REFUSED):
                call(STATES[state](kind))


@pytest.mark.parametrize("name", TAKES_PLANS)
def test_functions_that_take_a_plan_reject_other_objects(name):
    function = getattr(_core, name)
    for wrong in (None, 5, "INTEGER", int, Pair, Pair(first=1), object()):
        if name == "OpenTable":
            with pytest.raises(TypeError):
                OpenTable().set_plan(b"\x2a\x03", wrong, True)
        elif name != "Plan":
            with pytest.raises((TypeError, SchemaError)):
                function(wrong, wrong, wrong)


def test_the_stub_names_no_other_function_that_takes_plans():
    stub = (Path(_core.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    functions = set(re.findall(r"^def (\w+)\((?:[^)]*[ (])?\w+: Plan\b", stub, re.MULTILINE))
    classes = {
        match[1] for match in re.finditer(r"^class (\w+)[^\n]*\n((?:    [^\n]*\n|\n)+)", stub, re.MULTILINE)
        if re.search(r": (tuple\[)?Plan\b[^\n]*[,)]", match[2])
    }  # fmt: skip
    assert functions | classes | {"Plan"} == set(TAKES_PLANS)


@pytest.mark.parametrize("kind", [K.KIND_ENUMERATED, K.KIND_NAMED_INTEGER, K.KIND_NAMED_BITS])
@pytest.mark.parametrize("type_", [None, int, Pair, 5])
def test_an_enumeration_without_its_class_is_rejected(kind, type_):
    plan = Plan(kind, "Bare", pack_tag(TAGS[kind], 0, False), type_)
    for use in (plan.seal, lambda: _core.encode_plan(plan, 1), lambda: _core.decode_plan(plan, b"\x0a\x01\x01")):
        with pytest.raises(SchemaError, match="is not an enumeration"):
            use()


def test_elements_need_the_plan_of_a_list():
    with pytest.raises(TypeError, match="expected the plan of a list, got that of INTEGER"):
        _core.encode_elements(INTEGER, [1])


def test_the_first_view_seals_the_plan_and_all_that_it_refers_to():
    inner = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    inner.set_fields(K.KIND_SEQUENCE, ("first",), (INTEGER,), (False,), (None,))
    table = OpenTable()
    table.set_plan(b"\x2a\x03", inner, False)
    outer = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    open_type = Plan(K.KIND_EMPTY, "open type")
    open_type.set_open(K.KIND_OPEN, table, (0,))
    outer.set_fields(K.KIND_SEQUENCE, ("first", "second"), (OID, open_type), (False, False), (None, None))
    view = _core.decode_plan(outer, bytes.fromhex("3009 06022a03 3003020105"))
    for plan in (inner, outer, open_type):
        assert plan.sealed
        with pytest.raises(SchemaError, match="in use"):
            plan.reset()
    with pytest.raises(SchemaError, match="not complete"):
        table.set_plan(b"\x2a\x04", empty(K.KIND_SEQUENCE), False)
    assert set(table.plans) == {b"\x2a\x03"}
    # The class has another plan, with which the bytes were not validated.
    with pytest.raises(TypeError, match="were validated as Pair"):
        view.to_native()


def test_a_plan_keeps_its_kind_while_a_value_is_encoded_with_it():
    plan = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    plan.set_fields(K.KIND_SEQUENCE, ("first",), (INTEGER,), (False,), (None,))
    errors = []

    class Late(Mapping[str, int]):
        def __getitem__(self, name: str) -> int:
            return 5

        def __len__(self) -> int:
            return 1

        def __iter__(self) -> Iterator[str]:
            try:
                plan.reset()
            except SchemaError as error:
                errors.append(str(error))
            return iter(["first"])

    assert _core.encode_plan(plan, Late()) == bytes.fromhex("3003020105")
    assert errors == ["the plan of Pair is in use and cannot be emptied"]
    plan.reset()
    assert plan.kind == K.KIND_EMPTY


def test_a_plan_that_was_emptied_can_be_filled_again():
    plan = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    for names in (("first",), ("first", "second", "third")):
        plan.set_fields(K.KIND_SEQUENCE, names, (INTEGER,) * len(names), (False,) * len(names), (None,) * len(names))
        derived = plan.derived(5)
        reader = type(vars(Pair)["first"])(plan, len(names) - 1, names[-1], "")
        if len(names) == 1:
            stale = derived
            plan.reset()
    view = _core.decode_plan(plan, bytes.fromhex("3009 020101 020102 020103"))
    assert reader.__get__(view) == 3
    assert view.span("third").offset == 8
    with pytest.raises(SchemaError, match="not complete"):
        _core.decode_plan(stale, b"\x30\x00")


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_descriptor_of_a_replaced_plan_reads_no_other_field(rounds):
    plan = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    for _ in range(rounds):
        plan.set_fields(K.KIND_SEQUENCE, ("a", "b"), (INTEGER,) * 2, (False,) * 2, (None,) * 2)
        reader = type(vars(Pair)["first"])(plan, 1, "b", "")
        plan.reset()
    plan.set_fields(K.KIND_SEQUENCE, ("a",), (INTEGER,), (False,), (None,))
    gc.collect()
    with pytest.raises(TypeError, match="cannot be read"):
        reader.__get__(_core.decode_plan(plan, bytes.fromhex("3003020105")))


def test_a_selector_that_leads_to_no_field_is_rejected():
    for path in [(5,), (-1,), (0, 0), (1, 7)]:
        plan = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
        inner = Plan(K.KIND_EMPTY, "open type")
        inner.set_open(K.KIND_OPEN, OpenTable(), path)
        within = Plan(K.KIND_EMPTY, "list", pack_tag(16, 0, True), Numbers)
        within.set_element(K.KIND_SEQUENCE_OF, inner)
        plan.set_fields(K.KIND_SEQUENCE, ("a", "b"), (OID, within), (False, False), (None, None))
        with pytest.raises(SchemaError, match="selector"):
            _core.decode_plan(plan, bytes.fromhex("3008 06022a03 3002 0500"))
        with pytest.raises(SchemaError, match="selector"):
            _core.encode_plan(plan, {"a": "1.2.3", "b": []})


def test_types_that_contain_themselves_without_a_tag_between_are_rejected():
    outer, inner = (Plan(K.KIND_EMPTY, name, 5) for name in ("outer", "inner"))
    outer.set_element(K.KIND_EXPLICIT, inner)
    inner.set_element(K.KIND_EXPLICIT, outer)
    choice = Plan(K.KIND_EMPTY, "a union")
    choice.set_fields(K.KIND_UNION, ("a",), (choice,), (False,), (None,))
    choice.set_alternatives([(16, 0)])
    for plan in (outer, choice):
        with pytest.raises(SchemaError, match="contains itself"):
            _core.decode_plan(plan, b"\x02\x01\x05")


def test_a_class_that_failed_to_compile_can_be_used_when_its_names_are_known():
    class Early(Sequence):
        late: Late  # noqa: F821
        number: int = 5

    with pytest.raises(SchemaError, match="Late"):
        Early.decode(b"\x30\x00")
    assert Early.__plan__.kind == K.KIND_EMPTY


NO_VALUES = {
    "an empty identifier": (K.KIND_OBJECT_IDENTIFIER, b"\x06\x00"),
    "an empty number": (K.KIND_INTEGER, b"\x02\x00"),
    "a padded number": (K.KIND_INTEGER, b"\x02\x02\x00\x01"),
    "another tag": (K.KIND_INTEGER, b"\x30\x00"),
}


@pytest.mark.parametrize("value", [5, Pair(first=1)], ids=["data", "view"])
@pytest.mark.parametrize(("kind", "octets"), NO_VALUES.values(), ids=NO_VALUES)
def test_a_default_that_is_not_a_value_of_its_type_is_rejected(kind, octets, value):
    field = Plan(kind, "field", pack_tag(TAGS[kind], 0, False))
    plan = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    plan.set_fields(K.KIND_SEQUENCE, ("first",), (field,), (True,), (None,))
    plan.set_default(0, octets, value)
    # Again: a plan that was rejected once is not sealed by it.
    for _ in range(2):
        with pytest.raises(SchemaError, match=r"^the default of first of Pair is not a value of its type: at offset 0"):
            _core.decode_plan(plan, b"\x30\x00")


def test_types_that_are_registered_during_a_compilation_stay_registered():
    table = OpenTable()
    value = Plan(K.KIND_EMPTY, "open type")
    value.set_open(K.KIND_OPEN, table, (0,))
    outer = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)
    outer.set_fields(K.KIND_SEQUENCE, ("kind", "value"), (OID, value), (False, False), (None, None))
    outer.seal()
    late = Plan(K.KIND_EMPTY, "Pair", pack_tag(16, 0, True), Pair)

    def compile_late(plan):
        plan.compiler = None
        plan.set_fields(K.KIND_SEQUENCE, ("first",), (INTEGER,), (False,), (None,))
        for number in range(40):
            table.set_plan(bytes([42, number]), INTEGER, False)

    late.compiler = compile_late
    table.set_plan(b"\x2a\x7f", late, False)
    assert [table.plan_for(bytes([42, number])) for number in range(40)] == [INTEGER] * 40
    assert table.plan_for(b"\x2a\x7f") is late


def test_a_constraint_that_no_longer_fits_its_type_is_rejected_when_the_plan_is_sealed():
    element = Plan(K.KIND_EMPTY, "Element", pack_tag(16, 0, True), Pair)
    element.set_fields(K.KIND_SEQUENCE, ("a", "b"), (INTEGER, INTEGER), (False, False), (None, None))
    elements = Plan(K.KIND_EMPTY, "Elements", pack_tag(16, 0, True), Numbers)
    elements.set_element(K.KIND_SEQUENCE_OF, element)
    constrained = elements.derived()
    constrained.set_constraint(
        CompiledConstraint(ConstraintKind.CONSTRAINT_ELEMENTS, "WITH COMPONENT", constraints=(SECOND,)))
    element.reset()
    element.set_fields(K.KIND_SEQUENCE, ("a",), (INTEGER,), (False,), (None,))
    with pytest.raises(derlib.SchemaError, match="the constraint WITH COMPONENT does not apply to Elements"):
        constrained.seal()


@pytest.mark.parametrize("chosen", [5, "Pair", None, int, object(), Sequence.decode, _core.View])
def test_the_function_that_chooses_tables_must_return_a_schema_class(chosen):
    from derlib._schema import classes

    _core.choose_tables_with(lambda cls, tables: chosen)
    try:
        for decode in (Pair.decode, Pair.decode_prefix):
            with pytest.raises(TypeError, match="is not a schema class"):
                decode(b"\x30\x03\x02\x01\x05", open_types={})
    finally:
        _core.choose_tables_with(classes._with_tables)
