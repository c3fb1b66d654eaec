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

    def __str__(self) -> str:
        return f"{'WORSE' if self.worse else 'moved'}  {self.title}: {self.what}"


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
            peer = {**point, "peer": scaling["side"]}
            found[f"{scaling['work']}, size {point['size']:,}", scaling["side"]] = peer
    for fit in stored.get("fits", ()):
        for point in fit["points"]:
            found[point["case"], fit["side"]] = {**point, "peer": fit["side"]}
    return found


def moved(old: Stored, new: Stored, percent: float) -> str:
    """How a figure moved, or nothing."""
    before, after = old["median"], new["median"]
    (old_low, old_high), (new_low, new_high) = old["quartiles"], new["quartiles"]
    apart = new_low > old_high or new_high < old_low
    # Below a hundredth of a unit a percentage says nothing: growths of memory are often zero.
    if not apart or abs(after - before) <= percent / 100 * before or max(before, after) < 1e-6:
        return ""
    change = f"{(after / before - 1) * 100:+.1f} %" if before > 0 else "from nothing"
    return f"{before:.4g} {old['unit']} -> {after:.4g} {new['unit']} ({change})"


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
            slower = other["figures"]["median"] > one["figures"]["median"]
            yield Change(title, other["peer"], what, slower and other["peer"] == DERLIB)


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
    for change in sorted(found, key=lambda each: (not each.worse, each.title)):
        print(change)
    worse = sum(change.worse for change in found)
    print(f"{len(found)} moved by more than {percent:g} % and the noise, {worse} of derlib's for the worse")
    return 1 if worse else 0
