# Buffers that views stand on, the decode entry points, and faults made into errors.

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

import re as _re
from sys import modules as _modules

from derlib import oids as _oids, pem as _pem

cdef enum:
    # Below this many octets the check is done before another thread could use the GIL.
    GIL_RELEASE_SIZE = 16384
    # So much text may stand before a BEGIN line for an error to speak of PEM.
    TEXT_LOOKED_AT = 65536

# What is given in place of DER now and then, by its first octets.
cdef object TEXT = _re.compile(rb"(?:\xef\xbb\xbf)?[\t\r\n -~]*")
cdef object HEXADECIMAL_TEXT = _re.compile(rb"[0-9A-Fa-f\s]*")
cdef object BASE64_TEXT = _re.compile(rb"[A-Za-z0-9+/=\s]*")


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


cdef bytes contents_given(value, str what, str remedy):
    """Return the octets of the buffer that `what` is made of.

    bytes() would also take a list, and make so many zero octets of anything that has `__index__`.
    """
    if type(value) is bytes:
        return value
    try:
        return memoryview(value).tobytes()
    except TypeError:
        found = "text" if isinstance(value, str) else "a number" if isinstance(value, int) else type(value).__name__
        raise TypeError(f"{what} is made of octets, not of {found}: {remedy}") from None


cdef extern from *:
    """
    /* Whether an object that exports a buffer cannot refer to any view: see `octets_of`. */
    static int derlib_refers_to_nothing(PyObject *exporter) {
        PyTypeObject *type = Py_TYPE(exporter);
        if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) return !PyType_HasFeature(type, Py_TPFLAGS_HAVE_GC);
        return PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE)
            && (!strcmp(type->tp_name, "mmap.mmap") || !strcmp(type->tp_name, "array.array"));
    }
    """
    bint refers_to_nothing "derlib_refers_to_nothing"(object exporter) noexcept


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
        raise check_error(&c, source)
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


# Faults as errors. Nothing here runs unless a decode failed, so it is written for clear messages.

cdef object describe_tag(tag_t tag):
    """A tag as ASN.1 writes it: [0], [APPLICATION 3], or the name of a universal type."""
    number = tag >> 3
    cdef int tag_class = tag >> 1 & 3
    if tag_class == CLASS_UNIVERSAL:
        return UNIVERSAL_NAMES.get(number, f"[UNIVERSAL {number}]")
    return ("", f"[APPLICATION {number}]", f"[{number}]", f"[PRIVATE {number}]")[tag_class]


UNIVERSAL_NAMES = {
    1: "BOOLEAN", 2: "INTEGER", 3: "BIT STRING", 4: "OCTET STRING", 5: "NULL", 6: "OBJECT IDENTIFIER",
    7: "ObjectDescriptor", 8: "EXTERNAL", 9: "REAL", 10: "ENUMERATED", 11: "EMBEDDED PDV", 12: "UTF8String",
    13: "RELATIVE-OID", 14: "TIME", 16: "SEQUENCE", 17: "SET", 18: "NumericString", 19: "PrintableString",
    20: "TeletexString", 21: "VideotexString", 22: "IA5String", 23: "UTCTime", 24: "GeneralizedTime",
    25: "GraphicString", 26: "VisibleString", 27: "GeneralString", 28: "UniversalString", 29: "CHARACTER STRING",
    30: "BMPString", 31: "DATE", 32: "TIME-OF-DAY", 33: "DATE-TIME", 34: "DURATION", 35: "OID-IRI",
    36: "RELATIVE-OID-IRI",
}


cdef object describe_node(const Node *node):
    """A type as messages call it: its name, and its tag where that is not the type's own."""
    cdef Plan plan
    if node == NULL:
        return "an element"
    plan = plan_of(node)
    if node.tag != NO_TAG and node.tag >> 1 & 3 != CLASS_UNIVERSAL:
        return f"{describe_tag(node.tag)} {plan.name}"
    return plan.name


