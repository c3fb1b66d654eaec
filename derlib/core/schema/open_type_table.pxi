# Tables of open types: the native half of `derlib.OpenTypes`.

# The number of types registered so far. A value that was decoded earlier was not validated against later types.
cdef uint64_t registrations = 0


@cython.no_gc_clear
cdef class OpenTable:
    """The native half of `derlib.OpenTypes`: maps OBJECT IDENTIFIER contents to nodes; read without the GIL or a lock.

    An open-addressing hash table. A slot is written key first, node last, and its key never changes. When the table
    grows, a new one is published, and the old one is kept for concurrent readers. All old tables together are smaller
    than the new one.
    """
    cdef OpenEntries *entries
    cdef readonly bint opaque_on_mismatch
    """Whether a value that does not match its type remains opaque, unless `register` says otherwise."""
    cdef list keep              # keys, plans and outgrown tables
    cdef list outgrown
    cdef Py_ssize_t used
    cdef bint sealed            # a sealed plan refers to this table, so each plan in it must be sealed, too

    def __cinit__(self, *args, on_mismatch="error", **kwargs):
        self.opaque_on_mismatch = isinstance(on_mismatch, str) and on_mismatch == "opaque"
        self.keep = []
        self.outgrown = []
        self.entries = self._grown(16)

    cdef OpenEntries *_grown(self, size_t size) except NULL:
        cdef bytearray slots = bytearray(size * sizeof(OpenEntry))
        cdef bytearray head = bytearray(sizeof(OpenEntries))
        cdef OpenEntries *entries = <OpenEntries *><char *>head
        entries.mask = size - 1
        entries.slots = <OpenEntry *><char *>slots
        self.outgrown.append((slots, head))
        return entries

    cdef int _insert(self, OpenEntries *entries, const uint8_t *oid, Py_ssize_t length, const Node *node,
                     bint opaque_on_mismatch) except -1:
        cdef OpenEntry *slot = find_slot(entries, oid, length)
        if load_acquire_node(&slot.node) == NULL:
            slot.oid = oid
            slot.length = length
        slot.opaque_on_mismatch = opaque_on_mismatch
        store_release_node(&slot.node, node)
        return 0

    @property
    def plans(self):
        """The registered types: OBJECT IDENTIFIER contents octets to (plan, whether a mismatch remains opaque)."""
        return {contents: (plan, opaque) for contents, plan, opaque in self.keep}

    def set_plan(self, bytes contents not None, Plan plan not None, bint opaque_on_mismatch):
        """Register the plan of the type that the OBJECT IDENTIFIER with these contents octets selects."""
        global registrations
        cdef OpenEntries *entries
        cdef OpenEntries *larger
        cdef size_t i
        if self.sealed:
            # This may compile a class, whose code may register other types here.
            plan.prepared()
        entries = self.entries
        self.keep.append((contents, plan, opaque_on_mismatch))
        if find_slot(entries, <const uint8_t *><const char *>contents, len(contents)).node == NULL:
            self.used += 1
            if 2 * <size_t>self.used > entries.mask:
                larger = self._grown(2 * (entries.mask + 1))
                for i in range(entries.mask + 1):
                    if entries.slots[i].node != NULL:
                        self._insert(larger, entries.slots[i].oid, entries.slots[i].length,
                                     entries.slots[i].node, entries.slots[i].opaque_on_mismatch)
                store_release_entries(&self.entries, larger)
                entries = larger
        # Counted before it is published: a reader that finds the new plan also sees the new count.
        registrations += 1
        self._insert(entries, <const uint8_t *><const char *>contents, len(contents), &plan.node, opaque_on_mismatch)

    def plan_for(self, bytes contents not None):
        """Return the plan that the OBJECT IDENTIFIER with these contents octets selects, or None."""
        cdef const OpenEntry *entry = find_slot(
            load_acquire_entries(&self.entries), <const uint8_t *><const char *>contents, len(contents)
        )
        return None if entry.node == NULL else plan_of(entry.node)


def registration_count():
    """Return the number of types registered in all tables; while it is the same, what a plan accepts is the same."""
    return registrations


cdef OpenEntry *find_slot(OpenEntries *entries, const uint8_t *oid, Py_ssize_t length) noexcept nogil:
    """Return the slot of a key, or the free slot for it; there is always one, as the table is at most half full."""
    cdef size_t at = <size_t>(oid_hash(oid, length) >> 32)
    cdef OpenEntry *slot
    while True:
        slot = &entries.slots[at & entries.mask]
        if load_acquire_node(&slot.node) == NULL or (slot.length == length and memcmp(slot.oid, oid, length) == 0):
            return slot
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
