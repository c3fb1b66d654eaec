# From faults to Python errors: the message, the path and the remedy. Only a failed check comes here.

from derlib import _ber_rules

cdef enum:
    # The input is taken for PEM text if a BEGIN line is within this many bytes.
    PEM_SEARCH_SIZE = 65536
    # The path of a fault near the top of a type has at most this many steps: that of a request that is decoded as a
    # certificate is tbs_certificate.signature.algorithm.
    STEPS_NEAR_THE_TOP = 3
    # What the input looks like is found by this many of its first bytes.
    OUTLINE_SIZE = 4096
    # Text of fewer bytes is recognized only if it begins like text, and is not called base64, because it can be a word.
    LONG_TEXT = 16
    SHORTEST_TEXT = 4
    # The number of alternatives of a CHOICE in a message.
    ALTERNATIVES_SHOWN = 8

# Text instead of DER is recognized by its first bytes.
cdef bytes BYTE_ORDER_MARK = b"\xef\xbb\xbf"
cdef bytes TEXT = bytes(range(0x20, 0x7F)) + b"\t\r\n"
# A digit, which begins DER, is not one of them: 0 is the identifier octet of a SEQUENCE.
cdef bytes FIRST_OF_SHORT_TEXT = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz<{[#"
cdef bytes HEXADECIMAL_TEXT = b"0123456789ABCDEFabcdef \t\n\r\f\v"
# Without spaces, which text in a language has.
cdef bytes BASE64_TEXT = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\t\n\r"


cdef object fault_of(Check *c, const uint8_t *base, const uint8_t *end, Py_ssize_t first, str hint):
    """Return the error for a fault: the path from the steps, the message from the bytes at the fault.

    Offsets in the error count `base` as `first`.
    """
    cdef Header h
    cdef Py_ssize_t offset = first + (c.at - base)
    cdef str enclosing = "the input"
    # Do not read bytes after the element that contains the fault.
    if c.bounded_at == c.at and c.bound < end:
        enclosing = "the enclosing element"
        end = c.bound
    cdef bytes start = (<const char *>c.at)[:min(end - c.at, 8)]
    cdef bytes contents = b""
    cdef list path = []
    cdef Py_ssize_t i
    cdef Plan plan
    type_name = found = "the end of the contents"
    h.start = h.content = h.end = c.at
    cdef int fault = reread_header(c.at, end, &h)
    if fault == FAULT_LENGTH_INDEFINITE and c.fault != fault:
        # Of the conversion of BER, which has another fault here.
        h.content = h.end = c.at
        fault = FAULT_NONE
    if fault == FAULT_NONE:
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
    if c.options.reads_ber:
        clause, text = _ber_rules.rule_of_ber(kind, contents) or (clause, text)
    actual, limit = describe_excess(c, end, &h) if exception is _errors.LimitError else ("", "")
    expected = describe_node(c.expected)
    if c.fault in (FAULT_TRAILING_DATA, FAULT_CONTAINED_EXTRA, FAULT_EXPLICIT_EXTRA):
        expected = "the end"
    elif c.fault == FAULT_COMPONENT_EXTRA:
        expected = "no further component"
    elif c.fault == FAULT_INDEFINITE_PRIMITIVE and c.expected == NULL:
        expected = type_name
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
        value=describe_value(c, contents, &h) if c.constraint != NULL else "",
        number=describe_number(c, end),
        alternatives=describe_alternatives(c.expected) if c.fault == FAULT_ALTERNATIVE else "",
        enclosing=enclosing,
        end=first + (end - base),
        left=end - h.content,
        actual=actual,
        limit=limit,
    )
    return exception(detail, tuple(path), offset, clause, kind, expected, found, remedy_of(c, end), hint)


cdef object fault_in_input(Check *c, const uint8_t *base, const uint8_t *end, Py_ssize_t first):
    """Return the error for a failed check of a caller's input, with a hint if the input is empty or text."""
    return fault_of(c, base, end, first, input_hint(base, end))


cdef object fault_in_der(Check *c, Plan plan, const uint8_t *base, const uint8_t *end, Py_ssize_t first):
    """Do what `fault_in_input` does for a value that is decoded.

    There are three more hints: the fault is BER, which the argument `rules` allows, the input can have another type, or
    it has several values.
    """
    hint = input_hint(base, end) or ber_hint(c, end) or type_hint(c, plan, base, end) or rest_hint(c, end)
    return fault_of(c, base, end, first, hint)


cdef str type_hint(Check *c, Plan plan, const uint8_t *base, const uint8_t *end):
    """Return the hint of an error near the top of a type that files contain; otherwise None."""
    if FAULTS[c.fault][1] is not _errors.StructureError or c.steps > STEPS_NEAR_THE_TOP or c.fault_in_open_type:
        # The field that selects an open type shows that the type around it is correct.
        return None
    from derlib import _document_types

    return _document_types.hint(plan.type, (<const char *>base)[:min(end - base, OUTLINE_SIZE)])


cdef str ber_hint(Check *c, const uint8_t *end):
    """Return the hint of an error if BER allows what DER does not allow here; otherwise None."""
    if is_below_kept(c, end) or not is_form_of_ber(c, end):
        # `rules="ber"` does not convert the values of classes with ber="keep" or "refuse".
        return None
    if is_outermost_kept(c):
        # A deviation keeps the signed bytes, and the message names it.
        return _ber_rules.KEPT_HINT if remedy_of(c, end) is None else None
    return _ber_rules.HINT


cdef str rest_hint(const Check *c, const uint8_t *end):
    """Return the hint of an error about an element after the value, which the deviation would drop; otherwise None."""
    cdef Header h
    if c.fault == FAULT_TRAILING_DATA and octet_at(c.at) != 0 and reread_header(c.at, end, &h) == FAULT_NONE:
        return "derlib.iter_decode reads values that follow each other, decode_prefix the first"
    return None


cdef bint is_below_kept(const Check *c, const uint8_t *end):
    """Return whether the fault is in a value that the conversion of BER keeps or refuses.

    The outermost value is always converted, and so is the list whose elements are out of order.
    """
    cdef int i
    cdef Py_ssize_t index
    cdef Header h
    cdef const Node *node = c.expected
    for i in range(c.steps - 1):
        if c.path[i].node.ber != BER_CONVERT:
            return True
    if c.steps == 0 or FAULTS[c.fault][1] is _errors.OrderError:
        return False
    h.tag = NO_TAG
    reread_header(c.at, end, &h)
    while node != NULL and is_choice(node.kind):
        index = find_alternative(node, h.tag)
        node = node.components[index].node if index >= 0 else NULL
    return node != NULL and node.ber != BER_CONVERT


cdef bint is_in_kept_class(const Check *c):
    """Return whether the fault is in a value, or in the whole, whose bytes signatures cover."""
    cdef int i
    for i in range(c.steps):
        if c.path[i].node.ber != BER_CONVERT:
            return True
    return c.expected != NULL and c.expected.ber != BER_CONVERT


cdef bint is_outermost_kept(const Check *c):
    """Return whether the class of the outermost value has ber="keep"."""
    cdef const Node *outermost = c.path[c.steps - 1].node if c.steps else c.expected
    return outermost != NULL and outermost.ber == BER_KEEP


cdef str describe_alternatives(const Node *node):
    """Return the alternatives of a CHOICE with their tags, at most ALTERNATIVES_SHOWN of them."""
    cdef list shown = []
    cdef Py_ssize_t i
    cdef const Node *alternative
    for i in range(min(node.component_count, ALTERNATIVES_SHOWN)):
        alternative = node.components[i].node
        tag = plan_of(alternative).name if alternative.tag == NO_TAG else describe_tag(alternative.tag)
        shown.append(tag if node.kind == KIND_UNION else f"{plan_of(node).names[i]} {tag}")
    if node.component_count > ALTERNATIVES_SHOWN:
        shown.append(f"and {node.component_count - ALTERNATIVES_SHOWN} more")
    return ", ".join(shown)


cdef tuple describe_excess(Check *c, const uint8_t *end, const Header *h):
    """Return what exceeds a limit, and the limit, as the message shows them."""
    cdef const uint8_t *p = c.at
    # If a shared buffer changed, there may be no element, but both pointers are valid.
    cdef bytes contents = (<const char *>h.content)[:max(h.end - h.content, 0)]
    if c.fault == FAULT_INPUT_LIMIT:
        return end - c.at, c.options.size
    if c.fault == FAULT_DEPTH_LIMIT:
        # The check stops at the first level or element beyond the limit.
        return c.options.depth + 1, c.options.depth
    if c.fault == FAULT_ELEMENT_LIMIT:
        return c.options.elements + 1, c.options.elements
    if c.fault == FAULT_OID_ARC_LIMIT:
        return longest_arc(contents), c.options.arc_octets
    if c.fault == FAULT_REAL_LIMIT:
        return real_excess(contents)
    p += 1
    while p < end and octet_at(p) >= 0x80:
        p += 1
    if p + 1 - c.at > c.options.tag_octets:
        return f"{p + 1 - c.at} identifier octets", c.options.tag_octets
    return "the number 2^60 or more", "2^60 - 1"


cdef tuple real_excess(bytes contents):
    """Return which part of a REAL exceeds its limit, and the limit."""
    if contents[:1] >= b"\x80":
        # X.690 8.5.7.4 d: the second octet is the length of a long exponent.
        length = int.from_bytes(contents[1:2], "big")
        if length > REAL_EXPONENT_OCTETS:
            return f"an exponent of {length} bytes", REAL_EXPONENT_OCTETS
        # In BER, it is one of base 8 or 16, or a factor or mantissa makes it larger (X.690 11.3.1).
        return f"an exponent of {REAL_EXPONENT_OCTETS + 1} bytes in base 2", REAL_EXPONENT_OCTETS
    mantissa, _, exponent = contents[1:].upper().partition(b"E")
    digits = len(exponent.lstrip(b"+-"))
    if digits > REAL_EXPONENT_DIGITS:
        return f"an exponent of {digits} digits", REAL_EXPONENT_DIGITS
    return f"a mantissa of {len(mantissa.strip(b'-.'))} digits", REAL_MANTISSA_DIGITS


cdef str input_hint(const uint8_t *base, const uint8_t *end):
    """Return the `hint` of an error about input that is empty or begins like text; None for other input."""
    if base == end:
        return "the input is empty"
    cdef bytes first = (<const char *>base)[:min(end - base, 64)]
    if first[:10] != b"-----BEGIN" and not begins_like_text(first):
        return None
    from derlib import pem

    if first[:10] == b"-----BEGIN" or pem.is_pem((<const char *>base)[:min(end - base, PEM_SEARCH_SIZE)]):
        return "the input is PEM text: decode it with pem.one first"
    if consists_of(first, HEXADECIMAL_TEXT):
        return "the input is hexadecimal text: decode it with bytes.fromhex(data.decode()) or `xxd -r -p` first"
    if len(first) >= LONG_TEXT and consists_of(first, BASE64_TEXT):
        return "the input is base64 text: decode it with base64.b64decode or `base64 -d` first"
    return "the input is text, not DER"


cdef bint begins_like_text(bytes first):
    """Return whether input begins like text."""
    if len(first) < LONG_TEXT and (len(first) < SHORTEST_TEXT or first[:1] not in FIRST_OF_SHORT_TEXT):
        return False
    return consists_of(first.removeprefix(BYTE_ORDER_MARK), TEXT)


cdef bint consists_of(bytes text, bytes alphabet):
    """Return whether each byte of a text is in an alphabet."""
    return not text.translate(None, alphabet)


cdef object remedy_of(Check *c, const uint8_t *end):
    """Return the deviation that would have tolerated the fault, or None."""
    cdef Header h
    cdef uint64_t deviation = 0
    cdef int fault = reread_header(c.at, end, &h)
    if c.options.names_no_deviation or c.fault == FAULT_SIGNED_NOT_DER:
        return None
    if fault == FAULT_NONE:
        deviation = deviation_of(c.fault, c.expected, h.content, h.end - h.content)
    elif c.fault == FAULT_TRAILING_DATA or c.fault == FAULT_CONTAINED_EXTRA:
        deviation = DEVIATIONS[c.fault]
    if deviation == 0 and c.open_type_tolerates and not is_limit(c.fault):
        deviation = OPEN_TYPE
    return _options.Deviation(deviation & (~deviation + 1)) if deviation else None


cdef object describe_bounds(const Node *node, bint size):
    """Return the bounds of a SIZE or of a value range in ASN.1 notation, without the parentheses."""
    cdef object low
    cdef object high
    if size:
        low = node.size_low
        high = "MAX" if node.size_high == PY_SSIZE_T_MAX else node.size_high
        return f"{low}" if low == high else f"{low}..{high}"
    # Bounds come from the schema, but they can still be too long for a message.
    low = "MIN" if node.low == NULL else _brief.integer_text(integer_value(node.low, node.low_length))
    high = "MAX" if node.high == NULL else _brief.integer_text(integer_value(node.high, node.high_length))
    return f"{low}..{high}"


cdef object describe_limits(Check *c):
    """Return the violated constraint in ASN.1 notation; empty if there is none."""
    if c.constraint != NULL:
        return describe_constraint(c)
    if c.fault == FAULT_SIZE:
        return f"SIZE ({describe_bounds(c.expected, True)})"
    return describe_bounds(c.expected, False) if c.fault == FAULT_RANGE else ""


cdef object describe_number(Check *c, const uint8_t *end):
    """Return the number in a message: a size, a value outside its range, or a length that is too large."""
    cdef Header h
    cdef const uint8_t *length
    cdef int fault = reread_header(c.at, end, &h)
    if c.fault == FAULT_CONTENT_TRUNCATED and fault == FAULT_CONTENT_TRUNCATED:
        length = length_octets(&h)
        if h.content - length > 1:
            length += 1
        declared = int.from_bytes((<const char *>length)[:h.content - length], "big")
        # A length can have 126 octets, which are 300 digits.
        if declared >= 1 << 64:
            return f"2^{declared.bit_length() - 1} or more contents octets"
        return "1 contents octet" if declared == 1 else f"{declared} contents octets"
    if fault:
        return ""
    if c.fault == FAULT_RANGE or c.fault == FAULT_ENUMERATED_UNKNOWN:
        return _brief.integer_text(integer_value(h.content, h.end - h.content))
    if c.fault != FAULT_SIZE:
        return h.end - h.content
    return value_size(c.expected, &h)


cdef object describe_constraint(Check *c):
    """Return the violated constraint in ASN.1 notation, shortened."""
    text = (<CompiledConstraint>c.constraint.compiled).text
    return text if len(text) <= 200 else f"{text[:200]}..."


cdef object describe_value(Check *c, bytes contents, const Header *h):
    """Return the value that violates a constraint: a number, text, or its first bytes."""
    cdef int kind = c.expected.kind
    if c.fault == FAULT_COMPONENT_REQUIRED:
        return ""
    if h.content == h.end:
        return "(no octets)"
    if is_integer(kind):
        return _brief.integer_text(integer_value(h.content, h.end - h.content))
    if kind == KIND_BOOLEAN:
        return "TRUE" if h.content[0] else "FALSE"
    if is_character_string(kind) and character_octets(kind) == 1:
        shown = contents[:32].decode("utf-8" if kind == KIND_UTF8_STRING else "latin-1", "replace")
        return ascii(shown) + ("..." if len(contents) > 32 else "")
    if is_list(kind):
        return f"of {value_size(c.expected, h)} elements"
    return hex_octets(contents, 16)


def fault_kinds():
    """Return every fault of the core as (kind, exception, clause), for docs/rules.md and the tests."""
    kinds = []
    for kind, exception, clause, _ in FAULTS[1:]:
        kinds.append((kind, exception, clause))
    return kinds


def fault_deviations():
    """Return the deviations by the kinds of the faults that they tolerate.

    The kinds that one of two deviations tolerates, or one only in some types, are left out.
    """
    cdef dict found = {}
    cdef uint64_t deviation
    cdef int fault
    for fault in range(1, FAULT_COUNT):
        deviation = DEVIATIONS[fault]
        if deviation and not deviation & (deviation - 1) and fault != FAULT_SIZE:
            found[FAULTS[fault][0]] = _options.Deviation(deviation)
    return found
