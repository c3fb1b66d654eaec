# Encoding lists that are too long for memory. `derlib.encode_to` encodes their elements into a file, some at a time; an
# EncodedListFile represents the list in the value around it.


@cython.final
cdef class EncodedListFile:
    """The encoded contents of a list in a file, which `derlib.encode_to` puts into a value."""
    cdef readonly object file
    cdef readonly Py_ssize_t length
    cdef readonly Py_ssize_t count
    cdef readonly int max_depth         # the deepest nesting of an element

    def __cinit__(self, file, Py_ssize_t length, Py_ssize_t count, int max_depth):
        if not (0 <= length <= PY_SSIZE_T_MAX // 4 and 0 <= count <= length and 0 <= max_depth):
            raise ValueError("the length, count and depth of an EncodedListFile are not those of encoded elements")
        self.file = file
        self.length = length
        self.count = count
        self.max_depth = max_depth


cdef int write_encoded_list(Writer w, const Node *node, EncodedListFile list_file) except -1:
    """Record where the contents of a list in a file belong in the output."""
    if node.kind != KIND_SEQUENCE_OF:
        raise _errors.EncodeError(f"{plan_of(node).name} cannot be streamed: a SET OF is sorted as a whole")
    if node.sized and size_fault(node, list_file.count):
        raise wrong_size(node, list_file.count)
    if w.list_files is None:
        w.list_files = []
    note_depth(w, list_file.max_depth)
    w.list_files.append((w.written(), list_file))
    w.bytes_in_files += list_file.length
    return 0


cdef inline Py_ssize_t list_file_count(Writer w) except -1:
    """Return the number of lists in files so far."""
    return 0 if w.list_files is None else len(w.list_files)


cdef object misplaced_list_file():
    """Return the error for an EncodedListFile where its contents cannot be inserted."""
    return _errors.EncodeError(
        "an EncodedListFile is for derlib.encode_to only, and cannot be in a SET, a SET OF or another streamed list")


def encode_elements(Plan plan not None, list elements not None):
    """Return the concatenated encodings of some elements of a list, and their greatest nesting depth.

    Raises:
        TypeError: the plan is not that of a list.
    """
    cdef Writer w = Writer()
    cdef Py_ssize_t i
    # A new tuple: code of an element cannot change its length.
    cdef tuple values = tuple(elements)
    plan.prepared()
    if not is_list(plan.node.kind):
        raise TypeError(f"expected the plan of a list, got that of {plan.name}")
    for i in range(len(values) - 1, -1, -1):
        try:
            write_value(w, plan.node.element, values[i], NULL)
        except _errors.ConstraintError as error:
            raise field_error(error, i)
    if w.list_files is not None:
        raise misplaced_list_file()
    return w.taken(), w.max_depth


def encode_pieces(Plan plan not None, value):
    """Return the encoding of a value as a list of bytes and EncodedListFiles, and whether it is known to be valid.

    If not, it needs `check_written`, because selectors and the depth limit extend across the lists in files.
    """
    cdef Writer w = written_by(plan, value, True)
    cdef Py_ssize_t end = 0
    cdef Py_ssize_t written
    cdef list pieces = []
    for written, list_file in w.list_files or ():
        # The writer goes backwards, so positions count from the end.
        pieces.append((<const char *>(w.base + w.size - written))[:written - end])
        pieces.append(list_file)
        end = written
    pieces.append((<const char *>(w.base + w.at))[:w.written() - end])
    pieces.reverse()
    return pieces, not w.bytes_in_files or (not w.selector_changed and w.max_depth <= DEPTH_LIMIT)
