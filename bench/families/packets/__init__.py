"""Packets: small structures by the hundred thousand, in the format of NDN's Data packets.

X. Ma, A. Afanasyev and L. Zhang compared C++ libraries on such packets ("A type-theoretic model on NDN-TLV encoding",
ICN 2022, https://doi.org/10.1145/3517212.3558093). Here each Python library uses its own encoding.
"""

from functools import partial

from bench.families.packets.values import Shape, store
from bench.harness import Case, Family, Input, Kind, Peer, Side

HERE = "bench.families.packets.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "python-ndn": Peer(f"{HERE}.python_ndn", "python-ndn"),
    "asn1tools": Peer(f"{HERE}.asn1tools", "asn1tools"),
    "protobuf": Peer(f"{HERE}.protobuf", "protobuf"),
    "msgspec": Peer(f"{HERE}.msgspec", "msgspec"),
}
SHAPES = {
    "3 components, 64 bytes": Shape(3, 64),
    "3 components, 4 kB": Shape(3, 4_000),
    "33 components, 64 bytes": Shape(33, 64),
}
DISTINCT, ROUNDS = 1_000, 100
QUICK_DISTINCT, QUICK_ROUNDS = 200, 10


def make(shape: Shape, quick: bool) -> str:
    """Return the file of the packets of a shape."""
    distinct, rounds = (QUICK_DISTINCT, QUICK_ROUNDS) if quick else (DISTINCT, ROUNDS)
    return store(shape, distinct, rounds)


def warm() -> str:
    """Return a file of a few packets."""
    return store(Shape(3, 64), 4, 1)


def cases(shape: str) -> tuple[Case, ...]:
    """Return the cases on the packets of a shape."""
    others = tuple(PEERS)[1:]
    lazy = Side("protobuf", note="fields become objects when they are read")
    fields = Side("derlib", note="from a dict of fields")
    built = Side("derlib", "encode_built", "derlib, built object", note="a built object holds its encoding")
    without = Side("derlib", "encode", "derlib, dict of fields", note="no object is built")
    reading = tuple(lazy if peer == "protobuf" else peer for peer in others)

    def case(title: str, operation: str, sides: tuple[Side | str, ...], kind: Kind = "time", runs: int = 15) -> Case:
        topic = "size" if kind == "count" else kind
        return Case(f"{title}, {shape}", operation, shape, sides, kind, topic, runs, least=min(3, runs))

    return (
        case("encode", "encode", (fields, *others, built)),
        case("build and encode", "build_and_encode", ("derlib", *others, without)),
        case("decode and read", "decode_and_read", ("derlib", *reading)),
        case("memory of 10,000 decoded packets", "hold", ("derlib", *others), "memory", 3),
        case("encoded size", "encoded_size", ("derlib", *others), "count", 1),
    )


FAMILY = Family(
    name="packets",
    what="packets with a name, a content and a signature",
    peers=PEERS,
    caveats=(
        "Nothing is signed or verified; both would cost more than encoding and decoding.",
        "protobuf's message and derlib's view create Python values when they are read, the others when they decode.",
        "The formats differ: DER has one encoding for a value and derlib rejects all others; the other formats accept "
        "several, and their libraries check less.",
    ),
    inputs={name: Input(name, partial(make, shape), warm) for name, shape in SHAPES.items()},
    cases=tuple(case for shape in SHAPES for case in cases(shape)),
)
