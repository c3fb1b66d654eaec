"""Values: references, and the notations whose meaning depends on the type."""

from __future__ import annotations

from abc import ABC, abstractmethod

from derlib import ConstraintError, Real, encode
from derlib.asn1.diagnostics import Problem, Unsupported
from derlib.asn1.semantics.compatible import Conversion
from derlib.asn1.semantics.forms import character, check_first_arcs, forms, is_relative, name_of, skip_comma
from derlib.asn1.semantics.model import (
    BitsValue,
    ChosenValue,
    ComponentValues,
    Constrained,
    Definition,
    ItemValue,
    ListOf,
    NamedBitsValue,
    NullValue,
    Numbered,
    OIDValue,
    Open,
    RealValue,
    Reference,
    ResolvedType,
    ResolvedValue,
    Simple,
    Structure,
    Tagged,
    TypedValue,
    parts_of,
    without_references,
)
from derlib.asn1.semantics.names import Bound, NameResolver, Scope
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.modules import ModuleParser
from derlib.asn1.syntax.tree import Braced, Value
from derlib.asn1.syntax.types import STRING_TYPES
from derlib.asn1.syntax.values import VALUE_WORDS

_REAL_WORDS = {"PLUS-INFINITY": "inf", "MINUS-INFINITY": "-inf", "NOT-A-NUMBER": "nan"}
# The longest chain of references from a type to another one: longer ones are cycles.
_LONGEST_CHAIN = 200


