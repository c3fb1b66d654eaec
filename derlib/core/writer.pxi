# The writer: Python values to DER, backwards from the end of a buffer.
#
# Written backwards, the length of a value is known when its header is due, and nothing is measured twice. The writer
# makes the shape: tags, order, lengths, defaults left out. Whether contents keep the rules and constraints of their
# type is for the check pass to say, which runs over each primitive element as it is written (`leaf_check`) and over all
# of it at the end. So each rule stands in one place, and a wrong value never leaves as octets.

from cpython.datetime cimport PyDateTime_Check, datetime_day, datetime_fold, datetime_hour, datetime_microsecond, \
    datetime_minute, datetime_month, datetime_new, datetime_second, datetime_tzinfo, datetime_year
from libc.string cimport memmove

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *octets, Py_ssize_t size)
    int resize_bytes "_PyBytes_Resize"(PyObject **octets, Py_ssize_t size) except -1
    int64_t PyLong_AsLongLongAndOverflow(object value, int *overflow) except? -1
    int enter_recursive_call "Py_EnterRecursiveCall"(const char *where) except -1
    void leave_recursive_call "Py_LeaveRecursiveCall"()


cdef enum:
    # A bound on recursion, for values that hold themselves. One level of nesting is at most a few calls (field, CHOICE,
    # open type, explicit tag); DEPTH_LIMIT itself is for the check to enforce.
    WRITE_DEPTH_LIMIT = 4 * DEPTH_LIMIT


@cython.final
cdef class Writer:
    """A buffer that fills from its end; `at` is where the written octets begin.

    The buffer is a bytes object that nobody else has seen yet, so that the result need not be copied out of it.
    """
    cdef PyObject *buffer
    cdef uint8_t *base
    cdef Py_ssize_t size
    cdef Py_ssize_t at
    cdef Py_ssize_t copied          # octets taken over from views that were proved
    cdef int level                  # how many elements stand around the one that is being written
    cdef int height                 # how deep elements nest, at most
    cdef bint unproved              # what was written since depends on fields of the SEQUENCE around it
    cdef int depth                  # calls of `write_value` left
    cdef Py_ssize_t elsewhere       # octets that stand in files and belong between those that are written here
    cdef list spools                # where: (octets written here when it was met, Spool)

    def __cinit__(self):
        self.allocate(1024)
        self.at = self.size
        self.depth = WRITE_DEPTH_LIMIT

    def __dealloc__(self):
        Py_XDECREF(self.buffer)

    cdef int allocate(self, Py_ssize_t size) except -1:
        self.buffer = new_bytes(NULL, size)
        if self.buffer == NULL:
            raise MemoryError
        self.base = <uint8_t *>PyBytes_AS_STRING(<object>self.buffer)
        self.size = size
        return 0

    cdef int reserve(self, Py_ssize_t count) except -1:
        """Make room for `count` octets before what is written."""
        cdef Py_ssize_t written = self.size - self.at
        cdef PyObject *old = self.buffer
        cdef const uint8_t *octets = self.base + self.at
        if count <= self.at:
            return 0
        if count > PY_SSIZE_T_MAX // 4 or written > PY_SSIZE_T_MAX // 4:
            raise MemoryError
        # A large piece is mostly a copy of all but the end: then twice the room would be wasted.
        self.allocate(written + count + (4096 if count > written else written))
        self.at = self.size - written
        memcpy(self.base + self.at, octets, written)
        Py_XDECREF(old)
        return 0

    cdef inline Py_ssize_t written(self) noexcept:
        """How many octets stand in the buffer."""
        return self.size - self.at

    cdef inline Py_ssize_t length(self) noexcept:
        """How long the encoding is so far, with what stands in files."""
        return self.size - self.at + self.elsewhere

    cdef int octets(self, const uint8_t *p, Py_ssize_t count) except -1:
        self.reserve(count)
        self.at -= count
        memcpy(self.base + self.at, p, count)
        return 0

    cdef int bytes_(self, bytes octets) except -1:
        return self.octets(<const uint8_t *><const char *>octets, len(octets))

    cdef inline int octet(self, uint8_t octet) except -1:
        if self.at == 0:
            self.reserve(1)
        self.at -= 1
        self.base[self.at] = octet
        return 0

    cdef int header(self, tag_t tag, Py_ssize_t length) except -1:
        """Identifier and length octets (X.690 8.1.2, 8.1.3, 10.1) before `length` octets of contents."""
        cdef uint64_t number = tag >> 3
        cdef uint8_t leading = <uint8_t>((tag & 7) << 5)
        cdef uint8_t more = 0
        cdef int count = 0
        if length < 0x80:
            self.octet(<uint8_t>length)
        else:
            while length:
                self.octet(<uint8_t>(length & 0xFF))
                length >>= 8
                count += 1
            self.octet(<uint8_t>(0x80 | count))
        if number < 31:
            return self.octet(leading | <uint8_t>number)
        while number or not more:
            self.octet(<uint8_t>(number & 0x7F) | more)
            number >>= 7
            more = 0x80
        return self.octet(leading | 0x1F)

    cdef bytes taken(self):
        """What was written; the writer is empty afterwards."""
        cdef Py_ssize_t written = self.size - self.at
        cdef PyObject *taken = self.buffer
        memmove(self.base, self.base + self.at, written)
        self.buffer = NULL
        self.at = self.size = 0
        resize_bytes(&taken, written)
        octets = <bytes>taken
        Py_XDECREF(taken)
        return octets


