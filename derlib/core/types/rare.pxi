# The types that few structures have: KIND_REAL to KIND_DURATION. They are dispatched here, so that the functions for
# every element (`check_value`, `make_value`, ...) are no longer than what common types need.


cdef int rare_check(int kind, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    """The rule of a rare type."""
    if kind == KIND_REAL:
        return real_check(p, n)
    elif kind == KIND_RELATIVE_OID:
        # X.690 8.20: subidentifiers as those of an OBJECT IDENTIFIER.
        return oid_check(p, n, arc_octets)
    elif kind == KIND_OID_IRI:
        return iri_check(p, n, False)
    elif kind == KIND_RELATIVE_OID_IRI:
        return iri_check(p, n, True)
    elif kind == KIND_TIME:
        return time_check(p, n)
    elif kind == KIND_DATE:
        return date_check(p, n)
    elif kind == KIND_TIME_OF_DAY:
        return time_of_day_check(p, n)
    elif kind == KIND_DATE_TIME:
        return date_time_check(p, n)
    return duration_check(p, n)


cdef object rare_decode(int kind, const uint8_t *p, Py_ssize_t n):
    """The Python value of checked contents octets."""
    if kind == KIND_REAL:
        return real_decode(p, n)
    elif kind == KIND_RELATIVE_OID:
        return relative_oid_new((<const char *>p)[:n])
    elif kind == KIND_OID_IRI or kind == KIND_RELATIVE_OID_IRI:
        return utf8_decode(p, n)
    return iso_decode(kind, p, n)


cdef object rare_native(int kind, const uint8_t *p, Py_ssize_t n, bint json):
    """The value as plain data, or as what JSON can say."""
    if kind == KIND_REAL:
        return real_native(p, n, json)
    elif kind == KIND_RELATIVE_OID:
        return relative_oid_new((<const char *>p)[:n]).dotted
    elif kind == KIND_OID_IRI or kind == KIND_RELATIVE_OID_IRI:
        return utf8_decode(p, n)
    if json:
        return iso_text(kind, p, n)
    try:
        return iso_decode(kind, p, n)
    except _errors.UnrepresentableError:
        return iso_text(kind, p, n)


cdef bytes rare_contents(const Node *node, object value):
    """The contents octets of a value."""
    if node.kind == KIND_REAL:
        return real_contents(node, value)
    elif node.kind == KIND_RELATIVE_OID:
        return relative_oid_contents(node, value)
    elif node.kind == KIND_OID_IRI or node.kind == KIND_RELATIVE_OID_IRI:
        if not isinstance(value, str):
            raise wrong_type(value, node, "give a str")
        # A lone surrogate becomes a question mark, which no label has.
        return value.encode("utf-8", "replace")
    return iso_contents(node, value)
