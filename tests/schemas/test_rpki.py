"""Contents of signed objects of the RPKI that registries published, and the extensions of RFC 3779."""

from __future__ import annotations

import base64
from ipaddress import ip_network
from typing import Any

import pytest
from support.openssl import SIGNED, OpenSSL
from support.rebuilt import read

from derlib import NULL, ASN1Error, BitString, DecodeError, ObjectIdentifier, identify
from derlib.schemas import rpki
from derlib.schemas.cms import ContentInfo, id_data, id_signed_data
from derlib.schemas.x509 import Extension

# Of a ROA each for IPv4 and IPv6, a manifest and a checklist.
ROA_IPV4 = "MBcCAwDj+zAQMA4EAgABMAgwBgMEAJMcLQ=="
ROA_IPV6 = "MCQCAjzKMB4wHAQCAAIwFjAJAwcAIAEGfCCMMAkDBwAqDrJAAAA="
MANIFEST = (
    "MHkCAgrnGA8yMDEyMTAyMzIyMjYwM1oYDzIwMTIxMDI1MjIyNjAzWgYJYIZIAWUDBAIBMEYwRBYfWlhTR0JEQmtMODJURkdIdUU0Vk9ZdEpQLUU0"
    "LmNybAMhALNN0Lcay442xGpEWdh/z4AnY2cIiCadzc7w/J8a+fXx"
)
CHECKLIST = (
    "MIGAMBWhEzARMA8EAgACMAkDBwAgAQZ8IIwwCwYJYIZIAWUDBAIBMFowNBYQYjQyX2lwdjZfbG9hLnBuZwQglRbdZL58FyW5/KEXEg5Y6NhCpSBo"
    "czmbPd/8kcS2rPAwIgQgCuE5RyIAXNkvTGqgJNXWs+LmfWKfEXINlHimM6EXocc="
)


def signed(content_type: ObjectIdentifier, content: bytes | None) -> ContentInfo:
    """Return a signed object with this content, without signers."""
    encapsulated = {"e_content_type": content_type, "e_content": content}
    data = {"version": 3, "digest_algorithms": [], "encap_content_info": encapsulated, "signer_infos": []}
    return ContentInfo.decode(ContentInfo(content_type=id_signed_data, content=data).encode())


@pytest.mark.parametrize(
    ("text", "as_id", "prefixes"),
    [(ROA_IPV4, 58363, ["147.28.45.0/24"]), (ROA_IPV6, 15562, ["2001:67c:208c::/48", "2a0e:b240::/48"])],
)
def test_a_roa(text: str, as_id: int, prefixes: list[str]) -> None:
    octets = base64.b64decode(text)
    roa = rpki.content_of(signed(rpki.id_ct_route_origin_authz, octets))
    assert type(roa) is rpki.RouteOriginAttestation
    assert roa == read(rpki.RouteOriginAttestation, octets)
    assert (roa.version, roa.as_id) == (0, as_id)
    [family] = roa.ip_addr_blocks
    networks = [ip_network(prefix) for prefix in prefixes]
    assert family.prefixes == [(network, network.prefixlen) for network in networks]


