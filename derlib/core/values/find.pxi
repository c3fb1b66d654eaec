# Elements of a list found by the value of one field, without an index: `find_by` and `Extensions.get`.
#
# The list is read from its start, and the octets of the field are compared. lookup.pxi has the index of `index_by`.

cdef object first_element_with(ListView view, Py_ssize_t field, bytes octets):
    """Return the first element whose field has these octets, or None. It reads the list and makes no other values."""
    cdef Header h
    return element_value(view, &h) if find_element_with(view, field, octets, &h) else None


cdef bint find_element_with(ListView view, Py_ssize_t field, bytes octets, Header *h) except -1:
    """Set `h` to the first element whose field has these octets; return False if no element has them."""
    cdef const Node *element = view.plan.node.element
    cdef const uint8_t *p = view.content
    while p < view.end:
        if reread_header(p, view.end, h) or not accepts(element, h.tag):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        if same_octets(element, h, field, <const uint8_t *><const char *>octets, len(octets)):
            return True
        p = h.end
    return False


def selected_value(ListView view not None, which, dict oids not None, identifier_of):
    """Return the open type of the first element that has an OBJECT IDENTIFIER, or None.

    `derlib.schemas.x509.Extensions` calls this: its elements are SEQUENCEs with an open type and its selector. This
    creates no other values.

    Args:
        which: the OBJECT IDENTIFIER, its dotted form, or a type.
        oids: a cache of `OpenTypes.oids_of`, by type.
        identifier_of: a function that returns the OBJECT IDENTIFIER of a type, for those that are not in the cache.
    """
    cdef const Node *element
    cdef Py_ssize_t i = 0
    cdef Plan selector
    cdef Header h
    cdef Scope scope
    if type(which) is not ObjectIdentifier and not isinstance(which, str):
        which = identifier_of_type(which, oids, identifier_of)
    view.require_value()
    element = view.plan.node.element
    if element.kind == KIND_SEQUENCE:
        while i < element.component_count and element.components[i].node.selector_length != 1:
            i += 1
    if element.kind != KIND_SEQUENCE or i == element.component_count:
        raise _errors.SchemaError(f"the elements of {type(view).__name__} have no open type with a selector")
    selector = plan_of(element).plans[element.components[i].node.selector[0]]
    if not find_element_with(view, element.components[i].node.selector[0], contents_of_value(selector, which), &h):
        return None
    set_scope(&scope, element, h.content, h.end)
    if not find_component(element, h.content, h.end, i, &h):
        return None
    return make_value(view.source, element.components[i].node, &h, &scope)


cdef object identifier_of_type(which, dict oids, identifier_of):
    """Return the OBJECT IDENTIFIER of a type: from the cache, if the type has exactly one."""
    cdef tuple known
    try:
        known = oids.get(which)
    except TypeError:
        # It has no hash.
        known = None
    return known[0] if known is not None and len(known) == 1 else identifier_of(which)
