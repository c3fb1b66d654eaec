"""Certificates and CRLs that derlib builds or changes, and cryptography signs, are accepted by other software.

Both cryptography and the `openssl` program verify them with their own parsers.
"""

import shutil
import subprocess
from datetime import datetime, timedelta, timezone

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, mldsa, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.ocsp import load_der_ocsp_response

from derlib import NULL, BitString, ConstraintError
from derlib.schemas import csr, ocsp
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.crl import (
    CertificateList,
    CRLReason,
    RevokedCertificate,
    TBSCertList,
    id_ce_crl_number,
)
from derlib.schemas.x509 import (
    AuthorityInfoAccessSyntax,
    AuthorityKeyIdentifier,
    BasicConstraints,
    Certificate,
    CRLDistributionPoints,
    Extension,
    FreshestCRL,
    KeyUsage,
    Name,
    SubjectAltName,
    SubjectPublicKeyInfo,
    TBSCertificate,
    Validity,
    Version,
    id_ce_subject_key_identifier,
    sa_ecdsa_with_sha256,
    sa_ed25519,
    sa_ml_dsa_44,
    sa_rsassa_pss_sha256,
    sa_rsassa_pss_sha384,
    sa_rsassa_pss_sha512,
    sa_sha256_with_rsa_encryption,
)

NOW = datetime.now(timezone.utc).replace(microsecond=0)
DAY = timedelta(days=1)
ROOT_NAME = Name.of({"C": "DE", "O": "Prüfstelle", "CN": "derlib test root"})
REVOKED_SERIAL = 0xC0FFEE << 80
SOUND_SERIAL = 5


class Signer:
    """A private key, a function that signs with it, and the AlgorithmIdentifier."""

    def __init__(self, key, algorithm, *arguments):
        self.key = key
        self.algorithm = algorithm
        self.arguments = arguments
        public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.public_key_info = SubjectPublicKeyInfo.decode(public)

    def sign(self, octets):
        return self.key.sign(octets, *self.arguments)


@pytest.fixture(scope="module", params=["RSA", "RSASSA-PSS", "ECDSA", "Ed25519", "ML-DSA-44"])
def signer(request):
    if request.param == "RSA":
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        return Signer(key, sa_sha256_with_rsa_encryption, padding.PKCS1v15(), hashes.SHA256())
    if request.param == "RSASSA-PSS":
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        return Signer(key, sa_rsassa_pss_sha384, padding.PSS(padding.MGF1(hashes.SHA384()), 48), hashes.SHA384())
    if request.param == "ECDSA":
        return Signer(ec.generate_private_key(ec.SECP256R1()), sa_ecdsa_with_sha256, ec.ECDSA(hashes.SHA256()))
    if request.param == "ML-DSA-44":
        try:
            return Signer(mldsa.MLDSA44PrivateKey.generate(), sa_ml_dsa_44)
        except UnsupportedAlgorithm as error:
            pytest.skip(f"the OpenSSL of cryptography: {error}")
    return Signer(ed25519.Ed25519PrivateKey.generate(), sa_ed25519)


def signed_certificate(signer, **fields):
    tbs = TBSCertificate(
        version=Version.v3,
        signature=signer.algorithm,
        validity=Validity(not_before=NOW - DAY, not_after=NOW + DAY),
        **fields,
    )
    return Certificate.signed(tbs, signer.sign)


def authority(signer):
    return Extension.of(AuthorityKeyIdentifier.of(signer.public_key_info))


def root_certificate(signer, name=ROOT_NAME):
    identifier = signer.public_key_info.key_identifier
    return signed_certificate(
        signer,
        serial_number=1,
        issuer=name,
        subject=name,
        subject_public_key_info=signer.public_key_info,
        extensions=[
            Extension.of(BasicConstraints(ca=True, path_len_constraint=0), critical=True),
            Extension.of(KeyUsage.key_cert_sign | KeyUsage.crl_sign, critical=True),
            Extension.of(identifier, extn_id=id_ce_subject_key_identifier),
            authority(signer),
        ],
    )


