# Element templates: the fast path for long uniform lists, such as 415,756 CRL entries (`check_long_list`).
#
# Elements of a large list usually differ only in a serial number and a date. After the general check has validated an
# element, it is stored as a template: its bytes, and which of them are variable contents. These are the contents of an
# INTEGER, ENUMERATED or UTCTime whose validity depends on nothing else. A later element with the same bytes everywhere
# else has the same headers, so the same offsets, lengths and types; it is valid if its variable contents are. All other
# bytes are compared, including selectors of open types. So a template never accepts an element that the general check
# would refuse (tests/core/test_list_templates.py compares the two).
#
# An element takes the general check, if
#   - the list is not a SEQUENCE OF SEQUENCE, or is inside an element that is being recorded;
#   - it is one of the first TEMPLATE_AFTER elements, or begins in the last TEMPLATE_SIZE bytes of the list;
#   - no earlier element of its length matches it, as with a new extension, reason code length or length of the serial
#     number; it then replaces the template of its slot, which is its length modulo TEMPLATES;
#   - it matches, but its variable contents are not valid, or it exceeds the limit on elements: the general check finds
#     and perhaps tolerates the fault;
#   - it is longer than TEMPLATE_SIZE bytes, or has more than TEMPLATE_VARIABLES variable contents;
#   - the earlier elements like it could not become templates (`close_recorder`): they contain a SET OF, a component
#     with a DEFAULT (such as `critical` TRUE), a constraint other than SIZE or value range, a tolerated fault, or an
#     open type that was validated twice, by its type and as an opaque value;
#   - the list gave up templates, because too few elements matched (`gives_up`), or lost them, because a list inside an
#     element took over their memory (`claim_templates`).
# The contents of an INTEGER with a value range are not variable: they are compared like all other bytes.

cdef enum:
    TEMPLATE_WORDS = 8                  # elements of up to 64 bytes can be templates
    TEMPLATE_SIZE = 8 * TEMPLATE_WORDS
    TEMPLATE_VARIABLES = 4              # variable contents per template
    TEMPLATES = 8                       # templates per list
    TEMPLATE_AFTER = 8                  # in shorter lists, recording costs more than it saves
    TEMPLATE_MISSES = 4                 # see `gives_up`

cdef struct VariableContents:
    const Node *node
    Py_ssize_t offset
    Py_ssize_t length

cdef struct ElementTemplate:
    Py_ssize_t length                   # 0 if there is none
    Py_ssize_t elements                 # the elements of lists and ANY inside it, for the limit
    int count                           # the number of variable contents
    uint64_t[TEMPLATE_WORDS] octets     # the bytes; zero for variable contents and after the end
    uint64_t[TEMPLATE_WORDS] mask       # ones for the bytes that are compared
    VariableContents[TEMPLATE_VARIABLES] variables

cdef struct Templates:                  # of one list at a time: see `check_long_list`
    const uint8_t *contents             # the contents octets of the list, or NULL
    ElementTemplate[TEMPLATES] slots    # by `template_slot`

cdef struct TemplateRecorder:           # the variable contents of the element that is being validated
    const uint8_t *start                # of the element
    bint closed                         # the element cannot become a template
    int count
    VariableContents[TEMPLATE_VARIABLES] variables


cdef inline void begin_recording(TemplateRecorder *recorder, const uint8_t *start) noexcept nogil:
    """Prepare to record the element at `start`."""
    recorder.start = start
    recorder.closed = False
    recorder.count = 0


cdef inline void record_contents(
    TemplateRecorder *recorder, const Node *node, const uint8_t *p, Py_ssize_t n
) noexcept nogil:
    """Record variable contents."""
    if recorder.count == TEMPLATE_VARIABLES:
        recorder.closed = True
        return
    recorder.variables[recorder.count].node = node
    recorder.variables[recorder.count].offset = p - recorder.start
    recorder.variables[recorder.count].length = n
    recorder.count += 1


cdef inline size_t template_slot(size_t length) noexcept nogil:
    """Return the slot for the template of elements of a length."""
    return length % TEMPLATES


