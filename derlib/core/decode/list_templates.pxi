# Repeated shapes: the fast path for long uniform lists, such as 415,756 CRL entries.
#
# Elements of a large list mostly repeat one another but for a serial number and a date. When an element was proved by
# the general check, its *shape* is kept: its octets, and which of them are the contents of an INTEGER, ENUMERATED or
# UTCTime that the general check judged by these octets alone ("free" contents). A later element that equals the shape
# in every other octet has the same headers, so the same places, lengths and types; it is proved when its free
# contents are. Anything else, an identifier that selects an open type included, is compared octet by octet, and an
# element that differs there goes through the general check. So a shape never accepts what the general check would not
# (tests/core/test_list_templates.py holds the two against each other).
#
# What makes contents not free: a value range, a DEFAULT to compare with, the order of a SET OF around it, a breach that
# was tolerated. Those cases close the recorder, and the element leaves no shape.

cdef enum:
    TEMPLATE_WORDS = 8                 # elements of up to 64 octets have a shape
    TEMPLATE_SIZE = 8 * TEMPLATE_WORDS
    TEMPLATE_VARIABLES = 4                  # with up to so many free contents
    TEMPLATES = 8                      # kept per list, by length
    TEMPLATE_AFTER = 8                 # shorter lists do not repay the recording
    TEMPLATE_MISSES = 4                # so many elements without a shape may be too many: see `gives_up`

cdef struct VariableContents:
    const Node *node
    Py_ssize_t offset
    Py_ssize_t length

cdef struct ElementTemplate:
    Py_ssize_t length               # 0 while there is none
    Py_ssize_t elements             # what an element takes off the limit of elements by lists and ANY inside it
    int count
    uint64_t[TEMPLATE_WORDS] octets    # free contents and what lies behind the end are zero here and in the mask
    uint64_t[TEMPLATE_WORDS] mask
    VariableContents[TEMPLATE_VARIABLES] variables

cdef struct Templates:                 # of one list at a time: see `check_long_list`
    const uint8_t *contents         # those of the list, or NULL
    ElementTemplate[TEMPLATES] kept

cdef struct TemplateRecorder:
    const uint8_t *start            # of the element that is being checked
    bint closed                     # no shape can come of it
    int count
    VariableContents[TEMPLATE_VARIABLES] variables


cdef inline void record_contents(TemplateRecorder *recorder, const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Note contents that the check judged by their own octets alone."""
    if recorder.count == TEMPLATE_VARIABLES:
        recorder.closed = True
        return
    recorder.variables[recorder.count].node = node
    recorder.variables[recorder.count].offset = p - recorder.start
    recorder.variables[recorder.count].length = n
    recorder.count += 1


cdef inline size_t template_slot(size_t length) noexcept nogil:
    return length % TEMPLATES


cdef void claim_templates(Templates *templates, const uint8_t *contents) noexcept nogil:
    """Make room for the shapes of the list with these contents; those of another list are forgotten."""
    cdef int i
    for i in range(TEMPLATES):
        templates.kept[i].length = 0
    templates.contents = contents


cdef inline bint gives_up(Py_ssize_t misses, Py_ssize_t hits) noexcept nogil:
    """Whether shapes have cost a list more than they saved: a miss costs about half of what a hit saves."""
    return misses >= TEMPLATE_MISSES and misses > 2 * hits


# As many octets of a mask as a shape may have, then as many zeros.
cdef uint8_t[2 * TEMPLATE_SIZE] SHAPE_MASKS
memset(SHAPE_MASKS, 0xFF, TEMPLATE_SIZE)
memset(&SHAPE_MASKS[TEMPLATE_SIZE], 0, TEMPLATE_SIZE)


cdef void store_template(
    ElementTemplate *templates, const TemplateRecorder *recorder, const uint8_t *end, Py_ssize_t elements
) noexcept nogil:
    """Keep the shape of the element that was just proved, with so many elements inside it.

    As many octets as a shape may have are there from its start on. They are copied as a whole: every element of a list
    may come here, and copies of any length would be calls.
    """
    cdef Py_ssize_t length = end - recorder.start
    cdef ElementTemplate *element_template = &templates[template_slot(length)]
    cdef uint8_t *mask = <uint8_t *>element_template.mask
    cdef int i
    if recorder.closed or length > TEMPLATE_SIZE:
        return
    memcpy(element_template.octets, recorder.start, TEMPLATE_SIZE)
    memcpy(mask, &SHAPE_MASKS[TEMPLATE_SIZE - length], TEMPLATE_SIZE)
    for i in range(recorder.count):
        memset(mask + recorder.variables[i].offset, 0, recorder.variables[i].length)
        element_template.variables[i] = recorder.variables[i]
    for i in range(TEMPLATE_WORDS):
        element_template.octets[i] &= element_template.mask[i]
    element_template.count = recorder.count
    element_template.elements = elements
    element_template.length = length


cdef inline uint64_t four_words_differ(const uint8_t *p, const uint64_t *mask, const uint64_t *octets) noexcept nogil:
    """Zero where 32 octets are those of a shape. Written out: a loop of unknown count becomes longer code."""
    cdef uint64_t[4] words
    memcpy(words, p, 32)
    return ((words[0] & mask[0]) ^ octets[0] | (words[1] & mask[1]) ^ octets[1]
            | (words[2] & mask[2]) ^ octets[2] | (words[3] & mask[3]) ^ octets[3])


cdef inline const uint8_t *match_template(
    const ElementTemplate *templates, const uint8_t *p, const uint8_t *end, Py_ssize_t *elements
) noexcept nogil:
    """The end of the element at `p` where a shape proves it, else NULL; `elements` are those left of the limit."""
    cdef const ElementTemplate *element_template
    cdef const VariableContents *variable
    cdef int i
    # Whole words are read, so that many octets must be there; the last few elements of a list take the general way.
    if end - p < TEMPLATE_SIZE:
        return NULL
    # In the only form of length that a shape can have (up to 64 octets), the length is the second octet.
    element_template = &templates[template_slot(p[1] + 2)]
    if element_template.length != p[1] + 2 or four_words_differ(p, element_template.mask, element_template.octets):
        return NULL
    if element_template.length > 32 and four_words_differ(p + 32, element_template.mask + 4, element_template.octets + 4):
        return NULL
    for i in range(element_template.count):
        variable = &element_template.variables[i]
        if variable.node.kind == KIND_UTC_TIME:
            if utc_time_check(p + variable.offset, variable.length):
                return NULL
        elif integer_check(p + variable.offset, variable.length) or (
                variable.node.kind == KIND_ENUMERATED and enumerated_check(variable.node, p + variable.offset, variable.length)):
            return NULL
    # The general way says where a limit is exceeded.
    if unlikely(element_template.elements > elements[0]):
        return NULL
    elements[0] -= element_template.elements
    return p + element_template.length
