"""Every way to find the components of a SEQUENCE or SET finds the same ones (core/schema/components.pxi).

The check pass and the attributes of views have a fast path for elements with one identifier octet and one length octet.
All other elements, and all other readers, go through the one matcher. An element whose length has the long form, under
`Deviation.LENGTH_FORM`, never takes the fast path, so the same elements are decoded both ways and compared.
"""

from __future__ import annotations

from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import derlib
from derlib import Choice, Deviation, Field, Implicit, Sequence, Set


class Either(Choice):
    zero: Annotated[int, Implicit(0)]
    flag: bool


class Open(Choice, extensible=True):
    two: Annotated[int, Implicit(2)]


# Each type with the identifier octets of each component.
TYPES = [
    (type("Plain", (Sequence,), {}, fields=[Field("a", int), Field("b", int), Field("c", bool), Field("d", int)]),
     {"a": ["02"], "b": ["02"], "c": ["01"], "d": ["02"]}),
    (type("Optional", (Sequence,), {}, fields=[
        Field("a", int, optional=True), Field("b", Annotated[int, Implicit(1)], optional=True),
        Field("c", bool, default=False), Field("d", bytes)]),
     {"a": ["02"], "b": ["81"], "c": ["01"], "d": ["04"]}),
    (type("Chosen", (Sequence,), {}, fields=[
        Field("a", int, optional=True), Field("b", Either, optional=True), Field("c", bytes, optional=True)]),
     {"a": ["02"], "b": ["80", "01"], "c": ["04"]}),
    (type("LongTag", (Sequence,), {}, fields=[
        Field("a", Annotated[int, Implicit(40)], optional=True), Field("b", Annotated[int, Implicit(41)])]),
     {"a": ["9f28"], "b": ["9f29"]}),
    (type("Marked", (Sequence,), {}, fields=[
        Field("a", int), ..., Field("b", bytes, optional=True), ..., Field("c", bool, optional=True),
        Field("d", Annotated[int, Implicit(1)])]),
     {"a": ["02"], "b": ["04"], "c": ["01"], "d": ["81"]}),
    (type("OpenEnd", (Sequence,), {}, fields=[Field("a", int, optional=True), ...]),
     {"a": ["02"]}),
    (type("Members", (Set,), {}, fields=[
        Field("a", bytes, optional=True), Field("b", Either), Field("c", int, optional=True)]),
     {"a": ["04"], "b": ["80", "01"], "c": ["02"]}),
    (type("MarkedMembers", (Set,), {}, fields=[Field("a", bytes, optional=True), Field("b", int), ...]),
     {"a": ["04"], "b": ["02"]}),
    (type("OpenChoice", (Sequence,), {}, fields=[Field("a", bool), Field("b", Open), Field("c", int, optional=True)]),
     # An unknown alternative of b can have any tag, because no other component can come in its place.
     {"a": ["01"], "b": ["82", "83", "80", "81", "01", "02", "04", "05", "9f28", "9f29", "9f2a", "a0", "a1"],
      "c": ["02"]}),
]
# Identifier octets, and contents octets; None for a byte that differs from element to element.
ELEMENTS = [("01", "ff"), ("05", ""), ("a0", ""), ("a1", "")] + [
    (identifier, None) for identifier in ("02", "04", "80", "81", "82", "83", "9f28", "9f29", "9f2a")]


def encoded(type_: type, elements: list[tuple[str, str | None]], length: str) -> tuple[bytes, list[int]]:
    """Return an encoding with these elements, and the offset of each; `length` is the format of their length octets."""
    offsets, contents = [], b""
    for i, (identifier, fixed) in enumerate(elements):
        content = f"{i + 1:02x}" if fixed is None else fixed
        offsets.append(2 + len(contents))
        contents += bytes.fromhex(identifier + length.format(len(content) // 2) + content)
    return bytes([0x31 if issubclass(type_, Set) else 0x30, len(contents)]) + contents, offsets


def matched(type_: type, data: bytes, offsets: list[int], names: list[str]) -> dict[str, object] | tuple[object, ...]:
    """Return the number of the element of each component, or the kind and path of the error.

    Fields are read in the order of `names`, as attributes, by `span` and by `to_native`, which must agree.
    """
    try:
        view = type_.decode(data, tolerate=Deviation.LENGTH_FORM)
    except derlib.DecodeError as error:
        return error.kind, error.path
    native = view.to_native()
    numbers: dict[str, object] = {}
    for name in names:
        value, span = getattr(view, name), view.span(name)
        assert getattr(view, name) == value
        assert (value.to_native() if hasattr(value, "to_native") else value) == native.get(name)
        numbers[name] = None if span is None else offsets.index(span.offset)
    additions = [offsets.index(element.span.offset) for element in view.unknown_additions]
    assert len(native.get("$additions", ())) == len(additions)
    return {**numbers, "additions": additions}


def expected(
    type_: type, components: dict[str, list[str]], elements: list[tuple[str, str | None]]
) -> dict[str, object]:
    """Return the expected result of `matched`: each valid element belongs to the first component that it can be."""
    rest, numbers = list(components), dict.fromkeys(components)
    additions = []
    for i, (identifier, _) in enumerate(elements):
        name = next((name for name in rest if identifier in components[name]), None)
        if name is None:
            additions.append(i)
            continue
        numbers[name] = i
        rest = [each for each in components if numbers[each] is None] if issubclass(type_, Set) \
            else rest[rest.index(name) + 1:]
    return {**numbers, "additions": additions}


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(TYPES), st.lists(st.sampled_from(ELEMENTS), max_size=5), st.randoms(use_true_random=False))
def test_the_fast_path_and_the_matcher_find_the_same_components(row, elements, random):
    type_, components = row
    if random.random() < 0.9:
        # Usually elements that the type has, in an order that is usually valid.
        known = [element for names in components.values() for element in ELEMENTS if element[0] in names]
        elements = [element for element in known if random.random() < 0.7] + elements[:random.randrange(3)]
        if issubclass(type_, Set) or random.random() < 0.3:
            elements.sort()
    names = random.sample(list(components), len(components))
    results = [matched(type_, *encoded(type_, elements, length), names) for length in ("{:02x}", "81{:02x}")]
    assert results[0] == results[1]
    if isinstance(results[0], dict):
        assert results[0] == expected(type_, components, elements)


@pytest.mark.parametrize(("type_", "components"), TYPES, ids=[type_.__name__ for type_, _ in TYPES])
def test_a_value_with_all_components_decodes(type_, components):
    elements = [next(element for element in ELEMENTS if element[0] == names[0]) for names in components.values()]
    if issubclass(type_, Set):
        elements.sort()
    result = matched(type_, *encoded(type_, elements, "{:02x}"), list(components))
    assert result == expected(type_, components, elements)
    assert result["additions"] == []
