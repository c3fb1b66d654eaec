"""The tables of a family for the pages of the documentation, in Markdown. Called by bench/readme.py.

Where one topic has the same peers in each row, they become columns: the pages are read without a script that sorts.
Spreads and samples stay in the stored results and in the report.
"""

from collections.abc import Callable, Iterator

from bench.harness.report import bound, fit_cells, heading, judged, work
from bench.harness.words import AMOUNTS, in_words, times
from bench.pages.results import DERLIB, KINDS, Stored, compared, median, number, wanted

TITLES = {"decode": "Decode", "write": "Encode, pickle, look up"}
Table = list[tuple[str, ...]]
COLUMNS = 8
"""So many peers beside each other can be read."""


def table(rows: Table) -> list[str]:
    """A Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:], ""]


def topics(rows: list[Stored]) -> dict[str, list[Stored]]:
    """The rows under titles, in the order in which these come: one for each topic and each kind of figure in it."""
    kinds: dict[str, set[str]] = {}
    for row in rows:
        kinds.setdefault(row["topic"], set()).add(row.get("kind", "time"))
    found: dict[str, list[Stored]] = {}
    for row in rows:
        topic = row["topic"]
        title = TITLES.get(topic, topic[:1].upper() + topic[1:])
        if len(kinds[topic]) > 1:
            title += f": {KINDS[row.get('kind', 'time')]}"
        found.setdefault(title, []).append(row)
    return found


def short(name: str, rows: list[Stored]) -> str:
    """The name of a work, without its topic at the end, which stands above the table."""
    return name.removesuffix(f", {rows[0]['topic']}")


def against(row: Stored) -> str:
    """The other side, and what a reader must know of a rival; older runs did not store that."""
    return f"{row['peer']} ({row['note']})" if row.get("note") and row["rivals"] else str(row["peer"])


def is_absent(why: str) -> bool:
    """Whether a side has no figure because its library is not installed: that is said once, not in each row."""
    return why.startswith("not installed")


def growth_rows(stored: Stored) -> Table:
    """How costs grow: the exponent, and the figures at the smallest and largest size."""
    made: Table = [("growth of", "side", "smallest", "largest", "exponent", "reach", "verdict")]
    for one in stored["scalings"]:
        first, last = one["points"][0], one["points"][-1]
        if is_absent(first["why"]):
            continue
        ends = [f"{point['size']:,}: {median(point['figures']) or point['why']}" for point in (first, last)]
        fitted = "" if one["exponent"] is None else f"{one['exponent']:.3f}"
        made.append((one["work"], one["side"], *ends, fitted, bound(one["reach"]), one["verdict"]))
    return made

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

    Where these are too many for a page, those of which something was wanted.
    """

    def __init__(self, rows: list[Stored]) -> None:
        self.works = list(dict.fromkeys(row["work"] for row in rows))
        many = len({row["peer"] for row in rows}) > COLUMNS and len(self.works) > COLUMNS / 2
        self.rows = [row for row in rows if wanted(row) or not many]
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
        told = f"**{factor:.2f} times**" if factor < 0.95 else f"{times(factor)} times"
        return f"{told} ✗" if row["verdict"] == "MISSED" else told

    def ours(self, name: str) -> str:
        """derlib's own figure."""
        return next((median(row["ours"]) for row in self.rows if row["work"] == name and row["ours"]), "")

    def lines(self) -> Iterator[str]:
        """The table with what its cells say, and why some say nothing."""
        kind, unit = self.rows[0]["kind"], self.rows[0]["ours"]["unit"].partition("/")[0]
        marks = "bold where derlib takes more"
        if any(row["verdict"] == "MISSED" for row in self.rows):
            marks += ", ✗ where it misses its reach"
        yield f"derlib's median, and how many times {AMOUNTS[kind].format(unit)} the others take; {marks}."
        yield ""
        names = [short(name, self.rows) for name in self.works]
        if len(self.peers) > len(self.works):
            made: Table = [("", *names), (DERLIB, *map(self.ours, self.works))]
            made += [(peer, *(self.cell(name, peer) for name in self.works)) for peer in self.peers]
        else:
            made = [("", DERLIB, *self.peers)]
            for name, told in zip(self.works, names, strict=True):
                made.append((told, self.ours(name), *(self.cell(name, peer) for peer in self.peers)))
        yield from table(made)
        missing = {row["peer"]: row["why"] for row in self.rows if row["value"] is None and row["why"]}
        if missing:
            yield f"No figure: {'; '.join(f'{peer}: {why}' for peer, why in missing.items())}.\n"


