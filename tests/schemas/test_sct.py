"""Lists of signed certificate timestamps: valid ones, and each way in which a list is invalid (RFC 6962 3.2, 3.3)."""

from datetime import datetime, timedelta, timezone

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis.strategies import binary

import derlib
from derlib.schemas.sct import (
    OpaqueTimestamp,
    SignedCertificateTimestamp,
    id_sct_list,
    parse_sct_list,
    read_sct_list,
)
from derlib.schemas.x509 import Certificate, Extension, Extensions

LOG = bytes(range(32))
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def vector(octets):
    return len(octets).to_bytes(2, "big") + octets


def sct(*, version=0, log_id=LOG, milliseconds=1, extensions=b"", algorithms=b"\x04\x03", signature=b"sign", more=b""):
    promise = bytes([version]) + log_id + milliseconds.to_bytes(8, "big") + vector(extensions)
    return promise + algorithms + vector(signature) + more


def listed(*scts):
    return vector(b"".join(map(vector, scts)))


def test_every_field_of_a_timestamp_is_read():
    octets = sct(milliseconds=1_700_000_000_123, extensions=b"more", algorithms=b"\x05\x01", signature=b"\xff" * 300)
    assert parse_sct_list(listed(octets)) == (
        SignedCertificateTimestamp(
            version=0,
            log_id=LOG,
            timestamp=datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=timezone.utc),
            extensions=b"more",
            hash_algorithm=5,
            signature_algorithm=1,
            signature=b"\xff" * 300,
        ),
    )


def test_the_timestamps_of_a_list_keep_their_order():
    octets = listed(*[sct(milliseconds=number, signature=b"s" * number) for number in (3, 0, 2)])
    assert [(one.timestamp - EPOCH, one.signature) for one in parse_sct_list(octets)] == [
        (timedelta(milliseconds=3), b"sss"),
        (timedelta(0), b""),
        (timedelta(milliseconds=2), b"ss"),
    ]


def test_the_largest_list_is_read():
    # The two length bytes allow 65,535 bytes for the list, of which this one uses all.
    octets = listed(sct(signature=b"s" * (65_535 - 2 - len(sct(signature=b"")))))
    assert len(octets) == 2 + 65_535
    [one] = parse_sct_list(octets)
    assert len(one.signature) == 65_486


def test_the_last_millisecond_that_a_datetime_holds_is_read():
    last = datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=timezone.utc)
    milliseconds = (last - EPOCH) // timedelta(milliseconds=1)
    assert parse_sct_list(listed(sct(milliseconds=milliseconds)))[0].timestamp == last
    for beyond in (milliseconds + 1, 2**64 - 1):
        with pytest.raises(derlib.ASN1Error) as caught:
            parse_sct_list(listed(sct(milliseconds=beyond)))
        assert str(caught.value) == "SCT list: timestamp is after the year 9999 (RFC 6962 3.2)"


@pytest.mark.parametrize(
    ("octets", "message"),
    [
        (b"", "sct_list needs 2 bytes at offset 0, and 0 are left (RFC 6962 3.3)"),
        (b"\x00", "sct_list needs 2 bytes at offset 0, and 1 is left (RFC 6962 3.3)"),
        (b"\x00\x00", "sct_list is empty at offset 2 (RFC 6962 3.3)"),
        (b"\x00\x01", "sct_list needs 1 byte at offset 2, and 0 are left (RFC 6962 3.3)"),
        (b"\xff\xff" + bytes(65_534), "sct_list needs 65535 bytes at offset 2, and 65534 are left (RFC 6962 3.3)"),
        (listed(sct()) + b"\x00", "1 byte follows sct_list at offset 55 (RFC 6962 3.3)"),
        (listed(sct()) + b"more", "4 bytes follow sct_list at offset 55 (RFC 6962 3.3)"),
        (vector(b"\x00"), "SerializedSCT needs 2 bytes at offset 2, and 1 is left (RFC 6962 3.3)"),
        (vector(b"\x00\x02\x00"), "SerializedSCT needs 2 bytes at offset 4, and 1 is left (RFC 6962 3.3)"),
        (listed(b""), "SerializedSCT is empty at offset 4 (RFC 6962 3.3)"),
        (listed(sct(), b""), "SerializedSCT is empty at offset 57 (RFC 6962 3.3)"),
        (listed(sct(version=1)), "sct_version 1 is not v1, which is 0 (RFC 6962 3.2)"),
        (listed(b"\xff"), "sct_version 255 is not v1, which is 0 (RFC 6962 3.2)"),
        (listed(b"\x00"), "id needs 32 bytes at offset 5, and 0 are left (RFC 6962 3.2)"),
        (listed(sct()[:32]), "id needs 32 bytes at offset 5, and 31 are left (RFC 6962 3.2)"),
        (listed(sct()[:40]), "timestamp needs 8 bytes at offset 37, and 7 are left (RFC 6962 3.2)"),
        (listed(sct()[:42]), "extensions needs 2 bytes at offset 45, and 1 is left (RFC 6962 3.2)"),
        (listed(sct(extensions=b"ab")[:44]), "extensions needs 2 bytes at offset 47, and 1 is left (RFC 6962 3.2)"),
        (listed(sct()[:43]), "hash algorithm needs 1 byte at offset 47, and 0 are left (RFC 6962 3.2)"),
        (listed(sct()[:44]), "signature algorithm needs 1 byte at offset 48, and 0 are left (RFC 6962 3.2)"),
        (listed(sct()[:46]), "signature needs 2 bytes at offset 49, and 1 is left (RFC 6962 3.2)"),
        (listed(sct()[:50]), "signature needs 4 bytes at offset 51, and 3 are left (RFC 6962 3.2)"),
        (listed(sct(more=b"\x00")), "1 byte follows SerializedSCT at offset 55 (RFC 6962 3.2)"),
        (listed(sct(), sct(more=b"abc")), "3 bytes follow SerializedSCT at offset 108 (RFC 6962 3.2)"),
    ],
)
def test_the_error_for_an_invalid_list_has_the_reason_and_the_offset(octets, message):
    with pytest.raises(derlib.ASN1Error) as caught:
        parse_sct_list(octets)
    assert str(caught.value) == f"SCT list: {message}"


