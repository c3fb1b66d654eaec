# BIT STRING (X.690 8.6, 11.2), as `BitString` or as named bits (X.680 22): an initial octet with the number of unused
# bits in the last octet, then the bits.

cdef enum:
    # Named bits beyond this number are not listed one by one: a short text must not take much memory.
    LISTED_BITS = 1024
    # With more bits without a name than this, `to_native` gives one number for all: it is much shorter.
    NAMELESS_BITS = 32
    # The contents octets of named bits whose number fits a machine word.
    SHORT_BITS = 8
    # The number of values of named bits that a plan keeps: input must not fill the memory.
    KEPT_VALUES = 128


cdef inline int bits_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t unused
    # X.690 8.6.2.1: an initial octet has the number of unused bits in the last octet.
    if n < 1:
        return FAULT_BITS_EMPTY
    # X.690 8.6.2.2: 0 to 7. Read this octet once: a shift by more is undefined, and a shared buffer may change.
    unused = octet_at(p)
    if unused > 7:
        return FAULT_BITS_UNUSED
    # X.690 8.6.2.3: an empty bitstring is the initial octet 0 alone.
    if n == 1:
        return FAULT_BITS_UNUSED_EMPTY if p[0] != 0 else FAULT_NONE
    # X.690 11.2.1: each unused bit is zero.
    if p[n - 1] & ((1 << unused) - 1):
        return FAULT_BITS_PADDING
    return FAULT_NONE


cdef int bit_string_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return bits_check(p, n)


cdef inline int last_bit_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return FAULT_BITS_NAMED if the last bit of a valid BIT STRING is 0."""
    if n > 1 and not (p[n - 1] >> unused_bits(p)) & 1:
        return FAULT_BITS_NAMED
    return FAULT_NONE


cdef inline int named_bits_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 11.2.2: trailing 0 bits are removed, so the last bit is 1; 8.6.2.3 applies when no bit is left.
    cdef int fault = bits_check(p, n)
    return fault if fault else last_bit_check(p, n)


cdef inline int unused_bits(const uint8_t *p) noexcept nogil:
    """Return the number of unused bits, always 0 to 7, even if a shared buffer has changed."""
    return octet_at(p) & 7


cdef inline Py_ssize_t bits_length(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return the number of bits in validated contents."""
    return 8 * (n - 1) - unused_bits(p) if n > 1 else 0


@cython.final
@cython.no_gc
cdef class BitString:
    """BitString(octets=b'', unused_bits=0)
--

    A BIT STRING value (X.680 22): bytes, and the number of bits of the last byte that are not part of it.

    Args:
        octets: the bits; the first bit is the highest bit of the first byte.
        unused_bits: the number of low bits of the last byte that are not part of the value, 0 to 7; they must be zero.

    Raises:
        ConstraintError: `unused_bits` is out of range, or an unused bit is set (X.690 8.6.2, 11.2.1).
        TypeError: `octets` is not a buffer.

    >>> from derlib import BitString
    >>> bits = BitString(b"\\xa0", 5)
    >>> len(bits), list(bits), str(bits)
    (3, [True, False, True], '101')
    """
    cdef readonly bytes bytes
    """The bytes; unused bits are zero."""
    cdef readonly int unused_bits
    """The number of unused bits in the last byte, 0 to 7."""
    cdef bint made

    def __cinit__(self):
        self.bytes = b""

    def __init__(self, octets=b"", int unused_bits=0):
        cdef bint made
        with cython.critical_section(self):
            made = self.made
            self.made = True
        if made:
            raise TypeError("a BitString is immutable")
        octets = contents_given(octets, "BitString")
        if not 0 <= unused_bits <= 7 or (unused_bits and not octets):
            raise _errors.ConstraintError("a BitString has 0 to 7 unused bits, and none when it is empty (X.690 8.6.2)")
        if unused_bits and octets[len(octets) - 1] & ((1 << unused_bits) - 1):
            raise _errors.ConstraintError("the unused bits of a BitString are zero (X.690 11.2.1)")
        self.bytes = octets
        self.unused_bits = unused_bits

    def __len__(self):
        return 8 * len(self.bytes) - self.unused_bits

    def __getitem__(self, index):
        cdef Py_ssize_t length = len(self)
        cdef Py_ssize_t i
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(*index.indices(length))))
        i = index
        if i < 0:
            i += length
        if not 0 <= i < length:
            raise IndexError("bit index out of range")
        return bool(self.bytes[i >> 3] & 0x80 >> (i & 7))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __int__(self):
        """Return the bits as an unsigned number; the first bit is the highest."""
        return int.from_bytes(self.bytes, "big") >> self.unused_bits

    def __bytes__(self):
        return self.bytes

    def __str__(self):
        length = len(self)
        return f"{int(self):0{length}b}" if length else ""

    def __repr__(self):
        shown = repr(self.bytes) if len(self.bytes) <= 32 else f"{self.bytes[:32]!r}... {len(self)} bits"
        return f"BitString({shown}, {self.unused_bits})" if self.unused_bits else f"BitString({shown})"

    def __hash__(self):
        return hash((self.bytes, self.unused_bits))

    def __eq__(self, other):
        if not isinstance(other, BitString):
            return NotImplemented
        return self.bytes == (<BitString>other).bytes and self.unused_bits == (<BitString>other).unused_bits

    def __reduce__(self):
        return BitString, (self.bytes, self.unused_bits)


