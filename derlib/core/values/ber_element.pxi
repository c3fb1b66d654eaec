# BER without a schema: `parse_ber` and `Element`. core/ber/tree.pxi validates the structure before an Element is made.

LENGTH_FORMS = ("definite", "long", "indefinite")


@cython.final
@cython.no_gc
cdef class BerSource:
    """The buffer that Elements point into, and the ends of its elements of indefinite length."""
    cdef Source source
    cdef BerEnds ends

    def __dealloc__(self):
        free(self.ends.rows)


@cython.final
@cython.no_gc
cdef class Element:
    """An element of BER that was read without a schema: its tag, form of length, contents, children and position.

    Immutable. An element of indefinite length ends with two end-of-contents octets, which are not a part of its
    contents and not one of its children.

    >>> import derlib
    >>> root = derlib.parse_ber(bytes.fromhex("308024800401610401620000 0000"))
    >>> root.length_form, root.end_of_contents
    ('indefinite', Span(offset=12, header_length=2, content_length=0))
    >>> string = root.children[0]
    >>> string.value, [segment.value for segment in string]
    (b'ab', [b'a', b'b'])
    """
    cdef BerSource source
    cdef Header h
    cdef bint indefinite

    def __init__(self):
        raise TypeError("derlib.parse_ber(data) creates Element values")

    cdef int require_value(self) except -1:
        """Raise TypeError if this has no element, because only `__new__` made it."""
        if self.source is None:
            raise TypeError("this Element is empty: derlib.parse_ber(data) creates Element values")
        return 0

    cdef const uint8_t *after(self):
        """Return the address after the element, which includes the end-of-contents octets."""
        return self.h.end + 2 if self.indefinite else self.h.end

    @property
    def tag(self):
        """The `Tag` of this element."""
        self.require_value()
        return tag_new(self.h.tag)

    @property
    def span(self):
        """The `Span` in the input. Its contents do not include the end-of-contents octets."""
        self.require_value()
        return span_new(self.source.source, &self.h)

    @property
    def length_form(self):
        """The form of the length: "definite" as in DER, "long" with more bytes than it needs, or "indefinite"."""
        self.require_value()
        return LENGTH_FORMS[2 if self.indefinite else 0 if is_shortest_length(&self.h) else 1]

    @property
    def end_of_contents(self):
        """The `Span` of the end-of-contents octets (X.690 8.1.5) of an indefinite length; otherwise None."""
        self.require_value()
        return Span(self.h.end - self.source.source.base, 2, 0) if self.indefinite else None

    @property
    def content(self):
        """The contents octets, as a read-only memoryview. The contents of a string in segments are its segments."""
        self.require_value()
        return memory_of(self.source.source, self.h.content, self.h.end)

    @property
    def encoded(self):
        """The bytes of this element with its header and end-of-contents octets, as a read-only memoryview."""
        self.require_value()
        return memory_of(self.source.source, self.h.start, self.after())

    @property
    def children(self):
        """The elements inside this one, as a tuple; those of a string are its segments. Empty if it is primitive."""
        return tuple(self)

    @property
    def value(self):
        """The Python value of a string, also of one in segments, or of another primitive element with a universal tag.

        Otherwise, the contents octets as `bytes`.

        Raises:
            DecodeError: the contents octets are not valid; `parse_ber` does not validate them.
            UnrepresentableError: a time that `datetime` cannot represent.
        """
        cdef Node node
        self.require_value()
        node.kind = universal_kind(self.h.tag & ~<tag_t>1)
        if node.kind == KIND_EMPTY:
            return (<const char *>self.h.content)[:self.h.end - self.h.content]
        if universal_value_check(&self.h, ARC_OCTETS_MOST) == FAULT_NONE:
            return primitive_value(&node, self.h.content, self.h.end - self.h.content)
        from derlib import ber
        limits = self.source.source.limits()
        try:
            return parse(ber.convert(self.encoded, limits=limits).der, limits=limits).value
        except (_errors.DecodeError, _errors.LimitError) as error:
            args = error.args
            raise type(error)(*args[:2], args[2] + (self.h.start - self.source.source.base), *args[3:]) from None

    def __iter__(self):
        cdef const uint8_t *p = self.h.content
        cdef Element child
        self.require_value()
        if self.h.tag & 1:
            while p < self.h.end:
                child = element_new(self.source, p, self.h.end)
                p = child.after()
                yield child

    def walk(self):
        """Iterate over this element and all elements inside it, in the order of their offsets."""
        stack = [iter((self,))]
        while stack:
            for element in stack[len(stack) - 1]:
                yield element
                if (<Element>element).h.tag & 1:
                    stack.append(iter(element))
                    break
            else:
                stack.pop()

    def __eq__(self, other):
        return self.encoded == (<Element>other).encoded if isinstance(other, Element) else NotImplemented

    def __hash__(self):
        return hash(self.encoded)

    def __repr__(self):
        self.require_value()
        length = self.h.end - self.h.content
        form = ", indefinite length" if self.indefinite else ""
        return f"Element({describe_tag(self.h.tag)}, {length} byte{'' if length == 1 else 's'}{form})"

    def __reduce__(self):
        self.require_value()
        return parse_ber_again, (self.encoded.tobytes(), self.source.source.limits())

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef Element element_new(BerSource source, const uint8_t *p, const uint8_t *limit):
    """Return the Element at `p`, whose structure is validated."""
    cdef Element element = Element.__new__(Element)
    if read_ber_header(p, limit, &element.h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    element.indefinite = element.h.end == NULL
    if element.indefinite:
        element.h.end = ber_end(&source.ends, p)
    element.source = source
    return element


cdef object ber_tree_of(data, limits, bint prefix):
    """Return the Element at the start of `data`, and the number of bytes that it has."""
    cdef Check c
    cdef bint valid
    cdef const uint8_t *after
    cdef BerSource source = BerSource.__new__(BerSource)
    cdef Source octets = source_with(data, True, None, limits, False)
    cdef Options options = octets.options()[0]
    source.source = octets
    options.names_no_deviation = True
    check_begin(&c, &options, NULL)
    if octets.size >= GIL_RELEASE_SIZE:
        with nogil:
            valid = check_ber_tree(&c, &source.ends, octets.base, octets.base + octets.size, prefix, &after)
    else:
        valid = check_ber_tree(&c, &source.ends, octets.base, octets.base + octets.size, prefix, &after)
    if source.ends.out_of_memory:
        raise MemoryError
    if not valid:
        raise fault_in_input(&c, octets.base, octets.base + octets.size, 0)
    return element_new(source, octets.base, octets.base + octets.size)


def parse_ber_again(octets, limits=None):
    """Return the Element of a pickle."""
    return ber_tree_of(octets, limits, False)


def parse_ber_prefix(data):
    """Return the Element at the start of `data`, which other data can follow."""
    return ber_tree_of(data, None, True)


def parse_ber(data, *, limits=None):
    """Read BER without a schema, and return its `Element`.

    The structure is validated at every depth: identifier and length octets, end-of-contents octets, the form of
    universal types, and the types of segments. The contents octets of primitive elements are not.

    Args:
        data: a buffer with one element. It is copied, unless it is `bytes`.
        limits: the `Limits` of this call. Each element counts, also each segment.

    Raises:
        DecodeError: `data` is not one BER element.
        LimitError: `data` exceeds a limit.
        TypeError: an argument has the wrong type.

    >>> import derlib
    >>> [(one.span.offset, one.length_form) for one in derlib.parse_ber(bytes.fromhex("30800281 0105 0000")).walk()]
    [(0, 'indefinite'), (2, 'long')]
    """
    return ber_tree_of(data, limits, False)
