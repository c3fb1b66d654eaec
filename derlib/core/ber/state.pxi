# The state of a conversion (`Conversion`), and the functions that read the elements of BER contents one by one.
#
# A conversion has two forward passes. The walk (walk.pxi and the files after it) reads the input by the schema, and
# writes the list of edits (edits.pxi). Then the size of the output is known, and `write_edits` (write.pxi) writes it.
# Both are linear in the input. The limit on depth bounds the recursion of the walk, as it does in the strict check.
#
# The walk only reports the faults of BER itself. An element that does not fit its type is converted without a type;
# the strict check, which runs over the output, then finds the fault and describes it as in any other decode.

cdef enum:
    # Deeper steps of a path are left out, as in Check.
    TRAIL_LIMIT = PATH_LIMIT

cdef struct TrailStep:              # a step of the path to the current element
    const Node *node
    Py_ssize_t index                # -1 for an element without a step, such as an unknown addition
    int32_t place                   # its number in `Conversion.places`, -1 while it has none

cdef struct BerElement:                # an element of the input
    Header h                        # `end` is NULL until the end of contents of indefinite length is found
    const uint8_t *limit            # the contents end here, or before if the length is indefinite
    const uint8_t *after            # the end of the element, end-of-contents octets included
    bint indefinite
    int level                       # the number of steps to the element
    Py_ssize_t slot                 # the number of the edit of its header
    Py_ssize_t growth               # `Conversion.growth` at the start of its contents

cdef enum:
    RUN_VARIABLES = 8

cdef struct RunRecorder:            # the element of a list that may become a template: see run_templates.pxi
    const uint8_t *start            # NULL if none is recorded
    Py_ssize_t edits                # the number of edits, the elements left and the growth at its start
    Py_ssize_t elements
    Py_ssize_t growth
    int count                       # of variable contents
    int kinds[RUN_VARIABLES]
    Py_ssize_t offsets[RUN_VARIABLES]
    Py_ssize_t lengths[RUN_VARIABLES]

cdef struct KeptElement:            # an element that was copied unchanged
    Py_ssize_t start
    Py_ssize_t header
    Py_ssize_t end                  # of its contents
    Py_ssize_t after
    int32_t place
    const Node *node
    int depth                       # the levels of nesting that are left
    bint valid                      # it is DER of its type
    bint is_default                 # it has its DEFAULT value, which DER leaves out

cdef struct KeepStep:               # a step of a path to keep
    PyObject *name                  # of a component or alternative, an interned str; NULL for an index
    Py_ssize_t index                # ANY_INDEX for any

cdef enum:
    ANY_INDEX = -1

cdef struct KeepPath:
    KeepStep *steps
    Py_ssize_t count

cdef struct KeepRules:              # which elements are kept, besides values of classes that say so themselves
    Py_ssize_t type_count
    const Node **types
    Py_ssize_t path_count
    KeepPath *paths
    uint64_t lengths                # a bit for the number of steps of each path

cdef struct AmbiguousElement:       # an element that may be a string in segments
    Py_ssize_t start
    Py_ssize_t header
    Py_ssize_t end

cdef struct Conversion:
    Check check                     # the limits that are left, the options, and the fault with its path
    const uint8_t *base             # the start of the input
    Py_ssize_t growth               # the bytes inserted so far, minus those dropped
    Array edits
    Array literals                  # inserted bytes that are neither headers nor copies
    Array places
    Array kept
    Array ambiguous
    Array run_templates
    Array run_numbers               # of the template of each element of a run
    Array selected                  # the look-ups of selectors: see open_types.pxi
    RunRecorder recorder
    bint out_of_memory              # an allocation failed
    bint mismatch                   # an element did not fit its type
    bint has_sorted_set             # a SET was sorted
    bint frames_kept                # kept elements that are not DER get a DER header: see `verify_around_kept`
    const KeepRules *keep           # NULL if there are none
    bint is_of_der                  # the input is DER: nothing may change
    bint converts_signed            # types with the rule BER_REFUSE are converted
    bint without_steps              # inside an element without a type, whose parts have no steps
    int level                       # the number of steps in `trail`
    TrailStep[TRAIL_LIMIT] trail


