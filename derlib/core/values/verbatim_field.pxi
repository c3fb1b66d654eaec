# Parts that `replace` and `replace_at` copy from a view to the writer, as octets.


@cython.final
@cython.no_gc
cdef class VerbatimField:
    """The octets of a field of a validated view, tags included, for `replace`."""
    cdef Source source
    cdef Plan plan                  # owns `node`
    cdef const Node *node           # the type that the octets were validated as
    cdef const uint8_t *start
    cdef const uint8_t *end


cdef object verbatim_field(SequenceView view, Py_ssize_t index, const Header *h, dict changes):
    """Return what `replace` passes to the writer for a field that is not in `changes`."""
    cdef Scope scope
    cdef const Node *node = view.plan.node.components[index].node
    set_scope(&scope, &view.plan.node, view.content, view.end)
    field = verbatim_octets(view, node, h, &scope, is_selected_by(node, view.plan, changes))
    return field_value(view, index) if field is None else field


cdef object verbatim_element(ListView view, const Header *h):
    """Return what `replace_at` passes to the writer for an element that does not change."""
    field = verbatim_octets(view, view.plan.node.element, h, &view.scope, False)
    return element_value(view, h) if field is None else field


cdef bint is_selected_by(const Node *node, Plan plan, dict changes) except -1:
    """Return whether a field is an open type whose selector is in `changes`."""
    while node.kind == KIND_EXPLICIT:
        node = node.element
    return is_open(node.kind) and node.selector_length > 0 and plan.names[node.selector[0]] in changes


cdef object verbatim_octets(View view, const Node *outer, const Header *h, const Scope *scope, bint is_selected_anew):
    """Return the octets of a part of a view for the writer, or None if it needs the value.

    The writer needs the value of a view, which it copies itself, of a selector, and of an open type, which another
    selector can give another type. Other parts are passed as octets, because a value does not show which alternative of
    a transparent CHOICE it came from; so is an open type that selects such a CHOICE, unless it `is_selected_anew`.
    """
    cdef const Node *node = outer
    cdef const Node *matched
    cdef VerbatimField field
    cdef Header inner = h[0]
    cdef int max_depth = -1
    cdef bint needs_value
    while node.kind == KIND_EXPLICIT:
        node = node.element
        if reread_header(inner.content, inner.end, &inner):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
    needs_value = is_cached_kind(node.kind) or node.kind == KIND_OBJECT_IDENTIFIER
    if is_open(node.kind):
        matched = matched_type(view.source, node, &inner, scope, &max_depth)
        if matched == NULL and selected(node, scope) != NULL:
            # A mismatch that the table allows: without OPAQUE, the writer would encode it as the selected type.
            return {OPAQUE: native_opaque(node, &inner)}
        while matched != NULL and matched.kind == KIND_EXPLICIT:
            matched = matched.element
        needs_value = is_selected_anew or matched == NULL or matched.kind != KIND_UNION
    if needs_value or not view.source.is_immutable():
        return None
    field = VerbatimField.__new__(VerbatimField)
    field.source = view.source
    field.plan = view.plan
    field.node = outer
    field.start = h.start
    field.end = h.end
    return field
