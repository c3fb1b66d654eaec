# `Converted`: the result of a conversion of BER, with the positions of its input. conversion.pxi makes it.

@cython.final
@cython.no_gc
cdef class Converted:
    """The DER that BER was converted to, with all changes and their positions: the result of `derlib.ber.convert`.

    >>> from derlib import SequenceOf, ber
    >>> converted = ber.convert(bytes.fromhex("3080 010101 0000"), SequenceOf[bool])
    >>> converted.der.hex(" ")
    '30 03 01 01 ff'
    >>> [(change.kind, change.path) for change in converted.changes]
    [('length-indefinite', ()), ('boolean-true', (0,))]
    """
    cdef Source source              # the output
    cdef ConversionLog log
    cdef Plan plan
    cdef Header h                   # of the value in the output
    cdef object error               # of the strict check, which `value` raises; or None

    def __init__(self):
        raise TypeError("derlib.ber.convert(data) creates Converted values")

    cdef int require_value(self) except -1:
        """Raise TypeError if this Converted was made by `__new__` alone."""
        if self.source is None:
            raise TypeError("this Converted has no conversion: derlib.ber.convert(data) creates Converted values")
        return 0

    @property
    def der(self):
        """The DER, as `bytes`. If the input was `bytes` that are DER, this is the same object."""
        self.require_value()
        return octets_between(self.source, self.h.start, self.h.end)

    @property
    def value(self):
        """The decoded value of the type, or a `TLV` if no type was given.

        Raises:
            DecodeError: a kept element is not DER.
        """
        self.require_value()
        if self.error is not None:
            # A new one: the traceback of the stored one would refer to this object, which is not garbage-collected.
            raise type(self.error)(*self.error.args)
        return make_value(self.source, &self.plan.node, &self.h, NULL)

    @property
    def consumed(self):
        """The number of bytes of the input that were converted."""
        self.require_value()
        return self.log.consumed

    @property
    def changes(self):
        """All changes in the order of the input, as a sequence of `Change`; empty if the input is DER."""
        self.require_value()
        return changes_of(self)

    @property
    def kept(self):
        """The elements that were copied unchanged, as a tuple of `Kept`.

        If the input is DER, they are looked for when this is read, in time linear in the input.
        """
        self.require_value()
        return kept_of(self, kept_in_der(self) if self.log.is_of_der else self.log)

    @property
    def ambiguous(self):
        """The positions in the input of elements that may be strings in segments, as a tuple of `Span`.

        An element with a tag that is not universal, whose elements are all OCTET STRINGs or all BIT STRINGs, can be a
        string with an IMPLICIT tag. Only a type decides. Without one, such an element remains constructed.
        """
        cdef AmbiguousElement *element
        cdef Py_ssize_t i
        cdef list found = []
        self.require_value()
        for i in range(self.log.ambiguous.count):
            element = <AmbiguousElement *>self.log.ambiguous.items + i
            found.append(Span(element.start, element.header, element.end - element.start - element.header))
        return tuple(found)

    def origin(self, offset):
        """Return the offset in the input of the byte at `offset` of `der`.

        For a byte that was inserted, this is the offset of the bytes that it replaced. The end of `der` is the end of
        the input.

        Raises:
            IndexError: `der` has no such offset.

        >>> from derlib import ber
        >>> ber.convert(bytes.fromhex("3080 0500 0000")).origin(3)
        3
        """
        cdef Py_ssize_t length = self.h.end - self.h.start
        cdef Py_ssize_t at = PyNumber_AsSsize_t(offset, IndexError)
        self.require_value()
        if not 0 <= at <= length:
            raise IndexError(f"offset {at} is outside of the DER, which has {length} bytes")
        return self.log.consumed if at == length else self.log.origin(at)

    def destination(self, offset):
        """Return the offset in `der` of the byte at `offset` of the input.

        For a byte that was dropped, this is the offset of what replaced it, or of the byte that follows.

        Raises:
            IndexError: the input has no such offset, or it is after the converted element.

        >>> from derlib import ber
        >>> ber.convert(bytes.fromhex("308106 048103 616263")).destination(6)
        4
        """
        cdef Py_ssize_t at = PyNumber_AsSsize_t(offset, IndexError)
        self.require_value()
        if not 0 <= at <= self.log.consumed:
            raise IndexError(f"offset {at} is outside of the converted input, which has {self.log.consumed} bytes")
        return self.log.destination(at)

    def __repr__(self):
        changes = len(self.changes)
        return f"<Converted: {self.log.consumed} bytes of BER to {self.h.end - self.h.start} bytes of DER, " \
            f"{changes} change{'' if changes == 1 else 's'}>"


cdef object origin_of(Source source):
    """Return the `Converted` of the input that a source belongs to, or None."""
    cdef Converted converted
    if source.whole is not None:
        source = source.whole
    if source.extra is None or source.extra.conversion is None:
        return None
    converted = Converted.__new__(Converted)
    converted.source = source
    converted.log = source.extra.conversion
    converted.plan = converted.log.plan
    if reread_header(source.base, source.base + source.size, &converted.h):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return converted
