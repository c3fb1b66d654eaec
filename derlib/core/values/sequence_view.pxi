# Views of SEQUENCE and SET, and the attributes that read their fields.

cdef extern from *:
    """
    /* The cells of views with few fields; freed ones are used again. */
    #define DERLIB_FEW_CELLS 8
    static struct {
        int count;
        PyObject **kept[DERLIB_SPARE];
    } derlib_spare_cells;
    static inline PyObject **derlib_cells_new(Py_ssize_t count) {
        PyObject **cells;
        if (count > DERLIB_FEW_CELLS) return PyMem_Calloc((size_t)count, sizeof(PyObject *));
        if (derlib_spare_cells.count > 0) cells = derlib_spare_cells.kept[--derlib_spare_cells.count];
        else cells = PyMem_Malloc(DERLIB_FEW_CELLS * sizeof(PyObject *));
        if (cells != NULL)
            for (Py_ssize_t i = 0; i < DERLIB_FEW_CELLS; i++) cells[i] = NULL;
        return cells;
    }
    /* Free them, and what they hold. */
    static inline void derlib_cells_free(PyObject **cells, Py_ssize_t count) {
        for (Py_ssize_t i = 0; i < count; i++) Py_XDECREF(cells[i]);
    #if !defined(__SANITIZE_ADDRESS__) && !defined(Py_GIL_DISABLED)
        if (count <= DERLIB_FEW_CELLS && derlib_spare_cells.count < DERLIB_SPARE) {
            derlib_spare_cells.kept[derlib_spare_cells.count++] = cells;
            return;
        }
    #endif
        PyMem_Free(cells);
    }
    """
    cache_slot_t *field_cache_new "derlib_cells_new"(Py_ssize_t count) noexcept
    void field_cache_free "derlib_cells_free"(cache_slot_t *cache, Py_ssize_t count) noexcept


@cython.no_gc
cdef class SequenceView(View):
    """The view of a SEQUENCE or SET: the base of `derlib.Sequence` and `derlib.Set`."""
    cdef cache_slot_t *field_cache              # values that were made, one cell a field, or NULL
    cdef uint64_t place             # where to look for the next field: see `note_place`

    # The parameters of a class are its fields: see `SchemaType.__signature__`.
    @cython.embedsignature(False)
    def __init__(self, *args, **values):
        """Build a value from the values of its fields.

        Optional fields and fields with a default can be omitted or None. A nested value is an instance of its class, a
        dict, a list, or anything else that its type accepts.

        Raises:
            ConstraintError: a value has the wrong type or violates a constraint, or a field is missing or unknown. The
                error has the path and names the remedy.
            EncodeError: the values are nested too deeply.
        """
        cdef Plan plan
        if args:
            plan = class_plan(type(self))
            # Only the plan of a compiled class has names; that of a class with an explicit tag is around them.
            plan.ready()
            while plan.node.kind == KIND_EXPLICIT:
                plan = plan_of(plan.node.element)
            given = ", ".join([f"{name}=..." for name in (plan.names or ())[:1]])
            raise TypeError(f"fields are given by name: {type(self).__name__}({given})")
        self.build(values)

    def replace(self, **changes):
        """Return a new value of this class with some fields changed; None removes a field.

        The encodings of the other fields are copied.

        Raises:
            ConstraintError: as in the constructor; also if a part that is copied has a deviation.

        >>> from derlib import Sequence
        >>> class Point(Sequence):
        ...     x: int
        ...     y: int
        >>> Point(x=1, y=2).replace(y=3)
        Point(x=1, y=3)
        """
        cdef Header h
        cdef Py_ssize_t i
        cdef dict values = dict(changes)
        self.require_value()
        for i, name in enumerate(self.plan.names):
            if name not in changes and find_component(&self.plan.node, self.content, self.end, i, &h):
                values[name] = verbatim_field(self, i, &h)
        if self.plan.node.extensible:
            values.setdefault(ADDITIONS, self.unknown_additions)
        return type(self)(**values)

    __replace__ = replace

    @property
    def unknown_additions(self):
        """The elements after the extension marker that the schema does not define, as a tuple of `TLV` (X.680 25, 27).

        They are part of the value: `encode` writes them and `replace` keeps them.

        >>> from derlib import Sequence
        >>> class Open(Sequence, extensible=True):
        ...     x: int
        >>> Open.decode(bytes.fromhex("3006020101800102")).unknown_additions
        (TLV([0], 1 octets: 02),)
        """
        self.require_value()
        return additions_in(self.source, &self.plan.node, self.content, self.end)

    def __dealloc__(self):
        if self.field_cache != NULL:
            field_cache_free(self.field_cache, self.plan.node.component_count)

    cdef Py_ssize_t index_of(self, step) except -1:
        cdef Py_ssize_t index
        self.require_value()
        index = field_named(self.plan, step)
        if index < 0:
            names = ", ".join(self.plan.names)
            raise KeyError(f"{short_repr(step)} is not a field of {type(self).__name__}; it has {names}")
        return index

    cdef bint _place(self, step, bint outer, Header *h) except -1:
        cdef Py_ssize_t index = self.index_of(step)
        if not find_component(&self.plan.node, self.content, self.end, index, h):
            return False
        return step_inside(self.plan.node.components[index].node, h, outer)

    cdef object _child(self, step):
        return field_value(self, self.index_of(step))

    cdef object _part(self, Py_ssize_t index, const Header *h):
        return found_value(self, index, h)

    def __repr__(self):
        self.require_value()
        parts = []
        for i, name in enumerate(self.plan.names):
            try:
                value = field_value(self, i)
            except _errors.UnrepresentableError:
                parts.append(f"{name}=<{short_repr(self.raw(name).tobytes())}>")
            else:
                if value is not None:
                    parts.append(f"{name}={short_repr(value)}")
        if self.plan.node.extensible:
            additions = self.unknown_additions
            parts.extend([short_repr(element) for element in additions[:FEW_SHOWN]])
            if len(additions) > FEW_SHOWN:
                parts.append(f"... {len(additions)} additions")
        return f"{type(self).__name__}({', '.join(parts)})"


