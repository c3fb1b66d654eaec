# The writer of constructed types: SEQUENCE, SET, and lists.
#
# Values of a SEQUENCE or SET are a mapping from field names; of a list, an iterable. A view of just the right type was
# copied before we get here.

from cpython.dict cimport PyDict_Copy, PyDict_GetItemWithError, PyDict_Next, PyDict_Size
from cpython.tuple cimport PyTuple_GET_ITEM

from collections.abc import Iterable as _Iterable, Mapping as _Mapping


cdef bint is_mapping(value) except -1:
    """Whether a value is a mapping; what values mostly are is told without asking the abstract class.

    That is asked by itself: of several classes in one call Cython does not look whether one of Python raised.
    """
    if isinstance(value, dict):
        return True
    if type(value) is list or type(value) is str or type(value) is bytes or type(value) is int \
            or type(value) is ObjectIdentifier or PyDateTime_Check(value):
        return False
    return isinstance(value, _Mapping)


cdef bint lists_elements(value) except -1:
    """Whether a value stands for the elements of a list."""
    # The usual lists first: to ask the abstract classes takes longer than to write a short list.
    if type(value) is list or type(value) is tuple:
        return True
    return not isinstance(value, (str, bytes)) and not is_mapping(value) and isinstance(value, _Iterable)


cdef object field_error(object error, step):
    """Add a step to the path of an error that is on its way out."""
    error.path = (step, *error.path)
    return error


cdef inline dict unshared(dict values):
    """A dict that no other thread changes meanwhile."""
    return PyDict_Copy(values) if FREE_THREADED else values


cdef dict field_mapping(const Node *node, object value):
    """The values of a SEQUENCE or SET by field name, in a dict that no other thread changes."""
    if isinstance(value, dict):
        return unshared(<dict>value)
    if isinstance(value, View) or not is_mapping(value):
        raise wrong_type(value, node, f"give {plan_of(node).name}(...) or a dict of its fields")
    return dict(value)


cdef int write_field(Writer w, const Node *node, Py_ssize_t index, dict values) except -1:
    """Write one field, unless it is left out; return whether `values` name it."""
    cdef const Component *field = &node.components[index]
    cdef str name = <str>(<tuple>plan_of(node).names)[index]
    cdef Py_ssize_t before = w.written()
    cdef PyObject *found = PyDict_GetItemWithError(values, name)
    # A reference of our own: writing may run code of the value, and that may change the dict.
    cdef object value = None if found == NULL else <object>found
    cdef WriteScope scope
    if value is None:
        if field.optional:
            return found != NULL
        raise missing_error(node, values)
    scope.node = node
    scope.values = <PyObject *>values
    try:
        write_value(w, field.node, value, &scope)
    except _errors.ConstraintError as error:
        raise field_error(error, name)
    leave_out_default(w, field, before)
    return True


cdef inline void leave_out_default(Writer w, const Component *field, Py_ssize_t before) noexcept:
    """X.690 11.5: a component equal to its default is not encoded. There were so many octets before it was written."""
    if field.default != NULL and w.written() - before == field.default_length \
            and memcmp(w.base + w.at, field.default, field.default_length) == 0:
        w.at = w.size - before


cdef object missing_error(const Node *node, dict values):
    """The error for a field without a value: a name that no field has is the likelier cause."""
    cdef Plan plan = plan_of(node)
    cdef Py_ssize_t i = 0
    if any([name not in plan.names and name != ADDITIONS for name in values]):
        return unknown_error(plan, values)
    while i < node.component_count - 1 and (node.components[i].optional or values.get(plan.names[i]) is not None):
        i += 1
    return field_error(_errors.ConstraintError(f"{describe_node(node.components[i].node)} is missing"), plan.names[i])


cdef object unknown_error(Plan plan, dict values):
    unknown = [name for name in values if name not in plan.names and name != ADDITIONS]
    if not unknown:
        # Code of a value ran meanwhile and took others away.
        return _errors.ConstraintError(f"the values for {plan.name} changed while they were written")
    return _errors.ConstraintError(f"{plan.name} has no field {short_repr(unknown[0])}; it has {', '.join(plan.names)}")


cdef int all_named(const Node *node, dict values, Py_ssize_t named) except -1:
    """Refuse values that no field has a name for."""
    if named == PyDict_Size(values):
        return 0
    if named != len(values) - (ADDITIONS in values):
        raise unknown_error(plan_of(node), values)
    return 0


cdef enum:
    # SEQUENCEs with more fields go the general way; few have as many.
    MAX_COLLECTED = 32
    # Nearly all have no more than these.
    GATHERED_FEW = 8


cdef inline bint can_collect(const Node *node) noexcept nogil:
    return node.component_count <= MAX_COLLECTED and not node.extensible


cdef inline void clear_gathered(PyObject **found, Py_ssize_t count) noexcept nogil:
    """Clear the first `count` of the MAX_COLLECTED places for values.

    Both sizes are constants, so the compiler needs no call of memset, and no check of its size at run time.
    """
    if count <= GATHERED_FEW:
        memset(found, 0, sizeof(PyObject *) * GATHERED_FEW)
    else:
        memset(found, 0, sizeof(PyObject *) * MAX_COLLECTED)


