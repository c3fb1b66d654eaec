# The writer of lists too long for memory: `derlib.encode_to` encodes their elements piece by piece into a file, and a
# EncodedListFile stands for them in the value around.


@cython.final
cdef class EncodedListFile:
    """The contents of a list that were encoded before and stand in a file; `derlib.encode_to` puts it into a value."""
    cdef readonly object file
    cdef readonly Py_ssize_t length
    cdef readonly Py_ssize_t count
    cdef readonly int max_depth        # how deep the elements nest, at most

    def __cinit__(self, file, Py_ssize_t length, Py_ssize_t count, int max_depth):
        if not (0 <= length <= PY_SSIZE_T_MAX // 4 and 0 <= count <= length and 0 <= max_depth):
            raise ValueError("the length, count and height of a EncodedListFile are not those of encoded elements")
        self.file = file
        self.length = length
        self.count = count
        self.max_depth = max_depth


cdef int write_encoded_list(Writer w, const Node *node, EncodedListFile list_file) except -1:
    """Note where the contents of a list belong that stand in a file."""
    if node.kind != KIND_SEQUENCE_OF:
        raise _errors.EncodeError(f"{plan_of(node).name} cannot be streamed: a SET OF is sorted as a whole")
    if node.sized and size_check(node, list_file.count):
        raise wrong_size(node, list_file.count)
    if w.list_files is None:
        w.list_files = []
    note_depth(w, list_file.max_depth)
    w.list_files.append((w.written(), list_file))
    w.bytes_in_files += list_file.length
    return 0


cdef inline Py_ssize_t list_file_count(Writer w) except -1:
    """Return how many Spools were written."""
    return 0 if w.list_files is None else len(w.list_files)


cdef object misplaced_list_file():
    return _errors.EncodeError("an EncodedListFile is for derlib.encode_to, and not for parts that are sorted or streamed")


def encode_elements(Plan plan not None, list elements not None):
    """The encodings of some elements of a list, one after the other without the list around them; and how deep.

    Raises:
        TypeError: the plan is not that of a list.
    """
    cdef Writer w = Writer()
    cdef Py_ssize_t i
    # A tuple of our own: code that runs while its elements are written cannot make it shorter.
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
    """The encoding of a value that holds EncodedListFiles: a list of bytes and EncodedListFiles in their order, and whether it is proved.

    What depends on fields around a EncodedListFile, and how deep all nests, only a check of the whole can say.
    """
    cdef Writer w = written_by(plan, value, True)
    cdef Py_ssize_t end = 0
    cdef Py_ssize_t written
    cdef list pieces = []
    for written, list_file in w.list_files or ():
        # Positions count from the end, where writing began.
        pieces.append((<const char *>(w.base + w.size - written))[:written - end])
        pieces.append(list_file)
        end = written
    pieces.append((<const char *>(w.base + w.at))[:w.written() - end])
    pieces.reverse()
    return pieces, not w.bytes_in_files or (not w.selector_changed and w.max_depth <= DEPTH_LIMIT)
