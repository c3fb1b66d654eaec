# Validation of SET (X.690 8.11, 10.3): each member at most once, in the order of the tags.
#
# The check marks the members that are present in words of bits; required members without a mark are missing. The
# order already excludes equal tags; the marks find a second element of a CHOICE, and elements after a tolerated fault
# of the order.

cdef struct MemberSet:              # a bit for each member that is present
    uint64_t words[MEMBER_WORDS]


cdef inline bint has_member(const MemberSet *members, Py_ssize_t i) noexcept nogil:
    return members.words[i >> 6] >> (i & 63) & 1


cdef inline void add_member(MemberSet *members, Py_ssize_t i) noexcept nogil:
    members.words[i >> 6] |= <uint64_t>1 << (i & 63)


cdef bint check_set(Check *c, const Node *node, const Header *h, const Scope *around) noexcept nogil:
    """Validate a SET."""
    cdef Scope scope
    cdef Header child
    cdef const Component *component
    cdef const uint8_t *p = h.content
    cdef tag_t before = 0
    cdef tag_t key
    cdef MemberSet seen
    cdef Py_ssize_t additions = 0   # the number of unknown additions
    cdef bint ordered = True        # False after a fault of the order was tolerated
    cdef Py_ssize_t i
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if p == h.end and node.may_be_empty:
        c.depth += 1
        return True
    memset(&seen, 0, sizeof(seen))
    set_scope(&scope, node, h.content, h.end)
    while p < h.end:
        if not check_header(c, NULL, p, h.end, &child):
            return False
        component = match_member(node, octet_at(p), child.tag)
        if unlikely(component == NULL):
            if not node.extensible or has_other_form(node, 0, node.component_count, child.tag):
                return fail_form(c, node, 0, &child) and fail(c, FAULT_MEMBER_EXTRA, p, NULL)
        # X.680 8.6: by class, then by number; the form does not matter. Equal keys are two members with one tag.
        key = canonical_key(child.tag)
        if p != h.content and key <= before:
            fault = FAULT_MEMBER_EXTRA if key == before else FAULT_SET_ORDER
            if not tolerates(c, fault, p, NULL, child.content, 0):
                if component == NULL:
                    return fail(c, fault, p, NULL)
                fail(c, fault, p, component.node)
                return fail_in(c, node, component - node.components)
            ordered = False
        before = key
        if unlikely(component == NULL):
            if not check_any(c, &child):
                return False
            additions += 1
            p = child.end
            continue
        i = component - node.components
        # A CHOICE has several tags, and a member that is out of order does not follow its equal.
        if has_member(&seen, i):
            return fail(c, FAULT_MEMBER_EXTRA, p, component.node)
        add_member(&seen, i)
        if not check_value(c, component.node, &child, &scope) and not is_excused(c, p):
            return fail_in(c, node, i)
        if component.default != NULL and not check_default(c, node, component, &child) and not is_excused(c, p):
            return False
        p = child.end
    for i in range(node.needed):
        if not node.components[i].optional and not has_member(&seen, i):
            fail_before(c, FAULT_MEMBER_MISSING, h.end, h.end, node.components[i].node)
            return fail_in(c, node, i)
    if unlikely(not ordered and additions > 1) and not check_additions(c, node, h, additions):
        return False
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_additions(Check *c, const Node *node, const Header *h, Py_ssize_t count) noexcept nogil:
    """Check that the unknown additions of a SET that is out of order have different tags (X.680 27.3)."""
    cdef ComponentWalk walk
    cdef const uint8_t *second = NULL
    cdef Py_ssize_t i = 0
    cdef tag_t *keys = <tag_t *>realloc(NULL, count * sizeof(tag_t))
    if keys == NULL:
        c.record.exhausted = True
        return fail(c, FAULT_MEMBER_EXTRA, h.start, node)
    begin_walk(&walk, node, h.content, h.end)
    while next_component(&walk):
        if i < count and walk.component == NULL:
            keys[i] = canonical_key(walk.h.tag)
            i += 1
    count = i
    qsort(keys, count, sizeof(tag_t), by_key)
    for i in range(1, count):
        if keys[i] == keys[i - 1]:
            second = second_of(h, keys[i])
            break
    free(keys)
    if second != NULL:
        return fail(c, FAULT_MEMBER_EXTRA, second, NULL)
    return True


cdef int by_key(const void *a, const void *b) noexcept nogil:
    """Compare two keys, for `qsort`."""
    cdef tag_t first = (<const tag_t *>a)[0]
    cdef tag_t second = (<const tag_t *>b)[0]
    return 1 if first > second else -1 if first < second else 0


cdef const uint8_t *second_of(const Header *h, tag_t key) noexcept nogil:
    """Return the address of the second element whose tag has this key, or NULL."""
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef bint seen = False
    while p < h.end and reread_header(p, h.end, &child) == FAULT_NONE:
        if canonical_key(child.tag) == key:
            if seen:
                return p
            seen = True
        p = child.end
    return NULL


cdef inline tag_t canonical_key(tag_t tag) noexcept nogil:
    """Return a number that orders tags as X.680 8.6 does: by class, then by number."""
    return (tag >> 1 & 3) << 61 | tag >> 3
