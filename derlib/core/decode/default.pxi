# DEFAULT components: one that has its default value must not be encoded (X.690 11.5).
#
# DER has one encoding of each value, so the strict check compares octets (`is_default`). A tolerated form has others: a
# padded number can be the default value although its octets differ. Only after the check tolerated something, it calls
# `same_default`, which compares values. The second element of each comparison is the encoding of the default value,
# which the schema chooses; so the work on a component is bounded by the size of the schema times its length.

cdef inline bint check_default(
    Check *c, const Node *node, const Component *component, const Header *h
) noexcept nogil:
    """Check that a validated component of `node`, one with a DEFAULT, does not have its default value."""
    if (is_default(component, h) or (unlikely(c.tolerated_faults != 0) and same_default(component, h))) \
            and not tolerates(c, FAULT_DEFAULT_ENCODED, h.start, component.node, h.content, 0):
        fail(c, FAULT_DEFAULT_ENCODED, h.start, component.node)
        return fail_in(c, node, component - node.components)
    close_recorder(c)
    return True


cdef inline bint is_default(const Component *component, const Header *h) noexcept nogil:
    """Return whether a component is encoded as its default value."""
    cdef Py_ssize_t n = component.default_length
    # The last octet usually differs, which avoids the call.
    return h.end - h.start == n and octet_at(h.end - 1) == component.default[n - 1] \
        and memcmp(h.start, component.default, n) == 0


cdef bint same_default(const Component *component, const Header *h) noexcept nogil:
    """Return whether a validated component has its DEFAULT value, perhaps in a tolerated form."""
    cdef Header default
    return reread_header(component.default, component.default + component.default_length, &default) == FAULT_NONE \
        and same_value(component.node, h, &default)


cdef bint same_value(const Node *node, const Header *a, const Header *b) noexcept nogil:
    """Return whether two elements that the node accepts have the same value."""
    cdef Header x
    cdef Header y
    cdef Py_ssize_t index
    cdef Py_ssize_t skip
    if a.tag != b.tag:
        return False
    if is_choice(node.kind):
        index = find_alternative(node, a.tag)
        return same_untyped(a, b) if index < 0 else same_value(node.components[index].node, a, b)
    if node.kind < KIND_SEQUENCE:
        return same_contents(node.kind, a.content, a.end - a.content, b.content, b.end - b.content)
    if node.kind == KIND_SEQUENCE or node.kind == KIND_SET:
        return same_components(node, a, b)
    if node.kind == KIND_SET_OF:
        return same_set(node.element, a, b)
    if node.kind == KIND_SEQUENCE_OF or node.kind == KIND_EXPLICIT:
        return same_elements(node.element, a, b)
    if node.contained != NULL:
        # The initial octet of a BIT STRING comes first.
        skip = node.kind == KIND_OPEN_BITS
        return reread_header(a.content + skip, a.end, &x) == FAULT_NONE \
            and reread_header(b.content + skip, b.end, &y) == FAULT_NONE and same_value(node.contained.node, &x, &y)
    return same_untyped(a, b)


cdef bint same_untyped(const Header *a, const Header *b) noexcept nogil:
    """Return whether two elements without a known type have the same value, by their universal tags."""
    if a.tag != b.tag:
        return False
    if a.tag & 1:
        return same_elements(NULL, a, b)
    return same_contents(universal_kind(a.tag), a.content, a.end - a.content, b.content, b.end - b.content)


cdef bint same_elements(const Node *element, const Header *a, const Header *b) noexcept nogil:
    """Return whether two elements contain the same values in the same order; `element` is NULL if they have no type."""
    cdef Header x
    cdef Header y
    cdef const uint8_t *p = a.content
    cdef const uint8_t *q = b.content
    while p < a.end and q < b.end:
        if reread_header(p, a.end, &x) or reread_header(q, b.end, &y):
            return False
        if not (same_untyped(&x, &y) if element == NULL else same_value(element, &x, &y)):
            return False
        p = x.end
        q = y.end
    return p == a.end and q == b.end


cdef bint same_set(const Node *element, const Header *a, const Header *b) noexcept nogil:
    """Return whether two SETs OF have the same elements, each as often; the first may be out of order."""
    cdef Header y
    cdef const uint8_t *q = b.content
    cdef Py_ssize_t count = occurrences(NULL, b, NULL, PY_SSIZE_T_MAX)
    if occurrences(NULL, a, NULL, count) != count:
        return False
    while q < b.end and reread_header(q, b.end, &y) == FAULT_NONE:
        if occurrences(element, a, &y, count) != occurrences(element, b, &y, count):
            return False
        q = y.end
    return True


