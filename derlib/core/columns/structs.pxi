# Struct columns: each field of the structs is a column of its own.
#
# A cell of LEAF_ATTRIBUTES is a list: `offsets` of the column counts structs. The fields have a cell for each struct.
# A cell of LEAF_ALTERNATIVE is a struct. If it is null, so are its fields.

cdef enum:                          # the fields of an attribute
    FIELD_RDN = 0                   # the number of its RelativeDistinguishedName, from 0
    FIELD_TYPE
    FIELD_VALUE
    ATTRIBUTE_FIELDS

cdef enum:                          # the fields of an alternative
    FIELD_ALTERNATIVE = 0
    FIELD_TEXT
    ALTERNATIVE_FIELDS


cdef int fields_of(int leaf) noexcept nogil:
    """Return the number of fields that a leaf has, 0 if its cells have no structs."""
    return ATTRIBUTE_FIELDS if leaf == LEAF_ATTRIBUTES else ALTERNATIVE_FIELDS if leaf == LEAF_ALTERNATIVE else 0


cdef int field_leaf(int leaf, int number) noexcept nogil:
    """Return the leaf of a field."""
    return LEAF_INTEGER if leaf == LEAF_ATTRIBUTES and number == FIELD_RDN else LEAF_TEXT


cdef const char *field_name(int leaf, int number) noexcept nogil:
    """Return the name of a field."""
    if leaf == LEAF_ALTERNATIVE:
        return "alternative" if number == FIELD_ALTERNATIVE else "value"
    return "rdn" if number == FIELD_RDN else "type" if number == FIELD_TYPE else "value"


cdef int make_fields(Column *c) except -1:
    """Allocate the fields of a column, if it has structs."""
    cdef int count = fields_of(c.leaf)
    cdef int i
    if count == 0:
        return 0
    c.fields = <Column *>calloc(count, sizeof(Column))
    if c.fields == NULL:
        raise MemoryError
    c.field_count = count
    c.nested = True
    for i in range(count):
        c.fields[i].leaf = field_leaf(c.leaf, i)
        c.fields[i].width = cell_width(c.fields[i].leaf, 0)
        # Then its nulls are stored at once, too.
        c.fields[i].listed = c.listed
    return 0


cdef bint null_fields(Column *c) noexcept nogil:
    """Append a null to a column of structs."""
    cdef int i
    if c.leaf == LEAF_ATTRIBUTES:
        return put_offset(&c.offsets, <size_t>c.fields[0].count) and end_cell(c, False)
    for i in range(c.field_count):
        if not cell_null(c.fields + i):
            return False
    return end_cell(c, False)


cdef bint store_null_structs(Column *c) noexcept nogil:
    """Add the nulls of a column that has only nulls to its fields, which have no cells yet."""
    cdef int i
    for i in range(c.field_count):
        c.fields[i].count = c.fields[i].nulls = c.count
    return True


cdef bint repeat_fields(Column *c, int64_t at) noexcept nogil:
    """Append a copy of a cell that is not null."""
    cdef int32_t[2] offsets
    cdef int64_t i
    cdef int field
    if c.leaf == LEAF_ALTERNATIVE:
        for field in range(c.field_count):
            if not repeat_cell(c.fields + field, at):
                return False
        return end_cell(c, True)
    memcpy(offsets, c.offsets.data + 4 * at, 8)
    for i in range(offsets[0], offsets[1]):
        for field in range(c.field_count):
            if not repeat_cell(c.fields + field, i):
                return False
    return put_offset(&c.offsets, <size_t>c.fields[0].count) and end_cell(c, True)


