# The check of constructed types: SEQUENCE, SET, lists, CHOICE, explicit tags. Called by `check_value`.

cdef bint check_sequence(Check *c, const Node *node, const Header *h) noexcept nogil:
    """X.690 8.9: the components in the order of their definition, those that are OPTIONAL or DEFAULT at will."""
    cdef Scope scope
    cdef Header child
    cdef const Field *field = node.fields
    cdef const Field *last = node.fields + node.count
    cdef const Field *first         # the first that the element may be
    cdef const uint8_t *p = h.content
    cdef int length
    cdef int fault
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    scope.node = node
    scope.content = h.content
    scope.end = h.end
    while p < h.end:
        # Most elements are of the next field.
        if field < last and field.default == NULL:
            length = short_length(p, h.end, field.identifier)
            if length >= 0 and plainly_right(c, field.node, p + 2, length):
                p += 2 + length
                field += 1
                continue
        fault = read_header(p, h.end, &child)
        if unlikely(fault) and not tolerates_header(c, fault, &child):
            if field == last:
                return fail(c, fault, p, NULL)
            fail(c, fault, p, field.node)
            return fail_in(c, node, field - node.fields)
        first = field
        while True:
            if unlikely(field == last):
                if node.extensible and is_addition(node, first - node.fields, node.count, child.tag):
                    break
                return fail_component(c, node, first - node.fields, &child, FAULT_COMPONENT_EXTRA)
            if accepts(field.node, child.tag):
                break
            if unlikely(not field.optional):
                if node.extensible and is_addition(node, first - node.fields, field - node.fields, child.tag):
                    field = last
                    break
                fail_component(c, node, first - node.fields, &child, FAULT_NONE)
                if c.fault == FAULT_NONE:
                    fail_tag(c, field.node, &child, FAULT_UNEXPECTED_TAG)
                    fail_in(c, node, field - node.fields)
                return False
            field += 1
        if unlikely(field == last):
            if not check_any(c, &child):
                return False
            p = child.end
            field = node.fields + node.insertion
            continue
        if unlikely(not check_value(c, field.node, &child, &scope)):
            return fail_in(c, node, field - node.fields)
        if field.default != NULL:
            if is_default(field, &child) \
                    and not tolerates(c, FAULT_DEFAULT_ENCODED, p, field.node, child.content, 0):
                fail(c, FAULT_DEFAULT_ENCODED, p, field.node)
                return fail_in(c, node, field - node.fields)
            close_recorder(c)
        p = child.end
        field += 1
    while field < last:
        if unlikely(not field.optional):
            fail(c, FAULT_COMPONENT_MISSING, h.end, field.node)
            return fail_in(c, node, field - node.fields)
        field += 1
    if unlikely(node.one_of) and not has_one_of(node, h):
        return fail(c, FAULT_REFERENCE_MISSING, h.start, node)
    c.depth += 1
    return check_rules(c, node, h) if unlikely(node.rules != NULL) else True


cdef bint has_one_of(const Node *node, const Header *h) noexcept nogil:
    """Whether a SEQUENCE, which was proved but for this, has one of the components of which it needs one."""
    cdef Header child
    cdef Py_ssize_t i
    if h.content < h.end and read_header(h.content, h.end, &child) == FAULT_NONE:
        for i in range(node.one_of):
            if accepts(node.fields[i].node, child.tag):
                return True
    return False


cdef inline void close_recorder(Check *c) noexcept nogil:
    """What was judged depends on more than the contents that were noted: the element leaves no shape."""
    if c.recorder != NULL:
        c.recorder.closed = True


cdef inline bint is_default(const Field *field, const Header *h) noexcept nogil:
    # X.690 11.5: a component equal to its default is not encoded. DER has one encoding a value, so octets tell.
    return h.end - h.start == field.default_length and memcmp(h.start, field.default, field.default_length) == 0


cdef bint fail_component(Check *c, const Node *node, Py_ssize_t first, const Header *h, int fault) noexcept nogil:
    """Say of an element that is no component from `first` on whether it would be one in the other form.

    That is the primitive form in place of the constructed one, or the other way round.
    """
    cdef Py_ssize_t i
    for i in range(first, node.count):
        if node.fields[i].node.tag ^ h.tag == 1:
            fail_tag(c, node.fields[i].node, h, FAULT_UNEXPECTED_TAG)
            return fail_in(c, node, i)
    if fault:
        fail(c, fault, h.start, NULL)
    return False


