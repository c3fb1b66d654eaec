# Adding edits to a conversion, and the paths of changes.

cdef inline Edit *edits_of(const Conversion *c) noexcept nogil:
    return <Edit *>c.edits.items


cdef Edit *add_edit(Conversion *c, int what, const uint8_t *at) noexcept nogil:
    """Return a new edit at an address of the input, which changes nothing yet; NULL if there is no memory."""
    cdef Edit *edit = <Edit *>add_items(&c.edits, 1, sizeof(Edit))
    if edit == NULL:
        c.out_of_memory = True
        return NULL
    memset(edit, 0, sizeof(Edit))
    edit.what = <uint8_t>what
    edit.at = at - c.base
    edit.step = -1
    return edit


cdef bint drop_octets(Conversion *c, const uint8_t *at, Py_ssize_t n) noexcept nogil:
    """Drop `n` bytes of the input."""
    cdef Edit *edit
    if c.edits.count > 0:
        # Ends of elements often follow one another.
        edit = edits_of(c) + c.edits.count - 1
        if edit.what == EDIT_DROP and edit.fault == FAULT_NONE and edit.at + edit.drop == at - c.base:
            edit.drop += n
            c.growth -= n
            return True
    edit = add_edit(c, EDIT_DROP, at)
    if edit == NULL:
        return False
    edit.drop = n
    c.growth -= n
    return True


cdef uint8_t *add_literal(Conversion *c, const BerElement *e, int fault, const uint8_t *at, Py_ssize_t drop,
                          Py_ssize_t insert) noexcept nogil:
    """Replace `drop` bytes of the input by `insert` others; return their address, NULL if there is no memory.

    If there is a fault, the edit is a change of the element `e`, whose end must be known.
    """
    cdef Edit *edit = add_edit(c, EDIT_LITERAL, at)
    cdef uint8_t *literal
    if edit == NULL:
        return NULL
    edit.value = c.literals.count
    literal = <uint8_t *>add_items(&c.literals, insert, 1)
    if literal == NULL:
        c.out_of_memory = True
        return NULL
    edit.drop = drop
    edit.insert = insert
    c.growth += insert - drop
    if fault:
        note_change(c, edit, e, fault)
    return literal


cdef void note_change(Conversion *c, Edit *edit, const BerElement *e, int fault) noexcept nogil:
    """Make an edit a change of the element `e`."""
    edit.fault = <uint8_t>fault
    edit.start = e.h.start - c.base
    edit.end = (e.h.end if e.h.end != NULL else e.h.content) - c.base
    edit.header = <uint8_t>(e.h.content - e.h.start)
    edit.step = current_place(c)


cdef int32_t current_place(Conversion *c) noexcept nogil:
    """Return the number of the last step of the path to the current element, -1 if the path is empty.

    A step is stored at the first change inside it, so elements without changes cost nothing.
    """
    cdef int32_t parent = -1
    cdef int level = c.level - 1
    cdef Place *place
    cdef TrailStep *step
    while level >= 0 and (c.trail[level].index < 0 or c.trail[level].place < 0):
        level -= 1
    if level >= 0:
        parent = c.trail[level].place
    for level in range(level + 1, c.level):
        step = &c.trail[level]
        if step.index < 0:
            continue
        place = <Place *>add_items(&c.places, 1, sizeof(Place))
        if place == NULL or c.places.count > 0x7FFFFFFF:
            c.out_of_memory = True
            return -1
        place.node = step.node
        place.index = step.index
        place.parent = parent
        parent = step.place = <int32_t>(c.places.count - 1)
    return parent
