"""`derlib dump`: show the elements of any DER as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from derlib import Tolerated
from derlib._value_ranges import whole_range
from derlib.cli import options
from derlib.cli.commands.base import DocumentCommand
from derlib.cli.documents.damaged import is_damaged
from derlib.cli.documents.elements import Element, element_at, tree_of
from derlib.cli.documents.files import Document
from derlib.cli.documents.secret_parts import SecretParts, secret_parts
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering.element_tree import TreeWriter

__all__ = ["Command"]


class Command(DocumentCommand[Element]):
    """Shows the elements of a document, without a schema."""

    help = """Show the elements of any DER file as a tree.

    Each line has the offset of the element, the lengths of its header (hl) and of its contents in
    bytes, its type, and its value. Long values are shortened. "contains" means that the contents of
    a string are DER, which is shown below it. All offsets count from the start of the file, or of
    the PEM block.

    With --schema and --type, the file is decoded as a type of an ASN.1 module, and each line has a
    field. The module can import from modules in other files; each gets its own --schema.

    With --ber, the tree also shows indefinite lengths, lengths with more bytes than they need,
    end-of-contents octets, and the segments of strings. The contents of an indefinite length do
    not include its end-of-contents octets. Only the structure of BER is validated.

    If a file is not valid, the elements up to the fault are shown before the error.

    Private keys are not shown without --secrets. With --schema, all values are shown.

    \b
    Examples:
      derlib dump server.pem
      derlib dump revoke.crl --depth 2
      derlib dump server.pem --offset 4
      derlib dump mail.p7m --ber
      derlib dump order.der --schema shop.asn --type Order

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values: value, offset) and either
      error    message; path, offset, rule, kind if known; line for PEM
      element  type, tag (class, number, constructed),
               offset, header_length, content_length, and one of
               children (constructed), contains (a string with DER in it),
               value (primitive), none of them below --depth;
               name (OBJECT IDENTIFIER), unused_bits (BIT STRING);
               with --ber: length_form (definite, long, indefinite),
               end_of_contents (the offset, for an indefinite length)
    or, with --schema, decoded (objects with the fields, and arrays).
    Values are not shortened. Bytes are hexadecimal, times ISO 8601, large
    integers "0x...".
    """
    parameters = (
        options.FILES,
        *options.TEXT_OPTIONS,
        click.Option(
            ["--depth"],
            type=click.IntRange(min=0),
            metavar="N",
            help="Show N levels below the outermost element; 0 shows only that element.",
        ),
        click.Option(
            ["--offset"],
            type=click.IntRange(min=0),
            metavar="N",
            help="Show only the element that starts at offset N.",
        ),
        click.Option(
            ["--into/--no-into"],
            default=True,
            help="Open each OCTET STRING and BIT STRING that contains DER, or none. The default is --into.",
        ),
        *options.SCHEMA,
        options.SECRETS,
    )
    json_member = "element"
    shows_ber = True

    def __init__(
        self,
        *,
        depth: int | None,
        offset: int | None,
        into: bool,
        schema: tuple[str, ...],
        type_name: str | None,
        secrets: bool,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        options.check_schema(schema, type_name)
        if schema and (depth is not None or offset is not None):
            raise click.UsageError("--depth and --offset do not work with --schema")
        self._schema = schema
        self.type_name = type_name
        self._common = common
        self._offset = offset
        # An offset selects one of several values, too.
        if offset is not None:
            self.split = whole_range
        self._tree = TreeWriter(depth, into, self.is_ber)
        self._secrets = secrets

    def run(self, out: Output) -> int:
        if self._schema and self.type_name:
            # The compiler of ASN.1 is loaded only if it is used.
            from derlib.cli.commands.typed_dump import TypedDump

            return TypedDump(self._schema, self.type_name, **self._common).run(out)
        return super().run(out)

    def decode(self, document: Document) -> Element:
        if self._offset is None:
            return Element(tree_of(document.der, self.tolerate, self.is_ber), document.offset)
        several = not document.block or document.has_settings
        return element_at(document.der, self._offset, self.tolerate, several=several, is_ber=self.is_ber)

    def _documents(self, file: str, data: bytes) -> Iterable[Document]:
        """Return the documents of a file, and each value of a TRUSTED CERTIFICATE. Raises Unreadable and PEMError."""
        for document in super()._documents(file, data):
            yield from document.values() if self._offset is None else [document]

    def deviations(self, document: Document, element: Element) -> Iterator[Tolerated]:
        return iter(element.deviations)

    def write_text(self, document: Document, element: Element, out: Output) -> None:
        """Write a line for each element."""
        self.write_heading(document, out)
        self._tree.write_text(element, out, self._hidden(document))

    def write_damaged(self, document: Document, error: Exception, out: Output) -> None:
        """Write a line for each element up to the fault; none for BER, which --ber shows as a whole."""
        if self._offset is None and is_damaged(error, document.der) and error.kind != "length-indefinite":
            self.write_heading(document, out)
            self._tree.write_damaged(document.der, error, document.offset, out, self._hidden(document))

    def write_json(self, document: Document, element: Element, out: Output) -> None:
        """Write the members that the help of the command lists."""
        self._tree.write_json(element, out, self._hidden(document))

    def _hidden(self, document: Document) -> SecretParts | None:
        """Return the parts of a document that are not shown, at offsets in the file."""
        return None if self._secrets else secret_parts(document, self.is_ber).moved(document.offset)
