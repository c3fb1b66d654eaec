"""The names that annotations are written with: string and time types, tags, `DefinedBy`, `Containing`, `Field`.

The compiler reads them. For a type checker, an annotation such as `UTCTime` or `Annotated[str, Size(1, 64)]` is the
Python type of its values.
"""

from __future__ import annotations

import enum
from datetime import date, datetime, time
from typing import Annotated, Any, Final, Literal, TypeAlias

from derlib import _core
from derlib._brief import brief, got
from derlib._core import Kind
from derlib._immutable import Immutable
from derlib._schema.constraints import whole_number
from derlib._schema.open_types import OpenTypes
from derlib._schema.tracebacks import ends_at_program
from derlib.errors import SchemaError

__all__ = [
    "Addition",
    "BMPString",
    "Date",
    "DateTime",
    "Containing",
    "DefinedBy",
    "Duration",
    "Explicit",
    "Field",
    "GeneralString",
    "GeneralizedTime",
    "GraphicString",
    "IA5String",
    "ISOTime",
    "Implicit",
    "NumericString",
    "OIDIRI",
    "ObjectDescriptor",
    "OctetString",
    "PrintableString",
    "Real",
    "RFC5280_TIME",
    "RelativeOIDIRI",
    "TeletexString",
    "TimeOfDay",
    "UTCTime",
    "UTF8String",
    "UniversalString",
    "VideotexString",
    "VisibleString",
]

# The core holds number, class and form of a tag in 64 bits.
TAG_NUMBER_LIMIT = 2**60

TagClass: TypeAlias = Literal["universal", "application", "context", "private"]


class Primitive(Immutable):
    """A primitive universal type: its kind in the core, its universal tag number and its ASN.1 name."""

    kind: int
    number: int
    name: str

    def __init__(self, kind: int, number: int, name: str) -> None:
        self._set(kind=kind, number=number, name=name)


UNIVERSAL = {name: Primitive(kind, number, name) for number, name, kind in _core.universal_types()}

BOOLEAN: Primitive = UNIVERSAL["BOOLEAN"]
INTEGER: Primitive = UNIVERSAL["INTEGER"]
BIT_STRING: Primitive = UNIVERSAL["BIT STRING"]
OCTET_STRING: Primitive = UNIVERSAL["OCTET STRING"]
NULL_TYPE: Primitive = UNIVERSAL["NULL"]
OBJECT_IDENTIFIER: Primitive = UNIVERSAL["OBJECT IDENTIFIER"]
# The kind in `UNIVERSAL` is that of an element without a schema, INTEGER.
ENUMERATED: Primitive = Primitive(Kind.KIND_ENUMERATED, 10, "ENUMERATED")
RELATIVE_OID: Primitive = UNIVERSAL["RELATIVE-OID"]
DATE: Primitive = UNIVERSAL["DATE"]
TIME_OF_DAY: Primitive = UNIVERSAL["TIME-OF-DAY"]
REAL: Primitive = UNIVERSAL["REAL"]
UTF8_STRING: Primitive = UNIVERSAL["UTF8String"]

OctetString: TypeAlias = Annotated[bytes, OCTET_STRING]
UTF8String: TypeAlias = Annotated[str, UTF8_STRING]
NumericString: TypeAlias = Annotated[str, UNIVERSAL["NumericString"]]
PrintableString: TypeAlias = Annotated[str, UNIVERSAL["PrintableString"]]
TeletexString: TypeAlias = Annotated[str, UNIVERSAL["TeletexString"]]
VideotexString: TypeAlias = Annotated[str, UNIVERSAL["VideotexString"]]
IA5String: TypeAlias = Annotated[str, UNIVERSAL["IA5String"]]
GraphicString: TypeAlias = Annotated[str, UNIVERSAL["GraphicString"]]
VisibleString: TypeAlias = Annotated[str, UNIVERSAL["VisibleString"]]
GeneralString: TypeAlias = Annotated[str, UNIVERSAL["GeneralString"]]
UniversalString: TypeAlias = Annotated[str, UNIVERSAL["UniversalString"]]
BMPString: TypeAlias = Annotated[str, UNIVERSAL["BMPString"]]
OIDIRI: TypeAlias = Annotated[str, UNIVERSAL["OID-IRI"]]
RelativeOIDIRI: TypeAlias = Annotated[str, UNIVERSAL["RELATIVE-OID-IRI"]]
ObjectDescriptor: TypeAlias = Annotated[str, UNIVERSAL["ObjectDescriptor"]]
# TIME. Many schemas define a type `Time`, so the name is not used here.
ISOTime: TypeAlias = Annotated[str, UNIVERSAL["TIME"]]
Date: TypeAlias = Annotated[date, DATE]
TimeOfDay: TypeAlias = Annotated[time, TIME_OF_DAY]
DateTime: TypeAlias = Annotated[datetime, UNIVERSAL["DATE-TIME"]]
Duration: TypeAlias = Annotated[str, UNIVERSAL["DURATION"]]
Real: TypeAlias = Annotated[float, REAL]
UTCTime: TypeAlias = Annotated[datetime, UNIVERSAL["UTCTime"]]
GeneralizedTime: TypeAlias = Annotated[datetime, UNIVERSAL["GeneralizedTime"]]


