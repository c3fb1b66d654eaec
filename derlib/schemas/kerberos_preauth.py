"""Authentication before Kerberos tickets: PKINIT (RFC 4556, 8636, 8070) and FAST (RFC 6113).

Import this module so that `padata_value` of `derlib.schemas.kerberos.PA_DATA` reads as the types of PKINIT. The fields
`signed_auth_pack`, `dh_signed_data` and `enc_key_pack` contain CMS objects: read them with
`derlib.schemas.cms.ContentInfo`.

    >>> from derlib.schemas.kerberos import PA_DATA, PADataType
    >>> request = PA_DATA(padata_type=PADataType.pa_pk_as_req, padata_value={"signed_auth_pack": b"a CMS object"})
    >>> PA_DATA.decode(request.encode()).padata_value.signed_auth_pack
    b'a CMS object'
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Addition,
    BitString,
    Choice,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.general import Int32, KRB5PrincipalName, PrincipalName
from derlib.schemas.kerberos import (
    INT32,
    KDC_REQ_BODY,
    PA_DATA,
    PA_DATA_VALUES,
    Checksum,
    EncryptedData,
    EncryptionKey,
    KerberosFlags,
    KerberosTime,
    Microseconds,
    PADataType,
    Realm,
    UInt32,
)
from derlib.schemas.x509 import SubjectPublicKeyInfo

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AD_INITIAL_VERIFIED_CAS",
    "AuthPack",
    "DHNonce",
    "DHRepInfo",
    "EncryptedChallenge",
    "ExternalPrincipalIdentifier",
    "FastOptions",
    "KDCDHKeyInfo",
    "KDFAlgorithmId",
    "KRB5PrincipalName",
    "KrbFastArmor",
    "KrbFastArmoredRep",
    "KrbFastArmoredReq",
    "KrbFastFinished",
    "KrbFastReq",
    "KrbFastResponse",
    "OtherInfo",
    "PA_AUTHENTICATION_SET",
    "PA_AUTHENTICATION_SET_ELEM",
    "PA_FX_FAST_REPLY",
    "PA_FX_FAST_REQUEST",
    "PA_PK_AS_REP",
    "PA_PK_AS_REQ",
    "PKAuthenticator",
    "PkinitSuppPubInfo",
    "ReplyKeyPack",
    "TD_CERT_DIGEST_ALGORITHMS_DATA",
    "TD_CMS_DIGEST_ALGORITHMS_DATA",
    "TD_DH_PARAMETERS",
    "TD_INVALID_CERTIFICATES",
    "TD_TRUSTED_CERTIFIERS",
    "id_pkinit",
    "id_pkinit_auth_data",
    "id_pkinit_dh_key_data",
    "id_pkinit_rkey_data",
]

id_pkinit = ObjectIdentifier("1.3.6.1.5.2.3")
id_pkinit_auth_data = ObjectIdentifier("1.3.6.1.5.2.3.1")
id_pkinit_dh_key_data = ObjectIdentifier("1.3.6.1.5.2.3.2")
id_pkinit_rkey_data = ObjectIdentifier("1.3.6.1.5.2.3.3")
register_known(
    {
        id_pkinit.dotted: "id-pkinit",
        id_pkinit_auth_data.dotted: "id-pkinit-authData",
        id_pkinit_dh_key_data.dotted: "id-pkinit-DHKeyData",
        id_pkinit_rkey_data.dotted: "id-pkinit-rkeyData",
    }
)


class ExternalPrincipalIdentifier(Sequence, extensible=True):
    """An issuer or a certificate: DER of a `Name` or of an `IssuerAndSerialNumber` (RFC 4556 section 3.2.1).

    ::

        ExternalPrincipalIdentifier ::= SEQUENCE {
           subjectName            [0] IMPLICIT OCTET STRING OPTIONAL,
          issuerAndSerialNumber   [1] IMPLICIT OCTET STRING OPTIONAL,
          subjectKeyIdentifier    [2] IMPLICIT OCTET STRING OPTIONAL,
           ...
        }
    """

    subject_name: Annotated[OctetString, Implicit(0)] | None = None
    issuer_and_serial_number: Annotated[OctetString, Implicit(1)] | None = None
    subject_key_identifier: Annotated[OctetString, Implicit(2)] | None = None


class PA_PK_AS_REQ(Sequence, extensible=True):
    """A client authenticates itself with a certificate (RFC 4556 section 3.2.1).

    ::

        PA-PK-AS-REQ ::= SEQUENCE {
           signedAuthPack          [0] IMPLICIT OCTET STRING,
           trustedCertifiers       [1] SEQUENCE OF
                       ExternalPrincipalIdentifier OPTIONAL,
           kdcPkId                 [2] IMPLICIT OCTET STRING
                                       OPTIONAL,
           ...
        }
    """

    signed_auth_pack: Annotated[OctetString, Implicit(0)]
    trusted_certifiers: Annotated[SequenceOf[ExternalPrincipalIdentifier], Explicit(1)] | None = None
    kdc_pk_id: Annotated[OctetString, Implicit(2)] | None = None


DHNonce: TypeAlias = OctetString  # RFC 4556 section 3.2.1


class PKAuthenticator(Sequence, extensible=True):
    """Binds a request to a time and to its body (RFC 4556 section 3.2.1, RFC 8070 section 4).

    ::

        PKAuthenticator ::= SEQUENCE {
           cusec                   [0] INTEGER (0..999999),
           ctime                   [1] KerberosTime,
           nonce                   [2] INTEGER (0..4294967295),
           paChecksum              [3] OCTET STRING OPTIONAL,
           ...,
           freshnessToken          [4] OCTET STRING OPTIONAL
        }
    """

    cusec: Annotated[int, Range(0, 999999), Explicit(0)]
    ctime: Annotated[KerberosTime, Explicit(1)]
    nonce: Annotated[int, Range(0, 2**32 - 1), Explicit(2)]
    pa_checksum: Annotated[OctetString, Explicit(3)] | None = None
    freshness_token: Annotated[OctetString, Explicit(4), Addition()] | None = None


class KDFAlgorithmId(Sequence, extensible=True):
    """A key derivation function (RFC 8636 section 5).

    ::

        KDFAlgorithmId ::= SEQUENCE {
               kdf-id            [0] OBJECT IDENTIFIER,
               ...
        }
    """

    kdf_id: Annotated[ObjectIdentifier, Explicit(0)]


class AuthPack(Sequence, extensible=True):
    """What a client signs (RFC 4556 section 3.2.1, RFC 8636 section 5).

    ::

        AuthPack ::= SEQUENCE {
           pkAuthenticator         [0] PKAuthenticator,
           clientPublicValue       [1] SubjectPublicKeyInfo OPTIONAL,
           supportedCMSTypes       [2] SEQUENCE OF AlgorithmIdentifier
                                       OPTIONAL,
           clientDHNonce           [3] DHNonce OPTIONAL,
           ...,
           supportedKDFs           [4] SEQUENCE OF KDFAlgorithmId OPTIONAL
        }
    """

    pk_authenticator: Annotated[PKAuthenticator, Explicit(0)]
    client_public_value: Annotated[SubjectPublicKeyInfo, Explicit(1)] | None = None
    supported_cms_types: Annotated[SequenceOf[AlgorithmIdentifier], Explicit(2)] | None = None
    client_dh_nonce: Annotated[DHNonce, Explicit(3)] | None = None
    supported_kd_fs: Annotated[SequenceOf[KDFAlgorithmId], Explicit(4), Addition()] | None = None


class TD_TRUSTED_CERTIFIERS(SequenceOf[ExternalPrincipalIdentifier]):
    """The issuers that the key distribution centre trusts (RFC 4556 section 3.2.2).

    ::

        TD-TRUSTED-CERTIFIERS ::= SEQUENCE OF
                       ExternalPrincipalIdentifier
    """


class TD_INVALID_CERTIFICATES(SequenceOf[ExternalPrincipalIdentifier]):
    """The certificates that are invalid (RFC 4556 section 3.2.2).

    ::

        TD-INVALID-CERTIFICATES ::= SEQUENCE OF
                       ExternalPrincipalIdentifier
    """


class AD_INITIAL_VERIFIED_CAS(SequenceOf[ExternalPrincipalIdentifier]):
    """The issuers of the client's certificates (RFC 4556 section 3.2.3).

    ::

        AD-INITIAL-VERIFIED-CAS ::= SEQUENCE OF
                       ExternalPrincipalIdentifier
    """


class DHRepInfo(Sequence, extensible=True):
    """The Diffie-Hellman key of the key distribution centre (RFC 4556 section 3.2.3, RFC 8636 section 5).

    ::

        DHRepInfo ::= SEQUENCE {
           dhSignedData            [0] IMPLICIT OCTET STRING,
           serverDHNonce           [1] DHNonce OPTIONAL,
           ...,
           kdf                     [2] KDFAlgorithmId OPTIONAL
        }
    """

    dh_signed_data: Annotated[OctetString, Implicit(0)]
    server_dh_nonce: Annotated[DHNonce, Explicit(1)] | None = None
    kdf: Annotated[KDFAlgorithmId, Explicit(2), Addition()] | None = None


class PA_PK_AS_REP(Choice, extensible=True):
    """The reply to `PA_PK_AS_REQ` (RFC 4556 section 3.2.3).

    ::

        PA-PK-AS-REP ::= CHOICE {
           dhInfo                  [0] DHRepInfo,
           encKeyPack              [1] IMPLICIT OCTET STRING,
           ...
        }
    """

    dh_info: Annotated[DHRepInfo, Explicit(0)]
    enc_key_pack: Annotated[OctetString, Implicit(1)]


class KDCDHKeyInfo(Sequence, extensible=True):
    """What the key distribution centre signs in `DHRepInfo` (RFC 4556 section 3.2.3.1).

    ::

        KDCDHKeyInfo ::= SEQUENCE {
           subjectPublicKey        [0] BIT STRING,
           nonce                   [1] INTEGER (0..4294967295),
           dhKeyExpiration         [2] KerberosTime OPTIONAL,
           ...
        }
    """

    subject_public_key: Annotated[BitString, Explicit(0)]
    nonce: Annotated[int, Range(0, 2**32 - 1), Explicit(1)]
    dh_key_expiration: Annotated[KerberosTime, Explicit(2)] | None = None


class ReplyKeyPack(Sequence, extensible=True):
    """The key that is encrypted to the client's certificate (RFC 4556 section 3.2.3.2).

    ::

        ReplyKeyPack ::= SEQUENCE {
           replyKey                [0] EncryptionKey,
           asChecksum              [1] Checksum,
           ...
        }
    """

    reply_key: Annotated[EncryptionKey, Explicit(0)]
    as_checksum: Annotated[Checksum, Explicit(1)]


class TD_DH_PARAMETERS(SequenceOf[AlgorithmIdentifier]):
    """The Diffie-Hellman parameters that are accepted (RFC 4556 section 3.2.2).

    ::

        TD-DH-PARAMETERS ::= SEQUENCE OF AlgorithmIdentifier
    """


class TD_CMS_DIGEST_ALGORITHMS_DATA(SequenceOf[AlgorithmIdentifier]):
    """The hash functions that are accepted in signatures (RFC 8636 section 3).

    ::

        TD-CMS-DIGEST-ALGORITHMS-DATA ::= SEQUENCE OF
            AlgorithmIdentifier
    """


class TD_CERT_DIGEST_ALGORITHMS_DATA(Sequence, extensible=True):
    """The hash functions that are accepted in certificates (RFC 8636 section 4).

    ::

        TD-CERT-DIGEST-ALGORITHMS-DATA ::= SEQUENCE {
               allowedAlgorithms [0] SEQUENCE OF AlgorithmIdentifier,
               rejectedAlgorithm [1] AlgorithmIdentifier OPTIONAL,
               ...
        }
    """

    allowed_algorithms: Annotated[SequenceOf[AlgorithmIdentifier], Explicit(0)]
    rejected_algorithm: Annotated[AlgorithmIdentifier, Explicit(1)] | None = None


class OtherInfo(Sequence):
    """What a key derivation function hashes with the secret (RFC 8636 section 6).

    ::

        OtherInfo ::= SEQUENCE {
                algorithmID   AlgorithmIdentifier,
                partyUInfo     [0] OCTET STRING,
                partyVInfo     [1] OCTET STRING,
                suppPubInfo    [2] OCTET STRING OPTIONAL,
                suppPrivInfo   [3] OCTET STRING OPTIONAL
        }
    """

    algorithm_id: AlgorithmIdentifier
    party_u_info: Annotated[OctetString, Explicit(0)]
    party_v_info: Annotated[OctetString, Explicit(1)]
    supp_pub_info: Annotated[OctetString, Explicit(2)] | None = None
    supp_priv_info: Annotated[OctetString, Explicit(3)] | None = None


class PkinitSuppPubInfo(Sequence, extensible=True):
    """The public part of `OtherInfo` (RFC 8636 section 6).

    ::

        PkinitSuppPubInfo ::= SEQUENCE {
               enctype           [0] Int32,
               as-REQ            [1] OCTET STRING,
               pk-as-rep         [2] OCTET STRING,
               ...
        }
    """

    enctype: Annotated[Int32, Explicit(0)]
    as_req: Annotated[OctetString, Explicit(1)]
    pk_as_rep: Annotated[OctetString, Explicit(2)]


class PA_AUTHENTICATION_SET_ELEM(Sequence, extensible=True):
    """One element of `PA_AUTHENTICATION_SET` (RFC 6113 section 5.3).

    ::

        PA-AUTHENTICATION-SET-ELEM ::= SEQUENCE {
            pa-type      [0] Int32,
            pa-hint      [1] OCTET STRING OPTIONAL,
            pa-value     [2] OCTET STRING OPTIONAL,
            ...
        }
    """

    pa_type: Annotated[PADataType, INT32, Explicit(0)]
    pa_hint: Annotated[OctetString, Explicit(1)] | None = None
    pa_value: Annotated[OctetString, Explicit(2)] | None = None


class PA_AUTHENTICATION_SET(SequenceOf[PA_AUTHENTICATION_SET_ELEM]):
    """Ways of authentication that a client must use together (RFC 6113 section 5.3).

    ::

        PA-AUTHENTICATION-SET ::= SEQUENCE OF PA-AUTHENTICATION-SET-ELEM
    """


class KrbFastArmor(Sequence, extensible=True):
    """The ticket whose key protects a request (RFC 6113 section 5.4.1).

    ::

        KrbFastArmor ::= SEQUENCE {
            armor-type   [0] Int32,
            armor-value  [1] OCTET STRING,
            ...
        }
    """

    armor_type: Annotated[Int32, Explicit(0)]
    armor_value: Annotated[OctetString, Explicit(1)]


class KrbFastArmoredReq(Sequence, extensible=True):
    """A protected request (RFC 6113 section 5.4.2).

    ::

        KrbFastArmoredReq ::= SEQUENCE {
            armor        [0] KrbFastArmor OPTIONAL,
            req-checksum [1] Checksum,
            enc-fast-req [2] EncryptedData,
            ...
        }
    """

    armor: Annotated[KrbFastArmor, Explicit(0)] | None = None
    req_checksum: Annotated[Checksum, Explicit(1)]
    enc_fast_req: Annotated[EncryptedData, Explicit(2)]


class PA_FX_FAST_REQUEST(Choice, extensible=True):
    """The FAST request in `padata_value` of type 136 (RFC 6113 section 5.4.2).

    ::

        PA-FX-FAST-REQUEST ::= CHOICE {
            armored-data [0] KrbFastArmoredReq,
            ...
        }
    """

    armored_data: Annotated[KrbFastArmoredReq, Explicit(0)]


FastOptions: TypeAlias = KerberosFlags  # RFC 6113 section 5.4.2


class KrbFastReq(Sequence, extensible=True):
    """The encrypted part of `KrbFastArmoredReq` (RFC 6113 section 5.4.2).

    ::

        KrbFastReq ::= SEQUENCE {
            fast-options [0] FastOptions,
            padata       [1] SEQUENCE OF PA-DATA,
            req-body     [2] KDC-REQ-BODY,
            ...
        }
    """

    fast_options: Annotated[FastOptions, Explicit(0)]
    padata: Annotated[SequenceOf[PA_DATA], Explicit(1)]
    req_body: Annotated[KDC_REQ_BODY, Explicit(2)]


class KrbFastArmoredRep(Sequence, extensible=True):
    """A protected reply (RFC 6113 section 5.4.3).

    ::

        KrbFastArmoredRep ::= SEQUENCE {
            enc-fast-rep [0] EncryptedData,
            ...
        }
    """

    enc_fast_rep: Annotated[EncryptedData, Explicit(0)]


class PA_FX_FAST_REPLY(Choice, extensible=True):
    """The FAST reply in `padata_value` of type 136 (RFC 6113 section 5.4.3).

    ::

        PA-FX-FAST-REPLY ::= CHOICE {
            armored-data [0] KrbFastArmoredRep,
            ...
        }
    """

    armored_data: Annotated[KrbFastArmoredRep, Explicit(0)]


class KrbFastFinished(Sequence, extensible=True):
    """Binds the reply to the ticket (RFC 6113 section 5.4.3).

    ::

        KrbFastFinished ::= SEQUENCE {
            timestamp       [0] KerberosTime,
            usec            [1] Microseconds,
            crealm          [2] Realm,
            cname           [3] PrincipalName,
            ticket-checksum [4] Checksum,
            ...
        }
    """

    timestamp: Annotated[KerberosTime, Explicit(0)]
    usec: Annotated[Microseconds, Explicit(1)]
    crealm: Annotated[Realm, Explicit(2)]
    cname: Annotated[PrincipalName, Explicit(3)]
    ticket_checksum: Annotated[Checksum, Explicit(4)]


class KrbFastResponse(Sequence, extensible=True):
    """The encrypted part of `KrbFastArmoredRep` (RFC 6113 section 5.4.3).

    ::

        KrbFastResponse ::= SEQUENCE {
            padata         [0] SEQUENCE OF PA-DATA,
            strengthen-key [1] EncryptionKey OPTIONAL,
            finished       [2] KrbFastFinished OPTIONAL,
            nonce          [3] UInt32,
            ...
        }
    """

    padata: Annotated[SequenceOf[PA_DATA], Explicit(0)]
    strengthen_key: Annotated[EncryptionKey, Explicit(1)] | None = None
    finished: Annotated[KrbFastFinished, Explicit(2)] | None = None
    nonce: Annotated[UInt32, Explicit(3)]


EncryptedChallenge: TypeAlias = EncryptedData  # RFC 6113 section 5.4.6: a PA-ENC-TS-ENC is encrypted


for _number, _type in (
    (PADataType.pa_pk_as_req, PA_PK_AS_REQ),
    (PADataType.pa_pk_as_rep, PA_PK_AS_REP),
    (PADataType.pa_authentication_set, PA_AUTHENTICATION_SET),
    (PADataType.pa_auth_set_selected, PA_AUTHENTICATION_SET),
    (PADataType.pa_encrypted_challenge, EncryptedData),
):
    PA_DATA_VALUES.register(_number, _type)
