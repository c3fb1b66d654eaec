# Encoding SEQUENCE and SET. Their values are mappings from field names to values; `write_view` copies views.

from cpython.dict cimport PyDict_Copy, PyDict_Next, PyDict_Size
from cpython.tuple cimport PyTuple_GET_ITEM

from collections.abc import Iterable as _Iterable, Mapping as _Mapping

cdef enum:
    # A SEQUENCE with more fields, which is rare, is written by `write_each_field`.
    MAX_COLLECTED = 32
    # Most SEQUENCE types have at most this number of fields.
    FEW_COLLECTED = 8


cdef bint is_mapping(value) except -1:
    """Return whether a value is a mapping."""
    # Common types first, because the test of an abstract class is slow.
    if isinstance(value, dict):
        return True
    if type(value) is list or type(value) is str or type(value) is bytes or type(value) is int \
            or type(value) is ObjectIdentifier or PyDateTime_Check(value):
        return False
    # Test one class per call: with several, Cython ignores an exception that one of them raises.
    return isinstance(value, _Mapping)


cdef object field_error(object error, step):
    """Add a step to the front of the path of an error, and return the error."""
    error.path = (step, *error.path)
    return error


cdef inline dict unshared(dict values):
    """Return a dict that no other thread can change."""
    return PyDict_Copy(values) if FREE_THREADED else values


cdef dict field_mapping(const Node *node, object value):
    """Return the values of a SEQUENCE or SET by field name, in a dict that no other thread can change."""
    if isinstance(value, dict):
        return unshared(<dict>value)
    if isinstance(value, View) or not is_mapping(value):
        raise wrong_type(f"{plan_of(node).name} or dict", node, value)
    return dict(value)


cdef int write_field(Writer w, const Node *node, Py_ssize_t index, dict values) except -1:
    """Write one field, or nothing if it is absent; return whether `values` names it."""
    cdef const Component *field = &node.components[index]
    cdef str name = <str>(<tuple>plan_of(node).names)[index]
    cdef Py_ssize_t before = w.written()
    cdef PyObject *found = PyDict_GetItemWithError(values, name)
    # Take a reference: code of the value may change the dict.
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
        raise selector_error(node, index, values, w.names) or field_error(error, name)
    leave_out_default(w, field, before)
    return True


cdef inline int leave_out_default(Writer w, const Component *field, Py_ssize_t before) except -1:
    """Discard the component written after the first `before` octets if it equals its DEFAULT value (X.690 11.5)."""
    if field.default == NULL:
        return 0
    if unlikely(field.default_length >= SCRATCH):
        w.join(before)
    if w.written() - before == field.default_length \
            and memcmp(w.base + w.at, field.default, field.default_length) == 0:
        w.at = w.size - before
    return 0


cdef object missing_error(const Node *node, dict values):
    """Return the error for a field without a value; or for an unknown name, which is the likelier mistake."""
    cdef Plan plan = plan_of(node)
    cdef Py_ssize_t i = 0
    error = unknown_error(plan, values)
    if error is not None:
        return error
    while i < node.component_count - 1 and (node.components[i].optional or values.get(plan.names[i]) is not None):
        i += 1
    return missing_field_error(plan, i)


cdef object missing_field_error(Plan plan, Py_ssize_t index):
    """Return the error for a component without a value."""
    error = _errors.ConstraintError(f"missing field ({describe_node(plan.node.components[index].node)})")
    return field_error(error, plan.names[index])


cdef object selector_error(const Node *node, Py_ssize_t index, dict values, bint names):
    """Return the error of a selector of component `index`, which explains an error in the component; else None.

    An unknown name may be a misspelt selector. `values` is None if no component depends on a selector.
    """
    cdef Plan plan = plan_of(node)
    cdef const Node *selected = node.components[index].node
    cdef Py_ssize_t i
    if values is None or not depends_on_selector(selected):
        return None
    error = unknown_error(plan, values)
    if error is not None:
        return error
    for i in range(node.component_count):
        if i == index or not depends_on_selector(selected, i):
            continue
        value = values.get(plan.names[i])
        if value is not None:
            try:
                written_by(plan.plans[i], value, False, names)
            except _errors.ConstraintError as invalid:
                return field_error(invalid, plan.names[i])
        elif not node.components[i].optional:
            return missing_field_error(plan, i)
    return None


