"""`derlib crl`: what a certificate revocation list says, for people or as JSON."""

from __future__ import annotations

from itertools import islice
from typing import Any

from derlib import Deviation
from derlib.cli import jsonout
from derlib.cli.output import Output
from derlib.cli.parts import (
    extension_value,
    extensions_json,
    extensions_text,
    row,
    serial_text,
    time_of,
    version_text,
)
from derlib.cli.values import inline, oid_text, text_leaf
from derlib.schemas.crl import CertificateList

__all__ = ["LABELS", "Summary"]

#: RFC 7468 section 6: the label, and one that parsers meet as well.
LABELS = ("X509 CRL", "CRL")

#: How many entries the text shows when nobody says.
_FEW = 5


class Summary:
    """How many entries a summary shows, and its two writers.

    Parameters:
        entries: at most so many; None leaves it to the form: a few in text, all in JSON.
        every: all of them in text too.
    """

    def __init__(self, entries: int | None, every: bool) -> None:
        self._text_entries = None if every else _FEW if entries is None else entries
        self._json_entries = entries

    def decode(self, der: bytes, tolerate: Deviation | None) -> CertificateList:
        """Decode all of the list. Raises ASN1Error."""
        return CertificateList.decode(der, tolerate=tolerate)

    def write_text(self, crl: CertificateList, out: Output) -> None:
        """A row for each field, then the extensions, then the first entries."""
        tbs = crl.tbs_cert_list
        entries = tbs.revoked_certificates
        count = 0 if entries is None else len(entries)
        row(out, "version", version_text(tbs.version))
        row(out, "signature", oid_text(crl.signature_algorithm.algorithm))
        row(out, "issuer", text_leaf(tbs.issuer))
        row(out, "this update", str(time_of(tbs, "this_update")))
        row(out, "next update", time_of(tbs, "next_update") or "not given")
        row(out, "extensions", "" if tbs.crl_extensions else "none")
        extensions_text(out, tbs.crl_extensions, "    ")
        row(out, "entries", f"{count:,}")
        for entry in islice(entries or (), self._text_entries):
            out.line(
                f"    {serial_text(entry.user_certificate)}  {time_of(entry, 'revocation_date')}"
                + "".join(map(_extension_text, entry.crl_entry_extensions or ()))
            )
        if self._text_entries is not None and count > self._text_entries:
            rest = count - self._text_entries
            out.line(f"    and {rest:,} more (--all shows them)")

    def write_json(self, crl: CertificateList, out: Output) -> None:
        """The keys stand in the help of the command."""
        tbs = crl.tbs_cert_list
        entries = tbs.revoked_certificates
        jsonout.write(
            out,
            {
                "version": version_text(tbs.version),
                "signature_algorithm": crl.signature_algorithm.algorithm,
                "issuer": tbs.issuer,
                "this_update": time_of(tbs, "this_update"),
                "next_update": time_of(tbs, "next_update"),
                "extensions": extensions_json(tbs.crl_extensions),
                "number_of_entries": 0 if entries is None else len(entries),
                "entries": map(_entry_json, islice(entries or (), self._json_entries)),
            },
        )


def _extension_text(extension: Any) -> str:
    """An entry's extension on the entry's line: `id-ce-cRLReasons: key_compromise`."""
    critical = " (critical)" if extension.critical else ""
    return f"  {oid_text(extension.extn_id)}{critical}: {inline(extension_value(extension))}"


def _entry_json(entry: Any) -> object:
    serial = serial_text(entry.user_certificate)
    date = time_of(entry, "revocation_date")
    extensions = entry.crl_entry_extensions
    if extensions is None:
        # The common case by far, and there may be hundreds of thousands: no call for each part.
        return jsonout.Fragment(
            f'{{"serial_number": "{serial}", "revocation_date": {jsonout.flat(date)}}}'
        )
    return {
        "serial_number": serial,
        "revocation_date": date,
        "extensions": extensions_json(extensions),
    }
