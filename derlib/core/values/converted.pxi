# The conversion of BER: the entry points, and `Converted`, its result. core/ber does the work.
#
# An input that is DER needs no conversion: the strict check finds out. Otherwise it is converted, and the strict check
# validates the output. Errors have the offset in the input in any case.
#
# A Source refers to the ConversionLog of its conversion, which refers to no source: sources are not garbage-collected.

@cython.final
@cython.no_gc
cdef class ConversionLog:
    """The edits of a conversion, in the order of the input, and what they refer to. It never changes."""
    cdef Array edits
    cdef Array places
    cdef Array kept
    cdef Array ambiguous
    cdef Array run_templates
    cdef Array run_numbers
    cdef Py_ssize_t *changes_before         # by edit: the number of changes before it; NULL until it is needed
    cdef Py_ssize_t *by_output      # if a SET was sorted: what `output_order` returned; otherwise NULL
    cdef Py_ssize_t by_output_count
    cdef Py_ssize_t consumed        # the bytes of the input that were used
    cdef Plan plan                  # keeps the nodes of `places` alive

    def __cinit__(self):
        memset(&self.edits, 0, sizeof(Array))
        memset(&self.places, 0, sizeof(Array))
        memset(&self.kept, 0, sizeof(Array))
        memset(&self.ambiguous, 0, sizeof(Array))
        memset(&self.run_templates, 0, sizeof(Array))
        memset(&self.run_numbers, 0, sizeof(Array))

    def __dealloc__(self):
        free(self.edits.items)
        free(self.places.items)
        free(self.kept.items)
        free(self.ambiguous.items)
        free(self.run_templates.items)
        free(self.run_numbers.items)
        free(self.changes_before)
        free(self.by_output)

    cdef Edit *edit(self, Py_ssize_t i) noexcept:
        return <Edit *>self.edits.items + i

    cdef tuple path(self, int32_t place, int32_t element, Py_ssize_t index):
        """Return the path that ends with a step. The step `element`, that of a template, has this index instead."""
        cdef list path = []
        cdef Place *step
        cdef Plan plan
        while place >= 0:
            step = <Place *>self.places.items + place
            plan = plan_of(step.node)
            if place == element:
                path.append(index)
            else:
                path.append(step.index if plan.names is None else plan.names[step.index])
            place = step.parent
        path.reverse()
        return tuple(path)

    cdef Py_ssize_t destination(self, Py_ssize_t offset) noexcept:
        """Return the offset in the output of a byte of the input, or of the first byte that follows a dropped one."""
        cdef Py_ssize_t low = 0
        cdef Py_ssize_t high = self.edits.count
        cdef Py_ssize_t middle
        cdef Edit *edit
        while low < high:
            middle = (low + high) // 2
            if self.edit(middle).at <= offset:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return offset
        edit = self.edit(low - 1)
        if offset < edit.at + edit.drop:
            if edit.what == EDIT_RUN:
                return self.in_run(edit, offset, True)
            # The identifier octets of a header remain in their place.
            return edit.out + min(offset - edit.at, max(edit.insert - 1, 0))
        return edit.out + edit.insert + offset - edit.at - edit.drop

    cdef Py_ssize_t origin(self, Py_ssize_t offset) noexcept:
        """Return the offset in the input of a byte of the output, or of what an inserted byte replaces."""
        cdef Py_ssize_t low = 0
        cdef Py_ssize_t high = self.edits.count if self.by_output == NULL else self.by_output_count
        cdef Py_ssize_t middle
        cdef Edit *edit
        while low < high:
            middle = (low + high) // 2
            if self.edit(middle if self.by_output == NULL else self.by_output[middle]).out <= offset:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return offset
        edit = self.edit(low - 1 if self.by_output == NULL else self.by_output[low - 1])
        if offset < edit.out + edit.insert:
            if edit.what == EDIT_RUN:
                return self.in_run(edit, offset, False)
            # An initial octet that was inserted replaces nothing: it belongs to the header before it.
            return edit.at + min(offset - edit.out, edit.drop - 1)
        return edit.at + edit.drop + offset - edit.out - edit.insert

    cdef Py_ssize_t in_run(self, const Edit *run, Py_ssize_t offset, bint in_input) noexcept:
        """Return `destination` of an offset in a run, or `origin` if `in_input` is false.

        The element at the offset has the same edits as its template, whose positions are those of an earlier element.
        """
        cdef RunElement element
        cdef Py_ssize_t out
        begin_run(self, run, &element)
        while next_of_run(self, &element):
            if in_input and offset < element.at + element.template.length:
                break
            if not in_input and offset < element.out + element.template.out_length:
                break
        out = self.destination(element.template.start)
        if in_input:
            return self.destination(element.template.start + offset - element.at) - out + element.out
        return self.origin(out + offset - element.out) - element.template.start + element.at

    cdef const Py_ssize_t *count_changes(self) except NULL:
        """Return the number of changes before each edit, and at the end the number of all changes."""
        cdef Py_ssize_t *counts = <Py_ssize_t *>load_acquire(<void **>&self.changes_before)
        cdef RunElement element
        cdef Py_ssize_t count = 0
        cdef Py_ssize_t i
        if counts != NULL:
            return counts
        counts = <Py_ssize_t *>realloc(NULL, (self.edits.count + 1) * sizeof(Py_ssize_t))
        if counts == NULL:
            raise MemoryError
        for i in range(self.edits.count):
            counts[i] = count
            count += self.edit(i).fault != FAULT_NONE
            if self.edit(i).what == EDIT_RUN:
                begin_run(self, self.edit(i), &element)
                while next_of_run(self, &element):
                    count += element.template.changes
        counts[self.edits.count] = count
        if not set_if_null(<void **>&self.changes_before, <void *>counts):
            # Another thread was faster.
            free(counts)
        return <Py_ssize_t *>load_acquire(<void **>&self.changes_before)


