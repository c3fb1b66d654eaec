# The check pass: one walk that proves octets to be the DER encoding of a value of the plan's type.
#
# It runs without the GIL and touches no Python object. It allocates nothing, unless it tolerates something: that is
# recorded, and the tags of unknown members of a SET are compared when their order was wrong. A function returns True,
# or notes the fault (`fail`) and returns False; while the calls return, each adds its step to the path, so success pays
# nothing for paths and a buffer that changes meanwhile cannot make a second run disagree with the first.

cdef enum:
    # A level adds at most a field or index step and a few CHOICE steps; steps beyond the room are left out of the path.
    PATH_LIMIT = 256

cdef struct Step:
    const Node *node
    Py_ssize_t index

cdef struct Scope:              # the SEQUENCE around an open type, where its selector stands
    const Node *node
    const uint8_t *content
    const uint8_t *end

cdef struct Check:
    int fault
    const uint8_t *at           # the element that is at fault
    const uint8_t *limited      # the element that was last found incomplete, and where the element around it ends
    const uint8_t *limit
    const Node *expected        # what should stand there, NULL when that has no plan
    const Constraint *constraint            # the constraint that is broken, NULL where it is none of core/decode/constraints.pxi
    int depth                   # levels left
    int lowest                  # levels that were left at the deepest place
    bint in_opaque_entry        # inside a value whose entry leaves a type mismatch opaque
    int open                    # inside how many values that open types chose
    const Node *open_node       # the open type whose selector was found last, in the SEQUENCE whose contents are at
    const uint8_t *open_scope   # `open_scope`, and the entry that it selected
    const OpenEntry *open_entry
    bint trying                 # inside an element that may yet turn out to be a mismatch, which proves it without types
    const Options *options
    uint64_t tolerated          # as the options have it, or nothing where the strict rules are asked
    Py_ssize_t breaches         # how many were tolerated so far
    Py_ssize_t elements         # how many more there may be in lists and in ANY
    Record *record              # of what was tolerated, NULL where nothing is
    TemplateRecorder *recorder          # where free contents are noted while a list looks for shapes, else NULL
    Templates templates
    int steps
    Step[PATH_LIMIT] path       # innermost first


cdef inline void check_begin(Check *c, const Options *options, Record *record) noexcept nogil:
    """Make ready to prove one value; without a record nothing is tolerated."""
    c.fault = FAULT_NONE
    c.at = NULL
    c.limited = NULL
    c.expected = NULL
    c.constraint = NULL
    c.options = options
    c.tolerated = options.tolerated if record != NULL else 0
    c.breaches = 0
    c.depth = c.lowest = options.depth
    c.elements = options.elements
    c.steps = 0
    c.in_opaque_entry = False
    c.open = 0
    c.open_node = NULL
    c.trying = False
    c.record = record
    c.recorder = NULL
    c.templates.contents = NULL


cdef inline bint enter(Check *c) noexcept nogil:
    """Go down one level of nesting; False where the limit is reached."""
    if c.depth == 0:
        return False
    c.depth -= 1
    if c.depth < c.lowest:
        c.lowest = c.depth
    return True


cdef bint fail(Check *c, int fault, const uint8_t *at, const Node *expected) noexcept nogil:
    c.fault = fault
    c.at = at
    c.expected = expected
    return False


cdef bint fail_before(
    Check *c, int fault, const uint8_t *at, const uint8_t *limit, const Node *expected
) noexcept nogil:
    """Note the fault of an element at `at` of which no more than the octets before `limit` may be looked at."""
    fail(c, fault, at, expected)
    c.limited = at
    c.limit = limit
    return False


cdef bint fail_header(Check *c, int fault, const Header *h, const uint8_t *limit, const Node *expected) noexcept nogil:
    """Note the fault of identifier and length octets."""
    # X.690 10.1: of a length that is too long in its form and in its value, the form is the first to be wrong. Where
    # the form is tolerated, the value remains.
    if fault == FAULT_CONTENT_TRUNCATED and not is_shortest_length(h) \
            and not c.tolerated & DEVIATIONS[<int>FAULT_LENGTH_NOT_MINIMAL]:
        fault = FAULT_LENGTH_NOT_MINIMAL
    return fail_before(c, fault, h.start, limit, expected)


