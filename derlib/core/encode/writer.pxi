# The general encoder: Python values to DER, written backwards from the end of a buffer.
#
# Backwards, the length of the contents is known when the header is due, so nothing is measured twice. The writer makes
# the structure: tags, order, lengths, defaults left out. The check pass of the decoder validates the result, so each
# rule exists once: each primitive element as it is written (`recheck_element`), and the whole value at the end if a
# part is not valid by construction (`valid_by_construction`, `recheck_all`).
#
# There are two encoders: this one, and the fast path (fast_path.pxi), which handles common built-in values and leaves
# all else, with every error, to this one.

from libc.stdlib cimport malloc
from libc.string cimport memmove

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *octets, Py_ssize_t size)
    int resize_bytes "_PyBytes_Resize"(PyObject **octets, Py_ssize_t size) except -1
    int64_t PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1
    int enter_recursive_call "Py_EnterRecursiveCall"(const char *where) except -1
    void leave_recursive_call "Py_LeaveRecursiveCall"()

cdef enum:
    # A limit of recursion, for values that contain themselves. One level of nesting takes a few calls at most (field,
    # CHOICE, open type, explicit tag); the check pass enforces DEPTH_LIMIT itself.
    WRITE_DEPTH_LIMIT = 4 * DEPTH_LIMIT
    # The size of the first buffer. An encoding that fits is copied out of it, and the next writer reuses it.
    SCRATCH = 16384
    # How often a writer may abort the fast path: see core/encode/fast_path.pxi.
    FAST_PATH_TRIES = 8

# The first buffer of a writer that was freed, or NULL.
cdef void *spare_scratch = NULL


