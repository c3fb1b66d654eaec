"""Which charts the documentation has: docs/figures/NAME.svg each. Called by bench/readme.py."""

from collections.abc import Callable
from dataclasses import dataclass

from bench.pages.charts import Spec, bars, beside, growth
from bench.pages.results import DERLIB, Stored


@dataclass(frozen=True)
class Chart:
    """A chart of the documentation: docs/figures/NAME.svg, of the results of a family."""

    name: str
    family: str
    title: str
    make: Callable[[Stored], Spec | None]


def of_cases(*names: str) -> Callable[[Stored], Spec | None]:
    """Bars of these cases."""
    return lambda stored: bars(one for one in stored["measurements"] if one["case"] in names)


def of_growth(kind: str, *, peers: bool) -> Callable[[Stored], Spec | None]:
    """Growth of derlib's operations, or of the peers'."""

    def chosen(stored: Stored) -> Spec | None:
        ours = {one["work"] for one in stored["scalings"] if one["side"] == DERLIB}
        shown = (one for one in stored["scalings"] if one["kind"] == kind and (one["work"] not in ours) == peers)
        return growth(one for one in shown if peers or one["side"] == DERLIB)

    return chosen


def overview(stored: Stored) -> Spec | None:
    """Comparisons by time as dots; of more peers than dots can tell apart, bars of the topic with most targets."""
    dots = beside(stored)
    if dots:
        return dots
    goals = [(row["topic"], row["work"]) for row in stored["rows"] if row["reach"] is not None]
    topics = [topic for topic, _ in goals]
    # Of equally many the last, which has the largest inputs.
    most = max(reversed(dict.fromkeys(topics)), key=topics.count, default="")
    works = {work for topic, work in goals if topic == most}
    return bars(one for one in stored["measurements"] if one["case"] in works and one["kind"] == "time")


DECODE = (
    "decode CRL, plain",
    "decode CRL, plain, and read every entry",
    "decode a reduced CRL, and read every entry",
)
ENCODE = (
    "encode CRL, plain, every entry anew from Python values",
    "encode TBSCertList, plain, every entry anew from Python values",
    "encode TBSCertList, half with reasons, every entry anew from Python values",
    "encode a reduced CRL, every entry anew",
)
PICKLE = (
    "pickle.dumps of a CRL",
    "pickle.loads of a CRL",
    "pickle.dumps of a reduced CRL",
    "pickle.loads of a reduced CRL",
)
MEMORY = (
    "growth of peak memory, decode CRL, plain",
    "growth of peak memory, decode CRL, plain, and read every entry",
    "growth of peak memory, encode CRL anew",
    "growth of peak memory, pickle.dumps of a CRL",
    "growth of peak memory, pickle.loads of a CRL",
)
CACHE = ("CRL in memory, signed", "CRL in a folder, signed", "CRL in SQLite, signed")
TOP = (
    Chart(
        "crl-top",
        "crl",
        "Reading and writing every entry of a CRL of 415,756 entries",
        of_cases("decode CRL, plain, and read every entry", "encode CRL, plain, every entry anew from Python values"),
    ),
)
"""What the README shows first."""

OF_PAGES = (
    Chart("crl-decode", "crl", "Decoding a CRL", of_cases(*DECODE)),
    Chart("crl-encode", "crl", "Encoding a CRL", of_cases(*ENCODE)),
    Chart("crl-pickle", "crl", "Pickling a CRL", of_cases(*PICKLE)),
    Chart("crl-memory", "crl", "Growth of peak memory", of_cases(*MEMORY)),
    Chart("crl-growth", "crl", "Growth of derlib's time with the number of entries", of_growth("time", peers=False)),
    Chart("crl-growth-peers", "crl", "Growth of the peers' time", of_growth("time", peers=True)),
    Chart("cache", "cache", "A CRL through derlib.cache, signed, and decoded without a cache", of_cases(*CACHE)),
    *(
        Chart(name, name, f"The family {name}: other libraries' time beside derlib's", overview)
        for name in ("syntax", "packets", "records")
    ),
)
CHARTS = (*TOP, *OF_PAGES)
