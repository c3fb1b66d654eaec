"""Trust anchors: RFC 5914.

A trust anchor is a certificate, or a name and a key with limits for the paths that start there. Import this module to
read and build lists of them. The module of RFC 5914 has implicit tags.

>>> anchors = TrustAnchorList.decode(open("anchors.tal", "rb").read())  # doctest: +SKIP
>>> [anchor.alternative for anchor in anchors]  # doctest: +SKIP
['certificate', 'ta_info']
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Choice,
    Explicit,
    Implicit,
    NamedBits,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib.oids import register_known
from derlib.schemas.attributes import Name
from derlib.schemas.cms import CONTENT_TYPES
from derlib.schemas.extensions import NameConstraints
from derlib.schemas.policies import CertificatePolicies
from derlib.schemas.x509 import Certificate, Extensions, SubjectPublicKeyInfo, TBSCertificate

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "CertPathControls",
    "CertPolicyFlags",
    "Certificate",
    "Extensions",
    "KeyIdentifier",
    "Name",
    "NameConstraints",
    "SubjectPublicKeyInfo",
    "TBSCertificate",
    "TrustAnchorChoice",
    "TrustAnchorInfo",
    "TrustAnchorInfoVersion",
    "TrustAnchorList",
    "TrustAnchorTitle",
    "id_ct_trust_anchor_list",
]

KeyIdentifier: TypeAlias = OctetString  # RFC 5280 section 4.2.1.2
TrustAnchorTitle: TypeAlias = Annotated[UTF8String, Size(1, 64)]  # section 2.4


class CertPolicyFlags(NamedBits):
    """How policies are processed in paths from the trust anchor (RFC 5914 section 2.5).

    ::

        CertPolicyFlags ::= BIT STRING {
            inhibitPolicyMapping    (0),
            requireExplicitPolicy   (1),
            inhibitAnyPolicy        (2) }
    """

    inhibit_policy_mapping = 1 << 0
    require_explicit_policy = 1 << 1
    inhibit_any_policy = 1 << 2


class CertPathControls(Sequence):
    """The name of the trust anchor, and limits for the paths that start there (RFC 5914 section 2.5).

    ::

        CertPathControls ::= SEQUENCE {
            taName              Name,
            certificate         [0] Certificate OPTIONAL,
            policySet           [1] CertificatePolicies OPTIONAL,
            policyFlags         [2] CertPolicyFlags OPTIONAL,
            nameConstr          [3] NameConstraints OPTIONAL,
            pathLenConstraint   [4] INTEGER (0..MAX) OPTIONAL }
    """

    ta_name: Name
    certificate: Annotated[Certificate, Implicit(0)] | None = None
    policy_set: Annotated[CertificatePolicies, Implicit(1)] | None = None
    policy_flags: Annotated[CertPolicyFlags, Implicit(2)] | None = None
    name_constr: Annotated[NameConstraints, Implicit(3)] | None = None
    path_len_constraint: Annotated[int, Range(0, None), Implicit(4)] | None = None


class TrustAnchorInfoVersion(NamedInteger):
    """The version of a TrustAnchorInfo (RFC 5914 section 2.1).

    ::

        TrustAnchorInfoVersion ::= INTEGER { v1(1) }
    """

    v1 = 1


class TrustAnchorInfo(Sequence):
    """A trust anchor without a certificate (RFC 5914 section 2).

    ::

        TrustAnchorInfo ::= SEQUENCE {
            version          TrustAnchorInfoVersion DEFAULT v1,
            pubKey           SubjectPublicKeyInfo,
            keyId            KeyIdentifier,   -- OCTET STRING
            taTitle          TrustAnchorTitle OPTIONAL,
            certPath         CertPathControls OPTIONAL,
            exts             [1] EXPLICIT Extensions OPTIONAL,
            taTitleLangTag   [2] UTF8String OPTIONAL }
    """

    version: TrustAnchorInfoVersion = TrustAnchorInfoVersion.v1
    pub_key: SubjectPublicKeyInfo
    key_id: KeyIdentifier
    ta_title: TrustAnchorTitle | None = None
    cert_path: CertPathControls | None = None
    exts: Annotated[Extensions, Explicit(1)] | None = None
    ta_title_lang_tag: Annotated[UTF8String, Implicit(2)] | None = None


class TrustAnchorChoice(Choice):
    """A trust anchor in one of its forms (RFC 5914 section 3).

    ::

        TrustAnchorChoice ::= CHOICE {
            certificate   Certificate,
            tbsCert       [1] EXPLICIT TBSCertificate,
            taInfo        [2] EXPLICIT TrustAnchorInfo }
    """

    certificate: Certificate
    tbs_cert: Annotated[TBSCertificate, Explicit(1)]
    ta_info: Annotated[TrustAnchorInfo, Explicit(2)]


class TrustAnchorList(SequenceOf[TrustAnchorChoice], size=Size(1, None)):
    """A list of trust anchors, the content of a ContentInfo, signed or not (RFC 5914 section 3).

    ::

        TrustAnchorList ::= SEQUENCE SIZE (1..MAX) OF TrustAnchorChoice
    """


id_ct_trust_anchor_list = ObjectIdentifier("1.2.840.113549.1.9.16.1.34")
register_known({id_ct_trust_anchor_list.dotted: "id-ct-trustAnchorList"})
CONTENT_TYPES.register(id_ct_trust_anchor_list, TrustAnchorList)
