"""The page of `derlib view` in a real browser: sizes of screens, contrast, names and order for assistive technology."""

from __future__ import annotations

import pytest
from support.browsers import PALE, PALE_CONTROLS
from support.commands import CERTIFICATE, der, extension
from support.pages import example
from support.view_page import OUTSIDE, key, look_for, mouse, settled

from derlib import pem
from derlib.schemas.x509 import Certificate, Extension, Extensions


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_text_contrasts_with_its_background(opened, colours):
    page = opened(CERTIFICATE, "#20")
    page.execute_script(
        "const choice = document.getElementById('colours'); choice.value = arguments[0];"
        "choice.dispatchEvent(new Event('change'))",
        colours,
    )
    mouse(page, "mousemove", "#tree .row", 3)
    assert page.execute_script(PALE) == []
    assert page.execute_script(PALE_CONTROLS) == []
    look_for(page, "Test CA")
    assert page.execute_script(PALE) == []
    placeholder = "getComputedStyle(document.getElementById('query'), '::placeholder').color"
    assert page.execute_script(f"return {placeholder} === getComputedStyle(document.getElementById('hint')).color")
    ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 28)"}[colours]


# The bytes in a row at each width of the screen.
WIDTHS = {360: 8, 768: 16, 1280: 16, 2560: 32}
BOXES = "return ['tree', 'bytes'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_screen_of_each_width_shows_all_parts(opened, sized, width):
    sized(width, 800)
    page = opened(CERTIFICATE, f"#{CERTIFICATE.index(b'Test CA')}")
    seen = page.execute_script("return [innerWidth, document.documentElement.scrollWidth, state.width]")
    assert seen == [width, width, WIDTHS[width]]
    assert page.execute_script(OUTSIDE) == [[], 0]
    tree, dump = page.execute_script(BOXES)
    assert min(tree["height"], dump["height"]) > 150
    if width <= 1000:
        assert tree["bottom"] <= dump["top"] + 1
    else:
        assert tree["right"] <= dump["left"] + 1


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_name_and_several_blocks_fit_each_screen(opened, sized, width):
    sized(width, 800)
    page = opened(3 * pem.encode(CERTIFICATE, "CERTIFICATE").encode(), name=f"{'long-' * 30}.pem")
    look_for(page, "Test CA")
    assert page.execute_script("return document.documentElement.scrollWidth") == width
    assert page.execute_script(OUTSIDE) == [[], 0]
    option = page.execute_script("return $('documents').selectedOptions[0].text")
    assert option == "block 1 (CERTIFICATE, line 1): CN=Test"


# The rows whose parts do not fit, or whose field or value has no room.
CRAMPED = """
const shown = [...document.querySelectorAll("#tree .row:not([hidden])")];
return shown.filter((row) => [...row.children].some((part) => {
  const box = part.getBoundingClientRect(), text = part.textContent;
  if (!text || !part.checkVisibility()) return false;
  const least = ["field", "value"].includes(part.className) ? Math.min(36, 5 * text.length) : 0;
  return box.right > row.getBoundingClientRect().right + 1 || box.width < least;
})).map((row) => row.innerText);
"""


@pytest.mark.parametrize("width", WIDTHS)
def test_each_row_has_room_for_its_field_and_its_value(opened, sized, width):
    sized(width, 1000)
    for data in (example("ann.p12"), CERTIFICATE):
        page = opened(data)
        page.execute_script("state.tree.openAll(state.tree.root, 2000); refresh()")
        for share in (0, 0.25, 0.5, 0.75, 1):
            page.execute_script("treeRows.scrollTo(arguments[0] * treeRows.count)", share)
            settled(page)
            assert page.execute_script(CRAMPED) == []


def test_a_value_deep_in_the_tree_has_room_before_its_type(opened, sized):
    sized(1280, 900)
    uri = b"http://crl.example.org/repository/authority.crl"
    point = der(0x30, der(0xA0, der(0xA0, der(0x86, uri))))
    added = Extension.decode(extension("0603551d1f", der(0x30, point)))
    certificate = Certificate.decode(CERTIFICATE)
    tbs = certificate.tbs_certificate
    data = certificate.replace(tbs_certificate=tbs.replace(extensions=Extensions([added]))).encode()
    page = opened(data, f"#{data.index(uri)}")
    row = page.find_element("css selector", "#tree .selected")
    widths = {part.get_attribute("class"): part.size["width"] for part in row.find_elements("css selector", "span")}
    assert widths["value"] > 120
    assert widths["type"] < 60
    assert widths["field"] > 100


