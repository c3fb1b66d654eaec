# The conversion of BER: the entry points. core/ber does the work.
#
# An input that is DER needs no conversion: the strict check finds out. Otherwise it is converted, and the strict check
# validates the output. Errors have the offset in the input in any case.

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
    options.reads_ber = True
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
    converted.log.is_of_der = True
    source.max_depth = options.depth - c.lowest
    if source.extra is None:
        source.extra = SourceExtra.__new__(SourceExtra)
    source.extra.conversion = converted.log
    return converted


cdef int convert_to_der(
    Converted converted, Source source, const Options *options, const Conversions *wanted, bint frames_kept
) except -1:
    """Convert a source that is not DER, and validate the result."""
    # Pointers, as in core/ber/walk.pxi: the validation does not need the stack of the conversion.
    RUN_CONVERSION(converted, source, options, wanted, frames_kept)
    VALIDATE_CONVERTED(converted, source, options, wanted, frames_kept)
    return 0


cdef int run_conversion(
    Converted converted, Source source, const Options *options, const Conversions *wanted, bint frames_kept
) except -1:
    """Convert a source that is not DER."""
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
    return 0


cdef bytes written_octets(Conversion *c, Source source, const BerElement *e):
    """Return the output: the bytes of the source itself if nothing changes."""
    if c.edits.count == 0:
        return octets_between(source, e.h.start, e.after)
    return edited_octets(c, e)


cdef bytes edited_octets(Conversion *c, const BerElement *e):
    """Return a converted element, with all edits."""
    cdef Py_ssize_t size = e.after - e.h.start + c.growth
    cdef bytes octets = PyBytes_FromStringAndSize(NULL, size)
    cdef uint8_t *p = <uint8_t *>PyBytes_AS_STRING(octets)
    cdef bint written
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
    # A kept element must be DER.
    without_size.reads_ber = not is_in_kept(converted.log, c.at - source.base)
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


ctypedef int (*conversion_step_t)(
    Converted converted, Source source, const Options *options, const Conversions *wanted, bint frames_kept) except -1
cdef conversion_step_t RUN_CONVERSION = run_conversion
cdef conversion_step_t VALIDATE_CONVERTED = validate_converted


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
    """Return the hint of an error about a conversion: what accepts the input, or what the input is."""
    if wanted.by_convert and c.fault == FAULT_TRAILING_DATA:
        return "prefix=True accepts them"
    cdef const uint8_t *end = input.base + input.size
    return input_hint(input.base, end) or signed_hint(c, wanted.by_convert) or rest_hint(c, end)


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


cdef bint is_in_kept(ConversionLog log, Py_ssize_t offset) noexcept:
    """Return whether an offset in the output is inside of a kept element."""
    cdef KeptElement *kept
    cdef Py_ssize_t i
    for i in range(log.kept.count):
        kept = <KeptElement *>log.kept.items + i
        if 0 <= offset - log.destination(kept.start) < kept.after - kept.start:
            return True
    return False


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
    cdef Conversions wanted = Conversions(prefix, True, 0, converts_signed, NULL)
    cdef Converted converted
    cdef KeepRequest keep = None
    if types or paths:
        keep = KeepRequest.__new__(KeepRequest)
        keep.fill(types, paths)
        wanted.keep = &keep.rules
    converted = convert_source(plan, source_with(data, True, None, limits, False), &wanted)
    if converted.log.is_of_der:
        converted.log.keep = keep
    return converted


cdef ConversionLog kept_in_der(Converted converted):
    """Return a log of the kept elements in an input that is DER. It has no edits, because nothing changes."""
    cdef Conversion c
    cdef BerElement e
    cdef ConversionLog log = ConversionLog.__new__(ConversionLog)
    cdef KeepRequest keep = converted.log.keep
    cdef Options options = converted.source.options()[0]
    cdef bint valid
    # The input was within the limits. Here, each element of ANY counts, and segments do not occur.
    options.elements = PY_SSIZE_T_MAX
    conversion_begin(&c, &options, converted.h.start)
    c.is_of_der = True
    if keep is not None:
        c.keep = &keep.rules
    try:
        with nogil:
            valid = convert(&c, &converted.plan.node, converted.h.start, converted.h.end, False, &e)
        if c.out_of_memory:
            raise MemoryError
        if not valid or c.growth:
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        log.plan = converted.plan
        log.kept = c.kept
        log.places = c.places
        memset(&c.kept, 0, sizeof(Array))
        memset(&c.places, 0, sizeof(Array))
    finally:
        conversion_end(&c)
    return log


cdef object decode_ber(Plan plan, data, tolerate, limits, rules):
    """Convert all of `data` by these rules, and return the value.

    A buffer that can change is copied, also with ``copy=False``: the conversion reads it several times.
    """
    cdef Conversions wanted = Conversions(False, False, 0, False, NULL)
    require_ber(rules)
    return convert_source(plan, source_with(data, True, tolerate, limits, False), &wanted).value


cdef int require_ber(rules) except -1:
    """Raise an error if these are not rules of a decode, or not BER."""
    if not isinstance(rules, str):
        raise TypeError(f"expected 'der' or 'ber' for rules, got {type(rules).__name__}; 'ber' also accepts CER")
    if rules != "ber":
        raise ValueError(f"expected 'der' or 'ber' for rules, got {short_repr(rules)}; 'ber' also accepts CER")
    return 0
