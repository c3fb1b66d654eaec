# The check pass: one walk that proves octets to be the DER encoding of a value of the plan's type.
#
# It runs without the GIL, allocates nothing and touches no Python object. A function returns True, or notes the fault
# (`fail`) and returns False; while the calls return, each adds its step to the path, so success pays nothing for paths
# and a buffer that changes meanwhile cannot make a second run disagree with the first.

cdef enum:
    DEPTH_LIMIT = 100
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
    const Node *expected        # what should stand there, NULL when that has no plan
    int depth                   # levels left
    Recorder *recorder          # where free contents are noted while a list looks for shapes, else NULL
    int steps
    Step[PATH_LIMIT] path       # innermost first


cdef inline void check_begin(Check *c) noexcept nogil:
    c.fault = FAULT_NONE
    c.at = NULL
    c.expected = NULL
    c.depth = DEPTH_LIMIT
    c.steps = 0
    c.recorder = NULL


cdef bint fail(Check *c, int fault, const uint8_t *at, const Node *expected) noexcept nogil:
    c.fault = fault
    c.at = at
    c.expected = expected
    return False


cdef bint fail_in(Check *c, const Node *node, Py_ssize_t index) noexcept nogil:
    """Add a step to the path of the fault that was noted."""
    if c.steps < PATH_LIMIT:
        c.path[c.steps].node = node
        c.path[c.steps].index = index
        c.steps += 1
    return False


cdef bint fail_tag(Check *c, const Node *node, const Header *h, int fault) noexcept nogil:
    """An element that `node` does not accept: its form alone may be wrong, or its tag."""
    cdef bint is_string = KIND_UTF8_STRING <= node.kind <= KIND_UNIVERSAL_STRING
    if node.tag != NO_TAG and node.tag ^ h.tag == 1:
        if not h.tag & 1:
            fault = FAULT_NOT_CONSTRUCTED
        elif is_string or node.kind == KIND_OCTET_STRING or node.kind == KIND_BIT_STRING or node.kind == KIND_NAMED_BITS \
                or node.kind == KIND_OPEN_OCTETS or node.kind == KIND_OPEN_BITS \
                or node.kind == KIND_UTC_TIME or node.kind == KIND_GENERALIZED_TIME:
            fault = FAULT_STRING_CONSTRUCTED
        else:
            fault = FAULT_NOT_PRIMITIVE
    elif is_choice(node.kind) and fault == FAULT_UNEXPECTED_TAG:
        fault = FAULT_ALTERNATIVE
    return fail(c, fault, h.start, node)


cdef bint check_element(Check *c, const Node *node, const uint8_t *p, const uint8_t *end, const Scope *scope, Header *h) noexcept nogil:
    """Prove the element at `p`, and leave its place in `h`."""
    cdef int fault = read_header(p, end, h)
    if fault:
        return fail(c, fault, p, node)
    if not accepts(node, h.tag):
        return fail_tag(c, node, h, FAULT_UNEXPECTED_TAG)
    return check_value(c, node, h, scope)