cdef void conversion_begin(Conversion *c, const Options *options, const uint8_t *base) noexcept nogil:
    """Initialize the state."""
    check_begin(&c.check, options, NULL)
    memset(&c.edits, 0, sizeof(Array))
    memset(&c.literals, 0, sizeof(Array))
    memset(&c.places, 0, sizeof(Array))
    memset(&c.kept, 0, sizeof(Array))
    memset(&c.ambiguous, 0, sizeof(Array))
    memset(&c.run_templates, 0, sizeof(Array))
    memset(&c.run_numbers, 0, sizeof(Array))
    memset(&c.selected, 0, sizeof(Array))
    c.recorder.start = NULL
    c.keep = NULL
    c.frames_kept = False
    c.base = base
    c.growth = 0
    c.out_of_memory = c.mismatch = c.has_sorted_set = c.is_of_der = c.converts_signed = c.without_steps = False
    c.level = 0


cdef void conversion_end(Conversion *c) noexcept nogil:
    """Free the memory of a conversion."""
    free(c.edits.items)
    free(c.literals.items)
    free(c.places.items)
    free(c.kept.items)
    free(c.ambiguous.items)
    free(c.run_templates.items)
    free(c.run_numbers.items)
    free(c.selected.items)


cdef bint fail_at(
    Conversion *c, int fault, const uint8_t *at, const uint8_t *limit, const Node *expected
) noexcept nogil:
    """Set the fault of the element at `at`, and the path to it; the error message must not read at or after `limit`."""
    fail(&c.check, fault, at, expected)
    c.check.steps = 0
    return complete_path(c, limit)


cdef bint complete_path(Conversion *c, const uint8_t *limit) noexcept nogil:
    """Complete the path of the fault that is set; the error message must not read at or after `limit`."""
    cdef int level = c.level - 1
    c.check.bounded_at = c.check.at
    c.check.bound = limit
    while level >= 0:
        if c.trail[level].index >= 0:
            fail_in(&c.check, c.trail[level].node, c.trail[level].index)
        level -= 1
    return False


cdef inline bint begin_steps(Conversion *c, const Node *node) noexcept nogil:
    """Begin the steps into the parts of a value; return whether they are recorded, for `end_steps`."""
    if c.without_steps or c.level == TRAIL_LIMIT:
        return False
    c.trail[c.level].node = node
    c.trail[c.level].index = -1
    c.trail[c.level].place = -1
    c.level += 1
    return True


cdef inline void set_step(Conversion *c, bint recorded, Py_ssize_t index) noexcept nogil:
    """Step to a component or element; -1 for one that has no step."""
    if recorded:
        c.trail[c.level - 1].index = index
        c.trail[c.level - 1].place = -1


cdef inline void end_steps(Conversion *c, bint recorded) noexcept nogil:
    c.level -= recorded


cdef struct SavedState:             # what `restore_state` restores, to convert an element again
    Py_ssize_t edits
    Py_ssize_t literals
    Py_ssize_t kept
    Py_ssize_t ambiguous
    Py_ssize_t growth
    Py_ssize_t elements
    Py_ssize_t run_templates
    Py_ssize_t run_numbers
    int depth
    int level
    bint mismatch
    bint without_steps


cdef void save_state(const Conversion *c, SavedState *saved) noexcept nogil:
    saved.edits = c.edits.count
    saved.literals = c.literals.count
    saved.kept = c.kept.count
    saved.ambiguous = c.ambiguous.count
    saved.growth = c.growth
    saved.elements = c.check.elements
    saved.run_templates = c.run_templates.count
    saved.run_numbers = c.run_numbers.count
    saved.depth = c.check.depth
    saved.level = c.level
    saved.mismatch = c.mismatch
    saved.without_steps = c.without_steps


cdef void restore_state(Conversion *c, const SavedState *saved) noexcept nogil:
    """Forget all edits since the state was saved. Steps that they used stay in the memory, but no edit has them.

    The element around them, which is converted in several ways, does not become a template.
    """
    close_run(c)
    c.edits.count = saved.edits
    c.literals.count = saved.literals
    c.kept.count = saved.kept
    c.ambiguous.count = saved.ambiguous
    c.growth = saved.growth
    c.check.elements = saved.elements
    c.run_templates.count = saved.run_templates
    c.run_numbers.count = saved.run_numbers
    c.check.depth = saved.depth
    c.level = saved.level
    c.mismatch = saved.mismatch
    c.without_steps = saved.without_steps
    clear_fault(&c.check)