cdef object misfit(value, const Node *node, str remedy):
    """The error for a value of a wrong kind."""
    return _errors.ConstraintError(f"{type(value).__name__} is no value of {describe_node(node)}; {remedy}")


cdef struct WriteScope:        # the SEQUENCE around an open type, where its selector stands
    const Node *node
    PyObject *values            # a dict by field name, borrowed from the call that writes it


cdef int write_value(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write one element; `around` are the values of the SEQUENCE that it stands in, for open types."""
    if w.depth == 0:
        raise _errors.EncodeError("the value is nested too deeply, or in itself")
    cdef Py_ssize_t elsewhere = w.elsewhere
    w.depth -= 1
    if node.kind < KIND_SEQUENCE:
        write_one(w, node, value, around)
    else:
        # Code of a value may call the writer again: then it is Python's limit that keeps the C stack.
        enter_recursive_call(b" while a value is written")
        try:
            write_one(w, node, value, around)
        finally:
            leave_recursive_call()
        if node.rules != NULL:
            prove_rules(w, node, elsewhere)
    w.depth += 1
    return 0


cdef int prove_rules(Writer w, const Node *node, Py_ssize_t elsewhere) except -1:
    """Prove a value with parts that was just written, for the sake of its constraints."""
    if w.elsewhere == elsewhere:
        return leaf_check(w, node)
    # What stands in files is proved at the end.
    w.unproved = True
    return 0


cdef int write_one(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    cdef int kind = node.kind
    cdef Py_ssize_t before = w.length()
    cdef Py_ssize_t elsewhere = w.elsewhere
    cdef bint unproved = w.unproved
    if isinstance(value, View) and write_view(w, node, <View>value):
        return 0
    if isinstance(value, Kept) and (<Kept>value).start != NULL:
        return write_kept(w, node, <Kept>value)
    if is_choice(kind):
        return write_choice(w, node, value, around)
    if kind == KIND_ANY:
        return write_any(w, node, value)
    if kind == KIND_OPEN:
        return write_open(w, node, value, around)
    if kind < KIND_SEQUENCE:
        write_contents(w, node, value)
        w.header(node.tag, w.length() - before)
        return 0 if right_when_written(node) else leaf_check(w, node)
    w.level += 1
    note_height(w, 0)
    if kind == KIND_SEQUENCE or kind == KIND_SET:
        w.unproved = False
    if kind == KIND_EXPLICIT:
        write_value(w, node.element, value, around)
    elif kind == KIND_OPEN_OCTETS or kind == KIND_OPEN_BITS:
        write_open_string(w, node, value, around)
    elif kind == KIND_SEQUENCE:
        write_fields(w, node, value)
    elif kind == KIND_SET:
        write_members(w, node, value)
    else:
        write_list(w, node, value, around)
    w.level -= 1
    w.header(node.tag, w.length() - before)
    # The values said which types its fields select; now the octets do. What stands in files is proved at the end.
    if (kind == KIND_SEQUENCE or kind == KIND_SET) and w.elsewhere == elsewhere:
        if w.unproved:
            leaf_check(w, node)
        w.unproved = unproved
    return 0


cdef inline void note_height(Writer w, int levels) noexcept:
    """Note how deep elements nest where so many levels more were written."""
    if w.level + levels > w.height:
        w.height = w.level + levels


cdef inline bint right_when_written(const Node *node) noexcept nogil:
    """Types whose contents can only come out right, so that `leaf_check` would find nothing."""
    if node.rules != NULL:
        return False
    if node.kind == KIND_INTEGER or node.kind == KIND_NAMED_INTEGER:
        return not node.ranged
    return node.kind == KIND_UTC_TIME or node.kind == KIND_BOOLEAN or node.kind == KIND_OBJECT_IDENTIFIER


cdef int leaf_check(Writer w, const Node *node) except -1:
    """Let the check pass judge the element that was just written."""
    cdef Check c
    cdef Header h
    cdef const uint8_t *end = w.base + w.size
    check_begin(&c, &STRICT)
    if not check_element(&c, node, w.base + w.at, end, NULL, &h):
        raise written_error(fault_of(&c, w.base, end))
    note_height(w, DEPTH_LIMIT - c.lowest)
    return 0


cdef int write_kept(Writer w, const Node *node, Kept kept) except -1:
    """Copy a field that `replace` does not change; it stood under this tag and these constraints before."""
    w.octets(kept.start, kept.end - kept.start)
    if node.kind != KIND_UNION and not kept.source.loose():
        return 0
    w.unproved |= relative(node)
    return leaf_check(w, node)


cdef bint write_view(Writer w, const Node *node, View view) except -1:
    """Copy the octets of a decoded value of just this type; False where its type is another."""
    cdef const Node *own
    view.placed()
    own = &view.plan.node
    if is_choice(own.kind):
        if own.fields != node.fields:
            return False
        # The octets of a CHOICE are those of its alternative, tags included.
        w.octets(view.start, view.end - view.start)
        prove_copy(w, node, view, view.end - view.start)
        return True
    if own.kind != node.kind or own.fields != node.fields or (is_list(own.kind) and own.element != node.element):
        return False
    w.octets(view.content, view.end - view.content)
    w.header(node.tag, view.end - view.content)
    prove_copy(w, node, view, view.end - view.content)
    return True


cdef int prove_copy(Writer w, const Node *node, View view, Py_ssize_t count) except -1:
    """Count the octets just copied, if they need no further proof; else prove them.

    They need none that are of a buffer that cannot change, were proved strictly with the types that are registered now,
    and stand under no further constraint and under no other selector.
    """
    if relative(node):
        w.unproved = True
    elif view.source.fixed() and not view.source.loose() and view.source.registrations == registrations \
            and not node.constrained:
        w.copied += count
        note_height(w, view.source.height)
        return 0
    return leaf_check(w, node)


cdef bint relative(const Node *node) noexcept:
    """Whether what stands in an element may be of a type that a field of the SEQUENCE around selects."""
    # Types may hold themselves. Where the search ends early, the proof is made again, which is right if slow.
    cdef int steps = DEPTH_LIMIT
    return relative_within(node, &steps)


cdef bint relative_within(const Node *node, int *steps) noexcept:
    cdef Py_ssize_t i
    while is_list(node.kind) or node.kind == KIND_EXPLICIT:
        steps[0] -= 1
        if steps[0] < 0:
            return True
        node = node.element
    if is_choice(node.kind):
        for i in range(node.count):
            steps[0] -= 1
            if steps[0] < 0 or relative_within(node.fields[i].node, steps):
                return True
    return is_open(node.kind) and node.selector_length > 0


cdef int write_contents(Writer w, const Node *node, object value) except -1:
    """The contents octets of a primitive type."""
    cdef int kind = node.kind
    if is_integer(kind):
        return integer_encode(w, node, value)
    if kind == KIND_UTC_TIME or kind == KIND_GENERALIZED_TIME:
        return time_encode(w, node, value)
    if kind == KIND_BOOLEAN:
        if not isinstance(value, bool):
            raise misfit(value, node, "give True or False")
        return w.octet(0xFF if value else 0)
    if kind == KIND_OBJECT_IDENTIFIER:
        if isinstance(value, str):
            value = oid_of(value)
        if not isinstance(value, ObjectIdentifier):
            raise misfit(value, node, "give an ObjectIdentifier or its dotted form")
        return oid_encode(w, (<ObjectIdentifier>value)._known())
    if kind == KIND_OCTET_STRING:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise misfit(value, node, "give bytes")
        return w.bytes_(bytes(value))
    if kind == KIND_NULL:
        if value is not NULL_VALUE:
            raise misfit(value, node, "give derlib.NULL")
        return 0
    if kind == KIND_BIT_STRING:
        return bits_encode(w, node, value)
    if kind == KIND_NAMED_BITS:
        if isinstance(value, (list, tuple)):
            value = listed_bits(node, value)
        if not isinstance(value, int) or isinstance(value, bool) or exact_int(value) < 0:
            raise misfit(value, node, f"give {plan_of(node).name} members joined by |")
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
        if not value or len(value) != value.count("0") + value.count("1"):
            raise misfit(value, node, "a text of bits has zeros and ones")
        unused = (8 - len(value) % 8) % 8
        value = BitString((int(value, 2) << unused).to_bytes((len(value) + 7) // 8, "big"), unused)
    elif not isinstance(value, BitString):
        raise misfit(value, node, "give a BitString, bytes, or a text of zeros and ones")
    w.bytes_((<BitString>value).bytes)
    return w.octet(<uint8_t>(<BitString>value).unused_bits)


cdef object listed_members(Plan plan):
    """What a message says about the names that there are: the first of them."""
    names = list(plan.type.__members__)
    return f"it has {', '.join(names[:16])}{', ...' if len(names) > 16 else ''}"


cdef object listed_bits(const Node *node, object bits):
    """The number that stands for a list of named bits: names, and numbers of bits without one."""
    cdef Plan plan = plan_of(node)
    number = 0
    for bit in bits:
        if isinstance(bit, str):
            if bit not in plan.type.__members__:
                raise _errors.ConstraintError(f"{plan.name} has no bit {short_repr(bit)}; {listed_members(plan)}")
            number |= int(plan.type.__members__[bit])
        elif isinstance(bit, int) and not isinstance(bit, bool) and 0 <= bit < LISTED_BITS:
            number |= 1 << bit
        else:
            raise misfit(bit, node, f"list the names of bits, or their numbers below {LISTED_BITS}")
    return number


cdef object named_number(const Node *node, str name):
    """The number of an item of an enumeration."""
    cdef Plan plan = plan_of(node)
    member = plan.type.__members__.get(name)
    if member is None:
        raise _errors.ConstraintError(f"{plan.name} has no item {short_repr(name)}; {listed_members(plan)}")
    return int(member)


cdef inline object exact_int(value):
    """The number itself: a subclass of int may say anything of its sign and its octets."""
    return value if type(value) is int else int.__pos__(value)


cdef int integer_encode(Writer w, const Node *node, object value) except -1:
    # X.690 8.3.2: as few octets as keep the sign.
    cdef int overflow = 0
    cdef int64_t small
    cdef object number
    if isinstance(value, str) and node.kind != KIND_INTEGER:
        value = named_number(node, value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise misfit(value, node, "give an int")
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
        raise misfit(value, node, "give a str")
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
    if isinstance(value, str) and not utc:
        # The text form, for times that datetime cannot hold; the check judges it.
        return w.bytes_(value.encode("ascii", "replace"))
    if not PyDateTime_Check(value):
        raise misfit(value, node, "give an aware datetime")
    if datetime_tzinfo(value) is not UTC:
        value = exact_datetime(value)
        if value.utcoffset() is None:
            raise misfit(value, node, "give it a time zone: naive times mean nothing in DER")
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            raise _errors.ConstraintError(f"{value} in UTC is no date") from None
    t.year = datetime_year(value)
    t.month = datetime_month(value)
    t.day = datetime_day(value)
    t.hour = datetime_hour(value)
    t.minute = datetime_minute(value)
    t.second = datetime_second(value)
    microsecond = datetime_microsecond(value)
    if not is_moment(&t):
        # A datetime can be made from pickled octets that are no date.
        raise _errors.ConstraintError("the datetime is no date and time of the calendar")
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
