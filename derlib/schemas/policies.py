"""Policies: the rules under which a certificate was issued, and statements of qualified certificates.

Used by `derlib.schemas.x509`, which imports this module to register the extensions. The syntax is from RFC 5280
Appendix A.2 (implicit tags) and, for qualified certificates, from RFC 3739, ETSI EN 319 412-5 and TS 119 495.

>>> policies = CertificatePolicies.decode(bytes.fromhex("300a3008060667810c010201"))
>>> policies[0].policy_identifier.dotted
'2.23.140.1.2.1'
"""

from __future__ import annotations

import functools
from typing import Annotated, Any, TypeAlias

from derlib import (
    BMPString,
    DefinedBy,
    IA5String,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
    VisibleString,
)
from derlib._register import named_oid, register_type
from derlib.schemas.attributes import CountryName
from derlib.schemas.extensions import SkipCerts, known_extension
from derlib.schemas.general import GeneralName

_COMPILE_AT_FIRST_USE = True

# The syntax of a qualifier, by policyQualifierId.
POLICY_QUALIFIERS = OpenTypes("POLICY_QUALIFIERS")

# The syntax of statementInfo, by statementId. Many countries and schemes define statements; those that are not listed
# here are opaque.
QC_STATEMENTS = OpenTypes("QC_STATEMENTS")

CertPolicyId: TypeAlias = ObjectIdentifier

# DisplayText ::= CHOICE {                                    -- section 4.2.1.4
#     ia5String       IA5String     (SIZE (1..200)),
#     visibleString   VisibleString (SIZE (1..200)),
#     bmpString       BMPString     (SIZE (1..200)),
#     utf8String      UTF8String    (SIZE (1..200)) }
# The section requires readers to handle longer texts gracefully, so the upper bound is not enforced.
DisplayText: TypeAlias = (
    Annotated[IA5String, Size(1, None)]
    | Annotated[VisibleString, Size(1, None)]
    | Annotated[BMPString, Size(1, None)]
    | Annotated[UTF8String, Size(1, None)]
)


class NoticeReference(Sequence):
    """A numbered text of an organization (RFC 5280 section 4.2.1.4).

    ::

        NoticeReference ::= SEQUENCE {
            organization    DisplayText,
            noticeNumbers   SEQUENCE OF INTEGER }
    """

    organization: DisplayText
    notice_numbers: SequenceOf[int]


class UserNotice(Sequence):
    """A text to show to users of the certificate (RFC 5280 section 4.2.1.4).

    ::

        UserNotice ::= SEQUENCE {
            noticeRef      NoticeReference OPTIONAL,
            explicitText   DisplayText OPTIONAL }
    """

    notice_ref: NoticeReference | None = None
    explicit_text: DisplayText | None = None


class PolicyQualifierInfo(Sequence):
    """Additional information about a policy (RFC 5280 section 4.2.1.4).

    ::

        PolicyQualifierInfo ::= SEQUENCE {
            policyQualifierId   PolicyQualifierId,                   -- OBJECT IDENTIFIER
            qualifier           ANY DEFINED BY policyQualifierId }
    """

    policy_qualifier_id: ObjectIdentifier
    qualifier: Annotated[Any, DefinedBy("policy_qualifier_id", POLICY_QUALIFIERS)]


class PolicyInformation(Sequence):
    """A policy with its qualifiers (RFC 5280 section 4.2.1.4).

    ::

        PolicyInformation ::= SEQUENCE {
            policyIdentifier   CertPolicyId,
            policyQualifiers   SEQUENCE SIZE (1..MAX) OF PolicyQualifierInfo OPTIONAL }
    """

    policy_identifier: CertPolicyId
    policy_qualifiers: Annotated[SequenceOf[PolicyQualifierInfo], Size(1, None)] | None = None


class CertificatePolicies(SequenceOf[PolicyInformation], size=Size(1, None)):
    """The policies of a certificate (RFC 5280 section 4.2.1.4).

    ::

        CertificatePolicies ::= SEQUENCE SIZE (1..MAX) OF PolicyInformation
    """


