# The record of a lenient decode: the faults that it tolerated, and the opaque values that it still has to validate.
#
# An entry has the address and the fault. `deviations` of a view finds the path (core/values/deviations.pxi).

from libc.stdlib cimport free, qsort, realloc

cdef struct ToleratedFault:
    const uint8_t *at               # the element, or the data after the value
    uint64_t deviation
    int fault


cdef struct PendingCheck:           # an opaque value that is validated later (core/decode/open_type.pxi)
    Header element
    int depth                       # levels of nesting left for it


cdef struct Record:
    ToleratedFault *entries
    Py_ssize_t count
    Py_ssize_t room                 # the entries that there is memory for
    PendingCheck *pending
    Py_ssize_t pending_count
    Py_ssize_t pending_room
    bint exhausted                  # there was no memory for another entry


cdef void *grow(Record *record, void *items, Py_ssize_t *room, Py_ssize_t size) noexcept nogil:
    """Return more memory for items of `size` bytes; NULL, with nothing changed, if there is none."""
    # Grow by a large factor: copying costs more than memory that is never touched.
    cdef Py_ssize_t more = 4 * room[0] + 4
    cdef void *grown = NULL if more > PY_SSIZE_T_MAX // size else realloc(items, more * size)
    if grown == NULL:
        record.exhausted = True
    else:
        room[0] = more
    return grown


cdef bint defer(Record *record, const Header *h, int depth) noexcept nogil:
    """Defer the validation of an opaque value; return False if there is no memory."""
    cdef void *grown
    if record.pending_count == record.pending_room:
        grown = grow(record, record.pending, &record.pending_room, sizeof(PendingCheck))
        if grown == NULL:
            return False
        record.pending = <PendingCheck *>grown
    record.pending[record.pending_count].element = h[0]
    record.pending[record.pending_count].depth = depth
    record.pending_count += 1
    return True


cdef bint note(Record *record, const uint8_t *at, int fault, uint64_t deviation) noexcept nogil:
    """Record a tolerated fault; return False if there is no memory."""
    cdef void *grown
    if record.count == record.room:
        grown = grow(record, record.entries, &record.room, sizeof(ToleratedFault))
        if grown == NULL:
            return False
        record.entries = <ToleratedFault *>grown
    record.entries[record.count].at = at
    record.entries[record.count].fault = fault
    # The lowest bit of several: FAULT_ANY_SET_ORDER has two.
    record.entries[record.count].deviation = deviation & (~deviation + 1)
    record.count += 1
    return True


cdef int by_address(const void *a, const void *b) noexcept nogil:
    """Compare two entries, for `qsort`."""
    cdef const ToleratedFault *first = <const ToleratedFault *>a
    cdef const ToleratedFault *second = <const ToleratedFault *>b
    # `qsort` is not stable, so order the faults of one element by their number.
    return 1 if first.at > second.at else -1 if first.at < second.at else first.fault - second.fault


cdef void sort_record(Record *record) noexcept nogil:
    """Sort the record by address; nearly all entries are in this order already."""
    cdef Py_ssize_t i
    for i in range(1, record.count):
        if record.entries[i].at < record.entries[i - 1].at:
            qsort(record.entries, record.count, sizeof(ToleratedFault), by_address)
            return


cdef Py_ssize_t first_entry(const Record *record, const uint8_t *p) noexcept nogil:
    """Return the number of the first entry at or after `p` in a sorted record."""
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = record.count
    cdef Py_ssize_t middle
    while low < high:
        middle = low + (high - low) // 2
        if record.entries[middle].at < p:
            low = middle + 1
        else:
            high = middle
    return low
