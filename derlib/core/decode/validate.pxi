# The check pass: one walk that validates bytes as the DER encoding of a value of the plan's type.
#
# `check` is the entry point: `decode_source` (values) calls it, the encoder for what it has written, and the schema
# layer for DEFAULT values. `check_element` validates one element: its header, its tag, and its contents by the
# function of its kind in the table CHECKS. Those functions are in primitive.pxi, sequence.pxi, set.pxi, list.pxi,
# choice.pxi, open_type.pxi and any.pxi.
#
# The pass runs without the GIL and uses no Python object. It allocates memory only in lenient decodes: for the record,
# and to compare the tags of unknown additions of a SET that is out of order.

cdef bint check(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, bint prefix, Header *h
) noexcept nogil:
    """Validate the bytes from `p` to `end` as one value, and set `h` to its header.

    Bytes after the value are a fault unless `prefix` is true; then they do not count for the limit on the size. The
    caller has initialized `c` (`check_begin`).
    """
    cdef const uint8_t *last = end
    if unlikely(end - p > c.options.size):
        if prefix and reread_header(p, end, h) == FAULT_NONE:
            last = h.end
        if last - p > c.options.size:
            return fail_before(c, FAULT_INPUT_LIMIT, p, last, node)
    if not check_element(c, node, p, end, NULL, h):
        return False
    if not prefix and h.end != end and not tolerates(c, FAULT_TRAILING_DATA, h.end, node, h.end, 0):
        return fail_before(c, FAULT_TRAILING_DATA, h.end, end, node)
    return True


cdef bint check_element(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, const Scope *scope, Header *h
) noexcept nogil:
    """Validate the element at `p`, and set `h`."""
    return check_header(c, node, p, end, h) and check_tagged(c, node, h, scope)


cdef inline bint check_header(
    Check *c, const Node *node, const uint8_t *p, const uint8_t *end, Header *h
) noexcept nogil:
    """Read the identifier and length octets at `p` into `h`; `node`, the expected type, is for the error only."""
    cdef int fault = read_header(p, end, h)
    if unlikely(fault) and not tolerates_header(c, fault, h):
        return fail_header(c, fault, h, end, node)
    return True


cdef inline bint check_tagged(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate the tag and the contents of an element."""
    # `check_choice` looks for the tag among the alternatives.
    if node.tag != h.tag and not is_choice(node.kind) and not accepts(node, h.tag):
        return fail_tag(c, node, h, FAULT_UNEXPECTED_TAG)
    return check_value(c, node, h, scope)


ctypedef bint (*check_t)(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil

# The function that validates the contents of each kind; `fill_checks` fills the table. A table costs one call per level
# of nesting.
cdef check_t[KIND_OPEN_BITS + 1] CHECKS


cdef inline bint check_value(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Validate the contents of an element whose tag the node accepts."""
    return CHECKS[node.kind](c, node, h, scope)


cdef inline bint passes_fast_check(const Check *c, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return whether contents are certainly valid, by a short check that most values of common types pass."""
    cdef int kind = node.kind
    if not node.plain:
        return False
    if kind == KIND_INTEGER:
        return c.recorder == NULL and integer_check(p, n) == FAULT_NONE
    if kind == KIND_OCTET_STRING:
        return True
    # ASCII is valid UTF-8. In an OBJECT IDENTIFIER, each octet below 128 is a complete arc.
    return is_ascii(p, n) and (kind == KIND_UTF8_STRING or n > 0)


cdef inline bint check_quickly(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Do what `check_value` does, without a call for most short elements."""
    # An empty element takes only two bytes, so an input can have very many of them.
    if h.content == h.end and node.may_be_empty and node.kind < KIND_SEQUENCE:
        return True
    return passes_fast_check(c, node, h.content, h.end - h.content) or check_value(c, node, h, scope)


cdef inline bint check_tagged_quickly(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Do what `check_tagged` does, without a call for most short elements."""
    return check_quickly(c, node, h, scope) if node.tag == h.tag else check_tagged(c, node, h, scope)


cdef void fill_checks() noexcept:
    """Fill CHECKS."""
    cdef int kind
    for kind in range(<int>KIND_SEQUENCE):
        CHECKS[kind] = check_primitive
    CHECKS[<int>KIND_INTEGER] = CHECKS[<int>KIND_NAMED_INTEGER] = check_integer
    CHECKS[<int>KIND_ENUMERATED] = check_enumerated
    CHECKS[<int>KIND_UTC_TIME] = check_utc_time
    CHECKS[<int>KIND_OBJECT_IDENTIFIER] = check_oid
    CHECKS[<int>KIND_NAMED_BITS] = check_named_bits
    CHECKS[<int>KIND_SEQUENCE] = check_sequence
    CHECKS[<int>KIND_SET] = check_set
    CHECKS[<int>KIND_SEQUENCE_OF] = CHECKS[<int>KIND_SET_OF] = check_list
    CHECKS[<int>KIND_CHOICE] = CHECKS[<int>KIND_UNION] = check_choice
    CHECKS[<int>KIND_EXPLICIT] = check_explicit
    CHECKS[<int>KIND_ANY] = check_any_type
    CHECKS[<int>KIND_OPEN] = CHECKS[<int>KIND_OPEN_OCTETS] = CHECKS[<int>KIND_OPEN_BITS] = check_open

fill_checks()
