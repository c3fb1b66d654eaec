# Lookups: searches in a list by one of the fields of its elements, for example CRL entries by serial number.
#
# lookup_table.pxi describes the table, and makes it.

cdef struct Search:             # for one value
    const uint8_t *p            # the octets that elements have
    Py_ssize_t n
    uint8_t[SHORT_HASH] octets  # of a number; p points to them
    uint64_t word               # up to eight octets, as `word_hash` takes them
    uint32_t mark               # the part of their hash in slots
    uint32_t last               # 1 + the offset of the last element that was found
    uint64_t slot               # the slot that is read next
    uint64_t left               # how many slots have not been read
    Header h                    # the element that was found


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
    >>> by_number.find(9), by_number.find(8), len(by_number.find_all(7))
    (Entry(number=9, name='b'), None, 2)
    """
    cdef ListView view
    cdef LookupTable table

    def __init__(self):
        raise TypeError("index_by() of a list creates Lookup values")

    @classmethod
    def __class_getitem__(cls, element):
        """Return a generic alias, for annotations such as ``Lookup[RevokedCertificate]``."""
        return GenericAlias(cls, element)

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
        self.require_value()
        return first_found(self.view, self.table, value, &search)

    def find_all(self, value):
        """Return a tuple of all elements whose field has this value, in their order, compared as by `find`."""
        cdef Search search
        cdef bytes kept
        cdef list values = []
        self.require_value()
        kept = start_search(self.view, self.table, value, &search)
        while next_found(self.view, self.table, &search):
            values.append(element_value(self.view, &search.h))
        if self.table.count & 1 == 0 and len(values) >= LOOKUP_SAME:
            add_without_slot(self.view, self.table, &search, values)
        return tuple(values)

    def __contains__(self, value):
        cdef Search search
        cdef bytes kept
        self.require_value()
        kept = start_search(self.view, self.table, value, &search)
        return next_found(self.view, self.table, &search)

    def __reduce__(self):
        self.require_value()
        return restore_lookup, (self.view, self.field, self.table.octets)


cdef object first_found(ListView view, LookupTable table, value, Search *search):
    """Return the first element whose field has a value, or None."""
    cdef bytes kept = start_search(view, table, value, search)
    return element_value(view, &search.h) if next_found(view, table, search) else None


cdef bytes start_search(ListView view, LookupTable table, value, Search *search):
    """Prepare a search for a value. Return the octets that it refers to, which the caller keeps, or None."""
    cdef const Node *node = view.plan.node.element.components[table.field].node
    cdef bytes octets
    # An int for a field without constraints, the usual case, is encoded here, unless it is very long.
    if node.kind == KIND_INTEGER and node.plain and is_exact_int(<PyObject *>value) \
            and set_number(search, <PyObject *>value):
        set_search(table, search)
        return None
    octets = contents_of_value(plan_of(node), value)
    search.p = <const uint8_t *><const char *>octets
    search.n = len(octets)
    if search.n <= 8:
        search.word = word_of(search.p, search.n)
    set_search(table, search)
    return octets


cdef inline bint set_number(Search *search, PyObject *value) except -1:
    """Set the octets of a search to those of an int; return False if it has too many."""
    cdef int64_t number
    cdef uint64_t word = 0
    cdef Py_ssize_t n = 0
    search.p = search.octets
    if is_small(value):
        number = small_value(value)
        while True:
            word = word << 8 | <uint8_t>(number & 0xFF)
            n += 1
            if -0x80 <= number < 0x80:
                break
            number >>= 8
        store4(search.octets, <uint32_t>word)
        store4(search.octets + 4, <uint32_t>(word >> 32))
    else:
        n = long_length(value)
        if n > SHORT_HASH:
            return False
        long_write(value, search.octets, n)
        # X.690 8.3.2: as few octets as keep the sign. `long_length` may be one more.
        search.p = without_padding(search.octets, n)
        n -= search.p - search.octets
        if n <= 8:
            word = word_of(search.p, n)
    search.n = n
    search.word = word
    return True


cdef inline uint64_t word_of(const uint8_t *p, Py_ssize_t n) noexcept:
    """Return a word that begins with up to eight octets; the rest of it is zero."""
    cdef uint64_t word = 0
    while n > 0:
        n -= 1
        word = word << 8 | p[n]
    return word


cdef inline void set_search(LookupTable table, Search *search) noexcept:
    """Prepare a search for its octets."""
    cdef uint32_t hashed = word_hash(search.word, search.n, table.words) if search.n <= 8 \
        else table.hashed(search.p, search.n)
    search.mark = table.mark(hashed)
    search.slot = table.first(hashed)
    search.left = table.count
    search.last = 0


cdef inline bint next_found(ListView view, LookupTable table, Search *search) except -1:
    """Set the header of a search to the next element whose field has the octets; return False if there is none."""
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
                and is_found(view, table, search, view.content + entry - 1)
                and (not table.from_pickle or view.begins_element(search.h.start))):
            search.last = entry
            return True
    return False


cdef inline bint is_found(ListView view, LookupTable table, Search *search, const uint8_t *p) noexcept:
    """Return whether the field of the element at `p` has the octets of a search; if so, set its header."""
    cdef const Node *element = view.plan.node.element
    cdef const uint8_t *end
    cdef Py_ssize_t length = first_field(&table.first_field, p, view.end, &end)
    if length < 0:
        return reread_header(p, view.end, &search.h) == FAULT_NONE and accepts(element, search.h.tag) \
            and same_octets(element, &search.h, table.field, search.p, search.n)
    # The usual element: its field is the first, and both lengths are short.
    if length != search.n:
        return False
    # `first_field` returns a length only if a word can be read.
    if load8(p + 4) & low_octets(length) != search.word if length <= 8 else memcmp(p + 4, search.p, length) != 0:
        return False
    set_short_header(&search.h, element.tag, p, <int>(end - p - 2))
    return True


cdef int add_without_slot(ListView view, LookupTable table, Search *search, list values) except -1:
    """Add the elements after the last one that was found: they can be without a slot (`lookup_fill_repeated`)."""
    cdef const Node *element = view.plan.node.element
    cdef Header h
    cdef const uint8_t *q = view.content + search.last - 1
    if reread_header(q, view.end, &h) == FAULT_NONE:
        q = h.end
    while q < view.end and reread_header(q, view.end, &h) == FAULT_NONE:
        if accepts(element, h.tag) and same_octets(element, &h, table.field, search.p, search.n):
            values.append(element_value(view, &h))
        q = h.end
    return 0


def indexed_value(ListView view not None, str field not None, value):
    """Do what `view.index_by(field).find(value)` does, without a Lookup. `CertificateList.find` calls this."""
    cdef Search search
    return first_found(view, index_of_list(view, field), value, &search)


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
    if plan.node.kind == KIND_INTEGER and type(value) is str:
        # The usual case is a serial number as another program prints it.
        raise wrong_type("int (int(text) reads decimal, int(text, 16) hexadecimal digits)", &plan.node, value)
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
        raise _errors.SchemaError(f"{plan_of(element).name} has no field {short_repr(name)}; "
                                  f"{remedy_for_name(name, plan_of(element).names)}")
    if is_open(element.components[field].node.kind):
        raise _errors.SchemaError(f"{name} of {plan_of(element).name} is an open type, which an index cannot use")
    return field


cdef LookupTable index_of_list(ListView view, field):
    """Return the table of a list by a field. The list keeps the first one that is made."""
    cdef PyObject *cached = <PyObject *>load_acquire(<void **>&view.table)
    cdef PyObject *names
    cdef Py_ssize_t number
    cdef LookupTable table
    if cached != NULL:
        # Usually the name is the same object.
        names = <PyObject *>(<Plan>view.plan.node.element.plan).names
        if tuple_item(names, (<LookupTable>cached).field) == <PyObject *>field:
            return <LookupTable>cached
    number = lookup_field(view, field)
    if cached != NULL and (<LookupTable>cached).field == number:
        return <LookupTable>cached
    table = lookup_build(view, number)
    if cached == NULL:
        cache_value(&view.table, table)
    return table


def restore_lookup(view, field, octets):
    """Return the `Lookup` of a pickle. With a damaged table it can miss elements, but never find a wrong one."""
    cdef LookupTable table
    if not isinstance(view, ListView):
        raise TypeError(f"expected a list view for Lookup, got {type(view).__name__}")
    table = lookup_table(view, lookup_field(view, field), bytes(memoryview(octets)))
    table.from_pickle = True
    return lookup_new(view, table)
