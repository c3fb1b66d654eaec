# Unknown additions of extensible SEQUENCE and SET values (X.680 25, 27), as TLVs and as plain data.

# The key of unknown additions in plain data.
ADDITIONS = "$additions"

cdef tuple additions_in(Source source, const Node *node, const uint8_t *content, const uint8_t *end):
    """The unknown additions of a proved SEQUENCE or SET, as TLVs."""
    cdef Header h
    cdef const uint8_t *p = content
    cdef Py_ssize_t first = 0
    cdef Py_ssize_t found
    cdef list additions = []
    if not node.extensible:
        return ()
    while p < end:
        if reread_header(p, end, &h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        if node.kind == KIND_SET:
            found = -1 if is_unknown_member(node, h.tag) else 0
        else:
            found = component_of(node, first, h.tag)
            first = node.insertion if found < 0 else found + 1
        if found < 0:
            additions.append(tlv_new(source, &h))
        p = h.end
    return tuple(additions)


cdef object native_additions(Source source, const Node *node, const Header *h, bint json):
    """Unknown additions as plain data: the octets of each."""
    return [element.encode().hex() if json else element.encode()
            for element in additions_in(source, node, h.content, h.end)]
