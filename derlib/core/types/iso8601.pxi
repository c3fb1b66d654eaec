# TIME (X.680 38, X.690 8.26.1) and the useful time types DATE, TIME-OF-DAY, DATE-TIME and DURATION (X.680 38.4, X.690
# 8.26.2 to 8.26.5).
#
# A TIME is a text of ISO 8601 in its extended format: a date, a time of day, both, a duration, an interval, or a
# recurring interval. A useful type is a TIME of one form whose contents leave out the fixed characters of that form:
# 20260131, 120000, 20260131120000, and 1Y2M for P1Y2M. X.690 11.9 makes the text of a value unique: the decimal sign is
# a full stop, a difference to UTC of whole hours has no minutes, a duration has no zeros before its last component.
#
# A function `iso_x(p, end)` reads an x at `p`. It returns the end of the x, or NULL if there is none.

from cpython.datetime cimport PyDate_Check, PyTime_Check, date_new, time_new

cdef enum TimePoint:            # the precision of a date and of a time of day; a point with both is their sum
    POINT_CENTURY = 1
    POINT_YEAR
    POINT_MONTH
    POINT_DAY
    POINT_ORDINAL
    POINT_WEEK
    POINT_WEEK_DAY
    POINT_HOURS = 8
    POINT_MINUTES = 16
    POINT_SECONDS = 24


cdef inline bint is_digit(uint8_t octet) noexcept nogil:
    return 0x30 <= octet <= 0x39


cdef inline bint has_octet(const uint8_t *p, const uint8_t *end, uint8_t octet) noexcept nogil:
    """Return whether `octet` is at `p`, which may be NULL."""
    return p != NULL and p < end and p[0] == octet


cdef inline const uint8_t *iso_digits(const uint8_t *p, const uint8_t *end, int count, int *value) noexcept nogil:
    """Read exactly `count` digits."""
    cdef int i
    if p == NULL or end - p < count:
        return NULL
    value[0] = 0
    for i in range(count):
        if not is_digit(p[i]):
            return NULL
        value[0] = 10 * value[0] + (p[i] - 0x30)
    return p + count


