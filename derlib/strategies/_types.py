"""Types as the strategies use them: `derlib.inspect` with tags as ints and the same attributes for every kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from derlib import Tag, inspect
from derlib._schema.open_types import key_octets
from derlib.inspect import ChoiceType, Component, ConstraintInfo, Kind, OpenType, StructureType, TypeInfo

TAG_CLASSES = ("universal", "application", "context", "private")


def pack_tag(number: int, tag_class: int, constructed: bool) -> int:
    """Return a tag as one int: ``number << 3 | class << 1 | constructed``."""
    return number << 3 | tag_class << 1 | constructed


def packed_tag(tag: Tag) -> int:
    """Return a `Tag` as one int."""
    return pack_tag(tag.number, TAG_CLASSES.index(tag.tag_class), tag.constructed)


@dataclass(frozen=True)
class Type:
    """A type. Attributes that a kind of type does not have are None, zero or empty.

    Attributes:
        info: its description.
    """

    info: TypeInfo

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.info)

    @property
    def kind(self) -> Kind:
        return self.info.kind

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def constraints(self) -> tuple[ConstraintInfo, ...]:
        return self.info.constraints

    @cached_property
    def tag(self) -> int | None:
        return None if self.info.tag is None else packed_tag(self.info.tag)

    @cached_property
    def members(self) -> tuple[int, ...]:
        """The named numbers, or the named bits as powers of two."""
        named: Any = self.info.cls if self.info.kind in _WITH_MEMBERS else ()
        return tuple(int(member) for member in named)

    # Components and alternatives.

    @cached_property
    def components(self) -> tuple[Component, ...]:
        if isinstance(self.info, StructureType):
            return self.info.components
        return self.info.alternatives if isinstance(self.info, ChoiceType) else ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(component.name for component in self.components)

    @cached_property
    def types(self) -> tuple[Type, ...]:
        return tuple(Type(component.type) for component in self.components)

    @cached_property
    def optional(self) -> tuple[bool, ...]:
        """Whether each component is OPTIONAL or has a DEFAULT."""
        return tuple(not component.required for component in self.components)

    @cached_property
    def defaults(self) -> tuple[bytes | None, ...]:
        """The encoding of the DEFAULT value of each component."""
        return tuple(component.default_encoding for component in self.components)

    @cached_property
    def extension_index(self) -> int | None:
        """None if the type is not extensible; for a SEQUENCE, the number of the component after unknown additions."""
        if isinstance(self.info, StructureType):
            return self.info.extension_index
        return 0 if getattr(self.info, "extensible", False) else None

    @property
    def one_of(self) -> int:
        """The number of leading components of which an EXTERNAL has at least one (X.690 8.18); else 0."""
        return self.info.one_of if isinstance(self.info, StructureType) else 0

    @cached_property
    def alternatives(self) -> dict[int, int]:
        """The number of the alternative that each tag selects."""
        tags = self.info.tags if isinstance(self.info, ChoiceType) else ()
        return {packed_tag(tag): number for tag, number in tags}

    @cached_property
    def excluded(self) -> tuple[int, ...]:
        """The tags that an unknown alternative cannot have (X.680 52.7), in primitive form."""
        return tuple(map(packed_tag, self.info.excluded_tags)) if isinstance(self.info, ChoiceType) else ()

    # Types inside.

    @cached_property
    def element(self) -> Type:
        """The type of the elements of a list, or the type inside an explicit tag."""
        if isinstance(self.info, inspect.ListType):
            return Type(self.info.element)
        assert isinstance(self.info, inspect.ExplicitType), self.info
        return Type(self.info.type)

    @cached_property
    def is_constructed(self) -> bool:
        """Whether a value can have several elements."""
        inner = self
        while inner.kind == Kind.EXPLICIT:
            inner = inner.element
        return not isinstance(inner.info, inspect.PrimitiveType)

    @cached_property
    def contained(self) -> Type | None:
        """The type whose encoding a string contains, if it is always the same one."""
        return Type(self.info.type) if isinstance(self.info, inspect.ContainingType) else None

    @property
    def selector(self) -> tuple[str, ...]:
        return self.info.selector if isinstance(self.info, OpenType) else ()

    def entries(self) -> dict[bytes, tuple[Type, bool]]:
        """Return the types of an open type, by the octets of their keys, and whether mismatches are opaque."""
        return _entries(self, inspect.registration_count())

    # Constraints.

    @property
    def size(self) -> tuple[int, int | None] | None:
        size: tuple[int, int | None] | None = getattr(self.info, "size", None)
        return size

    @property
    def range(self) -> tuple[int | None, int | None] | None:
        return self.info.range if isinstance(self.info, inspect.PrimitiveType) else None


@lru_cache(maxsize=1024)
def _entries(type: Type, _registrations: int) -> dict[bytes, tuple[Type, bool]]:
    found = type.info.entries() if isinstance(type.info, OpenType) else {}
    return {key_octets(key): (Type(entry.type), entry.on_mismatch == "opaque") for key, entry in found.items()}


_WITH_MEMBERS = (Kind.NAMED_INTEGER, Kind.ENUMERATED, Kind.NAMED_BITS)


def type_of(expression: Any) -> Type:
    """Return the type of a type expression.

    Raises:
        SchemaError: `expression` is not a type.
    """
    return Type(inspect.type_info(expression))


def primitive_type(
    kind: Kind,
    name: str,
    tag: Tag | None = None,
    size: tuple[int, int | None] | None = None,
    range: tuple[int | None, int | None] | None = None,
    cls: type[Any] | None = None,
) -> Type:
    """Return a primitive type without a type expression."""
    return Type(inspect.PrimitiveType(kind, name, tag, cls, (), size, range, False))
