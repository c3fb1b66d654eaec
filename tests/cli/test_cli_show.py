"""`derlib show`, and `derlib.identify`, which finds the type of a document."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support.commands import CERTIFICATE, CRL, der, make_crl, put, run, run_json
from support.openssl import ENCRYPTED, OTHER, PASSWORD, SIGNED, OpenSSL

import derlib
from derlib import NULL, BitString, ObjectIdentifier, SequenceOf, _identify, pem
from derlib._document_types import DOCUMENT_TYPES
from derlib.cli.documents.document_types import TYPES
from derlib.cli.output.escapes import visible
from derlib.cli.rendering import json_text
from derlib.cli.rendering.for_people import HIDDEN, for_people
from derlib.cli.rendering.values import lines
from derlib.schemas import cms
from derlib.schemas.crl import CertificateList
from derlib.schemas.crmf import CertReqMessages, CertRequest
from derlib.schemas.curves import ECParameters
from derlib.schemas.icao import EF_SOD
from derlib.schemas.ip_resources import IPAddressChoice, IPAddressFamily, IPAddressOrRange
from derlib.schemas.keys import (
    AsymmetricKeyPackage,
    DSAPrivateKey,
    ECPrivateKey,
    EncryptedPrivateKeyInfo,
    OneAsymmetricKey,
    PrivateKeyInfo,
    RSAPrivateKey,
    ValidationParams,
)
from derlib.schemas.keys_pq import MLDSA44PrivateKey, MLKEM768PrivateKey
from derlib.schemas.openssl import CertAux, SSLSession
from derlib.schemas.trust_anchors import TrustAnchorList
from derlib.schemas.x509 import Certificate, Name
from derlib.schemas.x509_2016 import PkiPath

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"


@pytest.fixture(autouse=True)
def files(empty_folder: None) -> None:
    put(cert_der=CERTIFICATE, crl_der=CRL, null_der=der(0x05))


@pytest.fixture
def examples() -> Path:
    if not EXAMPLES.is_dir():
        pytest.skip("docs/ is not beside the tests")
    return EXAMPLES


# --- Which type it is


def keys_of(openssl: OpenSSL) -> dict[str, bytes]:
    """Return keys and parameters in every form that openssl writes, by the name of their type."""
    rsa = ("-in", "rsa.key")
    # This command writes PEM, whatever -outform says.
    [dsa] = pem.decode(openssl("genpkey", "-genparam", "-algorithm", "DSA", "-pkeyopt", "pbits:1024"))
    dsa_key = DSAPrivateKey(version=0, p=7, q=3, g=2, public_key=4, private_key=2)
    [curve] = pem.decode(openssl("ecparam", "-name", "prime256v1"))
    return {
        "dsa-key": dsa_key.encode(),
        "ec-parameters": curve,
        "key": openssl("pkcs8", "-topk8", "-nocrypt", *rsa, "-outform", "DER"),
        "encrypted-key": openssl("pkcs8", "-topk8", *rsa, "-outform", "DER", "-passout", f"pass:{PASSWORD}"),
        "public-key": openssl("pkey", *rsa, "-pubout", "-outform", "DER"),
        "rsa-key": openssl("rsa", *rsa, "-traditional", "-outform", "DER"),
        "ec-key": openssl("ec", "-in", "ec.key", "-outform", "DER"),
        "rsa-public-key": openssl("rsa", *rsa, "-RSAPublicKey_out", "-outform", "DER"),
        "dsa-parameters": dsa,
    }


def test_identify_finds_the_types_of_keys(openssl: OpenSSL) -> None:
    for name, octets in keys_of(openssl).items():
        type_ = TYPES[name]
        assert derlib.identify(pem.encode(octets, type_.labels[0])) is type_.schema, name
        assert derlib.identify(octets) is type_.schema, name


P = (1 << 1023) + 1  # derlib does not test whether a number is prime
Q = (1 << 159) + 1


@pytest.mark.parametrize(
    ("numbers", "name"),
    [
        ((P, 65537), "rsa-public-key"),
        ((P, 2), "dh-parameters"),
        ((P, 2, 225), "dh-parameters"),
        ((P, 5, 225), "dh-parameters"),
        ((P, Q, 4), "dsa-parameters"),
        ((P, 4, Q), "x942-parameters"),
        ((P, 2**1000, (P - 1) // 2), "x942-parameters"),
        ((Q, Q >> 8), "signature"),
        # These could be something else: 3 and 5 are exponents of RSA and generators of DH.
        ((P, 3), None),
        ((P, 5), None),
        ((P, 6), None),
        ((P - 1, 65537), None),
        ((-P, 65537), None),
        ((P, -2), None),
        ((P, P), None),
        ((Q, 1 << 100), None),
        ((Q, 1 << 527), None),
        ((42, 65537), None),
        ((P, Q, P), None),
        ((P, 1 << 200, 4), None),
        ((1 << 70_000 | 1, 65537), None),
    ],
)
def test_numbers_identify_a_type(numbers: tuple[int, ...], name: str | None) -> None:
    octets = derlib.encode(list(numbers), SequenceOf[int])
    assert derlib.identify(octets) is (name and TYPES[name].schema)


@pytest.mark.parametrize(
    ("octets", "name"),
    [
        (ECParameters(named_curve="1.3.132.0.34").encode(), "ec-parameters"),
        (ECParameters(named_curve="1.3.132.0.340").encode(), None),
        (ECParameters(implicit_curve=NULL).encode(), None),
    ],
)
def test_a_curve_alone(octets: bytes, name: str | None) -> None:
    assert derlib.identify(octets) is (name and TYPES[name].schema)


def test_a_label_of_another_type(openssl: OpenSSL) -> None:
    chain = openssl("nseq", "-toseq", "-in", "chain.pem")
    assert b"BEGIN CERTIFICATE" in chain
    assert derlib.identify(chain) is TYPES["cms"].schema
    Path("chain.pem").write_bytes(chain)
    output = run("show", "chain.pem").output
    assert "content_type: netscape-cert-sequence\n" in output
    assert "- certificate 0x" in output
    # What a label calls secret is shown as a secret, or not at all.
    key = openssl("rsa", "-in", "rsa.key", "-traditional", "-outform", "DER")
    Path("key.pem").write_text(pem.encode(key, "PRIVATE KEY"))
    assert "a PKCS #1 RSAPrivateKey" in run("show", "key.pem").output
    numbers = derlib.encode([0xBADC0F << 140, 0xBADC0F << 141], SequenceOf[int])
    Path("key.pem").write_text(pem.encode(numbers, "PRIVATE KEY"))
    assert "badc0f" not in run("show", "key.pem", status=1).output.replace(":", "").lower()


def test_identify_finds_the_types_of_other_objects(openssl: OpenSSL) -> None:
    assert derlib.identify(CERTIFICATE) is TYPES["cert"].schema
    assert derlib.identify(memoryview(CRL)) is TYPES["crl"].schema
    request = openssl("req", "-new", "-key", "ec.key", "-subj", "/CN=a", "-outform", "DER")
    assert derlib.identify(request) is TYPES["csr"].schema
    for arguments in (*SIGNED.values(), *ENCRYPTED.values(), *OTHER.values()):
        assert derlib.identify(openssl.cms(arguments)) is TYPES["cms"].schema
    assert derlib.identify(openssl.cms(SIGNED["attached"], stream=True)) is TYPES["cms"].schema
    assert derlib.identify(openssl.pkcs12()) is TYPES["pkcs12"].schema
    question = openssl("ocsp", "-issuer", "ec.pem", "-cert", "rsa.pem", "-reqout", "-")
    assert derlib.identify(question) is TYPES["ocsp-request"].schema
    query = openssl("ts", "-query", "-digest", "00" * 32, "-sha256")
    assert derlib.identify(query) is TYPES["time-stamp-request"].schema


def encodings() -> dict[str, bytes]:
    """Return a value of each type that no program here writes, by the name of its type."""
    certificate = Certificate.decode(CERTIFICATE)
    key = PrivateKeyInfo(version="v1", private_key_algorithm={"algorithm": "2.999"}, private_key=b"secret")
    wanted = CertRequest(cert_req_id=1, cert_template={})
    session = SSLSession(
        version=1, ssl_version=772, cipher=b"", session_id=b"", master_key=bytes.fromhex("badc0ffe"), timeout=5
    )
    return {
        "crmf": CertReqMessages([{"cert_req": wanted}]).encode(),
        "session": session.encode(),
        "key-package": AsymmetricKeyPackage([key]).encode(),
        "ef-sod": EF_SOD(content_type=cms.id_data, content=b"text").encode(),
        "cert-path": PkiPath([certificate, certificate]).encode(),
        "trust-anchors": TrustAnchorList(
            [{"ta_info": {"pub_key": certificate.public_key, "key_id": b"id", "version": 1}}]
        ).encode(),
    }


def test_identify_finds_the_other_types(openssl: OpenSSL) -> None:
    made = encodings()
    text = openssl("spkac", "-key", "rsa.key", "-challenge", "hello", "-digest", "sha256")
    Path("request.spkac").write_bytes(text)
    assert "spki: rsaEncryption, 2048 bits" in run("show", "request.spkac").output
    made["spkac"] = base64.b64decode(text.partition(b"=")[2])
    for name, octets in made.items():
        assert derlib.identify(octets) is TYPES[name].schema, name
        Path("file").write_bytes(octets)
        assert run("show", "file").output.startswith(f"  type:           {TYPES[name].title}\n")
        assert run_json("show", "file")[0]["object"]["type"] == name


def test_the_secrets_of_a_session_are_hidden() -> None:
    session = encodings()["session"]
    damaged = session.replace(b"\xa2\3\2\1\5", b"\xa2\3\2\1\5\xbf\x7f\0")
    damaged = damaged[:1] + bytes([len(damaged) - 2]) + damaged[2:]
    for octets in (session, pem.encode(session, "SSL SESSION PARAMETERS").encode(), damaged):
        Path("file").write_bytes(octets)
        for options in ((), ("--json",)):
            hidden = run("show", "file", *options).output.replace(":", "")
            assert "badc0ffe" not in hidden
            assert HIDDEN.partition(";")[0] in hidden
        assert "badc0ffe" in run("show", "file", "--secrets", "--json").output


def trusted(openssl: OpenSSL) -> bytes:
    """Return a PEM block of OpenSSL with a certificate and its trust settings."""
    settings = ("-addtrust", "clientAuth", "-addreject", "emailProtection", "-setalias", "a name")
    return openssl("x509", "-in", "ec.pem", "-trustout", *settings)


# The labels of RFC 7468, and those in the header pem.h of OpenSSL that programs write.
LABELS = {
    "CERTIFICATE": "cert",
    "X509 CERTIFICATE": "cert",
    "TRUSTED CERTIFICATE": "trusted-cert",
    "X509 CRL": "crl",
    "CERTIFICATE REQUEST": "csr",
    "NEW CERTIFICATE REQUEST": "csr",
    "PKCS7": "cms",
    "CMS": "cms",
    "PKCS #7 SIGNED DATA": "cms",
    "PRIVATE KEY": "key",
    "ENCRYPTED PRIVATE KEY": "encrypted-key",
    "ATTRIBUTE CERTIFICATE": "attribute-cert",
    "PUBLIC KEY": "public-key",
    "RSA PRIVATE KEY": "rsa-key",
    "RSA PUBLIC KEY": "rsa-public-key",
    "DSA PRIVATE KEY": "dsa-key",
    "DSA PARAMETERS": "dsa-parameters",
    "DH PARAMETERS": "dh-parameters",
    "X9.42 DH PARAMETERS": "x942-parameters",
    "EC PARAMETERS": "ec-parameters",
    "EC PRIVATE KEY": "ec-key",
    "SM2 PARAMETERS": "ec-parameters",
    "OCSP REQUEST": "ocsp-request",
    "OCSP RESPONSE": "ocsp-response",
    "SSL SESSION PARAMETERS": "session",
}


def test_every_label_of_rfc_7468_and_openssl_has_its_type() -> None:
    for label, name in LABELS.items():
        expected = ["cms", "pkcs7"] if label == "PKCS7" else [name]
        assert [type_.name for type_ in _identify.candidates(label)] == expected, label


def test_a_certificate_with_trust_settings(openssl: OpenSSL) -> None:
    text = trusted(openssl)
    assert derlib.identify(text) is Certificate
    certificate, rest = Certificate.decode_prefix(pem.decode(text)[0])
    assert certificate.der == pem.decode((openssl.folder / "ec.pem").read_bytes())[0]
    settings = CertAux.decode(rest)
    assert [purpose.name for purpose in settings.trust or ()] == ["id-kp-clientAuth"]
    assert [purpose.name for purpose in settings.reject or ()] == ["id-kp-emailProtection"]
    assert settings.alias == "a name"
    assert CertAux(trust=list(settings.trust or ()), reject=settings.reject, alias="a name").encode() == bytes(rest)
    Path("trusted.pem").write_bytes(text)
    output = run("show", "trusted.pem").output
    assert "an X.509 Certificate with an OpenSSL X509_CERT_AUX\n  version:        v3" in output
    assert "  settings:\n    trust:\n      - id-kp-clientAuth\n" in output
    [shown] = run_json("show", "trusted.pem")
    assert shown["object"]["settings"]["alias"] == "a name"
    assert shown["object"]["value"]["version"] == "v3"
    assert "two values" in run("convert", "trusted.pem", "--to", "json", status=1).stderr
    # Both values are elements; offsets in the settings follow those in the certificate.
    first, second = run_json("dump", "trusted.pem", "--depth", "0")
    place = len(certificate.der)
    assert (first["element"]["offset"], second["element"]["offset"], second["offset"]) == (0, place, place)
    for offset, octets in ((0, certificate.der), (4, certificate.tbs_certificate.der), (place, rest)):
        assert run("extract", "trusted.pem", str(offset), "--to", "hex").stdout == f"{octets.hex()}\n"
        assert run_json("dump", "trusted.pem", "--offset", str(offset))[0]["element"]["offset"] == offset
    run("view", "trusted.pem", "-o", "page.html")
    for command in ("grep ** trusted.pem", "lint trusted.pem", "show trusted.pem", "extract trusted.pem 4 --to hex"):
        assert run(*command.split(), "--ber").stdout == run(*command.split()).stdout
    # The settings can be absent.
    Path("bare.pem").write_text(pem.encode(CERTIFICATE, "TRUSTED CERTIFICATE"))
    assert "settings" not in run("show", "bare.pem").output.partition("\n")[2]


def test_identify_of_the_examples(examples: Path) -> None:
    expected = {"status.der": "ocsp-response", "report.tsr": "time-stamp-response", "report-ber.p7m": "cms"}
    for file, name in expected.items():
        assert derlib.identify((examples / file).read_bytes()) is TYPES[name].schema


def test_every_pem_label_names_one_type() -> None:
    labels = [label for type_ in DOCUMENT_TYPES for label in type_.labels]
    # PKCS #7 became CMS, and programs still write the old label.
    labels.remove("PKCS7")
    assert len(labels) == len(set(labels))
    for type_ in DOCUMENT_TYPES:
        assert type_.is_distinct or type_.labels or type_.name == "signature"
        assert issubclass(type_.schema, (derlib.Sequence, derlib.SequenceOf, derlib.Choice))


def test_each_type_begins_with_its_identifier_octet() -> None:
    """Other types are not tried."""
    for type_ in DOCUMENT_TYPES:
        if type_.is_distinct:
            octets = bytes([type_.identifier])
            assert type_ in _identify.candidates(None, octets)
            with pytest.raises(derlib.TruncatedError):
                type_.schema.decode(octets)
    assert _identify.candidates(None, b"\x17") == _identify.candidates(None, b"") == ()


@pytest.mark.parametrize("octets", [b"\5\0", b"\x30\0", b"\x30\x80", b"text", bytes(100), b"\x30\x03\x02\x01\x05"])
def test_identify_of_other_data(octets: bytes) -> None:
    assert derlib.identify(octets) is None


def test_identify_of_the_key_after_its_parameters(openssl: OpenSSL) -> None:
    both = openssl("ecparam", "-genkey", "-name", "prime256v1")
    assert [block.label for block in pem.blocks(both)] == ["EC PARAMETERS", "EC PRIVATE KEY"]
    assert derlib.identify(both) is ECPrivateKey
    assert derlib.identify(both[: both.index(b"-----BEGIN EC PRIVATE KEY")]) is ECParameters


def test_identify_of_text(openssl: OpenSSL, examples: Path) -> None:
    mail = (examples / "report.eml").read_bytes()
    assert derlib.identify(mail) is derlib.identify(mail.decode()) is TYPES["cms"].schema
    assert derlib.identify(openssl("spkac", "-key", "rsa.key")) is TYPES["spkac"].schema
    assert derlib.identify(base64.b64encode(CRL)) is derlib.identify(CRL.hex()) is TYPES["crl"].schema
    assert derlib.identify(openssl("x509", "-text", "-in", "ec.pem")) is TYPES["cert"].schema
    assert derlib.identify(base64.b64encode(b"\5\0")) is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the input is empty"),
        (bytes.fromhex("feedfeed0000000200000000"), "a key store of Java.*keytool"),
        (b"ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB me", "a public key of OpenSSH.*ssh-keygen"),
        (b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA me", "a public key of OpenSSH, which is not ASN.1$"),
        (pem.encode(b"openssh-key-v1\0none", "OPENSSH PRIVATE KEY"), "a private key of OpenSSH, which is not ASN.1$"),
        (b"From: a@example.org\nContent-Type: text/plain\n\nHello", "a mail that is neither signed nor encrypted"),
    ],
)
def test_identify_says_what_to_do_with_other_files(data: bytes | str, message: str) -> None:
    with pytest.raises(derlib.ASN1Error, match=message):
        derlib.identify(data)


def test_identify_reports_a_broken_pem_block() -> None:
    with pytest.raises(derlib.PEMError):
        derlib.identify("no PEM")
    with pytest.raises(derlib.PEMError, match="no END line"):
        derlib.identify("-----BEGIN CERTIFICATE-----\nMAA=\n")


def test_a_fault_does_not_change_the_type() -> None:
    """An encoded DEFAULT, for example, does not make a certificate another type."""
    version = der(0xA0, der(0x02, b"\0"))
    tbs, *rest = (bytes(part.der) for part in derlib.parse(CERTIFICATE))
    fields = [bytes(part.der) for part in derlib.parse(tbs)]
    if fields[0][:1] == b"\xa0":
        del fields[0]
    broken = der(0x30, der(0x30, version, *fields), *rest)
    assert derlib.identify(broken) is TYPES["cert"].schema


# --- What is shown


def test_certificates_and_crls_are_shown_as_by_their_commands() -> None:
    for command, title in (("cert", "an X.509 Certificate"), ("crl", "an X.509 CertificateList")):
        file = f"{command}.der"
        assert run("show", file).output == f"  type:           {title}\n" + run(command, file).output
        [shown], [expected] = run_json("show", file), run_json(command, file)
        assert shown["object"]["type"] == command
        assert shown["object"]["value"] == expected["certificate" if command == "cert" else "crl"]


def test_names_in_one_line_are_escaped_once() -> None:
    name = Name.of({"O": 'A, "B" + \\C', "CN": "x\u202e"})
    tbs = Certificate.decode(CERTIFICATE).tbs_certificate.replace(subject=name)
    certificate = Certificate.decode(CERTIFICATE).replace(tbs_certificate=tbs)
    signed = {
        "version": 1,
        "digest_algorithms": [],
        "encap_content_info": {"e_content_type": cms.id_data},
        "certificates": [{"certificate": certificate}],
        "signer_infos": [],
    }
    crl = CertificateList.decode(make_crl(1))
    values = [
        cms.ContentInfo(content_type=cms.id_signed_data, content=cms.SignedData.from_native(signed)),
        cms.IssuerAndSerialNumber(issuer=name, serial_number=1),
        cms.CertificateSet([{"certificate": certificate}]),
        SequenceOf[CertificateList]([crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(issuer=name))]),
    ]
    shown = 'CN=x\\u202e, O=A\\, \\"B\\" \\+ \\\\C'
    assert visible(name.display()) == shown
    for value in values:
        assert f" of {shown}" in (text := derlib.pretty(value)) or f" issued by {shown}" in text
    Path("file").write_bytes(values[0].encode())
    assert f"certificate 0x1a2b of {shown}\n" in run("show", "file").output


def test_unknown_der_is_shown_as_elements() -> None:
    result = run("show", "null.der")
    assert "DER of an unknown type" in result.output
    assert result.output.endswith(run("dump", "null.der").output)
    [shown] = run_json("show", "null.der")
    assert (shown["object"]["type"], shown["object"]["value"]["type"]) == ("der", "NULL")


def test_only_the_first_entries_of_a_crl_are_shown() -> None:
    Path("long.crl").write_bytes(make_crl(30))
    assert "and 25 more" in run("show", "long.crl").output
    assert len(run_json("show", "long.crl")[0]["object"]["value"]["entries"]) == 30


def test_ber_needs_no_option(openssl: OpenSSL) -> None:
    Path("streamed.p7m").write_bytes(openssl.cms(SIGNED["attached"], stream=True))
    result = run("show", "streamed.p7m")
    assert "encoding:       BER, not DER; " in result.output
    assert "e_content_type: id-data" in result.output
    [shown] = run_json("show", "streamed.p7m")
    assert shown["object"]["changes_from_ber"] > 0


def test_private_keys_are_hidden_without_secrets(openssl: OpenSSL) -> None:
    made = keys_of(openssl)
    made["pkcs12"] = openssl.pkcs12("-keypbe", "NONE", "-certpbe", "NONE")
    for name in ("key", "rsa-key", "ec-key", "pkcs12"):
        Path(f"{name}.der").write_bytes(made[name])
        for options in ((), ("--json",)):
            hidden = run("show", f"{name}.der", *options).output
            shown = run("show", f"{name}.der", "--secrets", *options).output
            assert HIDDEN in hidden
            assert HIDDEN not in shown
            assert len(shown) > len(hidden)
    prime = derlib.decode(TYPES["rsa-key"].schema, made["rsa-key"]).prime1
    for name in ("key", "rsa-key"):
        assert f"{prime:#x}"[:40] not in run("show", f"{name}.der", "--json").output
        assert f"{prime:#x}"[:40] in run("show", f"{name}.der", "--json", "--secrets").output


def test_a_private_key_has_its_kind_curve_and_size(openssl: OpenSSL) -> None:
    made = keys_of(openssl)
    bits = RSAPrivateKey.decode(made["rsa-key"]).modulus.bit_length()
    ec_key = ECPrivateKey.decode(made["ec-key"])
    expected = {
        made["rsa-key"]: f"RSA, {bits} bits",
        made["key"]: f"RSA, {bits} bits",
        made["ec-key"]: f"EC, {ec_key.curve}, {ec_key.size} bits",
        OneAsymmetricKey.of(ec_key).encode(): f"EC, {ec_key.curve}, {ec_key.size} bits",
        ec_key.replace(parameters=None).encode(): "EC",
        openssl("genpkey", "-algorithm", "ed25519", "-outform", "DER"): "Ed25519",
        DSAPrivateKey(version=0, p=7, q=7, g=7, public_key=7, private_key=5).encode(): "DSA, 3 bits",
    }
    for octets, text in expected.items():
        Path("key.der").write_bytes(octets)
        assert f"  key: {text}\n" in run("show", "key.der").output
        assert "key" not in run_json("show", "key.der")[0]["object"]["value"]
    Path("a.p12").write_bytes(openssl.pkcs12("-keypbe", "NONE", "-certpbe", "NONE"))
    assert " key: " in run("show", "a.p12").output
    key = RSAPrivateKey.decode(made["rsa-key"])
    assert derlib.pretty(key).startswith(f"key: RSA, {bits} bits\nversion: ")


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        (DSAPrivateKey(version=0, p=7, q=7, g=7, public_key=7, private_key=0xBADC0FFEE), f"{0xBADC0FFEE}"),
        (ValidationParams(hash_alg="2.999.1", seed=b"\xba\xdc\x0f\xfe"), "badc0ffe"),
        (MLDSA44PrivateKey(seed=b"\xba\xdc" * 16), "badc"),
        (MLDSA44PrivateKey(both={"seed": b"\xba\xdc" * 16, "expanded_key": bytes(2560)}), "badc"),
        (MLKEM768PrivateKey(expanded_key=b"\xba\xdc" * 1200), "badc"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_secrets_of_each_type_of_key_are_hidden(value: Any, secret: str) -> None:
    for options in ({"short": True}, {"short": False}):
        assert secret not in text_of(value, secrets=False, **options)
        assert secret in text_of(value, secrets=True, **options)


def text_of(value: Any, *, secrets: bool, short: bool) -> str:
    """Return all leaves; bytes are hexadecimal."""
    text = io.StringIO()
    json_text.write(text, value, level=for_people(secrets=secrets, short=short))
    return text.getvalue()


def test_the_blocks_of_a_pem_file_can_be_of_several_kinds(openssl: OpenSSL) -> None:
    text = pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(CRL, "X509 CRL")
    text += (openssl.folder / "ec.key").read_text() + pem.encode(b"\5\0", "UNKNOWN")
    Path("all.pem").write_text(text)
    result = run("show", "all.pem")
    for title in ("an X.509 Certificate\n", "an X.509 CertificateList", "a PKCS #8 PrivateKeyInfo", "DER of an"):
        assert title in result.output
    assert [shown["object"]["type"] for shown in run_json("show", "all.pem")] == ["cert", "crl", "key", "der"]


def test_one_block_or_value_of_a_file_that_has_several() -> None:
    valid = pem.encode(CERTIFICATE, "CERTIFICATE")
    put(a_pem=valid.replace("\nM", "\n!") + valid + pem.encode(CRL, "X509 CRL"), b_der=CERTIFICATE + CRL, c_der=CRL)
    shown = run("show", "c.der").stdout
    for file, number, title in (("a.pem", "3", "block 3 (X509 CRL, line "), ("b.der", "2", "value 2 (offset ")):
        heading, _, rest = run("show", file, "--block", number).stdout.partition("\n")
        assert heading.startswith(f"{file}: {title}")
        assert rest == shown
        [document] = run_json("show", file, "--block", number)
        assert document["object"]["type"] == "crl"
    # The number counts the blocks of each file.
    assert run("show", "b.der", "c.der", "--block", "1").stdout.endswith(f"\nc.der:\n{shown}")


def test_an_invalid_block_does_not_hide_the_others(openssl: OpenSSL) -> None:
    valid = pem.encode(CERTIFICATE, "CERTIFICATE")
    parts = [
        "-----BEGIN CERTIFICATE-----\nMAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMAA=\n",
        "-----BEGIN CERTIFICATE-----\nMAA=\n-----END X509 CRL-----\n",
        "-----BEGIN -----\n",
        "-----BEGIN X-----\n-----noise\n-----END X-----\n",
        pem.encode(b"\x30\1", "CERTIFICATE"),
    ]
    Path("all.pem").write_text("\n".join(["text", valid, *(part + valid for part in parts)]))
    result = run("show", "all.pem", status=1)
    assert result.stdout.count("an X.509 Certificate\n") == 1 + len(parts)
    assert len(result.stderr.splitlines()) == len(parts)
    shown = run_json("show", "all.pem", status=1)
    assert [("error" in one) for one in shown] == [False, *[True, False] * len(parts)]
    # A block that is selected by its number must be valid.
    assert run("convert", "all.pem", "--block", "1", "--to", "der", "-o", "one.der").output == ""
    assert Path("one.der").read_bytes() == CERTIFICATE
    assert "base64 ends in the middle" in run("convert", "all.pem", "--block", "2", "--to", "pem", status=1).stderr


def test_secrets_are_hidden_in_what_cannot_be_decoded() -> None:
    secret = der(0x02, bytes.fromhex("00badc0ffee0badc0ffee0"))
    padded = der(0x02, b"\0\0" + secret[3:])
    number = der(0x02, b"\0")
    algorithm = der(0x30, der(0x06, b"\x88\x37\1"))
    curve = der(0xA0, derlib.encode("1.3.132.0.10", ObjectIdentifier))
    files = {
        # Labels of private keys, with another structure or a fault.
        "other.pem": pem.encode(der(0x30, secret), "NEW PRIVATE KEY").encode(),
        "fault.pem": pem.encode(der(0x30, number, der(0x02, secret[3:])), "RSA PRIVATE KEY").encode(),
        "padded.pem": pem.encode(der(0x30, number, padded * 8), "RSA PRIVATE KEY").encode(),
        # Keys of an unknown version, without a label.
        "rsa.der": der(0x30, der(0x02, b"\7"), secret * 9),
        "ec.der": der(0x30, der(0x02, b"\7"), der(0x04, secret)),
        "curve.der": der(0x30, der(0x02, b"\7"), der(0x44, secret), curve),
        # The first octets of a key are missing, so it is several values.
        "parts.der": der(0x04, secret) + curve,
        "pkcs8.der": der(0x30, der(0x02, b"\0"), algorithm, der(0x04, secret), der(0x05)),
        # An encrypted key, the data of which is a plain one.
        "data.der": EncryptedPrivateKeyInfo(
            encryption_algorithm={"algorithm": "2.999"},
            encrypted_data=der(0x30, der(0x02, b"\1"), der(0x04, secret + bytes(20)), curve),
        ).encode(),
    }
    for name, octets in files.items():
        Path(name).write_bytes(octets)
        status = 1 if name in ("fault.pem", "padded.pem") else 0
        for options in ((), ("--json",)):
            hidden = run("show", name, *options, status=status)
            assert HIDDEN in hidden.stdout + hidden.stderr, name
            assert "badc0" not in hidden.stdout.replace(":", ""), name
            assert "ba dc" not in hidden.stdout + hidden.stderr
    for name in ("rsa.der", "ec.der", "curve.der", "parts.der", "pkcs8.der", "other.pem"):
        assert "badc0" in run("show", name, "--secrets", "--json").stdout
    assert "00 00 ba dc" in run("show", "padded.pem", "--secrets", status=1).stderr


def test_what_is_not_asn1_is_named() -> None:
    Path("ssh.pem").write_text(pem.encode(b"openssh-key-v1\0", "OPENSSH PRIVATE KEY"))
    assert run("show", "ssh.pem").output == "  type:           a private key of OpenSSH\n"
    assert run_json("show", "ssh.pem")[0]["object"] == {"type": "other", "title": "a private key of OpenSSH"}


def test_private_keys_in_cms_objects_are_hidden() -> None:
    key = PrivateKeyInfo(version="v1", private_key_algorithm={"algorithm": "2.999"}, private_key=b"\xba\xdc\x0f" * 8)
    for oid, content in (
        (cms.id_ct_kp_a_key_package, AsymmetricKeyPackage([key])),
        (cms.id_ct_private_key_info, key),
    ):
        Path("keys.p7m").write_bytes(cms.ContentInfo(content_type=oid, content=content).encode())
        for options in ((), ("--json",)):
            assert "badc0f" not in run("show", "keys.p7m", *options).output.replace(":", "")
        assert "badc0f" in run("show", "keys.p7m", "--json", "--secrets").output


def test_parts_have_their_short_forms(openssl: OpenSSL) -> None:
    Path("signed.p7m").write_bytes(openssl.cms(SIGNED["attached"]))
    output = run("show", "signed.p7m").output
    assert "- certificate: certificate 0x" in output
    assert "digest_algorithm: id-sha256\n" in output
    assert "- id-contentType: id-data\n" in output
    # JSON has all parts in full.
    [shown] = run_json("show", "signed.p7m")
    [certificate] = shown["object"]["value"]["content"]["certificates"]
    assert "tbs_certificate" in certificate["certificate"]


def test_contents_of_strings_are_opened(examples: Path) -> None:
    output = run("show", str(examples / "report.tsr")).output
    assert "gen_time: 2026-" in output
    output = run("show", str(examples / "ann.p12")).output
    assert "- pkcs-9-at-friendlyName: Ann's key" in output
    assert "cert_value: certificate 0x2001 of CN=Ann Engineer, O=Example" in output


def test_errors() -> None:
    put(cut_der=CERTIFICATE[:-1])
    result = run("show", "cut.der", "cert.der", status=1)
    assert "declares 419 contents octets; the input ends after 418" in result.stderr
    assert "an X.509 Certificate\n" in result.stdout
    assert json.loads(run("show", "cut.der", "--json", status=1).stdout)[0]["error"]["message"]


def test_json_of_each_type_converts_back(examples: Path) -> None:
    for file in ("ann.p12", "status.der", "status-request.der", "report.tsr", "report.p7m"):
        octets = (examples / file).read_bytes()
        Path("object.json").write_text(run("convert", str(examples / file), "--to", "json").output)
        run("convert", "object.json", "--to", "der", "-o", "again.der")
        assert Path("again.der").read_bytes() == octets


def test_the_types_of_rare_extensions_are_imported(examples: Path) -> None:
    # In another process, because tests of the modules import them, too.
    for command in ("show", "cert"):
        result = subprocess.run(
            [sys.executable, "-m", "derlib", command, str(examples / "android-key.cer")],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert result.returncode == 0, result.stderr
        assert "id-android-keyAttestation\n" in result.stdout
        assert "verified_boot_state: verified\n" in result.stdout


def test_address_blocks_are_shown_as_networks(examples: Path) -> None:
    roa = run("show", str(examples / "prefixes.roa")).output
    assert "- 192.0.2.0/24\n" in roa
    assert "- 2001:db8::/32 up to /48\n" in roa
    signed = cms.ContentInfo.decode((examples / "prefixes.roa").read_bytes(), rules="ber").signed_data
    put(signer_der=signed.x509_certificates[0].encode())
    assert "- IPv4:\n          - 192.0.2.0/24\n" in run("cert", "signer.der").output


@pytest.mark.parametrize(
    ("family", "bits", "shown"),
    [
        (b"\0\1", None, "IPv4: inherit"),
        (b"\0\2\1", "20", "IPv6, SAFI 01:;- 2000::/8"),
        (b"\0\3", None, "00:03: inherit"),
        # Values that are not networks are shown as they are encoded.
        (b"\0\3", "20", "address_family: 00:03;ip_address_choice:;addresses_or_ranges:;- address_prefix: 8 bits 20"),
    ],
)
def test_an_address_family(family: bytes, bits: str | None, shown: str) -> None:
    choice = IPAddressChoice(inherit=NULL)
    if bits is not None:
        prefix = IPAddressOrRange(address_prefix=BitString(bytes.fromhex(bits)))
        choice = IPAddressChoice(addresses_or_ranges=SequenceOf[IPAddressOrRange]([prefix]))
    value = IPAddressFamily(address_family=family, ip_address_choice=choice)
    found = [line.strip() for line in lines(value, for_people(secrets=False, short=True))]
    assert ";".join(found) == shown


def test_what_is_empty_is_named(openssl: OpenSSL) -> None:
    Path("request.pem").write_bytes(openssl("req", "-new", "-key", "ec.key", "-subj", "/"))
    output = run("show", "request.pem").output
    assert "    subject: (empty)\n" in output
    assert "    attributes: (empty)\n" in output


def test_the_size_of_explicit_curves_is_shown(openssl: OpenSSL) -> None:
    key = openssl("ec", "-in", "ec.key", "-param_enc", "explicit", "-pubout")
    Path("key.pem").write_bytes(key)
    assert "id-ecPublicKey, explicit curve, 256 bits\n" in run("show", "key.pem").output


def test_secrets_in_damaged_keys_are_hidden(openssl: OpenSSL) -> None:
    """Each octet of the header of a key, and of what is around it, is damaged in turn."""
    rsa = openssl("rsa", "-in", "rsa.key", "-traditional", "-outform", "DER")
    key = openssl("pkcs8", "-topk8", "-nocrypt", "-in", "ec.key", "-outform", "DER")
    pfx = openssl(
        *("pkcs12", "-export", "-inkey", "ec.key", "-in", "ec.pem", "-passout", "pass:", "-nomac"),
        *("-keypbe", "NONE", "-certpbe", "NONE"),
    )
    secret = OneAsymmetricKey.decode(key).private_key.private_key.hex()
    prime = hex(RSAPrivateKey.decode(rsa).prime1)[2:]
    for octets, hidden in ((rsa, prime[:32]), (key, secret[:32]), (pfx, secret[:32])):
        for index in range(min(40, octets.find(bytes.fromhex(hidden)))):
            for damage in (0x00, 0x04, 0x80, 0xFF):
                Path("key.der").write_bytes(octets[:index] + bytes([damage]) + octets[index + 1 :])
                for options in ((), ("--json",)):
                    result = run("show", "key.der", *options, status=None)
                    assert hidden not in result.output.replace(":", ""), (index, damage)


def test_a_damaged_object_of_pkcs7_is_an_error() -> None:
    octets = cms.ContentInfo(content_type=cms.id_data, content=b"text").encode()
    Path("cut.pem").write_text(pem.encode(octets[:-1], "PKCS7"))
    assert "declares" in run("show", "cut.pem", status=1).stderr


def test_the_error_of_a_damaged_file_has_its_type() -> None:
    place = CERTIFICATE.index(bytes.fromhex("0603551d0f"))
    put(a_der=CERTIFICATE[:place] + b"\x1f" + CERTIFICATE[place + 1 :])
    error = run("show", "a.der", status=1).stderr
    assert error.startswith(f"derlib: a.der: tbs_certificate.extensions[1].extn_id at offset {place}: ")
    assert ", in an X.509 Certificate (X.690 8.1.2.4.2)" in error
    assert ", in " not in run("show", "a.der", "--type", "cert", status=1).stderr
    assert run_json("show", "a.der", status=1)[0]["error"]["message"] in error


@pytest.mark.parametrize("oid", ["2b6570", "2a864886f70d010701"])
def test_an_object_identifier_alone_is_not_pkcs7(oid: str) -> None:
    """It can be an AlgorithmIdentifier. The content of PKCS #7 is OPTIONAL (RFC 2315 section 7)."""
    alone = der(0x30, der(0x06, bytes.fromhex(oid)))
    put(a_der=alone, b_der=der(0x30, bytes.fromhex("06092a864886f70d010701"), der(0xA0, der(0x04, b"text"))))
    assert "DER of an unknown type" in run("show", "a.der").stdout
    assert "PKCS" not in run("cert", "a.der", status=1).stderr
    assert derlib.identify(alone) is None
    assert "a PKCS #7 ContentInfo" in run("show", "a.der", "--type", "pkcs7").stdout
    assert "ContentInfo" in run("show", "b.der").stdout