cdef inline const uint8_t *iso_row(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Read one or more digits."""
    cdef const uint8_t *start = p
    while p < end and is_digit(p[0]):
        p += 1
    return p if p > start else NULL


cdef inline const uint8_t *iso_number(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Read a number of any length without leading zeros."""
    cdef const uint8_t *after = iso_row(p, end)
    return after if after != NULL and (p[0] != 0x30 or after == p + 1) else NULL


cdef inline const uint8_t *iso_fraction(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Read an optional fraction after a full stop (X.690 11.9). Its trailing zeros count: they give the precision."""
    return iso_row(p + 1, end) if has_octet(p, end, 0x2E) else p


cdef int weeks_in_year(int year) noexcept nogil:
    """Return 53 for a year that begins on a Thursday, or a leap year on a Wednesday, else 52 (ISO 8601)."""
    cdef int before = year - 1
    # The day of the week of 1 January, 0 for Monday; 1 January of the year 1 was a Monday.
    cdef int first = (365 * before + before // 4 - before // 100 + before // 400) % 7
    return 53 if first == 3 or (first == 2 and is_leap_year(year)) else 52


cdef bint is_valid_year(const uint8_t *start, const uint8_t *p, const uint8_t *after, int width) noexcept nogil:
    """Return whether a year or century has `width` digits, or a sign and more digits (X.680 38); -0000 is not a year.

    The digits are from `p` to `after`. A sign is at `start`, unless `start` equals `p`.
    """
    cdef Py_ssize_t count = after - p
    if p == start or count < width:
        return count == width
    if count > width:
        return p[0] != 0x30
    while p < after:
        if p[0] != 0x30:
            return start[0] == 0x2D
        p += 1
    return False


cdef const uint8_t *iso_date(const uint8_t *p, const uint8_t *end, int *point) noexcept nogil:
    """Read a date: a century, a year, or a month, week or day of a year."""
    cdef const uint8_t *start = p
    cdef const uint8_t *after
    cdef int year = 0
    cdef int part = 0
    cdef int day = 0
    if p < end and (p[0] == 0x2D or p[0] == 0x2B):
        p += 1
    after = iso_row(p, end)
    if after == NULL:
        return NULL
    if has_octet(after, end, 0x43):
        point[0] = POINT_CENTURY
        return after + 1 if is_valid_year(start, p, after, 2) else NULL
    if not is_valid_year(start, p, after, 4):
        return NULL
    point[0] = POINT_YEAR
    if not has_octet(after, end, 0x2D):
        return after
    # The calendar repeats after 400 years, so the last four digits are enough.
    iso_digits(after - 4, after, 4, &year)
    year = (10000 - year if start[0] == 0x2D else year) % 400 + 400
    p = after + 1
    if has_octet(p, end, 0x57):
        p = iso_digits(p + 1, end, 2, &part)
        if p == NULL or part < 1 or part > weeks_in_year(year):
            return NULL
        point[0] = POINT_WEEK
        if not has_octet(p, end, 0x2D):
            return p
        point[0] = POINT_WEEK_DAY
        p = iso_digits(p + 1, end, 1, &day)
        return p if 1 <= day <= 7 else NULL
    after = iso_digits(p, end, 3, &part)
    if after != NULL:
        point[0] = POINT_ORDINAL
        return after if 1 <= part <= 365 + is_leap_year(year) else NULL
    p = iso_digits(p, end, 2, &part)
    if p == NULL or part < 1 or part > 12:
        return NULL
    point[0] = POINT_MONTH
    if not has_octet(p, end, 0x2D):
        return p
    point[0] = POINT_DAY
    p = iso_digits(p + 1, end, 2, &day)
    return p if 1 <= day <= DAYS_IN_MONTH[part] + (part == 2 and is_leap_year(year)) else NULL


cdef inline bint is_time_of_day(int hour, int minute, int second) noexcept nogil:
    """ISO 8601: 24:00:00 is the end of a day; second 60 is a leap second, at any hour of local time."""
    return minute <= 59 and second <= 60 and (hour <= 23 or (hour == 24 and minute == 0 and second == 0))


cdef const uint8_t *iso_time_of_day(const uint8_t *p, const uint8_t *end, int *point) noexcept nogil:
    """Read hours, optional minutes and seconds, an optional fraction of the last of them, and an optional zone."""
    cdef const uint8_t *fraction
    cdef int hour = 0
    cdef int minute = 0
    cdef int second = 0
    p = iso_digits(p, end, 2, &hour)
    point[0] = POINT_HOURS
    if has_octet(p, end, 0x3A):
        p = iso_digits(p + 1, end, 2, &minute)
        point[0] = POINT_MINUTES
        if has_octet(p, end, 0x3A):
            p = iso_digits(p + 1, end, 2, &second)
            point[0] = POINT_SECONDS
    fraction = p
    p = iso_fraction(p, end)
    if p == NULL or not is_time_of_day(hour, minute, second):
        return NULL
    while hour == 24 and fraction < p:
        if 0x31 <= fraction[0] <= 0x39:
            return NULL
        fraction += 1
    if has_octet(p, end, 0x5A):
        return p + 1
    if has_octet(p, end, 0x2B) or has_octet(p, end, 0x2D):
        return iso_difference(p, end)
    return p


cdef const uint8_t *iso_difference(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Read a difference between local time and UTC: a sign, hours, and minutes unless zero (X.690 11.9)."""
    cdef bint minus = p[0] == 0x2D
    cdef int hours = 0
    cdef int minutes = 0
    p = iso_digits(p + 1, end, 2, &hours)
    if has_octet(p, end, 0x3A):
        p = iso_digits(p + 1, end, 2, &minutes)
        if minutes == 0:
            return NULL
    # ISO 8601: a difference of zero has a plus sign.
    if hours > 15 or minutes > 59 or (minus and hours == 0 and minutes == 0):
        return NULL
    return p


cdef int time_point(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the `TimePoint` of a date, a time of day, or a day with a time of day; 0 for any other text."""
    cdef int point = 0
    cdef int day = 0
    cdef const uint8_t *after = iso_date(p, end, &day)
    if after == end:
        return day
    if not has_octet(after, end, 0x54):
        # A time of day never begins like a date.
        return point if iso_time_of_day(p, end, &point) == end else 0
    if day != POINT_DAY and day != POINT_ORDINAL and day != POINT_WEEK_DAY:
        return 0
    return day | point if iso_time_of_day(after + 1, end, &point) == end else 0


cdef bint is_duration(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a text after P is a duration: weeks, or years to days, then T and hours to seconds."""
    cdef const uint8_t *units = b"YMDHMS"
    cdef const uint8_t *begin = p
    cdef const uint8_t *start
    cdef const uint8_t *whole
    cdef int unit = 0
    cdef int units_end = 3
    while True:
        if units_end == 3 and has_octet(p, end, 0x54):
            unit = 3
            units_end = 6
            p += 1
        start = p
        whole = iso_number(p, end)
        p = iso_fraction(whole, end)
        if has_octet(p, end, 0x57):
            return start == begin and p + 1 == end
        while unit < units_end and not has_octet(p, end, units[unit]):
            unit += 1
        if unit == units_end:
            return False
        unit += 1
        if p + 1 == end:
            return True
        # Only the last component may have a fraction, or be zero (X.690 11.9).
        if p > whole or start[0] == 0x30:
            return False
        p += 1


cdef int time_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    """Check a point of time, a duration, an interval of two of these, or a recurring interval: R, number, interval."""
    cdef const uint8_t *end = p + n
    cdef const uint8_t *slash
    cdef bint recurring = has_octet(p, end, 0x52)
    cdef int first = 0
    cdef int second = 0
    if recurring:
        p += 1
        if not has_octet(p, end, 0x2F):
            p = iso_number(p, end)
            if not has_octet(p, end, 0x2F):
                return FAULT_TIME_FORM
        p += 1
    slash = p
    while slash < end and slash[0] != 0x2F:
        slash += 1
    if has_octet(p, slash, 0x50):
        if not is_duration(p + 1, slash):
            return FAULT_TIME_FORM
    else:
        first = time_point(p, slash)
        if first == 0:
            return FAULT_TIME_FORM
    if slash == end:
        return FAULT_TIME_FORM if recurring and first else FAULT_NONE
    p = slash + 1
    if first and has_octet(p, end, 0x50):
        return FAULT_NONE if is_duration(p + 1, end) else FAULT_TIME_FORM
    second = time_point(p, end)
    # X.680 38: both ends of an interval have the same precision.
    return FAULT_NONE if second and (first == 0 or first == second) else FAULT_TIME_FORM


cdef int duration_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return FAULT_NONE if is_duration(p, p + n) else FAULT_DURATION_FORM


cdef int date_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    cdef int year = 0
    cdef int month = 0
    cdef int day = 0
    if n != 8 or iso_digits(p, p + 4, 4, &year) == NULL or iso_digits(p + 4, p + 6, 2, &month) == NULL \
            or iso_digits(p + 6, p + 8, 2, &day) == NULL:
        return FAULT_DATE_FORM
    # X.680 38.4: Year=Basic, the years from 1582 to 9999.
    if year < 1582 or month < 1 or month > 12 or day < 1 \
            or day > DAYS_IN_MONTH[month] + (month == 2 and is_leap_year(year)):
        return FAULT_ISO_RANGE
    return FAULT_NONE


cdef int time_of_day_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    cdef int hour = 0
    cdef int minute = 0
    cdef int second = 0
    if n != 6 or iso_digits(p, p + 2, 2, &hour) == NULL or iso_digits(p + 2, p + 4, 2, &minute) == NULL \
            or iso_digits(p + 4, p + 6, 2, &second) == NULL:
        return FAULT_TIME_OF_DAY_FORM
    return FAULT_NONE if is_time_of_day(hour, minute, second) else FAULT_ISO_RANGE


cdef int date_time_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    cdef int day
    cdef int time
    if n != 14:
        return FAULT_DATE_TIME_FORM
    day = date_validate(node, p, 8, 0)
    time = time_of_day_validate(node, p + 8, 6, 0)
    if day == FAULT_DATE_FORM or time == FAULT_TIME_OF_DAY_FORM:
        return FAULT_DATE_TIME_FORM
    return day or time


# Values: `date`, naive `time` and `datetime`, and texts as ASN.1 writes them.

cdef dict ISO_REMEDIES = {
    KIND_TIME: "give a text of ISO 8601",
    KIND_DATE: "give a date, or a text such as '2026-01-31'",
    KIND_TIME_OF_DAY: "give a time, or a text such as '12:00:00'",
    KIND_DATE_TIME: "give a naive datetime, or a text such as '2026-01-31T12:00:00'",
    KIND_DURATION: "give a text such as 'P1Y2M3DT4H5M6S'",
}
# The characters that the contents leave out, with their positions; then the parts that remain.
cdef dict ISO_FORMS = {
    KIND_TIME: ((), ()),
    KIND_DURATION: ((), ()),
    KIND_DATE: (((4, "-"), (7, "-")), (slice(0, 4), slice(5, 7), slice(8, None))),
    KIND_TIME_OF_DAY: (((2, ":"), (5, ":")), (slice(0, 2), slice(3, 5), slice(6, None))),
    KIND_DATE_TIME: (
        ((4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")),
        (slice(0, 4), slice(5, 7), slice(8, 10), slice(11, 13), slice(14, 16), slice(17, None)),
    ),
}


cdef object iso_text(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return the value as ASN.1 writes it, with the characters that the contents leave out."""
    cdef int kind = node.kind
    text = latin1_decode(p, n)
    if kind == KIND_DURATION:
        return f"P{text}"
    if kind == KIND_TIME:
        return text
    date = f"{text[:4]}-{text[4:6]}-{text[6:8]}"
    if kind == KIND_DATE:
        return date
    text = text[8:] if kind == KIND_DATE_TIME else text
    time = f"{text[:2]}:{text[2:4]}:{text[4:]}"
    return time if kind == KIND_TIME_OF_DAY else f"{date}T{time}"


cdef object iso_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    cdef int kind = node.kind
    cdef bytes contents
    if kind == KIND_TIME or kind == KIND_DURATION:
        return iso_text(node, p, n)
    # Check and use the same copy: a shared buffer may change in between.
    contents = (<const char *>p)[:min(n, 15)]
    p = <const uint8_t *><const char *>contents
    n = len(contents)
    if TYPES[kind].validate(node, p, n, 0):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    if kind == KIND_DATE:
        return date_new(100 * two_digits(p) + two_digits(p + 2), two_digits(p + 4), two_digits(p + 6))
    text = iso_text(node, p, n)
    time = p + (8 if kind == KIND_DATE_TIME else 0)
    if two_digits(time) == 24 or two_digits(time + 4) == 60:
        why = "hour 24" if two_digits(time) == 24 else "second 60"
        name = "DATE-TIME" if kind == KIND_DATE_TIME else "TIME-OF-DAY"
        raise _errors.UnrepresentableError(
            f"{name} {text} has {why}, which datetime cannot hold; raw() gives its contents")
    if kind == KIND_TIME_OF_DAY:
        return time_new(two_digits(p), two_digits(p + 2), two_digits(p + 4), 0, None)
    return datetime_new(100 * two_digits(p) + two_digits(p + 2), two_digits(p + 4), two_digits(p + 6),
                        two_digits(p + 8), two_digits(p + 10), two_digits(p + 12), 0, None)


cdef int iso_encode(Writer w, const Node *node, object value) except -1:
    """Write a date, a time, a naive datetime, or a text as ASN.1 writes it."""
    cdef int kind = node.kind
    if kind == KIND_DATE and PyDate_Check(value) and not PyDateTime_Check(value):
        value = value.isoformat()
    elif (kind == KIND_TIME_OF_DAY and PyTime_Check(value)) or (kind == KIND_DATE_TIME and PyDateTime_Check(value)):
        if value.tzinfo is not None or value.microsecond:
            raise wrong_type(value, node, "give it without a time zone, in whole seconds")
        value = value.isoformat()
    if not isinstance(value, str):
        raise wrong_type(value, node, ISO_REMEDIES[kind])
    separators, contents = ISO_FORMS[kind]
    if separators:
        if len(value) <= separators[len(separators) - 1][0] or any(value[i] != sign for i, sign in separators):
            raise wrong_type(value, node, ISO_REMEDIES[kind])
        value = "".join([value[part] for part in contents])
    elif kind == KIND_DURATION:
        if not value.startswith("P"):
            raise wrong_type(value, node, ISO_REMEDIES[kind])
        value = value[1:]
    # `recheck_element` validates the rest.
    return w.bytes_(value.encode("ascii", "replace"))


cdef object iso_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    if json:
        return iso_text(node, p, n)
    try:
        return iso_decode(node, p, n)
    except _errors.UnrepresentableError:
        return iso_text(node, p, n)


TYPES[<int>KIND_TIME] = TypeInfo(0, time_validate, iso_decode, iso_encode, iso_native, NULL)
TYPES[<int>KIND_DATE] = TypeInfo(0, date_validate, iso_decode, iso_encode, iso_native, NULL)
TYPES[<int>KIND_TIME_OF_DAY] = TypeInfo(0, time_of_day_validate, iso_decode, iso_encode, iso_native, NULL)
TYPES[<int>KIND_DATE_TIME] = TypeInfo(0, date_time_validate, iso_decode, iso_encode, iso_native, NULL)
TYPES[<int>KIND_DURATION] = TypeInfo(0, duration_validate, iso_decode, iso_encode, iso_native, NULL)
