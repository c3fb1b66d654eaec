# What was tolerated, told to the caller: the path of each breach is found by walking down the views.

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
    first, last = breaches_in(source, start, end)
    for i in range(first, last):
        breach = &record.breaches[i]
        kind, _, clause, _ = FAULTS[breach.fault]
        path = () if view is None or breach.fault == FAULT_TRAILING_DATA else path_to(view, breach)
        found.append(_options.Tolerated(
            _options.Deviation(breach.deviation), path, breach.at - source.base, clause, kind))
    return tuple(found)


cdef tuple path_to(View view, const Breach *breach):
    """Field names and indexes that lead from a view to the element of a breach, as in `DecodeError.path`."""
    cdef list path = []
    cdef object value = view
    cdef int fault = breach.fault
    # A CHOICE begins where its alternative begins: what is wrong with its place is not inside it.
    cdef bint placed = fault == FAULT_LENGTH_NOT_MINIMAL or fault == FAULT_DEFAULT_ENCODED \
        or fault == FAULT_SET_ORDER or fault == FAULT_SET_OF_ORDER or breach.deviation == OPEN_TYPE
    while isinstance(value, View):
        if placed and isinstance(value, ChoiceView) and (<View>value).start == breach.at:
            break
        step = (<View>value)._step_to(breach.at)
        if step is None:
            break
        path.append(step)
        try:
            value = (<View>value)._child(step)
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
