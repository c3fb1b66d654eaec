# Entry points of the encoder: encode a value, or build a view of its encoding. Output that is not valid by construction
# goes through the check pass.


cdef enum:
    # The whole is not rechecked if at least this many octets are copies of validated views: the other parts were.
    COPY_TRUST = 65536


# The deviations whose values are invalid or changed: they cannot be built again.
cdef object INVALID_VALUES = (_options.Deviation.STRING_ALPHABET | _options.Deviation.STRING_ENCODING
                              | _options.Deviation.EMPTY_LIST | _options.Deviation.OPEN_TYPE
                              | _options.Deviation.TRAILING_DATA)

# The function that returns the plan of a type expression; the schema language sets it on import.
cdef object plan_finder = None


def find_plans_with(finder):
    """Set the function that returns the plan of a type expression."""
    global plan_finder
    plan_finder = finder


cdef object _type = type     # for functions with an argument named `type`


def encode(value, type=None):
    """Return the encoding of a value as `bytes`.

    Args:
        value: a value of a schema class, or with `type` anything that the type accepts: an int, a dict of fields, a
            list, ...
        type: a type expression. Without it, the result is ``value.encode()``. With it, the value is built as this type,
            and the result is always DER.

    Raises:
        ConstraintError: the value has the wrong type, violates a constraint, or contains a part with a deviation. The
            error has the path.
        EncodeError: the value is nested too deeply.
        SchemaError: `type` is not a type.

    >>> import derlib
    >>> derlib.encode([1, 300], derlib.SequenceOf[int]).hex()
    '30070201010202012c'
    """
    cdef object own
    if type is None:
        if not isinstance(value, (View, TLV)):
            raise TypeError("pass the type: encode(value, type)")
        return value.encode()
    # Usually the type is a schema class, which has its plan as an attribute.
    if is_made_class(type):
        own = own_attribute(type, "__plan__")
        if isinstance(own, Plan):
            return written_by(<Plan>own, value, False).taken()
    try:
        plan = plan_finder(type)
    except _errors.SchemaError:
        if isinstance(value, _type):
            raise TypeError("the value comes first: encode(value, type)") from None
        raise
    return written_by(<Plan?>plan, value, False).taken()


def encode_plan(Plan plan not None, value):
    """Return the DER of a value of the plan's type.

    Raises:
        ConstraintError: a value has the wrong type or violates a constraint.
        EncodeError: the value is nested too deeply.
    """
    return written_by(plan, value, False).taken()


cdef Writer written_by(Plan plan, value, bint in_pieces, bint names=False):
    """Return a writer with the checked encoding of a value.

    If `in_pieces` is true, parts of it may be in files. If `names` is true, an OBJECT IDENTIFIER may be a name.
    """
    cdef Writer w = Writer.__new__(Writer)
    cdef list held
    w.in_pieces = in_pieces
    w.names = names
    plan.ready()
    if unlikely(not load_flag(&plan.sealed)):
        # The schema compiler encodes defaults and single values with plans that are not finished.
        held = plan.hold()
        try:
            write_whole(w, plan, value)
        finally:
            release(held)
        return w
    write_whole(w, plan, value)
    return w


cdef inline int write_whole(Writer w, Plan plan, value) except -1:
    """Write a value, and check it."""
    write_value(w, &plan.node, value, NULL)
    if w.list_files is not None and not w.in_pieces:
        raise misplaced_list_file()
    return recheck_all(w, plan)


cdef int recheck_all(Writer w, Plan plan) except -1:
    """Check the whole output, unless it is valid by construction or largely a copy of validated octets."""
    cdef Header h
    cdef Check c
    if not w.bytes_in_files and (
            (w.needs_recheck and w.copied < COPY_TRUST) or w.selector_changed or w.max_depth > DEPTH_LIMIT):
        w.join(0)
        check_begin(&c, &STRICT, NULL)
        if not check(&c, &plan.node, w.base + w.at, w.base + w.size, False, &h):
            raise written_error(fault_of(&c, w.base + w.at, w.base + w.size, 0, None))
        w.max_depth = DEPTH_LIMIT - c.lowest
    return 0


cdef object built_value(Plan plan, value, bint names=False):
    """Encode a value, and return the view of the encoding. If `names` is true, an OBJECT IDENTIFIER may be a name."""
    plan.prepared()
    cdef Writer w = written_by(plan, value, False, names)
    return written_value(plan, source_of_written(w))


cdef Source source_of_written(Writer w):
    """Return the output of a writer as the source of a view, and empty the writer."""
    cdef Source source = empty_source()
    source.registrations = w.registrations
    source.max_depth = w.max_depth
    source.owner = w.taken()
    source.base = <const uint8_t *>PyBytes_AS_STRING(source.owner)
    source.size = PyBytes_GET_SIZE(source.owner)
    return source


def check_written(Plan plan not None, data):
    """Check an encoding that was written in pieces (`encode_pieces`).

    Raises:
        ConstraintError, EncodeError: as in `encode_plan`.
    """
    cdef Source source = source_new(data, False, False)
    cdef Header h
    cdef Check c
    plan.prepared()
    check_begin(&c, &STRICT, NULL)
    if not check(&c, &plan.node, source.base, source.base + source.size, False, &h):
        raise written_error(fault_in_input(&c, source.base, source.base + source.size, 0))


def build_plan(Plan plan not None, value, bint names=False):
    """Build the view of a value, with the errors of `encode_plan`. With `names`, an OBJECT IDENTIFIER may be a name."""
    return built_value(plan, value, names)


cdef object written_value(Plan plan, Source source):
    """Return the view or value of an encoding made by the writer."""
    cdef Header h
    if read_header(source.base, source.base + source.size, &h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return make_value(source, &plan.node, &h, NULL)


cdef object written_error(error, bint is_copy=False, bint is_signed=False):
    """Convert an error of the check pass, which is about octets, to one about the values that were encoded.

    `is_copy` is true if the invalid part was copied from a value with deviations; `is_signed` if signatures cover it.
    """
    cdef str message = error.detail
    cdef str hint = None
    if error.hint:
        message += f"; {error.hint}"
    if error.rule:
        message += f" ({error.rule})"
    if isinstance(error, _errors.LimitError):
        return _errors.EncodeError(message)
    if is_copy and error.deviation and error.deviation not in INVALID_VALUES:
        hint = "it was decoded with a deviation: value.from_native(value.to_native()) builds the value as DER"
        if is_signed:
            hint += ", but changes the bytes that a signature covers"
        message += f"; {hint}"
    made = _errors.ConstraintError(message)
    made.path = error.path
    made.hint = hint
    return made
