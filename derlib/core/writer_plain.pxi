# The writer of what primitive values mostly are: text, small numbers, True and False, bytes.
#
# Their octets are judged where the value has them, before they are copied, and nothing here can fail half-way. What is
# not so is left to the general writer, which then says what is wrong.

from cpython.object cimport Py_TYPE

cdef extern from *:
    """
    /* The characters of a str proper that is ASCII, else NULL. */
    static inline const uint8_t *derlib_ascii_of(PyObject *value, Py_ssize_t *n) {
        if (!PyUnicode_CheckExact(value) || !PyUnicode_IS_COMPACT_ASCII(value)) return NULL;
        *n = PyUnicode_GET_LENGTH(value);
        return (const uint8_t *)PyUnicode_1BYTE_DATA(value);
    }
    #if PY_VERSION_HEX >= 0x030C0000
    #define derlib_is_small(value) (PyLong_CheckExact(value) && PyUnstable_Long_IsCompact((PyLongObject *)(value)))
    #define derlib_small(value) ((int64_t)PyUnstable_Long_CompactValue((PyLongObject *)(value)))
    #else
    #define derlib_is_small(value) (PyLong_CheckExact(value) && Py_SIZE(value) + 1 >= 0 && Py_SIZE(value) <= 1)
    #define derlib_small(value) ((int64_t)Py_SIZE(value) * (int64_t)((PyLongObject *)(value))->ob_digit[0])
    #endif
    /* Copy less than 128 octets, most of the time few. */
    static inline void derlib_copy_short(uint8_t *to, const uint8_t *from, Py_ssize_t n) {
        uint64_t first, last;
        uint32_t head, tail;
        if (n > 16) {
            memcpy(to, from, (size_t)n);
        } else if (n >= 8) {
            memcpy(&first, from, 8);
            memcpy(&last, from + n - 8, 8);
            memcpy(to, &first, 8);
            memcpy(to + n - 8, &last, 8);
        } else if (n >= 4) {
            memcpy(&head, from, 4);
            memcpy(&tail, from + n - 4, 4);
            memcpy(to, &head, 4);
            memcpy(to + n - 4, &tail, 4);
        } else {
            while (n-- > 0) to[n] = from[n];
        }
    }
    #define derlib_is_bytes(value) PyBytes_CheckExact(value)
    #define derlib_octets_of(value) ((const uint8_t *)PyBytes_AS_STRING(value))
    #define derlib_count_of(value) PyBytes_GET_SIZE(value)
    """
    void copy_short "derlib_copy_short"(uint8_t *to, const uint8_t *p, Py_ssize_t n) noexcept
    bint is_whole "PyLong_CheckExact"(PyObject *value) noexcept
    const uint8_t *ascii_of "derlib_ascii_of"(PyObject *value, Py_ssize_t *n) noexcept
    # A number of one digit as CPython has it, 30 bits or 15.
    bint is_small "derlib_is_small"(PyObject *value) noexcept
    int64_t small_value "derlib_small"(PyObject *value) noexcept
    bint is_bytes "derlib_is_bytes"(PyObject *value) noexcept
    const uint8_t *octets_in "derlib_octets_of"(PyObject *value) noexcept
    Py_ssize_t count_in "derlib_count_of"(PyObject *value) noexcept
    PyObject *true_value "Py_True"
    PyObject *false_value "Py_False"


cdef bint write_plain(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of a primitive type if its value is a usual one; False where nothing was written."""
    cdef int kind = node.kind
    cdef const uint8_t *p
    cdef Py_ssize_t n = 0
    cdef int64_t number
    cdef int overflow = 0
    cdef uint8_t[8] octets
    if node.rules != NULL:
        return False
    if kind == KIND_UTF8_STRING:
        p = ascii_of(value, &n)
        if p == NULL:
            return write_text(w, node, value)
    elif kind == KIND_INTEGER:
        if not is_whole(value):
            return False
        # X.690 8.3.2: as few octets as keep the sign.
        number = small_value(value) if is_small(value) else PyLong_AsLongLongAndOverflow(<object>value, &overflow)
        if overflow:
            return False
        p = octets + 8
        while True:
            p -= 1
            n += 1
            (<uint8_t *>p)[0] = <uint8_t>(number & 0xFF)
            if -0x80 <= number < 0x80:
                break
            number >>= 8
        if node.ranged and range_check(node, p, n):
            return False
    elif kind == KIND_PRINTABLE_STRING or kind == KIND_IA5_STRING or kind == KIND_NUMERIC_STRING \
            or kind == KIND_VISIBLE_STRING:
        p = ascii_of(value, &n)
        if p != NULL and kind != KIND_IA5_STRING and not in_alphabet(p, n, alphabet_of(kind)):
            return False
    elif kind == KIND_BOOLEAN:
        if value != true_value and value != false_value:
            return False
        octets[0] = 0xFF if value == true_value else 0
        p = octets
        n = 1
    elif kind == KIND_OCTET_STRING:
        if not is_bytes(value):
            return False
        p = octets_in(value)
        n = count_in(value)
    else:
        return False
    # What SIZE counts are octets here.
    if p == NULL or (node.sized and size_check(node, n)):
        return False
    w.element(node.tag, p, n)
    return True


cdef inline bint write_quick(Writer w, const Node *node, uint8_t identifier, PyObject *value) except -1:
    """The same with less ado for what is commonest: short texts and octets, and tiny numbers, without constraints.

    `identifier` is the identifier octet of the type, 0 where it has more than one.
    """
    cdef const uint8_t *p = NULL
    cdef uint8_t octet
    cdef Py_ssize_t n = 0
    if identifier and w.at >= 130 and not node.constrained and not node.ranged:
        if node.kind == KIND_UTF8_STRING:
            p = ascii_of(value, &n)
        elif node.kind == KIND_INTEGER:
            if is_small(value) and -0x80 <= small_value(value) < 0x80:
                octet = <uint8_t>(small_value(value) & 0xFF)
                p = &octet
                n = 1
        elif node.kind == KIND_OCTET_STRING and is_bytes(value):
            p = octets_in(value)
            n = count_in(value)
        if p != NULL and n < 0x80:
            w.at -= n + 2
            w.base[w.at] = identifier
            w.base[w.at + 1] = <uint8_t>n
            copy_short(w.base + w.at + 2, p, n)
            return True
    return write_plain(w, node, value)


cdef inline uint8_t alphabet_of(int kind) noexcept nogil:
    if kind == KIND_PRINTABLE_STRING:
        return ALPHABET_PRINTABLE
    return ALPHABET_NUMERIC if kind == KIND_NUMERIC_STRING else ALPHABET_VISIBLE
