"""Helpers of the tests of the page of `derlib view`: what it shows, and mouse, keys and search."""

from __future__ import annotations

import time

HOSTILE = "</script></title></style><img src=x onerror=\"window.ran=1\"><script>window.ran=1</script><!--'&\x1b\u202e"
# Every element, as the script of the page sees it.
WALK = """
const found = [];
const walk = (node) => {
  found.push([node.at, node.content - node.at, node.end - node.content, Der.typeName(node)]);
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""
LIT = """
return ["hovered", "selected", "tag", "length", "hit"].map((light) =>
  [...document.querySelectorAll("#bytes .row:not([hidden]) .byte." + light)]
    .map((one) => one.parentNode.start + one.at));
"""


def settled(page):
    """Wait until the page is drawn: with the next frame, or after the delay of a mouse event."""
    page.execute_async_script(
        "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 180)"
    )


def mouse(page, kind, selector, at=0):
    page.execute_script(
        "const [kind, selector, at] = arguments;"
        "[...document.querySelectorAll(selector)].filter((one) => !one.hidden)[at]"
        ".dispatchEvent(new MouseEvent(kind, { bubbles: true }))",
        kind,
        selector,
        at,
    )
    settled(page)


def key(page, name, target="tree"):
    page.execute_script(
        "document.getElementById(arguments[1]).dispatchEvent("
        "new KeyboardEvent('keydown', { key: arguments[0], bubbles: true, cancelable: true }))",
        name,
        target,
    )
    settled(page)


def rows(page):
    """Return the text of the visible rows of the tree."""
    return page.execute_script(
        "return [...document.querySelectorAll('#tree .row:not([hidden])')].map((one) => [...one.children]"
        ".map((part) => part.textContent).filter(Boolean).join(' '))"
    )


def selected(page):
    return page.execute_script("return state.selected && [state.selected.at, state.selected.end]")


def look_for(page, query, kind="any"):
    page.execute_script(
        "document.getElementById('query').value = arguments[0]; document.getElementById('kind').value = arguments[1];"
        "document.getElementById('query').dispatchEvent(new Event('input'))",
        query,
        kind,
    )
    deadline = time.monotonic() + 30
    while page.execute_script("return pending !== 0") and time.monotonic() < deadline:
        settled(page)
    settled(page)
    return page.execute_script("return document.getElementById('matches').textContent")


BER = bytes.fromhex("3080 2480 040161 2403 040162 0000 308600000000 0002 0500 a080 7f8100 80 0000 0000 0101ff 0000")
# The texts of each row, with all elements closed.
CLOSED = """
const found = [];
const walk = (node) => {
  state.tree.setOpen(node, false);
  const parts = [fieldOf(node), typeOf(node), tagOf(node), valueOf(node, 200), node.at];
  found.push(parts.filter((one) => one !== "").join(" "));
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""
# The controls that are not on the screen, and the rows of bytes that are cut.
OUTSIDE = """
const controls = [...document.querySelectorAll("button, select, input, code, #value")];
const outside = controls.filter((one) => one.checkVisibility()).filter((one) => {
  const box = one.getBoundingClientRect();
  return box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || !box.width;
});
const rows = [...document.querySelectorAll("#bytes .row:not([hidden])")];
const cut = rows.filter((row) => row.scrollWidth > row.clientWidth);
return [outside.map((one) => one.id), cut.length];
"""
PATHS = """
const found = [];
const walk = (node) => {
  found.push([node.at, pathOf(node)]);
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""
