# Filling the node of a plan: components, alternatives, selectors, items, ranges, and the copies that derived plans are.
#
# The methods of `Plan` (core/schema/plan.pxi) check the arguments and call these functions.

cdef int fill_components(Plan plan, tuple plans, tuple may_be_absent) except -1:
    """Fill the components of a SEQUENCE, SET or CHOICE from the plans of its fields."""
    cdef Py_ssize_t i
    cdef Py_ssize_t count = len(plans)
    cdef Py_ssize_t needed = 0
    cdef Component *components = <Component *>plan._array("components", count, sizeof(Component))
    for i in range(count):
        components[i].node = &(<Plan>plans[i]).node
        components[i].optional = may_be_absent[i]
        if not components[i].optional:
            needed = i + 1
        # A plan has its tag from the beginning, even if it is filled later.
        components[i].identifier = identifier_octet(components[i].node.tag)
    plan.node.component_count = count
    plan.node.components = components
    plan.node.needed = needed
    return 0


cdef int fill_alternatives(Plan plan, list pairs) except -1:
    """Fill the tags of a CHOICE from pairs of a tag and the number of its alternative."""
    cdef Py_ssize_t i
    cdef tag_t tag
    cdef Alternative *alternatives = <Alternative *>plan._array("alternatives", len(pairs), sizeof(Alternative))
    cdef int32_t *by_tag = <int32_t *>plan._array("by_tag", ONE_OCTET_TAGS, sizeof(int32_t))
    memcpy(by_tag, NO_ALTERNATIVES, sizeof(NO_ALTERNATIVES))
    for i in range(len(pairs)):
        tag, alternatives[i].index = pairs[i]
        alternatives[i].tag = tag
        if tag < ONE_OCTET_TAGS:
            by_tag[tag] = alternatives[i].index
    plan.node.alternatives = alternatives
    plan.node.alternatives_count = len(pairs)
    plan.node.by_tag = by_tag
    return 0


cdef int exclude_tags(Plan plan, tuple tags) except -1:
    """Mark tags, in either form, that unknown alternatives of a derived CHOICE plan cannot have."""
    cdef Py_ssize_t i = plan.node.alternatives_count
    cdef const Alternative *known = plan.node.alternatives
    cdef const int32_t *known_by_tag = plan.node.by_tag
    cdef Py_ssize_t count = i + 2 * len(tags)
    cdef Alternative *alternatives = <Alternative *>plan._array("alternatives", count, sizeof(Alternative))
    cdef int32_t *by_tag = <int32_t *>plan._array("by_tag", ONE_OCTET_TAGS, sizeof(int32_t))
    memcpy(alternatives, known, i * sizeof(Alternative))
    memcpy(by_tag, known_by_tag, ONE_OCTET_TAGS * sizeof(int32_t))
    for tag in tags:
        for form in range(2):
            alternatives[i].tag = tag ^ form
            alternatives[i].index = EXCLUDED
            if alternatives[i].tag < ONE_OCTET_TAGS:
                by_tag[alternatives[i].tag] = EXCLUDED
            i += 1
    plan.node.alternatives = alternatives
    plan.node.alternatives_count = i
    plan.node.by_tag = by_tag
    # So that the writer checks a value that was validated elsewhere: its unknown alternative may be excluded here.
    plan.node.constrained = True
    plan.excluded = tags
    return 0


cdef int fill_selector(Plan plan, list path) except -1:
    """Fill the selector of an open type: field numbers from the enclosing SEQUENCE."""
    cdef Py_ssize_t i
    cdef Py_ssize_t *numbers = <Py_ssize_t *>plan._array("selector", len(path), sizeof(Py_ssize_t))
    for i in range(len(path)):
        numbers[i] = path[i]
    plan.node.selector = numbers
    plan.node.selector_length = len(path)
    return 0


cdef int fill_items(Plan plan, list numbers) except -1:
    """Fill the items of an ENUMERATED."""
    cdef Py_ssize_t i
    cdef int64_t *items = <int64_t *>plan._array("items", len(numbers), sizeof(int64_t))
    for i in range(len(numbers)):
        items[i] = numbers[i]
    plan.node.items = items
    plan.node.items_count = len(numbers)
    return 0


cdef int fill_range(Plan plan, bytes low, bytes high) except -1:
    """Fill a value range from INTEGER contents octets, None for MIN or MAX."""
    plan.node.ranged = True
    plan.node.low = NULL
    plan.node.high = NULL
    if low is not None:
        plan.node.low = plan._octets("low", low)
        plan.node.low_length = len(low)
    if high is not None:
        plan.node.high = plan._octets("high", high)
        plan.node.high_length = len(high)
    return 0


cdef int fill_copy(Plan base, Plan plan) except -1:
    """Copy everything but tag, name and constraints from `base` to a plan that is derived from it."""
    cdef Node kept = plan.node
    plan.node = base.node
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
    if plan.link.constraint != NULL:
        # X.680 50.2: serial constraints apply together.
        plan.link.next = base.node.constraints
        plan.node.constraints = &plan.link
    plan.node.constrained = plan.node.sized or plan.node.constraints != NULL
    update_fast_flags(&plan.node)
    plan.names = base.names
    plan.defaults = base.defaults
    plan.plans = base.plans
    plan.table = base.table
    plan.members = base.members
    plan.numbers = base.numbers
    plan.keep = {**base.keep, **plan.keep, "base": base}
    if plan.excluded:
        # The alternatives were just copied from the base, without the excluded tags.
        exclude_tags(plan, plan.excluded)
    for further in plan.copies:
        fill_copy(plan, further)
    return 0


cdef int empty_plan(Plan plan) except -1:
    """Empty a plan and the plans that are derived from it; their memory lives on."""
    cdef Plan copy
    cdef tag_t tag = plan.node.tag
    for copy in plan.copies:
        empty_plan(copy)
    plan.outgrown.append((plan.keep, plan.copies, plan.names, plan.defaults, plan.plans, plan.table, plan.members))
    plan.keep = {}
    plan.copies = []
    plan.members = plan.numbers = {}
    plan.excluded = ()
    plan.extensible = None
    plan.names = plan.defaults = plan.plans = plan.table = None
    plan.encoder_path = 0
    memset(&plan.link, 0, sizeof(ConstraintLink))
    memset(&plan.node, 0, sizeof(Node))
    plan.node.tag = tag
    plan.node.by_tag = NO_ALTERNATIVES
    plan.node.plan = <void *>plan
    return 0


def pack_tag(number, int tag_class, bint constructed):
    """Return a tag as one int, as plans store it: number << 3 | class << 1 | constructed."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise _errors.SchemaError(f"expected int for a tag number, got {type(number).__name__}")
    # A subclass of int may override comparison.
    number = exact_int(number)
    if not 0 <= number < TAG_NUMBER_LIMIT:
        raise _errors.SchemaError("a tag number is 0 to 2^60 - 1")
    return make_tag(number, tag_class, constructed)
