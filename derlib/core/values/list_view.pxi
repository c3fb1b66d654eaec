# Views of SEQUENCE OF and SET OF, built for long lists, such as the entries of a CRL.
#
# Nothing is stored per element. Iteration reads one header after the other. The first random access to a long list
# makes a sparse index with the addresses of every 16th element: it takes half a byte per element, and an access skips
# at most 15 headers.

from cpython.number cimport PyNumber_AsSsize_t

from types import GenericAlias

cdef enum:
    INDEX_STEP = 16


@cython.no_gc
cdef class ListView(View):
    """The view of a SEQUENCE OF or SET OF: the base of `derlib.SequenceOf` and `derlib.SetOf`.

    >>> import derlib
    >>> issubclass(derlib.SequenceOf, derlib.ListView), issubclass(derlib.SetOf, derlib.ListView)
    (True, True)
    """
    cdef Py_ssize_t known_count     # the number of elements, or -1 before it is counted
    cdef Scope scope                # the SEQUENCE around it, for elements that are open types
    cdef Plan around                # the plan of that SEQUENCE, which the scope points into
    cdef cache_slot_t table         # the LookupTable of the first `index_by`, or NULL
    cdef const uint8_t **sparse_index       # the addresses of every INDEX_STEP-th element, or NULL before it is made

    def __cinit__(self):
        self.known_count = -1

    def __init__(self, *args, **values):
        """Build a list from an iterable of its elements.

        Raises:
            ConstraintError: an element is not a value of its type, or the number of elements violates a SIZE.
        """
        if len(args) > 1 or values:
            raise TypeError(f"pass the elements as one iterable: {type(self).__name__}([...])")
        self.build(args[0] if args else ())

    def __dealloc__(self):
        PyMem_Free(<void *>self.sparse_index)
        Py_XDECREF(self.table)

    @classmethod
    def __class_getitem__(cls, element):
        """Return a generic alias, for annotations. SequenceOf and SetOf override it, and make classes."""
        return GenericAlias(cls, element)

    def __len__(self):
        return self.counted()

    cdef Py_ssize_t counted(self) except -1:
        """Return the number of elements, for the core: a subclass can redefine `__len__`."""
        cdef Header h
        cdef const uint8_t *p = self.content
        cdef const uint8_t *end = self.end
        cdef Py_ssize_t count = load_size(&self.known_count)
        cdef uint8_t identifier
        cdef int length
        self.require_value()
        if count < 0:
            count = 0
            identifier = identifier_octet(self.plan.node.element.tag)
            while True:
                length = short_length(p, end, identifier)
                if length >= 0:
                    p += 2 + length
                elif p < end and reread_header(p, end, &h) == FAULT_NONE:
                    p = h.end
                else:
                    break
                count += 1
            store_size(&self.known_count, count)
        return count

    cdef const uint8_t **require_index(self) except NULL:
        """Return the sparse index, which the first call makes."""
        cdef Py_ssize_t count = self.counted()
        cdef Header h
        cdef const uint8_t *p = self.content
        cdef const uint8_t **index = <const uint8_t **>load_acquire(<void **>&self.sparse_index)
        cdef Py_ssize_t i = 0
        if index != NULL:
            return index
        index = <const uint8_t **>PyMem_Calloc(count // INDEX_STEP + 1, sizeof(const uint8_t *))
        if index == NULL:
            raise MemoryError
        while p < self.end and i < count and reread_header(p, self.end, &h) == FAULT_NONE:
            if i % INDEX_STEP == 0:
                index[i // INDEX_STEP] = p
            p = h.end
            i += 1
        # If a shared buffer changed, elements can be missing. Their addresses are the end of the list.
        while i < count:
            if i % INDEX_STEP == 0:
                index[i // INDEX_STEP] = self.end
            i += 1
        if not set_if_null(<void **>&self.sparse_index, <void *>index):
            PyMem_Free(<void *>index)
            index = <const uint8_t **>load_acquire(<void **>&self.sparse_index)
        return index

    cdef int find(self, Py_ssize_t i, Header *h) except -1:
        """Set `h` to element `i`, which is below the number of elements."""
        cdef const uint8_t *p
        cdef Py_ssize_t skip = i
        if i < INDEX_STEP:
            p = self.content
        else:
            p = self.require_index()[i // INDEX_STEP]
            skip = i % INDEX_STEP
        while True:
            if reread_header(p, self.end, h):
                raise fault_error(FAULT_BUFFER_CHANGED, b"")
            if skip == 0:
                return 0
            skip -= 1
            p = h.end

    cdef bint begins_element(self, const uint8_t *start) except -1:
        """Return whether an element of this list starts at `start`."""
        cdef const uint8_t **index = self.require_index()
        cdef Py_ssize_t low = 0
        cdef Py_ssize_t high = (self.counted() + INDEX_STEP - 1) // INDEX_STEP
        cdef Py_ssize_t middle
        cdef const uint8_t *p
        cdef Header h
        if high == 0:
            return False
        while high - low > 1:
            middle = (low + high) // 2
            if index[middle] <= start:
                low = middle
            else:
                high = middle
        p = index[low]
        while p < start and reread_header(p, self.end, &h) == FAULT_NONE:
            p = h.end
        return p == start

    cdef Py_ssize_t position(self, step) except -1:
        """Return the number of the element at a caller's index; a negative index counts from the end."""
        if not isinstance(step, int):
            raise KeyError(f"{short_repr(step)} is not an index of {type(self).__name__}")
        cdef Py_ssize_t count = self.counted()
        # Convert it before comparing: a subclass of int can redefine its comparisons.
        cdef Py_ssize_t i = PyNumber_AsSsize_t(step, IndexError)
        if i < 0:
            i += count
        if not 0 <= i < count:
            raise IndexError(f"{type(self).__name__} index out of range")
        return i

    def __getitem__(self, step):
        if isinstance(step, slice):
            return self.elements(step)
        if not isinstance(step, int):
            remedy = "; get(...) finds an element" if hasattr(type(self), "get") else ""
            raise TypeError(f"{type(self).__name__} indexes are integers or slices, not {type(step).__name__}{remedy}")
        return self.element_at(self.position(step))

    cdef object element_at(self, Py_ssize_t i):
        """Return element `i`, which is below the number of elements."""
        cdef Header h
        self.find(i, &h)
        return element_value(self, &h)

    cdef tuple elements(self, slice wanted):
        """Return the elements of a slice as a tuple; consecutive ones in one walk."""
        cdef Header h
        cdef Py_ssize_t first
        cdef Py_ssize_t i
        cdef list values = []
        if wanted.start is None and wanted.stop is None and wanted.step is None:
            # Not through `__iter__`, which a subclass can redefine.
            return tuple(self.iterator())
        numbers = range(*wanted.indices(self.counted()))
        if numbers.step == 1 and len(numbers):
            first = numbers.start
            self.find(first, &h)
            for i in range(len(numbers)):
                if i > 0 and reread_header(h.end, self.end, &h):
                    raise fault_error(FAULT_BUFFER_CHANGED, b"")
                values.append(element_value(self, &h))
        else:
            for i in numbers:
                values.append(self.element_at(i))
        return tuple(values)

    def __iter__(self):
        return self.iterator()

    cdef ListIterator iterator(self):
        cdef ListIterator iterator = ListIterator.__new__(ListIterator)
        self.require_value()
        iterator.view = self
        iterator.node = self.plan.node.element
        iterator.identifier = identifier_octet(iterator.node.tag) if iterator.node.kind <= KIND_SEQUENCE else 0
        iterator.p = self.content
        iterator.end = self.end
        return iterator

    def __reversed__(self):
        return (self.element_at(i) for i in range(self.counted() - 1, -1, -1))

    def __contains__(self, value):
        cdef int kind
        self.require_value()
        kind = self.plan.node.element.kind
        if (kind in (KIND_SEQUENCE, KIND_SET, KIND_CHOICE, KIND_OBJECT_IDENTIFIER)
                and isinstance(value, (int, str, bytes, type, ObjectIdentifier))
                and not (kind == KIND_OBJECT_IDENTIFIER and isinstance(value, ObjectIdentifier))):
            # Not False: `serial_number in crl.revoked_certificates` would say that no certificate is revoked.
            raise self.never_an_element(value, kind)
        for element in self:
            if element is value or element == value:
                return True
        return False

    cdef object never_an_element(self, value, int kind):
        """Return the error for `in` with a value that cannot be an element of this kind."""
        cdef Plan element = plan_of(self.plan.node.element)
        given = value.__name__ if isinstance(value, type) else short_repr(value)
        hint = ""
        if hasattr(type(self), "get"):
            hint = "; get(...) finds elements"
        elif kind == KIND_CHOICE:
            hint = f"; build one, such as {element.name}({element.names[0]}=...)"
        elif element.names:
            hint = f"; index_by({element.names[0]!r}) finds elements"
        return TypeError(f"{given} cannot be an element of this list: elements are {element.name} values{hint}")

    def index(self, value, start=0, stop=None):
        """Return the index of the first element that equals `value`, or raise `ValueError`."""
        for i in range(*slice(start, stop).indices(self.counted())):
            if self.element_at(i) == value:
                return i
        raise ValueError(f"the value is not in this {type(self).__name__}")

    def index_by(self, field):
        """Return a `Lookup`, which finds elements by the value of one of their fields.

        The list caches the index of the first field that you pass.

        Args:
            field: the name of a field of the elements, which must be `Sequence` or `Set` values.

        Raises:
            SchemaError: the elements have no such field, or the field is an open type.

        >>> from derlib import Sequence, SequenceOf
        >>> class Entry(Sequence):
        ...     number: int
        >>> SequenceOf[Entry]([{"number": 7}, {"number": 9}]).index_by("number").find(9)
        Entry(number=9)
        """
        return lookup_new(self, index_of_list(self, field))

    def find_by(self, field, value):
        """Return the first element whose field has this value, or None.

        This reads the list up to that element. To search a long list several times, use `index_by`, which compares
        values as this does. An absent field has the value of its DEFAULT, and if it is OPTIONAL, no value.

        Args:
            field: the name of a field of the elements, which must be `Sequence` or `Set` values.
            value: the value of the field, not None.

        Raises:
            SchemaError: the elements have no such field, or the field is an open type.
            ConstraintError: the field cannot have such a value.

        >>> from derlib import Sequence, SequenceOf
        >>> class Entry(Sequence):
        ...     number: int
        >>> entries = SequenceOf[Entry]([{"number": 7}, {"number": 9}])
        >>> entries.find_by("number", 9), entries.find_by("number", 8)
        (Entry(number=9), None)
        """
        cdef Py_ssize_t number = lookup_field(self, field)
        return first_element_with(self, number, contents_of_value(plan_of(self.plan.node.element).plans[number], value))

    def count(self, value):
        """Return the number of elements that equal `value`."""
        return sum(1 for element in self if element == value)

    cdef bint _find_step(self, step, bint outer, Header *h) except -1:
        self.find(self.position(step), h)
        return step_inside(self.plan.node.element, h, outer)

    cdef object _part_value(self, Py_ssize_t index, const Header *h):
        return element_value(self, h)

    cdef object _step_value(self, step):
        return self.element_at(self.position(step))

    cdef object _with_step(self, step, value, bint as_view):
        """Return a list of the other elements and the new one. The list around it encodes it, with the selector."""
        cdef Header h
        cdef Py_ssize_t i
        cdef Py_ssize_t changed = self.position(step)
        cdef const uint8_t *p = self.content
        cdef list elements = []
        for i in range(self.counted()):
            if reread_header(p, self.end, &h):
                raise fault_error(FAULT_BUFFER_CHANGED, b"")
            elements.append(value if i == changed else verbatim_element(self, &h))
            p = h.end
        return type(self)(elements) if as_view else elements

    cdef object element_repr(self, Py_ssize_t i):
        """Return the repr of element `i`, or its contents octets if `datetime` cannot represent it."""
        try:
            return short_repr(self.element_at(i))
        except _errors.UnrepresentableError:
            return f"<{short_repr(self.raw(i).tobytes())}>"

    def __repr__(self):
        cdef Py_ssize_t count = self.counted()
        cdef Py_ssize_t i
        cdef list parts = []
        for i in range(min(count, FEW_SHOWN)):
            parts.append(self.element_repr(i))
        if count > FEW_SHOWN:
            parts.append(f"... {count} in all")
        return f"{type(self).__name__}([{', '.join(parts)}])"


VIEW_CLASSES[<int>KIND_SEQUENCE_OF] = VIEW_CLASSES[<int>KIND_SET_OF] = ListView


cdef inline object element_value(ListView view, const Header *h):
    """Return the value of the element at `h`."""
    cdef const Node *node = view.plan.node.element
    if node.tag == h.tag:
        if node.kind < KIND_SEQUENCE:
            return fast_value(node, h.content, h.end - h.content)
        if node.kind == KIND_SEQUENCE:
            return sequence_view_new(view.source, node, h)
    elif not accepts(node, h.tag):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    return make_value(view.source, node, h, &view.scope if view.scope.node != NULL else NULL)


cdef void free_list(PyObject *self) noexcept:
    """Free a list of a class that adds nothing: see DEALLOC in core/cpython.h."""
    if not run_finalizer(self):
        return
    PyMem_Free(<void *>(<ListView>self).sparse_index)
    Py_XDECREF((<ListView>self).table)
    drop(<PyObject *>(<ListView>self).source)
    drop(<PyObject *>(<ListView>self).plan)
    drop(<PyObject *>(<ListView>self).around)
    free_list_memory(self, ListView)


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class ListIterator:
    """An iterator over the elements of a list."""
    cdef ListView view
    cdef const Node *node           # the type of the elements
    cdef uint8_t identifier         # the identifier octet of primitive elements and SEQUENCEs, else 0
    cdef const uint8_t *p           # the next element; both NULL without a view
    cdef const uint8_t *end

    def __iter__(self):
        return self

    def __next__(self):
        # Read once: other threads may advance this iterator at any time. Each gets elements of the list, some twice.
        cdef const uint8_t *p = load_place(&self.p)
        cdef int length = short_length(p, self.end, self.identifier)
        cdef Header h
        if length >= 0:
            store_place(&self.p, p + 2 + length)
            if self.node.kind < KIND_SEQUENCE:
                return fast_value(self.node, p + 2, length)
            h.start = p
            h.content = p + 2
            h.end = p + 2 + length
            return sequence_view_new(self.view.source, self.node, &h)
        if p >= self.end:
            raise StopIteration
        return self.element(p)

    cdef object element(self, const uint8_t *p):
        """Return the element at `p`, not at `self.p`, which another thread may have advanced."""
        cdef Header h
        if reread_header(p, self.end, &h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        store_place(&self.p, h.end)
        return element_value(self.view, &h)


cdef extern from "core/cpython.h":
    object list_instance "derlib_list"(type base, PyObject *cls, ListView blank)

# New views are copies of it: see TEMPLATE in core/cpython.h.
cdef ListView blank_list = ListView.__new__(ListView)
never_free(blank_list)


cdef object list_view_new(Source source, const Node *node, const Header *h, const Scope *scope):
    """Return the view of an element, with the SEQUENCE around it if its elements can be open types."""
    cdef ListView view = <ListView>list_instance(ListView, <PyObject *>(<Plan>node.plan).type, blank_list)
    init_view(view, source, node, h)
    if scope != NULL:
        view.scope = scope[0]
        view.around = plan_of(scope.node)
    return view
