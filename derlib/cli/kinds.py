"""The types of documents that the commands know, how each is named, and which of them a document has."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

import derlib
from derlib import ASN1Error, Deviation
from derlib.cli import cert, crl
from derlib.cli.inputs import Document
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

__all__ = ["ANY", "EVERYTHING", "KINDS", "Kind", "kind_of", "option"]

#: All that can be tolerated.
EVERYTHING = ~Deviation(0)


class Kind(NamedTuple):
    """A type of document: the name that `--type` takes, what people call it, its class, its PEM labels."""

    name: str
    title: str
    type: Any
    labels: tuple[str, ...]

    def decode(self, der: bytes, tolerate: Deviation | None = None) -> Any:
        """A view of the class; for `ANY`, the tree of elements. Raises ASN1Error."""
        if self.type is None:
            return derlib.parse(der, tolerate=tolerate)
        return self.type.decode(der, tolerate=tolerate)


ANY = Kind("der", "DER of no known type", None, ())
KINDS = {
    kind.name: kind
    for kind in (
        Kind("cert", "a certificate", Certificate, cert.LABELS),
        Kind("crl", "a certificate revocation list", CertificateList, crl.LABELS),
        ANY,
    )
}

option = click.option(
    "--type",
    "kind",
    type=click.Choice(list(KINDS)),
    help="The type of the documents: certificates, CRLs, or any other DER. By default it is detected.",
)


def kind_of(document: Document, name: str | None = None) -> Kind:
    """The kind that has `name`; without one, that of the label, or the first that the octets can be read as."""
    if name is not None:
        return KINDS[name]
    for kind in KINDS.values():
        if document.label is not None and document.label in kind.labels:
            return kind
    reached = {kind.name: _reached(kind, document.der) for kind in KINDS.values()}
    for kind in KINDS.values():
        if reached[kind.name] is None:
            return kind
    # It can be read as nothing: then it is what it looks like for longest.
    longest = max(KINDS.values(), key=lambda kind: reached[kind.name] or (0, 0))
    return longest if (reached[longest.name] or (0, 0)) > (0, 0) else ANY


def _reached(kind: Kind, der: bytes) -> tuple[int, int] | None:
    """At which octet, and how deep in the structure, reading `der` as `kind` failed; None where it did not."""
    try:
        kind.decode(der, EVERYTHING)
    except MemoryError:
        return (-1, 0)
    except ASN1Error as error:
        path: tuple[object, ...] = getattr(error, "path", ())
        return (getattr(error, "offset", 0), len(path)) if len(path) > 1 and kind.type else (0, 0)
    return None