cdef struct RunElement:             # an element of a run: see `next_of_run`
    const Edit *run
    const RunTemplate *template
    Py_ssize_t number               # its number in the run
    Py_ssize_t at                   # its offset in the input
    Py_ssize_t out                  # its offset in the output


cdef void begin_run(ConversionLog log, const Edit *run, RunElement *element) noexcept:
    """Prepare to go over the elements of a run."""
    element.run = run
    element.template = NULL
    element.number = -1
    element.at = run.at
    element.out = run.out


cdef bint next_of_run(ConversionLog log, RunElement *element) noexcept:
    """Move to the next element of a run; return False after the last one."""
    cdef const Edit *run = element.run
    if element.template != NULL:
        element.at += element.template.length
        element.out += element.template.out_length
    element.number += 1
    if element.number == run.start:
        return False
    element.template = <RunTemplate *>log.run_templates.items + run.step \
        + (<uint8_t *>log.run_numbers.items)[run.value + element.number]
    return True


cdef ConversionLog new_log(Conversion *c, Plan plan, Py_ssize_t consumed):
    """Return the log of a conversion that was written, which takes over its memory."""
    cdef ConversionLog log = ConversionLog.__new__(ConversionLog)
    log.plan = plan
    log.consumed = consumed
    log.edits = c.edits
    log.places = c.places
    log.kept = c.kept
    log.ambiguous = c.ambiguous
    log.run_templates = c.run_templates
    log.run_numbers = c.run_numbers
    memset(&c.edits, 0, sizeof(Array))
    memset(&c.places, 0, sizeof(Array))
    memset(&c.kept, 0, sizeof(Array))
    memset(&c.ambiguous, 0, sizeof(Array))
    memset(&c.run_templates, 0, sizeof(Array))
    memset(&c.run_numbers, 0, sizeof(Array))
    if c.has_sorted_set:
        log.by_output = output_order(&log.edits, consumed, &log.by_output_count)
        if log.by_output == NULL:
            raise MemoryError
    return log


