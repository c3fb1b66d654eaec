"""Mutations of a valid encoding that violate one rule, with the error that `decode` reports for each.

`mutations_of` lists the mutations of one element. `_public` chooses one and replaces the element in the encoding.

The error is known in advance: `decode` validates from the beginning to the end and reports the first fault. All
elements before the changed one are valid. A fault that is found only at the end of an element (a missing component, a
wrong size) does not depend on later elements. Mutations that another rule could catch first, or that an open type
could accept as opaque, are not made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import derlib
from derlib.inspect import Kind
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._draw import selectors
from derlib.strategies._elements import (
    CONSTRUCTED,
    FIELDS,
    LISTS,
    OPEN_STRINGS,
    UNKNOWN,
    canonical,
    header,
    identifier,
    length,
)
from derlib.strategies._locations import FIRST_ELEMENTS, Location, has_valid_size, keeps_sizes, mismatch, stays_unknown
from derlib.strategies._match import Mismatch, Path, following, match_component, position
from derlib.strategies._types import pack_tag, packed_tag

NULL = b"\x05\x00"
# A primitive tag that no schema uses.
UNUSED_TAG = pack_tag(7_777_777, 3, False)


class Mutation(NamedTuple):
    """A changed element: its encoding, and the kind, path and relative offset of the error."""

    kind: str
    encoding: bytes
    path: Path
    shift: int
    description: str


def length_mutations(location: Location) -> Iterator[Mutation]:
    tag, contents = location.element.tag, location.element.contents
    start, count = identifier(tag), length(len(contents))

    def mutation(kind: str, octets: bytes, description: str) -> Mutation:
        return Mutation(kind, start + octets, location.header_path, 0, description)

    if len(count) == 1:
        yield mutation("length-not-minimal", b"\x81" + count + contents, "short length in the long form")
        yield mutation("length-not-minimal", b"\x82\x00" + count + contents, "length with a leading zero octet")
    else:
        more = bytes([count[0] + 1, 0]) + count[1:]
        yield mutation("length-not-minimal", more + contents, "length with a leading zero octet")
    yield mutation("length-indefinite", b"\x80" + contents + b"\x00\x00", "length in the indefinite form")
    yield mutation("length-reserved", b"\xff" + contents, "length ff")
    yield mutation("content-truncated", b"\x88\x7f" + 7 * b"\xff" + contents, "length of 2^63 - 1")
    yield mutation("content-truncated", b"\x89\x01" + 8 * b"\x00" + contents, "length of 2^64")
    if location.is_last:
        yield mutation("content-truncated", length(len(contents) + 1) + contents, "length that is too large by one")


def tag_mutations(location: Location) -> Iterator[Mutation]:
    element = location.element
    start = identifier(element.tag)
    rest = element.encoding[len(start) :]
    long = bytes([start[0] | 0x1F, start[0] & 0x1F]) if len(start) == 1 else start[:1] + b"\x80" + start[1:]
    yield Mutation("tag-not-minimal", long + rest, location.header_path, 0, "tag number in too many octets")
    if element.may_mismatch:
        return
    form = element.tag & CONSTRUCTED
    for tag, description in (
        (UNUSED_TAG | form, "tag that no schema uses"),
        (element.tag + 8, "tag with the next number"),
        (pack_tag(5, 0, False), "tag of NULL"),
        (element.tag ^ CONSTRUCTED, "primitive form" if form else "constructed form"),
    ):
        found = mismatch(location, tag)
        if found is not None and tag >> 3 < 2**60:
            yield Mutation(found.kind, identifier(tag) + rest, found.path, 0, description)


def contents_mutations(location: Location) -> Iterator[Mutation]:
    """Yield mutations of the contents octets of primitive types."""
    element = location.element
    type_ = element.type
    like = {Kind.OPEN_BITS: Kind.BIT_STRING, Kind.OPEN_OCTETS: Kind.OCTET_STRING}
    entry = PRIMITIVES.get(like.get(type_.kind, type_.kind))
    if entry is None or element.may_mismatch:
        return

    def mutation(kind: str, contents: bytes, description: str) -> Mutation:
        return Mutation(kind, header(element.tag, len(contents)) + contents, location.path, 0, description)

    for fault in entry.faults(type_, element.contents):
        yield mutation(*fault)
    if type_.size is not None and entry.of_size is not None:
        low, high = type_.size
        if low:
            yield mutation("size", entry.of_size(low - 1), "size below SIZE")
        if high is not None and high < 2**16:
            yield mutation("size", entry.of_size(high + 1), "size above SIZE")


def sequence_mutations(location: Location) -> Iterator[Mutation]:
    element, type_ = location.element, location.element.type
    if type_.kind != Kind.SEQUENCE or element.may_mismatch:
        return
    parts = element.parts()
    needed = [
        index for index, child in enumerate(element.children)
        if child.number != UNKNOWN and not type_.optional[child.number]
    ]
    for index in needed:
        name = type_.names[element.children[index].number]
        if index == needed[-1]:
            # Remove the optional components after it, too, so that the error is at the end.
            octets = element.with_children(parts[:index])
            path = (*location.path, name)
            yield Mutation("component-missing", octets, path, len(octets), "SEQUENCE without its last component")
        if index + 1 < len(parts):
            first = following(type_, element.children[index - 1]) if index else 0
            found = match_component(type_, first, element.children[index + 1].tag)
            if isinstance(found, Mismatch):
                fewer = parts[:index] + parts[index + 1 :]
                yield rebuilt(location, fewer, index, *found, "SEQUENCE without a component")
    if type_.one_of:
        # A missing reference of EXTERNAL is reported at its end, for the whole element.
        others = [child.encoding for child in element.children if child.number >= type_.one_of]
        encoding = element.with_children(others)
        yield Mutation("reference-missing", encoding, location.path, 0, "EXTERNAL without a reference")
    first = following(type_, element.children[-1]) if element.children else 0
    for extra in (header(UNUSED_TAG, 0), *parts[-1:]):
        tag = UNUSED_TAG if extra == header(UNUSED_TAG, 0) else element.children[-1].tag
        found = match_component(type_, first, tag)
        if isinstance(found, Mismatch):
            yield rebuilt(location, [*parts, extra], len(parts), *found, "SEQUENCE with one more element")


def default_mutations(location: Location) -> Iterator[Mutation]:
    """Yield mutations with an encoded DEFAULT value in a SEQUENCE or SET (X.690 11.5).

    Only components that are absent get their default: in place of another value, it could also violate a constraint.
    """
    element, type_ = location.element, location.element.type
    if type_.kind not in FIELDS or element.may_mismatch:
        return
    children = element.children
    present = {child.number for child in children}
    for number, octets in enumerate(type_.defaults):
        if octets is None or number in present or selectors(type_.types[number]):
            continue
        key = canonical(packed_tag(derlib.parse(octets).tag))
        by_tag = type_.kind == Kind.SET
        before = sum(canonical(child.tag) < key if by_tag else position(type_, child) < number for child in children)
        parts = element.parts()
        parts.insert(before, octets)
        yield rebuilt(
            location, parts, before, "default-encoded", (type_.names[number],), "encoded DEFAULT value"
        )


def set_mutations(location: Location) -> Iterator[Mutation]:
    element, type_ = location.element, location.element.type
    if type_.kind != Kind.SET or element.may_mismatch:
        return
    parts = element.parts()
    for index, child in enumerate(element.children):
        # An unknown addition has no name.
        steps: Path = () if child.number == UNKNOWN else (type_.names[child.number],)
        if steps and not type_.optional[child.number]:
            octets = element.with_children(parts[:index] + parts[index + 1 :])
            yield Mutation("member-missing", octets, location.path + steps, len(octets), "SET without a component")
        twice = parts[: index + 1] + parts[index:]
        yield rebuilt(location, twice, index + 1, "member-extra", steps, "SET with a component twice")
        if index + 1 < len(parts):
            yield swapped(location, index, "set-order", steps, "SET whose components are out of order")


def list_mutations(location: Location) -> Iterator[Mutation]:
    element, type_ = location.element, location.element.type
    if type_.kind not in LISTS or element.may_mismatch:
        return
    parts = element.parts()
    low, high = type_.size or (0, None)
    if low and len(parts) >= low:
        yield Mutation("size", element.with_children(parts[: low - 1]), location.path, 0, "list below SIZE")
    if parts and high is not None and high <= 1000:
        more = parts + parts[-1:] * (high + 1 - len(parts))
        yield Mutation("size", element.with_children(more), location.path, 0, "list above SIZE")
    if type_.kind == Kind.SET_OF:
        for index in range(min(FIRST_ELEMENTS, len(parts) - 1)):
            if parts[index] != parts[index + 1]:
                yield swapped(location, index, "set-of-order", (index + 1,), "SET OF whose elements are out of order")


def swapped(location: Location, index: int, kind: str, steps: Path, description: str) -> Mutation:
    """Return a mutation that exchanges two children; the error is at the second one."""
    parts = location.element.parts()
    parts[index], parts[index + 1] = parts[index + 1], parts[index]
    return rebuilt(location, parts, index + 1, kind, steps, description)


def rebuilt(location: Location, parts: list[bytes], index: int, kind: str, steps: Path, description: str) -> Mutation:
    """Return a mutation with these encodings of children; the error is at number `index`."""
    octets = location.element.with_children(parts)
    return Mutation(kind, octets, location.path + steps, len(octets) - sum(map(len, parts[index:])), description)


def explicit_mutations(location: Location) -> Iterator[Mutation]:
    element = location.element
    if element.type.kind != Kind.EXPLICIT or element.may_mismatch:
        return
    octets = element.with_children([])
    yield Mutation("explicit-empty", octets, location.path, len(octets), "explicit tag that contains nothing")
    octets = element.with_children([*element.parts(), NULL])
    shift = len(octets) - len(NULL)
    yield Mutation("explicit-extra", octets, location.path, shift, "explicit tag that contains two elements")


def contained_mutations(location: Location) -> Iterator[Mutation]:
    """Yield mutations of a string that contains the encoding of a type whose mismatch is an error."""
    element = location.element
    if element.type.kind not in OPEN_STRINGS or not element.children:
        return
    if element.may_mismatch or element.children[0].may_mismatch:
        return
    nothing, more = element.with_children([]), element.with_children([*element.parts(), NULL])
    if has_valid_size(element, element.prefix):
        yield Mutation("identifier-truncated", nothing, location.path, len(nothing), "string that contains nothing")
    if has_valid_size(element, element.contents + NULL):
        # The contained value ends before the octets after it, also if its tag selects it from a CHOICE.
        shift = len(more) - len(NULL)
        yield Mutation("contained-extra", more, location.path, shift, "string that contains two elements")
    unused = b"\x01" + element.contents[1:]
    if element.type.kind == Kind.OPEN_BITS and not element.contents[-1] & 1 and has_valid_size(element, unused):
        bits = header(element.tag, len(unused)) + unused
        yield Mutation("contained-bits", bits, location.path, 0, "unused bit in a BIT STRING that contains an encoding")


# Invalid elements in ANY and in unknown additions: the kind, the element, the offset of the fault, a description.
ANY_MUTATIONS = (
    ("boolean-true", "010101", 0, "BOOLEAN 01 in ANY"),
    ("integer-not-minimal", "02020001", 0, "padded INTEGER in ANY"),
    ("string-constructed", "240404020102", 0, "constructed OCTET STRING in ANY"),
    ("length-not-minimal", "3003048100", 2, "length in the long form in ANY"),
    ("content-truncated", "3003040201", 2, "length that is too large in ANY"),
    ("tag-reserved", "0000", 0, "end-of-contents octets in ANY"),
    ("any-set-order", "31050500020101", 4, "SET out of order in ANY"),
    ("utf8", "a0030c01ff", 2, "invalid UTF8String in ANY"),
    ("real-mantissa", "0903800002", 0, "REAL with an even mantissa in ANY"),
    ("time-form", "30060e0431392d34", 2, "invalid TIME in ANY"),
    ("iso-range", "1f1f083135383131323331", 0, "DATE before 1582 in ANY"),
    ("reference-missing", "2803810100", 0, "EXTERNAL without a reference in ANY"),
    ("component-missing", "2b04a0028500", 6, "EMBEDDED PDV without its data in ANY"),
)


def any_mutations(location: Location) -> Iterator[Mutation]:
    if location.element.type.kind not in (Kind.ANY, Kind.OPEN) or location.element.may_mismatch:
        return
    for kind, hexadecimal, shift, description in ANY_MUTATIONS:
        octets = bytes.fromhex(hexadecimal)
        if stays_unknown(location, leading_tag(octets)):
            yield Mutation(kind, octets, location.path, shift, description)


def leading_tag(octets: bytes) -> int:
    """Return the tag of an element whose tag number is below 128."""
    number = octets[1] if octets[0] & 0x1F == 0x1F else octets[0] & 0x1F
    return number << 3 | octets[0] >> 5


def whole_mutations(location: Location) -> Iterator[Mutation]:
    """Yield mutations of the whole input."""
    if location.trail:
        return
    octets = location.element.encoding
    start = len(identifier(location.element.tag))
    content = len(octets) - len(location.element.contents)
    for extra in (b"\x00", NULL, octets):
        yield Mutation("trailing-data", octets + extra, (), len(octets), "bytes after the end")
    for end in sorted({0, 1, start, content - 1, content, (content + len(octets)) // 2, len(octets) - 1}):
        if end < len(octets):
            kind = "identifier" if end < start else "length" if end < content else "content"
            yield Mutation(f"{kind}-truncated", octets[:end], (), 0, "input that ends early")


MUTATIONS = (
    contents_mutations, sequence_mutations, default_mutations, set_mutations, list_mutations, explicit_mutations,
    contained_mutations, any_mutations, length_mutations, tag_mutations, whole_mutations,
)


def mutations_of(location: Location) -> Iterator[Mutation]:
    """Yield the mutations of one element."""
    for family in MUTATIONS:
        yield from (mutation for mutation in family(location) if keeps_sizes(location, mutation.encoding))
