# Buffers that views refer to, and the decode entry points.

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from sys import modules as _modules

cdef enum:
    # Below this many octets the check is done before another thread could use the GIL.
    GIL_RELEASE_SIZE = 16384


@cython.final
@cython.no_gc
cdef class SourceOptions:
    """What a source has beside its octets when they are no `bytes`, or were not decoded as is done by default."""
    cdef Py_buffer buffer           # where the source says that it is held
    cdef bint held
    cdef Options options            # with which the octets were checked
    cdef tuple limits               # the numbers of the caller's `Limits`, to go with a pickle, or None
    cdef Record record              # what was tolerated, by place

    def __cinit__(self):
        self.options = STRICT

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)
        free(self.record.breaches)
        free(self.record.pending)


# Of sources without any.
cdef Record NOTHING_TOLERATED
memset(&NOTHING_TOLERATED, 0, sizeof(Record))


@cython.final
@cython.no_gc
@cython.freelist(32)
cdef class Source:
    """The octets that were decoded, kept alive by every view on them."""
    cdef object owner               # the bytes object, or None where a buffer is held
    cdef bint held
    cdef bint in_opaque_entry       # inside a value whose entry leaves a type mismatch opaque
    cdef const uint8_t *base
    cdef Py_ssize_t size
    cdef uint64_t registrations     # when its octets were checked
    cdef int max_depth                 # how deep its elements nest, at most
    cdef Source whole               # for the octets of a value of an opaque table, the source that they are part of
    cdef SourceOptions extra                  # None for most; a part has that of the whole

    cdef const Record *tolerated(self) noexcept:
        """The record of the whole decoded input."""
        return &NOTHING_TOLERATED if self.extra is None else &self.extra.record

    cdef const Options *options(self) noexcept:
        """With which the octets were checked."""
        return &STRICT if self.extra is None else &self.extra.options

    cdef object limits(self):
        """The `Limits` with which the octets were checked, None where the caller gave none."""
        if self.extra is None or self.extra.limits is None:
            return None
        return _options.Limits(*self.extra.limits)

    cdef bint is_immutable(self) noexcept:
        """Whether the octets can never change."""
        return not self.held and (self.whole is None or not self.whole.held)

    cdef bint has_nonstandard_options(self) noexcept:
        """Whether the octets were proved in another way than by default, so that they are not written as they are."""
        return self.extra is not None and (self.extra.record.count > 0 or self.extra.limits is not None)

    cdef Source inside_opaque_entry(self, int max_depth):
        """This source as seen from inside a value of an opaque table, which has so many levels of nesting by its type."""
        cdef Source source = Source.__new__(Source)
        source.owner = self.owner
        source.base = self.base
        source.size = self.size
        source.registrations = self.registrations
        # Strings in an opaque value, by which it was proved, count for none.
        source.max_depth = max(self.max_depth, max_depth)
        source.extra = self.extra
        source.whole = self
        source.in_opaque_entry = True
        return source


cdef object octets_between(Source source, const uint8_t *start, const uint8_t *end):
    """These octets as `bytes`: the very object that was decoded or built, where they are all of it."""
    if type(source.owner) is bytes and start == <const uint8_t *>PyBytes_AS_STRING(source.owner) \
            and end - start == PyBytes_GET_SIZE(source.owner):
        return source.owner
    return (<const char *>start)[:end - start]




