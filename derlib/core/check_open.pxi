# The check of open types (DEFINED BY): finding the selector, the selected type, and what a misfit means.
#
# A misfit that may stand is proved a second time, as an opaque value. Were that done on the spot, misfits inside one
# another would multiply the work: each of those around the innermost would prove its octets once more. So inside the
# try of an open type it is put off (`wait`) until the outermost open type around it fits. What turned out to be inside
# a larger misfit is forgotten by then, and those that are left do not overlap (`settle`): each octet is proved at most
# once by a type and once without. A string that contains an encoding settles what is inside it by itself, since as an
# opaque value its contents are not looked at.


cdef bint find_field(
    const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t index, Header *h
) noexcept nogil:
    """Find a component of a proved SEQUENCE or SET again; False where it is absent."""
    cdef const uint8_t *p = content
    cdef const Field *field = node.fields
    if node.kind == KIND_SET:
        while p < end and walk_header(p, end, h) == FAULT_NONE:
            if accepts(node.fields[index].node, h.tag):
                return True
            p = h.end
        return False
    if unlikely(node.extensible):
        return find_in_extensible(node, content, end, index, h)
    while p < end and walk_header(p, end, h) == FAULT_NONE:
        while not accepts(field.node, h.tag):
            if field - node.fields >= index:
                return False
            field += 1
        if field - node.fields >= index:
            return field - node.fields == index
        field += 1
        p = h.end
    return False


cdef const OpenEntry *selected(const Node *node, const Scope *scope) noexcept nogil:
    """The entry of the type that the selector of an open type chooses, or NULL where the table does not know it."""
    cdef Header h
    cdef const Node *at
    cdef const Field *field
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
        field = &at.fields[node.selector[i]]
        if not find_field(at, h.content, h.end, node.selector[i], &h):
            # What is left out has its default value (X.680 25, DEFAULT), and that selects as well.
            if field.default == NULL or walk_header(field.default, field.default + field.default_length, &h):
                return NULL
        at = field.node
    entry = find_slot(look_entries(node.entries), h.content, h.end - h.content)
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


cdef inline bint stays_opaque(const Check *c, const OpenEntry *entry, tag_t tag) noexcept nogil:
    """Whether an element is opaque for its tag, and nobody's leave is asked for it.

    Inside a soft value a soft type is not tried: each misfit is proved a second time as an opaque one, and tries within
    tries would multiply. Reading does the same (`fitting`).
    """
    return entry == NULL or (entry.soft and (c.soft or not accepts(entry.node, tag)))


cdef inline void take_back(Check *c) noexcept nogil:
    """Forget the fault of a misfit."""
    c.fault = FAULT_NONE
    c.rule = NULL
    c.steps = 0
    close_recorder(c)


