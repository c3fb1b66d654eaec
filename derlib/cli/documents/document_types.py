"""The option `--type`, and the detection of a document's type."""

from __future__ import annotations

import click

from derlib import ASN1Error, _identify, pem
from derlib._identify import DOCUMENT_TYPES, TOLERATED, DocumentType
from derlib.cli.documents.files import Document

__all__ = ["DER", "TYPE", "TYPES", "DocumentType", "candidates", "command_hint", "nearest_type", "type_of"]


#: Any DER: the type of a document that has no other.
DER = DocumentType("der", "DER of an unknown type", "", "")

#: The types by name.
TYPES = {type_.name: type_ for type_ in (*DOCUMENT_TYPES, DER)}

#: The option `--type`; its parameter is `type_name`.
TYPE = click.Option(
    ["--type", "type_name"],
    type=click.Choice(list(TYPES)),
    metavar="TYPE",
    help=f"The type of the documents: {', '.join(TYPES)}. By default it is detected.",
)


def type_of(document: Document, name: str | None = None) -> DocumentType:
    """Return the type with this name; without a name, the type of the PEM label, or the first that decodes."""
    possible = candidates(document, name)
    if len(possible) == 1:
        return possible[0]
    failures: dict[str, Exception] = {}
    first = [(type_, TOLERATED[0]) for type_ in possible if type_ is not DER]
    for type_, tolerate in (*first, *((type_, TOLERATED[1]) for type_ in possible)):
        try:
            type_.decode(document.der, tolerate)
        except (ASN1Error, MemoryError) as error:
            failures[type_.name] = error
        else:
            return type_
    return nearest_type(failures)


def candidates(document: Document, name: str | None) -> list[DocumentType]:
    """Return the type with this name; without a name, those of the PEM label, or all types that need no label."""
    if name is not None:
        return [TYPES[name]]
    possible = list(_identify.candidates(document.label))
    # The label decides; without one that is known, the document can be any DER.
    is_labelled = possible and document.label in possible[0].labels
    return possible if is_labelled else [*possible, DER]


def nearest_type(failures: dict[str, Exception]) -> DocumentType:
    """Return the type whose decoding failed last, given the errors of all types by name."""
    progress = {name: _progress(TYPES[name], error) for name, error in failures.items()}
    longest = max(progress, key=lambda name: progress[name])
    return TYPES[longest] if progress[longest] > (0, 0) else DER


def command_hint(data: bytes, name: str) -> str:
    """Return a hint that `derlib NAME` shows this DER or PEM, or an empty string if it is not of that type."""
    type_ = TYPES[name]
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
