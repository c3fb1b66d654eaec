"""X.400 O/R addresses, a rarely used form of name.

Used by `derlib.schemas.general` for the alternative x400Address of GeneralName. The syntax is from RFC 5280 Appendix
A.1, a module with explicit tags. The upper bounds ub-* are not enforced.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    TLV,
    Choice,
    Explicit,
    Implicit,
    NamedInteger,
    NumericString,
    OctetString,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    TeletexString,
)
from derlib._contents import decode_contents

_COMPILE_AT_FIRST_USE = True

_Numeric: TypeAlias = Annotated[NumericString, Size(1, None)]
_Printable: TypeAlias = Annotated[PrintableString, Size(1, None)]
_Teletex: TypeAlias = Annotated[TeletexString, Size(1, None)]


class CountryName(Choice, tag=Explicit(1, "application")):
    """A country, by number or by letters (RFC 5280 Appendix A.1).

    ::

        CountryName ::= [APPLICATION 1] CHOICE {
            x121-dcc-code          NumericString (SIZE (ub-country-name-numeric-length)),
            iso-3166-alpha2-code   PrintableString (SIZE (ub-country-name-alpha-length)) }
    """

    x121_dcc_code: NumericString
    iso_3166_alpha2_code: PrintableString


class AdministrationDomainName(Choice, tag=Explicit(2, "application")):
    """A public mail service (RFC 5280 Appendix A.1).

    ::

        AdministrationDomainName ::= [APPLICATION 2] CHOICE {
            numeric     NumericString (SIZE (0..ub-domain-name-length)),
            printable   PrintableString (SIZE (0..ub-domain-name-length)) }
    """

    numeric: NumericString
    printable: PrintableString


class PrivateDomainName(Choice):
    """A private mail service (RFC 5280 Appendix A.1).

    ::

        PrivateDomainName ::= CHOICE {
            numeric     NumericString (SIZE (1..ub-domain-name-length)),
            printable   PrintableString (SIZE (1..ub-domain-name-length)) }
    """

    numeric: _Numeric
    printable: _Printable


class PersonalName(Set):
    """The name of a person (RFC 5280 Appendix A.1).

    ::

        PersonalName ::= SET {
            surname                [0] IMPLICIT PrintableString (SIZE (1..ub-surname-length)),
            given-name             [1] IMPLICIT PrintableString (SIZE (1..ub-given-name-length)) OPTIONAL,
            initials               [2] IMPLICIT PrintableString (SIZE (1..ub-initials-length)) OPTIONAL,
            generation-qualifier   [3] IMPLICIT PrintableString
                                       (SIZE (1..ub-generation-qualifier-length)) OPTIONAL }
    """

    surname: Annotated[_Printable, Implicit(0)]
    given_name: Annotated[_Printable, Implicit(1)] | None = None
    initials: Annotated[_Printable, Implicit(2)] | None = None
    generation_qualifier: Annotated[_Printable, Implicit(3)] | None = None


class OrganizationalUnitNames(SequenceOf[_Printable], size=Size(1, None)):
    """The units of an organization, the largest first (RFC 5280 Appendix A.1).

    ::

        OrganizationalUnitNames ::= SEQUENCE SIZE (1..ub-organizational-units) OF OrganizationalUnitName
        OrganizationalUnitName  ::= PrintableString (SIZE (1..ub-organizational-unit-name-length))
    """


class BuiltInStandardAttributes(Sequence):
    """The standard attributes of an address (RFC 5280 Appendix A.1).

    ::

        BuiltInStandardAttributes ::= SEQUENCE {
            country-name                   CountryName OPTIONAL,
            administration-domain-name     AdministrationDomainName OPTIONAL,
            network-address                [0] IMPLICIT NetworkAddress OPTIONAL,
            terminal-identifier            [1] IMPLICIT TerminalIdentifier OPTIONAL,
            private-domain-name            [2] PrivateDomainName OPTIONAL,
            organization-name              [3] IMPLICIT OrganizationName OPTIONAL,
            numeric-user-identifier        [4] IMPLICIT NumericUserIdentifier OPTIONAL,
            personal-name                  [5] IMPLICIT PersonalName OPTIONAL,
            organizational-unit-names      [6] IMPLICIT OrganizationalUnitNames OPTIONAL }
    """

    country_name: CountryName | None = None
    administration_domain_name: AdministrationDomainName | None = None
    network_address: Annotated[_Numeric, Implicit(0)] | None = None
    terminal_identifier: Annotated[_Printable, Implicit(1)] | None = None
    private_domain_name: Annotated[PrivateDomainName, Explicit(2)] | None = None
    organization_name: Annotated[_Printable, Implicit(3)] | None = None
    numeric_user_identifier: Annotated[_Numeric, Implicit(4)] | None = None
    personal_name: Annotated[PersonalName, Implicit(5)] | None = None
    organizational_unit_names: Annotated[OrganizationalUnitNames, Implicit(6)] | None = None


class BuiltInDomainDefinedAttribute(Sequence):
    """An attribute that a mail service defined (RFC 5280 Appendix A.1).

    ::

        BuiltInDomainDefinedAttribute ::= SEQUENCE {
            type    PrintableString (SIZE (1..ub-domain-defined-attribute-type-length)),
            value   PrintableString (SIZE (1..ub-domain-defined-attribute-value-length)) }
    """

    type: _Printable
    value: _Printable


class BuiltInDomainDefinedAttributes(SequenceOf[BuiltInDomainDefinedAttribute], size=Size(1, None)):
    """The attributes that mail services defined (RFC 5280 Appendix A.1).

    ::

        BuiltInDomainDefinedAttributes ::=
            SEQUENCE SIZE (1..ub-domain-defined-attributes) OF BuiltInDomainDefinedAttribute
    """


class ExtensionAttribute(Sequence):
    """An attribute whose type a number selects.

    The value is a generic `TLV`: open types are selected by an OBJECT IDENTIFIER only. ::

        ExtensionAttribute ::= SEQUENCE {
            extension-attribute-type    [0] IMPLICIT INTEGER (0..ub-extension-attributes),
            extension-attribute-value   [1] ANY DEFINED BY extension-attribute-type }
    """

    extension_attribute_type: Annotated[int, Range(0, None), Implicit(0)]
    extension_attribute_value: Annotated[TLV, Explicit(1)]

    def read_value(self) -> Any:
        """Return the value as the type that RFC 5280 defines for its number, or a `TLV` for other numbers.

        Raises:
            DecodeError: the value is not of that type; offsets count from the start of the value.
        """
        value_type = EXTENSION_ATTRIBUTES.get(self.extension_attribute_type)
        if value_type is None:
            return self.extension_attribute_value
        return decode_contents(self, value_type, self.extension_attribute_value.der)


class ExtensionAttributes(SetOf[ExtensionAttribute], size=Size(1, None)):
    """The attributes that were added later (RFC 5280 Appendix A.1).

    ::

        ExtensionAttributes ::= SET SIZE (1..ub-extension-attributes) OF ExtensionAttribute
    """


class ORAddress(Sequence):
    """An originator or recipient address of X.400 mail (RFC 5280 Appendix A.1).

    ::

        ORAddress ::= SEQUENCE {
            built-in-standard-attributes         BuiltInStandardAttributes,
            built-in-domain-defined-attributes   BuiltInDomainDefinedAttributes OPTIONAL,
            extension-attributes                 ExtensionAttributes OPTIONAL }
    """

    built_in_standard_attributes: BuiltInStandardAttributes
    built_in_domain_defined_attributes: BuiltInDomainDefinedAttributes | None = None
    extension_attributes: ExtensionAttributes | None = None


class TeletexPersonalName(Set):
    """The name of a person, in TeletexString (RFC 5280 Appendix A.1).

    ::

        TeletexPersonalName ::= SET {
            surname                [0] IMPLICIT TeletexString (SIZE (1..ub-surname-length)),
            given-name             [1] IMPLICIT TeletexString (SIZE (1..ub-given-name-length)) OPTIONAL,
            initials               [2] IMPLICIT TeletexString (SIZE (1..ub-initials-length)) OPTIONAL,
            generation-qualifier   [3] IMPLICIT TeletexString
                                       (SIZE (1..ub-generation-qualifier-length)) OPTIONAL }
    """

    surname: Annotated[_Teletex, Implicit(0)]
    given_name: Annotated[_Teletex, Implicit(1)] | None = None
    initials: Annotated[_Teletex, Implicit(2)] | None = None
    generation_qualifier: Annotated[_Teletex, Implicit(3)] | None = None


class TeletexOrganizationalUnitNames(SequenceOf[_Teletex], size=Size(1, None)):
    """The units of an organization, in TeletexString (RFC 5280 Appendix A.1).

    ::

        TeletexOrganizationalUnitNames ::= SEQUENCE SIZE (1..ub-organizational-units)
                                               OF TeletexOrganizationalUnitName
        TeletexOrganizationalUnitName  ::= TeletexString (SIZE (1..ub-organizational-unit-name-length))
    """


class TeletexDomainDefinedAttribute(Sequence):
    """An attribute that a mail service defined, in TeletexString (RFC 5280 Appendix A.1).

    ::

        TeletexDomainDefinedAttribute ::= SEQUENCE {
            type    TeletexString (SIZE (1..ub-domain-defined-attribute-type-length)),
            value   TeletexString (SIZE (1..ub-domain-defined-attribute-value-length)) }
    """

    type: _Teletex
    value: _Teletex


class TeletexDomainDefinedAttributes(SequenceOf[TeletexDomainDefinedAttribute], size=Size(1, None)):
    """The attributes that mail services defined, in TeletexString (RFC 5280 Appendix A.1).

    ::

        TeletexDomainDefinedAttributes ::=
            SEQUENCE SIZE (1..ub-domain-defined-attributes) OF TeletexDomainDefinedAttribute
    """


class PhysicalDeliveryCountryName(Choice):
    """The country of an address for paper mail (RFC 5280 Appendix A.1).

    ::

        PhysicalDeliveryCountryName ::= CHOICE {
            x121-dcc-code          NumericString (SIZE (ub-country-name-numeric-length)),
            iso-3166-alpha2-code   PrintableString (SIZE (ub-country-name-alpha-length)) }
    """

    x121_dcc_code: NumericString
    iso_3166_alpha2_code: PrintableString


class PostalCode(Choice):
    """The postal code of an address for paper mail (RFC 5280 Appendix A.1).

    ::

        PostalCode ::= CHOICE {
            numeric-code     NumericString (SIZE (1..ub-postal-code-length)),
            printable-code   PrintableString (SIZE (1..ub-postal-code-length)) }
    """

    numeric_code: _Numeric
    printable_code: _Printable


class PDSParameter(Set):
    """A part of a postal address, in one alphabet or in two (RFC 5280 Appendix A.1).

    ::

        PDSParameter ::= SET {
            printable-string   PrintableString (SIZE (1..ub-pds-parameter-length)) OPTIONAL,
            teletex-string     TeletexString (SIZE (1..ub-pds-parameter-length)) OPTIONAL }
    """

    printable_string: _Printable | None = None
    teletex_string: _Teletex | None = None


class UnformattedPostalAddress(Set):
    """A postal address in lines (RFC 5280 Appendix A.1).

    ::

        UnformattedPostalAddress ::= SET {
            printable-address   SEQUENCE SIZE (1..ub-pds-physical-address-lines)
                                    OF PrintableString (SIZE (1..ub-pds-parameter-length)) OPTIONAL,
            teletex-string      TeletexString (SIZE (1..ub-unformatted-address-length)) OPTIONAL }
    """

    printable_address: Annotated[SequenceOf[_Printable], Size(1, None)] | None = None
    teletex_string: _Teletex | None = None


class E1634Address(Sequence):
    """The anonymous SEQUENCE in `ExtendedNetworkAddress`."""

    number: Annotated[_Numeric, Implicit(0)]
    sub_address: Annotated[_Numeric, Implicit(1)] | None = None


class PresentationAddress(Sequence):
    """The address of an OSI application (RFC 5280 Appendix A.1).

    ::

        PresentationAddress ::= SEQUENCE {
            pSelector    [0] EXPLICIT OCTET STRING OPTIONAL,
            sSelector    [1] EXPLICIT OCTET STRING OPTIONAL,
            tSelector    [2] EXPLICIT OCTET STRING OPTIONAL,
            nAddresses   [3] EXPLICIT SET SIZE (1..MAX) OF OCTET STRING }
    """

    p_selector: Annotated[OctetString, Explicit(0)] | None = None
    s_selector: Annotated[OctetString, Explicit(1)] | None = None
    t_selector: Annotated[OctetString, Explicit(2)] | None = None
    n_addresses: Annotated[SetOf[OctetString], Size(1, None), Explicit(3)]


class ExtendedNetworkAddress(Choice):
    """The address of a terminal on a network (RFC 5280 Appendix A.1).

    ::

        ExtendedNetworkAddress ::= CHOICE {
            e163-4-address   SEQUENCE {
                number        [0] IMPLICIT NumericString (SIZE (1..ub-e163-4-number-length)),
                sub-address   [1] IMPLICIT NumericString (SIZE (1..ub-e163-4-sub-address-length)) OPTIONAL },
            psap-address     [0] IMPLICIT PresentationAddress }
    """

    e163_4_address: E1634Address
    psap_address: Annotated[PresentationAddress, Implicit(0)]


class TerminalType(NamedInteger):
    """A type of terminal (RFC 5280 Appendix A.1).

    ::

        TerminalType ::= INTEGER { telex (3), teletex (4), g3-facsimile (5), g4-facsimile (6),
                                   ia5-terminal (7), videotex (8) } (0..ub-integer-options)
    """

    telex = 3
    teletex = 4
    g3_facsimile = 5
    g4_facsimile = 6
    ia5_terminal = 7
    videotex = 8


# The extension attributes of RFC 5280 Appendix A.1, by number.
EXTENSION_ATTRIBUTES: dict[int, Any] = {
    1: _Printable,  # common-name
    2: _Teletex,  # teletex-common-name
    3: _Teletex,  # teletex-organization-name
    4: TeletexPersonalName,  # teletex-personal-name
    5: TeletexOrganizationalUnitNames,  # teletex-organizational-unit-names
    6: TeletexDomainDefinedAttributes,  # teletex-domain-defined-attributes
    7: _Printable,  # pds-name
    8: PhysicalDeliveryCountryName,  # physical-delivery-country-name
    9: PostalCode,  # postal-code
    10: PDSParameter,  # physical-delivery-office-name
    11: PDSParameter,  # physical-delivery-office-number
    12: PDSParameter,  # extension-OR-address-components
    13: PDSParameter,  # physical-delivery-personal-name
    14: PDSParameter,  # physical-delivery-organization-name
    15: PDSParameter,  # extension-physical-delivery-address-components
    16: UnformattedPostalAddress,  # unformatted-postal-address
    17: PDSParameter,  # street-address
    18: PDSParameter,  # post-office-box-address
    19: PDSParameter,  # poste-restante-address
    20: PDSParameter,  # unique-postal-name
    21: PDSParameter,  # local-postal-attributes
    22: ExtendedNetworkAddress,  # extended-network-address
    23: Annotated[TerminalType, Range(0, None)],  # terminal-type
}
