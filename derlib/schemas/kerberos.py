"""Kerberos version 5: the messages of RFC 4120.

Messages are DER, so `decode` reads them as they are. The encrypted parts have types of their own, such as
`EncTicketPart`: decrypt the `cipher` of an `EncryptedData`, and decode the result. derlib does not decrypt.
`derlib.schemas.kerberos_preauth` has the messages of PKINIT and FAST.

    >>> from datetime import datetime, timezone
    >>> error = KRB_ERROR(
    ...     pvno=5,
    ...     msg_type=30,
    ...     stime=datetime(1994, 6, 10, 6, 3, 17, tzinfo=timezone.utc),
    ...     susec=123456,
    ...     error_code="kdc_err_preauth_required",
    ...     realm="ATHENA.MIT.EDU",
    ...     sname={"name_type": 2, "name_string": ["krbtgt", "ATHENA.MIT.EDU"]},
    ... )
    >>> KRB_ERROR.decode(error.encode()).error_code
    <ErrorCode.kdc_err_preauth_required: 25>
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    BitString,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    GeneralString,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.general import Int32, PrincipalName

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AD_AND_OR",
    "AD_IF_RELEVANT",
    "AD_KDCIssued",
    "AD_MANDATORY_FOR_KDC",
    "APOptions",
    "AP_REP",
    "AP_REQ",
    "AS_REP",
    "AS_REQ",
    "Authenticator",
    "AuthorizationData",
    "AuthorizationDataElement",
    "Checksum",
    "ETYPE_INFO",
    "ETYPE_INFO2",
    "ETYPE_INFO2_ENTRY",
    "ETYPE_INFO_ENTRY",
    "EncAPRepPart",
    "EncASRepPart",
    "EncKDCRepPart",
    "EncKrbCredPart",
    "EncKrbPrivPart",
    "EncTGSRepPart",
    "EncTicketPart",
    "EncryptedData",
    "EncryptionKey",
    "EncryptionType",
    "ErrorCode",
    "HostAddress",
    "HostAddresses",
    "INT32",
    "Int32",
    "KDCOptions",
    "KDC_REP",
    "KDC_REQ",
    "KDC_REQ_BODY",
    "KRB_CRED",
    "KRB_ERROR",
    "KRB_PRIV",
    "KRB_SAFE",
    "KRB_SAFE_BODY",
    "KerberosFlags",
    "KerberosString",
    "KerberosTime",
    "KrbCredInfo",
    "LastReq",
    "LastReqElement",
    "METHOD_DATA",
    "Microseconds",
    "PADataType",
    "PA_DATA",
    "PA_DATA_VALUES",
    "PA_ENC_TIMESTAMP",
    "PA_ENC_TS_ENC",
    "PrincipalName",
    "Realm",
    "TGS_REP",
    "TGS_REQ",
    "TYPED_DATA",
    "TYPED_DATAElement",
    "Ticket",
    "TicketFlags",
    "TransitedEncoding",
    "UInt32",
    "id_krb5",
]

id_krb5 = ObjectIdentifier("1.3.6.1.5.2")
register_known({id_krb5.dotted: "id-krb5"})

#: The types of `padata_value` by `padata_type`. Requests and replies of FAST have the same number, so they stay bytes.
PA_DATA_VALUES = OpenTypes("PA_DATA_VALUES", on_mismatch="opaque")

INT32 = Range(-(2**31), 2**31 - 1)  # section 5.2.4
UInt32: TypeAlias = Annotated[int, Range(0, 2**32 - 1)]  # section 5.2.4
Microseconds: TypeAlias = Annotated[int, Range(0, 999999)]  # section 5.2.4
KerberosString: TypeAlias = GeneralString  # section 5.2.1
Realm: TypeAlias = KerberosString  # section 5.2.2
KerberosTime: TypeAlias = GeneralizedTime  # section 5.2.3, without fractions of a second


class EncryptionType(NamedInteger):
    """The type of a key and of what it encrypts (RFC 3961 section 8, RFC 3962, 4757, 6803 and 8009)."""

    des_cbc_crc = 1
    des_cbc_md4 = 2
    des_cbc_md5 = 3
    des3_cbc_md5 = 5
    des3_cbc_sha1 = 7
    des3_cbc_sha1_kd = 16
    aes128_cts_hmac_sha1_96 = 17
    aes256_cts_hmac_sha1_96 = 18
    aes128_cts_hmac_sha256_128 = 19
    aes256_cts_hmac_sha384_192 = 20
    rc4_hmac = 23
    rc4_hmac_exp = 24
    camellia128_cts_cmac = 25
    camellia256_cts_cmac = 26


class PADataType(NamedInteger):
    """The type of `PA_DATA` (RFC 4120 section 7.5.2 and later RFCs)."""

    pa_tgs_req = 1
    pa_enc_timestamp = 2
    pa_pw_salt = 3
    pa_etype_info = 11
    pa_pk_as_req = 16
    pa_pk_as_rep = 17
    pa_etype_info2 = 19
    pa_pac_request = 128
    pa_for_user = 129
    pa_for_x509_user = 130
    pa_as_checksum = 132
    pa_fx_cookie = 133
    pa_authentication_set = 134
    pa_auth_set_selected = 135
    pa_fx_fast = 136
    pa_fx_error = 137
    pa_encrypted_challenge = 138
    pa_otp_challenge = 141
    pa_otp_request = 142
    pa_otp_pin_change = 144
    pa_pkinit_kx = 147
    pa_req_enc_pa_rep = 149
    pa_as_freshness = 150
    pa_spake = 151


class ErrorCode(NamedInteger):
    """The code of an error (RFC 4120 section 7.5.9, RFC 4556 section 3.1.3)."""

    kdc_err_none = 0
    kdc_err_name_exp = 1
    kdc_err_service_exp = 2
    kdc_err_bad_pvno = 3
    kdc_err_c_old_mast_kvno = 4
    kdc_err_s_old_mast_kvno = 5
    kdc_err_c_principal_unknown = 6
    kdc_err_s_principal_unknown = 7
    kdc_err_principal_not_unique = 8
    kdc_err_null_key = 9
    kdc_err_cannot_postdate = 10
    kdc_err_never_valid = 11
    kdc_err_policy = 12
    kdc_err_badoption = 13
    kdc_err_etype_nosupp = 14
    kdc_err_sumtype_nosupp = 15
    kdc_err_padata_type_nosupp = 16
    kdc_err_trtype_nosupp = 17
    kdc_err_client_revoked = 18
    kdc_err_service_revoked = 19
    kdc_err_tgt_revoked = 20
    kdc_err_client_notyet = 21
    kdc_err_service_notyet = 22
    kdc_err_key_expired = 23
    kdc_err_preauth_failed = 24
    kdc_err_preauth_required = 25
    kdc_err_server_nomatch = 26
    kdc_err_must_use_user2user = 27
    kdc_err_path_not_accepted = 28
    kdc_err_svc_unavailable = 29
    krb_ap_err_bad_integrity = 31
    krb_ap_err_tkt_expired = 32
    krb_ap_err_tkt_nyv = 33
    krb_ap_err_repeat = 34
    krb_ap_err_not_us = 35
    krb_ap_err_badmatch = 36
    krb_ap_err_skew = 37
    krb_ap_err_badaddr = 38
    krb_ap_err_badversion = 39
    krb_ap_err_msg_type = 40
    krb_ap_err_modified = 41
    krb_ap_err_badorder = 42
    krb_ap_err_badkeyver = 44
    krb_ap_err_nokey = 45
    krb_ap_err_mut_fail = 46
    krb_ap_err_baddirection = 47
    krb_ap_err_method = 48
    krb_ap_err_badseq = 49
    krb_ap_err_inapp_cksum = 50
    krb_ap_path_not_accepted = 51
    krb_err_response_too_big = 52
    krb_err_generic = 60
    krb_err_field_toolong = 61
    kdc_error_client_not_trusted = 62
    kdc_error_kdc_not_trusted = 63
    kdc_error_invalid_sig = 64
    kdc_err_key_too_weak = 65
    kdc_err_certificate_mismatch = 66
    krb_ap_err_no_tgt = 67
    kdc_err_wrong_realm = 68
    krb_ap_err_user_to_user_required = 69
    kdc_err_cant_verify_certificate = 70
    kdc_err_invalid_certificate = 71
    kdc_err_revoked_certificate = 72
    kdc_err_revocation_status_unknown = 73
    kdc_err_revocation_status_unavailable = 74
    kdc_err_client_name_mismatch = 75
    kdc_err_kdc_name_mismatch = 76


class HostAddress(Sequence):
    """The address of a host (RFC 4120 section 5.2.5).

    ::

        HostAddress     ::= SEQUENCE  {
                addr-type       [0] Int32,
                address         [1] OCTET STRING
        }
    """

    addr_type: Annotated[Int32, Explicit(0)]
    address: Annotated[OctetString, Explicit(1)]


class HostAddresses(SequenceOf[HostAddress]):
    """The addresses from which a ticket can be used (RFC 4120 section 5.2.5).

    ::

        HostAddresses   ::= SEQUENCE OF HostAddress
    """


class AuthorizationDataElement(Sequence):
    """One element of `AuthorizationData` (RFC 4120 section 5.2.6)."""

    ad_type: Annotated[Int32, Explicit(0)]
    ad_data: Annotated[OctetString, Explicit(1)]


class AuthorizationData(SequenceOf[AuthorizationDataElement]):
    """Restrictions on the use of a ticket (RFC 4120 section 5.2.6).

    ::

        AuthorizationData       ::= SEQUENCE OF SEQUENCE {
                ad-type         [0] Int32,
                ad-data         [1] OCTET STRING
        }
    """


class PA_DATA(Sequence):
    """Data for the authentication before a ticket is issued (RFC 4120 section 5.2.7).

    ::

        PA-DATA         ::= SEQUENCE {
                -- NOTE: first tag is [1], not [0]
                padata-type     [1] Int32,
                padata-value    [2] OCTET STRING -- might be encoded AP-REQ
        }
    """

    padata_type: Annotated[PADataType, INT32, Explicit(1)]
    padata_value: Annotated[Any, OctetString, DefinedBy("padata_type", PA_DATA_VALUES), Explicit(2)]


# section 5.2.8; bit 0 is the first one, and trailing zeros are kept. A lenient implementation may accept fewer bits, but
# derlib refuses them: minikerberos sends such flags.
KerberosFlags: TypeAlias = Annotated[BitString, Size(32, None)]


class EncryptedData(Sequence):
    """Encrypted data, with the type and the version of the key (RFC 4120 section 5.2.9).

    ::

        EncryptedData   ::= SEQUENCE {
                etype   [0] Int32 -- EncryptionType --,
                kvno    [1] UInt32 OPTIONAL,
                cipher  [2] OCTET STRING -- ciphertext
        }
    """

    etype: Annotated[EncryptionType, INT32, Explicit(0)]
    kvno: Annotated[UInt32, Explicit(1)] | None = None
    cipher: Annotated[OctetString, Explicit(2)]


class EncryptionKey(Sequence):
    """An encryption key (RFC 4120 section 5.2.9).

    ::

        EncryptionKey   ::= SEQUENCE {
                keytype         [0] Int32 -- actually encryption type --,
                keyvalue        [1] OCTET STRING
        }
    """

    keytype: Annotated[EncryptionType, INT32, Explicit(0)]
    keyvalue: Annotated[OctetString, Explicit(1)]


class Checksum(Sequence):
    """A checksum (RFC 4120 section 5.2.9).

    ::

        Checksum        ::= SEQUENCE {
                cksumtype       [0] Int32,
                checksum        [1] OCTET STRING
        }
    """

    cksumtype: Annotated[Int32, Explicit(0)]
    checksum: Annotated[OctetString, Explicit(1)]


class Ticket(Sequence, tag=Explicit(1, "application")):
    """A ticket for a server (RFC 4120 section 5.3).

    ::

        Ticket          ::= [APPLICATION 1] SEQUENCE {
                tkt-vno         [0] INTEGER (5),
                realm           [1] Realm,
                sname           [2] PrincipalName,
                enc-part        [3] EncryptedData -- EncTicketPart
        }
    """

    tkt_vno: Annotated[int, OneOf(5), Explicit(0)]
    realm: Annotated[Realm, Explicit(1)]
    sname: Annotated[PrincipalName, Explicit(2)]
    enc_part: Annotated[EncryptedData, Explicit(3)]


TicketFlags: TypeAlias = KerberosFlags  # section 5.3


class TransitedEncoding(Sequence):
    """The realms that took part in the authentication (RFC 4120 section 5.3).

    ::

        TransitedEncoding       ::= SEQUENCE {
                tr-type         [0] Int32 -- must be registered --,
                contents        [1] OCTET STRING
        }
    """

    tr_type: Annotated[Int32, Explicit(0)]
    contents: Annotated[OctetString, Explicit(1)]


class EncTicketPart(Sequence, tag=Explicit(3, "application")):
    """The encrypted part of a ticket (RFC 4120 section 5.3).

    ::

        EncTicketPart   ::= [APPLICATION 3] SEQUENCE {
                flags                   [0] TicketFlags,
                key                     [1] EncryptionKey,
                crealm                  [2] Realm,
                cname                   [3] PrincipalName,
                transited               [4] TransitedEncoding,
                authtime                [5] KerberosTime,
                starttime               [6] KerberosTime OPTIONAL,
                endtime                 [7] KerberosTime,
                renew-till              [8] KerberosTime OPTIONAL,
                caddr                   [9] HostAddresses OPTIONAL,
                authorization-data      [10] AuthorizationData OPTIONAL
        }
    """

    flags: Annotated[TicketFlags, Explicit(0)]
    key: Annotated[EncryptionKey, Explicit(1)]
    crealm: Annotated[Realm, Explicit(2)]
    cname: Annotated[PrincipalName, Explicit(3)]
    transited: Annotated[TransitedEncoding, Explicit(4)]
    authtime: Annotated[KerberosTime, Explicit(5)]
    starttime: Annotated[KerberosTime, Explicit(6)] | None = None
    endtime: Annotated[KerberosTime, Explicit(7)]
    renew_till: Annotated[KerberosTime, Explicit(8)] | None = None
    caddr: Annotated[HostAddresses, Explicit(9)] | None = None
    authorization_data: Annotated[AuthorizationData, Explicit(10)] | None = None


KDCOptions: TypeAlias = KerberosFlags  # section 5.4.1


class KDC_REQ_BODY(Sequence):
    """What a client asks the key distribution centre for (RFC 4120 section 5.4.1).

    ::

        KDC-REQ-BODY    ::= SEQUENCE {
                kdc-options             [0] KDCOptions,
                cname                   [1] PrincipalName OPTIONAL
                                            -- Used only in AS-REQ --,
                realm                   [2] Realm
                                            -- Server's realm
                                            -- Also client's in AS-REQ --,
                sname                   [3] PrincipalName OPTIONAL,
                from                    [4] KerberosTime OPTIONAL,
                till                    [5] KerberosTime,
                rtime                   [6] KerberosTime OPTIONAL,
                nonce                   [7] UInt32,
                etype                   [8] SEQUENCE OF Int32 -- EncryptionType
                                            -- in preference order --,
                addresses               [9] HostAddresses OPTIONAL,
                enc-authorization-data  [10] EncryptedData OPTIONAL
                                            -- AuthorizationData --,
                additional-tickets      [11] SEQUENCE OF Ticket OPTIONAL
                                                -- NOTE: not empty
        }
    """

    kdc_options: Annotated[KDCOptions, Explicit(0)]
    cname: Annotated[PrincipalName, Explicit(1)] | None = None
    realm: Annotated[Realm, Explicit(2)]
    sname: Annotated[PrincipalName, Explicit(3)] | None = None
    from_: Annotated[KerberosTime, Explicit(4)] | None = None
    till: Annotated[KerberosTime, Explicit(5)]
    rtime: Annotated[KerberosTime, Explicit(6)] | None = None
    nonce: Annotated[UInt32, Explicit(7)]
    etype: Annotated[SequenceOf[Annotated[EncryptionType, INT32]], Explicit(8)]
    addresses: Annotated[HostAddresses, Explicit(9)] | None = None
    enc_authorization_data: Annotated[EncryptedData, Explicit(10)] | None = None
    additional_tickets: Annotated[SequenceOf[Ticket], Explicit(11)] | None = None


class KDC_REQ(Sequence):
    """What the requests `AS_REQ` and `TGS_REQ` have in common (RFC 4120 section 5.4.1).

    ::

        KDC-REQ         ::= SEQUENCE {
                -- NOTE: first tag is [1], not [0]
                pvno            [1] INTEGER (5) ,
                msg-type        [2] INTEGER (10 -- AS -- | 12 -- TGS --),
                padata          [3] SEQUENCE OF PA-DATA OPTIONAL
                                    -- NOTE: not empty --,
                req-body        [4] KDC-REQ-BODY
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(1)]
    msg_type: Annotated[int, OneOf(10, 12), Explicit(2)]
    padata: Annotated[SequenceOf[PA_DATA], Explicit(3)] | None = None
    req_body: Annotated[KDC_REQ_BODY, Explicit(4)]


