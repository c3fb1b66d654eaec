# Repeated shapes: the fast path for long uniform lists, such as 415,756 CRL entries.
#
# Elements of a large list mostly repeat one another but for a serial number and a date. When an element was proved by the general
# check, its *shape* is kept: its octets, and which of them are the contents of an INTEGER, ENUMERATED or UTCTime
# that the general check judged by these octets alone ("free" contents). A later element that equals the shape in every other octet
# has the same headers, so the same places, lengths and types; it is proved when its free contents are. Anything else, an
# identifier that selects an open type included, is compared octet by octet, and an element that differs there goes through the general
# check. So a shape never accepts what the general check would not (tests/test_repeat.py holds the two against each other).
#
# What makes contents not free: a value range, a DEFAULT to compare with, the order of a SET OF around it, a soft open type that may
# have been tried in vain. Those cases close the recorder, and the element leaves no shape.

cdef enum:
    SHAPE_WORDS = 8                 # elements of up to 64 octets have a shape
    SHAPE_OCTETS = 8 * SHAPE_WORDS
    SHAPE_FREE = 4                  # with up to so many free contents
    SHAPES = 8                      # kept per list, by length
    SHAPE_AFTER = 8                 # shorter lists do not repay the recording

cdef struct Free:
    const Node *node
    Py_ssize_t offset
    Py_ssize_t length

cdef struct Shape:
    Py_ssize_t length               # 0 while there is none
    Py_ssize_t words
    int count
    uint64_t[SHAPE_WORDS] octets    # free contents and what lies behind the end are zero here and in the mask
    uint64_t[SHAPE_WORDS] mask
    Free[SHAPE_FREE] free

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


cdef void keep_shape(Shape *shapes, const Recorder *recorder, const uint8_t *end) noexcept nogil:
    """Keep the shape of the element that was just proved."""
    cdef Py_ssize_t length = end - recorder.start
    cdef Shape *shape = &shapes[length % SHAPES]
    cdef uint8_t *octets = <uint8_t *>shape.octets
    cdef uint8_t *mask = <uint8_t *>shape.mask
    cdef int i
    if recorder.closed or length > SHAPE_OCTETS:
        return
    memset(shape, 0, sizeof(Shape))
    memcpy(octets, recorder.start, length)
    memset(mask, 0xFF, length)
    for i in range(recorder.count):
        memset(octets + recorder.free[i].offset, 0, recorder.free[i].length)
        memset(mask + recorder.free[i].offset, 0, recorder.free[i].length)
        shape.free[i] = recorder.free[i]
    shape.count = recorder.count
    shape.words = (length + 7) // 8
    shape.length = length


cdef inline const uint8_t *repeat(const Shape *shapes, const uint8_t *p, const uint8_t *end) noexcept nogil:
    """The end of the element at `p` where a shape proves it, else NULL."""
    cdef const Shape *shape
    cdef const Free *free
    cdef uint64_t word
    cdef uint64_t different = 0
    cdef Py_ssize_t i
    # Whole words are read, so that many octets must be there; the last few elements of a list take the general way.
    if end - p < SHAPE_OCTETS:
        return NULL
    # In the only form of length that a shape can have (up to 64 octets), the length is the second octet.
    shape = &shapes[(p[1] + 2) % SHAPES]
    if shape.length != p[1] + 2:
        return NULL
    for i in range(shape.words):
        memcpy(&word, p + 8 * i, 8)
        different |= (word & shape.mask[i]) ^ shape.octets[i]
    if different:
        return NULL
    for i in range(shape.count):
        free = &shape.free[i]
        if free.node.kind == KIND_UTC_TIME:
            if utc_time_check(p + free.offset, free.length):
                return NULL
        elif integer_check(p + free.offset, free.length) or (
                free.node.kind == KIND_ENUMERATED and enumerated_check(free.node, p + free.offset, free.length)):
            return NULL
    return p + shape.length
