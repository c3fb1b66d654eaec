"""A comparison in words that say which of two takes less, so that nobody has to know how a ratio is meant.

Called by report.py beside it, by bench/readme.py and by bench/pages/.
"""

from typing import Any

Stored = dict[str, Any]
EQUAL = 0.05
"""Medians that differ by a smaller share are called equal, as by `compare`."""
NOTHING = 0.1
"""Growths of memory of fewer MiB are next to nothing: the system tells memory in pages."""
# What one of them takes as much of as the other, or so many times as much, by what was measured.
AMOUNTS = {"time": "as long", "memory": "as much memory", "size": "as many octets", "count": "as many {}"}


def times(ratio: float) -> str:
    """A factor for people: two figures below ten, and whole numbers above.

    >>> [times(one) for one in (1.07, 5.76, 9.96, 12.3, 8412)]
    ['1.1', '5.8', '10', '12', '8,412']
    """
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:,.0f}"


def verdict(ours: str, theirs: str, ratio: float, kind: str, unit: str, *, rivals: bool) -> str:
    """Which of two takes less, the first's figure being so many times the second's.

    Rivals do the same work with different libraries, and the better one is named. Anything else has a yardstick: itself
    in another way, or what Python does with the same octets.

    >>> verdict("derlib", "json", 1 / 5.76, "time", "ms", rivals=True)
    'derlib is 5.8 times as fast'
    >>> verdict("derlib", "json", 1.31, "time", "ms", rivals=True)
    'derlib takes 1.3 times as long'
    >>> verdict("derlib", "json", 0.25, "count", "lines", rivals=True)
    'json takes 4.0 times as many lines'
    >>> verdict("derlib", "copy of bytes", 1.31, "time", "ms", rivals=False)
    '1.3 times as long as copy of bytes'
    """
    amount = AMOUNTS[kind].format(unit.partition("/")[0])
    if abs(ratio - 1) < EQUAL:
        return f"both take about {amount}" if rivals else f"about {amount} as {theirs}"
    if ratio > 1:
        amount = f"{times(ratio)} times {amount}"
        return f"{ours} takes {amount}" if rivals else f"{amount} as {theirs}"
    if kind == "time":
        fast = f"{times(1 / ratio)} times as fast"
        return f"{ours} is {fast}" if rivals else f"{fast} as {theirs}"
    return f"{theirs} takes {times(1 / ratio)} times {amount}"


def in_words(row: Stored) -> str:
    """A stored comparison in words, or nothing where one of the figures is missing."""
    ours, theirs = row["ours"], row["theirs"]
    if not ours or not theirs:
        return ""
    side, against = row.get("side", "derlib"), row["peer"]
    # Older runs stored neither what was measured nor whether both sides are rivals.
    kind = row.get("kind") or ("time" if ours["unit"] != "MiB" else "memory" if "memory" in row["work"] else "size")
    one, other = ours["median"], theirs["median"]
    if kind == "memory" and min(one, other) < NOTHING:
        if max(one, other) < NOTHING:
            return "next to no memory, both"
        return f"{side if one < other else against} takes next to no memory"
    if not one or not other:
        return ""
    return verdict(side, against, one / other, kind, ours["unit"], rivals=row.get("rivals", False))
