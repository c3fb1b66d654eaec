"""The entries of a CRL in each of the forms: a line for people, an object of JSON, tab-separated values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derlib.cli import jsonout
from derlib.cli.inputs import Document
from derlib.cli.output import printable
from derlib.cli.parts import extensions_json, serial_json, serial_text, time_line, time_of
from derlib.cli.values import inline, member, oid_text

__all__ = ["COLUMNS", "as_json", "as_json_line", "as_row", "as_text"]

#: The first line of `--tsv`.
COLUMNS = "serial_number\trevocation_date\treason\textensions\tfile"

#: After so many characters of a line for people no further extension is shown.
_LONGEST = 1000

#: RFC 5280 5.3.1: the extension that has a column of its own.
_REASON = "2.5.29.21"


def as_text(entry: Any) -> str:
    """Serial, date, and each extension by name, on one line; of many extensions, the first ones."""
    text = f"{serial_text(entry.user_certificate)}  {time_line(entry, 'revocation_date')}"
    for extension in entry.crl_entry_extensions or ():
        if len(text) > _LONGEST:
            return f"{text}  ..."
        text += f"  {_extension_text(extension)}"
    return text


def as_json(entry: Any) -> object:
    """What `jsonout.write` takes."""
    serial = serial_json(entry.user_certificate)
    date = time_of(entry, "revocation_date")
    extensions = entry.crl_entry_extensions
    if extensions is None:
        # The common case by far, and there may be hundreds of thousands: no call for each part.
        return jsonout.Fragment(f'{{"serial_number": "{serial}", "revocation_date": {jsonout.flat(date)}}}')
    return {"serial_number": serial, "revocation_date": date, "extensions": extensions_json(extensions)}


def as_json_line(document: Document) -> Callable[[Any], str]:
    """What writes an entry of `document` as one line: an object that says where the entry is from."""
    head = jsonout.flat({"file": document.file, **({"block": document.number} if document.number else {})})[:-1]
    return lambda entry: f"{head}, {jsonout.one_line(as_json(entry))[1:]}\n"


def as_row(document: Document) -> Callable[[Any], str]:
    """What writes an entry of `document` in the columns of `COLUMNS`."""
    tail = f"\t{printable(document.title)}\n"

    def row(entry: Any) -> str:
        reason, others = "", []
        for extension in entry.crl_entry_extensions or ():
            if extension.extn_id.dotted == _REASON and not reason:
                reason = inline(member(extension, "extn_value"))
            else:
                others.append(_extension_text(extension))
        date = time_of(entry, "revocation_date")
        return f"{serial_json(entry.user_certificate)}\t{date}\t{reason}\t{'; '.join(others)}{tail}"

    return row


def _extension_text(extension: Any) -> str:
    """An extension on the line of its entry: `id-ce-cRLReasons: key_compromise`."""
    critical = " (critical)" if extension.critical else ""
    return f"{oid_text(extension.extn_id)}{critical}: {inline(member(extension, 'extn_value'))}"
