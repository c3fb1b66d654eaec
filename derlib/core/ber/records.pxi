# Conversion of SEQUENCE, lists, CHOICE and explicit tags. sets.pxi has SET.

cdef struct SelectedEntry:          # the look-up of a selector
    const Node *node                # the open type
    const OpenEntry *entry          # NULL if there is none
    Py_ssize_t before               # the next entry of the same scope, as in BerScope

cdef struct BerScope:               # the SEQUENCE or SET around an open type, which has its selector
    const Node *node
    const uint8_t *content
    const uint8_t *limit            # contents of indefinite length can end before
    Py_ssize_t selected             # the number of its last look-up in `Conversion.selected`, plus one; 0 for none


cdef void begin_scope(BerScope *scope, const Node *node, const BerElement *e) noexcept nogil:
    """Set the scope of the components of an element."""
    scope.node = node
    scope.content = e.h.content
    scope.limit = e.limit
    scope.selected = 0


cdef inline bint match_next(const Component **component, const Component *last, const Header *h) noexcept nogil:
    """Do what `match_component` does, for strings in either form."""
    while component[0] < last:
        if component[0].identifier == octet_at(h.start) or fits_tag(component[0].node, h.tag):
            return True
        if not component[0].optional:
            return False
        component[0] += 1
    return False


cdef bint convert_sequence(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Convert a SEQUENCE."""
    cdef BerScope scope
    cdef BerElement child
    cdef const Component *component = node.components
    cdef const Component *last = node.components + node.component_count
    cdef const Component *first
    cdef const uint8_t *p = e.h.content
    cdef Py_ssize_t growth
    cdef bint recorded
    cdef bint dropped = False       # a DEFAULT
    if not open_element(c, e, node):
        return False
    begin_scope(&scope, node, e)
    recorded = begin_steps(c, node)
    while True:
        # If there is no valid header, the path leads to the next component, as in the strict check.
        set_step(c, recorded, component - node.components if component < last else -1)
        if not next_child(c, e, p, component.node if component < last else NULL, &child):
            break
        first = component
        if match_next(&component, last, &child.h):
            set_step(c, recorded, component - node.components)
            growth = c.growth
            if not convert_component(c, node, component, &child, &scope):
                return False
            dropped = dropped or (component.default != NULL and growth - c.growth == child.after - p)
            component += 1
        else:
            set_step(c, recorded, -1)
            if node.extensible and is_addition(node, first - node.components, component - node.components, child.h.tag):
                component = node.components + node.insertion
            elif unlikely(dropped):
                # The output may be valid: a DEFAULT component that is there twice, or in the wrong place.
                fail_match(&c.check, node, first - node.components, component - node.components, &child.h)
                return complete_path(c, e.limit)
            else:
                c.mismatch = True
                component = first
            if not convert_any(c, &child):
                return False
        p = child.after
    if failed(c):
        return False
    end_steps(c, recorded)
    return close_element(c, e)


cdef bint convert_component(
    Conversion *c, const Node *node, const Component *component, BerElement *child, BerScope *scope
) noexcept nogil:
    """Convert a component."""
    if component.default == NULL:
        return convert_value(c, component.node, child, scope)
    return CONVERT_WITH_DEFAULT(c, component, child, scope)


cdef bint convert_with_default(
    Conversion *c, const Component *component, BerElement *child, BerScope *scope
) noexcept nogil:
    """Convert a component that has a DEFAULT value, and drop it if it has this value (X.690 11.5)."""
    cdef SavedState saved
    cdef Edit *edit
    close_run(c)
    save_state(c, &saved)
    if not convert_value(c, component.node, child, scope):
        return False
    # A kept element is not dropped, either: its bytes stay.
    if not is_converted_default(c, component, child, &saved) or is_kept_default(c, &saved, child):
        return not c.out_of_memory
    restore_state(c, &saved)
    edit = add_edit(c, EDIT_DROP, child.h.start)
    if edit == NULL:
        return False
    edit.drop = child.after - child.h.start
    c.growth -= edit.drop
    note_change(c, edit, child, FAULT_DEFAULT_ENCODED)
    return not c.out_of_memory


ctypedef bint (*convert_with_default_t)(
    Conversion *c, const Component *component, BerElement *child, BerScope *scope) noexcept nogil
# A pointer, as in walk.pxi.
cdef convert_with_default_t CONVERT_WITH_DEFAULT = convert_with_default


cdef bint is_converted_default(
    Conversion *c, const Component *component, const BerElement *child, const SavedState *saved
) noexcept nogil:
    """Return whether the converted component has its DEFAULT value. DER has one encoding of each value."""
    cdef Py_ssize_t length
    cdef uint8_t *octets
    cdef bint same
    if child.after - child.h.start + c.growth - saved.growth != component.default_length:
        return False
    if c.edits.count == saved.edits:
        return memcmp(child.h.start, component.default, component.default_length) == 0
    octets = converted_octets(c, saved.edits, child.h.start, child.after, &length, saved.growth)
    same = octets != NULL and memcmp(octets, component.default, length) == 0
    free(octets)
    return same


cdef bint convert_list(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert a SEQUENCE OF or SET OF."""
    return open_element(c, e, node) \
        and (CONVERT_ELEMENTS if node.kind == KIND_SEQUENCE_OF else CONVERT_SET_OF)(c, node, e, scope) \
        and close_element(c, e)


cdef bint convert_set_of(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert the elements of a SET OF."""
    cdef BerElement child
    cdef SetWalk walk
    cdef const uint8_t *p = e.h.content
    cdef Py_ssize_t count = 0
    cdef bint recorded = begin_steps(c, node)
    begin_set(&walk)
    while True:
        set_step(c, recorded, count)
        if not next_child(c, e, p, node.element, &child):
            break
        if not count_element(c, &child):
            return False
        if not mark_child(c, &walk, &child, recorded) or not convert_typed(c, node.element, &child, scope):
            return False
        count += 1
        p = child.after
    if failed(c):
        return False
    end_steps(c, recorded)
    return end_set(c, &walk, e, BY_ENCODING)


# Pointers, as in walk.pxi.
cdef convert_t CONVERT_ELEMENTS = convert_elements
cdef convert_t CONVERT_SET_OF = convert_set_of


cdef bint convert_choice(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert a CHOICE, whose encoding is that of the chosen alternative."""
    cdef Py_ssize_t index = chosen_alternative(node, e.h.tag)
    cdef bint recorded
    cdef bint valid
    if index < 0:
        c.mismatch = c.mismatch or not node.extensible
        return convert_any(c, e)
    if node.kind == KIND_UNION:
        return convert_value(c, node.components[index].node, e, scope)
    recorded = begin_steps(c, node)
    set_step(c, recorded, index)
    valid = convert_value(c, node.components[index].node, e, scope)
    end_steps(c, recorded)
    return valid


cdef bint convert_explicit(Conversion *c, const Node *node, BerElement *e, BerScope *scope) noexcept nogil:
    """Convert an explicit tag and the element inside it."""
    cdef BerElement child
    cdef const uint8_t *p = e.h.content
    if not open_element(c, e, node):
        return False
    while next_child(c, e, p, node.element, &child):
        # The strict check reports a second element.
        if not convert_typed(c, node.element, &child, scope):
            return False
        p = child.after
    return not failed(c) and close_element(c, e)