class ValueResolver(NameResolver, ABC):
    """Resolves values."""

    @abstractmethod
    def type_of(self, definition: Definition) -> ResolvedType:
        """Return the resolved type of a definition; `types` implements this."""

    @abstractmethod
    def governor_type(self, node: tree.Type, scope: Scope) -> ResolvedType:
        """Return the resolved type of a governor; `types` implements this."""

    @abstractmethod
    def value_from_object(self, node: tree.ValueFromObject, scope: Scope) -> tuple[ResolvedValue, ResolvedType]:
        """Return the value of a field of an object, and its type; `objects` implements this."""

    @abstractmethod
    def arcs(self, node: Value, scope: Scope, *, relative: bool = False) -> tuple[int, ...]:
        """Return the arcs of an OBJECT IDENTIFIER; `object_identifiers` implements this."""

    def base(self, resolved: ResolvedType) -> ResolvedType:
        """Return a type without its references, tags and constraints."""
        for _ in range(_LONGEST_CHAIN):
            if isinstance(resolved, Reference):
                resolved = self.type_of(resolved.definition)
            elif isinstance(resolved, (Tagged, Constrained)):
                resolved = resolved.inner
            else:
                break
        return resolved

    def parser(self, node: Braced) -> ModuleParser:
        """Return a parser of the tokens in braces."""
        return ModuleParser(node.at.source, node.tokens, self.diagnostics)

    def value(self, node: Value, governor: ResolvedType, scope: Scope) -> ResolvedValue:
        """Return a value of a type.

        Raises:
            Problem: a name is not known, or the notation is not a value of the type.
        """
        base = self.base(governor)
        found = self.any_value(node, base, scope)
        if type(found) not in forms(base):
            raise Problem(f"expected a value of {name_of(base)}", node.at)
        if isinstance(found, OIDValue) and not is_relative(base):
            check_first_arcs(found.arcs, node.at)
        return found

    def any_value(self, node: Value, base: ResolvedType, scope: Scope) -> ResolvedValue:
        """Return a value, which can be one of another type."""
        with self.descent(node.at):
            if not isinstance(base, Open):
                return self._value(node, base, scope)
            if base.problem is not None:
                raise base.problem
            return self._open_value(node, scope)

    def _value(self, node: Value, base: ResolvedType, scope: Scope) -> ResolvedValue:
        match node:
            case tree.ValueReference():
                return self._referenced_value(node, base, scope)
            case tree.NumberValue():
                return _encodable(RealValue(str(node.number)), node.at) if _is_simple(base, "REAL") else node.number
            case tree.RealValue():
                return _encodable(RealValue(node.text), node.at)
            case tree.StringValue():
                return node.text
            case tree.KeywordValue():
                return self._keyword(node)
            case tree.BitsValue():
                return _bits(node, base)
            case Braced():
                return self._braced(node, base, scope)
            case tree.ChoiceValue():
                return self._chosen(node, base, scope)
            case tree.ValueFromObject():
                value, own = self.value_from_object(node, scope)
                return self._conversion(f"&{node.path[-1]}", node.at).converted(value, own, base)
            case _:
                raise Problem("the value is not supported", node.at)

    def _open_value(self, node: Value, scope: Scope) -> ResolvedValue:
        """Return a value of an open type; without "Type :", the notation itself shows the type, as in X.208."""
        match node:
            case tree.ChoiceValue(selector=tree.Type()):
                return self._value(node, Open(), scope)
            case tree.ValueReference():
                governor = self.governor_of(node, scope)
                if isinstance(self.base(governor), Open):
                    return self._referenced_value(node, Open(), scope)
            case tree.KeywordValue(word="NULL"):
                governor = Simple("NULL")
            case tree.KeywordValue(word="TRUE" | "FALSE"):
                governor = Simple("BOOLEAN")
            case tree.NumberValue():
                governor = Simple("INTEGER")
            case _:
                raise Problem("expected a type and ':' before the value of an open type", node.at)
        return TypedValue(governor, self.value(node, governor, scope))

    def governor_of(self, node: tree.ValueReference, scope: Scope) -> ResolvedType:
        """Return the type of a value that has a name."""
        bound = self.bound(node, scope)
        if bound is not None and bound.parameter.governor is not None:
            return self.governor_type(bound.parameter.governor, bound.parameter_scope)
        found = self.find(node.name, node.module, scope, node.at)
        if not isinstance(found.assignment, tree.ValueAssignment):
            raise Problem(f"{node.name} is not a value", node.at)
        return self.governor_type(found.assignment.governor, self.bind(found, node.arguments, scope, node.at))

    def _keyword(self, node: tree.KeywordValue) -> ResolvedValue:
        if node.word in ("TRUE", "FALSE"):
            return node.word == "TRUE"
        if node.word in _REAL_WORDS:
            return RealValue(_REAL_WORDS[node.word])
        if node.word == "NULL":
            return NullValue()
        raise Problem(f"{node.word} is not a value", node.at)

    def _referenced_value(self, node: tree.ValueReference, base: ResolvedType, scope: Scope) -> ResolvedValue:
        bound = self.bound(node, scope)
        if bound is not None:
            if isinstance(bound.argument, Value):
                own = self._base_of_parameter(bound, base)
                value = self.any_value(bound.argument, own, bound.scope)
                return self._conversion(node.name, node.at).converted(value, own, base)
            raise Problem(f"expected a value for the parameter {node.name}, found a type", bound.argument.at)
        items = base.named if isinstance(base, Numbered) and node.module is None else {}
        if node.name in items:
            return ItemValue(node.name, items[node.name])
        try:
            found = self.find(node.name, node.module, scope, node.at, items)
        except Problem as problem:
            if node.name.upper() in VALUE_WORDS:
                message = f"expected a value, found {node.name!r}: write {node.name.upper()}"
                raise Problem(message, node.at) from None
            if isinstance(base, Numbered) and base.kind == "ENUMERATED" and "did you mean" not in problem.message:
                raise Problem(f"{node.name} is not an item; expected one of {', '.join(items)}", node.at) from None
            raise
        assignment = found.assignment
        if not isinstance(assignment, tree.ValueAssignment):
            raise Problem(f"{node.name} is not a value", node.at)
        inner = self.bind(found, node.arguments, scope, node.at)
        if isinstance(assignment.governor, tree.MacroType):
            return OIDValue(self.arcs(assignment.value, inner))
        own = self.base(self.governor_type(assignment.governor, inner))
        value = self.any_value(assignment.value, own, inner)
        self.charge(_length(value), node.at)
        conversion = self._conversion(node.name, node.at)
        converted = conversion.converted(value, own, base)
        if own is not base:
            # The defaults of the components are known later.
            self.later(lambda: conversion.keep_defaults(value, own, converted, base))
            self.later(lambda: _check_parts(converted, base, node.at))
        return converted

    def _conversion(self, name: str, at: Place) -> Conversion:
        return Conversion(name, at, self.base, self.charge)

    def _base_of_parameter(self, bound: Bound, base: ResolvedType) -> ResolvedType:
        """Return the type of a value parameter: its governor, or else the type of its place (X.683 8.3)."""
        if bound.parameter.governor is None:
            return base
        governor = self.base(self.governor_type(bound.parameter.governor, bound.parameter_scope))
        return base if isinstance(governor, Open) else governor

    def integer(self, node: Value, scope: Scope, governor: ResolvedType | None = None) -> int:
        """Return a value of INTEGER; `governor` is a type with named numbers.

        Raises:
            Problem: it is not an integer.
        """
        found = self.any_value(node, self.base(governor or Numbered("INTEGER", {})), scope)
        if isinstance(found, ItemValue):
            return found.number
        if type(found) is not int:
            raise Problem("expected an integer", node.at)
        return found

    # Braces

    def _braced(self, node: Braced, base: ResolvedType, scope: Scope) -> ResolvedValue:
        if _is_simple(base, "OBJECT IDENTIFIER", "RELATIVE-OID"):
            return OIDValue(self.arcs(node, scope, relative=is_relative(base)))
        if isinstance(base, Numbered) and base.kind == "BIT STRING":
            return self._named_bits(node, base)
        if _is_simple(base, "REAL"):
            return self._real(node, scope)
        if isinstance(base, ListOf):
            return self._elements(node, base, scope)
        if isinstance(base, Structure) and base.kind != "CHOICE":
            return self._component_values(node, base, scope)
        if _is_simple(base, "BIT STRING") and len(node.tokens) == 1:
            return BitsValue("")
        if _is_simple(base, *STRING_TYPES):
            return self._characters_in_braces(self.parser(node), base, scope)
        if isinstance(base, Simple):
            raise Unsupported("a value in braces of this type is not supported", node.at)
        raise Problem("braces are not a value of this type", node.at)

    def _characters_in_braces(self, parser: ModuleParser, base: ResolvedType, scope: Scope) -> str:
        """Return the characters of a list, or of numbers: a quadruple or a tuple (X.680 41.8)."""
        if parser.kind is Kind.NUMBER:
            return character(parser)
        text = ""
        while not parser.at_end():
            at = parser.at
            part = self.value(parser.parse_value(), base, scope)
            if not isinstance(part, str):
                raise Problem("expected characters", at)
            text += part
            skip_comma(parser)
        return text

    def _real(self, node: Braced, scope: Scope) -> RealValue:
        """Return a value with a mantissa, a base and an exponent (X.680 21.6)."""
        parser = self.parser(node)
        parts: dict[str, int] = {}
        for name in ("mantissa", "base", "exponent"):
            parser.expect(name)
            parts[name] = self.integer(parser.parse_value(), scope)
            skip_comma(parser)
        if parts["base"] not in (2, 10):
            raise Problem("the base of a REAL is 2 or 10 (X.680 21.5)", node.at)
        mantissa, exponent = parts["mantissa"], parts["exponent"]
        if parts["base"] == 2:
            return _encodable(RealValue(f"{'-' if mantissa < 0 else ''}0x{abs(mantissa):x}p{exponent}"), node.at)
        return _encodable(RealValue(f"{mantissa}E{exponent}"), node.at)

    def _named_bits(self, node: Braced, base: Numbered) -> NamedBitsValue:
        parser = self.parser(node)
        names: list[str] = []
        while not parser.at_end():
            at = parser.at
            name = parser.expect_kind(Kind.IDENTIFIER)
            if name not in base.named:
                raise Problem(f"{name} is not a named bit; expected one of {', '.join(base.named)}", at)
            names.append(name)
            skip_comma(parser)
        return NamedBitsValue(tuple(names))

    def _elements(self, node: Braced, base: ListOf, scope: Scope) -> ResolvedValue:
        parser = self.parser(node)
        elements: list[ResolvedValue] = []
        while not parser.at_end():
            elements.append(self.value(parser.parse_value(), base.element, scope))
            skip_comma(parser)
        return elements

    def _component_values(self, node: Braced, base: Structure, scope: Scope) -> ComponentValues:
        parser = self.parser(node)
        components = {component.name: component for component in base.components}
        values: dict[str, ResolvedValue] = {}
        while not parser.at_end():
            at = parser.at
            name = parser.expect_kind(Kind.IDENTIFIER)
            if name not in components:
                raise Problem(f"{name} is not a component; expected one of {', '.join(components)}", at)
            if name in values:
                raise Problem(f"{name} is given twice", at)
            values[name] = self.value(parser.parse_value(), components[name].type, scope)
            skip_comma(parser)
        # The defaults of the components are known later.
        self.later(lambda: _check_complete(values, base, node.at))
        return ComponentValues(values)

    def _chosen(self, node: tree.ChoiceValue, base: ResolvedType, scope: Scope) -> ResolvedValue:
        if isinstance(node.selector, tree.Type):
            governor = self.governor_type(node.selector, scope)
            return TypedValue(governor, self.value(node.value, governor, scope))
        if isinstance(base, Structure) and base.kind == "CHOICE":
            for alternative in base.components:
                if alternative.name == node.selector:
                    return ChosenValue(alternative.name, self.value(node.value, alternative.type, scope))
        raise Problem(f"{node.selector} is not an alternative of this type", node.at)


