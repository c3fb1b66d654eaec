# A task: inputs, or a part of the rows of one input, that become batches, without the GIL.
#
# A stream gives a task some inputs at a time, so that the GIL is not taken for each of them. With several threads, each
# has its own task, and the batches of the tasks are in the order of the inputs.

from libc.stdlib cimport realloc

cdef enum:
    # A batch ends with the row that makes it larger than this.
    BATCH_OCTETS = 1 << 24

cdef enum TaskState:
    INPUTS_END = 0                  # all inputs are in batches, or in the columns
    BATCH_FULL
    INPUT_INVALID                   # the check of the last input failed
    VALUE_LOST                      # an INTEGER of the last input does not fit its column
    MEMORY_FULL

cdef struct Input:
    const uint8_t *base             # NULL: a missing value, or a PEM block that is not valid
    Py_ssize_t size
    bint invalid_pem

cdef struct FaultText:
    const uint8_t *kind
    Py_ssize_t kind_length
    const uint8_t *rule
    Py_ssize_t rule_length

cdef struct Task:
    Extraction x
    const Node *node
    int64_t batch_rows
    bint null_on_error
    # Inputs that are not in batches yet
    Input *inputs
    Py_ssize_t input_count
    Py_ssize_t next
    # The input whose rows are not all in batches yet, if `active`
    bint active
    Header top
    Check c
    Record record                   # the faults that are tolerated in the last input
    int state
    int64_t rows                    # in the columns
    # Complete batches, and how many of them the consumer has
    ArrowArray *batches
    Py_ssize_t batch_count
    Py_ssize_t batch_capacity
    Py_ssize_t given

cdef FaultText[FAULT_COUNT] FAULT_TEXTS
cdef list FAULT_OCTETS = []         # keeps the text

cdef int fill_fault_texts() except -1:
    cdef bytes kind
    cdef bytes rule
    cdef int fault
    memset(FAULT_TEXTS, 0, sizeof(FAULT_TEXTS))
    for fault in range(1, <int>FAULT_COUNT):
        kind = (<str>FAULTS[fault][0]).encode()
        rule = (<str>FAULTS[fault][2]).encode()
        FAULT_OCTETS.append((kind, rule))
        FAULT_TEXTS[fault].kind = <const uint8_t *><const char *>kind
        FAULT_TEXTS[fault].kind_length = len(kind)
        FAULT_TEXTS[fault].rule = <const uint8_t *><const char *>rule
        FAULT_TEXTS[fault].rule_length = len(rule)
    return 0

fill_fault_texts()


cdef int fill_batch(Task *t) noexcept nogil:
    """Append rows until the batch is full or the inputs end; return a TaskState."""
    cdef int64_t count
    cdef size_t size
    while t.rows < t.batch_rows:
        if not t.active:
            if t.next == t.input_count:
                return INPUTS_END
            t.state = begin_input(t)
            if t.state != INPUTS_END:
                return t.state
            continue
        size = batch_octets(&t.x)
        if t.rows > 0 and size >= <size_t>BATCH_OCTETS:
            break
        count = put_rows(
            &t.x, t.node, &t.top, t.batch_rows - t.rows, <size_t>BATCH_OCTETS - min(size, <size_t>BATCH_OCTETS))
        if count < 0:
            return MEMORY_FULL
        t.rows += count
        t.active = t.x.row < t.x.row_end
        if not t.null_on_error and lost_column(&t.x) >= 0:
            return VALUE_LOST
    return BATCH_FULL


cdef int begin_input(Task *t) noexcept nogil:
    """Validate the next input, and begin its rows; return a TaskState, INPUTS_END for success."""
    cdef const Input *one = t.inputs + t.next
    cdef const uint8_t *end = one.base + one.size
    t.next += 1
    t.x.input += 1
    mark_input(&t.x, one.base, one.size)
    if one.invalid_pem:
        return put_invalid_pem(t)
    if one.base == NULL:
        return put_unread(t)
    t.record.count = t.record.pending_count = 0
    check_begin(&t.c, t.x.options, &t.record if t.x.options.tolerated else NULL)
    if check(&t.c, t.node, one.base, end, False, &t.top):
        if t.x.options.tolerated:
            sort_record(&t.record)
            mark_lenient(&t.x, t.record.count > 0)
        t.active = begin_value(&t.x, t.node, &t.top)
        return INPUTS_END
    if t.record.exhausted:
        return MEMORY_FULL
    return put_rejected(t, one) if t.null_on_error else INPUT_INVALID


