# The stream of batches: validates each input and moves its cells into arrays. The Arrow C stream interface calls it.

from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.errno cimport EBUSY, EINVAL, EIO, ENOMEM

cdef enum:
    # A batch ends with the row that makes it larger than this.
    BATCH_OCTETS = 1 << 24

cdef struct ArrowArrayStream:
    int (*get_schema)(ArrowArrayStream *, ArrowSchema *) noexcept
    int (*get_next)(ArrowArrayStream *, ArrowArray *) noexcept
    const char *(*get_last_error)(ArrowArrayStream *) noexcept
    void (*release)(ArrowArrayStream *) noexcept
    void *private_data


@cython.final
cdef class ColumnStream:
    """Batches of the columns of a program, from an iterator of inputs.

    Args:
        program: the columns.
        inputs: an iterator of encodings; None is an input without a value.
        batch_rows: the number of rows of a batch.
        null_on_error: whether an input that is rejected becomes a row without values.
        limits: the `Limits` of the check, or None.
    """
    cdef ColumnProgram program
    cdef object inputs
    cdef int64_t batch_rows
    cdef bint null_on_error
    cdef Options options
    cdef Extraction x
    cdef Source source              # the input whose rows are not all in batches yet, or None
    cdef Header top
    cdef bint busy                  # a batch is being made
    cdef readonly object error      # the exception that ended the stream, or None
    cdef bytes message

    def __cinit__(self, ColumnProgram program not None, inputs, int64_t batch_rows, bint null_on_error, limits=None):
        cdef Py_ssize_t i
        if batch_rows < 1:
            raise ValueError("batch_rows is 1 or more")
        program.used = True
        self.program = program
        self.inputs = inputs
        self.batch_rows = batch_rows
        self.null_on_error = null_on_error
        read_options(None, None if limits is None else read_limits(limits), &self.options)
        self.message = b""
        self.x.column_count = len(program.columns)
        self.x.columns = <Column *>calloc(max(self.x.column_count, <Py_ssize_t>1), sizeof(Column))
        if self.x.columns == NULL:
            self.x.column_count = 0
            raise MemoryError
        for i in range(self.x.column_count):
            _, leaf, listed, constant = program.columns[i]
            self.x.columns[i].leaf = leaf
            self.x.columns[i].listed = listed
            self.x.columns[i].constant = constant
            if program.words[i] is not None:
                self.x.columns[i].words = &(<WordTable>program.words[i]).words
        self.x.templates = begin_templates(self.x.columns, self.x.column_count)
        self.x.steps = program._steps()
        self.x.rows_step = program.rows_step
        self.x.options = &self.options
        self.x.input = -1

    def __dealloc__(self):
        cdef Py_ssize_t i
        for i in range(self.x.column_count):
            free_column(self.x.columns + i)
        free(self.x.columns)
        free(self.x.templates)

    @property
    def lost(self):
        """The number of values of each column that its cells cannot hold, in a tuple."""
        cdef list counts = []
        cdef Py_ssize_t i
        for i in range(self.x.column_count):
            counts.append(self.x.columns[i].lost)
        return tuple(counts)

    def capsule(self):
        """Return the stream in a PyCapsule."""
        return stream_capsule(self)

    cdef bint _next_batch(self, ArrowArray *array) except -1:
        """Set the next batch; return False after the last one."""
        cdef int64_t rows = 0
        cdef int64_t count
        cdef size_t size
        while rows < self.batch_rows:
            if self.source is None and not self._next_input(&rows):
                break
            if self.source is None:
                continue
            size = batch_octets(&self.x)
            if rows > 0 and size >= <size_t>BATCH_OCTETS:
                break
            count = self._put_rows(self.batch_rows - rows, <size_t>BATCH_OCTETS - min(size, <size_t>BATCH_OCTETS))
            if count < 0:
                raise MemoryError("no memory for the batch, or a column of it has more than 2 GiB")
            rows += count
            if self.x.row >= self.x.row_end:
                self._check_lost()
                self.source = None
        if rows == 0:
            return False
        self._check_lost()
        if not give_batch(&self.x, rows, array):
            raise MemoryError
        return True

    cdef int64_t _put_rows(self, int64_t most, size_t room) except? -1:
        cdef int64_t count
        if self.source.size >= GIL_RELEASE_SIZE:
            with nogil:
                count = put_rows(&self.x, &self.program.plan.node, &self.top, most, room)
        else:
            count = put_rows(&self.x, &self.program.plan.node, &self.top, most, room)
        return count

    cdef bint _next_input(self, int64_t *rows) except -1:
        """Validate the next input; return False after the last one. The source stays None if it has no rows."""
        cdef Source source
        cdef Check c
        cdef bint valid
        cdef const Node *node = &self.program.plan.node
        try:
            data = next(self.inputs)
        except StopIteration:
            return False
        self.x.input += 1
        self.x.error = NULL
        if data is None:
            self._put_empty_row(rows)
            return True
        source = source_new(data, True, False)
        check_begin(&c, &self.options, NULL)
        if source.size >= GIL_RELEASE_SIZE:
            with nogil:
                valid = check(&c, node, source.base, source.base + source.size, False, &self.top)
        else:
            valid = check(&c, node, source.base, source.base + source.size, False, &self.top)
        if not valid and not self.null_on_error:
            raise fault_in_input(&c, source.base, source.base + source.size, 0)
        if not valid:
            self._put_error(&c, source, rows)
        elif begin_value(&self.x, node, &self.top):
            self.source = source
        return True

    cdef int _put_error(self, Check *c, Source source, int64_t *rows) except -1:
        """Append the row of an input that was rejected."""
        kind, _, clause, _ = FAULTS[c.fault]
        cdef bytes kind_text = kind.encode()
        cdef bytes rule = clause.encode()
        self.x.error = <const uint8_t *><const char *>kind_text
        self.x.error_length = len(kind_text)
        self.x.error_rule = <const uint8_t *><const char *>rule
        self.x.error_rule_length = len(rule)
        self.x.error_offset = c.at - source.base
        self._put_empty_row(rows)
        self.x.error = NULL
        return 0

    cdef int _put_empty_row(self, int64_t *rows) except -1:
        if not put_empty_row(&self.x):
            raise MemoryError
        rows[0] += 1
        return 0

    cdef int _check_lost(self) except -1:
        """Raise OverflowError if an INTEGER does not fit its column."""
        cdef Py_ssize_t i
        for i in range(0 if self.null_on_error else self.x.column_count):
            if self.x.columns[i].lost and self.x.columns[i].leaf == LEAF_INTEGER:
                name = self.program.columns[i][0]
                raise OverflowError(
                    f"input {self.x.input}: a value of column {name!r} does not fit int64; "
                    f"Column(path, 'binary') holds any INTEGER"
                )
        return 0

    cdef int _fail(self, error) noexcept:
        """Keep the exception that ends the stream; return its errno."""
        self.error = error
        self.inputs = iter(())
        self.source = None
        self.message = f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace").replace(b"\0", b"")
        return ENOMEM if isinstance(error, MemoryError) else EINVAL if isinstance(error, ValueError) else EIO


