# What the caller of `derlib.ber.convert` wants to keep, as the walk reads it without the GIL.

from libc.stdlib cimport calloc


@cython.final
@cython.no_gc
cdef class KeepRequest:
    """Types and paths to keep. It never changes."""
    cdef KeepRules rules
    cdef KeepStep *steps            # of all paths
    cdef tuple types                # keep what `rules` points to alive
    cdef list names

    cdef int fill(self, tuple types, tuple paths) except -1:
        """Set everything; called once, for a new object."""
        cdef Py_ssize_t count = 0
        cdef Plan plan
        for path in paths:
            require_steps(path)
            count += len(<tuple>path)
        self.types = types
        self.names = []
        self.rules.types = <const Node **>memory_for(len(types), sizeof(void *))
        self.rules.paths = <KeepPath *>memory_for(len(paths), sizeof(KeepPath))
        self.steps = <KeepStep *>memory_for(count, sizeof(KeepStep))
        for plan in types:
            if plan is None:
                raise TypeError("expected plans, got None")
            plan.prepared()
            while plan.node.kind == KIND_EXPLICIT:
                plan = plan_of(plan.node.element)
            self.rules.types[self.rules.type_count] = &plan.node
            self.rules.type_count += 1
        count = 0
        for path in paths:
            self.rules.paths[self.rules.path_count].steps = self.steps + count
            self.rules.paths[self.rules.path_count].count = len(<tuple>path)
            self.rules.path_count += 1
            self.rules.lengths |= <uint64_t>1 << <int>min(len(<tuple>path), 63)
            for step in <tuple>path:
                self.set_step(self.steps + count, step)
                count += 1
        return 0

    def __dealloc__(self):
        free(self.rules.types)
        free(self.rules.paths)
        free(self.steps)

    cdef int set_step(self, KeepStep *kept, step) except -1:
        """Set a step of a path: a name, an index, or "*" for any index."""
        kept.name = NULL
        kept.index = ANY_INDEX
        if type(step) is int:
            # A number that no index can have is ANY_INDEX - 1.
            kept.index = step if 0 <= step <= PY_SSIZE_T_MAX else <Py_ssize_t>ANY_INDEX - 1
        elif step != "*":
            name = intern(step)
            self.names.append(name)
            kept.name = <PyObject *>name
        return 0


cdef void *memory_for(Py_ssize_t count, size_t size) except NULL:
    """Return new memory for items of a size."""
    cdef void *memory = calloc(<size_t>count + 1, size)
    if memory == NULL:
        raise MemoryError
    return memory


cdef int require_steps(path) except -1:
    """Raise TypeError if this is not a tuple of names and indexes, whose comparisons run no code."""
    if type(path) is not tuple:
        raise TypeError(f"expected a path, a tuple of steps, got {type(path).__name__}")
    for step in <tuple>path:
        if type(step) is not str and type(step) is not int:
            raise TypeError(f"expected a name or an index in a path, got {type(step).__name__}")
    return 0
