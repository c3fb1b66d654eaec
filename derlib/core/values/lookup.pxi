# Lookups: a hash index of the elements of a list by one of their fields, for example CRL entries by serial number.
#
# The table has two slots of four bytes for each element. A slot holds the offset of an element; values are not stored,
# but compared in the octets of the list. Elements are inserted in order, so the first of several equal values is found
# first. The author of a CRL cannot choose serial numbers that collide, because the hash of each table has a random key:
# `short_hash` for values of up to 32 bytes, otherwise SipHash-1-3.
#
# A list can repeat values, which then collide. `lookup_fill` inserts all elements without comparing values. If that
# takes too many steps from slot to slot, `lookup_fill_repeated` starts over: it inserts only the first LOOKUP_SAME
# elements of each value, and compares each element with one other. An even number of slots marks such a table. A search
# that finds LOOKUP_SAME elements in it reads the rest of the list for more.

from cpython.bytes cimport PyBytes_FromStringAndSize

from os import urandom as _urandom

cdef enum:
    LOOKUP_HASH_KEY_OCTETS = 16
    LOOKUP_BATCH = 32
    LOOKUP_SAME = 8
    # The limit on steps from slot to slot, per element. Different values take about half a step.
    LOOKUP_STEPS = 4


@cython.final
@cython.no_gc
cdef class LookupTable:
    """The table of a Lookup: a hash key and slots, in one bytes object. It refers to no view: a view can cache it."""
    cdef bytes octets
    cdef uint64_t[2] key
    cdef uint64_t[SHORT_HASH_WORDS] words       # the key of `short_hash`, which SipHash makes of `key`
    cdef const uint8_t *slots       # little-endian: 1 + the offset of an element in the contents of the list, 0 if free
    cdef uint64_t count             # the number of slots; even if values are repeated: see `lookup_fill_repeated`
    cdef Py_ssize_t field           # the number of the field
    cdef bint from_pickle           # an offset can be forged: it can point inside an element

    cdef inline uint32_t hashed(self, const uint8_t *p, Py_ssize_t n) noexcept nogil:
        """Return the hash of contents octets."""
        return short_hash(p, n, self.words) if n <= SHORT_HASH else <uint32_t>(siphash(p, n, self.key) >> 32)

    cdef inline uint64_t first(self, uint32_t hashed) noexcept nogil:
        """Return the slot where the search for contents octets with a hash starts."""
        return (hashed * self.count) >> 32

    cdef inline uint32_t slot(self, uint64_t i) noexcept nogil:
        """Return the contents of a slot."""
        return load4(self.slots + 4 * i)


cdef LookupTable lookup_table(Py_ssize_t field, bytes octets):
    """Return a table of these octets. They can be forged, so an offset in them is only a hint."""
    cdef LookupTable table = LookupTable.__new__(LookupTable)
    cdef const uint8_t *p = <const uint8_t *><const char *>octets
    cdef Py_ssize_t size = len(octets) - LOOKUP_HASH_KEY_OCTETS
    cdef uint8_t number
    if size < 4 or size % 4 or size // 4 > <Py_ssize_t>0x7FFFFFFF:
        found = f"{len(octets)} bytes are not a lookup table: it has {LOOKUP_HASH_KEY_OCTETS} bytes and 4 for each slot"
        raise _errors.DecodeError(found, (), 0, "", "lookup-table")
    table.octets = octets
    table.key[0] = load8(p)
    table.key[1] = load8(p + 8)
    for number in range(SHORT_HASH_WORDS):
        table.words[number] = siphash(&number, 1, table.key)
    table.slots = p + LOOKUP_HASH_KEY_OCTETS
    table.count = size // 4
    table.field = field
    return table


cdef LookupTable lookup_build(ListView view, Py_ssize_t field):
    """Return the table of a list."""
    cdef Py_ssize_t count = view.counted()
    cdef uint64_t size = 2 * <uint64_t>count + 1
    cdef LookupTable table = lookup_blank(view, field, size)
    cdef uint8_t *marks
    cdef bint filled
    with nogil:
        filled = lookup_fill(view, table, count)
    if filled:
        return table
    size += 1
    # Free the first table before the second one is made.
    table = None
    table = lookup_blank(view, field, size)
    marks = <uint8_t *>PyMem_Calloc(size, 2)
    if marks == NULL:
        raise MemoryError
    with nogil:
        lookup_fill_repeated(view, table, count, marks)
    PyMem_Free(marks)
    return table


