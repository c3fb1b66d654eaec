# From a distinguished name to its string form of RFC 4514, as `str(Name)` returns it, or to that of `Name.display`.
#
# The words of the column are the short names of attribute types. The string form begins with the last level, so the
# levels are found first, and then written backwards.

cdef enum:
    NAME_LEVELS = 32                # longer names need memory for their levels
    ESCAPED_MOST = 6                # the most characters for an octet: \c2\80 for 80 of a TeletexString

# For each octet: 1 for a character that always has a backslash, 2 for one that is written in hexadecimal.
cdef uint8_t[256] NAME_ESCAPES


cdef void fill_name_escapes() noexcept:
    cdef int octet
    for octet in range(256):
        # RFC 4514 2.4 requires hexadecimal for U+0000 only. All control characters have it, so that a name is one line.
        NAME_ESCAPES[octet] = 2 if octet < 0x20 or octet == 0x7F else 0
    for octet in b'"+,;<>\\':
        NAME_ESCAPES[octet] = 1

fill_name_escapes()


cdef inline uint8_t hex_digit(int value) noexcept nogil:
    return <uint8_t>(value + (0x30 if value < 10 else 0x57))


cdef bint cell_name(Column *c, const Header *levels) noexcept nogil:
    """Append a cell with the text of an RDNSequence."""
    return begin_cell(c) and put_name_text(c, levels) and put_offset(&c.offsets, c.values.size) and end_cell(c, True)


cdef bint put_name_text(Column *c, const Header *levels) noexcept nogil:
    """Append the text of an RDNSequence."""
    cdef Header[NAME_LEVELS] few
    cdef Header *found = few
    cdef Header level
    cdef const uint8_t *p = levels.content
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t i
    cdef bint done
    while p < levels.end and reread_header(p, levels.end, &level) == FAULT_NONE:
        count += 1
        p = level.end
    if count > NAME_LEVELS:
        found = <Header *>malloc(count * sizeof(Header))
        if found == NULL:
            return False
    p = levels.content
    # Another thread may change the buffer, so the number of levels is a limit.
    for i in range(count):
        if reread_header(p, levels.end, found + i):
            count = i
            break
        p = found[i].end
    done = put_levels(c, found, count)
    if found != few:
        free(found)
    return done


cdef bint put_levels(Column *c, const Header *found, Py_ssize_t count) noexcept nogil:
    """Append the levels, the last one first (RFC 4514 2.1), and the attributes of each (2.2)."""
    cdef Header attribute
    cdef const uint8_t *p
    cdef Py_ssize_t i
    cdef bint spaced = c.words != NULL and c.words.spaced
    for i in range(count - 1, -1, -1):
        if i < count - 1 and not buffer_put(&c.values, <const char *>b", ", 1 + spaced):
            return False
        p = found[i].content
        while p < found[i].end and reread_header(p, found[i].end, &attribute) == FAULT_NONE:
            if p > found[i].content and not put_plus(&c.values, spaced):
                return False
            if not put_attribute(c, &attribute):
                return False
            p = attribute.end
    return True


cdef inline bint put_plus(Buffer *buffer, bint spaced) noexcept nogil:
    return buffer_put(buffer, <const char *>b" + ", 3) if spaced else buffer_put(buffer, <const char *>b"+", 1)


cdef bint put_attribute(Column *c, const Header *attribute) noexcept nogil:
    """Append an AttributeTypeAndValue (RFC 4514 2.3, 2.4)."""
    cdef Header type
    cdef Header value
    cdef const Word *short_name
    cdef int kind
    if reread_header(attribute.content, attribute.end, &type) or reread_header(type.end, attribute.end, &value):
        return True
    short_name = find_word(c.words, type.content, type.end - type.content)
    if short_name == NULL:
        if not put_oid(&c.values, type.content, type.end - type.content):
            return False
        if c.words == NULL or not c.words.spaced:
            return put_encoding(&c.values, &value)
    elif not buffer_put(&c.values, short_name.text, short_name.text_length):
        return False
    kind = universal_kind(value.tag)
    if not reads_as_text(kind):
        return put_encoding(&c.values, &value)
    if not buffer_put(&c.values, <const char *>b"=P", 2 if kind == KIND_DURATION else 1):
        return False
    return put_escaped(&c.values, text_octets(c, kind, value.content, value.end - value.content), value.content,
                       value.end - value.content)


