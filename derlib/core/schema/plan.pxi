# Plans: the Python handles of nodes.
#
# A plan is created empty and filled later, so that a type can refer to itself. Copies with another tag or constraint
# (`derived`) are filled together with their base.
#
# Nodes point into memory that plans own, and views rely on the number of fields. Four invariants keep this safe:
# - A `set_*` method checks its arguments before it changes anything. A plan gets its kind and its fields once.
# - A derived plan only gets constraints of its own. Everything else is changed in its base, which shares its memory.
# - Only sealed plans make views (`prepared`). Sealing checks a plan and seals all plans that it refers to. A sealed
#   plan never changes, except that its DEFAULT values are decoded; after that, it is complete. A plan that is not
#   sealed can only encode, and keeps its kind meanwhile (`hold`).
# - Memory that a method replaces lives as long as its plan (`outgrown`).

from cpython.mem cimport PyMem_Calloc, PyMem_Free

from _thread import RLock as _RLock   # as functools does; importing threading takes longer
from sys import intern

# Held while plans are filled, sealed or held, and while a type is registered: only its holder uses a plan that is not
# complete. The schema language uses it, too.
COMPILE_LOCK = _RLock()

# The class of the views of each kind; the layer `values` fills it. The type of a plan must be a subclass of its class.
cdef dict VIEW_CLASSES = {}


