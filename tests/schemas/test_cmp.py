"""Messages of certificate management that openssl makes, and one value of every kind."""

from __future__ import annotations

import base64
import hashlib
import hmac
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from support.openssl import OpenSSL
from support.rebuilt import read

import derlib
from derlib import inspect, oids, pem
from derlib.schemas import cmp, cmp_info, crmf
from derlib.schemas.algorithms import ALGORITHMS
from derlib.schemas.cmp import PKIBody, PKIFailureInfo, PKIMessage, PKIStatus
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate, Name

# From the tests of pyasn1-alt-modules: a confirmation with hashAlg, which RFC 9480 added.
CONFIRMATION = base64.b64decode(
    "MIIBRzCB7AIBA6QSMBAxDjAMBgNVBAMTBXRlc3QxpDwwOjELMAkGA1UEBhMCRkkxEzARBgNVBAoMCkluc3RhIERlbW8xFjAUBgNVBAMMDUlu"
    "c3RhIERlbW8gQ0GgERgPMjAyMTA4MDYwOTMxMTNaoT4wPAYJKoZIhvZ9B0INMC8EEB5x3dQ4Vg4kdP1n+ap2w0swCwYJYIZIAWUDBAIBAgIB"
    "9DAKBggrBgEFBQgBAqIGBAQzMDc4pBIEEMXyngikbmIqdUhd+jbxQ8ulEgQQngNAx7MofTItd+s/kKMkh6YSBBDkF9+tX9JjzPWnXS2sNZUi"
    "uD0wOzA5BCDhwnx/3e8WA5IwTb9/KW1YPo8G4H6Y1d8QMWM9ZiqNvQIBADADAgEAoA0wCwYJYIZIAWUDBAIBoBcDFQCYMTqZTiG8dikDtNrm"
    "H7/mZ0aOaQ=="
)
SECRET = b"the shared secret"
BITS = derlib.BitString(b"\7")
SHA256: Any = {"algorithm": "2.16.840.1.101.3.4.2.1"}
NAME: Any = {"directory_name": {"rdn_sequence": []}}
STATUS: Any = {"status": "rejection", "status_string": ["no"], "fail_info": PKIFailureInfo.bad_pop}


def exchange(openssl: OpenSSL, *arguments: str, fails: bool = False) -> list[Any]:
    """Return the messages between a client of openssl and its mock server, in their order.

    With `fails`, the client does not get a certificate, and the program must report that.
    """
    folder = openssl.folder
    files = [f"cmp{number}.{kind}" for number in range(4) for kind in ("req", "rsp")]
    for file in files:
        (folder / file).unlink(missing_ok=True)
    password = f"pass:{SECRET.decode()}"
    server = ("-srv_cert", "ec.pem", "-srv_key", "ec.key", "-srv_trusted", "rsa.pem", "-srv_secret", password)
    answer = ("-rsp_cert", "ec.pem", "-rsp_capubs", "rsa.pem", "-rsp_extracerts", "rsa.pem")
    saved = ("-reqout", ",".join(files[::2]), "-rspout", ",".join(files[1::2]), "-certout", "cmp.pem")
    if "-key" not in arguments:
        arguments = ("-secret", password, "-ref", "1234", *arguments)
    with pytest.raises(AssertionError) if fails else nullcontext():
        openssl("cmp", "-use_mock_srv", *server, *answer, *saved, "-recipient", "/CN=CA", *arguments)
    return [read(PKIMessage, (folder / file).read_bytes()) for file in files if (folder / file).exists()]


def kinds(messages: list[Any]) -> list[str]:
    return [message.body.alternative for message in messages]