@cython.final
@cython.no_gc
cdef class Converted:
    """The DER that BER was converted to, with all changes and their positions: the result of `derlib.ber.convert`.

    >>> from derlib import SequenceOf, ber
    >>> converted = ber.convert(bytes.fromhex("3080 010101 0000"), SequenceOf[bool])
    >>> converted.der.hex(" ")
    '30 03 01 01 ff'
    >>> [(change.kind, change.path) for change in converted.changes]
    [('length-indefinite', ()), ('boolean-true', (0,))]
    """
    cdef Source source              # the output
    cdef ConversionLog log
    cdef Plan plan
    cdef Header h                   # of the value in the output
    cdef object error               # of the strict check, which `value` raises; or None

    def __init__(self):
        raise TypeError("derlib.ber.convert(data) creates Converted values")

    cdef int require_value(self) except -1:
        """Raise TypeError if this Converted was made by `__new__` alone."""
        if self.source is None:
            raise TypeError("this Converted has no conversion: derlib.ber.convert(data) creates Converted values")
        return 0

    @property
    def der(self):
        """The DER, as `bytes`. If the input was `bytes` that are DER, this is the same object."""
        self.require_value()
        return octets_between(self.source, self.h.start, self.h.end)

    @property
    def value(self):
        """The decoded value of the type, or a `TLV` if no type was given.

        Raises:
            DecodeError: a kept element is not DER.
        """
        self.require_value()
        if self.error is not None:
            # A new one: the traceback of the stored one would refer to this object, which is not garbage-collected.
            raise type(self.error)(*self.error.args)
        return make_value(self.source, &self.plan.node, &self.h, NULL)

    @property
    def consumed(self):
        """The number of bytes of the input that were converted."""
        self.require_value()
        return self.log.consumed

    @property
    def changes(self):
        """All changes in the order of the input, as a sequence of `Change`; empty if the input is DER."""
        self.require_value()
        return changes_of(self)

    @property
    def kept(self):
        """The elements that were copied unchanged, as a tuple of `Kept`; empty if the input is DER."""
        self.require_value()
        return kept_of(self)

    @property
    def ambiguous(self):
        """The positions in the input of elements that may be strings in segments, as a tuple of `Span`.

        An element with a tag that is not universal, whose elements are all OCTET STRINGs or all BIT STRINGs, can be a
        string with an IMPLICIT tag. Only a type decides. Without one, such an element remains constructed.
        """
        cdef AmbiguousElement *element
        cdef Py_ssize_t i
        cdef list found = []
        self.require_value()
        for i in range(self.log.ambiguous.count):
            element = <AmbiguousElement *>self.log.ambiguous.items + i
            found.append(Span(element.start, element.header, element.end - element.start - element.header))
        return tuple(found)

    def origin(self, offset):
        """Return the offset in the input of the byte at `offset` of `der`.

        For a byte that was inserted, this is the offset of the bytes that it replaced. The end of `der` is the end of
        the input.

        Raises:
            IndexError: `der` has no such offset.

        >>> from derlib import ber
        >>> ber.convert(bytes.fromhex("3080 0500 0000")).origin(3)
        3
        """
        cdef Py_ssize_t length = self.h.end - self.h.start
        cdef Py_ssize_t at = PyNumber_AsSsize_t(offset, IndexError)
        self.require_value()
        if not 0 <= at <= length:
            raise IndexError(f"offset {at} is outside of the DER, which has {length} bytes")
        return self.log.consumed if at == length else self.log.origin(at)

    def destination(self, offset):
        """Return the offset in `der` of the byte at `offset` of the input.

        For a byte that was dropped, this is the offset of what replaced it, or of the byte that follows.

        Raises:
            IndexError: the input has no such offset, or it is after the converted element.

        >>> from derlib import ber
        >>> ber.convert(bytes.fromhex("308106 048103 616263")).destination(6)
        4
        """
        cdef Py_ssize_t at = PyNumber_AsSsize_t(offset, IndexError)
        self.require_value()
        if not 0 <= at <= self.log.consumed:
            raise IndexError(f"offset {at} is outside of the converted input, which has {self.log.consumed} bytes")
        return self.log.destination(at)

    def __repr__(self):
        changes = len(self.changes)
        return f"<Converted: {self.log.consumed} bytes of BER to {self.h.end - self.h.start} bytes of DER, " \
            f"{changes} change{'' if changes == 1 else 's'}>"


