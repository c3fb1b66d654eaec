"""Messages of SNMP that a manager and an agent of pysnmp 7.1.30 sent to each other, and two that devices sent.

The agent knew the community "public", the user "bob" without keys, and the user "ann" with HMAC-SHA-96 (the password
"authkey1") and AES-128 (the password "privkey1"). The messages of the devices are in the tests of gosnmp, too.
"""

from __future__ import annotations

import hashlib
import hmac

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from support.rebuilt import read

from derlib import NULL, DecodeError, Deviation, LimitError, Limits, ObjectIdentifier, TrailingDataError
from derlib.schemas import snmp
from derlib.schemas.snmp import Message, SNMPv3Message, decode_message
from derlib.strategies import BEREncoding, ber_encodings, encodings

# The alternative of the PDU, and the message.
MESSAGES = {
    "v1 get": (
        "get_request",
        "303702010004067075626c6963a02a0204009c1840020100020100301c300c06082b060102010101000500300c06082b0601"
        "02010102000500",
    ),
    "v1 no such name": (
        "response",
        "303702010004067075626c6963a22a0204009c1842020102020102301c300c06082b060102010103000500300c06082b0601"
        "02016301000500",
    ),
    "v1 get next": (
        "get_next_request",
        "302802010004067075626c6963a11b0204009c1844020100020100300d300b06072b0601020101090500",
    ),
    "v1 set": (
        "set_request",
        "302a02010004067075626c6963a31d0204009c1846020100020100300f300d06082b06010401010700040178",
    ),
    "v1 trap": (
        "trap",
        "304502010004067075626c6963a438060c2b06010401819f380401010240047f000001020106020201b04302303930173015"
        "06082b0601020101010004096d792073797374656d",
    ),
    "v2c no such object": (
        "response",
        "303802010104067075626c6963a22b0204009c184a020100020100301d300d06082b06010201010300430101300c06082b06"
        "0102016301008000",
    ),
    "v2c not writable": (
        "response",
        "302a02010104067075626c6963a21d0204009c184e020111020101300f300d06082b06010401010700040178",
    ),
    "v2c bulk": (
        "get_bulk_request",
        "303602010104067075626c6963a5290204009c1850020101020102301b300b06072b0601020101060500300c06082b060106"
        "031201030500",
    ),
    "v2c end of view": (
        "response",
        "304502010104067075626c6963a2380204009c1850020100020100302a300c06082b060102010106000400300c06082b0601"
        "06031201038200300c06082b060106031201038200",
    ),
    "v2c trap": (
        "snmp_v2_trap",
        "3081e802010104066576656e7473a781da02040088acba0201000201003081cb300d06082b06010201010300430107301706"
        "0a2b06010603010104010006092b0601060301010502301a060a2b060106030101040300060c2b06010401819f3804010102"
        "301506082b0601020101010004096d792073797374656d301406072b060104010101460900ffffffffffffffff301206072b"
        "06010401010244079f780442f60000300f06072b0601040101034004c0000201301006072b060104010104420500ffffffff"
        "301006072b06010401010541050080000000300f06072b060104010106020480000001",
    ),
    "v2c inform": (
        "inform_request",
        "304302010104066576656e7473a6360204009c18550201000201003028300d06082b060102010103004301093017060a2b06"
        "010603010104010006092b0601060301010501",
    ),
}
MESSAGES_V3 = {
    "discovery": (
        "get_request",
        "303e02010330110204009c1852020300ffe30401040201030410300e0400020100020100040004000400301404000400a00e"
        "020400aa2c0e0201000201003000",
    ),
    "report": (
        "report",
        "305f02010330110204009c1852020300ffe30401000201030418301604088000000001020304020106020100040004000400"
        "302d040880000000010203040400a81f020400aa2c0e0201000201003011300f060a2b060106030f01010400410101",
    ),
    "plain request": (
        "get_request",
        "306d02010330110204009c1853020300ffe3040104020103041b3019040880000000010203040201060201000403626f6204"
        "0004003038040880000000010203040400a02a020400aa2c0d020100020100301c300c06082b060102010101000500300c06"
        "082b060102010102000500",
    ),
}
ENCRYPTED = {
    "request": (
        "encrypted_pdu",
        "30818302010330110204009c1854020300ffe3040107020103042f302d040880000000010203040201060201000403616e6e"
        "040c3c0d95c52c6e2598da41276804088604ba740ecc7c72043a7bd3cf8dcd7ee5e0dd24c4608f74f1150099dc42f100ac80"
        "b7c4592471d6b2bf760ca39bff3a6ac2124aaa541f590fbb94f608ac64a311c77ed8",
    ),
    "response": (
        "encrypted_pdu",
        "3081e402010330110204009c1854020300ffe3040103020103042f302d040880000000010203040201060201000403616e6e"
        "040ca0c0241d4fe6b5b90a8d2eec04088604ba740ecc7c7304819a469feac7a865e50360c648f509bb286a3de647860e8104"
        "4b5746bf1d8b7ced1491a155b16efbdc77567763f8c4c44261632ca3b05f8b413b96b1e01a7fef9eb241ffd2e3504f515402"
        "152c25f0f9f8de96f94698298f1620223aaea765f2cbeadffc0a18db28dde7431182cc00ffb9b9004cacf7ee699f5ba2e98a"
        "7064041f79a9cf075c838844da0a3e5185a1c1e5377a9e55817fac562ab9e5",
    ),
}
# snmpget of ten variables from a router, and the answer of a power strip to snmpset: the latter has a long length.
ROUTER = (
    "3081f102010104067075626c6963a281e302034a697d0201000201003081d5300d06082b0601020101070002014e301e060a2b060102"
    "01020201020604104769676162697445746865726e6574303013060a2b060102010202010503420500ffffffff300e060a2b06010201"
    "020201070281003010060a2b06010201020201090343020b9a3019060f2b06010201030101020a010a0b0011040600077d4d09003017"
    "060f2b06010201030101030a010a0b000240040a0b00023017060f2b06010201041401016e810f81450140046e8fc501300906052b06"
    "0142018000301506082b0601020101020006092b060104010901890e"
)
POWER_STRIP = (
    "30820035020100040a707269766174656c6162a22402041f67c8b802010002010030163014060f2b06010401823e010104040201"
    "0305020101"
)


