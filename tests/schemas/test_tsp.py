"""Time stamps that openssl makes, and the attributes of ESS and S/MIME in signed objects."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from support.openssl import SIGN, SIGNED, OpenSSL
from support.rebuilt import read

import derlib
from derlib.schemas import ess, smime, tsp
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms import Attribute, ContentInfo, id_data
from derlib.schemas.tsp import TimeStampReq, TimeStampResp

DOCUMENT = b"The document that is stamped."
CONFIGURATION = """
[tsa]
default_tsa = here
[here]
serial = serial
signer_digest = sha256
default_policy = 2.999.1
other_policies = 2.999.2
digests = sha256, sha512
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_chain = yes
ess_cert_id_alg = sha256
[extensions]
extendedKeyUsage = critical, timeStamping
"""


@pytest.fixture(scope="module")
def authority(openssl: OpenSSL) -> OpenSSL:
    """The openssl program, in a folder with a time stamp authority."""
    (openssl.folder / "tsa.conf").write_text(CONFIGURATION)
    (openssl.folder / "serial").write_text("01\n")
    (openssl.folder / "document").write_bytes(DOCUMENT)
    made = ("-keyout", "tsa.key", "-out", "tsa.pem", "-subj", "/CN=TSA", "-nodes", "-newkey", "rsa:2048")
    openssl("req", "-x509", *made, "-extensions", "extensions", "-config", "tsa.conf", "-section", "tsa")
    return openssl


def answer(authority: OpenSSL, query: bytes, *arguments: str) -> bytes:
    """Return the answer to a query."""
    (authority.folder / "query.tsq").write_bytes(query)
    signer = ("-signer", "tsa.pem", "-inkey", "tsa.key", "-chain", "tsa.pem")
    return authority("ts", "-reply", "-config", "tsa.conf", "-queryfile", "query.tsq", *signer, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [("-sha256",), ("-sha512", "-cert"), ("-sha256", "-no_nonce"), ("-sha256", "-tspolicy", "2.999.2")],
    ids=" ".join,
)
def test_queries_and_answers_of_openssl(authority: OpenSSL, arguments: tuple[str, ...]) -> None:
    octets = authority("ts", "-query", "-data", "document", *arguments)
    query = read(TimeStampReq, octets)
    assert query.cert_req == ("-cert" in arguments)
    assert (query.nonce is None) == ("-no_nonce" in arguments)
    response = read(TimeStampResp, answer(authority, octets))
    assert response.status.status is tsp.PKIStatus.granted
    info = response.tst_info
    assert info is not None
    assert read(tsp.TSTInfo, info.encode()).message_imprint == query.message_imprint
    digest = hashlib.new(arguments[0][1:], DOCUMENT).digest()
    assert (info.message_imprint.hashed_message, info.nonce) == (digest, query.nonce)
    assert info.policy.dotted == ("2.999.2" if "-tspolicy" in arguments else "2.999.1")
    accuracy = info.accuracy
    assert accuracy is not None
    assert timedelta(
        seconds=accuracy.seconds or 0, milliseconds=accuracy.millis or 0, microseconds=accuracy.micros or 0
    ) == timedelta(seconds=1.5001)
    assert info.tsa is not None
    assert (info.ordering, info.tsa.alternative) == (True, "directory_name")


def test_the_signing_certificate_is_typed(authority: OpenSSL) -> None:
    query = authority("ts", "-query", "-data", "document", "-sha256", "-cert")
    token = read(ContentInfo, answer(authority, query, "-token_out"))
    assert tsp.tst_info_of(token).version is tsp.Version.v1
    signed = token.signed_data
    [signer] = signed.signer_infos
    found = signer.signed_attrs.get(ess.id_aa_signing_certificate_v2)
    assert type(found) is ess.SigningCertificateV2
    hashed = hashlib.sha256(signed.certificates[0].certificate.der).digest()
    # openssl leaves out the algorithm, because SHA-256 is the default.
    assert (found.certs[0].cert_hash, found.certs[0].hash_algorithm.algorithm.name) == (hashed, "id-sha256")


def test_the_first_version_of_the_signing_certificate(authority: OpenSSL) -> None:
    """RFC 2634 has a hash with SHA-1."""
    for hash_name, oid, cls in (
        ("sha1", ess.id_aa_signing_certificate, ess.SigningCertificate),
        ("sha512", ess.id_aa_signing_certificate_v2, ess.SigningCertificateV2),
    ):
        (authority.folder / "other.conf").write_text(CONFIGURATION.replace("alg = sha256", f"alg = {hash_name}"))
        (authority.folder / "query.tsq").write_bytes(authority("ts", "-query", "-data", "document", "-cert", "-sha512"))
        signer = ("-signer", "tsa.pem", "-inkey", "tsa.key", "-chain", "tsa.pem", "-config", "other.conf")
        token = read(ContentInfo, authority("ts", "-reply", "-queryfile", "query.tsq", *signer, "-token_out"))
        [signer_info] = token.signed_data.signer_infos
        found = signer_info.signed_attrs.get(oid)
        assert type(found) is cls
        der = token.signed_data.certificates[0].certificate.der
        assert found.certs[0].cert_hash == hashlib.new(hash_name, der).digest()


def test_a_query_that_derlib_makes(authority: OpenSSL) -> None:
    digest = hashlib.sha256(DOCUMENT).digest()
    imprint = {"hash_algorithm": {"algorithm": "2.16.840.1.101.3.4.2.1"}, "hashed_message": digest}
    query = TimeStampReq(version="v1", message_imprint=imprint, nonce=2**63, cert_req=True)
    info = TimeStampResp.decode(answer(authority, query.encode())).tst_info
    assert info is not None
    assert info.nonce == 2**63


def test_a_refusal_says_why(authority: OpenSSL) -> None:
    query = authority("ts", "-query", "-data", "document", "-sha384")
    response = read(TimeStampResp, answer(authority, query))
    assert response.status.status is tsp.PKIStatus.rejection
    assert response.status.fail_info == tsp.PKIFailureInfo.bad_alg
    assert response.time_stamp_token is response.tst_info is None
    assert len(response.status.status_string) == 1


def test_another_content_is_not_a_time_stamp(openssl: OpenSSL) -> None:
    for token in (ContentInfo(content_type=id_data, content=b""), ContentInfo.decode(openssl.cms(SIGNED["attached"]))):
        with pytest.raises(derlib.ASN1Error, match="not a time stamp"):
            tsp.tst_info_of(token)


def test_signed_objects_of_openssl_have_typed_attributes(openssl: OpenSSL) -> None:
    def attributes(name: str) -> Any:
        return read(ContentInfo, openssl.cms(SIGNED[name])).signed_data.signer_infos[0].signed_attrs

    capabilities = attributes("attached").get(smime.id_smime_capabilities)
    assert type(capabilities) is smime.SMIMECapabilities
    found = [(capability.capability_id.name, capability.parameters) for capability in capabilities]
    assert ("id-aes256-CBC", None) in found
    # The parameter of RC2 is the length of the key in bits.
    assert [bits for name, bits in found if name == "rc2CBC"] == [128, 64, 40]
    assert type(attributes("CAdES").get(ess.id_aa_signing_certificate_v2)) is ess.SigningCertificateV2
    request = attributes("receipt request").get(ess.id_aa_receipt_request)
    assert type(request) is ess.ReceiptRequest
    assert request.receipts_from.value is ess.AllOrFirstTier.all_receipts
    assert [[name.value for name in names] for names in request.receipts_to] == [["a@example.org"]]


def test_a_receipt_of_openssl(openssl: OpenSSL) -> None:
    (openssl.folder / "asked.der").write_bytes(openssl.cms(SIGNED["receipt request"]))
    made = ("-sign_receipt", "-inform", "DER", "-in", "asked.der", "-outform", "DER", "-CAfile", "chain.pem")
    signed = read(ContentInfo, openssl("cms", *made, *SIGN[3:], "-noverify", "-nointern")).signed_data
    content = signed.encap_content_info
    assert content.e_content_type == ess.id_ct_receipt
    receipt = read(ess.Receipt, content.e_content)
    assert (receipt.version, receipt.content_type) == (ess.ESSVersion.v1, id_data)
    assert ess.id_aa_msg_sig_digest in {attribute.attr_type for attribute in signed.signer_infos[0].signed_attrs}


def test_the_attributes_have_their_types() -> None:
    label = ess.ESSSecurityLabel(security_policy_identifier="2.999.1", privacy_mark={"utf8_string": "für alle"})
    history = ess.MLExpansionHistory(
        [
            {
                "mail_list_identifier": {"subject_key_identifier": b"\7"},
                "expansion_time": "20261009123000Z",
                "ml_receipt_policy": {"none": derlib.NULL},
            }
        ]
    )
    values: list[tuple[Any, Any]] = [
        (ess.id_aa_content_hint, ess.ContentHints(content_description="a report", content_type=id_data)),
        (ess.id_aa_msg_sig_digest, b"\7"),
        (ess.id_aa_content_identifier, b"\7"),
        (ess.id_aa_security_label, label),
        (ess.id_aa_equivalent_labels, ess.EquivalentLabels([label])),
        (ess.id_aa_ml_expand_history, history),
        (smime.id_aa_encryp_key_pref, smime.SMIMEEncryptionKeyPreference(subject_alt_key_identifier=b"\7")),
    ]
    for attr_type, value in values:
        made = Attribute(attr_type=attr_type, attr_values=[value])
        read_value = Attribute.decode(made.encode()).attr_values[0]
        assert (read_value, type(read_value)) == (value, type(value))
        assert attr_type in ATTRIBUTES
