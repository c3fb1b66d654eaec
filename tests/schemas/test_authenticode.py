"""Signatures of programs by several tools: every part is typed, the hashes fit, and what derlib refuses."""

from __future__ import annotations

import base64
import hashlib
import uuid
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509 import load_der_x509_certificate
from support.damaged import survives_damage
from support.rebuilt import read

import derlib
from derlib import TLV, DecodeError, pem
from derlib.schemas import authenticode, cms, pkcs7, trust_list
from derlib.schemas.attribute_cert import AttCertVersion
from derlib.schemas.authenticode import (
    CertificateTrustList,
    ContentInfo,
    PageHash,
    SpcIndirectDataContent,
    SpcPeImageData,
    SpcSpOpusInfo,
    TrustedSubject,
)
from derlib.schemas.tsp import TSTInfo

LINES = (Path(__file__).parent / "authenticode_signatures.txt").read_text().splitlines()
SIGNATURES = {name: base64.b64decode(text) for name, text in (line.split() for line in LINES if line[0] != "#")}


def of_cryptography() -> bytes:
    """Return the signature in the vectors of cryptography."""
    vectors = pytest.importorskip("cryptography_vectors", reason="cryptography_vectors is not installed")
    return (Path(vectors.__file__).parent / "pkcs7" / "authenticode.der").read_bytes()


def signature(name: str) -> pkcs7.SignedData:
    """Return a decoded signature, after building it again in each way."""
    octets = of_cryptography() if name == "cryptography" else SIGNATURES[name]
    found: ContentInfo = read(ContentInfo, octets)
    return found.signed_data


def content_of(signed: pkcs7.SignedData) -> SpcIndirectDataContent:
    content = signed.content
    assert isinstance(content, SpcIndirectDataContent)
    return content