@cython.final
@cython.freelist(8)
cdef class Writer:
    """A buffer that fills from its end; the written octets begin at `base + at`.

    Longer encodings are in a new bytes object, which becomes the result without another copy.
    """
    cdef void *scratch              # the first buffer
    cdef PyObject *buffer           # the bytes object, or NULL while the octets are in `scratch`
    cdef uint8_t *base
    cdef Py_ssize_t size
    cdef Py_ssize_t at
    cdef Py_ssize_t copied          # octets copied from validated views
    cdef int level                  # the number of elements around the one that is being written
    cdef int max_depth              # the deepest nesting written so far
    cdef bint selector_changed      # the output depends on a selector field: recheck the SEQUENCE around it
    cdef bint needs_recheck         # a part of the output is not valid by construction
    cdef int depth                  # calls of `write_value` left
    cdef int tries                  # how often the fast path may still be aborted
    cdef uint64_t registrations     # of open types, at the start: later ones are not validated
    cdef Py_ssize_t bytes_in_files  # octets in files, which belong between those in the buffer
    cdef list list_files            # (octets in the buffer when the list was reached, EncodedListFile)

    def __cinit__(self):
        self.scratch = exchange_null(&spare_scratch)
        if self.scratch == NULL:
            self.scratch = malloc(SCRATCH)
            if self.scratch == NULL:
                raise MemoryError
        self.base = <uint8_t *>self.scratch
        self.at = self.size = SCRATCH
        self.depth = WRITE_DEPTH_LIMIT
        self.tries = FAST_PATH_TRIES
        self.registrations = registrations

    def __dealloc__(self):
        Py_XDECREF(self.buffer)
        if self.scratch != NULL and not set_if_null(&spare_scratch, self.scratch):
            free(self.scratch)

    cdef int reserve(self, Py_ssize_t count) except -1:
        """Move to a larger buffer, with room for `count` octets. The old buffer stays if memory runs out."""
        cdef Py_ssize_t written = self.size - self.at
        cdef PyObject *larger
        cdef uint8_t *base
        cdef Py_ssize_t size
        if count > PY_SSIZE_T_MAX // 4 or written > PY_SSIZE_T_MAX // 4:
            raise MemoryError
        # A large piece is usually nearly all of the encoding: doubling the size would waste memory.
        size = written + count + (4096 if count > written else written)
        larger = new_bytes(NULL, size)
        if larger == NULL:
            raise MemoryError
        base = <uint8_t *>PyBytes_AS_STRING(<object>larger)
        memcpy(base + size - written, self.base + self.at, written)
        Py_XDECREF(self.buffer)
        self.buffer = larger
        self.base = base
        self.size = size
        self.at = size - written
        return 0

    cdef inline Py_ssize_t written(self) noexcept:
        """Return the number of octets in the buffer."""
        return self.size - self.at

    cdef inline Py_ssize_t length(self) noexcept:
        """Return the length of the encoding so far, including octets in files."""
        return self.size - self.at + self.bytes_in_files

    cdef inline int octets(self, const uint8_t *p, Py_ssize_t count) except -1:
        if count > self.at:
            self.reserve(count)
        self.at -= count
        memcpy(self.base + self.at, p, count)
        return 0

    cdef inline int room(self, Py_ssize_t count) except -1:
        """Extend the output by `count` octets, which the caller must fill at once."""
        if count > self.at:
            self.reserve(count)
        self.at -= count
        return 0

    cdef inline int element(self, tag_t tag, const uint8_t *p, Py_ssize_t count) except -1:
        """Write a primitive element with these contents octets."""
        cdef uint8_t identifier = identifier_octet(tag)
        cdef uint8_t *to
        if count >= 0x80 or not identifier:
            self.octets(p, count)
            return self.header(tag, count)
        if count + 2 > self.at:
            self.reserve(count + 2)
        self.at -= count + 2
        to = self.base + self.at
        to[0] = identifier
        to[1] = <uint8_t>count
        memcpy(to + 2, p, count)
        return 0

    cdef int bytes_(self, bytes octets) except -1:
        return self.octets(<const uint8_t *><const char *>octets, len(octets))

    cdef inline int octet(self, uint8_t octet) except -1:
        if self.at == 0:
            self.reserve(1)
        self.at -= 1
        self.base[self.at] = octet
        return 0

    cdef inline int header(self, tag_t tag, Py_ssize_t length) except -1:
        """Write the identifier and length octets (X.690 8.1.2, 8.1.3, 10.1) of `length` contents octets."""
        cdef uint8_t identifier = identifier_octet(tag)
        if length < 0x80 and identifier and self.at >= 2:
            self.at -= 2
            self.base[self.at] = identifier
            self.base[self.at + 1] = <uint8_t>length
            return 0
        return self.long_header(tag, length)

    cdef int long_header(self, tag_t tag, Py_ssize_t length) except -1:
        cdef uint64_t number = tag >> 3
        cdef uint8_t leading = <uint8_t>((tag & 7) << 5)
        cdef uint8_t more = 0
        cdef int count = 0
        if length < 0x80:
            self.octet(<uint8_t>length)
        else:
            while length:
                self.octet(<uint8_t>(length & 0xFF))
                length >>= 8
                count += 1
            self.octet(<uint8_t>(0x80 | count))
        if number < 31:
            return self.octet(leading | <uint8_t>number)
        while number or not more:
            self.octet(<uint8_t>(number & 0x7F) | more)
            number >>= 7
            more = 0x80
        return self.octet(leading | 0x1F)

    cdef bytes taken(self):
        """Return the output and empty the writer."""
        cdef Py_ssize_t written = self.size - self.at
        cdef PyObject *taken = self.buffer
        if taken == NULL:
            octets = (<const char *>(self.base + self.at))[:written]
            self.at = self.size = 0
            return octets
        memmove(self.base, self.base + self.at, written)
        self.buffer = NULL
        self.at = self.size = 0
        resize_bytes(&taken, written)
        octets = <bytes>taken
        Py_XDECREF(taken)
        return octets


cdef struct WriteScope:         # the SEQUENCE around an open type, which holds its selector
    const Node *node
    PyObject *values            # a dict by field name, borrowed from `write_fields`


