"""Finding the definition of a name: in parameters, in the module, in its imports."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from derlib._suggestions import nearest
from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.semantics.builtin import useful_definitions
from derlib.asn1.source import Place
from derlib.asn1.syntax.tree import (
    Argument,
    Assignment,
    ConstrainedType,
    Imports,
    Module,
    ObjectClass,
    ObjectClassAssignment,
    Parameter,
    SetAssignment,
    TaggedType,
    Type,
    TypeAssignment,
    TypeReference,
    ValueReference,
)
from derlib.asn1.syntax.types import TYPE_NAMES

# The deepest nesting of definitions that refer to each other. Each level takes several calls of Python.
_DEEPEST = 100
# The most names that are compared with wrong ones: a long module can have many wrong names.
_MOST_COMPARISONS = 20_000
# The most steps of a compilation, besides two for each character: the modules of an RFC take one for ten characters.
_MOST_STEPS = 20_000


@dataclass(eq=False)
class Bound:
    """An actual parameter with the scope of its names, and its formal parameter with the scope of the governor."""

    argument: Argument
    scope: Scope
    parameter: Parameter
    parameter_scope: Scope


@dataclass(eq=False)
class Scope:
    """Where names are looked up: the parameters of an assignment, then its module."""

    module: Module
    parameters: dict[str, Bound] = field(default_factory=dict[str, Bound])


@dataclass(eq=False)
class Found:
    """The assignment of a name, and the scope of its names."""

    assignment: Assignment
    scope: Scope


class NameResolver:
    """Finds modules, assignments and classes.

    One object resolves everything, a `TypeResolver`. The other resolvers of this folder are its layers, each a subclass
    of the one before. A method of a later layer is abstract in the first one that calls it.
    """

    def __init__(self, modules: list[Module], diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._depth = 0
        sources = {module.at.source for module in modules}
        self._steps_left = _MOST_STEPS + 2 * sum(len(source.text) for source in sources)
        self._stopped: Problem | None = None
        self._comparisons_left = _MOST_COMPARISONS
        self.modules: dict[str, Module] = {}
        self._symbols: dict[str, dict[str, Assignment]] = {}
        self._imports: dict[str, dict[str, Imports]] = {}
        self._scopes: dict[str, Scope] = {}
        self._useful = useful_definitions()
        self._queue: deque[Callable[[], object]] = deque()
        for module in [*modules, self._useful]:
            self._add_module(module)

    def _add_module(self, module: Module) -> None:
        if module.name in self.modules:
            known = self.modules[module.name].at
            where = f"{known.source.name}, line {known.line}"
            self.diagnostics.error(Problem(f"the module {module.name} is defined twice; first in {where}", module.at))
            return
        self.modules[module.name] = module
        self._scopes[module.name] = Scope(module)
        self._imports[module.name] = {name: imports for imports in module.imports for name in imports.names}
        symbols = self._symbols[module.name] = {}
        for assignment in module.assignments:
            first = symbols.setdefault(assignment.name, assignment)
            if first is not assignment:
                message = f"{assignment.name} is defined twice; the first time in line {first.at.line}"
                self.diagnostics.error(Problem(message, assignment.at))

    @contextmanager
    def descent(self, at: Place) -> Iterator[None]:
        """Guard a step that a definition can lead back to.

        Raises:
            Problem: there are too many of these steps inside each other: the definition refers to itself.
        """
        self._check_descent(self._depth + 1, at)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def _check_descent(self, depth: int, at: Place) -> None:
        self.charge(1, at)
        if depth > _DEEPEST:
            raise Problem(f"the definition refers to itself, or to a chain of {_DEEPEST} others", at)

    def charge(self, steps: int, at: Place) -> None:
        """Count steps of work, so that definitions that double the ones before them do not take all memory.

        Raises:
            Problem: there are too many steps. The error is recorded once, because some callers go on after a problem.
        """
        self._steps_left -= steps
        if self._steps_left < 0:
            self._stopped = self._stopped or Problem("the definitions expand to too many parts", at)
            self.diagnostics.error(self._stopped)
            raise self._stopped

    def later(self, step: Callable[[], object]) -> None:
        """Run a step when the structures of all types are known."""
        self._queue.append(step)

    def run_steps(self) -> None:
        """Run all steps that were put off; each can put off more."""
        while self._queue:
            self.attempt(self._queue.popleft())

    def attempt(self, step: Callable[[], object]) -> None:
        """Run a step, and record its error."""
        try:
            step()
        except Problem as problem:
            self.diagnostics.error(problem)
        except RecursionError:
            # `descent` finds cycles. Long chains of parameters, each with the one before it, come here.
            first = next(iter(self.modules.values()))
            self.diagnostics.error(Problem("the definitions refer to each other in too long a chain", first.at))

    def scope_of(self, module: Module) -> Scope:
        """Return the scope of a module."""
        return self._scopes[module.name]

    def has(self, name: str, module: Module) -> bool:
        """Return whether a module defines or imports a name."""
        return name in self._symbols[module.name] or name in self._imports[module.name]

    def find(self, name: str, module: str | None, scope: Scope, at: Place, others: Iterable[str] = ()) -> Found:
        """Return the assignment of a name that is not a parameter; `others` are names that would be possible, too.

        Raises:
            Problem: the name is not defined or imported, or the module that it is imported from is missing.
        """
        start = self.modules.get(module) if module else scope.module
        if start is None:
            raise Problem(f"the module {module} is not known", at)
        seen: set[str] = set()
        home = start
        while name not in self._symbols[home.name]:
            imports = self._imports[home.name].get(name)
            if imports is None or imports.module in seen:
                return self._find_predefined(name, home, at, [*others, *scope.parameters])
            if imports.module not in self.modules:
                names = f"{name} is" if len(imports.names) == 1 else f"{len(imports.names)} names are"
                message = f"{names} imported from the module {imports.module}, which is missing: add its file"
                raise Problem(message, imports.module_at)
            seen.add(imports.module)
            home = self.modules[imports.module]
        return Found(self._symbols[home.name][name], self._scopes[home.name])

    def _find_predefined(self, name: str, home: Module, at: Place, others: list[str]) -> Found:
        assignment = self._symbols[self._useful.name].get(name)
        if assignment is None:
            near = self._suggestion(name, home, others)
            raise Problem(f"{name} is not defined in module {home.name}, and not imported{near}", at)
        return Found(assignment, self._scopes[self._useful.name])

    def _suggestion(self, name: str, home: Module, others: list[str]) -> str:
        """Return "; did you mean X?" for the name that is nearest to a wrong one; empty if none is near."""
        symbols, imports = self._symbols[home.name], self._imports[home.name]
        self._comparisons_left -= len(others) + len(symbols) + len(imports)
        if self._comparisons_left < 0:
            return ""
        known = [*others, *symbols, *imports, *TYPE_NAMES]
        near = nearest(name, [one for one in known if one[0].isupper() == name[0].isupper() and one != name])
        return f"; did you mean {near}?" if near else ""

    def bound(self, node: Argument, scope: Scope) -> Bound | None:
        """Return the actual parameter that a node is a reference to, or None; parameters of parameters are followed."""
        found: Bound | None = None
        while isinstance(node, (TypeReference, ValueReference)) and node.module is None:
            bound = scope.parameters.get(node.name)
            if bound is None:
                break
            found = bound
            node, scope = bound.argument, bound.scope
        return found

    def bind(self, found: Found, arguments: list[Argument] | None, scope: Scope, at: Place) -> Scope:
        """Return the scope of an assignment whose parameters are replaced by arguments.

        Raises:
            Problem: the number of arguments is wrong.
        """
        parameters = found.assignment.parameters
        given = arguments or []
        if len(parameters) != len(given):
            count = "1 parameter" if len(parameters) == 1 else f"{len(parameters)} parameters"
            raise Problem(f"{found.assignment.name} has {count}, but {len(given)} given here", at)
        if not parameters:
            return found.scope
        bound = Scope(found.scope.module)
        for parameter, argument in zip(parameters, given, strict=True):
            bound.parameters[parameter.name] = Bound(argument, scope, parameter, bound)
        return bound

    def follow(self, node: TypeReference, scope: Scope) -> tuple[Type, Scope]:
        """Return the type that a reference refers to, or the reference itself if it is not to a type."""
        bound = self.bound(node, scope)
        if bound is not None:
            return (bound.argument, bound.scope) if isinstance(bound.argument, Type) else (node, scope)
        found = self.find(node.name, node.module, scope, node.at)
        if isinstance(found.assignment, SetAssignment):
            return found.assignment.governor, found.scope
        if not isinstance(found.assignment, TypeAssignment):
            return node, scope
        return found.assignment.type, self.bind(found, node.arguments, scope, node.at)

    def unwrapped(self, node: Type, scope: Scope) -> Iterator[tuple[Type, Scope]]:
        """Yield a type, then what is inside its tag or constraint, or what its reference refers to, and so on.

        Raises:
            Problem: a name is not known, or a type refers to itself.
        """
        depth = self._depth
        while True:
            yield node, scope
            if isinstance(node, (TaggedType, ConstrainedType)):
                node = node.type
            elif isinstance(node, TypeReference):
                following, inner = self.follow(node, scope)
                if following is node:
                    return
                depth += 1
                self._check_descent(depth, node.at)
                node, scope = following, inner
            else:
                return

    def find_class(self, node: Argument, scope: Scope) -> tuple[ObjectClass, Scope] | None:
        """Return the class that a governor refers to, and the scope of its names; None if it is a type."""
        if not isinstance(node, TypeReference):
            return None
        bound = self.bound(node, scope)
        if bound is not None:
            return self.find_class(bound.argument, bound.scope)
        found = self.find(node.name, node.module, scope, node.at)
        assignment = found.assignment
        if isinstance(assignment, ObjectClassAssignment):
            return assignment.object_class, self.bind(found, node.arguments, scope, node.at)
        if isinstance(assignment, TypeAssignment) and isinstance(assignment.type, TypeReference):
            with self.descent(node.at):
                return self.find_class(assignment.type, self.bind(found, node.arguments, scope, node.at))
        return None