def ways_rows(rows: list[Stored]) -> Table:
    """Several ways to do a work, each beside the same one: a row for each work."""
    grouped: dict[tuple[str, str], list[Stored]] = {}
    for row in rows:
        grouped.setdefault((row["work"], row["peer"]), []).append(row)
    made: Table = [("what", "one way", "the others beside it")]
    for (name, peer), others in grouped.items():
        told = []
        for row in others:
            said = in_words(row).removesuffix(f" as {peer}") or row["why"]
            marks = " *" * bool(row.get("spread")) + " ✗" * (row["verdict"] == "MISSED")
            told.append(f"{row['side']} {median(row['ours'])}, {said}{marks}")
        made.append((name, f"{peer} {median(others[0]['theirs'])}", "; ".join(told)))
    return made


def ways(rows: list[Stored]) -> Iterator[str]:
    """The table of several ways, and what its marks mean."""
    yield from table(ways_rows(rows))
    if any(row.get("spread") for row in rows):
        yield "`*` samples of one of the two lie further apart than the family allows.\n"
    if any(row["verdict"] == "MISSED" for row in rows):
        yield "✗ misses its reach.\n"


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
        on = ", ".join(said for said in (one["interpreter"], one["machine"]) if said != "not said")
        place = f"Source: {one['source']}; measured on {on or 'a machine that is not named'}."
        places.setdefault(place, []).append(one)
    for place, figures in places.items():
        bridged = any(one["bridge"] for one in figures)
        made: Table = [("published by others", "library", "figure", *(["beside another of theirs"] * bridged))]
        for one in figures:
            bridge = known.get((one["work"], one["bridge"]))
            beside = f"{one['value'] / bridge:.2f} times {one['bridge']}" if bridge else ""
            made.append((one["work"], one["library"], f"{one['value']:g} {one['unit']}", *([beside] * bridged)))
        yield from table(made)
        yield f"{place}\n"


def sections(stored: Stored, *, full: bool) -> Iterator[str]:
    """All tables of a family under their titles, or those of a brief block."""
    listed = [row for row in stored["rows"] if (full or wanted(row)) and not is_absent(row["why"])]
    for title, rows in topics(listed).items():
        grid = Grid(rows)
        if full and grid.suits():
            yield from (f"**{title}**", "", *grid.lines())
            continue
        if full and all(row.get("side", DERLIB) != DERLIB for row in rows):
            yield from (f"**{title}**", "", *ways(rows))
            continue
        cells = full_rows(rows) if full else brief_rows(rows)
        if len(cells) > 1:
            yield from (f"**{title}**", "", *table(cells))
    others: tuple[tuple[str, Callable[[Stored], Table]], ...] = (
        ("How cost grows", growth_rows),
        ("Fitted costs", fitted),
    )
    for title, make in others if full else ():
        cells = make(stored)
        if len(cells) > 1:
            yield from (f"**{title}**", "", *table(cells))
    absent = [peer for peer, about in stored["peers"].items() if is_absent(about["why"])]
    if absent and full:
        yield f"Not installed where this was measured: {', '.join(absent)}.\n"
    if full and stored["published"]:
        yield from ("**Published by others, not measured here**", "", *published(stored))
