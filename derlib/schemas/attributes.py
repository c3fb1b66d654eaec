r"""Distinguished names: the attribute types, Name, and its string form of RFC 4514.

Used by the X.509 schemas for issuers and subjects. A value that does not have the type of its attribute is decoded as
a generic `TLV`, because many otherwise valid certificates violate the syntaxes of X.520.

>>> name = Name.decode(bytes.fromhex(
...     "302b310b3009060355040613024742311c301a060355040a1313416e616c79746963616c2c20456e67696e6573"))
>>> str(name)
'O=Analytical\\, Engines,C=GB'
>>> name.rdn_sequence[0][0].value
'GB'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, overload

from derlib import (
    RFC5280_TIME,
    TLV,
    BitString,
    BMPString,
    Choice,
    DefinedBy,
    GeneralizedTime,
    IA5String,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    TeletexString,
    UniversalString,
    UnrepresentableError,
    UTCTime,
    UTF8String,
)
from derlib._contents import typed_element
from derlib.oids import ATTRIBUTE_SHORT_NAMES, find_registered, register_known, usual_name_of, without_prefix

_COMPILE_AT_FIRST_USE = True

_Type: TypeAlias = str | ObjectIdentifier

# Usual attribute types whose values are character strings, for type checkers. A decoded value can still be anything,
# because a mismatch is not an error. `str | Any` finds wrong uses of a str, and needs no check before each use.
_TextType: TypeAlias = Literal[
    "CN", "L", "ST", "O", "OU", "C", "STREET", "DC", "UID",
    "commonName", "common_name",
    "localityName", "locality_name",
    "stateOrProvinceName", "state_or_province_name",
    "organizationName", "organization_name",
    "organizationalUnitName", "organizational_unit_name",
    "countryName", "country_name",
    "streetAddress", "street_address",
    "domainComponent", "domain_component",
    "uid",
    "surname",
    "serialNumber", "serial_number",
    "title",
    "description",
    "businessCategory", "business_category",
    "postalCode", "postal_code",
    "name",
    "givenName", "given_name",
    "initials",
    "generationQualifier", "generation_qualifier",
    "dnQualifier", "dn_qualifier",
    "pseudonym",
    "organizationIdentifier", "organization_identifier",
    "emailAddress", "email_address",
    "unstructuredName", "unstructured_name",
    "unstructuredAddress", "unstructured_address",
    "jurisdictionLocalityName", "jurisdictionStateOrProvinceName", "jurisdictionCountryName",
]  # fmt: skip
_Text: TypeAlias = str | Any

# The syntax of the values of an attribute type. For a mismatch see the docstring of the module.
ATTRIBUTES = OpenTypes("ATTRIBUTES", on_mismatch="opaque")


class AttributeTypeAndValue(Sequence):
    """One assertion of a name, such as CN=example (RFC 5280 Appendix A.1, section 4.1.2.4).

    ::

        AttributeTypeAndValue ::= SEQUENCE {
            type    AttributeType,     -- OBJECT IDENTIFIER
            value   AttributeValue }   -- ANY DEFINED BY type
    """

    type: ObjectIdentifier
    value: Annotated[Any, DefinedBy("type", ATTRIBUTES)]

    def __str__(self) -> str:
        """Return the string form of RFC 4514 sections 2.3 and 2.4."""
        short_name = _SHORT_NAMES.get(self.type)
        text = None if short_name is None else text_of(self.value)
        if text is not None:
            return f"{short_name}={_escape(text)}"
        # RFC 4514 2.4: a value without a string form, and every value of an attribute type written
        # in dotted decimal, is "#" and the hexadecimal digits of its encoding.
        span = self.span("value")
        start = span.offset - self.span().offset
        return f"{short_name or self.type.dotted}=#{self.der[start : start + span.length].hex()}"


class RelativeDistinguishedName(SetOf[AttributeTypeAndValue], size=Size(1, None)):
    """One level of a name, usually with a single assertion (RFC 5280 Appendix A.1, section 4.1.2.4).

    ::

        RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue
    """

    def __str__(self) -> str:
        """Return the string form of RFC 4514 section 2.2: the assertions, joined by plus signs."""
        return "+".join(map(str, self))


class RDNSequence(SequenceOf[RelativeDistinguishedName]):
    """The levels of a name, the most significant first (RFC 5280 Appendix A.1, section 4.1.2.4).

    ::

        RDNSequence ::= SEQUENCE OF RelativeDistinguishedName
    """

    def __str__(self) -> str:
        """Return the string form of RFC 4514 section 2.1: the levels in reverse order, joined by commas."""
        return ",".join(map(str, reversed(self)))


class Name(Choice):
    """A distinguished name; ``str()`` returns its RFC 4514 form (RFC 5280 Appendix A.1, section 4.1.2.4).

    ::

        Name ::= CHOICE { -- only one possibility for now --
            rdnSequence   RDNSequence }
    """

    rdn_sequence: RDNSequence

    @classmethod
    def of(
        cls,
        attributes: Mapping[str, Any] | Mapping[_Type, Any] | Iterable[tuple[_Type, Any]],
        *,
        utf8: bool = False,
    ) -> Name:
        """Return a name with one attribute per level, the most significant first.

        Args:
            attributes: values by attribute type, as a mapping, or as pairs if a type occurs more than once.
                A type is a short name of RFC 4514 ("CN"), a name from the standards ("emailAddress"), a dotted form
                or an `ObjectIdentifier`. A str becomes a PrintableString if possible, otherwise a UTF8String, unless
                the attribute type has another syntax. ``{"UTF8String": "DE"}`` selects the string type.
            utf8: whether a str becomes a UTF8String if the syntax of its attribute type is DirectoryString, as that of
                "CN" and "O" but not of "C". asn1crypto and cryptography do so for the usual attributes. The name of a
                CA must have the same encoding in its certificate and in those that it issues (RFC 5280 section
                4.1.2.6): use `subject` of its certificate.

        For levels with several attributes, use ``Name(rdn_sequence=[[{"type": ..., "value": ...}, ...], ...])``.

        Raises:
            ConstraintError: a value does not have the type of its attribute.
            ValueError: an attribute type is unknown.

        >>> print(Name.of({"C": "GB", "O": "Example", "CN": "Example Root"}))
        CN=Example Root,O=Example,C=GB
        >>> print(Name.of([("DC", "org"), ("DC", "example"), ("emailAddress", "ca@example.org")]))
        1.2.840.113549.1.9.1=#160e6361406578616d706c652e6f7267,DC=example,DC=org
        >>> Name.of({"CN": "A"}).encode().hex(" "), Name.of({"CN": "A"}, utf8=True).encode().hex(" ")
        ('30 0c 31 0a 30 08 06 03 55 04 03 13 01 41', '30 0c 31 0a 30 08 06 03 55 04 03 0c 01 41')
        """
        given: object = attributes
        if isinstance(given, str):
            raise TypeError("expected a mapping or pairs, such as {'CN': 'Example CA'}, got str")
        pairs: Iterable[tuple[_Type, Any]] = attributes.items() if isinstance(attributes, Mapping) else attributes
        found = [(_attribute_type(type), value) for type, value in pairs]
        if utf8:
            found = [(oid, _as_utf8(oid, value)) for oid, value in found]
        return cls(rdn_sequence=[[{"type": oid, "value": value}] for oid, value in found])

    @overload
    def get(self, type: _TextType) -> _Text | None: ...
    @overload
    def get(self, type: _Type) -> Any: ...
    def get(self, type: _Type) -> Any:
        """Return the value of an attribute, or None if the name does not have it.

        Args:
            type: as for `of`: "CN", "commonName", "common_name", a dotted form or an `ObjectIdentifier`.

        If the attribute occurs more than once, this is the most specific value, which is the last one of the encoding.
        A character string is a str, also if it does not have the type of its attribute. Another value that does not
        have this type is a `TLV`: the CN of a decoded name can be an INTEGER. For the usual names of attributes whose
        values are character strings, type checkers see ``str | Any | None``, otherwise ``Any``.

        Raises:
            ValueError: the attribute type is unknown.

        >>> name = Name.of({"C": "GB", "CN": "Example Root"})
        >>> name.get("CN"), name.get("common_name"), name.get("O")
        ('Example Root', 'Example Root', None)
        """
        return next(iter(self.get_all(type)[::-1]), None)

    @overload
    def get_all(self, type: _TextType) -> tuple[_Text, ...]: ...
    @overload
    def get_all(self, type: _Type) -> tuple[Any, ...]: ...
    def get_all(self, type: _Type) -> tuple[Any, ...]:
        """Return all values of an attribute, the most significant first. For the argument, types and errors see `get`.

        >>> Name.of([("DC", "org"), ("DC", "example")]).get_all("DC")
        ('org', 'example')
        """
        wanted = _attribute_type(type)
        found = [attribute for attribute in self.attributes if attribute.type == wanted]
        texts = [(attribute, text_of(attribute.value)) for attribute in found]
        return tuple(attribute.value if text is None else text for attribute, text in texts)

    @overload
    def __getitem__(self, type: _TextType) -> _Text: ...
    @overload
    def __getitem__(self, type: _Type) -> Any: ...
    def __getitem__(self, type: _Type) -> Any:
        """Return what `get` returns, but raise KeyError if the name does not have the attribute, or if it is unknown.

        >>> name = Name.of({"C": "GB", "CN": "Example Root"})
        >>> name["CN"], "O" in name
        ('Example Root', False)
        """
        try:
            found = self.get_all(type)
        except ValueError as error:
            raise KeyError(str(error)) from None
        if not found:
            known = ", ".join(dict.fromkeys(map(_label, self.attributes)))
            raise KeyError(f"the name has no attribute {type!s:.60}; it has {known or 'none'}")
        return found[-1]

    def __contains__(self, type: _Type) -> bool:
        """Return whether the name has an attribute. For the argument and errors see `get`."""
        return bool(self.get_all(type))

    # Without this, Python would iterate over a name by calling `__getitem__` with 0, 1 and so on.
    __iter__ = None

    @property
    def attributes(self) -> tuple[AttributeTypeAndValue, ...]:
        """All attributes, the most significant first, without the levels that `rdn_sequence` has.

        >>> [(each.type.name, each.value) for each in Name.of({"C": "GB", "CN": "Example Root"}).attributes]
        [('id-at-countryName', 'GB'), ('id-at-commonName', 'Example Root')]
        """
        return tuple(attribute for level in self.rdn_sequence for attribute in level)

    def matches(self, other: Name) -> bool:
        """Return whether two names are the same by RFC 5280 section 7.1. ``==`` compares their encodings.

        Case, the type of a character string and spaces at its ends do not matter, and several spaces are like one. The
        attributes of a level can be in any order. Values that are not character strings, and character strings with
        code points that RFC 4518 section 2.4 prohibits, match only those with the same encoding.

        >>> name = Name.of({"C": "GB", "CN": "Example Root"})
        >>> other = Name.of({"C": "gb", "CN": {"UTF8String": "example  root"}})
        >>> name == other, name.matches(other)
        (False, True)
        """
        if not isinstance(other, Name):
            raise TypeError(f"expected a Name, got {type(other).__name__}")
        if self == other:
            return True
        levels, others = self.rdn_sequence, other.rdn_sequence
        if len(levels) != len(others):
            return False
        # Different names differ most often in the last level.
        pairs = zip(reversed(levels), reversed(others), strict=True)
        return all(_key_of_level(one) == _key_of_level(another) for one, another in pairs)

    @property
    def comparison_key(self) -> Hashable:
        """A key that is equal for names that match, for a dict or set of names. For what matches see `matches`.

        >>> by_subject = {Name.of({"CN": "Example Root"}).comparison_key: "the certificate"}
        >>> by_subject[Name.of({"CN": "EXAMPLE ROOT"}).comparison_key]
        'the certificate'
        """
        return tuple(map(_key_of_level, self.rdn_sequence))

    def display(self) -> str:
        """Return the name for people: all attributes by name, the most specific first.

        Unlike ``str(name)``, which is the string form of RFC 4514, this cannot always be read back.

        >>> print(Name.of({"C": "GB", "serialNumber": "12", "CN": "Ann", "emailAddress": "ann@example.org"}).display())
        emailAddress=ann@example.org, CN=Ann, serialNumber=12, C=GB
        """
        return ", ".join(" + ".join(map(_displayed, level)) for level in reversed(self.rdn_sequence))

    def __str__(self) -> str:
        """Return the string form of RFC 4514."""
        return str(self.rdn_sequence)

    def __format__(self, spec: str) -> str:
        """Return the string form with a width, for example in a table: ``f"{name:<40}"``.

        >>> f"{Name.of({'CN': 'example'}):>12}"
        '  CN=example'
        """
        return format(str(self), spec)


class Attribute(Sequence):
    """An attribute with all of its values (RFC 5280 Appendix A.1).

    ::

        Attribute ::= SEQUENCE {
            type     AttributeType,
            values   SET OF AttributeValue }   -- at least one value is required
    """

    type: ObjectIdentifier
    values: Annotated[SetOf[Annotated[Any, DefinedBy("type", ATTRIBUTES)]], Size(1, None)]

    @classmethod
    def of(cls, type: ObjectIdentifier | str, *values: Any) -> Attribute:
        """Return an attribute with these values, each of the type that `type` selects.

        Args:
            type: the type of the attribute: an `ObjectIdentifier`, its dotted form or its name.
            values: one value, or several for an attribute that can have them.

        Raises:
            ConstraintError: a value does not have the type of the attribute, or there is none.

        >>> Attribute.of("2.5.4.6", "GB").encode().hex()
        '300b0603550406310413024742'
        """
        return cls.from_native({"type": type, "values": values})


_SHORT_NAMES = {ObjectIdentifier(dotted): name for dotted, name in ATTRIBUTE_SHORT_NAMES.items()}
_OIDS_BY_SHORT_NAME = {short_name: oid for oid, short_name in _SHORT_NAMES.items()}
# Names in the output of other programs, for messages only: for some programs, SN is the serialNumber.
_NAMES_ELSEWHERE = {"E": "emailAddress", "email": "emailAddress", "GN": "givenName", "SN": "surname"}


def _attribute_type(name: _Type) -> ObjectIdentifier:
    """Return the attribute type with this name or dotted form."""
    if isinstance(name, ObjectIdentifier):
        return name
    if not isinstance(name, str):
        raise TypeError(f"expected an attribute type such as 'CN', got {type(name).__name__}")
    if name in _OIDS_BY_SHORT_NAME:
        return _OIDS_BY_SHORT_NAME[name]
    # In ASN.1 modules, names such as emailAddress and surname have a prefix. No other prefixes are tried, so that an
    # extension, for example, is not an attribute type.
    first, *others = name.split("_")
    camel_case = first + "".join(word.capitalize() for word in others)
    for known in (name, *(prefix + camel_case for prefix in ("id-at-", "id-", "pkcs-9-at-", "tcg-at-"))):
        dotted = find_registered(known)
        if dotted is not None:
            return ObjectIdentifier(dotted)
    from derlib._suggestions import nearest

    names = [without_prefix(known) for _, known, _ in _ATTRIBUTE_TYPES]
    near = _NAMES_ELSEWHERE.get(name) or nearest(name, [*_OIDS_BY_SHORT_NAME, *names])
    usual = f"give {', '.join(_OIDS_BY_SHORT_NAME)}, a name such as emailAddress, or an OBJECT IDENTIFIER"
    remedy = f"did you mean {near!r}?" if near else usual
    raise ValueError(f"no attribute type is known by the name {name!r:.60}; {remedy}")


def _as_utf8(type: ObjectIdentifier, value: Any) -> Any:
    """Return a value for `Name.of` that selects UTF8String, if it is a str and its type is DirectoryString."""
    if isinstance(value, str) and ATTRIBUTES.get(type) is DirectoryString:
        return {"UTF8String": value}
    return value


def _displayed(attribute: AttributeTypeAndValue) -> str:
    """Return an attribute of a name for people."""
    text = _text_in(attribute)
    # A value that is not text is the hexadecimal form of its encoding, as in RFC 4514 section 2.4.
    shown = str(attribute).partition("=")[2] if text is None else _escape(text)
    return f"{_label(attribute)}={shown}"


def _label(attribute: AttributeTypeAndValue) -> str:
    """Return the usual name of an attribute type, such as CN or emailAddress."""
    return _SHORT_NAMES.get(attribute.type) or usual_name_of(attribute.type)


def _key_of_level(level: RelativeDistinguishedName) -> Hashable:
    """Return a key that is equal for levels of names that match, with their attributes in any order."""
    if len(level) == 1:
        return _key_of(level[0])
    return frozenset(Counter(map(_key_of, level)).items())


def _key_of(attribute: AttributeTypeAndValue) -> tuple[ObjectIdentifier, str | bytes]:
    """Return a key that is equal for attributes that match: the type, and the prepared text or the encoding."""
    from derlib._prepared_text import prepared

    text = _text_in(attribute)
    comparable = None if text is None else prepared(text)
    return attribute.type, attribute.encode() if comparable is None else comparable


def _text_in(attribute: AttributeTypeAndValue) -> str | None:
    """Return the text of an attribute, or None if its value is not a character string."""
    try:
        return text_of(attribute.value)
    except UnrepresentableError:
        return None  # A date of birth in the year 0, for example.


def typed_attribute(value: Any, type: ObjectIdentifier, holder: Any) -> Any:
    """Return the value of an attribute of `holder`, for a property; None if it is absent.

    Raises:
        DecodeError: the value does not have the type of its attribute.
    """
    return typed_element(holder, ATTRIBUTES.get(type), value)


def text_attribute(value: Any, type: ObjectIdentifier, holder: Any) -> str | None:
    """Return what `typed_attribute` does, but any character string as text."""
    text = text_of(value)
    found: str | None = typed_attribute(value, type, holder) if text is None else text
    return found


def text_of(value: object) -> str | None:
    """Return the text of an attribute value, or None if it is not a character string."""
    if isinstance(value, TLV):
        # A value of another type than its attribute, such as a country in a UTF8String, can still be text.
        # A time can be unrepresentable.
        try:
            value = value.value
        except UnrepresentableError:
            return None
    return value if isinstance(value, str) else None


def _escape(text: str) -> str:
    r"""Escape the characters that RFC 4514 section 2.4 names, and control characters.

    The section requires an escape for U+0000 and permits one for every character. This function escapes all control
    characters, as the example in section 4 does with CR, so that a name is always one line of text.

    >>> print(_escape('#1 "A, B" + C'))
    \#1 \"A\, B\" \+ C
    """
    last = len(text) - 1
    pieces: list[str] = []
    for index, character in enumerate(text):
        at_the_edge = (index == 0 and character in " #") or (index == last and character == " ")
        if at_the_edge or character in '"+,;<>\\':
            pieces.append(f"\\{character}")
        elif character < " " or "\x7f" <= character <= "\x9f":
            pieces.extend(f"\\{octet:02x}" for octet in character.encode())
        else:
            pieces.append(character)
    return "".join(pieces)


# DirectoryString ::= CHOICE {                                -- RFC 5280 Appendix A.1
#     teletexString     TeletexString   (SIZE (1..MAX)),
#     printableString   PrintableString (SIZE (1..MAX)),
#     universalString   UniversalString (SIZE (1..MAX)),
#     utf8String        UTF8String      (SIZE (1..MAX)),
#     bmpString         BMPString       (SIZE (1..MAX)) }
# X520name, X520CommonName and the others of Appendix A.1 are this type with an upper bound.
DirectoryString: TypeAlias = (
    Annotated[TeletexString, Size(1, None)]
    | Annotated[PrintableString, Size(1, None)]
    | Annotated[UniversalString, Size(1, None)]
    | Annotated[UTF8String, Size(1, None)]
    | Annotated[BMPString, Size(1, None)]
)

# PKCS9String ::= CHOICE {                                    -- RFC 2985 Appendix A
#     ia5String         IA5String (SIZE (1..pkcs-9-ub-pkcs9String)),
#     directoryString   DirectoryString {pkcs-9-ub-pkcs9String} }
PKCS9String: TypeAlias = Annotated[IA5String, Size(1, None)] | DirectoryString

# RandomNonce ::= OCTET STRING (SIZE(4..MAX))                 -- RFC 2985 section 5.3.4
RandomNonce: TypeAlias = Annotated[OctetString, Size(4, None)]

# SequenceNumber ::= INTEGER (1..MAX)                         -- RFC 2985 section 5.3.5
SequenceNumber: TypeAlias = Annotated[int, Range(1, None)]

# X520countryName ::= PrintableString (SIZE (2))              -- RFC 5280 Appendix A.1
CountryName: TypeAlias = Annotated[PrintableString, Size(2)]

# X520SerialNumber and EmailAddress of RFC 5280 Appendix A.1, without their upper bounds.
_Printable: TypeAlias = Annotated[PrintableString, Size(1, None)]
_IA5: TypeAlias = Annotated[IA5String, Size(1, None)]
_Numeric: TypeAlias = Annotated[NumericString, Size(1, None)]


class PostalAddress(SequenceOf[DirectoryString], size=Size(1, None)):
    """The lines of a postal address (X.520, RFC 4519 section 2.23).

    ::

        PostalAddress ::= SEQUENCE SIZE (1..ub-postal-line) OF DirectoryString
    """


class NameAndOptionalUID(Sequence):
    """A name, with a bit string that makes it unique (X.520, RFC 4519 section 2.40).

    ::

        NameAndOptionalUID ::= SEQUENCE {
            dn    DistinguishedName,
            uid   UniqueIdentifier OPTIONAL }   -- BIT STRING
    """

    dn: RDNSequence
    uid: BitString | None = None


_ATTRIBUTE_TYPES: tuple[tuple[str, str, Any], ...] = (
    # X.520, RFC 5280 Appendix A.1, RFC 4519.
    ("2.5.4.3", "id-at-commonName", DirectoryString),
    ("2.5.4.4", "id-at-surname", DirectoryString),
    ("2.5.4.5", "id-at-serialNumber", _Printable),
    ("2.5.4.6", "id-at-countryName", CountryName),
    ("2.5.4.7", "id-at-localityName", DirectoryString),
    ("2.5.4.8", "id-at-stateOrProvinceName", DirectoryString),
    ("2.5.4.9", "id-at-streetAddress", DirectoryString),
    ("2.5.4.10", "id-at-organizationName", DirectoryString),
    ("2.5.4.11", "id-at-organizationalUnitName", DirectoryString),
    ("2.5.4.12", "id-at-title", DirectoryString),
    ("2.5.4.13", "id-at-description", DirectoryString),
    ("2.5.4.15", "id-at-businessCategory", DirectoryString),
    ("2.5.4.16", "id-at-postalAddress", PostalAddress),
    ("2.5.4.17", "id-at-postalCode", DirectoryString),
    ("2.5.4.18", "id-at-postOfficeBox", DirectoryString),
    ("2.5.4.19", "id-at-physicalDeliveryOfficeName", DirectoryString),
    ("2.5.4.20", "id-at-telephoneNumber", _Printable),
    ("2.5.4.24", "x121Address", _Numeric),
    ("2.5.4.25", "internationalISDNNumber", _Numeric),
    ("2.5.4.26", "id-at-registeredAddress", PostalAddress),
    ("2.5.4.27", "destinationIndicator", _Printable),
    ("2.5.4.31", "id-at-member", RDNSequence),
    ("2.5.4.32", "id-at-owner", RDNSequence),
    ("2.5.4.33", "id-at-roleOccupant", RDNSequence),
    ("2.5.4.34", "seeAlso", RDNSequence),
    ("2.5.4.35", "userPassword", OctetString),
    ("2.5.4.41", "id-at-name", DirectoryString),
    ("2.5.4.42", "id-at-givenName", DirectoryString),
    ("2.5.4.43", "id-at-initials", DirectoryString),
    ("2.5.4.44", "id-at-generationQualifier", DirectoryString),
    ("2.5.4.45", "id-at-uniqueIdentifier", BitString),
    ("2.5.4.46", "id-at-dnQualifier", PrintableString),
    ("2.5.4.49", "id-at-distinguishedName", RDNSequence),
    ("2.5.4.50", "uniqueMember", NameAndOptionalUID),
    ("2.5.4.51", "id-at-houseIdentifier", DirectoryString),
    ("2.5.4.54", "id-at-dmdName", DirectoryString),
    ("2.5.4.65", "id-at-pseudonym", DirectoryString),
    ("2.5.4.97", "id-at-organizationIdentifier", DirectoryString),
    # RFC 4519 section 2.39 and 2.4, RFC 4524 section 2.16.
    ("0.9.2342.19200300.100.1.1", "uid", DirectoryString),
    ("0.9.2342.19200300.100.1.3", "mail", IA5String),
    ("0.9.2342.19200300.100.1.25", "id-domainComponent", IA5String),
    # PKCS #9, RFC 2985 section 5. The modules that define the types of its other attributes register them.
    ("1.2.840.113549.1.9.1", "id-emailAddress", _IA5),
    ("1.2.840.113549.1.9.2", "pkcs-9-at-unstructuredName", PKCS9String),
    ("1.2.840.113549.1.9.3", "id-contentType", ObjectIdentifier),
    ("1.2.840.113549.1.9.4", "id-messageDigest", OctetString),
    ("1.2.840.113549.1.9.5", "id-signingTime", Annotated[UTCTime | GeneralizedTime, RFC5280_TIME]),
    ("1.2.840.113549.1.9.7", "pkcs-9-at-challengePassword", DirectoryString),
    ("1.2.840.113549.1.9.8", "pkcs-9-at-unstructuredAddress", DirectoryString),
    ("1.2.840.113549.1.9.9", "pkcs-9-at-extendedCertificateAttributes", SetOf[Attribute]),
    ("1.2.840.113549.1.9.13", "pkcs-9-at-signingDescription", DirectoryString),
    ("1.2.840.113549.1.9.20", "pkcs-9-at-friendlyName", Annotated[BMPString, Size(1, None)]),
    ("1.2.840.113549.1.9.21", "pkcs-9-at-localKeyId", OctetString),
    ("1.2.840.113549.1.9.25.3", "pkcs-9-at-randomNonce", RandomNonce),
    ("1.2.840.113549.1.9.25.4", "pkcs-9-at-sequenceNumber", SequenceNumber),
    # Personal attributes of qualified certificates, RFC 3739 section 3.2.2 and RFC 2985 section 5.2.
    ("1.3.6.1.5.5.7.9.1", "id-pda-dateOfBirth", GeneralizedTime),
    ("1.3.6.1.5.5.7.9.2", "id-pda-placeOfBirth", DirectoryString),
    ("1.3.6.1.5.5.7.9.3", "id-pda-gender", Annotated[PrintableString, Size(1)]),
    ("1.3.6.1.5.5.7.9.4", "id-pda-countryOfCitizenship", CountryName),
    ("1.3.6.1.5.5.7.9.5", "id-pda-countryOfResidence", CountryName),
    # CA/Browser Forum, Guidelines for Extended Validation Certificates, section 7.1.4.2.4.
    ("1.3.6.1.4.1.311.60.2.1.1", "jurisdictionLocalityName", DirectoryString),
    ("1.3.6.1.4.1.311.60.2.1.2", "jurisdictionStateOrProvinceName", DirectoryString),
    ("1.3.6.1.4.1.311.60.2.1.3", "jurisdictionCountryName", CountryName),
)

register_known({dotted: name for dotted, name, _ in _ATTRIBUTE_TYPES})
for _dotted, _, _syntax in _ATTRIBUTE_TYPES:
    ATTRIBUTES.register(ObjectIdentifier(_dotted), _syntax)
