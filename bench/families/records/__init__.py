"""Records: messages about one person and about many, with the fields of quickle's benchmark.

derlib checks an encoding when it loads it and reads fields later, and a built value holds its encoding. So "dump" and
"load" alone do not compare derlib with the others; "build and dump" and "load and read" do.
"""

from functools import partial

from bench.families.records.people import store
from bench.harness import Case, Family, Input, Peer, Side
from bench.paths import INPUTS

PEERS = "bench.families.records.peers"

COUNTS = {1: 1, 1_000: 200, 10_000: 500}
"""How many people a message has, and how many in a quick run."""

VARIANTS = {
    "derlib": ("derlib", ""),
    "msgspec msgpack": ("msgspec", ""),
    "msgspec msgpack, arrays": ("msgspec", "_arrays"),
    "msgspec JSON": ("msgspec", "_json"),
    "orjson": ("orjson", ""),
    "msgpack": ("msgpack", ""),
    "pickle, dicts": ("pickle", ""),
    "pickle, named tuples": ("pickle", "_tuples"),
    "protobuf": ("protobuf", ""),
    "cryptography": ("cryptography", ""),
    "asn1tools": ("asn1tools", ""),
}
"""The sides: a peer, and the suffix of the names of its operations."""

PLAIN = {"build_and_dumps": "takes plain values"}
NOTES = {
    "derlib": {
        "dumps": "copies the encodings that the values hold",
        "build_and_dumps": "from dicts, without building an object",
        "loads": "checked; no field has become an object yet",
    },
    "protobuf": {"loads": "fields become objects when they are read", "build_and_dumps": "takes dicts"},
    "orjson": PLAIN,
    "msgpack": PLAIN,
    "pickle, dicts": PLAIN,
}


def sides(operation: str) -> tuple[Side, ...]:
    """Return all sides for an operation."""
    made = [
        Side(peer, operation + suffix, label, note=NOTES.get(label, {}).get(operation, ""))
        for label, (peer, suffix) in VARIANTS.items()
    ]
    if operation == "build_and_dumps":
        made.append(Side("derlib", "build_object_and_dumps", "derlib, built object", note="builds an object first"))
    return tuple(made)


def amount(count: int) -> str:
    """Return the name of an input."""
    return "one person" if count == 1 else f"{count:,} people"


def cases(count: int) -> tuple[Case, ...]:
    """Return the cases on a message about this many people."""
    given = amount(count)
    timed = (
        ("dump", "dumps"),
        ("build and dump", "build_and_dumps"),
        ("load", "loads"),
        ("load and read", "loads_and_read"),
    )
    return (
        *(Case(f"{title}, {given}", name, given, sides(name), topic=given) for title, name in timed),
        Case(f"size, {given}", "dumps", given, sides("dumps"), kind="size", topic=given),
    )


def make(count: int, quick: bool) -> str:
    """Return the file of this many people, fewer in a quick run."""
    actual = COUNTS[count] if quick else count
    return store(INPUTS / f"records-{actual}.json", actual)


FAMILY = Family(
    name="records",
    what="messages about one person and about many",
    peers={
        "derlib": Peer(f"{PEERS}.derlib", "derlib"),
        "msgspec": Peer(f"{PEERS}.msgspec", "msgspec"),
        "orjson": Peer(f"{PEERS}.orjson", "orjson"),
        "msgpack": Peer(f"{PEERS}.msgpack", "msgpack"),
        "pickle": Peer(f"{PEERS}.pickle"),
        "protobuf": Peer(f"{PEERS}.protobuf", "protobuf"),
        "cryptography": Peer(f"{PEERS}.cryptography", "cryptography"),
        "asn1tools": Peer(f"{PEERS}.asn1tools", "asn1tools"),
    },
    caveats=(
        "orjson, msgpack and pickle do not check what they write; derlib checks each value against the schema.",
        "derlib creates a new object each time a field is read; the others create it once.",
    ),
    inputs={amount(count): Input(amount(count), partial(make, count)) for count in COUNTS},
    cases=tuple(case for count in COUNTS for case in cases(count)),
)
