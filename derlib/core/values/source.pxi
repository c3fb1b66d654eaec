# Sources: the decoded buffer that views point into. Also the entry points of decoding.
#
# `View.decode`, `derlib.decode` and `derlib.parse` call `decode_source`. Every view of the result holds its Source.

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from sys import modules as _modules

cdef enum:
    # Smaller inputs are checked with the GIL held: the check is done before another thread could use it.
    GIL_RELEASE_SIZE = 16384


@cython.final
@cython.no_gc
cdef class SourceExtra:
    """The members of a Source that it needs only if its buffer is not `bytes`, or if it was decoded with options."""
    cdef Py_buffer buffer           # valid if `held`
    cdef bint held
    cdef Options options            # the options of the check
    cdef tuple limits               # the numbers of the caller's `Limits`, for pickles, or None
    cdef Record record              # the tolerated faults, by address
    cdef object conversion          # the ConversionLog if the buffer was decoded with rules="ber", else None

    def __cinit__(self):
        self.options = STRICT

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)
        free(self.record.entries)
        free(self.record.pending)


# The record of sources without options.
cdef Record NOTHING_TOLERATED
memset(&NOTHING_TOLERATED, 0, sizeof(Record))


@cython.final
@cython.no_gc
cdef class Source:
    """A decoded buffer. Every view of it keeps it alive."""
    cdef object owner               # the bytes object; None if a buffer is held; a Writer before `join`
    cdef bint held                  # this source holds `extra.buffer`, which can change; false in a part
    cdef bint in_opaque_entry       # inside a value of an open type with on_mismatch="opaque"
    cdef const uint8_t *base
    cdef Py_ssize_t size
    cdef uint64_t registrations     # the number of registered types before the octets were checked
    cdef int max_depth              # an upper bound of the nesting depth of its elements
    cdef Source whole               # if in_opaque_entry: the source that this one is a part of
    cdef SourceExtra extra          # usually None; a part has that of the whole

    cdef const Record *tolerated(self) noexcept:
        """Return the record of the tolerated faults of the whole input."""
        return &NOTHING_TOLERATED if self.extra is None else &self.extra.record

    cdef const Options *options(self) noexcept:
        """Return the options of the check."""
        return &STRICT if self.extra is None else &self.extra.options

    cdef object limits(self):
        """Return the `Limits` of the check, or None if the caller passed none."""
        if self.extra is None or self.extra.limits is None:
            return None
        return _options.Limits(*self.extra.limits)

    cdef bint is_immutable(self) noexcept:
        """Return whether the octets can never change."""
        return not self.held and (self.whole is None or not self.whole.held)

    cdef bint has_nonstandard_options(self) noexcept:
        """Return whether a copy of the octets needs a check: they have tolerated faults, or had the caller's limits."""
        return self.extra is not None and (self.extra.record.count > 0 or self.extra.limits is not None)

    cdef bint has_deviations(self) noexcept:
        """Return whether the octets have tolerated faults."""
        return self.extra is not None and self.extra.record.count > 0

    cdef inline int require_stack(self) except -1:
        """Raise RecursionError if the stack is nearly full, and elements may nest deeper than the default limit.

        A recursion over all levels takes up to 900 bytes for each one: 128 KiB suffice for the default limit, but not
        for a higher one, which a caller can choose.
        """
        if unlikely(self.max_depth > DEPTH_LIMIT) and stack_is_full():
            raise RecursionError("nested too deeply for the stack of this thread")
        return 0

    cdef int join(self) except -1:
        """Make the bytes object of an encoding whose parts a writer holds."""
        cdef bytes octets = (<Writer>self.owner).taken()
        self.base = <const uint8_t *>PyBytes_AS_STRING(octets)
        self.size = PyBytes_GET_SIZE(octets)
        self.owner = octets
        return 0

    cdef Source inside_opaque_entry(self, int max_depth):
        """Return a source for the parts of an open type with on_mismatch="opaque", which nests to `max_depth`."""
        cdef Source source = empty_source()
        source.owner = self.owner
        source.base = self.base
        source.size = self.size
        source.registrations = self.registrations
        # The check of an opaque value does not count levels inside its strings; the check by its type does.
        source.max_depth = max(self.max_depth, max_depth)
        source.extra = self.extra
        source.whole = self
        source.in_opaque_entry = True
        return source


cdef extern from "core/cpython.h":
    object source_instance "derlib_source"(type base, Source blank)

# New sources are copies of it: see TEMPLATE in core/cpython.h.
cdef Source blank_source = Source.__new__(Source)
never_free(blank_source)


cdef inline Source empty_source():
    """Return a new Source."""
    return <Source>source_instance(Source, blank_source)


cdef void free_source(PyObject *self) noexcept:
    """Free a source: see DEALLOC in core/cpython.h."""
    drop(<PyObject *>(<Source>self).owner)
    drop(<PyObject *>(<Source>self).whole)
    drop(<PyObject *>(<Source>self).extra)
    free_source_memory(self, Source)


set_dealloc(Source, <void *>free_source)


