"""Measure how long ASN.1 modules take to compile: python -m bench.compile_asn1 FILE... [--runs 5]

The FILEs have all modules that they import from, for example those of RFC 5912. Each run compiles them once with
derlib, to the text of a Python package, and once with pycrate if that is installed, to its objects in memory: pycrate's
writer of Python would add to that. The figures are the median, the fastest and the slowest run of each; the runs of the
two take turns.
"""

import argparse
import contextlib
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from derlib import asn1


def main() -> int:
    parser = argparse.ArgumentParser("python -m bench.compile_asn1", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a file with ASN.1 modules")
    parser.add_argument("--runs", type=int, default=5, help="how often each side compiles them, 5 by default")
    options = parser.parse_args()
    texts = [path.read_text() for path in options.files]
    sides = {"derlib": with_derlib(texts), "pycrate": with_pycrate(texts)}
    installed = {name: side for name, side in sides.items() if side}
    times: dict[str, list[float]] = {name: [] for name in installed}
    for _ in range(options.runs):
        for name, side in installed.items():
            times[name].append(1000 * seconds(side))
    for name in sides:
        print(f"{name:8} " + (figures(times[name], times["derlib"]) if name in times else "is not installed"))
    return 0


def figures(milliseconds: list[float], derlib: list[float]) -> str:
    """Return the median of the times, their range, and the ratio to derlib's median."""
    middle = median(milliseconds)
    spread = f"{min(milliseconds):.0f} to {max(milliseconds):.0f}"
    return f"{middle:.0f} ms ({spread}), {middle / median(derlib):.1f}×"


def with_derlib(texts: list[str]) -> Callable[[], object]:
    """Return a function that compiles the texts, which must have modules."""
    sources = [asn1.Source(f"text {number}", text) for number, text in enumerate(texts, 1)]
    files, _ = asn1.compile_package(sources)
    assert len(files) > 1
    return lambda: asn1.compile_package([asn1.Source(source.name, source.text) for source in sources])


def with_pycrate(texts: list[str]) -> Callable[[], object] | None:
    """Return a function that compiles the texts with pycrate, or None if it is not installed."""
    try:
        from pycrate_asn1c.asnproc import GLOBAL, compile_text
    except ImportError:
        return None

    def run() -> None:
        GLOBAL.clear()
        # It prints a line for each warning.
        with contextlib.redirect_stdout(io.StringIO()):
            compile_text(texts)

    run()
    assert GLOBAL.MOD
    return run


def seconds(side: Callable[[], object]) -> float:
    """Return how long one call takes."""
    begin = time.perf_counter()
    side()
    return time.perf_counter() - begin


if __name__ == "__main__":
    sys.exit(main())
