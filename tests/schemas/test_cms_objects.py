"""CMS objects that openssl and other software made: every part is typed, and rebuilding them gives the same bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509 import load_der_x509_certificate
from support import rebuilt
from support.openssl import CONTENT, ENCRYPTED, OTHER, SIGNED, OpenSSL

import derlib
from derlib import pem
from derlib.schemas import cms
from derlib.schemas.ciphers import GCMParameters
from derlib.schemas.cms import ContentInfo, SignedData, id_content_type, id_message_digest, id_signing_time
from derlib.schemas.cms_certificates import ExtendedCertificate, ExtendedCertificateOrCertificate
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate


def read(octets: bytes) -> ContentInfo:
    """Decode an object, after checking that building it again in each way gives the same bytes."""
    found: ContentInfo = rebuilt.read(ContentInfo, octets)
    return found


@pytest.mark.parametrize("name", SIGNED)
def test_signed_objects_of_openssl(openssl: OpenSSL, name: str) -> None:
    octets = openssl.cms(SIGNED[name])
    signed = read(octets).signed_data
    expected = "2.999.1" if name == "another type of content" else "id-data"
    assert signed.encap_content_info.e_content_type.name == expected
    assert signed.encap_content_info.e_content == (None if name == "detached" else CONTENT)
    for choice in signed.certificates or ():
        assert type(choice.certificate) is Certificate
    assert len(signed.signer_infos) == (2 if name == "two signers" else 1)
    for signer in signed.signer_infos:
        if name == "without attributes":
            assert signer.signed_attrs is signer.signed_bytes is None
            continue
        digest = hashlib.new(signer.digest_algorithm.algorithm.name.removeprefix("id-"), CONTENT).digest()
        assert signer.signed_attrs.get(id_content_type).name == expected
        assert signer.signed_attrs.get(id_message_digest) == digest
        assert signer.signed_attrs.get(id_signing_time).tzinfo is not None


def test_the_signed_bytes_are_those_that_were_signed(openssl: OpenSSL) -> None:
    signed = read(openssl.cms(SIGNED["attached"])).signed_data
    [signer] = signed.signer_infos
    certificate = load_der_x509_certificate(bytes(signed.certificates[0].certificate.der))
    key: Any = certificate.public_key()
    key.verify(signer.signature, signer.signed_bytes, ec.ECDSA(hashes.SHA256()))
    without = read(openssl.cms(SIGNED["without attributes"])).signed_data
    key.verify(without.signer_infos[0].signature, CONTENT, ec.ECDSA(hashes.SHA256()))


def test_an_object_that_only_carries_certificates_and_crls(openssl: OpenSSL) -> None:
    arguments = ("-in", "crl.pem", "-certfile", "chain.pem", "-outform", "DER")
    signed = read(openssl("crl2pkcs7", *arguments)).signed_data
    assert [type(choice.value) for choice in signed.certificates] == [Certificate, Certificate]
    assert [type(choice.crl) for choice in signed.crls] == [CertificateList]
    assert len(signed.signer_infos) == 0
    assert signed.encap_content_info.e_content is None


# The alternative of each recipient, the content type, and the class of the parameters of the content encryption.
ENVELOPES: dict[str, tuple[set[str], Any]] = {
    "RSA": ({"ktri"}, bytes),
    "RSA, 3DES": ({"ktri"}, bytes),
    "RSAES-OAEP": ({"ktri"}, bytes),
    "RSAES-OAEP with parameters": ({"ktri"}, bytes),
    "ECDH": ({"kari"}, bytes),
    "ECDH, SHA-256": ({"kari"}, bytes),
    "ECDH, cofactor": ({"kari"}, bytes),
    "ECDH, key identifier, another wrapping": ({"kari"}, bytes),
    "ECDH, 3DES": ({"kari"}, bytes),
    "two recipients": ({"ktri", "kari"}, bytes),
    "RSA, key identifier": ({"ktri"}, bytes),
    "secret key": ({"kekri"}, bytes),
    "password": ({"pwri"}, bytes),
    "every kind of recipient": ({"ktri", "kari", "kekri", "pwri"}, bytes),
    "Camellia": ({"ktri"}, bytes),
    "authenticated": ({"ktri"}, GCMParameters),
    "authenticated, ECDH": ({"kari"}, GCMParameters),
}


@pytest.mark.parametrize("name", ENCRYPTED)
def test_encrypted_objects_of_openssl(openssl: OpenSSL, name: str) -> None:
    alternatives, parameters = ENVELOPES[name]
    content = read(openssl.cms(ENCRYPTED[name])).content
    assert {recipient.alternative for recipient in content.recipient_infos} == alternatives
    if name.startswith("authenticated"):
        assert type(content) is cms.AuthEnvelopedData
        encrypted = content.auth_encrypted_content_info
    else:
        assert type(content) is cms.EnvelopedData
        encrypted = content.encrypted_content_info
    assert type(encrypted.content_encryption_algorithm.parameters) is parameters
    assert len(encrypted.encrypted_content) >= len(CONTENT)


def test_the_algorithms_of_recipients_are_typed(openssl: OpenSSL) -> None:
    [agreed] = read(openssl.cms(ENCRYPTED["ECDH"])).content.recipient_infos
    algorithm = agreed.kari.key_encryption_algorithm
    assert algorithm.algorithm.name == "dhSinglePass-stdDH-sha1kdf-scheme"
    assert algorithm.parameters.algorithm.name == "id-aes256-wrap"
    assert agreed.kari.originator.alternative == "originator_key"
    [password] = read(openssl.cms(ENCRYPTED["password"])).content.recipient_infos
    derivation = password.pwri.key_derivation_algorithm
    assert (derivation.algorithm.name, type(derivation.parameters)) == ("id-PBKDF2", cms.PBKDF2Params)
    assert password.pwri.key_encryption_algorithm.parameters.algorithm.name == "id-aes256-CBC"
    [secret] = read(openssl.cms(ENCRYPTED["secret key"])).content.recipient_infos
    assert secret.kekri.kekid.key_identifier == b"\1\2"


@pytest.mark.parametrize("name", OTHER)
def test_other_objects_of_openssl(openssl: OpenSSL, name: str) -> None:
    content = read(openssl.cms(OTHER[name])).content
    if name == "data":
        assert content == CONTENT
    elif name == "digested data":
        assert type(content) is cms.DigestedData
        assert content.encap_content_info.e_content == CONTENT
        assert content.digest == hashlib.sha256(CONTENT).digest()
    else:
        assert type(content) is cms.EncryptedData
        assert content.encrypted_content_info.content_encryption_algorithm.algorithm.name == "id-aes128-CBC"


def test_a_countersignature_is_a_signer_info(openssl: OpenSSL) -> None:
    info = read(openssl.cms(SIGNED["attached"]))
    [signer] = info.signed_data.signer_infos
    unsigned = [{"attr_type": cms.id_countersignature, "attr_values": [signer]}]
    countersigned = info.replace(
        content=info.signed_data.replace(signer_infos=[signer.replace(unsigned_attrs=unsigned)])
    )
    [found] = read(countersigned.encode()).signed_data.signer_infos
    assert found.unsigned_attrs.get(cms.id_countersignature) == signer
    # openssl reads it, too.
    assert openssl.as_der(countersigned.encode()) == countersigned.encode()


def test_an_extended_certificate_contains_a_certificate(openssl: OpenSSL) -> None:
    """Obsolete, and so made here: no software writes it."""
    [der] = pem.decode((openssl.folder / "ec.pem").read_bytes(), "CERTIFICATE")
    attribute = {"attr_type": id_message_digest, "attr_values": [b"x"]}
    made = ExtendedCertificate(
        extended_certificate_info={"version": "v0", "certificate": Certificate.decode(der), "attributes": [attribute]},
        signature_algorithm={"algorithm": "2.999"},
        signature=b"\0",
    )
    choice = cms.CertificateChoices(extended_certificate=made)
    assert choice.encode()[0] == 0xA0
    assert ExtendedCertificateOrCertificate.decode(choice.encode()).extended_certificate == made
    assert ExtendedCertificateOrCertificate.decode(der).certificate == Certificate.decode(der)


VECTORS = Path(pytest.importorskip("cryptography_vectors").__file__).parent / "pkcs7"

# These are CMS objects that are not DER, or not CMS.
REFUSED = {
    "amazon-roots.p7b": ("length-indefinite", "X.690 10.1"),
    # Microsoft's content is a SEQUENCE instead of an OCTET STRING, as PKCS #7 allows (RFC 5652 section 5.2.1).
    "authenticode.der": ("unexpected-tag", "X.690 8.1.2"),
}
CERTIFICATES = ("ascii-san.pem", "non-ascii-san.pem")
FILES = [path for path in sorted(VECTORS.glob("*.*")) if path.name not in CERTIFICATES]


def der_of(path: Path) -> bytes:
    octets = path.read_bytes()
    return next(iter(pem.blocks(octets))).der if b"-----BEGIN" in octets else octets


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_files_of_cryptography_vectors(path: Path) -> None:
    if path.name in REFUSED:
        with pytest.raises(derlib.DecodeError) as caught:
            ContentInfo.decode(der_of(path))
        assert (caught.value.kind, caught.value.rule) == REFUSED[path.name]
        return
    content = read(der_of(path)).content
    if type(content) is SignedData:
        assert all(type(choice.value) is Certificate for choice in content.certificates)
    else:
        assert type(content) is cms.EnvelopedData
        assert (content.encrypted_content_info.encrypted_content is None) == ("no-content" in path.name)
