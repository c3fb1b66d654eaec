# Values as plain Python data, for `View.to_native`, or as data for JSON, for `View.to_json`.
#
# docs/native-and-json.md lists the conversion of each type. The writer accepts the result, and encodes it to the same
# octets. So an ambiguous value is marked: an alternative of a transparent CHOICE with its name, an opaque value of a
# known type with OPAQUE.

cdef enum:
    # The elements of lists of this length and longer are converted on access.
    LAZY_FROM = 256

cdef enum:
    # The form of the data: for JSON; with names of OBJECT IDENTIFIERs. 0 is plain Python data.
    FORM_JSON = 1
    FORM_NAMES = 2

# The key of a value that is given as octets although the table of its open type has a type for it.
OPAQUE = "$opaque"


def native_of(View view not None, bint json=False, bint names=False):
    """Return a view as plain Python data, or as data for JSON; with `names`, OBJECT IDENTIFIERs by their names."""
    cdef int form = (FORM_JSON if json else 0) | (FORM_NAMES if names else 0)
    cdef Plan plan = own_plan(view)
    cdef Header h
    if not view.source.is_immutable():
        # Copy it: the recursion below relies on the nesting depth that was validated.
        view = decode_plan(plan, view.encode(), True, *options_for(view.source, view.start, view.end))
    h = view.header()
    while plan.node.kind == KIND_EXPLICIT:
        plan = plan_of(plan.node.element)
    # Without a scope: `from_native` of the class has no selector around the value either.
    return native_value(view.source, &plan.node, &h, NULL, form)


cdef object native_value(Source source, const Node *node, const Header *h, const Scope *scope, int form):
    """Return a validated element as plain data. The check has bounded the depth of this recursion."""
    cdef int kind
    cdef Header child
    cdef Py_ssize_t index
    # A loop, not a recursion: explicit tags count as levels of nesting, and would double the use of the C stack.
    while node.kind == KIND_EXPLICIT:
        if reread_header(h.content, h.end, &child):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        node = node.element
        h = &child
    kind = node.kind
    if not form & FORM_JSON and (kind == KIND_UTF8_STRING or kind == KIND_INTEGER or kind == KIND_OCTET_STRING):
        return fast_value(node, h.content, h.end - h.content)
    elif kind == KIND_SEQUENCE or kind == KIND_SET:
        return native_fields(source, node, h, form)
    elif is_list(kind):
        return native_list(list_view_new(source, node, h, scope), form)
    elif kind == KIND_CHOICE:
        index = find_alternative(node, h.tag)
        if index < 0:
            return {OPAQUE: native_octets(h.start, h.end, form & FORM_JSON)}
        value = native_value(source, node.components[index].node, h, scope, form)
        return {plan_of(node).names[index]: value}
    elif kind == KIND_UNION:
        return native_union(source, node, h, scope, form)
    elif is_open(kind):
        return native_open(source, node, h, scope, form)
    elif kind == KIND_ANY:
        return native_octets(h.start, h.end, form & FORM_JSON)
    if kind == KIND_OBJECT_IDENTIFIER and form & FORM_NAMES:
        return named_oid(primitive_value(node, h.content, h.end - h.content))
    return TYPES[kind].to_native(node, h.content, h.end - h.content, form & FORM_JSON)


cdef dict native_fields(Source source, const Node *node, const Header *h, int form):
    """Return a SEQUENCE or SET by field name, with its defaults, and without absent fields."""
    cdef Plan plan = plan_of(node)
    cdef Header child
    cdef Scope scope
    cdef Source defaults
    cdef Py_ssize_t i
    cdef const uint8_t *p = h.content
    cdef bint ordered = node.kind == KIND_SEQUENCE and not node.extensible
    cdef bint present
    cdef dict values = {}
    source.require_stack()
    set_scope(&scope, node, h.content, h.end)
    for i in range(node.component_count):
        if ordered:
            # The next element is the next component, or one after it: each component is tried once. A walk with
            # `next_component` would need more of the C stack at each level of nesting.
            present = p < h.end and reread_header(p, h.end, &child) == FAULT_NONE \
                and accepts(node.components[i].node, child.tag)
            if present:
                p = child.end
        else:
            present = find_component(node, h.content, h.end, i, &child)
        if present:
            values[plan.names[i]] = native_value(source, node.components[i].node, &child, &scope, form)
        elif node.components[i].default != NULL:
            encoding = (<const char *>node.components[i].default)[:node.components[i].default_length]
            defaults = source_new(encoding, True, False)
            reread_header(defaults.base, defaults.base + defaults.size, &child)
            # The input bounds the depth of all other parts. A default can contain itself, in an open type.
            enter_recursive_call(b" while a default value is converted")
            try:
                values[plan.names[i]] = native_value(defaults, node.components[i].node, &child, &scope, form)
            finally:
                leave_recursive_call()
    if node.extensible:
        additions = native_additions(source, node, h, form & FORM_JSON)
        if additions:
            values[ADDITIONS] = additions
    if form & FORM_NAMES and is_named_pair(node):
        return pair_by_name(plan, values)
    return values


