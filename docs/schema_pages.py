"""The tables in the reference pages of schema modules: fields, members and OBJECT IDENTIFIERs.

conf.py connects these functions to sphinx.ext.autodoc. The tables come from the classes, so a page needs no text of its
own besides the docstrings.
"""

from __future__ import annotations

import ast
import enum
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import Signature, signature
from pathlib import Path
from types import ModuleType
from typing import Any

import derlib
from derlib import ObjectIdentifier, OpenTypes
from derlib.inspect import ChoiceType, Component, ExplicitType, ListType, OpenType, StructureType, TypeInfo, type_info

SCHEMAS = "derlib.schemas."


def rows(head: tuple[str, ...], body: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table, or nothing if it would have no rows."""
    listed = list(body)
    if listed:
        yield from ("", ".. list-table::", "   :header-rows: 1", "")
        for row in (head, *listed):
            yield from (f"   {'*' if number == 0 else ' '} - {cell}" for number, cell in enumerate(row))
        yield ""


def literal(text: object) -> str:
    """Return text as code."""
    return f"``{text}``"


def reference(cls: Any) -> str:
    """Return a link to a class, or its name as code."""
    name = getattr(cls, "__qualname__", str(cls))
    return f":py:class:`~{cls.__module__}.{name}`" if isinstance(cls, type) and "[" not in name else literal(name)


def tagged(info: TypeInfo) -> str:
    """Return the tag of a type if it is context-specific, as in ASN.1."""
    tag = info.tag
    return f"[{tag.number}] " if tag is not None and tag.tag_class == "context" else ""


def type_of(info: TypeInfo) -> str:
    """Return the type of a field, with a link to its class."""
    if isinstance(info, ExplicitType):
        return f"{tagged(info)}EXPLICIT {type_of(info.type)}"
    if isinstance(info, OpenType):
        return f"{literal(info.name)} that {literal('.'.join(info.selector))} selects from {literal(info.table.name)}"
    if isinstance(info, ListType) and (info.cls is None or "[" in info.name):
        return f"{tagged(info)}{literal(info.name.partition('[')[0] or 'list')} of {type_of(info.element)}"
    return tagged(info) + (reference(info.cls) if info.cls is not None else literal(info.name))


def presence(component: Component) -> str:
    """Return how a field can be left out, or an empty string."""
    if component.default is not derlib.MISSING:
        default = component.default
        return f"DEFAULT {literal(default.name if isinstance(default, enum.Enum) else repr(default))}"
    return "OPTIONAL" if component.optional else ""


def described(cls: Any) -> TypeInfo | None:
    """Return the description of a schema class, or None for other classes and generic ones."""
    if not issubclass(cls, (derlib.Sequence, derlib.Set, derlib.Choice, derlib.SequenceOf, derlib.SetOf)):
        return None
    try:
        return type_info(cls)
    except derlib.SchemaError:
        return None


def of_class(cls: type) -> Iterator[str]:
    """Yield the tables of a class."""
    info = described(cls)
    if isinstance(info, StructureType):
        body = [(literal(one.name), type_of(one.type), presence(one)) for one in info.components]
        columns = 3 if any(last for _, _, last in body) else 2
        yield from rows(("field", "type", "presence")[:columns], (row[:columns] for row in body))
    elif isinstance(info, ChoiceType):
        yield from rows(("alternative", "type"), ((literal(one.name), type_of(one.type)) for one in info.alternatives))
    elif isinstance(info, ListType):
        yield from ("", f"Elements: {type_of(info.element)}", "")
    elif issubclass(cls, enum.Enum) and len(cls):
        yield from rows(("name", "value"), ((literal(one.name), literal(int(one.value))) for one in cls))
    selected = [(literal(table.name), literal(oid), oid.name or "") for table in tables() for oid in table.oids_of(cls)]
    yield from rows(("table of types", "OBJECT IDENTIFIER", "name"), selected)


@cache
def tables() -> tuple[OpenTypes, ...]:
    """Return the tables of types of all schema modules."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(SCHEMAS)]
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, OpenTypes)}
    return tuple(found.values())


def constants(module: ModuleType) -> list[str]:
    """Return the names that a module assigns, in their order."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    return [
        part.id
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    ]


def of_module(module: ModuleType) -> Iterator[str]:
    """Yield the table of the OBJECT IDENTIFIERs that a module defines."""
    values = ((name, getattr(module, name, None)) for name in constants(module) if not name.startswith("_"))
    body = [(literal(name), literal(one), one.name or "") for name, one in values if isinstance(one, ObjectIdentifier)]
    if body:
        yield from ("", ".. rubric:: OBJECT IDENTIFIERs", *rows(("constant", "value", "name"), body))


def add_tables(_app: object, what: str, name: str, obj: Any, _options: object, lines: list[str]) -> None:
    """Add the tables to the docstring of a class or of a module. Called by autodoc."""
    if not name.startswith(SCHEMAS):
        return
    if what == "class":
        lines += of_class(obj)
    elif what == "module":
        lines += of_module(obj)


def without_types(
    _app: object, what: str, name: str, obj: Any, _options: object, given: str | None, _result: object
) -> tuple[str, None] | None:
    """Return the parameters of a schema class without their types, which the table has. Called by autodoc."""
    if what != "class" or not name.startswith(SCHEMAS) or not given or described(obj) is None:
        return None
    parameters = [one.replace(annotation=one.empty) for one in signature(obj).parameters.values()]
    for at, one in enumerate(parameters):
        if isinstance(one.default, enum.Enum):
            parameters[at] = one.replace(default=Name(f"{type(one.default).__name__}.{one.default.name}"))
    return str(Signature(parameters)), None


class Name(str):
    """A name that is shown as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def skip_fields(_app: object, _what: str, _name: str, obj: Any, _skip: bool, _options: object) -> bool | None:
    """Leave out the descriptors of fields, which the table of the class has. Called by autodoc."""
    return True if type(obj).__name__ == "FieldReader" else None