cdef bint check_set(Check *c, const Node *node, const Header *h) noexcept nogil:
    """X.690 8.11, 10.3: each member at most once, in the order of the tags that stand there."""
    cdef Scope scope
    cdef Header child
    cdef const Field *field
    cdef const uint8_t *p = h.content
    cdef tag_t before = 0
    cdef tag_t key
    cdef uint64_t seen = 0          # the schema language allows 64 members
    cdef Py_ssize_t i
    cdef int fault
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    scope.node = node
    scope.content = h.content
    scope.end = h.end
    while p < h.end:
        fault = read_header(p, h.end, &child)
        if unlikely(fault) and not tolerates_header(c, fault, &child):
            return fail(c, fault, p, NULL)
        field = NULL
        for i in range(node.count):
            if accepts(node.fields[i].node, child.tag):
                field = &node.fields[i]
                break
        if unlikely(field == NULL):
            if not node.extensible or has_other_form(node, 0, node.count, child.tag):
                return fail_component(c, node, 0, &child, FAULT_MEMBER_EXTRA)
        # X.680 8.6: by class, then by number; the form does not count. Equal keys are two members of one tag.
        key = canonical_key(child.tag)
        if p != h.content and key <= before:
            fault = FAULT_MEMBER_EXTRA if key == before else FAULT_SET_ORDER
            if not tolerates(c, fault, p, NULL, child.content, 0):
                if field == NULL:
                    return fail(c, fault, p, NULL)
                fail(c, fault, p, field.node)
                return fail_in(c, node, field - node.fields)
        before = key
        if unlikely(field == NULL):
            if not check_any(c, &child):
                return False
            p = child.end
            continue
        i = field - node.fields
        # Only a CHOICE can fit twice without its tag being met again, or a member that is out of order.
        if seen >> i & 1:
            return fail(c, FAULT_MEMBER_EXTRA, p, field.node)
        seen |= <uint64_t>1 << i
        if not check_value(c, field.node, &child, &scope):
            return fail_in(c, node, i)
        if field.default != NULL:
            if is_default(field, &child) \
                    and not tolerates(c, FAULT_DEFAULT_ENCODED, p, field.node, child.content, 0):
                fail(c, FAULT_DEFAULT_ENCODED, p, field.node)
                return fail_in(c, node, i)
            close_recorder(c)
        p = child.end
    for i in range(node.count):
        if not node.fields[i].optional and not seen >> i & 1:
            fail(c, FAULT_MEMBER_MISSING, h.end, node.fields[i].node)
            return fail_in(c, node, i)
    c.depth += 1
    return check_rules(c, node, h) if unlikely(node.rules != NULL) else True


cdef inline tag_t canonical_key(tag_t tag) noexcept nogil:
    """A number that orders tags as X.680 8.6 does: universal, application, context, private, then by number."""
    return (tag >> 1 & 3) << 61 | tag >> 3


cdef bint check_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """X.690 8.10, 8.12: elements of one type; of a SET OF in the order of their encodings."""
    cdef const Node *element = node.element
    cdef bint ordered = node.kind == KIND_SET_OF
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef const uint8_t *before = NULL
    cdef Py_ssize_t count = 0
    cdef const OpenEntry *entry = NULL
    # Of elements that stand one behind the other as they are.
    cdef uint8_t identifier = 0 if ordered or element.kind >= KIND_SEQUENCE else identifier_octet(element.tag)
    cdef int length
    cdef bint proved
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if element.kind == KIND_OPEN:
        entry = selected_again(c, element, scope)
    if ordered:
        close_recorder(c)
    elif c.recorder == NULL and element.kind == KIND_SEQUENCE:
        return check_long_list(c, node, h, scope)
    while p < h.end:
        if unlikely(count >= c.elements):
            fail(c, FAULT_ELEMENT_LIMIT, p, element)
            return fail_in(c, node, count)
        length = short_length(p, h.end, identifier) if identifier else -1
        if length >= 0:
            if not plainly_right(c, element, p + 2, length) and not check_short(c, element, p, length):
                return fail_in(c, node, count)
            count += 1
            p += 2 + length
            continue
        # An element without a tag of its own is a CHOICE, an open type or ANY, which look at the tag themselves.
        if read_header(p, h.end, &child) == FAULT_NONE and (element.tag == child.tag or element.tag == NO_TAG):
            if element.kind == KIND_OPEN and stays_opaque(c, entry, child.tag):
                # `check_any`, without the call.
                proved = check_any_itself(c, &child) and (not child.tag & 1 or check_any_inside(c, &child))
            elif element.kind == KIND_OPEN:
                proved = check_entry(c, element, entry, &child)
            else:
                proved = check_chosen(c, element, &child, scope)
        else:
            proved = check_element(c, element, p, h.end, scope, &child)
        if unlikely(not proved):
            return fail_in(c, node, count)
        if ordered:
            if before != NULL and not in_order(before, p, child.end) \
                    and not tolerates(c, FAULT_SET_OF_ORDER, p, element, child.content, 0):
                fail(c, FAULT_SET_OF_ORDER, p, element)
                return fail_in(c, node, count)
            before = p
        count += 1
        p = child.end
    return check_count(c, node, h, count)


