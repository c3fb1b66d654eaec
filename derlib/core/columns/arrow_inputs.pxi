# Inputs in an Arrow column of type binary, large_binary or binary_view, which are read in place.
#
# The producer is another library, or hostile Python code. All that the C data interface says is checked before it is
# used: lengths, offsets, missing buffers, the number of buffers, and the sizes of the data buffers of a binary_view.
# The interface has no sizes of other buffers, so the producer guarantees that offsets are inside of their data. A
# table or record batch is a struct array; it must have one column.

from cpython.pycapsule cimport PyCapsule_IsValid

cdef enum InputFormat:
    INPUTS_NULL                     # all inputs are missing
    INPUTS_BINARY                   # offsets of 32 bits
    INPUTS_LARGE                    # offsets of 64 bits
    INPUTS_VIEW                     # views of 16 octets: a length, and the octets or where they are

cdef enum:
    VIEW_OCTETS = 16
    VIEW_INLINE = 12                # shorter values are in the view

# No array has more cells, so numbers of octets do not overflow.
cdef int64_t CELLS_LIMIT = (<int64_t>1 << 56)


cdef struct InputCells:             # a binary array
    int format                      # an InputFormat
    const uint8_t *validity         # or NULL
    const uint8_t *row_validity     # that of the struct around it, or NULL
    int64_t offset                  # of the next cell
    int64_t row_offset
    int64_t left                    # cells that were not read
    const uint8_t *offsets          # or views
    const uint8_t *data
    const void **buffers            # of the array: those of a view begin with number 2
    int64_t data_buffers


@cython.final
@cython.internal
cdef class ArrowChunk:
    """An array of a producer, which is released when the object is freed."""
    cdef ArrowArray array

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)