class PolicyMapping(Sequence):
    """Two equivalent policies, of the issuer's and of the subject's domain (RFC 5280 section 4.2.1.5).

    ::

        SEQUENCE {
            issuerDomainPolicy    CertPolicyId,
            subjectDomainPolicy   CertPolicyId }
    """

    issuer_domain_policy: CertPolicyId
    subject_domain_policy: CertPolicyId


class PolicyMappings(SequenceOf[PolicyMapping], size=Size(1, None)):
    """The equivalent policies of two domains (RFC 5280 section 4.2.1.5).

    ::

        PolicyMappings ::= SEQUENCE SIZE (1..MAX) OF SEQUENCE {
            issuerDomainPolicy    CertPolicyId,
            subjectDomainPolicy   CertPolicyId }
    """


class PolicyConstraints(Sequence):
    """The path lengths after which a policy is required, or mapping inhibited (RFC 5280 section 4.2.1.11).

    ::

        PolicyConstraints ::= SEQUENCE {
            requireExplicitPolicy   [0] SkipCerts OPTIONAL,
            inhibitPolicyMapping    [1] SkipCerts OPTIONAL }
    """

    require_explicit_policy: Annotated[SkipCerts, Implicit(0)] | None = None
    inhibit_policy_mapping: Annotated[SkipCerts, Implicit(1)] | None = None


class ProxyPolicy(Sequence):
    """The permissions of a proxy (RFC 3820 section 3.8).

    ::

        ProxyPolicy ::= SEQUENCE {
            policyLanguage   OBJECT IDENTIFIER,
            policy           OCTET STRING OPTIONAL }
    """

    policy_language: ObjectIdentifier
    policy: OctetString | None = None


class ProxyCertInfo(Sequence):
    """The extension of a proxy certificate: its permissions and the length of its path (RFC 3820 section 3.8).

    ::

        ProxyCertInfo ::= SEQUENCE {
            pCPathLenConstraint   INTEGER (0..MAX) OPTIONAL,
            proxyPolicy           ProxyPolicy }
    """

    pc_path_len_constraint: Annotated[int, Range(0, None)] | None = None
    proxy_policy: ProxyPolicy


class QCStatement(Sequence):
    """A statement about a qualified certificate (RFC 3739 section 3.2.6).

    ::

        QCStatement ::= SEQUENCE {
            statementId     OBJECT IDENTIFIER,
            statementInfo   ANY DEFINED BY statementId OPTIONAL }
    """

    statement_id: ObjectIdentifier
    statement_info: Annotated[Any, DefinedBy("statement_id", QC_STATEMENTS)] | None = None


class QCStatements(SequenceOf[QCStatement]):
    """The statements about a qualified certificate (RFC 3739 section 3.2.6).

    ::

        QCStatements ::= SEQUENCE OF QCStatement
    """


class SemanticsInformation(Sequence):
    """The meaning of the attributes in the name of the subject (RFC 3739 section 3.2.6.1).

    ::

        SemanticsInformation ::= SEQUENCE {
            semanticsIdentifier           OBJECT IDENTIFIER OPTIONAL,
            nameRegistrationAuthorities   SEQUENCE SIZE (1..MAX) OF GeneralName OPTIONAL }
    """

    semantics_identifier: ObjectIdentifier | None = None
    name_registration_authorities: Annotated[SequenceOf[GeneralName], Size(1, None)] | None = None


class MonetaryValue(Sequence):
    """A limit, amount * 10 ** exponent in the currency (ETSI EN 319 412-5 section 4.3.2).

    ::

        MonetaryValue ::= SEQUENCE {
            currency   Iso4217CurrencyCode,
            amount     INTEGER,
            exponent   INTEGER }
        Iso4217CurrencyCode ::= CHOICE {
            alphabetic   PrintableString (SIZE (3)),
            numeric      INTEGER (1..999) }
    """

    currency: Annotated[PrintableString, Size(3)] | Annotated[int, Range(1, 999)]
    amount: int
    exponent: int


class PdsLocation(Sequence):
    """The location of a disclosure statement, and its language (ETSI EN 319 412-5 section 4.3.4).

    ::

        PdsLocation ::= SEQUENCE {
            url        IA5String,
            language   PrintableString (SIZE (2)) }   -- ISO 639-1 language code
    """

    url: IA5String
    language: Annotated[PrintableString, Size(2)]


