"""The vocabulary of schema annotations: primitive types, tags, constraints, enumerations.

Schema classes are written with these names; `derlib._compile` reads them. To a type checker an annotation such as
`UTCTime` or `Annotated[str, Size(1, 64)]` is the Python type of its values.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from derlib._brief import brief, got, integer_text
from derlib._constraints import Range, Size, whole_number
from derlib._core import Kind
from derlib._open import OpenTypes
from derlib.errors import SchemaError

__all__ = [
    "Addition",
    "BMPString",
    "Date",
    "DateTime",
    "Containing",
    "DefinedBy",
    "Duration",
    "Enumerated",
    "Explicit",
    "Field",
    "GeneralString",
    "GeneralizedTime",
    "GraphicString",
    "IA5String",
    "ISOTime",
    "Implicit",
    "NamedBits",
    "NamedInteger",
    "NumericString",
    "OIDIRI",
    "ObjectDescriptor",
    "OctetString",
    "PrintableString",
    "Range",
    "Real",
    "RelativeOIDIRI",
    "Size",
    "TeletexString",
    "TimeOfDay",
    "UTCTime",
    "UTF8String",
    "UniversalString",
    "VideotexString",
    "VisibleString",
]

# A core tag has its number, class and form in 64 bits.
TAG_NUMBER_LIMIT = 2**60
# How many names of a `NamedBits` value are shown.
_MOST_NAMES = 64

TagClass: TypeAlias = Literal["universal", "application", "context", "private"]


@dataclass(frozen=True)
class Primitive:
    """A primitive universal type: its kind in the core, its universal tag number and its ASN.1 name."""

    kind: int
    number: int
    name: str


BOOLEAN = Primitive(Kind.KIND_BOOLEAN, 1, "BOOLEAN")
INTEGER = Primitive(Kind.KIND_INTEGER, 2, "INTEGER")
BIT_STRING = Primitive(Kind.KIND_BIT_STRING, 3, "BIT STRING")
OCTET_STRING = Primitive(Kind.KIND_OCTET_STRING, 4, "OCTET STRING")
NULL_TYPE = Primitive(Kind.KIND_NULL, 5, "NULL")
OBJECT_IDENTIFIER = Primitive(Kind.KIND_OBJECT_IDENTIFIER, 6, "OBJECT IDENTIFIER")
ENUMERATED = Primitive(Kind.KIND_ENUMERATED, 10, "ENUMERATED")
RELATIVE_OID = Primitive(Kind.KIND_RELATIVE_OID, 13, "RELATIVE-OID")
DATE = Primitive(Kind.KIND_DATE, 31, "DATE")
TIME_OF_DAY = Primitive(Kind.KIND_TIME_OF_DAY, 32, "TIME-OF-DAY")
REAL = Primitive(Kind.KIND_REAL, 9, "REAL")
UTF8_STRING = Primitive(Kind.KIND_UTF8_STRING, 12, "UTF8String")

OctetString: TypeAlias = Annotated[bytes, OCTET_STRING]
UTF8String: TypeAlias = Annotated[str, UTF8_STRING]
NumericString: TypeAlias = Annotated[str, Primitive(Kind.KIND_NUMERIC_STRING, 18, "NumericString")]
PrintableString: TypeAlias = Annotated[
    str, Primitive(Kind.KIND_PRINTABLE_STRING, 19, "PrintableString")
]
TeletexString: TypeAlias = Annotated[str, Primitive(Kind.KIND_LATIN1_STRING, 20, "TeletexString")]
VideotexString: TypeAlias = Annotated[str, Primitive(Kind.KIND_LATIN1_STRING, 21, "VideotexString")]
IA5String: TypeAlias = Annotated[str, Primitive(Kind.KIND_IA5_STRING, 22, "IA5String")]
GraphicString: TypeAlias = Annotated[str, Primitive(Kind.KIND_LATIN1_STRING, 25, "GraphicString")]
VisibleString: TypeAlias = Annotated[str, Primitive(Kind.KIND_VISIBLE_STRING, 26, "VisibleString")]
GeneralString: TypeAlias = Annotated[str, Primitive(Kind.KIND_LATIN1_STRING, 27, "GeneralString")]
UniversalString: TypeAlias = Annotated[
    str, Primitive(Kind.KIND_UNIVERSAL_STRING, 28, "UniversalString")
]
BMPString: TypeAlias = Annotated[str, Primitive(Kind.KIND_BMP_STRING, 30, "BMPString")]
OIDIRI: TypeAlias = Annotated[str, Primitive(Kind.KIND_OID_IRI, 35, "OID-IRI")]
RelativeOIDIRI: TypeAlias = Annotated[str, Primitive(Kind.KIND_RELATIVE_OID_IRI, 36, "RELATIVE-OID-IRI")]
ObjectDescriptor: TypeAlias = Annotated[str, Primitive(Kind.KIND_LATIN1_STRING, 7, "ObjectDescriptor")]
# TIME. The name `Time` is left to the many schemas that define one.
ISOTime: TypeAlias = Annotated[str, Primitive(Kind.KIND_TIME, 14, "TIME")]
Date: TypeAlias = Annotated[date, DATE]
TimeOfDay: TypeAlias = Annotated[time, TIME_OF_DAY]
DateTime: TypeAlias = Annotated[datetime, Primitive(Kind.KIND_DATE_TIME, 33, "DATE-TIME")]
Duration: TypeAlias = Annotated[str, Primitive(Kind.KIND_DURATION, 34, "DURATION")]
Real: TypeAlias = Annotated[float, REAL]
UTCTime: TypeAlias = Annotated[datetime, Primitive(Kind.KIND_UTC_TIME, 23, "UTCTime")]
GeneralizedTime: TypeAlias = Annotated[
    datetime, Primitive(Kind.KIND_GENERALIZED_TIME, 24, "GeneralizedTime")
]


class TimeRule:
    """A mark in `Annotated` by which a union of times follows RFC 5280 4.1.2.5; `RFC5280_TIME` is the only one.

    Through 2049 a `datetime` is written as UTCTime, from 2050 on and before 1950 as GeneralizedTime, and a fraction of
    a second is an error. A union without the mark writes a `datetime` in the first alternative that can hold it.
    """

    def __repr__(self) -> str:
        return "RFC5280_TIME"


RFC5280_TIME: Final = TimeRule()


@dataclass(frozen=True)
class _TagMark:
    number: int
    tag_class: TagClass = "context"

    def __post_init__(self) -> None:
        name = type(self).__name__
        number = whole_number(self.number, f"{name}: number")
        object.__setattr__(self, "number", number)
        if not 0 <= number < TAG_NUMBER_LIMIT:
            raise SchemaError(f"{name}: a tag number is 0 to 2^60 - 1, not {brief(number)}")
        if self.tag_class not in ("universal", "application", "context", "private"):
            raise SchemaError(
                f"{name}: tag_class is 'universal', 'application', 'context' or 'private', not {brief(self.tag_class)}"
            )
        if number == 0 and self.tag_class == "universal":
            raise SchemaError(f"{name}: universal tag 0 is reserved for end-of-contents (X.690 8.1.5)")


class Explicit(_TagMark):
    """An explicit tag around a type (X.690 8.14.2): ``Annotated[Extensions, Explicit(3)]``.

    Args:
        number: the tag number, 0 to 2^60 - 1.
        tag_class: "context" (default), "application", "private" or "universal".

    Raises:
        SchemaError: the number is not an int or out of range, there is no such class, or the tag is universal 0, which
            is reserved for end-of-contents (X.690 8.1.5).

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.encode(5, Annotated[int, derlib.Explicit(0)]).hex(" ")
    'a0 03 02 01 05'
    """


class Implicit(_TagMark):
    """A tag in place of the type's own (X.690 8.14.3): ``Annotated[int, Implicit(0)]``. Arguments as `Explicit`.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.encode(5, Annotated[int, derlib.Implicit(0)]).hex(" ")
    '80 01 05'
    """


@dataclass(frozen=True)
class Addition:
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


@dataclass(frozen=True)
class DefinedBy:
    """Makes a field an open type, whose type another field selects.

    Args:
        selector: the name of an OBJECT IDENTIFIER field that stands before in the same Sequence, or a dotted path
            to one inside such a field: ``"algorithm.algorithm"``.
        table: which type belongs to which OBJECT IDENTIFIER.

    Raises:
        SchemaError: the selector is not a str, or the table is not an `OpenTypes`. Where the selector leads is checked
            when the class is made.

    On `typing.Any` or `TLV` the element itself is of the selected type; on OctetString and BitString the string
    contains its encoding. An identifier that the table does not know leaves the value opaque: TLV, bytes or BitString.

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

    def __post_init__(self) -> None:
        if not isinstance(self.selector, str):
            raise SchemaError(f"DefinedBy: selector: expected the name of a field as str, got {got(self.selector)}")
        if not isinstance(self.table, OpenTypes):
            raise SchemaError(f"DefinedBy: table: expected OpenTypes, got {got(self.table)}")