cdef object describe_form(const Node *node):
    """Describe the type of an element whose identifier octets are wrong: by the tag that they should have."""
    if node.kind == KIND_EXPLICIT:
        return f"the explicit tag {describe_tag(node.tag)} around {plan_of(node.element).name}"
    return describe_node(node)


cdef object hex_octets(bytes octets, int most):
    """The first octets in hexadecimal, bounded."""
    if not octets:
        return "(no octets)"
    shown = octets[:most].hex(" ")
    return shown if len(octets) <= most else f"{shown} ..."


cdef object describe_bounds(const Node *node, bint size):
    cdef object low
    cdef object high
    if size:
        low = node.size_low
        high = "MAX" if node.size_high == PY_SSIZE_T_MAX else node.size_high
        return f"{low}" if low == high else f"{low}..{high}"
    # Bounds come from the schema, not from the input; still a bound of thousands of digits is not a message.
    low = "MIN" if node.low == NULL else format_integer(integer_decode(node.low, node.low_length))
    high = "MAX" if node.high == NULL else format_integer(integer_decode(node.high, node.high_length))
    return f"{low}..{high}"


cdef object describe_limits(Check *c):
    """The constraint that is broken, where one is."""
    if c.constraint != NULL:
        return describe_constraint(c)
    if c.fault == FAULT_SIZE:
        return f"SIZE ({describe_bounds(c.expected, True)})"
    return describe_bounds(c.expected, False) if c.fault == FAULT_RANGE else ""


cdef object describe_number(Check *c, const uint8_t *end):
    """The number that a message is about: a size, a value outside its range, or a length that goes too far."""
    cdef Header h
    cdef const uint8_t *length
    cdef int fault = reread_header(c.at, end, &h)
    if c.fault == FAULT_CONTENT_TRUNCATED and fault == FAULT_CONTENT_TRUNCATED:
        length = length_octets(&h)
        if h.content - length > 1:
            length += 1
        declared = int.from_bytes((<const char *>length)[:h.content - length], "big")
        # A length has up to 126 octets, so a number of 300 digits.
        if declared >= 1 << 64:
            return f"2^{declared.bit_length() - 1} or more contents octets"
        return "1 contents octet" if declared == 1 else f"{declared} contents octets"
    if fault:
        return ""
    if c.fault == FAULT_RANGE or c.fault == FAULT_ENUMERATED_UNKNOWN:
        value = integer_decode(h.content, h.end - h.content)
        if value.bit_length() <= 256:
            return value
        return f"of {value.bit_length()} bits" if c.fault == FAULT_RANGE else format_integer(value)
    if c.fault != FAULT_SIZE:
        return h.end - h.content
    return value_size(c.expected, &h)


cdef object format_integer(value):
    return str(value) if value.bit_length() <= 256 else f"an integer of {value.bit_length()} bits"


cdef object fault_error(int fault, bytes contents):
    """An error about contents octets that stand in no decoded buffer."""
    kind, exception, clause, text = FAULTS[fault]
    text = text.format(
        octets=hex_octets(contents, 16), type="the value", start="", expected="", found="", text="", bounds="",
        refused="", **STRICT,
    )
    return exception(text, (), 0, clause, kind)


cdef object check_error(Check *c, Source source):
    """The error for a failed check of a decoded buffer."""
    return fault_in_input(c, source.base, source.base + source.size)


cdef object fault_in_input(Check *c, const uint8_t *base, const uint8_t *end):
    """Return the error for a failed check of a caller's input, with a hint if the input is empty or text."""
    return fault_of(c, base, end, input_hint(base, end))


