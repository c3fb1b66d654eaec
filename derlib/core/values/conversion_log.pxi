# The log of a conversion of BER: the edits of core/ber, by which positions and changes are found.
#
# A Source refers to the ConversionLog of its conversion, which refers to no source: sources are not garbage-collected.

@cython.final
@cython.no_gc
cdef class ConversionLog:
    """The edits of a conversion, in the order of the input, and what they refer to. It never changes."""
    cdef Array edits
    cdef Array places
    cdef Array kept
    cdef Array ambiguous
    cdef Array run_templates
    cdef Array run_numbers
    cdef Py_ssize_t *changes_before         # by edit: the number of changes before it; NULL until it is needed
    cdef Py_ssize_t *by_output      # if a SET was sorted: what `output_order` returned; otherwise NULL
    cdef Py_ssize_t by_output_count
    cdef Py_ssize_t consumed        # the bytes of the input that were used
    cdef Plan plan                  # keeps the nodes of `places` alive
    cdef bint is_of_der             # the input was DER: there are no edits, and nothing is known about kept elements
    cdef KeepRequest keep           # then: what the caller wanted to keep, or None

    def __cinit__(self):
        memset(&self.edits, 0, sizeof(Array))
        memset(&self.places, 0, sizeof(Array))
        memset(&self.kept, 0, sizeof(Array))
        memset(&self.ambiguous, 0, sizeof(Array))
        memset(&self.run_templates, 0, sizeof(Array))
        memset(&self.run_numbers, 0, sizeof(Array))

    def __dealloc__(self):
        free(self.edits.items)
        free(self.places.items)
        free(self.kept.items)
        free(self.ambiguous.items)
        free(self.run_templates.items)
        free(self.run_numbers.items)
        free(self.changes_before)
        free(self.by_output)

    cdef Edit *edit(self, Py_ssize_t i) noexcept:
        return <Edit *>self.edits.items + i

    cdef tuple path(self, int32_t place, int32_t element, Py_ssize_t index):
        """Return the path that ends with a step. The step `element`, that of a template, has this index instead."""
        cdef list path = []
        cdef Place *step
        cdef Plan plan
        while place >= 0:
            step = <Place *>self.places.items + place
            plan = plan_of(step.node)
            if place == element:
                path.append(index)
            else:
                path.append(step.index if plan.names is None else plan.names[step.index])
            place = step.parent
        path.reverse()
        return tuple(path)

    cdef Py_ssize_t destination(self, Py_ssize_t offset) noexcept:
        """Return the offset in the output of a byte of the input, or of the first byte that follows a dropped one."""
        cdef Py_ssize_t low = 0
        cdef Py_ssize_t high = self.edits.count
        cdef Py_ssize_t middle
        cdef Edit *edit
        while low < high:
            middle = (low + high) // 2
            if self.edit(middle).at <= offset:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return offset
        edit = self.edit(low - 1)
        if offset < edit.at + edit.drop:
            if edit.what == EDIT_RUN:
                return self.in_run(edit, offset, True)
            # The identifier octets of a header remain in their place.
            return edit.out + min(offset - edit.at, max(edit.insert - 1, 0))
        return edit.out + edit.insert + offset - edit.at - edit.drop

    cdef Py_ssize_t origin(self, Py_ssize_t offset) noexcept:
        """Return the offset in the input of a byte of the output, or of what an inserted byte replaces."""
        cdef Py_ssize_t low = 0
        cdef Py_ssize_t high = self.edits.count if self.by_output == NULL else self.by_output_count
        cdef Py_ssize_t middle
        cdef Edit *edit
        while low < high:
            middle = (low + high) // 2
            if self.edit(middle if self.by_output == NULL else self.by_output[middle]).out <= offset:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return offset
        edit = self.edit(low - 1 if self.by_output == NULL else self.by_output[low - 1])
        if offset < edit.out + edit.insert:
            if edit.what == EDIT_RUN:
                return self.in_run(edit, offset, False)
            # An initial octet that was inserted replaces nothing: it belongs to the header before it.
            return edit.at + min(offset - edit.out, edit.drop - 1)
        return edit.at + edit.drop + offset - edit.out - edit.insert

    cdef Py_ssize_t in_run(self, const Edit *run, Py_ssize_t offset, bint in_input) noexcept:
        """Return `destination` of an offset in a run, or `origin` if `in_input` is false.

        The element at the offset has the same edits as its template, whose positions are those of an earlier element.
        """
        cdef RunElement element
        cdef Py_ssize_t out
        begin_run(self, run, &element)
        while next_of_run(self, &element):
            if in_input and offset < element.at + element.template.length:
                break
            if not in_input and offset < element.out + element.template.out_length:
                break
        out = self.destination(element.template.start)
        if in_input:
            return self.destination(element.template.start + offset - element.at) - out + element.out
        return self.origin(out + offset - element.out) - element.template.start + element.at

    cdef const Py_ssize_t *count_changes(self) except NULL:
        """Return the number of changes before each edit, and at the end the number of all changes."""
        cdef Py_ssize_t *counts = <Py_ssize_t *>load_acquire(<void **>&self.changes_before)
        cdef RunElement element
        cdef Py_ssize_t count = 0
        cdef Py_ssize_t i
        if counts != NULL:
            return counts
        counts = <Py_ssize_t *>realloc(NULL, (self.edits.count + 1) * sizeof(Py_ssize_t))
        if counts == NULL:
            raise MemoryError
        for i in range(self.edits.count):
            counts[i] = count
            count += self.edit(i).fault != FAULT_NONE
            if self.edit(i).what == EDIT_RUN:
                begin_run(self, self.edit(i), &element)
                while next_of_run(self, &element):
                    count += element.template.changes
        counts[self.edits.count] = count
        if not set_if_null(<void **>&self.changes_before, <void *>counts):
            # Another thread was faster.
            free(counts)
        return <Py_ssize_t *>load_acquire(<void **>&self.changes_before)


