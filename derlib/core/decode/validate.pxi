# The check pass: one walk that validates bytes as the DER encoding of a value of the plan's type.
#
# It runs without the GIL and uses no Python object. It allocates memory only in lenient decodes: for the record, and to
# compare the tags of unknown members of a SET that is out of order. Each function returns True, or sets the fault
# (`fail`) and returns False. While the calls return, each adds its step to the path. So valid input pays nothing for
# paths, and no second pass is necessary, which could disagree if a shared buffer changed.

cdef enum:
    # A level adds a field or index step and a few CHOICE steps at most; the path omits steps beyond this number.
    PATH_LIMIT = 256

cdef struct Step:
    const Node *node
    Py_ssize_t index

cdef struct Scope:              # the SEQUENCE around an open type, which has its selector
    const Node *node
    const uint8_t *content
    const uint8_t *end

cdef struct Check:
    int fault
    const uint8_t *at           # the element that has the fault
    const uint8_t *limited      # the last element that was incomplete, and the end of the element around it
    const uint8_t *limit
    const Node *expected        # the type that was expected, NULL if there is none
    const Constraint *constraint        # the violated constraint, NULL if it is not one of core/decode/constraints.pxi
    int depth                   # levels left
    int lowest                  # levels left at the deepest element
    bint in_opaque_entry        # inside a value whose entry leaves a type mismatch opaque
    int open                    # the number of values of open types around the element
    const Node *open_node       # the open type whose selector was looked up last,
    const uint8_t *open_scope   # the contents of the SEQUENCE around it,
    const OpenEntry *open_entry  # and the entry that was selected
    bint trying                 # inside an element that can still turn out to be a tolerated type mismatch
    const Options *options
    uint64_t tolerated          # the tolerated deviations, 0 while the strict rules apply
    Py_ssize_t breaches         # the number of tolerated faults so far
    Py_ssize_t elements         # the number of elements in lists and ANY that are left
    Record *record              # of tolerated faults, NULL in a strict decode
    TemplateRecorder *recorder  # of the template that is being recorded, or NULL
    Templates templates
    int steps
    Step[PATH_LIMIT] path       # innermost first


cdef inline void check_begin(Check *c, const Options *options, Record *record) noexcept nogil:
    """Prepare to validate one value; without a record, nothing is tolerated."""
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
    """Enter one level of nesting; return False if the limit is reached."""
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
    """Set the fault of an element at `at`; its error message must not read at or after `limit`."""
    fail(c, fault, at, expected)
    c.limited = at
    c.limit = limit
    return False


cdef bint fail_header(Check *c, int fault, const Header *h, const uint8_t *limit, const Node *expected) noexcept nogil:
    """Set the fault of identifier and length octets."""
    # X.690 10.1: if a length is wrong in both form and value, report the form. If the form is tolerated, report the
    # value.
    if fault == FAULT_CONTENT_TRUNCATED and not is_shortest_length(h) \
            and not c.tolerated & DEVIATIONS[<int>FAULT_LENGTH_NOT_MINIMAL]:
        fault = FAULT_LENGTH_NOT_MINIMAL
    return fail_before(c, fault, h.start, limit, expected)


cdef bint tolerates(
    Check *c, int fault, const uint8_t *at, const Node *node, const uint8_t *p, Py_ssize_t n
) noexcept nogil:
    """Return whether the caller tolerates a fault of an element with `n` contents octets at `p`; if so, record it."""
    cdef uint64_t deviation
    # Usually nothing is tolerated, and opaque type mismatches can cause many faults.
    if c.tolerated == 0:
        return False
    deviation = deviation_of(fault, node, p, n) & c.tolerated
    if deviation == 0:
        return False
    close_recorder(c)
    c.breaches += 1
    return note(c.record, at, fault, deviation)


cdef bint tolerates_header(Check *c, int fault, const Header *h) noexcept nogil:
    """Return whether the caller tolerates a fault of the identifier and length octets; if so, record it."""
    return fault == FAULT_LENGTH_NOT_MINIMAL and tolerates(c, fault, h.start, NULL, h.content, 0)


