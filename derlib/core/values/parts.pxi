# Parts of an encoding that is not in memory as a whole: `derlib.stream.open` reads one element after the other.
#
# The reader (derlib/_stream) opens the elements that are too large, or that contain what its caller asked for. For
# those, `PartReader` checks one step at a time with the functions of the check pass: the header, the component that a
# tag belongs to, the type that a selector chooses. Every other element is validated as a whole (`value`).

cdef bint may_be_segmented(const Node *node, tag_t tag) noexcept:
    """Return whether a constructed element can be a string of this type in segments (X.690 8.7.3)."""
    cdef Py_ssize_t index
    while is_choice(node.kind):
        index = find_alternative(node, tag ^ 1)
        if index < 0:
            return False
        node = node.components[index].node
    return bool(tag & 1 and node.tag == tag ^ 1 and TYPES[node.kind].flags & TYPE_IS_STRING)


@cython.final
cdef class PartReader:
    """Checks the parts of one encoding, within its limits.

    Offsets count from the start of the stream. `ber` is true if lengths may be indefinite or longer than necessary, and
    strings may be in segments; then the caller converts an element to DER before `value` validates it.
    """
    cdef Options options
    cdef tuple limits
    cdef public bint ber
    cdef Py_ssize_t elements        # that the limit still allows

    def __cinit__(self, limits, bint ber):
        self.limits = None if limits is None else read_limits(limits)
        read_options(None, self.limits, &self.options)
        self.options.names_no_deviation = True
        self.elements = self.options.elements
        self.ber = ber

    def count_element(self):
        """Count an element of a list or of ANY; return False if it is one too many."""
        self.elements -= 1
        return self.elements >= 0

    def allows_tag(self, ElementHeader header not None):
        """Return whether the tag number of an element without a type is within the limit."""
        return header.h.tag >> 3 < self.options.tag_numbers

    cdef object error_at(self, Check *c, ElementHeader header):
        """Return the error for a fault of an element, or of one around it that has the same first byte."""
        cdef str hint = input_hint(header.octets, header.octets + header.known) if header.offset == 0 else None
        return fault_of(c, header.octets, header.h.end, header.offset, hint or self.ber_hint(c, header.h.end))

    cdef str ber_hint(self, Check *c, const uint8_t *end):
        """Return the hint of an error if BER allows what DER does not allow; None if this is read as BER."""
        return None if self.ber else ber_hint(c, end)

    def fault(self, str kind not None, Plan plan, ElementHeader header, Py_ssize_t offset=0, bytes octets=b""):
        """Return the error for a fault, by its `DecodeError.kind`, of an element; without one, of bytes at `offset`.

        `plan` is the expected type, None if there is none.
        """
        cdef Check c
        cdef const uint8_t *p = <const uint8_t *>PyBytes_AS_STRING(octets)
        cdef int fault
        for fault in range(1, <int>FAULT_COUNT):
            if FAULTS[fault][0] == kind:
                break
        else:
            raise ValueError(f"{kind!r} is not a kind of fault")
        check_begin(&c, &self.options, NULL)
        fail(&c, fault, p if header is None else header.octets, NULL if plan is None else &plan.node)
        return fault_of(&c, p, p + len(octets), offset, None) if header is None else self.error_at(&c, header)

    def in_segments(self, Plan plan not None, ElementHeader header not None):
        """Return whether an element is a string of this type in segments."""
        return self.ber and may_be_segmented(&plan.node, header.h.tag)

    def truncated(self, Plan plan, ElementHeader header not None, Py_ssize_t stop, bint bounded):
        """Return the error for contents that go on after `stop`: the end of the input, or of the element around it."""
        cdef Check c
        cdef const uint8_t *limit = header.octets + (stop - header.offset)
        check_begin(&c, &self.options, NULL)
        fail_header(&c, FAULT_CONTENT_TRUNCATED, &header.h, limit, NULL if plan is None else &plan.node)
        return fault_of(&c, header.octets, limit + bounded, header.offset, None)

    def read_header(self, Plan plan, data, Py_ssize_t start, Py_ssize_t first, Py_ssize_t stop, bint complete):
        """Return the `ElementHeader` at `start` of the bytes in memory, None if more of them are necessary.

        Args:
            plan: the expected type, for messages; or None.
            data: the bytes in memory; `first` is the offset of their first one.
            stop: the offset where the element around it ends; -1 if there is none, or its length is indefinite.
            complete: there are no bytes after `data`.
        """
        cdef Py_buffer buffer
        PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
        try:
            require_place(buffer.len, start, first, stop)
            return self.read_header_in(plan, <const uint8_t *>buffer.buf, buffer.len, start, first, stop, complete)
        finally:
            PyBuffer_Release(&buffer)

    cdef object read_header_in(self, Plan plan, const uint8_t *base, Py_ssize_t size, Py_ssize_t start,
                               Py_ssize_t first, Py_ssize_t stop, bint complete):
        """Do what `read_header` does with the `size` bytes at `base`."""
        cdef Check c
        cdef Header h
        cdef ElementHeader header
        cdef const Node *node = NULL if plan is None else &plan.node
        cdef bint bounded = stop >= 0 and stop - first <= size
        cdef const uint8_t *limit = base + (stop - first if bounded else size)
        cdef int fault = read_ber_header(base + start, limit, &h) if self.ber else read_header(base + start, limit, &h)
        cdef Py_ssize_t length
        if fault == FAULT_NONE:
            return element_header_new(&h, limit, first + start, -1 if h.end == NULL else h.end - h.content)
        if fault == FAULT_CONTENT_TRUNCATED and (self.ber or is_shortest_length(&h)) and not bounded:
            length = declared_length(&h)
            header = element_header_new(&h, limit, first + start, length)
            if stop >= 0 and header.offset + header.header_length + length > stop:
                raise self.truncated(plan, header, stop, True)
            if not complete:
                return header
        elif (fault == FAULT_IDENTIFIER_TRUNCATED or fault == FAULT_LENGTH_TRUNCATED) and not (bounded or complete):
            return None
        check_begin(&c, &self.options, NULL)
        if fault == FAULT_CONTENT_TRUNCATED and self.ber:
            fail_before(&c, fault, h.start, limit, node)
        else:
            fail_header(&c, fault, &h, limit, node)
        hint = input_hint(base, limit) if first + start == 0 else None
        raise fault_of(&c, base, limit + bounded, first, hint or self.ber_hint(&c, limit))

    def require_tag(self, Plan plan not None, ElementHeader header not None):
        """Raise DecodeError if an element does not have a tag of the type."""
        cdef Check c
        if accepts(&plan.node, header.h.tag) or (self.ber and may_be_segmented(&plan.node, header.h.tag)):
            return
        check_begin(&c, &self.options, NULL)
        fail_tag(&c, &plan.node, &header.h, FAULT_UNEXPECTED_TAG)
        raise self.error_at(&c, header)

    def component(self, Plan plan not None, Py_ssize_t following, ElementHeader header not None):
        """Return the number of the component of a SEQUENCE, from `following` on, that an element belongs to.

        Return None for an unknown addition. Raise DecodeError if the element is neither.
        """
        cdef Check c
        cdef const Node *node = &plan.node
        cdef const Component *first = node.components + min(following, node.component_count)
        cdef const Component *last = node.components + node.component_count
        cdef const Component *found = first
        if match_component(&found, last, header.octets[0], header.h.tag):
            return found - node.components
        if self.ber and header.h.tag & 1:
            found = first
            if match_component(&found, last, header.octets[0] ^ 0x20, header.h.tag ^ 1) \
                    and may_be_segmented(found.node, header.h.tag):
                return found - node.components
            found = first
            match_component(&found, last, header.octets[0], header.h.tag)
        if node.extensible and is_addition(node, first - node.components, found - node.components, header.h.tag):
            return None
        check_begin(&c, &self.options, NULL)
        fail_match(&c, node, first - node.components, found - node.components, &header.h)
        raise self.error_at(&c, header)

    def member(self, Plan plan not None, ElementHeader header not None):
        """Do what `component` does, for a SET."""
        cdef Check c
        cdef const Node *node = &plan.node
        cdef const Component *found = match_member(node, header.octets[0], header.h.tag)
        if found == NULL and self.ber and header.h.tag & 1:
            found = match_member(node, header.octets[0] ^ 0x20, header.h.tag ^ 1)
            if found != NULL and not may_be_segmented(found.node, header.h.tag):
                found = NULL
        if found != NULL:
            return found - node.components
        if node.extensible and not has_other_form(node, 0, node.component_count, header.h.tag):
            return None
        check_begin(&c, &self.options, NULL)
        if fail_form(&c, node, 0, &header.h):
            fail(&c, FAULT_MEMBER_EXTRA, header.octets, NULL)
        raise self.error_at(&c, header)

    def alternative(self, Plan plan not None, ElementHeader header not None):
        """Return the number of the alternative of a CHOICE that an element is, None for an unknown one."""
        cdef Check c
        cdef const Node *node = &plan.node
        cdef Py_ssize_t index = find_alternative(node, header.h.tag)
        if index < 0 and self.ber and may_be_segmented(node, header.h.tag):
            index = find_alternative(node, header.h.tag ^ 1)
        if index >= 0:
            return index
        if node.extensible and index == -1 and find_alternative(node, header.h.tag ^ 1) == -1:
            return None
        check_begin(&c, &self.options, NULL)
        fail_tag(&c, node, &header.h, FAULT_UNEXPECTED_TAG)
        raise self.error_at(&c, header)

    def selected(self, Plan plan not None, Plan around, bytes scope):
        """Return the type that the selector of an open type chooses, and whether a mismatch is opaque; or None.

        Args:
            around: the plan of the SEQUENCE or SET around the open type; None if there is none.
            scope: its contents so far; a component that is not a selector can be any element with its tag.
        """
        cdef Scope found
        cdef const OpenEntry *entry
        if around is not None:
            set_scope(&found, &around.node, <const uint8_t *>PyBytes_AS_STRING(scope),
                      <const uint8_t *>PyBytes_AS_STRING(scope) + PyBytes_GET_SIZE(scope))
        entry = selected(&plan.node, NULL if around is None else &found)
        if entry == NULL:
            return None
        return plan_of(entry.node), bool(entry.opaque_on_mismatch)

    def value(self, Plan plan not None, data, Py_ssize_t start, Py_ssize_t first, Py_ssize_t stop, int levels,
              Plan around=None, bytes scope=b"", bint with_value=True):
        """Return the value of the DER element at `start` and a copy of its bytes; None if it is not all in memory.

        Args:
            data, start, first, stop: as for `read_header`.
            levels: the number of elements around it, which the limit on nesting counts.
            around, scope: as for `selected`, if the type depends on a selector.
            with_value: false to validate the element and return None in place of its value.
        """
        cdef Py_buffer buffer
        cdef Header h
        cdef const uint8_t *p
        cdef const uint8_t *end
        cdef bytes octets
        PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
        try:
            require_place(buffer.len, start, first, stop)
            p = <const uint8_t *>buffer.buf + start
            end = <const uint8_t *>buffer.buf + buffer.len
            if 0 <= stop - first < buffer.len:
                end = <const uint8_t *>buffer.buf + (stop - first)
            if reread_header(p, end, &h) != FAULT_NONE:
                return None
            octets = (<const char *>p)[:h.end - p]
        finally:
            PyBuffer_Release(&buffer)
        return part_value(self, plan, octets, first + start, levels, around, scope, None, with_value), octets

    def converted_value(self, Plan plan not None, bytes octets not None, Py_ssize_t first, int levels,
                        Plan around=None, bytes scope=b"", bint with_value=True):
        """Return the value of a BER element and its DER; `first` is its offset, the others are as for `value`."""
        cdef bytes der
        cdef ConversionLog log
        require_place(0, 0, first, -1)
        der, log = convert_part(self, plan, octets, first, levels, around, scope)
        return part_value(self, plan, der, first, levels, around, scope, log, with_value), der
