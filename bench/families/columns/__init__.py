"""CRLs and certificates to tables: `derlib.columns`, and the same values as Python objects."""

from bench.families.columns.inputs import COUNT, QUICK_COUNT, certificates_file, small_certificates
from bench.families.crl.inputs import INPUTS
from bench.harness import Case, Family, Input, Peer, Side

HERE = "bench.families.columns.peers"
PEERS = {
    "derlib": Peer(f"{HERE}.derlib", "derlib"),
    "cryptography": Peer(f"{HERE}.cryptography", "cryptography"),
    "Go": Peer(f"{HERE}.go", remedy="the Go distribution has everything"),
}
DECODE = Side("derlib", "decode", "decode", checked=False, note="validates only")
OBJECTS = Side("derlib", "entry_objects", "derlib, every entry as objects")


def entries(title: str, given: str) -> Case:
    """Return the case of the entries of a CRL."""
    return Case(title, "entries", given, ("derlib", DECODE, OBJECTS, "cryptography"), topic="CRLs", least=2)


def in_two_threads(title: str, operation: str, given: str, topic: str) -> Case:
    """Return the case of the same work with two threads and with one."""
    two, one = Side("derlib", f"{operation}_in_two_threads", "two threads"), Side("derlib", operation, "one thread")
    return Case(f"{title}, two threads", operation, given, (two, one), topic=topic)


CERTIFICATES = "certificates to the ready-made table"
FEWER = "without three columns of the key"
FAMILY = Family(
    name="columns",
    what="CRLs and certificates to tables",
    peers=PEERS,
    inputs={
        **{name: INPUTS[name] for name in ("plain", "reasons")},
        "certificates": Input(
            "100,000 certificates similar to those of web servers, 81 MiB",
            lambda quick: certificates_file(QUICK_COUNT if quick else COUNT),
            small_certificates,
        ),
    },
    cases=(
        entries("serial, date and reason of a CRL as columns", "plain"),
        entries("serial, date and reason of a CRL with reason codes as columns", "reasons"),
        in_two_threads("serial, date and reason of a CRL as columns", "entries", "plain", "CRLs"),
        Case(
            CERTIFICATES,
            "certificates",
            "certificates",
            ("derlib", Side("Go", label="Go crypto/x509", note=FEWER), Side("cryptography", note=FEWER)),
            topic="certificates",
            runs=9,
        ),
        in_two_threads(CERTIFICATES, "certificates", "certificates", "certificates"),
        Case(
            "memory: 1,000,000 certificates from an iterator to batches of the ready-made table",
            "stream",
            "certificates",
            ("derlib",),
            "memory",
            "memory",
            runs=3,
            least=1,
        ),
    ),
)