cdef object bit_string_value(const uint8_t *p, Py_ssize_t n):
    """Return validated contents as a BitString. Unused bits that are set, which may be tolerated, become zero."""
    cdef BitString value = BitString.__new__(BitString)
    cdef uint8_t last
    value.made = True
    if n > 1:
        value.bytes = (<const char *>p)[1:n]
        value.unused_bits = unused_bits(p)
        last = (<const uint8_t *><const char *>value.bytes)[n - 2]
        if last & ((1 << value.unused_bits) - 1):
            value.bytes = value.bytes[:n - 2] + bytes([last & (0xFF << value.unused_bits) & 0xFF])
    return value


cdef object bit_string_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return bit_string_value(p, n)


cdef int bit_string_encode(Writer w, const Node *node, object value) except -1:
    """Write a BitString, or as plain data: bytes, or a text of zeros and ones."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        value = BitString(value)
    elif isinstance(value, str):
        # The empty text is the empty bit string (X.680 22.9, ''B), and `str(BitString())`.
        if len(value) != value.count("0") + value.count("1"):
            raise wrong_value("a str of 0 and 1", node, value)
        unused = (8 - len(value) % 8) % 8
        value = BitString((int(value or "0", 2) << unused).to_bytes((len(value) + 7) // 8, "big"), unused)
    elif not isinstance(value, BitString):
        raise wrong_type("BitString, bytes or str", node, value)
    w.bytes_((<BitString>value).bytes)
    return w.octet(<uint8_t>(<BitString>value).unused_bits)


cdef bint bit_string_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write a BitString or bytes."""
    cdef BitString bits
    if is_bytes(value):
        return write_bits(w, node, octets_in(value), count_in(value), 0)
    if type(<object>value) is not BitString:
        return False
    bits = <BitString>value
    return write_bits(w, node, octets_in(<PyObject *>bits.bytes), count_in(<PyObject *>bits.bytes), bits.unused_bits)


cdef bint write_bits(Writer w, const Node *node, const uint8_t *p, Py_ssize_t n, int unused) except -1:
    """Write a BIT STRING of valid parts; return False, with nothing written, outside the SIZE."""
    if node.sized and size_fault(node, 8 * n - unused):
        return False
    w.octets(p, n)
    w.octet(<uint8_t>unused)
    w.header(node.tag, n + 1)
    return True


cdef object bit_string_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    """Return whole octets as bytes, anything else as a text of zeros and ones."""
    if n <= 1 or p[0] == 0:
        return native_octets(p + min(n, 1), p + n, json)
    bits = str(bit_string_value(p, n))
    return f"'{bits}'B" if json else bits


# Each octet with its bits in reverse order: X.690 8.6.2 puts bit 0 of named bits in the highest place.
cdef bytes REVERSED_OCTETS = bytes(int(f"{octet:08b}"[::-1], 2) for octet in range(256))


cdef object named_bits_number(const uint8_t *p, Py_ssize_t n):
    """Return named bits as an int in which bit n of the BIT STRING is 1 << n."""
    if n <= 1:
        return 0
    if n <= SHORT_BITS:
        return short_bits_number(p, n)
    number = int.from_bytes((<const char *>p)[1:n].translate(REVERSED_OCTETS), "little")
    if bits_check(p, n) == FAULT_BITS_PADDING:
        # Unused bits that are set were tolerated: read them as zero. A C shift would overflow here.
        number &= (<object>1 << bits_length(p, n)) - 1
    return number


