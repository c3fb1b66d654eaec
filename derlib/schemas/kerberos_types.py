"""The parts of Kerberos messages: RFC 4120 sections 5.2 and 7.5.

Used by `derlib.schemas.kerberos`: numbers and strings, keys and encrypted data, data before authentication, and
authorization data. All tags are explicit.

>>> EncryptedData(etype=EncryptionType.aes128_cts_hmac_sha1_96, cipher=b"text").encode().hex()
'300da003020111a206040474657874'
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
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.general import Int32, PrincipalName

_COMPILE_AT_FIRST_USE = True


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


# Section 5.2.8: bit 0 is the first one, and trailing zeros are kept. A lenient implementation may accept fewer bits.
# derlib does not decode them, although minikerberos sends such flags.
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