VIEW_CLASSES[<int>KIND_SEQUENCE] = VIEW_CLASSES[<int>KIND_SET] = SequenceView


# How a view notes where the field behind the one that was read last may be: its number, and the octets before it, in
# one word, so that no thread sees the one without the other. It is a hint: what is found there is looked at.
cdef enum:
    PLACE_BITS = 48
    PLACE_FIELDS = 1 << 16

cdef extern from *:
    """
    #define DERLIB_PLACE_OFFSET (((uint64_t)1 << 48) - 1)
    """
    const uint64_t PLACE_OFFSET "DERLIB_PLACE_OFFSET"


cdef inline void note_place(SequenceView view, Py_ssize_t index, const uint8_t *p) noexcept:
    if index < PLACE_FIELDS:
        store_word(&view.place, <uint64_t>index << PLACE_BITS | <uint64_t>(p - view.content))


cdef void free_sequence(PyObject *self) noexcept:
    """What views of most SEQUENCEs and SETs are freed by, in place of Python's way for classes, step by base class."""
    if not ends(self):
        return
    if (<SequenceView>self).field_cache != NULL:
        field_cache_free((<SequenceView>self).field_cache, (<SequenceView>self).plan.node.component_count)
    drop(<PyObject *>(<SequenceView>self).source)
    drop(<PyObject *>(<SequenceView>self).plan)
    free_sequence_memory(self, SequenceView)


cdef object read_attribute(SequenceView view, PyObject *name):
    """What `view.name` comes to. Fields are found by their names, without the search in classes and a call in between.

    That gives the same as long as the attributes of these names are those that read the fields.
    """
    cdef PyObject *plan = <PyObject *>view.plan
    cdef PyObject *names
    cdef const Component *field
    cdef const uint8_t *p
    cdef uint64_t place
    cdef int length
    cdef Py_ssize_t i
    if view.start != NULL and ((<Plan>plan).version == class_version(view) or refresh_class_version(view, <Plan>plan)):
        names = <PyObject *>(<Plan>plan).names
        place = load_word(&view.place)
        i = place >> PLACE_BITS
        # Mostly the next one, and of a primitive type: what `field_value` would do, in few steps.
        if i < (<Plan>plan).node.component_count and tuple_item(names, i) == name:
            field = (<Plan>plan).node.components + i
            p = view.content + (place & PLACE_OFFSET)
            length = short_length(p, view.end, field.identifier) if field.node.kind < KIND_SEQUENCE else -1
            if length >= 0:
                note_place(view, i + 1, p + 2 + length)
                return fast_value(field.node, p + 2, length)
            return field_value(view, i)
        for i in range((<Plan>plan).node.component_count):
            if tuple_item(names, i) == name:
                return field_value(view, i)
    return generic_attribute(view, <object>name)


