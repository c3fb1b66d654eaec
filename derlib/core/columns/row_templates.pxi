# Row templates: the fast path for rows that differ only in the contents of their values, such as CRL entries.
#
# A row that the walk has read is stored as a template: its bytes, and where the cells of its columns are in it. The
# contents of primitive values are free to differ, except those of OBJECT IDENTIFIERs, which can be keys. A later row
# with the same bytes everywhere else has the same headers and keys, so the same cells at the same places. A block of
# such rows is written column by column, in short loops.
#
# A row takes the walk, if
#   - it is one of the first TEMPLATE_AFTER rows of the stream, or ends close to the end of the list;
#   - it is longer than ROW_SIZE bytes, or matches no earlier row of its length;
#   - the program has a list column in the rows, or more columns than ROW_COLUMNS (`begin_templates`);
#   - the contents decide whether it has a cell (`has_type`);
#   - too few rows matched (`gives_up`).

cdef enum:
    ROW_SIZE = 2 * TEMPLATE_SIZE
    ROW_MARGIN = ROW_SIZE + 16          # the bytes that are readable from the start of a row: copies are in 16 bytes
    ROW_TEMPLATES = 32
    ROW_COLUMNS = 16
    ROWS_IN_BLOCK = 256
    ROWS_WITHOUT_TEMPLATES = 4096       # after templates were given up

cdef enum RowFlag:                      # the first bit of a column that
    ROW_PRESENT = 0                     # has a cell
    ROW_ABSENT = ROW_COLUMNS            # has none
    ROW_SLOW = 2 * ROW_COLUMNS          # has a cell that is not quick, or none and no loop for those that are

cdef struct RowCell:                    # where a row has the cell of a column
    const Node *node                    # of the value in tags and choices
    Py_ssize_t start                    # in the row: the element, its contents, and its end
    Py_ssize_t content
    Py_ssize_t end
    Py_ssize_t copied                   # the first byte that `put_copies` copies
    int shift                           # of an integer: the bits of eight bytes that are after its contents
    int64_t mask                        # all bits if there is a cell, else none
    const uint8_t *default              # the encoding of a DEFAULT value, which is not in the row, or NULL

cdef struct RowTemplate:
    Py_ssize_t size                     # of the row, 0 without a template
    Ranges first                        # of the bytes of the row
    Ranges second
    uint64_t flags                      # of the columns: one or more of RowFlag, at the bit of the column
    RowCell[ROW_COLUMNS] cells          # of each column

cdef struct RowTemplates:
    Py_ssize_t hits
    Py_ssize_t misses
    Py_ssize_t waiting                  # the number of rows to which no template is applied
    Py_ssize_t compared                 # the bytes of a row that are not free in some template are among so many
    bint uniform                        # all rows of the block have the same template
    bint varied                         # the rows of the last block often had another template than the row before
    RowTemplate[ROW_TEMPLATES] slots
    # The rows of a block, and the template of each
    const uint8_t *rows[ROWS_IN_BLOCK]
    const RowTemplate *of_row[ROWS_IN_BLOCK]

# The seconds from 1970-01-01 to the day before the first one of a month, by YY * 16 + MM of a UTCTime. With bytes that
# are not digits, YY and MM are at most 165.
cdef int64_t[165 * 16 + 165 + 1] SECONDS_BEFORE

# The deviations of character strings, and of the unused bits of a BIT STRING.
cdef uint64_t TOLERATED_TEXTS = (_options.Deviation.STRING_ALPHABET | _options.Deviation.STRING_ENCODING).value
cdef uint64_t TOLERATED_BITS = _options.Deviation.UNUSED_BITS.value


cdef void fill_days() noexcept:
    cdef int year
    cdef int month
    memset(SECONDS_BEFORE, 0, sizeof(SECONDS_BEFORE))
    for year in range(100):
        for month in range(1, 13):
            # RFC 5280 4.1.2.5.1, as in `utc_time_read`.
            SECONDS_BEFORE[16 * year + month] = 86400 * (
                days_from_civil(year + (1900 if year >= 50 else 2000), month, 1) - 1)

fill_days()


cdef RowTemplates *begin_templates(const Column *columns, Py_ssize_t count) noexcept nogil:
    """Return memory for the templates of a stream with these columns; NULL if it has none, or there is no memory."""
    cdef RowTemplates *templates
    cdef Py_ssize_t i
    if count > ROW_COLUMNS:
        return NULL
    for i in range(count):
        if columns[i].listed and not columns[i].constant:
            return NULL
    templates = <RowTemplates *>calloc(1, sizeof(RowTemplates))
    if templates != NULL:
        templates.waiting = TEMPLATE_AFTER
    return templates


