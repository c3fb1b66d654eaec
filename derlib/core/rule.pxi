# Rules: what constraints other than one SIZE and one value range are compiled to; core/constraint.pxi works with them.

cpdef enum RuleKind:
    RULE_BOTH = 1               # X.680 50: INTERSECTION
    RULE_EITHER                 # UNION
    RULE_NOT                    # ALL EXCEPT
    RULE_RANGE                  # X.680 51.4
    RULE_SIZE                   # X.680 51.5
    RULE_ALPHABET               # X.680 51.7
    RULE_VALUES                 # X.680 51.2
    RULE_COMPONENTS             # X.680 51.8: WITH COMPONENTS
    RULE_ELEMENTS               # WITH COMPONENT

cdef enum Presence:
    MAY_BE = 0
    MUST_BE = 1
    MUST_NOT_BE = 2

cdef struct Part:               # what WITH COMPONENTS says of one component
    Py_ssize_t index
    int presence
    const Rule *rule            # NULL where only the presence counts

cdef struct Octets:
    const uint8_t *p
    Py_ssize_t n

cdef struct Rule:
    int kind
    const Rule *left            # of RULE_BOTH, RULE_EITHER; the only one of RULE_NOT, RULE_ELEMENTS
    const Rule *right
    const Node *bounds          # has the SIZE or the value range
    Py_ssize_t count            # of values, characters or parts
    const Octets *values        # contents octets; whole elements of a CHOICE
    const uint32_t *characters  # first and last of each run, in ascending order
    uint64_t[4] latin1          # the same of the characters up to 255: a bit for each
    const Part *parts
    void *compiled              # the CompiledRule that this belongs to (borrowed)

cdef struct RuleLink:           # the rules of a plan: its own, then those of the plan that it is derived from
    const Rule *rule
    const RuleLink *next