cdef inline bint check_count(Check *c, const Node *node, const Header *h, Py_ssize_t count) noexcept nogil:
    """The end of every list: its SIZE, and what it takes off the limit of elements."""
    if unlikely(node.sized and size_check(node, count)) \
            and not tolerates(c, FAULT_SIZE, h.start, node, h.content, h.end - h.content):
        return fail(c, FAULT_SIZE, h.start, node)
    c.elements -= count
    if unlikely(c.elements < 0):
        return fail(c, FAULT_ELEMENT_LIMIT, h.start, node)
    c.depth += 1
    return check_rules(c, node, h) if unlikely(node.rules != NULL) else True


cdef bint check_long_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """A SEQUENCE OF SEQUENCE as `check_list` proves it, with a fast path for repeated elements (core/repeat.pxi)."""
    cdef Shape[SHAPES] shapes
    cdef Recorder recorder
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef const uint8_t *after
    cdef Py_ssize_t elements
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t i
    cdef bint recording
    while p < h.end:
        if unlikely(count >= c.elements):
            fail(c, FAULT_ELEMENT_LIMIT, p, node.element)
            return fail_in(c, node, count)
        recording = False
        if count >= SHAPE_AFTER:
            if count == SHAPE_AFTER:
                for i in range(SHAPES):
                    shapes[i].length = 0
            after = repeat(shapes, p, h.end, &c.elements)
            if after != NULL:
                count += 1
                p = after
                continue
            # An element that is too long for a shape is not recorded.
            recording = h.end - p >= 2 and octet_at(p + 1) <= SHAPE_OCTETS - 2
        if recording:
            recorder.start = p
            recorder.closed = False
            recorder.count = 0
            c.recorder = &recorder
        elements = c.elements
        if unlikely(not check_element(c, node.element, p, h.end, scope, &child)):
            c.recorder = NULL
            return fail_in(c, node, count)
        if recording:
            keep_shape(shapes, &recorder, child.end, elements - c.elements)
            c.recorder = NULL
        count += 1
        p = child.end
    return check_count(c, node, h, count)


cdef inline bint in_order(const uint8_t *a, const uint8_t *b, const uint8_t *b_end) noexcept nogil:
    """Whether the encoding from `a` to `b` may stand before the one from `b` to `b_end`.

    X.690 11.6 compares octet by octet, the shorter one padded with zeros. No encoding is a proper prefix of another
    (its length octets would differ), so the shorter length decides nothing and equal elements are in order.
    """
    cdef Py_ssize_t n = min(b - a, b_end - b)
    if a[0] != b[0]:
        return a[0] < b[0]
    # An element has two octets at least; one of two is empty, and a list may be full of them.
    return a[1] <= b[1] if n == 2 else memcmp(a, b, n) <= 0


cdef bint check_choice(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """X.690 8.13: the encoding is that of the chosen alternative."""
    cdef Py_ssize_t index = find_alternative(node, h.tag)
    if unlikely(index < 0):
        if node.extensible and find_alternative(node, h.tag ^ 1) < 0:
            return check_any(c, h) and (node.rules == NULL or check_rules(c, node, h))
        return fail_tag(c, node, h, FAULT_ALTERNATIVE)
    if unlikely(not check_chosen(c, node.fields[index].node, h, scope)):
        return False if node.kind == KIND_UNION else fail_in(c, node, index)
    return check_rules(c, node, h) if unlikely(node.rules != NULL) else True


cdef bint check_explicit(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """X.690 8.14.2: the contents are one complete encoding, no less and no more."""
    cdef Header child
    if h.content == h.end:
        return fail(c, FAULT_EXPLICIT_EMPTY, h.end, node)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if not check_element(c, node.element, h.content, h.end, scope, &child):
        return False
    if child.end != h.end:
        return fail(c, FAULT_EXPLICIT_EXTRA, child.end, node)
    c.depth += 1
    return check_rules(c, node, h) if unlikely(node.rules != NULL) else True