def leaf_certificate(signer, serial):
    return signed_certificate(
        signer,
        serial_number=serial,
        issuer=ROOT_NAME,
        subject=Name.of({"CN": "leaf.example"}),
        subject_public_key_info=signer.public_key_info,
        extensions=[
            Extension.of(SubjectAltName([{"dns_name": "leaf.example"}, {"ip_address": bytes([192, 0, 2, 1])}])),
            Extension.of(KeyUsage.digital_signature, critical=True),
            authority(signer),
        ],
    )


def built_crl(signer):
    tbs = TBSCertList(
        version=Version.v2,
        signature=signer.algorithm,
        issuer=ROOT_NAME,
        this_update=NOW - DAY,
        next_update=NOW + DAY,
        revoked_certificates=[
            RevokedCertificate(user_certificate=7, revocation_date=NOW - 2 * DAY),
            {
                "user_certificate": REVOKED_SERIAL,
                "revocation_date": datetime(2050, 1, 1, tzinfo=timezone.utc),
                "crl_entry_extensions": [Extension.of(CRLReason.key_compromise)],
            },
        ],
        crl_extensions=[authority(signer), Extension.of(9, extn_id=id_ce_crl_number)],
    )
    return CertificateList.signed(tbs, signer.sign)


@pytest.fixture(scope="module")
def root(signer):
    return root_certificate(signer)


@pytest.fixture(scope="module")
def crl(signer):
    return built_crl(signer)


