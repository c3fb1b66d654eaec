# Look-up: a hash index over the elements of a list by one of their fields, such as a CRL's entries by serial number.
#
# The table holds the place of each element, four octets, in two slots an element; values are not stored but compared in
# the octets of the list. Elements are entered in their order, so among equal values the first is found first.
# Hashing is SipHash-1-3 with a random key: who writes a CRL cannot choose serial numbers that collide.
#
# Equal values do collide, and a list may repeat its values. `lookup_fill` enters all elements without comparing values,
# as long as it takes few steps from slot to slot. If it takes more, `lookup_fill_repeated` starts over: it enters only
# the first LOOKUP_SAME elements of each value and compares each element with one other. Such a table has an even
# number of slots. A search that finds LOOKUP_SAME elements in it reads the rest of the list for more.

from cpython.bytes cimport PyBytes_FromStringAndSize

from os import urandom as _urandom

cdef enum:
    LOOKUP_KEY_OCTETS = 16
    LOOKUP_BATCH = 32
    LOOKUP_SAME = 8
    # Steps from slot to slot, for each element. Values that differ take about half a step.
    LOOKUP_STEPS = 4


@cython.final
@cython.no_gc
cdef class LookupTable:
    """The table alone: key, then slots, in one bytes object. It refers to no view, so that a view may keep it."""
    cdef bytes octets
    cdef uint64_t[2] key
    cdef const uint8_t *slots       # little-endian: 1 + the offset of an element in the contents of the list, 0 if free
    cdef uint64_t count             # of slots; even where values are repeated: see `lookup_fill_repeated`
    cdef Py_ssize_t field
    cdef bint from_pickle              # from a pickle: a place may be inside an element, where octets are not proved

    cdef inline uint64_t first(self, const uint8_t *p, Py_ssize_t n) noexcept nogil:
        """The slot where the search for contents octets begins."""
        return ((siphash(p, n, self.key) >> 32) * self.count) >> 32

    cdef inline uint32_t slot(self, uint64_t i) noexcept nogil:
        return load4(self.slots + 4 * i)


cdef LookupTable lookup_table(Py_ssize_t field, bytes octets):
    """A table of these octets; whoever uses it treats what it says as a hint that may be wrong."""
    cdef LookupTable table = LookupTable.__new__(LookupTable)
    cdef const uint8_t *p = <const uint8_t *><const char *>octets
    cdef Py_ssize_t size = len(octets) - LOOKUP_KEY_OCTETS
    if size < 4 or size % 4 or size // 4 > <Py_ssize_t>0x7FFFFFFF:
        raise _errors.DecodeError("the octets are no look-up table", (), 0, "", "lookup-table")
    table.octets = octets
    table.key[0] = load8(p)
    table.key[1] = load8(p + 8)
    table.slots = p + LOOKUP_KEY_OCTETS
    table.count = size // 4
    table.field = field
    return table


cdef LookupTable lookup_build(ListView view, Py_ssize_t field):
    """Make the table of a list."""
    cdef Py_ssize_t count = view.counted()
    cdef const Node *element = view.plan.node.element
    cdef uint64_t size = 2 * <uint64_t>count + 1
    cdef LookupTable table = lookup_blank(view, field, size)
    cdef uint8_t *slots = <uint8_t *>table.slots
    cdef uint8_t *marks
    cdef bint filled
    with nogil:
        filled = lookup_fill(element, view.content, view.end, field, table.key, slots, size, count)
    if filled:
        return table
    size += 1
    table = None
    table = lookup_blank(view, field, size)
    slots = <uint8_t *>table.slots
    marks = <uint8_t *>PyMem_Calloc(size, 2)
    if marks == NULL:
        raise MemoryError
    with nogil:
        lookup_fill_repeated(element, view.content, view.end, field, table.key, slots, size, count, marks)
    PyMem_Free(marks)
    return table


