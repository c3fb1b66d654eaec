"""Imports the compiler's output without writing it to files. `load` and `derlib dump --schema` use this."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


def import_package(name: str, files: dict[str, str]) -> ModuleType:
    """Import a package from the texts of its files; if it has one file besides `__init__.py`, return its module."""
    finder = _Finder(name, files)
    sys.meta_path.append(finder)
    try:
        package = importlib.import_module(name)
    except BaseException:
        for known in [known for known in sys.modules if finder.owns(known)]:
            del sys.modules[known]
        raise
    finally:
        sys.meta_path.remove(finder)
    if len(files) == 2:
        # Schema classes look up the names in their annotations in sys.modules, under the name of the submodule.
        [file] = files.keys() - {"__init__.py"}
        package = sys.modules[name] = sys.modules[f"{name}.{file.removesuffix('.py')}"]
    return package


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the modules of one package, and has their source: tracebacks and `inspect` show it."""

    def __init__(self, name: str, files: dict[str, str]) -> None:
        self._name = name
        self._files = files

    def owns(self, fullname: str) -> bool:
        """Return whether a module is part of the package."""
        return fullname == self._name or fullname.startswith(f"{self._name}.")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import a module of the package."""
        return importlib.util.spec_from_loader(fullname, self) if self.owns(fullname) else None

    def is_package(self, fullname: str) -> bool:
        """Return whether a module is the package itself."""
        return fullname == self._name

    def get_source(self, fullname: str) -> str:
        """Return the text of a module."""
        return self._files[f"{fullname.rpartition('.')[2] if fullname != self._name else '__init__'}.py"]