class AS_REQ(KDC_REQ, tag=Explicit(10, "application")):
    """A request for a first ticket (RFC 4120 section 5.4.1).

    ::

        AS-REQ ::= [APPLICATION 10] KDC-REQ
    """


class TGS_REQ(KDC_REQ, tag=Explicit(12, "application")):
    """A request for a ticket, with a ticket (RFC 4120 section 5.4.1).

    ::

        TGS-REQ ::= [APPLICATION 12] KDC-REQ
    """


class KDC_REP(Sequence):
    """What the replies `AS_REP` and `TGS_REP` have in common (RFC 4120 section 5.4.2).

    ::

        KDC-REP         ::= SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (11 -- AS -- | 13 -- TGS --),
                padata          [2] SEQUENCE OF PA-DATA OPTIONAL
                                        -- NOTE: not empty --,
                crealm          [3] Realm,
                cname           [4] PrincipalName,
                ticket          [5] Ticket,
                enc-part        [6] EncryptedData
                                        -- EncASRepPart or EncTGSRepPart,
                                        -- as appropriate
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(11, 13), Explicit(1)]
    padata: Annotated[SequenceOf[PA_DATA], Explicit(2)] | None = None
    crealm: Annotated[Realm, Explicit(3)]
    cname: Annotated[PrincipalName, Explicit(4)]
    ticket: Annotated[Ticket, Explicit(5)]
    enc_part: Annotated[EncryptedData, Explicit(6)]


class AS_REP(KDC_REP, tag=Explicit(11, "application")):
    """The reply to `AS_REQ` (RFC 4120 section 5.4.2).

    ::

        AS-REP ::= [APPLICATION 11] KDC-REP
    """


class TGS_REP(KDC_REP, tag=Explicit(13, "application")):
    """The reply to `TGS_REQ` (RFC 4120 section 5.4.2).

    ::

        TGS-REP ::= [APPLICATION 13] KDC-REP
    """


class LastReqElement(Sequence):
    """One element of `LastReq` (RFC 4120 section 5.4.2)."""

    lr_type: Annotated[Int32, Explicit(0)]
    lr_value: Annotated[KerberosTime, Explicit(1)]


class LastReq(SequenceOf[LastReqElement]):
    """The times of the last requests of a client (RFC 4120 section 5.4.2).

    ::

        LastReq         ::=     SEQUENCE OF SEQUENCE {
                lr-type         [0] Int32,
                lr-value        [1] KerberosTime
        }
    """


class EncKDCRepPart(Sequence):
    """What the encrypted parts of replies have in common (RFC 4120 section 5.4.2).

    ::

        EncKDCRepPart   ::= SEQUENCE {
                key             [0] EncryptionKey,
                last-req        [1] LastReq,
                nonce           [2] UInt32,
                key-expiration  [3] KerberosTime OPTIONAL,
                flags           [4] TicketFlags,
                authtime        [5] KerberosTime,
                starttime       [6] KerberosTime OPTIONAL,
                endtime         [7] KerberosTime,
                renew-till      [8] KerberosTime OPTIONAL,
                srealm          [9] Realm,
                sname           [10] PrincipalName,
                caddr           [11] HostAddresses OPTIONAL
        }
    """

    key: Annotated[EncryptionKey, Explicit(0)]
    last_req: Annotated[LastReq, Explicit(1)]
    nonce: Annotated[UInt32, Explicit(2)]
    key_expiration: Annotated[KerberosTime, Explicit(3)] | None = None
    flags: Annotated[TicketFlags, Explicit(4)]
    authtime: Annotated[KerberosTime, Explicit(5)]
    starttime: Annotated[KerberosTime, Explicit(6)] | None = None
    endtime: Annotated[KerberosTime, Explicit(7)]
    renew_till: Annotated[KerberosTime, Explicit(8)] | None = None
    srealm: Annotated[Realm, Explicit(9)]
    sname: Annotated[PrincipalName, Explicit(10)]
    caddr: Annotated[HostAddresses, Explicit(11)] | None = None


class EncASRepPart(EncKDCRepPart, tag=Explicit(25, "application")):
    """The encrypted part of `AS_REP` (RFC 4120 section 5.4.2).

    ::

        EncASRepPart ::= [APPLICATION 25] EncKDCRepPart
    """


class EncTGSRepPart(EncKDCRepPart, tag=Explicit(26, "application")):
    """The encrypted part of `TGS_REP` (RFC 4120 section 5.4.2).

    ::

        EncTGSRepPart ::= [APPLICATION 26] EncKDCRepPart
    """


APOptions: TypeAlias = KerberosFlags  # section 5.5.1


class AP_REQ(Sequence, tag=Explicit(14, "application")):
    """A client authenticates itself to a server (RFC 4120 section 5.5.1).

    ::

        AP-REQ          ::= [APPLICATION 14] SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (14),
                ap-options      [2] APOptions,
                ticket          [3] Ticket,
                authenticator   [4] EncryptedData -- Authenticator
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(14), Explicit(1)]
    ap_options: Annotated[APOptions, Explicit(2)]
    ticket: Annotated[Ticket, Explicit(3)]
    authenticator: Annotated[EncryptedData, Explicit(4)]


