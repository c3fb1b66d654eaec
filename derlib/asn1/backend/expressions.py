"""Python expressions for types, constraints and values."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction

from derlib.asn1.backend.names import component_name, item_name
from derlib.asn1.backend.references import FileNames
from derlib.asn1.semantics.forms import is_relative, python_name
from derlib.asn1.semantics.model import (
    Alphabet,
    BitsValue,
    Bounds,
    ChosenValue,
    Combination,
    ComponentValues,
    Constrained,
    Contents,
    Extended,
    ItemValue,
    ListOf,
    NamedBitsValue,
    Not,
    NullValue,
    Numbered,
    OfComponents,
    OfElements,
    OIDValue,
    Open,
    RealValue,
    Reference,
    ResolvedConstraint,
    ResolvedType,
    ResolvedValue,
    Simple,
    Structure,
    Tagged,
    TypedValue,
    ValueSet,
    contained_octets,
    without_references,
)

# Python reads long chains of operators with a call for each operator: these keep the parentheses of their halves.
_LONGEST_CHAIN = 100
# Rounds no number.
_EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)
_OPERATORS = {"UNION": "|", "INTERSECTION": "&", "EXCEPT": "-"}


class Expressions:
    """Writes expressions, and collects the names that they need from derlib and typing."""

    def __init__(self, names: FileNames) -> None:
        self.names = names
        self.derlib_names: set[str] = set()
        self.typing_names: set[str] = set()
        # Modules that are imported as a whole, and the names that must be written with them: components before the
        # one that is written have the same names, and hide them.
        self.modules: set[str] = set()
        self.hidden: set[str] = set()
        # Whether names that are not defined yet are quoted: not in the annotations of a class, which run later.
        self.quotes = True
        # The type that the constraint being written restricts; None if its components are not known.
        self._governor: ResolvedType | None = None

    def need(self, name: str) -> str:
        """Return a name of derlib, and import it."""
        if name in self.hidden:
            return self._in_module("derlib", name)
        self.derlib_names.add(name)
        return name

    def unchecked(self, expression: str) -> str:
        """Return an expression whose type is not checked. A value of the module can have the name cast."""
        self.typing_names.add("Any")
        return f"{self._in_module('typing', 'cast')}(Any, {expression})"

    def _builtin(self, name: str) -> str:
        """Return a name of Python."""
        return self._in_module("builtins", name) if name in self.hidden else name

    def _in_module(self, module: str, name: str) -> str:
        self.modules.add(module)
        return f"_{module}.{name}"

    # Types

    def annotation(self, resolved: ResolvedType, *extras: str) -> str:
        """Return the annotation of a type; `extras` are added to ``Annotated``."""
        base, found = self._parts(resolved)
        found += extras
        if not found:
            return base
        self.typing_names.add("Annotated")
        return f"Annotated[{', '.join([base, *found])}]"

    def _parts(self, resolved: ResolvedType) -> tuple[str, list[str]]:
        """Return the type that is annotated, and its annotations from the innermost to the outermost."""
        match resolved:
            case Simple():
                return self._simple(resolved.name), []
            case Reference():
                name = self.names.of(resolved.definition)
                return (f'"{name}"' if self.quotes and self.names.is_later(resolved.definition) else name), []
            case ListOf():
                kind = self.need("SequenceOf" if resolved.kind == "SEQUENCE" else "SetOf")
                return f"{kind}[{self.annotation(resolved.element)}]", []
            case Open():
                return self._open(resolved)
            case Tagged():
                base, extras = self._parts(resolved.inner)
                return base, [*extras, self.tag(resolved)]
            case Constrained():
                return self._constrained(resolved)
            case Numbered() | Structure():
                raise AssertionError("a type with parts has a definition")

    def _simple(self, name: str) -> str:
        python = python_name(name)
        return self._builtin(python) if python in ("bool", "int") else self.need(python)

    def _open(self, resolved: Open) -> tuple[str, list[str]]:
        self.typing_names.add("Any")
        if resolved.table is None:
            return "Any", []
        selector = ".".join(component_name(name, choice=False) for name in resolved.selector.split("."))
        return "Any", [f'{self.need("DefinedBy")}("{selector}", {self.names.of(resolved.table)})']

    def _constrained(self, resolved: Constrained) -> tuple[str, list[str]]:
        constraint = resolved.constraint
        if isinstance(constraint, Contents):
            string, outer = self._parts(resolved.inner)
            base, extras = self._parts(constraint.type)
            if isinstance(constraint.type, Open):
                if extras:
                    return base, [string, *extras, *outer]
                base = self.need("TLV")
            return self._containing(base, extras, string, outer)
        base, extras = self._parts(resolved.inner)
        if constraint is None:
            return base, extras
        return base, [*extras, self.constraint_of(constraint, resolved.inner)]

    def _containing(self, base: str, extras: list[str], string: str, outer: list[str]) -> tuple[str, list[str]]:
        inner = f"Annotated[{', '.join([base, *extras])}]" if extras else base
        return inner, [string, f"{self.need('Containing')}({inner})", *outer]

    def tag(self, tagged: Tagged) -> str:
        """Return the annotation of a tag."""
        mode = self.need("Explicit" if tagged.explicit else "Implicit")
        tag_class = "" if tagged.tag_class == "context" else f', "{tagged.tag_class}"'
        return f"{mode}({tagged.number}{tag_class})"

    # Constraints

    def constraint_of(self, constraint: ResolvedConstraint, governor: ResolvedType | None) -> str:
        """Return a constraint of a type, which shows whether the names in it are those of alternatives."""
        outer, self._governor = self._governor, governor
        text = self.constraint(constraint)
        self._governor = outer
        return text

    def constraint(self, constraint: ResolvedConstraint) -> str:
        """Return a constraint."""
        match constraint:
            case Bounds():
                return self._bounds(constraint)
            case ValueSet():
                values = ", ".join(map(self._single_value, constraint.values))
                return f"{self.need('OneOf')}({values})"
            case Alphabet():
                return f"{self.need('Alphabet')}({_quoted(_alphabet(constraint))})"
            case Combination():
                left, right = (self._operand(part, constraint) for part in (constraint.left, constraint.right))
                return f"{left} {_OPERATORS[constraint.operator]} {right}"
            case Not():
                return f"~{self._operand(constraint.inner, constraint)}"
            case OfElements():
                return self._of_elements(constraint)
            case OfComponents():
                return self._of_components(constraint)
            case Extended():
                return f"{self.need('Extensible')}({self.constraint(constraint.root)})"
            case Contents():
                raise AssertionError("contents are part of the annotation")

    def _operand(self, constraint: ResolvedConstraint, outer: ResolvedConstraint) -> str:
        text = self.constraint(constraint)
        if not isinstance(constraint, Combination):
            return text
        same = isinstance(outer, Combination) and outer.operator == constraint.operator != "EXCEPT"
        return text if same and outer.weight <= _LONGEST_CHAIN else f"({text})"

    def _bounds(self, bounds: Bounds) -> str:
        name = self.need(bounds.kind)
        if bounds.kind == "Size" and bounds.low == bounds.high:
            return f"{name}({bounds.low})"
        return f"{name}({bounds.low}, {bounds.high})"

    def _single_value(self, value: ResolvedValue) -> str:
        if self._governor and (octets := contained_octets(value, self._governor)) is not None:
            return self._parsed(octets)
        base = without_references(self._governor) if self._governor else None
        if isinstance(value, BitsValue) and isinstance(base, Numbered):
            # A class for named bits takes a number in place of zeros and ones.
            return str(_bit_mask(value))
        return self.plain(value)

    def _of_elements(self, constraint: OfElements) -> str:
        base = without_references(self._governor) if self._governor else None
        element = base.element if isinstance(base, ListOf) else None
        return f"{self.need('WithComponent')}({self.constraint_of(constraint.inner, element)})"

    def _of_components(self, constraint: OfComponents) -> str:
        base = without_references(self._governor) if self._governor else None
        types = base.types if isinstance(base, Structure) else {}
        choice = isinstance(base, Structure) and base.kind == "CHOICE"
        parts: list[str] = []
        for name, inner, presence in constraint.components:
            terms = [self.constraint_of(inner, types.get(name))] if inner else []
            if presence in ("PRESENT", "ABSENT"):
                terms.append(self.need(presence.title()))
            if terms or not constraint.partial:
                parts.append(f"{component_name(name, choice=choice)}={' & '.join(terms) or None}")
        suffix = "" if constraint.partial else ".only"
        return f"{self.need('WithComponents')}{suffix}({', '.join(parts)})"

    # Values

    def plain(self, value: ResolvedValue, resolved: ResolvedType | None = None) -> str:
        """Return a value as plain data, which its type accepts; without the type, a BIT STRING has no named bits."""
        base = without_references(resolved) if resolved else None
        if resolved and (octets := contained_octets(value, resolved)) is not None:
            return self._parsed(octets)
        match value:
            case ItemValue():
                return str(value.number)
            case NamedBitsValue():
                return f"[{', '.join(_quoted(item_name(name)) for name in value.names)}]"
            case OIDValue():
                return _quoted(str(value))
            case BitsValue():
                return str(_bit_mask(value)) if isinstance(base, Numbered) else _quoted(value.bits)
            case RealValue():
                return self._real(value)
            case NullValue():
                return self.need("NULL")
            case ChosenValue() | ComponentValues():
                return self._plain_components(value, base)
            case TypedValue():
                return self._typed(value)
            case list():
                element = base.element if isinstance(base, ListOf) else None
                return f"[{', '.join(self.plain(each, element) for each in value)}]"
            case str():
                return _quoted(value)
            case _:
                return repr(value)

    def _plain_components(self, value: ComponentValues | ChosenValue, base: ResolvedType | None) -> str:
        types = base.types if isinstance(base, Structure) else {}
        choice = isinstance(value, ChosenValue)
        entries = [
            f"{_quoted(component_name(name, choice=choice))}: {self.plain(inner, types.get(name))}"
            for name, inner in value.components.items()
        ]
        return f"{{{', '.join(entries)}}}"

    def _real(self, value: RealValue) -> str:
        """Return a float if it has the number and the base, which is 2; otherwise an `ExactReal` (X.680 21.6)."""
        if "0x" in value.text:
            text, _, power = value.text.partition("p")
            mantissa = int(text, 16)
            if not mantissa:
                return f'{self._builtin("float")}("0")'
            if _is_float(mantissa, int(power)):
                return f'{self._builtin("float")}.fromhex("{value.text}")'
            return f"{self.need('ExactReal')}({mantissa}, 2, {power})"
        number = Decimal(value.text)
        if number.is_nan() or number.is_infinite() or not number:
            return f'{self._builtin("float")}("{value.text}")'
        sign, digits, exponent = number.normalize(_EXACT).as_tuple()
        mantissa = int("".join(map(str, digits)))
        return f"{self.need('ExactReal')}({-mantissa if sign else mantissa}, 10, {exponent})"

    def _typed(self, value: TypedValue) -> str:
        """Return a value of an open type as a TLV, because its type is registered later."""
        encode, parse = self.need("encode"), self.need("parse")
        return f"{parse}({encode}({self.plain(value.value, value.type)}, {self.annotation(value.type)}))"

    def _parsed(self, octets: bytes) -> str:
        """Return the contents of a string as a TLV: the notation of the value does not show their type."""
        return f"{self.need('parse')}({octets!r})"

    def value(self, value: ResolvedValue, resolved: ResolvedType) -> str:
        """Return a value of a type, for a field with this type or for a constant."""
        base, name = without_references(resolved), self._class_name(resolved)
        if (octets := contained_octets(value, resolved)) is not None:
            return self.unchecked(self._parsed(octets))
        match value:
            case ItemValue() if name:
                return f"{name}.{item_name(value.name)}"
            case NamedBitsValue() if name:
                return " | ".join(f"{name}.{item_name(bit)}" for bit in value.names) or f"{name}(0)"
            case ComponentValues() | ChosenValue() if name and isinstance(base, Structure):
                return f"{name}({self._keywords(value, base)})"
            case OIDValue():
                relative = is_relative(base)
                return f'{self.need("RelativeOID" if relative else "ObjectIdentifier")}("{value}")'
            case BitsValue():
                return f"{name}({_bit_mask(value)})" if name else self._bit_string(value)
            case list() if isinstance(base, ListOf):
                elements = ", ".join(self.value(element, base.element) for element in value)
                return f"{name or self.annotation(base)}([{elements}])"
            case int() if name and type(value) is int:
                return f"{name}({value})"
            case _:
                return self.plain(value, resolved)

    def _class_name(self, resolved: ResolvedType) -> str:
        """Return the name of the class of a type, the outermost one; empty if it has none."""
        name = ""
        while not name and isinstance(resolved, (Tagged, Constrained, Reference)):
            if isinstance(resolved, Reference):
                name = self.names.class_of(resolved.definition)
                resolved = resolved.definition.type
            else:
                resolved = resolved.inner
        return name

    def _bit_string(self, value: BitsValue) -> str:
        return f"{self.need('BitString')}({value.octets!r}, {-len(value.bits) % 8})"

    def _keywords(self, value: ComponentValues | ChosenValue, base: Structure) -> str:
        """Return the arguments of the constructor of a class."""
        types = base.types
        choice = base.kind == "CHOICE"
        arguments = [
            (component_name(name, choice=choice), self.value(inner, types[name]))
            for name, inner in value.components.items()
        ]
        return ", ".join(f"{name}={text}" for name, text in arguments)


def _is_float(mantissa: int, exponent: int) -> bool:
    """Return whether a float is exactly a number of base 2."""
    try:
        number = math.ldexp(mantissa, exponent)
    except OverflowError:
        return False
    # A number that is too small for a float is zero as a float; its power would take all memory.
    return number != 0 and Fraction(number) == mantissa * Fraction(2) ** exponent


def _quoted(text: str) -> str:
    """Return a string literal, in double quotes if it contains none."""
    literal = repr(text)
    return literal if '"' in text or "'" in text else f'"{literal[1:-1]}"'


def _bit_mask(value: BitsValue) -> int:
    """Return the number in which bit n of a BIT STRING is ``1 << n``."""
    return int(value.bits[::-1] or "0", 2)


def _alphabet(constraint: Alphabet) -> str:
    """Return the characters as `Alphabet` takes them.

    Ranges that begin with a hyphen come first, then a literal hyphen: after another character, a hyphen means a range.
    """
    ranges = [f"{low}-{high}" if low != high else low for low, high in constraint.ranges]
    first = [text for text in ranges if text[0] == "-" and len(text) > 1]
    others = [text for text in ranges if text[0] != "-"]
    return "".join([*first, "-" * ("-" in ranges), *others])
