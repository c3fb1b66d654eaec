# Validation of primitive types: the function of the type, then a tolerated fault, then SIZE and value range.
#
# core/types has the function that validates the contents of each type. The functions here add the state of the check.

cdef bint check_primitive(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate the contents of a primitive type.

    The types below have their own function, because it needs the state of the check or saves a call.
    """
    return check_bounds(
        c, node, h, TYPES[node.kind].validate(node, h.content, h.end - h.content, c.options.arc_octets))


cdef inline bint check_bounds(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Finish the check of contents that have this fault or none: tolerate it, then apply the constraints."""
    if unlikely(fault) and tolerates(c, fault, h.start, node, h.content, h.end - h.content):
        fault = FAULT_NONE
    if fault == FAULT_NONE and (node.sized or node.ranged):
        fault = bounds_fault(node, h)
    if unlikely(fault):
        return fail(c, fault, h.start, node)
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_bounds_called(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Do what `check_bounds` does, without inlining it."""
    return check_bounds(c, node, h, fault)


cdef inline bint check_unbounded(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Finish the check of contents to which neither a SIZE nor a value range applies."""
    if unlikely(fault) and not tolerates(c, fault, h.start, node, h.content, h.end - h.content):
        return fail(c, fault, h.start, node)
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_integer(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate an INTEGER."""
    if c.recorder != NULL and not node.ranged:
        record_contents(c.recorder, node, h.content, h.end - h.content)
    return check_bounds(c, node, h, integer_check(h.content, h.end - h.content))


cdef bint check_enumerated(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate an ENUMERATED: one of its items, possibly with tolerated padding."""
    cdef const uint8_t *p = h.content
    cdef int fault = integer_check(p, h.end - p)
    if unlikely(fault) and tolerates(c, fault, h.start, node, p, h.end - p):
        p = without_padding(p, h.end - p)
        fault = FAULT_NONE
    if fault == FAULT_NONE:
        fault = enumerated_check(node, p, h.end - p)
    if c.recorder != NULL:
        record_contents(c.recorder, node, p, h.end - p)
    return check_bounds_called(c, node, h, fault)


cdef bint check_utc_time(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a UTCTime."""
    if c.recorder != NULL:
        record_contents(c.recorder, node, h.content, h.end - h.content)
    return check_unbounded(c, node, h, utc_time_check(h.content, h.end - h.content))


cdef bint check_oid(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate an OBJECT IDENTIFIER."""
    return check_unbounded(c, node, h, oid_check(h.content, h.end - h.content, c.options.arc_octets))


cdef bint check_named_bits(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a BIT STRING with named bits."""
    cdef Py_ssize_t n = h.end - h.content
    cdef int fault = named_bits_check(h.content, n)
    if unlikely(fault == FAULT_BITS_PADDING) and tolerates(c, fault, h.start, node, h.content, n):
        # X.690 11.2.2 applies to the bits before the unused ones.
        fault = last_bit_check(h.content, n)
    return check_bounds_called(c, node, h, fault)


cdef inline int bounds_fault(const Node *node, const Header *h) noexcept nogil:
    """Check the value range and SIZE of an element of a primitive type with valid contents."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - p
    if node.ranged:
        p = without_padding(p, n)
        if range_check(node, p, h.end - p):
            return FAULT_RANGE
    if node.sized and size_fault(node, 0 if n == 0 else string_size(node, p, n)):
        return FAULT_SIZE
    return FAULT_NONE


cdef Py_ssize_t string_size(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the size of a string as SIZE counts it (X.680 51.5.3): bits, octets or characters."""
    if node.kind == KIND_BIT_STRING or node.kind == KIND_NAMED_BITS:
        return bits_length(p, n)
    # If an invalid encoding was tolerated, each octet counts as one character.
    if node.kind == KIND_UTF8_STRING and utf8_check(p, n) == FAULT_NONE:
        return utf8_length(p, n)
    if node.kind == KIND_BMP_STRING and bmp_validate(node, p, n, 0) == FAULT_NONE:
        return n // 2
    if node.kind == KIND_UNIVERSAL_STRING and universal_string_validate(node, p, n, 0) == FAULT_NONE:
        return n // 4
    return n
