"""Lightweight Directory Access Protocol: RFC 4511, with the values of RFC 2696, 2891 and 3062.

Import this module to read or build the messages of a directory. Peers write BER, with definite lengths and a few other
restrictions (RFC 4511 section 5.1), so ``decode(data, rules="ber")`` reads what they send, and a little more.
`derlib.encode` writes DER, which every reader of BER takes.

    >>> from derlib.schemas.ldap import LDAPMessage
    >>> answer = LDAPMessage.decode(bytes.fromhex("3084000000100201026584000000070a010004000400"), rules="ber")
    >>> answer.message_id, answer.protocol_op.alternative, answer.protocol_op.value.result_code.name
    (2, 'search_res_done', 'success')

A connection carries one message after another: ``decode_prefix(data, rules="ber")`` reads the first one. Names, OBJECT
IDENTIFIERs and values are OCTET STRINGs here, so they are ``bytes``. The values of an attribute and the parts of a filter
are sets, whose order has no meaning: DER sorts them.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Addition,
    Choice,
    Enumerated,
    Explicit,
    Implicit,
    Null,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    WithComponents,
)

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "MANAGE_DSA_IT",
    "MAX_INT",
    "NOTICE_OF_DISCONNECTION",
    "PAGED_RESULTS",
    "PASSWORD_MODIFY",
    "SORT_REQUEST",
    "SORT_RESPONSE",
    "START_TLS",
    "WHO_AM_I",
    "AbandonRequest",
    "AddRequest",
    "AddResponse",
    "AssertionValue",
    "Attribute",
    "AttributeDescription",
    "AttributeList",
    "AttributeSelection",
    "AttributeValue",
    "AttributeValueAssertion",
    "AuthenticationChoice",
    "BindRequest",
    "BindResponse",
    "Change",
    "CompareRequest",
    "CompareResponse",
    "Control",
    "Controls",
    "DelRequest",
    "DelResponse",
    "DerefAliases",
    "ExtendedRequest",
    "ExtendedResponse",
    "Filter",
    "IntermediateResponse",
    "LDAPDN",
    "LDAPMessage",
    "LDAPOID",
    "LDAPResult",
    "LDAPString",
    "MatchingRuleAssertion",
    "MatchingRuleId",
    "MessageID",
    "ModifyDNRequest",
    "ModifyDNResponse",
    "ModifyOperation",
    "ModifyRequest",
    "ModifyResponse",
    "PagedResultsValue",
    "PartialAttribute",
    "PartialAttributeList",
    "PasswdModifyRequestValue",
    "PasswdModifyResponseValue",
    "ProtocolOp",
    "Referral",
    "RelativeLDAPDN",
    "ResultCode",
    "SaslCredentials",
    "SearchRequest",
    "SearchResultDone",
    "SearchResultEntry",
    "SearchResultReference",
    "SearchScope",
    "SortKey",
    "SortKeyList",
    "SortResult",
    "SortResultCode",
    "Substring",
    "SubstringFilter",
    "URI",
    "UnbindRequest",
]

MAX_INT = 2147483647  # maxInt, section 4.1.1

# Names of extended operations, in `request_name` and `response_name`.
START_TLS = b"1.3.6.1.4.1.1466.20037"  # section 4.14
NOTICE_OF_DISCONNECTION = b"1.3.6.1.4.1.1466.20036"  # section 4.4.1
PASSWORD_MODIFY = b"1.3.6.1.4.1.4203.1.11.1"  # RFC 3062
WHO_AM_I = b"1.3.6.1.4.1.4203.1.11.3"  # RFC 4532

# Types of controls, in `control_type`.
PAGED_RESULTS = b"1.2.840.113556.1.4.319"  # RFC 2696
SORT_REQUEST = b"1.2.840.113556.1.4.473"  # RFC 2891
SORT_RESPONSE = b"1.2.840.113556.1.4.474"  # RFC 2891
MANAGE_DSA_IT = b"2.16.840.1.113730.3.4.2"  # RFC 3296

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

    >>> page = PagedResultsValue(size=100, cookie=b"")
    >>> control = Control(control_type=PAGED_RESULTS, control_value=page.encode())
    >>> PagedResultsValue.decode(control.control_value, rules="ber").size
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


# Bind and unbind


class SaslCredentials(Sequence, extensible=True):
    """A step of a SASL mechanism (RFC 4511 section 4.2).

    ::

        SaslCredentials ::= SEQUENCE {
            mechanism     LDAPString,
            credentials   OCTET STRING OPTIONAL }
    """

    mechanism: LDAPString
    credentials: OctetString | None = None


class AuthenticationChoice(Choice, extensible=True):
    """A password, or a step of a SASL mechanism (RFC 4511 section 4.2).

    ::

        AuthenticationChoice ::= CHOICE {
            simple   [0] OCTET STRING,   -- 1 and 2 reserved
            sasl     [3] SaslCredentials,
            ... }
    """

    simple: Annotated[OctetString, Implicit(0)]
    sasl: Annotated[SaslCredentials, Implicit(3)]


class BindRequest(Sequence, extensible=True, tag=Implicit(0, "application")):
    """A request to authenticate the client (RFC 4511 section 4.2).

    ::

        BindRequest ::= [APPLICATION 0] SEQUENCE {
            version          INTEGER (1..127),
            name             LDAPDN,
            authentication   AuthenticationChoice }
    """

    version: Annotated[int, Range(1, 127)]
    name: LDAPDN
    authentication: AuthenticationChoice


class BindResponse(Sequence, extensible=True, tag=Implicit(1, "application")):
    """The outcome of a bind (RFC 4511 section 4.2.2).

    ::

        BindResponse ::= [APPLICATION 1] SEQUENCE {
            COMPONENTS OF     LDAPResult,
            serverSaslCreds   [7] OCTET STRING OPTIONAL }
    """

    result_code: ResultCode
    matched_dn: LDAPDN
    diagnostic_message: LDAPString
    referral: Annotated[Referral, Implicit(3)] | None = None
    server_sasl_creds: Annotated[OctetString, Implicit(7)] | None = None


UnbindRequest: TypeAlias = Annotated[Null, Implicit(2, "application")]  # the end of a connection, section 4.3


# Search


class SearchScope(Enumerated, extensible=True):
    """The entries that a search looks at (RFC 4511 section 4.5.1.2, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            baseObject     (0),
            singleLevel    (1),
            wholeSubtree   (2),
            ... }
    """

    base_object = 0
    single_level = 1
    whole_subtree = 2


class DerefAliases(Enumerated):
    """When a search follows aliases (RFC 4511 section 4.5.1.3, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            neverDerefAliases     (0),
            derefInSearching      (1),
            derefFindingBaseObj   (2),
            derefAlways           (3) }
    """

    never_deref_aliases = 0
    deref_in_searching = 1
    deref_finding_base_obj = 2
    deref_always = 3


class Substring(Choice, extensible=True):
    """A part of a value (RFC 4511 section 4.5.1.7.2, where the CHOICE has no name).

    ::

        CHOICE {
            initial   [0] AssertionValue,   -- can occur at most once
            any       [1] AssertionValue,
            final     [2] AssertionValue }  -- can occur at most once
    """

    initial: Annotated[AssertionValue, Implicit(0)]
    any: Annotated[AssertionValue, Implicit(1)]
    final: Annotated[AssertionValue, Implicit(2)]


class SubstringFilter(Sequence, extensible=True):
    """The parts of a value, in their order (RFC 4511 section 4.5.1.7.2).

    ::

        SubstringFilter ::= SEQUENCE {
            type         AttributeDescription,
            substrings   SEQUENCE SIZE (1..MAX) OF substring CHOICE { ... } }
    """

    type: AttributeDescription
    substrings: Annotated[SequenceOf[Substring], Size(1, None)]


class MatchingRuleAssertion(Sequence, extensible=True):
    """A value, and the rule that compares it with an attribute (RFC 4511 section 4.5.1.7.7).

    ::

        MatchingRuleAssertion ::= SEQUENCE {
            matchingRule   [1] MatchingRuleId OPTIONAL,
            type           [2] AttributeDescription OPTIONAL,
            matchValue     [3] AssertionValue,
            dnAttributes   [4] BOOLEAN DEFAULT FALSE }
    """

    matching_rule: Annotated[MatchingRuleId, Implicit(1)] | None = None
    type: Annotated[AttributeDescription, Implicit(2)] | None = None
    match_value: Annotated[AssertionValue, Implicit(3)]
    dn_attributes: Annotated[bool, Implicit(4)] = False


class Filter(Choice, extensible=True):
    """The condition that an entry must meet (RFC 4511 section 4.5.1.7).

    ::

        Filter ::= CHOICE {
            and               [0] SET SIZE (1..MAX) OF filter Filter,
            or                [1] SET SIZE (1..MAX) OF filter Filter,
            not               [2] Filter,
            equalityMatch     [3] AttributeValueAssertion,
            substrings        [4] SubstringFilter,
            greaterOrEqual    [5] AttributeValueAssertion,
            lessOrEqual       [6] AttributeValueAssertion,
            present           [7] AttributeDescription,
            approxMatch       [8] AttributeValueAssertion,
            extensibleMatch   [9] MatchingRuleAssertion,
            ... }

    The filter ``(&(mail=*)(!(cn=Ann)))`` in the notation of RFC 4515:

    >>> ann = {"attribute_desc": b"cn", "assertion_value": b"Ann"}
    >>> condition = Filter(and_=[{"present": b"mail"}, {"not_": {"equality_match": ann}}])
    >>> condition.encode().hex()
    'a01387046d61696ca20ba3090402636e0403416e6e'
    """

    and_: Annotated[SetOf[Filter], Size(1, None), Implicit(0)]
    or_: Annotated[SetOf[Filter], Size(1, None), Implicit(1)]
    not_: Annotated[Filter, Explicit(2)]
    equality_match: Annotated[AttributeValueAssertion, Implicit(3)]
    substrings: Annotated[SubstringFilter, Implicit(4)]
    greater_or_equal: Annotated[AttributeValueAssertion, Implicit(5)]
    less_or_equal: Annotated[AttributeValueAssertion, Implicit(6)]
    present: Annotated[AttributeDescription, Implicit(7)]
    approx_match: Annotated[AttributeValueAssertion, Implicit(8)]
    extensible_match: Annotated[MatchingRuleAssertion, Implicit(9)]


class AttributeSelection(SequenceOf[LDAPString]):
    """The attributes that a search returns: their names, ``b"*"`` or ``b"1.1"`` (RFC 4511 section 4.5.1.8).

    ::

        AttributeSelection ::= SEQUENCE OF selector LDAPString
    """


class SearchRequest(Sequence, extensible=True, tag=Implicit(3, "application")):
    """A search for entries (RFC 4511 section 4.5.1).

    ::

        SearchRequest ::= [APPLICATION 3] SEQUENCE {
            baseObject     LDAPDN,
            scope          ENUMERATED { baseObject (0), ... },
            derefAliases   ENUMERATED { neverDerefAliases (0), ... },
            sizeLimit      INTEGER (0..maxInt),
            timeLimit      INTEGER (0..maxInt),
            typesOnly      BOOLEAN,
            filter         Filter,
            attributes     AttributeSelection }

    A limit of 0 means no limit. `time_limit` is in seconds.
    """

    base_object: LDAPDN
    scope: SearchScope
    deref_aliases: DerefAliases
    size_limit: Annotated[int, Range(0, MAX_INT)]
    time_limit: Annotated[int, Range(0, MAX_INT)]
    types_only: bool
    filter: Filter
    attributes: AttributeSelection


class SearchResultEntry(Sequence, extensible=True, tag=Implicit(4, "application")):
    """An entry that was found (RFC 4511 section 4.5.2).

    ::

        SearchResultEntry ::= [APPLICATION 4] SEQUENCE {
            objectName   LDAPDN,
            attributes   PartialAttributeList }
    """

    object_name: LDAPDN
    attributes: PartialAttributeList


class SearchResultReference(SequenceOf[URI], size=Size(1, None), tag=Implicit(19, "application")):
    """Other servers that have a part of the answer (RFC 4511 section 4.5.2).

    ::

        SearchResultReference ::= [APPLICATION 19] SEQUENCE SIZE (1..MAX) OF uri URI
    """


SearchResultDone: TypeAlias = Annotated[LDAPResult, Implicit(5, "application")]  # section 4.5.2


# Changes and comparisons


class ModifyOperation(Enumerated, extensible=True):
    """What happens to the values of an attribute (RFC 4511 section 4.6, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            add       (0),
            delete    (1),
            replace   (2),
            ... }

    The registry of RFC 4520 has more operations, such as increment (3) of RFC 4525.
    """

    add = 0
    delete = 1
    replace = 2


class Change(Sequence, extensible=True):
    """A change of one attribute (RFC 4511 section 4.6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            operation      ENUMERATED { add (0), ... },
            modification   PartialAttribute }
    """

    operation: ModifyOperation
    modification: PartialAttribute


class ModifyRequest(Sequence, extensible=True, tag=Implicit(6, "application")):
    """A request to change the attributes of an entry (RFC 4511 section 4.6).

    ::

        ModifyRequest ::= [APPLICATION 6] SEQUENCE {
            object    LDAPDN,
            changes   SEQUENCE OF change SEQUENCE { ... } }
    """

    object: LDAPDN
    changes: SequenceOf[Change]


class AddRequest(Sequence, extensible=True, tag=Implicit(8, "application")):
    """A request to add an entry (RFC 4511 section 4.7).

    ::

        AddRequest ::= [APPLICATION 8] SEQUENCE {
            entry        LDAPDN,
            attributes   AttributeList }
    """

    entry: LDAPDN
    attributes: AttributeList


class ModifyDNRequest(Sequence, extensible=True, tag=Implicit(12, "application")):
    """A request to rename or move an entry (RFC 4511 section 4.9).

    ::

        ModifyDNRequest ::= [APPLICATION 12] SEQUENCE {
            entry          LDAPDN,
            newrdn         RelativeLDAPDN,
            deleteoldrdn   BOOLEAN,
            newSuperior    [0] LDAPDN OPTIONAL }
    """

    entry: LDAPDN
    newrdn: RelativeLDAPDN
    deleteoldrdn: bool
    new_superior: Annotated[LDAPDN, Implicit(0)] | None = None


class CompareRequest(Sequence, extensible=True, tag=Implicit(14, "application")):
    """A question whether an attribute has a value (RFC 4511 section 4.10).

    ::

        CompareRequest ::= [APPLICATION 14] SEQUENCE {
            entry   LDAPDN,
            ava     AttributeValueAssertion }
    """

    entry: LDAPDN
    ava: AttributeValueAssertion


ModifyResponse: TypeAlias = Annotated[LDAPResult, Implicit(7, "application")]  # section 4.6
AddResponse: TypeAlias = Annotated[LDAPResult, Implicit(9, "application")]  # section 4.7
DelRequest: TypeAlias = Annotated[LDAPDN, Implicit(10, "application")]  # the entry to delete, section 4.8
DelResponse: TypeAlias = Annotated[LDAPResult, Implicit(11, "application")]  # section 4.8
ModifyDNResponse: TypeAlias = Annotated[LDAPResult, Implicit(13, "application")]  # section 4.9
CompareResponse: TypeAlias = Annotated[LDAPResult, Implicit(15, "application")]  # section 4.10
AbandonRequest: TypeAlias = Annotated[MessageID, Implicit(16, "application")]  # the operation to stop, section 4.11


# Extended operations


class ExtendedRequest(Sequence, extensible=True, tag=Implicit(23, "application")):
    """A request for an operation of another standard (RFC 4511 section 4.12).

    ::

        ExtendedRequest ::= [APPLICATION 23] SEQUENCE {
            requestName    [0] LDAPOID,
            requestValue   [1] OCTET STRING OPTIONAL }
    """

    request_name: Annotated[LDAPOID, Implicit(0)]
    request_value: Annotated[OctetString, Implicit(1)] | None = None


class ExtendedResponse(Sequence, extensible=True, tag=Implicit(24, "application")):
    """The outcome of an extended operation (RFC 4511 section 4.12).

    ::

        ExtendedResponse ::= [APPLICATION 24] SEQUENCE {
            COMPONENTS OF   LDAPResult,
            responseName    [10] LDAPOID OPTIONAL,
            responseValue   [11] OCTET STRING OPTIONAL }
    """

    result_code: ResultCode
    matched_dn: LDAPDN
    diagnostic_message: LDAPString
    referral: Annotated[Referral, Implicit(3)] | None = None
    response_name: Annotated[LDAPOID, Implicit(10)] | None = None
    response_value: Annotated[OctetString, Implicit(11)] | None = None


class IntermediateResponse(Sequence, extensible=True, tag=Implicit(25, "application")):
    """One of several answers to an operation, before the last one (RFC 4511 section 4.13).

    ::

        IntermediateResponse ::= [APPLICATION 25] SEQUENCE {
            responseName    [0] LDAPOID OPTIONAL,
            responseValue   [1] OCTET STRING OPTIONAL }
    """

    response_name: Annotated[LDAPOID, Implicit(0)] | None = None
    response_value: Annotated[OctetString, Implicit(1)] | None = None


# Messages


class ProtocolOp(Choice, extensible=True):
    """A request or a response (RFC 4511 section 4.1.1, where the CHOICE has no name).

    ::

        CHOICE {
            bindRequest            BindRequest,
            bindResponse           BindResponse,
            unbindRequest          UnbindRequest,
            searchRequest          SearchRequest,
            searchResEntry         SearchResultEntry,
            searchResDone          SearchResultDone,
            searchResRef           SearchResultReference,
            modifyRequest          ModifyRequest,
            modifyResponse         ModifyResponse,
            addRequest             AddRequest,
            addResponse            AddResponse,
            delRequest             DelRequest,
            delResponse            DelResponse,
            modDNRequest           ModifyDNRequest,
            modDNResponse          ModifyDNResponse,
            compareRequest         CompareRequest,
            compareResponse        CompareResponse,
            abandonRequest         AbandonRequest,
            extendedReq            ExtendedRequest,
            extendedResp           ExtendedResponse,
            ...,
            intermediateResponse   IntermediateResponse }
    """

    bind_request: BindRequest
    bind_response: BindResponse
    unbind_request: UnbindRequest
    search_request: SearchRequest
    search_res_entry: SearchResultEntry
    search_res_done: SearchResultDone
    search_res_ref: SearchResultReference
    modify_request: ModifyRequest
    modify_response: ModifyResponse
    add_request: AddRequest
    add_response: AddResponse
    del_request: DelRequest
    del_response: DelResponse
    mod_dn_request: ModifyDNRequest
    mod_dn_response: ModifyDNResponse
    compare_request: CompareRequest
    compare_response: CompareResponse
    abandon_request: AbandonRequest
    extended_req: ExtendedRequest
    extended_resp: ExtendedResponse
    intermediate_response: Annotated[IntermediateResponse, Addition()]


class LDAPMessage(Sequence, extensible=True):
    """A message of a client or a server (RFC 4511 section 4.1.1).

    ::

        LDAPMessage ::= SEQUENCE {
            messageID    MessageID,
            protocolOp   CHOICE { ... },
            controls     [0] Controls OPTIONAL }

    >>> message = LDAPMessage(message_id=1, protocol_op={"extended_req": {"request_name": START_TLS}})
    >>> message.encode().hex()
    '301d02010177188016312e332e362e312e342e312e313436362e3230303337'
    """

    message_id: MessageID
    protocol_op: ProtocolOp
    controls: Annotated[Controls, Implicit(0)] | None = None


# Values of controls and of extended operations: the contents of their OCTET STRING.


class PagedResultsValue(Sequence):
    """The value of the control `PAGED_RESULTS` (RFC 2696 section 2, with the name realSearchControlValue).

    ::

        realSearchControlValue ::= SEQUENCE {
            size     INTEGER (0..maxInt),   -- requested page size from client, result set size estimate from server
            cookie   OCTET STRING }
    """

    size: Annotated[int, Range(0, MAX_INT)]
    cookie: OctetString


class SortKey(Sequence):
    """An attribute that results are sorted by (RFC 2891 section 1.1, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            attributeType   AttributeDescription,
            orderingRule    [0] MatchingRuleId OPTIONAL,
            reverseOrder    [1] BOOLEAN DEFAULT FALSE }
    """

    attribute_type: AttributeDescription
    ordering_rule: Annotated[MatchingRuleId, Implicit(0)] | None = None
    reverse_order: Annotated[bool, Implicit(1)] = False


class SortKeyList(SequenceOf[SortKey]):
    """The value of the control `SORT_REQUEST` (RFC 2891 section 1.1).

    ::

        SortKeyList ::= SEQUENCE OF SEQUENCE { ... }
    """


class SortResultCode(Enumerated):
    """Whether the results are sorted (RFC 2891 section 1.2, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            success                    (0),    -- results are sorted
            operationsError            (1),    -- server internal failure
            timeLimitExceeded          (3),    -- timelimit reached before sorting was completed
            strongAuthRequired         (8),    -- refused to return sorted results via insecure protocol
            adminLimitExceeded         (11),   -- too many matching entries for the server to sort
            noSuchAttribute            (16),   -- unrecognized attribute type in sort key
            inappropriateMatching      (18),   -- unrecognized or inappropriate matching rule in sort key
            insufficientAccessRights   (50),   -- refused to return sorted results to this client
            busy                       (51),   -- too busy to process
            unwillingToPerform         (53),   -- unable to sort
            other                      (80) }
    """

    success = 0
    operations_error = 1
    time_limit_exceeded = 3
    strong_auth_required = 8
    admin_limit_exceeded = 11
    no_such_attribute = 16
    inappropriate_matching = 18
    insufficient_access_rights = 50
    busy = 51
    unwilling_to_perform = 53
    other = 80


class SortResult(Sequence):
    """The value of the control `SORT_RESPONSE` (RFC 2891 section 1.2).

    ::

        SortResult ::= SEQUENCE {
            sortResult      ENUMERATED { success (0), ... },
            attributeType   [0] AttributeDescription OPTIONAL }
    """

    sort_result: SortResultCode
    attribute_type: Annotated[AttributeDescription, Implicit(0)] | None = None


class PasswdModifyRequestValue(Sequence):
    """The value of a request `PASSWORD_MODIFY` (RFC 3062 section 2).

    ::

        PasswdModifyRequestValue ::= SEQUENCE {
            userIdentity   [0] OCTET STRING OPTIONAL,
            oldPasswd      [1] OCTET STRING OPTIONAL,
            newPasswd      [2] OCTET STRING OPTIONAL }
    """

    user_identity: Annotated[OctetString, Implicit(0)] | None = None
    old_passwd: Annotated[OctetString, Implicit(1)] | None = None
    new_passwd: Annotated[OctetString, Implicit(2)] | None = None


class PasswdModifyResponseValue(Sequence):
    """The value of a response to `PASSWORD_MODIFY` (RFC 3062 section 2).

    ::

        PasswdModifyResponseValue ::= SEQUENCE {
            genPasswd   [0] OCTET STRING OPTIONAL }
    """

    gen_passwd: Annotated[OctetString, Implicit(0)] | None = None
