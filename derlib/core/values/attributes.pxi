# Attributes of SEQUENCE and SET views: `view.name` reads the field `name`.
#
# Each field has a descriptor in its class, a `FieldReader`; it defines what the attribute is. CPython calls it if the
# fast path below does not apply: for subclasses with __getattr__ or __getattribute__, for a SET or an extensible
# SEQUENCE, in a portable build and before CPython 3.11.
#
# `read_attribute` is a fast path to the same values. `prepare_class` installs it as the tp_getattro of a class. It
# finds the field by the position of its name in the plan, without a search in the class and its bases and without a
# call of the descriptor. It applies only while each name leads to the FieldReader of its field:
# `refresh_class_version` verifies that, and stores the version tag of the class, which CPython changes with each change
# of the class or its bases.
#
# Measured gain: 37 % of the instructions of reading an INTEGER field, 13 % of the row "crl: decode and read every
# entry".


cdef extern from "core/cpython.h":
    object other_attribute "derlib_other_attribute"(
        object view, object name, object (*missing)(object cls, object name))


@cython.final
cdef class NoAttribute:
    """The message of an AttributeError for a name that the class of a view does not have.

    Its text, with the nearest name, is made when it is asked for: `hasattr` does not need it.
    """
    cdef object cls
    cdef object name

    def __str__(self):
        from derlib import _suggestions
        return _suggestions.no_attribute(self.cls, self.name)

    def __repr__(self):
        return repr(str(self))

    def __reduce__(self):
        return str, (str(self),)


cdef object missing_attribute(cls, name):
    """Raise AttributeError for a name that a class does not have."""
    cdef NoAttribute message = NoAttribute.__new__(NoAttribute)
    message.cls = cls
    message.name = name
    # With a name, but without the object, Python does not add a suggestion of its own when it prints the error.
    raise AttributeError(message, name=name)


cdef object read_attribute(SequenceView view, PyObject *name):
    """Return `view.name`: the tp_getattro of classes of views."""
    cdef PyObject *plan
    cdef PyObject *names
    cdef const Component *field
    cdef const uint8_t *p
    cdef uint64_t bookmark
    cdef int length
    cdef Py_ssize_t i
    if not view.has_value():
        return generic_attribute(view, <object>name)
    plan = <PyObject *>view.plan
    if load_version(&(<Plan>plan).version) == class_version(view) or refresh_class_version(view, <Plan>plan):
        names = <PyObject *>(<Plan>plan).names
        bookmark = load_word(&view.bookmark)
        i = bookmark >> BOOKMARK_BITS
        # Usually the next field, of a primitive type: do what `field_value` does, in fewer steps.
        if i < (<Plan>plan).node.component_count and tuple_item(names, i) == name:
            field = (<Plan>plan).node.components + i
            p = view.content + bookmark_offset(bookmark)
            if p == view.end:
                # So are all fields after it.
                set_bookmark(view, i + 1, p)
                return absent_value(view, i)
            length = short_length(p, view.end, field.identifier) if field.node.kind < KIND_SEQUENCE else -1
            if length >= 0:
                set_bookmark(view, i + 1, p + 2 + length)
                return fast_value(field.node, p + 2, length)
            return field_value(view, i)
        for i in range((<Plan>plan).node.component_count):
            if tuple_item(names, i) == name:
                return field_value(view, i)
    return other_attribute(view, <object>name, missing_attribute)


cdef object read_other_attribute(view, PyObject *name):
    """Return `view.name`: the tp_getattro of values without fields, whose errors suggest a name, too."""
    return other_attribute(view, <object>name, missing_attribute)


cdef bint refresh_class_version(SequenceView view, Plan plan) except -1:
    """Return whether each name leads to the FieldReader of its field in the class of a view; if so, store its version.

    Return False for a SET and an extensible SEQUENCE: the fast path does not read them.
    """
    cdef object found
    cdef Py_ssize_t i
    # Read the version first: a key in the class can be an object whose comparison changes the class.
    cdef unsigned int version = class_version(view)
    # Version 0: CPython assigns one with the first search.
    if version == load_version(&plan.slow_version) or version == 0:
        return False
    # Until the end of this function, other threads read attributes of this class in the general way.
    store_version(&plan.slow_version, version)
    if plan.node.kind != KIND_SEQUENCE or plan.node.extensible or len(plan.names) != plan.node.component_count:
        return False
    for i, name in enumerate(plan.names):
        found = class_attribute(view, name)
        if type(found) is not FieldReader or (<FieldReader>found).index != i \
                or (<FieldReader>found).plan.node.components != plan.node.components:
            return False
    store_version(&plan.slow_version, 0)
    store_version(&plan.version, version)
    return version == class_version(view)


@cython.final
cdef class FieldReader:
    """The attribute of a schema class that reads one field of its views; a data descriptor that cannot be set."""
    cdef Plan plan                  # owns the components
    cdef const Component *components        # of the plan when the reader was made; `index` is valid for them
    cdef object type                # the class that most views have, compared first; None if the plan has no class
    cdef Py_ssize_t index
    cdef readonly str __name__
    cdef readonly str __doc__

    def __cinit__(self, Plan plan not None, Py_ssize_t index, str name, str doc):
        if not 0 <= index < plan.node.component_count:
            raise _errors.SchemaError(f"{plan.name} has no field {index}")
        self.plan = plan
        self.components = plan.node.components
        self.type = plan.type if isinstance(plan.type, type) and issubclass(plan.type, SequenceView) else None
        self.index = index
        self.__name__ = name
        self.__doc__ = doc

    def __get__(self, view, owner):
        if view is None:
            return self
        # The plan of a view with another tag shares its components with the plan of the class.
        if (type(view) is not self.type and not isinstance(view, SequenceView)) \
                or not ((<View>view).has_value() or (<View>view).is_in_parts()) \
                or (<View>view).plan.node.components != self.components:
            raise TypeError(f"{self.__name__} cannot be read from {type(view).__name__}")
        (<View>view).require_value()
        return field_value(<SequenceView>view, self.index)

    def __set__(self, view, value):
        raise AttributeError(f"{type(view).__name__}.{self.__name__} cannot be set: values are immutable")

    def __delete__(self, view):
        raise AttributeError(f"{type(view).__name__}.{self.__name__} cannot be deleted: values are immutable")
