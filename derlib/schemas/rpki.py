"""Resource Public Key Infrastructure: RFC 3779, 9582 (ROA), 9286 (manifest), 9323 (checklist) and 6493 (Ghostbusters).

Import this module to read the signed objects of the RPKI, and certificates with IP addresses and AS numbers: importing
it registers the two extensions of RFC 3779. All modules have explicit tags. derlib does not verify signatures.

    >>> from derlib.schemas.cms import ContentInfo
    >>> from derlib.schemas.rpki import content_of
    >>> roa = content_of(ContentInfo.decode(open("object.roa", "rb").read()))  # doctest: +SKIP
    >>> if isinstance(roa, RouteOriginAttestation):  # doctest: +SKIP
    ...     print(roa.as_id, roa.ip_addr_blocks[0].prefixes)
    (64496, [(IPv4Network('192.0.2.0/24'), 24)])
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Any, TypeAlias

from derlib import (
    Alphabet,
    ASN1Error,
    BitString,
    Explicit,
    GeneralizedTime,
    IA5String,
    ObjectIdentifier,
    OctetString,
    OneOf,
    Present,
    Range,
    Sequence,
    SequenceOf,
    Size,
    WithComponent,
    WithComponents,
)
from derlib._contents import decode_contents
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms import ContentInfo, SignedData
from derlib.schemas.ip_resources import (
    IPV4,
    IPV6,
    ASId,
    ASIdentifierChoice,
    ASIdentifiers,
    ASIdOrRange,
    ASRange,
    IPAddrBlocks,
    IPAddress,
    IPAddressChoice,
    IPAddressFamily,
    IPAddressOrRange,
    IPAddressRange,
    id_pe_autonomous_sys_ids,
    id_pe_ip_addr_blocks,
    ip_network,
    ip_prefix,
    networks_of,
)

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "ASID",
    "ASId",
    "ASIdOrRange",
    "ASIdentifierChoice",
    "ASIdentifiers",
    "ASRange",
    "AlgorithmIdentifier",
    "ConstrainedASIdentifiers",
    "ConstrainedIPAddrBlocks",
    "ConstrainedIPAddressFamily",
    "ContentInfo",
    "FileAndHash",
    "FileNameAndHash",
    "IPV4",
    "IPV6",
    "IPAddrBlocks",
    "IPAddress",
    "IPAddressChoice",
    "IPAddressFamily",
    "IPAddressOrRange",
    "IPAddressRange",
    "Manifest",
    "PortableFilename",
    "ROAIPAddress",
    "ROAIPAddressFamily",
    "ResourceBlock",
    "RouteOriginAttestation",
    "RpkiSignedChecklist",
    "SignedData",
    "content_of",
    "id_ct_route_origin_authz",
    "id_ct_rpki_ghostbusters",
    "id_ct_rpki_manifest",
    "id_ct_signed_checklist",
    "id_pe_autonomous_sys_ids",
    "id_pe_ip_addr_blocks",
    "ip_network",
    "ip_prefix",
]

ASID: TypeAlias = Annotated[int, Range(0, 4294967295)]  # RFC 9582 section 4
# RFC 9323 section 4.4
PortableFilename: TypeAlias = Annotated[IA5String, Alphabet("a-zA-Z0-9._-")]


# --- Route origin authorizations: RFC 9582


class ROAIPAddress(Sequence):
    """A prefix, and the length of the longest prefix that the AS may announce (RFC 9582 section 4).

    ::

        ROAIPAddress {INTEGER: ub} ::= SEQUENCE {
            address     BIT STRING (SIZE (0..ub)),
            maxLength   INTEGER (0..ub) OPTIONAL }

    `ROAIPAddressFamily` in a `RouteOriginAttestation` sets `ub`: 32 for IPv4, 128 for IPv6.
    """

    address: Annotated[BitString, Size(0, 128)]
    max_length: Annotated[int, Range(0, 128)] | None = None


class ROAIPAddressFamily(Sequence):
    """The prefixes of IPv4 or of IPv6 (RFC 9582 section 4).

    ::

        ROAIPAddressFamily ::= SEQUENCE {
            addressFamily   ADDRESS-FAMILY.&afi ({AddressFamilySet}),   -- OCTET STRING (SIZE (2))
            addresses       ADDRESS-FAMILY.&Addresses ({AddressFamilySet}{@addressFamily}) }
    """

    address_family: Annotated[OctetString, OneOf(IPV4, IPV6)]
    addresses: Annotated[SequenceOf[ROAIPAddress], Size(1, None)]

    @property
    def prefixes(self) -> list[tuple[IPv4Network | IPv6Network, int]]:
        """The prefixes as networks, with the length of the longest prefix that the AS may announce.

        Raises:
            ASN1Error: a prefix is too long for its family.
        """
        found: list[tuple[IPv4Network | IPv6Network, int]] = []
        for block in self.addresses:
            network = ip_network(self.address_family, block.address)
            found.append((network, network.prefixlen if block.max_length is None else block.max_length))
        return found


_IPV4_ADDRESS = WithComponents(address=Size(0, 32), max_length=Range(0, 32))
# AddressFamilySet
_ADDRESS_FAMILY_SET = WithComponents(
    address_family=OneOf(IPV4), addresses=WithComponent(_IPV4_ADDRESS)
) | WithComponents(address_family=OneOf(IPV6))


class RouteOriginAttestation(Sequence):
    """The AS that may announce routes to prefixes, the content of a ROA (RFC 9582 section 4).

    ::

        RouteOriginAttestation ::= SEQUENCE {
            version        [0] EXPLICIT INTEGER DEFAULT 0,
            asID           ASID,   -- INTEGER (0..4294967295)
            ipAddrBlocks   SEQUENCE (SIZE (1..2)) OF ROAIPAddressFamily }
    """

    version: Annotated[int, Explicit(0)] = 0
    as_id: ASID
    ip_addr_blocks: Annotated[SequenceOf[Annotated[ROAIPAddressFamily, _ADDRESS_FAMILY_SET]], Size(1, 2)]


# --- Manifests: RFC 9286


class FileAndHash(Sequence):
    """A file of the repository and its hash (RFC 9286 section 4.2).

    ::

        FileAndHash ::= SEQUENCE {
            file   IA5String,
            hash   BIT STRING }
    """

    file: IA5String
    hash: BitString


class Manifest(Sequence):
    """The files that a CA publishes (RFC 9286 section 4.2).

    ::

        Manifest ::= SEQUENCE {
            version          [0] EXPLICIT INTEGER DEFAULT 0,
            manifestNumber   INTEGER (0..MAX),
            thisUpdate       GeneralizedTime,
            nextUpdate       GeneralizedTime,
            fileHashAlg      OBJECT IDENTIFIER,
            fileList         SEQUENCE SIZE (0..MAX) OF FileAndHash }
    """

    version: Annotated[int, Explicit(0)] = 0
    manifest_number: Annotated[int, Range(0, None)]
    this_update: GeneralizedTime
    next_update: GeneralizedTime
    file_hash_alg: ObjectIdentifier
    file_list: SequenceOf[FileAndHash]


# --- Signed checklists: RFC 9323


class ConstrainedASIdentifiers(Sequence):
    """AS numbers, at least one (RFC 9323 section 4).

    ::

        ConstrainedASIdentifiers ::= SEQUENCE {
            asnum   [0] EXPLICIT SEQUENCE (SIZE (1..MAX)) OF ASIdOrRange }
    """

    asnum: Annotated[SequenceOf[ASIdOrRange], Size(1, None), Explicit(0)]


class ConstrainedIPAddressFamily(Sequence):
    """Addresses of IPv4 or of IPv6, at least one (RFC 9323 section 4).

    ::

        ConstrainedIPAddressFamily ::= SEQUENCE {   -- AFI & opt SAFI --
            addressFamily       OCTET STRING (SIZE (2)),
            addressesOrRanges   SEQUENCE (SIZE (1..MAX)) OF IPAddressOrRange }
    """

    address_family: Annotated[OctetString, Size(2)]
    addresses_or_ranges: Annotated[SequenceOf[IPAddressOrRange], Size(1, None)]

    @property
    def networks(self) -> list[IPv4Network | IPv6Network]:
        """The addresses as networks. Raises the ASN1Error of `networks_of`."""
        return networks_of(self.address_family, self.addresses_or_ranges)


class ConstrainedIPAddrBlocks(SequenceOf[ConstrainedIPAddressFamily], size=Size(1, None)):
    """IP addresses, at least one (RFC 9323 section 4).

    ::

        ConstrainedIPAddrBlocks ::= SEQUENCE (SIZE (1..MAX)) OF ConstrainedIPAddressFamily
    """


class ResourceBlock(Sequence):
    """The resources of the signer (RFC 9323 section 4).

    ::

        ResourceBlock ::= SEQUENCE {
            asID           [0] EXPLICIT ConstrainedASIdentifiers OPTIONAL,
            ipAddrBlocks   [1] EXPLICIT ConstrainedIPAddrBlocks OPTIONAL }
            -- at least one of asID or ipAddrBlocks MUST be present
            ( WITH COMPONENTS { ..., asID PRESENT } |
              WITH COMPONENTS { ..., ipAddrBlocks PRESENT } )
    """

    as_id: Annotated[ConstrainedASIdentifiers, Explicit(0)] | None = None
    ip_addr_blocks: Annotated[ConstrainedIPAddrBlocks, Explicit(1)] | None = None


class FileNameAndHash(Sequence):
    """A file and its hash; the name can be absent (RFC 9323 section 4).

    ::

        FileNameAndHash ::= SEQUENCE {
            fileName   PortableFilename OPTIONAL,
            hash       Digest }   -- OCTET STRING
    """

    file_name: PortableFilename | None = None
    hash: OctetString


class RpkiSignedChecklist(Sequence):
    """Files that the holder of resources signs (RFC 9323 section 4).

    ::

        RpkiSignedChecklist ::= SEQUENCE {
            version           [0] EXPLICIT INTEGER DEFAULT 0,
            resources         ResourceBlock,
            digestAlgorithm   DigestAlgorithmIdentifier,
            checkList         SEQUENCE (SIZE (1..MAX)) OF FileNameAndHash }
    """

    version: Annotated[int, Explicit(0)] = 0
    resources: Annotated[ResourceBlock, WithComponents(as_id=Present) | WithComponents(ip_addr_blocks=Present)]
    digest_algorithm: AlgorithmIdentifier
    check_list: Annotated[SequenceOf[FileNameAndHash], Size(1, None)]


id_ct_route_origin_authz = ObjectIdentifier("1.2.840.113549.1.9.16.1.24")
id_ct_rpki_manifest = ObjectIdentifier("1.2.840.113549.1.9.16.1.26")
id_ct_rpki_ghostbusters = ObjectIdentifier("1.2.840.113549.1.9.16.1.35")
id_ct_signed_checklist = ObjectIdentifier("1.2.840.113549.1.9.16.1.48")
register_known(
    {
        id_ct_route_origin_authz.dotted: "id-ct-routeOriginAuthz",
        id_ct_rpki_manifest.dotted: "id-ct-rpkiManifest",
        id_ct_rpki_ghostbusters.dotted: "id-ct-rpkiGhostbusters",
        id_ct_signed_checklist.dotted: "id-ct-signedChecklist",
    }
)

_CONTENTS: dict[ObjectIdentifier, Any] = {
    id_ct_route_origin_authz: RouteOriginAttestation,
    id_ct_rpki_manifest: Manifest,
    id_ct_signed_checklist: RpkiSignedChecklist,
}


def content_of(signed_object: ContentInfo) -> RouteOriginAttestation | Manifest | RpkiSignedChecklist | bytes:
    """Return the content of a signed object of the RPKI (RFC 6488), or the bytes of the vCard of Ghostbusters.

    It can have the deviations that the decoding of the signed object tolerates.

    Raises:
        DecodeError: the content is not the encoding of its type.
        ASN1Error: the object is not a SignedData with a content of one of these types.
    """
    signed = signed_object.content
    if isinstance(signed, SignedData):
        content = signed.encap_content_info
        if content.e_content is not None:
            if content.e_content_type == id_ct_rpki_ghostbusters:
                return content.e_content
            schema = _CONTENTS.get(content.e_content_type)
            if schema is not None:
                found: RouteOriginAttestation | Manifest | RpkiSignedChecklist = decode_contents(
                    signed_object, schema, content.e_content
                )
                return found
    raise ASN1Error("not a ROA, manifest, checklist or Ghostbusters record: the content has another type (RFC 6488)")