cdef LookupTable lookup_blank(ListView view, Py_ssize_t field, uint64_t size):
    """A table with so many free slots, and a new key."""
    cdef bytes octets
    cdef bytes key
    if <uint64_t>(view.end - view.content) >= 0xFFFFFFFF:
        raise _errors.EncodeError("a list of 4 GiB or more has no look-up table")
    if size > (<uint64_t>PY_SSIZE_T_MAX - LOOKUP_KEY_OCTETS) // 4:
        # Only where a machine word has 32 bits.
        raise MemoryError
    octets = PyBytes_FromStringAndSize(NULL, LOOKUP_KEY_OCTETS + 4 * size)
    key = _urandom(LOOKUP_KEY_OCTETS)
    memcpy(PyBytes_AS_STRING(octets), <const char *>key, LOOKUP_KEY_OCTETS)
    memset(PyBytes_AS_STRING(octets) + LOOKUP_KEY_OCTETS, 0, 4 * size)
    return lookup_table(field, octets)


cdef inline bint indexed_octets(const Node *element, const Header *h, Py_ssize_t field, Header *found) noexcept nogil:
    """The octets that an element is found by: the contents of its field, or of the DEFAULT that stands for it.

    Where a field may have several tags, as a CHOICE has, the tag is part of the value and belongs to them.
    """
    cdef const Component *component = &element.components[field]
    if not find_component(element, h.content, h.end, field, found):
        if component.default == NULL:
            return False
        reread_header(component.default, component.default + component.default_length, found)
    if component.node.tag == NO_TAG:
        found.content = found.start
    elif is_integer(component.node.kind):
        # Padding may have been tolerated; the value is the same.
        found.content = without_padding(found.content, found.end - found.content)
    return True


cdef inline bint same_octets(const Node *element, const Header *h, Py_ssize_t field, const uint8_t *p,
                             Py_ssize_t n) noexcept nogil:
    """Whether an element is found by these octets."""
    cdef Header found
    return indexed_octets(element, h, field, &found) and found.end - found.content == n \
        and memcmp(found.content, p, n) == 0


cdef inline bint same_place(const Node *element, const uint8_t *p, const uint8_t *end, Py_ssize_t field,
                            const Header *found) noexcept nogil:
    """Whether the element at a place has the same octets as those that were found."""
    cdef Header h
    return reread_header(p, end, &h) == FAULT_NONE \
        and same_octets(element, &h, field, found.content, found.end - found.content)


cdef bint lookup_fill(const Node *element, const uint8_t *content, const uint8_t *end, Py_ssize_t field,
                      const uint64_t *key, uint8_t *slots, uint64_t size, Py_ssize_t count) noexcept nogil:
    """Enter all elements, a few at a time: while some are hashed, the slots of others come into the cache.

    Return False where that takes too many steps, as it does where values are repeated.
    """
    cdef Header h
    cdef Header found
    cdef const uint8_t *p = content
    cdef uint64_t[LOOKUP_BATCH] first
    cdef uint32_t[LOOKUP_BATCH] place
    cdef uint64_t i
    # A short list may take as many steps as it does: they are few.
    cdef int64_t steps = LOOKUP_STEPS * <int64_t>count + LOOKUP_BATCH * LOOKUP_BATCH
    cdef int pending
    cdef int n
    # The count bounds what is entered, so that a shared buffer that changes cannot fill the last free slot.
    while count > 0:
        pending = 0
        while pending < LOOKUP_BATCH and p < end and count > 0 and reread_header(p, end, &h) == FAULT_NONE:
            count -= 1
            if indexed_octets(element, &h, field, &found):
                first[pending] = ((siphash(found.content, found.end - found.content, key) >> 32) * size) >> 32
                place[pending] = <uint32_t>(p - content + 1)
                prefetch(slots + 4 * first[pending])
                pending += 1
            p = h.end
        if pending == 0:
            return True
        for n in range(pending):
            i = first[n]
            while load4(slots + 4 * i) != 0:
                steps -= 1
                if steps < 0:
                    return False
                i = i + 1 if i + 1 < size else 0
            store4(slots + 4 * i, place[n])
    return True


