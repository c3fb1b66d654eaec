# Calendar times shared by UTCTime and GeneralizedTime: a `Moment`, its conversion from and to datetime, and the
# forms that X.680 46.2 and 47.3 allow and DER does not.

from cpython.datetime cimport PyDateTime_Check, PyDateTime_CheckExact, datetime_day, datetime_fold, datetime_hour, \
    datetime_microsecond, datetime_minute, datetime_month, datetime_new, datetime_second, datetime_tzinfo, \
    datetime_year, import_datetime

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


cdef inline bint is_leap_year(int year) noexcept nogil:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


cdef inline bint is_moment(const Moment *t) noexcept nogil:
    """Return whether this is a date of the Gregorian calendar and a time to 23:59:59 (X.680 46.2, 47.3)."""
    if unlikely(<unsigned int>(t.month - 1) > 11 or t.day < 1 or t.hour > 23 or t.minute > 59 or t.second > 59):
        return False
    if t.day <= DAYS_IN_MONTH[t.month]:
        return True
    # ISO 8601: year 0000 is a leap year of the proleptic calendar.
    return t.month == 2 and t.day == 29 and is_leap_year(t.year)


cdef bint is_leap_second(Moment *t) noexcept nogil:
    """Return whether a time in UTC is a leap second, second 60 at the end of a month (X.680 46.3, ITU-R TF.460).

    If not, `t` may be changed. UTCTime has no leap seconds: X.680 47.3 has seconds 00 to 59.
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


cdef inline int two_digits(const uint8_t *p) noexcept nogil:
    return 10 * (p[0] - 0x30) + (p[1] - 0x30)


cdef inline bint is_two_digits(const uint8_t *p, const uint8_t *end) noexcept nogil:
    return end - p >= 2 and 0x30 <= p[0] <= 0x39 and 0x30 <= p[1] <= 0x39


cdef inline object moment_new(const Moment *t, int microsecond):
    return datetime_new(t.year, t.month, t.day, t.hour, t.minute, t.second, microsecond, UTC)


cdef object datetime_value(
    const uint8_t *p, Py_ssize_t n, const Moment *t, const uint8_t *fraction, Py_ssize_t digits, zone
):
    """Return a datetime for a time that was read from the `n` octets at `p`, with the digits of its fraction."""
    cdef int microsecond = 0
    cdef Py_ssize_t i
    if t.year == 0 or digits > 6 or t.second == 60:
        text = (<const char *>p)[:min(n, 64)].decode("latin-1")
        why = "year 0000" if t.year == 0 else "second 60" if t.second == 60 else "a fraction below a microsecond"
        raise _errors.UnrepresentableError(
            f"GeneralizedTime {text} has {why}, which datetime cannot represent; raw() gives its text"
        )
    for i in range(6):
        microsecond = 10 * microsecond + (fraction[i] - 0x30 if i < digits else 0)
    return datetime_new(t.year, t.month, t.day, t.hour, t.minute, t.second, microsecond, zone)


cdef struct LenientTime:
    Moment moment
    const uint8_t *fraction
    Py_ssize_t digits               # of the fraction, without trailing zeros
    int offset                      # minutes east of UTC


cdef bint lenient_time_read(const uint8_t *p, Py_ssize_t n, bint utc, LenientTime *t) noexcept nogil:
    """Read a time for Deviation.UTC_TIME_FORM or GENERALIZED_TIME_FORM; return whether it is valid.

    Seconds may be missing, and minutes of a GeneralizedTime; an offset from UTC may replace Z.
    """
    cdef const uint8_t *end = p + n
    cdef int[6] parts               # from the year (of the century, in a UTCTime) to the second
    cdef int least = 5 if utc else 4
    cdef int count = 0
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
    # A leap second ends a day in UTC; with an offset it would be in another hour and minute. A UTCTime has +hhmm.
    return t.moment.second != 60 and (end - p == 5 or not utc) and read_utc_offset(p, end, &t.offset)


cdef bint read_utc_offset(const uint8_t *p, const uint8_t *end, int *minutes) noexcept nogil:
    """Read an offset from UTC, +hh, +hhmm, -hh or -hhmm, in minutes; return whether it is valid."""
    cdef int sign
    if (end - p != 3 and end - p != 5) or (octet_at(p) != 0x2B and octet_at(p) != 0x2D):
        return False
    sign = 1 if octet_at(p) == 0x2B else -1
    if not is_two_digits(p + 1, end) or two_digits(p + 1) > 23:
        return False
    minutes[0] = sign * 60 * two_digits(p + 1)
    if end - p == 5:
        if not is_two_digits(p + 3, end) or two_digits(p + 3) > 59:
            return False
        minutes[0] += sign * two_digits(p + 3)
    return True


cdef object lenient_time_decode(const uint8_t *p, Py_ssize_t n, bint utc):
    cdef LenientTime t
    if not lenient_time_read(p, n, utc, &t):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return datetime_value(p, n, &t.moment, t.fraction, t.digits, _timezone(_timedelta(minutes=t.offset)))


cdef inline bint in_utc_time(int year) noexcept:
    """Return whether UTCTime has this year: RFC 5280 4.1.2.5.1 maps its two digits to 1950 to 2049."""
    return 1950 <= year <= 2049


cdef object exact_datetime(value):
    """Return a datetime as exactly `datetime`: methods of a subclass may return anything."""
    try:
        return datetime_new(
            datetime_year(value), datetime_month(value), datetime_day(value), datetime_hour(value),
            datetime_minute(value), datetime_second(value), datetime_microsecond(value), datetime_tzinfo(value),
            datetime_fold(value))
    except ValueError as error:
        # A pickle can contain one that the constructor does not accept.
        raise _errors.ConstraintError(f"the datetime is invalid: {error}") from None


cdef object utc_datetime(const Node *node, object value, Moment *t):
    """Return an aware datetime in UTC, with its date and time in `t`."""
    if not PyDateTime_Check(value):
        raise wrong_type("datetime or str", node, value)
    if datetime_tzinfo(value) is not UTC:
        value = exact_datetime(value)
        if value.utcoffset() is None:
            raise wrong_value("a datetime with tzinfo", node, value)
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            raise _errors.ConstraintError(f"{value} in UTC is outside the years 1 to 9999 of datetime") from None
    read_datetime(t, value)
    if not is_moment(t):
        # A datetime can be unpickled from octets that are not a date.
        raise _errors.ConstraintError("the datetime is not a date and time of the calendar")
    return value


cdef inline void read_datetime(Moment *t, object value) noexcept:
    t.year = datetime_year(value)
    t.month = datetime_month(value)
    t.day = datetime_day(value)
    t.hour = datetime_hour(value)
    t.minute = datetime_minute(value)
    t.second = datetime_second(value)


cdef inline bint read_utc_datetime(PyObject *value, Moment *t) noexcept:
    """Read the date and time of a datetime in UTC, without its microseconds; return False for other values."""
    if not PyDateTime_CheckExact(<object>value) or datetime_tzinfo(<object>value) is not UTC:
        return False
    read_datetime(t, <object>value)
    return is_moment(t)


cdef inline void put_two_digits(uint8_t *to, int number) noexcept nogil:
    to[0] = <uint8_t>(0x30 + number // 10)
    to[1] = <uint8_t>(0x30 + number % 10)


cdef inline void put_utc_time(uint8_t *to, const Moment *t) noexcept nogil:
    """Write the 13 octets of a UTCTime; a GeneralizedTime of whole seconds has two more digits before them."""
    put_two_digits(to, t.year % 100)
    put_two_digits(to + 2, t.month)
    put_two_digits(to + 4, t.day)
    put_two_digits(to + 6, t.hour)
    put_two_digits(to + 8, t.minute)
    put_two_digits(to + 10, t.second)
    to[12] = 0x5A


cdef inline bint write_moment(Writer w, const Node *node, const Moment *t) except -1:
    """Write a UTCTime, which must have the year, or a GeneralizedTime."""
    cdef Py_ssize_t n = 13 if node.kind == KIND_UTC_TIME else 15
    w.room(n)
    if n == 15:
        put_two_digits(w.base + w.at, t.year // 100)
    put_utc_time(w.base + w.at + n - 13, t)
    w.header(node.tag, n)
    return True


cdef object json_time(str text):
    """Return the text of a GeneralizedTime in UTC as RFC 3339 5.6 writes it, with all digits of its fraction."""
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}T{text[8:10]}:{text[10:12]}:{text[12:]}"


cdef object time_native(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return a datetime, or the text of a time that datetime cannot represent."""
    try:
        return TYPES[node.kind].decode(node, p, n)
    except _errors.UnrepresentableError:
        return latin1_decode(p, n)
