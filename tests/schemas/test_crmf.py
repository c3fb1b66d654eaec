"""Requests for certificates in the format of RFC 4211."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from support.rebuilt import read

import derlib
from derlib.schemas import crmf
from derlib.schemas.algorithms import ALGORITHMS
from derlib.schemas.cms import CONTENT_TYPES
from derlib.schemas.crmf import AttributeTypeAndValue, CertReqMessages, CertReqMsg, CertRequest, Controls, Name

# From the tests of pyasn1-alt-modules.
REQUEST = base64.b64decode(
    "MIIBozCCAZ8wggEFAgUAwTnj2jCByoABAqURMA8xDTALBgNVBAMTBHVzZXKmgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAJ6ZQ2cYbn/l"
    "FsmBOlRltbRbFQUvvE0QnbopOu1kC7Bmaaz7QTx8nxeiHi4m7uxCbGGxHNoGCt7EmdG8eZUBNAcHyGlXrJdm0z3/uNEGiBHq+xB8FnFJCA5E"
    "IJ3RWFnlbu9otSITLxWK7c5+/NHmWM+yaeHD/f/hrp01c/8qXZfZAgMBAAGpEDAOBgNVHQ8BAf8EBAMCBeAwLzASBgkrBgEFBQcFAQEMBTEx"
    "MTExMBkGCSsGAQUFBwUBAgwMc2VydmVyX21hZ2ljoYGTMA0GCSqGSIb3DQEBBQUAA4GBAEI3KNEvTq/n1kNVhNhPkovk1AZxyJrN1u1+7Gkc"
    "4PLjWwjLOjcEVWt4AajUk/gkIJ6bbeO+fZlMjHfPSDKcD6AV2hN+n72QZwfzcw3icNvBG1el9EU4XfImxfu5YVWi81/fw8QQ6X6YGHFQkomL"
    "d7jxakVyjxSng9BhO6GpjJNF"
)
SHA256: Any = {"algorithm": "2.16.840.1.101.3.4.2.1"}
HMAC: Any = {"algorithm": "1.2.840.113549.2.9", "parameters": derlib.NULL}
BITS = derlib.BitString(b"\7")
NAME: Any = {"rfc822_name": "ada@example.org"}
ENCRYPTED: Any = {"symm_alg": HMAC, "value_hint": b"hint", "enc_value": BITS}
ENVELOPED: Any = {
    "version": 2,
    "recipient_infos": [
        {"pwri": {"version": 0, "key_encryption_algorithm": HMAC, "encrypted_key": b"\7"}},
    ],
    "encrypted_content_info": {"content_type": "1.2.840.113549.1.7.1", "content_encryption_algorithm": HMAC},
}


def test_a_real_request() -> None:
    [message] = read(CertReqMessages, REQUEST)
    template = message.cert_req.cert_template
    assert template.public_key.algorithm.algorithm.name == "rsaEncryption"
    assert message.popo.alternative == "signature"
    assert message.popo.value.poposk_input is None


def key() -> Any:
    return CertReqMessages.decode(REQUEST)[0].cert_req.cert_template.public_key


def controls() -> dict[derlib.ObjectIdentifier, Any]:
    """Return a value for every control, with its type."""
    mac = {"alg_id": {"algorithm": crmf.id_password_based_mac}, "value": BITS}
    assert crmf.PKMACValue(**mac).alg_id.parameters is None
    places = [{"pub_method": "web", "pub_location": {"uniform_resource_identifier": "http://example.org/"}}]
    return {
        crmf.id_reg_ctrl_reg_token: "token",
        crmf.id_reg_ctrl_authenticator: "mother's name",
        crmf.id_reg_ctrl_pki_publication_info: crmf.PKIPublicationInfo(action="please_publish", pub_infos=places),
        crmf.id_reg_ctrl_pki_archive_options: crmf.PKIArchiveOptions(archive_rem_gen_priv_key=True),
        crmf.id_reg_ctrl_old_cert_id: crmf.CertId(issuer=NAME, serial_number=7),
        crmf.id_reg_ctrl_protocol_encr_key: key(),
        crmf.id_reg_ctrl_alt_cert_template: AttributeTypeAndValue(type=crmf.id_reg_ctrl_reg_token, value="token"),
        crmf.id_reg_ctrl_alg_id: crmf.AlgorithmIdentifier(**SHA256),
        crmf.id_reg_ctrl_rsa_key_len: 2048,
        crmf.id_reg_info_utf8_pairs: "Name?Ada%",
        crmf.id_reg_info_cert_req: CertRequest(cert_req_id=1, cert_template={"subject": Name.of({"CN": "Ada"})}),
    }


def test_every_control_has_its_type() -> None:
    values = controls()
    made = Controls([{"type": type_, "value": value} for type_, value in values.items()])
    found = read(Controls, made.encode())
    for type_, value in values.items():
        assert (found.get(type_), type(found.get(type_))) == (value, type(value))
        assert type_.name.startswith(("id-regCtrl-", "id-regInfo-"))
    assert found.get("2.999.1") is None


@pytest.mark.parametrize(
    ("octets", "fault"),
    [
        ("300e06092b0601050507050101 020107", "expected UTF8String, found INTEGER"),
        ("300e06092b060105050705010c 020100", r"0 is outside \(1..MAX\)"),
    ],
)
def test_a_control_of_another_type_is_refused(octets: str, fault: str) -> None:
    with pytest.raises(derlib.DecodeError, match=fault):
        AttributeTypeAndValue.decode(bytes.fromhex(octets))


PROOFS: list[dict[str, Any]] = [
    {"ra_verified": derlib.NULL},
    {"signature": {"algorithm_identifier": SHA256, "signature": BITS}},
    {"key_encipherment": {"this_message": BITS}},
    {"key_encipherment": {"subsequent_message": "challenge_resp"}},
    {"key_encipherment": {"encrypted_key": ENVELOPED}},
    {"key_agreement": {"dh_mac": BITS}},
    {"key_agreement": {"agree_mac": {"alg_id": HMAC, "value": BITS}}},
]


@pytest.mark.parametrize("proof", PROOFS, ids=str)
def test_every_proof_of_possession(proof: dict[str, Any]) -> None:
    made = CertReqMsg(cert_req={"cert_req_id": 0, "cert_template": {}}, popo=proof)
    [(name, value)] = proof.items()
    found = read(CertReqMsg, made.encode()).popo
    assert found.alternative == name
    if name.startswith("key"):
        assert found.value.alternative == next(iter(value))


@pytest.mark.parametrize("who", [{"sender": NAME}, {"public_key_mac": {"alg_id": HMAC, "value": BITS}}], ids=str)
def test_a_signature_of_other_input(who: Any) -> None:
    signed = {"auth_info": who, "public_key": key()}
    made = crmf.POPOSigningKey(poposk_input=signed, algorithm_identifier=SHA256, signature=BITS)
    found = read(crmf.POPOSigningKey, made.encode()).poposk_input
    assert found.auth_info.alternative == next(iter(who))
    # What is signed has the tag of a SEQUENCE, not the tag of the field: RFC 4211 section 4.1.
    assert found.encode()[0] == 0x30


@pytest.mark.parametrize("identifier", [None, {"string": "Ada"}, {"general_name": NAME}], ids=str)
def test_a_private_key_with_the_name_of_its_owner(identifier: Any) -> None:
    private = {"version": "v1", "private_key_algorithm": {"algorithm": "1.3.101.112"}, "private_key": bytes(32)}
    made = crmf.EncKeyWithID(private_key=private, identifier=identifier)
    assert read(crmf.EncKeyWithID, made.encode()) == made
    assert CONTENT_TYPES.get(crmf.id_ct_enc_key_with_id) is crmf.EncKeyWithID


@pytest.mark.parametrize(
    "options",
    [{"encrypted_priv_key": {"encrypted_value": ENCRYPTED}}, {"encrypted_priv_key": {"enveloped_data": ENVELOPED}}],
)
def test_an_archived_key(options: Any) -> None:
    made = crmf.PKIArchiveOptions(**options)
    assert read(crmf.PKIArchiveOptions, made.encode()).value.alternative == next(iter(options["encrypted_priv_key"]))


def test_the_template_has_all_fields() -> None:
    made = crmf.CertTemplate(
        version="v3",
        serial_number=7,
        signing_alg=SHA256,
        issuer=Name.of({"CN": "CA"}),
        validity={"not_before": "20261009123000Z", "not_after": "20501009123000Z"},
        subject=Name.of({"CN": "Ada"}),
        public_key=key(),
        issuer_uid=BITS,
        subject_uid=BITS,
        extensions=[{"extn_id": "2.5.29.14", "extn_value": b"\7"}],
    )
    # Only the names have explicit tags, because they are a CHOICE: X.680 31.2.7.
    assert [element.tag.number for element in derlib.parse(made.encode()).children] == list(range(10))
    assert str(read(crmf.CertTemplate, made.encode()).subject) == "CN=Ada"


def test_the_algorithms_of_rfc_9045() -> None:
    parameters = {"salt": b"salt", "owf": SHA256, "iteration_count": 100, "mac": HMAC}
    made = crmf.AlgorithmIdentifier(algorithm=crmf.id_password_based_mac, parameters=parameters)
    assert type(read(crmf.AlgorithmIdentifier, made.encode()).parameters) is crmf.PBMParameter
    gmac = crmf.AlgorithmIdentifier(algorithm="2.16.840.1.101.3.4.1.49", parameters={"aes_nonce": bytes(12)})
    assert gmac.algorithm.name == "id-aes256-GMAC"
    assert read(crmf.AlgorithmIdentifier, gmac.encode()).parameters.aes_icv_len == 12
    assert ALGORITHMS.get("1.2.840.113549.1.5.14") is crmf.PBMAC1Params


def test_a_request_needs_a_message() -> None:
    with pytest.raises(derlib.DecodeError):
        CertReqMessages.decode(b"\x30\0")