cdef inline ElementTemplate *claim_templates(Templates *templates, const uint8_t *contents) noexcept nogil:
    """Return the templates of the list with these contents; clear them if they are those of another list."""
    cdef int i
    if templates.contents != contents:
        for i in range(TEMPLATES):
            templates.slots[i].length = 0
        templates.contents = contents
    return templates.slots


cdef inline bint gives_up(Py_ssize_t misses, Py_ssize_t hits) noexcept nogil:
    """Return whether templates cost more than they saved: a miss costs about half of what a hit saves."""
    return misses >= TEMPLATE_MISSES and misses > 2 * hits


# TEMPLATE_SIZE bytes of ones, then as many of zeros: the mask for each length begins inside it.
cdef uint8_t[2 * TEMPLATE_SIZE] TEMPLATE_MASKS
memset(TEMPLATE_MASKS, 0xFF, TEMPLATE_SIZE)
memset(&TEMPLATE_MASKS[TEMPLATE_SIZE], 0, TEMPLATE_SIZE)


cdef void store_template(
    ElementTemplate *templates, const TemplateRecorder *recorder, const uint8_t *end, Py_ssize_t elements
) noexcept nogil:
    """Store the element that was just validated as a template; `elements` is the number of elements inside it.

    TEMPLATE_SIZE bytes are readable from its start. All are copied, because a copy of constant length needs no call.
    """
    cdef Py_ssize_t length = end - recorder.start
    cdef ElementTemplate *element_template = &templates[template_slot(length)]
    cdef uint8_t *mask = <uint8_t *>element_template.mask
    cdef int i
    if recorder.closed or length > TEMPLATE_SIZE:
        return
    memcpy(element_template.octets, recorder.start, TEMPLATE_SIZE)
    memcpy(mask, &TEMPLATE_MASKS[TEMPLATE_SIZE - length], TEMPLATE_SIZE)
    for i in range(recorder.count):
        memset(mask + recorder.variables[i].offset, 0, recorder.variables[i].length)
        element_template.variables[i] = recorder.variables[i]
    for i in range(TEMPLATE_WORDS):
        element_template.octets[i] &= element_template.mask[i]
    element_template.count = recorder.count
    element_template.elements = elements
    element_template.length = length


cdef inline uint64_t four_words_differ(const uint8_t *p, const uint64_t *mask, const uint64_t *octets) noexcept nogil:
    """Return 0 if 32 bytes match a template. Unrolled, because gcc makes longer code of a loop."""
    cdef uint64_t[4] words
    memcpy(words, p, 32)
    return ((words[0] & mask[0]) ^ octets[0] | (words[1] & mask[1]) ^ octets[1]
            | (words[2] & mask[2]) ^ octets[2] | (words[3] & mask[3]) ^ octets[3])


cdef inline const uint8_t *match_template(
    const ElementTemplate *templates, const uint8_t *p, const uint8_t *end, Py_ssize_t *elements
) noexcept nogil:
    """Return the end of the element at `p` if it matches a template, else NULL.

    `elements` is the number of elements that the limit still allows; those inside the element are subtracted.
    """
    cdef const ElementTemplate *element_template
    cdef const VariableContents *variable
    cdef int i
    # Whole words are read, so the last elements of a list take the general check.
    if end - p < TEMPLATE_SIZE:
        return NULL
    # The length of a template has one octet, the second one.
    element_template = &templates[template_slot(p[1] + 2)]
    if element_template.length != p[1] + 2 or four_words_differ(p, element_template.mask, element_template.octets):
        return NULL
    if element_template.length > 32 \
            and four_words_differ(p + 32, element_template.mask + 4, element_template.octets + 4):
        return NULL
    for i in range(element_template.count):
        variable = &element_template.variables[i]
        if variable.node.kind == KIND_UTC_TIME:
            if utc_time_check(p + variable.offset, variable.length):
                return NULL
        elif integer_check(p + variable.offset, variable.length) or (
                variable.node.kind == KIND_ENUMERATED
                and enumerated_check(variable.node, p + variable.offset, variable.length)):
            return NULL
    # The general check finds the element that exceeds the limit.
    if unlikely(element_template.elements > elements[0]):
        return NULL
    elements[0] -= element_template.elements
    return p + element_template.length
