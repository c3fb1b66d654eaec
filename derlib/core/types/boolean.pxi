# BOOLEAN: one contents octet, 00 or FF (X.690 8.2, 11.1).

cdef inline int boolean_validate(
    const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets
) noexcept nogil:
    # X.690 8.2.1: a single octet. X.690 11.1: TRUE is all ones.
    if n != 1:
        return FAULT_BOOLEAN_LENGTH
    if p[0] != 0 and p[0] != 0xFF:
        return FAULT_BOOLEAN_TRUE
    return FAULT_NONE


cdef object boolean_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return n == 1 and p[0] != 0


cdef int boolean_encode(Writer w, const Node *node, object value) except -1:
    if not isinstance(value, bool):
        raise wrong_type("bool", node, value)
    return w.octet(0xFF if value else 0)


cdef bint boolean_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    cdef uint8_t octet = 0xFF if value == true_value else 0
    if value != true_value and value != false_value:
        return False
    w.element(node.tag, &octet, 1)
    return True


TYPES[<int>KIND_BOOLEAN] = TypeInfo(
    TYPE_ENCODES_VALID, boolean_validate, boolean_decode, boolean_encode, decoded_native, boolean_encode_fast)