NEW = ("-newkey", "ec.key", "-subject", "/CN=Ada")
EXCHANGES: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "initialization": (("ir", *NEW, "-days", "10", "-sans", "a.example"), ["ir", "ip", "cert_conf", "pkiconf"]),
    "certification": (("cr", *NEW, "-implicit_confirm", "-grant_implicitconf"), ["cr", "cp"]),
    "PKCS #10": (("p10cr", "-csr", "cmp.csr"), ["p10cr", "cp", "cert_conf", "pkiconf"]),
    "polling": (
        ("ir", *NEW, "-poll_count", "1", "-check_after", "1"),
        ["ir", "ip", "poll_req", "ip", "cert_conf", "pkiconf"],
    ),
    "revocation": (("rr", "-oldcert", "ec.pem", "-revreason", "1"), ["rr", "rp"]),
    "general": (("genm", "-infotype", "signKeyPairTypes"), ["genm", "genp"]),
    "options of a request": (
        (
            *("ir", *NEW, "-issuer", "/CN=CA", "-geninfo", "1.2.3:int:987", "-policy_oids", "1.2.3 2.5.29.32.0"),
            *("-policy_oids_critical", "-sans", "192.0.2.1", "-extracerts", "rsa.pem", "-pkistatus", "1"),
        ),
        ["ir", "ip", "cert_conf", "pkiconf"],
    ),
    "verified by a registration authority": (
        ("ir", *NEW, "-popo", "0", "-accept_raverified", "-disable_confirm"),
        ["ir", "ip"],
    ),
    "revocation for the second reason": (("rr", "-oldcert", "ec.pem", "-revreason", "10"), ["rr", "rp"]),
    "information that the server does not have": (("genm", "-infotype", "caCerts"), ["genm", "genp"]),
    "key update": (
        ("kur", "-cert", "rsa.pem", "-key", "rsa.key", "-oldcert", "ec.pem", "-newkey", "ec.key", "-trusted", "ec.pem"),
        ["kur", "kup", "cert_conf", "pkiconf"],
    ),
}


@pytest.fixture(scope="module")
def exchanges(openssl: OpenSSL) -> dict[str, list[Any]]:
    """The messages of every exchange, which are protected with a password, or signed (key update)."""
    openssl("req", "-new", "-key", "ec.key", "-subj", "/CN=Ada", "-out", "cmp.csr")
    return {name: exchange(openssl, "-cmd", *arguments) for name, (arguments, _) in EXCHANGES.items()}


@pytest.mark.parametrize("name", EXCHANGES)
def test_messages_of_openssl(exchanges: dict[str, list[Any]], name: str) -> None:
    messages = exchanges[name]
    assert kinds(messages) == EXCHANGES[name][1]
    assert len({message.header.transaction_id for message in messages}) == 1
    for message, answer in pairwise(messages):
        assert answer.header.recip_nonce == message.header.sender_nonce


