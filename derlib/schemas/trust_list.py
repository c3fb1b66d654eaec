"""Certificate trust lists and catalogs of Windows ([MS-CAESO], szOID_CTL; wintrust.h).

Used by `derlib.schemas.authenticode`. A list of trusted or distrusted certificates (``authroot.stl``,
``disallowedcert.stl``) and a catalog of signed files (``.cat``) are a `CertificateTrustList` in a `SignedData` of
PKCS #7. The attributes of certificates are properties of wincrypt.h, such as ``CERT_FRIENDLY_NAME_PROP_ID``, whose
values are in OCTET STRINGs.

>>> CatalogMemberInfo(subguid="{C689AABA-8E78-11D0-8C47-00C04FC295EE}", cert_version=512).cert_version
512
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from derlib import (
    BMPString,
    Containing,
    DefinedBy,
    Explicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
)
from derlib._register import register_type
from derlib.oids import by_name, register_known
from derlib.schemas.extensions import ExtKeyUsageSyntax, known_extension
from derlib.schemas.pkcs7 import CONTENT_TYPES
from derlib.schemas.policies import CertificatePolicies
from derlib.schemas.x509 import AlgorithmIdentifier, Extensions, Time

_COMPILE_AT_FIRST_USE = True

# The syntax of the values of an attribute of a trusted subject. Windows defines new ones: a value of another type is
# left opaque.
SUBJECT_ATTRIBUTES = OpenTypes("SUBJECT_ATTRIBUTES", on_mismatch="opaque")


class CTLVersion(NamedInteger):
    """The version of the syntax ([MS-CAESO]).

    ::

        CTLVersion ::= INTEGER { v1(0) }
    """

    v1 = 0


class SubjectUsage(SequenceOf[ObjectIdentifier]):
    """The purposes of the list ([MS-CAESO]).

    ::

        SubjectUsage ::= EnhancedKeyUsage   -- SEQUENCE OF OBJECT IDENTIFIER
    """


class SubjectAttribute(Sequence):
    """A property of a trusted subject ([MS-CAESO]).

    ::

        Attribute ::= SEQUENCE {
            type     OBJECT IDENTIFIER,
            values   SET OF ANY DEFINED BY type }
    """

    type: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("type", SUBJECT_ATTRIBUTES)]]


class TrustedSubject(Sequence):
    """A certificate or a file, usually by its hash ([MS-CAESO]).

    ::

        TrustedSubject ::= SEQUENCE {
            subjectIdentifier   SubjectIdentifier,         -- OCTET STRING
            subjectAttributes   Attributes OPTIONAL }      -- SET OF Attribute
    """

    subject_identifier: OctetString
    subject_attributes: SetOf[SubjectAttribute] | None = None

    def get(self, which: ObjectIdentifier | str) -> Any:
        """Return the first value of the attribute with this type, or None."""
        oid = ObjectIdentifier(by_name(which))
        for attribute in self.subject_attributes or ():
            if attribute.type == oid and attribute.values:
                return attribute.values[0]
        return None


class CertificateTrustList(Sequence):
    """A list of certificates or of files that its signer vouches for ([MS-CAESO]).

    ::

        CertificateTrustList ::= SEQUENCE {
            version            CTLVersion DEFAULT v1,
            subjectUsage       SubjectUsage,
            listIdentifier     ListIdentifier OPTIONAL,   -- OCTET STRING
            sequenceNumber     HUGEINTEGER OPTIONAL,      -- INTEGER
            ctlThisUpdate      ChoiceOfTime,              -- Time
            ctlNextUpdate      ChoiceOfTime OPTIONAL,
            subjectAlgorithm   AlgorithmIdentifier,
            trustedSubjects    TrustedSubjects OPTIONAL,  -- SEQUENCE OF TrustedSubject
            ctlExtensions      [0] EXPLICIT Extensions OPTIONAL }
    """

    version: CTLVersion = CTLVersion.v1
    subject_usage: SubjectUsage
    list_identifier: OctetString | None = None
    sequence_number: int | None = None
    ctl_this_update: Time
    ctl_next_update: Time | None = None
    subject_algorithm: AlgorithmIdentifier
    trusted_subjects: SequenceOf[TrustedSubject] | None = None
    ctl_extensions: Annotated[Extensions, Explicit(0)] | None = None


class CatalogNameValue(Sequence):
    """An attribute of a catalog or of its member (CAT_NAMEVALUE of wintrust.h).

    ::

        CatalogNameValue ::= SEQUENCE {
            refname      BMPSTRING,
            typeaction   INTEGER,
            value        OCTETSTRING }   -- usually text in UTF-16, little-endian, that ends with a zero
    """

    refname: BMPString
    typeaction: int
    value: OctetString


class CatalogMemberInfo(Sequence):
    """The type of a member of a catalog (CAT_MEMBERINFO of wintrust.h).

    ::

        CatalogMemberInfo ::= SEQUENCE {
            subguid       BMPSTRING,
            certVersion   INTEGER }
    """

    subguid: BMPString
    cert_version: int


_attribute = partial(register_type, SUBJECT_ATTRIBUTES)


def _property(number: int, name: str, syntax: Any = OctetString) -> ObjectIdentifier:
    return _attribute(f"1.3.6.1.4.1.311.10.11.{number}", name, syntax)


szoid_ctl = ObjectIdentifier("1.3.6.1.4.1.311.10.1")
register_known(
    {
        szoid_ctl.dotted: "szOID_CTL",
        "1.3.6.1.4.1.311.10.3.9": "szOID_ROOT_LIST_SIGNER",
        "1.3.6.1.4.1.311.10.3.30": "szOID_DISALLOWED_LIST",
        "1.3.6.1.4.1.311.12.1.1": "szOID_CATALOG_LIST",
        "1.3.6.1.4.1.311.12.1.2": "szOID_CATALOG_LIST_MEMBER",
        "1.3.6.1.4.1.311.12.1.3": "szOID_CATALOG_LIST_MEMBER2",
    }
)
CONTENT_TYPES.register(szoid_ctl, CertificateTrustList)

_USAGES = Annotated[OctetString, Containing(ExtKeyUsageSyntax)]
cert_enhkey_usage = _property(9, "CERT_ENHKEY_USAGE_PROP_ID", _USAGES)
cert_friendly_name = _property(11, "CERT_FRIENDLY_NAME_PROP_ID")
cert_key_identifier = _property(20, "CERT_KEY_IDENTIFIER_PROP_ID")
cert_subject_name_md5_hash = _property(29, "CERT_SUBJECT_NAME_MD5_HASH_PROP_ID")
cert_root_program_cert_policies = _property(
    83, "CERT_ROOT_PROGRAM_CERT_POLICIES_PROP_ID", Annotated[OctetString, Containing(CertificatePolicies)]
)
cert_auth_root_sha256_hash = _property(98, "CERT_AUTH_ROOT_SHA256_HASH_PROP_ID")
cert_disallowed_filetime = _property(104, "CERT_DISALLOWED_FILETIME_PROP_ID")
cert_root_program_chain_policies = _property(105, "CERT_ROOT_PROGRAM_CHAIN_POLICIES_PROP_ID", _USAGES)
cert_disallowed_enhkey_usage = _property(122, "CERT_DISALLOWED_ENHKEY_USAGE_PROP_ID", _USAGES)
cert_not_before_filetime = _property(126, "CERT_NOT_BEFORE_FILETIME_PROP_ID")
cert_not_before_enhkey_usage = _property(127, "CERT_NOT_BEFORE_ENHKEY_USAGE_PROP_ID", _USAGES)

# A catalog has attributes of this type as extensions, too.
cat_namevalue_objid = _attribute("1.3.6.1.4.1.311.12.2.1", "CAT_NAMEVALUE_OBJID", CatalogNameValue)
cat_memberinfo_objid = _attribute("1.3.6.1.4.1.311.12.2.2", "CAT_MEMBERINFO_OBJID", CatalogMemberInfo)
known_extension(cat_namevalue_objid.dotted, "CAT_NAMEVALUE_OBJID", CatalogNameValue, on_mismatch="opaque")
