"""A read-only view of types, for tools that work with any schema: documentation, user interfaces, code generators.

`type_info` returns a `TypeInfo` for any type expression. Its subclass depends on the kind of type. The objects are
frozen and describe what `decode` accepts: tags, components, constraints, open types.

>>> import derlib
>>> from derlib import inspect
>>> class Point(derlib.Sequence):
...     x: int
...     y: int = 0
...     label: str | None = None
>>> for component in inspect.type_info(Point).components:
...     print(component.name, component.type.kind.value, component.optional, component.default)
x INTEGER False MISSING
y INTEGER False 0
label UTF8String True MISSING
"""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakValueDictionary

from derlib import _core
from derlib._core import ObjectIdentifier, Plan, Tag
from derlib._schema.compiler import plan_of
from derlib._schema.open_types import OpenTypes
from derlib._schema.types import MISSING

__all__ = [
    "AlphabetConstraint",
    "AnyType",
    "ChoiceType",
    "Component",
    "ComponentConstraint",
    "ComponentsConstraint",
    "ConstraintInfo",
    "ContainingType",
    "ElementsConstraint",
    "ExceptConstraint",
    "ExplicitType",
    "IntersectionConstraint",
    "Kind",
    "ListType",
    "OpenType",
    "OpenTypeEntry",
    "PrimitiveType",
    "RangeConstraint",
    "SizeConstraint",
    "StructureType",
    "TypeInfo",
    "UnionConstraint",
    "ValuesConstraint",
    "error_kinds",
    "registration_count",
    "type_info",
]


class Kind(enum.Enum):
    """The kind of a type; the value is a name for people.

    Several ASN.1 types share a kind if derlib treats them alike: `LATIN1_STRING` is TeletexString, VideotexString,
    GraphicString, GeneralString and ObjectDescriptor. Such a type has its own `TypeInfo.name` and tag.

    >>> from derlib import OctetString, inspect
    >>> inspect.type_info(OctetString).kind
    <Kind.OCTET_STRING: 'OCTET STRING'>
    """

    BOOLEAN = "BOOLEAN"
    INTEGER = "INTEGER"
    NAMED_INTEGER = "INTEGER with named numbers"
    ENUMERATED = "ENUMERATED"
    BIT_STRING = "BIT STRING"
    NAMED_BITS = "BIT STRING with named bits"
    OCTET_STRING = "OCTET STRING"
    NULL = "NULL"
    OBJECT_IDENTIFIER = "OBJECT IDENTIFIER"
    UTF8_STRING = "UTF8String"
    NUMERIC_STRING = "NumericString"
    PRINTABLE_STRING = "PrintableString"
    IA5_STRING = "IA5String"
    VISIBLE_STRING = "VisibleString"
    LATIN1_STRING = "string read as Latin-1"
    BMP_STRING = "BMPString"
    UNIVERSAL_STRING = "UniversalString"
    UTC_TIME = "UTCTime"
    GENERALIZED_TIME = "GeneralizedTime"
    REAL = "REAL"
    RELATIVE_OID = "RELATIVE-OID"
    OID_IRI = "OID-IRI"
    RELATIVE_OID_IRI = "RELATIVE-OID-IRI"
    TIME = "TIME"
    DATE = "DATE"
    TIME_OF_DAY = "TIME-OF-DAY"
    DATE_TIME = "DATE-TIME"
    DURATION = "DURATION"
    SEQUENCE = "SEQUENCE"
    SET = "SET"
    SEQUENCE_OF = "SEQUENCE OF"
    SET_OF = "SET OF"
    CHOICE = "CHOICE"
    UNION = "CHOICE written as a union"
    EXPLICIT = "explicit tag"
    ANY = "ANY"
    OPEN = "open type"
    OPEN_OCTETS = "OCTET STRING that contains an encoding"
    OPEN_BITS = "BIT STRING that contains an encoding"


# Constraints.


