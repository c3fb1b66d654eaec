"""Files of cryptography that are not ASN.1: what they are, and what converts them."""

from __future__ import annotations

__all__ = ["other_format"]

_KEY_STORE = "a key store of Java, which is not ASN.1; keytool -importkeystore -deststoretype PKCS12 converts it"
_SSH_KEY = "a public key of OpenSSH, which is not ASN.1; ssh-keygen -e -m PKCS8 -f FILE converts it"
_SSH_PRIVATE_KEY = "a private key of OpenSSH, which is not ASN.1; ssh-keygen -p -m PKCS8 -f FILE converts it in place"

#: Their first bytes.
_BEGINNINGS = {
    b"\xfe\xed\xfe\xed\0\0\0": _KEY_STORE,  # JKS
    b"\xce\xce\xce\xce\0\0\0": _KEY_STORE,  # JCEKS
    b"ssh-": _SSH_KEY,
    b"ecdsa-sha2-": _SSH_KEY,
    b"openssh-key-v1\0": _SSH_PRIVATE_KEY,
}


def other_format(data: bytes) -> str | None:
    """Return what a file is that is not ASN.1, and what converts it; None if it has none of these formats."""
    return next((title for beginning, title in _BEGINNINGS.items() if data.startswith(beginning)), None)
