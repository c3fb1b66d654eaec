# The state of one check pass (`Check`): the options, the limits that are left, and the fault with its path.
#
# A function of the check pass returns True, or sets the fault (`fail`) and returns False. While the calls return, each
# adds its step to the path (`fail_in`). So valid input pays nothing for paths, and no second pass is necessary, which
# could disagree if a shared buffer changed.

cdef enum:
    # A level of nesting adds a field or index and at most a few alternatives; steps beyond this number are left out.
    PATH_LIMIT = 256

cdef struct Step:               # a step of a path
    const Node *node            # a SEQUENCE, SET, CHOICE or list
    Py_ssize_t index            # the number of its component, alternative or element

cdef struct Scope:              # the SEQUENCE around an open type, which has its selector
    const Node *node
    const uint8_t *content
    const uint8_t *end

cdef struct CheckedList:        # a SEQUENCE OF SEQUENCE whose elements were checked before, in parts
    const Node *node
    const uint8_t *content
    const uint8_t *end
    Py_ssize_t elements         # the elements in it, which count for the limit
    int levels                  # the levels of nesting in its elements

cdef struct Check:
    int fault
    const uint8_t *at           # the element that has the fault
    const uint8_t *bounded_at   # if this is `at`, the error message must not read at or after `bound`
    const uint8_t *bound
    const Node *expected        # the type that was expected, NULL if there is none
    const Constraint *constraint        # the violated constraint, if constraints.pxi found the fault; else NULL
    int depth                   # the levels of nesting that are left
    int lowest                  # those left at the deepest element so far
    bint in_opaque_entry        # inside a value of an open type with on_mismatch="opaque"
    bint fault_in_open_type     # the fault is in an open type
    bint open_type_tolerates    # and Deviation.OPEN_TYPE would tolerate it, because the value can be an opaque one
    bint fault_in_string        # the fault is in the encoding that a string contains
    const Node *open_node       # the last look-up of a selector (`selected_cached`): the open type,
    const uint8_t *open_scope   # the contents of the SEQUENCE around it,
    const OpenEntry *open_entry  # and the selected entry
    bint in_tried_type          # inside an open type whose mismatch would be tolerated
    const Options *options
    uint64_t tolerated          # the deviations that are tolerated here
    Py_ssize_t tolerated_faults         # the number of tolerated faults so far
    Py_ssize_t elements         # the number of elements in lists and ANY that the limit still allows
    Record *record              # the tolerated faults, NULL in a strict decode
    TemplateRecorder *recorder  # records the element of a list that may become a template, or NULL
    Templates templates
    # Elements of the input that may be invalid (`is_excused`): for each byte, the levels of nesting that are left at an
    # excused element that begins there, plus one; 0 if there is none. NULL if nothing is excused.
    const uint8_t *excused
    const uint8_t *excused_base         # the start of the input
    const CheckedList *checked  # or NULL
    int steps
    Step[PATH_LIMIT] path       # innermost first


cdef inline void set_scope(
    Scope *scope, const Node *node, const uint8_t *content, const uint8_t *end
) noexcept nogil:
    """Set the scope of the components of a SEQUENCE or SET."""
    scope.node = node
    scope.content = content
    scope.end = end


cdef inline void check_begin(Check *c, const Options *options, Record *record) noexcept nogil:
    """Initialize the state; without a record, no fault is tolerated."""
    c.fault = FAULT_NONE
    c.at = NULL
    c.bounded_at = NULL
    c.expected = NULL
    c.constraint = NULL
    c.options = options
    c.tolerated = options.tolerated if record != NULL else 0
    c.tolerated_faults = 0
    c.depth = c.lowest = options.depth
    c.elements = options.elements
    c.steps = 0
    c.in_opaque_entry = False
    c.fault_in_open_type = False
    c.open_type_tolerates = False
    c.fault_in_string = False
    c.open_node = NULL
    c.in_tried_type = False
    c.record = record
    c.recorder = NULL
    c.templates.contents = NULL
    c.excused = NULL
    c.checked = NULL


