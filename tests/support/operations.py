"""Operations on hostile values, which `test_work.py` counts the instructions of: operations.py.

`dense.py` is for the cost of decoding; this script is for the cost of what follows: deviations, reading, plain data,
printing, indexing, and the command line. It runs each case at one size and at twice that size, between two marks of
bench/harness/callgrind.py. Values are decoded outside the marks.
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from support.der import der

import derlib
from derlib import (
    TLV,
    BitString,
    Choice,
    DefinedBy,
    Explicit,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    UTF8String,
)
from derlib.cli.commands import cert, crl, grep, lint
from derlib.cli.documents.differences import Side, differences
from derlib.cli.documents.document_types import DER
from derlib.cli.documents.elements import element_at
from derlib.cli.documents.files import Document
from derlib.cli.documents.paths import child_items, root_item
from derlib.cli.rendering.element_tree import TreeWriter
from derlib.cli.rendering.html_page import page
from derlib.schemas.crl import CertificateList, RevokedCertificate
from derlib.schemas.x509 import Certificate, Name

EVERYTHING = ~derlib.Deviation(0)
TIME = der(0x17, b"260101000000Z")
SIGNED = der(0x30, bytes.fromhex("06092a864886f70d01010b 0500"))
WRONG = b"\x01\x01\x05"  # A BOOLEAN that is neither 00 nor ff.


class Usage(NamedBits):
    sign = 1 << 0
    seal = 1 << 1


class Listed(Sequence):
    """An element that contains a list."""

    number: int
    flags: SequenceOf[bool]


class Arms(Choice):
    flags: Annotated[SequenceOf[bool], Explicit(0)]
    number: Annotated[int, Implicit(1)]


class Least(Sequence):
    """An element that can be empty."""

    number: int | None = None


class Growing(Sequence, extensible=True):
    number: int | None = None
    octets: bytes | None = None


class GrowingSet(Set, extensible=True):
    number: int | None = None


class Numbered(Sequence):
    number: int
    other: int = 7


OPAQUE = OpenTypes("OPAQUE", {"1.2.3": bool}, on_mismatch="opaque")
TYPED = OpenTypes("TYPED", {"1.2.3": int})


class Opaque(Sequence):
    key: ObjectIdentifier
    values: SequenceOf[Annotated[TLV, DefinedBy("key", OPAQUE)]]


class Typed(Sequence):
    key: ObjectIdentifier
    values: SequenceOf[Annotated[TLV, DefinedBy("key", TYPED)]]


def oid(hexadecimal: str) -> bytes:
    return der(0x06, bytes.fromhex(hexadecimal))


def named(value: bytes) -> bytes:
    """Return a Name with one commonName."""
    return der(0x30, der(0x31, der(0x30, oid("550403") + value)))


def extension(hexadecimal: str, value: bytes, critical: bytes = b"") -> bytes:
    return der(0x30, oid(hexadecimal) + critical + der(0x04, value))


def certificate(extensions: bytes = b"", serial: bytes = b"\x05", time: bytes = TIME) -> bytes:
    key = der(0x30, SIGNED + der(0x03, b"\0" + der(0x30, b"\x02\x01\x05\x02\x01\x03")))
    name = named(b"\x0c\x01x")
    tbs = b"\xa0\x03\x02\x01\x02" + der(0x02, serial) + SIGNED + name + der(0x30, time * 2) + name + key
    tbs += der(0xA3, der(0x30, extensions)) if extensions else b""
    return der(0x30, der(0x30, tbs) + SIGNED + b"\x03\x02\x00\x01")


def revocations(entries: bytes) -> bytes:
    tbs = b"\x02\x01\x01" + SIGNED + named(b"\x0c\x01x") + TIME * 2 + der(0x30, entries)
    return der(0x30, der(0x30, tbs) + SIGNED + b"\x03\x02\x00\x01")


def entry(number: int, extensions: bytes = b"") -> bytes:
    serial = (0x10000 + number).to_bytes(3, "big")
    return der(0x30, der(0x02, serial) + TIME + (der(0x30, extensions) if extensions else b""))


def entries(size: int) -> bytes:
    return b"".join(entry(number) for number in range(size // 22))


def selected(contents: bytes) -> bytes:
    """A key, and a list of values of the type that it selects."""
    return der(0x30, oid("2a03") + der(0x30, contents))


def additions_of_a_set(size: int) -> bytes:
    # Each has its own tag, in ascending order, and a length that is too long.
    return b"".join(b"\x9f" + bytes([0x81 + n // 128, n % 128]) + b"\x81\x00" for n in range(size // 5))


def elements(size: int) -> bytes:
    """Return the shortest elements; the last byte can have any value."""
    return b"\x05\x00" * (size // 2) + b"\x04\x01x"


def nested(contents: bytes, levels: int) -> bytes:
    for _ in range(levels):
        contents = der(0x30, contents)
    return contents


def in_strings(contents: bytes, strings: int) -> bytes:
    """Return elements deep inside nested strings."""
    for _ in range(strings):
        contents = der(0x04, nested(contents, 90))
    return contents


def repeated(times: int) -> Callable[[int], bytes]:
    """Return elements in which each number occurs this often."""
    return lambda size: b"".join(
        der(0x30, der(0x02, (0x100 + number // times).to_bytes(2, "big"))) for number in range(size // 6)
    )


# Operations on a value.


def deviations(value: Any) -> int:
    return len(value.deviations)


def read(value: Any) -> int:
    """Read every value."""
    waiting, count = [value], 0
    while waiting:
        one = waiting.pop()
        count += 1
        if isinstance(one, (Sequence, Set)):
            waiting += [getattr(one, field.name) for field in derlib.fields(type(one))]
            waiting += one.unknown_additions
        elif isinstance(one, Choice):
            waiting.append(one.value)
        elif isinstance(one, (SequenceOf, SetOf)):
            waiting += one
        elif isinstance(one, NamedBits):
            assert len(list(one)) <= len(one)
            assert len(one.names) == len(one)
            assert Usage.sign in one
    return count


def parts(value: Any) -> int:
    """Request the position of each part."""
    return sum(1 for item in child_items(root_item(value)) if value.span(*item.path) is not None)


def plain(value: Any) -> int:
    return len(list(value.to_native())) + len(value.to_json())


def shown(value: Any) -> int:
    return len(repr(value)) + len(str(value)) + len(derlib.pretty(value))


def indexed(field: str) -> Callable[[Any], int]:
    return lambda value: len(value.index_by(field))


def found(value: Any) -> int:
    return sum(value.index_by("number").find(0x100 + number) is not None for number in range(0, len(value), 16))


class Counted:
    """Replaces `derlib.cli.output.standard_output.Output`, and counts what is written."""

    color = False

    def __init__(self) -> None:
        self.size = 0

    def write(self, text: str) -> None:
        self.size += len(text)

    def line(self, text: str = "") -> None:
        self.size += len(text) + 1

    def style(self, text: str, name: str) -> str:
        return text

    def flush(self) -> None:
        """Do not store the output."""


def written(write: Callable[[Any], object]) -> int:
    out = Counted()
    write(out)
    return out.size


def document(value: Any) -> Document:
    return Document("file", bytes(value.der))


OPTIONS: dict[str, Any] = {
    "files": ("file",), "as_json": False, "color": False, "pager": False, "tolerate": derlib.Deviation(0), "ber": False
}


def linted(type_name: str) -> Callable[[Any], int]:
    def run(value: Any) -> int:
        command = lint.Command(type_name=type_name, **OPTIONS)
        report = command.decode(document(value))
        return written(lambda out: command.write_text(document(value), report, out))

    return run


def paged(value: Any) -> int:
    return sum(map(len, page("file", [document(value)])))


def dumped(value: Any) -> int:
    root = element_at(bytes(value.der), 0, EVERYTHING)
    return written(lambda out: TreeWriter(None, True).write_text(root, out))


def cert_text(value: Any) -> int:
    return written(lambda out: cert.Command(**OPTIONS).write_text(document(value), value, out))


def cert_json(value: Any) -> int:
    return written(lambda out: cert.Command(**OPTIONS).write_json(document(value), value, out))


def crl_text(value: Any) -> int:
    command = crl.Command(serials=(), entries=None, every=False, tsv=False, jsonl=False, decimal=False, **OPTIONS)
    return written(lambda out: command.write_text(document(value), value, out))


def grepped(value: Any) -> int:
    command = grep.Command(pattern="**", by="path", ignore_case=False, type_name="der", secrets=False, **OPTIONS)
    return written(lambda out: command.write_text(document(value), value, out))


def differing(value: Any) -> int:
    der_ = bytes(value.der)
    other = der_[:-1] + bytes([der_[-1] ^ 1])
    with contextlib.suppress(derlib.DecodeError):
        sides = [Side(root_item(DER.decode(one, EVERYTHING)), Document("file", one)) for one in (der_, other)]
        return sum(1 for _ in differences(*sides))
    raise AssertionError("the changed octets are not DER")


class Case(NamedTuple):
    """An operation on the value of a type, whose octets are made for a size.

    What a further octet costs is compared with the `honest` case. `scale` makes the sizes larger.
    """

    name: str
    run: Callable[[Any], object]
    type: Any
    octets: Callable[[int], bytes]
    honest: str = "read a CRL"
    scale: int = 1

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self.scale * size for size in SIZES)


def listed(element: Any, contents: Callable[[int], bytes]) -> tuple[Any, Callable[[int], bytes]]:
    return SequenceOf[element], lambda size: der(0x30, contents(size))


CRL: tuple[Any, Callable[[int], bytes]] = (CertificateList, lambda size: revocations(entries(size)))
SERVER: tuple[Any, Callable[[int], bytes]] = (
    Certificate,
    lambda size: certificate(extension("551d11", der(0x30, der(0x82, b"www.host.example.org") * (size // 22)))),
)
HONEST = [
    Case("read a CRL", read, *CRL),
    Case("plain data of a CRL", plain, *CRL),
    # A short list can need more steps per byte, and the page of a short list uses all of it.
    Case("index a CRL", indexed("user_certificate"), *listed(RevokedCertificate, entries), scale=32),
    Case("dump a CRL", dumped, *CRL),
    Case("page of a CRL", paged, *CRL, scale=40),
    Case("grep a CRL", grepped, TLV, CRL[1]),
    Case("a certificate as JSON", cert_json, *SERVER),
]
IN_LISTS: list[tuple[str, Any, Callable[[int], bytes]]] = [
    ("a list", *listed(bool, lambda n: WRONG * (n // 3))),
    ("a list in a list", *listed(SequenceOf[bool], lambda n: der(0x30, WRONG * (n // 3)))),
    ("a list in an element", *listed(Listed, lambda n: der(0x30, b"\x02\x01\x05" + der(0x30, WRONG * (n // 3))))),
    ("a list in a CHOICE", *listed(Arms, lambda n: der(0xA0, der(0x30, WRONG * (n // 3))))),
    ("many lists", *listed(SequenceOf[bool], lambda n: der(0x30, WRONG * 8) * (n // 26))),
    ("additions", *listed(Growing, lambda n: der(0x30, WRONG * (n // 3)))),
    ("additions of a SET", *listed(GrowingSet, lambda n: der(0x31, additions_of_a_set(n)))),
    ("a value of an opaque table", *listed(Opaque, lambda n: selected(WRONG * (n // 3)))),
    ("mismatches", *listed(Typed, lambda n: selected(b"\x05\x00" * (n // 2)))),
    (
        "the extensions of one entry",
        CertificateList,
        lambda n: revocations(entry(0, extension("551d15", b"\x0a\x01\x01", b"\x01\x01\x00") * (n // 15))),
    ),
]
BITS = listed(Usage, lambda n: der(0x03, b"\0" + b"\xff" * n))
SHORT_BITS = listed(Usage, lambda n: der(0x03, b"\0" + b"\xff" * 8) * (n // 11))
KEY_USAGE: tuple[Any, Callable[[int], bytes]] = (
    Certificate,
    lambda n: certificate(extension("551d0f", der(0x03, b"\0" + b"\xff" * n))),
)
ALTERNATIVES: tuple[Any, Callable[[int], bytes]] = (
    Certificate,
    lambda n: certificate(extension("551d11", der(0x30, b"\x82\x00" * (n // 2)))),
)
MISFITS: tuple[Any, Callable[[int], bytes]] = (
    Certificate,
    lambda n: certificate(extension("551d0f", b"\x05\x00") * (n // 12)),
)
ATTRIBUTES: tuple[Any, Callable[[int], bytes]] = (
    Certificate,
    lambda n: certificate(
        extension("551d09", der(0x30, der(0x30, oid("2b06010505070901") + der(0x31, b"\x05\x00" * (n // 2)))))
    ),
)
ANY = (TLV, lambda n: nested(elements(n), 1))
DEEP = (TLV, lambda n: nested(elements(n), 90))
STRINGS = (TLV, lambda n: in_strings(elements(n), 8))
HOSTILE = [
    *(Case(f"deviations of {name}", deviations, type_, octets, scale=8) for name, type_, octets in IN_LISTS),
    *(
        Case(f"read {name}", read, type_, octets, scale=2)
        for name, (type_, octets) in {
            "named bits": BITS,
            "short named bits": SHORT_BITS,
            "numbers of named bits": listed(Usage, lambda n: b"\x03\x02\x07\x80" * (n // 4)),
            "additions": listed(Growing, lambda n: der(0x30, b"\x01\x01\xff" * (n // 3))),
            "empty elements": listed(Least, lambda n: b"\x30\x00" * (n // 2)),
            "values of opaque tables": listed(Opaque, lambda n: selected(WRONG * (n // 3))),
            "names": ALTERNATIVES,
        }.items()
    ),
    Case("places of elements", parts, *listed(bool, lambda n: WRONG * (n // 3)), scale=4),
    *(
        Case(f"plain data of {name}", plain, *made, "plain data of a CRL", 4)
        for name, made in {
            "named bits": BITS,
            "short named bits": SHORT_BITS,
            "bits": listed(BitString, lambda n: der(0x03, b"\1" + b"\xfe" * n)),
            "additions": listed(Growing, lambda n: der(0x30, b"\x05\x00" * (n // 2))),
            "names": ALTERNATIVES,
        }.items()
    ),
    *(
        Case(f"show {name}", shown, *made, scale=4)
        for name, made in {
            "named bits": BITS,
            "short named bits": SHORT_BITS,
            "additions": listed(Growing, lambda n: der(0x30, b"\x05\x00" * (n // 2))),
            "elements without a schema": ANY,
            "nested elements": DEEP,
            "arcs": listed(ObjectIdentifier, lambda n: der(0x06, b"\x2a" + b"\x81\x01" * (n // 2))),
            "text": listed(UTF8String, lambda n: der(0x0C, b"\\" * n)),
            "a name of many": (Name, lambda n: der(0x30, named(b"\x0c\x01,")[2:] * (n // 14))),
            "a name of escapes": (Name, lambda n: named(der(0x0C, b"," * n))),
            "names": ALTERNATIVES,
        }.items()
    ),
    *(
        Case(f"index {name}", indexed(field), *listed(Numbered, octets), "index a CRL", 32)
        for name, field, octets in [
            *((f"numbers {times} times there", "number", repeated(times)) for times in (1, 4, 8, 16, 100)),
            ("one number", "number", lambda n: b"\x30\x03\x02\x01\x05" * (n // 5)),
            ("defaults", "other", lambda n: b"\x30\x03\x02\x01\x05" * (n // 5)),
        ]
    ),
    Case("find repeated numbers", found, *listed(Numbered, repeated(100)), scale=8),
    *(
        Case(f"lint {name}", linted(kind), type_, octets, "dump a CRL", 2)
        for name, kind, type_, octets in [
            ("the extensions of one entry", "crl", *IN_LISTS[-1][1:]),
            ("mismatches", "cert", *MISFITS),
            ("attributes", "cert", *ATTRIBUTES),
            ("elements without a schema", "der", TLV, lambda n: nested(WRONG * (n // 3), 1)),
        ]
    ),
    *(
        Case(f"page of {name}", paged, *made, "page of a CRL", 40)
        for name, made in {
            "identifiers": (TLV, lambda n: der(0x04, b"\x06\x7f" * (n // 2))),
            "identifiers of usual lengths": (TLV, lambda n: der(0x04, b"\x06\x09" * (n // 2))),
            "known identifiers": (TLV, lambda n: der(0x04, b"\x06\x03\x55" * (n // 3))),
            "names": ALTERNATIVES,
            "nested elements": DEEP,
            "large entries": (
                CertificateList,
                lambda n: revocations(entry(0, extension("2a0304", b"\x05\x00") * (n // 800)) * 70),
            ),
        }.items()
    ),
    *(
        Case(f"{name} of {what}", run, *made, honest)
        for name, run, honest in [
            ("text", cert_text, "dump a CRL"),
            ("JSON", cert_json, "a certificate as JSON"),
        ]
        for what, made in {
            "named bits": KEY_USAGE,
            "names": ALTERNATIVES,
            "mismatches": MISFITS,
            "attributes": ATTRIBUTES,
            "a serial number": (Certificate, lambda n: certificate(serial=b"\x7f" * n)),
        }.items()
    ),
    Case("text of the extensions of one entry", crl_text, *IN_LISTS[-1][1:], "dump a CRL"),
    *(
        Case(f"{name} {what}", run, *made, honest)
        for name, run, honest in [
            ("dump", dumped, "dump a CRL"),
            ("grep", grepped, "grep a CRL"),
            ("compare", differing, "grep a CRL"),
        ]
        for what, made in {"elements": ANY, "nested elements": DEEP, "elements in strings": STRINGS}.items()
    ),
]
CASES = [*HONEST, *HOSTILE]
# A size in bytes, and twice that size. Work that is done once runs with a third size, which is not counted.
SIZES = (300, 600)
WARM = 100


if __name__ == "__main__":
    # The garbage collector could run at one size and not at another.
    gc.disable()
    # A random key decides whether the table of an index collides so often that it is filled twice.
    derlib._core._urandom = bytes
    for case in CASES:
        for size in (WARM, *case.sizes):
            value = derlib.decode(case.type, case.octets(size), tolerate=EVERYTHING)
            os.getppid()
            case.run(value)
            os.getppid()
