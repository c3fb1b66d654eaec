# Words for error messages about types.

cdef object describe_node(const Node *node):
    """Return the name of a type for messages, with its tag if that is not the universal one."""
    cdef Plan plan
    if node == NULL:
        return "an element"
    plan = plan_of(node)
    if node.tag != NO_TAG and node.tag >> 1 & 3 != CLASS_UNIVERSAL:
        return f"{describe_tag(node.tag)} {plan.name}"
    return plan.name


cdef object describe_form(const Node *node):
    """Return the name of a type for messages about wrong identifier octets, which show the expected tag."""
    if node.kind == KIND_EXPLICIT:
        return f"the explicit tag {describe_tag(node.tag)} around {plan_of(node.element).name}"
    return describe_node(node)


cdef object wrong_type(str expected, const Node *node, value):
    """Return the error for a value that is not of a Python type that the ASN.1 type accepts."""
    return _errors.ConstraintError(f"expected {expected} for {describe_node(node)}, got {type(value).__name__}")


cdef object wrong_value(str expected, const Node *node, value):
    """Return the error for a value of an accepted Python type that is not a value of the ASN.1 type."""
    return _errors.ConstraintError(f"expected {expected} for {describe_node(node)}, got {short_repr(value)}")


# The module with the suggestions is imported when such an error is raised.

cdef object remedy_for_name(name, names):
    """Return the remedy for a name that is not one of `names`: the nearest one, or a list of them."""
    from derlib import _suggestions
    return _suggestions.remedy(name, names)


cdef object remedy_for_part(name, Plan plan):
    """Return the remedy for a name that is not a field or alternative; the nearest one can be in a nested structure."""
    from derlib import _suggestions
    return _suggestions.no_part(plan, name)


cdef object bytes_for(value):
    """Return what an OCTET STRING expects in place of a value that is not bytes, with the remedy for an address."""
    from derlib import _suggestions
    return _suggestions.bytes_for(value)