class TimeEncoding:
    """The type of `RFC5280_TIME`, a mark in `Annotated` that makes a union of times follow RFC 5280 4.1.2.5.

    A `datetime` from 1950 through 2049 is encoded as UTCTime, any other as GeneralizedTime, and a fraction of a second
    is an error. A union without the mark encodes a `datetime` as UTCTime, or else as GeneralizedTime.
    """

    __module__ = "derlib"

    def __repr__(self) -> str:
        return "RFC5280_TIME"

    def __reduce__(self) -> str:
        return "RFC5280_TIME"


RFC5280_TIME: Final = TimeEncoding()


class _TagMark(Immutable):
    number: int
    tag_class: TagClass

    def _set_tag(self, number: int, tag_class: TagClass) -> None:
        name = type(self).__name__
        number = whole_number(number, f"{name}: number")
        self._set(number=number, tag_class=tag_class)
        if not 0 <= number < TAG_NUMBER_LIMIT:
            raise SchemaError(f"{name}: number: expected 0 to 2^60 - 1, got {brief(number)}")
        if tag_class not in ("universal", "application", "context", "private"):
            expected = "'universal', 'application', 'context' or 'private'"
            raise SchemaError(f"{name}: tag_class: expected {expected}, got {brief(tag_class)}")
        if number == 0 and tag_class == "universal":
            raise SchemaError(f"{name}: universal tag 0 is reserved for end-of-contents (X.690 8.1.5)")


class Explicit(_TagMark):
    """An explicit tag around a type (X.690 8.14.2): ``Annotated[Extensions, Explicit(3)]``.

    Args:
        number: the tag number, 0 to 2^60 - 1.
        tag_class: "context" (default), "application", "private" or "universal".

    Raises:
        SchemaError: the number is not an int or out of range, the class is unknown, or the tag is universal 0, which
            is reserved for end-of-contents (X.690 8.1.5).

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.encode(5, Annotated[int, derlib.Explicit(0)]).hex(" ")
    'a0 03 02 01 05'
    """

    @ends_at_program
    def __init__(self, number: int, tag_class: TagClass = "context") -> None:
        self._set_tag(number, tag_class)


class Implicit(_TagMark):
    """A tag in place of the type's own (X.690 8.14.3): ``Annotated[int, Implicit(0)]``.

    The arguments are those of `Explicit`.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.encode(5, Annotated[int, derlib.Implicit(0)]).hex(" ")
    '80 01 05'
    """

    @ends_at_program
    def __init__(self, number: int, tag_class: TagClass = "context") -> None:
        self._set_tag(number, tag_class)


class Addition(Immutable):
    """Mark a field of an extensible class as an addition, which comes after the marker "..." (X.680 25, 27, 29).

    Write ``note: Annotated[str, Addition()] | None = None``. A sender of an older version omits an addition, so it must
    be optional or have a default. This does not apply to an alternative of a Choice.

    >>> from typing import Annotated
    >>> import derlib
    >>> class Hello(derlib.Sequence, extensible=True):
    ...     version: int
    ...     note: Annotated[str, derlib.Addition()] | None = None
    >>> Hello.decode(bytes.fromhex("3003020101"))
    Hello(version=1)
    """