@dataclass(frozen=True)
class ConstraintInfo:
    """The base of constraints, as the validator checks them (X.680 50, 51).

    One value range of an INTEGER and one SIZE are not among `TypeInfo.constraints`: they are `PrimitiveType.range`,
    and `size` of types that have one.

    >>> from typing import Annotated
    >>> from derlib import Alphabet, IA5String, inspect
    >>> inspect.type_info(Annotated[IA5String, Alphabet("0-9A-F")]).constraints
    (AlphabetConstraint(ranges=((48, 57), (65, 70))),)
    """


@dataclass(frozen=True)
class RangeConstraint(ConstraintInfo):
    """A value range (X.680 51.4).

    Attributes:
        low: the smallest value, or None for MIN.
        high: the largest value, or None for MAX.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> inspect.type_info(Annotated[int, Range(0, 5) | Range(9, None)]).constraints[0].parts[1]
    RangeConstraint(low=9, high=None)
    """

    low: int | None
    high: int | None


@dataclass(frozen=True)
class SizeConstraint(ConstraintInfo):
    """A SIZE constraint (X.680 51.5).

    Attributes:
        low: the smallest size, in bits, octets, characters or elements.
        high: the largest size, or None for MAX.

    >>> from typing import Annotated
    >>> from derlib import Size, inspect
    >>> inspect.type_info(Annotated[bytes, Size(4) | Size(16)]).constraints[0].parts[0]
    SizeConstraint(low=4, high=4)
    """

    low: int
    high: int | None


@dataclass(frozen=True)
class AlphabetConstraint(ConstraintInfo):
    """A permitted alphabet (X.680 51.7).

    Attributes:
        ranges: the first and last code point of each range of characters, in ascending order.

    >>> from typing import Annotated
    >>> from derlib import Alphabet, inspect
    >>> inspect.type_info(Annotated[str, Alphabet("a-z")]).constraints[0].ranges
    ((97, 122),)
    """

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ValuesConstraint(ConstraintInfo):
    r"""Single values (X.680 51.2).

    Attributes:
        encodings: the contents octets of each value; for a CHOICE, the whole encoding.

    >>> from typing import Annotated
    >>> from derlib import OneOf, inspect
    >>> inspect.type_info(Annotated[int, OneOf(1, 5)]).constraints[0].encodings
    (b'\x01', b'\x05')
    """

    encodings: tuple[bytes, ...]


@dataclass(frozen=True)
class IntersectionConstraint(ConstraintInfo):
    """Values that satisfy all of several constraints (X.680 50.3).

    Attributes:
        parts: the constraints.

    >>> from typing import Annotated
    >>> from derlib import OneOf, Range, inspect
    >>> len(inspect.type_info(Annotated[int, (Range(0, 9) - OneOf(5)) | Range(20, 29)]).constraints[0].parts[0].parts)
    2
    """

    parts: tuple[ConstraintInfo, ...]


@dataclass(frozen=True)
class UnionConstraint(ConstraintInfo):
    """Values that satisfy at least one of several constraints (X.680 50.3).

    Attributes:
        parts: the constraints.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> len(inspect.type_info(Annotated[int, Range(0, 5) | Range(10, 15)]).constraints[0].parts)
    2
    """

    parts: tuple[ConstraintInfo, ...]


@dataclass(frozen=True)
class ExceptConstraint(ConstraintInfo):
    """All values that do not satisfy a constraint (X.680 50.3, ALL EXCEPT).

    Attributes:
        part: the constraint.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> inspect.type_info(Annotated[int, ~Range(0, 5)]).constraints[0].part
    RangeConstraint(low=0, high=5)
    """

    part: ConstraintInfo


@dataclass(frozen=True)
class ElementsConstraint(ConstraintInfo):
    """A constraint on each element of a list (X.680 51.8, WITH COMPONENT).

    Attributes:
        part: the constraint on an element.

    >>> from typing import Annotated
    >>> from derlib import Range, SequenceOf, WithComponent, inspect
    >>> inspect.type_info(Annotated[SequenceOf[int], WithComponent(Range(0, 9))]).constraints[0].part
    RangeConstraint(low=0, high=9)
    """

    part: ConstraintInfo


