# Encoding SEQUENCE OF and SET OF. Their values are iterables of elements.


cdef bint lists_elements(value) except -1:
    """Return whether a value is an iterable of elements."""
    # Common types first: the test of an abstract class takes longer than writing a short list.
    if type(value) is list or type(value) is tuple:
        return True
    return not isinstance(value, (str, bytes)) and not is_mapping(value) and isinstance(value, _Iterable)


cdef int write_list(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    """Write the contents of a list, the last element first."""
    cdef Py_ssize_t i
    cdef Py_ssize_t before
    cdef Py_ssize_t list_files = list_file_count(w)
    cdef list encodings = None
    if isinstance(value, EncodedListFile):
        return write_encoded_list(w, node, <EncodedListFile>value)
    if not lists_elements(value):
        raise wrong_type("list", node, value)
    # A new tuple: code of an element cannot change its length.
    cdef tuple elements = tuple(value)
    if node.kind == KIND_SET_OF:
        encodings = []
    i = len(elements)
    try:
        while i > 0:
            i -= 1
            before = w.written()
            write_value(w, node.element, elements[i], around)
            if encodings is not None:
                w.join(before)
                encodings.append((<const char *>(w.base + w.at))[:w.written() - before])
                w.at += w.written() - before
    except _errors.ConstraintError as error:
        raise field_error(error, i)
    # X.690 11.6: ascending order. The writer goes backwards, so the greatest comes first.
    if encodings is not None:
        if list_file_count(w) != list_files:
            raise misplaced_list_file()
        encodings.sort(reverse=True)
        for octets in encodings:
            w.bytes_(octets)
    if node.sized and size_fault(node, len(elements)):
        raise wrong_size(node, len(elements))
    return 0


cdef object wrong_size(const Node *node, Py_ssize_t count):
    """Return the error for a list whose number of elements violates its SIZE."""
    name = plan_of(node).name
    return _errors.ConstraintError(f"{name} has {count} elements, outside SIZE ({describe_bounds(node, True)})")
