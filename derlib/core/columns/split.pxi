# One large list for several threads: its elements are checked and read in parts.
#
# A part begins after several headers of elements that follow each other: the first ones can be those of elements within
# another one, but those end where the outer one ends. This is only a guess. So the check of each part must end exactly
# where the next part begins, and the first part begins with the list; then all of these places are between elements.
# Then the input is checked as a whole, without the elements of this list. If anything fails, the guess may be wrong or
# the input invalid: it is checked again from the beginning by one thread, whose result or error counts.

cdef enum:
    SPLIT_LEAST = 1 << 20           # shorter lists are read by one thread
    PART_OCTETS = 1 << 23           # about the most of a part
    PARTS_LIMIT = 1 << 12
    GUESS_OCTETS = 1 << 14          # how far from its place the beginning of a part is looked for
    GUESS_ELEMENTS = 16             # the headers that must follow each other

cdef struct Split:
    const Node *node                # of the list
    const uint8_t **starts          # of the parts, and the end of the last one
    Py_ssize_t count                # of the parts; 0 if no list is split
    Py_ssize_t next                 # the part that is read next

cdef struct PartCheck:              # what one thread checks
    const Node *node
    const Options *options
    const uint8_t **starts
    Py_ssize_t count
    bint valid
    Py_ssize_t elements             # as in `CheckedList`
    int levels
    Check c


cdef void run_part_check(PartCheck *part) noexcept nogil:
    """Check some parts of a list."""
    cdef Py_ssize_t i
    part.valid = True
    part.elements = 0
    part.levels = 0
    for i in range(part.count):
        check_begin(&part.c, part.options, NULL)
        if not check_part(&part.c, part.node, part.starts[i], part.starts[i + 1]):
            part.valid = False
            return
        part.elements += part.options.elements - part.c.elements
        part.levels = max(part.levels, part.options.depth - part.c.lowest)


cdef const uint8_t *guess_element(const Node *element, const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return a place after `p` at which an element seems to begin, NULL if there is none near."""
    cdef const uint8_t *last = p + min(<Py_ssize_t>GUESS_OCTETS, end - p)
    cdef const uint8_t *q
    cdef Header h
    cdef int found
    while p < last:
        found = 0
        q = p
        while found < GUESS_ELEMENTS and q < end and reread_header(q, end, &h) == 0 and h.tag == element.tag:
            q = h.end
            found += 1
        if found == GUESS_ELEMENTS and q < end:
            return q
        p += 1
    return NULL


cdef bint guess_parts(Split *split, const Node *node, const uint8_t *p, const uint8_t *end, int threads) noexcept nogil:
    """Divide the contents of a list into parts; return False if it is not split, or there is no memory."""
    cdef Py_ssize_t size = end - p
    cdef Py_ssize_t wanted = min((size // PART_OCTETS // threads + 1) * threads, <Py_ssize_t>PARTS_LIMIT)
    cdef const uint8_t *start
    cdef Py_ssize_t i
    split.count = split.next = 0
    if size < SPLIT_LEAST or node.kind != KIND_SEQUENCE_OF or node.element.kind != KIND_SEQUENCE \
            or node.constraints != NULL or (node.sized and (node.size_low > 1 or node.size_high != PY_SSIZE_T_MAX)):
        return False
    split.node = node
    split.starts = <const uint8_t **>malloc((wanted + 1) * sizeof(void *))
    if split.starts == NULL:
        return False
    split.starts[0] = p
    split.count = 1
    for i in range(1, wanted):
        start = guess_element(node.element, p + size // wanted * i, end)
        if start != NULL and start > split.starts[split.count - 1]:
            split.starts[split.count] = start
            split.count += 1
    split.starts[split.count] = end
    return split.count > 1


cdef void free_split(Split *split) noexcept nogil:
    free(split.starts)
    memset(split, 0, sizeof(Split))
