# Encoding open types: ANY, and types that another field selects (DEFINED BY, X.682 10.6).


cdef int check_given_octets(Writer w, const Node *node, Py_ssize_t count) except -1:
    """Check that octets given by the caller are one element in DER."""
    cdef Check c
    cdef Header h
    cdef const uint8_t *end = w.base + w.at + count
    check_begin(&c, &STRICT, NULL)
    if not check_element(&c, &(<Plan?>ANY_PLAN).node, w.base + w.at, end, NULL, &h) or h.end != end:
        if c.fault == FAULT_NONE:
            fail(&c, FAULT_TRAILING_DATA, h.end, node)
        raise written_error(fault_in_input(&c, w.base + w.at, end, 0))
    note_depth(w, DEPTH_LIMIT - c.lowest)
    return 0


cdef bint is_element(object value):
    """Return whether a value has an encoding without a type: an element, or its octets."""
    return isinstance(value, (TLV, View, bytes, bytearray, memoryview))


cdef int write_any(Writer w, const Node *node, object value) except -1:
    """Write a value of type ANY: one element that is already encoded."""
    if isinstance(value, (TLV, View)):
        octets = value.encode()
    elif isinstance(value, (bytes, bytearray, memoryview)):
        octets = bytes(value)
    else:
        raise wrong_type("bytes, TLV or a decoded or built value", node, value)
    w.bytes_(octets)
    return check_given_octets(w, node, len(octets))


cdef const OpenEntry *selected_by_values(Writer w, const Node *node, const WriteScope *around) except? NULL:
    """Return the table entry that the values around an open type select, NULL if the table has none."""
    cdef Plan plan
    cdef Py_ssize_t i
    cdef bytes contents
    if node.contained != NULL:
        return node.contained
    if around == NULL or node.selector_length == 0:
        return NULL
    w.selector_changed = True
    plan = plan_of(around.node)
    value = <object>around.values
    for i in range(node.selector_length):
        name = plan.names[node.selector[i]]
        if isinstance(value, View):
            # A view of a wrong class raises an error when it is written.
            value = getattr(value, name, None)
        elif is_mapping(value):
            value = value.get(name)
        else:
            return NULL
        if value is None:
            value = plan.defaults[node.selector[i]]
        plan = plan.plans[node.selector[i]]
        while plan.node.kind == KIND_EXPLICIT:
            plan = plan.element
    if plan.node.kind != KIND_OBJECT_IDENTIFIER:
        return selected_by_value(w, node, plan, value, name)
    if isinstance(value, str):
        try:
            value = ObjectIdentifier(dotted_or_name(exact_text(value)) if w.names else value)
        except _errors.EncodeError as error:
            raise _errors.ConstraintError(f"{name}, which selects the type, is invalid: {error}") from None
    if not isinstance(value, ObjectIdentifier):
        return NULL
    contents = (<ObjectIdentifier>value)._require_set()
    return find_entry(node.entries, <const uint8_t *><const char *>contents, len(contents))


cdef const OpenEntry *selected_by_value(Writer w, const Node *node, Plan plan, value, str name) except? NULL:
    """Return the table entry for the value of a selector that is not an OBJECT IDENTIFIER; NULL if there is none."""
    cdef Header h
    cdef VerbatimField field
    cdef bytes octets
    cdef const uint8_t *p
    if value is None:
        return NULL
    if isinstance(value, VerbatimField) and (<VerbatimField>value).start != NULL:
        field = <VerbatimField>value
        if reread_header(field.start, field.end, &h):
            return NULL
        return entry_of_value(node.entries, field.node, &h)
    try:
        octets = written_by(plan, value, False, w.names).taken()
    except (_errors.EncodeError, _errors.ConstraintError) as error:
        raise _errors.ConstraintError(f"{name}, which selects the type, is invalid: {error}") from None
    p = <const uint8_t *><const char *>octets
    if reread_header(p, p + len(octets), &h):
        return NULL
    return entry_of_value(node.entries, &plan.node, &h)


cdef object opaque_of(object value):
    """Return the octets of a value given as {"$opaque": octets}, as `to_native` returns it; else None."""
    if isinstance(value, dict) and PyDict_Size(value) == 1:
        return dict.get(value, OPAQUE)
    return None


cdef int write_selected(Writer w, const Node *selected, object value, bint opaque_on_mismatch) except -1:
    """Write a value of the type that is selected.

    The contents of a string that are not of its type read as bytes, but are given as {"$opaque": bytes}: the error of
    bytes says so.
    """
    try:
        return write_value(w, selected, value, NULL)
    except _errors.ConstraintError as error:
        if error.path:
            raise
        if opaque_on_mismatch and isinstance(value, (bytes, bytearray, memoryview, BitString)):
            detail = f'{error.args[0]}; contents of another type are given as {{"{OPAQUE}": contents}}'
        elif opaque_of(value) is not None:
            detail = (f"expected a value of {describe_node(selected)}, got contents given as {OPAQUE}, which only a "
                      'table with on_mismatch="opaque" accepts')
        else:
            raise
        raise _errors.ConstraintError(detail) from None


cdef int write_open(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write an open type: a value of the selected type, or an opaque value unchanged."""
    cdef const OpenEntry *entry = selected_by_values(w, node, around)
    opaque = value if isinstance(value, TLV) else opaque_of(value)
    if entry == NULL:
        if opaque is None and around != NULL and node.selector_length and not is_element(value):
            name = plan_of(around.node).names[node.selector[0]]
            raise _errors.ConstraintError(
                f"its table has no type for the value of {name}: expected bytes, TLV or a decoded or built value, "
                f"got {type(value).__name__}"
            )
        return write_any(w, node, value if opaque is None else opaque)
    if opaque is None:
        return write_selected(w, entry.node, value, entry.opaque_on_mismatch)
    # An element given as octets must have the selected type, unless a mismatch is allowed.
    write_any(w, node, opaque)
    return 0 if entry.opaque_on_mismatch else recheck_element(w, entry.node)


cdef int write_open_string(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write the contents of an OCTET STRING or BIT STRING that contains an encoding, or opaque contents unchanged."""
    cdef const OpenEntry *entry = selected_by_values(w, node, around)
    cdef bint bits = node.kind == KIND_OPEN_BITS
    # Recheck the SEQUENCE around it, because of the SIZE.
    w.selector_changed |= node.sized
    opaque = opaque_of(value)
    if entry != NULL and isinstance(value, TLV):
        write_any(w, node, value)
        if not entry.opaque_on_mismatch:
            recheck_element(w, entry.node)
        return w.octet(0) if bits else 0
    if entry != NULL and (opaque is None or not entry.opaque_on_mismatch):
        write_selected(w, entry.node, value, entry.opaque_on_mismatch)
        return w.octet(0) if bits else 0
    if opaque is not None:
        value = opaque
    if bits:
        return bit_string_encode(w, node, value)
    if isinstance(value, (View, TLV)):
        return w.bytes_(value.encode())
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise wrong_type("bytes (its type is unknown here)", node, value)
    return w.bytes_(bytes(value))
