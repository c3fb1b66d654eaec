# Views built from keyword arguments: `T(field=value, ...)` where T is a SEQUENCE without rarer traits.
#
# Small values are built more often than anything else is written. A call comes here as CPython has it, an array of
# values and a tuple of names (PEP 590), and the writer takes the values from where they stand. Whatever is not plain
# goes the way of every class, through `__new__` and `__init__`: classes that have these themselves, types of which a
# field selects the type of another, and all mistakes, so that each error is raised in one place.


cdef object call_with_keywords(object cls, PyObject **args, size_t nargsf, PyObject *names):
    """Call a class of SEQUENCE or SET views."""
    cdef (PyObject *)[MAX_COLLECTED] found
    cdef Plan plan
    if names != NULL and positional(nargsf) == 0 and has_default_constructor(cls, SequenceView):
        plan = class_plan(cls)
        if plan.type is cls and (plan.from_keywords or builds_from_keywords(plan)) \
                and collect_keywords(plan, args, names, found):
            value = view_from_keywords(plan, found)
            if value is not None:
                return value
    return call_type(cls, args, nargsf, names)


cdef bint builds_from_keywords(Plan plan) except -1:
    """Whether values of a class can be built from an array of its fields, each without a look at the others."""
    cdef const Node *node = &plan.node
    cdef Py_ssize_t i
    plan.prepared()
    if node.kind != KIND_SEQUENCE or not can_collect(node) or node.constraints != NULL or node.one_of:
        return False
    for i in range(node.component_count):
        if depends_on_selector(node.components[i].node):
            return False
    plan.from_keywords = True
    return True


cdef bint collect_keywords(Plan plan, PyObject **args, PyObject *names, PyObject **found) except -1:
    """Find the values of all fields, where each is given that must be, and nothing else; borrowed from the caller."""
    cdef const Node *node = &plan.node
    cdef tuple own = plan.names
    cdef PyObject *name
    cdef Py_ssize_t i = 0
    cdef Py_ssize_t j
    clear_gathered(found, node.component_count)
    for j in range(len(<tuple>names)):
        name = <PyObject *>PyTuple_GET_ITEM(<object>names, j)
        # Mostly the next one; else from the beginning. A name is one object in a program (it is interned).
        if i == node.component_count or <PyObject *>PyTuple_GET_ITEM(own, i) != name:
            i = 0
            while i < node.component_count and <PyObject *>PyTuple_GET_ITEM(own, i) != name:
                i += 1
            if i == node.component_count or found[i] != NULL:
                return False
        found[i] = args[j]
        i += 1
    for i in range(node.component_count):
        if (found[i] == NULL or found[i] == <PyObject *>None) and not node.components[i].optional:
            return False
    return True


cdef object view_from_keywords(Plan plan, PyObject **found):
    """The view with these fields, of which none is missing; None where values are for `derlib.encode_to` only."""
    cdef Writer w = Writer.__new__(Writer)
    cdef SequenceView view
    cdef Py_ssize_t length
    w.level = 1
    note_depth(w, 0)
    write_collected(w, &plan.node, found, NULL)
    if w.list_files is not None:
        return None
    length = w.written()
    w.level = 0
    w.header(plan.node.tag, length)
    recheck_all(w, plan)
    view = <SequenceView>sequence_instance(SequenceView, <PyObject *>plan.type, blank_sequence)
    view.source = source_of_written(w)
    view.plan = plan
    view.start = view.outer = view.source.base
    view.end = view.source.base + view.source.size
    view.content = view.end - length
    return view
