# The memory of a batch: growable buffers, and the cells of a column in the layout of Arrow arrays.
#
# Arrow has for each array a bitmap of the cells that are not null, which is absent if there are none, and then the
# values: bits, words of 64 bits, or 32-bit offsets into octets. A list column has its own offsets and bitmap, and its
# items are the cells. https://arrow.apache.org/docs/format/Columnar.html

from libc.stdlib cimport calloc, free, malloc

cpdef enum ColumnLeaf:              # how a value becomes a cell
    LEAF_INTEGER = 1                # int64; named bits as a number in which bit 0 is 1
    LEAF_BOOLEAN
    LEAF_TIME                       # seconds since 1970 in UTC
    LEAF_TEXT                       # UTF-8: character strings, times, OBJECT IDENTIFIERs, numbers, names (RFC 4514)
    LEAF_CONTENTS                   # contents octets; of a BIT STRING without the initial octet
    LEAF_ENCODING                   # the whole element
    LEAF_BITS                       # int64: the length in bits of the absolute value of an INTEGER
    LEAF_OFFSET                     # int64: where the element begins in the input
    LEAF_SIZE                       # int64: the octets of the whole element
    LEAF_DICTIONARY                 # int32: the number of the text, which is in the dictionary of the batch
    LEAF_DECIMAL                    # decimal of 128 bits: an INTEGER of up to 38 digits
    LEAF_DECIMAL256                 # decimal of 256 bits: up to 76 digits
    LEAF_FIXED                      # contents octets, always as many; an INTEGER is extended to them
    LEAF_ATTRIBUTES                 # list of structs: the attributes of a distinguished name
    LEAF_ALTERNATIVE                # struct: the name of an alternative of a CHOICE, and the text of its value
    LEAF_HEXADECIMAL                # UTF-8: an INTEGER in hexadecimal, such as 0x0a
    LEAF_DISPLAY                    # UTF-8: the alternative of a CHOICE and its value for people, on one line
    LEAF_INPUT                      # the number of the input
    LEAF_ERROR                      # why the input was rejected: the kind of the error
    LEAF_ERROR_OFFSET
    LEAF_ERROR_RULE

cdef struct Dictionary
cdef struct Column

ctypedef bint (*CellFunction)(Column *c, const Node *node, const Header *value) noexcept nogil

# The functions that append the cells of the leaves from LEAF_DICTIONARY on.
cdef CellFunction[<int>LEAF_INPUT] CELLS

cdef struct Buffer:
    uint8_t *data                   # from `take_memory`
    size_t size
    size_t capacity
    size_t expected                 # the least capacity of new memory

cdef struct Column:
    int leaf
    bint listed                     # each cell is a list
    bint constant                   # the same in all rows of an input
    size_t width                    # the octets of a cell that has no offsets and is not a bit
    const Words *words              # or NULL
    Dictionary *dictionary          # of LEAF_DICTIONARY
    Column *fields                  # of structs, or NULL: see core/columns/structs.pxi
    int field_count
    const Alternatives *alternatives        # of LEAF_ALTERNATIVE and LEAF_DISPLAY
    bint nested                     # there are a dictionary or fields
    const uint8_t *input            # the current input; a DEFAULT value is not in it
    const uint8_t *input_end
    bint lenient                    # faults were tolerated in the current input
    int64_t lost                    # values that their cells cannot hold, which are null
    # Cells, or the items of lists. While a column has only nulls that are not items, none is stored: see `begin_cell`.
    int64_t count
    int64_t nulls
    Buffer validity
    Buffer offsets
    Buffer values
    # Lists
    int64_t item_start              # the number of items before those of the current element
    int64_t list_count
    int64_t list_nulls
    Buffer list_validity
    Buffer list_offsets
    # The cell of the current row
    bint present
    const Node *node
    Header h


cdef inline bint make_room(Buffer *buffer, size_t n) noexcept nogil:
    """Make room for `n` more bytes; return False if there is no memory."""
    return n <= buffer.capacity - buffer.size or grow_buffer(buffer, n)


cdef bint grow_buffer(Buffer *buffer, size_t n) noexcept nogil:
    """Enlarge a buffer at least to the double."""
    cdef size_t capacity = max(max(buffer.size + n, 2 * buffer.capacity), max(buffer.expected, <size_t>64))
    cdef uint8_t *data
    if n > <size_t>PY_SSIZE_T_MAX - buffer.size:
        return False
    data = take_memory(&capacity, False)
    if data == NULL:
        return False
    if buffer.size:
        memcpy(data, buffer.data, buffer.size)
    free_memory(buffer.data)
    buffer.data = data
    buffer.capacity = capacity
    return True


cdef bint put_zeros(Buffer *buffer, size_t n) noexcept nogil:
    """Append zero octets. In an empty buffer, the system need not provide the memory before it is read."""
    cdef size_t capacity = max(n, buffer.expected)
    if buffer.data == NULL and n >= <size_t>POOL_LEAST:
        buffer.data = take_memory(&capacity, True)
        if buffer.data == NULL:
            return False
        buffer.capacity = capacity
    else:
        if not make_room(buffer, n):
            return False
        if n > 0:
            memset(buffer.data + buffer.size, 0, n)
    buffer.size += n
    return True


