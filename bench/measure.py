"""Time things against each other in one process, in turn. Called by the bench scripts.

The garbage collector is emptied before and switched off during each run. What a run returns is
destroyed after its time was taken.
"""

import gc
import os
import platform
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter_ns

from bench.make_crl import CACERT_ENTRIES


@dataclass(frozen=True)
class Plan:
    """How much of everything is done."""

    entries: int = CACERT_ENTRIES
    runs: int = 31
    slow_runs: int = 9
    # asn1crypto takes seconds to encode a CRL.
    slowest_runs: int = 5
    large: int = 100 * 2**20
    small: int = 2**20
    streamed: int = 10_000_000


QUICK = Plan(entries=20_000, runs=5, slow_runs=3, slowest_runs=3, large=8 * 2**20, streamed=200_000)


@dataclass(frozen=True)
class Figures:
    """What repeated measurements of one thing gave, in one unit."""

    samples: tuple[float, ...]
    unit: str = "ms"

    @property
    def median(self) -> float:
        """The middle one of the samples."""
        return statistics.median(self.samples)

    def per(self, count: float, unit: str) -> "Figures":
        """The same measurements divided by a count, in a new unit."""
        return Figures(tuple(sample / count for sample in self.samples), unit)

    def __str__(self) -> str:
        return f"{self.median:.3g} {self.unit} ({min(self.samples):.3g} to {max(self.samples):.3g})"


@dataclass(frozen=True)
class Work:
    """Something to time; `loops` repetitions make one run long enough for the clock."""

    call: Callable[[], object]
    loops: int = 1

    def run(self) -> float:
        """Do it once and return the milliseconds of one repetition."""
        call = self.call
        gc.collect()
        gc.disable()
        try:
            start = perf_counter_ns()
            for _ in range(self.loops):
                result = call()
            stop = perf_counter_ns()
        finally:
            gc.enable()
        del result
        return (stop - start) / self.loops / 1e6


def interleave(works: Mapping[str, Work], runs: int) -> dict[str, Figures]:
    """Time all works in turn, so that what slows the machine for a while slows each of them.

    The first round is not counted: it fills caches and compiles plans.
    """
    samples: dict[str, list[float]] = {name: [] for name in works}
    for counted in range(-1, runs):
        for name, work in works.items():
            time = work.run()
            if counted >= 0:
                samples[name].append(time)
    return {name: Figures(tuple(times)) for name, times in samples.items()}


def versus(ours: Work, theirs: Work, runs: int) -> tuple[Figures, Figures]:
    """Time two works in turn."""
    figures = interleave({"ours": ours, "theirs": theirs}, runs)
    return figures["ours"], figures["theirs"]


def processor() -> str:
    """Return the name that the processor gives itself."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def circumstances() -> dict[str, object]:
    """Return what a reader must know to judge the figures: machine, Python, versions, load."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "versions": {name: version(name) for name in ("derlib", "cryptography", "certifi", "asn1crypto")},
    }