cdef object octets_between(Source source, const uint8_t *start, const uint8_t *end):
    """Return octets of a source as `bytes`: its own object if they are all of it, else a copy."""
    if type(source.owner) is bytes and start == <const uint8_t *>PyBytes_AS_STRING(source.owner) \
            and end - start == PyBytes_GET_SIZE(source.owner):
        return source.owner
    return (<const char *>start)[:end - start]


cdef object octets_of(data, bint copy, bint prefix):
    """Return the `bytes` to decode, or a memoryview of a buffer that is used in place.

    `bytes` are used in place, also through a memoryview; other buffers are copied unless `copy` is false. With
    `prefix`, only the first element is copied.

    Views are not garbage-collected, so the owner of their buffer must not refer to them: such a cycle would never be
    freed. An instance of a Python class, such as a subclass of `bytearray`, can refer to anything, and so can the
    exporter of the buffer of a `BytesIO`. Their bytes are always copied.
    """
    if type(data) is bytes:
        return data
    if isinstance(data, str):
        raise TypeError(
            "expected bytes or another buffer, got str; "
            "Path(name).read_bytes() reads a file, pem.decode() PEM text, bytes.fromhex() hexadecimal"
        )
    try:
        view = data if type(data) is memoryview else memoryview(data)
    except TypeError:
        name = type(data).__name__
        raise TypeError(f"expected bytes or another buffer, got {name}{remedy_for_object(data)}") from None
    exporter = exporter_of(view)
    if type(exporter) is bytes and view.c_contiguous:
        return exporter if view.nbytes == len(exporter) else view
    if not copy and not view.c_contiguous:
        raise TypeError("a buffer that is not contiguous cannot be decoded without a copy")
    if copy or not (refers_to_nothing(exporter) or type(exporter).__base__ is _ctypes_array()):
        return first_element(view) if prefix else view.tobytes()
    return view


cdef str remedy_for_object(data):
    """Return how to decode an object that is not a buffer, for the end of a message; empty if that is unknown."""
    if isinstance(data, list):
        return "; decode its elements one by one"
    if hasattr(data, "der"):
        return "; pass its .der"
    if hasattr(data, "public_bytes"):
        return "; pass the result of its public_bytes(Encoding.DER, ...)"
    return "; read a file first" if hasattr(data, "read") or hasattr(data, "read_bytes") else ""


cdef object exporter_of(view):
    """Return the object that a memoryview is of, also through other memoryviews."""
    exporter = view.obj
    while type(exporter) is memoryview:
        exporter = exporter.obj
    return exporter


cdef bytes first_element(view):
    """Return the bytes that the header of the first element in a memoryview announces; all if the header is invalid."""
    cdef Py_buffer buffer
    cdef Header h
    cdef bytes octets
    cdef Py_ssize_t length
    if not view.c_contiguous:
        return view.tobytes()
    PyObject_GetBuffer(view, &buffer, PyBUF_SIMPLE)
    length = buffer.len
    if reread_header(<const uint8_t *>buffer.buf, <const uint8_t *>buffer.buf + length, &h) == FAULT_NONE:
        length = h.end - h.start
    try:
        octets = (<const char *>buffer.buf)[:length]
    finally:
        PyBuffer_Release(&buffer)
    return octets


cdef object _ctypes_array():
    """Return the class whose direct subclasses are the types of C arrays; None if ctypes is not imported."""
    ctypes = _modules.get("_ctypes")
    return None if ctypes is None else ctypes.Array


cdef Source source_new(data, bint copy, bint prefix):
    """Return a Source for a buffer to decode."""
    cdef Source source = empty_source()
    source.registrations = load_count(&registrations)
    if type(data) is bytes:
        set_bytes(source, <bytes>data)
        return source
    octets = octets_of(data, copy, prefix)
    if type(octets) is bytes:
        set_bytes(source, <bytes>octets)
        return source
    if set_part_of_bytes(source, octets):
        return source
    source.extra = SourceExtra.__new__(SourceExtra)
    PyObject_GetBuffer(octets, &source.extra.buffer, PyBUF_SIMPLE)
    source.held = source.extra.held = True
    source.base = <const uint8_t *>source.extra.buffer.buf
    source.size = source.extra.buffer.len
    return source


cdef inline void set_bytes(Source source, bytes octets) noexcept:
    """Set the octets of a source."""
    source.owner = octets
    source.base = <const uint8_t *>PyBytes_AS_STRING(octets)
    source.size = PyBytes_GET_SIZE(octets)


cdef bint set_part_of_bytes(Source source, view) except -1:
    """Set the octets of a source to those of a memoryview of `bytes`, which it then keeps; return False for others."""
    cdef Py_buffer buffer
    cdef object exporter = exporter_of(view)
    cdef const uint8_t *start
    cdef bint inside
    if type(exporter) is not bytes:
        return False
    start = <const uint8_t *>PyBytes_AS_STRING(exporter)
    PyObject_GetBuffer(view, &buffer, PyBUF_SIMPLE)
    source.base = <const uint8_t *>buffer.buf
    source.size = buffer.len
    PyBuffer_Release(&buffer)
    inside = start <= source.base and source.size <= PyBytes_GET_SIZE(exporter) - (source.base - start)
    if inside:
        source.owner = exporter
    return inside


