# The writer of primitive types: contents octets from Python values.

from cpython.datetime cimport PyDateTime_Check, datetime_day, datetime_fold, datetime_hour, datetime_microsecond, \
    datetime_minute, datetime_month, datetime_new, datetime_second, datetime_tzinfo, datetime_year

from enum import Enum as _Enum


cdef int write_contents(Writer w, const Node *node, object value) except -1:
    """The contents octets of a primitive type."""
    cdef int kind = node.kind
    if isinstance(value, str):
        value = exact_text(value)
    if is_integer(kind):
        return integer_encode(w, node, value)
    if kind == KIND_UTC_TIME or kind == KIND_GENERALIZED_TIME:
        return time_encode(w, node, value)
    if kind == KIND_BOOLEAN:
        if not isinstance(value, bool):
            raise wrong_type(value, node, "give True or False")
        return w.octet(0xFF if value else 0)
    if kind == KIND_OBJECT_IDENTIFIER:
        if isinstance(value, str):
            value = oid_of(value)
        if not isinstance(value, ObjectIdentifier):
            raise wrong_type(value, node, "give an ObjectIdentifier or its dotted form")
        return oid_encode(w, (<ObjectIdentifier>value)._require_set())
    if kind == KIND_OCTET_STRING:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise wrong_type(value, node, "give bytes")
        return w.bytes_(bytes(value))
    if kind == KIND_NULL:
        if value is not NULL_VALUE:
            raise wrong_type(value, node, "give derlib.NULL")
        return 0
    if kind == KIND_BIT_STRING:
        return bits_encode(w, node, value)
    if kind == KIND_NAMED_BITS:
        if isinstance(value, (list, tuple)):
            value = listed_bits(node, value)
        if not isinstance(value, int) or isinstance(value, bool) or is_of_another(node, value) or exact_int(value) < 0:
            raise wrong_type(value, node, f"give {plan_of(node).name} members joined by |")
        return named_bits_encode(w, exact_int(value))
    if kind >= KIND_REAL:
        return w.bytes_(rare_contents(node, value))
    return string_encode(w, node, value)


cdef int oid_encode(Writer w, bytes contents) except -1:
    if len(contents) > ARC_OCTETS_LIMIT \
            and oid_check(<const uint8_t *><const char *>contents, len(contents), ARC_OCTETS_LIMIT):
        raise _errors.EncodeError(f"an arc of an OBJECT IDENTIFIER has more than {7 * ARC_OCTETS_LIMIT} bits, which "
                                  "decoding refuses by default")
    return w.bytes_(contents)


cdef object oid_of(str text):
    try:
        return ObjectIdentifier(text)
    except _errors.EncodeError as error:
        raise _errors.ConstraintError(str(error)) from None


