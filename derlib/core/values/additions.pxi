# Unknown additions of extensible SEQUENCE and SET values (X.680 25, 27), as TLVs and as plain data.

# The key of unknown additions in plain data.
ADDITIONS = "$additions"

cdef tuple additions_in(Source source, const Node *node, const uint8_t *content, const uint8_t *end):
    """Return the unknown additions of a validated SEQUENCE or SET, as TLVs."""
    cdef ComponentWalk walk
    cdef list additions = []
    if not node.extensible:
        return ()
    begin_walk(&walk, node, content, end)
    while next_component(&walk):
        if walk.component == NULL:
            additions.append(tlv_new(source, &walk.h))
    if walk.next != end:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return tuple(additions)


cdef object native_additions(Source source, const Node *node, const Header *h, bint json):
    """Return the unknown additions as plain data: the encoding of each."""
    cdef list encodings = []
    for element in additions_in(source, node, h.content, h.end):
        encodings.append(element.encode().hex() if json else element.encode())
    return encodings
