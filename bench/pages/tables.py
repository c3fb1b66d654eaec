"""Tables in HTML that can be sorted by value, and read without doing so. Called by report.py."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Cell:
    """Words, and the number that the column is sorted by if it is one of numbers."""

    words: str
    value: float | None = None
    style: str = ""


@dataclass(frozen=True)
class Head:
    """A column: its words, whether it has numbers, or words that a number sorts."""

    words: str
    numbers: bool = False
    sorts: bool = False


NUMBERS = " class=number data-numbers"


def cell(given: Cell | str, head: Head, *, first: bool) -> str:
    """One cell; the first of a row is its head."""
    one = given if isinstance(given, Cell) else Cell(given)
    styles = " ".join(filter(None, ("number" if head.numbers else "", one.style)))
    name = 'th scope="row"' if first else "td"
    marks = (f' class="{styles}"' if styles else "") + (f' data-value="{one.value!r}"' if one.value is not None else "")
    return f"<{name}{marks}>{escape(one.words)}</{name[:2]}>"


def line(row: Sequence[Cell | str], heads: Sequence[Head]) -> str:
    """One row."""
    cells = (cell(one, head, first=not at) for at, (one, head) in enumerate(zip(row, heads, strict=True)))
    return f"<tr>{''.join(cells)}</tr>"


def table(caption: str, heads: Sequence[Head], rows: Iterable[Sequence[Cell | str]], style: str = "") -> str:
    """A table that a script makes sortable; wide ones scroll in a frame of their own."""
    columns = "".join(
        f'<th scope="col"{NUMBERS if head.numbers else " data-numbers" if head.sorts else ""}>{escape(head.words)}</th>'
        for head in heads
    )
    lines = "\n".join(line(row, heads) for row in rows)
    styles = f' class="{style}"' if style else ""
    return (
        f'<div class="frame" role="region" tabindex="0" aria-label="{escape(caption)}"><table{styles}>'
        f"<caption><span>{escape(caption)}</span></caption>\n<thead><tr>{columns}</tr></thead>\n<tbody>\n{lines}\n</tbody>"
        "</table></div>"
    )


def listed(entries: Iterable[str]) -> str:
    """A list of sentences."""
    return "<ul>\n" + "\n".join(f"<li>{escape(entry)}</li>" for entry in entries) + "\n</ul>"
