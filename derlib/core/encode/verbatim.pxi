# Copying values that are already DER: fields that `replace` keeps, and views of the same type.
#
# Their octets were validated before, except for rules that depend on the elements around them.


cdef int write_verbatim(Writer w, const Node *node, VerbatimField kept) except -1:
    """Copy a field that `replace` keeps, with its tag.

    A class with its own `__init__` may pass it to another field: then it is validated as that field.
    """
    w.octets(kept.start, kept.end - kept.start)
    cdef bint depends = depends_on_selector(node)
    # A selector around it may select another type now.
    w.selector_changed |= depends
    if not depends and node == kept.node and not kept.source.has_nonstandard_options() \
            and kept.source.registrations == registrations:
        return 0
    return recheck_copied(w, node, kept.end - kept.start)


cdef bint write_view(Writer w, const Node *node, View view) except -1:
    """Copy the octets of a view of this type; return False if its type is another."""
    cdef Py_ssize_t before = w.written()
    view.require_value()
    if not same_type(&view.plan.node, node):
        return False
    if is_choice(node.kind):
        # A CHOICE has no tag of its own: copy the whole alternative.
        w.octets(view.start, view.end - view.start)
    else:
        w.octets(view.content, view.end - view.content)
        w.header(node.tag, view.end - view.content)
    recheck_untrusted_copy(w, node, view, before)
    return True


cdef inline bint is_trusted_copy(const Node *node, View view) noexcept:
    """Return whether a copy of a view is valid without a check.

    It is if its buffer cannot change, it was validated strictly with the open types that are registered now, and this
    type adds no constraint.
    """
    return view.source.is_immutable() and not view.source.has_nonstandard_options() \
        and view.source.registrations == registrations and not node.constrained


cdef int recheck_untrusted_copy(Writer w, const Node *node, View view, Py_ssize_t before) except -1:
    """Check the octets copied after the first `before` ones, unless the copy is trusted."""
    if depends_on_selector(node):
        w.selector_changed = True
    elif is_trusted_copy(node, view):
        w.copied += w.written() - before
        note_depth(w, view.source.max_depth)
        return 0
    w.needs_recheck = True
    return recheck_copied(w, node, w.written() - before)


cdef int recheck_copied(Writer w, const Node *node, Py_ssize_t count) except -1:
    """Check that the `count` octets just copied are one valid element: a shared buffer may have changed."""
    cdef Header h
    recheck_element(w, node)
    if read_header(w.base + w.at, w.base + w.size, &h) or h.end != w.base + w.at + count:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return 0


cdef bint depends_on_selector(const Node *node) noexcept:
    """Return whether an element may contain an open type whose selector is outside the element."""
    # Types may contain themselves, so the search is limited; True only causes another check.
    cdef int steps = DEPTH_LIMIT
    return depends_on_selector_within(node, &steps)


cdef bint depends_on_selector_within(const Node *node, int *steps) noexcept:
    cdef Py_ssize_t i
    while is_list(node.kind) or node.kind == KIND_EXPLICIT:
        steps[0] -= 1
        if steps[0] < 0:
            return True
        node = node.element
    if is_choice(node.kind):
        for i in range(node.component_count):
            steps[0] -= 1
            if steps[0] < 0 or depends_on_selector_within(node.components[i].node, steps):
                return True
    return is_open(node.kind) and node.selector_length > 0
