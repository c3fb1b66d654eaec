"""Strict, fast ASN.1 DER for Python: validate the whole input once, in C, then read lazy, immutable views.

>>> import derlib
>>> class Point(derlib.Sequence):
...     x: int
...     y: int
>>> point = Point.decode(bytes.fromhex("3006020101020102"))
>>> point.x, point.y, point.span("y").offset
(1, 2, 5)

Structures are classes with annotations: `Sequence`, `Set`, `SequenceOf`, `SetOf`, `Choice`. `T.decode(data)` reads a
value, `value.encode()` returns its bytes. `decode` and `encode` do the same for any type. `parse` reads DER without a
schema. Errors are `ASN1Error`. Modules:

- `derlib.schemas`: X.509, CRLs, CMS, OCSP, PKCS #12 and others, such as `derlib.schemas.x509.Certificate`
- `derlib.pem`, `derlib.ber`, `derlib.stream`: PEM files, BER and CER, large files
- `derlib.json`, `derlib.oids`, `derlib.inspect`: JSON, names of object identifiers, types as data
- `derlib.asn1`, `derlib.cache`, `derlib.strategies`: the ASN.1 compiler, a cache, values for hypothesis
- `derlib.arrow`, `derlib.cluster`: tables of encodings

The documentation is in docs/, and starts with docs/tutorial.md. In Python, ask for `help` of one name, such as
``help(derlib.Sequence)``: below, every class appears in full, with what it inherits.
"""

from derlib import _import_check  # noqa: F401 - raises ImportError with a remedy if the core is not compiled

# isort: split
from typing import TYPE_CHECKING

from derlib import oids
from derlib._core import NULL_VALUE as NULL
from derlib._core import (
    TLV,
    BitString,
    ChoiceView,
    ListView,
    Lookup,
    Null,
    ObjectIdentifier,
    RelativeOID,
    SequenceView,
    Span,
    Tag,
    View,
    element_size,
    encode,
    parse,
    parse_ber,
)
from derlib._options import Deviation, Limits, Tolerated
from derlib._real import ExactReal
from derlib._schema.associated_types import CharacterString, EmbeddedPDV, External
from derlib._schema.classes import Choice, Sequence, SequenceOf, Set, SetOf, decode, fields
from derlib._schema.constraints import (
    Absent,
    Alphabet,
    Constraint,
    Extensible,
    OneOf,
    Present,
    Range,
    Size,
    WithComponent,
    WithComponents,
)
from derlib._schema.enumerations import Enumerated, NamedBits, NamedInteger
from derlib._schema.open_types import OpenTypes
from derlib._schema.types import (
    MISSING,
    OIDIRI,
    RFC5280_TIME,
    Addition,
    BMPString,
    Containing,
    Date,
    DateTime,
    DefinedBy,
    Duration,
    Explicit,
    Field,
    GeneralizedTime,
    GeneralString,
    GraphicString,
    IA5String,
    Implicit,
    ISOTime,
    NumericString,
    ObjectDescriptor,
    OctetString,
    PrintableString,
    Real,
    RelativeOIDIRI,
    TeletexString,
    TimeOfDay,
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
    EncryptedKeyError,
    IdentifierError,
    LengthError,
    LimitError,
    OrderError,
    PEMError,
    SchemaError,
    StructureError,
    TrailingDataError,
    TruncatedError,
    UnrepresentableError,
)

if TYPE_CHECKING:
    # These are not in `__all__`: `from derlib import *` would hide the modules `json` and `inspect` of Python.
    from derlib import asn1 as asn1
    from derlib import ber, pem, schemas, stream
    from derlib import cache as cache
    from derlib import inspect as inspect
    from derlib import json as json
    from derlib._columns import Column, Columns, columns
    from derlib._identify import identify
    from derlib._pretty import pretty
    from derlib._schema.chosen_tables import with_open_types
    from derlib.stream import encode_to, iter_decode
else:
    # Imported at first use: they need modules that decoding and encoding do not need, such as `re` and `tempfile`. Each
    # name has its module, or None if it is a module itself.
    _LAZY = {
        "Column": "derlib._columns",
        "Columns": "derlib._columns",
        "asn1": None,
        "ber": None,
        "cache": None,
        "columns": "derlib._columns",
        "encode_to": "derlib.stream",
        "identify": "derlib._identify",
        "inspect": None,
        "iter_decode": "derlib.stream",
        "json": None,
        "pem": None,
        "pretty": "derlib._pretty",
        "schemas": None,
        "stream": None,
        "with_open_types": "derlib._schema.chosen_tables",
    }

    def __getattr__(name):
        if name not in _LAZY:
            from derlib._suggestions import no_module_attribute

            raise AttributeError(no_module_attribute(__name__, name, __all__), name=name)
        from importlib import import_module

        module = _LAZY[name]
        # Importing a submodule sets the attribute, too.
        value = getattr(import_module(module), name) if module else import_module(f"derlib.{name}")
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*globals(), *_LAZY})


__version__ = "0.1.0"

__all__ = [
    "ASN1Error",
    "Absent",
    "Addition",
    "Alphabet",
    "BMPString",
    "BitString",
    "CharacterString",
    "Choice",
    "ChoiceView",
    "Column",
    "Columns",
    "Constraint",
    "ConstraintError",
    "ConstraintViolation",
    "Containing",
    "ContentsError",
    "Date",
    "DateTime",
    "DecodeError",
    "DefaultError",
    "DefinedBy",
    "Deviation",
    "Duration",
    "EmbeddedPDV",
    "EncodeError",
    "EncryptedKeyError",
    "Enumerated",
    "ExactReal",
    "Explicit",
    "Extensible",
    "External",
    "Field",
    "GeneralString",
    "GeneralizedTime",
    "GraphicString",
    "IA5String",
    "ISOTime",
    "IdentifierError",
    "Implicit",
    "LengthError",
    "LimitError",
    "Limits",
    "ListView",
    "Lookup",
    "MISSING",
    "NULL",
    "NamedBits",
    "NamedInteger",
    "Null",
    "NumericString",
    "OIDIRI",
    "ObjectDescriptor",
    "ObjectIdentifier",
    "OctetString",
    "OneOf",
    "OpenTypes",
    "OrderError",
    "PEMError",
    "Present",
    "PrintableString",
    "RFC5280_TIME",
    "Range",
    "Real",
    "RelativeOID",
    "RelativeOIDIRI",
    "SchemaError",
    "Sequence",
    "SequenceOf",
    "SequenceView",
    "Set",
    "SetOf",
    "Size",
    "Span",
    "StructureError",
    "TLV",
    "Tag",
    "TeletexString",
    "TimeOfDay",
    "Tolerated",
    "TrailingDataError",
    "TruncatedError",
    "UTCTime",
    "UTF8String",
    "UniversalString",
    "UnrepresentableError",
    "VideotexString",
    "View",
    "VisibleString",
    "WithComponent",
    "WithComponents",
    "ber",
    "columns",
    "decode",
    "element_size",
    "encode",
    "encode_to",
    "fields",
    "identify",
    "iter_decode",
    "oids",
    "parse",
    "parse_ber",
    "pem",
    "pretty",
    "schemas",
    "stream",
    "with_open_types",
]

# Pickles, fingerprints and `help` have the public module, so that classes can move inside derlib.
for _public in (globals().get(_name) for _name in __all__):
    if isinstance(_public, type) and _public.__module__.startswith("derlib._"):
        _public.__module__ = "derlib"
del _public
