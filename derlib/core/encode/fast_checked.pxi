# The fast path of the encoder for types whose encoding is not valid by construction: CHOICE, SET OF, ANY, open types,
# and types with constraints. fast_path.pxi calls `write_checked_value` for them.
#
# Each function writes what the value says and does not look for faults. `write_checked_value` notes that the output
# needs a check (`Writer.unchecked`). At the end, the check pass validates the output once, as `decode` does
# (`check_output`). If it is not valid, the general encoder starts over and reports the error.
#
# The fast path must not create objects that the garbage collector tracks: a collection can run any code.

cdef struct Piece:              # one of the elements that `sort_elements` sorts
    const uint8_t *start
    Py_ssize_t length


cdef bint is_checked_type(const Node *node) noexcept nogil:
    """Return whether the fast path handles a type that is not valid by construction, apart from the types in it."""
    if node.kind == KIND_SEQUENCE:
        return node.component_count <= MAX_COLLECTED
    return node.kind != KIND_SET


cdef bint is_valid_output(Writer w, const Node *node, Py_ssize_t before) except -1:
    """Return whether the octets after the first `before` that were written are one valid element of a type."""
    cdef Check c
    cdef Header h
    check_begin(&c, &STRICT, NULL)
    if not check(&c, node, w.base + w.at, w.base + w.size - before, False, &h):
        return False
    note_depth(w, DEPTH_LIMIT - c.lowest)
    return True


cdef bint check_output(Writer w, const Node *node, Py_ssize_t before, Py_ssize_t copied) except -1:
    """Validate the output of the fast path; return False to abort it.

    Long copies of views are left to the general encoder, which does not validate them again.
    """
    w.unchecked = False
    return w.copied - copied < COPY_TRUST and is_valid_output(w, node, before)


