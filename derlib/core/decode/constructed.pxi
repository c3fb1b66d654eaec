# Validation of constructed types: SEQUENCE, SET, CHOICE, explicit tags; lists are in core/decode/list.pxi.

cdef bint check_sequence(Check *c, const Node *node, const Header *h, const Scope *around) noexcept nogil:
    """Validate a SEQUENCE (X.690 8.9): components in the order of their definition; some may be absent."""
    cdef Scope scope
    cdef Header child
    cdef const Component *field = node.components
    cdef const Component *last = node.components + node.component_count
    cdef const Component *first         # the first that the element can be
    cdef const uint8_t *p = h.content
    cdef int length
    cdef int fault
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if p == h.end and node.may_be_empty:
        c.depth += 1
        return True
    scope.node = node
    scope.content = h.content
    scope.end = h.end
    while p < h.end:
        # Most elements are of the next field.
        if field < last and field.default == NULL:
            length = short_length(p, h.end, field.identifier)
            if length >= 0:
                if not passes_fast_check(c, field.node, p + 2, length):
                    set_short_header(&child, field.node.tag, p, length)
                    if unlikely(not check_value(c, field.node, &child, &scope)):
                        return fail_in(c, node, field - node.components)
                p += 2 + length
                field += 1
                continue
        fault = read_header(p, h.end, &child)
        if unlikely(fault) and not tolerates_header(c, fault, &child):
            if field == last:
                return fail_header(c, fault, &child, h.end, NULL)
            fail_header(c, fault, &child, h.end, field.node)
            return fail_in(c, node, field - node.components)
        first = field
        if unlikely(not match_component(&field, last, octet_at(p), child.tag)):
            if not node.extensible \
                    or not is_addition(node, first - node.components, field - node.components, child.tag):
                return fail_match(c, node, first - node.components, field - node.components, &child)
            if not check_any_inline(c, &child):
                return False
            p = child.end
            field = node.components + node.insertion
            continue
        if unlikely(not check_value(c, field.node, &child, &scope)):
            return fail_in(c, node, field - node.components)
        if field.default != NULL:
            if (is_default(field, &child) or (unlikely(c.breaches != 0) and same_default(field, &child))) \
                    and not tolerates(c, FAULT_DEFAULT_ENCODED, p, field.node, child.content, 0):
                fail(c, FAULT_DEFAULT_ENCODED, p, field.node)
                return fail_in(c, node, field - node.components)
            close_recorder(c)
        p = child.end
        field += 1
    last = node.components + node.needed
    while unlikely(field < last):
        if not field.optional:
            fail_before(c, FAULT_COMPONENT_MISSING, h.end, h.end, field.node)
            return fail_in(c, node, field - node.components)
        field += 1
    if unlikely(node.one_of) and not has_one_of(node, h):
        return fail(c, FAULT_REFERENCE_MISSING, h.start, node)
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint has_one_of(const Node *node, const Header *h) noexcept nogil:
    """Return whether an otherwise valid SEQUENCE has one of the components of which it must have one."""
    cdef Header child
    cdef Py_ssize_t i
    if h.content < h.end and reread_header(h.content, h.end, &child) == FAULT_NONE:
        for i in range(node.one_of):
            if accepts(node.components[i].node, child.tag):
                return True
    return False


cdef inline void close_recorder(Check *c) noexcept nogil:
    """Prevent a template of the current element: its validity depends on more than the recorded contents."""
    if c.recorder != NULL:
        c.recorder.closed = True


cdef inline bint is_default(const Component *field, const Header *h) noexcept nogil:
    # X.690 11.5: a component with its default value is not encoded. DER has one encoding for each value, so comparing
    # encodings is enough. The last octet usually differs, which avoids the call.
    cdef Py_ssize_t n = field.default_length
    return h.end - h.start == n and octet_at(h.end - 1) == field.default[n - 1] \
        and memcmp(h.start, field.default, n) == 0


cdef bint fail_form(Check *c, const Node *node, Py_ssize_t first, const Header *h) noexcept nogil:
    """Set the fault of an element that would be a component from `first` on in the other form; True if it is none."""
    cdef Py_ssize_t i
    for i in range(first, node.component_count):
        if has_other_form(node, i, i + 1, h.tag):
            fail_tag(c, node.components[i].node, h, FAULT_UNEXPECTED_TAG)
            return fail_in(c, node, i)
    return True


cdef bint fail_match(
    Check *c, const Node *node, Py_ssize_t first, Py_ssize_t stop, const Header *h
) noexcept nogil:
    """Set the fault of an element that is none of the components of a SEQUENCE from `first` to `stop`."""
    if not fail_form(c, node, first, h):
        return False
    if stop == node.component_count:
        return fail(c, FAULT_COMPONENT_EXTRA, h.start, NULL)
    fail_tag(c, node.components[stop].node, h, FAULT_UNEXPECTED_TAG)
    return fail_in(c, node, stop)


