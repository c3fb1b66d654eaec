"""The modules of the command line use only the layers below their own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import derlib

CLI = Path(derlib.__file__).parent / "cli"

#: From top to bottom: a module imports only from lower layers and from its own folder.
LAYERS = ["__init__", "app", "commands", "serial_option", "options", "rendering", "documents", "deviations", "output"]


def layer_of(name: str) -> int:
    return LAYERS.index(name.split(".")[0])


def imported(file: Path) -> set[str]:
    """Return the modules of derlib.cli that a module imports, as `folder.module`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("derlib.cli"):
            base = node.module.removeprefix("derlib.cli").lstrip(".")
            modules = [f"{base}.{one.name}" if (CLI / base / f"{one.name}.py").exists() else base for one in node.names]
            names.update(module.lstrip(".") for module in modules)
    return names


MODULES = {
    file.relative_to(CLI).with_suffix("").as_posix().replace("/", "."): imported(file) for file in CLI.rglob("*.py")
}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_lower_layers(module: str) -> None:
    layer = layer_of(module)
    for other in MODULES[module]:
        same_folder = "." in module and other.split(".")[0] == module.split(".")[0]
        assert same_folder or layer_of(other) > layer, (module, other)


def test_there_is_no_import_cycle() -> None:
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, (*above, module)
        if module not in done:
            for other in MODULES.get(module, ()):
                visit(other, (*above, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())
