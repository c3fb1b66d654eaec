"""`derlib view`: write an HTML page that shows a file as a tree beside its bytes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

import derlib
from derlib import ASN1Error, DecodeError, Deviation, LimitError
from derlib.cli import options
from derlib.cli.commands.base import INVALID, OK, SingleFileCommand, report_tolerated, tolerated_in
from derlib.cli.documents.ber import as_der
from derlib.cli.documents.contents import content_errors, tolerated_contents
from derlib.cli.documents.damaged import is_damaged
from derlib.cli.documents.document_types import DER, type_of
from derlib.cli.documents.elements import tree_of
from derlib.cli.documents.files import Document, Unreadable, offsets_in_file, selected_documents
from derlib.cli.documents.secret_parts import hide_key
from derlib.cli.output.binary_output import BinaryOutput
from derlib.cli.output.escapes import printable
from derlib.cli.output.standard_output import report_error
from derlib.cli.rendering.errors import error_text, explained
from derlib.cli.rendering.html_page import BEGINNING, Fault, page

__all__ = ["Command"]


class Command(SingleFileCommand):
    """Writes an HTML page of all valid documents of a file."""

    help = """Write an HTML page with the tree beside the bytes.

    The page is one file that works offline: you can keep it, send it, and open it in any browser. Hover over an
    element to highlight its bytes, or over bytes to highlight their element; click to keep the selection. You can
    search for everything that the page shows. The size of the page is about four thirds of FILE, and large files open
    without delay. OUT.html#1234 opens the page at offset 1234, OUT.html#PATH at the element with a path of "derlib
    extract". The page has all blocks of a PEM file, and all values of a DER file that has several; with --block N only
    one of them.

    With --schema and --type, the page shows the fields and types of a type of an ASN.1 module.

    Private keys are not in the page without --secrets; their fields are, without the bytes.

    With --ber, the page shows BER as it is: indefinite lengths, end-of-contents octets and the segments of strings.

    \b
    Examples:
      derlib view server.pem --open
      derlib view revoke.crl -o revoke.html
      derlib view chain.pem --block 2
      derlib view mail.p7m --ber
      derlib view order.der --schema shop.asn --type Order
    """
    parameters = (
        options.file_argument("file"),
        click.Option(
            ["-o", "--output"],
            metavar="OUT.html",
            type=click.Path(allow_dash=True),
            help="Write the page to this file; - means standard output. The default is FILE.html in the current "
            "folder; it replaces a page of derlib, but no other file.",
        ),
        click.Option(["--open", "launch"], is_flag=True, help="Open the page in the browser."),
        options.BLOCK,
        *options.SCHEMA,
        options.SECRETS,
        options.TOLERATE,
        options.BER,
    )

    def __init__(
        self,
        *,
        file: str,
        output: str | None,
        launch: bool,
        block: int | None,
        schema: tuple[str, ...],
        type_name: str | None,
        secrets: bool,
        **common: Any,
    ) -> None:
        options.check_schema(schema, type_name)
        if output is None and file == "-":
            raise click.UsageError("the page of standard input needs an output file; set it with -o")
        path = output or f"{os.path.basename(file)}.html"
        if launch and path == "-":
            raise click.UsageError("--open needs an output file")
        super().__init__(file=file, output=path, replaced=BEGINNING if output is None else None, **common)
        self._launch = launch
        self._block = block
        self._schema_files = schema
        self._type_name = type_name
        self._secrets = secrets

    def write(self, target: BinaryOutput) -> int:
        schema = None
        if self._type_name is not None:
            # The compiler of ASN.1 is loaded only if it is used.
            from derlib.cli.documents.schema_files import type_in_files

            schema = type_in_files(self._schema_files, self._type_name)
            if schema is None:
                return INVALID
        shown, errors, all_valid = self._read(schema)
        if not shown:
            return INVALID
        title = "standard input" if self.file == "-" else os.path.basename(self.file)
        text = "".join(page(title, shown, self.is_ber, schema, secrets=self._secrets, errors=errors))
        try:
            target.write(text.encode())
        except FileExistsError:
            name = str(target.path)
            report_error(name, f"the file exists and is not a page of derlib; -o {shlex.quote(name)} replaces it")
            return INVALID
        if target.path is not None:
            click.echo(printable(target.path))
            if self._launch:
                click.launch(target.path)
        return OK if all_valid else INVALID

    def _read(self, schema: Any) -> tuple[list[Document], dict[int, Fault], bool]:
        """Return the documents of the file, the faults of those that are damaged, by index, and whether all are valid.

        Report the others. With a schema, a valid document is a value of this type.
        """
        shown: list[Document] = []
        damaged: dict[int, Fault] = {}
        messages: list[tuple[str, str]] = []
        try:
            documents = selected_documents(self.file, self._block, split=self.split, is_ber=self.is_ber)
            for document in chain.from_iterable(one.values() for one in documents):
                try:
                    if document.error is not None:
                        raise document.error
                    fault = self._validate(document, schema)
                except (ASN1Error, MemoryError) as error:
                    messages.append((document.title, explained(error, document.der, self._type_name, self.is_ber)))
                    continue
                if fault is not None:
                    if not self.is_ber:
                        fault = _with_path(fault, document, self.tolerate)
                    if not self._secrets:
                        hide_key(fault, document, type_of(document))
                    message = explained(fault, document.der, self._type_name, self.is_ber)
                    messages.append((document.title, message))
                    damaged[len(shown)] = Fault(fault.offset - document.offset, fault.kind, fault.rule, message)
                elif schema is None:
                    messages += ((document.title, message) for message in self._faults_of_type(document))
                shown.append(document)
        except (Unreadable, ASN1Error) as error:
            messages.append((self.file, str(error)))
        for title, message in messages:
            report_error(title, message)
        return shown, damaged, not messages

    def _faults_of_type(self, document: Document) -> Iterator[str]:
        """Yield a message for a document whose elements are valid, but not the object of its type that they are.

        For an object that is valid, yield a message for each string whose content is not, and report the deviations
        that are tolerated.

        The page marks each of its faults. BER of an unknown type has no others than those of its elements.
        """
        found = document
        type_ = DER
        try:
            if self.is_ber:
                found = as_der(document, None, accepts_damaged=False)
            type_ = type_of(found)
            if self.is_ber and type_ is DER:
                return
            with offsets_in_file(found):
                value = type_.decode(found.der, self.tolerate)
        except DecodeError as error:
            if not self._secrets:
                hide_key(error, document, type_)
            yield explained(error, document.der, None, self.is_ber)
            return
        except (LimitError, MemoryError) as error:
            yield explained(error, document.der, None, self.is_ber)
            return
        inside = tolerated_contents(found, value, self.tolerate)
        report_tolerated(found, chain(tolerated_in(found, value), inside))
        for one in content_errors(found, value, self.tolerate, secrets=self._secrets):
            yield error_text(one, self.is_ber, data=document.der)

    def _validate(self, document: Document, schema: Any) -> DecodeError | None:
        """Return the error of a damaged document, which has a page: it begins like DER. Raise every other error."""
        try:
            with offsets_in_file(document):
                tree_of(document.der, self.tolerate, self.is_ber)
        except DecodeError as error:
            if not is_damaged(error, document.der):
                raise
            return error
        if schema is not None:
            with offsets_in_file(document):
                rules = "ber" if self.is_ber else "der"
                value = derlib.decode(schema, document.der, tolerate=self.tolerate, rules=rules)
            report_tolerated(document, tolerated_in(document, value))
        return None


def _with_path(fault: DecodeError, document: Document, tolerate: Deviation | None) -> DecodeError:
    """Return the error at a fault as the type of the document has it, with a path; `fault` if it is another one."""
    try:
        with offsets_in_file(document):
            type_of(document).decode(document.der, tolerate)
    except DecodeError as error:
        if (error.offset, error.kind) == (fault.offset, fault.kind):
            return error
    except (ASN1Error, MemoryError):
        pass
    return fault
