"""The figures in the pages and charts are the stored ones, and not those of a quick run."""

from xml.etree import ElementTree

import pytest

readme = pytest.importorskip("bench.readme", reason="bench/ is not beside the tests")

from support.bench_results import changed, made_up  # noqa: E402

from bench import families  # noqa: E402
from bench.harness.results import Results  # noqa: E402
from bench.pages import chosen  # noqa: E402
from bench.pages.draw import LETTER, ends_of_texts  # noqa: E402

INTERNAL = ("reach", "aim", "verdict", "missed", "octets")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for figures."""
    monkeypatch.setattr(readme, "FIGURES", tmp_path)
    readme.stored.cache_clear()
    yield tmp_path
    readme.stored.cache_clear()


def test_the_pages_with_figures_are_found():
    assert {"README.md", "index.md", "benchmark.md"} <= {page.name for page in readme.PAGES}


@pytest.mark.parametrize("page", readme.PAGES, ids=lambda page: page.name)
def test_a_page_shows_the_stored_figures(page):
    expected = readme.page_with_figures(page)
    assert page.read_text(encoding="utf-8") == expected, "run: python -m bench.readme"
    # X.690's own term.
    expected = expected.replace("end-of-contents octets", "")
    assert not [word for word in expected.lower().split() if word.strip(".,:;()\"'") in INTERNAL]


@pytest.mark.parametrize(("name", "most"), [("README.md", 120), ("benchmark.md", 150)])
def test_a_page_for_users_is_short(name, most):
    [page] = [page for page in readme.PAGES if page.name == name]
    assert len(page.read_text(encoding="utf-8").splitlines()) <= most


def test_the_charts_are_drawn_from_the_stored_figures():
    assert not readme.stale_charts(), "run: make docs"


def test_no_chart_shows_a_library_that_was_not_installed():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in readme.FIGURES.glob("*.svg")}
    assert [name for name, text in texts.items() if "not installed" in text] == []


@pytest.mark.parametrize("chart", sorted(readme.FIGURES.glob("*.svg")), ids=lambda path: path.stem)
def test_a_chart_has_room_for_its_texts_in_a_wide_font(chart):
    root = ElementTree.fromstring(chart.read_text(encoding="utf-8"))
    ends = list(ends_of_texts(root))
    assert len(ends) > 10
    assert min(first for first, _ in ends) >= 0
    assert max(last for _, last in ends) <= float(root.get("width"))


def test_the_ends_of_a_text_depend_on_its_anchor_and_its_place():
    text = '<g transform="translate(100,0)"><text text-anchor="{}" transform="translate(5,2)">abcde</text></g>'
    width = 5 * 12 * LETTER
    for anchor, before in (("start", 0.0), ("middle", width / 2), ("end", width)):
        ends = list(ends_of_texts(ElementTree.fromstring(text.format(anchor))))
        assert ends == [pytest.approx((105 - before, 105 - before + width))]


def test_figures_of_a_quick_run_are_rejected(folder):
    made_up("crl", quick=True).store(folder)
    with pytest.raises(ValueError, match="quick"):
        readme.block("crl", readme.ROOT)


def test_charts_and_tables_name_cases_and_sides_that_exist():
    for chart in chosen.CHARTS:
        # An undeclared name raises KeyError.
        assert chart.make(families.load(chart.family), Results(chart.family, {}, {})) is None
    for table in chosen.TABLES.values():
        for case in table.rows():
            assert set(table.sides) <= {side.name for side in case.all_sides()}, case.name
    for _, family, name, sides in (*chosen.README, *chosen.LANDING):
        [case] = chosen.named(families.load(family), [name])
        assert {"derlib", *sides} <= {side.name for side in case.all_sides()}, name


def test_a_chart_is_stale_when_its_figures_change_or_are_missing(folder):
    results = made_up("crl")
    results.store(folder)
    wanted = readme.stale_charts()
    assert {path.name for path in wanted} >= {"crl-top.svg", "crl-decode.svg", "crl-encode.svg", "crl-growth.svg"}
    for path, (_, spec) in wanted.items():
        path.write_text(f'<svg data-spec="{readme.digest(spec)}"/>')
    assert readme.stale_charts() == {}

    def stale_with(results):
        results.store(folder)
        readme.stored.cache_clear()
        return readme.stale_charts()

    timed = [one for one in results.measurements if not one.case.startswith("time")]
    without = Results(results.family, results.conditions, results.peers, timed)
    assert stale_with(without) == {folder / "crl-growth.svg": None}
    assert {path.name for path in stale_with(changed(results, 0, 9e6))} == {"crl-top.svg", "crl-decode.svg"}
    (folder / "crl.json").unlink()
    assert readme.stale_charts() == dict.fromkeys(wanted)


def test_blocks_refer_to_charts_by_relative_paths():
    docs = readme.ROOT / "docs"
    assert "![Time to decode a CRL](figures/crl-decode.svg)\n" in readme.block("crl", docs)
    assert "(docs/figures/crl-decode.svg)" in readme.block("crl", readme.ROOT)
    assert "(docs/figures/crl-top.svg)\n\n" in readme.block("readme", readme.ROOT)
    assert "crl-top.svg" not in readme.block("crl", docs)


def test_a_listing_has_the_figures_of_the_others_with_their_ratio_to_the_first(folder):
    cases = ("decode a CRL and read every entry",)
    results = rename(made_up("crl"), "slow <peer>", "asn1crypto")
    rows = readme.listing(chosen.Table("crl", cases), results)
    assert rows == [("", "derlib", "others"), (*cases, "4.05 ms", "asn1crypto 715 ms (177×)")]
    rows = readme.grid(chosen.Table("crl", cases, ("asn1crypto", "cryptography")), results)
    assert rows == [("", "derlib", "asn1crypto", "cryptography"), (*cases, "4.05 ms", "177×", "-")]


def rename(results, old, new):
    """Return the results with another name of a side."""
    text = results.text().replace(f'"{old}"', f'"{new}"')
    path = readme.FIGURES / "renamed.json"
    path.write_text(text, encoding="utf-8")
    return readme.load(path)
