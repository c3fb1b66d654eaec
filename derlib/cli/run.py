"""The loop that every command is: each document of each file decoded, then written as text or JSON.

A bad document costs one line on standard error and the status 1; the others are still written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Generic, NoReturn, TypeVar

import click

from derlib import ASN1Error, Deviation, Tolerated
from derlib.cli import jsonout
from derlib.cli.inputs import Document, Unreadable, documents
from derlib.cli.output import Output, printable, report_error
from derlib.cli.sink import Sink
from derlib.errors import format_path

__all__ = ["DEVIATIONS", "ABSENT", "FAULT", "Task", "deviation_name", "message", "run_and_exit", "run_one", "tolerated"]

T = TypeVar("T")


def deviation_name(deviation: str | None) -> str:
    """The name of a deviation as the option has it."""
    return str(deviation).lower().replace("_", "-")


#: What `--tolerate` takes.
DEVIATIONS = {deviation_name(name): member for name, member in Deviation.__members__.items()}


def tolerated(names: tuple[str, ...]) -> Deviation:
    """What `--tolerate` asks for."""
    return reduce(or_, (DEVIATIONS[name] for name in names), Deviation(0))


#: So many breaches are told one by one in text.
_MOST_TOLERATED = 10

#: The exit status when some input was bad, and when all was sound but something that was asked for is not there.
FAULT = 1
ABSENT = 3

#: The status of a program that the signal of a broken pipe has ended, as shells give it.
_BROKEN_PIPE = 128 + 13


class Task(Generic[T]):
    """What one command does with one document.

    Parameters:
        labels: the PEM labels that it reads; empty for any.
        decode: makes a value of a document and what is tolerated; raises ASN1Error.
        write_text: writes the value for people; None where the rows are for them.
        write_json: writes the value as one JSON text; `member` is the key that it goes under.
        write_rows: writes lines that stand for themselves, for programs; None where there is no such form.
        status: the exit status when no document was bad, asked for at the end.
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
    ) -> None:
        self._labels = labels
        self._decode = decode
        self._write_text = write_text
        self._write_json = write_json
        self._member = member
        self._write_rows = write_rows
        self._status = status

    def run(
        self,
        files: tuple[str, ...],
        *,
        as_json: bool,
        color: bool | None,
        tolerate: tuple[str, ...],
        rows: bool = False,
    ) -> NoReturn:
        """Do it for all of `files` and exit: 1 if any document was bad, else 0 or what `status` says."""

        def body(out: Output) -> int:
            writer: _Run[T]
            if as_json:
                writer = _JsonRun(self, out)
            else:
                writer = _RowsRun(self, out) if rows else _TextRun(self, out, several=len(files) > 1)
            writer.tolerate = tolerated(tolerate)
            for file in files:
                writer.file(file)
            writer.end()
            return FAULT if writer.failed else self._status()

        run_and_exit(Output(False if as_json else color), body)


def run_and_exit(out: Output, body: Callable[[Output], int], fault: int = FAULT) -> NoReturn:
    """Call `body` with `out` and exit with the status that it returns, or quietly when nobody reads `out` any more.

    `fault` is the status when `out` takes nothing for another reason.
    """
    try:
        status = body(out)
        out.flush()
    except BrokenPipeError:
        out.abandon()
        status = _BROKEN_PIPE
    except OSError as error:
        out.abandon()
        report_error("standard output", error.strerror or str(error))
        status = fault
    click.get_current_context().exit(status)


def run_one(file: str, output: str | None, body: Callable[[Sink], int], fault: int = FAULT) -> NoReturn:
    """Call `body` with the place to write one thing to, and exit with the status that it returns.

    A document that is bad is one line on standard error, and the status `fault`; so is a place that takes nothing.
    """

    def guarded(out: Output) -> int:
        sink = Sink(output)
        try:
            return body(sink)
        except (Unreadable, ASN1Error, MemoryError) as error:
            return sink.fault(file, message(error), fault)
        except OSError as error:
            if sink.path is None:
                raise
            return sink.fault(sink.path, error.strerror or str(error), fault)

    run_and_exit(Output(False), guarded, fault)


class _Run(Generic[T]):
    """One run over files; the subclasses know how a document and a fault are written."""

    failed = False
    tolerate = Deviation(0)

    def __init__(self, task: Task[T], out: Output) -> None:
        self.task = task
        self.out = out

    def file(self, file: str) -> None:
        try:
            for document in documents(file, self.task._labels):
                self._document(document)
        except (Unreadable, ASN1Error) as error:
            self._fault(Document(file, b""), error)

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
            name = deviation_name(one.deviation.name)
            report_error(document.title, f"tolerated {place} offset {one.offset}: {name} ({one.rule})")
        if len(tolerated) > _MOST_TOLERATED:
            report_error(document.title, f"tolerated {len(tolerated) - _MOST_TOLERATED} more breaches")

    def _fault(self, document: Document, error: Exception) -> None:
        self.failed = True
        self.fault(document, error)
        # What was written before the fault appears before it, also where both go to one terminal.
        self.out.flush()
        report_error(document.title, message(error))


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
            named = [{**one._asdict(), "deviation": deviation_name(one.deviation.name)} for one in tolerated]
            jsonout.write(self.out, named)
        self.out.write("}")

    def fault(self, document: Document, error: Exception) -> None:
        self._open(document, "error")
        jsonout.write(self.out, _described(error))
        self.out.write("}")

    def end(self) -> None:
        self.out.write(("[" if self._next == "[" else "") + "\n]\n")

    def _open(self, document: Document, member: str) -> None:
        head: dict[str, object] = {"file": document.file}
        if document.label is not None:
            head |= {"block": document.number, "label": document.label, "line": document.line}
        self.out.write(f"{self._next}\n{jsonout.flat(head)[:-1]}, {jsonout.flat(member)}: ")
        self._next = ","


def message(error: Exception) -> str:
    """The message, with the option that would let the fault pass in place of the name in Python."""
    deviation = getattr(error, "deviation", None)
    text = str(error) or "not enough memory"
    if deviation is None:
        return text
    text = text.removesuffix(f"; Deviation.{deviation} tolerates it")
    return f"{text}; --tolerate {deviation_name(deviation)} lets it pass"


def _described(error: Exception) -> dict[str, object]:
    """The error as JSON has it: its message, and what it knows of path, offset, clause, line."""
    found: dict[str, object] = {"message": message(error)}
    for name in ("path", "offset", "rule", "kind", "line"):
        value = getattr(error, name, None)
        if value is not None:
            found[name] = value
    return found
