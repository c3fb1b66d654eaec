"""Tokens of SPNEGO that pyspnego 0.12.4, Windows and impacket 0.13.1 send, and messages of Kerberos inside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from support.rebuilt import read

import derlib
from derlib import DecodeError
from derlib.schemas import kerberos, spnego
from derlib.schemas.spnego import (
    NegotiationToken,
    NegTokenInit,
    NegTokenInit2,
    NegTokenResp,
    decode_token,
    kerberos_message_of,
    unwrap_token,
    wrap_token,
)
from derlib.strategies import encodings

# A client and a server of pyspnego that negotiate NTLM: all four tokens.
NTLM = {
    "negotiate": (
        "604806062b0601050502a03e303ca00e300c060a2b06010401823702020aa22a04284e544c4d5353500001000000378208e20000"
        "0000280000000000000028000000000c04000000000f"
    ),
    "challenge": (
        "a1819030818da0030a0103a10c060a2b06010401823702020aa27804764e544c4d5353500002000000040004003800000035828a"
        "e2778de1549ae2dec700000000000000003a003a003c000000000c04000000000f56004d000100040056004d000200160057004f"
        "0052004b00530054004100540049004f004e000300040076006d00070008003e2e3d1b177cdd0100000000"
    ),
    "authenticate": (
        "a182014730820143a0030a0101a2820126048201224e544c4d535350000300000018001800580000008c008c00700000000c000c"
        "00fc0000000600060008010000040004000e010000100010001201000035828ae2000c04000000000f3876cb372a28c6aa0ba22e"
        "5b0f26b528000000000000000000000000000000000000000000000000843dd74a06df66bca240514a7d4f311701010000000000"
        "003e2e3d1b177cdd019b23dcd6412f15fb000000000100040056004d000200160057004f0052004b00530054004100540049004f"
        "004e000300040076006d00070008003e2e3d1b177cdd010900160063006900660073002f00730065007200760065007200060004"
        "0002000000000000000000000044004f004d00410049004e0061006e006e0056004d001ad047d3d563f7a205690beef88dc357a3"
        "120410010000001a4ff631e9aaebe300000000"
    ),
    "completed": (
        "a11b3019a0030a0100a31204100100000092c71cf24a442b8b00000000"
    ),
}
# pyspnego with Kerberos: the AP-REQ and the AP-REP are those that krb5 encodes in its tests.
KERBEROS_REQUEST = (
    "6081df06062b0601050502a081d43081d1a019301706092a864886f712010202060a2b06010401823702020aa281b30481b06081ad06"
    "092a864886f71201020201006e819d30819aa003020105a10302010ea207030500fedcba98a35e615c305aa003020105a1101b0e4154"
    "48454e412e4d49542e454455a21a3018a003020101a111300f1b066866747361691b056578747261a3253023a003020100a103020105"
    "a21704156b726241534e2e312074657374206d657373616765a4253023a003020100a103020105a21704156b726241534e2e31207465"
    "7374206d657373616765"
)
KERBEROS_REPLY = (
    "a1643062a0030a0100a10b06092a864886f712010202a2460444604206092a864886f71201020202006f333031a003020105a1030201"
    "0fa2253023a003020100a103020105a21704156b726241534e2e312074657374206d657373616765a306040401020304"
)
# The first token of a Windows server for SMB, and one of pyspnego with all components.
WINDOWS = (
    "607606062b0601050502a06c306aa03c303a060a2b06010401823702021e06092a864882f71201020206092a864886f712010202060a"
    "2a864886f71201020203060a2b06010401823702020aa32a3028a0261b246e6f745f646566696e65645f696e5f524643343137384070"
    "6c656173655f69676e6f7265"
)
ALL_HINTS = (
    "604a06062b0601050502a040303ea019301706092a864886f712010202060a2b06010401823702020aa206040400000000a311300fa0"
    "051b0373706ea106040461646472a406040401010101"
)
IMPACKET = "a11c301aa0030a0101a10c060a2b06010401823702020aa2050403616263"
# pyspnego writes the eight bits of the flag confFlag.
FLAGS = (
    "603d06062b0601050502a0333031a019301706092a864886f712010202060a2b06010401823702020aa10403020004a2060404000000"
    "00a306040401010101"
)


@pytest.mark.parametrize("name", NTLM)
def test_a_negotiation_of_ntlm(name: str) -> None:
    octets = bytes.fromhex(NTLM[name])
    token = decode_token(octets)
    read(type(token), token.encode())
    if name == "negotiate":
        assert type(token) is NegTokenInit
        assert list(token.mech_types) == [spnego.mech_ntlmssp]
        frame = spnego.InitialContextToken.decode(octets)
        assert frame.inner_context_token.value == token
        assert frame.encode() == octets
        inner = token.mech_token
    else:
        assert type(token) is NegTokenResp
        assert token.neg_state is not None
        assert token.neg_state.name == {
            "challenge": "request_mic",
            "authenticate": "accept_incomplete",
            "completed": "accept_completed",
        }[name]
        assert token.supported_mech == (spnego.mech_ntlmssp if name == "challenge" else None)
        assert (token.mech_list_mic is None) == (name == "challenge")
        assert NegotiationToken(neg_token_resp=token).encode() == octets
        inner = token.response_token
    # NTLM has a number for the type of the message after the eight bytes of its name.
    expected = {"negotiate": b"NTLMSSP\0\1", "challenge": b"NTLMSSP\0\2", "authenticate": b"NTLMSSP\0\3"}
    assert (None if inner is None else inner[:9]) == expected.get(name)


def test_kerberos_in_a_request() -> None:
    token = decode_token(bytes.fromhex(KERBEROS_REQUEST))
    read(type(token), token.encode())
    assert type(token) is NegTokenInit
    assert list(token.mech_types) == [spnego.mech_krb5, spnego.mech_ntlmssp]
    assert token.mech_token is not None
    mechanism, inner = unwrap_token(token.mech_token)
    assert (mechanism.name, inner[:2].hex()) == ("krb5", "0100")
    assert wrap_token(mechanism, inner) == token.mech_token
    request = kerberos_message_of(token.mech_token)
    assert type(request) is kerberos.AP_REQ
    assert list(request.ticket.sname.name_string) == ["hftsai", "extra"]
    # The same message without framing.
    assert kerberos_message_of(inner[2:]) == request


def test_kerberos_in_a_reply() -> None:
    token = decode_token(bytes.fromhex(KERBEROS_REPLY))
    read(type(token), token.encode())
    assert type(token) is NegTokenResp
    assert (token.neg_state, token.supported_mech) == (spnego.NegState.accept_completed, spnego.mech_krb5)
    assert token.mech_list_mic == bytes([1, 2, 3, 4])
    assert token.response_token is not None
    reply = kerberos_message_of(token.response_token)
    assert type(reply) is kerberos.AP_REP
    assert reply.enc_part.cipher == b"krbASN.1 test message"


def test_an_error_of_kerberos() -> None:
    lines = (Path(__file__).parent / "kerberos_messages.txt").read_text().splitlines()
    [der, *_] = [bytes.fromhex(line.split()[1]) for line in lines if line.startswith("KRB_ERROR ")]
    for mechanism in (spnego.mech_krb5, spnego.mech_ms_krb5, spnego.mech_krb5_user_to_user):
        found = kerberos_message_of(wrap_token(mechanism, b"\3\0" + der))
        assert type(found) is kerberos.KRB_ERROR
        assert found.encode() == der


def test_the_hints_of_a_server() -> None:
    token = decode_token(bytes.fromhex(WINDOWS))
    read(type(token), token.encode())
    assert type(token) is NegTokenInit2
    assert token.mech_types is not None
    assert [mechanism.name for mechanism in token.mech_types] == [
        "negoex",
        "ms-krb5",
        "krb5",
        "krb5-user-to-user",
        "ntlmssp",
    ]
    assert token.neg_hints == spnego.NegHints(hint_name="not_defined_in_RFC4178@please_ignore")
    every = decode_token(bytes.fromhex(ALL_HINTS))
    read(type(every), every.encode())
    assert type(every) is NegTokenInit2
    assert every.neg_hints == spnego.NegHints(hint_name="spn", hint_address=b"addr")
    assert (every.mech_token, every.mech_list_mic) == (bytes(4), bytes([1, 1, 1, 1]))


def test_a_reply_of_impacket() -> None:
    token = decode_token(bytes.fromhex(IMPACKET))
    assert token == NegTokenResp(
        neg_state="accept_incomplete", supported_mech=spnego.mech_ntlmssp, response_token=b"abc"
    )


def test_flags_with_zeros_at_the_end() -> None:
    with pytest.raises(DecodeError, match=r"X\.690 11\.2\.2") as caught:
        decode_token(bytes.fromhex(FLAGS))
    assert caught.value.path == ("neg_token_init", "req_flags")
    token = decode_token(bytes.fromhex(FLAGS), rules="ber")
    assert type(token) is NegTokenInit
    assert token.req_flags == spnego.ContextFlagsBase.conf_flag
    # RFC 4178 gives them 32 bits, of which DER leaves out the zeros.
    assert token.encode().hex().count("a10403020204") == 1


def test_what_is_authenticated() -> None:
    """mechListMIC is over the DER encoding of MechTypeList (RFC 4178 section 5)."""
    token = decode_token(bytes.fromhex(KERBEROS_REQUEST))
    assert type(token) is NegTokenInit
    assert bytes(token.mech_types.der).hex() == "301706092a864886f712010202060a2b06010401823702020a"


@pytest.mark.parametrize("size", [0, 1, 115, 116, 117, 243, 244, 65536])
def test_any_bytes_can_be_framed(size: int) -> None:
    token = wrap_token(spnego.mech_krb5, bytes(size))
    # The outer element is an element of DER, whatever is in it.
    element = derlib.parse(b"\x40" + token[1:])
    assert (token[0], len(element.content)) == (0x60, 11 + size)
    assert unwrap_token(token) == (spnego.mech_krb5, bytes(size))


@pytest.mark.parametrize(
    ("octets", "message"),
    [
        pytest.param("", "first byte is not 60", id="empty"),
        pytest.param("3000", "first byte is not 60", id="another tag"),
        pytest.param("6000", "at offset 0", id="no contents"),
        pytest.param("600106", "at offset", id="half an identifier"),
        pytest.param("600206ff", "at offset", id="a wrong length of the mechanism"),
        pytest.param("60810406022a03", r"X\.690 10\.1", id="a long length"),
        pytest.param("600406022a0300", "bytes follow", id="bytes after the token"),
        pytest.param("600606062a03", "at offset", id="cut"),
        pytest.param("600404022a03", "OBJECT IDENTIFIER", id="no mechanism"),
    ],
)
def test_malformed_framing_is_refused(octets: str, message: str) -> None:
    with pytest.raises(derlib.ASN1Error, match=message):
        unwrap_token(bytes.fromhex(octets))


@pytest.mark.parametrize(
    ("octets", "message"),
    [
        pytest.param("a2023000", "NegotiationToken", id="another alternative"),
        pytest.param("a0023000", "mech_types", id="neither mechanisms nor hints"),
        pytest.param("a1073005a0030a0104", "neg_state", id="an unknown state"),
        pytest.param("a0073005a003040100", "mech_types", id="a string for the mechanisms"),
    ],
)
def test_malformed_tokens_are_refused(octets: str, message: str) -> None:
    with pytest.raises(DecodeError, match=message):
        decode_token(bytes.fromhex(octets))


def test_tokens_of_other_mechanisms_are_refused() -> None:
    with pytest.raises(derlib.ASN1Error, match="the mechanism is krb5"):
        decode_token(wrap_token(spnego.mech_krb5, b""))
    with pytest.raises(derlib.ASN1Error, match="the mechanism is spnego"):
        kerberos_message_of(bytes.fromhex(KERBEROS_REQUEST))
    with pytest.raises(derlib.ASN1Error, match="unknown type of Kerberos token: 04 00"):
        kerberos_message_of(wrap_token(spnego.mech_krb5, b"\4\0\x30\0"))
    with pytest.raises(derlib.ASN1Error, match="first byte is not 60"):
        kerberos_message_of(b"NTLMSSP\0")


@given(encodings(NegotiationToken))
def test_round_trip(octets: bytes) -> None:
    found = NegotiationToken.decode(octets)
    assert NegotiationToken.from_native(found.to_native()).encode() == octets
    assert decode_token(octets) == found.value
    assert decode_token(wrap_token(spnego.mech_spnego, octets)) == found.value


@given(encodings(NegTokenInit2))
def test_round_trip_with_hints(octets: bytes) -> None:
    assert NegTokenInit2.from_native(NegTokenInit2.decode(octets).to_native()).encode() == octets