def pdu(name: str) -> object:
    """Return the request, the response or the trap in a message of version 1 or 2c."""
    message = decode_message(bytes.fromhex(MESSAGES[name][1]))
    assert type(message) is Message
    return message.data.value


def values(found: object) -> dict[str, tuple[str, object]]:
    """Return the alternatives and the values of variables, by their names."""
    assert isinstance(found, (snmp.PDU, snmp.BulkPDU, snmp.Trap_PDU))
    return {str(one.name): (one.value.alternative, one.value.value) for one in found.variable_bindings}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_of_versions_1_and_2c(name: str) -> None:
    alternative, octets = MESSAGES[name]
    message = decode_message(bytes.fromhex(octets))
    assert type(message) is Message
    assert message.version == (snmp.Version.version_1 if name.startswith("v1") else snmp.Version.version_2c)
    assert message.community == (b"events" if name in ("v2c trap", "v2c inform") else b"public")
    assert message.data.alternative == alternative
    assert message.encode().hex() == octets
    read(type(message), message.encode())


def test_requests() -> None:
    request = pdu("v1 get")
    assert type(request) is snmp.PDU
    assert (request.request_id, request.error_status.name, request.error_index) == (10229824, "no_error", 0)
    asked = dict.fromkeys(("1.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.1.2.0"), ("un_specified", NULL))
    assert values(request) == asked
    assert values(pdu("v1 set")) == {"1.3.6.1.4.1.1.7.0": ("string_value", b"x")}
    bulk = pdu("v2c bulk")
    assert type(bulk) is snmp.BulkPDU
    assert (bulk.non_repeaters, bulk.max_repetitions) == (1, 2)


def test_errors_and_exceptions() -> None:
    failed = []
    for name in ("v1 no such name", "v2c not writable"):
        response = pdu(name)
        assert type(response) is snmp.PDU
        failed.append((response.error_status, response.error_index))
    assert failed == [(snmp.ErrorStatus.no_such_name, 2), (snmp.ErrorStatus.not_writable, 1)]
    assert values(pdu("v2c no such object")) == {
        "1.3.6.1.2.1.1.3.0": ("timeticks_value", 1),
        "1.3.6.1.2.1.99.1.0": ("no_such_object", NULL),
    }
    assert values(pdu("v2c end of view"))["1.3.6.1.6.3.18.1.3"] == ("end_of_mib_view", NULL)


def test_a_trap_of_version_1() -> None:
    trap = pdu("v1 trap")
    assert type(trap) is snmp.Trap_PDU
    assert (trap.enterprise.dotted, trap.agent_addr) == ("1.3.6.1.4.1.20408.4.1.1.2", bytes([127, 0, 0, 1]))
    assert (trap.generic_trap, trap.specific_trap) == (snmp.GenericTrap.enterprise_specific, 432)
    assert (trap.time_stamp, len(trap.variable_bindings)) == (12345, 1)


