# Paths: from a view to an element inside it, by field names and indexes. For `View.span` and `View.raw`.
#
# For the path to a tolerated fault, the opposite direction, see deviations.pxi.
#
# A class of views finds a step in `_find_step`, and returns the value of a step in `_step_value`.


cdef Source find_part(View view, tuple path, bint outer, Header *h):
    """Set `h` to the element at a path and return its source, or return None if the element is absent."""
    cdef object value = view
    cdef Py_ssize_t i
    if len(path) == 0:
        h[0] = view.header()
        if outer and reread_header(view.outer, view.end, h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        return view.source
    for i in range(len(path)):
        if isinstance(value, TLV) and isinstance(path[i], int):
            value = (<TLV>value).children[path[i]]
            h[0] = (<TLV>value).header()
        elif not isinstance(value, View):
            name = type(value).__name__
            raise KeyError(f"{short_repr(path[i])} is not a part of {name}, which has no fields or elements")
        elif not (<View>value)._find_step(path[i], outer and i == len(path) - 1, h):
            return None
        elif i == len(path) - 1:
            return (<View>value).source
        else:
            value = (<View>value)._step_value(path[i])
    return (<TLV>value).source


cdef Py_ssize_t field_named(Plan plan, name) except -2:
    """Return the number of the field or alternative with a name, or -1.

    The characters of a subclass of str are compared, because it can redefine `__eq__`.
    """
    cdef tuple names = plan.names
    cdef str text
    cdef Py_ssize_t i
    if isinstance(name, str):
        text = exact_text(name)
        for i in range(len(names)):
            if names[i] == text:
                return i
    return -1


cdef bint step_inside(const Node *node, Header *h, bint outer) except -1:
    """Move `h` from explicit tags to the element inside them, unless `outer` is true; return True."""
    cdef Py_ssize_t index
    while node.kind == KIND_EXPLICIT and not outer:
        if reread_header(h.content, h.end, h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        node = node.element
        if is_choice(node.kind):
            index = find_alternative(node, h.tag)
            node = node.components[index].node if index >= 0 else node
    return True
