"""The report in a real browser: charts are visible, columns sort, a phone shows it, and dark pages are legible.

Skipped where there is no chromium with its driver, or no selenium; `.ci/run` installs them where it may.
"""

from __future__ import annotations

import os

import pytest

if "LD_PRELOAD" in os.environ:
    pytest.skip("a sanitizer is loaded, and what is drawn and opened here is not ours", allow_module_level=True)
pytest.importorskip("bench.pages", reason="bench/ is not beside the tests")
pytest.importorskip("vl_convert", reason="vl-convert-python is not installed: no charts can be drawn")

from support.bench_results import family, made_up
from support.browsers import PALE, opened_browser

from bench.pages import report

WIDE = """
return [...document.querySelectorAll("body *")].filter((element) => !element.closest(".frame *")
  && element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.outerHTML.slice(0, 80));
"""


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as driver:
        yield driver


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(report.page([(family(name), made_up(name)) for name in ("crl", "syntax")]), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser, address):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.set_window_size(1280, 900)
    browser.get(address)
    # Rows in a closed summary do not have a position or colours.
    browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    return browser


def column(page, caption, at):
    """Return the texts of a column."""
    return page.execute_script(
        "return [...document.querySelectorAll('table')].find((one) => one.caption.textContent.startsWith(arguments[0]))"
        ".tBodies[0].innerText.split('\\n').map((line) => line.split('\\t')[arguments[1]])",
        caption,
        at,
    )


def click_head(page, caption, at):
    """Click on the head of a column; return `aria-sort` of the heads."""
    return page.execute_script(
        "const heads = [...document.querySelectorAll('table')]"
        ".find((one) => one.caption.textContent.startsWith(arguments[0])).tHead.rows[0].cells;"
        "heads[arguments[1]].querySelector('button').click();"
        "return [...heads].map((one) => one.getAttribute('aria-sort'))",
        caption,
        at,
    )


def test_all_charts_are_there_and_have_a_size(page):
    sizes = page.execute_script(
        "return [...document.querySelectorAll('svg.chart')].map((one) => one.getBoundingClientRect())"
        ".map((box) => [box.width, box.height])"
    )
    # For each family: other libraries, times, memory, growth.
    assert len(sizes) == 2 * 4
    assert all(width > 200 and height > 50 for width, height in sizes)
    assert page.execute_script("return document.querySelectorAll('svg.chart path, svg.chart text').length") > 100


def test_the_console_has_no_messages(page):
    assert page.get_log("browser") == []


def test_a_click_on_a_head_sorts_by_value_and_sets_aria_sort(page):
    caption, median, heads = "Decode", 2, 7
    assert click_head(page, caption, median) == [None] * median + ["ascending"] + [None] * (heads - median - 1)
    rising = column(page, caption, median)
    assert [one.split()[0] for one in rising[:6]] == ["2.15"] * 2 + ["4.05"] * 2 + ["715"] * 2
    assert click_head(page, caption, median)[median] == "descending"
    falling = column(page, caption, median)
    assert [one.split()[0] for one in falling[:6]] == ["715"] * 2 + ["4.05"] * 2 + ["2.15"] * 2
    # Sides without a figure are last, in either order.
    assert all("no figure" in one for one in (*rising[6:], *falling[6:]))
    assert click_head(page, caption, 1)[median] is None
    sides = column(page, caption, 1)
    assert sides == sorted(sides)


def test_a_phone_shows_the_page_without_scrolling_sideways(page):
    size = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.execute_script("return [innerWidth, document.documentElement.scrollWidth]") == [360, 360]
        assert page.execute_script(WIDE) == []
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_text_contrasts_with_its_background(page, colours):
    features = [{"name": "prefers-color-scheme", "value": colours}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    assert page.execute_script(PALE) == []
    ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}[colours]


def test_without_javascript_only_sorting_is_missing(browser, address):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(address)
        expression = (
            "[document.querySelectorAll('svg.chart').length, document.querySelectorAll('tbody tr').length > 20,"
            " document.querySelectorAll('th button').length]"
        )
        asked = {"expression": expression, "returnByValue": True}
        assert browser.execute_cdp_cmd("Runtime.evaluate", asked)["result"]["value"] == [8, True, 0]
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
