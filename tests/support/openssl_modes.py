"""Command lines of openssl: one for each algorithm and each option that changes the structure of the file.

The files of `support.openssl` and `support.openssl_files` are not repeated here. `prepare` makes the keys,
certificates and configurations that the lines name.
"""

from __future__ import annotations

from typing import Any

from support.openssl import PASSWORD, SECRET, OpenSSL

from derlib.schemas.cms import ContentInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.keys import DSAPrivateKey, ECPrivateKey, EncryptedPrivateKeyInfo, PrivateKeyInfo
from derlib.schemas.pkcs12 import PFX
from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo

#: Options for algorithms that are not in the default provider.
LEGACY = "-provider default -provider legacy"

SIGNED = "cms -sign -binary -nodetach -outform DER"
EC = "-signer ec.pem -inkey ec.key"
RSA = "-signer rsa.pem -inkey rsa.key"
ENVELOPED = "cms -encrypt -binary -outform DER"
KEY = "pkcs8 -topk8 -in ec.key -passout pass:x -outform DER"
PKCS12 = f"pkcs12 -export -in ec.pem -inkey ec.key -certfile rsa.pem -passout pass:{PASSWORD.split()[0]}"
ROOT = "req -x509 -subj /CN=a -outform DER"
REVOKED = "ca -config revoked.conf -gencrl -cert ec.pem -keyfile ec.key"

