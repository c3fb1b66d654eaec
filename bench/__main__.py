"""The benchmark: `python -m bench [FAMILY...]`, or `list`, `compare`, `instructions` or `report`."""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bench import families
from bench.harness import instructions
from bench.harness.callgrind import NoValgrind
from bench.harness.compare import compare
from bench.harness.console import Occupied, errors, lines, locked
from bench.harness.machine import conditions
from bench.harness.results import Results
from bench.harness.run import Settings, progress, run_family, versions
from bench.pages.report import write
from bench.paths import QUICK, REPORT, RESULTS, display


def run_main(arguments: list[str]) -> int:
    """Measure families; return 1 if a side returns something else than the others, or if derlib has no figure."""
    parser = argparse.ArgumentParser(
        "python -m bench",
        description="compare derlib with other libraries, each in its own process",
        epilog="in place of a family: list | compare OLD NEW | instructions | report; each has its own --help",
    )
    known = families.names()
    parser.add_argument("family", nargs="*", help=f"one or more of {', '.join(known)}; all, if none is given")
    parser.add_argument("--quick", action="store_true", help="use small inputs and few runs, as a check")
    folders = f"where to store the results (default: {display(RESULTS)}, or {display(QUICK)} for a quick run)"
    parser.add_argument("--out", type=Path, help=folders)
    options = parser.parse_args(arguments)
    unknown = [name for name in options.family if name not in known]
    if unknown:
        parser.error(f"unknown family: {', '.join(unknown)}; the families are {', '.join(known)}")
    out: Path = options.out or (QUICK if options.quick else RESULTS)
    # A folder that cannot be created is reported now, not after minutes of measuring.
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(out))
        except Occupied as error:
            parser.error(str(error))
        except OSError as error:
            parser.error(f"cannot store results in {display(out)}: {error.strerror}")
        return measure(options.family or known, out, Settings.of(options.quick))


def measure(chosen: list[str], out: Path, settings: Settings) -> int:
    """Measure these families one after the other, and store their results."""
    found: list[str] = []
    for name in chosen:
        progress(f"{name}:")
        family = families.load(name)
        start = time.monotonic()
        described = conditions(quick=settings.quick)
        peers = versions(family)
        measured = run_family(family, settings)
        described["seconds"] = round(time.monotonic() - start)
        results = Results(name, described, peers, measured)
        print("\n".join(lines(family, results)))
        print(f"\nstored in {display(results.store(out))}, after {described['seconds']} s")
        found += errors(results)
    for each in found:
        progress(each)
    return 1 if found else 0


def list_main(arguments: list[str]) -> int:
    """List the families with their libraries and cases."""
    argparse.ArgumentParser("python -m bench list", description="list the families").parse_args(arguments)
    for name in families.names():
        family = families.load(name)
        print(f"{name}: {family.what}")
        print(f"    libraries: {', '.join(family.peers)}; {len(family.cases)} cases, {len(family.growths)} growths")
    return 0


def compare_main(arguments: list[str]) -> int:
    """Compare two runs."""
    parser = argparse.ArgumentParser("python -m bench compare", description="show what changed between two runs")
    parser.add_argument("old", type=Path, help="a folder of results, or one file")
    parser.add_argument("new", type=Path)
    parser.add_argument("--percent", type=float, default=5, help="ignore smaller changes (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        return compare(options.old, options.new, options.percent)
    except (OSError, ValueError) as error:
        parser.error(str(error))


def instructions_main(arguments: list[str]) -> int:
    """Count instructions, and compare them with the stored counts."""
    parser = argparse.ArgumentParser(
        "python -m bench instructions", description="count the instructions of derlib's operations with valgrind"
    )
    parser.add_argument("--write", action="store_true", help="store the counts instead of comparing them")
    parser.add_argument("--file", type=Path, default=instructions.STORED, help="stored counts (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        return instructions.main([families.load(name) for name in families.names()], options.file, options.write)
    except NoValgrind as error:
        progress(f"nothing is counted: {error}")
        return 2


def report_main(arguments: list[str]) -> int:
    """Write one page with all results."""
    parser = argparse.ArgumentParser("python -m bench report", description="write one HTML page with all results")
    folder = f"the folder of the results (default: {display(RESULTS)})"
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS, help=folder)
    parser.add_argument("--out", type=Path, default=REPORT, help=f"the page to write (default: {display(REPORT)})")
    options = parser.parse_args(arguments)
    try:
        print(f"written: {display(write(options.results, options.out))}")
    except ImportError as error:
        parser.error(f"{error}: `make report` installs the library that draws the charts")
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "list": list_main,
    "compare": compare_main,
    "instructions": instructions_main,
    "report": report_main,
}


def main() -> int:
    """Run the given command; without one, measure."""
    command = COMMANDS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    try:
        return command(sys.argv[2:]) if command else run_main(sys.argv[1:])
    except KeyboardInterrupt:
        progress("interrupted; results stored so far are kept")
        return 130


if __name__ == "__main__":
    sys.exit(main())
