# Views as JSON text, for `View.to_json`, without Python objects in between.
#
# docs/native-and-json.md describes the form. `text_value` follows the plan through the validated bytes, as
# `native_value` does, and appends UTF-8 to one buffer. It writes the common types itself. Any other value becomes data
# for JSON (`native_value`), which Python's encoder writes (`put_data`). The text is the same as if it wrote all of it.
#
# The bytes of an immutable source cannot change. Others are converted by `native_of`, which reads them once.

cdef extern from "Python.h":
    object decode_utf8_text "PyUnicode_DecodeUTF8"(const char *octets, Py_ssize_t size, const char *errors)

cdef enum:
    # The highest number of decimal digits of an int64, with its sign.
    INT64_DIGITS = 20

cdef const char *HEX_DIGITS = b"0123456789abcdef"

cdef struct JsonText:
    char *base              # UTF-8
    Py_ssize_t length
    Py_ssize_t size
    PyObject *encode        # the function that writes data for JSON (borrowed)


def json_text(View view not None, encode):
    """Return a view as JSON text in one line; `encode` writes data for JSON."""
    cdef Plan plan = own_plan(view)
    cdef JsonText text
    cdef Header h
    if not view.source.is_immutable():
        return encode(native_of(view, True))
    memset(&text, 0, sizeof(text))
    text.encode = <PyObject *>encode
    h = view.header()
    while plan.node.kind == KIND_EXPLICIT:
        plan = plan_of(plan.node.element)
    try:
        text_value(&text, view.source, &plan.node, &h, NULL)
        return decode_utf8_text(text.base, text.length, b"surrogatepass")
    finally:
        free(text.base)


cdef int grow_text(JsonText *text, Py_ssize_t count) except -1:
    """Make room for `count` more characters."""
    cdef char *larger
    cdef Py_ssize_t size = 2 * text.size + count + 256
    if count > PY_SSIZE_T_MAX // 4 or text.size > PY_SSIZE_T_MAX // 8:
        raise MemoryError
    larger = <char *>realloc(text.base, size)
    if larger == NULL:
        raise MemoryError
    text.base = larger
    text.size = size
    return 0


cdef inline char *text_room(JsonText *text, Py_ssize_t count) except NULL:
    """Extend the text by `count` characters, which the caller must fill immediately."""
    cdef char *to
    if count > text.size - text.length:
        grow_text(text, count)
    to = text.base + text.length
    text.length += count
    return to


cdef inline int put_text(JsonText *text, const char *characters, Py_ssize_t count) except -1:
    """Write ASCII characters as they are."""
    memcpy(text_room(text, count), characters, count)
    return 0


cdef int put_data(JsonText *text, object data) except -1:
    """Write data for JSON."""
    if type(data) is str:
        return put_string(text, <str>data)
    if type(data) is list and put_strings(text, <list>data):
        return 0
    return put_encoded(text, data)


cdef int put_encoded(JsonText *text, object data) except -1:
    """Write data for JSON with the encoder of Python."""
    cdef bytes octets = (<str?>(<object>text.encode)(data)).encode("utf-8", "surrogatepass")
    return put_text(text, <const char *>octets, len(octets))


cdef bint put_strings(JsonText *text, list items) except -1:
    """Write a list of strings, such as the names of bits; return False, with nothing written, for another list."""
    cdef Py_ssize_t before = text.length
    cdef Py_ssize_t i
    put_text(text, b"[", 1)
    for i in range(len(items)):
        if type(items[i]) is not str:
            text.length = before
            return False
        if i > 0:
            put_text(text, b", ", 2)
        put_string(text, <str>items[i])
    put_text(text, b"]", 1)
    return True


cdef int put_string(JsonText *text, str string) except -1:
    """Write a string, with the escapes that Python writes."""
    cdef Py_ssize_t n = 0
    cdef const uint8_t *p = ascii_of(<PyObject *>string, &n)
    return 0 if p != NULL and put_quoted(text, p, n) else put_encoded(text, string)


cdef int put_name(JsonText *text, str name) except -1:
    """Write the name of a member and the colon after it."""
    put_string(text, name)
    return put_text(text, b": ", 2)


cdef bint put_quoted(JsonText *text, const uint8_t *p, Py_ssize_t n) except -1:
    """Write a string; return False, with nothing written, if it is not ASCII or a character needs an escape."""
    cdef Py_ssize_t before = text.length
    cdef char *to = text_room(text, n + 2)
    cdef Py_ssize_t i
    cdef uint8_t octet
    cdef bint fits = True
    to[0] = to[n + 1] = c'"'
    for i in range(n):
        # Read it once: a shared buffer may change.
        octet = octet_at(p + i)
        fits &= 0x20 <= octet < 0x80 and octet != c'"' and octet != c"\\"
        to[i + 1] = <char>octet
    if not fits:
        text.length = before
    return fits