def error_of_selectors(Plan plan not None, Py_ssize_t index, dict values not None):
    """Return the error of the plain data that selects the type of a component, or None if it has none."""
    plan.prepared()
    if not 0 <= index < plan.node.component_count:
        raise IndexError(f"{plan.name} has no component {index}")
    return selector_error(&plan.node, index, values, False)


cdef object unknown_error(Plan plan, dict values):
    """Return the error for the first name that is not a field, or None if all are fields."""
    for name in values:
        if name not in plan.names and name != ADDITIONS:
            return _errors.ConstraintError(
                f"{plan.name} has no field {short_repr(name)}; {remedy_for_part(name, plan)}")
    return None


cdef int require_all_named(const Node *node, dict values, Py_ssize_t named) except -1:
    """Raise an error if `values` has more names than the `named` ones that are fields."""
    if named == PyDict_Size(values):
        return 0
    if named != len(values) - (ADDITIONS in values):
        # If there is no unknown name, code of a value has removed it since the names were counted.
        raise unknown_error(plan_of(node), values) or _errors.ConstraintError(
            f"the values for {plan_of(node).name} changed while they were being encoded")
    return 0


cdef inline bint can_collect(const Node *node) noexcept nogil:
    """Return whether the values of a SEQUENCE can be collected in an array before they are written."""
    return node.component_count <= MAX_COLLECTED and not node.extensible


cdef inline void clear_collected(PyObject **found, Py_ssize_t count) noexcept nogil:
    """Clear at least the first `count` of MAX_COLLECTED pointers; gcc inlines `memset` of a constant size."""
    if count <= FEW_COLLECTED:
        memset(found, 0, sizeof(PyObject *) * FEW_COLLECTED)
    else:
        memset(found, 0, sizeof(PyObject *) * MAX_COLLECTED)


cdef inline Py_ssize_t find_name(PyObject **names, Py_ssize_t count, Py_ssize_t i, PyObject *name) noexcept:
    """Return the index of a name among `count` names, `count` if it is not there.

    Names usually come in the order of the fields, so `i`, the index after the previous name, is tried first, inline.
    """
    return i if i < count and is_name(name, names[i]) else search_name(names, count, name)


cdef Py_ssize_t search_name(PyObject **names, Py_ssize_t count, PyObject *name) noexcept:
    """Search a name; only an exact str can match, so no code of `name` runs."""
    cdef Py_ssize_t i
    for i in range(count):
        if is_name(name, names[i]):
            return i
    return count


cdef Py_ssize_t collect_fields(const Node *node, dict values, PyObject **found) except -1:
    """Store the values of all fields in `found`, which is all NULL, and return the number of fields that are named.

    `found` has new references, because code of a value, or of an unusual key, may change the dict. The first loop
    handles names in the order of the fields, by identity; with `find_name`, it would cost 2 % of the instructions of
    "crl: encode every entry anew".
    """
    cdef tuple names = <tuple>plan_of(node).names
    cdef PyObject *name
    cdef PyObject *value
    cdef PyObject *before
    cdef Py_ssize_t position = 0
    cdef Py_ssize_t named = 0
    cdef Py_ssize_t i = 0
    while PyDict_Next(values, &position, &name, &value):
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
    """Write the fields of a SEQUENCE, the last first; return the index of a missing field, or -1."""
    cdef const Component *field
    cdef dict values = None
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
        if scope != NULL:
            values = <dict>scope.values
        raise selector_error(node, i, values, w.names) or field_error(error, plan_of(node).names[i])
    return -1


