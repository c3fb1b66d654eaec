# Words for error messages: bytes, numbers and tags; and the error for a fault outside a decoded buffer.

cdef object hex_octets(bytes octets, int most):
    """The first octets in hexadecimal, bounded."""
    if not octets:
        return "(no octets)"
    shown = octets[:most].hex(" ")
    return shown if len(octets) <= most else f"{shown} ..."


cdef object format_integer(value):
    return str(value) if value.bit_length() <= 256 else f"an integer of {value.bit_length()} bits"


cdef object describe_tag(tag_t tag):
    """A tag as ASN.1 writes it: [0], [APPLICATION 3], or the name of a universal type."""
    number = tag >> 3
    cdef int tag_class = tag >> 1 & 3
    if tag_class == CLASS_UNIVERSAL:
        return UNIVERSAL_TYPES[number][0] if number in UNIVERSAL_TYPES else f"[UNIVERSAL {number}]"
    return ("", f"[APPLICATION {number}]", f"[{number}]", f"[PRIVATE {number}]")[tag_class]


cdef object fault_error(int fault, bytes contents):
    """An error about contents octets that stand in no decoded buffer."""
    kind, exception, clause, text = FAULTS[fault]
    text = text.format(
        octets=hex_octets(contents, 16), type="the value", start="", expected="", found="", text="", bounds="",
        refused="", **STRICT,
    )
    return exception(text, (), 0, clause, kind)
