"""`derlib view`: write an HTML page that shows a file as a tree beside its bytes."""

from __future__ import annotations

import os
from typing import Any

import click

import derlib
from derlib import ASN1Error
from derlib.cli import options
from derlib.cli.commands.base import INVALID, OK, ConvertingCommand
from derlib.cli.documents.files import Document, Unreadable, documents
from derlib.cli.output.binary_output import BinaryOutput
from derlib.cli.output.escapes import printable
from derlib.cli.output.standard_output import report_error
from derlib.cli.rendering.errors import error_text
from derlib.cli.rendering.html_page import page

__all__ = ["Command"]


class Command(ConvertingCommand):
    """Writes an HTML page of all valid documents of a file."""

    help = """Make a page of HTML: the tree beside the octets.

    The page is one file of HTML that needs no network: keep it, send it, open it in any browser. Hovering over
    an element lights up its octets, and the other way round; a click keeps it. Search takes text, object identifiers
    by number or name, and octets. It is about four thirds as large as FILE, and large files are no trouble.
    OUT.html#1234 opens it at octet 1234. Of a PEM file, all blocks are in it.

    \b
    Examples:
      derlib view server.pem --open
      derlib view revoke.crl -o revoke.html
    """
    parameters = (
        options.file_argument("file"),
        click.Option(
            ["-o", "--output"],
            metavar="OUT.html",
            type=click.Path(allow_dash=True),
            help="Write the page there, - for standard output. Otherwise it is FILE.html in this folder, which must "
            "not exist.",
        ),
        click.Option(["--open", "launch"], is_flag=True, help="Open the page in the browser."),
        options.TOLERATE,
    )

    def __init__(self, *, file: str, output: str | None, launch: bool, **common: Any) -> None:
        if output is None and file == "-":
            raise click.UsageError("-o has to say where the page of standard input goes")
        path = output or f"{os.path.basename(file)}.html"
        if launch and path == "-":
            raise click.UsageError("--open needs a file to open")
        super().__init__(file=file, output=path, create=output is None, **common)
        self._launch = launch

    def write(self, target: BinaryOutput) -> int:
        valid, all_valid = self._read()
        if not valid:
            return INVALID
        title = "standard input" if self.file == "-" else os.path.basename(self.file)
        text = "".join(page(title, valid))
        try:
            target.write(text.encode())
        except FileExistsError:
            report_error(str(target.path), "exists already; -o says where the page goes, also in its place")
            return INVALID
        if target.path is not None:
            click.echo(printable(target.path))
            if self._launch:
                click.launch(target.path)
        return OK if all_valid else INVALID

    def _read(self) -> tuple[list[Document], bool]:
        """Return the valid documents of the file, and whether all are valid. Report the others."""
        valid: list[Document] = []
        invalid: list[tuple[str, Exception]] = []
        try:
            for document in documents(self.file):
                try:
                    derlib.parse(document.der, tolerate=self.tolerate)
                    valid.append(document)
                except (ASN1Error, MemoryError) as error:
                    invalid.append((document.title, error))
        except (Unreadable, ASN1Error) as error:
            invalid.append((self.file, error))
        for place, fault in invalid:
            report_error(place, error_text(fault))
        return valid, not invalid
