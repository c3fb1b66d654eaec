"""The figures in the pages are those that were stored, and not those of a quick run."""

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
        readme.block(quick, full=False)
