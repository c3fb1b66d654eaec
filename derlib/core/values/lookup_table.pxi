# The table of a Lookup: a hash index of the elements of a list by one of their fields. lookup.pxi has the searches.
#
# The table has two slots of four bytes for each element. The low bits of a slot hold the offset of an element, as many
# bits as the length of the list needs; the other bits hold a part of the hash. Values are not stored. If that part of
# the hash agrees, they are compared in the octets of the list, so a search for an absent value rarely reads the list.
# Elements are inserted in order, so the first of several equal values is found first. The author of a CRL cannot choose
# serial numbers that collide, because the hash of each table has a random key: `short_hash` for values of up to 32
# bytes, otherwise SipHash-1-3.
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
    # The octets that `first_field` needs: two headers, and a word of contents.
    FIRST_FIELD_OCTETS = 12


cdef struct FirstField:     # of a SEQUENCE: what `first_field` expects
    uint32_t octets         # the first four octets of an element, with lengths of 0; or all ones: no fast path
    bint number             # the field is an INTEGER or ENUMERATED


@cython.final
@cython.no_gc
cdef class LookupTable:
    """The table of a Lookup: a hash key and slots, in one bytes object. It refers to no view: a view can cache it."""
    cdef bytes octets
    cdef uint64_t[2] key
    cdef uint64_t[SHORT_HASH_WORDS] words       # the key of `short_hash`, which SipHash makes of `key`
    cdef const uint8_t *slots       # little-endian: what `entry` returns, 0 if free
    cdef uint64_t count             # the number of slots; even if values are repeated: see `lookup_fill_repeated`
    cdef Py_ssize_t field           # the number of the field
    cdef FirstField first_field     # of the elements
    cdef uint32_t offsets           # the bits of a slot that hold 1 + the offset in the contents of the list
    cdef bint from_pickle           # an offset can be forged: it can point inside an element

    cdef inline uint32_t hashed(self, const uint8_t *p, Py_ssize_t n) noexcept nogil:
        """Return the hash of contents octets."""
        return short_hash(p, n, self.words) if n <= SHORT_HASH else <uint32_t>(siphash(p, n, self.key) >> 32)

    cdef inline uint64_t first(self, uint32_t hashed) noexcept nogil:
        """Return the slot where the search for contents octets with a hash starts."""
        return (hashed * self.count) >> 32

    cdef inline uint32_t mark(self, uint32_t hashed) noexcept nogil:
        """Return the part of a hash that slots hold. `first` uses the high bits most, so these are low bits."""
        return <uint32_t>(hashed * (<uint64_t>self.offsets + 1))

    cdef inline uint32_t entry(self, uint32_t hashed, Py_ssize_t offset) noexcept nogil:
        """Return the contents of the slot of an element, from the hash and the offset."""
        return self.mark(hashed) | <uint32_t>(offset + 1)

    cdef inline uint32_t slot(self, uint64_t i) noexcept nogil:
        """Return the contents of a slot."""
        return load4(self.slots + 4 * i)


cdef LookupTable lookup_table(ListView view, Py_ssize_t field, bytes octets):
    """Return a table of these octets for a list. They can be forged, so an offset in them is only a hint."""
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
    set_first_field(&table.first_field, view.plan.node.element, field)
    table.offsets = 0
    while table.offsets < <uint64_t>(view.end - view.content) and table.offsets != 0xFFFFFFFF:
        table.offsets = 2 * table.offsets + 1
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
    return lookup_table(view, field, octets)


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


cdef inline uint64_t low_octets(Py_ssize_t n) noexcept nogil:
    """Return a word whose first n bytes, at most eight, are ff, and the others 00."""
    # Two shifts, because a shift by 64 bits is undefined.
    return (<uint64_t>1 << 4 * n << 4 * n) - 1


cdef void set_first_field(FirstField *first, const Node *element, Py_ssize_t field) noexcept nogil:
    """Prepare `first_field` for a field of an element."""
    cdef const Node *node = element.components[field].node
    cdef uint32_t outer
    cdef uint32_t inner
    first.octets = 0xFFFFFFFF
    first.number = is_integer(node.kind)
    if field == 0 and element.kind == KIND_SEQUENCE and node.kind < KIND_SEQUENCE and node.tag != NO_TAG:
        # It is 0 for a tag with several identifier octets, which then agrees with no element.
        outer = identifier_octet(element.tag)
        inner = identifier_octet(node.tag)
        first.octets = outer | inner << 16


