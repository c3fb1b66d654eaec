"""The constraints of the schema language (X.680 50, 51): `Size`, `Range`, `Alphabet`, `OneOf`, and their combinations.

Annotations contain them: ``Annotated[int, Range(0, 5) | Range(10, 15)]``. `|` is a union, `&` an intersection, `-` an
exclusion (EXCEPT) and `~` a complement (ALL EXCEPT). `str` returns the ASN.1 notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from derlib._brief import brief, got, integer_text
from derlib._immutable import Immutable
from derlib._schema.tracebacks import ends_at_program
from derlib.errors import SchemaError

__all__ = [
    "Absent",
    "Alphabet",
    "Constraint",
    "Extensible",
    "OneOf",
    "Present",
    "Range",
    "Size",
    "WithComponent",
    "WithComponents",
]


def whole_number(value: object, argument: str, expected: str = "int") -> int:
    """Return `value` as an int. Error messages use `argument`, such as "Size: low".

    Raises:
        SchemaError: it is not an int, or it is a bool.
    """
    # type(value), because `__class__` can be overridden.
    if issubclass(type(value), int) and type(value) is not bool:
        return int.__index__(value)  # type: ignore[arg-type]
    raise SchemaError(f"{argument}: expected {expected}, got {got(value)}")


class Constraint(Immutable):
    """The base of constraints. They are immutable, and combine with ``|``, ``&``, ``-`` and ``~`` (X.680 50).

    >>> from derlib import Range, Size
    >>> print(Range(0, 5) | Range(10, 15), "and", ~Size(0))
    0..5 | 10..15 and ALL EXCEPT SIZE (0)
    """

    def __init_subclass__(cls) -> None:
        init: Any = vars(cls).get("__init__")
        if init is not None:
            cls.__init__ = ends_at_program(init)  # type: ignore[method-assign]

    def __hash__(self) -> int:
        try:
            return super().__hash__()
        except TypeError:
            # A single value can be a dict or list, and `Annotated[...] | None` needs a hash of each constraint.
            return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(brief, vars(self).values()))})"

    def __or__(self, other: Constraint) -> Constraint:
        return Union(self, other) if isinstance(other, Constraint) else NotImplemented

    def __and__(self, other: Constraint) -> Constraint:
        return Intersection(self, other) if isinstance(other, Constraint) else NotImplemented

    def __sub__(self, other: Constraint) -> Constraint:
        return Intersection(self, Complement(other)) if isinstance(other, Constraint) else NotImplemented

    def __invert__(self) -> Constraint:
        return Complement(self)


class Pair(Constraint):
    """Two constraints."""

    left: Constraint
    right: Constraint

    def __init__(self, left: Constraint, right: Constraint) -> None:
        _check_not_extensible(left, right)
        self._set(left=left, right=right)


class Union(Pair):
    """Values that satisfy at least one of two constraints."""

    def __repr__(self) -> str:
        return f"({self.left!r} | {self.right!r})"

    def __str__(self) -> str:
        return f"{self.left} | {self.right}"


class Intersection(Pair):
    """Values that satisfy both constraints."""

    def __repr__(self) -> str:
        return f"({self.left!r} & {self.right!r})"

    def __str__(self) -> str:
        if isinstance(self.right, Complement):
            return f"{_bracketed(self.left)} EXCEPT {_bracketed(self.right.inner)}"
        return f"{_bracketed(self.left)} ^ {_bracketed(self.right)}"


class Complement(Constraint):
    """Values that do not satisfy a constraint."""

    inner: Constraint

    def __init__(self, inner: Constraint) -> None:
        _check_not_extensible(inner)
        self._set(inner=inner)

    def __repr__(self) -> str:
        return f"~{self.inner!r}"

    def __str__(self) -> str:
        return f"ALL EXCEPT {_bracketed(self.inner)}"


def _check_not_extensible(*constraints: Constraint) -> None:
    """Raise SchemaError if a part of a combination has an extension marker: it would restrict nothing."""
    for one in constraints:
        if isinstance(one, Extensible):
            raise SchemaError(f"{one!r} is part of another constraint; write Extensible(...) around the whole")


class Extensible(Constraint):
    """A constraint with an extension marker: ``(SIZE (1..64), ...)`` in ASN.1 (X.680 52).

    It restricts nothing, because a later version of the protocol can allow other values. It documents which values this
    version has.

    Args:
        root: the constraint before the marker.

    Raises:
        SchemaError: `root` is not a constraint, or an `Extensible`. Also when one is part of another constraint.

    >>> from typing import Annotated
    >>> import derlib
    >>> Priority = Annotated[int, derlib.Extensible(derlib.Range(0, 9))]
    >>> derlib.decode(Priority, derlib.encode(12, Priority))
    12
    """

    root: Constraint

    def __init__(self, root: Constraint) -> None:
        if not isinstance(root, Constraint):
            raise SchemaError(f"Extensible: expected a constraint, got {got(root)}")
        _check_not_extensible(root)
        self._set(root=root)

    def __str__(self) -> str:
        return f"{self.root}, ..."


def _bracketed(constraint: Constraint) -> str:
    several = isinstance(constraint, OneOf) and len(constraint.values) > 1
    if several or isinstance(constraint, (Union, Intersection, Complement)):
        return f"({constraint})"
    return str(constraint)


class _Low:
    """The default of `high` in `Size`, which signatures show as `high=low`."""

    def __repr__(self) -> str:
        return "low"


_LOW = cast("int", _Low())


class Size(Constraint):
    """A SIZE constraint (X.680 51.5): the number of characters, bits, octets or elements.

    ``Size(4)`` is exactly 4, ``Size(1, 64)`` is 1 to 64, ``Size(1, None)`` is 1..MAX.

    Args:
        low: the smallest size, 0 or more.
        high: the largest size; if omitted, the size is exactly `low`; None is MAX.

    Raises:
        SchemaError: a bound is not an int, or no size can be within these bounds.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.decode(Annotated[bytes, derlib.Size(1, 2)], bytes.fromhex("0403616263"))
    Traceback (most recent call last):
    derlib.errors.ConstraintViolation: at offset 0: OCTET STRING has size 3, outside SIZE (1..2) (X.680 51.5)
    """

    low: int
    high: int | None

    def __init__(self, low: int, high: int | None = _LOW) -> None:
        lower = upper = whole_number(low, "Size: low")
        if high is not _LOW and high is not None:
            upper = whole_number(high, "Size: high", "int or None")
        self._set(low=lower, high=None if high is None else upper)
        if not 0 <= lower <= upper < 2**63:
            raise SchemaError(
                f"Size({integer_text(lower)}, {integer_text(upper)}): expected 0 <= low <= high < 2^63 (X.680 51.5)"
            )

    def __str__(self) -> str:
        upper = "MAX" if self.high is None else self.high
        return f"SIZE ({self.low})" if self.low == self.high else f"SIZE ({self.low}..{upper})"


class Range(Constraint):
    """A value range of an INTEGER (X.680 51.4), both ends included; None is MIN or MAX.

    Args:
        low: the smallest value, or None.
        high: the largest value, or None.

    Raises:
        SchemaError: a bound is neither an int nor None, or no value can be within these bounds.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.encode(101, Annotated[int, derlib.Range(0, 100)])
    Traceback (most recent call last):
    derlib.errors.ConstraintError: INTEGER 101 is outside (0..100) (X.680 51.4)
    """

    low: int | None
    high: int | None

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        lower = None if low is None else whole_number(low, "Range: low", "int or None")
        upper = None if high is None else whole_number(high, "Range: high", "int or None")
        self._set(low=lower, high=upper)
        if lower is not None and upper is not None and upper < lower:
            raise SchemaError(f"{self!r}: expected low <= high (X.680 51.4)")

    def __str__(self) -> str:
        return f"{'MIN' if self.low is None else _shown(self.low)}..{'MAX' if self.high is None else _shown(self.high)}"


class Alphabet(Constraint):
    """The permitted alphabet of a character string (X.680 51.7, FROM): ``Alphabet("A-Z0-9 ")``.

    Args:
        characters: the characters, with ranges such as ``A-Z``; to include a hyphen, put it first or last.

    Raises:
        SchemaError: it is not a str, it is empty, or the end of a range is below its start.

    >>> import derlib
    >>> from typing import Annotated
    >>> Plate = Annotated[derlib.IA5String, derlib.Alphabet("A-Z0-9 ")]
    >>> derlib.decode(Plate, b"\x16\x03A 1")
    'A 1'
    """

    characters: str

    def __init__(self, characters: str) -> None:
        if not isinstance(characters, str) or not characters:
            raise SchemaError(
                f"Alphabet: expected a str of at least one character, such as 'A-Z0-9', got {got(characters)}"
            )
        self._set(characters=characters)
        self.runs()

    def runs(self) -> tuple[tuple[int, int], ...]:
        """Return the ranges (first, last) of code points in ascending order; adjacent ranges are merged."""
        from derlib._intervals import interval_set

        found: list[tuple[int, int]] = []
        text = self.characters
        at = 0
        while at < len(text):
            last = at + 2 if text[at + 1 : at + 2] == "-" and at + 2 < len(text) else at
            if text[last] < text[at]:
                raise SchemaError(f"Alphabet: the range {text[at : last + 1]!r} ends before it starts")
            found.append((ord(text[at]), ord(text[last])))
            at = last + 1
        return interval_set(found)

    def __str__(self) -> str:
        shown = [_quoted(low) if low == high else f"{_quoted(low)}..{_quoted(high)}" for low, high in self.runs()]
        return f"FROM ({' | '.join(shown)})"


def _quoted(character: int) -> str:
    return f'"{chr(character)}"' if 0x20 <= character < 0x7F else f"U+{character:04X}"


class OneOf(Constraint):
    """Single values (X.680 51.2): ``Annotated[int, OneOf(1, 5, 7)]``. Give values as for building.

    Raises:
        SchemaError: no value is given.

    >>> from typing import Annotated
    >>> import derlib
    >>> derlib.encode("north", Annotated[str, derlib.OneOf("left", "right")])
    Traceback (most recent call last):
    derlib.errors.ConstraintError: UTF8String 'north' is not one of ("left" | "right") (X.680 51.2)
    """

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        if not values:
            raise SchemaError("OneOf needs at least one value")
        self._set(values=values)

    def __repr__(self) -> str:
        return f"OneOf({', '.join(map(brief, self.values))})"

    def __str__(self) -> str:
        return " | ".join(_shown(value) for value in self.values[:32]) + (" | ..." if len(self.values) > 32 else "")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if issubclass(type(value), int):
        return integer_text(value)
    if isinstance(value, (bytes, bytearray)):
        return f"'{bytes(value[:32]).hex().upper()}{'...' if len(value) > 32 else ''}'H"
    if isinstance(value, str):
        return f'"{value}"' if value.isprintable() and len(value) <= 64 else ascii(value[:64])
    return brief(value, 64)


class Presence(Constraint):
    """The type of `Present` and `Absent`, for optional components and alternatives in `WithComponents` (X.680 51.8)."""

    present: bool

    def __init__(self, present: bool) -> None:
        self._set(present=present)

    def __str__(self) -> str:
        return "PRESENT" if self.present else "ABSENT"

    def __repr__(self) -> str:
        return "Present" if self.present else "Absent"


Present = Presence(True)
Absent = Presence(False)


class WithComponents(Constraint):
    """An inner type constraint (X.680 51.8): constraints on components, or on alternatives of a CHOICE.

    ``Annotated[Point, WithComponents(x=Range(0, 9), label=Absent)]`` is ``WITH COMPONENTS {..., x (0..9), label
    ABSENT}`` and leaves other components as they are. `WithComponents.only` is the full form, without "...".

    Args:
        components: for each name a constraint, `Present`, `Absent`, or a combination: ``Present & Range(0, 9)``.

    Raises:
        SchemaError: components are missing, a value is not a constraint, or it is both `Present` and `Absent`.

    >>> from typing import Annotated
    >>> import derlib
    >>> class Point(derlib.Sequence):
    ...     x: int
    ...     label: str | None = None
    >>> Bare = Annotated[Point, derlib.WithComponents(x=derlib.Range(0, 9), label=derlib.Absent)]
    >>> derlib.encode({"x": 7, "label": "a"}, Bare)
    Traceback (most recent call last):
    derlib.errors.ConstraintError: label: ...
    """

    components: tuple[tuple[str, Constraint | None], ...]
    full: bool

    def __init__(self, /, **components: Constraint | None) -> None:
        self._set_components(components, False)

    def _set_components(self, components: dict[str, Constraint | None], full: bool) -> None:
        for name, constraint in components.items():
            if not (isinstance(constraint, Constraint) or (full and constraint is None)):
                raise SchemaError(
                    f"WithComponents: {name}: expected a constraint, Present or Absent, got {got(constraint)}"
                )
            parts = () if constraint is None else tuple(intersected(constraint))
            _check_not_extensible(*parts)
            if {Present, Absent} <= {part for part in parts if isinstance(part, Presence)}:
                raise SchemaError(f"WithComponents: {name}: a component cannot be both Present and Absent; remove one")
        if not components:
            raise SchemaError("WithComponents needs at least one component")
        self._set(components=tuple(components.items()), full=full)

    @classmethod
    def only(cls, /, **components: Constraint | None) -> WithComponents:
        """Return the full form, without "...": optional components, or alternatives, without a name here are absent.

        A named optional component must be present, unless it is `Absent`. None allows any value.
        """
        made = cls.__new__(cls)
        made._set_components(components, True)
        return made

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={constraint!r}" for name, constraint in self.components)
        return f"WithComponents{'.only' if self.full else ''}({shown})"

    def __str__(self) -> str:
        shown = [
            name if constraint is None else f"{name} {_after_name(constraint)}" for name, constraint in self.components
        ]
        return f"WITH COMPONENTS {{{', '.join(shown if self.full else ['...', *shown])}}}"


def _after_name(constraint: Constraint) -> str:
    presence, rest = presence_and_rest(constraint)
    words = [] if rest is None else [f"({rest})"]
    return " ".join([*words, str(presence)] if presence is not None else words)


def presence_and_rest(constraint: Constraint) -> tuple[Presence | None, Constraint | None]:
    """Return the constraint on the presence of a component, and the constraint on its value."""
    presence = rest = None
    for part in intersected(constraint):
        if isinstance(part, Presence):
            presence = part
        else:
            rest = part if rest is None else Intersection(rest, part)
    return presence, rest


def intersected(constraint: Constraint) -> Iterator[Constraint]:
    """Yield the parts of an intersection, or the constraint itself."""
    if isinstance(constraint, Intersection):
        yield from intersected(constraint.left)
        yield from intersected(constraint.right)
    else:
        yield constraint


class WithComponent(Constraint):
    """An inner type constraint of a list (X.680 51.8): a constraint on each element.

    Args:
        constraint: any constraint.

    Raises:
        SchemaError: it is not a constraint.

    >>> from typing import Annotated
    >>> import derlib
    >>> Digits = Annotated[derlib.SequenceOf[int], derlib.WithComponent(derlib.Range(0, 9))]
    >>> derlib.encode([1, 12], Digits)
    Traceback (most recent call last):
    derlib.errors.ConstraintError: [1]: ...
    """

    constraint: Constraint

    def __init__(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Constraint):
            raise SchemaError(f"WithComponent: expected a constraint, got {got(constraint)}")
        _check_not_extensible(constraint)
        self._set(constraint=constraint)

    def __str__(self) -> str:
        return f"WITH COMPONENT ({self.constraint})"
