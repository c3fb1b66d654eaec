# Runs: the fast path for long uniform lists, as core/decode/list_templates.pxi is for validation.
#
# Elements of a large list usually differ only in a serial number and a date. After the general code has converted an
# element, it is stored as a template: its bytes, and which of them are variable contents. These are contents that the
# walk does not look at, such as those of an INTEGER. A later element with the same bytes everywhere else has the same
# headers, so it needs the same edits at the same places. Such elements are not walked, and have no edits of their own:
# a run is one edit for up to RUN_LENGTH of them, with the number of its template for each. The strict check, which
# runs over the output, finds all faults of the variable contents.
#
# An element takes the general code if
#   - it is one of the first RUN_AFTER elements of its list, or begins in the last RUN_MARGIN bytes of the input;
#   - it is in a SET OF, or inside an element that is being recorded;
#   - no template matches it. It may then become one, in place of the oldest of the RUN_SLOTS templates;
#   - it exceeds the limit on elements: the general code reports that.
# The templates of a list are consecutive in `Conversion.run_templates`, so that a run refers to them by the number of
# the first one and a byte for each element. If a list inside an element has stored templates after them, the list
# starts over with no templates. Elements that contain such lists are seldom short enough for a template themselves.
#
# An element creates no template if it is longer than RUN_SIZE bytes, or if its conversion depends on more than the
# recorded bytes (`close_run`): on an open type, a DEFAULT value, the order of a SET, or it contains a kept element or
# a string in segments. If most elements of a list match no template, none is compared until the list is twice as long.

cdef inline void begin_runs(const Conversion *c, ListRuns *runs) noexcept nogil:
    runs.base = c.run_templates.count
    runs.stored = 0
    runs.hint = 0
    # A path that is kept can have any index.
    runs.since = PY_SSIZE_T_MAX if c.keep != NULL and c.keep.lengths else RUN_AFTER
    runs.misses = 0


