"""Draws one element of a type.

The element is DER by construction: components of a SET are sorted, default values are left out. A budget bounds the
number of elements. When it is spent, optional components are left out and recursion takes the shortest path to its end.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from derlib import ObjectIdentifier
from derlib._intervals import bounded, contains, intersection
from derlib._schema.open_types import KEY_MARK, reading_order
from derlib.errors import SchemaError
from derlib.inspect import Kind
from derlib.strategies._any import ANY_ELEMENTS, UNKNOWN_TAGS, contents_of_tag
from derlib.strategies._cases import NUMBERS, Case, cases, single
from derlib.strategies._constrained import MAX_INTERVALS, narrowed, primitive, sizes
from derlib.strategies._contents import PRIMITIVES, contents_of, drawn_size
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN, UNKNOWN, Element, canonical, of_children
from derlib.strategies._formulas import TRUE, Formula, conjunction, size
from derlib.strategies._match import following, is_unknown_alternative, match_component
from derlib.strategies._min_depth import Node, alternatives, min_depth, min_depths, minimal_form, node
from derlib.strategies._read import read
from derlib.strategies._types import Type, type_of

BUDGET = 60         # about how many elements are drawn
DEPTH = 12          # below this level every element is as small as possible
FREQUENT = 16       # the number of identifiers in a table that are drawn more often than the others
MAX_TRIES = 5       # attempts to draw a value that does not satisfy a property by construction
MORE = st.sampled_from([False, True, True])
# Identifiers of every day, as contents octets: subjectAltName, keyUsage and basicConstraints, and the attribute CN.
USUAL = frozenset(ObjectIdentifier(dotted).content for dotted in ("2.5.29.17", "2.5.29.15", "2.5.29.19", "2.5.4.3"))
# Code about certificates usually asks for the DNS names in subjectAltName.
SUBJECT_ALT_NAME = ObjectIdentifier("2.5.29.17").content
USUAL_ALTERNATIVE = "dns_name"

# The identifiers that select open types: the path of fields to each, and the open types that it selects.
Selections: TypeAlias = dict[tuple[str, ...], list[Type]]


@functools.lru_cache(maxsize=1024)
def elements(type_: Type, unrepresentable: bool) -> SearchStrategy[Element]:
    """Return a strategy of elements of a type; `unrepresentable` includes valid values that Python cannot represent."""
    return _elements(type_, unrepresentable)


@st.composite
def _elements(draw: DrawFn, type_: Type, unrepresentable: bool) -> Element:
    drawing = Drawing(draw, unrepresentable)
    if drawing.min_depth(type_) == inf:
        raise no_value_error(type_)
    return drawing.element(type_, BUDGET)


@functools.lru_cache(maxsize=1024)
def selectors(type_: Type) -> tuple[tuple[tuple[str, ...], Type], ...]:
    """Return the selectors of open types in a component that refer to the SEQUENCE around it, with these open types."""
    found = []
    seen = set()
    todo = [type_]
    while todo:
        part = todo.pop()
        if part in seen or part.kind in FIELDS:
            continue
        seen.add(part)
        if part.kind in OPEN and part.selector:
            found.append((part.selector, part))
        todo.extend(inner_types(part))
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def drawing_order(type_: Type) -> list[int]:
    """Return the numbers of the components in the order in which they are drawn: selectors before their open types."""
    return reading_order([{type_.names.index(path[0]) for path, _ in selectors(part)} for part in type_.types])


def no_value_error(type_: Type) -> SchemaError:
    return SchemaError(f"{type_.name} has no value of finite size that satisfies its constraints")


def inner_types(type_: Type) -> tuple[Type, ...]:
    """Return the types inside a type whose open types have their selector in the same SEQUENCE."""
    if type_.kind in LISTS or type_.kind == Kind.EXPLICIT:
        return (type_.element,)
    return type_.types


class Scope:
    """A SEQUENCE or SET that is being drawn, in which open types find their selector."""

    def __init__(self, type: Type, children: list[Element]) -> None:
        self.type = type
        self.children = children

    def selected(self, selector: tuple[str, ...]) -> bytes | None:
        """Return the key of the value that a selector leads to, as in `Type.entries`; None if it is absent."""
        type_, children = self.type, list(self.children)
        found: Element | None = None
        for name in selector:
            number = type_.names.index(name)
            found = next((child for child in children if child.number == number), None)
            octets = type_.defaults[number]
            if found is None and octets is not None:
                # A component that is left out has its DEFAULT value (X.680 25), which selects a type, too.
                found = read(type_.types[number], octets)
            if found is None:
                return None
            while found.type.kind == Kind.EXPLICIT:
                found = found.children[0]
            type_, children = found.type, list(found.children)
        return None if found is None else key_of_contents(found.type, found.contents)


class Context(NamedTuple):
    """The context of an element that is drawn, and its budget; see `Drawing.element`."""

    budget: int
    depth: int
    scope: Scope | None
    selections: Selections

    @property
    def is_minimal(self) -> bool:
        """Whether the element must be as small as possible."""
        return self.budget <= 1 or self.depth >= DEPTH

    def inside_tag(self) -> Context:
        """Return the context of the element inside an explicit tag."""
        return Context(self.budget, self.depth + 1, self.scope, self.selections)


class Drawing:
    """An element that is being drawn, with the number of elements so far."""

    def __init__(self, draw: DrawFn, unrepresentable: bool) -> None:
        self.draw = draw
        self.unrepresentable = unrepresentable
        self.spent = 0
        self.known_depths: dict[Node, float] = {}

    def min_depth(self, type_: Type, formula: Formula = TRUE) -> float:
        """Return the least depth of a value; infinity if no value is finite."""
        return self.min_depth_at(node(type_, formula))

    def min_depth_at(self, at: Node) -> float:
        if at not in self.known_depths:
            self.known_depths.update(min_depths(*at))
        return self.known_depths[at]

    def element(
        self, type_: Type, budget: int, depth: int = 0, scope: Scope | None = None,
        selections: Selections | None = None, formula: Formula = TRUE,
    ) -> Element:
        """Draw an element of a type, with about `budget` elements in it.

        Args:
            depth: the number of elements around it.
            scope: the SEQUENCE in which open types find their selector.
            selections: the identifiers inside it that select open types elsewhere.
            formula: the constraints of types around it.
        """
        return self.drawn(node(type_, formula), Context(budget, depth, scope, selections or {}))

    def drawn(self, at: Node, context: Context) -> Element:
        """Draw an element of a type that satisfies a formula. The type's own `constraints` are part of the formula."""
        type_, formula = at
        self.spent += 1
        if type_.kind == Kind.EXPLICIT:
            return of_children(type_, [self.drawn(node(type_.element, formula), context.inside_tag())])
        case = self.case(at, context.is_minimal)
        if case.single_values is not None:
            return single(type_, self.draw(st.sampled_from(case.single_values)))
        for _ in range(MAX_TRIES):
            element = self.by_case(type_, case, context)
            octets = element.encoding if type_.kind in CHOICES else element.contents
            if octets not in case.excluded_values:
                return element
        return reject()

    def case(self, at: Node, is_minimal: bool) -> Case:
        """Draw one of the cases that have values; if the budget is spent, one with the least depth."""
        choices = cases(*at)
        if len(choices) == 1:
            return choices[0]
        least = self.min_depth_at(at)
        flat = [(min_depth(found, self.known_depths), case) for case in choices if (found := minimal_form(at[0], case))]
        most = least if is_minimal else None
        fitting = [case for levels, case in flat if levels < inf and (most is None or levels <= most)]
        return self.draw(st.sampled_from(fitting))

    def by_case(self, type_: Type, case: Case, context: Context) -> Element:
        """Draw an element from one case. It can have an excluded single value."""
        kind = type_.kind
        if kind in FIELDS:
            return self.of_fields(type_, case, context)
        if kind in LISTS:
            return self.of_list(type_, case, context)
        if kind in CHOICES:
            return self.of_choice(type_, case, context)
        if kind in OPEN:
            return self.of_open(type_, case, context)
        if kind == Kind.ANY:
            return self.of_any(type_, context.budget, context.depth)
        found = primitive(type_, case, self.unrepresentable)
        # Also when the budget is spent: an identifier costs nothing, and without it the open type would be opaque.
        if context.selections and context.depth < DEPTH:
            open_types = context.selections.get((), [])
            if kind == Kind.OBJECT_IDENTIFIER:
                found = identifiers_of(open_types)
            elif kind in NUMBERS and found is not None:
                found = numbers_of(open_types, type_, case, found)
        assert found is not None, type_
        contents = self.draw(found)
        assert type_.tag is not None, type_
        return Element(type_, type_.tag, contents)

    def of_fields(self, type_: Type, case: Case, context: Context) -> Element:
        """Draw a SEQUENCE or SET. Each component gets a share of the remaining budget."""
        before = self.spent
        children: list[Element] = []
        scope = Scope(type_, children)
        merged = dict(context.selections)
        for part in type_.types:
            for selector, open_type in selectors(part):
                merged[selector] = [*merged.get(selector, []), open_type]
        defaults = type_.defaults
        # X.690 8.18: an EXTERNAL has at least one reference. If none is drawn, the last possible one is.
        last = max((number for number in range(type_.one_of) if number not in case.absent), default=None)
        order = drawing_order(type_)
        in_order = order == sorted(order)
        constructed = sum(type_.types[number].is_constructed for number in order)
        left = len(order)
        for number in order:
            part = type_.types[number]
            # Unknown additions are drawn after the components before them.
            if in_order and number == type_.extension_index and type_.kind == Kind.SEQUENCE:
                self.add_unknown(type_, children, context)
            # A primitive component is one element. The others share the rest.
            left -= 1
            constructed -= part.is_constructed
            share = 2 * (context.budget - self.spent + before - left + constructed) // (constructed + 2)
            if number in case.absent:
                continue
            formula = case.child(number)
            can_omit = not case.requires(type_, number) and not (number == last and not children)
            can_draw = not context.is_minimal and self.min_depth(part, formula) < inf
            if can_omit and not (can_draw and self.draw(MORE if part.is_constructed else st.booleans())):
                continue
            below = {path[1:]: found for path, found in merged.items() if path and path[0] == type_.names[number]}
            child = self.element(part, share, context.depth + 1, scope, below, formula)
            # X.690 11.5: a component with its DEFAULT value is left out.
            if child.encoding != defaults[number]:
                children.append(replace(child, number=number))
        if not in_order:
            children.sort(key=lambda child: child.number)
        if type_.extension_index == len(type_.types) or type_.kind == Kind.SET:
            self.add_unknown(type_, children, context)
        if type_.kind == Kind.SET:
            children.sort(key=lambda child: canonical(child.tag))
        return of_children(type_, children)

    def add_unknown(self, type_: Type, children: list[Element], context: Context) -> None:
        """Draw up to two unknown additions, often none, and append them."""
        if type_.extension_index is None or context.is_minimal:
            return
        first = following(type_, children[-1]) if children and type_.kind == Kind.SEQUENCE else 0
        for _ in range(max(self.draw(st.integers(0, 4)) - 2, 0)):
            taken = {canonical(child.tag) for child in children} if type_.kind == Kind.SET else set()
            tags = [
                tag for tag in UNKNOWN_TAGS
                if canonical(tag) not in taken and match_component(type_, first, tag) == UNKNOWN
            ]
            if tags:
                children.append(replace(self.of_unknown_tag(tags, context), number=UNKNOWN))
                first = type_.extension_index

    def of_unknown_tag(self, tags: list[int], context: Context) -> Element:
        """Draw an element with one of the tags, which the schema does not have."""
        tag = self.draw(st.sampled_from(tags))
        self.spent += 1
        return Element(type_of(Any), tag, contents_of_tag(self, tag, context.budget, context.depth + 1))

    def of_list(self, type_: Type, case: Case, context: Context) -> Element:
        """Draw a SEQUENCE OF or SET OF: a few elements, sometimes many equal ones."""
        intervals = intersection(sizes(type_, case), ((len(case.some), inf),))
        rest = conjunction(*case.each, *case.rest)
        endless = self.min_depth(type_.element, rest) == inf
        fitting = [interval for interval in intervals[:MAX_INTERVALS] if not endless or interval[0] <= len(case.some)]
        first = context.is_minimal or len(fitting) == 1
        low, high = drawn_size(fitting[0] if first else self.draw(st.sampled_from(fitting)))
        before = self.spent
        children: list[Element] = []
        for formula in case.some:
            children.append(self.list_element(type_, conjunction(*case.each, formula), before, context))
        most = len(children) if endless else min(high, max(low, len(children)) + 4, max(8, len(children)))
        # Ask once for each element instead of drawing a count, so that examples shrink by leaving elements out. Ask
        # after the last element, too: otherwise a list with one element less would need more answers than a full list.
        while len(children) < min(low, most) or (
            not context.is_minimal and self.draw(MORE) and len(children) < most
        ):
            children.append(self.list_element(type_, rest, before, context))
        count = max(low, len(children))
        may_grow = len(children) > len(case.some) and not context.is_minimal and high > count
        if may_grow and self.draw(st.integers(0, 19)) == 19:
            # The length needs more octets, or the list has its largest size.
            count = max(count, self.draw(st.sampled_from([high, min(high, 16), min(high, 128)])))
        children += children[-1:] * (count - len(children))
        if type_.kind == Kind.SET_OF:
            # X.690 11.6. No encoding is a prefix of another, so padding with zeros makes no difference.
            children.sort(key=lambda child: child.encoding)
        return of_children(type_, children)

    def list_element(self, type_: Type, formula: Formula, before: int, context: Context) -> Element:
        share = (context.budget - self.spent + before) // 2
        return self.element(type_.element, share, context.depth + 1, context.scope, None, formula)

    def of_choice(self, type_: Type, case: Case, context: Context) -> Element:
        """Draw an alternative. The one with the least depth comes first, so that examples shrink to it."""
        found = sorted(alternatives(type_, case), key=lambda one: (one[0] == UNKNOWN, self.min_depth_at(one[1])))
        least = min(self.min_depth_at(part) for _, part in found)
        limit = least if context.is_minimal else inf
        flat = [(number, part) for number, part in found if self.min_depth_at(part) <= limit]
        flat = [(number, part) for number, part in flat if self.min_depth_at(part) < inf]
        # Small alternatives are more frequent: they leave more of the budget for the elements around them.
        small = [(number, part) for number, part in flat if self.min_depth_at(part) == least]
        names = dict(enumerate(type_.names))
        usual = [(number, part) for number, part in small if names.get(number) == USUAL_ALTERNATIVE]
        pools = (small, flat, usual, usual, usual, usual) if usual else (small, flat)
        # Each is a strategy of its own, because `one_of` drops repetitions.
        number, part = self.draw(st.one_of(*map(st.sampled_from, pools)))
        if number == UNKNOWN:
            tags = [tag for tag in UNKNOWN_TAGS if is_unknown_alternative(type_, tag)]
            child = self.of_unknown_tag(tags, context)
        else:
            child = self.drawn(part, context)
        return replace(child, chosen=((type_, number), *child.chosen))

    def of_open(self, type_: Type, case: Case, context: Context) -> Element:
        """Draw an open type: a value of the selected type, or an opaque one. A string may contain a fixed type."""
        budget, depth, scope = context.budget, context.depth, context.scope
        contents = scope.selected(type_.selector) if scope is not None and type_.selector else None
        entry = None if contents is None else type_.entries().get(contents)
        if type_.contained is not None:
            entry = type_.contained, False
        if entry is None:
            return self.opaque(type_, case, context)
        target, opaque = entry
        if self.min_depth(target) == inf:
            raise no_value_error(target)
        if opaque and (context.is_minimal or self.draw(st.integers(0, 7)) == 7):
            return self.opaque(type_, case, context)
        if type_.kind == Kind.OPEN:
            child = self.element(target, budget, depth)
            return replace(child, selected=True, may_mismatch=opaque)
        for _ in range(MAX_TRIES):
            child = replace(self.element(target, budget, depth + 1), may_mismatch=opaque)
            string = of_children(type_, [child], b"\0" if type_.kind == Kind.OPEN_BITS else b"")
            # The size of an encoding is known only after it is drawn.
            if contains(sizes(type_, case), size(string)):
                return string
        return reject()

    def opaque(self, type_: Type, case: Case, context: Context) -> Element:
        """Draw an opaque value of an open type."""
        if type_.kind == Kind.OPEN:
            return self.of_any(type_, context.budget, context.depth)
        assert type_.tag is not None
        entry = PRIMITIVES[Kind.BIT_STRING if type_.kind == Kind.OPEN_BITS else Kind.OCTET_STRING]
        types = [narrowed(type_, size=interval) for interval in sizes(type_, case)[:MAX_INTERVALS]]
        contents = st.one_of([entry.contents(each, self.unrepresentable) for each in types])
        return Element(type_, type_.tag, self.draw(contents))

    def of_any(self, type_: Type, budget: int, depth: int) -> Element:
        """Draw any element: of a universal type, or with a tag that no type has."""
        self.spent += 1
        names = list(ANY_ELEMENTS)[: 3 if budget <= 2 or depth >= DEPTH else None]
        tag, contents = ANY_ELEMENTS[self.draw(st.sampled_from(names))](self, budget, depth)
        return Element(type_, tag, contents)


