"""Views with another class, and classes with another plan: each view is read with the plan it was validated with.

Most of this would read outside of the input if it were wrong; the sanitizers (`make sanitize`) detect more.
"""

from __future__ import annotations

import contextlib
import copy
import pickle
import re
import types
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from test_memory_safety import OPERATIONS, POINT, Pair, Pick, Point, is_refused

import derlib
from derlib import ASN1Error, Choice, Explicit, Implicit, Sequence, SequenceOf, SetOf


class Wide(Sequence):
    a: int
    b: int
    c: int


class Deep(Sequence, tag=Explicit(3)):
    wide: Wide


class Narrow(Choice):
    text: Annotated[str, Implicit(0)]


# Operations that use the plan of the class.
BY_CLASS: dict[str, Callable[[Any], object]] = {
    "to_native": lambda v: v.to_native(),
    "to_json": lambda v: v.to_json(),
    "encode": lambda v: v.encode(),
    "der": lambda v: v.der,
    "<": lambda v: v < v,
    "pickle": pickle.dumps,
    "old pickle": lambda v: pickle.dumps(v, 2),
}
ALL = {**OPERATIONS, **BY_CLASS, "pretty": derlib.pretty, "replace": lambda v: v.replace(x=1),
       "deviations": lambda v: v.deviations, "in a list": lambda v: SequenceOf[Wide]([v])}
VIEWS: list[Any] = [
    (Point, POINT, (Wide, Deep)),
    (Deep, bytes.fromhex("a30d 300b 3009 020101 020102 020103"), (Point, Wide)),
    (Pair, bytes.fromhex("3106 0101ff 020105"), (Point, Deep)),
    (Pick, bytes.fromhex("020107"), (Narrow,)),
    (SequenceOf[int], bytes.fromhex("3003020107"), (SequenceOf[Wide], SequenceOf[bool], SetOf[int])),
]


@pytest.mark.parametrize(("type_", "octets", "others"), VIEWS)
def test_the_class_of_a_view_cannot_be_set(type_: Any, octets: bytes, others: tuple[Any, ...]):
    view = type_.decode(octets)
    for other in (*others, type_, int):
        for give in (setattr, object.__setattr__):
            with pytest.raises(TypeError, match=f"the class of a {re.escape(type_.__name__)} cannot be set"):
                give(view, "__class__", other)
    assert type(view) is view.__class__ is type_
    assert isinstance(view, type_)
    assert not isinstance(view, others)
    for again in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view)), type_.decode(view.encode())):
        assert again == view
        assert type(again) is type_


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("type_", "octets", "others"), VIEWS)
def test_a_view_of_another_class_is_read_with_its_own_plan(
    type_: Any, octets: bytes, others: tuple[Any, ...], name: str
):
    for other in others:
        view = type_.decode(octets)
        # Without the property of derlib, through that of Python.
        object.__dict__["__class__"].__set__(view, other)
        assert type(view) is other
        with contextlib.suppress(ValueError):
            is_refused(ALL[name], view)
        if name in BY_CLASS:
            with pytest.raises(TypeError, match=r"the bytes of this .* were validated as"):
                ALL[name](view)
        object.__dict__["__class__"].__set__(view, type_)
        assert view.encode() == octets


def test_no_field_of_another_class_is_read():
    view = Point.decode(POINT)
    object.__dict__["__class__"].__set__(view, Wide)
    for name in ("a", "b", "c"):
        with pytest.raises(TypeError, match="cannot be read from Wide"):
            getattr(view, name)


@pytest.mark.parametrize("other", [SequenceOf[int], Wide, Pick])
def test_a_view_whose_class_gets_another_plan_is_read_with_its_own(other: Any):
    class_ = types.new_class("Given", (Point,))
    view = class_.decode(POINT)
    class_.__plan__ = other.__plan__
    for operation in ALL.values():
        is_refused(operation, view)
    for operation in BY_CLASS.values():
        with pytest.raises(TypeError, match="the bytes of this Given were validated as Given"):
            operation(view)
    assert view.x == Point.decode(POINT).x


@pytest.mark.parametrize(
    ("base", "plan", "values"),
    [(SequenceOf[int], Point, {"x": 1, "y": b""}), (Pick, SequenceOf[int], [1]), (Point, SequenceOf[int], [1]),
     (Point, Pick, {"number": 1}), (Pick, Point, {"x": 1, "y": b""}), (Point, Wide, {"a": 1, "b": 2, "c": 3})],
)
def test_no_value_is_built_with_the_plan_of_another_class(base: Any, plan: Any, values: Any):
    class_ = types.new_class("Built", (base,))
    class_.__plan__ = plan.__plan__
    for call in (lambda: class_(values), lambda: class_(**values), lambda: class_.__new__(class_).__init__(values)):
        with pytest.raises((TypeError, ASN1Error)):
            call()
    # A decoded value has the class of the plan.
    with contextlib.suppress(ASN1Error):
        assert type(class_.decode(derlib.encode(values, plan))) is plan
