# Character strings (X.680 41, X.690 8.23).
#
# TeletexString, VideotexString, GraphicString and GeneralString consist of registered character sets and escape
# sequences (X.680 table 8), so any octet may occur. They are decoded as Latin-1 (KIND_LATIN1_STRING), which keeps each
# octet and is what certificates that use them mean.

cdef extern from *:
    """
    /* Return whether all octets are below 0x80, eight at a time; the last eight may overlap those before. */
    static inline int derlib_is_ascii(const unsigned char *p, Py_ssize_t n) {
        uint64_t all = 0, word;
        Py_ssize_t i;
        if (n < 8) {
            if (n >= 4) {
                uint32_t first, last;
                memcpy(&first, p, 4);
                memcpy(&last, p + n - 4, 4);
                return !((first | last) & 0x80808080u);
            }
            for (i = 0; i < n; i++) all |= p[i];
            return !(all & 0x80);
        }
        for (i = 0; i < n - 8; i += 8) {
            memcpy(&word, p + i, 8);
            all |= word;
        }
        memcpy(&word, p + n - 8, 8);
        return !((all | word) & 0x8080808080808080u);
    }
    /* Return a number of octets below 0x80 at the start of eight octets that are not all below it. */
    #if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define derlib_ascii_before(eight) (__builtin_ctzll((eight) & 0x8080808080808080u) >> 3)
    #else
    #define derlib_ascii_before(eight) 0
    #endif
    /* Return a str if all octets are ASCII, else NULL. The copy is tested, since a shared buffer may change. */
    static PyObject *derlib_ascii_text(const unsigned char *p, Py_ssize_t n) {
        PyObject *text = PyUnicode_New(n, 127);
        if (text == NULL) return NULL;
        memcpy(PyUnicode_1BYTE_DATA(text), p, (size_t)n);
        if (derlib_is_ascii(PyUnicode_1BYTE_DATA(text), n)) return text;
        Py_DECREF(text);
        return NULL;
    }
    /* Python's decoders may read an octet twice, so they get a copy. Invalid UTF-8 is decoded as Latin-1. */
    static PyObject *derlib_other_text(const unsigned char *p, Py_ssize_t n, int utf8) {
        PyObject *text = NULL, *octets = PyBytes_FromStringAndSize((const char *)p, n);
        if (octets == NULL) return NULL;
        if (utf8) {
            text = PyUnicode_DecodeUTF8(PyBytes_AS_STRING(octets), n, NULL);
            utf8 = text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError);
            if (utf8) PyErr_Clear();
            else goto done;
        }
        text = PyUnicode_DecodeLatin1(PyBytes_AS_STRING(octets), n, NULL);
    done:
        Py_DECREF(octets);
        return text;
    }
    /* CPython caches strings of one character. */
    static PyObject *derlib_text(const unsigned char *p, Py_ssize_t n, int utf8) {
        if (n == 1) {
            const char only = *(const volatile char *)p;
            if (!(only & 0x80)) return PyUnicode_DecodeUTF8(&only, 1, NULL);
        }
        else if (n > 1) {
            PyObject *text = derlib_ascii_text(p, n);
            if (text != NULL || PyErr_Occurred()) return text;
        }
        return derlib_other_text(p, n, utf8);
    }
    #define derlib_utf8_text(p, n) derlib_text((p), (n), 1)
    #define derlib_latin1_text(p, n) derlib_text((p), (n), 0)
    /* Return the characters of a value that is exactly a str and ASCII, else NULL. */
    static inline const uint8_t *derlib_ascii_of(PyObject *value, Py_ssize_t *n) {
        if (!PyUnicode_CheckExact(value) || !PyUnicode_IS_COMPACT_ASCII(value)) return NULL;
        *n = PyUnicode_GET_LENGTH(value);
        return (const uint8_t *)PyUnicode_1BYTE_DATA(value);
    }
    /* NAME_length returns the number of octets of characters in UTF-8, -1 if one is a surrogate (X.690 8.23.10, ISO
       10646 annex D); NAME_write writes them. Most text is ASCII, so it tries eight characters at a time. */
    #define DERLIB_UTF8(NAME, UNIT, COUNT, TOP, EIGHT) \\
    static Py_ssize_t NAME##_length(const UNIT *from, Py_ssize_t n) { \\
        const UNIT *end = from + n; \\
        Py_ssize_t length = n; \\
        COUNT surrogates = 0; \\
        while (from < end) { \\
            /* So few that their octets fit into COUNT, which is narrow so that the loop is vectorized. */ \\
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

    /* Return the length of a str in UTF-8, or -1 if it has a surrogate. */
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
    /* Whether a value is exactly a str whose characters are in memory: before CPython 3.12 some were made lazily. */
    #if PY_VERSION_HEX >= 0x030C0000
    #define derlib_is_text(value) PyUnicode_CheckExact(value)
    #else
    #define derlib_is_text(value) (PyUnicode_CheckExact(value) && PyUnicode_IS_READY(value))
    #endif
    #define derlib_characters(text) PyUnicode_GET_LENGTH(text)
    """
    int ascii_before "derlib_ascii_before"(uint64_t eight) noexcept nogil
    bint is_ascii "derlib_is_ascii"(const uint8_t *p, Py_ssize_t n) noexcept nogil
    object utf8_decode "derlib_utf8_text"(const uint8_t *p, Py_ssize_t n)
    object latin1_decode "derlib_latin1_text"(const uint8_t *p, Py_ssize_t n)
    const uint8_t *ascii_of "derlib_ascii_of"(PyObject *value, Py_ssize_t *n) noexcept
    bint is_text "derlib_is_text"(PyObject *value) noexcept
    Py_ssize_t characters "derlib_characters"(PyObject *text) noexcept
    Py_ssize_t utf8_length_of "derlib_utf8_length"(PyObject *text) noexcept
    void utf8_write "derlib_utf8_write"(PyObject *text, uint8_t *to) noexcept

