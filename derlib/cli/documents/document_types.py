"""The types of documents: certificates, CRLs, CMS, PKCS #12 and any DER; and the detection of a document's type."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

import derlib
from derlib import ASN1Error, Deviation, pem
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.files import Document

__all__ = ["DER", "DOCUMENT_TYPES", "TYPE", "DocumentType", "candidates", "command_hint", "nearest_type", "type_of"]


class DocumentType(NamedTuple):
    """A type of document.

    Attributes:
        name: the value of `--type`, and for a certificate or a CRL the command that shows it.
        title: the name in messages, with its article.
        module, class_name: the module in derlib.schemas, and its class; empty for any DER.
        labels: the PEM labels, the one of RFC 7468 first.
    """

    name: str
    title: str
    module: str
    class_name: str
    labels: tuple[str, ...]

    @property
    def schema(self) -> Any:
        """The class, whose module is imported at the first use; None for any DER."""
        return getattr(import_module(f"derlib.schemas.{self.module}"), self.class_name) if self.module else None

    def decode(self, der: bytes, tolerate: Deviation | None = None) -> Any:
        """Return a value of the class, or for `DER` the tree of elements. Raises ASN1Error."""
        if self.schema is None:
            return derlib.parse(der, tolerate=tolerate)
        return self.schema.decode(der, tolerate=tolerate)


#: Any DER: the type of a document that has no other.
DER = DocumentType("der", "DER of an unknown type", "", "", ())

#: The types by name. RFC 7468 5.1, 6, 8 and 9 define the first label of each; other programs write the others.
DOCUMENT_TYPES = {
    type_.name: type_
    for type_ in (
        DocumentType(
            "cert", "a certificate", "x509", "Certificate", ("CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE")
        ),
        DocumentType("crl", "a certificate revocation list", "crl", "CertificateList", ("X509 CRL", "CRL")),
        DocumentType("cms", "a CMS object", "cms", "ContentInfo", ("CMS", "PKCS7")),
        DocumentType("pkcs12", "a PKCS #12 file", "pkcs12", "PFX", ()),
        DER,
    )
}

#: The option `--type`; its parameter is `type_name`.
TYPE = click.Option(
    ["--type", "type_name"],
    type=click.Choice(list(DOCUMENT_TYPES)),
    help="The type of the documents: certificates, CRLs, CMS, PKCS #12, or any other DER. By default it is detected.",
)


def type_of(document: Document, name: str | None = None) -> DocumentType:
    """Return the type with this name; without a name, the type of the PEM label, or the first that decodes."""
    possible = candidates(document, name)
    if len(possible) == 1:
        return possible[0]
    failures: dict[str, Exception] = {}
    for type_ in possible:
        try:
            type_.decode(document.der, ALL_DEVIATIONS)
        except (ASN1Error, MemoryError) as error:
            failures[type_.name] = error
        else:
            return type_
    return nearest_type(failures)


def candidates(document: Document, name: str | None) -> list[DocumentType]:
    """Return the type with this name; without a name, the type of the PEM label, or all types."""
    if name is not None:
        return [DOCUMENT_TYPES[name]]
    types = list(DOCUMENT_TYPES.values())
    return [type_ for type_ in types if document.label is not None and document.label in type_.labels] or types


def nearest_type(failures: dict[str, Exception]) -> DocumentType:
    """Return the type whose decoding failed last, given the errors of all types by name."""
    progress = {name: _progress(DOCUMENT_TYPES[name], error) for name, error in failures.items()}
    longest = max(progress, key=lambda name: progress[name])
    return DOCUMENT_TYPES[longest] if progress[longest] > (0, 0) else DER


def command_hint(data: bytes, name: str) -> str:
    """Return a hint that `derlib NAME` shows this DER or PEM, or an empty string if it is not of that type."""
    type_ = DOCUMENT_TYPES[name]
    try:
        type_.decode(pem.der_of(data)[0])
    except (ASN1Error, MemoryError):
        return ""
    return f"; it is {type_.title}: use derlib {name}"


def _progress(type_: DocumentType, error: Exception) -> tuple[int, int]:
    """Return the offset and the depth at which decoding as `type_` failed.

    A failure in the outermost element or in one of its components returns (0, 0): other structures get as far, too.
    """
    if isinstance(error, MemoryError):
        return (-1, 0)
    path: tuple[object, ...] = getattr(error, "path", ())
    return (getattr(error, "offset", 0), len(path)) if len(path) > 1 and type_.schema else (0, 0)
