# Copying values that are already encoded: fields that `replace` keeps, and views of the same type.
#
# Their octets were validated before, but not against the constraints and selectors of the new value around them.

cdef enum:
    # The open type may have any component as its selector.
    ANY_SELECTOR = -1


cdef int write_verbatim(Writer w, const Node *node, VerbatimField field) except -1:
    """Copy a field that `replace` keeps, with its tag.

    A class with its own `__init__` may pass it to another field; then it is validated as that field.
    """
    w.octets(field.start, field.end - field.start)
    cdef bint depends = depends_on_selector(node)
    # A selector around it may select another type now.
    w.selector_changed |= depends
    if not depends and node == field.node and not field.source.has_nonstandard_options() \
            and are_all_registered(field.source.registrations):
        return 0
    return recheck_copied(w, node, field.source, field.end - field.start)


cdef bint write_view(Writer w, const Node *node, View view) except -1:
    """Copy the octets of a view; return False if it has another type."""
    cdef Py_ssize_t before = w.length()
    if not view.is_in_parts():
        view.require_value()
    if not same_type(&view.plan.node, node):
        return False
    if can_be_deferred(node, view):
        write_deferred(w, node, view)
        recheck_untrusted_copy(w, node, view, before)
        return True
    view.require_value()
    if is_choice(node.kind):
        # A CHOICE has no tag of its own: copy the whole alternative.
        w.octets(view.start, view.end - view.start)
    else:
        w.octets(view.content, view.end - view.content)
        w.header(node.tag, view.end - view.content)
    recheck_untrusted_copy(w, node, view, before)
    return True


cdef bint can_be_deferred(const Node *node, View view) noexcept:
    """Return whether the writer may defer the copy of a view: it is long, and needs no check."""
    return (view.is_in_parts() or view.end - view.content >= SCRATCH) and not is_choice(node.kind) \
        and not depends_on_selector(node) and is_trusted_copy(node, view)


cdef int write_deferred(Writer w, const Node *node, View view) except -1:
    """Write a view, and defer the copy of its octets, or of the long part if it is in parts.

    A view in parts consists of octets in the buffer of its writer, then the deferred copy of that writer, then more
    octets in the buffer. It begins with its header. They are written here in this order, the last first, without the
    header, because the field can have another tag.
    """
    cdef Header h
    cdef Writer parts
    cdef Py_ssize_t before = w.length()
    cdef const uint8_t *middle
    if view.is_in_parts():
        parts = <Writer>view.source.owner
        middle = parts.base + parts.size - parts.deferred_at
        if read_header(parts.base + parts.at, middle, &h) != FAULT_CONTENT_TRUNCATED:
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        w.octets(middle, parts.deferred_at)
        w.copy_later(<object>parts.deferred_owner, parts.deferred, parts.deferred_size)
        w.octets(h.content, middle - h.content)
    else:
        w.copy_later(view.source, view.content, view.end - view.content)
    return w.header(node.tag, w.length() - before)


cdef inline bint is_trusted_copy(const Node *node, View view) noexcept:
    """Return whether a copy of a view is valid without a check.

    It is valid if the buffer cannot change, the view was validated strictly and with the open types that are registered
    now, and this type adds no constraint.
    """
    return view.source.is_immutable() and not view.source.has_nonstandard_options() \
        and are_all_registered(view.source.registrations) and not node.constrained


cdef int recheck_untrusted_copy(Writer w, const Node *node, View view, Py_ssize_t before) except -1:
    """Check what was copied since `before` octets were written, unless the copy is trusted."""
    if depends_on_selector(node):
        w.selector_changed = True
    elif is_trusted_copy(node, view):
        w.copied += w.length() - before
        note_depth(w, view.source.max_depth)
        return 0
    w.needs_recheck = True
    return recheck_copied(w, node, view.source, w.length() - before)


cdef int recheck_copied(Writer w, const Node *node, Source source, Py_ssize_t count) except -1:
    """Check that the `count` octets just copied are one valid element: a shared buffer may have changed."""
    cdef Header h
    recheck_element(w, node, source.has_deviations())
    if read_header(w.base + w.at, w.base + w.size, &h) or h.end != w.base + w.at + count:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return 0


cdef bint depends_on_selector(const Node *node, Py_ssize_t selector=ANY_SELECTOR) noexcept:
    """Return whether an element may contain an open type whose selector is outside it, in component `selector`."""
    # A type may contain itself, so the search is limited; a wrong True costs only a recheck.
    cdef int steps = DEPTH_LIMIT
    return depends_on_selector_within(node, selector, &steps)


cdef bint depends_on_selector_within(const Node *node, Py_ssize_t selector, int *steps) noexcept:
    """Do what `depends_on_selector` does, within a number of steps."""
    cdef Py_ssize_t i
    while is_list(node.kind) or node.kind == KIND_EXPLICIT:
        steps[0] -= 1
        if steps[0] < 0:
            return True
        node = node.element
    if is_choice(node.kind):
        for i in range(node.component_count):
            steps[0] -= 1
            if steps[0] < 0 or depends_on_selector_within(node.components[i].node, selector, steps):
                return True
    return is_open(node.kind) and node.selector_length > 0 \
        and (selector == ANY_SELECTOR or node.selector[0] == selector)