# The alphabets that contain a character: a set of flags for each octet.
cdef enum Alphabet:
    ALPHABET_NUMERIC = 1
    ALPHABET_PRINTABLE = 2
    ALPHABET_VISIBLE = 4
    ALPHABET_IA5 = 8

cdef uint8_t[256] ALPHABETS


cdef void fill_alphabets() noexcept:
    cdef int octet
    for octet in range(256):
        ALPHABETS[octet] = 0
        # X.680 41.2, table 9: digits and space.
        if octet == 0x20 or 0x30 <= octet <= 0x39:
            ALPHABETS[octet] |= ALPHABET_NUMERIC
        # X.680 41.4, table 10: letters, digits, space and ' ( ) + , - . / : = ?
        if (0x41 <= octet <= 0x5A or 0x61 <= octet <= 0x7A or 0x30 <= octet <= 0x39 or octet == 0x20
                or 0x27 <= octet <= 0x29 or 0x2B <= octet <= 0x2F or octet == 0x3A or octet == 0x3D or octet == 0x3F):
            ALPHABETS[octet] |= ALPHABET_PRINTABLE
        # X.680 41.1, table 8: ISO 646 without its control characters, and space.
        if 0x20 <= octet <= 0x7E:
            ALPHABETS[octet] |= ALPHABET_VISIBLE
        # X.680 41.1, table 8: all of ISO 646.
        if octet < 0x80:
            ALPHABETS[octet] |= ALPHABET_IA5

fill_alphabets()


cdef inline bint in_alphabet(const uint8_t *p, Py_ssize_t n, uint8_t alphabet) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint8_t common = 0xFF
    # One test at the end: strings are short and nearly always valid.
    for i in range(n):
        common &= ALPHABETS[p[i]]
    return (common & alphabet) != 0 or n == 0


