# The alternatives of a CHOICE that is a struct column: their names, and how their values become text.

cpdef enum ValueText:
    VALUE_TEXT = 0                  # as in a column of text
    VALUE_HEXADECIMAL               # contents octets
    VALUE_ADDRESS                   # an IP address, perhaps with a mask; contents octets if it has another size
    VALUE_ENCODING                  # # and the whole element in hexadecimal

cdef struct AlternativeText:
    const uint8_t *name
    Py_ssize_t name_length
    int text                        # a member of ValueText
    const Words *words              # or NULL

cdef struct Alternatives:
    Py_ssize_t count
    AlternativeText *texts


@cython.final
@cython.internal
cdef class AlternativeTable:
    """Owns the memory of `Alternatives`."""
    cdef Alternatives alternatives
    cdef bytearray memory
    cdef list keep                  # the names and words to which the memory points

    def __cinit__(self, tuple alternatives not None):
        cdef AlternativeText *text
        self.memory = bytearray(max(len(alternatives), 1) * sizeof(AlternativeText))
        self.alternatives.texts = text = <AlternativeText *><char *>self.memory
        self.alternatives.count = len(alternatives)
        self.keep = []
        for name, kind, words in alternatives:
            self._set(text, name.encode(), kind, None if words is None else WordTable(words))
            text += 1

    cdef int _set(self, AlternativeText *text, bytes name, int kind, WordTable words) except -1:
        text.name = <const uint8_t *><const char *>name
        text.name_length = len(name)
        text.text = kind
        if words is not None:
            text.words = &words.words
        self.keep.append((name, words))
        return 0