cdef object fault_of(Check *c, const uint8_t *base, const uint8_t *end, str hint=None):
    """The error for a failed check: its path from the steps, its words from the octets at the fault."""
    cdef Header h
    cdef Py_ssize_t offset = c.at - base
    cdef str enclosing = "the input"
    # Octets after the element that holds the fault are none of its own, so no message looks at them.
    if c.limited == c.at and c.limit < end:
        enclosing = "the enclosing element"
        end = c.limit
    cdef bytes start = (<const char *>c.at)[:min(end - c.at, 8)]
    cdef bytes contents = b""
    cdef list path = []
    cdef Py_ssize_t i
    cdef Plan plan
    type_name = found = "the end of the contents"
    h.start = h.content = h.end = c.at
    if reread_header(c.at, end, &h) == FAULT_NONE:
        type_name = found = describe_tag(h.tag)
        constructed = bool(h.tag & 1)
        if h.tag >> 1 & 3 == CLASS_UNIVERSAL and constructed != (h.tag >> 3 in (8, 11, 16, 17, 29)):
            found += " in the constructed form" if constructed else " in the primitive form"
        contents = (<const char *>h.content)[:min(h.end - h.content, 65)]
    elif c.at < end:
        found = f"octets {start.hex(' ')}"
    for i in range(c.steps - 1, -1, -1):
        plan = plan_of(c.path[i].node)
        path.append(plan.names[c.path[i].index] if plan.names is not None else c.path[i].index)
    kind, exception, clause, text = FAULTS[c.fault]
    expected = describe_node(c.expected)
    if c.fault in (FAULT_TRAILING_DATA, FAULT_CONTAINED_EXTRA, FAULT_EXPLICIT_EXTRA):
        expected = "the end"
    elif c.fault == FAULT_COMPONENT_EXTRA:
        expected = "no further component"
    elif exception is _errors.ContentsError:
        found = hex_octets(contents, 16)
        if c.expected == NULL:
            expected = type_name
    if c.expected != NULL:
        type_name = describe_form(c.expected) if exception is _errors.IdentifierError else plan_of(c.expected).name
    detail = text.format(
        type=type_name,
        expected=expected,
        found=found,
        octets=hex_octets(contents, 16),
        start=hex_octets(start, 8),
        text=ascii(contents[:32].decode("latin-1")) + ("" if len(contents) <= 64 else "..."),
        bounds=describe_limits(c),
        refused=describe_refused(c, contents, &h) if c.constraint != NULL else "",
        number=describe_number(c, end),
        enclosing=enclosing,
        end=end - base,
        left=end - h.content,
        **c.options[0],
    )
    return exception(detail, tuple(path), offset, clause, kind, expected, found, remedy_of(c, end), hint)


cdef str input_hint(const uint8_t *base, const uint8_t *end):
    """Return the `hint` of an error about input that is empty or begins like text; None for other input."""
    if base == end:
        return "the input is empty"
    cdef bytes first = (<const char *>base)[:min(end - base, 64)]
    if first[:10] != b"-----BEGIN" and (len(first) < 16 or TEXT.fullmatch(first) is None):
        return None
    if first[:10] == b"-----BEGIN" or _pem.is_pem((<const char *>base)[:min(end - base, TEXT_LOOKED_AT)]):
        return "the input is PEM text: decode it with pem.decode first"
    if HEXADECIMAL_TEXT.fullmatch(first) is not None:
        return "the input is hexadecimal text: decode it with bytes.fromhex or `xxd -r -p` first"
    if BASE64_TEXT.fullmatch(first) is not None:
        return "the input is base64 text: decode it with base64.b64decode or `base64 -d` first"
    return "the input is text, not DER"


cdef object remedy_of(Check *c, const uint8_t *end):
    """The deviation that would have tolerated the fault, or None."""
    cdef Header h
    cdef uint64_t deviation = 0
    cdef int fault = reread_header(c.at, end, &h)
    if fault == FAULT_NONE:
        deviation = deviation_of(c.fault, c.expected, h.content, h.end - h.content)
    elif c.fault == FAULT_TRAILING_DATA or c.fault == FAULT_CONTAINED_EXTRA:
        deviation = DEVIATIONS[c.fault]
    if deviation == 0 and c.open > 0 and not is_limit(c.fault):
        deviation = OPEN_TYPE
    return _options.Deviation(deviation & (~deviation + 1)) if deviation else None


def fault_kinds():
    """Every kind of fault that the core finds, with its exception and clause: for the table of rules and its tests."""
    return [(kind, exception, clause) for kind, exception, clause, _ in FAULTS[1:]]