def identifiers_of(open_types: list[Type]) -> SearchStrategy[bytes]:
    """Return contents octets of an OBJECT IDENTIFIER that usually selects a type."""
    known = [octets for octets in keys_of(open_types) if not octets.startswith(KEY_MARK)]
    others = contents_of(type_of(ObjectIdentifier), False)
    if not known:
        return others
    return mostly(known, others)


def numbers_of(
    open_types: list[Type], type_: Type, case: Case, others: SearchStrategy[bytes]
) -> SearchStrategy[bytes]:
    """Return contents octets of an INTEGER or ENUMERATED that usually selects a type."""
    allowed = intersection(bounded(type_.range), case.numbers)
    closed = type_.kind == Kind.ENUMERATED and type_.extension_index is None
    known = []
    for octets in keys_of(open_types):
        number = int.from_bytes(octets[1:], "big", signed=True)
        if octets.startswith(KEY_MARK) and contains(allowed, number) and not (closed and number not in type_.members):
            known.append(octets[1:])
    return mostly(known, others) if known else others


def keys_of(open_types: list[Type]) -> list[bytes]:
    """Return the keys of the tables of open types, as in `Type.entries`, the shortest first."""
    return sorted(
        {octets for open_type in open_types for octets in open_type.entries()}, key=lambda octets: (len(octets), octets)
    )


def mostly(known: list[bytes], others: SearchStrategy[bytes]) -> SearchStrategy[bytes]:
    # Examples shrink to the first one. The repetition makes known keys more frequent, and first those of every day and
    # the short ones, which are those of the base standards: subjectAltName rather than an extension of a vendor.
    # Each is a strategy of its own, because `one_of` drops repetitions.
    usual = [octets for octets in known if octets in USUAL]
    first = (usual, usual, usual, known[:FREQUENT]) if usual else (known[:FREQUENT], known[:FREQUENT])
    if SUBJECT_ALT_NAME in usual:
        first = (*[[SUBJECT_ALT_NAME]] * 3, *first)
    return st.one_of(*map(st.sampled_from, first), st.sampled_from(known), others)


def key_of_contents(type_: Type, contents: bytes) -> bytes:
    """Return the key, as in `Type.entries`, of a primitive value of a selector."""
    return KEY_MARK + contents if type_.kind in NUMBERS else contents
