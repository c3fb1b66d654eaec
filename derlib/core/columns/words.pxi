# The words of a column: the text or the number that the cell of a value has, by the contents octets of the value.
#
# Examples are the short names of attribute types, the names of the items of an ENUMERATED, and the sizes of named
# curves. A hash table that never changes, so the walk reads it without the GIL.

cdef struct Word:
    const uint8_t *key              # contents octets; NULL for a free slot
    Py_ssize_t key_length
    const uint8_t *text             # NULL if the word is a number
    Py_ssize_t text_length
    int64_t number

cdef struct Words:
    size_t mask                     # the number of slots, a power of two, minus one
    Word *slots
    bint spaced                     # names are for reading, as `Name.display` returns them


cdef inline size_t key_hash(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the hash of contents octets. The table is the caller's own, so input cannot make it degenerate."""
    cdef uint64_t state = <uint64_t>n
    cdef Py_ssize_t i
    for i in range(n):
        state = (state ^ p[i]) * <uint64_t>0x9E3779B97F4A7C15
        state ^= state >> 29
    return <size_t>state


cdef Word *word_slot(const Words *words, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the slot of a key, or the free one where it would be."""
    cdef size_t i = key_hash(p, n) & words.mask
    while words.slots[i].key != NULL and (
            words.slots[i].key_length != n or memcmp(words.slots[i].key, p, n) != 0):
        i = (i + 1) & words.mask
    return words.slots + i


cdef const Word *find_word(const Words *words, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the word of contents octets, NULL if there is none."""
    cdef const Word *word
    if words == NULL:
        return NULL
    word = word_slot(words, p, n)
    if word.key == NULL:
        return NULL
    return word


@cython.final
@cython.internal
cdef class WordTable:
    """Owns the memory of `Words`."""
    cdef Words words
    cdef bytearray memory
    cdef list keep                  # the octets to which the slots point

    def __cinit__(self, dict words not None, bint spaced=False):
        cdef size_t size = 4
        cdef Word *slot
        while size < 2 * <size_t>len(words):
            size *= 2
        self.memory = bytearray(size * sizeof(Word))
        self.words.mask = size - 1
        self.words.spaced = spaced
        self.words.slots = <Word *><char *>self.memory
        self.keep = []
        for key, value in words.items():
            self._add(key, value)

    cdef int _add(self, bytes key, value) except -1:
        cdef Word *slot = word_slot(&self.words, <const uint8_t *><const char *>key, len(key))
        cdef bytes text
        if isinstance(value, str):
            text = value.encode()
            slot.text = <const uint8_t *><const char *>text
            slot.text_length = len(text)
            self.keep.append(text)
        else:
            slot.number = value
        slot.key = <const uint8_t *><const char *>key
        slot.key_length = len(key)
        self.keep.append(key)
        return 0