cdef int write_value(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write one element; `around` is the SEQUENCE that it is in, for open types."""
    if node.kind < KIND_SEQUENCE:
        if write_primitive_fast(w, node, <PyObject *>value):
            return 0
    elif node.kind == KIND_UNION:
        if write_time_choice(w, node, value):
            return 0
    elif try_fast_path(w, node, <PyObject *>value) and write_fast(w, node, value):
        return 0
    # The check pass reports nesting beyond DEPTH_LIMIT; this limit only protects the stack. Every eighth call but the
    # first looks at the stack.
    if unlikely(w.depth & 7 == 0) and (w.depth == 0 or (w.depth != WRITE_DEPTH_LIMIT and stack_is_full())):
        raise _errors.EncodeError("the value is nested too deeply, or contains itself")
    cdef Py_ssize_t bytes_in_files = w.bytes_in_files
    w.depth -= 1
    if node.kind < KIND_SEQUENCE:
        write_one(w, node, value, around)
    else:
        # Code of a value may call the encoder again: Python's recursion limit then protects the C stack.
        enter_recursive_call(b" while a value is written")
        try:
            write_one(w, node, value, around)
        finally:
            leave_recursive_call()
        if node.constraints != NULL:
            recheck_constraints(w, node, bytes_in_files)
    w.depth += 1
    return 0


cdef int recheck_constraints(Writer w, const Node *node, Py_ssize_t bytes_in_files) except -1:
    """Check the constraints of the constructed value that was just written."""
    if w.bytes_in_files == bytes_in_files:
        return recheck_element(w, node)
    # Octets in files are checked at the end (`check_written`).
    w.selector_changed = True
    return 0


cdef int write_one(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    cdef int kind = node.kind
    cdef Py_ssize_t before = w.length()
    cdef Py_ssize_t bytes_in_files = w.bytes_in_files
    cdef bint selector_changed = w.selector_changed
    if isinstance(value, View) and write_view(w, node, <View>value):
        return 0
    if not valid_by_construction(node):
        w.needs_recheck = True
    if isinstance(value, VerbatimField) and (<VerbatimField>value).start != NULL:
        w.needs_recheck = True
        return write_verbatim(w, node, <VerbatimField>value)
    if is_choice(kind):
        return write_choice(w, node, value, around)
    if kind == KIND_ANY:
        return write_any(w, node, value)
    if kind == KIND_OPEN:
        return write_open(w, node, value, around)
    if kind < KIND_SEQUENCE:
        TYPES[kind].encode(w, node, exact_text(value) if isinstance(value, str) else value)
        w.header(node.tag, w.length() - before)
        return 0 if needs_no_recheck(node, value) else recheck_element(w, node)
    w.level += 1
    note_depth(w, 0)
    if kind == KIND_SEQUENCE or kind == KIND_SET:
        w.selector_changed = node.one_of != 0
    if kind == KIND_EXPLICIT:
        write_value(w, node.element, value, around)
    elif kind == KIND_OPEN_OCTETS or kind == KIND_OPEN_BITS:
        write_open_string(w, node, value, around)
    elif kind == KIND_SEQUENCE:
        write_fields(w, node, value)
    elif kind == KIND_SET:
        write_members(w, node, value)
    else:
        write_list(w, node, value, around)
    w.level -= 1
    w.header(node.tag, w.length() - before)
    # The values have selected the types of open types; check that the octets select the same. Octets in files are
    # checked at the end (`check_written`).
    if (kind == KIND_SEQUENCE or kind == KIND_SET) and w.bytes_in_files == bytes_in_files:
        if w.selector_changed:
            recheck_element(w, node)
        w.selector_changed = selector_changed
    return 0


cdef inline void note_depth(Writer w, int levels) noexcept:
    """Record the nesting of an element with so many levels inside it."""
    if w.level + levels > w.max_depth:
        w.max_depth = w.level + levels


cdef inline bint needs_no_recheck(const Node *node, object value) noexcept:
    """Return whether the contents just written are always valid, so that `recheck_element` would find no fault."""
    if node.constraints != NULL or node.ranged or not TYPES[node.kind].flags & TYPE_ENCODES_VALID:
        return False
    # The text of a time is copied as it is.
    return node.kind != KIND_UTC_TIME or not isinstance(value, str)


cdef inline bint valid_by_construction(const Node *node) noexcept nogil:
    """Return whether elements of a type are valid if those inside them are: any other type needs a check of the whole.

    A primitive element was checked (`recheck_element`) or is always valid. A SEQUENCE without unknown additions has its
    fields in order, without defaults, and none missing. A list has elements of its type, and its SIZE was checked. An
    explicit tag holds one element. `recheck_constraints` checks constraints of these types.
    """
    if node.kind == KIND_SEQUENCE:
        return not node.extensible and node.one_of == 0
    return node.kind < KIND_SEQUENCE or node.kind == KIND_SEQUENCE_OF or node.kind == KIND_EXPLICIT


cdef int recheck_element(Writer w, const Node *node) except -1:
    """Run the check pass over the element that was just written."""
    cdef Check c
    cdef Header h
    cdef const uint8_t *end = w.base + w.size
    check_begin(&c, &STRICT, NULL)
    if not check_element(&c, node, w.base + w.at, end, NULL, &h):
        raise written_error(fault_of(&c, w.base + w.at, end))
    note_depth(w, DEPTH_LIMIT - c.lowest)
    return 0
