# Character strings (X.680 41, X.690 8.23): the rule and the value of each type.
#
# TeletexString, VideotexString, GraphicString and GeneralString are made of registered character sets and escape
# sequences (X.680 table 8); every octet can occur in them. They read as Latin-1, which keeps each octet and is what
# certificates that use them mean.

# One octet an entry: which alphabets a character belongs to.
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
    # No early end: a row of table look-ups and one test, for strings are short and nearly always right.
    for i in range(n):
        common &= ALPHABETS[p[i]]
    return (common & alphabet) != 0 or n == 0


cdef int utf8_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """X.690 8.23.10: ISO 10646 annex D, that is shortest forms, no surrogates, nothing over U+10FFFF."""
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


cdef inline int numeric_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_NUMERIC) else FAULT_NUMERIC


cdef inline int printable_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_PRINTABLE) else FAULT_PRINTABLE


cdef inline int ia5_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_IA5) else FAULT_IA5


cdef inline int visible_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    return FAULT_NONE if in_alphabet(p, n, ALPHABET_VISIBLE) else FAULT_VISIBLE


cdef int bmp_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 8.23.8: two octets a character; D800 to DFFF are no characters of the Basic Multilingual Plane.
    cdef Py_ssize_t i
    if n % 2:
        return FAULT_BMP
    for i in range(0, n, 2):
        if p[i] & 0xF8 == 0xD8:
            return FAULT_BMP
    return FAULT_NONE


cdef int universal_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 8.23.7: four octets a character, of which ISO 10646 has those up to 10FFFF, surrogates left out.
    cdef Py_ssize_t i
    if n % 4:
        return FAULT_UNIVERSAL
    for i in range(0, n, 4):
        if p[i] != 0 or p[i + 1] > 0x10 or (p[i + 1] == 0 and p[i + 2] & 0xF8 == 0xD8):
            return FAULT_UNIVERSAL
    return FAULT_NONE


cdef Py_ssize_t utf8_length(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Characters, not octets, of checked UTF-8: continuation octets do not count."""
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t i
    for i in range(n):
        count += p[i] & 0xC0 != 0x80
    return count


# Checked octets decode without error. What does not is a string whose breach was tolerated, or stands in a shared
# buffer that changed afterwards: it reads as Latin-1, which keeps each octet.


cdef inline object ascii_decode(const uint8_t *p, Py_ssize_t n):
    return utf8_decode(p, n) if is_ascii(p, n) else latin1_decode(p, n)


cdef object bmp_decode(const uint8_t *p, Py_ssize_t n):
    # What is checked and read is a copy: a shared buffer may change between the two.
    cdef bytes octets = (<const char *>p)[:n]
    p = <const uint8_t *><const char *>octets
    return octets.decode("utf-16-be") if bmp_check(p, n) == FAULT_NONE else latin1_decode(p, n)


cdef object universal_decode(const uint8_t *p, Py_ssize_t n):
    try:
        return (<const char *>p)[:n].decode("utf-32-be")
    except UnicodeDecodeError:
        return latin1_decode(p, n)