cdef Py_ssize_t collect_fields(const Node *node, dict values, PyObject **found) except -1:
    """Find the values of all fields, with a reference to each, where there are any; return how many are named.

    Code of a value may change the dict while the others are written, and code of a strange key while they are found.
    What was found stays.
    """
    cdef tuple names = <tuple>plan_of(node).names
    cdef PyObject *name
    cdef PyObject *value
    cdef PyObject *before
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t named = 0
    cdef Py_ssize_t i = 0
    # Mostly the fields stand in their order, under the very names that the plan has. Code of nobody runs here.
    while PyDict_Next(values, &place, &name, &value):
        while i < node.component_count and <PyObject *>PyTuple_GET_ITEM(names, i) != name:
            i += 1
        if i == node.component_count:
            break
        Py_INCREF(<object>value)
        found[i] = value
        named += 1
        i += 1
    if named == PyDict_Size(values):
        return named
    named = 0
    for i in range(node.component_count):
        value = PyDict_GetItemWithError(values, <object>PyTuple_GET_ITEM(names, i))
        if value != NULL:
            Py_INCREF(<object>value)
            named += 1
        before = found[i]
        found[i] = value
        Py_XDECREF(before)
    return named


cdef Py_ssize_t write_collected(Writer w, const Node *node, PyObject **found, const WriteScope *scope) except -2:
    """Write the fields of a SEQUENCE, the last first; return the number of one that is missing, else -1."""
    cdef const Component *field
    cdef Py_ssize_t before
    cdef Py_ssize_t i = node.component_count
    try:
        while i > 0:
            i -= 1
            field = &node.components[i]
            if found[i] == NULL or found[i] == <PyObject *>None:
                if not field.optional:
                    return i
                continue
            before = w.written()
            if field.node.kind >= KIND_SEQUENCE or not write_short(w, field.node, field.identifier, found[i]):
                write_value(w, field.node, <object>found[i], scope)
            leave_out_default(w, field, before)
    except _errors.ConstraintError as error:
        raise field_error(error, plan_of(node).names[i])
    return -1


cdef int write_fields(Writer w, const Node *node, object value) except -1:
    cdef dict values = field_mapping(node, value)
    cdef (PyObject *)[MAX_COLLECTED] found
    cdef WriteScope scope
    cdef Py_ssize_t named
    cdef Py_ssize_t i
    if not can_collect(node):
        return write_each_field(w, node, values)
    clear_gathered(found, node.component_count)
    scope.node = node
    scope.values = <PyObject *>values
    try:
        named = collect_fields(node, values, found)
        if named < PyDict_Size(values) and ADDITIONS in values:
            write_additions(w, node, values)
        if write_collected(w, node, found, &scope) >= 0:
            raise missing_error(node, values)
    finally:
        for i in range(node.component_count):
            Py_XDECREF(found[i])
    return all_named(node, values, named)


cdef int write_each_field(Writer w, const Node *node, dict values) except -1:
    cdef Py_ssize_t i
    cdef Py_ssize_t named = 0
    cdef Py_ssize_t behind = node.insertion if node.extensible else node.component_count
    for i in range(node.component_count - 1, behind - 1, -1):
        named += write_field(w, node, i, values)
    if ADDITIONS in values:
        write_additions(w, node, values)
    for i in range(behind - 1, -1, -1):
        named += write_field(w, node, i, values)
    return all_named(node, values, named)


cdef int write_members(Writer w, const Node *node, object value) except -1:
    """X.690 10.3: in the order of the tags that stand there."""
    cdef dict values = field_mapping(node, value)
    cdef Header h
    cdef Py_ssize_t i
    cdef Py_ssize_t before
    cdef Py_ssize_t named = 0
    cdef list members = []
    cdef list additions = listed_additions(node, values)
    cdef Py_ssize_t list_files = list_file_count(w)
    # Two of them may have one tag.
    w.selector_changed |= len(additions) > 1
    for i in range(node.component_count + len(additions)):
        before = w.written()
        if i < node.component_count:
            named += write_field(w, node, i, values)
        else:
            write_addition(w, node, additions[i - node.component_count])
        if list_file_count(w) != list_files:
            # A EncodedListFile is noted by its place, and members change theirs.
            raise misplaced_list_file()
        if w.written() > before:
            if read_header(w.base + w.at, w.base + w.size, &h):
                raise fault_error(FAULT_BUFFER_CHANGED, b"")
            members.append((canonical_key(h.tag), (<const char *>(w.base + w.at))[:w.written() - before]))
            w.at += w.written() - before
    # Not by `sorted`: CPython 3.11 loses the list where there is no memory to copy it.
    members.sort(reverse=True)
    for _, octets in members:
        w.bytes_(octets)
    return all_named(node, values, named)


cdef int write_list(Writer w, const Node *node, object value, const WriteScope *around) except -1:
    cdef Py_ssize_t i
    cdef Py_ssize_t before
    cdef Py_ssize_t list_files = list_file_count(w)
    cdef list encodings = None
    if isinstance(value, EncodedListFile):
        return write_encoded_list(w, node, <EncodedListFile>value)
    if not lists_elements(value):
        raise wrong_type(value, node, "give a list of its elements")
    # A tuple of our own: code that runs while its elements are written cannot make it shorter.
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
                encodings.append((<const char *>(w.base + w.at))[:w.written() - before])
                w.at += w.written() - before
    except _errors.ConstraintError as error:
        raise field_error(error, i)
    # X.690 11.6: a SET OF in ascending order, so the greatest is written first.
    if encodings is not None:
        if list_file_count(w) != list_files:
            raise misplaced_list_file()
        encodings.sort(reverse=True)
        for octets in encodings:
            w.bytes_(octets)
    if node.sized and size_check(node, len(elements)):
        raise wrong_size(node, len(elements))
    return 0


cdef object wrong_size(const Node *node, Py_ssize_t count):
    name = plan_of(node).name
    return _errors.ConstraintError(f"{name} has {count} elements, outside SIZE ({describe_bounds(node, True)})")
