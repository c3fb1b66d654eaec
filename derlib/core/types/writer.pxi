# Writer: the buffer that values are encoded into, backwards from its end. The encoders of the types (this layer) and
# core/encode fill it.

from libc.stdlib cimport malloc
from libc.string cimport memmove

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *octets, Py_ssize_t size)
    int resize_bytes "_PyBytes_Resize"(PyObject **octets, Py_ssize_t size) except -1
    int64_t PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1
    int enter_recursive_call_ "Py_EnterRecursiveCall"(const char *where)
    void leave_recursive_call "Py_LeaveRecursiveCall"()

cdef enum:
    # A limit of recursion, for values that contain themselves. One level of nesting takes a few calls at most (field,
    # CHOICE, open type, explicit tag); the check pass enforces DEPTH_LIMIT itself.
    WRITE_DEPTH_LIMIT = 4 * DEPTH_LIMIT
    # The size of the first buffer. An encoding that fits is copied out of it, and the next writer reuses it.
    SCRATCH = 16384
    # How often a writer may abort the fast path: see core/encode/fast_path.pxi.
    FAST_PATH_TRIES = 8


cdef inline int enter_recursive_call(const char *where) except -1:
    """Count a level of recursion, and raise RecursionError if there are too many; CPython returns any number then."""
    return -1 if enter_recursive_call_(where) else 0


# The first buffer of a writer that was freed, or NULL.
cdef void *spare_scratch = NULL


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class Writer:
    """A buffer that fills from its end; the written octets begin at `base + at`.

    Longer encodings are in a new bytes object, which becomes the result without another copy.

    One long copy of octets that cannot change is deferred: the writer keeps only a reference (`copy_later`). `taken`
    makes the result in its exact size and copies them into it, so they are copied once. If the element around them must
    be checked before that, `join` copies them into the buffer.

    Nothing that a writer refers to can refer to it, so it takes no part in garbage collection.
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
    cdef bint unchecked             # the fast path wrote a part that is not valid by construction
    cdef bint names                 # an OBJECT IDENTIFIER can be given by its name, except in a union
    cdef bint json                  # the values are parsed JSON: see core/encode/from_json.pxi
    cdef Py_ssize_t members         # of the objects of parsed JSON that were written
    cdef uint64_t registrations     # of open types, at the start: later ones are not validated
    cdef Py_ssize_t bytes_in_files  # octets in files, which belong between those in the buffer
    cdef list list_files            # (octets in the buffer when the list was reached, EncodedListFile)
    cdef bint in_pieces             # no copy is deferred, because of the positions in `list_files`
    cdef const uint8_t *deferred    # the octets of the deferred copy, or NULL
    cdef Py_ssize_t deferred_size
    cdef Py_ssize_t deferred_at     # octets in the buffer when it was deferred; its header comes after them
    cdef PyObject *deferred_owner   # keeps the octets alive

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
        self.registrations = load_count(&registrations)

    def __dealloc__(self):
        Py_XDECREF(self.buffer)
        Py_XDECREF(self.deferred_owner)
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
        """Return the length of the encoding so far, including octets in files and the deferred copy."""
        return self.size - self.at + self.bytes_in_files + self.deferred_size

    cdef inline int octets(self, const uint8_t *p, Py_ssize_t count) except -1:
        if count > self.at:
            self.reserve(count)
        self.at -= count
        memcpy(self.base + self.at, p, count)
        return 0

    cdef int copy_later(self, object owner, const uint8_t *p, Py_ssize_t count) except -1:
        """Defer the copy of octets that `owner` keeps unchanged, or copy them now if that is not possible.

        The caller writes a header next, so the position of a deferred copy is inside one element only.
        """
        if self.deferred != NULL or self.in_pieces:
            return self.octets(p, count)
        Py_INCREF(owner)
        self.deferred_owner = <PyObject *>owner
        self.deferred = p
        self.deferred_size = count
        self.deferred_at = self.size - self.at
        return 0

    cdef int join(self, Py_ssize_t before) except -1:
        """Put the deferred copy into the buffer if it was written after the first `before` octets in the buffer."""
        cdef Py_ssize_t after = self.size - self.at - self.deferred_at
        cdef Py_ssize_t count = self.deferred_size
        if self.deferred == NULL or self.deferred_at < before:
            return 0
        self.room(count)
        memmove(self.base + self.at, self.base + self.at + count, after)
        memcpy(self.base + self.at + after, self.deferred, count)
        self.drop_deferred()
        return 0

    cdef void drop_deferred(self) noexcept:
        """Forget the deferred copy, and release its owner."""
        self.deferred = NULL
        self.deferred_size = 0
        Py_XDECREF(self.deferred_owner)
        self.deferred_owner = NULL

    cdef void rewind(self, Py_ssize_t before) noexcept:
        """Discard what was written after the first `before` octets in the buffer."""
        if self.deferred != NULL and self.deferred_at >= before:
            self.drop_deferred()
        self.at = self.size - before

    cdef inline int room(self, Py_ssize_t count) except -1:
        """Extend the output by `count` octets, which the caller must fill immediately."""
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
        if self.deferred != NULL:
            return self.joined()
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

    cdef bytes joined(self):
        """Return the output with the deferred copy in it, and empty the writer."""
        cdef Py_ssize_t after = self.size - self.at - self.deferred_at
        cdef bytes octets = PyBytes_FromStringAndSize(NULL, after + self.deferred_size + self.deferred_at)
        cdef uint8_t *to = <uint8_t *>PyBytes_AS_STRING(octets)
        memcpy(to, self.base + self.at, after)
        memcpy(to + after, self.deferred, self.deferred_size)
        memcpy(to + after + self.deferred_size, self.base + self.at + after, self.deferred_at)
        self.drop_deferred()
        self.at = self.size = 0
        return octets
