# BIT STRING (X.690 8.6, 11.2): its rule, `BitString`, its value, and the value of named bits.

cdef inline int bits_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t unused
    # X.690 8.6.2.1: an initial octet says how many bits of the last octet are unused.
    if n < 1:
        return FAULT_BITS_EMPTY
    # X.690 8.6.2.2: none to seven. A shift by more is undefined, so this octet is read once.
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


cdef inline int named_bits_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    # X.690 11.2.2: trailing 0 bits are removed, so that the last bit is a 1; 8.6.2.3 when no bit is left.
    cdef int fault = bits_check(p, n)
    return fault if fault else last_bit_check(p, n)


cdef inline int last_bit_check(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return FAULT_BITS_NAMED where the last bit is a 0; the contents are right as those of a BIT STRING."""
    if n > 1 and not (p[n - 1] >> unused_bits(p)) & 1:
        return FAULT_BITS_NAMED
    return FAULT_NONE


cdef inline int unused_bits(const uint8_t *p) noexcept nogil:
    """How many bits are unused in checked contents, 0 to 7 also where a shared buffer changed since."""
    return octet_at(p) & 7


cdef inline Py_ssize_t bits_length(const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """The number of bits in checked contents, which are not empty; 0 to 7 bits less than the octets have."""
    return 8 * (n - 1) - unused_bits(p) if n > 1 else 0


# Each octet with its bits in the opposite order: X.690 8.6.2 puts bit 0 in the high place.
cdef bytes REVERSED_OCTETS = bytes(int(f"{octet:08b}"[::-1], 2) for octet in range(256))


cdef object named_bits_decode(const uint8_t *p, Py_ssize_t n):
    """Named bits as an int in which bit n of the BIT STRING is 1 << n."""
    if n <= 1:
        return 0
    number = int.from_bytes((<const char *>p)[1:n].translate(REVERSED_OCTETS), "little")
    if bits_check(p, n) == FAULT_BITS_PADDING:
        # Unused bits that are not zero were tolerated, and read as zero. The shift is Python's, which has no width.
        number &= (<object>1 << bits_length(p, n)) - 1
    return number


@cython.final
@cython.no_gc
cdef class BitString:
    """BitString(octets=b'', unused_bits=0)
--

    A BIT STRING value (X.680 22): octets, and how many bits of the last one are not part of it.

    Args:
        octets: the bits, the first in the high place of the first octet.
        unused_bits: 0 to 7 bits of the last octet that do not count; they must be zero.

    Raises:
        ConstraintError: `unused_bits` is out of range, or an unused bit is set (X.690 8.6.2, 11.2.1).
        TypeError: `octets` is not a buffer.

    >>> from derlib import BitString
    >>> bits = BitString(b"\\xa0", 5)
    >>> len(bits), list(bits), str(bits)
    (3, [True, False, True], '101')
    """
    cdef readonly bytes bytes
    """The octets, unused bits zero."""
    cdef readonly int unused_bits
    """How many bits of the last octet are unused: 0 to 7."""
    cdef bint made

    def __cinit__(self):
        self.bytes = b""

    def __init__(self, octets=b"", int unused_bits=0):
        cdef bint made
        with cython.critical_section(self):
            made = self.made
            self.made = True
        if made:
            raise TypeError("a BitString does not change")
        octets = contents_given(octets, "a BitString", "BitString(octets, unused_bits)")
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
            return tuple(self[i] for i in range(*index.indices(length)))
        i = index
        if i < 0:
            i += length
        if not 0 <= i < length:
            raise IndexError("bit index out of range")
        return bool(self.bytes[i >> 3] & 0x80 >> (i & 7))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __int__(self):
        """The bits as an unsigned number, the first bit being the highest."""
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


cdef object bits_decode(const uint8_t *p, Py_ssize_t n):
    cdef BitString value = BitString.__new__(BitString)
    cdef uint8_t last
    value.made = True
    if n > 1:
        value.bytes = (<const char *>p)[1:n]
        value.unused_bits = unused_bits(p)
        last = (<const uint8_t *><const char *>value.bytes)[n - 2]
        if last & ((1 << value.unused_bits) - 1):
            # Tolerated: unused bits read as zero.
            value.bytes = value.bytes[:n - 2] + bytes([last & (0xFF << value.unused_bits) & 0xFF])
    return value
