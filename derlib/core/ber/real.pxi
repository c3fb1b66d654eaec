# Conversion of REAL (X.690 8.5) to its DER form (11.3): base 2 with an odd mantissa, or the decimal form NR3.

cdef int64_t EXPONENT_MOST = 0x7FFFFFFFFFFFFFFF

cdef struct BinaryReal:
    int64_t exponent                # of base 2
    int64_t more                    # what must be added to it
    const uint8_t *mantissa         # without leading zero octets
    Py_ssize_t length

cdef struct DecimalReal:
    bint negative
    const uint8_t *digits           # from the first to the last digit that is not 0, perhaps with a decimal mark
    const uint8_t *digits_end
    Py_ssize_t count                # of digits, without the mark
    int64_t exponent                # of the last digit


cdef bint convert_real(Conversion *c, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert a REAL. Special values have one form."""
    cdef int fault = real_validate(NULL, p, n, 0)
    if fault == FAULT_NONE:
        return True
    if octet_at(p) & 0x80:
        return convert_binary_real(c, e, fault, p, n)
    return True if octet_at(p) & 0x40 else convert_decimal_real(c, e, fault, p, n)


cdef bint convert_binary_real(Conversion *c, BerElement *e, int fault, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert a REAL with a base of 2, 8 or 16."""
    cdef BinaryReal real
    cdef uint8_t first = octet_at(p)
    cdef Py_ssize_t length = (first & 3) + 1
    cdef const uint8_t *end = p + n
    cdef int bits
    p += 1
    if length == 4:
        # X.690 8.5.7.4 d: the length of the exponent comes first.
        if p == end:
            return True
        length = octet_at(p)
        p += 1
    bits = 1 if first & 0x30 == 0 else 3 if first & 0x30 == 0x10 else 4 if first & 0x30 == 0x20 else 0
    # The strict check reports a base that is reserved, and an exponent without octets.
    if bits == 0 or length == 0:
        return True
    if end - p <= length:
        return fail_at(c, FAULT_REAL_UNFINISHED, e.h.start, e.limit, NULL)
    # X.690 8.5.7.4 d: with a length of its own, the exponent has the fewest octets in BER, too.
    if first & 3 == 3 and integer_check(p, length):
        return fail_at(c, FAULT_REAL_EXPONENT, e.h.start, e.limit, NULL)
    real.mantissa = p + length
    while real.mantissa < end and octet_at(real.mantissa) == 0:
        real.mantissa += 1
    real.length = end - real.mantissa
    if real.length == 0:
        # X.690 8.5.2: zero has no contents octets.
        return True
    while length > 1 and integer_check(p, length) == FAULT_INTEGER_NOT_MINIMAL:
        p += 1
        length -= 1
    real.exponent = int64_value(p, length) if length <= REAL_EXPONENT_OCTETS else EXPONENT_MOST
    if length > REAL_EXPONENT_OCTETS or (
            bits > 1 and not -(EXPONENT_MOST // bits) <= real.exponent <= EXPONENT_MOST // bits):
        return fail_at(c, FAULT_REAL_LIMIT, e.h.start, e.limit, NULL)
    real.exponent *= bits
    real.more = first >> 2 & 3
    return put_binary_real(c, e, fault, first & 0x40, &real)


cdef bint put_binary_real(
    Conversion *c, BerElement *e, int fault, uint8_t sign, BinaryReal *real
) noexcept nogil:
    """Replace the contents of `e` by a REAL of base 2 (X.690 11.3.1): an odd mantissa, the shortest exponent."""
    cdef const uint8_t *last = real.mantissa + real.length - 1
    cdef int shift = 0
    cdef int count = 1
    cdef int i
    cdef uint8_t *literal
    while octet_at(last) == 0 and real.length > 1:
        last -= 1
        real.length -= 1
        real.more += 8
    while shift < 7 and not octet_at(last) >> shift & 1:
        shift += 1
    real.more += shift
    if real.exponent > EXPONENT_MOST - real.more:
        return fail_at(c, FAULT_REAL_LIMIT, e.h.start, e.limit, NULL)
    real.exponent += real.more
    while count < 8 and not -(<int64_t>1 << (8 * count - 1)) <= real.exponent < <int64_t>1 << (8 * count - 1):
        count += 1
    # The shift can empty the first octet.
    if octet_at(real.mantissa) >> shift == 0 and real.length > 1:
        real.mantissa += 1
        real.length -= 1
        i = 1
    else:
        i = 0
    literal = replace_contents(c, e, fault, 1 + (count > 3) + count + real.length)
    if literal == NULL:
        return False
    literal[0] = 0x80 | sign | <uint8_t>min(count - 1, 3)
    literal += 1
    if count > 3:
        literal[0] = <uint8_t>count
        literal += 1
    while count > 0:
        count -= 1
        literal[0] = <uint8_t>(real.exponent >> 8 * count & 0xFF)
        literal += 1
    shift_octets(literal, real.mantissa, real.length, shift, octet_at(real.mantissa - 1) if i else 0)
    return not c.out_of_memory


cdef void shift_octets(uint8_t *to, const uint8_t *p, Py_ssize_t n, int shift, uint8_t before) noexcept nogil:
    """Write octets shifted to the right by up to 7 bits; the bits shifted in are the lowest of `before`."""
    cdef unsigned int octet = before
    cdef Py_ssize_t i
    for i in range(n):
        octet = (octet & 0xFF) << 8 | octet_at(p + i)
        to[i] = <uint8_t>(octet >> shift & 0xFF)


cdef bint convert_decimal_real(Conversion *c, BerElement *e, int fault, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert a REAL in one of the forms NR1, NR2 and NR3 of ISO 6093 (X.690 8.5.8)."""
    cdef DecimalReal real
    cdef bint fits = True
    if not read_decimal_real(p, n, &real, &fits):
        return True
    if not fits:
        return fail_at(c, FAULT_REAL_LIMIT, e.h.start, e.limit, NULL)
    return put_decimal_real(c, e, fault, &real)


cdef bint read_decimal_real(const uint8_t *p, Py_ssize_t n, DecimalReal *real, bint *fits) noexcept nogil:
    """Read a decimal numeral; return whether it is valid and not zero. `fits` becomes false if the exponent is huge."""
    cdef const uint8_t *end = p + n
    cdef uint8_t form = octet_at(p)
    cdef const uint8_t *mark = NULL
    cdef const uint8_t *q
    cdef Py_ssize_t digits = 0
    if form < 1 or form > 3:
        return False
    p += 1
    # ISO 6093 allows spaces before the numeral.
    while p < end and octet_at(p) == 0x20:
        p += 1
    real.negative = p < end and octet_at(p) == 0x2D
    if p < end and (octet_at(p) == 0x2B or octet_at(p) == 0x2D):
        p += 1
    q = p
    while p < end and (0x30 <= octet_at(p) <= 0x39 or (mark == NULL and (octet_at(p) == 0x2E or octet_at(p) == 0x2C))):
        if octet_at(p) < 0x30:
            mark = p
        else:
            digits += 1
        p += 1
    # ISO 6093: NR1 has no decimal mark, NR2 and NR3 have one, and only NR3 has an exponent.
    if digits == 0 or (form == 1) != (mark == NULL):
        return False
    real.digits = q
    real.digits_end = p
    real.exponent = 0 if mark == NULL else -(p - mark - 1)
    if form == 3 and not read_decimal_exponent(p, end, real, fits):
        return False
    if form != 3 and p != end:
        return False
    return trim_digits(real)


cdef bint read_decimal_exponent(const uint8_t *p, const uint8_t *end, DecimalReal *real, bint *fits) noexcept nogil:
    """Read E or e, a sign or none, and digits to the end; add the number to the exponent."""
    cdef int64_t number = 0
    cdef bint negative
    if end - p < 2 or octet_at(p) | 0x20 != 0x65:
        return False
    p += 1
    negative = octet_at(p) == 0x2D
    if octet_at(p) == 0x2B or octet_at(p) == 0x2D:
        p += 1
    if p == end:
        return False
    while p < end:
        if not 0x30 <= octet_at(p) <= 0x39:
            return False
        # Larger exponents exceed the limit of the strict check, too.
        if number > <int64_t>100000000000000000:
            fits[0] = False
        else:
            number = 10 * number + (octet_at(p) - 0x30)
        p += 1
    real.exponent += -number if negative else number
    return True


cdef bint trim_digits(DecimalReal *real) noexcept nogil:
    """Leave out zeros at both ends of the digits; return False for zero, which has no contents octets."""
    cdef const uint8_t *p
    while real.digits < real.digits_end and not 0x31 <= octet_at(real.digits) <= 0x39:
        real.digits += 1
    while real.digits_end > real.digits and not 0x31 <= octet_at(real.digits_end - 1) <= 0x39:
        real.digits_end -= 1
        if octet_at(real.digits_end) == 0x30:
            real.exponent += 1
    p = real.digits
    real.count = 0
    while p < real.digits_end:
        real.count += octet_at(p) >= 0x30
        p += 1
    return real.count > 0


cdef bint put_decimal_real(Conversion *c, BerElement *e, int fault, const DecimalReal *real) noexcept nogil:
    """Replace the contents of `e` by the form NR3 of X.690 11.3.2."""
    cdef uint8_t[20] exponent
    cdef int digits = 0
    cdef uint64_t number = <uint64_t>(-real.exponent if real.exponent < 0 else real.exponent)
    cdef const uint8_t *p = real.digits
    cdef Py_ssize_t left = real.count
    cdef Py_ssize_t length
    cdef uint8_t *literal
    while number or digits == 0:
        digits += 1
        exponent[20 - digits] = <uint8_t>(0x30 + number % 10)
        number //= 10
    length = 3 + real.negative + real.count + (real.exponent <= 0) + digits
    literal = replace_contents(c, e, fault, length)
    if literal == NULL:
        return False
    # If a shared buffer changes, some digits may be missing.
    memset(literal, 0, length)
    literal[0] = REAL_NR3
    literal += 1
    if real.negative:
        literal[0] = 0x2D
        literal += 1
    while p < real.digits_end and left > 0:
        if octet_at(p) >= 0x30:
            literal[0] = octet_at(p)
            literal += 1
            left -= 1
        p += 1
    literal[0] = 0x2E
    literal[1] = 0x45
    literal += 2
    if real.exponent <= 0:
        # X.690 11.3.2.6: the exponent 0 is +0.
        literal[0] = 0x2B if real.exponent == 0 else 0x2D
        literal += 1
    memcpy(literal, exponent + 20 - digits, digits)
    return not c.out_of_memory
