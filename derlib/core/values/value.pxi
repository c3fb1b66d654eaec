# Contents octets to Python values: the reading half of every kind, for octets that were proved.

from cpython.object cimport PyObject

cdef extern from *:
    """
    /* Freed views that are to be used again: most live for a moment. */
    #define DERLIB_SPARE 32
    struct derlib_spare {
        int count;
        PyObject *kept[DERLIB_SPARE];
    };
    static struct derlib_spare derlib_spare_sequences, derlib_spare_lists;
    #if defined(__SANITIZE_ADDRESS__) || defined(Py_GIL_DISABLED)
    #define derlib_keeps(type, base, spare) 0
    #else
    #define derlib_keeps(type, base, spare) \
        ((type)->tp_basicsize == (base)->tp_basicsize && (spare)->count < DERLIB_SPARE)
    #endif
    /* The end of a view that holds nothing any more. */
    static inline void derlib_free(PyObject *view, PyTypeObject *base, struct derlib_spare *spare) {
        PyTypeObject *type = Py_TYPE(view);
        if (type->tp_free == PyObject_Free && derlib_keeps(type, base, spare)) spare->kept[spare->count++] = view;
        else type->tp_free(view);
        Py_DECREF(type);
    }
    static PyObject *derlib_no_arguments = NULL;
    /* Room for an instance of a subclass of an extension type, to be filled from the blank instance that the tp_new of
       that type made first: no look-up, no call of Python code. NULL without an exception where the subclass adds
       something. */
    static inline PyObject *derlib_copied(
            PyTypeObject *base, PyObject *cls, PyObject **blank, struct derlib_spare *spare) {
        PyTypeObject *type = (PyTypeObject *)cls;
        PyObject *made;
        if (derlib_unlikely(derlib_load_acquire((void **)blank) == NULL)) {
            if (derlib_no_arguments == NULL && (derlib_no_arguments = PyTuple_New(0)) == NULL) return NULL;
            made = base->tp_new(base, derlib_no_arguments, NULL);
            if (made == NULL) return NULL;
            if (!derlib_set_if_null((void **)blank, made)) Py_DECREF(made);
        }
        if (derlib_unlikely(type->tp_basicsize != base->tp_basicsize || (type->tp_flags & Py_TPFLAGS_HAVE_GC)))
            return NULL;
        if (spare != NULL && spare->count > 0) made = spare->kept[--spare->count];
        else made = PyObject_Malloc((size_t)base->tp_basicsize);
        if (made == NULL) return PyErr_NoMemory();
        return PyObject_Init(made, type);
    }
    /* An instance of a class whose blank instance has so many object members, all None. */
    static inline PyObject *derlib_instance(PyTypeObject *base, PyObject *cls, PyObject **blank, int members) {
        PyObject *made = derlib_copied(base, cls, blank, NULL);
        if (made == NULL) return PyErr_Occurred() ? NULL : base->tp_new((PyTypeObject *)cls, derlib_no_arguments, NULL);
        memcpy((char *)made + sizeof(PyObject), (char *)*blank + sizeof(PyObject),
               (size_t)base->tp_basicsize - sizeof(PyObject));
        for (; members > 0; members--) Py_INCREF(Py_None);
        return made;
    }
    /* How Cython lays out a View; `check_layout` holds it against that. */
    struct derlib_view {
        PyObject_HEAD
        void *methods;
        PyObject *source, *plan;
        const uint8_t *outer, *start, *content, *end;
    };
    /* A view in its place, of a class whose blank instance has so many object members behind those of View. */
    static inline PyObject *derlib_placed(
            PyTypeObject *base, PyObject *cls, PyObject **blank, int members, struct derlib_spare *spare,
            PyObject *source, PyObject *plan, const uint8_t *start, const uint8_t *content, const uint8_t *end) {
        struct derlib_view *view = (struct derlib_view *)derlib_copied(base, cls, blank, spare);
        if (derlib_unlikely(view == NULL)) {
            if (PyErr_Occurred()) return NULL;
            view = (struct derlib_view *)base->tp_new((PyTypeObject *)cls, derlib_no_arguments, NULL);
            if (view == NULL) return NULL;
            Py_DECREF(view->source);
            Py_DECREF(view->plan);
        }
        else {
            void **word = (void **)(view + 1), **behind = (void **)((char *)view + base->tp_basicsize);
            void **from = (void **)((struct derlib_view *)*blank + 1);
            while (word < behind) *word++ = *from++;
            view->methods = ((struct derlib_view *)*blank)->methods;
            for (; members > 0; members--) Py_INCREF(Py_None);
        }
        Py_INCREF(source);
        view->source = source;
        Py_INCREF(plan);
        view->plan = plan;
        view->outer = view->start = start;
        view->content = content;
        view->end = end;
        return (PyObject *)view;
    }
    #define derlib_sequence(base, cls, blank, source, plan, start, content, end) \
        derlib_placed(base, cls, blank, 0, &derlib_spare_sequences, source, plan, start, content, end)
    #define derlib_list(base, cls, blank, source, plan, start, content, end) \
        derlib_placed(base, cls, blank, 1, &derlib_spare_lists, source, plan, start, content, end)
    #define derlib_view_octets sizeof(struct derlib_view)
    #define derlib_end_offset offsetof(struct derlib_view, end)
    #define derlib_free_sequence(view, base) derlib_free(view, base, &derlib_spare_sequences)
    #define derlib_free_list(view, base) derlib_free(view, base, &derlib_spare_lists)
    """
    object sequence_instance "derlib_sequence"(
        type base, PyObject *cls, PyObject **blank, PyObject *source, PyObject *plan,
        const uint8_t *start, const uint8_t *content, const uint8_t *end)
    object list_instance "derlib_list"(
        type base, PyObject *cls, PyObject **blank, PyObject *source, PyObject *plan,
        const uint8_t *start, const uint8_t *content, const uint8_t *end)
    const Py_ssize_t PLACED_SIZE "derlib_view_octets"
    const Py_ssize_t END_OFFSET "derlib_end_offset"
    void free_sequence_memory "derlib_free_sequence"(PyObject *view, type base) noexcept
    void free_list_memory "derlib_free_list"(PyObject *view, type base) noexcept
    object instance_of "derlib_instance"(type base, object cls, PyObject **blank, int members)

