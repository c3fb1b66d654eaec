"""Writes the Python module for resolved ASN.1 modules.

The module has the simple values first, then the tables of open types, still empty, the types in the order of their
dependencies, the other values, and the entries of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from derlib.asn1.backend.expressions import Expressions
from derlib.asn1.backend.imports import Imports
from derlib.asn1.backend.layout import fitted
from derlib.asn1.backend.names import Namespace, component_name, item_name
from derlib.asn1.backend.order import Order, is_class
from derlib.asn1.backend.others import other_names
from derlib.asn1.backend.readiness import Readiness
from derlib.asn1.backend.references import FileNames, Home, PackageNames, file_import_lines, from_lines
from derlib.asn1.backend.texts import Texts, escaped
from derlib.asn1.diagnostics import CompileError, Diagnostic
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
    Reference,
    ResolvedComponent,
    ResolvedModule,
    ResolvedType,
    ResolvedValue,
    Structure,
    Table,
    Tagged,
    without_references,
    wrappers_of,
)

# Chains of tagged types can be long, and Python needs time and memory for the square of their length.
_MOST_WRAPPERS = 16
_BASES = {"SEQUENCE": "Sequence", "SET": "Set", "CHOICE": "Choice"}
_NUMBERED_BASES = {"INTEGER": "NamedInteger", "ENUMERATED": "Enumerated", "BIT STRING": "NamedBits"}


def write_python(modules: list[ResolvedModule], header: str) -> str:
    """Return the text of one Python module for all modules; `header` is its docstring."""
    writer = FileWriter(modules, PackageNames(["module"], Imports([set()])), "module")
    writer.write_body()
    return writer.text(header, [])


def own_first(*modules: ResolvedModule) -> list[Definition]:
    """Return the definitions in the order in which they get names.

    Those with an assignment come first: the names of other types, and of tables, can get a suffix.
    """
    definitions = [definition for module in modules for definition in module.definitions]
    return sorted(definitions, key=lambda definition: bool(definition.remark))


class FileWriter:
    """Writes one Python module, which can be a file of a package."""

    def __init__(self, modules: list[ResolvedModule], package: PackageNames, file: str) -> None:
        self.modules = modules
        self.names = FileNames(package, file, Namespace())
        self._expressions = Expressions(self.names)
        self._readiness = Readiness(self.names)
        self._tables = [table for module in modules for table in module.tables]
        definitions = [definition for module in modules for definition in module.definitions]
        self._definitions = Order(definitions).sorted()
        self._constants = [constant for module in modules for constant in module.constants]
        self._sections: list[str] = []
        self._entries: list[str] = []
        self._texts = Texts()
        namespace = self.names.namespace
        self._items: list[Definition | Table] = [*own_first(*modules), *self._tables]
        for item in self._items:
            package.homes[item] = Home(file, namespace.class_name(item.name))
        self._constant_names = {constant: namespace.constant_name(constant.name) for constant in self._constants}

    def public_names(self) -> list[str]:
        """Return the names that the module defines."""
        homes = self.names.package.homes
        return [homes[item].name for item in self._items] + [*self._constant_names.values()]

    def constant_name(self, constant: Constant) -> str:
        """Return the name of a value."""
        return self._constant_names[constant]

    def write_body(self) -> None:
        """Write the definitions. The files before this one were written, so that the names of their classes are known.

        The entries of tables can name types of files after this one, which `text` imports before them.
        """
        simple = list(self._write_constants(simple=True))
        tables = ["# The types that object sets select. The entries are at the end."] if self._tables else []
        tables += [self._write_table(table) for table in self._tables]
        self.names.later = set(self._definitions)
        types: list[str] = []
        for definition in self._definitions:
            types.append(self._write_definition(definition))
            self.names.later.discard(definition)
        other = list(self._write_constants(simple=False))
        self._sections = [
            "\n".join([*simple, ""]),
            "\n".join([*tables, ""]),
            "\n" + "\n\n".join(types),
            "\n" + "\n".join([*other, ""]) if other else "",
        ]
        self._expressions.quotes = False
        self._entries = [line for table in self._tables for line in self._write_entries(table)]

    def text(self, header: str, first: list[str]) -> str:
        """Return the text of the module; `first` are the files that run before those that it imports at its bottom."""
        late = self._write_late_imports(first)
        entry_gap = [] if late or self._sections[-1] else [""]
        sections = [
            f'"""{escaped(header + other_names(self.modules))}"""\n\nfrom __future__ import annotations\n',
            self._write_imports(),
            "# Makes the import fast: derlib compiles each class below when it is first used.\n"
            "_COMPILE_AT_FIRST_USE = True\n",
            self._write_public_names(),
            *self._sections,
            "\n" + "\n".join([*late, ""]) if late else "",
            "\n".join([*entry_gap, *self._entries, ""]) if self._entries else "",
        ]
        return "\n".join(section for section in sections if section.strip())

    def _write_imports(self) -> str:
        lines: list[str] = []
        late_tables = self.names.late_table_lines()
        if late_tables:
            self._expressions.typing_names.add("TYPE_CHECKING")
        modules = self._expressions.modules
        lines += [f"import {module} as _{module}" for module in sorted(modules - {"derlib"})]
        if self._expressions.typing_names:
            lines.append(f"from typing import {', '.join(sorted(self._expressions.typing_names, key=_import_order))}")
        lines += [""] if lines else []
        lines += ["import derlib as _derlib"] if "derlib" in modules else []
        names = sorted(self._expressions.derlib_names, key=_import_order)
        if names:
            lines += from_lines("derlib", names)
        files = sorted(self.names.imported_files(after=False))
        if files:
            lines.append("")
            for file in files:
                lines += self.names.import_lines(file)
        return "\n".join([*lines, *late_tables, ""])

    def _write_late_imports(self, first: list[str]) -> list[str]:
        late = self.names.imported_files(after=True)
        if not late:
            return []
        lines = ["# These modules import names from this one: they come after these, in this order.", "# isort: off"]
        for file in self.names.package.files:
            if file in late:
                lines += self.names.import_lines(file, "  # noqa: E402")
            elif file in first:
                lines += file_import_lines(file, "  # noqa: E402")
        return lines

    def _write_public_names(self) -> str:
        return write_public_names(self.public_names())

    # Values and tables

    def _write_constants(self, *, simple: bool) -> Iterable[str]:
        for constant, name in self._constant_names.items():
            if _is_simple(constant) is simple:
                yield from fitted(f"{name} = {self._expressions.value(constant.value, constant.type)}")

    def _write_table(self, table: Table) -> str:
        line = f'{self.names.of(table)} = {self._expressions.need("OpenTypes")}("{table.name}")'
        return "\n".join(fitted(line))

    def _write_entries(self, table: Table) -> Iterable[str]:
        for key, label, resolved in table.entries:
            remark = f"  # {label}" if label else ""
            shown = key if isinstance(key, int) else f'"{key}"'
            register = f"{self.names.of(table)}.register({shown}, "
            yield from fitted(f"{register}{self._expressions.annotation(resolved)}){remark}")

    # Types

    def _write_definition(self, definition: Definition) -> str:
        name = self.names.of(definition)
        derived = self._derived(definition.type)
        if derived is not None:
            self.names.package.classes[definition] = Home(self.names.file, name)
            return "\n".join([*fitted(f"class {name}({', '.join(derived)}):"), self._texts.docstring(definition), ""])
        if not is_class(definition):
            self._expressions.typing_names.add("TypeAlias")
            alias = fitted(f"{name}: TypeAlias = {self._expressions.annotation(definition.type)}")
            return "\n".join([*self._texts.comment(definition), *alias, ""])
        base, keywords, extras = self._split(definition.type)
        class_name = self.names.namespace.class_name(f"{definition.name}-Base") if extras else name
        self.names.package.classes[definition] = Home(self.names.file, class_name)
        text = self._write_class(class_name, base, keywords, definition)
        if extras:
            self._expressions.typing_names.update({"Annotated", "TypeAlias"})
            alias = fitted(f"{name}: TypeAlias = Annotated[{', '.join([class_name, *extras])}]")
            text += "\n".join(["\n", *alias, ""])
        return text

    def _derived(self, resolved: ResolvedType) -> list[str] | None:
        """Return the base and the keywords of a class that is another class with a tag or a size; None for other types.

        An alias does not work: `Annotated[Base, tag].decode` is the method of Base, which does not know the tag.
        """
        base, wrappers = _unwrapped(resolved)
        if not wrappers or not isinstance(base, Reference) or self.names.is_later(base.definition):
            return None
        class_name = self.names.class_of(base.definition)
        if class_name != self.names.of(base.definition) or not _are_keywords(base, wrappers):
            return None
        if not _can_override(base, wrappers):
            return None
        return [class_name, *self._keywords(wrappers)]

    def _split(self, resolved: ResolvedType) -> tuple[ResolvedType, list[str], list[str]]:
        """Return the type of a class, and its tag and size: as keywords of the class, or else as annotations."""
        base, wrappers = _unwrapped(resolved)
        if _are_keywords(base, wrappers):
            return base, self._keywords(wrappers), []
        extras = [
            self._expressions.tag(wrapper) if isinstance(wrapper, Tagged) else self._constraint(wrapper)
            for wrapper in wrappers
        ]
        return base, [], extras

    def _keywords(self, wrappers: list[Tagged | Constrained]) -> list[str]:
        sizes = [f"size={self._constraint(size)}" for size in wrappers if isinstance(size, Constrained)]
        return [*sizes, *(f"tag={self._expressions.tag(tag)}" for tag in wrappers if isinstance(tag, Tagged))]

    def _constraint(self, constrained: Constrained) -> str:
        assert constrained.constraint is not None
        return self._expressions.constraint_of(constrained.constraint, constrained.inner)

    def _write_class(self, name: str, base: ResolvedType, keywords: list[str], definition: Definition) -> str:
        match base:
            case ListOf():
                parents, body = self._expressions.annotation(base), list[str]()
            case Structure():
                parents = self._expressions.need(_BASES[base.kind])
                if base.extensible:
                    marker = None if base.after_marker is None else component_name(base.after_marker, choice=False)
                    keywords = [f'extensible="{marker}"' if marker else "extensible=True", *keywords]
                body = list(self._write_components(base))
            case Numbered():
                parents = self._expressions.need(_NUMBERED_BASES[base.kind])
                keywords = ["extensible=True"] if base.extensible else []
                shift = "1 << " if base.kind == "BIT STRING" else ""
                body = [f"    {item_name(item)} = {shift}{number}" for item, number in base.named.items()]
            case _:
                raise AssertionError("only these types are classes")
        lines = [*fitted(f"class {name}({', '.join([parents, *keywords])}):"), self._texts.docstring(definition)]
        if body:
            lines += ["", *body]
        return "\n".join([*lines, ""])

    def _write_components(self, owner: Structure) -> Iterator[str]:
        for component in owner.components:
            yield from self._write_component(component, owner)
            self._expressions.hidden.add(component_name(component.name, choice=owner.kind == "CHOICE"))
        self._expressions.hidden.clear()

    def _write_component(self, component: ResolvedComponent, owner: Structure) -> list[str]:
        name = component_name(component.name, choice=owner.kind == "CHOICE")
        extras = [f"{self._expressions.need('Addition')}()"] if component.addition else []
        self._expressions.quotes = False
        annotation = self._expressions.annotation(component.type, *extras)
        self._expressions.quotes = True
        default = ""
        if component.default is not None:
            default = f" = {self._default(component.default, component)}"
        elif component.optional or (component.addition and owner.kind != "CHOICE"):
            default = " = None"
            annotation = f"{annotation} | None"
        remark = _remark(component.type)
        return [*([f"    # {remark}"] if remark else []), *fitted(f"    {name}: {annotation}{default}")]

    def _default(self, value: ResolvedValue, component: ResolvedComponent) -> str:
        """Return a default; as plain data if a class that it needs is not defined yet.

        Raises:
            CompileError: an open type in it has a value of such a class, which has no plain data.
        """
        if self._readiness.can_create(value, component.type):
            return self._expressions.value(value, component.type)
        if not self._readiness.can_create_plain(value, component.type):
            message = f"the default of {component.name} has an open type with a value whose type is recursive"
            raise CompileError([Diagnostic("error", f"{message}: this is not supported", component.at)])
        return self._expressions.unchecked(self._expressions.plain(value, component.type))


def write_public_names(names: list[str]) -> str:
    """Return the assignment of ``__all__``."""
    return "\n".join(["__all__ = [", *(f'    "{name}",' for name in sorted(names)), "]", ""])


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


def _unwrapped(resolved: ResolvedType) -> tuple[ResolvedType, list[Tagged | Constrained]]:
    """Return a type without its tags and constraints, and those that have an effect, the innermost first."""
    wrappers: list[Tagged | Constrained] = []
    while isinstance(resolved, (Tagged, Constrained)):
        if isinstance(resolved, Tagged) or resolved.constraint is not None:
            wrappers.append(resolved)
        resolved = resolved.inner
    return resolved, wrappers[::-1]


def _can_override(base: ResolvedType, wrappers: list[Tagged | Constrained]) -> bool:
    """Return whether a derived class can have these tags and sizes as keywords, which replace those of its base.

    This is correct if the base has none, or if an IMPLICIT tag replaces another one. Otherwise both must apply.
    """
    inner = list(islice(wrappers_of(base), _MOST_WRAPPERS))
    if len(inner) == _MOST_WRAPPERS:
        return False
    tags = [wrapper for wrapper in inner if isinstance(wrapper, Tagged)]
    for wrapper in wrappers:
        if isinstance(wrapper, Constrained) and len(tags) < len(inner):
            return False
        if isinstance(wrapper, Tagged) and tags and (wrapper.explicit or any(tag.explicit for tag in tags)):
            return False
    return True


def _are_keywords(base: ResolvedType, wrappers: list[Tagged | Constrained]) -> bool:
    """Return whether a class for `base` can have the tags and constraints as keywords: one tag, and the size of a list.

    An enumeration has none: Python does not derive from it.
    """
    sizes = [wrapper.constraint for wrapper in wrappers if isinstance(wrapper, Constrained)]
    base = without_references(base)
    fits = not sizes or (isinstance(base, ListOf) and len(sizes) == 1 and isinstance(sizes[0], Bounds))
    return fits and len(wrappers) - len(sizes) <= 1 and not isinstance(base, Numbered)


def _is_simple(constant: Constant) -> bool:
    return isinstance(constant.value, OIDValue) or type(constant.value) in (bool, int, str, bytes)
