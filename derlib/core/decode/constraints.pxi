# Evaluation of constraints other than one SIZE and one value range (X.680 50, 51) on validated elements.
#
# The check pass calls `check_constraints` at the end of an element whose type has constraints, so other types pay
# nothing. `constraint_holds` evaluates a constraint; if it returns False, `tolerate_or_fail` finds the parts of the
# constraint and of the value that do not match, for the deviations and the message.

cdef bint check_constraints(Check *c, const Node *node, const Header *h) noexcept nogil:
    """Check the constraints of the type of a validated element."""
    cdef const ConstraintLink *link = node.constraints
    close_recorder(c)
    # There is at least one: the caller has checked.
    while True:
        if unlikely(not constraint_holds(link.constraint, node, h)):
            return tolerate_or_fail_from(c, link, node, h)
        link = link.next
        if link == NULL:
            return True


cdef bint tolerate_or_fail_from(Check *c, const ConstraintLink *link, const Node *node, const Header *h) noexcept nogil:
    """Check the constraints from `link` on, which does not hold; return True as `tolerate_or_fail`."""
    while link != NULL:
        if not tolerate_or_fail_if_violated(c, link.constraint, node, h):
            return False
        link = link.next
    return True


cdef bint is_about_size(const Constraint *constraint) noexcept nogil:
    """Return whether only sizes decide which values satisfy a constraint."""
    if constraint.kind == CONSTRAINT_INTERSECTION or constraint.kind == CONSTRAINT_UNION:
        return is_about_size(constraint.left) and is_about_size(constraint.right)
    return constraint.kind == CONSTRAINT_SIZE \
        or (constraint.kind == CONSTRAINT_EXCEPT and is_about_size(constraint.left))


cdef inline bint constraints_hold(const Node *node, const Header *h) noexcept nogil:
    """Return whether a validated element satisfies the constraints of its type."""
    cdef const ConstraintLink *link = node.constraints
    while link != NULL:
        if not constraint_holds(link.constraint, node, h):
            return False
        link = link.next
    return True


cdef bint has_defaults(const Node *node) noexcept:
    """Return whether a component has a DEFAULT: a constraint on it can depend on a type that is not complete yet."""
    cdef Py_ssize_t i
    for i in range(node.component_count):
        if node.components[i].default != NULL:
            return True
    return False


cdef void update_fast_flags(Node *node) noexcept:
    """Set `plain` and `may_be_empty` after the type or its constraints changed."""
    cdef Header h
    cdef uint8_t nothing = 0
    h.tag = node.tag
    h.start = h.content = h.end = &nothing
    node.plain = not node.constrained and not node.ranged and (
        node.kind == KIND_INTEGER or node.kind == KIND_OCTET_STRING or node.kind == KIND_UTF8_STRING
        or node.kind == KIND_OBJECT_IDENTIFIER)
    if node.kind == KIND_SEQUENCE or node.kind == KIND_SET:
        node.may_be_empty = node.needed == 0 and node.leading_required == 0 and (
            node.constraints == NULL or (not has_defaults(node) and constraints_hold(node, &h)))
    else:
        node.may_be_empty = node.kind < KIND_SEQUENCE and TYPES[node.kind].flags & TYPE_MAY_BE_EMPTY \
            and (not node.sized or node.size_low <= 0) and constraints_hold(node, &h)


cdef bint constraint_holds(const Constraint *constraint, const Node *node, const Header *h) noexcept nogil:
    """Return whether a validated element satisfies a constraint."""
    cdef Header child
    cdef const uint8_t *p
    cdef Py_ssize_t i
    cdef int kind = constraint.kind
    if node.kind == KIND_EXPLICIT:
        return not reread_header(h.content, h.end, &child) and constraint_holds(constraint, node.element, &child)
    if kind == CONSTRAINT_INTERSECTION:
        return constraint_holds(constraint.left, node, h) and constraint_holds(constraint.right, node, h)
    elif kind == CONSTRAINT_UNION:
        return constraint_holds(constraint.left, node, h) or constraint_holds(constraint.right, node, h)
    elif kind == CONSTRAINT_EXCEPT:
        return not constraint_holds(constraint.left, node, h)
    elif kind == CONSTRAINT_RANGE:
        p = without_padding(h.content, h.end - h.content)
        return range_check(constraint.bounds, p, h.end - p) == FAULT_NONE
    elif kind == CONSTRAINT_SIZE:
        return size_fault(constraint.bounds, value_size(node, h)) == FAULT_NONE
    elif kind == CONSTRAINT_ALPHABET:
        return alphabet_holds(constraint, node.kind, h.content, h.end)
    elif kind == CONSTRAINT_VALUES:
        return is_one_of(constraint, node, h)
    elif kind == CONSTRAINT_ELEMENTS:
        p = h.content
        while p < h.end and reread_header(p, h.end, &child) == FAULT_NONE:
            if not constraint_holds(constraint.left, node.element, &child):
                return False
            p = child.end
        return True
    # CONSTRAINT_COMPONENTS.
    for i in range(constraint.count):
        if component_fault(&constraint.parts[i], node, h, &child):
            return False
    return True


