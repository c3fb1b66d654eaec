"""What the figures do not show: the report opens with it. Called by report.py.

The sentences come from the results: what the machine was, what the peers' notes say, what failed. A sentence stands
here only where its ground is in the results, or in how bench/harness/ measures.
"""

from collections.abc import Iterator
from datetime import date

from bench.pages.results import Stored, failures

ALWAYS = (
    "A start from cold: each side does its work at least once before it is timed, on the same octets each time. Caches "
    "of the processor are warm, modules are imported, plans are made, and what files hold is in the memory of the "
    "system before the clock starts.",
    "A program as a whole: a peer does one operation again and again, with little else on its heap and with the "
    "garbage collector off while it is timed.",
    "The best that a peer could do: each side uses its library in one way and one version; who knows it better may get "
    "more out of it.",
    "The noise between days: the ranges are the middle halves of the runs of one session. Other days, compilers and "
    "interpreters may move figures by more than that.",
    "Memory that was there already: what is measured is by how much an operation raised the peak of a process. What "
    "fits below the peak of before counts as nothing.",
)


def machines(results: list[Stored]) -> Iterator[str]:
    """What is special about where this was measured."""
    found = {(one["circumstances"]["processor"], one["circumstances"]["cores"]) for one in results}
    if len(found) == 1:
        [(processor, cores)] = found
        yield (
            f"Other machines: all was measured on one, {processor} with {cores} cores. What more cores, another "
            "processor or another architecture would make of it is unknown."
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
    """What the family says of itself, its inputs and its peers."""
    yield from stored.get("limits", ())
    if stored["inputs"]:
        yield f"Other inputs than these: {'; '.join(dict.fromkeys(stored['inputs'].values()))}."
    notes: dict[str, list[str]] = {}
    for one in stored["measurements"]:
        if one["note"] and one["side"] not in notes.setdefault(one["note"], []):
            notes[one["note"]].append(one["side"])
    if told := [f"{', '.join(sides)} ({note})" for note, sides in notes.items()]:
        yield f"Work that is alike in all: {'; '.join(told)}."
    absent = {peer: about["why"] for peer, about in stored["peers"].items() if about["why"]}
    for peer, why in absent.items():
        yield f"Anything of {peer}: {why}."
    refused = dict.fromkeys(one["side"] for one in failures(stored) if one["peer"] not in absent)
    if refused:
        yield f"Every operation of {', '.join(refused)}: where there is no figure, the row says why."
    if stored["published"]:
        yield (
            "Published figures beside measured ones: they are of other machines, interpreters and years. They stand "
            "apart, no chart has them, and no ratio mixes the two."
        )


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
