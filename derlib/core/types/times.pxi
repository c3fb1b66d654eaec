# UTCTime (X.680 47, X.690 11.8) and GeneralizedTime (X.680 46, X.690 11.7): rules and values.
#
# The check is the hot spot of a large CRL: one UTCTime an entry. Twelve digits are tested and joined to six numbers
# as two machine words; the octets are read by memcpy as little-endian words and swapped where the machine is not.

from cpython.datetime cimport datetime_new, import_datetime

from datetime import timedelta as _timedelta, timezone as _timezone

import_datetime()

cdef object UTC = _timezone.utc

cdef struct Moment:
    int year
    int month
    int day
    int hour
    int minute
    int second

cdef uint8_t[13] DAYS_IN_MONTH
DAYS_IN_MONTH[:] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


cdef inline bint is_moment(const Moment *t) noexcept nogil:
    """X.680 46.2, 47.3: a date of the Gregorian calendar, hours to 23, minutes and seconds to 59."""
    if unlikely(<unsigned int>(t.month - 1) > 11 or t.day < 1 or t.hour > 23 or t.minute > 59 or t.second > 59):
        return False
    if t.day <= DAYS_IN_MONTH[t.month]:
        return True
    # ISO 8601: year 0000 is a leap year of the proleptic calendar.
    return t.month == 2 and t.day == 29 and t.year % 4 == 0 and (t.year % 100 != 0 or t.year % 400 == 0)


cdef bint is_leap_second(Moment *t) noexcept nogil:
    """Whether a time in UTC is a leap second: X.680 46.3 takes its times from ISO 8601, which has them.

    They are the last of a month (ITU-R TF.460). UTCTime has none: in X.680 47.3 seconds are 00 to 59.
    """
    if t.second != 60 or t.minute != 59 or t.hour != 23:
        return False
    t.second = 59
    t.day += 1
    if is_moment(t):
        return False
    t.day -= 1
    if not is_moment(t):
        return False
    t.second = 60
    return True


cdef inline int utc_time_read(const uint8_t *p, Py_ssize_t n, Moment *t) noexcept nogil:
    # X.690 11.8.1 to 11.8.3: seconds are present, and Z ends it; so 13 octets, YYMMDDhhmmssZ.
    cdef uint64_t first
    cdef uint64_t last
    if n != 13:
        return FAULT_UTC_FORM
    first = load8(p)            # YYMMDDhh
    last = load8(p + 5)         # Dhhmmss and Z: the digits of ssZ and three that overlap
    # Z (5a) in the highest octet is taken for the digit 0, so that one test serves both.
    if unlikely(p[12] != 0x5A or not all_digits8(first) or not all_digits8(last ^ (<uint64_t>(0x5A ^ 0x30) << 56))):
        return FAULT_UTC_FORM
    first = pairs8(first)
    last = pairs8(last >> 24)   # mmssZ: the pairs mm and ss, then what does not count
    t.year = <int>(first & 0xFF)
    # RFC 5280 4.1.2.5.1: 50 to 99 are 1950 to 1999, 00 to 49 are 2000 to 2049.
    t.year += 1900 if t.year >= 50 else 2000
    t.month = <int>(first >> 16 & 0xFF)
    t.day = <int>(first >> 32 & 0xFF)
    t.hour = <int>(first >> 48 & 0xFF)
    t.minute = <int>(last & 0xFF)
    t.second = <int>(last >> 16 & 0xFF)
    return FAULT_NONE if is_moment(t) else FAULT_UTC_RANGE


cdef int generalized_time_read(const uint8_t *p, Py_ssize_t n, Moment *t) noexcept nogil:
    # X.690 11.7.1, 11.7.2: YYYYMMDDhhmmss, a fraction after a point if any, and Z.
    cdef Py_ssize_t i
    if n < 15 or p[n - 1] != 0x5A:
        return FAULT_GENERALIZED_FORM
    for i in range(14):
        if not 0x30 <= p[i] <= 0x39:
            return FAULT_GENERALIZED_FORM
    if n > 15:
        # X.690 11.7.4: the point is the only decimal sign.
        if p[14] != 0x2E:
            return FAULT_GENERALIZED_FORM
        for i in range(15, n - 1):
            if not 0x30 <= p[i] <= 0x39:
                return FAULT_GENERALIZED_FORM
        # X.690 11.7.3: no trailing zeros, and no point without digits.
        if n == 16 or p[n - 2] == 0x30:
            return FAULT_GENERALIZED_FRACTION
    t.year = 1000 * (p[0] - 0x30) + 100 * (p[1] - 0x30) + two_digits(p + 2)
    t.month = two_digits(p + 4)
    t.day = two_digits(p + 6)
    t.hour = two_digits(p + 8)
    t.minute = two_digits(p + 10)
    t.second = two_digits(p + 12)
    return FAULT_NONE if is_moment(t) or is_leap_second(t) else FAULT_GENERALIZED_RANGE


cdef inline int two_digits(const uint8_t *p) noexcept nogil:
    return 10 * (p[0] - 0x30) + (p[1] - 0x30)


