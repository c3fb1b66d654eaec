"""CRLs and certificates to tables: `derlib.columns`, and the same values as Python objects."""

from bench.families.crl.inputs import INPUTS
from bench.harness import Case, Family, Peer, Side

HERE = "bench.families.columns.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "cryptography": Peer(f"{HERE}.cryptography", "cryptography"),
}
DECODE = Side("derlib", "decode", "decode", checked=False, note="validates only")
OBJECTS = Side("derlib", "entry_objects", "derlib, every entry as objects")


def entries(title: str, given: str) -> Case:
    """Return the case of the entries of a CRL."""
    return Case(title, "entries", given, ("derlib", DECODE, OBJECTS, "cryptography"), topic="CRLs", least=2)


FAMILY = Family(
    name="columns",
    what="CRLs and certificates to tables",
    peers=PEERS,
    inputs={name: INPUTS[name] for name in ("plain", "reasons")},
    cases=(
        entries("serial, date and reason of a CRL as columns", "plain"),
        entries("serial, date and reason of a CRL with reason codes as columns", "reasons"),
    ),
)
