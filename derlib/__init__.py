"""derlib: strict DER for Python. Check everything once, natively; then read lazy, immutable views that know their places.

>>> import derlib
>>> class Point(derlib.Sequence):
...     x: int
...     y: int
>>> point = Point.decode(bytes.fromhex("3006020101020102"))
>>> point.x, point.y, point.span("y").offset
(1, 2, 5)
"""

from derlib._core import NULL_VALUE as NULL
from derlib._core import TLV, BitString, Null, ObjectIdentifier, Span, Tag, parse
from derlib._open import OpenTypes
from derlib._schema import Choice, Sequence, SequenceOf, Set, SetOf, decode, fields
from derlib._types import *
from derlib._types import __all__ as _types_names
from derlib.errors import *
from derlib.errors import __all__ as _errors_names

__version__ = "0.1.0"

__all__ = [
    "NULL",
    "TLV",
    "BitString",
    "Choice",
    "Null",
    "ObjectIdentifier",
    "OpenTypes",
    "Sequence",
    "SequenceOf",
    "Set",
    "SetOf",
    "Span",
    "Tag",
    "decode",
    "fields",
    "parse",
    *_types_names,
    *_errors_names,
]
