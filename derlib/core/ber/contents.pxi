# Conversion of contents octets: BOOLEAN and BIT STRING. times.pxi, iso_times.pxi and real.pxi have the other types of
# which BER has several forms.
#
# The contents are those of a primitive element in the input, or the joined segments of a string elsewhere in memory.
# Contents that are neither DER nor valid BER stay as they are: the strict check reports them.

cdef bint convert_contents(Conversion *c, int kind, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Convert the `n` contents octets at `p` of the element `e`, unless they are DER."""
    if kind == KIND_BOOLEAN:
        return convert_boolean(c, e, p, n)
    if kind == KIND_BIT_STRING:
        return convert_bits(c, e, p, n)
    if kind == KIND_NAMED_BITS:
        return convert_named_bits(c, e, p, n)
    if kind == KIND_UTC_TIME:
        return convert_utc_time(c, e, p, n)
    if kind == KIND_GENERALIZED_TIME:
        return convert_generalized_time(c, e, p, n)
    if kind == KIND_TIME or kind == KIND_DURATION:
        return convert_iso_time(c, kind, e, p, n)
    return convert_real(c, e, p, n)


cdef bint has_der_form(const Node *node, const Header *h) noexcept nogil:
    """Return whether a primitive element of a type has contents that are not DER, and that can be converted.

    `node` is NULL if only the tag determines the type.
    """
    cdef Conversion c
    cdef BerElement e
    cdef bint converted
    cdef int kind = KIND_EMPTY if node == NULL else node.kind
    if not has_several_forms(kind):
        kind = universal_kind(h.tag)
    if h.tag & 1 or not has_several_forms(kind):
        return False
    conversion_begin(&c, &STRICT, h.start)
    e.h = h[0]
    e.indefinite = False
    e.limit = e.after = h.end
    e.level = 0
    converted = convert_contents(&c, kind, &e, h.content, h.end - h.content) and c.edits.count > 0
    conversion_end(&c)
    return converted


cdef uint8_t *replace_contents(Conversion *c, BerElement *e, int fault, Py_ssize_t length) noexcept nogil:
    """Replace all contents of `e`; return where the `length` new octets go, or NULL."""
    return add_literal(c, e, fault, e.h.content, e.h.end - e.h.content, length)


cdef bint convert_boolean(Conversion *c, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """X.690 8.2.2, 11.1: TRUE is any octet but 00 in BER, and ff in DER."""
    cdef uint8_t *literal
    if n != 1 or octet_at(p) == 0 or octet_at(p) == 0xFF:
        return True
    literal = replace_contents(c, e, FAULT_BOOLEAN_TRUE, 1)
    if literal == NULL:
        return False
    literal[0] = 0xFF
    return not c.out_of_memory


cdef bint convert_bits(Conversion *c, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """X.690 11.2.1: unused bits are zero in DER."""
    cdef uint8_t *literal
    if bits_check(p, n) != FAULT_BITS_PADDING:
        return True
    literal = add_literal(c, e, FAULT_BITS_PADDING, p + n - 1, 1, 1)
    if literal == NULL:
        return False
    literal[0] = octet_at(p + n - 1) & <uint8_t>(0xFF << unused_bits(p))
    return not c.out_of_memory


cdef bint convert_named_bits(Conversion *c, BerElement *e, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """X.690 11.2.2: zero bits at the end of named bits are left out in DER."""
    cdef int fault = named_bits_check(p, n)
    cdef int unused
    cdef uint8_t last = 0
    cdef uint8_t *literal
    if fault != FAULT_BITS_PADDING and fault != FAULT_BITS_NAMED:
        return True
    unused = unused_bits(p)
    last = octet_at(p + n - 1) & <uint8_t>(0xFF << unused)
    if fault == FAULT_BITS_PADDING and not last >> unused & 1:
        fault = FAULT_BITS_NAMED
    while last == 0 and n > 1:
        n -= 1
        last = octet_at(p + n - 1)
    literal = replace_contents(c, e, fault, n)
    if literal == NULL:
        return False
    literal[0] = 0
    if n > 1:
        memcpy(literal + 1, p + 1, n - 2)
        literal[n - 1] = last
        while last and not last & 1:
            last >>= 1
            literal[0] += 1
    return not c.out_of_memory