cdef int stream_get_schema(ArrowArrayStream *stream, ArrowSchema *schema) noexcept with gil:
    cdef ColumnStream self = <ColumnStream>stream.private_data
    memset(schema, 0, sizeof(ArrowSchema))
    try:
        fill_schema(self.program, schema)
    except BaseException as error:
        return self._fail(error)
    return 0


cdef int stream_get_next(ArrowArrayStream *stream, ArrowArray *array) noexcept with gil:
    cdef ColumnStream self = <ColumnStream>stream.private_data
    memset(array, 0, sizeof(ArrowArray))
    # The iterator of the inputs may run any code, and another thread may run while the GIL is released.
    if self.busy:
        return EBUSY
    if self.error is not None:
        return EIO
    self.busy = True
    try:
        self._next_batch(array)
    except BaseException as error:
        return self._fail(error)
    finally:
        self.busy = False
    return 0


cdef const char *stream_get_last_error(ArrowArrayStream *stream) noexcept with gil:
    return <const char *>(<ColumnStream>stream.private_data).message


cdef void stream_release(ArrowArrayStream *stream) noexcept with gil:
    cdef object self = <object>stream.private_data
    stream.release = NULL
    stream.private_data = NULL
    Py_DECREF(self)


cdef void free_stream_capsule(object capsule) noexcept:
    cdef ArrowArrayStream *stream = <ArrowArrayStream *>PyCapsule_GetPointer(capsule, "arrow_array_stream")
    if stream.release != NULL:
        stream.release(stream)
    free(stream)


cdef object stream_capsule(ColumnStream self):
    """Return a stream in a PyCapsule."""
    cdef ArrowArrayStream *stream = <ArrowArrayStream *>calloc(1, sizeof(ArrowArrayStream))
    if stream == NULL:
        raise MemoryError
    try:
        capsule = PyCapsule_New(stream, "arrow_array_stream", free_stream_capsule)
    except BaseException:
        free(stream)
        raise
    stream.get_schema = stream_get_schema
    stream.get_next = stream_get_next
    stream.get_last_error = stream_get_last_error
    stream.private_data = <void *>self
    Py_INCREF(self)
    stream.release = stream_release
    return capsule
