"""Descriptions of types, made from the plans of the core. A plan has one description, even if it contains itself."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakValueDictionary

from derlib import _core
from derlib._core import ObjectIdentifier, Plan, Tag
from derlib._schema.open_types import OpenTypes, key_of_octets
from derlib._schema.types import MISSING
from derlib.inspect._constraints import ConstraintInfo, constraint_info


class Kind(enum.Enum):
    """The kind of a type; its value is a name that tools can show.

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


@dataclass(frozen=True, eq=False, repr=False)
class TypeInfo:
    """The base of descriptions of types.

    `PrimitiveType` and `AnyType` compare by value. The others compare by identity, because they can contain themselves.

    Attributes:
        kind: determines how values are encoded and read.
        name: the name of the class, or of the ASN.1 type.
        tag: the outermost tag; None for CHOICE, ANY and open types, which do not have a tag of their own.
        cls: the schema class, enumeration or class of named bits; None for other types.
        constraints: the constraints besides `size` and `range`, in the order in which they are checked.

    >>> from derlib import inspect
    >>> info = inspect.type_info(int)
    >>> info, info.tag
    (<PrimitiveType INTEGER>, Tag(2, 'universal', constructed=False))
    """

    kind: Kind
    name: str
    tag: Tag | None
    cls: Any
    constraints: tuple[ConstraintInfo, ...]

    @property
    def extensible_constraints(self) -> tuple[ConstraintInfo, ...]:
        """The constraints with an extension marker (`Extensible`), without the marker; they restrict nothing.

        >>> from typing import Annotated
        >>> from derlib import Extensible, Range, inspect
        >>> inspect.type_info(Annotated[int, Extensible(Range(0, 9))]).extensible_constraints
        (RangeConstraint(low=0, high=9),)
        """
        plan: Plan = vars(self)["_plan"]
        return tuple(constraint_info(constraint.facts) for constraint in plan.extensible_constraints)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


@dataclass(frozen=True, repr=False)
class PrimitiveType(TypeInfo):
    """A type with primitive encoding: numbers, strings, times, identifiers.

    Attributes:
        size: (smallest, largest) number of bits, bytes or characters; the largest is None for MAX. None without a SIZE
            constraint.
        range: (smallest, largest) value of an INTEGER; None for MIN or MAX. None without a value range.
        extensible: whether an ENUMERATED has an extension marker.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> info = inspect.type_info(Annotated[int, Range(0, None)])
    >>> isinstance(info, inspect.PrimitiveType) and info.range
    (0, None)
    """

    size: tuple[int, int | None] | None
    range: tuple[int | None, int | None] | None
    extensible: bool


