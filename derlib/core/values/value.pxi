# From validated elements to Python values: `make_value` for any type, `primitive_value` for primitive types.
#
# Views, lists, lookups, TLV and plain data call them.


cdef object make_value(Source source, const Node *node, const Header *h, const Scope *scope):
    """Return the value of a validated element; `scope` is the SEQUENCE around it, with the selectors of open types."""
    cdef int kind = node.kind
    cdef Header child
    cdef Py_ssize_t index
    if kind < KIND_SEQUENCE:
        return primitive_value(node, h.content, h.end - h.content)
    elif kind == KIND_SEQUENCE or kind == KIND_SET:
        return sequence_view_new(source, node, h)
    elif is_list(kind):
        return list_view_new(source, node, h, scope)
    elif kind == KIND_UNION:
        index = find_alternative(node, h.tag)
        if index < 0:
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        return make_value(source, node.components[index].node, h, scope)
    elif kind == KIND_CHOICE:
        return choice_view_new(source, node, h, scope)
    elif kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, &child):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        value = make_value(source, node.element, &child, scope)
        # The tag is not around a value inside a string.
        if isinstance(value, View) and (<View>value).outer == child.start:
            (<View>value).outer = h.start
        return value
    elif is_open(kind):
        return open_value(source, node, h, scope)
    return tlv_new(source, h)


cdef inline object fast_value(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return what `primitive_value` does, without a call for the most frequent kinds."""
    cdef int kind = node.kind
    if kind == KIND_OCTET_STRING:
        return (<const char *>p)[:n]
    elif kind == KIND_UTF8_STRING:
        return utf8_decode(p, n)
    elif kind == KIND_INTEGER:
        return integer_value(p, n)
    return primitive_value(node, p, n)


cdef inline object primitive_value(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return the Python value of validated contents octets of a primitive type."""
    return TYPES[node.kind].decode(node, p, n)


cdef const Node *matched_type(
    Source source, const Node *node, const Header *h, const Scope *scope, int *max_depth
) except? NULL:
    """Return the type of the value in an open type, NULL if the value is opaque.

    If its table has on_mismatch="opaque", set `max_depth` to the nesting depth of the value.
    """
    cdef const OpenEntry *entry = selected(node, scope)
    cdef int depth
    # Inside an opaque value, other tables with on_mismatch="opaque" are not tried (core/decode/open_type.pxi).
    if entry == NULL or (entry.opaque_on_mismatch and source.in_opaque_entry) or is_type_mismatch(source, h):
        return NULL
    if entry.opaque_on_mismatch or not source.is_immutable() or not are_all_registered(source.registrations):
        # The check of the input did not settle it: it does not apply types with on_mismatch="opaque", a shared buffer
        # can have changed, and types can have been registered since.
        if not check_again(source, node, entry, h, &depth):
            return NULL
        if entry.opaque_on_mismatch:
            max_depth[0] = depth
    return entry.node


cdef bint check_again(
    Source source, const Node *node, const OpenEntry *entry, const Header *h, int *max_depth
) except -1:
    """Return whether a value matches its type; set `max_depth` to its nesting depth."""
    cdef Check c
    cdef Record record
    cdef bint fits
    if source.extra is None:
        # No fault is tolerated, so none is recorded.
        check_begin(&c, &STRICT, NULL)
        fits = check_selected(&c, node, entry, h)
        max_depth[0] = STRICT.depth - c.lowest
        return fits
    memset(&record, 0, sizeof(Record))
    check_begin(&c, source.options(), &record)
    fits = check_selected(&c, node, entry, h)
    if fits and entry.opaque_on_mismatch and c.tolerated_faults:
        # The check of the input has already counted these elements.
        c.elements = PY_SSIZE_T_MAX
        fits = not is_valid_opaque(&c, node, h)
    fits = fits and check_pending(&c, 0)
    free(record.entries)
    free(record.pending)
    if record.exhausted:
        raise MemoryError
    max_depth[0] = source.options().depth - c.lowest
    return fits


cdef bint is_type_mismatch(Source source, const Header *h) noexcept:
    """Return whether the check tolerated a type mismatch of this element."""
    cdef const Record *record = source.tolerated()
    cdef Py_ssize_t i
    if record.count == 0 or not source.options().tolerated & OPEN_TYPE:
        return False
    i = first_entry(record, h.start)
    while i < record.count and record.entries[i].at == h.start:
        if record.entries[i].deviation == OPEN_TYPE:
            return True
        i += 1
    return False


cdef object open_value(Source source, const Node *node, const Header *h, const Scope *scope):
    """Return the value of an open type: of the selected type, or opaque as TLV, bytes or BitString."""
    cdef int max_depth = -1
    cdef const Node *target = matched_type(source, node, h, scope, &max_depth)
    cdef Header child
    cdef const uint8_t *p = h.content
    if target == NULL:
        if node.kind == KIND_OPEN_OCTETS:
            return (<const char *>p)[:h.end - p]
        return bit_string_value(p, h.end - p) if node.kind == KIND_OPEN_BITS else tlv_new(source, h)
    if node.kind == KIND_OPEN:
        child = h[0]
    elif reread_header(p + (node.kind == KIND_OPEN_BITS), h.end, &child):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    target = chosen_type(target, child.tag)
    if target.kind < KIND_SEQUENCE:
        # The usual value of an attribute, a string, needs no source.
        return fast_value(target, child.content, child.end - child.content)
    if max_depth >= 0:
        source = source.inside_opaque_entry(max_depth)
    return make_value(source, target, &child, NULL)


cdef inline const Node *chosen_type(const Node *node, tag_t tag) noexcept nogil:
    """Return the type of an element: the alternative, if `node` is a transparent CHOICE that has one with its tag."""
    cdef Py_ssize_t index
    while node.kind == KIND_UNION:
        index = find_alternative(node, tag)
        if index < 0:
            break
        node = node.components[index].node
    return node


cdef inline bint is_cached_kind(int kind) noexcept:
    """Return whether views cache values of this kind: they have parts, or are costly to make."""
    return KIND_SEQUENCE <= kind <= KIND_OPEN_BITS and kind != KIND_UNION
