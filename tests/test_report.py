"""The report is whole by itself, says first what its figures do not show, and hides no failure."""

from __future__ import annotations

import os
import re

import pytest

if "LD_PRELOAD" in os.environ:
    pytest.skip("a sanitizer is loaded, and what is drawn and opened here is not ours", allow_module_level=True)
pytest.importorskip("bench.pages", reason="bench/ is not beside the tests")
pytest.importorskip("vl_convert", reason="vl-convert-python is not installed: no charts can be drawn")

from bench_results import made_up, stored_in

from bench.pages import charts, draw, report

KNOWN = ["crl", "cache", "records"]


def write(folder, *results):
    """The text of the page of these results."""
    stored_in(folder / "results", *results)
    return report.write(folder / "results", folder / "pages" / "report.html", KNOWN).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write(tmp_path_factory.mktemp("report"), made_up("records"), made_up("crl"))


def test_the_page_opens_with_what_its_figures_do_not_show(text):
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert headings == ["What these figures do not show", "Summary", "crl", "records"]
    opening = text[: text.index("<h2>Summary")]
    assert "a processor with 2 cores" in opening
    assert "The families cache: there are no results of them here." in opening
    assert len(re.findall("<li>", opening)) < 8


def test_a_family_opens_with_what_its_figures_do_not_show(text):
    section = text[text.index('<section id="crl">') : text.index('<section id="records">')]
    opening = section[: section.index("<table")]
    assert "A limit of this family." in opening
    assert "Anything of absent peer: not installed." in opening


def test_a_comparison_says_in_words_which_takes_less_and_what_the_other_leaves_out(text):
    [table] = re.findall(r"<span>crl: what was wanted of derlib.*?</table>", text, re.DOTALL)
    assert re.search(r'class="words" data-value="176\.54\d*">derlib is 177 times as fast</td>', table)
    assert ">derlib takes 1.9 times as long</td>" in table
    assert "<td>quick peer (does not look into entries)</td>" in table


def test_the_page_needs_nothing_but_itself(text):
    assert not re.search(r"""\b(?:src|href)\s*=\s*(?!"#|"data:)""", text)
    assert not re.search(r"@import|url\(|fetch\(", text)


def test_the_same_results_give_the_same_page(text, tmp_path):
    assert write(tmp_path, made_up("crl"), made_up("records")) == text


def test_a_side_without_a_figure_is_a_row_that_says_why(text):
    [table] = re.findall(r"<span>crl: what has no figure</span>.*?</table>", text, re.DOTALL)
    assert table.count("<tr><th") == 1 + 3
    assert table.count("<td>not installed</td>") == 3
    assert "no figure: not installed" in text


def test_published_figures_stand_apart_and_are_not_rounded(text):
    apart = re.findall(r'<div class="published">.*?</table></div></div>', text, re.DOTALL)
    assert len(apart) == 2
    assert all("123,456 s" in one for one in apart)
    assert all("Published by others, not measured here" in one for one in apart)
    assert text.count("elsewhere 1.0") == sum(one.count("elsewhere 1.0") for one in apart) > 0


def test_names_are_escaped(text):
    assert "slow <peer>" not in text
    assert "slow &lt;peer&gt;" in text


def test_the_summary_counts_what_was_kept(text):
    [line] = re.findall(r'<tr><th scope="row">crl</th>.*', text)
    # Kept: twice the aim, and one exponent; missed: twice; without a figure: twice, and one exponent.
    assert [int(value) for value in re.findall(r'data-value="(\d+)"', line)] == [2, 1, 2, 2, 3]


def test_figures_of_a_quick_run_are_marked(tmp_path):
    text = write(tmp_path, made_up("crl", quick=True))
    assert text.index("These figures show nothing at all.") < text.index("<h2>Summary")


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no results"):
        report.write(tmp_path, tmp_path / "report.html", KNOWN)


def test_each_chart_is_drawn_with_its_digest_and_its_name():
    stored = made_up()
    specs = [charts.beside(stored), charts.bars(stored["measurements"]), charts.growth(stored["scalings"])]
    for spec in specs:
        drawn = draw.draw(spec, "a <name>")
        assert draw.digest_in(drawn) == draw.digest(spec)
        assert 'aria-label="a &lt;name&gt;"' in drawn
        assert "var(" not in drawn
        assert draw.draw(spec, "a <name>") == drawn
    assert len({draw.digest(spec) for spec in specs}) == len(specs)


def test_a_chart_of_nothing_is_none():
    empty = {"measurements": [], "rows": [], "scalings": []}
    assert charts.bars([]) is charts.growth([]) is charts.beside(empty) is None


def test_growth_leaves_out_what_is_nothing():
    stored = made_up()["scalings"][0]
    stored["points"][0]["figures"] |= {"median": 0.0, "quartiles": [0.0, 0.0]}
    spec = charts.growth([stored])
    assert [point["size"] for point in spec["data"]["values"]] == [4000, 16_000]


def test_a_spread_too_wide_and_another_side_are_told(tmp_path):
    stored = made_up()
    stored["rows"][0] |= {"side": "derlib, checked only", "spread": "spread too wide: quick peer 5.0%"}
    text = write(tmp_path, stored)
    assert "decode CRL, plain: derlib, checked only" in text
    assert "✓ aim kept; spread too wide: quick peer 5.0%" in text


def test_costs_that_were_fitted_are_a_row_for_each_term(tmp_path):
    fit = {"work": "decode", "side": "derlib", "unit": "µs", "why": ""}
    failed = {**fit, "side": "other", "costs": None, "why": "not installed"}
    text = write(tmp_path, {**made_up(), "fits": [{**fit, "costs": {"a packet": 1.5, "an octet": 0.25}}, failed]})
    [table] = re.findall(r"<span>crl: costs fitted over several things</span>.*?</table>", text, re.DOTALL)
    assert re.findall(r'data-value="([\d.]+)">([^<]+)<', table) == [("1.5", "1.5 µs"), ("0.25", "0.25 µs")]
    assert "not installed" in table


def test_of_many_peers_those_that_count_are_drawn():
    stored = made_up()
    many = [{**stored["rows"][0], "peer": f"peer {number}", "reach": None, "aim": None} for number in range(9)]
    stored["rows"] += many
    spec = charts.beside(stored)
    assert {value["peer"] for value in spec["data"]["values"]} == {"slow <peer>", "quick peer"}
    stored["rows"] = [{**row, "reach": 1} for row in many]
    assert charts.beside(stored) is None


def test_small_sizes_are_told_in_octets():
    measured = made_up()["measurements"][-4:-1]
    for one in measured:
        one["figures"] |= {"median": 24 / 2**20, "quartiles": [24 / 2**20] * 2, "unit": "MiB"}
    spec = charts.bars(measured)
    assert {(value["median"], value["words"]) for value in spec["data"]["values"]} == {(24.0, "24 octets")}