cdef inline bint enter(Check *c) noexcept nogil:
    """Enter one level of nesting; return False if the limit is reached."""
    if c.depth == 0:
        return False
    c.depth -= 1
    if c.depth < c.lowest:
        c.lowest = c.depth
    return True


cdef bint fail(Check *c, int fault, const uint8_t *at, const Node *expected) noexcept nogil:
    """Set the fault of the element at `at`; return False, which the caller returns."""
    c.fault = fault
    c.at = at
    c.expected = expected
    return False


cdef bint fail_before(
    Check *c, int fault, const uint8_t *at, const uint8_t *limit, const Node *expected
) noexcept nogil:
    """Set the fault of an element at `at`; its error message must not read at or after `limit`."""
    fail(c, fault, at, expected)
    c.bounded_at = at
    c.bound = limit
    return False


cdef bint fail_header(Check *c, int fault, const Header *h, const uint8_t *limit, const Node *expected) noexcept nogil:
    """Set the fault of identifier and length octets."""
    # X.690 10.1: a length that is neither in its shortest form nor within the input is reported for its form, unless
    # that is tolerated.
    if fault == FAULT_CONTENT_TRUNCATED and not is_shortest_length(h) \
            and not c.tolerated & DEVIATIONS[<int>FAULT_LENGTH_NOT_MINIMAL]:
        fault = FAULT_LENGTH_NOT_MINIMAL
    return fail_before(c, fault, h.start, limit, expected)


cdef bint fail_in(Check *c, const Node *node, Py_ssize_t index) noexcept nogil:
    """Add a step to the path of the fault."""
    if c.steps < PATH_LIMIT:
        c.path[c.steps].node = node
        c.path[c.steps].index = index
        c.steps += 1
    return False


cdef bint fail_tag(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Set the fault of an element whose tag `node` does not accept: `fault`, or a fault of the form alone."""
    cdef Py_ssize_t index
    # NO_TAG is never one bit from a real tag.
    if node.tag ^ h.tag == 1:
        if not h.tag & 1:
            fault = FAULT_NOT_CONSTRUCTED
        elif TYPES[node.kind].flags & TYPE_IS_STRING:
            fault = FAULT_STRING_CONSTRUCTED
        else:
            fault = FAULT_NOT_PRIMITIVE
    elif is_choice(node.kind):
        index = find_alternative(node, h.tag ^ 1)
        if index >= 0:
            # This is the tag of an alternative in the other form.
            fail_tag(c, node.components[index].node, h, FAULT_UNEXPECTED_TAG)
            return False if node.kind == KIND_UNION else fail_in(c, node, index)
        fault = FAULT_ALTERNATIVE
    return fail(c, fault, h.start, node)


cdef bint tolerates(
    Check *c, int fault, const uint8_t *at, const Node *node, const uint8_t *p, Py_ssize_t n
) noexcept nogil:
    """Return whether the caller tolerates a fault of an element with `n` contents octets at `p`; if so, record it."""
    cdef uint64_t deviation
    # The usual case, and a fast one: values that remain opaque can have many faults.
    if c.tolerated == 0:
        return False
    deviation = deviation_of(fault, node, p, n) & c.tolerated
    if deviation == 0:
        return False
    close_recorder(c)
    c.tolerated_faults += 1
    return note(c.record, at, fault, deviation)


cdef bint tolerates_header(Check *c, int fault, const Header *h) noexcept nogil:
    """Return whether the caller tolerates a fault of the identifier and length octets; if so, record it."""
    return fault == FAULT_LENGTH_NOT_MINIMAL and tolerates(c, fault, h.start, NULL, h.content, 0)


cdef inline void close_recorder(Check *c) noexcept nogil:
    """Keep the current element from becoming a template: its validity depends on more than the recorded contents."""
    if c.recorder != NULL:
        c.recorder.closed = True
