# DER without a schema: `parse`, `TLV` and `Tag`. A TLV is also the value of ANY, and of an open type without a known
# type.

CLASS_NAMES = ("universal", "application", "context", "private")


@cython.final
cdef class Tag:
    """Tag(number, tag_class='context', constructed=False)
--

    A tag: number, class, and whether the encoding is constructed (X.690 8.1.2).

    Args:
        number: the tag number, 0 to 2^60 - 1.
        tag_class: "context" (default), "application", "private" or "universal", as `Explicit` and `Implicit` take it.
        constructed: False for the primitive form.

    Raises:
        ValueError: the class is unknown.
        SchemaError: the number is not an int or is out of range.

    >>> import derlib
    >>> derlib.parse(bytes.fromhex("3003020105")).tag == derlib.Tag(16, "universal", constructed=True)
    True
    """
    cdef tag_t tag

    def __cinit__(self, number, tag_class="context", constructed=False):
        if tag_class not in CLASS_NAMES:
            raise ValueError(f"unknown tag class {short_repr(tag_class)}; expected one of {', '.join(CLASS_NAMES)}")
        self.tag = pack_tag(number, CLASS_NAMES.index(tag_class), constructed)

    @property
    def number(self):
        """The tag number."""
        return self.tag >> 3

    @property
    def tag_class(self):
        """The class of the tag: "universal", "application", "context" or "private"."""
        return CLASS_NAMES[<int>(self.tag >> 1 & 3)]

    @property
    def constructed(self):
        """Whether the encoding is constructed."""
        return bool(self.tag & 1)

    def __str__(self):
        return describe_tag(self.tag)

    def __repr__(self):
        return f"Tag({self.number}, {self.tag_class!r}, constructed={self.constructed})"

    def __eq__(self, other):
        return self.tag == (<Tag>other).tag if isinstance(other, Tag) else NotImplemented

    def __hash__(self):
        return hash(self.tag)

    def __reduce__(self):
        return Tag, (self.number, self.tag_class, self.constructed)


cdef Tag tag_new(tag_t tag):
    """Return the `Tag` of an element."""
    return Tag(tag >> 3, CLASS_NAMES[<int>(tag >> 1 & 3)], tag & 1)


