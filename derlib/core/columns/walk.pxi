# The walk over a validated value along the steps of a column program, without the GIL.
#
# It finds first the list whose elements are the rows, then the values outside of that list, which are the same in all
# rows, and then takes the rows one by one until the batch is full. So the walk of a long list can be continued.
#
# The bytes were validated by the same plan, so only the headers are read again. All the same, each header is read by
# `reread_header` within the element around it.

# Defined in core/columns/row_templates.pxi.
cdef struct RowTemplates

cdef struct Extraction:
    const PathStep *steps
    Column *columns
    Py_ssize_t column_count
    const Options *options
    const Record *record            # of the faults that were tolerated in the current input, sorted; or NULL
    int rows_step                   # -1 if an input is one row
    int wanted                      # a member of Leads
    bint failed                     # no memory
    bint unsure                     # the contents of the row decided whether it has a cell
    bint missing                    # a value of the current item is absent: see `visit_list`
    RowTemplates *templates         # or NULL
    # The list of the rows, from the next row on
    const Node *list_node           # the list
    const Node *row_node
    const uint8_t *row
    const uint8_t *row_end
    # What the columns that are not values of the input have
    int64_t input
    const uint8_t *error
    Py_ssize_t error_length
    int64_t error_offset
    const uint8_t *error_rule
    Py_ssize_t error_rule_length


cdef uint64_t TRAILING_DATA = _options.Deviation.TRAILING_DATA.value


cdef void visit(Extraction *x, int at, const Node *node, const Header *value) noexcept nogil:
    """Take the cells of a value and of the parts in it to which the children of step `at` lead."""
    cdef const PathStep *step = x.steps + at
    cdef Header h = value[0]
    cdef int child
    while node.kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, &h):
            return
        node = node.element
    if step.column >= 0 and x.wanted != LEADS_TO_ROWS:
        take(x, step, node, &h)
    child = step.first_child
    # More columns of this value have the first steps.
    while child >= 0 and x.steps[child].op == 0:
        if x.steps[child].leads & x.wanted and x.wanted != LEADS_TO_ROWS:
            take(x, x.steps + child, node, &h)
        child = x.steps[child].sibling
    if child < 0:
        return
    if node.kind == KIND_SEQUENCE or node.kind == KIND_SET:
        if x.steps[at].has_selected:
            visit_selected(x, child, node, &h)
        visit_components(x, child, node, &h)
    elif is_list(node.kind):
        visit_list(x, child, node, &h)
    elif is_choice(node.kind):
        visit_alternative(x, child, node, &h)
    elif is_open(node.kind):
        visit_open(x, child, node, &h)


cdef inline void take(Extraction *x, const PathStep *step, const Node *node, const Header *h) noexcept nogil:
    """Take the value of a cell: append an item of a list, and keep another cell until the row is complete."""
    cdef Column *c = x.columns + step.column
    if c.constant != (x.wanted == LEADS_TO_CONSTANTS):
        return
    if c.listed:
        c.present = True
        c.leaf = step.leaf
        if not cell_value(c, node, h):
            x.failed = True
    elif not c.present:
        c.present = True
        c.leaf = step.leaf
        c.node = node
        c.h = h[0]


cdef void visit_components(Extraction *x, int first, const Node *node, const Header *h) noexcept nogil:
    cdef ComponentWalk walk
    cdef Header value
    cdef uint64_t done = 0
    cdef uint64_t bit
    cdef Py_ssize_t number
    cdef const Component *component
    cdef int left = 0
    cdef int child = first
    while child >= 0:
        left += x.steps[child].op == STEP_FIELD and x.steps[child].leads & x.wanted != 0
        child = x.steps[child].sibling
    begin_walk(&walk, node, h.content, h.end)
    while left > 0 and next_component(&walk):
        if walk.component == NULL:
            continue
        number = walk.component - node.components
        child = first
        bit = 1
        while child >= 0:
            if x.steps[child].number == number and x.steps[child].op == STEP_FIELD and x.steps[child].leads & x.wanted:
                visit(x, child, walk.component.node, &walk.h)
                done |= bit
                left -= 1
            child = x.steps[child].sibling
            bit <<= 1
    # An absent component can have a DEFAULT value.
    child = first
    bit = 1
    while child >= 0 and left > 0:
        component = node.components + x.steps[child].number
        if not done & bit and x.steps[child].op == STEP_FIELD and x.steps[child].leads & x.wanted \
                and component.default != NULL \
                and reread_header(component.default, component.default + component.default_length, &value) == 0:
            visit(x, child, component.node, &value)
            left -= 1
        child = x.steps[child].sibling
        bit <<= 1
    if left > 0:
        x.missing = True