@dataclass(frozen=True, eq=False, repr=False)
class Component:
    """A component of a SEQUENCE or SET, or an alternative of a CHOICE.

    Attributes:
        name: the name of the field; in a union, the name of the type of the alternative.
        type: the type without OPTIONAL or DEFAULT.
        optional: whether it is OPTIONAL. A component with a DEFAULT is not.
        default: the DEFAULT value, or `derlib.MISSING`.
        default_encoding: the complete encoding of the DEFAULT value, or None.

    >>> from derlib import inspect
    >>> from derlib.schemas.x509 import Extension
    >>> critical = inspect.type_info(Extension).components[1]
    >>> critical.name, critical.required, critical.default, critical.default_encoding
    ('critical', False, False, b'\\x01\\x01\\x00')
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
        components: the components in the order of the class.
        extension_index: unknown additions come before the component with this index; None if the type is not
            extensible.
        one_of: the number of OPTIONAL components at the start of which at least one must be present (EXTERNAL, X.690
            8.18); 0 without this rule.

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
        element: the type of each element.
        size: (smallest, largest) number of elements; the largest is None for MAX. None without a SIZE constraint.

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
        alternatives: the alternatives in the order of the class; never optional or with a default.
        tags: each tag that selects an alternative, with the index of the alternative. An alternative that is a CHOICE
            has several tags.
        extensible: whether the type has an extension marker.
        excluded_tags: the tags that an unknown alternative cannot have, because a component next to the CHOICE has them
            (X.680 52.7). They are written as primitive tags, and exclude the constructed form, too.

    >>> from derlib import Choice, inspect
    >>> class Holder(Choice):
    ...     name: str
    ...     number: int
    >>> inspect.type_info(Holder).alternatives
    (<Component name: UTF8String>, <Component number: INTEGER>)
    """

    alternatives: tuple[Component, ...]
    tags: tuple[tuple[Tag, int], ...]
    extensible: bool
    excluded_tags: tuple[Tag, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ExplicitType(TypeInfo):
    """A type with an explicit tag around it (X.690 8.14.2).

    Attributes:
        type: the type inside the explicit tag.

    >>> from typing import Annotated
    >>> from derlib import Explicit, inspect
    >>> info = inspect.type_info(Annotated[int, Explicit(0)])
    >>> isinstance(info, inspect.ExplicitType) and info.type
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
        size: the size of the string, as in `PrimitiveType`.

    >>> from typing import Annotated
    >>> from derlib import Containing, OctetString, inspect
    >>> info = inspect.type_info(Annotated[OctetString, Containing(int)])
    >>> isinstance(info, inspect.ContainingType) and info.type
    <PrimitiveType INTEGER>
    """

    type: TypeInfo
    size: tuple[int, int | None] | None


@dataclass(frozen=True)
class OpenTypeEntry:
    """The type that one key of a table selects.

    Attributes:
        type: the selected type.
        on_mismatch: "error" if a value that does not match the type is an error, "opaque" if it stays opaque.

    >>> from derlib import ObjectIdentifier, inspect
    >>> from derlib.schemas.x509 import Extension
    >>> value = inspect.type_info(Extension).components[2].type
    >>> isinstance(value, inspect.OpenType) and value.entries()[ObjectIdentifier("2.5.29.19")]
    OpenTypeEntry(type=<StructureType BasicConstraints>, on_mismatch='error')
    """

    type: TypeInfo
    on_mismatch: Literal["error", "opaque"]


@dataclass(frozen=True, eq=False, repr=False)
class OpenType(TypeInfo):
    """A type that another field selects (`DefinedBy`): an element, or the contents of an OCTET STRING or BIT STRING.

    Attributes:
        table: the `OpenTypes` that has the type for each key.
        selector: the path, by names of fields, to the value that selects the type. It starts in the Sequence that
            contains the open type. Empty if no Sequence contains it; then values are always opaque.
        size: the size of the string, as in `PrimitiveType`.

    >>> from derlib import inspect
    >>> from derlib.schemas.algorithms import AlgorithmIdentifier
    >>> parameters = inspect.type_info(AlgorithmIdentifier).components[1].type
    >>> isinstance(parameters, inspect.OpenType) and parameters.selector
    ('algorithm',)
    """

    table: OpenTypes
    selector: tuple[str, ...]
    size: tuple[int, int | None] | None

    def entries(self) -> dict[ObjectIdentifier | int, OpenTypeEntry]:
        """Return the types in the table by their keys; it can grow (`OpenTypes.register`)."""
        return {key_of_octets(octets): _entry(*entry) for octets, entry in self.table.plans.items()}


def _entry(plan: Plan, opaque: bool) -> OpenTypeEntry:
    return OpenTypeEntry(describe(plan), "opaque" if opaque else "error")


# The descriptions that are in use, by the identity of their plans.
_known: WeakValueDictionary[int, TypeInfo] = WeakValueDictionary()
_lock = threading.RLock()


def describe(plan: Plan) -> TypeInfo:
    """Return the description of a plan."""
    plan.ready()
    with _lock:
        found = _known.get(id(plan))
        if found is None:
            made = _Descriptions()
            found = _info(plan, None, made)
            while made.unfilled:
                _fill(*made.unfilled.pop(), made)
            _known.update(made)
    return found


class _Descriptions(dict[int, TypeInfo]):
    """Descriptions by the identity of their plans.

    Those in `unfilled`, with the plan and the plan of the SEQUENCE or SET around it, have no attributes yet: types can
    be recursive, and in long chains.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unfilled: list[tuple[TypeInfo, Plan, Plan | None]] = []


def _info(plan: Plan, scope: Plan | None, made: _Descriptions) -> TypeInfo:
    """Return the description of a plan; `scope` is the plan of the SEQUENCE or SET around it."""
    found = made.get(id(plan)) or _known.get(id(plan))
    if found is None:
        cls = ContainingType if plan.contained is not None else CLASSES.get(KINDS[plan.kind], PrimitiveType)
        found = made[id(plan)] = object.__new__(cls)
        made.unfilled.append((found, plan, scope))
    return found


def _fill(info: TypeInfo, plan: Plan, scope: Plan | None, made: _Descriptions) -> None:
    """Give a description its attributes."""
    values: dict[str, Any] = {
        # The plan stays alive, so that no other plan gets its identity.
        "_plan": plan,
        "kind": KINDS[plan.kind],
        "name": plan.name,
        "tag": None if plan.tag is None else _tag(plan.tag),
        "cls": plan.type,
        "constraints": tuple(constraint_info(constraint.facts) for constraint in plan.constraints),
        **_own_values(type(info), plan, scope, made),
    }
    for name, value in values.items():
        object.__setattr__(info, name, value)


def _own_values(cls: type[TypeInfo], plan: Plan, scope: Plan | None, made: _Descriptions) -> dict[str, Any]:
    """Return the attributes that a subclass of `TypeInfo` adds."""
    if cls is PrimitiveType:
        bounds = None if plan.range == (None, None) else plan.range
        return {"size": plan.size, "range": bounds, "extensible": plan.insertion is not None}
    if cls is StructureType:
        components = _components(plan, plan, made)
        return {"components": components, "extension_index": plan.insertion, "one_of": plan.one_of}
    if cls is ChoiceType:
        return {
            "alternatives": _components(plan, scope, made),
            "tags": tuple((_tag(tag), number) for tag, number in plan.alternatives),
            "extensible": plan.insertion is not None,
            "excluded_tags": tuple(map(_tag, plan.excluded)),
        }
    if cls is ListType:
        return {"element": _info(plan.element, scope, made), "size": plan.size}
    if cls is ExplicitType:
        return {"type": _info(plan.element, scope, made)}
    if plan.contained is not None:
        return {"type": _info(plan.contained, scope, made), "size": plan.size}
    if cls is OpenType:
        return {"table": plan.table, "selector": _selector(plan, scope), "size": plan.size}
    return {}


def _components(plan: Plan, scope: Plan | None, made: _Descriptions) -> tuple[Component, ...]:
    """Return the components of a SEQUENCE or SET, or the alternatives of a CHOICE."""
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
    """Return the names of the fields on the path to the selector of an open type."""
    names = []
    for number in plan.selector:
        assert scope is not None
        names.append(scope.names[number])
        scope = scope.plans[number]
        while scope.kind == _core.Kind.KIND_EXPLICIT:
            scope = scope.element
    return tuple(names)


def _tag(tag: int) -> Tag:
    """Return the `Tag` for a tag of the core, an int with the class and the form in its lowest bits."""
    return Tag(tag >> 3, _core.CLASS_NAMES[tag >> 1 & 3], bool(tag & 1))


KINDS = {int(kind): Kind[kind.name.removeprefix("KIND_")] for kind in _core.Kind if kind.name != "KIND_EMPTY"}
# Every other kind is primitive.
CLASSES: dict[Kind, type[TypeInfo]] = {
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