cdef int put_unread(Task *t) noexcept nogil:
    """Append a row without values."""
    t.rows += 1
    return INPUTS_END if put_empty_row(&t.x) else MEMORY_FULL


cdef int put_invalid_pem(Task *t) noexcept nogil:
    """Append the row of a PEM block that is not valid; its error has no offset and no rule."""
    cdef int state
    t.x.error = <const uint8_t *>"pem-invalid"
    t.x.error_length = 11
    t.x.error_rule = NULL
    t.x.error_offset = -1
    state = put_unread(t)
    t.x.error = NULL
    return state


cdef int put_rejected(Task *t, const Input *one) noexcept nogil:
    """Append the row of an input that is not valid."""
    cdef const FaultText *text = FAULT_TEXTS + t.c.fault
    cdef int state
    t.x.error = text.kind
    t.x.error_length = text.kind_length
    t.x.error_rule = text.rule
    t.x.error_rule_length = text.rule_length
    t.x.error_offset = t.c.at - one.base
    state = put_unread(t)
    t.x.error = NULL
    return state


cdef void mark_input(Extraction *x, const uint8_t *base, Py_ssize_t size) noexcept nogil:
    """Note the input for the cells that say where an element is."""
    cdef Py_ssize_t i
    for i in range(x.column_count):
        x.columns[i].input = base
        x.columns[i].input_end = base + size


cdef void mark_lenient(Extraction *x, bint lenient) noexcept nogil:
    """Note whether values of the input can be in a form that was tolerated."""
    cdef Column *c
    cdef Py_ssize_t i
    cdef int field
    for i in range(x.column_count):
        c = x.columns + i
        c.lenient = lenient
        if c.dictionary != NULL:
            c.dictionary.texts.lenient = lenient
        for field in range(c.field_count):
            c.fields[field].lenient = lenient


cdef Py_ssize_t lost_column(const Extraction *x) noexcept nogil:
    """Return the first column that an INTEGER did not fit, or -1."""
    cdef Py_ssize_t i
    for i in range(x.column_count):
        if x.columns[i].lost and (x.columns[i].leaf == LEAF_INTEGER or x.columns[i].leaf == LEAF_BITS):
            return i
    return -1


cdef bint end_batch(Task *t) noexcept nogil:
    """Make a batch of the rows in the columns; return False if there is no memory."""
    cdef Py_ssize_t capacity
    cdef ArrowArray *batches
    if t.batch_count == t.batch_capacity:
        capacity = max(2 * t.batch_capacity, <Py_ssize_t>4)
        batches = <ArrowArray *>realloc(t.batches, capacity * sizeof(ArrowArray))
        if batches == NULL:
            return False
        t.batches = batches
        t.batch_capacity = capacity
    if not give_batch(&t.x, t.rows, t.batches + t.batch_count):
        return False
    t.batch_count += 1
    t.rows = 0
    return True


cdef void run_task(Task *t) noexcept nogil:
    """Make batches of all inputs, and set the state."""
    cdef int state = BATCH_FULL
    while state == BATCH_FULL:
        state = fill_batch(t)
        if state <= BATCH_FULL and t.rows > 0 and not end_batch(t):
            state = MEMORY_FULL
    t.state = state


cdef void empty_task(Task *t) noexcept nogil:
    """Forget the inputs and the batches that the consumer does not have."""
    cdef Py_ssize_t i
    for i in range(t.given, t.batch_count):
        t.batches[i].release(t.batches + i)
    t.batch_count = t.given = 0
    t.input_count = t.next = 0
    t.active = False
    t.state = INPUTS_END


cdef void free_task(Task *t) noexcept nogil:
    cdef Py_ssize_t i
    empty_task(t)
    for i in range(t.x.column_count):
        free_column(t.x.columns + i)
        free_dictionary(t.x.columns[i].dictionary)
        free(t.x.columns[i].fields)
    free(t.x.columns)
    free(t.x.templates)
    free(t.inputs)
    free(t.batches)
    free(t.record.entries)
    free(t.record.pending)
