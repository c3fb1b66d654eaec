# The places of edits after SETs were sorted. `sort_set` noted in the marks of a SET how far each child moved.

cdef struct OpenSet:                # a sorted SET around an edit
    uint8_t depth                   # tells this SET from an inner one that ends at the same place
    Py_ssize_t end                  # of its contents in the input
    Py_ssize_t moved                # how far its current child moved


cdef void resolve_moves(Conversion *c) noexcept nogil:
    """Update the places of all edits in the output after SETs were sorted."""
    cdef OpenSet[DEPTH_MOST + 1] around
    cdef Edit *edits = edits_of(c)
    cdef Edit *edit
    cdef Py_ssize_t moved = 0
    cdef Py_ssize_t i
    cdef int levels = 0
    for i in range(c.edits.count):
        edit = edits + i
        while levels > 0 and edit.at >= around[levels - 1].end:
            levels -= 1
            moved -= around[levels].moved
        if edit.what == EDIT_MARK and edit.end > 0:
            if levels == 0 or around[levels - 1].depth != edit.form:
                around[levels].depth = edit.form
                around[levels].end = edit.end
                around[levels].moved = 0
                levels += 1
            moved += edit.start - around[levels - 1].moved
            around[levels - 1].moved = edit.start
        edit.out += moved


cdef Py_ssize_t *output_order(const Array *edits, Py_ssize_t consumed, Py_ssize_t *count) noexcept nogil:
    """Return the numbers of the edits that have bytes in the output, in its order; NULL if the memory ran out.

    These are bytes that the edit inserts, or that follow it up to the next edit.
    """
    cdef const Edit *edit
    cdef const Edit *items = <const Edit *>edits.items
    cdef SetChild *order = <SetChild *>realloc(NULL, 2 * <size_t>edits.count * sizeof(SetChild) + 1)
    cdef Py_ssize_t *numbers = <Py_ssize_t *>realloc(NULL, <size_t>edits.count * sizeof(Py_ssize_t) + 1)
    cdef Py_ssize_t i
    cdef Py_ssize_t end
    count[0] = 0
    if order == NULL or numbers == NULL:
        free(order)
        free(numbers)
        return NULL
    for i in range(edits.count):
        edit = items + i
        end = items[i + 1].at if i + 1 < edits.count else consumed
        if edit.insert > 0 or end > edit.at + edit.drop:
            order[count[0]].key = <tag_t>edit.out
            order[count[0]].index = i
            count[0] += 1
    merge_sort(order, order + edits.count, count[0], BY_TAG)
    for i in range(count[0]):
        numbers[i] = order[i].index
    free(order)
    return numbers
