"""The summary of a CRL, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from derlib.cli.output.progress import track
from derlib.cli.rendering.crl_entries import entry_text
from derlib.cli.rendering.summary import (
    extensions_json,
    extensions_text,
    row,
    signature_text,
    time_line,
    time_of,
    version_json,
    version_text,
)
from derlib.cli.rendering.values import text_leaf

if TYPE_CHECKING:
    from derlib.cli.output.standard_output import Output
    from derlib.schemas.crl import CertificateList

__all__ = ["DEFAULT_ENTRIES", "crl_json", "crl_text", "first_entries"]

#: The number of entries in text by default.
DEFAULT_ENTRIES = 5


def crl_text(out: Output, crl: CertificateList, limit: int | None, is_ber: bool = False) -> None:
    """Write a line for each field, the extensions and the first `limit` entries; None for all.

    `is_ber` is whether the file is BER.
    """
    tbs = crl.tbs_cert_list
    count = len(tbs.revoked_certificates or ())
    row(out, "version", version_text(tbs.version))
    row(out, "signature", signature_text(crl.signature_algorithm))
    row(out, "issuer", text_leaf(tbs.issuer))
    row(out, "this update", time_line(tbs, "this_update"))
    row(out, "next update", time_line(tbs, "next_update") or "not given")
    row(out, "extensions", "" if tbs.crl_extensions else "none")
    extensions_text(out, tbs.crl_extensions, "    ")
    row(out, "entries", f"{count:,}")
    for entry in first_entries(crl, limit):
        out.line(f"    {entry_text(entry)}")
    if limit is not None and count > limit:
        options = "--all --ber" if is_ber else "--all"
        out.line(f"    and {count - limit:,} more{out.remark(f'derlib crl {options} shows them')}")


def crl_json(crl: CertificateList) -> dict[str, object]:
    """Return the members that the help of `derlib crl` lists, without the entries."""
    tbs = crl.tbs_cert_list
    return {
        "version": version_json(tbs.version),
        "signature_algorithm": crl.signature_algorithm.algorithm,
        "signature_parameters": crl.signature_algorithm.parameters,
        "issuer": tbs.issuer,
        "this_update": time_of(tbs, "this_update"),
        "next_update": time_of(tbs, "next_update"),
        "extensions": extensions_json(tbs.crl_extensions),
        "signature_value": crl.signature_value,
        "number_of_entries": len(tbs.revoked_certificates or ()),
    }


def first_entries(crl: CertificateList, limit: int | None) -> Iterator[Any]:
    """Yield the first `limit` entries, or all if it is None, and report the progress."""
    entries: Any = crl.tbs_cert_list.revoked_certificates or ()
    count = len(entries) if limit is None else min(limit, len(entries))
    return track(islice(entries, count), count, "entries")
