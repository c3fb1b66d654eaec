"""The names of definitions and tables: which file of a package defines them, and how the other files import them."""

from __future__ import annotations

from typing import NamedTuple

from derlib.asn1.backend.imports import Imports
from derlib.asn1.backend.layout import WIDTH
from derlib.asn1.backend.names import Namespace
from derlib.asn1.semantics.model import Definition, Table


class Home(NamedTuple):
    """The file that defines a name."""

    file: str
    name: str


class PackageNames:
    """The names of a package. `files` are in the order in which Python imports them."""

    def __init__(self, files: list[str], imports: Imports) -> None:
        self.files = files
        self.imports = imports
        self.places = {file: place for place, file in enumerate(files)}
        self.homes: dict[Definition | Table, Home] = {}
        # The class of a definition that is an alias: a class with tags or constraints.
        self.classes: dict[Definition, Home] = {}


class FileNames:
    """The names that one file uses. It imports those of other files when they are first used.

    A file imports from the files before it at its top, and from those after it at its bottom, when the names that these
    import from it exist. So an expression that runs earlier quotes such a name: `is_later` shows that. `later` has the
    definitions of the file itself that are not written yet.
    """

    def __init__(self, package: PackageNames, file: str, namespace: Namespace) -> None:
        self.package = package
        self.file = file
        self.namespace = namespace
        self.later: set[Definition] = set()
        self._imports: dict[str, dict[str, str]] = {}
        self._late_tables: dict[str, dict[str, str]] = {}

    def of(self, item: Definition | Table) -> str:
        """Return the name of a definition or a table."""
        home = self.package.homes[item]
        name = self._local(home)
        if isinstance(item, Table) and self._is_after(home.file):
            self._late_tables.setdefault(home.file, {})[home.name] = name
        return name

    def class_of(self, definition: Definition) -> str:
        """Return the name of the class of a definition; empty if it is not a class, or not written yet."""
        home = self.package.classes.get(definition)
        return self._local(home) if home else ""

    def is_later(self, item: Definition | Table) -> bool:
        """Return whether the name of a definition or a table is not defined yet."""
        return item in self.later or self._is_after(self.package.homes[item].file)

    def is_defined_for(self, definition: Definition, item: Definition | Table) -> bool:
        """Return whether the file of a definition already has the name of an item that the definition names."""
        places = self.package.places
        file, name_of = (places[self.package.homes[one].file] for one in (definition, item))
        return not self.is_later(item) and not self.package.imports.is_missing(name_of, file, places[self.file])

    def _is_after(self, file: str) -> bool:
        return self.package.places[file] > self.package.places[self.file]

    def _local(self, home: Home) -> str:
        if home.file == self.file:
            return home.name
        imported = self._imports.setdefault(home.file, {})
        if home.name not in imported:
            imported[home.name] = self.namespace.unique(home.name)
        return imported[home.name]

    def imported_files(self, *, after: bool) -> list[str]:
        """Return the files that this one imports at its top, or those that it imports at its bottom."""
        return [file for file in self.package.files if file in self._imports and self._is_after(file) is after]

    def late_table_lines(self) -> list[str]:
        """Return imports, for type checkers, of the tables that are imported at the bottom.

        They know that annotations can name types that are defined later, but not that this is so for tables.
        """
        lines = [line for file in sorted(self._late_tables) for line in import_lines(file, self._late_tables[file])]
        return ["", "if TYPE_CHECKING:", *(f"    {line}" for line in lines)] if lines else []

    def import_lines(self, file: str, suffix: str = "") -> list[str]:
        """Return the statement that imports names of another file; nothing if none is used."""
        return import_lines(file, self._imports[file], suffix)


def import_lines(file: str, names: dict[str, str], suffix: str = "") -> list[str]:
    """Return the statement that imports names; `names` are those in the file, and those that they get."""
    parts = [name if name == local else f"{name} as {local}" for name, local in sorted(names.items())]
    return from_lines(f".{file}", parts, suffix)


def file_import_lines(file: str, suffix: str) -> list[str]:
    """Return the statement that imports a file, of which no name is used."""
    return from_lines(".", [f"{file} as {file}"], suffix)


def from_lines(module: str, parts: list[str], suffix: str = "") -> list[str]:
    """Return a statement that imports names from a module, on one line if it fits."""
    line = f"from {module} import {', '.join(parts)}{suffix}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import ({suffix}", *(f"    {part}," for part in parts), ")"]
