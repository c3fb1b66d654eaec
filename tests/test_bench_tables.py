"""The tables of the pages: peers as columns or rows, several ways in one row, and what is not installed said once."""

from __future__ import annotations

import pytest

markdown = pytest.importorskip("bench.pages.markdown", reason="bench/ is not beside the tests")

from bench_results import made_up  # noqa: E402

from bench.harness import Case, Side, Target  # noqa: E402
from bench.harness.figures import Figures  # noqa: E402
from bench.harness.rows import Measurement, row  # noqa: E402


def made(works, ours, others, *, topic="small", side="derlib", kind="time", unit="ms", reach=1.0, why=""):
    """Rows of works, of one side beside others with these medians."""
    rows = []
    for work in works:
        sides = {side: Side("derlib", label=side), **{name: Side(name.partition(",")[0]) for name in others}}
        figures = {side: ours, **others}
        measured = {
            name: Measurement(
                work, one, "work", "", kind, topic, figures[name] and Figures((figures[name],), unit), why=why
            )
            for name, one in sides.items()
        }
        case = Case(work, "work", "", tuple(sides.values()), topic=topic, kind=kind)
        rows += [row(case, Target(name, reach, ours=side), measured) for name in others]
    return rows


def told(rows, **more):
    """The lines of the tables of these rows."""
    stored = {"rows": rows, "scalings": [], "fits": [], "published": [], "peers": {}, **more}
    return [line for line in markdown.sections(stored, full=True) if line.strip()]


def test_equal_peers_in_each_row_become_columns_and_slower_rows_of_derlib_are_marked():
    works = ("read, small", "write, small", "both, small", "neither, small")
    lines = told(made(works, 2.0, {"json": 10.0, "lxml": 2.0, "orjson": 1.0}))
    assert lines[0] == "**Small**"
    assert "how many times as long the others take" in lines[1]
    cells = "2 ms | 5.0 times | 1.0 times | **0.50 times** ✗ |"
    assert lines[2:] == [
        "|  | derlib | json | lxml | orjson |",
        "| --- | --- | --- | --- | --- |",
        *(f"| {name} | {cells}" for name in ("read", "write", "both", "neither")),
    ]


def test_of_few_works_the_peers_are_rows():
    lines = told(made(("read, small", "write, small"), 2.0, {"json": 10.0, "lxml": 2.0, "orjson": 1.0}, reach=None))
    assert lines[2:] == [
        "|  | read | write |",
        "| --- | --- | --- |",
        "| derlib | 2 ms | 2 ms |",
        "| json | 5.0 times | 5.0 times |",
        "| lxml | 1.0 times | 1.0 times |",
        "| orjson | **0.50 times** | **0.50 times** |",
    ]


def test_several_ways_of_one_thing_are_one_row():
    rows = made(("a CRL",), 4.0, {"no cache": 2.0}, side="miss") + made(("a CRL",), 1.0, {"no cache": 2.0}, side="hit")
    for one in rows:
        one["rivals"] = False
    assert "| a CRL | no cache 2 ms | miss 4 ms, 2.0 times as long ✗; hit 1 ms, 2.0 times as fast |" in told(rows)


def test_kinds_of_figures_have_tables_of_their_own():
    rows = made(("read",), 2.0, {"json": 10.0}) + made(("hold",), 2.0, {"json": 10.0}, kind="memory", unit="MiB")
    titles = [line for line in told(rows) if line.startswith("**")]
    assert titles == ["**Small: time**", "**Small: growth of peak memory**"]


def test_what_is_not_installed_is_said_once():
    stored = made_up("crl")
    absent = {"version": "", "why": "not installed (No module named 'absent')"}
    stored["peers"]["absent peer"] = absent
    for one in (*stored["measurements"], *stored["rows"]):
        if one["peer"] == "absent peer":
            one["why"] = absent["why"]
    text = "\n".join(markdown.sections(stored, full=True))
    assert text.count("absent peer") == 1
    assert "Not installed where this was measured: absent peer." in text


def test_a_rival_is_told_with_what_it_leaves_out():
    text = "\n".join(markdown.sections(made_up("crl"), full=True))
    assert "| quick peer (does not look into entries) | 4.05 ms | 2.15 ms | derlib takes 1.9 times as long |" in text
