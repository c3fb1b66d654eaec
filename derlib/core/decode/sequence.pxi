# Validation of SEQUENCE (X.690 8.9): the components in the order of their definition, some of them absent.
#
# How an absent component is recognized: `component` points to the next component that the schema expects. An element
# with another tag is compared with the components after it; `match_component` (core/schema/components.pxi) skips those
# that are OPTIONAL or DEFAULT and stops at the first required one. Skipped components are absent. If the search ends
# without a match, the element is an unknown addition of an extensible SEQUENCE (`is_addition`), or a fault
# (`fail_match`). After the last element, no required component may be left.

cdef bint check_sequence(Check *c, const Node *node, const Header *h, const Scope *around) noexcept nogil:
    """Validate a SEQUENCE."""
    cdef Scope scope
    cdef Header child
    cdef const Component *component = node.components
    cdef const Component *last = node.components + node.component_count
    cdef const Component *first         # the first component that the element can be
    cdef const uint8_t *p = h.content
    cdef int length
    cdef int fault
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if p == h.end and node.may_be_empty:
        c.depth += 1
        return True
    set_scope(&scope, node, h.content, h.end)
    while p < h.end:
        # Most elements are the next component, with one identifier octet and one length octet.
        if component < last and component.default == NULL:
            length = short_length(p, h.end, component.identifier)
            if length >= 0:
                if not passes_fast_check(c, component.node, p + 2, length):
                    set_short_header(&child, component.node.tag, p, length)
                    if unlikely(not check_value(c, component.node, &child, &scope)) and not is_excused(c, p):
                        return fail_in(c, node, component - node.components)
                p += 2 + length
                component += 1
                continue
        fault = read_header(p, h.end, &child)
        if unlikely(fault) and not tolerates_header(c, fault, &child):
            if component == last:
                return fail_header(c, fault, &child, h.end, NULL)
            fail_header(c, fault, &child, h.end, component.node)
            return fail_in(c, node, component - node.components)
        first = component
        if unlikely(not match_component(&component, last, octet_at(p), child.tag)):
            if not node.extensible \
                    or not is_addition(node, first - node.components, component - node.components, child.tag):
                return fail_match(c, node, first - node.components, component - node.components, &child)
            if not check_any_inline(c, &child):
                return False
            p = child.end
            component = node.components + node.insertion
            continue
        if unlikely(not check_value(c, component.node, &child, &scope)) and not is_excused(c, p):
            return fail_in(c, node, component - node.components)
        if component.default != NULL and not check_default(c, node, component, &child) and not is_excused(c, p):
            return False
        p = child.end
        component += 1
    last = node.components + node.needed
    while unlikely(component < last):
        if not component.optional:
            fail_before(c, FAULT_COMPONENT_MISSING, h.end, h.end, component.node)
            return fail_in(c, node, component - node.components)
        component += 1
    if unlikely(node.leading_required) and not has_leading(node, h):
        return fail(c, FAULT_REFERENCE_MISSING, h.start, node)
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint has_leading(const Node *node, const Header *h) noexcept nogil:
    """Return whether an otherwise valid SEQUENCE has one of its leading components, of which it must have one."""
    cdef Header child
    cdef Py_ssize_t i
    if h.content < h.end and reread_header(h.content, h.end, &child) == FAULT_NONE:
        for i in range(node.leading_required):
            if accepts(node.components[i].node, child.tag):
                return True
    return False


cdef bint fail_match(
    Check *c, const Node *node, Py_ssize_t first, Py_ssize_t stop, const Header *h
) noexcept nogil:
    """Set the fault of an element that matches no component; the search went from `first` to `stop`."""
    if not fail_form(c, node, first, h):
        return False
    if stop == node.component_count:
        return fail(c, FAULT_COMPONENT_EXTRA, h.start, NULL)
    fail_tag(c, node.components[stop].node, h, FAULT_UNEXPECTED_TAG)
    return fail_in(c, node, stop)


cdef bint fail_form(Check *c, const Node *node, Py_ssize_t first, const Header *h) noexcept nogil:
    """Set the fault of an element that has the tag of a component from `first` on, but in the other form.

    Return True if there is no such component.
    """
    cdef Py_ssize_t i
    for i in range(first, node.component_count):
        if has_other_form(node, i, i + 1, h.tag):
            fail_tag(c, node.components[i].node, h, FAULT_UNEXPECTED_TAG)
            return fail_in(c, node, i)
    return True
