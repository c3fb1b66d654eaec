"""Every other kind of file that openssl writes: each is read, and built again to the same bytes.

CMS objects, requests, OCSP, time stamps and CMP have test modules of their own.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.openssl import CONTENT, PASSWORD, OpenSSL
from support.rebuilt import read

import derlib
from derlib import pem
from derlib.schemas import algorithms, cms, keys, pkcs12, x509
from derlib.schemas.cms import ContentInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.curves import ECParameters
from derlib.schemas.x509 import Certificate

DER = ("-outform", "DER")
ENCRYPTED_KEY = ("pkcs8", "-topk8", "-in", "ec.key", "-passout", "pass:x", *DER)
PARAMETERS = ("genpkey", "-genparam", "-algorithm")

# The class and the arguments for each file.
FILES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "PKCS #8, plain": (keys.PrivateKeyInfo, ("pkcs8", "-topk8", "-nocrypt", "-in", "ec.key", *DER)),
    "PKCS #8, PKCS #12 scheme": (keys.EncryptedPrivateKeyInfo, (*ENCRYPTED_KEY, "-v1", "PBE-SHA1-3DES")),
    "PKCS #8, 3DES": (keys.EncryptedPrivateKeyInfo, (*ENCRYPTED_KEY, "-v2", "des3")),
    "PKCS #8, AES": (keys.EncryptedPrivateKeyInfo, (*ENCRYPTED_KEY, "-v2", "aes256", "-v2prf", "hmacWithSHA512")),
    "PKCS #8, Camellia": (keys.EncryptedPrivateKeyInfo, (*ENCRYPTED_KEY, "-v2", "camellia256", "-iter", "5")),
    "PKCS #8, scrypt": (keys.EncryptedPrivateKeyInfo, (*ENCRYPTED_KEY, "-scrypt")),
    "RSA key": (keys.RSAPrivateKey, ("rsa", "-traditional", "-in", "rsa.key", *DER)),
    "EC key": (keys.ECPrivateKey, ("ec", "-in", "ec.key", *DER)),
    "EC key, compressed, explicit": (
        keys.ECPrivateKey,
        ("ec", "-in", "ec.key", "-conv_form", "compressed", "-param_enc", "explicit", *DER),
    ),
    "DSA key": (keys.DSAPrivateKey, ("dsa", "-in", "dsa.key", *DER)),
    "RSA key with three primes": (
        keys.RSAPrivateKey,
        ("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-pkeyopt", "rsa_keygen_primes:3", *DER),
    ),
    "RSASSA-PSS key": (
        keys.PrivateKeyInfo,
        (
            *("genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"),
            *("-pkeyopt", "rsa_pss_keygen_md:sha256", "-pkeyopt", "rsa_pss_keygen_mgf1_md:sha384", *DER),
        ),
    ),
    **{
        f"{name} key": (keys.PrivateKeyInfo, ("genpkey", "-algorithm", name, *DER))
        for name in ("ED25519", "ED448", "X25519", "X448")
    },
    "RSA public key": (algorithms.RSAPublicKey, ("rsa", "-in", "rsa.key", "-RSAPublicKey_out", *DER)),
    **{
        f"public key of {name}": (x509.SubjectPublicKeyInfo, ("pkey", "-in", f"{name}.key", "-pubout", *DER))
        for name in ("rsa", "ec", "dsa")
    },
    "DH parameters": (algorithms.DHParameter, (*PARAMETERS, "DH", "-pkeyopt", "group:ffdhe2048", *DER)),
    "X9.42 parameters": (algorithms.DomainParameters, (*PARAMETERS, "DHX", "-pkeyopt", "dh_rfc5114:2", *DER)),
    "DSA parameters": (algorithms.DssParms, ("dsaparam", "-in", "dsa.parameters", *DER)),
    "curve by name": (ECParameters, ("ecparam", "-name", "secp256k1", *DER)),
    "curve over a prime field": (ECParameters, ("ecparam", "-name", "secp521r1", "-param_enc", "explicit", *DER)),
    "curve, trinomial": (ECParameters, ("ecparam", "-name", "sect233k1", "-param_enc", "explicit", *DER)),
    "curve, pentanomial": (ECParameters, ("ecparam", "-name", "sect283k1", "-param_enc", "explicit", *DER)),
    "certificate": (Certificate, ("x509", "-in", "ec.pem", *DER)),
    "certificate with RSASSA-PSS": (
        Certificate,
        ("req", "-x509", "-key", "rsa.key", "-subj", "/CN=pss", "-sigopt", "rsa_padding_mode:pss", *DER),
    ),
    "certificate with many extensions": (
        Certificate,
        ("req", "-x509", "-key", "ec.key", "-config", "many.conf", "-extensions", "many", *DER),
    ),
    "certificate revocation list": (CertificateList, ("crl", "-in", "crl.pem", *DER)),
    "request with attributes": (CertificationRequest, ("req", "-new", "-key", "rsa.key", "-config", "many.conf", *DER)),
    "certificates and CRLs": (ContentInfo, ("crl2pkcs7", "-in", "crl.pem", "-certfile", "chain.pem", *DER)),
    "S/MIME, signed": (
        ContentInfo,
        ("smime", "-sign", "-binary", "-nodetach", "-signer", "rsa.pem", "-inkey", "rsa.key", *DER),
    ),
    "S/MIME, encrypted": (ContentInfo, ("smime", "-encrypt", "-binary", "-aes256", *DER, "rsa.pem")),
}

MANY = """
[req]
prompt = no
distinguished_name = name
attributes = attributes
string_mask = default
[name]
C = GB
O = Example
CN = Ünïcode
emailAddress = a@example.org
[attributes]
challengePassword = secret
unstructuredName = a name
[many]
basicConstraints = critical, CA:TRUE, pathlen:3
keyUsage = critical, digitalSignature, keyCertSign, cRLSign
extendedKeyUsage = serverAuth, OCSPSigning, 2.999.1
subjectKeyIdentifier = hash
subjectAltName = DNS:example.org, IP:192.0.2.1, IP:2001:db8::1, email:a@example.org, URI:http://example.org/, \
RID:2.999.1, otherName:1.3.6.1.4.1.311.20.2.3;UTF8:a@example.org, dirName:name
certificatePolicies = 2.999.1, @policy
policyConstraints = requireExplicitPolicy:3, inhibitPolicyMapping:1
policyMappings = 2.999.1:2.999.2
inhibitAnyPolicy = 2
nameConstraints = permitted;DNS:example.org, excluded;IP:192.0.2.0/255.255.255.0
crlDistributionPoints = URI:http://example.org/a.crl, point
freshestCRL = URI:http://example.org/delta.crl
authorityInfoAccess = OCSP;URI:http://example.org/, caIssuers;URI:http://example.org/a.cer
subjectInfoAccess = caRepository;URI:http://example.org/
tlsfeature = status_request
noCheck = ignored
nsComment = a comment
nsCertType = sslCA
sbgp-ipAddrBlock = critical, IPv4:192.0.2.0/24, IPv6:inherit
sbgp-autonomousSysNum = critical, AS:64496-64511
[policy]
policyIdentifier = 2.999.3
CPS = http://example.org/cps
userNotice = @notice
[notice]
explicitText = UTF8:Some text
organization = Example
noticeNumbers = 1, 2
[point]
fullname = URI:http://example.org/b.crl
CRLissuer = dirName:name
reasons = keyCompromise, CACompromise
"""


@pytest.fixture(scope="module")
def folder(openssl: OpenSSL) -> OpenSSL:
    """The program, in a folder that also has a configuration with many extensions."""
    (openssl.folder / "many.conf").write_text(MANY, encoding="utf-8")
    return openssl


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_openssl(folder: OpenSSL, name: str) -> None:
    cls, arguments = FILES[name]
    octets = folder(*arguments, stdin=CONTENT)
    # Parameters of Diffie-Hellman are PEM without regard to -outform.
    found = read(cls, pem.decode(octets)[0] if pem.is_pem(octets) else octets)
    if cls is Certificate:
        assert all(extension.extn_id.name != extension.extn_id.dotted for extension in found.tbs_certificate.extensions)


def test_each_extension_of_a_certificate_has_its_type(folder: OpenSSL) -> None:
    found = read(Certificate, folder(*FILES["certificate with many extensions"][1]))
    opaque = [e.extn_id.name for e in found.tbs_certificate.extensions if isinstance(e.extn_value, derlib.TLV)]
    assert opaque == []
    assert len(found.tbs_certificate.extensions) == 20


EXPLICIT = ("-algorithm", "EC", "-pkeyopt", "ec_param_enc:explicit", "-pkeyopt")

# The arguments that make a key, its kind, size and curve.
KEYS: dict[str, tuple[tuple[str, ...], tuple[str, int | None, str | None]]] = {
    "prime field": ((*EXPLICIT, "ec_paramgen_curve:P-256"), ("EC", 256, None)),
    "binary field, trinomial": ((*EXPLICIT, "ec_paramgen_curve:sect233k1"), ("EC", 233, None)),
    "binary field, pentanomial": ((*EXPLICIT, "ec_paramgen_curve:sect163r2"), ("EC", 163, None)),
    "named curve": (
        ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP320r1"),
        ("EC", 320, "brainpoolP320r1"),
    ),
    "X9.42": (("-algorithm", "DHX", "-pkeyopt", "dh_rfc5114:2"), ("DH", 2048, None)),
    "PKCS #3": (("-algorithm", "DH", "-pkeyopt", "group:ffdhe2048"), ("DH", 2048, None)),
    "three primes": (
        ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-pkeyopt", "rsa_keygen_primes:3"),
        ("RSA", 1024, None),
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_private_and_public_keys_with_parameters(openssl: OpenSSL, name: str) -> None:
    arguments, expected = KEYS[name]
    text = openssl("genpkey", *arguments)
    (openssl.folder / "parameters.key").write_bytes(text)
    [private] = pem.decode(text)
    public = openssl("pkey", "-in", "parameters.key", "-pubout", *DER)
    found = read(keys.PrivateKeyInfo, private), read(x509.SubjectPublicKeyInfo, public)
    for key in found:
        assert (key.kind, key.size, key.curve) == expected
    assert found[0].private_key_algorithm == found[1].algorithm


def test_a_sequence_of_certificates_of_netscape(openssl: OpenSSL) -> None:
    """Its type has no class; the certificates are inside."""
    [octets] = pem.decode(openssl("nseq", "-toseq", "-in", "chain.pem"))
    found = read(ContentInfo, octets)
    assert found.content_type.dotted == "2.16.840.1.113730.2.5"
    chain = pem.decode((openssl.folder / "chain.pem").read_bytes())
    assert [bytes(child.der) for child in found.content.children] == chain


def test_an_object_that_another_signer_signs_again(openssl: OpenSSL) -> None:
    (openssl.folder / "signed.der").write_bytes(
        openssl("cms", "-sign", "-nodetach", *DER, "-signer", "ec.pem", "-inkey", "ec.key", stdin=CONTENT)
    )
    signer = ("-signer", "rsa.pem", "-inkey", "rsa.key")
    arguments = ("cms", "-resign", "-inform", "DER", "-in", "signed.der", "-nodetach", *DER, *signer)
    assert len(read(ContentInfo, openssl(*arguments)).signed_data.signer_infos) == 2


def test_compressed_data(openssl: OpenSSL) -> None:
    try:
        octets = openssl("cms", "-compress", "-binary", *DER, stdin=CONTENT)
    except AssertionError as error:
        if "unsupported compression algorithm" not in str(error):
            raise
        pytest.skip("this openssl has no zlib")
    assert read(ContentInfo, octets).content.compression_algorithm.algorithm.name == "id-alg-zlibCompress"


PKCS12: dict[str, tuple[str, ...]] = {
    "plain options": (),
    "without a MAC": ("-nomac",),
    "old algorithms": ("-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"),
    "without encryption": ("-keypbe", "NONE", "-certpbe", "NONE"),
    "other algorithms": ("-certpbe", "aes-128-cbc", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha512"),
    "without keys": ("-nokeys",),
    "without certificates": ("-nocerts",),
    "names for Windows": ("-CSP", "a provider", "-LMK"),
    "few iterations": ("-iter", "5", "-nomaciter"),
    "a name for the other certificate": ("-caname", "the other"),
}


@pytest.mark.parametrize("name", PKCS12)
def test_a_pkcs12_file_of_openssl(openssl: OpenSSL, name: str) -> None:
    """The encodings inside are read and built again, too."""
    pfx = read(pkcs12.PFX, openssl.pkcs12(*PKCS12[name]))
    assert (pfx.mac_data is None) == (name == "without a MAC")
    for part in read(pkcs12.AuthenticatedSafe, pfx.auth_safe.content):
        if part.content_type == cms.id_data:
            bags = read(pkcs12.SafeContents, part.content)
            assert all(not isinstance(bag.bag_value, derlib.TLV) for bag in bags)


def test_traditional_encryption_of_openssl_is_not_pem_of_rfc_7468(openssl: OpenSSL) -> None:
    text = openssl("rsa", "-in", "rsa.key", "-aes128", "-traditional", "-passout", f"pass:{PASSWORD}")
    with pytest.raises(derlib.PEMError, match="RFC 1421 header"):
        pem.decode(text)
