"""`derlib crl`: show certificate revocation lists, and find entries by serial number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from derlib.cli import options
from derlib.cli.commands.base import NOT_FOUND, OK, DocumentCommand
from derlib.cli.documents.document_types import TYPES
from derlib.cli.documents.files import Document
from derlib.cli.output.standard_output import Output, report_error
from derlib.cli.rendering import json_text
from derlib.cli.rendering.crl_entries import COLUMNS, entry_json, entry_text, json_line_of, tsv_row_of
from derlib.cli.rendering.crl_summary import DEFAULT_ENTRIES, crl_json, crl_text, first_entries
from derlib.cli.rendering.summary import serial_json, serial_text
from derlib.cli.serial_option import Serial, parse_serial
from derlib.schemas.crl import CertificateList

__all__ = ["Command"]


class Command(DocumentCommand[CertificateList]):
    """Shows CRLs. With `--tsv` or `--jsonl` it writes only their entries, one on each line."""

    help = """Show revocation lists, and find serial numbers.

    For each CRL: the issuer, the times of this and the next update, the extensions with their names,
    the number of entries, and the first entries. From a PEM file, derlib shows all blocks labelled
    X509 CRL; from a CMS SignedData, such as a .p7b file, or a
    .pfx file, all CRLs in it.

    --find shows only the entries with a serial number. It compares serial numbers only. It does not
    check whether the CRL is current, correctly signed, or of the expected issuer. In a delta
    CRL, an entry with the reason remove_from_crl is that of a certificate that was released from hold
    or has expired. The exit status is 0 if each serial number was found in at least one CRL, and 3 if
    one was not found. It is 1 if a CRL is invalid; the result is then incomplete.

    \b
    Examples:
      derlib crl revoke.crl
      derlib crl revoke.crl --find 0x1a2b3c
      derlib crl revoke.crl --tsv | cut -f 1,3
      derlib crl *.crl --jsonl | jq -r .serial_number

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values, or in a .p7b or .pfx file: value, offset) and either
      error  message; path, offset, rule, kind if known; line for PEM
      crl    version, signature_algorithm, signature_parameters, issuer,
             issuer_display, this_update, next_update (or null), extensions,
             signature_value, number_of_entries, entries (each: serial_number,
             revocation_date, extensions if it has any); with --find also
             not_found
    With --jsonl, each line has file (block or value) and the members of an entry.
    The values are as described in `derlib cert --help`.
    """
    parameters = (
        options.FILES,
        *(option for option in options.TEXT_OPTIONS if option.name != "jsonl"),
        click.Option(
            ["--find", "serials"],
            multiple=True,
            metavar="SERIAL",
            help="Show the entries with this serial number: 04602A82, 04:60:2a:82 or 0x04602a82. Digits alone are "
            "hexadecimal, too. Can be used several times.",
        ),
        click.Option(["--decimal"], is_flag=True, help="Digits alone after --find are decimal."),
        click.Option(
            ["--entries"],
            type=click.IntRange(min=0),
            metavar="N",
            help="Show the first N entries. The default is 5 in text, and all otherwise.",
        ),
        click.Option(["--all", "every"], is_flag=True, help="Show all entries."),
        click.Option(
            ["--tsv"],
            is_flag=True,
            help="Write only the entries, as tab-separated values with a header line.",
        ),
        click.Option(["--jsonl"], is_flag=True, help="Write only the entries, as one line of JSON each."),
    )
    labels = TYPES["crl"].labels
    json_member = "crl"
    type_name = "crl"
    unpacks = ("crl",)

    def __init__(
        self,
        *,
        serials: tuple[str, ...],
        decimal: bool,
        entries: int | None,
        every: bool,
        tsv: bool,
        jsonl: bool,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        options.require_at_most_one(("--entries", entries is not None), ("--all", every), ("--find", bool(serials)))
        options.require_at_most_one(("--json", self.options.as_json), ("--tsv", tsv), ("--jsonl", jsonl))
        if decimal and not serials:
            raise click.UsageError("--decimal needs --find")
        self._serials = tuple(dict.fromkeys(parse_serial(serial, decimal) for serial in serials))
        self._decimal = decimal
        self._entries = entries
        self._text_entries = None if every else DEFAULT_ENTRIES if entries is None else entries
        self._tsv = tsv
        self._jsonl = jsonl
        self._columns_written = False
        self._not_found = set(self._serials)
        #: The serial numbers that a CRL has if their digits are read in the other notation.
        self._found_as_other: set[Serial] = set()

    def decode(self, document: Document) -> CertificateList:
        return CertificateList.decode(document.der, tolerate=self.tolerate)

    def status(self) -> int:
        """Return OK if each serial number was found. Report numbers that were perhaps meant in the other notation."""
        notation = "decimal" if self._decimal else "hexadecimal"
        for serial in self._serials:
            if serial in self._not_found and serial in self._found_as_other and serial.other is not None:
                # An option would change how the other serial numbers are read, too.
                other = serial_text(serial.other)
                report_error(
                    f"{serial.digits} was not found",
                    f"it was read as {notation}; a CRL has {other} (decimal {serial.other}): use --find {other}",
                )
        return NOT_FOUND if self._not_found else OK

    def write_text(self, document: Document, crl: CertificateList, out: Output) -> None:
        if self._tsv or self._jsonl:
            self._write_rows(document, crl, out)
            return
        self.write_heading(document, out)
        if self._serials:
            self._write_found(crl, out)
        else:
            crl_text(out, crl, self._text_entries)

    def _write_found(self, crl: CertificateList, out: Output) -> None:
        """Write a line for each entry that `--find` finds, and for each serial number that it does not find."""
        for serial, found in self._find(crl):
            for entry in found:
                out.line(f"  {entry_text(entry)}")
            if not found:
                out.line(f"  {serial_text(serial)}  not in the CRL")

    def write_json(self, document: Document, crl: CertificateList, out: Output) -> None:
        """Write the members that the help of the command lists."""
        members = crl_json(crl)
        if self._serials:
            found = self._find(crl)
            members["entries"] = [entry_json(entry) for _, entries in found for entry in entries]
            members["not_found"] = [serial_json(serial) for serial, entries in found if not entries]
        else:
            members["entries"] = map(entry_json, first_entries(crl, self._entries))
        json_text.write(out, members)

    def _write_rows(self, document: Document, crl: CertificateList, out: Output) -> None:
        """Write a line for each entry; before the first CRL, the column headings of `--tsv`."""
        line_of = json_line_of(document) if self._jsonl else tsv_row_of(document)
        if self._tsv and not self._columns_written:
            out.line(COLUMNS)
            self._columns_written = True
        entries: Iterator[Any]
        if self._serials:
            entries = (entry for _, found in self._find(crl) for entry in found)
        else:
            entries = first_entries(crl, self._entries)
        for entry in entries:
            out.write(line_of(entry))

    def _find(self, crl: CertificateList) -> list[tuple[Serial, tuple[Any, ...]]]:
        """Return the entries with each serial number. An indirect CRL can have several with the same number."""
        entries = crl.tbs_cert_list.revoked_certificates
        find_all = (lambda serial: ()) if entries is None else entries.index_by("user_certificate").find_all
        found = [(serial, find_all(int(serial))) for serial in self._serials]
        for serial, with_serial in found:
            if with_serial:
                self._not_found.discard(serial)
            elif serial.other is not None and find_all(serial.other):
                self._found_as_other.add(serial)
        return found
