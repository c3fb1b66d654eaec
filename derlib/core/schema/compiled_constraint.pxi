# The Python handle of a constraint, and the checks that a constraint fits its type.
#
# A constraint is a tree of C structs (core/schema/constraint.pxi), made once by `derlib._schema`: value sets at its
# leaves, and their unions, intersections and complements. core/decode/constraints.pxi evaluates it.

@cython.final
cdef class CompiledConstraint:
    """The Python handle of a `Constraint`; it owns the memory.

    Args:
        kind: a `ConstraintKind`.
        text: the constraint in ASN.1 notation, for messages.
        constraints: its operands.
        plan: a plan with the SIZE or value range; for CONSTRAINT_VALUES, the type of the values.
        values: the encodings of single values.
        characters: (first, last) of each run of characters, in ascending order.
        parts: (field number, presence, constraint or None) of each component.
    """
    cdef Constraint constraint
    cdef list keep
    cdef readonly str text
    cdef readonly tuple facts       # all that decides which values satisfy it, for fingerprints

    def __cinit__(self, int kind, str text not None, tuple constraints=(), Plan plan=None, tuple values=(),
                  tuple characters=(), tuple parts=()):
        if not CONSTRAINT_INTERSECTION <= kind <= CONSTRAINT_ELEMENTS:
            raise _errors.SchemaError(f"the constraint {text} has an unknown kind: {kind}")
        self.keep = [constraints, parts]
        self.text = text
        self.constraint.kind = kind
        self.constraint.compiled = <void *>self
        if len(constraints) > 0:
            self.constraint.left = &(<CompiledConstraint?>constraints[0]).constraint
        if len(constraints) > 1:
            self.constraint.right = &(<CompiledConstraint?>constraints[1]).constraint
        if len(constraints) != (2 if kind == CONSTRAINT_INTERSECTION or kind == CONSTRAINT_UNION
                                else kind in (CONSTRAINT_EXCEPT, CONSTRAINT_ELEMENTS)) \
                or (plan is None and kind in (CONSTRAINT_RANGE, CONSTRAINT_SIZE, CONSTRAINT_VALUES)):
            raise _errors.SchemaError(f"the constraint {text} is not complete")
        if kind == CONSTRAINT_RANGE or kind == CONSTRAINT_SIZE:
            # Its bounds are read without the GIL.
            plan.seal()
            self.keep.append(plan)
            self.constraint.bounds = &plan.node
        elif kind == CONSTRAINT_VALUES:
            values = self.take_values(plan, values)
        elif kind == CONSTRAINT_ALPHABET:
            self.take_characters(characters)
        elif kind == CONSTRAINT_COMPONENTS:
            self.take_components(parts)
        bounds = (plan.size, plan.range) if kind in (CONSTRAINT_RANGE, CONSTRAINT_SIZE) else None
        self.facts = (ConstraintKind(kind).name, self.operand_facts(constraints), bounds, values, characters,
                      self.component_facts(parts))

    cdef tuple operand_facts(self, tuple constraints):
        cdef list facts = []
        for constraint in constraints:
            facts.append((<CompiledConstraint?>constraint).facts)
        return tuple(facts)

    cdef tuple component_facts(self, tuple parts):
        cdef list facts = []
        for index, presence, constraint in parts:
            facts.append((index, presence, None if constraint is None else (<CompiledConstraint?>constraint).facts))
        return tuple(facts)

    cdef void *array(self, Py_ssize_t count, Py_ssize_t size) except NULL:
        """Return zeroed memory for `count` parts of the constraint, which lives as long as this object."""
        cdef bytearray memory = bytearray(max(count, 1) * size)
        self.keep.append(memory)
        self.constraint.count = count
        return <void *><char *>memory

    cdef tuple take_values(self, Plan plan, tuple encodings):
        """Store the octets that single values are compared by, and return them."""
        cdef Py_ssize_t i
        cdef bytes one
        cdef list values = []
        cdef Octets *octets = <Octets *>self.array(len(encodings), sizeof(Octets))
        for i in range(len(encodings)):
            one = value_octets(&plan.node, encodings[i])
            values.append(one)
            octets[i].p = <const uint8_t *><const char *>one
            octets[i].n = len(one)
        self.keep.append(values)
        self.constraint.values = octets
        return tuple(values)

    cdef int take_characters(self, tuple characters) except -1:
        cdef Py_ssize_t i
        cdef uint32_t character
        cdef uint32_t *runs = <uint32_t *>self.array(len(characters), 2 * sizeof(uint32_t))
        for i in range(len(characters)):
            runs[2 * i] = characters[i][0]
            runs[2 * i + 1] = characters[i][1]
            for character in range(runs[2 * i], min(runs[2 * i + 1], 255) + 1):
                self.constraint.latin1[character >> 6] |= <uint64_t>1 << (character & 63)
        self.constraint.characters = runs
        return 0

    cdef int take_components(self, tuple parts) except -1:
        cdef Py_ssize_t i
        cdef ComponentConstraint *made = <ComponentConstraint *>self.array(len(parts), sizeof(ComponentConstraint))
        for i in range(len(parts)):
            made[i].index = parts[i][0]
            made[i].presence = parts[i][1]
            made[i].constraint = NULL if parts[i][2] is None else &(<CompiledConstraint?>parts[i][2]).constraint
        self.constraint.parts = made
        return 0


cdef bytes value_octets(const Node *node, bytes octets):
    """Return the bytes that a single value is compared by: contents octets, or all of an element of a CHOICE."""
    cdef const uint8_t *p = <const uint8_t *><const char *>octets
    cdef const uint8_t *end = p + len(octets)
    cdef Header h
    while True:
        if reread_header(p, end, &h):
            raise _errors.SchemaError("a single value has no encoding")
        if is_choice(node.kind):
            return (<const char *>p)[:end - p]
        if node.kind != KIND_EXPLICIT:
            return (<const char *>h.content)[:h.end - h.content]
        node = node.element
        p = h.content


cdef bint applies_to(const Constraint *constraint, const Node *node) noexcept:
    """Return whether the type has the components and elements that a constraint names; memory safety depends on it."""
    cdef Py_ssize_t i
    if constraint.kind == CONSTRAINT_INTERSECTION or constraint.kind == CONSTRAINT_UNION:
        return applies_to(constraint.left, node) and applies_to(constraint.right, node)
    if constraint.kind == CONSTRAINT_EXCEPT:
        return applies_to(constraint.left, node)
    node = without_tags(node)
    if constraint.kind == CONSTRAINT_ELEMENTS:
        return is_list(node.kind) and applies_to(constraint.left, node.element)
    if constraint.kind != CONSTRAINT_COMPONENTS:
        return True
    if node.kind != KIND_SEQUENCE and node.kind != KIND_SET and node.kind != KIND_CHOICE:
        return False
    for i in range(constraint.count):
        if not 0 <= constraint.parts[i].index < node.component_count:
            return False
        if constraint.parts[i].constraint != NULL \
                and not applies_to(constraint.parts[i].constraint, node.components[constraint.parts[i].index].node):
            return False
    return True
