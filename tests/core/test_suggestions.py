"""Errors about a name that does not exist suggest the nearest one."""

import copy
import pickle
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Choice,
    ConstraintError,
    Deviation,
    Enumerated,
    Explicit,
    Implicit,
    NamedBits,
    SchemaError,
    Sequence,
    SequenceOf,
)
from derlib._core import NoAttribute
from derlib._suggestions import no_attribute
from derlib.schemas import algorithms, crl, extensions, x509
from derlib.schemas.attributes import Name
from derlib.schemas.cms import ContentInfo, EnvelopedData, SignedData
from derlib.schemas.crl import CertificateList, CRLReason
from derlib.schemas.csr import CertificationRequest, CertificationRequestInfo
from derlib.schemas.ocsp import BasicOCSPResponse, OCSPRequest, OCSPResponse
from derlib.schemas.pkcs12 import PFX
from derlib.schemas.x509 import (
    Certificate,
    Extension,
    Extensions,
    GeneralName,
    KeyUsage,
    SubjectPublicKeyInfo,
    TBSCertificate,
)


class Colour(Enumerated):
    dark_red = 0
    green = 1


class Usage(NamedBits):
    digital_signature = 1 << 0
    key_agreement = 1 << 1


class Validity(Sequence):
    not_before: int
    not_after: int


class Signed(Sequence):
    valid: Validity
    colour: Colour | None = None
    usage: Usage | None = None
    wrapped: Annotated[Validity, Explicit(0)] | None = None

    @property
    def is_new(self) -> bool:
        """Whether it starts after 0."""
        return self.valid.not_before > 0

    @property
    def broken(self) -> int:
        """An attribute whose own code raises AttributeError."""
        raise AttributeError("no luck today")


class Outer(Sequence):
    signed_part: Signed
    signature: bytes


class Recursive(Sequence):
    inner: "Recursive | None" = None


class Contact(Choice):
    mail_address: Annotated[str, Implicit(0)]
    number: Annotated[int, Implicit(1)]


VALIDITY = {"not_before": 1, "not_after": 2}
VALUE: Any = Outer(signed_part={"valid": VALIDITY}, signature=b"")
SIGNED: Any = VALUE.signed_part
NAME = Name.of({"CN": "Example"})

# A portable build, and CPython before 3.11, read attributes without the function that makes these messages.
try:
    VALUE.x  # noqa: B018
except AttributeError as error:
    WITH_MESSAGES = isinstance(error.args[0], NoAttribute)
needs_messages = pytest.mark.skipif(not WITH_MESSAGES, reason="this build leaves attribute errors to CPython")


