"""OCSP requests and responses that openssl and the authors of cryptography made."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.x509 import ocsp as theirs
from support.openssl import OpenSSL
from support.rebuilt import read

import derlib
from derlib import pem
from derlib.schemas import ocsp
from derlib.schemas.cms import RevocationInfoChoice
from derlib.schemas.crl import CRLReason
from derlib.schemas.ocsp import CertID, Extension, Extensions, OCSPRequest, OCSPResponse
from derlib.schemas.x509 import Certificate

cryptography_vectors = pytest.importorskip("cryptography_vectors", reason="a test dependency that is not installed")
FOLDER = Path(cryptography_vectors.__file__).parent / "x509" / "ocsp"
REQUESTS = sorted(path for path in FOLDER.glob("*.der") if "req" in path.name.removesuffix("resp.der"))
RESPONSES = sorted(set(FOLDER.glob("*.der")) - set(REQUESTS))

# Responses that are valid ASN.1, and that cryptography refuses by rules of the profile.
NOT_BASIC_V1 = {
    "resp-invalid-version": "version",
    "resp-successful-no-response-bytes": "does not contain a BasicResponse",
}


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_requests_of_cryptography_vectors(path: Path) -> None:
    octets = path.read_bytes()
    request = read(OCSPRequest, octets)
    serials = [single.req_cert.serial_number for single in request.tbs_request.request_list]
    assert serials
    # cryptography reads only requests for one certificate.
    if len(serials) == 1 and path.stem not in {"req-invalid-version"}:
        assert theirs.load_der_ocsp_request(octets).serial_number == serials[0]


@pytest.mark.parametrize("path", RESPONSES, ids=lambda path: path.stem)
def test_responses_of_cryptography_vectors(path: Path) -> None:
    octets = path.read_bytes()
    if path.stem == "resp-unknown-response-status":
        # Both refuse the status 7: the ENUMERATED has no extension marker.
        with pytest.raises(ValueError, match="unknown status code"):
            theirs.load_der_ocsp_response(octets)
        with pytest.raises(derlib.ContentsError, match="7 is not an item of OCSPResponseStatus"):
            OCSPResponse.decode(octets)
        return
    response = read(OCSPResponse, octets)
    if path.stem == "resp-response-type-unknown-oid":
        assert response.basic is None
        assert type(response.response_bytes.response) is bytes
        return
    if path.stem in NOT_BASIC_V1:
        with pytest.raises((ValueError, x509.InvalidVersion), match=NOT_BASIC_V1[path.stem]):
            theirs.load_der_ocsp_response(octets)
        return
    peer = theirs.load_der_ocsp_response(octets)
    assert peer.response_status.value == response.response_status.value
    basic = response.basic
    if basic is None:
        assert response.response_status.name == "unauthorized"
        return
    assert basic.tbs_response_data.der == peer.tbs_response_bytes
    for single, other in zip(basic.tbs_response_data.responses, peer.responses, strict=True):
        assert single.cert_id.serial_number == other.serial_number
        assert single.cert_status.alternative.upper() == other.certificate_status.name


def test_the_status_of_a_revoked_certificate() -> None:
    basic = OCSPResponse.decode((FOLDER / "resp-revoked-reason.der").read_bytes()).basic
    assert basic is not None
    revoked: Any = basic.tbs_response_data.responses[0].cert_status.value
    assert type(revoked) is ocsp.RevokedInfo
    assert revoked.revocation_reason is CRLReason.superseded


@pytest.fixture(scope="module")
def answers(openssl: OpenSSL) -> dict[str, bytes]:
    """Requests and responses of openssl, in all its modes."""
    folder = openssl.folder
    certificate = ("-issuer", "ec.pem", "-cert", "ec.pem")
    kinds = {
        "plain": ("-no_nonce", *certificate),
        "nonce": certificate,
        "sha256": ("-sha256", *certificate),
        "two": ("-issuer", "ec.pem", "-serial", "0x1234", "-serial", "5"),
        "signed": (*certificate, "-signer", "rsa.pem", "-signkey", "rsa.key"),
    }
    serial = Certificate.decode(pem.decode((folder / "ec.pem").read_bytes(), "CERTIFICATE")[0]).tbs_certificate
    (folder / "ocsp.txt").write_text(
        f"V\t360101000000Z\t\t{serial.serial_number:040X}\tunknown\t/CN=ec\n"
        "R\t360101000000Z\t260101000000Z,keyCompromise\t1234\tunknown\t/CN=other\n"
    )
    made: dict[str, bytes] = {}
    for name, arguments in kinds.items():
        openssl("ocsp", *arguments, "-reqout", "request.der")
        responder = ("-index", "ocsp.txt", "-CA", "ec.pem", "-rsigner", "ec.pem", "-rkey", "ec.key", "-ndays", "3")
        by_key = ("-resp_key_id",) if name == "nonce" else ()
        openssl("ocsp", *responder, *by_key, "-reqin", "request.der", "-respout", "response.der")
        made[f"{name} request"] = (folder / "request.der").read_bytes()
        made[f"{name} response"] = (folder / "response.der").read_bytes()
    return made


def test_requests_and_responses_of_openssl(answers: dict[str, bytes]) -> None:
    requests = {name: read(OCSPRequest, octets) for name, octets in answers.items() if "request" in name}
    responses = {name: read(OCSPResponse, octets).basic for name, octets in answers.items() if "response" in name}
    assert requests["plain request"].tbs_request.request_extensions is None
    nonce = requests["nonce request"].tbs_request.request_extensions.get(ocsp.id_pkix_ocsp_nonce)
    assert len(nonce) == 16
    basic = responses["nonce response"]
    assert basic.tbs_response_data.response_extensions.get(ocsp.id_pkix_ocsp_nonce) == nonce
    assert basic.tbs_response_data.responder_id.alternative == "by_key"
    assert requests["sha256 request"].tbs_request.request_list[0].req_cert.hash_algorithm.algorithm.name == "id-sha256"
    assert requests["signed request"].optional_signature.certs is not None
    statuses = [single.cert_status for single in responses["two response"].tbs_response_data.responses]
    assert [status.alternative for status in statuses] == ["revoked", "unknown"]
    assert statuses[0].value.revocation_reason is CRLReason.key_compromise
    assert responses["plain response"].tbs_response_data.responses[0].cert_status.alternative == "good"


RSA_PSS = ("-rsigopt", "rsa_padding_mode:pss")
#: The options of a request, and those of the responder, with what they change in the response.
OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "certificates of the signer": (("-signer", "rsa.pem", "-signkey", "rsa.key", "-sign_other", "ec.pem"), ()),
    "signed, no certificates": (("-signer", "rsa.pem", "-signkey", "rsa.key", "-no_certs"), ("-resp_no_certs",)),
    "other certificates": ((), ("-rother", "ec.pem", "-nmin", "5")),
    "another hash": (("-sha512",), ("-rmd", "sha512", "-rcid", "sha256")),
    "RSASSA-PSS": ((), RSA_PSS),
    "invalid signature": ((), ("-badsig",)),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_of_openssl(openssl: OpenSSL, answers: dict[str, bytes], name: str) -> None:
    asks, responds = OPTIONS[name]
    folder = openssl.folder
    openssl("ocsp", *asks, "-issuer", "ec.pem", "-cert", "ec.pem", "-reqout", "request.der")
    responder = ("-index", "ocsp.txt", "-CA", "ec.pem", "-rsigner", "rsa.pem", "-rkey", "rsa.key")
    openssl("ocsp", *responder, *responds, "-reqin", "request.der", "-respout", "response.der")
    request = read(OCSPRequest, (folder / "request.der").read_bytes())
    response = read(OCSPResponse, (folder / "response.der").read_bytes())
    assert (request.optional_signature is None) == ("-signer" not in asks)
    assert response.basic is not None
    assert len(response.basic.certs or ()) == {"-resp_no_certs": 0, "-rother": 2}.get((*responds, "")[0], 1)
    algorithm = response.basic.signature_algorithm.name
    assert algorithm == (
        "id-RSASSA-PSS"
        if responds is RSA_PSS
        else "sha512WithRSAEncryption"
        if "-rmd" in responds
        else "sha256WithRSAEncryption"
    )
    assert (response.responses[0].next_update is None) == ("-nmin" not in responds)


def test_openssl_reads_a_request_that_derlib_makes(openssl: OpenSSL) -> None:
    [octets] = pem.decode((openssl.folder / "ec.pem").read_bytes(), "CERTIFICATE")
    certificate = Certificate.decode(octets).tbs_certificate
    question = CertID(
        hash_algorithm={"algorithm": "1.3.14.3.2.26"},
        issuer_name_hash=hashlib.sha1(certificate.issuer.der).digest(),
        issuer_key_hash=certificate.subject_public_key_info.key_identifier,
        serial_number=certificate.serial_number,
    )
    request = OCSPRequest(
        tbs_request={
            "request_list": [{"req_cert": question}],
            "request_extensions": Extensions([Extension.of(b"nonce" * 4, extn_id=ocsp.id_pkix_ocsp_nonce)]),
        }
    )
    (openssl.folder / "made.der").write_bytes(request.encode())
    text = openssl("ocsp", "-reqin", "made.der", "-req_text", "-noverify").decode()
    # openssl writes whole bytes.
    assert f"Serial Number: {'0' * (len(f'{certificate.serial_number:x}') % 2)}{certificate.serial_number:X}" in text
    assert "OCSP Nonce" in text


def test_a_nonce_without_an_octet_string_is_opaque() -> None:
    """Some clients leave out the inner OCTET STRING, which RFC 6960 does not make clear and RFC 8954 requires."""
    extension = bytes.fromhex("301506092b0601050507300102" + "0408" + "0102030405060708")
    assert Extension.decode(extension).extn_value == bytes.fromhex("0102030405060708")
    longest = Extension.of(bytes(128), extn_id=ocsp.id_pkix_ocsp_nonce)
    assert Extension.decode(longest.encode()).extn_value == bytes(128)
    with pytest.raises(derlib.ConstraintError, match="SIZE"):
        Extension.of(bytes(129), extn_id=ocsp.id_pkix_ocsp_nonce)


def test_the_extensions_of_ocsp_have_their_types() -> None:
    locator = ocsp.ServiceLocator(issuer={"rdn_sequence": []})
    values: list[tuple[str, Any]] = [
        ("id-pkix-ocsp-crl", ocsp.CrlID(crl_num=7, crl_url="http://example.org/a.crl")),
        ("id-pkix-ocsp-response", ocsp.AcceptableResponses([ocsp.id_pkix_ocsp_basic])),
        ("id-pkix-ocsp-service-locator", locator),
        (
            "id-pkix-ocsp-pref-sig-algs",
            ocsp.PreferredSignatureAlgorithms([{"sig_identifier": {"algorithm": "1.2.840.10045.4.3.2"}}]),
        ),
    ]
    for name, value in values:
        extension = Extension.decode(Extension.of(value).encode())
        assert (extension.extn_id.name, extension.extn_value) == (name, value)
        assert type(extension.extn_value) is type(value)


def test_cms_objects_carry_responses_as_revocation_information() -> None:
    """RFC 5940 section 2.1."""
    response = OCSPResponse.decode(RESPONSES[0].read_bytes())
    choice = RevocationInfoChoice(other={"other_rev_info_format": ocsp.id_ri_ocsp_response, "other_rev_info": response})
    assert read(RevocationInfoChoice, choice.encode()).other.other_rev_info == response
