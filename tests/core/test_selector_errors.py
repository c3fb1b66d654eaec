"""Values of open types: a fault of the selector is reported at the selector, not at the value that it selects."""

import json
from typing import Annotated, Any

import pytest

from derlib import ConstraintError, DefinedBy, Explicit, ObjectIdentifier, OpenTypes, Sequence, SequenceOf, Set

BODIES = OpenTypes("BODIES")
NUMBERED = OpenTypes("NUMBERED", {1: int, 2: str})


class Ping(Sequence):
    count: int


BODIES.register("2.999.1", Ping)


class Body(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", BODIES)]


BODIES.register("2.999.2", Body)


class Bodies(Sequence):
    kind: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("kind", BODIES)]]


class Member(Set):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", BODIES), Explicit(0)]


class Extended(Sequence, extensible=True):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", BODIES)]


class Header(Sequence):
    kind: ObjectIdentifier


class Nested(Sequence):
    header: Header
    value: Annotated[Any, DefinedBy("header.kind", BODIES)]


class Numbered(Sequence):
    number: int
    value: Annotated[Any, DefinedBy("number", NUMBERED)] | None = None


class Outer(Sequence):
    bodies: SequenceOf[Body]


PING = {"count": 5}
# A type, plain data that is also JSON, the path of the error, and its message without the path.
FAULTS = [
    (Body, {"value": PING}, ("kind",), "missing field (OBJECT IDENTIFIER)"),
    (Body, {"kind": "2.999.x", "value": PING}, ("kind",), "'2.999.x' is not a dotted OBJECT IDENTIFIER"),
    (Body, {"kin": "2.999.1", "value": PING}, (), "Body has no field 'kin'; did you mean 'kind'?"),
    (Body, {"kind": "2.999.1", "value": {"count": "x"}}, ("value", "count"), None),
    (Body, {"kind": "2.999.9", "value": PING}, ("value",), None),
    (Bodies, {"values": [PING]}, ("kind",), "missing field (OBJECT IDENTIFIER)"),
    (Bodies, {"kind": "x", "values": [PING]}, ("kind",), "'x' is not a dotted OBJECT IDENTIFIER"),
    (Bodies, {"kind": "2.999.1", "values": [PING, 5]}, ("values", 1), None),
    (Member, {"kind": "x", "value": PING}, ("kind",), "'x' is not a dotted OBJECT IDENTIFIER"),
    (Member, {"value": PING}, ("kind",), "missing field (OBJECT IDENTIFIER)"),
    (Extended, {"kind": "x", "value": PING}, ("kind",), "'x' is not a dotted OBJECT IDENTIFIER"),
    (Extended, {"kin": "x", "value": PING}, (), "Extended has no field 'kin'; did you mean 'kind'?"),
    (Nested, {"value": PING}, ("header",), "missing field (Header)"),
    (Nested, {"header": {"kind": "x"}, "value": PING}, ("header", "kind"), "'x' is not a dotted OBJECT IDENTIFIER"),
    (Numbered, {"value": 5}, ("number",), "missing field (INTEGER)"),
    (Numbered, {"numbr": 1, "value": 5}, (), "Numbered has no field 'numbr'; did you mean 'number'?"),
    (Outer, {"bodies": [{"value": PING}]}, ("bodies", 0, "kind"), "missing field (OBJECT IDENTIFIER)"),
]


def fault_of(call: Any) -> tuple[tuple[str | int, ...], str]:
    with pytest.raises(ConstraintError) as caught:
        call()
    return caught.value.path, caught.value.args[0]


@pytest.mark.parametrize(("cls", "data", "path", "message"), FAULTS)
def test_a_fault_of_the_selector_is_reported_at_the_selector(cls: Any, data: Any, path: Any, message: str | None):
    for call in (lambda: cls.from_native(data), lambda: cls.from_json(json.dumps(data)), lambda: cls(**data)):
        found, said = fault_of(call)
        assert found == path
        assert message is None or said == message


@pytest.mark.parametrize("value", ["0500", {"count": 5}])
def test_an_invalid_selector_is_reported_whatever_its_value_is(value: Any):
    assert fault_of(lambda: Body.from_json(json.dumps({"kind": "2.999.x", "value": value})))[0] == ("kind",)
    assert fault_of(lambda: Numbered.from_json(json.dumps({"number": "one", "value": value})))[0] == ("number",)


def test_the_path_leads_through_open_types_to_the_selector():
    data: Any = {"value": PING}
    for _ in range(40):
        data = {"kind": "2.999.2", "value": data}
    for call in (lambda: Body.from_native(data), lambda: Body.from_json(json.dumps(data))):
        assert fault_of(call) == (("value",) * 40 + ("kind",), "missing field (OBJECT IDENTIFIER)")
