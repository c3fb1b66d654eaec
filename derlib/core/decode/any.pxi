# Validation of elements without a known type: ANY, opaque open types, and the tree of `derlib.parse`.

cdef enum:
    SEQUENCE_TAG = 16 << 3 | 1
    SET_TAG = 17 << 3 | 1
    EXTERNAL_TAG = 8 << 3 | 1
    EMBEDDED_PDV_TAG = 11 << 3 | 1
    CHARACTER_STRING_TAG = 29 << 3 | 1
    # Universal numbers of the types that may have no contents: NULL, strings, and REAL, whose zero has none.
    MAY_BE_EMPTY = 1 << 4 | 1 << 5 | 1 << 9 | 1 << 12 | 1 << 18 | 1 << 19 | 1 << 22 | 1 << 26 | 1 << 28 | 1 << 30


cdef bint check_any_type(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a value of type ANY."""
    return check_any(c, h)


cdef bint check_any(Check *c, const Header *h) noexcept nogil:
    """Validate an element without a known type: its contents by its universal tag, and the elements inside it."""
    return check_any_inline(c, h)


cdef inline bint check_any_inline(Check *c, const Header *h) noexcept nogil:
    """Do what `check_any` does, inlined for callers that validate many short elements."""
    return check_any_shallow(c, h) and (not h.tag & 1 or check_any_children(c, h))


cdef inline bint check_any_shallow(Check *c, const Header *h) noexcept nogil:
    """Validate an element except for the elements inside it."""
    cdef int fault
    # An empty element takes only two bytes, so an input can have very many of them: avoid the call.
    if h.tag >> 1 & 3 == CLASS_UNIVERSAL and h.tag & ~<tag_t>8 != SEQUENCE_TAG and not (
            h.content == h.end and not h.tag & 1 and h.tag >> 3 < 31 and <uint32_t>MAY_BE_EMPTY >> (h.tag >> 3) & 1):
        fault = universal_value_check(h, c.options.arc_octets)
        if unlikely(fault) and not tolerates(c, fault, h.start, NULL, h.content, h.end - h.content):
            return fail(c, fault, h.start, NULL)
    return check_limits(c, h)


cdef inline bint check_limits(Check *c, const Header *h) noexcept nogil:
    """Count an element without a type against the limits."""
    if unlikely(h.tag >> 3 >= c.options.tag_numbers):
        return fail(c, FAULT_TAG_LIMIT, h.start, NULL)
    c.elements -= 1
    if unlikely(c.elements < 0):
        return fail(c, FAULT_ELEMENT_LIMIT, h.start, NULL)
    return True


cdef bint check_any_children(Check *c, const Header *h) noexcept nogil:
    """Validate the elements inside a constructed element."""
    cdef Header child
    cdef const uint8_t *p
    cdef const uint8_t *before = NULL
    cdef tag_t before_key = 0
    cdef tag_t key
    cdef bint by_tag = True
    cdef bint by_encoding = True
    cdef bint ordered = h.tag == SET_TAG
    # Nearly all constructed elements are SEQUENCEs, which need one comparison.
    if h.tag != SEQUENCE_TAG and (
            h.tag == EXTERNAL_TAG or h.tag == EMBEDDED_PDV_TAG or h.tag == CHARACTER_STRING_TAG):
        return check_associated(c, h)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, NULL)
    p = h.content
    while p < h.end:
        if not check_header(c, NULL, p, h.end, &child) or not check_any_inline(c, &child):
            return False
        if ordered:
            # The encoding does not show whether this is a SET or a SET OF: one of the two orders must hold.
            key = canonical_key(child.tag)
            if before != NULL:
                by_tag = by_tag and before_key < key
                by_encoding = by_encoding and in_order(before, p, child.end)
            if not by_tag and not by_encoding:
                if not tolerates(c, FAULT_ANY_SET_ORDER, p, NULL, child.content, 0):
                    return fail(c, FAULT_ANY_SET_ORDER, p, NULL)
                # Record one fault for each SET.
                ordered = False
            before = p
            before_key = key
        p = child.end
    c.depth += 1
    return True


# The plans of EXTERNAL, EMBEDDED PDV and CHARACTER STRING; derlib/_schema/associated_types.py sets them on import.
cdef tuple associated_plans = ()
cdef const Node *external_node = NULL
cdef const Node *embedded_pdv_node = NULL
cdef const Node *character_string_node = NULL


def set_associated(Plan external not None, Plan embedded_pdv not None, Plan character_string not None):
    """Set the associated types, by which ANY validates elements with these universal tags."""
    global associated_plans, external_node, embedded_pdv_node, character_string_node
    if associated_plans:
        raise _errors.SchemaError("the associated types are known already")
    for plan in (external, embedded_pdv, character_string):
        (<Plan>plan).prepared()
        if (<Plan>plan).node.kind != KIND_SEQUENCE:
            raise _errors.SchemaError(f"the associated type {plan.name} is not a SEQUENCE")
    associated_plans = (external, embedded_pdv, character_string)
    external_node = &external.node
    embedded_pdv_node = &embedded_pdv.node
    character_string_node = &character_string.node


cdef bint check_associated(Check *c, const Header *h) noexcept nogil:
    """Validate contents by the associated type (X.690 8.17, 8.18, 8.24)."""
    cdef const Node *node = external_node
    cdef int steps = c.steps
    cdef TemplateRecorder *recorder = c.recorder
    cdef bint valid
    if h.tag == EMBEDDED_PDV_TAG:
        node = embedded_pdv_node
    elif h.tag == CHARACTER_STRING_TAG:
        node = character_string_node
    # A template compares everything inside ANY, so nothing in it is variable.
    c.recorder = NULL
    valid = check_sequence(c, node, h, NULL)
    c.recorder = recorder
    # A tree without a schema has no names for a path.
    c.steps = steps
    return valid


cdef int universal_value_check(const Header *h, Py_ssize_t arc_octets) noexcept nogil:
    """Return the fault of the contents of an element with a universal tag; numbers without a type are opaque."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - h.content
    cdef uint64_t number = h.tag >> 3
    cdef bint constructed = h.tag & 1
    cdef int kind
    # BOOLEAN first: its elements are among the shortest, so the work per byte is highest for them.
    if h.tag == 1 << 3:
        return boolean_validate(NULL, p, n, arc_octets)
    if number == 0:
        return FAULT_TAG_RESERVED
    # X.680 8.4: SEQUENCE (16), SET (17), EXTERNAL (8), EMBEDDED PDV (11), CHARACTER STRING (29) have components.
    if number == 16 or number == 17 or number == 8 or number == 11 or number == 29:
        return FAULT_NONE if constructed else FAULT_NOT_CONSTRUCTED
    if number >= UNIVERSAL_NUMBERS:
        return FAULT_NONE
    kind = UNIVERSAL_KINDS[number]
    if constructed:
        return FAULT_STRING_CONSTRUCTED if TYPES[kind].flags & TYPE_IS_STRING else FAULT_NOT_PRIMITIVE
    if kind == KIND_INTEGER:
        return integer_check(p, n)
    return FAULT_NONE if kind == KIND_EMPTY else TYPES[kind].validate(NULL, p, n, arc_octets)