cdef int put_hex(JsonText *text, const uint8_t *p, Py_ssize_t n) except -1:
    """Write octets as a string of hexadecimal digits."""
    cdef Py_ssize_t i
    cdef char *to
    if n > PY_SSIZE_T_MAX // 8:
        raise MemoryError
    to = text_room(text, 2 * n + 2)
    to[0] = to[2 * n + 1] = c'"'
    for i in range(n):
        to[2 * i + 1] = HEX_DIGITS[p[i] >> 4]
        to[2 * i + 2] = HEX_DIGITS[p[i] & 0x0F]
    return 0


cdef int text_value(JsonText *text, Source source, const Node *node, const Header *h, const Scope *scope) except -1:
    """Write a validated element. The check has bounded the depth of this recursion; see `native_value`."""
    cdef Header child
    cdef Py_ssize_t index
    while node.kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, &child):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        node = node.element
        h = &child
    if node.kind < KIND_SEQUENCE:
        return text_primitive(text, node, h.content, h.end - h.content)
    if node.kind == KIND_SEQUENCE and not node.extensible:
        return text_fields(text, source, node, h)
    if is_list(node.kind):
        return text_elements(text, source, node.element, h, scope)
    if is_open(node.kind):
        return text_open(text, source, node, h, scope)
    if is_choice(node.kind):
        index = find_alternative(node, h.tag)
        if index >= 0 and is_plain_time(node, index, h):
            return text_primitive(text, node.components[index].node, h.content, h.end - h.content)
        if node.kind == KIND_CHOICE and index >= 0:
            put_text(text, b"{", 1)
            put_name(text, plan_of(node).names[index])
            text_value(text, source, node.components[index].node, h, scope)
            return put_text(text, b"}", 1)
    return put_data(text, native_value(source, node, h, scope, FORM_JSON))


cdef int text_fields(JsonText *text, Source source, const Node *node, const Header *h) except -1:
    """Write a SEQUENCE without unknown additions, as `native_fields` does."""
    cdef tuple names = plan_of(node).names
    cdef const uint8_t *p = h.content
    cdef const Component *field
    cdef Header child
    cdef Scope scope
    cdef Py_ssize_t i
    cdef bint present
    cdef bint first = True
    source.require_stack()
    set_scope(&scope, node, h.content, h.end)
    put_text(text, b"{", 1)
    for i in range(node.component_count):
        field = &node.components[i]
        present = p < h.end and reread_header(p, h.end, &child) == FAULT_NONE and accepts(field.node, child.tag)
        if present:
            p = child.end
        elif field.default == NULL:
            continue
        if not first:
            put_text(text, b", ", 2)
        first = False
        put_name(text, names[i])
        if present:
            text_value(text, source, field.node, &child, &scope)
        else:
            text_default(text, source, field, &scope)
    return put_text(text, b"}", 1)


