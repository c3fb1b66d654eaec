# The cursor: reads identifier and length octets (X.690 8.1.2, 8.1.3, 10.1).
#
# All code that moves a pointer over input goes through `read_header`, which never reads at or after the limit that it
# is given.

cimport cython
from libc.string cimport memcmp, memcpy, memset

# A tag as one number: tag number << 3 | class << 1 | constructed. The low three bits are the high three
# bits of the first identifier octet, so a low tag costs two shifts.
ctypedef uint64_t tag_t

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum TagClass:
    CLASS_UNIVERSAL = 0
    CLASS_APPLICATION = 1
    CLASS_CONTEXT = 2
    CLASS_PRIVATE = 3

cdef struct Header:
    tag_t tag
    const uint8_t *start        # the first identifier octet
    const uint8_t *content      # the first contents octet
    const uint8_t *end          # after the last contents octet


cdef inline tag_t make_tag(uint64_t number, unsigned int tag_class, bint constructed) noexcept nogil:
    return number << 3 | tag_class << 1 | constructed


cdef inline int read_header(const uint8_t *p, const uint8_t *limit, Header *h) noexcept nogil:
    """Read the identifier and length octets at `p`; return a fault, or FAULT_NONE with all of `h` set."""
    cdef uint8_t first
    cdef uint8_t length
    h.start = p
    if limit - p >= 2:
        first = octet_at(p)
        length = octet_at(p + 1)
        if (first & 0x1F) != 0x1F and length < 0x80:
            h.tag = <tag_t>(first & 0x1F) << 3 | first >> 5
            h.content = p + 2
            if unlikely(length > limit - p - 2):
                return FAULT_CONTENT_TRUNCATED
            h.end = p + 2 + length
            return FAULT_NONE
    return read_long_header(p, limit, h)


cdef int read_long_header(const uint8_t *p, const uint8_t *limit, Header *h) noexcept nogil:
    """Do what `read_header` does for tag numbers of 31 and more, and for lengths in the long form."""
    cdef uint8_t octet
    cdef uint64_t number
    cdef uint64_t length = 0
    cdef unsigned int first_octet
    cdef int count
    cdef bint minimal = True
    h.content = p
    if p >= limit:
        return FAULT_IDENTIFIER_TRUNCATED
    first_octet = p[0]
    p += 1
    number = first_octet & 0x1F
    if number == 0x1F:
        # X.690 8.1.2.4.2: seven bits an octet, the first not all zero, bit 8 set in all but the last.
        number = 0
        if p < limit and p[0] == 0x80:
            return FAULT_TAG_NOT_MINIMAL
        while True:
            if p >= limit:
                return FAULT_IDENTIFIER_TRUNCATED
            octet = octet_at(p)
            p += 1
            if number >= TAG_NUMBER_LIMIT >> 7:
                return FAULT_TAG_LIMIT
            number = number << 7 | (octet & 0x7F)
            if octet < 0x80:
                break
        # X.690 8.1.2.2: numbers up to 30 have the one-octet form.
        if number < 31:
            return FAULT_TAG_NOT_MINIMAL
    h.tag = number << 3 | first_octet >> 5
    h.content = p
    if p >= limit:
        return FAULT_LENGTH_TRUNCATED
    octet = octet_at(p)
    p += 1
    if octet < 0x80:
        length = octet
    elif octet == 0x80:
        return FAULT_LENGTH_INDEFINITE
    elif octet == 0xFF:
        return FAULT_LENGTH_RESERVED
    else:
        count = octet & 0x7F
        if p >= limit:
            return FAULT_LENGTH_TRUNCATED
        minimal = octet_at(p) != 0
        while count > 0:
            if p >= limit:
                return FAULT_LENGTH_TRUNCATED
            # An input never has 2^63 bytes or more, so the rest of the number does not matter.
            length = HUGE_LENGTH if length >> 55 else length << 8 | octet_at(p)
            p += 1
            count -= 1
        minimal = minimal and length >= 0x80
    h.content = p
    if length > <uint64_t>(limit - p):
        return FAULT_CONTENT_TRUNCATED
    h.end = p + length
    # X.690 10.1. Checked last, when all of `h` is set, because the caller may tolerate it.
    return FAULT_NONE if minimal else FAULT_LENGTH_NOT_MINIMAL


cdef const uint8_t *length_octets(const Header *h) noexcept nogil:
    """Return the address of the first length octet of a header whose length octets were all read."""
    cdef const uint8_t *p = h.start + 1
    if h.start[0] & 0x1F == 0x1F:
        while p < h.content and octet_at(p) >= 0x80:
            p += 1
        p += 1
    return p


cdef bint is_shortest_length(const Header *h) noexcept nogil:
    """Return whether the length octets are in the shortest form (X.690 10.1), also where the contents are cut off."""
    cdef const uint8_t *p = length_octets(h)
    # Either one octet; or an initial octet and more, where the first is not 0, and a single one is 80 or more.
    return h.content - p < 2 or octet_at(p + 1) >= (0x80 if h.content - p == 2 else 1)


cdef inline int short_length(const uint8_t *p, const uint8_t *limit, uint8_t identifier) noexcept nogil:
    """Return the length of the contents of an element with this identifier octet and one length octet; otherwise -1.

    Nearly all elements are like this. Types without a single identifier octet pass 0, and get -1.
    """
    cdef uint8_t length
    if not identifier or limit - p < 2 or octet_at(p) != identifier:
        return -1
    length = octet_at(p + 1)
    return length if length < 0x80 and length <= limit - p - 2 else -1


cdef inline void set_short_header(Header *h, tag_t tag, const uint8_t *p, int length) noexcept nogil:
    """Set the header of an element at `p` whose length `short_length` returned."""
    h.tag = tag
    h.start = p
    h.content = p + 2
    h.end = p + 2 + length


cdef inline int reread_header(const uint8_t *p, const uint8_t *limit, Header *h) noexcept nogil:
    """Read the header of a validated element; accept a long form of the length, which was tolerated then."""
    cdef int fault = read_header(p, limit, h)
    return FAULT_NONE if fault == FAULT_LENGTH_NOT_MINIMAL else fault
