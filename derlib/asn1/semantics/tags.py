"""Distinct tags: a decoder finds components and alternatives by their tags (X.680 25.6, 27.3, 29.3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from derlib import Tag, inspect
from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.definitions import DefinitionResolver
from derlib.asn1.semantics.model import (
    Constrained,
    Definition,
    ListOf,
    Numbered,
    Open,
    Reference,
    ResolvedComponent,
    ResolvedModule,
    ResolvedType,
    Simple,
    Structure,
    Tagged,
    without_tags,
)

_UNIVERSAL = {name: Tag(number, "universal") for number, name in inspect.universal_types().items()}
_CLAUSES = {"SEQUENCE": "25.6", "SET": "27.3", "CHOICE": "29.3"}


def check_tags(modules: Iterable[ResolvedModule], resolver: DefinitionResolver) -> None:
    """Record an error for each component and alternative that has the tag of another one beside it."""
    for module in modules:
        for definition in module.definitions:
            structure = without_tags(definition.type)
            if isinstance(structure, Structure):
                resolver.attempt(partial(_check_structure, structure, resolver))


def _check_structure(structure: Structure, resolver: DefinitionResolver) -> None:
    taken: dict[Tag, str] = {}
    for component in structure.components:
        can_be_absent = component.optional or component.default is not None or component.addition
        # In a SEQUENCE, a component that is always there separates those before it from those after it.
        separates = structure.kind == "SEQUENCE" and not can_be_absent
        if separates and not taken:
            continue
        tags = _tags(component, resolver)
        twice = next((tag for tag in tags if tag in taken), None)
        if twice is not None:
            first = taken[twice]
            reason = f", and {first} can be absent" if structure.kind == "SEQUENCE" else ""
            message = f"{component.name} has the tag of {first}, {twice}{reason} (X.680 {_CLAUSES[structure.kind]})"
            resolver.diagnostics.error(Problem(message, component.at))
        taken.update(dict.fromkeys(tags, component.name))
        if separates:
            taken.clear()


def _tags(component: ResolvedComponent, resolver: DefinitionResolver) -> list[Tag]:
    """Return the tags that a component can have; none for an open type, which the class checks.

    Raises:
        Problem: all components together have too many.
    """
    found: list[Tag] = []
    waiting: list[ResolvedType] = [component.type]
    # CHOICEs can contain one CHOICE twice, and themselves.
    seen: set[Definition] = set()
    while waiting:
        resolver.charge(1, component.at)
        match waiting.pop():
            case Tagged(tag_class=tag_class, number=number):
                found.append(Tag(number, tag_class))
            case Constrained(inner=inner):
                waiting.append(inner)
            case Reference(definition=definition):
                if definition not in seen:
                    seen.add(definition)
                    waiting.append(resolver.type_of(definition))
            case Structure(kind="CHOICE", components=alternatives):
                waiting.extend(alternative.type for alternative in reversed(alternatives))
            case Simple(name=name) | Numbered(kind=name) | Structure(kind=name) | ListOf(kind=name):
                found.append(_UNIVERSAL[name])
            case Open():
                pass
    return found
