"""Small runs of families of the benchmark, for their tests."""

from __future__ import annotations

from dataclasses import replace

from bench.harness.run import Settings, run_family

SMALL = Settings(quick=True, budget=0.01, most=1, least=1)


def with_labels(work, labels):
    """Return a case or a growth with these sides only."""
    sides = [side for side in work.sides if (side if isinstance(side, str) else side.name) in labels]
    return replace(work, sides=tuple(sides))


def quick_run(family, labels, cases):
    """Run these cases and all growths of a family once, with the sides that have these labels."""
    chosen = tuple(with_labels(case, labels) for case in family.cases if case.name in cases)
    assert len(chosen) == len(cases)
    growths = tuple(with_labels(growth, labels) for growth in family.growths)
    return run_family(replace(family, cases=chosen, growths=growths), SMALL)


def failures(measured):
    """Return the reasons why measurements have no figures."""
    return [one.why for one in measured if one.figures is None]
