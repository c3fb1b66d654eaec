# Lookups: searches in a list by one of the fields of its elements, for example CRL entries by serial number.
#
# lookup_table.pxi describes the table, and makes it.

cdef struct Search:             # of a Lookup for one value
    const uint8_t *p            # the octets that elements have
    Py_ssize_t n
    uint8_t[8] small            # the octets of a small number
    uint32_t mark               # the part of their hash in slots
    uint32_t last               # 1 + the offset of the last element that was found
    uint64_t slot               # the slot that is read next
    uint64_t left               # how many slots have not been read
    Header h                    # the element that was found


# A CertificateList makes a Lookup for each search.
@cython.freelist(8)
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
        raise TypeError("index_by() of a list creates Lookup values")

    cdef int require_value(self) except -1:
        """Raise TypeError if this Lookup was made by `__new__` alone."""
        if self.view is None:
            raise TypeError("this Lookup has no list: index_by() of a list creates Lookup values")
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
        cdef Search search
        cdef bytes octets = self.start_search(value, &search)
        return element_value(self.view, &search.h) if self.next_found(&search) else None

    def find_all(self, value):
        """Return a tuple of all elements whose field has this value, in their order, compared as by `find`."""
        cdef Search search
        cdef bytes octets = self.start_search(value, &search)
        cdef list values = []
        while self.next_found(&search):
            values.append(element_value(self.view, &search.h))
        if self.table.count & 1 == 0 and len(values) >= LOOKUP_SAME:
            self.add_without_slot(&search, values)
        return tuple(values)

    def __contains__(self, value):
        cdef Search search
        cdef bytes octets = self.start_search(value, &search)
        return self.next_found(&search)

    cdef bytes start_search(self, value, Search *search):
        """Prepare a search for a value. Return the octets that it refers to, which the caller keeps, or None."""
        cdef int64_t number
        cdef int overflow = 0
        cdef int n = 0
        cdef bytes octets
        self.require_value()
        # An int of 64 bits for a field without constraints, the usual case, is encoded here.
        if self.plan.node.kind == KIND_INTEGER and self.plan.node.plain and type(value) is int:
            number = PyLong_AsLongLongAndOverflow(value, &overflow)
            if not overflow:
                while True:
                    n += 1
                    search.small[8 - n] = <uint8_t>(number & 0xFF)
                    if -0x80 <= number < 0x80:
                        break
                    number >>= 8
                self.set_search(search, search.small + 8 - n, n)
                return None
        octets = contents_of_value(self.plan, value)
        self.set_search(search, <const uint8_t *><const char *>octets, len(octets))
        return octets

    cdef void set_search(self, Search *search, const uint8_t *p, Py_ssize_t n) noexcept:
        """Prepare a search for contents octets."""
        cdef uint32_t hashed = self.table.hashed(p, n)
        search.p = p
        search.n = n
        search.mark = self.table.mark(hashed)
        search.slot = self.table.first(hashed)
        search.left = self.table.count
        search.last = 0

    cdef bint next_found(self, Search *search) noexcept:
        """Set the header of a search to the next element whose field has the octets; return False if there is none."""
        cdef LookupTable table = self.table
        cdef ListView view = self.view
        cdef const Node *element = view.plan.node.element
        cdef Header *h = &search.h
        cdef uint32_t entry
        while search.left > 0:
            entry = table.slot(search.slot)
            if entry == 0:
                return False
            search.slot = search.slot + 1 if search.slot + 1 < table.count else 0
            search.left -= 1
            # What remains is 1 + the offset, if the part of the hash is the same.
            entry ^= search.mark
            # A table from a pickle can be forged: an offset counts only at the start of an element, and only once.
            if (entry <= table.offsets and entry > search.last and entry <= view.end - view.content
                    and reread_header(view.content + entry - 1, view.end, h) == FAULT_NONE
                    and accepts(element, h.tag) and same_octets(element, h, table.field, search.p, search.n)
                    and (not table.from_pickle or view.begins_element(h.start))):
                search.last = entry
                return True
        return False

    cdef int add_without_slot(self, Search *search, list values) except -1:
        """Add the elements after the last one that was found: they can be without a slot (`lookup_fill_repeated`)."""
        cdef ListView view = self.view
        cdef const Node *element = view.plan.node.element
        cdef Header h
        cdef const uint8_t *q = view.content + search.last - 1
        if reread_header(q, view.end, &h) == FAULT_NONE:
            q = h.end
        while q < view.end and reread_header(q, view.end, &h) == FAULT_NONE:
            if accepts(element, h.tag) and same_octets(element, &h, self.table.field, search.p, search.n):
                values.append(element_value(view, &h))
            q = h.end
        return 0

    def __reduce__(self):
        self.require_value()
        return restore_lookup, (self.view, self.field, self.table.octets)


cdef bytes contents_of_value(Plan plan, value):
    """Return the octets that `indexed_octets` finds for a value of a field."""
    cdef bytes octets
    cdef const uint8_t *p
    cdef Header h
    if plan.node.kind == KIND_OBJECT_IDENTIFIER:
        if type(value) is ObjectIdentifier:
            return (<ObjectIdentifier>value)._require_set()
        if type(value) is str:
            octets = short_contents(value)
            if octets is not None:
                return octets
    octets = encode_plan(plan, value)
    p = <const uint8_t *><const char *>octets
    if plan.node.tag == NO_TAG:
        return octets
    if reread_header(p, p + len(octets), &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return (<const char *>h.content)[:h.end - h.content]


cdef Lookup lookup_new(ListView view, LookupTable table):
    """Return a Lookup of a list."""
    cdef Lookup lookup = Lookup.__new__(Lookup)
    lookup.view = view
    lookup.table = table
    lookup.plan = plan_of(view.plan.node.element).plans[table.field]
    return lookup


cdef Py_ssize_t lookup_field(ListView view, name) except -1:
    """Return the number of the field that a list is to be indexed by."""
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
    """Return the `Lookup` of a pickle. With a damaged table it can miss elements, but never find a wrong one."""
    cdef LookupTable table
    if not isinstance(view, ListView):
        raise TypeError(f"expected a list view for Lookup, got {type(view).__name__}")
    table = lookup_table(view, lookup_field(view, field), bytes(memoryview(octets)))
    table.from_pickle = True
    return lookup_new(view, table)
