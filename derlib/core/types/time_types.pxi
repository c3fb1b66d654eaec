# TIME (X.680 38, X.690 8.26.1) and the useful time types DATE, TIME-OF-DAY, DATE-TIME and DURATION (X.680 38.4, X.690
# 8.26.2 to 8.26.5).
#
# A TIME is a text of ISO 8601: a date, a time of day, both, a duration, an interval, or a recurring interval. A useful
# type is a TIME of one form whose contents leave out the fixed characters of that form: 20260131, 120000,
# 20260131120000, and 1Y2M for P1Y2M.
#
# Their Python values are `date`, naive `time` and `datetime`, or text as ASN.1 writes it.

from cpython.datetime cimport PyDate_Check, PyTime_Check, date_new, time_new


cdef int time_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return FAULT_NONE if is_iso_time(p, p + n, False) else FAULT_TIME_FORM


cdef bint is_iso_time(const uint8_t *p, const uint8_t *end, bint ber) noexcept nogil:
    """Return whether a text is a point of time, a duration, an interval of two of these, or a recurring interval.

    A recurring interval is R, a number or nothing, and an interval.
    """
    cdef const uint8_t *slash
    cdef bint recurring = has_octet(p, end, 0x52)
    cdef int first = 0
    cdef int second = 0
    if recurring:
        p += 1
        if not has_octet(p, end, 0x2F):
            p = iso_number(p, end)
            if not has_octet(p, end, 0x2F):
                return False
        p += 1
    slash = p
    while slash < end and slash[0] != 0x2F:
        slash += 1
    if has_octet(p, slash, 0x50):
        if not is_duration(p + 1, slash, ber):
            return False
    else:
        first = time_point(p, slash, ber)
        if first == 0:
            return False
    if slash == end:
        return not (recurring and first)
    p = slash + 1
    if first and has_octet(p, end, 0x50):
        return is_duration(p + 1, end, ber)
    second = time_point(p, end, ber)
    # X.680 38: both ends of an interval have the same precision.
    return second != 0 and (first == 0 or first == second)


cdef int duration_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return FAULT_NONE if is_duration(p, p + n, False) else FAULT_DURATION_FORM


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


cdef dict ISO_PYTHON_TYPES = {
    KIND_TIME: "str", KIND_DATE: "date or str", KIND_TIME_OF_DAY: "time or str", KIND_DATE_TIME: "datetime or str",
    KIND_DURATION: "str",
}
cdef dict ISO_EXAMPLES = {
    KIND_DATE: "2026-01-31", KIND_TIME_OF_DAY: "12:00:00", KIND_DATE_TIME: "2026-01-31T12:00:00",
    KIND_DURATION: "P1Y2M3DT4H5M6S",
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
            f"{name} {text} has {why}, which datetime cannot represent; raw() gives its contents")
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
            raise wrong_value("whole seconds without a time zone", node, value)
        value = value.isoformat()
    if not isinstance(value, str):
        raise wrong_type(ISO_PYTHON_TYPES[kind], node, value)
    separators, contents = ISO_FORMS[kind]
    if separators:
        if len(value) <= separators[len(separators) - 1][0] or any(value[i] != sign for i, sign in separators):
            raise wrong_value(f"text such as {ISO_EXAMPLES[kind]!r}", node, value)
        value = "".join(map(value.__getitem__, contents))
    elif kind == KIND_DURATION:
        if not value.startswith("P"):
            raise wrong_value(f"text such as {ISO_EXAMPLES[kind]!r}", node, value)
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
