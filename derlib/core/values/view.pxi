# View: the base class of the values of constructed types. A view has a source, a plan and an element, and makes the
# values of its parts on access.
#
# Views are immutable. A cached value is set once, by compare-and-swap: if two threads make the same value at the same
# time, both return the first. A view refers to its source, its plan and cached parts, never to the view around it. So
# views cannot form a cycle, and their classes have no garbage collection (NO_GC in core/cpython.h).
#
# sequence_view.pxi, list_view.pxi and choice_view.pxi have the classes of views; attributes.pxi describes how
# `view.name` reads a field.

from cpython.ref cimport Py_INCREF, Py_XDECREF

ctypedef PyObject *cache_slot_t


cdef object cache_value(cache_slot_t *slot, object value):
    """Set a cache slot unless it is set; return the value in it."""
    Py_INCREF(value)
    if not set_if_null(<void **>slot, <void *>value):
        Py_XDECREF(<PyObject *>value)
        return <object>load_acquire(<void **>slot)
    return value


cdef enum:
    # The number of unknown additions, and of elements of a list, that a repr shows.
    FEW_SHOWN = 3


@cython.no_gc
cdef class View:
    """The base class of the values of all structures: decoding, position, encoding, comparison by encoding.

    >>> import derlib
    >>> isinstance(derlib.SequenceOf[int]([1]), derlib.View)
    True
    """
    cdef Source source
    cdef Plan plan
    cdef const uint8_t *outer       # the start of the outermost explicit tag around the element, or `start`
    cdef const uint8_t *start
    cdef const uint8_t *content
    cdef const uint8_t *end

    @property
    def __class__(self):
        """The class of this value. It cannot be set: the bytes were validated as a value of this class."""
        return type(self)

    @__class__.setter
    def __class__(self, cls):
        raise TypeError(f"the class of a {type(self).__name__} cannot be set: values are immutable; "
                        "decode its bytes as the other class")

    cdef int build(self, value) except -1:
        """Encode `value`, and make this a view of the result."""
        cdef Plan plan = <Plan?>type(self).__plan__
        cdef View built
        self.require_empty()
        built = built_value(plan, value)
        if not issubclass(type(self), type(built)):
            raise TypeError(f"the plan of {type(self).__name__} is that of {type(built).__name__}")
        # Code of the values, or another thread, may have called __init__ of this view.
        with cython.critical_section(self):
            self.require_empty()
            self.adopt(built)
        return 0

    cdef int require_empty(self) except -1:
        """Raise TypeError if this view has a value already: its cache would be wrong for another one."""
        if self.has_value() or self.is_in_parts():
            remedy = "build" if isinstance(self, ListView) else "replace() makes"
            raise TypeError(f"{type(self).__name__} values are immutable; {remedy} another one")
        return 0

    cdef int adopt(self, View other) except -1:
        """Take over the value of a view that nothing else refers to."""
        self.source = other.source
        self.plan = other.plan
        self.outer = other.outer
        self.content = other.content
        self.end = other.end
        # Set `start` last: a reader that sees it also sees the other members.
        store_release(<void **>&self.start, <void *>other.start)
        return 0

    cdef int require_value(self) except -1:
        """Raise TypeError if this view has no value, because only `__new__` made it; join its parts if necessary."""
        if not self.has_value():
            if not self.is_in_parts():
                raise TypeError(f"this {type(self).__name__} has no value: decode() and the constructor create values")
            self.join()
        return 0

    cdef inline bint is_in_parts(self) noexcept:
        """Return whether the encoding of this view is not one bytes object yet: see `view_from_keywords`."""
        return not FREE_THREADED and self.start == NULL and self.source is not None \
            and type(self.source.owner) is Writer

    cdef int join(self) except -1:
        """Make the bytes object of a view whose encoding is in parts, and make this a view of it."""
        cdef Header h
        self.source.join()
        if read_header(self.source.base, self.source.base + self.source.size, &h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        init_view(self, self.source, &self.plan.node, &h)
        return 0

    cdef inline bint has_value(self) noexcept:
        """Return whether the members are set; if so, this thread sees all of them."""
        return load_acquire(<void **>&self.start) != NULL

    cdef Header header(self) except *:
        """Return the header of this element, without explicit tags."""
        cdef Header h
        self.require_value()
        if reread_header(self.start, self.end, &h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        return h

    @classmethod
    def decode(cls, data, *, bint copy=True, tolerate=None, limits=None, rules="der", open_types=None):
        """Decode one value of this type that uses all of `data`.

        All bytes are validated, at every depth, before `decode` returns. After that, reading a field raises an error
        in two cases only: a time that `datetime` cannot represent (`UnrepresentableError`), and a buffer that changed
        although it was decoded with ``copy=False`` (`DecodeError`).

        Args:
            data: `bytes`, which are used in place, or another buffer (bytearray, memoryview, mmap, array), which is
                copied.
            copy: False uses a buffer in place instead of copying it. It must not change while a value uses it: if it
                does, values can be wrong and reading can raise an error, but nothing outside the buffer is read. An
                instance of a Python class, such as a subclass of `bytearray` or `mmap`, is always copied.
            tolerate: a `Deviation`, or several joined by ``|``. These faults are recorded in `deviations` of the
                result instead of raised. By default no fault is tolerated.
            limits: a `Limits` that replaces the default limits.
            rules: "der", or "ber" to accept any BER or CER encoding of the type. The input is converted to DER, and the
                value is decoded from it. `origin` of the value has the changes. See `derlib.ber.convert`.
            open_types: tables for open types of this value, by their paths, in place of those of the schema. See
                `derlib.with_open_types`.

        Returns:
            An immutable value of this class.

        Raises:
            DecodeError: `data` is not DER of this type. The error has the path, the offset and the clause.
            LimitError: `data` exceeds a limit.
            TypeError: an argument has the wrong type, for example a `str` as `data`.
            SchemaError: a path of `open_types` does not lead to an open type.

        >>> from derlib import Sequence
        >>> class Point(Sequence):
        ...     x: int
        ...     y: int
        >>> Point.decode(bytes.fromhex("3006020101020102"))
        Point(x=1, y=2)
        """
        cdef Header h
        cdef Plan plan = class_plan(cls if open_types is None else class_with_tables(cls, open_types))
        if rules != "der":
            return decode_ber(plan, data, tolerate, limits, rules)
        return decode_source(plan, source_with(data, copy, tolerate, limits, False), False, &h, 0)

    @classmethod
    def decode_prefix(cls, data, *, bint copy=True, tolerate=None, limits=None, rules="der", open_types=None):
        """Decode the value at the start of `data`, and return it with a memoryview of the bytes after it.

        The arguments and errors are those of `decode`, but bytes can follow the value.

        >>> from derlib import SequenceOf
        >>> value, rest = SequenceOf[int].decode_prefix(bytes.fromhex("3003020101" "0500"))
        >>> list(value), rest.hex()
        ([1], '0500')
        """
        cdef Plan plan = class_plan(cls if open_types is None else class_with_tables(cls, open_types))
        return decode_plan_prefix(plan, data, copy, tolerate, limits, 0, rules)

    @property
    def origin(self):
        """The `Converted` of an input that was decoded with ``rules="ber"``; None for any other value.

        >>> from derlib import SequenceOf
        >>> numbers = SequenceOf[int].decode(bytes.fromhex("3080 02012a 0000"), rules="ber")
        >>> numbers.origin.changes[0].kind, numbers.origin.origin(numbers.span(0).offset)
        ('length-indefinite', 2)
        """
        self.require_value()
        return origin_of(self.source)

    @property
    def deviations(self):
        """The tolerated faults in this element, as a tuple of `Tolerated` in the order of the input.

        After ``rules="ber"``, the offsets are those in the input, not in the DER that it was converted to.

        >>> from derlib import Deviation, Sequence
        >>> class Flagged(Sequence):
        ...     flag: bool
        >>> Flagged.decode(bytes.fromhex("3003010101"), tolerate=Deviation.BOOLEAN_TRUE).deviations[0].path
        ('flag',)
        """
        self.require_value()
        return deviations_in(self.source, self, self.outer, self.end)

    @property
    def der(self):
        """The bytes of this element in the input, as a read-only memoryview.

        If the field has an IMPLICIT tag, they start with that tag; `encode` returns the tag of the class instead.
        """
        cdef Header h = self.tagged()
        return memory_of(self.source, h.start, self.end)

    cdef Header tagged(self) except *:
        """Return the header of this element, or of the explicit tag of its class."""
        cdef Header h = self.header()
        cdef const uint8_t *p = self.outer
        cdef Plan plan = own_plan(self)
        if plan.node.kind == KIND_EXPLICIT:
            # The innermost explicit tag belongs to the class, those around it to the field.
            while reread_header(p, self.end, &h) == FAULT_NONE and h.content < self.start:
                p = h.content
        return h

    def encode(self):
        """Return the encoding of this value as `bytes`, which `decode` of its class accepts.

        It is DER, or for a value with `deviations` the bytes as they were decoded. If the value is the whole input, the
        `bytes` object that was decoded is returned without a copy.

        >>> from derlib import SequenceOf
        >>> SequenceOf[int].decode(bytes.fromhex("3003020101")).encode().hex()
        '3003020101'
        """
        cdef Header h = self.header()
        cdef Plan plan = own_plan(self)
        cdef list outer = []
        cdef bint has_own_tag
        cdef Writer w
        if plan.node.kind == KIND_EXPLICIT:
            # Copy the tag of the class as it was decoded: a length form of it may have been tolerated.
            h = self.tagged()
            if h.tag == plan.node.tag and h.content <= self.start:
                return octets_between(self.source, h.start, self.end)
            h = self.header()
        while plan.node.kind == KIND_EXPLICIT:
            outer.append(plan.node.tag)
            plan = plan_of(plan.node.element)
        has_own_tag = plan.node.tag == NO_TAG or plan.node.tag == h.tag
        if has_own_tag and not outer:
            return octets_between(self.source, self.start, self.end)
        w = Writer()
        if has_own_tag:
            w.octets(self.start, self.end - self.start)
        else:
            w.element(plan.node.tag, self.content, self.end - self.content)
        for tag in reversed(outer):
            w.header(tag, w.written())
        return w.taken()

    def __bytes__(self):
        """Return the encoding, as `encode` does."""
        return self.encode()

    def __dir__(self):
        # Not the names of the core and of the compiler, which `dir` of the class leaves out.
        return dir(type(self))

    def _repr_html_(self):
        """Return this value as HTML: Jupyter shows it as a tree whose parts can be closed."""
        from derlib import _pretty
        return _pretty.html(self)

    def __rich_repr__(self):
        """Yield the parts of this value for the library rich."""
        from derlib import _pretty
        return _pretty.rich_parts(self)

    def to_native(self, *, bint names=False):
        """Return this value as plain Python data: dict, list, int, str, bytes, datetime, bool.

        `from_native` builds the value again. The page docs/native-and-json.md lists the conversion of each type. The
        elements of a list of 256 or more are converted when you access them.

        Args:
            names: True writes the usual names of OBJECT IDENTIFIERs in place of their dotted forms, and an attribute
                as ``{"commonName": "Example"}``. `from_native` reads both forms, and "id-at-commonName".

        >>> from derlib import ObjectIdentifier, Sequence
        >>> class Item(Sequence):
        ...     kind: ObjectIdentifier
        ...     data: bytes
        ...     urgent: bool = False
        >>> Item(kind=ObjectIdentifier("2.999.1"), data=b"\\x01").to_native()
        {'kind': '2.999.1', 'data': b'\\x01', 'urgent': False}
        """
        return native_of(self, False, names)

    @classmethod
    def from_native(cls, native):
        """Build a value of this type from plain data: the result of `to_native`, or anything the constructor accepts.

        An OBJECT IDENTIFIER can also be given by its name, as `to_native` writes it with ``names=True``.

        Raises:
            ConstraintError: a value has the wrong type or violates a constraint, or a field is missing or unknown. The
                error has the path.
            EncodeError: the data are nested too deeply.

        >>> from derlib import SequenceOf
        >>> SequenceOf[int].from_native([1, 2]).encode().hex()
        '3006020101020102'
        """
        return build_plan(class_plan(cls), native, True)

    def to_json(self, *, indent=None, bint names=False):
        """Return this value as JSON text (RFC 8259), from which `from_json` builds the value again.

        Args:
            indent: as in `json.dumps`; None writes a single line.
            names: True writes the names of OBJECT IDENTIFIERs, as in `to_native`. `from_json` reads both forms.

        >>> from derlib import SequenceOf
        >>> SequenceOf[bytes]([b"ab", b""]).to_json()
        '["6162", ""]'
        """
        from derlib import json
        return json.encode(self, indent=indent, names=names)

    @classmethod
    def from_json(cls, text):
        """Build a value of this type from JSON text. The type determines how each JSON value is read.

        Raises:
            ConstraintError: the text is not JSON, repeats a name or is nested too deeply, or a value in it has the
                wrong type or violates a constraint. The error has the path.

        >>> from derlib import SequenceOf
        >>> SequenceOf[bytes].from_json('["6162", ""]')[0]
        b'ab'
        """
        from derlib.json import decode_plan
        return decode_plan(class_plan(cls), text)

    def span(self, *path, bint outer=False):
        """Return the position of this element, or of the element at `path` inside it, in the decoded input.

        A path through an element of a list walks the element again at each call. For many spans in one element, get the
        element first, and call its `span`.

        Args:
            path: field names and indexes, as in `DecodeError.path`; a string can have several, as in
                ``"entries[3].name"``. A negative index counts from the end. Without a path: this element.
            outer: True includes the explicit tags around the element at `path`.

        Returns:
            A `Span`, or None if the element is absent (OPTIONAL, or equal to its DEFAULT).

        Raises:
            KeyError: the class has no field or alternative with this name.
            IndexError: the list has no element with this index.

        >>> from derlib import SequenceOf
        >>> SequenceOf[int].decode(bytes.fromhex("3006020101020102")).span(1)
        Span(offset=5, header_length=2, content_length=1)
        """
        cdef Header h
        cdef Source source = find_part(self, path, outer, &h)
        return None if source is None else span_new(source, &h)

    def raw(self, *path):
        """Return the contents octets of this element, or of the element at `path` inside it.

        For example, this is the text of a time that `datetime` cannot represent.

        Args:
            path: field names and indexes, as in `span`.

        Returns:
            A read-only memoryview, or None if the element is absent.

        Raises:
            KeyError: the class has no field or alternative with this name.
            IndexError: the list has no element with this index.

        >>> from derlib import SequenceOf
        >>> SequenceOf[str].decode(bytes.fromhex("30060c0161" "0c0162")).raw(1).hex()
        '62'
        """
        cdef Header h
        cdef Source source = find_part(self, path, False, &h)
        return None if source is None else memory_of(source, h.content, h.end)

    def replace_at(self, path, value):
        """Return a new value of this class with another value at a path.

        Everything else is copied. In particular, a signature is copied, and is not that of the new value.

        Args:
            path: a string such as ``"entries[3].name"``, or a tuple of names and indexes, as for `span`.
            value: the new value of this part; None removes an OPTIONAL field.

        Raises:
            KeyError: the part does not exist, or the part around it is absent.
            IndexError: the list has no element with this index.
            ConstraintError: as for `replace`. The path of the error starts at this value.

        >>> from derlib import Sequence, SequenceOf
        >>> class Point(Sequence):
        ...     x: int
        ...     y: int
        >>> points = SequenceOf[Point]([Point(x=1, y=2), Point(x=3, y=4)])
        >>> points.replace_at("[1].y", 5)
        SequenceOf[Point]([Point(x=1, y=2), Point(x=3, y=5)])
        """
        self.require_value()
        return replaced_at(self, parsed_path(path), value)

    # Each class of views overrides these methods. A View itself never has a value.

    cdef bint _has_step(self, step) except -1:
        """Return whether the part is present, with the error of `_find_step`; a default value is."""
        return True

    cdef object _with_step(self, step, value, bint as_view):
        """Return this view with another value of a part; unless `as_view`, it can be data for the writer."""
        raise AssertionError

    cdef bint _find_step(self, step, bint outer, Header *h) except -1:
        """Set `h` to the field or element `step`; return False if it is absent."""
        return self.require_value()

    cdef object _step_value(self, step):
        """Return the value of the field or element `step`, which is present."""

    cdef object _part_value(self, Py_ssize_t index, const Header *h):
        """Return the value of the field or element with this number, at `h`, explicit tags included."""

    cdef bytes _comparable(self):
        """Return the octets that values of one class are compared by: the contents, without any IMPLICIT tag."""
        self.require_value()
        return (<const char *>self.content)[:self.end - self.content]

    def __eq__(self, other):
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        if (<View>self)._comparable() != (<View>other)._comparable():
            return False
        # DER has one header for these contents, but a tolerated length form is another, which `<` distinguishes.
        if (<View>self).source.has_nonstandard_options() or (<View>other).source.has_nonstandard_options():
            return self.encode() == other.encode()
        return True

    def __hash__(self):
        return hash((type(self), self._comparable()))

    # Equality, hash and order follow from `encode`: values with different encodings differ, even if all of their fields
    # are equal. The order is that of a SET OF (X.690 11.6).

    def __lt__(self, other):
        return self.encode() < (<View>other).encode() if type(self) is type(other) else NotImplemented

    def __le__(self, other):
        return self.encode() <= (<View>other).encode() if type(self) is type(other) else NotImplemented

    def __gt__(self, other):
        return self.encode() > (<View>other).encode() if type(self) is type(other) else NotImplemented

    def __ge__(self, other):
        return self.encode() >= (<View>other).encode() if type(self) is type(other) else NotImplemented

    def __reduce_ex__(self, protocol):
        """Pickle the class and the octets; loading validates them again.

        From protocol 5 on, the octets are a `PickleBuffer`, which a pickler can pass on without a copy.
        """
        return reduced_view(self, protocol)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


cdef inline void init_view(View view, Source source, const Node *node, const Header *h) noexcept:
    """Set the members of a new view."""
    view.source = source
    view.plan = <Plan>node.plan
    view.outer = h.start
    view.start = h.start
    view.content = h.content
    view.end = h.end