def roa_of(family: bytes, bits: int, max_length: int | None = None) -> rpki.RouteOriginAttestation:
    """Build a ROA with a prefix of zeros."""
    address = BitString(bytes((bits + 7) // 8), -bits % 8)
    block = {"address_family": family, "addresses": [{"address": address, "max_length": max_length}]}
    return rpki.RouteOriginAttestation(as_id=64496, ip_addr_blocks=[block])


def test_the_bounds_of_a_family() -> None:
    for family, bound in ((b"\0\1", 32), (b"\0\2", 128)):
        [[prefix]] = [block.prefixes for block in roa_of(family, 8, bound).ip_addr_blocks]
        assert (prefix[0].prefixlen, prefix[1]) == (8, bound)
        assert roa_of(family, 0).ip_addr_blocks[0].prefixes[0][0].prefixlen == 0
        for bits, max_length in ((bound + 1, None), (8, bound + 1)):
            with pytest.raises(ValueError, match="ip_addr_blocks"):
                roa_of(family, bits, max_length)
    with pytest.raises(ValueError, match="address_family"):
        roa_of(b"\0\3", 8)
    # A prefix of IPv6 in the family of IPv4.
    octets = roa_of(b"\0\2", 40).encode().replace(bytes.fromhex("04020002"), bytes.fromhex("04020001"))
    with pytest.raises(DecodeError, match="ip_addr_blocks"):
        rpki.RouteOriginAttestation.decode(octets)


def test_a_manifest() -> None:
    octets = base64.b64decode(MANIFEST)
    manifest = rpki.content_of(signed(rpki.id_ct_rpki_manifest, octets))
    assert manifest == read(rpki.Manifest, octets)
    assert type(manifest) is rpki.Manifest
    assert (manifest.manifest_number, manifest.this_update.isoformat()) == (2791, "2012-10-23T22:26:03+00:00")
    assert manifest.file_hash_alg.name == "id-sha256"
    [entry] = manifest.file_list
    assert (entry.file, len(entry.hash)) == ("ZXSGBDBkL82TFGHuE4VOYtJP-E4.crl", 256)


def test_a_checklist() -> None:
    octets = base64.b64decode(CHECKLIST)
    checklist = rpki.content_of(signed(rpki.id_ct_signed_checklist, octets))
    assert checklist == read(rpki.RpkiSignedChecklist, octets)
    assert type(checklist) is rpki.RpkiSignedChecklist
    assert checklist.resources.as_id is None
    [family] = checklist.resources.ip_addr_blocks or ()
    assert family.networks == [ip_network("2001:67c:208c::/48")]
    assert [entry.file_name for entry in checklist.check_list] == ["b42_ipv6_loa.png", None]
    with pytest.raises(ValueError, match="resources"):
        checklist.replace(resources={})
    with pytest.raises(ValueError, match="file_name"):
        rpki.FileNameAndHash(file_name="a+b", hash=b"")


def test_ghostbusters_are_the_bytes_of_a_vcard() -> None:
    assert rpki.content_of(signed(rpki.id_ct_rpki_ghostbusters, b"BEGIN:VCARD\r\n")) == b"BEGIN:VCARD\r\n"


RESOURCES = """
[req]
prompt = no
distinguished_name = name
[name]
CN = holder
[ee]
subjectKeyIdentifier = hash
keyUsage = critical, digitalSignature
certificatePolicies = critical, 1.3.6.1.5.5.7.14.2
sbgp-ipAddrBlock = critical, IPv4:192.0.2.0/24, IPv4:198.51.100.1-198.51.100.9, IPv6:inherit
sbgp-autonomousSysNum = critical, AS:64496-64500, AS:64510
subjectInfoAccess = 1.3.6.1.5.5.7.48.11;URI:rsync://example.org/object
"""
CONTENTS = {
    "ROA": (rpki.id_ct_route_origin_authz, base64.b64decode(ROA_IPV6)),
    "manifest": (rpki.id_ct_rpki_manifest, base64.b64decode(MANIFEST)),
    "checklist": (rpki.id_ct_signed_checklist, base64.b64decode(CHECKLIST)),
    "Ghostbusters": (rpki.id_ct_rpki_ghostbusters, b"BEGIN:VCARD\r\n"),
}


@pytest.mark.parametrize("stream", [False, True], ids=["DER", "BER"])
def test_objects_that_openssl_signs(openssl: OpenSSL, stream: bool) -> None:
    """The profile of RFC 6488: a key identifier, and no S/MIME capabilities; old objects are BER."""
    (openssl.folder / "resources.conf").write_text(RESOURCES)
    made = ("-key", "rsa.key", "-out", "holder.pem", "-config", "resources.conf", "-extensions", "ee")
    openssl("req", "-x509", *made)
    options = ("-sign", "-binary", "-nodetach", "-keyid", "-nosmimecap", *(["-stream"] if stream else []))
    signer = ("-signer", "holder.pem", "-inkey", "rsa.key", "-outform", "DER")
    for content_type, content in CONTENTS.values():
        octets = openssl("cms", *options, "-econtent_type", content_type.dotted, *signer, stdin=content)
        found = ContentInfo.decode(octets, rules="ber" if stream else "der")
        assert read(ContentInfo, bytes(found.der)) == found
        inner = rpki.content_of(found)
        assert (inner if isinstance(inner, bytes) else inner.encode()) == content
        assert identify(octets) is ContentInfo
        [holder] = found.signed_data.x509_certificates
        families = holder.get(rpki.IPAddrBlocks)
        assert families is not None
        networks = [ip_network("192.0.2.0/24"), *map(ip_network, ("198.51.100.1/32", "198.51.100.2/31"))]
        networks += [*map(ip_network, ("198.51.100.4/30", "198.51.100.8/31"))]
        assert [family.networks for family in families] == [networks, None]
        numbers = holder.get(rpki.ASIdentifiers)
        assert numbers is not None
        assert [choice.alternative for choice in numbers.asnum.value] == ["range", "id"]


def test_another_content_is_refused(openssl: OpenSSL) -> None:
    others = [
        ContentInfo(content_type=id_data, content=b""),
        signed(rpki.id_ct_rpki_manifest, None),
        ContentInfo.decode(openssl.cms(SIGNED["attached"])),
    ]
    for other in others:
        with pytest.raises(ASN1Error, match="not a ROA"):
            rpki.content_of(other)
    with pytest.raises(DecodeError):
        rpki.content_of(signed(rpki.id_ct_rpki_manifest, b"\5\0"))


def test_the_extensions_of_a_trust_anchor() -> None:
    # The trust anchor of RIPE NCC: all addresses and all AS numbers.
    blocks = read(
        Extension, bytes.fromhex("302706082b060105050701070101ff0418301630090402000130030301003009040200023003030100")
    )
    assert type(blocks.extn_value) is rpki.IPAddrBlocks
    assert [family.networks for family in blocks.extn_value] == [[ip_network("0.0.0.0/0")], [ip_network("::/0")]]
    numbers = read(Extension, bytes.fromhex("302106082b060105050701080101ff04123010a00e300c300a020100020500ffffffff"))
    assert type(numbers.extn_value) is rpki.ASIdentifiers
    choice = numbers.extn_value.asnum
    [found] = choice.value
    assert (found.value.min, found.value.max, numbers.extn_value.rdi) == (0, 2**32 - 1, None)


def family_of(family: bytes, choice: Any) -> rpki.IPAddressFamily:
    """Build the addresses of a family."""
    return rpki.IPAddressFamily(address_family=family, ip_address_choice=choice)


def test_a_range_is_one_network_or_several() -> None:
    # 10.5.0.4 to 10.5.0.23, of RFC 3779 section 2.2.3.9's kind: `min` has no final zeros, `max` no final ones.
    first = BitString(bytes([10, 5, 0, 4]), 2)
    last = BitString(bytes([10, 5, 0, 16]), 3)
    bounds = rpki.IPAddressRange(min=first, max=last)
    family = family_of(b"\0\1\1", {"addresses_or_ranges": [{"address_range": bounds}]})
    assert family.networks == [ip_network("10.5.0.4/30"), ip_network("10.5.0.8/29"), ip_network("10.5.0.16/29")]


def test_inherited_addresses() -> None:
    assert family_of(b"\0\1", {"inherit": NULL}).networks is None


@pytest.mark.parametrize(
    ("family", "address", "message"),
    [(b"\0\3", b"\1", "address family 0003 is neither"), (b"\0\1", bytes(5), "40 bits is too long for IPv4Address")],
)
def test_no_network(family: bytes, address: bytes, message: str) -> None:
    blocks = family_of(family, {"addresses_or_ranges": [{"address_prefix": BitString(address)}]})
    with pytest.raises(ASN1Error, match=message):
        _ = blocks.networks


def test_a_range_that_ends_before_it_begins() -> None:
    bounds = rpki.IPAddressRange(min=BitString(bytes([10, 0, 0, 7])), max=BitString(bytes([10, 0, 0, 6])))
    family = family_of(b"\0\1", {"addresses_or_ranges": [{"address_range": bounds}]})
    with pytest.raises(ASN1Error, match=r"the range from 10\.0\.0\.7 to 10\.0\.0\.6 ends before it begins"):
        _ = family.networks
