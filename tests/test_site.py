"""The pages in a real browser, opened as files: search, copying, charts, and small screens. Called by `make test-site`.

Skipped without the site in build/site, or without chromium and its driver.
"""

from __future__ import annotations

import html
import re
import time
from pathlib import Path
from urllib.parse import quote

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


# What a new user types, the page that answers it, and how many results may be above that page.
QUERIES = [
    ("SAN", "docs/x509.html#alternative-names", 0),
    ("get SANs", "docs/x509.html#alternative-names", 0),
    ("How do I read the subject alternative names of a certificate?", "docs/x509.html", 0),
    ("notebook", "docs/tutorial.html#in-a-jupyter-notebook", 0),
    ("jupyter", "docs/tutorial.html#in-a-jupyter-notebook", 0),
    ("_repr_html_", "docs/tutorial.html#in-a-jupyter-notebook", 0),
    ("tolerate non-DER", "docs/deviations.html", 0),
    ("lenient", "docs/deviations.html", 0),
    ("own schema", "docs/schema-language.html", 0),
    ("define SEQUENCE", "docs/schema-language.html", 0),
    ("OPTIONAL DEFAULT", "docs/schema-language.html", 0),
    ("CHOICE", "docs/schema-language.html#choices", 0),
    ("implicit tag", "docs/schema-language.html#tags", 0),
    ("verify signature", "docs/x509.html", 2),
    ("p12", "docs/cms.html#read-a-pkcs-12-file", 0),
    ("open a pfx file", "docs/cms.html#read-a-pkcs-12-file", 0),
    ("CSR", "docs/requests-and-status.html", 3),
    ("thumbprint", "docs/x509.html", 3),
    ("is a certificate revoked", "docs/x509.html#check-whether-a-certificate-is-revoked", 0),
    ("CRL", "docs/x509.html", 2),
    ("indirect CRL", "docs/x509.html", 1),
    ("parse private key", "docs/x509.html", 0),
    ("pandas", "docs/columns.html", 0),
    ("convert to json", "docs/native-and-json.html", 1),
    ("timestamp", "docs/requests-and-status.html#read-a-time-stamp", 0),
    ("OCSP response", "docs/requests-and-status.html", 2),
    ("large file with little memory", "docs/large-crls.html", 0),
    ("migrate from asn1crypto", "docs/moving.html", 0),
    ("command line", "docs/cli.html", 0),
    ("performance", "docs/benchmark.html", 0),
    ("is it safe for untrusted input", "docs/security.html", 0),
    ("Suppose device measurements", "docs/tutorial.html", 0),
    ("SubjectPublicKeyInfo", "docs/reference/schemas/derlib.schemas.public_keys.html", 0),
]


def results(browser, words):
    """Return the links and the snippets of a search."""
    opened(browser, f"search.html?q={quote(words)}")
    until(browser, "return document.querySelector('#search-results h2')")
    return browser.execute_script(
        "return [...document.querySelectorAll('ul.search li')]"
        ".map((row) => [row.querySelector('a').getAttribute('href'), row.querySelector('.context').textContent])"
    )


@pytest.mark.parametrize(("words", "page", "above"), QUERIES, ids=[words for words, *_ in QUERIES])
def test_the_search_finds_the_page_that_answers_without_a_server(browser, words, page, above):
    links = [link for link, _ in results(browser, words)]
    assert any(link.startswith(page) for link in links[: above + 1]), links[:5]


@pytest.mark.parametrize("words", ["own schema", "verify signature", "jupyter", "SAN"])
def test_pages_about_the_project_are_below_the_guides(browser, words):
    links = [link.partition("#")[0] for link, _ in results(browser, words)]
    project = {"CHANGELOG.html", "CONTRIBUTING.html", "docs/architecture.html", "docs/benchmark.html"}
    assert not project.intersection(links[:5] if len(links) > 5 else links[:1])


def test_a_snippet_has_whole_words_and_separates_the_cells_of_tables(browser):
    found = dict(results(browser, "indirect CRL"))
    assert "Delta CRLs, partial CRLs and indirect CRLs have" in next(
        text for link, text in found.items() if link.startswith("docs/x509.html")
    )
    pages = [path.read_text(encoding="utf-8") for path in (SITE / "docs").glob("*.html")]
    words = set(re.findall(r"\w+", html.unescape(re.sub(r"<[^>]+>", "", "".join(pages)))))
    guides = [text for link, text in found.items() if re.match(r"docs/[\w-]+\.html", link)]
    assert guides
    for text in guides:
        assert set(re.findall(r"\w+", text)) <= words
    assert any(" | " in text for text in dict(results(browser, "SAN")).values())


def copy_example(browser, text):
    """Click the button of an example, and return what it copies."""
    browser.execute_script("window.copied = ''; document.oncopy = () => { window.copied = String(getSelection()); };")
    example = browser.execute_script(EXAMPLE, text)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", example)
    button = example.find_element("css selector", "button.copybtn")
    click = webdriver.ActionChains(browser).move_to_element(example).move_to_element(button).click()
    # On a busy machine, a click is lost while the page still scrolls.
    for _ in range(10):
        click.perform()
        for _ in range(40):
            if copied := browser.execute_script("return window.copied"):
                return copied
            time.sleep(0.05)
    raise AssertionError("nothing was copied")


def test_the_copied_text_of_an_example_has_no_prompts_and_no_output(browser):
    opened(browser, "docs/tutorial.html")
    copied = copy_example(browser, "class Reading(Sequence)")
    assert "note: Annotated[str, Size(1, 80)] | None = None\n\n    @property" in copied
    compile(copied, "copied", "exec")
    copied = copy_example(browser, "entries = crl.revoked_certificates")
    assert copied.endswith("len(entries), hex(entries[-1].serial_number), entries[-1].reason")
    compile(copied, "copied", "exec")


def test_the_button_that_copies_is_visible_when_the_keyboard_reaches_it(browser):
    opened(browser, "docs/tutorial.html")
    shown = """
        const button = document.querySelector('button.copybtn'), style = getComputedStyle(button);
        button.style.transition = 'none';
        button.focus();
        return [style.opacity, style.outlineStyle];
    """
    assert browser.execute_script(shown) == ["1", "solid"]


@pytest.mark.parametrize("page", ["index", "benchmark"])
def test_a_chart_keeps_its_size_on_a_narrow_screen(browser, page):
    metrics = {"width": 360, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        opened(browser, f"docs/{page}.html")
        sizes = "return [...document.querySelectorAll('article img')].map((one) => [one.width, one.naturalWidth])"
        shown = browser.execute_script(sizes)
        assert shown
        assert all(width == natural for width, natural in shown)
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_no_text_of_a_chart_is_clipped(browser, figure):
    browser.get(figure.as_uri())
    assert browser.execute_script(CLIPPED) == []


@pytest.mark.parametrize("width", [360, 1280, 2560])
@pytest.mark.parametrize(
    "page",
    ["index", "moving", "strict", "x509", "rules", "benchmark", "reference/schemas/derlib.schemas.crl", "../genindex"],
)
def test_a_page_does_not_scroll_sideways(browser, width, page):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        opened(browser, f"docs/{page}.html")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