cdef object named_oid(ObjectIdentifier oid):
    """Return the usual name of an OBJECT IDENTIFIER, or the dotted form if no name leads back to it."""
    dotted = oid.dotted
    name = _oids.usual_name_of(dotted)
    return name if name[:1].isalpha() else dotted


cdef bint is_named_pair(const Node *node) noexcept nogil:
    """Return whether a type is a SEQUENCE of an OBJECT IDENTIFIER and of what it selects, such as an attribute.

    With names, a value is written as {name: value}.
    """
    cdef const Node *value
    if node.kind != KIND_SEQUENCE or node.extensible or node.component_count != 2 \
            or node.components[0].node.kind != KIND_OBJECT_IDENTIFIER \
            or node.components[0].optional or node.components[1].optional:
        return False
    value = node.components[1].node
    while value.kind == KIND_EXPLICIT or is_list(value.kind):
        value = value.element
    return is_open(value.kind) and value.selector_length == 1 and value.selector[0] == 0


def is_pair(Plan plan not None):
    """Return whether data with names have values of a type as {name: value}: see `is_named_pair`."""
    plan.prepared()
    return is_named_pair(&plan.node)


cdef dict pair_by_name(Plan plan, dict values):
    """Return the fields of such a SEQUENCE as {name: value}."""
    selector, value = plan.names
    name = values[selector]
    if name in plan.names:
        name = _oids.find_oid(name)
    return {name: values[value]}


cdef object native_list(ListView view, int form):
    """Return a list of the elements; a NativeList if there are many."""
    cdef NativeList lazy
    cdef Header h
    cdef const uint8_t *p = view.content
    cdef list values
    if form & FORM_JSON or view.counted() < LAZY_FROM:
        values = []
        while p < view.end:
            if reread_header(p, view.end, &h):
                raise fault_error(FAULT_BUFFER_CHANGED, b"")
            p = h.end
            values.append(native_element(view, &h, form))
        return values
    lazy = NativeList.__new__(NativeList)
    lazy.view = view
    lazy.form = form
    return lazy


def native_elements(ListView view, int form):
    """Iterate over the elements of a list as plain data."""
    cdef Header h
    cdef const uint8_t *p = view.content
    while p < view.end:
        if reread_header(p, view.end, &h):
            raise fault_error(FAULT_BUFFER_CHANGED, b"")
        p = h.end
        yield native_element(view, &h, form)


cdef inline object native_element(ListView view, const Header *h, int form):
    """Return an element of a list as plain data."""
    return native_value(view.source, view.plan.node.element, h, &view.scope if view.scope.node != NULL else NULL, form)


cdef object native_open(Source source, const Node *node, const Header *h, const Scope *scope, int form):
    """Return the value of an open type as plain data."""
    cdef int max_depth = -1
    cdef const Node *target = matched_type(source, node, h, scope, &max_depth)
    cdef const uint8_t *p = h.content
    cdef Header child
    if max_depth >= 0:
        source = source.inside_opaque_entry(max_depth)
    if target == NULL:
        value = native_opaque(node, h, form)
        return value if selected(node, scope) == NULL else {OPAQUE: value}
    if node.kind == KIND_OPEN:
        child = h[0]
    elif reread_header(p + (node.kind == KIND_OPEN_BITS), h.end, &child):
        raise fault_error(FAULT_BUFFER_CHANGED, b"")
    value = native_value(source, target, &child, NULL, form)
    if (max_depth >= 0 or node.kind == KIND_OPEN) and opaque_of(value) is not None:
        # The value is an unknown alternative, marked as opaque. The mark would be read as that of the open type, so
        # give the whole open type as octets.
        return {OPAQUE: native_opaque(node, h, form)}
    return value


cdef object native_opaque(const Node *node, const Header *h, int form=0):
    """Return the octets of an opaque value: the element, or the contents of the string."""
    if node.kind == KIND_OPEN_BITS:
        return bit_string_native(node, h.content, h.end - h.content, form & FORM_JSON)
    return native_octets(h.start if node.kind == KIND_OPEN else h.content, h.end, form & FORM_JSON)


# Transparent CHOICEs: whether the value alone identifies the alternative.

cdef enum Family:
    FAMILY_NONE         # an alternative is constructed or an open type
    FAMILY_MIXED        # primitive types of several kinds
    FAMILY_STRINGS      # character strings
    FAMILY_TIMES