cdef int text_default(JsonText *text, Source source, const Component *field, const Scope *scope) except -1:
    """Write the DEFAULT value of an absent field."""
    cdef Header h
    if field.node.kind >= KIND_SEQUENCE:
        source = source_new((<const char *>field.default)[:field.default_length], True, False)
    if reread_header(field.default, field.default + field.default_length, &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    # A default can contain itself, in an open type.
    enter_recursive_call(b" while a default value is converted")
    try:
        return text_value(text, source, field.node, &h, scope)
    finally:
        leave_recursive_call()


cdef int text_elements(
    JsonText *text, Source source, const Node *element, const Header *h, const Scope *scope
) except -1:
    """Write the elements of a list."""
    cdef const uint8_t *p = h.content
    cdef Header child
    put_text(text, b"[", 1)
    while p < h.end:
        if reread_header(p, h.end, &child):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        if p > h.content:
            put_text(text, b", ", 2)
        p = child.end
        text_value(text, source, element, &child, scope)
    return put_text(text, b"]", 1)


cdef int text_open(JsonText *text, Source source, const Node *node, const Header *h, const Scope *scope) except -1:
    """Write the value of an open type, as `native_open` does."""
    cdef int max_depth = -1
    cdef const Node *target = matched_type(source, node, h, scope, &max_depth)
    cdef const uint8_t *p = h.content
    cdef Header child
    # An unknown alternative of an extensible CHOICE can be opaque.
    if target == NULL or max_depth >= 0 or (node.kind == KIND_OPEN and target.kind >= KIND_CHOICE):
        return put_data(text, native_value(source, node, h, scope, FORM_JSON))
    if node.kind == KIND_OPEN:
        return text_value(text, source, target, h, NULL)
    if reread_header(p + (node.kind == KIND_OPEN_BITS), h.end, &child):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return text_value(text, source, target, &child, NULL)


cdef int text_primitive(JsonText *text, const Node *node, const uint8_t *p, Py_ssize_t n) except -1:
    """Write the value of validated contents octets of a primitive type."""
    cdef int kind = node.kind
    cdef bint done = False
    if kind == KIND_OCTET_STRING:
        return put_hex(text, p, n)
    if kind == KIND_BOOLEAN:
        return put_text(text, b"true", 4) if n == 1 and p[0] != 0 else put_text(text, b"false", 5)
    if kind == KIND_INTEGER:
        done = put_integer(text, p, n)
    elif kind == KIND_OBJECT_IDENTIFIER:
        done = put_dotted(text, p, n)
    elif kind == KIND_UTC_TIME:
        done = put_utc_moment(text, p, n)
    elif kind == KIND_BIT_STRING and n > 0 and p[0] == 0:
        return put_hex(text, p + 1, n - 1)
    elif is_character_string(kind) and character_octets(kind) == 1:
        done = put_quoted(text, p, n)
    return 0 if done else put_data(text, TYPES[kind].to_native(node, p, n, True))


cdef bint put_integer(JsonText *text, const uint8_t *p, Py_ssize_t n) except -1:
    """Write an INTEGER: as a number, or as hexadecimal text if it is long and positive. Return False for others."""
    cdef char[INT64_DIGITS] digits
    cdef Py_ssize_t i = INT64_DIGITS
    cdef uint64_t rest
    cdef int64_t value
    if not 1 <= n <= 6:
        return n > 7 and p[0] < 0x80 and put_hex_number(text, p, n)
    value = int64_value(p, n)
    rest = <uint64_t>(value if value >= 0 else -value)
    while True:
        i -= 1
        digits[i] = <char>(c"0" + rest % 10)
        rest //= 10
        if rest == 0:
            break
    if value < 0:
        i -= 1
        digits[i] = c"-"
    put_text(text, digits + i, INT64_DIGITS - i)
    return True


cdef bint put_hex_number(JsonText *text, const uint8_t *p, Py_ssize_t n) except -1:
    """Write a positive number as a text such as 0x1f; return False, with nothing written, if it may be a short one."""
    cdef Py_ssize_t count
    cdef Py_ssize_t i
    cdef Py_ssize_t skipped
    cdef char *to
    while n > 1 and p[0] == 0:
        p += 1
        n -= 1
    if n < 8:
        return False
    # The first digit is not 0.
    skipped = p[0] < 0x10
    count = 2 * n - skipped
    to = text_room(text, count + 4)
    memcpy(to, b'"0x', 3)
    to[count + 3] = c'"'
    for i in range(count):
        to[i + 3] = HEX_DIGITS[p[(i + skipped) // 2] >> (0 if (i + skipped) & 1 else 4) & 0x0F]
    return True


cdef bint put_dotted(JsonText *text, const uint8_t *p, Py_ssize_t n) except -1:
    """Write the dotted form of an OBJECT IDENTIFIER with short arcs; return False, with nothing written, for others."""
    cdef char[4 * SHORT_CONTENTS] dotted
    cdef Py_ssize_t length = write_dotted(p, n, dotted)
    return length > 0 and put_quoted(text, <const uint8_t *>dotted, length)


cdef bint put_utc_moment(JsonText *text, const uint8_t *p, Py_ssize_t n) except -1:
    """Write a UTCTime as RFC 3339 does; return False, with nothing written, for a form that is not DER."""
    cdef Moment t
    cdef char *to
    if utc_time_read(p, n, &t):
        return False
    to = text_room(text, 22)
    memcpy(to, b"\"YYYY-MM-DDThh:mm:ssZ\"", 22)
    put_two_digits(<uint8_t *>to + 1, t.year // 100)
    put_two_digits(<uint8_t *>to + 3, t.year % 100)
    put_two_digits(<uint8_t *>to + 6, t.month)
    put_two_digits(<uint8_t *>to + 9, t.day)
    put_two_digits(<uint8_t *>to + 12, t.hour)
    put_two_digits(<uint8_t *>to + 15, t.minute)
    put_two_digits(<uint8_t *>to + 18, t.second)
    return True
