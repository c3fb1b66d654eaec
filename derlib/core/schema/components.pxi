# The matcher of elements to the components of a SEQUENCE or SET.
#
# `match_component` and `match_member` find the component of one element; the check pass calls them. `next_component`
# does so for each element of validated contents in turn; views and constraints find components with it.
#
# `is_addition` recognizes unknown additions of extensible types (X.680 25, 27). An extension marker ("...") allows
# elements that the schema does not define. Tags alone decide: an addition is an element that no component accepts, at
# the position of the marker.

cdef enum:
    KNOWN_WORDS = (ONE_OCTET_TAGS + 63) // 64

cdef struct ComponentWalk:          # the elements of a validated SEQUENCE or SET, one by one: see `next_component`
    const Node *node
    const uint8_t *next             # the start of the next element
    const uint8_t *end
    const Component *following      # of a SEQUENCE, the first component that the next element may belong to
    const Component *component      # the component of the current element, NULL for an unknown addition
    Header h                        # the current element


cdef inline bint is_element_of(const Component *component, uint8_t identifier, tag_t tag) noexcept nogil:
    """Return whether an element with this first octet and tag belongs to a component."""
    # An identifier octet of a component never equals the first octet of a tag that has several.
    return component.identifier == identifier if component.identifier else accepts(component.node, tag)


cdef inline bint match_component(
    const Component **component, const Component *last, uint8_t identifier, tag_t tag
) noexcept nogil:
    """Advance `component` to the one that an element of a SEQUENCE belongs to; return False if there is none.

    Only components that are OPTIONAL or DEFAULT can be skipped (X.690 8.9.2). If no component matches, `component` is
    where the search ended: at a required component, or at `last`, which is after all components.
    """
    while component[0] < last:
        if is_element_of(component[0], identifier, tag):
            return True
        if not component[0].optional:
            return False
        component[0] += 1
    return False


cdef inline const Component *match_member(const Node *node, uint8_t identifier, tag_t tag) noexcept nogil:
    """Return the component of an element of a SET, NULL if there is none."""
    cdef const Component *component = node.components
    cdef const Component *last = component + node.component_count
    while component < last:
        if is_element_of(component, identifier, tag):
            return component
        component += 1
    return NULL


cdef inline const Component *component_of(
    const Node *node, const Component **following, const Header *h
) noexcept nogil:
    """Return the component of an element of validated contents, NULL for an unknown addition.

    Of a SEQUENCE, search from the component `following` on, and update it for the next element.
    """
    cdef const Component *component = following[0]
    if node.kind == KIND_SET:
        return match_member(node, octet_at(h.start), h.tag)
    if match_component(&component, node.components + node.component_count, octet_at(h.start), h.tag):
        following[0] = component + 1
        return component
    # The components after the extension marker may follow an addition.
    following[0] = node.components + node.insertion
    return NULL


cdef inline void begin_walk(
    ComponentWalk *walk, const Node *node, const uint8_t *content, const uint8_t *end
) noexcept nogil:
    """Start a walk over the contents octets of a SEQUENCE or SET."""
    walk.node = node
    walk.next = content
    walk.end = end
    walk.following = node.components
    walk.component = NULL


cdef inline bint next_component(ComponentWalk *walk) noexcept nogil:
    """Move to the next element; return False after the last one.

    If a shared buffer changed and has no element there, return False as well; then `walk.next` is not `walk.end`.
    """
    if walk.next >= walk.end or reread_header(walk.next, walk.end, &walk.h) != FAULT_NONE:
        return False
    walk.next = walk.h.end
    walk.component = component_of(walk.node, &walk.following, &walk.h)
    return True


cdef inline bint find_component(
    const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t index, Header *h
) noexcept nogil:
    """Find a component in validated contents; return False if it is absent."""
    # Fast path: selectors and the keys of look-ups are usually the first component.
    cdef int length = short_length(content, end, node.components[0].identifier) if index == 0 else -1
    if length >= 0:
        set_short_header(h, node.components[0].node.tag, content, length)
        return True
    return search_component(node, content, end, index, h)


cdef bint search_component(
    const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t index, Header *h
) noexcept nogil:
    """Do what `find_component` does, for any component."""
    cdef ComponentWalk walk
    cdef const Component *wanted = node.components + index
    begin_walk(&walk, node, content, end)
    while next_component(&walk):
        if walk.component == wanted:
            h[0] = walk.h
            return True
        if walk.component > wanted and node.kind == KIND_SEQUENCE:
            return False
    return False


cdef bint has_other_form(const Node *node, Py_ssize_t first, Py_ssize_t last, tag_t tag) noexcept nogil:
    """Return whether a component from `first` to before `last` has this tag in the other form.

    The two forms are primitive and constructed.
    """
    cdef Py_ssize_t i
    for i in range(first, last):
        if node.components[i].node.tag ^ tag == 1 or (
                is_choice(node.components[i].node.kind)
                and find_alternative(node.components[i].node, tag ^ 1) >= 0):
            return True
    return False


cdef void note_known(const Node *node, uint64_t *known) noexcept:
    """Store for each tag of one identifier octet whether `is_known` is true."""
    cdef tag_t tag
    # The plan may have been filled in by an earlier attempt to seal it.
    memset(known, 0, KNOWN_WORDS * sizeof(uint64_t))
    for tag in range(<tag_t>ONE_OCTET_TAGS):
        if is_known(node, tag):
            known[tag >> 6] |= <uint64_t>1 << (tag & 63)


cdef bint is_known(const Node *node, tag_t tag) noexcept nogil:
    """Return whether a component could have this tag, in either form, right before the extension marker.

    That is a component before the marker with no required component between.
    """
    cdef Py_ssize_t i = node.insertion
    while i > 0 and node.components[i - 1].optional:
        i -= 1
        if accepts(node.components[i].node, tag) or has_other_form(node, i, i + 1, tag):
            return True
    return False


cdef bint is_addition(const Node *node, Py_ssize_t first, Py_ssize_t stop, tag_t tag) noexcept nogil:
    """Return whether an element that `match_component` did not match is an unknown addition.

    The search went from component `first` to component `stop`. X.680 25.6: an addition does not have the tag of a
    component that could come right before the marker. So a component that appears twice, or after an addition, is not
    an addition.
    """
    cdef Py_ssize_t i = node.insertion
    if not first <= i <= stop or has_other_form(node, first, min(stop + 1, node.component_count), tag):
        return False
    if tag < ONE_OCTET_TAGS:
        # A table, because the input may consist of additions.
        return not node.known[tag >> 6] >> (tag & 63) & 1
    return not is_known(node, tag)