class RoleOfPSP(Sequence):
    """A role of a payment service provider (ETSI TS 119 495 Annex A).

    ::

        RoleOfPSP ::= SEQUENCE {
            roleOfPspOid    RoleOfPspOid,      -- OBJECT IDENTIFIER
            roleOfPspName   RoleOfPspName }    -- UTF8String (SIZE (1..256)), such as PSP_AS
    """

    role_of_psp_oid: ObjectIdentifier
    role_of_psp_name: Annotated[UTF8String, Size(1, 256)]


class PSD2QcType(Sequence):
    """The roles of a payment service provider, and the authority that authorised it (ETSI TS 119 495 Annex A).

    ::

        PSD2QcType ::= SEQUENCE {
            rolesOfPSP   RolesOfPSP,   -- SEQUENCE OF RoleOfPSP
            nCAName      NCAName,      -- UTF8String (SIZE (1..256))
            nCAId        NCAId }       -- UTF8String (SIZE (1..256))
    """

    roles_of_psp: SequenceOf[RoleOfPSP]
    nca_name: Annotated[UTF8String, Size(1, 256)]
    nca_id: Annotated[UTF8String, Size(1, 256)]


id_ce_certificate_policies = known_extension("2.5.29.32", "id-ce-certificatePolicies", CertificatePolicies)
id_ce_policy_mappings = known_extension("2.5.29.33", "id-ce-policyMappings", PolicyMappings)
id_ce_policy_constraints = known_extension("2.5.29.36", "id-ce-policyConstraints", PolicyConstraints)
id_pe_qc_statements = known_extension("1.3.6.1.5.5.7.1.3", "id-pe-qcStatements", QCStatements)
id_pe_proxy_cert_info = known_extension("1.3.6.1.5.5.7.1.14", "id-pe-proxyCertInfo", ProxyCertInfo)

id_qt_cps = register_type(POLICY_QUALIFIERS, "1.3.6.1.5.5.7.2.1", "id-qt-cps", IA5String)  # CPSuri
id_qt_unotice = register_type(POLICY_QUALIFIERS, "1.3.6.1.5.5.7.2.2", "id-qt-unotice", UserNotice)

_statement = functools.partial(register_type, QC_STATEMENTS)

# RFC 3739 section 3.2.6.1.
id_qcs_pkix_qc_syntax_v1 = _statement("1.3.6.1.5.5.7.11.1", "id-qcs-pkixQCSyntax-v1", SemanticsInformation)
id_qcs_pkix_qc_syntax_v2 = _statement("1.3.6.1.5.5.7.11.2", "id-qcs-pkixQCSyntax-v2", SemanticsInformation)
# ETSI EN 319 412-5 section 4; QcCompliance and QcSSCD have no statementInfo.
id_etsi_qcs_qc_compliance = named_oid("0.4.0.1862.1.1", "id-etsi-qcs-QcCompliance")
id_etsi_qcs_qc_limit_value = _statement("0.4.0.1862.1.2", "id-etsi-qcs-QcLimitValue", MonetaryValue)
id_etsi_qcs_qc_retention_period = _statement("0.4.0.1862.1.3", "id-etsi-qcs-QcRetentionPeriod", int)
id_etsi_qcs_qc_sscd = named_oid("0.4.0.1862.1.4", "id-etsi-qcs-QcSSCD")
id_etsi_qcs_qc_pds = _statement("0.4.0.1862.1.5", "id-etsi-qcs-QcPDS", SequenceOf[PdsLocation])
id_etsi_qcs_qc_type = _statement("0.4.0.1862.1.6", "id-etsi-qcs-QcType", SequenceOf[ObjectIdentifier])
id_etsi_qcs_qc_cc_legislation = _statement("0.4.0.1862.1.7", "id-etsi-qcs-QcCClegislation", SequenceOf[CountryName])
# ETSI TS 119 495.
id_etsi_psd2_qc_statement = _statement("0.4.0.19495.2", "id-etsi-psd2-qcStatement", PSD2QcType)