# The type of what is signed, its class, and the hash function.
EXPECTED = {
    "nested": ("SPC_PE_IMAGE_DATA_OBJID", SpcPeImageData, "sha256"),
    "stamped": ("SPC_PE_IMAGE_DATA_OBJID", SpcPeImageData, "sha1"),
    "cabinet": ("SPC_CAB_DATA_OBJID", authenticode.SpcLink, "sha256"),
    "script": ("SPC_SIPINFO_OBJID", authenticode.SpcSipInfo, "sha384"),
    "boot_loader": ("SPC_INDIVIDUAL_SP_KEY_PURPOSE_OBJID", SpcPeImageData, "sha256"),
    "cryptography": ("SPC_PE_IMAGE_DATA_OBJID", SpcPeImageData, "sha256"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_signature(name: str) -> None:
    signed = signature(name)
    content = content_of(signed)
    type_, schema, hash_name = EXPECTED[name]
    assert (content.data.type.name, type(content.data.value)) == (type_, schema)
    assert content.message_digest.digest_algorithm.hash_name == hash_name
    assert len(content.message_digest.digest) == hashlib.new(hash_name).digest_size
    [signer] = signed.signer_infos
    assert signer.content_type == signed.content_type == authenticode.spc_indirect_data_objid
    # The digest is of the contents octets of the content.
    assert signer.message_digest == hashlib.new(signer.digest_algorithm.hash_name or "", signed.digested_bytes).digest()


@pytest.mark.parametrize("name", ["nested", "cryptography", "boot_loader"])
def test_the_signature_is_of_the_signed_bytes(name: str) -> None:
    signed = signature(name)
    [signer] = signed.signer_infos
    certificate = signed.certificate_of(signer) or signed.x509_certificates[0]
    key: Any = load_der_x509_certificate(certificate.encode()).public_key()
    how = (ec.ECDSA(SHA256()),) if isinstance(key, ec.EllipticCurvePublicKey) else (padding.PKCS1v15(), SHA256())
    key.verify(signer.signature, signer.signed_bytes, *how)


def test_the_name_of_the_program() -> None:
    [signer] = signature("nested").signer_infos
    info = signer.signed_attrs.get(authenticode.spc_sp_opus_info_objid)
    assert isinstance(info, SpcSpOpusInfo)
    assert (info.program_name.ascii, info.more_info.url, info.publisher_info) == (
        "The program",
        "https://example.org/",
        None,
    )
    purposes = signer.signed_attrs.get(authenticode.spc_statement_type_objid)
    assert list(purposes) == [authenticode.spc_commercial_sp_key_purpose_objid]


@pytest.mark.parametrize(
    ("name", "version", "size"),
    [
        ("nested", authenticode.spc_pe_image_page_hashes_v2, 32),
        ("stamped", authenticode.spc_pe_image_page_hashes_v1, 20),
    ],
)
def test_page_hashes(name: str, version: derlib.ObjectIdentifier, size: int) -> None:
    data = content_of(signature(name)).data.value
    assert data.flags is authenticode.SpcPeImageFlags.include_resources
    [attribute] = data.file.moniker.attributes
    assert attribute.type == version
    pages = data.page_hashes
    offsets = [page.offset for page in pages]
    assert (offsets[:3], offsets == sorted(offsets), offsets[-1]) == ([0, 1024, 5120], True, 65536)
    assert {len(page.digest) for page in pages} == {size}
    assert pages[-1].digest == bytes(size)


def test_no_page_hashes() -> None:
    assert content_of(signature("boot_loader")).data.value.page_hashes == ()
    for file in (None, {"url": ""}, {"moniker": {"class_id": bytes(16), "serialized_data": b"\1"}}):
        assert SpcPeImageData(file=file).page_hashes == ()
    page_hashes = bytes.fromhex("a6b586d5b4a12466ae05a217da8e60d6")
    for value, expected in (
        (b"\1\2\0\0" + b"d" * 20 + b"\3\0\0\0" + b"e" * 20, (PageHash(513, b"d" * 20), PageHash(3, b"e" * 20))),
        (b"", ()),
    ):
        attributes = authenticode.SpcAttributes(
            [{"type": authenticode.spc_pe_image_page_hashes_v1, "value": [value]}, {"type": "2.999"}]
        )
        moniker = {"class_id": page_hashes, "serialized_data": attributes.encode()}
        assert SpcPeImageData(file={"moniker": moniker}).page_hashes == expected
    attributes = authenticode.SpcAttributes([{"type": authenticode.spc_pe_image_page_hashes_v2, "value": [bytes(35)]}])
    moniker = {"class_id": page_hashes, "serialized_data": attributes.encode()}
    with pytest.raises(derlib.ASN1Error, match="35 bytes, which is not a multiple of 36"):
        _ = SpcPeImageData(file={"moniker": moniker}).page_hashes
    with pytest.raises(DecodeError):
        _ = SpcPeImageData(file={"moniker": {"class_id": page_hashes, "serialized_data": b"\5\0"}}).page_hashes


def test_a_nested_signature() -> None:
    [signer] = signature("nested").signer_infos
    nested = signer.unsigned_attrs.get(authenticode.spc_nested_signature_objid)
    assert isinstance(nested, ContentInfo)
    inner = nested.signed_data
    [inner_signer] = inner.signer_infos
    assert content_of(inner).message_digest == content_of(signature("nested")).message_digest
    assert inner_signer.message_digest == hashlib.sha256(inner.digested_bytes).digest()


def test_a_countersignature_of_a_time_stamp_authority() -> None:
    [signer] = signature("stamped").signer_infos
    stamp = signer.unsigned_attrs.get(authenticode.spc_rfc3161_objid)
    assert isinstance(stamp, cms.ContentInfo)
    info = TSTInfo.decode(stamp.signed_data.content)
    assert (
        info.message_imprint.hashed_message
        == hashlib.new(info.message_imprint.hash_algorithm.hash_name, signer.signature).digest()
    )


def test_a_time_stamp_of_microsoft() -> None:
    """It has an attribute certificate of version 2 with the tag of version 1."""
    *_, text = (Path(__file__).parent / "authenticode_stamp.txt").read_text().splitlines()
    octets = base64.b64decode(text)
    with pytest.raises(DecodeError, match=r"v1_attr_cert\.ac_info"):
        cms.ContentInfo.decode(octets)
    stamp = read(authenticode.TimeStampToken, octets)
    signed = stamp.signed_data
    assert [each.alternative for each in signed.certificates] == ["certificate", "certificate", "v1_attr_cert"]
    attribute_certificate = signed.certificates[2].value
    assert attribute_certificate.acinfo.version is AttCertVersion.v2
    assert signed.certificate_of(signed.signer_infos[0]).subject["CN"] == "Microsoft Time-Stamp Service"
    assert TSTInfo.decode(signed.content).gen_time.year == 2026
    attribute = cms.Attribute(attr_type=authenticode.spc_rfc3161_objid, attr_values=[stamp])
    assert type(cms.Attribute.decode(attribute.encode()).attr_values[0]) is authenticode.TimeStampToken
    survives_damage(authenticode.TimeStampToken, octets, step=101)


@pytest.mark.parametrize("attribute", [authenticode.spc_nested_signature_objid, authenticode.spc_rfc3161_objid])
def test_a_signature_in_an_attribute_is_required_to_be_one(attribute: derlib.ObjectIdentifier) -> None:
    with pytest.raises(ValueError, match="attr_values"):
        cms.Attribute(attr_type=attribute, attr_values=[derlib.NULL])


def test_other_types_of_data_are_opaque() -> None:
    data = authenticode.SpcAttributeTypeAndOptionalValue.decode(bytes.fromhex("3007 0602 8837 0101 ff"))
    assert isinstance(data.value, TLV)
    assert authenticode.SpcAttributeTypeAndOptionalValue(type="2.999").encode().hex() == "300406028837"


# --- PKCS #7 and CMS


def test_cms_refuses_another_content_than_an_octet_string() -> None:
    for octets in SIGNATURES.values():
        with pytest.raises(DecodeError, match="e_content"):
            cms.ContentInfo.decode(octets)


def test_both_read_an_octet_string() -> None:
    encapsulated = {"content_type": pkcs7.id_data, "content": b"text"}
    data = {"version": 1, "digest_algorithms": [], "content_info": encapsulated, "signer_infos": []}
    octets = ContentInfo(content_type=pkcs7.id_signed_data, content=data).encode()
    signed = read(ContentInfo, octets).signed_data
    assert (signed.content, signed.digested_bytes, signed.x509_certificates) == (b"text", b"text", ())
    assert cms.ContentInfo.decode(octets).signed_data.content == b"text"
    assert derlib.identify(octets) is cms.ContentInfo
    # The content is OPTIONAL.
    with pytest.raises(AttributeError, match=r"^the content is absent$"):
        _ = ContentInfo(content_type=pkcs7.id_signed_data).signed_data
    other = bytes.fromhex("300f 06092a864886f70d010702 a002 3000")
    with pytest.raises(AttributeError, match=r"^the content does not match SignedData: read it with `content`$"):
        _ = ContentInfo.decode(other, tolerate=derlib.Deviation.OPEN_TYPE).signed_data
    # Built from values, and with an absent content.
    signed = pkcs7.SignedData(**data)
    assert signed.digested_bytes == b"text"
    assert signed.replace(content_info={"content_type": pkcs7.id_data}).digested_bytes is None
    with pytest.raises(AttributeError, match=r"^the content is id-data, not id-signedData: read it with `content`$"):
        _ = ContentInfo(content_type=pkcs7.id_data, content=b"").signed_data


def indefinite(octets: bytes) -> bytes:
    """Return a ContentInfo in BER: the lengths of the outermost two elements are indefinite."""
    content_type, content = (bytes(part.der) for part in derlib.parse(octets))
    return b"\x30\x80" + content_type + b"\xa0\x80" + bytes(derlib.parse(content).content) + bytes(4)


@pytest.mark.parametrize("name", SIGNATURES)
def test_ber(name: str) -> None:
    octets = SIGNATURES[name]
    ber = indefinite(octets)
    assert ContentInfo.decode(ber, rules="ber").encode() == octets
    assert derlib.identify(ber) is ContentInfo


@pytest.mark.parametrize("name", SIGNATURES)
def test_identify(name: str) -> None:
    assert derlib.identify(SIGNATURES[name]) is ContentInfo
    assert derlib.identify(pem.encode(SIGNATURES[name], "PKCS7")) is ContentInfo


@pytest.mark.parametrize("name", SIGNATURES)
def test_damage(name: str) -> None:
    survives_damage(ContentInfo, SIGNATURES[name], step=7)


# --- Trust lists and catalogs

TRUST_LISTS = {
    name: base64.b64decode(text)
    for name, text in (
        line.split() for line in (Path(__file__).parent / "trust_lists.txt").read_text().splitlines() if line[0] != "#"
    )
}


def test_the_roots_of_windows() -> None:
    roots = read(CertificateTrustList, TRUST_LISTS["roots"])
    assert [usage.name for usage in roots.subject_usage] == ["szOID_ROOT_LIST_SIGNER"]
    assert (roots.sequence_number, roots.ctl_this_update.year) == (369067560664722440682, 2021)
    attributes = [attribute for entry in roots.trusted_subjects for attribute in entry.subject_attributes]
    assert len({attribute.type for attribute in attributes}) == 11
    assert not [value for attribute in attributes for value in attribute.values if isinstance(value, TLV)]
    entry = roots.trusted_subjects[0]
    assert entry.get(trust_list.cert_friendly_name).decode("utf-16-le") == "Microsoft Root Certificate Authority\0"
    assert entry.get("1.3.6.1.4.1.311.10.11.122") is None
    assert [each.dotted for each in entry.get(trust_list.cert_root_program_chain_policies)] == [
        "1.3.6.1.4.1.311.60.3.2"
    ]
    assert TrustedSubject(subject_identifier=b"").get(trust_list.cert_friendly_name) is None
    empty = TrustedSubject(subject_identifier=b"", subject_attributes=[{"type": "2.999", "values": []}])
    assert empty.get("2.999") is None


def test_a_catalog() -> None:
    octets = TRUST_LISTS["catalog"]
    signed = read(ContentInfo, octets).signed_data
    [signer] = signed.signer_infos
    assert signer.message_digest == hashlib.sha256(signed.digested_bytes).digest()
    catalog = signed.content
    assert isinstance(catalog, CertificateTrustList)
    assert catalog.ctl_extensions[0].extn_value == trust_list.CatalogNameValue(
        refname="OS", typeaction=0x10010001, value="2:6.1\0".encode("utf-16-le")
    )
    [member] = catalog.trusted_subjects
    assert member.get(trust_list.cat_namevalue_objid).value == "a.txt\0".encode("utf-16-le")
    assert member.get(trust_list.cat_memberinfo_objid).cert_version == 512
    content = member.get(authenticode.spc_indirect_data_objid)
    assert content.message_digest.digest == member.subject_identifier
    assert content.data.value.g_sip_guid == uuid.UUID("c689aab8-8e78-11d0-8c47-00c04fc295ee").bytes
    assert derlib.identify(octets) is ContentInfo


@pytest.mark.parametrize(("name", "schema"), [("roots", CertificateTrustList), ("catalog", ContentInfo)])
def test_damage_of_trust_lists(name: str, schema: Any) -> None:
    survives_damage(schema, TRUST_LISTS[name], step=7)