def _check_complete(values: dict[str, ResolvedValue], base: Structure, at: Place) -> None:
    """Raise Problem if a value of a SEQUENCE or SET lacks a component (X.680 25)."""
    for component in base.components:
        can_be_absent = component.optional or component.addition or component.default is not None
        if component.name not in values and not can_be_absent:
            raise Problem(f"the value has no {component.name}, which is not OPTIONAL (X.680 25)", at)


def _check_parts(value: ResolvedValue, resolved: ResolvedType, at: Place) -> None:
    """Raise Problem if a value, or a part of it, lacks a component of its type."""
    base = without_references(resolved)
    if type(value) not in forms(base):
        return  # It has an error of its own.
    if isinstance(value, ComponentValues) and isinstance(base, Structure):
        _check_complete(value.components, base, at)
    for inner, its_type in parts_of(value, base):
        _check_parts(inner, its_type, at)


def _length(value: ResolvedValue) -> int:
    """Return the length of a value that a reference to it copies."""
    match value:
        case OIDValue(arcs=parts) | BitsValue(bits=parts):
            return len(parts)
        case str() | bytes() | list():
            return len(value)
        case _:
            return 1


def _is_simple(base: ResolvedType, *names: str) -> bool:
    return getattr(base, "name", None) in names


def _encodable(value: RealValue, at: Place) -> RealValue:
    """Return the value. Raise Unsupported if derlib cannot encode it."""
    try:
        encode(value.text, Real)
    except ConstraintError:
        raise Unsupported("derlib cannot encode this REAL: its mantissa or its exponent is too long", at) from None
    return value


def _bits(node: tree.BitsValue, base: ResolvedType) -> ResolvedValue:
    width = 1 if node.base == 2 else 4
    length = len(node.digits) * width
    bits = f"{int(node.digits, node.base):0{length}b}" if node.digits else ""
    return BitsValue(bits).octets if _is_simple(base, "OCTET STRING") else BitsValue(bits)