cdef bint write_uncopied(Writer w, const Node *node, object value) except -1:
    """Write the fields of a dict that other threads may change, without the copy that `field_mapping` makes.

    Return False, with nothing written, if the copy is necessary: a name is unknown or missing, or a field depends on a
    selector, which would be read from the dict again.
    """
    cdef Plan plan = plan_of(node)
    cdef (PyObject *)[MAX_COLLECTED] found
    cdef Py_ssize_t i
    if type(value) is not dict or not load_flag(&plan.complete) \
            or not (load_flag(&plan.from_keywords) or builds_from_keywords(plan)):
        return False
    clear_collected(found, node.component_count)
    try:
        if not find_fields(node, <PyObject *>value, found):
            return False
        for i in range(node.component_count):
            if (found[i] == NULL or found[i] == <PyObject *>None) and not node.components[i].optional:
                return False
        write_collected(w, node, found, NULL)
        return True
    finally:
        for i in range(node.component_count):
            Py_XDECREF(found[i])


cdef dict pair_by_field(Plan plan, dict values):
    """Return the fields of a SEQUENCE that may be given as {name: value}: see `is_named_pair`."""
    if PyDict_Size(values) != 1:
        return values
    [(name, value)] = dict.items(values)
    if not isinstance(name, str) or exact_text(name) in plan.names:
        return values
    return {plan.names[0]: name, plan.names[1]: value}


cdef int write_fields(Writer w, const Node *node, object value) except -1:
    """Write the fields of a SEQUENCE."""
    if FREE_THREADED and write_uncopied(w, node, value):
        return 0
    cdef dict values = field_mapping(node, value)
    if w.names and is_named_pair(node):
        values = pair_by_field(plan_of(node), values)
    cdef (PyObject *)[MAX_COLLECTED] found
    cdef WriteScope scope
    cdef Py_ssize_t named
    cdef Py_ssize_t i
    if not can_collect(node):
        return write_each_field(w, node, values)
    clear_collected(found, node.component_count)
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
    return require_all_named(node, values, named)


cdef int write_each_field(Writer w, const Node *node, dict values) except -1:
    """Write the fields of an extensible SEQUENCE, or of one with more than MAX_COLLECTED fields."""
    cdef Py_ssize_t i
    cdef Py_ssize_t named = 0
    cdef Py_ssize_t after_additions = node.insertion if node.extensible else node.component_count
    for i in range(node.component_count - 1, after_additions - 1, -1):
        named += write_field(w, node, i, values)
    if ADDITIONS in values:
        write_additions(w, node, values)
    for i in range(after_additions - 1, -1, -1):
        named += write_field(w, node, i, values)
    return require_all_named(node, values, named)


cdef int write_members(Writer w, const Node *node, object value) except -1:
    """Write the members of a SET in the order of their tags (X.690 10.3)."""
    cdef dict values = field_mapping(node, value)
    cdef Header h
    cdef Py_ssize_t i
    cdef Py_ssize_t before
    cdef Py_ssize_t named = 0
    cdef list members = []
    cdef list additions = listed_additions(node, values)
    cdef Py_ssize_t list_files = list_file_count(w)
    # Two additions may have the same tag.
    w.selector_changed |= len(additions) > 1
    for i in range(node.component_count + len(additions)):
        before = w.written()
        if i < node.component_count:
            named += write_field(w, node, i, values)
        else:
            write_addition(w, node, additions[i - node.component_count])
        w.join(before)
        if list_file_count(w) != list_files:
            # The position of an EncodedListFile was recorded, and sorting would change it.
            raise misplaced_list_file()
        if w.written() > before:
            if read_header(w.base + w.at, w.base + w.size, &h):
                raise fault_error(FAULT_BUFFER_CHANGED, b"")
            members.append((canonical_key(h.tag), (<const char *>(w.base + w.at))[:w.written() - before]))
            w.at += w.written() - before
    # Not `sorted`, which leaks the list in CPython 3.11 if memory runs out.
    members.sort(reverse=True)
    for _, octets in members:
        w.bytes_(octets)
    return require_all_named(node, values, named)
