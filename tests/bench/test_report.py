"""The report is one file, begins with its charts, and shows every failure."""

from __future__ import annotations

import os
import re

import pytest

if "LD_PRELOAD" in os.environ:
    pytest.skip("a sanitizer is loaded, and what is drawn and opened here is not ours", allow_module_level=True)
pytest.importorskip("bench.pages", reason="bench/ is not beside the tests")
pytest.importorskip("vl_convert", reason="vl-convert-python is not installed: no charts can be drawn")

from support.bench_results import CASES, MEMORY, changed, family, made_up

from bench.harness.results import Results, curves
from bench.pages import charts, draw, report


@pytest.fixture(scope="module")
def text():
    return report.page([(family(name), made_up(name)) for name in ("crl", "records")])


def sections(text):
    return re.findall(r'<section id="(.*?)">(.*?)</section>', text, re.DOTALL)


def test_a_family_opens_with_its_charts_and_the_notes_are_at_the_end(text):
    parts = sections(text)
    assert [name for name, _ in parts] == ["crl", "records", "notes"]
    for _, body in parts[:2]:
        assert body.index("<svg") < body.index("<table")
        assert len(re.findall(r"<svg ", body)) == 4
    notes = parts[2][1]
    assert "a processor" in notes
    assert all(f"{name}: {name} is made up." in notes for name in ("crl", "records"))
    assert len(re.findall("<li>", notes)) < 12


def test_the_page_does_not_mention_internal_targets(text):
    words = re.findall(r"\w+", re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", text, flags=re.DOTALL).lower())
    assert not {"reach", "aim", "verdict", "missed", "octets", "octet"} & set(words)


def test_a_comparison_is_relative_to_the_first_figure(text):
    table = re.search(r"<table><caption><span>Decode</span>.*?</table>", text, re.DOTALL)[0]
    assert re.search(r'data-value="176\.54\d*">177×</td>', table)
    assert ">0.53×</td>" in table
    assert "does not look into entries</td>" in table


def test_the_page_needs_no_other_file(text):
    assert not re.search(r"""\b(?:src|href)\s*=\s*(?!"#|"data:)""", text)
    assert not re.search(r"@import|url\(|fetch\(", text)


def test_the_same_results_give_the_same_page(text):
    assert report.page([(family(name), made_up(name)) for name in ("crl", "records")]) == text


def test_a_side_without_a_figure_says_why(text):
    [(_, body)] = [part for part in sections(text) if part[0] == "crl"]
    assert body.count("<td>not installed</td>") == 3
    assert body.count("no figure: not installed") == 3


def test_names_are_escaped(text):
    assert "slow <peer>" not in text
    assert "slow &lt;peer&gt;" in text


def test_the_page_of_a_folder_has_its_families_in_order(tmp_path):
    for name in ("records", "crl"):
        Results(name, made_up().conditions, {}, []).store(tmp_path / "results")
    page = report.write(tmp_path / "results", tmp_path / "pages" / "report.html").read_text(encoding="utf-8")
    assert [name for name, _ in sections(page)] == ["crl", "records", "notes"]


def test_figures_of_a_quick_run_are_marked(text):
    page = report.page([(family(), made_up(quick=True))])
    assert page.index("whose figures mean nothing: crl") < page.index("<section")
    assert "mean nothing" not in text


def test_a_folder_without_results_is_rejected(tmp_path):
    with pytest.raises(ValueError, match="no results"):
        report.write(tmp_path, tmp_path / "report.html")


def test_each_chart_is_drawn_with_its_digest_and_its_name():
    results = made_up()
    specs = [charts.dots(results, CASES), charts.bars(results, CASES), charts.growth(list(curves(family(), results)))]
    for spec in specs:
        drawn = draw.draw(spec, "a <name>")
        assert draw.digest_in(drawn) == draw.digest(spec)
        assert 'aria-label="a &lt;name&gt;"' in drawn
        assert "var(" not in drawn
        assert draw.draw(spec, "a <name>") == drawn
    assert len({draw.digest(spec) for spec in specs}) == len(specs)


def test_a_chart_without_figures_is_none():
    nothing = Results("crl", {}, {})
    assert charts.bars(nothing, CASES) is charts.growth([]) is charts.dots(nothing, CASES) is None


def test_dots_show_the_plain_sides_of_other_libraries_only():
    spec = charts.dots(made_up(), (*CASES, MEMORY))
    assert {value["peer"] for value in spec["data"]["values"]} == {"slow <peer>", "quick peer"}
    assert len(spec["data"]["values"]) == 2 * len(CASES)


def test_growth_leaves_out_costs_of_zero():
    results = made_up()
    first = next(at for at, one in enumerate(results.measurements) if one.case.endswith("size 1,000"))
    spec = charts.growth(list(curves(family(), changed(results, first, 0))))
    assert [point["size"] for point in spec["data"]["values"]] == [4000, 16_000]


@pytest.mark.parametrize(
    ("low", "top", "unit", "labels"),
    [
        (60, 97, "bytes", ["0 bytes", "50 bytes", "100 bytes"]),
        (2e6, 4e6, "ns", ["0 ns", "2 ms", "4 ms"]),
        (10e6, 14.9e9, "ns", ["1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s", "1,000 s"]),
        (2**20, 2**30, "bytes", ["512 KiB", "4 MiB", "32 MiB", "256 MiB", "2 GiB", "16 GiB"]),
    ],
)
def test_an_axis_is_labelled_in_the_units_that_fit(low, top, unit, labels):
    _, axis, _ = charts.axis_of([low, top], unit)
    assert axis["labelExpr"].startswith(str(labels).replace("'", '"') + "[")
