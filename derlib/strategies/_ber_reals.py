"""Other BER forms of the contents octets of REAL (X.690 8.5): bases, scaling factors, even mantissas, NR1 to NR3."""

from __future__ import annotations

from random import Random

from derlib.strategies._reals import parts

# Exponents that a small change keeps within the limits of derlib.
LARGEST_EXPONENT = 2**54
LARGEST_DECIMAL_EXPONENT = 10**16
# The largest decimal exponent that is written with zeros.
MOST_ZEROS = 20
# The bits of the first octet that select a base (X.690 8.5.7.2), by the number of bits of a digit.
BASES = {1: 0x00, 3: 0x10, 4: 0x20}


def real_form(random: Random, contents: bytes) -> bytes:
    """Return a REAL in a random form. Zero and the special values have one form (X.690 8.5.2, 8.5.9)."""
    if contents[:1] == b"\x03":
        return _decimal_form(random, contents[1:].decode("ascii"))
    return _binary_form(random, contents) if contents and contents[0] >= 0x80 else contents


def _binary_form(random: Random, contents: bytes) -> bytes:
    """Return M * 2**e as N * 2**F * B**E (X.690 8.5.7), with N = M * 2**shift."""
    leading, exponent_octets, mantissa = parts(contents)
    exponent = int.from_bytes(exponent_octets, "big", signed=True)
    if abs(exponent) > LARGEST_EXPONENT:
        return contents
    bits = (1, 3, 4)[random.randrange(3)]
    scale = random.randrange(4)
    shift = (exponent - scale) % bits + bits * random.randrange(3)
    number = mantissa << shift
    form, octets = _exponent(random, (exponent - scale - shift) // bits)
    zeros = max(random.randrange(5) - 2, 0)
    count = (number.bit_length() + 7) // 8 + zeros
    return bytes([leading | BASES[bits] | scale << 2 | form]) + octets + number.to_bytes(count, "big")


def _exponent(random: Random, exponent: int) -> tuple[int, bytes]:
    """Return the format of the exponent and its octets (X.690 8.5.7.4)."""
    least = (exponent if exponent >= 0 else ~exponent).bit_length() // 8 + 1
    # Format d: its own count of octets, of which the first nine bits are not all equal; one octet has eight.
    if least > 3 or random.randrange(4) == 3:
        return 3, bytes([least]) + exponent.to_bytes(least, "big", signed=True)
    count = least + random.randrange(4 - least)
    return count - 1, exponent.to_bytes(count, "big", signed=True)


def _decimal_form(random: Random, numeral: str) -> bytes:
    """Return another numeral of ISO 6093 for one such as -15.E-1, in any of its three forms (X.690 8.5.8)."""
    mantissa, _, power = numeral.partition(".E")
    digits, exponent = mantissa.lstrip("-"), int(power)
    sign = "-" if mantissa.startswith("-") else ("", "+")[random.randrange(2)]
    lead = " " * max(random.randrange(6) - 3, 0) + sign + "0" * max(random.randrange(4) - 1, 0)
    mark = (".", ",")[random.randrange(2)]
    zeros = "0" * max(random.randrange(4) - 1, 0)
    form = random.randrange(3)
    if form == 1 and 0 <= exponent <= MOST_ZEROS:
        return f"\x01{lead}{digits}{exponent * '0'}".encode()
    if form == 2 and abs(exponent) <= MOST_ZEROS:
        whole = digits + exponent * "0" if exponent >= 0 else digits[:exponent]
        rest = "" if exponent >= 0 else digits[exponent:].rjust(-exponent, "0")
        return f"\x02{lead}{whole}{mark}{rest}{zeros}".encode()
    if abs(exponent) > LARGEST_DECIMAL_EXPONENT:
        return b"\x03" + numeral.encode()
    split = len(digits) - random.randrange(len(digits) + 1)
    shifted = exponent + len(digits) - split
    # Zero has any sign.
    plus = ("", "+", "-")[random.randrange(3 if shifted == 0 else 2)] if shifted >= 0 else "-"
    power = f"{'Ee'[random.randrange(2)]}{plus}{'0' * random.randrange(2)}{abs(shifted)}"
    return f"\x03{lead}{digits[:split]}{mark}{digits[split:]}{zeros}{power}".encode()
