"""The definitions that resolution makes: of assignments, of nested types, and of expanded parametrised types.

Types are resolved in two steps. First their structure, in which references are not followed, so that types can be
recursive. Then, when they are all known, what refers to values and objects: constraints, defaults and tables.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.semantics.constraints import ConstraintResolver
from derlib.asn1.semantics.model import Definition, Open, Reference, ResolvedModule, ResolvedType
from derlib.asn1.semantics.names import Found, Scope
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.tree import Argument, Assignment, Module, Type

# The name of the type of a value, which is not a part of the output.
GOVERNOR = "Governor"
# Longer spellings of parameters occur only if the expansion of a type needs another expansion, without end.
_LONGEST_SPELLING = 2000


@dataclass(frozen=True, eq=False)
class Member:
    """A component with the scope of its names; `tag` is its automatic tag, if any."""

    component: tree.ComponentType
    scope: Scope
    addition: bool
    tag: int | None


@dataclass(frozen=True, eq=False)
class Level:
    """A SEQUENCE or SET around a type, and the names of the components that lead to it from the outermost one."""

    members: list[Member]
    path: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Context:
    """Where a type is: in which definition, and the name that it gets if it needs its own definition."""

    owner: Definition
    name: str
    # Whether the type is the whole definition.
    whole: bool
    # The SEQUENCEs and SETs around the type, the innermost last, and the position in this one.
    enclosing: tuple[Level, ...] = ()
    position: int = 0
    # The names of the components and alternatives that lead to the type.
    path: tuple[str, ...] = ()


class DefinitionResolver(ConstraintResolver):
    """Makes definitions, and resolves them when they are asked for."""

    def __init__(self, modules: list[Module], diagnostics: Diagnostics) -> None:
        super().__init__(modules, diagnostics)
        self.resolved = {name: ResolvedModule(module) for name, module in self.modules.items()}
        self._own: dict[Assignment, Definition] = {}
        self._expansions: dict[tuple[object, ...], Definition] = {}
        self._unresolved: dict[Definition, tuple[Type, Scope, Context]] = {}
        self._shared: dict[tuple[Type, Scope], Definition] = {}

    @abstractmethod
    def resolve(self, node: Type, scope: Scope, context: Context) -> ResolvedType:
        """Return the structure of a type; `types` implements this."""

    def type_of(self, definition: Definition) -> ResolvedType:
        """Return the type of a definition; resolve its structure if that has not been done."""
        unresolved = self._unresolved.pop(definition, None)
        if unresolved is not None:
            try:
                definition.type = self.resolve(*unresolved)
            except Problem as problem:
                self.diagnostics.error(problem)
                definition.type = Open(problem=problem)
        return definition.type

    def definition_of(self, assignment: tree.TypeAssignment, scope: Scope) -> Definition:
        """Return the definition of an assignment without parameters."""
        made = self._own.get(assignment)
        if made is None:
            made = self._own[assignment] = Definition(assignment.name, scope.module, assignment)
            self._add(made, assignment.type, scope)
        return made

    def nested(self, node: Type, scope: Scope, context: Context) -> Reference:
        """Return a reference to a definition of a nested type."""
        owner = context.owner
        known = self._shared.get((node, scope))
        if known is not None:
            return Reference(known)
        made = Definition(context.name, owner.module, owner.assignment, f"a part of {owner.name}", is_part=True)
        self._add(made, node, scope, context)
        # Several types can have a component, by COMPONENTS OF. A type with named numbers is the same in all of them.
        if isinstance(node, (tree.EnumeratedType, tree.IntegerType, tree.BitStringType)):
            self._shared[node, scope] = made
        return Reference(made)

    def _add(self, made: Definition, node: Type, scope: Scope, around: Context | None = None) -> None:
        context = Context(made, made.name, True)
        if around is not None:
            context = replace(context, enclosing=around.enclosing, path=around.path)
        self._unresolved[made] = node, scope, context
        self.resolved[made.module.name].definitions.append(made)
        self.later(lambda: self.type_of(made))

    # Parametrised types (X.683)

    def expand(self, found: Found, node: tree.TypeReference, scope: Scope, context: Context) -> ResolvedType:
        """Return a parametrised type with its actual parameters."""
        assignment = found.assignment
        assert isinstance(assignment, tree.TypeAssignment)
        arguments = node.arguments or []
        inner = self.bind(found, arguments, scope, node.at)
        spellings = [self.spelling(argument, scope) for argument in arguments]
        # Each module has its own expansions, so that it does not import from a module that it does not name.
        key = (context.owner.module, assignment, *(spelling for spelling, _ in spellings))
        if sum(len(spelling) for spelling, _ in spellings) > _LONGEST_SPELLING:
            raise Problem(f"{assignment.name} expands without end", node.at)
        known = self._expansions.get(key)
        if known is None and context.whole:
            # `Name ::= Template{...}`: the expansion gets this name.
            self._expansions[key] = context.owner
            return self.resolve(assignment.type, inner, context)
        if known is None:
            name = self._name_of_expansion(assignment, arguments, [short for _, short in spellings], scope, context)
            remark = f"{assignment.name} with its parameters"
            known = self._expansions[key] = Definition(name, context.owner.module, assignment, remark)
            self._add(known, assignment.type, inner)
        return Reference(known)

    def _name_of_expansion(
        self, assignment: Assignment, arguments: list[Argument], shorts: list[str], scope: Scope, context: Context
    ) -> str:
        """Return the name of the template with those of its arguments; or that of a nested type if one has no name.

        The set of objects, which has a name in most modules, also shows the class.
        """
        if "" in shorts and context.owner.name != GOVERNOR:
            return context.name
        named = [
            short
            for short, argument in zip(shorts, arguments, strict=True)
            if short and self.find_class(argument, scope) is None
        ]
        return "-".join([assignment.name, *(named or filter(None, shorts))])

    def spelling(self, node: Argument, scope: Scope) -> tuple[str, str]:
        """Return a text that is equal for equal arguments, and a short name of the argument."""
        bound = self.bound(node, scope)
        if bound is not None:
            return self.spelling(bound.argument, bound.scope)
        if isinstance(node, tree.Braced):
            return self._spelling_of_tokens(node, scope)
        if isinstance(node, (tree.TypeReference, tree.ValueReference)) and not node.arguments:
            try:
                found = self.find(node.name, node.module, scope, node.at)
            except Problem:
                if isinstance(node, tree.ValueReference):
                    # It can be an item of an ENUMERATED, which the governor of the parameter knows.
                    return node.name, node.name
                raise
            return f"{found.scope.module.name}.{node.name}", node.name
        if isinstance(node, tree.BuiltinType):
            # "OCTET STRING" is OctetString; "UTF8String" stays.
            return node.name, node.name.title().replace(" ", "") if node.name.isupper() else node.name
        if isinstance(node, (tree.IntegerType, tree.BitStringType)) and not node.named:
            return ("INTEGER", "Integer") if isinstance(node, tree.IntegerType) else ("BIT STRING", "BitString")
        # Its place names any other argument, together with the parameters that it can contain.
        parameters = [self.spelling(bound.argument, bound.scope)[0] for bound in scope.parameters.values()]
        return f"{node.at}<{', '.join(parameters)}>", ""

    def origin_of_set(self, node: tree.Braced, scope: Scope) -> Found | None:
        """Return the assignment of the object set if braces contain only its name; otherwise None."""
        if len(node.tokens) != 2 or node.tokens[0].kind is not Kind.REFERENCE:
            return None
        reference = tree.TypeReference(node.at.source.place(node.tokens[0].offset), None, node.tokens[0].text)
        bound = self.bound(reference, scope)
        if bound is None:
            return self.find(reference.name, None, scope, reference.at)
        return self.origin_of_set(bound.argument, bound.scope) if isinstance(bound.argument, tree.Braced) else None

    def _spelling_of_tokens(self, node: tree.Braced, scope: Scope) -> tuple[str, str]:
        keys: list[str] = []
        names: list[str] = []
        for token in node.tokens:
            if token.kind not in (Kind.REFERENCE, Kind.IDENTIFIER):
                keys.append(token.text)
                continue
            at = node.at.source.place(token.offset)
            make = tree.TypeReference if token.kind is Kind.REFERENCE else tree.ValueReference
            try:
                key, name = self.spelling(make(at, None, token.text), scope)
            except Problem:
                key, name = str(at), token.text
            keys.append(key)
            names.append(name)
        if len(node.tokens) == 2 and keys[0].startswith("{"):
            # {Set} for a parameter that is {Objects} itself.
            return keys[0], names[0]
        return "{" + " ".join(keys) + "}", names[0] if len(names) == 1 else ""
