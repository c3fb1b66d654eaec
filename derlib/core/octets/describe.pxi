# Words for error messages: bytes, numbers and tags; and the error for a fault outside a decoded buffer.

cdef object hex_octets(bytes octets, int most):
    """Return the first bytes in hexadecimal, at most `most` of them."""
    if not octets:
        return "(no octets)"
    shown = octets[:most].hex(" ")
    return shown if len(octets) <= most else f"{shown} ..."


cdef object format_integer(value):
    return str(value) if value.bit_length() <= 256 else f"an integer of {value.bit_length()} bits"


cdef object describe_tag(tag_t tag):
    """Return a tag in ASN.1 notation: [0], [APPLICATION 3], or the name of a universal type."""
    number = tag >> 3
    cdef int tag_class = tag >> 1 & 3
    if tag_class == CLASS_UNIVERSAL:
        return UNIVERSAL_TYPES[number][0] if number in UNIVERSAL_TYPES else f"[UNIVERSAL {number}]"
    return ("", f"[APPLICATION {number}]", f"[{number}]", f"[PRIVATE {number}]")[tag_class]


def tag_name(tag):
    """Return a tag number of a plan as ASN.1 writes the tag, such as "[0]" or "INTEGER"."""
    return describe_tag(<tag_t>tag)


cdef object longest_arc(bytes contents):
    """Return the length in bytes of the longest arc, of contents octets of an OBJECT IDENTIFIER or RELATIVE-OID."""
    length = longest = 0
    for octet in contents:
        length += 1
        longest = max(longest, length)
        # X.690 8.19.2: bit 8 is set in all octets of an arc but the last.
        if octet < 0x80:
            length = 0
    return f"{longest} byte{'' if longest == 1 else 's'}"


cdef object fault_error(int fault, bytes contents):
    """Return the error for contents octets of an identifier, or for a buffer that changed."""
    kind, exception, clause, text = FAULTS[fault]
    text = text.format(type="the value", octets=hex_octets(contents, 16), actual=longest_arc(contents),
                       limit=ARC_OCTETS_MOST)
    return exception(text, (), 0, clause, kind)
