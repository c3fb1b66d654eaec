# From a validated element to a cell.

from sys import byteorder as _byte_order

cdef enum:
    # The most contents octets of an INTEGER whose cell is decimal, because that takes quadratic time: 8,192 bits.
    DECIMAL_OCTETS = 1025
    DECIMAL_WORDS = 257             # of 32 bits
    DECIMAL_DIGITS = 2475           # in steps of nine

# The largest decimals, in big-endian order.
cdef uint8_t[16] LARGEST_DECIMAL
cdef uint8_t[32] LARGEST_DECIMAL256
# Arrow's decimals have the byte order of the machine.
cdef bint LITTLE_ENDIAN = _byte_order == "little"

cdef int fill_decimals() except -1:
    cdef bytes largest = (10**38 - 1).to_bytes(16, "big")
    cdef bytes largest256 = (10**76 - 1).to_bytes(32, "big")
    memcpy(LARGEST_DECIMAL, <const char *>largest, 16)
    memcpy(LARGEST_DECIMAL256, <const char *>largest256, 32)
    return 0

fill_decimals()


cdef inline int64_t days_from_civil(int64_t year, int64_t month, int64_t day) noexcept nogil:
    """Return the days from 1970-01-01 to a date of the Gregorian calendar from year 0 on."""
    # Count years from March, so that the leap day is the last one: 153 days in five months, 146,097 in 400 years.
    year -= month <= 2
    cdef int64_t era = (year + 400) // 400 - 1
    cdef int64_t of_era = year - era * 400
    cdef int64_t of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


cdef bint cell_lost(Column *c) noexcept nogil:
    """Append a null for a value that the column cannot hold."""
    c.lost += 1
    return cell_null(c)


cdef const Node *inner_value(const Node *node, Header *h) noexcept nogil:
    """Return the type of a value without explicit tags and choices, and set its header; NULL if there is none."""
    cdef Py_ssize_t index
    while node.kind == KIND_EXPLICIT or is_choice(node.kind):
        if node.kind == KIND_EXPLICIT:
            if reread_header(h.content, h.end, h):
                return NULL
            node = node.element
        else:
            index = find_alternative(node, h.tag)
            if index < 0:
                return NULL
            node = node.components[index].node
    return node


cdef inline bint is_bits(int kind) noexcept nogil:
    """Return whether the first contents octet is the number of unused bits."""
    return kind == KIND_BIT_STRING or kind == KIND_NAMED_BITS or kind == KIND_OPEN_BITS