cdef bint refresh_class_version(SequenceView view, Plan plan) except -1:
    """Find out whether each field is read by the attribute of its name in the class of a view as it is now.

    So it must be for a SEQUENCE whose fields stand in their order. Others take the general way.
    """
    cdef object found
    cdef Py_ssize_t i
    # That of now: a name in the class may be an object whose comparison changes the class while it is searched.
    cdef unsigned int version = class_version(view)
    # CPython gives a version with the first search.
    if version == plan.refused or version == 0:
        return False
    plan.refused = version
    if plan.node.kind != KIND_SEQUENCE or plan.node.extensible or len(plan.names) != plan.node.component_count:
        return False
    for i, name in enumerate(plan.names):
        found = class_attribute(view, name)
        if type(found) is not FieldReader or (<FieldReader>found).index != i \
                or (<FieldReader>found).plan.node.components != plan.node.components:
            return False
    plan.refused = 0
    plan.version = version
    return version == class_version(view)


cdef object field_value(SequenceView view, Py_ssize_t index):
    """The value of a field of a view that holds one: its default or None where it is absent."""
    cdef const Node *plan = &view.plan.node
    cdef const Component *field = plan.components
    cdef const Component *wanted = field + index
    cdef const Node *node = wanted.node
    cdef const uint8_t *p = view.content
    cdef const uint8_t *end = view.end
    cdef uint64_t place = load_word(&view.place)
    cdef const cache_slot_t *cache
    cdef PyObject *kept
    cdef uint8_t length
    cdef Header h
    if node.kind >= KIND_SEQUENCE:
        cache = <const cache_slot_t *>load_acquire(<void **>&view.field_cache)
        kept = NULL if cache == NULL else <PyObject *>load_acquire(<void **>&cache[index])
        if kept != NULL:
            return <object>kept
    if plan.kind != KIND_SEQUENCE or plan.extensible:
        return searched_value(view, index)
    # Fields are mostly read one after the other.
    if <Py_ssize_t>(place >> PLACE_BITS) <= index:
        field += place >> PLACE_BITS
        p += place & PLACE_OFFSET
    # Over the fields before the wanted one, as long as each has one octet of tag and one of length, as nearly all have.
    while end - p >= 2:
        if octet_at(p) != field.identifier:
            # Another field, unless this one has several tags, or one of several octets.
            if not field.optional or field.identifier == 0 or field.node.kind > KIND_SET_OF:
                break
            if field == wanted:
                return absent_value(view, index)
            field += 1
            continue
        length = octet_at(p + 1)
        if length >= 0x80 or length > end - p - 2:
            break
        if field == wanted:
            note_place(view, index + 1, p + 2 + length)
            if node.kind < KIND_SEQUENCE:
                return fast_value(node, p + 2, length)
            if node.kind == KIND_SEQUENCE:
                h.start = p
                h.content = p + 2
                h.end = p + 2 + length
                return cache_field(view, index, sequence_view_new(view.source, node, &h))
            break
        p += 2 + length
        field += 1
    return walked_value(view, index, field, p) if p < end else absent_value(view, index)


cdef object searched_value(SequenceView view, Py_ssize_t index):
    """The same of a SET, or of a SEQUENCE with unknown additions."""
    cdef Header h
    if not find_component(&view.plan.node, view.content, view.end, index, &h):
        return absent_value(view, index)
    return found_value(view, index, &h)


cdef object walked_value(SequenceView view, Py_ssize_t index, const Component *field, const uint8_t *p):
    """The same of a SEQUENCE in general, from a field on that is at `p` if it is there; as `find_component` does it."""
    cdef const Component *wanted = view.plan.node.components + index
    cdef const Node *node = wanted.node
    cdef Header h
    while p < view.end and reread_header(p, view.end, &h) == FAULT_NONE \
            and match_component(&field, wanted + 1, octet_at(p), h.tag):
        if field == wanted:
            note_place(view, index + 1, h.end)
            if node.kind < KIND_SEQUENCE:
                return fast_value(node, h.content, h.end - h.content)
            return found_value(view, index, &h)
        field += 1
        p = h.end
    return absent_value(view, index)


cdef object absent_value(SequenceView view, Py_ssize_t index):
    """The default of a field that is not there, None for one that is OPTIONAL."""
    if not view.plan.node.components[index].optional and not view.source.is_immutable():
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return view.plan.defaults[index]


