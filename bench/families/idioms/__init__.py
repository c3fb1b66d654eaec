"""Single calls as the documentation shows them: get an extension, convert plain data and JSON, import.

The calls on whole CRLs are in the family `crl`.
"""

from bench.families.crl.inputs import INPUTS, crl_file
from bench.harness import Case, Family, Growth, Input, Peer, Side

HERE = "bench.families.idioms.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "cryptography": Peer(f"{HERE}.cryptography", "cryptography"),
    "Python": Peer(f"{HERE}.python"),
}
BOTH = ("derlib", "cryptography")
ENTRIES = 100_000
QUICK_ENTRIES = 1000
PLAIN = Side("derlib", "from_native_without_extensions", "entries without extensions", checked=False)
EACH = Side("derlib", "decode_each", "decode of each value, already separated")


def json(operation: str) -> tuple[Side | str, ...]:
    """Return derlib and what Python's json does with the same text."""
    return "derlib", Side("derlib", f"json_{operation}", f"json.{operation}", checked=False)


FAMILY = Family(
    name="idioms",
    what="single calls of the documentation",
    peers=PEERS,
    inputs={
        "certifi": INPUTS["certifi"],
        "entries": Input(
            "100,000 entries of a CRL, half of them with a reason code",
            lambda quick: crl_file(QUICK_ENTRIES if quick else ENTRIES, with_reasons=True),
        ),
        "count": Input("10,000 consecutive values of 22 bytes", lambda quick: "1000" if quick else "10000"),
        "nothing": Input("nothing", lambda quick: ""),
    },
    cases=(
        Case("get an extension by its type", "get_by_type", "certifi", BOTH),
        Case("get an extension by its ObjectIdentifier", "get_by_oid", "certifi", BOTH),
        Case("get an extension by its dotted form", "get_by_dotted", "certifi", BOTH),
        Case("from_native of CRL entries with reason codes", "from_native", "entries", ("derlib", PLAIN), runs=9),
        Case("from_json of CRL entries with reason codes", "from_json", "entries", json("loads"), runs=9),
        Case("to_json of CRL entries with reason codes", "to_json", "entries", json("dumps"), runs=9),
        Case("iter_decode of 10,000 values from a memoryview", "iterate", "count", ("derlib", EACH)),
        Case(
            "import the schemas of CRLs in a new process",
            "import_schemas",
            "nothing",
            (*BOTH, Side("Python", "start", "a process that imports nothing")),
        ),
    ),
    growths=(
        Growth(
            "time, iter_decode from a memoryview",
            "iterate",
            tuple(1000 * 4**power for power in range(6)),
            (1000, 8000),
            str,
            unit="values",
        ),
    ),
)
