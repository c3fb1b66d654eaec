"""Writes the Python module for resolved ASN.1 modules.

The module has the simple values first, then the tables of open types, still empty, the types in the order of their
dependencies, the other values, and the entries of the tables.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import PurePath

from derlib.asn1.backend.expressions import Expressions
from derlib.asn1.backend.layout import WIDTH, fitted
from derlib.asn1.backend.names import Namespace, component_name, item_name
from derlib.asn1.backend.order import Order, is_class
from derlib.asn1.semantics.model import (
    Bounds,
    Constant,
    Constrained,
    Contents,
    Definition,
    ListOf,
    Numbered,
    OIDValue,
    Open,
    ResolvedComponent,
    ResolvedModule,
    ResolvedType,
    Structure,
    Table,
    Tagged,
)
from derlib.asn1.syntax.tree import Assignment

_BASES = {"SEQUENCE": "Sequence", "SET": "Set", "CHOICE": "Choice"}
_NUMBERED_BASES = {"INTEGER": "NamedInteger", "ENUMERATED": "Enumerated", "BIT STRING": "NamedBits"}


def write_python(modules: list[ResolvedModule], header: str) -> str:
    """Return the text of a Python module; `header` is its docstring."""
    return ModuleWriter(modules).write(header)


class ModuleWriter:
    """Writes one Python module."""

    def __init__(self, modules: list[ResolvedModule]) -> None:
        self._tables = [table for module in modules for table in module.tables]
        definitions = [definition for module in modules for definition in module.definitions]
        self._definitions = Order(definitions).sorted()
        self._constants = [constant for module in modules for constant in module.constants]
        self._namespace = Namespace()
        # Types with an assignment get their names first: the names of other types and of tables can change.
        own_first = sorted(definitions, key=lambda definition: bool(definition.remark))
        names: dict[Definition | Table, str] = {
            definition: self._namespace.class_name(definition.name) for definition in own_first
        }
        for table in self._tables:
            names[table] = self._namespace.class_name(table.name)
        self._constant_names = [self._namespace.constant_name(constant.name) for constant in self._constants]
        self._expressions = Expressions(names)
        self._public = [names[definition] for definition in self._definitions]
        self._public += [names[table] for table in self._tables] + self._constant_names

    def write(self, header: str) -> str:
        """Return the text of the module."""
        simple = list(self._write_constants(simple=True))
        tables = [self._write_table(table) for table in self._tables]
        self._expressions.later = set(self._definitions)
        types: list[str] = []
        for definition in self._definitions:
            types.append(self._write_definition(definition))
            self._expressions.later.discard(definition)
        other = list(self._write_constants(simple=False))
        entries = [line for table in self._tables for line in self._write_entries(table)]
        sections = [
            f'"""{_escaped(header)}"""\n',
            self._write_imports(),
            "_COMPILE_AT_FIRST_USE = True\n",
            self._write_public_names(),
            "\n".join([*simple, ""]),
            "\n".join([*tables, ""]),
            "\n" + "\n\n".join(types),
            "\n" + "\n".join([*other, *([""] if other and entries else []), *entries, ""]),
        ]
        return "\n".join(section for section in sections if section.strip())

    def _write_imports(self) -> str:
        lines: list[str] = []
        if self._expressions.typing_names:
            lines += [f"from typing import {', '.join(sorted(self._expressions.typing_names))}", ""]
        names = sorted(self._expressions.derlib_names, key=_import_order)
        if names:
            lines.append("from derlib import (")
            lines += [f"    {name}," for name in names]
            lines.append(")")
        return "\n".join([*lines, ""])

    def _write_public_names(self) -> str:
        return "\n".join(["__all__ = [", *(f'    "{name}",' for name in sorted(self._public)), "]", ""])

    # Values and tables

    def _write_constants(self, *, simple: bool) -> Iterable[str]:
        for name, constant in zip(self._constant_names, self._constants, strict=True):
            if _is_simple(constant) is simple:
                yield from fitted(f"{name} = {self._expressions.value(constant.value, constant.type)}")

    def _write_table(self, table: Table) -> str:
        line = f'{self._expressions.names[table]} = {self._expressions.need("OpenTypes")}("{table.name}")'
        return "\n".join(fitted(line))

    def _write_entries(self, table: Table) -> Iterable[str]:
        for oid, label, resolved in table.entries:
            remark = f"  # {label}" if label else ""
            register = f'{self._expressions.names[table]}.register("{oid}", '
            yield from fitted(f"{register}{self._expressions.annotation(resolved)}){remark}")

    # Types

    def _write_definition(self, definition: Definition) -> str:
        name = self._expressions.names[definition]
        if not is_class(definition):
            self._expressions.typing_names.add("TypeAlias")
            alias = fitted(f"{name}: TypeAlias = {self._expressions.annotation(definition.type)}")
            return "\n".join([*_comment(definition.assignment), *alias, ""])
        base, keywords, extras = self._split(definition.type)
        class_name = self._namespace.class_name(f"{definition.name}-Base") if extras else name
        self._expressions.class_names[definition] = class_name
        text = self._write_class(class_name, base, keywords, definition)
        if extras:
            self._expressions.typing_names.update({"Annotated", "TypeAlias"})
            alias = fitted(f"{name}: TypeAlias = Annotated[{', '.join([class_name, *extras])}]")
            text += "\n".join(["\n", *alias, ""])
        return text

    def _split(self, resolved: ResolvedType) -> tuple[ResolvedType, list[str], list[str]]:
        """Return the type of a class, and its tag and size: as keywords of the class, or else as annotations."""
        wrappers: list[Tagged | Constrained] = []
        while isinstance(resolved, (Tagged, Constrained)):
            wrappers.append(resolved)
            resolved = resolved.inner
        wrappers.reverse()
        wrappers = [wrapper for wrapper in wrappers if isinstance(wrapper, Tagged) or wrapper.constraint is not None]
        keywords: list[str] = []
        sizes = [wrapper for wrapper in wrappers if isinstance(wrapper, Constrained)]
        tags = [wrapper for wrapper in wrappers if isinstance(wrapper, Tagged)]
        fits = not sizes or (isinstance(resolved, ListOf) and _is_size(sizes))
        if fits and len(tags) <= 1 and not isinstance(resolved, Numbered):
            keywords += [f"size={self._constraint(size)}" for size in sizes]
            keywords += [f"tag={self._expressions.tag(tag)}" for tag in tags]
            return resolved, keywords, []
        extras = [
            self._expressions.tag(wrapper) if isinstance(wrapper, Tagged) else self._constraint(wrapper)
            for wrapper in wrappers
        ]
        return resolved, [], extras

    def _constraint(self, constrained: Constrained) -> str:
        assert constrained.constraint is not None
        return self._expressions.constraint(constrained.constraint)

    def _write_class(self, name: str, base: ResolvedType, keywords: list[str], definition: Definition) -> str:
        match base:
            case ListOf():
                parents, body = self._expressions.annotation(base), list[str]()
            case Structure():
                parents = self._expressions.need(_BASES[base.kind])
                keywords = (["extensible=True"] if base.extensible else []) + keywords
                body = [line for component in base.components for line in self._write_component(component, base)]
            case Numbered():
                parents = self._expressions.need(_NUMBERED_BASES[base.kind])
                keywords = ["extensible=True"] if base.extensible else []
                shift = "1 << " if base.kind == "BIT STRING" else ""
                body = [f"    {item_name(item)} = {shift}{number}" for item, number in base.named.items()]
            case _:
                raise AssertionError("only these types are classes")
        lines = [*fitted(f"class {name}({', '.join([parents, *keywords])}):"), _docstring(definition)]
        if body:
            lines += ["", *body]
        return "\n".join([*lines, ""])

    def _write_component(self, component: ResolvedComponent, owner: Structure) -> list[str]:
        name = component_name(component.name, choice=owner.kind == "CHOICE")
        extras = [f"{self._expressions.need('Addition')}()"] if component.addition else []
        annotation = self._expressions.annotation(component.type, *extras)
        default = ""
        if component.default is not None:
            default = f" = {self._expressions.value(component.default, component.type)}"
        elif component.optional or (component.addition and owner.kind != "CHOICE"):
            default = " = None"
            quoted = annotation.startswith('"')
            annotation = f'"{annotation[1:-1]} | None"' if quoted else f"{annotation} | None"
        remark = _remark(component.type)
        return [*([f"    # {remark}"] if remark else []), *fitted(f"    {name}: {annotation}{default}")]


def _remark(resolved: ResolvedType) -> str:
    """Return the reason why an open type has no table, or an empty text."""
    while isinstance(resolved, (Tagged, Constrained, ListOf)):
        if isinstance(resolved, ListOf):
            resolved = resolved.element
        elif isinstance(resolved, Constrained) and isinstance(resolved.constraint, Contents):
            resolved = resolved.constraint.type
        else:
            resolved = resolved.inner
    return resolved.remark if isinstance(resolved, Open) else ""


def _import_order(name: str) -> tuple[bool, bool, str]:
    """Return the key by which formatters sort imports: constants, classes, functions."""
    return not name.isupper(), name.islower(), name.lower()


def _is_size(sizes: list[Constrained]) -> bool:
    return len(sizes) == 1 and isinstance(sizes[0].constraint, Bounds)


def _is_simple(constant: Constant) -> bool:
    return isinstance(constant.value, OIDValue) or type(constant.value) in (bool, int, str, bytes)


def _origin(assignment: Assignment) -> str:
    # The name of a file can have any character.
    name = " ".join(PurePath(assignment.at.source.name).name.split())
    return f"{name}, line {assignment.at.line}"


def _docstring(definition: Definition) -> str:
    """Return a docstring with the place and the text of the assignment."""
    what = f"{definition.name}, {definition.remark}" if definition.remark else definition.name
    what = textwrap.fill(f"{what}.", WIDTH - 8, break_on_hyphens=False)
    text = textwrap.indent(_escaped(_text(definition.assignment)), "    ")
    return textwrap.indent(f'"""{what}\n\nFrom {_escaped(_origin(definition.assignment))}::\n\n{text}\n"""', "    ")


def _comment(assignment: Assignment) -> list[str]:
    return [f"# {line}" for line in _text(assignment).splitlines()]


def _text(assignment: Assignment) -> str:
    """Return the text of an assignment, without blank lines and common indentation."""
    at = assignment.at
    # Comments can have any character; Python source cannot have NUL.
    text = " " * (at.column - 1) + assignment.text.replace("\t", "        ").replace("\0", "")
    return "\n".join(line.rstrip() for line in textwrap.dedent(text).splitlines() if line.strip())


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
