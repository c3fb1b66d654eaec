# Conversion of SET and SET OF: the members of a SET are sorted by tag (X.690 10.3), the elements of a SET OF by
# encoding (11.6).
#
# A mark is an edit that changes nothing, at the start of each child. If the children may be out of order, an edit at
# their end sorts them when the output is written: their final encodings are known only then. When a child moves, its
# mark and the edits up to the next mark move with it (`resolve_moves`). Marks are most of the memory that a hostile SET
# takes; docs/security.md states the bound.
#
# A kept element can have any length octets, or end with end-of-contents octets. X.690 11.6 compares encodings octet by
# octet, so it is compared as it is written.

cdef enum SetOrder:
    BY_TAG
    BY_ENCODING
    BY_EITHER                       # without a type: one of the two must hold

cdef struct SetWalk:                # the children of a SET during the walk
    Py_ssize_t first                # the numbers of the first and last mark, -1 if there is none
    Py_ssize_t last
    Py_ssize_t count                # of children

cdef struct SetChild:               # a child in the output
    const uint8_t *start
    Py_ssize_t length
    tag_t key
    Py_ssize_t mark
    Py_ssize_t index                # its number in the input


cdef inline void begin_set(SetWalk *walk) noexcept nogil:
    walk.first = walk.last = -1
    walk.count = 0


cdef bint mark_child(Conversion *c, SetWalk *walk, const BerElement *child, bint recorded) noexcept nogil:
    """Add the mark of the next child; `recorded` if the child has a step of its own."""
    cdef Edit *edit = add_edit(c, EDIT_MARK, child.h.start)
    if edit == NULL:
        return False
    close_run(c)
    edit.value = -1
    edit.form = <uint8_t>c.check.depth
    edit.step = current_place(c) if recorded else -1
    if walk.first < 0:
        walk.first = c.edits.count - 1
    else:
        edits_of(c)[walk.last].value = c.edits.count - 1
    walk.last = c.edits.count - 1
    walk.count += 1
    return not c.out_of_memory


cdef bint end_set(Conversion *c, SetWalk *walk, BerElement *e, int order) noexcept nogil:
    """Add the edit that sorts the children of `e`, unless they are certainly in order."""
    cdef Edit *edit
    cdef Py_ssize_t mark = walk.first
    # The edits are one mark for each child and nothing else, so the output has the same children.
    if c.edits.count == e.slot + 1 + walk.count and is_ordered(e, order):
        c.edits.count = e.slot + 1
        return True
    if walk.count < 2:
        return True
    edit = add_edit(c, EDIT_SORT, e.h.end)
    if edit == NULL:
        return False
    edit.value = walk.first
    edit.start = e.h.start - c.base
    edit.end = e.h.end - c.base
    edit.header = <uint8_t>(e.h.content - e.h.start)
    edit.form = <uint8_t>order
    edit.step = current_place(c)
    while mark >= 0:
        edits_of(c)[mark].end = edit.end
        mark = edits_of(c)[mark].value
    return not c.out_of_memory


cdef bint is_ordered(const BerElement *e, int order) noexcept nogil:
    """Return whether the children of an element are in order. They are not changed, so they have definite lengths."""
    cdef Header h
    cdef const uint8_t *p = e.h.content
    cdef const uint8_t *before = NULL
    cdef tag_t before_key = 0
    cdef bint by_tag = order != BY_ENCODING
    cdef bint by_encoding = order != BY_TAG
    while p < e.h.end and (by_tag or by_encoding):
        if read_header(p, e.h.end, &h):
            return False
        if before != NULL:
            by_tag = by_tag and before_key < canonical_key(h.tag)
            by_encoding = by_encoding and in_order(before, p, h.end)
        before = p
        before_key = canonical_key(h.tag)
        p = h.end
    return by_tag or by_encoding