cdef struct Conversions:            # the options of a conversion that a decode does not have
    bint prefix                     # bytes after the value are not a fault
    bint by_convert                 # called by `derlib.ber.convert`: errors suggest its arguments
    Py_ssize_t first                # the offset of the first byte, which is added to the offsets in errors
    bint converts_signed
    const KeepRules *keep


cdef Converted convert_source(Plan plan, Source source, const Conversions *wanted):
    """Convert a source to DER of the plan's type; raise the error of the first fault."""
    cdef Check c
    cdef Converted converted = Converted.__new__(Converted)
    cdef const uint8_t *end = source.base + source.size
    cdef Options options = source.options()[0]
    cdef bint valid
    options.names_no_deviation = wanted.by_convert
    plan.prepared()
    source.registrations = load_count(&registrations)
    converted.plan = plan
    check_begin(&c, &options, NULL)
    if source.size >= GIL_RELEASE_SIZE:
        with nogil:
            valid = check(&c, &plan.node, source.base, end, wanted.prefix, &converted.h)
    else:
        valid = check(&c, &plan.node, source.base, end, wanted.prefix, &converted.h)
    if not valid:
        convert_to_der(converted, source, &options, wanted, False)
        return converted
    converted.source = source
    converted.log = ConversionLog.__new__(ConversionLog)
    converted.log.plan = plan
    converted.log.consumed = converted.h.end - converted.h.start
    source.max_depth = options.depth - c.lowest
    if source.extra is None:
        source.extra = SourceExtra.__new__(SourceExtra)
    source.extra.conversion = converted.log
    return converted


cdef int convert_to_der(
    Converted converted, Source source, const Options *options, const Conversions *wanted, bint frames_kept
) except -1:
    """Convert a source that is not DER, and validate the result."""
    cdef Conversion c
    cdef BerElement e
    cdef bytes octets
    cdef bint valid
    cdef const uint8_t *end = source.base + source.size
    conversion_begin(&c, options, source.base)
    c.converts_signed = wanted.converts_signed
    c.keep = wanted.keep
    c.frames_kept = frames_kept
    try:
        with nogil:
            valid = convert(&c, &converted.plan.node, source.base, end, wanted.prefix, &e)
        if c.out_of_memory:
            raise MemoryError
        if not valid:
            raise fault_of(&c.check, source.base, end, wanted.first, conversion_hint(&c.check, source, wanted))
        if not wanted.prefix:
            # The bytes after the value were tolerated. The strict check records them as a deviation.
            e.after = end
        octets = written_octets(&c, source, &e)
        converted.log = new_log(&c, converted.plan, e.after - e.h.start)
    finally:
        conversion_end(&c)
    converted.source = converted_source(source, octets)
    converted.source.extra.conversion = converted.log
    validate_converted(converted, source, options, wanted, frames_kept)
    return 0


cdef bytes written_octets(Conversion *c, Source source, const BerElement *e):
    """Return the output: the bytes of the source itself if nothing changes."""
    cdef bytes octets
    cdef uint8_t *p
    cdef Py_ssize_t size = e.after - e.h.start + c.growth
    cdef bint written
    if c.edits.count == 0:
        return octets_between(source, e.h.start, e.after)
    octets = PyBytes_FromStringAndSize(NULL, size)
    p = <uint8_t *>PyBytes_AS_STRING(octets)
    with nogil:
        written = write_edits(c, 0, c.edits.count, e.h.start, e.after, p, size) != NULL
        if c.has_sorted_set:
            resolve_moves(c)
    if c.out_of_memory:
        raise MemoryError
    if not written:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return octets


