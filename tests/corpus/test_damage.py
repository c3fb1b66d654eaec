"""Damaged certificates and CRLs raise an `ASN1Error`, or decode to a value with exactly these bytes; none hangs.

Every field of an accepted value must be readable (`touch`): after decode, no contents cause an error.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import derlib
from derlib import ASN1Error, DecodeError, LimitError, TrailingDataError, TruncatedError
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

from .files import Item, corpus, schema_of
from .octets import place, plain_walk, touch

# Structures that together contain most types of the schemas. The first of each kind is damaged at every bit.
CERTIFICATES = (
    "vectors/x509/cryptography-scts.pem",
    "vectors/x509/custom/ec_no_named_curve.pem",
    "vectors/x509/custom/rsa_pss_cert.pem",
    "vectors/x509/custom/all_supported_names.pem",
    "vectors/x509/custom/cp_user_notice_with_notice_reference.pem",
    "vectors/x509/custom/nc_permitted_excluded.pem",
    "vectors/x509/custom/san_email_dns_ip_dirname_uri.pem",
    "vectors/x509/custom/san_other_name.pem",
    "vectors/x509/custom/cdp_all_reasons.pem",
    "vectors/x509/custom/authority_key_identifier_no_keyid.pem",
    "vectors/x509/custom/private_key_usage_period_both_dates.pem",
    "vectors/x509/custom/ms-certificate-template.pem",
    "vectors/x509/tls-feature-ocsp-staple.pem",
    "vectors/x509/scottishpower-bitstring-dn.pem",
    "vectors/x509/PKITS_data/certs/ValidDSAParameterInheritanceTest5EE.crt",
)
CRLS = (
    "vectors/x509/custom/crl_all_reasons.pem",
    "vectors/x509/custom/crl_idp_relative_user_all_reasons.pem",
    "vectors/x509/custom/crl_idp_fullname_indirect_crl.pem",
    "vectors/x509/custom/crl_delta_crl_indicator.pem",
    "vectors/x509/custom/crl_ian_aia_aki.pem",
    "vectors/x509/custom/crl_empty.pem",
)
NAMES = CERTIFICATES + CRLS


def item_named(name: str) -> Item:
    pytest.importorskip("cryptography_vectors", reason="cryptography_vectors, a test dependency, is not installed")
    return next(item for item in corpus() if item.name == name)


def survives(schema: Any, data: bytes, read_all: bool = True) -> bool:
    """Decode damaged input: False for an `ASN1Error`, True for a valid value; anything else fails the test."""
    value = refusal = None
    try:
        value = schema.decode(data)
    except (DecodeError, LimitError) as error:
        refusal = error
    if refusal is not None:
        assert len(str(refusal)) < 2000
        assert 0 <= refusal.offset <= len(data)
        return False
    assert value.encode() == data
    if read_all:
        touch(value)
        assert len(repr(value)) < 100_000
        elements = [place(element.span) for element in derlib.parse(data).walk()]
        assert elements == list(plain_walk(data, 0, len(data)))
    return True


def flipped(data: bytes, bit: int) -> bytes:
    damaged = bytearray(data)
    damaged[bit >> 3] ^= 1 << (bit & 7)
    return bytes(damaged)


@pytest.mark.parametrize("name", NAMES)
def test_no_prefix_is_accepted(name):
    item = item_named(name)
    for length in range(len(item.der)):
        prefix = item.der[:length]
        with pytest.raises(TruncatedError) as caught:
            schema_of(item).decode(prefix)
        assert caught.value.offset <= length
        with pytest.raises(TruncatedError):
            derlib.parse(prefix)
        with pytest.raises(TruncatedError):
            schema_of(item).decode_prefix(prefix)


@pytest.mark.parametrize("name", [CERTIFICATES[0], CRLS[0]])
def test_each_flipped_bit_is_rejected_or_encodes_to_the_same_bytes(name):
    item = item_named(name)
    verdicts = [survives(schema_of(item), flipped(item.der, bit)) for bit in range(8 * len(item.der))]
    assert 0 < sum(verdicts) < len(verdicts)


@pytest.mark.parametrize("name", sorted({*NAMES} - {CERTIFICATES[0], CRLS[0]}))
def test_flipped_bits_are_rejected_or_encode_to_the_same_bytes(name):
    item = item_named(name)
    for bit in range(8 * len(item.der)):
        # 13 is coprime to 8, so every bit position occurs.
        survives(schema_of(item), flipped(item.der, bit), read_all=bit % 13 == 0)


@pytest.mark.parametrize("name", NAMES)
def test_replaced_removed_and_doubled_bytes_are_rejected_or_encode_to_the_same_bytes(name):
    item = item_named(name)
    data, schema = item.der, schema_of(item)
    for place_, octet in enumerate(data):
        before, after = data[:place_], data[place_ + 1 :]
        for number, new in enumerate({0x00, 0x01, 0x30, 0x7F, 0x80, 0x84, 0xFF} - {octet}):
            survives(schema, before + bytes((new,)) + after, read_all=(place_ + number) % 31 == 0)
        assert not survives(schema, before + after)
        assert not survives(schema, before + bytes((octet, octet)) + after)


@pytest.mark.parametrize("name", NAMES)
def test_trailing_bytes_are_rejected(name):
    item = item_named(name)
    for trailing in (b"\x00", b"\x00\x00", b"\x05\x00", b"\n", b"\x80", b"\xff" * 100, item.der):
        for decode in (schema_of(item).decode, derlib.parse):
            with pytest.raises(TrailingDataError) as caught:
                decode(item.der + trailing)
            assert caught.value.offset == len(item.der)
        value, rest = schema_of(item).decode_prefix(item.der + trailing)
        assert value.encode() == item.der
        assert rest == trailing


def small_items() -> list[Item]:
    return [item for item in corpus() if len(item.der) < 3000]


QUICK = settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))


def decode_anything(data: bytes) -> None:
    """Every decoder raises an `ASN1Error`, or returns a value with these bytes."""
    survives(Certificate, data)
    survives(CertificateList, data)
    try:
        root = derlib.parse(data)
    except ASN1Error:
        return
    assert root.encode() == data
    touch(root)


@QUICK
@given(st.binary(max_size=300))
def test_arbitrary_bytes_raise_only_asn1_errors(data):
    decode_anything(data)


@QUICK
@given(st.recursive(st.binary(max_size=20), lambda inner: st.lists(inner, max_size=5).map(b"".join), max_leaves=20))
def test_elements_of_arbitrary_bytes_raise_only_asn1_errors(contents):
    for tag in (0x30, 0x31, 0xA0, 0x24, 0x06, 0x17):
        length = bytes((len(contents),)) if len(contents) < 128 else b"\x82" + len(contents).to_bytes(2, "big")
        decode_anything(bytes((tag,)) + length + contents)


@QUICK
@given(st.data())
def test_spliced_structures_raise_only_asn1_errors(data):
    items = small_items()
    if not items:
        pytest.skip("neither certifi nor cryptography_vectors nor ../shared/data is here")
    item = data.draw(st.sampled_from(items))
    other = data.draw(st.sampled_from(items))
    damaged = bytearray(item.der)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged)))
        stop = data.draw(st.integers(at, min(len(damaged), at + 40)))
        source = data.draw(st.integers(0, len(other.der)))
        piece = data.draw(st.binary(max_size=8) | st.just(other.der[source : source + 30]))
        damaged[at:stop] = piece
    decode_anything(bytes(damaged))


@QUICK
@given(st.data())
def test_elements_swapped_between_structures_raise_only_asn1_errors(data):
    """Replace whole elements by others with the same length octets, a damage that keeps headers valid."""
    items = small_items()
    if not items:
        pytest.skip("neither certifi nor cryptography_vectors nor ../shared/data is here")
    item = data.draw(st.sampled_from(items))
    other = data.draw(st.sampled_from(items)).der
    places = list(plain_walk(item.der, 0, len(item.der))) if survives(schema_of(item), item.der, False) else []
    if not places:
        return
    offset, header, content = data.draw(st.sampled_from(places))
    source = data.draw(st.integers(0, max(0, len(other) - header - content)))
    piece = other[source : source + header + content]
    decode_anything(item.der[:offset] + piece + item.der[offset + header + content :])
