"""What the figures do not show: the report and each of its families open with it. Called by report.py.

A few sentences from the results: what the machine was, what the families say of themselves, what failed. A sentence
stands here only where its ground is in the results, or in how bench/harness/ measures.
"""

from collections.abc import Iterator
from datetime import date

from bench.pages.results import Stored, failures

ALWAYS = (
    "Cold starts and whole programs: each side repeats one operation on the same octets, warm, with the garbage "
    "collector off.",
    "The best that a peer could do: each is used in one way and one version.",
)


def machines(results: list[Stored]) -> Iterator[str]:
    """What is special about where this was measured."""
    found = {(one["circumstances"]["processor"], one["circumstances"]["cores"]) for one in results}
    if len(found) == 1:
        [(processor, cores)] = found
        yield (
            f"Other machines and days: all was measured on one, {processor} with {cores} cores; the ranges are the "
            "middle halves of one session's runs."
        )
    else:
        yield f"Families beside each other: they were measured on {len(found)} machines."
    loads = [(one["family"], one["circumstances"].get("load"), one["circumstances"]["cores"]) for one in results]
    busy = [f"{family} ({load:.1f} for {cores} cores)" for family, load, cores in loads if (load or 0) > cores / 2]
    if busy:
        yield f"An idle machine: by the load, others were at work on it when these began: {', '.join(busy)}."


def staleness(results: list[Stored]) -> Iterator[str]:
    """Families that were measured at different times."""
    days = {one["circumstances"].get("date") for one in results} - {None}
    if len(days) > 1:
        apart = (date.fromisoformat(max(days)) - date.fromisoformat(min(days))).days
        yield f"One state of the code: the families were measured up to {apart} days apart."


def of_family(stored: Stored) -> Iterator[str]:
    """What the family says of itself, and what its peers did not do; their notes stand in the tables."""
    yield from stored.get("limits", ())
    absent = {peer: about["why"] for peer, about in stored["peers"].items() if about["why"]}
    for peer, why in absent.items():
        yield f"Anything of {peer}: {why}."
    refused = dict.fromkeys(one["side"] for one in failures(stored) if one["peer"] not in absent)
    if refused:
        yield f"Every operation of {', '.join(refused)}: where there is no figure, the row says why."


def quick_families(results: list[Stored]) -> list[str]:
    """The families whose figures mean nothing."""
    return [one["family"] for one in results if one["circumstances"]["quick"]]


def general(results: list[Stored], missing: list[str]) -> Iterator[str]:
    """What holds for all families."""
    if missing:
        yield f"The families {', '.join(missing)}: there are no results of them here."
    yield from machines(results)
    yield from staleness(results)
    yield from ALWAYS
