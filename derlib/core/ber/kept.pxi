# Elements that are not converted: those that are copied unchanged, because signatures cover their bytes, and those
# that must be DER already, because signatures cover their DER encoding.

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


cdef bint is_kept_path(Conversion *c) noexcept with gil:
    """Return whether the path to the current element is one that the caller wants to keep."""
    cdef Py_ssize_t count = 0       # of steps
    cdef int i
    for i in range(c.level):
        count += c.trail[i].index >= 0
    if not c.keep.lengths >> min(count, 63) & 1:
        return False
    try:
        for path in <tuple>c.keep.paths:
            if len(<tuple>path) == count and is_current_path(c, <tuple>path):
                return True
    except MemoryError:
        c.out_of_memory = True
    return False


cdef bint is_current_path(Conversion *c, tuple path) except -1:
    """Return whether a path with as many steps leads to the current element."""
    cdef Plan plan
    cdef Py_ssize_t number = 0
    cdef int i
    for i in range(c.level):
        if c.trail[i].index < 0:
            continue
        expected = path[number]
        number += 1
        plan = plan_of(c.trail[i].node)
        if plan.names is not None:
            if expected != plan.names[c.trail[i].index]:
                return False
        # Only lists have no names; "*" is any index.
        elif expected != "*" and expected != c.trail[i].index:
            return False
    return True


cdef bint keep_element(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Copy an element unchanged, and record whether it is DER."""
    cdef KeptElement *kept
    cdef int depth = c.check.depth
    cdef int open_levels = c.check.open_levels
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
    if is_limit(c.check.fault):
        return refuse(c, c.check.fault, c.check.at, e.after, node)
    clear_fault(&c.check)
    c.check.depth = depth
    c.check.open_levels = open_levels
    if c.frames_kept and not kept.valid:
        return frame_kept(c, node, e)
    return not c.out_of_memory


cdef bint frame_kept(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Replace the header of a kept element by one that its type has in DER, so that its parent can be validated."""
    cdef int fault = FAULT_NONE
    if e.h.tag & 1 and (node.tag ^ e.h.tag == 1 or (
            is_choice(node.kind) and find_alternative(node, e.h.tag) < 0 and chosen_alternative(node, e.h.tag) >= 0)):
        fault = FAULT_STRING_CONSTRUCTED
    return reserve_header(c, e) and write_header(c, e, fault)


cdef bint refuse_unless_der(Conversion *c, const Node *node, BerElement *e) noexcept nogil:
    """Copy an element that must be DER; report a fault if it is not."""
    close_run(c)
    if is_der(c, node, e):
        return True
    if is_limit(c.check.fault):
        return refuse(c, c.check.fault, c.check.at, e.limit, node)
    return refuse(c, FAULT_SIGNED_NOT_DER, e.h.start, e.limit, node)


cdef bint is_der(Conversion *c, const Node *node, const BerElement *e) noexcept nogil:
    """Return whether an element is DER of its type. Otherwise the fault is left in `c.check`."""
    cdef Header h
    return not e.indefinite and check_element(&c.check, node, e.h.start, e.h.end, NULL, &h)