cdef bint convert_set(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Convert a SET."""
    cdef BerScope scope
    cdef SetWalk walk
    cdef SetWalk before
    cdef BerElement child
    cdef const Component *component
    cdef const uint8_t *p = e.h.content
    cdef MemberSet seen
    cdef Py_ssize_t growth
    cdef bint recorded
    cdef bint valid
    if not open_element(c, e, node):
        return False
    memset(&seen, 0, sizeof(seen))
    begin_scope(&scope, node, e)
    begin_set(&walk)
    recorded = begin_steps(c, node)
    while next_child(c, e, p, NULL, &child):
        component = find_member(node, &child.h)
        set_step(c, recorded, -1 if component == NULL else component - node.components)
        before = walk
        if not mark_child(c, &walk, &child, recorded):
            return False
        growth = c.growth
        if component == NULL:
            c.mismatch = c.mismatch or not node.extensible
            valid = convert_any(c, &child)
        else:
            # The strict check does not see a DEFAULT that is dropped.
            if unlikely(has_member(&seen, component - node.components)):
                return fail_at(c, FAULT_MEMBER_EXTRA, p, e.limit, component.node)
            add_member(&seen, component - node.components)
            valid = convert_component(c, node, component, &child, &scope)
        if not valid:
            return False
        if growth - c.growth == child.after - child.h.start:
            # A DEFAULT was dropped: its mark is not one of the SET any more.
            edits_of(c)[walk.last].what = EDIT_NOTHING
            if before.last >= 0:
                edits_of(c)[before.last].value = -1
            walk = before
        p = child.after
        set_step(c, recorded, -1)
    if failed(c):
        return False
    end_steps(c, recorded)
    return end_set(c, &walk, e, BY_TAG) and close_element(c, e)


cdef const Component *find_member(const Node *node, const Header *h) noexcept nogil:
    """Return the component of an element of a SET, which can be a string in either form; NULL if there is none."""
    cdef Py_ssize_t i
    cdef const Component *component = match_member(node, octet_at(h.start), h.tag)
    if component == NULL and h.tag & 1:
        for i in range(node.component_count):
            if fits_tag(node.components[i].node, h.tag):
                return &node.components[i]
    return component


cdef bint convert_any_set(Conversion *c, BerElement *e) noexcept nogil:
    """Convert a SET or SET OF without a type."""
    cdef BerElement child
    cdef SetWalk walk
    cdef const uint8_t *p = e.h.content
    cdef bint without_steps = c.without_steps
    if not open_element(c, e, NULL):
        return False
    begin_set(&walk)
    c.without_steps = True
    while next_child(c, e, p, NULL, &child):
        if not mark_child(c, &walk, &child, False) or not convert_any(c, &child):
            return False
        p = child.after
    if failed(c):
        return False
    c.without_steps = without_steps
    return end_set(c, &walk, e, BY_EITHER) and close_element(c, e)


cdef void sort_set(Conversion *c, Edit *edit, uint8_t *base, uint8_t *end) noexcept nogil:
    """Sort the children of a SET in the output, which end at `end`, if they are out of order."""
    cdef Edit *edits = edits_of(c)
    cdef uint8_t *start = base + edits[edit.value].out
    cdef SetChild *children
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t mark = edit.value
    cdef int order
    while mark >= 0:
        count += 1
        mark = edits[mark].value
    edit.fault = FAULT_NONE
    # The children twice, for the merge sort, and their octets.
    children = <SetChild *>realloc(NULL, 2 * <size_t>count * sizeof(SetChild) + <size_t>(end - start))
    if children == NULL:
        c.out_of_memory = True
        return
    read_children(edits, edit.value, children, base, end)
    order = order_to_sort(children, count, edit.form)
    if order >= 0:
        edit.fault = <uint8_t>(FAULT_SET_ORDER if edit.form == BY_TAG else FAULT_SET_OF_ORDER
                               if edit.form == BY_ENCODING else FAULT_ANY_SET_ORDER)
        merge_sort(children, children + count, count, order)
        move_children(c, children, count, order, start, <uint8_t *>(children + 2 * count))
    free(children)


cdef void read_children(
    Edit *edits, Py_ssize_t mark, SetChild *child, const uint8_t *base, const uint8_t *end
) noexcept nogil:
    """Set the children of a SET in the output, from the first mark on. The marks have their places."""
    cdef Header h
    cdef const uint8_t *after
    cdef Py_ssize_t count = 0
    while mark >= 0:
        edits[mark].start = 0
        child.mark = mark
        child.index = count
        child.start = base + edits[mark].out
        mark = edits[mark].value
        after = end if mark < 0 else base + edits[mark].out
        child.length = after - child.start
        # If a shared buffer changed, this may be no element: then all orders are wrong, and the strict check fails.
        h.tag = 0
        read_ber_header(child.start, after, &h)
        child.key = canonical_key(h.tag)
        count += 1
        child += 1


cdef int order_to_sort(const SetChild *children, Py_ssize_t count, int order) noexcept nogil:
    """Return the order in which children must be sorted, -1 if they are in order."""
    cdef Py_ssize_t i
    cdef bint by_tag = order != BY_ENCODING
    cdef bint by_encoding = order != BY_TAG
    for i in range(1, count):
        by_tag = by_tag and children[i - 1].key < children[i].key
        by_encoding = by_encoding and comes_before(&children[i - 1], &children[i], BY_ENCODING)
    if by_tag or by_encoding:
        return -1
    return order


cdef bint comes_before(const SetChild *a, const SetChild *b, int order) noexcept nogil:
    """Return whether `a` may come before `b`."""
    if order == BY_TAG:
        return a.key <= b.key
    return memcmp(a.start, b.start, min(a.length, b.length)) <= 0


cdef void merge_sort(SetChild *children, SetChild *spare, Py_ssize_t count, int order) noexcept nogil:
    """Sort children. A merge sort takes the same time for all inputs; the qsort of some C libraries does not."""
    cdef SetChild *source = children
    cdef SetChild *target = spare
    cdef SetChild *swap
    cdef Py_ssize_t width = 1
    cdef Py_ssize_t start
    if order == BY_EITHER:
        order = BY_TAG
        merge_sort(children, spare, count, BY_TAG)
        for start in range(1, count):
            if children[start - 1].key == children[start].key:
                order = BY_ENCODING
        if order == BY_TAG:
            return
    while width < count:
        start = 0
        while start < count:
            merge(source + start, min(width, count - start), max(0, min(width, count - start - width)),
                  target + start, order)
            start += 2 * width
        swap = source
        source = target
        target = swap
        width *= 2
    if source != children:
        memcpy(children, source, count * sizeof(SetChild))


cdef void merge(const SetChild *runs, Py_ssize_t n, Py_ssize_t m, SetChild *to, int order) noexcept nogil:
    """Merge a sorted run of `n` children and the one of `m` children after it."""
    cdef const SetChild *a = runs
    cdef const SetChild *b = runs + n
    while n > 0 or m > 0:
        if m == 0 or (n > 0 and comes_before(a, b, order)):
            to[0] = a[0]
            a += 1
            n -= 1
        else:
            to[0] = b[0]
            b += 1
            m -= 1
        to += 1


cdef void move_children(
    Conversion *c, const SetChild *children, Py_ssize_t count, int order, uint8_t *start, uint8_t *spare
) noexcept nogil:
    """Write the children in their new order, and note in their marks how far they moved."""
    cdef Place *places = <Place *>c.places.items
    cdef Edit *mark
    cdef uint8_t *out = spare
    cdef Py_ssize_t i
    c.has_sorted_set = True
    for i in range(count):
        mark = edits_of(c) + children[i].mark
        mark.start = (out - spare) - (children[i].start - start)
        # A path leads to the element of the output: its index is the new one.
        if mark.step >= 0 and is_list(places[mark.step].node.kind):
            places[mark.step].index = i
        memcpy(out, children[i].start, children[i].length)
        out += children[i].length
    memcpy(start, spare, out - spare)
