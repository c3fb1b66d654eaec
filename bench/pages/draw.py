"""Draw specifications as SVG, with colours for light and dark pages. Called by report.py and bench/readme.py.

vl-convert draws without a browser and without the network. Its output is then made smaller, and each named colour
becomes a class and the colour for light pages, which programs without style sheets use.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

from bench.pages.charts import FONT, Spec

VERSION = "5.20"
# Okabe and Ito's colours, which colour-blind readers can distinguish; those for dark pages are lighter.
COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#14181d"),
    "ink": ("#1b1f24", "#e8ebee"),
    "muted": ("#57606a", "#9ba5b0"),
    "grid": ("#dfe3e8", "#333b44"),
    "ours": ("#0072b2", "#3391d0"),
    "others": ("#b4bac2", "#5d6772"),
    "series0": ("#d55e00", "#ff8a3d"),
    "series1": ("#0072b2", "#56b4e9"),
    "series2": ("#009e73", "#2fd6a6"),
    "series3": ("#b0487f", "#f0a3cf"),
    "series4": ("#8a6d00", "#f0e442"),
    "series5": ("#1b1f24", "#e8ebee"),
    "series6": ("#6a51a3", "#b8a5f2"),
}
TAG = re.compile(r"<(\w+)( [^<>]*?)(/?)>")
INSIDE = re.compile(r"<[^<>]*>")
NAMED = re.compile(r' (fill|stroke)="var\(--(\w+)\)"')
LONG = re.compile(r"-?\d+\.\d{3,}")
# Attributes without effect, and labels for screen readers: the chart has a name, and a table has its figures.
NOISE = re.compile(
    r' (?:aria-[a-z]+|role|pointer-events)="[^"]*"| class="(?:mark-|role-|background|foreground)[^"]*"'
    r'| font-family="[^"]*"| opacity="1"| stroke-width="1"| stroke-miterlimit="10"| text-anchor="start"'
    r'| transform="translate\(0,0\)"'
)
MOVED = re.compile(r"translate\((-?[\d.]+),")
LETTER = 0.6
"""The mean width of a letter, in font sizes, of the wide fonts that replace a missing one; a bold one is wider."""
EMPTY = re.compile(r'<path (?:d=""|d="M0(?:\.5)?,0(?:\.5)?h0v0h0Z")[^>]*/>|<g(?: [^>]*)?></g>')


def digest(spec: Spec) -> str:
    """Return a digest of a specification, and of the constants that change its drawing."""
    described = json.dumps([spec, COLOURS, VERSION, LETTER], sort_keys=True)
    return hashlib.sha256(described.encode()).hexdigest()[:32]


def digest_in(svg: str) -> str:
    """Return the digest of the specification that a chart was drawn from."""
    found = re.search(r'data-spec="(\w+)"', svg)
    return found[1] if found else ""


def coloured(tag: re.Match[str]) -> str:
    """Return a tag with a class for each named colour, and the colour for light pages."""
    name, attributes, end = tag.groups()
    classes = " ".join(f"{kind}-{colour}" for kind, colour in NAMED.findall(attributes))
    if not classes:
        return tag[0]
    attributes = NAMED.sub(lambda found: f' {found[1]}="{COLOURS[found[2]][0]}"', attributes)
    return f'<{name} class="{classes}"{attributes}{end}>'


def rounded(tag: re.Match[str]) -> str:
    """Return a tag with coordinates to a hundredth of a pixel."""
    return LONG.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), tag[0])


def smaller(svg: str) -> str:
    """Return the same picture with fewer bytes; text between tags is unchanged."""
    svg = INSIDE.sub(rounded, NOISE.sub("", svg))
    while (shorter := EMPTY.sub("", svg)) != svg:
        svg = shorter
    return svg


def ends_of_texts(element: ElementTree.Element, left: float = 0.0) -> Iterator[tuple[float, float]]:
    """Yield where each horizontal text begins and ends if its font is wide; `left` is the place of the parent."""
    moved = element.get("transform", "")
    found = MOVED.match(moved)
    left += float(found[1]) if found else 0.0
    if element.tag.endswith("text") and "rotate" not in moved:
        size = float(element.get("font-size", "12px").removesuffix("px"))
        bold = 1.15 if element.get("font-weight") == "bold" else 1.0
        width = max(map(len, element.itertext()), default=0) * size * LETTER * bold
        before = {"end": width, "middle": width / 2}.get(element.get("text-anchor", ""), 0.0)
        yield left - before, left - before + width
    for child in element:
        yield from ends_of_texts(child, left)


def draw(spec: Spec, title: str) -> str:
    """Return the SVG of a specification; `title` is its name for screen readers."""
    import vl_convert

    svg = smaller(vl_convert.vegalite_to_svg(spec, vl_version=VERSION))
    svg = TAG.sub(coloured, svg)
    head, _, body = svg.partition(">")
    box = re.search(r'width="([\d.]+)" height="([\d.]+)"', head)
    assert box is not None
    # The texts are measured here with one font and shown with another: make room for all of them.
    ends = list(ends_of_texts(ElementTree.fromstring(svg)))
    left = max(0, -math.floor(min((first for first, _ in ends), default=0.0)))
    right = max(float(box[1]), *(last for _, last in ends)) if ends else float(box[1])
    width, height = left + math.ceil(right), box[2]
    body = f'<g transform="translate({left},0)">{body.removesuffix("</svg>")}</g></svg>'
    named = f'role="img" aria-label="{escape(title)}" data-spec="{digest(spec)}"'
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    family = f'font-family="{FONT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {size} {family} {named}>{body}'


def inline(svg: str) -> str:
    """Return a chart without colours, for a page whose styles have those of all classes."""
    return re.sub(r' (?:fill|stroke)="#[0-9a-f]{6}"', "", svg)


def standalone(svg: str) -> str:
    """Return the file of a chart with its own background, so that it is legible on any page."""
    head, _, body = svg.partition(">")
    ground = f'<rect width="100%" height="100%" rx="6" class="fill-paper" fill="{COLOURS["paper"][0]}"/>'
    dark = "".join(f".fill-{name}{{fill:{one}}}.stroke-{name}{{stroke:{one}}}" for name, (_, one) in COLOURS.items())
    style = f"<style>@media (prefers-color-scheme:dark){{{dark}}}</style>"
    return f"{head}>{style}{ground}{body}\n"
