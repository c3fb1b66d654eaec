"""The structure of types: references, tags, components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from derlib._suggestions import nearest
from derlib.asn1.diagnostics import Diagnostics, Problem, Unsupported
from derlib.asn1.semantics.definitions import GOVERNOR, Context, Level, Member
from derlib.asn1.semantics.fitting import Fitting
from derlib.asn1.semantics.forms import name_of
from derlib.asn1.semantics.instance_of import associated_type
from derlib.asn1.semantics.model import (
    Constant,
    Constrained,
    Contents,
    Definition,
    Extended,
    ListOf,
    Numbered,
    Reference,
    ResolvedComponent,
    ResolvedConstraint,
    ResolvedModule,
    ResolvedType,
    Simple,
    Structure,
    Tagged,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.numbered import enumerated_numbers, named_bits, named_numbers
from derlib.asn1.semantics.open_types import OpenTypeResolver
from derlib.asn1.semantics.subsets import effective, extended
from derlib.asn1.semantics.violations import with_clause
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Type
from derlib.asn1.syntax.types import SIMPLE_TYPES

# Words that begin a type.
_TYPE_WORDS = (
    "BIT", "BOOLEAN", "CHOICE", "ENUMERATED", "INTEGER", "OBJECT", "OCTET", "SEQUENCE", "SEQUENCE OF", "SET", "SET OF"
)  # fmt: skip
# Other names of the same types (X.680 41).
_SYNONYMS = {"T61String": "TeletexString", "ISO646String": "VisibleString"}


class TypeResolver(OpenTypeResolver):
    """Resolves types and whole modules."""

    def __init__(self, modules: list[tree.Module], diagnostics: Diagnostics) -> None:
        super().__init__(modules, diagnostics)
        self._incomplete: dict[Constrained, tuple[Callable[[], ResolvedConstraint | None], Place]] = {}
        self._governors: dict[tuple[Type, Scope], ResolvedType] = {}

    def resolve_module(self, module: tree.Module) -> ResolvedModule:
        """Resolve everything that a module defines; `run_steps` completes it."""
        scope = self.scope_of(module)
        self._check_imports(module, scope)
        for assignment in module.assignments:
            if not assignment.parameters:
                self.attempt(partial(self._resolve_assignment, assignment, scope))
        return self.resolved[module.name]

    def _check_imports(self, module: tree.Module, scope: Scope) -> None:
        """Warn of names that are imported or exported, but not defined: they are errors if used.

        An imported name must be exported (X.680 13).
        """
        for name, at in (module.exports or {}).items():
            if not self.has(name, module):
                self.diagnostics.warn(f"{name} is exported, but not defined (X.680 13)", at)
        for imports in module.imports:
            origin = self.modules.get(imports.module)
            exports = origin.exports if origin else None
            for name, at in imports.names.items():
                # Some modules import types that are defined everywhere.
                if name in SIMPLE_TYPES:
                    continue
                if exports is not None and name not in exports:
                    message = f"{name} is not in the EXPORTS of the module {imports.module} (X.680 13)"
                    self.diagnostics.error(Problem(message, at))
                try:
                    self.find(name, None, scope, at)
                except Problem as problem:
                    self.diagnostics.warn(problem.message, problem.place)

    def _check_macro(self, node: Type, scope: Scope) -> None:
        """Raise Problem if the invocation of a macro is rather a misspelt word: only macros have such a syntax."""
        if isinstance(node, tree.MacroType) and not self.has(node.name, scope.module):
            near = nearest(node.name, _TYPE_WORDS)
            if near is not None:
                raise Problem(f"{node.name} is not defined; did you mean {near}?", node.at)

    def _resolve_assignment(self, assignment: tree.Assignment, scope: Scope) -> None:
        if isinstance(assignment, (tree.TypeAssignment, tree.ValueAssignment)):
            node = assignment.type if isinstance(assignment, tree.TypeAssignment) else assignment.governor
            self._check_macro(node, scope)
        if isinstance(assignment, tree.TypeAssignment):
            if self._is_type(assignment.type, scope):
                definition = self.definition_of(assignment, scope)
                self.later(lambda: self._check_cycle(definition))
        elif isinstance(assignment, tree.ValueAssignment):
            if isinstance(assignment.governor, tree.MacroType):
                self.later(lambda: self._resolve_identifier(assignment, scope))
            elif (found := self.find_class(assignment.governor, scope)) is not None:
                self.later(lambda: self.check_object(assignment, *found, scope))
            else:
                self.later(lambda: self._resolve_constant(assignment, scope))
        elif isinstance(assignment, tree.SetAssignment):
            governor = self.find_class(assignment.governor, scope)
            if governor is None:
                self.value_set_definition(assignment, scope)
            else:
                self.later(lambda: self.tables_of_set(assignment, *governor, scope))

    def _check_cycle(self, definition: Definition) -> None:
        """Raise Problem if a type is defined by itself; a recursive type has components or elements in between."""
        resolved: ResolvedType = Reference(definition)
        seen: set[Definition] = set()
        while isinstance(resolved, (Reference, Tagged, Constrained)):
            if not isinstance(resolved, Reference):
                resolved = resolved.inner
            elif resolved.definition in seen:
                raise Problem(f"{definition.name} refers to itself", definition.assignment.at)
            else:
                seen.add(resolved.definition)
                resolved = self.type_of(resolved.definition)

    def _is_type(self, node: Type, scope: Scope) -> bool:
        """Return whether a node is a type, and not a class or a macro."""
        return not isinstance(node, tree.MacroType) and self.find_class(node, scope) is None

    def _resolve_constant(self, assignment: tree.ValueAssignment, scope: Scope) -> None:
        governor = self.governor_type(assignment.governor, scope)
        try:
            value = self.value(assignment.value, governor, scope)
        except Unsupported as problem:
            self.diagnostics.warn(f"{assignment.name} is left out: {problem.message}", problem.place)
            return
        found = self.violation_of(governor, value)
        if found:
            message = f"the value violates the constraint of its type: {with_clause(found, 'X.680 16.2')}"
            raise Problem(message, assignment.value.at)
        made = Constant(assignment.name, scope.module, assignment, governor, value)
        self.resolved[scope.module.name].constants.append(made)

    def _resolve_identifier(self, assignment: tree.ValueAssignment, scope: Scope) -> None:
        """Add the constant of a macro's value if that is an OBJECT IDENTIFIER, as in the modules of SNMP."""
        try:
            value = self.identifier(assignment.value, scope)
        except Problem:
            return
        made = Constant(assignment.name, scope.module, assignment, Simple("OBJECT IDENTIFIER"), value)
        self.resolved[scope.module.name].constants.append(made)

    def governor_type(self, node: Type, scope: Scope) -> ResolvedType:
        """Return the type of a governor of a value."""
        known = self._governors.get((node, scope))
        if known is None:
            assignment = tree.TypeAssignment(node.at, GOVERNOR, [], node)
            owner = Definition(GOVERNOR, scope.module, assignment)
            known = self._governors[node, scope] = self.resolve(node, scope, Context(owner, GOVERNOR, False))
        return known

    def resolve(self, node: Type, scope: Scope, context: Context) -> ResolvedType:
        """Return the structure of a type.

        Raises:
            Problem: a name is not known, or the notation is not a type.
        """
        with self.descent(node.at):
            return self._resolve(node, scope, context)

    def _resolve(self, node: Type, scope: Scope, context: Context) -> ResolvedType:
        match node:
            case tree.BuiltinType():
                return Simple(_SYNONYMS.get(node.name, node.name))
            case tree.TypeReference():
                return self._referenced_type(node, scope, context)
            case tree.TaggedType():
                return self._tagged(node, scope, context)
            case tree.ConstrainedType():
                return self._constrained(node, scope, context)
            case tree.ListType():
                name = f"{context.name}Element" if context.whole else context.name
                return ListOf(node.kind, self.resolve(node.element, scope, replace(context, whole=False, name=name)))
            case tree.FieldType():
                return self.resolve_field(node, None, scope, context)
            case tree.SelectionType():
                return self._member_type(self.selected_alternative(node, scope), context)
            case tree.AnyType():
                return self.resolve_any(node, context)
            case tree.InstanceOfType():
                return self.resolve(associated_type(node, None), scope, context)
            case _:
                return self._with_definition(node, scope, context)

    def _with_definition(self, node: Type, scope: Scope, context: Context) -> ResolvedType:
        """Return a type that needs a definition if it has parts; a nested one gets its own."""
        if isinstance(node, tree.IntegerType) and not node.named:
            return Simple("INTEGER")
        if isinstance(node, tree.BitStringType) and not node.named:
            return Simple("BIT STRING")
        if not context.whole:
            return self.nested(node, scope, context)
        number = partial(self.integer, scope=scope)
        match node:
            case tree.SequenceType():
                return self._structure(node.kind, node.components, scope, context)
            case tree.ChoiceType():
                return self._structure("CHOICE", node.components, scope, context)
            case tree.IntegerType():
                return Numbered("INTEGER", named_numbers(node.named, number))
            case tree.BitStringType():
                return Numbered("BIT STRING", named_bits(node.named, number))
            case tree.EnumeratedType():
                extensible = node.extensible or scope.module.extensibility_implied
                return Numbered("ENUMERATED", enumerated_numbers(node, number), extensible)
            case _:
                raise Problem("the type is not supported", node.at)

    # References

    def _referenced_type(self, node: tree.TypeReference, scope: Scope, context: Context) -> ResolvedType:
        bound = self.bound(node, scope)
        if bound is not None:
            if not isinstance(bound.argument, Type):
                raise Problem(f"expected a type for the parameter {node.name}, found a value", bound.argument.at)
            return self.resolve(bound.argument, bound.scope, context)
        found = self.find(node.name, node.module, scope, node.at)
        assignment = found.assignment
        if isinstance(assignment, tree.SetAssignment):
            return self._value_set_type(assignment, self.bind(found, node.arguments, scope, node.at), context)
        if not isinstance(assignment, tree.TypeAssignment) or isinstance(assignment.type, tree.MacroType):
            raise Problem(f"{node.name} is not a type", node.at)
        if assignment.parameters or node.arguments:
            return self.expand(found, node, scope, context)
        return Reference(self.definition_of(assignment, found.scope))

    def value_set_definition(self, assignment: tree.SetAssignment, scope: Scope) -> None:
        """Add the definition of a value set: the type with the values as its constraint."""
        made = Definition(assignment.name, scope.module, assignment)
        made.type = self._value_set_type(assignment, scope, Context(made, made.name, False))
        self.resolved[scope.module.name].definitions.append(made)

    def _value_set_type(self, assignment: tree.SetAssignment, scope: Scope, context: Context) -> ResolvedType:
        made = Constrained(self.resolve(assignment.governor, scope, replace(context, whole=False)), None)
        contents = assignment.contents
        self._incomplete[made] = lambda: self.value_set(contents, made.inner, scope), contents.at
        self.later(lambda: self.complete(made))
        return made

    # Tags

    def _tagged(self, node: tree.TaggedType, scope: Scope, context: Context) -> ResolvedType:
        number = self.integer(node.number, scope)
        if number < 0:
            raise Problem("a tag number cannot be negative", node.number.at)
        if number >= 2**60:
            raise Problem(f"the tag number {number} is not less than 2^60", node.number.at)
        mode = node.mode or ("EXPLICIT" if scope.module.tag_default == "EXPLICIT" else "IMPLICIT")
        explicit = mode == "EXPLICIT" or self.needs_explicit(node.type, scope)
        if explicit and node.mode == "IMPLICIT":
            self.diagnostics.warn("the tag is EXPLICIT: the type has no tag to replace (X.680 31.2.9)", node.at)
        return Tagged(node.tag_class, number, explicit, self.resolve(node.type, scope, context))

    # Constraints

    def _constrained(self, node: tree.ConstrainedType, scope: Scope, context: Context) -> ResolvedType:
        constraint = node.constraint
        if isinstance(constraint, tree.TableConstraint):
            inner = node.type
            if isinstance(inner, tree.FieldType):
                return self.resolve_field(inner, constraint, scope, context)
            return self.resolve(associated_type(inner, constraint.object_set), scope, context)
        if isinstance(constraint, tree.TextConstraint):
            return self.resolve(node.type, scope, context)
        if isinstance(constraint, tree.ContentsConstraint):
            return self._containing(node.type, constraint, scope, context)
        inner_context = context
        if not isinstance(node.type, tree.ListType) and not isinstance(constraint, tree.ExtensibleConstraint):
            inner_context = replace(context, whole=False, name=f"{context.name}Base" if context.whole else context.name)
        made = Constrained(self.resolve(node.type, scope, inner_context), None)
        self._incomplete[made] = lambda: self.constraint(constraint, made.inner, scope), constraint.at
        self.later(lambda: self.complete(made))
        return made

    def complete(self, constrained: Constrained) -> None:
        """Resolve the constraint of a type, unless that has been done."""
        incomplete = self._incomplete.pop(constrained, None)
        if incomplete is not None:
            resolve, at = incomplete
            found = resolve()
            # A class has the notation in its docstring, and needs no second class for what restricts nothing.
            if isinstance(found, Extended) and not isinstance(self.base(constrained.inner), Simple):
                found = None
            constrained.constraint = found
            self.later(lambda: self._fit(constrained, at))

    def _fit(self, constrained: Constrained, at: Place) -> None:
        """Fit the constraint of a type to those of its parent type, which are known now."""
        fitting = Fitting(self.base, at)
        constraint = constrained.constraint
        if isinstance(constraint, Extended):
            constrained.constraint = extended(fitting.fitted(constraint.root, constrained.inner))
        elif (constraint := effective(constraint)) is not None:
            found = fitting.fitted(constraint, constrained.inner)
            if found is not constraint:
                constrained.constraint = found and self.marked(found, exact=self.is_exact(constraint))

    def _containing(
        self, node: Type, constraint: tree.ContentsConstraint, scope: Scope, context: Context
    ) -> ResolvedType:
        inner_context = replace(context, whole=False)
        inner = self.resolve(node, scope, inner_context)
        self.later(lambda: self._check_container(inner, constraint.at))
        if constraint.type is None:
            return inner
        if constraint.encoded_by is not None:
            self.diagnostics.warn("the contents are bytes: ENCODED BY selects their encoding", constraint.at)
            return inner
        return Constrained(inner, Contents(self.resolve(constraint.type, scope, inner_context)))

    def _check_container(self, resolved: ResolvedType, at: Place) -> None:
        """Raise Problem if CONTAINING or ENCODED BY does not fit a type (X.682 11.1)."""
        base = self.base(resolved)
        if isinstance(base, Numbered) and base.kind == "BIT STRING":
            raise Problem("CONTAINING is not supported for a BIT STRING with named bits", at)
        if name_of(base) not in ("OCTET STRING", "BIT STRING"):
            raise Problem(f"CONTAINING fits OCTET STRING and BIT STRING, not {name_of(base)} (X.682 11.1)", at)

    # Parts

    def _structure(
        self, kind: Literal["SEQUENCE", "SET", "CHOICE"], components: tree.Components, scope: Scope, context: Context
    ) -> Structure:
        members = self.flatten(components, scope)
        self.check_components(kind, components, members, scope)
        made = Structure(kind, [], components.extensible or scope.module.extensibility_implied)
        last = len(self.expanded(components.second_root, scope, addition=False))
        if last and not any(member.addition for member in members):
            made.after_marker = members[-last].component.name
        enclosing = context.enclosing if kind == "CHOICE" else (*context.enclosing, Level(members, context.path))
        for position, member in enumerate(members):
            name = member.component.name
            inner = Context(
                context.owner,
                context.name + name[0].upper() + name[1:],
                False,
                enclosing,
                position,
                (*context.path, name),
            )
            self.attempt(partial(self._add_component, made, member, inner))
        return made

    def _add_component(self, structure: Structure, member: Member, context: Context) -> None:
        node = member.component
        resolved = self._member_type(member, context)
        made = ResolvedComponent(node.name, resolved, node.optional, None, member.addition, node.at)
        structure.components.append(made)
        default = node.default
        if default is not None:

            def complete() -> None:
                made.default = self.value(default, made.type, member.scope)
                found = self.violation_of(made.type, made.default)
                if found:
                    message = f"the default violates the constraint of its type: {with_clause(found, 'X.680 25.12')}"
                    raise Problem(message, default.at)

            self.later(complete)

    def _member_type(self, member: Member, context: Context) -> ResolvedType:
        node, scope = member.component.type, member.scope
        resolved = self.resolve(node, scope, context)
        if member.tag is None:
            return resolved
        return Tagged("context", member.tag, self.needs_explicit(node, scope), resolved)