# The lines for each class. Without -outform, the output is PEM.
LINES: dict[Any, list[str]] = {
    ContentInfo: [
        f"{SIGNED} -signer pss.pem -inkey pss.key",
        f"{SIGNED} {EC} -receipt_request_to a@example.org -receipt_request_first",
        f"{SIGNED} {EC} -receipt_request_to a@example.org -receipt_request_from b@example.org",
        f"{SIGNED} {EC} -cades -md sha384 -keyid -nocerts",
        f"{SIGNED} {EC} -cades -md sha1",
        f"{SIGNED} {EC} -text",
        f"{SIGNED} -signer dsa.pem -inkey dsa.key -md sha224",
        *(f"{SIGNED} {RSA} -md {name}" for name in ("md5", "ripemd160", "sha3-512")),
        f"cms -sign -nodetach -outform DER {EC} -asciicrlf -crlfeol",
        f"cms -sign -nodetach -outform PEM {EC}",
        "cms -digest_create -binary -md sha3-256 -outform DER",
        f"cms -EncryptedData_encrypt -binary -des3 -secretkey {SECRET}0123456789abcdef -outform DER",
        f"{ENVELOPED} -aes256 dhx.pem",
        f"{ENVELOPED} -aes256 -wrap aes192-wrap -recip ec.pem",
        f"{ENVELOPED} -aes256 -aes128-wrap -recip ec.pem -keyopt ecdh_kdf_md:sha512",
        f"{ENVELOPED} -aes256 -econtent_type pkcs7-signedData rsa.pem",
        *(f"{ENVELOPED} -{name}-gcm rsa.pem" for name in ("aes-192", "aria-256")),
        *(
            f"{ENVELOPED} -{name} {LEGACY} rsa.pem"
            for name in (
                *("aes-256-cfb", "aes-256-ofb", "aes-256-ecb", "aes-256-wrap", "camellia-128-cbc", "aria-128-cbc"),
                *("sm4-cbc", "rc2-cbc", "rc2-40-cbc", "cast5-cbc", "seed-cbc", "bf-cbc", "des-cbc", "rc4"),
            )
        ),
        *(f"smime -encrypt -binary -outform DER -{name} {LEGACY} rsa.pem" for name in ("des3", "rc2-64-cbc", "rc4")),
        f"smime -sign -binary -outform DER {RSA}",
        f"smime -sign -binary -nodetach -outform DER {RSA} -noattr -nocerts",
        f"smime -sign -binary -nodetach -outform DER {RSA} -nosmimecap",
        "crl2pkcs7 -nocrl -certfile ec.pem",
        "crl2pkcs7 -in revoked.pem -outform DER",
    ],
    PFX: [
        f"{PKCS12} {options}"
        for options in (
            f"-legacy {LEGACY}",
            f"{LEGACY} -keypbe PBE-SHA1-RC4-128 -certpbe PBE-SHA1-RC2-40",
            f"{LEGACY} -keypbe PBE-MD5-DES -certpbe PBE-SHA1-2DES",
            "-descert",
            "-keyex",
            "-keysig -LMK",
            "-noiter",
            "-macalg sha3-256",
            "-chain -CAfile ec.pem -caname first",
            "-name Schlüssel -caname 鍵",
        )
    ],
    EncryptedPrivateKeyInfo: [
        *(
            f"{KEY} -v1 PBE-{name} {LEGACY}"
            for name in (
                *("MD5-DES", "SHA1-DES", "MD5-RC2-64", "SHA1-RC2-64"),
                *("SHA1-RC4-128", "SHA1-RC4-40", "SHA1-3DES", "SHA1-2DES", "SHA1-RC2-128", "SHA1-RC2-40"),
            )
        ),
        *(
            f"{KEY} -v2 {name} {LEGACY}"
            for name in (
                *("des", "des-ede", "rc2", "rc2-64-cbc", "rc2-40-cbc", "bf", "seed", "sm4", "aes-128-cbc"),
                *("aes-256-cfb", "aes-256-ofb", "aes-256-ecb", "camellia-192-cbc", "aria-256-cbc"),
            )
        ),
        *(
            f"{KEY} -v2 aes256 -v2prf hmacWith{name}"
            for name in ("MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512-224", "SHA512-256")
        ),
        f"{KEY} -scrypt -scrypt_N 1024 -scrypt_r 4 -scrypt_p 2",
        f"{KEY} -noiter",
        "pkey -in ec.key -aes128 -passout pass:x",
    ],
    PrivateKeyInfo: [
        "genpkey -algorithm SM2",
        "genpkey -paramfile dsa.parameters",
        "genpkey -paramfile dhx.parameters",
        "pkey -in ec.key -ec_conv_form hybrid -ec_param_enc explicit",
    ],
    DSAPrivateKey: ["genpkey -paramfile dsa.parameters -outform DER"],
    ECPrivateKey: [
        "pkey -in ec.key -traditional -ec_conv_form hybrid",
        "ec -in ec.key -no_public -outform DER",
        "ec -in ec.key -conv_form hybrid",
    ],
    SubjectPublicKeyInfo: [
        *(f"pkey -in {name}.key -pubout" for name in ("ed25519", "ed448", "pss", "dhx")),
        "pkey -in ec.key -pubout -ec_conv_form compressed",
        "ec -in ec.key -pubout -param_enc explicit",
    ],
    Certificate: [
        *(
            f"{ROOT} -key rsa.key -{name}"
            for name in (
                *("md5", "sha1", "sha224", "sha384", "sha512", "sha512-224", "sha512-256", "ripemd160"),
                *("sha3-224", "sha3-256", "sha3-384", "sha3-512"),
            )
        ),
        *(
            f"{ROOT} -key {key}.key -{name}"
            for key in ("ec", "dsa")
            for name in ("sha1", "sha224", "sha384", "sha512", "sha3-256", "sha3-512")
        ),
        *(f"{ROOT} -key pss.key -{name}" for name in ("sha1", "sha224", "sha384", "sha512", "sha512-256")),
        *(f"{ROOT} -key {name}.key" for name in ("ed25519", "ed448")),
        f"{ROOT} -key ec.key -set_serial -5 -days 36500",
        "x509 -in dhx.pem -outform DER",
        "x509 -req -in ec.csr -CA rsa.pem -CAkey rsa.key -CAcreateserial -copy_extensions copyall -outform DER",
        "x509 -new -subj /CN=a -force_pubkey dhx.pub -key ec.key -outform DER",
        "ca -config revoked.conf -batch -notext -in ec.csr -cert rsa.pem -keyfile rsa.key -outdir .",
        "ca -config revoked.conf -batch -notext -ss_cert ec.pem -cert rsa.pem -keyfile rsa.key -outdir . -msie_hack",
    ],
    CertificationRequest: [
        "req -new -newhdr -key ec.key -subj /CN=a",
        "req -new -key ed25519.key -subj /CN=a+O=b -outform DER",
        "req -new -key pss.key -utf8 -subj /CN=Ünïcode -outform DER",
        "x509 -x509toreq -in ec.pem -key ec.key",
        "x509 -x509toreq -in dsa.pem -key dsa.key -copy_extensions copyall",
    ],
    CertificateList: [
        REVOKED,
        f"{REVOKED} -md sha512 -crlexts extensions",
        f"{REVOKED} -crl_lastupdate 20490101000000Z -crl_nextupdate 20510101000000Z",
        "crl -in crl.pem -gendelta revoked.pem -key ec.key -outform DER",
    ],
}

