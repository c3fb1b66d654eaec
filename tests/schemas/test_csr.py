"""Certification requests: those of openssl, and those of the authors of cryptography."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from support import rebuilt
from support.der import der
from support.openssl import OpenSSL

import derlib
from derlib import TLV, ConstraintViolation, Deviation, ObjectIdentifier, oids, pem
from derlib.schemas import csr, vendor_attributes
from derlib.schemas.csr import BasicConstraints, CertificationRequest, Extensions, KeyUsage, SubjectAltName

cryptography_vectors = pytest.importorskip("cryptography_vectors", reason="a test dependency that is not installed")
FOLDER = Path(cryptography_vectors.__file__).parent / "x509" / "requests"
FILES = sorted(FOLDER.iterdir())


def request_in(path: Path) -> bytes:
    """Return the DER of a request in a PEM or DER file."""
    octets = path.read_bytes()
    if path.suffix == ".der":
        return octets
    label = "NEW CERTIFICATE REQUEST" if b"BEGIN NEW" in octets else "CERTIFICATE REQUEST"
    return pem.decode(octets, label)[0]


def read(octets: bytes) -> CertificationRequest:
    """Decode an object, after checking that building it again in each way gives the same bytes."""
    found: CertificationRequest = rebuilt.read(CertificationRequest, octets)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_requests_of_cryptography_vectors(path: Path) -> None:
    octets = request_in(path)
    if path.name == "zero-element-attribute.pem":
        # cryptography accepts it; RFC 2986 section 4.1 has SIZE (1..MAX).
        with pytest.raises(derlib.ConstraintViolation, match=r"size 0, outside SIZE \(1..MAX\)"):
            CertificationRequest.decode(octets)
        return
    if path.name == "freeipa-bad-critical.pem":
        # cryptography accepts the request and refuses its extensions.
        with pytest.raises(derlib.DefaultError, match="must be left out") as caught:
            CertificationRequest.decode(octets)
        assert caught.value.path[:4] == ("certification_request_info", "attributes", 1, "values")
        assert octets[caught.value.offset :].startswith(bytes.fromhex("010100"))
        request = CertificationRequest.decode(octets, tolerate=Deviation.DEFAULT_ENCODED)
        assert request.dns_names == ("replica1.ipa.test",)
        return
    request = read(octets)
    info = request.certification_request_info
    if path.name == "bad-version.pem":
        # cryptography accepts only version 1; any number is valid ASN.1, because the constraint is extensible.
        assert info.version != csr.Version.v1
        return
    peer = x509.load_der_x509_csr(octets)
    assert info.der == peer.tbs_certrequest_bytes
    assert info.subject.der == peer.subject.public_bytes()
    expected = [] if path.name == "two_basic_constraints.pem" else [each.oid.dotted_string for each in peer.extensions]
    found = [each.extn_id.dotted for each in request.extensions or ()]
    assert found == (expected or found)


def test_attributes_of_requests() -> None:
    def attribute(name: str) -> object:
        info = read(request_in(FOLDER / name)).certification_request_info
        return info.attributes.get(csr.id_challenge_password)

    assert attribute("challenge.pem") == "challenge me!"
    assert attribute("challenge-multi-valued.der") == "challenge me!"
    assert type(attribute("challenge-invalid.der")) is TLV
    assert attribute("ec_sha256.pem") is None


def test_an_attribute_without_values() -> None:
    """RFC 2986 requires one; `EMPTY_LIST` tolerates that there is none."""
    octets = request_in(FOLDER / "zero-element-attribute.pem")
    with pytest.raises(ConstraintViolation, match="size 0"):
        CertificationRequest.decode(octets)
    request = CertificationRequest.decode(octets, tolerate=Deviation.EMPTY_LIST)
    [attribute] = request.certification_request_info.attributes
    assert request.certification_request_info.attributes.get(attribute.type) is None
    assert request.extensions is request.challenge_password is None


def test_a_request_of_openssl(openssl: OpenSSL) -> None:
    extensions = ("-addext", "subjectAltName=DNS:example.org", "-addext", "keyUsage=digitalSignature")
    subject = ("-subj", "/O=Example/CN=example.org", "-key", "ec.key")
    request = read(openssl("req", "-new", *subject, *extensions, "-outform", "DER"))
    assert str(request.certification_request_info.subject) == "CN=example.org,O=Example"
    assert request.extensions is not None
    names = request.extensions.get(SubjectAltName)
    assert names is not None
    assert [name.value for name in names] == ["example.org"]
    assert request.extensions.get(KeyUsage) == KeyUsage.digital_signature
    assert read(openssl("req", "-new", *subject, "-outform", "DER")).extensions is None


def test_a_request_that_derlib_builds() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    template = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([])).sign(key, hashes.SHA256())
    spki = read(template.public_bytes(serialization.Encoding.DER))
    extensions = Extensions([{"extn_id": "2.5.29.19", "extn_value": BasicConstraints(ca=True), "critical": True}])
    info = csr.CertificationRequestInfo(
        version="v1",
        subject=csr.Name.of({"CN": "example.org"}),
        subject_pk_info=spki.certification_request_info.subject_pk_info,
        attributes=[{"type": csr.id_extension_request, "values": [extensions]}],
    )
    request = CertificationRequest(
        certification_request_info=info,
        signature_algorithm={"algorithm": "1.2.840.10045.4.3.2"},
        signature=key.sign(info.encode(), ec.ECDSA(hashes.SHA256())),
    )
    peer = x509.load_der_x509_csr(request.encode())
    assert peer.is_signature_valid
    assert peer.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_windows_writes_extensions_in_an_attribute_of_its_own() -> None:
    request = read(request_in(FOLDER / "basic_constraints.pem"))
    info = request.certification_request_info
    renamed = [{"type": "1.3.6.1.4.1.311.2.1.14", "values": list(info.attributes[0].values)}]
    found = request.replace(certification_request_info=info.replace(attributes=renamed)).extensions
    assert found == request.extensions
    assert found is not None


def test_windows_adds_attributes_about_itself() -> None:
    def text(value: str) -> bytes:
        return der(0x1E, value.encode("utf-16-be"))

    machine = der(0x02, b"\5") + b"".join(der(0x0C, each) for each in (b"pc.example", b"EXAMPLE\\user", b"certreq.exe"))
    values: dict[str, tuple[bytes, Any]] = {
        "szOID_OS_VERSION": (der(0x16, b"10.0.19041.2"), "10.0.19041.2"),
        "szOID_ENROLLMENT_NAME_VALUE_PAIR": (
            der(0x30, text("CertificateTemplate"), text("WebServer")),
            {"name": "CertificateTemplate", "value": "WebServer"},
        ),
        "szOID_ENROLLMENT_CSP_PROVIDER": (
            der(0x30, der(0x02, b"\1"), text("A provider"), der(0x03, b"\0")),
            {"key_spec": 1, "csp_name": "A provider", "signature": b""},
        ),
        "szOID_REQUEST_CLIENT_INFO": (
            der(0x30, machine),
            {"client_id": 5, "machine_name": "pc.example", "user_name": "EXAMPLE\\user", "process_name": "certreq.exe"},
        ),
    }
    for name, (value, expected) in values.items():
        oid = ObjectIdentifier(oids.oid_of(name))
        attribute = csr.Attribute.decode(der(0x30, derlib.encode(oid, ObjectIdentifier), der(0x31, value)))
        assert attribute.to_native()["values"] == [expected]
        assert csr.Attribute.of(name, expected).encode() == attribute.encode()
    # Some programs leave the signature of a provider out. The value is not of its type then.
    oid = derlib.encode(vendor_attributes.szoid_enrollment_csp_provider, ObjectIdentifier)
    short = der(0x30, oid, der(0x31, der(0x30, der(0x02, b"\1"), text("A provider"))))
    assert isinstance(csr.Attribute.decode(short).values[0], TLV)


def test_what_a_server_of_est_asks_for() -> None:
    """The example of RFC 7030 section 4.5.2."""
    octets = bytes.fromhex(
        "304106092a864886f70d010907301206072a8648ce3d0201310706052b81040022301606092a864886f70d01090e310906072b0601"
        "0101011606082a8648ce3d040303"
    )
    asked = csr.CsrAttrs.decode(octets)
    assert [item.alternative for item in asked] == ["oid", "attribute", "attribute", "oid"]
    assert asked[0].oid == csr.id_challenge_password
    assert asked[1].attribute.type.name == "id-ecPublicKey"
    assert [value.value.dotted for value in asked[2].attribute.values] == ["1.3.6.1.1.1.1.22"]
    assert csr.CsrAttrs.from_native(asked.to_native()).encode() == octets
    for invalid in ("3002 0500", "3006 3004 0601 55 00"):
        with pytest.raises(derlib.DecodeError):
            csr.CsrAttrs.decode(bytes.fromhex(invalid))
