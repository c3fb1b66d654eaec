"""The attributes and extensions of attribute certificates: RFC 5755 sections 4.3, 4.4 and 7.

Used by `derlib.schemas.cms`, which imports this module to register them. The syntax is from RFC 5755 Appendix B, a
module with implicit tags; a component that is a CHOICE has an explicit tag nevertheless (X.680 31.2.7).

>>> clearance = Clearance.decode(bytes.fromhex("30090603883701 03020204"))
>>> clearance.policy_id.dotted, clearance.class_list
('2.999.1', <ClassList: top_secret>)
"""

from typing import Annotated, Any

from derlib import (
    Choice,
    DefinedBy,
    Explicit,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    UTF8String,
)
from derlib.oids import register_known
from derlib.schemas.attribute_cert import IssuerSerial, ObjectDigestInfo
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.extensions import known_extension
from derlib.schemas.general import GeneralName, GeneralNames

_COMPILE_AT_FIRST_USE = True

# The syntax of the value of a security category, by its type.
SECURITY_CATEGORIES = OpenTypes("SECURITY_CATEGORIES", on_mismatch="opaque")


# --- Extensions, section 4.3


class TargetCert(Sequence):
    """A target, by its certificate; this profile does not use it (RFC 5755 section 4.3.2).

    ::

        TargetCert ::= SEQUENCE {
            targetCertificate   IssuerSerial,
            targetName          GeneralName OPTIONAL,
            certDigestInfo      ObjectDigestInfo OPTIONAL }
    """

    target_certificate: IssuerSerial
    target_name: GeneralName | None = None
    cert_digest_info: ObjectDigestInfo | None = None


class Target(Choice):
    """A server or service for which an attribute certificate is meant (RFC 5755 section 4.3.2).

    ::

        Target ::= CHOICE {
            targetName    [0] GeneralName,
            targetGroup   [1] GeneralName,
            targetCert    [2] TargetCert }
    """

    target_name: Annotated[GeneralName, Explicit(0)]
    target_group: Annotated[GeneralName, Explicit(1)]
    target_cert: Annotated[TargetCert, Implicit(2)]


class Targets(SequenceOf[Target]):
    """The servers and services for which an attribute certificate is meant (RFC 5755 section 4.3.2).

    ::

        Targets ::= SEQUENCE OF Target
    """


class TargetInformation(SequenceOf[Targets]):
    """The value of the extension targetInformation (RFC 5755 section 4.3.2, where it has no name).

    ::

        SEQUENCE OF Targets

    Issuers write one `Targets`; several count as one. The module in RFC 5912 contradicts the section: there, `Targets`
    is the value of the extension. Some issuers write that, so another value is opaque bytes.
    """


class ProxyInfo(SequenceOf[Targets]):
    """The proxies that can use an attribute certificate (RFC 5755 section 7.2).

    ::

        ProxyInfo ::= SEQUENCE OF Targets
    """


class AttrSpec(SequenceOf[ObjectIdentifier]):
    """Types of attributes (RFC 5755 section 7.4).

    ::

        AttrSpec ::= SEQUENCE OF OBJECT IDENTIFIER
    """


class AAControls(Sequence):
    """The attributes that an attribute authority can issue, in its certificate (RFC 5755 section 7.4).

    ::

        AAControls ::= SEQUENCE {
            pathLenConstraint   INTEGER (0..MAX) OPTIONAL,
            permittedAttrs      [0] AttrSpec OPTIONAL,
            excludedAttrs       [1] AttrSpec OPTIONAL,
            permitUnSpecified   BOOLEAN DEFAULT TRUE }
    """

    path_len_constraint: Annotated[int, Range(0, None)] | None = None
    permitted_attrs: Annotated[AttrSpec, Implicit(0)] | None = None
    excluded_attrs: Annotated[AttrSpec, Implicit(1)] | None = None
    permit_un_specified: bool = True


# --- Attributes, section 4.4