cdef Source converted_source(Source source, bytes octets):
    """Return a source for the output, with the options of the source of the input."""
    cdef Source output = source_new(octets, True, False)
    output.extra = SourceExtra.__new__(SourceExtra)
    if source.extra is not None:
        output.extra.options = source.extra.options
        output.extra.limits = source.extra.limits
    return output


cdef int validate_converted(
    Converted converted, Source input, const Options *options, const Conversions *wanted, bint excuses_kept
) except -1:
    """Validate the output; raise an error that has the offset in the input.

    With `excuses_kept`, ignore the faults of kept elements; their headers must be DER.
    """
    cdef Check c
    cdef Options without_size = options[0]
    cdef bytearray excused = None
    cdef Source source = converted.source
    cdef Record *record = &source.extra.record
    cdef const uint8_t *end = source.base + source.size
    cdef bint valid
    # The size of the input is within its limit.
    without_size.size = PY_SSIZE_T_MAX
    source.registrations = load_count(&registrations)
    check_begin(&c, &without_size, record)
    if excuses_kept:
        excused = excused_octets(converted.log, source.size)
        c.excused = <const uint8_t *><char *>excused
        c.excused_base = source.base
    with nogil:
        valid = check(&c, &converted.plan.node, source.base, end, False, &converted.h)
    if record.exhausted:
        raise MemoryError
    if record.count > 1:
        sort_record(record)
    source.max_depth = options.depth - c.lowest
    if valid:
        return 0
    error = moved_error(&c, fault_of(&c, source.base, end, 0, conversion_hint(&c, input, wanted)), converted.log,
                        wanted.first)
    if excuses_kept or not has_invalid_kept(converted.log):
        raise error
    verify_around_kept(converted, input, options, wanted, error)
    converted.error = error
    if reread_header(source.base, end, &converted.h):
        converted.h.start = source.base
    converted.h.end = end
    return 0


cdef int verify_around_kept(
    Converted converted, Source input, const Options *options, const Conversions *wanted, error
) except -1:
    """Validate a value that has a kept element that is not DER: raise an error if anything else is invalid.

    The check of the output ended at the first such element, perhaps at its header. So the input is converted again:
    now these elements get headers that are DER, so that the check can ignore their faults and continue after them.
    `error` is the error of the first check.
    """
    cdef Converted framed = Converted.__new__(Converted)
    framed.plan = converted.plan
    try:
        convert_to_der(framed, input, options, wanted, True)
    except (_errors.DecodeError, _errors.LimitError) as again:
        if again.kind == error.kind and again.offset == error.offset and len(again.path) == len(error.path):
            # The same fault. The new headers can change the order of a SET OF, and so its path.
            raise error from None
        raise
    return 0


cdef str conversion_hint(const Check *c, Source input, const Conversions *wanted):
    """Return the hint of an error about a conversion: the argument that accepts the input, or what the input is."""
    if wanted.by_convert and c.fault == FAULT_TRAILING_DATA:
        return "prefix=True accepts them"
    return input_hint(input.base, input.base + input.size) or signed_hint(c, wanted.by_convert)


cdef str signed_hint(const Check *c, bint by_convert):
    """Return the hint if signed attributes are not DER: the argument that converts them; otherwise None."""
    if c.fault != FAULT_SIGNED_NOT_DER:
        return None
    call = "" if by_convert else "derlib.ber.convert with "
    return f'{call}signed_attributes="convert" converts it'


cdef bytearray excused_octets(ConversionLog log, Py_ssize_t size):
    """Return `Check.excused` for an output of this size: the kept elements that are not DER."""
    cdef bytearray excused = bytearray(size)
    cdef KeptElement *kept
    cdef Py_ssize_t i
    for i in range(log.kept.count):
        kept = <KeptElement *>log.kept.items + i
        if not kept.valid:
            excused[log.destination(kept.start)] = kept.depth + 1
    return excused