cdef LookupTable lookup_blank(ListView view, Py_ssize_t field, uint64_t size):
    """Return a table with this number of free slots and a new key."""
    cdef bytes octets
    cdef bytes key
    if <uint64_t>(view.end - view.content) >= 0xFFFFFFFF:
        raise _errors.EncodeError("a list of 4 GiB or more cannot have a lookup table")
    if size > (<uint64_t>PY_SSIZE_T_MAX - LOOKUP_HASH_KEY_OCTETS) // 4:
        # Possible only if a machine word has 32 bits.
        raise MemoryError
    octets = PyBytes_FromStringAndSize(NULL, LOOKUP_HASH_KEY_OCTETS + 4 * size)
    key = _urandom(LOOKUP_HASH_KEY_OCTETS)
    memcpy(PyBytes_AS_STRING(octets), <const char *>key, LOOKUP_HASH_KEY_OCTETS)
    memset(PyBytes_AS_STRING(octets) + LOOKUP_HASH_KEY_OCTETS, 0, 4 * size)
    return lookup_table(field, octets)


cdef inline bint indexed_octets(const Node *element, const Header *h, Py_ssize_t field, Header *found) noexcept nogil:
    """Set `found` to the octets that are compared: the contents of the field of an element, or of its DEFAULT.

    If the field can have several tags, as a CHOICE can, the tag is part of the value and is included.
    """
    cdef const Component *component = &element.components[field]
    if not find_component(element, h.content, h.end, field, found):
        if component.default == NULL:
            return False
        reread_header(component.default, component.default + component.default_length, found)
    if component.node.tag == NO_TAG:
        found.content = found.start
    elif is_integer(component.node.kind):
        # Ignore padding that was tolerated: the value is the same.
        found.content = without_padding(found.content, found.end - found.content)
    return True


cdef inline bint same_octets(const Node *element, const Header *h, Py_ssize_t field, const uint8_t *p,
                             Py_ssize_t n) noexcept nogil:
    """Return whether the field of an element has these octets."""
    cdef Header found
    return indexed_octets(element, h, field, &found) and found.end - found.content == n \
        and memcmp(found.content, p, n) == 0


cdef inline bint same_key_at(const Node *element, const uint8_t *p, const uint8_t *end, Py_ssize_t field,
                             const Header *found) noexcept nogil:
    """Return whether the element at `p` has the same octets as `found`."""
    cdef Header h
    return reread_header(p, end, &h) == FAULT_NONE \
        and same_octets(element, &h, field, found.content, found.end - found.content)


cdef struct FirstField:     # of a SEQUENCE: what `first_field` expects
    uint8_t element         # the identifier octet of the elements, or 0 if the field is another one
    uint8_t field           # the identifier octet of the field
    bint number             # the field is an INTEGER or ENUMERATED


cdef void set_first_field(FirstField *first, const Node *element, Py_ssize_t field) noexcept nogil:
    """Prepare `first_field` for a field of an element."""
    cdef const Node *node = element.components[field].node
    first.element = first.field = 0
    first.number = is_integer(node.kind)
    if field == 0 and element.kind == KIND_SEQUENCE and node.kind < KIND_SEQUENCE and node.tag != NO_TAG:
        first.field = identifier_octet(node.tag)
        if first.field:
            first.element = identifier_octet(element.tag)


cdef inline bint first_field(
    const FirstField *first, const uint8_t *p, const uint8_t *limit, Header *h, Header *found
) noexcept nogil:
    """Set `h` to the element at `p`, and `found` as `indexed_octets` does, for most elements with a first field.

    Return False for all others. This is the fast path of `lookup_fill`, which makes no calls.
    """
    cdef int length = short_length(p, limit, first.element)
    cdef int field_length
    if length < 0:
        return False
    field_length = short_length(p + 2, p + 2 + length, first.field)
    if field_length < 0 or (first.number and integer_check(p + 4, field_length)):
        return False
    h.start = p
    h.content = p + 2
    h.end = p + 2 + length
    found.content = p + 4
    found.end = p + 4 + field_length
    return True


