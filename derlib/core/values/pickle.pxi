# Pickles of views: the class, the encoding, and the options that it was decoded with. There are no Python values in a
# pickle, so it is as small as the DER, and protocol 5 does not even copy the encoding. `restore` decodes it again.
#
# The names `restore`, `parse_again` (tlv.pxi) and `restore_lookup` (lookup.pxi) are part of every pickle.

cdef extern from "Python.h":
    object PyPickleBuffer_FromObject(object buffer)


cdef tuple reduced_view(View view, protocol):
    """Return the result of `View.__reduce_ex__`."""
    cdef Header h = view.tagged()
    cdef Plan plan = own_plan(view)
    cdef object octets
    if plan.node.tag != NO_TAG and plan.node.tag != h.tag:
        # An implicit tag of a field; `restore` expects the tag of the class.
        octets = view.encode()
    elif protocol >= 5:
        octets = PyPickleBuffer_FromObject(memory_of(view.source, h.start, view.end))
    else:
        octets = octets_between(view.source, h.start, view.end)
    return restore, (type(view), octets, *options_for(view.source, h.start, view.end))


cdef tuple options_for(Source source, const uint8_t *start, const uint8_t *end):
    """Return the arguments that `restore` needs to accept an element again: none, or `tolerate` and `limits`."""
    first, last = entries_in(source, start, end)
    tolerate = _options.Deviation(source.options().tolerated) if last > first else None
    if tolerate is None and source.limits() is None:
        return ()
    return tolerate, source.limits()


# With binding, pickling a reference to this function takes 2 % fewer instructions (row crl: pickle.dumps).
@cython.binding(True)
def restore(cls, octets, tolerate=None, limits=None):
    """Return the value of a pickle: decode the octets as the class, with the same options as before.

    Raises:
        DecodeError, LimitError: the octets are not DER of the class: the pickle is damaged, or the schema has changed.
    """
    if not (isinstance(cls, type) and issubclass(cls, View) and hasattr(cls, "__plan__")):
        raise TypeError(f"{cls!r} is not a schema class")
    return decode_plan(cls.__plan__, octets, True, tolerate, limits)


def options_of(View value not None):
    """Return the deviations and the `Limits` that a value was decoded with, each None if the caller passed none.

    The value inside a string, which `derlib._contents` decodes later, has the same options.
    """
    value.require_value()
    cdef uint64_t tolerated = value.source.options().tolerated
    return _options.Deviation(tolerated) if tolerated else None, value.source.limits()
