# Views of SEQUENCE and SET, and the values of their fields; attributes.pxi makes them attributes: `view.name`.
#
# A view walks its contents octets at each access. It has a bookmark after the last field that was read, because fields
# are usually read in their order. It caches only values that are views themselves or costly to make.

cdef extern from "Python.h":
    object call_with_dict "PyObject_VectorcallDict"(object called, PyObject **args, size_t nargsf, dict keywords)


@cython.no_gc
cdef class SequenceView(View):
    """The view of a SEQUENCE or SET: the base of `derlib.Sequence` and `derlib.Set`.

    >>> import derlib
    >>> issubclass(derlib.Sequence, derlib.SequenceView), issubclass(derlib.Set, derlib.SequenceView)
    (True, True)
    """
    cdef cache_slot_t *field_cache  # cached values, one slot for each field, or NULL
    cdef uint64_t bookmark          # where the next read probably starts: see `set_bookmark`

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
            # A class that is not compiled yet has no names; the plan of a class with an explicit tag contains theirs.
            plan.ready()
            while plan.node.kind == KIND_EXPLICIT:
                plan = plan_of(plan.node.element)
            given = f"{plan.names[0]}=..." if plan.names else ""
            raise TypeError(f"pass fields by name: {type(self).__name__}({given})")
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
                values[name] = verbatim_field(self, i, &h, changes)
        if self.plan.node.extensible:
            values.setdefault(ADDITIONS, self.unknown_additions)
        # `type(self)(**values)` would not use the fast constructor, `call_with_keywords`, because it is a vectorcall.
        return call_with_dict(type(self), NULL, 0, values)

    __replace__ = replace

    cdef object _with_step(self, step, value, bint as_view):
        self.index_of(step)
        return SequenceView.replace(self, **{step: value})

    @property
    def unknown_additions(self):
        """The elements after the extension marker that the schema does not define, as a tuple of `TLV` (X.680 25, 27).

        They are part of the value: `encode` writes them and `replace` keeps them.

        >>> from derlib import Sequence
        >>> class Open(Sequence, extensible=True):
        ...     x: int
        >>> Open.decode(bytes.fromhex("3006020101800102")).unknown_additions
        (TLV([0], 1 byte: 02),)
        """
        self.require_value()
        return additions_in(self.source, &self.plan.node, self.content, self.end)

    def __dealloc__(self):
        if self.field_cache != NULL:
            field_cache_free(self.field_cache, self.plan.node.component_count)

    cdef Py_ssize_t index_of(self, step) except -1:
        """Return the number of the field with a name."""
        cdef Py_ssize_t index
        self.require_value()
        index = field_named(self.plan, step)
        if index < 0:
            raise KeyError(f"{short_repr(step)} is not a field of {type(self).__name__}; "
                           f"{remedy_for_part(step, self.plan)}")
        return index

    cdef bint _find_step(self, step, bint outer, Header *h) except -1:
        cdef Py_ssize_t index = self.index_of(step)
        if not find_component(&self.plan.node, self.content, self.end, index, h):
            return False
        return step_inside(self.plan.node.components[index].node, h, outer)

    cdef object _step_value(self, step):
        return field_value(self, self.index_of(step))

    cdef object _part_value(self, Py_ssize_t index, const Header *h):
        return found_value(self, index, h)

    def __repr__(self):
        self.require_value()
        self.source.require_stack()
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
            parts.extend(short_reprs(additions[:FEW_SHOWN]))
            if len(additions) > FEW_SHOWN:
                parts.append(f"... {len(additions)} additions")
        return f"{type(self).__name__}({', '.join(parts)})"


VIEW_CLASSES[<int>KIND_SEQUENCE] = VIEW_CLASSES[<int>KIND_SET] = SequenceView


# A bookmark is the number of a field and the offset in the contents where it would start. Both share one word, so that
# no thread sees one without the other. It is a hint only: the tag at the offset decides which field is there.
cdef enum:
    BOOKMARK_BITS = 48              # the low bits are the offset
    BOOKMARK_FIELDS = 1 << 16       # the high bits are the number of the field


cdef inline Py_ssize_t bookmark_offset(uint64_t bookmark) noexcept nogil:
    """Return the offset in a bookmark."""
    return <Py_ssize_t>(bookmark & ((<uint64_t>1 << BOOKMARK_BITS) - 1))


cdef inline void set_bookmark(SequenceView view, Py_ssize_t index, const uint8_t *p) noexcept:
    """Note that field `index` may start at `p`."""
    if index < BOOKMARK_FIELDS:
        store_word(&view.bookmark, <uint64_t>index << BOOKMARK_BITS | <uint64_t>(p - view.content))


cdef void free_sequence(PyObject *self) noexcept:
    """Free a view of a class that adds nothing: see DEALLOC in core/cpython.h."""
    if not run_finalizer(self):
        return
    if (<SequenceView>self).field_cache != NULL:
        field_cache_free((<SequenceView>self).field_cache, (<SequenceView>self).plan.node.component_count)
    drop(<PyObject *>(<SequenceView>self).source)
    drop(<PyObject *>(<SequenceView>self).plan)
    free_sequence_memory(self, SequenceView)


