"""The attribute of signatures in PDF documents: ISO 32000-1 section 12.8.3.3.2.

Import this module, besides `derlib.schemas.cms`, to read the revocation data that a signer added: importing it
registers the type. The contents of the signature dictionary of a PDF document are a `ContentInfo` of CMS.

>>> from derlib.schemas.cms import Attribute
>>> attribute = Attribute.of(adbe_revocation_info_archival, {"ocsp": []})
>>> Attribute.decode(attribute.encode()).attr_values[0]
RevocationInfoArchival(ocsp=SequenceOf[OCSPResponse]([]))
"""

from __future__ import annotations

from typing import Annotated

from derlib import Explicit, ObjectIdentifier, OctetString, Sequence, SequenceOf
from derlib._register import register_type
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.crl import CertificateList
from derlib.schemas.ocsp import OCSPResponse

_COMPILE_AT_FIRST_USE = True

__all__ = ["OtherRevInfo", "RevocationInfoArchival", "adbe_revocation_info_archival"]


class OtherRevInfo(Sequence):
    """Revocation data of another kind.

    ::

        OtherRevInfo ::= SEQUENCE {
            type    OBJECT IDENTIFIER,
            value   OCTET STRING }
    """

    type: ObjectIdentifier
    value: OctetString


class RevocationInfoArchival(Sequence):
    """The CRLs and OCSP responses for the certificates of the signer.

    ::

        RevocationInfoArchival ::= SEQUENCE {
            crl            [0] EXPLICIT SEQUENCE OF CRLs OPTIONAL,           -- CertificateList
            ocsp           [1] EXPLICIT SEQUENCE OF OCSPResponse OPTIONAL,
            otherRevInfo   [2] EXPLICIT SEQUENCE OF OtherRevInfo OPTIONAL }
    """

    crl: Annotated[SequenceOf[CertificateList], Explicit(0)] | None = None
    ocsp: Annotated[SequenceOf[OCSPResponse], Explicit(1)] | None = None
    other_rev_info: Annotated[SequenceOf[OtherRevInfo], Explicit(2)] | None = None


adbe_revocation_info_archival = register_type(
    ATTRIBUTES, "1.2.840.113583.1.1.8", "adbe-revocationInfoArchival", RevocationInfoArchival
)
