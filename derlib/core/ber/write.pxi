# The second pass: applies the edits to the input.
#
# It reads nothing from the input but bytes to copy, and all lengths come from the edits. So it writes exactly the
# number of bytes that the walk computed, even if a shared buffer has changed in between. This is checked at each edit:
# an error in the walk could be a fault, but no write out of bounds.

cdef uint8_t *write_edits(
    Conversion *c, Py_ssize_t first, Py_ssize_t last, const uint8_t *p, const uint8_t *end, uint8_t *base,
    Py_ssize_t size
) noexcept nogil:
    """Write the input from `p` to `end` with the edits from `first` to before `last`; return the end of the output.

    Return NULL if the output would not have `size` bytes.
    """
    cdef Edit *edit
    cdef const uint8_t *at
    cdef uint8_t *out = base
    cdef uint8_t *limit = base + size
    cdef Py_ssize_t i
    for i in range(first, last):
        edit = edits_of(c) + i
        at = c.base + edit.at
        if unlikely(at < p or edit.drop > end - at or edit.insert > limit - out - (at - p)):
            return NULL
        memcpy(out, p, at - p)
        out += at - p
        p = at + edit.drop
        edit.out = out - base
        if edit.what == EDIT_HEADER:
            put_header(edit, at, out)
            out += edit.insert
        elif edit.what == EDIT_LITERAL:
            memcpy(out, <uint8_t *>c.literals.items + edit.value, edit.insert)
            out += edit.insert
        elif edit.what == EDIT_RUN:
            if not write_run(c, edit, at, out):
                return NULL
            out += edit.insert
        elif edit.what == EDIT_SORT:
            sort_set(c, edit, base, out)
    if unlikely(end - p != limit - out):
        return NULL
    memcpy(out, p, end - p)
    return limit


cdef void put_header(const Edit *edit, const uint8_t *at, uint8_t *out) noexcept nogil:
    """Write the identifier octets of the input, and the length octets of the new contents."""
    cdef Py_ssize_t length = edit.value
    cdef int count = der_length_octets(length)
    cdef Py_ssize_t identifier = edit.insert - count
    cdef uint8_t *last = out + edit.insert - 1
    memcpy(out, at, identifier)
    if edit.form == PRIMITIVE:
        out[0] &= 0xDF
    if count == 1:
        last[0] = <uint8_t>length
        return
    out[identifier] = <uint8_t>(0x80 | (count - 1))
    while length > 0:
        last[0] = <uint8_t>(length & 0xFF)
        length >>= 8
        last -= 1


cdef uint8_t *converted_octets(
    Conversion *c, Py_ssize_t first, const uint8_t *p, const uint8_t *end, Py_ssize_t *length, Py_ssize_t growth
) noexcept nogil:
    """Return new memory with the converted input from `p` to `end`, whose edits begin with `first`, or NULL.

    `growth` is the growth of the conversion before `p`; `length` is set to the length of the result.
    """
    cdef uint8_t *octets
    length[0] = end - p + c.growth - growth
    octets = <uint8_t *>realloc(NULL, length[0] + 1)
    if octets == NULL:
        c.out_of_memory = True
        return NULL
    if write_edits(c, first, c.edits.count, p, end, octets, length[0]) == NULL:
        c.out_of_memory = True
    return octets
