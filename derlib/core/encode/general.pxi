# The general encoder: Python values to DER, written backwards from the end of a buffer (`Writer`).
#
# Because it writes backwards, it knows the length of the contents when it writes the header. The encoder makes the
# structure, tags, order and lengths, and leaves out default values. The check pass of the decoder validates the result,
# so each rule is implemented once. It checks each primitive element after it is written (`recheck_element`), and at the
# end the whole value if a part is not valid by construction (`valid_by_construction`, `recheck_all`).
#
# There are two encoders: this one, and the fast path (fast_path.pxi), which handles common built-in values and leaves
# everything else, including every error, to this one.

cdef struct WriteScope:         # the SEQUENCE around an open type, which holds its selector
    const Node *node
    PyObject *values            # a dict by field name (borrowed)


cdef int write_value(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write one element; `around` is the SEQUENCE that it is in, for open types."""
    if node.kind < KIND_SEQUENCE:
        if write_primitive_fast(w, node, <PyObject *>value):
            return 0
    elif node.kind == KIND_UNION:
        if write_time_choice(w, node, value):
            return 0
    elif may_use_fast_path(w, node, <PyObject *>value) and try_fast_path(w, node, value):
        return 0
    # The check pass reports nesting beyond DEPTH_LIMIT; this limit only protects the stack, whose size is tested at
    # every eighth level.
    if unlikely(w.depth & 7 == 0) and (w.depth == 0 or (w.depth != WRITE_DEPTH_LIMIT and stack_is_full())):
        raise _errors.EncodeError("the value is nested too deeply, or contains itself")
    cdef Py_ssize_t before = w.written()
    cdef Py_ssize_t bytes_in_files = w.bytes_in_files
    w.depth -= 1
    if node.kind < KIND_SEQUENCE:
        write_one(w, node, value, around)
    else:
        # Code of a value may call the encoder again; then Python's recursion limit protects the C stack.
        enter_recursive_call(b" while a value is written")
        try:
            write_one(w, node, value, around)
        finally:
            leave_recursive_call()
        if node.constraints != NULL:
            w.join(before)
            recheck_constraints(w, node, bytes_in_files)
    w.depth += 1
    return 0


cdef int recheck_constraints(Writer w, const Node *node, Py_ssize_t bytes_in_files) except -1:
    """Check the constraints of the constructed value that was just written."""
    if w.bytes_in_files == bytes_in_files:
        return recheck_element(w, node)
    # Octets in files are checked at the end (`check_written`).
    w.selector_changed = True
    return 0


cdef int write_one(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write one element without the fast path, and recheck it if necessary."""
    cdef int kind = node.kind
    cdef Py_ssize_t before = w.length()
    cdef Py_ssize_t written = w.written()
    cdef Py_ssize_t bytes_in_files = w.bytes_in_files
    cdef bint selector_changed = w.selector_changed
    if isinstance(value, View) and write_view(w, node, <View>value):
        return 0
    if not valid_by_construction(node):
        w.needs_recheck = True
    if isinstance(value, VerbatimField) and (<VerbatimField>value).start != NULL:
        w.needs_recheck = True
        return write_verbatim(w, node, <VerbatimField>value)
    if is_choice(kind):
        return write_choice(w, node, value, around)
    if kind == KIND_ANY:
        return write_any(w, node, value)
    if kind == KIND_OPEN:
        return write_open(w, node, value, around)
    if kind < KIND_SEQUENCE:
        if isinstance(value, str):
            value = exact_text(value)
            if w.names and kind == KIND_OBJECT_IDENTIFIER:
                value = dotted_or_name(value)
        TYPES[kind].encode(w, node, value)
        w.header(node.tag, w.length() - before)
        return 0 if needs_no_recheck(node, value) else recheck_element(w, node)
    w.level += 1
    note_depth(w, 0)
    if kind == KIND_SEQUENCE or kind == KIND_SET:
        w.selector_changed = node.leading_required != 0
    if kind == KIND_EXPLICIT:
        write_value(w, node.element, value, around)
    elif kind == KIND_OPEN_OCTETS or kind == KIND_OPEN_BITS:
        write_open_string(w, node, value, around)
    elif kind == KIND_SEQUENCE:
        write_fields(w, node, value)
    elif kind == KIND_SET:
        write_members(w, node, value)
    else:
        write_list(w, node, value, around)
    w.level -= 1
    w.header(node.tag, w.length() - before)
    # The types of open types were selected by Python values; check that the octets select the same types. Octets in
    # files are checked at the end (`check_written`).
    if (kind == KIND_SEQUENCE or kind == KIND_SET) and w.bytes_in_files == bytes_in_files:
        if w.selector_changed:
            w.join(written)
            recheck_element(w, node)
        w.selector_changed = selector_changed
    return 0


cdef inline void note_depth(Writer w, int levels) noexcept:
    """Record the nesting depth of an element with `levels` levels inside it."""
    if w.level + levels > w.max_depth:
        w.max_depth = w.level + levels


cdef inline bint needs_no_recheck(const Node *node, object value) noexcept:
    """Return whether the contents just written are always valid, so that `recheck_element` would find no fault."""
    if node.constraints != NULL or node.ranged or not TYPES[node.kind].flags & TYPE_ENCODES_VALID:
        return False
    # A time given as text is copied without a check.
    return node.kind != KIND_UTC_TIME or not isinstance(value, str)


cdef inline bint valid_by_construction(const Node *node) noexcept nogil:
    """Return whether elements of a type are valid if the elements inside them are; for others, recheck the whole value.

    A primitive element was checked (`recheck_element`) or is always valid. A SEQUENCE without unknown additions has its
    fields in order, without defaults, and none missing. A list has elements of its type, and its SIZE was checked. An
    explicit tag holds one element. `recheck_constraints` checks constraints of these types.
    """
    if node.kind == KIND_SEQUENCE:
        return not node.extensible and node.leading_required == 0
    return node.kind < KIND_SEQUENCE or node.kind == KIND_SEQUENCE_OF or node.kind == KIND_EXPLICIT


cdef int recheck_element(Writer w, const Node *node, bint is_copy=False) except -1:
    """Run the check pass over the element that was just written; the caller has joined a deferred copy in it.

    `is_copy` is true if the element was copied from a value with deviations.
    """
    cdef Check c
    cdef Header h
    cdef const uint8_t *end = w.base + w.size
    check_begin(&c, &STRICT, NULL)
    if not check_element(&c, node, w.base + w.at, end, NULL, &h):
        raise written_error(fault_of(&c, w.base + w.at, end, 0, None), is_copy, is_in_kept_class(&c))
    note_depth(w, DEPTH_LIMIT - c.lowest)
    return 0
