# Checks of Python arguments that several types share.

from cpython.unicode cimport PyUnicode_FromObject

cdef inline object exact_int(value):
    """Return an int with the value of `value`; a subclass of int may override its sign and its bytes."""
    return value if type(value) is int else int.__pos__(value)


cdef inline str exact_text(value):
    """Return a str with the text of `value`; methods of a subclass of str may return anything."""
    return value if type(value) is str else PyUnicode_FromObject(value)


cdef bytes contents_given(value, str what):
    """Return the bytes of the buffer from which a `what` is made.

    bytes() would also accept a list, and would make that many zero bytes of any object that has `__index__`.
    """
    if type(value) is bytes:
        return value
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"expected bytes for {what}, got {type(value).__name__}") from None
