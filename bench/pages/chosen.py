"""The charts and tables of the documentation. Called by bench/readme.py."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench import families
from bench.families.packets import SHAPES
from bench.families.records import COUNTS, amount
from bench.families.syntax import OTHERS
from bench.families.syntax.messages import MESSAGES
from bench.harness.declare import Case, Family
from bench.harness.results import DERLIB, Results, curves
from bench.pages import charts

Make = Callable[[Family, Results], charts.Spec | None]


def named(family: Family, names: Iterable[str]) -> list[Case]:
    """Return cases by their names, in this order."""
    known = {case.name: case for case in family.cases}
    return [known[name] for name in names]


def bars(*names: str) -> Make:
    """Return a function that makes a chart with bars for these cases."""
    return lambda family, results: charts.bars(results, named(family, names))


def dots(*names: str) -> Make:
    """Return a function that makes a chart with dots for these cases."""
    return lambda family, results: charts.dots(results, named(family, names))


def growth(*, ours: bool) -> Make:
    """Return a function that makes a chart of the growth of time, of derlib or of the other libraries."""

    def make(family: Family, results: Results) -> charts.Spec | None:
        timed = [curve for curve in curves(family, results) if curve.growth.kind == "time"]
        own = {curve.growth.name for curve in timed if curve.side.name == DERLIB}
        if ours:
            return charts.growth([curve for curve in timed if curve.side.name == DERLIB])
        return charts.growth([curve for curve in timed if curve.growth.name not in own])

    return make


@dataclass(frozen=True)
class Chart:
    """A chart of the documentation: docs/figures/NAME.svg, from the results of a family."""

    name: str
    family: str
    title: str
    make: Make


PARSE, RENDER = ([f"{verb} {message}" for message in MESSAGES] for verb in ("parse", "render"))
SAMPLE = ("profile", "tiny", "nested")
RECORDS = [f"{verb}, {amount(count)}" for count in COUNTS for verb in ("build and dump", "load and read")]
PACKETS = [f"{verb}, {shape}" for shape in SHAPES for verb in ("encode", "build and encode", "decode and read")]
CACHES = [f"{signed}cache in {store}" for store in ("memory", "a folder", "SQLite") for signed in ("", "signed ")]
CERTIFI = "decode the certificates of certifi"

TOP = Chart(
    "crl-top",
    "crl",
    "Time to read and to write every entry of a CRL of 415,756 entries",
    bars("decode a CRL and read every entry", "encode a CRL from Python values"),
)
"""The chart of the README."""

CHARTS = (
    TOP,
    Chart(
        "crl-decode",
        "crl",
        "Time to decode a CRL",
        bars("decode a CRL", "decode a CRL and read every entry", "decode a small CRL and read every entry"),
    ),
    Chart(
        "crl-encode",
        "crl",
        "Time to encode a CRL",
        bars(
            "encode a CRL from Python values",
            "encode a TBSCertList from Python values",
            "encode a TBSCertList with reason codes from Python values",
            "encode a small CRL from Python values",
        ),
    ),
    Chart(
        "crl-pickle",
        "crl",
        "Time to pickle a CRL",
        bars(*(f"pickle.{verb} of a {size}CRL" for size in ("", "small ") for verb in ("dumps", "loads"))),
    ),
    Chart(
        "crl-memory",
        "crl",
        "Growth of peak memory",
        bars(
            "memory: decode a CRL",
            "memory: decode a CRL and read every entry",
            "memory: encode a CRL from Python values",
            "memory: pickle.dumps of a CRL",
            "memory: pickle.loads of a CRL",
        ),
    ),
    Chart("crl-growth", "crl", "Growth of derlib's time with the number of entries", growth(ours=True)),
    Chart("crl-growth-peers", "crl", "Growth of other libraries' time with the number of entries", growth(ours=False)),
    Chart("syntax", "syntax", "Time of other libraries for messages, relative to derlib", dots(*PARSE, *RENDER)),
    Chart("records", "records", "Time per person, in a message about 10,000 people", bars(*RECORDS[-2:])),
    Chart("packets", "packets", "Time of other libraries for packets, relative to derlib", dots(*PACKETS)),
    Chart("cache", "cache", "Time to get a CRL through a signed cache, and without one", bars(*CACHES[1::2])),
)


@dataclass(frozen=True)
class Table:
    """A table of the documentation: a row for each case, or a grid of cases and sides where all have the same."""

    family: str
    cases: tuple[str, ...]
    sides: tuple[str, ...] = ()

    def rows(self) -> list[Case]:
        """Return the cases."""
        return named(families.load(self.family), self.cases)


TABLES = {
    table.family: table
    for table in (
        Table(
            "crl",
            (
                "decode a CRL",
                "decode a CRL and read every entry",
                "decode a CRL with reason codes and get the reason of every entry",
                "decode a small CRL and read every entry",
                "decode two CRLs in two threads",
                CERTIFI,
                f"{CERTIFI} and read their fields and extensions",
                f"{CERTIFI} and read every field of every extension",
                "encode a CRL from Python values",
                "encode a small CRL from Python values",
                "build a small CRL and sign it",
                "replace thisUpdate of a CRL and encode it",
                "pickle.dumps of a CRL",
                "pickle.loads of a CRL",
                "index a CRL by serial number",
                "find a serial number with CertificateList.find",
                "memory: decode a CRL and read every entry",
            ),
        ),
        Table(
            "idioms",
            (
                "get an extension by its type",
                "get an extension by its dotted form",
                "from_native of CRL entries with reason codes",
                "from_json of CRL entries with reason codes",
                "to_json of CRL entries with reason codes",
                "iter_decode of 10,000 values from a memoryview",
                "import the schemas of CRLs in a new process",
            ),
        ),
        Table("ber", ("convert a CRL of indefinite lengths", "convert a CMS message of 1 MiB in segments")),
        Table("syntax", tuple(f"{verb} {name}" for verb in ("parse", "render") for name in SAMPLE), OTHERS),
        Table(
            "records",
            tuple(case for case in RECORDS if "1,000" not in case),
            (
                "msgspec msgpack",
                "msgspec JSON",
                "orjson",
                "msgpack",
                "pickle, dicts",
                "protobuf",
                "cryptography",
                "asn1tools",
            ),
        ),
        Table(
            "packets",
            tuple(case for case in PACKETS if case.endswith(" 3 components, 64 bytes")),
            ("msgspec", "protobuf", "asn1tools", "python-ndn"),
        ),
        Table("cache", tuple(CACHES[1::2])),
    )
}

README = (
    ("decode a CRL of 415,756 entries", "crl", "decode a CRL", ("cryptography load",)),
    ("decode it and read every entry", "crl", "decode a CRL and read every entry", ("cryptography", "asn1crypto")),
    (
        "decode one with reason codes, and get the reason of every entry",
        "crl",
        "decode a CRL with reason codes and get the reason of every entry",
        ("cryptography",),
    ),
    (
        "decode a CRL of 20,000 entries and read every entry",
        "crl",
        "decode a small CRL and read every entry",
        ("cryptography.hazmat.asn1", "pyasn1"),
    ),
    (
        "encode a CRL of 415,756 entries from Python values",
        "crl",
        "encode a CRL from Python values",
        ("cryptography.hazmat.asn1", "asn1crypto dump(force=True)"),
    ),
    (
        "decode the root certificates of certifi, read fields and extensions",
        "crl",
        f"{CERTIFI} and read their fields and extensions",
        ("cryptography",),
    ),
    ("decode one small record and read it", "records", "load and read, one person", ("msgspec msgpack", "protobuf")),
)
"""The rows of the README: words, family, case, and the sides to name."""

LANDING = (
    ("to validate a CRL of 415,756 entries", "crl", "decode a CRL", ("cryptography load",)),
    (
        "to validate it and read every entry",
        "crl",
        "decode a CRL and read every entry",
        ("cryptography", "asn1crypto"),
    ),
    ("to decode one small record and read it", "records", "load and read, one person", ("msgspec msgpack", "protobuf")),
)
"""The figures of the first page, in the same form."""