cdef void lookup_fill_repeated(const Node *element, const uint8_t *content, const uint8_t *end, Py_ssize_t field,
                               const uint64_t *key, uint8_t *slots, uint64_t size, Py_ssize_t count,
                               uint8_t *marks) noexcept nogil:
    """Enter the first LOOKUP_SAME elements of each value.

    `marks` are two zero octets for each slot. At the first element of a value they become eight bits of its hash, and
    how many elements of the value are entered.
    """
    cdef Header h
    cdef Header found
    cdef const uint8_t *p = content
    cdef uint64_t hashed
    cdef uint64_t i
    cdef uint32_t taken
    cdef bint repeated
    # The count bounds what is entered, as in `lookup_fill`.
    while p < end and count > 0 and reread_header(p, end, &h) == FAULT_NONE:
        count -= 1
        if indexed_octets(element, &h, field, &found):
            hashed = siphash(found.content, found.end - found.content, key)
            i = ((hashed >> 32) * size) >> 32
            repeated = False
            while True:
                taken = load4(slots + 4 * i)
                if taken == 0:
                    store4(slots + 4 * i, <uint32_t>(p - content + 1))
                    if not repeated:
                        marks[2 * i] = hashed & 0xFF
                        marks[2 * i + 1] = 1
                    break
                # Eight equal bits are hardly ever chance, so there is about one comparison.
                if not repeated and marks[2 * i + 1] != 0 and marks[2 * i] == hashed & 0xFF \
                        and same_place(element, content + taken - 1, end, field, &found):
                    if marks[2 * i + 1] == LOOKUP_SAME:
                        break
                    marks[2 * i + 1] += 1
                    repeated = True
                i = i + 1 if i + 1 < size else 0
        p = h.end


@cython.final
@cython.no_gc
cdef class Lookup:
    """An index of a list by a field of its elements. `index_by` of a list returns it.

    It uses about eight bytes per element, and its pickle includes the list.

    >>> from derlib import Sequence, SequenceOf
    >>> class Entry(Sequence):
    ...     number: int
    ...     name: str
    >>> entries = SequenceOf[Entry](Entry(number=n, name=name) for n, name in [(7, "a"), (9, "b"), (7, "c")])
    >>> by_number = entries.index_by("number")
    >>> by_number.find(9).name, by_number.find(8), len(by_number.find_all(7))
    ('b', None, 2)
    """
    cdef ListView view
    cdef LookupTable table
    cdef Plan plan                  # of the field

    def __init__(self):
        raise TypeError("a Lookup comes from index_by() of a list")

    cdef int require_value(self) except -1:
        """Refuse a Lookup that `__new__` made without a list."""
        if self.view is None:
            raise TypeError("this Lookup has no list: it comes from index_by() of a list")
        return 0

    @property
    def elements(self):
        """The list that is indexed."""
        self.require_value()
        return self.view

    @property
    def field(self):
        """The name of the field."""
        self.require_value()
        return plan_of(self.view.plan.node.element).names[self.table.field]

    def __len__(self):
        self.require_value()
        return self.view.counted()

    def __repr__(self):
        return f"<Lookup of {len(self)} elements by {self.field}>"

    def __sizeof__(self):
        self.require_value()
        return object.__sizeof__(self) + len(self.table.octets)

    def find(self, value):
        """Return the first element whose field has this value, or None.

        Values compare by their encodings; an INTEGER or ENUMERATED in a tolerated form compares by its number.

        Raises:
            ConstraintError: the field cannot have such a value.
        """
        found = self.search(value, False)
        return found[0] if found else None

    def find_all(self, value):
        """Return a tuple of all elements whose field has this value, in their order; compare as `find`."""
        return tuple(self.search(value, True))

    def __contains__(self, value):
        return bool(self.search(value, False))

    cdef list search(self, value, bint all_of_them):
        cdef uint8_t[8] small
        cdef int64_t number
        cdef int overflow = 0
        cdef int n = 0
        cdef bytes octets
        self.require_value()
        # A whole number of 64 bits, the usual case, needs no writer.
        if self.plan.node.kind == KIND_INTEGER and type(value) is int:
            number = PyLong_AsLongLongAndOverflow(value, &overflow)
            if not overflow:
                while True:
                    n += 1
                    small[8 - n] = <uint8_t>(number & 0xFF)
                    if -0x80 <= number < 0x80:
                        break
                    number >>= 8
                return self.probe(small + 8 - n, n, all_of_them)
        octets = contents_of_value(self.plan, value)
        return self.probe(<const uint8_t *><const char *>octets, len(octets), all_of_them)

    cdef list probe(self, const uint8_t *p, Py_ssize_t n, bint all_of_them):
        cdef LookupTable table = self.table
        cdef ListView view = self.view
        cdef const Node *element = view.plan.node.element
        cdef Header h
        cdef const uint8_t *q
        cdef uint64_t i = table.first(p, n)
        cdef uint64_t left = table.count
        cdef uint32_t place
        cdef uint32_t last = 0
        cdef list values = []
        while left > 0:
            place = table.slot(i)
            if place == 0:
                break
            # A kept table may be damaged: a place counts only if an element stands there, and once.
            if (place > last and place <= view.end - view.content
                    and reread_header(view.content + place - 1, view.end, &h) == FAULT_NONE
                    and accepts(element, h.tag) and same_octets(element, &h, table.field, p, n)
                    and (not table.from_pickle or view.begins_element(h.start))):
                last = place
                values.append(element_value(view, &h))
                if not all_of_them:
                    return values
            i = i + 1 if i + 1 < table.count else 0
            left -= 1
        if table.count & 1 == 0 and len(values) >= LOOKUP_SAME:
            # Further ones may have no slot: `lookup_fill_repeated`.
            q = view.content + last - 1
            if reread_header(q, view.end, &h) == FAULT_NONE:
                q = h.end
            while q < view.end and reread_header(q, view.end, &h) == FAULT_NONE:
                if accepts(element, h.tag) and same_octets(element, &h, table.field, p, n):
                    values.append(element_value(view, &h))
                q = h.end
        return values

    def __reduce__(self):
        self.require_value()
        return restore_lookup, (self.view, self.field, self.table.octets)