cdef void free_contents(Ranges *ranges, const uint8_t *start, const Node *node, const Header *value) noexcept nogil:
    """Allow the contents of the primitive values in an element to differ, except those of OBJECT IDENTIFIERs."""
    cdef Header h = value[0]
    cdef Header element
    cdef ComponentWalk walk
    cdef Py_ssize_t i
    node = inner_value(node, &h)
    if node == NULL:
        return
    if node.kind == KIND_SEQUENCE or node.kind == KIND_SET:
        begin_walk(&walk, node, h.content, h.end)
        while next_component(&walk):
            if walk.component != NULL:
                free_contents(ranges, start, walk.component.node, &walk.h)
    elif is_list(node.kind):
        while h.content < h.end and reread_header(h.content, h.end, &element) == FAULT_NONE:
            free_contents(ranges, start, node.element, &element)
            h.content = element.end
    elif node.kind < KIND_SEQUENCE and node.kind != KIND_OBJECT_IDENTIFIER:
        for i in range(h.content - start, h.end - start):
            allow_any(&ranges[i // TEMPLATE_SIZE], i % TEMPLATE_SIZE, 1)


cdef void store_row(Extraction *x, const Header *row) noexcept nogil:
    """Store the row that was just visited as a template. ROW_SIZE bytes are readable from its start."""
    cdef RowTemplate *template = &x.templates.slots[octet_at(row.start + 1) % ROW_TEMPLATES]
    cdef Ranges *ranges = &template.first
    cdef Py_ssize_t size = row.end - row.start
    cdef RowCell *cell
    cdef const Column *c
    cdef Header h
    cdef Py_ssize_t i
    template.size = 0
    if x.unsure or row.content - row.start != 2 or size > ROW_SIZE:
        return
    for i in range(2):
        memcpy(ranges[i].low, row.start + i * TEMPLATE_SIZE, TEMPLATE_SIZE)
        memset(ranges[i].span, 0, TEMPLATE_SIZE)
    for i in range(size, ROW_SIZE):
        allow_any(&ranges[i // TEMPLATE_SIZE], i % TEMPLATE_SIZE, 1)
    free_contents(ranges, row.start, x.row_node, row)
    template.flags = 0
    for i in range(x.column_count):
        c = x.columns + i
        if c.constant or c.leaf >= LEAF_INPUT:
            continue
        cell = &template.cells[i]
        memset(cell, 0, sizeof(RowCell))
        if not c.present:
            template.flags |= <uint64_t>1 << (i + ROW_ABSENT)
            if not has_loop(c.leaf):
                template.flags |= <uint64_t>1 << (i + ROW_SLOW)
            continue
        template.flags |= <uint64_t>1 << (i + ROW_PRESENT)
        cell.mask = -1
        cell.node = c.node
        if c.h.start < row.start or c.h.end > row.end:
            cell.default = c.h.start
            cell.content = c.h.content - c.h.start
            cell.end = c.h.end - c.h.start
            template.flags |= <uint64_t>1 << (i + ROW_SLOW)
            continue
        h = c.h
        free_contents(ranges, row.start, c.node, &h)
        if not is_whole(c.leaf) and c.leaf != LEAF_ALTERNATIVE and c.leaf != LEAF_DISPLAY:
            cell.node = inner_value(c.node, &h)
            if cell.node == NULL:
                return
        cell.start = h.start - row.start
        cell.content = h.content - row.start
        cell.end = h.end - row.start
        cell.shift = <int>(64 - 8 * (cell.end - cell.content))
        cell.copied = cell.start if c.leaf == LEAF_ENCODING else cell.content
        if c.leaf == LEAF_CONTENTS and is_bits(cell.node.kind):
            cell.copied += 1
        if not is_quick(c.leaf, cell, x.options.tolerated):
            template.flags |= <uint64_t>1 << (i + ROW_SLOW)
    for i in range(ROW_SIZE):
        if not ranges[i // TEMPLATE_SIZE].span[i % TEMPLATE_SIZE]:
            x.templates.compared = max(x.templates.compared, i + 1)
    template.size = size


cdef inline bint has_loop(int leaf) noexcept nogil:
    """Return whether `put_quick` has a loop for cells of a leaf. A block without any cell of a column takes it, too."""
    return leaf == LEAF_INTEGER or leaf == LEAF_TIME or leaf == LEAF_TEXT or leaf == LEAF_CONTENTS \
        or leaf == LEAF_ENCODING


cdef bint is_quick(int leaf, const RowCell *cell, uint64_t tolerated) noexcept nogil:
    """Return whether the loop of a column with this leaf can write a cell, also if faults in it are tolerated."""
    cdef int kind = cell.node.kind
    cdef Py_ssize_t n = cell.end - cell.content
    if leaf == LEAF_INTEGER:
        return is_integer(kind) and 1 <= n <= 8
    if leaf == LEAF_TIME:
        return kind == KIND_UTC_TIME and n == 13
    if leaf == LEAF_TEXT:
        return is_utf8(kind) and not (is_character_string(kind) and tolerated & TOLERATED_TEXTS)
    if leaf == LEAF_CONTENTS and is_bits(kind) and tolerated & TOLERATED_BITS:
        return False
    return leaf == LEAF_ENCODING or (leaf == LEAF_CONTENTS and (n > 0 or not is_bits(kind)))


cdef inline bint is_row(const RowTemplate *template, const uint8_t *p, Py_ssize_t compared) noexcept nogil:
    """Return whether the row at `p` matches a template.

    Always compare as much as the template needs that needs most: if rows of several sizes alternate, a processor cannot
    predict a branch on the size.
    """
    if not template.size or not in_ranges16(p, &template.first, 0):
        return False
    if compared <= 16:
        return True
    if not in_ranges16(p, &template.first, 16):
        return False
    if compared > TEMPLATE_HALF and not in_ranges(p, &template.first, TEMPLATE_HALF):
        return False
    return compared <= TEMPLATE_SIZE or (
        in_ranges(p + TEMPLATE_SIZE, &template.second, 0)
        and in_ranges(p + TEMPLATE_SIZE, &template.second, TEMPLATE_HALF))


cdef int64_t match_rows(Extraction *x, int64_t most, uint64_t *flags) noexcept nogil:
    """Find the rows from the next one on that match templates, and return their number, which is at most a block.

    `flags` is set to those of all templates.
    """
    cdef RowTemplates *templates = x.templates
    cdef const RowTemplate *template = NULL
    cdef const uint8_t *p = x.row
    cdef const uint8_t *last
    cdef Py_ssize_t compared = templates.compared
    cdef int64_t count = 0
    cdef uint64_t found = 0
    cdef int64_t changes = 0            # rows with another template than the row before
    cdef int64_t i
    if x.row_end - p < ROW_MARGIN:
        return 0
    last = x.row_end - ROW_MARGIN
    most = min(most, <int64_t>ROWS_IN_BLOCK)
    while count < most and p <= last:
        template = &templates.slots[octet_at(p + 1) % ROW_TEMPLATES]
        # The length of the row is one of the compared bytes.
        if not is_row(template, p, compared):
            break
        found |= template.flags
        changes += 1
        if templates.varied:
            templates.rows[count] = p
            templates.of_row[count] = template
            count += 1
            p += template.size
            continue
        # Most rows are like the one before. Then the processor need not wait for the length of each row to find the
        # next one.
        while True:
            templates.rows[count] = p
            templates.of_row[count] = template
            count += 1
            p += template.size
            if count >= most or p > last or not is_row(template, p, compared):
                break
    x.row = p
    flags[0] = found
    if templates.varied:
        # In this loop, only each row itself shows whether it is like the one before.
        changes = 0
        for i in range(1, count):
            changes += templates.of_row[i] != templates.of_row[i - 1]
    elif changes:
        changes -= 1
    templates.uniform = changes == 0
    templates.varied = changes > ROWS_IN_BLOCK // 16
    return count


cdef bint put_block(Extraction *x, int64_t n, uint64_t flags) noexcept nogil:
    """Append the cells of `n` rows that match templates with these flags."""
    cdef Column *c
    cdef int64_t i
    cdef Py_ssize_t column
    for column in range(x.column_count):
        c = x.columns + column
        if c.constant:
            continue
        if c.leaf >= LEAF_INPUT:
            for i in range(n):
                if not cell_own(x, c):
                    return False
            continue
        if not flags >> (column + ROW_PRESENT) & 1 and c.nulls == c.count:
            c.nulls += n
            c.count += n
            continue
        if not flags >> (column + ROW_SLOW) & 1:
            if not put_quick(x.templates, column, c, n, not flags >> (column + ROW_ABSENT) & 1):
                return False
            continue
        for i in range(n):
            if not put_by_template(c, x.templates.of_row[i], column, x.templates.rows[i]):
                return False
    return True


cdef bint put_by_template(Column *c, const RowTemplate *template, Py_ssize_t column, const uint8_t *row) noexcept nogil:
    """Append the cell of one row."""
    cdef const RowCell *cell = &template.cells[column]
    cdef Header h
    if not template.flags >> (column + ROW_PRESENT) & 1:
        return cell_null(c)
    if cell.default != NULL:
        row = cell.default
    h.start = row + cell.start
    h.content = row + cell.content
    h.end = row + cell.end
    # Only an explicit tag or choice around a DEFAULT value needs the tag.
    h.tag = cell.node.tag
    if cell.default != NULL and reread_header(h.start, h.end, &h):
        return cell_lost(c)
    return cell_value(c, cell.node, &h)


cdef bint put_quick(const RowTemplates *templates, Py_ssize_t column, Column *c, int64_t n, bint all) noexcept nogil:
    """Append the cells of a column of `n` rows in one loop; return False if there is no memory."""
    if not begin_cell(c):
        return False
    if c.leaf == LEAF_INTEGER:
        if not put_integers(templates, column, c, n):
            return False
    elif c.leaf == LEAF_TIME:
        if not put_times(templates, column, c, n):
            return False
    elif not put_copies(templates, column, c, n):
        return False
    if all and c.nulls == 0:
        c.count += n
        return True
    return note_block(templates, column, c, n)


cdef bint note_block(const RowTemplates *templates, Py_ssize_t column, Column *c, int64_t n) noexcept nogil:
    """Store which cells of `n` rows have a value, and count them."""
    cdef int64_t i
    cdef uint32_t valid
    cdef uint8_t *bits
    if c.nulls == 0 and not begin_validity(&c.validity, c.count):
        return False
    if not put_zeros(&c.validity, (<size_t>(c.count + n + 7) >> 3) - c.validity.size):
        return False
    bits = c.validity.data
    for i in range(c.count, c.count + n):
        valid = <uint32_t>(templates.of_row[i - c.count].flags >> (column + ROW_PRESENT) & 1)
        bits[i >> 3] |= <uint8_t>(valid << (i & 7))
        c.nulls += not valid
    c.count += n
    return True


cdef bint put_integers(const RowTemplates *templates, Py_ssize_t column, Column *c, int64_t n) noexcept nogil:
    """Append INTEGERs of up to eight octets."""
    cdef const RowCell *cell = &templates.of_row[0].cells[column]
    cdef bint uniform = templates.uniform
    cdef uint8_t *to
    cdef int64_t word
    cdef int64_t i
    if not make_room(&c.values, 8 * n):
        return False
    to = c.values.data + c.values.size
    for i in range(n):
        if not uniform:
            cell = &templates.of_row[i].cells[column]
        word = <int64_t>big_endian(load8(templates.rows[i] + cell.content)) >> (cell.shift & 63) & cell.mask
        memcpy(to + 8 * i, &word, 8)
    c.values.size += 8 * n
    return True


cdef bint put_times(const RowTemplates *templates, Py_ssize_t column, Column *c, int64_t n) noexcept nogil:
    """Append UTCTimes, which have no leap seconds."""
    cdef const RowCell *cell = &templates.of_row[0].cells[column]
    cdef bint uniform = templates.uniform
    cdef uint8_t *to
    cdef uint32_t month
    cdef int32_t hours
    cdef int32_t seconds
    cdef int64_t word
    cdef int64_t i
    if not make_room(&c.values, 8 * n):
        return False
    to = c.values.data + c.values.size
    for i in range(n):
        if not uniform:
            cell = &templates.of_row[i].cells[column]
        hours = date_hours(templates.rows[i] + cell.content, &month, &seconds)
        word = (SECONDS_BEFORE[month] + (3600 * hours + seconds)) & cell.mask
        memcpy(to + 8 * i, &word, 8)
    c.values.size += 8 * n
    return True


cdef bint put_copies(const RowTemplates *templates, Py_ssize_t column, Column *c, int64_t n) noexcept nogil:
    """Append octets. Each copy has at least 16 of them, so there must be room for more than the contents."""
    cdef const RowCell *cell = &templates.of_row[0].cells[column]
    cdef bint uniform = templates.uniform
    cdef const uint8_t *p
    cdef uint8_t *to
    cdef uint8_t *ends
    cdef int32_t end
    cdef Py_ssize_t length
    cdef int64_t i
    if c.values.size > <size_t>(0x7FFFFFFF - ROWS_IN_BLOCK * ROW_MARGIN) \
            or not make_room(&c.values, ROWS_IN_BLOCK * ROW_MARGIN) or not make_room(&c.offsets, 4 * (n + 1)):
        return False
    to = c.values.data + c.values.size
    if c.offsets.size == 0:
        memset(c.offsets.data, 0, 4)
        c.offsets.size = 4
    ends = c.offsets.data + c.offsets.size
    end = <int32_t>c.values.size
    for i in range(n):
        if not uniform:
            cell = &templates.of_row[i].cells[column]
        length = cell.end - cell.copied
        p = templates.rows[i] + cell.copied
        memcpy(to, p, 16)
        if unlikely(length > 16):
            memcpy(to + 16, p + 16, length - 16)
        to += length
        end += <int32_t>length
        memcpy(ends + 4 * i, &end, 4)
    c.offsets.size += 4 * n
    c.values.size = <size_t>end
    return True
