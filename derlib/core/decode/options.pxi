# The options of a decode: the caller's `Limits` and `Deviation`, and the deviation that tolerates each fault.

# The deviations that tolerate each fault, 0 for none; `deviation_of` adds conditions.
cdef uint64_t[<int>FAULT_COUNT] DEVIATIONS


cdef void fill_deviations() except *:
    """Fill DEVIATIONS."""
    cdef int fault
    for fault, deviation in {
        FAULT_DEFAULT_ENCODED: _options.Deviation.DEFAULT_ENCODED,
        FAULT_SET_OF_ORDER: _options.Deviation.SET_OF_ORDER,
        FAULT_SET_ORDER: _options.Deviation.SET_ORDER,
        # Without a schema, it is not known which order applies.
        FAULT_ANY_SET_ORDER: _options.Deviation.SET_OF_ORDER | _options.Deviation.SET_ORDER,
        FAULT_BITS_NAMED: _options.Deviation.NAMED_BITS,
        FAULT_BITS_PADDING: _options.Deviation.UNUSED_BITS,
        FAULT_INTEGER_NOT_MINIMAL: _options.Deviation.INTEGER_PADDING,
        FAULT_LENGTH_NOT_MINIMAL: _options.Deviation.LENGTH_FORM,
        FAULT_BOOLEAN_TRUE: _options.Deviation.BOOLEAN_TRUE,
        FAULT_NUMERIC: _options.Deviation.STRING_ALPHABET,
        FAULT_PRINTABLE: _options.Deviation.STRING_ALPHABET,
        FAULT_VISIBLE: _options.Deviation.STRING_ALPHABET,
        FAULT_IA5: _options.Deviation.STRING_ALPHABET,
        FAULT_UTF8: _options.Deviation.STRING_ENCODING,
        FAULT_BMP: _options.Deviation.STRING_ENCODING,
        FAULT_UNIVERSAL: _options.Deviation.STRING_ENCODING,
        FAULT_UTC_FORM: _options.Deviation.UTC_TIME_FORM,
        FAULT_GENERALIZED_FORM: _options.Deviation.GENERALIZED_TIME_FORM,
        FAULT_GENERALIZED_FRACTION: _options.Deviation.GENERALIZED_TIME_FORM,
        FAULT_SIZE: _options.Deviation.EMPTY_LIST,
        FAULT_TRAILING_DATA: _options.Deviation.TRAILING_DATA,
        FAULT_CONTAINED_EXTRA: _options.Deviation.TRAILING_DATA,
    }.items():
        DEVIATIONS[fault] = deviation.value


memset(DEVIATIONS, 0, sizeof(DEVIATIONS))
fill_deviations()
cdef uint64_t OPEN_TYPE = _options.Deviation.OPEN_TYPE.value
cdef uint64_t EVERY_DEVIATION = (~_options.Deviation(0)).value


cdef uint64_t deviation_of(int fault, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the deviations that tolerate a fault of an element with these contents octets; 0 for none."""
    cdef LenientTime t
    if fault == FAULT_UTC_FORM or fault == FAULT_GENERALIZED_FORM or fault == FAULT_GENERALIZED_FRACTION:
        if not lenient_time_read(p, n, fault == FAULT_UTC_FORM, &t):
            return 0
    elif fault == FAULT_SIZE and not (is_list(node.kind) and n == 0):
        return 0
    return DEVIATIONS[fault]


# The fields of `Limits` in order, with the maximum of each.
cdef tuple LIMITS = (
    ("depth", DEPTH_MOST), ("size", PY_SSIZE_T_MAX), ("elements", PY_SSIZE_T_MAX), ("tag_octets", TAG_OCTETS_LIMIT),
    ("arc_octets", ARC_OCTETS_MOST))


cdef tuple read_limits(limits):
    """Return the numbers of a `Limits`, None for no limit.

    They are checked again, because `object.__setattr__` can change a frozen dataclass, and `depth` protects the C
    stack.
    """
    cdef list numbers = []
    if not isinstance(limits, _options.Limits):
        raise TypeError(f"expected derlib.Limits for limits, got {type(limits).__name__}")
    for name, most in LIMITS:
        value = getattr(limits, name)
        if value is None and (name == "size" or name == "elements"):
            numbers.append(None)
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            value = exact_int(value)
            if 1 <= value <= most:
                numbers.append(value)
                continue
        unlimited = " or None" if name == "size" or name == "elements" else ""
        raise ValueError(f"expected an int from 1 to {most}{unlimited} for the limit {name}, got {value!r:.80}")
    return tuple(numbers)


cdef int read_options(tolerate, tuple limits, Options *options) except -1:
    """Set `options` from the arguments of a caller; `limits` comes from `read_limits`, or is None."""
    options[0] = STRICT
    if tolerate is not None:
        if not isinstance(tolerate, _options.Deviation):
            raise TypeError(f"expected derlib.Deviation for tolerate, got {type(tolerate).__name__}")
        options.tolerated = tolerate.value
    if limits is not None:
        depth, size, elements, tag_octets, arc_octets = limits
        options.depth = depth
        options.arc_octets = arc_octets
        options.tag_octets = tag_octets
        options.tag_numbers = 31 if tag_octets == 1 else min(TAG_NUMBER_LIMIT, 1 << 7 * (tag_octets - 1))
        if size is not None:
            options.size = size
        if elements is not None:
            options.elements = elements
    return 0