cdef bint cell_value(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append a cell for an element."""
    cdef Header h = value[0]
    cdef Py_ssize_t n
    cdef const uint8_t *p
    if is_whole(c.leaf):
        return cell_element(c, &h)
    if c.leaf >= LEAF_DICTIONARY:
        return CELLS[c.leaf](c, node, value)
    node = inner_value(node, &h)
    if node == NULL:
        return cell_lost(c)
    p = h.content
    n = h.end - p
    if c.leaf == LEAF_TEXT:
        return cell_text(c, node.kind, &h)
    if c.leaf == LEAF_INTEGER:
        return cell_integer(c, node.kind, p, n)
    if c.leaf == LEAF_BITS:
        return cell_word(c, bit_length(p, n)) if is_integer(node.kind) and n > 0 else cell_lost(c)
    if c.leaf == LEAF_TIME:
        return cell_time(c, node.kind, p, n)
    if c.leaf == LEAF_BOOLEAN:
        return cell_bit(c, p[0] != 0) if n == 1 else cell_lost(c)
    return cell_bits(c, p, n) if is_bits(node.kind) and n > 0 else cell_octets(c, p, n)


cdef bint cell_bits(Column *c, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append the bits of a BIT STRING. Unused bits are 0, also if the check tolerated others."""
    if not cell_octets(c, p + 1, n - 1):
        return False
    if n > 1:
        c.values.data[c.values.size - 1] &= mask_of_used(p)
    return True


cdef inline uint8_t mask_of_used(const uint8_t *p) noexcept nogil:
    """Return the bits of the last octet of a BIT STRING that are used."""
    return <uint8_t>(0xFF << (p[0] & 7))


cdef bint cell_fixed(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append a cell of `c.width` octets: a decimal, or contents octets."""
    cdef bint decimal = c.leaf != LEAF_FIXED
    cdef Header h = value[0]
    cdef const uint8_t *p
    cdef Py_ssize_t n
    cdef uint8_t filler
    cdef uint8_t used               # the bits of the last octet that are used
    cdef uint8_t *to
    cdef Py_ssize_t extended
    cdef Py_ssize_t i
    node = inner_value(node, &h)
    if node == NULL:
        return cell_lost(c)
    p = h.content
    n = h.end - p
    used = 0xFF
    if is_bits(node.kind) and n > 0:
        used = mask_of_used(p)
        p += 1
        n -= 1
    if is_integer(node.kind):
        if n > <Py_ssize_t>c.width:
            p = without_padding(p, n)
            n = h.end - p
        if not 0 < n <= <Py_ssize_t>c.width or (decimal and not fits_decimal(c, p, n)):
            return cell_lost(c)
    elif decimal or n != <Py_ssize_t>c.width:
        return cell_lost(c)
    if not begin_cell(c) or not make_room(&c.values, c.width):
        return False
    to = c.values.data + c.values.size
    c.values.size += c.width
    # The sign of an INTEGER fills the octets before its own.
    filler = 0xFF if p[0] >> 7 else 0
    extended = <Py_ssize_t>c.width - n
    if decimal and LITTLE_ENDIAN:
        for i in range(n):
            to[i] = p[n - 1 - i]
        memset(to + n, filler, extended)
    else:
        memset(to, filler, extended)
        memcpy(to + extended, p, n)
        to[c.width - 1] &= used
    return end_cell(c, True)


cdef bint fits_decimal(const Column *c, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return whether an INTEGER of at most `c.width` octets has no more digits than a decimal."""
    cdef const uint8_t *largest = &LARGEST_DECIMAL[0] if c.leaf == LEAF_DECIMAL else &LARGEST_DECIMAL256[0]
    cdef uint8_t filler = 0xFF if p[0] >> 7 else 0
    cdef uint8_t octet
    cdef Py_ssize_t i
    if n < <Py_ssize_t>c.width:
        return True
    # The absolute value of a negative number is its complement plus one.
    for i in range(n):
        octet = p[i] ^ filler
        if octet != largest[i]:
            return octet < largest[i]
    return filler == 0

CELLS[<int>LEAF_DECIMAL] = CELLS[<int>LEAF_DECIMAL256] = CELLS[<int>LEAF_FIXED] = cell_fixed


cdef bint cell_element(Column *c, const Header *h) noexcept nogil:
    if c.leaf == LEAF_ENCODING:
        return cell_octets(c, h.start, h.end - h.start)
    # A DEFAULT value is not in the input.
    if not c.input <= h.start < c.input_end:
        return cell_null(c)
    return cell_word(c, h.start - c.input if c.leaf == LEAF_OFFSET else h.end - h.start)


cdef int64_t bit_length(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the length in bits of the absolute value of an INTEGER, as `int.bit_length` does."""
    cdef bint negative = p[0] >> 7
    cdef bint power = negative      # whether the number is -2^k: all bits after the ones are 0
    cdef Py_ssize_t i = 0
    cdef Py_ssize_t j
    cdef int64_t bits
    cdef uint8_t filler = 0xFF if negative else 0
    cdef uint8_t first
    while i < n and p[i] == filler:
        i += 1
    if i == n:
        return 1 if negative else 0
    first = p[i] ^ filler
    bits = 8 * (n - i - 1)
    while first:
        bits += 1
        first >>= 1
    # The absolute value of a negative number is its complement plus one, which is one bit longer for -2^k.
    first = p[i] ^ filler
    power = power and first & (first + 1) == 0
    for j in range(i + 1, n):
        if not power:
            break
        power = p[j] == 0
    return bits + 1 if power else bits


cdef bint cell_integer(Column *c, int kind, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef const Word *word
    cdef const uint8_t *end
    cdef uint64_t bits = 0
    cdef Py_ssize_t i
    if kind == KIND_OBJECT_IDENTIFIER:
        word = find_word(c.words, p, n)
        return cell_null(c) if word == NULL else cell_word(c, word.number)
    if is_integer(kind) and n > 8:
        end = p + n
        p = without_padding(p, n)
        n = end - p
    if is_integer(kind) and 1 <= n <= 8:
        return cell_word(c, int64_value(p, n))
    if kind != KIND_NAMED_BITS or n < 1:
        return cell_lost(c)
    # Bit 0 is the first one (X.690 8.6.2), and the lowest bit of the number. Tolerated values can have any number of
    # zero bits at the end, and unused bits that are not 0.
    for i in range(8 * (n - 1) - (p[0] & 7)):
        if p[1 + i // 8] >> (7 - i % 8) & 1:
            if i >= 63:
                return cell_lost(c)
            bits |= <uint64_t>1 << i
    return cell_word(c, <int64_t>bits)


cdef bint cell_time(Column *c, int kind, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef LenientTime lenient
    cdef Moment t
    cdef int64_t offset = 0
    if not (kind == KIND_UTC_TIME and utc_time_read(p, n, &t) == FAULT_NONE) \
            and not (kind == KIND_GENERALIZED_TIME and generalized_time_read(p, n, &t) == FAULT_NONE):
        # A form that was tolerated.
        if not c.lenient or not lenient_time_read(p, n, kind == KIND_UTC_TIME, &lenient):
            return cell_lost(c)
        t = lenient.moment
        offset = 60 * lenient.offset
    # As in Python's datetime: there is no year 0 and no leap second.
    if t.year == 0 or t.second == 60:
        return cell_lost(c)
    return cell_word(
        c, 86400 * days_from_civil(t.year, t.month, t.day) + 3600 * t.hour + 60 * t.minute + t.second - offset)


cdef bint cell_text(Column *c, int kind, const Header *h) noexcept nogil:
    cdef const uint8_t *p = h.content
    cdef Py_ssize_t n = h.end - p
    cdef const Word *word
    cdef int size
    if kind == KIND_SEQUENCE_OF:
        return cell_name(c, h)
    if kind == KIND_OBJECT_IDENTIFIER or is_integer(kind):
        if unlikely(c.lenient) and is_integer(kind) and n > 1:
            p = without_padding(p, n)
            n = h.end - p
        word = find_word(c.words, p, n)
        if word != NULL:
            return cell_octets(c, word.text, word.text_length)
        if is_integer(kind):
            return cell_decimal(c, kind == KIND_ENUMERATED, p, n)
        return begin_cell(c) and put_oid(&c.values, p, n) and put_offset(&c.offsets, c.values.size) \
            and end_cell(c, True)
    if kind == KIND_DURATION:
        # X.690 8.26.5: the contents octets are without the P.
        return begin_cell(c) and buffer_put(&c.values, <const char *>b"P", 1) and buffer_put(&c.values, p, n) \
            and put_offset(&c.offsets, c.values.size) and end_cell(c, True)
    size = text_octets(c, kind, p, n)
    if size:
        return cell_characters(c, size, p, n)
    return cell_octets(c, p, n) if is_utf8(kind) else cell_lost(c)


cdef bint cell_decimal(Column *c, bint unknown, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append an INTEGER in decimal, or an unknown item of an ENUMERATED as `str` of it."""
    cdef uint32_t[DECIMAL_WORDS] words      # of the absolute value, the least significant one first
    cdef char[DECIMAL_DIGITS + 1] digits    # and a sign
    cdef Py_ssize_t at = DECIMAL_DIGITS + 1
    cdef Py_ssize_t count = n // 4 + 1
    cdef Py_ssize_t i
    cdef uint8_t filler
    cdef uint64_t rest
    cdef int digit
    if not 0 < n <= DECIMAL_OCTETS:
        return cell_lost(c)
    # The absolute value of a negative number is its complement plus one.
    filler = 0xFF if p[0] >> 7 else 0
    rest = filler & 1
    memset(words, 0, 4 * count)
    for i in range(n):
        rest += p[n - 1 - i] ^ filler
        words[i // 4] |= <uint32_t>(rest & 0xFF) << 8 * (i % 4)
        rest >>= 8
    words[n // 4] |= <uint32_t>rest << 8 * (n % 4)
    while True:
        while count > 0 and words[count - 1] == 0:
            count -= 1
        rest = 0
        for i in range(count - 1, -1, -1):
            rest = rest << 32 | words[i]
            words[i] = <uint32_t>(rest // 1000000000)
            rest %= 1000000000
        for digit in range(9):
            at -= 1
            digits[at] = <char>(48 + rest % 10)
            rest //= 10
        if count <= 1 and words[0] == 0:
            break
    while digits[at] == 48 and at < DECIMAL_DIGITS:
        at += 1
    if filler:
        at -= 1
        digits[at] = 45
    if not unknown:
        return cell_octets(c, <const uint8_t *>digits + at, DECIMAL_DIGITS + 1 - at)
    return begin_cell(c) and buffer_put(&c.values, <const char *>b"unknown (", 9) \
        and buffer_put(&c.values, <const uint8_t *>digits + at, DECIMAL_DIGITS + 1 - at) \
        and buffer_put(&c.values, <const char *>b")", 1) and put_offset(&c.offsets, c.values.size) and end_cell(c, True)


cdef bint cell_hexadecimal_number(Column *c, const Node *node, const Header *value) noexcept nogil:
    """Append an INTEGER in hexadecimal, with an even number of digits."""
    cdef Header h = value[0]
    cdef const uint8_t *p
    cdef uint8_t *to
    cdef Py_ssize_t n
    cdef Py_ssize_t i
    cdef uint8_t filler
    cdef int rest
    node = inner_value(node, &h)
    if node == NULL or not is_integer(node.kind) or h.content == h.end:
        return cell_lost(c)
    p = without_padding(h.content, h.end - h.content)
    n = h.end - p
    # The absolute value of a negative number is its complement plus one.
    filler = 0xFF if p[0] >> 7 else 0
    rest = filler & 1
    if not begin_cell(c) or not buffer_put(&c.values, <const char *>b"-0x" + (0 if filler else 1), 3 if filler else 2) \
            or not make_room(&c.values, 2 * <size_t>n):
        return False
    to = c.values.data + c.values.size
    for i in range(n - 1, -1, -1):
        rest += p[i] ^ filler
        to[2 * i] = hex_digit(rest >> 4 & 15)
        to[2 * i + 1] = hex_digit(rest & 15)
        rest >>= 8
    if n > 1 and to[0] == c"0" and to[1] == c"0":
        n -= 1
        memmove(to, to + 2, 2 * n)
    c.values.size += 2 * n
    return put_offset(&c.offsets, c.values.size) and end_cell(c, True)

CELLS[<int>LEAF_HEXADECIMAL] = cell_hexadecimal_number


cdef inline bint is_utf8(int kind) noexcept nogil:
    """Return whether the contents octets of a type are UTF-8."""
    if is_wide(kind):
        return False
    return is_character_string(kind) or KIND_UTC_TIME <= kind <= KIND_GENERALIZED_TIME \
        or KIND_OID_IRI <= kind < KIND_DURATION


cdef inline int utf8_of(const uint8_t *p, int size, uint8_t *to) noexcept nogil:
    """Write a character of one, two or four octets as UTF-8; return the number of octets."""
    cdef uint32_t character = 0
    cdef int i
    for i in range(size):
        character = character << 8 | p[i]
    if character < 0x80:
        to[0] = <uint8_t>character
        return 1
    if character < 0x800:
        to[0] = <uint8_t>(0xC0 | character >> 6)
        to[1] = <uint8_t>(0x80 | (character & 0x3F))
        return 2
    if character < 0x10000:
        to[0] = <uint8_t>(0xE0 | character >> 12)
        to[1] = <uint8_t>(0x80 | (character >> 6 & 0x3F))
        to[2] = <uint8_t>(0x80 | (character & 0x3F))
        return 3
    to[0] = <uint8_t>(0xF0 | (character >> 18 & 7))
    to[1] = <uint8_t>(0x80 | (character >> 12 & 0x3F))
    to[2] = <uint8_t>(0x80 | (character >> 6 & 0x3F))
    to[3] = <uint8_t>(0x80 | (character & 0x3F))
    return 4


cdef bint cell_characters(Column *c, int size, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append characters of one, two or four octets as UTF-8."""
    cdef uint8_t *to
    cdef Py_ssize_t i = 0
    if n % size or n > PY_SSIZE_T_MAX // 4 or not begin_cell(c) or not make_room(&c.values, 3 * n):
        return False
    to = c.values.data + c.values.size
    while i < n:
        to += utf8_of(p + i, size, to)
        i += size
    c.values.size = to - c.values.data
    return put_offset(&c.offsets, c.values.size) and end_cell(c, True)


cdef bint put_oid(Buffer *buffer, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append the dotted form of an OBJECT IDENTIFIER."""
    cdef char[4 * SHORT_CONTENTS] dotted
    cdef Py_ssize_t length = write_dotted(p, n, dotted)
    return buffer_put(buffer, dotted, length) if length else put_long_oid(buffer, p, n)


cdef bint put_long_oid(Buffer *buffer, const uint8_t *p, Py_ssize_t n) noexcept with gil:
    """Append the dotted form of an OBJECT IDENTIFIER that has long arcs; nothing if another thread has broken it."""
    cdef bytes text
    try:
        text = dotted_form(oid_arcs((<const char *>p)[:n])).encode()
    except MemoryError:
        return False
    except ValueError:
        return True
    return buffer_put(buffer, <const char *>text, len(text))