@cython.final
cdef class ArrowInputs:
    """The inputs in an Arrow column.

    Args:
        source: an object with `__arrow_c_stream__` or `__arrow_c_array__`.

    Raises:
        TypeError: the column is not binary, or the object does not return the capsules of the Arrow PyCapsule
            interface.
    """
    cdef ArrowArrayStream stream
    cdef ArrowChunk chunk           # whose cells are read
    cdef InputCells cells
    cdef bint in_struct             # the column is the only field of a struct

    def __cinit__(self, source):
        cdef ArrowSchema schema
        cdef int status
        if hasattr(source, "__arrow_c_stream__"):
            self._take_stream(source.__arrow_c_stream__(), type(source).__name__)
            memset(&schema, 0, sizeof(ArrowSchema))
            # The producer may wait for threads that need the GIL.
            with nogil:
                status = self.stream.get_schema(&self.stream, &schema)
            self._call(status)
            try:
                self._read_schema(&schema)
            finally:
                if schema.release != NULL:
                    schema.release(&schema)
            return
        capsules = source.__arrow_c_array__()
        if type(capsules) is not tuple or len(capsules) != 2 or not PyCapsule_IsValid(capsules[0], "arrow_schema") \
                or not PyCapsule_IsValid(capsules[1], "arrow_array"):
            raise TypeError(f"__arrow_c_array__ of {type(source).__name__} did not return two Arrow capsules")
        self._read_schema(<ArrowSchema *>PyCapsule_GetPointer(capsules[0], "arrow_schema"))
        self._take_array(<ArrowArray *>PyCapsule_GetPointer(capsules[1], "arrow_array"))
        if self.chunk is None:
            raise TypeError(f"the Arrow array of {type(source).__name__} was released or used before")

    def __dealloc__(self):
        if self.stream.release != NULL:
            with nogil:
                self.stream.release(&self.stream)

    cdef int _take_stream(self, capsule, str name) except -1:
        """Move the stream out of its capsule."""
        cdef ArrowArrayStream *stream
        if not PyCapsule_IsValid(capsule, "arrow_array_stream"):
            raise TypeError(f"__arrow_c_stream__ of {name} did not return an Arrow capsule")
        stream = <ArrowArrayStream *>PyCapsule_GetPointer(capsule, "arrow_array_stream")
        if stream.release == NULL or stream.get_schema == NULL or stream.get_next == NULL:
            raise TypeError(f"the Arrow stream of {name} was released or used before")
        self.stream = stream[0]
        stream.release = NULL
        return 0

    cdef int _call(self, int status) except -1:
        """Raise the error of the producer."""
        cdef const char *text = NULL
        if status == 0:
            return 0
        if self.stream.get_last_error != NULL:
            text = self.stream.get_last_error(&self.stream)
        message = "no message" if text == NULL else text[:min(strlen(text), <size_t>1000)].decode("utf-8", "replace")
        if status == ENOMEM:
            raise MemoryError(f"the producer of the Arrow stream has no memory: {message}")
        raise OSError(status, f"the producer of the Arrow stream failed: {message}")

    cdef int _read_schema(self, const ArrowSchema *schema) except -1:
        """Find the type of the inputs."""
        if schema.release == NULL or schema.format == NULL:
            raise TypeError("the Arrow schema of the inputs was released or used before")
        if strcmp(schema.format, "+s") == 0:
            if schema.n_children != 1:
                raise TypeError(f"expected one Arrow column of inputs, got a table of {schema.n_children} columns; "
                                f"select one of them")
            if schema.children == NULL or schema.children[0] == NULL or schema.children[0].format == NULL:
                raise TypeError("the Arrow schema of the inputs has no child")
            schema = schema.children[0]
            self.in_struct = True
        self.cells.format = -1
        if schema.dictionary == NULL:
            for format, number in (
                (b"n", INPUTS_NULL), (b"z", INPUTS_BINARY), (b"Z", INPUTS_LARGE), (b"vz", INPUTS_VIEW),
            ):
                if strcmp(schema.format, <bytes>format) == 0:
                    self.cells.format = number
        if self.cells.format < 0:
            form = "dictionary" if schema.dictionary != NULL else \
                schema.format[:min(strlen(schema.format), <size_t>40)].decode("utf-8", "replace")
            raise TypeError(f"the Arrow column of inputs is binary, large_binary or binary_view, not {form!r} "
                            f"(a format of the Arrow C data interface)")
        return 0

    cdef int _take_array(self, ArrowArray *array) except -1:
        """Move the next array out of a struct. After the last one, `chunk` is None."""
        self.chunk = None
        self.cells.left = 0
        if array.release == NULL:
            return 0
        self.chunk = ArrowChunk.__new__(ArrowChunk)
        self.chunk.array = array[0]
        array.release = NULL
        if not self._begin_cells(&self.chunk.array):
            self.cells.left = 0
            raise ValueError("the producer of the Arrow column of inputs made an array that is not valid")
        return 0

    cdef bint _begin_cells(self, const ArrowArray *array) noexcept:
        """Begin the cells of an array; return False if it is not valid."""
        cdef InputCells *cells = &self.cells
        cdef int64_t length = array.length
        cells.row_validity = NULL
        cells.row_offset = 0
        if not is_sized(array):
            return False
        if self.in_struct:
            if array.n_buffers != 1 or array.n_children != 1 or array.children == NULL or array.children[0] == NULL \
                    or (array.buffers == NULL and array.null_count != 0):
                return False
            cells.row_offset = array.offset
            if array.buffers != NULL and array.null_count != 0:
                cells.row_validity = <const uint8_t *>array.buffers[0]
            array = array.children[0]
            if not is_sized(array) or array.length < cells.row_offset + length:
                return False
        cells.left = length
        cells.offset = array.offset + cells.row_offset
        cells.validity = NULL
        if length == 0 or cells.format == INPUTS_NULL:
            return True
        if array.buffers == NULL or array.n_buffers < 3 or (cells.format != INPUTS_VIEW and array.n_buffers != 3):
            return False
        if array.null_count != 0:
            cells.validity = <const uint8_t *>array.buffers[0]
        if cells.validity == NULL and array.null_count > 0:
            return False
        cells.offsets = <const uint8_t *>array.buffers[1]
        cells.data = <const uint8_t *>array.buffers[2]
        cells.buffers = array.buffers
        cells.data_buffers = array.n_buffers - 3
        return cells.offsets != NULL

    cdef bint next_input(self, Input *one) except -1:
        """Set the next input; return False after the last one."""
        cdef ArrowArray array
        cdef int status
        cdef int64_t i
        while self.cells.left == 0:
            if self.stream.release == NULL:
                self.chunk = None
                return False
            PyErr_CheckSignals()
            memset(&array, 0, sizeof(ArrowArray))
            with nogil:
                status = self.stream.get_next(&self.stream, &array)
            self._call(status)
            self._take_array(&array)
            # While the producer ran, another reader of these inputs may have released the stream.
            if self.chunk is None and self.stream.release != NULL:
                with nogil:
                    self.stream.release(&self.stream)
                self.stream.release = NULL
        i = self.cells.offset
        one.base = NULL
        one.size = 0
        if self.cells.format != INPUTS_NULL and is_valid(self.cells.validity, i) \
                and is_valid(self.cells.row_validity, self.cells.row_offset) and not find_input(&self.cells, i, one):
            self.cells.left = 0
            raise ValueError("the producer of the Arrow column of inputs made an offset that is not valid")
        self.cells.left -= 1
        self.cells.offset += 1
        self.cells.row_offset += 1
        return True


