"""`derlib diff`: which fields of two documents differ, by path, with both values."""

from __future__ import annotations

from collections.abc import Iterator

import click

from derlib import ASN1Error
from derlib.cli import jsonout, kinds, options
from derlib.cli.compare import Difference, Side, differences
from derlib.cli.exits import run_and_exit
from derlib.cli.inputs import Unreadable, one_document
from derlib.cli.items import path_text, plain, top
from derlib.cli.kinds import ANY
from derlib.cli.output import Output, report_error
from derlib.cli.run import How
from derlib.cli.tolerance import message
from derlib.cli.values import inline

__all__ = ["command"]

#: As of diff(1): alike, different, trouble.
_DIFFERENT, _TROUBLE = 1, 2

#: How a line begins, and its colour.
_SIGNS = {"changed": ("~", "changed"), "removed": ("-", "critical"), "added": ("+", "name"), "order": ("~", "changed")}


@click.command("diff")
@options.one_file("a")
@options.one_file("b")
@options.how
@options.block
@kinds.option
def command(how: How, a: str, b: str, block: int | None, kind: str | None) -> None:
    """Compare two documents field by field.

    A line for each difference: what is only in A (-), what is only in B (+), and what both have with different values
    (~). Elements of lists are matched by their octets, then by their first field, such as a serial number or the
    identifier of an extension; so an entry that was put in moves nothing else. The indexes are those of A, for
    what is only in B those of B.

    The exit status is 0 when both are alike, 1 when they differ, and 2 when one could not be read.

    \b
    Examples:
      derlib diff old.crl new.crl
      derlib diff server.pem renewed.pem
      derlib diff a.der b.der --json | jq '.[].path'

    \b
    With --json, each member has change (changed, removed, added, or order: the
    same elements in another order), path, and old and new (offset, value) where
    they are there.
    """

    def body(out: Output) -> int:
        sides = []
        common = None if kind is None else kinds.KINDS[kind]
        for file in (a, b):
            try:
                document = one_document(file, block)
                found = kinds.kind_of(document, kind)
                # Of two types, neither is that of both: then the elements are compared.
                common = found if common in (None, found) else ANY
                sides.append(document)
            except (Unreadable, ASN1Error) as error:
                report_error(file, message(error))
                return _TROUBLE
        assert common is not None
        read = []
        for document in sides:
            try:
                value = common.decode(document.der, how.tolerate or None)
            except (ASN1Error, MemoryError) as error:
                report_error(document.title, message(error))
                return _TROUBLE
            read.append(Side(top(value), document.der))
        old, new = read
        write = _write_json if how.as_json else _write_text
        return _DIFFERENT if write(differences(old, new), out) else 0

    run_and_exit(how.output(), body, fault=_TROUBLE)


def _write_text(found: Iterator[Difference], out: Output) -> bool:
    """A line for each; whether there was one."""
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
            values = [inline(plain(one.item)) or "(empty)" for one in (old, new) if one is not None]
            text = " -> ".join(values)
            if old is not None and new is not None and values[0] == values[1]:
                text = f"{values[0]} (octet {_first_difference(old.octets, new.octets)} of its encoding differs)"
        out.line(out.style(f"{sign} {path}: {text}", style))
    return different


def _first_difference(old: bytes, new: bytes) -> int:
    """The index of the first octet that the two do not share, from 0."""
    both = enumerate(zip(old, new, strict=False))
    return next((place for place, (one, other) in both if one != other), min(len(old), len(new)))


def _write_json(found: Iterator[Difference], out: Output) -> bool:
    """The keys stand in the help of the command."""
    different = False
    separator = "["
    for change, old, new in found:
        different = True
        side = old or new
        assert side is not None
        members: dict[str, object] = {"change": change, "path": side.item.path}
        for name, one in (("old", old), ("new", new)):
            if one is not None and change != "order":
                members[name] = {"offset": one.item.span.offset, "value": plain(one.item)}
        out.write(f"{separator}\n{jsonout.one_line(members)}")
        separator = ","
    out.write("\n]\n" if different else "[\n]\n")
    return different
