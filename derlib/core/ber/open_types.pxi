# Conversion of open types: the selector chooses the type, as in core/decode/open_type.pxi.
#
# The value of a table with on_mismatch="opaque" is converted by its type if the result is DER of this type, else as a
# value without a type. Inside such a value, types of other opaque tables are not tried. So no byte is converted more
# than three times.

cdef bint convert_open(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert a value of an open type."""
    cdef const OpenEntry *entry
    SELECT_ONCE(c, node, scope, &entry)
    close_run(c)
    if remains_opaque(&c.check, entry):
        return convert_any(c, e)
    if not entry.opaque_on_mismatch:
        return convert_typed(c, entry.node, e, NULL)
    return TRY_ENTRY(c, node, entry, e)


cdef bint try_entry(Conversion *c, const Node *node, const OpenEntry *entry, BerElement *e) noexcept nogil:
    """Convert a value of an open type by an entry if it matches the type, else without a type."""
    cdef BerElement again = e[0]
    cdef SavedState saved
    cdef bint fits
    save_state(c, &saved)
    c.mismatch = False
    c.check.in_opaque_entry = True
    fits = convert_typed(c, entry.node, e, NULL) and not c.mismatch and is_value_of_entry(c, node, entry, e, &saved)
    # In DER, a value that would change is an opaque one.
    fits = fits and not (c.is_of_der and c.edits.count != saved.edits)
    c.check.in_opaque_entry = False
    if c.out_of_memory or is_limit(c.check.fault):
        return False
    if fits:
        c.mismatch = saved.mismatch
        return True
    restore_state(c, &saved)
    e[0] = again
    return convert_any(c, e)


cdef bint is_value_of_entry(
    Conversion *c, const Node *node, const OpenEntry *entry, const BerElement *e, const SavedState *saved
) noexcept nogil:
    """Return whether the converted value matches its type. If nothing was converted, the strict check finds out."""
    cdef Check *check = &c.check
    cdef Header h
    cdef Py_ssize_t length
    cdef Py_ssize_t elements = check.elements
    cdef int depth = check.depth
    cdef uint8_t *octets
    cdef bint fits
    cdef Py_ssize_t i
    if c.edits.count == saved.edits:
        return True
    for i in range(saved.kept, c.kept.count):
        if not (<KeptElement *>c.kept.items + i).valid:
            # A kept element must not be converted, so the value has its type. The check of the output reports faults.
            return True
    octets = converted_octets(c, saved.edits, e.h.start, e.after, &length, saved.growth)
    if octets == NULL:
        return False
    # These elements were counted by the walk.
    check.elements = saved.elements
    fits = read_header(octets, octets + length, &h) == FAULT_NONE and check_selected(check, node, entry, &h)
    free(octets)
    # The check keeps nothing that it knows by an address in this memory, which can be used again.
    check.open_node = NULL
    check.templates.contents = NULL
    check.elements = elements
    check.depth = depth
    # The fault is in the memory that was freed: only a limit is reported, as one of the whole value.
    return fits or fail_at(c, check.fault, e.h.start, e.after, node)


cdef void select_once(Conversion *c, const Node *node, BerScope *scope, const OpenEntry **entry) noexcept nogil:
    """Set the entry that the selector of an open type chooses, NULL if there is none.

    A selector is looked up once for each open type of a scope. Otherwise a list of values of two open types, with a
    selector that comes after them, would take quadratic time.
    """
    cdef SelectedEntry *selected
    cdef Py_ssize_t number
    entry[0] = NULL
    if scope == NULL or node.selector_length == 0:
        return
    number = scope.selected
    while number > 0:
        selected = <SelectedEntry *>c.selected.items + number - 1
        if selected.node == node:
            entry[0] = selected.entry
            return
        number = selected.before
    selected = <SelectedEntry *>add_items(&c.selected, 1, sizeof(SelectedEntry))
    if selected == NULL:
        c.out_of_memory = True
        return
    selected.node = node
    selected.entry = entry[0] = ber_selected(c, node, scope)
    selected.before = scope.selected
    scope.selected = c.selected.count


# Pointers, as in walk.pxi.
ctypedef void (*select_once_t)(Conversion *c, const Node *node, BerScope *scope, const OpenEntry **entry) noexcept nogil
ctypedef bint (*try_entry_t)(Conversion *c, const Node *node, const OpenEntry *entry, BerElement *e) noexcept nogil
cdef select_once_t SELECT_ONCE = select_once
cdef try_entry_t TRY_ENTRY = try_entry


cdef const OpenEntry *ber_selected(Conversion *c, const Node *node, BerScope *scope) noexcept nogil:
    """Look up the entry that the selector of an open type chooses."""
    cdef BerScope inner
    cdef BerElement e
    cdef const Component *component
    cdef const Node *at = scope.node
    cdef Py_ssize_t i
    inner = scope[0]
    e.h.end = NULL
    for i in range(node.selector_length):
        component = &inner.node.components[node.selector[i]]
        if not find_in_scope(c, &inner, component, &e):
            # An absent selector has its default value (X.680 25, DEFAULT).
            if component.default == NULL or read_ber_header(
                    component.default, component.default + component.default_length, &e.h):
                return NULL
            e.limit = e.h.end
        at = inside_tags(component.node, &e)
        if at == NULL:
            return NULL
        begin_scope(&inner, at, &e)
    # A selector is primitive, so its length is definite.
    if e.h.end == NULL:
        return NULL
    return entry_of_value(node.entries, at, &e.h)


cdef const Node *inside_tags(const Node *node, BerElement *e) noexcept nogil:
    """Move to the element inside the explicit tags and alternatives of a selector; return its type, NULL if none."""
    cdef Py_ssize_t index
    while node.kind == KIND_EXPLICIT or is_choice(node.kind):
        if node.kind == KIND_EXPLICIT:
            if read_ber_header(e.h.content, e.limit, &e.h):
                return NULL
            if e.h.end != NULL:
                e.limit = e.h.end
            node = node.element
        else:
            index = chosen_alternative(node, e.h.tag)
            if index < 0:
                return NULL
            node = node.components[index].node
    return node


cdef bint find_in_scope(Conversion *c, BerScope *scope, const Component *wanted, BerElement *e) noexcept nogil:
    """Find a component of a SEQUENCE or SET in the input; return False if it is absent.

    A fault on the way is not reported here.
    """
    cdef SavedState saved
    cdef BerElement around
    cdef const Component *component = scope.node.components
    cdef const Component *first
    cdef const Component *found
    cdef const uint8_t *p = scope.content
    save_state(c, &saved)
    around.h.start = p
    around.indefinite = True
    around.level = c.level
    around.limit = scope.limit
    while p < scope.limit and next_child(c, &around, p, NULL, e):
        found = NULL
        first = component
        if scope.node.kind == KIND_SET:
            found = find_member(scope.node, &e.h)
        elif match_next(&component, scope.node.components + scope.node.component_count, &e.h):
            found = component
            component += 1
        else:
            component = first       # an element that is not a known component
        if found == wanted:
            return True
        if not skip_contents(c, e):
            break
        p = e.after
    restore_state(c, &saved)
    return False
