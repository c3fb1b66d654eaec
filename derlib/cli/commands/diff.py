"""`derlib diff`: compare two documents field by field."""

from __future__ import annotations

from collections.abc import Iterator

import derlib
from derlib import ASN1Error, Deviation
from derlib._value_ranges import splitting
from derlib.cli import options
from derlib.cli.commands import base
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.ber import as_der
from derlib.cli.documents.differences import Difference, Side, differences
from derlib.cli.documents.document_types import DER, TYPE, TYPES, DocumentType, type_of
from derlib.cli.documents.files import Document, Unreadable, offsets_in_file, one_document
from derlib.cli.documents.paths import root_item
from derlib.cli.documents.secret_parts import shown_value
from derlib.cli.output.standard_output import Output, report_error
from derlib.cli.rendering import json_text
from derlib.cli.rendering.errors import explained
from derlib.cli.rendering.values import inline, named_value, path_text

__all__ = ["Command"]

#: The exit statuses of diff(1): different, and error.
_DIFFERENT = 1
_ERROR = 2

#: The first character and the style of a line, by `Difference.change`.
_SIGNS = {"changed": ("~", "changed"), "removed": ("-", "critical"), "added": ("+", "name"), "order": ("~", "changed")}


class Command(base.Command):
    """Compares two documents."""

    help = """Compare two documents field by field.

    Each line is a difference: an element only in A (-), an element only in B (+), or different values (~). The elements
    of lists are matched by their encoding, then by their first field, such as a serial number or the identifier of an
    extension. So an inserted entry does not affect the others. Indexes are those of A; for an element only in B, those
    of B. If the documents are of different types, a note says so, and their elements are compared without names.

    Private keys are not shown without --secrets.

    The exit status is 0 if the documents are equal, 1 if they differ, and 2 if one cannot be read.

    \b
    Examples:
      derlib diff old.crl new.crl
      derlib diff server.pem renewed.pem
      derlib diff a.der b.der --json | jq '.[].path'

    \b
    With --json, each member has change (changed, removed, added, or order: the
    same elements in another order), path, and old and new (offset, value) if
    they exist.
    """
    parameters = (
        options.file_argument("a"), options.file_argument("b"), *options.TEXT_OPTIONS, options.BLOCK, TYPE,
        options.SECRETS,
    )
    output_error_status = _ERROR

    def __init__(
        self,
        *,
        a: str,
        b: str,
        as_json: bool,
        jsonl: bool,
        color: bool | None,
        pager: bool,
        tolerate: Deviation,
        ber: bool,
        block: int | None,
        type_name: str | None,
        secrets: bool,
    ) -> None:
        self._files = (a, b)
        options.require_at_most_one(("--json", as_json), ("--jsonl", jsonl))
        self._options = options.OutputOptions(as_json or jsonl, color, pager, jsonl)
        self._tolerate = tolerate or None
        self._is_ber = ber
        self._split = splitting(tolerate)
        self._block = block
        self._type_name = type_name
        self._secrets = secrets

    def open_output(self) -> Output:
        return self._options.open_output()

    def run(self, out: Output) -> int:
        sides = self._read()
        if sides is None:
            return _ERROR
        found = differences(*sides)
        if self._options.as_json:
            different = _write_json(found, out, self._options.as_lines)
        else:
            different = _write_text(found, out)
        return _DIFFERENT if different else base.OK

    def _read(self) -> tuple[Side, Side] | None:
        """Read and decode both documents. Report an error and return None if one is invalid."""
        found: list[Document] = []
        types: list[DocumentType] = []
        common = None if self._type_name is None else TYPES[self._type_name]
        for file in self._files:
            read: Document | None = None
            try:
                read = document = one_document(
                    file, self._block, split=self._split, is_ber=self._is_ber, of_several=True
                )
                if self._is_ber:
                    document = as_der(document, self._type_name)
                type_ = type_of(document, self._type_name)
            except (Unreadable, ASN1Error) as error:
                report_error(file, explained(error, read.der if read else b"", self._type_name, self._is_ber))
                return None
            # Documents of different types are compared as trees of elements.
            common = type_ if common in (None, type_) else DER
            found.append(document)
            types.append(type_)
        assert common is not None
        sides = []
        for document in found:
            try:
                with offsets_in_file(document):
                    value = common.decode(document.der, self._tolerate)
            except (ASN1Error, MemoryError) as error:
                report_error(document.title, explained(error, document.der, self._type_name, self._is_ber))
                return None
            sides.append(Side(root_item(value), document, shown_value(document, self._secrets)))
        if types[0] != types[1]:
            first, second = (f"{document.title} is {type_.title}" for document, type_ in zip(found, types, strict=True))
            report_error("different types", f"{first}, and {second}; their elements are compared")
        old, new = sides
        return old, new


def _write_text(found: Iterator[Difference], out: Output) -> bool:
    """Write a line for each difference, and return whether the documents differ."""
    different = False
    for change, old, new in found:
        different = True
        side = old or new
        assert side is not None
        path = path_text(side.item.path) or "all"
        sign, style = _SIGNS[change]
        if change == "order":
            text = "the same elements in another order"
        else:
            values = [_text(one) or "(empty)" for one in (old, new) if one is not None]
            text = " -> ".join(values)
            if old is not None and new is not None and values[0] == values[1]:
                text = f"{values[0]} ({_reason(old.encoding, new.encoding)})"
        out.line(out.style(f"{sign} {path}: {text}", style))
    return different


def _text(side: Side) -> str:
    """Return the value of an item on one line."""
    path = side.item.path
    return inline(named_value(path[-1] if path else 0, side.shown(side.item)))


def _reason(old: bytes, new: bytes) -> str:
    """Return why two elements with the same text differ: their types, or the index of the first byte that differs."""
    types = [str(derlib.parse(one, tolerate=ALL_DEVIATIONS).tag) for one in (old, new)]
    if types[0] != types[1]:
        return " -> ".join(types)
    both = enumerate(zip(old, new, strict=False))
    index = next((index for index, (one, other) in both if one != other), min(len(old), len(new)))
    return f"byte {index} of its encoding differs"


def _write_json(found: Iterator[Difference], out: Output, as_lines: bool) -> bool:
    """Write an array with the members that the help lists, and return whether the documents differ.

    With `as_lines`, write its elements only, each on a line.
    """
    different = False
    separator = "" if as_lines else "["
    for change, old, new in found:
        different = True
        side = old or new
        assert side is not None
        members: dict[str, object] = {"change": change, "path": side.item.path}
        for name, one in (("old", old), ("new", new)):
            if one is not None and change != "order":
                members[name] = {"offset": one.document.place(one.item.span.offset), "value": one.shown(one.item)}
        out.write(f"{separator}\n{json_text.one_line(members)}")
        separator = "" if as_lines else ","
        out.end_document()
    if not as_lines:
        out.write("\n]\n" if different else "[\n]\n")
    return different