@cython.final
cdef class Plan:
    """One compiled type, made by `derlib._schema`, which checks the schema. The plan checks what memory safety needs.

    Args:
        kind: a primitive `Kind`, or `KIND_EMPTY` for a plan that is filled later.
        name: the name of the type in messages.
        tag: its tag as an int (see `pack_tag`), or None if its elements have no single tag.
        type: the Python class of its values, if the core creates instances of it.
    """
    cdef Node node
    cdef readonly str name
    cdef readonly object type
    cdef readonly tuple names           # of fields
    cdef readonly tuple defaults        # values of absent fields
    cdef readonly tuple plans           # of fields
    cdef readonly object table          # of an open type
    cdef readonly tuple excluded        # of an extensible CHOICE: tags that its unknown alternatives cannot have
    cdef CompiledConstraint extensible  # the constraint of this plan itself with an extension marker; never checked
    cdef dict members                   # of an enumeration: int to member
    cdef dict numbers                   # of an enumeration: name to int
    cdef dict keep                      # the memory that the node points into
    cdef list outgrown                  # such memory after it was replaced
    cdef int held                       # the number of running encodings that use this plan while it is not sealed
    cdef list copies                    # derived plans, to be filled with this one
    cdef object first_use               # see `compiler`
    cdef void *first_use_pending        # the same, NULL if there is none; read without a lock
    cdef ConstraintLink link            # the constraint of this plan itself
    cdef readonly bint sealed           # never changed again
    cdef bint complete                  # sealed, and its DEFAULT values are decoded: threads use it without a lock
    cdef bint from_keywords             # sealed, and its values can be built from keyword arguments directly
    cdef PlanSlot slot                  # see CLASS_PLANS in core/cpython.h
    cdef unsigned int version           # of the class in which every field is read by its own descriptor
    cdef unsigned int slow_version      # of the class in which that is not true
    cdef int encoder_path               # an EncoderPath, 0 while it is not known

    def __cinit__(self, int kind, str name not None, tag=None, object type=None):
        # Not KIND_EMPTY: C compares members of an enum as unsigned numbers, which would accept negative kinds.
        if not (0 <= kind < KIND_SEQUENCE or kind == KIND_ANY):
            raise _errors.SchemaError(f"kind {kind} is given when the plan of {name} is filled")
        # No class has this version.
        self.version = <unsigned int>-1
        self.keep = {}
        self.outgrown = []
        self.copies = []
        self.excluded = ()
        self.members = self.numbers = {}
        self.name = name
        self.type = type
        self.node.kind = kind
        self.node.tag = NO_TAG if tag is None else <tag_t>tag
        self.node.by_tag = NO_ALTERNATIVES
        self.node.plan = self.slot.plan = <PyObject *>self
        update_fast_flags(&self.node)
        if is_made_class(type):
            never_free(self)

    @property
    def compiler(self):
        """The function that compiles this plan at first use; it is called once with the plan. None afterwards."""
        cdef object compiler
        with cython.critical_section(self):
            compiler = self.first_use
        return compiler

    @compiler.setter
    def compiler(self, compiler):
        with cython.critical_section(self):
            self.first_use = compiler
            # Release store: a reader that sees NULL also sees the compiled plan.
            store_release(&self.first_use_pending, NULL if compiler is None else <void *>compiler)

    @property
    def kind(self):
        return self.node.kind

    @property
    def tag(self):
        return None if self.node.tag == NO_TAG else self.node.tag

    @property
    def is_character_string(self):
        """Whether the type is a character string (X.680 41)."""
        return is_character_string(self.node.kind)

    @property
    def has_size(self):
        """Whether a SIZE constraint applies to the type (X.680 51.5)."""
        return has_size(self.node.kind)

    @property
    def size(self):
        """The SIZE constraint as (low, high), high None for MAX; None if there is none."""
        if not self.node.sized:
            return None
        return self.node.size_low, None if self.node.size_high == PY_SSIZE_T_MAX else self.node.size_high

    @property
    def range(self):
        """The value range as (low, high), None for MIN or MAX; None if there is none."""
        if not self.node.ranged:
            return None
        return (None if self.node.low == NULL else integer_value(self.node.low, self.node.low_length),
                None if self.node.high == NULL else integer_value(self.node.high, self.node.high_length))

    @property
    def insertion(self):
        """The number of the field before which unknown additions appear; None if the type is not extensible."""
        return self.node.insertion if self.node.extensible else None

    @property
    def optional(self):
        """Whether each field may be absent, being OPTIONAL or DEFAULT."""
        cdef Py_ssize_t i
        cdef list optional = []
        for i in range(self.node.component_count):
            optional.append(bool(self.node.components[i].optional))
        return tuple(optional)

    @property
    def default_octets(self):
        """The encoding of the DEFAULT of each field, or None."""
        cdef const Component *field
        cdef Py_ssize_t i
        cdef list octets = []
        for i in range(self.node.component_count):
            field = &self.node.components[i]
            octets.append(None if field.default == NULL else (<const char *>field.default)[:field.default_length])
        return tuple(octets)

    @property
    def one_of(self):
        return self.node.leading_required

    @property
    def selector(self):
        """The field numbers that lead to the selector of an open type; empty if nothing selects it."""
        cdef Py_ssize_t i
        cdef list path = []
        for i in range(self.node.selector_length):
            path.append(self.node.selector[i])
        return tuple(path)

    @property
    def element(self):
        return self.keep.get("element")

    @property
    def alternatives(self):
        """Every tag that an element may begin with: (tag, number of the alternative)."""
        cdef Py_ssize_t i
        cdef list pairs = []
        for i in range(self.node.alternatives_count):
            if self.node.alternatives[i].index != EXCLUDED:
                pairs.append((self.node.alternatives[i].tag, self.node.alternatives[i].index))
        return tuple(pairs)

    def derived(self, tag=None, str name=None):
        """Return a copy with its own tag and constraints, which is filled when this plan is."""
        cdef Plan plan = Plan(KIND_EMPTY, name or self.name, None, self.type)
        self.copies.append(plan)
        fill_copy(self, plan)
        plan.node.tag = self.node.tag if tag is None else <tag_t>tag
        return plan

    def seal(self):
        """Prevent further changes of this plan and of all plans that it refers to.

        Raises:
            SchemaError: one of them is not filled, or its parts do not fit together.
        """
        with COMPILE_LOCK:
            if not self.sealed:
                seal_plans(complete_plans(self))

    cdef list hold(self):
        """Make this plan and all that it refers to keep their kinds until the returned list is passed to `release`."""
        cdef Plan plan
        cdef list found
        with COMPILE_LOCK:
            found = complete_plans(self)
            for plan in found:
                plan.held += 1
        return found

    def reset(self):
        """Empty this plan, so that it can be filled again after a compilation that failed.

        Plans that were derived from it are empty afterwards, too, and remain so.

        Raises:
            SchemaError: the plan is sealed or derived, or an encoding that uses it is running.
        """
        if self.sealed or self.held:
            raise _errors.SchemaError(f"the plan of {self.name} is in use and cannot be emptied")
        self._check_not_derived()
        empty_plan(self)

    cdef int _check_not_sealed(self) except -1:
        if self.sealed:
            raise _errors.SchemaError(f"the plan of {self.name} is complete and does not change")
        return 0

    cdef int _check_not_derived(self) except -1:
        """Raise SchemaError if the plan is sealed or derived: a derived one shares its fields with its base."""
        self._check_not_sealed()
        if "base" in self.keep:
            raise _errors.SchemaError(f"the plan of {self.name} is derived from another one and defined there")
        return 0

    cdef int _check_empty(self, int kind) except -1:
        """Raise SchemaError if the plan already has a kind, or a type is not a view class of this kind."""
        cdef object base = VIEW_CLASSES.get(kind, object)
        self._check_not_derived()
        if self.held or self.node.kind != KIND_EMPTY:
            raise _errors.SchemaError(f"the plan of {self.name} is filled already")
        if base is not object and not (isinstance(self.type, type) and issubclass(self.type, base)):
            raise _errors.SchemaError(f"the type of {self.name} is not a {base.__name__}")
        return 0

    cdef int _update_dependents(self) except -1:
        """Update what depends on the node: its fast flags, and the plans that are derived from this one."""
        update_fast_flags(&self.node)
        for plan in self.copies:
            fill_copy(self, plan)
        return 0

    cdef int _keep(self, str key, value) except -1:
        """Keep alive the memory that the node points into, and the memory that was kept under this key before."""
        if key in self.keep:
            self.outgrown.append(self.keep[key])
        self.keep[key] = value
        return 0

    cdef void *_array(self, str key, Py_ssize_t count, Py_ssize_t size) except NULL:
        """Return zeroed memory that lives as long as this plan and its copies."""
        cdef bytearray memory = bytearray(max(count, 1) * size)
        self._keep(key, memory)
        return <void *><char *>memory

    cdef const uint8_t *_octets(self, str key, bytes octets) except NULL:
        self._keep(key, octets)
        return <const uint8_t *><const char *>octets

    def set_fields(self, int kind, tuple names not None, tuple plans not None, tuple optional not None,
                   tuple defaults not None):
        """Make this the plan of a SEQUENCE, SET or CHOICE with these components."""
        # Evaluated before the plan is examined, because this may run code of the caller.
        cdef tuple may_be_absent = tuple(map(bool, optional))
        self._check_empty(kind)
        if not len(names) == len(plans) == len(optional) == len(defaults) or not (
                is_choice(kind) or kind == KIND_SEQUENCE or kind == KIND_SET):
            raise _errors.SchemaError(f"the fields of {self.name} do not match")
        if kind == KIND_SET and len(names) > SET_MEMBERS_LIMIT:
            raise _errors.SchemaError(f"{self.name} has {len(names)} members; a SET has at most {SET_MEMBERS_LIMIT}")
        if not all(type(name) is str for name in names) or not all(type(plan) is Plan for plan in plans):
            raise _errors.SchemaError(f"expected a str and a Plan for each field of {self.name}")
        # Interned, so that an attribute name in code is the same object.
        names = tuple(map(intern, names))
        fill_components(self, plans, may_be_absent)
        self.names = names
        self.plans = plans
        self.defaults = defaults
        self.node.kind = kind
        self._update_dependents()

    def set_default(self, Py_ssize_t index, bytes octets not None, value):
        """Give field `index` its DEFAULT value, and the encoding of that, tags included."""
        cdef Component *field
        cdef Header h
        cdef const uint8_t *p = <const uint8_t *><const char *>octets
        self._check_not_derived()
        if not 0 <= index < self.node.component_count:
            raise _errors.SchemaError(f"{self.name} takes no default for field {index}")
        if read_header(p, p + len(octets), &h) or h.end != p + len(octets):
            raise _errors.SchemaError(f"the default of field {index} of {self.name} is not one encoding")
        field = <Component *>&self.node.components[index]
        field.default = self._octets(f"default {index}", octets)
        field.default_length = len(octets)
        self.defaults = self.defaults[:index] + (value,) + self.defaults[index + 1:]
        self._update_dependents()

    def set_one_of(self, Py_ssize_t count):
        """Require at least one of the first `count` components of this SEQUENCE, which are all OPTIONAL."""
        self._check_not_derived()
        if self.node.kind != KIND_SEQUENCE or not 0 < count <= self.node.component_count \
                or not all(self.optional[:count]):
            raise _errors.SchemaError(f"{self.name} has no {count} optional components at its beginning")
        self.node.leading_required = count
        self._update_dependents()

    def set_extensible(self, Py_ssize_t insertion):
        """Allow unknown additions before field `insertion` (X.680 25, 27, 29, 20)."""
        self._check_not_derived()
        if self.node.kind not in (KIND_SEQUENCE, KIND_SET, KIND_CHOICE, KIND_ENUMERATED):
            raise _errors.SchemaError(f"{self.name} cannot be extensible")
        if not 0 <= insertion <= self.node.component_count:
            raise _errors.SchemaError(f"{self.name} has no place {insertion} for additions")
        # Filled when the plan is sealed and the tags of all fields are known.
        self.node.known = <const uint64_t *>self._array("known", KNOWN_WORDS, sizeof(uint64_t))
        self.node.extensible = True
        self.node.insertion = insertion
        self._update_dependents()

    def set_rfc5280_time(self):
        """Make the writer choose between the time types of this union as RFC 5280 4.1.2.5 requires."""
        self._check_not_sealed()
        if self.node.kind != KIND_UNION:
            raise _errors.SchemaError(f"{self.name} is not a union of times")
        self.node.rfc5280_time = True
        self._update_dependents()

    def set_ber(self, str rule not None):
        """Set what the conversion of BER does with values of this type inside another value: "keep" or "refuse"."""
        self._check_not_derived()
        if rule != "keep" and rule != "refuse":
            raise _errors.SchemaError(f"expected 'keep' or 'refuse' for ber of {self.name}, got {short_repr(rule)}")
        self.node.ber = BER_KEEP if rule == "keep" else BER_REFUSE
        self._update_dependents()

    @property
    def ber(self):
        """The rule that `set_ber` set, or None."""
        return (None, "keep", "refuse")[self.node.ber]

    def set_alternatives(self, list pairs not None):
        """Set the tags of a CHOICE: (tag, number of the alternative) for each."""
        # Converted before the plan is examined, because this may run code of the caller.
        cdef list known = []
        for each, index in pairs:
            known.append((<tag_t>each, <Py_ssize_t>index))
        self._check_not_derived()
        if not is_choice(self.node.kind):
            raise _errors.SchemaError(f"{self.name} is not a CHOICE and has no alternatives")
        for _, index in known:
            if not 0 <= index < self.node.component_count:
                raise _errors.SchemaError(f"{self.name} has no alternative {index}")
        fill_alternatives(self, known)
        self._update_dependents()

    def exclude_alternatives(self, Py_ssize_t index, tuple tags not None):
        """Set the tags that unknown alternatives of field `index` cannot have, in either form (X.680 25.6, 52.7).

        The field is an extensible CHOICE. It gets a plan of its own, because the tags depend on the other fields.
        """
        cdef Plan plan
        self._check_not_derived()
        if not 0 <= index < self.node.component_count \
                or not is_choice(self.node.components[index].node.kind) \
                or not self.node.components[index].node.extensible:
            raise _errors.SchemaError(f"field {index} of {self.name} is not an extensible CHOICE")
        plan = (<Plan>self.plans[index]).derived()
        exclude_tags(plan, tags)
        (<Component *>self.node.components)[index].node = &plan.node
        self.plans = self.plans[:index] + (plan,) + self.plans[index + 1:]
        self._update_dependents()

    def set_element(self, int kind, Plan element not None):
        """Make this the plan of a list, or of an explicit tag, that holds `element`."""
        self._check_empty(kind)
        if not is_list(kind) and kind != KIND_EXPLICIT:
            raise _errors.SchemaError(f"{self.name} is neither a list nor an explicit tag")
        self._keep("element", element)
        self.node.kind = kind
        self.node.element = &element.node
        self._update_dependents()

    def set_open(self, int kind, OpenTable table not None, tuple selector not None):
        """Make this an open type: `table` maps the value at `selector` to the type."""
        # Converted before the plan is examined, because this may run code of the caller.
        cdef list path = []
        for number in selector:
            path.append(<Py_ssize_t>number)
        self._check_empty(kind)
        if not is_open(kind):
            raise _errors.SchemaError(f"{self.name} is not an open type")
        fill_selector(self, path)
        self.node.kind = kind
        self.node.entries = &table.entries
        self.table = table
        self._update_dependents()

    def set_contained(self, int kind, Plan contained not None):
        """Make this a string that contains an encoding of `contained` (X.682 11)."""
        cdef OpenEntry *entry
        self._check_empty(kind)
        if kind != KIND_OPEN_OCTETS and kind != KIND_OPEN_BITS:
            raise _errors.SchemaError(f"{self.name} is not a string that contains an encoding")
        entry = <OpenEntry *>self._array("entry", 1, sizeof(OpenEntry))
        self._keep("contained", contained)
        entry.node = &contained.node
        self.node.kind = kind
        self.node.contained = entry
        self._update_dependents()

    @property
    def contained(self):
        """The plan of the contained type of a string with a contents constraint (X.682 11), or None."""
        return self.keep.get("contained")

    def set_size(self, Py_ssize_t low, high):
        """Add a SIZE constraint; several apply together. `high` None means MAX."""
        cdef Py_ssize_t most = PY_SSIZE_T_MAX if high is None else high
        self._check_not_sealed()
        if not (has_size(self.node.kind) or self.node.kind == KIND_EMPTY):
            raise _errors.SchemaError(f"Size does not apply to {self.name}; it is for strings and lists")
        if not 0 <= low <= most:
            raise _errors.SchemaError(f"expected 0 <= low <= high for a size of {self.name}, got {low} and {high}")
        narrow_size(&self.node, low, most)
        self._update_dependents()

    def set_constraint(self, CompiledConstraint constraint not None):
        """Add a constraint to a derived plan that has none of its own yet."""
        self._check_not_sealed()
        if self.link.constraint != NULL:
            raise _errors.SchemaError(f"{self.name} already has a constraint")
        if not applies_to(&constraint.constraint, &self.node):
            raise _errors.SchemaError(f"the constraint {constraint.text} does not apply to {self.name}")
        self._keep("constraint", constraint)
        self.link.constraint = &constraint.constraint
        self.link.next = self.node.constraints
        self.node.constraints = &self.link
        self.node.constrained = True
        self._update_dependents()

    @property
    def constraints(self):
        """The further constraints, as `CompiledConstraint`s, outermost first."""
        cdef const ConstraintLink *link = self.node.constraints
        cdef list constraints = []
        while link != NULL:
            constraints.append(<object>link.constraint.compiled)
            link = link.next
        return tuple(constraints)

    def set_extensible_constraint(self, CompiledConstraint constraint not None):
        """Note a constraint with an extension marker, which restricts nothing (X.680 52), in a derived plan."""
        self._check_not_sealed()
        self.extensible = constraint

    @property
    def extensible_constraints(self):
        """The constraints with an extension marker, as `CompiledConstraint`s, outermost first."""
        cdef Plan plan = self
        cdef list constraints = []
        while plan is not None:
            if plan.extensible is not None:
                constraints.append(plan.extensible)
            plan = plan.keep.get("base")
        return tuple(constraints)

    def set_range(self, bytes low, bytes high):
        """Add a value range; the bounds are INTEGER contents octets, None means MIN or MAX."""
        self._check_not_sealed()
        if not is_integer(self.node.kind) and self.node.kind != KIND_EMPTY:
            raise _errors.SchemaError(f"Range does not apply to {self.name}; it is for integers")
        for bound in (low, high):
            if bound is not None and integer_check(<const uint8_t *><const char *>(<bytes>bound), len(bound)):
                raise _errors.SchemaError(f"a bound of {self.name} is not the contents of an INTEGER (X.690 8.3)")
        fill_range(self, low, high)
        self._update_dependents()

    def set_members(self, dict members not None, bint closed):
        """Set the members of an enumeration by number; `closed` if other numbers are not values (ENUMERATED)."""
        # Copied before the plan is examined, because this may run code of the caller.
        cdef dict known = dict(members)
        cdef dict by_name = {}
        cdef list numbers = []
        for number, member in known.items():
            numbers.append(<int64_t>number)
            name = getattr(member, "_name_", None)
            if type(name) is str:
                by_name[name] = <int64_t>number
        self._check_not_derived()
        if not (self.node.kind == KIND_ENUMERATED if closed else self.node.kind == KIND_NAMED_INTEGER):
            raise _errors.SchemaError(f"{self.name} is not an enumeration of this kind")
        if closed:
            fill_items(self, numbers)
        never_free(known)
        never_free(by_name)
        self.members = known
        self.numbers = by_name
        self._update_dependents()

    cdef inline int prepared(self) except -1:
        """Compile and seal this plan if necessary, so that it can make views."""
        if load_acquire(&self.first_use_pending) != NULL or not load_flag(&self.complete):
            self._prepare()
        return 0

    cdef int _prepare(self) except -1:
        self.ready()
        with COMPILE_LOCK:
            if load_acquire(&self.first_use_pending) != NULL and not self.sealed:
                # Called by its own compilation.
                raise _errors.SchemaError(f"the plan of {self.name} is not complete")
            # Types that refer to one another can be compiled separately.
            for plan in reached_plans(self):
                (<Plan>plan).ready()
            self.seal()
        return 0

    cpdef int ready(self) except -1:
        """Compile at first use."""
        cdef object compiler
        if load_acquire(&self.first_use_pending) != NULL:
            compiler = self.compiler
            # Another thread may have compiled it in the meantime.
            if compiler is not None:
                compiler(self)
        return 0

    def __repr__(self):
        return f"<Plan of {self.name}>"


cdef inline Plan plan_of(const Node *node):
    return <Plan>node.plan


cdef inline PyObject *names_in(const Node *node) noexcept nogil:
    """Return the tuple of the names of components or alternatives; a node without them has None."""
    return <PyObject *>(<Plan>node.plan).names
