# Encoding unknown additions (X.680 25, 27) and unknown alternatives (X.680 29).

cdef list listed_additions(const Node *node, dict values):
    """Return the unknown additions among the values of a SEQUENCE or SET."""
    additions = dict.get(values, ADDITIONS)
    if additions is None:
        return []
    if not node.extensible:
        raise _errors.ConstraintError(f"{plan_of(node).name} is not extensible: it has no unknown additions")
    if not lists_elements(additions):
        raise wrong_type("a list of unknown additions", node, additions)
    return list(additions)


cdef int write_addition(Writer w, const Node *node, object value) except -1:
    """Write an unknown addition or unknown alternative; its tag must not be that of a component or alternative."""
    cdef Header h
    cdef const Component *following = node.components + node.insertion
    cdef bint unknown
    write_any(w, node, value)
    if read_header(w.base + w.at, w.base + w.size, &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    if node.kind == KIND_SET:
        unknown = match_member(node, octet_at(h.start), h.tag) == NULL \
            and not has_other_form(node, 0, node.component_count, h.tag)
    elif node.kind == KIND_SEQUENCE:
        unknown = is_addition(node, node.insertion, node.insertion, h.tag) \
            and component_of(node, &following, &h) == NULL
    else:
        unknown = find_alternative(node, h.tag) == -1 and find_alternative(node, h.tag ^ 1) == -1
    if not unknown:
        raise _errors.ConstraintError(f"{describe_tag(h.tag)} is not an unknown addition of {plan_of(node).name}: "
                                      "it has a component or alternative of this tag")
    return 0


cdef int write_additions(Writer w, const Node *node, dict values) except -1:
    """Write the unknown additions of a SEQUENCE in the given order."""
    cdef Py_ssize_t i
    cdef list additions = listed_additions(node, values)
    for i in range(len(additions) - 1, -1, -1):
        try:
            write_addition(w, node, additions[i])
        except _errors.ConstraintError as error:
            raise field_error(field_error(error, i), ADDITIONS)
    return 0
