# Conversion of primitive types, and of strings in the constructed form (X.690 8.6.4, 8.7.3, 8.23.6).
#
# The segments of a BIT STRING are BIT STRINGs; those of every other string are OCTET STRINGs. A segment can have
# segments itself. Joining them drops their headers. The contents are then those of a primitive element, which
# contents.pxi converts if they are not DER.

cdef struct Segments:               # the segments of one string
    bint bits                       # of a BIT STRING
    BerElement *string
    int unused                      # the unused bits of the last segment so far
    const uint8_t *partial          # this segment, if it has any
    const uint8_t *partial_limit
    Py_ssize_t padding              # the number of the edit that clears its unused bits, or -1


cdef inline bint has_several_forms(int kind) noexcept nogil:
    """Return whether BER has contents of a primitive type that are not DER."""
    return kind == KIND_BOOLEAN or kind == KIND_BIT_STRING or kind == KIND_NAMED_BITS or kind == KIND_UTC_TIME \
        or kind == KIND_GENERALIZED_TIME or kind == KIND_REAL or kind == KIND_TIME or kind == KIND_DURATION


cdef bint convert_primitive(Conversion *c, int kind, const Node *node, BerElement *e) noexcept nogil:
    """Convert an element of a primitive type; `node` is NULL if it has no schema."""
    if e.h.tag & 1:
        if TYPES[kind].flags & TYPE_IS_STRING:
            return CONVERT_STRING(c, kind, node, e)
        c.mismatch = True
        return CONVERT_CHILDREN(c, e)
    if c.recorder.start != NULL:
        record_variable(c, kind, e)
    if not has_several_forms(kind):
        if is_shortest_length(&e.h):
            return True
        return reserve_header(c, e) and write_header(c, e, FAULT_NONE)
    return reserve_header(c, e) and convert_contents(c, kind, e, e.h.content, e.h.end - e.h.content) \
        and write_header(c, e, FAULT_NONE)


cdef bint convert_string(Conversion *c, int kind, const Node *node, BerElement *e) noexcept nogil:
    """Convert a string in the constructed form."""
    cdef Segments segments
    cdef SavedState saved
    cdef Py_ssize_t initial
    close_run(c)
    if not open_element(c, e, node):
        return False
    save_state(c, &saved)
    segments.bits = kind == KIND_BIT_STRING or kind == KIND_NAMED_BITS
    segments.string = e
    segments.unused = 0
    segments.partial = NULL
    segments.padding = -1
    initial = c.literals.count
    # The initial octet, which is known after the last segment.
    if segments.bits and add_literal(c, e, FAULT_NONE, e.h.content, 0, 1) == NULL:
        return False
    if not join_segments(c, e, &segments):
        return False
    if segments.bits:
        (<uint8_t *>c.literals.items)[initial] = <uint8_t>segments.unused
    if segments.padding >= 0:
        edits_of(c)[segments.padding].end = e.h.end - c.base
    if has_several_forms(kind) and kind != KIND_BIT_STRING and not convert_joined(c, kind, e, &saved):
        return False
    c.check.depth += 1
    return write_header(c, e, FAULT_STRING_CONSTRUCTED)


# A pointer, as in walk.pxi.
ctypedef bint (*convert_string_t)(Conversion *c, int kind, const Node *node, BerElement *e) noexcept nogil
cdef convert_string_t CONVERT_STRING = convert_string


cdef bint convert_joined(Conversion *c, int kind, BerElement *e, SavedState *saved) noexcept nogil:
    """Convert the contents of a time or of named bits whose segments were joined: replace them by one literal."""
    cdef Py_ssize_t length
    cdef Py_ssize_t elements = c.check.elements
    cdef uint8_t *octets = converted_octets(c, saved.edits, e.h.content, e.h.end, &length, saved.growth)
    cdef uint8_t *literal
    cdef bint valid = False
    if octets == NULL:
        return False
    restore_state(c, saved)
    c.check.elements = elements
    if convert_contents(c, kind, e, octets, length):
        valid = True
        if c.edits.count == saved.edits:
            # They are DER.
            literal = replace_contents(c, e, FAULT_NONE, length)
            valid = literal != NULL
            if valid:
                memcpy(literal, octets, length)
    free(octets)
    return valid


cdef bint join_segments(Conversion *c, BerElement *e, Segments *segments) noexcept nogil:
    """Drop the headers of the segments in `e`, a string or a segment."""
    cdef BerElement child
    cdef const uint8_t *p = e.h.content
    cdef tag_t segment
    # Tag numbers: BIT STRING is 3, OCTET STRING 4.
    segment = 3 << 3 if segments.bits else 4 << 3
    while next_child(c, e, p, NULL, &child):
        if child.h.tag & ~<tag_t>1 != segment:
            return fail_at(c, FAULT_SEGMENT_TYPE, p, e.limit, NULL)
        if not count_element(c, &child):
            return False
        if child.h.tag & 1:
            if not join_nested(c, &child, segments):
                return False
        elif segments.bits:
            if not join_bits(c, &child, segments):
                return False
        elif not drop_octets(c, p, child.h.content - p):
            return False
        p = child.after
    return not failed(c)


cdef bint join_nested(Conversion *c, BerElement *e, Segments *segments) noexcept nogil:
    """Join the segments of a segment."""
    if not enter(&c.check):
        return fail_at(c, FAULT_DEPTH_LIMIT, e.h.start, e.limit, NULL)
    if not drop_octets(c, e.h.start, e.h.content - e.h.start) or not join_segments(c, e, segments):
        return False
    c.check.depth += 1
    return not e.indefinite or drop_octets(c, e.h.end, 2)


cdef bint join_bits(Conversion *c, const BerElement *e, Segments *segments) noexcept nogil:
    """Join a primitive segment of a BIT STRING: drop its header and its initial octet."""
    cdef Py_ssize_t length = e.h.end - e.h.content
    cdef int fault = bits_check(e.h.content, length)
    cdef int unused
    cdef uint8_t *literal
    if fault and fault != FAULT_BITS_PADDING:
        return fail_at(c, fault, e.h.start, e.limit, NULL)
    # X.690 8.6.4: only the last segment has unused bits.
    if segments.partial != NULL:
        return fail_at(c, FAULT_SEGMENT_BITS, segments.partial, segments.partial_limit, NULL)
    if not drop_octets(c, e.h.start, e.h.content + 1 - e.h.start):
        return False
    unused = unused_bits(e.h.content)
    if unused and length > 1:
        segments.unused = unused
        segments.partial = e.h.start
        segments.partial_limit = e.h.end
        if fault == FAULT_BITS_PADDING:
            segments.padding = c.edits.count
            literal = add_literal(c, segments.string, fault, e.h.end - 1, 1, 1)
            if literal == NULL:
                return False
            literal[0] = octet_at(e.h.end - 1) & <uint8_t>(0xFF << unused)
    return not c.out_of_memory
