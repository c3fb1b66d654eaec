# Identifier and length octets in BER (X.690 8.1): lengths can be indefinite, or longer than they need to be.
#
# The end of an element of indefinite length is known only after its contents were read, so `end` of its header is NULL.

cdef int read_ber_header(const uint8_t *p, const uint8_t *limit, Header *h) noexcept nogil:
    """Read the identifier and length octets at `p`; return a fault, or FAULT_NONE with all of `h` set.

    `h.end` is NULL for an indefinite length. End-of-contents octets have the tag 0; see `is_end_of_contents`.
    """
    cdef int fault = read_header(p, limit, h)
    if fault == FAULT_LENGTH_NOT_MINIMAL:
        return FAULT_NONE
    if fault == FAULT_LENGTH_INDEFINITE:
        # X.690 8.1.3.2 a: a primitive element has a definite length.
        if not h.tag & 1:
            return FAULT_INDEFINITE_PRIMITIVE
        # `read_header` stopped at the length octet.
        h.content += 1
        h.end = NULL
        return FAULT_NONE
    return fault


cdef inline bint is_end_of_contents(const uint8_t *p, const uint8_t *limit) noexcept nogil:
    """Return whether the two end-of-contents octets are at `p` (X.690 8.1.5)."""
    return limit - p >= 2 and octet_at(p) == 0 and octet_at(p + 1) == 0


cdef inline int end_of_contents_fault(const uint8_t *p, const uint8_t *limit) noexcept nogil:
    """Return the fault of an element with the tag 0 at `p`, which is not the end of an indefinite length."""
    return FAULT_END_STRAY if is_end_of_contents(p, limit) else FAULT_TAG_RESERVED
