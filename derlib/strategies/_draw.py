"""From a plan to one element of its type, drawn by hypothesis.

`derlib.strategies._public` calls `elements`. What is drawn is DER by its making: members of a SET are put in order,
defaults left out. A budget of elements bounds what is drawn; where it is spent, what can be absent is, and recursion
takes the shortest way out.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from derlib._core import Kind as K
from derlib._core import ObjectIdentifier, OpenTable, Plan, decode_plan
from derlib._schema.compiler import plan_of
from derlib.errors import SchemaError
from derlib.strategies._any import ANY_SHAPES, UNKNOWN_TAGS, contents_of_tag
from derlib.strategies._cases import Case, cases, single
from derlib.strategies._constrained import SPANS, narrowed, primitive, sizes
from derlib.strategies._contents import RULES, contents_of, drawn_size
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN, UNKNOWN, Element, canonical, of_children
from derlib.strategies._formulas import TRUE, Formula, every, size
from derlib.strategies._heights import Node, alternatives, height, heights, node, way
from derlib.strategies._match import following, takes_addition, takes_alternative
from derlib.strategies._spans import both, contains

BUDGET = 60         # elements, or a few more
DEPTH = 12          # below this many levels all is kept as small as can be
TRIES = 5           # of what is not drawn by its making, before the example is given up
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
        raise no_value(plan)
    return drawing.element(plan, BUDGET)


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


def no_value(plan: Plan) -> SchemaError:
    return SchemaError(f"{plan.name} has no value of finite size that keeps its constraints, so none can be drawn")


def inner_plans(plan: Plan) -> tuple[Plan, ...]:
    """The plans in whose values open types look for their selector in the same SEQUENCE."""
    if plan.kind in LISTS or plan.kind == K.KIND_EXPLICIT:
        return (plan.element,)
    return plan.plans or ()


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
        return value.content if isinstance(value, ObjectIdentifier) else None


class Place(NamedTuple):
    """Where an element is drawn, and what may be spent on it: as `Drawing.element` takes them."""

    budget: int
    depth: int
    scope: Scope | None
    wanted: Wanted

    @property
    def small(self) -> bool:
        """Whether it is kept as small as can be."""
        return self.budget <= 1 or self.depth >= DEPTH

    def below(self) -> Place:
        """The same for an element inside that is not a component."""
        return Place(self.budget, self.depth + 1, self.scope, {})

    def inside(self) -> Place:
        """The same for the alternative of a CHOICE, which is the same element."""
        return Place(self.budget, self.depth, self.scope, {})


class Drawing:
    """One element that is being drawn, with what was spent on it so far."""

    def __init__(self, draw: DrawFn, beyond: bool) -> None:
        self.draw = draw
        self.beyond = beyond
        self.spent = 0
        self.known_heights: dict[Node, float] = {}

    def height(self, plan: Plan, formula: Formula = TRUE) -> float:
        return self.height_at(node(plan, formula))

    def height_at(self, at: Node) -> float:
        if at not in self.known_heights:
            self.known_heights.update(heights(*at))
        return self.known_heights[at]

    def element(
        self, plan: Plan, budget: int, depth: int = 0, scope: Scope | None = None, wanted: Wanted | None = None,
        formula: Formula = TRUE,
    ) -> Element:
        """An element of the type, of about `budget` elements.

        Args:
            depth: how many elements stand around it.
            scope: the SEQUENCE in which open types find their selector.
            wanted: the identifiers within it that select open types elsewhere.
            formula: what constraints around it say of it, beside its own.
        """
        return self.drawn(node(plan, formula), Place(budget, depth, scope, wanted or {}))

    def drawn(self, at: Node, place: Place) -> Element:
        """An element of a type that keeps a formula, and no other constraint of its type than one Size or Range."""
        plan, formula = at
        self.spent += 1
        if plan.kind == K.KIND_EXPLICIT:
            return of_children(plan, [self.drawn(node(plan.element, formula), place.below())])
        case = self.case(at, place.small)
        if case.among is not None:
            return single(plan, self.draw(st.sampled_from(case.among)))
        for _ in range(TRIES):
            element = self.by_case(plan, case, place)
            octets = element.octets if plan.kind in CHOICES else element.contents
            if octets not in case.barred:
                return element
        return reject()

    def case(self, at: Node, small: bool) -> Case:
        """One of the cases that have values; where little may be drawn, one of the flattest."""
        choices = cases(*at)
        if len(choices) == 1:
            return choices[0]
        least = self.height_at(at)
        flat = [(height(found, self.known_heights), case) for case in choices if (found := way(at[0], case))]
        most = least if small else None
        fitting = [case for levels, case in flat if levels < inf and (most is None or levels <= most)]
        return self.draw(st.sampled_from(fitting))

    def by_case(self, plan: Plan, case: Case, place: Place) -> Element:
        kind = plan.kind
        if kind in FIELDS:
            return self.of_fields(plan, case, place)
        if kind in LISTS:
            return self.of_list(plan, case, place)
        if kind in CHOICES:
            return self.of_choice(plan, case, place)
        if kind in OPEN:
            return self.of_open(plan, case, place)
        if kind == K.KIND_ANY:
            return self.of_any(plan, place.budget, place.depth)
        if place.wanted and kind == K.KIND_OBJECT_IDENTIFIER and not place.small:
            contents = self.draw(identifiers_of(place.wanted.get((), [])))
        else:
            found = primitive(plan, case, self.beyond)
            assert found is not None, plan
            contents = self.draw(found)
        assert plan.tag is not None, plan
        return Element(plan, plan.tag, contents)

    def of_fields(self, plan: Plan, case: Case, place: Place) -> Element:
        """A SEQUENCE or SET: each field gets a share of what is left."""
        before = self.spent
        children: list[Element] = []
        scope = Scope(plan, children)
        merged = dict(place.wanted)
        for part in plan.plans:
            for selector, table in selectors(part):
                merged[selector] = [*merged.get(selector, []), table]
        defaults = plan.default_octets
        # X.690 8.18: an EXTERNAL has one of its references at least; where it has no other, the last that it may have.
        last = max((number for number in range(plan.one_of) if number not in case.absent), default=None)
        for number, part in enumerate(plan.plans):
            if number == plan.insertion and plan.kind == K.KIND_SEQUENCE:
                self.add_unknown(plan, children, place)
            share = 2 * (place.budget - self.spent + before) // (len(plan.plans) - number + 1)
            if number in case.absent:
                continue
            formula = case.child(number)
            may_lack = not case.needs(plan, number) and not (number == last and not children)
            if may_lack and (place.small or self.height(part, formula) == inf or not self.draw(st.booleans())):
                continue
            below = {path[1:]: tables for path, tables in merged.items() if path and path[0] == number}
            child = self.element(part, share, place.depth + 1, scope, below, formula)
            # X.690 11.5: what equals its default is left out.
            if child.octets != defaults[number]:
                children.append(replace(child, number=number))
        if plan.insertion == len(plan.plans) or plan.kind == K.KIND_SET:
            self.add_unknown(plan, children, place)
        if plan.kind == K.KIND_SET:
            children.sort(key=lambda child: canonical(child.tag))
        return of_children(plan, children)

    def add_unknown(self, plan: Plan, children: list[Element], place: Place) -> None:
        """Now and then, additions that the schema does not know."""
        if plan.insertion is None or place.small:
            return
        first = following(plan, children[-1]) if children and plan.kind == K.KIND_SEQUENCE else 0
        for _ in range(max(self.draw(st.integers(0, 4)) - 2, 0)):
            taken = {canonical(child.tag) for child in children} if plan.kind == K.KIND_SET else set()
            tags = [tag for tag in UNKNOWN_TAGS if canonical(tag) not in taken and takes_addition(plan, first, tag)]
            if tags:
                children.append(replace(self.of_unknown_tag(tags, place), number=UNKNOWN))
                first = plan.insertion

    def of_unknown_tag(self, tags: list[int], place: Place) -> Element:
        tag = self.draw(st.sampled_from(tags))
        self.spent += 1
        return Element(plan_of(Any), tag, contents_of_tag(self, tag, place.budget, place.depth + 1))

    def of_list(self, plan: Plan, case: Case, place: Place) -> Element:
        """A SEQUENCE OF or SET OF: a few elements, and now and then many that are alike."""
        spans = both(sizes(plan, case), ((len(case.some), inf),))
        rest = every(*case.each, *case.rest)
        endless = self.height(plan.element, rest) == inf
        fitting = [span for span in spans[:SPANS] if not endless or span[0] <= len(case.some)]
        low, high = drawn_size(fitting[0] if place.small or len(fitting) == 1 else self.draw(st.sampled_from(fitting)))
        before = self.spent
        children: list[Element] = []
        for formula in case.some:
            children.append(self.list_element(plan, every(*case.each, formula), before, place))
        most = len(children) if endless else min(high, max(low, len(children)) + 4, max(8, len(children)))
        # One question for each element rather than a count: so examples shrink by leaving elements out. It is asked
        # behind the last as well, or a full list would not shrink: one with an element less would ask once more.
        while len(children) < min(low, most) or (
            not place.small and self.draw(MORE) and len(children) < most
        ):
            children.append(self.list_element(plan, rest, before, place))
        count = max(low, len(children))
        if len(children) > len(case.some) and not place.small and high > count and self.draw(st.integers(0, 19)) == 19:
            # Its length needs more octets, or it is as long as it may be.
            count = max(count, self.draw(st.sampled_from([high, min(high, 16), min(high, 128)])))
        children += children[-1:] * (count - len(children))
        if plan.kind == K.KIND_SET_OF:
            # X.690 11.6; no encoding is the beginning of another, so padding with zeros decides nothing.
            children.sort(key=lambda child: child.octets)
        return of_children(plan, children)

    def list_element(self, plan: Plan, formula: Formula, before: int, place: Place) -> Element:
        share = (place.budget - self.spent + before) // 2
        return self.element(plan.element, share, place.depth + 1, place.scope, None, formula)

    def of_choice(self, plan: Plan, case: Case, place: Place) -> Element:
        """One alternative, the flattest first, so that examples shrink to it."""
        found = sorted(alternatives(plan, case), key=lambda one: (one[0] == UNKNOWN, self.height_at(one[1])))
        least = min(self.height_at(part) for _, part in found)
        limit = least if place.small else inf
        flat = [(number, part) for number, part in found if self.height_at(part) <= limit]
        flat = [(number, part) for number, part in flat if self.height_at(part) < inf]
        number, part = self.draw(st.sampled_from(flat))
        if number == UNKNOWN:
            tags = [tag for tag in UNKNOWN_TAGS if takes_alternative(plan, tag)]
            child = self.of_unknown_tag(tags, place)
        else:
            child = self.drawn(part, place.inside())
        return replace(child, chosen=((plan, number), *child.chosen))

    def of_open(self, plan: Plan, case: Case, place: Place) -> Element:
        """An open type: of the type that was selected, or opaque. A string may contain the one type that it is of."""
        budget, depth, scope = place.budget, place.depth, place.scope
        contents = scope.selected(plan.selector) if scope is not None and plan.selector else None
        entry = None if contents is None or plan.table is None else plan.table.plans.get(contents)
        if plan.contained is not None:
            entry = plan.contained, False
        if entry is None:
            return self.opaque(plan, case, place)
        target, opaque = entry
        target.ready()
        if self.height(target) == inf:
            raise no_value(target)
        if opaque and (place.small or self.draw(st.integers(0, 7)) == 7):
            return self.opaque(plan, case, place)
        if plan.kind == K.KIND_OPEN:
            child = self.element(target, budget, depth)
            return replace(child, selected=True, may_mismatch=opaque)
        for _ in range(TRIES):
            child = replace(self.element(target, budget, depth + 1), may_mismatch=opaque)
            string = of_children(plan, [child], b"\0" if plan.kind == K.KIND_OPEN_BITS else b"")
            # How long an encoding will be is not known before.
            if contains(sizes(plan, case), size(string)):
                return string
        return reject()

    def opaque(self, plan: Plan, case: Case, place: Place) -> Element:
        """A value of an open type of which nothing is known."""
        if plan.kind == K.KIND_OPEN:
            return self.of_any(plan, place.budget, place.depth)
        assert plan.tag is not None
        rule = RULES[K.KIND_BIT_STRING if plan.kind == K.KIND_OPEN_BITS else K.KIND_OCTET_STRING]
        spans = [rule.contents(narrowed(plan, size=span), self.beyond) for span in sizes(plan, case)[:SPANS]]
        return Element(plan, plan.tag, self.draw(st.one_of(spans)))

    def of_any(self, plan: Plan, budget: int, depth: int) -> Element:
        """Any element: of a universal type, or of a tag that nobody defined."""
        self.spent += 1
        shapes = list(ANY_SHAPES)[: 3 if budget <= 2 or depth >= DEPTH else None]
        tag, contents = ANY_SHAPES[self.draw(st.sampled_from(shapes))](self, budget, depth)
        return Element(plan, tag, contents)


def identifiers_of(tables: list[OpenTable]) -> SearchStrategy[bytes]:
    """Contents octets of an OBJECT IDENTIFIER that selects: one that a table knows, now and then another."""
    known = sorted({contents for table in tables for contents in table.plans}, key=lambda octets: (len(octets), octets))
    others = contents_of(plan_of(ObjectIdentifier), False)
    if not known:
        return others
    # The first is what examples shrink to; of the others each table's are the more.
    return st.one_of(st.sampled_from(known), st.sampled_from(known), st.sampled_from(known), others)
