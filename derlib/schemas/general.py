"""GeneralName: the forms of names in extensions.

Used by the extensions that contain names or locations. The syntax is from RFC 5280 Appendix A.2, a module with implicit
tags; alternatives that are a CHOICE have explicit tags nevertheless (X.680 31.2.7).

>>> names = GeneralNames.decode(bytes.fromhex("300d820b6578616d706c652e636f6d"))
>>> names[0].alternative, names[0].value
('dns_name', 'example.com')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Explicit,
    GeneralString,
    IA5String,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib._brief import on_one_line
from derlib.oids import register_known
from derlib.schemas.attributes import DirectoryString, Name
from derlib.schemas.x400 import ORAddress

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

    from typing_extensions import Self

_COMPILE_AT_FIRST_USE = True

# The syntax of the value of an otherName. A value of another type is left opaque, because anyone can define a form of
# name, and because the certificate is useful without the value.
OTHER_NAMES = OpenTypes("OTHER_NAMES", on_mismatch="opaque")


class AnotherName(Sequence):
    """A name whose form an OBJECT IDENTIFIER selects (RFC 5280 Appendix A.2, section 4.2.1.6).

    ::

        AnotherName ::= SEQUENCE {
            type-id   OBJECT IDENTIFIER,
            value     [0] EXPLICIT ANY DEFINED BY type-id }

    The value of an unknown form, or of another type than that of its form, is a `TLV`.

    >>> from derlib import ObjectIdentifier
    >>> name = AnotherName(type_id=ObjectIdentifier("1.3.6.1.5.5.7.8.7"), value="_imap.example.org")
    >>> name.type_id.name, AnotherName.decode(name.encode()).value
    ('id-on-dnsSRV', '_imap.example.org')
    """

    type_id: ObjectIdentifier
    value: Annotated[Any, DefinedBy("type_id", OTHER_NAMES), Explicit(0)]


class EDIPartyName(Sequence):
    """The name of a party in electronic data interchange (RFC 5280 Appendix A.2, section 4.2.1.6).

    ::

        EDIPartyName ::= SEQUENCE {
            nameAssigner   [0] DirectoryString OPTIONAL,
            partyName      [1] DirectoryString }

    >>> EDIPartyName(party_name="Example").encode().hex()
    '300ba10913074578616d706c65'
    """

    name_assigner: Annotated[DirectoryString, Explicit(0)] | None = None
    party_name: Annotated[DirectoryString, Explicit(1)]


class GeneralName(Choice):
    """A name of one of nine forms (RFC 5280 Appendix A.2, section 4.2.1.6).

    ::

        GeneralName ::= CHOICE {
            otherName                   [0] AnotherName,
            rfc822Name                  [1] IA5String,
            dNSName                     [2] IA5String,
            x400Address                 [3] ORAddress,
            directoryName               [4] Name,
            ediPartyName                [5] EDIPartyName,
            uniformResourceIdentifier   [6] IA5String,
            iPAddress                   [7] OCTET STRING,
            registeredID                [8] OBJECT IDENTIFIER }

    `ip_address` is 4 or 16 bytes in network byte order, or in nameConstraints twice as many, an address and its mask.
    A host name with characters outside ASCII is in its A-label form (section 7.2).

    >>> name = GeneralName(dns_name="www.example.org")
    >>> name.alternative, name.value, str(name)
    ('dns_name', 'www.example.org', 'dns_name: www.example.org')
    """

    other_name: Annotated[AnotherName, Implicit(0)]
    rfc822_name: Annotated[IA5String, Implicit(1)]
    dns_name: Annotated[IA5String, Implicit(2)]
    x400_address: Annotated[ORAddress, Implicit(3)]
    directory_name: Annotated[Name, Explicit(4)]
    edi_party_name: Annotated[EDIPartyName, Implicit(5)]
    uniform_resource_identifier: Annotated[IA5String, Implicit(6)]
    ip_address: Annotated[OctetString, Implicit(7)]
    registered_id: Annotated[ObjectIdentifier, Implicit(8)]

    @classmethod
    def of_ip(cls, address: str | IPv4Address | IPv6Address | IPv4Network | IPv6Network) -> GeneralName:
        """Return the name of an IP address, or of a network for nameConstraints (sections 4.2.1.6 and 4.2.1.10).

        Args:
            address: an address, or a network, which becomes its first address and its mask; or the text of one of
                them, such as ``"192.0.2.0/24"``.

        Raises:
            ValueError: the text is neither an address nor a network, has bits after its prefix, or has an IPv6 zone.
            TypeError: `address` is not of one of these types.

        >>> GeneralName.of_ip("192.0.2.1"), GeneralName.of_ip("192.0.2.0/24").ip_address.hex()
        (GeneralName(ip_address=b'\\xc0\\x00\\x02\\x01'), 'c0000200ffffff00')
        """
        import ipaddress

        classes = (ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network)
        if not isinstance(address, (str, *classes)):
            raise TypeError(f"expected str or an address or network of ipaddress, got {type(address).__name__}")
        text = str(address)
        if "%" in text:
            raise ValueError(f"{text:.60} has a zone, which a certificate cannot have")
        if "/" not in text:
            return cls(ip_address=ipaddress.ip_address(text).packed)
        network = ipaddress.ip_network(text)
        return cls(ip_address=network.network_address.packed + network.netmask.packed)

    def display(self) -> str:
        """Return the form and the name for people, on one line, as `derlib.pretty` shows them.

        >>> GeneralName.of_ip("192.0.2.1").display()
        'ip_address: 192.0.2.1'
        """
        from derlib import pretty

        return on_one_line(pretty(self).splitlines())

    def __str__(self) -> str:
        """Return what `display` returns."""
        return self.display()


class GeneralNames(SequenceOf[GeneralName], size=Size(1, None)):
    """The names of a person or thing (RFC 5280 Appendix A.2, section 4.2.1.6).

    ::

        GeneralNames ::= SEQUENCE SIZE (1..MAX) OF GeneralName

    >>> names = GeneralNames([GeneralName(dns_name="example.org"), GeneralName.of_ip("192.0.2.1")])
    >>> [name.alternative for name in GeneralNames.decode(names.encode())]
    ['dns_name', 'ip_address']
    """

    @classmethod
    def of(cls, *names: str | IPv4Address | IPv6Address | GeneralName) -> Self:
        """Return the names of hosts and others.

        Args:
            names: DNS names as text, addresses of `ipaddress`, or a `GeneralName` for any other form.

        Raises:
            ValueError: a text is an IP address, an e-mail address or a URL; pass it as a `GeneralName`.
            TypeError: a name is of another type.
            ConstraintError: `names` is empty, or a text is not an IA5String.

        >>> from ipaddress import ip_address
        >>> [str(name) for name in GeneralNames.of("example.org", ip_address("192.0.2.1"))]
        ['dns_name: example.org', 'ip_address: 192.0.2.1']
        """
        return cls(_general_name(name) for name in names)


def _general_name(name: str | IPv4Address | IPv6Address | GeneralName) -> GeneralName:
    """Return an argument of `GeneralNames.of` as a GeneralName."""
    import ipaddress

    if isinstance(name, GeneralName):
        return name
    if isinstance(name, (ipaddress.IPv4Address, ipaddress.IPv6Address)):
        return GeneralName.of_ip(name)
    if not isinstance(name, str):
        raise TypeError(f"expected str, an address of ipaddress, or GeneralName, got {type(name).__name__}")
    if "@" in name or ":" in name or "/" in name or name.replace(".", "").isdigit():
        raise ValueError(f"{name[:60]!r} is not a DNS name{_remedy_for(name)}")
    return GeneralName(dns_name=name)


def _remedy_for(text: str) -> str:
    """Return the end of a message for a text that is not a DNS name; empty if its form is not known."""
    import ipaddress

    try:
        ipaddress.ip_interface(text)
    except ValueError:
        if "@" in text:
            return "; pass GeneralName(rfc822_name=...)"
        return "; pass GeneralName(uniform_resource_identifier=...)" if "://" in text or text.startswith("urn:") else ""
    return "; pass GeneralName.of_ip(...)"


class PermanentIdentifier(Sequence):
    """An identifier that stays the same if the name of its holder changes (RFC 4043 section 2).

    ::

        PermanentIdentifier ::= SEQUENCE {
            identifierValue   UTF8String OPTIONAL,
            assigner          OBJECT IDENTIFIER OPTIONAL }

    Without `assigner`, the issuer of the certificate assigned the identifier.

    >>> PermanentIdentifier(identifier_value="12").encode().hex()
    '30040c023132'
    """

    identifier_value: UTF8String | None = None
    assigner: ObjectIdentifier | None = None


class HardwareModuleName(Sequence):
    """The type and serial number of a piece of hardware (RFC 4108 section 5).

    ::

        HardwareModuleName ::= SEQUENCE {
            hwType        OBJECT IDENTIFIER,
            hwSerialNum   OCTET STRING }

    >>> from derlib import ObjectIdentifier
    >>> module = HardwareModuleName(hw_type=ObjectIdentifier("2.999.1"), hw_serial_num=b"12")
    >>> module.hw_type.dotted, module.hw_serial_num
    ('2.999.1', b'12')
    """

    hw_type: ObjectIdentifier
    hw_serial_num: OctetString


Int32: TypeAlias = Annotated[int, Range(-(2**31), 2**31 - 1)]  # RFC 4120 section 5.2.4


class PrincipalName(Sequence):
    """The name of a Kerberos principal within its realm (RFC 4120 section 5.2.2, explicit tags).

    ::

        PrincipalName ::= SEQUENCE {
            name-type     [0] Int32,                        -- INTEGER (-2147483648..2147483647)
            name-string   [1] SEQUENCE OF KerberosString }   -- GeneralString

    `name_type` 1 is the name of a person, NT-PRINCIPAL (section 6.2).

    >>> name = PrincipalName.from_native({"name_type": 1, "name_string": ["ann", "admin"]})
    >>> list(name.name_string)
    ['ann', 'admin']
    """

    name_type: Annotated[Int32, Explicit(0)]
    name_string: Annotated[SequenceOf[GeneralString], Explicit(1)]


class KRB5PrincipalName(Sequence):
    """A Kerberos principal as a name in a certificate (RFC 4556 section 3.2.2, explicit tags).

    ::

        KRB5PrincipalName ::= SEQUENCE {
            realm           [0] Realm,   -- GeneralString
            principalName   [1] PrincipalName }

    >>> ann = KRB5PrincipalName.from_native({
    ...     "realm": "EXAMPLE.ORG", "principal_name": {"name_type": 1, "name_string": ["ann"]},
    ... })
    >>> ann.realm, ann.principal_name.name_string[0]
    ('EXAMPLE.ORG', 'ann')
    """

    realm: Annotated[GeneralString, Explicit(0)]
    principal_name: Annotated[PrincipalName, Explicit(1)]


_UTF8: TypeAlias = Annotated[UTF8String, Size(1, None)]
_IA5: TypeAlias = Annotated[IA5String, Size(1, None)]

_OTHER_NAMES: tuple[tuple[str, str, Any], ...] = (
    ("1.3.6.1.4.1.311.20.2.3", "szOID_NT_PRINCIPAL_NAME", UTF8String),  # Microsoft, [MS-WCCE] 2.2.2.7.5
    ("1.3.6.1.4.1.311.25.1", "szOID_NTDS_REPLICATION", OctetString),  # Microsoft, the GUID of a domain controller
    ("1.3.6.1.5.2.2", "id-pkinit-san", KRB5PrincipalName),
    ("1.3.6.1.5.5.7.8.3", "id-on-permanentIdentifier", PermanentIdentifier),
    ("1.3.6.1.5.5.7.8.4", "id-on-hardwareModuleName", HardwareModuleName),
    ("1.3.6.1.5.5.7.8.5", "id-on-xmppAddr", UTF8String),  # RFC 6120 section 13.7.1.4
    ("1.3.6.1.5.5.7.8.7", "id-on-dnsSRV", _IA5),  # RFC 4985 section 2
    ("1.3.6.1.5.5.7.8.9", "id-on-SmtpUTF8Mailbox", _UTF8),  # RFC 9598 section 3
)

register_known({dotted: name for dotted, name, _ in _OTHER_NAMES})
for _dotted, _, _syntax in _OTHER_NAMES:
    OTHER_NAMES.register(ObjectIdentifier(_dotted), _syntax)
