# Repeated shapes: the fast path for long uniform lists, such as 415,756 CRL entries.
#
# Elements of a large list mostly repeat one another but for a serial number and a date. When an element was proved by
# the general check, its *shape* is kept: its octets, and which of them are the contents of an INTEGER, ENUMERATED or
# UTCTime that the general check judged by these octets alone ("free" contents). A later element that equals the shape
# in every other octet has the same headers, so the same places, lengths and types; it is proved when its free
# contents are. Anything else, an identifier that selects an open type included, is compared octet by octet, and an
# element that differs there goes through the general check. So a shape never accepts what the general check would not
# (tests/test_repeat.py holds the two against each other).
#
# What makes contents not free: a value range, a DEFAULT to compare with, the order of a SET OF around it, a breach that
# was tolerated. Those cases close the recorder, and the element leaves no shape.

cdef enum:
    SHAPE_WORDS = 8                 # elements of up to 64 octets have a shape
    SHAPE_OCTETS = 8 * SHAPE_WORDS
    SHAPE_FREE = 4                  # with up to so many free contents
    SHAPES = 8                      # kept per list, by length
    SHAPE_AFTER = 8                 # shorter lists do not repay the recording
    SHAPE_MISSES = 4                # so many elements without a shape may be too many: see `gives_up`

cdef struct Free:
    const Node *node
    Py_ssize_t offset
    Py_ssize_t length

cdef struct Shape:
    Py_ssize_t length               # 0 while there is none
    Py_ssize_t elements             # what an element takes off the limit of elements by lists and ANY inside it
    int count
    uint64_t[SHAPE_WORDS] octets    # free contents and what lies behind the end are zero here and in the mask
    uint64_t[SHAPE_WORDS] mask
    Free[SHAPE_FREE] free

cdef struct Shapes:                 # of one list at a time: see `check_long_list`
    const uint8_t *contents         # those of the list, or NULL
    Shape[SHAPES] kept

cdef struct Recorder:
    const uint8_t *start            # of the element that is being checked
    bint closed                     # no shape can come of it
    int count
    Free[SHAPE_FREE] free


cdef inline void record(Recorder *recorder, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Note contents that the check judged by their own octets alone."""
    if recorder.count == SHAPE_FREE:
        recorder.closed = True
        return
    recorder.free[recorder.count].node = node
    recorder.free[recorder.count].offset = p - recorder.start
    recorder.free[recorder.count].length = n
    recorder.count += 1


cdef inline size_t shape_number(size_t length) noexcept nogil:
    return length % SHAPES


cdef void take_shapes(Shapes *shapes, const uint8_t *contents) noexcept nogil:
    """Make room for the shapes of the list with these contents; those of another list are forgotten."""
    cdef int i
    for i in range(SHAPES):
        shapes.kept[i].length = 0
    shapes.contents = contents


cdef inline bint gives_up(Py_ssize_t misses, Py_ssize_t hits) noexcept nogil:
    """Whether shapes have cost a list more than they saved: a miss costs about half of what a hit saves."""
    return misses >= SHAPE_MISSES and misses > 2 * hits


# As many octets of a mask as a shape may have, then as many zeros.
cdef uint8_t[2 * SHAPE_OCTETS] SHAPE_MASKS
memset(SHAPE_MASKS, 0xFF, SHAPE_OCTETS)
memset(&SHAPE_MASKS[SHAPE_OCTETS], 0, SHAPE_OCTETS)


cdef void keep_shape(
    Shape *shapes, const Recorder *recorder, const uint8_t *end, Py_ssize_t elements
) noexcept nogil:
    """Keep the shape of the element that was just proved, with so many elements inside it.

    As many octets as a shape may have are there from its start on. They are copied as a whole: every element of a list
    may come here, and copies of any length would be calls.
    """
    cdef Py_ssize_t length = end - recorder.start
    cdef Shape *shape = &shapes[shape_number(length)]
    cdef uint8_t *mask = <uint8_t *>shape.mask
    cdef int i
    if recorder.closed or length > SHAPE_OCTETS:
        return
    memcpy(shape.octets, recorder.start, SHAPE_OCTETS)
    memcpy(mask, &SHAPE_MASKS[SHAPE_OCTETS - length], SHAPE_OCTETS)
    for i in range(recorder.count):
        memset(mask + recorder.free[i].offset, 0, recorder.free[i].length)
        shape.free[i] = recorder.free[i]
    for i in range(SHAPE_WORDS):
        shape.octets[i] &= shape.mask[i]
    shape.count = recorder.count
    shape.elements = elements
    shape.length = length


cdef inline uint64_t four_words_differ(const uint8_t *p, const uint64_t *mask, const uint64_t *octets) noexcept nogil:
    """Zero where 32 octets are those of a shape. Written out: a loop of unknown count becomes longer code."""
    cdef uint64_t[4] words
    memcpy(words, p, 32)
    return ((words[0] & mask[0]) ^ octets[0] | (words[1] & mask[1]) ^ octets[1]
            | (words[2] & mask[2]) ^ octets[2] | (words[3] & mask[3]) ^ octets[3])


cdef inline const uint8_t *repeat(
    const Shape *shapes, const uint8_t *p, const uint8_t *end, Py_ssize_t *elements
) noexcept nogil:
    """The end of the element at `p` where a shape proves it, else NULL; `elements` are those left of the limit."""
    cdef const Shape *shape
    cdef const Free *free
    cdef int i
    # Whole words are read, so that many octets must be there; the last few elements of a list take the general way.
    if end - p < SHAPE_OCTETS:
        return NULL
    # In the only form of length that a shape can have (up to 64 octets), the length is the second octet.
    shape = &shapes[shape_number(p[1] + 2)]
    if shape.length != p[1] + 2 or four_words_differ(p, shape.mask, shape.octets):
        return NULL
    if shape.length > 32 and four_words_differ(p + 32, shape.mask + 4, shape.octets + 4):
        return NULL
    for i in range(shape.count):
        free = &shape.free[i]
        if free.node.kind == KIND_UTC_TIME:
            if utc_time_check(p + free.offset, free.length):
                return NULL
        elif integer_check(p + free.offset, free.length) or (
                free.node.kind == KIND_ENUMERATED and enumerated_check(free.node, p + free.offset, free.length)):
            return NULL
    # The general way says where a limit is exceeded.
    if unlikely(shape.elements > elements[0]):
        return NULL
    elements[0] -= shape.elements
    return p + shape.length
