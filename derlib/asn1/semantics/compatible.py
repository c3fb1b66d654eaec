"""Values of one type as values of another one (X.680, the annex with the rules for type and value compatibility).

A reference to a value has the names that the type of the value gives to numbers, bits and items. The type that needs
the value can be another one, with other names or none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.forms import forms, name_of
from derlib.asn1.semantics.model import (
    BitsValue,
    ChosenValue,
    ComponentValues,
    ItemValue,
    ListOf,
    NamedBitsValue,
    Numbered,
    ResolvedComponent,
    ResolvedType,
    ResolvedValue,
    Structure,
)
from derlib.asn1.source import Place


@dataclass(frozen=True)
class Conversion:
    """Converts the parts of a value that has a name. `base_of` returns a type without references and tags."""

    name: str
    at: Place
    base_of: Callable[[ResolvedType], ResolvedType]
    charge: Callable[[int, Place], None]

    def converted(self, value: ResolvedValue, own: ResolvedType, governor: ResolvedType) -> ResolvedValue:
        """Return a value of the type `own` as one of another type; unchanged if it is of a completely different one.

        Raises:
            Problem: the value has an item or a component that the other type lacks.
        """
        own, base = self.base_of(own), self.base_of(governor)
        if own is base:
            return value
        match value, own, base:
            case ItemValue(), _, Numbered():
                return self._number(value, base)
            case NamedBitsValue(), Numbered(), _:
                return _bits(value, own, base)
            case list(), ListOf(), ListOf():
                return [self._part(element, own.element, base.element) for element in value]
            case ComponentValues(), Structure(), Structure() if base.kind != "CHOICE":
                return ComponentValues(self._components(value.components, own, base))
            case ChosenValue(), Structure(), Structure() if base.kind == "CHOICE":
                [(name, inner)] = self._components(value.components, own, base).items()
                return ChosenValue(name, inner)
            case _:
                return value

    def keep_defaults(
        self, value: ResolvedValue, own: ResolvedType, converted: ResolvedValue, governor: ResolvedType
    ) -> None:
        """Add the components to a converted value that its own type has a DEFAULT for, and the other type another one.

        The defaults of types must be known.
        """
        own, base = self.base_of(own), self.base_of(governor)
        if own is base:
            return
        match value, converted, own, base:
            case list(), list(), ListOf(), ListOf():
                for each, made in zip(value, converted, strict=True):
                    self.keep_defaults(each, own.element, made, base.element)
            case ComponentValues() | ChosenValue(), ComponentValues() | ChosenValue(), Structure(), Structure():
                others = {component.name: component for component in base.components}
                for component in own.components:
                    if component.name in others:
                        self._keep_default(value.components, component, converted.components, others[component.name])
            case _:
                pass

    def _keep_default(
        self,
        values: dict[str, ResolvedValue],
        own: ResolvedComponent,
        converted: dict[str, ResolvedValue],
        other: ResolvedComponent,
    ) -> None:
        if own.name in values:
            self.keep_defaults(values[own.name], own.type, converted[own.name], other.type)
        elif own.default is not None:
            made = self._part(own.default, own.type, other.type)
            self.keep_defaults(own.default, own.type, made, other.type)
            if made != other.default:
                converted[own.name] = made

    def _part(self, value: ResolvedValue, own: ResolvedType, governor: ResolvedType) -> ResolvedValue:
        self.charge(1, self.at)
        found, base = self.converted(value, own, governor), self.base_of(governor)
        if type(found) not in forms(base):
            raise Problem(f"{self.name} is a value of another type: it has a part that is not {name_of(base)}", self.at)
        return found

    def _components(
        self, values: dict[str, ResolvedValue], own: Structure, base: Structure
    ) -> dict[str, ResolvedValue]:
        own_types, types = own.types, base.types
        for name in values:
            if name not in types:
                expected = f"expected one of {', '.join(types)}"
                raise Problem(f"{self.name} is a value of another type: it has {name}; {expected}", self.at)
        return {name: self._part(inner, own_types[name], types[name]) for name, inner in values.items()}

    def _number(self, value: ItemValue, base: Numbered) -> ResolvedValue:
        if base.named.get(value.name) == value.number:
            return value
        if base.kind == "ENUMERATED":
            expected = f"expected one of {', '.join(base.named)}"
            raise Problem(f"{self.name} is {value.name}, an item of another type; {expected}", self.at)
        return value.number


def _bits(value: NamedBitsValue, own: Numbered, base: ResolvedType) -> ResolvedValue:
    numbers = [own.named[name] for name in value.names]
    if isinstance(base, Numbered) and numbers == [base.named.get(name) for name in value.names]:
        return value
    return BitsValue("".join("01"[bit in numbers] for bit in range(max(numbers, default=-1) + 1)))
