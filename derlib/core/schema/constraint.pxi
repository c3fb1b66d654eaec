# The compiled form of constraints, except for one SIZE and one value range, which are in the node itself.
# core/decode/constraints.pxi evaluates them.

cpdef enum ConstraintKind:
    CONSTRAINT_INTERSECTION = 1     # X.680 50: INTERSECTION
    CONSTRAINT_UNION                # UNION
    CONSTRAINT_EXCEPT               # ALL EXCEPT
    CONSTRAINT_RANGE                # X.680 51.4
    CONSTRAINT_SIZE                 # X.680 51.5
    CONSTRAINT_ALPHABET             # X.680 51.7
    CONSTRAINT_VALUES               # X.680 51.2
    CONSTRAINT_COMPONENTS           # X.680 51.8: WITH COMPONENTS
    CONSTRAINT_ELEMENTS             # WITH COMPONENT

cdef enum Presence:
    MAY_BE = 0
    MUST_BE = 1
    MUST_NOT_BE = 2

cdef struct ComponentConstraint:    # what WITH COMPONENTS requires of one component
    Py_ssize_t index
    int presence
    const Constraint *constraint    # NULL if only presence is constrained

cdef struct Octets:
    const uint8_t *p
    Py_ssize_t n

cdef struct Constraint:
    int kind
    const Constraint *left      # the first operand, or the only one
    const Constraint *right
    const Node *bounds          # a node with the SIZE or the value range
    Py_ssize_t count            # of values, characters or parts
    const Octets *values        # contents octets; whole elements of a CHOICE
    const uint32_t *characters  # first and last of each run, in ascending order
    uint64_t[4] latin1          # a bit for each permitted character up to 255
    const ComponentConstraint *parts
    void *compiled              # the CompiledConstraint that this belongs to (borrowed)

cdef struct ConstraintLink:     # the constraints of a plan: its own, then those of its base
    const Constraint *constraint
    const ConstraintLink *next
