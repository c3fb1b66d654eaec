"""The certificates or CRLs in a SignedData of CMS or PKCS #7, such as a .p7b file, as documents of their own.

`cert`, `crl` and `table` read them as if they followed each other in a file. They are found by the headers around them,
so a damaged one does not hide the others. The SignedData is validated, too: its fault is a document with an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from derlib import ASN1Error, Deviation, Tolerated
from derlib._value_ranges import CERTIFICATES, CRLS, in_signed_data, is_ef_sod, is_signed_data
from derlib.cli.documents.document_types import TYPES
from derlib.cli.documents.files import NO_MEMORY, Document, offsets_in_file
from derlib.cli.documents.pkcs12_bags import in_bags, is_pfx

__all__ = ["LABELS", "unpacked"]

#: The labels of the PEM blocks that can have a SignedData.
LABELS = tuple(dict.fromkeys((*TYPES["cms"].labels, *TYPES["pkcs7"].labels)))

#: The tag of the list in a SignedData, by the name of the type of its elements, and the path of the list.
_LISTS = {"cert": (CERTIFICATES, ("content", "certificates")), "crl": (CRLS, ("content", "crls"))}


def unpacked(
    found: Iterable[Document], names: tuple[str, ...], tolerate: Deviation | None, is_ber: bool
) -> Iterator[Document]:
    """Yield documents, and in place of a SignedData or a PFX the certificates or CRLs in it, in the order of the file.

    A SignedData is a PEM block with one of `LABELS`, or a value of another file. A PEM block without anything to yield
    is left out if there is another document.

    Args:
        found: the documents of one file.
        names: the names of the types to yield, `"cert"` or `"crl"`; with both, CRLs only if it has no certificates.
        tolerate: the deviations that a SignedData can have.
        is_ber: whether the documents can be BER.
    """
    left_out: list[Document] = []
    is_empty = True
    # In DER and in a mail, what is in a SignedData is numbered together with the values of the file.
    added = 0
    for document in found:
        members = [] if document.error else _members(document, names, tolerate, is_ber)
        if not members and document.label in LABELS:
            left_out.append(document)
            continue
        is_empty = False
        if not members:
            yield replace(document, value=document.value + added) if added and document.value else document
            continue
        before = 0 if document.block and not document.attachment else max(document.value, 1) - 1 + added
        for member in members:
            yield replace(member, value=member.value + before) if member.value else member
        added += sum(member.value > 0 for member in members) - 1
    if is_empty:
        yield from left_out


def _members(document: Document, names: tuple[str, ...], tolerate: Deviation | None, is_ber: bool) -> list[Document]:
    """Return the certificates or CRLs in a SignedData or a PFX, numbered from 1, after its error if it has one.

    Return an empty list for another document, and for a valid one without them.
    """
    if is_pfx(document.der):
        return in_bags(document, names, tolerate, is_ber)
    if not is_signed_data(document.der):
        return []
    found = ((name, in_signed_data(document.der, _LISTS[name][0])) for name in names)
    name, ranges = next(((name, ranges) for name, ranges in found if ranges), ("", []))
    types = ("ef-sod",) if is_ef_sod(document.der) else ("cms", "pkcs7")
    fault = _fault(document, types, tolerate, is_ber)
    if not ranges and isinstance(fault, ASN1Error):
        # Such as a truncated file.
        return [replace(document, der=b"", value=min(document.value, 1), in_signed_data=True, error=fault)]
    if not ranges:
        return []
    members = [
        replace(
            document,
            der=document.der[each.start : each.stop],
            offset=document.offset + each.start,
            value=number,
            alone=document.alone and len(ranges) == 1,
            in_signed_data=True,
        )
        for number, each in enumerate(ranges, 1)
    ]
    if not isinstance(fault, ASN1Error):
        path = _LISTS[name][1]
        # Those inside a certificate or CRL are its own.
        around = tuple(one for one in fault if one.path[:2] != path or len(one.path) <= len(path) + 1)
        members[0] = replace(members[0], tolerated=around)
    elif not any(
        _is_in(each, fault) and isinstance(_fault(each, (name,), tolerate, is_ber), ASN1Error) for each in members
    ):
        # A certificate or CRL that is invalid has this error itself.
        members = [replace(each, alone=False) for each in members]
        members.insert(0, replace(document, der=b"", value=0, in_signed_data=True, error=fault))
    return members


def _fault(
    document: Document, names: tuple[str, ...], tolerate: Deviation | None, is_ber: bool
) -> ASN1Error | tuple[Tolerated, ...]:
    """Return the error of a document that has one of these types; without one, the deviations that were tolerated."""
    from derlib.cli.documents.ber import converted

    errors: list[ASN1Error] = []
    for name in names:
        try:
            if is_ber:
                converted(document, TYPES[name].schema)
                return ()
            with offsets_in_file(document):
                found = TYPES[name].decode(document.der, tolerate)
        except ASN1Error as error:
            errors.append(error)
        except MemoryError:
            return ASN1Error(NO_MEMORY)
        else:
            return tuple(
                one._replace(offset=document.place(one.offset)) for one in getattr(found, "deviations", ())
            )
    # The type that does not fit has the earlier fault.
    return max(errors, key=lambda error: getattr(error, "offset", 0))


def _is_in(document: Document, error: ASN1Error) -> bool:
    """Return whether an error is at a place in a document."""
    return document.offset <= getattr(error, "offset", -1) < document.offset + len(document.der)
