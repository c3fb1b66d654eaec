# The text of IP addresses, as `str` of Python's ipaddress has it (RFC 5952).

cdef enum:
    ADDRESS_MOST = 46               # the most characters of an address


cdef int write_decimal(uint8_t *to, uint8_t value) noexcept nogil:
    """Write an octet in decimal digits, and return their number."""
    cdef int n = 3 if value >= 100 else 2 if value >= 10 else 1
    cdef int i
    for i in range(n - 1, -1, -1):
        to[i] = 48 + value % 10
        value //= 10
    return n


cdef int write_ipv4(uint8_t *to, const uint8_t *p) noexcept nogil:
    """Write an address of four octets, and return the number of characters."""
    cdef int n = 0
    cdef int i
    for i in range(4):
        if i > 0:
            to[n] = c"."
            n += 1
        n += write_decimal(to + n, p[i])
    return n


cdef int write_ipv6(uint8_t *to, const uint8_t *p) noexcept nogil:
    """Write an address of sixteen octets, and return the number of characters."""
    cdef uint32_t[8] groups
    cdef int zeros = 8              # the first of the longest run of groups that are zero (RFC 5952 4.2)
    cdef int zeros_end = 8
    cdef int start = 0
    cdef int i
    cdef int shift
    cdef int n = 0
    for i in range(8):
        groups[i] = <uint32_t>p[2 * i] << 8 | p[2 * i + 1]
        if groups[i]:
            start = i + 1
        elif i - start >= 1 and i + 1 - start > zeros_end - zeros:
            zeros = start
            zeros_end = i + 1
    i = 0
    while i < 8:
        if i == zeros:
            to[n] = to[n + 1] = c":"
            n += 2
            i = zeros_end
            continue
        if i > 0 and i != zeros_end:
            to[n] = c":"
            n += 1
        if i == 6 and zeros == 0 and zeros_end == 5 and groups[5] == 0xFFFF:
            # An IPv4-mapped address (RFC 5952 5).
            return n + write_ipv4(to + n, p + 12)
        shift = 12
        while shift > 0 and groups[i] >> shift == 0:
            shift -= 4
        while shift >= 0:
            to[n] = hex_digit(groups[i] >> shift & 15)
            n += 1
            shift -= 4
        i += 1
    return n


cdef bint put_address(Buffer *buffer, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Append an address of four or sixteen octets (RFC 5280 4.2.1.6), or an address and its mask (4.2.1.10)."""
    cdef uint8_t[2 * ADDRESS_MOST + 1] text
    cdef Py_ssize_t half = n // 2
    cdef int length
    if n == 4:
        length = write_ipv4(text, p)
    elif n == 16:
        length = write_ipv6(text, p)
    else:
        length = write_ipv4(text, p) if half == 4 else write_ipv6(text, p)
        text[length] = c"/"
        length += 1
        length += write_ipv4(text + length, p + half) if half == 4 else write_ipv6(text + length, p + half)
    return buffer_put(buffer, text, length)