cdef bint check_value(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """Prove the contents of an element whose tag the node accepts."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - h.content
    cdef int kind = node.kind
    cdef int fault
    if kind == KIND_SEQUENCE:
        return check_sequence(c, node, h)
    elif kind == KIND_INTEGER or kind == KIND_NAMED_INTEGER:
        fault = integer_check(p, n)
        if node.ranged:
            if fault == FAULT_NONE:
                fault = range_check(node, p, n)
        elif c.recorder != NULL:
            record(c.recorder, node, p, n)
    elif kind == KIND_UTC_TIME:
        fault = utc_time_check(p, n)
        if c.recorder != NULL:
            record(c.recorder, node, p, n)
    elif is_choice(kind):
        return check_choice(c, node, h, scope)
    elif kind == KIND_OBJECT_IDENTIFIER:
        fault = oid_check(p, n)
    elif is_list(kind):
        return check_list(c, node, h, scope)
    elif is_open(kind):
        return check_open(c, node, h, scope)
    elif kind == KIND_OCTET_STRING or kind == KIND_LATIN1_STRING:
        fault = FAULT_NONE
    elif kind == KIND_BOOLEAN:
        fault = boolean_check(p, n)
    elif kind == KIND_PRINTABLE_STRING:
        fault = printable_check(p, n)
    elif kind == KIND_UTF8_STRING:
        fault = utf8_check(p, n)
    elif kind == KIND_BIT_STRING:
        fault = bits_check(p, n)
    elif kind == KIND_NAMED_BITS:
        fault = named_bits_check(p, n)
    elif kind == KIND_NULL:
        fault = null_check(n)
    elif kind == KIND_EXPLICIT:
        return check_explicit(c, node, h, scope)
    elif kind == KIND_IA5_STRING:
        fault = ia5_check(p, n)
    elif kind == KIND_GENERALIZED_TIME:
        fault = generalized_time_check(p, n)
    elif kind == KIND_ENUMERATED:
        fault = integer_check(p, n)
        if fault == FAULT_NONE:
            fault = enumerated_check(node, p, n)
        if c.recorder != NULL:
            record(c.recorder, node, p, n)
    elif kind == KIND_SET:
        return check_set(c, node, h)
    elif kind == KIND_ANY:
        return check_any(c, h)
    elif kind == KIND_NUMERIC_STRING:
        fault = numeric_check(p, n)
    elif kind == KIND_VISIBLE_STRING:
        fault = visible_check(p, n)
    elif kind == KIND_BMP_STRING:
        fault = bmp_check(p, n)
    else:
        fault = universal_check(p, n)
    if fault == FAULT_NONE and node.sized:
        fault = size_check(node, string_size(node, p, n))
    if unlikely(fault):
        return fail(c, fault, h.start, node)
    return True


cdef int range_check(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.680 51.4: both ends of a value range belong to it.
    if node.low != NULL and integer_compare(p, n, node.low, node.low_length) < 0:
        return FAULT_RANGE
    if node.high != NULL and integer_compare(p, n, node.high, node.high_length) > 0:
        return FAULT_RANGE
    return FAULT_NONE


cdef int enumerated_check(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef int64_t value = -1 if p[0] >= 0x80 else 0
    cdef Py_ssize_t i
    if n > 8:
        return FAULT_ENUMERATED_UNKNOWN
    for i in range(n):
        value = <int64_t>(<uint64_t>value << 8 | p[i])
    for i in range(node.items_count):
        if node.items[i] == value:
            return FAULT_NONE
    return FAULT_ENUMERATED_UNKNOWN


cdef inline int size_check(const Node *node, Py_ssize_t size) noexcept nogil:
    return FAULT_NONE if node.size_low <= size <= node.size_high else FAULT_SIZE


cdef Py_ssize_t string_size(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """What SIZE counts (X.680 51.5.3): bits, octets or characters."""
    if node.kind == KIND_BIT_STRING or node.kind == KIND_NAMED_BITS:
        return bits_length(p, n)
    if node.kind == KIND_UTF8_STRING:
        return utf8_length(p, n)
    if node.kind == KIND_BMP_STRING:
        return n // 2
    if node.kind == KIND_UNIVERSAL_STRING:
        return n // 4
    return n


cdef bint check_sequence(Check *c, const Node *node, const Header *h) noexcept nogil:
    """X.690 8.9: the components in the order of their definition, those that are OPTIONAL or DEFAULT at will."""
    cdef Scope scope
    cdef Header child
    cdef const Field *field = node.fields
    cdef const Field *last = node.fields + node.count
    cdef const Field *first         # the first that the element may be
    cdef const uint8_t *p = h.content
    cdef int fault
    if unlikely(c.depth == 0):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    c.depth -= 1
    scope.node = node
    scope.content = h.content
    scope.end = h.end
    while p < h.end:
        fault = read_header(p, h.end, &child)
        if unlikely(fault):
            if field == last:
                return fail(c, fault, p, NULL)
            fail(c, fault, p, field.node)
            return fail_in(c, node, field - node.fields)
        first = field
        while True:
            if unlikely(field == last):
                return fail_component(c, node, first - node.fields, &child, FAULT_COMPONENT_EXTRA)
            if accepts(field.node, child.tag):
                break
            if unlikely(not field.optional):
                fail_component(c, node, first - node.fields, &child, FAULT_NONE)
                if c.fault == FAULT_NONE:
                    fail_tag(c, field.node, &child, FAULT_UNEXPECTED_TAG)
                    fail_in(c, node, field - node.fields)
                return False
            field += 1
        if unlikely(not check_value(c, field.node, &child, &scope)):
            return fail_in(c, node, field - node.fields)
        if field.default != NULL:
            if is_default(field, &child):
                fail(c, FAULT_DEFAULT_ENCODED, p, field.node)
                return fail_in(c, node, field - node.fields)
            close_recorder(c)
        p = child.end
        field += 1
    while field < last:
        if unlikely(not field.optional):
            fail(c, FAULT_COMPONENT_MISSING, h.end, field.node)
            return fail_in(c, node, field - node.fields)
        field += 1
    c.depth += 1
    return True


cdef inline void close_recorder(Check *c) noexcept nogil:
    """What was judged depends on more than the contents that were noted: the element leaves no shape."""
    if c.recorder != NULL:
        c.recorder.closed = True


cdef inline bint is_default(const Field *field, const Header *h) noexcept nogil:
    # X.690 11.5: a component equal to its default is not encoded. DER has one encoding a value, so octets tell.
    return h.end - h.start == field.default_length and memcmp(h.start, field.default, field.default_length) == 0


cdef bint fail_component(Check *c, const Node *node, Py_ssize_t first, const Header *h, int fault) noexcept nogil:
    """Say of an element that is no component from `first` on whether it would be but for the primitive or constructed form."""
    cdef Py_ssize_t i
    for i in range(first, node.count):
        if node.fields[i].node.tag ^ h.tag == 1:
            fail_tag(c, node.fields[i].node, h, FAULT_UNEXPECTED_TAG)
            return fail_in(c, node, i)
    if fault:
        fail(c, fault, h.start, NULL)
    return False


cdef bint check_set(Check *c, const Node *node, const Header *h) noexcept nogil:
    """X.690 8.11, 10.3: each member at most once, in the order of the tags that stand there."""
    cdef Scope scope
    cdef Header child
    cdef const Field *field
    cdef const uint8_t *p = h.content
    cdef tag_t before = 0
    cdef tag_t key
    cdef uint64_t seen = 0          # the schema language allows 64 members
    cdef Py_ssize_t i
    cdef int fault
    if unlikely(c.depth == 0):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    c.depth -= 1
    scope.node = node
    scope.content = h.content
    scope.end = h.end
    while p < h.end:
        fault = read_header(p, h.end, &child)
        if fault:
            return fail(c, fault, p, NULL)
        for i in range(node.count):
            if accepts(node.fields[i].node, child.tag):
                break
        else:
            return fail_component(c, node, 0, &child, FAULT_MEMBER_EXTRA)
        field = &node.fields[i]
        # X.680 8.6: by class, then by number; the form does not count. Equal keys are two members of one tag.
        key = canonical_key(child.tag)
        if p != h.content and key <= before:
            fail(c, FAULT_MEMBER_EXTRA if key == before else FAULT_SET_ORDER, p, field.node)
            return fail_in(c, node, i)
        # Only a CHOICE can fit twice without its tag being met again.
        if seen >> i & 1:
            return fail(c, FAULT_MEMBER_EXTRA, p, field.node)
        seen |= <uint64_t>1 << i
        before = key
        if not check_value(c, field.node, &child, &scope):
            return fail_in(c, node, i)
        if field.default != NULL:
            if is_default(field, &child):
                fail(c, FAULT_DEFAULT_ENCODED, p, field.node)
                return fail_in(c, node, i)
            close_recorder(c)
        p = child.end
    for i in range(node.count):
        if not node.fields[i].optional and not seen >> i & 1:
            fail(c, FAULT_MEMBER_MISSING, h.end, node.fields[i].node)
            return fail_in(c, node, i)
    c.depth += 1
    return True


cdef inline tag_t canonical_key(tag_t tag) noexcept nogil:
    """A number that orders tags as X.680 8.6 does: universal, application, context, private, then by number."""
    return (tag >> 1 & 3) << 61 | tag >> 3


cdef bint check_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """X.690 8.10, 8.12: elements of one type; of a SET OF in the order of their encodings."""
    cdef const Node *element = node.element
    cdef bint ordered = node.kind == KIND_SET_OF
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef const uint8_t *before = NULL
    cdef Py_ssize_t count = 0
    if unlikely(c.depth == 0):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    if ordered:
        close_recorder(c)
    elif c.recorder == NULL and element.kind == KIND_SEQUENCE:
        return check_long_list(c, node, h, scope)
    c.depth -= 1
    while p < h.end:
        if unlikely(not check_element(c, element, p, h.end, scope, &child)):
            return fail_in(c, node, count)
        if ordered:
            if before != NULL and not in_order(before, p, child.end):
                fail(c, FAULT_SET_OF_ORDER, p, element)
                return fail_in(c, node, count)
            before = p
        count += 1
        p = child.end
    if node.sized and size_check(node, count):
        return fail(c, FAULT_SIZE, h.start, node)
    c.depth += 1
    return True


cdef bint check_long_list(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """A SEQUENCE OF SEQUENCE as `check_list` proves it, with a fast path for elements that repeat others (core/repeat.pxi)."""
    cdef Shape[SHAPES] shapes
    cdef Recorder recorder
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef const uint8_t *after
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t i
    c.depth -= 1
    while p < h.end:
        if count >= SHAPE_AFTER:
            if count == SHAPE_AFTER:
                for i in range(SHAPES):
                    shapes[i].length = 0
            after = repeat(shapes, p, h.end)
            if after != NULL:
                count += 1
                p = after
                continue
            recorder.start = p
            recorder.closed = False
            recorder.count = 0
            c.recorder = &recorder
        if unlikely(not check_element(c, node.element, p, h.end, scope, &child)):
            c.recorder = NULL
            return fail_in(c, node, count)
        if count >= SHAPE_AFTER:
            keep_shape(shapes, &recorder, child.end)
            c.recorder = NULL
        count += 1
        p = child.end
    if node.sized and size_check(node, count):
        return fail(c, FAULT_SIZE, h.start, node)
    c.depth += 1
    return True


cdef inline bint in_order(const uint8_t *a, const uint8_t *b, const uint8_t *b_end) noexcept nogil:
    """Whether the encoding from `a` to `b` may stand before the one from `b` to `b_end`.

    X.690 11.6 compares octet by octet, the shorter one padded with zeros. No encoding is a proper prefix of another (its length
    octets would differ), so the shorter length decides nothing and equal elements are in order.
    """
    cdef Py_ssize_t n = min(b - a, b_end - b)
    return memcmp(a, b, n) <= 0


cdef bint check_choice(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """X.690 8.13: the encoding is that of the chosen alternative."""
    cdef Py_ssize_t index = find_alternative(node, h.tag)
    if unlikely(index < 0):
        return fail_tag(c, node, h, FAULT_ALTERNATIVE)
    if unlikely(not check_value(c, node.fields[index].node, h, scope)):
        return False if node.kind == KIND_UNION else fail_in(c, node, index)
    return True


cdef bint check_explicit(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """X.690 8.14.2: the contents are one complete encoding, no less and no more."""
    cdef Header child
    if h.content == h.end:
        return fail(c, FAULT_EXPLICIT_EMPTY, h.end, node)
    if unlikely(c.depth == 0):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    c.depth -= 1
    if not check_element(c, node.element, h.content, h.end, scope, &child):
        return False
    if child.end != h.end:
        return fail(c, FAULT_EXPLICIT_EXTRA, child.end, node)
    c.depth += 1
    return True


cdef bint find_field(const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t index, Header *h) noexcept nogil:
    """Find a component of a proved SEQUENCE or SET again; False where it is absent."""
    cdef const uint8_t *p = content
    cdef const Field *field = node.fields
    if node.kind == KIND_SET:
        while p < end and read_header(p, end, h) == FAULT_NONE:
            if accepts(node.fields[index].node, h.tag):
                return True
            p = h.end
        return False
    while p < end and read_header(p, end, h) == FAULT_NONE:
        while not accepts(field.node, h.tag):
            if field - node.fields >= index:
                return False
            field += 1
        if field - node.fields >= index:
            return field - node.fields == index
        field += 1
        p = h.end
    return False


cdef const Node *selected(const Node *node, const Scope *scope) noexcept nogil:
    """The type that the selector of an open type chooses, or NULL where the table does not know it."""
    cdef Header h
    cdef const Node *at
    cdef Py_ssize_t i
    if scope == NULL or node.selector_length == 0:
        return NULL
    at = scope.node
    h.content = scope.content
    h.end = scope.end
    for i in range(node.selector_length):
        if not find_field(at, h.content, h.end, node.selector[i], &h):
            return NULL
        at = at.fields[node.selector[i]].node
    return look_node(&find_slot(look_entries(node.entries), h.content, h.end - h.content).node)


cdef bint check_open(Check *c, const Node *node, const Header *h, const Scope *scope) noexcept nogil:
    """An open type: the type that its selector chooses, else opaque. A soft table lets a misfit stay opaque, too."""
    cdef const Node *target = selected(node, scope)
    cdef int depth = c.depth
    cdef int fault
    if node.kind != KIND_OPEN:
        if node.kind == KIND_OPEN_BITS:
            fault = bits_check(h.content, h.end - h.content)
            if fault:
                return fail(c, fault, h.start, node)
        if node.sized and size_check(node, h.end - h.content if node.kind == KIND_OPEN_OCTETS else bits_length(h.content, h.end - h.content)):
            return fail(c, FAULT_SIZE, h.start, node)
    if target != NULL:
        if check_contained(c, node, target, h):
            return True
        # A limit is no misfit: were it one, what a value is would depend on how deep it stands.
        if not node.soft or c.fault == FAULT_DEPTH_LIMIT:
            return False
        # Work stays linear: the opaque check below does not look into tables again.
        close_recorder(c)
        c.fault = FAULT_NONE
        c.steps = 0
        c.depth = depth
    return check_any(c, h) if node.kind == KIND_OPEN else True


cdef bint check_contained(Check *c, const Node *node, const Node *target, const Header *h) noexcept nogil:
    """Prove that an open type, or what its string contains, is one value of `target`."""
    cdef Header child
    cdef const uint8_t *p = h.content
    if node.kind == KIND_OPEN:
        if not accepts(target, h.tag):
            return fail_tag(c, target, h, FAULT_UNEXPECTED_TAG)
        return check_value(c, target, h, NULL)
    if unlikely(c.depth == 0):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, node)
    c.depth -= 1
    if node.kind == KIND_OPEN_BITS:
        # X.680 22.7: the bits are those of an encoding, which are whole octets.
        if p < h.end and p[0] != 0:
            return fail(c, FAULT_CONTAINED_BITS, h.start, node)
        p += 1
    if not check_element(c, target, p, h.end, NULL, &child):
        return False
    if child.end != h.end:
        return fail(c, FAULT_CONTAINED_EXTRA, child.end, target)
    c.depth += 1
    return True


cdef bint check_any(Check *c, const Header *h) noexcept nogil:
    """Prove an element of no known type: canonical where its tag is universal, and made of elements where it is constructed."""
    cdef Header child
    cdef const uint8_t *p
    cdef const uint8_t *before = NULL
    cdef tag_t before_key = 0
    cdef tag_t key
    cdef bint by_tag = True
    cdef bint by_encoding = True
    cdef bint ordered = False
    cdef int fault
    if h.tag >> 1 & 3 == CLASS_UNIVERSAL:
        fault = universal_value_check(h)
        if fault:
            return fail(c, fault, h.start, NULL)
        ordered = h.tag >> 3 == 17
    if not h.tag & 1:
        return True
    if unlikely(c.depth == 0):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, NULL)
    c.depth -= 1
    p = h.content
    while p < h.end:
        fault = read_header(p, h.end, &child)
        if fault:
            return fail(c, fault, p, NULL)
        if not check_any(c, &child):
            return False
        if ordered:
            # Octets do not tell a SET from a SET OF: one of the two orders must hold.
            key = canonical_key(child.tag)
            if before != NULL:
                by_tag = by_tag and before_key < key
                by_encoding = by_encoding and in_order(before, p, child.end)
            if not by_tag and not by_encoding:
                return fail(c, FAULT_ANY_SET_ORDER, p, NULL)
            before = p
            before_key = key
        p = child.end
    c.depth += 1
    return True


cdef int universal_value_check(const Header *h) noexcept nogil:
    """The rules of the universal type that the tag names; types that derlib has no rule for yet are opaque."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - h.content
    cdef uint64_t number = h.tag >> 3
    cdef bint constructed = h.tag & 1
    if number == 0:
        return FAULT_TAG_RESERVED
    # X.680 8.4: SEQUENCE (16), SET (17), EXTERNAL (8), EMBEDDED PDV (11), CHARACTER STRING (29) have components.
    if number == 16 or number == 17 or number == 8 or number == 11 or number == 29:
        return FAULT_NONE if constructed else FAULT_NOT_CONSTRUCTED
    if constructed:
        if number == 3 or number == 4 or number == 12 or 18 <= number <= 28 or number == 30 or number == 7:
            return FAULT_STRING_CONSTRUCTED
        return FAULT_NOT_PRIMITIVE if number <= 36 else FAULT_NONE
    if number == 1:
        return boolean_check(p, n)
    elif number == 2 or number == 10:
        return integer_check(p, n)
    elif number == 3:
        return bits_check(p, n)
    elif number == 5:
        return null_check(n)
    elif number == 6:
        return oid_check(p, n)
    elif number == 12:
        return utf8_check(p, n)
    elif number == 18:
        return numeric_check(p, n)
    elif number == 19:
        return printable_check(p, n)
    elif number == 22:
        return ia5_check(p, n)
    elif number == 23:
        return utc_time_check(p, n)
    elif number == 24:
        return generalized_time_check(p, n)
    elif number == 26:
        return visible_check(p, n)
    elif number == 28:
        return universal_check(p, n)
    elif number == 30:
        return bmp_check(p, n)
    return FAULT_NONE


cdef bint check(Check *c, const Node *node, const uint8_t *p, const uint8_t *end, bint prefix, Header *h) noexcept nogil:
    """Prove the octets from `p` to `end`: one value, and nothing behind it unless a `prefix` is asked for."""
    check_begin(c)
    if not check_element(c, node, p, end, NULL, h):
        return False
    if not prefix and h.end != end:
        return fail(c, FAULT_TRAILING_DATA, h.end, node)
    return True
