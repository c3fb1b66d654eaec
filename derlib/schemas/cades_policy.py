"""Signature policies in CAdES: RFC 5126 section 5.8.1, ETSI EN 319 122-1 clauses 5.2.9 and 5.2.10.

Used by `derlib.schemas.cades`: the policy under which a signature was made, where its text is, and the text itself.

>>> SPDocSpecification(uri="https://example.org/policy.pdf").encode().hex()
'161e68747470733a2f2f6578616d706c652e6f72672f706f6c6963792e706466'
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, TypeAlias

from derlib import (
    BMPString,
    Choice,
    DefinedBy,
    IA5String,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
    VisibleString,
)
from derlib._register import register_type
from derlib.schemas.cades_references import OtherHashAlgAndValue

_COMPILE_AT_FIRST_USE = True

#: The types of `sig_qualifier`, by `sig_policy_qualifier_id`.
SIG_POLICY_QUALIFIERS = OpenTypes("SIG_POLICY_QUALIFIERS")

SigPolicyId: TypeAlias = ObjectIdentifier  # RFC 5126 section 5.8.1
SigPolicyHash: TypeAlias = OtherHashAlgAndValue  # RFC 5126 section 5.8.1
SPuri: TypeAlias = IA5String  # RFC 5126 section 5.8.1


class DisplayText(Choice):
    """A text for people (RFC 5126 section 5.8.1; unlike that of RFC 5280, it is never an IA5String).

    ::

        DisplayText ::= CHOICE {
            visibleString   VisibleString (SIZE (1..200)),
            bmpString       BMPString     (SIZE (1..200)),
            utf8String      UTF8String    (SIZE (1..200)) }
    """

    visible_string: Annotated[VisibleString, Size(1, 200)]
    bmp_string: Annotated[BMPString, Size(1, 200)]
    utf8_string: Annotated[UTF8String, Size(1, 200)]


class NoticeReference(Sequence):
    """Numbered texts of an organization (RFC 5126 section 5.8.1).

    ::

        NoticeReference ::= SEQUENCE {
            organization    DisplayText,
            noticeNumbers   SEQUENCE OF INTEGER }
    """

    organization: DisplayText
    notice_numbers: SequenceOf[int]


class SPUserNotice(Sequence):
    """A text to show whenever the signature is validated (RFC 5126 section 5.8.1).

    ::

        SPUserNotice ::= SEQUENCE {
            noticeRef      NoticeReference OPTIONAL,
            explicitText   DisplayText OPTIONAL }
    """

    notice_ref: NoticeReference | None = None
    explicit_text: DisplayText | None = None


class SPDocSpecification(Choice):
    """The technical specification that the text of the policy follows (ETSI EN 319 122-1 clause 5.2.9.2).

    ::

        SPDocSpecification ::= CHOICE {
            oid   OBJECT IDENTIFIER,
            uri   IA5String }
    """

    oid: ObjectIdentifier
    uri: IA5String


class SigPolicyQualifierInfo(Sequence):
    """Additional information about the policy (RFC 5126 section 5.8.1).

    ::

        SigPolicyQualifierInfo ::= SEQUENCE {
            sigPolicyQualifierId   SigPolicyQualifierId,   -- OBJECT IDENTIFIER
            sigQualifier           ANY DEFINED BY sigPolicyQualifierId }

    In ETSI EN 319 122-1 clause 5.2.9.1, ``sigQualifier`` is called ``qualifier`` and is OPTIONAL, as it is here.
    """

    sig_policy_qualifier_id: ObjectIdentifier
    sig_qualifier: Annotated[Any, DefinedBy("sig_policy_qualifier_id", SIG_POLICY_QUALIFIERS)] | None = None


class SignaturePolicyId(Sequence):
    """The policy under which the signature was made (RFC 5126 section 5.8.1).

    ::

        SignaturePolicyId ::= SEQUENCE {
            sigPolicyId           SigPolicyId,   -- OBJECT IDENTIFIER
            sigPolicyHash         SigPolicyHash,
            sigPolicyQualifiers   SEQUENCE SIZE (1..MAX) OF SigPolicyQualifierInfo OPTIONAL }
    """

    sig_policy_id: SigPolicyId
    sig_policy_hash: SigPolicyHash
    sig_policy_qualifiers: Annotated[SequenceOf[SigPolicyQualifierInfo], Size(1, None)] | None = None


class SignaturePolicy(Choice):
    """The policy, or that the content implies it; SignaturePolicyIdentifier in EN 319 122-1 (RFC 5126 section 5.8.1).

    ::

        SignaturePolicy ::= CHOICE {
            signaturePolicyId        SignaturePolicyId,
            signaturePolicyImplied   SignaturePolicyImplied }   -- NULL, not used
    """

    signature_policy_id: SignaturePolicyId
    signature_policy_implied: Null


class SignaturePolicyDocument(Choice):
    """The text of the policy, or where a local copy is (ETSI EN 319 122-1 clause 5.2.10).

    ::

        SignaturePolicyDocument ::= CHOICE {
            sigPolicyEncoded    OCTET STRING,
            sigPolicyLocalURI   IA5String }
    """

    sig_policy_encoded: OctetString
    sig_policy_local_uri: IA5String


class SignaturePolicyStore(Sequence):
    """The text of the policy, and the specification that it follows (ETSI EN 319 122-1 clause 5.2.10).

    ::

        SignaturePolicyStore ::= SEQUENCE {
            spDocSpec    SPDocSpecification,
            spDocument   SignaturePolicyDocument }
    """

    sp_doc_spec: SPDocSpecification
    sp_document: SignaturePolicyDocument


_qualifier = partial(register_type, SIG_POLICY_QUALIFIERS)


id_spq_ets_uri = _qualifier("1.2.840.113549.1.9.16.5.1", "id-spq-ets-uri", SPuri)
id_spq_ets_unotice = _qualifier("1.2.840.113549.1.9.16.5.2", "id-spq-ets-unotice", SPUserNotice)
id_spq_ets_docspec = _qualifier("0.4.0.19122.2.1", "id-spq-ets-docspec", SPDocSpecification)
