# Which component is this element?

cdef bint has_other_form(const Node *node, Py_ssize_t first, Py_ssize_t last, tag_t tag) noexcept nogil:
    """Whether a field from `first` to before `last` has this tag in the other form, primitive or constructed."""
    cdef Py_ssize_t i
    for i in range(first, last):
        if node.components[i].node.tag ^ tag == 1 \
                or (is_choice(node.components[i].node.kind) and find_alternative(node.components[i].node, tag ^ 1) >= 0):
            return True
    return False


cdef enum:
    KNOWN_WORDS = (ONE_OCTET_TAGS + 63) // 64


cdef void note_known(const Node *node, uint64_t *known) noexcept:
    """Note which tags of one identifier octet a component before the marker could have there."""
    cdef tag_t tag
    # It may have been noted before, for a plan that could not be sealed then.
    memset(known, 0, KNOWN_WORDS * sizeof(uint64_t))
    for tag in range(ONE_OCTET_TAGS):
        if is_known(node, tag):
            known[tag >> 6] |= <uint64_t>1 << (tag & 63)


cdef bint is_known(const Node *node, tag_t tag) noexcept nogil:
    """Whether a component before the marker, with none needed between, could have this tag, in either form."""
    cdef Py_ssize_t i = node.insertion
    cdef const Node *other
    while i > 0 and node.components[i - 1].optional:
        i -= 1
        other = node.components[i].node
        if accepts(other, tag) or other.tag ^ tag == 1:
            return True
    return False


cdef bint is_addition(const Node *node, Py_ssize_t first, Py_ssize_t stop, tag_t tag) noexcept nogil:
    """Whether an element that no field from `first` to `stop` takes is an unknown addition of an extensible SEQUENCE.

    X.680 25.6: its tag is none that a component before the marker could have there. So a component that stands twice,
    or behind an addition, is no addition.
    """
    cdef Py_ssize_t i = node.insertion
    if not first <= i <= stop or has_other_form(node, first, min(stop + 1, node.component_count), tag):
        return False
    if tag < ONE_OCTET_TAGS:
        # There may be very many additions.
        return not node.known[tag >> 6] >> (tag & 63) & 1
    return not is_known(node, tag)


cdef bint is_unknown_member(const Node *node, tag_t tag) noexcept nogil:
    """Whether an element is an unknown addition of an extensible SET."""
    cdef Py_ssize_t i
    for i in range(node.component_count):
        if accepts(node.components[i].node, tag):
            return False
    return not has_other_form(node, 0, node.component_count, tag)


cdef Py_ssize_t component_of(const Node *node, Py_ssize_t first, tag_t tag) noexcept nogil:
    """The field from `first` on that an element of a proved SEQUENCE is, or -1 for an unknown addition."""
    while first < node.component_count:
        if accepts(node.components[first].node, tag):
            return first
        if not node.components[first].optional:
            break
        first += 1
    return -1


cdef bint find_in_extensible(
    const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t index, Header *h
) noexcept nogil:
    """`find_component` for an extensible SEQUENCE."""
    cdef const uint8_t *p = content
    cdef Py_ssize_t first = 0
    cdef Py_ssize_t found
    while p < end and reread_header(p, end, h) == FAULT_NONE:
        found = component_of(node, first, h.tag)
        if found >= index:
            return found == index
        first = node.insertion if found < 0 else found + 1
        p = h.end
    return False


cdef bint find_component(
    const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t index, Header *h
) noexcept nogil:
    """Find a component of a proved SEQUENCE or SET again; False where it is absent."""
    cdef const uint8_t *p = content
    cdef const Component *field = node.components
    if node.kind == KIND_SET:
        while p < end and reread_header(p, end, h) == FAULT_NONE:
            if accepts(node.components[index].node, h.tag):
                return True
            p = h.end
        return False
    if unlikely(node.extensible):
        return find_in_extensible(node, content, end, index, h)
    while p < end and reread_header(p, end, h) == FAULT_NONE:
        while not accepts(field.node, h.tag):
            if field - node.components >= index:
                return False
            field += 1
        if field - node.components >= index:
            return field - node.components == index
        field += 1
        p = h.end
    return False