def test_a_trap_of_version_2_with_all_types() -> None:
    found = values(pdu("v2c trap"))
    assert list(found)[:2] == [snmp.sys_up_time.dotted, snmp.snmp_trap_oid.dotted]
    assert found[snmp.snmp_trap_oid.dotted][1] == ObjectIdentifier("1.3.6.1.6.3.1.1.5.2")
    assert {name.rpartition(".")[2]: value for name, value in found.items() if name.startswith("1.3.6.1.4.1.1.")} == {
        "1": ("big_counter_value", 2**64 - 1),
        "2": ("arbitrary_value", bytes.fromhex("9f780442f60000")),
        "3": ("ip_address_value", bytes([192, 0, 2, 1])),
        "4": ("unsigned_integer_value", 2**32 - 1),
        "5": ("counter_value", 2**31),
        "6": ("integer_value", 1 - 2**31),
    }


def test_the_answer_of_a_router() -> None:
    message = decode_message(bytes.fromhex(ROUTER))
    read(type(message), message.encode())
    assert type(message) is Message
    assert message.encode().hex() == ROUTER
    assert values(message.data.value) == {
        "1.3.6.1.2.1.1.7.0": ("integer_value", 78),
        "1.3.6.1.2.1.2.2.1.2.6": ("string_value", b"GigabitEthernet0"),
        "1.3.6.1.2.1.2.2.1.5.3": ("unsigned_integer_value", 4294967295),
        "1.3.6.1.2.1.2.2.1.7.2": ("no_such_instance", NULL),
        "1.3.6.1.2.1.2.2.1.9.3": ("timeticks_value", 2970),
        "1.3.6.1.2.1.3.1.1.2.10.1.10.11.0.17": ("string_value", bytes.fromhex("00077d4d0900")),
        "1.3.6.1.2.1.3.1.1.3.10.1.10.11.0.2": ("ip_address_value", bytes([10, 11, 0, 2])),
        "1.3.6.1.2.1.4.20.1.1.110.143.197.1": ("ip_address_value", bytes([110, 143, 197, 1])),
        "1.3.6.1.66.1": ("no_such_object", NULL),
        "1.3.6.1.2.1.1.2.0": ("object_id_value", ObjectIdentifier("1.3.6.1.4.1.9.1.1166")),
    }


def test_a_message_that_is_not_der() -> None:
    octets = bytes.fromhex(POWER_STRIP)
    with pytest.raises(DecodeError, match='rules="ber"'):
        Message.decode(octets)
    message = decode_message(octets)
    assert type(message) is Message
    # Above the limit 214783647 of RFC 3416, which lacks a digit.
    assert message.data.value.request_id == 526895288
    assert message.encode() == b"\x30\x35" + octets[4:]


@pytest.mark.parametrize("name", MESSAGES_V3)
def test_messages_of_version_3(name: str) -> None:
    alternative, octets = MESSAGES_V3[name]
    message = decode_message(bytes.fromhex(octets))
    assert type(message) is SNMPv3Message
    assert (message.msg_version.name, message.msg_global_data.msg_max_size) == ("snmpv3", 65507)
    plaintext = message.msg_data.value
    assert type(plaintext) is snmp.ScopedPDU
    assert plaintext.data.alternative == alternative
    assert message.encode().hex() == octets
    read(type(message), message.encode())


def test_the_discovery_of_an_engine() -> None:
    parameters = []
    for name in ("discovery", "report", "plain request"):
        message = SNMPv3Message.decode(bytes.fromhex(MESSAGES_V3[name][1]))
        found = message.usm_security_parameters
        assert found is not None
        boots = found.msg_authoritative_engine_boots
        parameters.append((found.msg_authoritative_engine_id, boots, found.msg_user_name))
        header = message.msg_global_data
        assert (header.auth_flag, header.priv_flag, header.reportable_flag) == (False, False, name != "report")
    engine = bytes.fromhex("8000000001020304")
    assert parameters == [(b"", 0, b""), (engine, 6, b""), (engine, 6, b"bob")]
    changed = message.replace(msg_global_data=header.replace(msg_security_model=4))
    assert changed.usm_security_parameters is None


def decrypt(key: bytes, start: bytes, data: bytes) -> bytes:
    """Decrypt AES in the mode CFB with segments of 128 bits, which `cryptography` has at different places."""
    encrypt = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update
    blocks = [data[n : n + 16] for n in range(0, len(data), 16)]
    stream = b"".join(map(encrypt, [start, *blocks[:-1]]))
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