cdef uint64_t short_bits_number(const uint8_t *p, Py_ssize_t n) noexcept:
    """Return the number of two to eight contents octets; unused bits that are set, which may be tolerated, are zero."""
    cdef const uint8_t *reversed_octets = <const uint8_t *><const char *>REVERSED_OCTETS
    cdef uint64_t number = 0
    cdef Py_ssize_t i
    for i in range(n - 1, 0, -1):
        number = number << 8 | reversed_octets[octet_at(p + i)]
    return number & ((<uint64_t>1 << bits_length(p, n)) - 1)


cdef object named_bits_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return a value of the class. The plan keeps the first short values, because enum takes long to make one."""
    cdef Plan plan = plan_of(node)
    number = named_bits_number(p, n)
    if n > SHORT_BITS:
        return plan.type(number)
    value = plan.members.get(number)
    if value is None:
        value = plan.type(number)
        if len(plan.members) < KEPT_VALUES:
            plan.members[number] = value
    return value


cdef object listed_bits(const Node *node, object bits):
    """Return the number for a list of named bits: members, names, and numbers of bits without a name."""
    cdef Plan plan = plan_of(node)
    number = 0
    for bit in bits:
        if isinstance(bit, str):
            if bit not in plan.type.__members__:
                raise _errors.ConstraintError(f"{plan.name} has no bit {short_repr(bit)}; "
                                              f"{remedy_for_name(bit, plan.type.__members__)}")
            number |= int(plan.type.__members__[bit])
        elif type(bit) is plan.type:
            # A member is an int, too, but its value is a set of bits, not the number of one.
            number |= exact_int(bit)
        elif isinstance(bit, int) and not isinstance(bit, bool) and not is_of_another(node, bit):
            bit = exact_int(bit)
            if not 0 <= bit < LISTED_BITS:
                raise wrong_value(f"a bit number below {LISTED_BITS}", node, bit)
            number |= 1 << bit
        else:
            raise wrong_type(f"a list of {plan.name}, str or int", node, bit)
    return number


cdef int named_bits_encode(Writer w, const Node *node, object value) except -1:
    cdef Py_ssize_t bits
    if isinstance(value, (list, tuple)):
        value = listed_bits(node, value)
    if not isinstance(value, int) or isinstance(value, bool) or is_of_another(node, value):
        raise wrong_type(f"{plan_of(node).name} or list", node, value)
    value = exact_int(value)
    if value < 0:
        raise wrong_value("members joined by |", node, value)
    # X.690 11.2.2: no zero bits after the last bit that is set.
    bits = value.bit_length()
    w.bytes_(value.to_bytes((bits + 7) // 8, "little").translate(REVERSED_OCTETS))
    return w.octet(<uint8_t>(7 - (bits + 7) % 8) if bits else 0)


cdef object named_bits_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    """Return a list with the name of each bit that is set, or its number; one number for all if many have no name."""
    cdef dict named
    cdef list bits
    cdef Py_ssize_t length
    cdef Py_ssize_t bit
    value = named_bits_number(p, n)
    length = value.bit_length()
    if length <= LISTED_BITS:
        named = plan_of(node).type._named()
        if count_nameless(named, p, length) <= NAMELESS_BITS:
            bits = []
            for bit in range(length):
                if is_bit_set(p, bit):
                    name = named.get(bit)
                    bits.append(bit if name is None else name)
            return bits
    return json_integer(value) if json else value


cdef inline bint is_bit_set(const uint8_t *p, Py_ssize_t bit) noexcept:
    """Return whether a bit of the contents octets at `p` is set."""
    return octet_at(p + 1 + (bit >> 3)) >> (7 - (bit & 7)) & 1


cdef Py_ssize_t count_nameless(dict named, const uint8_t *p, Py_ssize_t length) except -1:
    """Return how many of the first `length` bits are set and have no name; there may be far more of them than names."""
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t bit
    for bit in range(length):
        count += is_bit_set(p, bit)
    for number in named:
        bit = number
        count -= bit < length and is_bit_set(p, bit)
    return count


TYPES[<int>KIND_BIT_STRING] = TypeInfo(
    TYPE_IS_STRING | TYPE_HAS_SIZE, bit_string_validate, bit_string_decode, bit_string_encode, bit_string_native,
    bit_string_encode_fast)
TYPES[<int>KIND_NAMED_BITS] = TypeInfo(
    TYPE_IS_STRING | TYPE_HAS_SIZE, NULL, named_bits_decode, named_bits_encode, named_bits_native, NULL)
