"""Signatures of programs for Windows: Authenticode.

Import this module to read the signature in a PE file, a cabinet or an installer, and certificate trust lists
(`derlib.schemas.trust_list`). The signature is a `ContentInfo` of PKCS #7, not of CMS: its content is not an OCTET
STRING. Classes have the names of Microsoft's specification, Windows Authenticode Portable Executable Signature Format.
Where files differ from it, the classes follow the files, and say so. derlib does not verify signatures.

    >>> from derlib.schemas.authenticode import ContentInfo
    >>> signed = ContentInfo.decode(open("signature.p7", "rb").read()).signed_data  # doctest: +SKIP
    >>> signed.content.message_digest.digest.hex()  # doctest: +SKIP
    '54563dba7fe706fab763168771637e02f82bf776e47fc16c96b87f3...'
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple
from uuid import UUID

from derlib import (
    ASN1Error,
    BMPString,
    Choice,
    DefinedBy,
    Explicit,
    IA5String,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
)
from derlib._contents import decode_contents, typed_element
from derlib._register import named_oid
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.authenticode_stamp import TimeStampToken
from derlib.schemas.pkcs7 import CONTENT_TYPES, ContentInfo, SignedData, SignerInfo
from derlib.schemas.pkcs12 import DigestInfo
from derlib.schemas.trust_list import SUBJECT_ATTRIBUTES, CertificateTrustList, TrustedSubject, szoid_ctl

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "CertificateTrustList",
    "ContentInfo",
    "DigestInfo",
    "PageHash",
    "SignedData",
    "SignerInfo",
    "SpcAttributeTypeAndOptionalValue",
    "SpcAttributes",
    "SpcIndirectDataContent",
    "SpcLink",
    "SpcPeImageData",
    "SpcPeImageFlags",
    "SpcPeImagePageHashes",
    "SpcSerializedObject",
    "SpcSipInfo",
    "SpcSpOpusInfo",
    "SpcStatementType",
    "SpcString",
    "TimeStampToken",
    "TrustedSubject",
    "spc_cab_data_objid",
    "spc_commercial_sp_key_purpose_objid",
    "spc_indirect_data_objid",
    "spc_individual_sp_key_purpose_objid",
    "spc_nested_signature_objid",
    "spc_pe_image_data_objid",
    "spc_pe_image_page_hashes_v1",
    "spc_pe_image_page_hashes_v2",
    "spc_rfc3161_objid",
    "spc_sipinfo_objid",
    "spc_sp_opus_info_objid",
    "spc_statement_type_objid",
    "szoid_ctl",
]

# The syntax of value, by type. No standard defines all of them: a value of another type is left opaque.
SPC_ATTRIBUTES = OpenTypes("SPC_ATTRIBUTES", on_mismatch="opaque")

# The class of serialized objects that contain page hashes.
_PAGE_HASHES = UUID("a6b586d5-b4a1-2466-ae05-a217da8e60d6").bytes


class SpcString(Choice):
    """Text.

    ::

        SpcString ::= CHOICE {
            unicode   [0] IMPLICIT BMPSTRING,
            ascii     [1] IMPLICIT IA5STRING }
    """

    unicode: Annotated[BMPString, Implicit(0)]
    ascii: Annotated[IA5String, Implicit(1)]


class SpcSerializedObject(Sequence):
    """An object of a program; in `SpcPeImageData` the page hashes.

    ::

        SpcSerializedObject ::= SEQUENCE {
            classId          SpcUuid,          -- OCTET STRING
            serializedData   OCTETSTRING }
    """

    class_id: OctetString
    serialized_data: OctetString

    @property
    def attributes(self) -> SpcAttributes | None:
        """The decoded `serialized_data`, or None if `class_id` is not that of page hashes.

        Raises:
            DecodeError: the data is not the encoding of `SpcAttributes`.
        """
        if self.class_id != _PAGE_HASHES:
            return None
        return decode_contents(self, SpcAttributes, self.serialized_data)


class SpcLink(Choice):
    """A link to a page or to a file. Signed files have ``<<<Obsolete>>>`` as the name of the file, or an empty name.

    ::

        SpcLink ::= CHOICE {
            url       [0] IMPLICIT IA5STRING,
            moniker   [1] IMPLICIT SpcSerializedObject,
            file      [2] EXPLICIT SpcString }
    """

    url: Annotated[IA5String, Implicit(0)]
    moniker: Annotated[SpcSerializedObject, Implicit(1)]
    file: Annotated[SpcString, Explicit(2)]


class SpcAttributeTypeAndOptionalValue(Sequence):
    """What was hashed, by its type.

    ::

        SpcAttributeTypeAndOptionalValue ::= SEQUENCE {
            type    ObjectID,
            value   ANY DEFINED BY type OPTIONAL }

    The specification has a tag [0] EXPLICIT around the value. Files do not.
    """

    type: ObjectIdentifier
    value: Annotated[Any, DefinedBy("type", SPC_ATTRIBUTES)] | None = None


class SpcAttributes(SetOf[SpcAttributeTypeAndOptionalValue]):
    """The data of a `SpcSerializedObject` with page hashes, of which the specification says nothing.

    ::

        SpcAttributes ::= SET OF SpcAttributeTypeAndOptionalValue
    """


class PageHash(NamedTuple):
    """The hash of a page of a PE file. The last entry has the size of the file as its offset, and a hash of zeros."""

    offset: int
    """Where the page starts in the file, in bytes."""
    digest: bytes
    """The hash."""


class SpcPeImagePageHashes(SetOf[OctetString]):
    """The hashes of the pages of a PE file: SHA-1 in version 1, SHA-256 in version 2.

    ::

        SpcPeImagePageHashes ::= SET OF OCTET STRING
    """


class SpcPeImageFlags(NamedBits):
    """Which parts of a PE file are hashed. Windows ignores it.

    ::

        SpcPeImageFlags ::= BIT STRING {
            includeResources (0), includeDebugInfo (1), includeImportAddressTable (2) }
    """

    include_resources = 1 << 0
    include_debug_info = 1 << 1
    include_import_address_table = 1 << 2


class SpcPeImageData(Sequence):
    """What was hashed of a PE file, with the hashes of its pages if the signer added them.

    ::

        SpcPeImageData ::= SEQUENCE {
            flags   SpcPeImageFlags OPTIONAL,
            file    [0] EXPLICIT SpcLink OPTIONAL }

    In the specification, `file` has no tag and is not OPTIONAL, and `flags` has the DEFAULT { includeResources }. Files
    have this value nevertheless, which DER would not allow.
    """

    flags: SpcPeImageFlags | None = None
    file: Annotated[SpcLink, Explicit(0)] | None = None

    @property
    def page_hashes(self) -> tuple[PageHash, ...]:
        """The hashes of the pages, in the order of the file; empty if there are none.

        Raises:
            DecodeError: the serialized object is not the encoding of `SpcAttributes`, or the hashes have another type.
            ASN1Error: the length of the hashes does not fit.
        """
        file = self.file
        if file is None or file.alternative != "moniker":
            return ()
        for attribute in file.moniker.attributes or ():
            size = _HASH_SIZES.get(attribute.type)
            if size is not None and attribute.value is not None:
                tables = typed_element(self, SpcPeImagePageHashes, attribute.value)
                return tuple(entry for octets in tables for entry in _page_hashes(octets, size))
        return ()


def _page_hashes(octets: bytes, size: int) -> list[PageHash]:
    """Return the entries of a table of page hashes: an offset of four bytes, little-endian, and a hash."""
    step = 4 + size
    if len(octets) % step:
        raise ASN1Error(f"page hashes have {len(octets)} bytes, which is not a multiple of {step}")
    return [
        PageHash(int.from_bytes(octets[start : start + 4], "little"), octets[start + 4 : start + step])
        for start in range(0, len(octets), step)
    ]


class SpcSipInfo(Sequence):
    """The program that hashes files of this type, such as installers and scripts (SPC_SIGINFO of wintrust.h).

    ::

        SpcSipInfo ::= SEQUENCE {
            dwSIPversion   INTEGER,
            gSIPguid       OCTET STRING,
            dwReserved1    INTEGER,
            dwReserved2    INTEGER,
            dwReserved3    INTEGER,
            dwReserved4    INTEGER,
            dwReserved5    INTEGER }
    """

    dw_sip_version: int
    g_sip_guid: OctetString
    dw_reserved1: int
    dw_reserved2: int
    dw_reserved3: int
    dw_reserved4: int
    dw_reserved5: int


class SpcIndirectDataContent(Sequence):
    """The content of a signature: the hash of a file.

    ::

        SpcIndirectDataContent ::= SEQUENCE {
            data            SpcAttributeTypeAndOptionalValue,
            messageDigest   DigestInfo }

    The hash leaves out the parts of the file that signing changes, such as the checksum and the signature.
    """

    data: SpcAttributeTypeAndOptionalValue
    message_digest: DigestInfo


class SpcSpOpusInfo(Sequence):
    """The name of the program and a page about it, an attribute of the signer.

    ::

        SpcSpOpusInfo ::= SEQUENCE {
            programName     [0] EXPLICIT SpcString OPTIONAL,
            moreInfo        [1] EXPLICIT SpcLink OPTIONAL,
            publisherInfo   [2] EXPLICIT SpcLink OPTIONAL }   -- only in SPC_SP_OPUS_INFO of wintrust.h
    """

    program_name: Annotated[SpcString, Explicit(0)] | None = None
    more_info: Annotated[SpcLink, Explicit(1)] | None = None
    publisher_info: Annotated[SpcLink, Explicit(2)] | None = None


class SpcStatementType(SequenceOf[ObjectIdentifier]):
    """Whether an individual or a company signs, an attribute of the signer.

    ::

        SpcStatementType ::= SEQUENCE of OBJECT IDENTIFIER
    """


spc_indirect_data_objid = named_oid("1.3.6.1.4.1.311.2.1.4", "SPC_INDIRECT_DATA_OBJID")
CONTENT_TYPES.register(spc_indirect_data_objid, SpcIndirectDataContent)
# In catalogs. Another type is an error, as in a signature: with "opaque", `SPC_ATTRIBUTES` would not be applied inside.
SUBJECT_ATTRIBUTES.register(spc_indirect_data_objid, SpcIndirectDataContent, on_mismatch="error")

spc_pe_image_data_objid = named_oid("1.3.6.1.4.1.311.2.1.15", "SPC_PE_IMAGE_DATA_OBJID")
spc_cab_data_objid = named_oid("1.3.6.1.4.1.311.2.1.25", "SPC_CAB_DATA_OBJID")
spc_sipinfo_objid = named_oid("1.3.6.1.4.1.311.2.1.30", "SPC_SIPINFO_OBJID")
spc_pe_image_page_hashes_v1 = named_oid("1.3.6.1.4.1.311.2.3.1", "SPC_PE_IMAGE_PAGE_HASHES_V1")
spc_pe_image_page_hashes_v2 = named_oid("1.3.6.1.4.1.311.2.3.2", "SPC_PE_IMAGE_PAGE_HASHES_V2")
spc_individual_sp_key_purpose_objid = named_oid("1.3.6.1.4.1.311.2.1.21", "SPC_INDIVIDUAL_SP_KEY_PURPOSE_OBJID")
spc_commercial_sp_key_purpose_objid = named_oid("1.3.6.1.4.1.311.2.1.22", "SPC_COMMERCIAL_SP_KEY_PURPOSE_OBJID")
SPC_ATTRIBUTES.register(spc_pe_image_data_objid, SpcPeImageData)
# sbsign, which signs boot loaders, writes this type instead.
SPC_ATTRIBUTES.register(spc_individual_sp_key_purpose_objid, SpcPeImageData)
SPC_ATTRIBUTES.register(spc_cab_data_objid, SpcLink)
SPC_ATTRIBUTES.register(spc_sipinfo_objid, SpcSipInfo)
SPC_ATTRIBUTES.register(spc_pe_image_page_hashes_v1, SpcPeImagePageHashes)
SPC_ATTRIBUTES.register(spc_pe_image_page_hashes_v2, SpcPeImagePageHashes)
_HASH_SIZES = {spc_pe_image_page_hashes_v1: 20, spc_pe_image_page_hashes_v2: 32}

spc_statement_type_objid = named_oid("1.3.6.1.4.1.311.2.1.11", "SPC_STATEMENT_TYPE_OBJID")
spc_sp_opus_info_objid = named_oid("1.3.6.1.4.1.311.2.1.12", "SPC_SP_OPUS_INFO_OBJID")
spc_nested_signature_objid = named_oid("1.3.6.1.4.1.311.2.4.1", "SPC_NESTED_SIGNATURE_OBJID")
spc_rfc3161_objid = named_oid("1.3.6.1.4.1.311.3.3.1", "SPC_RFC3161_OBJID")
ATTRIBUTES.register(spc_statement_type_objid, SpcStatementType)
ATTRIBUTES.register(spc_sp_opus_info_objid, SpcSpOpusInfo)
# Signatures: another type is an error, as for countersignatures of CMS.
ATTRIBUTES.register(spc_nested_signature_objid, ContentInfo, on_mismatch="error")
ATTRIBUTES.register(spc_rfc3161_objid, TimeStampToken, on_mismatch="error")
