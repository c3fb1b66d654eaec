# Classes of views: their setup, and their plans.
#
# The schema language calls `prepare_class` for each new class, before it has instances.


# The function that returns a class with other tables of open types; the schema language sets it on import.
cdef object table_chooser = None


def choose_tables_with(chooser):
    """Set the function behind the argument `open_types` of `decode`."""
    global table_chooser
    table_chooser = chooser


cdef object class_with_tables(cls, open_types):
    """Return the class with other tables of open types."""
    cdef object chosen = table_chooser(cls, open_types)
    # `class_plan` reads the memory of a class, and the function could be another than that of the schema language.
    if not is_made_class(chosen) or not issubclass(chosen, View):
        raise TypeError(f"{chosen!r} is not a schema class")
    return chosen


def prepare_class(cls):
    """Set up a new view class: no garbage collection, and functions of the core that free, read and build its values.

    A step is skipped if the class overrides what it would replace; core/cpython.h explains each step.
    """
    if not issubclass(cls, View) or not is_made_class(cls):
        raise TypeError(f"{cls!r} is not a schema class that a class statement created")
    remove_gc(cls)
    never_free(cls)
    if issubclass(cls, SequenceView):
        set_vectorcall(cls, <void *>call_with_keywords)
        set_dealloc(cls, <void *>free_sequence)
        set_getattro(cls, <void *>read_attribute)
        return
    if issubclass(cls, ListView):
        set_dealloc(cls, <void *>free_list)
    set_getattro(cls, <void *>read_other_attribute)


for _class in (BitString, ObjectIdentifier, TLV):
    set_getattro(_class, <void *>read_other_attribute)

publish(OpenTable, b"derlib._core.OpenTable")   # the base of OpenTypes has no public name
publish(BitString, b"derlib.BitString")
publish(ChoiceView, b"derlib.ChoiceView")
publish(ListView, b"derlib.ListView")
publish(Lookup, b"derlib.Lookup")
publish(Null, b"derlib.Null")
publish(ObjectIdentifier, b"derlib.ObjectIdentifier")
publish(RelativeOID, b"derlib.RelativeOID")
publish(SequenceView, b"derlib.SequenceView")
publish(Span, b"derlib.Span")
publish(TLV, b"derlib.TLV")
publish(Tag, b"derlib.Tag")
publish(View, b"derlib.View")


cdef Plan class_plan(object cls):
    """Return the plan of a class of views: its own, or that of a base class."""
    cdef PyObject *known = known_plan(cls)
    if known != NULL:
        return <Plan>known
    # Read the version first: a key in the class can be an object whose comparison changes the class.
    cdef unsigned int version = type_version(cls)
    cdef object own = own_attribute(cls, "__plan__")
    if type(own) is Plan:
        note_plan(version, own, &(<Plan>own).slot)
        return <Plan>own
    own = getattr(cls, "__plan__", None)
    if type(own) is not Plan:
        raise TypeError(f"{cls.__name__} is not a schema class: derive one from derlib.Sequence, Set, SequenceOf, "
                        "SetOf or Choice")
    return <Plan>own


cdef Plan own_plan(View view):
    """Return the plan of the class of a view, tags included.

    Raise TypeError if the octets were validated as another class: Python code can change the class of an object, or the
    plan of a class.
    """
    cdef Plan plan
    cdef const Node *node
    view.require_value()
    plan = class_plan(type(view))
    plan.prepared()
    node = without_tags(&plan.node)
    if plan_of(node).type is not view.plan.type or node.components != view.plan.node.components:
        raise TypeError(f"the bytes of this {type(view).__name__} were validated as {view.plan.name}")
    return plan
