# Sealing plans: before views are made, a plan and all plans that it refers to are checked and frozen.

cdef enum:
    # Each level takes two calls, so this protects the C stack.
    NESTED_DEFAULTS_LIMIT = 200


cdef int seal_plans(list found) except -1:
    """Seal plans that are complete; check and decode their DEFAULT values."""
    cdef Plan plan
    for plan in found:
        if plan.node.kind == KIND_SEQUENCE and plan.node.extensible and "base" not in plan.keep:
            note_known(&plan.node, <uint64_t *>plan.node.known)
    for plan in found:
        validate_defaults(plan)
    for plan in found:
        check_defaults(plan)
    for plan in found:
        set_flag(&plan.sealed)
        if plan.table is not None:
            (<OpenTable>plan.table).sealed = True
    for plan in found:
        decode_defaults(plan)
    # Last: other threads wait for COMPILE_LOCK until then.
    for plan in found:
        set_flag(&plan.complete)
    return 0


cdef list complete_plans(Plan first):
    """Check that the check pass and the writer can use a plan, and return it with all plans that it refers to.

    Raises:
        SchemaError: a plan is not filled, or its parts do not fit together.
    """
    cdef Plan plan
    cdef list found = reached_plans(first)
    for plan in found:
        if plan.node.kind == KIND_EMPTY:
            raise _errors.SchemaError(f"the plan of {plan.name} is not complete")
        if plan.node.kind in (KIND_NAMED_INTEGER, KIND_ENUMERATED, KIND_NAMED_BITS) \
                and not (isinstance(plan.type, type) and issubclass(plan.type, _Enum)):
            raise _errors.SchemaError(f"the type of {plan.name} is not an enumeration")
        if plan.link.constraint != NULL and not applies_to(plan.link.constraint, &plan.node):
            raise _errors.SchemaError(f"the constraint {plan.keep['constraint'].text} does not apply to {plan.name}")
        if plan.node.kind == KIND_SEQUENCE or plan.node.kind == KIND_SET:
            check_selectors(plan)
    check_cycles(found)
    return found


cdef list reached_plans(Plan first):
    """Return a plan and all plans that it refers to, except those that are sealed."""
    cdef Plan plan
    cdef list found = []
    cdef list pending = [first]
    cdef set seen = set()
    while pending:
        plan = pending.pop()
        if plan is None or plan.sealed or plan in seen:
            continue
        seen.add(plan)
        found.append(plan)
        pending.extend(plan.plans or ())
        for key in ("element", "contained", "base"):
            pending.append(plan.keep.get(key))
        if plan.table is not None:
            for _, entry, _ in (<OpenTable>plan.table).keep:
                pending.append(entry)
    return found


cdef int release(list held) except -1:
    """Release the plans that `Plan.hold` returned."""
    cdef Plan plan
    with COMPILE_LOCK:
        for plan in held:
            plan.held -= 1
    return 0


cdef int validate_defaults(Plan plan) except -1:
    """Raise SchemaError if a DEFAULT is not a valid encoding of its type: later, it is read like validated bytes."""
    cdef Check c
    cdef Header h
    cdef const Component *field
    cdef Py_ssize_t i
    for i in range(plan.node.component_count):
        field = &plan.node.components[i]
        if field.default == NULL:
            continue
        check_begin(&c, &STRICT, NULL)
        if not check(&c, field.node, field.default, field.default + field.default_length, False, &h):
            error = fault_of(&c, field.default, field.default + field.default_length, 0, None)
            raise _errors.SchemaError(
                f"the default of {plan.names[i]} of {plan.name} is not a value of its type: {error}")
    return 0


cdef int check_defaults(Plan plan) except -1:
    """Raise SchemaError if a DEFAULT contains itself: a part that it omits has the same DEFAULT, so it never ends."""
    cdef Py_ssize_t i
    cdef set finite = set()
    for i in range(plan.node.component_count):
        if plan.node.components[i].default != NULL and is_endless(&plan.node.components[i], set(), finite):
            raise _errors.SchemaError(
                f"the default of {plan.names[i]} of {plan.name} contains itself; give it a finite value")
    return 0


