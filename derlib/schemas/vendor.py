"""Extensions of vendors that certificates still have: Microsoft, Netscape, Entrust.

Used by `derlib.schemas.x509`, which imports this module to register the extensions. Only documented extensions have a
type; the values of others are bytes.

>>> import derlib
>>> derlib.decode(NetscapeCertType, bytes.fromhex("03020007"))
<NetscapeCertType: ssl_ca, smime_ca, object_signing_ca>
"""

from __future__ import annotations

import functools
from typing import Annotated

from derlib import (
    RFC5280_TIME,
    BitString,
    BMPString,
    Explicit,
    GeneralizedTime,
    GeneralString,
    IA5String,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UTCTime,
)
from derlib.schemas.extensions import known_extension
from derlib.schemas.policies import CertificatePolicies

_COMPILE_AT_FIRST_USE = True


class CertificateTemplate(Sequence):
    """The template of a certificate that a Microsoft CA issued ([MS-WCCE] section 2.2.2.7.7.2).

    ::

        CertificateTemplate ::= SEQUENCE {
            templateID             OBJECT IDENTIFIER,
            templateMajorVersion   INTEGER (0..4294967295),
            templateMinorVersion   INTEGER (0..4294967295) OPTIONAL }

    In [MS-WCCE] both numbers are OPTIONAL, which X.680 25.6 does not allow for consecutive components with the same
    tag. The syntax above is that of IX509ExtensionTemplate, a programming interface of Microsoft.
    """

    template_id: ObjectIdentifier
    template_major_version: Annotated[int, Range(0, 4294967295)]
    template_minor_version: Annotated[int, Range(0, 4294967295)] | None = None


class ApplicationPolicies(CertificatePolicies):
    """The permitted uses of a certificate, in the syntax of certificate policies ([MS-WCCE] section 2.2.2.7.7.3).

    ::

        ApplicationPolicies ::= CertificatePolicies
    """


class NtdsObjectSid(Sequence):
    """An OtherName whose value is the security identifier (SID) of an account ([MS-WCCE] section 2.2.2.7.7.4).

    ::

        OtherName ::= SEQUENCE {
            type-id   OBJECT IDENTIFIER,            -- szOID_NTDS_OBJECTSID
            value     [0] EXPLICIT OCTET STRING }   -- ASCII text, such as S-1-5-21-...
    """

    type_id: ObjectIdentifier
    value: Annotated[OctetString, Explicit(0)]


class NtdsCaSecurityExt(SequenceOf[Annotated[NtdsObjectSid, Implicit(0)]], size=Size(1, None)):
    """The account that a certificate belongs to ([MS-WCCE] section 2.2.2.7.7.4).

    ::

        NtdsCaSecurityExt ::= GeneralNames   -- one otherName

    >>> encoding = bytes.fromhex("301c a01a 060a 2b06010401823719 0201 a00c 040a 532d312d352d32312d31")
    >>> NtdsCaSecurityExt.decode(encoding)[0].value
    b'S-1-5-21-1'
    """


class NetscapeCertType(NamedBits):
    """The purposes of a certificate (Netscape Certificate Extensions).

    ::

        NetscapeCertType ::= BIT STRING {
            sslClient (0), sslServer (1), smime (2), objectSigning (3), reserved (4),
            sslCA (5), smimeCA (6), objectSigningCA (7) }
    """

    ssl_client = 1 << 0
    ssl_server = 1 << 1
    smime = 1 << 2
    object_signing = 1 << 3
    reserved = 1 << 4
    ssl_ca = 1 << 5
    smime_ca = 1 << 6
    object_signing_ca = 1 << 7


class EntrustVersInfo(Sequence):
    """The version and capabilities of the software that issued a certificate (Entrust).

    ::

        EntrustVersInfo ::= SEQUENCE {
            entrustVers            GeneralString,
            entrustVersInfoFlags   BIT STRING }   -- keyUpdateAllowed (0), newExtensions (1), ...
    """

    entrust_vers: GeneralString
    entrust_vers_info_flags: BitString


# No standard defines these extensions, and CAs have changed their syntax: a value of another type is left opaque.
_register = functools.partial(known_extension, on_mismatch="opaque")

# Microsoft, with the names of wincrypt.h.
szoid_enroll_certtype_extension = _register("1.3.6.1.4.1.311.20.2", "szOID_ENROLL_CERTTYPE_EXTENSION", BMPString)
szoid_certsrv_ca_version = _register("1.3.6.1.4.1.311.21.1", "szOID_CERTSRV_CA_VERSION", int)
szoid_certsrv_previous_cert_hash = _register("1.3.6.1.4.1.311.21.2", "szOID_CERTSRV_PREVIOUS_CERT_HASH", OctetString)
szoid_crl_virtual_base = _register("1.3.6.1.4.1.311.21.3", "szOID_CRL_VIRTUAL_BASE", int)
szoid_crl_next_publish = _register(
    "1.3.6.1.4.1.311.21.4", "szOID_CRL_NEXT_PUBLISH", Annotated[UTCTime | GeneralizedTime, RFC5280_TIME]
)
szoid_certificate_template = _register("1.3.6.1.4.1.311.21.7", "szOID_CERTIFICATE_TEMPLATE", CertificateTemplate)
szoid_application_cert_policies = _register(
    "1.3.6.1.4.1.311.21.10", "szOID_APPLICATION_CERT_POLICIES", ApplicationPolicies
)
szoid_ntds_ca_security_ext = _register("1.3.6.1.4.1.311.25.2", "szOID_NTDS_CA_SECURITY_EXT", NtdsCaSecurityExt)

# Netscape.
netscape_cert_type = _register("2.16.840.1.113730.1.1", "netscape-cert-type", NetscapeCertType)
netscape_base_url = _register("2.16.840.1.113730.1.2", "netscape-base-url", IA5String)
netscape_revocation_url = _register("2.16.840.1.113730.1.3", "netscape-revocation-url", IA5String)
netscape_ca_revocation_url = _register("2.16.840.1.113730.1.4", "netscape-ca-revocation-url", IA5String)
netscape_cert_renewal_url = _register("2.16.840.1.113730.1.7", "netscape-cert-renewal-url", IA5String)
netscape_ca_policy_url = _register("2.16.840.1.113730.1.8", "netscape-ca-policy-url", IA5String)
netscape_ssl_server_name = _register("2.16.840.1.113730.1.12", "netscape-ssl-server-name", IA5String)
netscape_comment = _register("2.16.840.1.113730.1.13", "netscape-comment", IA5String)

# Entrust.
entrust_vers_info = _register("1.2.840.113533.7.65.0", "entrustVersInfo", EntrustVersInfo)