class Authenticator(Sequence, tag=Explicit(2, "application")):
    """The encrypted part of `AP_REQ`: shows that the client has the key (RFC 4120 section 5.5.1).

    ::

        Authenticator   ::= [APPLICATION 2] SEQUENCE  {
                authenticator-vno       [0] INTEGER (5),
                crealm                  [1] Realm,
                cname                   [2] PrincipalName,
                cksum                   [3] Checksum OPTIONAL,
                cusec                   [4] Microseconds,
                ctime                   [5] KerberosTime,
                subkey                  [6] EncryptionKey OPTIONAL,
                seq-number              [7] UInt32 OPTIONAL,
                authorization-data      [8] AuthorizationData OPTIONAL
        }
    """

    authenticator_vno: Annotated[int, OneOf(5), Explicit(0)]
    crealm: Annotated[Realm, Explicit(1)]
    cname: Annotated[PrincipalName, Explicit(2)]
    cksum: Annotated[Checksum, Explicit(3)] | None = None
    cusec: Annotated[Microseconds, Explicit(4)]
    ctime: Annotated[KerberosTime, Explicit(5)]
    subkey: Annotated[EncryptionKey, Explicit(6)] | None = None
    seq_number: Annotated[UInt32, Explicit(7)] | None = None
    authorization_data: Annotated[AuthorizationData, Explicit(8)] | None = None


