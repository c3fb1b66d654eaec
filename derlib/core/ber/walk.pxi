# The walk over the input: converts one element, by its type if it has one (`convert_value`), else by its universal tag
# (`convert_any`).
#
# Nested values need little of the stack: what is not needed at every level is called through a pointer, because the
# compiler would add its variables to the frame of its caller. The pointers never change.

ctypedef bint (*convert_t)(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil
ctypedef bint (*convert_typed_t)(Conversion *c, const Node *node, BerElement *e) noexcept nogil
ctypedef bint (*convert_any_t)(Conversion *c, BerElement *e) noexcept nogil

cdef convert_t CONVERT_LIST = convert_list
cdef convert_t CONVERT_CHOICE = convert_choice
cdef convert_t CONVERT_EXPLICIT = convert_explicit
cdef convert_t CONVERT_OPEN = convert_open
cdef convert_typed_t CONVERT_SET = convert_set
cdef convert_typed_t KEEP_ELEMENT = keep_element
cdef convert_typed_t REQUIRE_DER = require_der
cdef convert_typed_t CONVERT_WITHOUT_STEPS = convert_without_steps
cdef convert_any_t CONVERT_ANY_SET = convert_any_set
cdef convert_any_t CONVERT_CHILDREN = convert_children

cdef bint convert(
    Conversion *c, const Node *node, const uint8_t *p, const uint8_t *end, bint prefix, BerElement *e
) noexcept nogil:
    """Convert the element from `p` to `end`, and set `e`; `node` is NULL if it has no type.

    Bytes after the element are a fault unless `prefix` is true. The caller has initialized `c`.
    """
    cdef Check *check = &c.check
    if unlikely(end - p > check.options.size) and not prefix:
        return fail_before(check, FAULT_INPUT_LIMIT, p, end, node)
    if not read_element(c, p, end, node, e):
        return False
    if not (convert_any(c, e) if node == NULL else convert_typed(c, node, e, NULL)):
        return False
    check.steps = 0
    if e.after - p > check.options.size:
        return fail_before(check, FAULT_INPUT_LIMIT, p, e.after, node)
    if not prefix and e.after != end and not check.options.tolerated & DEVIATIONS[<int>FAULT_TRAILING_DATA]:
        return fail_before(check, FAULT_TRAILING_DATA, e.after, end, node)
    return True


cdef inline bint fits_tag(const Node *node, tag_t tag) noexcept nogil:
    """Return whether an element with this tag can be a BER value of the type; a string has two forms."""
    if node.tag != NO_TAG:
        return node.tag == tag or (node.tag ^ tag == 1 and TYPES[node.kind].flags & TYPE_IS_STRING != 0)
    if is_choice(node.kind):
        return chosen_alternative(node, tag) >= (-1 if node.extensible else 0)
    return node.kind == KIND_ANY or node.kind == KIND_OPEN


cdef inline Py_ssize_t chosen_alternative(const Node *node, tag_t tag) noexcept nogil:
    """Return the number of the alternative that a tag selects; a negative number if there is none."""
    cdef Py_ssize_t index = find_alternative(node, tag)
    if index < 0 and tag & 1:
        # X.690 8.7.1, 8.23: a string can be constructed.
        index = find_alternative(node, tag ^ 1)
        if index >= 0 and not fits_tag(node.components[index].node, tag):
            return EXCLUDED
    return index


cdef bint convert_typed(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert an element that should be a value of a type."""
    cdef int level = c.level
    if fits_tag(node, e.h.tag):
        return convert_value(c, node, e, scope)
    c.mismatch = True
    if convert_any(c, e):
        return True
    if not c.out_of_memory:
        # The tag is the first fault. It may be damaged, and then the contents only look invalid.
        c.level = level
        clear_fault(&c.check)
        c.check.steps = 0
        fail_tag(&c.check, node, &e.h, FAULT_UNEXPECTED_TAG)
        return complete_path(c, e.limit)
    return False


cdef bint convert_value(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert a value of a type, which its tag fits."""
    cdef int kind = node.kind
    # The outermost value is always converted.
    if unlikely(node.ber or c.keep != NULL) and e.h.start != c.base and c.level > 0:
        if is_kept(c, node):
            return KEEP_ELEMENT(c, node, e)
        if node.ber == BER_REFUSE and not c.converts_signed:
            return REQUIRE_DER(c, node, e)
    if kind < KIND_SEQUENCE:
        return convert_primitive(c, kind, node, e)
    if kind == KIND_SEQUENCE:
        return convert_sequence(c, node, e)
    if kind == KIND_SEQUENCE_OF or kind == KIND_SET_OF:
        return CONVERT_LIST(c, node, e, scope)
    if is_choice(kind):
        return CONVERT_CHOICE(c, node, e, scope)
    if kind == KIND_SET:
        return CONVERT_SET(c, node, e)
    if kind == KIND_EXPLICIT:
        return CONVERT_EXPLICIT(c, node, e, scope)
    if kind == KIND_ANY:
        return convert_any(c, e)
    if kind == KIND_OPEN:
        return CONVERT_OPEN(c, node, e, scope)
    # The contents of a string are bytes, not an encoding: they are hashed or signed as they are.
    return convert_primitive(c, KIND_BIT_STRING if kind == KIND_OPEN_BITS else KIND_OCTET_STRING, node, e)


cdef bint convert_any(Conversion *c, BerElement *e) noexcept nogil:
    """Convert an element without a known type by its universal tag; others are copied, or have elements inside."""
    cdef int kind
    if not count_element(c, e):
        return False
    if e.h.tag == SEQUENCE_TAG:
        return convert_children(c, e)
    if e.h.tag >> 1 & 3 == CLASS_UNIVERSAL:
        kind = universal_kind(e.h.tag & ~<tag_t>1)
        if kind != KIND_EMPTY and (not e.h.tag & 1 or TYPES[kind].flags & TYPE_IS_STRING):
            return convert_primitive(c, kind, NULL, e)
        if e.h.tag == SET_TAG:
            return CONVERT_ANY_SET(c, e)
        if e.h.tag == EXTERNAL_TAG:
            return CONVERT_WITHOUT_STEPS(c, external_node, e)
        if e.h.tag == EMBEDDED_PDV_TAG:
            return CONVERT_WITHOUT_STEPS(c, embedded_pdv_node, e)
        if e.h.tag == CHARACTER_STRING_TAG:
            return CONVERT_WITHOUT_STEPS(c, character_string_node, e)
    return convert_children(c, e) if e.h.tag & 1 else convert_primitive(c, KIND_EMPTY, NULL, e)


cdef inline bint count_element(Conversion *c, const BerElement *e) noexcept nogil:
    """Count an element of a list, of ANY or of a string against the limit."""
    c.check.elements -= 1
    return True if c.check.elements >= 0 else fail_at(c, FAULT_ELEMENT_LIMIT, e.h.start, e.limit, NULL)


cdef bint convert_without_steps(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Convert contents by an associated type (X.690 8.17, 8.18, 8.24), which has no names for a path."""
    cdef bint without_steps = c.without_steps
    cdef bint valid
    c.without_steps = True
    valid = convert_sequence(c, node, e)
    c.without_steps = without_steps
    return valid


cdef bint convert_children(Conversion *c, BerElement *e) noexcept nogil:
    """Convert the elements inside a constructed element without a type."""
    cdef BerElement child
    cdef const uint8_t *p = e.h.content
    cdef bint without_steps = c.without_steps
    # A string in segments with another tag: only a schema knows whether this is one.
    cdef tag_t segment = 0
    cdef bint ambiguous = e.h.tag >> 1 & 3 != CLASS_UNIVERSAL
    if not open_element(c, e, NULL):
        return False
    c.without_steps = True
    while next_child(c, e, p, NULL, &child):
        if ambiguous:
            ambiguous = (child.h.tag >> 1 == 4 << 2 or child.h.tag >> 1 == 3 << 2) \
                and (segment == 0 or segment == child.h.tag >> 1)
            segment = child.h.tag >> 1
        if not convert_any(c, &child):
            return False
        p = child.after
    if failed(c):
        return False
    c.without_steps = without_steps
    if ambiguous and segment and not note_ambiguous(c, e):
        return False
    return close_element(c, e)


cdef bint note_ambiguous(Conversion *c, const BerElement *e) noexcept nogil:
    """Record an element that may be a string in segments."""
    cdef AmbiguousElement *ambiguous = <AmbiguousElement *>add_items(&c.ambiguous, 1, sizeof(AmbiguousElement))
    if ambiguous == NULL:
        c.out_of_memory = True
        return False
    close_run(c)
    ambiguous.start = e.h.start - c.base
    ambiguous.header = e.h.content - e.h.start
    ambiguous.end = e.h.end - c.base
    return True


cdef bint skip_contents(Conversion *c, BerElement *e) noexcept nogil:
    """Find the end of an element without converting it."""
    cdef BerElement child
    cdef const uint8_t *p = e.h.content
    if not e.indefinite or e.h.end != NULL:
        return True
    if unlikely(not enter(&c.check)):
        return fail_at(c, FAULT_DEPTH_LIMIT, e.h.start, e.limit, NULL)
    while next_child(c, e, p, NULL, &child):
        if not skip_contents(c, &child):
            return False
        p = child.after
    c.check.depth += 1
    return not failed(c)
