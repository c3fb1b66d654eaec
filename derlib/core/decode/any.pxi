# Validation of elements without a known type: ANY, opaque open types, and the tree of `derlib.parse`.

cdef enum:
    SEQUENCE_TAG = 16 << 3 | 1
    SET_TAG = 17 << 3 | 1
    EXTERNAL_TAG = 8 << 3 | 1
    EMBEDDED_PDV_TAG = 11 << 3 | 1
    CHARACTER_STRING_TAG = 29 << 3 | 1
    # Universal numbers of the types that may have no contents: NULL, strings, and REAL, whose zero has none.
    MAY_BE_EMPTY = 1 << 4 | 1 << 5 | 1 << 9 | 1 << 12 | 1 << 18 | 1 << 19 | 1 << 22 | 1 << 26 | 1 << 28 | 1 << 30


cdef bint check_any(Check *c, const Header *h) noexcept nogil:
    """Validate an element without a known type: by its universal type if it has one, and by what is inside it."""
    return check_any_inline(c, h)


cdef inline bint check_any_inline(Check *c, const Header *h) noexcept nogil:
    """Do the same inline, for callers that validate many short elements."""
    return check_any_itself(c, h) and (not h.tag & 1 or check_any_inside(c, h))


cdef inline bint check_any_itself(Check *c, const Header *h) noexcept nogil:
    """Validate everything but the elements inside a constructed element."""
    cdef int fault
    # An empty element takes only two bytes, so an input can have very many of them: they need no call.
    if h.tag >> 1 & 3 == CLASS_UNIVERSAL and h.tag & ~<tag_t>8 != SEQUENCE_TAG and not (
            h.content == h.end and not h.tag & 1 and h.tag >> 3 < 31 and <uint32_t>MAY_BE_EMPTY >> (h.tag >> 3) & 1):
        fault = universal_value_check(h, c.options.arc_octets)
        if unlikely(fault) and not tolerates(c, fault, h.start, NULL, h.content, h.end - h.content):
            return fail(c, fault, h.start, NULL)
    return check_limits(c, h)


cdef inline bint check_limits(Check *c, const Header *h) noexcept nogil:
    """Count an element without a type against the limits."""
    if unlikely(h.tag >> 3 >= c.options.tag_numbers):
        return fail(c, FAULT_TAG_LIMIT, h.start, NULL)
    c.elements -= 1
    if unlikely(c.elements < 0):
        return fail(c, FAULT_ELEMENT_LIMIT, h.start, NULL)
    return True


cdef bint check_any_inside(Check *c, const Header *h) noexcept nogil:
    """Validate the elements inside a constructed element."""
    cdef Header child
    cdef const uint8_t *p
    cdef const uint8_t *before = NULL
    cdef tag_t before_key = 0
    cdef tag_t key
    cdef bint by_tag = True
    cdef bint by_encoding = True
    cdef bint ordered = h.tag == SET_TAG
    # Nearly all constructed elements are SEQUENCEs, which need one comparison.
    if h.tag != SEQUENCE_TAG and (
            h.tag == EXTERNAL_TAG or h.tag == EMBEDDED_PDV_TAG or h.tag == CHARACTER_STRING_TAG):
        return check_associated(c, h)
    if unlikely(not enter(c)):
        return fail(c, FAULT_DEPTH_LIMIT, h.start, NULL)
    p = h.content
    while p < h.end:
        if not check_header(c, NULL, p, h.end, &child) or not check_any_inline(c, &child):
            return False
        if ordered:
            # The encoding does not show whether this is a SET or a SET OF: one of the two orders must hold.
            key = canonical_key(child.tag)
            if before != NULL:
                by_tag = by_tag and before_key < key
                by_encoding = by_encoding and in_order(before, p, child.end)
            if not by_tag and not by_encoding:
                if not tolerates(c, FAULT_ANY_SET_ORDER, p, NULL, child.content, 0):
                    return fail(c, FAULT_ANY_SET_ORDER, p, NULL)
                # Recorded once for each SET.
                ordered = False
            before = p
            before_key = key
        p = child.end
    c.depth += 1
    return True


# The plans of EXTERNAL, EMBEDDED PDV and CHARACTER STRING; derlib/_associated.py sets them on import.
cdef tuple associated_plans = ()
cdef const Node *external_node = NULL
cdef const Node *embedded_pdv_node = NULL
cdef const Node *character_string_node = NULL


