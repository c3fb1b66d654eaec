"""`derlib lint`: all breaches of DER in a document, not just the first, each with its clause and place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import click

import derlib
from derlib import ASN1Error, DecodeError, Deviation, LimitError
from derlib.cli import jsonout, kinds, options
from derlib.cli.exits import FAULT
from derlib.cli.inputs import Document
from derlib.cli.items import Finder, Path, path_text, top
from derlib.cli.kinds import EVERYTHING, Kind
from derlib.cli.output import Output, printable, visible
from derlib.cli.run import How, Task
from derlib.cli.tolerance import deviation_name, is_text, message

__all__ = ["command"]

#: What is wrong, by the deviation that stands for it.
_WRONG = {
    Deviation.DEFAULT_ENCODED: "a component with its DEFAULT value is encoded",
    Deviation.SET_OF_ORDER: "the elements of a SET OF are out of order",
    Deviation.SET_ORDER: "the members of a SET are out of order",
    Deviation.NAMED_BITS: "named bits end in zero bits",
    Deviation.UNUSED_BITS: "unused bits are not zero",
    Deviation.INTEGER_PADDING: "an INTEGER or ENUMERATED has redundant octets",
    Deviation.LENGTH_FORM: "a length has redundant octets",
    Deviation.BOOLEAN_TRUE: "TRUE is not ff",
    Deviation.STRING_ALPHABET: "a string has characters outside of the alphabet of its type",
    Deviation.STRING_ENCODING: "a string is not in the encoding of its type",
    Deviation.UTC_TIME_FORM: "a UTCTime has no seconds, or an offset",
    Deviation.GENERALIZED_TIME_FORM:
        "a GeneralizedTime lacks seconds or minutes, or has an offset, a comma or redundant zeros",
    Deviation.EMPTY_LIST: "a list is empty, although SIZE requires elements",
    Deviation.OPEN_TYPE: "a value does not have the type that its identifier selects",
    Deviation.TRAILING_DATA: "bytes follow the value",
}


class _Breach(NamedTuple):
    offset: int
    path: Path
    message: str
    rule: str | None
    kind: str | None
    deviation: Deviation | None


class _Report(NamedTuple):
    """What is wrong with a document, read as `kind`; and what ended the reading, behind which nothing was judged."""

    kind: Kind
    breaches: list[_Breach]
    end: _Breach | None


def _judged(der: bytes, kind: Kind, passed: Deviation) -> _Report:
    """Read `der` with everything tolerated, for the record; leave out what is in `passed`.

    Raises ASN1Error for a text that begins with what could be an element: what stands behind it is no breach of DER.
    """
    end = None
    try:
        value = kind.decode(der, EVERYTHING)
    except (ASN1Error, MemoryError) as error:
        end = _breach_of(error)
        breaches = _before_the_end(der, kind)
    else:
        if any(one.deviation & Deviation.TRAILING_DATA and not one.path for one in value.deviations):
            _refuse_text(der, kind, passed)
        causes = _Causes(value)
        breaches = [causes.of(one) for one in value.deviations]
    wanted = {
        (one.offset, one.deviation): one
        for one in breaches
        if one.deviation is None or not passed & one.deviation
    }
    return _Report(kind, sorted(wanted.values(), key=lambda one: one.offset), end)


def _refuse_text(der: bytes, kind: Kind, passed: Deviation) -> None:
    try:
        kind.decode(der, passed or None)
    except ASN1Error as error:
        if is_text(error):
            raise


def _before_the_end(der: bytes, kind: Kind) -> list[_Breach]:
    """What can be told of a document that cannot be read: a failure leaves no record.

    All that the rules without a type find, if these get through; and the first breach of each name that stands before
    the end, one after the other.
    """
    found: list[_Breach] = []
    tolerated = Deviation(0)
    for _ in Deviation:
        try:
            kind.decode(der, tolerated or None)
        except ASN1Error as error:
            met: Deviation | None = getattr(error, "deviation", None)
            if met is None or tolerated & met:
                break
            found.append(_breach_of(error))
            tolerated |= met
        except MemoryError:
            break
    try:
        record: Iterable[derlib.Tolerated] = derlib.parse(der, tolerate=EVERYTHING).deviations
    except (ASN1Error, MemoryError):
        record = ()
    known = {(one.offset, one.deviation) for one in found}
    return found + [one for one in map(_breach, record) if (one.offset, one.deviation) not in known]


class _Causes:
    """Why values of open types do not fit. A value around several of them is read again once."""

    def __init__(self, value: Any) -> None:
        self._finder = Finder(top(value))
        self._known: dict[Path, _Breach | None] = {}

    def of(self, tolerated: derlib.Tolerated) -> _Breach:
        """The breach that was tolerated. Of a value that does not fit its type, what does not fit about it."""
        breach = _breach(tolerated)
        if not tolerated.deviation & Deviation.OPEN_TYPE:
            return breach
        # What selects the type stands beside the value, or deeper.
        path = tolerated.path[:-1]
        if path not in self._known:
            self._known[path] = self._inside(path)
        inner = self._known[path]
        if inner is None:
            return breach
        return inner._replace(message=f"{breach.message}: {inner.message}", deviation=Deviation.OPEN_TYPE)

    def _inside(self, path: Path) -> _Breach | None:
        """The first breach in the value at `path` where mismatches are not tolerated."""
        around = self._finder.find(path)
        assert around is not None
        try:
            type(around.value).decode(around.value.encode(), tolerate=EVERYTHING & ~Deviation.OPEN_TYPE)
        except ASN1Error as error:
            inner = _breach_of(error)
            return inner._replace(offset=around.span.offset + inner.offset, path=(*path, *inner.path))
        return None


def _breach(tolerated: derlib.Tolerated) -> _Breach:
    wrong = _WRONG[tolerated.deviation]
    return _Breach(tolerated.offset, tolerated.path, wrong, tolerated.rule, tolerated.kind, tolerated.deviation)


def _breach_of(error: Exception) -> _Breach:
    """An error as a breach: its message without the place and the clause, which stand beside it."""
    if isinstance(error, (DecodeError, LimitError)):
        return _Breach(error.offset, error.path, error.detail, error.rule, error.kind, error.deviation)
    return _Breach(0, (), message(error), None, None, None)


class _Lint:
    """The options of one run, and its writers."""

    def __init__(self, kind: str | None) -> None:
        self._kind = kind
        self._status = 0

    def decode(self, document: Document, tolerate: Deviation | None) -> _Report:
        report = _judged(document.der, kinds.kind_of(document, self._kind), tolerate or Deviation(0))
        if report.breaches or report.end:
            self._status = FAULT
        return report

    def status(self) -> int:
        return self._status

    def write_text(self, document: Document, report: _Report, out: Output) -> None:
        """A line for each breach; one that says so where there is none."""
        title = out.style(f"{printable(document.title)}:", "heading")
        for breach in report.breaches:
            name = out.style(f" [{deviation_name(breach.deviation)}]", "offset") if breach.deviation else ""
            out.line(f"{title} {_line(breach, out)}{name}")
        if report.end is not None:
            out.line(f"{title} {_line(report.end, out)}")
            out.line(f"{title} linting as {report.kind.title} stopped at this fault; no deviation covers it, so the "
                     "list can be incomplete")
        elif not report.breaches:
            out.line(f"{title} {out.style('sound', 'name')}, as {report.kind.title}")

    def write_json(self, report: _Report, out: Output) -> None:
        """The keys stand in the help of the command."""
        members: dict[str, object] = {
            "type": report.kind.name,
            "sound": not report.breaches and report.end is None,
            "breaches": map(_members, report.breaches),
        }
        if report.end is not None:
            members["end"] = _members(report.end)
        jsonout.write(out, members)


def _line(breach: _Breach, out: Output) -> str:
    path = f"{path_text(breach.path)}: " if breach.path else ""
    rule = f" ({breach.rule})" if breach.rule else ""
    return f"offset {breach.offset}: {path}{out.style(visible(breach.message), 'critical')}{rule}"


def _members(breach: _Breach) -> dict[str, object]:
    deviation = deviation_name(breach.deviation) if breach.deviation else None
    members = {**breach._asdict(), "deviation": deviation}
    return {name: value for name, value in members.items() if value is not None}


@click.command("lint")
@options.reading
@kinds.option
def command(
    how: How, files: tuple[str, ...], kind: str | None
) -> None:
    """List all faults, not only the first.

    lint tolerates all deviations. Each fault is a line with its offset, path, clause and the name of the deviation.
    Linting stops at the first fault that no deviation covers, and reports it last; the list can then be incomplete.
    --tolerate NAME hides the faults with that name.

    The rules are those of X.690 and of the structure (RFC 5280). lint does not check whether a certificate complies
    with a certificate profile.

    The exit status is 0 if there is no fault, and 1 if there is a fault or a file cannot be read.

    \b
    Examples:
      derlib lint server.pem
      derlib lint *.crl --tolerate named-bits
      derlib lint strange.der --type cert --json

    \b
    With --json, each member has file (PEM: block, label, line) and either
      error  message; path, offset, rule, kind where known; line in PEM
      lint   type, sound, breaches (each: offset, path, message, rule, kind,
             deviation), end (the fault that linting stopped at, if any)
    """
    lint = _Lint(kind)
    task = Task((), lint.decode, None, lint.write_json, "lint", lint.write_text, lint.status)
    task.run(files, how, rows=True)
