"""The files that openssl writes besides the CMS objects of `support.openssl`: the class and the arguments of each.

OCSP, time stamps and CMP have tables in their own test modules.
"""

from __future__ import annotations

from typing import Any

from derlib.schemas import algorithms, keys, x509
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
