# The check of open types (DEFINED BY): finding the selector, the selected type, and what a mismatch means.
#
# A value of an opaque table may stand opaque, so it is proved as an opaque one: nothing more can depend on it, and what its type
# makes of it is asked when it is read (`fitting`). Its type is tried here only where the strict rules do not let it
# stand.
#
# A mismatch that is tolerated is proved a second time, as an opaque value. Were that done on the spot, mismatches inside one
# another would multiply the work: each of those around the innermost would prove its octets once more. So inside the
# try of an open type it is put off (`wait`) until the outermost open type around it fits. What turned out to be inside
# a larger mismatch is forgotten by then, and those that are left do not overlap (`settle`): each octet is proved at most
# once by a type and once without. A string that contains an encoding settles what is inside it by itself, since as an
# opaque value its contents are not looked at.


cdef const OpenEntry *selected(const Node *node, const Scope *scope) noexcept nogil:
    """The entry of the type that the selector of an open type chooses, or NULL where the table does not know it."""
    cdef Header h
    cdef const Node *at
    cdef const Component *field
    cdef const OpenEntry *entry
    cdef Py_ssize_t i
    if node.contained != NULL:
        return node.contained
    if scope == NULL or node.selector_length == 0:
        return NULL
    at = scope.node
    h.content = scope.content
    h.end = scope.end
    for i in range(node.selector_length):
        field = &at.components[node.selector[i]]
        if not find_component(at, h.content, h.end, node.selector[i], &h):
            # What is left out has its default value (X.680 25, DEFAULT), and that selects as well.
            if field.default == NULL or reread_header(field.default, field.default + field.default_length, &h):
                return NULL
        at = field.node
    entry = find_slot(load_acquire_entries(node.entries), h.content, h.end - h.content)
    return entry if entry.node != NULL else NULL


cdef const OpenEntry *selected_again(Check *c, const Node *node, const Scope *scope) noexcept nogil:
    """`selected`, which elements of one list need not ask one by one."""
    if scope == NULL:
        return selected(node, scope)
    if c.open_node != node or c.open_scope != scope.content:
        c.open_entry = selected(node, scope)
        c.open_node = node
        c.open_scope = scope.content
    return c.open_entry


cdef inline bint remains_opaque(const Check *c, const OpenEntry *entry) noexcept nogil:
    """Whether an element has no type, or none that is tried.

    Inside a value of an opaque table types of opaque tables are not tried: tries within tries would multiply. Reading does the same (`fitting`).
    """
    return entry == NULL or (entry.opaque_on_mismatch and c.in_opaque_entry)


cdef inline void clear_fault(Check *c) noexcept nogil:
    """Forget the fault of a mismatch."""
    c.fault = FAULT_NONE
    c.constraint = NULL
    c.steps = 0
    close_recorder(c)