@pytest.fixture
def openssl(tmp_path, signer):
    """Run the program on files in its own folder; return whether it succeeded, and its output."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("the openssl program is not installed")
    if signer.algorithm == sa_ml_dsa_44:
        known = subprocess.run([program, "list", "-signature-algorithms"], capture_output=True, text=True, timeout=60)
        if "ML-DSA-44" not in known.stdout:
            pytest.skip("the openssl program is older than 3.5, which is the first with ML-DSA")

    def run(*arguments, **files):
        for name, value in files.items():
            pem = {Certificate: x509.load_der_x509_certificate, CertificateList: x509.load_der_x509_crl}[type(value)]
            (tmp_path / name).write_bytes(pem(value.encode()).public_bytes(Encoding.PEM))
        done = subprocess.run([program, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        return done.returncode == 0, done.stdout + done.stderr

    return run


def test_cryptography_accepts_a_certificate_built_from_nothing(signer, root):
    theirs = x509.load_der_x509_certificate(root.encode())
    theirs.verify_directly_issued_by(theirs)
    assert theirs.subject.rfc4514_string() == str(ROOT_NAME)
    assert theirs.not_valid_after_utc == NOW + DAY
    assert theirs.public_key() == signer.key.public_key()
    identifier = theirs.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
    assert identifier.value == x509.SubjectKeyIdentifier.from_public_key(signer.key.public_key())
    usage = theirs.extensions.get_extension_for_class(x509.KeyUsage)
    assert (usage.critical, usage.value.crl_sign, usage.value.digital_signature) == (True, True, False)
    assert theirs.tbs_certificate_bytes == root.tbs_certificate.encode()


def test_cryptography_accepts_a_certificate_that_it_issued(signer, root):
    theirs = x509.load_der_x509_certificate(leaf_certificate(signer, SOUND_SERIAL).encode())
    theirs.verify_directly_issued_by(x509.load_der_x509_certificate(root.encode()))
    names = theirs.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["leaf.example"]


def test_a_certificate_that_is_changed_after_signing_is_rejected(root):
    forged = root.replace(tbs_certificate=root.tbs_certificate.replace(serial_number=2))
    theirs = x509.load_der_x509_certificate(forged.encode())
    with pytest.raises(InvalidSignature):
        theirs.verify_directly_issued_by(theirs)


def test_cryptography_accepts_a_crl_built_from_nothing(signer, crl):
    theirs = x509.load_der_x509_crl(crl.encode())
    assert theirs.is_signature_valid(signer.key.public_key())
    assert [entry.serial_number for entry in theirs] == [7, REVOKED_SERIAL]
    assert theirs.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number == 9
    entry = theirs.get_revoked_certificate_by_serial_number(REVOKED_SERIAL)
    assert entry.revocation_date_utc.year == 2050
    assert entry.extensions.get_extension_for_class(x509.CRLReason).value.reason is x509.ReasonFlags.key_compromise
    assert theirs.tbs_certlist_bytes == crl.tbs_cert_list.encode()


def test_a_crl_with_a_wrong_signature_is_rejected(signer, crl):
    forged = crl.replace(signature_value=BitString(bytes(len(crl.signature_value.bytes))))
    assert not x509.load_der_x509_crl(forged.encode()).is_signature_valid(signer.key.public_key())


def test_openssl_verifies_the_certificates(openssl, signer, root):
    said = openssl("verify", "-x509_strict", "-CAfile", "root", "leaf", root=root, leaf=leaf_certificate(signer, 5))
    assert said == (True, "leaf: OK\n")


def test_openssl_verifies_the_crl(openssl, root, crl):
    verified, said = openssl("crl", "-noout", "-verify", "-CAfile", "root", "-in", "crl", root=root, crl=crl)
    assert verified
    assert "verify OK" in said


def test_openssl_finds_the_revoked_certificate_on_the_crl(openssl, signer, root, crl):
    check = ("verify", "-crl_check", "-CAfile", "root", "-CRLfile", "crl", "leaf")
    assert openssl(*check, root=root, crl=crl, leaf=leaf_certificate(signer, SOUND_SERIAL)) == (True, "leaf: OK\n")
    verified, said = openssl(*check, root=root, crl=crl, leaf=leaf_certificate(signer, REVOKED_SERIAL))
    assert not verified
    assert "certificate revoked" in said


def with_one_more_entry(signer, crl, serial):
    """Return a decoded CRL with an additional entry, signed by another key."""
    tbs = crl.tbs_cert_list
    entry = RevokedCertificate(user_certificate=serial, revocation_date=NOW)
    changed = tbs.replace(
        signature=signer.algorithm,
        this_update=NOW - DAY,
        next_update=NOW + DAY,
        revoked_certificates=[*(tbs.revoked_certificates or ()), entry],
    )
    return CertificateList.signed(changed, signer.sign)


def demand_accepted(openssl, signer, before, after, serial):
    theirs = x509.load_der_x509_crl(after.encode())
    assert theirs.is_signature_valid(signer.key.public_key())
    assert theirs.get_revoked_certificate_by_serial_number(serial).revocation_date_utc == NOW
    assert after.find(serial).revocation_date == NOW
    entries = before.tbs_cert_list.revoked_certificates or ()
    kept = after.tbs_cert_list.revoked_certificates[: len(entries)]
    assert [bytes(entry.der) for entry in kept] == [bytes(entry.der) for entry in entries]
    assert len(theirs) == len(entries) + 1
    root = root_certificate(signer, before.tbs_cert_list.issuer)
    verified, said = openssl("crl", "-noout", "-verify", "-CAfile", "root", "-in", "crl", root=root, crl=after)
    assert verified, said


def test_a_crl_of_cryptography_takes_an_entry_and_a_new_signature(openssl, signer):
    builder = x509.CertificateRevocationListBuilder(
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "theirs")]), NOW - DAY, NOW + DAY
    )
    for serial in (1, 2, 1 << 150):
        revoked = x509.RevokedCertificateBuilder(serial, NOW)
        reason = x509.CRLReason(x509.ReasonFlags.superseded)
        builder = builder.add_revoked_certificate(revoked.add_extension(reason, critical=False).build())
    builder = builder.add_extension(x509.CRLNumber(3), critical=False)
    key = ec.generate_private_key(ec.SECP384R1())
    before = CertificateList.decode(builder.sign(key, hashes.SHA384()).public_bytes(Encoding.DER))
    demand_accepted(openssl, signer, before, with_one_more_entry(signer, before, 3), 3)


@pytest.mark.parametrize("name", ["amazon-r2m02.crl", "eid2011.crl", "webpki/crl.valid.der", "webpki/crl.empty.der"])
def test_a_crl_from_the_world_takes_an_entry_and_a_new_signature(openssl, signer, shared_data, name):
    path = shared_data / "crl" / name
    if not path.is_file():
        pytest.skip(f"{name} is not in ../shared/data")
    before = CertificateList.decode(path.read_bytes())
    demand_accepted(openssl, signer, before, with_one_more_entry(signer, before, 0xDE2), 0xDE2)


def test_cryptography_accepts_a_signed_request_and_a_signed_status(signer, root):
    info = csr.CertificationRequestInfo(
        version=csr.Version.v1,
        subject=Name.of({"CN": "leaf.example"}),
        subject_pk_info=signer.public_key_info,
        attributes=csr.Attributes([]),
    )
    request = csr.CertificationRequest.signed(info, signer.sign, signer.algorithm)
    assert x509.load_der_x509_csr(request.encode()).is_signature_valid

    status = ocsp.SingleResponse(
        cert_id=ocsp.CertID.of(leaf_certificate(signer, SOUND_SERIAL), root),
        cert_status=ocsp.CertStatus(good=NULL),
        this_update=NOW,
    )
    data = ocsp.ResponseData(
        responder_id=ocsp.ResponderID(by_name=ROOT_NAME), produced_at=NOW, responses=[status]
    )
    basic = ocsp.BasicOCSPResponse.signed(data, signer.sign, signer.algorithm, [root])
    response = ocsp.OCSPResponse(
        response_status=ocsp.OCSPResponseStatus.successful,
        response_bytes=ocsp.ResponseBytes(response_type=ocsp.id_pkix_ocsp_basic, response=basic),
    )
    theirs = load_der_ocsp_response(response.encode())
    signer.key.public_key().verify(theirs.signature, theirs.tbs_response_bytes, *signer.arguments)
    assert [each.public_bytes(Encoding.DER) for each in theirs.certificates] == [root.encode()]
    assert ocsp.BasicOCSPResponse.signed(data, signer.sign, signer.algorithm).certs is None


def test_the_parameters_of_rsassa_pss_are_those_of_cryptography():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([])
    builder = x509.CertificateSigningRequestBuilder().subject_name(name)
    for hash_function, ours in (
        (hashes.SHA256(), sa_rsassa_pss_sha256),
        (hashes.SHA384(), sa_rsassa_pss_sha384),
        (hashes.SHA512(), sa_rsassa_pss_sha512),
    ):
        scheme = padding.PSS(padding.MGF1(hash_function), hash_function.digest_size)
        theirs = builder.sign(key, hash_function, rsa_padding=scheme).public_bytes(Encoding.DER)
        assert csr.CertificationRequest.decode(theirs).signature_algorithm == ours


@pytest.mark.parametrize(
    ("sign", "message"),
    [
        (b"signature", "sign: expected a function that signs bytes, got bytes"),
        (lambda octets: None, "sign: expected a function that returns bytes, got NoneType"),
        (lambda octets: octets.hex(), "sign: expected a function that returns bytes, got str"),
    ],
)
def test_signed_rejects_what_is_not_a_signature(root, sign, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        Certificate.signed(root.tbs_certificate, sign)


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        (Certificate, "TBSCertificate"),
        (CertificateList, "TBSCertList"),
        (csr.CertificationRequest, "CertificationRequestInfo"),
        (ocsp.BasicOCSPResponse, "ResponseData"),
        (AttributeCertificate, "AttributeCertificateInfo"),
    ],
)
def test_signed_rejects_another_structure(root, structure, expected):
    algorithm = () if structure in (Certificate, CertificateList, AttributeCertificate) else (sa_ed25519,)
    with pytest.raises(TypeError, match=f"^expected {expected}, got Certificate$"):
        structure.signed(root, lambda octets: octets, *algorithm)


def test_signed_requires_the_version_that_has_extensions(signer, root):
    """The DEFAULT or absent version is easily left out."""
    with pytest.raises(ConstraintError, match=r"^version: expected v3, because there are extensions"):
        Certificate.signed(root.tbs_certificate.replace(version=0), signer.sign)
    bare = root.tbs_certificate.replace(version=0, extensions=None)
    assert Certificate.signed(bare, signer.sign).tbs_certificate == bare
    tbs = built_crl(signer).tbs_cert_list.replace(version=None)
    # The extensions of an entry, too.
    for changed in (tbs, tbs.replace(crl_extensions=None), tbs.replace(revoked_certificates=None)):
        with pytest.raises(ConstraintError, match=r"^version: expected v2, .* \(RFC 5280 5.1.2.1\), got None$"):
            CertificateList.signed(changed, signer.sign)
    bare = tbs.replace(crl_extensions=None, revoked_certificates=None)
    assert CertificateList.signed(bare, signer.sign).tbs_cert_list == bare


def test_an_error_of_the_signing_function_is_not_changed(root):
    def sign(octets):
        raise OSError("no token")

    with pytest.raises(OSError, match=r"^no token$"):
        Certificate.signed(root.tbs_certificate, sign)


def test_authority_key_identifier_of_an_issuer(signer, root):
    identifier = signer.public_key_info.key_identifier
    assert AuthorityKeyIdentifier.of(root) == AuthorityKeyIdentifier(key_identifier=identifier)
    bare = root.replace_at("tbs_certificate.extensions", None)
    with pytest.raises(ValueError, match=r"^the certificate has no subjectKeyIdentifier; pass its public_key$"):
        AuthorityKeyIdentifier.of(bare)
    assert AuthorityKeyIdentifier.of(bare.public_key).key_identifier == identifier
    with pytest.raises(TypeError, match=r"^expected Certificate or SubjectPublicKeyInfo, got bytes$"):
        AuthorityKeyIdentifier.of(identifier)


def test_cryptography_reads_the_urls(signer, root):
    extensions = root.extensions_with(
        Extension.of(CRLDistributionPoints.of("http://a.example/1.crl", "http://b.example/1.crl")),
        Extension.of(FreshestCRL.of("http://a.example/delta.crl")),
        Extension.of(AuthorityInfoAccessSyntax.of(ocsp=["http://o1", "http://o2"], ca_issuers="http://c")),
    )
    made = Certificate.signed(root.tbs_certificate.replace(extensions=extensions), signer.sign)
    assert made.crl_urls == ("http://a.example/1.crl", "http://b.example/1.crl")
    assert (made.ocsp_urls, made.ca_issuer_urls) == (("http://o1", "http://o2"), ("http://c",))
    theirs = x509.load_der_x509_certificate(made.encode()).extensions
    [point] = theirs.get_extension_for_class(x509.CRLDistributionPoints).value
    assert [name.value for name in point.full_name] == list(made.crl_urls)
    [delta] = theirs.get_extension_for_class(x509.FreshestCRL).value
    assert [name.value for name in delta.full_name] == ["http://a.example/delta.crl"]
    access = theirs.get_extension_for_class(x509.AuthorityInformationAccess).value
    assert [each.access_location.value for each in access] == ["http://o1", "http://o2", "http://c"]


def test_urls_are_checked():
    with pytest.raises(ConstraintError, match="SIZE"):
        CRLDistributionPoints.of()
    with pytest.raises(ConstraintError, match="SIZE"):
        AuthorityInfoAccessSyntax.of()
    with pytest.raises(ConstraintError, match="IA5String"):
        CRLDistributionPoints.of("http://ä.example")
    with pytest.raises(ConstraintError, match="uniform_resource_identifier"):
        CRLDistributionPoints.of(["http://a.example"])
