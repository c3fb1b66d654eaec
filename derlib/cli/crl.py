"""`derlib crl`: what a certificate revocation list says, and whether a certificate is on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import click

from derlib import Deviation
from derlib.cli import entries as forms
from derlib.cli import jsonout, options
from derlib.cli.exits import ABSENT
from derlib.cli.inputs import Document
from derlib.cli.output import Output, report_error
from derlib.cli.parts import (
    extensions_json,
    extensions_text,
    row,
    serial_json,
    serial_text,
    time_line,
    time_of,
    version_json,
    version_text,
)
from derlib.cli.progress import track
from derlib.cli.run import How, Task
from derlib.cli.serials import Serial, serial
from derlib.cli.values import oid_text, text_leaf
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

__all__ = ["LABELS", "command"]

#: RFC 7468 section 6: the label, and one that parsers meet as well.
LABELS = ("X509 CRL", "CRL")

#: How many entries the text shows when nobody says.
_FEW = 5


class _Lists:
    """Which entries are shown of each list, and the writers of all forms.

    Parameters:
        most: at most so many; None leaves it to the form: a few in text, all elsewhere.
        every: all of them in text too.
        wanted: those with these serial numbers, in this order; empty for any.
        as_lines: whether rows are lines of JSON, not tab-separated.
    """

    def __init__(self, most: int | None, every: bool, wanted: tuple[Serial, ...], as_lines: bool) -> None:
        self._most = most
        self._most_text = None if every or wanted else _FEW if most is None else most
        self._wanted = wanted
        self._missing = set(wanted)
        self._meant: set[Serial] = set()  # Those that a list has when their digits are read as hexadecimal.
        self._as_lines = as_lines
        self._begun = False

    def decode(self, document: Document, tolerate: Deviation | None) -> CertificateList:
        """Decode all of the list. Raises ASN1Error."""
        return CertificateList.decode(document.der, tolerate=tolerate)

    def status(self) -> int:
        """0 when each serial number was in some list. Says where one may have been meant as hexadecimal."""
        for wanted in dict.fromkeys(self._wanted):
            if wanted in self._missing and wanted in self._meant:
                report_error(f"{wanted:d} is not found", f"it was taken for decimal; a list has {wanted.otherwise:#x}")
        return ABSENT if self._missing else 0

    def write_text(self, crl: CertificateList, out: Output) -> None:
        """What was found of the wanted ones; or a row for each field, the extensions, the first entries."""
        if self._wanted:
            for serial, found in self._find(crl):
                for entry in found:
                    out.line(f"  {forms.as_text(entry)}")
                if not found:
                    out.line(f"  {serial_text(serial)}  not in the list")
            return
        tbs = crl.tbs_cert_list
        count = len(tbs.revoked_certificates or ())
        row(out, "version", version_text(tbs.version))
        row(out, "signature", oid_text(crl.signature_algorithm.algorithm))
        row(out, "issuer", text_leaf(tbs.issuer))
        row(out, "this update", time_line(tbs, "this_update"))
        row(out, "next update", time_line(tbs, "next_update") or "not given")
        row(out, "extensions", "" if tbs.crl_extensions else "none")
        extensions_text(out, tbs.crl_extensions, "    ")
        row(out, "entries", f"{count:,}")
        for entry in self._entries(crl, self._most_text):
            out.line(f"    {forms.as_text(entry)}")
        if self._most_text is not None and count > self._most_text:
            rest = count - self._most_text
            out.line(f"    and {rest:,} more (--all shows them)")

    def write_json(self, crl: CertificateList, out: Output) -> None:
        """The keys stand in the help of the command."""
        tbs = crl.tbs_cert_list
        document: dict[str, object] = {
            "version": version_json(tbs.version),
            "signature_algorithm": crl.signature_algorithm.algorithm,
            "issuer": tbs.issuer,
            "this_update": time_of(tbs, "this_update"),
            "next_update": time_of(tbs, "next_update"),
            "extensions": extensions_json(tbs.crl_extensions),
            "number_of_entries": len(tbs.revoked_certificates or ()),
        }
        if self._wanted:
            found = self._find(crl)
            document["entries"] = [forms.as_json(entry) for _, entries in found for entry in entries]
            document["not_found"] = [serial_json(serial) for serial, entries in found if not entries]
        else:
            document["entries"] = map(forms.as_json, self._entries(crl, self._most))
        jsonout.write(out, document)

    def write_rows(self, document: Document, crl: CertificateList, out: Output) -> None:
        """A line for each entry; before the first of all, the heads of the columns."""
        if self._as_lines:
            line = forms.as_json_line(document)
        else:
            line = forms.as_row(document)
            if not self._begun:
                out.line(forms.COLUMNS)
        self._begun = True
        found = (entry for _, entries in self._find(crl) for entry in entries) if self._wanted else None
        for entry in found or self._entries(crl, self._most):
            out.write(line(entry))

    def _entries(self, crl: CertificateList, most: int | None) -> Iterator[Any]:
        entries: Any = crl.tbs_cert_list.revoked_certificates or ()
        count = len(entries) if most is None else min(most, len(entries))
        return track(islice(entries, count), count, "entries")

    def _find(self, crl: CertificateList) -> list[tuple[Serial, tuple[Any, ...]]]:
        """The entries of each wanted serial number, in order; there may be several of a CRL that is indirect."""
        entries = crl.tbs_cert_list.revoked_certificates
        find_all = (lambda serial: ()) if entries is None else entries.index_by("user_certificate").find_all
        found = [(serial, find_all(int(serial))) for serial in dict.fromkeys(self._wanted)]
        for wanted, there in found:
            if not there and wanted.otherwise is not None and find_all(wanted.otherwise):
                self._meant.add(wanted)
        self._missing.difference_update(serial for serial, entries in found if entries)
        return found


@click.command("crl")
@options.reading
@click.option(
    "--find",
    "wanted",
    type=serial,
    multiple=True,
    metavar="SERIAL",
    help="Show the entries with this serial number: 4097, 0x1001 or 10:01. May be given several times.",
)
@click.option(
    "--entries",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the first N entries (5 in text, all otherwise).",
)
@click.option("--all", "every", is_flag=True, help="Show all entries.")
@click.option("--tsv", is_flag=True, help="Write the entries alone, as tab-separated values under a line of heads.")
@click.option("--jsonl", is_flag=True, help="Write the entries alone, as a line of JSON for each.")
def command(
    how: How,
    files: tuple[str, ...],
    wanted: tuple[Serial, ...],
    entries: int | None,
    every: bool,
    tsv: bool,
    jsonl: bool,
) -> None:
    """Show what revocation lists say, and who is on them.

    Issuer, the times of this and the next update, extensions by name, how many entries there are,
    and the first of them. Of a PEM file, all blocks labelled X509 CRL are shown.

    With --find, the entries of these serial numbers alone. It compares serial numbers and nothing
    else: whether the list is of the right issuer, current, and rightly signed is not looked at.
    The exit status is 0 when each was found in some list, 3 when one was found in none, and 1
    when a list was bad, which says nothing about who is on it.

    \b
    Examples:
      derlib crl revoke.crl
      derlib crl revoke.crl --find 0x1a2b3c && echo revoked
      derlib crl revoke.crl --tsv | cut -f 1,3
      derlib crl *.crl --jsonl | jq -r .serial_number

    \b
    With --json, each member has file (PEM: block, label, line) and either
      error  message; path, offset, rule, kind where known; line in PEM
      crl    version, signature_algorithm, issuer, this_update, next_update (or
             null), extensions, number_of_entries, entries (each:
             serial_number, revocation_date, extensions if it has any); with
             --find also not_found
    With --jsonl, each line has file (PEM: block) and the members of an entry.
    Values are written as `derlib cert --help` says.
    """
    _exclude(("--entries", entries is not None), ("--all", every), ("--find", bool(wanted)))
    _exclude(("--json", how.as_json), ("--tsv", tsv), ("--jsonl", jsonl))
    lists = _Lists(entries, every, wanted, jsonl)
    other = ("a certificate", "cert", Certificate)
    task = Task(LABELS, lists.decode, lists.write_text, lists.write_json, "crl", lists.write_rows, lists.status, other)
    task.run(files, how, rows=tsv or jsonl)


def _exclude(*chosen: tuple[str, bool]) -> None:
    names = [name for name, given in chosen if given]
    if len(names) > 1:
        raise click.UsageError(f"{' and '.join(names)} exclude each other")
