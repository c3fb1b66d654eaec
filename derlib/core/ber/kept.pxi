# Elements that are not converted: those that are copied unchanged, because signatures cover their bytes, and those
# that must be DER already, because signatures cover their DER encoding.

cdef enum:
    FORM_OF_ELEMENT = 1
    FORM_OF_CONTENTS = 2

# By fault: whether it is a form that only BER allows, of an element or of its contents octets.
cdef uint8_t[<int>FAULT_COUNT] FORMS_OF_BER


cdef int fill_forms_of_ber() except -1:
    """Fill FORMS_OF_BER from the table of the rules."""
    cdef int fault
    for fault in range(1, FAULT_COUNT):
        kind, exception, *_ = FAULTS[fault]
        FORMS_OF_BER[fault] = 0
        if "converted" in _ber_rules.IN_BER.get(kind, ""):
            FORMS_OF_BER[fault] = FORM_OF_CONTENTS if exception is _errors.ContentsError else FORM_OF_ELEMENT
    return 0


fill_forms_of_ber()


cdef bint is_kept(Conversion *c, const Node *node) noexcept nogil:
    """Return whether a value of a type at the current path is kept."""
    cdef Py_ssize_t i
    if node.ber == BER_KEEP:
        return True
    if c.keep == NULL or c.without_steps:
        return False
    for i in range(c.keep.type_count):
        if same_type(node, c.keep.types[i]):
            return True
    return c.keep.lengths != 0 and is_kept_path(c)


cdef bint is_kept_path(const Conversion *c) noexcept nogil:
    """Return whether the path to the current element is one that the caller wants to keep."""
    cdef Py_ssize_t count = 0       # of steps
    cdef Py_ssize_t i
    for i in range(c.level):
        count += c.trail[i].index >= 0
    if not c.keep.lengths >> min(count, 63) & 1:
        return False
    for i in range(c.keep.path_count):
        if c.keep.paths[i].count == count and is_current_path(c, &c.keep.paths[i]):
            return True
    return False


cdef bint is_current_path(const Conversion *c, const KeepPath *path) noexcept nogil:
    """Return whether a path with as many steps leads to the current element."""
    cdef const KeepStep *step = path.steps
    cdef const TrailStep *at
    cdef int i
    for i in range(c.level):
        at = &c.trail[i]
        if at.index < 0:
            continue
        if is_list(at.node.kind):
            if step.name != NULL or (step.index != ANY_INDEX and step.index != at.index):
                return False
        # All names of a plan are interned, too.
        elif step.name != tuple_item(names_in(at.node), at.index):
            return False
        step += 1
    return True


cdef bint keep_element(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Copy an element unchanged, and record whether it is DER."""
    cdef KeptElement *kept
    cdef int depth = c.check.depth
    close_run(c)
    if not skip_contents(c, e):
        return False
    kept = <KeptElement *>add_items(&c.kept, 1, sizeof(KeptElement))
    if kept == NULL:
        c.out_of_memory = True
        return False
    kept.start = e.h.start - c.base
    kept.header = e.h.content - e.h.start
    kept.end = e.h.end - c.base
    kept.after = e.after - c.base
    kept.place = current_place(c)
    kept.node = node
    kept.depth = depth
    kept.valid = is_der(c, node, e)
    kept.is_default = False
    if is_limit(c.check.fault):
        return fail_at(c, c.check.fault, c.check.at, e.after, node)
    clear_fault(&c.check)
    c.check.depth = depth
    if c.frames_kept and not kept.valid:
        return frame_kept(c, node, e)
    return not c.out_of_memory


cdef bint is_kept_default(Conversion *c, const SavedState *saved, const BerElement *e) noexcept nogil:
    """Return whether `e`, a component that has its DEFAULT value, is kept; then record that it is not DER."""
    cdef KeptElement *kept
    if c.kept.count == saved.kept:
        return False
    kept = <KeptElement *>c.kept.items + saved.kept
    if kept.start != e.h.start - c.base:
        # A part of it is kept.
        return False
    kept.valid = False
    kept.is_default = True
    return True


cdef bint frame_kept(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Replace the header of a kept element by one that its type has in DER, so that its parent can be validated."""
    cdef int fault = FAULT_NONE
    if e.h.tag & 1 and (node.tag ^ e.h.tag == 1 or (
            is_choice(node.kind) and find_alternative(node, e.h.tag) < 0 and chosen_alternative(node, e.h.tag) >= 0)):
        fault = FAULT_STRING_CONSTRUCTED
    return reserve_header(c, e) and write_header(c, e, fault)


cdef bint require_der(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Copy an element that must be DER. Report a form that only BER allows.

    Leave any other fault to the check of the output, which also knows the deviation that tolerates it.
    """
    cdef int depth = c.check.depth
    close_run(c)
    if is_der(c, node, e):
        return True
    if is_limit(c.check.fault):
        return fail_at(c, c.check.fault, c.check.at, e.limit, node)
    if e.indefinite or is_form_of_ber(&c.check, e.limit):
        return fail_at(c, FAULT_SIGNED_NOT_DER, e.h.start, e.limit, node)
    clear_fault(&c.check)
    c.check.depth = depth
    return True


cdef bint is_form_of_ber(Check *check, const uint8_t *end) noexcept nogil:
    """Return whether the conversion would change what the fault that is set is about."""
    cdef Header h
    cdef int form = FORMS_OF_BER[check.fault]
    cdef int fault
    if form == 0 or check.fault_in_string:
        # The contents of strings are not converted.
        return False
    fault = reread_header(check.at, end, &h)
    if form == FORM_OF_CONTENTS:
        # Other contents are invalid in BER, too, or have no DER encoding.
        return fault == FAULT_NONE and has_der_form(check.expected, &h)
    # X.690 8.1.3.2: a primitive element has a definite length.
    return check.fault != FAULT_LENGTH_INDEFINITE or h.tag & 1


cdef bint is_der(Conversion *c, const Node *node, const BerElement *e) noexcept nogil:
    """Return whether an element is DER of its type. Otherwise the fault is left in `c.check`."""
    cdef Header h
    return not e.indefinite and check_element(&c.check, node, e.h.start, e.h.end, NULL, &h)
