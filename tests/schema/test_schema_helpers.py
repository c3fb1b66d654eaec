"""The helpers of the schemas for building values: names, extensions, key identifiers, algorithms, times.

Also the search for a serial number in a CRL.
"""

from datetime import datetime, timedelta, timezone

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed448, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import derlib
from derlib import NULL, BitString, ConstraintError, ObjectIdentifier
from derlib.schemas import algorithms
from derlib.schemas import x509 as schemas_x509
from derlib.schemas.crl import CertificateList, CRLReason, FreshestCRL, id_ce_crl_number
from derlib.schemas.x509 import (
    BasicConstraints,
    CRLDistributionPoints,
    Extension,
    Extensions,
    KeyUsage,
    Name,
    SubjectPublicKeyInfo,
    Time,
    id_ce_subject_key_identifier,
)

UTC = timezone.utc


@pytest.mark.parametrize(
    "number",
    [7, 11, 127, 128, -1, 2**64, 10**5000],
    ids=["unused", "of X.509", "octet", "two octets", "negative", "of 65 bits", "huge"],
)
def test_a_reason_that_rfc_5280_does_not_list_reads_as_its_number(number):
    # X.509 (2019) 9.5.3.1: CRLReason is extensible. RFC 5280 5.3.1 does not use 7.
    extensions = Extensions([Extension.of(CRLReason(number))])
    decoded = Extensions.decode(extensions.encode())
    reason = decoded.get(CRLReason)
    # The annotation of `get`, so that type checkers accept what is allowed.
    assert type(reason) is CRLReason
    assert reason == number
    assert reason.value == number
    assert reason.name == f"unknown ({number})" if number.bit_length() <= 256 else len(reason.name) < 80
    assert CRLReason.key_compromise != reason not in list(CRLReason)
    assert decoded.get("2.5.29.21") == number
    assert decoded[0].extn_value == number
    native = decoded.to_native()
    assert native[0]["extn_value"] == number
    assert type(native[0]["extn_value"]) is int
    assert Extensions.from_native(native) == Extensions.from_json(decoded.to_json()) == decoded
    assert Extension.of(reason).encode() == extensions[0].encode()
    assert derlib.encode(number, CRLReason) == derlib.encode(reason, CRLReason)
    assert len(repr(decoded)) < 500
    assert derlib.decode(CRLReason, derlib.encode(number, CRLReason)) == number


def test_reasons_that_are_listed_are_members():
    for reason in CRLReason:
        assert Extensions([Extension.of(reason)]).get(CRLReason) is reason
    assert [reason.value for reason in CRLReason] == [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]


@pytest.mark.parametrize(
    ("attribute_type", "dotted"),
    [
        ("CN", "2.5.4.3"),
        ("DC", "0.9.2342.19200300.100.1.25"),
        ("UID", "0.9.2342.19200300.100.1.1"),
        ("commonName", "2.5.4.3"),
        ("id-at-commonName", "2.5.4.3"),
        ("serialNumber", "2.5.4.5"),
        ("emailAddress", "1.2.840.113549.1.9.1"),
        ("organizationIdentifier", "2.5.4.97"),
        ("jurisdictionCountryName", "1.3.6.1.4.1.311.60.2.1.3"),
        ("2.5.4.42", "2.5.4.42"),
        (ObjectIdentifier("2.5.4.42"), "2.5.4.42"),
    ],
)
def test_a_name_knows_the_attribute_type(attribute_type, dotted):
    [[attribute]] = Name.of({attribute_type: "de"}).rdn_sequence
    assert (attribute.type.dotted, attribute.value) == (dotted, "de")


