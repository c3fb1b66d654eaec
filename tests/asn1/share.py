"""Report how many files of a folder the compiler reads: PYTHONPATH=tests python -m asn1.share FOLDER."""

import sys
from pathlib import Path

from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax.modules import parse_modules

SUFFIXES = frozenset({".asn", ".asn1", ".mib"})


def first_error(path: Path) -> str:
    """Return the first syntax error of a file; empty if it has none."""
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    diagnostics = Diagnostics()
    parse_modules(Source(str(path), text), diagnostics)
    return str(next(iter(diagnostics.errors), ""))


def main(folder: str) -> None:
    """Print the errors and the share of the files without one."""
    paths = sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    found = list(filter(None, map(first_error, paths)))
    print(*found, sep="\n\n")
    print(f"{len(paths) - len(found)} of {len(paths)} files have no syntax errors")


if __name__ == "__main__":
    main(sys.argv[1])
