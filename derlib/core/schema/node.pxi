# Nodes: the C structs that a schema is compiled to. The check pass, the views and the writer read them.
#
# Nodes point to one another. Their plans (core/schema/plan.pxi) own the memory.

cpdef enum Kind:
    KIND_EMPTY = 0              # a plan that is not filled yet
    KIND_BOOLEAN
    KIND_INTEGER
    KIND_NAMED_INTEGER
    KIND_ENUMERATED
    KIND_BIT_STRING
    KIND_NAMED_BITS
    KIND_OCTET_STRING
    KIND_NULL
    KIND_OBJECT_IDENTIFIER
    KIND_UTF8_STRING
    KIND_NUMERIC_STRING
    KIND_PRINTABLE_STRING
    KIND_IA5_STRING
    KIND_VISIBLE_STRING
    KIND_LATIN1_STRING          # Teletex, Videotex, Graphic and General strings
    KIND_BMP_STRING
    KIND_UNIVERSAL_STRING
    KIND_UTC_TIME
    KIND_GENERALIZED_TIME
    KIND_REAL
    KIND_RELATIVE_OID
    KIND_OID_IRI
    KIND_RELATIVE_OID_IRI
    KIND_TIME
    KIND_DATE
    KIND_TIME_OF_DAY
    KIND_DATE_TIME
    KIND_DURATION
    KIND_SEQUENCE               # from here on: constructed types, and types without a tag of their own
    KIND_SET
    KIND_SEQUENCE_OF
    KIND_SET_OF
    KIND_CHOICE
    KIND_UNION                  # a CHOICE that reads as the value of its alternative
    KIND_EXPLICIT
    KIND_ANY
    KIND_OPEN                   # an open type
    KIND_OPEN_OCTETS            # an OCTET STRING that contains an open type
    KIND_OPEN_BITS              # a BIT STRING that contains an open type

cdef enum BerRule:                  # what the conversion of BER (core/ber) does with values of a class inside others
    BER_CONVERT = 0
    BER_KEEP                    # copied as they are, because signatures are over their bytes
    BER_REFUSE                  # must be DER already, because a signature is over their DER encoding

cdef struct Component:              # a component of a SEQUENCE or SET, an alternative of a CHOICE
    const Node *node
    bint optional               # OPTIONAL or DEFAULT
    uint8_t identifier          # the identifier octet of all its elements, 0 if there is no single one
    const uint8_t *default      # the encoding of the DEFAULT value, or NULL
    Py_ssize_t default_length

cdef struct Alternative:        # a tag that selects an alternative of a CHOICE, directly or through nested ones
    tag_t tag
    Py_ssize_t index

cdef struct Node:
    int kind
    bint sized
    bint ranged
    bint constrained            # sized, or `constraints` is not NULL
    bint plain                  # without constraints, of a type that `passes_fast_check` knows
    bint may_be_empty           # of a primitive type, SEQUENCE or SET: empty contents are valid
    const ConstraintLink *constraints       # further constraints, or NULL: see core/decode/constraints.pxi
    tag_t tag                   # of the element; not used by CHOICE, ANY and open types without a tag of their own
    Py_ssize_t component_count  # of SEQUENCE, SET and CHOICE
    const Component *components
    Py_ssize_t needed           # components up to the last one that is required
    Py_ssize_t leading_required         # of this many leading OPTIONAL components, one must be present
    bint extensible             # unknown additions are allowed: see core/schema/components.pxi
    Py_ssize_t insertion        # the component before which unknown additions appear
    const uint64_t *known       # of a SEQUENCE: tags for which `is_known` is true
    Py_ssize_t alternatives_count
    const Alternative *alternatives
    const int32_t *by_tag       # the alternative for each tag of one identifier octet, or -1
    const Node *element         # of a list, or what an explicit tag holds
    Py_ssize_t size_low
    Py_ssize_t size_high
    const uint8_t *low          # bounds of a value range as INTEGER contents, NULL for none
    Py_ssize_t low_length
    const uint8_t *high
    Py_ssize_t high_length
    Py_ssize_t items_count      # the items of an ENUMERATED
    const int64_t *items
    OpenEntries **entries       # the table of an open type
    const OpenEntry *contained  # of a string with a contents constraint (X.682 11): the contained type
    Py_ssize_t selector_length
    const Py_ssize_t *selector  # field numbers from the enclosing SEQUENCE to the selector
    void *plan                  # the Plan that this node belongs to (borrowed)
    bint rfc5280_time           # of a union: the writer follows RFC 5280 4.1.2.5
    int ber                     # a BerRule

