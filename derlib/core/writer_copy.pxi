# The writer of what is DER already: fields that `replace` keeps, and views of just the right type.
#
# Their octets are copied. They were proved before, but for rules that depend on what stands around them.


cdef int write_kept(Writer w, const Node *node, Kept kept) except -1:
    """Copy a field that `replace` does not change; it stood under this tag and these constraints before.

    A class with an `__init__` of its own may give it to another field: then it is proved as that one.
    """
    w.octets(kept.start, kept.end - kept.start)
    cdef bint depends = relative(node)
    # What a field around it selects may be another type now.
    w.unproved |= depends
    if not depends and node == kept.node and not kept.source.loose() and kept.source.registrations == registrations:
        return 0
    return copy_check(w, node, kept.end - kept.start)


cdef bint write_view(Writer w, const Node *node, View view) except -1:
    """Copy the octets of a decoded value of just this type; False where its type is another."""
    cdef Py_ssize_t before = w.written()
    view.placed()
    if not same_type(&view.plan.node, node):
        return False
    if is_choice(node.kind):
        # The octets of a CHOICE are those of its alternative, tags included.
        w.octets(view.start, view.end - view.start)
    else:
        w.octets(view.content, view.end - view.content)
        w.header(node.tag, view.end - view.content)
    prove_copy(w, node, view, before)
    return True


cdef inline bint copies_unproved(const Node *node, View view) noexcept:
    """Whether a copy of a value needs no further proof: see `prove_copy`."""
    return view.source.fixed() and not view.source.loose() and view.source.registrations == registrations \
        and not node.constrained


cdef int prove_copy(Writer w, const Node *node, View view, Py_ssize_t before) except -1:
    """Count the octets just copied, if they need no further proof; else prove them. There were so many `before`.

    They need none that are of a buffer that cannot change, were proved strictly with the types that are registered now,
    and stand under no further constraint and under no other selector.
    """
    if relative(node):
        w.unproved = True
    elif copies_unproved(node, view):
        w.copied += w.written() - before
        note_height(w, view.source.height)
        return 0
    w.unsure = True
    return copy_check(w, node, w.written() - before)


cdef int copy_check(Writer w, const Node *node, Py_ssize_t count) except -1:
    """Let the check pass judge so many octets that were copied: that they are one element, which those of a shared
    buffer, whose length octets may have changed, need not be."""
    cdef Header h
    leaf_check(w, node)
    if read_header(w.base + w.at, w.base + w.size, &h) or h.end != w.base + w.at + count:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return 0


cdef bint relative(const Node *node) noexcept:
    """Whether what stands in an element may be of a type that a field of the SEQUENCE around selects."""
    # Types may hold themselves. Where the search ends early, the proof is made again, which is right if slow.
    cdef int steps = DEPTH_LIMIT
    return relative_within(node, &steps)


cdef bint relative_within(const Node *node, int *steps) noexcept:
    cdef Py_ssize_t i
    while is_list(node.kind) or node.kind == KIND_EXPLICIT:
        steps[0] -= 1
        if steps[0] < 0:
            return True
        node = node.element
    if is_choice(node.kind):
        for i in range(node.count):
            steps[0] -= 1
            if steps[0] < 0 or relative_within(node.fields[i].node, steps):
                return True
    return is_open(node.kind) and node.selector_length > 0
