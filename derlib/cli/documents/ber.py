"""Convert a document from BER to DER, for the option `--ber`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from derlib import ASN1Error
from derlib._identify import with_wrong_label
from derlib.cli.documents.document_types import DER, candidates, nearest_type, type_of
from derlib.cli.documents.files import Document, offsets_in_file

__all__ = ["as_der", "converted"]


def as_der(document: Document, name: str | None, *, accepts_damaged: bool = True) -> Document:
    """Return a BER document converted to DER, by the type with this name, or else by the first that accepts it.

    Implicit tags need a type, so conversion without a type is tried last, for documents of unknown types. A
    block of another type than that of its label is converted by its own type. Raises ASN1Error if no type accepts the
    document: the error of the type whose conversion got furthest.

    A damaged document of a known type can be converted without its type, too, which is good enough to look at it.
    Unless `accepts_damaged`, this raises the error of its type instead.
    """
    if len(document.values()) > 1:
        # OpenSSL writes both values of a TRUSTED CERTIFICATE in DER.
        return document
    failures: dict[str, Exception] = {}
    for type_ in candidates(document, name):
        try:
            found = converted(document, type_.schema)
        except (ASN1Error, MemoryError) as error:
            failures[type_.name] = error
            continue
        if type_ is DER and not accepts_damaged and (damaged := failures.get(type_of(found).name)):
            raise damaged
        return found
    other = None if name else with_wrong_label(document.label, document.der)
    if other is not None:
        return converted(document, other.schema)
    # With the label PKCS7, any DER is not among the candidates, although it can be the nearest type.
    raise failures.get(nearest_type(failures, document.offset).name) or failures[type_.name]


def converted(document: Document, schema: Any) -> Document:
    """Return a BER document converted to DER by a type. Raises ASN1Error."""
    from derlib import ber

    with offsets_in_file(document):
        found = ber.convert(document.der, schema)
    return replace(document, der=found.der, converted=found, ber=document.der)
