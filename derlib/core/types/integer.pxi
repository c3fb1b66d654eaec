# INTEGER (X.690 8.3): two's complement in the fewest octets. Also INTEGER with named numbers (X.680 19).

# RFC 8259 6: all readers of JSON agree on integers up to this one; larger ones become text.
cdef object JSON_SAFE_INTEGER = (1 << 53) - 1


cdef inline int integer_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 8.3.1: one or more octets.
    if n < 1:
        return FAULT_INTEGER_EMPTY
    # X.690 8.3.2: the first nine bits are never all equal.
    if n > 1 and ((p[0] == 0 and p[1] < 0x80) or (p[0] == 0xFF and p[1] >= 0x80)):
        return FAULT_INTEGER_NOT_MINIMAL
    return FAULT_NONE


cdef inline const uint8_t *without_padding(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return where the minimal form of INTEGER contents begins; a tolerated value may have octets before it."""
    while n > 1 and integer_check(p, n):
        p += 1
        n -= 1
    return p


cdef int integer_compare(const uint8_t *a, Py_ssize_t an, const uint8_t *b, Py_ssize_t bn) noexcept nogil:
    """Compare two minimal INTEGER contents as numbers: negative, zero or positive."""
    cdef bint a_negative = a[0] >= 0x80
    cdef bint b_negative = b[0] >= 0x80
    if a_negative != b_negative:
        return -1 if a_negative else 1
    if an != bn:
        # Of two minimal forms of one sign, the longer is further from zero.
        return 1 if (an > bn) != a_negative else -1
    # Most bounds have one octet.
    return <int>a[0] - <int>b[0] if an == 1 else memcmp(a, b, an)


cdef inline int range_check(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.680 51.4: both ends of a value range belong to it.
    if node.low != NULL and integer_compare(p, n, node.low, node.low_length) < 0:
        return FAULT_RANGE
    if node.high != NULL and integer_compare(p, n, node.high, node.high_length) > 0:
        return FAULT_RANGE
    return FAULT_NONE


cdef inline int64_t int64_value(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return INTEGER contents of one to eight octets as a number."""
    # X.690 8.3.3: two's complement, most significant octet first.
    cdef int64_t value = -1 if p[0] >= 0x80 else 0
    cdef Py_ssize_t i
    for i in range(n):
        value = <int64_t>(<uint64_t>value << 8 | p[i])
    return value


cdef inline object integer_value(const uint8_t *p, Py_ssize_t n):
    """Return INTEGER contents as an int."""
    if n > 8 or n < 1:
        return long_from_octets(p, n) if n > 0 else 0
    return int64_value(p, n)


cdef object integer_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return integer_value(p, n)


cdef int integer_encode(Writer w, const Node *node, object value) except -1:
    # X.690 8.3.2: as few octets as keep the sign.
    cdef int overflow = 0
    cdef int64_t small
    cdef object number
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type("int", node, value)
    small = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        number = exact_int(value)
        count = (number if number >= 0 else ~number).bit_length() // 8 + 1
        return w.bytes_(number.to_bytes(count, "big", signed=True))
    while True:
        w.octet(<uint8_t>(small & 0xFF))
        if -0x80 <= small < 0x80:
            return 0
        small >>= 8


cdef bint integer_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    if not is_small(value):
        return is_exact_int(value) and long_encode_fast(w, node, value)
    return int64_encode_fast(w, node, small_value(value))


cdef inline bint int64_encode_fast(Writer w, const Node *node, int64_t number) except -1:
    """Write an INTEGER; return False, with nothing written, outside the range."""
    cdef uint8_t[8] octets
    cdef uint8_t *p = octets + 8
    cdef Py_ssize_t n = 0
    # X.690 8.3.2: as few octets as keep the sign.
    while True:
        p -= 1
        n += 1
        p[0] = <uint8_t>(number & 0xFF)
        if -0x80 <= number < 0x80:
            break
        number >>= 8
    if node.ranged and range_check(node, p, n):
        return False
    w.element(node.tag, p, n)
    return True


cdef bint long_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write an INTEGER of any length from an exact `int`; return False, with nothing written, outside the range."""
    cdef Py_ssize_t n = long_length(value)
    cdef const uint8_t *p
    w.room(n)
    long_write(value, w.base + w.at, n)
    # X.690 8.3.2: as few octets as keep the sign. `long_length` may be one more.
    p = without_padding(w.base + w.at, n)
    n -= p - (w.base + w.at)
    if node.ranged and range_check(node, p, n):
        w.at = p - w.base + n
        return False
    w.at = p - w.base
    w.header(node.tag, n)
    return True


cdef object json_integer(value):
    """Return an int, or a hexadecimal text for one that readers of JSON would round to a double."""
    return value if -JSON_SAFE_INTEGER <= value <= JSON_SAFE_INTEGER else hex(value)


cdef object integer_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    value = integer_value(p, n)
    return json_integer(value) if json else value


TYPES[<int>KIND_INTEGER] = TypeInfo(
    TYPE_ENCODES_VALID, NULL, integer_decode, integer_encode, integer_native, integer_encode_fast)
TYPES[<int>KIND_NAMED_INTEGER] = TypeInfo(
    TYPE_ENCODES_VALID, NULL, item_decode, item_encode, item_native, item_encode_fast)
