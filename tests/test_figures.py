"""The figures in the pages are those that were stored, and not those of a quick run."""

import json
import re

import pytest

readme = pytest.importorskip("bench.readme", reason="bench/ is not beside the tests")


def test_the_pages_with_figures_are_found():
    assert {"README.md", "benchmark.md"} <= {page.name for page in readme.PAGES}


@pytest.mark.parametrize("page", readme.PAGES, ids=lambda page: page.name)
def test_a_page_says_what_the_stored_figures_say(page):
    expected = readme.page_with_figures(page)
    assert page.read_text(encoding="utf-8") == expected, "run: python -m bench.readme"


def test_figures_of_a_quick_run_are_refused():
    stored = readme.stored_figures("crl")
    quick = {**stored, "circumstances": {**stored["circumstances"], "quick": True}}
    with pytest.raises(ValueError, match="quick"):
        readme.block(quick, "brief")


def test_the_charts_are_drawn_of_the_stored_figures():
    assert not readme.stale_charts(), "run: make docs"


def test_the_charts_name_cases_that_there_are():
    from bench.families import cache
    from bench.families.crl import FAMILY
    from bench.pages import chosen

    named = {*chosen.DECODE, *chosen.ENCODE, *chosen.PICKLE, *chosen.MEMORY}
    assert named <= {case.name for case in FAMILY.cases}
    assert set(chosen.CACHE) <= {case.name for case in cache.FAMILY.cases}


def test_a_chart_is_stale_when_figures_change_and_when_it_has_none(tmp_path, monkeypatch):
    from bench_results import made_up

    monkeypatch.setattr(readme, "FIGURES", tmp_path)
    stored = made_up("crl")
    figures = tmp_path / "crl.json"
    figures.write_text(json.dumps(stored))
    wanted = readme.stale_charts()
    assert {path.name for path in wanted} >= {"crl-decode.svg", "crl-encode.svg", "crl-memory.svg", "crl-growth.svg"}
    for path, (_, spec) in wanted.items():
        path.write_text(f'<svg data-spec="{readme.digest(spec)}"/>')
    assert readme.stale_charts() == {}
    figures.write_text(json.dumps({**stored, "scalings": []}))
    assert readme.stale_charts() == {tmp_path / "crl-growth.svg": None}
    stored["measurements"][0]["figures"]["median"] *= 2
    figures.write_text(json.dumps(stored))
    assert [path.name for path in readme.stale_charts()] == ["crl-decode.svg"]
    figures.unlink()
    assert readme.stale_charts() == dict.fromkeys(wanted)


def test_a_page_shows_the_charts_by_their_place(tmp_path, monkeypatch):
    from bench_results import made_up

    monkeypatch.setattr(readme, "FIGURES", tmp_path / "docs" / "figures")
    text = readme.block(made_up("crl"), folder=tmp_path / "docs")
    assert "![Decoding a CRL](figures/crl-decode.svg)\n\n" in text
    assert "(docs/figures/crl-decode.svg)" in readme.block(made_up("crl"), folder=tmp_path)
    # The short form has no chart, and the chart alone has no table.
    assert "![" not in readme.block(made_up("crl"), "brief")
    alone = readme.block(made_up("crl"), "chart", readme.ROOT)
    assert re.match(r"!\[[^]]+\]\(\S+/crl-top\.svg\)\n\n\[How this was measured\]\(docs/benchmark\.md\)\n$", alone)
