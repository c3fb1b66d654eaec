# GeneralizedTime (X.680 46, X.690 11.7): YYYYMMDDhhmmssZ, or with a fraction YYYYMMDDhhmmss.fZ.


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


cdef int generalized_time_validate(
    const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets
) noexcept nogil:
    cdef Moment t
    return generalized_time_read(p, n, &t)


cdef object generalized_time_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    cdef Moment t
    if generalized_time_read(p, n, &t):
        return lenient_time_decode(p, n, False)
    return datetime_value(p, n, &t, p + 15, n - 16, UTC)


cdef int generalized_time_encode(Writer w, const Node *node, object value) except -1:
    cdef Moment t
    cdef uint8_t[15] octets
    if isinstance(value, str):
        # The text of the contents, also for times that datetime cannot represent; `recheck_element` validates it.
        return w.bytes_(value.encode("ascii", "replace"))
    value = utc_datetime(node, value, &t)
    put_two_digits(octets, t.year // 100)
    put_utc_time(octets + 2, &t)
    if datetime_microsecond(value):
        # X.690 11.7.3: no trailing zeros.
        w.bytes_(b"." + f"{datetime_microsecond(value):06d}".rstrip("0").encode() + b"Z")
        return w.octets(octets, 14)
    return w.octets(octets, 15)


cdef bint generalized_time_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write a datetime in UTC."""
    cdef Moment t
    cdef uint8_t[22] octets
    cdef Py_ssize_t n = 21
    cdef int microsecond
    if not read_utc_datetime(value, &t):
        return False
    microsecond = datetime_microsecond(<object>value)
    if not microsecond:
        return write_moment(w, node, &t)
    put_two_digits(octets, t.year // 100)
    put_utc_time(octets + 2, &t)
    octets[14] = c"."
    put_two_digits(octets + 15, microsecond // 10000)
    put_two_digits(octets + 17, microsecond // 100 % 100)
    put_two_digits(octets + 19, microsecond % 100)
    # X.690 11.7.3: no trailing zeros.
    while octets[n - 1] == c"0":
        n -= 1
    octets[n] = c"Z"
    w.element(node.tag, octets, n + 1)
    return True


cdef object generalized_time_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    return json_time(latin1_decode(p, n)) if json else time_native(node, p, n)


TYPES[<int>KIND_GENERALIZED_TIME] = TypeInfo(
    TYPE_IS_STRING, generalized_time_validate, generalized_time_decode, generalized_time_encode,
    generalized_time_native, generalized_time_encode_fast)
