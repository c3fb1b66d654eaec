# Faults as errors: the text of an error from a fault code, the bytes at the fault and the type that was expected.
#
# Nothing here runs unless a decode failed, so the code aims for clear messages and not for speed. Called by the decode
# entry points (core/values/source.pxi), and by every reader of a value through `fault_error`.

import re as _re

from derlib import oids as _oids, pem as _pem

cdef enum:
    # An error mentions PEM if its BEGIN line is within this number of bytes.
    TEXT_LOOKED_AT = 65536

# Text that is passed in place of DER, recognised by its first bytes.
cdef object TEXT = _re.compile(rb"(?:\xef\xbb\xbf)?[\t\r\n -~]*")
cdef object HEXADECIMAL_TEXT = _re.compile(rb"[0-9A-Fa-f\s]*")
cdef object BASE64_TEXT = _re.compile(rb"[A-Za-z0-9+/=\s]*")


cdef object describe_tag(tag_t tag):
    """Return a tag as ASN.1 writes it: [0], [APPLICATION 3], or the name of a universal type."""
    number = tag >> 3
    cdef int tag_class = tag >> 1 & 3
    if tag_class == CLASS_UNIVERSAL:
        return UNIVERSAL_NAMES.get(number, f"[UNIVERSAL {number}]")
    return ("", f"[APPLICATION {number}]", f"[{number}]", f"[PRIVATE {number}]")[tag_class]


def tag_name(tag):
    """Return a tag as messages write it."""
    return describe_tag(tag)


UNIVERSAL_NAMES = {
    1: "BOOLEAN", 2: "INTEGER", 3: "BIT STRING", 4: "OCTET STRING", 5: "NULL", 6: "OBJECT IDENTIFIER",
    7: "ObjectDescriptor", 8: "EXTERNAL", 9: "REAL", 10: "ENUMERATED", 11: "EMBEDDED PDV", 12: "UTF8String",
    13: "RELATIVE-OID", 14: "TIME", 16: "SEQUENCE", 17: "SET", 18: "NumericString", 19: "PrintableString",
    20: "TeletexString", 21: "VideotexString", 22: "IA5String", 23: "UTCTime", 24: "GeneralizedTime",
    25: "GraphicString", 26: "VisibleString", 27: "GeneralString", 28: "UniversalString", 29: "CHARACTER STRING",
    30: "BMPString", 31: "DATE", 32: "TIME-OF-DAY", 33: "DATE-TIME", 34: "DURATION", 35: "OID-IRI",
    36: "RELATIVE-OID-IRI",
}


cdef object describe_node(const Node *node):
    """Return the name of a type in messages, with its tag if the tag is not universal."""
    cdef Plan plan
    if node == NULL:
        return "an element"
    plan = plan_of(node)
    if node.tag != NO_TAG and node.tag >> 1 & 3 != CLASS_UNIVERSAL:
        return f"{describe_tag(node.tag)} {plan.name}"
    return plan.name


cdef object describe_form(const Node *node):
    """Return the name of a type in messages about identifier octets; an explicit tag is named itself."""
    if node.kind == KIND_EXPLICIT:
        return f"the explicit tag {describe_tag(node.tag)} around {plan_of(node.element).name}"
    return describe_node(node)


cdef object hex_octets(bytes octets, int most):
    """Return at most this number of bytes in hexadecimal."""
    if not octets:
        return "(no octets)"
    shown = octets[:most].hex(" ")
    return shown if len(octets) <= most else f"{shown} ..."


cdef object describe_bounds(const Node *node, bint size):
    """Return the bounds of a SIZE constraint or of a value range, as ASN.1 writes them."""
    cdef object low
    cdef object high
    if size:
        low = node.size_low
        high = "MAX" if node.size_high == PY_SSIZE_T_MAX else node.size_high
        return f"{low}" if low == high else f"{low}..{high}"
    # The bounds come from the schema; a bound of thousands of digits would still make the message unreadable.
    low = "MIN" if node.low == NULL else format_integer(integer_decode(node.low, node.low_length))
    high = "MAX" if node.high == NULL else format_integer(integer_decode(node.high, node.high_length))
    return f"{low}..{high}"


cdef object describe_limits(Check *c):
    """Return the constraint that the element violates, or an empty string."""
    if c.constraint != NULL:
        return describe_constraint(c)
    if c.fault == FAULT_SIZE:
        return f"SIZE ({describe_bounds(c.expected, True)})"
    return describe_bounds(c.expected, False) if c.fault == FAULT_RANGE else ""


cdef object describe_number(Check *c, const uint8_t *end):
    """Return the number in a message: a size, a value outside its range, or a length that exceeds the input."""
    cdef Header h
    cdef const uint8_t *length
    cdef int fault = reread_header(c.at, end, &h)
    if c.fault == FAULT_CONTENT_TRUNCATED and fault == FAULT_CONTENT_TRUNCATED:
        length = length_octets(&h)
        if h.content - length > 1:
            length += 1
        declared = int.from_bytes((<const char *>length)[:h.content - length], "big")
        # A length field has up to 126 octets, so the number can have 300 digits.
        if declared >= 1 << 64:
            return f"2^{declared.bit_length() - 1} or more contents octets"
        return "1 contents octet" if declared == 1 else f"{declared} contents octets"
    if fault:
        return ""
    if c.fault == FAULT_RANGE or c.fault == FAULT_ENUMERATED_UNKNOWN:
        value = integer_decode(h.content, h.end - h.content)
        if value.bit_length() <= 256:
            return value
        return f"of {value.bit_length()} bits" if c.fault == FAULT_RANGE else format_integer(value)
    if c.fault != FAULT_SIZE:
        return h.end - h.content
    return value_size(c.expected, &h)


