"""Made-up results of benchmark families, in the layout that a run stores. Called by the tests of charts and report.

They go through the harness's own classes, so that another layout there shows here.
"""

import json

from bench.harness import Case, Side, Target
from bench.harness.figures import Figures
from bench.harness.rows import Measurement, exponent, row

LAZY = "does not look into entries"
SIDES = {"derlib": (3.9, 4.0, 4.1, 4.3), "slow <peer>": (700, 710, 720, 910), "quick peer": (2, 2.1, 2.2, 2.3)}
UNFITTED = {"work": "time, encode", "exponent": None, "verdict": "-"}
PUBLISHED = {
    "work": "decode",
    "library": "elsewhere 1.0",
    "value": 123456.0,
    "unit": "s",
    "interpreter": "CPython 3.6",
    "machine": "a machine",
    "source": "a page",
    "note": "",
    "bridge": "",
}
CASE_NAMES = ("decode CRL, plain", "encode CRL, plain, every entry anew from Python values")


def measurements(case, kind, unit):
    """What the sides of a case gave; one of them is not installed."""
    made = []
    for name, samples in {**SIDES, "absent peer": None}.items():
        figures = Figures(tuple(map(float, samples)), unit) if samples else None
        told = {} if samples else {"failed": "missing", "why": "not installed"}
        side = Side(name, note=LAZY if name == "quick peer" else "")
        made.append(Measurement(case, side, "decode", "plain", kind, "decode", figures, size=7, **told))
    return made


def scaling(side, kind="time"):
    """Time that grows with the size."""
    sizes = (1000, 4000, 16_000)
    figures = [Figures((size / 1000, size / 990), "ms") for size in sizes]
    return {
        "work": f"{kind}, decode",
        "side": side,
        "kind": kind,
        "topic": "growth",
        "points": [{"size": size, "figures": one.plain(), "why": ""} for size, one in zip(sizes, figures, strict=True)],
        "exponent": exponent(sizes, [one.median for one in figures]),
        "reach": 1.02,
        "aim": None,
        "verdict": "reach",
    }


def made_up(family="crl", *, quick=False):
    """The results of a family."""
    measured, rows = [], []
    for name in CASE_NAMES:
        case = Case(name, "decode", "plain", (), topic="decode")
        sides = measurements(name, "time", "ms")
        by_name = {one.side.name: one for one in sides}
        targets = Target("slow <peer>", 1, 0.3), Target("quick peer", 1), Target("absent peer", 1), Target("quick peer")
        measured += sides
        rows += [row(case, target, by_name) for target in targets]
    measured += measurements("growth of peak memory, decode CRL, plain", "memory", "MiB")
    return {
        "circumstances": {
            "processor": "a processor",
            "cores": 2,
            "load": 0.1,
            "system": "a system",
            "python": "CPython 3.11",
            "compiler": "GCC",
            "date": "2026-11-21",
            "quick": quick,
            "rules": "by the clock",
        },
        "family": family,
        "what": "made-up figures",
        "limits": ["A limit of this family."],
        "inputs": {"plain": "a CRL that does not exist"},
        "peers": {"derlib": {"version": "0.1.0", "why": ""}, "absent peer": {"version": "", "why": "not installed"}},
        "measurements": [one.plain() for one in measured],
        "rows": rows,
        "scalings": [scaling("derlib"), {**scaling("derlib"), **UNFITTED}],
        "published": [PUBLISHED],
    }


def stored_in(folder, *results):
    """A folder with these results."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in results:
        (folder / f"{one['family']}.json").write_text(json.dumps(one), encoding="utf-8")
    return folder
