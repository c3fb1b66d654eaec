"""Writes a Python package for several ASN.1 modules: a file for each, and `__init__.py`.

Modules can refer to each other in cycles. A file imports from the files before it at its top. If the types of a file
refer to one after it, the import is at the bottom of the file: annotations of classes are evaluated when the class is
first used. `__init__.py` imports the files in their order, so that a file always finds what it imports at its top.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable

from derlib.asn1.backend.graph import module_groups
from derlib.asn1.backend.names import Namespace, snake_case
from derlib.asn1.backend.references import PackageNames, import_lines
from derlib.asn1.backend.texts import escaped
from derlib.asn1.backend.writer import FileWriter, own_first, write_public_names
from derlib.asn1.semantics.model import Definition, ResolvedModule, Table

_ORDER = "# The order matters: modules can import from each other."
Header = Callable[[list[ResolvedModule]], str]


def write_package(modules: list[ResolvedModule], header: Header) -> dict[str, str]:
    """Return the text of each file of a package, by the name of the file; `header` returns its docstring."""
    namespace = Namespace()
    file_of = file_names(modules, namespace)
    groups, imports = module_groups(modules)
    package = PackageNames([_file_of_group(group, file_of, namespace) for group in groups], imports)
    writers = [FileWriter(group, package, file) for group, file in zip(groups, package.files, strict=True)]
    for writer in writers:
        writer.write_body()
    needs = _needs(writers)
    texts: dict[str, str] = {"__init__": _init(groups, file_of, header(modules))}
    for group, writer in zip(groups, writers, strict=True):
        file = writer.names.file
        late = writer.names.imported_files(after=True)
        first = {needed for other in late for needed in needs[other]} - needs[file] - {file}
        texts[file] = writer.text(header(group), sorted(first))
        if len(group) > 1:
            texts |= {file_of[module]: _reexport(module, writer, header([module])) for module in group}
    return {f"{file}.py": texts[file] for file in sorted(texts)}


def file_names(modules: list[ResolvedModule], namespace: Namespace) -> dict[ResolvedModule, str]:
    """Return the name of the file of each module, without its suffix."""
    names: dict[ResolvedModule, str] = {}
    for module in modules:
        name = snake_case(module.module.name)
        names[module] = namespace.unique(f"{name}_" if keyword.iskeyword(name) else name)
    return names


def _file_of_group(group: list[ResolvedModule], file_of: dict[ResolvedModule, str], namespace: Namespace) -> str:
    """Return the file with the definitions of a group; the file of each of its modules imports them from there."""
    name = file_of[group[0]]
    return name if len(group) == 1 else namespace.unique(f"{name}_and_others")


def _needs(writers: list[FileWriter]) -> dict[str, set[str]]:
    """Return the files that run before each file."""
    needs: dict[str, set[str]] = {}
    for writer in writers:
        found = needs[writer.names.file] = set[str]()
        for file in writer.names.imported_files(after=False):
            found |= {file, *needs[file]}
    return needs


def _init(groups: list[list[ResolvedModule]], file_of: dict[ResolvedModule, str], docstring: str) -> str:
    """Return `__init__.py`: it imports all files, each after those whose names it needs at import time."""
    files = [file_of[module] for group in groups for module in group]
    lines = [f'"""{escaped(docstring)}"""', "", _ORDER, "# isort: off"]
    lines += [f"from . import {file}" for file in files]
    return "\n".join([*lines, "", write_public_names(files)])


def _reexport(module: ResolvedModule, writer: FileWriter, header: str) -> str:
    """Return a file for a module whose definitions are in the file of a group."""
    file, homes = writer.names.file, writer.names.package.homes
    namespace = Namespace()
    items: list[Definition | Table] = [*own_first(module), *module.tables]
    names = {homes[item].name: namespace.class_name(item.name) for item in items}
    names |= {writer.constant_name(constant): namespace.constant_name(constant.name) for constant in module.constants}
    lines = [f'"""{escaped(header)}"""', ""]
    if names:
        lines += [*import_lines(file, names), ""]
    return "\n".join([*lines, write_public_names(list(names.values()))])
