"""Mistakes that type checkers must find: `make types` reads this file, nothing calls it.

Each line is an error on purpose. mypy reports an ignore that ignores nothing, so a mistake that is no longer found
fails the check.
"""

from __future__ import annotations

import derlib
from derlib import DefinedBy, Explicit, NamedBits, ObjectIdentifier, Sequence, SequenceOf, Size, Tag
from derlib.schemas.crl import CertificateList, entries_table
from derlib.schemas.x509 import BasicConstraints, Extensions, GeneralName, Name, certificates_table


class Point(Sequence):
    x: int
    y: int
    label: str | None = None


class Rights(NamedBits):
    read = 1 << 0


def mistaken_values(crl: CertificateList, point: Point) -> None:
    # An OPTIONAL list may be absent.
    _ = crl.tbs_cert_list.revoked_certificates[0]  # type: ignore[index]
    _ = crl.tbs_cert_list.next_update.year  # type: ignore[union-attr]
    _ = crl.tbs_cert_list.thisUpdate  # type: ignore[attr-defined]
    point.x.encode()  # type: ignore[attr-defined]
    _ = point.x + point.label  # type: ignore[operator]
    # One value for another type.
    name: str = point.x  # type: ignore[assignment]
    del name


def mistaken_changes(point: Point, points: SequenceOf[Point]) -> None:
    point.x = 3  # type: ignore[misc]
    points[0] = point  # type: ignore[index]
    points.append(point)  # type: ignore[attr-defined]
    point.der[0] = points[0].span().length + "1"  # type: ignore[operator]
    point.span().offset = 0  # type: ignore[misc]


def mistaken_calls(octets: bytes, extensions: Extensions, name: GeneralName, subject: Name) -> None:
    Point.decode("3000")  # type: ignore[arg-type]
    Point.decode(octets, True)  # type: ignore[call-arg]
    _ = derlib.decode(int, octets).dotted  # type: ignore[attr-defined]
    _ = derlib.decode(SequenceOf[int], octets)[0].dotted  # type: ignore[attr-defined]
    _ = derlib.parse(octets).children[0].tag.name  # type: ignore[attr-defined]
    _ = extensions.get(BasicConstraints).ca  # type: ignore[union-attr]
    extensions.get(5)  # type: ignore[call-overload]
    _ = name.dnsName  # type: ignore[attr-defined]
    subject.get("CN").upper()  # type: ignore[union-attr]
    subject["CN"].upcase()  # type: ignore[union-attr]
    _ = subject["common_name"] + 1  # type: ignore[operator]
    name.dns_name.hex()  # type: ignore[attr-defined]
    Point.decode(octets).span(1.5)  # type: ignore[call-overload]
    ObjectIdentifier(17)  # type: ignore[arg-type]
    Tag(0, "contextual")  # type: ignore[arg-type]


def mistaken_constructors() -> None:
    Point(x=1)  # type: ignore[call-arg]
    Point(1, 2)  # type: ignore[call-arg]
    Point(x="1", y=2)  # type: ignore[arg-type]
    Point(x=1, y=2, z=3)  # type: ignore[call-arg]


def mistaken_schemas() -> None:
    class Wrong(Sequence):
        a: int = "1"  # type: ignore[assignment]
        b: str = None  # type: ignore[assignment]
        c: SequenceOf[int, str]  # type: ignore[type-arg]

    # The arguments of Annotated are checked only where they have a name, as in a table of types.
    Explicit("0")  # type: ignore[arg-type]
    Explicit(0, "contextual")  # type: ignore[arg-type]
    DefinedBy("a")  # type: ignore[call-arg]
    Size("1")  # type: ignore[arg-type]
    del Wrong


def mistaken_options_of_tables(data: bytes) -> None:
    certificates_table(data, on_error="ignore")  # type: ignore[arg-type]
    certificates_table(data, thread=2)  # type: ignore[call-arg]
    entries_table(data, limits=1000)  # type: ignore[arg-type]
