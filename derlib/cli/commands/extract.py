"""`derlib extract`: write elements of a document as DER, PEM or hexadecimal."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import click

import derlib
from derlib import ASN1Error, ber, pem
from derlib.cli import options
from derlib.cli.commands.base import (
    INVALID,
    NOT_FOUND,
    OK,
    SingleFileCommand,
    report_tolerated,
    tolerated_in,
)
from derlib.cli.documents.ber import as_der, converted
from derlib.cli.documents.document_types import TYPE_OR_NAME, TYPES, check_type, type_of
from derlib.cli.documents.elements import Element, NotFound, element_at
from derlib.cli.documents.files import Document, offsets_in_file
from derlib.cli.documents.paths import Item, Path, child_items, item_at, item_at_offset, root_item
from derlib.cli.documents.patterns import Pattern, has_wildcards, items_below, parse_path, parse_pattern
from derlib.cli.output.binary_output import BinaryOutput
from derlib.cli.output.standard_output import report_error
from derlib.cli.rendering.errors import signed_text
from derlib.errors import format_path

__all__ = ["Command"]

#: If a path does not exist, the message lists at most this many fields.
_MAX_NAMES = 20


class _Found(NamedTuple):
    """The position of an element, and its value if the path goes through a schema."""

    span: derlib.Span
    value: Any = None


class Command(SingleFileCommand):
    """Writes one element of a document, or all at the paths that a pattern matches."""

    help = """Write one element of a document, or several.

    PATH is an offset, as `derlib dump` shows it, or a path of fields and indexes, as `derlib grep` and errors show it.
    DER of an unknown type has only indexes: [0][2] is the third element in the first element. In place of an index, a
    list can have an object identifier: extensions["2.5.29.17"] is the value of the extension with it. A path can also
    be an array, as --json writes it. With --schema and --type, the path has the fields of a type of an ASN.1 module.
    With wildcards, as in `derlib grep`, all elements at such paths are written one after the other.

    The bytes of the element are not changed, so you can verify signatures and digests. With --ber, they are those after
    the conversion to DER; a note says so if a signature covers changed ones. They begin with the tag in the document;
    an explicit tag around the element is not included. On a terminal, DER is shown in hexadecimal.

    The exit status is 0 if the element was written, 3 if the element does not exist, and 1 if the input is invalid.

    \b
    Examples:
      derlib extract server.pem tbs_certificate > tbs.der
      derlib extract server.pem tbs_certificate.subject_public_key_info --to pem
      derlib extract server.pem signature_value --content --to hex
      derlib extract server.pem 'tbs_certificate.extensions["2.5.29.17"]'
      derlib extract revoke.crl 150 -o entries.der
      derlib extract --ber chain.p7b 'content.certificates[*]' --to pem
      derlib extract order.der 'items[0]' --schema shop.asn --type Order
    """
    parameters = (
        options.file_argument("file"),
        click.Argument(["path"]),
        click.Option(
            ["--to", "form"],
            type=click.Choice(["der", "pem", "hex"]),
            default="der",
            help="The format to write. The default is DER.",
        ),
        click.Option(
            ["--content"], is_flag=True, help="Write only the contents octets, without identifier and length octets."
        ),
        click.Option(
            ["--label"], metavar="LABEL", help="The PEM label, if it does not follow from the element."
        ),
        options.OUTPUT,
        options.BLOCK,
        options.SCHEMA[0],
        TYPE_OR_NAME,
        options.TOLERATE,
        options.BER,
    )

    def __init__(
        self,
        *,
        path: str,
        form: str,
        content: bool,
        label: str | None,
        block: int | None,
        schema: tuple[str, ...],
        type_name: str | None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        if schema:
            options.check_schema(schema, type_name)
        else:
            check_type(type_name)
        self._path = path
        self._pattern = parse_pattern(path, "path", False) if has_wildcards(path) else None
        self._steps = None if path.isdecimal() or self._pattern else parse_path(path)
        if content and form == "pem":
            raise click.UsageError("--content and --to pem cannot be combined")
        self._form = form
        self._content = content
        self._label = label
        self._block = block
        self._schema_files = schema
        self._schema: Any = None
        self._tolerated: tuple[derlib.Tolerated, ...] = ()
        self.type_name = type_name

    def write(self, target: BinaryOutput) -> int:
        if self._schema_files and self.type_name:
            # The compiler of ASN.1 is loaded only if it is used.
            from derlib.cli.documents.schema_files import type_in_files

            self._schema = type_in_files(self._schema_files, self.type_name)
            if self._schema is None:
                return INVALID
        document = self.read_document(self._block, offset=_offset(self._path))
        if self.is_ber and self._schema is not None:
            document = converted(document, self._schema)
        elif self.is_ber:
            document = as_der(document, self.type_name)
        try:
            document, all_found = self._find(document)
        except NotFound as error:
            report_error(document.title, str(error))
            return NOT_FOUND if error.is_der else INVALID
        if self._form == "pem":
            target.write_text("".join(pem.encode(*self._pem_block(document, found)) for found in all_found))
        else:
            self._write_octets(target, document, all_found)
        report_tolerated(document, self._tolerated)
        if self._schema is None and document.converted is not None:
            for line in signed_text(document, type_of(document, self.type_name).schema):
                report_error(document.title, line)
        return OK

    def _write_octets(self, target: BinaryOutput, document: Document, all_found: list[_Found]) -> None:
        """Write the elements as DER, or in hexadecimal."""
        spans = [found.span for found in all_found]
        octets = [document.der[span.content_offset if self._content else span.offset : span.end] for span in spans]
        if self._form == "hex" or target.is_terminal:
            target.write_text("".join(f"{each.hex()}\n" for each in octets))
        else:
            target.write(b"".join(octets))

    def _pem_block(self, document: Document, found: _Found) -> tuple[bytes, str]:
        """Return the contents and the label of a PEM block with an element."""
        span = found.span
        data = document.der[span.offset : span.end]
        value = self._value_at(document, span.offset) if self._path.isdecimal() else found.value
        schema = _class_of(value)
        if span.length == len(document.der) and self._schema is None:
            schema = type_of(document, self.type_name).schema
        label = self._label or (None if schema is None else _label_of(schema, data[0]))
        if label is None:
            # The value inside a string has no path of its own, only an offset.
            inner = schema and _label_of(schema, document.der[span.content_offset])
            place = document.place(span.content_offset)
            remedy = f"it contains a {inner}, at offset {place}" if inner else "set one with --label"
            raise click.UsageError(f"no PEM label is known for this element; {remedy}")
        return data, label

    def _find(self, document: Document) -> tuple[Document, list[_Found]]:
        """Return the elements at the path or offset, and the DER with them. Raises `NotFound` and other ASN1Errors."""
        if self._pattern is not None:
            return document, self._matching(document, self._pattern)
        if self._steps is not None:
            return document, [self._at_path(document, self._steps)]
        document, found = self._at_offset(document)
        return document, [found]

    def _matching(self, document: Document, pattern: Pattern) -> list[_Found]:
        """Return the elements at the paths that a pattern matches. Raises `NotFound` and other ASN1Errors."""
        with offsets_in_file(document):
            root = self._root_of_all(document)
        found = [_Found(item.span, item.value) for item in items_below(root, pattern) if pattern.matches(item)]
        if not found:
            raise NotFound(f"{self._path} matches no path; derlib grep finds paths", True)
        # A conversion of BER sorts each SET OF.
        return sorted(found, key=lambda one: document.place(one.span.offset))

    def _at_offset(self, document: Document) -> tuple[Document, _Found]:
        """Return the element at the offset, and the DER with it. Raises `NotFound` and other ASN1Errors."""
        offset = _offset(self._path)
        assert offset is not None
        if document.converted is None:
            start = document.offset
            element = element_at(
                document.der, offset - start, self.tolerate, start=start, several=document.has_settings
            )
            self._tolerated = tuple(one._replace(offset=document.place(one.offset)) for one in element.deviations)
            return document, _Found(_span(element))
        try:
            return document, _Found(_converted_span(document, offset))
        except NotFound:
            segment = _segment(document, offset)
            if segment is None:
                raise
        return segment, _Found(_span(Element(derlib.parse(segment.der), 0)))

    def _at_path(self, document: Document, steps: Path) -> _Found:
        """Return the element at a path. Raises `NotFound` and other ASN1Errors."""
        with offsets_in_file(document):
            root = self._root_of_all(document)
        item = item_at(root, steps)
        if item is None and steps == ("all",):
            # grep and diff print this for the document.
            item = root
        if item is None and self.type_name is None and all(isinstance(step, int) for step in steps):
            # diff prints the paths of files of different types without their names.
            item = item_at(root_item(derlib.parse(document.der, tolerate=self.tolerate)), steps)
        if item is None:
            raise NotFound(f"{self._path} does not exist{_existing(root, steps)}", True)
        return _Found(item.span, item.value)

    def _value_at(self, document: Document, offset: int) -> Any:
        """Return the value that starts at an offset of the DER, or None."""
        try:
            root = self._root(document)
        except (ASN1Error, MemoryError):
            return None
        item = item_at_offset(root, offset)
        return None if item is None else item.value

    def _root_of_all(self, document: Document) -> Item:
        """Do what `_root` does, and keep the deviations, to report them."""
        root = self._root(document)
        self._tolerated = tuple(tolerated_in(document, root.value))
        return root

    def _root(self, document: Document) -> Item:
        """Return the item of a document. Raises ASN1Error."""
        if self._schema is None:
            return root_item(type_of(document, self.type_name).decode(document.der, self.tolerate))
        value = derlib.decode(self._schema, document.der, tolerate=self.tolerate)
        if isinstance(value, derlib.View):
            return root_item(value)
        # A value without parts.
        return root_item(derlib.parse(document.der, tolerate=self.tolerate))


def _offset(path: str) -> int | None:
    """Return the offset that a path is, or None."""
    return int(path[:20]) if path.isdecimal() else None


def _span(element: Element) -> derlib.Span:
    """Return the span of an element in its document."""
    span = element.tlv.span
    return derlib.Span(element.base + span.offset, span.header_length, span.content_length)


def _converted_span(document: Document, offset: int) -> derlib.Span:
    """Return the span in the DER of the element that starts at an offset of the BER file. Raises `NotFound`."""
    assert document.converted is not None
    size = document.converted.consumed
    if document.offset <= offset < document.offset + size:
        with suppress(NotFound):
            span = _span(element_at(document.der, document.converted.destination(offset - document.offset), None))
            if document.place(span.offset) == offset:
                return span
    raise NotFound(f"no element starts at offset {offset}; the input is {size} byte{'' if size == 1 else 's'}", True)


def _segment(document: Document, offset: int) -> Document | None:
    """Return an element of BER that is not one of the DER, such as a segment of a string; None if there is none."""
    try:
        found = element_at(document.ber, offset - document.offset, None, is_ber=True)
        if found.base + found.tlv.span.offset != offset - document.offset or isinstance(found.tlv, derlib.TLV):
            return None
        return replace(document, der=ber.convert(found.tlv.encoded).der, converted=None)
    except (ASN1Error, MemoryError):
        return None


def _existing(root: Item, steps: Path) -> str:
    """Return the end of a message: the names of the parts of the last element on the path that exists."""
    found = root
    for count in range(1, len(steps)):
        inner = item_at(root, steps[:count])
        if inner is None:
            break
        found = inner
    names = list(dict.fromkeys(child.path[-1] for child in islice(child_items(found), _MAX_NAMES)))
    where = format_path(found.path) or "the document"
    if not names:
        is_string = isinstance(found.value, (bytes, derlib.BitString))
        return f"; {where} contains {'nothing that can be decoded' if is_string else 'no elements'}"
    if isinstance(names[0], int):
        value = found.value
        is_list = isinstance(value, (derlib.SequenceOf, derlib.SetOf))
        last = (len(value) if is_list else sum(1 for _ in child_items(found))) - 1
        return f"; {where} has the elements [0] to [{last}]" if last else f"; {where} has one element, [0]"
    return f"; {where} has {', '.join(map(str, names))}"


def _class_of(value: Any) -> type | None:
    """Return the class of a value, inside a CHOICE such as CertificateChoices that of the alternative."""
    while isinstance(value, derlib.Choice) and value.alternative is not None:
        value = value.value
    return None if value is None else type(value)


def _label_of(schema: type, first_octet: int) -> str | None:
    """Return the PEM label of RFC 7468 for a class, or None. Two types have a class of the name ContentInfo.

    An element with an implicit tag is not an object of its type, and has no label.
    """
    for type_ in TYPES.values():
        if type_.class_name == schema.__name__ and type_.labels and not type_.has_settings and type_.schema is schema:
            return type_.labels[0] if first_octet == type_.identifier else None
    return None
