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
    ...     error_code=ErrorCode.kdc_err_preauth_required,
    ...     realm="ATHENA.MIT.EDU",
    ...     sname=PrincipalName.from_native({"name_type": 2, "name_string": ["krbtgt", "ATHENA.MIT.EDU"]}),
    ... )
    >>> KRB_ERROR.decode(error.encode()).error_code
    <ErrorCode.kdc_err_preauth_required: 25>
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Explicit,
    OctetString,
    OneOf,
    Sequence,
    SequenceOf,
)
from derlib.schemas.general import Int32, PrincipalName
from derlib.schemas.kerberos_tickets import (
    AS_REP,
    AS_REQ,
    KDC_REP,
    KDC_REQ,
    KDC_REQ_BODY,
    TGS_REP,
    TGS_REQ,
    EncASRepPart,
    EncKDCRepPart,
    EncTGSRepPart,
    EncTicketPart,
    KDCOptions,
    LastReq,
    LastReqElement,
    Ticket,
    TicketFlags,
    TransitedEncoding,
)
from derlib.schemas.kerberos_types import (
    AD_AND_OR,
    AD_IF_RELEVANT,
    AD_MANDATORY_FOR_KDC,
    ETYPE_INFO,
    ETYPE_INFO2,
    ETYPE_INFO2_ENTRY,
    ETYPE_INFO_ENTRY,
    INT32,
    METHOD_DATA,
    PA_DATA,
    PA_DATA_VALUES,
    PA_ENC_TIMESTAMP,
    PA_ENC_TS_ENC,
    TYPED_DATA,
    AD_KDCIssued,
    AuthorizationData,
    AuthorizationDataElement,
    Checksum,
    EncryptedData,
    EncryptionKey,
    EncryptionType,
    ErrorCode,
    HostAddress,
    HostAddresses,
    KerberosFlags,
    KerberosString,
    KerberosTime,
    Microseconds,
    PADataType,
    Realm,
    TYPED_DATAElement,
    UInt32,
    id_krb5,
)

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


for _number, _type in (
    (PADataType.pa_tgs_req, AP_REQ),
    (PADataType.pa_enc_timestamp, EncryptedData),
    (PADataType.pa_etype_info, ETYPE_INFO),
    (PADataType.pa_etype_info2, ETYPE_INFO2),
):
    PA_DATA_VALUES.register(_number, _type)
