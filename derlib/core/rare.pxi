# The types that few structures have: KIND_REAL and those up to KIND_SEQUENCE. They are dispatched here, so that the
# functions for every element (`check_value`, `make_value`, ...) are no longer than what common types need.


cdef int rare_check(int kind, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """The rule of a rare type."""
    return real_check(p, n)


cdef object rare_decode(int kind, const uint8_t *p, Py_ssize_t n):
    """The Python value of checked contents octets."""
    return real_decode(p, n)


cdef object rare_native(int kind, const uint8_t *p, Py_ssize_t n, bint json):
    """The value as plain data, or as what JSON can say."""
    return real_native(p, n, json)


cdef bytes rare_contents(const Node *node, object value):
    """The contents octets of a value."""
    return real_contents(node, value)