class AP_REP(Sequence, tag=Explicit(15, "application")):
    """A server authenticates itself to a client (RFC 4120 section 5.5.2).

    ::

        AP-REP          ::= [APPLICATION 15] SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (15),
                enc-part        [2] EncryptedData -- EncAPRepPart
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(15), Explicit(1)]
    enc_part: Annotated[EncryptedData, Explicit(2)]


class EncAPRepPart(Sequence, tag=Explicit(27, "application")):
    """The encrypted part of `AP_REP` (RFC 4120 section 5.5.2).

    ::

        EncAPRepPart    ::= [APPLICATION 27] SEQUENCE {
                ctime           [0] KerberosTime,
                cusec           [1] Microseconds,
                subkey          [2] EncryptionKey OPTIONAL,
                seq-number      [3] UInt32 OPTIONAL
        }
    """

    ctime: Annotated[KerberosTime, Explicit(0)]
    cusec: Annotated[Microseconds, Explicit(1)]
    subkey: Annotated[EncryptionKey, Explicit(2)] | None = None
    seq_number: Annotated[UInt32, Explicit(3)] | None = None


class KRB_SAFE_BODY(Sequence):
    """The part of `KRB_SAFE` that the checksum protects (RFC 4120 section 5.6.1).

    ::

        KRB-SAFE-BODY   ::= SEQUENCE {
                user-data       [0] OCTET STRING,
                timestamp       [1] KerberosTime OPTIONAL,
                usec            [2] Microseconds OPTIONAL,
                seq-number      [3] UInt32 OPTIONAL,
                s-address       [4] HostAddress,
                r-address       [5] HostAddress OPTIONAL
        }
    """

    user_data: Annotated[OctetString, Explicit(0)]
    timestamp: Annotated[KerberosTime, Explicit(1)] | None = None
    usec: Annotated[Microseconds, Explicit(2)] | None = None
    seq_number: Annotated[UInt32, Explicit(3)] | None = None
    s_address: Annotated[HostAddress, Explicit(4)]
    r_address: Annotated[HostAddress, Explicit(5)] | None = None


class KRB_SAFE(Sequence, tag=Explicit(20, "application")):
    """A message with a checksum (RFC 4120 section 5.6.1).

    ::

        KRB-SAFE        ::= [APPLICATION 20] SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (20),
                safe-body       [2] KRB-SAFE-BODY,
                cksum           [3] Checksum
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(20), Explicit(1)]
    safe_body: Annotated[KRB_SAFE_BODY, Explicit(2)]
    cksum: Annotated[Checksum, Explicit(3)]


