"""The attributes of CMS: the general type, the sets of RFC 5652, and values that have a class of their own.

Used by `derlib.schemas.cms` and `derlib.schemas.keys`. The type of a value is in `ATTRIBUTES` of
`derlib.schemas.attributes`, the table that names share. A value of another type is decoded as a generic `TLV`, except
that it is an error in a countersignature and in a time stamp.

>>> attribute = Attribute.decode(bytes.fromhex("301806092a864886f70d010903310b06092a864886f70d010701"))
>>> attribute.attr_type.name, attribute.attr_values[0].name
('id-contentType', 'id-data')
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import DefinedBy, Implicit, ObjectIdentifier, OctetString, Range, Sequence, SetOf, Size
from derlib.oids import by_name, register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.x509 import Time

_COMPILE_AT_FIRST_USE = True

ContentType: TypeAlias = ObjectIdentifier  # section 11.1
MessageDigest: TypeAlias = OctetString  # section 11.2
SigningTime: TypeAlias = Time  # section 11.3
BinaryTime: TypeAlias = Annotated[int, Range(0, None)]  # RFC 6019 section 2

# `derlib.schemas.attributes` registers the types of the values.
id_content_type = ObjectIdentifier("1.2.840.113549.1.9.3")
id_message_digest = ObjectIdentifier("1.2.840.113549.1.9.4")
id_signing_time = ObjectIdentifier("1.2.840.113549.1.9.5")


class Attribute(Sequence):
    """An attribute with all of its values (RFC 5652 section 5.3).

    ::

        Attribute ::= SEQUENCE {
            attrType     OBJECT IDENTIFIER,
            attrValues   SET OF AttributeValue }   -- ANY DEFINED BY attrType
    """

    attr_type: ObjectIdentifier
    attr_values: SetOf[Annotated[Any, DefinedBy("attr_type", ATTRIBUTES)]]

    @classmethod
    def of(cls, type: ObjectIdentifier | str, *values: Any) -> Attribute:
        """Return an attribute with these values, each of the type that `type` selects.

        Args:
            type: the type of the attribute: an `ObjectIdentifier`, its dotted form or its name.
            values: one value, or several for an attribute that can have them.

        Raises:
            ConstraintError: a value does not have the type of the attribute.

        >>> Attribute.of(id_message_digest, b"digest").attr_values[0]
        b'digest'
        """
        return cls.from_native({"attr_type": type, "attr_values": values})


class Attributes(SetOf[Attribute]):
    """Attributes, at most one of each type (RFC 5958 section 2; the base of the sets of RFC 5652).

    ::

        Attributes ::= SET OF Attribute

    >>> attributes = Attributes([Attribute.of(id_message_digest, b"digest")])
    >>> attributes.get(id_message_digest), attributes.get(id_signing_time)
    (b'digest', None)
    """

    def get(self, which: ObjectIdentifier | str) -> Any:
        """Return the first value of the first attribute with this type, or None if it has none.

        Args:
            which: the type of the attribute: an `ObjectIdentifier`, its dotted form or its name.

        The attributes that RFC 5652 requires have exactly one value (section 11). For attributes with several values,
        such as countersignatures, use `get_all`.
        """
        values = self.get_all(which)
        return values[0] if values else None

    def get_all(self, which: ObjectIdentifier | str) -> tuple[Any, ...]:
        """Return all values of all attributes with this type; empty if the set has none."""
        oid = ObjectIdentifier(by_name(which))
        return tuple(value for attribute in self if attribute.attr_type == oid for value in attribute.attr_values)


class SignedAttributes(Attributes, size=Size(1, None), ber="refuse"):
    """The attributes that are signed with the content (RFC 5652 section 5.3).

    ::

        SignedAttributes ::= SET SIZE (1..MAX) OF Attribute

    They are DER also if the object around them is BER.
    """


class UnsignedAttributes(Attributes, size=Size(1, None)):
    """Attributes that are not signed, such as countersignatures (RFC 5652 section 5.3).

    ::

        UnsignedAttributes ::= SET SIZE (1..MAX) OF Attribute
    """


class UnprotectedAttributes(Attributes, size=Size(1, None)):
    """Attributes that are not encrypted (RFC 5652 section 6.1).

    ::

        UnprotectedAttributes ::= SET SIZE (1..MAX) OF Attribute
    """


class AuthAttributes(Attributes, size=Size(1, None), ber="refuse"):
    """The attributes that are authenticated with the content (RFC 5652 section 9.1, RFC 5083 section 2.1).

    ::

        AuthAttributes ::= SET SIZE (1..MAX) OF Attribute

    They are DER also if the object around them is BER.
    """


class UnauthAttributes(Attributes, size=Size(1, None)):
    """Attributes that are not authenticated (RFC 5652 section 9.1).

    ::

        UnauthAttributes ::= SET SIZE (1..MAX) OF Attribute
    """


class CMSAlgorithmProtection(Sequence):
    """The algorithms of a signer, protected by the signature; exactly one field of [1] and [2] (RFC 6211 section 2).

    ::

        CMSAlgorithmProtection ::= SEQUENCE {
            digestAlgorithm      DigestAlgorithmIdentifier,
            signatureAlgorithm   [1] SignatureAlgorithmIdentifier OPTIONAL,
            macAlgorithm         [2] MessageAuthenticationCodeAlgorithm OPTIONAL }
    """

    digest_algorithm: AlgorithmIdentifier
    signature_algorithm: Annotated[AlgorithmIdentifier, Implicit(1)] | None = None
    mac_algorithm: Annotated[AlgorithmIdentifier, Implicit(2)] | None = None


# `derlib.schemas.cms` registers attributes whose values contain a SignerInfo or a ContentInfo.
_ATTRIBUTE_TYPES: tuple[tuple[str, str, Any], ...] = (
    ("1.2.840.113549.1.9.52", "id-aa-CMSAlgorithmProtection", CMSAlgorithmProtection),
    ("1.2.840.113549.1.9.16.2.46", "id-aa-binarySigningTime", BinaryTime),
)

register_known({dotted: name for dotted, name, _ in _ATTRIBUTE_TYPES})
for _dotted, _, _syntax in _ATTRIBUTE_TYPES:
    ATTRIBUTES.register(ObjectIdentifier(_dotted), _syntax)
