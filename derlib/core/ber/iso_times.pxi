# Conversion of TIME and DURATION to the one form of DER (X.690 11.9): the decimal sign is a full stop, a difference to
# UTC of whole hours has no minutes, and a duration has no component that is zero before its last one.
#
# DATE, TIME-OF-DAY and DATE-TIME have one form in BER, too (X.690 8.26).

cdef bint convert_iso_time(Conversion *c, int kind, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert a TIME or DURATION."""
    cdef int fault = TYPES[kind].validate(NULL, p, n, 0)
    cdef bint duration = kind == KIND_DURATION
    cdef uint8_t *text
    cdef uint8_t *literal
    cdef bint valid = True
    if fault == FAULT_NONE:
        return True
    # One byte more, because malloc(0) may return NULL. Check and use the same copy: a shared buffer may change.
    text = <uint8_t *>malloc(n + 1)
    if text == NULL:
        c.out_of_memory = True
        return False
    memcpy(text, p, n)
    if is_duration(text, text + n, True) if duration else is_iso_time(text, text + n, True):
        n = shorten_iso_time(text, n, duration)
        literal = replace_contents(c, e, fault, n)
        valid = literal != NULL
        if valid:
            memcpy(literal, text, n)
    free(text)
    return valid


cdef Py_ssize_t shorten_iso_time(uint8_t *text, Py_ssize_t n, bint in_duration) noexcept nogil:
    """Give a valid text the form of X.690 11.9, and return its new length."""
    cdef const uint8_t *p = text
    cdef const uint8_t *end = text + n
    cdef uint8_t *out = text
    while p < end:
        if in_duration and is_dropped_zero(text, out, p, end):
            p += 2
            continue
        if p[0] == 0x50:
            in_duration = True
        elif p[0] == 0x2F:
            in_duration = False
        out[0] = 0x2E if p[0] == 0x2C else p[0]
        out += 1
        p += 1
        if is_whole_hours(text, out, p, end):
            p += 3
    return out - text


cdef inline bint is_dropped_zero(
    const uint8_t *text, const uint8_t *out, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether `p` has a whole component that is 0, and another component of the same duration after it.

    The text before `p` was written up to `out`.
    """
    if p[0] != 0x30 or (out > text and (is_digit((out - 1)[0]) or (out - 1)[0] == 0x2E)):
        return False
    return end - p > 2 and p[1] != 0x2E and p[1] != 0x2C and p[2] != 0x2F


cdef inline bint is_whole_hours(
    const uint8_t *text, const uint8_t *out, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Return whether a sign and two digits end at `out`, and the minutes :00 are at `p`: a difference to UTC."""
    if out - text < 3 or not ((out - 3)[0] == 0x2B or (out - 3)[0] == 0x2D):
        return False
    return is_digit((out - 2)[0]) and is_digit((out - 1)[0]) and end - p >= 3 and p[0] == 0x3A and p[1] == 0x30 \
        and p[2] == 0x30