cdef Py_ssize_t occurrences(const Node *element, const Header *h, const Header *value, Py_ssize_t most) noexcept nogil:
    """Count the elements that have a value, or all if it is NULL; stop when there are more than `most`."""
    cdef Header x
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t count = 0
    while p < h.end and count <= most and reread_header(p, h.end, &x) == FAULT_NONE:
        if value == NULL or same_value(element, &x, value):
            count += 1
        p = x.end
    return count


cdef bint same_components(const Node *node, const Header *a, const Header *b) noexcept nogil:
    """Return whether two SEQUENCEs or SETs have the same components; an absent one has its DEFAULT value."""
    cdef Header x
    cdef Header y
    cdef const Component *component
    cdef Py_ssize_t i
    cdef Py_ssize_t found = 0
    cdef bint in_a
    cdef bint in_b
    for i in range(node.component_count):
        component = &node.components[i]
        in_a = find_component(node, a.content, a.end, i, &x)
        in_b = find_component(node, b.content, b.end, i, &y)
        found += in_a
        if in_a == in_b:
            if in_a and not same_value(component.node, &x, &y):
                return False
        elif component.default == NULL or not same_default(component, &x if in_a else &y):
            return False
    # A value with unknown additions is equal only if the octets are (`is_default`).
    return occurrences(NULL, a, NULL, found) == found


cdef bint same_contents(
    int kind, const uint8_t *p, Py_ssize_t n, const uint8_t *q, Py_ssize_t m
) noexcept nogil:
    """Return whether contents octets of a primitive type have the same value."""
    cdef const uint8_t *end = p + n
    cdef const uint8_t *other_end = q + m
    if is_integer(kind):
        p = without_padding(p, n)
        q = without_padding(q, m)
    elif kind == KIND_BOOLEAN and n == 1 and m == 1:
        return (p[0] != 0) == (q[0] != 0)
    elif (kind == KIND_BIT_STRING or kind == KIND_NAMED_BITS) and n > 0:
        return same_bits(kind == KIND_NAMED_BITS, p, n, q, m)
    elif kind == KIND_UTC_TIME or kind == KIND_GENERALIZED_TIME:
        return same_time(kind == KIND_UTC_TIME, p, n, q, m)
    return end - p == other_end - q and memcmp(p, q, end - p) == 0


cdef bint same_bits(bint named, const uint8_t *p, Py_ssize_t n, const uint8_t *q, Py_ssize_t m) noexcept nogil:
    """Return whether two BIT STRINGs, the second in DER, have the same bits.

    For named bits, trailing zero bits do not count. X.690 11.2.2: the second has none.
    """
    cdef Py_ssize_t count = n
    if named:
        while count > 1 and used_bits(p, n, count - 1) == 0:
            count -= 1
    elif p[0] != q[0]:
        return False
    if count != m or count == 1:
        return count == m
    return memcmp(p + 1, q + 1, count - 2) == 0 and used_bits(p, n, count - 1) == used_bits(q, m, count - 1)


cdef inline uint8_t used_bits(const uint8_t *p, Py_ssize_t n, Py_ssize_t i) noexcept nogil:
    """Return octet `i` of the `n` contents octets of a BIT STRING, without the unused bits of the last one."""
    return p[i] & (0xFF << (p[0] & 7) if i == n - 1 else 0xFF) & 0xFF


cdef bint same_time(bint utc, const uint8_t *p, Py_ssize_t n, const uint8_t *q, Py_ssize_t m) noexcept nogil:
    """Return whether two times are the same moment, even if they are written with different offsets from UTC."""
    cdef LenientTime a
    cdef LenientTime b
    return lenient_time_read(p, n, utc, &a) and lenient_time_read(q, m, utc, &b) \
        and minutes(&a) == minutes(&b) and a.moment.second == b.moment.second and a.digits == b.digits \
        and (a.digits == 0 or memcmp(a.fraction, b.fraction, a.digits) == 0)


cdef int64_t minutes(const LenientTime *t) noexcept nogil:
    """Return the number of minutes from a fixed day, in UTC."""
    # Count years from March, so that the leap day is the last; 400 more years keep the numbers positive.
    cdef int64_t year = t.moment.year + 400 - (1 if t.moment.month < 3 else 0)
    cdef int64_t month = t.moment.month + (9 if t.moment.month < 3 else -3)
    cdef int64_t days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + t.moment.day
    return (days * 24 + t.moment.hour) * 60 + t.moment.minute - t.offset
