"""Fixtures of the tests of the page of `derlib view`, which are skipped where there is no browser."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(scope="module")
def browser():
    if "LD_PRELOAD" in os.environ:
        pytest.skip("a sanitizer is loaded, and what is opened here is not ours")
    # Skips the test if there is no browser.
    from support.browsers import opened_browser

    with opened_browser() as driver:
        driver.set_window_size(1400, 900)
        yield driver


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a file with these bytes, at a fragment."""
    from support.commands import run
    from support.view_page import settled

    def opened(data, fragment="", name="a.der", options=(), status=0):
        (tmp_path / name).write_bytes(data)
        run("view", str(tmp_path / name), "-o", str(tmp_path / "out.html"), *options, status=status)
        browser.get("about:blank")
        browser.get((tmp_path / "out.html").as_uri() + fragment)
        settled(browser)
        return browser

    yield opened
    assert browser.get_log("browser") == []


@pytest.fixture
def sized(browser):
    """Give the page of the browser a size."""

    def sized(width, height):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield sized
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
