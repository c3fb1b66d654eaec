# The tree of BER without a schema: one pass that validates its structure, for `derlib.parse_ber`.
#
# A header has everything about an element of definite length. The end of an indefinite length is found only by reading
# all elements inside it, so the pass stores it: `BerEnds` has one row for each element of indefinite length, and none
# for DER. A look-up is a binary search. The elements that are open are on a stack whose size `Limits.depth` bounds.

cdef struct BerEnd:                 # one element of indefinite length
    const uint8_t *start            # its first identifier octet
    const uint8_t *end              # its end-of-contents octets

cdef struct BerEnds:                # sorted by `start`
    BerEnd *rows
    Py_ssize_t count
    Py_ssize_t room
    bint out_of_memory              # the memory ran out

cdef struct BerLevel:               # an element that is open: its end is not reached yet
    const uint8_t *start
    const uint8_t *end              # NULL for an indefinite length
    const uint8_t *limit            # the end of the innermost definite length around the contents
    Py_ssize_t row                  # of an indefinite length: the index of its row
    tag_t segments                  # of a string: the primitive tag of its segments; otherwise 0

cdef struct BerTree:                # the state of one pass
    Check *check
    BerEnds *ends
    const uint8_t *unused_bits      # a segment of the current BIT STRING that has unused bits, or NULL
    int depth                       # the number of open elements
    BerLevel[DEPTH_MOST + 1] levels

cdef enum:
    BIT_STRING_TAG = 3 << 3
    OCTET_STRING_TAG = 4 << 3


cdef bint check_ber_tree(
    Check *c, BerEnds *ends, const uint8_t *p, const uint8_t *limit, bint prefix, const uint8_t **after
) noexcept nogil:
    """Validate the structure of the BER element at `p`, fill `ends`, and set `after` to the byte after the element.

    The caller has initialized `c`. Without `prefix`, bytes after the element are a fault.
    """
    cdef BerTree tree
    cdef BerLevel *level
    cdef bint valid
    tree.check = c
    tree.ends = ends
    tree.depth = 0
    tree.unused_bits = NULL
    if limit - p > c.options.size:
        return fail_before(c, FAULT_INPUT_LIMIT, p, limit, NULL)
    after[0] = p
    valid = read_ber_element(&tree, limit, after)
    while valid and tree.depth > 0:
        level = &tree.levels[tree.depth - 1]
        if level.end != NULL and after[0] == level.end:
            tree.depth -= 1
        elif level.end == NULL and is_end_of_contents(after[0], level.limit):
            ends.rows[level.row].end = after[0]
            after[0] += 2
            tree.depth -= 1
        elif level.end == NULL and (
                after[0] == level.limit or (level.limit - after[0] == 1 and octet_at(after[0]) == 0)):
            # A single zero octet is the first half of the end-of-contents octets.
            valid = fail_before(c, FAULT_END_MISSING, level.start, level.limit, NULL)
        else:
            valid = read_ber_element(&tree, level.limit, after)
    if not valid or prefix or after[0] == limit:
        return valid
    return fail_before(c, FAULT_TRAILING_DATA, after[0], limit, NULL)


cdef bint read_ber_element(BerTree *tree, const uint8_t *limit, const uint8_t **p) noexcept nogil:
    """Validate the element at `p`, and move `p` after it; into it, if it is constructed."""
    cdef Header h
    cdef Check *c = tree.check
    cdef tag_t segments = tree.levels[tree.depth - 1].segments if tree.depth else 0
    cdef int fault = read_ber_header(p[0], limit, &h)
    if unlikely(fault):
        return fail_before(c, fault, p[0], limit, NULL)
    fault = ber_form_fault(&h) if not segments else segment_fault(tree, &h, segments)
    if unlikely(fault):
        return fail(c, fault, tree.unused_bits if fault == FAULT_SEGMENT_BITS else p[0], NULL)
    if not check_limits(c, &h):
        return False
    p[0] = h.content if h.tag & 1 else h.end
    return not h.tag & 1 or open_ber_element(tree, &h, limit, segments)


