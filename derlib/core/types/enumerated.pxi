# ENUMERATED (X.690 8.4): an INTEGER that is one of the items of the type. INTEGER with named numbers shares the
# Python side: its values are members of an enumeration, too.

from cpython.dict cimport PyDict_GetItemWithError

from enum import Enum as _Enum


cdef int enumerated_check(const Node *node, const uint8_t *p, Py_ssize_t n) noexcept nogil:
    """Return FAULT_NONE if valid INTEGER contents are an item of the type."""
    return FAULT_NONE if n <= 8 and is_listed(node, int64_value(p, n)) else unknown_item(node)


cdef inline bint is_listed(const Node *node, int64_t value) noexcept nogil:
    """Return whether a number is one of the items that the type lists."""
    cdef Py_ssize_t i
    for i in range(node.items_count):
        if node.items[i] == value:
            return True
    return False


cdef inline bint is_item(const Node *node, int64_t value) noexcept nogil:
    """Return whether a number is a value of an ENUMERATED, or of an INTEGER with named numbers."""
    return node.kind == KIND_NAMED_INTEGER or node.extensible or is_listed(node, value)


cdef inline int unknown_item(const Node *node) noexcept nogil:
    # X.680 20.1: a later version of an extensible type may have any further item.
    return FAULT_NONE if node.extensible else FAULT_ENUMERATED_UNKNOWN


cdef object item_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return the member with this number. Where X.680 19.5 and 20 allow other numbers, these are unnamed members."""
    cdef Plan plan = plan_of(node)
    value = integer_value(p, n)
    item = plan.members.get(value)
    if item is not None:
        return item
    if node.kind == KIND_NAMED_INTEGER or node.extensible:
        return plan.type._unknown(value)
    return value


cdef bint is_of_another(const Node *node, object value) except -1:
    """Return whether a value is a member of another enumeration, whose number has another meaning."""
    return type(value) is not plan_of(node).type and issubclass(type(value), _Enum)


cdef int item_encode(Writer w, const Node *node, object value) except -1:
    """Write an item, given as a member, its name or its number."""
    cdef Plan plan
    if type(value) is not int:
        plan = plan_of(node)
        if isinstance(value, str):
            member = plan.type.__members__.get(value)
            if member is None:
                raise _errors.ConstraintError(f"{plan.name} has no item {short_repr(value)}; "
                                              f"{remedy_for_name(value, plan.type.__members__)}")
            value = int(member)
        elif not isinstance(value, int) or isinstance(value, bool) or is_of_another(node, value):
            raise wrong_type(f"{plan.name}, str or int", node, value)
    return integer_encode(w, node, value)


cdef bint item_encode_fast(Writer w, const Node *node, PyObject *value) except -1:
    """Write an item given as a member, its name or its number."""
    cdef PyObject *number = value
    cdef int overflow = 0
    cdef int64_t item
    if is_text(value):
        number = PyDict_GetItemWithError((<Plan>node.plan).numbers, <object>value)
        return number != NULL and int64_encode_fast(w, node, <object>number)
    if node.kind == KIND_NAMED_INTEGER and is_exact_int(value):
        return integer_encode_fast(w, node, value)
    # Members are a subclass of int, which cannot change how C reads the number.
    if not is_exact_int(value) \
            and (not isinstance(<object>value, int) or type(<object>value) is not plan_of(node).type):
        return False
    item = PyLong_AsLongLongAndOverflow(<object>value, &overflow)
    return not overflow and is_item(node, item) and int64_encode_fast(w, node, item)


cdef object item_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    """Return the name of an item, or its number where it has no name."""
    value = integer_value(p, n)
    member = plan_of(node).members.get(value)
    if member is not None and (not json or member.name.isidentifier()):
        return member.name
    return json_integer(value) if json else value


TYPES[<int>KIND_ENUMERATED] = TypeInfo(0, NULL, item_decode, item_encode, item_native, item_encode_fast)