cdef bytes contents_of_value(Plan plan, value):
    """The octets of a value of a field's type that `indexed_octets` gives for it."""
    cdef bytes octets = encode_plan(plan, value)
    cdef const uint8_t *p = <const uint8_t *><const char *>octets
    cdef Header h
    if plan.node.tag == NO_TAG:
        return octets
    if reread_header(p, p + len(octets), &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return (<const char *>h.content)[:h.end - h.content]


cdef Lookup lookup_new(ListView view, LookupTable table):
    cdef Lookup lookup = Lookup.__new__(Lookup)
    lookup.view = view
    lookup.table = table
    lookup.plan = plan_of(view.plan.node.element).plans[table.field]
    return lookup


cdef Py_ssize_t lookup_field(ListView view, name) except -1:
    """The number of a field that a list can be indexed by."""
    cdef const Node *element
    cdef Py_ssize_t field
    view.require_value()
    element = view.plan.node.element
    if element.kind != KIND_SEQUENCE and element.kind != KIND_SET:
        raise _errors.SchemaError(
            f"{type(view).__name__} has no fields to index by; its elements are not Sequence or Set values"
        )
    field = field_named(plan_of(element), name)
    if field < 0:
        names = ", ".join(plan_of(element).names)
        raise _errors.SchemaError(f"{plan_of(element).name} has no field {short_repr(name)}; it has {names}")
    if is_open(element.components[field].node.kind):
        raise _errors.SchemaError(f"{name} of {plan_of(element).name} is an open type and cannot be indexed by")
    return field


def restore_lookup(view, field, octets):
    """Make a `Lookup` again from its pickle. A damaged table may miss elements, it never finds a wrong one."""
    cdef LookupTable table
    if not isinstance(view, ListView):
        raise TypeError("a Lookup needs its list")
    table = lookup_table(lookup_field(view, field), bytes(memoryview(octets)))
    table.from_pickle = True
    return lookup_new(view, table)
