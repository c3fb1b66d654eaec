# The classes of views: what CPython is told about them when a class statement has made one, and what is read of them.

cdef extern from *:
    """
    /* Python gives every class that a class statement makes a garbage-collected layout. Instances of view classes have
       no attributes beside the native ones and cannot be part of a cycle, so that layout (16 octets each, and their
       share of every collection) is taken off again before the first instance is made. */
    static void derlib_without_gc(PyObject *cls) {
        PyTypeObject *type = (PyTypeObject *)cls;
        /* A managed __dict__ or weak reference list stands before the object and does not show in its size. */
        if (type->tp_basicsize == type->tp_base->tp_basicsize
                && type->tp_dictoffset == 0 && type->tp_weaklistoffset == 0
                && !(type->tp_base->tp_flags & Py_TPFLAGS_HAVE_GC)) {
            type->tp_flags &= ~Py_TPFLAGS_HAVE_GC;
            type->tp_free = PyObject_Free;
        }
    }
    /* Let calls of a class come to a function of ours, without a tuple and a dict of the arguments. CPython 3.12 does
       the same for the metaclass that is done here: one that does not define __call__ inherits how a type is called. */
    static void derlib_called_by(PyObject *cls, void *function) {
        PyTypeObject *meta = Py_TYPE(cls);
        if (meta->tp_call == PyType_Type.tp_call && meta->tp_vectorcall_offset == PyType_Type.tp_vectorcall_offset) {
            meta->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
            ((PyTypeObject *)cls)->tp_vectorcall = (vectorcallfunc)function;
        }
    }
    /* A class that a class statement or a call made. It has its attributes in a dict of its own, and its instances
       count as references to it; those of the extension types themselves do not, so what frees views must not free
       theirs. */
    #define derlib_is_made_class(value) \\
        (PyType_Check(value) && PyType_HasFeature((PyTypeObject *)(value), Py_TPFLAGS_HEAPTYPE))
    /* What a view is freed by. Python frees an instance of a class that a class statement made in one step for each of
       its bases; where a class adds nothing, what there is to do is known. A class below that does add something comes
       here last, from Python's own way. */
    static void derlib_freed_by(PyObject *cls, void *function) {
        PyTypeObject *type = (PyTypeObject *)cls;
        if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC) && type->tp_free == PyObject_Free) {
            type->tp_dealloc = (destructor)function;
        }
    }
    /* Whether a view is to be freed: __del__ may have given it to somebody. */
    static inline int derlib_ends(PyObject *view) {
        if (derlib_unlikely(Py_TYPE(view)->tp_finalize != NULL)) return PyObject_CallFinalizerFromDealloc(view) == 0;
        return 1;
    }
    /* Attributes of a class go to a function of ours, unless it has __getattr__ or __getattribute__. What the function
       knows of a class holds for one version of it, which CPython changes with each change to the class or its bases;
       before 3.11 it did not promise that a version is never used twice. */
    static void derlib_read_by(PyObject *cls, void *function) {
    #if PY_VERSION_HEX >= 0x030B0000
        PyTypeObject *type = (PyTypeObject *)cls;
        if (type->tp_getattro == PyObject_GenericGetAttr) type->tp_getattro = (getattrofunc)function;
    #endif
    }
    #define derlib_item(tuple, i) PyTuple_GET_ITEM((tuple), (i))
    #define derlib_version(view) (Py_TYPE(view)->tp_version_tag)
    /* What stands under a name in the class of a view or in one of its bases, or None. */
    static inline PyObject *derlib_class_attribute(PyObject *view, PyObject *name) {
        PyObject *found;
    #if PY_VERSION_HEX >= 0x030D0000
        found = _PyType_LookupRef(Py_TYPE(view), name);
    #else
        found = _PyType_Lookup(Py_TYPE(view), name);
        Py_XINCREF(found);
    #endif
        return found != NULL ? found : Py_NewRef(Py_None);
    }
    /* What stands under a name in a class itself, or None. */
    static inline PyObject *derlib_own(PyObject *cls, PyObject *name) {
        PyObject *found;
    #if PY_VERSION_HEX >= 0x030D0000
        if (PyDict_GetItemRef(((PyTypeObject *)cls)->tp_dict, name, &found) < 0) return NULL;
    #else
        found = PyDict_GetItemWithError(((PyTypeObject *)cls)->tp_dict, name);
        if (found == NULL && PyErr_Occurred()) return NULL;
        Py_XINCREF(found);
    #endif
        return found != NULL ? found : Py_NewRef(Py_None);
    }
    """
    object own_attribute "derlib_own"(object cls, object name)
    bint is_made_class "derlib_is_made_class"(object value) noexcept
    void take_off_gc "derlib_without_gc"(object cls)
    void called_by "derlib_called_by"(object cls, void *function)
    void freed_by "derlib_freed_by"(object cls, void *function)
    void read_by "derlib_read_by"(object cls, void *function)
    bint ends "derlib_ends"(PyObject *view) noexcept
    void drop "Py_DECREF"(PyObject *value) noexcept
    PyObject *tuple_item "derlib_item"(PyObject *values, Py_ssize_t i) noexcept
    unsigned int class_version "derlib_version"(object view) noexcept
    object class_attribute "derlib_class_attribute"(object view, object name)
    object generic_attribute "PyObject_GenericGetAttr"(object view, object name)


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
