# The writer of text that is not ASCII: contents octets straight from the characters of a str.
#
# A str proper is never changed, and has its characters as one, two or four octets each. A first walk counts the octets
# that they take and looks for what no encoding has, a second writes; what is written needs no check.


cdef bint write_text(Writer w, const Node *node, PyObject *value) except -1:
    """Write an element of UTF8String whose value is a str proper; False where nothing was written."""
    cdef Py_ssize_t n
    if not is_text(value):
        return False
    # X.680 51.5.3: SIZE counts characters.
    if node.sized and size_check(node, characters(value)):
        return False
    n = utf8_length_of(value)
    if n < 0:
        return False
    w.room(n)
    utf8_write(value, w.base + w.at)
    w.header(node.tag, n)
    return True