cdef int utf8_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """X.690 8.23.10, ISO 10646 annex D: shortest forms, no surrogates, nothing over U+10FFFF."""
    cdef const uint8_t *end = p + n
    cdef uint8_t first
    cdef uint8_t low
    cdef uint8_t high
    cdef int more
    cdef uint64_t eight
    if is_ascii(p, n):
        return FAULT_NONE
    while p < end:
        if end - p >= 8:
            memcpy(&eight, p, 8)
            if not eight & <uint64_t>0x8080808080808080:
                p += 8
                continue
            p += ascii_before(eight)
        first = p[0]
        p += 1
        if first < 0x80:
            continue
        if 0xC2 <= first <= 0xDF:
            if p == end or p[0] & 0xC0 != 0x80:
                return FAULT_UTF8
            p += 1
            continue
        # The range of the second octet excludes overlong forms (E0, F0), surrogates (ED) and all over U+10FFFF (F4).
        low = 0x80
        high = 0xBF
        if 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        else:
            return FAULT_UTF8
        if end - p < more or not low <= p[0] <= high:
            return FAULT_UTF8
        p += 1
        more -= 1
        while more > 0:
            if p[0] & 0xC0 != 0x80:
                return FAULT_UTF8
            p += 1
            more -= 1
    return FAULT_NONE


cdef inline int printable_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_PRINTABLE) else FAULT_PRINTABLE


cdef int utf8_string_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return utf8_check(p, n)


cdef int numeric_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_NUMERIC) else FAULT_NUMERIC


cdef int printable_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return printable_check(p, n)


cdef int ia5_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_IA5) else FAULT_IA5


cdef int visible_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_VISIBLE) else FAULT_VISIBLE


cdef int bmp_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    # X.690 8.23.8: two octets a character; D800 to DFFF are not in the Basic Multilingual Plane.
    cdef Py_ssize_t i
    if n % 2:
        return FAULT_BMP
    for i in range(0, n, 2):
        if p[i] & 0xF8 == 0xD8:
            return FAULT_BMP
    return FAULT_NONE


cdef int universal_string_validate(
    const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets
) noexcept nogil:
    # X.690 8.23.7: four octets a character, of ISO 10646 up to 10FFFF without surrogates.
    cdef Py_ssize_t i
    if n % 4:
        return FAULT_UNIVERSAL
    for i in range(0, n, 4):
        if p[i] != 0 or p[i + 1] > 0x10 or (p[i + 1] == 0 and p[i + 2] & 0xF8 == 0xD8):
            return FAULT_UNIVERSAL
    return FAULT_NONE


