# Words for error messages: bytes, numbers and tags; and the error for a fault outside a decoded buffer.

from derlib import _brief

cdef object hex_octets(bytes octets, int most):
    """Return the first bytes in hexadecimal, at most `most` of them."""
    if not octets:
        return "(no octets)"
    shown = octets[:most].hex(" ")
    return shown if len(octets) <= most else f"{shown} ..."


cdef enum:
    # The repr of a longer part of a value is cut. `derlib.pretty` shows more.
    LONGEST_REPR = 500


cdef object short_repr(value):
    """Return a short repr for a part of another value or for a message.

    It has no decimal digits of huge numbers: `sys.set_int_max_str_digits` makes the repr of those a ValueError. A repr
    that fails does not replace the error that the message is for.
    """
    if type(value) is int:
        return _brief.integer_text(value)
    if (type(value) is str or type(value) is bytes) and len(value) > 80:
        return f"{value[:64]!r}... ({len(value)} in all)"
    try:
        text = repr(value)
    except (_errors.ASN1Error, MemoryError):
        raise
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_REPR else text[:LONGEST_REPR] + "..."


cdef list short_reprs(values):
    """Return a short repr of each value."""
    cdef list reprs = []
    for value in values:
        reprs.append(short_repr(value))
    return reprs


cdef object describe_tag(tag_t tag):
    """Return a tag in ASN.1 notation: [0], [APPLICATION 3], or the name of a universal type."""
    number = tag >> 3
    cdef int tag_class = tag >> 1 & 3
    if tag_class == CLASS_UNIVERSAL:
        return UNIVERSAL_TYPES[number][0] if number in UNIVERSAL_TYPES else f"[UNIVERSAL {number}]"
    return ("", f"[APPLICATION {number}]", f"[{number}]", f"[PRIVATE {number}]")[tag_class]


def tag_name(tag):
    """Return a tag of a plan as ASN.1 writes it, such as "[0]" or "INTEGER"."""
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
    """Return the error for contents octets of an OBJECT IDENTIFIER or RELATIVE-OID, or for a buffer that changed."""
    kind, exception, clause, text = FAULTS[fault]
    text = text.format(type="the value", octets=hex_octets(contents, 16), actual=longest_arc(contents),
                       limit=ARC_OCTETS_MOST)
    return exception(text, (), 0, clause, kind)