def test_cryptography_reads_a_name_as_it_was_built():
    name = Name.of([("C", "GB"), ("O", "Société"), ("OU", "one"), ("OU", "two"), ("CN", "a, b")])
    assert str(name) == "CN=a\\, b,OU=two,OU=one,O=Société,C=GB"
    builder = x509.CertificateSigningRequestBuilder().subject_name(x509.Name.from_rfc4514_string(str(name)))
    theirs = builder.sign(ec.generate_private_key(ec.SECP256R1()), SHA256()).subject
    assert [attribute.value for attribute in theirs] == ["GB", "Société", "one", "two", "a, b"]
    # cryptography encodes every string except the country as a UTF8String.
    texts = [{"UTF8String": attribute.value} for attribute in list(theirs)[1:]]
    assert Name.of([("C", "GB"), *zip(("O", "OU", "OU", "CN"), texts, strict=True)]).encode() == theirs.public_bytes()


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        # A type with a short name, and a value that is not a character string.
        ("0603550403 020101", "CN=#020101"),
        ("0603550403 3000", "CN=#3000"),
        # Times that datetime cannot represent: in an attribute of a time type, and of another type.
        ("06082b06010505070901 180f30303030303130313030303030305a",
         "1.3.6.1.5.5.7.9.1=#180f30303030303130313030303030305a"),
        ("0603550403 180f30303030303130313030303030305a", "CN=#180f30303030303130313030303030305a"),
        ("0603550462 0c0141", "2.5.4.98=#0c0141"),
        # A length with redundant bytes, which is tolerated here.
        ("0603550462 0c81026869", "2.5.4.98=#0c81026869"),
    ],
)
def test_a_value_without_a_string_form_is_written_as_its_octets(attribute, text):
    # RFC 4514 2.4
    octets = bytes.fromhex(attribute)
    der = bytes([0x30, len(octets) + 4, 0x31, len(octets) + 2, 0x30, len(octets)]) + octets
    assert str(Name.decode(der, tolerate=derlib.Deviation.LENGTH_FORM)) == text


@pytest.mark.parametrize("unknown", ["", "XX", "id-at-", "2.5.4.", "common name", "c" * 5000])
def test_an_unknown_attribute_type_is_a_value_error(unknown):
    with pytest.raises(ValueError, match="no attribute type") as caught:
        Name.of({unknown: "x"})
    assert len(str(caught.value)) < 200


def test_a_name_of_a_wrong_value_says_where():
    with pytest.raises(ConstraintError) as caught:
        Name.of({"O": "x", "C": "Germany"})
    assert caught.value.path == ("rdn_sequence", 1, 0, "value")


def test_the_empty_name_is_a_name():
    assert Name.of({}).encode() == bytes.fromhex("3000")


@pytest.mark.parametrize(
    ("value", "dotted"),
    [
        (BasicConstraints(), "2.5.29.19"),
        (KeyUsage.crl_sign | KeyUsage.key_cert_sign, "2.5.29.15"),
        (CRLReason.superseded, "2.5.29.21"),
        (CRLDistributionPoints([{}]), "2.5.29.31"),
        (FreshestCRL([{}]), "2.5.29.46"),
    ],
)
def test_an_extension_finds_its_identifier_by_the_type_of_its_value(value, dotted):
    extension = Extension.of(value)
    assert (extension.extn_id.dotted, extension.critical, extension.extn_value) == (dotted, False, value)
    assert Extensions([extension]).get(type(value)) == value


@pytest.mark.parametrize("value", [b"1234", 7, "text", NULL, datetime(2026, 1, 1, tzinfo=UTC), object()])
def test_an_extension_needs_an_identifier_if_its_type_does_not_determine_it(value):
    with pytest.raises(TypeError, match="pass its identifier as extn_id"):
        Extension.of(value)


def test_an_extension_with_an_identifier_accepts_plain_values():
    assert Extension.of(7, extn_id=id_ce_crl_number, critical=True).encode().hex() == "300d0603551d140101ff0403020107"
    with pytest.raises(ConstraintError, match=r"^value: expected .*, got int") as caught:
        Extension.of(7, extn_id=id_ce_subject_key_identifier)
    assert caught.value.path == ("value",)
    with pytest.raises(ConstraintError, match=r"^critical: expected bool"):
        Extension.of(BasicConstraints(), critical=5)
    unknown = Extension.of(b"opaque", extn_id=ObjectIdentifier("2.999.7"))
    assert unknown.extn_value == b"opaque"