#: Each class with each of its command lines.
MODES = [(cls, line) for cls, lines in LINES.items() for line in lines]

#: PKCS #7 objects whose certificates are in the order of the files: openssl does not sort these sets, so they are BER.
UNSORTED = [
    "crl2pkcs7 -nocrl -certfile chain.pem -certfile dsa.pem -outform DER",
    f"smime -sign -binary -outform DER {EC} {RSA} -md sha512 -certfile chain.pem",
]

REVOKED_CONFIGURATION = """
[ca]
default_ca = here
[here]
database = revoked.txt
crlnumber = revoked.number
serial = revoked.serial
new_certs_dir = .
default_md = sha256
default_days = 30
default_crl_days = 30
policy = policy
unique_subject = no
[policy]
commonName = optional
organizationName = optional
[extensions]
authorityKeyIdentifier = keyid:always, issuer:always
issuerAltName = URI:http://example.org/
issuingDistributionPoint = critical, @point
freshestCRL = URI:http://example.org/delta.crl
[point]
fullname = URI:http://example.org/a.crl
onlysomereasons = keyCompromise, CACompromise
indirectCRL = TRUE
"""

#: Each reason of a revocation, with the values that openssl adds to some.
REASONS = (
    *("", "unspecified", "keyCompromise", "CACompromise", "affiliationChanged", "superseded", "cessationOfOperation"),
    *("certificateHold", "removeFromCRL", "holdInstruction,holdInstructionReject"),
    *("keyTime,20260101000000Z", "CAkeyTime,20260101000000Z"),
)


def prepare(openssl: OpenSSL) -> None:
    """Make the files that the command lines name."""
    folder = openssl.folder
    for name, algorithm in (("ed25519", "ed25519"), ("ed448", "ed448"), ("pss", "rsa-pss")):
        made = ("-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}")
        openssl("req", "-x509", "-nodes", "-newkey", algorithm, *made)
    openssl("genpkey", "-genparam", "-algorithm", "DHX", "-pkeyopt", "dh_rfc5114:2", "-out", "dhx.parameters")
    openssl("genpkey", "-paramfile", "dhx.parameters", "-out", "dhx.key")
    openssl("pkey", "-in", "dhx.key", "-pubout", "-out", "dhx.pub")
    issuer = ("-CA", "ec.pem", "-CAkey", "ec.key", "-CAcreateserial")
    openssl("x509", "-new", *issuer, "-subj", "/CN=dhx", "-force_pubkey", "dhx.pub", "-out", "dhx.pem")
    extension = ("-addext", "subjectAltName=DNS:example.org")
    openssl("req", "-new", "-key", "ec.key", "-subj", "/CN=ec", *extension, "-out", "ec.csr")
    (folder / "revoked.conf").write_text(REVOKED_CONFIGURATION)
    (folder / "revoked.number").write_text("10\n")
    (folder / "revoked.serial").write_text("1000\n")
    (folder / "revoked.txt").write_text(
        "".join(
            f"R\t361231235959Z\t260101000000Z{reason and ','}{reason}\t{serial:02X}\tunknown\t/CN={serial}\n"
            for serial, reason in enumerate(REASONS, 1)
        )
    )
    openssl(*REVOKED.split(), "-out", "revoked.pem")
