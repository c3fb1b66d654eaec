"""`derlib extract`: one element of a document, as DER, PEM or hexadecimal."""

from __future__ import annotations

import click

import derlib
from derlib import pem
from derlib.cli import kinds, options
from derlib.cli.exits import ABSENT, run_one
from derlib.cli.inputs import one_document
from derlib.cli.items import at_path, top
from derlib.cli.kinds import KINDS
from derlib.cli.patterns import parse_path
from derlib.cli.sink import Sink
from derlib.cli.tolerance import tolerated
from derlib.cli.tree import NothingHere, element_at
from derlib.schemas.x509 import SubjectPublicKeyInfo

__all__ = ["command"]

#: RFC 7468: the labels of what has one.
_LABELS = {kind.type: kind.labels[0] for kind in KINDS.values() if kind.type} | {SubjectPublicKeyInfo: "PUBLIC KEY"}


@click.command("extract")
@options.one_file("file")
@click.argument("path")
@click.option(
    "--to", "form", type=click.Choice(["der", "pem", "hex"]), default="der", help="How it is written; DER otherwise."
)
@click.option("--content", is_flag=True, help="Write the contents octets alone, without identifier and length.")
@click.option("--label", metavar="LABEL", help="The label of PEM, where it does not follow from the element.")
@options.output
@options.block
@kinds.option
@options.tolerate
def command(
    file: str,
    path: str,
    form: str,
    content: bool,
    label: str | None,
    output: str | None,
    block: int | None,
    kind: str | None,
    tolerate: tuple[str, ...],
) -> None:
    """Take one element out of a document.

    PATH is an offset in octets, as `derlib dump` shows it, or a path of fields and indexes, as `derlib grep` and errors
    show it. DER of no known type has indexes only: [0][2] is the third element of the first one.

    The octets are those of the document, so that signatures and digests hold. They begin with the tag that they have
    there; an explicit tag around them is left out. On a terminal, DER is shown in hexadecimal.

    The exit status is 0 when the element was written, 3 when there is none, 1 when the input was bad.

    \b
    Examples:
      derlib extract server.pem tbs_certificate > tbs.der
      derlib extract server.pem tbs_certificate.subject_public_key_info --to pem
      derlib extract server.pem signature_value --content --to hex
      derlib extract revoke.crl 150 -o entries.der
    """
    steps = None if path.isdecimal() else parse_path(path)
    if content and form == "pem":
        raise click.UsageError("--content and --to pem exclude each other")

    def body(sink: Sink) -> int:
        document = one_document(file, block)
        tolerance = tolerated(tolerate) or None
        type_ = None
        if steps is None:
            try:
                element = element_at(document.der, int(path[:20]), tolerance)
            except NothingHere as error:
                return sink.fault(document.title, str(error), ABSENT)
            inner = element.tlv.span
            span = derlib.Span(element.base + inner.offset, inner.header_length, inner.content_length)
        else:
            found = at_path(top(kinds.kind_of(document, kind).decode(document.der, tolerance)), steps)
            if found is None:
                return sink.fault(document.title, f"there is nothing at {path}", ABSENT)
            span, type_ = found.span, type(found.value)
        octets = document.der[span.content_offset if content else span.offset : span.end]
        if form == "pem":
            if span.length == len(document.der):
                type_ = kinds.kind_of(document, kind).type
            given = label or _LABELS.get(type_)
            if given is None:
                raise click.UsageError("no label is known for that element; --label gives it one")
            sink.text(pem.encode(octets, given))
        elif form == "hex" or sink.terminal:
            sink.text(octets.hex() + "\n")
        else:
            sink.octets(octets)
        return 0

    run_one(file, output, body)
