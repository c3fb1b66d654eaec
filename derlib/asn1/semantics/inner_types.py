"""Inner type constraints: WITH COMPONENT and WITH COMPONENTS (X.680 51.8)."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Literal

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.alphabets import AlphabetResolver
from derlib.asn1.semantics.model import (
    ListOf,
    OfComponents,
    OfElements,
    ResolvedComponent,
    ResolvedConstraint,
    ResolvedType,
    Simple,
    Structure,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.subsets import effective
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Constraint

# The name, the constraint and the presence of a component.
Entry = tuple[str, ResolvedConstraint | None, Literal["PRESENT", "ABSENT", "OPTIONAL"] | None]


class InnerTypeResolver(AlphabetResolver):
    """Resolves the constraints of elements and components."""

    @abstractmethod
    def constraint(self, node: Constraint, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return the constraint of a type; `constraints` implements this."""

    def of_elements(
        self, node: tree.ElementConstraint, governor: ResolvedType, scope: Scope
    ) -> ResolvedConstraint | None:
        """Return the constraint on each element of a list."""
        base = self.base(governor)
        if not isinstance(base, ListOf):
            raise Problem("WITH COMPONENT needs a SEQUENCE OF or SET OF", node.at)
        with self.descent(node.at):
            inner = effective(self.constraint(node.inner, base.element, scope))
        if inner is None:
            return None
        return self.marked(OfElements(inner), exact=self.is_exact(inner))

    def of_components(
        self, node: tree.ComponentConstraints, governor: ResolvedType, scope: Scope
    ) -> ResolvedConstraint | None:
        """Return the constraint on components or alternatives."""
        base = self.base(governor)
        if isinstance(base, Simple):
            # REAL, EXTERNAL and the like have associated types, whose components are not those of a class.
            return None
        if not isinstance(base, Structure):
            raise Problem("WITH COMPONENTS needs a SEQUENCE, SET or CHOICE", node.at)
        known = {component.name: component for component in base.components}
        entries: dict[str, Entry] = {}
        exact = True
        for named in node.components:
            if named.name not in known:
                raise Problem(f"{named.name} is not a component; expected one of {', '.join(known)}", named.at)
            if named.name in entries:
                raise Problem(f"{named.name} is given twice (X.680 51.8)", named.at)
            entries[named.name] = self._entry(named, known[named.name], base, scope)
            exact = exact and self._is_exact_entry(named, entries[named.name])
        if node.partial or base.kind == "CHOICE":
            return self._made(node.partial, entries, exact)
        exact = self._check_unnamed(node.at, entries, base) and exact
        if all(presence != "OPTIONAL" for _, _, presence in entries.values()):
            return self._made(False, entries, exact)
        return self._made(True, self._with_presences(node.at, entries, base), exact)

    def _made(self, is_partial: bool, entries: dict[str, Entry], exact: bool) -> ResolvedConstraint | None:
        """Return the constraint; None if it restricts nothing."""
        if is_partial and not any(
            inner or presence in ("PRESENT", "ABSENT") for _, inner, presence in entries.values()
        ):
            return None
        return self.marked(OfComponents(is_partial, tuple(entries.values())), exact=exact)

    def _entry(self, named: tree.NamedConstraint, component: ResolvedComponent, base: Structure, scope: Scope) -> Entry:
        """Return the constraint on a component, and its presence if it can be absent."""
        inner = None
        if named.constraint:
            with self.descent(named.at):
                inner = effective(self.constraint(named.constraint, component.type, scope))
        presence = named.presence
        if presence in ("PRESENT", "ABSENT") and base.kind != "CHOICE" and not component.optional:
            self.later(partial(self._check_presence, component, presence, named.at))
            presence = presence if component.addition else None
        return named.name, inner, presence

    def _is_exact_entry(self, named: tree.NamedConstraint, entry: Entry) -> bool:
        """Return whether the resolved constraint on a component is all of its notation."""
        _, inner, presence = entry
        complete = named.constraint is None or (inner is not None and self.is_exact(inner))
        return complete and presence == named.presence

    def _check_presence(self, component: ResolvedComponent, word: str, at: Place) -> None:
        """Report that a component is not OPTIONAL, although it must be present or absent; its default is known now."""
        if component.default is not None and component.addition:
            raise Problem(f"{word} is not supported for {component.name}, which has a DEFAULT", at)
        if component.default is not None:
            self.diagnostics.warn(f"{word} is not checked for {component.name}, which has a DEFAULT", at)
        elif word == "ABSENT" and not component.addition:
            raise Problem(f"{component.name} cannot be ABSENT: it is not OPTIONAL (X.680 51.8)", at)

    def _check_unnamed(self, at: Place, entries: dict[str, Entry], base: Structure) -> bool:
        """Return whether the full form names all components that are not OPTIONAL; report the others later.

        A component with a DEFAULT that it does not name must have this value, which is not checked. One without a
        DEFAULT is allowed, as in RFC 6211, although it should be named.
        """
        unnamed = [one for one in base.components if not _can_lack(one) and one.name not in entries]
        for component in unnamed:
            self.later(partial(self._warn_of_unnamed, component, at))
        return not unnamed

    def _warn_of_unnamed(self, component: ResolvedComponent, at: Place) -> None:
        if component.default is not None:
            self._check_presence(component, "ABSENT", at)

    def _with_presences(self, at: Place, entries: dict[str, Entry], base: Structure) -> dict[str, Entry]:
        """Return the entries of the full form as those of the partial form, which has a form for OPTIONAL."""
        found = dict(entries)
        for component in filter(_can_lack, base.components):
            name, inner, presence = entries.get(component.name, (component.name, None, "ABSENT"))
            found[name] = name, inner, presence or "PRESENT"
            if not component.optional and presence != "OPTIONAL":
                self.later(partial(self._check_presence, component, presence or "PRESENT", at))
        return found


def _can_lack(component: ResolvedComponent) -> bool:
    """Return whether a component can be absent: all additions can, because earlier versions do not have them."""
    return component.optional or component.addition
