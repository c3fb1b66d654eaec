"""The modules of derlib import one another without cycles, also inside functions. The core counts as one module."""

import ast
from pathlib import Path

import derlib

PACKAGE = Path(derlib.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


def imports(path: Path) -> set[str]:
    """Return the modules of derlib that a module imports, except those that it imports for type checkers only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    ignored = {node for block in blocks for statement in block.body for node in ast.walk(statement)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if node not in ignored}
        elif isinstance(node, ast.ImportFrom) and node not in ignored:
            names = (f"{node.module}.{name.name}" for name in node.names)
            found |= {name if name in MODULES else str(node.module) for name in names}
    # `import derlib` is allowed anywhere: it only needs the package to be in sys.modules.
    return found & MODULES.keys() - {"derlib"}


def test_modules_import_one_another_without_cycles() -> None:
    left = {name: imports(path) for name, path in MODULES.items()}
    assert len(left) > 50
    while done := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in done:
            del left[name]
    assert not left, f"these modules, and those that import them, are in a cycle: {sorted(left)}"
