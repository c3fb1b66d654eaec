# Building a view from keyword arguments: `T(field=value, ...)` for a SEQUENCE class.
#
# Small values are built most often, so `call_with_keywords` replaces the call of such a class (PEP 590), and passes the
# array of arguments to the general encoder (`write_collected`) without a dict. `__new__` and `__init__` handle classes
# that define these methods themselves, types with a field that selects the type of another, and all errors.


cdef object call_with_keywords(object cls, PyObject **args, size_t nargsf, PyObject *names):
    """Call a class of SEQUENCE or SET views: the `tp_vectorcall` of these classes."""
    cdef (PyObject *)[MAX_COLLECTED] found
    cdef Plan plan
    if names != NULL and positional(nargsf) == 0 and has_default_constructor(cls, SequenceView):
        plan = class_plan(cls)
        if plan.type is cls and (load_flag(&plan.from_keywords) or builds_from_keywords(plan)) \
                and collect_keywords(plan, args, names, found):
            value = view_from_keywords(plan, found)
            if value is not None:
                return value
    return call_type(cls, args, nargsf, names)


cdef bint builds_from_keywords(Plan plan) except -1:
    """Return whether a class can be built from an array of fields: no field depends on another. Store a True result."""
    cdef const Node *node = &plan.node
    cdef Py_ssize_t i
    plan.prepared()
    if node.kind != KIND_SEQUENCE or not can_collect(node) or node.constraints != NULL or node.leading_required:
        return False
    for i in range(node.component_count):
        if depends_on_selector(node.components[i].node):
            return False
    set_flag(&plan.from_keywords)
    return True


cdef bint collect_keywords(Plan plan, PyObject **args, PyObject *names, PyObject **found) except -1:
    """Store the values of all fields in `found` (borrowed); return False if one is missing, unknown or repeated."""
    cdef const Node *node = &plan.node
    cdef PyObject **own = items_of(<PyObject *>plan.names)
    cdef Py_ssize_t i = 0
    cdef Py_ssize_t j
    clear_collected(found, node.component_count)
    for j in range(len(<tuple>names)):
        i = find_name(own, node.component_count, i, <PyObject *>PyTuple_GET_ITEM(<object>names, j))
        if i == node.component_count or found[i] != NULL:
            return False
        found[i] = args[j]
        i += 1
    for i in range(node.component_count):
        if (found[i] == NULL or found[i] == <PyObject *>None) and not node.components[i].optional:
            return False
    return True


cdef object view_from_keywords(Plan plan, PyObject **found):
    """Return the view with these fields; None if a value is an EncodedListFile, which only `encode_to` accepts."""
    cdef Writer w = Writer.__new__(Writer)
    cdef SequenceView view
    cdef Py_ssize_t length
    w.level = 1
    note_depth(w, 0)
    write_collected(w, &plan.node, found, NULL)
    if w.list_files is not None:
        return None
    length = w.length()
    w.level = 0
    w.header(plan.node.tag, length)
    recheck_all(w, plan)
    view = <SequenceView>sequence_instance(SequenceView, <PyObject *>plan.type, blank_sequence)
    view.plan = plan
    if w.deferred != NULL and not FREE_THREADED:
        # Without the GIL, two threads could join the parts at the same time.
        view.source = empty_source()
        view.source.registrations = w.registrations
        view.source.max_depth = w.max_depth
        view.source.owner = w
        return view
    view.source = source_of_written(w)
    view.start = view.outer = view.source.base
    view.end = view.source.base + view.source.size
    view.content = view.end - length
    return view