# One blank instance of each class of views.
cdef PyObject *blank_sequence = NULL
cdef PyObject *blank_choice = NULL
cdef PyObject *blank_list = NULL


cdef object make_value(Source source, const Node *node, const Header *h, const Scope *scope):
    """The Python value of a proved element; `scope` is the SEQUENCE around it, where open types find their selector."""
    cdef int kind = node.kind
    cdef Header child
    cdef Py_ssize_t index
    if kind < KIND_SEQUENCE:
        return primitive_value(node, h.content, h.end - h.content)
    elif kind == KIND_SEQUENCE or kind == KIND_SET:
        return sequence_view_new(source, node, h)
    elif is_list(kind):
        return list_view_new(source, node, h, scope)
    elif kind == KIND_UNION:
        index = find_alternative(node, h.tag)
        if index < 0:
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        return make_value(source, node.components[index].node, h, scope)
    elif kind == KIND_CHOICE:
        return choice_view_new(source, node, h, scope)
    elif kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, &child):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        value = make_value(source, node.element, &child, scope)
        if isinstance(value, View):
            (<View>value).outer = h.start
        return value
    elif is_open(kind):
        return open_value(source, node, h, scope)
    return tlv_new(source, h)


cdef inline object fast_value(const Node *node, const uint8_t *p, Py_ssize_t n):
    """`primitive_value`, without the call for the kinds that nearly all fields have."""
    cdef int kind = node.kind
    if kind == KIND_OCTET_STRING:
        return (<const char *>p)[:n]
    elif kind == KIND_UTF8_STRING:
        return utf8_decode(p, n)
    elif kind == KIND_INTEGER:
        return integer_value(p, n)
    return primitive_value(node, p, n)


cdef inline object primitive_value(const Node *node, const uint8_t *p, Py_ssize_t n):
    """Return the Python value of validated contents octets of a primitive type."""
    return TYPES[node.kind].decode(node, p, n)


