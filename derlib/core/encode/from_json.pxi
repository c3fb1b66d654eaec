# Parsed JSON to DER: the fast path of the encoder writes what `json.loads` returns, without converting it to plain
# data first. This file has what differs from plain data: the JSON forms of primitive types.
#
# - `write_json_form` reads the usual forms in C. `write_read_value` leaves other values to the functions of
#   `derlib.json` and to the general encoder, one by one. They run Python code, which is safe here: parsed JSON has only
#   exact built-in types, and nothing else refers to it, because the core itself calls `json.loads`.
# - The check pass validates the whole result.
# - Errors are not reported here. For a value that is not valid, or unusual, `build_json` returns None, and
#   `derlib.json` reads the text again step by step and reports the error.

cdef enum:
    JSON_NUMBER_LIMIT = 640     # NUMBER_LIMIT of `derlib.json`
    NOT_HEX = 0xFF

cdef uint8_t[256] HEX_VALUES

# `json.loads`, and the function of `derlib.json` that returns the plain data for the JSON value of a primitive type.
cdef object json_parser = None
cdef object json_reader = None


cdef void fill_hex_values() noexcept:
    """Set the value of each hexadecimal digit, and NOT_HEX for all other characters."""
    cdef int i
    memset(HEX_VALUES, NOT_HEX, sizeof(HEX_VALUES))
    for i in range(16):
        HEX_VALUES[b"0123456789abcdef"[i]] = HEX_VALUES[b"0123456789ABCDEF"[i]] = <uint8_t>i

fill_hex_values()


def read_json_with(parser, reader):
    """Set `json.loads`, and the function that returns the plain data for a plan of a primitive type and its JSON value.
    """
    global json_parser, json_reader
    json_parser = parser
    json_reader = reader


def build_json(Plan plan not None, str text not None):
    """Build the value of a JSON text; return None if it is not valid, or unusual.

    `json.loads` keeps the last of several members of one name. The number of members in the text shows whether there
    are such members. Its errors are raised.
    """
    cdef Writer w
    cdef bint done
    parsed = json_parser(text)
    plan.prepared()
    w = Writer.__new__(Writer)
    w.json = True
    if plan.node.kind < KIND_SEQUENCE:
        done = write_fast_value(w, &plan.node, <PyObject *>parsed, NULL)
    else:
        done = write_checked_value(w, &plan.node, <PyObject *>parsed, NULL)
    if not done or w.members != json_members(text) or not is_valid_output(w, &plan.node, 0):
        return None
    return written_value(plan, source_of_written(w))


cdef Py_ssize_t json_members(str text) except -2:
    """Return the number of members of all objects in a JSON text; -1 if a number is too long.

    Members are counted by the colons outside of strings.
    """
    cdef bytes octets = text.encode()
    cdef const uint8_t *p = <const uint8_t *><const char *>octets
    cdef const uint8_t *end = p + len(octets)
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t digits = 0
    while p < end:
        if p[0] == c"-" or c"0" <= p[0] <= c"9":
            digits += 1
            if digits > JSON_NUMBER_LIMIT:
                return -1
        else:
            digits = 0
            count += p[0] == c":"
            if p[0] == c'"':
                p += 1
                while p < end and p[0] != c'"':
                    p += 2 if p[0] == c"\\" else 1
        p += 1
    return count


cdef bint write_json_primitive(Writer w, const Node *node, PyObject *value) except -1:
    """Write a primitive element from a JSON value that is not plain data of its type, such as a date.

    Return False to abort the fast path.
    """
    return (node.constraints == NULL and write_json_form(w, node, value)) or write_read_value(w, node, <object>value)