cdef object field_value(SequenceView view, Py_ssize_t index):
    """Return the value of a field; if the field is absent, its default or None. The view has a value."""
    cdef const Node *plan = &view.plan.node
    cdef const Component *field = plan.components
    cdef const Component *wanted = field + index
    cdef const Node *node = wanted.node
    cdef const uint8_t *p = view.content
    cdef const uint8_t *end = view.end
    cdef uint64_t bookmark = load_word(&view.bookmark)
    cdef const cache_slot_t *cache
    cdef PyObject *cached
    cdef uint8_t length
    cdef Header h
    if node.kind >= KIND_SEQUENCE:
        cache = <const cache_slot_t *>load_acquire(<void **>&view.field_cache)
        cached = NULL if cache == NULL else <PyObject *>load_acquire(<void **>&cache[index])
        if cached != NULL:
            return <object>cached
    if plan.kind != KIND_SEQUENCE or plan.extensible:
        return searched_value(view, index)
    # Start at the bookmark, unless it is after the wanted field.
    if <Py_ssize_t>(bookmark >> BOOKMARK_BITS) <= index:
        field += bookmark >> BOOKMARK_BITS
        p += bookmark_offset(bookmark)
    # Skip the fields before the wanted one, while each has one identifier octet and one length octet, as nearly all do.
    while end - p >= 2:
        if octet_at(p) != field.identifier:
            # This field is absent, unless it can have several tags or a long one; `walked_value` handles those.
            if not field.optional or field.identifier == 0 or field.node.kind > KIND_SET_OF:
                break
            if field == wanted:
                set_bookmark(view, index + 1, p)
                return absent_value(view, index)
            field += 1
            continue
        length = octet_at(p + 1)
        if length >= 0x80 or length > end - p - 2:
            break
        if field == wanted:
            set_bookmark(view, index + 1, p + 2 + length)
            if node.kind < KIND_SEQUENCE:
                return fast_value(node, p + 2, length)
            set_short_header(&h, node.tag, p, length)
            if node.kind == KIND_SEQUENCE:
                return cache_field(view, index, sequence_view_new(view.source, node, &h))
            return found_value(view, index, &h)
        p += 2 + length
        field += 1
    return walked_value(view, index, field, p) if p < end else absent_value(view, index)


cdef object searched_value(SequenceView view, Py_ssize_t index):
    """Do what `field_value` does, for a SET or a SEQUENCE with unknown additions."""
    cdef Header h
    if not find_component(&view.plan.node, view.content, view.end, index, &h):
        return absent_value(view, index)
    return found_value(view, index, &h)


cdef object walked_value(SequenceView view, Py_ssize_t index, const Component *field, const uint8_t *p):
    """Do what `field_value` does, for any SEQUENCE without additions; the element at `p` is `field` or a later one."""
    cdef const Component *wanted = view.plan.node.components + index
    cdef const Node *node = wanted.node
    cdef Header h
    while p < view.end and reread_header(p, view.end, &h) == FAULT_NONE \
            and match_component(&field, wanted + 1, octet_at(p), h.tag):
        if field == wanted:
            set_bookmark(view, index + 1, h.end)
            if node.kind < KIND_SEQUENCE:
                return fast_value(node, h.content, h.end - h.content)
            return found_value(view, index, &h)
        field += 1
        p = h.end
    return absent_value(view, index)


cdef object absent_value(SequenceView view, Py_ssize_t index):
    """Return the value of an absent field: its default, or None."""
    if not view.plan.node.components[index].optional and not view.source.is_immutable():
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    # Borrowed: the plan of a view has its defaults for ever.
    return <object>tuple_item(<PyObject *>view.plan.defaults, index)


cdef object found_value(SequenceView view, Py_ssize_t index, const Header *h):
    """Return the value of a field that is present, and cache it if its kind is cached."""
    cdef Scope scope
    cdef const Node *node = view.plan.node.components[index].node
    set_scope(&scope, &view.plan.node, view.content, view.end)
    value = make_value(view.source, node, h, &scope)
    return cache_field(view, index, value) if is_cached_kind(node.kind) else value


cdef object cache_field(SequenceView view, Py_ssize_t index, object value):
    """Cache the value of a field; the first one allocates the slots of all fields."""
    cdef cache_slot_t *cache = <cache_slot_t *>load_acquire(<void **>&view.field_cache)
    if cache == NULL:
        cache = field_cache_new(view.plan.node.component_count)
        if cache == NULL:
            raise MemoryError
        if not set_if_null(<void **>&view.field_cache, cache):
            field_cache_free(cache, view.plan.node.component_count)
            cache = <cache_slot_t *>load_acquire(<void **>&view.field_cache)
    return cache_value(&cache[index], value)


cdef extern from "core/cpython.h":
    object sequence_instance "derlib_sequence"(type base, PyObject *cls, SequenceView blank)

# New views are copies of it: see TEMPLATE in core/cpython.h.
cdef SequenceView blank_sequence = SequenceView.__new__(SequenceView)
never_free(blank_sequence)


cdef object sequence_view_new(Source source, const Node *node, const Header *h):
    """Return the view of an element."""
    # No variable of type View: Cython would add a reference count for it.
    view = sequence_instance(SequenceView, <PyObject *>(<Plan>node.plan).type, blank_sequence)
    init_view(<View>view, source, node, h)
    return view
