"""Packets: small structures of octets by the hundred thousand, after a comparison of encodings for NDN.

X. Ma, A. Afanasyev and L. Zhang compared libraries for NDN's TLV by performance, memory, and code complexity ("A
type-theoretic model on NDN-TLV encoding", ICN 2022, https://doi.org/10.1145/3517212.3558093), in C++. The same three
are asked here of libraries for Python. The format is that of their Data packets, each library with its own encoding.
"""

from functools import partial

from bench.families.packets.values import Shape, store
from bench.harness import Case, Family, Fit, Input, Peer, Side, Target

HERE = "bench.families.packets.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "python-ndn": Peer(f"{HERE}.python_ndn", "python-ndn"),
    "asn1tools": Peer(f"{HERE}.asn1tools", "asn1tools"),
    "protobuf": Peer(f"{HERE}.protobuf", "protobuf"),
    "msgspec": Peer(f"{HERE}.msgspec", "msgspec"),
}
SHAPES = {
    "3 components, 64 octets": Shape(3, 64),
    "3 components, 4 kB": Shape(3, 4_000),
    "33 components, 64 octets": Shape(33, 64),
}
DISTINCT, ROUNDS = 1_000, 100
QUICK_DISTINCT, QUICK_ROUNDS = 200, 10
FITTED_DISTINCT, FITTED_ROUNDS = 200, 20
POINTS = ((1, 0), (3, 0), (12, 0), (33, 0), (3, 1), (3, 2), (3, 4), (3, 8), (33, 4))
"""Components, and kilobytes of payload, at which the costs are fitted."""
QUICK_POINTS = ((1, 0), (33, 0), (3, 4), (33, 4))

BUILDING = ("python-ndn", "asn1tools", "msgspec")
"""The peers that build Python objects of a packet: derlib is to be ahead of these."""

SLOW = {"python-ndn": "5,000 packets a run", "asn1tools": "5,000 packets a run"}
LAZY = "fields become objects when they are read"


def make(shape: Shape, quick: bool) -> str:
    """The file of the packets of a shape."""
    distinct, rounds = (QUICK_DISTINCT, QUICK_ROUNDS) if quick else (DISTINCT, ROUNDS)
    return store(shape, distinct, rounds)


def make_point(point: tuple[float, ...], quick: bool) -> str:
    """The file of the packets at a point of the fit."""
    components, kilobytes = point
    rounds = 1 if quick else FITTED_ROUNDS
    return store(Shape(int(components), int(1000 * kilobytes)), FITTED_DISTINCT, rounds)


def warm() -> str:
    """A few packets."""
    return store(Shape(3, 64), 4, 1)


def sides(operation: str) -> tuple[Side, ...]:
    """All peers, with what must be known of their way to do this."""
    notes = {**SLOW, "protobuf": LAZY if operation == "decode_and_read" else ""}
    if operation == "encode":
        notes["derlib"] = "from a dict of fields"
    if operation not in ("encode", "build_and_encode", "decode_and_read"):
        notes = {}
    made = [Side(peer, note=notes.get(peer, "")) for peer in PEERS]
    if operation == "encode":
        note = "its octets were made when it was built"
        made.append(Side("derlib", "encode_built", "derlib, an object that was built", note=note))
    if operation == "build_and_encode":
        made.append(Side("derlib", "encode", "derlib, a dict of fields", note="no object is built"))
    return tuple(made)


def targets(reach: float | None) -> tuple[Target, ...]:
    """Against the peers that build Python objects something is wanted; protobuf is there for comparison."""
    return tuple(Target(peer, reach if peer in BUILDING else None) for peer in PEERS if peer != "derlib")


def timed() -> tuple[Case, ...]:
    """Encoding and decoding each shape."""
    works = (
        ("encode: from values of the library's own kind", "encode"),
        ("build the object and encode it", "build_and_encode"),
        ("decode, and read every field", "decode_and_read"),
    )
    return tuple(
        Case(f"{work}, {shape}", operation, shape, sides(operation), targets(1.0), topic=shape, runs=15)
        for shape in SHAPES
        for work, operation in works
    )


def counted() -> tuple[Case, ...]:
    """Memory, the size of the wire, and lines of code."""
    cases: list[Case] = []
    for shape in SHAPES:
        held = f"memory of 10,000 decoded packets, {shape}"
        cases.append(Case(held, "hold", shape, sides("hold"), targets(None), "memory", "memory", runs=3, least=1))
        wire = f"a packet on the wire, {shape}"
        cases.append(Case(wire, "wire_octets", shape, sides("wire_octets"), targets(None), "count", "wire"))
    for operation, title in (
        ("definition_lines", "lines to define the format"),
        ("coding_lines", "lines to build, encode, decode and read"),
    ):
        shape = next(iter(SHAPES))
        cases.append(Case(title, operation, shape, sides(operation), targets(None), "count", "lines of code"))
    return tuple(cases)


def fit(title: str, operation: str) -> Fit:
    """What a packet costs by itself, by its components and by its payload."""
    terms = ("a packet", "a component", "a kB of payload")
    return Fit(title, operation, terms, POINTS, QUICK_POINTS, make_point, tuple(PEERS), topic="fitted", runs=9)


FAMILY = Family(
    name="packets",
    what="Data packets as NDN has them: time, memory and lines of code",
    peers=PEERS,
    limits=(
        "Signatures: nothing is signed or verified, which costs more than all of this.",
        "One moment for all: protobuf's message and derlib's view make Python values when they are read, the others "
        "when they decode.",
        "Encodings of one kind: DER has one encoding for a value and derlib refuses all others; the others check less.",
        "How clear the code is: few lines are not the same, and all peers' lines are ours.",
    ),
    inputs={name: Input(name, partial(make, shape), warm) for name, shape in SHAPES.items()},
    cases=(*timed(), *counted()),
    fits=(fit("encode", "encode"), fit("decode, and read every field", "decode_and_read")),
)
