"""Tables of encodings with verdicts of other projects, and the rows for which the verdict of derlib differs.

`test_tables.py` compares derlib with them. `GO` are the tables of Go's encoding/asn1 (tests of `Unmarshal`), `FREE` the
files of the free ASN.1 suite, whose verdicts are for BER. Everything that they call wrong is rejected and everything
that they call right is accepted, except `EXCEPTIONS`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rules.rows import der

UNIVERSAL = {
    "BOOLEAN": "01",
    "INTEGER": "02",
    "BIT STRING": "03",
    "OID": "06",
    "UTCTime": "17",
    "GeneralizedTime": "18",
    "BMPString": "1e",
}


class Sample(NamedTuple):
    """An element: its name, its bytes, and the verdict of the authors of the table: valid, malformed or unknown.

    `header` says that the verdict is about identifier and length octets alone.
    """

    name: str
    octets: bytes
    label: str
    header: bool = False


class Exemption(NamedTuple):
    """The verdict of derlib: the kind of its error, "" if it accepts; the clause, and the reason."""

    kind: str
    clause: str
    reason: str


def go_samples(folder: Path) -> Iterator[Sample]:
    """Return the rows of Go's tables; contents octets get the header of their type."""
    for line in (folder / "go-encoding-asn1" / "go-encoding-asn1.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind, contents, _ = row["type"].partition(" contents")
        octets = bytes.fromhex(row["hex"])
        name = f"go/{row['suite'].split()[-1]}/{row['hex'][:40]}"
        yield Sample(name, der(UNIVERSAL[kind], octets) if contents else octets, row["label"], kind == "header")


def free_samples(folder: Path) -> Iterator[Sample]:
    """Return the files of the free ASN.1 suite."""
    suite = folder / "free-asn1-suite"
    for line in (suite / "LABELS.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, label, _ = line.split("\t")
        yield Sample(f"free/{name}", (suite / name).read_bytes(), label)


_NO_BOUND = Exemption("", "X.690 8.3.3", "Go reads it into so many bits; INTEGER itself has no bound")
_OFFSET = Exemption("utc-form", "X.690 11.8", "Go reads BER: a UTCTime with an offset, which DER writes with Z")
_SECONDS = Exemption("utc-form", "X.690 11.8", "Go reads BER: a UTCTime without seconds")
_GENERALIZED = Exemption("generalized-form", "X.690 11.7", "Go reads BER: a GeneralizedTime with an offset")
_PRINTABLE = Exemption("printable", "X.680 41.4", "Go lets * and & be in a PrintableString, as certificates have them")
_NONCHARACTER = Exemption(
    "", "X.690 8.23.8", "a code of the plane that names no character is encoded like any other; Go refuses it"
)

EXCEPTIONS: dict[str, Exemption] = {
    "go/int64TestData/800000000000000000": _NO_BOUND,
    "go/int32TestData/8000000000": _NO_BOUND,
    "go/utcTestData/3931303530363136343534302d30373030": _OFFSET,
    "go/utcTestData/3931303530363136343534302b30373330": _OFFSET,
    "go/marshalTests/17113039313131353134353631362d30383030": _OFFSET,
    "go/utcTestData/393130353036323334355a": _SECONDS,
    "go/utcTestData/353130353036323334355a": _SECONDS,
    "go/generalizedTimeTestData/32303130303130323033303430352b30363037": _GENERALIZED,
    "go/generalizedTimeTestData/32303130303130323033303430352d30363037": _GENERALIZED,
    "go/tagAndLengthData/1f888080800000": Exemption(
        "", "X.690 8.1.2.4", "tag number 2^31: Go's limit is below it, derlib's at 2^60, the standard has none"
    ),
    "go/unmarshalTestData/13057465737426": _PRINTABLE,
    "go/marshalTests/30071305746573742a": _PRINTABLE,
    "go/marshalTests/3003010203": Exemption(
        "content-truncated", "X.690 8.1.3", "RawContent is written as it was given, and 01 02 03 is not an element"
    ),
    "go/bmpStringTests/5051fdd1": _NONCHARACTER,
    "go/bmpStringTests/5051ffff": _NONCHARACTER,
    "go/bmpStringTests/5051fffe": _NONCHARACTER,
    "go/derEncodedPaypalNULCertBytes/30820644308205ada003020102020300f09b300d": Exemption(
        "printable", "X.680 41.4", "the PrintableString of a name has NUL, the attack for which it is known"
    ),
    "free/tc15.ber": Exemption(
        "real-limit", "", "an exponent of nine octets is right, and over a limit of derlib"
    ),
    "free/tc17.ber": Exemption("real-binary", "X.690 11.3.1", "right BER; a scaling factor and base 16 are not DER"),
}

# The verdict "unknown" is that of files which the author of the suite wrote from published examples, correct or
# damaged. These are DER, the others are not. tc40 is BER to the suite; X.690 8.6.2.1 requires the octet that it lacks.
UNKNOWN_AND_RIGHT = {
    f"free/encoded_tc{number}.ber" for number in (6, 7, 8, 9, 11, 12, 16, 18, 20, 21, 22, 24, 28, 29, 30, 31, 32, 44)
}
