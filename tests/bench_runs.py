"""Small runs of families of the benchmark, for their tests."""

from __future__ import annotations

from dataclasses import replace

from bench.harness.run import Settings, run_family

SMALL = Settings(quick=True, budget=0.01, most=1, least=1)


def with_labels(work, labels):
    """A case or a fit with these sides only."""
    sides = [side for side in work.sides if (side if isinstance(side, str) else side.name) in labels]
    return replace(work, sides=tuple(sides))


def quick_run(family, labels, given, points=()):
    """Run a family with the sides that have these labels, on one of its inputs and some points of a fit, and once."""
    cases = []
    for case in family.cases:
        if case.input != given:
            continue
        targets = [each for each in case.targets if each.against in labels]
        cases.append(replace(with_labels(case, labels), targets=tuple(targets)))
    peers = {side.peer for case in cases for side in case.all_sides()}
    small = replace(
        family,
        peers={name: peer for name, peer in family.peers.items() if name in peers},
        cases=tuple(cases),
        fits=tuple(replace(with_labels(fit, labels), points=points) for fit in family.fits),
    )
    return run_family(small, SMALL)
