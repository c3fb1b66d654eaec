# The stream of batches: gives inputs to tasks, and the batches that they make to the consumer. The Arrow C stream
# interface calls it.

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.errno cimport EBUSY, EINVAL, EIO, ENOMEM

cdef enum:
    # The inputs that a task takes at a time, and their size; with several threads, also what a batch has.
    TASK_INPUTS = 16384
    TASK_OCTETS = 1 << 20
    THREAD_TASK_OCTETS = 1 << 23


# Instead of an encoding, an input that is a PEM block that is not valid.
INVALID_PEM = object()


@cython.final
cdef class ColumnStream:
    """Batches of the columns of a program, from an iterator of inputs.

    Args:
        program: the columns.
        inputs: an iterator of encodings, or `ArrowInputs`; None is an input without a value.
        batch_rows: the number of rows of a batch.
        null_on_error: whether an input that is rejected becomes a row without values.
        limits: the `Limits` of the check, or None.
        threads: the number of threads.
        files: if the first input is a path, returns an iterator of the encodings in this file and in those of the
            other inputs; its method `place` returns the file of an input.
        tolerate: the `Deviation` of the check, or None.
    """
    cdef ColumnProgram program
    cdef object inputs              # an iterator
    cdef ArrowInputs arrow          # the inputs if they are an Arrow column, or None
    cdef int64_t input_count        # the inputs that were read
    cdef object failure             # the exception of the iterator, which is raised after the inputs before it
    cdef list workers
    cdef Py_ssize_t running         # workers that have batches or errors for the consumer
    cdef Py_ssize_t current         # the next one of them
    cdef bint ended                 # all inputs are in batches
    # With several threads: a large input, and its parts
    cdef Source large
    cdef Split split
    cdef Header top
    cdef bint busy                  # a batch is being made
    cdef readonly object error      # the exception that ended the stream, or None
    cdef readonly int64_t error_input       # the number of the input that it is about, or -1
    cdef object files
    cdef object place               # returns what the message of an error calls the input with a number
    cdef bytes message

    def __cinit__(self, ColumnProgram program not None, inputs, int64_t batch_rows, bint null_on_error, limits=None,
                  int threads=1, files=None, tolerate=None):
        cdef int i
        if batch_rows < 1:
            raise ValueError("batch_rows is 1 or more")
        if not 1 <= threads <= THREADS_LIMIT:
            raise ValueError(f"threads is from 1 to {THREADS_LIMIT}")
        program.close()
        self.program = program
        if isinstance(inputs, ArrowInputs):
            self.arrow = <ArrowInputs>inputs
        else:
            self.inputs = inputs
        self.message = b""
        self.error_input = -1
        self.files = files
        self.place = "input {}".format
        self.workers = []
        for i in range(threads):
            self.workers.append(ColumnWorker(program, batch_rows, null_on_error, limits, tolerate))

    def __dealloc__(self):
        free_split(&self.split)

    @property
    def lost(self):
        """The number of values of each column that its cells cannot hold, in a tuple."""
        cdef list counts = [0] * len(self.program.columns)
        cdef ColumnWorker worker
        cdef Py_ssize_t i
        for worker in self.workers:
            for i in range(len(counts)):
                counts[i] += worker.task.x.columns[i].lost
        return tuple(counts)

    def capsule(self):
        """Return the stream in a PyCapsule."""
        return stream_capsule(self)

    cdef bint _next_batch(self, ArrowArray *array) except -1:
        """Set the next batch; return False after the last one."""
        while True:
            PyErr_CheckSignals()
            if self._give(array):
                return True
            if self.ended:
                if self.failure is not None:
                    raise self.failure
                return False
            if len(self.workers) == 1:
                self._step()
            else:
                self._round()

    cdef bint _give(self, ArrowArray *array) except -1:
        """Set the next batch that is complete; return False if there is none."""
        cdef ColumnWorker worker
        while self.current < self.running:
            worker = self.workers[self.current]
            if worker.task.given < worker.task.batch_count:
                array[0] = worker.task.batches[worker.task.given]
                worker.task.given += 1
                return True
            error = worker.error()
            if error is not None:
                if worker.task.state != MEMORY_FULL:
                    self.error_input = worker.task.x.input
                raise error
            self.current += 1
        return False

    cdef int _step(self) except -1:
        """Continue the only task until it has a batch, or takes inputs."""
        cdef ColumnWorker worker = self.workers[0]
        cdef Task *t = &worker.task
        cdef bint done = True
        t.batch_count = t.given = 0
        with nogil:
            t.state = fill_batch(t)
        if t.state == INPUTS_END and self._take_inputs(worker, TASK_OCTETS) == 0:
            self.ended = True
        if t.rows > 0 and (t.state == BATCH_FULL or (self.ended and self.failure is None)):
            done = end_batch(t)
        if not done:
            raise MemoryError
        self.current = 0
        self.running = 1
        return 0

    cdef int _round(self) except -1:
        """Run a task in each thread."""
        cdef ColumnWorker worker
        cdef Py_ssize_t count = 0
        for worker in self.workers[:self.running]:
            empty_task(&worker.task)
        self.current = self.running = 0
        if self.large is not None and self.split.count == 0 and self._begin_split():
            self.input_count += 1
        if self.split.count:
            count = self._take_parts()
        else:
            for worker in self.workers:
                if self._take_inputs(worker, THREAD_TASK_OCTETS) == 0:
                    break
                count += 1
                if self.large is not None:
                    break
        if count > 0:
            run_jobs(self.workers, count)
        elif self.large is None:
            self.ended = True
        self.running = count
        if self.split.count and self.split.next == self.split.count:
            free_split(&self.split)
            self.large = None
        return 0

    cdef Py_ssize_t _take_inputs(self, ColumnWorker worker, Py_ssize_t room) except -1:
        """Give a task the next inputs, and return their number. A large input can be kept for all threads."""
        cdef Task *t = &worker.task
        cdef Input one
        cdef Py_ssize_t size = 0
        cdef int64_t most = min(<int64_t>TASK_INPUTS, t.batch_rows - t.rows)
        t.input_count = t.next = 0
        t.x.input = self.input_count - 1
        worker.sources = []
        while t.input_count < most and size < room and self.failure is None:
            try:
                if not self._next_input(worker, &one):
                    break
            except StopIteration:
                break
            except BaseException as error:
                self.failure = error
                break
            worker.add_input(&one, TASK_INPUTS)
            size += one.size
            self.input_count += 1
        return t.input_count

    cdef bint _next_input(self, ColumnWorker worker, Input *one) except -1:
        """Set the next input, whose memory the worker keeps; return False if it is large, or after the last one."""
        cdef Source source = self.large
        self.large = None
        one.invalid_pem = False
        if source is None:
            if self.arrow is not None:
                return self._next_arrow_input(worker, one)
            data = next(self.inputs)
            if self.input_count == 0 and self.files is not None and hasattr(data, "__fspath__"):
                self.inputs = self.files(data, self.inputs)
                self.place = self.inputs.place
                data = next(self.inputs)
            if data is None or data is INVALID_PEM:
                one.base = NULL
                one.size = 0
                one.invalid_pem = data is INVALID_PEM
                return True
            source = source_new(data, True, False)
            if self._is_large(source.size):
                self.large = source
                return False
        worker.sources.append(source)
        one.base = source.base
        one.size = source.size
        return True

    cdef bint _next_arrow_input(self, ColumnWorker worker, Input *one) except -1:
        cdef Source source
        if not self.arrow.next_input(one):
            return False
        if self._is_large(one.size):
            source = empty_source()
            source.owner = self.arrow.chunk
            source.base = one.base
            source.size = one.size
            self.large = source
            return False
        if not worker.sources or worker.sources[len(worker.sources) - 1] is not self.arrow.chunk:
            worker.sources.append(self.arrow.chunk)
        return True

    cdef bint _is_large(self, Py_ssize_t size) noexcept:
        """Return whether a list in an input may be split."""
        return len(self.workers) > 1 and self.program.rows_step >= 0 and size >= SPLIT_LEAST

    cdef bint _begin_split(self) except -1:
        """Validate the large input in parts; return False if it is not valid, or is not split."""
        cdef Source source = self.large
        cdef ColumnWorker worker = self.workers[0]
        cdef Task *t = &worker.task
        cdef Extraction *x = &t.x
        cdef const uint8_t *end = source.base + source.size
        cdef CheckedList checked
        cdef int threads = <int>len(self.workers)
        cdef bint valid
        # The parts are checked without tolerated faults.
        t.record.count = 0
        with nogil:
            valid = reread_header(source.base, end, &self.top) == FAULT_NONE and begin_value(x, t.node, &self.top) \
                and guess_parts(&self.split, x.list_node, x.row, x.row_end, threads)
        if valid:
            checked.node = x.list_node
            checked.content = x.row
            checked.end = x.row_end
            valid = self._check_parts(&checked)
        if valid:
            check_begin(&t.c, x.options, NULL)
            t.c.checked = &checked
            with nogil:
                valid = check(&t.c, t.node, source.base, end, False, &self.top)
            t.c.checked = NULL
        if not valid:
            free_split(&self.split)
        return valid

    cdef bint _check_parts(self, CheckedList *checked) except -1:
        """Check all parts, and count their elements and levels; return False if one of them is not valid."""
        cdef ColumnWorker worker
        cdef Py_ssize_t count = min(<Py_ssize_t>len(self.workers), self.split.count)
        cdef Py_ssize_t i
        cdef Py_ssize_t first = 0
        cdef Py_ssize_t after
        cdef bint valid = True
        for i in range(count):
            worker = self.workers[i]
            after = self.split.count * (i + 1) // count
            worker.job.part.node = self.split.node
            worker.job.part.options = &worker.options
            worker.job.part.starts = self.split.starts + first
            worker.job.part.count = after - first
            first = after
        run_jobs(self.workers, count)
        checked.elements = 0
        checked.levels = 0
        for i in range(count):
            worker = self.workers[i]
            worker.job.part.count = 0
            valid = valid and worker.job.part.valid and worker.job.part.elements <= PY_SSIZE_T_MAX - checked.elements
            if valid:
                checked.elements += worker.job.part.elements
                checked.levels = max(checked.levels, worker.job.part.levels)
        return valid

    cdef Py_ssize_t _take_parts(self) except -1:
        """Give each task a part of the list; return their number."""
        cdef ColumnWorker worker
        cdef Task *t
        cdef Py_ssize_t count = 0
        for worker in self.workers:
            if self.split.next == self.split.count:
                break
            t = &worker.task
            t.top = self.top
            t.active = True
            t.x.input = self.input_count - 1
            mark_input(&t.x, self.large.base, self.large.size)
            # A list with tolerated faults is not split.
            t.record.count = 0
            mark_lenient(&t.x, False)
            t.x.row_node = self.split.node.element
            t.x.row = self.split.starts[self.split.next]
            t.x.row_end = self.split.starts[self.split.next + 1]
            self.split.next += 1
            count += 1
        return count

    cdef int _fail(self, error) noexcept:
        """Keep the exception that ends the stream; return its errno."""
        cdef ColumnWorker worker
        cdef Py_ssize_t i
        self.error = error
        self.inputs = self.arrow = self.large = None
        self.ended = True
        for i in range(len(self.workers)):
            worker = self.workers[i]
            empty_task(&worker.task)
            worker.sources = None
        try:
            text = f"{type(error).__name__}: {error}"
            if self.error_input >= 0:
                text = f"{self.place(self.error_input)}: {text}"
            self.message = text.encode("utf-8", "backslashreplace").replace(b"\0", b"")
        except BaseException:
            # There is no memory for the text, or the exception cannot make one. The stream must still fail.
            self.message = b"the exception has no text"
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
