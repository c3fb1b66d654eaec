# The straight way of the writer: dicts, lists and plain values of types without rarer traits.
#
# Everything here is of a built-in class itself: dict, list, tuple, str, bytes, int, bool, datetime; or a view that is
# copied as it is. So no code of a value runs while it is written, nothing can change meanwhile, and no reference needs
# to be kept. What is not so, or is wrong, ends the straight way: what was written is forgotten, and the general writer
# begins again with the same value. That says what is wrong; each rule is where it was. A writer tries in vain a few
# times only, so work stays linear.

cdef enum:
    WAY_FAST = 1
    WAY_GENERAL = 2

cdef inline bint write_primitive_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of a primitive type if its value has the usual built-in type; False where nothing was written."""
    cdef encode_fast_t encode_fast = TYPES[node.kind].encode_fast
    return encode_fast != NULL and node.constraints == NULL and encode_fast(w, node, value)


cdef bint write_time_choice(Writer w, const Node *node, object value) except -1:
    """The same of a union that has UTCTime: none of its alternatives takes such a value before (`union_rank`)."""
    cdef Py_ssize_t i
    if node.constraints != NULL or not PyDateTime_CheckExact(value):
        return False
    for i in range(node.component_count):
        if node.components[i].node.kind == KIND_UTC_TIME:
            return write_primitive_fast(w, node.components[i].node, <PyObject *>value)
    return False


cdef inline bint write_short(Writer w, const Node *node, uint8_t identifier, PyObject *value) except -1:
    """The same with less ado for what is commonest: short texts and octets, and tiny numbers, without constraints.

    `identifier` is the identifier octet of the type, 0 where it has more than one.
    """
    cdef const uint8_t *p = NULL
    cdef Py_ssize_t n = 0
    if identifier and w.at >= 130 and not node.constrained and not node.ranged:
        if node.kind == KIND_UTF8_STRING:
            p = ascii_of(value, &n)
        elif node.kind == KIND_INTEGER:
            if is_small(value) and -0x80 <= small_value(value) < 0x80:
                w.at -= 3
                w.base[w.at] = identifier
                w.base[w.at + 1] = 1
                w.base[w.at + 2] = <uint8_t>(small_value(value) & 0xFF)
                return True
        elif node.kind == KIND_OCTET_STRING and is_bytes(value):
            p = octets_in(value)
            n = count_in(value)
        if p != NULL and n < 0x80:
            w.at -= n + 2
            w.base[w.at] = identifier
            w.base[w.at + 1] = <uint8_t>n
            copy_short(w.base + w.at + 2, p, n)
            return True
    return write_primitive_fast(w, node, value)


cdef int find_way(Plan plan) except -1:
    """Which way values of a type are tried to go."""
    plan.way = WAY_FAST if has_fast_types(plan) else WAY_GENERAL
    return plan.way


cdef bint has_fast_types(Plan plan) except -1:
    """Return whether a type and all types in it may take the fast path.

    Not by recursion: a schema may nest more types than the stack of a thread has room for.
    """
    cdef Py_ssize_t i
    cdef const Node *node
    cdef list pending = [plan]
    cdef set seen = set()
    while pending:
        node = &(<Plan>pending.pop()).node
        if node.kind < KIND_SEQUENCE:
            if node.constraints != NULL or TYPES[node.kind].encode_fast == NULL:
                return False
        elif not is_fast_type(node):
            return False
        elif <size_t>node not in seen:
            seen.add(<size_t>node)
            if node.kind != KIND_SEQUENCE:
                pending.append(plan_of(node.element))
            else:
                for i in range(node.component_count):
                    pending.append(plan_of(node.components[i].node))
    return True


cdef inline bint is_fast_type(const Node *node) noexcept nogil:
    """Whether a constructed type by itself is one that the writer makes right by construction, from usual values."""
    return node.constraints == NULL and valid_by_construction(node) and (node.kind != KIND_SEQUENCE or can_collect(node))


cdef inline bint try_fast_path(Writer w, const Node *node, PyObject *value) noexcept:
    """Whether to try the straight way with a value. Without the GIL others could change it meanwhile."""
    return not FREE_THREADED and w.tries > 0 and (<Plan>node.plan).way != WAY_GENERAL \
        and (is_dict(value) or is_plain_list(value))


cdef bint write_fast(Writer w, const Node *node, object value) except -1:
    """Write an element of a constructed type the straight way; False where nothing was written."""
    cdef Py_ssize_t before = w.written()
    cdef int level = w.level
    cdef int max_depth = w.max_depth
    cdef Py_ssize_t copied = w.copied
    cdef Plan plan = plan_of(node)
    if (plan.way or find_way(plan)) != WAY_FAST:
        return False
    if write_fast_value(w, node, <PyObject *>value):
        return True
    w.at = w.size - before
    w.level = level
    w.max_depth = max_depth
    w.copied = copied
    w.tries -= 1
    return False


cdef bint write_fast_value(Writer w, const Node *node, PyObject *value) except -1:
    """The same within the straight way; where it returns False, what was written is not whole."""
    cdef Py_ssize_t before
    cdef bint done
    if node.kind < KIND_SEQUENCE:
        return write_primitive_fast(w, node, value)
    # The general writer says what is nested too deeply.
    if w.level >= DEPTH_LIMIT or not is_fast_type(node):
        return False
    if node.kind != KIND_EXPLICIT and not is_dict(value) and not is_plain_list(value) \
            and isinstance(<object>value, View):
        return fast_view(w, node, <View>value)
    before = w.written()
    w.level += 1
    note_depth(w, 0)
    if node.kind == KIND_SEQUENCE:
        done = fast_fields(w, node, value)
    elif node.kind == KIND_SEQUENCE_OF:
        done = fast_elements(w, node, value)
    else:
        done = write_fast_value(w, node.element, value)
    w.level -= 1
    if done:
        w.header(node.tag, w.written() - before)
    return done


cdef bint fast_fields(Writer w, const Node *node, PyObject *value) except -1:
    cdef (PyObject *)[MAX_COLLECTED] found
    cdef PyObject **names
    cdef PyObject *name
    cdef PyObject *item
    cdef const Component *field
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t before
    cdef Py_ssize_t i = 0
    if not is_dict(value):
        return False
    names = items_of(<PyObject *>(<Plan>node.plan).names)
    clear_gathered(found, node.component_count)
    while PyDict_Next(<object>value, &place, &name, &item):
        # Mostly the next one.
        if i == node.component_count or not is_name(name, names[i]):
            i = 0
            while i < node.component_count and not is_name(name, names[i]):
                i += 1
            if i == node.component_count:
                return False
        found[i] = item
        i += 1
    i = node.component_count
    while i > 0:
        i -= 1
        field = &node.components[i]
        if found[i] == NULL or found[i] == <PyObject *>None:
            if not field.optional:
                return False
            continue
        before = w.written()
        if not (write_short(w, field.node, field.identifier, found[i]) if field.node.kind < KIND_SEQUENCE
                else write_fast_value(w, field.node, found[i])):
            return False
        leave_out_default(w, field, before)
    return True


cdef bint fast_elements(Writer w, const Node *node, PyObject *value) except -1:
    cdef PyObject **items
    cdef uint8_t identifier = identifier_octet(node.element.tag)
    cdef Py_ssize_t i
    if not is_plain_list(value):
        return False
    items = items_of(value)
    i = item_count(value)
    if node.sized and size_check(node, i):
        return False
    if node.element.kind < KIND_SEQUENCE:
        while i > 0:
            i -= 1
            if not write_short(w, node.element, identifier, items[i]):
                return False
        return True
    while i > 0:
        i -= 1
        if not write_fast_value(w, node.element, items[i]):
            return False
    return True


cdef bint fast_view(Writer w, const Node *node, View view) except -1:
    """Copy a value of just this type, where the copy needs no proof."""
    cdef Py_ssize_t count = view.end - view.content
    if view.start == NULL or not same_type(&view.plan.node, node) or not is_trusted_copy(node, view):
        return False
    w.octets(view.content, count)
    w.header(node.tag, count)
    w.copied += count
    note_depth(w, view.source.max_depth)
    return True