class KRB_PRIV(Sequence, tag=Explicit(21, "application")):
    """An encrypted message (RFC 4120 section 5.7.1).

    ::

        KRB-PRIV        ::= [APPLICATION 21] SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (21),
                                -- NOTE: there is no [2] tag
                enc-part        [3] EncryptedData -- EncKrbPrivPart
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(21), Explicit(1)]
    enc_part: Annotated[EncryptedData, Explicit(3)]


class EncKrbPrivPart(Sequence, tag=Explicit(28, "application")):
    """The encrypted part of `KRB_PRIV` (RFC 4120 section 5.7.1).

    ::

        EncKrbPrivPart  ::= [APPLICATION 28] SEQUENCE {
                user-data       [0] OCTET STRING,
                timestamp       [1] KerberosTime OPTIONAL,
                usec            [2] Microseconds OPTIONAL,
                seq-number      [3] UInt32 OPTIONAL,
                s-address       [4] HostAddress -- sender's addr --,
                r-address       [5] HostAddress OPTIONAL -- recip's addr
        }
    """

    user_data: Annotated[OctetString, Explicit(0)]
    timestamp: Annotated[KerberosTime, Explicit(1)] | None = None
    usec: Annotated[Microseconds, Explicit(2)] | None = None
    seq_number: Annotated[UInt32, Explicit(3)] | None = None
    s_address: Annotated[HostAddress, Explicit(4)]
    r_address: Annotated[HostAddress, Explicit(5)] | None = None


class KRB_CRED(Sequence, tag=Explicit(22, "application")):
    """Tickets that are sent to another host, with their keys (RFC 4120 section 5.8.1).

    ::

        KRB-CRED        ::= [APPLICATION 22] SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (22),
                tickets         [2] SEQUENCE OF Ticket,
                enc-part        [3] EncryptedData -- EncKrbCredPart
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(22), Explicit(1)]
    tickets: Annotated[SequenceOf[Ticket], Explicit(2)]
    enc_part: Annotated[EncryptedData, Explicit(3)]