cdef inline bint buffer_put(Buffer *buffer, const void *octets, size_t n) noexcept nogil:
    """Append octets."""
    if not make_room(buffer, n):
        return False
    if n > 0:
        memcpy(buffer.data + buffer.size, octets, n)
    buffer.size += n
    return True


cdef inline bint put_bit(Buffer *buffer, int64_t index, bint bit) noexcept nogil:
    """Append the bit with a number."""
    if index & 7 == 0:
        if not make_room(buffer, 1):
            return False
        buffer.data[buffer.size] = 0
        buffer.size += 1
    buffer.data[index >> 3] |= <uint8_t>(<int>bit << (index & 7))
    return True


cdef inline bint put_offset(Buffer *offsets, size_t end) noexcept nogil:
    """Append an offset, and before the first one the offset 0; Arrow's have 31 bits."""
    cdef int32_t offset = 0
    if end > <size_t>0x7FFFFFFF or (offsets.size == 0 and not buffer_put(offsets, &offset, 4)):
        return False
    offset = <int32_t>end
    return buffer_put(offsets, &offset, 4)


cdef bint begin_validity(Buffer *validity, int64_t count) noexcept nogil:
    """Make the bitmap of `count` cells that are not null."""
    cdef size_t size = <size_t>(count + 7) >> 3
    if count == 0:
        return True
    if not make_room(validity, size):
        return False
    memset(validity.data, 0xFF, size)
    validity.size = size
    if count & 7:
        validity.data[size - 1] = <uint8_t>((1 << (count & 7)) - 1)
    return True


cdef bint note_validity(Buffer *validity, int64_t count, int64_t *nulls, bint valid) noexcept nogil:
    """Store whether cell number `count` has a value; the bitmap is made at the first null."""
    if valid and nulls[0] == 0:
        return True
    if nulls[0] == 0 and not begin_validity(validity, count):
        return False
    nulls[0] += not valid
    return put_bit(validity, count, valid)


cdef inline bint is_whole(int leaf) noexcept nogil:
    """Return whether the cells are those of the whole element, also if it is a CHOICE."""
    return leaf == LEAF_ENCODING or leaf == LEAF_OFFSET or leaf == LEAF_SIZE


cdef inline bint is_variable(int leaf) noexcept nogil:
    """Return whether the cells have offsets."""
    return leaf == LEAF_TEXT or leaf == LEAF_CONTENTS or leaf == LEAF_ENCODING or leaf == LEAF_ERROR \
        or leaf == LEAF_ERROR_RULE or leaf == LEAF_HEXADECIMAL or leaf == LEAF_DISPLAY


cdef size_t cell_width(int leaf, size_t fixed) noexcept nogil:
    """Return the octets of a cell that has no offsets and is not a bit; `fixed` is that of LEAF_FIXED."""
    if leaf == LEAF_FIXED:
        return fixed
    if leaf == LEAF_ATTRIBUTES or leaf == LEAF_ALTERNATIVE:
        return 0
    if leaf == LEAF_DECIMAL256:
        return 32
    if leaf == LEAF_DECIMAL:
        return 16
    return 4 if leaf == LEAF_DICTIONARY else 8


cdef inline bint end_cell(Column *c, bint valid) noexcept nogil:
    """Count a cell whose value has been appended."""
    if (c.nulls or not valid) and not note_validity(&c.validity, c.count, &c.nulls, valid):
        return False
    c.count += 1
    return True


cdef bint cell_null(Column *c) noexcept nogil:
    """Append a cell without a value."""
    cdef int64_t nothing = 0
    if c.nulls == c.count and not c.listed:
        c.nulls += 1
        c.count += 1
        return True
    if is_variable(c.leaf):
        return put_offset(&c.offsets, c.values.size) and end_cell(c, False)
    if c.leaf == LEAF_BOOLEAN:
        return put_bit(&c.values, c.count, False) and end_cell(c, False)
    if unlikely(c.width != 8):
        return null_fields(c) if c.fields != NULL else put_zeros(&c.values, c.width) and end_cell(c, False)
    return buffer_put(&c.values, &nothing, 8) and end_cell(c, False)


cdef inline bint begin_cell(Column *c) noexcept nogil:
    """Prepare to append a value: store the nulls before it, if there are only nulls."""
    return c.nulls != c.count or c.count == 0 or store_nulls(c)


cdef bint store_nulls(Column *c) noexcept nogil:
    """Store the cells of a column that has only nulls. In a column without values, they take no memory and no time."""
    cdef size_t count = <size_t>c.count
    if c.listed:
        # Items are stored at once, so that the size of the batch includes them.
        return True
    if not put_zeros(&c.validity, (count + 7) >> 3):
        return False
    if is_variable(c.leaf) or c.leaf == LEAF_ATTRIBUTES:
        return put_zeros(&c.offsets, 4 * (count + 1))
    if c.leaf == LEAF_ALTERNATIVE:
        return store_null_structs(c)
    return put_zeros(&c.values, (count + 7) >> 3 if c.leaf == LEAF_BOOLEAN else c.width * count)


