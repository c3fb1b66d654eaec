"""The tables of a family for the pages of the documentation, in Markdown. Called by bench/readme.py.

Where one topic has the same peers in each row, they become columns: the pages are read without a script that sorts.
Spreads and samples stay in the stored results and in the report.
"""

from collections.abc import Callable, Iterator

from bench.harness.report import bound, fit_cells, heading, judged, scaling_cells, work
from bench.harness.words import AMOUNTS, in_words, times
from bench.pages.results import DERLIB, Stored, compared, median, number, wanted

TITLES = {"decode": "Decode", "write": "Encode, pickle, look up"}
Table = list[tuple[str, ...]]


def table(rows: Table) -> list[str]:
    """A Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:], ""]


def topics(rows: list[Stored]) -> dict[str, list[Stored]]:
    """The rows under the titles of their topics, in the order in which these come."""
    found: dict[str, list[Stored]] = {}
    for row in rows:
        found.setdefault(TITLES.get(row["topic"], row["topic"].capitalize()), []).append(row)
    return found


def against(row: Stored) -> str:
    """The other side, and what a reader must know of it; older runs did not store that."""
    return f"{row['peer']} ({row['note']})" if row.get("note") else str(row["peer"])


def full_rows(rows: list[Stored]) -> Table:
    """Every comparison, and what was wanted, if anything was."""
    told = any(wanted(row) or row.get("spread") for row in rows)
    heads = ("what", "against", heading(rows), "the other", "in words", "ratio", "reach", "aim", "verdict")
    made: Table = [heads if told else heads[:5]]
    for row in rows:
        cells = (work(row), against(row), median(row["ours"]), median(row["theirs"]) or row["why"], in_words(row))
        goes_by = (compared(row), bound(row["reach"]), bound(row["aim"]), judged(row))
        made.append((*cells, *goes_by) if told else cells)
    return made


def brief_rows(rows: list[Stored]) -> Table:
    """The comparisons for which something is wanted, by their medians."""
    made: Table = [("what", "against", heading(rows), "the other", "in words")]
    for row in rows:
        if row["reach"] is not None:
            made.append((work(row), against(row), median(row["ours"]), median(row["theirs"]), in_words(row)))
    return made


class Grid:
    """The comparisons of one topic with works on one side and peers on the other.

    Of a topic with comparisons of which something was wanted, only these.
    """

    def __init__(self, rows: list[Stored]) -> None:
        self.rows = [row for row in rows if wanted(row)] or rows
        self.works = list(dict.fromkeys(row["work"] for row in self.rows))
        self.peers = list(dict.fromkeys(row["peer"] for row in self.rows))
        self.found = {(row["work"], row["peer"]): row for row in self.rows}

    def suits(self) -> bool:
        """Whether this is a better form for them than a list: few gaps, and the same thing in all."""
        plain = all(row.get("side", DERLIB) == DERLIB and row["unit"] == "x" and "kind" in row for row in self.rows)
        kinds = {(row.get("kind"), row["ours"] and row["ours"]["unit"]) for row in self.rows}
        full = len(self.rows) > 0.8 * len(self.works) * len(self.peers)
        return plain and full and len(kinds) == 1 and len(self.peers) > 2 and len(self.works) > 1

    def cell(self, name: str, peer: str) -> str:
        """By how much the other takes more than derlib; bold if it takes less."""
        row = self.found.get((name, peer))
        if row is None:
            return ""
        if row["value"] is None:
            return "no figure"
        factor = 1 / row["value"]
        return f"**{factor:.2f} times**" if factor < 0.95 else f"{times(factor)} times"

    def ours(self, name: str) -> str:
        """derlib's own figure."""
        return next((median(row["ours"]) for row in self.rows if row["work"] == name and row["ours"]), "")

    def lines(self) -> Iterator[str]:
        """The table with what its cells say, and why some say nothing."""
        kind, unit = self.rows[0]["kind"], self.rows[0]["ours"]["unit"].partition("/")[0]
        amount = AMOUNTS[kind].format(unit)
        yield f"derlib's median, and how many times {amount} the others take; bold where derlib takes more."
        yield ""
        if len(self.peers) > len(self.works):
            made: Table = [("", *self.works), (DERLIB, *map(self.ours, self.works))]
            made += [(peer, *(self.cell(name, peer) for name in self.works)) for peer in self.peers]
        else:
            made = [("", DERLIB, *self.peers)]
            made += [(name, self.ours(name), *(self.cell(name, peer) for peer in self.peers)) for name in self.works]
        yield from table(made)
        missing = {row["peer"]: row["why"] for row in self.rows if row["value"] is None and row["why"]}
        missed = [f"{row['work']} beside {row['peer']}" for row in self.rows if row["verdict"] == "MISSED"]
        if missing:
            yield f"No figure: {'; '.join(f'{peer}: {why}' for peer, why in missing.items())}.\n"
        if missed:
            yield f"Reach missed: {'; '.join(missed)}.\n"


def fitted(stored: Stored) -> Table:
    """What each side costs by each term of a fit, a column for each."""
    made: Table = []
    for one in stored.get("fits", ()):
        costs = one["costs"] or {}
        made = made or [("fitted cost of", "side", *(f"{term}, {one['unit']}" for term in costs))]
        made.append((one["work"], one["side"], *(number(cost) for cost in costs.values())))
    same = len({len(row) for row in made}) < 2
    return made if same else fit_cells(stored)


def published(stored: Stored) -> Iterator[str]:
    """What others published: a table for each place where it was measured."""
    known = {(one["work"], one["library"]): one["value"] for one in stored["published"]}
    places: dict[str, list[Stored]] = {}
    for one in stored["published"]:
        place = f"Source: {one['source']}; measured on {one['interpreter']}, {one['machine']}."
        places.setdefault(place, []).append(one)
    for place, figures in places.items():
        made: Table = [("published by others", "library", "figure", "beside another of theirs")]
        for one in figures:
            bridge = known.get((one["work"], one["bridge"]))
            beside = f"{one['value'] / bridge:.2f} times {one['bridge']}" if bridge else ""
            made.append((one["work"], one["library"], f"{one['value']:g} {one['unit']}", beside))
        yield from table(made)
        yield f"{place}\n"


def sections(stored: Stored, *, full: bool) -> Iterator[str]:
    """All tables of a family under their titles, or those of a brief block."""
    for title, rows in topics(stored["rows"]).items():
        grid = Grid(rows)
        if full and grid.suits():
            yield from (f"**{title}**", "", *grid.lines())
            continue
        cells = full_rows(rows) if full else brief_rows(rows)
        if len(cells) > 1:
            yield from (f"**{title}**", "", *table(cells))
    others: tuple[tuple[str, Callable[[Stored], Table]], ...] = (
        ("How cost grows", scaling_cells),
        ("Fitted costs", fitted),
    )
    for title, make in others if full else ():
        cells = make(stored)
        if len(cells) > 1:
            yield from (f"**{title}**", "", *table(cells))
    if full and stored["published"]:
        yield from ("**Published by others, not measured here**", "", *published(stored))
