# BOOLEAN (X.690 8.2, 11.1), INTEGER and ENUMERATED (8.3, 8.4), NULL (8.8): rule and value of each.
#
# A rule (`x_check`) is given the contents octets and returns a fault. A value (`x_decode`) is given contents
# octets that were checked; in a buffer that changes it may give a wrong value, but reads only what it is given.


cdef inline int boolean_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 8.2.1: a single octet. X.690 11.1: TRUE is all ones.
    if n != 1:
        return FAULT_BOOLEAN_LENGTH
    if p[0] != 0 and p[0] != 0xFF:
        return FAULT_BOOLEAN_TRUE
    return FAULT_NONE


cdef inline object boolean_decode(const uint8_t *p, Py_ssize_t n):
    return n == 1 and p[0] != 0


cdef inline int integer_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 8.3.1: one or more octets.
    if n < 1:
        return FAULT_INTEGER_EMPTY
    # X.690 8.3.2: the first nine bits are never all equal.
    if n > 1 and ((p[0] == 0 and p[1] < 0x80) or (p[0] == 0xFF and p[1] >= 0x80)):
        return FAULT_INTEGER_NOT_MINIMAL
    return FAULT_NONE


cdef inline object integer_decode(const uint8_t *p, Py_ssize_t n):
    cdef int64_t value
    cdef Py_ssize_t i
    if n > 8 or n < 1:
        return long_from_octets(p, n) if n > 0 else 0
    # X.690 8.3.3: two's complement, most significant octet first.
    value = -1 if p[0] >= 0x80 else 0
    for i in range(n):
        value = <int64_t>(<uint64_t>value << 8 | p[i])
    return value


cdef int integer_compare(const uint8_t *a, Py_ssize_t an, const uint8_t *b, Py_ssize_t bn) noexcept nogil:
    """Compare two minimal INTEGER contents as numbers: negative, zero or positive."""
    cdef bint a_negative = a[0] >= 0x80
    cdef bint b_negative = b[0] >= 0x80
    if a_negative != b_negative:
        return -1 if a_negative else 1
    if an != bn:
        # Of two minimal forms of one sign the longer is the further from zero.
        return 1 if (an > bn) != a_negative else -1
    # Most bounds have one octet.
    return <int>a[0] - <int>b[0] if an == 1 else memcmp(a, b, an)


cdef inline int null_check(Py_ssize_t n) noexcept nogil:
    return FAULT_NULL_CONTENTS if n != 0 else FAULT_NONE


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
