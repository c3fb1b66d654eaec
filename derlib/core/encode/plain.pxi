# The writer of what primitive values mostly are: text, small numbers, True and False, bytes,
# times of whole seconds in UTC.
#
# Their octets are judged where the value has them, before they are copied, and nothing here can fail half-way. What is
# not so is left to the general writer, which then says what is wrong.

from cpython.datetime cimport PyDateTime_CheckExact
from cpython.object cimport Py_TYPE


cdef bint write_plain(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of a primitive type if its value is a usual one; False where nothing was written."""
    cdef int kind = node.kind
    cdef const uint8_t *p
    cdef Py_ssize_t n = 0
    cdef int64_t number
    cdef uint8_t[8] octets
    if node.constraints != NULL:
        return False
    if kind == KIND_UTF8_STRING:
        p = ascii_of(value, &n)
        if p == NULL:
            return write_text(w, node, value)
    elif kind == KIND_INTEGER:
        if not is_small(value):
            return is_whole(value) and write_long(w, node, value)
        # X.690 8.3.2: as few octets as keep the sign.
        number = small_value(value)
        p = octets + 8
        while True:
            p -= 1
            n += 1
            (<uint8_t *>p)[0] = <uint8_t>(number & 0xFF)
            if -0x80 <= number < 0x80:
                break
            number >>= 8
        if node.ranged and range_check(node, p, n):
            return False
    elif kind == KIND_PRINTABLE_STRING or kind == KIND_IA5_STRING or kind == KIND_NUMERIC_STRING \
            or kind == KIND_VISIBLE_STRING:
        p = ascii_of(value, &n)
        if p != NULL and kind != KIND_IA5_STRING and not in_alphabet(p, n, alphabet_of(kind)):
            return False
    elif kind == KIND_BOOLEAN:
        if value != true_value and value != false_value:
            return False
        octets[0] = 0xFF if value == true_value else 0
        p = octets
        n = 1
    elif kind == KIND_OCTET_STRING:
        if not is_bytes(value):
            return False
        p = octets_in(value)
        n = count_in(value)
    elif kind == KIND_UTC_TIME:
        return write_plain_time(w, node, value)
    else:
        return False
    # What SIZE counts are octets here.
    if p == NULL or (node.sized and size_check(node, n)):
        return False
    w.element(node.tag, p, n)
    return True


cdef bint write_long(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of INTEGER whose value is an int proper, of any length; False where nothing was written."""
    cdef Py_ssize_t n = long_length(value)
    cdef const uint8_t *p
    w.room(n)
    long_write(value, w.base + w.at, n)
    # X.690 8.3.2: as few octets as keep the sign. The room was for one more, at times.
    p = without_padding(w.base + w.at, n)
    n -= p - (w.base + w.at)
    if node.ranged and range_check(node, p, n):
        w.at = p - w.base + n
        return False
    w.at = p - w.base
    w.header(node.tag, n)
    return True


cdef bint write_plain_time(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of UTCTime whose value is a datetime proper in UTC of whole seconds; False where nothing was
    written."""
    cdef Moment t
    cdef uint8_t *to
    if not PyDateTime_CheckExact(<object>value) or datetime_tzinfo(<object>value) is not UTC or node.constrained:
        return False
    t.year = datetime_year(<object>value)
    t.month = datetime_month(<object>value)
    t.day = datetime_day(<object>value)
    t.hour = datetime_hour(<object>value)
    t.minute = datetime_minute(<object>value)
    t.second = datetime_second(<object>value)
    if datetime_microsecond(<object>value) or not in_utc_time(t.year) or not is_moment(&t):
        return False
    w.room(13)
    to = w.base + w.at
    put_two_digits(to, t.year % 100)
    put_two_digits(to + 2, t.month)
    put_two_digits(to + 4, t.day)
    put_two_digits(to + 6, t.hour)
    put_two_digits(to + 8, t.minute)
    put_two_digits(to + 10, t.second)
    to[12] = 0x5A
    w.header(node.tag, 13)
    return True


cdef inline void put_two_digits(uint8_t *to, int number) noexcept nogil:
    to[0] = <uint8_t>(0x30 + number // 10)
    to[1] = <uint8_t>(0x30 + number % 10)


cdef bint write_time_choice(Writer w, const Node *node, object value) except -1:
    """The same of a union that has UTCTime: none of its alternatives takes such a value before (`union_rank`)."""
    cdef Py_ssize_t i
    if node.constraints != NULL or not PyDateTime_CheckExact(value):
        return False
    for i in range(node.component_count):
        if node.components[i].node.kind == KIND_UTC_TIME:
            return write_plain_time(w, node.components[i].node, <PyObject *>value)
    return False


cdef inline bint write_short(Writer w, const Node *node, uint8_t identifier, PyObject *value) except -1:
    """The same with less ado for what is commonest: short texts and octets, and tiny numbers, without constraints.

    `identifier` is the identifier octet of the type, 0 where it has more than one.
    """
    cdef const uint8_t *p = NULL
    cdef Py_ssize_t n = 0
    if identifier and w.at >= 130 and not node.constrained and not node.ranged:
        if node.kind == KIND_UTF8_STRING:
            p = ascii_of(value, &n)
        elif node.kind == KIND_INTEGER:
            if is_small(value) and -0x80 <= small_value(value) < 0x80:
                w.at -= 3
                w.base[w.at] = identifier
                w.base[w.at + 1] = 1
                w.base[w.at + 2] = <uint8_t>(small_value(value) & 0xFF)
                return True
        elif node.kind == KIND_OCTET_STRING and is_bytes(value):
            p = octets_in(value)
            n = count_in(value)
        if p != NULL and n < 0x80:
            w.at -= n + 2
            w.base[w.at] = identifier
            w.base[w.at + 1] = <uint8_t>n
            copy_short(w.base + w.at + 2, p, n)
            return True
    return write_plain(w, node, value)


cdef inline uint8_t alphabet_of(int kind) noexcept nogil:
    if kind == KIND_PRINTABLE_STRING:
        return ALPHABET_PRINTABLE
    return ALPHABET_NUMERIC if kind == KIND_NUMERIC_STRING else ALPHABET_VISIBLE
