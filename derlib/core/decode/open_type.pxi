# Validation of open types (DEFINED BY): the selector, the selected type, and type mismatches.
#
# A value whose table has on_mismatch="opaque" is validated as an opaque value; reading it applies its type
# (`matched_type`). Its type is tried here only if it is not valid as an opaque value.
#
# A mismatch that Deviation.OPEN_TYPE tolerates is validated a second time, as an opaque value. If this were done at
# once, nested mismatches would multiply the work, because each level would validate the bytes of the inner levels
# again. So inside an open type whose type is being tried, the second check is deferred (`defer`) until the outermost
# open type matches. By then, mismatches inside a larger mismatch are dropped, and the remaining ones do not overlap
# (`check_pending`): each byte is validated at most once with a type and once without. A string that contains an
# encoding checks the mismatches inside it itself, because the contents of an opaque string are not validated.


cdef enum:
    KEY_MARK = 0x80             # begins the key of an INTEGER; the contents of no OBJECT IDENTIFIER begin with it
    KEY_OCTETS_LIMIT = 32       # the largest contents of an INTEGER that is a key


cdef const OpenEntry *selected(const Node *node, const Scope *scope) noexcept nogil:
    """Return the table entry that the selector of an open type chooses, NULL if it is not in the table."""
    cdef Header h
    cdef const Node *at
    cdef const Component *component
    cdef Py_ssize_t i
    if node.contained != NULL:
        return node.contained
    if scope == NULL or node.selector_length == 0:
        return NULL
    at = scope.node
    h.content = scope.content
    h.end = scope.end
    for i in range(node.selector_length):
        component = &at.components[node.selector[i]]
        if not find_component(at, h.content, h.end, node.selector[i], &h):
            # An absent selector has its default value (X.680 25, DEFAULT).
            if component.default == NULL \
                    or reread_header(component.default, component.default + component.default_length, &h):
                return NULL
        at = component.node
        while unlikely(at.kind == KIND_EXPLICIT):
            if reread_header(h.content, h.end, &h):
                return NULL
            at = at.element
    if at.kind == KIND_OBJECT_IDENTIFIER:
        return find_entry(node.entries, h.content, h.end - h.content)
    return entry_of_value(node.entries, at, &h)


cdef const OpenEntry *entry_of_value(OpenEntries **entries, const Node *at, const Header *value) noexcept nogil:
    """Return the table entry that a selector of any type chooses; its element may be invalid."""
    cdef Header h = value[0]
    cdef Py_ssize_t index
    while at.kind == KIND_EXPLICIT or is_choice(at.kind):
        if at.kind == KIND_EXPLICIT:
            if reread_header(h.content, h.end, &h):
                return NULL
            at = at.element
        else:
            index = find_alternative(at, h.tag)
            if index < 0:
                return NULL
            at = at.components[index].node
    if at.kind == KIND_OBJECT_IDENTIFIER:
        return find_entry(entries, h.content, h.end - h.content)
    if is_integer(at.kind):
        return entry_of_integer(entries, h.content, h.end - h.content)
    return NULL


