# Encoding CHOICE. The value of a CHOICE with named alternatives is a mapping with one key; for a transparent CHOICE
# (KIND_UNION), the Python type of the value determines the alternative.


cdef int write_choice(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write a CHOICE given as {alternative: value}, or a value of a transparent CHOICE."""
    cdef Plan plan = plan_of(node)
    cdef Py_ssize_t index
    if isinstance(value, dict):
        value = unshared(<dict>value)
    elif is_mapping(value):
        value = dict(value)
    if isinstance(value, dict) and PyDict_Size(value) == 1:
        [(name, inner)] = dict.items(value)
        if isinstance(name, str):
            name = exact_text(name)
        index = field_named(plan, name)
        if index >= 0:
            try:
                return write_value(w, node.components[index].node, inner, around)
            except _errors.ConstraintError as error:
                raise field_error(error, name)
        if node.extensible and name == OPAQUE:
            return write_addition(w, node, inner)
        if node.kind == KIND_CHOICE:
            raise _errors.ConstraintError(
                f"{plan.name} has no alternative {short_repr(name)}; {remedy_for_part(name, plan)}")
    if node.kind == KIND_CHOICE:
        if isinstance(value, dict):
            given = ", ".join(short_reprs(list(value)[:8])) or "none"
            names = ", ".join(plan.names)
            raise _errors.ConstraintError(f"{plan.name} takes exactly one of its alternatives {names}; given: {given}")
        raise wrong_type(f"{plan.name} or dict", node, value)
    return write_union(w, node, value, around)


cdef int union_rank(int kind) noexcept:
    """Return the order in which alternatives of a union are tried: RFC 5280 4.1.2.4 for strings, 4.1.2.5 for times.

    DATE-TIME comes before the other times, because it accepts only naive ones.
    """
    if kind == KIND_DATE_TIME:
        return 0
    if kind == KIND_PRINTABLE_STRING or kind == KIND_UTC_TIME:
        return 1
    if kind == KIND_UTF8_STRING or kind == KIND_GENERALIZED_TIME:
        return 2
    return 3


cdef int write_union(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write a primitive value as the first alternative that accepts it, in the order of `union_rank`.

    A structured value is not tried, because in a recursive type that would double the work at each level. Its structure
    selects the alternative (`write_structured`).
    """
    cdef const Node *alternative
    cdef bint names = w.names
    if isinstance(value, View):
        (<View>value).require_value()
        alternative = alternative_of(node, <View>value)
        if alternative != NULL:
            return write_value(w, alternative, value, around)
    if is_structured(value):
        return write_structured(w, node, value, around)
    # A text does not say whether it is a name or a character string.
    w.names = False
    try:
        return write_first_accepting(w, node, value, around)
    finally:
        w.names = names


cdef int write_first_accepting(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write a primitive value as the first alternative that accepts it: see `write_union`."""
    cdef Py_ssize_t i
    cdef Py_ssize_t before = w.written()
    cdef int depth = w.depth
    cdef int level = w.level
    cdef int rank
    # An error that says more than that of the union: a limit, or the constraint of a UTF8String, which accepts any text
    # otherwise.
    cdef object precise = None
    cdef const Node *alternative
    for rank in range(4):
        for i in range(node.component_count):
            alternative = node.components[i].node
            if union_rank(alternative.kind) != rank:
                continue
            try:
                return write_value(w, alternative, value, around)
            except (_errors.ConstraintError, _errors.EncodeError) as error:
                w.rewind(before)
                w.depth = depth
                w.level = level
                if isinstance(error, _errors.EncodeError):
                    precise = error
                elif precise is None and alternative.kind == KIND_UTF8_STRING and isinstance(value, str):
                    precise = error
                if node.rfc5280_time and alternative.kind == KIND_UTC_TIME and PyDateTime_Check(value):
                    if not outside_utc_time(value):
                        raise
                    if datetime_microsecond(value):
                        raise _errors.ConstraintError(
                            f"expected whole seconds for {describe_node(node)} (RFC 5280 4.1.2.5.2), "
                            f"got {short_repr(value)}; use replace(microsecond=0)")
    raise union_error(node, value) if precise is None else precise


cdef object union_error(const Node *node, value):
    """Return the error for a value that no alternative accepts."""
    cdef Py_ssize_t i
    for i in range(node.component_count):
        if node.components[i].node.kind not in (KIND_UTC_TIME, KIND_GENERALIZED_TIME):
            return no_alternative(node, value)
    if isinstance(value, str):
        return wrong_value("a datetime or contents octets such as '20260131120000Z'", node, value)
    if PyDateTime_Check(value):
        return wrong_value("a datetime with tzinfo", node, value)
    return wrong_type("datetime or str", node, value)


cdef object no_alternative(const Node *node, value):
    return _errors.ConstraintError(f"no alternative of {describe_node(node)} accepts this {type(value).__name__}")


cdef const Node *alternative_of(const Node *node, View view) noexcept:
    """Return the alternative of a union that has the type of a view, NULL if there is none.

    If several alternatives have its type, return the one with the tags that the view was decoded with, or the first.
    """
    cdef const uint8_t *p = view.outer
    cdef Header h
    cdef Py_ssize_t i
    # Explicit tags around the whole union come first.
    while p <= view.start and reread_header(p, view.end, &h) == FAULT_NONE:
        i = find_alternative(node, h.tag)
        if i >= 0 and has_tags_of(node.components[i].node, view, p):
            return node.components[i].node
        p = h.content
    for i in range(node.component_count):
        if accepts_view(node.components[i].node, view, DEPTH_LIMIT):
            return node.components[i].node
    return NULL


cdef bint has_tags_of(const Node *node, View view, const uint8_t *p) noexcept:
    """Return whether a view is a value of a type, with the tags of that type from `p` on."""
    cdef Header h
    cdef Py_ssize_t i
    while reread_header(p, view.end, &h) == FAULT_NONE:
        if node.kind == KIND_UNION:
            i = find_alternative(node, h.tag)
            if i < 0:
                return False
            node = node.components[i].node
        elif not accepts(node, h.tag):
            return False
        elif node.kind == KIND_EXPLICIT:
            node = node.element
            p = h.content
        else:
            return p == view.start and same_type(node, &view.plan.node)
    # Only a shared buffer that changed has no element here.
    return False


cdef bint accepts_view(const Node *node, View view, int levels) noexcept:
    """Return whether a view is a value of a type, or of an alternative or explicitly tagged type inside it."""
    cdef Py_ssize_t i
    node = without_tags(node)
    if node.kind == KIND_UNION and levels:
        for i in range(node.component_count):
            if accepts_view(node.components[i].node, view, levels - 1):
                return True
    return same_type(node, &view.plan.node)


cdef bint is_structured(value) except -1:
    """Return whether a value is a mapping or an iterable: a value of a SEQUENCE, SET, list or CHOICE."""
    if isinstance(value, (str, bytes, int, bytearray, memoryview, TLV, BitString, ObjectIdentifier, RelativeOID)):
        return False
    if PyDateTime_Check(value):
        return False
    return isinstance(value, EncodedListFile) or is_mapping(value) or isinstance(value, _Iterable)


cdef int write_structured(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write a mapping or iterable as the one alternative whose structure fits."""
    cdef Py_ssize_t i
    cdef Py_ssize_t found = -1
    cdef Plan plan = plan_of(node)
    if type(value) is not dict and is_mapping(value):
        value = dict(value)
    for i in range(node.component_count):
        if not may_accept(node.components[i].node, value, DEPTH_LIMIT):
            continue
        if found >= 0:
            raise _errors.ConstraintError(
                f"this {type(value).__name__} fits {plan.names[found]} and {plan.names[i]} of {describe_node(node)}; "
                f"name one: {{{plan.names[found]!r}: ...}}")
        found = i
    if found < 0:
        raise no_alternative(node, value)
    return write_value(w, node.components[found].node, value, around)


cdef bint may_accept(const Node *node, object value, int levels) except -1:
    """Return whether a dict or iterable may be a value of a type, judged by its outermost level."""
    cdef Plan plan
    cdef Py_ssize_t i
    node = without_tags(node)
    if is_open(node.kind):
        # A contained type is known; a type that another field selects may be any.
        return node.contained == NULL or (levels and may_accept(node.contained.node, value, levels - 1))
    if is_list(node.kind):
        return not isinstance(value, dict)
    if node.kind == KIND_NAMED_BITS:
        return isinstance(value, (list, tuple))
    if node.kind == KIND_UNION and levels:
        for i in range(node.component_count):
            if may_accept(node.components[i].node, value, levels - 1):
                return True
    if not isinstance(value, dict) or node.kind < KIND_SEQUENCE or node.kind == KIND_ANY:
        return False
    plan = plan_of(node)
    if is_choice(node.kind):
        return len(value) == 1 and (field_named(plan, next(iter(value))) >= 0
                                    or (node.extensible and OPAQUE in value))
    for i in range(node.component_count):
        if not node.components[i].optional and plan.names[i] not in value:
            return False
    return all(name in plan.names or (node.extensible and name == ADDITIONS) for name in value)


cdef bint outside_utc_time(value) except -1:
    """Return whether a time cannot be a UTCTime because of its year.

    RFC 5280 4.1.2.5: through 2049 a time is a UTCTime. A fraction of a second or a missing time zone is then an error,
    not a reason for GeneralizedTime; a caller can name that alternative.
    """
    exact = exact_datetime(value)
    try:
        return exact.utcoffset() is not None and not in_utc_time(datetime_year(exact.astimezone(UTC)))
    except OverflowError:
        return False