@needs_messages
@pytest.mark.parametrize(
    ("value", "name", "message"),
    [
        (SIGNED.valid, "notBefore", "'Validity' object has no attribute 'notBefore'; did you mean 'not_before'?"),
        (SIGNED.valid, "not_befor", "'Validity' object has no attribute 'not_befor'; did you mean 'not_before'?"),
        (SIGNED.valid, "not_valid_before", "no attribute 'not_valid_before'; did you mean 'not_before'?"),
        (VALUE, "valid", "'Outer' object has no attribute 'valid'; did you mean 'signed_part.valid'?"),
        (VALUE, "notAfter", "did you mean 'signed_part.valid.not_after'?"),
        (VALUE, "native", "did you mean 'to_native'?"),
        (SIGNED, "isNew", "did you mean 'is_new'?"),
        (SIGNED, "unlike_all_others", "has no attribute 'unlike_all_others'"),
        (SIGNED, "_private", "has no attribute '_private'"),
        (Recursive(), "other", "'Recursive' object has no attribute 'other'"),
        (
            Contact(number=1),
            "mailAddress",
            "'Contact' object has no attribute 'mailAddress'; did you mean 'mail_address'?",
        ),
        (SequenceOf[int]([1]), "findBy", "has no attribute 'findBy'; did you mean 'find_by'?"),
        (NAME, "rfc4514_string", "has no attribute 'rfc4514_string': str(name) is in the form of RFC 4514"),
        (
            derlib.ObjectIdentifier("2.5"),
            "dotted_string",
            "no attribute 'dotted_string'; did you mean 'dotted'?",
        ),
        (
            derlib.BitString(b"a"),
            "unusedBits",
            "'BitString' object has no attribute 'unusedBits'; did you mean 'unused_bits'?",
        ),
        (derlib.parse(b"\x05\x00"), "contents", "'TLV' object has no attribute 'contents'; did you mean 'content'?"),
        (VALUE, "x" * 1000, "has no attribute 'xxx"),
    ],
)
def test_an_unknown_attribute_suggests_the_nearest_one_or_its_path(value: Any, name: str, message: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(value, name)
    assert message in str(caught.value)
    assert ("did you mean" in message) == ("did you mean" in str(caught.value))
    assert len(str(caught.value)) < 200
    assert not hasattr(value, name)
    assert caught.value.name == name
    # Python adds no second suggestion.
    assert "Did you mean" not in "".join(traceback.format_exception(caught.value))


@needs_messages
def test_the_error_for_an_unknown_attribute_is_copied_and_pickled_with_its_text() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = SIGNED.validd
    text = "'Signed' object has no attribute 'validd'; did you mean 'valid'?"
    for error in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert str(error) == text
    assert repr(caught.value) == f"AttributeError({text!r})"


def test_an_attribute_error_of_a_property_is_raised_as_it_is() -> None:
    with pytest.raises(AttributeError, match=r"^no luck today$"):
        _ = SIGNED.broken
    assert not hasattr(SIGNED, "broken")
    assert not hasattr(SIGNED, "missing")
    assert getattr(SIGNED, "missing", 5) == 5


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (lambda: Validity(notBefore=1, not_after=2), ConstraintError, "'notBefore'; did you mean 'not_before'?"),
        (lambda: Outer(valid=1), ConstraintError, "Outer has no field 'valid'; did you mean 'signed_part.valid'?"),
        (lambda: Outer(x=1), ConstraintError, "Outer has no field 'x'; it has signed_part, signature"),
        (lambda: VALUE.replace(Signature=b""), ConstraintError, "no field 'Signature'; did you mean 'signature'?"),
        (lambda: Validity.from_json('{"not-before": 1}'), ConstraintError, "did you mean 'not_before'?"),
        (lambda: Contact(mailAddress="a"), ConstraintError, "'mailAddress'; did you mean 'mail_address'?"),
        (lambda: Contact(x="a"), ConstraintError, "Contact has no alternative 'x'; it has mail_address, number"),
        (lambda: VALUE.span("signedPart"), KeyError, "not a field of Outer; did you mean 'signed_part'?"),
        (lambda: Contact(number=1).span("numbr"), KeyError, "not an alternative of Contact; did you mean 'number'?"),
        (lambda: SequenceOf[Validity]().find_by("notAfter", 1), SchemaError, "did you mean 'not_after'?"),
        (lambda: derlib.encode("darkRed", Colour), ConstraintError, "no item 'darkRed'; did you mean 'dark_red'?"),
        (lambda: derlib.encode(["keyAgreement"], Usage), ConstraintError, "no bit 'keyAgreement'; did you mean"),
        (lambda: derlib.oids.oid_of("SHA256withRSA"), KeyError, "did you mean 'sha256WithRSAEncryption'?"),
        (
            lambda: Extensions([Extension.of(KeyUsage.crl_sign)])["key_usage"],
            TypeError,
            "not str; get(...) finds an element",
        ),
        (
            lambda: Extensions([Extension.of(KeyUsage.crl_sign)]).get("keyUsag"),
            ConstraintError,
            "did you mean 'keyUsage'?",
        ),
        (lambda: VALUE["signedPart"], TypeError, "'Outer' object is not subscriptable; did you mean '.signed_part'?"),
        (lambda: VALUE["validity"], TypeError, "'Outer' object is not subscriptable: its fields are attributes"),
        (lambda: VALUE[0], TypeError, "'Outer' object is not subscriptable: its fields are attributes"),
        (lambda: list(VALUE), TypeError, "'Outer' object is not iterable"),
        (lambda: NAME["XX"], KeyError, "no attribute type is known by the name 'XX'; give CN, L"),
        (lambda: NAME["cn"], KeyError, "by the name 'cn'; did you mean 'CN'?"),
        (lambda: NAME["commonname"], KeyError, "did you mean 'commonName'?"),
        (lambda: NAME.get("emailAdress"), ValueError, "did you mean 'emailAddress'?"),
        (lambda: NAME["E"], KeyError, "did you mean 'emailAddress'?"),
        (lambda: Colour["darkRed"], KeyError, "Colour has no item 'darkRed'; did you mean 'dark_red'?"),
        (lambda: Usage["x"], KeyError, "Usage has no item 'x'; it has digital_signature, key_agreement"),
    ],
)
def test_an_unknown_name_suggests_the_nearest_one(
    action: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        action()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        (derlib, "loads", "module 'derlib' has no attribute 'loads'; did you mean 'decode'?"),
        (derlib, "Certificate", "did you mean 'derlib.schemas.x509.Certificate'?"),
        (derlib, "x509", "did you mean 'derlib.schemas.x509'?"),
        (derlib.pem, "unarmor", "module 'derlib.pem' has no attribute 'unarmor'; did you mean 'decode'?"),
        (derlib.schemas, "CertificateList", "did you mean 'derlib.schemas.crl.CertificateList'?"),
        (x509, "sa_ecdsa_sha256", "has no attribute 'sa_ecdsa_sha256'; did you mean 'sa_ecdsa_with_sha256'?"),
        (derlib.schemas, "pkcs_12", "module 'derlib.schemas' has no attribute 'pkcs_12'; did you mean 'pkcs12'?"),
        (derlib.schemas, "_private", "module 'derlib.schemas' has no attribute '_private'"),
        (derlib.schemas, "x509.Name", "module 'derlib.schemas' has no attribute 'x509.Name'"),
        (derlib.schemas, "..", "module 'derlib.schemas' has no attribute '..'"),
    ],
)
def test_an_unknown_name_of_a_module_suggests_the_nearest_one(module: Any, name: str, message: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    assert message in str(caught.value)
    assert ("did you mean" in message) == ("did you mean" in str(caught.value))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("CertificateBuilder", "Certificate.signed"),
        ("load_pem_x509_certificate", "Certificate.decode"),
        ("CertificateRevocationListBuilder", "derlib.schemas.crl.CertificateList.signed"),
        ("CertificateSigningRequest", "derlib.schemas.csr.CertificationRequest"),
        ("SubjectAlternativeName", "SubjectAltName"),
        ("ExtendedKeyUsage", "ExtKeyUsageSyntax"),
        ("CRLNumber", "derlib.schemas.crl.id_ce_crl_number"),
        ("IPAddress", "GeneralName.of_ip"),
        ("PublicKeyInfo", "SubjectPublicKeyInfo"),
    ],
)
def test_names_of_other_libraries_for_certificates(name: str, meant: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(x509, name)
    assert str(caught.value) == f"module 'derlib.schemas.x509' has no attribute {name!r}; did you mean {meant!r}?"
    namespace = {"derlib": derlib, **{each: getattr(x509, each) for each in x509.__all__}}
    assert eval(meant, namespace) is not None


def test_names_that_are_built_at_their_first_use_are_listed() -> None:
    assert set(x509.__all__) <= set(dir(x509))
    assert "sa_ed25519" in dir(algorithms)


@pytest.mark.parametrize(
    ("cls", "outer"),
    [
        (x509.TBSCertificate, "Certificate"),
        (crl.TBSCertList, "CertificateList"),
        (CertificationRequestInfo, "CertificationRequest"),
        (SignedData, "ContentInfo"),
        (EnvelopedData, "ContentInfo"),
        (BasicOCSPResponse, "OCSPResponse"),
    ],
)
def test_an_error_near_the_top_of_a_structure_names_the_one_around_it(cls: Any, outer: str) -> None:
    with pytest.raises(derlib.StructureError) as caught:
        cls.decode(bytes.fromhex("3000"))
    assert f"files contain it in a {outer}, and derlib.identify finds the type of the input" in str(caught.value)


@pytest.mark.parametrize("cls", [CertificateList, ContentInfo, Validity])
def test_an_error_near_the_top_of_a_type_of_files_says_what_tells_their_type(cls: Any) -> None:
    with pytest.raises(derlib.StructureError) as caught:
        cls.decode(bytes.fromhex("3000"))
    assert ("derlib.identify finds the type" in str(caught.value)) == (cls is not Validity)


def test_an_error_in_an_open_type_does_not_doubt_the_type_around_it() -> None:
    # An RSA key without parameters, whose public key is NULL.
    octets = bytes.fromhex("3014 300d 06092a864886f70d0101010500 0303000500")
    with pytest.raises(derlib.StructureError) as caught:
        x509.SubjectPublicKeyInfo.decode(octets)
    assert caught.value.path == ("subject_public_key",)
    assert derlib.identify(octets) is x509.SubjectPublicKeyInfo
    assert (caught.value.hint, caught.value.deviation) == (None, derlib.Deviation.OPEN_TYPE)
    # The value is not DER without its type, either, so it cannot be tolerated.
    with pytest.raises(derlib.StructureError) as caught:
        ContentInfo.decode(bytes.fromhex("3010 06092a864886f70d010702 a003 050100"))
    assert (caught.value.path, caught.value.hint, caught.value.deviation) == (("content",), None, None)


def test_a_name_of_another_type_has_no_suggestion() -> None:
    class Hostile(str):
        def lower(self) -> Any:
            raise RuntimeError("code of a name")

        replace = lower  # type: ignore[assignment]

    with pytest.raises(ConstraintError, match="it has not_before, not_after"):
        Validity.from_native({Hostile("notBefore"): 1})
    with pytest.raises(ConstraintError, match="it has not_before, not_after"):
        Validity.from_native({5: 1})


@pytest.mark.parametrize(
    ("cls", "name", "message"),
    [
        (
            KeyUsage,
            "digitalSignature",
            "'KeyUsage' has no attribute 'digitalSignature'; did you mean 'digital_signature'?",
        ),
        (CRLReason, "keyCompromise", "did you mean 'key_compromise'?"),
        (Certificate, "load", "type object 'Certificate' has no attribute 'load'; did you mean 'decode'?"),
        (Certificate, "from_json_text", "has no attribute 'from_json_text'; did you mean 'from_json'?"),
        (Certificate, "unlike_all_others", "has no attribute 'unlike_all_others'"),
        (Certificate, "_private", "has no attribute '_private'"),
    ],
)
def test_an_unknown_attribute_of_a_class_suggests_the_nearest_one(cls: type, name: str, message: str) -> None:
    assert not hasattr(cls, name)
    with pytest.raises(AttributeError) as caught:
        getattr(cls, name)
    assert message in str(caught.value)
    assert ("did you mean" in message) == ("did you mean" in str(caught.value))
    assert caught.value.name == name
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@needs_messages
@pytest.mark.parametrize(
    ("cls", "name", "here"),
    [
        (Certificate, "dump", "encode"),
        (Certificate, "sha256", "fingerprint"),
        (Certificate, "sha1", 'fingerprint("sha1")'),
        (Certificate, "crl_distribution_points", "get(CRLDistributionPoints)"),
        (SubjectPublicKeyInfo, "bit_size", "size"),
        (Name, "human_friendly", "display"),
        (GeneralName, "chosen", "value"),
        (Certificate, "signature_hash_algorithm", "signature_algorithm.hash_name"),
        (Certificate, "not_valid_after_utc", "not_after"),
        (CertificateList, "revoked", "revoked_certificates"),
        (CertificateList, "lookup", "find"),
        (Certificate, "sans", "subject_alt_names"),
        (Certificate, "fingerprint_sha256", "fingerprint"),
        (Validity, "asdict", "to_native"),
        (Name, "CN", 'get("CN")'),
        (OCSPResponse, "produced_at", "basic.produced_at"),
        (OCSPResponse, "certificates", "basic.certificates"),
        (ContentInfo, "encap_content_info", "signed_data.encap_content_info"),
        (Certificate, "bit_size", "public_key.size"),
        (Certificate, "basicConstraints", "get(BasicConstraints)"),
        (Certificate, "common_name", 'subject.get("CN")'),
        (Name, "commonName", 'get("CN")'),
        (Name, "oneline", "display"),
        (Certificate, "signature", "signature_value"),
        (Certificate, "valid_to", "not_after"),
        (Certificate, "key_size", "public_key.size"),
        (Certificate, "to_pem", "derlib.pem.encode"),
        (Certificate, "prettyPrint", "derlib.pretty"),
        (Certificate, "aki", "authority_key_identifier"),
        (Certificate, "ocsp", "ocsp_urls"),
        (TBSCertificate, "public_key", "subject_public_key_info"),
        (SubjectPublicKeyInfo, "modulus", "subject_public_key.modulus"),
        (CertificateList, "is_revoked", "find"),
        (CertificateList, "is_delta", "get_extension(id_ce_delta_crl_indicator)"),
        (CertificateList, "crl_number_value", "number"),
        (CertificateList, "delta_crl_indicator_value", "get(id_ce_delta_crl_indicator)"),
        (OCSPResponse, "this_update", "responses[0].this_update"),
        (OCSPResponse, "serial_number", "responses[0].serial_number"),
        (OCSPResponse, "tbs_response_data", "basic.tbs_response_data"),
        (OCSPRequest, "issuer_key_hash", "requests[0].req_cert.issuer_key_hash"),
        (SignedData, "signed_attrs", "signer_infos[0].signed_attrs"),
        (ContentInfo, "signers", "signed_data.signer_infos"),
        (CertificationRequest, "requested_extensions", "extensions"),
        (PFX, "private_key", "bags"),
        (Extension, "oid", "extn_id"),
    ],
)
def test_a_name_of_another_library_suggests_the_name_here(cls: type, name: str, here: str) -> None:
    assert no_attribute(cls, name) == f"{cls.__name__!r} object has no attribute {name!r}; did you mean {here!r}?"


def test_the_name_of_another_value_is_not_suggested() -> None:
    # A serial number alone does not identify a certificate, and a time is always true.
    assert no_attribute(Certificate, "issuer_serial").endswith("serial_number) identifies a certificate")
    assert no_attribute(Certificate, "expired").endswith(": compare not_after with the current time")


# The value is what a suggestion leads to.
SUGGESTED = {
    "server.pem": (Certificate, ("signature", "key_size", "valid_to", "ocsp", "san", "common_name", "sha256")),
    "revoke.pem": (CertificateList, ("revoked", "last_update", "crl_number_value", "delta_crl_indicator", "sha1")),
    "status.der": (OCSPResponse, ("serial_number", "this_update", "cert_status", "issuer_key_hash", "produced_at")),
    "status-request.der": (OCSPRequest, ("serial_number", "hash_algorithm", "issuer_name_hash")),
    "request.pem": (CertificationRequest, ("requested_extensions", "get_attribute_for_oid", "san", "key_size")),
    "report.p7m": (ContentInfo, ("signers", "certificates", "data")),
    "bundle.p12": (PFX, ("certs", "friendly_name")),
}


@needs_messages
@pytest.mark.parametrize("file", SUGGESTED)
def test_each_suggestion_for_a_real_value_works(file: str) -> None:
    cls, names = SUGGESTED[file]
    data = (Path(__file__).parents[2] / "docs" / "examples" / file).read_bytes()
    value = cls.decode(derlib.pem.decode(data)[-1] if derlib.pem.is_pem(data) else data)
    for name in names:
        with pytest.raises(AttributeError) as caught:
            getattr(value, name)
        found = re.search(r"did you mean '(.*)'\?$", str(caught.value))
        assert found, name
        eval(f"value.{found[1]}", {"value": value, **vars(extensions), **vars(crl)})


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (lambda: CRLReason("keyCompromise"), ValueError, "did you mean CRLReason['key_compromise']?"),
        (lambda: Colour("blue"), ValueError, "'blue' is not a valid Colour; it has dark_red, green"),
        (lambda: GeneralName(dns_name="a")["dNSName"], TypeError, "did you mean '.dns_name'?"),  # type: ignore[index]
        (lambda: x509.OCSPResponse, AttributeError, "did you mean 'derlib.schemas.ocsp.OCSPResponse'?"),
        (lambda: x509.TBSCertificat, AttributeError, "did you mean 'TBSCertificate'?"),
        (lambda: Deviation.ALL, AttributeError, "; ~Deviation(0) is all of them"),
        (lambda: Deviation.setOfOrder, AttributeError, "; did you mean 'SET_OF_ORDER'?"),
        (lambda: Extension.of("2.5.29.20", 5), TypeError, "the value comes first: Extension.of(value, extn_id)"),  # type: ignore[arg-type]
    ],
)
def test_other_mistakes_have_a_suggestion(action: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        action()
    assert message in str(caught.value)


@needs_messages
@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("verify_directly_issued_by", "derlib does not verify signatures"),
        ("getComponentByName", "its fields are attributes"),
    ],
)
def test_a_method_that_does_not_exist_here_says_what_to_do(name: str, remark: str) -> None:
    assert remark in no_attribute(Certificate, name)