cdef bint convert_elements(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert the elements of a SEQUENCE OF."""
    cdef const Node *element = node.element
    cdef ListRuns runs
    cdef BerElement child
    cdef const uint8_t *p = e.h.content
    cdef Py_ssize_t count = 0
    cdef bint recorded = begin_steps(c, node)
    cdef bint recording
    begin_runs(c, &runs)
    while True:
        if count >= runs.since and uses_runs(c, &runs, p, count) and not SKIP_RUN(c, &runs, e.limit, &p, &count):
            return False
        set_step(c, recorded, count)
        if not next_child(c, e, p, element, &child):
            break
        recording = count >= runs.since and c.recorder.start == NULL and runs.stored < RUN_TEMPLATES and recorded \
            and e.limit - p >= RUN_MARGIN
        if recording:
            begin_recording_run(c, p)
            runs.misses += 1
        if not count_element(c, &child) or not convert_typed(c, element, &child, scope):
            return False
        if recording:
            # Otherwise the element was closed, and a list inside it may have recorded its own elements since.
            if c.recorder.start == p:
                STORE_RUN_TEMPLATE(c, &runs, child.after)
            close_run(c)
        count += 1
        p = child.after
    end_steps(c, recorded)
    return not failed(c)


# Pointers, as in walk.pxi.
ctypedef bint (*skip_run_t)(
    Conversion *c, ListRuns *runs, const uint8_t *limit, const uint8_t **start, Py_ssize_t *count) noexcept nogil
ctypedef void (*store_run_template_t)(Conversion *c, ListRuns *runs, const uint8_t *after) noexcept nogil
cdef skip_run_t SKIP_RUN = skip_run
cdef store_run_template_t STORE_RUN_TEMPLATE = store_run_template


cdef bint uses_runs(Conversion *c, ListRuns *runs, const uint8_t *p, Py_ssize_t count) noexcept nogil:
    """Return whether the next elements of a list should be compared with its templates."""
    if c.recorder.start != NULL:
        if p - c.recorder.start <= RUN_SIZE:
            return False
        # The element around this list is too long for a template.
        close_run(c)
    if gives_up(runs.misses, count - runs.since - runs.misses):
        runs.base = c.run_templates.count
        runs.stored = 0
        runs.misses = 0
        runs.since = 2 * count
        return False
    return runs.stored > 0


cdef bint skip_run(
    Conversion *c, ListRuns *runs, const uint8_t *limit, const uint8_t **start, Py_ssize_t *count
) noexcept nogil:
    """Move `start` to the end of the elements from there on that match templates, and add their runs."""
    cdef RunTemplate *by_hint[RUN_SLOTS]
    cdef RunTemplate *template
    cdef const uint8_t *p = start[0]
    cdef const uint8_t *first
    cdef uint8_t *numbers
    cdef int hint = runs.hint
    cdef bint changes = False       # a template has edits
    cdef Py_ssize_t cost = 1        # the highest one of a template
    cdef Py_ssize_t most
    cdef Py_ssize_t n
    cdef Py_ssize_t out
    cdef int i
    for i in range(RUN_SLOTS):
        by_hint[i] = run_template(c, runs.base + runs.stored - 1)
    for i in range(max(0, runs.stored - <int>RUN_SLOTS), runs.stored):
        template = run_template(c, runs.base + i)
        by_hint[template.ranges.low[hint] % RUN_SLOTS] = template
        changes = changes or template.count > 0
        cost = max(cost, template.cost)
    while True:
        numbers = <uint8_t *>add_items(&c.run_numbers, RUN_LENGTH, 1)
        if numbers == NULL:
            c.out_of_memory = True
            return False
        first = p
        n = out = 0
        most = min(<Py_ssize_t>RUN_LENGTH, c.check.elements // cost)
        while n < most and limit - p >= RUN_MARGIN:
            template = by_hint[octet_at(p + hint) % RUN_SLOTS]
            if unlikely(not fits_run(template, p)):
                template = search_run(c, runs, p)
                if template == NULL:
                    break
            numbers[n] = template.number
            n += 1
            p += template.length
            out += template.out_length
        c.run_numbers.count -= RUN_LENGTH - n
        # Templates with elements inside cost more, so the last elements before the limit may take the general code.
        c.check.elements -= run_cost(c, runs, numbers, n, cost)
        count[0] += n
        if n > 0 and not add_run(c, runs, first, p - first, out, n, count[0] - n, changes):
            return False
        if n < RUN_LENGTH:
            break
    start[0] = p
    return True


cdef Py_ssize_t run_cost(
    Conversion *c, const ListRuns *runs, const uint8_t *numbers, Py_ssize_t n, Py_ssize_t most
) noexcept nogil:
    """Return how many elements a run counts as; `most` is the highest cost of its templates."""
    cdef Py_ssize_t cost = 0
    cdef Py_ssize_t i
    if most == 1:
        return n
    for i in range(n):
        cost += run_template(c, runs.base + numbers[i]).cost
    return cost


cdef RunTemplate *search_run(Conversion *c, const ListRuns *runs, const uint8_t *p) noexcept nogil:
    """Return the template that the element at `p` matches, or NULL."""
    cdef int i
    for i in range(max(0, runs.stored - <int>RUN_SLOTS), runs.stored):
        if fits_run(run_template(c, runs.base + i), p):
            return run_template(c, runs.base + i)
    return NULL


cdef bint add_run(
    Conversion *c, const ListRuns *runs, const uint8_t *start, Py_ssize_t length, Py_ssize_t out, Py_ssize_t n,
    Py_ssize_t index, bint changes
) noexcept nogil:
    """Add the edit of a run of `n` elements from number `index` on, whose templates were just added.

    If no template has edits, the elements need no run.
    """
    cdef Edit *edit
    if not changes:
        c.run_numbers.count -= n
        return True
    edit = add_edit(c, EDIT_RUN, start)
    if edit == NULL:
        return False
    edit.drop = length
    edit.insert = out
    edit.value = c.run_numbers.count - n
    edit.start = n
    edit.end = index
    edit.step = <int32_t>runs.base
    c.growth += out - length
    if runs.base > 0x7FFFFFFF:
        c.out_of_memory = True
    return not c.out_of_memory
