# Plans: the Python handles of nodes.
#
# A plan is made empty and filled later, so that a type may refer to itself; copies with another tag or constraint
# (`derived`) are filled together with their original.

from cpython.mem cimport PyMem_Calloc, PyMem_Free

from sys import intern


@cython.final
cdef class Plan:
    """One compiled type, made by `derlib._compile`. Schemas are checked there; here, only what memory depends on.

    Args:
        kind: a primitive `Kind`, or `KIND_EMPTY` for a plan that is filled later.
        name: how messages call the type.
        tag: its tag as a number (see `tag_number`), or None where its elements have no single tag.
        type: the Python class of its values where the core has to make instances of it.
    """
    cdef Node node
    cdef readonly str name
    cdef readonly object type
    cdef readonly tuple names           # of fields
    cdef readonly tuple defaults        # values of fields that are left out
    cdef readonly tuple plans           # of fields
    cdef readonly object table          # of an open type
    cdef readonly tuple excluded        # of an extensible CHOICE: tags that its unknown alternatives cannot have
    cdef dict members                   # of an enumeration: int to member
    cdef dict keep                      # what the pointers in the node point into
    cdef list copies                    # derived plans, to be filled with this one
    cdef object first_use               # see `compiler`
    cdef void *waiting                  # the same, NULL where there is none; read without a lock
    cdef RuleLink link                  # the rule of this plan itself
    cdef bint sealed                    # complete: nodes elsewhere rely on what it holds
    cdef bint direct                    # sealed, and of values that `construct` can build
    cdef unsigned int version           # that of the class in which each field is read by the attribute of its name
    cdef unsigned int refused           # the one in which that is not so, as far as was looked
    cdef int straight                   # whether its values may go the straight way of the writer, 0 while not known

    def __cinit__(self, int kind, str name not None, tag=None, object type=None):
        # 0 and not KIND_EMPTY: with a member of an enum, C compares unsigned numbers, and a negative one is none of them.
        if not (0 <= kind < KIND_SEQUENCE or kind == KIND_ANY):
            raise _errors.SchemaError(f"kind {kind} is given when the plan of {name} is filled")
        # No class has this one.
        self.version = <unsigned int>-1
        self.keep = {}
        self.copies = []
        self.excluded = ()
        self.name = name
        self.type = type
        self.node.kind = kind
        self.node.tag = NO_TAG if tag is None else <tag_t>tag
        self.node.by_tag = NO_ALTERNATIVES
        self.node.plan = <void *>self
        look_at_contents(&self.node)

    @property
    def compiler(self):
        """What compiles this plan at first use: called once, with the plan; None when that is done."""
        cdef object compiler
        with cython.critical_section(self):
            compiler = self.first_use
        return compiler

    @compiler.setter
    def compiler(self, compiler):
        with cython.critical_section(self):
            self.first_use = compiler
            # Who sees that nothing waits also sees all that was filled.
            publish_pointer(&self.waiting, NULL if compiler is None else <void *>compiler)

    @property
    def kind(self):
        return self.node.kind

    @property
    def tag(self):
        return None if self.node.tag == NO_TAG else self.node.tag

    @property
    def size(self):
        """The SIZE constraint as (low, high), high None for MAX; None where there is none."""
        if not self.node.sized:
            return None
        return self.node.size_low, None if self.node.size_high == PY_SSIZE_T_MAX else self.node.size_high

    @property
    def range(self):
        """The value range as (low, high), None for MIN or MAX; None where there is none."""
        if not self.node.ranged:
            return None
        return (None if self.node.low == NULL else integer_decode(self.node.low, self.node.low_length),
                None if self.node.high == NULL else integer_decode(self.node.high, self.node.high_length))

    @property
    def insertion(self):
        """Of an extensible type: the number of the field before which unknown additions stand; else None."""
        return self.node.insertion if self.node.extensible else None

    @property
    def optional(self):
        """Whether each field may be absent, being OPTIONAL or DEFAULT."""
        return tuple(bool(self.node.fields[i].optional) for i in range(self.node.count))

    @property
    def default_octets(self):
        """The encoding of the DEFAULT of each field, None where it has none."""
        cdef Py_ssize_t i
        return tuple([
            None if self.node.fields[i].default == NULL
            else (<const char *>self.node.fields[i].default)[:self.node.fields[i].default_length]
            for i in range(self.node.count)
        ])

    @property
    def one_of(self):
        return self.node.one_of

    @property
    def selector(self):
        """Of an open type: the numbers of the fields that lead to its OBJECT IDENTIFIER, none where nothing selects."""
        return tuple(self.node.selector[i] for i in range(self.node.selector_length))

    @property
    def element(self):
        return self.keep.get("element")

    @property
    def alternatives(self):
        """Every tag that an element may begin with: (tag, number of the alternative)."""
        return tuple(
            (self.node.alternatives[i].tag, self.node.alternatives[i].index)
            for i in range(self.node.alternatives_count) if self.node.alternatives[i].index >= 0
        )

    def derived(self, tag=None, str name=None):
        """A copy that shares all but its tag and constraints, and is filled when this plan is."""
        cdef Plan plan = Plan(KIND_EMPTY, name or self.name, None, self.type)
        self.copies.append(plan)
        self._fill_copy(plan)
        plan.node.tag = self.node.tag if tag is None else <tag_t>tag
        return plan

    cdef int _fill_copy(self, Plan plan) except -1:
        """Copy to `plan` all that is not its tag, name or constraint."""
        cdef Node kept = plan.node
        plan.node = self.node
        plan.node.plan = <void *>plan
        plan.node.tag = kept.tag
        if kept.sized:
            narrow_size(&plan.node, kept.size_low, kept.size_high)
        if kept.ranged:
            plan.node.ranged = True
            plan.node.low = kept.low
            plan.node.low_length = kept.low_length
            plan.node.high = kept.high
            plan.node.high_length = kept.high_length
        if plan.link.rule != NULL:
            # X.680 50.2: constraints one upon the other hold together.
            plan.link.next = self.node.rules
            plan.node.rules = &plan.link
        plan.node.constrained = plan.node.sized or plan.node.rules != NULL
        look_at_contents(&plan.node)
        plan.names = self.names
        plan.defaults = self.defaults
        plan.plans = self.plans
        plan.table = self.table
        plan.members = self.members
        plan.keep = {**self.keep, **plan.keep, "base": self}
        for further in plan.copies:
            plan._fill_copy(further)
        return 0

    def seal(self):
        """Refuse further changes."""
        self.sealed = True
        if self.node.kind == KIND_SEQUENCE and self.node.extensible:
            note_known(&self.node, <uint64_t *>self.node.known)

    cdef int _open_to_change(self, int kind) except -1:
        """Whether this plan may be filled, as this kind: its views must be of the class that the kind's code makes."""
        cdef object base = object
        if kind == KIND_SEQUENCE or kind == KIND_SET:
            base = SequenceView
        elif kind == KIND_CHOICE:
            base = ChoiceView
        elif is_list(kind):
            base = ListView
        if self.sealed or (base is not object and not (isinstance(self.type, type) and issubclass(self.type, base))):
            raise _errors.SchemaError(f"the plan of {self.name} cannot be filled again, or not as this kind")
        return 0

    cdef int _filled(self) except -1:
        look_at_contents(&self.node)
        for plan in self.copies:
            self._fill_copy(plan)
        return 0

    cdef void *_array(self, str key, Py_ssize_t count, Py_ssize_t size) except NULL:
        """Zeroed memory that lives as long as this plan and its copies."""
        cdef bytearray memory = bytearray(max(count, 1) * size)
        self.keep[key] = memory
        return <void *><char *>memory

    cdef const uint8_t *_octets(self, str key, bytes octets) except NULL:
        self.keep[key] = octets
        return <const uint8_t *><const char *>octets

    def set_fields(self, int kind, tuple names, tuple plans, tuple optional, tuple defaults):
        """Make this the plan of a SEQUENCE, SET or CHOICE with these fields."""
        cdef Py_ssize_t i
        cdef Py_ssize_t count = len(names)
        cdef Py_ssize_t needed = 0
        cdef Field *fields
        self._open_to_change(kind)
        if not count == len(plans) == len(optional) == len(defaults) or not (
                is_choice(kind) or kind == KIND_SEQUENCE or kind == KIND_SET):
            raise _errors.SchemaError(f"the fields of {self.name} do not match")
        fields = <Field *>self._array("fields", count, sizeof(Field))
        for i in range(count):
            fields[i].node = &(<Plan?>plans[i]).node
            fields[i].optional = optional[i]
            if not optional[i]:
                needed = i + 1
            # Plans have their tag from the beginning.
            fields[i].identifier = identifier_octet(fields[i].node.tag)
        # As code has the names of attributes: one object for each.
        self.names = tuple([intern(name) if type(name) is str else name for name in names])
        self.plans = plans
        self.defaults = defaults
        self.node.kind = kind
        self.node.count = count
        self.node.fields = fields
        self.node.needed = needed
        self._filled()

    def set_default(self, Py_ssize_t index, bytes octets, value):
        """Give field `index` its DEFAULT value, and the encoding of that, tags included."""
        cdef Field *field
        if self.sealed or octets is None or not 0 <= index < self.node.count:
            raise _errors.SchemaError(f"{self.name} takes no default for field {index}")
        field = <Field *>&self.node.fields[index]
        field.default = self._octets(f"default {index}", octets)
        field.default_length = len(octets)
        self.defaults = (*self.defaults[:index], value, *self.defaults[index + 1:])
        self._filled()

    def set_one_of(self, Py_ssize_t count):
        """Of the first `count` components of this SEQUENCE, which are OPTIONAL, one at least must be there."""
        if self.node.kind != KIND_SEQUENCE or not 0 < count <= self.node.count:
            raise _errors.SchemaError(f"{self.name} has no {count} components")
        self.node.one_of = count
        self._filled()

    def set_extensible(self, Py_ssize_t insertion):
        """Say that unknown additions may stand before field `insertion` (X.680 25, 27, 29, 20)."""
        if self.sealed or not 0 <= insertion <= self.node.count:
            raise _errors.SchemaError(f"{self.name} has no place {insertion} for additions")
        self.node.extensible = True
        self.node.insertion = insertion
        # Filled when the tags of all fields are known.
        self.node.known = <const uint64_t *>self._array("known", KNOWN_WORDS, sizeof(uint64_t))
        self._filled()

    def set_rfc5280_time(self):
        """Have the writer choose between the times of this union as RFC 5280 4.1.2.5 does."""
        if self.sealed or self.node.kind != KIND_UNION:
            raise _errors.SchemaError(f"{self.name} is no union of times")
        self.node.rfc5280_time = True
        self._filled()

    def set_alternatives(self, list pairs):
        """Say which tags select which field of a CHOICE."""
        cdef Py_ssize_t i
        cdef Alternative *alternatives = <Alternative *>self._array("alternatives", len(pairs), sizeof(Alternative))
        cdef int32_t *by_tag = <int32_t *>self._array("by_tag", ONE_OCTET_TAGS, sizeof(int32_t))
        if self.sealed:
            raise _errors.SchemaError(f"the plan of {self.name} is complete")
        memcpy(by_tag, NO_ALTERNATIVES, sizeof(NO_ALTERNATIVES))
        for i, (tag, index) in enumerate(pairs):
            if not 0 <= index < self.node.count:
                raise _errors.SchemaError(f"{self.name} has no alternative {index}")
            alternatives[i].tag = tag
            alternatives[i].index = index
            if tag < ONE_OCTET_TAGS:
                by_tag[<tag_t>tag] = index
        self.node.alternatives = alternatives
        self.node.alternatives_count = len(pairs)
        self.node.by_tag = by_tag
        self._filled()

    def exclude_alternatives(self, Py_ssize_t index, tuple tags not None):
        """Say which tags, in either form, unknown alternatives of field `index` cannot have (X.680 25.6, 52.7).

        The field is an extensible CHOICE. It gets a plan of its own, since the tags belong to the fields beside it.
        """
        cdef Plan plan
        if self.sealed or not 0 <= index < self.node.count \
                or not (is_choice(self.node.fields[index].node.kind) and self.node.fields[index].node.extensible):
            raise _errors.SchemaError(f"field {index} of {self.name} is no extensible CHOICE")
        plan = (<Plan>self.plans[index]).derived()
        plan.exclude(tags)
        (<Field *>self.node.fields)[index].node = &plan.node
        self.plans = (*self.plans[:index], plan, *self.plans[index + 1:])
        self._filled()

    cdef int exclude(self, tuple tags) except -1:
        """Add tags that are no alternatives to those of a derived plan."""
        cdef Py_ssize_t i = self.node.alternatives_count
        cdef const Alternative *known = self.node.alternatives
        cdef const int32_t *known_by_tag = self.node.by_tag
        cdef Py_ssize_t count = i + 2 * len(tags)
        cdef Alternative *alternatives = <Alternative *>self._array("alternatives", count, sizeof(Alternative))
        cdef int32_t *by_tag = <int32_t *>self._array("by_tag", ONE_OCTET_TAGS, sizeof(int32_t))
        memcpy(alternatives, known, i * sizeof(Alternative))
        memcpy(by_tag, known_by_tag, ONE_OCTET_TAGS * sizeof(int32_t))
        for tag in tags:
            for form in range(2):
                alternatives[i].tag = tag ^ form
                alternatives[i].index = EXCLUDED
                if alternatives[i].tag < ONE_OCTET_TAGS:
                    by_tag[alternatives[i].tag] = EXCLUDED
                i += 1
        self.node.alternatives = alternatives
        self.node.alternatives_count = i
        self.node.by_tag = by_tag
        # A value that was proved elsewhere may have an alternative that cannot be here.
        self.node.constrained = True
        self.excluded = tags
        return 0

    def set_element(self, int kind, Plan element not None):
        """Make this the plan of a list, or of an explicit tag, that holds `element`."""
        self._open_to_change(kind)
        if not is_list(kind) and kind != KIND_EXPLICIT:
            raise _errors.SchemaError(f"{self.name} is no list and no explicit tag")
        self.keep["element"] = element
        self.node.kind = kind
        self.node.element = &element.node
        self._filled()

    def set_open(self, int kind, OpenTable table not None, tuple selector not None):
        """Make this an open type whose type `table` tells for the OBJECT IDENTIFIER at `selector`."""
        cdef Py_ssize_t i
        cdef Py_ssize_t *numbers = <Py_ssize_t *>self._array("selector", len(selector), sizeof(Py_ssize_t))
        self._open_to_change(kind)
        if not is_open(kind):
            raise _errors.SchemaError(f"{self.name} is no open type")
        for i in range(len(selector)):
            numbers[i] = selector[i]
        self.node.kind = kind
        self.node.selector = numbers
        self.node.selector_length = len(selector)
        self.node.entries = &table.entries
        self.table = table
        self._filled()

    def set_contained(self, int kind, Plan contained not None):
        """Make this a string that contains an encoding of `contained` (X.682 11)."""
        cdef OpenEntry *entry = <OpenEntry *>self._array("entry", 1, sizeof(OpenEntry))
        self._open_to_change(kind)
        if kind != KIND_OPEN_OCTETS and kind != KIND_OPEN_BITS:
            raise _errors.SchemaError(f"{self.name} is no string that contains an encoding")
        self.keep["contained"] = contained
        entry.node = &contained.node
        self.node.kind = kind
        self.node.contained = entry
        self._filled()

    @property
    def contained(self):
        """The plan of which a string contains an encoding, None where no contents constraint says it."""
        return self.keep.get("contained")

    def set_size(self, low, high):
        """Add a SIZE constraint, which holds together with those that are there; `high` None means MAX."""
        self._open_to_change(KIND_EMPTY)
        narrow_size(&self.node, low, PY_SSIZE_T_MAX if high is None else high)
        self._filled()

    def set_rule(self, CompiledRule rule not None):
        """Add a constraint to a derived plan, which has none of its own yet."""
        if self.sealed or self.link.rule != NULL:
            raise _errors.SchemaError(f"{self.name} has a constraint of its own")
        if not suits(&rule.rule, &self.node):
            raise _errors.SchemaError(f"the constraint {rule.text} does not apply to {self.name}")
        self.keep["rule"] = rule
        self.link.rule = &rule.rule
        self.link.next = self.node.rules
        self.node.rules = &self.link
        self.node.constrained = True
        self._filled()

    @property
    def rules(self):
        """The further constraints, as `CompiledRule`s, the outermost first."""
        cdef const RuleLink *link = self.node.rules
        cdef list rules = []
        while link != NULL:
            rules.append(<object>link.rule.compiled)
            link = link.next
        return tuple(rules)

    def set_range(self, bytes low, bytes high):
        """Add a value range; the bounds are INTEGER contents octets, None means MIN or MAX."""
        self.node.ranged = True
        self.node.low = NULL
        self.node.high = NULL
        if low is not None:
            self.node.low = self._octets("low", low)
            self.node.low_length = len(low)
        if high is not None:
            self.node.high = self._octets("high", high)
            self.node.high_length = len(high)
        self._filled()

    def set_members(self, dict members, bint closed):
        """Give an enumeration its members by number; `closed` where other numbers are no values (ENUMERATED)."""
        cdef Py_ssize_t i
        cdef int64_t *items
        self.members = members
        if closed:
            items = <int64_t *>self._array("items", len(members), sizeof(int64_t))
            for i, number in enumerate(members):
                items[i] = number
            self.node.items = items
            self.node.items_count = len(members)

    cpdef int ready(self) except -1:
        """Compile at first use."""
        cdef object compiler
        if look_pointer(&self.waiting) != NULL:
            compiler = self.compiler
            # Another thread may have done it meanwhile.
            if compiler is not None:
                compiler(self)
        return 0

    def __repr__(self):
        return f"<Plan of {self.name}>"


cdef inline Plan plan_of(const Node *node):
    return <Plan>node.plan


def tag_number(number, int tag_class, bint constructed):
    """A tag as plans hold it: number << 3 | class << 1 | constructed."""
    if not 0 <= number < TAG_NUMBER_LIMIT:
        raise _errors.SchemaError("a tag number is 0 to 2^60 - 1")
    return make_tag(number, tag_class, constructed)