cdef Py_ssize_t utf8_length(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the number of characters of valid UTF-8: continuation octets do not count."""
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t i
    for i in range(n):
        count += p[i] & 0xC0 != 0x80
    return count


# Valid octets are decoded without error. A string whose fault was tolerated, or that changed in a shared buffer, is
# decoded as Latin-1, which keeps each octet.


cdef object utf8_string_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return utf8_decode(p, n)


cdef object ascii_string_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return utf8_decode(p, n) if is_ascii(p, n) else latin1_decode(p, n)


cdef object latin1_string_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return latin1_decode(p, n)


cdef object bmp_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    # Check and use the same copy: a shared buffer may change in between.
    cdef bytes octets = (<const char *>p)[:n]
    p = <const uint8_t *><const char *>octets
    return octets.decode("utf-16-be") if bmp_validate(node, p, n, 0) == FAULT_NONE else latin1_decode(p, n)


cdef object universal_string_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    try:
        return (<const char *>p)[:n].decode("utf-32-be")
    except UnicodeDecodeError:
        return latin1_decode(p, n)


cdef int encode_text(Writer w, const Node *node, object value, str codec) except -1:
    if not isinstance(value, str):
        raise wrong_type(value, node, "give a str")
    try:
        return w.bytes_(value.encode(codec))
    except UnicodeEncodeError as error:
        raise _errors.ConstraintError(
            f"the character at {error.start} is outside the alphabet of {describe_node(node)}") from None


cdef int utf8_string_encode(Writer w, const Node *node, object value) except -1:
    return encode_text(w, node, value, "utf-8")


cdef int ascii_string_encode(Writer w, const Node *node, object value) except -1:
    return encode_text(w, node, value, "ascii")


cdef int latin1_string_encode(Writer w, const Node *node, object value) except -1:
    return encode_text(w, node, value, "latin-1")


cdef int bmp_encode(Writer w, const Node *node, object value) except -1:
    return encode_text(w, node, value, "utf-16-be")


cdef int universal_string_encode(Writer w, const Node *node, object value) except -1:
    return encode_text(w, node, value, "utf-32-be")


cdef bint utf8_string_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    cdef Py_ssize_t n = 0
    cdef const uint8_t *p = ascii_of(value, &n)
    if p != NULL:
        return write_sized(w, node, p, n)
    # X.680 51.5.3: SIZE counts characters.
    if not is_text(value) or (node.sized and size_check(node, characters(value))):
        return False
    n = utf8_length_of(value)
    if n < 0:
        return False
    w.room(n)
    utf8_write(value, w.base + w.at)
    w.header(node.tag, n)
    return True


cdef bint ascii_encode_fast(Writer w, const Node *node, PyObject *value, uint8_t alphabet) except -1:
    cdef Py_ssize_t n = 0
    cdef const uint8_t *p = ascii_of(value, &n)
    return p != NULL and in_alphabet(p, n, alphabet) and write_sized(w, node, p, n)


cdef bint numeric_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    return ascii_encode_fast(w, node, value, ALPHABET_NUMERIC)


cdef bint printable_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    return ascii_encode_fast(w, node, value, ALPHABET_PRINTABLE)


cdef bint ia5_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    return ascii_encode_fast(w, node, value, ALPHABET_IA5)


cdef bint visible_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    return ascii_encode_fast(w, node, value, ALPHABET_VISIBLE)


cdef enum:
    CHARACTER_STRING = TYPE_IS_STRING | TYPE_HAS_SIZE | TYPE_MAY_BE_EMPTY

TYPES[<int>KIND_UTF8_STRING] = TypeInfo(
    CHARACTER_STRING, utf8_string_validate, utf8_string_decode, utf8_string_encode, decoded_native,
    utf8_string_encode_fast)
TYPES[<int>KIND_NUMERIC_STRING] = TypeInfo(
    CHARACTER_STRING, numeric_validate, ascii_string_decode, ascii_string_encode, decoded_native, numeric_encode_fast)
TYPES[<int>KIND_PRINTABLE_STRING] = TypeInfo(
    CHARACTER_STRING, printable_validate, ascii_string_decode, ascii_string_encode, decoded_native,
    printable_encode_fast)
TYPES[<int>KIND_IA5_STRING] = TypeInfo(
    CHARACTER_STRING, ia5_validate, ascii_string_decode, ascii_string_encode, decoded_native, ia5_encode_fast)
TYPES[<int>KIND_VISIBLE_STRING] = TypeInfo(
    CHARACTER_STRING, visible_validate, ascii_string_decode, ascii_string_encode, decoded_native, visible_encode_fast)
TYPES[<int>KIND_LATIN1_STRING] = TypeInfo(
    CHARACTER_STRING, any_octets_validate, latin1_string_decode, latin1_string_encode, decoded_native, NULL)
TYPES[<int>KIND_BMP_STRING] = TypeInfo(
    CHARACTER_STRING, bmp_validate, bmp_decode, bmp_encode, decoded_native, NULL)
TYPES[<int>KIND_UNIVERSAL_STRING] = TypeInfo(
    CHARACTER_STRING, universal_string_validate, universal_string_decode, universal_string_encode, decoded_native, NULL)
