# Whole values: what the schema layer calls to encode one, and to build a view of it. What is not
# right by construction goes through the check pass before it leaves.


cdef enum:
    # A value that is mostly octets of proved views is not proved again as a whole: what was written beside them was.
    COPY_TRUST = 65536


# What finds the plan of a type expression: `derlib._compile.plan_of`.
cdef object plan_finder = None


def find_plans_with(finder):
    """Say what finds the plan of a type expression."""
    global plan_finder
    plan_finder = finder


cdef object _type = type     # where an argument has its name


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
            raise TypeError("give the type: encode(value, type)")
        return value.encode()
    # Nearly every type is a schema class, which has its plan itself.
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
    """The DER of a value of the plan's type, checked.

    Raises:
        ConstraintError: a value is of a wrong kind or outside a constraint.
        EncodeError: the value is nested too deeply.
    """
    return written_by(plan, value, False).taken()


cdef Writer written_by(Plan plan, value, bint in_pieces):
    """A writer that holds the checked encoding of a value; only what goes out in pieces may lack what is in files."""
    cdef Writer w = Writer.__new__(Writer)
    cdef list held
    plan.ready()
    if unlikely(not plan.sealed):
        # While a schema is compiled, its defaults and single values are encoded.
        held = plan.hold()
        try:
            write_whole(w, plan, value, in_pieces)
        finally:
            release(held)
        return w
    write_whole(w, plan, value, in_pieces)
    return w


cdef inline int write_whole(Writer w, Plan plan, value, bint in_pieces) except -1:
    write_value(w, &plan.node, value, NULL)
    if w.list_files is not None and not in_pieces:
        raise misplaced_list_file()
    return recheck_all(w, plan)


cdef int recheck_all(Writer w, Plan plan) except -1:
    """Check all that was written, unless it is right by construction, or mostly a copy of what was proved."""
    cdef Header h
    cdef Check c
    if not w.bytes_in_files and (
            (w.needs_recheck and w.copied < COPY_TRUST) or w.selector_changed or w.max_depth > DEPTH_LIMIT):
        if not check(&c, &STRICT, NULL, &plan.node, w.base + w.at, w.base + w.size, False, &h):
            raise written_error(fault_of(&c, w.base + w.at, w.base + w.size))
        w.max_depth = DEPTH_LIMIT - c.lowest
    return 0


cdef object built_value(Plan plan, value):
    """The view on the encoding of a value, where the writer left it."""
    plan.prepared()
    cdef Writer w = written_by(plan, value, False)
    return value_of_proved(plan, source_of_written(w))


cdef Source source_of_written(Writer w):
    """The octets that a writer holds, which is empty afterwards, as what views stand on."""
    cdef Source source = Source.__new__(Source)
    source.registrations = w.registrations
    source.max_depth = w.max_depth
    source.owner = w.taken()
    source.base = <const uint8_t *>PyBytes_AS_STRING(source.owner)
    source.size = PyBytes_GET_SIZE(source.owner)
    return source


def check_written(Plan plan not None, data):
    """Check octets that were written in pieces.

    Raises:
        ConstraintError, EncodeError: as `encode_plan`.
    """
    cdef Source source = source_new(data, False)
    cdef Header h
    cdef Check c
    plan.prepared()
    if not check(&c, &STRICT, NULL, &plan.node, source.base, source.base + source.size, False, &h):
        raise written_error(fault_in_input(&c, source.base, source.base + source.size))


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
        return _errors.EncodeError(error.detail)
    made = _errors.ConstraintError(f"{error.detail} ({error.rule})" if error.rule else error.detail)
    made.path = error.path
    return made