cdef void visit_selected(Extraction *x, int child, const Node *node, const Header *h) noexcept nogil:
    """Visit a SEQUENCE again by each step whose key it has."""
    cdef const PathStep *step
    cdef Header key
    cdef Py_ssize_t number = -1
    cdef bint found = False
    while child >= 0:
        step = x.steps + child
        if step.op == STEP_SELECTED and step.leads & x.wanted:
            if step.number != number:
                number = step.number
                found = find_key(node, h, number, &key)
            if found and is_key(step, &key):
                visit(x, child, node, h)
        child = step.sibling


cdef bint find_key(const Node *node, const Header *h, Py_ssize_t number, Header *key) noexcept nogil:
    """Set the OBJECT IDENTIFIER that a component is, or that selects its type; return False if it is absent."""
    cdef const Node *component = key_or_open_type(node.components[number].node)
    cdef Py_ssize_t i
    if not is_open(component.kind):
        return find_untagged(node, h.content, h.end, number, key) != NULL
    key[0] = h[0]
    for i in range(component.selector_length):
        node = find_untagged(node, key.content, key.end, component.selector[i], key)
        if node == NULL:
            return False
    return True


cdef inline const Node *find_untagged(
    const Node *node, const uint8_t *content, const uint8_t *end, Py_ssize_t number, Header *h
) noexcept nogil:
    """Find a component of a SEQUENCE in its explicit tags, and return its type; NULL if it is absent."""
    if not find_component(node, content, end, number, h):
        return NULL
    node = node.components[number].node
    while unlikely(node.kind == KIND_EXPLICIT):
        if reread_header(h.content, h.end, h):
            return NULL
        node = node.element
    return node


cdef void visit_list(Extraction *x, int first, const Node *node, const Header *h) noexcept nogil:
    """Visit the elements of a list.

    Each of them makes an item of a list column, a null if a value on its path is absent. An element with another
    alternative or key than that of the path makes none.
    """
    cdef Header element
    cdef const uint8_t *p = h.content
    cdef uint64_t done = 0
    cdef uint64_t bit
    cdef Py_ssize_t index = 0
    cdef const PathStep *step
    cdef int each = 0
    cdef Header key                 # of the element, its component `key_number`
    cdef Py_ssize_t key_number
    cdef bint has_key = False
    cdef int left = 0
    cdef int child = first
    while child >= 0:
        step = x.steps + child
        if step.leads & x.wanted:
            if step.op == STEP_ROWS:
                if x.wanted == LEADS_TO_ROWS:
                    x.list_node = node
                    x.row_node = node.element
                    x.row = h.content
                    x.row_end = h.end
            else:
                left += 1
                if step.op == STEP_EACH:
                    x.columns[step.list_column].present = True
                    each += 1
        child = step.sibling
    while left > 0 and p < h.end and reread_header(p, h.end, &element) == FAULT_NONE:
        p = element.end
        key_number = -1
        child = first
        bit = 1
        while child >= 0:
            step = x.steps + child
            if step.leads & x.wanted and not done & bit:
                if step.op == STEP_EACH:
                    if step.begins_item:
                        begin_item(x, step)
                    visit(x, child, node.element, &element)
                    if step.ends_item:
                        end_item(x, step)
                else:
                    if step.op == STEP_KEY and step.number != key_number:
                        # The columns of extensions have many keys, but one component with the key.
                        key_number = step.number
                        has_key = find_element_key(node.element, &element, key_number, &key)
                    if is_key(step, &key) if step.op == STEP_KEY and has_key \
                            else step.op == STEP_INDEX and step.number == index:
                        visit(x, child, node.element, &element)
                        done |= bit
                        left -= 1
            child = step.sibling
            bit <<= 1
        index += 1
    # An index or a key that no element has.
    if left > each:
        x.missing = True


cdef inline void begin_item(Extraction *x, const PathStep *step) noexcept nogil:
    cdef Column *c = x.columns + step.list_column
    c.item_start = c.count
    x.missing = False