cdef bint lookup_fill(ListView view, LookupTable table, Py_ssize_t count) noexcept nogil:
    """Insert all elements, in batches: while one is hashed, the slots of the others are loaded into the CPU cache.

    Return False if it takes too many steps, as it does if values are repeated.
    """
    cdef const Node *element = view.plan.node.element
    cdef uint8_t *slots = <uint8_t *>table.slots
    cdef uint64_t size = table.count
    cdef const uint8_t *p = view.content
    cdef Header h
    cdef Header found
    cdef FirstField field
    cdef uint64_t[LOOKUP_BATCH] first
    cdef uint32_t[LOOKUP_BATCH] entry
    cdef uint64_t i
    # The second term exempts short lists.
    cdef int64_t steps = LOOKUP_STEPS * <int64_t>count + LOOKUP_BATCH * LOOKUP_BATCH
    cdef int pending
    cdef int n
    set_first_field(&field, element, table.field)
    # Insert at most `count` elements, so that a shared buffer that changes cannot fill the last free slot.
    while count > 0:
        pending = 0
        while pending < LOOKUP_BATCH and p < view.end and count > 0:
            if not first_field(&field, p, view.end, &h, &found):
                if reread_header(p, view.end, &h):
                    break
                if not indexed_octets(element, &h, table.field, &found):
                    found.content = NULL
            count -= 1
            if found.content != NULL:
                first[pending] = table.first(table.hashed(found.content, found.end - found.content))
                entry[pending] = <uint32_t>(p - view.content + 1)
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
            store4(slots + 4 * i, entry[n])
    return True


cdef void lookup_fill_repeated(ListView view, LookupTable table, Py_ssize_t count, uint8_t *marks) noexcept nogil:
    """Insert the first LOOKUP_SAME elements of each value.

    `marks` has two zero bytes for each slot. For the first element of a value, they become eight bits of its hash, and
    the number of elements with the value that were inserted.
    """
    cdef const Node *element = view.plan.node.element
    cdef uint8_t *slots = <uint8_t *>table.slots
    cdef uint64_t size = table.count
    cdef const uint8_t *p = view.content
    cdef Header h
    cdef Header found
    cdef uint32_t hashed
    cdef uint64_t i
    cdef uint32_t taken
    cdef bint repeated
    # At most `count` elements, as in `lookup_fill`.
    while p < view.end and count > 0 and reread_header(p, view.end, &h) == FAULT_NONE:
        count -= 1
        if indexed_octets(element, &h, table.field, &found):
            hashed = table.hashed(found.content, found.end - found.content)
            i = table.first(hashed)
            repeated = False
            while True:
                taken = load4(slots + 4 * i)
                if taken == 0:
                    store4(slots + 4 * i, <uint32_t>(p - view.content + 1))
                    if not repeated:
                        marks[2 * i] = hashed & 0xFF
                        marks[2 * i + 1] = 1
                    break
                # Different values rarely agree in eight bits, so there is about one comparison.
                if not repeated and marks[2 * i + 1] != 0 and marks[2 * i] == hashed & 0xFF \
                        and same_key_at(element, view.content + taken - 1, view.end, table.field, &found):
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
        found = self.search(value, False)
        return found[0] if found else None

    def find_all(self, value):
        """Return a tuple of all elements whose field has this value, in their order, compared as by `find`."""
        return tuple(self.search(value, True))

    def __contains__(self, value):
        return bool(self.search(value, False))

    cdef list search(self, value, bint all_of_them):
        """Return all elements whose field has a value, or only the first."""
        cdef uint8_t[8] small
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
                    small[8 - n] = <uint8_t>(number & 0xFF)
                    if -0x80 <= number < 0x80:
                        break
                    number >>= 8
                return self.probe(small + 8 - n, n, all_of_them)
        octets = contents_of_value(self.plan, value)
        return self.probe(<const uint8_t *><const char *>octets, len(octets), all_of_them)

    cdef list probe(self, const uint8_t *p, Py_ssize_t n, bint all_of_them):
        """Return all elements whose field has these octets, or only the first."""
        cdef LookupTable table = self.table
        cdef ListView view = self.view
        cdef const Node *element = view.plan.node.element
        cdef Header h
        cdef const uint8_t *q
        cdef uint64_t i = table.first(table.hashed(p, n))
        cdef uint64_t left = table.count
        cdef uint32_t entry
        cdef uint32_t last = 0
        cdef list values = []
        while left > 0:
            entry = table.slot(i)
            if entry == 0:
                break
            # A table from a pickle can be forged: an offset counts only at the start of an element, and only once.
            if (entry > last and entry <= view.end - view.content
                    and reread_header(view.content + entry - 1, view.end, &h) == FAULT_NONE
                    and accepts(element, h.tag) and same_octets(element, &h, table.field, p, n)
                    and (not table.from_pickle or view.begins_element(h.start))):
                last = entry
                values.append(element_value(view, &h))
                if not all_of_them:
                    return values
            i = i + 1 if i + 1 < table.count else 0
            left -= 1
        if table.count & 1 == 0 and len(values) >= LOOKUP_SAME:
            # Further elements can be without a slot: see `lookup_fill_repeated`.
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
    table = lookup_table(lookup_field(view, field), bytes(memoryview(octets)))
    table.from_pickle = True
    return lookup_new(view, table)
