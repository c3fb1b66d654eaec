# The writer of constructed and open types: SEQUENCE, SET, lists, CHOICE, ANY, DEFINED BY.
#
# Values of a SEQUENCE or SET are a mapping from field names; of a list, an iterable; of a CHOICE, a mapping with one
# key. A view of just the right type was copied before we get here.

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Size

from collections.abc import Iterable as _Iterable, Mapping as _Mapping


cdef bint is_mapping(value) except -1:
    """Whether a value is a mapping; what values mostly are is told without asking the abstract class.

    That is asked by itself: of several classes in one call Cython does not look whether one of Python raised.
    """
    if isinstance(value, dict):
        return True
    if type(value) is list or type(value) is str or type(value) is bytes or type(value) is int \
            or type(value) is ObjectIdentifier or PyDateTime_Check(value):
        return False
    return isinstance(value, _Mapping)


cdef bint lists_elements(value) except -1:
    """Whether a value stands for the elements of a list."""
    # The usual lists first: to ask the abstract classes takes longer than to write a short list.
    if type(value) is list or type(value) is tuple:
        return True
    return not isinstance(value, (str, bytes)) and not is_mapping(value) and isinstance(value, _Iterable)


cdef object field_error(object error, step):
    """Add a step to the path of an error that is on its way out."""
    error.path = (step, *error.path)
    return error


cdef dict field_mapping(const Node *node, object value):
    """The values of a SEQUENCE or SET by field name."""
    if isinstance(value, dict):
        return <dict>value
    if isinstance(value, View) or not is_mapping(value):
        raise misfit(value, node, f"give {plan_of(node).name}(...) or a dict of its fields")
    return dict(value)


cdef int write_field(Writer w, const Node *node, Py_ssize_t index, dict values) except -1:
    """Write one field, unless it is left out; return whether `values` name it."""
    cdef const Field *field = &node.fields[index]
    cdef str name = <str>(<tuple>plan_of(node).names)[index]
    cdef Py_ssize_t before = w.written()
    cdef PyObject *found = PyDict_GetItemWithError(values, name)
    # A reference of our own: writing may run code of the value, and that may change the dict.
    cdef object value = None if found == NULL else <object>found
    cdef WriteScope scope
    if value is None:
        if field.optional:
            return found != NULL
        raise missing_error(node, values)
    scope.node = node
    scope.values = <PyObject *>values
    try:
        write_value(w, field.node, value, &scope)
    except _errors.ConstraintError as error:
        raise field_error(error, name)
    # X.690 11.5: a component equal to its default is not encoded.
    if field.default != NULL and w.written() - before == field.default_length \
            and memcmp(w.base + w.at, field.default, field.default_length) == 0:
        w.at = w.size - before
    return True


cdef object missing_error(const Node *node, dict values):
    """The error for a field without a value: a name that no field has is the likelier cause."""
    cdef Plan plan = plan_of(node)
    cdef Py_ssize_t i = 0
    if any([name not in plan.names and name != ADDITIONS for name in values]):
        return unknown_error(plan, values)
    while i < node.count - 1 and (node.fields[i].optional or values.get(plan.names[i]) is not None):
        i += 1
    return field_error(_errors.ConstraintError(f"{describe_node(node.fields[i].node)} is missing"), plan.names[i])


cdef object unknown_error(Plan plan, dict values):
    unknown = [name for name in values if name not in plan.names and name != ADDITIONS]
    if not unknown:
        # Code of a value ran meanwhile and took others away.
        return _errors.ConstraintError(f"the values for {plan.name} changed while they were written")
    return _errors.ConstraintError(f"{plan.name} has no field {short_repr(unknown[0])}; it has {', '.join(plan.names)}")


cdef int all_named(const Node *node, dict values, Py_ssize_t named) except -1:
    """Refuse values that no field has a name for."""
    if named != len(values) - (ADDITIONS in values):
        raise unknown_error(plan_of(node), values)
    return 0


cdef int write_fields(Writer w, const Node *node, object value) except -1:
    cdef dict values = field_mapping(node, value)
    cdef Py_ssize_t i
    cdef Py_ssize_t named = 0
    cdef Py_ssize_t behind = node.insertion if node.extensible else node.count
    for i in range(node.count - 1, behind - 1, -1):
        named += write_field(w, node, i, values)
    if ADDITIONS in values:
        write_additions(w, node, values)
    for i in range(behind - 1, -1, -1):
        named += write_field(w, node, i, values)
    return all_named(node, values, named)