cdef bint is_endless(const Component *field, set around, set finite) except -1:
    """Return whether a DEFAULT contains itself. `around` are the components whose defaults contain it."""
    cdef Header h
    cdef size_t key = <size_t>field
    if key in finite or field.node.kind < KIND_SEQUENCE:
        return False
    if key in around:
        return True
    if reread_header(field.default, field.default + field.default_length, &h):
        return False
    if len(around) == NESTED_DEFAULTS_LIMIT:
        raise _errors.SchemaError(f"more than {NESTED_DEFAULTS_LIMIT} defaults contain one another")
    around.add(key)
    if has_endless_part(field.node, &h, around, finite):
        return True
    around.discard(key)
    finite.add(key)
    return False


cdef bint has_endless_part(const Node *node, const Header *h, set around, set finite) except -1:
    """Return whether an element omits a part whose DEFAULT contains itself. The check has bounded its depth."""
    cdef Header child
    cdef Py_ssize_t i
    cdef const uint8_t *p = h.content
    if node.kind == KIND_SEQUENCE or node.kind == KIND_SET:
        for i in range(node.component_count):
            if find_component(node, h.content, h.end, i, &child):
                if has_endless_part(node.components[i].node, &child, around, finite):
                    return True
            elif node.components[i].default != NULL and is_endless(&node.components[i], around, finite):
                return True
    elif node.kind == KIND_EXPLICIT or is_list(node.kind):
        while p < h.end and reread_header(p, h.end, &child) == FAULT_NONE:
            if has_endless_part(node.element, &child, around, finite):
                return True
            p = child.end
    elif node.kind == KIND_CHOICE or node.kind == KIND_UNION:
        i = find_alternative(node, h.tag)
        return i >= 0 and has_endless_part(node.components[i].node, h, around, finite)
    return False


cdef int decode_defaults(Plan plan) except -1:
    """Replace each DEFAULT value that was given as plain data with the decoded value."""
    cdef list values = []
    for value, octets, of_field in zip(plan.defaults or (), plan.default_octets, plan.plans or (), strict=True):
        if octets is not None and not isinstance(value, View):
            try:
                value = decode_plan(of_field, octets)
            except _errors.UnrepresentableError:
                pass
        values.append(value)
    if values:
        share_defaults(plan, tuple(values))
    return 0


cdef int share_defaults(Plan plan, tuple values) except -1:
    """Set the DEFAULT values of a plan and of the plans that are derived from it."""
    # Another thread may be reading the old tuple, so it is kept alive.
    plan.outgrown.append(plan.defaults)
    plan.defaults = values
    for copy in plan.copies:
        share_defaults(<Plan>copy, values)
    return 0


cdef int check_selectors(Plan plan) except -1:
    """Check that each open type in a SEQUENCE or SET is selected by a field that exists.

    An open type may be inside lists, CHOICEs and explicit tags; its selector is outside all of these.
    """
    cdef Plan inner
    cdef const Node *at
    cdef Py_ssize_t i
    cdef list pending = list(plan.plans)
    cdef set seen = set()
    while pending:
        inner = pending.pop()
        if inner in seen:
            continue
        seen.add(inner)
        if is_choice(inner.node.kind):
            pending.extend(inner.plans)
        elif is_list(inner.node.kind) or inner.node.kind == KIND_EXPLICIT:
            pending.append(inner.keep["element"])
        at = &plan.node
        for i in range(inner.node.selector_length):
            if (at.kind != KIND_SEQUENCE and at.kind != KIND_SET) \
                    or not 0 <= inner.node.selector[i] < at.component_count:
                raise _errors.SchemaError(f"the selector of {inner.name} is not a field of {plan.name}")
            at = without_tags(at.components[inner.node.selector[i]].node)
    return 0


cdef int check_cycles(list plans) except -1:
    """Raise SchemaError if a CHOICE is an alternative of itself, or an explicit tag is directly inside itself.

    Such a type has no value, and a search for its tag would not end.
    """
    cdef Plan plan
    cdef Plan part
    cdef Py_ssize_t before
    cdef dict parts = {}
    for plan in plans:
        if is_choice(plan.node.kind):
            parts[plan] = plan.plans
        elif plan.node.kind == KIND_EXPLICIT and (<Plan>plan.keep["element"]).node.kind == KIND_EXPLICIT:
            parts[plan] = (plan.keep["element"],)
    # Remove plans that contain none of the others until no plan is left; if none can be removed, there is a cycle.
    while parts:
        before = len(parts)
        for plan in list(parts):
            for part in parts[plan]:
                if part in parts and is_choice(part.node.kind) == is_choice(plan.node.kind):
                    break
            else:
                del parts[plan]
        if len(parts) == before:
            raise _errors.SchemaError(f"{next(iter(parts)).name} contains itself without a tag between")
    return 0