@dataclass(frozen=True)
class ComponentConstraint:
    """The part of a `ComponentsConstraint` for one component.

    Attributes:
        number: the number of the component or alternative, from 0.
        presence: "present" or "absent" if it must be that, else None.
        part: the constraint on its value, or None.

    >>> from typing import Annotated
    >>> from derlib import Absent, Sequence, WithComponents, inspect
    >>> class Point(Sequence):
    ...     x: int
    ...     label: str | None = None
    >>> inspect.type_info(Annotated[Point, WithComponents(label=Absent)]).constraints[0].parts
    (ComponentConstraint(number=1, presence='absent', part=None),)
    """

    number: int
    presence: Literal["present", "absent"] | None
    part: ConstraintInfo | None


@dataclass(frozen=True)
class ComponentsConstraint(ConstraintInfo):
    """Constraints on components of a SEQUENCE or SET, or on alternatives of a CHOICE (X.680 51.8, WITH COMPONENTS).

    Attributes:
        parts: one `ComponentConstraint` for each component that is constrained, in their order.

    >>> from typing import Annotated
    >>> from derlib import Range, Sequence, WithComponents, inspect
    >>> class Point(Sequence):
    ...     x: int
    >>> inspect.type_info(Annotated[Point, WithComponents(x=Range(0, 9))]).constraints[0].parts[0].part
    RangeConstraint(low=0, high=9)
    """

    parts: tuple[ComponentConstraint, ...]


# Types.


