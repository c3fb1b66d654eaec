"""`ExactReal`, a REAL value that no float represents exactly. `core/types/real.pxi` decodes and encodes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NoReturn, final

from derlib._brief import brief
from derlib.errors import EncodeError

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = ["ExactReal", "parse"]

# The limits of the core (core/types/real.pxi): an exponent has 64 bits (base 2) or 17 digits (base 10).
EXPONENTS = {2: range(-(2**63), 2**63), 10: range(1 - 10**17, 10**17)}
MANTISSA_LIMIT = 10**600
# Floats are below 2^1024. Numbers below 2^-1075 round to zero.
FLOAT_HIGH = 1024
FLOAT_LOW = -1075

SPECIAL = {"PLUS-INFINITY": float("inf"), "MINUS-INFINITY": -float("inf"), "NOT-A-NUMBER": float("nan")}
# Compiled at first use.
HEXADECIMAL = r"(-?)0x([0-9a-fA-F]+)p([+-]?[0-9]{1,20})"
DECIMAL = r"(-?)([0-9]{1,700})(?:\.([0-9]{0,700}))?(?:[eE]([+-]?[0-9]{1,19}))?"


@final
class ExactReal(float):
    """An exact REAL value: mantissa * base ** exponent (X.680 21.3).

    It is also the nearest float: infinite or zero if the number is beyond the range of floats. Arithmetic and order are
    those of the float. It is equal only to an `ExactReal` with the same three parts, because X.680 distinguishes a
    number of base 10 from the same number of base 2.

    Args:
        mantissa: any integer except zero. It is normalized: divided by the base as often as possible.
        base: 2 or 10.
        exponent: at most 64 bits for base 2, 17 digits for base 10.

    Raises:
        EncodeError: the base or the mantissa is invalid, or a part exceeds its limit; a mantissa of base 10 has at most
            600 digits.
        TypeError: a part is not an int.

    >>> import derlib
    >>> tenth = derlib.decode(derlib.Real, bytes.fromhex("0906 03312e452d31"))
    >>> tenth, tenth * 2, isinstance(tenth, derlib.ExactReal) and tenth.decimal
    (ExactReal(1, 10, -1), 0.2, Decimal('0.1'))
    """

    __slots__ = ("_base", "_exponent", "_mantissa")

    _mantissa: int
    _base: Literal[2, 10]
    _exponent: int

    def __init_subclass__(cls) -> NoReturn:
        # The core relies on the parts being valid.
        raise TypeError("ExactReal has no subclasses")

    def __new__(cls, mantissa: int, base: Literal[2, 10], exponent: int) -> ExactReal:
        mantissa, exponent = _integer("mantissa", mantissa), _integer("exponent", exponent)
        base = _integer("base", base)  # type: ignore[assignment]
        if base not in (2, 10):
            raise EncodeError(f"ExactReal: base: expected 2 or 10, got {brief(base)}")
        if not mantissa:
            raise EncodeError("ExactReal: mantissa: expected an int other than 0; zeros are the floats 0.0 and -0.0")
        if base == 2:
            zeros = (mantissa & -mantissa).bit_length() - 1
            mantissa >>= zeros
            exponent += zeros
        elif abs(mantissa) >= MANTISSA_LIMIT:
            raise EncodeError("the mantissa of an ExactReal of base 10 has at most 600 digits")
        while base == 10 and mantissa % 10 == 0:
            mantissa //= 10
            exponent += 1
        if exponent not in EXPONENTS[base]:
            raise EncodeError("the exponent of an ExactReal has at most 64 bits, or 17 digits for base 10")
        made = super().__new__(cls, _nearest(mantissa, base, exponent))
        object.__setattr__(made, "_mantissa", mantissa)
        object.__setattr__(made, "_base", base)
        object.__setattr__(made, "_exponent", exponent)
        return made

    @property
    def mantissa(self) -> int:
        """The mantissa, with the sign: odd for base 2, not divisible by 10 for base 10."""
        return self._mantissa

    @property
    def base(self) -> Literal[2, 10]:
        """2 or 10."""
        return self._base

    @property
    def exponent(self) -> int:
        """The exponent."""
        return self._exponent

    @property
    def decimal(self) -> Decimal | None:
        """The exact value as a `Decimal` if the base is 10, else None."""
        if self._base != 10:
            return None
        from decimal import Decimal

        digits = tuple(map(int, str(abs(self._mantissa))))
        return Decimal((self._mantissa < 0, digits, self._exponent))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an ExactReal is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an ExactReal is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactReal) and self._parts() == other._parts()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[int, int, int]:
        return self._mantissa, self._base, self._exponent

    def __repr__(self) -> str:
        bits = self._mantissa.bit_length()
        mantissa = str(self._mantissa) if bits <= 256 else f"<{bits} bits>"
        return f"ExactReal({mantissa}, {self._base}, {self._exponent})"

    def __str__(self) -> str:
        """Return the exact value as a text that REAL accepts: ``15.E-1``, or ``0x1fp-3`` for base 2."""
        if self._base == 10:
            return f"{self._mantissa}.E{'+0' if self._exponent == 0 else self._exponent}"
        return f"{hex(self._mantissa)}p{self._exponent}"

    def __reduce__(self) -> tuple[Any, ...]:
        return ExactReal, self._parts()

    def __copy__(self) -> ExactReal:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None) -> ExactReal:
        return self


def _integer(part: str, value: int) -> int:
    """Return a part as a plain int.

    Other types could make the loops endless: `range` searches linearly for a float, and a subclass of int can override
    its division.
    """
    if not isinstance(value, int):
        raise TypeError(f"ExactReal: {part}: expected int, got {type(value).__name__}")
    return int.__index__(value)


def _nearest(mantissa: int, base: int, exponent: int) -> float:
    """Return the float nearest to a number, in time and memory independent of the exponent."""
    if base == 10:
        return float(f"{mantissa}e{exponent}")
    high = exponent + mantissa.bit_length()
    if high > FLOAT_HIGH:
        return float("-inf" if mantissa < 0 else "inf")
    if high < FLOAT_LOW:
        return -0.0 if mantissa < 0 else 0.0
    try:
        # Division of integers rounds only once, also to subnormal floats.
        return float(mantissa << exponent) if exponent >= 0 else mantissa / (1 << -exponent)
    except OverflowError:
        return float("-inf" if mantissa < 0 else "inf")


def parse(text: str) -> float:
    """Return the value of a text: a numeral of base 10, ``0x1fp-3`` for base 2, or the name of a special value.

    Raises:
        ValueError: the text is none of these.
    """
    import re

    if text in SPECIAL:
        return SPECIAL[text]
    found = re.fullmatch(HEXADECIMAL, text)
    if found is not None:
        return _value(int(found[1] + found[2], 16), 2, int(found[3]), found[1])
    found = re.fullmatch(DECIMAL, text)
    if found is None:
        raise ValueError("the text is not a REAL")
    fraction = found[3] or ""
    digits = found[2].lstrip("0") + fraction
    # Trailing zeros do not count, so ExactReal checks the exact limit. `int` accepts 640 digits under any setting.
    if len(digits) > 640:
        raise EncodeError("the mantissa of an ExactReal of base 10 has at most 600 digits")
    return _value(int(found[1] + (digits or "0")), 10, int(found[4] or 0) - len(fraction), found[1])


def _value(mantissa: int, base: Literal[2, 10], exponent: int, sign: str) -> float:
    if mantissa:
        return ExactReal(mantissa, base, exponent)
    return -0.0 if sign else 0.0