@dataclass(frozen=True)
class Containing:
    """A contents constraint (X.682 11): the OCTET STRING or BIT STRING contains an encoding, and reads as its value.

    ``Annotated[Inner, OctetString, Containing(Inner)]`` is OCTET STRING (CONTAINING Inner). A type checker sees the
    first; ``Annotated[OctetString, Containing(Inner)]`` is the same type at run time.

    Args:
        type: the contained type, any type expression; a name in quotes for one that comes later.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.decode(Annotated[int, derlib.OctetString, derlib.Containing(int)], bytes.fromhex("0403020105"))
    5
    """

    type: Any


class _Missing(enum.Enum):
    MISSING = "no default"

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing.MISSING


@dataclass(frozen=True)
class Field:
    """One field of a schema class: what the dynamic form (``fields=[...]``) takes and `derlib.fields` returns.

    Attributes:
        name: any string; one that is a Python keyword is read with `getattr`.
        type: the type expression, as an annotation would have it, without ``| None``.
        optional: whether the field may be left out (OPTIONAL).
        default: its DEFAULT value, or `derlib.MISSING`.
        addition: whether it stands behind the extension marker.

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
    optional: bool = False
    default: Any = MISSING
    addition: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise SchemaError(f"Field: name: expected str, got {got(self.name)}")
        for switch in ("optional", "addition"):
            value = getattr(self, switch)
            if value is not True and value is not False:
                raise SchemaError(f"Field({brief(self.name)}): {switch}: expected True or False, got {got(value)}")


class _Numbered(enum.IntEnum):
    """What `Enumerated` and `NamedInteger` share: their members, and the values that have no name."""

    def __new__(cls, value: int) -> Any:
        # Python would call int, which makes items of "1" and 1.5, too.
        number = whole_number(value, f"{cls.__name__}: number of an item")
        if not -(2**63) <= number < 2**63:
            raise SchemaError(f"{cls.__name__}: the number of an item is -2^63 to 2^63 - 1, not {brief(number)}")
        made = int.__new__(cls, number)
        made._value_ = number
        return made

    @classmethod
    def _missing_(cls, value: object) -> Any:
        # By the type, as `whole_number` has it. What this returns Python raises a ValueError for where it is None.
        known = issubclass(type(value), int) and type(value) is not bool
        return cls._unknown(int.__index__(value)) if known else None  # type: ignore[arg-type]

    @classmethod
    def _unknown(cls, value: int) -> Any:
        """A value without a name; the core calls this. It is made anew each time, so that input cannot grow memory."""
        made = int.__new__(cls, value)
        made._name_ = f"unknown ({integer_text(value)})"
        made._value_ = value
        return made

    def __repr__(self) -> str:
        if self._name_ in type(self).__members__:
            return f"<{type(self).__name__}.{self._name_}: {int(self)}>"
        return f"<{type(self).__name__}: {integer_text(self)}>"

    def __str__(self) -> str:
        """Return the number; of one of more than 256 bits, its first digits, as `repr` does."""
        return integer_text(self)

    def __format__(self, spec: str) -> str:
        # Python 3.10 would format the text where `__str__` is defined.
        return int.__format__(self, spec) if spec else str(self)


class Enumerated(_Numbered):
    """The base of ENUMERATED types (X.680 20); a number that is not an item is an error.

    Class keyword: ``extensible=True`` for a type with "...". An unknown number then reads as an unnamed member of the
    class: it equals its number, and its `name` is, for example, ``"unknown (11)"``.

    Raises:
        SchemaError: the number of an item is not an int of 64 bits, or `extensible` is not a bool.

    >>> import derlib
    >>> class Colour(derlib.Enumerated, extensible=True):
    ...     red = 0
    ...     green = 1
    >>> derlib.decode(Colour, bytes.fromhex("0a0101"))
    <Colour.green: 1>
    >>> later = derlib.decode(Colour, bytes.fromhex("0a0107"))
    >>> later, later == 7, isinstance(later, Colour), later.name
    (<Colour: 7>, True, True, 'unknown (7)')
    """

    __extensible__: bool = False

    def __init_subclass__(cls, *, extensible: bool = False, **keywords: Any) -> None:
        if extensible is not True and extensible is not False:
            raise SchemaError(f"{cls.__name__}: extensible: expected True or False, got {got(extensible)}")
        super().__init_subclass__(**keywords)
        cls.__extensible__ = extensible

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return super()._missing_(value) if cls.__extensible__ else None


class NamedInteger(_Numbered):
    """The base of INTEGER types with named numbers (X.680 19.5). Other numbers are also values.

    A number without a name reads as an unnamed member of the class: it equals its number, and its `name` is, for
    example, ``"unknown (11)"``.

    Raises:
        SchemaError: a named number is not an int of 64 bits.

    >>> import derlib
    >>> class Version(derlib.NamedInteger):
    ...     v1 = 0
    ...     v2 = 1
    >>> derlib.decode(Version, bytes.fromhex("020101")), derlib.decode(Version, bytes.fromhex("020102"))
    (<Version.v2: 1>, <Version: 2>)
    """


def _bit_value(owner: type[Any], value: object) -> int:
    """The value of a member of named bits; whether each of its bits has a name is known when all members are."""
    number = whole_number(value, f"{owner.__name__}: value of a member")
    if number <= 0:
        raise SchemaError(
            f"{owner.__name__}: {brief(number)} is not one bit; bit number n is written 1 << n (X.680 22.2)"
        )
    return number


class NamedBits(enum.IntFlag):
    """The base of BIT STRING types with named bits (X.680 22.2): the member with value ``1 << n`` is bit n.

    Unnamed bits are preserved. Trailing zero bits are not encoded (X.690 11.2.2).

    Iteration yields the named members that are set, `len` counts all set bits, and `names` has a string for each of
    them. `repr` and `str` show the first 64 names.

    Raises:
        SchemaError: the value of a member is not an int of one bit, or of several that have names.

    >>> import derlib
    >>> class Usage(derlib.NamedBits):
    ...     sign = 1 << 0
    ...     encipher = 1 << 2
    >>> usage = derlib.decode(Usage, bytes.fromhex("030204b0"))
    >>> usage, Usage.sign in usage, list(usage), len(usage)
    (<Usage: sign, encipher, bit 3>, True, [<Usage: sign>, <Usage: encipher>], 3)
    """

    _single_bits: ClassVar[dict[int, str]]

    def __new__(cls, value: int) -> Any:
        made = int.__new__(cls, _bit_value(cls, value))
        made._value_ = int(made)
        return made

    @classmethod
    def _missing_(cls, value: object) -> NamedBits:
        # The standard library keeps every combination that it has seen for ever, which lets input grow memory.
        # Ours are made anew.
        if isinstance(value, int) and value < 0:
            # What `~` asks for.
            raise ValueError(f"{cls.__name__} has no last bit, so ~ has no value; take bits away with a ^ (a & b)")
        if not isinstance(value, int):
            members = ", ".join(cls.__members__)
            raise ValueError(f"{brief(value)} is not a set of {cls.__name__}; join its members by |: {members}")
        made = int.__new__(cls, value)
        made._name_ = None
        made._value_ = value
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bits that are set, in the order of the bits; "bit n" for one that has none."""
        return tuple(self._texts())

    @classmethod
    def _named(cls) -> dict[int, str]:
        """The names of single bits, by the number of the bit."""
        # To read the members takes longer than to read a value, so it is done once for each class.
        found: dict[int, str] | None = cls.__dict__.get("_single_bits")
        if found is None:
            # Members of several bits have no bit of their own.
            members = sorted(cls.__members__.items(), key=lambda item: item[1].value)
            found = {bit.value.bit_length() - 1: name for name, bit in members if bit.value.bit_count() == 1}
            cls._single_bits = found
        return found

    def _texts(self) -> Iterator[str]:
        """The names, one at a time."""
        named = self._named()
        # Through the digits: to shift a long number for each of its bits takes the square of its length.
        digits = enumerate(reversed(f"{int(self):b}"))
        return (named.get(number) or f"bit {number}" for number, digit in digits if digit == "1")

    def __iter__(self) -> Iterator[NamedBits]:
        """Yield the members of one bit that are set, in the order of the bits, as `enum.Flag` does.

        Bits without a name are not yielded: the value of bit n takes n / 8 bytes, so all of them together would take
        the square of the length of the input. They are in `names`.
        """
        number, members = int(self), type(self).__members__
        return (members[name] for bit, name in self._named().items() if number & 1 << bit)

    def __len__(self) -> int:
        """Return how many bits are set, with those that have no name."""
        return int(self).bit_count()

    def _shown(self) -> str:
        """The first names; of many, how many there are."""
        count = len(self)
        more = f", ... {count} in all" if count > _MOST_NAMES else ""
        return ", ".join(islice(self._texts(), _MOST_NAMES)) + more

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._shown() or 'none'}>"

    def __str__(self) -> str:
        return self._shown()
