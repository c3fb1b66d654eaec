"""Messages as DER, JSON and XML, after the kinds of message of libpsyc's benchmark of syntaxes.

To parse is to have every field as a Python value; to render is to write octets from a dict. Peers that make Python
objects are wanted to take longer than derlib, on every message.
"""

from functools import partial

from bench.families.syntax import forms
from bench.families.syntax.messages import MESSAGES
from bench.harness import Case, Counted, Family, Input, Peer, Scaling, Side, Target

HERE = "bench.families.syntax.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "json": Peer(f"{HERE}.json"),
    "orjson": Peer(f"{HERE}.orjson", "orjson"),
    "msgspec": Peer(f"{HERE}.msgspec", "msgspec"),
    "lxml": Peer(f"{HERE}.lxml", "lxml"),
    "ElementTree": Peer(f"{HERE}.elementtree"),
    "scan": Peer(f"{HERE}.scan"),
}
OTHERS = ("json", "orjson", "msgspec", "lxml", "ElementTree")
TO_DICT = Side("derlib", "parse_to_dict", "derlib, as a dict")
CHECK = Side("derlib", "check", "derlib, checked only", equal="", note="reads no field")
EACH = {
    peer: Side(peer, "parse_each", f"{peer}, each field taken", note="out of the dict, as a program does")
    for peer in ("json", "orjson")
}
TYPED = "by the types of a Struct, which it checks; each field read as an attribute"
CHECKED = "checked by the types of a Struct, which is made first"
UNCHECKED = Side("msgspec", "render_unchecked", "msgspec, not checked", note="the dict is written as it is")
PLACES = "takes elements by their place, and does not look at their names"
SCANS = tuple(
    Side("scan", f"scan_{form.lower()}", f"bytes.find, {form}", equal="", note="an octet that is not there")
    for form in ("DER", "JSON", "XML")
)
COPY = Side("derlib", "parse_packet_and_copy", "derlib, payload copied")
BASE64 = Side("orjson", "parse_packet_only", "orjson, payload left in base64", equal="", note="no octets yet")
SCAN_PACKET = Side("scan", "scan_packet", "bytes.find, DER", equal="", note="an octet that is not there")
SIZES = (7_000, 70_000, 700_000, 7_000_000, 70_000_000, 700_000_000)
QUICK_SIZES = (7_000, 70_000)
LONG = 600


def xml(peer: str) -> Side:
    """An XML library."""
    return Side(peer, note=PLACES)


def parsing(name: str) -> Case:
    """Read every field of a message."""
    plain = ("json", EACH["json"], "orjson", EACH["orjson"])
    sides = ("derlib", TO_DICT, CHECK, *plain, Side("msgspec", note=TYPED), xml("lxml"), xml("ElementTree"))
    return Case(
        f"parse {name}",
        "parse",
        name,
        (*sides, *SCANS),
        (
            *(Target(peer, reach=1, aim=0.5) for peer in OTHERS),
            *(Target(side.name, reach=1, aim=0.5) for side in EACH.values()),
            *(Target(side.name) for side in SCANS),
        ),
        topic="parse",
    )


def rendering(name: str) -> Case:
    """Write a message from a dict."""
    wanted = tuple(Target(peer, reach=1, aim=0.5) for peer in (*OTHERS, UNCHECKED.name))
    sides = ("derlib", "json", "orjson", Side("msgspec", note=CHECKED), UNCHECKED, "lxml", "ElementTree")
    return Case(f"render {name}", "render", name, sides, wanted, topic="render")


def size(name: str) -> Case:
    """How many octets a message takes."""
    wanted = tuple(Target(peer) for peer in OTHERS)
    return Case(f"octets of {name}", "render", name, ("derlib", *OTHERS), wanted, kind="size", topic="size", runs=1)


def packets() -> tuple[Case, ...]:
    """What is done once with a packet of each of two sizes."""
    wanted = tuple(Target(peer, reach=1, aim=0.5) for peer in OTHERS)
    growth = Target("", reach=1, aim=0.1, figure=True)
    return (
        Case("render a packet with a payload", "render_packet", "packet", ("derlib", *OTHERS), wanted, topic="packet"),
        Case(
            "growth of peak memory, parse a packet with a large payload",
            "parse_packet",
            "large packet",
            ("derlib", *OTHERS),
            (growth, *(Target(peer) for peer in OTHERS)),
            kind="memory",
            topic="packet",
            runs=5,
            timeout=LONG,
        ),
    )


def growing(name: str, *sides: Side | str, reach: float | None = None, aim: float | None = None) -> Scaling:
    """Reading packets with larger and larger payloads."""
    return Scaling(
        name, "parse_packet", SIZES, QUICK_SIZES, forms.make_packet, sides, "time", reach, aim, "packet", timeout=LONG
    )


def made(name: str, quick: bool) -> str:
    """The input of a message."""
    return forms.make_message(name)


def inputs() -> dict[str, Input]:
    """All inputs."""
    found = {name: Input(message.what, partial(made, name)) for name, message in MESSAGES.items()}
    small = partial(forms.make_packet, QUICK_SIZES[0])
    found["packet"] = Input(
        "a packet with a payload of 7 MB", lambda quick: forms.make_packet(70_000 if quick else 7_000_000), small
    )
    found["large packet"] = Input(
        "a packet with a payload of 70 MB", lambda quick: forms.make_packet(700_000 if quick else 70_000_000), small
    )
    return found


FAMILY = Family(
    name="syntax",
    what="messages as DER, JSON and XML: every field read, or written from a dict; after libpsyc's benchmark",
    peers=PEERS,
    limits=(
        "PSYC itself, which has no Python library that could be measured beside these; streams, where a parser begins "
        "before the message is whole.",
        "A schema check on the side of JSON and XML, which have none here, but for msgspec.",
        "Syntax alone: small messages measure what a call costs before the first octet as much.",
    ),
    inputs=inputs(),
    cases=(
        *(parsing(name) for name in MESSAGES),
        *(rendering(name) for name in MESSAGES),
        *(size(name) for name in MESSAGES),
        *packets(),
    ),
    scalings=(
        growing("parse a packet, payload in place", "derlib", reach=0.1, aim=0.05),
        growing("parse a packet, payload as octets", COPY, *OTHERS, BASE64, SCAN_PACKET),
    ),
    counted=tuple(
        Counted(f"{operation} {name}", operation, partial(forms.make_message, name))
        for name in ("profile", "tiny")
        for operation in ("parse", "render")
    ),
)