cdef inline Py_ssize_t first_field(
    const FirstField *first, const uint8_t *p, const uint8_t *limit, const uint8_t **end
) noexcept nogil:
    """Return the length of the first field of the element at `p`, whose contents begin at `p + 4`, and set the end of
    the element. Return -1 unless both lengths are short, and 12 octets can be read, as for most elements.

    This is the fast path of `lookup_fill` and of searches, which call no function for such elements.
    """
    cdef uint32_t octets
    cdef Py_ssize_t length
    cdef Py_ssize_t field_length
    if limit - p < FIRST_FIELD_OCTETS:
        return -1
    octets = load4_once(p)
    # Both lengths are below 128.
    if octets & <uint32_t>0x80FF80FF != first.octets:
        return -1
    length = octets >> 8 & 0x7F
    field_length = octets >> 24
    if field_length + 2 > length or length > limit - p - 2:
        return -1
    # X.690 8.3.2: the first nine bits of an INTEGER are never all equal. Its value can be 0 or -1, which are rare.
    octets = load4(p + 4) & 0x80FF
    if first.number and (octets == 0 or octets == 0x80FF):
        return -1
    end[0] = p + 2 + length
    return field_length


cdef inline uint64_t free_slot(LookupTable table, uint64_t i, int64_t *steps) noexcept nogil:
    """Return the first free slot from slot `i` on, and subtract the steps to it; end at any slot if none are left."""
    cdef const uint8_t *slots = table.slots
    cdef uint64_t size = table.count
    cdef unsigned int n
    # Most elements need fewer than eight slots, which are compared in one step.
    if i + 8 <= size:
        n = words_before_zero(slots + 4 * i)
        steps[0] -= n
        i += n
        if n < 8:
            return i
        i = i if i < size else 0
    while steps[0] >= 0 and load4(slots + 4 * i) != 0:
        steps[0] -= 1
        i = i + 1 if i + 1 < size else 0
    return i


cdef inline bint hash_element(
    LookupTable table, const Node *element,
    const uint8_t *p, const uint8_t *limit, const uint8_t **end, uint32_t *hashed
) noexcept nogil:
    """Set the end of the element at `p`, and the hash of its field; return False if it does not have the field.

    If the element cannot be read, because a shared buffer has changed, its end is `limit`.
    """
    cdef Header h
    cdef Header found
    cdef Py_ssize_t length = first_field(&table.first_field, p, limit, end)
    if 0 <= length <= 8:
        hashed[0] = word_hash(load8(p + 4) & low_octets(length), length, table.words)
        return True
    if length > 8:
        hashed[0] = table.hashed(p + 4, length)
        return True
    end[0] = limit
    if reread_header(p, limit, &h):
        return False
    end[0] = h.end
    if not indexed_octets(element, &h, table.field, &found):
        return False
    hashed[0] = table.hashed(found.content, found.end - found.content)
    return True


cdef bint lookup_fill(ListView view, LookupTable table, Py_ssize_t count) noexcept nogil:
    """Insert all elements, in batches: while one is hashed, the slots of the others are loaded into the CPU cache.

    Return False if it takes too many steps, as it does if values are repeated.
    """
    cdef const Node *element = view.plan.node.element
    cdef uint8_t *slots = <uint8_t *>table.slots
    cdef const uint8_t *start = view.content
    cdef const uint8_t *p = start
    cdef const uint8_t *limit = view.end
    cdef const uint8_t *end
    cdef uint32_t[LOOKUP_BATCH] first
    cdef uint32_t[LOOKUP_BATCH] entry
    cdef uint32_t hashed
    cdef uint64_t i
    # The second term exempts short lists.
    cdef int64_t steps = LOOKUP_STEPS * <int64_t>count + LOOKUP_BATCH * LOOKUP_BATCH
    cdef Py_ssize_t left
    cdef int pending
    cdef int n
    # Insert at most `count` elements, so that a shared buffer that changes cannot fill the last free slot.
    while count > 0 and p < limit:
        pending = 0
        left = min(count, LOOKUP_BATCH)
        count -= left
        while left > 0 and p < limit:
            left -= 1
            if hash_element(table, element, p, limit, &end, &hashed):
                first[pending] = <uint32_t>table.first(hashed)
                entry[pending] = table.entry(hashed, p - start)
                prefetch(slots + 4 * <uint64_t>first[pending])
                pending += 1
            p = end
        for n in range(pending):
            i = free_slot(table, first[n], &steps)
            if steps < 0:
                return False
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
                    store4(slots + 4 * i, table.entry(hashed, p - view.content))
                    if not repeated:
                        marks[2 * i] = hashed & 0xFF
                        marks[2 * i + 1] = 1
                    break
                # Different values rarely agree in eight bits, so there is about one comparison.
                if not repeated and marks[2 * i + 1] != 0 and marks[2 * i] == hashed & 0xFF and same_key_at(
                        element, view.content + (taken & table.offsets) - 1, view.end, table.field, &found):
                    if marks[2 * i + 1] == LOOKUP_SAME:
                        break
                    marks[2 * i + 1] += 1
                    repeated = True
                i = i + 1 if i + 1 < size else 0
        p = h.end
