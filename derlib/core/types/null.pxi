# NULL: no contents octets (X.690 8.8).

cdef object the_null = None


@cython.final
@cython.no_gc
cdef class Null:
    """The type of `NULL`, the one value of the ASN.1 type NULL: false, and equal only to itself.

    >>> import derlib
    >>> derlib.decode(derlib.Null, bytes.fromhex("0500"))
    NULL
    """

    def __cinit__(self):
        if the_null is not None:
            raise TypeError("NULL is the only value of its type: use derlib.NULL")

    def __bool__(self):
        return False

    def __repr__(self):
        return "NULL"

    def __reduce__(self):
        return "NULL_VALUE"


NULL_VALUE = the_null = Null()


cdef int null_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    # X.690 8.8.2: no contents octets.
    return FAULT_NULL_CONTENTS if n != 0 else FAULT_NONE


cdef object null_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return NULL_VALUE


cdef int null_encode(Writer w, const Node *node, object value) except -1:
    if value is not NULL_VALUE:
        raise wrong_type("derlib.NULL", node, value)
    return 0


cdef bint null_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    if value != <PyObject *>NULL_VALUE:
        return False
    w.header(node.tag, 0)
    return True


cdef object null_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    return None if json else NULL_VALUE


TYPES[<int>KIND_NULL] = TypeInfo(
    TYPE_MAY_BE_EMPTY, null_validate, null_decode, null_encode, null_native, null_encode_fast)
