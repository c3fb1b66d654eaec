# Conversion of UTCTime (X.680 47, X.690 11.8) and GeneralizedTime (X.680 46, X.690 11.7) to their DER forms: with
# seconds, in UTC, with the shortest fraction. A GeneralizedTime in local time has no DER form.

cdef struct BerTime:                # a GeneralizedTime as it is written
    Moment moment
    int parts                       # 4 with hours, 5 with minutes, 6 with seconds
    const uint8_t *fraction         # of the last part
    Py_ssize_t digits
    bint local                      # without a zone
    int offset                      # minutes east of UTC


cdef bint convert_utc_time(Conversion *c, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert a UTCTime."""
    cdef LenientTime t
    cdef uint8_t *literal
    if utc_time_check(p, n) != FAULT_UTC_FORM or not lenient_time_read(p, n, True, &t):
        return True
    add_minutes(&t.moment, -t.offset)
    # The two digits are a year from 1950 to 2049 (RFC 5280 4.1.2.5.1): in UTC, another century would be meant.
    if not 1950 <= t.moment.year <= 2049:
        return fail_at(c, FAULT_UTC_RANGE, e.h.start, e.limit, NULL)
    literal = replace_contents(c, e, FAULT_UTC_FORM, 13)
    if literal == NULL:
        return False
    put_utc_time(literal, &t.moment)
    return not c.out_of_memory


cdef bint convert_generalized_time(Conversion *c, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert a GeneralizedTime."""
    cdef BerTime t
    cdef Moment moment
    cdef Py_ssize_t digits
    cdef uint8_t *octets
    cdef bint valid
    cdef int fault = generalized_time_read(p, n, &moment)
    if fault == FAULT_NONE or not read_generalized_time(p, n, &t):
        return True
    if t.local:
        return fail_at(c, FAULT_TIME_LOCAL, e.h.start, e.limit, NULL)
    if fault == FAULT_GENERALIZED_RANGE:
        # Midnight as 24:00 (X.690 11.7.5).
        fault = FAULT_GENERALIZED_FORM
    # The digits of the fraction change if it is one of an hour or a minute.
    octets = <uint8_t *>realloc(NULL, t.digits + 1)
    if octets == NULL:
        c.out_of_memory = True
        return False
    digits = seconds_fraction(&t, octets)
    add_minutes(&t.moment, -t.offset)
    if 0 <= t.moment.year <= 9999:
        valid = put_generalized_time(c, e, fault, &t.moment, octets, digits)
    else:
        valid = fail_at(c, FAULT_GENERALIZED_RANGE, e.h.start, e.limit, NULL)
    free(octets)
    return valid


cdef bint put_generalized_time(
    Conversion *c, BerElement *e, int fault, const Moment *t, const uint8_t *fraction, Py_ssize_t digits
) noexcept nogil:
    """Replace the contents of `e` by a time with these digits of its fraction."""
    cdef Py_ssize_t length = 15 + (digits + 1 if digits else 0)
    cdef uint8_t *literal = replace_contents(c, e, fault, length)
    if literal == NULL:
        return False
    put_two_digits(literal, t.year // 100)
    # It ends with Z, which a fraction moves.
    put_utc_time(literal + 2, t)
    if digits:
        literal[14] = 0x2E
        memcpy(literal + 15, fraction, digits)
        literal[length - 1] = 0x5A
    return not c.out_of_memory


cdef bint read_generalized_time(const uint8_t *p, Py_ssize_t n, BerTime *t) noexcept nogil:
    """Read YYYYMMDDhh[mm[ss]], a fraction of the last part, and Z or an offset; return whether it is valid."""
    cdef const uint8_t *end = p + n
    cdef int[7] parts               # century, year, month, day, hour, minute, second
    cdef int count = 0
    memset(parts, 0, sizeof(parts))
    while count < 7 and is_two_digits(p, end):
        parts[count] = two_digits(p)
        count += 1
        p += 2
    if count < 5:
        return False
    t.parts = count - 1
    t.moment.year = 100 * parts[0] + parts[1]
    t.moment.month = parts[2]
    t.moment.day = parts[3]
    t.moment.hour = parts[4]
    t.moment.minute = parts[5]
    t.moment.second = parts[6]
    t.digits = 0
    t.fraction = p
    if p < end and (octet_at(p) == 0x2E or octet_at(p) == 0x2C):
        p += 1
        t.fraction = p
        while p < end and 0x30 <= octet_at(p) <= 0x39:
            p += 1
        t.digits = p - t.fraction
        # X.680 46.2: a fraction has digits.
        if t.digits == 0:
            return False
    return read_zone(p, end, t) and is_ber_moment(t)


cdef bint read_zone(const uint8_t *p, const uint8_t *end, BerTime *t) noexcept nogil:
    """Read Z, or an offset +hh, +hhmm, -hh or -hhmm, or nothing for local time; return whether it is valid."""
    t.offset = 0
    t.local = p == end
    return t.local or (end - p == 1 and octet_at(p) == 0x5A) or read_utc_offset(p, end, &t.offset)


cdef bint is_ber_moment(BerTime *t) noexcept nogil:
    """Return whether this is a date and time. Midnight at the end of a day becomes the start of the next one."""
    cdef Moment *moment = &t.moment
    cdef Py_ssize_t i
    if moment.hour == 24:
        # ISO 8601 has 24:00:00. X.690 11.7.5: DER has 00:00:00 of the day after it.
        for i in range(t.digits):
            if octet_at(t.fraction + i) != 0x30:
                return False
        if moment.minute or moment.second:
            return False
        moment.hour = 23
        if not is_moment(moment):
            return False
        add_minutes(moment, 60)
        return True
    return is_moment(moment) or is_local_leap_second(moment, t.offset)


cdef bint is_local_leap_second(const Moment *moment, int offset) noexcept nogil:
    """Return whether this is a leap second in UTC; `moment` is this many minutes east of it."""
    cdef Moment utc = moment[0]
    if utc.second != 60:
        return False
    utc.second = 59
    if not is_moment(&utc):
        return False
    add_minutes(&utc, -offset)
    utc.second = 60
    return is_leap_second(&utc)


cdef Py_ssize_t seconds_fraction(BerTime *t, uint8_t *digits) noexcept nogil:
    """Convert a fraction of an hour or minute to seconds and their fraction; return the number of its digits.

    A decimal fraction of 3600 or 60 is a decimal fraction again, with at most as many digits, so this is exact.
    """
    cdef int factor = 3600 if t.parts == 4 else 60 if t.parts == 5 else 1
    cdef int carry = 0
    cdef Py_ssize_t i = t.digits
    while i > 0:
        i -= 1
        # The digit is checked, but a shared buffer could change: keep the number small.
        carry += factor * ((octet_at(t.fraction + i) - 0x30) % 10)
        digits[i] = <uint8_t>(0x30 + carry % 10)
        carry //= 10
    i = t.digits
    while i > 0 and digits[i - 1] == 0x30:
        i -= 1
    if factor > 1:
        t.moment.second = carry % 60
        if t.parts == 4:
            t.moment.minute = carry // 60
    return i


cdef void add_minutes(Moment *t, int minutes) noexcept nogil:
    """Add minutes, at most a day of them, possibly negative; the year can become -1 or 10000."""
    cdef int total = 60 * t.hour + t.minute + minutes
    t.minute = (total + 1440) % 60
    t.hour = (total + 1440) // 60 % 24
    if total >= 1440:
        t.day += 1
        if t.day > month_days(t):
            t.day = 1
            t.month += 1
            if t.month > 12:
                t.month = 1
                t.year += 1
    elif total < 0:
        t.day -= 1
        if t.day < 1:
            t.month -= 1
            if t.month < 1:
                t.month = 12
                t.year -= 1
            t.day = month_days(t)


cdef int month_days(const Moment *t) noexcept nogil:
    """Return the number of days of a month."""
    return 29 if t.month == 2 and is_leap_year(t.year) else DAYS_IN_MONTH[t.month]