cdef int bits_encode(Writer w, const Node *node, object value) except -1:
    """X.690 8.6.2: the number of unused bits, then the octets. Plain data are octets, or a text of zeros and ones."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        value = BitString(value)
    elif isinstance(value, str):
        # The empty text is the empty bit string (X.680 22.9, ''B), and `str(BitString())`.
        if len(value) != value.count("0") + value.count("1"):
            raise wrong_type(value, node, "a text of bits has zeros and ones")
        unused = (8 - len(value) % 8) % 8
        value = BitString((int(value or "0", 2) << unused).to_bytes((len(value) + 7) // 8, "big"), unused)
    elif not isinstance(value, BitString):
        raise wrong_type(value, node, "give a BitString, bytes, or a text of zeros and ones")
    w.bytes_((<BitString>value).bytes)
    return w.octet(<uint8_t>(<BitString>value).unused_bits)


cdef object listed_members(Plan plan):
    """What a message says about the names that there are: the first of them."""
    names = list(plan.type.__members__)
    return f"it has {', '.join(names[:16])}{', ...' if len(names) > 16 else ''}"


cdef object listed_bits(const Node *node, object bits):
    """The number that stands for a list of named bits: members, names, and numbers of bits without one."""
    cdef Plan plan = plan_of(node)
    number = 0
    for bit in bits:
        if isinstance(bit, str):
            if bit not in plan.type.__members__:
                raise _errors.ConstraintError(f"{plan.name} has no bit {short_repr(bit)}; {listed_members(plan)}")
            number |= int(plan.type.__members__[bit])
        elif type(bit) is plan.type:
            # Before its number, which says what it is, not where.
            number |= exact_int(bit)
        elif isinstance(bit, int) and not isinstance(bit, bool) and not is_of_another(node, bit) \
                and 0 <= exact_int(bit) < LISTED_BITS:
            number |= 1 << exact_int(bit)
        else:
            raise wrong_type(bit, node, f"list its members, their names, or numbers of bits below {LISTED_BITS}")
    return number


cdef bint is_of_another(const Node *node, object value) except -1:
    """Whether a value is a member of another enumeration: its number may be one here by chance only."""
    return type(value) is not plan_of(node).type and issubclass(type(value), _Enum)


cdef object item_number(const Node *node, object value):
    """The number of an item of an enumeration, which is given as itself, by its name or its number."""
    cdef Plan plan = plan_of(node)
    if isinstance(value, str):
        member = plan.type.__members__.get(value)
        if member is None:
            raise _errors.ConstraintError(f"{plan.name} has no item {short_repr(value)}; {listed_members(plan)}")
        return int(member)
    if not isinstance(value, int) or isinstance(value, bool) or is_of_another(node, value):
        raise wrong_type(value, node, f"give an item of {plan.name}, its name or its number")
    return value


cdef int integer_encode(Writer w, const Node *node, object value) except -1:
    # X.690 8.3.2: as few octets as keep the sign.
    cdef int overflow = 0
    cdef int64_t small
    cdef object number
    if node.kind != KIND_INTEGER and type(value) is not int:
        value = item_number(node, value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(value, node, "give an int")
    small = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow:
        number = exact_int(value)
        count = (number if number >= 0 else ~number).bit_length() // 8 + 1
        return w.bytes_(number.to_bytes(count, "big", signed=True))
    while True:
        w.octet(<uint8_t>(small & 0xFF))
        if -0x80 <= small < 0x80:
            return 0
        small >>= 8


cdef int named_bits_encode(Writer w, object value) except -1:
    # X.690 11.2.2: up to the last bit that is set, 8.6.2 the first bit in the high place.
    cdef Py_ssize_t bits = value.bit_length()
    octets = value.to_bytes((bits + 7) // 8, "little").translate(REVERSED_OCTETS)
    w.bytes_(octets)
    return w.octet(<uint8_t>(7 - (bits + 7) % 8) if bits else 0)


cdef int string_encode(Writer w, const Node *node, object value) except -1:
    cdef str codec
    if not isinstance(value, str):
        raise wrong_type(value, node, "give a str")
    if node.kind == KIND_UTF8_STRING:
        codec = "utf-8"
    elif node.kind == KIND_LATIN1_STRING:
        codec = "latin-1"
    elif node.kind == KIND_BMP_STRING:
        codec = "utf-16-be"
    elif node.kind == KIND_UNIVERSAL_STRING:
        codec = "utf-32-be"
    else:
        codec = "ascii"
    try:
        return w.bytes_(value.encode(codec))
    except UnicodeEncodeError as error:
        raise _errors.ConstraintError(
            f"the character at {error.start} is outside the alphabet of {describe_node(node)}") from None


cdef inline bint in_utc_time(int year) noexcept:
    """The years of UTCTime, whose two digits RFC 5280 4.1.2.5.1 reads so."""
    return 1950 <= year <= 2049


cdef object exact_datetime(value):
    """A datetime proper: what the methods of a subclass return need not even be a datetime."""
    try:
        return datetime_new(
            datetime_year(value), datetime_month(value), datetime_day(value), datetime_hour(value),
            datetime_minute(value), datetime_second(value), datetime_microsecond(value), datetime_tzinfo(value),
            datetime_fold(value))
    except ValueError as error:
        # A pickle can make what no constructor would.
        raise _errors.ConstraintError(f"the datetime is none: {error}") from None


cdef int time_encode(Writer w, const Node *node, object value) except -1:
    """X.690 11.7, 11.8: always UTC, always seconds, fractions without trailing zeros."""
    cdef bint utc = node.kind == KIND_UTC_TIME
    cdef Moment t
    cdef int microsecond
    if isinstance(value, str):
        # The text of its contents, also for times that datetime cannot hold; the check judges it.
        return w.bytes_(value.encode("ascii", "replace"))
    if not PyDateTime_Check(value):
        raise wrong_type(value, node, "give an aware datetime")
    if datetime_tzinfo(value) is not UTC:
        value = exact_datetime(value)
        if value.utcoffset() is None:
            raise wrong_type(value, node, "give it a time zone: naive times mean nothing in DER")
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            raise _errors.ConstraintError(f"{value} in UTC is outside the years 1 to 9999 of datetime") from None
    t.year = datetime_year(value)
    t.month = datetime_month(value)
    t.day = datetime_day(value)
    t.hour = datetime_hour(value)
    t.minute = datetime_minute(value)
    t.second = datetime_second(value)
    microsecond = datetime_microsecond(value)
    if not is_moment(&t):
        # A datetime can be made from pickled octets that are no date.
        raise _errors.ConstraintError("the datetime is not a date and time of the calendar")
    if utc and not in_utc_time(t.year):
        raise _errors.ConstraintError(f"{value} does not fit UTCTime, which has the years from 1950 to 2049")
    if utc and microsecond:
        raise _errors.ConstraintError(
            f"{value} does not fit UTCTime, which has whole seconds; take off the fraction with replace(microsecond=0)")
    w.octet(0x5A)
    if microsecond:
        w.bytes_((b"." + f"{microsecond:06d}".rstrip("0").encode()))
    two_digits_encode(w, t.second)
    two_digits_encode(w, t.minute)
    two_digits_encode(w, t.hour)
    two_digits_encode(w, t.day)
    two_digits_encode(w, t.month)
    two_digits_encode(w, t.year % 100)
    if not utc:
        two_digits_encode(w, t.year // 100)
    return 0


cdef inline int two_digits_encode(Writer w, int number) except -1:
    w.octet(<uint8_t>(0x30 + number % 10))
    return w.octet(<uint8_t>(0x30 + number // 10))
