"""What X.509 defines beyond RFC 5280: the bytes are written from its ASN.1, element by element."""

from __future__ import annotations

from typing import Any

import pytest
from support.commands import CERTIFICATE, make_certificate, rebuilt
from support.der import der

import derlib
from derlib.schemas import x509_2016
from derlib.schemas.crl_extensions import CRLReason
from derlib.schemas.x509 import Certificate, Extension
from derlib.schemas.x509_2016 import CertificatePair, CertificationPath, OrderedListSyntax, PkiPath


def extension(number: int, value: bytes) -> bytes:
    return der(0x30, der(0x06, b"\x55\x1d" + bytes([number])), der(0x04, value))


TIME = der(0x18, b"20260101000000Z")
NAME = der(0x86, b"http://a")

EXTENSIONS: list[tuple[int, bytes, Any]] = [
    (39, der(0x30, der(0x30, der(0xA0, NAME), der(0xA1, NAME), der(0x82, b"\5"))),
     lambda v: v[0].role_cert_serial_number == 5),
    (40, der(0x02, b"\7"), lambda v: v == 7),
    (41, der(0x30, der(0x01, b"\xff"), der(0x02, b"\1")), lambda v: v.authority and v.path_len_constraint == 1),
    (44, der(0x30, der(0x30, der(0x82, b"\6\x40"), der(0xA5, der(0x80, b"\1"), der(0x02, b"\3")))),
     lambda v: v[0].only_contains.names == ("authority",) and v[0].serial_number_range.modulus == 3),
    (45, der(0x30, der(0xA0, der(0xA0, NAME), der(0x30, der(0x30)), der(0x83, b"20260101000000Z"))),
     lambda v: v[0].crl_referral.last_update.year == 2026),
    (47, der(0x0A, b"\1"), lambda v: v is OrderedListSyntax.asc_rev_date),
    (50, der(0x05), lambda v: v is derlib.NULL),
    (51, TIME, lambda v: v.year == 2026),
    (52, der(0x30, der(0x06, b"\x2a\3")), lambda v: v[0].dotted == "1.2.3"),
    (53, der(0x30, NAME, TIME), lambda v: v.delta_location.value == "http://a" and v.next_delta.year == 2026),
    (58, der(0x30, der(0x30, der(0xA1, der(0x0A, b"\1")), TIME, der(0xA1, der(0x80, b"\1"), der(0x81, b"\x09")))),
     lambda v: v[0].reason_info.reason_code is CRLReason.key_compromise
     and v[0].certificate_group.value.ending_number == 9),
    (59, der(0x30, der(0x30, der(0xA3, der(0x30, der(0x80, b"\1"))))),
     lambda v: v[0].revokedcertificate_group.value.starting_number == 1),
    (63, der(0x30, der(0x83, b"\0")), lambda v: not v.contains_user_attribute_certs and v.contains_aa_certs),
    (64, NAME, lambda v: v.value == "http://a"),
    (72, der(0x30, der(0x30, der(0x06, b"\x2a\3")), der(0x03, b"\0key")),
     lambda v: v.subject_alt_public_key.bytes == b"key"),
    (73, der(0x30, der(0x06, b"\x2a\3")), lambda v: v.algorithm.dotted == "1.2.3"),
    (74, der(0x03, b"\0signature"), lambda v: v.bytes == b"signature"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "value", "is_right"), EXTENSIONS, ids=[str(row[0]) for row in EXTENSIONS])
def test_extensions(number: int, value: bytes, is_right: Any) -> None:
    octets = extension(number, value)
    decoded = Extension.decode(octets)
    assert is_right(decoded.extn_value)
    assert Extension.from_native(decoded.to_native()).encode() == octets
    assert Extension.from_json(decoded.to_json()).encode() == octets
    with pytest.raises(derlib.DecodeError):
        Extension.decode(extension(number, der(0x31)))


def test_a_certificate_with_two_keys_and_signatures() -> None:
    tail = [Extension.decode(extension(number, value)) for number, value, _ in EXTENSIONS if number in (72, 73, 74)]
    before = Certificate.decode(CERTIFICATE).tbs_certificate.extensions
    certificate = Certificate.decode(rebuilt(extensions=[*before, *tail]))
    assert certificate.get(x509_2016.SubjectAltPublicKeyInfo).subject_alt_public_key.bytes == b"key"
    assert certificate.tbs_certificate.extensions[-1].extn_value.bytes == b"signature"


def test_paths() -> None:
    first, second = make_certificate("A"), make_certificate("B")
    path = PkiPath.decode(der(0x30, first, second))
    assert [one.subject.get("CN") for one in path] == ["A", "B"]
    pair = derlib.decode(CertificatePair, der(0x30, der(0xA1, first)))
    assert (pair.issued_to_this_ca, pair.issued_by_this_ca.subject.get("CN")) == (None, "A")
    with pytest.raises(derlib.ConstraintViolation):
        derlib.decode(CertificatePair, der(0x30))
    found = CertificationPath.decode(der(0x30, first, der(0x30, der(0x30, der(0xA0, second)))))
    assert found.the_ca_certificates[0].issued_to_this_ca.subject.get("CN") == "B"
    with pytest.raises(derlib.DecodeError, match="the_ca_certificates"):
        CertificationPath.decode(der(0x30, first, der(0x30, der(0x30))))


def test_searches() -> None:
    name = Certificate.decode(CERTIFICATE).subject.encode()
    found = x509_2016.CertificateAssertion.decode(
        der(
            0x30,
            der(0x80, b"\5"),
            der(0xA4, der(0x17, b"260101000000Z")),
            der(0xA8, der(0x0A, b"\2")),
            der(0xAB, name),
        )
    )
    assert (found.serial_number, found.certificate_valid.year) == (5, 2026)
    assert found.subject_alt_name.value is x509_2016.BuiltinNameForm.dns_name
    assert found.subject.display() == Certificate.decode(CERTIFICATE).subject.display()
    crl = x509_2016.CertificateListAssertion.decode(der(0x30, name, der(0x80, b"\1"), der(0x03, b"\1\2")))
    assert (crl.min_crl_number, int(crl.reason_flags)) == (1, 1 << 6)