cdef const OpenEntry *entry_of_integer(OpenEntries **entries, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the table entry of an INTEGER or ENUMERATED, NULL if there is none."""
    cdef uint8_t[1 + KEY_OCTETS_LIMIT] key
    cdef const uint8_t *end = p + n
    if n > 0:
        # A tolerated padded number selects what the number does.
        p = without_padding(p, n)
    if not 0 < end - p <= KEY_OCTETS_LIMIT:
        return NULL
    key[0] = KEY_MARK
    memcpy(key + 1, p, end - p)
    return find_entry(entries, key, 1 + (end - p))


cdef const OpenEntry *selected_cached(Check *c, const Node *node, const Scope *scope) noexcept nogil:
    """Do what `selected` does, with one look-up for all elements of a list."""
    if scope == NULL:
        return selected(node, scope)
    if c.open_node != node or c.open_scope != scope.content:
        c.open_entry = selected(node, scope)
        c.open_node = node
        c.open_scope = scope.content
    return c.open_entry


cdef inline bint remains_opaque(const Check *c, const OpenEntry *entry) noexcept nogil:
    """Return whether a value has no known type, or a type that is not tried.

    Inside a value whose table has on_mismatch="opaque", the types of such tables are not tried, because nested attempts
    would multiply the work. Reading does the same (`matched_type`).
    """
    return entry == NULL or (entry.opaque_on_mismatch and c.in_opaque_entry)


cdef inline void clear_fault(Check *c) noexcept nogil:
    """Clear the fault of a type mismatch, to continue with the value as an opaque one."""
    c.fault = FAULT_NONE
    # The next element can begin where the contents of an empty string would.
    c.bounded_at = NULL
    c.fault_in_open_type = False
    c.open_type_tolerates = False
    c.fault_in_string = False
    c.constraint = NULL
    c.steps = 0
    close_recorder(c)


cdef bint is_excused(Check *c, const uint8_t *p) noexcept nogil:
    """Return whether the element at `p`, which has the fault, may be invalid; if so, continue after it.

    These are elements that a conversion of BER kept (core/values/conversion.pxi). A limit is never excused.
    """
    cdef int depth
    if c.excused == NULL or is_limit(c.fault):
        return False
    depth = c.excused[p - c.excused_base]
    if depth == 0:
        return False
    c.depth = depth - 1
    clear_fault(c)
    return True


cdef bint check_open(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate an open type by its selected type, or as an opaque value if there is none or the table allows it."""
    return check_entry(c, node, selected_cached(c, node, scope), h)


cdef bint check_entry(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Validate an open type by the selected entry, NULL if there is none."""
    cdef int depth = c.depth
    cdef Py_ssize_t elements = c.elements
    cdef int fault
    if node.kind != KIND_OPEN:
        if node.kind == KIND_OPEN_BITS:
            fault = bits_check(h.content, h.end - h.content)
            if fault and not tolerates(c, fault, h.start, node, h.content, h.end - h.content):
                return fail(c, fault, h.start, node)
        if unlikely(node.constrained):
            if node.sized and size_fault(node, value_size(node, h)):
                return fail(c, FAULT_SIZE, h.start, node)
            if node.constraints != NULL and not check_constraints(c, node, h):
                return False
    if entry == NULL:
        return check_opaque(c, node, h)
    if entry.opaque_on_mismatch:
        # See `remains_opaque`.
        return check_opaque(c, node, h) if c.in_opaque_entry \
            else is_valid_opaque(c, node, h) or check_opaque_by_type(c, node, entry, h, depth, elements)
    return check_selected(c, node, entry, h) if c.tolerated == 0 else check_leniently(c, node, entry, h)


cdef bint check_opaque_by_type(
    Check *c, const Node *node, const OpenEntry *entry, const Header *h, int depth, Py_ssize_t elements
) noexcept nogil:
    """Validate by its type a value that is not valid as an opaque one, although its table has on_mismatch="opaque".

    It can still match its type, for example a SEQUENCE with the universal tag of SET whose components are not in the
    order of a SET; or the fault is tolerated. `depth` and `elements` are the limits that were left before the value.
    """
    # An exceeded limit is not a mismatch: whether a value has a type must not depend on the elements around it.
    if is_limit(c.fault):
        return False
    c.depth = depth
    c.elements = elements
    clear_fault(c)
    if c.tolerated != 0:
        return check_leniently(c, node, entry, h)
    if check_selected(c, node, entry, h):
        return True
    # Validate it as opaque again, because the message reports the fault of the opaque value.
    c.depth = depth
    c.elements = elements
    clear_fault(c)
    return check_opaque(c, node, h)


cdef bint check_leniently(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Validate an open type by its selected type, and tolerate a mismatch if the table or the caller does."""
    cdef int depth = c.depth
    cdef Py_ssize_t elements = c.elements
    cdef Py_ssize_t tolerated_faults = c.tolerated_faults
    cdef Py_ssize_t count = c.record.count
    cdef Py_ssize_t pending = c.record.pending_count
    if check_selected(c, node, entry, h):
        if c.record.pending_count == pending or (c.in_tried_type and node.kind == KIND_OPEN) \
                or check_pending(c, pending):
            return True
        # A pending value inside is not valid DER.
        if node.kind == KIND_OPEN:
            return False
    if is_limit(c.fault) or not (entry.opaque_on_mismatch or c.tolerated & OPEN_TYPE):
        return False
    c.depth = depth
    c.elements = elements
    c.tolerated_faults = tolerated_faults
    # Drop the entries from inside the mismatch.
    c.record.count = count
    c.record.pending_count = pending
    return accept_as_opaque(c, node, entry, h)


cdef bint accept_as_opaque(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Accept a mismatch as an opaque value; record its fault if Deviation.OPEN_TYPE allows it, not the table."""
    cdef int fault = c.fault
    if entry.opaque_on_mismatch:
        clear_fault(c)
    elif not note_type_mismatch(c, node, h):
        return False
    if c.in_tried_type and node.kind == KIND_OPEN:
        return defer(c.record, h, c.depth) or fail(c, fault, h.start, node)
    return check_opaque(c, node, h)


cdef bint note_type_mismatch(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Record the fault of a mismatch as tolerated; return False if there is no memory."""
    cdef int fault = c.fault
    clear_fault(c)
    c.tolerated_faults += 1
    return note(c.record, h.start, fault, OPEN_TYPE) or fail(c, fault, h.start, node)


cdef bint note_tag_mismatch(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Record the mismatch of an element whose tag is not one of its type; a list can consist of such elements."""
    if entry.node.tag ^ h.tag == 1 or is_choice(entry.node.kind):
        # `fail_tag` finds the fault if only the form is wrong.
        fail_tag(c, entry.node, h, FAULT_UNEXPECTED_TAG)
        return note_type_mismatch(c, node, h)
    close_recorder(c)
    c.tolerated_faults += 1
    return note(c.record, h.start, FAULT_UNEXPECTED_TAG, OPEN_TYPE) or fail(c, FAULT_UNEXPECTED_TAG, h.start, node)


cdef bint check_pending(Check *c, Py_ssize_t first) noexcept nogil:
    """Validate the deferred opaque values, from number `first` on."""
    cdef int depth = c.depth
    cdef Py_ssize_t i
    for i in range(first, c.record.pending_count):
        c.depth = c.record.pending[i].depth
        if not check_any(c, &c.record.pending[i].element):
            return False
    c.record.pending_count = first
    c.depth = depth
    return True


cdef inline bint is_limit(int fault) noexcept nogil:
    """Return whether a fault is an exceeded limit that depends on the elements around a value."""
    return fault == FAULT_DEPTH_LIMIT or fault == FAULT_ELEMENT_LIMIT


cdef bint is_valid_opaque(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Return whether an open type is valid as an opaque value under the strict rules."""
    cdef uint64_t tolerated = c.tolerated
    cdef bint valid
    c.tolerated = 0
    valid = check_opaque(c, node, h)
    c.tolerated = tolerated
    return valid


cdef bint check_selected(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Validate an open type by the selected type."""
    cdef bint outer = c.in_opaque_entry
    cdef bint in_tried_type = c.in_tried_type
    cdef int depth = c.depth
    cdef Py_ssize_t elements = c.elements
    cdef bint fits
    c.in_opaque_entry = outer or entry.opaque_on_mismatch
    c.in_tried_type = node.kind == KIND_OPEN and c.tolerated & OPEN_TYPE != 0
    fits = check_contained(c, node, entry.node, h)
    c.in_opaque_entry = outer
    c.in_tried_type = in_tried_type
    # With the deviation tolerated, `check_leniently` tries the opaque value.
    if not fits and not entry.opaque_on_mismatch and c.tolerated & OPEN_TYPE == 0:
        mark_fault(c, node, h, depth, elements)
    return fits


cdef void mark_fault(Check *c, const Node *node, const Header *h, int depth, Py_ssize_t elements) noexcept nogil:
    """Record whether Deviation.OPEN_TYPE would tolerate the fault in an open type, for the message.

    It would not if no deviations make the value valid as an opaque one. This is found out once for a fault: an open
    type around it contains the same invalid bytes, unless they are in a string. `depth` and `elements` are the limits
    that were left before the value.
    """
    cdef Check attempt
    cdef Record record
    if node.kind != KIND_OPEN:
        # An opaque string can contain any bytes.
        c.open_type_tolerates = True
    elif not c.fault_in_open_type:
        memset(&record, 0, sizeof(Record))
        check_begin(&attempt, c.options, &record)
        # The opaque value can have faults of its own, whose errors name their deviations after this one is tolerated.
        attempt.tolerated = EVERY_DEVIATION
        attempt.depth = depth
        attempt.elements = elements
        attempt.excused = c.excused
        attempt.excused_base = c.excused_base
        c.open_type_tolerates = check_any(&attempt, h)
        free(record.entries)
        free(record.pending)
    c.fault_in_open_type = True


cdef bint check_opaque(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Validate an open type as an opaque value; an opaque string can contain any bytes."""
    return check_any(c, h) if node.kind == KIND_OPEN else True


cdef bint check_contained(Check *c, const Node *node, const Node *target, const Header *h) noexcept nogil:
    """Validate an open type, or the contents of its string, as one value of type `target`."""
    cdef Header child
    cdef const uint8_t *p = h.content
    if node.kind == KIND_OPEN:
        if not accepts(target, h.tag):
            return fail_tag(c, target, h, FAULT_UNEXPECTED_TAG)
        return check_value(c, target, h, NULL)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if node.kind == KIND_OPEN_BITS:
        # X.682 11: the bits are those of an encoding, so whole octets.
        if p < h.end and p[0] != 0:
            return fail(c, FAULT_CONTAINED_BITS, h.start, node)
        p += 1
    if not check_header(c, target, p, h.end, &child) or not check_tagged_quickly(c, target, &child, NULL):
        c.fault_in_string = True
        return False
    if child.end != h.end and not tolerates(c, FAULT_CONTAINED_EXTRA, child.end, target, child.end, 0):
        return fail_before(c, FAULT_CONTAINED_EXTRA, child.end, h.end, target)
    c.depth += 1
    return True
