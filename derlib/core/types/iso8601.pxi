# Dates, times of day and durations of ISO 8601 in the extended format, as the TIME type has them (X.680 38).
#
# X.690 11.9 makes the text of a value unique in DER: the decimal sign is a full stop, a difference to UTC of whole
# hours has no minutes, a duration has no zeros before its last component. With `ber`, the other forms are read, too.
#
# A function `iso_x(p, end)` reads an x at `p`. It returns the end of the x, or NULL if there is none.

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


cdef inline const uint8_t *iso_run(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Read one or more digits."""
    cdef const uint8_t *start = p
    while p < end and is_digit(p[0]):
        p += 1
    return p if p > start else NULL


cdef inline const uint8_t *iso_number(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Read a number of any length without leading zeros."""
    cdef const uint8_t *after = iso_run(p, end)
    return after if after != NULL and (p[0] != 0x30 or after == p + 1) else NULL


cdef inline const uint8_t *iso_fraction(const uint8_t *p, const uint8_t *end, bint ber) noexcept nogil:
    """Read an optional fraction after a full stop (X.690 11.9). Its trailing zeros count: they give the precision."""
    return iso_run(p + 1, end) if has_octet(p, end, 0x2E) or (ber and has_octet(p, end, 0x2C)) else p


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
    after = iso_run(p, end)
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


cdef const uint8_t *iso_time_of_day(const uint8_t *p, const uint8_t *end, bint ber, int *point) noexcept nogil:
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
    p = iso_fraction(p, end, ber)
    if p == NULL or not is_time_of_day(hour, minute, second):
        return NULL
    while hour == 24 and fraction < p:
        if 0x31 <= fraction[0] <= 0x39:
            return NULL
        fraction += 1
    if has_octet(p, end, 0x5A):
        return p + 1
    if has_octet(p, end, 0x2B) or has_octet(p, end, 0x2D):
        return iso_difference(p, end, ber)
    return p


cdef const uint8_t *iso_difference(const uint8_t *p, const uint8_t *end, bint ber) noexcept nogil:
    """Read a difference between local time and UTC: a sign, hours, and minutes unless zero (X.690 11.9)."""
    cdef bint minus = p[0] == 0x2D
    cdef int hours = 0
    cdef int minutes = 0
    p = iso_digits(p + 1, end, 2, &hours)
    if has_octet(p, end, 0x3A):
        p = iso_digits(p + 1, end, 2, &minutes)
        if minutes == 0 and not ber:
            return NULL
    # ISO 8601: a difference of zero has a plus sign.
    if hours > 15 or minutes > 59 or (minus and hours == 0 and minutes == 0):
        return NULL
    return p


cdef int time_point(const uint8_t *p, const uint8_t *end, bint ber) noexcept nogil:
    """Return the `TimePoint` of a date, a time of day, or a day with a time of day; 0 for any other text."""
    cdef int point = 0
    cdef int day = 0
    cdef const uint8_t *after = iso_date(p, end, &day)
    if after == end:
        return day
    if not has_octet(after, end, 0x54):
        # A time of day never begins like a date.
        return point if iso_time_of_day(p, end, ber, &point) == end else 0
    if day != POINT_DAY and day != POINT_ORDINAL and day != POINT_WEEK_DAY:
        return 0
    return day | point if iso_time_of_day(after + 1, end, ber, &point) == end else 0


cdef bint is_duration(const uint8_t *p, const uint8_t *end, bint ber) noexcept nogil:
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
        p = iso_fraction(whole, end, ber)
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
        if p > whole or (start[0] == 0x30 and not ber):
            return False
        p += 1
