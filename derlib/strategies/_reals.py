"""The contents octets of REAL: strategies of valid ones, and mutations of these."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib.strategies._elements import Fault
from derlib.strategies._types import Type

# X.690 8.5.2, 8.5.9: plus zero, the infinities, minus zero.
SPECIAL = (b"", b"\x40", b"\x41", b"\x43")
# NaN is not equal to itself, so it is drawn for encodings only.
NOT_A_NUMBER = b"\x42"
# Exponents around which the number of their octets changes, and the limits of floats and of derlib.
EXPONENTS = sorted(
    {0, *(positive * 2**bits + more for bits in (7, 15, 23, 31) for positive in (1, -1) for more in (-1, 0)),
     -1074, -1075, 971, 1023, 1024, 2**63 - 1, -(2**63)},
    key=abs,
)
DECIMAL_EXPONENTS = (0, -1, 1, 9, 10, 308, 309, -324, 10**17 - 1, 1 - 10**17)
DIGITS = st.sampled_from("123456789")


def binary(negative: bool, mantissa: int, exponent: int) -> bytes:
    """Return a binary REAL (X.690 11.3.1): base 2, an odd mantissa, both numbers in the fewest octets."""
    count = next(count for count in range(1, 9) if -(2 ** (8 * count - 1)) <= exponent < 2 ** (8 * count - 1))
    return binary_octets(0xC0 if negative else 0x80, exponent.to_bytes(count, "big", signed=True), mantissa)


def binary_octets(leading: int, exponent: bytes, mantissa: int) -> bytes:
    """Return the first octet with the format of the exponent, the exponent and the mantissa (X.690 8.5.7.4)."""
    count = len(exponent)
    head = bytes([leading | count - 1]) if count < 4 else bytes([leading | 3, count])
    return head + exponent + mantissa.to_bytes((mantissa.bit_length() + 7) // 8, "big")


def of_float(number: float) -> bytes:
    mantissa, denominator = abs(number).as_integer_ratio()
    twos = (mantissa & -mantissa).bit_length() - 1
    return binary(number < 0, mantissa >> twos, twos - denominator.bit_length() + 1)


def decimal(positive: str, first: str, middle: str, last: str, exponent: int) -> bytes:
    """Return a decimal REAL (X.690 11.3.2): form NR3; the first and last digits of the mantissa are not 0."""
    return f"\x03{positive}{first}{middle}{last}.E{exponent or '+0'}".encode()


def reals(_: Type, unrepresentable: bool) -> SearchStrategy[bytes]:
    special = st.sampled_from((*SPECIAL, NOT_A_NUMBER) if unrepresentable else SPECIAL)
    floats = st.floats(allow_nan=False, allow_infinity=False).filter(bool).map(of_float)
    # The mantissas of floats have 53 bits.
    halves = st.one_of(st.integers(0, 2**70), st.sampled_from([2**52 - 1, 2**52, 2**511]))
    exponents = st.one_of(st.integers(-1200, 1200), st.sampled_from(EXPONENTS))
    exact = st.builds(lambda negative, half, exponent: binary(negative, 2 * half + 1, exponent),
                      st.booleans(), halves, exponents)
    middle = st.one_of(st.text("0123456789", max_size=20), st.just(598 * "3"))
    decimals = st.builds(
        decimal, st.sampled_from(["", "-"]), DIGITS, middle, DIGITS,
        st.one_of(st.integers(-400, 400), st.sampled_from(DECIMAL_EXPONENTS)),
    )
    short = st.builds(decimal, st.sampled_from(["", "-"]), DIGITS, st.just(""), st.just(""),
                      st.sampled_from(DECIMAL_EXPONENTS))
    return st.one_of(special, floats, exact, decimals, short)


def parts(contents: bytes) -> tuple[int, bytes, int]:
    """Return the first octet without exponent format, the exponent, and the mantissa; those of 1 if not binary."""
    if not contents or contents[0] < 0x80:
        return 0x80, b"\x00", 1
    count, start = (contents[0] & 3) + 1, 1
    if count == 4:
        count, start = contents[1], 2
    return contents[0] & 0xC0, contents[start : start + count], int.from_bytes(contents[start + count :], "big")


def real_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("real-special", b"\x44", "special value 44")
    yield Fault("real-special", b"\x40\x00", "special value with a second octet")
    yield from binary_faults(*parts(contents))
    yield from decimal_faults(contents[1:] if contents[:1] == b"\x03" else b"15.E-1")


def binary_faults(leading: int, exponent: bytes, mantissa: int) -> Iterator[Fault]:
    good = binary_octets(leading, exponent, mantissa)
    start = len(binary_octets(leading, exponent, 0))
    yield Fault("real-unfinished", good[:1], "binary REAL that ends after its first octet")
    yield Fault("real-unfinished", good[:start], "binary REAL without a mantissa")
    for bits, description in (
        (0x10, "base 8"), (0x20, "base 16"), (0x30, "the reserved base"), (4, "a scaling factor"),
    ):
        yield Fault("real-binary", bytes([good[0] | bits]) + good[1:], f"binary REAL with {description}")
    padded = (b"\xff" if exponent[0] >= 0x80 else b"\x00") + exponent
    yield Fault("real-exponent", binary_octets(leading, padded, mantissa), "exponent with a redundant first octet")
    if len(exponent) < 4:
        long = bytes([leading | 3, len(exponent)]) + good[1:]
        yield Fault("real-exponent", long, "exponent in the long format, of fewer than four octets")
    yield Fault("real-mantissa", binary_octets(leading, exponent, 2 * mantissa), "mantissa that is even")
    yield Fault("real-mantissa", good[:start] + b"\x00" + good[start:], "mantissa that begins with 00")
    yield Fault("real-mantissa", good[:start] + b"\x00", "mantissa of zero")


def decimal_faults(numeral: bytes) -> Iterator[Fault]:
    mantissa, _, exponent = numeral.partition(b".E")
    for octets, description in (
        (b"\x0115", "in the form NR1"), (b"\x021.5", "in the form NR2"), (b"\x04" + numeral, "with an undefined form"),
        (b"\x03", "without a numeral"), (b"\x03+" + mantissa.lstrip(b"-") + b".E" + exponent, "with a plus positive"),
        (b"\x03" + mantissa + b"0.E" + exponent, "with a zero last in the mantissa"), (b"\x030.E+0", "of zero"),
        (b"\x03" + mantissa + b",E" + exponent, "with a comma"), (b"\x03" + mantissa + b".e" + exponent, "with e"),
        (b"\x03" + mantissa + b"E" + exponent, "without a point"), (b"\x03" + mantissa + b".E0", "with exponent 0"),
        (b"\x03" + mantissa + b".E+5", "with a plus in the exponent"), (b"\x03 " + numeral, "with a blank"),
        (b"\x03" + numeral + b" ", "with a blank at the end"),
    ):
        yield Fault("real-decimal", octets, f"decimal REAL {description}")