@pytest.mark.parametrize(
    "key",
    [
        rsa.generate_private_key(public_exponent=65537, key_size=1024),
        ec.generate_private_key(ec.SECP521R1()),
        ed448.Ed448PrivateKey.generate(),
    ],
    ids=lambda key: type(key).__name__,
)
def test_the_key_identifier_is_the_one_of_cryptography(key):
    public = key.public_key()
    info = SubjectPublicKeyInfo.decode(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    assert info.key_identifier == x509.SubjectKeyIdentifier.from_public_key(public).digest


@pytest.mark.parametrize("name", algorithms._SIGNATURES)
def test_signature_algorithms_have_the_name_and_the_parameters_of_their_standard(name):
    identifier = getattr(schemas_x509, name)
    assert identifier is getattr(algorithms, name)
    assert name in schemas_x509.__all__
    spelled = identifier.algorithm.name.removeprefix("id-").replace("-", "").lower()
    if spelled == "rsassapss":
        # test_sign.py compares the parameters with those of cryptography.
        spelled += identifier.hash_name
    else:
        assert identifier.parameters is (NULL if "rsa" in name else None)
    assert name.removeprefix("sa_").replace("_", "") == spelled


def encoded(value):
    return derlib.encode(value, Time)


@pytest.mark.parametrize(
    ("value", "contents"),
    [
        (datetime(2049, 12, 31, 23, 59, 59, tzinfo=UTC), b"\x17\x0d491231235959Z"),
        (datetime(2050, 1, 1, tzinfo=UTC), b"\x18\x0f20500101000000Z"),
        (datetime(1950, 1, 1, tzinfo=UTC), b"\x17\x0d500101000000Z"),
        (datetime(1949, 12, 31, 23, 59, 59, tzinfo=UTC), b"\x18\x0f19491231235959Z"),
        # The year counts in UTC.
        (datetime(2050, 1, 1, tzinfo=timezone(timedelta(hours=1))), b"\x17\x0d491231230000Z"),
        ({"GeneralizedTime": datetime(2026, 1, 1, 0, 0, 0, 500_000, tzinfo=UTC)}, b"\x18\x1120260101000000.5Z"),
        ("00000101000000Z", b"\x18\x0f00000101000000Z"),
    ],
)
def test_a_time_is_a_utc_time_through_2049(value, contents):
    # RFC 5280 4.1.2.5
    assert encoded(value) == contents


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC), "whole seconds"),
        (datetime(2026, 1, 1), "tzinfo"),
        (datetime(2060, 1, 1), "tzinfo"),
    ],
)
def test_a_time_with_a_fraction_or_without_a_zone_is_rejected_rather_than_written_as_generalized_time(value, reason):
    with pytest.raises(ConstraintError, match=reason):
        encoded(value)


def crl_of(serials):
    """Return a CRL that revokes these, the first on the first day of 2026 and so on."""
    algorithm = algorithms.sa_ecdsa_with_sha256
    entries = [
        {"user_certificate": serial, "revocation_date": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=index)}
        for index, serial in enumerate(serials)
    ]
    return CertificateList(
        tbs_cert_list={
            "signature": algorithm,
            "issuer": Name.of({"CN": "ca"}),
            "this_update": datetime(2026, 1, 1, tzinfo=UTC),
            "revoked_certificates": entries or None,
        },
        signature_algorithm=algorithm,
        signature_value=BitString(b"signature"),
    )


@pytest.mark.parametrize(
    ("serials", "wanted", "days"),
    [
        ([], 5, []),
        ([4, 6], 5, []),
        ([4, 5, 6], 5, [2]),
        # An indirect CRL can contain certificates of several issuers, so a number can occur more than once.
        ([5, 4, 5, -5, 5], 5, [1, 3, 5]),
        ([5, 4, 5, -5, 5], -5, [4]),
        (range(1000), 2**64, []),
        (range(1000), 19, [20]),
    ],
)
def test_find_all_of_a_crl_returns_every_entry_with_a_serial_number(serials, wanted, days):
    crl = crl_of(serials)
    found = crl.find_all(wanted)
    assert [(entry.user_certificate, entry.revocation_date.day) for entry in found] == [(wanted, day) for day in days]
    assert crl.find(wanted) == (found[0] if found else None)