@cython.final
@cython.no_gc
cdef class TLV:
    """An element of DER that was decoded without a schema: its tag, contents, children and position. Immutable.

    >>> import derlib
    >>> root = derlib.parse(bytes.fromhex("3006020101020102"))
    >>> root.tag.number, [child.value for child in root]
    (16, [1, 2])
    """
    cdef Source source
    cdef tag_t tag_
    cdef const uint8_t *start
    cdef const uint8_t *content_
    cdef const uint8_t *end

    def __init__(self):
        raise TypeError("derlib.parse(data) creates TLV values")

    cdef int require_value(self) except -1:
        """Raise TypeError if this TLV has no element, because only `__new__` made it."""
        if self.start == NULL:
            raise TypeError("this TLV has no element: derlib.parse(data) creates TLV values")
        return 0

    cdef Header header(self):
        """Return the header of this element."""
        cdef Header h
        h.tag = self.tag_
        h.start = self.start
        h.content = self.content_
        h.end = self.end
        return h

    @property
    def tag(self):
        """The `Tag` of this element."""
        return tag_new(self.tag_)

    @property
    def span(self):
        """The `Span` in the decoded buffer."""
        cdef Header h = self.header()
        self.require_value()
        return span_new(self.source, &h)

    @property
    def deviations(self):
        """The tolerated faults in this element, as a tuple of `Tolerated`. Paths are empty without a schema."""
        self.require_value()
        return deviations_in(self.source, None, self.start, self.end)

    @property
    def content(self):
        """The contents octets, as a read-only memoryview."""
        self.require_value()
        return memory_of(self.source, self.content_, self.end)

    @property
    def der(self):
        """The bytes of this element, header included, as a read-only memoryview."""
        self.require_value()
        return memory_of(self.source, self.start, self.end)

    def encode(self):
        """Return the bytes of this element, header included."""
        self.require_value()
        return octets_between(self.source, self.start, self.end)

    @property
    def children(self):
        """The elements inside this one, as a tuple; empty for a primitive element."""
        return tuple(self)

    @property
    def value(self):
        """The Python value of a primitive element with a universal tag, otherwise the contents octets as `bytes`.

        Raises:
            UnrepresentableError: a time that `datetime` cannot represent.
        """
        cdef Node node
        cdef Header h = self.header()
        cdef int fault
        self.require_value()
        node.kind = universal_kind(self.tag_)
        fault = universal_value_check(&h, ARC_OCTETS_MOST)
        if fault and deviation_of(fault, NULL, h.content, h.end - h.content) & self.source.options().tolerated:
            fault = FAULT_NONE
        if node.kind == KIND_EMPTY or fault:
            return (<const char *>self.content_)[:self.end - self.content_]
        return make_value(self.source, &node, &h, NULL)

    def __iter__(self):
        cdef Header h
        cdef const uint8_t *p = self.content_
        self.require_value()
        if self.tag_ & 1:
            while p < self.end:
                if reread_header(p, self.end, &h):
                    raise fault_error(FAULT_BUFFER_CHANGED, b"")
                yield tlv_new(self.source, &h)
                p = h.end

    def walk(self):
        """Iterate over this element and all elements inside it, in the order of their offsets."""
        stack = [iter((self,))]
        while stack:
            for element in stack[len(stack) - 1]:
                yield element
                if (<TLV>element).tag_ & 1:
                    stack.append(iter(element))
                    break
            else:
                stack.pop()

    def decode(self, type, *, bint copy=True, tolerate=None, limits=None):
        """Decode this element as a value of a type. Spans of the result are relative to this element.

        Args:
            type: a type expression, as in `derlib.decode`.
            copy, tolerate, limits: as in `derlib.decode`.

        Raises:
            DecodeError: this is not an element of the type.
            LimitError: this element exceeds a limit.

        >>> import derlib
        >>> derlib.parse(bytes.fromhex("3003020105")).children[0].decode(int)
        5
        """
        from derlib import decode
        try:
            return decode(type, self.encode(), copy=copy, tolerate=tolerate, limits=limits)
        except _errors.DecodeError as error:
            raise _ber_rules.with_hint(error, _ber_rules.CONVERT_HINT) from None

    def __eq__(self, other):
        return self.encode() == (<TLV>other).encode() if isinstance(other, TLV) else NotImplemented

    def __hash__(self):
        return hash(self.encode())

    def __repr__(self):
        self.require_value()
        length = self.end - self.content_
        shown = f": {hex_octets((<const char *>self.content_)[:min(length, 17)], 16)}" if length else ""
        return f"TLV({describe_tag(self.tag_)}, {length} byte{'' if length == 1 else 's'}{shown})"

    def __reduce__(self):
        return parse_again, (self.encode(), *options_for(self.source, self.start, self.end))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef object tlv_new(Source source, const Header *h):
    """Return the TLV of an element."""
    cdef TLV element = TLV.__new__(TLV)
    element.source = source
    element.tag_ = h.tag
    element.start = h.start
    element.content_ = h.content
    element.end = h.end
    return element


ANY_PLAN = Plan(KIND_ANY, "ANY")


def parse_again(octets, tolerate=None, limits=None):
    """Return the TLV of a pickle."""
    return decode_plan(ANY_PLAN, octets, True, tolerate, limits)


def parse(data, *, bint copy=True, tolerate=None, limits=None):
    """Decode DER without a schema, and return its `TLV`.

    Identifier and length octets, the contents of universal types and the order of sets are validated, at every depth.

    Args:
        data, copy, tolerate, limits: as in `decode`.

    Raises:
        DecodeError: `data` is not one DER element.
        LimitError: `data` exceeds a limit.
        TypeError: an argument has the wrong type.

    >>> import derlib
    >>> derlib.parse(bytes.fromhex("0c026869")).value
    'hi'
    """
    try:
        return decode_plan(ANY_PLAN, data, copy, tolerate, limits)
    except _errors.DecodeError as error:
        raise _ber_rules.with_hint(error, _ber_rules.PARSE_HINT) from None
