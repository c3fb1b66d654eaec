# Positions in the decoded buffer: `Span`, and memoryviews of the octets there.

@cython.final
@cython.freelist(32)
cdef class Span:
    """Span(offset, header_length, content_length)
--

    The position of an element: its offset in the decoded buffer, and the lengths of its parts, in bytes.

    Args:
        offset: the offset of the first identifier octet.
        header_length: the number of identifier and length octets together.
        content_length: the number of contents octets.

    >>> import derlib
    >>> derlib.parse(bytes.fromhex("300302012a")).children[0].span
    Span(offset=2, header_length=2, content_length=1)
    """
    cdef readonly Py_ssize_t offset
    """The offset of the first identifier octet."""
    cdef readonly Py_ssize_t header_length
    """The number of identifier and length octets together."""
    cdef readonly Py_ssize_t content_length
    """The number of contents octets."""

    def __cinit__(self, Py_ssize_t offset, Py_ssize_t header_length, Py_ssize_t content_length):
        self.offset = offset
        self.header_length = header_length
        self.content_length = content_length

    @property
    def content_offset(self):
        """The offset of the first contents octet."""
        return self.offset + self.header_length

    @property
    def length(self):
        """The length of the whole element, header and contents."""
        return self.header_length + self.content_length

    @property
    def end(self):
        """The offset after the last contents octet."""
        return self.offset + self.header_length + self.content_length

    cdef tuple _key(self):
        return self.offset, self.header_length, self.content_length

    def __eq__(self, other):
        return self._key() == (<Span>other)._key() if isinstance(other, Span) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"Span(offset={self.offset}, header_length={self.header_length}, content_length={self.content_length})"

    def __reduce__(self):
        return Span, self._key()


cdef Span span_new(Source source, const Header *h):
    """Return the position of an element."""
    return Span(h.start - source.base, h.content - h.start, h.end - h.content)


cdef object memory_of(Source source, const uint8_t *start, const uint8_t *end):
    """Return a read-only memoryview of octets of the source. It keeps the buffer alive."""
    cdef Py_ssize_t offset
    if source.whole is not None:
        source = source.whole
    if source.held:
        offset = start - source.base
        whole = memoryview(<object>source.extra.buffer.obj)
    else:
        # An encoding that the writer made does not start at the beginning of its bytes object.
        offset = <const char *>start - PyBytes_AS_STRING(source.owner)
        whole = memoryview(source.owner)
    if whole.format != "B" or whole.ndim != 1:
        whole = whole.cast("B")
    return whole.toreadonly()[offset:offset + (end - start)]
