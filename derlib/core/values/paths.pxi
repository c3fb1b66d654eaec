# Paths: from a view to an element inside it, by field names and indexes. For `View.span`, `View.raw` and
# `View.replace_at`.
#
# For the path to a tolerated fault, the opposite direction, see deviations.pxi.
#
# A class of views finds a step in `_find_step`, and returns the value of a step in `_step_value`.


cdef Source find_part(View view, tuple path, bint outer, Header *h):
    """Set `h` to the element at a path and return its source, or return None if the element is absent."""
    cdef object value = view
    cdef Py_ssize_t i
    path = split_steps(path)
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
            raise no_part_error(path[i], value)
        elif not (<View>value)._find_step(path[i], outer and i == len(path) - 1, h):
            return None
        elif i == len(path) - 1:
            return (<View>value).source
        else:
            value = (<View>value)._step_value(path[i])
    return (<TLV>value).source


cdef tuple split_steps(tuple path):
    """Return a path with each string such as `"extensions[3].extn_value"` replaced by its steps."""
    cdef list steps = []
    for step in path:
        if isinstance(step, str) and ("." in exact_text(step) or "[" in exact_text(step)):
            steps.extend(parsed_path(exact_text(step)))
        else:
            steps.append(step)
    return tuple(steps)


cdef tuple parsed_path(path):
    """Return the steps of a path as a caller writes it."""
    from derlib._paths import parse_path
    return parse_path(path, False, True)


cdef object no_part_error(step, value):
    return KeyError(f"{short_repr(step)} is not a part of {type(value).__name__}, which has no fields or elements")


cdef object replaced_at(View view, tuple path, value):
    """Return a view with another value at a path. Each view on the path is made anew, from the innermost to `view`."""
    cdef list around = [view]
    cdef Py_ssize_t i
    if not path:
        raise ValueError("path: expected at least one step; the path () is the value itself")
    for i in range(len(path) - 1):
        part = (<View>around[i])._step_value(path[i]) if (<View>around[i])._has_step(path[i]) else None
        if part is None:
            raise KeyError(f"{_errors.format_path(path[:i + 1])} is absent; replace it as a whole")
        if not isinstance(part, View):
            raise no_part_error(path[i + 1], part)
        around.append(part)
    for i in range(len(path) - 1, -1, -1):
        try:
            value = (<View>around[i])._with_step(path[i], value, i == 0)
        except _errors.ConstraintError as error:
            error.path = path[:i] + error.path
            raise
    return value


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