cdef bint check_open(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """An open type: the type that its selector chooses, else opaque. A opaque table lets a mismatch stay opaque, too."""
    return check_entry(c, node, selected_again(c, node, scope), h)


cdef bint check_entry(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """The same with the entry that was selected."""
    cdef int depth = c.depth
    cdef Py_ssize_t elements = c.elements
    cdef int fault
    if node.kind != KIND_OPEN:
        if node.kind == KIND_OPEN_BITS:
            fault = bits_check(h.content, h.end - h.content)
            if fault and not tolerates(c, fault, h.start, node, h.content, h.end - h.content):
                return fail(c, fault, h.start, node)
        if unlikely(node.constrained):
            if node.sized and size_check(node, value_size(node, h)):
                return fail(c, FAULT_SIZE, h.start, node)
            if node.constraints != NULL and not check_constraints(c, node, h):
                return False
    if entry == NULL:
        return check_opaque(c, node, h)
    if entry.opaque_on_mismatch:
        # Inside a value of an opaque table types of opaque tables are not tried: see `remains_opaque`.
        return check_opaque(c, node, h) if c.in_opaque_entry \
            else is_valid_opaque(c, node, h) or check_opaque_by_type(c, node, entry, h, depth, elements)
    return check_selected(c, node, entry, h) if c.tolerated == 0 else check_leniently(c, node, entry, h)


cdef bint check_opaque_by_type(
    Check *c, const Node *node, const OpenEntry *entry, const Header *h, int depth, Py_ssize_t elements
) noexcept nogil:
    """A value of an opaque table that the strict rules do not let stand opaque, with the depth and elements left from before it.

    It may be of its type all the same, such as a SEQUENCE that has the universal tag of SET, and none of its order; or
    something is tolerated. What may stand opaque, leniency does not read in another way.
    """
    # A limit is no mismatch: were it one, what a value is would depend on what stands around it.
    if is_limit(c.fault):
        return False
    c.depth = depth
    c.elements = elements
    clear_fault(c)
    if c.tolerated != 0:
        return check_leniently(c, node, entry, h)
    if check_selected(c, node, entry, h):
        return True
    # For the message: what it should be, no type decides.
    c.depth = depth
    c.elements = elements
    clear_fault(c)
    return check_opaque(c, node, h)


cdef bint check_leniently(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """What the selector chose, where breaches are noted, and a mismatch may wait."""
    cdef int depth = c.depth
    cdef int open_before = c.open
    cdef Py_ssize_t elements = c.elements
    cdef Py_ssize_t breaches = c.breaches
    cdef Py_ssize_t noted = c.record.count
    cdef Py_ssize_t pending = c.record.pending_count
    if check_selected(c, node, entry, h):
        if c.record.pending_count == pending or (c.trying and node.kind == KIND_OPEN) or check_pending(c, pending):
            return True
        # What is not DER inside an element does not make the element DER.
        if node.kind == KIND_OPEN:
            return False
    if is_limit(c.fault) or not (entry.opaque_on_mismatch or c.tolerated & OPEN_TYPE):
        return False
    c.depth = depth
    c.open = open_before
    c.elements = elements
    c.breaches = breaches
    # There may be very many of them.
    c.record.count = noted
    c.record.pending_count = pending
    return accept_as_opaque(c, node, entry, h)


cdef bint accept_as_opaque(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """A mismatch, as an opaque value; its fault is noted where it takes the caller's leave to stand."""
    cdef int fault = c.fault
    if entry.opaque_on_mismatch:
        clear_fault(c)
    elif not note_type_mismatch(c, node, h):
        return False
    if c.trying and node.kind == KIND_OPEN:
        return defer(c.record, h, c.depth) or fail(c, fault, h.start, node)
    return check_opaque(c, node, h)


cdef bint note_type_mismatch(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Turn the fault of a mismatch into a breach that was tolerated; False where there is no memory for it."""
    cdef int fault = c.fault
    clear_fault(c)
    c.breaches += 1
    return note(c.record, h.start, fault, OPEN_TYPE) or fail(c, fault, h.start, node)


cdef bint note_tag_mismatch(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """The same of an element whose tag alone makes it a mismatch: a list may be full of these."""
    if entry.node.tag ^ h.tag == 1 or is_choice(entry.node.kind):
        # The form alone may be wrong.
        fail_tag(c, entry.node, h, FAULT_UNEXPECTED_TAG)
        return note_type_mismatch(c, node, h)
    close_recorder(c)
    c.breaches += 1
    return note(c.record, h.start, FAULT_UNEXPECTED_TAG, OPEN_TYPE) or fail(c, FAULT_UNEXPECTED_TAG, h.start, node)


cdef bint check_pending(Check *c, Py_ssize_t first) noexcept nogil:
    """Prove the opaque values that wait, from number `first` on."""
    cdef int depth = c.depth
    cdef Py_ssize_t i
    for i in range(first, c.record.pending_count):
        c.depth = c.record.pending[i].depth
        if not check_any(c, &c.record.pending[i].place):
            return False
    c.record.pending_count = first
    c.depth = depth
    return True


cdef inline bint is_limit(int fault) noexcept nogil:
    return fault == FAULT_DEPTH_LIMIT or fault == FAULT_ELEMENT_LIMIT


cdef bint is_valid_opaque(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Whether the strict rules let an open type stand as an opaque value."""
    cdef uint64_t tolerated = c.tolerated
    cdef bint stands
    c.tolerated = 0
    stands = check_opaque(c, node, h)
    c.tolerated = tolerated
    return stands


cdef bint check_selected(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Prove that an open type is of the type that was chosen; `open` stays as it was at the fault, for its message."""
    cdef bint outer = c.in_opaque_entry
    cdef bint trying = c.trying
    cdef int open_before = c.open
    cdef bint fits
    c.open += 1
    c.in_opaque_entry = outer or entry.opaque_on_mismatch
    c.trying = node.kind == KIND_OPEN and c.tolerated & OPEN_TYPE != 0
    fits = check_contained(c, node, entry.node, h)
    c.in_opaque_entry = outer
    c.trying = trying
    if fits or entry.opaque_on_mismatch:
        c.open = open_before
    return fits


cdef bint check_opaque(Check *c, const Node *node, const Header *h) noexcept nogil:
    """An open type whose value nobody knows; the octets of a string may be anything."""
    return check_any(c, h) if node.kind == KIND_OPEN else True


cdef bint check_contained(Check *c, const Node *node, const Node *target, const Header *h) noexcept nogil:
    """Prove that an open type, or what its string contains, is one value of `target`."""
    cdef Header child
    cdef const uint8_t *p = h.content
    if node.kind == KIND_OPEN:
        if not accepts(target, h.tag):
            return fail_tag(c, target, h, FAULT_UNEXPECTED_TAG)
        return check_value(c, target, h, NULL)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if node.kind == KIND_OPEN_BITS:
        # X.682 11: the bits are those of an encoding, which are whole octets.
        if p < h.end and p[0] != 0:
            return fail(c, FAULT_CONTAINED_BITS, h.start, node)
        p += 1
    if not check_header(c, target, p, h.end, &child) or not check_tagged_quickly(c, target, &child, NULL):
        return False
    if child.end != h.end and not tolerates(c, FAULT_CONTAINED_EXTRA, child.end, target, child.end, 0):
        return fail_before(c, FAULT_CONTAINED_EXTRA, child.end, h.end, target)
    c.depth += 1
    return True
