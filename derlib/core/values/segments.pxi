# The contents of an element of a stream, as far as they are in memory: to skip them, and to copy those of segments.

def skip_nested(data, Py_ssize_t start, Py_ssize_t levels):
    """Skip elements inside `levels` elements of indefinite length, until the end of the outermost one.

    Return where it stopped and the number of levels that are left: not 0 if the bytes in memory end, or are invalid.
    """
    cdef Py_buffer buffer
    cdef Header h
    cdef const uint8_t *base
    cdef const uint8_t *p
    cdef const uint8_t *end
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        require_place(buffer.len, start, 0, -1)
        # Each level that is added takes two bytes, so their number does not overflow.
        if not 0 <= levels <= <Py_ssize_t>PART_LENGTH_MOST:
            raise ValueError("the number of levels is not possible")
        base = <const uint8_t *>buffer.buf
        end = base + buffer.len
        p = base + start
        while levels > 0:
            if read_ber_header(p, end, &h) != FAULT_NONE:
                break
            if h.end == NULL:
                p = h.content
                levels += 1
            else:
                if h.tag == 0 and h.end - h.start == 2:
                    levels -= 1
                p = h.end
        return p - base, levels
    finally:
        PyBuffer_Release(&buffer)


def find_ber_end(data, Py_ssize_t start, Py_ssize_t levels):
    """Search the end of the BER element at the start of `data`, from `start`, inside `levels` indefinite lengths.

    Return where it stopped, the number of levels there, and whether more bytes are necessary to go on from there. If
    not, the element ends there, or is invalid or nested too deeply.
    """
    cdef Py_buffer buffer
    cdef Header h
    cdef const uint8_t *base
    cdef const uint8_t *p
    cdef const uint8_t *end
    cdef int fault = FAULT_NONE
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        require_place(buffer.len, start, 0, -1)
        base = <const uint8_t *>buffer.buf
        end = base + buffer.len
        p = base + start
        while 0 <= levels <= DEPTH_MOST:
            fault = read_ber_header(p, end, &h)
            if fault != FAULT_NONE:
                break
            p = h.content if h.end == NULL else h.end
            if h.end == NULL:
                levels += 1
            elif h.tag == 0 and h.end - h.start == 2:
                levels -= 1
            if levels <= 0:
                break
        return p - base, levels, fault in (FAULT_IDENTIFIER_TRUNCATED, FAULT_LENGTH_TRUNCATED, FAULT_CONTENT_TRUNCATED)
    finally:
        PyBuffer_Release(&buffer)


def take_segments(data, Py_ssize_t start, Py_ssize_t stop):
    """Return the contents of the primitive OCTET STRINGs that follow each other at `start`, their number and end.

    Stop at `stop`, and at the first element that is anything else or not all in memory.
    """
    cdef Py_buffer buffer
    cdef Header h
    cdef const uint8_t *base
    cdef const uint8_t *p
    cdef const uint8_t *end
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t length = 0
    cdef bytes joined
    cdef char *to
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        # Here, -1 is no offset.
        require_place(buffer.len, start, 0, stop if stop >= 0 else -2)
        base = <const uint8_t *>buffer.buf
        end = base + min(stop, buffer.len)
        p = base + start
        while p < end and octet_at(p) == 0x04 and reread_header(p, end, &h) == FAULT_NONE:
            length += h.end - h.content
            count += 1
            p = h.end
        end = p
        joined = PyBytes_FromStringAndSize(NULL, length)
        to = PyBytes_AS_STRING(joined)
        # The buffer is locked, but another thread could change its bytes: never write more than was counted, and leave
        # no memory without a value.
        memset(to, 0, length)
        p = base + start
        while p < end and reread_header(p, end, &h) == FAULT_NONE and h.end - h.content <= length:
            memcpy(to, h.content, h.end - h.content)
            to += h.end - h.content
            length -= h.end - h.content
            p = h.end
    finally:
        PyBuffer_Release(&buffer)
    return joined, count, end - base
