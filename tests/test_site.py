"""The pages in a real browser, opened as files: search, copying, charts, and small screens. Called by `make test-site`.

Skipped without the site in build/site, or without chromium and its driver.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.browsers import opened_browser, webdriver

SITE = Path(__file__).resolve().parent.parent / "build" / "site"
FIGURES = sorted((SITE.parent.parent / "docs" / "figures").glob("*.svg"))

if not (SITE / "index.html").is_file():
    pytest.skip("build/site is missing; make test-site builds it", allow_module_level=True)

# The texts of a drawing that are not completely inside of it.
CLIPPED = """
const box = document.documentElement.getBoundingClientRect();
return [...document.querySelectorAll("text")].filter((text) => {
  const own = text.getBoundingClientRect();
  return own.left < box.left || own.right > box.right || own.top < box.top || own.bottom > box.bottom;
}).map((text) => text.textContent);
"""
# The example that contains a text.
EXAMPLE = "return [...document.querySelectorAll('div.highlight')].find((one) => one.textContent.includes(arguments[0]))"


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as driver:
        driver.set_window_size(1280, 900)
        yield driver


def opened(browser, page):
    browser.get(f"{SITE.as_uri()}/{page}")
    return browser


def until(browser, script, *arguments):
    """Run a script until its result is true, and return the result."""
    end = time.monotonic() + 20
    while not (found := browser.execute_script(script, *arguments)):
        assert time.monotonic() < end, script
        time.sleep(0.05)
    return found


@pytest.mark.parametrize(
    ("words", "page", "snippet"),
    [
        ("indirect CRL", "docs/x509.html", "indirect CRL contains entries of several issuers"),
        ("Suppose device measurements", "docs/tutorial.html", "Suppose that a device reports measurements"),
    ],
)
def test_the_search_shows_the_text_around_a_match_without_a_server(browser, words, page, snippet):
    opened(browser, f"search.html?q={words}")
    found = until(
        browser,
        "return [...document.querySelectorAll('ul.search li')].filter((row) => row.querySelector('.context') &&"
        " row.querySelector('a').getAttribute('href').startsWith(arguments[0])).map((row) => row.textContent).join()",
        page,
    )
    assert snippet in found


def copy_example(browser, text):
    """Click the button of an example, and return what it copies."""
    browser.execute_script("window.copied = ''; document.oncopy = () => { window.copied = String(getSelection()); };")
    example = browser.execute_script(EXAMPLE, text)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", example)
    button = example.find_element("css selector", "button.copybtn")
    webdriver.ActionChains(browser).move_to_element(example).move_to_element(button).click().perform()
    return until(browser, "return window.copied")


def test_the_copied_text_of_an_example_has_no_prompts_and_no_output(browser):
    opened(browser, "docs/tutorial.html")
    copied = copy_example(browser, "class Reading(Sequence)")
    assert "note: Annotated[str, Size(1, 80)] | None = None\n\n    @property" in copied
    compile(copied, "copied", "exec")
    copied = copy_example(browser, "entries = crl.revoked_certificates")
    assert copied.endswith("len(entries), hex(entries[-1].serial_number), entries[-1].reason")
    compile(copied, "copied", "exec")


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_no_text_of_a_chart_is_clipped(browser, figure):
    browser.get(figure.as_uri())
    assert browser.execute_script(CLIPPED) == []


@pytest.mark.parametrize("width", [360, 1280, 2560])
@pytest.mark.parametrize("page", ["index", "moving", "strict", "x509", "rules", "reference/schemas/derlib.schemas.crl"])
def test_a_page_does_not_scroll_sideways(browser, width, page):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        opened(browser, f"docs/{page}.html")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
