# The fast path of the encoder: dicts, lists and plain values of common types.
#
# It handles only exact built-in types (dict, list, tuple, str, bytes, int, bool, datetime), ObjectIdentifier,
# BitString, NULL, members of the enumeration of a field, and views that are copied unchanged. No code of a value runs
# during the call, so borrowed references are safe with the GIL; without it, each dict and list that another thread
# could change is read once, and its values are kept. Any other value, or any error, aborts the fast path: the output is
# discarded, and the general encoder encodes the value again and reports the error. A writer aborts at most
# FAST_PATH_TRIES times, so the work stays linear.
#
# `fast_fields` and `fast_elements` are the loops of `write_collected` and `write_list` without their error handling and
# references. fast_checked.pxi has the types whose encoding the check pass validates afterwards, such as open types.
#
# The same functions encode parsed JSON (`Writer.json`), in which only values of primitive types differ from plain data:
# see from_json.pxi.

cdef struct FastScope:          # the SEQUENCE around an open type, which holds its selector
    const Node *node
    PyObject *values[MAX_COLLECTED]     # of its fields (with the GIL, borrowed)

cdef enum EncoderPath:          # `Plan.encoder_path`; 0 while not known
    FAST_PATH = 1
    GENERAL_PATH = 2


cdef bint write_primitive_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of a primitive type; return False, with nothing written, to leave it to the general encoder."""
    cdef encode_fast_t encode_fast = TYPES[node.kind].encode_fast
    return encode_fast != NULL and node.constraints == NULL and encode_fast(w, node, value)


cdef inline bint write_short(Writer w, const Node *node, uint8_t identifier, PyObject *value) except -1:
    """Write an element as `write_primitive_fast` does, with the most common cases inlined.

    These are short texts, short byte strings and integers of one octet, without constraints. `identifier` is the
    identifier octet of the type, 0 if it has several. Inlining saves about 2 % of the instructions of "crl: encode
    every entry anew" and 12 % of "syntax: render tiny". (If nm lists the function, gcc did not inline it.)
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


cdef bint write_time_choice(Writer w, const Node *node, object value) except -1:
    """Write a datetime as the UTCTime of a union; no earlier alternative in the order of `union_rank` accepts one."""
    cdef Py_ssize_t i
    if node.constraints != NULL or not PyDateTime_CheckExact(value):
        return False
    for i in range(node.component_count):
        if node.components[i].node.kind == KIND_UTC_TIME:
            return write_primitive_fast(w, node.components[i].node, <PyObject *>value)
    return False


cdef int choose_path(Plan plan) except -1:
    """Decide whether to try the fast path for values of a type, and store the decision."""
    cdef int path = FAST_PATH if has_fast_types(plan) else GENERAL_PATH
    store_int(&plan.encoder_path, path)
    return path


cdef bint has_fast_types(Plan plan) except -1:
    """Return whether the fast path handles a type and all types in it.

    A loop, because a schema may nest more types than the stack of a thread has room for.
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
        elif not is_fast_type(node) and not is_checked_type(node):
            return False
        elif node.kind == KIND_UNION:
            # Values of other unions are usually left to the general encoder.
            if union_family(node) < FAMILY_STRINGS:
                return False
        elif <size_t>node not in seen:
            seen.add(<size_t>node)
            if node.element != NULL:
                pending.append(plan_of(node.element))
            else:
                for i in range(node.component_count):
                    pending.append(plan_of(node.components[i].node))
    return True


cdef inline bint is_fast_type(const Node *node) noexcept nogil:
    """Return whether the fast path handles a constructed type, apart from the types of its components."""
    return node.constraints == NULL and valid_by_construction(node) \
        and (node.kind != KIND_SEQUENCE or can_collect(node))


cdef inline bint may_use_fast_path(Writer w, const Node *node, PyObject *value) noexcept:
    """Return whether the fast path may be tried."""
    return w.tries > 0 and load_int(&(<Plan>node.plan).encoder_path) != GENERAL_PATH \
        and (is_dict(value) or is_plain_list(value))


cdef bint try_fast_path(Writer w, const Node *node, object value) except -1:
    """Write an element of a constructed type; return False, with nothing written, if the fast path is aborted."""
    cdef Py_ssize_t before = w.written()
    cdef int level = w.level
    cdef int max_depth = w.max_depth
    cdef Py_ssize_t copied = w.copied
    cdef Plan plan = plan_of(node)
    if (load_int(&plan.encoder_path) or choose_path(plan)) != FAST_PATH:
        return False
    if write_fast_value(w, node, <PyObject *>value, NULL) \
            and (not w.unchecked or check_output(w, node, before, copied)):
        return True
    w.unchecked = False
    w.rewind(before)
    w.level = level
    w.max_depth = max_depth
    w.copied = copied
    w.tries -= 1
    return False


cdef bint write_fast_value(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write an element within the fast path; return False to abort it, with the output incomplete."""
    cdef Py_ssize_t before
    cdef bint done
    if node.kind < KIND_SEQUENCE:
        return write_primitive_fast(w, node, value) or (w.json and write_json_primitive(w, node, value))
    # The general encoder reports a value that is nested too deeply. A level takes about 1 KiB of the stack, whose size
    # is tested at every eighth level.
    if w.level >= DEPTH_LIMIT or (unlikely(w.level & 7 == 7) and stack_is_full()):
        return False
    if not is_fast_type(node):
        return write_checked_value(w, node, value, around)
    if not is_dict(value) and not is_plain_list(value) and node.kind != KIND_EXPLICIT \
            and isinstance(<object>value, View):
        return fast_view(w, node, <View>value)
    before = w.written()
    w.level += 1
    note_depth(w, 0)
    if node.kind == KIND_SEQUENCE:
        done = fast_fields(w, node, value)
    elif node.kind == KIND_SEQUENCE_OF:
        done = fast_elements(w, node, value, around)
    else:
        done = write_fast_value(w, node.element, value, around)
    w.level -= 1
    if done:
        w.header(node.tag, w.written() - before)
    return done