cdef object found_value(SequenceView view, Py_ssize_t index, const Header *h):
    """The value of a field that was found, which the view keeps if it is worth it."""
    cdef Scope scope
    cdef const Node *node = view.plan.node.components[index].node
    scope.node = &view.plan.node
    scope.content = view.content
    scope.end = view.end
    value = make_value(view.source, node, h, &scope)
    return cache_field(view, index, value) if is_cached_kind(node.kind) else value


cdef object cache_field(SequenceView view, Py_ssize_t index, object value):
    """Keep the value of a field; the room for all of them is made with the first."""
    cdef cache_slot_t *cache = <cache_slot_t *>load_acquire(<void **>&view.field_cache)
    if cache == NULL:
        cache = field_cache_new(view.plan.node.component_count)
        if cache == NULL:
            raise MemoryError
        if not set_if_null(<void **>&view.field_cache, cache):
            field_cache_free(cache, view.plan.node.component_count)
            cache = <cache_slot_t *>load_acquire(<void **>&view.field_cache)
    return cache_value(&cache[index], value)


@cython.final
@cython.no_gc
cdef class VerbatimField:
    """A field of a proved view that `replace` copies with its tags as it stands."""
    cdef Source source
    cdef Plan plan                  # what keeps `node`
    cdef const Node *node           # the type that it was proved as
    cdef const uint8_t *start
    cdef const uint8_t *end


cdef object verbatim_field(SequenceView view, Py_ssize_t index, const Header *h):
    """What `replace` gives the writer for a field that does not change.

    Views the writer copies itself, and selectors and open types it must see; the rest goes as octets, since a value may
    not tell which alternative of a transparent CHOICE it came from.
    """
    cdef const Node *node = view.plan.node.components[index].node
    cdef VerbatimField kept
    cdef Header inner = h[0]
    cdef Scope scope
    cdef int max_depth = -1
    scope.node = &view.plan.node
    scope.content = view.content
    scope.end = view.end
    while node.kind == KIND_EXPLICIT:
        node = node.element
        if reread_header(inner.content, inner.end, &inner):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
    if is_open(node.kind) and fitting(view.source, node, &inner, &scope, &max_depth) == NULL \
            and selected(node, &scope) != NULL:
        # A mismatch that may stand there; as a value of the type that the table knows it would be another.
        return {OPAQUE: native_opaque(node, &inner)}
    if is_cached_kind(node.kind) or node.kind == KIND_OBJECT_IDENTIFIER or not view.source.is_immutable():
        return field_value(view, index)
    kept = VerbatimField.__new__(VerbatimField)
    kept.source = view.source
    kept.plan = view.plan
    kept.node = view.plan.node.components[index].node
    kept.start = h.start
    kept.end = h.end
    return kept


cdef object sequence_view_new(Source source, const Node *node, const Header *h):
    cdef PyObject *plan = <PyObject *>node.plan
    return sequence_instance(
        SequenceView, <PyObject *>(<Plan>plan).type, &blank_sequence, <PyObject *>source, plan,
        h.start, h.content, h.end)


cdef int check_layout() except -1:
    """See that views are laid out as `sequence_instance` fills them."""
    cdef SequenceView view = SequenceView.__new__(SequenceView)
    if <char *>&view.end - <char *><PyObject *>view != END_OFFSET \
            or <char *>&view.field_cache - <char *><PyObject *>view != PLACED_SIZE:
        raise SystemError("derlib was built with a Cython that lays out classes in another way")
    return 0

check_layout()


@cython.final
cdef class FieldReader:
    """The attribute of a schema class that reads one field of its views; a data descriptor that cannot be set."""
    cdef Plan plan                  # keeps the fields
    cdef const Component *components        # those that its plan had, of which there are enough for the index
    cdef object type                # the class of most views that are read; None where the plan is of another kind
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
        # The plan of a view with another tag shares its fields with the plan of the class.
        if (type(view) is not self.type and not isinstance(view, SequenceView)) or (<View>view).plan is None \
                or (<View>view).plan.node.components != self.components:
            raise TypeError(f"{self.__name__} cannot be read from {type(view).__name__}")
        return field_value(<SequenceView>view, self.index)

    def __set__(self, view, value):
        raise AttributeError(f"{type(view).__name__}.{self.__name__} cannot be set: values are immutable")

    def __delete__(self, view):
        raise AttributeError(f"{type(view).__name__}.{self.__name__} cannot be deleted: values are immutable")