cdef bint tolerates(
    Check *c, int fault, const uint8_t *at, const Node *node, const uint8_t *p, Py_ssize_t n
) noexcept nogil:
    """Whether the caller tolerates a fault at `at`, of an element with `n` contents octets at `p`; then it is noted."""
    cdef uint64_t deviation
    # Mostly nothing is tolerated, and where a mismatch may stand there are many faults.
    if c.tolerated == 0:
        return False
    deviation = deviation_of(fault, node, p, n) & c.tolerated
    if deviation == 0:
        return False
    close_recorder(c)
    c.breaches += 1
    return note(c.record, at, fault, deviation)


cdef bint tolerates_header(Check *c, int fault, const Header *h) noexcept nogil:
    """The same for a fault of the identifier and length octets."""
    return fault == FAULT_LENGTH_NOT_MINIMAL and tolerates(c, fault, h.start, NULL, h.content, 0)


cdef bint fail_in(Check *c, const Node *node, Py_ssize_t index) noexcept nogil:
    """Add a step to the path of the fault that was noted."""
    if c.steps < PATH_LIMIT:
        c.path[c.steps].node = node
        c.path[c.steps].index = index
        c.steps += 1
    return False


cdef bint fail_tag(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """An element that `node` does not accept: its form alone may be wrong, or its tag."""
    cdef Py_ssize_t index
    # NO_TAG differs from every tag in more than the form.
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
            # The tag is that of an alternative, which has the other form.
            fail_tag(c, node.components[index].node, h, FAULT_UNEXPECTED_TAG)
            return False if node.kind == KIND_UNION else fail_in(c, node, index)
        fault = FAULT_ALTERNATIVE
    return fail(c, fault, h.start, node)


cdef inline bint check_header(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, Header *h
) noexcept nogil:
    """Prove the identifier and length octets at `p`, of what should be an element of `node`; its place is in `h`."""
    cdef int fault = read_header(p, end, h)
    if unlikely(fault) and not tolerates_header(c, fault, h):
        return fail_header(c, fault, h, end, node)
    return True


cdef bint check_element(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, const Scope *scope, Header *h
) noexcept nogil:
    """Prove the element at `p`, and leave its place in `h`."""
    return check_header(c, node, p, end, h) and check_tagged(c, node, h, scope)


cdef inline bint check_tagged(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Prove an element by its tag and its contents."""
    # A CHOICE looks for the tag among its alternatives anyway.
    if node.tag != h.tag and not is_choice(node.kind) and not accepts(node, h.tag):
        return fail_tag(c, node, h, FAULT_UNEXPECTED_TAG)
    return check_value(c, node, h, scope)


cdef inline bint passes_fast_check(const Check *c, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Whether contents are right by the little there is to check of most strings, texts, numbers and identifiers."""
    cdef int kind = node.kind
    if not node.plain:
        return False
    if kind == KIND_INTEGER:
        return c.recorder == NULL and integer_check(p, n) == FAULT_NONE
    if kind == KIND_OCTET_STRING:
        return True
    # In identifiers an arc below 128 is one octet.
    return is_ascii(p, n) and (kind == KIND_UTF8_STRING or n > 0)


ctypedef bint (*check_t)(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil

# What proves the contents of an element of each kind: `fill_checks` fills it. A table, so that all that stands between
# two levels is one call.
cdef check_t[KIND_OPEN_BITS + 1] CHECKS


cdef inline bint check_value(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Prove the contents of an element whose tag the node accepts."""
    return CHECKS[node.kind](c, node, h, scope)


cdef inline bint check_quickly(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """The same for places that many short elements go through: no call for what is plainly right.

    An element that is empty is two octets long, so a sender can have most of these.
    """
    if h.content == h.end and node.may_be_empty and node.kind < KIND_SEQUENCE:
        return True
    return passes_fast_check(c, node, h.content, h.end - h.content) or check_value(c, node, h, scope)


cdef inline bint check_tagged_quickly(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """The same where the tag is yet to be compared."""
    return check_quickly(c, node, h, scope) if node.tag == h.tag else check_tagged(c, node, h, scope)


cdef bint check_primitive(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate the contents of a primitive type.

    Kinds that need the state of the check, or are in every entry of a CRL, have a function of their own below.
    """
    return check_bounds(
        c, node, h, TYPES[node.kind].validate(node, h.content, h.end - h.content, c.options.arc_octets))


cdef inline bint check_bounds(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Finish the check of contents with this fault: a tolerated fault counts as none, then constraints apply."""
    if unlikely(fault) and tolerates(c, fault, h.start, node, h.content, h.end - h.content):
        fault = FAULT_NONE
    if fault == FAULT_NONE and (node.sized or node.ranged):
        fault = bounds_check(node, h)
    if unlikely(fault):
        return fail(c, fault, h.start, node)
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_bounds_called(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Call `check_bounds`, for kinds that are too rare to inline it."""
    return check_bounds(c, node, h, fault)


cdef inline bint check_unbounded(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Finish the check of contents to which neither a SIZE nor a value range applies."""
    if unlikely(fault) and not tolerates(c, fault, h.start, node, h.content, h.end - h.content):
        return fail(c, fault, h.start, node)
    return check_constraints(c, node, h) if unlikely(node.constraints != NULL) else True


cdef bint check_integer(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """INTEGER."""
    if c.recorder != NULL and not node.ranged:
        record_contents(c.recorder, node, h.content, h.end - h.content)
    return check_bounds(c, node, h, integer_check(h.content, h.end - h.content))


cdef bint check_enumerated(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """ENUMERATED: an INTEGER, maybe one with tolerated padding, that is an item."""
    cdef const uint8_t *p = h.content
    cdef int fault = integer_check(p, h.end - p)
    if unlikely(fault) and tolerates(c, fault, h.start, node, p, h.end - p):
        p = without_padding(p, h.end - p)
        fault = FAULT_NONE
    if fault == FAULT_NONE:
        fault = enumerated_check(node, p, h.end - p)
    if c.recorder != NULL:
        record_contents(c.recorder, node, p, h.end - p)
    return check_bounds_called(c, node, h, fault)


cdef bint check_utc_time(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """UTCTime."""
    if c.recorder != NULL:
        record_contents(c.recorder, node, h.content, h.end - h.content)
    return check_unbounded(c, node, h, utc_time_check(h.content, h.end - h.content))


cdef bint check_oid(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """OBJECT IDENTIFIER."""
    return check_unbounded(c, node, h, oid_check(h.content, h.end - h.content, c.options.arc_octets))


cdef bint check_named_bits(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """BIT STRING with named bits."""
    cdef Py_ssize_t n = h.end - h.content
    cdef int fault = named_bits_check(h.content, n)
    if unlikely(fault == FAULT_BITS_PADDING) and tolerates(c, fault, h.start, node, h.content, n):
        # The rule about the last bit applies to the bits before the unused ones.
        fault = last_bit_check(h.content, n)
    return check_bounds_called(c, node, h, fault)


cdef inline int bounds_check(const Node *node, const Header *h) noexcept nogil:
    """Hold an element of a primitive type, whose contents are right by its kind, against its range and its SIZE."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - p
    if node.ranged:
        p = without_padding(p, n)
        if range_check(node, p, h.end - p):
            return FAULT_RANGE
    if node.sized and size_check(node, 0 if n == 0 else string_size(node, p, n)):
        return FAULT_SIZE
    return FAULT_NONE


cdef inline int size_check(const Node *node, Py_ssize_t size) noexcept nogil:
    return FAULT_NONE if node.size_low <= size <= node.size_high else FAULT_SIZE


cdef Py_ssize_t string_size(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """What SIZE counts (X.680 51.5.3): bits, octets or characters."""
    if node.kind == KIND_BIT_STRING or node.kind == KIND_NAMED_BITS:
        return bits_length(p, n)
    # Octets in another encoding, where that is tolerated, are read as a character each.
    if node.kind == KIND_UTF8_STRING and utf8_check(p, n) == FAULT_NONE:
        return utf8_length(p, n)
    if node.kind == KIND_BMP_STRING and bmp_validate(node, p, n, 0) == FAULT_NONE:
        return n // 2
    if node.kind == KIND_UNIVERSAL_STRING and universal_string_validate(node, p, n, 0) == FAULT_NONE:
        return n // 4
    return n


cdef bint check(
    Check *c, const Options *options, Record *record,
    const Node *node, const uint8_t *p, const uint8_t *end, bint prefix, Header *h
) noexcept nogil:
    """Prove the octets from `p` to `end`: one value, and nothing behind it unless a `prefix` is asked for."""
    check_begin(c, options, record)
    if unlikely(end - p > options.size):
        return fail(c, FAULT_INPUT_LIMIT, p, node)
    if not check_element(c, node, p, end, NULL, h):
        return False
    if not prefix and h.end != end and not tolerates(c, FAULT_TRAILING_DATA, h.end, node, h.end, 0):
        return fail_before(c, FAULT_TRAILING_DATA, h.end, end, node)
    return True
