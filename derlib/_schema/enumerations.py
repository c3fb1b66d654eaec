"""Types with named values: `Enumerated` (X.680 20), `NamedInteger` (X.680 19.5) and `NamedBits` (X.680 22.2)."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from derlib._brief import brief, got, integer_text
from derlib._missing import missing_class_attribute
from derlib._schema.constraints import whole_number
from derlib._schema.tracebacks import ends_at_program
from derlib.errors import SchemaError

__all__ = ["Enumerated", "NamedBits", "NamedInteger"]

# The number of names that `repr` and `str` of a `NamedBits` value show.
SHOWN_NAMES = 64


class _EnumerationType(enum.EnumMeta):
    """Suggests the nearest name for a member that does not exist, and rejects two items with one number."""

    @ends_at_program
    def __new__(mcs, *arguments: Any, **keywords: Any) -> Any:
        cls: Any = super().__new__(mcs, *arguments, **keywords)
        # enum makes an alias of the second item.
        for name, member in cls.__members__.items():
            if member._name_ != name:
                raise SchemaError(f"{cls.__name__}: {name} has the number of {member._name_} ({cls.__clause__})")
        return cls

    # Type checkers would accept every name.
    if not TYPE_CHECKING:

        def __getattr__(cls, name):
            try:
                return super().__getattr__(name)  # finds members before Python 3.12
            except AttributeError:
                raise missing_class_attribute(cls, name) from None

        def __getitem__(cls, name):
            try:
                return super().__getitem__(name)
            except KeyError:
                from derlib._suggestions import remedy

                raise KeyError(f"{cls.__name__} has no item {brief(name)}; {remedy(name, cls.__members__)}") from None


class _Numbered(enum.IntEnum, metaclass=_EnumerationType):
    """The common base of `Enumerated` and `NamedInteger`: named numbers, and numbers without a name."""

    def __new__(cls, value: int) -> Any:
        # IntEnum would call int(value), which accepts "1" and 1.5.
        number = whole_number(value, f"{cls.__name__}: number of an item")
        if not -(2**63) <= number < 2**63:
            raise SchemaError(f"{cls.__name__}: number of an item: expected -2^63 to 2^63 - 1, got {brief(number)}")
        made = int.__new__(cls, number)
        made._value_ = number
        return made

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if type(value) is str:
            from derlib._suggestions import nearest, remedy

            near = nearest(value, cls.__members__)
            advice = f"did you mean {cls.__name__}[{near!r}]?" if near else remedy(value, cls.__members__)
            raise ValueError(f"{brief(value)} is not a valid {cls.__name__}; {advice}")
        # Look at type(value), as `whole_number` does: `__class__` can be overridden. Python raises ValueError for None.
        known = issubclass(type(value), int) and type(value) is not bool
        return cls._unknown(int.__index__(value)) if known else None  # type: ignore[arg-type]

    @classmethod
    def _unknown(cls, value: int) -> Any:
        """Return a member for a number without a name. The core calls this.

        The member is not stored in the class: otherwise input could fill the memory.
        """
        made = int.__new__(cls, value)
        made._name_ = f"unknown ({integer_text(value)})"
        made._value_ = value
        return made

    def __repr__(self) -> str:
        if self._name_ in type(self).__members__:
            return f"<{type(self).__name__}.{self._name_}: {int(self)}>"
        return f"<{type(self).__name__}: {integer_text(self)}>"

    def __str__(self) -> str:
        """Return the name; without a name, the number, of one of more than 256 bits its first digits."""
        return self._name_ if self._name_ in type(self).__members__ else integer_text(self)

    def __format__(self, spec: str) -> str:
        """Return the number in the format of an int, such as ``"02x"``; without a format, the text of `str`."""
        return int.__format__(self, spec) if spec else str(self)


class Enumerated(_Numbered):
    """The base of ENUMERATED types (X.680 20); a number that is not an item is an error.

    Class keyword: ``extensible=True`` for a type with "...". An unknown number then reads as an unnamed member of the
    class: it equals its number, and its `name` is, for example, ``"unknown (11)"``.

    `str` is the name. An item is always true, also the one with the number 0.

    Raises:
        SchemaError: the number of an item is not an int of 64 bits, or that of another item; or `extensible` is not a
            bool.

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
    __clause__ = "X.680 20"

    def __str__(self) -> str:
        """Return the name, for example ``"unknown (11)"``."""
        return self._name_

    def __bool__(self) -> Literal[True]:
        """Return True, so that an item with the number 0 differs from an absent value, which is None."""
        return True

    def __init_subclass__(cls, *, extensible: bool = False, **keywords: Any) -> None:
        if extensible is not True and extensible is not False:
            raise SchemaError(f"{cls.__name__}: extensible: expected True or False, got {got(extensible)}")
        super().__init_subclass__(**keywords)
        cls.__extensible__ = extensible

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return super()._missing_(value) if cls.__extensible__ or type(value) is str else None


