"""Messages of Kerberos that impacket and minikerberos send: a logon, a ticket for a service, and PKINIT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from derlib import ConstraintViolation
from derlib.schemas import kerberos, kerberos_preauth
from derlib.schemas.cms import ContentInfo
from derlib.schemas.kerberos import ErrorCode, PADataType
from derlib.strategies import encodings

LINES = (Path(__file__).parent / "kerberos_peers.txt").read_text().splitlines()
MESSAGES = [tuple(line.split()) for line in LINES if not line.startswith("#")]
# minikerberos 0.4.9 leaves out the zero bits at the end of flags.
SHORT_FLAGS = (
    "6a81be3081bba103020105a20302010aa31530133011a10402020080a20904073005a0030101ffa48197308194a0050303075080"
    "a110300ea003020101a10730051b03616e6ea20d1b0b4558414d504c452e4f5247a320301ea003020101a11730151b066b726274"
    "67741b0b4558414d504c452e4f5247a511180f32303236313132353133333035305aa611180f3230323631313235313333303530"
    "5aa70602040f070e66a81a3018020101020102020103020110020117020180020112020111"
)


def all_of(name: str) -> list[Any]:
    """Return the messages of a type, in their order."""
    cls = getattr(kerberos, name)
    return [cls.decode(bytes.fromhex(octets)) for known, octets in MESSAGES if known == name]


@pytest.mark.parametrize(("name", "octets"), MESSAGES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(MESSAGES)])
def test_messages_of_peers(name: str, octets: str) -> None:
    cls, der = getattr(kerberos, name), bytes.fromhex(octets)
    value = cls.decode(der)
    assert value.encode() == der
    assert cls.from_native(value.to_native()).encode() == der
    assert cls.from_json(value.to_json()).encode() == der


def test_a_request_without_authentication_and_the_answer() -> None:
    first, second = all_of("AS_REQ")
    assert [data.padata_type for data in first.padata] == [128]
    assert (first.req_body.realm, list(first.req_body.cname.name_string)) == ("EXAMPLE.ORG", ["ann"])
    assert list(first.req_body.sname.name_string) == ["krbtgt", "EXAMPLE.ORG"]
    # forwardable (1), renewable (8), proxiable (3), with all 32 bits
    assert first.req_body.kdc_options.bytes.hex() == "50800000"
    [error] = all_of("KRB_ERROR")
    assert (error.error_code, error.realm) == (ErrorCode.kdc_err_preauth_required, "EXAMPLE.ORG")
    methods = kerberos.METHOD_DATA.decode(error.e_data)
    assert [method.padata_type for method in methods] == [
        PADataType.pa_etype_info2,
        PADataType.pa_enc_timestamp,
        PADataType.pa_pk_as_req,
        15,
    ]
    [entry] = methods[0].padata_value
    assert (entry.etype, entry.salt) == (kerberos.EncryptionType.aes256_cts_hmac_sha1_96, "EXAMPLE.ORGann")
    # An offer of a method has no value.
    assert [method.padata_value for method in methods][1:] == [b"", b"", b""]
    stamp = second.padata[0].padata_value
    assert isinstance(stamp, kerberos.EncryptedData)
    assert (second.padata[0].padata_type, stamp.etype) == (PADataType.pa_enc_timestamp, 18)


def test_a_ticket() -> None:
    [reply] = all_of("AS_REP")
    [part] = all_of("EncASRepPart")
    assert part.nonce == all_of("AS_REQ")[1].req_body.nonce
    assert (part.key.keytype, bytes(part.key.keyvalue)) == (18, bytes(range(1, 33)))
    # forwardable (1), renewable (8), initial (9)
    assert part.flags.bytes.hex() == "40c00000"
    assert (part.endtime - part.starttime).total_seconds() == 36000
    assert (reply.ticket.realm, reply.ticket.enc_part.kvno) == ("EXAMPLE.ORG", 2)


def test_a_ticket_for_a_service() -> None:
    [request] = all_of("TGS_REQ")
    [proof] = [data for data in request.padata if data.padata_type == PADataType.pa_tgs_req]
    assert isinstance(proof.padata_value, kerberos.AP_REQ)
    [granting] = all_of("AS_REP")
    assert proof.padata_value.ticket == granting.ticket
    [reply] = all_of("TGS_REP")
    [part] = all_of("EncTGSRepPart")
    assert part.nonce == request.req_body.nonce
    assert list(part.sname.name_string) == list(reply.ticket.sname.name_string) == ["cifs", "server.example.org"]


def test_a_request_of_pkinit() -> None:
    [data] = all_of("PA_DATA")
    request = data.padata_value
    assert isinstance(request, kerberos_preauth.PA_PK_AS_REQ)
    signed = ContentInfo.decode(request.signed_auth_pack).signed_data
    content = signed.encap_content_info
    assert content.e_content_type == kerberos_preauth.id_pkinit_auth_data
    pack = kerberos_preauth.AuthPack.decode(content.e_content)
    assert pack.encode() == content.e_content
    assert (pack.pk_authenticator.nonce, len(pack.pk_authenticator.pa_checksum)) == (1510855552, 20)
    assert pack.client_public_value.algorithm.algorithm.name == "dhpublicnumber"
    assert len(pack.client_dh_nonce) == 32
    assert str(signed.certificates[0].certificate.subject) == "CN=ann"


def test_flags_need_32_bits() -> None:
    """RFC 4120 section 5.2.8 requires 32 bits. A lenient implementation may accept fewer, but derlib is not lenient."""
    octets = bytes.fromhex(SHORT_FLAGS)
    with pytest.raises(ConstraintViolation, match="has size 9") as caught:
        kerberos.AS_REQ.decode(octets)
    assert caught.value.path == ("req_body", "kdc_options")


@given(encodings(kerberos.TGS_REQ))
def test_round_trip_of_requests(octets: bytes) -> None:
    assert kerberos.TGS_REQ.from_native(kerberos.TGS_REQ.decode(octets).to_native()).encode() == octets


@given(encodings(kerberos.KRB_ERROR))
def test_round_trip_of_errors(octets: bytes) -> None:
    assert kerberos.KRB_ERROR.from_native(kerberos.KRB_ERROR.decode(octets).to_native()).encode() == octets


@given(encodings(kerberos_preauth.AuthPack))
def test_round_trip_of_pkinit(octets: bytes) -> None:
    cls = kerberos_preauth.AuthPack
    assert cls.from_native(cls.decode(octets).to_native()).encode() == octets


@given(encodings(kerberos_preauth.KrbFastReq))
def test_round_trip_of_fast(octets: bytes) -> None:
    cls = kerberos_preauth.KrbFastReq
    assert cls.from_native(cls.decode(octets).to_native()).encode() == octets
