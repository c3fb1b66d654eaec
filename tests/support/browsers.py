"""A chromium without a window for the tests of pages. They are skipped where it, its driver or selenium is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: the page is not opened")

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    pytest.skip("chromium or its driver is missing", allow_module_level=True)

# Functions for the contrast of two colours, and the background of an element (WCAG 2.1, 1.4.3).
_CONTRAST = """
const channels = (colour) => (colour.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const opaque = (colour) => (channels(colour)[3] ?? 1) > 0;
const light = (colour) => {
  const [red, green, blue] = channels(colour).map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement)
    if (opaque(getComputedStyle(at).backgroundColor)) return getComputedStyle(at).backgroundColor;
  return "rgb(255, 255, 255)";
};
const contrast = (one, other) => {
  const pair = [light(one), light(other)];
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
};
"""

# The texts whose contrast with their background is below 4.5.
PALE = (
    _CONTRAST
    + """
const pale = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || ["SCRIPT", "STYLE", "OPTION"].includes(element.tagName)) continue;
  const style = getComputedStyle(element);
  const found = contrast(element.tagName === "text" ? style.fill : style.color, behind(element));
  if (found < 4.5) pale.push(`${element.tagName} ${element.textContent.slice(0, 40)}: ${found.toFixed(1)}`);
}
return pale;
"""
)

# The controls whose border has a contrast below 3 with the background around them (WCAG 2.1, 1.4.11).
PALE_CONTROLS = (
    _CONTRAST
    + """
return [...document.querySelectorAll("button, select, input")].filter((one) =>
  contrast(getComputedStyle(one).borderTopColor, behind(one.parentElement)) < 3).map((one) => one.id);
"""
)


@contextmanager
def opened_browser() -> Iterator[Any]:
    """Return a driver of selenium, which stores the messages of the console (`get_log("browser")`)."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_argument("--headless=new")
    options.add_argument("--disable-gpu")
    options.add_argument("--disable-dev-shm-usage")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()
