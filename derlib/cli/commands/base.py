"""The base classes of the commands. app.py creates a command from the parsed command line and calls `run`.

- `Command`: every command.
- `DocumentCommand`: shows something of each document of each file, as text or as JSON (cert, crl, dump, grep, lint).
- `SingleFileCommand`: writes one result, which can be binary, to standard output or a file (convert, extract, view).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Generic, TypeVar

import click

from derlib import ASN1Error, Deviation, PEMError, Tolerated
from derlib._value_ranges import splitting
from derlib.cli.documents.elements import NotFound
from derlib.cli.documents.files import Document, Unreadable, offsets_in_file, one_document, read, selected_documents
from derlib.cli.options import OutputOptions, require_at_most_one
from derlib.cli.output.binary_output import BinaryOutput
from derlib.cli.output.escapes import printable
from derlib.cli.output.progress import track_files
from derlib.cli.output.standard_output import Output, report_error
from derlib.cli.rendering import json_text
from derlib.cli.rendering.errors import error_json, error_text, explained, tolerated_json, tolerated_text

__all__ = ["CHANGED", "INVALID", "NOT_FOUND", "OK", "Command", "DocumentCommand", "SingleFileCommand"]

T = TypeVar("T")

#: The exit statuses: all input is valid; some input is invalid; all input is valid, but something was not found; the
#: input is valid BER, but not DER.
OK = 0
INVALID = 1
NOT_FOUND = 3
CHANGED = 4

#: In text, at most this many tolerated deviations of a document are listed.
_MAX_TOLERATED = 10


class Command(ABC):
    """A command with the values of its parameters, which the constructor takes by name."""

    #: The text of `--help`, as click formats it.
    help: ClassVar[str]
    parameters: ClassVar[tuple[click.Parameter, ...]]

    #: The exit status if standard output cannot be written.
    output_error_status: ClassVar[int] = INVALID

    def open_output(self) -> Output:
        """Return the output that `run` writes to."""
        return Output(False)

    @abstractmethod
    def run(self, out: Output) -> int:
        """Do the work of the command and return the exit status. Raises OSError if `out` cannot be written."""


class DocumentCommand(Command, Generic[T]):
    """A command that decodes each document of each file and writes a result of type `T` for it.

    Subclasses define `json_member`, `decode`, `write_text` and `write_json`. An invalid document is reported on
    standard error; the command then continues with the next one.
    """

    #: The PEM labels that the command reads; empty for all.
    labels: ClassVar[tuple[str, ...]] = ()

    #: The names of the types, `"cert"` or `"crl"`, that the command also reads from a SignedData.
    unpacks: ClassVar[tuple[str, ...]] = ()

    #: The member of the JSON output that has the result.
    json_member: ClassVar[str]

    #: The name of the type of the documents, if the command or the user chose one.
    type_name: str | None = None

    #: Whether the command shows BER as it is, instead of converting it to DER.
    shows_ber: ClassVar[bool] = False

    #: Whether `--tolerate` has an effect; None if it has one without `--ber` only.
    tolerates: ClassVar[bool | None] = None

    def __init__(
        self,
        *,
        files: tuple[str, ...],
        as_json: bool,
        color: bool | None,
        pager: bool,
        tolerate: Deviation,
        ber: bool,
        jsonl: bool = False,
        block: int | None = None,
    ) -> None:
        require_at_most_one(("--json", as_json), ("--jsonl", jsonl))
        self.files = files
        self.is_ber = ber
        self._block = block
        self.options = OutputOptions(as_json or jsonl, color, pager, jsonl)
        self.tolerate = tolerate or None
        self.split = splitting(tolerate)
        self._invalid = False
        self._absent = False
        self._has_heading = False
        self._json = json_text.DocumentArray(jsonl)

    def open_output(self) -> Output:
        return self.options.open_output()

    def run(self, out: Output) -> int:
        for file in track_files(self.files, len(self.files)):
            self._process_file(file, out)
        if self.options.as_json:
            self._json.close(out)
        out.flush()
        if self._invalid:
            return INVALID
        return NOT_FOUND if self._absent else self.status()

    # --- The steps that a command defines or overrides

    @abstractmethod
    def decode(self, document: Document) -> T:
        """Return the result for a document. Raises ASN1Error.

        `run` reports the `deviations` of the result.
        """

    @abstractmethod
    def write_text(self, document: Document, result: T, out: Output) -> None:
        """Write the result as text."""

    @abstractmethod
    def write_json(self, document: Document, result: T, out: Output) -> None:
        """Write the result as a JSON value."""

    def write_damaged(self, document: Document, error: Exception, out: Output) -> None:
        """Write as text what can be read of a document that is not valid; by default nothing. The error is reported."""

    def to_der(self, document: Document) -> Document:
        """Return a BER document converted to DER. Raises ASN1Error."""
        # The types need the schemas, which `derlib dump` does not load.
        from derlib.cli.documents.ber import as_der

        return as_der(document, self.type_name)

    def deviations(self, document: Document, result: T) -> Iterator[Tolerated]:
        """Yield the tolerated deviations of a result that has any, with their offsets in a DER file."""
        return tolerated_in(document, result)

    def content_errors(self, document: Document, result: T) -> Iterator[Exception]:
        """Yield the errors of the contents of strings that the command opens; by default none.

        They are reported with the result, which shows the rest.
        """
        return iter(())

    def status(self) -> int:
        """Return the exit status if all documents are valid."""
        return OK

    # --- The names of documents in text

    def title(self, document: Document, out: Output) -> str:
        """Return the name of `document` with a colon, to write before its results."""
        return out.style(f"{printable(document.title)}:", "heading")

    def is_one_of_several(self, document: Document) -> bool:
        """Return whether the output needs the name of `document`, because it has other documents, too."""
        return len(self.files) > 1 or not document.alone

    def write_heading(self, document: Document, out: Output) -> None:
        """Write the name of `document` on its own line if there are several; an empty line separates the documents."""
        if self.is_one_of_several(document):
            if self._has_heading:
                out.line()
            out.line(self.title(document, out))
            self._has_heading = True

    # --- The loop over documents

    def _process_file(self, file: str, out: Output) -> None:
        data = b""
        try:
            data = read(file)
            for document in self._documents(file, data):
                self._process(document, out)
        except (Unreadable, PEMError) as error:
            # PEM without a block of these labels can get a hint at another command; an invalid block cannot.
            no_block = isinstance(error, PEMError) and not error.line
            self._report(Document(file, data if no_block else b""), error, out)

    def _documents(self, file: str, data: bytes) -> Iterable[Document]:
        """Return the documents of a file. Raises Unreadable and PEMError."""
        if not self.unpacks:
            return selected_documents(file, self._block, self.labels, data, split=self.split, is_ber=self.is_ber)
        # The types need the schemas, which `derlib dump` does not load.
        from derlib.cli.documents.signed_data import LABELS, unpacked

        found = selected_documents(
            file, self._block, self.labels, data, split=self.split, is_ber=self.is_ber, around=LABELS
        )
        return unpacked(found, self.unpacks, self.tolerate, self.is_ber)

    def _process(self, document: Document, out: Output) -> None:
        try:
            if document.error is not None:
                raise document.error
            if self.is_ber and not self.shows_ber:
                document = self.to_der(document)
            with offsets_in_file(document):
                result = self.decode(document)
        except (ASN1Error, MemoryError) as error:
            if not self.options.as_json:
                self.write_damaged(document, error, out)
            self._report(document, error, out)
            return
        tolerated = tuple(self.deviations(document, result))
        errors = tuple(self.content_errors(document, result))
        data = document.ber or document.der
        if self.options.as_json:
            self._json.begin(document, self.json_member, out)
            self.write_json(document, result, out)
            if tolerated:
                out.write(', "tolerated": ')
                json_text.write(out, [tolerated_json(one) for one in tolerated])
            if errors:
                out.write(', "errors": ')
                json_text.write(out, [error_json(one, self.is_ber, self.tolerates, data) for one in errors])
            self._json.end(out)
        else:
            self.write_text(document, result, out)
        if tolerated:
            out.flush()
            report_tolerated(document, tolerated)
        if errors:
            self._invalid = True
            out.flush()
            for one in errors:
                report_error(document.title, error_text(one, self.is_ber, self.tolerates, data))

    def _report(self, document: Document, error: Exception, out: Output) -> None:
        """Report an error on standard error, and with --json also on standard output."""
        if isinstance(error, NotFound) and error.is_der:
            self._absent = True
        else:
            self._invalid = True
        data = document.ber or document.der
        if self.options.as_json:
            self._json.begin(document, "error", out)
            json_text.write(out, error_json(error, self.is_ber, self.tolerates, data))
            self._json.end(out)
        # Standard error is not buffered: on a terminal, the results before the error appear before it.
        out.flush()
        report_error(document.title, explained(error, data, self.type_name, self.is_ber, self.tolerates))


def tolerated_in(document: Document, value: object) -> Iterator[Tolerated]:
    """Yield the tolerated deviations of a value of a document, with their offsets in the file.

    Those of the SignedData around it come first.
    """
    yield from document.tolerated
    for one in getattr(value, "deviations", ()):
        yield one._replace(offset=document.place(one.offset))


def report_tolerated(document: Document, tolerated: Iterable[Tolerated]) -> None:
    """Report tolerated deviations on standard error."""
    every = tuple(tolerated)
    for one in every[:_MAX_TOLERATED]:
        report_error(document.title, tolerated_text(one))
    if len(every) > _MAX_TOLERATED:
        report_error(document.title, f"tolerated {len(every) - _MAX_TOLERATED} more deviations")


class SingleFileCommand(Command):
    """A command that reads one file and writes one result to standard output or to a file.

    Subclasses define `write`.
    """

    #: The name of the type of the document, if the user chose one.
    type_name: str | None = None

    def __init__(
        self, *, file: str, output: str | None, tolerate: Deviation, ber: bool, replaced: bytes | None = None
    ) -> None:
        """Take the parameters; `replaced` is that of `BinaryOutput`."""
        self.file = file
        self.is_ber = ber
        self.tolerate = tolerate or None
        self.split = splitting(tolerate)
        self._output = output
        self._replaced = replaced
        self._document: Document | None = None

    def run(self, out: Output) -> int:
        target = BinaryOutput(self._output, self._replaced)
        try:
            return self.write(target)
        except (Unreadable, ASN1Error, MemoryError) as error:
            data = self._document.der if self._document else b""
            report_error(self.file, explained(error, data, self.type_name, self.is_ber))
        except OSError as error:
            if target.path is None:
                raise
            report_error(target.path, error.strerror or str(error))
        return INVALID

    def read_document(self, block: int | None, data: bytes | None = None, *, offset: int | None = None) -> Document:
        """Return the document that `one_document` returns. Raises PEMError and Unreadable."""
        self._document = one_document(self.file, block, data, split=self.split, is_ber=self.is_ber, offset=offset)
        return self._document

    @abstractmethod
    def write(self, target: BinaryOutput) -> int:
        """Read the file, write the result and return the exit status. Raises Unreadable, ASN1Error and OSError."""
