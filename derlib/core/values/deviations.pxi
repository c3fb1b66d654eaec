# Tolerated faults of a value: `deviations` of views and of TLV.
#
# The check records the address of each fault (core/decode/record.pxi). `path_to` finds its path, by walking down the
# views.

cdef tuple entries_in(Source source, const uint8_t *start, const uint8_t *end):
    """Return the range of the entries for an element in the record: the first one, and the first one after it."""
    cdef const Record *record = source.tolerated()
    cdef Py_ssize_t first = first_entry(record, start)
    cdef Py_ssize_t last = first_entry(record, end)
    # Trailing data belongs to the whole value.
    while last < record.count and record.entries[last].at == end \
            and record.entries[last].fault == FAULT_TRAILING_DATA:
        last += 1
    return first, last


cdef tuple deviations_in(Source source, View view, const uint8_t *start, const uint8_t *end):
    """Return the `Tolerated` of all entries between two addresses; without a view, their paths are empty."""
    cdef const Record *record = source.tolerated()
    cdef const ToleratedFault *entry
    cdef ConversionLog log = None if source.extra is None else source.extra.conversion
    cdef Py_ssize_t i, offset
    cdef list found = []
    cdef list levels = []
    first, last = entries_in(source, start, end)
    for i in range(first, last):
        entry = &record.entries[i]
        kind, _, clause, _ = FAULTS[entry.fault]
        path = () if view is None or entry.fault == FAULT_TRAILING_DATA else path_to(view, entry, levels)
        offset = entry.at - source.base
        if log is not None:
            # As in an error, the offset is that in the input.
            offset = log.origin(offset)
        found.append(_options.Tolerated(DEVIATION_MEMBERS[entry.deviation], path, offset, clause, kind))
    if log is not None:
        # The conversion sorts sets.
        found.sort(key=lambda one: one.offset)
    return tuple(found)


# The members of Deviation by value: a call of the enum class takes longer than the rest of `deviations_in`.
cdef dict DEVIATION_MEMBERS = {member.value: member for member in _options.Deviation}


@cython.final
@cython.no_gc
cdef class Level:
    """A view on the path to a fault, and its part (field, element or alternative) that was found last.

    Faults are in the order of their addresses, so a level only moves forward: all paths together take one walk.
    """
    cdef View view
    cdef Header part                # with explicit tags; at first, an empty part at the start of the contents
    cdef const Node *node           # the type of the part, or NULL if no step leads to it
    cdef Py_ssize_t index           # the number of its field or element
    cdef const Component *following  # of a SEQUENCE, the first component that the next part may be
    cdef object value               # the view of the part, or None before `child` makes it

    cdef bint advance_to(self, const uint8_t *p) except -1:
        """Move to the part with the octet at `p`; return False if no step leads to it."""
        while self.part.end <= p:
            if self.part.end >= self.view.end or reread_header(self.part.end, self.view.end, &self.part):
                # There are no more parts, or the shared buffer has changed.
                self.part.start = self.part.end = self.view.end
                self.node = NULL
                return False
            self.value = None
            self.identify_part(&self.view.plan.node)
        return self.node != NULL and self.part.start <= p

    cdef int identify_part(self, const Node *node) except -1:
        """Set the number and the type of the part."""
        cdef const Component *component
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
        """Return the name of the field or alternative, or the index of the element."""
        names = self.view.plan.names
        return self.index if names is None else names[self.index]

    cdef object child(self):
        """Return the value of the part if it can be a view, else None."""
        if self.value is None and without_tags(self.node).kind >= KIND_SEQUENCE:
            self.value = self.view._part_value(self.index, &self.part)
        return self.value


cdef Level level_new(View view):
    """Return a Level before the first part of a view."""
    cdef Level level = Level.__new__(Level)
    level.view = view
    level.part.start = level.part.end = view.content
    level.following = view.plan.node.components
    level.index = -1
    if isinstance(view, ChoiceView):
        # Its only part starts where the CHOICE itself starts.
        level.part = view.header()
        level.index = (<ChoiceView>view).index
        if level.index >= 0:
            level.node = view.plan.node.components[level.index].node
    return level


cdef tuple path_to(View view, const ToleratedFault *entry, list levels):
    """Return the path from a view to the element with a fault, as in `DecodeError.path`.

    `levels` is empty for the first fault, and is passed again for the next one.
    """
    cdef list path = []
    cdef object value = view
    cdef Level level
    cdef const uint8_t *before
    cdef int fault = entry.fault
    # A CHOICE starts where its alternative starts. These faults are of the whole element, so the path ends at the
    # CHOICE.
    cdef bint is_of_whole = fault == FAULT_LENGTH_NOT_MINIMAL or fault == FAULT_DEFAULT_ENCODED \
        or fault == FAULT_SET_ORDER or fault == FAULT_SET_OF_ORDER or entry.deviation == OPEN_TYPE
    while isinstance(value, View):
        if is_of_whole and isinstance(value, ChoiceView) and (<View>value).start == entry.at:
            break
        if len(levels) == len(path):
            levels.append(level_new(<View>value))
        level = <Level>levels[len(path)]
        before = level.part.end
        found = level.advance_to(entry.at)
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