cdef bint fast_fields(Writer w, const Node *node, PyObject *value) except -1:
    """Write the fields of a SEQUENCE, the last first; return False to abort the fast path."""
    cdef FastScope scope
    if not is_dict(value):
        return False
    scope.node = node
    clear_collected(scope.values, node.component_count)
    if FREE_THREADED:
        return fast_kept_fields(w, value, &scope)
    return find_fields(node, value, scope.values) and write_found_fields(w, value, &scope)


cdef bint fast_kept_fields(Writer w, PyObject *value, FastScope *scope) except -1:
    """Do what `fast_fields` does, with references to the values: another thread may change the dict."""
    cdef Py_ssize_t i
    try:
        return find_fields(scope.node, value, scope.values) and write_found_fields(w, value, scope)
    finally:
        for i in range(scope.node.component_count):
            Py_XDECREF(scope.values[i])


cdef inline bint find_fields(const Node *node, PyObject *value, PyObject **found) noexcept:
    """Store the values of all fields of a dict in `found`, which is all NULL; return False if a key is not a field.

    The lock is held for the whole loop, as no code of a key runs in it.
    """
    cdef PyObject **names = items_of(<PyObject *>(<Plan>node.plan).names)
    cdef PyObject *name
    cdef PyObject *item
    cdef CriticalSection section
    cdef Py_ssize_t position = 0
    cdef Py_ssize_t i = 0
    lock_object(&section, value)
    while PyDict_Next(<object>value, &position, &name, &item):
        i = find_name(names, node.component_count, i, name)
        if i == node.component_count:
            unlock_object(&section)
            return False
        keep_shared(item)
        found[i] = item
        i += 1
    unlock_object(&section)
    return True


cdef inline bint write_found_fields(Writer w, PyObject *value, const FastScope *scope) except -1:
    """Write the fields that `find_fields` found, the last first; return False to abort the fast path."""
    cdef const Node *node = scope.node
    cdef const Component *field
    cdef Py_ssize_t before
    cdef Py_ssize_t i = node.component_count
    if w.json:
        w.members += PyDict_Size(<object>value)
    while i > 0:
        i -= 1
        field = &node.components[i]
        # In JSON, null is a value.
        if scope.values[i] == NULL or (scope.values[i] == <PyObject *>None and not w.json):
            if not field.optional:
                return False
            continue
        before = w.written()
        if field.node.kind >= KIND_SEQUENCE:
            if not write_fast_value(w, field.node, scope.values[i], scope):
                return False
        elif not write_short(w, field.node, field.identifier, scope.values[i]) \
                and not (w.json and write_json_primitive(w, field.node, scope.values[i])):
            return False
        leave_out_default(w, field, before)
    return True


cdef bint fast_elements(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write the elements of a list, the last first; return False to abort the fast path."""
    cdef tuple elements
    if not is_plain_list(value):
        return False
    if FREE_THREADED:
        # Another thread may change the list.
        elements = tuple(<object>value)
        return write_fast_elements(w, node, <PyObject *>elements, around)
    return write_fast_elements(w, node, value, around)


cdef inline bint write_fast_elements(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write the elements of a list or tuple that no thread changes; return False to abort the fast path."""
    cdef PyObject **items = items_of(value)
    cdef uint8_t identifier = identifier_octet(node.element.tag)
    cdef Py_ssize_t i = item_count(value)
    if node.sized and size_fault(node, i):
        return False
    if node.element.kind < KIND_SEQUENCE:
        while i > 0:
            i -= 1
            if not write_short(w, node.element, identifier, items[i]) \
                    and not (w.json and write_json_primitive(w, node.element, items[i])):
                return False
        return True
    while i > 0:
        i -= 1
        if not write_fast_value(w, node.element, items[i], around):
            return False
    return True


cdef bint fast_view(Writer w, const Node *node, View view) except -1:
    """Copy a view of the same type whose copy is trusted; return False to abort the fast path."""
    cdef bint whole = node.kind == KIND_CHOICE      # which has no header of its own
    cdef Py_ssize_t count
    if not view.has_value() or not same_type(&view.plan.node, node) or not is_trusted_copy(node, view):
        return False
    # Not before: another thread may have filled the view.
    count = view.end - (view.start if whole else view.content)
    w.octets(view.end - count, count)
    if not whole:
        w.header(node.tag, count)
    # The selectors of open types in a list are outside of it.
    w.unchecked |= node.kind != KIND_SEQUENCE and depends_on_selector(node)
    w.copied += count
    note_depth(w, view.source.max_depth)
    return True
