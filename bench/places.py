"""Where the suite keeps its files: under build/ of the checkout that it is part of, wherever it is called from.

Imports nothing of the suite, since every worker reads it.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
INPUTS = BUILD / "inputs"
RESULTS = BUILD / "results"
QUICK = BUILD / "quick"
PAGE = BUILD / "report.html"
FIGURES = ROOT / "docs" / "figures"


def write(path: Path, octets: bytes) -> None:
    """Write a file as a whole: whoever reads it at the same time, or is stopped meanwhile, never sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    unfinished.write_bytes(octets)
    unfinished.replace(path)


def shown(path: Path) -> str:
    """A path for people: as seen from the working directory, if it is below that."""
    whole, here = path.resolve(), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)
