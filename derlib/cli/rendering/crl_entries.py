"""The entries of a CRL as lines of text, as JSON objects, as lines of JSON, and as tab-separated values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from derlib.cli.documents.paths import read_field
from derlib.cli.output.escapes import printable
from derlib.cli.rendering import json_text
from derlib.cli.rendering.summary import extensions_json, serial_json, serial_text, time_line, time_of
from derlib.cli.rendering.values import inline, oid_text

if TYPE_CHECKING:
    from derlib.cli.documents.files import Document

__all__ = ["COLUMNS", "entry_json", "entry_text", "json_line_of", "tsv_row_of"]

#: The first line of `--tsv`.
COLUMNS = "serial_number\trevocation_date\treason\textensions\tfile"

#: No further extension is added to a line of text that has reached this number of characters.
_MAX_CHARACTERS = 1000

#: RFC 5280 5.3.1: the extension that has its own column.
_REASON = "2.5.29.21"


def entry_text(entry: Any) -> str:
    """Return the serial number, the date and the extensions on one line; of many extensions, the first ones."""
    text = f"{serial_text(entry.user_certificate)}  {time_line(entry, 'revocation_date')}"
    for extension in entry.crl_entry_extensions or ():
        if len(text) > _MAX_CHARACTERS:
            return f"{text}  ..."
        text += f"  {_extension_text(extension)}"
    return text


def entry_json(entry: Any) -> object:
    """Return an entry as a value for `json_text.write`."""
    serial = serial_json(entry.user_certificate)
    date = time_of(entry, "revocation_date")
    extensions = entry.crl_entry_extensions
    if extensions is None:
        # Fast path: most of the hundreds of thousands of entries of a large CRL have no extensions.
        return json_text.Fragment(f'{{"serial_number": "{serial}", "revocation_date": {json_text.flat(date)}}}')
    return {"serial_number": serial, "revocation_date": date, "extensions": extensions_json(extensions)}


def json_line_of(document: Document) -> Callable[[Any], str]:
    """Return the function that makes a line of JSON from an entry of `document`; it has the file, block and value."""
    numbers = {"block": document.block, "value": document.value}
    head = json_text.flat({"file": document.file, **{name: number for name, number in numbers.items() if number}})[:-1]
    return lambda entry: f"{head}, {json_text.one_line(entry_json(entry))[1:]}\n"


def tsv_row_of(document: Document) -> Callable[[Any], str]:
    """Return the function that makes a line of tab-separated `COLUMNS` from an entry of `document`."""
    tail = f"\t{printable(document.title)}\n"

    def row(entry: Any) -> str:
        reason, others = "", []
        for extension in entry.crl_entry_extensions or ():
            if extension.extn_id.dotted == _REASON and not reason:
                reason = inline(read_field(extension, "extn_value"))
            else:
                others.append(_extension_text(extension))
        date = time_of(entry, "revocation_date")
        return f"{serial_json(entry.user_certificate)}\t{date}\t{reason}\t{'; '.join(others)}{tail}"

    return row


def _extension_text(extension: Any) -> str:
    """Return an extension as in `id-ce-cRLReasons: key_compromise`."""
    critical = " (critical)" if extension.critical else ""
    return f"{oid_text(extension.extn_id)}{critical}: {inline(read_field(extension, 'extn_value'))}"