cdef object format_integer(value):
    """Return an integer in decimal, or its size if it has more than 256 bits."""
    return str(value) if value.bit_length() <= 256 else f"an integer of {value.bit_length()} bits"


cdef object fault_error(int fault, bytes contents):
    """Return the error for contents octets that are not part of a decoded buffer."""
    kind, exception, clause, text = FAULTS[fault]
    text = text.format(
        octets=hex_octets(contents, 16), type="the value", start="", expected="", found="", text="", bounds="",
        refused="", **STRICT,
    )
    return exception(text, (), 0, clause, kind)


cdef object fault_in_input(Check *c, const uint8_t *base, const uint8_t *end):
    """Return the error for a failed check of input from a caller, which may be text instead of DER."""
    return fault_of(c, base, end, input_remedy(base, end))


cdef object fault_of(Check *c, const uint8_t *base, const uint8_t *end, str remedy=""):
    """Return the error for a failed check: its path from the steps, its text from the octets at the fault."""
    cdef Header h
    cdef Py_ssize_t offset = c.at - base
    cdef str enclosing = "the input"
    # Do not describe octets after the end of the enclosing element.
    if c.limited == c.at and c.limit < end:
        enclosing = "the enclosing element"
        end = c.limit
    cdef bytes start = (<const char *>c.at)[:min(end - c.at, 8)]
    cdef bytes contents = b""
    cdef list path = []
    cdef Py_ssize_t i
    cdef Plan plan
    type_name = found = "the end of the contents"
    h.start = h.content = h.end = c.at
    if reread_header(c.at, end, &h) == FAULT_NONE:
        type_name = found = describe_tag(h.tag)
        constructed = bool(h.tag & 1)
        if h.tag >> 1 & 3 == CLASS_UNIVERSAL and constructed != (h.tag >> 3 in (8, 11, 16, 17, 29)):
            found += " in the constructed form" if constructed else " in the primitive form"
        contents = (<const char *>h.content)[:min(h.end - h.content, 65)]
    elif c.at < end:
        found = f"octets {start.hex(' ')}"
    for i in range(c.steps - 1, -1, -1):
        plan = plan_of(c.path[i].node)
        path.append(plan.names[c.path[i].index] if plan.names is not None else c.path[i].index)
    kind, exception, clause, text = FAULTS[c.fault]
    expected = describe_node(c.expected)
    if c.fault in (FAULT_TRAILING_DATA, FAULT_CONTAINED_EXTRA, FAULT_EXPLICIT_EXTRA):
        expected = "the end"
    elif c.fault == FAULT_COMPONENT_EXTRA:
        expected = "no further component"
    elif exception is _errors.ContentsError:
        found = hex_octets(contents, 16)
        if c.expected == NULL:
            expected = type_name
    if c.expected != NULL:
        type_name = describe_form(c.expected) if exception is _errors.IdentifierError else plan_of(c.expected).name
    detail = text.format(
        type=type_name,
        expected=expected,
        found=found,
        octets=hex_octets(contents, 16),
        start=hex_octets(start, 8),
        text=ascii(contents[:32].decode("latin-1")) + ("" if len(contents) <= 64 else "..."),
        bounds=describe_limits(c),
        refused=describe_refused(c, contents, &h) if c.constraint != NULL else "",
        number=describe_number(c, end),
        enclosing=enclosing,
        end=end - base,
        left=end - h.content,
        **c.options[0],
    )
    detail += remedy
    return exception(detail, tuple(path), offset, clause, kind, expected, found, remedy_of(c, end))


cdef str input_remedy(const uint8_t *base, const uint8_t *end):
    """Return a remedy for input that is empty or that begins like text; otherwise an empty string."""
    if base == end:
        return "; the input is empty"
    cdef bytes first = (<const char *>base)[:min(end - base, 64)]
    if first[:10] != b"-----BEGIN" and (len(first) < 16 or TEXT.fullmatch(first) is None):
        return ""
    if first[:10] == b"-----BEGIN" or _pem.is_pem((<const char *>base)[:min(end - base, TEXT_LOOKED_AT)]):
        return "; the input is PEM text: decode it with pem.decode first"
    if HEXADECIMAL_TEXT.fullmatch(first) is not None:
        return "; the input is hexadecimal text: decode it with bytes.fromhex first"
    if BASE64_TEXT.fullmatch(first) is not None:
        return "; the input is base64 text: decode it with base64.b64decode first"
    return "; the input is text, not DER"


cdef object remedy_of(Check *c, const uint8_t *end):
    """Return the deviation that would have tolerated the fault, or None."""
    cdef Header h
    cdef uint64_t deviation = 0
    cdef int fault = reread_header(c.at, end, &h)
    if fault == FAULT_NONE:
        deviation = deviation_of(c.fault, c.expected, h.content, h.end - h.content)
    elif c.fault == FAULT_TRAILING_DATA or c.fault == FAULT_CONTAINED_EXTRA:
        deviation = DEVIATIONS[c.fault]
    if deviation == 0 and c.open > 0 and not is_limit(c.fault):
        deviation = OPEN_TYPE
    return _options.Deviation(deviation & (~deviation + 1)) if deviation else None


def fault_kinds():
    """Return (kind, exception, clause) of every fault that the core reports: for the table of rules and its tests."""
    return [(kind, exception, clause) for kind, exception, clause, _ in FAULTS[1:]]
