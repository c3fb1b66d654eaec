"""Every other kind of file that openssl writes: each is read, and built again to the same bytes.

CMS objects, requests, OCSP, time stamps and CMP have test modules of their own.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.serialization import load_der_public_key
from support import openssl_modes
from support.openssl import CONTENT, PASSWORD, OpenSSL
from support.openssl_files import DER, FILES, MANY
from support.rebuilt import read

import derlib
from derlib import pem
from derlib.schemas import cms, keys, pkcs12, x509
from derlib.schemas.cms import ContentInfo
from derlib.schemas.curves import ECParameters
from derlib.schemas.key_kinds import curve_size
from derlib.schemas.openssl import SignedPublicKeyAndChallenge, SSLSession
from derlib.schemas.x509 import Certificate


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


@pytest.fixture(scope="module")
def prepared(openssl: OpenSSL) -> OpenSSL:
    """The program, in a folder with keys, certificates and configurations for every command line."""
    openssl_modes.prepare(openssl)
    return openssl


@pytest.mark.parametrize(("cls", "line"), openssl_modes.MODES, ids=lambda part: part if isinstance(part, str) else "")
def test_each_mode_of_openssl(prepared: OpenSSL, cls: Any, line: str) -> None:
    octets = prepared(*line.split(), stdin=CONTENT)
    read(cls, pem.decode(octets)[0] if pem.is_pem(octets) else octets)
    assert derlib.identify(octets) is cls


@pytest.mark.parametrize("line", openssl_modes.UNSORTED)
def test_unsorted_certificates_are_ber(prepared: OpenSSL, line: str) -> None:
    octets = prepared(*line.split(), stdin=CONTENT)
    with pytest.raises(derlib.OrderError, match=r"X\.690 11\.6"):
        ContentInfo.decode(octets)
    assert derlib.identify(octets) is ContentInfo
    found = ContentInfo.decode(octets, rules="ber")
    assert read(ContentInfo, bytes(found.der)) == found


def test_the_poison_of_openssl_has_no_null(prepared: OpenSSL) -> None:
    """RFC 6962 section 3.1 requires NULL as the value of the extension; openssl 3.0 writes nothing."""
    octets = prepared("req", "-x509", "-precert", "-key", "ec.key", "-subj", "/CN=a", "-outform", "DER")
    with pytest.raises(derlib.TruncatedError, match=r"extn_value.*NULL"):
        Certificate.decode(octets)
    assert derlib.identify(octets) is Certificate
    assert Certificate.decode(octets, tolerate=derlib.Deviation.OPEN_TYPE).encode() == octets


@pytest.mark.parametrize("label", ["RSA PRIVATE KEY", "PRIVATE KEY"])
def test_a_key_in_the_old_encryption_does_not_count_before_another_block(label: str) -> None:
    key = f"-----BEGIN {label}-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMAA=\n-----END {label}-----\n"
    text = key + Path("docs/examples/ca.pem").read_text(encoding="utf-8")
    assert derlib.identify(text) is derlib.identify(text.encode()) is Certificate
    with pytest.raises(derlib.PEMError, match="Proc-Type"):
        derlib.identify(key)
    with pytest.raises(derlib.PEMError, match="line 8"):
        derlib.identify(key + "-----BEGIN X-----\n*\n-----END X-----\n")


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


def test_parameters_of_every_curve(openssl: OpenSSL) -> None:
    listed = re.findall(r"^ *(\S+) *:", openssl("ecparam", "-list_curves").decode(), re.MULTILINE)
    assert len(listed) >= 80
    for name in listed:
        explicit = read(ECParameters, pem.decode(openssl("ecparam", "-name", name, "-param_enc", "explicit"))[0])
        assert explicit.alternative == "specified_curve", name
        # The curves of Oakley have no object identifier.
        if not name.startswith("Oakley"):
            named = read(ECParameters, pem.decode(openssl("ecparam", "-name", name))[0])
            assert named.named_curve.name != named.named_curve.dotted, name
            assert curve_size(named) == curve_size(explicit), name


def test_a_request_of_netscape(openssl: OpenSSL) -> None:
    text = openssl("spkac", "-key", "rsa.key", "-challenge", "a challenge", "-digest", "sha256")
    assert text.startswith(b"SPKAC=")
    found = read(SignedPublicKeyAndChallenge, base64.b64decode(text.removeprefix(b"SPKAC=")))
    assert found.public_key_and_challenge.challenge == "a challenge"
    assert found.public_key_and_challenge.spki.der == pem.decode(openssl("pkey", "-in", "rsa.key", "-pubout"))[0]
    key: Any = load_der_public_key(found.public_key_and_challenge.spki.der)
    signed = bytes(found.public_key_and_challenge.der)
    key.verify(bytes(found.signature), signed, padding.PKCS1v15(), hashes.SHA256())


def test_a_session(openssl: OpenSSL) -> None:
    """openssl writes the same bytes for a session with every field that it has, as far as it knows its value."""
    certificate = Certificate.decode(pem.decode((openssl.folder / "ec.pem").read_bytes())[0])
    session = SSLSession(
        version=1,
        ssl_version=772,
        cipher=b"\x13\x02",
        session_id=b"i" * 32,
        master_key=b"k" * 48,
        time=1790000000,
        timeout=7200,
        peer=certificate,
        session_id_context=b"",
        verify_result=18,
        tlsext_hostname=b"localhost",
        tlsext_tick_lifetime_hint=7200,
        tlsext_tick=b"t" * 200,
        tlsext_tick_age_add=2870486814,
        max_early_data=16384,
        alpn_selected=b"h2",
        ticket_appdata=b"data",
        kex_group=29,
    )
    octets = openssl("sess_id", "-inform", "DER", *DER, stdin=session.encode())
    assert read(SSLSession, octets) == session


def test_a_sequence_of_certificates_of_netscape(openssl: OpenSSL) -> None:
    [octets] = pem.decode(openssl("nseq", "-toseq", "-in", "chain.pem"))
    found = read(ContentInfo, octets)
    assert found.content_type.dotted == "2.16.840.1.113730.2.5"
    chain = pem.decode((openssl.folder / "chain.pem").read_bytes())
    assert [certificate.encode() for certificate in found.content] == chain


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