class NamedInteger(_Numbered):
    """The base of INTEGER types with named numbers (X.680 19.5). Other numbers are also values.

    A number without a name reads as an unnamed member of the class: it equals its number, and its `name` is, for
    example, ``"unknown (11)"``. `str` of it is the number, because every number is a value of the type.

    Raises:
        SchemaError: a named number is not an int of 64 bits, or has two names.

    >>> import derlib
    >>> class Version(derlib.NamedInteger):
    ...     v1 = 0
    ...     v2 = 1
    >>> derlib.decode(Version, bytes.fromhex("020101")), derlib.decode(Version, bytes.fromhex("020102"))
    (<Version.v2: 1>, <Version: 2>)
    """

    __clause__ = "X.680 19"


def _bit_value(owner: type[Any], value: object) -> int:
    """Return the checked value of a member; the compiler checks later that each of its bits has a name."""
    number = whole_number(value, f"{owner.__name__}: value of a member")
    if number <= 0:
        raise SchemaError(
            f"{owner.__name__}: {brief(number)} is not one bit; bit number n is written 1 << n (X.680 22.2)"
        )
    return number


def _combining(name: str) -> Callable[[NamedBits, int], NamedBits]:
    """Return an operator that raises TypeError for bits of another class, which mean something else."""
    combine: Callable[[NamedBits, int], NamedBits] = getattr(enum.IntFlag, name)

    def operator(self: NamedBits, other: int) -> NamedBits:
        if isinstance(other, NamedBits) and type(other) is not type(self):
            mine, theirs = type(self).__name__, type(other).__name__
            raise TypeError(f"{mine} and {theirs} are different named bits; combine members of one class")
        return combine(self, other)

    return operator


class _Member:
    """A named bit as an attribute: read from the class, the member; read from a value, whether the bit is set."""

    def __init__(self, member: NamedBits) -> None:
        self._member = member

    def __get__(self, value: NamedBits | None, cls: type) -> NamedBits | bool:
        return self._member if value is None else enum.Flag.__contains__(value, self._member)

    def __set__(self, value: NamedBits, new: object) -> None:
        raise AttributeError(f"{self._member!r} cannot be changed in a value; combine members with |")


