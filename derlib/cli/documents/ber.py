"""Convert a document from BER to DER, for the option `--ber`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from derlib import ASN1Error
from derlib.cli.documents.document_types import candidates, nearest_type
from derlib.cli.documents.files import Document, offsets_in_file

__all__ = ["as_der", "converted"]


def as_der(document: Document, name: str | None) -> Document:
    """Return a BER document converted to DER, by the type with this name, or else by the first that accepts it.

    Implicit tags need a type, so conversion without a type is tried last. Raises ASN1Error if no type accepts the
    document: the error of the type whose conversion got furthest.
    """
    failures: dict[str, Exception] = {}
    for type_ in candidates(document, name):
        try:
            return converted(document, type_.schema)
        except (ASN1Error, MemoryError) as error:
            failures[type_.name] = error
    # With the label PKCS7, any DER is not among the candidates, although it can be the nearest type.
    raise failures.get(nearest_type(failures, document.offset).name) or failures[type_.name]


def converted(document: Document, schema: Any) -> Document:
    """Return a BER document converted to DER by a type. Raises ASN1Error."""
    from derlib import ber

    with offsets_in_file(document):
        found = ber.convert(document.der, schema)
    return replace(document, der=found.der, converted=found, ber=document.der)