REFUSED: dict[str, tuple[tuple[str, ...], list[str], PKIStatus]] = {
    "no proof of possession": (("-popo", "-1"), ["ir", "ip"], PKIStatus.rejection),
    "proof by encryption": (("-popo", "2"), ["ir", "ip"], PKIStatus.rejection),
    "failure bits and text": (
        ("-pkistatus", "2", "-failurebits", "67108865", "-statusstring", "für alle"),
        ["ir", "ip"],
        PKIStatus.rejection,
    ),
    "error message": (("-send_error",), ["ir", "error"], PKIStatus.rejection),
    "error message without protection": (
        ("-send_error", "-send_unprot_err", "-unprotected_errors"),
        ["ir", "error"],
        PKIStatus.rejection,
    ),
    "waiting without end": (("-pkistatus", "3"), ["ir", "ip", "poll_req", "error"], PKIStatus.rejection),
    "request without protection": (("-unprotected_requests",), ["ir", "error"], PKIStatus.rejection),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_of_openssl(openssl: OpenSSL, name: str) -> None:
    arguments, expected, status = REFUSED[name]
    messages = exchange(openssl, "-cmd", "ir", *NEW, *arguments, fails=True)
    assert kinds(messages) == expected
    answer = messages[-1].body
    info = answer.value.pki_status_info if answer.alternative == "error" else answer.value.response[0].status
    assert info.status is status
    if name == "failure bits and text":
        assert info.fail_info == PKIFailureInfo.bad_alg | PKIFailureInfo.duplicate_cert_req
        assert list(info.status_string) == ["für alle"]
    assert (messages[0].protection is None) == (name == "request without protection")
    assert (messages[-1].protection is None) == name.endswith("message without protection")


def mac_key(secret: bytes, parameters: cmp.PBMParameter) -> bytes:
    """Return the key of the message authentication code, for SHA-256 (RFC 9810 section 5.1.3.1)."""
    key = secret + parameters.salt
    for _ in range(parameters.iteration_count):
        key = hashlib.sha256(key).digest()
    return key


@pytest.mark.parametrize("name", [name for name in EXCHANGES if name != "key update"])
def test_the_protection_with_a_password(exchanges: dict[str, list[Any]], name: str) -> None:
    for message in exchanges[name]:
        parameters = message.header.protection_alg.parameters
        assert type(parameters) is cmp.PBMParameter
        assert (parameters.owf.algorithm.name, parameters.mac.algorithm.name) == ("id-sha256", "hMAC-SHA1")
        assert hmac.digest(mac_key(SECRET, parameters), message.protected_part.encode(), "sha1") == bytes(
            message.protection
        )


def test_the_protection_with_a_signature(openssl: OpenSSL, exchanges: dict[str, list[Any]]) -> None:
    key = serialization.load_pem_private_key((openssl.folder / "ec.key").read_bytes(), None).public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    [_, answer, _, confirmed] = exchanges["key update"]
    for message in (answer, confirmed):
        assert message.header.protection_alg.algorithm.name == "ecdsa-with-SHA256"
        key.verify(bytes(message.protection), message.protected_part.encode(), ec.ECDSA(hashes.SHA256()))


def test_a_request_and_its_answer(openssl: OpenSSL, exchanges: dict[str, list[Any]]) -> None:
    [request, answer, confirmation, _] = exchanges["initialization"]
    [message] = request.body.value
    template = message.cert_req.cert_template
    assert (str(template.subject), template.extensions[0].extn_value[0].value) == ("CN=Ada", "a.example")
    assert template.validity.not_after is not None
    # The signature proves the possession of the key: RFC 4211 section 4.1.
    key = serialization.load_pem_private_key((openssl.folder / "ec.key").read_bytes(), None).public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    proof = message.popo.value
    key.verify(bytes(proof.signature), message.cert_req.der, ec.ECDSA(hashes.SHA256()))

    [response] = answer.body.value.response
    assert response.status.status is PKIStatus.accepted
    certificate = response.certified_key_pair.cert_or_enc_cert.value.value
    [octets] = pem.decode((openssl.folder / "ec.pem").read_bytes(), "CERTIFICATE")
    assert certificate == Certificate.decode(octets)
    assert len(answer.body.value.ca_pubs) == len(answer.extra_certs) == 1
    assert confirmation.body.value[0].cert_hash == hashlib.sha256(octets).digest()


def test_other_requests_and_answers(exchanges: dict[str, list[Any]]) -> None:
    [request, answer] = exchanges["revocation"]
    [details] = request.body.value
    assert details.cert_details.serial_number is not None
    assert details.crl_entry_details[0].extn_value.name == "key_compromise"
    assert answer.body.value.status[0].status is PKIStatus.accepted

    [request, answer] = exchanges["general"]
    assert [info.info_type.name for info in request.body.value] == ["id-it-signKeyPairTypes"]
    assert request.body.value[0].info_value is None
    assert answer.header.pvno is cmp.Pvno.cmp2000

    [request, *_] = exchanges["certification"]
    assert [info.info_type.name for info in request.header.general_info] == ["id-it-implicitConfirm"]
    [update, *_] = exchanges["key update"]
    old = update.body.value[0].cert_req.controls.get(crmf.id_reg_ctrl_old_cert_id)
    assert type(old) is cmp.CertId


@pytest.mark.parametrize("secret", [SECRET, b"another secret"])
def test_openssl_verifies_a_message_of_derlib(openssl: OpenSSL, exchanges: dict[str, list[Any]], secret: bytes) -> None:
    [request, *_] = exchanges["general"]
    parameters = {"salt": b"salt", "owf": SHA256, "iteration_count": 100, "mac": {"algorithm": "1.2.840.113549.2.9"}}
    algorithm = {"algorithm": crmf.id_password_based_mac, "parameters": parameters}
    header = request.header.replace(protection_alg=algorithm, free_text=["made by derlib"])
    body = {"genm": [{"info_type": "1.3.6.1.5.5.7.4.2"}]}
    octets = cmp.ProtectedPart(header=header, body=body).encode()
    protection = derlib.BitString(hmac.digest(mac_key(secret, cmp.PBMParameter(**parameters)), octets, "sha256"))
    made = PKIMessage(header=header, body=body, protection=protection)
    (openssl.folder / "made.req").write_bytes(made.encode())
    arguments = ("-cmd", "genm", "-infotype", "signKeyPairTypes", "-reqin", "made.req")
    if secret == SECRET:
        assert kinds(exchange(openssl, *arguments)) == ["genm", "genp"]
    else:
        with pytest.raises(AssertionError, match="wrong pbm value"):
            exchange(openssl, *arguments)


def test_a_confirmation_with_the_hash_algorithm() -> None:
    message = read(PKIMessage, CONFIRMATION)
    assert message.header.pvno is cmp.Pvno.cmp2021
    [status] = message.body.value
    assert status.hash_alg is not None


def certificate(openssl: OpenSSL) -> dict[str, Any]:
    [octets] = pem.decode((openssl.folder / "ec.pem").read_bytes(), "CERTIFICATE")
    return {"x509v3_pk_cert": Certificate.decode(octets)}


def revocation_list(openssl: OpenSSL) -> CertificateList:
    return CertificateList.decode(pem.decode((openssl.folder / "crl.pem").read_bytes(), "X509 CRL")[0])


def bodies(openssl: OpenSSL) -> dict[str, Any]:
    """Return a value for every alternative of PKIBody, with every component."""
    request = [{"cert_req": {"cert_req_id": 0, "cert_template": {"subject": Name.of({"CN": "Ada"})}}}]
    cert, crl = certificate(openssl), revocation_list(openssl)
    cert_id = {"issuer": NAME, "serial_number": 7}
    encrypted = {"encrypted_value": {"enc_value": BITS}}
    pairs = [
        {"cert_or_enc_cert": {"certificate": cert}, "private_key": encrypted, "publication_info": {"action": 0}},
        {"cert_or_enc_cert": {"encrypted_cert": encrypted}},
    ]
    answers = [
        {"cert_req_id": 0, "status": {"status": 0}, "certified_key_pair": pairs[0], "rsp_info": b"info"},
        {"cert_req_id": -1, "status": STATUS},
    ]
    response = {"ca_pubs": [cert], "response": answers}
    info = [{"info_type": "1.3.6.1.5.5.7.4.1"}, {"info_type": "2.999.1", "info_value": derlib.encode(7, int)}]
    csr = {
        "certification_request_info": {
            "version": 0,
            "subject": Name.of({"CN": "Ada"}),
            "subject_pk_info": cert["x509v3_pk_cert"].tbs_certificate.subject_public_key_info,
            "attributes": [],
        },
        "signature_algorithm": SHA256,
        "signature": BITS,
    }
    pki_message = {"header": {"pvno": 2, "sender": NAME, "recipient": NAME}, "body": {"pkiconf": derlib.NULL}}
    requests = dict.fromkeys(("ir", "cr", "kur", "krr", "ccr"), request)
    return requests | {
        "ip": response,
        "cp": response,
        "kup": response,
        "ccp": response,
        "p10cr": csr,
        "popdecc": [{"owf": SHA256, "witness": b"\1", "challenge": b"\2"}, {"witness": b"\3", "challenge": b"\4"}],
        "popdecr": [-1, 7],
        "krp": {"status": STATUS, "new_sig_cert": cert, "ca_certs": [cert], "key_pair_hist": pairs},
        "rr": [{"cert_details": {"serial_number": 7}, "crl_entry_details": [{"extn_id": "2.999", "extn_value": b""}]}],
        "rp": {"status": [STATUS], "rev_certs": [cert_id], "crls": [crl]},
        "ckuann": {"ca_key_upd_ann_v3": {"new_with_new": cert, "new_with_old": cert, "old_with_new": cert}},
        "cann": cert,
        "rann": {
            "status": "revocation_warning",
            "cert_id": cert_id,
            "will_be_revoked_at": "20261009123000Z",
            "bad_since_date": "20261009123000Z",
        },
        "crlann": [crl],
        "pkiconf": derlib.NULL,
        "nested": [pki_message],
        "genm": info,
        "genp": info,
        "error": {"pki_status_info": STATUS, "error_code": 7, "error_details": ["für alle"]},
        "cert_conf": [{"cert_hash": b"\7", "cert_req_id": 0, "status_info": STATUS, "hash_alg": SHA256}],
        "poll_req": [{"cert_req_id": 0}],
        "poll_rep": [{"cert_req_id": 0, "check_after": 60, "reason": ["busy"]}],
    }


def test_every_body(openssl: OpenSSL) -> None:
    values = bodies(openssl)
    assert values.keys() == {field.name for field in inspect.type_info(PKIBody).alternatives}
    for number, field in enumerate(inspect.type_info(PKIBody).alternatives):
        made = PKIBody(**{field.name: values[field.name]}).encode()
        # The tags are explicit: [number], constructed.
        assert made[0] == 0xA0 + number
        assert read(PKIBody, made).alternative == field.name


def test_the_older_announcement_of_a_key(openssl: OpenSSL) -> None:
    """The first form, of RFC 4210, has no further tag."""
    cert = certificate(openssl)
    content = cmp.CAKeyUpdAnnContent(old_with_new=cert, new_with_old=cert, new_with_new=cert)
    assert PKIBody(ckuann={"ca_key_upd_ann_v2": content}).encode().endswith(content.encode())


def informations(openssl: OpenSSL) -> dict[int, Any]:
    """Return plain data for every type of information."""
    cert, crl = certificate(openssl), revocation_list(openssl)
    point = {"full_name": [{"uniform_resource_identifier": "http://example.org/ca.crl"}]}
    update = {"new_with_new": cert}
    message = {"header": {"pvno": 2, "sender": NAME, "recipient": NAME}, "body": {"pkiconf": derlib.NULL}}
    return {
        1: cert,
        2: [SHA256],
        3: [SHA256],
        4: SHA256,
        5: {"old_with_new": cert, "new_with_old": cert, "new_with_new": cert},
        6: crl,
        7: ["2.999.1"],
        10: "1.2.840.10045.2.1",
        11: SHA256,
        12: {"encrypted_value": {"enc_value": BITS}},
        13: derlib.NULL,
        14: "20261009123000Z",
        15: [message],
        16: ["de", "en"],
        17: [cert],
        18: update,
        19: {"cert_template": {}, "key_spec": [{"type": crmf.id_reg_ctrl_rsa_key_len, "value": 2048}]},
        20: cert,
        21: ["server"],
        22: [{"source": {"dpn": point}, "this_update": "20261009123000Z"}, {"source": {"issuer": [NAME]}}],
        23: [crl],
        24: {"kem": SHA256, "ct": b"\7"},
    }


def test_every_information_has_its_type(openssl: OpenSSL) -> None:
    for number, value in informations(openssl).items():
        oid = derlib.ObjectIdentifier(f"1.3.6.1.5.5.7.4.{number}")
        syntax = cmp_info.INFO_TYPES.get(oid)
        expected = derlib.decode(syntax, derlib.encode(value, syntax))
        made = cmp.InfoTypeAndValue(info_type=oid, info_value=value)
        found = read(cmp.InfoTypeAndValue, made.encode()).info_value
        assert (found, type(found)) == (expected, type(expected)), oid.name
        assert oid.name.startswith("id-it-")
    [crl_status, _] = cmp_info.CRLStatusListValue(informations(openssl)[22])
    assert crl_status.source.alternative == "dpn"


def test_the_parameters_of_protection() -> None:
    for name, parameters, syntax in (
        ("id-DHBasedMac", {"owf": SHA256, "mac": SHA256}, cmp.DHBMParameter),
        ("id-KemBasedMac", {"kdf": SHA256, "kem_context": b"\7", "len": 32, "mac": SHA256}, cmp.KemBMParameter),
    ):
        oid = derlib.ObjectIdentifier(oids.oid_of(name))
        assert ALGORITHMS.get(oid) is syntax
        made = cmp.AlgorithmIdentifier(algorithm=oid, parameters=parameters)
        assert type(read(cmp.AlgorithmIdentifier, made.encode()).parameters) is syntax
    with pytest.raises(derlib.ConstraintError, match="outside"):
        cmp.KemBMParameter(kdf=SHA256, len=0, mac=SHA256)


def test_the_bits_of_failures() -> None:
    info = cmp.PKIStatusInfo.decode(bytes.fromhex("300a 020102 0305 0520000020".replace(" ", "")))
    assert info.fail_info == PKIFailureInfo.bad_request | PKIFailureInfo.duplicate_cert_req
    assert [member.value.bit_length() for member in PKIFailureInfo] == list(range(1, 28))


def test_another_kind_of_certificate_is_kept() -> None:
    """CMPCertificate has an extension marker."""
    assert cmp.CMPCertificate.decode(bytes.fromhex("a0020500")).encode() == bytes.fromhex("a0020500")


def test_identify(exchanges: dict[str, list[Any]]) -> None:
    for messages in exchanges.values():
        assert {derlib.identify(message.der) for message in messages} == {PKIMessage}
