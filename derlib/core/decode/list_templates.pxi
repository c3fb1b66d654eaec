# Element templates: the fast path for long uniform lists, such as 415,756 CRL entries (`check_long_list`).
#
# Elements of a large list usually differ only in a serial number and a date. After the general check has validated an
# element, it is stored as a template: its bytes, and which of them are variable contents. These are the contents of an
# INTEGER, ENUMERATED or UTCTime whose validity depends on nothing else. A later element with the same bytes everywhere
# else has the same headers, so the same offsets, lengths and types; it is valid if its variable contents are. All other
# bytes are compared, including selectors of open types. So a template never accepts an invalid element
# (tests/core/test_list_templates.py compares it with the general check).
#
# Two functions compare an element with a template. `is_usual` is fast and accepts nearly all valid elements. It
# compares each byte with a range, many at a time. These ranges are
#   - outside of the variable contents: the byte of the template;
#   - in a UTCTime: digits; then `usual_date` checks month, day and hour;
#   - in an INTEGER: first octets with which it is certainly minimal;
#   - in an ENUMERATED of one octet: 0 to 63; then `items` shows whether the number is an item that was found before.
# It misses a few valid elements, such as those with the date 29 February, or with an INTEGER that begins with 00 if the
# INTEGER of the template does not. `matches` decides about these, with the check functions of the types.
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
    TEMPLATE_SIZE = 64                  # elements of up to 64 bytes can be templates: the bytes of a Ranges
    TEMPLATE_HALF = 32                  # the bytes that `in_ranges` compares
    TEMPLATE_VARIABLES = 4              # variable contents per template
    TEMPLATES = 8                       # templates per list
    TEMPLATE_AFTER = 8                  # in shorter lists, recording costs more than it saves
    TEMPLATE_MISSES = 4                 # see `gives_up`
    TEMPLATE_ITEMS = 64                 # numbers of an ENUMERATED that are a bit of `items`

cdef struct VariableContents:
    const Node *node
    Py_ssize_t offset
    Py_ssize_t length

cdef struct ElementTemplate:
    int length                          # the length octet; -1 without a template
    Py_ssize_t cost                     # for the limit on elements: 1, and the elements of lists and ANY inside it
    # The first UTCTime, if there is one: its offset, else 0. For the first ENUMERATED of one octet, its offset, and the
    # set of its items that were found so far; without one, the set is full.
    Py_ssize_t date_offset
    Py_ssize_t item_offset
    uint64_t items
    Ranges usual                        # of the bytes of elements that `is_usual` accepts
    Ranges fixed                        # one value for each byte that is compared; any for the others
    int count                           # the number of variable contents
    VariableContents[TEMPLATE_VARIABLES] variables

cdef struct Templates:                  # of one list at a time: see `check_long_list`
    const uint8_t *contents             # the contents octets of the list, or NULL
    bint wide                           # a template is longer than TEMPLATE_HALF, or has an `item_offset`
    ElementTemplate[TEMPLATES] slots
    ElementTemplate *by_length[TEMPLATES]       # the addresses of `slots`: gcc would compute each one three times

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


cdef inline Templates *claim_templates(Templates *templates, const uint8_t *contents) noexcept nogil:
    """Return the templates of the list with these contents; clear them if they are those of another list."""
    cdef int i
    if templates.contents != contents:
        for i in range(TEMPLATES):
            templates.slots[i].length = -1
            templates.by_length[i] = &templates.slots[i]
        templates.contents = contents
        templates.wide = False
    return templates


cdef inline bint gives_up(Py_ssize_t misses, Py_ssize_t hits) noexcept nogil:
    """Return whether templates cost more than they saved: a miss costs about half of what a hit saves."""
    return misses >= TEMPLATE_MISSES and misses > 2 * hits


cdef void store_template(
    Templates *templates, const TemplateRecorder *recorder, const uint8_t *end, Py_ssize_t elements
) noexcept nogil:
    """Store the element that was just validated as a template; `elements` is the number of elements inside it.

    TEMPLATE_SIZE bytes are readable from its start. All are copied, because a copy of constant length needs no call.
    """
    cdef Py_ssize_t length = end - recorder.start
    cdef ElementTemplate *template
    cdef const VariableContents *variable
    cdef int i
    if recorder.closed or length > TEMPLATE_SIZE:
        return
    template = templates.by_length[(length - 2) % TEMPLATES]
    memcpy(template.fixed.low, recorder.start, TEMPLATE_SIZE)
    memset(template.fixed.span, 0, TEMPLATE_SIZE)
    allow_any(&template.fixed, length, TEMPLATE_SIZE - length)
    template.usual = template.fixed
    template.date_offset = 0
    template.item_offset = 0
    template.items = ~<uint64_t>0
    for i in range(recorder.count):
        variable = &recorder.variables[i]
        template.variables[i] = variable[0]
        allow_usual(template, variable, recorder.start + variable.offset)
        allow_any(&template.fixed, variable.offset, variable.length)
    templates.wide |= length > TEMPLATE_HALF or template.item_offset != 0
    template.count = recorder.count
    template.cost = 1 + elements
    template.length = <int>(length - 2)


cdef inline void allow(Ranges *ranges, Py_ssize_t offset, uint8_t low, uint8_t high) noexcept nogil:
    """Set the range of one byte."""
    ranges.low[offset] = low
    ranges.span[offset] = high - low