cdef object decode_source(Plan plan, Source source, bint prefix, Header *h, Py_ssize_t first):
    """Validate a source, set `h` to the header of its value, and return the value.

    Bytes after the value are a fault unless `prefix` is true. Offsets in an error count the first byte as `first`.
    """
    cdef Check c
    cdef bint valid
    cdef const uint8_t *end = source.base + source.size
    cdef const Options *options = source.options()
    cdef Record *record = NULL if source.extra is None else &source.extra.record
    plan.prepared()
    # The first use of a plan can compile tables of open types, which registers their types.
    source.registrations = load_count(&registrations)
    check_begin(&c, options, record)
    if source.size >= GIL_RELEASE_SIZE and (not prefix or is_long_element(source.base, end)):
        with nogil:
            valid = check(&c, &plan.node, source.base, end, prefix, h)
    else:
        valid = check(&c, &plan.node, source.base, end, prefix, h)
    if record != NULL and record.exhausted:
        raise MemoryError
    if not valid:
        raise fault_in_der(&c, plan, source.base, end, first)
    if record != NULL and record.count > 1:
        sort_record(record)
    source.max_depth = options.depth - c.lowest
    # Usually the value is a SEQUENCE; this is what `make_value` does for one.
    if plan.node.kind == KIND_SEQUENCE:
        return sequence_view_new(source, &plan.node, h)
    return make_value(source, &plan.node, h, NULL)


cdef bint is_long_element(const uint8_t *p, const uint8_t *end) noexcept:
    """Return whether the first of several elements is long enough to release the GIL while it is checked."""
    cdef Header h
    return reread_header(p, end, &h) == FAULT_NONE and h.end - h.start >= GIL_RELEASE_SIZE


def decode_plan(Plan plan not None, data, bint copy=True, tolerate=None, limits=None, rules="der"):
    """Decode all of `data` as one value of the plan's type."""
    cdef Header h
    if rules != "der":
        return decode_ber(plan, data, tolerate, limits, rules)
    return decode_source(plan, source_with(data, copy, tolerate, limits, False), False, &h, 0)


def decode_plan_prefix(
    Plan plan not None, data, bint copy=True, tolerate=None, limits=None, Py_ssize_t first=0, rules="der"
):
    """Decode the value at the start of `data`; return it and a memoryview of the bytes after it.

    Offsets in an error count the first byte of `data` as `first`.
    """
    cdef Header h
    cdef Conversions wanted
    cdef Py_ssize_t consumed
    if rules == "der":
        value = decode_source(plan, source_with(data, copy, tolerate, limits, True), True, &h, first)
        consumed = h.end - h.start
    else:
        require_ber(rules)
        wanted = Conversions(True, False, first, False, NULL)
        converted = convert_source(plan, source_with(data, True, tolerate, limits, False), &wanted)
        value = converted.value
        consumed = converted.consumed
    # The memoryview is of the caller's buffer, or of one contiguous copy, so a loop over a stream copies nothing twice.
    rest = memoryview(data)
    if not rest.c_contiguous:
        rest = memoryview(rest.tobytes())
    elif rest.format != "B" or rest.ndim != 1:
        rest = rest.cast("B")
    return value, rest[consumed:]


def announced_size(data):
    """Return the size in bytes of the first element as its header announces it, which can be more than there is.

    Return None if the header is not complete, and 0 if it is invalid.
    """
    cdef Py_buffer buffer
    cdef Header h
    cdef const uint8_t *p
    cdef int fault
    cdef object size = 0
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        p = <const uint8_t *>buffer.buf
        fault = reread_header(p, p + buffer.len, &h)
        if fault == FAULT_NONE:
            size = h.end - h.start
        elif fault == FAULT_IDENTIFIER_TRUNCATED or fault == FAULT_LENGTH_TRUNCATED:
            size = None
        elif fault == FAULT_CONTENT_TRUNCATED:
            size = announced(&h)
    finally:
        PyBuffer_Release(&buffer)
    return size


def require_options(tolerate, limits):
    """Raise TypeError or ValueError if these are not options of a decode."""
    cdef Options options
    read_options(tolerate, None if limits is None else read_limits(limits), &options)


cdef inline Source source_with(data, bint copy, tolerate, limits, bint prefix):
    """Return a Source with the options of a caller."""
    cdef Source source = source_new(data, copy, prefix)
    if tolerate is not None or limits is not None:
        set_options(source, tolerate, limits)
    return source


cdef int set_options(Source source, tolerate, limits) except -1:
    """Give a source the options of a caller."""
    if source.extra is None:
        source.extra = SourceExtra.__new__(SourceExtra)
    # Keep the numbers, not the object: an instance of a subclass could refer to a view of this source.
    source.extra.limits = None if limits is None else read_limits(limits)
    read_options(tolerate, source.extra.limits, &source.extra.options)
    return 0
