"""A made-up family of the benchmark and its results, for the tests of charts, tables, comparisons and the report."""

from bench.families.crl import FAMILY
from bench.harness import Case, Family, Growth, Peer, Side
from bench.harness.results import Figures, Measurement, Results

SLOW = "slow <peer>"
QUICK = Side("quick peer", note="does not look into entries")
SIDES = ("derlib", SLOW, QUICK, "absent peer")
CASES = tuple(
    Case(name, "decode", "plain", SIDES, topic="decode")
    for name in ("decode a CRL and read every entry", "encode a CRL from Python values")
)
MEMORY = Case("memory: decode a CRL", "decode", "plain", SIDES, "memory", "memory")
GROWTH = Growth("time, decode", "decode", (1000, 4000, 16_000), (1000,), str)
PEERS = {"derlib": "1", SLOW: "2", "quick peer": "3", "absent peer": "not installed"}


def family(name="crl"):
    """Return a family with two cases of time, one of memory, and a growth."""
    peers = {peer: Peer("tests.support.bench_peers.sound") for peer in PEERS}
    caveats = (f"{name} is made up.",)
    return Family(name, "made-up figures", peers, FAMILY.inputs, (*CASES, MEMORY), (GROWTH,), caveats=caveats)


def measurements():
    """Return the measurements of all cases and sizes; one library is not installed."""
    samples = {"derlib": (3.9, 4.0, 4.1, 4.3), SLOW: (700, 710, 720, 910), "quick peer": (2, 2.1, 2.2, 2.3)}
    for case in (*CASES, MEMORY):
        unit, factor = ("ns", 1e6) if case.kind == "time" else ("bytes", 2**20)
        for side, given in samples.items():
            figures = Figures.of([each * factor for each in given], unit)
            yield Measurement(case.name, side, side, case.kind, figures)
        yield Measurement(case.name, "absent peer", "absent peer", case.kind, failed="missing", why="not installed")
    for size in GROWTH.sizes:
        figures = Figures.of([1e3 * size, 1.01e3 * size])
        yield Measurement(GROWTH.case(size).name, "derlib", "derlib", "time", figures)


def made_up(name="crl", *, quick=False):
    """Return the results of the family."""
    conditions = {
        "date": "2026-11-21",
        "processor": "a processor",
        "cores": 2,
        "load": 0.1,
        "system": "a system",
        "python": "CPython 3.11",
        "compiler": "GCC",
        "quick": quick,
    }
    return Results(name, conditions, dict(PEERS), list(measurements()))


def changed(results, number, *samples, **parts):
    """Return the results with other figures in one measurement, or with a reason for none."""
    old = results.measurements[number]
    figures = Figures.of(samples, old.figures.unit) if samples else None
    new = Measurement(old.case, old.side, old.peer, old.kind, figures, **parts)
    found = [*results.measurements[:number], new, *results.measurements[number + 1 :]]
    return Results(results.family, results.conditions, results.peers, found)
