"""Assertions by which a directory searches for certificates and CRLs: X.509 (10/2016), CertificateExtensions.

Used by `derlib.schemas.x509_2016`. Tags are implicit.

>>> AltNameType(builtin_name_form="dns_name").encode().hex()
'0a0102'
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Choice,
    Enumerated,
    Explicit,
    GeneralizedTime,
    Implicit,
    ObjectIdentifier,
    Present,
    Sequence,
    SequenceOf,
    Size,
    WithComponents,
)
from derlib.schemas.crl_extensions import CRLNumber
from derlib.schemas.extensions import (
    AuthorityKeyIdentifier,
    CertificateSerialNumber,
    DistributionPointName,
    KeyUsage,
    NameConstraints,
    ReasonFlags,
    SubjectKeyIdentifier,
)
from derlib.schemas.policies import CertPolicyId
from derlib.schemas.x509 import Name, Time

_COMPILE_AT_FIRST_USE = True


class CertPolicySet(SequenceOf[CertPolicyId], size=Size(1, None)):
    """Certificate policies (X.509, CertificateExtensions).

    ::

        CertPolicySet ::= SEQUENCE SIZE (1..MAX) OF CertPolicyId
    """


class CertificateExactAssertion(Sequence, extensible=True):
    """Finds one certificate (X.509, CertificateExtensions).

    ::

        CertificateExactAssertion ::= SEQUENCE {
          serialNumber  CertificateSerialNumber,
          issuer        Name,
          ... }
    """

    serial_number: CertificateSerialNumber
    issuer: Name


class BuiltinNameForm(Enumerated, extensible=True):
    """An alternative of `GeneralName` (X.509, CertificateExtensions).

    ::

        BuiltinNameForm ::= ENUMERATED {
          rfc822Name                 (1),
          dNSName                    (2),
          x400Address                (3),
          directoryName              (4),
          ediPartyName               (5),
          uniformResourceIdentifier  (6),
          iPAddress                  (7),
          registeredId               (8),
          ... }
    """

    rfc822_name = 1
    dns_name = 2
    x400_address = 3
    directory_name = 4
    edi_party_name = 5
    uniform_resource_identifier = 6
    ip_address = 7
    registered_id = 8


class AltNameType(Choice, extensible=True):
    """A kind of name (X.509, CertificateExtensions).

    ::

        AltNameType ::= CHOICE {
          builtinNameForm  BuiltinNameForm,
          otherNameForm    OBJECT IDENTIFIER,
          ... }
    """

    builtin_name_form: BuiltinNameForm
    other_name_form: ObjectIdentifier


class CertificateAssertion(Sequence, extensible=True):
    """Finds certificates that have all of these values (X.509, CertificateExtensions).

    ::

        CertificateAssertion ::= SEQUENCE {
          serialNumber            [0]   CertificateSerialNumber OPTIONAL,
          issuer                  [1]   Name OPTIONAL,
          subjectKeyIdentifier    [2]   SubjectKeyIdentifier OPTIONAL,
          authorityKeyIdentifier  [3]   AuthorityKeyIdentifier OPTIONAL,
          certificateValid        [4]   Time OPTIONAL,
          privateKeyValid         [5]   GeneralizedTime OPTIONAL,
          subjectPublicKeyAlgID   [6]   OBJECT IDENTIFIER OPTIONAL,
          keyUsage                [7]   KeyUsage OPTIONAL,
          subjectAltName          [8]   AltNameType OPTIONAL,
          policy                  [9]   CertPolicySet OPTIONAL,
          pathToName              [10]  Name OPTIONAL,
          subject                 [11]  Name OPTIONAL,
          nameConstraints         [12]  NameConstraints OPTIONAL,
          ... }
    """

    serial_number: Annotated[CertificateSerialNumber, Implicit(0)] | None = None
    issuer: Annotated[Name, Explicit(1)] | None = None
    subject_key_identifier: Annotated[SubjectKeyIdentifier, Implicit(2)] | None = None
    authority_key_identifier: Annotated[AuthorityKeyIdentifier, Implicit(3)] | None = None
    certificate_valid: Annotated[Time, Explicit(4)] | None = None
    private_key_valid: Annotated[GeneralizedTime, Implicit(5)] | None = None
    subject_public_key_alg_id: Annotated[ObjectIdentifier, Implicit(6)] | None = None
    key_usage: Annotated[KeyUsage, Implicit(7)] | None = None
    subject_alt_name: Annotated[AltNameType, Explicit(8)] | None = None
    policy: Annotated[CertPolicySet, Implicit(9)] | None = None
    path_to_name: Annotated[Name, Explicit(10)] | None = None
    subject: Annotated[Name, Explicit(11)] | None = None
    name_constraints: Annotated[NameConstraints, Implicit(12)] | None = None


class CertificatePairExactAssertionBase(Sequence, extensible=True):
    """Finds one pair of certificates (X.509, CertificateExtensions)."""

    issued_to_this_ca_assertion: Annotated[CertificateExactAssertion, Implicit(0)] | None = None
    issued_by_this_ca_assertion: Annotated[CertificateExactAssertion, Implicit(1)] | None = None


CertificatePairExactAssertion: TypeAlias = Annotated[
    CertificatePairExactAssertionBase,
    WithComponents(issued_to_this_ca_assertion=Present) | WithComponents(issued_by_this_ca_assertion=Present),
]


class CertificatePairAssertionBase(Sequence, extensible=True):
    """Finds pairs of certificates (X.509, CertificateExtensions)."""

    issued_to_this_ca_assertion: Annotated[CertificateAssertion, Implicit(0)] | None = None
    issued_by_this_ca_assertion: Annotated[CertificateAssertion, Implicit(1)] | None = None


CertificatePairAssertion: TypeAlias = Annotated[
    CertificatePairAssertionBase,
    WithComponents(issued_to_this_ca_assertion=Present) | WithComponents(issued_by_this_ca_assertion=Present),
]


class CertificateListExactAssertion(Sequence):
    """Finds one CRL (X.509, CertificateExtensions).

    ::

        CertificateListExactAssertion ::= SEQUENCE {
          issuer             Name,
          thisUpdate         Time,
          distributionPoint  DistributionPointName OPTIONAL }
    """

    issuer: Name
    this_update: Time
    distribution_point: DistributionPointName | None = None


class CertificateListAssertion(Sequence, extensible=True):
    """Finds CRLs that have all of these values (X.509, CertificateExtensions).

    ::

        CertificateListAssertion ::= SEQUENCE {
          issuer                       Name OPTIONAL,
          minCRLNumber            [0]  CRLNumber OPTIONAL,
          maxCRLNumber            [1]  CRLNumber OPTIONAL,
          reasonFlags                  ReasonFlags OPTIONAL,
          dateAndTime                  Time OPTIONAL,
          distributionPoint       [2]  DistributionPointName OPTIONAL,
          authorityKeyIdentifier  [3]  AuthorityKeyIdentifier OPTIONAL,
          ... }
    """

    issuer: Name | None = None
    min_crl_number: Annotated[CRLNumber, Implicit(0)] | None = None
    max_crl_number: Annotated[CRLNumber, Implicit(1)] | None = None
    reason_flags: ReasonFlags | None = None
    date_and_time: Time | None = None
    distribution_point: Annotated[DistributionPointName, Explicit(2)] | None = None
    authority_key_identifier: Annotated[AuthorityKeyIdentifier, Implicit(3)] | None = None


class PkiPathMatchSyntax(Sequence, extensible=True):
    """Finds a path by its ends (X.509, CertificateExtensions).

    ::

        PkiPathMatchSyntax ::= SEQUENCE {
          firstIssuer  Name,
          lastSubject  Name,
          ... }
    """

    first_issuer: Name
    last_subject: Name