cdef struct OpenEntry:
    const uint8_t *oid
    Py_ssize_t length
    bint opaque_on_mismatch     # a value that does not match the type remains opaque
    const Node *node

cdef struct OpenEntries:
    size_t mask
    const OpenEntry **slots     # NULL if free


cdef enum:
    ONE_OCTET_TAGS = 31 << 3    # the first tag that takes more than one identifier octet
    MEMBER_WORDS = 4            # the check pass marks the members of a SET in words of 64 bits
    SET_MEMBERS_LIMIT = 64 * MEMBER_WORDS
    EXCLUDED = -2               # in place of an alternative: not even an unknown alternative can have this tag

# The table of a CHOICE without alternatives.
cdef int32_t[ONE_OCTET_TAGS] NO_ALTERNATIVES
memset(NO_ALTERNATIVES, 0xFF, sizeof(NO_ALTERNATIVES))


cdef inline bint is_integer(int kind) noexcept nogil:
    return kind == KIND_INTEGER or kind == KIND_NAMED_INTEGER or kind == KIND_ENUMERATED


cdef inline bint is_list(int kind) noexcept nogil:
    return kind == KIND_SEQUENCE_OF or kind == KIND_SET_OF


cdef inline bint is_open(int kind) noexcept nogil:
    return kind == KIND_OPEN or kind == KIND_OPEN_OCTETS or kind == KIND_OPEN_BITS


cdef inline bint is_choice(int kind) noexcept nogil:
    return kind == KIND_CHOICE or kind == KIND_UNION


cdef inline bint has_size(int kind) noexcept nogil:
    """Return whether a SIZE constraint applies to a kind: strings and lists (X.680 51.5)."""
    return TYPES[kind].flags & TYPE_HAS_SIZE != 0


cdef inline bint is_character_string(int kind) noexcept nogil:
    """Return whether a kind is a character string (X.680 41)."""
    return TYPES[kind].flags & TYPE_IS_CHARACTER_STRING != 0


cdef inline Py_ssize_t character_octets(int kind) noexcept nogil:
    """Return the size of the characters of a string, 1 for UTF8String, whose characters have one or more octets."""
    return 2 if kind == KIND_BMP_STRING else 4 if kind == KIND_UNIVERSAL_STRING else 1


cdef inline bint same_type(const Node *a, const Node *b) noexcept nogil:
    """Return whether two types differ at most in tags and constraints, so that they share their views."""
    return a.kind == b.kind and a.components == b.components and a.element == b.element


cdef inline const Node *without_tags(const Node *node) noexcept nogil:
    """Return the type inside explicit tags."""
    while node.kind == KIND_EXPLICIT:
        node = node.element
    return node


cdef inline Py_ssize_t find_alternative(const Node *node, tag_t tag) noexcept nogil:
    """Return the number of the alternative that a tag selects; -1 if there is none, EXCLUDED if there cannot be one."""
    cdef Py_ssize_t i
    if unlikely(tag >= ONE_OCTET_TAGS):
        for i in range(node.alternatives_count):
            if node.alternatives[i].tag == tag:
                return node.alternatives[i].index
        return -1
    return node.by_tag[tag]


# The tag of nodes whose elements have no single tag; no element has it.
cdef tag_t NO_TAG = ~(<tag_t>0)


cdef inline bint accepts(const Node *node, tag_t tag) noexcept nogil:
    """Return whether an element with this tag can be a value of the type of the node."""
    if node.tag != NO_TAG:
        return node.tag == tag
    if is_choice(node.kind):
        return find_alternative(node, tag) >= (-1 if node.extensible else 0)
    return node.kind == KIND_ANY or node.kind == KIND_OPEN


cdef inline uint8_t identifier_octet(tag_t tag) noexcept nogil:
    """Return the identifier octet of a tag with a number up to 30; 0 for other tags."""
    return <uint8_t>((tag & 7) << 5 | tag >> 3) if tag >> 3 < 31 else 0


cdef void narrow_size(Node *node, Py_ssize_t low, Py_ssize_t high) noexcept:
    """Add a SIZE constraint; serial constraints apply together (X.680 50.2)."""
    node.size_low = max(node.size_low, low) if node.sized else low
    node.size_high = min(node.size_high, high) if node.sized else high
    node.sized = node.constrained = True


cdef inline int size_fault(const Node *node, Py_ssize_t size) noexcept nogil:
    return FAULT_NONE if node.size_low <= size <= node.size_high else FAULT_SIZE
