"""How `derlib.identify` finds the type of an object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derlib import Deviation, parse, pem
from derlib._core import announced_size
from derlib._document_types import DOCUMENT_TYPES, DocumentType
from derlib._look_alikes import look_alike
from derlib.errors import ASN1Error, PEMError

__all__ = ["TOLERATED", "candidates", "class_of", "identify", "is_secret", "with_wrong_label"]

#: What is tolerated to find a type, one after the other: an object with a fault is still an object of its type. As any
#: value fits an open type that tolerates it, a type that needs this comes last.
TOLERATED = (~Deviation.OPEN_TYPE, ~Deviation(0))
#: The labels of parameters, which OpenSSL writes before a key.
_PARAMETERS = ("DSA PARAMETERS", "EC PARAMETERS", "SM2 PARAMETERS")


def candidates(label: str | None = None, octets: bytes | None = None) -> tuple[DocumentType, ...]:
    """Return the types of objects in PEM blocks with this label.

    Without a label that is known, return the types without need of one, and only those that begin as `octets` do.
    """
    labelled = tuple(type_ for type_ in DOCUMENT_TYPES if label is not None and label in type_.labels)
    if labelled:
        return labelled
    if octets is None:
        return tuple(type_ for type_ in DOCUMENT_TYPES if type_.is_distinct)
    alike = look_alike(octets)
    return tuple(
        type_
        for type_ in DOCUMENT_TYPES
        if (type_.identifier in octets[:1] if type_.is_distinct else type_.name == alike)
    )


def is_secret(label: str | None) -> bool:
    """Return whether a PEM label says that the block has a secret, such as a private key."""
    return label is not None and (label.endswith("PRIVATE KEY") or label == "SSL SESSION PARAMETERS")


def with_wrong_label(label: str | None, octets: bytes) -> DocumentType | None:
    """Return the type of DER whose PEM label names another type; None if the label fits, or if no type does.

    For example, `openssl nseq` writes a list of certificates as a CERTIFICATE, and some programs write keys of PKCS #1
    as a PRIVATE KEY.
    """
    labelled = candidates(label, octets)
    # What a label calls secret is shown only as another secret.
    others = (each for each in candidates(None, octets) if not is_secret(label) or any(map(is_secret, each.labels)))
    if any(type_.fits(octets, tolerate) for tolerate in (*TOLERATED, None) for type_ in labelled):
        return None
    return next((type_ for type_ in others if type_.fits(octets, TOLERATED[0])), None)


def identify(data: bytes | bytearray | memoryview | str) -> type[Any] | None:
    """Return the class of `derlib.schemas` for the object in `data`, or None if no class fits.

    Args:
        data: the contents of a file: DER, BER, PEM, hexadecimal or base64 text, or a mail with an attachment. The first
            object counts; in PEM, the parameters that OpenSSL writes before a key do not, and neither do keys that are
            encrypted in its old format if another block follows.

    A class fits if it decodes the object. Faults that a `Deviation` names do not count. A damaged object has no class;
    the error of `derlib show` names the type if the bytes before the fault fit only one. In DER, RSA public keys,
    signatures and the parameters of DSA and DH look like each other: derlib finds them only if the sizes of their
    numbers are usual, or by their PEM labels. A label does not count if the object is of another type. Decode a TRUSTED
    CERTIFICATE of OpenSSL with `Certificate.decode_prefix`, because trust settings (`derlib.schemas.openssl.CertAux`)
    follow the certificate. An object of PKCS #7 is a `ContentInfo` of `derlib.schemas.pkcs7` if it is not one of
    `derlib.schemas.cms`, as for Authenticode.

    Raises:
        PEMError: the PEM block is invalid, or a `str` has none.
        ASN1Error: `data` is empty, a mail without an object, an mbox with several mails, or a known format that is not
            ASN.1, such as a Java key store. The message says what converts it.

    >>> import derlib
    >>> derlib.identify(bytes.fromhex("30030a0103"))
    <class 'derlib.schemas.ocsp.OCSPResponse'>
    >>> derlib.identify(bytes.fromhex("0500")) is None
    True
    """
    whole = pem.octets_of(data)
    octets = _without_mail(whole)
    label: str | None = None
    if pem.is_pem(octets):
        block = _first_block(octets)
        if block is None:
            raise pem.nothing_found(octets, ())
        label, octets = block.label, block.der
    elif isinstance(data, str) and octets is whole:
        inner = _decoded_text(whole)
        if inner is None:
            raise pem.nothing_found(data, ())
        octets = inner
    elif not octets:
        parse(octets)  # raises the error of an empty input
    found = class_of(octets, label)
    if found is None and (inner := _decoded_text(octets)) is not None:
        found = class_of(inner)
    if found is None:
        _raise_if_other_format(octets)
    return found


def _first_block(data: bytes) -> pem.PEMBlock | None:
    """Return the PEM block that counts: the first, but after the parameters of a key the key.

    Keys that are encrypted in the old format of OpenSSL have no DER. They do not count if another block follows.
    """
    try:
        return _first_of(pem.blocks(data))
    except PEMError:
        from derlib.cli.documents.encrypted_pem import without_encrypted

        rest, encrypted = without_encrypted(data)
        if not encrypted or not pem.is_pem(rest):
            raise
    return _first_of(pem.blocks(rest))


def _first_of(blocks: Iterator[pem.PEMBlock]) -> pem.PEMBlock | None:
    first = next(blocks, None)
    if first is not None and first.label in _PARAMETERS:
        following = next(blocks, None)
        return following if following is not None and is_secret(following.label) else first
    return first


def class_of(octets: bytes, label: str | None = None) -> type[Any] | None:
    """Return the class for an object, if one fits."""
    types = candidates(label, octets)
    for tolerate in (*TOLERATED, None):
        for type_ in types:
            if type_.fits(octets, tolerate):
                found: type[Any] = type_.schema
                return found
    other = with_wrong_label(label, octets) if label is not None else None
    return None if other is None else other.schema


def _without_mail(data: bytes) -> bytes:
    """Return the first object that is attached to a mail, and all other data unchanged."""
    if announced_size(data) == len(data):
        return data
    from derlib.cli.documents.mail import WITHOUT_OBJECT, attachments
    from derlib.cli.documents.text_forms import as_utf8

    try:
        attached = attachments(data)
    except ValueError as error:
        raise ASN1Error(str(error)) from None
    if attached == []:
        raise ASN1Error(f"the input is {WITHOUT_OBJECT}")
    if attached and attached[0].error:
        raise ASN1Error(attached[0].error)
    return as_utf8(attached[0].octets) if attached else data


def _decoded_text(data: bytes) -> bytes | None:
    """Return the bytes that a text is in hexadecimal or base64, or None."""
    from derlib.cli.documents.text_forms import decoded_text

    return decoded_text(data)


def _raise_if_other_format(data: bytes) -> None:
    """Raise ASN1Error if `data` is a known format that is not ASN.1; DER can begin with the same bytes."""
    from derlib.cli.documents.other_formats import other_format

    title = None if announced_size(data) == len(data) else other_format(data)
    if title is not None:
        raise ASN1Error(f"the input is {title}")
