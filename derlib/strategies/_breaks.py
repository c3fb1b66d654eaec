"""What can be broken in a valid encoding, and what `decode` then says, for certain.

`breaks_of` lists for one element each way to break one rule. `derlib.strategies._public` picks one and puts the
changed element back into what is around it.

Why the prediction is certain: `decode` goes from the beginning to the end and names the first fault that it meets. All
elements before the changed one are sound. A fault that shows only at the end of an element (a component is missing, a
size is wrong) is one that no later element changes. So nothing else can be met first. What another rule may catch
first, or what a type of an opaque table lets pass, is not made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import derlib
from derlib._core import CLASS_NAMES, tag_number
from derlib._core import Kind as K
from derlib.strategies._contents import RULES
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
from derlib.strategies._match import Path, following, misplaced, position
from derlib.strategies._sites import FIRST, Site, keeps_sizes, refused, right_size, stays_unknown

NULL = b"\x05\x00"
# A tag that no schema has; primitive.
STRANGE = tag_number(7_777_777, 3, False)


class Break(NamedTuple):
    """A changed element: the octets in its place, the kind of error with its path, and its distance from there."""

    kind: str
    octets: bytes
    path: Path
    shift: int
    what: str


def length_breaks(site: Site) -> Iterator[Break]:
    tag, contents = site.element.tag, site.element.contents
    start, count = identifier(tag), length(len(contents))

    def broken(kind: str, octets: bytes, what: str) -> Break:
        return Break(kind, start + octets, site.header_path, 0, what)

    if len(count) == 1:
        yield broken("length-not-minimal", b"\x81" + count + contents, "length in the long form where one octet does")
        yield broken("length-not-minimal", b"\x82\x00" + count + contents, "length with a leading zero octet")
    else:
        more = bytes([count[0] + 1, 0]) + count[1:]
        yield broken("length-not-minimal", more + contents, "length with a leading zero octet")
    yield broken("length-indefinite", b"\x80" + contents + b"\x00\x00", "length in the indefinite form")
    yield broken("length-reserved", b"\xff" + contents, "length ff")
    yield broken("content-truncated", b"\x88\x7f" + 7 * b"\xff" + contents, "length of 2^63 - 1")
    yield broken("content-truncated", b"\x89\x01" + 8 * b"\x00" + contents, "length of 2^64")
    if site.is_last:
        yield broken("content-truncated", length(len(contents) + 1) + contents, "length that is one too much")


def tag_breaks(site: Site) -> Iterator[Break]:
    element = site.element
    start = identifier(element.tag)
    rest = element.octets[len(start) :]
    long = bytes([start[0] | 0x1F, start[0] & 0x1F]) if len(start) == 1 else start[:1] + b"\x80" + start[1:]
    yield Break("tag-not-minimal", long + rest, site.header_path, 0, "tag number in too many octets")
    if element.may_mismatch:
        return
    form = element.tag & CONSTRUCTED
    for tag, what in (
        (STRANGE | form, "tag that no type has"),
        (element.tag + 8, "tag with the next number"),
        (tag_number(5, 0, False), "tag of NULL"),
        (element.tag ^ CONSTRUCTED, "primitive form for the constructed one" if form else "constructed form"),
    ):
        said = refused(site, tag)
        if said is not None and tag >> 3 < 2**60:
            yield Break(said[0], identifier(tag) + rest, said[1], 0, what)


def contents_breaks(site: Site) -> Iterator[Break]:
    """Those of primitive types."""
    element = site.element
    plan = element.plan
    like: dict[int, int] = {K.KIND_OPEN_BITS: K.KIND_BIT_STRING, K.KIND_OPEN_OCTETS: K.KIND_OCTET_STRING}
    rule = RULES.get(like.get(plan.kind, plan.kind))
    if rule is None or element.may_mismatch:
        return

    def broken(kind: str, contents: bytes, what: str) -> Break:
        return Break(kind, header(element.tag, len(contents)) + contents, site.path, 0, what)

    for fault in rule.faults(plan, element.contents):
        yield broken(*fault)
    if plan.size is not None and rule.of_size is not None:
        low, high = plan.size
        if low:
            yield broken("size", rule.of_size(low - 1), "size below SIZE")
        if high is not None and high < 2**16:
            yield broken("size", rule.of_size(high + 1), "size above SIZE")


def sequence_breaks(site: Site) -> Iterator[Break]:
    element, plan = site.element, site.element.plan
    if plan.kind != K.KIND_SEQUENCE or element.may_mismatch:
        return
    parts = element.parts()
    needed = [
        index for index, child in enumerate(element.children)
        if child.number != UNKNOWN and not plan.optional[child.number]
    ]
    for index in needed:
        name = plan.names[element.children[index].number]
        if index == needed[-1]:
            # What follows it is OPTIONAL and goes with it, so that its absence shows at the end only.
            octets = element.around(parts[:index])
            yield Break("component-missing", octets, (*site.path, name), len(octets), "SEQUENCE without its last part")
        if index + 1 < len(parts):
            first = following(plan, element.children[index - 1]) if index else 0
            said = misplaced(plan, first, element.children[index + 1].tag)
            if said is not None:
                fewer = parts[:index] + parts[index + 1 :]
                yield rebuilt(site, fewer, index, *said, "SEQUENCE without a component")
    if plan.one_of:
        # What EXTERNAL demands of its references shows at its end, and is said of it as a whole.
        others = [child.octets for child in element.children if child.number >= plan.one_of]
        yield Break("reference-missing", element.around(others), site.path, 0, "EXTERNAL without a reference")
    behind = following(plan, element.children[-1]) if element.children else 0
    for extra in (header(STRANGE, 0), *parts[-1:]):
        tag = STRANGE if extra == header(STRANGE, 0) else element.children[-1].tag
        said = misplaced(plan, behind, tag)
        if said is not None:
            yield rebuilt(site, [*parts, extra], len(parts), *said, "SEQUENCE with one more element")


def default_breaks(site: Site) -> Iterator[Break]:
    """X.690 11.5: a default that is encoded, in a SEQUENCE or a SET.

    Only where the component is left out: in place of another value the default may break a constraint as well.
    """
    element, plan = site.element, site.element.plan
    if plan.kind not in FIELDS or element.may_mismatch:
        return
    children = element.children
    present = {child.number for child in children}
    for number, octets in enumerate(plan.default_octets):
        if octets is None or number in present or selectors(plan.plans[number]):
            continue
        tag = derlib.parse(octets).tag
        key = canonical(tag_number(tag.number, CLASS_NAMES.index(tag.tag_class), tag.constructed))
        by_tag = plan.kind == K.KIND_SET
        before = sum(canonical(child.tag) < key if by_tag else position(plan, child) < number for child in children)
        parts = element.parts()
        parts.insert(before, octets)
        yield rebuilt(
            site, parts, before, "default-encoded", (plan.names[number],), "default value that is encoded"
        )


def set_breaks(site: Site) -> Iterator[Break]:
    element, plan = site.element, site.element.plan
    if plan.kind != K.KIND_SET or element.may_mismatch:
        return
    parts = element.parts()
    for index, child in enumerate(element.children):
        # An addition that the schema does not know has no name.
        steps: Path = () if child.number == UNKNOWN else (plan.names[child.number],)
        if steps and not plan.optional[child.number]:
            octets = element.around(parts[:index] + parts[index + 1 :])
            yield Break("member-missing", octets, site.path + steps, len(octets), "SET without a member")
        twice = parts[: index + 1] + parts[index:]
        yield rebuilt(site, twice, index + 1, "member-extra", steps, "SET with a member twice")
        if index + 1 < len(parts):
            yield swapped(site, index, "set-order", steps, "SET out of the order of its tags")


def list_breaks(site: Site) -> Iterator[Break]:
    element, plan = site.element, site.element.plan
    if plan.kind not in LISTS or element.may_mismatch:
        return
    parts = element.parts()
    low, high = plan.size or (0, None)
    if low and len(parts) >= low:
        yield Break("size", element.around(parts[: low - 1]), site.path, 0, "list below SIZE")
    if parts and high is not None and high <= 1000:
        more = parts + parts[-1:] * (high + 1 - len(parts))
        yield Break("size", element.around(more), site.path, 0, "list above SIZE")
    if plan.kind == K.KIND_SET_OF:
        for index in range(min(FIRST, len(parts) - 1)):
            if parts[index] != parts[index + 1]:
                yield swapped(site, index, "set-of-order", (index + 1,), "SET OF out of the order of its encodings")


def swapped(site: Site, index: int, kind: str, steps: Path, what: str) -> Break:
    """An element with two neighbours that changed places; the second one is at fault."""
    parts = site.element.parts()
    parts[index], parts[index + 1] = parts[index + 1], parts[index]
    return rebuilt(site, parts, index + 1, kind, steps, what)


def rebuilt(site: Site, parts: list[bytes], index: int, kind: str, steps: Path, what: str) -> Break:
    """An element that is made of these parts, of which number `index` is at fault."""
    octets = site.element.around(parts)
    return Break(kind, octets, site.path + steps, len(octets) - sum(map(len, parts[index:])), what)


def explicit_breaks(site: Site) -> Iterator[Break]:
    element = site.element
    if element.plan.kind != K.KIND_EXPLICIT or element.may_mismatch:
        return
    octets = element.around([])
    yield Break("explicit-empty", octets, site.path, len(octets), "explicit tag that holds nothing")
    octets = element.around([*element.parts(), NULL])
    yield Break("explicit-extra", octets, site.path, len(octets) - len(NULL), "explicit tag that holds two elements")


def contained_breaks(site: Site) -> Iterator[Break]:
    """Those of a string that contains the encoding of a hard type."""
    element = site.element
    if element.plan.kind not in OPEN_STRINGS or not element.children or element.children[0].may_mismatch:
        return
    nothing, more = element.around([]), element.around([*element.parts(), NULL])
    if right_size(element, element.before):
        yield Break("identifier-truncated", nothing, site.path, len(nothing), "string that contains nothing")
    if right_size(element, element.contents + NULL):
        # What is selected by its tag from a CHOICE ends before the octets that follow it.
        shift = len(more) - len(NULL)
        yield Break("contained-extra", more, site.path, shift, "string that contains two elements")
    unused = b"\x01" + element.contents[1:]
    if element.plan.kind == K.KIND_OPEN_BITS and not element.contents[-1] & 1 and right_size(element, unused):
        bits = header(element.tag, len(unused)) + unused
        yield Break("contained-bits", bits, site.path, 0, "BIT STRING with an unused bit that contains an encoding")


# In ANY, and in unknown additions: the kind, the element, how far into it the fault is found, and its name.
ANY_BREAKS = (
    ("boolean-true", "010101", 0, "BOOLEAN 01 in ANY"),
    ("integer-not-minimal", "02020001", 0, "padded INTEGER in ANY"),
    ("string-constructed", "240404020102", 0, "constructed OCTET STRING in ANY"),
    ("length-not-minimal", "3003048100", 2, "length in the long form in ANY"),
    ("content-truncated", "3003040201", 2, "length that is too much in ANY"),
    ("tag-reserved", "0000", 0, "end-of-contents octets in ANY"),
    ("any-set-order", "31050500020101", 4, "SET out of order in ANY"),
    ("utf8", "a0030c01ff", 2, "UTF8String that is none in ANY"),
    ("real-mantissa", "0903800002", 0, "REAL with an even mantissa in ANY"),
    ("time-form", "30060e0431392d34", 2, "TIME that is none in ANY"),
    ("iso-range", "1f1f083135383131323331", 0, "DATE before 1582 in ANY"),
    ("reference-missing", "2803810100", 0, "EXTERNAL without a reference in ANY"),
    ("component-missing", "2b04a0028500", 6, "EMBEDDED PDV without its data in ANY"),
)


def any_breaks(site: Site) -> Iterator[Break]:
    if site.element.plan.kind not in (K.KIND_ANY, K.KIND_OPEN) or site.element.may_mismatch:
        return
    for kind, hexadecimal, shift, what in ANY_BREAKS:
        octets = bytes.fromhex(hexadecimal)
        if stays_unknown(site, leading_tag(octets)):
            yield Break(kind, octets, site.path, shift, what)


def leading_tag(octets: bytes) -> int:
    """The tag of an element whose tag number is less than 128."""
    number = octets[1] if octets[0] & 0x1F == 0x1F else octets[0] & 0x1F
    return number << 3 | octets[0] >> 5


def whole_breaks(site: Site) -> Iterator[Break]:
    """Those of the input as a whole."""
    if site.trail:
        return
    octets = site.element.octets
    start = len(identifier(site.element.tag))
    content = len(octets) - len(site.element.contents)
    for extra in (b"\x00", NULL, octets):
        yield Break("trailing-data", octets + extra, (), len(octets), "octets behind the end")
    for end in sorted({0, 1, start, content - 1, content, (content + len(octets)) // 2, len(octets) - 1}):
        if end < len(octets):
            kind = "identifier" if end < start else "length" if end < content else "content"
            yield Break(f"{kind}-truncated", octets[:end], (), 0, "input that ends early")


BREAKS = (
    contents_breaks, sequence_breaks, default_breaks, set_breaks, list_breaks, explicit_breaks, contained_breaks,
    any_breaks, length_breaks, tag_breaks, whole_breaks,
)


def breaks_of(site: Site) -> Iterator[Break]:
    """Each way to break one rule at one element."""
    for family in BREAKS:
        yield from (way for way in family(site) if keeps_sizes(site, way.octets))
