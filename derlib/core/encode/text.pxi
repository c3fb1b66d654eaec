# The writer of text that is not ASCII: contents octets straight from the characters of a str.
#
# A str proper is never changed, and has its characters as one, two or four octets each. A first walk counts the octets
# that they take and looks for what no encoding has, a second writes; what is written needs no check.

cdef extern from *:
    """
    /* How many octets a character takes, 0 for a surrogate (X.690 8.23.10, annex D of ISO 10646), and their writing.
       Of text in Latin letters most is ASCII, so eight characters are tried at a time. */
    #define DERLIB_UTF8(NAME, UNIT, COUNT, TOP, EIGHT) \\
    static Py_ssize_t NAME##_length(const UNIT *from, Py_ssize_t n) { \\
        const UNIT *end = from + n; \\
        Py_ssize_t length = n; \\
        COUNT surrogates = 0; \\
        while (from < end) { \\
            /* So few that what they take fits into COUNT, which is no wider than need be. */ \\
            const UNIT *part = end - from > 4096 ? from + 4096 : end; \\
            COUNT more = 0; \\
            for (; from < part; from++) { \\
                more += from[0] >= 0x80; \\
                if (TOP > 0xFF) { \\
                    more += from[0] >= 0x800; \\
                    surrogates |= (from[0] & (TOP ^ 0x7FF)) == 0xD800; \\
                } \\
                if (TOP > 0xFFFF) more += (uint32_t)from[0] >= 0x10000; \\
            } \\
            length += more; \\
        } \\
        return surrogates ? -1 : length; \\
    } \\
    static void NAME##_write(const UNIT *from, Py_ssize_t n, unsigned char *to) { \\
        const UNIT *end = from + n, *part; \\
        while (from < end) { \\
            part = end; \\
            if (end - from >= 8) { \\
                uint64_t words[sizeof(UNIT)], all = 0; \\
                size_t k; \\
                memcpy(words, from, sizeof(words)); \\
                for (k = 0; k < sizeof(UNIT); k++) all |= words[k]; \\
                part = from + 8; \\
                if (!(all & EIGHT)) { \\
                    for (k = 0; k < 8; k++) to[k] = (unsigned char)from[k]; \\
                    from += 8; \\
                    to += 8; \\
                    continue; \\
                } \\
            } \\
            for (; from < part; from++) { \\
                uint32_t c = from[0]; \\
                if (c < 0x80) { \\
                    *to++ = (unsigned char)c; \\
                    continue; \\
                } \\
                if (c < 0x800) *to++ = (unsigned char)(0xC0 | c >> 6); \\
                else { \\
                    if (c < 0x10000) *to++ = (unsigned char)(0xE0 | c >> 12); \\
                    else { \\
                        *to++ = (unsigned char)(0xF0 | c >> 18); \\
                        *to++ = (unsigned char)(0x80 | (c >> 12 & 0x3F)); \\
                    } \\
                    *to++ = (unsigned char)(0x80 | (c >> 6 & 0x3F)); \\
                } \\
                *to++ = (unsigned char)(0x80 | (c & 0x3F)); \\
            } \\
        } \\
    }
    DERLIB_UTF8(derlib_utf8_of_one, Py_UCS1, uint16_t, 0xFF, 0x8080808080808080u)
    DERLIB_UTF8(derlib_utf8_of_two, Py_UCS2, uint16_t, 0xFFFF, 0xFF80FF80FF80FF80u)
    DERLIB_UTF8(derlib_utf8_of_four, Py_UCS4, uint32_t, 0x1FFFFF, 0xFFFFFF80FFFFFF80u)

    /* The octets of a str proper in UTF-8, or -1 where it has none. */
    static Py_ssize_t derlib_utf8_length(PyObject *text) {
        Py_ssize_t n = PyUnicode_GET_LENGTH(text);
        switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: return derlib_utf8_of_one_length(PyUnicode_1BYTE_DATA(text), n);
        case PyUnicode_2BYTE_KIND: return derlib_utf8_of_two_length(PyUnicode_2BYTE_DATA(text), n);
        default: return derlib_utf8_of_four_length(PyUnicode_4BYTE_DATA(text), n);
        }
    }
    static void derlib_utf8_write(PyObject *text, unsigned char *to) {
        Py_ssize_t n = PyUnicode_GET_LENGTH(text);
        switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: derlib_utf8_of_one_write(PyUnicode_1BYTE_DATA(text), n, to); break;
        case PyUnicode_2BYTE_KIND: derlib_utf8_of_two_write(PyUnicode_2BYTE_DATA(text), n, to); break;
        default: derlib_utf8_of_four_write(PyUnicode_4BYTE_DATA(text), n, to);
        }
    }
    /* A str proper with characters that are there: before CPython 3.12 some were made of them at first use only. */
    #if PY_VERSION_HEX >= 0x030C0000
    #define derlib_is_text(value) PyUnicode_CheckExact(value)
    #else
    #define derlib_is_text(value) (PyUnicode_CheckExact(value) && PyUnicode_IS_READY(value))
    #endif
    #define derlib_characters(text) PyUnicode_GET_LENGTH(text)
    """
    bint is_text "derlib_is_text"(PyObject *value) noexcept
    Py_ssize_t characters "derlib_characters"(PyObject *text) noexcept
    Py_ssize_t utf8_length_of "derlib_utf8_length"(PyObject *text) noexcept
    void utf8_write "derlib_utf8_write"(PyObject *text, uint8_t *to) noexcept


cdef bint write_text(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of UTF8String whose value is a str proper; False where nothing was written."""
    cdef Py_ssize_t n
    if not is_text(value):
        return False
    # X.680 51.5.3: SIZE counts characters.
    if node.sized and size_check(node, characters(value)):
        return False
    n = utf8_length_of(value)
    if n < 0:
        return False
    w.room(n)
    utf8_write(value, w.base + w.at)
    w.header(node.tag, n)
    return True