cdef bint write_json_form(Writer w, const Node *node, PyObject *value) except -1:
    """Write a primitive element from the usual JSON form of its type; return False, with nothing written, otherwise."""
    cdef Py_ssize_t before = w.written()
    cdef Moment t
    if node.kind == KIND_UTC_TIME or node.kind == KIND_GENERALIZED_TIME:
        return read_json_moment(value, &t) and (node.kind == KIND_GENERALIZED_TIME or in_utc_time(t.year)) \
            and write_moment(w, node, &t)
    if node.kind == KIND_OCTET_STRING or node.kind == KIND_BIT_STRING:
        if node.sized or write_hex(w, value) < 0:
            return False
        if node.kind == KIND_BIT_STRING:
            w.octet(0)
        w.header(node.tag, w.written() - before)
        return True
    if node.kind == KIND_NULL and value == <PyObject *>None:
        w.header(node.tag, 0)
        return True
    return node.kind == KIND_INTEGER and not node.ranged and write_hex_number(w, node, value)


cdef bint write_read_value(Writer w, const Node *node, object value) except -1:
    """Write a primitive element with the reader of `derlib.json` and the general encoder; return False on errors."""
    cdef Py_ssize_t before = w.written()
    try:
        value = json_reader(plan_of(node), value)
        TYPES[node.kind].encode(w, node, value)
        w.header(node.tag, w.written() - before)
        if not needs_no_recheck(node, value):
            recheck_element(w, node)
    except (_errors.ConstraintError, _errors.EncodeError):
        return False
    return True


cdef Py_ssize_t write_hex(Writer w, PyObject *value) except -2:
    """Write the octets that a text of hexadecimal digits gives; return their number, or -1 with nothing written."""
    cdef Py_ssize_t n = 0
    cdef Py_ssize_t i
    cdef uint8_t *to
    cdef uint8_t high
    cdef uint8_t low
    cdef uint8_t both = 0
    cdef const uint8_t *p = ascii_of(value, &n)
    if p == NULL or n & 1:
        return -1
    n >>= 1
    w.room(n)
    to = w.base + w.at
    for i in range(n):
        high = HEX_VALUES[p[2 * i]]
        low = HEX_VALUES[p[2 * i + 1]]
        both |= high | low
        to[i] = <uint8_t>(high << 4 | low)
    if both > 0x0F:
        w.at += n
        return -1
    return n


cdef bint write_hex_number(Writer w, const Node *node, PyObject *value) except -1:
    """Write an INTEGER from a text such as 0x1F; return False, with nothing written, for other texts."""
    cdef Py_ssize_t n = 0
    cdef Py_ssize_t count
    cdef Py_ssize_t i
    cdef uint8_t digit
    cdef uint8_t *to
    cdef const uint8_t *start
    cdef const uint8_t *p = ascii_of(value, &n)
    if p == NULL or n < 3 or p[0] != c"0" or p[1] != c"x":
        return False
    # One more octet, for the sign.
    count = (n - 1) // 2 + 1
    w.room(count)
    to = w.base + w.at
    memset(to, 0, count)
    for i in range(n - 2):
        digit = HEX_VALUES[p[n - 1 - i]]
        if digit == NOT_HEX:
            w.at += count
            return False
        to[count - 1 - i // 2] |= <uint8_t>(digit << 4 * (i & 1))
    start = without_padding(to, count)
    w.at = start - w.base
    w.header(node.tag, to + count - start)
    return True


cdef bint read_json_moment(PyObject *value, Moment *t) noexcept:
    """Read a text such as 2026-01-31T12:00:00Z; return False for other values."""
    cdef Py_ssize_t n = 0
    cdef Py_ssize_t i
    cdef const uint8_t *p = ascii_of(value, &n)
    if p == NULL or n != 20 or p[4] != c"-" or p[7] != c"-" or p[10] != c"T" or p[13] != c":" or p[16] != c":" \
            or p[19] != c"Z" or not is_two_digits(p, p + n):
        return False
    for i in (2, 5, 8, 11, 14, 17):
        if not is_two_digits(p + i, p + n):
            return False
    t.year = 100 * two_digits(p) + two_digits(p + 2)
    t.month = two_digits(p + 5)
    t.day = two_digits(p + 8)
    t.hour = two_digits(p + 11)
    t.minute = two_digits(p + 14)
    t.second = two_digits(p + 17)
    return is_moment(t)