cdef int union_family(const Node *node) noexcept:
    """Return what the alternatives of a transparent CHOICE have in common."""
    cdef Py_ssize_t i
    cdef int kind
    cdef int own
    cdef int family = FAMILY_NONE
    for i in range(node.component_count):
        kind = without_tags(node.components[i].node).kind
        if kind >= KIND_SEQUENCE:
            return FAMILY_NONE
        if is_character_string(kind):
            own = FAMILY_STRINGS
        elif kind == KIND_UTC_TIME or kind == KIND_GENERALIZED_TIME:
            own = FAMILY_TIMES
        else:
            own = FAMILY_MIXED
        family = own if i == 0 or family == own else FAMILY_MIXED
    return family


def union_reads_plain(Plan plan not None):
    """Return whether JSON can have a value of this transparent CHOICE without its name: see `native_union`."""
    return plan.node.kind == KIND_UNION and union_family(&plan.node) >= FAMILY_STRINGS


cdef bint is_plain_time(const Node *node, Py_ssize_t index, const Header *h) noexcept:
    """Return whether a value of a CHOICE is a UTCTime in DER that needs no name: the writer chooses it for its year."""
    cdef const Node *alternative = node.components[index].node
    cdef Py_ssize_t i
    if node.kind != KIND_UNION or alternative.kind != KIND_UTC_TIME or alternative.constraints != NULL \
            or union_family(node) != FAMILY_TIMES:
        return False
    for i in range(index):
        if node.components[i].node.kind == KIND_UTC_TIME:
            return False
    # Longer identifier and length octets, which can be tolerated, are left to the writer.
    return h.content - h.start == 2 and utc_time_check(h.content, h.end - h.content) == FAULT_NONE


cdef object native_union(Source source, const Node *node, const Header *h, const Scope *scope, int form):
    """Return the value alone if the writer would choose the same alternative for it, else {name of alternative: value}.

    A constructed value always has the name, because the test would have to encode all of its parts. In JSON, bytes and
    OBJECT IDENTIFIERs are strings as well, so the name is omitted only if all alternatives read a string in the same
    way.
    """
    cdef Py_ssize_t index = find_alternative(node, h.tag)
    cdef const Node *alternative = node.components[index].node
    cdef int family = union_family(node)
    cdef Writer w
    if is_plain_time(node, index, h):
        return native_value(source, alternative, h, scope, form)
    value = native_value(source, alternative, h, scope, form)
    if family >= <int>(FAMILY_STRINGS if form & FORM_JSON else FAMILY_MIXED):
        w = Writer()
        plain = value
        if form & FORM_JSON and family != FAMILY_STRINGS:
            plain = native_value(source, alternative, h, scope, 0)
        try:
            write_union(w, node, plain, NULL)
        except (_errors.ConstraintError, _errors.EncodeError):
            # A list of named bits, which more than one alternative accepts; or an arc beyond the default limit.
            return {plan_of(node).names[index]: value}
        if w.written() == h.end - h.start and memcmp(w.base + w.at, h.start, w.written()) == 0:
            return value
    return {plan_of(node).names[index]: value}


@cython.final
cdef class NativeList:
    """A read-only sequence of the elements of a long list as plain data, converted on access."""
    cdef ListView view
    cdef int form

    def __init__(self, *args, **kwargs):
        raise TypeError("to_native() creates NativeList values")

    cdef int require_value(self) except -1:
        """Raise TypeError if this NativeList was made by `__new__` alone."""
        if self.view is None:
            raise TypeError("this NativeList has no list: to_native() creates NativeList values")
        return 0

    def __len__(self):
        self.require_value()
        return self.view.counted()

    def __getitem__(self, step):
        cdef Header h
        self.require_value()
        if isinstance(step, slice):
            return list(map(self.__getitem__, range(*step.indices(self.view.counted()))))
        if not isinstance(step, int):
            raise TypeError(f"list indexes are integers or slices, not {type(step).__name__}")
        self.view.find(self.view.position(step), &h)
        return native_element(self.view, &h, self.form)

    def __iter__(self):
        self.require_value()
        return native_elements(self.view, self.form)

    def __reversed__(self):
        return (self[i] for i in range(len(self) - 1, -1, -1))

    def __contains__(self, value):
        return any(element == value for element in self)

    def index(self, value, start=0, stop=None):
        """Return the index of the first element that equals `value`, or raise `ValueError`."""
        for i in range(*slice(start, stop).indices(len(self))):
            if self[i] == value:
                return i
        raise ValueError("the value is not in this list")

    def count(self, value):
        """Return the number of elements that equal `value`."""
        return sum(1 for element in self if element == value)

    def __eq__(self, other):
        if not isinstance(other, (list, NativeList)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def __repr__(self):
        return f"NativeList([{', '.join(short_reprs(self[:3]))}, ... {len(self)} in all])"

    def __reduce__(self):
        return list, (list(self),)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self
