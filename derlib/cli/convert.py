"""`derlib convert`: a certificate or a CRL from PEM, DER or JSON to one of these."""

from __future__ import annotations

import json
import re
from typing import Any

import click

import derlib
from derlib import pem
from derlib.cli import kinds, options
from derlib.cli.exits import run_one
from derlib.cli.inputs import Document, Unreadable, one_document, read
from derlib.cli.kinds import ANY, KINDS, Kind
from derlib.cli.sink import Sink
from derlib.cli.tolerance import tolerated

__all__ = ["command"]

#: JSON has one of these names first; `derlib.fields` knows the rest.
_FIRST_NAME = re.compile(r'\s*\{\s*"([a-z_]{1,40})"\s*:')


@click.command("convert")
@options.one_file("file")
@click.option("--to", "form", type=click.Choice(["der", "pem", "json"]), required=True, help="The form to write.")
@options.output
@options.block
@click.option("--label", metavar="LABEL", help="The PEM label, if it does not follow from the type.")
@kinds.option
@options.tolerate
def command(
    file: str,
    form: str,
    output: str | None,
    block: int | None,
    label: str | None,
    kind: str | None,
    tolerate: tuple[str, ...],
) -> None:
    """Convert between PEM, DER and JSON.

    The form of FILE is found out. DER and PEM are checked, and their octets stay as they are. JSON is that of the
    library (to_json, from_json): it has every field of the structure, under the names of the RFC in snake_case, and
    makes the same octets again. Only certificates and CRLs have it. It is another form than that of `derlib cert
    --json`, which is for reading.

    What is made of JSON is DER whatever it says. A signature is copied, not made: after a change it no longer fits.

    \b
    Examples:
      derlib convert server.pem --to der -o server.der
      derlib convert server.pem --to json | jq .tbs_certificate.subject
      derlib convert edited.json --to pem
    """

    def body(sink: Sink) -> int:
        document, found, value = _read(file, block, kind, tolerated(tolerate))
        if form == "json":
            if found is ANY:
                raise Unreadable("only certificates and CRLs have a JSON form; this is neither")
            sink.text(_ascii(value.to_json(indent=2)) + "\n")
        elif form == "pem":
            given = label or document.label or (found.labels[0] if found.labels else None)
            if given is None:
                raise click.UsageError("no label is known for that type; --label gives it one")
            sink.text(pem.encode(document.der, given))
        elif sink.terminal:
            raise Unreadable("a terminal does not show DER; -o names a file for it, or --to another form")
        else:
            sink.octets(document.der)
        return 0

    run_one(file, output, body)


def _read(file: str, block: int | None, name: str | None, tolerate: derlib.Deviation) -> tuple[Document, Kind, Any]:
    """The document, what it is, and its value. Raises Unreadable and ASN1Error."""
    data = read(file)
    text = data.strip()
    if text.startswith(b"{") and text.endswith(b"}"):
        found = _kind_of_json(text, name)
        value = found.type.from_json(text)
        return Document(file, value.encode()), found, value
    document = one_document(file, block, data)
    found = kinds.kind_of(document, name)
    return document, found, found.decode(document.der, tolerate or None)


def _kind_of_json(text: bytes, name: str | None) -> Kind:
    if name is not None and KINDS[name].type is not None:
        return KINDS[name]
    first = _FIRST_NAME.match(text[:200].decode("utf-8", "replace"))
    for kind in KINDS.values():
        if first and kind.type and first[1] in (field.name for field in derlib.fields(kind.type)) and (
            first[1].startswith("tbs")
        ):
            return kind
    raise Unreadable("JSON of no known type; --type says which it is")


def _ascii(text: str) -> str:
    """JSON with escapes in place of what is not ASCII, so that neither an encoding nor a terminal is troubled by it."""
    return re.sub(r"[^\n -~]", lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", text)
