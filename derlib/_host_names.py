"""Whether the alternative names of a certificate include a host: RFC 9525 section 6, RFC 5280 section 4.2.1.6.

Used by `Certificate.matches_host`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address

__all__ = ["includes_host"]

#: A host name. RFC 1123 section 2.1 allows letters, digits and hyphens; names in use also have underscores.
_HOST = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", re.ASCII)


def includes_host(
    host: str | IPv4Address | IPv6Address, dns_names: Iterable[str], addresses: Iterable[IPv4Address | IPv6Address]
) -> bool:
    """Return whether a host is one of these names or addresses.

    Raises:
        TypeError: `host` is neither a string nor an address.
        ValueError: `host` is not the name of a host.
    """
    if not isinstance(host, (str, IPv4Address, IPv6Address)):
        raise TypeError(f"host: expected a name or an IP address, got {type(host).__name__}")
    address = _address(host)
    if address is not None:
        return address in addresses
    name = str(host).removesuffix(".")
    if not name.isascii():
        raise ValueError(f"host: {host!r} is not ASCII; write it with A-labels, such as xn--bcher-kva.example")
    if not _HOST.fullmatch(name):
        remedy = "; dns_names has the wildcards" if name.startswith("*.") else ""
        raise ValueError(f"host: {host!r} is not the name of a host{remedy}")
    # A wildcard is the whole first label, and matches one label (RFC 9525 section 6.3).
    name = name.lower()
    _, dot, parent = name.partition(".")
    accepted = {name, f"*.{parent}"} if dot else {name}
    # Letters outside of ASCII can have lower case inside it, such as the sign of the kelvin.
    return any(each.isascii() and each.lower() in accepted for each in dns_names)


def _address(host: str | IPv4Address | IPv6Address) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
