"""Messages as DER, JSON and XML, similar to the messages of libpsyc's benchmark.

"Parse" means to get every field as a Python value, "render" to write bytes from a dict.
"""

from functools import partial

from bench.families.syntax import forms
from bench.families.syntax.messages import MESSAGES
from bench.harness import Case, Counted, Family, Growth, Input, Peer, Side

HERE = "bench.families.syntax.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "json": Peer(f"{HERE}.json"),
    "orjson": Peer(f"{HERE}.orjson", "orjson"),
    "msgspec": Peer(f"{HERE}.msgspec", "msgspec"),
    "lxml": Peer(f"{HERE}.lxml", "lxml"),
    "ElementTree": Peer(f"{HERE}.elementtree"),
    "Python": Peer(f"{HERE}.scan"),
}
OTHERS = ("json", "orjson", "msgspec", "lxml", "ElementTree")
ORDERED = "reads elements by position and ignores their names"
PARSING: tuple[Side | str, ...] = (
    "derlib",
    "json",
    "orjson",
    Side("msgspec", note="decodes into a Struct, which checks the types; each field is read as an attribute"),
    Side("lxml", note=ORDERED),
    Side("ElementTree", note=ORDERED),
    *(
        Side(peer, "parse_each", f"{peer}, each field taken", note="each field is read from the dict")
        for peer in ("json", "orjson")
    ),
    Side("derlib", "parse_to_dict", "derlib, as a dict"),
    Side("derlib", "check", "derlib, checked only", checked=False, note="reads no field"),
    Side("Python", "scan", "bytes.find", checked=False, note="searches the DER for an absent byte"),
)
RENDERING: tuple[Side | str, ...] = (
    "derlib",
    "json",
    "orjson",
    Side("msgspec", note="builds a Struct first, which checks the types"),
    "lxml",
    "ElementTree",
    Side("msgspec", "render_unchecked", "msgspec, not checked", note="writes the dict without a Struct"),
)
PACKET = (
    Side("derlib", "parse_packet_and_copy", "derlib, payload copied"),
    *OTHERS,
    Side("orjson", "parse_packet_only", "orjson, payload left in base64", checked=False, note="no bytes yet"),
    Side("Python", "scan", "bytes.find", checked=False, note="searches the DER for an absent byte"),
)
SIZES = (7_000, 70_000, 700_000, 7_000_000, 70_000_000, 700_000_000)
QUICK_SIZES = (7_000, 70_000)
LONG = 600


def cases(name: str) -> tuple[Case, ...]:
    """Return the cases on a message."""
    return (
        Case(f"parse {name}", "parse", name, PARSING, topic="parse"),
        Case(f"render {name}", "render", name, RENDERING, topic="render"),
        Case(f"size of {name}", "render", name, ("derlib", *OTHERS), kind="size", topic="size", runs=1),
    )


def growth(name: str, *sides: Side | str) -> Growth:
    """Return the time to read packets with ever larger payloads."""
    return Growth(name, "parse_packet", SIZES, QUICK_SIZES, forms.make_packet, sides, "bytes", timeout=LONG)


def message(name: str, quick: bool) -> str:
    """Return the input of a message."""
    return forms.make_message(name)


def packet(quick: bool) -> str:
    """Return the input of a packet."""
    return forms.make_packet(70_000 if quick else 7_000_000)


def large_packet(quick: bool) -> str:
    """Return the input of a large packet."""
    return forms.make_packet(700_000 if quick else 70_000_000)


SMALL = partial(forms.make_packet, QUICK_SIZES[0])
FAMILY = Family(
    name="syntax",
    what="messages as DER, JSON and XML",
    peers=PEERS,
    caveats=(
        "JSON and XML are read without a schema here, except by msgspec; derlib checks every value.",
        "For small messages, the cost of a call weighs as much as the syntax.",
        "JSON and XML contain the payload of a packet as base64, DER contains its bytes.",
    ),
    inputs={
        **{name: Input(one.what, partial(message, name)) for name, one in MESSAGES.items()},
        "packet": Input("a packet with a payload of 7 MB", packet, SMALL),
        "large packet": Input("a packet with a payload of 70 MB", large_packet, SMALL),
    },
    cases=(
        *(case for name in MESSAGES for case in cases(name)),
        Case("render a packet with a payload", "render_packet", "packet", ("derlib", *OTHERS), topic="packet"),
        Case(
            "memory: parse a packet with a large payload",
            "parse_packet",
            "large packet",
            ("derlib", *OTHERS),
            "memory",
            "memory",
            runs=5,
            timeout=LONG,
        ),
    ),
    growths=(
        growth("parse a packet, payload in place", "derlib"),
        growth("parse a packet, payload as bytes", *PACKET),
    ),
    counted=tuple(
        Counted(f"{operation} {name}", operation, partial(forms.make_message, name))
        for name in ("profile", "tiny")
        for operation in ("parse", "render")
    ),
)