cdef int write_members(Writer w, const Node *node, object value) except -1:
    """X.690 10.3: in the order of the tags that stand there."""
    cdef dict values = field_mapping(node, value)
    cdef Header h
    cdef Py_ssize_t i
    cdef Py_ssize_t before
    cdef Py_ssize_t named = 0
    cdef list members = []
    cdef list additions = listed_additions(node, values)
    for i in range(node.count + len(additions)):
        before = w.written()
        if i < node.count:
            named += write_field(w, node, i, values)
        else:
            write_addition(w, node, additions[i - node.count])
        if w.written() > before:
            read_header(w.base + w.at, w.base + w.size, &h)
            members.append((canonical_key(h.tag), (<const char *>(w.base + w.at))[:w.written() - before]))
            w.at += w.written() - before
    for _, octets in sorted(members, reverse=True):
        w.bytes_(octets)
    return all_named(node, values, named)


cdef int write_list(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    cdef Py_ssize_t i
    cdef Py_ssize_t before
    cdef list encodings = []
    if isinstance(value, Spool):
        return write_spool(w, node, <Spool>value)
    if not lists_elements(value):
        raise misfit(value, node, "give a list of its elements")
    # A tuple of our own: code that runs while its elements are written cannot make it shorter.
    cdef tuple elements = tuple(value)
    for i in range(len(elements) - 1, -1, -1):
        before = w.written()
        try:
            write_value(w, node.element, elements[i], around)
        except _errors.ConstraintError as error:
            raise field_error(error, i)
        if node.kind == KIND_SET_OF:
            encodings.append((<const char *>(w.base + w.at))[:w.written() - before])
            w.at += w.written() - before
    # X.690 11.6: a SET OF in ascending order, so the greatest is written first.
    for octets in sorted(encodings, reverse=True):
        w.bytes_(octets)
    if node.sized and size_check(node, len(elements)):
        raise wrong_size(node, len(elements))
    return 0


cdef object wrong_size(const Node *node, Py_ssize_t count):
    name = plan_of(node).name
    return _errors.ConstraintError(f"{name} has {count} elements, outside SIZE ({describe_bounds(node, True)})")


@cython.final
cdef class Spool:
    """The contents of a list that were encoded before and stand in a file; `derlib.encode_to` puts it into a value."""
    cdef readonly object file
    cdef readonly Py_ssize_t length
    cdef readonly Py_ssize_t count
    cdef readonly int height        # how deep the elements nest, at most

    def __cinit__(self, file, Py_ssize_t length, Py_ssize_t count, int height):
        self.file = file
        self.length = length
        self.count = count
        self.height = height


cdef int write_spool(Writer w, const Node *node, Spool spool) except -1:
    """Note where the contents of a list belong that stand in a file."""
    if node.kind != KIND_SEQUENCE_OF:
        raise _errors.EncodeError(f"{plan_of(node).name} cannot be streamed: a SET OF is sorted as a whole")
    if node.sized and size_check(node, spool.count):
        raise wrong_size(node, spool.count)
    if w.spools is None:
        w.spools = []
    note_height(w, spool.height)
    w.spools.append((w.written(), spool))
    w.elsewhere += spool.length
    return 0


def encode_elements(Plan plan not None, list elements):
    """The encodings of some elements of a list, one after the other without the list around them; and how deep."""
    cdef Writer w = Writer()
    cdef Py_ssize_t i
    plan.ready()
    for i in range(len(elements) - 1, -1, -1):
        try:
            write_value(w, plan.node.element, elements[i], NULL)
        except _errors.ConstraintError as error:
            raise field_error(error, i)
    return w.taken(), w.height


def encode_pieces(Plan plan not None, value):
    """The encoding of a value that holds Spools: a list of bytes and Spools in their order, and whether it is proved.

    What depends on fields around a Spool, and how deep all nests, only a check of the whole can say.
    """
    cdef Writer w = written_by(plan, value, True)
    cdef Py_ssize_t end = 0
    cdef Py_ssize_t written
    cdef list pieces = []
    for written, spool in w.spools or ():
        # Positions count from the end, where writing began.
        pieces.append((<const char *>(w.base + w.size - written))[:written - end])
        pieces.append(spool)
        end = written
    pieces.append((<const char *>(w.base + w.at))[:w.written() - end])
    pieces.reverse()
    return pieces, not w.elsewhere or (not w.unproved and w.height <= DEPTH_LIMIT)


cdef int write_choice(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    cdef Plan plan = plan_of(node)
    if not isinstance(value, dict) and is_mapping(value):
        value = dict(value)
    if isinstance(value, dict) and PyDict_Size(value) == 1:
        [(name, inner)] = dict.items(value)
        if name in plan.names:
            try:
                return write_value(w, node.fields[plan.names.index(name)].node, inner, around)
            except _errors.ConstraintError as error:
                raise field_error(error, name)
        if node.extensible and name == OPAQUE:
            return write_addition(w, node, inner)
        if node.kind == KIND_CHOICE:
            raise _errors.ConstraintError(
                f"{plan.name} has no alternative {short_repr(name)}; it has {', '.join(plan.names)}"
            )
    if node.kind == KIND_CHOICE:
        if isinstance(value, dict):
            given = ", ".join([short_repr(name) for name in list(value)[:8]]) or "none"
            names = ", ".join(plan.names)
            raise _errors.ConstraintError(f"{plan.name} takes exactly one of its alternatives {names}; given: {given}")
        raise misfit(value, node, f"give {plan.name}(...) or a dict with one of its alternatives")
    return write_union(w, node, value, around)


cdef int union_rank(int kind) noexcept:
    """Which alternatives of a transparent CHOICE are tried first: RFC 5280 4.1.2.4 on strings, 4.1.2.5 on times.

    DATE-TIME is before these times, for it takes naive ones only.
    """
    if kind == KIND_DATE_TIME:
        return 0
    if kind == KIND_PRINTABLE_STRING or kind == KIND_UTC_TIME:
        return 1
    if kind == KIND_UTF8_STRING or kind == KIND_GENERALIZED_TIME:
        return 2
    return 3


cdef int write_union(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """A plain value goes to the first alternative that takes it, in the order of `union_rank`, then of definition.

    Only values without parts are tried out. To try those with parts at each level of a recursive type would double the
    work with each level, so these go by their shape.
    """
    cdef Py_ssize_t i
    cdef Py_ssize_t before = w.written()
    cdef int depth = w.depth
    cdef int level = w.level
    cdef int rank
    cdef const Node *alternative
    if node.count == 1:
        return write_value(w, node.fields[0].node, value, around)
    if isinstance(value, View):
        for i in range(node.count):
            if write_view(w, node.fields[i].node, <View>value):
                return 0
    if has_parts(value):
        return write_shaped(w, node, value, around)
    for rank in range(4):
        for i in range(node.count):
            alternative = node.fields[i].node
            if union_rank(alternative.kind) != rank:
                continue
            try:
                return write_value(w, alternative, value, around)
            except _errors.ConstraintError:
                w.at = w.size - before
                w.depth = depth
                w.level = level
                if alternative.kind == KIND_UTC_TIME and PyDateTime_Check(value) and not outside_utc_time(value):
                    raise
    raise misfit(value, node, "no alternative takes it")


cdef bint has_parts(value) except -1:
    """Whether a value is a mapping or iterable that stands for a SEQUENCE, SET, list or CHOICE."""
    if isinstance(value, (str, bytes, int, bytearray, memoryview, TLV, BitString, ObjectIdentifier, RelativeOID)):
        return False
    if PyDateTime_Check(value):
        return False
    return isinstance(value, Spool) or is_mapping(value) or isinstance(value, _Iterable)


cdef int write_shaped(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write a value with parts in the one alternative that has its shape."""
    cdef Py_ssize_t i
    cdef Py_ssize_t found = -1
    cdef Plan plan = plan_of(node)
    if type(value) is not dict and is_mapping(value):
        value = dict(value)
    for i in range(node.count):
        if not has_shape(node.fields[i].node, value, DEPTH_LIMIT):
            continue
        if found >= 0:
            raise misfit(value, node, f"both {plan.names[found]} and {plan.names[i]} may take it, so name one: "
                                      f"{{{plan.names[found]!r}: ...}}")
        found = i
    if found < 0:
        raise misfit(value, node, "no alternative takes it")
    return write_value(w, node.fields[found].node, value, around)


cdef bint has_shape(const Node *node, object value, int levels) except -1:
    """Whether a value with parts may be of a type, by its outermost part; a mapping is a dict here."""
    cdef Plan plan
    cdef Py_ssize_t i
    while node.kind == KIND_EXPLICIT:
        node = node.element
    if is_open(node.kind):
        return True
    if is_list(node.kind):
        return not isinstance(value, dict)
    if node.kind == KIND_NAMED_BITS:
        return isinstance(value, (list, tuple))
    if node.kind == KIND_UNION and levels:
        for i in range(node.count):
            if has_shape(node.fields[i].node, value, levels - 1):
                return True
    if not isinstance(value, dict) or node.kind < KIND_SEQUENCE or node.kind == KIND_ANY:
        return False
    plan = plan_of(node)
    if is_choice(node.kind):
        return len(value) == 1 and (next(iter(value)) in plan.names or (node.extensible and OPAQUE in value))
    for i in range(node.count):
        if not node.fields[i].optional and plan.names[i] not in value:
            return False
    return all([name in plan.names or (node.extensible and name == ADDITIONS) for name in value])


cdef bint outside_utc_time(value) except -1:
    """Whether a time is no UTCTime because of its year.

    RFC 5280 4.1.2.5: until 2049 a time is a UTCTime. A fraction of a second or a missing time zone is a mistake there,
    not a reason to take GeneralizedTime; who means it so names that alternative.
    """
    exact = exact_datetime(value)
    try:
        return exact.utcoffset() is not None and not in_utc_time(datetime_year(exact.astimezone(UTC)))
    except OverflowError:
        return True


cdef int octets_check(Writer w, const Node *node, Py_ssize_t count) except -1:
    """Let the check judge octets that a caller gave for one element: that they are one, and canonical."""
    cdef Check c
    cdef Header h
    cdef const uint8_t *end = w.base + w.at + count
    check_begin(&c, &STRICT)
    if not check_element(&c, &(<Plan>ANY_PLAN).node, w.base + w.at, end, NULL, &h) or h.end != end:
        if c.fault == FAULT_NONE:
            fail(&c, FAULT_TRAILING_DATA, h.end, node)
        raise written_error(fault_of(&c, w.base + w.at, end))
    note_height(w, DEPTH_LIMIT - c.lowest)
    return 0


cdef int write_any(Writer w, const Node *node, object value) except -1:
    if isinstance(value, (TLV, View)):
        octets = value.encode()
    elif isinstance(value, (bytes, bytearray, memoryview)):
        octets = bytes(value)
    else:
        raise misfit(value, node, "give a TLV, a decoded or built value, or the octets of an element")
    w.bytes_(octets)
    return octets_check(w, node, len(octets))


cdef const OpenEntry *chosen(Writer w, const Node *node, const WriteScope *around) except? NULL:
    """The entry that the selector chooses among the values around, NULL where the table does not know it."""
    cdef Plan plan
    cdef Py_ssize_t i
    cdef bytes contents
    cdef const OpenEntry *entry
    if node.contained != NULL:
        return node.contained
    if around == NULL or node.selector_length == 0:
        return NULL
    w.unproved = True
    plan = plan_of(around.node)
    value = <object>around.values
    for i in range(node.selector_length):
        name = plan.names[node.selector[i]]
        if isinstance(value, View):
            # A view of another class is refused when it is written in its place.
            value = getattr(value, name, None)
        elif is_mapping(value):
            value = value.get(name)
        else:
            return NULL
        if value is None:
            value = plan.defaults[node.selector[i]]
        plan = plan.plans[node.selector[i]]
    if isinstance(value, str):
        try:
            value = ObjectIdentifier(value)
        except _errors.EncodeError as error:
            raise _errors.ConstraintError(f"its type is selected by {name}, but {error}") from None
    if not isinstance(value, ObjectIdentifier):
        return NULL
    contents = (<ObjectIdentifier>value)._known()
    entry = find_slot(look_entries(node.entries), <const uint8_t *><const char *>contents, len(contents))
    return entry if entry.node != NULL else NULL


cdef object opaque_of(object value):
    """The octets of a value that is given as opaque, as `to_native` has it; else None."""
    if isinstance(value, dict) and PyDict_Size(value) == 1:
        return dict.get(value, OPAQUE)
    return None


cdef int write_open(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    cdef const OpenEntry *entry = chosen(w, node, around)
    cdef Py_ssize_t before = w.written()
    cdef Check c
    cdef Header h
    opaque = value if isinstance(value, TLV) else opaque_of(value)
    if entry == NULL:
        return write_any(w, node, value if opaque is None else opaque)
    if opaque is None:
        return write_value(w, entry.node, value, NULL)
    # An element that is given as such must be of the selected type, unless a misfit may stand there.
    write_any(w, node, opaque)
    check_begin(&c, &STRICT)
    if not entry.soft and not check_element(&c, entry.node, w.base + w.at, w.base + w.size - before, NULL, &h):
        raise written_error(fault_of(&c, w.base + w.at, w.base + w.size - before))
    return 0


cdef int write_open_string(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """The octets or bits that contain an encoding; opaque ones as they are given."""
    cdef const OpenEntry *entry = chosen(w, node, around)
    cdef bint bits = node.kind == KIND_OPEN_BITS
    opaque = opaque_of(value)
    if entry != NULL and (opaque is None or not entry.soft):
        write_value(w, entry.node, value, NULL)
        return w.octet(0) if bits else 0
    if opaque is not None:
        value = opaque
    if bits:
        return bits_encode(w, node, value)
    if isinstance(value, (View, TLV)):
        return w.bytes_(value.encode())
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise misfit(value, node, "its type is not known here: give bytes")
    return w.bytes_(bytes(value))


cdef enum:
    # A value that is mostly octets of proved views is not proved again as a whole: what was written beside them was.
    COPY_TRUST = 65536


def encode_plan(Plan plan not None, value):
    """The DER of a value of the plan's type, checked.

    Raises:
        ConstraintError: a value is of a wrong kind or outside a constraint.
        EncodeError: the value is nested too deeply.
    """
    return written_by(plan, value, False).taken()


cdef Writer written_by(Plan plan, value, bint in_pieces):
    """A writer that holds the checked encoding of a value; only what goes out in pieces may lack what is in files."""
    cdef Writer w = Writer()
    cdef Header h
    cdef Check c
    plan.ready()
    write_value(w, &plan.node, value, NULL)
    if w.spools is not None and not in_pieces:
        raise _errors.EncodeError("a Spool is for derlib.encode_to")
    if not w.elsewhere and (w.copied < COPY_TRUST or w.unproved or w.height > DEPTH_LIMIT):
        if not check(&c, &STRICT, NULL, &plan.node, w.base + w.at, w.base + w.size, False, &h):
            raise written_error(fault_of(&c, w.base + w.at, w.base + w.size))
        w.height = DEPTH_LIMIT - c.lowest
    return w


cdef object built_value(Plan plan, value):
    """The view on the encoding of a value, where the writer left it."""
    cdef Writer w = written_by(plan, value, False)
    cdef Source source = Source.__new__(Source)
    if w.written() < COPY_TRUST:
        source = source_new(w.taken(), True)
        source.height = w.height
        return value_of_proved(plan, source)
    # A large one stays where it was written: to move it to the front of its buffer would cost as much as to write it.
    source.owner = <object>w.buffer
    source.base = w.base + w.at
    source.size = w.written()
    source.registrations = registrations
    source.height = w.height
    return value_of_proved(plan, source)


def check_written(Plan plan not None, data):
    """Check octets that were written in pieces.

    Raises:
        ConstraintError, EncodeError: as `encode_plan`.
    """
    cdef Source source = source_new(data, False)
    cdef Header h
    cdef Check c
    plan.ready()
    if not check(&c, &STRICT, NULL, &plan.node, source.base, source.base + source.size, False, &h):
        raise written_error(check_error(&c, source))


def build_plan(Plan plan not None, value):
    """The value that `encode_plan` makes octets of."""
    return built_value(plan, value)


cdef object value_of_proved(Plan plan, Source source):
    """The value of octets that the writer made."""
    cdef Header h
    if read_header(source.base, source.base + source.size, &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return make_value(source, &plan.node, &h, NULL)


cdef object written_error(error):
    """What the check says of octets that were written from values, as an error about the values."""
    if isinstance(error, _errors.LimitError):
        return _errors.EncodeError(f"{error.detail} ({error.rule})")
    made = _errors.ConstraintError(f"{error.detail} ({error.rule})" if error.rule else error.detail)
    made.path = error.path
    return made
