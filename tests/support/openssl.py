"""CMS objects and PKCS #12 files that the `openssl` program makes, with keys and certificates made once per run.

Tests use the fixture `openssl` of `tests/conftest.py`, which is skipped if the program is missing.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

CONTENT = b"The content that is signed or encrypted.\r\n" * 300  # streamed in several segments
PASSWORD = "correct horse"
SECRET = "00112233445566778899aabbccddeeff"

# Arguments that make a signed object.
SIGN = ("cms", "-sign", "-binary", "-signer", "ec.pem", "-inkey", "ec.key")
RSA = ("-signer", "rsa.pem", "-inkey", "rsa.key")
SIGNED: dict[str, tuple[str, ...]] = {
    "attached": (*SIGN, "-nodetach"),
    "detached": SIGN,
    "sha512": (*SIGN, "-nodetach", "-md", "sha512"),
    "sha1": (*SIGN, "-nodetach", "-md", "sha1"),
    "without S/MIME capabilities": (*SIGN, "-nodetach", "-nosmimecap"),
    "CAdES": (*SIGN, "-nodetach", "-cades"),
    "key identifier": (*SIGN, "-nodetach", "-keyid"),
    "without attributes": (*SIGN, "-nodetach", "-noattr"),
    "without certificates": (*SIGN, "-nodetach", "-nocerts"),
    "more certificates": (*SIGN, "-nodetach", "-certfile", "rsa.pem"),
    "two signers": (*SIGN, "-nodetach", *RSA, "-md", "sha384"),
    "RSASSA-PSS": (*SIGN[:3], "-nodetach", *RSA, "-keyopt", "rsa_padding_mode:pss"),
    "RSASSA-PSS with parameters": (
        *(*SIGN[:3], "-nodetach", *RSA, "-md", "sha512", "-keyopt", "rsa_padding_mode:pss"),
        *("-keyopt", "rsa_pss_saltlen:20", "-keyopt", "rsa_mgf1_md:sha384"),
    ),
    "DSA": (*SIGN[:3], "-nodetach", "-signer", "dsa.pem", "-inkey", "dsa.key"),
    "another type of content": (*SIGN, "-nodetach", "-econtent_type", "2.999.1"),
    "receipt request": (*SIGN, "-nodetach", "-receipt_request_to", "a@example.org", "-receipt_request_all"),
}

ENCRYPT = ("cms", "-encrypt", "-binary")
ENCRYPTED: dict[str, tuple[str, ...]] = {
    "RSA": (*ENCRYPT, "-aes256", "rsa.pem"),
    "RSA, 3DES": (*ENCRYPT, "-des3", "rsa.pem"),
    "RSAES-OAEP": (*ENCRYPT, "-aes128", "-recip", "rsa.pem", "-keyopt", "rsa_padding_mode:oaep"),
    "RSAES-OAEP with parameters": (
        *(*ENCRYPT, "-aes128", "-recip", "rsa.pem", "-keyopt", "rsa_padding_mode:oaep"),
        *("-keyopt", "rsa_oaep_md:sha256", "-keyopt", "rsa_mgf1_md:sha1", "-keyopt", "rsa_oaep_label:0102"),
    ),
    "ECDH": (*ENCRYPT, "-aes256", "-recip", "ec.pem"),
    "ECDH, SHA-256": (*ENCRYPT, "-aes128", "-recip", "ec.pem", "-keyopt", "ecdh_kdf_md:sha256"),
    "ECDH, cofactor": (*ENCRYPT, "-aes128", "-recip", "ec.pem", "-keyopt", "ecdh_cofactor_mode:1"),
    "ECDH, key identifier, another wrapping": (*ENCRYPT, "-aes128", "-aes256-wrap", "-keyid", "-recip", "ec.pem"),
    "ECDH, 3DES": (*ENCRYPT, "-des3", "-des3-wrap", "-recip", "ec.pem"),
    "two recipients": (*ENCRYPT, "-aes256", "rsa.pem", "ec.pem"),
    "RSA, key identifier": (*ENCRYPT, "-aes256", "-keyid", "rsa.pem"),
    "secret key": (*ENCRYPT, "-aes128", "-secretkey", SECRET, "-secretkeyid", "0102"),
    "password": (*ENCRYPT, "-aes256", "-pwri_password", PASSWORD),
    "every kind of recipient": (
        *(*ENCRYPT, "-aes192", "-secretkey", SECRET + SECRET[:16], "-secretkeyid", "0102"),
        *("-pwri_password", PASSWORD, "rsa.pem", "ec.pem"),
    ),
    "Camellia": (*ENCRYPT, "-camellia256", "rsa.pem"),
    "authenticated": (*ENCRYPT, "-aes-256-gcm", "rsa.pem"),
    "authenticated, ECDH": (*ENCRYPT, "-aes-128-gcm", "ec.pem"),
}

OTHER: dict[str, tuple[str, ...]] = {
    "data": ("cms", "-data_create", "-binary"),
    "digested data": ("cms", "-digest_create", "-binary", "-md", "sha256"),
    "encrypted data": ("cms", "-EncryptedData_encrypt", "-binary", "-aes128", "-secretkey", SECRET),
}


class OpenSSL(NamedTuple):
    """The program, in a folder with keys of RSA, EC and DSA, their certificates (`*.pem`), and a CRL."""

    folder: Path

    def __call__(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run the program and return its standard output."""
        done = subprocess.run(
            ["openssl", *arguments], input=stdin, capture_output=True, check=False, timeout=60, cwd=self.folder
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout

    def cms(self, arguments: tuple[str, ...], *, stream: bool = False) -> bytes:
        """Return the CMS object with `CONTENT` that these arguments make; if `stream` is true, in BER."""
        command, operation, *options = arguments
        # Recipients follow all options.
        return self(command, operation, "-outform", "DER", *(["-stream"] if stream else []), *options, stdin=CONTENT)

    def as_der(self, octets: bytes) -> bytes:
        """Return a CMS object as the program writes it in DER."""
        return self("cms", "-cmsout", "-inform", "DER", "-outform", "DER", stdin=octets)

    def verify(self, octets: bytes, *, detached: bool = False) -> None:
        """Verify the signatures of a SignedData without the validity of the certificates."""
        (self.folder / "content").write_bytes(CONTENT)
        content = ["-content", "content"] if detached else []
        certificates = ["-certfile", "chain.pem"]
        options = ["-binary", "-inform", "DER", "-noverify", *certificates, *content]
        assert self("cms", "-verify", *options, stdin=octets) == CONTENT

    def pkcs12(self, *arguments: str) -> bytes:
        """Return a PKCS #12 file with the EC key, its certificate and that of the RSA key."""
        options = ["-in", "ec.pem", "-inkey", "ec.key", "-certfile", "rsa.pem", "-name", "my key"]
        return self("pkcs12", "-export", *options, "-passout", f"pass:{PASSWORD}", *arguments)


def prepared(folder: Path) -> OpenSSL:
    """Make the keys, certificates and the CRL in a folder."""
    openssl = OpenSSL(folder)
    for name, kind in (("rsa", ["rsa:2048"]), ("ec", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])):
        made = ["-keyout", f"{name}.key", "-out", f"{name}.pem"]
        openssl("req", "-x509", "-nodes", "-newkey", *kind, *made, "-days", "30", "-subj", f"/O=Example/CN={name}")
    openssl("genpkey", "-genparam", "-algorithm", "DSA", "-pkeyopt", "pbits:1024", "-out", "dsa.parameters")
    openssl("genpkey", "-paramfile", "dsa.parameters", "-out", "dsa.key")
    openssl("req", "-x509", "-key", "dsa.key", "-out", "dsa.pem", "-days", "30", "-subj", "/O=Example/CN=dsa")
    (folder / "chain.pem").write_bytes((folder / "ec.pem").read_bytes() + (folder / "rsa.pem").read_bytes())
    (folder / "ca.conf").write_text(
        "[ca]\ndefault_ca=here\n[here]\ndatabase=index.txt\ncrlnumber=number\ndefault_md=sha256\ndefault_crl_days=30\n"
    )
    (folder / "index.txt").touch()
    (folder / "number").write_text("01\n")
    openssl("ca", "-config", "ca.conf", "-gencrl", "-cert", "ec.pem", "-keyfile", "ec.key", "-out", "crl.pem")
    return openssl