class DefinedBy(Immutable):
    """Make a field an open type: another field selects its type.

    Args:
        selector: the name of another field of the same Sequence, or a dotted path to one inside another field:
            ``"algorithm.algorithm"``. It is an OBJECT IDENTIFIER, a number, or a Choice of them, before or after the
            open type.
        table: the type for each value of the selector.

    Raises:
        SchemaError: the selector is not a str, or the table is not an `OpenTypes`. The field that the selector names
            is checked when the class is made.

    A field of type `typing.Any` or `TLV` is an element of the selected type. An OctetString or BitString contains the
    encoding of one. If the table has no type for an identifier, the value is opaque: a TLV, bytes or BitString.

    >>> from typing import Annotated, Any
    >>> import derlib
    >>> TYPES = derlib.OpenTypes("TYPES", {"2.999.1": int})
    >>> class Parameter(derlib.Sequence):
    ...     kind: derlib.ObjectIdentifier
    ...     value: Annotated[Any, derlib.OctetString, derlib.DefinedBy("kind", TYPES)]
    >>> Parameter.decode(bytes.fromhex("300a 0603883701 0403020105")).value
    5
    """

    selector: str
    table: OpenTypes

    @ends_at_program
    def __init__(self, selector: str, table: OpenTypes) -> None:
        if not isinstance(selector, str):
            raise SchemaError(f"DefinedBy: selector: expected the name of a field as str, got {got(selector)}")
        if not isinstance(table, OpenTypes):
            raise SchemaError(f"DefinedBy: table: expected OpenTypes, got {got(table)}")
        self._set(selector=selector, table=table)


class Containing(Immutable):
    """A contents constraint (X.682 11): the OCTET STRING or BIT STRING contains an encoding, and reads as its value.

    ``Annotated[Inner, OctetString, Containing(Inner)]`` is OCTET STRING (CONTAINING Inner). A type checker uses the
    first argument, `Inner`. At run time, ``Annotated[OctetString, Containing(Inner)]`` is the same type, and its values
    are not bytes.

    Args:
        type: the contained type, any type expression. Quote the name of a type that is defined later.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.decode(Annotated[int, derlib.OctetString, derlib.Containing(int)], bytes.fromhex("0403020105"))
    5
    """

    type: Any

    @ends_at_program
    def __init__(self, type: Any) -> None:
        self._set(type=type)


class _Missing(enum.Enum):
    MISSING = "no default"

    def __repr__(self) -> str:
        return "MISSING"

    __str__ = __repr__


MISSING = _Missing.MISSING


class Field(Immutable):
    """One field of a schema class, for the dynamic form (``fields=[...]``) and from `derlib.fields`.

    Attributes:
        name: any string; read a field whose name is a Python keyword with `getattr`.
        type: the type expression, as in an annotation, without ``| None``.
        optional: whether the field is OPTIONAL.
        default: its DEFAULT value, or `derlib.MISSING`.
        addition: whether it comes after the extension marker.

    Raises:
        SchemaError: the name is not a str, or `optional` or `addition` is not a bool. The type and the default are
            checked when the class is made.

    >>> import derlib
    >>> from derlib import Field
    >>> class Course(derlib.Sequence, fields=[Field("from", int), Field("to", int), Field("step", int, default=1)]):
    ...     pass
    >>> getattr(Course(**{"from": 2, "to": 9}), "from"), derlib.fields(Course)[0].default
    (2, MISSING)
    """

    name: str
    type: Any
    optional: bool
    default: Any
    addition: bool

    @ends_at_program
    def __init__(
        self, name: str, type: Any, optional: bool = False, default: Any = MISSING, addition: bool = False
    ) -> None:
        if not isinstance(name, str):
            raise SchemaError(f"Field: name: expected str, got {got(name)}")
        for switch, value in (("optional", optional), ("addition", addition)):
            if value is not True and value is not False:
                raise SchemaError(f"Field({brief(name)}): {switch}: expected True or False, got {got(value)}")
        self._set(name=name, type=type, optional=optional, default=default, addition=addition)
