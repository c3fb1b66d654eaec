"""What moved between two runs, beyond their noise: `python -m bench compare OLD NEW`. Called by bench/__main__.py.

A figure moved if the middle halves of both runs do not overlap, and the medians differ by more than some percent.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DERLIB = "derlib"
Stored = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One side of a case that is not what it was."""

    title: str
    peer: str
    what: str
    worse: bool
    ratio: float | None = None
    """The new median divided by the old one; None where there are no two, or the old one is nothing."""

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"{self.ratio:.3f}"
        return f"{'WORSE' if self.worse else 'moved'}  {ratio:>8}  {self.title}: {self.what}"

    def order(self) -> tuple[bool, bool, float, str]:
        """First figures of derlib's that are gone, then by the ratio, the largest first, then what has none."""
        lost = self.worse and self.ratio is None
        return not lost, self.ratio is None, -(self.ratio or 0.0), self.title


def read(place: Path) -> dict[str, Stored]:
    """The stored results in a file, or in the files of a folder, by family.

    Raises:
        ValueError: there are none, or a file is not JSON.
    """
    found: dict[str, Stored] = {}
    for path in sorted(place.glob("*.json")) if place.is_dir() else [place]:
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        if isinstance(stored, dict) and "measurements" in stored:
            found[stored["family"]] = stored
    if not found:
        raise ValueError(f"{place} has no results of a benchmark")
    return found


def figures_of(stored: Stored) -> dict[tuple[str, str], Stored]:
    """All measurements by case and side; those at the sizes of a scaling and the points of a fit too."""
    found = {(one["case"], one["side"]): one for one in stored["measurements"]}
    for scaling in stored["scalings"]:
        for point in scaling["points"]:
            peer = {**point, "peer": scaling.get("peer", scaling["side"])}
            found[f"{scaling['work']}, size {point['size']:,}", scaling["side"]] = peer
    for fit in stored.get("fits", ()):
        for point in fit["points"]:
            found[point["case"], fit["side"]] = {**point, "peer": fit.get("peer", fit["side"])}
    return found


def moved(old: Stored, new: Stored, percent: float) -> str:
    """How a figure moved, or nothing."""
    before, after = old["median"], new["median"]
    (old_low, old_high), (new_low, new_high) = old["quartiles"], new["quartiles"]
    apart = new_low > old_high or new_high < old_low
    # Growths of memory are often zero, and a percentage of nothing says nothing.
    if not apart or abs(after - before) <= percent / 100 * before or max(before, after) < 1e-6:
        return ""
    return f"{before:.4g} {old['unit']} -> {after:.4g} {new['unit']}"


def changes(old: Stored, new: Stored, percent: float) -> Iterator[Change]:
    """Everything that moved within one family."""
    before, after = figures_of(old), figures_of(new)
    for key in before.keys() | after.keys():
        title = f"{new['family']}: {key[0]}, {key[1]}"
        one, other = before.get(key), after.get(key)
        if one is None or other is None:
            peer = (one or other or {})["peer"]
            yield Change(title, peer, "only in the new run" if one is None else "only in the old run", False)
        elif one["figures"] is None or other["figures"] is None:
            if (one["figures"] is None) != (other["figures"] is None):
                lost = other["figures"] is None
                what = f"has no figure any more: {other['why']}" if lost else f"has a figure now; it had: {one['why']}"
                yield Change(title, other["peer"], what, lost and other["peer"] == DERLIB)
        elif what := moved(one["figures"], other["figures"], percent):
            before_it, after_it = one["figures"]["median"], other["figures"]["median"]
            ratio = after_it / before_it if before_it > 0 else None
            yield Change(title, other["peer"], what, after_it > before_it and other["peer"] == DERLIB, ratio)


def warnings(old: Stored, new: Stored) -> Iterator[str]:
    """What makes two runs hard to compare."""
    for key in ("processor", "system", "python", "compiler", "quick"):
        one, other = old["circumstances"][key], new["circumstances"][key]
        if one != other:
            yield f"{new['family']}: {key} was {one}, and is {other}"
    if old["circumstances"]["quick"] or new["circumstances"]["quick"]:
        yield f"{new['family']}: of a --quick run; what moves there says nothing"
    for run, one in (("old", old["circumstances"]), ("new", new["circumstances"])):
        if one.get("load") and one["load"] > one["cores"] / 2:
            load = f"load {one['load']:.1f} for {one['cores']} cores"
            yield f"{new['family']}: others were at work in the {run} run ({load})"
    for peer in old["peers"].keys() & new["peers"].keys():
        one, other = old["peers"][peer]["version"], new["peers"][peer]["version"]
        if one != other:
            yield f"{new['family']}: {peer} was {one or 'absent'}, and is {other or 'absent'}"


def compare(old: Path, new: Path, percent: float) -> int:
    """Print what moved; 1 if something of derlib's got worse."""
    before, after = read(old), read(new)
    found: list[Change] = []
    for family in sorted(before.keys() & after.keys()):
        for warning in warnings(before[family], after[family]):
            print(f"note   {warning}")
        found += changes(before[family], after[family], percent)
    for family in sorted(before.keys() ^ after.keys()):
        print(f"note   {family} is in one of the runs only")
    if found:
        print(f"{'new/old':>15}")
    for change in sorted(found, key=Change.order):
        print(change)
    worse = sum(change.worse for change in found)
    print(f"{len(found)} moved by more than {percent:g} % and the noise, {worse} of derlib's for the worse")
    return 1 if worse else 0
