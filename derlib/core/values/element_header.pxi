# The header of an element that is not in memory as a whole: `PartReader` (parts.pxi) reads it.

cdef enum:
    # Identifier octets with a tag below TAG_NUMBER_LIMIT take 10 bytes, length octets 127; messages show 65 more.
    HEADER_BYTES = 208
    # The largest length in a header: an address plus this length does not overflow. No input is so long.
    PART_LENGTH_MOST = PY_SSIZE_T_MAX // 4


@cython.final
@cython.no_gc
cdef class ElementHeader:
    """The header of an element whose contents need not be in memory."""
    cdef Header h                       # points into `octets`; only the first HEADER_BYTES bytes may be read
    cdef uint8_t[HEADER_BYTES] octets      # the first bytes of the element, then zeros
    cdef readonly Py_ssize_t offset     # of the element, in the stream
    cdef readonly Py_ssize_t header_length
    cdef Py_ssize_t content_length      # -1 for an indefinite length
    cdef Py_ssize_t known               # the number of bytes in `octets` before the zeros

    def __cinit__(self):
        # The header of 00 00, until `element_header_new` sets it: `__new__` alone can make one.
        memset(self.octets, 0, HEADER_BYTES)
        self.h.tag = 0
        self.h.start = self.octets
        self.h.content = self.h.end = self.octets + 2
        self.header_length = self.known = 2

    @property
    def tag(self):
        return self.h.tag

    @property
    def content_offset(self):
        return self.offset + self.header_length

    @property
    def is_end_of_contents(self):
        """Whether these are end-of-contents octets (X.690 8.1.5)."""
        return self.h.tag == 0 and self.header_length == 2 and self.content_length == 0

    def emptied(self, bint primitive):
        """Return an element with the same tag and no contents; in the primitive form if `primitive` is true."""
        cdef Py_ssize_t length = length_octets(&self.h) - self.h.start
        cdef bytes identifier = (<const char *>self.octets)[:length]
        if primitive:
            identifier = bytes((identifier[0] & 0xDF,)) + identifier[1:]
        return identifier + b"\0"

    @property
    def end(self):
        """The offset after the element in the stream, None if its length is indefinite."""
        return None if self.content_length < 0 else self.offset + self.header_length + self.content_length


cdef ElementHeader element_header_new(const Header *h, const uint8_t *end, Py_ssize_t offset, Py_ssize_t length):
    """Return the header of an element at `h.start`, which is complete; `end` is where the bytes in memory end."""
    cdef ElementHeader header = ElementHeader.__new__(ElementHeader)
    cdef Py_ssize_t known = min(end - h.start, <Py_ssize_t>HEADER_BYTES)
    header.offset = offset
    header.header_length = h.content - h.start
    header.content_length = min(length, <Py_ssize_t>PART_LENGTH_MOST)
    known = header.known = min(known, header.header_length + 65)
    memset(header.octets, 0, HEADER_BYTES)
    memcpy(header.octets, h.start, known)
    if length < 0:
        # Messages read the header again, and would not describe the element if they found an indefinite length.
        header.octets[header.header_length - 1] = 0
    header.h.tag = h.tag
    header.h.start = header.octets
    header.h.content = header.octets + header.header_length
    header.h.end = header.h.content + max(header.content_length, 0)
    return header


cdef Py_ssize_t declared_length(const Header *h) noexcept:
    """Return the length in length octets that were all read, PART_LENGTH_MOST for a larger one."""
    cdef const uint8_t *p = length_octets(h)
    cdef uint64_t length = 0
    if h.content - p == 1:
        return octet_at(p)
    p += 1
    while p < h.content:
        if length > <uint64_t>PART_LENGTH_MOST >> 8:
            return PART_LENGTH_MOST
        length = length << 8 | octet_at(p)
        p += 1
    return length


cdef int require_place(Py_ssize_t size, Py_ssize_t start, Py_ssize_t first, Py_ssize_t stop) except -1:
    """Raise ValueError unless an element can be at `start` of `size` bytes in memory; see `PartReader.read_header`."""
    cdef bint is_before_stop
    if 0 <= start <= size and 0 <= first <= <Py_ssize_t>PART_LENGTH_MOST and stop >= -1:
        is_before_stop = stop == -1 or stop - first >= start
    else:
        is_before_stop = False
    if not is_before_stop:
        raise ValueError("the element is outside of the bytes in memory")
    return 0
