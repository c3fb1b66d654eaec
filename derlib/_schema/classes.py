"""The base classes of schemas: `Sequence`, `Set`, `SequenceOf`, `SetOf` and `Choice`, and what works with any class."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

from derlib import _core
from derlib._brief import brief
from derlib._missing import missing_item
from derlib._options import Deviation, Limits
from derlib._schema.compiler import plan_of
from derlib._schema.metaclass import LISTS, SchemaType, specialise
from derlib._schema.open_types import OpenTypes
from derlib._schema.tracebacks import ends_at_program
from derlib._schema.types import Field
from derlib.errors import SchemaError

if TYPE_CHECKING:
    from typing_extensions import Buffer, dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[Any], Any]:
        """Do nothing: `typing.dataclass_transform` (Python 3.11) matters to type checkers only."""
        return lambda cls: cls


__all__ = ["Choice", "Sequence", "SequenceOf", "Set", "SetOf", "decode", "fields"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Sequence(_core.SequenceView, metaclass=SchemaType, root="Sequence"):
    r"""The base of SEQUENCE types (X.680 25, X.690 8.9): derive a class with annotated fields.

    ``x: T`` is a component, ``x: T | None = None`` an OPTIONAL one, ``x: T = value`` one with a DEFAULT.

    >>> from typing import Annotated
    >>> from derlib import Explicit, Sequence
    >>> class Request(Sequence):
    ...     version: Annotated[int, Explicit(0)] = 1
    ...     nonce: bytes
    ...     comment: str | None = None
    >>> request = Request.decode(bytes.fromhex("30040402abcd"))
    >>> request.version, request.nonce, request.comment
    (1, b'\xab\xcd', None)
    >>> request.span("nonce")
    Span(offset=2, header_length=2, content_length=2)
    """

    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(specialise)
        __getitem__ = missing_item
        __iter__ = None  # Otherwise Python would iterate with __getitem__.


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Set(_core.SequenceView, metaclass=SchemaType, root="Set"):
    """The base of SET types (X.680 27, X.690 8.11, 10.3). Components are encoded in tag order.

    >>> from derlib import Set
    >>> class Badge(Set):
    ...     name: str
    ...     number: int
    >>> Badge(name="a", number=1).encode().hex(" ")
    '31 06 02 01 01 0c 01 61'
    """

    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(specialise)
        __getitem__ = missing_item
        __iter__ = None


# No dataclass_transform: a constructor takes one alternative, not all of them.
class Choice(_core.ChoiceView, metaclass=SchemaType, root="Choice"):
    """The base of CHOICE types whose alternatives have names (X.680 29, X.690 8.13).

    `alternative` is the name of the alternative that is present, and `value` is its value. The attributes of the other
    alternatives raise AttributeError, so that ``case`` patterns of a class work.

    >>> from typing import Annotated
    >>> from derlib import Choice, IA5String, Implicit
    >>> class Contact(Choice):
    ...     mail: Annotated[IA5String, Implicit(1)]
    ...     number: int
    >>> match Contact.decode(bytes.fromhex("8103612e62")):
    ...     case Contact(mail=mail):
    ...         print(mail)
    a.b
    """

    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(specialise)
        __getitem__ = missing_item
        __iter__ = None


class SequenceOf(_core.ListView[T_co], metaclass=SchemaType, root="SequenceOf"):
    """A SEQUENCE OF (X.680 26, X.690 8.10): ``SequenceOf[T]``, or the base of a named class.

    >>> from derlib import SequenceOf, Size
    >>> class Row(SequenceOf[int], size=Size(1, 3)):
    ...     pass
    >>> row = Row.decode(bytes.fromhex("3006020101020102"))
    >>> len(row), row[-1], row[:]
    (2, 2, (1, 2))
    """

    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(specialise)


class SetOf(_core.ListView[T_co], metaclass=SchemaType, root="SetOf"):
    """A SET OF (X.680 28, X.690 8.12, 11.6). Elements are in the order of their encodings.

    >>> from derlib import SetOf
    >>> list(SetOf[int]([3, 1, 2]))
    [1, 2, 3]
    """

    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(specialise)


# Registering sets the flag for `case [first, *rest]` patterns, which CPython allows for Python classes only. So the
# base class in the core cannot be registered instead.
collections.abc.Sequence.register(SequenceOf)
collections.abc.Sequence.register(SetOf)
collections.abc.Sequence.register(_core.NativeList)


def _with_tables(type: Any, tables: Mapping[Any, OpenTypes]) -> Any:
    """Return what `derlib.with_open_types` does. Its module is imported at first use, because it needs `re`."""
    from derlib._schema.chosen_tables import with_open_types

    return with_open_types(type, tables)


_core.choose_tables_with(_with_tables)


@overload
def decode(
    type: type[T],
    data: Buffer,
    *,
    copy: bool = True,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    rules: str = "der",
    open_types: Mapping[Any, OpenTypes] | None = None,
) -> T: ...
@overload
def decode(
    type: Any,
    data: Buffer,
    *,
    copy: bool = True,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    rules: str = "der",
    open_types: Mapping[Any, OpenTypes] | None = None,
) -> Any: ...
def decode(
    type: Any,
    data: Buffer,
    *,
    copy: bool = True,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    rules: str = "der",
    open_types: Mapping[Any, OpenTypes] | None = None,
) -> Any:
    """Decode all of `data` as one value of any type: a schema class or another type expression.

    Args:
        type: a type expression, such as `int`, ``SequenceOf[bytes]``, ``Annotated[str, Size(1, 64)]``, or a class.
        data, copy, tolerate, limits, rules, open_types: as in `Sequence.decode`.

    Raises:
        DecodeError: `data` is not DER of this type. The error has the path, the offset and the clause.
        LimitError: `data` exceeds a limit.
        SchemaError: `type` is not a type.

    >>> import derlib
    >>> derlib.decode(derlib.SequenceOf[int], bytes.fromhex("3006020101020102"))[1]
    2
    """
    if isinstance(type, (bytes, bytearray, memoryview)):
        raise TypeError("the type comes first: decode(type, data)")
    if open_types is not None:
        type = _with_tables(type, open_types)
    return _core.decode_plan(plan_of(type), data, copy, tolerate, limits, rules)


@ends_at_program
def fields(type: Any) -> tuple[Field, ...]:
    """Return the fields of a Sequence, Set or Choice class, or of a value of one, in order.

    Raises:
        SchemaError: the class is not complete, or has no fields.

    >>> from derlib.schemas.x509 import Validity
    >>> [field.name for field in fields(Validity)]
    ['not_before', 'not_after']
    """
    cls: Any = type.__class__ if isinstance(type, _core.View) else type
    if not isinstance(cls, SchemaType) or cls.__asn1__ in LISTS:
        raise SchemaError(f"{brief(cls)} has no fields; give a Sequence, Set or Choice class")
    cls.__plan__.ready()
    return cls.__fields__