@pytest.mark.parametrize("read", [read_sct_list, parse_sct_list])
@pytest.mark.parametrize("data", ["0004", None, 5, [0, 4]])
def test_objects_that_are_not_bytes_are_a_type_error_and_not_an_opaque_timestamp(read, data):
    with pytest.raises(TypeError, match=f"^data: expected bytes, got {type(data).__name__}$"):
        read(data)


def test_a_truncated_list_is_invalid():
    octets = listed(sct(extensions=b"extensions"), sct())
    for length in range(len(octets)):
        with pytest.raises(derlib.ASN1Error, match=r"^SCT list: .* \(RFC 6962 3\.[23]\)$"):
            parse_sct_list(octets[:length])


def test_the_extensions_of_a_certificate_give_its_timestamps():
    octets = listed(sct(), sct())
    extensions = Extensions([Extension.of(octets, extn_id=id_sct_list)])
    assert extensions.signed_certificate_timestamps == parse_sct_list(octets)
    assert Extensions([Extension.of(b"other", extn_id="2.999.7")]).signed_certificate_timestamps == ()


OPAQUE = [
    ("a later version", sct(version=1), "sct_version 1 is not v1"),
    ("an unknown version alone", b"\xff", "sct_version 255 is not v1"),
    ("cut", sct()[:30], "id needs 32 bytes"),
    ("trailing byte", sct(more=b"\x00"), "1 byte follows SerializedSCT"),
    ("after the year 9999", sct(milliseconds=2**64 - 1), "timestamp is after the year 9999"),
]


@pytest.mark.parametrize(("octets", "reason"), [row[1:] for row in OPAQUE], ids=[row[0] for row in OPAQUE])
def test_an_invalid_timestamp_stays_opaque_and_the_others_are_read(octets, reason):
    # RFC 6962 3.3: an element is opaque, so that a reader can skip unknown versions.
    data = listed(sct(milliseconds=1), octets, sct(milliseconds=2))
    extensions = Extensions.decode(Extensions([Extension.of(data, extn_id=id_sct_list)]).encode())
    first, opaque, last = extensions.signed_certificate_timestamps
    assert [first, last] == [*parse_sct_list(listed(sct(milliseconds=1))), *parse_sct_list(listed(sct(milliseconds=2)))]
    assert type(opaque) is OpaqueTimestamp
    assert opaque.octets == octets
    assert reason in opaque.reason
    with pytest.raises(derlib.ASN1Error, match=reason):
        parse_sct_list(data)


GOOD = listed(sct(), sct(extensions=b"extensions"))


@pytest.mark.parametrize(
    "octets",
    [b"", b"\x00", b"\x00\x00", GOOD + b"\x00", listed(b""), listed(sct(), b""), b"\xff" * 100]
    + [GOOD[:length] for length in range(len(GOOD))],
)
def test_an_invalid_list_is_one_opaque_element(octets):
    # A decoded value never raises an error later because of its contents.
    extensions = Extensions.decode(Extensions([Extension.of(octets, extn_id=id_sct_list)]).encode())
    [opaque] = extensions.signed_certificate_timestamps
    assert type(opaque) is OpaqueTimestamp
    assert opaque.octets == octets
    with pytest.raises(derlib.ASN1Error) as caught:
        parse_sct_list(octets)
    assert opaque.reason == str(caught.value)


@given(binary(max_size=200))
def test_any_bytes_read_as_timestamps_or_opaque_elements(octets):
    for data in (octets, listed(octets), listed(sct(), octets), listed(sct()[: len(octets)] + octets)):
        for one in read_sct_list(data):
            assert type(one) in (SignedCertificateTimestamp, OpaqueTimestamp)


def test_cryptography_reads_the_same_timestamps():
    key = ec.generate_private_key(ec.SECP256R1())
    scts = [sct(log_id=bytes([n]) * 32, milliseconds=1_700_000_000_000 + n, signature=b"s" * n) for n in range(5)]
    octets = derlib.encode(listed(*scts), derlib.OctetString)
    name = x509.Name.from_rfc4514_string("CN=timestamps")
    value = x509.UnrecognizedExtension(x509.ObjectIdentifier(id_sct_list.dotted), octets)
    start = datetime(2026, 1, 1, tzinfo=timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, start + timedelta(days=1))
    der = builder.add_extension(value, critical=False).sign(key, SHA256()).public_bytes(Encoding.DER)

    ours = Certificate.decode(der).signed_certificate_timestamps
    loaded = x509.load_der_x509_certificate(der).extensions
    theirs = list(loaded.get_extension_for_class(x509.PrecertificateSignedCertificateTimestamps).value)
    assert len(ours) == len(theirs) == 5
    for one, other in zip(ours, theirs, strict=True):
        assert (one.version, one.log_id, one.extensions) == (other.version.value, other.log_id, other.extension_bytes)
        assert one.timestamp == other.timestamp.replace(tzinfo=timezone.utc)
        assert one.signature == other.signature
        assert (one.hash_algorithm, one.signature_algorithm) == (4, 3)
        assert (other.signature_hash_algorithm.name, other.signature_algorithm.name) == ("sha256", "ECDSA")