class _NamedBitsMeta(_EnumerationType):
    """Sets the operators and members of each class: enum replaces inherited operators of a Flag by its own."""

    def __init__(cls, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        for name in ("__or__", "__and__", "__xor__"):
            setattr(cls, name, _combining(name))
        # enum would return the member when it is read from a value, and a member is always true.
        members: Mapping[str, Any] = cls.__members__
        for name, member in members.items():
            type.__setattr__(cls, name, _Member(member))

    if not TYPE_CHECKING:

        def __call__(cls, *arguments, **keywords):
            # Without members, the call of a base makes a class: NamedBits("Usage", {...}).
            if cls.__members__ and (len(arguments) != 1 or keywords) and keywords.keys() != {"value"}:
                from derlib._suggestions import wrong_bits

                raise TypeError(wrong_bits(cls.__name__, list(cls.__members__), keywords))
            return super().__call__(*arguments, **keywords)


class NamedBits(enum.IntFlag, metaclass=_NamedBitsMeta):
    """The base of BIT STRING types with named bits (X.680 22.2): the member with value ``1 << n`` is bit n.

    Unnamed bits are preserved. Trailing zero bits are not encoded (X.690 11.2.2).

    A member that is read from a value says whether it is set: ``usage.sign`` is ``Usage.sign in usage``.
    Iteration yields the named members that are set, `len` counts all set bits, and `names` has a string for each of
    them. `repr` and `str` show the first 64 names.

    Raises:
        SchemaError: the value of a member is not an int of one bit, or of several bits that have names.
        TypeError: ``|``, ``&`` or ``^`` combine members of two classes.

    >>> import derlib
    >>> class Usage(derlib.NamedBits):
    ...     sign = 1 << 0
    ...     encipher = 1 << 2
    >>> usage = derlib.decode(Usage, bytes.fromhex("030204b0"))
    >>> usage, usage.sign, list(usage), len(usage)
    (<Usage: sign, encipher, bit 3>, True, [<Usage: sign>, <Usage: encipher>], 3)
    """

    __clause__ = "X.680 22"
    _single_bits: ClassVar[dict[int, str]]

    def __new__(cls, value: int) -> Any:
        made = int.__new__(cls, _bit_value(cls, value))
        made._value_ = int(made)
        return made

    @classmethod
    def _missing_(cls, value: object) -> NamedBits:
        # enum.Flag stores every combination that it has seen, so input could fill the memory. This class stores none.
        if isinstance(value, int) and value < 0:
            # The `~` operator asks for a negative value.
            raise ValueError(f"{cls.__name__} has no last bit, so ~ has no value; remove bits with a ^ (a & b)")
        if not isinstance(value, int):
            members = ", ".join(cls.__members__)
            raise ValueError(f"{brief(value)} is not a value of {cls.__name__}; combine its members with |: {members}")
        made = int.__new__(cls, value)
        made._name_ = None
        made._value_ = value
        return made

    def __contains__(self, member: object) -> bool:
        """Return whether all bits of a member are set.

        Raises:
            TypeError: it is not a member of this class.
        """
        if isinstance(member, type(self)):
            return super().__contains__(member)
        from derlib._suggestions import nearest

        cls, names = type(self).__name__, list(type(self).__members__)
        example = nearest(member, names) or next(iter(names), "...")
        raise TypeError(f"expected a member such as {cls}.{example}, got {got(member)}; value.names has strings")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bits that are set, in the order of the bits; "bit n" for a bit without a name."""
        return tuple(self._texts())

    @classmethod
    def _named(cls) -> dict[int, str]:
        """Return the names of single bits, by bit number, computed once for each class."""
        found: dict[int, str] | None = cls.__dict__.get("_single_bits")
        if found is None:
            # A member of several bits is only another name for them.
            members = sorted(cls.__members__.items(), key=lambda item: item[1].value)
            found = {bit.value.bit_length() - 1: name for name, bit in members if bit.value.bit_count() == 1}
            cls._single_bits = found
        return found

    def _texts(self) -> Iterator[str]:
        """Yield the names of the bits that are set."""
        named = self._named()
        # Read the binary digits: shifting a long number once for each bit is quadratic.
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
        """Return the first names and, if there are more, the number of bits that are set."""
        count = len(self)
        more = f", ... {count} in all" if count > SHOWN_NAMES else ""
        return ", ".join(islice(self._texts(), SHOWN_NAMES)) + more

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._shown() or 'none'}>"

    def __str__(self) -> str:
        return self._shown()
