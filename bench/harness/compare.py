"""Compare two runs: `python -m bench compare OLD NEW`. Called by bench/__main__.py.

A figure has changed if the middle halves of both runs do not overlap and the medians differ by more than a percentage.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.harness.results import DERLIB, Measurement, Results, load_all
from bench.harness.words import LITTLE_MEMORY, amount


@dataclass(frozen=True)
class Change:
    """A side of a case whose figure has changed."""

    title: str
    peer: str
    what: str
    worse: bool
    ratio: float | None = None
    """The new median divided by the old one, if there are two and the old one is not zero."""

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"{self.ratio:.3f}"
        return f"{'WORSE' if self.worse else 'changed':7}  {ratio:>8}  {self.title}: {self.what}"

    def order(self) -> tuple[bool, bool, float, str]:
        """Return the sort key: lost figures of derlib, then the largest ratio, then changes without a ratio."""
        lost = self.worse and self.ratio is None
        return not lost, self.ratio is None, -(self.ratio or 0.0), self.title


def has_changed(old: Measurement, new: Measurement, percent: float) -> bool:
    """Return whether a figure has changed by more than noise."""
    assert old.figures
    assert new.figures
    before, after = old.figures.median, new.figures.median
    (old_low, old_high), (new_low, new_high) = old.figures.quartiles, new.figures.quartiles
    if new_low <= old_high and new_high >= old_low:
        return False
    # Memory often grows by a few pages only; a percentage of that means nothing.
    if old.kind == "memory" and max(before, after) < LITTLE_MEMORY:
        return False
    return abs(after - before) > percent / 100 * before


def change(title: str, old: Measurement | None, new: Measurement | None, percent: float) -> Change | None:
    """Return the change between two measurements of the same side of a case."""
    if new is None or old is None:
        one = new or old
        assert one
        return Change(title, one.peer, f"only in the {'new' if new else 'old'} run", False)
    if old.figures is None or new.figures is None:
        if (old.figures is None) == (new.figures is None):
            return None
        lost = new.figures is None
        what = f"has no figure any more: {new.why}" if lost else f"has a figure now; before: {old.why}"
        return Change(title, new.peer, what, lost and new.peer == DERLIB)
    if not has_changed(old, new, percent):
        return None
    before, after = old.figures, new.figures
    what = f"{amount(before.median, before.unit)} -> {amount(after.median, after.unit)}"
    ratio = after.median / before.median if before.median else None
    return Change(title, new.peer, what, after.median > before.median and new.peer == DERLIB, ratio)


def changes(old: Results, new: Results, percent: float) -> Iterator[Change]:
    """Yield every change within a family."""
    before, after = ({(one.case, one.side): one for one in run.measurements} for run in (old, new))
    for key in before.keys() | after.keys():
        found = change(f"{new.family}: {key[0]}, {key[1]}", before.get(key), after.get(key), percent)
        if found:
            yield found


def warnings(old: Results, new: Results) -> Iterator[str]:
    """Yield the differences in conditions that make two runs hard to compare."""
    for key in ("processor", "system", "python", "compiler", "quick"):
        one, other = old.conditions.get(key), new.conditions.get(key)
        if one != other:
            yield f"{new.family}: {key} was {one}, and is {other}"
    if old.quick or new.quick:
        yield f"{new.family}: from a --quick run, whose figures mean nothing"
    for run, conditions in (("old", old.conditions), ("new", new.conditions)):
        load, cores = conditions.get("load") or 0, conditions.get("cores") or 1
        if load > cores / 2:
            yield f"{new.family}: the machine was busy before the {run} run (load {load:.1f} for {cores} cores)"
    for peer in sorted(old.peers.keys() & new.peers.keys()):
        if old.peers[peer] != new.peers[peer]:
            yield f"{new.family}: {peer} was {old.peers[peer]}, and is {new.peers[peer]}"


def compare(old: Path, new: Path, percent: float) -> int:
    """Print what has changed; return 1 if a figure of derlib got worse."""
    before, after = load_all(old), load_all(new)
    found: list[Change] = []
    for family in sorted(before.keys() & after.keys()):
        for warning in warnings(before[family], after[family]):
            print(f"note     {warning}")
        found += changes(before[family], after[family], percent)
    for family in sorted(before.keys() ^ after.keys()):
        print(f"note     {family} is in only one of the runs")
    if found:
        print(f"{'new/old':>17}")
    for each in sorted(found, key=Change.order):
        print(each)
    worse = sum(each.worse for each in found)
    print(f"{len(found)} changed by more than {percent:g} % and the noise, {worse} of derlib for the worse")
    return 1 if worse else 0
