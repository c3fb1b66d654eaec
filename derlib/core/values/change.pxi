# What a conversion of BER changed, and what it kept, as Python values.

@cython.final
@cython.no_gc
cdef class Changes:
    """The changes of a conversion, as a sequence of `Change`. They are made when they are read."""
    cdef Converted converted

    def __init__(self):
        raise TypeError("Converted.changes creates Changes")

    cdef ConversionLog log(self):
        """Return the log; raise TypeError if this object was made by `__new__` alone."""
        if self.converted is None:
            raise TypeError("these Changes have no conversion: Converted.changes creates Changes")
        return self.converted.log

    def __len__(self):
        cdef ConversionLog log = self.log()
        return log.count_changes()[log.edits.count]

    def __iter__(self):
        cdef ConversionLog log = self.log()
        cdef RunElement element
        cdef Py_ssize_t i
        cdef Py_ssize_t j
        for i in range(log.edits.count):
            if log.edit(i).fault:
                yield change_new(self.converted, log.edit(i), NULL)
            elif log.edit(i).what == EDIT_RUN:
                begin_run(log, log.edit(i), &element)
                while next_of_run(log, &element):
                    for j in range(element.template.first, element.template.first + element.template.count):
                        if log.edit(j).fault:
                            yield change_new(self.converted, log.edit(j), &element)

    def __getitem__(self, index):
        cdef ConversionLog log = self.log()
        cdef const Py_ssize_t *counts = log.count_changes()
        cdef Py_ssize_t count = counts[log.edits.count]
        cdef Py_ssize_t number
        cdef Py_ssize_t low = 0
        cdef Py_ssize_t high = log.edits.count
        cdef Py_ssize_t middle
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(*index.indices(count))))
        number = PyNumber_AsSsize_t(index, IndexError)
        if number < 0:
            number += count
        if not 0 <= number < count:
            raise IndexError("index of a change out of range")
        while low < high:
            middle = (low + high) // 2
            if counts[middle] <= number:
                low = middle + 1
            else:
                high = middle
        if log.edit(low - 1).what == EDIT_RUN:
            return change_of_run(self.converted, log.edit(low - 1), number - counts[low - 1])
        return change_new(self.converted, log.edit(low - 1), NULL)

    def __repr__(self):
        return f"<{len(self)} change{'' if len(self) == 1 else 's'}>"


cdef Changes changes_of(Converted converted):
    cdef Changes changes = Changes.__new__(Changes)
    changes.converted = converted
    return changes


cdef object change_of_run(Converted converted, const Edit *run, Py_ssize_t number):
    """Return a change of an element of a run."""
    cdef ConversionLog log = converted.log
    cdef RunElement element
    cdef Py_ssize_t i
    begin_run(log, run, &element)
    while next_of_run(log, &element) and number >= element.template.changes:
        number -= element.template.changes
    i = element.template.first
    while log.edit(i).fault == FAULT_NONE or number > 0:
        number -= log.edit(i).fault != FAULT_NONE
        i += 1
    return change_new(converted, log.edit(i), &element)


cdef object change_new(Converted converted, const Edit *edit, const RunElement *element):
    """Return the `Change` that an edit is; if it is an edit of a template, that of this element of a run."""
    from derlib.ber import Change

    cdef ConversionLog log = converted.log
    kind, _, clause, _ = FAULTS[edit.fault]
    cdef Span output = output_span(converted, edit)
    cdef Py_ssize_t moved = 0
    if element == NULL:
        path = log.path(edit.step, -1, 0)
    else:
        moved = element.at - element.template.start
        path = log.path(edit.step, element.template.place, element.run.end + element.number)
        output = Span(output.offset + element.out - log.destination(element.template.start), output.header_length,
                      output.content_length)
    return Change(kind, clause, path,
                  Span(edit.start + moved, edit.header, edit.end - edit.start - edit.header), output)


cdef Span output_span(Converted converted, const Edit *edit):
    """Return the position of a changed element in the output; an empty one if it was dropped."""
    cdef Header h
    cdef const uint8_t *base = converted.source.base
    if edit.what == EDIT_DROP:
        return Span(edit.out, 0, 0)
    if edit.what == EDIT_HEADER:
        return Span(edit.out, edit.insert, edit.value)
    if reread_header(base + converted.log.destination(edit.start), base + converted.source.size, &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return span_new(converted.source, &h)


cdef tuple kept_of(Converted converted, ConversionLog log):
    """Return the `Kept` of each element that was copied unchanged, by the log of the conversion."""
    from derlib.ber import Kept

    cdef KeptElement *kept
    cdef Py_ssize_t i
    cdef Py_ssize_t start
    cdef list found = []
    for i in range(log.kept.count):
        kept = <KeptElement *>log.kept.items + i
        start = log.destination(kept.start)
        content = kept.end - kept.start - kept.header
        found.append(Kept(log.path(kept.place, -1, 0), Span(kept.start, kept.header, content),
                          Span(start, kept.header, content),
                          None if kept.valid else kept_error(converted, log, kept, start)))
    return tuple(found)


cdef object kept_error(Converted converted, ConversionLog log, const KeptElement *kept, Py_ssize_t start):
    """Return the error of a kept element that is not DER, with the path from the whole value."""
    cdef Check c
    cdef Header h
    cdef Options options = converted.source.options()[0]
    cdef const uint8_t *p = converted.source.base + start
    cdef const uint8_t *end = p + (kept.after - kept.start)
    # A conversion tolerates nothing in it.
    options.names_no_deviation = True
    check_begin(&c, &options, NULL)
    if kept.is_default:
        fail(&c, FAULT_DEFAULT_ENCODED, p, kept.node)
    elif check(&c, kept.node, p, end, False, &h):
        return None
    error = fault_of(&c, p, end, kept.start, None)
    args = error.args
    return type(error)(args[0], log.path(kept.place, -1, 0) + args[1], *args[2:])
