"""X.509 (10/2016): what it defines beyond RFC 5280 and RFC 5755, with the alternative keys of X.509 (10/2019).

Import this module so that these extensions of certificates and CRLs read as their types. It also has certification
paths, such as `PkiPath`, and the assertions by which a directory searches for certificates and CRLs.

    >>> from derlib import ObjectIdentifier
    >>> from derlib.schemas.x509 import Extension
    >>> extension = Extension(extn_id=ObjectIdentifier("2.5.29.47"), extn_value="asc_rev_date")
    >>> Extension.decode(extension.encode()).extn_value
    <OrderedListSyntax.asc_rev_date: 1>
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    BitString,
    Choice,
    Enumerated,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    Null,
    ObjectIdentifier,
    Present,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    WithComponents,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.crl_extensions import CRLNumber, CRLReason
from derlib.schemas.extensions import (
    CertificateSerialNumber,
    DistributionPointName,
    NameConstraints,
    ReasonFlags,
    known_extension,
)
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.x509 import Certificate
from derlib.schemas.x509_2016_matching import (
    AltNameType,
    BuiltinNameForm,
    CertificateAssertion,
    CertificateExactAssertion,
    CertificateListAssertion,
    CertificateListExactAssertion,
    CertificatePairAssertion,
    CertificatePairAssertionBase,
    CertificatePairExactAssertion,
    CertificatePairExactAssertionBase,
    CertPolicySet,
    PkiPathMatchSyntax,
)

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AAIssuingDistPointSyntax",
    "AltNameType",
    "BaseRevocationInfo",
    "BasicAttConstraintsSyntax",
    "BuiltinNameForm",
    "CRLReferral",
    "CRLScopeSyntax",
    "CRLStreamIdentifier",
    "CertPolicySet",
    "CertificateAssertion",
    "CertificateExactAssertion",
    "CertificateGroup",
    "CertificateGroupNumberRange",
    "CertificateListAssertion",
    "CertificateListExactAssertion",
    "CertificatePair",
    "CertificatePairAssertion",
    "CertificatePairAssertionBase",
    "CertificatePairBase",
    "CertificatePairExactAssertion",
    "CertificatePairExactAssertionBase",
    "CertificateSerialNumbers",
    "Certificates",
    "CertificationPath",
    "CrossCertificates",
    "DeltaInformation",
    "DeltaRefInfo",
    "ForwardCertificationPath",
    "HoldInstruction",
    "NumberRange",
    "OnlyCertificateTypes",
    "OrderedListSyntax",
    "OtherReferral",
    "PerAuthorityScope",
    "PkiPath",
    "PkiPathMatchSyntax",
    "ReasonInfo",
    "RevokedCertificateGroup",
    "RevokedGroup",
    "RevokedGroupsSyntax",
    "RoleSpecCertIdentifier",
    "RoleSpecCertIdentifierSyntax",
    "StatusReferral",
    "StatusReferrals",
    "SubjectAltPublicKeyInfo",
    "ToBeRevokedGroup",
    "ToBeRevokedSyntax",
    "id_ce_aa_issuing_distribution_point",
    "id_ce_acceptable_cert_policies",
    "id_ce_alt_signature_algorithm",
    "id_ce_alt_signature_value",
    "id_ce_base_update_time",
    "id_ce_basic_att_constraints",
    "id_ce_crl_scope",
    "id_ce_crl_stream_identifier",
    "id_ce_delegated_name_constraints",
    "id_ce_delta_info",
    "id_ce_group_ac",
    "id_ce_indirect_issuer",
    "id_ce_issued_on_behalf_of",
    "id_ce_ordered_list",
    "id_ce_revoked_groups",
    "id_ce_role_spec_cert_identifier",
    "id_ce_single_use",
    "id_ce_soa_identifier",
    "id_ce_status_referrals",
    "id_ce_subject_alt_public_key_info",
    "id_ce_to_be_revoked",
]


class CertificatePairBase(Sequence, extensible=True):
    """Two certification authorities that certify each other (X.509, AuthenticationFramework)."""

    issued_to_this_ca: Annotated[Certificate, Explicit(0)] | None = None
    issued_by_this_ca: Annotated[Certificate, Explicit(1)] | None = None


CertificatePair: TypeAlias = Annotated[
    CertificatePairBase, WithComponents(issued_to_this_ca=Present) | WithComponents(issued_by_this_ca=Present)
]


class CrossCertificates(SetOf[Certificate], size=Size(1, None)):
    """The certificates that other authorities issued to one (X.509, AuthenticationFramework).

    ::

        CrossCertificates ::= SET SIZE (1..MAX) OF Certificate
    """


class ForwardCertificationPath(SequenceOf[CrossCertificates], size=Size(1, None)):
    """A path from a certificate to a trust anchor (X.509, AuthenticationFramework).

    ::

        ForwardCertificationPath ::= SEQUENCE SIZE (1..MAX) OF CrossCertificates
    """


class Certificates(Sequence, extensible=True):
    """A certificate with its path (X.509, AuthenticationFramework).

    ::

        Certificates ::= SEQUENCE {
          userCertificate    Certificate,
          certificationPath  ForwardCertificationPath OPTIONAL,
          ... }
    """

    user_certificate: Certificate
    certification_path: ForwardCertificationPath | None = None


class CertificationPath(Sequence, extensible=True):
    """A certificate with pairs of certificates on its path (X.509, AuthenticationFramework).

    ::

        CertificationPath ::= SEQUENCE {
          userCertificate    Certificate,
          theCACertificates  SEQUENCE SIZE (1..MAX) OF CertificatePair OPTIONAL,
          ... }
    """

    user_certificate: Certificate
    the_ca_certificates: Annotated[SequenceOf[CertificatePair], Size(1, None)] | None = None


class PkiPath(SequenceOf[Certificate], size=Size(1, None)):
    """A path: each certificate is signed with the key of the one before (X.509, AuthenticationFramework).

    ::

        PkiPath ::= SEQUENCE SIZE (1..MAX) OF Certificate
    """


HoldInstruction: TypeAlias = ObjectIdentifier
CRLStreamIdentifier: TypeAlias = Annotated[int, Range(0, None)]


class NumberRange(Sequence, extensible=True):
    """A range of numbers, with a modulus if they are those of one of several parts (X.509, CertificateExtensions).

    ::

        NumberRange ::= SEQUENCE {
          startingNumber  [0]  INTEGER OPTIONAL,
          endingNumber    [1]  INTEGER OPTIONAL,
          modulus              INTEGER OPTIONAL,
          ... }
    """

    starting_number: Annotated[int, Implicit(0)] | None = None
    ending_number: Annotated[int, Implicit(1)] | None = None
    modulus: int | None = None


class OnlyCertificateTypes(NamedBits):
    """The types of certificates that a CRL is for (X.509, CertificateExtensions).

    ::

        OnlyCertificateTypes ::= BIT STRING {
          user       (0),
          authority  (1),
          attribute  (2) }
    """

    user = 1 << 0
    authority = 1 << 1
    attribute = 1 << 2


class BaseRevocationInfo(Sequence, extensible=True):
    """The CRL that a delta CRL belongs to (X.509, CertificateExtensions).

    ::

        BaseRevocationInfo ::= SEQUENCE {
          cRLStreamIdentifier  [0]  CRLStreamIdentifier OPTIONAL,
          cRLNumber            [1]  CRLNumber,
          baseThisUpdate       [2]  GeneralizedTime,
          ... }
    """

    crl_stream_identifier: Annotated[CRLStreamIdentifier, Implicit(0)] | None = None
    crl_number: Annotated[CRLNumber, Implicit(1)]
    base_this_update: Annotated[GeneralizedTime, Implicit(2)]


class PerAuthorityScope(Sequence, extensible=True):
    """What a CRL is for, of one authority (X.509, CertificateExtensions).

    ::

        PerAuthorityScope ::= SEQUENCE {
          authorityName       [0]  GeneralName OPTIONAL,
          distributionPoint   [1]  DistributionPointName OPTIONAL,
          onlyContains        [2]  OnlyCertificateTypes OPTIONAL,
          onlySomeReasons     [4]  ReasonFlags OPTIONAL,
          serialNumberRange   [5]  NumberRange OPTIONAL,
          subjectKeyIdRange   [6]  NumberRange OPTIONAL,
          nameSubtrees        [7]  GeneralNames OPTIONAL,
          baseRevocationInfo  [9]  BaseRevocationInfo OPTIONAL,
          ... }
    """

    authority_name: Annotated[GeneralName, Explicit(0)] | None = None
    distribution_point: Annotated[DistributionPointName, Explicit(1)] | None = None
    only_contains: Annotated[OnlyCertificateTypes, Implicit(2)] | None = None
    only_some_reasons: Annotated[ReasonFlags, Implicit(4)] | None = None
    serial_number_range: Annotated[NumberRange, Implicit(5)] | None = None
    subject_key_id_range: Annotated[NumberRange, Implicit(6)] | None = None
    name_subtrees: Annotated[GeneralNames, Implicit(7)] | None = None
    base_revocation_info: Annotated[BaseRevocationInfo, Implicit(9)] | None = None


class CRLScopeSyntax(SequenceOf[PerAuthorityScope], size=Size(1, None)):
    """What a CRL is for (X.509, CertificateExtensions).

    ::

        CRLScopeSyntax ::= SEQUENCE SIZE (1..MAX) OF PerAuthorityScope
    """


class DeltaRefInfo(Sequence, extensible=True):
    """Where the delta CRL of a referral is (X.509, CertificateExtensions).

    ::

        DeltaRefInfo ::= SEQUENCE {
          deltaLocation  GeneralName,
          lastDelta      GeneralizedTime OPTIONAL,
          ... }
    """

    delta_location: GeneralName
    last_delta: GeneralizedTime | None = None


class CRLReferral(Sequence, extensible=True):
    """Where another CRL is (X.509, CertificateExtensions).

    ::

        CRLReferral ::= SEQUENCE {
          issuer          [0]  GeneralName OPTIONAL,
          location        [1]  GeneralName OPTIONAL,
          deltaRefInfo    [2]  DeltaRefInfo OPTIONAL,
          cRLScope             CRLScopeSyntax,
          lastUpdate      [3]  GeneralizedTime OPTIONAL,
          lastChangedCRL  [4]  GeneralizedTime OPTIONAL,
          ... }
    """

    issuer: Annotated[GeneralName, Explicit(0)] | None = None
    location: Annotated[GeneralName, Explicit(1)] | None = None
    delta_ref_info: Annotated[DeltaRefInfo, Implicit(2)] | None = None
    crl_scope: CRLScopeSyntax
    last_update: Annotated[GeneralizedTime, Implicit(3)] | None = None
    last_changed_crl: Annotated[GeneralizedTime, Implicit(4)] | None = None


class OtherReferral(Sequence):
    """Where other information about revocation is (X.509, CertificateExtensions)."""

    type_id: ObjectIdentifier
    value: Annotated[Any, Explicit(0)]


class StatusReferral(Choice, extensible=True):
    """Where information about revocation is (X.509, CertificateExtensions).

    ::

        StatusReferral ::= CHOICE {
          cRLReferral    [0]  CRLReferral,
          otherReferral  [1]  INSTANCE OF OTHER-REFERRAL,
          ... }
    """

    crl_referral: Annotated[CRLReferral, Implicit(0)]
    other_referral: Annotated[OtherReferral, Implicit(8, "universal"), Implicit(1)]


class StatusReferrals(SequenceOf[StatusReferral], size=Size(1, None)):
    """Where information about revocation is (X.509, CertificateExtensions).

    ::

        StatusReferrals ::= SEQUENCE SIZE (1..MAX) OF StatusReferral
    """


class OrderedListSyntax(Enumerated, extensible=True):
    """The order of the entries of a CRL (X.509, CertificateExtensions).

    ::

        OrderedListSyntax ::= ENUMERATED {
          ascSerialNum  (0),
          ascRevDate    (1),
          ... }
    """

    asc_serial_num = 0
    asc_rev_date = 1


class DeltaInformation(Sequence, extensible=True):
    """Where the delta CRL is, and when the next one comes (X.509, CertificateExtensions).

    ::

        DeltaInformation ::= SEQUENCE {
          deltaLocation  GeneralName,
          nextDelta      GeneralizedTime OPTIONAL,
          ... }
    """

    delta_location: GeneralName
    next_delta: GeneralizedTime | None = None


class ReasonInfo(Sequence, extensible=True):
    """The reason of a revocation (X.509, CertificateExtensions).

    ::

        ReasonInfo ::= SEQUENCE {
          reasonCode           CRLReason,
          holdInstructionCode  HoldInstruction OPTIONAL,
          ... }
    """

    reason_code: CRLReason
    hold_instruction_code: HoldInstruction | None = None


class CertificateSerialNumbers(SequenceOf[CertificateSerialNumber], size=Size(1, None)):
    """Serial numbers (X.509, CertificateExtensions).

    ::

        CertificateSerialNumbers ::= SEQUENCE SIZE (1..MAX) OF CertificateSerialNumber
    """


class CertificateGroupNumberRange(Sequence, extensible=True):
    """A range of serial numbers (X.509, CertificateExtensions).

    ::

        CertificateGroupNumberRange ::= SEQUENCE {
          startingNumber  [0]  INTEGER,
          endingNumber    [1]  INTEGER,
          ... }
    """

    starting_number: Annotated[int, Implicit(0)]
    ending_number: Annotated[int, Implicit(1)]


class CertificateGroup(Choice, extensible=True):
    """Certificates by their serial numbers or names (X.509, CertificateExtensions).

    ::

        CertificateGroup ::= CHOICE {
          serialNumbers      [0]  CertificateSerialNumbers,
          serialNumberRange  [1]  CertificateGroupNumberRange,
          nameSubtree        [2]  GeneralName,
          ... }
    """

    serial_numbers: Annotated[CertificateSerialNumbers, Implicit(0)]
    serial_number_range: Annotated[CertificateGroupNumberRange, Implicit(1)]
    name_subtree: Annotated[GeneralName, Explicit(2)]


class ToBeRevokedGroup(Sequence, extensible=True):
    """Certificates that are revoked later (X.509, CertificateExtensions).

    ::

        ToBeRevokedGroup ::= SEQUENCE {
          certificateIssuer  [0]  GeneralName OPTIONAL,
          reasonInfo         [1]  ReasonInfo OPTIONAL,
          revocationTime          GeneralizedTime,
          certificateGroup        CertificateGroup,
          ... }
    """

    certificate_issuer: Annotated[GeneralName, Explicit(0)] | None = None
    reason_info: Annotated[ReasonInfo, Implicit(1)] | None = None
    revocation_time: GeneralizedTime
    certificate_group: CertificateGroup


class ToBeRevokedSyntax(SequenceOf[ToBeRevokedGroup], size=Size(1, None)):
    """Certificates that are revoked later (X.509, CertificateExtensions).

    ::

        ToBeRevokedSyntax ::= SEQUENCE SIZE (1..MAX) OF ToBeRevokedGroup
    """


class RevokedCertificateGroup(Choice):
    """Revoked certificates by their serial numbers or names (X.509, CertificateExtensions).

    ::

        RevokedCertificateGroup ::= CHOICE {
          serialNumberRange  NumberRange,
          nameSubtree        GeneralName }
    """

    serial_number_range: NumberRange
    name_subtree: GeneralName


class RevokedGroup(Sequence, extensible=True):
    """Certificates that are revoked together (X.509, CertificateExtensions).

    ::

        RevokedGroup ::= SEQUENCE {
          certificateIssuer        [0]  GeneralName OPTIONAL,
          reasonInfo               [1]  ReasonInfo OPTIONAL,
          invalidityDate           [2]  GeneralizedTime OPTIONAL,
          revokedcertificateGroup  [3]  RevokedCertificateGroup,
          ... }
    """

    certificate_issuer: Annotated[GeneralName, Explicit(0)] | None = None
    reason_info: Annotated[ReasonInfo, Implicit(1)] | None = None
    invalidity_date: Annotated[GeneralizedTime, Implicit(2)] | None = None
    revokedcertificate_group: Annotated[RevokedCertificateGroup, Explicit(3)]


class RevokedGroupsSyntax(SequenceOf[RevokedGroup], size=Size(1, None)):
    """Certificates that are revoked together (X.509, CertificateExtensions).

    ::

        RevokedGroupsSyntax ::= SEQUENCE SIZE (1..MAX) OF RevokedGroup
    """


class AAIssuingDistPointSyntax(Sequence, extensible=True):
    """What an attribute certificate revocation list is for (X.509, CertificateExtensions).

    ::

        AAIssuingDistPointSyntax ::= SEQUENCE {
          distributionPoint           [0]  DistributionPointName OPTIONAL,
          onlySomeReasons             [1]  ReasonFlags OPTIONAL,
          indirectCRL                 [2]  BOOLEAN DEFAULT FALSE,
          containsUserAttributeCerts  [3]  BOOLEAN DEFAULT TRUE,
          containsAACerts             [4]  BOOLEAN DEFAULT TRUE,
          containsSOAPublicKeyCerts   [5]  BOOLEAN DEFAULT TRUE,
          ... }
    """

    distribution_point: Annotated[DistributionPointName, Explicit(0)] | None = None
    only_some_reasons: Annotated[ReasonFlags, Implicit(1)] | None = None
    indirect_crl: Annotated[bool, Implicit(2)] = False
    contains_user_attribute_certs: Annotated[bool, Implicit(3)] = True
    contains_aa_certs: Annotated[bool, Implicit(4)] = True
    contains_soa_public_key_certs: Annotated[bool, Implicit(5)] = True


class SubjectAltPublicKeyInfo(Sequence):
    """A second public key, of another algorithm (X.509 (2019), CertificateExtensions).

    ::

        SubjectAltPublicKeyInfo ::= SEQUENCE {
          algorithm            AlgorithmIdentifier,
          subjectAltPublicKey  BIT STRING }
    """

    algorithm: AlgorithmIdentifier
    subject_alt_public_key: BitString


class BasicAttConstraintsSyntax(Sequence, extensible=True):
    """Whether an attribute authority can delegate, and how far (X.509, AttributeCertificateDefinitions).

    ::

        BasicAttConstraintsSyntax ::= SEQUENCE {
          authority          BOOLEAN DEFAULT FALSE,
          pathLenConstraint  INTEGER (0..MAX) OPTIONAL,
          ... }
    """

    authority: bool = False
    path_len_constraint: Annotated[int, Range(0, None)] | None = None


class RoleSpecCertIdentifier(Sequence, extensible=True):
    """A certificate that defines a role (X.509, AttributeCertificateDefinitions).

    ::

        RoleSpecCertIdentifier ::= SEQUENCE {
          roleName              [0]  GeneralName,
          roleCertIssuer        [1]  GeneralName,
          roleCertSerialNumber  [2]  CertificateSerialNumber OPTIONAL,
          roleCertLocator       [3]  GeneralNames OPTIONAL,
          ... }
    """

    role_name: Annotated[GeneralName, Explicit(0)]
    role_cert_issuer: Annotated[GeneralName, Explicit(1)]
    role_cert_serial_number: Annotated[CertificateSerialNumber, Implicit(2)] | None = None
    role_cert_locator: Annotated[GeneralNames, Implicit(3)] | None = None


class RoleSpecCertIdentifierSyntax(SequenceOf[RoleSpecCertIdentifier], size=Size(1, None)):
    """The certificates that define a role (X.509, AttributeCertificateDefinitions).

    ::

        RoleSpecCertIdentifierSyntax ::= SEQUENCE SIZE (1..MAX) OF RoleSpecCertIdentifier
    """


id_ce_role_spec_cert_identifier = known_extension(
    "2.5.29.39", "id-ce-roleSpecCertIdentifier", RoleSpecCertIdentifierSyntax
)
id_ce_crl_stream_identifier = known_extension("2.5.29.40", "id-ce-cRLStreamIdentifier", CRLStreamIdentifier)
id_ce_basic_att_constraints = known_extension("2.5.29.41", "id-ce-basicAttConstraints", BasicAttConstraintsSyntax)
id_ce_delegated_name_constraints = known_extension("2.5.29.42", "id-ce-delegatedNameConstraints", NameConstraints)
id_ce_crl_scope = known_extension("2.5.29.44", "id-ce-cRLScope", CRLScopeSyntax)
id_ce_status_referrals = known_extension("2.5.29.45", "id-ce-statusReferrals", StatusReferrals)
id_ce_ordered_list = known_extension("2.5.29.47", "id-ce-orderedList", OrderedListSyntax)
id_ce_soa_identifier = known_extension("2.5.29.50", "id-ce-sOAIdentifier", Null)
id_ce_base_update_time = known_extension("2.5.29.51", "id-ce-baseUpdateTime", GeneralizedTime)
id_ce_acceptable_cert_policies = known_extension("2.5.29.52", "id-ce-acceptableCertPolicies", CertPolicySet)
id_ce_delta_info = known_extension("2.5.29.53", "id-ce-deltaInfo", DeltaInformation)
id_ce_to_be_revoked = known_extension("2.5.29.58", "id-ce-toBeRevoked", ToBeRevokedSyntax)
id_ce_revoked_groups = known_extension("2.5.29.59", "id-ce-RevokedGroups", RevokedGroupsSyntax)
id_ce_indirect_issuer = known_extension("2.5.29.61", "id-ce-indirectIssuer", Null)
id_ce_aa_issuing_distribution_point = known_extension(
    "2.5.29.63", "id-ce-aAissuingDistributionPoint", AAIssuingDistPointSyntax
)
id_ce_issued_on_behalf_of = known_extension("2.5.29.64", "id-ce-issuedOnBehalfOf", GeneralName)
id_ce_single_use = known_extension("2.5.29.65", "id-ce-singleUse", Null)
id_ce_group_ac = known_extension("2.5.29.66", "id-ce-groupAC", Null)
id_ce_subject_alt_public_key_info = known_extension(
    "2.5.29.72", "id-ce-subjectAltPublicKeyInfo", SubjectAltPublicKeyInfo
)
id_ce_alt_signature_algorithm = known_extension("2.5.29.73", "id-ce-altSignatureAlgorithm", AlgorithmIdentifier)
id_ce_alt_signature_value = known_extension("2.5.29.74", "id-ce-altSignatureValue", BitString)
