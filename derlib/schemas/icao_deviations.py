"""Lists of passports with known defects: ICAO Doc 9303 Part 12, section 10, and Part 3, section 7.

Import `derlib.schemas.icao`, which has the classes, too. A deviation list is the content of a `SignedData`. The module
of Doc 9303 has implicit tags.

>>> id_deviation_lds_dg_hash_wrong.name
'id-Deviation-LDS-DGHashWrong'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Sequence,
    SetOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms_certificates import IssuerAndSerialNumber
from derlib.schemas.extensions import SubjectKeyIdentifier

_COMPILE_AT_FIRST_USE = True

# The syntax of the parameters, by the type of the deviation.
DEVIATIONS = OpenTypes("DEVIATIONS")

Digest: TypeAlias = OctetString


class DeviationListVersion(NamedInteger):
    """The version of the syntax (Doc 9303 Part 12, section 10.2).

    ::

        DeviationListVersion ::= INTEGER {v0(0)}
    """

    v0 = 0


class CertificateBodyField(NamedInteger):
    """A field of a certificate (Doc 9303 Part 12, section 10.2).

    ::

        CertificateBodyField ::= INTEGER {
            generic(0), version(1), serialNumber(2), signature(3), issuer(4), validity(5), subject(6),
            subjectPublicKeyInfo(7), issuerUniqueID(8), subjectUniqueID(9) }
    """

    generic = 0
    version = 1
    serial_number = 2
    signature = 3
    issuer = 4
    validity = 5
    subject = 6
    subject_public_key_info = 7
    issuer_unique_id = 8
    subject_unique_id = 9


class CertField(Choice):
    """The part of a certificate that is wrong (Doc 9303 Part 12, section 10.2).

    ::

        CertField ::= CHOICE {
            body        CertificateBodyField,
            extension   OBJECT IDENTIFIER }
    """

    body: CertificateBodyField
    extension: ObjectIdentifier


class Datagroup(NamedInteger):
    """The file of the chip that is wrong (Doc 9303 Part 12, section 10.2).

    ::

        Datagroup ::= INTEGER {
            dg1(1), dg2(2), dg3(3), dg4(4), dg5(5), dg6(6), dg7(7), dg8(8), dg9(9), dg10(10), dg11(11), dg12(12),
            dg13(13), dg14(14), dg15(15), dg16(16), sod(20), com(21) }
    """

    dg1 = 1
    dg2 = 2
    dg3 = 3
    dg4 = 4
    dg5 = 5
    dg6 = 6
    dg7 = 7
    dg8 = 8
    dg9 = 9
    dg10 = 10
    dg11 = 11
    dg12 = 12
    dg13 = 13
    dg14 = 14
    dg15 = 15
    dg16 = 16
    sod = 20
    com = 21


class MRZField(NamedInteger):
    """The field of the machine-readable zone that is wrong (Doc 9303 Part 12, section 10.2).

    ::

        MRZField ::= INTEGER {
            generic(0), documentCode(1), issuingState(2), personName(3), documentNumber(4), nationality(5),
            dateOfBirth(6), sex(7), dateOfExpiry(8), optionalData(9) }
    """

    generic = 0
    document_code = 1
    issuing_state = 2
    person_name = 3
    document_number = 4
    nationality = 5
    date_of_birth = 6
    sex = 7
    date_of_expiry = 8
    optional_data = 9


class IssuancePeriod(Sequence):
    """When the documents were issued (Doc 9303 Part 12, section 10.2).

    ::

        IssuancePeriod ::= SEQUENCE {
            firstIssued   GeneralizedTime,
            lastIssued    GeneralizedTime }
    """

    first_issued: GeneralizedTime
    last_issued: GeneralizedTime


class DocumentSignerIdentifier(Choice):
    """The certificate that signed the documents (Doc 9303 Part 12, section 10.2).

    ::

        DocumentSignerIdentifier ::= CHOICE {
            issuerAndSerialNumber   [1] IssuerAndSerialNumber,
            subjectKeyIdentifier    [2] SubjectKeyIdentifier,
            certificateDigest       [3] Digest }                 -- OCTET STRING
    """

    issuer_and_serial_number: Annotated[IssuerAndSerialNumber, Implicit(1)]
    subject_key_identifier: Annotated[SubjectKeyIdentifier, Implicit(2)]
    certificate_digest: Annotated[Digest, Implicit(3)]


class DeviationDocuments(Sequence):
    """The documents with the deviation: those to which every field applies (Doc 9303 Part 12, section 10.2).

    ::

        DeviationDocuments ::= SEQUENCE {
            documentType      [0] PrintableString (SIZE(2)) OPTIONAL,
            dscIdentifier     DocumentSignerIdentifier OPTIONAL,
            issuingDate       [4] IssuancePeriod OPTIONAL,
            documentNumbers   [5] SET OF PrintableString OPTIONAL }

    The code of most passports is ``P<``, which is not a PrintableString. To read it, tolerate
    `derlib.Deviation.STRING_ALPHABET`.
    """

    document_type: Annotated[PrintableString, Size(2), Implicit(0)] | None = None
    dsc_identifier: DocumentSignerIdentifier | None = None
    issuing_date: Annotated[IssuancePeriod, Implicit(4)] | None = None
    document_numbers: Annotated[SetOf[PrintableString], Implicit(5)] | None = None


class DeviationDescription(Sequence):
    """A deviation from Doc 9303, with parameters that its type defines (Doc 9303 Part 12, section 10.2).

    ::

        DeviationDescription ::= SEQUENCE {
            description     PrintableString OPTIONAL,
            deviationType   OBJECT IDENTIFIER,
            parameters      [0] ANY DEFINED BY deviationType OPTIONAL,
            nationalUse     [1] ANY OPTIONAL }
    """

    description: PrintableString | None = None
    deviation_type: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("deviation_type", DEVIATIONS), Explicit(0)] | None = None
    national_use: Annotated[Any, Explicit(1)] | None = None


class Deviation(Sequence):
    """Documents and their deviations (Doc 9303 Part 12, section 10.2).

    ::

        Deviation ::= SEQUENCE {
            documents      DeviationDocuments,
            descriptions   SET OF DeviationDescription }
    """

    documents: DeviationDocuments
    descriptions: SetOf[DeviationDescription]


class DeviationList(Sequence):
    """Travel documents that deviate from Doc 9303 (Doc 9303 Part 12, section 10.2).

    ::

        DeviationList ::= SEQUENCE {
            version           DeviationListVersion,
            digestAlgorithm   AlgorithmIdentifier OPTIONAL,
            deviations        SET OF Deviation }

    The field `deviations` is `deviations_` here, because `deviations` of every value lists what `decode` tolerated.
    """

    version: DeviationListVersion
    digest_algorithm: AlgorithmIdentifier | None = None
    deviations_: SetOf[Deviation]


def _known(numbers: str, name: str, parameters: Any = None) -> ObjectIdentifier:
    oid = ObjectIdentifier(f"2.23.136.1.1.7{numbers}")
    register_known({oid.dotted: name})
    if parameters is not None:
        DEVIATIONS.register(oid, parameters)
    return oid


# Doc 9303 Part 12, section 10.2. The types of the parameters are in the table of Part 3, section 7.3.5.
id_icao_deviation_list = _known("", "id-icao-DeviationList")
id_icao_deviation_list_signing_key = ObjectIdentifier("2.23.136.1.1.8")
register_known({id_icao_deviation_list_signing_key.dotted: "id-icao-DeviationListSigningKey"})
id_deviation_cert_or_key = _known(".1", "id-Deviation-CertOrKey")
id_deviation_cert_or_key_ds_signature = _known(".1.1", "id-Deviation-CertOrKey-DSSignature")
id_deviation_cert_or_key_ds_encoding = _known(".1.2", "id-Deviation-CertOrKey-DSEncoding", CertField)
id_deviation_cert_or_key_csca_encoding = _known(".1.3", "id-Deviation-CertOrKey-CSCAEncoding", CertField)
id_deviation_cert_or_key_aa_key_compromised = _known(".1.4", "id-Deviation-CertOrKey-AAKeyCompromised")
id_deviation_lds = _known(".2", "id-Deviation-LDS")
id_deviation_lds_dg_malformed = _known(".2.1", "id-Deviation-LDS-DGMalformed", Datagroup)
id_deviation_lds_dg_hash_wrong = _known(".2.2", "id-Deviation-LDS-DGHashWrong", Datagroup)
id_deviation_lds_sod_signature_wrong = _known(".2.3", "id-Deviation-LDS-SODSignatureWrong")
id_deviation_lds_com_inconsistent = _known(".2.4", "id-Deviation-LDS-COMInconsistent")
id_deviation_mrz = _known(".3", "id-Deviation-MRZ")
id_deviation_mrz_wrong_data = _known(".3.1", "id-Deviation-MRZ-WrongData", MRZField)
id_deviation_mrz_wrong_check_digit = _known(".3.2", "id-Deviation-MRZ-WrongCheckDigit", MRZField)
id_deviation_chip = _known(".4", "id-Deviation-Chip")
id_deviation_national_use = _known(".5", "id-Deviation-NationalUse")
