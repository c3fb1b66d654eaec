"""Searches in directories: RFC 4511 section 4.5.

Used by `derlib.schemas.ldap`. Tags are implicit.

>>> Filter(present=b"cn").encode().hex()
'8702636e'
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Choice,
    Enumerated,
    Explicit,
    Implicit,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
)
from derlib.schemas.ldap_types import (
    LDAPDN,
    MAX_INT,
    URI,
    AssertionValue,
    AttributeDescription,
    AttributeValueAssertion,
    LDAPResult,
    LDAPString,
    MatchingRuleId,
    PartialAttributeList,
)

_COMPILE_AT_FIRST_USE = True


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


class DerefAliases(Enumerated, extensible=True):
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
