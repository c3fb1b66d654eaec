# OCTET STRING: any contents octets (X.690 8.7).

cdef int any_octets_validate(
    const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets
) noexcept nogil:
    """Accept any octets."""
    return FAULT_NONE


cdef object octet_string_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return (<const char *>p)[:n]


cdef int octet_string_encode(Writer w, const Node *node, object value) except -1:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise wrong_type(bytes_for(value), node, value)
    return w.bytes_(bytes(value))


cdef bint octet_string_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    return is_bytes(value) and write_sized(w, node, octets_in(value), count_in(value))


cdef inline bint write_sized(Writer w, const Node *node, const uint8_t *p, Py_ssize_t n) except -1:
    """Write an element of a type whose SIZE counts octets; return False, with nothing written, outside the SIZE."""
    if node.sized and size_fault(node, n):
        return False
    w.element(node.tag, p, n)
    return True


cdef object native_octets(const uint8_t *p, const uint8_t *end, bint json):
    """Return octets as `bytes`, or in hexadecimal for JSON."""
    octets = (<const char *>p)[:end - p]
    return octets.hex() if json else octets


cdef object octet_string_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    return native_octets(p, p + n, json)


TYPES[<int>KIND_OCTET_STRING] = TypeInfo(
    TYPE_IS_STRING | TYPE_HAS_SIZE | TYPE_MAY_BE_EMPTY, any_octets_validate, octet_string_decode, octet_string_encode,
    octet_string_native, octet_string_encode_fast)
