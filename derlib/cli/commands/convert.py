"""`derlib convert`: convert a document between PEM, DER and JSON, and from BER."""

from __future__ import annotations

import json
import re
from typing import Any

import click

import derlib
from derlib import ASN1Error, pem
from derlib.cli import options
from derlib.cli.commands.base import CHANGED, OK, SingleFileCommand, report_tolerated, tolerated_in
from derlib.cli.documents.ber import as_der
from derlib.cli.documents.document_types import DER, TYPE, TYPES, DocumentType, type_of
from derlib.cli.documents.files import Document, Unreadable, offsets_in_file, read
from derlib.cli.documents.other_formats import is_json
from derlib.cli.output.binary_output import BinaryOutput
from derlib.cli.output.standard_output import report_error
from derlib.cli.rendering.errors import changes_text
from derlib.json import parsed_text

__all__ = ["Command"]

#: The first name in a JSON object.
_FIRST_NAME = re.compile(r'\s*\{\s*"([a-z_]{1,40})"\s*:')


class Command(SingleFileCommand):
    """Converts a document between PEM, DER and JSON, and from BER."""

    help = """Convert between PEM, DER and JSON, and from BER.

    derlib detects the format of FILE; --from chooses it. It validates DER and PEM, and does not change their bytes.
    The JSON is that of the library (to_json, from_json): it has every field of the structure, with the names of the
    RFC in snake_case, and derlib can convert it back to the same bytes. If FILE needs --tolerate or --ber, the result
    is DER, so other bytes, or an error. DER of an unknown type cannot be converted to JSON. The JSON of `derlib cert
    --json` cannot be converted back.

    JSON is encoded as DER first. The signature is copied, so it is invalid after a change.

    With --from ber, FILE is BER, and --to der is the default. Each change is a line on standard error, with its kind,
    its clause, its path if the type is known, and its offset in FILE. Certificates and CRLs inside CMS are not changed,
    so that their signatures stay valid. The exit status is 0 if FILE is DER already, 4 if it is valid BER but not DER,
    and 1 if it is invalid. With --check, the lines say what would be converted, nothing is written, and the exit
    status is the same. Conversion accepts what BER allows and nothing else, so --tolerate is an error.

    \b
    Examples:
      derlib convert server.pem --to der -o server.der
      derlib convert server.pem --to json | jq .tbs_certificate.subject
      derlib convert edited.json --to pem
      derlib convert mail.p7m --from ber -o mail.der
      derlib convert mail.p7m --from ber --check
    """
    parameters = (
        options.file_argument("file"),
        click.Option(
            ["--to", "form"], type=click.Choice(["der", "pem", "json"]), help="The format to write."
        ),
        click.Option(
            ["--from", "source"],
            type=click.Choice(["ber", "json"]),
            help="The format of FILE. Without this option, derlib detects PEM, DER and JSON.",
        ),
        click.Option(["--names"], is_flag=True, help="Write the names of object identifiers in JSON. Needs --to json."),
        click.Option(["--check"], is_flag=True, help="Report what differs from DER; write nothing. Needs --from ber."),
        options.OUTPUT,
        options.BLOCK,
        click.Option(["--label"], metavar="LABEL", help="The PEM label, if it does not follow from the type."),
        TYPE,
        options.TOLERATE,
        click.Option(["--ber"], is_flag=True, help="The same as --from ber."),
    )

    def __init__(
        self,
        *,
        form: str | None,
        source: str | None,
        check: bool,
        names: bool,
        ber: bool,
        block: int | None,
        label: str | None,
        type_name: str | None,
        **common: Any,
    ) -> None:
        super().__init__(ber=ber or source == "ber", **common)
        if ber and source == "json":
            raise click.UsageError("--ber and --from json cannot be combined")
        if names and form != "json":
            raise click.UsageError("--names needs --to json")
        if check and not self.is_ber:
            raise click.UsageError("--check needs --from ber")
        if form is None and not self.is_ber:
            raise click.UsageError("Missing option '--to'. Choose from: der, pem, json")
        if self.is_ber and self.tolerate and form != "json":
            raise click.UsageError("--tolerate cannot be used with --from ber: conversion tolerates nothing")
        self._check = check
        self._is_json = source == "json"
        self._names = names
        self._form = form or "der"
        self._block = block
        self._label = label
        self.type_name = type_name

    def write(self, target: BinaryOutput) -> int:
        document, type_, value = self._read_ber() if self.is_ber else self._read()
        if not self._check:
            self._write(target, document, type_, value)
        report_tolerated(document, tolerated_in(document, value))
        if document.converted is None:
            return OK
        for line in changes_text(document, type_.schema, self._check):
            report_error(document.title, line)
        return CHANGED if document.converted.changes else OK

    def _write(self, target: BinaryOutput, document: Document, type_: DocumentType, value: Any) -> None:
        """Write the document in the chosen format."""
        if self._form == "json":
            if type_ is DER:
                raise Unreadable("DER of an unknown type cannot be converted to JSON")
            if type_.has_settings:
                raise Unreadable(f"{type_.title} is two values, which cannot be one JSON object")
            target.write_text(_ascii(value.to_json(indent=2, names=self._names)) + "\n")
        elif self._form == "pem":
            label = self._label or document.label or (type_.labels[0] if type_.labels else None)
            if label is None:
                raise click.UsageError("no PEM label is known for this type; set one with --label")
            target.write_text(pem.encode(document.der, label))
        elif target.is_terminal:
            raise Unreadable(
                "DER is not written to a terminal; write it to a file with -o, or select another format with --to"
            )
        else:
            target.write(document.der)

    def _read(self) -> tuple[Document, DocumentType, Any]:
        """Return the document, its type and its value. Raises Unreadable and ASN1Error."""
        data = read(self.file)
        if self._is_json or is_json(data):
            type_, value = self._read_json(data)
            return Document(self.file, value.encode()), type_, value
        document = self.read_document(self._block, data)
        type_ = type_of(document, self.type_name)
        with offsets_in_file(document):
            return document, type_, type_.decode(document.der, self.tolerate)

    def _read_ber(self) -> tuple[Document, DocumentType, Any]:
        """Return the converted document, its type, and its value if JSON is written.

        Without the value, kept parts need not be DER.
        """
        document = as_der(self.read_document(self._block), self.type_name, accepts_damaged=bool(self.tolerate))
        type_ = type_of(document, self.type_name)
        if self._form != "json":
            return document, type_, None
        with offsets_in_file(document):
            return document, type_, type_.decode(document.der, self.tolerate)

    def _read_json(self, text: bytes) -> tuple[DocumentType, Any]:
        """Return the type given by `--type`, or the first whose first field is the first name, and the value."""
        first = _FIRST_NAME.match(text[:200].decode("utf-8-sig", "replace"))
        if self.type_name is not None and TYPES[self.type_name].schema is not None:
            possible = [TYPES[self.type_name]]
        else:
            possible = [
                type_
                for type_ in TYPES.values()
                if first and _has_fields(type_.schema) and first[1] == derlib.fields(type_.schema)[0].name
            ]
            if len(possible) > 1 and isinstance(members := parsed_text(text), dict):
                # Dss-Parms and the DomainParameters of X9.42 have the same names in different orders.
                names = list(members)
                possible.sort(key=lambda type_: not _has_order(type_.schema, names))
        failure: ASN1Error | None = None
        for type_ in possible:
            try:
                return type_, type_.schema.from_json(text)
            except ASN1Error as error:
                failure = failure or error
        if failure is None:
            # A damaged text has an error with its line and column.
            parsed_text(text)
        raise failure or Unreadable("the type of the JSON is unknown; set it with --type")


def _has_fields(schema: Any) -> bool:
    """Return whether a schema is the class of a structure, and not None or the class of a list."""
    return schema is not None and not issubclass(schema, derlib.SequenceOf)


def _has_order(schema: Any, names: list[str]) -> bool:
    """Return whether the members of a JSON object are fields of a schema, in their order."""
    return [field.name for field in derlib.fields(schema) if field.name in names] == names


def _ascii(text: str) -> str:
    """Return JSON with escapes for all characters that are not printable ASCII, except line breaks."""
    return re.sub(r"[^\n -~]", lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text)
