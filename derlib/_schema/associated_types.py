"""EXTERNAL, EMBEDDED PDV and CHARACTER STRING, as classes of their associated types (X.680 36, 37, 44; X.690 8.18).

The core validates elements with these universal tags by these classes, also in ANY.
"""

from typing import Annotated, Any

from derlib import _core
from derlib._core import BitString, Null, ObjectIdentifier
from derlib._schema.classes import Choice, Sequence
from derlib._schema.types import Explicit, Implicit, ObjectDescriptor

__all__ = ["CharacterString", "EmbeddedPDV", "External"]


class ExternalEncoding(Choice):
    """The data value of an EXTERNAL (X.690 8.18.1).

    Attributes:
        single_asn1_type: an element, if the value is of an ASN.1 type.
        octet_aligned: the value as octets.
        arbitrary: the value as bits.
    """

    single_asn1_type: Annotated[Any, Explicit(0)]
    octet_aligned: Annotated[bytes, Implicit(1)]
    arbitrary: Annotated[BitString, Implicit(2)]


class External(Sequence, tag=Implicit(8, "universal")):
    """EXTERNAL (X.680 37, X.690 8.18): a value of another syntax, with at least one reference to it.

    Attributes:
        direct_reference: the object identifier of the syntax, or None.
        indirect_reference: the number of a presentation context, or None.
        data_value_descriptor: a description for human readers, or None.
        encoding: the value: an element, octets or bits.

    >>> import derlib
    >>> external = derlib.External.from_native({"direct_reference": "2.999.1", "encoding": {"octet_aligned": b"any"}})
    >>> external.encode().hex(" ")
    '28 0a 06 03 88 37 01 81 03 61 6e 79'
    """

    direct_reference: ObjectIdentifier | None = None
    indirect_reference: int | None = None
    data_value_descriptor: ObjectDescriptor | None = None
    encoding: ExternalEncoding

    # X.690 8.18, table 8: a syntax, a presentation context, or both.
    __one_of__ = 2


class Syntaxes(Sequence):
    """The abstract syntax and the transfer syntax of a value."""

    abstract: Annotated[ObjectIdentifier, Implicit(0)]
    transfer: Annotated[ObjectIdentifier, Implicit(1)]


class ContextNegotiation(Sequence):
    """A presentation context that is being negotiated, and the transfer syntax until then."""

    presentation_context_id: Annotated[int, Implicit(0)]
    transfer_syntax: Annotated[ObjectIdentifier, Implicit(1)]


class Identification(Choice):
    """The syntaxes of an EMBEDDED PDV or CHARACTER STRING (X.680 36.5, 44.5)."""

    syntaxes: Annotated[Syntaxes, Implicit(0)]
    syntax: Annotated[ObjectIdentifier, Implicit(1)]
    presentation_context_id: Annotated[int, Implicit(2)]
    context_negotiation: Annotated[ContextNegotiation, Implicit(3)]
    transfer_syntax: Annotated[ObjectIdentifier, Implicit(4)]
    fixed: Annotated[Null, Implicit(5)]


class IdentifiedValue(Sequence):
    """The part that EMBEDDED PDV and CHARACTER STRING share.

    Their data-value-descriptor [1] is always absent (X.680 36.5, 44.5), so it is not a field.
    """

    identification: Annotated[Identification, Explicit(0)]


class EmbeddedPDV(IdentifiedValue, tag=Implicit(11, "universal")):
    """EMBEDDED PDV (X.680 36, X.690 8.17).

    Attributes:
        identification: the abstract and transfer syntaxes of the value.
        data_value: the octets of the value.

    >>> import derlib
    >>> value = derlib.EmbeddedPDV.from_native({"identification": {"fixed": derlib.NULL}, "data_value": b"any"})
    >>> value.encode().hex(" ")
    '2b 09 a0 02 85 00 82 03 61 6e 79'
    """

    data_value: Annotated[bytes, Implicit(2)]


class CharacterString(IdentifiedValue, tag=Implicit(29, "universal")):
    """CHARACTER STRING (X.680 44, X.690 8.24).

    Attributes:
        identification: the abstract and transfer syntaxes of the characters.
        string_value: the octets of the characters.

    >>> import derlib
    >>> value = derlib.CharacterString.from_native({"identification": {"fixed": derlib.NULL}, "string_value": b"any"})
    >>> value.encode().hex(" ")
    '3d 09 a0 02 85 00 82 03 61 6e 79'
    """

    string_value: Annotated[bytes, Implicit(2)]


_core.set_associated(External.__plan__, EmbeddedPDV.__plan__, CharacterString.__plan__)
