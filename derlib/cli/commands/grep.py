"""`derlib grep`: find an object identifier, a number, an IP address, a path or a text in documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from derlib import BitString, Tolerated
from derlib.cli import options
from derlib.cli.commands.base import NOT_FOUND, OK, DocumentCommand
from derlib.cli.documents.contents import content_errors, tolerated_contents
from derlib.cli.documents.document_types import TYPE, type_of
from derlib.cli.documents.elements import converted_element, element_in
from derlib.cli.documents.files import Document
from derlib.cli.documents.paths import Item, root_item
from derlib.cli.documents.patterns import Pattern, items_below, parse_pattern
from derlib.cli.documents.secret_parts import shown_value
from derlib.cli.output.progress import track
from derlib.cli.output.standard_output import Output, report_error
from derlib.cli.rendering import json_text
from derlib.cli.rendering.values import inline, named_value, path_text

__all__ = ["Command"]

#: Fewer bytes than this occur in other values by chance.
_SHORT = 4


class Command(DocumentCommand[Any]):
    """Finds the items of documents that match a pattern. The result for a document is its decoded value."""

    help = """Find an object identifier, value, path or text.

    PATTERN is the first of these that it can be, unless --by selects one:

    \b
      oid    the number or the name of an object identifier:
             2.5.29.17, id-ce-subjectAltName
      value  a number: 0x1003, 4099; a number or a string of bytes:
             0x1003, 10:03, 7ad2a00c4e0f1b2d; an IP address: 192.0.2.1,
             10.0.0.0/8
      path   fields and indexes, with * and ? in a name, [*] for any index,
             ** for any steps: tbs_certificate.extensions[*].extn_id
      text   part of a character string: example.org

    Numbers and bytes without 0x and IP addresses are also found in text. A text such as subjectAltName is also found as
    the object identifier id-ce-subjectAltName, and one such as key_compromise or keyCompromise as the name of an
    item or a bit.

    Each line has the offset of the element, its path and its value. Private keys are not shown without
    --secrets. Paths in certificates, CRLs, CMS, time stamps and PKCS #12 have the field names of the RFC, as in
    errors, also inside strings with contents of a known type. Other DER has only indexes. If the pattern can match in
    a string with DER of an unknown type, a note says so; --type der searches it. Encrypted contents are not searched.

    The exit status is 0 if something was found, 3 if nothing was found, and 1 if some input is invalid.

    \b
    Examples:
      derlib grep id-ce-keyUsage *.pem
      derlib grep 'tbs_certificate.subject' chain.pem
      derlib grep '**.dns_name' server.pem
      derlib grep 0x1003 *.pem
      derlib grep -i example.org --by text server.pem

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values: value, offset) and either
      error    message; path, offset, rule, kind if known; line for PEM
      matches  each: path, offset, header_length, content_length, value
    and, for damaged contents of strings
      errors   each as error
    """
    parameters = (
        click.Argument(["pattern"]),
        options.FILES,
        *options.TEXT_OPTIONS,
        click.Option(
            ["--by"],
            type=click.Choice(["oid", "value", "path", "text"]),
            help="The form of PATTERN. By default it is detected.",
        ),
        click.Option(["-i", "--ignore-case"], is_flag=True, help="Ignore upper and lower case in text."),
        TYPE,
        options.SECRETS,
    )
    json_member = "matches"

    def __init__(
        self,
        *,
        pattern: str,
        by: str | None,
        ignore_case: bool,
        type_name: str | None,
        secrets: bool,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self._pattern = parse_pattern(pattern, by, ignore_case)
        self.type_name = type_name
        self._secrets = secrets
        self._found = False
        # Whether the pattern, a path, would match at another depth.
        self._is_deeper = False
        # Whether the pattern can match DER of an unknown type in a string, or BER in a string.
        self._is_in_der = False
        self._is_in_ber = False

    def decode(self, document: Document) -> Any:
        return type_of(document, self.type_name).decode(document.der, self.tolerate)

    def deviations(self, document: Document, result: Any) -> Iterator[Tolerated]:
        return chain(super().deviations(document, result), tolerated_contents(document, result, self.tolerate))

    def content_errors(self, document: Document, result: Any) -> Iterator[Exception]:
        return content_errors(document, result, self.tolerate, secrets=self._secrets)

    def status(self) -> int:
        """Return OK if something was found."""
        if self._is_in_der:
            text = "a string contains DER of an unknown type, in which the pattern can match; --type der searches it"
            report_error("not searched", text)
        if self._is_in_ber:
            report_error("not searched", "a string contains BER, which has no paths; derlib dump --ber shows it")
        if self._found:
            return OK
        if self._pattern.note:
            deeper = f"; '{self._pattern.at_any_depth}' matches at any depth" if self._is_deeper else ""
            report_error("nothing found", self._pattern.note + deeper)
        return NOT_FOUND

    def write_text(self, document: Document, value: Any, out: Output) -> None:
        """Write a line for each match: the document if there are several, the offset, the path and the value."""
        shown = shown_value(document, self._secrets)
        title = f"{self.title(document, out)} " if self.is_one_of_several(document) else ""
        for item in self._matches(value):
            offset = out.style(f"{document.place(item.span.offset)}:", "offset")
            path = out.style(f"{path_text(item.path) or 'all'}:", "tag")
            text = inline(named_value(item.path[-1] if item.path else 0, shown(item)))
            out.line(f"{title}{offset} {path} {text}".rstrip())

    def write_json(self, document: Document, value: Any, out: Output) -> None:
        """Write the members that the help of the command lists."""
        shown = shown_value(document, self._secrets)
        json_text.write(
            out,
            (
                {
                    "path": item.path,
                    "offset": document.place(item.span.offset),
                    "header_length": item.span.header_length,
                    "content_length": item.span.content_length,
                    "value": shown(item),
                }
                for item in self._matches(value)
            ),
        )

    def _matches(self, value: Any) -> Iterator[Item]:
        pattern = self._pattern.with_names()
        if not pattern.can_match(bytes(value.der)):
            return
        root = root_item(value)
        for item in track(items_below(root, pattern), root.span.length, "bytes", lambda item: item.span.offset):
            if pattern.matches(item):
                self._found = True
                yield item
            elif isinstance(item.value, (bytes, BitString)):
                self._search_string(item.value, pattern)
        if pattern.at_any_depth and not self._found and not self._is_deeper:
            deeper = parse_pattern(pattern.at_any_depth, "path", False)
            self._is_deeper = any(map(deeper.matches, items_below(root, deeper)))

    def _search_string(self, value: bytes | BitString, pattern: Pattern) -> None:
        """Search a string that was not opened, for the notes at the end. A path of fields matches nothing in DER."""
        octets = value.bytes if isinstance(value, BitString) else value
        if not pattern.can_match(octets):
            return
        found = element_in(octets)
        is_ber = found is None
        if found is None:
            found = converted_element(octets)
        if found is None:
            return
        # Text with an implicit tag is not an item of the element, but its bytes are there.
        can_match = any(len(needle) >= _SHORT and needle in octets for needle in pattern.needles)
        if pattern.is_path:
            self._is_in_ber |= is_ber
        elif can_match or any(map(pattern.matches, items_below(root_item(found), pattern))):
            self._is_in_ber |= is_ber
            self._is_in_der |= not is_ber
