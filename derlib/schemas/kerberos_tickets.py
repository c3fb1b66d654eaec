"""Tickets of Kerberos, and the messages to and from the server that issues them: RFC 4120 sections 5.3 and 5.4.

Used by `derlib.schemas.kerberos`. All tags are explicit.

>>> TransitedEncoding(tr_type=1, contents=b"").encode().hex()
'3009a003020101a1020400'
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
from derlib.schemas.kerberos_types import (
    INT32,
    PA_DATA,
    AuthorizationData,
    EncryptedData,
    EncryptionKey,
    EncryptionType,
    HostAddresses,
    KerberosFlags,
    KerberosTime,
    Realm,
    UInt32,
)

_COMPILE_AT_FIRST_USE = True


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
