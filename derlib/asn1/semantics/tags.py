"""Distinct tags: a decoder finds components and alternatives by their tags (X.680 25.6, 27.3, 29.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.model import (
    Constrained,
    Definition,
    ListOf,
    Numbered,
    Open,
    Reference,
    ResolvedComponent,
    ResolvedType,
    Simple,
    Structure,
    Tagged,
)

# A class and a number.
Tag = tuple[str, int]

# The numbers of the universal tags (X.680 8.4).
_UNIVERSAL = {
    "BOOLEAN": 1,
    "INTEGER": 2,
    "BIT STRING": 3,
    "OCTET STRING": 4,
    "NULL": 5,
    "OBJECT IDENTIFIER": 6,
    "ObjectDescriptor": 7,
    "EXTERNAL": 8,
    "REAL": 9,
    "ENUMERATED": 10,
    "EMBEDDED PDV": 11,
    "UTF8String": 12,
    "RELATIVE-OID": 13,
    "TIME": 14,
    "SEQUENCE": 16,
    "SET": 17,
    "NumericString": 18,
    "PrintableString": 19,
    "TeletexString": 20,
    "VideotexString": 21,
    "IA5String": 22,
    "UTCTime": 23,
    "GeneralizedTime": 24,
    "GraphicString": 25,
    "VisibleString": 26,
    "GeneralString": 27,
    "UniversalString": 28,
    "CHARACTER STRING": 29,
    "BMPString": 30,
    "DATE": 31,
    "TIME-OF-DAY": 32,
    "DATE-TIME": 33,
    "DURATION": 34,
    "OID-IRI": 35,
    "RELATIVE-OID-IRI": 36,
}


class TagChecker:
    """Looks for components and alternatives with the same tag.

    Args:
        type_of: returns the type of a definition.
    """

    def __init__(self, type_of: Callable[[Definition], ResolvedType]) -> None:
        self._type_of = type_of

    def problems(self, definition: Definition) -> Iterator[Problem]:
        """Yield a problem for each component of a type that has the tag of another one beside it."""
        resolved = definition.type
        while isinstance(resolved, (Tagged, Constrained)):
            resolved = resolved.inner
        if not isinstance(resolved, Structure):
            return
        taken: dict[Tag, ResolvedComponent] = {}
        for component in resolved.components:
            tags = self._tags(component.type, set())
            twice = next((tag for tag in tags if tag in taken), None)
            if twice is not None:
                yield _problem(resolved, taken[twice], component, twice)
            taken.update(dict.fromkeys(tags, component))
            # In a SEQUENCE, a component that is always there separates those before it from those after it.
            can_be_absent = component.optional or component.default is not None or component.addition
            if resolved.kind == "SEQUENCE" and not can_be_absent:
                taken.clear()

    def _tags(self, resolved: ResolvedType, inside: set[Definition]) -> set[Tag]:
        """Return the tags that a value can have; none for an open type, which the class checks.

        `inside` are the definitions around the type, of which one can contain itself.
        """
        match resolved:
            case Tagged(tag_class=tag_class, number=number):
                return {(tag_class, number)}
            case Constrained(inner=inner):
                return self._tags(inner, inside)
            case Reference(definition=definition):
                return set() if definition in inside else self._tags(self._type_of(definition), inside | {definition})
            case Structure(kind="CHOICE", components=components):
                return set().union(*(self._tags(component.type, inside) for component in components))
            case Simple(name=name) | Numbered(kind=name) | Structure(kind=name) | ListOf(kind=name):
                return {("universal", _UNIVERSAL[name])}
            case Open():
                return set()


def _problem(structure: Structure, first: ResolvedComponent, second: ResolvedComponent, tag: Tag) -> Problem:
    clause = {"SEQUENCE": "25.6", "SET": "27.3", "CHOICE": "29.3"}[structure.kind]
    name = f"[{tag[0].upper()} {tag[1]}]".replace("CONTEXT ", "")
    if tag[0] == "universal":
        name = next(name for name, number in _UNIVERSAL.items() if number == tag[1])
    reason = f", and {first.name} can be absent" if structure.kind == "SEQUENCE" else ""
    return Problem(f"{second.name} has the tag of {first.name}, {name}{reason} (X.680 {clause})", second.at)
