"""The types of documents: certificates, CRLs and any DER, and the detection of the type of a document."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

import derlib
from derlib import ASN1Error, Deviation, pem
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.files import Document
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

__all__ = ["DER", "DOCUMENT_TYPES", "TYPE", "DocumentType", "command_hint", "type_of"]


class DocumentType(NamedTuple):
    """A type of document.

    Attributes:
        name: the value of `--type`, and for a certificate or a CRL the command that shows it.
        title: the name in messages, with its article.
        schema: the class, or None for any DER.
        labels: the PEM labels, the one of RFC 7468 first.
    """

    name: str
    title: str
    schema: Any
    labels: tuple[str, ...]

    def decode(self, der: bytes, tolerate: Deviation | None = None) -> Any:
        """Return a value of the class, or for `DER` the tree of elements. Raises ASN1Error."""
        if self.schema is None:
            return derlib.parse(der, tolerate=tolerate)
        return self.schema.decode(der, tolerate=tolerate)


#: Any DER: the type of a document that has no other.
DER = DocumentType("der", "DER of an unknown type", None, ())

#: The types by name. RFC 7468 5.1 and 6 define the first label of each; other programs write the others.
DOCUMENT_TYPES = {
    type_.name: type_
    for type_ in (
        DocumentType("cert", "a certificate", Certificate, ("CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE")),
        DocumentType("crl", "a certificate revocation list", CertificateList, ("X509 CRL", "CRL")),
        DER,
    )
}

#: The option `--type`; its parameter is `type_name`.
TYPE = click.Option(
    ["--type", "type_name"],
    type=click.Choice(list(DOCUMENT_TYPES)),
    help="The type of the documents: certificates, CRLs, or any other DER. By default it is detected.",
)


def type_of(document: Document, name: str | None = None) -> DocumentType:
    """Return the type with this name; without a name, the type of the PEM label, or the first that decodes."""
    if name is not None:
        return DOCUMENT_TYPES[name]
    for type_ in DOCUMENT_TYPES.values():
        if document.label is not None and document.label in type_.labels:
            return type_
    progress = {type_.name: _progress(type_, document.der) for type_ in DOCUMENT_TYPES.values()}
    for type_ in DOCUMENT_TYPES.values():
        if progress[type_.name] is None:
            return type_
    # No type decodes: take the type whose decoding fails last.
    longest = max(DOCUMENT_TYPES.values(), key=lambda type_: progress[type_.name] or (0, 0))
    return longest if (progress[longest.name] or (0, 0)) > (0, 0) else DER


def command_hint(data: bytes, name: str) -> str:
    """Return a hint that `derlib NAME` shows this DER or PEM, or an empty string if it is not of that type."""
    type_ = DOCUMENT_TYPES[name]
    try:
        type_.decode(pem.der_of(data)[0])
    except (ASN1Error, MemoryError):
        return ""
    return f"; it is {type_.title}: use derlib {name}"


def _progress(type_: DocumentType, der: bytes) -> tuple[int, int] | None:
    """Return the offset and the depth at which decoding `der` as `type_` fails, or None if it does not fail.

    A failure in the outermost element or in one of its components returns (0, 0): other structures get as far, too.
    """
    try:
        type_.decode(der, ALL_DEVIATIONS)
    except MemoryError:
        return (-1, 0)
    except ASN1Error as error:
        path: tuple[object, ...] = getattr(error, "path", ())
        return (getattr(error, "offset", 0), len(path)) if len(path) > 1 and type_.schema else (0, 0)
    return None