class KrbCredInfo(Sequence):
    """One ticket with its key, in `EncKrbCredPart` (RFC 4120 section 5.8.1).

    ::

        KrbCredInfo     ::= SEQUENCE {
                key             [0] EncryptionKey,
                prealm          [1] Realm OPTIONAL,
                pname           [2] PrincipalName OPTIONAL,
                flags           [3] TicketFlags OPTIONAL,
                authtime        [4] KerberosTime OPTIONAL,
                starttime       [5] KerberosTime OPTIONAL,
                endtime         [6] KerberosTime OPTIONAL,
                renew-till      [7] KerberosTime OPTIONAL,
                srealm          [8] Realm OPTIONAL,
                sname           [9] PrincipalName OPTIONAL,
                caddr           [10] HostAddresses OPTIONAL
        }
    """

    key: Annotated[EncryptionKey, Explicit(0)]
    prealm: Annotated[Realm, Explicit(1)] | None = None
    pname: Annotated[PrincipalName, Explicit(2)] | None = None
    flags: Annotated[TicketFlags, Explicit(3)] | None = None
    authtime: Annotated[KerberosTime, Explicit(4)] | None = None
    starttime: Annotated[KerberosTime, Explicit(5)] | None = None
    endtime: Annotated[KerberosTime, Explicit(6)] | None = None
    renew_till: Annotated[KerberosTime, Explicit(7)] | None = None
    srealm: Annotated[Realm, Explicit(8)] | None = None
    sname: Annotated[PrincipalName, Explicit(9)] | None = None
    caddr: Annotated[HostAddresses, Explicit(10)] | None = None


