# The writer of what is DER already: fields that `replace` keeps, and views of just the right type.
#
# Their octets are copied. They were proved before, but for rules that depend on what stands around them.


cdef int write_verbatim(Writer w, const Node *node, VerbatimField kept) except -1:
    """Copy a field that `replace` does not change; it stood under this tag and these constraints before.

    A class with an `__init__` of its own may give it to another field: then it is proved as that one.
    """
    w.octets(kept.start, kept.end - kept.start)
    cdef bint depends = depends_on_selector(node)
    # What a field around it selects may be another type now.
    w.selector_changed |= depends
    if not depends and node == kept.node and not kept.source.has_nonstandard_options() and kept.source.registrations == registrations:
        return 0
    return recheck_copied(w, node, kept.end - kept.start)


cdef bint write_view(Writer w, const Node *node, View view) except -1:
    """Copy the octets of a decoded value of just this type; False where its type is another."""
    cdef Py_ssize_t before = w.written()
    view.require_value()
    if not same_type(&view.plan.node, node):
        return False
    if is_choice(node.kind):
        # The octets of a CHOICE are those of its alternative, tags included.
        w.octets(view.start, view.end - view.start)
    else:
        w.octets(view.content, view.end - view.content)
        w.header(node.tag, view.end - view.content)
    recheck_untrusted_copy(w, node, view, before)
    return True


cdef inline bint is_trusted_copy(const Node *node, View view) noexcept:
    """Whether a copy of a value needs no further proof: see `recheck_untrusted_copy`."""
    return view.source.is_immutable() and not view.source.has_nonstandard_options() and view.source.registrations == registrations \
        and not node.constrained


cdef int recheck_untrusted_copy(Writer w, const Node *node, View view, Py_ssize_t before) except -1:
    """Count the octets just copied, if they need no further proof; else prove them. There were so many `before`.

    They need none that are of a buffer that cannot change, were proved strictly with the types that are registered now,
    and stand under no further constraint and under no other selector.
    """
    if depends_on_selector(node):
        w.selector_changed = True
    elif is_trusted_copy(node, view):
        w.copied += w.written() - before
        note_depth(w, view.source.max_depth)
        return 0
    w.needs_recheck = True
    return recheck_copied(w, node, w.written() - before)


cdef int recheck_copied(Writer w, const Node *node, Py_ssize_t count) except -1:
    """Let the check pass judge so many octets that were copied: that they are one element, which those of a shared
    buffer, whose length octets may have changed, need not be."""
    cdef Header h
    recheck_element(w, node)
    if read_header(w.base + w.at, w.base + w.size, &h) or h.end != w.base + w.at + count:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return 0


cdef bint depends_on_selector(const Node *node) noexcept:
    """Whether what stands in an element may be of a type that a field of the SEQUENCE around selects."""
    # Types may hold themselves. Where the search ends early, the proof is made again, which is right if slow.
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
