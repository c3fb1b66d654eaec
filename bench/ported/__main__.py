"""Run each program and its port, compare their outputs, and measure both: `python -m bench.ported [--runs N]`.

A figure is the median of whole processes: the start of Python, the imports, reading the file and writing the result.
"""

from __future__ import annotations

import argparse
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from bench.harness.bytecode import with_bytecode
from bench.harness.words import amount, times
from bench.paths import BUILD, ROOT, write
from bench.ported.inputs import PROGRAMS, Program

FOLDERS = ("bench/ported/before", "examples")
PAGE = ROOT / "docs" / "ported.md"
BLOCK = re.compile(r"(<!-- figures-of-ports -->\n).*?(<!-- end -->)", re.DOTALL)


def run(program: Program, folder: str, data: Path) -> tuple[str, int, float, int]:
    """Run a program of examples/ or bench/ported/before/.

    Return its output, its exit status, its time in nanoseconds and the peak of its memory in bytes.
    """
    with tempfile.TemporaryDirectory() as place:
        peak = Path(place) / "peak"
        file = str(ROOT / folder / f"{program.name}.py")
        arguments = [sys.executable, "-m", "bench.ported.measure", str(peak), file, *program.options, str(data)]
        environment = with_bytecode()
        begin = time.perf_counter_ns()
        done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
        took = time.perf_counter_ns() - begin
        if done.stderr:
            raise SystemExit(f"{program.name}: {done.stderr}")
        return done.stdout, done.returncode, took, int(peak.read_text(encoding="utf-8"))


def outputs(program: Program, data: Path) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the output and the exit status of the program before, and of the port."""
    before, after = (run(program, folder, data)[:2] for folder in FOLDERS)
    return before, after


def measured(program: Program, data: Path, runs: int) -> str:
    """Return a row of the table.

    Raises:
        SystemExit: the programs do not write the same.
    """
    before, after = outputs(program, data)
    if before != after or not before[0]:
        raise SystemExit(f"{program.name}: the outputs differ")
    sides: list[list[tuple[float, int]]] = [[], []]
    for _ in range(runs):
        for side, folder in zip(sides, FOLDERS, strict=True):
            side.append(run(program, folder, data)[2:])
    cells = []
    for kind, unit, at in (("time", "ns", 0), ("memory", "bytes", 1)):
        old, new = (statistics.median(one[at] for one in side) for side in sides)
        cells += [amount(old, unit), f"{amount(new, unit)} ({times(old, new, kind)})"]
    link = f"[{program.title}](../examples/{program.name}.py)"
    return f"| {link} | {program.peer} | {' | '.join(cells)} |"


def main() -> None:
    """Measure all programs, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    rows = [
        "| program | before | time | time with derlib | memory | memory with derlib |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for program in PROGRAMS:
        data = BUILD / "ported" / f"{program.name}.input"
        if not data.exists():
            write(data, program.make(program.count))
        rows.append(measured(program, data, runs))
        print(rows[-1], flush=True)
    peers = ", ".join(f"{name} {version(name)}" for name in ("asn1crypto", "cryptography"))
    words = f"Medians of {runs} runs of whole processes: CPython {platform.python_version()}, {peers}."
    text = "\n".join([*rows, "", words, ""])
    page = BLOCK.sub(lambda found: found[1] + text + found[2], PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
