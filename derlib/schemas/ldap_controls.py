"""Values of controls and of extended operations: RFC 2696, 2891 and 3062.

Used by `derlib.schemas.ldap`. The values are contents of an OCTET STRING, which LDAP itself does not interpret.

>>> PagedResultsValue(size=100, cookie=b"").encode().hex()
'30050201640400'
"""

from __future__ import annotations

from typing import Annotated

from derlib import (
    Enumerated,
    Implicit,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
)
from derlib.schemas.ldap_types import (
    MAX_INT,
    AttributeDescription,
    MatchingRuleId,
)

_COMPILE_AT_FIRST_USE = True


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
