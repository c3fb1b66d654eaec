# Tables of open types: the native half of `derlib.OpenTypes`.

# The numbers of registrations that have begun and that are done. A value that was decoded earlier was not validated
# against later types: what it was decoded as is certain only while no registration has begun that was not done then.
# With a single number, a thread could decode between the count and the new entry, and take the type for validated.
cdef uint64_t begun_registrations = 0
cdef uint64_t registrations = 0


@cython.no_gc_clear
cdef class OpenTable:
    """The native half of `derlib.OpenTypes`: maps keys to nodes; read without the GIL or a lock.

    The key of an OBJECT IDENTIFIER is its contents octets, that of an INTEGER or ENUMERATED is its contents octets
    after an octet 80, which no OBJECT IDENTIFIER begins with.

    An open-addressing hash table of pointers to entries, which never change: a registration makes a new entry, and
    readers see the old one or the new one, but no mixture. When the table grows, a new one is published, and the old
    one is kept for concurrent readers. All old tables together are smaller than the new one. COMPILE_LOCK guards all
    writes.
    """
    cdef OpenEntries *entries
    cdef readonly bint opaque_on_mismatch
    """Whether a value that does not match its type remains opaque, unless `register` says otherwise."""
    cdef list keep              # keys and plans
    cdef list outgrown          # tables, and the memory of entries
    cdef Py_ssize_t used
    cdef bint sealed            # a sealed plan refers to this table, so each plan in it must be sealed, too

    def __cinit__(self, *args, on_mismatch="error", **kwargs):
        self.opaque_on_mismatch = isinstance(on_mismatch, str) and on_mismatch == "opaque"
        self.keep = []
        self.outgrown = []
        self.entries = self._grown(16)

    cdef OpenEntries *_grown(self, size_t size) except NULL:
        cdef bytearray slots = bytearray(size * sizeof(void *))
        cdef bytearray head = bytearray(sizeof(OpenEntries))
        cdef OpenEntries *entries = <OpenEntries *><char *>head
        entries.mask = size - 1
        entries.slots = <const OpenEntry **><char *>slots
        self.outgrown.append((slots, head))
        return entries

    cdef const OpenEntry *_entry(self, bytes contents, const Node *node, bint opaque_on_mismatch) except NULL:
        """Return a new entry, which lives as long as this table; so must its arguments."""
        cdef bytearray memory = bytearray(sizeof(OpenEntry))
        cdef OpenEntry *entry = <OpenEntry *><char *>memory
        entry.oid = <const uint8_t *><const char *>contents
        entry.length = len(contents)
        entry.opaque_on_mismatch = opaque_on_mismatch
        entry.node = node
        self.outgrown.append(memory)
        return entry

    @property
    def plans(self):
        """The registered types: key to (plan, whether a mismatch remains opaque)."""
        return {contents: (plan, opaque) for contents, plan, opaque in self.keep}

    def set_plan(self, bytes contents not None, Plan plan not None, bint opaque_on_mismatch):
        """Register the plan of the type that the value with this key selects."""
        with COMPILE_LOCK:
            if self.sealed:
                # This may compile a class, whose code may register other types here.
                plan.prepared()
            self._publish(contents, plan, opaque_on_mismatch)

    cdef int _publish(self, bytes contents, Plan plan, bint opaque_on_mismatch) except -1:
        """Insert an entry, or replace it; the caller holds COMPILE_LOCK."""
        cdef OpenEntries *entries = self.entries
        cdef OpenEntries *larger
        cdef const OpenEntry *entry = self._entry(contents, &plan.node, opaque_on_mismatch)
        cdef size_t i
        self.keep.append((contents, plan, opaque_on_mismatch))
        if find_slot(entries, entry.oid, entry.length)[0] == NULL:
            self.used += 1
            if 2 * <size_t>self.used > entries.mask:
                larger = self._grown(2 * (entries.mask + 1))
                for i in range(entries.mask + 1):
                    if entries.slots[i] != NULL:
                        find_slot(larger, entries.slots[i].oid, entries.slots[i].length)[0] = entries.slots[i]
                store_release_entries(&self.entries, larger)
                entries = larger
        add_one(&begun_registrations)
        store_release_entry(find_slot(entries, entry.oid, entry.length), entry)
        add_one(&registrations)
        return 0

    def plan_for(self, bytes contents not None):
        """Return the plan that the value with this key selects, or None."""
        cdef const OpenEntry *entry = find_entry(&self.entries, <const uint8_t *><const char *>contents, len(contents))
        return None if entry == NULL else plan_of(entry.node)

    def plan_selected(self, Plan plan not None, bytes octets not None):
        """Return the plan that a selector of this type with this encoding selects, or None."""
        cdef const uint8_t *p = <const uint8_t *><const char *>octets
        cdef const OpenEntry *entry = NULL
        cdef Header h
        plan.prepared()
        if read_header(p, p + len(octets), &h) == FAULT_NONE:
            entry = entry_of_value(&self.entries, &plan.node, &h)
        return None if entry == NULL else plan_of(entry.node)


def registration_count():
    """Return the number of types registered in all tables; while it is the same, what a plan accepts is the same."""
    return load_count(&registrations)


cdef inline bint are_all_registered(uint64_t count) noexcept nogil:
    """Return whether a value that was checked after `count` registrations was checked against the types of now.

    Call it after the entry was read: who sees a new entry also sees that its registration has begun.
    """
    return load_count(&begun_registrations) == count


cdef const OpenEntry *find_entry(OpenEntries **table, const uint8_t *oid, Py_ssize_t length) noexcept nogil:
    """Return the entry of a key, NULL if the table has none."""
    return load_acquire_entry(find_slot(load_acquire_entries(table), oid, length))


cdef const OpenEntry **find_slot(OpenEntries *entries, const uint8_t *oid, Py_ssize_t length) noexcept nogil:
    """Return the slot of a key, or the free slot for it; there is always one, as the table is at most half full."""
    cdef size_t at = <size_t>(oid_hash(oid, length) >> 32)
    cdef const OpenEntry *entry
    while True:
        entry = load_acquire_entry(&entries.slots[at & entries.mask])
        if entry == NULL or (entry.length == length and memcmp(entry.oid, oid, length) == 0):
            return &entries.slots[at & entries.mask]
        at += 1


cdef inline uint64_t oid_hash(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return a hash of the contents octets of an OBJECT IDENTIFIER, whose high bits depend on all of the octets read.

    These are the first and the last eight, so that the work is bounded: keys that differ only between them share a
    chain. A table has the keys that a program registers, not those of an input.
    """
    cdef uint64_t word
    if n >= 8:
        word = 31 * load8(p) + load8(p + n - 8)
    elif n >= 4:
        word = <uint64_t>load4(p) << 32 | load4(p + n - 4)
    elif n > 0:
        word = <uint64_t>p[0] << 16 | <uint64_t>p[n >> 1] << 8 | p[n - 1]
    else:
        word = 0
    # Multiplicative hashing, with the golden ratio.
    return (word + <uint64_t>n) * <uint64_t>0x9E3779B97F4A7C15