cdef Py_ssize_t value_size(const Node *node, const Header *h) noexcept nogil:
    """Return the size of a string or list as SIZE counts it (X.680 51.5.3)."""
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t count = 0
    if node.kind == KIND_OPEN_BITS:
        return bits_length(p, h.end - p)
    if not is_list(node.kind):
        return string_size(node, p, h.end - p)
    while p < h.end and reread_header(p, h.end, &child) == FAULT_NONE:
        count += 1
        p = child.end
    return count


cdef bint alphabet_holds(const Constraint *constraint, int kind, const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether each character is permitted (X.680 51.7); bytes that are not a character are not permitted."""
    cdef uint32_t character
    cdef uint8_t first
    cdef int more
    cdef Py_ssize_t width = character_octets(kind)
    if width == 1:
        while p < end:
            first = octet_at(p)
            if first > 0x7F and kind == KIND_UTF8_STRING:
                break
            if not constraint.latin1[first >> 6] >> (first & 63) & 1:
                return False
            p += 1
        # An invalid encoding may have been tolerated; the loop below reads only the first octet of a character.
        if p == end or utf8_check(p, end - p):
            return p == end
    while p < end:
        if end - p < width:
            return False
        first = p[0]
        p += 1
        character = first
        if width > 1:
            for more in range(width - 1):
                character = character << 8 | p[0]
                p += 1
        elif kind == KIND_UTF8_STRING and first > 0x7F:
            more = 1 if first < 0xE0 else 2 if first < 0xF0 else 3
            character = first & (0x3F >> more)
            # A shared buffer may have changed since `utf8_check`.
            while more > 0 and p < end:
                character = character << 6 | (p[0] & 0x3F)
                p += 1
                more -= 1
        if not is_permitted(constraint, character):
            return False
    return True


cdef inline bint is_permitted(const Constraint *constraint, uint32_t character) noexcept nogil:
    """Return whether an alphabet has a character; binary search in its ranges."""
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = constraint.count
    cdef Py_ssize_t middle
    if character < 256:
        return constraint.latin1[character >> 6] >> (character & 63) & 1
    while low < high:
        middle = (low + high) // 2
        if character < constraint.characters[2 * middle]:
            high = middle
        elif character > constraint.characters[2 * middle + 1]:
            low = middle + 1
        else:
            return True
    return False


cdef bint is_one_of(const Constraint *constraint, const Node *node, const Header *h) noexcept nogil:
    """Return whether a value is one of the single values (X.680 51.2): DER has one encoding for each value."""
    cdef const uint8_t *p = h.start if is_choice(node.kind) else h.content
    cdef Py_ssize_t n = h.end - p
    cdef Py_ssize_t i
    cdef uint8_t true = 0xFF
    # Compare numbers and TRUE in a tolerated form by their value.
    if is_integer(node.kind):
        p = without_padding(p, n)
        n = h.end - p
    elif node.kind == KIND_BOOLEAN and n == 1 and p[0]:
        p = &true
    for i in range(constraint.count):
        if constraint.values[i].n == n and equal_octets(constraint.values[i].p, p, n):
            return True
    return False


cdef inline bint equal_octets(const uint8_t *a, const uint8_t *b, Py_ssize_t n) noexcept nogil:
    """Compare octets; usually the first one decides, without a call."""
    return n == 0 or (a[0] == b[0] and (n == 1 or memcmp(a, b, n) == 0))


cdef bint part_of(const Node *node, const Header *h, Py_ssize_t index, Header *child) noexcept nogil:
    """Find a component, or an alternative if it is the chosen one; return False if it is absent."""
    if node.kind == KIND_CHOICE:
        child[0] = h[0]
        return find_alternative(node, h.tag) == index
    return h.content < h.end and find_component(node, h.content, h.end, index, child)


cdef int component_fault(
    const ComponentConstraint *part, const Node *node, const Header *h, Header *child
) noexcept nogil:
    """Return the fault of a component or alternative that violates its constraint; FAULT_NONE if there is none.

    `child` is set to the component unless it is absent.
    """
    cdef const Component *component = &node.components[part.index]
    if part_of(node, h, part.index, child):
        if part.presence == MUST_NOT_BE:
            return FAULT_COMPONENT_FORBIDDEN
        if part.constraint != NULL and not constraint_holds(part.constraint, component.node, child):
            return FAULT_CONSTRAINT
    elif part.presence == MUST_BE:
        return FAULT_COMPONENT_REQUIRED
    elif part.constraint != NULL and component.default != NULL:
        # X.680 25, DEFAULT: an absent component has its default value.
        if reread_header(component.default, component.default + component.default_length, child) \
                or not constraint_holds(part.constraint, component.node, child):
            return FAULT_COMPONENT_REQUIRED
    return FAULT_NONE


cdef bint tolerate_or_fail(Check *c, const Constraint *constraint, const Node *node, const Header *h) noexcept nogil:
    """Return True if all faults of an element that violates a constraint are tolerated; otherwise set the first other.

    The faults are those of the innermost constraints and parts that do not match.
    """
    cdef Header inner = h[0]
    cdef bint about_size = is_about_size(constraint)
    cdef int fault = FAULT_NONE
    while node.kind == KIND_EXPLICIT and reread_header(inner.content, inner.end, &inner) == FAULT_NONE:
        node = node.element
    # EMPTY_LIST tolerates this fault, whatever the sizes are.
    if about_size and tolerates(c, FAULT_SIZE, inner.start, node, inner.content, inner.end - inner.content):
        return True
    if constraint.kind == CONSTRAINT_INTERSECTION:
        return tolerate_or_fail_if_violated(c, constraint.left, node, &inner) \
            and tolerate_or_fail_if_violated(c, constraint.right, node, &inner)
    if constraint.kind == CONSTRAINT_ELEMENTS:
        return tolerate_or_fail_elements(c, constraint, node, &inner)
    if constraint.kind == CONSTRAINT_COMPONENTS:
        return tolerate_or_fail_components(c, constraint, node, &inner)
    if constraint.kind == CONSTRAINT_RANGE:
        fault = FAULT_RANGE
    elif about_size and (inner.content == inner.end if is_list(node.kind) else constraint.kind == CONSTRAINT_SIZE):
        # A list only if it is empty: EMPTY_LIST tolerates this fault.
        fault = FAULT_SIZE
    elif constraint.kind == CONSTRAINT_ALPHABET:
        fault = FAULT_ALPHABET
    elif constraint.kind == CONSTRAINT_VALUES:
        fault = FAULT_SINGLE_VALUE
    else:
        fault = FAULT_CONSTRAINT
    c.constraint = constraint
    return fail(c, fault, inner.start, node)


cdef bint tolerate_or_fail_if_violated(
    Check *c, const Constraint *constraint, const Node *node, const Header *h
) noexcept nogil:
    """Check one of several constraints of an element, not all of which hold; return True as `tolerate_or_fail`."""
    return constraint_holds(constraint, node, h) or tolerate_or_fail(c, constraint, node, h)


cdef bint tolerate_or_fail_elements(
    Check *c, const Constraint *constraint, const Node *node, const Header *h
) noexcept nogil:
    """Check the elements of a list, not all of which satisfy a constraint; return True as `tolerate_or_fail`."""
    cdef Header child
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t i = 0
    while p < h.end and reread_header(p, h.end, &child) == FAULT_NONE:
        if not tolerate_or_fail_if_violated(c, constraint.left, node.element, &child):
            return fail_in(c, node, i)
        i += 1
        p = child.end
    return True


cdef bint tolerate_or_fail_components(
    Check *c, const Constraint *constraint, const Node *node, const Header *h
) noexcept nogil:
    """Check the components of an element, not all of which satisfy a constraint; return True as `tolerate_or_fail`."""
    cdef Header child
    cdef const ComponentConstraint *part
    cdef const Node *component
    cdef Py_ssize_t i
    cdef int fault
    for i in range(constraint.count):
        part = &constraint.parts[i]
        component = node.components[part.index].node
        fault = component_fault(part, node, h, &child)
        if fault == FAULT_NONE or (
                fault == FAULT_CONSTRAINT and tolerate_or_fail(c, part.constraint, component, &child)):
            continue
        if fault != FAULT_CONSTRAINT:
            c.constraint = constraint
            if fault == FAULT_COMPONENT_REQUIRED:
                fail_before(c, fault, h.end, h.end, component)
            else:
                fail(c, fault, child.start, component)
        return fail_in(c, node, part.index)
    return True
