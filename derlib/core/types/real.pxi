# REAL (X.680 21, X.690 8.5, 11.3).
#
# X.680 distinguishes a value of base 2 from the same number in base 10: they are two values with two encodings. A value
# of base 2 that a float holds exactly is decoded to that float, as are zeros and special values. Any other becomes an
# `ExactReal`, which has a mantissa, a base and an exponent.
#
# An exponent may be long, and the number immense, so the code here never computes the number itself, and limits
# exponents before they become Python integers. Decimal mantissas are limited because converting them takes more than
# linear time.

from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_FromDouble
from libc.math cimport ldexp

from derlib import _real

cdef enum:
    REAL_EXPONENT_OCTETS = 8
    REAL_EXPONENT_DIGITS = 17
    REAL_MANTISSA_DIGITS = 600      # below 640, the lowest value of `sys.set_int_max_str_digits`
    REAL_PLUS_INFINITY = 0x40       # X.690 8.5.9
    REAL_MINUS_INFINITY = 0x41
    REAL_NOT_A_NUMBER = 0x42
    REAL_MINUS_ZERO = 0x43
    REAL_NR3 = 0x03                 # X.690 8.5.8

cdef tuple REAL_SPECIALS = (float("inf"), -float("inf"), float("nan"), -0.0)
cdef dict REAL_NAMES = {"inf": "PLUS-INFINITY", "-inf": "MINUS-INFINITY", "nan": "NOT-A-NUMBER"}

# Offsets of the parts of a binary REAL in its contents.
cdef struct RealParts:
    Py_ssize_t exponent
    Py_ssize_t mantissa


cdef int real_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    cdef RealParts parts
    # X.690 8.5.2: plus zero has no contents octets.
    if n == 0:
        return FAULT_NONE
    if p[0] & 0x80:
        return real_binary_check(p, n, &parts)
    if p[0] & 0x40:
        return FAULT_NONE if n == 1 and p[0] <= REAL_MINUS_ZERO else FAULT_REAL_SPECIAL
    return real_decimal_check(p, n)


cdef int real_binary_check(const uint8_t *p, Py_ssize_t n, RealParts *parts) noexcept nogil:
    cdef Py_ssize_t length = (octet_at(p) & 3) + 1
    # X.690 8.5.7.2, 8.5.7.3: bits 6 and 5 are the base, bits 4 and 3 the scaling factor; 11.3.1: base 2, factor 0.
    if p[0] & 0x3C:
        return FAULT_REAL_BINARY
    parts.exponent = 1
    # X.690 8.5.7.4: the format of the exponent; in the fourth format an octet holds its length.
    if length == 4:
        if n < 2:
            return FAULT_REAL_UNFINISHED
        length = octet_at(p + 1)
        parts.exponent = 2
        # X.690 11.3.1: the fewest octets; for up to three there are formats without the octet of the length.
        if length < 4:
            return FAULT_REAL_EXPONENT
    parts.mantissa = parts.exponent + length
    if n <= parts.mantissa:
        return FAULT_REAL_UNFINISHED
    # X.690 8.5.7.4, 11.3.1: two's complement as of an INTEGER, whose first nine bits are never all equal.
    if integer_check(p + parts.exponent, length):
        return FAULT_REAL_EXPONENT
    # X.690 11.3.1: M is odd (zero has no contents octets) and in the fewest octets.
    if p[parts.mantissa] == 0 or not p[n - 1] & 1:
        return FAULT_REAL_MANTISSA
    return FAULT_NONE if length <= REAL_EXPONENT_OCTETS else FAULT_REAL_LIMIT