def set_associated(Plan external not None, Plan embedded_pdv not None, Plan character_string not None):
    """Set the associated types that values in ANY with these universal tags are validated by."""
    global associated_plans, external_node, embedded_pdv_node, character_string_node
    if associated_plans:
        raise _errors.SchemaError("the associated types are known already")
    for plan in (external, embedded_pdv, character_string):
        (<Plan>plan).prepared()
        if (<Plan>plan).node.kind != KIND_SEQUENCE:
            raise _errors.SchemaError(f"the associated type {plan.name} is not a SEQUENCE")
    associated_plans = (external, embedded_pdv, character_string)
    external_node = &external.node
    embedded_pdv_node = &embedded_pdv.node
    character_string_node = &character_string.node


cdef bint check_associated(Check *c, const Header *h) noexcept nogil:
    """Validate contents by the associated type (X.690 8.17, 8.18, 8.24)."""
    cdef const Node *node = external_node
    cdef int steps = c.steps
    cdef TemplateRecorder *recorder = c.recorder
    cdef bint valid
    if h.tag == EMBEDDED_PDV_TAG:
        node = embedded_pdv_node
    elif h.tag == CHARACTER_STRING_TAG:
        node = character_string_node
    # A template compares everything inside ANY, so nothing in it is variable.
    c.recorder = NULL
    valid = check_sequence(c, node, h, NULL)
    c.recorder = recorder
    # A tree without a schema has no names for a path.
    c.steps = steps
    return valid


cdef int universal_value_check(const Header *h, Py_ssize_t arc_octets) noexcept nogil:
    """Return the fault of an element by its universal type; a number that X.680 does not assign is opaque."""
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - h.content
    cdef uint64_t number = h.tag >> 3
    cdef bint constructed = h.tag & 1
    # First, because a tolerated value of an open type is validated twice.
    if h.tag == 1 << 3:
        return boolean_check(p, n)
    if number == 0:
        return FAULT_TAG_RESERVED
    # X.680 8.4: SEQUENCE (16), SET (17), EXTERNAL (8), EMBEDDED PDV (11), CHARACTER STRING (29) have components.
    if number == 16 or number == 17 or number == 8 or number == 11 or number == 29:
        return FAULT_NONE if constructed else FAULT_NOT_CONSTRUCTED
    if constructed:
        if number == 3 or number == 4 or number == 12 or 18 <= number <= 28 or number == 30 or number == 7:
            return FAULT_STRING_CONSTRUCTED
        return FAULT_NOT_PRIMITIVE if number <= 36 else FAULT_NONE
    if number == 2 or number == 10:
        return integer_check(p, n)
    elif number == 3:
        return bits_check(p, n)
    elif number == 5:
        return null_check(n)
    elif number == 6:
        return oid_check(p, n, arc_octets)
    elif number == 9:
        return real_check(p, n)
    elif number == 12:
        return utf8_check(p, n)
    elif number == 13:
        # X.690 8.20: subidentifiers as those of an OBJECT IDENTIFIER.
        return oid_check(p, n, arc_octets)
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
    elif number == 14:
        return time_check(p, n)
    elif number == 31:
        return date_check(p, n)
    elif number == 32:
        return time_of_day_check(p, n)
    elif number == 33:
        return date_time_check(p, n)
    elif number == 34:
        return duration_check(p, n)
    elif number == 35:
        return iri_check(p, n, False)
    elif number == 36:
        return iri_check(p, n, True)
    elif number == 28:
        return universal_check(p, n)
    elif number == 30:
        return bmp_check(p, n)
    return FAULT_NONE


cdef int universal_kind(tag_t tag) noexcept nogil:
    """Return the kind that decodes a primitive element with a universal tag, KIND_EMPTY if there is none."""
    cdef uint64_t number = tag >> 3
    if tag & 7:
        return KIND_EMPTY
    if number == 1:
        return KIND_BOOLEAN
    elif number == 2 or number == 10:
        return KIND_INTEGER
    elif number == 3:
        return KIND_BIT_STRING
    elif number == 4:
        return KIND_OCTET_STRING
    elif number == 5:
        return KIND_NULL
    elif number == 6:
        return KIND_OBJECT_IDENTIFIER
    elif number == 7:
        return KIND_LATIN1_STRING
    elif number == 9:
        return KIND_REAL
    elif number == 12:
        return KIND_UTF8_STRING
    elif number == 18 or number == 19 or number == 22 or number == 26:
        return KIND_IA5_STRING
    elif number == 20 or number == 21 or number == 25 or number == 27:
        return KIND_LATIN1_STRING
    elif number == 23:
        return KIND_UTC_TIME
    elif number == 24:
        return KIND_GENERALIZED_TIME
    elif number == 13:
        return KIND_RELATIVE_OID
    elif number == 14:
        return KIND_TIME
    elif 31 <= number <= 34:
        return KIND_DATE + <int>(number - 31)
    elif number == 35 or number == 36:
        return KIND_OID_IRI
    elif number == 28:
        return KIND_UNIVERSAL_STRING
    elif number == 30:
        return KIND_BMP_STRING
    return KIND_EMPTY
