"""`derlib extract`: one element of a document, as DER, PEM or hexadecimal."""

from __future__ import annotations

from itertools import islice

import click

import derlib
from derlib import pem
from derlib.cli import kinds, options
from derlib.cli.exits import ABSENT, FAULT, run_one
from derlib.cli.inputs import one_document
from derlib.cli.items import Item, Path, at_path, below, top
from derlib.cli.kinds import KINDS
from derlib.cli.patterns import parse_path
from derlib.cli.sink import Sink
from derlib.cli.tolerance import tolerated
from derlib.cli.tree import NothingHere, element_at
from derlib.errors import format_path
from derlib.schemas.x509 import SubjectPublicKeyInfo

__all__ = ["command"]

#: RFC 7468: the labels of what has one.
_LABELS = {kind.type: kind.labels[0] for kind in KINDS.values() if kind.type} | {SubjectPublicKeyInfo: "PUBLIC KEY"}

#: So many fields are named where none is at the path that was asked for.
_MOST_NAMES = 20


@click.command("extract")
@options.one_file("file")
@click.argument("path")
@click.option(
    "--to", "form", type=click.Choice(["der", "pem", "hex"]), default="der", help="The output format; DER by default."
)
@click.option("--content", is_flag=True, help="Write only the contents octets, without identifier and length octets.")
@click.option("--label", metavar="LABEL", help="The PEM label, if it does not follow from the element.")
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
                return sink.fault(document.title, str(error), ABSENT if error.sound else FAULT)
            inner = element.tlv.span
            span = derlib.Span(element.base + inner.offset, inner.header_length, inner.content_length)
        else:
            root = top(kinds.kind_of(document, kind).decode(document.der, tolerance))
            found = at_path(root, steps)
            if found is None:
                return sink.fault(document.title, f"there is nothing at {path}{_what_is_there(root, steps)}", ABSENT)
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


def _what_is_there(root: Item, steps: Path) -> str:
    """What the last element on the way has inside, for a message."""
    found = root
    while (inner := at_path(found, steps[len(found.path) : len(found.path) + 1])) and inner is not found:
        found = inner
    names = list(dict.fromkeys(child.path[-1] for child in islice(below(found), _MOST_NAMES)))
    where = format_path(found.path) or "the document"
    if not names:
        return f"; {where} has nothing inside"
    if isinstance(names[0], int):
        return f"; {where} has elements from [0] on"
    return f"; {where} has {', '.join(map(str, names))}"