class EncKrbCredPart(Sequence, tag=Explicit(29, "application")):
    """The encrypted part of `KRB_CRED` (RFC 4120 section 5.8.1).

    ::

        EncKrbCredPart  ::= [APPLICATION 29] SEQUENCE {
                ticket-info     [0] SEQUENCE OF KrbCredInfo,
                nonce           [1] UInt32 OPTIONAL,
                timestamp       [2] KerberosTime OPTIONAL,
                usec            [3] Microseconds OPTIONAL,
                s-address       [4] HostAddress OPTIONAL,
                r-address       [5] HostAddress OPTIONAL
        }
    """

    ticket_info: Annotated[SequenceOf[KrbCredInfo], Explicit(0)]
    nonce: Annotated[UInt32, Explicit(1)] | None = None
    timestamp: Annotated[KerberosTime, Explicit(2)] | None = None
    usec: Annotated[Microseconds, Explicit(3)] | None = None
    s_address: Annotated[HostAddress, Explicit(4)] | None = None
    r_address: Annotated[HostAddress, Explicit(5)] | None = None


class KRB_ERROR(Sequence, tag=Explicit(30, "application")):
    """An error message (RFC 4120 section 5.9.1).

    ::

        KRB-ERROR       ::= [APPLICATION 30] SEQUENCE {
                pvno            [0] INTEGER (5),
                msg-type        [1] INTEGER (30),
                ctime           [2] KerberosTime OPTIONAL,
                cusec           [3] Microseconds OPTIONAL,
                stime           [4] KerberosTime,
                susec           [5] Microseconds,
                error-code      [6] Int32,
                crealm          [7] Realm OPTIONAL,
                cname           [8] PrincipalName OPTIONAL,
                realm           [9] Realm -- service realm --,
                sname           [10] PrincipalName -- service name --,
                e-text          [11] KerberosString OPTIONAL,
                e-data          [12] OCTET STRING OPTIONAL
        }
    """

    pvno: Annotated[int, OneOf(5), Explicit(0)]
    msg_type: Annotated[int, OneOf(30), Explicit(1)]
    ctime: Annotated[KerberosTime, Explicit(2)] | None = None
    cusec: Annotated[Microseconds, Explicit(3)] | None = None
    stime: Annotated[KerberosTime, Explicit(4)]
    susec: Annotated[Microseconds, Explicit(5)]
    error_code: Annotated[ErrorCode, INT32, Explicit(6)]
    crealm: Annotated[Realm, Explicit(7)] | None = None
    cname: Annotated[PrincipalName, Explicit(8)] | None = None
    realm: Annotated[Realm, Explicit(9)]
    sname: Annotated[PrincipalName, Explicit(10)]
    e_text: Annotated[KerberosString, Explicit(11)] | None = None
    e_data: Annotated[OctetString, Explicit(12)] | None = None


class METHOD_DATA(SequenceOf[PA_DATA]):
    """`e_data` of an error that asks for authentication (RFC 4120 section 5.9.1).

    ::

        METHOD-DATA     ::= SEQUENCE OF PA-DATA
    """


