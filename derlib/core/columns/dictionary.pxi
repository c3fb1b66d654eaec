# Dictionary columns: each text of a batch once, and for each cell the number of its text.
#
# Every batch has its own dictionary, so memory does not grow with the number of batches. Texts are found by SipHash
# with a random key: input cannot be made to collide.

from os import urandom as _dictionary_key

cdef enum:
    DICTIONARY_SLOTS = 64           # at first; at most half of them are used

cdef struct Dictionary:
    Column texts                    # its cells are the texts
    int32_t *slots                  # the number of a text plus 1, by hash; 0 for a free slot
    size_t mask                     # the number of slots, a power of two, minus one
    uint64_t[2] key


cdef Dictionary *new_dictionary(const Words *words) except NULL:
    """Return memory for the dictionaries of a column."""
    cdef bytes key = _dictionary_key(16)
    cdef Dictionary *dictionary = <Dictionary *>calloc(1, sizeof(Dictionary))
    if dictionary == NULL:
        raise MemoryError
    memcpy(dictionary.key, <const char *>key, 16)
    dictionary.texts.leaf = LEAF_TEXT
    dictionary.texts.words = words
    return dictionary


cdef void free_dictionary(Dictionary *dictionary) noexcept nogil:
    if dictionary != NULL:
        free_column(&dictionary.texts)
        free(dictionary.slots)
        free(dictionary)


cdef void empty_dictionary(Dictionary *dictionary) noexcept nogil:
    """Free the texts of a batch, and begin the next one."""
    free_column(&dictionary.texts)
    free(dictionary.slots)
    dictionary.slots = NULL
    dictionary.mask = 0


cdef inline const Column *dictionary_texts(const Dictionary *dictionary) noexcept nogil:
    return &dictionary.texts


cdef const uint8_t *dictionary_text(const Dictionary *dictionary, int64_t number, Py_ssize_t *length) noexcept nogil:
    """Return a text, and set its length."""
    cdef int32_t[2] offsets
    memcpy(offsets, dictionary.texts.offsets.data + 4 * number, 8)
    length[0] = offsets[1] - offsets[0]
    # The address of the texts can be NULL if all of them are empty, which the C library does not take.
    if length[0] == 0:
        return <const uint8_t *><const char *>b""
    return dictionary.texts.values.data + offsets[0]


cdef int32_t *text_slot(const Dictionary *dictionary, int64_t number) noexcept nogil:
    """Return the slot that has the text with a number, or the free one where it would be."""
    cdef Py_ssize_t n
    cdef Py_ssize_t other_n
    cdef const uint8_t *text = dictionary_text(dictionary, number, &n)
    cdef const uint8_t *other
    cdef size_t at = siphash(text, n, dictionary.key) & dictionary.mask
    while dictionary.slots[at]:
        other = dictionary_text(dictionary, dictionary.slots[at] - 1, &other_n)
        if n == other_n and memcmp(text, other, n) == 0:
            break
        at = (at + 1) & dictionary.mask
    return dictionary.slots + at


cdef bint make_slots(Dictionary *dictionary, int64_t count) noexcept nogil:
    """Make room for `count` texts, and set the slots of all but the last; return False if memory is exhausted."""
    cdef size_t size = dictionary.mask + 1
    cdef int64_t i
    if dictionary.slots != NULL and size >= 2 * <size_t>count:
        return True
    size = max(2 * size, <size_t>DICTIONARY_SLOTS)
    free(dictionary.slots)
    dictionary.slots = <int32_t *>calloc(size, sizeof(int32_t))
    if dictionary.slots == NULL:
        return False
    dictionary.mask = size - 1
    for i in range(count - 1):
        text_slot(dictionary, i)[0] = <int32_t>i + 1
    return True


cdef bint cell_dictionary(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append the number of the text of a value, which is added to the dictionary if it is new."""
    cdef Dictionary *dictionary = c.dictionary
    cdef Column *texts = &dictionary.texts
    cdef int64_t number = texts.count
    cdef size_t size = texts.values.size
    cdef int32_t *slot
    if number >= 0x7FFFFFFF or not cell_value(texts, node, value):
        return False
    if texts.nulls:
        # The value has no text. A dictionary has no nulls.
        texts.lost = texts.nulls = 0
        texts.validity.size = 0
        texts.count = number
        texts.offsets.size = 4 * (<size_t>number + 1) if number else 0
        return cell_lost(c)
    if not make_slots(dictionary, number + 1):
        return False
    slot = text_slot(dictionary, number)
    if slot[0]:
        texts.count = number
        texts.values.size = size
        texts.offsets.size -= 4
        number = slot[0] - 1
    slot[0] = <int32_t>number + 1
    return cell_number(c, <int32_t>number)

CELLS[<int>LEAF_DICTIONARY] = cell_dictionary


cdef bint cell_number(Column *c, int32_t number) noexcept nogil:
    """Append the number of a text."""
    return begin_cell(c) and buffer_put(&c.values, &number, 4) and end_cell(c, True)