cdef inline void end_item(Extraction *x, const PathStep *step) noexcept nogil:
    """Append a null if a value of the item is absent."""
    cdef Column *c = x.columns + step.list_column
    if x.missing and c.count == c.item_start and not cell_null(c):
        x.failed = True


cdef bint find_element_key(const Node *node, const Header *element, Py_ssize_t number, Header *key) noexcept nogil:
    """Set the component of an element of a list that has the key; return False if it is absent."""
    cdef Header h = element[0]
    while node.kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, &h):
            return False
        node = node.element
    return find_untagged(node, h.content, h.end, number, key) != NULL


cdef inline bint is_key(const PathStep *step, const Header *key) noexcept nogil:
    """Return whether an OBJECT IDENTIFIER is the key of a step."""
    return key.end - key.content == step.key_length and memcmp(key.content, step.key, step.key_length) == 0


cdef void visit_alternative(Extraction *x, int child, const Node *node, const Header *h) noexcept nogil:
    cdef Py_ssize_t index = find_alternative(node, h.tag)
    if index < 0:
        return
    while child >= 0:
        if x.steps[child].number == index and x.steps[child].leads & x.wanted:
            visit(x, child, node.components[index].node, h)
        child = x.steps[child].sibling


cdef void visit_open(Extraction *x, int child, const Node *node, const Header *h) noexcept nogil:
    """Visit the value in an open type."""
    cdef Header value = h[0]
    cdef const uint8_t *p = h.content
    cdef const PathStep *step
    if node.kind != KIND_OPEN:
        if node.kind == KIND_OPEN_BITS and p < h.end:
            p += 1
        if reread_header(p, h.end, &value) or (value.end != h.end and not x.options.tolerated & TRAILING_DATA):
            return
    while child >= 0:
        step = x.steps + child
        if step.leads & x.wanted:
            if has_type(x, step, node, h, &value):
                visit(x, child, step.node, &value)
            else:
                x.missing = True
        child = step.sibling


cdef bint is_tolerated_mismatch(const Record *record, const uint8_t *at) noexcept nogil:
    """Return whether the check tolerated that an open type does not match its type."""
    cdef Py_ssize_t i = first_entry(record, at)
    while i < record.count and record.entries[i].at == at:
        if record.entries[i].deviation == OPEN_TYPE:
            return True
        i += 1
    return False


cdef bint has_type(Extraction *x, const PathStep *step, const Node *node, const Header *h,
                   const Header *value) noexcept nogil:
    """Return whether the value of an open type is of the type of a step; the table can allow others."""
    cdef const OpenEntry *entry = NULL
    cdef Header found
    cdef Record record
    cdef Check c
    cdef bint fits
    if unlikely(x.record != NULL) and x.options.tolerated & OPEN_TYPE:
        # A row with the same bytes may be of the type, because the record has the place of the mismatch.
        x.unsure = True
        if is_tolerated_mismatch(x.record, h.start):
            return False
    if step.entries != NULL:
        entry = find_entry(step.entries, step.key, step.key_length)
    if entry != NULL and entry.node == step.node and not entry.opaque_on_mismatch:
        return True
    if step.entries == NULL and accepts(step.node, value.tag):
        return True
    x.unsure = True
    # The value may have been validated as opaque, or by a type that was registered in the place of this one.
    if x.options.tolerated == 0:
        check_begin(&c, x.options, NULL)
        return check_element(&c, step.node, value.start, value.end, NULL, &found)
    # As `check_again` does for values.
    memset(&record, 0, sizeof(Record))
    check_begin(&c, x.options, &record)
    fits = check_element(&c, step.node, value.start, value.end, NULL, &found)
    if fits and entry != NULL and entry.opaque_on_mismatch and c.tolerated_faults:
        c.elements = PY_SSIZE_T_MAX
        fits = not is_valid_opaque(&c, node, h)
    fits = fits and check_pending(&c, 0)
    free(record.entries)
    free(record.pending)
    return fits


cdef bint begin_value(Extraction *x, const Node *node, const Header *h) noexcept nogil:
    """Begin the rows of a validated value; return False if it has none."""
    x.row = x.row_end = NULL
    if x.rows_step < 0:
        return True
    x.wanted = LEADS_TO_ROWS
    visit(x, 0, node, h)
    return x.row < x.row_end
