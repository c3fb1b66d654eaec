"""`derlib lint`: list all faults of documents."""

from __future__ import annotations

from typing import Any

from derlib import Deviation
from derlib.cli import options
from derlib.cli.commands.base import INVALID, OK, DocumentCommand
from derlib.cli.deviations import deviation_name
from derlib.cli.documents.document_types import TYPE, type_of
from derlib.cli.documents.faults import Fault, Report, find_faults, label_fault
from derlib.cli.documents.files import Document
from derlib.cli.output.escapes import visible
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering import json_text
from derlib.cli.rendering.values import path_text

__all__ = ["Command"]


class Command(DocumentCommand[Report]):
    """Lists all faults of documents. `--tolerate` hides faults."""

    help = """List all faults, not only the first.

    Each fault is a line with its offset, path, clause and the name of the deviation that covers it. Linting stops at
    the first fault that no deviation covers, and reports it last; the list can then be incomplete. --tolerate NAME
    hides the faults with that name.

    The rules are those of X.690 and of the structure (RFC 5280). An extension that a certificate or a request has more
    than once is a fault, too, although decoding accepts it, and so are a second extensionRequest of a request and a PEM
    label that says another type. Otherwise, lint does not check whether a certificate complies with a certificate
    profile.

    The contents of strings with a known type are validated, too: the bags of a PKCS #12 file that are not encrypted,
    and contents of CMS. BER is not a fault there.

    With --ber, a file is converted to DER first, and the faults are those of the result. The output says how many
    changes this needed; derlib convert --from ber --check lists them.

    The exit status is 0 if nothing is listed, and 1 if a fault is listed or a file cannot be read.

    \b
    Examples:
      derlib lint server.pem
      derlib lint *.crl --tolerate named-bits
      derlib lint strange.der --type cert --json

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values: value, offset) and either
      error  message; path, offset, rule, kind if known; line for PEM
      lint   type, valid, faults (each: offset, path, message, rule, kind,
             deviation), end (the fault that linting stopped at, if any),
             changes (with --ber: how many the conversion to DER made)
    """
    parameters = (options.FILES, *options.TEXT_OPTIONS, TYPE)
    json_member = "lint"

    def __init__(self, *, type_name: str | None, **common: Any) -> None:
        super().__init__(**common)
        self.type_name = type_name
        self._status = OK

    def decode(self, document: Document) -> Report:
        type_ = type_of(document, self.type_name)
        report = find_faults(document, type_, self.tolerate or Deviation(0), is_chosen=self.type_name is not None)
        if self.type_name is None and (fault := label_fault(document, type_)):
            report.faults.insert(0, fault)
        if report.faults or report.end:
            self._status = INVALID
        return report

    def status(self) -> int:
        """Return OK if no fault was found."""
        return self._status

    def write_text(self, document: Document, report: Report, out: Output) -> None:
        """Write a line for each fault, or one line that says that the document has no faults."""
        title = self.title(document, out)
        for fault in report.faults:
            name = out.style(f" [{deviation_name(fault.deviation)}]", "offset") if fault.deviation else ""
            out.line(f"{title} {_fault_text(fault, out)}{name}")
        if report.end is not None:
            out.line(f"{title} {_fault_text(report.end, out)}")
            out.line(f"{title} linting as {report.type.title} stopped at this fault; no deviation covers it, so the "
                     "list can be incomplete")
        elif not report.faults:
            out.line(f"{title} {out.style('no faults', 'name')}{_after_changes(document)}, as {report.type.title}")

    def write_json(self, document: Document, report: Report, out: Output) -> None:
        """Write the members that the help of the command lists."""
        members: dict[str, object] = {
            "type": report.type.name,
            "valid": not report.faults and report.end is None,
            "faults": map(_fault_json, report.faults),
        }
        if report.end is not None:
            members["end"] = _fault_json(report.end)
        if document.converted is not None:
            members["changes"] = len(document.converted.changes)
        json_text.write(out, members)


def _after_changes(document: Document) -> str:
    """Return what to say about the changes of the conversion, if there are any."""
    count = len(document.converted.changes) if document.converted is not None else 0
    return f" after {count} change{'' if count == 1 else 's'} from BER to DER" if count else ""


def _fault_text(fault: Fault, out: Output) -> str:
    path = f"{path_text(fault.path)}: " if fault.path else ""
    rule = f" ({fault.rule})" if fault.rule else ""
    return f"offset {fault.offset}: {path}{out.style(visible(fault.message), 'critical')}{rule}"


def _fault_json(fault: Fault) -> dict[str, object]:
    deviation = deviation_name(fault.deviation) if fault.deviation else None
    members = {**fault._asdict(), "deviation": deviation}
    return {name: value for name, value in members.items() if value is not None}
