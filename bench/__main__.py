"""The benchmark: `python -m bench [FAMILY...]`; in place of a family `list`, `compare`, `instructions` or `report`."""

import argparse
import importlib
import pkgutil
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bench import families
from bench.harness import instructions
from bench.harness.callgrind import NoValgrind
from bench.harness.circumstances import circumstances
from bench.harness.compare import compare
from bench.harness.declare import Family
from bench.harness.report import Occupied, alone, differences, failures, lines, store
from bench.harness.run import Settings, run_family, say
from bench.pages.report import write
from bench.places import PAGE, QUICK, RESULTS, shown


def names() -> list[str]:
    """All families there are."""
    return sorted(module.name for module in pkgutil.iter_modules(families.__path__))


def family_called(name: str) -> Family:
    """A family by its name."""
    family: Family = importlib.import_module(f"bench.families.{name}").FAMILY
    return family


def run_main(arguments: list[str]) -> int:
    """Measure families; 1 if sides that claim equal work do not do it, or if derlib failed at something."""
    parser = argparse.ArgumentParser(
        "python -m bench",
        description="derlib beside its peers, each in a process of its own",
        epilog="in place of a family: list | compare OLD NEW | instructions | report; each has its own --help",
    )
    parser.add_argument("family", nargs="*", help=f"which families: {', '.join(names())}; all, if none is named")
    parser.add_argument("--quick", action="store_true", help="small inputs and few runs: does everything still work?")
    where = f"the folder for the results, {shown(RESULTS)}, of a quick run {shown(QUICK)}"
    parser.add_argument("--out", type=Path, help=where)
    options = parser.parse_args(arguments)
    unknown = [name for name in options.family if name not in names()]
    if unknown:
        parser.error(f"no family is called {', '.join(unknown)}; there are {', '.join(names())}")
    out: Path = options.out or (QUICK if options.quick else RESULTS)
    # A folder that cannot be made is told now, not after half an hour of measuring.
    with ExitStack() as stack:
        try:
            stack.enter_context(alone(out))
        except Occupied as error:
            parser.error(str(error))
        except OSError as error:
            parser.error(f"no results can be stored in {shown(out)}: {error.strerror}")
        return measure(options.family or names(), out, Settings.of(options.quick))


def measure(chosen: list[str], out: Path, settings: Settings) -> int:
    """Measure these families one after the other; 1 if sides differ, or if derlib itself failed."""
    wrong: list[str] = []
    for name in chosen:
        say(f"{name}:")
        start = time.monotonic()
        surroundings = circumstances(settings)
        stored = {"circumstances": surroundings, **run_family(family_called(name), settings)}
        surroundings["seconds"] = round(time.monotonic() - start)
        print("\n".join(lines(stored)))
        print(f"\nstored in {shown(store(out, stored))}, after {surroundings['seconds']} s")
        wrong += [f"NOT EQUAL: {each}" for each in differences(stored)]
        wrong += [f"DERLIB FAILED: {each}" for each in failures(stored)]
    for each in wrong:
        say(each)
    return 1 if wrong else 0


def list_main(arguments: list[str]) -> int:
    """Say what families there are, with their peers and the number of their cases."""
    argparse.ArgumentParser("python -m bench list", description="the families").parse_args(arguments)
    for name in names():
        family = family_called(name)
        print(f"{name}: {family.what}")
        print(f"    peers: {', '.join(family.peers)}; {len(family.cases)} cases, {len(family.scalings)} of growth")
    return 0


def compare_main(arguments: list[str]) -> int:
    """Compare two runs."""
    parser = argparse.ArgumentParser("python -m bench compare", description="what moved between two runs")
    parser.add_argument("old", type=Path, help="a folder of results, or one file")
    parser.add_argument("new", type=Path)
    parser.add_argument("--percent", type=float, default=5, help="what moved less does not count, %(default)s")
    options = parser.parse_args(arguments)
    try:
        return compare(options.old, options.new, options.percent)
    except (OSError, ValueError) as error:
        parser.error(str(error))


def instructions_main(arguments: list[str]) -> int:
    """Count instructions, and compare them with the stored ones."""
    parser = argparse.ArgumentParser("python -m bench instructions", description="derlib's instructions, by valgrind")
    parser.add_argument("--write", action="store_true", help="store the counts instead of comparing them")
    parser.add_argument("--file", type=Path, default=instructions.STORED, help="where they are stored, %(default)s")
    options = parser.parse_args(arguments)
    try:
        return instructions.main([family_called(name) for name in names()], options.file, options.write)
    except NoValgrind as error:
        say(f"nothing is counted: {error}")
        return 2


def report_main(arguments: list[str]) -> int:
    """Make one page of all results."""
    parser = argparse.ArgumentParser("python -m bench report", description="one HTML page of all results, with charts")
    parser.add_argument("results", type=Path, nargs="?", default=RESULTS, help=f"a folder of results, {shown(RESULTS)}")
    parser.add_argument("--out", type=Path, default=PAGE, help=f"the page, {shown(PAGE)}")
    options = parser.parse_args(arguments)
    try:
        print(f"written: {shown(write(options.results, options.out, names()))}")
    except ImportError as error:
        parser.error(f"{error}: `make report` installs what draws the charts")
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
    """Run the command that was asked for; without one, the families."""
    command = COMMANDS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    try:
        return command(sys.argv[2:]) if command else run_main(sys.argv[1:])
    except KeyboardInterrupt:
        say("interrupted; what was stored stays as it is")
        return 130


if __name__ == "__main__":
    sys.exit(main())
