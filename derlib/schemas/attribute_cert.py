"""Attribute certificates: RFC 5755, and the older version 1, which RFC 5652 keeps for CMS.

Used by `derlib.schemas.cms`. The syntax of version 2 is from RFC 5755 Appendix B, a module with implicit tags; that of
version 1 is from RFC 5652 section 12.2, a module with explicit tags. The attributes are generic: `ATTRIBUTES` of
`derlib.schemas.attributes` has their types, of which `derlib.schemas.attribute_cert_values` defines those of RFC 5755.

>>> import derlib
>>> derlib.decode(AttCertVersion, bytes.fromhex("020101"))
<AttCertVersion.v2: 1>
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from derlib import (
    BitString,
    Choice,
    Enumerated,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    Sequence,
    SequenceOf,
)
from derlib._signing import signature_of
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Attribute
from derlib.schemas.extensions import CertificateSerialNumber
from derlib.schemas.general import GeneralNames
from derlib.schemas.x509 import Extensions, UniqueIdentifier

_COMPILE_AT_FIRST_USE = True


class AttCertVersion(NamedInteger):
    """The version of an attribute certificate (RFC 5755 section 4.1).

    ::

        AttCertVersion ::= INTEGER { v2(1) }
    """

    v2 = 1


class IssuerSerial(Sequence):
    """A certificate, by its issuer and serial number (RFC 5755 section 4.1).

    ::

        IssuerSerial ::= SEQUENCE {
            issuer      GeneralNames,
            serial      CertificateSerialNumber,
            issuerUID   UniqueIdentifier OPTIONAL }
    """

    issuer: GeneralNames
    serial: CertificateSerialNumber
    issuer_uid: UniqueIdentifier | None = None


class DigestedObjectType(Enumerated):
    """The kind of object that was hashed (RFC 5755 section 4.1, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            publicKey          (0),
            publicKeyCert      (1),
            otherObjectTypes   (2) }
    """

    public_key = 0
    public_key_cert = 1
    other_object_types = 2


class ObjectDigestInfo(Sequence):
    """The hash of a key, a certificate or another object (RFC 5755 section 4.1).

    ::

        ObjectDigestInfo ::= SEQUENCE {
            digestedObjectType   ENUMERATED {
                publicKey          (0),
                publicKeyCert      (1),
                otherObjectTypes   (2) },
            otherObjectTypeID    OBJECT IDENTIFIER OPTIONAL,
            digestAlgorithm      AlgorithmIdentifier,
            objectDigest         BIT STRING }
    """

    digested_object_type: DigestedObjectType
    other_object_type_id: ObjectIdentifier | None = None
    digest_algorithm: AlgorithmIdentifier
    object_digest: BitString


class Holder(Sequence):
    """The holder of the attributes; one of the fields should be present (RFC 5755 section 4.1).

    ::

        Holder ::= SEQUENCE {
            baseCertificateID   [0] IssuerSerial OPTIONAL,
            entityName          [1] GeneralNames OPTIONAL,
            objectDigestInfo    [2] ObjectDigestInfo OPTIONAL }
    """

    base_certificate_id: Annotated[IssuerSerial, Implicit(0)] | None = None
    entity_name: Annotated[GeneralNames, Implicit(1)] | None = None
    object_digest_info: Annotated[ObjectDigestInfo, Implicit(2)] | None = None


class V2Form(Sequence):
    """The issuer of an attribute certificate of version 2 (RFC 5755 section 4.1).

    ::

        V2Form ::= SEQUENCE {
            issuerName          GeneralNames OPTIONAL,
            baseCertificateID   [0] IssuerSerial OPTIONAL,
            objectDigestInfo    [1] ObjectDigestInfo OPTIONAL }
    """

    issuer_name: GeneralNames | None = None
    base_certificate_id: Annotated[IssuerSerial, Implicit(0)] | None = None
    object_digest_info: Annotated[ObjectDigestInfo, Implicit(1)] | None = None


class AttCertIssuer(Choice):
    """The issuer of an attribute certificate (RFC 5755 section 4.1).

    ::

        AttCertIssuer ::= CHOICE {
            v1Form   GeneralNames,   -- MUST NOT be used in this profile
            v2Form   [0] V2Form }    -- v2 only
    """

    v1_form: GeneralNames
    v2_form: Annotated[V2Form, Implicit(0)]


class AttCertValidityPeriod(Sequence):
    """The validity period of an attribute certificate (RFC 5755 section 4.1).

    ::

        AttCertValidityPeriod ::= SEQUENCE {
            notBeforeTime   GeneralizedTime,
            notAfterTime    GeneralizedTime }
    """

    not_before_time: GeneralizedTime
    not_after_time: GeneralizedTime


class AttributeCertificateInfo(Sequence):
    """The part of an attribute certificate that is signed (RFC 5755 section 4.1).

    ::

        AttributeCertificateInfo ::= SEQUENCE {
            version                  AttCertVersion,   -- version is v2
            holder                   Holder,
            issuer                   AttCertIssuer,
            signature                AlgorithmIdentifier,
            serialNumber             CertificateSerialNumber,
            attrCertValidityPeriod   AttCertValidityPeriod,
            attributes               SEQUENCE OF Attribute,
            issuerUniqueID           UniqueIdentifier OPTIONAL,
            extensions               Extensions OPTIONAL }
    """

    version: AttCertVersion
    holder: Holder
    issuer: AttCertIssuer
    signature: AlgorithmIdentifier
    serial_number: CertificateSerialNumber
    attr_cert_validity_period: AttCertValidityPeriod
    attributes: SequenceOf[Attribute]
    issuer_unique_id: UniqueIdentifier | None = None
    extensions: Extensions | None = None


class AttributeCertificate(Sequence, ber="keep"):
    """An attribute certificate of version 2 (RFC 5755 section 4.1).

    ::

        AttributeCertificate ::= SEQUENCE {
            acinfo               AttributeCertificateInfo,
            signatureAlgorithm   AlgorithmIdentifier,
            signatureValue       BIT STRING }
    """

    acinfo: AttributeCertificateInfo
    signature_algorithm: AlgorithmIdentifier
    signature_value: BitString

    @classmethod
    def signed(cls, acinfo: AttributeCertificateInfo, sign: Callable[[bytes], bytes]) -> AttributeCertificate:
        """Return the attribute certificate with its signature, whose algorithm is ``acinfo.signature``.

        Args:
            acinfo: the part to sign.
            sign: a function that takes the bytes to sign and returns the signature, as for `Certificate.signed`.

        Raises:
            TypeError: `acinfo` is not an `AttributeCertificateInfo`, or `sign` does not return bytes.

        docs/build-and-sign.md has an example.
        """
        signature = signature_of(acinfo, AttributeCertificateInfo, sign)
        return cls(acinfo=acinfo, signature_algorithm=acinfo.signature, signature_value=signature)


class AttCertVersionV1(NamedInteger):
    """The version of an attribute certificate of version 1 (RFC 5652 section 12.2).

    ::

        AttCertVersionV1 ::= INTEGER { v1(0) }
    """

    v1 = 0


class AttributeCertificateSubjectV1(Choice):
    """The holder of the attributes (RFC 5652 section 12.2, where the CHOICE has no name).

    ::

        CHOICE {
            baseCertificateID   [0] IssuerSerial,
            subjectName         [1] GeneralNames }
    """

    base_certificate_id: Annotated[IssuerSerial, Explicit(0)]
    subject_name: Annotated[GeneralNames, Explicit(1)]


class AttributeCertificateInfoV1(Sequence):
    """The part of an attribute certificate of version 1 that is signed (RFC 5652 section 12.2).

    ::

        AttributeCertificateInfoV1 ::= SEQUENCE {
            version                 AttCertVersionV1 DEFAULT v1,
            subject                 CHOICE {
                baseCertificateID   [0] IssuerSerial,
                subjectName         [1] GeneralNames },
            issuer                  GeneralNames,
            signature               AlgorithmIdentifier,
            serialNumber            CertificateSerialNumber,
            attCertValidityPeriod   AttCertValidityPeriod,
            attributes              SEQUENCE OF Attribute,
            issuerUniqueID          UniqueIdentifier OPTIONAL,
            extensions              Extensions OPTIONAL }
    """

    version: AttCertVersionV1 = AttCertVersionV1.v1
    subject: AttributeCertificateSubjectV1
    issuer: GeneralNames
    signature: AlgorithmIdentifier
    serial_number: CertificateSerialNumber
    att_cert_validity_period: AttCertValidityPeriod
    attributes: SequenceOf[Attribute]
    issuer_unique_id: UniqueIdentifier | None = None
    extensions: Extensions | None = None


class AttributeCertificateV1(Sequence, ber="keep"):
    """An attribute certificate of version 1, which is obsolete (RFC 5652 sections 10.2.2 and 12.2).

    ::

        AttributeCertificateV1 ::= SEQUENCE {
            acInfo               AttributeCertificateInfoV1,
            signatureAlgorithm   AlgorithmIdentifier,
            signature            BIT STRING }
    """

    ac_info: AttributeCertificateInfoV1
    signature_algorithm: AlgorithmIdentifier
    signature: BitString
