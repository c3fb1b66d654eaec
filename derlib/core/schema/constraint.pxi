# Rules: what constraints other than one SIZE and one value range are compiled to; core/decode/constraints.pxi works with them.

cpdef enum ConstraintKind:
    CONSTRAINT_INTERSECTION = 1               # X.680 50: INTERSECTION
    CONSTRAINT_UNION                 # UNION
    CONSTRAINT_EXCEPT                    # ALL EXCEPT
    CONSTRAINT_RANGE                  # X.680 51.4
    CONSTRAINT_SIZE                   # X.680 51.5
    CONSTRAINT_ALPHABET               # X.680 51.7
    CONSTRAINT_VALUES                 # X.680 51.2
    CONSTRAINT_COMPONENTS             # X.680 51.8: WITH COMPONENTS
    CONSTRAINT_ELEMENTS               # WITH COMPONENT

cdef enum Presence:
    MAY_BE = 0
    MUST_BE = 1
    MUST_NOT_BE = 2

cdef struct ComponentConstraint:               # what WITH COMPONENTS says of one component
    Py_ssize_t index
    int presence
    const Constraint *constraint            # NULL where only the presence counts

cdef struct Octets:
    const uint8_t *p
    Py_ssize_t n

cdef struct Constraint:
    int kind
    const Constraint *left            # of CONSTRAINT_INTERSECTION, CONSTRAINT_UNION; the only one of CONSTRAINT_EXCEPT, CONSTRAINT_ELEMENTS
    const Constraint *right
    const Node *bounds          # has the SIZE or the value range
    Py_ssize_t count            # of values, characters or parts
    const Octets *values        # contents octets; whole elements of a CHOICE
    const uint32_t *characters  # first and last of each run, in ascending order
    uint64_t[4] latin1          # the same of the characters up to 255: a bit for each
    const ComponentConstraint *parts
    void *compiled              # the CompiledConstraint that this belongs to (borrowed)

cdef struct ConstraintLink:           # the rules of a plan: its own, then those of the plan that it is derived from
    const Constraint *constraint
    const ConstraintLink *next
