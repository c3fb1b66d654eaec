# The alternative of a CHOICE and its value for people, as `derlib.pretty` shows them on one line, but never shortened.
#
# Most values are text, an address or a name, which are written here. A Python function returns the cells of the others.

cdef enum Shown:
    SHOWN_FAILED = 0                # no memory
    SHOWN_DONE
    SHOWN_LOST                      # another thread has broken the value


cdef bint cell_display(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append the alternative of a CHOICE, and the text of its value."""
    cdef const Node *inner = node
    cdef Header h
    cdef size_t start
    cdef const AlternativeText *text = find_text(c, &inner, value, &h)
    cdef int done
    if text == NULL:
        return cell_lost(c)
    if not begin_cell(c):
        return False
    start = c.values.size
    if not buffer_put(&c.values, text.name, text.name_length) or not buffer_put(&c.values, <const char *>b": ", 2):
        return False
    done = put_value(c, text, inner, &h)
    if done == SHOWN_LOST:
        c.values.size = start
        done = put_shown(c, value.start, value.end - value.start)
    if done == SHOWN_LOST:
        c.values.size = start
        return cell_lost(c)
    return done == SHOWN_DONE and put_offset(&c.offsets, c.values.size) and end_cell(c, True)

CELLS[<int>LEAF_DISPLAY] = cell_display


cdef int put_value(Column *c, const AlternativeText *text, const Node *node, const Header *value) noexcept nogil:
    """Append the text of a value, a member of Shown: SHOWN_LOST if only the function can write it."""
    cdef Header h = value[0]
    cdef const uint8_t *p
    cdef Py_ssize_t n
    cdef size_t start = c.values.size
    cdef const Words *words = c.words       # a column can have names that are not in a CHOICE, too
    cdef bint done
    if text.text == VALUE_SHOWN:
        return SHOWN_LOST
    node = inner_value(node, &h)
    if node == NULL:
        return SHOWN_LOST
    p = h.content
    n = h.end - p
    if text.text == VALUE_ADDRESS:
        if n != 4 and n != 8 and n != 16 and n != 32:
            return SHOWN_LOST
        return SHOWN_DONE if put_address(&c.values, p, n) else SHOWN_FAILED
    if node.kind == KIND_SEQUENCE_OF:
        c.words = text.words
        done = put_name_text(c, &h)
        c.words = words
        if not done:
            return SHOWN_FAILED
        if c.values.size > start:
            return SHOWN_DONE
        return SHOWN_DONE if buffer_put(&c.values, <const char *>b"(empty)", 7) else SHOWN_FAILED
    if not is_utf8(node.kind) or not is_ascii(p, n):
        return SHOWN_LOST
    if not put_visible(&c.values, p, n):
        return SHOWN_FAILED
    # `derlib.pretty` has no spaces at the end of a line.
    while c.values.size > start - 1 and c.values.data[c.values.size - 1] == c" ":
        c.values.size -= 1
    return SHOWN_DONE


cdef bint put_visible(Buffer *buffer, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append ASCII text with escapes for control characters, and with doubled backslashes."""
    cdef uint8_t *to
    cdef Py_ssize_t i
    if n > PY_SSIZE_T_MAX // 4 or not make_room(buffer, 4 * <size_t>n):
        return False
    to = buffer.data + buffer.size
    for i in range(n):
        if p[i] < 0x20 or p[i] >= 0x7F:
            to[0] = c"\\"
            to[1] = c"x"
            to[2] = hex_digit(p[i] >> 4)
            to[3] = hex_digit(p[i] & 15)
            to += 4
            continue
        if p[i] == c"\\":
            to[0] = c"\\"
            to += 1
        to[0] = p[i]
        to += 1
    buffer.size = to - buffer.data
    return True


cdef int put_shown(Column *c, const uint8_t *p, Py_ssize_t n) noexcept with gil:
    """Append what the function of the column returns for an encoding; return a member of Shown."""
    cdef bytes text
    if c.alternatives.shown == NULL:
        return SHOWN_LOST
    try:
        text = (<object>c.alternatives.shown)((<const char *>p)[:n]).encode()
    except MemoryError:
        return SHOWN_FAILED
    except Exception:
        return SHOWN_LOST
    return SHOWN_DONE if buffer_put(&c.values, <const char *>text, len(text)) else SHOWN_FAILED
