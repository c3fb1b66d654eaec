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


cdef object verbatim_field(SequenceView view, Py_ssize_t index, const Header *h):
    """Return what `replace` passes to the writer for a field that does not change."""
    cdef Scope scope
    set_scope(&scope, &view.plan.node, view.content, view.end)
    field = verbatim_octets(view, view.plan.node.components[index].node, h, &scope)
    return field_value(view, index) if field is None else field


cdef object verbatim_element(ListView view, const Header *h):
    """Return what `replace_at` passes to the writer for an element that does not change."""
    field = verbatim_octets(view, view.plan.node.element, h, &view.scope)
    return element_value(view, h) if field is None else field


cdef object verbatim_octets(View view, const Node *outer, const Header *h, const Scope *scope):
    """Return the octets of a part of a view for the writer, or None if it needs the value.

    The writer needs the value of a view, which it copies itself, of a selector and of an open type. Other parts are
    passed as octets, because a value does not show which alternative of a transparent CHOICE it came from.
    """
    cdef const Node *node = outer
    cdef VerbatimField field
    cdef Header inner = h[0]
    cdef int max_depth = -1
    while node.kind == KIND_EXPLICIT:
        node = node.element
        if reread_header(inner.content, inner.end, &inner):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
    if is_open(node.kind) and matched_type(view.source, node, &inner, scope, &max_depth) == NULL \
            and selected(node, scope) != NULL:
        # A mismatch that the table allows: without OPAQUE, the writer would encode it as the selected type.
        return {OPAQUE: native_opaque(node, &inner)}
    if is_cached_kind(node.kind) or node.kind == KIND_OBJECT_IDENTIFIER or not view.source.is_immutable():
        return None
    field = VerbatimField.__new__(VerbatimField)
    field.source = view.source
    field.plan = view.plan
    field.node = outer
    field.start = h.start
    field.end = h.end
    return field
