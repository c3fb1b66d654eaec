"""SPNEGO, the negotiation of GSS-API mechanisms: RFC 4178, with the framing of RFC 2743 and the hints of MS-SPNG.

Import this module to read or build the tokens of HTTP Negotiate, SMB, LDAP and others. Tokens are DER (RFC 4178
section 4.1), but not all peers remove the zeros at the end of flags: ``rules="ber"`` reads their tokens, too.

    >>> from derlib.schemas.spnego import NegTokenInit, decode_token
    >>> token = decode_token(bytes.fromhex(
    ...     "604806062b0601050502a03e303ca00e300c060a2b06010401823702020aa22a04284e544c4d535350000100000037"
    ...     "8208e200000000280000000000000028000000000c04000000000f"
    ... ))
    >>> if isinstance(token, NegTokenInit):
    ...     print([mechanism.name for mechanism in token.mech_types])
    ['ntlmssp']

`unwrap_token` and `wrap_token` are for tokens of any mechanism, and `kerberos_message_of` reads a token of Kerberos.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Enumerated,
    Explicit,
    GeneralString,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Size,
    decode,
    encode,
)
from derlib.errors import ASN1Error, DecodeError
from derlib.oids import register_known
from derlib.schemas.kerberos import AP_REP, AP_REQ, KRB_ERROR

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AP_REP",
    "AP_REQ",
    "KRB_ERROR",
    "ContextFlags",
    "ContextFlagsBase",
    "InitialContextToken",
    "MechType",
    "MechTypeList",
    "NegHints",
    "NegState",
    "NegTokenInit",
    "NegTokenInit2",
    "NegTokenResp",
    "NegotiationToken",
    "decode_token",
    "kerberos_message_of",
    "mech_krb5",
    "mech_krb5_user_to_user",
    "mech_ms_krb5",
    "mech_negoex",
    "mech_ntlmssp",
    "mech_spnego",
    "unwrap_token",
    "wrap_token",
]

# The type of innerContextToken, by thisMech.
INNER_CONTEXT_TOKENS = OpenTypes("INNER_CONTEXT_TOKENS")

# The token types of RFC 4121 section 4.1, with their messages and the first bytes of these.
KERBEROS_MESSAGES: dict[bytes, type[AP_REQ | AP_REP | KRB_ERROR]] = {
    b"\x01\x00": AP_REQ,
    b"\x02\x00": AP_REP,
    b"\x03\x00": KRB_ERROR,
}
BARE_KERBEROS_MESSAGES = dict(zip((b"\x6e", b"\x6f", b"\x7e"), KERBEROS_MESSAGES.values(), strict=True))

MechType: TypeAlias = ObjectIdentifier  # section 4.1

mech_spnego = ObjectIdentifier("1.3.6.1.5.5.2")  # RFC 4178 section 3
mech_krb5 = ObjectIdentifier("1.2.840.113554.1.2.2")  # RFC 4121
mech_krb5_user_to_user = ObjectIdentifier("1.2.840.113554.1.2.2.3")
mech_ms_krb5 = ObjectIdentifier("1.2.840.48018.1.2.2")  # Kerberos in old versions of Windows
mech_ntlmssp = ObjectIdentifier("1.3.6.1.4.1.311.2.2.10")
mech_negoex = ObjectIdentifier("1.3.6.1.4.1.311.2.2.30")
register_known(
    {
        mech_spnego.dotted: "spnego",
        mech_krb5.dotted: "krb5",
        mech_krb5_user_to_user.dotted: "krb5-user-to-user",
        mech_ms_krb5.dotted: "ms-krb5",
        mech_ntlmssp.dotted: "ntlmssp",
        mech_negoex.dotted: "negoex",
    }
)


class MechTypeList(SequenceOf[MechType]):
    """Mechanisms, the preferred ones first (RFC 4178 section 4.1).

    ::

        MechTypeList ::= SEQUENCE OF MechType

    The bytes that mechListMIC authenticates are ``mech_types.der``.
    """


class ContextFlagsBase(NamedBits):
    """The flags of `ContextFlags` (RFC 4178 section 4.2.1)."""

    deleg_flag = 1 << 0
    mutual_flag = 1 << 1
    replay_flag = 1 << 2
    sequence_flag = 1 << 3
    anon_flag = 1 << 4
    conf_flag = 1 << 5
    integ_flag = 1 << 6


# The service options that the initiator asks for, which receivers ignore (RFC 4178 section 4.2.1):
# ContextFlags ::= BIT STRING { delegFlag (0), mutualFlag (1), replayFlag (2), sequenceFlag (3), anonFlag (4),
#                               confFlag (5), integFlag (6) } (SIZE (32))
# DER leaves out the zero bits at the end (X.690 11.2.2).
ContextFlags: TypeAlias = Annotated[ContextFlagsBase, Size(0, 32)]


class NegTokenInit(Sequence, extensible=True):
    """The first token of the initiator (RFC 4178 section 4.2.1).

    ::

        NegTokenInit ::= SEQUENCE {
            mechTypes     [0] MechTypeList,
            reqFlags      [1] ContextFlags OPTIONAL,   -- inherited from RFC 2478 for backward compatibility
            mechToken     [2] OCTET STRING OPTIONAL,
            mechListMIC   [3] OCTET STRING OPTIONAL,
            ... }

    `mech_token` is the first token of the first mechanism. Kerberos frames it with an InitialContextToken of its own.
    """

    mech_types: Annotated[MechTypeList, Explicit(0)]
    req_flags: Annotated[ContextFlags, Explicit(1)] | None = None
    mech_token: Annotated[OctetString, Explicit(2)] | None = None
    mech_list_mic: Annotated[OctetString, Explicit(3)] | None = None


class NegState(Enumerated):
    """The state of the negotiation (RFC 4178 section 4.2.2, where the ENUMERATED has no name).

    ::

        ENUMERATED {
            accept-completed    (0),
            accept-incomplete   (1),
            reject              (2),
            request-mic         (3) }
    """

    accept_completed = 0
    accept_incomplete = 1
    reject = 2
    request_mic = 3


class NegTokenResp(Sequence, extensible=True):
    """Each later token (RFC 4178 section 4.2.2).

    ::

        NegTokenResp ::= SEQUENCE {
            negState        [0] ENUMERATED { accept-completed (0), ... } OPTIONAL,   -- required in the first reply
            supportedMech   [1] MechType OPTIONAL,                                   -- present only in the first reply
            responseToken   [2] OCTET STRING OPTIONAL,
            mechListMIC     [3] OCTET STRING OPTIONAL,
            ... }
    """

    neg_state: Annotated[NegState, Explicit(0)] | None = None
    supported_mech: Annotated[MechType, Explicit(1)] | None = None
    response_token: Annotated[OctetString, Explicit(2)] | None = None
    mech_list_mic: Annotated[OctetString, Explicit(3)] | None = None


class NegotiationToken(Choice):
    """A token of the negotiation (RFC 4178 section 4.2).

    ::

        NegotiationToken ::= CHOICE {
            negTokenInit   [0] NegTokenInit,
            negTokenResp   [1] NegTokenResp }

    >>> reply = NegotiationToken(neg_token_resp={"neg_state": "accept_incomplete", "supported_mech": mech_ntlmssp})
    >>> reply.encode().hex()
    'a1153013a0030a0101a10c060a2b06010401823702020a'
    """

    neg_token_init: Annotated[NegTokenInit, Explicit(0)]
    neg_token_resp: Annotated[NegTokenResp, Explicit(1)]


class NegHints(Sequence):
    """Hints of the acceptor (MS-SPNG section 2.2.1).

    ::

        NegHints ::= SEQUENCE {
            hintName      [0] GeneralString OPTIONAL,   -- "not_defined_in_RFC4178@please_ignore"
            hintAddress   [1] OCTET STRING OPTIONAL }
    """

    hint_name: Annotated[GeneralString, Explicit(0)] | None = None
    hint_address: Annotated[OctetString, Explicit(1)] | None = None


class NegTokenInit2(Sequence, extensible=True):
    """The first token, if the acceptor speaks first, as in SMB (MS-SPNG section 2.2.1).

    ::

        NegTokenInit2 ::= SEQUENCE {
            mechTypes     [0] MechTypeList OPTIONAL,
            reqFlags      [1] ContextFlags OPTIONAL,
            mechToken     [2] OCTET STRING OPTIONAL,
            negHints      [3] NegHints OPTIONAL,
            mechListMIC   [4] OCTET STRING OPTIONAL,
            ... }

    Its tag is that of NegTokenInit, where [3] is another component. `decode_token` distinguishes the two.
    """

    mech_types: Annotated[MechTypeList, Explicit(0)] | None = None
    req_flags: Annotated[ContextFlags, Explicit(1)] | None = None
    mech_token: Annotated[OctetString, Explicit(2)] | None = None
    neg_hints: Annotated[NegHints, Explicit(3)] | None = None
    mech_list_mic: Annotated[OctetString, Explicit(4)] | None = None


class InitialContextToken(Sequence, tag=Implicit(0, "application")):
    """The framing of the first token of a mechanism whose tokens are ASN.1, such as SPNEGO (RFC 2743 section 3.1).

    ::

        InitialContextToken ::= [APPLICATION 0] IMPLICIT SEQUENCE {
            thisMech            MechType,
            innerContextToken   ANY DEFINED BY thisMech }   -- contents mechanism-specific
                                                            -- ASN.1 structure not required

    The tokens of Kerberos are not ASN.1, because they begin with two bytes for their type: see `unwrap_token`.

    >>> start = NegTokenInit(mech_types=MechTypeList([mech_krb5, mech_ntlmssp]))
    >>> token = InitialContextToken(this_mech=mech_spnego, inner_context_token={"neg_token_init": start})
    >>> decode_token(token.encode()) == start
    True
    """

    this_mech: MechType
    inner_context_token: Annotated[Any, DefinedBy("this_mech", INNER_CONTEXT_TOKENS)]


INNER_CONTEXT_TOKENS.register(mech_spnego, NegotiationToken, on_mismatch="error")

# The contents of an InitialContextToken need not be ASN.1. With the primitive form of the tag, they are bytes.
Frame: TypeAlias = Annotated[OctetString, Implicit(0, "application")]


def unwrap_token(data: bytes | bytearray | memoryview) -> tuple[ObjectIdentifier, bytes]:
    """Return the mechanism of an InitialContextToken, and the token inside it, which can be any bytes.

    Raises:
        DecodeError: the length or the OBJECT IDENTIFIER is not DER.
        ASN1Error: the token has no framing (RFC 2743 section 3.1).
    """
    octets = bytes(data)
    if octets[:1] != b"\x60":
        raise ASN1Error("not an InitialContextToken: the first byte is not 60 (RFC 2743 section 3.1)")
    contents = decode(Frame, b"\x40" + octets[1:])
    # An OBJECT IDENTIFIER is shorter than 128 bytes, so its length has one byte.
    end = 2 + contents[1] if len(contents) > 1 else len(contents)
    return decode(ObjectIdentifier, contents[:end]), contents[end:]


def wrap_token(mechanism: ObjectIdentifier | str, token: bytes | bytearray | memoryview) -> bytes:
    """Return an InitialContextToken (RFC 2743 section 3.1).

    >>> unwrap_token(wrap_token(mech_krb5, b"any bytes"))
    (ObjectIdentifier('1.2.840.113554.1.2.2', krb5), b'any bytes')
    """
    return b"\x60" + encode(encode(ObjectIdentifier(mechanism), ObjectIdentifier) + bytes(token), Frame)[1:]


def decode_token(
    data: bytes | bytearray | memoryview, *, rules: str = "der"
) -> NegTokenInit | NegTokenInit2 | NegTokenResp:
    """Return the token of SPNEGO in `data`, with or without framing.

    A `NegTokenInit2` is returned for the first token of a peer that sends hints.

    Args:
        data: the token.
        rules: ``"der"`` or ``"ber"``, as in `Sequence.decode`. The length of the framing is always DER.

    Raises:
        DecodeError: `data` is not such a token.
        ASN1Error: the framing is for another mechanism.
    """
    octets = bytes(data)
    if octets[:1] == b"\x60":
        mechanism, octets = unwrap_token(octets)
        if mechanism != mech_spnego:
            raise ASN1Error(f"not a token of SPNEGO: the mechanism is {mechanism.name or mechanism}")
    try:
        token = NegotiationToken.decode(octets, rules=rules).value
    except DecodeError as error:
        try:
            token = decode(Annotated[NegTokenInit2, Explicit(0)], octets, rules=rules)
        except DecodeError:
            raise error from None
        if token.neg_hints is None:
            raise
    assert isinstance(token, (NegTokenInit, NegTokenInit2, NegTokenResp))
    return token


def kerberos_message_of(data: bytes | bytearray | memoryview) -> AP_REQ | AP_REP | KRB_ERROR:
    """Return the message in a token of Kerberos, such as `mech_token` and `response_token` (RFC 4121 section 4.1).

    A message without the framing, which some programs send, is read, too.

    Raises:
        DecodeError: the message is not valid.
        ASN1Error: the token is not an AP-REQ, an AP-REP or a KRB-ERROR of Kerberos.
    """
    octets = bytes(data)
    cls = BARE_KERBEROS_MESSAGES.get(octets[:1])
    if cls is None:
        mechanism, octets = unwrap_token(octets)
        if mechanism not in (mech_krb5, mech_krb5_user_to_user, mech_ms_krb5):
            raise ASN1Error(f"not a token of Kerberos: the mechanism is {mechanism.name or mechanism}")
        cls = KERBEROS_MESSAGES.get(octets[:2])
        if cls is None:
            raise ASN1Error(f"unknown type of Kerberos token: {octets[:2].hex(' ')} (RFC 4121 section 4.1)")
        octets = octets[2:]
    return cls.decode(octets)