cdef bint write_checked_value(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write an element as `write_fast_value` does, and note that the check pass must validate the output."""
    cdef Py_ssize_t before = w.written()
    cdef bint done
    if not is_checked_type(node):
        return False
    w.unchecked = True
    if is_choice(node.kind):
        return fast_choice(w, node, value, around)
    if node.kind == KIND_ANY:
        return fast_any(w, value)
    if node.kind == KIND_OPEN:
        return fast_open(w, node, value, around)
    if node.kind <= KIND_SET_OF and not is_dict(value) and not is_plain_list(value):
        return isinstance(<object>value, View) and fast_view(w, node, <View>value)
    w.level += 1
    note_depth(w, 0)
    if node.kind == KIND_SEQUENCE:
        done = fast_fields(w, node, value)
    elif is_list(node.kind):
        done = fast_elements(w, node, value, around) \
            and (node.kind == KIND_SEQUENCE_OF or sort_elements(w, w.written() - before, item_count(value)))
    elif node.kind == KIND_EXPLICIT:
        done = write_fast_value(w, node.element, value, around)
    else:
        done = fast_open(w, node, value, around)
    w.level -= 1
    if done:
        w.header(node.tag, w.written() - before)
    return done


cdef bint fast_choice(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write a CHOICE given as {alternative: value}, as a view, or as the plain value of a transparent CHOICE."""
    cdef int family
    if is_dict(value):
        return fast_alternative(w, node, value, around)
    if node.kind == KIND_CHOICE:
        return isinstance(<object>value, View) and fast_view(w, node, <View>value)
    family = union_family(node)
    if family == FAMILY_STRINGS:
        return is_text(value) and write_string_choice(w, node, value)
    return family == FAMILY_TIMES and write_moment_choice(w, node, value)


cdef bint fast_alternative(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write a CHOICE given as {alternative: value}; return False to abort the fast path."""
    cdef PyObject *inner = NULL
    cdef Py_ssize_t i = given_alternative(node, value, &inner)
    w.members += 1
    try:
        return i < node.component_count and write_fast_value(w, node.components[i].node, inner, around)
    finally:
        release_shared(inner)


cdef Py_ssize_t given_alternative(const Node *node, PyObject *value, PyObject **inner) noexcept:
    """Return the index of the only name in a dict, and keep its value; return the number of alternatives for others."""
    cdef Py_ssize_t count = node.component_count
    cdef PyObject *name
    cdef PyObject *item
    cdef CriticalSection section
    cdef Py_ssize_t position = 0
    cdef Py_ssize_t i = count
    lock_object(&section, value)
    if PyDict_Size(<object>value) == 1 and PyDict_Next(<object>value, &position, &name, &item):
        i = search_name(items_of(<PyObject *>(<Plan>node.plan).names), count, name)
        keep_shared(item)
        inner[0] = item
    unlock_object(&section)
    return i


cdef bint write_string_choice(Writer w, const Node *node, PyObject *value) except -1:
    """Write a text as the first alternative of a union of character strings that accepts it: see `write_union`."""
    cdef const Node *alternative
    cdef Py_ssize_t i
    cdef int rank
    for rank in range(1, 4):
        for i in range(node.component_count):
            alternative = node.components[i].node
            if union_rank(alternative.kind) != rank:
                continue
            if alternative.kind >= KIND_SEQUENCE:
                return False
            if write_primitive_fast(w, alternative, value):
                return True
            # PrintableString is tried first, and many texts do not fit it. The general encoder handles other failures.
            if alternative.kind != KIND_PRINTABLE_STRING or alternative.constraints != NULL:
                return False
    return False


cdef bint write_moment_choice(Writer w, const Node *node, PyObject *value) except -1:
    """Write a time of whole seconds as the UTCTime of a union if it has the year, else as its GeneralizedTime."""
    cdef const Node *chosen = NULL
    cdef const Node *alternative
    cdef Py_ssize_t i
    cdef Moment t
    cdef int kind
    if not (read_json_moment(value, &t) if w.json else
            read_utc_datetime(value, &t) and not datetime_microsecond(<object>value)):
        return False
    kind = KIND_UTC_TIME if in_utc_time(t.year) else KIND_GENERALIZED_TIME
    for i in range(node.component_count):
        alternative = node.components[i].node
        if alternative.kind == kind:
            chosen = alternative
            break
    return chosen != NULL and chosen.constraints == NULL and write_moment(w, chosen, &t)


cdef bint fast_open(Writer w, const Node *node, PyObject *value, const FastScope *around) except -1:
    """Write an open type, or the contents of one in a string; return False to abort the fast path."""
    cdef const OpenEntry *entry = node.contained
    cdef bint done
    if entry == NULL and not find_given_entry(node, around, &entry):
        return False
    if entry != NULL:
        done = write_fast_value(w, entry.node, value, NULL)
    else:
        done = fast_any(w, value) if node.kind == KIND_OPEN else write_given_octets(w, value)
    if done and node.kind == KIND_OPEN_BITS:
        w.octet(0)
    return done


cdef bint find_given_entry(const Node *node, const FastScope *around, const OpenEntry **entry) except -1:
    """Find the table entry that the values around an open type select, NULL if the table has none.

    Return False if the value that selects it is not a field of the fast path.
    """
    cdef uint8_t[SHORT_CONTENTS] room
    cdef Py_ssize_t n = 0
    cdef const uint8_t *oid
    cdef const Node *at = NULL
    cdef PyObject *given
    if around == NULL or node.selector_length == 0:
        return False
    given = given_selector(node, around, &at)
    if given == NULL:
        return False
    if at.kind != KIND_OBJECT_IDENTIFIER:
        return find_given_number(node, at, given, entry)
    oid = octets_of_oid(given, room, &n)
    if oid != NULL:
        entry[0] = find_entry(node.entries, oid, n)
    release_shared(given)
    return oid != NULL


cdef bint find_given_number(const Node *node, const Node *at, PyObject *given, const OpenEntry **entry) noexcept:
    """Do what `find_given_entry` does for a selector given as a small int, and release it."""
    cdef uint8_t[8] octets
    cdef uint64_t number
    cdef bint found = is_integer(at.kind) and is_small(given)
    cdef int i
    if found:
        number = <uint64_t>small_value(given)
        for i in range(8):
            octets[i] = <uint8_t>(number >> 8 * (7 - i))
        entry[0] = entry_of_integer(node.entries, octets, 8)
    release_shared(given)
    return found


cdef PyObject *given_selector(const Node *node, const FastScope *around, const Node **type) noexcept:
    """Return the value that selects the type of an open type, and keep it; return NULL if it is not a field.

    Set `type` to the type of the value.
    """
    cdef const Node *at = around.node
    cdef PyObject *given = around.values[node.selector[0]]
    cdef PyObject *outer
    cdef Py_ssize_t i
    keep_shared(given)
    for i in range(1, node.selector_length):
        at = without_tags(at.components[node.selector[i - 1]].node)
        outer = given
        if outer == NULL or at.kind != KIND_SEQUENCE or not is_dict(outer):
            given = NULL
            release_shared(outer)
            break
        given = named_value(outer, tuple_item(<PyObject *>(<Plan>at.plan).names, node.selector[i]))
        release_shared(outer)
    if given != NULL:
        type[0] = without_tags(at.components[node.selector[node.selector_length - 1]].node)
    return given


cdef PyObject *named_value(PyObject *values, PyObject *name) noexcept:
    """Return the value under a name in a dict, and keep it, or NULL; only an exact str matches, so no code runs."""
    cdef PyObject *key
    cdef PyObject *value
    cdef PyObject *found = NULL
    cdef CriticalSection section
    cdef Py_ssize_t position = 0
    lock_object(&section, values)
    while found == NULL and PyDict_Next(<object>values, &position, &key, &value):
        if is_name(key, name):
            found = value
    keep_shared(found)
    unlock_object(&section)
    return found


cdef bint fast_any(Writer w, PyObject *value) except -1:
    """Write an element given by its octets; return False, with the output incomplete, if they are not one element."""
    cdef Py_ssize_t before = w.written()
    cdef const uint8_t *end
    cdef Header h
    if not write_given_octets(w, value):
        return False
    end = w.base + w.size - before
    return read_header(w.base + w.at, end, &h) == FAULT_NONE and h.end == end


cdef bint write_given_octets(Writer w, PyObject *value) except -1:
    """Write the octets of an opaque value; return False, with nothing written, if they are not given as such."""
    if w.json:
        return write_hex(w, value) >= 0
    if not is_bytes(value):
        return False
    w.octets(octets_in(value), count_in(value))
    return True


cdef bint sort_elements(Writer w, Py_ssize_t length, Py_ssize_t count) except -1:
    """Sort the last `count` elements that were written, of `length` octets in all, in ascending order (X.690 11.6).

    Another thread may have changed the list that `count` is from. Then this returns False, or sorts too few, and the
    check pass finds the fault.
    """
    cdef uint8_t *to = w.base + w.at
    cdef Header h
    cdef Piece *pieces
    cdef uint8_t *copy
    cdef const uint8_t *p
    cdef Py_ssize_t i
    if count < 2:
        return True
    pieces = <Piece *>malloc(count * sizeof(Piece) + length)
    if pieces == NULL:
        raise MemoryError
    copy = <uint8_t *>(pieces + count)
    memcpy(copy, to, length)
    p = copy
    for i in range(count):
        if read_header(p, copy + length, &h):
            free(pieces)
            return False
        pieces[i].start = p
        pieces[i].length = h.end - p
        p = h.end
    qsort(pieces, count, sizeof(Piece), compare_pieces)
    for i in range(count):
        memcpy(to, pieces[i].start, pieces[i].length)
        to += pieces[i].length
    free(pieces)
    return True


cdef int compare_pieces(const void *a, const void *b) noexcept nogil:
    """Compare two encodings as `bytes` are compared."""
    cdef const Piece *first = <const Piece *>a
    cdef const Piece *second = <const Piece *>b
    cdef int order = memcmp(first.start, second.start, min(first.length, second.length))
    return order if order else (first.length > second.length) - (first.length < second.length)
