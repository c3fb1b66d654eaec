"""derlib accepts or rejects the other files of cryptography_vectors as cryptography does, or the table has the reason.

These are the PKCS #7, PKCS #12, PKCS #8 and OCSP files, and the requests; `test_corpus.py` has the certificates and
CRLs. derlib decodes the structure, and cryptography also builds keys and enforces profiles, so it rejects more.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.hazmat.primitives.serialization import pkcs12 as their_pkcs12
from cryptography.x509 import ocsp as their_ocsp

import derlib
from derlib import pem
from derlib.schemas.cms import ContentInfo
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.keys import EncryptedPrivateKeyInfo, OneAsymmetricKey, RSAPrivateKey
from derlib.schemas.ocsp import OCSPRequest, OCSPResponse
from derlib.schemas.pkcs12 import PFX
from derlib.schemas.x509 import SubjectPublicKeyInfo

VECTORS = Path(pytest.importorskip("cryptography_vectors").__file__).parent

# Files of these folders that are other structures, which other tests read.
NOT_OURS = {
    "pkcs7/ascii-san.pem": "a certificate",
    "pkcs7/non-ascii-san.pem": "a certificate",
}


class Difference(NamedTuple):
    """Who rejects a file, the kind of derlib's error or the words of cryptography's, and the clause or the reason."""

    who: str
    words: str
    reason: str


def _theirs(words: str, reason: str, *names: str) -> dict[str, Difference]:
    return dict.fromkeys(names, Difference("cryptography", words, reason))


DIFFERENCES = {
    # cryptography warns that these two are not DER.
    "pkcs7/amazon-roots.p7b": Difference("derlib", "length-indefinite", "X.690 10.1"),
    "pkcs12/no-password.p12": Difference("derlib", "default-encoded", "X.690 11.5"),
    # Microsoft's content is a SEQUENCE instead of an OCTET STRING, as PKCS #7 allows (RFC 5652 section 5.2.1).
    "pkcs7/authenticode.der": Difference("derlib", "unexpected-tag", "X.690 8.1.2"),
    **_theirs(
        "Only basic signed structures are currently supported",
        "RFC 5652 6.1: an EnvelopedData has no certificates to return",
        "pkcs7/enveloped-no-content.der",
        "pkcs7/enveloped-rsa-oaep.pem",
        "pkcs7/enveloped-triple-des.pem",
        "pkcs7/enveloped.pem",
    ),
    "requests/freeipa-bad-critical.pem": Difference("derlib", "default-encoded", "X.690 11.5"),
    "requests/zero-element-attribute.pem": Difference("derlib", "size", "X.680 51.5"),
    # RFC 8018 A.2 has 1..MAX; cryptography asks for the password first.
    "PKCS8/enc-rsa-pkcs8-pbkdf2-0iter.pem": Difference("derlib", "range", "X.680 51.4"),
    # The version has an extensible constraint or none, so other numbers are valid ASN.1.
    **_theirs("1 is not a valid CSR version", "RFC 2986 4.1", "requests/bad-version.pem"),
    **_theirs("1 is not a valid OCSP request version", "RFC 6960 4.1.1", "ocsp/req-invalid-version.der"),
    **_theirs("1 is not a valid OCSP response version", "RFC 6960 4.2.1", "ocsp/resp-invalid-version.der"),
    **_theirs("Invalid key", "RFC 5958 2", "PKCS8/invalid-version.der"),
    **_theirs("more than one request", "RFC 6960 4.1.1: requestList has any number", "ocsp/req-multi-sha1.der"),
    **_theirs(
        "UnknownDefinedBy", "RFC 6960 4.2.1: responseType is any identifier", "ocsp/resp-response-type-unknown-oid.der"
    ),
    **_theirs(
        "does not contain a BasicResponse",
        "RFC 6960 4.2.1: responseBytes is OPTIONAL",
        "ocsp/resp-successful-no-response-bytes.der",
    ),
    # The key is valid ASN.1, but not a key.
    **_theirs("Unknown key type", "RFC 5958 2: any algorithm", "PKCS8/bad-oid-dsa-key.pem", "PKCS8/unknown-oid.der"),
    **_theirs(
        "Invalid key",
        "RFC 5915 3: the parameters are OPTIONAL, and may name another curve",
        "PKCS8/ec-inconsistent-curve.pem",
        "PKCS8/ec-inconsistent-curve2.pem",
    ),
    **_theirs(
        "private key value is too short", "RFC 5915 3 has the length in its text", "PKCS8/ec-invalid-private-scalar.pem"
    ),
    **_theirs(
        "explicit parameters",
        "RFC 3279 2.3.5: explicit curves",
        "PKCS8/ec_oid_not_in_reg_private_2.pkcs8.pem",
        "PKCS8/nodompar_private.pkcs8.pem",
        "PKCS8/private.pem",
    ),
    **_theirs("is not supported", "RFC 5480 2.1.1: any named curve", "PKCS8/withdompar_private.pkcs8.pem"),
}


def their_pkcs12_file(data: bytes) -> None:
    """Open a PKCS #12 file with one of the passwords of these files."""
    for password in (None, b"password", b"cryptography"):
        try:
            their_pkcs12.load_pkcs12(data, password)
        except ValueError:
            continue
        return
    raise ValueError("no password of these files opens it")


