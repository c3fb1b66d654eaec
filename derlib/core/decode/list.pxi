# Validation of lists: SEQUENCE OF and SET OF (X.690 8.10, 8.12).
#
# Most elements of large inputs are in lists, so there are three loops, each without what its elements do not need:
#
#   check_long_list: a SEQUENCE OF SEQUENCE, which can use element templates (list_templates.pxi)
#   check_open_list: a list of open types, which share one selector
#   check_every_list: all other lists, and lists inside an element that may become a template

cdef bint check_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a list: elements of one type; in a SET OF, ordered by their encodings."""
    cdef int loop = EVERY_LIST
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if h.content == h.end:
        return check_count(c, node, h, 0)
    if unlikely(c.checked != NULL) and was_checked(c, node, h):
        return True
    if node.kind == KIND_SET_OF:
        close_recorder(c)
    elif c.recorder == NULL and node.element.kind == KIND_SEQUENCE:
        loop = LONG_LIST
    if node.element.kind == KIND_OPEN:
        loop = OPEN_LIST
    return LOOPS[loop](c, node, h, scope)


cdef bint was_checked(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Return whether the elements of a list were checked before, and are within the limits that are left."""
    cdef const CheckedList *list = c.checked
    if list.node != node or list.content != h.content or list.end != h.end or c.recorder != NULL or c.tolerated \
            or c.in_opaque_entry or c.in_tried_type or c.depth < list.levels or c.elements < list.elements:
        return False
    c.elements -= list.elements
    c.lowest = min(c.lowest, c.depth - list.levels)
    c.depth += 1
    return True