cdef bint cell_attributes(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append the attributes of an RDNSequence."""
    cdef Header h = value[0]
    cdef Header level
    cdef Header attribute
    cdef const uint8_t *p
    cdef const uint8_t *q
    cdef int64_t rdn = 0
    node = inner_value(node, &h)
    if node == NULL or node.kind != KIND_SEQUENCE_OF:
        return cell_lost(c)
    if not begin_cell(c):
        return False
    p = h.content
    while p < h.end and reread_header(p, h.end, &level) == FAULT_NONE:
        q = level.content
        while q < level.end and reread_header(q, level.end, &attribute) == FAULT_NONE:
            if not put_attribute_fields(c, rdn, &attribute):
                return False
            q = attribute.end
        p = level.end
        rdn += 1
    return put_offset(&c.offsets, <size_t>c.fields[0].count) and end_cell(c, True)

CELLS[<int>LEAF_ATTRIBUTES] = cell_attributes


cdef bint put_attribute_fields(Column *c, int64_t rdn, const Header *attribute) noexcept nogil:
    """Append a struct for an AttributeTypeAndValue; none if another thread has broken it."""
    cdef Header type
    cdef Header value
    cdef const Word *short_name
    cdef Column *names = c.fields + FIELD_TYPE
    cdef int kind
    if reread_header(attribute.content, attribute.end, &type) or reread_header(type.end, attribute.end, &value):
        return True
    if not cell_word(c.fields + FIELD_RDN, rdn):
        return False
    short_name = find_word(c.words, type.content, type.end - type.content)
    if short_name == NULL:
        if not begin_cell(names) or not put_oid(&names.values, type.content, type.end - type.content) \
                or not put_offset(&names.offsets, names.values.size) or not end_cell(names, True):
            return False
    elif not cell_octets(names, short_name.text, short_name.text_length):
        return False
    kind = universal_kind(value.tag)
    if not reads_as_text(kind):
        return cell_hexadecimal(c.fields + FIELD_VALUE, &value)
    return cell_string(c.fields + FIELD_VALUE, kind, value.content, value.end - value.content)


cdef bint cell_string(Column *c, int kind, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append a value that `reads_as_text`."""
    cdef int size = text_octets(c, kind, p, n)
    if size:
        return cell_characters(c, size, p, n)
    # X.690 8.26.5: the contents octets of a DURATION are without the P.
    return begin_cell(c) and buffer_put(&c.values, <const char *>b"P", 1 if kind == KIND_DURATION else 0) \
        and buffer_put(&c.values, p, n) and put_offset(&c.offsets, c.values.size) and end_cell(c, True)


cdef bint cell_hexadecimal(Column *c, const Header *value) noexcept nogil:
    """Append # and the digits of an encoding (RFC 4514 2.4)."""
    return begin_cell(c) and buffer_put(&c.values, <const char *>b"#", 1) \
        and put_hexadecimal(&c.values, value.start, value.end - value.start) \
        and put_offset(&c.offsets, c.values.size) and end_cell(c, True)


cdef const AlternativeText *find_text(const Column *c, const Node **node, const Header *value,
                                      Header *h) noexcept nogil:
    """Return how the value in a CHOICE becomes text, and set its type and header; NULL for an unknown alternative."""
    cdef Py_ssize_t index
    # A row template does not have the tag.
    if reread_header(value.start, value.end, h):
        return NULL
    while node[0].kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, h):
            return NULL
        node[0] = node[0].element
    if not is_choice(node[0].kind):
        return NULL
    index = find_alternative(node[0], h.tag)
    # An alternative after the extension marker may be unknown.
    if c.alternatives == NULL or not 0 <= index < min(c.alternatives.count, node[0].component_count):
        return NULL
    node[0] = node[0].components[index].node
    return c.alternatives.texts + index


cdef bint cell_alternative(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append the alternative of a CHOICE."""
    cdef const AlternativeText *text
    cdef Header h
    text = find_text(c, &node, value, &h)
    if text == NULL:
        return cell_lost(c)
    if not begin_cell(c) or not cell_octets(c.fields + FIELD_ALTERNATIVE, text.name, text.name_length) \
            or not cell_value_text(c.fields + FIELD_TEXT, text, node, &h):
        return False
    c.lost += c.fields[FIELD_TEXT].lost
    c.fields[FIELD_TEXT].lost = 0
    return end_cell(c, True)

CELLS[<int>LEAF_ALTERNATIVE] = cell_alternative


cdef bint cell_value_text(Column *c, const AlternativeText *text, const Node *node,
                          const Header *value) noexcept nogil:
    """Append the text of the value of an alternative."""
    cdef Header h = value[0]
    cdef const uint8_t *p
    cdef Py_ssize_t n
    cdef bint done
    if text.text == VALUE_ENCODING:
        return cell_hexadecimal(c, value)
    node = inner_value(node, &h)
    if node == NULL:
        return cell_lost(c)
    p = h.content
    n = h.end - p
    if text.text == VALUE_TEXT:
        c.words = text.words
        return cell_value(c, node, &h)
    if is_bits(node.kind) and n > 0:
        p += 1
        n -= 1
    if not begin_cell(c):
        return False
    if text.text == VALUE_ADDRESS and (n == 4 or n == 8 or n == 16 or n == 32):
        done = put_address(&c.values, p, n)
    else:
        done = put_hexadecimal(&c.values, p, n)
    return done and put_offset(&c.offsets, c.values.size) and end_cell(c, True)