cdef inline bint is_sized(const ArrowArray *array) noexcept nogil:
    """Return whether the length and offset of an array are possible."""
    return 0 <= array.length < CELLS_LIMIT and 0 <= array.offset < CELLS_LIMIT


cdef inline bint is_valid(const uint8_t *validity, int64_t i) noexcept nogil:
    """Return whether a cell is not null."""
    return validity == NULL or validity[i >> 3] >> (i & 7) & 1


cdef bint find_input(const InputCells *cells, int64_t i, Input *one) noexcept nogil:
    """Set the octets of a cell; return False if its offsets are not valid."""
    cdef int32_t[2] narrow
    cdef int64_t[2] offsets
    if cells.format == INPUTS_VIEW:
        return find_view(cells, cells.offsets + VIEW_OCTETS * i, one)
    if cells.format == INPUTS_BINARY:
        memcpy(narrow, cells.offsets + 4 * i, 8)
        offsets[0] = narrow[0]
        offsets[1] = narrow[1]
    else:
        memcpy(offsets, cells.offsets + 8 * i, 16)
    if not 0 <= offsets[0] <= offsets[1] <= PY_SSIZE_T_MAX:
        return False
    return set_input(one, cells.data, offsets[0], offsets[1] - offsets[0])


cdef bint find_view(const InputCells *cells, const uint8_t *view, Input *one) noexcept nogil:
    """Set the octets of a view; return False if they are not in a data buffer."""
    cdef int32_t[4] words           # the length, the first octets, the number of the data buffer, and the offset
    cdef int64_t size
    memcpy(words, view, VIEW_OCTETS)
    if 0 <= words[0] <= VIEW_INLINE:
        return set_input(one, view, 4, words[0])
    if words[0] < 0 or not 0 <= words[2] < cells.data_buffers or words[3] < 0 \
            or cells.buffers[2 + cells.data_buffers] == NULL:
        return False
    memcpy(&size, <const uint8_t *>cells.buffers[2 + cells.data_buffers] + 8 * words[2], 8)
    return <int64_t>words[3] + words[0] <= size and set_input(
        one, <const uint8_t *>cells.buffers[2 + words[2]], words[3], words[0])


cdef bint set_input(Input *one, const uint8_t *data, int64_t start, int64_t size) noexcept nogil:
    """Set the octets of an input; return False if there are none where they should be."""
    one.size = <Py_ssize_t>size
    if size == 0:
        # An input without octets is not a missing one.
        one.base = <const uint8_t *>NO_OCTETS
        return True
    if data == NULL:
        return False
    one.base = data + start
    return True