cdef bint check_part(Check *c, const Node *node, const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Validate some elements of a SEQUENCE OF SEQUENCE without constraints, but not their number.

    The path of a fault is not valid.
    """
    cdef Node part = node[0]
    cdef Header h
    part.sized = False
    h.start = h.content = p
    h.end = end
    h.tag = node.tag
    return check_long_list(c, &part, &h, NULL)


cdef enum:
    EVERY_LIST = 0
    LONG_LIST
    OPEN_LIST

# The loops. A table keeps gcc from inlining them into `check_list`, where an empty list would need the stack space of
# the largest one.
cdef check_t[OPEN_LIST + 1] LOOPS


cdef bint check_every_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate any list."""
    cdef const Node *element = node.element
    cdef uint8_t identifier = identifier_octet(element.tag)
    cdef bint ordered = node.kind == KIND_SET_OF
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef const uint8_t *before = p
    cdef Py_ssize_t count = 0
    cdef int length
    cdef bint valid
    while p < h.end:
        if unlikely(count >= c.elements):
            return fail_element_limit(c, node, p, count)
        length = short_length(p, h.end, identifier)
        if length >= 0:
            set_short_header(&child, element.tag, p, length)
            valid = check_quickly(c, element, &child, scope)
        else:
            valid = check_header(c, element, p, h.end, &child) and check_tagged_quickly(c, element, &child, scope)
        if unlikely(not valid and not is_excused(c, p)) \
                or (ordered and not keeps_order(c, element, before, p, child.end)):
            return fail_in(c, node, count)
        before = p
        count += 1
        p = child.end
    return check_count(c, node, h, count)


cdef bint fail_element_limit(Check *c, const Node *node, const uint8_t *p, Py_ssize_t index) noexcept nogil:
    """Set the fault of the first element beyond the limit on elements."""
    fail(c, FAULT_ELEMENT_LIMIT, p, node.element)
    return fail_in(c, node, index)


cdef inline bint check_count(Check *c, const Node *node, const Header *h, Py_ssize_t count) noexcept nogil:
    """Finish the check of a list with `count` elements: its SIZE, the limit on elements, and its constraints."""
    if unlikely(node.sized and size_fault(node, count)) \
            and not tolerates(c, FAULT_SIZE, h.start, node, h.content, h.end - h.content):
        return fail(c, FAULT_SIZE, h.start, node)
    c.elements -= count
    if unlikely(c.elements < 0):
        return fail(c, FAULT_ELEMENT_LIMIT, h.start, node)
    c.depth += 1
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_long_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a SEQUENCE OF SEQUENCE: an element that matches a template is valid, any other is checked and recorded.

    The state has memory for the templates of one list, so that nested lists need little stack. A list inside an element
    can take it over; then the outer list records its templates again. This costs little, because the inner list has
    more elements than there are templates.

    If too few elements match (`gives_up`), the list uses no templates until it is twice as long.
    """
    cdef Templates *templates = NULL        # those of this list, NULL while it uses none
    cdef TemplateRecorder recorder
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t elements
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t left
    cdef Py_ssize_t since = TEMPLATE_AFTER  # templates are used from this element on
    cdef Py_ssize_t misses = 0              # elements from there on that matched none
    cdef uint8_t identifier = identifier_octet(node.element.tag)
    cdef int length
    cdef bint recording
    cdef bint valid
    while p < h.end:
        if templates != NULL:
            left = c.elements - count
            count += SKIP_MATCHES(templates, &p, h.end, &left)
            c.elements = left + count
            if p == h.end:
                break
        if unlikely(count >= c.elements):
            return fail_element_limit(c, node, p, count)
        recording = False
        if count >= since:
            if gives_up(misses, count - since - misses):
                templates = NULL
                since = 2 * count
                misses = 0
            else:
                templates = claim_templates(&c.templates, h.content)
                misses += 1
                # An element that is too long for a template, or too close to the end of the list, is not recorded.
                recording = h.end - p >= TEMPLATE_SIZE and octet_at(p + 1) <= TEMPLATE_SIZE - 2
        if recording:
            begin_recording(&recorder, p)
            c.recorder = &recorder
        elements = c.elements
        length = short_length(p, h.end, identifier)
        if length >= 0:
            set_short_header(&child, node.element.tag, p, length)
            valid = check_value(c, node.element, &child, scope)
        else:
            valid = check_element(c, node.element, p, h.end, scope, &child)
        if unlikely(not valid):
            if not is_excused(c, p):
                c.recorder = NULL
                return fail_in(c, node, count)
            recording = False
        if c.templates.contents != h.content:
            # A list inside the element has taken over the memory.
            templates = NULL
        elif recording:
            store_template(templates, &recorder, child.end, elements - c.elements)
        c.recorder = NULL
        count += 1
        p = child.end
    return check_count(c, node, h, count)


cdef bint check_open_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate a list of open types as `check_entry` does; one selector chooses the type of all elements."""
    cdef const Node *element = node.element
    cdef const OpenEntry *entry = selected_cached(c, element, scope)
    # Whether an element is validated as an opaque value first, whether its type is tried if that fails, and the
    # deviations that are tolerated in the opaque value.
    cdef bint opaque = entry == NULL or entry.opaque_on_mismatch
    cdef bint may_mismatch = not remains_opaque(c, entry) and entry.opaque_on_mismatch
    cdef uint64_t tolerated = c.tolerated
    cdef uint64_t tolerated_in_opaque = 0 if may_mismatch else tolerated
    # Whether an element with another tag is a tolerated mismatch.
    cdef bint allows_mismatch = not opaque and c.tolerated & OPEN_TYPE and not c.in_tried_type
    cdef bint ordered = node.kind == KIND_SET_OF
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef const uint8_t *before = p
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t elements
    cdef int depth = c.depth
    cdef int fault
    cdef bint valid
    while p < h.end:
        if unlikely(count >= c.elements):
            return fail_element_limit(c, node, p, count)
        # This is `check_header`, written out: with a call, gcc's code for mismatches takes 25 % more instructions.
        fault = read_header(p, h.end, &child)
        if unlikely(fault) and not tolerates_header(c, fault, &child):
            fail_header(c, fault, &child, h.end, element)
            return fail_in(c, node, count)
        if opaque:
            elements = c.elements
            c.tolerated = tolerated_in_opaque
            valid = check_any_inline(c, &child)
            c.tolerated = tolerated
            if unlikely(not valid) and may_mismatch:
                valid = check_opaque_by_type(c, element, entry, &child, depth, elements)
        elif allows_mismatch and not accepts(entry.node, child.tag):
            valid = note_tag_mismatch(c, element, entry, &child) and check_any_inline(c, &child)
        else:
            valid = check_entry(c, element, entry, &child)
        if unlikely(not valid and not is_excused(c, p)) \
                or (ordered and not keeps_order(c, element, before, p, child.end)):
            return fail_in(c, node, count)
        before = p
        count += 1
        p = child.end
    return check_count(c, node, h, count)


cdef inline bint keeps_order(
    Check *c, const Node *element, const uint8_t *before, const uint8_t *p, const uint8_t *end
) noexcept nogil:
    """Check that the element from `p` to `end` may follow the one at `before`, which for the first is itself."""
    if in_order(before, p, end) or tolerates(c, FAULT_SET_OF_ORDER, p, element, p, 0):
        return True
    return fail(c, FAULT_SET_OF_ORDER, p, element)


cdef inline bint in_order(const uint8_t *a, const uint8_t *b, const uint8_t *b_end) noexcept nogil:
    """Return whether the encoding from `a` to `b` may come before the one from `b` to `b_end`.

    X.690 11.6 compares octets, with the shorter encoding padded with zeros. The padding never matters: no encoding is a
    proper prefix of another, because their length octets differ. Equal elements are in order.
    """
    if a[0] != b[0]:
        return a[0] < b[0]
    # An empty element comes first; a list can consist of them, so avoid the call.
    return b - a == 2 or memcmp(a, b, min(b - a, b_end - b)) <= 0


LOOPS[<int>EVERY_LIST] = check_every_list
LOOPS[<int>LONG_LIST] = check_long_list
LOOPS[<int>OPEN_LIST] = check_open_list
