# OID-IRI (X.680 34, X.690 8.21) and RELATIVE-OID-IRI (X.680 35, X.690 8.22). Their values are texts.
#
# An OID-IRI is a list of arcs, each with a slash before it: /ISO/Registration-Authority/19785. A RELATIVE-OID-IRI has
# no slash before the first. An arc is an integer without leading zeros or a Unicode label (X.660 7.5): letters, digits,
# - . _ ~ and the characters of most scripts; a hyphen is neither first nor last, and hyphens are not third and fourth.


cdef inline uint64_t next_character(const uint8_t **p, const uint8_t *end) noexcept nogil:
    """Return the character at `p`, which is UTF-8, and move `p` after it, but never beyond `end`.

    If a shared buffer has changed since `utf8_check`, the character may be any number.
    """
    cdef uint64_t character = octet_at(p[0])
    cdef int more = 0 if character < 0x80 else 1 if character < 0xE0 else 2 if character < 0xF0 else 3
    p[0] += 1
    if more:
        character &= 0x3F >> more
    while more > 0 and p[0] < end:
        character = character << 6 | (p[0][0] & 0x3F)
        p[0] += 1
        more -= 1
    return character


cdef inline bint in_label(uint64_t c) noexcept nogil:
    """Return whether a Unicode label may contain a character (`iunreserved` of RFC 3987 2.2)."""
    if c < 0x80:
        return 0x61 <= c <= 0x7A or 0x41 <= c <= 0x5A or 0x30 <= c <= 0x39 \
            or c == 0x2D or c == 0x2E or c == 0x5F or c == 0x7E
    if c < 0x10000:
        return 0xA0 <= c <= 0xD7FF or 0xF900 <= c <= 0xFDCF or 0xFDF0 <= c <= 0xFFEF
    # Excluded: the last two code points of each plane, the tags of plane 14, the private planes 15 and 16.
    return c & 0xFFFF <= 0xFFFD and c < 0xF0000 and not 0xE0000 <= c < 0xE1000


cdef int iri_check(const uint8_t *p, Py_ssize_t n, bint relative) noexcept nogil:
    cdef const uint8_t *end = p + n
    cdef const uint8_t *label
    if utf8_check(p, n):
        return FAULT_IRI_UTF8
    if n == 0:
        return FAULT_IRI_FORM
    while p < end or relative:
        # X.680 34.3, 35.3: a slash before each arc, but not before the first of a relative value.
        if relative:
            relative = False
        elif p[0] != 0x2F:
            return FAULT_IRI_FORM
        else:
            p += 1
        label = p
        while p < end and p[0] != 0x2F:
            p += 1
        if p == label:
            return FAULT_IRI_FORM
        if not is_label(label, p):
            return FAULT_IRI_LABEL
    return FAULT_NONE


cdef bint is_label(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether an arc is an integer without leading zeros or a Unicode label."""
    cdef const uint8_t *start = p
    cdef bint digits = True
    cdef Py_ssize_t count = 0
    cdef uint64_t character
    cdef uint64_t before = 0
    while p < end:
        character = next_character(&p, end)
        count += 1
        if not in_label(character):
            return False
        if character == 0x2D and (count == 1 or p == end or (count == 4 and before == 0x2D)):
            return False
        digits = digits and 0x30 <= character <= 0x39
        before = character
    return not digits or start[0] != 0x30 or count == 1


cdef int oid_iri_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return iri_check(p, n, False)


cdef int relative_oid_iri_validate(
    const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets
) noexcept nogil:
    return iri_check(p, n, True)


cdef int iri_encode(Writer w, const Node *node, object value) except -1:
    if not isinstance(value, str):
        raise wrong_type("str", node, value)
    # A lone surrogate becomes a question mark, which no label may contain.
    return w.bytes_(value.encode("utf-8", "replace"))


TYPES[<int>KIND_OID_IRI] = TypeInfo(0, oid_iri_validate, utf8_string_decode, iri_encode, decoded_native, NULL)
TYPES[<int>KIND_RELATIVE_OID_IRI] = TypeInfo(
    0, relative_oid_iri_validate, utf8_string_decode, iri_encode, decoded_native, NULL)
