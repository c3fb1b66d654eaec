# What was tolerated, as the caller sees it: the path of each breach is found by walking down the views.

cdef tuple breaches_in(Source source, const uint8_t *start, const uint8_t *end):
    """The numbers of the first breach of an element and of the first behind it."""
    cdef const Record *record = source.tolerated()
    cdef Py_ssize_t first = first_breach(record, start)
    cdef Py_ssize_t last = first_breach(record, end)
    # Octets behind the whole value belong to it, those behind any other element to the one around.
    while last < record.count and record.breaches[last].at == end \
            and record.breaches[last].fault == FAULT_TRAILING_DATA:
        last += 1
    return first, last


cdef tuple deviations_in(Source source, View view, const uint8_t *start, const uint8_t *end):
    cdef const Record *record = source.tolerated()
    cdef const Breach *breach
    cdef Py_ssize_t i
    cdef list found = []
    cdef list levels = []
    first, last = breaches_in(source, start, end)
    for i in range(first, last):
        breach = &record.breaches[i]
        kind, _, clause, _ = FAULTS[breach.fault]
        path = () if view is None or breach.fault == FAULT_TRAILING_DATA else path_to(view, breach, levels)
        found.append(_options.Tolerated(
            DEVIATION_MEMBERS[breach.deviation], path, breach.at - source.base, clause, kind))
    return tuple(found)


# By value: calling the class takes longer than all the rest.
cdef dict DEVIATION_MEMBERS = {member.value: member for member in _options.Deviation}


@cython.final
@cython.no_gc
cdef class Level:
    """A view on the way to a breach, and the part of it (field, element or alternative) that was reached last.

    Breaches are in the order of their offsets, so a level only moves forward: all paths together take one walk.
    """
    cdef View view
    cdef Header part                # with its tags; before the first part, an empty one where the contents begin
    cdef const Node *node           # the type of the part, NULL where no step leads to it
    cdef Py_ssize_t index           # the number of its field or element
    cdef const Component *following # of a SEQUENCE, the first component that the next part may be
    cdef object value               # the view of the part, once it was asked for

    cdef bint reach(self, const uint8_t *p) except -1:
        """Move to the part that holds the octet at `p`; return False where no step leads to one."""
        while self.part.end <= p:
            if self.part.end >= self.view.end or reread_header(self.part.end, self.view.end, &self.part):
                # Nothing follows. (In a shared buffer that changed, nothing that can be read.)
                self.part.start = self.part.end = self.view.end
                self.node = NULL
                return False
            self.value = None
            self.look_up_part(&self.view.plan.node)
        return self.node != NULL and self.part.start <= p

    cdef int look_up_part(self, const Node *node) except -1:
        cdef const Component *component
        """Find out which field or element the part is."""
        if is_list(node.kind):
            self.index += 1
            self.node = node.element
            return 0
        component = component_of(node, &self.following, &self.part)
        # No step leads to an unknown addition.
        self.node = NULL
        if component != NULL:
            self.node = component.node
            self.index = component - node.components
        return 0

    cdef object step(self):
        """The name of the field or alternative, or the index of the element."""
        names = self.view.plan.names
        return self.index if names is None else names[self.index]

    cdef object child(self):
        """The value of the part where it may be a view, which is made once; else None."""
        cdef const Node *node = self.node
        while node.kind == KIND_EXPLICIT:
            node = node.element
        if self.value is None and node.kind >= KIND_SEQUENCE:
            self.value = self.view._part(self.index, &self.part)
        return self.value


cdef Level level_new(View view):
    cdef Level level = Level.__new__(Level)
    level.view = view
    level.part.start = level.part.end = view.content
    level.following = view.plan.node.components
    level.index = -1
    if isinstance(view, ChoiceView):
        # It has one part, which begins where it begins itself.
        level.part = view.header()
        level.index = (<ChoiceView>view).index
        if level.index >= 0:
            level.node = view.plan.node.components[level.index].node
    return level


cdef tuple path_to(View view, const Breach *breach, list levels):
    """Field names and indexes that lead from a view to the element of a breach, as in `DecodeError.path`.

    `levels` are those of the way to the breach before, empty at first.
    """
    cdef list path = []
    cdef object value = view
    cdef Level level
    cdef const uint8_t *before
    cdef int fault = breach.fault
    # A CHOICE begins where its alternative begins: what is wrong with its place is not inside it.
    cdef bint require_value = fault == FAULT_LENGTH_NOT_MINIMAL or fault == FAULT_DEFAULT_ENCODED \
        or fault == FAULT_SET_ORDER or fault == FAULT_SET_OF_ORDER or breach.deviation == OPEN_TYPE
    while isinstance(value, View):
        if require_value and isinstance(value, ChoiceView) and (<View>value).start == breach.at:
            break
        if len(levels) == len(path):
            levels.append(level_new(<View>value))
        level = <Level>levels[len(path)]
        before = level.part.end
        found = level.reach(breach.at)
        if level.part.end != before:
            del levels[len(path) + 1:]
        if not found:
            break
        path.append(level.step())
        try:
            value = level.child()
        except _errors.UnrepresentableError:
            break
    return tuple(path)


cdef tuple options_for(Source source, const uint8_t *start, const uint8_t *end):
    """What `restore` needs beside the octets to read an element as it was read: as little as will do."""
    first, last = breaches_in(source, start, end)
    tolerate = _options.Deviation(source.options().tolerated) if last > first else None
    if tolerate is None and source.limits() is None:
        return ()
    return tolerate, source.limits()