cdef bint check_set(Check *c, const Node *node, const Header *h, const Scope *around) noexcept nogil:
    """Validate a SET (X.690 8.11, 10.3): each member at most once, in the order of their tags."""
    cdef Scope scope
    cdef Header child
    cdef const Component *field
    cdef const uint8_t *p = h.content
    cdef tag_t before = 0
    cdef tag_t key
    cdef uint64_t seen = 0          # the schema language allows 64 members
    cdef Py_ssize_t additions = 0   # unknown ones
    cdef bint ordered = True        # False after a breach of order was tolerated
    cdef Py_ssize_t i
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if p == h.end and node.may_be_empty:
        c.depth += 1
        return True
    scope.node = node
    scope.content = h.content
    scope.end = h.end
    while p < h.end:
        if not check_header(c, NULL, p, h.end, &child):
            return False
        field = match_member(node, octet_at(p), child.tag)
        if unlikely(field == NULL):
            if not node.extensible or has_other_form(node, 0, node.component_count, child.tag):
                return fail_form(c, node, 0, &child) and fail(c, FAULT_MEMBER_EXTRA, p, NULL)
        # X.680 8.6: by class, then by number; the form does not matter. Equal keys are two members with one tag.
        key = canonical_key(child.tag)
        if p != h.content and key <= before:
            fault = FAULT_MEMBER_EXTRA if key == before else FAULT_SET_ORDER
            if not tolerates(c, fault, p, NULL, child.content, 0):
                if field == NULL:
                    return fail(c, fault, p, NULL)
                fail(c, fault, p, field.node)
                return fail_in(c, node, field - node.components)
            ordered = False
        before = key
        if unlikely(field == NULL):
            if not check_any(c, &child):
                return False
            additions += 1
            p = child.end
            continue
        i = field - node.components
        # Only a CHOICE, or a member that is out of order, can appear twice without an equal tag before it.
        if seen >> i & 1:
            return fail(c, FAULT_MEMBER_EXTRA, p, field.node)
        seen |= <uint64_t>1 << i
        if not check_value(c, field.node, &child, &scope):
            return fail_in(c, node, i)
        if field.default != NULL:
            if (is_default(field, &child) or (unlikely(c.breaches != 0) and same_default(field, &child))) \
                    and not tolerates(c, FAULT_DEFAULT_ENCODED, p, field.node, child.content, 0):
                fail(c, FAULT_DEFAULT_ENCODED, p, field.node)
                return fail_in(c, node, i)
            close_recorder(c)
        p = child.end
    for i in range(node.needed):
        if not node.components[i].optional and not seen >> i & 1:
            fail_before(c, FAULT_MEMBER_MISSING, h.end, h.end, node.components[i].node)
            return fail_in(c, node, i)
    if unlikely(not ordered and additions > 1) and not check_additions(c, node, h, additions):
        return False
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_additions(Check *c, const Node *node, const Header *h, Py_ssize_t count) noexcept nogil:
    """Check that unknown additions of a SET that is out of order have different tags (X.680 27.3)."""
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


cdef bint check_choice(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a CHOICE (X.690 8.13): its encoding is that of the chosen alternative."""
    cdef const Node *chosen = node
    cdef Py_ssize_t index
    # One call for a CHOICE inside a CHOICE, unless a constraint has to be checked afterwards.
    while True:
        index = find_alternative(chosen, h.tag)
        if unlikely(index < 0):
            return check_unknown(c, node, chosen, h)
        chosen = chosen.components[index].node
        if not is_choice(chosen.kind) or chosen.constraints != NULL:
            break
    if unlikely(not check_quickly(c, chosen, h, scope)):
        return fail_choice(c, node, chosen, h)
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_unknown(Check *c, const Node *node, const Node *chosen, const Header *h) noexcept nogil:
    """Validate an element whose tag is unknown to `chosen`, which is the CHOICE `node` or one inside it."""
    if chosen.extensible and find_alternative(chosen, h.tag) == -1 and find_alternative(chosen, h.tag ^ 1) == -1:
        if not check_any_inline(c, h):
            return fail_choice(c, node, chosen, h)
        return check_constraints(c, node, h) if node.constraints != NULL else True
    fail_tag(c, chosen, h, FAULT_UNEXPECTED_TAG)
    return fail_choice(c, node, chosen, h)


cdef bint fail_choice(Check *c, const Node *node, const Node *chosen, const Header *h) noexcept nogil:
    """Add the path steps from a CHOICE to the alternative with the fault, innermost first."""
    cdef Py_ssize_t index
    if node == chosen:
        return False
    # It exists, because `check_choice` reached `chosen` through it.
    index = find_alternative(node, h.tag)
    fail_choice(c, node.components[index].node, chosen, h)
    return False if node.kind == KIND_UNION else fail_in(c, node, index)


cdef bint check_explicit(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate an explicit tag (X.690 8.14.2): the contents are exactly one encoding."""
    cdef Header child
    if h.content == h.end:
        return fail_before(c, FAULT_EXPLICIT_EMPTY, h.end, h.end, node)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if not check_element(c, node.element, h.content, h.end, scope, &child):
        return False
    if child.end != h.end:
        return fail_before(c, FAULT_EXPLICIT_EXTRA, child.end, h.end, node)
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_untyped(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a value of type ANY."""
    return check_any(c, h)


cdef void fill_checks() noexcept:
    cdef int kind
    for kind in range(KIND_SEQUENCE):
        CHECKS[kind] = check_primitive
    CHECKS[<int>KIND_INTEGER] = CHECKS[<int>KIND_NAMED_INTEGER] = check_integer
    CHECKS[<int>KIND_ENUMERATED] = check_enumerated
    CHECKS[<int>KIND_UTC_TIME] = check_utc_time
    CHECKS[<int>KIND_OBJECT_IDENTIFIER] = check_oid
    CHECKS[<int>KIND_NAMED_BITS] = check_named_bits
    CHECKS[<int>KIND_SEQUENCE] = check_sequence
    CHECKS[<int>KIND_SET] = check_set
    CHECKS[<int>KIND_SEQUENCE_OF] = CHECKS[<int>KIND_SET_OF] = check_list
    CHECKS[<int>KIND_CHOICE] = CHECKS[<int>KIND_UNION] = check_choice
    CHECKS[<int>KIND_EXPLICIT] = check_explicit
    CHECKS[<int>KIND_ANY] = check_untyped
    CHECKS[<int>KIND_OPEN] = CHECKS[<int>KIND_OPEN_OCTETS] = CHECKS[<int>KIND_OPEN_BITS] = check_open

fill_checks()
