# Character strings (X.680 41, X.690 8.23).
#
# TeletexString, VideotexString, GraphicString and GeneralString consist of registered character sets and escape
# sequences (X.680 table 8), so any octet may occur. They are decoded as Latin-1 (KIND_LATIN1_STRING), which keeps each
# octet and is what certificates that use them mean.

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
    """Check UTF-8 (X.690 8.23.10, ISO 10646 annex D): shortest forms, no surrogates, nothing over U+10FFFF."""
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
        raise wrong_type("str", node, value)
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
    if not is_text(value) or (node.sized and size_fault(node, characters(value))):
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
    CHARACTER_STRING = TYPE_IS_CHARACTER_STRING | TYPE_IS_STRING | TYPE_HAS_SIZE | TYPE_MAY_BE_EMPTY

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
