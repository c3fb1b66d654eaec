# RELATIVE-OID (X.680 33, X.690 8.20) and its Python value, `RelativeOID`.
#
# X.690 8.20.2 has the same subidentifiers as an OBJECT IDENTIFIER (8.19.2), but the first one holds one arc, not two.


@cython.final
@cython.no_gc
cdef class RelativeOID:
    """RelativeOID(value)
--

    A RELATIVE-OID (X.680 33, X.690 8.20): the last arcs of an object identifier; immutable, hashable, ordered.

    Args:
        value: the dotted form ``"8571.3"``, an iterable of arcs, or another `RelativeOID`.

    Raises:
        EncodeError: `value` is not a relative object identifier, or an arc exceeds 3500 bits. (Decoding and encoding
            accept arcs of up to 140 bits by default: see `Limits`.)

    >>> from derlib import ObjectIdentifier, RelativeOID
    >>> RelativeOID("8571.3").under(ObjectIdentifier("1.3.6.1.4.1"))
    ObjectIdentifier('1.3.6.1.4.1.8571.3')
    """
    cdef readonly bytes content
    """The contents octets of its encoding."""

    def __init__(self, value):
        cdef bytes contents
        with cython.critical_section(self):
            self._require_unset()
        if isinstance(value, RelativeOID):
            contents = (<RelativeOID>value).content
        else:
            arcs = dotted_arcs(value, "RELATIVE-OID") if isinstance(value, str) else list(value)
            if not arcs:
                raise _errors.EncodeError("a RELATIVE-OID has at least one arc (X.680 33.3)")
            # With the arcs 0.0 before it, which take one octet, it is an OBJECT IDENTIFIER.
            contents = oid_contents([0, 0, *arcs])[1:]
        # The code of an arc, or another thread, may have called this method in the meantime.
        with cython.critical_section(self):
            self._require_unset()
            self.content = contents

    cdef int _require_unset(self) except -1:
        if self.content is not None:
            raise TypeError("a RelativeOID is immutable")
        return 0

    # `binding=True` so that it pickles by its qualified name; it has no `self` to check.
    @cython.binding(True)
    @staticmethod
    def from_content(content):
        """Return the relative object identifier with these contents octets.

        Raises:
            DecodeError: the contents octets violate X.690 8.20.
            TypeError: `content` is not a buffer.
        """
        cdef bytes octets = contents_given(content, "RelativeOID")
        cdef int fault = oid_check(<const uint8_t *><const char *>octets, len(octets), ARC_OCTETS_MOST)
        if fault:
            raise fault_error(fault, octets)
        return relative_oid_new(octets)

    @property
    def arcs(self):
        """The arcs as a tuple of ints."""
        return tuple(oid_arcs(b"\0" + self._require_set())[2:])

    @property
    def dotted(self):
        """The dotted decimal form."""
        return dotted_form(self.arcs)

    def under(self, root):
        """Return the object identifier of these arcs under `root`, an `ObjectIdentifier` or its dotted form."""
        return oid_new((<ObjectIdentifier>ObjectIdentifier(root))._require_set() + self._require_set())

    cdef bytes _require_set(self):
        if self.content is None:
            raise TypeError("this RelativeOID was made without a value")
        return self.content

    def __str__(self):
        return self.dotted

    def __repr__(self):
        return f"RelativeOID({dotted_repr(self.dotted)})"

    def __hash__(self):
        return hash((RelativeOID, self._require_set()))

    def __richcmp__(self, other, int op):
        if not isinstance(other, RelativeOID):
            return NotImplemented
        # As in `arcs`, both have the arcs 0.0 before them.
        return compared_oids(
            b"\0" + (<RelativeOID>self)._require_set(), b"\0" + (<RelativeOID>other)._require_set(), op)

    def __reduce__(self):
        return RelativeOID, (self.dotted,)


cdef inline RelativeOID relative_oid_new(bytes contents):
    cdef RelativeOID value = RelativeOID.__new__(RelativeOID)
    value.content = contents
    return value


cdef object relative_oid_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    return relative_oid_new((<const char *>p)[:n])


cdef int relative_oid_encode(Writer w, const Node *node, object value) except -1:
    """Write a RelativeOID or its dotted form."""
    if isinstance(value, str):
        try:
            value = RelativeOID(value)
        except _errors.EncodeError as error:
            raise _errors.ConstraintError(str(error)) from None
    if not isinstance(value, RelativeOID):
        raise wrong_type("RelativeOID or str", node, value)
    return w.bytes_((<RelativeOID>value)._require_set())


cdef object relative_oid_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    return relative_oid_new((<const char *>p)[:n]).dotted


TYPES[<int>KIND_RELATIVE_OID] = TypeInfo(
    0, oid_validate, relative_oid_decode, relative_oid_encode, relative_oid_native, NULL)