@pytest.mark.parametrize("name", ENCRYPTED)
def test_an_encrypted_message(name: str) -> None:
    """The digest is that of RFC 3414 section 6.3, and the cipher that of RFC 3826 section 3."""
    octets = bytes.fromhex(ENCRYPTED[name][1])
    message = decode_message(octets)
    assert type(message) is SNMPv3Message
    read(type(message), message.encode())
    header, parameters = message.msg_global_data, message.usm_security_parameters
    assert parameters is not None
    assert (header.auth_flag, header.priv_flag, header.reportable_flag) == (True, True, name == "request")
    assert parameters.msg_user_name == b"ann"

    def key(password: bytes) -> bytes:
        engine = parameters.msg_authoritative_engine_id
        unlocalized = hashlib.sha1((password * (2**20 // len(password) + 1))[: 2**20]).digest()
        return hashlib.sha1(unlocalized + engine + unlocalized).digest()

    digest = parameters.msg_authentication_parameters
    without = octets.replace(digest, bytes(12))
    assert hmac.digest(key(b"authkey1"), without, "sha1")[:12] == digest
    start = b"".join(
        number.to_bytes(4, "big")
        for number in (parameters.msg_authoritative_engine_boots, parameters.msg_authoritative_engine_time)
    )
    assert message.msg_data.alternative == "encrypted_pdu"
    decrypted = decrypt(key(b"privkey1")[:16], start + parameters.msg_privacy_parameters, message.msg_data.value)
    scoped, padding = snmp.ScopedPDU.decode_prefix(decrypted, rules="ber")
    assert bytes(padding) == b""
    assert scoped.context_engine_id == parameters.msg_authoritative_engine_id
    assert scoped.data.alternative == ("get_request" if name == "request" else "response")
    assert list(values(scoped.data.value)) == ["1.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.1.2.0"]


def test_a_message_that_derlib_makes() -> None:
    variables = [
        {"name": snmp.sys_up_time, "value": {"timeticks_value": 1}},
        {"name": "1.3.6.1.2.1.99.1.0", "value": {"no_such_object": NULL}},
    ]
    response = {"request_id": 10229834, "error_status": "no_error", "error_index": 0, "variable_bindings": variables}
    message = Message(version="version_2c", community=b"public", data={"response": response})
    assert message.encode().hex() == MESSAGES["v2c no such object"][1]


@pytest.mark.parametrize(
    ("octets", "path"),
    [
        pytest.param("300a020100040161a20302010130", (), id="cut"),
        pytest.param("300a020101040161a9020500", ("data",), id="an unknown PDU"),
        # pyasn1 writes the smallest Integer32 like this.
        pytest.param(
            "301f020101040161a217020101020100020100300c300a06012b0205ff80000000",
            ("data", "response", "variable_bindings", 0, "value", "integer_value"),
            id="a number that is not minimal",
        ),
        pytest.param(
            "301b020101040161a2130201010201000201003008300606012b4101ff",
            ("data", "response", "variable_bindings", 0, "value", "counter_value"),
            id="a negative counter",
        ),
        pytest.param(
            "301d020101040161a215020101020100020100300a300806012b40037f0000",
            ("data", "response", "variable_bindings", 0, "value", "ip_address_value"),
            id="an address of three bytes",
        ),
        pytest.param(
            "301c020101040161a2140201010201000201ff3009300706012b04026161",
            ("data", "response", "error_index"),
            id="a negative index",
        ),
        pytest.param("3003020103", ("msg_global_data",), id="version 3 without its components"),
        pytest.param("3003040100", ("version",), id="no version"),
    ],
)
def test_malformed_messages_are_refused(octets: str, path: tuple[str, ...]) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_message(bytes.fromhex(octets))
    assert caught.value.path == path


@given(encodings(Message))
def test_round_trip(octets: bytes) -> None:
    assert Message.from_native(Message.decode(octets).to_native()).encode() == octets


@given(ber_encodings(SNMPv3Message))
def test_round_trip_of_ber(encoding: BEREncoding) -> None:
    assert SNMPv3Message.decode(encoding.ber, rules="ber").encode() == encoding.der


def test_a_deviation_and_a_limit() -> None:
    # The request identifier of POWER_STRIP, 1f67c8b8, with a byte that it does not need (X.690 8.3.2).
    padded = bytes.fromhex(
        POWER_STRIP.replace("30820035", "30820036").replace("a224", "a225").replace("02041f", "0205001f")
    )
    with pytest.raises(DecodeError, match=r"^data\.response\.request_id at offset \d+: .*; Deviation.INTEGER_PADDING"):
        decode_message(padded)
    message = decode_message(padded, tolerate=Deviation.INTEGER_PADDING)
    assert type(message) is Message
    assert message.data.value.request_id == 0x1F67C8B8
    assert [one.deviation for one in message.deviations] == [Deviation.INTEGER_PADDING]
    with pytest.raises(TrailingDataError):
        decode_message(padded + b"\n", tolerate=Deviation.INTEGER_PADDING)
    with pytest.raises(LimitError):
        decode_message(padded, limits=Limits(size=20))
