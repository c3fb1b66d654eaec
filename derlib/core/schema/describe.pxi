# Words for error messages about types.

cdef object describe_node(const Node *node):
    """A type as messages call it: its name, and its tag where that is not the type's own."""
    cdef Plan plan
    if node == NULL:
        return "an element"
    plan = plan_of(node)
    if node.tag != NO_TAG and node.tag >> 1 & 3 != CLASS_UNIVERSAL:
        return f"{describe_tag(node.tag)} {plan.name}"
    return plan.name


cdef object describe_form(const Node *node):
    """Describe the type of an element whose identifier octets are wrong: by the tag that they should have."""
    if node.kind == KIND_EXPLICIT:
        return f"the explicit tag {describe_tag(node.tag)} around {plan_of(node.element).name}"
    return describe_node(node)


cdef object wrong_type(value, const Node *node, str remedy):
    """The error for a value of a wrong kind."""
    return _errors.ConstraintError(f"{type(value).__name__} is not a value of {describe_node(node)}; {remedy}")