cdef int ber_form_fault(const Header *h) noexcept nogil:
    """Return the fault if an element with a universal tag has a form that BER does not allow for its type."""
    cdef uint64_t number = h.tag >> 3
    cdef int kind
    if h.tag >> 1 & 3 != CLASS_UNIVERSAL or number >= UNIVERSAL_NUMBERS:
        return FAULT_NONE
    if number == 0:
        return end_of_contents_fault(h.start, h.end if h.end != NULL else h.content)
    # X.680 8.4: SEQUENCE (16), SET (17), EXTERNAL (8), EMBEDDED PDV (11), CHARACTER STRING (29) have components.
    if number == 16 or number == 17 or number == 8 or number == 11 or number == 29:
        return FAULT_NONE if h.tag & 1 else FAULT_NOT_CONSTRUCTED
    kind = UNIVERSAL_KINDS[number]
    return FAULT_NOT_PRIMITIVE if h.tag & 1 and kind != KIND_EMPTY and not TYPES[kind].flags & TYPE_IS_STRING \
        else FAULT_NONE


cdef int segment_fault(BerTree *tree, const Header *h, tag_t segments) noexcept nogil:
    """Return the fault of a segment of a string."""
    if h.tag & ~<tag_t>1 != segments:
        # End-of-contents octets here would end an indefinite length, and this length is definite.
        return end_of_contents_fault(h.start, h.end) if h.tag == 0 else FAULT_SEGMENT_TYPE
    if segments != BIT_STRING_TAG or h.tag & 1:
        return FAULT_NONE
    # X.690 8.6.4: only the last segment of a BIT STRING can have unused bits.
    if tree.unused_bits != NULL:
        return FAULT_SEGMENT_BITS
    if h.content == h.end:
        return FAULT_BITS_EMPTY
    if octet_at(h.content) > 7:
        return FAULT_BITS_UNUSED
    if octet_at(h.content):
        tree.unused_bits = h.start
        return FAULT_NONE if h.end - h.content > 1 else FAULT_BITS_UNUSED_EMPTY
    return FAULT_NONE


cdef bint open_ber_element(BerTree *tree, const Header *h, const uint8_t *limit, tag_t segments) noexcept nogil:
    """Put a constructed element on the stack."""
    cdef BerLevel *level = &tree.levels[tree.depth]
    cdef uint64_t number = h.tag >> 3
    if tree.depth == tree.check.options.depth:
        return fail(tree.check, FAULT_DEPTH_LIMIT, h.start, NULL)
    tree.depth += 1
    level.start = h.start
    level.end = h.end
    level.limit = limit if h.end == NULL else h.end
    level.segments = segments
    if not segments:
        tree.unused_bits = NULL
        if h.tag >> 1 & 3 == CLASS_UNIVERSAL and number < UNIVERSAL_NUMBERS \
                and TYPES[UNIVERSAL_KINDS[number]].flags & TYPE_IS_STRING:
            # X.690 8.6.4.1, 8.7.3.2, 8.23.6: other strings than BIT STRING have segments of type OCTET STRING.
            level.segments = BIT_STRING_TAG if number == 3 else OCTET_STRING_TAG
    level.row = tree.ends.count
    return h.end != NULL or add_ber_end(tree, h.start)


cdef bint add_ber_end(BerTree *tree, const uint8_t *start) noexcept nogil:
    """Add a row for an element of indefinite length; its end is not known yet."""
    cdef BerEnds *ends = tree.ends
    cdef void *grown
    if ends.count == ends.room:
        ends.room = 2 * ends.room if ends.room else 16
        grown = realloc(ends.rows, ends.room * sizeof(BerEnd))
        if grown == NULL:
            ends.out_of_memory = True
            return False
        ends.rows = <BerEnd *>grown
    ends.rows[ends.count].start = ends.rows[ends.count].end = start
    ends.count += 1
    return True


cdef const uint8_t *ber_end(const BerEnds *ends, const uint8_t *start) noexcept nogil:
    """Return the address of the end-of-contents octets of the element of indefinite length at `start`."""
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = ends.count - 1
    cdef Py_ssize_t middle
    while low < high:
        middle = low + (high - low) // 2
        if ends.rows[middle].start < start:
            low = middle + 1
        else:
            high = middle
    return ends.rows[low].end