@pytest.mark.parametrize("width", WIDTHS)
def test_the_steps_to_an_element_have_the_first_and_the_last(opened, sized, width):
    sized(width, 800)
    page = opened(CERTIFICATE, f"#{CERTIFICATE.index(b'example.org')}")
    steps = [one.text for one in page.find_elements("css selector", "#steps li")]
    assert (steps[0], steps[-1]) == ("Certificate", "[0] dns_name")
    assert ("…" in steps) == (width < 1000)
    assert page.execute_script("const { scrollWidth, clientWidth } = $('steps'); return scrollWidth <= clientWidth")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_part_moves_under_the_mouse(opened, sized, width):
    sized(width, 800)
    page = opened(CERTIFICATE)
    first = page.execute_script(BOXES)
    for selects in (False, True):
        if selects:
            page.execute_script("select(state.tree.at(arguments[0]))", CERTIFICATE.index(b"\x00\xc1"))
        before = page.execute_script(BOXES)
        # On a phone, the details of a selected element take room.
        assert before == first or (selects and width == 360)
        for row in (0, 3, 5):
            mouse(page, "mousemove", "#tree .row", row)
            assert page.execute_script(BOXES) == before


ACCESSIBLE = """
const roles = { "#tree": "tree", "#divider": "separator", "#value": "region", "#tree .row": "treeitem" };
const missing = Object.entries(roles).filter(([query, role]) => document.querySelector(query).role !== role);
const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
const labelled = (one) => one.ariaLabel || one.hasAttribute("aria-labelledby") || one.labels?.length;
const named = (one) => labelled(one) || one.textContent.trim();
const unnamed = [...document.querySelectorAll("button, select, input, section, dialog, [role]")]
  .filter((one) => one.role !== "search" && !one.hidden && !named(one)).map((one) => one.id);
const moving = [...document.querySelectorAll("*")].map((one) => getComputedStyle(one))
  .filter((one) => one.animationName !== "none" || one.transitionDuration !== "0s" || one.scrollBehavior !== "auto");
return [missing, twice, unnamed, moving.length];
"""


def test_parts_have_names_and_roles_and_nothing_moves_by_itself(opened):
    page = opened(CERTIFICATE)
    assert page.execute_script(ACCESSIBLE) == [[], [], [], 0]
    # Rows that are no longer shown do not keep their identifiers.
    key(page, "ArrowLeft")
    assert page.execute_script(ACCESSIBLE) == [[], [], [], 0]
    for name in ("ArrowRight", "ArrowDown", "ArrowDown"):
        key(page, name)
    active = page.execute_script("return document.getElementById('tree').getAttribute('aria-activedescendant')")
    row = page.find_element("id", active)
    assert row.get_attribute("aria-selected") == "true"
    assert (row.get_attribute("aria-level"), row.get_attribute("aria-setsize")) == ("2", "3")
    assert row.get_attribute("aria-description") == "offset 4, 337 bytes"


def test_the_tab_key_follows_the_order_of_the_screen(opened, sized):
    page = opened(CERTIFICATE, "#20")
    page.execute_script(
        "window.order = [];"
        "document.getElementById('colours').focus();"
        "document.addEventListener('focusin', (event) => order.push(event.target.id))"
    )
    for _ in range(14):
        page.switch_to.active_element.send_keys("\ue004")
    copies = ["copy-path", "copy-value", "copy-hex", "copy-base64"]
    places = ["keys", "query", "kind", "previous", "next", "tree", "divider", "bytes", *copies, "save", "value"]
    assert page.execute_script("return order") == places


def test_the_divider_moves_with_the_mouse_and_the_keys(opened):
    page = opened(CERTIFICATE)
    width = "return Math.round(document.getElementById('tree').getBoundingClientRect().width)"
    first = page.execute_script(width)
    key(page, "ArrowLeft", "divider")
    assert page.execute_script(width) < first
    key(page, "Home", "divider")
    assert page.execute_script(width) < 0.2 * 1400
    assert page.find_element("id", "divider").get_attribute("aria-valuenow") == "15"
    key(page, "Enter", "divider")
    assert page.execute_script(width) == first
    from selenium.webdriver import ActionChains

    ActionChains(page).drag_and_drop_by_offset(page.find_element("id", "divider"), -200, 0).perform()
    settled(page)
    assert abs(page.execute_script(width) - (first - 200)) < 20


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_a_long_path_leaves_the_buttons_on_one_line(opened, sized, width):
    sized(width, 800)
    path = "tbs_certificate.subject_public_key_info.subject_public_key.modulus"
    page = opened(CERTIFICATE, f"#{path}")
    tops = page.execute_script(
        "return [...document.querySelectorAll('.actions button')].map((one) => one.getBoundingClientRect().top)"
    )
    assert len(tops) == 5
    assert len(set(tops)) == 1
    assert page.execute_script("return [$('path').textContent, $('path').title]") == [path, path]


def test_on_a_narrow_screen_a_value_has_the_room_of_its_type(opened, sized):
    sized(360, 800)
    page = opened(CERTIFICATE, "#tbs_certificate.validity.not_before")
    cut = """
      const parts = [...document.querySelector("#tree .row.selected").children].filter((one) => one.checkVisibility());
      return parts.map((one) => [one.className, one.scrollWidth > one.clientWidth]);
    """
    assert page.execute_script(cut) == [["twist", False], ["field", False], ["value", False]]
