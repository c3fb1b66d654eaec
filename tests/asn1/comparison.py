"""Compares two types by their descriptions in `derlib.inspect`: what a standard says, and what a class says.

Every difference is a line such as ``BasicConstraints.path_len_constraint: range 0..MAX, not 0..9``: first the expected
type, then the actual one. A class has its own lines, with its actual name, however often other classes refer to it.
"""

from __future__ import annotations

import enum
from typing import Any

import derlib
from derlib import inspect
from derlib.inspect import (
    AlphabetConstraint,
    ChoiceType,
    ComponentConstraint,
    ComponentsConstraint,
    ConstraintInfo,
    ContainingType,
    ElementsConstraint,
    ExceptConstraint,
    ExplicitType,
    IntersectionConstraint,
    Kind,
    ListType,
    OpenType,
    PrimitiveType,
    RangeConstraint,
    SizeConstraint,
    StructureType,
    TypeInfo,
    UnionConstraint,
    ValuesConstraint,
)

CLASS_LIKE = (StructureType, ChoiceType)
NUMBERED = (Kind.NAMED_INTEGER, Kind.NAMED_BITS, Kind.ENUMERATED)


class Comparison:
    """Compares types. A pair that was compared before has no more differences.

    Args:
        markers: whether to compare what the plans do not have, too: which components are additions, and the constraints
            with an extension marker, which the compiler writes for types without a class.
    """

    def __init__(self, *, markers: bool = False) -> None:
        self._markers = markers
        self._seen: set[tuple[int, int]] = set()
        # Descriptions live as long as they are in use; their identities must stay valid.
        self._alive: list[tuple[TypeInfo, TypeInfo]] = []
        self._waiting: list[tuple[TypeInfo, TypeInfo, str]] = []
        self._lines: list[str] = []
        # The actual classes that were compared.
        self.compared: set[type] = set()

    def compare(self, expected: Any, actual: Any, path: str) -> list[str]:
        """Return the differences of two types, and of all types that they refer to and that are new."""
        self._lines = []
        self._visit(inspect.type_info(expected), inspect.type_info(actual), path)
        while self._waiting:
            self._classes(*self._waiting.pop(0))
        return self._lines

    def _add(self, path: str, what: str) -> None:
        self._lines.append(f"{path}: {what}")

    def _differ(self, path: str, what: str, expected: object, actual: object) -> None:
        if expected != actual:
            self._add(path, f"{what} {expected}, not {actual}")

    def _visit(self, expected: TypeInfo, actual: TypeInfo, path: str) -> None:
        """Compare two types; types with components later."""
        if isinstance(expected, ExplicitType) and isinstance(actual, ExplicitType):
            self._differ(path, "tag", _tag(expected), _tag(actual))
            self._visit(expected.type, actual.type, path)
            return
        self._differ(path, "tag", _tag(expected), _tag(actual))
        if _kind(expected) != _kind(actual):
            self._add(path, f"{_kind(expected)}, not {_kind(actual)}")
            return
        self._constraints(expected, actual, path)
        if actual.cls is not None:
            self.compared.add(actual.cls)
        if isinstance(expected, CLASS_LIKE):
            pair = (id(expected), id(actual))
            if pair not in self._seen:
                self._seen.add(pair)
                self._alive.append((expected, actual))
                # The names of expected classes can be those of the compiler.
                name = path if actual.cls is None else actual.cls.__name__
                self._waiting.append((expected, actual, name))
        elif isinstance(expected, ListType):
            assert isinstance(actual, ListType)
            self._visit(expected.element, actual.element, f"{path}[]")
        elif isinstance(expected, ContainingType):
            assert isinstance(actual, ContainingType)
            self._visit(expected.type, actual.type, f"{path}.contents")
        elif isinstance(expected, OpenType):
            assert isinstance(actual, OpenType)
            self._open_types(expected, actual, path)
        elif isinstance(expected, PrimitiveType):
            assert isinstance(actual, PrimitiveType)
            self._differ(path, "extensible", expected.extensible, actual.extensible)
            if expected.kind in NUMBERED:
                self._members(_members(expected), _members(actual), path)

    def _members(self, expected: dict[str, int], actual: dict[str, int], path: str) -> None:
        for name in expected.keys() | actual.keys():
            self._differ(path, f"member {name} =", expected.get(name), actual.get(name))

    def _constraints(self, expected: TypeInfo, actual: TypeInfo, path: str) -> None:
        self._differ(path, "size", _bounds(expected, "size"), _bounds(actual, "size"))
        self._differ(path, "range", _bounds(expected, "range"), _bounds(actual, "range"))
        texts = [" ".join(sorted(_texts(info.constraints))) or "none" for info in (expected, actual)]
        self._differ(path, "constraints", *texts)
        if self._markers and isinstance(expected, PrimitiveType) and expected.cls is None:
            texts = [" ".join(sorted(_texts(info.extensible_constraints))) or "none" for info in (expected, actual)]
            self._differ(path, "extensible constraints", *texts)

    # Components

    def _classes(self, expected: TypeInfo, actual: TypeInfo, name: str) -> None:
        if isinstance(expected, StructureType):
            assert isinstance(actual, StructureType)
            self._differ(name, "additions before component", expected.extension_index, actual.extension_index)
            self._components(expected, actual, name)
        else:
            assert isinstance(expected, ChoiceType)
            assert isinstance(actual, ChoiceType)
            self._differ(name, "extensible", expected.extensible, actual.extensible)
            self._alternatives(expected, actual, name)

    def _components(self, expected: StructureType, actual: StructureType, name: str) -> None:
        """Compare components by position."""
        self._differ(name, "components", len(expected.components), len(actual.components))
        for left, right in zip(expected.components, actual.components, strict=False):
            path = f"{name}.{left.name}"
            self._differ(path, "name", left.name, right.name)
            self._differ(path, "optional", left.optional, right.optional)
            self._differ(path, "default", _hex(left.default_encoding), _hex(right.default_encoding))
            self._visit(left.type, right.type, path)
        self._additions(expected, actual, name)

    def _alternatives(self, expected: ChoiceType, actual: ChoiceType, name: str) -> None:
        """Compare alternatives by their tags: their order has no meaning, and those of a union have no names."""
        numbers = dict(actual.tags)
        self._differ(name, "alternatives", len(expected.alternatives), len(actual.alternatives))
        for number, left in enumerate(expected.alternatives):
            path = f"{name}.{left.name}"
            found = {numbers.get(tag) for tag, owner in expected.tags if owner == number}
            if len(found) != 1 or None in found:
                self._add(path, "no alternative has this tag")
                continue
            right = actual.alternatives[found.pop() or 0]
            if actual.kind is not Kind.UNION:
                self._differ(path, "name", left.name, right.name)
            self._visit(left.type, right.type, path)
        if Kind.UNION not in (expected.kind, actual.kind) and not all(
            field.addition for field in derlib.fields(actual.cls)
        ):
            # A CHOICE has an alternative before its additions (X.680 29.1).
            self._additions(expected, actual, name)

    def _additions(self, expected: TypeInfo, actual: TypeInfo, name: str) -> None:
        if self._markers:
            numbers = [
                [number for number, field in enumerate(derlib.fields(info.cls)) if field.addition]
                for info in (expected, actual)
            ]
            self._differ(name, "additions", *numbers)

    # Open types

    def _open_types(self, expected: OpenType, actual: OpenType, path: str) -> None:
        self._differ(path, "selector", ".".join(expected.selector), ".".join(actual.selector))
        pair = (id(expected.table), id(actual.table))
        if pair in self._seen:
            return
        self._seen.add(pair)
        self._alive.append((expected, actual))
        known = actual.entries()
        for key, entry in expected.entries().items():
            place = f"{path}[{key if isinstance(key, int) else key.dotted}]"
            if key in known:
                self._visit(entry.type, known[key].type, place)
            else:
                self._add(place, f"{entry.type.name}, not registered in {actual.table.name}")