cdef const Node *fitting(
    Source source, const Node *node, const Header *h, const Scope *scope, int *max_depth
) except? NULL:
    """The type of which a proved element of an open type is a value, NULL where it is opaque.

    `height` is set where the type is an opaque one: to the levels of nesting that the value has by it.
    """
    cdef const OpenEntry *entry = selected(node, scope)
    cdef Check c
    cdef Record record
    cdef bint fits
    # Inside a value of an opaque table types of opaque tables are not tried (core/decode/open_type.pxi).
    if entry == NULL or (entry.opaque_on_mismatch and source.in_opaque_entry) or is_type_mismatch(source, h):
        return NULL
    if entry.opaque_on_mismatch or not source.is_immutable() or source.registrations != registrations:
        # The check did not ask whether a value fits its type of an opaque table; a shared buffer may have changed; a type that was
        # registered later was not checked against.
        memset(&record, 0, sizeof(Record))
        check_begin(&c, source.options(), &record)
        fits = check_selected(&c, node, entry, h)
        if fits and entry.opaque_on_mismatch and c.breaches:
            # How many elements are left decides nothing, for the check counted all those before it as well.
            c.elements = PY_SSIZE_T_MAX
            fits = not is_valid_opaque(&c, node, h)
        fits = fits and check_pending(&c, 0)
        free(record.breaches)
        free(record.pending)
        if record.exhausted:
            raise MemoryError
        if not fits:
            return NULL
        if entry.opaque_on_mismatch:
            max_depth[0] = source.options().depth - c.lowest
    return entry.node


cdef bint is_type_mismatch(Source source, const Header *h) noexcept:
    """Whether the check found here that a value is not of the chosen type, and was told to tolerate it."""
    cdef const Record *record = source.tolerated()
    cdef Py_ssize_t i
    if record.count == 0 or not source.options().tolerated & OPEN_TYPE:
        return False
    i = first_breach(record, h.start)
    while i < record.count and record.breaches[i].at == h.start:
        if record.breaches[i].deviation == OPEN_TYPE:
            return True
        i += 1
    return False


cdef object open_value(Source source, const Node *node, const Header *h, const Scope *scope):
    """The value of an open type: of the selected type, or opaque: TLV, bytes or BitString."""
    cdef int max_depth = -1
    cdef const Node *target = fitting(source, node, h, scope, &max_depth)
    cdef Header child
    cdef const uint8_t *p = h.content
    if max_depth >= 0:
        source = source.inside_opaque_entry(max_depth)
    if target == NULL:
        if node.kind == KIND_OPEN_OCTETS:
            return (<const char *>p)[:h.end - p]
        return bit_string_value(p, h.end - p) if node.kind == KIND_OPEN_BITS else tlv_new(source, h)
    if node.kind == KIND_OPEN:
        return make_value(source, target, h, NULL)
    if node.kind == KIND_OPEN_BITS:
        p += 1
    if reread_header(p, h.end, &child):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return make_value(source, target, &child, NULL)


cdef inline bint is_cached_kind(int kind) noexcept:
    """Whether a view keeps the value once made: what has parts, or costs more to make than to keep."""
    return KIND_SEQUENCE <= kind <= KIND_OPEN_BITS and kind != KIND_UNION


def tag_name(tag):
    """A tag as messages write it."""
    return describe_tag(tag)


cdef bytes header_octets(tag_t tag, Py_ssize_t length):
    """Identifier and length octets (X.690 8.1.2, 8.1.3, 10.1)."""
    cdef bytearray octets = bytearray()
    cdef uint64_t number = tag >> 3
    cdef uint8_t leading = <uint8_t>((tag & 7) << 5)
    if number < 31:
        octets.append(leading | <uint8_t>number)
    else:
        octets.append(leading | 0x1F)
        groups = [number & 0x7F]
        number >>= 7
        while number:
            groups.append(0x80 | (number & 0x7F))
            number >>= 7
        octets.extend(reversed(groups))
    if length < 0x80:
        octets.append(<uint8_t>length)
    else:
        count = (length.bit_length() + 7) // 8
        octets.append(0x80 | count)
        octets.extend(length.to_bytes(count, "big"))
    return bytes(octets)
