# Views of CHOICE, and the attributes that read their alternatives.
#
# A transparent CHOICE (KIND_UNION) has no view: `make_value` returns the value of its alternative.

@cython.no_gc
cdef class ChoiceView(View):
    """The view of a CHOICE with named alternatives: the base of `derlib.Choice`.

    >>> import derlib
    >>> issubclass(derlib.Choice, derlib.ChoiceView)
    True
    """
    cdef Py_ssize_t index           # the number of the alternative, or -1 for an unknown one
    cdef cache_slot_t cache         # the cached value, or NULL
    cdef Scope scope                # the SEQUENCE around it, for alternatives that are open types
    cdef Plan around                # the plan of that SEQUENCE, which the scope points into

    # The parameters of a class are its alternatives: see `SchemaType.__signature__`.
    @cython.embedsignature(False)
    def __init__(self, *args, **alternative):
        """Build a value from one alternative.

        Raises:
            ConstraintError: not exactly one alternative is passed, or its value is invalid.
            EncodeError: the value is nested too deeply.
        """
        if args:
            raise TypeError(f"pass the alternative by name: {type(self).__name__}(name=...)")
        self.build(alternative)

    def replace(self, **alternative):
        """Return a new value of this class: with another alternative, or with another value of the same one.

        `copy.replace` of Python 3.13 calls this method.

        Raises:
            ConstraintError: as in the constructor.

        >>> from derlib import Choice
        >>> class Contact(Choice):
        ...     name: str
        ...     number: int
        >>> Contact(number=5).replace(number=6), Contact(number=5).replace(name="a")
        (Contact(number=6), Contact(name='a'))
        """
        self.require_value()
        return type(self)(**alternative) if alternative else self

    __replace__ = replace

    cdef bint _has_step(self, step) except -1:
        cdef Header h
        return self._find_step(step, False, &h)

    cdef object _with_step(self, step, value, bint as_view):
        if field_named(self.plan, step) < 0:
            self._has_step(step)
        return ChoiceView.replace(self, **{step: value})

    cdef int adopt(self, View other) except -1:
        self.index = (<ChoiceView>other).index
        self.scope = (<ChoiceView>other).scope
        self.around = (<ChoiceView>other).around
        return View.adopt(self, other)

    def __dealloc__(self):
        Py_XDECREF(self.cache)

    @property
    def alternative(self):
        """The name of the alternative that is present; None for an unknown alternative of an extensible CHOICE."""
        self.require_value()
        return self.chosen_name()

    cdef object chosen_name(self):
        """Return the value of `alternative`, for the core: a subclass can redefine that property."""
        return self.plan.names[self.index] if self.index >= 0 else None

    @property
    def value(self):
        """The value of the alternative that is present; a `TLV` for an unknown alternative of an extensible CHOICE."""
        return self.chosen_value()

    cdef object chosen_value(self):
        """Return the value of `value`, for the core: a subclass can redefine that property."""
        cdef Header h
        cdef const Node *node
        cdef PyObject *cached = <PyObject *>load_acquire(<void **>&self.cache)
        if cached != NULL:
            return <object>cached
        h = self.header()
        if self.index < 0:
            return cache_value(&self.cache, tlv_new(self.source, &h))
        node = self.plan.node.components[self.index].node
        if not accepts(node, h.tag):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        value = make_value(self.source, node, &h, &self.scope if self.scope.node != NULL else NULL)
        return cache_value(&self.cache, value) if is_cached_kind(node.kind) else value

    cdef bint _find_step(self, step, bint outer, Header *h) except -1:
        cdef Py_ssize_t index
        h[0] = self.header()
        index = field_named(self.plan, step)
        if index < 0:
            raise KeyError(f"{short_repr(step)} is not an alternative of {type(self).__name__}; "
                           f"{remedy_for_name(step, self.plan.names)}")
        if index != self.index:
            return False
        return step_inside(self.plan.node.components[self.index].node, h, outer)

    cdef object _step_value(self, step):
        return self.chosen_value()

    cdef object _part_value(self, Py_ssize_t index, const Header *h):
        return self.chosen_value()

    cdef bytes _comparable(self):
        # The tag identifies the alternative, so it is part of the value.
        self.require_value()
        return (<const char *>self.start)[:self.end - self.start]

    def __repr__(self):
        try:
            shown = short_repr(self.chosen_value())
        except _errors.UnrepresentableError:
            shown = f"<{short_repr(self.raw(self.chosen_name()).tobytes())}>"
        if self.index < 0:
            return f"{type(self).__name__}({shown})"
        return f"{type(self).__name__}({self.chosen_name()}={shown})"


VIEW_CLASSES[<int>KIND_CHOICE] = ChoiceView

cdef extern from "core/cpython.h":
    object choice_instance "derlib_choice"(type base, PyObject *cls, ChoiceView blank)

# New views are copies of it: see TEMPLATE in core/cpython.h.
cdef ChoiceView blank_choice = ChoiceView.__new__(ChoiceView)
never_free(blank_choice)


cdef object choice_view_new(Source source, const Node *node, const Header *h, const Scope *scope):
    """Return the view of an element; `scope` is the SEQUENCE around it, NULL if there is none."""
    cdef ChoiceView view = <ChoiceView>choice_instance(ChoiceView, <PyObject *>(<Plan>node.plan).type, blank_choice)
    view.index = find_alternative(node, h.tag)
    if view.index < 0 and not node.extensible:
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    init_view(view, source, node, h)
    if scope != NULL:
        view.scope = scope[0]
        view.around = plan_of(scope.node)
    return view


@cython.final
cdef class AlternativeReader:
    """The attribute of a Choice class that reads one alternative. It raises AttributeError if another one is present.

    Class patterns of `match` and `hasattr` need this.
    """
    cdef Plan plan                  # owns the components
    cdef const Component *components        # of the plan when the reader was made; `index` is valid for them
    cdef Py_ssize_t index
    cdef readonly str __name__
    cdef readonly str __doc__

    def __cinit__(self, Plan plan not None, Py_ssize_t index, str name, str doc):
        if not 0 <= index < plan.node.component_count:
            raise _errors.SchemaError(f"{plan.name} has no field {index}")
        self.plan = plan
        self.components = plan.node.components
        self.index = index
        self.__name__ = name
        self.__doc__ = doc

    def __get__(self, view, owner):
        if view is None:
            return self
        if not isinstance(view, ChoiceView) or not (<View>view).has_value() \
                or (<View>view).plan.node.components != self.components:
            raise TypeError(f"{self.__name__} cannot be read from {type(view).__name__}")
        if (<ChoiceView>view).index != self.index:
            if (<ChoiceView>view).index < 0:
                raise AttributeError(f"this {type(view).__name__} has an unknown alternative, not {self.__name__!r}")
            raise AttributeError(
                f"this {type(view).__name__} has the alternative {(<ChoiceView>view).chosen_name()!r}, "
                f"not {self.__name__!r}"
            )
        return (<ChoiceView>view).chosen_value()

    def __set__(self, view, value):
        raise AttributeError(f"{type(view).__name__}.{self.__name__} cannot be set: values are immutable")

    def __delete__(self, view):
        raise AttributeError(f"{type(view).__name__}.{self.__name__} cannot be deleted: values are immutable")