cdef inline int utc_time_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef Moment t
    return utc_time_read(p, n, &t)


cdef inline int generalized_time_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef Moment t
    return generalized_time_read(p, n, &t)


cdef inline object moment_new(const Moment *t, int microsecond):
    return datetime_new(t.year, t.month, t.day, t.hour, t.minute, t.second, microsecond, UTC)


cdef object utc_time_decode(const uint8_t *p, Py_ssize_t n):
    cdef Moment t
    if utc_time_read(p, n, &t):
        return lenient_time_decode(p, n, True)
    return moment_new(&t, 0)


cdef object generalized_time_decode(const uint8_t *p, Py_ssize_t n):
    cdef Moment t
    if generalized_time_read(p, n, &t):
        return lenient_time_decode(p, n, False)
    return generalized_value(p, n, &t, p + 15, n - 16, UTC)


cdef object generalized_value(
    const uint8_t *p, Py_ssize_t n, const Moment *t, const uint8_t *fraction, Py_ssize_t digits, zone
):
    cdef int microsecond = 0
    cdef Py_ssize_t i
    if t.year == 0 or digits > 6 or t.second == 60:
        text = (<const char *>p)[:min(n, 64)].decode("latin-1")
        why = "year 0000" if t.year == 0 else "second 60" if t.second == 60 else "a fraction below a microsecond"
        raise _errors.UnrepresentableError(
            f"GeneralizedTime {text} has {why}, which datetime cannot hold; raw() gives its text"
        )
    for i in range(6):
        microsecond = 10 * microsecond + (fraction[i] - 0x30 if i < digits else 0)
    return datetime_new(t.year, t.month, t.day, t.hour, t.minute, t.second, microsecond, zone)


# Forms that X.680 46.2 and 47.3 allow and X.690 11.7 and 11.8 do not: for Deviation.UTC_TIME_FORM and
# Deviation.GENERALIZED_TIME_FORM.

cdef struct LenientTime:
    Moment moment
    const uint8_t *fraction
    Py_ssize_t digits               # of the fraction, trailing zeros left out
    int offset                      # minutes east of UTC


cdef bint lenient_time_read(const uint8_t *p, Py_ssize_t n, bint utc, LenientTime *t) noexcept nogil:
    """Seconds may be missing, in a GeneralizedTime minutes too; an offset may stand in place of Z."""
    cdef const uint8_t *end = p + n
    cdef int[6] parts               # from the year (of the century, in a UTCTime) to the second
    cdef int least = 5 if utc else 4
    cdef int count = 0
    cdef int sign
    t.moment.year = t.moment.minute = t.moment.second = t.offset = 0
    t.digits = 0
    if not utc:
        if not is_two_digits(p, end):
            return False
        t.moment.year = 100 * two_digits(p)
        p += 2
    while count < 6 and is_two_digits(p, end):
        parts[count] = two_digits(p)
        count += 1
        p += 2
    if count < least:
        return False
    t.moment.year += parts[0]
    if utc:
        t.moment.year += 1900 if parts[0] >= 50 else 2000
    t.moment.month = parts[1]
    t.moment.day = parts[2]
    t.moment.hour = parts[3]
    if count > 4:
        t.moment.minute = parts[4]
    if count > 5:
        t.moment.second = parts[5]
    if count == 6 and not utc and p < end and (p[0] == 0x2E or p[0] == 0x2C):
        p += 1
        t.fraction = p
        while p < end and 0x30 <= p[0] <= 0x39:
            p += 1
        if p == t.fraction:
            return False
        t.digits = p - t.fraction
        while t.digits > 0 and t.fraction[t.digits - 1] == 0x30:
            t.digits -= 1
    if not is_moment(&t.moment) and (utc or not is_leap_second(&t.moment)):
        return False
    if end - p == 1:
        return p[0] == 0x5A
    # A leap second ends a day in UTC. With an offset the hour and minute are others.
    if t.moment.second == 60:
        return False
    if (end - p != 5 and (utc or end - p != 3)) or (p[0] != 0x2B and p[0] != 0x2D):
        return False
    sign = 1 if p[0] == 0x2B else -1
    if not is_two_digits(p + 1, end) or two_digits(p + 1) > 23:
        return False
    t.offset = sign * 60 * two_digits(p + 1)
    if end - p == 5:
        if not is_two_digits(p + 3, end) or two_digits(p + 3) > 59:
            return False
        t.offset += sign * two_digits(p + 3)
    return True


cdef inline bint is_two_digits(const uint8_t *p, const uint8_t *end) noexcept nogil:
    return end - p >= 2 and 0x30 <= p[0] <= 0x39 and 0x30 <= p[1] <= 0x39


cdef object lenient_time_decode(const uint8_t *p, Py_ssize_t n, bint utc):
    cdef LenientTime t
    if not lenient_time_read(p, n, utc, &t):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return generalized_value(p, n, &t.moment, t.fraction, t.digits, _timezone(_timedelta(minutes=t.offset)))
