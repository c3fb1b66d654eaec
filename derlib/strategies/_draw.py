"""From a plan to one element of its type, drawn by hypothesis.

`derlib.strategies._public` calls `elements`. What is drawn is DER by its making: members of a SET are put in order,
defaults left out. A budget of elements bounds what is drawn; where it is spent, what can be absent is, and recursion
takes the shortest way out.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from typing import Any, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from derlib._associated import CharacterString, External
from derlib._compile import plan_of
from derlib._core import Kind as K
from derlib._core import ObjectIdentifier, OpenTable, Plan, RelativeOID, decode_plan, tag_number
from derlib._types import OIDIRI, DateTime, ISOTime, ObjectDescriptor, Real
from derlib.errors import SchemaError
from derlib.strategies._contents import RULES, contents_of, sizes
from derlib.strategies._elements import Element, canonical, of_children

BUDGET = 60         # elements, or a few more
DEPTH = 12          # below this many levels all is kept as small as can be
OPEN_STRINGS = (K.KIND_OPEN_OCTETS, K.KIND_OPEN_BITS)
OPEN = (K.KIND_OPEN, *OPEN_STRINGS)
CHOICES = (K.KIND_CHOICE, K.KIND_UNION)
FIELDS = (K.KIND_SEQUENCE, K.KIND_SET)
LISTS = (K.KIND_SEQUENCE_OF, K.KIND_SET_OF)

MORE = st.sampled_from([False, True, True])

# Where an OBJECT IDENTIFIER selects: the fields that lead to it, and the tables that it is looked up in.
Wanted: TypeAlias = dict[tuple[int, ...], list[OpenTable]]


@functools.lru_cache(maxsize=1024)
def elements(plan: Plan, beyond: bool) -> SearchStrategy[Element]:
    """A strategy of elements of a type; `beyond` lets in legal values that Python cannot hold."""
    return _elements(plan, beyond)


@st.composite
def _elements(draw: DrawFn, plan: Plan, beyond: bool) -> Element:
    plan.ready()
    drawing = Drawing(draw, beyond)
    if drawing.height(plan) == inf:
        raise SchemaError(f"{plan.name} has no value of finite size, so none can be drawn")
    return drawing.element(plan, BUDGET)


def inner_plans(plan: Plan) -> tuple[Plan, ...]:
    """The plans that a plan is made of, open types aside."""
    if plan.kind in LISTS or plan.kind == K.KIND_EXPLICIT:
        return (plan.element,)
    return plan.plans or ()


@functools.lru_cache(maxsize=1024)
def heights(root: Plan) -> dict[Plan, float]:
    """How many levels the flattest value of each plan within `root` has; infinite where there is none."""
    found: dict[Plan, float] = {}
    todo = [root]
    while todo:
        plan = todo.pop()
        if plan not in found:
            refuse_unknown(plan)
            found[plan] = inf
            todo.extend(inner_plans(plan))
    before: dict[Plan, float] = {}
    while before != found:
        before = dict(found)
        for plan in found:
            parts = [found[part] for part in inner_plans(plan)]
            if plan.kind in FIELDS:
                found[plan] = 1 + max((part for part, left_out in zip(parts, plan.optional, strict=True)
                                       if not left_out), default=0)
            elif plan.kind in CHOICES:
                found[plan] = min(parts)
            elif plan.kind in LISTS:
                found[plan] = 1 + (parts[0] if plan.size and plan.size[0] else 0)
            else:
                found[plan] = 1 + max(parts, default=0)
    return found


@functools.lru_cache(maxsize=1024)
def selectors(plan: Plan) -> tuple[tuple[tuple[int, ...], OpenTable], ...]:
    """The selectors in the SEQUENCE around that the open types within a field have, with their tables."""
    found = []
    seen = set()
    todo = [plan]
    while todo:
        part = todo.pop()
        if part in seen or part.kind in FIELDS:
            continue
        seen.add(part)
        if part.kind in OPEN and part.selector and part.table is not None:
            found.append((part.selector, part.table))
        todo.extend(inner_plans(part))
    return tuple(found)


class Scope:
    """A SEQUENCE that is being drawn: where open types within it find their selector."""

    def __init__(self, plan: Plan, children: list[Element]) -> None:
        self.plan = plan
        self.children = children

    def selected(self, selector: tuple[int, ...]) -> bytes | None:
        """The contents octets of the OBJECT IDENTIFIER that a selector leads to; None where it is absent."""
        plan, children = self.plan, self.children
        found: Element | None = None
        for step, number in enumerate(selector):
            found = next((child for child in children if child.number == number), None)
            if found is None:
                return self._by_default(plan, selector[step:])
            plan, children = plan.plans[number], list(found.children)
        return None if found is None else found.contents

    def _by_default(self, plan: Plan, selector: tuple[int, ...]) -> bytes | None:
        # What is left out has its default value (X.680 25, DEFAULT), and that selects as well.
        octets = plan.default_octets[selector[0]]
        if octets is None:
            return None
        plan = plan.plans[selector[0]]
        value = decode_plan(plan, octets)
        for number in selector[1:]:
            value, plan = getattr(value, plan.names[number]), plan.plans[number]
        return value.contents if isinstance(value, ObjectIdentifier) else None


class Drawing:
    """One element that is being drawn, with what was spent on it so far."""

    def __init__(self, draw: DrawFn, beyond: bool) -> None:
        self.draw = draw
        self.beyond = beyond
        self.spent = 0
        self.known_heights: dict[Plan, float] = {}

    def height(self, plan: Plan) -> float:
        if plan not in self.known_heights:
            self.known_heights.update(heights(plan))
        return self.known_heights[plan]

    def element(
        self, plan: Plan, budget: int, depth: int = 0, scope: Scope | None = None, wanted: Wanted | None = None
    ) -> Element:
        """An element of the type, of about `budget` elements.

        Args:
            depth: how many elements stand around it.
            scope: the SEQUENCE in which open types find their selector.
            wanted: the identifiers within it that select open types elsewhere.
        """
        self.spent += 1
        small = budget <= 1 or depth >= DEPTH
        kind = plan.kind
        if kind in FIELDS:
            return self.of_fields(plan, budget, depth, wanted or {}, small)
        if kind in LISTS:
            return self.of_list(plan, budget, depth, scope, small)
        if kind in CHOICES:
            return self.of_choice(plan, budget, depth, scope, small)
        if kind == K.KIND_EXPLICIT:
            return of_children(plan, [self.element(plan.element, budget, depth + 1, scope)])
        if kind in OPEN:
            return self.of_open(plan, budget, depth, scope, small)
        if kind == K.KIND_ANY:
            return self.of_any(plan, budget, depth)
        if wanted and kind == K.KIND_OBJECT_IDENTIFIER and not small:
            contents = self.draw(identifiers_of(wanted.get((), [])))
        else:
            contents = self.draw(contents_of(plan, self.beyond))
        if plan.tag is None:
            raise SchemaError(f"derlib.strategies cannot draw {plan.name}: it has no tag")
        return Element(plan, plan.tag, contents)

    def of_fields(self, plan: Plan, budget: int, depth: int, wanted: Wanted, small: bool) -> Element:
        """A SEQUENCE or SET: each field gets a share of what is left."""
        before = self.spent
        children: list[Element] = []
        scope = Scope(plan, children)
        merged = dict(wanted)
        for part in plan.plans:
            for selector, table in selectors(part):
                merged[selector] = [*merged.get(selector, []), table]
        optional, defaults = plan.optional, plan.default_octets
        for number, part in enumerate(plan.plans):
            share = 2 * (budget - self.spent + before) // (len(plan.plans) - number + 1)
            # X.690 8.18: an EXTERNAL has one of its references at least; where it has no other, the last.
            left_out = optional[number] and not (number == plan.one_of - 1 and not children)
            if left_out and (small or self.height(part) == inf or not self.draw(st.booleans())):
                continue
            below = {path[1:]: tables for path, tables in merged.items() if path and path[0] == number}
            child = self.element(part, share, depth + 1, scope, below)
            # X.690 11.5: what equals its default is left out.
            if child.octets != defaults[number]:
                children.append(replace(child, number=number))
        if plan.kind == K.KIND_SET:
            children.sort(key=lambda child: canonical(child.tag))
        return of_children(plan, children)

    def of_list(self, plan: Plan, budget: int, depth: int, scope: Scope | None, small: bool) -> Element:
        """A SEQUENCE OF or SET OF: a few elements, and now and then many that are alike."""
        low, high = sizes(plan)
        before = self.spent
        children: list[Element] = []
        most = 0 if self.height(plan.element) == inf else min(high, low + 4, 8)
        # One question for each element rather than a count: so examples shrink by leaving elements out.
        while len(children) < min(low, most) or (len(children) < most and not small and self.draw(MORE)):
            share = (budget - self.spent + before) // 2
            children.append(self.element(plan.element, share, depth + 1, scope))
        count = max(low, len(children))
        if children and not small and high > count and self.draw(st.integers(0, 19)) == 19:
            # Its length needs more octets, or it is as long as it may be.
            count = max(count, self.draw(st.sampled_from([high, min(high, 16), min(high, 128)])))
        children += children[-1:] * (count - len(children))
        if plan.kind == K.KIND_SET_OF:
            # X.690 11.6; no encoding is the beginning of another, so padding with zeros decides nothing.
            children.sort(key=lambda child: child.octets)
        return of_children(plan, children)

    def of_choice(self, plan: Plan, budget: int, depth: int, scope: Scope | None, small: bool) -> Element:
        """One alternative, the flattest first, so that examples shrink to it."""
        flat = sorted(range(len(plan.plans)), key=lambda number: self.height(plan.plans[number]))
        least = self.height(plan.plans[flat[0]])
        limit = least if small else inf
        flat = [number for number in flat if self.height(plan.plans[number]) <= limit]
        flat = [number for number in flat if self.height(plan.plans[number]) < inf]
        number = self.draw(st.sampled_from(flat))
        child = self.element(plan.plans[number], budget, depth, scope)
        arms = (plan.names[number], *child.arms) if plan.kind == K.KIND_CHOICE else child.arms
        return replace(child, choice=plan, arms=arms)

    def of_open(self, plan: Plan, budget: int, depth: int, scope: Scope | None, small: bool) -> Element:
        """An open type: of the type that was selected, or opaque."""
        contents = scope.selected(plan.selector) if scope is not None and plan.selector else None
        entry = None if contents is None or plan.table is None else plan.table.plans.get(contents)
        if entry is None:
            return self.opaque(plan, budget, depth)
        target, soft = entry
        target.ready()
        if self.height(target) == inf:
            raise SchemaError(f"{target.name} has no value of finite size, so none can be drawn")
        if soft and (small or self.draw(st.integers(0, 7)) == 7):
            return self.opaque(plan, budget, depth)
        if plan.kind == K.KIND_OPEN:
            child = self.element(target, budget, depth)
            return replace(child, selected=True, soft=soft)
        child = replace(self.element(target, budget, depth + 1), soft=soft)
        string = of_children(plan, [child], b"\0" if plan.kind == K.KIND_OPEN_BITS else b"")
        size = len(child.octets) * (8 if plan.kind == K.KIND_OPEN_BITS else 1)
        low, high = plan.size or (0, None)
        if size < low or (high is not None and size > high):
            reject()
        return string

    def opaque(self, plan: Plan, budget: int, depth: int) -> Element:
        """A value of an open type of which nothing is known."""
        if plan.kind == K.KIND_OPEN:
            return self.of_any(plan, budget, depth)
        bits = plan.kind == K.KIND_OPEN_BITS
        rule = RULES[K.KIND_BIT_STRING if bits else K.KIND_OCTET_STRING]
        assert plan.tag is not None
        return Element(plan, plan.tag, self.draw(rule.contents(plan, self.beyond)))

    def of_any(self, plan: Plan, budget: int, depth: int) -> Element:
        """Any element: of a universal type, or of a tag that nobody defined."""
        self.spent += 1
        shapes = list(ANY_SHAPES)[: 3 if budget <= 2 or depth >= DEPTH else None]
        tag, contents = ANY_SHAPES[self.draw(st.sampled_from(shapes))](self, budget, depth)
        return Element(plan, tag, contents)


def refuse_unknown(plan: Plan) -> None:
    """Say of what no strategy is written yet; nothing that breaks it may be drawn as a value of it."""
    for there, what in (
        (plan.rules, "constraints other than one Size or one Range"),
        (plan.insertion is not None, "an extension marker"),
        (plan.contained is not None, "a contents constraint"),
    ):
        if there:
            raise SchemaError(f"derlib.strategies cannot draw {plan.name} yet: it has {what}")


def identifiers_of(tables: list[OpenTable]) -> SearchStrategy[bytes]:
    """Contents octets of an OBJECT IDENTIFIER that selects: one that a table knows, now and then another."""
    known = sorted({contents for table in tables for contents in table.plans}, key=lambda octets: (len(octets), octets))
    others = contents_of(plan_of(ObjectIdentifier), False)
    if not known:
        return others
    # The first is what examples shrink to; of the others each table's are the more.
    return st.one_of(st.sampled_from(known), st.sampled_from(known), st.sampled_from(known), others)


# What ANY is drawn from. The first three have no parts.


def any_primitive(type_: Any) -> Callable[[Drawing, int, int], tuple[int, bytes]]:
    def draw(drawing: Drawing, _: int, __: int) -> tuple[int, bytes]:
        plan = plan_of(type_)
        assert plan.tag is not None
        return plan.tag, drawing.draw(contents_of(plan, drawing.beyond))

    return draw


def any_parts(drawing: Drawing, budget: int, depth: int, most: int) -> Iterator[bytes]:
    for _ in range(drawing.draw(st.integers(0, most))):
        yield drawing.of_any(plan_of(Any), budget // most, depth + 1).octets


def any_sequence(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    return tag_number(16, 0, True), b"".join(any_parts(drawing, budget, depth, 3))


def any_set(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    return tag_number(17, 0, True), b"".join(sorted(any_parts(drawing, budget, depth, 3)))


def any_tagged(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    number = drawing.draw(st.sampled_from([0, 1, 30, 31, 127, 128, 2**14, 2**60 - 1]))
    tag_class = drawing.draw(st.sampled_from([2, 1, 3]))
    if drawing.draw(st.booleans()):
        return tag_number(number, tag_class, True), b"".join(any_parts(drawing, budget, depth, 2))
    return tag_number(number, tag_class, False), drawing.draw(st.binary(max_size=10))


def any_associated(type_: Any) -> Callable[[Drawing, int, int], tuple[int, bytes]]:
    def draw(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
        element = drawing.element(plan_of(type_), budget, depth)
        return element.tag, element.contents

    return draw


def any_null(_: Drawing, __: int, ___: int) -> tuple[int, bytes]:
    return tag_number(5, 0, False), b""


ANY_SHAPES: dict[str, Callable[[Drawing, int, int], tuple[int, bytes]]] = {
    "null": any_null,
    "integer": any_primitive(int),
    "octets": any_primitive(bytes),
    "boolean": any_primitive(bool),
    "text": any_primitive(str),
    "identifier": any_primitive(ObjectIdentifier),
    "sequence": any_sequence,
    "set": any_set,
    "tagged": any_tagged,
    "real": any_primitive(Real),
    "relative identifier": any_primitive(RelativeOID),
    "iri": any_primitive(OIDIRI),
    "descriptor": any_primitive(ObjectDescriptor),
    "iso time": any_primitive(ISOTime),
    "date and time": any_primitive(DateTime),
    "external": any_associated(External),
    "character string": any_associated(CharacterString),
}
