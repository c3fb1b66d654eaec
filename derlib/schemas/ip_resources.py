"""IP addresses and AS numbers in certificates: RFC 3779.

Import this module, or `derlib.schemas.rpki`, to read the two extensions: importing it registers them. The modules of
RFC 3779 have explicit tags.

>>> from derlib import NULL, BitString
>>> blocks = IPAddrBlocks(
...     [
...         {
...             "address_family": b"\\0\\1",
...             "ip_address_choice": {"addresses_or_ranges": [{"address_prefix": BitString(b"\\x0a")}]},
...         },
...         {"address_family": b"\\0\\2", "ip_address_choice": {"inherit": NULL}},
...     ]
... )
>>> [family.networks for family in blocks]
[[IPv4Network('10.0.0.0/8')], None]
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, summarize_address_range
from typing import Annotated, Any, TypeAlias

from derlib import ASN1Error, BitString, Choice, Explicit, Null, OctetString, Sequence, SequenceOf, Size
from derlib.schemas.extensions import known_extension

_COMPILE_AT_FIRST_USE = True

# The numbers of address families, RFC 3779 section 2.2.3.3.
IPV4 = b"\0\1"
IPV6 = b"\0\2"
_ADDRESS_TYPES = {IPV4: (IPv4Address, IPv4Network), IPV6: (IPv6Address, IPv6Network)}

IPAddress: TypeAlias = BitString  # section 2.2.3.8: the leading bits of an address
ASId: TypeAlias = int  # section 3.2.3.10


def ip_network(address_family: bytes, address: BitString) -> IPv4Network | IPv6Network:
    """Return the network of a prefix.

    Args:
        address_family: 00 01 for IPv4, 00 02 for IPv6; an octet after them (the SAFI) does not count.
        address: the bits of the prefix.

    Raises:
        ASN1Error: the family is neither IPv4 nor IPv6, or the prefix is too long for it.

    >>> from derlib import BitString
    >>> ip_network(b"\\0\\1", BitString(bytes([192, 0, 2]), 0))
    IPv4Network('192.0.2.0/24')
    """
    address_type, network_type = _types_of(address_family)
    first = _bound(address_type, address, upper=False)
    found: IPv4Network | IPv6Network = network_type((int(first), len(address)))
    return found


def ip_prefix(network: str | IPv4Network | IPv6Network) -> BitString:
    """Return the bits of a prefix, as the classes of RFC 3779 and RFC 9582 have them: the reverse of `ip_network`.

    Raises:
        ValueError: the text is not a network, or has bits after its prefix.

    >>> ip_prefix("192.0.2.0/24")
    BitString(b'\\xc0\\x00\\x02')
    """
    given = ipaddress.ip_network(network)
    unused = -given.prefixlen % 8
    return BitString(given.network_address.packed[: (given.prefixlen + 7) // 8], unused)


def _types_of(address_family: bytes) -> Any:
    """Return the classes of addresses and networks."""
    found = _ADDRESS_TYPES.get(bytes(address_family[:2]))
    if found is None:
        raise ASN1Error(f"address family {address_family.hex()} is neither IPv4 (0001) nor IPv6 (0002)")
    return found


def _bound(address_type: Any, bits: BitString, *, upper: bool) -> Any:
    """Return the first or the last address that starts with `bits`."""
    missing = int(address_type(0).max_prefixlen) - len(bits)
    if missing < 0:
        raise ASN1Error(f"a prefix of {len(bits)} bits is too long for {address_type.__name__}")
    return address_type(int(bits) << missing | (((1 << missing) - 1) if upper else 0))


def networks_of(address_family: bytes, blocks: Iterable[IPAddressOrRange]) -> list[IPv4Network | IPv6Network]:
    """Return the networks of prefixes and ranges; a range can need several networks.

    Raises:
        ASN1Error: as `ip_network`, or a range ends before it begins.
    """
    address_type, _ = _types_of(address_family)
    found: list[IPv4Network | IPv6Network] = []
    for block in blocks:
        value = block.value
        if isinstance(value, IPAddressRange):
            first = _bound(address_type, value.min, upper=False)
            last = _bound(address_type, value.max, upper=True)
            if first > last:
                raise ASN1Error(f"the range from {first} to {last} ends before it begins (RFC 3779 2.2.3.9)")
            found.extend(summarize_address_range(first, last))
        else:
            found.append(ip_network(address_family, value))
    return found


class IPAddressRange(Sequence):
    """Addresses from `min` with zero bits added to `max` with one bits added (RFC 3779 section 2.2.3.9).

    ::

        IPAddressRange ::= SEQUENCE {
            min   IPAddress,
            max   IPAddress }
    """

    min: IPAddress
    max: IPAddress


class IPAddressOrRange(Choice):
    """A prefix or a range (RFC 3779 section 2.2.3.7).

    ::

        IPAddressOrRange ::= CHOICE {
            addressPrefix   IPAddress,
            addressRange    IPAddressRange }
    """

    address_prefix: IPAddress
    address_range: IPAddressRange


class IPAddressChoice(Choice):
    """Addresses, or those of the issuer (RFC 3779 section 2.2.3.4).

    ::

        IPAddressChoice ::= CHOICE {
            inherit             NULL,   -- inherit from issuer --
            addressesOrRanges   SEQUENCE OF IPAddressOrRange }
    """

    inherit: Null
    addresses_or_ranges: SequenceOf[IPAddressOrRange]


class IPAddressFamily(Sequence):
    """Addresses of IPv4 or of IPv6 (RFC 3779 section 2.2.3.2).

    ::

        IPAddressFamily ::= SEQUENCE {   -- AFI & optional SAFI --
            addressFamily     OCTET STRING (SIZE (2..3)),
            ipAddressChoice   IPAddressChoice }
    """

    address_family: Annotated[OctetString, Size(2, 3)]
    ip_address_choice: IPAddressChoice

    @property
    def networks(self) -> list[IPv4Network | IPv6Network] | None:
        """The addresses as networks, or None if they are inherited. Raises the ASN1Error of `networks_of`."""
        choice = self.ip_address_choice
        if choice.alternative == "inherit":
            return None
        return networks_of(self.address_family, choice.value)


class IPAddrBlocks(SequenceOf[IPAddressFamily]):
    """The IP addresses of the subject (RFC 3779 section 2.2.3.1).

    ::

        IPAddrBlocks ::= SEQUENCE OF IPAddressFamily
    """


class ASRange(Sequence):
    """AS numbers from `min` to `max` (RFC 3779 section 3.2.3.8).

    ::

        ASRange ::= SEQUENCE {
            min   ASId,
            max   ASId }
    """

    min: ASId
    max: ASId


class ASIdOrRange(Choice):
    """An AS number or a range (RFC 3779 section 3.2.3.6).

    ::

        ASIdOrRange ::= CHOICE {
            id      ASId,
            range   ASRange }
    """

    id: ASId
    range: ASRange


class ASIdentifierChoice(Choice):
    """AS numbers, or those of the issuer (RFC 3779 section 3.2.3.3).

    ::

        ASIdentifierChoice ::= CHOICE {
            inherit         NULL,   -- inherit from issuer --
            asIdsOrRanges   SEQUENCE OF ASIdOrRange }
    """

    inherit: Null
    as_ids_or_ranges: SequenceOf[ASIdOrRange]


class ASIdentifiers(Sequence):
    """The AS numbers of the subject (RFC 3779 section 3.2.3.1).

    ::

        ASIdentifiers ::= SEQUENCE {
            asnum   [0] EXPLICIT ASIdentifierChoice OPTIONAL,
            rdi     [1] EXPLICIT ASIdentifierChoice OPTIONAL }
    """

    asnum: Annotated[ASIdentifierChoice, Explicit(0)] | None = None
    rdi: Annotated[ASIdentifierChoice, Explicit(1)] | None = None


id_pe_ip_addr_blocks = known_extension("1.3.6.1.5.5.7.1.7", "id-pe-ipAddrBlocks", IPAddrBlocks)
id_pe_autonomous_sys_ids = known_extension("1.3.6.1.5.5.7.1.8", "id-pe-autonomousSysIds", ASIdentifiers)
