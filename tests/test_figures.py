"""The figures in the pages are those that were stored, and not those of a quick run."""

import json

import pytest

readme = pytest.importorskip("bench.readme", reason="bench/ is not beside the tests")


@pytest.fixture(scope="module")
def stored():
    return json.loads(readme.FIGURES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", readme.PAGES, ids=lambda page: page.name)
def test_a_page_says_what_the_stored_figures_say(page, stored):
    expected = readme.page_with_figures(page, stored)
    assert page.read_text(encoding="utf-8") == expected, "run: python -m bench.readme"


def test_figures_of_a_quick_run_are_refused(stored):
    quick = {**stored, "circumstances": {**stored["circumstances"], "quick": True}}
    with pytest.raises(ValueError, match="quick"):
        readme.block(quick, full=False)
