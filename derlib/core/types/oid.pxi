# OBJECT IDENTIFIER (X.690 8.19) and its Python value, `ObjectIdentifier`.

from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject_RichCompare, Py_EQ, Py_NE
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_DecodeASCII

from derlib import oids as _oids

cdef enum:
    # The decimal digits of an arc of ARC_OCTETS_MOST octets: it has 3,500 bits.
    ARC_DIGITS_MOST = 1054


cdef inline int oid_check(const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    cdef Py_ssize_t i
    cdef Py_ssize_t arc = 0     # the index of the first octet of the arc that octet i is in
    if n < 1:
        return FAULT_OID_EMPTY
    for i in range(n):
        # X.690 8.19.2: the leading octet of a subidentifier is not 80.
        if p[i] < 0x80:
            arc = i + 1
        elif i == arc and p[i] == 0x80:
            return FAULT_OID_NOT_MINIMAL
        elif unlikely(i - arc >= arc_octets - 1):
            return FAULT_OID_ARC_LIMIT
    if arc != n:
        return FAULT_OID_UNFINISHED
    return FAULT_NONE


cdef int oid_validate(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil:
    return oid_check(p, n, arc_octets)


cdef list oid_arcs(bytes contents):
    """Return the arcs of validated contents octets; the first subidentifier holds two (X.690 8.19.4)."""
    cdef list arcs = []
    cdef object value = 0
    cdef uint64_t small = 0
    cdef int count = 0
    cdef uint8_t octet
    for octet in contents:
        # Nine octets fill 63 bits; only longer arcs need Python integers.
        if count < 9:
            small = small << 7 | (octet & 0x7F)
            count += 1
            value = None
            if octet < 0x80:
                value = small
        else:
            value = (small if count == 9 else value) << 7 | (octet & 0x7F)
            count = 10
            small = 0
        if count == 9 and octet >= 0x80:
            value = small
        if octet < 0x80:
            if arcs:
                arcs.append(value)
            else:
                root = min(value // 40, 2)
                arcs.append(root)
                arcs.append(value - 40 * root)
            small = 0
            count = 0
            value = 0
    return arcs


# An arc may have 1,054 digits. `sys.set_int_max_str_digits` may limit conversions to 640 digits, so longer arcs are
# converted in two parts.
cdef object ARC_PART = 10 ** 600


cdef str dotted_form(arcs):
    cdef list digits = []
    for arc in arcs:
        digits.append(str(arc) if arc < ARC_PART else f"{arc // ARC_PART}{arc % ARC_PART:0600d}")
    return ".".join(digits)


cdef object dotted_text(bytes contents):
    """Return the dotted form of validated contents octets.

    `write_dotted` is for arcs of up to 63 bits, `dotted_form` for longer ones. Gain: 90 % of `ObjectIdentifier.dotted`.
    """
    cdef char[4 * SHORT_CONTENTS] text
    cdef Py_ssize_t length = write_dotted(<const uint8_t *><const char *>contents, len(contents), text)
    return PyUnicode_DecodeASCII(text, length, NULL) if length else dotted_form(oid_arcs(contents))


cdef Py_ssize_t write_dotted(const uint8_t *p, Py_ssize_t n, char *text) noexcept nogil:
    """Write the dotted form of contents octets with short arcs into 4 * SHORT_CONTENTS characters.

    Return the number of characters, 0 for other contents octets.
    """
    cdef char[24] digits
    cdef Py_ssize_t length = 0
    cdef uint64_t arc = 0
    cdef uint64_t root
    cdef int count = 0
    cdef int written
    cdef Py_ssize_t i
    if n > SHORT_CONTENTS:
        return 0
    for i in range(n):
        if count == SHORT_ARC_OCTETS:
            return 0
        arc = arc << 7 | (p[i] & 0x7F)
        count += 1
        if p[i] >= 0x80:
            continue
        if length == 0:
            root = arc // 40 if arc < 80 else 2
            text[0] = <char>(c"0" + root)
            length = 1
            arc -= 40 * root
        text[length] = c"."
        length += 1
        written = 0
        while True:
            digits[written] = <char>(c"0" + arc % 10)
            written += 1
            arc //= 10
            if arc == 0:
                break
        while written > 0:
            written -= 1
            text[length] = digits[written]
            length += 1
        count = 0
    return length


cdef object long_arc_error():
    """Return the error for an arc that is too long for `ObjectIdentifier` and `RelativeOID`."""
    return _errors.EncodeError(f"an arc exceeds the limit of {7 * ARC_OCTETS_MOST} bits")


cdef object number_of_digits(str digits):
    """Return the decimal digits of an arc as a number."""
    cdef Py_ssize_t split = len(digits) - 600
    if len(digits) > ARC_DIGITS_MOST:
        raise long_arc_error()
    if split <= 0:
        return int(digits)
    return int(digits[:split]) * ARC_PART + int(digits[split:])


cdef bytes oid_contents(arcs):
    """Return the contents octets of arcs (X.690 8.19); raise `EncodeError` if they are not an object identifier."""
    cdef bytearray octets = bytearray()
    cdef list numbers = []
    for arc in arcs:
        # Not `int`, which would drop a fraction, and accept texts such as "1_0".
        numbers.append(exact_int(PyNumber_Index(arc)))
    if len(numbers) < 2:
        raise _errors.EncodeError("an OBJECT IDENTIFIER has at least two arcs (X.690 8.19.3)")
    # X.690 8.19.4: root arcs are 0 to 2; under 0 and 1 the second arc is at most 39.
    if not 0 <= numbers[0] <= 2 or (numbers[0] < 2 and numbers[1] > 39) or min(numbers) < 0:
        raise _errors.EncodeError(
            "the first two arcs of an OBJECT IDENTIFIER are 0.0 to 0.39, 1.0 to 1.39 or 2.n (X.690 8.19.4)"
        )
    numbers[0:2] = [40 * numbers[0] + numbers[1]]
    for number in numbers:
        if number.bit_length() > 7 * ARC_OCTETS_MOST:
            raise long_arc_error()
        group = [number & 0x7F]
        number >>= 7
        while number:
            group.append(0x80 | (number & 0x7F))
            number >>= 7
        octets.extend(reversed(group))
    return bytes(octets)


cdef enum:
    # The longest arc that fits 63 bits, in octets and in digits, and the octets that `short_contents` writes at most.
    SHORT_ARC_OCTETS = 9
    SHORT_ARC_DIGITS = 18
    SHORT_CONTENTS = 128


cdef bytes short_contents(str text):
    """Return the contents octets of a dotted form with short arcs, or None.

    `oid_contents` is for all other texts, and raises the errors. Measured gain: 95 % of `ObjectIdentifier(text)`.
    """
    cdef uint8_t[SHORT_CONTENTS] octets
    cdef Py_ssize_t length = read_short_arcs(<PyObject *>text, octets)
    return (<const char *>octets)[:length] if length else None


cdef Py_ssize_t read_short_arcs(PyObject *text, uint8_t *octets) noexcept:
    """Read a dotted form with short arcs into SHORT_CONTENTS octets; return the number of octets, 0 for other texts."""
    cdef Py_ssize_t length = 0
    cdef Py_ssize_t n = 0
    cdef Py_ssize_t i = 0
    cdef Py_ssize_t start
    cdef Py_ssize_t arcs = 0
    cdef uint64_t root = 0
    cdef uint64_t arc
    cdef int shift
    cdef const uint8_t *p = ascii_of(text, &n)
    if p == NULL:
        return 0
    while True:
        arc = 0
        start = i
        while i < n and c"0" <= p[i] <= c"9" and i - start < SHORT_ARC_DIGITS:
            arc = 10 * arc + (p[i] - c"0")
            i += 1
        if i == start or (p[start] == c"0" and i > start + 1) or (i < n and p[i] != c"."):
            return 0
        arcs += 1
        if arcs == 1:
            root = arc
        else:
            # X.690 8.19.4: the first subidentifier holds the first two arcs.
            if arcs == 2:
                if root > 2 or (root < 2 and arc > 39):
                    return 0
                arc += 40 * root
            if length > SHORT_CONTENTS - SHORT_ARC_OCTETS:
                return 0
            shift = 7
            while arc >> shift:
                shift += 7
            while shift > 7:
                shift -= 7
                octets[length] = <uint8_t>(0x80 | (arc >> shift & 0x7F))
                length += 1
            octets[length] = <uint8_t>(arc & 0x7F)
            length += 1
        if i == n:
            break
        i += 1
    return length if arcs > 1 else 0


cdef bytes dotted_contents(value):
    """Return the contents octets of a dotted form; raise `EncodeError` if it is not one."""
    cdef str text = exact_text(value)
    cdef bytes contents = short_contents(text)
    return oid_contents(dotted_arcs(text, "OBJECT IDENTIFIER")) if contents is None else contents


cdef list dotted_arcs(value, str name):
    """Return the arcs of a dotted text."""
    cdef str text = exact_text(value)
    cdef list arcs = []
    for part in text.split("."):
        # `int` would also accept signs, underscores and the digits of other scripts.
        if not (part.isascii() and part.isdigit()) or (part[0] == "0" and part != "0"):
            raise _errors.EncodeError(f"{_brief.brief(text)} is not a dotted {name}{number_of_name(text)}")
        arcs.append(number_of_digits(part))
    return arcs


cdef str dotted_or_name(str text):
    """Return the dotted form for a registered name; return any other text unchanged."""
    cdef object dotted = None if text[:1].isdigit() else _oids.find_oid(text)
    return text if dotted is None else dotted


cdef str number_of_name(str text):
    """Return a hint for a message if the text is a registered name, else an empty text."""
    cdef str dotted = dotted_or_name(text)
    return "" if dotted is text else f"; it is the name of {dotted}"


cdef object compared_oids(bytes a, bytes b, int op):
    """Compare contents octets of object identifiers; their order is that of the arcs."""
    if op == Py_EQ or op == Py_NE:
        return PyObject_RichCompare(a, b, op)
    return PyObject_RichCompare(oid_arcs(a), oid_arcs(b), op)


cdef object dotted_repr(str dotted):
    """Return the repr of a dotted form; a long one is cut, with the number of its arcs."""
    return repr(dotted) if len(dotted) <= 256 else f"{dotted[:256]!r}... {dotted.count('.') + 1} arcs"


@cython.final
@cython.no_gc
cdef class ObjectIdentifier:
    """ObjectIdentifier(value)
--

    An OBJECT IDENTIFIER (X.680 32, X.690 8.19): immutable, hashable, ordered by arcs.

    Args:
        value: the dotted form ``"1.2.840.113549"``, an iterable of arcs, or another `ObjectIdentifier`.

    Raises:
        EncodeError: `value` is not an object identifier, or an arc exceeds 3500 bits. (Decoding and encoding accept
            arcs of up to 140 bits by default: see `Limits`.)

    >>> from derlib import ObjectIdentifier
    >>> oid = ObjectIdentifier("1.2.840.113549.1.1.11")
    >>> oid.name, str(oid), oid.arcs[:3]
    ('sha256WithRSAEncryption', '1.2.840.113549.1.1.11', (1, 2, 840))
    """
    cdef readonly bytes content
    """The contents octets of its encoding."""

    def __init__(self, value):
        cdef bytes contents
        with cython.critical_section(self):
            self._require_unset()
        if isinstance(value, ObjectIdentifier):
            contents = (<ObjectIdentifier>value).content
        else:
            contents = dotted_contents(value) if isinstance(value, str) else oid_contents(value)
        # The code of an arc, or another thread, may have called this method in the meantime.
        with cython.critical_section(self):
            self._require_unset()
            self.content = contents

    cdef int _require_unset(self) except -1:
        if self.content is not None:
            raise TypeError("an ObjectIdentifier is immutable")
        return 0

    # `binding=True` so that it pickles by its qualified name; it has no `self` to check.
    @cython.binding(True)
    @staticmethod
    def from_content(content):
        """Return the object identifier with these contents octets.

        Raises:
            DecodeError: the contents octets violate X.690 8.19.
            TypeError: `content` is not a buffer.

        >>> from derlib import ObjectIdentifier
        >>> ObjectIdentifier.from_content(bytes.fromhex("2a0304")).dotted
        '1.2.3.4'
        """
        cdef bytes octets = contents_given(content, "ObjectIdentifier")
        cdef int fault = oid_check(<const uint8_t *><const char *>octets, len(octets), ARC_OCTETS_MOST)
        if fault:
            raise fault_error(fault, octets)
        return oid_new(octets)

    @property
    def arcs(self):
        """The arcs as a tuple of ints."""
        return tuple(oid_arcs(self._require_set()))

    @property
    def dotted(self):
        """The dotted decimal form."""
        return dotted_text(self._require_set())

    @property
    def name(self):
        """The registered name (see `derlib.oids`), or the dotted form if it has none."""
        return _oids.name_of(self.dotted)

    cdef bytes _require_set(self):
        if self.content is None:
            raise TypeError("this ObjectIdentifier was made without a value")
        return self.content

    def __str__(self):
        return self.dotted

    def __repr__(self):
        name = self.name
        dotted = self.dotted
        return f"ObjectIdentifier({dotted_repr(dotted)}{'' if name == dotted else ', ' + name})"

    def __hash__(self):
        return hash(self._require_set())

    def __richcmp__(self, other, int op):
        if not isinstance(other, ObjectIdentifier):
            return NotImplemented
        return compared_oids((<ObjectIdentifier>self)._require_set(), (<ObjectIdentifier>other)._require_set(), op)

    def __reduce__(self):
        return ObjectIdentifier, (self.dotted,)


cdef inline ObjectIdentifier oid_new(bytes contents):
    cdef ObjectIdentifier value = ObjectIdentifier.__new__(ObjectIdentifier)
    value.content = contents
    return value


cdef enum:
    RECENT_OIDS = 256
    # The contents octets of an object identifier that is kept.
    RECENT_OID_OCTETS = 16

# Object identifiers that were read before, each at eight bits of its hash. A few of them make up most of an input, and
# they are immutable, so a value can be used again. Not without the GIL: threads that read the same object would wait
# for each other to change its reference count. Gain: 53 % of iterating over a list of them.
cdef (PyObject *)[RECENT_OIDS] recent_oids
memset(recent_oids, 0, sizeof(recent_oids))


cdef object oid_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    cdef ObjectIdentifier value
    cdef PyObject **place
    cdef PyObject *former
    if FREE_THREADED or n > RECENT_OID_OCTETS:
        return oid_new((<const char *>p)[:n])
    place = &recent_oids[oid_hash(p, n) >> 56]
    if place[0] != NULL:
        value = <ObjectIdentifier>place[0]
        if len(value.content) == n and memcmp(<const char *>value.content, p, n) == 0:
            return value
    value = oid_new((<const char *>p)[:n])
    Py_INCREF(value)
    former = place[0]
    place[0] = <PyObject *>value
    Py_XDECREF(former)
    return value


cdef int oid_encode(Writer w, const Node *node, object value) except -1:
    """Write an ObjectIdentifier or its dotted form."""
    cdef bytes contents
    if isinstance(value, str):
        try:
            value = oid_new(dotted_contents(value))
        except _errors.EncodeError as error:
            raise _errors.ConstraintError(str(error)) from None
    if not isinstance(value, ObjectIdentifier):
        raise wrong_type("ObjectIdentifier or str", node, value)
    contents = (<ObjectIdentifier>value)._require_set()
    if len(contents) > ARC_OCTETS_LIMIT \
            and oid_check(<const uint8_t *><const char *>contents, len(contents), ARC_OCTETS_LIMIT):
        raise _errors.EncodeError(f"an arc of an OBJECT IDENTIFIER has more than {7 * ARC_OCTETS_LIMIT} bits, the "
                                  "default limit of decoding")
    return w.bytes_(contents)


cdef const uint8_t *octets_of_oid(PyObject *value, uint8_t *room, Py_ssize_t *n) noexcept:
    """Return the contents octets of an ObjectIdentifier, or of a dotted form with short arcs; NULL for other values.

    `room` has SHORT_CONTENTS octets, for those of a dotted form.
    """
    cdef PyObject *content
    if is_text(value):
        n[0] = read_short_arcs(value, room)
        return room if n[0] else NULL
    if type(<object>value) is not ObjectIdentifier:
        return NULL
    content = <PyObject *>(<ObjectIdentifier>value).content
    if not is_bytes(content):
        return NULL
    n[0] = count_in(content)
    return octets_in(content)


cdef bint oid_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    cdef uint8_t[SHORT_CONTENTS] room
    cdef Py_ssize_t n = 0
    cdef const uint8_t *p = octets_of_oid(value, room, &n)
    # A longer encoding may have an arc beyond the limit.
    if p == NULL or (p != room and n > ARC_OCTETS_LIMIT):
        return False
    w.element(node.tag, p, n)
    return True


cdef object oid_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    return dotted_text((<const char *>p)[:n])


TYPES[<int>KIND_OBJECT_IDENTIFIER] = TypeInfo(
    TYPE_ENCODES_VALID, oid_validate, oid_decode, oid_encode, oid_native, oid_encode_fast)