cdef object octets_of(data, bint copy):
    """The `bytes` to decode, or the buffer itself where it is shared.

    `bytes` are used as they stand, also through read-only views of them; anything else is copied unless the caller
    wants to share it.

    Views take no part in garbage collection, so what they stand on must not refer to them: such a cycle would live for
    ever. An instance of a class that a class statement made, of `bytes` or `bytearray` for example, can refer to
    anything. So can the object behind the buffer of a `BytesIO`. Their octets are always copied.
    """
    if type(data) is bytes:
        return data
    if isinstance(data, str):
        raise TypeError(
            "the data to decode are bytes or another buffer, not str; "
            "Path(name).read_bytes() reads a file, pem.decode() PEM text, bytes.fromhex() hexadecimal"
        )
    try:
        view = data if type(data) is memoryview else memoryview(data)
    except TypeError:
        name = type(data).__name__
        raise TypeError(f"the data to decode are bytes or another buffer, not {name}; read a file first") from None
    exporter = view.obj
    while type(exporter) is memoryview:
        exporter = exporter.obj
    if type(exporter) is bytes and view.c_contiguous:
        return exporter if view.nbytes == len(exporter) else view
    if not copy and not view.c_contiguous:
        raise TypeError("a buffer that is not contiguous cannot be decoded without a copy")
    if copy or not (refers_to_nothing(exporter) or type(exporter).__base__ is _ctypes_array()):
        return view.tobytes()
    return view


cdef object _ctypes_array():
    """The class whose direct subclasses are the types of C arrays, None while ctypes is not imported."""
    ctypes = _modules.get("_ctypes")
    return None if ctypes is None else ctypes.Array


cdef Source source_new(data, bint copy):
    """Take a buffer to decode."""
    cdef Source source = Source.__new__(Source)
    source.registrations = registrations
    octets = octets_of(data, copy)
    if type(octets) is bytes:
        source.owner = octets
        source.base = <const uint8_t *>PyBytes_AS_STRING(octets)
        source.size = PyBytes_GET_SIZE(octets)
        return source
    source.extra = SourceOptions.__new__(SourceOptions)
    PyObject_GetBuffer(octets, &source.extra.buffer, PyBUF_SIMPLE)
    source.held = source.extra.held = True
    source.base = <const uint8_t *>source.extra.buffer.buf
    source.size = source.extra.buffer.len
    return source


cdef object decode_source(Plan plan, Source source, bint prefix, Header *h):
    cdef Check c
    cdef bint valid
    cdef const uint8_t *end = source.base + source.size
    cdef const Options *options = source.options()
    cdef Record *record = NULL if source.extra is None else &source.extra.record
    plan.prepared()
    if source.size >= GIL_RELEASE_SIZE:
        with nogil:
            valid = check(&c, options, record, &plan.node, source.base, end, prefix, h)
    else:
        valid = check(&c, options, record, &plan.node, source.base, end, prefix, h)
    if record != NULL and record.exhausted:
        raise MemoryError
    if not valid:
        raise fault_in_input(&c, source.base, end)
    if record != NULL and record.count > 1:
        sort_record(record)
    source.max_depth = options.depth - c.lowest
    return make_value(source, &plan.node, h, NULL)


def decode_plan(Plan plan not None, data, bint copy=True, tolerate=None, limits=None):
    """Decode all of `data` as one value of the plan's type."""
    cdef Header h
    return decode_source(plan, source_with(data, copy, tolerate, limits), False, &h)


def decode_plan_prefix(Plan plan not None, data, bint copy=True, tolerate=None, limits=None):
    """Decode the value that `data` begins with; return it and a memoryview of what follows."""
    cdef Header h
    value = decode_source(plan, source_with(data, copy, tolerate, limits), True, &h)
    # The rest is a view on the caller's own buffer, so that a loop over a stream copies nothing twice.
    rest = memoryview(data)
    if rest.format != "B" or rest.ndim != 1:
        rest = memoryview(rest.tobytes()) if not rest.c_contiguous else rest.cast("B")
    return value, rest[h.end - h.start:]


cdef Source source_with(data, bint copy, tolerate, limits):
    cdef Source source = source_new(data, copy)
    if tolerate is not None or limits is not None:
        if source.extra is None:
            source.extra = SourceOptions.__new__(SourceOptions)
        # Numbers, not the object: it could refer to a view of this source.
        source.extra.limits = None if limits is None else read_limits(limits)
        read_options(tolerate, source.extra.limits, &source.extra.options)
    return source