cdef struct RunElement:             # an element of a run: see `next_of_run`
    const Edit *run
    const RunTemplate *template
    Py_ssize_t number               # its number in the run
    Py_ssize_t at                   # its offset in the input
    Py_ssize_t out                  # its offset in the output


cdef void begin_run(ConversionLog log, const Edit *run, RunElement *element) noexcept:
    """Prepare to go over the elements of a run."""
    element.run = run
    element.template = NULL
    element.number = -1
    element.at = run.at
    element.out = run.out


cdef bint next_of_run(ConversionLog log, RunElement *element) noexcept:
    """Move to the next element of a run; return False after the last one."""
    cdef const Edit *run = element.run
    if element.template != NULL:
        element.at += element.template.length
        element.out += element.template.out_length
    element.number += 1
    if element.number == run.start:
        return False
    element.template = <RunTemplate *>log.run_templates.items + run.step \
        + (<uint8_t *>log.run_numbers.items)[run.value + element.number]
    return True


cdef ConversionLog new_log(Conversion *c, Plan plan, Py_ssize_t consumed):
    """Return the log of a conversion that was written, which takes over its memory."""
    cdef ConversionLog log = ConversionLog.__new__(ConversionLog)
    log.plan = plan
    log.consumed = consumed
    log.edits = c.edits
    log.places = c.places
    log.kept = c.kept
    log.ambiguous = c.ambiguous
    log.run_templates = c.run_templates
    log.run_numbers = c.run_numbers
    memset(&c.edits, 0, sizeof(Array))
    memset(&c.places, 0, sizeof(Array))
    memset(&c.kept, 0, sizeof(Array))
    memset(&c.ambiguous, 0, sizeof(Array))
    memset(&c.run_templates, 0, sizeof(Array))
    memset(&c.run_numbers, 0, sizeof(Array))
    if c.has_sorted_set:
        log.by_output = output_order(&log.edits, consumed, &log.by_output_count)
        if log.by_output == NULL:
            raise MemoryError
    return log
