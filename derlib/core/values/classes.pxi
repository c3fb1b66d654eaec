# The classes of views: what CPython is told about them when a class statement has made one, and what is read of them.


def prepare_class(cls):
    """Let instances of a view class do without garbage collection, where it adds nothing to its base class.

    A SEQUENCE or SET is built by `construct`.
    """
    if not issubclass(cls, View) or not is_made_class(cls):
        raise TypeError(f"{cls!r} is not a schema class that a class statement created")
    take_off_gc(cls)
    if issubclass(cls, SequenceView):
        called_by(cls, <void *>call_with_keywords)
        freed_by(cls, <void *>free_sequence)
        read_by(cls, <void *>read_attribute)
    elif issubclass(cls, ListView):
        freed_by(cls, <void *>free_list)


cdef Plan class_plan(object cls):
    """The plan of a class of views, which nearly every one has itself."""
    cdef object own = own_attribute(cls, "__plan__")
    if type(own) is Plan:
        return <Plan>own
    own = getattr(cls, "__plan__", None)
    if type(own) is not Plan:
        raise TypeError(f"{cls.__name__} is not a schema class: derive one from derlib.Sequence, Set, SequenceOf, "
                        "SetOf or Choice")
    return <Plan>own


cdef Plan own_plan(View view):
    """The plan of a view's class, tags included, which must be the class that the octets were proved for.

    Python has ways to give an object another class, or a class another plan.
    """
    cdef Plan plan
    cdef const Node *node
    view.require_value()
    plan = class_plan(type(view))
    plan.prepared()
    node = &plan.node
    while node.kind == KIND_EXPLICIT:
        node = node.element
    if plan_of(node).type is not view.plan.type or node.components != view.plan.node.components:
        raise TypeError(f"the octets of this {type(view).__name__} were checked as {view.plan.name}")
    return plan
