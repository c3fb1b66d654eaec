"""The components that a type has, with those of COMPONENTS OF, and the tags that they get (X.680 25 to 31)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.definitions import DefinitionResolver, Member
from derlib.asn1.semantics.names import Scope
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Type

Structured = tree.SequenceType | tree.ChoiceType


class ComponentResolver(DefinitionResolver):
    """Finds components and alternatives."""

    def structure_of(self, node: Type, scope: Scope) -> tuple[Structured, Scope] | None:
        """Return the SEQUENCE, SET or CHOICE that a type is, through references, tags and constraints."""
        *_, (node, scope) = self.unwrapped(node, scope)
        if isinstance(node, tree.FieldType):
            fixed = self.type_of_field(node, scope)
            with self.descent(node.at):
                return fixed and self.structure_of(*fixed)
        return (node, scope) if isinstance(node, (tree.SequenceType, tree.ChoiceType)) else None

    def selected_alternative(self, node: tree.SelectionType, scope: Scope) -> Member:
        """Return the alternative that a selection type names (X.680 30)."""
        found = self.structure_of(node.type, scope)
        if found is None or not isinstance(found[0], tree.ChoiceType):
            raise Problem("a selection type needs a CHOICE (X.680 30)", node.at)
        for member in self.flatten(found[0].components, found[1]):
            if member.component.name == node.alternative:
                return member
        raise Problem(f"{node.alternative} is not an alternative", node.at)

    def needs_explicit(self, node: Type, scope: Scope) -> bool:
        """Return whether a type has no tag that an IMPLICIT one could replace (X.680 31.2.7)."""
        for inner, inner_scope in self.unwrapped(node, scope):
            node, scope = inner, inner_scope
            if isinstance(node, tree.TaggedType):
                return False
            if isinstance(node, tree.TypeReference) and node.module is None and node.name in scope.parameters:
                return True
        if isinstance(node, tree.FieldType):
            fixed = self.type_of_field(node, scope)
            with self.descent(node.at):
                return fixed is None or self.needs_explicit(*fixed)
        if isinstance(node, tree.SelectionType):
            member = self.selected_alternative(node, scope)
            with self.descent(node.at):
                return member.tag is None and self.needs_explicit(member.component.type, member.scope)
        return isinstance(node, (tree.ChoiceType, tree.AnyType))

    def flatten(self, components: tree.Components, scope: Scope) -> list[Member]:
        """Return the components in the order of their encoding, with those of COMPONENTS OF, and automatic tags."""
        additions = _additions(components)
        first = self.expanded(components.root, scope, addition=False)
        middle = self.expanded(additions, scope, addition=True)
        last = self.expanded(components.second_root, scope, addition=False)
        textual = [*components.root, *components.second_root]
        if scope.module.tag_default != "AUTOMATIC" or _has_tag(textual):
            return first + middle + last
        # Tags count through the root first, then through the additions (X.680 25.8).
        tags = {id(member): tag for tag, member in enumerate(first + last + middle)}
        return [replace(member, tag=tags[id(member)]) for member in first + middle + last]

    def expanded(self, components: list[tree.Component], scope: Scope, *, addition: bool) -> list[Member]:
        """Return components of the text, with those of the other type in place of each COMPONENTS OF."""
        members: list[Member] = []
        for component in components:
            if isinstance(component, tree.ComponentType):
                members.append(Member(component, scope, addition, None))
                continue
            found = self.structure_of(component.type, scope)
            if found is None or isinstance(found[0], tree.ChoiceType):
                raise Problem("COMPONENTS OF needs a SEQUENCE or SET", component.at)
            # Additions of the other type are not included (X.680 25.4).
            with self.descent(component.at):
                inner = [member for member in self.flatten(found[0].components, found[1]) if not member.addition]
            self.charge(len(inner), component.at)
            members += [replace(member, addition=addition) for member in inner]
        return members

    # Checks

    def check_components(self, kind: str, components: tree.Components, members: list[Member], scope: Scope) -> None:
        """Record what is wrong with the components of a type, or raise Problem if two have one name."""
        _check_names(members, components)
        self._check_kind(kind, components, scope)
        self._check_automatic_tags(kind, components, scope)

    def _check_kind(self, kind: str, components: tree.Components, scope: Scope) -> None:
        """Record an error for COMPONENTS OF a SET in a SEQUENCE, or the reverse (X.680 25.4, 27.2)."""
        for component in [*components.root, *_additions(components), *components.second_root]:
            if isinstance(component, tree.ComponentsOf):
                found = self.structure_of(component.type, scope)
                if found and isinstance(found[0], tree.SequenceType) and found[0].kind != kind:
                    message = f"COMPONENTS OF in a {kind} needs a {kind}, found a {found[0].kind}"
                    self.diagnostics.error(Problem(message, component.at))

    def _check_automatic_tags(self, kind: str, components: tree.Components, scope: Scope) -> None:
        """Record an error for an addition with a tag after an extension root without one (X.680 25.9, 29)."""
        if scope.module.tag_default != "AUTOMATIC" or _has_tag([*components.root, *components.second_root]):
            return
        clause = "29" if kind == "CHOICE" else "25.9"
        for component in _additions(components):
            if _has_tag([component]):
                message = f"an addition cannot have a tag: AUTOMATIC TAGS give the root its tags (X.680 {clause})"
                self.diagnostics.error(Problem(message, component.type.at))


def _check_names(members: list[Member], components: tree.Components) -> None:
    """Raise Problem if COMPONENTS OF adds a component with the name of another one (X.680 25)."""
    written = [*components.root, *_additions(components), *components.second_root]
    seen: set[str] = set()
    for name in (member.component.name for member in members):
        if name in seen:
            places = [one.at for one in written if isinstance(one, tree.ComponentsOf) or one.name == name]
            raise Problem(f"{name} is defined twice: COMPONENTS OF also defines it", places[-1])
        seen.add(name)


def _additions(components: tree.Components) -> list[tree.Component]:
    """Return the components after the extension marker, with those in groups."""
    additions: list[tree.Component] = []
    for addition in components.additions:
        additions += addition.components if isinstance(addition, tree.AdditionGroup) else [addition]
    return additions


def _has_tag(components: Iterable[tree.Component]) -> bool:
    """Return whether one of the components has a tag in the text."""
    return any(isinstance(node, tree.ComponentType) and isinstance(node.type, tree.TaggedType) for node in components)
