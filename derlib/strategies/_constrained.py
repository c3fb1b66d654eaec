"""The contents octets of primitive types under constraints: from a `Case` to a strategy. Called by `_draw`."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from math import inf
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib._core import Kind as K
from derlib._core import Plan
from derlib._schema.compiler.constraints import integer_contents
from derlib.strategies._cases import FREE, NUMBERS, Case
from derlib.strategies._contents import Rule, contents_of, rule_of, texts
from derlib.strategies._elements import OPEN_STRINGS
from derlib.strategies._spans import SIZES, Spans, both, bounded, contains, without

# Of a set with more spans, so many are drawn from.
SPANS = 8
# Of an alphabet of so few characters, each is drawn as often as another.
FEW = 300
# The kinds of few values.
FINITE: dict[int, tuple[bytes, ...]] = {K.KIND_BOOLEAN: (b"\x00", b"\xff"), K.KIND_NULL: (b"",)}


@functools.lru_cache(maxsize=4096)
def primitive(plan: Plan, case: Case, beyond: bool) -> SearchStrategy[bytes] | None:
    """The strategy of contents octets of a primitive plan; None where it is plain that there are none.

    Single values, `case.among`, are not drawn here.
    """
    if case == FREE:
        return contents_of(plan, beyond)
    rule = rule_of(plan)
    found: SearchStrategy[bytes] | None
    if plan.kind in FINITE:
        return sampled(octets for octets in FINITE[plan.kind] if octets not in case.barred)
    if plan.kind in NUMBERS:
        return numbers(plan, case, beyond)
    if rule.encoding is not None:
        found = strings(plan, rule, case)
    elif rule.of_size is not None:
        found = one_of(rule.contents(narrowed(plan, size=span), beyond) for span in sizes(plan, case)[:SPANS])
    else:
        found = contents_of(plan, beyond)
    if found is not None and case.barred:
        # Single values are few among those that there are.
        return found.filter(lambda contents: contents not in case.barred)
    return found


def sampled(values: Iterable[Any]) -> SearchStrategy[Any] | None:
    listed = list(values)
    return st.sampled_from(listed) if listed else None


def one_of(strategies: Iterable[SearchStrategy[Any]]) -> SearchStrategy[Any] | None:
    listed = list(strategies)
    return st.one_of(listed) if listed else None


def sizes(plan: Plan, case: Case) -> Spans:
    return both(both(SIZES, bounded(plan.size)), case.sizes)


def narrowed(
    plan: Plan, *, size: tuple[float, float] | None = None, range: tuple[float, float] | None = None
) -> Plan:
    """A plan of the same kind with one size or value range and nothing else."""
    kind = plan.kind
    if kind in OPEN_STRINGS:
        kind = K.KIND_BIT_STRING if kind == K.KIND_OPEN_BITS else K.KIND_OCTET_STRING
    made = Plan(kind, plan.name, plan.tag, plan.type)
    if size is not None:
        made.set_size(int(size[0]), None if size[1] == inf else int(size[1]))
    if range is not None:
        made.set_range(*(None if abs(end) == inf else integer_contents(int(end)) for end in range))
    return made


def numbers(plan: Plan, case: Case, beyond: bool) -> SearchStrategy[bytes] | None:
    """INTEGER and ENUMERATED."""
    allowed = both(bounded(plan.range), case.numbers)
    drawn: list[SearchStrategy[bytes]] = []
    items = [int(member) for member in plan.type or () if contains(allowed, int(member))]
    if items:
        drawn.append(st.sampled_from(list(map(integer_contents, items))))
    if plan.kind != K.KIND_ENUMERATED or plan.insertion is not None:
        named = Plan(K.KIND_INTEGER, plan.name)
        points = [int(low) for low, high in allowed if low == high]
        if points:
            drawn.append(st.sampled_from(list(map(integer_contents, sorted(points, key=abs)))))
        wide = [span for span in allowed if span[0] != span[1]]
        # The nearest to zero first, so that examples shrink to it.
        wide.sort(key=lambda span: 0 if span[0] <= 0 <= span[1] else min(abs(span[0]), abs(span[1])))
        drawn += [contents_of(narrowed(named, range=span), beyond) for span in wide[:SPANS]]
    return one_of(drawn)


def strings(plan: Plan, rule: Rule, case: Case) -> SearchStrategy[bytes] | None:
    """Character strings: of the permitted alphabet and size, with characters outside of others."""
    permitted = both(rule.characters, case.alphabet)
    strangers = [both(permitted, without(alphabet)) for alphabet in case.outside]
    if not all(strangers):
        return None
    # One character that is outside of all will do, where there is one.
    joint = functools.reduce(both, strangers) if strangers else ()
    if joint:
        strangers = [joint]
    allowed = both(sizes(plan, case), ((len(strangers), inf if permitted else 0),))
    encoding = rule.encoding or "ascii"
    if not allowed:
        return None
    if not permitted:
        return st.just(b"")
    one = "0" if contains(permitted, ord("0")) else chr(int(permitted[0][0]))
    some = st.one_of([texts(narrowed(plan, size=span), characters(permitted), one) for span in allowed[:SPANS]])
    if strangers:
        some = st.builds(begun, some, *map(characters, strangers))
    return some.map(lambda text: text.encode(encoding))


def begun(text: str, *characters: str) -> str:
    """The text with other characters at its beginning."""
    return "".join(characters) + text[len(characters) :]


def characters(spans: Spans) -> SearchStrategy[str]:
    if sum(high - low + 1 for low, high in spans) <= FEW:
        return st.sampled_from([chr(code) for low, high in spans for code in range(int(low), int(high) + 1)])
    return st.one_of(
        [st.characters(min_codepoint=int(low), max_codepoint=int(high)) for low, high in spans[:SPANS]]
    )
