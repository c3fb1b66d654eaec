"""`derlib grep`: where in documents an object identifier, a path or a text stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from derlib import Deviation
from derlib.cli import jsonout, kinds, options
from derlib.cli.exits import ABSENT
from derlib.cli.inputs import Document
from derlib.cli.items import Item, below, path_text, plain, top
from derlib.cli.output import Output, printable, report_error
from derlib.cli.patterns import Pattern, pattern_of
from derlib.cli.progress import track
from derlib.cli.run import How, Task
from derlib.cli.values import inline

__all__ = ["command"]


class _Grep:
    """What is looked for, and the writers of what is found."""

    def __init__(self, pattern: Pattern, kind: str | None, several: bool) -> None:
        self._pattern = pattern
        self._kind = kind
        self._several = several
        self._found = False

    def decode(self, document: Document, tolerate: Deviation | None) -> Any:
        return kinds.kind_of(document, self._kind).decode(document.der, tolerate)

    def status(self) -> int:
        """0 when something was found."""
        if self._found:
            return 0
        if self._pattern.remark:
            report_error("nothing found", self._pattern.remark)
        return ABSENT

    def write_text(self, document: Document, value: Any, out: Output) -> None:
        """A line for each match: the document where there are several, offset, path, value."""
        title = ""
        if self._several or not document.alone:
            title = out.style(f"{printable(document.title)}:", "heading") + " "
        for item in self._matches(value):
            place = out.style(f"{item.span.offset}:", "offset")
            path = out.style(f"{path_text(item.path) or 'all'}:", "tag")
            out.line(f"{title}{place} {path} {inline(plain(item))}".rstrip())

    def write_json(self, value: Any, out: Output) -> None:
        """The keys stand in the help of the command."""
        jsonout.write(
            out,
            (
                {
                    "path": item.path,
                    "offset": item.span.offset,
                    "header_length": item.span.header_length,
                    "content_length": item.span.content_length,
                    "value": plain(item),
                }
                for item in self._matches(value)
            ),
        )

    def _matches(self, value: Any) -> Iterator[Item]:
        if not self._pattern.may_be_in(bytes(value.der)):
            return
        whole = top(value)
        for item in track(self._items(whole), whole.span.length, "octets", lambda item: item.span.offset):
            if self._pattern.wants(item):
                self._found = True
                yield item

    def _items(self, whole: Item) -> Iterator[Item]:
        """`whole` and all that is in it, in the order of the document, but for what the pattern does not enter."""
        waiting = [iter((whole,))]
        while waiting:
            item = next(waiting[-1], None)
            if item is None:
                waiting.pop()
                continue
            yield item
            if self._pattern.enters(item):
                waiting.append(below(item))


@click.command("grep")
@click.argument("pattern")
@options.reading
@click.option("--by", type=click.Choice(["oid", "path", "text"]), help="The kind of PATTERN, detected by default.")
@click.option("-i", "--ignore-case", is_flag=True, help="Ignore the case of letters in a text.")
@kinds.option
def command(
    how: How,
    pattern: str,
    files: tuple[str, ...],
    by: str | None,
    ignore_case: bool,
    kind: str | None,
) -> None:
    """Find an object identifier, a path or a text.

    PATTERN is the first of these that it can be, unless --by says so:

    \b
      oid   the number or the name of an object identifier:
            2.5.29.17, id-ce-subjectAltName
      path  fields and indexes, with * and ? in a name, [*] for any index,
            ** for any steps: tbs_certificate.extensions[*].extn_id
      text  a part of a character string: example.org

    A line has the offset of the element, its path and its value. The paths are those of the RFC's fields, as in
    errors; DER of no known type has indexes only.

    The exit status is 0 when something was found, 3 when nothing was, and 1 when some input was bad.

    \b
    Examples:
      derlib grep id-ce-keyUsage *.pem
      derlib grep 'tbs_certificate.subject' chain.pem
      derlib grep '**.dns_name' server.pem
      derlib grep -i example.org --by text server.pem

    \b
    With --json, each member has file (PEM: block, label, line) and either
      error    message; path, offset, rule, kind where known; line in PEM
      matches  each: path, offset, header_length, content_length, value
    """
    grep = _Grep(pattern_of(pattern, by, ignore_case), kind, len(files) > 1)
    task = Task((), grep.decode, None, grep.write_json, "matches", grep.write_text, grep.status)
    task.run(files, how, rows=True)
