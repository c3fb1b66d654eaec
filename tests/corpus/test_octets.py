"""Every span of an accepted certificate or CRL is that of its element, and every byte belongs to an element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import derlib
from derlib import TLV, ASN1Error, BitString, Choice, SequenceOf, SetOf
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

from .files import Item, corpus
from .octets import VIEWS, Place, place, plain_walk, read_header, schema_walk, steps

SOURCES = ("certifi", "vectors", "shared")

# Entries of a long list are alike, so beyond this size only some elements are compared in every way.
LARGE = 100_000


def decoded(source: str) -> Iterator[tuple[Item, Certificate | CertificateList]]:
    count = 0
    for item in corpus():
        if item.name.startswith(f"{source}/"):
            try:
                value = (Certificate if item.kind == "certificate" else CertificateList).decode(item.der)
            except ASN1Error:
                continue
            count += 1
            yield item, value
    if not count:
        pytest.skip("the folder ../shared/data is absent" if source == "shared" else f"{source} is not installed")


def contained(data: bytes, root: Any) -> Iterator[tuple[int, int]]:
    """Return the contents of the OCTET STRINGs and BIT STRINGs that a view reads as the type inside."""
    pending = [root]
    while pending:
        view = pending.pop()
        for step, value in steps(view):
            if step == "extn_value" and opaque_extension(view):
                continue
            if step in ("extn_value", "subject_public_key") and not isinstance(value, BitString):
                span = view.span(step)
                skip = 1 if step == "subject_public_key" else 0
                yield span.content_offset + skip, span.end
            if isinstance(value, VIEWS):
                pending.append(value)


def opaque_extension(extension: Any) -> bool:
    """Return whether no table knows the extension, so that its value is bytes."""
    return bytes(extension.raw("extn_value")) == extension.extn_value


@pytest.mark.parametrize("source", SOURCES)
def test_encoding_returns_the_decoded_bytes(source):
    for item, value in decoded(source):
        assert value.encode() == item.der == bytes(value.der), item.name
        assert (value.span().offset, value.span().end) == (0, len(item.der))
        assert derlib.parse(item.der).encode() == item.der


@pytest.mark.parametrize("source", SOURCES)
def test_the_tree_of_parse_equals_that_of_the_simple_reader(source):
    for item, _ in decoded(source):
        elements = [place(element.span) for element in derlib.parse(item.der).walk()]
        assert elements == list(plain_walk(item.der, 0, len(item.der))), item.name


@pytest.mark.parametrize("source", SOURCES)
def test_children_of_the_tree_fill_their_parent(source):
    for item, _ in decoded(source):
        for element in derlib.parse(item.der).walk():
            if not element.tag.constructed:
                assert not element.children
                continue
            position = element.span.content_offset
            for child in element:
                assert child.span.offset == position, item.name
                position = child.span.end
            assert position == element.span.end, item.name


@pytest.mark.parametrize("source", SOURCES)
def test_schema_views_and_the_simple_reader_find_the_same_elements(source):
    for item, value in decoded(source):
        seen = sorted(schema_walk(item.der, value))
        expected = list(plain_walk(item.der, 0, len(item.der)))
        for start, stop in contained(item.der, value):
            expected += contained_walk(item.der, start, stop)
        assert seen == sorted(expected), item.name


def contained_walk(data: bytes, start: int, stop: int) -> list[Place]:
    """Return the positions in a string that the schema reports: for a primitive value, that of the string."""
    constructed, _ = read_header(data, start)
    return list(plain_walk(data, start, stop)) if constructed else []


def values(root: Any, data: bytes) -> Iterator[tuple[Any, Any, Any]]:
    """Yield every (view, step, value), of long lists every 97th element."""
    pending = [root]
    while pending:
        view = pending.pop()
        for step, value in steps(view):
            if isinstance(step, int) and len(data) > LARGE and step > 100 and step % 97:
                continue
            yield view, step, value
            if isinstance(value, VIEWS):
                pending.append(value)


@pytest.mark.parametrize("source", SOURCES)
def test_the_bytes_at_a_span_decode_to_the_value(source):
    compared = 0
    for item, root in decoded(source):
        for view, step, value in values(root, item.der):
            span = view.span(step)
            octets = item.der[span.offset : span.end]
            element = derlib.parse(octets)
            assert place(element.span) == (0, span.header_length, span.content_length)
            if isinstance(value, TLV):
                assert value == element
                assert value.der == octets
            elif isinstance(value, VIEWS):
                again = type(value).decode(value.encode())
                assert again == value
                assert hash(again) == hash(value)
                assert repr(again) == repr(value)
            elif element.tag.tag_class == "universal":
                if step == "extn_value" and not opaque_extension(view):
                    element = derlib.parse(element.content)
                elif step == "subject_public_key" and not isinstance(value, BitString):
                    element = derlib.parse(element.content[1:])
                found = element.value
                if isinstance(value, derlib.NamedBits):
                    found = sum(1 << n for n, bit in enumerate(found) if bit)
                assert found == value, (item.name, step)
                compared += 1
    assert compared > 500


@pytest.mark.parametrize("source", SOURCES)
def test_lists_index_slice_and_reverse_as_they_iterate(source):
    for item, root in decoded(source):
        for _, _, value in values(root, item.der):
            if isinstance(value, (SequenceOf, SetOf)):
                elements = tuple(value)
                assert len(value) == len(elements)
                assert value[:] == elements
                assert tuple(reversed(value)) == elements[::-1]
                assert value[len(elements) // 2 :: 3] == elements[len(elements) // 2 :: 3]
                if elements:
                    assert value[-1] == elements[-1]
            elif isinstance(value, Choice):
                assert getattr(value, value.alternative) == value.value


@pytest.mark.parametrize("source", SOURCES)
def test_a_prefix_decodes_to_the_same_value(source):
    for item, value in decoded(source):
        again, rest = type(value).decode_prefix(item.der + b"\x30\x00rest")
        assert again == value, item.name
        assert rest == b"\x30\x00rest"
