"""Lines of code of a peer's module, between marks. Called by bench/families/packets/codec.py.

What counts as defining the format stands between `# begin: definition` and `# end`, what codes with it between
`# begin: coding` and `# end`. Blank lines, comments and docstrings are left out, and so are imports, which stand
outside of the marks. ASN.1 within a text counts like Python.
"""

import ast
from pathlib import Path


def docstrings(text: str) -> set[int]:
    """The numbers of the lines of all docstrings."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def count(module: str, what: str) -> int:
    """How many lines a module has for this.

    Raises:
        ValueError: no line is marked for it, or a mark has no end.
    """
    text = Path(module).read_text(encoding="utf-8")
    left_out = docstrings(text)
    lines, within, marked = 0, False, False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped == f"# begin: {what}":
            within = marked = True
        elif stripped == "# end":
            within = False
        elif within and stripped and not stripped.startswith("#") and number not in left_out:
            lines += 1
    if not marked or within:
        raise ValueError(f"{module} has no lines marked as {what}, or no end of them")
    return lines
