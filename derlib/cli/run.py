"""The loop that every command is: each document of each file decoded, then written as text or JSON.

A bad document costs one line on standard error and the status 1; the others are still written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from derlib import ASN1Error, Deviation, PEMError, Tolerated, pem
from derlib.cli import jsonout
from derlib.cli.exits import ABSENT, FAULT, run_and_exit
from derlib.cli.inputs import Document, Unreadable, documents, read
from derlib.cli.output import Output, printable, report_error
from derlib.cli.tolerance import described, deviation_name, message
from derlib.cli.tree import NothingHere
from derlib.errors import format_path

__all__ = ["How", "Task"]

T = TypeVar("T")

#: So many breaches are told one by one in text.
_MOST_TOLERATED = 10


class How(NamedTuple):
    """The options that all commands have which write text or JSON."""

    as_json: bool
    color: bool | None
    pager: bool
    tolerate: Deviation

    def output(self) -> Output:
        """Where such a command writes."""
        return Output(False if self.as_json else self.color, pager=self.pager)


class Task(Generic[T]):
    """What one command does with one document.

    Parameters:
        labels: the PEM labels that it reads; empty for any.
        decode: makes a value of a document and what is tolerated; raises ASN1Error.
        write_text: writes the value for people; None where the rows are for them.
        write_json: writes the value as one JSON text; `member` is the key that it goes under.
        write_rows: writes lines that stand for themselves, for programs; None where there is no such form.
        status: the exit status when no document was bad, asked for at the end.
        other: what a bad document may be instead: its name, the command that shows it, its type.
    """

    def __init__(
        self,
        labels: tuple[str, ...],
        decode: Callable[[Document, Deviation | None], T],
        write_text: Callable[[T, Output], None] | None,
        write_json: Callable[[T, Output], None],
        member: str,
        write_rows: Callable[[Document, T, Output], None] | None = None,
        status: Callable[[], int] = lambda: 0,
        other: tuple[str, str, Any] | None = None,
    ) -> None:
        self._labels = labels
        self._decode = decode
        self._write_text = write_text
        self._write_json = write_json
        self._member = member
        self._write_rows = write_rows
        self._status = status
        self._other = other

    def hint(self, octets: bytes) -> str:
        """Which command shows octets, DER or PEM, that this one cannot read; empty where that is not known."""
        if self._other is None or not octets:
            return ""
        title, name, type = self._other
        try:
            type.decode(pem.der_of(octets)[0])
        except (ASN1Error, MemoryError):
            return ""
        return f"; it is {title}: derlib {name} shows it"

    def run(self, files: tuple[str, ...], how: How, *, rows: bool = False) -> NoReturn:
        """Do it for all of `files` and exit: 1 if a document was bad, 3 if one lacks what is asked, else `status`."""

        def body(out: Output) -> int:
            writer: _Run[T]
            if how.as_json:
                writer = _JsonRun(self, out)
            else:
                writer = _RowsRun(self, out) if rows else _TextRun(self, out, several=len(files) > 1)
            writer.tolerate = how.tolerate
            for file in files:
                writer.file(file)
            writer.end()
            return FAULT if writer.failed else ABSENT if writer.absent else self._status()

        run_and_exit(how.output(), body)


class _Run(Generic[T]):
    """One run over files; the subclasses know how a document and a fault are written."""

    failed = False
    absent = False
    tolerate = Deviation(0)

    def __init__(self, task: Task[T], out: Output) -> None:
        self.task = task
        self.out = out

    def file(self, file: str) -> None:
        octets = b""
        try:
            octets = read(file)
            for document in documents(file, self.task._labels, octets):
                self._document(document)
        except (Unreadable, PEMError) as error:
            # Sound PEM of other labels may be what another command shows; a bad block is not.
            nothing_found = isinstance(error, PEMError) and not error.line
            self._fault(Document(file, octets if nothing_found else b""), error)

    def end(self) -> None:
        """After the last file."""

    def write(self, document: Document, value: T, tolerated: tuple[Tolerated, ...]) -> None:
        raise NotImplementedError

    def fault(self, document: Document, error: Exception) -> None:
        """Beside the line on standard error."""

    def _document(self, document: Document) -> None:
        try:
            value = self.task._decode(document, self.tolerate or None)
        except (ASN1Error, MemoryError) as error:
            self._fault(document, error)
        else:
            tolerated = getattr(value, "deviations", ())
            self.write(document, value, tolerated)
            if tolerated:
                self._tell(document, tolerated)

    def _tell(self, document: Document, tolerated: tuple[Tolerated, ...]) -> None:
        """Say on standard error what was tolerated, that nobody takes the document for sound."""
        self.out.flush()
        for one in tolerated[:_MOST_TOLERATED]:
            place = f"{format_path(one.path)} at" if one.path else "at"
            name = deviation_name(one.deviation)
            report_error(document.title, f"tolerated {place} offset {one.offset}: {name} ({one.rule})")
        if len(tolerated) > _MOST_TOLERATED:
            report_error(document.title, f"tolerated {len(tolerated) - _MOST_TOLERATED} more breaches")

    def _fault(self, document: Document, error: Exception) -> None:
        if isinstance(error, NothingHere) and error.sound:
            self.absent = True
        else:
            self.failed = True
        self.fault(document, error)
        # What was written before the fault appears before it, also where both go to one terminal.
        self.out.flush()
        report_error(document.title, message(error) + self.task.hint(document.der))


class _TextRun(_Run[T]):
    def __init__(self, task: Task[T], out: Output, *, several: bool) -> None:
        super().__init__(task, out)
        self._several = several
        self._written = 0

    def write(self, document: Document, value: T, tolerated: tuple[Tolerated, ...]) -> None:
        if self._several or not document.alone:
            if self._written:
                self.out.line()
            self.out.line(self.out.style(f"{printable(document.title)}:", "heading"))
        self._written += 1
        assert self.task._write_text is not None
        self.task._write_text(value, self.out)


class _RowsRun(_Run[T]):
    """Nothing but the lines of the task; what is wrong stands on standard error alone."""

    def write(self, document: Document, value: T, tolerated: tuple[Tolerated, ...]) -> None:
        assert self.task._write_rows is not None
        self.task._write_rows(document, value, self.out)


class _JsonRun(_Run[T]):
    """One array; an object for each document, whether it was sound or not."""

    def __init__(self, task: Task[T], out: Output) -> None:
        super().__init__(task, out)
        self._next = "["

    def write(self, document: Document, value: T, tolerated: tuple[Tolerated, ...]) -> None:
        self._open(document, self.task._member)
        self.task._write_json(value, self.out)
        if tolerated:
            self.out.write(', "tolerated": ')
            named = [{**one._asdict(), "deviation": deviation_name(one.deviation)} for one in tolerated]
            jsonout.write(self.out, named)
        self.out.write("}")

    def fault(self, document: Document, error: Exception) -> None:
        self._open(document, "error")
        jsonout.write(self.out, described(error))
        self.out.write("}")

    def end(self) -> None:
        self.out.write(("[" if self._next == "[" else "") + "\n]\n")

    def _open(self, document: Document, member: str) -> None:
        head: dict[str, object] = {"file": document.file}
        if document.label is not None:
            head |= {"block": document.number, "label": document.label, "line": document.line}
        self.out.write(f"{self._next}\n{jsonout.flat(head)[:-1]}, {jsonout.flat(member)}: ")
        self._next = ","