cdef inline bint reads_as_text(int kind) noexcept nogil:
    """Return whether Python has the values of a type as str."""
    return is_character_string(kind) or KIND_OID_IRI <= kind <= KIND_TIME or kind == KIND_DURATION


cdef inline bint is_wide(int kind) noexcept nogil:
    """Return whether the characters of a type have a fixed number of octets, and are not ASCII."""
    return kind == KIND_LATIN1_STRING or kind == KIND_BMP_STRING or kind == KIND_UNIVERSAL_STRING


cdef inline int text_octets(const Column *c, int kind, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return how many octets each character of a text has, 0 if it is UTF-8."""
    if unlikely(c.lenient) and is_character_string(kind) and is_in_other_encoding(kind, p, n):
        return 1
    return <int>character_octets(kind) if is_wide(kind) else 0


cdef bint is_in_other_encoding(int kind, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return whether a character string, in which faults were tolerated, reads as Latin-1."""
    if kind == KIND_BMP_STRING:
        return bmp_validate(NULL, p, n, 0) != FAULT_NONE
    if kind == KIND_UNIVERSAL_STRING:
        return universal_string_validate(NULL, p, n, 0) != FAULT_NONE
    return utf8_check(p, n) != FAULT_NONE if kind == KIND_UTF8_STRING else not is_ascii(p, n)


cdef bint put_encoding(Buffer *buffer, const Header *value) noexcept nogil:
    """Append =# and the digits of an encoding."""
    return buffer_put(buffer, <const char *>b"=#", 2) and put_hexadecimal(buffer, value.start, value.end - value.start)


cdef bint put_hexadecimal(Buffer *buffer, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append octets in hexadecimal digits."""
    cdef uint8_t *to
    cdef Py_ssize_t i
    if not make_room(buffer, 2 * <size_t>n):
        return False
    to = buffer.data + buffer.size
    for i in range(n):
        to[2 * i] = hex_digit(p[i] >> 4)
        to[2 * i + 1] = hex_digit(p[i] & 15)
    buffer.size += 2 * n
    return True


cdef bint put_escaped(Buffer *buffer, int size, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append the characters of an attribute value; each has `size` octets, or is UTF-8 if `size` is 0."""
    cdef uint8_t[4] octets
    cdef const uint8_t *character
    cdef const uint8_t *end = p + n
    cdef const uint8_t *start = p
    cdef uint8_t *to
    cdef uint8_t escape
    cdef int length
    cdef int i
    if n > PY_SSIZE_T_MAX // (2 * ESCAPED_MOST) or not make_room(buffer, ESCAPED_MOST * n):
        return False
    to = buffer.data + buffer.size
    while p < end:
        if size == 0:
            character = p
            length = 1
            while p + length < end and p[length] & 0xC0 == 0x80 and length < 4:
                length += 1
        else:
            if end - p < size:
                break
            length = utf8_of(p, size, octets)
            character = octets
        escape = NAME_ESCAPES[character[0]]
        if length == 1:
            if escape == 0 and ((p == start and (character[0] == c" " or character[0] == c"#"))
                                or (character[0] == c" " and end - p <= max(size, 1))):
                escape = 1
        elif length == 2 and character[0] == 0xC2 and character[1] < 0xA0:
            escape = 2
        p += length if size == 0 else size
        if escape == 1:
            to[0] = c"\\"
            to += 1
        for i in range(length):
            if escape == 2:
                to[0] = c"\\"
                to[1] = hex_digit(character[i] >> 4)
                to[2] = hex_digit(character[i] & 15)
                to += 3
            else:
                to[0] = character[i]
                to += 1
    buffer.size = to - buffer.data
    return True
