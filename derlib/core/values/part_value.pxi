# The value of a part of a stream: an element that is in memory as a whole, although its surroundings are not.
#
# The type of an open type can depend on a selector before it. The reader gives a scope: the plan of the SEQUENCE around
# the part, and contents octets that have the selector in its place. They are put before the part in one bytes object,
# because the views of the part refer to them.


cdef object part_value(PartReader reader, Plan plan, bytes octets, Py_ssize_t first, int levels, Plan around,
                       bytes scope, ConversionLog log, bint with_value):
    """Validate an element at offset `first`, and return its value if `with_value` is true.

    `log` is that of its conversion, or None.
    """
    cdef Check c
    cdef Header h
    cdef Scope found
    cdef const Scope *outer = NULL
    cdef const uint8_t *end
    cdef bint valid
    cdef Options options = reader.options
    cdef Source source = empty_source()
    require_levels(levels)
    plan.prepared()
    source.registrations = load_count(&registrations)
    source.owner = octets if around is None else scope + octets
    source.base = <const uint8_t *>PyBytes_AS_STRING(source.owner)
    source.size = PyBytes_GET_SIZE(octets)
    if around is not None:
        set_scope(&found, &around.node, source.base, source.base + PyBytes_GET_SIZE(scope))
        outer = &found
        source.base = found.end
    if reader.limits is not None or log is not None:
        source.extra = SourceExtra.__new__(SourceExtra)
        source.extra.limits = reader.limits
        source.extra.options = reader.options
        source.extra.conversion = log
    check_begin(&c, &options, NULL)
    c.depth = c.lowest = reader.options.depth - levels
    c.elements = reader.elements
    if source.size >= GIL_RELEASE_SIZE:
        with nogil:
            valid = check_element(&c, &plan.node, source.base, source.base + source.size, outer, &h)
    else:
        valid = check_element(&c, &plan.node, source.base, source.base + source.size, outer, &h)
    reader.elements = c.elements
    if not valid:
        # Messages call what ends here the input only if this is the outermost element.
        end = source.base + source.size + (levels > 0)
        if log is not None:
            options.reads_ber = not is_in_kept(log, c.at - source.base)
            raise moved_error(&c, fault_of(&c, source.base, end, 0, None), log, first)
        raise fault_of(&c, source.base, end, first, reader.ber_hint(&c, end))
    source.max_depth = reader.options.depth - c.lowest
    return make_value(source, &plan.node, &h, outer) if with_value else None


cdef int require_levels(int levels) except -1:
    """Raise ValueError for a negative number of elements around a part: the depth would exceed the limit."""
    if levels < 0:
        raise ValueError("levels is negative")
    return 0


cdef tuple convert_part(PartReader reader, Plan plan, bytes octets, Py_ssize_t first, int levels, Plan around,
                        bytes scope):
    """Convert an element at offset `first`; return its DER and the log of the conversion."""
    cdef Conversion c
    cdef BerElement e
    cdef BerScope found
    cdef BerScope *outer = NULL
    cdef ConversionLog log
    cdef bytes der
    # At least one byte comes before the element: the first one would be the outermost value, which is always converted,
    # but an element inside may have to be kept.
    cdef bytes before = scope if scope else b"\0"
    cdef bytes whole = before + octets if levels else octets
    cdef const uint8_t *base = <const uint8_t *>PyBytes_AS_STRING(whole)
    cdef const uint8_t *end = base + PyBytes_GET_SIZE(whole)
    cdef const uint8_t *p = end - PyBytes_GET_SIZE(octets)
    cdef bint valid
    cdef Options options = reader.options
    options.reads_ber = True
    require_levels(levels)
    plan.prepared()
    conversion_begin(&c, &options, base)
    c.check.depth = c.check.lowest = reader.options.depth - levels
    c.check.elements = reader.elements
    if around is not None:
        memset(&found, 0, sizeof(BerScope))
        found.node = &around.node
        found.content = base
        found.limit = p
        outer = &found
    try:
        with nogil:
            if levels:
                begin_steps(&c, &plan.node)
            valid = read_element(&c, p, end, &plan.node, &e) and convert_typed(&c, &plan.node, &e, outer)
        if c.out_of_memory:
            raise MemoryError
        if not valid:
            raise fault_of(&c.check, p, end + (levels > 0), first, signed_hint(&c.check, False))
        der = edited_octets(&c, &e)
        move_edits(&c, p - base)
        log = new_log(&c, plan, e.after - e.h.start)
    finally:
        conversion_end(&c)
    return der, log


cdef void move_edits(Conversion *c, Py_ssize_t before) noexcept:
    """Let the places in the input count from the start of the element, which has `before` bytes before it."""
    cdef Py_ssize_t i
    for i in range(c.edits.count):
        edits_of(c)[i].at -= before
        if edits_of(c)[i].what != EDIT_MARK and edits_of(c)[i].what != EDIT_RUN:
            edits_of(c)[i].start -= before
            edits_of(c)[i].end -= before
    for i in range(c.run_templates.count):
        (<RunTemplate *>c.run_templates.items)[i].start -= before
    for i in range(c.kept.count):
        (<KeptElement *>c.kept.items)[i].start -= before
        (<KeptElement *>c.kept.items)[i].after -= before
        (<KeptElement *>c.kept.items)[i].end -= before
    for i in range(c.ambiguous.count):
        (<AmbiguousElement *>c.ambiguous.items)[i].start -= before
        (<AmbiguousElement *>c.ambiguous.items)[i].end -= before
