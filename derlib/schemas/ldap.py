"""Lightweight Directory Access Protocol: RFC 4511, with the values of RFC 2696, 2891 and 3062.

Import this module to read or build the messages of a directory. Peers write BER, with definite lengths and a few other
restrictions (RFC 4511 section 5.1), so ``decode(data, rules="ber")`` reads what they send, and a little more.
`derlib.encode` writes DER, which every reader of BER takes.

    >>> from derlib.schemas.ldap import LDAPMessage
    >>> answer = LDAPMessage.decode(bytes.fromhex("3084000000100201026584000000070a010004000400"), rules="ber")
    >>> answer.message_id, answer.protocol_op.alternative, answer.protocol_op.value.result_code.name
    (2, 'search_res_done', 'success')

A connection carries one message after another: ``decode_prefix(data, rules="ber")`` reads the first one. Names, OBJECT
IDENTIFIERs and values are OCTET STRINGs here, so they are ``bytes``. The values of an attribute and the parts of a
filter are sets, whose order has no meaning: DER sorts them.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Addition,
    Choice,
    Enumerated,
    Implicit,
    Null,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
)
from derlib.schemas.ldap_controls import (
    MANAGE_DSA_IT,
    NOTICE_OF_DISCONNECTION,
    PAGED_RESULTS,
    PASSWORD_MODIFY,
    SORT_REQUEST,
    SORT_RESPONSE,
    START_TLS,
    WHO_AM_I,
    PagedResultsValue,
    PasswdModifyRequestValue,
    PasswdModifyResponseValue,
    SortKey,
    SortKeyList,
    SortResult,
    SortResultCode,
)
from derlib.schemas.ldap_search import (
    AttributeSelection,
    DerefAliases,
    Filter,
    MatchingRuleAssertion,
    SearchRequest,
    SearchResultDone,
    SearchResultEntry,
    SearchResultReference,
    SearchScope,
    Substring,
    SubstringFilter,
)
from derlib.schemas.ldap_types import (
    LDAPDN,
    LDAPOID,
    MAX_INT,
    URI,
    AssertionValue,
    Attribute,
    AttributeDescription,
    AttributeList,
    AttributeValue,
    AttributeValueAssertion,
    Control,
    Controls,
    LDAPResult,
    LDAPString,
    MatchingRuleId,
    MessageID,
    PartialAttribute,
    PartialAttributeList,
    Referral,
    RelativeLDAPDN,
    ResultCode,
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

    >>> request = ExtendedRequest(request_name=START_TLS)
    >>> message = LDAPMessage(message_id=1, protocol_op=ProtocolOp(extended_req=request))
    >>> message.encode().hex()
    '301d02010177188016312e332e362e312e342e312e313436362e3230303337'
    """

    message_id: MessageID
    protocol_op: ProtocolOp
    controls: Annotated[Controls, Implicit(0)] | None = None
