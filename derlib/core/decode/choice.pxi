# Validation of CHOICE (X.690 8.13) and of explicit tags (X.690 8.14).

cdef bint check_choice(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a CHOICE: its encoding is that of the chosen alternative."""
    cdef const Node *chosen = node
    cdef Py_ssize_t index
    # A CHOICE inside a CHOICE needs no call of its own, unless it has constraints to check afterwards.
    while True:
        index = find_alternative(chosen, h.tag)
        if unlikely(index < 0):
            return check_unknown(c, node, chosen, h)
        chosen = chosen.components[index].node
        if not is_choice(chosen.kind) or chosen.constraints != NULL:
            break
    if unlikely(not check_quickly(c, chosen, h, scope)):
        return fail_choice(c, node, chosen, h)
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_unknown(Check *c, const Node *node, const Node *chosen, const Header *h) noexcept nogil:
    """Validate an element whose tag selects no alternative of `chosen`: the CHOICE `node`, or one inside it."""
    if chosen.extensible and find_alternative(chosen, h.tag) == -1 and find_alternative(chosen, h.tag ^ 1) == -1:
        if not check_any_inline(c, h):
            return fail_choice(c, node, chosen, h)
        return check_constraints(c, node, h) if node.constraints != NULL else True
    fail_tag(c, chosen, h, FAULT_UNEXPECTED_TAG)
    return fail_choice(c, node, chosen, h)


cdef bint fail_choice(Check *c, const Node *node, const Node *chosen, const Header *h) noexcept nogil:
    """Add the steps of the path from the CHOICE `node` to `chosen`, which has the fault, innermost first."""
    cdef Py_ssize_t index
    if node == chosen:
        return False
    # There is one: `check_choice` came to `chosen` through it.
    index = find_alternative(node, h.tag)
    fail_choice(c, node.components[index].node, chosen, h)
    return False if node.kind == KIND_UNION else fail_in(c, node, index)


cdef bint check_explicit(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate an explicit tag: its contents are exactly one element."""
    cdef Header child
    if h.content == h.end:
        return fail_before(c, FAULT_EXPLICIT_EMPTY, h.end, h.end, node)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if not check_element(c, node.element, h.content, h.end, scope, &child) and not is_excused(c, h.content):
        return False
    if child.end != h.end:
        return fail_before(c, FAULT_EXPLICIT_EXTRA, child.end, h.end, node)
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True
