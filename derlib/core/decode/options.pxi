# What one decoding may tolerate, within which limits, and the record of what it did tolerate.
#
# A check that finds a fault asks `tolerates`, after the fact: the strict way pays nothing. What was tolerated is noted
# by place and fault; the path is found later, by walking down the views (core/values/deviations.pxi).

from libc.stdlib cimport free, qsort, realloc

cdef struct Options:
    uint64_t tolerated              # a bit for each member of `Deviation`
    int depth                       # how deep constructed elements may nest
    Py_ssize_t size                 # octets of input
    Py_ssize_t elements             # in lists and in ANY
    Py_ssize_t arc_octets
    Py_ssize_t tag_octets
    uint64_t tag_numbers            # the first that `tag_octets` do not hold

cdef enum:
    DEPTH_LIMIT = 100               # what `Limits` has by default, and what the writer keeps to
    DEPTH_MOST = 200                # what `Limits` may have: the C stack of a thread has room for so many levels

cdef Options STRICT
STRICT.tolerated = 0
STRICT.depth = DEPTH_LIMIT
STRICT.size = STRICT.elements = PY_SSIZE_T_MAX
STRICT.arc_octets = ARC_OCTETS_LIMIT
STRICT.tag_octets = 10
STRICT.tag_numbers = TAG_NUMBER_LIMIT

# Which fault is which deviation, where `deviation_of` finds no more to ask.
cdef uint64_t[<int>FAULT_COUNT] DEVIATIONS


cdef void fill_deviations() except *:
    cdef int fault
    for fault, deviation in {
        FAULT_DEFAULT_ENCODED: _options.Deviation.DEFAULT_ENCODED,
        FAULT_SET_OF_ORDER: _options.Deviation.SET_OF_ORDER,
        FAULT_SET_ORDER: _options.Deviation.SET_ORDER,
        # Without a schema either of the two orders could have been meant.
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


cdef uint64_t deviation_of(int fault, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """The deviations that tolerate a fault of an element with these contents octets; 0 for none."""
    cdef LenientTime t
    if fault == FAULT_UTC_FORM or fault == FAULT_GENERALIZED_FORM or fault == FAULT_GENERALIZED_FRACTION:
        if not lenient_time_read(p, n, fault == FAULT_UTC_FORM, &t):
            return 0
    elif fault == FAULT_SIZE and not (is_list(node.kind) and n == 0):
        return 0
    return DEVIATIONS[fault]


cdef struct Breach:                 # one that was tolerated
    const uint8_t *at
    uint64_t deviation
    int fault

cdef struct PendingCheck:                # an opaque value that is yet to be proved (core/decode/open_type.pxi)
    Header place
    int depth                       # levels left there

cdef struct Record:
    Breach *breaches
    Py_ssize_t count
    Py_ssize_t room
    PendingCheck *pending
    Py_ssize_t pending_count
    Py_ssize_t pending_room
    bint exhausted                  # no memory for another one


cdef void *grow(Record *record, void *items, Py_ssize_t *room, Py_ssize_t size) noexcept nogil:
    """More room for items of `size` octets; NULL where there is no memory, and then all is left as it was."""
    # Copies cost more than room that nobody touches.
    cdef Py_ssize_t more = 4 * room[0] + 4
    cdef void *grown = NULL if more > PY_SSIZE_T_MAX // size else realloc(items, more * size)
    if grown == NULL:
        record.exhausted = True
    else:
        room[0] = more
    return grown


cdef bint defer(Record *record, const Header *h, int depth) noexcept nogil:
    """Put off the proof of an opaque value; False where there is no memory."""
    cdef void *grown
    if record.pending_count == record.pending_room:
        grown = grow(record, record.pending, &record.pending_room, sizeof(PendingCheck))
        if grown == NULL:
            return False
        record.pending = <PendingCheck *>grown
    record.pending[record.pending_count].place = h[0]
    record.pending[record.pending_count].depth = depth
    record.pending_count += 1
    return True


cdef bint note(Record *record, const uint8_t *at, int fault, uint64_t deviation) noexcept nogil:
    """Add a breach to the record; False where there is no memory for it."""
    cdef void *grown
    if record.count == record.room:
        grown = grow(record, record.breaches, &record.room, sizeof(Breach))
        if grown == NULL:
            return False
        record.breaches = <Breach *>grown
    record.breaches[record.count].at = at
    record.breaches[record.count].fault = fault
    # The lowest of several, as for a SET without a schema.
    record.breaches[record.count].deviation = deviation & (~deviation + 1)
    record.count += 1
    return True


cdef int by_place(const void *a, const void *b) noexcept nogil:
    cdef const uint8_t *first = (<const Breach *>a).at
    cdef const uint8_t *second = (<const Breach *>b).at
    # Breaches of one element in the order of the faults, since qsort keeps none.
    return 1 if first > second else -1 if first < second else (<const Breach *>a).fault - (<const Breach *>b).fault


cdef void sort_record(Record *record) noexcept nogil:
    """Put breaches into the order of their places, in which nearly all were noted already."""
    cdef Py_ssize_t i
    for i in range(1, record.count):
        if record.breaches[i].at < record.breaches[i - 1].at:
            qsort(record.breaches, record.count, sizeof(Breach), by_place)
            return


cdef Py_ssize_t first_breach(const Record *record, const uint8_t *p) noexcept nogil:
    """The number of the first breach at `p` or behind it, in a record that was sorted."""
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = record.count
    cdef Py_ssize_t middle
    while low < high:
        middle = low + (high - low) // 2
        if record.breaches[middle].at < p:
            low = middle + 1
        else:
            high = middle
    return low


# The fields of `Limits` in their order, and the most that each may be.
cdef tuple LIMITS = (
    ("depth", DEPTH_MOST), ("size", PY_SSIZE_T_MAX), ("elements", PY_SSIZE_T_MAX), ("tag_octets", 10),
    ("arc_octets", ARC_OCTETS_MOST))


cdef tuple read_limits(limits):
    """The numbers of a `Limits`, None for no limit.

    They are bounded here again: `object.__setattr__` changes a frozen dataclass, and `depth` bounds the C stack.
    """
    cdef list numbers = []
    if not isinstance(limits, _options.Limits):
        raise TypeError(f"limits are a derlib.Limits, not {type(limits).__name__}")
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
        raise ValueError(f"the limit {name} is an int from 1 to {most}{unlimited}, not {value!r:.80}")
    return tuple(numbers)


cdef int read_options(tolerate, tuple limits, Options *options) except -1:
    """Take over what a caller chose; limits are those of `read_limits`, or None."""
    options[0] = STRICT
    if tolerate is not None:
        if not isinstance(tolerate, _options.Deviation):
            raise TypeError(f"tolerate is a Deviation, or several joined by |, not {type(tolerate).__name__}")
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
