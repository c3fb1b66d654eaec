"""Records: small messages of texts and numbers, alone and in lists, as in quickle's benchmark.

J. Crist measured quickle with a `Person` of this shape (github.com/jcrist/quickle, benchmarks/bench.py). The fields are
his; the values, the code, and what is timed are ours. derlib checks an encoding when it loads it and reads fields
later, and a value that was built holds its octets: so what the two ways are judged by is building and dumping, and
loading and reading every field.
"""

from functools import partial

from bench.families.records.people import store
from bench.families.records.published import PUBLISHED
from bench.families.records.quickle_python import prepared
from bench.harness import Case, Family, Input, Peer, Side, Target
from bench.places import INPUTS

PEERS = "bench.families.records.peers"

COUNTS = {1: 1, 1_000: 200, 10_000: 500}
"""How many persons a message has, and how many in a quick run."""

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
    "quickle, Structs": ("quickle", ""),
    "quickle, dicts": ("quickle", "_dicts"),
}
"""The sides: a peer, and what its operations' names end with."""

OPERATIONS = ("dumps", "build_and_dumps", "loads", "loads_and_read")
OLDER = "in CPython 3.10, the others in a later one"
NOTES = {
    "derlib": {
        "dumps": "values hold their octets, which are put together",
        "build_and_dumps": "from dicts by the schema: no object is built",
        "loads": "checked and lazy: no field has become an object yet",
    },
    "protobuf": {"loads": "fields become objects when they are read", "build_and_dumps": "takes dicts by itself"},
    "orjson": {"build_and_dumps": "plain values are its own"},
    "msgpack": {"build_and_dumps": "plain values are its own"},
    "pickle, dicts": {"build_and_dumps": "plain values are its own"},
    "quickle, Structs": dict.fromkeys(OPERATIONS, OLDER),
    "quickle, dicts": dict.fromkeys(OPERATIONS, OLDER),
}
BUILT = "derlib, the object is built"


def sides(operation: str) -> tuple[Side, ...]:
    """All sides with their ways to do this."""
    made = [
        Side(peer, operation + suffix, label, note=NOTES.get(label, {}).get(operation, ""))
        for label, (peer, suffix) in VARIANTS.items()
    ]
    if operation == "build_and_dumps":
        made.append(Side("derlib", "build_object_and_dumps", BUILT, note="an object is built, as the others do"))
    return tuple(made)


def targets() -> tuple[Target, ...]:
    """Against msgspec with names of fields it is the factor that counts; arrays are there for comparison."""
    others = [label for label in VARIANTS if not label.startswith(("derlib", "msgspec msgpack"))]
    return (
        Target("msgspec msgpack", reach=1.5, aim=1.0),
        Target("msgspec msgpack, arrays"),
        *(Target(label, reach=1.0) for label in others),
    )


def amount(count: int) -> str:
    """How many, in words."""
    return "one person" if count == 1 else f"{count:,} persons"


def cases() -> tuple[Case, ...]:
    """Each of the five cases for each number of persons."""
    made: list[Case] = []
    for count in COUNTS:
        given = amount(count)
        for title, operation, wanted in (
            ("dumps: objects that exist", "dumps", ()),
            ("build and dumps: from plain values to octets", "build_and_dumps", targets()),
            ("loads", "loads", ()),
            ("loads, and read every field", "loads_and_read", targets()),
        ):
            made.append(Case(f"{title}, {given}", operation, given, sides(operation), wanted, topic=given))
        made.append(Case(f"size, {given}", "dumps", given, sides("dumps"), kind="size", topic=given))
    return tuple(made)


def make(count: int, quick: bool) -> str:
    """The file of so many persons, fewer in a quick run."""
    number = COUNTS[count] if quick else count
    return store(INPUTS / f"records-{number}.json", number)


FAMILY = Family(
    name="records",
    what="messages of texts and numbers, one and many: to octets and back",
    peers={
        "derlib": Peer(f"{PEERS}.derlib", "derlib"),
        "msgspec": Peer(f"{PEERS}.msgspec", "msgspec"),
        "orjson": Peer(f"{PEERS}.orjson", "orjson"),
        "msgpack": Peer(f"{PEERS}.msgpack", "msgpack"),
        "pickle": Peer(f"{PEERS}.pickle"),
        "protobuf": Peer(f"{PEERS}.protobuf", "protobuf"),
        "cryptography": Peer(f"{PEERS}.cryptography", "cryptography"),
        "asn1tools": Peer(f"{PEERS}.asn1tools", "asn1tools"),
        "quickle": Peer(f"{PEERS}.quickle", "quickle", prepared),
    },
    limits=(
        "Equal checks: orjson, msgpack, pickle and quickle with dicts write what they are given; derlib checks each "
        "value by the schema.",
        "Fields that are read again: derlib makes a new object each time, the others have made it once.",
    ),
    inputs={amount(count): Input(amount(count), partial(make, count)) for count in COUNTS},
    cases=cases(),
    published=PUBLISHED,
)
