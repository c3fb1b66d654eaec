# Extension markers ("..."): what a later version of a schema may have added (X.680 25, 27, 29, 20).
#
# An extensible SEQUENCE, SET or CHOICE takes elements that the schema does not know where its marker stands. They are
# proved as elements without a schema, kept where they are, and read as TLVs. Called by the check (`is_addition`) and
# by the views and the writer. Which elements of a SEQUENCE are unknown follows from the tags alone: each is compared
# with the components that may stand there, and what none of them takes is an addition.

# The key of unknown additions in plain data.
ADDITIONS = "$additions"


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


cdef tuple additions_in(Source source, const Node *node, const uint8_t *content, const uint8_t *end):
    """The unknown additions of a proved SEQUENCE or SET, as TLVs."""
    cdef Header h
    cdef const uint8_t *p = content
    cdef Py_ssize_t first = 0
    cdef Py_ssize_t found
    cdef list additions = []
    if not node.extensible:
        return ()
    while p < end:
        if reread_header(p, end, &h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        if node.kind == KIND_SET:
            found = -1 if is_unknown_member(node, h.tag) else 0
        else:
            found = component_of(node, first, h.tag)
            first = node.insertion if found < 0 else found + 1
        if found < 0:
            additions.append(tlv_new(source, &h))
        p = h.end
    return tuple(additions)


cdef object native_additions(Source source, const Node *node, const Header *h, bint json):
    """Unknown additions as plain data: the octets of each."""
    return [element.encode().hex() if json else element.encode()
            for element in additions_in(source, node, h.content, h.end)]


cdef list listed_additions(const Node *node, dict values):
    """The unknown additions among the values for an extensible SEQUENCE or SET."""
    additions = dict.get(values, ADDITIONS)
    if additions is None:
        return []
    if not node.extensible:
        raise _errors.ConstraintError(f"{plan_of(node).name} is not extensible: it has no unknown additions")
    if not lists_elements(additions):
        raise wrong_type(additions, node, "unknown additions are a list of elements")
    return list(additions)


cdef int write_addition(Writer w, const Node *node, object value) except -1:
    """Write one unknown addition, or unknown alternative of a CHOICE, whose tag must be none that is known there."""
    cdef Header h
    cdef bint unknown
    write_any(w, node, value)
    if read_header(w.base + w.at, w.base + w.size, &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    if node.kind == KIND_SET:
        unknown = is_unknown_member(node, h.tag)
    elif node.kind == KIND_SEQUENCE:
        unknown = is_addition(node, node.insertion, node.insertion, h.tag) \
            and component_of(node, node.insertion, h.tag) < 0
    else:
        unknown = find_alternative(node, h.tag) == -1 and find_alternative(node, h.tag ^ 1) == -1
    if not unknown:
        raise _errors.ConstraintError(f"{describe_tag(h.tag)} is not an unknown addition of {plan_of(node).name}: "
                                      "it has a component or alternative of this tag")
    return 0


cdef int write_additions(Writer w, const Node *node, dict values) except -1:
    """Write the unknown additions of a SEQUENCE; they stand in the order in which they are given."""
    cdef Py_ssize_t i
    cdef list additions = listed_additions(node, values)
    for i in range(len(additions) - 1, -1, -1):
        try:
            write_addition(w, node, additions[i])
        except _errors.ConstraintError as error:
            raise field_error(field_error(error, i), ADDITIONS)
    return 0
