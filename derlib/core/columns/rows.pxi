# From a validated value to the rows of a batch.

cdef bint cell_own(Extraction *x, Column *c) noexcept nogil:
    """Append the cell of a column that is not a value of the input."""
    if c.leaf == LEAF_INPUT:
        return cell_word(c, x.input)
    if x.error == NULL:
        return cell_null(c)
    if c.leaf == LEAF_ERROR:
        return cell_octets(c, x.error, x.error_length)
    if c.leaf == LEAF_ERROR_RULE:
        return cell_null(c) if x.error_rule == NULL else cell_octets(c, x.error_rule, x.error_rule_length)
    return cell_null(c) if x.error_offset < 0 else cell_word(c, x.error_offset)


cdef bint finish_cells(Extraction *x, bint constant) noexcept nogil:
    """Append the cells that the walk found, and nulls for the others."""
    cdef Column *c
    cdef Py_ssize_t i
    cdef bint done
    for i in range(x.column_count):
        c = x.columns + i
        if c.constant != constant:
            continue
        if c.leaf >= LEAF_INPUT:
            done = cell_own(x, c)
        elif c.listed:
            done = end_list(c)
        else:
            done = cell_value(c, c.node, &c.h) if c.present else cell_null(c)
        c.present = False
        if not done:
            return False
    return not x.failed


cdef bint put_row(Extraction *x, const Header *row) noexcept nogil:
    """Append the cells of the next row, and perhaps store it as a template."""
    x.wanted = LEADS_TO_CELLS
    x.unsure = False
    visit(x, x.rows_step, x.row_node, row)
    if x.templates != NULL:
        if x.templates.waiting > 0:
            x.templates.waiting -= 1
        elif x.row_end - row.start >= ROW_MARGIN:
            x.templates.misses += 1
            store_row(x, row)
    x.row = row.end
    return finish_cells(x, False)


cdef int64_t put_matching(Extraction *x, int64_t most) noexcept nogil:
    """Append the cells of a block of rows that match templates; return their number, -1 if there is no memory."""
    cdef uint64_t flags
    cdef int64_t count
    if x.templates == NULL or x.templates.waiting > 0:
        return 0
    if gives_up(x.templates.misses, x.templates.hits):
        x.templates.waiting = ROWS_WITHOUT_TEMPLATES
        x.templates.misses = x.templates.hits = 0
        return 0
    count = match_rows(x, most, &flags)
    x.templates.hits += count
    return count if count == 0 or put_block(x, count, flags) else -1


cdef void expect_rows(Extraction *x, int64_t most, size_t room) noexcept nogil:
    """Note how much memory the columns will need for the next rows, if these are as long as the first one."""
    cdef Header row
    cdef int64_t count
    cdef Py_ssize_t i
    cdef Column *c
    if reread_header(x.row, x.row_end, &row):
        return
    count = min(min(most, (x.row_end - x.row) // (row.end - row.start) + 1), <int64_t>(room // 8) + 1)
    for i in range(x.column_count):
        c = x.columns + i
        if c.constant or c.listed:
            continue
        c.validity.expected = <size_t>(c.count + count) >> 3
        if is_variable(c.leaf):
            c.offsets.expected = <size_t>(4 * (c.count + count + 1))
        elif c.leaf != LEAF_BOOLEAN:
            c.values.expected = <size_t>(c.width * (c.count + count))


cdef int64_t put_rows(Extraction *x, const Node *node, const Header *h, int64_t most, size_t room) noexcept nogil:
    """Append rows of the value, at least one, until there are `most` or they fill `room` bytes; return their number.

    Return -1 if there is no memory. `begin_value` was called, and returned True.
    """
    cdef int64_t count = 0
    cdef int64_t matching
    cdef Header row
    cdef size_t size
    cdef size_t before = batch_octets(x)
    x.wanted = LEADS_TO_CONSTANTS
    visit(x, 0, node, h)
    if not finish_cells(x, True):
        return -1
    if x.rows_step < 0:
        return 1
    # Each row repeats the constant cells.
    size = batch_octets(x) - before
    if size > 0 and <int64_t>(room // size) < most:
        most = max(<int64_t>(room // size), <int64_t>1)
    expect_rows(x, most, room)
    while count < most and x.row < x.row_end:
        matching = put_matching(x, most - count)
        if matching < 0:
            return -1
        count += matching
        if matching == 0:
            if reread_header(x.row, x.row_end, &row):
                x.row = x.row_end
                break
            if not put_row(x, &row):
                return -1
            count += 1
        if batch_octets(x) - before > room:
            break
    return count if repeat_constants(x, count - 1) else -1


cdef bint repeat_constants(Extraction *x, int64_t times) noexcept nogil:
    """Append more copies of the last row to the columns that are the same in all rows."""
    cdef Py_ssize_t i
    cdef int64_t j
    for i in range(x.column_count):
        if x.columns[i].constant:
            for j in range(times):
                if not repeat_last(x.columns + i):
                    return False
    return True


cdef bint put_empty_row(Extraction *x) noexcept nogil:
    """Append a row for an input that has no value."""
    return finish_cells(x, True) and finish_cells(x, False)


cdef inline size_t batch_octets(const Extraction *x) noexcept nogil:
    """Return the size of the batch."""
    cdef size_t size = 0
    cdef Py_ssize_t i
    for i in range(x.column_count):
        size += column_octets(x.columns + i)
    return size