cdef inline void allow_any(Ranges *ranges, Py_ssize_t offset, Py_ssize_t n) noexcept nogil:
    """Allow `n` bytes to have any value."""
    memset(ranges.low + offset, 0, n)
    memset(ranges.span + offset, 0xFF, n)


cdef void allow_usual(ElementTemplate *template, const VariableContents *variable, const uint8_t *p) noexcept nogil:
    """Set the usual ranges of variable contents, which the element of the template has at `p`.

    The ranges of INTEGER and UTCTime contents accept no other contents than `integer_check`, or, together with
    `usual_date`, than `utc_time_check`. Contents without an offset in the template keep its value.
    """
    cdef Ranges *usual = &template.usual
    cdef Py_ssize_t offset = variable.offset
    if variable.node.kind == KIND_UTC_TIME:
        if template.date_offset == 0:
            # YYMMDDhhmmss, with the tens that each of the six numbers can have; Z remains as it is.
            memset(usual.low + offset, 0x30, 12)
            memcpy(usual.span + offset, b"\x09\x09\x01\x09\x03\x09\x02\x09\x05\x09\x05\x09", 12)
            template.date_offset = offset
    elif variable.node.kind == KIND_ENUMERATED:
        if variable.length == 1 and template.item_offset == 0:
            allow(usual, offset, 0, TEMPLATE_ITEMS - 1)
            template.item_offset = offset
            template.items = 0
            add_item(template, p[0])
    else:
        allow_any(usual, offset, variable.length)
        if variable.length > 1:
            # X.690 8.3.2: the first nine bits are never all equal.
            if p[0] == 0:
                allow(usual, offset, 0, 0)
                allow(usual, offset + 1, 0x80, 0xFF)
            elif p[0] == 0xFF:
                allow(usual, offset, 0xFF, 0xFF)
                allow(usual, offset + 1, 0, 0x7F)
            else:
                allow(usual, offset, 0x01, 0xFE)


cdef inline void add_item(ElementTemplate *template, uint8_t number) noexcept nogil:
    """Add an item of an ENUMERATED to those that are accepted without a search."""
    if number < TEMPLATE_ITEMS:
        template.items |= <uint64_t>1 << number


cdef inline bint is_usual(const ElementTemplate *template, const uint8_t *p, bint wide) noexcept nogil:
    """Return whether the element at `p` is certainly valid, by a short check that nearly all valid ones pass.

    Elements of several templates often alternate at random. Then a processor cannot predict a branch on what only some
    of them have, and each wrong guess costs a third of the check. So all elements of a `wide` list are compared as long
    ones, and all have a set of items.
    """
    if not in_ranges(p, &template.usual, 0):
        return False
    if wide and not (
        in_ranges(p, &template.usual, TEMPLATE_HALF)
        and template.items >> (octet_at(p + template.item_offset) % TEMPLATE_ITEMS) & 1
    ):
        return False
    return template.date_offset == 0 or usual_date(p + template.date_offset)


cdef bint matches(ElementTemplate *template, const uint8_t *p) noexcept nogil:
    """Return whether the element at `p` equals a template, except for variable contents, and these are valid."""
    cdef const VariableContents *variable
    cdef const uint8_t *q
    cdef int i
    if not in_ranges(p, &template.fixed, 0) or not in_ranges(p, &template.fixed, TEMPLATE_HALF):
        return False
    for i in range(template.count):
        variable = &template.variables[i]
        q = p + variable.offset
        if variable.node.kind == KIND_UTC_TIME:
            if utc_time_check(q, variable.length):
                return False
        elif integer_check(q, variable.length):
            return False
        elif variable.node.kind == KIND_ENUMERATED:
            if enumerated_check(variable.node, q, variable.length):
                return False
            if variable.offset == template.item_offset:
                add_item(template, octet_at(q))
    return True


cdef Py_ssize_t skip_matches(
    Templates *templates, const uint8_t **start, const uint8_t *end, Py_ssize_t *left
) noexcept nogil:
    """Move `start` to the end of the elements from there on that match templates, and return their number.

    `left` is the number of elements that the limit allows; these elements, and those inside them, are subtracted. This
    is the fast path: nearly all elements of a large list are validated here. Whole vectors are read, so the last
    elements of a list take the general check, and so does the first one that exceeds the limit.
    """
    cdef ElementTemplate *template
    cdef const uint8_t *p = start[0]
    cdef const uint8_t *last
    cdef bint wide = templates.wide
    cdef Py_ssize_t allowed = left[0]
    cdef Py_ssize_t count = 0
    cdef uint8_t length
    if end - p < TEMPLATE_SIZE:
        return 0
    last = end - TEMPLATE_SIZE
    while p <= last:
        # The element ends within the bytes that can be read: this octet, read once, is the length of a template.
        length = octet_at(p + 1)
        template = templates.by_length[length % TEMPLATES]
        if template.length != length or (unlikely(not is_usual(template, p, wide)) and not matches(template, p)):
            break
        allowed -= template.cost
        if allowed < 0:
            allowed += template.cost
            break
        count += 1
        p += 2 + length
    start[0] = p
    left[0] = allowed
    return count


ctypedef Py_ssize_t (*skip_t)(
    Templates *templates, const uint8_t **start, const uint8_t *end, Py_ssize_t *left
) noexcept nogil

# `skip_matches`. A pointer keeps gcc from inlining it into `check_long_list`, which would need its registers.
cdef skip_t SKIP_MATCHES = skip_matches
