# Workers: tasks that run at the same time, one in the calling thread and each of the others in a thread of its own.
#
# The threads are started for a round of tasks, and the caller waits for all of them. So no thread is left over when a
# consumer stops reading, a process forks, or Python ends. A thread needs the GIL only for rare values
# (`cell_long_oid`).

from cpython.pythread cimport (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_start_new_thread,
    PyThread_type_lock,
)

cdef enum:
    THREADS_LIMIT = 256

cdef struct Job:
    Task *task
    PartCheck part                  # what to check instead, if `part.count` is not 0
    PyThread_type_lock done         # held while a thread runs the job


@cython.final
@cython.internal
cdef class ColumnWorker:
    """A task and what it needs."""
    cdef Job job
    cdef Task task
    cdef Options options
    cdef ColumnProgram program
    cdef list sources               # keeps the inputs

    def __cinit__(self, ColumnProgram program not None, int64_t batch_rows, bint null_on_error, limits, tolerate):
        cdef Py_ssize_t i
        cdef Extraction *x = &self.task.x
        cdef Column *c
        cdef int64_t wide = 0           # the octets of a row in columns of wide cells
        self.program = program
        self.sources = []
        read_options(tolerate, None if limits is None else read_limits(limits), &self.options)
        self.task.node = &program.plan.node
        self.task.null_on_error = null_on_error
        self.job.task = &self.task
        self.job.done = PyThread_allocate_lock()
        x.columns = <Column *>calloc(max(len(program.columns), 1), sizeof(Column))
        if self.job.done == NULL or x.columns == NULL:
            raise MemoryError
        x.column_count = len(program.columns)
        for i in range(x.column_count):
            c = x.columns + i
            _, c.leaf, c.listed, c.constant, width = program.columns[i]
            c.width = cell_width(c.leaf, width)
            wide += c.width if c.width > 8 else 0
            if program.words[i] is not None:
                c.words = &(<WordTable>program.words[i]).words
            if c.leaf == LEAF_DICTIONARY:
                c.dictionary = new_dictionary(c.words)
                c.nested = True
            if program.alternatives[i] is not None:
                c.alternatives = &(<AlternativeTable>program.alternatives[i]).alternatives
            make_fields(c)
        # Nulls are not counted in the size of a batch before they are stored.
        self.task.batch_rows = batch_rows if wide == 0 else min(batch_rows, max(<int64_t>BATCH_OCTETS // wide, 1))
        x.templates = begin_templates(x.columns, x.column_count)
        x.steps = program._steps()
        x.rows_step = program.rows_step
        x.options = &self.options
        if self.options.tolerated:
            x.record = &self.task.record
        x.input = -1

    def __dealloc__(self):
        free_task(&self.task)
        if self.job.done != NULL:
            PyThread_free_lock(self.job.done)

    cdef int add_input(self, const Input *one, Py_ssize_t room) except -1:
        """Add an input to the task, which has memory for `room` inputs."""
        if self.task.inputs == NULL:
            self.task.inputs = <Input *>malloc(room * sizeof(Input))
            if self.task.inputs == NULL:
                raise MemoryError
        self.task.inputs[self.task.input_count] = one[0]
        self.task.input_count += 1
        return 0

    cdef object error(self):
        """Return the exception for the state of the task, None if there is none."""
        cdef Task *t = &self.task
        cdef const Input *one
        if t.state == INPUT_INVALID:
            one = t.inputs + (t.next - 1)
            return fault_in_input(&t.c, one.base, one.base + one.size, 0)
        if t.state == VALUE_LOST:
            name = self.program.columns[lost_column(&t.x)][0]
            return OverflowError(
                f"a value of column {name!r} does not fit int64; Column(path, 'binary') holds any INTEGER")
        if t.state == MEMORY_FULL:
            return MemoryError("no memory for the batch, or a column of it has more than 2 GiB")
        return None


cdef void do_job(Job *job) noexcept nogil:
    if job.part.count:
        run_part_check(&job.part)
    else:
        run_task(job.task)


cdef void thread_main(void *job) noexcept nogil:
    do_job(<Job *>job)
    PyThread_release_lock((<Job *>job).done)


cdef int run_jobs(list workers, Py_ssize_t count) except -1:
    """Do the jobs of the first workers at the same time."""
    cdef Job *job
    cdef Job *first = &(<ColumnWorker?>workers[0]).job
    cdef Py_ssize_t i
    for i in range(1, count):
        job = &(<ColumnWorker?>workers[i]).job
        PyThread_acquire_lock(job.done, WAIT_LOCK)
        if <long>PyThread_start_new_thread(thread_main, job) == -1:
            # There are too many threads.
            with nogil:
                thread_main(job)
    with nogil:
        do_job(first)
    for i in range(1, count):
        job = &(<ColumnWorker?>workers[i]).job
        with nogil:
            PyThread_acquire_lock(job.done, WAIT_LOCK)
        PyThread_release_lock(job.done)
    return 0
