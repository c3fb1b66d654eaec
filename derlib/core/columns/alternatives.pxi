# The alternatives of a CHOICE whose cells have their names: how their values become text.

cpdef enum ValueText:
    VALUE_TEXT = 0                  # as in a column of text
    VALUE_HEXADECIMAL               # contents octets
    VALUE_ADDRESS                   # an IP address, perhaps with a mask; contents octets if it has another size
    VALUE_ENCODING                  # # and the whole element in hexadecimal
    VALUE_SHOWN                     # of LEAF_DISPLAY: the function of the column returns the text of the cell

cdef struct AlternativeText:
    const uint8_t *name
    Py_ssize_t name_length
    int text                        # a member of ValueText
    const Words *words              # or NULL

cdef struct Alternatives:
    Py_ssize_t count
    AlternativeText *texts
    void *shown                     # a function that returns the text of an encoding; NULL if no cell needs it


@cython.final
@cython.internal
cdef class AlternativeTable:
    """Owns the memory of `Alternatives`."""
    cdef Alternatives alternatives
    cdef bytearray memory
    cdef list keep                  # what the memory points to: the function, the names and the words

    def __cinit__(self, tuple alternatives not None, shown=None):
        cdef AlternativeText *text
        self.memory = bytearray(max(len(alternatives), 1) * sizeof(AlternativeText))
        self.alternatives.texts = text = <AlternativeText *><char *>self.memory
        self.alternatives.count = len(alternatives)
        self.alternatives.shown = NULL if shown is None else <void *>shown
        self.keep = [shown]
        for name, kind, words, spaced in alternatives:
            self._set(text, name.encode(), kind, None if words is None else WordTable(words, spaced))
            text += 1

    cdef int _set(self, AlternativeText *text, bytes name, int kind, WordTable words) except -1:
        text.name = <const uint8_t *><const char *>name
        text.name_length = len(name)
        text.text = kind
        if words is not None:
            text.words = &words.words
        self.keep.append((name, words))
        return 0
