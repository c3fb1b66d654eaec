# Edits: the record of a conversion. The walk writes them in the order of the input; `write_edits` applies them.
#
# An edit drops bytes of the input and inserts others in their place. Bytes between the edits are copied. So the list
# grows with the changes and with the children of SETs, not with the input. It is also the log of the conversion: an
# edit with a fault is a change, and the offsets of an edit in the input and in the output map all others
# (core/values/conversion_log.pxi).

cdef enum EditKind:
    EDIT_NOTHING                    # the start of an element whose header stays, or of a child that was dropped
    EDIT_HEADER                     # inserts identifier and length octets
    EDIT_DROP                       # inserts nothing
    EDIT_LITERAL                    # inserts bytes of `Conversion.literals`
    EDIT_MARK                       # the start of a child of a SET, which is moved if the SET is sorted
    EDIT_SORT                       # the end of the contents of a SET that must be sorted
    EDIT_RUN                        # elements of a list that are like earlier ones: see list_runs.pxi

cdef struct Edit:
    Py_ssize_t at                   # the offset of the dropped bytes in the input
    Py_ssize_t out                  # the offset of the inserted bytes in the output; set by `write_edits`
    Py_ssize_t drop
    Py_ssize_t insert
    # EDIT_HEADER: the length of the contents; EDIT_LITERAL: the offset in the literals; EDIT_MARK: the number of the
    # next mark of the same SET, or -1; EDIT_SORT: the number of the first mark; EDIT_RUN: where the numbers of its
    # templates begin.
    Py_ssize_t value
    # The changed element in the input. EDIT_MARK: how far `sort_set` moved the child; EDIT_RUN: the number of elements.
    Py_ssize_t start
    # The end of its contents in the input. EDIT_MARK: that of the SET, 0 if it is not sorted; EDIT_RUN: the index of
    # the first element.
    Py_ssize_t end
    int32_t step                    # the last step of its path, or -1. EDIT_RUN: its first template
    uint8_t what                    # an EditKind
    uint8_t fault                   # the kind of the change, FAULT_NONE if the edit is not one
    uint8_t header                  # the length of the header of the element in the input
    # EDIT_HEADER: PRIMITIVE to clear the constructed bit; EDIT_SORT: a SetOrder; EDIT_MARK: the depth.
    uint8_t form

cdef enum:
    PRIMITIVE = 1

cdef struct Place:                  # a step of a path; several edits share it
    const Node *node
    Py_ssize_t index
    int32_t parent                  # the step before, or -1

cdef struct Array:                  # a growing array
    void *items
    Py_ssize_t count
    Py_ssize_t room


cdef void *add_items(Array *array, Py_ssize_t count, size_t size) noexcept nogil:
    """Return the address of `count` new items at the end of an array; NULL if there is no memory."""
    cdef Py_ssize_t room
    cdef void *grown
    if count > array.room - array.count or array.items == NULL:
        room = 2 * array.room + count + 16
        grown = realloc(array.items, <size_t>room * size)
        if grown == NULL:
            return NULL
        array.items = grown
        array.room = room
    array.count += count
    return <char *>array.items + <size_t>(array.count - count) * size


cdef inline int der_length_octets(Py_ssize_t length) noexcept nogil:
    """Return the number of length octets of the shortest form (X.690 10.1)."""
    cdef int count = 1
    if length >= 0x80:
        while length > 0:
            length >>= 8
            count += 1
    return count