cdef bint fail_in(Check *c, const Node *node, Py_ssize_t index) noexcept nogil:
    """Add a step to the path of the fault."""
    if c.steps < PATH_LIMIT:
        c.path[c.steps].node = node
        c.path[c.steps].index = index
        c.steps += 1
    return False


cdef bint fail_tag(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """Set the fault of an element whose tag `node` does not accept; perhaps only its form is wrong."""
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
            # It is the tag of an alternative, in the other form.
            fail_tag(c, node.components[index].node, h, FAULT_UNEXPECTED_TAG)
            return False if node.kind == KIND_UNION else fail_in(c, node, index)
        fault = FAULT_ALTERNATIVE
    return fail(c, fault, h.start, node)


cdef inline bint check_header(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, Header *h
) noexcept nogil:
    """Validate the identifier and length octets at `p`, of an element that should be of type `node`; set `h`."""
    cdef int fault = read_header(p, end, h)
    if unlikely(fault) and not tolerates_header(c, fault, h):
        return fail_header(c, fault, h, end, node)
    return True


cdef bint check_element(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, const Scope *scope, Header *h
) noexcept nogil:
    """Validate the element at `p`, and set `h`."""
    return check_header(c, node, p, end, h) and check_tagged(c, node, h, scope)


cdef inline bint check_tagged(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate the tag and the contents of an element."""
    # A CHOICE looks for the tag among its alternatives anyway.
    if node.tag != h.tag and not is_choice(node.kind) and not accepts(node, h.tag):
        return fail_tag(c, node, h, FAULT_UNEXPECTED_TAG)
    return check_value(c, node, h, scope)


cdef inline bint passes_fast_check(const Check *c, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return whether a short check shows that contents are valid, as it does for most values of common types."""
    cdef int kind = node.kind
    if not node.plain:
        return False
    if kind == KIND_INTEGER:
        return c.recorder == NULL and integer_check(p, n) == FAULT_NONE
    if kind == KIND_OCTET_STRING:
        return True
    # In an OBJECT IDENTIFIER, an arc below 128 is one octet.
    return is_ascii(p, n) and (kind == KIND_UTF8_STRING or n > 0)


ctypedef bint (*check_t)(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil

# The function that validates the contents of each kind; `fill_checks` fills the table. It makes one call per level.
cdef check_t[KIND_OPEN_BITS + 1] CHECKS


cdef inline bint check_value(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate the contents of an element whose tag the node accepts."""
    return CHECKS[node.kind](c, node, h, scope)


cdef inline bint check_quickly(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Do what `check_value` does, without a call for most short elements.

    An empty element takes only two bytes, so an input can have very many of them.
    """
    if h.content == h.end and node.may_be_empty and node.kind < KIND_SEQUENCE:
        return True
    return passes_fast_check(c, node, h.content, h.end - h.content) or check_value(c, node, h, scope)


cdef inline bint check_tagged_quickly(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Do what `check_tagged` does, without a call for most short elements."""
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
    """Check the value range and SIZE of an element of a primitive type with valid contents."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - p
    if node.ranged:
        p = without_padding(p, n)
        if range_check(node, p, h.end - p):
            return FAULT_RANGE
    if node.sized and size_check(node, 0 if n == 0 else string_size(node, p, n)):
        return FAULT_SIZE
    return FAULT_NONE


cdef Py_ssize_t string_size(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the size of a string as SIZE counts it (X.680 51.5.3): bits, octets or characters."""
    if node.kind == KIND_BIT_STRING or node.kind == KIND_NAMED_BITS:
        return bits_length(p, n)
    # If a wrong encoding is tolerated, each octet is read as one character.
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
    """Validate the bytes from `p` to `end` as one value, with nothing after it unless `prefix` is true."""
    check_begin(c, options, record)
    # The limit does not count what follows a prefix.
    if unlikely(end - p > options.size) \
            and not (prefix and reread_header(p, end, h) == FAULT_NONE and h.end - p <= options.size):
        return fail(c, FAULT_INPUT_LIMIT, p, node)
    if not check_element(c, node, p, end, NULL, h):
        return False
    if not prefix and h.end != end and not tolerates(c, FAULT_TRAILING_DATA, h.end, node, h.end, 0):
        return fail_before(c, FAULT_TRAILING_DATA, h.end, end, node)
    return True