@dataclass(frozen=True, eq=False, repr=False)
class TypeInfo:
    """The base of the description of types.

    `PrimitiveType` and `AnyType` compare by value. The others compare by identity, because they can contain themselves.

    Attributes:
        kind: the `Kind` of the type.
        name: its name: the name of the class, or of the ASN.1 type.
        tag: its outermost tag, or None for CHOICE, ANY and open types, which have none of their own.
        cls: the Python class: a schema class, an enumeration or named bits; or None.
        constraints: the constraints on its values beside `size` and `range`, in the order in which they are checked.

    >>> from derlib import inspect
    >>> info = inspect.type_info(int)
    >>> info, info.tag.number
    (<PrimitiveType INTEGER>, 2)
    """

    kind: Kind
    name: str
    tag: Tag | None
    cls: Any
    constraints: tuple[ConstraintInfo, ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


@dataclass(frozen=True, repr=False)
class PrimitiveType(TypeInfo):
    """A type with primitive encoding: numbers, strings, times, identifiers.

    Attributes:
        size: the smallest and largest size, in bits, octets or characters; the largest is None for MAX. None if there
            is no SIZE constraint.
        range: the smallest and largest value of an INTEGER, None for MIN and MAX. None if there is no value range.
        extensible: whether an ENUMERATED has an extension marker.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> inspect.type_info(Annotated[int, Range(0, None)]).range
    (0, None)
    """

    size: tuple[int, int | None] | None
    range: tuple[int | None, int | None] | None
    extensible: bool


@dataclass(frozen=True, eq=False, repr=False)
class Component:
    """A component of a SEQUENCE or SET, or an alternative of a CHOICE.

    Attributes:
        name: the name of the field. In a union, the name of the type of the alternative.
        type: its type.
        optional: whether it is OPTIONAL. A component with a DEFAULT is not.
        default: its DEFAULT value, or `derlib.MISSING`.
        default_encoding: the encoding of the DEFAULT value, with the tag; or None.

    >>> from derlib import inspect
    >>> from derlib.schemas.x509 import Extension
    >>> critical = inspect.type_info(Extension).components[1]
    >>> critical.name, critical.required, critical.default, critical.default_encoding.hex()
    ('critical', False, False, '010100')
    """

    name: str
    type: TypeInfo
    optional: bool
    default: Any
    default_encoding: bytes | None

    @property
    def required(self) -> bool:
        """Whether an encoding must contain it: it is neither OPTIONAL nor has it a DEFAULT."""
        return not self.optional and self.default_encoding is None

    def __repr__(self) -> str:
        return f"<Component {self.name}: {self.type.name}>"


@dataclass(frozen=True, eq=False, repr=False)
class StructureType(TypeInfo):
    """A SEQUENCE or SET.

    Attributes:
        components: its components.
        extension_index: the number of the component before which unknown additions come; None if the type is not
            extensible.
        one_of: of so many optional components at the beginning at least one is present (EXTERNAL, X.690 8.18); or 0.

    >>> from derlib import inspect
    >>> from derlib.schemas.x509 import Validity
    >>> inspect.type_info(Validity).components
    (<Component not_before: UTCTime | GeneralizedTime>, <Component not_after: UTCTime | GeneralizedTime>)
    """

    components: tuple[Component, ...]
    extension_index: int | None
    one_of: int


@dataclass(frozen=True, eq=False, repr=False)
class ListType(TypeInfo):
    """A SEQUENCE OF or SET OF.

    Attributes:
        element: the type of the elements.
        size: the smallest and largest number of elements, None for MAX; or None if there is no SIZE constraint.

    >>> from derlib import SequenceOf, inspect
    >>> inspect.type_info(SequenceOf[int]).element
    <PrimitiveType INTEGER>
    """

    element: TypeInfo
    size: tuple[int, int | None] | None


@dataclass(frozen=True, eq=False, repr=False)
class ChoiceType(TypeInfo):
    """A CHOICE, or a union such as ``UTCTime | GeneralizedTime``.

    Attributes:
        alternatives: its alternatives. They are required and have no default.
        tags: each tag that selects an alternative, with the number of that alternative. An alternative that is a
            CHOICE has several tags.
        extensible: whether there is an extension marker.
        excluded_tags: the tags, as primitive ones, that an unknown alternative cannot have, because a component beside
            the CHOICE has them (X.680 52.7).

    >>> from derlib import inspect
    >>> union = inspect.type_info(int | bool)
    >>> union.alternatives, [(tag.number, number) for tag, number in union.tags]
    ((<Component INTEGER: INTEGER>, <Component BOOLEAN: BOOLEAN>), [(2, 0), (1, 1)])
    """

    alternatives: tuple[Component, ...]
    tags: tuple[tuple[Tag, int], ...]
    extensible: bool
    excluded_tags: tuple[Tag, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ExplicitType(TypeInfo):
    """A type with an explicit tag around it (X.690 8.14.2).

    Attributes:
        type: the type inside the tag.

    >>> from typing import Annotated
    >>> from derlib import Explicit, inspect
    >>> inspect.type_info(Annotated[int, Explicit(0)]).type
    <PrimitiveType INTEGER>
    """

    type: TypeInfo


@dataclass(frozen=True, repr=False)
class AnyType(TypeInfo):
    """ANY: an element of any type (`TLV` and `typing.Any` in annotations).

    >>> from derlib import TLV, inspect
    >>> inspect.type_info(TLV)
    <AnyType ANY>
    """


@dataclass(frozen=True, eq=False, repr=False)
class ContainingType(TypeInfo):
    """An OCTET STRING or BIT STRING that contains an encoding of one type (X.682 11, CONTAINING).

    Attributes:
        type: the type of the contained value.
        size: the smallest and largest size of the string, as in `PrimitiveType`.

    >>> from typing import Annotated
    >>> from derlib import Containing, OctetString, inspect
    >>> inspect.type_info(Annotated[OctetString, Containing(int)]).type
    <PrimitiveType INTEGER>
    """

    type: TypeInfo
    size: tuple[int, int | None] | None


@dataclass(frozen=True)
class OpenTypeEntry:
    """The type that one OBJECT IDENTIFIER selects.

    Attributes:
        type: the type.
        on_mismatch: "error" if a value that does not match the type is an error, "opaque" if it is a DER-checked TLV.

    >>> from derlib import ObjectIdentifier, inspect
    >>> from derlib.schemas.x509 import Extension
    >>> [open_type] = [part.type for part in inspect.type_info(Extension).components if part.name == "extn_value"]
    >>> open_type.entries()[ObjectIdentifier("2.5.29.19")]
    OpenTypeEntry(type=<StructureType BasicConstraints>, on_mismatch='error')
    """

    type: TypeInfo
    on_mismatch: Literal["error", "opaque"]


@dataclass(frozen=True, eq=False, repr=False)
class OpenType(TypeInfo):
    """A type that another field selects (`DefinedBy`): an element, or the contents of an OCTET STRING or BIT STRING.

    Attributes:
        table: the `OpenTypes` in which the selector is looked up.
        selector: the path, by names of fields, to the OBJECT IDENTIFIER that selects the type. It starts in the
            Sequence that contains the open type. Empty if no Sequence contains it, so that values are always opaque.
        size: the smallest and largest size of the string, as in `PrimitiveType`.

    >>> from derlib import inspect
    >>> from derlib.schemas.algorithms import AlgorithmIdentifier
    >>> parameters = inspect.type_info(AlgorithmIdentifier).components[1].type
    >>> parameters.selector
    ('algorithm',)
    """

    table: OpenTypes
    selector: tuple[str, ...]
    size: tuple[int, int | None] | None

    def entries(self) -> dict[ObjectIdentifier, OpenTypeEntry]:
        """Return the types in the table, which can grow (`OpenTypes.register`)."""
        return {ObjectIdentifier.from_content(contents): _entry(*entry) for contents, entry in self.table.plans.items()}


def _entry(plan: Plan, opaque: bool) -> OpenTypeEntry:
    return OpenTypeEntry(_describe(plan), "opaque" if opaque else "error")


def type_info(type: Any) -> TypeInfo:
    """Return the description of a type. A second call returns the same object while the first one is in use.

    Args:
        type: a schema class, or any other type expression that an annotation can contain.

    Raises:
        SchemaError: `type` is not a type, or a name in an annotation is not defined.

    >>> from derlib import SequenceOf, inspect
    >>> inspect.type_info(SequenceOf[int])
    <ListType SequenceOf[int]>
    """
    return _describe(plan_of(type))


def registration_count() -> int:
    """Return the number of types that were registered in all `OpenTypes` tables, replaced types included.

    If it did not change, `OpenType.entries` of every open type returns the same types as before.

    >>> from typing import Annotated, Any
    >>> import derlib
    >>> from derlib import inspect
    >>> before = inspect.registration_count()
    >>> table = derlib.OpenTypes("TABLE", {"2.999.1": int})
    >>> class Parameter(derlib.Sequence):
    ...     kind: derlib.ObjectIdentifier
    ...     value: Annotated[Any, derlib.DefinedBy("kind", table)]
    >>> table.register("2.999.2", bool)
    >>> inspect.registration_count() > before
    True
    """
    return _core.registration_count()


def error_kinds() -> dict[str, str]:
    """Return each `DecodeError.kind` with the clause that it enforces, `DecodeError.rule`.

    >>> from derlib import inspect
    >>> inspect.error_kinds()["integer-not-minimal"]
    'X.690 8.3.2'
    """
    return {kind: clause for kind, _, clause in _core.fault_kinds()}


# Plans to descriptions. A plan has one description, so that a type that contains itself has a finite one.
_known: WeakValueDictionary[int, TypeInfo] = WeakValueDictionary()
_lock = threading.RLock()


def _describe(plan: Plan) -> TypeInfo:
    plan.ready()
    with _lock:
        found = _known.get(id(plan))
        if found is None:
            made: dict[int, TypeInfo] = {}
            found = _info(plan, None, made)
            _known.update(made)
    return found


def _info(plan: Plan, scope: Plan | None, made: dict[int, TypeInfo]) -> TypeInfo:
    """Return the description of a plan; `scope` is the plan of the SEQUENCE or SET around it."""
    found = made.get(id(plan)) or _known.get(id(plan))
    if found is not None:
        return found
    _core.refuse_full_stack()
    kind = _KINDS[plan.kind]
    contained = plan.contained
    describe: type[TypeInfo] = _CLASSES.get(kind, PrimitiveType)
    if contained is not None:
        describe = ContainingType
    # Known before its parts are described, because they can refer to it.
    info = made[id(plan)] = object.__new__(describe)
    # The plan is kept alive, so that its identity remains its own.
    values: dict[str, Any] = {
        "_plan": plan,
        "kind": kind,
        "name": plan.name,
        "tag": None if plan.tag is None else _tag(plan.tag),
        "cls": plan.type,
        "constraints": tuple(_constraint(constraint.facts) for constraint in plan.constraints),
    }
    if describe is PrimitiveType:
        bounds = None if plan.range == (None, None) else plan.range
        values.update(size=plan.size, range=bounds, extensible=plan.insertion is not None)
    elif describe is StructureType:
        values.update(components=_components(plan, plan, made), extension_index=plan.insertion, one_of=plan.one_of)
    elif describe is ChoiceType:
        values.update(
            alternatives=_components(plan, scope, made),
            tags=tuple((_tag(tag), number) for tag, number in plan.alternatives),
            extensible=plan.insertion is not None,
            excluded_tags=tuple(map(_tag, plan.excluded)),
        )
    elif describe is ListType:
        values.update(element=_info(plan.element, scope, made), size=plan.size)
    elif describe is ExplicitType:
        values.update(type=_info(plan.element, scope, made))
    elif contained is not None:
        values.update(type=_info(contained, scope, made), size=plan.size)
    elif describe is OpenType:
        values.update(table=plan.table, selector=_selector(plan, scope), size=plan.size)
    for name, value in values.items():
        object.__setattr__(info, name, value)
    return info


def _components(plan: Plan, scope: Plan | None, made: dict[int, TypeInfo]) -> tuple[Component, ...]:
    encodings = plan.default_octets or (None,) * len(plan.names)
    return tuple(
        Component(
            name,
            _info(part, scope, made),
            optional=optional and encoding is None,
            default=MISSING if encoding is None else default,
            default_encoding=encoding,
        )
        for name, part, optional, default, encoding in zip(
            plan.names, plan.plans, plan.optional, plan.defaults, encodings, strict=True
        )
    )


def _selector(plan: Plan, scope: Plan | None) -> tuple[str, ...]:
    names = []
    for number in plan.selector:
        assert scope is not None
        names.append(scope.names[number])
        scope = scope.plans[number]
    return tuple(names)


def _tag(tag: int) -> Tag:
    return Tag(tag >> 3, _core.CLASS_NAMES[tag >> 1 & 3], bool(tag & 1))


def _constraint(facts: tuple[Any, ...]) -> ConstraintInfo:
    """Return the description of a compiled constraint."""
    kind, parts, bounds, encodings, ranges, components = facts
    inner = tuple(map(_constraint, parts))
    made: dict[str, Callable[[], ConstraintInfo]] = {
        "CONSTRAINT_INTERSECTION": lambda: IntersectionConstraint(inner),
        "CONSTRAINT_UNION": lambda: UnionConstraint(inner),
        "CONSTRAINT_EXCEPT": lambda: ExceptConstraint(inner[0]),
        "CONSTRAINT_RANGE": lambda: RangeConstraint(*bounds[1]),
        "CONSTRAINT_SIZE": lambda: SizeConstraint(*bounds[0]),
        "CONSTRAINT_ALPHABET": lambda: AlphabetConstraint(ranges),
        "CONSTRAINT_VALUES": lambda: ValuesConstraint(encodings),
        "CONSTRAINT_ELEMENTS": lambda: ElementsConstraint(inner[0]),
        "CONSTRAINT_COMPONENTS": lambda: ComponentsConstraint(
            tuple(
                ComponentConstraint(number, _PRESENCE[presence], None if part is None else _constraint(part))
                for number, presence, part in components
            )
        ),
    }
    return made[kind]()


_PRESENCE: tuple[Literal["present", "absent"] | None, ...] = (None, "present", "absent")
_KINDS = {int(kind): Kind[kind.name.removeprefix("KIND_")] for kind in _core.Kind if kind.name != "KIND_EMPTY"}
# Every other kind is primitive.
_CLASSES: dict[Kind, type[TypeInfo]] = {
    Kind.SEQUENCE: StructureType,
    Kind.SET: StructureType,
    Kind.SEQUENCE_OF: ListType,
    Kind.SET_OF: ListType,
    Kind.CHOICE: ChoiceType,
    Kind.UNION: ChoiceType,
    Kind.EXPLICIT: ExplicitType,
    Kind.ANY: AnyType,
    Kind.OPEN: OpenType,
    Kind.OPEN_OCTETS: OpenType,
    Kind.OPEN_BITS: OpenType,
}