cdef inline bint cell_word(Column *c, int64_t word) noexcept nogil:
    """Append a cell of 64 bits."""
    if not begin_cell(c) or not make_room(&c.values, 8):
        return False
    memcpy(c.values.data + c.values.size, &word, 8)
    c.values.size += 8
    return end_cell(c, True)


cdef inline bint cell_bit(Column *c, bint bit) noexcept nogil:
    """Append a cell of one bit."""
    return begin_cell(c) and put_bit(&c.values, c.count, bit) and end_cell(c, True)


cdef inline bint cell_octets(Column *c, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append a cell of octets."""
    return begin_cell(c) and buffer_put(&c.values, p, n) and put_offset(&c.offsets, c.values.size) \
        and end_cell(c, True)


cdef bint end_list(Column *c) noexcept nogil:
    """Append a list of the items since the last one; a null if the list is absent."""
    if not put_offset(&c.list_offsets, <size_t>c.count) \
            or not note_validity(&c.list_validity, c.list_count, &c.list_nulls, c.present):
        return False
    c.list_count += 1
    return True


cdef bint repeat_cell(Column *c, int64_t at) noexcept nogil:
    """Append a copy of a cell."""
    cdef int32_t[2] offsets
    cdef int64_t word
    if c.nulls == c.count or (c.nulls and not c.validity.data[at >> 3] >> (at & 7) & 1):
        return cell_null(c)
    if is_variable(c.leaf):
        memcpy(offsets, c.offsets.data + 4 * at, 8)
        # First make room, because the octets to copy are in the buffer itself.
        return make_room(&c.values, offsets[1] - offsets[0]) \
            and cell_octets(c, c.values.data + offsets[0], offsets[1] - offsets[0])
    if c.leaf == LEAF_BOOLEAN:
        return cell_bit(c, c.values.data[at >> 3] >> (at & 7) & 1)
    if unlikely(c.width != 8):
        return repeat_fields(c, at) if c.fields != NULL else repeat_fixed(c, at)
    memcpy(&word, c.values.data + 8 * at, 8)
    return cell_word(c, word)


cdef bint repeat_fixed(Column *c, int64_t at) noexcept nogil:
    """Append a copy of a cell of any size that is not null."""
    # First make room, because the octets to copy are in the buffer itself.
    return make_room(&c.values, c.width) and buffer_put(&c.values, c.values.data + c.width * at, c.width) \
        and end_cell(c, True)


cdef bint repeat_last(Column *c) noexcept nogil:
    """Append a copy of the last row."""
    cdef int32_t[2] offsets
    cdef int64_t i
    if not c.listed:
        return repeat_cell(c, c.count - 1)
    memcpy(offsets, c.list_offsets.data + 4 * (c.list_count - 1), 8)
    for i in range(offsets[0], offsets[1]):
        if not repeat_cell(c, i):
            return False
    c.present = not c.list_nulls or c.list_validity.data[(c.list_count - 1) >> 3] >> ((c.list_count - 1) & 7) & 1
    return end_list(c)


cdef void free_column(Column *c) noexcept nogil:
    """Free the memory of a batch, and begin the next one."""
    cdef int i
    free_memory(c.validity.data)
    free_memory(c.offsets.data)
    free_memory(c.values.data)
    free_memory(c.list_validity.data)
    free_memory(c.list_offsets.data)
    if c.dictionary != NULL:
        empty_dictionary(c.dictionary)
    for i in range(c.field_count):
        free_column(c.fields + i)
    empty_column(c)


cdef void empty_column(Column *c) noexcept nogil:
    """Forget the memory of a batch, which an array owns now."""
    memset(&c.validity, 0, sizeof(Buffer))
    memset(&c.offsets, 0, sizeof(Buffer))
    memset(&c.values, 0, sizeof(Buffer))
    memset(&c.list_validity, 0, sizeof(Buffer))
    memset(&c.list_offsets, 0, sizeof(Buffer))
    c.count = c.nulls = c.list_count = c.list_nulls = 0
    c.present = False


cdef inline size_t column_octets(const Column *c) noexcept nogil:
    """Return the size of a column in the batch."""
    cdef size_t size = c.values.size + c.offsets.size + c.list_offsets.size
    return size + nested_octets(c) if c.nested else size


cdef size_t nested_octets(const Column *c) noexcept nogil:
    """Return the size of the texts of a dictionary, or of the fields of structs."""
    cdef size_t size = 0
    cdef int i
    if c.dictionary != NULL:
        size = column_octets(dictionary_texts(c.dictionary))
    for i in range(c.field_count):
        size += column_octets(c.fields + i)
    return size
