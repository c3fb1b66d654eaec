# UTCTime (X.680 47, X.690 11.8): YYMMDDhhmmssZ.
#
# A large CRL has one UTCTime an entry, so this check is its hot spot. It tests twelve digits, and converts them to six
# numbers, in two machine words, which it loads by memcpy as little-endian words and swaps on big-endian machines.

cdef inline int utc_time_read(const uint8_t *p, Py_ssize_t n, Moment *t) noexcept nogil:
    # X.690 11.8.1 to 11.8.3: with seconds and Z, so 13 octets, YYMMDDhhmmssZ.
    cdef uint64_t first
    cdef uint64_t last
    if n != 13:
        return FAULT_UTC_FORM
    first = load8(p)            # YYMMDDhh
    last = load8(p + 5)         # DhhmmssZ, overlapping the first
    # The XOR turns Z (5a), in the highest octet, into the digit 0.
    if unlikely(p[12] != 0x5A or not all_digits8(first) or not all_digits8(last ^ (<uint64_t>(0x5A ^ 0x30) << 56))):
        return FAULT_UTC_FORM
    first = pairs8(first)
    last = pairs8(last >> 24)   # mmssZ: only the pairs mm and ss are used
    t.year = <int>(first & 0xFF)
    # RFC 5280 4.1.2.5.1: 50 to 99 are 1950 to 1999, 00 to 49 are 2000 to 2049.
    t.year += 1900 if t.year >= 50 else 2000
    t.month = <int>(first >> 16 & 0xFF)
    t.day = <int>(first >> 32 & 0xFF)
    t.hour = <int>(first >> 48 & 0xFF)
    t.minute = <int>(last & 0xFF)
    t.second = <int>(last >> 16 & 0xFF)
    return FAULT_NONE if is_moment(t) else FAULT_UTC_RANGE


cdef inline int utc_time_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef Moment t
    return utc_time_read(p, n, &t)


cdef int utc_time_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return utc_time_check(p, n)


cdef object utc_time_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    cdef Moment t
    if utc_time_read(p, n, &t):
        return lenient_time_decode(p, n, True)
    return moment_new(&t, 0)


cdef int utc_time_encode(Writer w, const Node *node, object value) except -1:
    cdef Moment t
    cdef uint8_t[13] octets
    if isinstance(value, str):
        # The text of the contents; `recheck_element` validates it.
        return w.bytes_(value.encode("ascii", "replace"))
    value = utc_datetime(node, value, &t)
    if not in_utc_time(t.year):
        raise _errors.ConstraintError(f"{value} does not fit UTCTime, which covers the years 1950 to 2049")
    if datetime_microsecond(value):
        raise _errors.ConstraintError(
            f"{value} does not fit UTCTime, which has whole seconds; remove the fraction with replace(microsecond=0)")
    put_utc_time(octets, &t)
    return w.octets(octets, 13)


cdef bint utc_time_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write a datetime in UTC of whole seconds."""
    cdef Moment t
    return read_utc_datetime(value, &t) and not datetime_microsecond(<object>value) and in_utc_time(t.year) \
        and write_moment(w, node, &t)


cdef object utc_time_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    if not json:
        return time_native(node, p, n)
    text = latin1_decode(p, n)
    # RFC 5280 4.1.2.5.1, as in `utc_time_read`.
    return json_time(("19" if text[0] >= "5" else "20") + text)


TYPES[<int>KIND_UTC_TIME] = TypeInfo(
    TYPE_IS_STRING | TYPE_ENCODES_VALID, utc_time_validate, utc_time_decode, utc_time_encode, utc_time_native,
    utc_time_encode_fast)
