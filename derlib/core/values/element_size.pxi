# The size of an element, by its headers: for bytes that arrive in pieces.

def element_size(data, *, rules="der"):
    """Return the size in bytes of the first element in `data`, which can be more than `data` has.

    This reads headers only. For a definite length, it takes the same time whatever the size. An indefinite length has
    no size in its header, so the headers inside the element are read up to its end.

    Args:
        data: a contiguous buffer that begins with an element, such as a `bytearray` of what was received so far.
        rules: "der"; or "ber" for BER and CER, where lengths can be indefinite, or longer than necessary.

    Returns:
        The size of the whole element, header and end-of-contents octets included. None if more bytes are necessary to
        know it: the header is not complete, or an indefinite length has no end yet. Compare the size with a limit, or
        for None the length of `data`, before you wait for more.

    Raises:
        DecodeError: the identifier or length octets are not valid (X.690 8.1.2, 8.1.3; for DER also 10.1), or the tag
            is reserved (8.1.5). `offset` counts from the start of `data`. The contents are not validated.
        LimitError: the tag is larger than derlib reads.
        TypeError: `data` is not a buffer.
        BufferError: `data` is not contiguous.
        ValueError: `rules` is neither "der" nor "ber".

    >>> import derlib
    >>> received = bytearray.fromhex("30 82")
    >>> print(derlib.element_size(received))
    None
    >>> received += bytes.fromhex("01 00")
    >>> derlib.element_size(received)
    260
    >>> derlib.element_size(bytes.fromhex("3080 020101 0000 3080"), rules="ber")
    7
    """
    cdef Py_buffer buffer
    cdef const uint8_t *base
    if rules != "der":
        require_ber(rules)
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        base = <const uint8_t *>buffer.buf
        return first_size(base, base + buffer.len, rules != "der")
    finally:
        PyBuffer_Release(&buffer)


cdef object first_size(const uint8_t *base, const uint8_t *limit, bint is_ber):
    """Return the size of the element at `base`, or None if it is not known yet; raise an error for its headers."""
    cdef Check c
    cdef Header h
    cdef Options options = STRICT
    cdef const uint8_t *p = base
    cdef Py_ssize_t levels = 0      # the number of indefinite lengths around `p`
    cdef bint is_end
    cdef int fault
    while True:
        fault = read_ber_header(p, limit, &h) if is_ber else read_header(p, limit, &h)
        if fault == FAULT_IDENTIFIER_TRUNCATED or fault == FAULT_LENGTH_TRUNCATED:
            return None
        is_end = is_end_of_contents(p, limit)
        if (fault == FAULT_NONE or fault == FAULT_CONTENT_TRUNCATED) and h.tag >> 1 == 0 and not (levels and is_end):
            fault = end_of_contents_fault(p, limit)
        if fault == FAULT_CONTENT_TRUNCATED and (is_ber or is_shortest_length(&h)):
            return None if levels else announced(&h)
        if fault != FAULT_NONE:
            options.names_no_deviation = True
            options.reads_ber = is_ber
            check_begin(&c, &options, NULL)
            fail_header(&c, fault, &h, limit, NULL)
            raise fault_of(&c, base, limit, 0, input_hint(base, limit) or (None if is_ber else ber_hint(&c, limit)))
        if h.end == NULL:
            levels += 1
            p = h.content
        else:
            levels -= is_end
            p = h.end
        if levels == 0:
            return p - base


cdef object announced(const Header *h):
    """Return the size of an element whose header declares more contents octets than the input has."""
    cdef const uint8_t *p = length_octets(h)
    length = octet_at(p) if h.content - p == 1 else int.from_bytes((<const char *>p)[1:h.content - p], "big")
    return length + (h.content - h.start)
