"""Electronic passports: security objects, lists of certificates and of deviations, extensions (ICAO Doc 9303).

Import this module to read the file EF.SOD of a passport, a list of the certificates of countries (CSCA master list), or
a list of passports with known defects (deviation list). They are signed files of CMS. Importing it registers the
extensions of Doc 9303 Part 12. Classes have the names of Doc 9303, 8th edition, whose modules have implicit tags.
derlib does not verify signatures. A master list with one invalid certificate is refused:
`derlib.schemas.cms.encoded_certificates` takes the whole file and finds each certificate, to decode it on its own.

    >>> from derlib.schemas.cms import ContentInfo
    >>> from derlib.schemas.icao import CscaMasterList
    >>> signed = ContentInfo.decode(open("countries.ml", "rb").read(), rules="ber").signed_data  # doctest: +SKIP
    >>> if signed.content is not None:  # doctest: +SKIP
    ...     for certificate in CscaMasterList.decode(signed.content).cert_list:
    ...         print(certificate.subject)
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Explicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    PrintableString,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms import ContentInfo
from derlib.schemas.extensions import known_extension
from derlib.schemas.icao_deviations import (
    DEVIATIONS,
    CertField,
    CertificateBodyField,
    Datagroup,
    Deviation,
    DeviationDescription,
    DeviationDocuments,
    DeviationList,
    DeviationListVersion,
    DocumentSignerIdentifier,
    IssuancePeriod,
    MRZField,
    id_icao_deviation_list,
    id_icao_deviation_list_signing_key,
)
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "DEVIATIONS",
    "EF_SOD",
    "CertField",
    "CertificateBodyField",
    "ContentInfo",
    "CscaMasterList",
    "CscaMasterListVersion",
    "DataGroupHash",
    "DataGroupNumber",
    "Datagroup",
    "Deviation",
    "DeviationDescription",
    "DeviationDocuments",
    "DeviationList",
    "DeviationListVersion",
    "DocumentSignerIdentifier",
    "DocumentType",
    "DocumentTypeListSyntax",
    "DocumentTypeListVersion",
    "IssuancePeriod",
    "LDSSecurityObject",
    "LDSSecurityObjectVersion",
    "LDSVersionInfo",
    "MRZField",
    "id_icao_csca_master_list",
    "id_icao_csca_master_list_signing_key",
    "id_icao_deviation_list",
    "id_icao_deviation_list_signing_key",
    "id_icao_lds_security_object",
    "id_icao_mrtd_security_extensions_document_type_list",
    "id_icao_mrtd_security_extensions_name_change",
]

UB_DATA_GROUPS = 16


class LDSSecurityObjectVersion(NamedInteger):
    """The version of `LDSSecurityObject` (Doc 9303 Part 10, section 4.6.2.3).

    ::

        LDSSecurityObjectVersion ::= INTEGER { v0(0), v1(1) }
    """

    v0 = 0
    v1 = 1


class DataGroupNumber(NamedInteger):
    """The number of a file with data of the passport (Doc 9303 Part 10, section 4.6.2.3).

    ::

        DataGroupNumber ::= INTEGER { dataGroup1(1), ..., dataGroup16(16) }
    """

    data_group1 = 1
    data_group2 = 2
    data_group3 = 3
    data_group4 = 4
    data_group5 = 5
    data_group6 = 6
    data_group7 = 7
    data_group8 = 8
    data_group9 = 9
    data_group10 = 10
    data_group11 = 11
    data_group12 = 12
    data_group13 = 13
    data_group14 = 14
    data_group15 = 15
    data_group16 = 16


class DataGroupHash(Sequence):
    """The hash of a file with data (Doc 9303 Part 10, section 4.6.2.3).

    ::

        DataGroupHash ::= SEQUENCE {
            dataGroupNumber      DataGroupNumber,
            dataGroupHashValue   OCTET STRING }
    """

    data_group_number: DataGroupNumber
    data_group_hash_value: OctetString


class LDSVersionInfo(Sequence):
    """The versions of the data structure and of Unicode (Doc 9303 Part 10, section 4.6.2.3).

    ::

        LDSVersionInfo ::= SEQUENCE {
            ldsVersion       PrintableString,
            unicodeVersion   PrintableString }
    """

    lds_version: PrintableString
    unicode_version: PrintableString


class LDSSecurityObject(Sequence):
    """The hashes of all data of a passport: the content of EF.SOD (Doc 9303 Part 10, section 4.6.2.3).

    ::

        LDSSecurityObject ::= SEQUENCE {
            version               LDSSecurityObjectVersion,
            hashAlgorithm         DigestAlgorithmIdentifier,   -- AlgorithmIdentifier
            dataGroupHashValues   SEQUENCE SIZE (2..ub-DataGroups) OF DataGroupHash,
            ldsVersionInfo        LDSVersionInfo OPTIONAL }    -- If present, version MUST be v1
    """

    version: LDSSecurityObjectVersion
    hash_algorithm: AlgorithmIdentifier
    data_group_hash_values: Annotated[SequenceOf[DataGroupHash], Size(2, UB_DATA_GROUPS)]
    lds_version_info: LDSVersionInfo | None = None

    def hash_of(self, data_group: int) -> bytes | None:
        """Return the hash of the file with this number, from 1 to 16, or None."""
        for each in self.data_group_hash_values:
            if each.data_group_number == data_group:
                return each.data_group_hash_value
        return None


class EF_SOD(ContentInfo, tag=Explicit(23, "application")):
    """The file EF.SOD: a SignedData in the template with the tag 77 (Doc 9303 Part 10, sections 4.6.2 and 4.7).

    ::

        EF.SOD ::= [APPLICATION 23] EXPLICIT ContentInfo   -- a name of derlib; Doc 9303 has a table

    The content that is signed is an `LDSSecurityObject`.
    """


class CscaMasterListVersion(NamedInteger):
    """The version of `CscaMasterList` (Doc 9303 Part 12, section 9).

    ::

        CscaMasterListVersion ::= INTEGER { v0(0) }
    """

    v0 = 0


class CscaMasterList(Sequence):
    """Certificates of the authorities that sign passports (Doc 9303 Part 12, section 9).

    ::

        CscaMasterList ::= SEQUENCE {
            version    CscaMasterListVersion,
            certList   SET OF Certificate }
    """

    version: CscaMasterListVersion
    cert_list: SetOf[Certificate]


class DocumentTypeListVersion(NamedInteger):
    """The version of `DocumentTypeListSyntax` (Doc 9303 Part 12, section 7.1.1.6).

    ::

        DocumentTypeListVersion ::= INTEGER { v0(0) }
    """

    v0 = 0


# PrintableString (SIZE (1..2)), such as "P" or "ID". One letter means all types that begin with it.
DocumentType: TypeAlias = Annotated[PrintableString, Size(1, 2)]


class DocumentTypeListSyntax(Sequence):
    """The types of documents that a certificate is for (Doc 9303 Part 12, section 7.1.1.6).

    ::

        DocumentTypeListSyntax ::= SEQUENCE {
            version       DocumentTypeListVersion,
            docTypeList   SET OF DocumentType }
    """

    version: DocumentTypeListVersion
    doc_type_list: SetOf[DocumentType]


# Their names are known without this module.
id_icao_lds_security_object = ObjectIdentifier("2.23.136.1.1.1")
id_icao_csca_master_list = ObjectIdentifier("2.23.136.1.1.2")
id_icao_csca_master_list_signing_key = ObjectIdentifier("2.23.136.1.1.3")
id_icao_mrtd_security_extensions_name_change = known_extension(
    "2.23.136.1.1.6.1", "id-icao-mrtd-security-extensions-nameChange", Null, on_mismatch="opaque"
)
id_icao_mrtd_security_extensions_document_type_list = known_extension(
    "2.23.136.1.1.6.2",
    "id-icao-mrtd-security-extensions-documentTypeList",
    DocumentTypeListSyntax,
    on_mismatch="opaque",
)