def _kind(info: TypeInfo) -> str:
    if info.kind is Kind.UNION:
        return Kind.CHOICE.value
    return info.name if info.kind is Kind.LATIN1_STRING else info.kind.value


def _tag(info: TypeInfo) -> str:
    return "none" if info.tag is None else str(info.tag)


def _bounds(info: TypeInfo, attribute: str) -> str:
    bounds = getattr(info, attribute, None)
    if bounds is None or bounds == (0 if attribute == "size" else None, None):
        return "any"
    return _interval(*bounds)


def _interval(low: int | None, high: int | None) -> str:
    return f"{'MIN' if low is None else low}..{'MAX' if high is None else high}"


def _texts(constraints: tuple[ConstraintInfo, ...]) -> list[str]:
    """Return the texts of constraints that all apply; their order has no meaning."""
    found: list[str] = []
    for constraint in constraints:
        whole = isinstance(constraint, IntersectionConstraint)
        found += _texts(constraint.parts) if whole else [_text(constraint)]
    return found


def _text(constraint: ConstraintInfo) -> str:
    """Return a constraint in a notation like that of ASN.1."""
    match constraint:
        case RangeConstraint():
            return _interval(constraint.low, constraint.high)
        case SizeConstraint():
            return f"SIZE({_interval(constraint.low, constraint.high)})"
        case AlphabetConstraint():
            return f"FROM({' | '.join(f'{low:x}..{high:x}' for low, high in constraint.ranges)})"
        case ValuesConstraint():
            return f"({' | '.join(encoding.hex() for encoding in constraint.encodings)})"
        case UnionConstraint():
            return f"({' | '.join(map(_text, constraint.parts))})"
        case IntersectionConstraint():
            return f"({' ^ '.join(map(_text, constraint.parts))})"
        case ExceptConstraint():
            return f"ALL EXCEPT {_text(constraint.part)}"
        case ElementsConstraint():
            return f"COMPONENT({_text(constraint.part)})"
        case ComponentsConstraint():
            return f"COMPONENTS({', '.join(map(_component_text, constraint.parts))})"
    raise AssertionError(constraint)


def _component_text(part: ComponentConstraint) -> str:
    words = [f"#{part.number}", part.presence or "", _text(part.part) if part.part is not None else ""]
    return " ".join(word for word in words if word)


def _members(info: TypeInfo) -> dict[str, int]:
    members: dict[str, enum.IntEnum] = info.cls.__members__
    return {name: int(member) for name, member in members.items()}


def _hex(encoding: bytes | None) -> str:
    return "none" if encoding is None else encoding.hex()
