"""derlib: strict DER for Python. Check everything once, natively; then read lazy, immutable views.

>>> import derlib
>>> class Point(derlib.Sequence):
...     x: int
...     y: int
>>> point = Point.decode(bytes.fromhex("3006020101020102"))
>>> point.x, point.y, point.span("y").offset
(1, 2, 5)
"""

from derlib import oids, pem
from derlib._core import NULL_VALUE as NULL
from derlib._core import TLV, BitString, Lookup, Null, ObjectIdentifier, Span, Tag, parse
from derlib._open import OpenTypes
from derlib._options import Deviation, Limits, Tolerated
from derlib._pretty import pretty
from derlib._real import ExactReal
from derlib._schema import Choice, Sequence, SequenceOf, Set, SetOf, decode, encode, fields
from derlib._stream import encode_to
from derlib._types import (
    BMPString,
    DefinedBy,
    Enumerated,
    Explicit,
    Field,
    GeneralizedTime,
    GeneralString,
    GraphicString,
    IA5String,
    Implicit,
    NamedBits,
    NamedInteger,
    NumericString,
    OctetString,
    PrintableString,
    Range,
    Real,
    Size,
    TeletexString,
    UniversalString,
    UTCTime,
    UTF8String,
    VideotexString,
    VisibleString,
)
from derlib.errors import (
    ASN1Error,
    ConstraintError,
    ConstraintViolation,
    ContentsError,
    DecodeError,
    DefaultError,
    EncodeError,
    IdentifierError,
    LengthError,
    LimitError,
    OrderError,
    SchemaError,
    TrailingDataError,
    TruncatedError,
    UnexpectedError,
    UnrepresentableError,
)

__version__ = "0.1.0"

__all__ = [
    "NULL",
    "Lookup",
    "TLV",
    "ASN1Error",
    "BMPString",
    "BitString",
    "Choice",
    "ConstraintError",
    "ConstraintViolation",
    "ContentsError",
    "DecodeError",
    "DefaultError",
    "DefinedBy",
    "Deviation",
    "EncodeError",
    "Enumerated",
    "ExactReal",
    "Explicit",
    "Field",
    "GeneralString",
    "GeneralizedTime",
    "GraphicString",
    "IA5String",
    "IdentifierError",
    "Implicit",
    "LengthError",
    "LimitError",
    "Limits",
    "NamedBits",
    "NamedInteger",
    "Null",
    "NumericString",
    "ObjectIdentifier",
    "OctetString",
    "OpenTypes",
    "OrderError",
    "PrintableString",
    "Range",
    "Real",
    "SchemaError",
    "Sequence",
    "SequenceOf",
    "Set",
    "SetOf",
    "Size",
    "Span",
    "Tag",
    "TeletexString",
    "Tolerated",
    "TrailingDataError",
    "TruncatedError",
    "UTCTime",
    "UTF8String",
    "UnexpectedError",
    "UniversalString",
    "UnrepresentableError",
    "VideotexString",
    "VisibleString",
    "decode",
    "encode",
    "encode_to",
    "fields",
    "oids",
    "parse",
    "pem",
    "pretty",
]