cdef Py_ssize_t digits_end(const uint8_t *p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return where the digits that begin at `i` end."""
    while i < n and 0x30 <= p[i] <= 0x39:
        i += 1
    return i


cdef int real_decimal_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t digits
    cdef Py_ssize_t point
    cdef Py_ssize_t i
    # X.690 11.3.2.1: the form NR3. 11.3.2.3: a minus sign if negative, else a digit first.
    if p[0] != REAL_NR3:
        return FAULT_REAL_DECIMAL
    digits = 2 if n > 1 and p[1] == 0x2D else 1
    point = digits_end(p, digits, n)
    # X.690 11.3.2.4: neither the first nor the last digit of the mantissa is 0. 11.3.2.5: a point, then E.
    if point == digits or p[digits] == 0x30 or p[point - 1] == 0x30 \
            or n - point < 3 or p[point] != 0x2E or p[point + 1] != 0x45:
        return FAULT_REAL_DECIMAL
    i = point + 2
    # X.690 11.3.2.6: the exponent 0 is +0, any other has no plus sign and no leading 0.
    if p[i] == 0x2B:
        if n != i + 2 or p[i + 1] != 0x30:
            return FAULT_REAL_DECIMAL
    else:
        if p[i] == 0x2D:
            i += 1
        if i == n or p[i] == 0x30 or digits_end(p, i, n) != n:
            return FAULT_REAL_DECIMAL
    if point - digits > REAL_MANTISSA_DIGITS or n - i > REAL_EXPONENT_DIGITS:
        return FAULT_REAL_LIMIT
    return FAULT_NONE


cdef object real_decode(const Node *node, const uint8_t *octets, Py_ssize_t n):
    """Return a float, or an `ExactReal` if no float is exact."""
    # Check and use the same copy: a shared buffer may change in between.
    cdef bytes contents = (<const char *>octets)[:n]
    cdef const uint8_t *p = <const uint8_t *><const char *>contents
    cdef RealParts parts
    if real_validate(node, p, n, 0):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    if n == 0:
        return 0.0
    if p[0] == REAL_NR3:
        mantissa, _, exponent = contents[1:].decode("ascii").partition(".E")
        return _real.ExactReal(int(mantissa), 10, int(exponent))
    if p[0] < 0x80:
        return REAL_SPECIALS[p[0] - REAL_PLUS_INFINITY]
    real_binary_check(p, n, &parts)
    mantissa = int.from_bytes(contents[parts.mantissa:], "big")
    exponent = integer_value(p + parts.exponent, parts.mantissa - parts.exponent)
    bits = mantissa.bit_length()
    if p[0] & 0x40:
        mantissa = -mantissa
    # A float has 53 bits, from 2^-1074 to 2^1023.
    if bits <= 53 and exponent >= -1074 and exponent + bits <= 1024:
        return ldexp(<double>mantissa, <int>exponent)
    return _real.ExactReal(mantissa, 2, exponent)


cdef object real_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    """Return a float, a Decimal for base 10, or a text; JSON has a text for all but finite floats."""
    value = real_decode(node, p, n)
    if isinstance(value, _real.ExactReal):
        return str(value) if json or value.base == 2 else value.decimal
    if json and value - value != 0:
        return REAL_NAMES[repr(value)]
    return value


cdef bytes real_contents(const Node *node, object value):
    """Return the contents octets of a float, int, Decimal, ExactReal or text."""
    if isinstance(value, str):
        try:
            value = _real.parse(value)
        except ValueError:
            raise wrong_value("a number such as '1.5', '0x1p-5' or 'PLUS-INFINITY'", node, value) from None
    if isinstance(value, _real.ExactReal):
        return real_parts_contents(value.mantissa, value.base, value.exponent)
    if not isinstance(value, (float, int)) and is_decimal(value):
        if value.is_finite() and value:
            sign, digits, exponent = value.as_tuple()
            # X.690 11.3.2.4: trailing zeros go into the exponent.
            text = "".join(map(str, digits)).lstrip("0")
            mantissa = text.rstrip("0")
            if len(mantissa) <= REAL_MANTISSA_DIGITS:
                exponent += len(text) - len(mantissa)
                return real_parts_contents(-int(mantissa) if sign else int(mantissa), 10, exponent)
            raise _errors.EncodeError(f"a decimal REAL has at most {REAL_MANTISSA_DIGITS} digits")
        value = -0.0 if value.is_zero() and value.is_signed() else float("nan") if value.is_nan() else float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        value = exact_int(value)
        return real_parts_contents(value, 2, 0) if value else b""
    if not isinstance(value, float):
        raise wrong_type("float, int, Decimal, ExactReal or str", node, value)
    # Methods of a subclass of float may return anything.
    value = PyFloat_FromDouble(PyFloat_AS_DOUBLE(value))
    if value == 0 or value - value != 0:
        text = repr(value)
        return b"" if text == "0.0" else bytes([{"-0.0": REAL_MINUS_ZERO, "inf": REAL_PLUS_INFINITY,
                                                "-inf": REAL_MINUS_INFINITY, "nan": REAL_NOT_A_NUMBER}[text]])
    mantissa, denominator = value.as_integer_ratio()
    return real_parts_contents(mantissa, 2, 1 - denominator.bit_length())


cdef bint is_decimal(value):
    """Return whether a value is a Decimal. `decimal` is imported here, because few schemas have a REAL."""
    from decimal import Decimal

    return isinstance(value, Decimal)


cdef bytes real_parts_contents(mantissa, base, exponent):
    """Return the contents octets of a number other than zero (X.690 11.3); `recheck_element` enforces the limits."""
    magnitude = abs(mantissa)
    if base == 10:
        return b"\x03" + f"{mantissa}.E{'+0' if exponent == 0 else exponent}".encode("ascii")
    twos = (magnitude & -magnitude).bit_length() - 1
    magnitude >>= twos
    exponent += twos
    count = (exponent if exponent >= 0 else ~exponent).bit_length() // 8 + 1
    leading = 0x80 | (0x40 if mantissa < 0 else 0) | min(count - 1, 3)
    head = bytes([leading]) if count < 4 else bytes([leading, count])
    return head + exponent.to_bytes(count, "big", signed=True) \
        + magnitude.to_bytes((magnitude.bit_length() + 7) // 8, "big")


cdef int real_encode(Writer w, const Node *node, object value) except -1:
    return w.bytes_(real_contents(node, value))


TYPES[<int>KIND_REAL] = TypeInfo(TYPE_MAY_BE_EMPTY, real_validate, real_decode, real_encode, real_native, NULL)
