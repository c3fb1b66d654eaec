"""Simple Network Management Protocol: version 1 (RFC 1157), 2c (RFC 1901, 3416) and 3 (RFC 3412, 3414), with SMIv2.

Import this module to read or build the messages of managers and agents. Peers write BER (RFC 1157 section 3.2.2,
RFC 3417 section 8), so ``rules="ber"`` reads what they send. `derlib.encode` writes DER, which is also BER.

    >>> from derlib.schemas.snmp import Message, decode_message
    >>> message = decode_message(bytes.fromhex(
    ...     "303802010104067075626c6963a22b0204009c184a020100020100301d300d06082b06010201010300430101300c06082b06010201"
    ...     "6301008000"
    ... ))
    >>> if isinstance(message, Message):
    ...     print(message.version.name, message.community, message.data.alternative)
    ...     for binding in message.data.value.variable_bindings:
    ...         print(binding.name, binding.value.alternative, binding.value.value)
    version_2c b'public' response
    1.3.6.1.2.1.1.3.0 timeticks_value 1
    1.3.6.1.2.1.99.1.0 no_such_object NULL

`Message` is for versions 1 and 2c, `SNMPv3Message` for version 3, and `decode_message` reads both. derlib does not
authenticate or decrypt.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Choice,
    Deviation,
    Implicit,
    Limits,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    Size,
)
from derlib._contents import decode_contents
from derlib.oids import register_known

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "USER_BASED_SECURITY_MODEL",
    "AnyMessage",
    "BulkPDU",
    "Counter32",
    "Counter64",
    "ErrorStatus",
    "Gauge32",
    "GenericTrap",
    "GetBulkRequest_PDU",
    "GetNextRequest_PDU",
    "GetRequest_PDU",
    "HeaderData",
    "InformRequest_PDU",
    "Integer32",
    "IpAddress",
    "Message",
    "NetworkAddress",
    "ObjectName",
    "Opaque",
    "PDU",
    "PDUs",
    "Report_PDU",
    "Response_PDU",
    "SNMPv2_Trap_PDU",
    "SNMPv3Message",
    "ScopedPDU",
    "ScopedPduData",
    "SetRequest_PDU",
    "TimeTicks",
    "Trap_PDU",
    "Unsigned32",
    "UsmSecurityParameters",
    "VarBind",
    "VarBindList",
    "VarBindValue",
    "Version",
    "decode_message",
    "snmp_trap_oid",
    "sys_up_time",
]

MAX = 2**31 - 1  # max-bindings of RFC 3416 section 3, and the limit of most numbers of version 3

USER_BASED_SECURITY_MODEL = 3  # the number of the security model whose parameters are `UsmSecurityParameters`

# Names of the first two values of a trap of version 2 (RFC 3416 section 4.2.6): the time, and the kind of trap.
sys_up_time = ObjectIdentifier("1.3.6.1.2.1.1.3.0")
snmp_trap_oid = ObjectIdentifier("1.3.6.1.6.3.1.1.4.1.0")
register_known({sys_up_time.dotted: "sysUpTime.0", snmp_trap_oid.dotted: "snmpTrapOID.0"})


# Values: SMIv2 (RFC 2578), whose types are those of SMIv1 (RFC 1155), and more

ObjectName: TypeAlias = ObjectIdentifier
Integer32: TypeAlias = Annotated[int, Range(-(2**31), 2**31 - 1)]
IpAddress: TypeAlias = Annotated[OctetString, Size(4), Implicit(0, "application")]  # IPv4
NetworkAddress: TypeAlias = IpAddress  # RFC 1155, a CHOICE with one alternative
Counter32: TypeAlias = Annotated[int, Range(0, 2**32 - 1), Implicit(1, "application")]  # Counter in RFC 1155
Gauge32: TypeAlias = Annotated[int, Range(0, 2**32 - 1), Implicit(2, "application")]  # Gauge in RFC 1155
Unsigned32: TypeAlias = Annotated[int, Range(0, 2**32 - 1), Implicit(2, "application")]  # the same tag as Gauge32
TimeTicks: TypeAlias = Annotated[int, Range(0, 2**32 - 1), Implicit(3, "application")]  # hundredths of a second
Opaque: TypeAlias = Annotated[OctetString, Implicit(4, "application")]  # an encoding of any type
Counter64: TypeAlias = Annotated[int, Range(0, 2**64 - 1), Implicit(6, "application")]


class VarBindValue(Choice):
    """The value of a variable, or why there is none (RFC 3416 section 3, where the CHOICE has no name).

    ::

        CHOICE {
            value            ObjectSyntax,
            unSpecified      NULL,              -- in retrieval requests
                                                -- exceptions in responses
            noSuchObject     [0] IMPLICIT NULL,
            noSuchInstance   [1] IMPLICIT NULL,
            endOfMibView     [2] IMPLICIT NULL }

        ObjectSyntax ::= CHOICE {
            simple             SimpleSyntax,
            application-wide   ApplicationSyntax }

        SimpleSyntax ::= CHOICE {
            integer-value    INTEGER (-2147483648..2147483647),
            string-value     OCTET STRING (SIZE (0..65535)),
            objectID-value   OBJECT IDENTIFIER }

        ApplicationSyntax ::= CHOICE {
            ipAddress-value          IpAddress,
            counter-value            Counter32,
            timeticks-value          TimeTicks,
            arbitrary-value          Opaque,
            big-counter-value        Counter64,
            unsigned-integer-value   Unsigned32 }

    This class has the alternatives of all four types. The encodings are the same, because none of them has a tag. The
    alternative `un_specified` is also the value ``empty`` of version 1.
    """

    integer_value: Integer32
    string_value: Annotated[OctetString, Size(0, 65535)]
    object_id_value: ObjectIdentifier
    ip_address_value: IpAddress
    counter_value: Counter32
    timeticks_value: TimeTicks
    arbitrary_value: Opaque
    big_counter_value: Counter64
    unsigned_integer_value: Unsigned32
    un_specified: Null
    no_such_object: Annotated[Null, Implicit(0)]
    no_such_instance: Annotated[Null, Implicit(1)]
    end_of_mib_view: Annotated[Null, Implicit(2)]


class VarBind(Sequence):
    """A variable with its value (RFC 3416 section 3, where the CHOICE has no name).

    ::

        VarBind ::= SEQUENCE {
            name   ObjectName,
            CHOICE { ... } }

    >>> uptime = VarBind(name=sys_up_time, value=VarBindValue(timeticks_value=6000))
    >>> VarBind.decode(uptime.encode()).value.value
    6000
    """

    name: ObjectName
    value: VarBindValue


class VarBindList(SequenceOf[VarBind], size=Size(0, MAX)):
    """Variables with their values (RFC 3416 section 3).

    ::

        VarBindList ::= SEQUENCE (SIZE (0..max-bindings)) OF VarBind
    """


# Requests and responses


class ErrorStatus(NamedInteger):
    """Why a request failed (RFC 3416 section 3, where the INTEGER has no name).

    ::

        INTEGER {
            noError               (0),
            tooBig                (1),
            noSuchName            (2),    -- for proxy compatibility
            badValue              (3),    -- for proxy compatibility
            readOnly              (4),    -- for proxy compatibility
            genErr                (5),
            noAccess              (6),
            wrongType             (7),
            wrongLength           (8),
            wrongEncoding         (9),
            wrongValue            (10),
            noCreation            (11),
            inconsistentValue     (12),
            resourceUnavailable   (13),
            commitFailed          (14),
            undoFailed            (15),
            authorizationError    (16),
            notWritable           (17),
            inconsistentName      (18) }

    Version 1 has the first six.
    """

    no_error = 0
    too_big = 1
    no_such_name = 2
    bad_value = 3
    read_only = 4
    gen_err = 5
    no_access = 6
    wrong_type = 7
    wrong_length = 8
    wrong_encoding = 9
    wrong_value = 10
    no_creation = 11
    inconsistent_value = 12
    resource_unavailable = 13
    commit_failed = 14
    undo_failed = 15
    authorization_error = 16
    not_writable = 17
    inconsistent_name = 18


class PDU(Sequence):
    """A request or a response (RFC 3416 section 3).

    ::

        PDU ::= SEQUENCE {
            request-id          INTEGER (-214783648..214783647),
            error-status        INTEGER { noError (0), ... },   -- sometimes ignored
            error-index         INTEGER (0..max-bindings),      -- sometimes ignored
            variable-bindings   VarBindList }                   -- values are sometimes ignored

    The limits of `request_id` lack a digit in RFC 3416: it is an Integer32, as peers use it. RFC 1157 has no limits.
    """

    request_id: Integer32
    error_status: ErrorStatus
    error_index: Annotated[int, Range(0, MAX)]
    variable_bindings: VarBindList


class BulkPDU(Sequence):
    """A request for the values of many variables (RFC 3416 section 3).

    ::

        BulkPDU ::= SEQUENCE {                                  -- must be identical in structure to PDU
            request-id          INTEGER (-214783648..214783647),
            non-repeaters       INTEGER (0..max-bindings),
            max-repetitions     INTEGER (0..max-bindings),
            variable-bindings   VarBindList }                   -- values are ignored

    For `request_id`, see `PDU`.
    """

    request_id: Integer32
    non_repeaters: Annotated[int, Range(0, MAX)]
    max_repetitions: Annotated[int, Range(0, MAX)]
    variable_bindings: VarBindList


class GenericTrap(NamedInteger):
    """The kind of a trap of version 1 (RFC 1157 section 4.1.6, where the INTEGER has no name).

    ::

        INTEGER {
            coldStart               (0),
            warmStart               (1),
            linkDown                (2),
            linkUp                  (3),
            authenticationFailure   (4),
            egpNeighborLoss         (5),
            enterpriseSpecific      (6) }
    """

    cold_start = 0
    warm_start = 1
    link_down = 2
    link_up = 3
    authentication_failure = 4
    egp_neighbor_loss = 5
    enterprise_specific = 6


class Trap_PDU(Sequence, tag=Implicit(4)):
    """A trap of version 1 (RFC 1157 section 4.1.6).

    ::

        Trap-PDU ::= [4] IMPLICIT SEQUENCE {
            enterprise          OBJECT IDENTIFIER,   -- type of object generating trap
            agent-addr          NetworkAddress,      -- address of object generating trap
            generic-trap        INTEGER { coldStart (0), ... },
            specific-trap       INTEGER,             -- present even if generic-trap is not enterpriseSpecific
            time-stamp          TimeTicks,           -- time since the network entity was (re)initialized
            variable-bindings   VarBindList }        -- "interesting" information
    """

    enterprise: ObjectIdentifier
    agent_addr: NetworkAddress
    generic_trap: GenericTrap
    specific_trap: int
    time_stamp: TimeTicks
    variable_bindings: VarBindList


GetRequest_PDU: TypeAlias = Annotated[PDU, Implicit(0)]
GetNextRequest_PDU: TypeAlias = Annotated[PDU, Implicit(1)]
Response_PDU: TypeAlias = Annotated[PDU, Implicit(2)]  # GetResponse-PDU in RFC 1157
SetRequest_PDU: TypeAlias = Annotated[PDU, Implicit(3)]
GetBulkRequest_PDU: TypeAlias = Annotated[BulkPDU, Implicit(5)]
InformRequest_PDU: TypeAlias = Annotated[PDU, Implicit(6)]
SNMPv2_Trap_PDU: TypeAlias = Annotated[PDU, Implicit(7)]
Report_PDU: TypeAlias = Annotated[PDU, Implicit(8)]


class PDUs(Choice):
    """A request, a response or a trap (RFC 3416 section 3, and RFC 1157 section 4.1).

    ::

        PDUs ::= CHOICE {
            get-request        GetRequest-PDU,
            get-next-request   GetNextRequest-PDU,
            get-bulk-request   GetBulkRequest-PDU,
            response           Response-PDU,
            set-request        SetRequest-PDU,
            inform-request     InformRequest-PDU,
            snmpV2-trap        SNMPv2-Trap-PDU,
            report             Report-PDU }

    The alternative `trap` is a Trap-PDU of version 1. The alternative `response` is named get-response in version 1.
    """

    get_request: GetRequest_PDU
    get_next_request: GetNextRequest_PDU
    response: Response_PDU
    set_request: SetRequest_PDU
    trap: Trap_PDU
    get_bulk_request: GetBulkRequest_PDU
    inform_request: InformRequest_PDU
    snmp_v2_trap: SNMPv2_Trap_PDU
    report: Report_PDU


# Messages of versions 1 and 2c


class Version(NamedInteger):
    """The version of a message (RFC 1157 section 4, RFC 1901 section 3 and RFC 3412 section 6).

    ::

        INTEGER {
            version-1    (0),
            version-2c   (1),
            snmpv3       (3) }
    """

    version_1 = 0
    version_2c = 1
    snmpv3 = 3


class Message(Sequence):
    """A message of version 1 or 2c (RFC 1157 section 4, RFC 1901 section 3).

    ::

        Message ::= SEQUENCE {
            version     INTEGER { version-1 (0) },   -- version (1) in RFC 1901
            community   OCTET STRING,                -- community name
            data        ANY }                        -- e.g., PDUs if trivial authentication is being used

    >>> from derlib import NULL
    >>> question = {"name": "1.3.6.1.2.1.1.1.0", "value": {"un_specified": NULL}}
    >>> request = {"request_id": 7, "error_status": 0, "error_index": 0, "variable_bindings": [question]}
    >>> message = Message(version=Version.version_2c, community=b"public", data=PDUs(get_request=request))
    >>> message.encode().hex()
    '302602010104067075626c6963a019020107020100020100300e300c06082b060102010101000500'
    """

    version: Version
    community: OctetString
    data: PDUs


# Messages of version 3


class HeaderData(Sequence):
    """The administrative data of a message (RFC 3412 section 6).

    ::

        HeaderData ::= SEQUENCE {
            msgID              INTEGER (0..2147483647),
            msgMaxSize         INTEGER (484..2147483647),
            msgFlags           OCTET STRING (SIZE (1)),     -- .... ...1   authFlag
                                                            -- .... ..1.   privFlag
                                                            -- .... .1..   reportableFlag
            msgSecurityModel   INTEGER (1..2147483647) }
    """

    msg_id: Annotated[int, Range(0, MAX)]
    msg_max_size: Annotated[int, Range(484, MAX)]
    msg_flags: Annotated[OctetString, Size(1)]
    msg_security_model: Annotated[int, Range(1, MAX)]

    @property
    def auth_flag(self) -> bool:
        """Whether the message is authenticated."""
        return bool(self.msg_flags[0] & 1)

    @property
    def priv_flag(self) -> bool:
        """Whether the message is encrypted."""
        return bool(self.msg_flags[0] & 2)

    @property
    def reportable_flag(self) -> bool:
        """Whether the receiver answers errors with a report."""
        return bool(self.msg_flags[0] & 4)


class ScopedPDU(Sequence):
    """A request or a response, with its context (RFC 3412 section 6).

    ::

        ScopedPDU ::= SEQUENCE {
            contextEngineID   OCTET STRING,
            contextName       OCTET STRING,
            data              ANY }           -- e.g., PDUs as defined in [RFC3416]

    A message that was encrypted can have padding after it: read it with ``decode_prefix(data, rules="ber")``.
    """

    context_engine_id: OctetString
    context_name: OctetString
    data: PDUs


class ScopedPduData(Choice):
    """The contents of a message, encrypted or not (RFC 3412 section 6).

    ::

        ScopedPduData ::= CHOICE {
            plaintext      ScopedPDU,
            encryptedPDU   OCTET STRING }   -- encrypted scopedPDU value
    """

    plaintext: ScopedPDU
    encrypted_pdu: OctetString


class UsmSecurityParameters(Sequence):
    """The parameters of the User-based Security Model (RFC 3414 section 2.4).

    ::

        UsmSecurityParameters ::= SEQUENCE {
            msgAuthoritativeEngineID      OCTET STRING,
            msgAuthoritativeEngineBoots   INTEGER (0..2147483647),
            msgAuthoritativeEngineTime    INTEGER (0..2147483647),
            msgUserName                   OCTET STRING (SIZE (0..32)),
            msgAuthenticationParameters   OCTET STRING,
            msgPrivacyParameters          OCTET STRING }
    """

    msg_authoritative_engine_id: OctetString
    msg_authoritative_engine_boots: Annotated[int, Range(0, MAX)]
    msg_authoritative_engine_time: Annotated[int, Range(0, MAX)]
    msg_user_name: Annotated[OctetString, Size(0, 32)]
    msg_authentication_parameters: OctetString
    msg_privacy_parameters: OctetString


class SNMPv3Message(Sequence):
    """A message of version 3 (RFC 3412 section 6).

    ::

        SNMPv3Message ::= SEQUENCE {
            msgVersion              INTEGER (0..2147483647),   -- the value 3 is used for snmpv3
            msgGlobalData           HeaderData,
            msgSecurityParameters   OCTET STRING,              -- format defined by Security Model
            msgData                 ScopedPduData }
    """

    msg_version: Annotated[Version, Range(0, MAX)]
    msg_global_data: HeaderData
    msg_security_parameters: OctetString
    msg_data: ScopedPduData

    @property
    def usm_security_parameters(self) -> UsmSecurityParameters | None:
        """The parameters of the User-based Security Model, or None if the message has another model.

        Raises:
            DecodeError: they are not the BER encoding of a `UsmSecurityParameters`.
        """
        if self.msg_global_data.msg_security_model != USER_BASED_SECURITY_MODEL:
            return None
        return decode_contents(self, UsmSecurityParameters, self.msg_security_parameters, rules="ber")


class AnyMessage(Sequence, extensible=True):
    """The version of a message of any version. The other components are unknown additions here."""

    version: Version


def decode_message(
    data: bytes | bytearray | memoryview, *, limits: Limits | None = None, tolerate: Deviation | None = None
) -> Message | SNMPv3Message:
    """Return the message of any version in a datagram, which can be BER.

    Args:
        data: the datagram.
        limits: the largest sizes to accept; the default is `derlib.Limits()`.
        tolerate: the deviations to accept.

    Raises:
        DecodeError: `data` is not exactly one message.
        LimitError: `data` exceeds a limit.
    """
    # With all deviations, the class of the version reports the fault, with its path.
    found = AnyMessage.decode(data, rules="ber", limits=limits, tolerate=~Deviation(0))
    message = SNMPv3Message if found.version == Version.snmpv3 else Message
    return message.decode(data, rules="ber", limits=limits, tolerate=tolerate)