cdef object moved_error(const Check *c, error, ConversionLog log, Py_ssize_t first):
    """Return an error about the output as one about the input."""
    detail, path, at, *others = error.args
    cdef Py_ssize_t offset = at
    if c.fault == FAULT_COMPONENT_MISSING or c.fault == FAULT_MEMBER_MISSING or c.fault == FAULT_EXPLICIT_EMPTY:
        # At the end of contents, before end-of-contents octets.
        offset = log.origin(offset - 1) + 1
    else:
        offset = log.origin(offset)
    if isinstance(error, _errors.TruncatedError):
        detail = moved_detail(detail, first + offset - <Py_ssize_t>at)
    return type(error)(detail, path, first + offset, *others)


cdef str moved_detail(str detail, Py_ssize_t distance):
    """Return the message of a TruncatedError after adding a distance to the offset in it."""
    before, found, after = detail.partition("at offset ")
    rest = after.lstrip("0123456789")
    digits = after[:len(after) - len(rest)]
    return f"{before}{found}{int(digits) + distance}{rest}" if digits else detail


cdef bint has_invalid_kept(ConversionLog log) noexcept:
    """Return whether a kept element is not DER."""
    cdef Py_ssize_t i
    for i in range(log.kept.count):
        if not (<KeptElement *>log.kept.items + i).valid:
            return True
    return False


def convert_ber(
    Plan plan not None, data, limits=None, bint prefix=False, bint converts_signed=False, tuple types=(), tuple paths=()
):
    """Convert BER to DER; `derlib.ber.convert` describes the arguments.

    Elements whose plans are among `types`, and those at `paths`, are kept. A step of a path is a name, an index, or "*"
    for any index.
    """
    cdef KeepRules keep
    cdef Conversions wanted = Conversions(prefix, True, 0, converts_signed, NULL)
    cdef bytearray nodes = bytearray(len(types) * sizeof(void *))
    cdef Plan each
    if types or paths:
        keep.types = <const Node **><char *>nodes
        keep.type_count = 0
        for each in types:
            each.prepared()
            while each.node.kind == KIND_EXPLICIT:
                each = plan_of(each.node.element)
            keep.types[keep.type_count] = &each.node
            keep.type_count += 1
        keep.paths = <PyObject *>paths
        keep.lengths = 0
        for path in paths:
            require_steps(path)
            keep.lengths |= <uint64_t>1 << <int>min(len(<tuple>path), 63)
        wanted.keep = &keep
    return convert_source(plan, source_with(data, True, None, limits, False), &wanted)


cdef int require_steps(path) except -1:
    """Raise TypeError if this is not a tuple of names and indexes, whose comparisons run no code."""
    if type(path) is not tuple:
        raise TypeError(f"expected a path, a tuple of steps, got {type(path).__name__}")
    for step in <tuple>path:
        if type(step) is not str and type(step) is not int:
            raise TypeError(f"expected a name or an index in a path, got {type(step).__name__}")
    return 0


cdef object decode_ber(Plan plan, data, bint copy, tolerate, limits, rules):
    """Convert all of `data` by these rules, and return the value."""
    cdef Conversions wanted = Conversions(False, False, 0, False, NULL)
    require_ber(rules)
    return convert_source(plan, source_with(data, copy, tolerate, limits, False), &wanted).value


cdef int require_ber(rules) except -1:
    """Raise an error if these are not rules of a decode, or not BER."""
    if not isinstance(rules, str):
        raise TypeError(f"expected 'der' or 'ber' for rules, got {type(rules).__name__}; 'ber' also accepts CER")
    if rules != "ber":
        raise ValueError(f"expected 'der' or 'ber' for rules, got {short_repr(rules)}; 'ber' also accepts CER")
    return 0


cdef object origin_of(Source source):
    """Return the `Converted` of the input that a source belongs to, or None."""
    cdef Converted converted
    if source.whole is not None:
        source = source.whole
    if source.extra is None or source.extra.conversion is None:
        return None
    converted = Converted.__new__(Converted)
    converted.source = source
    converted.log = source.extra.conversion
    converted.plan = converted.log.plan
    if reread_header(source.base, source.base + source.size, &converted.h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return converted
