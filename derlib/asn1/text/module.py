"""The text of a module with types."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import derlib
from derlib import ObjectIdentifier, OpenTypes, Tag, inspect
from derlib.asn1.text.constraints import constraint_text, interval
from derlib.asn1.text.names import Names, component_identifier
from derlib.asn1.text.values import NotationError, members_of, value_text
from derlib.inspect import (
    AnyType,
    ChoiceType,
    Component,
    ConstraintInfo,
    ContainingType,
    ExplicitType,
    Kind,
    ListType,
    OpenType,
    PrimitiveType,
    StructureType,
    TypeInfo,
)

__all__ = ["to_asn1"]

_STRUCTURES = {Kind.SEQUENCE: "SEQUENCE", Kind.SET: "SET", Kind.SEQUENCE_OF: "SEQUENCE", Kind.SET_OF: "SET"}
#: Types that ASN.1 defines; derlib has a class for each.
_ASSOCIATED = {"External": "EXTERNAL", "EmbeddedPDV": "EMBEDDED PDV", "CharacterString": "CHARACTER STRING"}


def to_asn1(*types: Any, module: str = "Schema") -> str:
    """Return the text of an ASN.1 module with these types and all types that they need.

    Args:
        types: schema classes, or other type expressions, which are named Type, Type-2 and so on.
        module: the name of the module.

    Compiling the text gives the same types: tags, components, defaults, constraints, extension markers, additions, open
    types. Some things have no notation in ASN.1: methods, ``on_mismatch`` of a table, ``ber="keep"``, and that a CHOICE
    is a union. The types that were registered in a table when this function is called are those of its object set,
    which stays extensible.

    A class does not keep everything that ASN.1 can express. Additions are written one by one, not in groups ``[[ ]]``;
    an addition that is mandatory in its standard is OPTIONAL; and an extensible ENUMERATED has all items before its
    marker.

    Raises:
        SchemaError: an element of `types` is not a type.
        ValueError: a default or a constraint has a value without a notation, such as an element of an unknown type, or
            a string whose contents are not the encoding that its type requires (X.682 11); for a default, the message
            begins with the path to the value, which `path` has as a tuple. Or a field or an item has a name that no
            identifier compiles to, such as one with capitals; or the name of the module is not a module reference.

    >>> import derlib
    >>> from derlib import asn1
    >>> class Point(derlib.Sequence):
    ...     x: int
    ...     y: int = 0
    ...     label: str | None = None
    >>> print(asn1.to_asn1(Point, module="Drawing"), end="")
    Drawing DEFINITIONS EXPLICIT TAGS ::= BEGIN
    <BLANKLINE>
    Point ::= SEQUENCE {
        x       INTEGER,
        y       INTEGER DEFAULT 0,
        label   UTF8String OPTIONAL }
    <BLANKLINE>
    END
    """
    if not module or module != Names().reference(module):
        raise ValueError(f"{module!r:.60} is not the name of a module")
    return _Writer(types).text(module)


class _Writer:
    """Writes the definitions of types, each once, in the order in which they are needed."""

    def __init__(self, types: tuple[Any, ...]) -> None:
        self._names = Names()
        self._classes: dict[type, str] = {}
        self._tables: dict[int, str] = {}
        self._waiting: list[Iterator[str]] = []
        # The type of the key of a table, and the object class for it.
        self._keys: dict[int, TypeInfo] = {}
        self._object_classes: dict[int, str] = {}
        # Tables live as long as their identities are in use.
        self._alive: list[OpenTypes] = []
        for type_ in types:
            info = inspect.type_info(type_)
            if isinstance(type_, type) and info.name == type_.__name__ and not _is_associated(type_):
                self._reference(type_)
            else:
                self._waiting.append(self._definition(self._names.reference("Type"), info, None))

    def text(self, module: str) -> str:
        """Return the module."""
        parts = [f"{module} DEFINITIONS EXPLICIT TAGS ::= BEGIN"]
        while self._waiting:
            parts.extend(self._waiting.pop(0))
        return "\n\n".join([*parts, "END\n"])

    def _definition(self, name: str, info: TypeInfo, cls: type | None) -> Iterator[str]:
        yield f"{name} ::= {self._type(info, '') if cls is None else self._inline(info, '', cls)}"

    # Names

    def _reference(self, cls: type) -> str:
        """Return the reference of a class, and write its definition later."""
        if _is_associated(cls):
            return _ASSOCIATED[cls.__name__]
        if cls not in self._classes:
            name = self._classes[cls] = self._names.reference(cls.__name__)
            self._waiting.append(self._definition(name, inspect.type_info(cls), cls))
        return self._classes[cls]

    def _table(self, info: OpenType) -> str:
        """Return the name of the object set for the table of an open type, and write it later."""
        table = info.table
        if id(table) not in self._tables:
            words = table.name.replace("_", " ").split()
            name = "".join(word.capitalize() for word in words) if table.name.isupper() else table.name
            self._tables[id(table)] = self._names.reference(name)
            self._alive.append(table)
            self._waiting.append(self._object_set(info))
        return self._tables[id(table)]

    def _object_class(self, info: OpenType) -> str:
        """Return the name of the class of the objects in a table, and write it later if it is not TYPE-IDENTIFIER."""
        key = self._keys.get(id(info.table))
        if key is None or (key.kind is Kind.OBJECT_IDENTIFIER and key.cls is None):
            return "TYPE-IDENTIFIER"
        if id(info.table) not in self._object_classes:
            name = self._names.reference(f"{self._table(info)}-class".upper())
            self._object_classes[id(info.table)] = name
            type_ = self._base(key, "")[0] if key.cls is None else self._reference(key.cls)
            fields = f"CLASS {{ &id {type_} UNIQUE, &Type }} WITH SYNTAX {{ &Type IDENTIFIED BY &id }}"
            self._waiting.append(iter([f"{name} ::= {fields}"]))
        return self._object_classes[id(info.table)]

    def _object_set(self, info: OpenType) -> Iterator[str]:
        selector = self._keys[id(info.table)]
        lines = [
            f"    {{ {self._type(entry.type, '        ')} IDENTIFIED BY {_key_text(key, selector)} }} |"
            for key, entry in info.entries().items()
        ]
        if lines:
            lines[-1] = lines[-1].removesuffix(" |") + ","
        yield "\n".join([f"{self._table(info)} {self._object_class(info)} ::= {{", *lines, "    ... }"])

    # Types

    def _type(self, info: TypeInfo, indent: str) -> str:
        """Return the notation of a type where it is used."""
        # A class can have an explicit tag of its own.
        inner = info.type if isinstance(info, ExplicitType) else info
        # The class of a list in brackets, such as SetOf[int], has no name.
        cls = inner.cls
        own = None if cls is None or "[" in cls.__name__ else inspect.type_info(cls)
        if cls is None or own is None or isinstance(own, ExplicitType) != isinstance(info, ExplicitType):
            return self._inline(info, indent)
        tag = "" if info.tag == own.tag else _tag_text(info.tag, "IMPLICIT ")
        constraints = self._constraints(inner, own.type if isinstance(own, ExplicitType) else own)
        if inner is not info:
            constraints += self._constraints(info, own)
        return f"{tag}{self._reference(cls)}{constraints}"

    def _inline(self, info: TypeInfo, indent: str, own: type | None = None) -> str:
        """Return the notation of a type in full; `own` is the class that it defines."""
        if isinstance(info, ExplicitType):
            is_own = own is not None and info.type.cls is own
            inner = self._inline(info.type, indent) if is_own else self._type(info.type, indent)
            return f"{_tag_text(info.tag, '')}{inner}{self._constraints(info, None)}"
        if info.cls is not None and _is_associated(info.cls):
            return _ASSOCIATED[info.cls.__name__]
        base, universal = self._base(info, indent)
        tag = (
            ""
            if info.tag is None or universal is None or info.tag.tag_class == "universal"
            else _tag_text(info.tag, "IMPLICIT ")
        )
        if isinstance(info, ListType):
            constraint = self._list_constraint(info)
            return f"{tag}{_STRUCTURES[info.kind]}{constraint} OF {self._type(info.element, indent)}"
        return f"{tag}{base}{self._constraints(info, None)}"

    def _base(self, info: TypeInfo, indent: str) -> tuple[str, bool | None]:
        """Return the notation without tag and constraints, and whether it has a tag of its own."""
        if isinstance(info, StructureType):
            return f"{_STRUCTURES[info.kind]} {self._components(info, indent)}", True
        if isinstance(info, ChoiceType):
            return f"CHOICE {self._alternatives(info, indent)}", None
        if isinstance(info, OpenType):
            return self._open(info, None), None if info.kind is Kind.OPEN else True
        if isinstance(info, ContainingType):
            string = "OCTET STRING" if info.kind in (Kind.OCTET_STRING, Kind.OPEN_OCTETS) else "BIT STRING"
            return f"{string} (CONTAINING {self._type(info.type, indent)})", True
        if isinstance(info, AnyType):
            return "ANY", None
        if isinstance(info, PrimitiveType) and info.cls is not None:
            return self._numbered(info, indent), True
        return info.name if info.kind is Kind.LATIN1_STRING else info.kind.value, True

    def _numbered(self, info: PrimitiveType, indent: str) -> str:
        items = [f"{name}({number})" for name, number in members_of(info.cls).items()]
        if info.extensible:
            items.append("...")
        name = {Kind.NAMED_INTEGER: "INTEGER", Kind.NAMED_BITS: "BIT STRING"}.get(info.kind, "ENUMERATED")
        if not items:
            return name
        if len(items) <= 3:
            return f"{name} {{ {', '.join(items)} }}"
        lines = f",\n{indent}    ".join(items)
        return f"{name} {{\n{indent}    {lines} }}"

    def _open(self, info: OpenType, holder: str | None) -> str:
        """Return the notation of an open type."""
        if not info.selector:
            field = "ANY"
        else:
            selector = ".".join(map(component_identifier, info.selector))
            field = f"{self._object_class(info)}.&Type ({{{self._table(info)}}}{{@{selector}}})"
        if info.kind is Kind.OPEN:
            return field
        string = "OCTET STRING" if info.kind is Kind.OPEN_OCTETS else "BIT STRING"
        return string if not info.selector else f"{string} (CONTAINING {field})"

    # Components

    def _components(self, info: StructureType, indent: str) -> str:
        selectors = self._selectors(info)
        lines = [
            (component_identifier(component.name), self._component(info, component, selectors, indent + "    "))
            for component in info.components
        ]
        if info.extension_index is not None:
            if info.extension_index < len(lines):
                # After the additions, the root continues.
                lines.insert(info.extension_index, ("...", ""))
            lines.insert(_first_addition(info, info.extension_index), ("...", ""))
        return _body(lines, indent)

    def _component(self, info: StructureType, component: Component, selectors: dict[str, OpenType], indent: str) -> str:
        selected = selectors.get(component.name)
        text = self._type(component.type, indent) if selected is None else self._selector(component.type, selected)
        if component.optional:
            return f"{text} OPTIONAL"
        if component.default_encoding is None:
            return text
        with NotationError.at(info.name, component.name):
            return f"{text} DEFAULT {self._default(component, component.default_encoding)}"

    def _selector(self, info: TypeInfo, selected: OpenType) -> str:
        """Return the notation of a component that selects the type of another one."""
        prefix = ""
        if isinstance(info, ExplicitType):
            prefix, info = _tag_text(info.tag, ""), info.type
        own = None if info.cls is None else inspect.type_info(info.cls)
        if info.tag is not None and (info.tag.tag_class != "universal" if own is None else info.tag != own.tag):
            prefix += _tag_text(info.tag, "IMPLICIT ")
        constraints = self._constraints(info, own)
        return f"{prefix}{self._object_class(selected)}.&id ({{{self._table(selected)}}}){constraints}"

    def _selectors(self, info: StructureType) -> dict[str, OpenType]:
        """Return the open type that each component selects in the same structure, and note the types of their keys."""
        found: dict[str, OpenType] = {}

        def visit(part: TypeInfo) -> None:
            if isinstance(part, OpenType) and part.selector:
                if len(part.selector) == 1:
                    found.setdefault(part.selector[0], part)
                self._keys.setdefault(id(part.table), _at_path(info, part.selector))
            elif isinstance(part, ExplicitType):
                visit(part.type)
            elif isinstance(part, ListType):
                visit(part.element)

        for component in info.components:
            visit(component.type)
        return found

    def _default(self, component: Component, encoding: bytes) -> str:
        info: TypeInfo = component.type
        element = derlib.parse(encoding, tolerate=~derlib.Deviation(0))
        name = ""
        while isinstance(info, ExplicitType) or info.kind is Kind.UNION:
            if isinstance(info, ExplicitType):
                info, element = info.type, element.children[0]
            else:
                assert isinstance(info, ChoiceType)
                number = dict(info.tags)[element.tag]
                name += f"{_union_names(info)[number]} : "
                info = info.alternatives[number].type
        return name + value_text(info, component.default, bytes(element.content), lambda part: self._type(part, ""))

    def _alternatives(self, info: ChoiceType, indent: str) -> str:
        if info.kind is Kind.UNION:
            names = _union_names(info)
        else:
            names = [component_identifier(component.name, choice=True) for component in info.alternatives]
        lines = [
            (name, self._type(component.type, indent + "    "))
            for name, component in zip(names, info.alternatives, strict=True)
        ]
        if info.extensible:
            # A CHOICE has an alternative before the marker (X.680 29.1).
            lines.insert(_first_addition(info, len(lines)) or len(lines), ("...", ""))
        return _body(lines, indent)

    # Constraints

    def _constraints(self, info: TypeInfo, own: TypeInfo | None) -> str:
        """Return the constraints of a type that `own`, the type which it refers to, does not have."""
        found = [*self._effective(info, own), *(f"{text}, ..." for text in self._extensible(info, own))]
        return "".join(f" ({text})" for text in found)

    def _list_constraint(self, info: ListType) -> str:
        """Return the only constraint that a list can have before OF."""
        found = self._effective(info, None)
        # An extensible constraint cannot be part of another one: it would make the whole extensible (X.680 50.8).
        marker = "" if found else ", ..."
        found = found or self._extensible(info, None)
        text = found[0] if len(found) == 1 else " ^ ".join(f"({part})" for part in found)
        return f" ({text}{marker})" if found else ""

    def _effective(self, info: TypeInfo, own: TypeInfo | None) -> list[str]:
        """Return the constraints that restrict the values, each without the parentheses around it."""
        found: list[str] = []
        size, known_size = getattr(info, "size", None), getattr(own, "size", None)
        if size is not None and size != known_size:
            found.append(f"SIZE ({interval(*size)})")
        bounds, known_bounds = getattr(info, "range", None), getattr(own, "range", None)
        if bounds is not None and bounds != known_bounds:
            found.append(interval(*bounds))
        return found + self._texts(info, info.constraints, own.constraints if own is not None else ())

    def _extensible(self, info: TypeInfo, own: TypeInfo | None) -> list[str]:
        """Return the constraints with an extension marker, without the marker."""
        known = own.extensible_constraints if own is not None else ()
        return self._texts(info, info.extensible_constraints, known)

    def _texts(
        self, info: TypeInfo, constraints: tuple[ConstraintInfo, ...], known: tuple[ConstraintInfo, ...]
    ) -> list[str]:
        inner = _without_explicit_tags(info)
        texts = [
            constraint_text(constraint, inner, lambda part: self._type(part, ""))
            for constraint in reversed(constraints)
            if constraint not in known
        ]
        # "({" begins a table constraint.
        return [f"({text})" if text.startswith("{") else text for text in texts]


def _first_addition(info: StructureType | ChoiceType, stop: int) -> int:
    """Return the number of the first component of those before `stop` that are additions."""
    fields = derlib.fields(info.cls)[:stop]
    return stop - sum(1 for _ in takewhile(lambda field: field.addition, reversed(fields)))


def _union_names(info: ChoiceType) -> list[str]:
    """Return identifiers for the alternatives of a union: the names of their types."""
    names = Names(reserved=frozenset())
    references = [names.reference(component.name.split("[")[0]) for component in info.alternatives]
    return [component_identifier(reference.lower().replace("-", "_")) for reference in references]


def _is_associated(cls: type) -> bool:
    return cls.__name__ in _ASSOCIATED and cls.__module__.partition(".")[0] == "derlib"


def _at_path(info: TypeInfo, path: tuple[str, ...]) -> TypeInfo:
    """Return the type of the component at a path, without explicit tags."""
    for name in path:
        assert isinstance(info, StructureType)
        [found] = [component.type for component in info.components if component.name == name]
        info = _without_explicit_tags(found)
    return info


def _without_explicit_tags(info: TypeInfo) -> TypeInfo:
    while isinstance(info, ExplicitType):
        info = info.type
    return info


def _key_text(key: ObjectIdentifier | int, info: TypeInfo) -> str:
    """Return a key of a table as a value of the type of the selector."""
    info = _without_explicit_tags(info)
    if isinstance(info, ChoiceType):
        is_number = isinstance(key, int)
        for alternative in info.alternatives:
            part = alternative.type.type if isinstance(alternative.type, ExplicitType) else alternative.type
            if part.kind is not Kind.NULL and is_number is (part.kind is not Kind.OBJECT_IDENTIFIER):
                return f"{component_identifier(alternative.name, choice=True)} : {_key_text(key, part)}"
    if isinstance(key, ObjectIdentifier):
        return f"{{{key.dotted.replace('.', ' ')}}}"
    names = {} if info.cls is None else {number: name for name, number in members_of(info.cls).items()}
    return names.get(key, str(key))


def _body(lines: list[tuple[str, str]], indent: str) -> str:
    """Return the components between braces, their types in one column."""
    if not lines:
        return "{ }"
    width = max((len(name) for name, text in lines if text), default=0) + 3
    inner = f",\n{indent}    ".join(f"{name:{width}}{text}".rstrip() for name, text in lines)
    return f"{{\n{indent}    {inner} }}"


def _tag_text(tag: Tag | None, mode: str) -> str:
    assert tag is not None
    name = "" if tag.tag_class == "context" else f"{tag.tag_class.upper()} "
    return f"[{name}{tag.number}] {mode}"