cdef inline bint read_element(
    Conversion *c, const uint8_t *p, const uint8_t *limit, const Node *expected, BerElement *e
) noexcept nogil:
    """Read the header of the element at `p`."""
    cdef int fault = read_ber_header(p, limit, &e.h)
    if unlikely(fault):
        return fail_at(c, fault, p, limit, expected)
    # X.690 8.1.5: universal tag 0 is only for end-of-contents octets, which the caller has looked for.
    if unlikely(e.h.tag >> 3 == 0 and e.h.tag & 6 == 0):
        return fail_at(c, end_of_contents_fault(p, limit), p, limit, expected)
    e.indefinite = e.h.end == NULL
    e.limit = limit if e.indefinite else e.h.end
    e.after = e.h.end
    e.level = c.level
    return True


cdef inline bint next_child(
    Conversion *c, BerElement *e, const uint8_t *p, const Node *expected, BerElement *child
) noexcept nogil:
    """Read the header of the element at `p` in the contents of `e`; return False after the last one, or at a fault.

    After the last one, the end of `e` is known.
    """
    if e.indefinite:
        if is_end_of_contents(p, e.limit):
            e.h.end = p
            e.after = p + 2
            return False
        if unlikely(p == e.limit or (e.limit - p == 1 and octet_at(p) == 0)):
            # The path is that of `e`.
            c.level = e.level
            return fail_at(c, FAULT_END_MISSING, e.h.start, e.limit, NULL)
    elif p == e.limit:
        return False
    return read_element(c, p, e.limit, expected, child)


cdef inline void close_run(Conversion *c) noexcept nogil:
    """Keep the current element of a list from becoming a template."""
    c.recorder.start = NULL


cdef inline bint failed(const Conversion *c) noexcept nogil:
    return unlikely(c.check.fault != FAULT_NONE or c.out_of_memory)


cdef bint open_element(Conversion *c, BerElement *e, const Node *node) noexcept nogil:
    """Begin to convert a constructed element, which is one level of nesting; reserve an edit for its header."""
    if unlikely(not enter(&c.check)):
        return fail_at(c, FAULT_DEPTH_LIMIT, e.h.start, e.limit, node)
    return reserve_header(c, e)


cdef bint close_element(Conversion *c, BerElement *e) noexcept nogil:
    """Finish a constructed element whose end `next_child` has found."""
    c.check.depth += 1
    return write_header(c, e, FAULT_NONE)


cdef inline bint reserve_header(Conversion *c, BerElement *e) noexcept nogil:
    """Reserve the edit of a header. It is written when the length of the converted contents is known."""
    e.slot = c.edits.count
    e.growth = c.growth
    return add_edit(c, EDIT_NOTHING, e.h.start) != NULL


cdef bint write_header(Conversion *c, BerElement *e, int fault) noexcept nogil:
    """Write the edit of the header of `e`, or remove it if it changes nothing; drop end-of-contents octets.

    With FAULT_STRING_CONSTRUCTED, the new header is that of a primitive element.
    """
    cdef Edit *edit = edits_of(c) + e.slot
    cdef Py_ssize_t before = e.h.end - e.h.content
    cdef Py_ssize_t length = before + c.growth - e.growth
    cdef Py_ssize_t header = e.h.content - e.h.start
    cdef Py_ssize_t insert = length_octets(&e.h) - e.h.start + der_length_octets(length)
    edit.start = edit.at
    edit.end = e.h.end - c.base
    edit.header = <uint8_t>header
    if fault == FAULT_NONE:
        if e.indefinite:
            fault = FAULT_LENGTH_INDEFINITE
        elif not is_shortest_length(&e.h):
            fault = FAULT_LENGTH_NOT_MINIMAL
    if fault == FAULT_NONE and length == before:
        if e.slot == c.edits.count - 1:
            c.edits.count = e.slot
        elif not e.h.tag & 1:
            # A primitive element has one more edit, of its contents.
            edit[0] = edit[1]
            c.edits.count = e.slot + 1
        return True
    edit.what = EDIT_HEADER
    edit.fault = <uint8_t>fault
    edit.form = PRIMITIVE if fault == FAULT_STRING_CONSTRUCTED else 0
    edit.value = length
    edit.drop = header
    edit.insert = insert
    c.growth += insert - header
    if fault:
        edit.step = current_place(c)
    if not e.indefinite:
        return not c.out_of_memory
    if e.slot == c.edits.count - 1 and before == 0:
        # An empty element: one edit is enough.
        edit.drop += 2
        c.growth -= 2
        return not c.out_of_memory
    return drop_octets(c, e.h.end, 2) and not c.out_of_memory
