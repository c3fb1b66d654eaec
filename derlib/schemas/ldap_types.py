"""The parts of LDAP messages: RFC 4511 sections 4.1.1 to 4.1.11.

Used by `derlib.schemas.ldap`: strings, attributes, results and controls. Tags are implicit.

>>> PartialAttribute.from_native({"type": b"cn", "vals": [b"Ann"]}).encode().hex()
'300b0402636e31050403416e6e'
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Enumerated,
    Implicit,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    WithComponents,
)

_COMPILE_AT_FIRST_USE = True


MAX_INT = 2147483647  # maxInt, section 4.1.1

MessageID: TypeAlias = Annotated[int, Range(0, MAX_INT)]  # section 4.1.1.1
LDAPString: TypeAlias = OctetString  # UTF-8, section 4.1.2
LDAPOID: TypeAlias = OctetString  # an OBJECT IDENTIFIER as text, such as b"1.3.6.1.4.1.1466.20037", section 4.1.2
LDAPDN: TypeAlias = LDAPString  # a name as text (RFC 4514), section 4.1.3
RelativeLDAPDN: TypeAlias = LDAPString  # section 4.1.3
AttributeDescription: TypeAlias = LDAPString  # a type with options, such as b"cn;lang-en", section 4.1.4
AttributeValue: TypeAlias = OctetString  # section 4.1.5
AssertionValue: TypeAlias = OctetString  # section 4.1.6
MatchingRuleId: TypeAlias = LDAPString  # section 4.1.8
URI: TypeAlias = LDAPString  # section 4.1.10


# Attributes


class AttributeValueAssertion(Sequence, extensible=True):
    """A value that an attribute is compared with (RFC 4511 section 4.1.6).

    ::

        AttributeValueAssertion ::= SEQUENCE {
            attributeDesc    AttributeDescription,
            assertionValue   AssertionValue }
    """

    attribute_desc: AttributeDescription
    assertion_value: AssertionValue


class PartialAttribute(Sequence, extensible=True):
    """An attribute with its values, or with some of them, or with none (RFC 4511 section 4.1.7).

    ::

        PartialAttribute ::= SEQUENCE {
            type   AttributeDescription,
            vals   SET OF value AttributeValue }
    """

    type: AttributeDescription
    vals: SetOf[AttributeValue]


# An attribute with at least one value, section 4.1.7:
# Attribute ::= PartialAttribute (WITH COMPONENTS { ..., vals (SIZE (1..MAX)) })
Attribute: TypeAlias = Annotated[PartialAttribute, WithComponents(vals=Size(1, None))]


class PartialAttributeList(SequenceOf[PartialAttribute]):
    """The attributes of an entry that was found (RFC 4511 section 4.5.2).

    ::

        PartialAttributeList ::= SEQUENCE OF partialAttribute PartialAttribute
    """


class AttributeList(SequenceOf[Attribute]):
    """The attributes of a new entry (RFC 4511 section 4.7).

    ::

        AttributeList ::= SEQUENCE OF attribute Attribute
    """


# Results and controls


class ResultCode(Enumerated, extensible=True):
    """The outcome of an operation (RFC 4511 section 4.1.9, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            success                        (0),
            operationsError                (1),
            protocolError                  (2),
            timeLimitExceeded              (3),
            sizeLimitExceeded              (4),
            compareFalse                   (5),
            compareTrue                    (6),
            authMethodNotSupported         (7),
            strongerAuthRequired           (8),
            referral                       (10),
            adminLimitExceeded             (11),
            unavailableCriticalExtension   (12),
            confidentialityRequired        (13),
            saslBindInProgress             (14),
            noSuchAttribute                (16),
            undefinedAttributeType         (17),
            inappropriateMatching          (18),
            constraintViolation            (19),
            attributeOrValueExists         (20),
            invalidAttributeSyntax         (21),
            noSuchObject                   (32),
            aliasProblem                   (33),
            invalidDNSyntax                (34),
            aliasDereferencingProblem      (36),
            inappropriateAuthentication    (48),
            invalidCredentials             (49),
            insufficientAccessRights       (50),
            busy                           (51),
            unavailable                    (52),
            unwillingToPerform             (53),
            loopDetect                     (54),
            namingViolation                (64),
            objectClassViolation           (65),
            notAllowedOnNonLeaf            (66),
            notAllowedOnRDN                (67),
            entryAlreadyExists             (68),
            objectClassModsProhibited      (69),
            affectsMultipleDSAs            (71),
            other                          (80),
            ... }
    """

    success = 0
    operations_error = 1
    protocol_error = 2
    time_limit_exceeded = 3
    size_limit_exceeded = 4
    compare_false = 5
    compare_true = 6
    auth_method_not_supported = 7
    stronger_auth_required = 8
    referral = 10
    admin_limit_exceeded = 11
    unavailable_critical_extension = 12
    confidentiality_required = 13
    sasl_bind_in_progress = 14
    no_such_attribute = 16
    undefined_attribute_type = 17
    inappropriate_matching = 18
    constraint_violation = 19
    attribute_or_value_exists = 20
    invalid_attribute_syntax = 21
    no_such_object = 32
    alias_problem = 33
    invalid_dn_syntax = 34
    alias_dereferencing_problem = 36
    inappropriate_authentication = 48
    invalid_credentials = 49
    insufficient_access_rights = 50
    busy = 51
    unavailable = 52
    unwilling_to_perform = 53
    loop_detect = 54
    naming_violation = 64
    object_class_violation = 65
    not_allowed_on_non_leaf = 66
    not_allowed_on_rdn = 67
    entry_already_exists = 68
    object_class_mods_prohibited = 69
    affects_multiple_ds_as = 71
    other = 80


class Referral(SequenceOf[URI], size=Size(1, None)):
    """Other servers to ask (RFC 4511 section 4.1.10).

    ::

        Referral ::= SEQUENCE SIZE (1..MAX) OF uri URI
    """


class LDAPResult(Sequence, extensible=True):
    """The answer to most operations (RFC 4511 section 4.1.9).

    ::

        LDAPResult ::= SEQUENCE {
            resultCode          ENUMERATED { success (0), ... },
            matchedDN           LDAPDN,
            diagnosticMessage   LDAPString,
            referral            [3] Referral OPTIONAL }
    """

    result_code: ResultCode
    matched_dn: LDAPDN
    diagnostic_message: LDAPString
    referral: Annotated[Referral, Implicit(3)] | None = None


class Control(Sequence, extensible=True):
    """A change to the meaning of an operation (RFC 4511 section 4.1.11).

    ::

        Control ::= SEQUENCE {
            controlType    LDAPOID,
            criticality    BOOLEAN DEFAULT FALSE,
            controlValue   OCTET STRING OPTIONAL }

    >>> from derlib.schemas.ldap import PAGED_RESULTS, PagedResultsValue
    >>> page = PagedResultsValue(size=100, cookie=b"")
    >>> control = Control(control_type=PAGED_RESULTS, control_value=page.encode())
    >>> if control.control_value is not None:
    ...     print(PagedResultsValue.decode(control.control_value, rules="ber").size)
    100
    """

    control_type: LDAPOID
    criticality: bool = False
    control_value: OctetString | None = None


class Controls(SequenceOf[Control]):
    """The controls of a message (RFC 4511 section 4.1.11).

    ::

        Controls ::= SEQUENCE OF control Control
    """