cdef bint check_open(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """An open type: the type that its selector chooses, else opaque. A soft table lets a misfit stay opaque, too."""
    cdef const OpenEntry *entry = selected_again(c, node, scope)
    if node.kind == KIND_OPEN and stays_opaque(c, entry, h.tag):
        return check_any(c, h)
    return check_entry(c, node, entry, h)


cdef bint check_entry(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """The same with the entry that was selected, where the tag alone does not make the element opaque."""
    cdef const Node *target
    cdef uint64_t tolerated
    cdef bint proved
    if node.kind != KIND_OPEN or not entry.soft or c.trying:
        return check_with_parts(c, node, entry, h)
    target = alternative_for(entry.node, h.tag)
    if target.kind >= KIND_SEQUENCE:
        return check_with_parts(c, node, entry, h)
    # A primitive type leaves nothing behind to be put back. What the strict rules let stand, leniency leaves as it is.
    tolerated = c.tolerated
    c.tolerated = 0
    proved = check_soft_primitive(c, target, h)
    c.tolerated = tolerated
    if proved or tolerated == 0:
        return proved
    take_back(c)
    return check_with_parts(c, node, entry, h)


cdef inline const Node *alternative_for(const Node *node, tag_t tag) noexcept nogil:
    """The type that the tag chooses, where the type is a CHOICE that no rule is on; else the type."""
    cdef Py_ssize_t index
    while is_choice(node.kind) and node.rules == NULL:
        index = find_alternative(node, tag)
        if index < 0:
            break
        node = node.fields[index].node
    return node


cdef inline bint check_soft_primitive(Check *c, const Node *node, const Header *h) noexcept nogil:
    """A value of a soft type that is primitive, or one without a type."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - p
    cdef int fault
    if (n == 0 and <uint64_t>EMPTY_KINDS >> node.kind & 1) or plain_contents(c, node.kind, p, n):
        fault = constraint_check(c, node, h)
    else:
        fault = primitive_check(c, node, h)
    if fault == FAULT_NONE:
        return True
    close_recorder(c)
    # What only a constraint refuses was proved by the very rule that an element without a type has for its tag.
    if FAULT_SIZE <= fault <= FAULT_CONSTRAINT and h.tag == OWN_TAGS[node.kind]:
        return check_limits(c, h)
    return check_any_itself(c, h)


cdef bint check_with_parts(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """The same where more has to be put back after a misfit, or stands around the value."""
    cdef int fault
    if node.kind != KIND_OPEN:
        if node.kind == KIND_OPEN_BITS:
            fault = bits_check(h.content, h.end - h.content)
            if fault and not tolerates(c, fault, h.start, node, h.content, h.end - h.content):
                return fail(c, fault, h.start, node)
        if node.sized and size_check(node, value_size(node, h)):
            return fail(c, FAULT_SIZE, h.start, node)
        if node.rules != NULL and not check_rules(c, node, h):
            return False
        if entry == NULL or (entry.soft and c.soft):
            return check_opaque(c, node, h)
    elif c.tolerated & OPEN_TYPE and not accepts(entry.node, h.tag):
        # The tag alone tells, and a list may be full of these.
        fail_tag(c, entry.node, h, FAULT_UNEXPECTED_TAG)
        return let_stand(c, node, entry, h, c.depth)
    return check_strictly(c, node, entry, h) if c.tolerated == 0 else check_leniently(c, node, entry, h)


cdef bint check_strictly(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """What the selector chose, where nothing is tolerated: so nothing is noted, and nothing waits."""
    cdef int depth = c.depth
    cdef Py_ssize_t elements = c.elements
    # A limit is no misfit: were it one, what a value is would depend on what stands around it.
    if check_selected(c, node, entry, h):
        return True
    if not entry.soft or is_limit(c.fault):
        return False
    c.depth = depth
    c.elements = elements
    take_back(c)
    return check_opaque(c, node, h)


cdef bint check_leniently(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """The same where breaches are noted, and a misfit may wait."""
    cdef int depth = c.depth
    cdef Py_ssize_t elements = c.elements
    cdef Py_ssize_t noted
    cdef Py_ssize_t waiting
    cdef Py_ssize_t breaches
    cdef int open_before
    cdef bint fits
    noted = c.record.count
    waiting = c.record.waiting_count
    open_before = c.open
    breaches = c.breaches
    fits = check_selected(c, node, entry, h)
    # What the strict rules let stand opaque, leniency does not read in another way.
    if entry.soft and c.breaches > breaches and (fits or is_limit(c.fault)) \
            and stands_opaque(c, node, h, depth, elements):
        forget(c, noted, waiting)
        c.breaches = breaches
        return c.elements >= 0 or fail(c, FAULT_ELEMENT_LIMIT, h.start, node)
    if fits:
        if c.record.waiting_count == waiting or (c.trying and node.kind == KIND_OPEN) or settle(c, waiting):
            return True
        # What is not DER inside an element does not make the element DER.
        if node.kind == KIND_OPEN:
            return False
    if is_limit(c.fault) or not (entry.soft or c.tolerated & OPEN_TYPE):
        return False
    c.open = open_before
    c.depth = depth
    c.elements = elements
    c.breaches = breaches
    forget(c, noted, waiting)
    return let_stand(c, node, entry, h, depth)


cdef bint let_stand(Check *c, const Node *node, const OpenEntry *entry, const Header *h, int depth) noexcept nogil:
    """A misfit, as an opaque value; its fault is noted where it takes the caller's leave to stand."""
    cdef int fault = c.fault
    take_back(c)
    if not entry.soft:
        c.breaches += 1
        if not note(c.record, h.start, fault, OPEN_TYPE):
            return fail(c, fault, h.start, node)
    if c.trying and node.kind == KIND_OPEN:
        return wait(c.record, h, depth) or fail(c, fault, h.start, node)
    return check_opaque(c, node, h)


cdef inline void forget(Check *c, Py_ssize_t noted, Py_ssize_t waiting) noexcept nogil:
    """Drop what was noted, and what waits, since there were so many of them."""
    c.record.count = noted
    c.record.waiting_count = waiting


cdef bint settle(Check *c, Py_ssize_t first) noexcept nogil:
    """Prove the opaque values that wait, from number `first` on."""
    cdef int depth = c.depth
    cdef Py_ssize_t i
    for i in range(first, c.record.waiting_count):
        c.depth = c.record.waiting[i].depth
        if not check_any(c, &c.record.waiting[i].place):
            return False
    c.record.waiting_count = first
    c.depth = depth
    return True


cdef inline bint is_limit(int fault) noexcept nogil:
    return fault == FAULT_DEPTH_LIMIT or fault == FAULT_ELEMENT_LIMIT


cdef bint stands_opaque(
    Check *c, const Node *node, const Header *h, int depth, Py_ssize_t elements
) noexcept nogil:
    """Whether the strict rules let an open type stand opaque; if not, all is left as it was.

    How many elements may be left decides nothing, for reading does not know it (`fitting`). They are taken off all the
    same, and fewer than none are left where there are too many.
    """
    cdef uint64_t tolerated = c.tolerated
    cdef int fault = c.fault
    cdef const uint8_t *at = c.at
    cdef const Node *expected = c.expected
    cdef int depth_after = c.depth
    cdef Py_ssize_t elements_after = c.elements
    cdef bint stands
    c.tolerated = 0
    c.depth = depth
    c.elements = PY_SSIZE_T_MAX
    stands = check_opaque(c, node, h)
    c.tolerated = tolerated
    if stands:
        c.elements = elements - (PY_SSIZE_T_MAX - c.elements)
        c.fault = FAULT_NONE
        c.steps = 0
    else:
        # An opaque value adds no step to the path.
        c.fault = fault
        c.at = at
        c.expected = expected
        c.depth = depth_after
        c.elements = elements_after
    return stands


cdef bint check_selected(Check *c, const Node *node, const OpenEntry *entry, const Header *h) noexcept nogil:
    """Prove that an open type is of the type that was chosen; `open` stays as it was at the fault, for its message."""
    cdef bint soft = c.soft
    cdef bint trying = c.trying
    cdef int open_before = c.open
    cdef bint fits
    c.open += 1
    c.soft = soft or entry.soft
    c.trying = node.kind == KIND_OPEN and c.tolerated & OPEN_TYPE != 0
    fits = check_contained(c, node, entry.node, h)
    c.soft = soft
    c.trying = trying
    if fits or entry.soft:
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
    if not check_element(c, target, p, h.end, NULL, &child):
        return False
    if child.end != h.end and not tolerates(c, FAULT_CONTAINED_EXTRA, child.end, target, child.end, 0):
        return fail(c, FAULT_CONTAINED_EXTRA, child.end, target)
    c.depth += 1
    return True