def their_key(data: bytes) -> None:
    """Load a key. An encrypted key counts as read when the password is asked for."""
    is_pem = pem.is_pem(data)
    try:
        if is_pem and b"PUBLIC KEY" in data:
            serialization.load_pem_public_key(data)
        elif is_pem:
            serialization.load_pem_private_key(data, None)
        else:
            serialization.load_der_private_key(data, None)
    except TypeError as error:
        if "Password was not given" not in str(error):
            raise


def their_reader(path: Path, data: bytes) -> Callable[[bytes], Any]:
    """Return the function of cryptography for a file."""
    is_pem = pem.is_pem(data)
    folder = path.parent.name
    if folder == "pkcs7":
        return pkcs7.load_pem_pkcs7_certificates if is_pem else pkcs7.load_der_pkcs7_certificates
    if folder == "pkcs12":
        return their_pkcs12_file
    if folder == "requests":
        return x509.load_pem_x509_csr if is_pem else x509.load_der_x509_csr
    if folder == "ocsp":
        return their_ocsp.load_der_ocsp_request if is_request(path) else their_ocsp.load_der_ocsp_response
    if path.name.endswith("_pub.der"):
        return serialization.load_der_public_key
    return their_key


def is_request(path: Path) -> bool:
    """Return whether an OCSP file is a request."""
    return path.name.startswith("req") or path.stem.endswith("-req")


def our_class(path: Path, data: bytes) -> Any:
    """Return the class of derlib for a file."""
    folder = path.parent.name
    if folder == "PKCS8":
        if b"ENCRYPTED PRIVATE KEY" in data:
            return EncryptedPrivateKeyInfo
        if b"RSA PRIVATE KEY" in data:
            return RSAPrivateKey
        return SubjectPublicKeyInfo if b"PUBLIC KEY" in data or path.name.endswith("_pub.der") else OneAsymmetricKey
    if folder == "ocsp":
        return OCSPRequest if is_request(path) else OCSPResponse
    return {"pkcs7": ContentInfo, "pkcs12": PFX, "requests": CertificationRequest}[folder]


def short(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


FOLDERS = ("pkcs7", "pkcs12", "asymmetric/PKCS8", "x509/ocsp", "x509/requests")
FILES = [
    path
    for folder in FOLDERS
    for path in sorted((VECTORS / folder).iterdir())
    if path.is_file() and short(path) not in NOT_OURS
]


def difference(path: Path) -> Difference | None:
    """Return who rejects a file and why, or None if both accept it or both reject it."""
    data = path.read_bytes()
    ours = theirs = None
    try:
        octets = next(pem.blocks(data)).der if pem.is_pem(data) else data
        our_class(path, data).decode(octets)
    except derlib.DecodeError as error:
        ours = error
    try:
        their_reader(path, data)(data)
    except (ValueError, UnsupportedAlgorithm, NotImplementedError, x509.InvalidVersion) as error:
        theirs = error
    if (ours is None) == (theirs is None):
        return None
    if ours is not None:
        return Difference("derlib", ours.kind or "", ours.rule or "")
    return Difference("cryptography", str(theirs), "")


@pytest.mark.filterwarnings("ignore:.*could not be parsed as DER:UserWarning")
@pytest.mark.parametrize("path", FILES, ids=short)
def test_both_agree_or_the_difference_has_its_reason(path: Path) -> None:
    found = difference(path)
    expected = DIFFERENCES.get(short(path))
    if found is None or expected is None or expected.who == "derlib":
        assert found == expected
    else:
        assert found.who == "cryptography"
        assert expected.words in found.words


def test_each_row_names_a_file() -> None:
    names = {short(path) for path in FILES}
    assert DIFFERENCES.keys() <= names
    assert len(names) > 140