class TYPED_DATAElement(Sequence):
    """One element of `TYPED_DATA` (RFC 4120 section 5.9.1)."""

    data_type: Annotated[Int32, Explicit(0)]
    data_value: Annotated[OctetString, Explicit(1)] | None = None


class TYPED_DATA(SequenceOf[TYPED_DATAElement], size=Size(1, None)):
    """`e_data` of other errors (RFC 4120 section 5.9.1).

    ::

        TYPED-DATA      ::= SEQUENCE SIZE (1..MAX) OF SEQUENCE {
                data-type       [0] Int32,
                data-value      [1] OCTET STRING OPTIONAL
        }
    """


PA_ENC_TIMESTAMP: TypeAlias = EncryptedData  # section 5.2.7.2: a PA-ENC-TS-ENC is encrypted


class PA_ENC_TS_ENC(Sequence):
    """The time that a client encrypts to authenticate itself (RFC 4120 section 5.2.7.2).

    ::

        PA-ENC-TS-ENC           ::= SEQUENCE {
                patimestamp     [0] KerberosTime -- client's time --,
                pausec          [1] Microseconds OPTIONAL
        }
    """

    patimestamp: Annotated[KerberosTime, Explicit(0)]
    pausec: Annotated[Microseconds, Explicit(1)] | None = None


class ETYPE_INFO_ENTRY(Sequence):
    """One element of `ETYPE_INFO` (RFC 4120 section 5.2.7.4).

    ::

        ETYPE-INFO-ENTRY        ::= SEQUENCE {
                etype           [0] Int32,
                salt            [1] OCTET STRING OPTIONAL
        }
    """

    etype: Annotated[EncryptionType, INT32, Explicit(0)]
    salt: Annotated[OctetString, Explicit(1)] | None = None


class ETYPE_INFO(SequenceOf[ETYPE_INFO_ENTRY]):
    """The encryption types of a server, with salts (RFC 4120 section 5.2.7.4).

    ::

        ETYPE-INFO              ::= SEQUENCE OF ETYPE-INFO-ENTRY
    """


class ETYPE_INFO2_ENTRY(Sequence):
    """One element of `ETYPE_INFO2` (RFC 4120 section 5.2.7.5).

    ::

        ETYPE-INFO2-ENTRY       ::= SEQUENCE {
                etype           [0] Int32,
                salt            [1] KerberosString OPTIONAL,
                s2kparams       [2] OCTET STRING OPTIONAL
        }
    """

    etype: Annotated[EncryptionType, INT32, Explicit(0)]
    salt: Annotated[KerberosString, Explicit(1)] | None = None
    s2kparams: Annotated[OctetString, Explicit(2)] | None = None


class ETYPE_INFO2(SequenceOf[ETYPE_INFO2_ENTRY], size=Size(1, None)):
    """The encryption types of a server, with salts and parameters (RFC 4120 section 5.2.7.5).

    ::

        ETYPE-INFO2             ::= SEQUENCE SIZE (1..MAX) OF ETYPE-INFO2-ENTRY
    """


AD_IF_RELEVANT: TypeAlias = AuthorizationData  # section 5.2.6.1


class AD_KDCIssued(Sequence):
    """Authorization data that the key distribution centre vouches for (RFC 4120 section 5.2.6.2).

    ::

        AD-KDCIssued            ::= SEQUENCE {
                ad-checksum     [0] Checksum,
                i-realm         [1] Realm OPTIONAL,
                i-sname         [2] PrincipalName OPTIONAL,
                elements        [3] AuthorizationData
        }
    """

    ad_checksum: Annotated[Checksum, Explicit(0)]
    i_realm: Annotated[Realm, Explicit(1)] | None = None
    i_sname: Annotated[PrincipalName, Explicit(2)] | None = None
    elements: Annotated[AuthorizationData, Explicit(3)]


class AD_AND_OR(Sequence):
    """Authorization data of which some must be satisfied (RFC 4120 section 5.2.6.3).

    ::

        AD-AND-OR               ::= SEQUENCE {
                condition-count [0] Int32,
                elements        [1] AuthorizationData
        }
    """

    condition_count: Annotated[Int32, Explicit(0)]
    elements: Annotated[AuthorizationData, Explicit(1)]


AD_MANDATORY_FOR_KDC: TypeAlias = AuthorizationData  # section 5.2.6.4


for _number, _type in (
    (PADataType.pa_tgs_req, AP_REQ),
    (PADataType.pa_enc_timestamp, EncryptedData),
    (PADataType.pa_etype_info, ETYPE_INFO),
    (PADataType.pa_etype_info2, ETYPE_INFO2),
):
    PA_DATA_VALUES.register(_number, _type)