class IetfAttrSyntax(Sequence):
    """Values of an attribute, with the authority that defined them (RFC 5755 section 4.4).

    ::

        IetfAttrSyntax ::= SEQUENCE {
            policyAuthority   [0] GeneralNames OPTIONAL,
            values            SEQUENCE OF CHOICE {
                octets   OCTET STRING,
                oid      OBJECT IDENTIFIER,
                string   UTF8String } }
    """

    policy_authority: Annotated[GeneralNames, Implicit(0)] | None = None
    values: SequenceOf[OctetString | ObjectIdentifier | UTF8String]


class SvceAuthInfo(Sequence):
    """The name by which a service knows the holder (RFC 5755 sections 4.4.1 and 4.4.2).

    ::

        SvceAuthInfo ::= SEQUENCE {
            service    GeneralName,
            ident      GeneralName,
            authInfo   OCTET STRING OPTIONAL }
    """

    service: GeneralName
    ident: GeneralName
    auth_info: OctetString | None = None


class RoleSyntax(Sequence):
    """A role of the holder (RFC 5755 section 4.4.5).

    ::

        RoleSyntax ::= SEQUENCE {
            roleAuthority   [0] GeneralNames OPTIONAL,
            roleName        [1] GeneralName }
    """

    role_authority: Annotated[GeneralNames, Implicit(0)] | None = None
    role_name: Annotated[GeneralName, Explicit(1)]


class ClassList(NamedBits):
    """Levels of secrecy (RFC 5755 section 4.4.6).

    ::

        ClassList ::= BIT STRING {
            unmarked (0), unclassified (1), restricted (2), confidential (3), secret (4), topSecret (5) }
    """

    unmarked = 1 << 0
    unclassified = 1 << 1
    restricted = 1 << 2
    confidential = 1 << 3
    secret = 1 << 4
    top_secret = 1 << 5


class SecurityCategory(Sequence):
    """More information about a clearance (RFC 5755 section 4.4.6).

    ::

        SecurityCategory ::= SEQUENCE {
            type    [0] OBJECT IDENTIFIER,
            value   [1] EXPLICIT ANY DEFINED BY type }
    """

    type: Annotated[ObjectIdentifier, Implicit(0)]
    value: Annotated[Any, DefinedBy("type", SECURITY_CATEGORIES), Explicit(1)]


class Clearance(Sequence):
    """The clearance of the holder for classified information (RFC 5755 section 4.4.6).

    ::

        Clearance ::= SEQUENCE {
            policyId             OBJECT IDENTIFIER,
            classList            ClassList DEFAULT {unclassified},
            securityCategories   SET OF SecurityCategory OPTIONAL }
    """

    policy_id: ObjectIdentifier
    class_list: ClassList = ClassList.unclassified
    security_categories: SetOf[SecurityCategory] | None = None


id_pe_ac_audit_identity = known_extension("1.3.6.1.5.5.7.1.4", "id-pe-ac-auditIdentity", OctetString)
id_pe_aa_controls = known_extension("1.3.6.1.5.5.7.1.6", "id-pe-aaControls", AAControls)
id_pe_ac_proxying = known_extension("1.3.6.1.5.5.7.1.10", "id-pe-ac-proxying", ProxyInfo)
id_ce_target_information = known_extension(
    "2.5.29.55", "id-ce-targetInformation", TargetInformation, on_mismatch="opaque"
)

# `derlib.schemas.cms` registers id-aca-encAttrs, whose values are a ContentInfo.
_ATTRIBUTE_TYPES: tuple[tuple[str, str, Any], ...] = (
    ("1.3.6.1.5.5.7.10.1", "id-aca-authenticationInfo", SvceAuthInfo),
    ("1.3.6.1.5.5.7.10.2", "id-aca-accessIdentity", SvceAuthInfo),
    ("1.3.6.1.5.5.7.10.3", "id-aca-chargingIdentity", IetfAttrSyntax),
    ("1.3.6.1.5.5.7.10.4", "id-aca-group", IetfAttrSyntax),
    ("2.5.4.72", "id-at-role", RoleSyntax),
    ("2.5.4.55", "id-at-clearance", Clearance),
)

register_known({dotted: name for dotted, name, _ in _ATTRIBUTE_TYPES})
for _dotted, _, _syntax in _ATTRIBUTE_TYPES:
    ATTRIBUTES.register(ObjectIdentifier(_dotted), _syntax)
