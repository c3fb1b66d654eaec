"""The folders of the benchmark, all under build/ of this checkout. Imports nothing, because every worker imports it."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
INPUTS = BUILD / "inputs"
RESULTS = BUILD / "results"
QUICK = BUILD / "quick"
REPORT = BUILD / "report.html"
FIGURES = ROOT / "docs" / "figures"


def write(path: Path, data: bytes) -> None:
    """Write a whole file in one step, so that no reader and no interrupted run ever sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    unfinished.write_bytes(data)
    unfinished.replace(path)


def display(path: Path) -> str:
    """Return the path relative to the working directory if it is inside it."""
    absolute, here = path.resolve(), Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)
