"""Octets to begin with, made from what the test dependencies and the shared data carry; none are part of the project.

    python -m fuzz.seeds FOLDER [TARGET ...]        one folder a target, one file a seed; SEEDS=2000 of each

Small files come first in value: what has no new edge the fuzzer drops by itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from corpus.files import corpus, pem_files
from hypothesis import given, settings

import derlib
from derlib import ASN1Error
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate
from derlib.strategies import Malformed, encodings, malformed, random_ber

from .mutate import PIECES
from .schemas import CLASSES, OWN, Bag, Document, Frame, Hello, Letter, Open, Reading
from .targets import TARGETS, entries, fixed_keys, points
from .values import Maker

SIZE = 4096
# Forms of BER that random drawing seldom creates.
BER_PIECES = tuple(map(bytes.fromhex, (
    "2480240304016104010000", "23800302000a0303045f290000", "3980", "3080308030800000", "318002010204820001610000",
    "090390ff03", "09060331352e4530", "a08004016104016200000000", "170b383230313032313230305a", "0000", "040361",
)))
ADDITIONS = "$additions"  # the key of unknown additions in plain data
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


@lru_cache(maxsize=2)
def structures(shared: bool = True) -> list[tuple[Any, bytes]]:
    """Yield (class, octets) of certificates and CRLs, and of every value inside that its class decodes alone.

    Without `shared`, the shared data is left out, which not every machine has.
    """
    found: dict[tuple[int, bytes], Any] = {}
    for item in corpus():
        if len(item.der) > SIZE or (item.name.startswith("shared/") and not shared):
            continue
        class_ = Certificate if item.kind == "certificate" else CertificateList
        found[CLASSES.index(class_), item.der] = class_
        try:
            pending: list[Any] = [class_.decode(item.der)]
        except ASN1Error:
            continue
        while pending:
            value = pending.pop()
            if type(value) in CLASSES:
                found[CLASSES.index(type(value)), value.encode()] = type(value)
            if isinstance(value, (derlib.Sequence, derlib.Set)):
                for field in derlib.fields(type(value)):
                    try:
                        pending.append(getattr(value, field.name))
                    except derlib.UnrepresentableError:
                        continue
            elif isinstance(value, derlib.Choice):
                pending.append(value.value)
            elif isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
                pending.extend(value[:20])
    for number, class_ in enumerate(CLASSES):
        for variant in range(40):
            noise = hashlib.shake_128(number_of(class_) + bytes([variant])).digest(400)
            try:
                found[number, class_.from_native(Maker(noise).value(class_.__plan__)).encode()] = class_
            except ASN1Error:
                continue
    for class_ in OWN:
        found.update({(CLASSES.index(class_), octets): class_ for octets in drawn(class_)})
    for class_, octets in (*extended(), *deep()):
        found[CLASSES.index(class_), octets] = class_
    return [(class_, octets) for (_, octets), class_ in sorted(found.items(), key=lambda one: len(one[0][1]))]


def extended() -> Iterator[tuple[Any, bytes]]:
    """Yield values with unknown additions after their extension marker, which random drawing seldom creates."""
    additions = [bytes.fromhex(octets) for octets in ("9d0101", "be03020105", "bf1f020500", "9f200461626364", "dc00")]
    values = (
        (Hello, {"version": 3}), (Hello, {"version": 3, "state": "busy"}), (Hello, {"version": 3, "note": "a"}),
        (Hello, {"version": 3, "later": {"version": 4, ADDITIONS: additions[:2]}}),
        (Frame, {"kind": "1.2.3", "content": 5}),
        (Frame, {"kind": "1.2.4", "content": {"x": 1}, "last": {"number": 1}}),
        (Frame, {"kind": "1.2.3", "flag": True, "content": 5, "more": [{"version": 1, ADDITIONS: additions[3:]}]}),
        (Bag, {"number": 1}), (Bag, {"number": 1, "mark": True}), (Bag, {"number": 1, "hello": {"version": 2}}),
        (Reading, {"value": 1}), (Reading, {"value": 1, "unit": "m", "scale": 3, "points": [{"x": 1}]}),
    )
    for class_, value in values:
        for first in range(len(additions)):
            for last in range(first + 1, len(additions) + 1):
                yield class_, class_.from_native({**value, ADDITIONS: additions[first:last]}).encode()


def deep() -> Iterator[tuple[Any, bytes]]:
    """Yield nested letters up to a limit, one in three beyond it; on their own, and as values of an opaque table."""
    # Each letter has three levels; the innermost has three, four or five.
    for answer in (None, {"answers": [{"number": 1}]}, {"answers": [{"bag": {"number": 1}}]}):
        value: dict[str, Any] = {"number": 1, "answer": answer}
        octets = b""
        with contextlib.suppress(derlib.EncodeError):
            while True:
                octets = Letter.from_native(value).encode()
                value = {"number": 1, "letters": [value]}
        yield Letter, octets
        # As bytes: valid ones have few levels during validation, and many when they are read.
        yield Open, Open.from_native({"kind": "1.2.10", "typed": b"\5\0", "opaque": {"$opaque": octets}}).encode()


def drawn(class_: Any, count: int = 25) -> list[bytes]:
    """Yield encodings of a class of `schemas.py`, valid ones and some with a fault; always the same."""
    made: list[bytes] = []

    @settings(database=None)
    @given(encodings(class_), malformed(class_))
    def draw(encoding: bytes, bad: Malformed) -> None:
        made.extend(one for one in (encoding, bad.encoding) if len(one) <= SIZE)

    # Random examples would depend on the modules that are imported, because Hypothesis uses their constants.
    for number in range(count):
        draw.hypothesis.fuzz_one_input(hashlib.shake_128(f"{class_.__name__} {number}".encode()).digest(3000))
    return made


def suites() -> Iterator[bytes]:
    """Yield files of other projects' test suites, with valid and invalid input of all kinds."""
    for part in ("free-asn1-suite", "go-encoding-asn1"):
        for path in sorted((SHARED / part).rglob("*")) if SHARED.is_dir() else ():
            if path.is_file() and path.stat().st_size <= SIZE:
                yield path.read_bytes()


def number_of(class_: Any) -> bytes:
    """Return the bytes that select a class in the targets."""
    return CLASSES.index(class_).to_bytes(2, "big")


def seeds(name: str, *, shared: bool = True) -> Iterator[bytes]:
    """Yield the seeds of a target, with or without those of the shared data."""
    both = structures(shared)
    plain = [*(suites() if shared else ()), *PIECES]
    if name in ("certificate", "crl"):
        class_ = Certificate if name == "certificate" else CertificateList
        yield from (octets for one, octets in both if one is class_)
    elif name == "parse":
        yield from (octets for _, octets in both)
        yield from plain
    elif name == "changing":
        for class_, octets in both:
            yield number_of(class_) + bytes(9) + b"\1" + octets + octets
            # Three positions that are changed; longer lengths first.
            noise = hashlib.shake_128(octets).digest(6)
            changes = b"".join(noise[at : at + 2] + value for at, value in ((0, b"\x7f"), (2, b"\x84"), (4, b"\xff")))
            yield number_of(class_) + changes + b"\0" + octets
    elif name in ("schema", "deviations", "limits", "pickles"):
        headers = {
            "schema": [b""], "deviations": [b"\xff\xff", b"\0\0", b"\x81\xff"],
            "limits": [b"\x64\0\0\x0b\0", b"\x64\0\0\x0b\1", b"\x05\x20\x09\x21\1"],
            "pickles": [b"\0", b"\x08", b"\x02"],
        }[name]
        for class_, octets in both:
            for header in headers:
                yield number_of(class_) + header + octets
        for octets in plain:
            yield b"\0\0" + headers[0] + octets
        if name == "pickles":
            with fixed_keys():
                lookups = entries().index_by("user_certificate"), points().index_by("x")
            for number, lookup in enumerate(lookups):
                yield bytes([0, number, 5]) + bytes(lookup.__reduce__()[1][2])
    elif name == "columns":
        for number, (class_, octets) in enumerate(both):
            yield number_of(class_) + bytes([number % 3 * 40, number % 11 << 2]) + octets
            if class_ in (Certificate, CertificateList):
                yield number_of(class_) + bytes([0, 3 if class_ is Certificate else 1]) + octets
    elif name == "convert":
        for number, (class_, octets) in enumerate(both):
            try:
                made = random_ber(class_, octets, random.Random(number))
            except ASN1Error:
                continue
            yield number_of(class_) + bytes([number % 8 * 2]) + made
            yield b"\0\0\1" + made
        for octets in (*plain, *BER_PIECES):
            yield b"\0\0\1" + octets
    elif name == "values":
        for number in range(256):
            yield bytes([number]) + hashlib.shake_128(bytes([number])).digest(300)
    elif name == "json_text":
        for class_, octets in both:
            try:
                yield number_of(class_) + class_.decode(octets).to_json().encode()
            except ASN1Error:
                continue
    elif name == "pem_text":
        for source in ("certifi", "vectors"):
            for _, text in pem_files(source):
                yield text[:SIZE]
        yield derlib.pem.encode(b"0\0", "X509 CRL").encode()
    elif name == "command_line":
        for number, (class_, octets) in enumerate(both):
            form = {Certificate: 1, CertificateList: 2}.get(class_, 0)
            if form or number % 7 == 0:
                yield bytes([form | (number & 3) << 2]) + octets
    elif name == "cache_entries":
        octets = Document(colour="red", points=[{"x": 1}, {"x": 2, "y": b"a"}]).encode()
        for form in (0, 2, 3, 7, 15):
            yield bytes([form]) + octets


def thinned(made: list[bytes], most: int) -> list[bytes]:
    """Return at most this many seeds; if the first bytes choose the type, as many of each, but a sixth of `OWN`.

    Only the types in `OWN` have all forms of values, such as unknown additions. Their part does not shrink when the
    schema modules get more types.
    """
    if len(made) <= most:
        return made
    groups: dict[bytes, list[bytes]] = {}
    for octets in made:
        groups.setdefault(octets[:2], []).append(octets)
    own = {first for first in groups if first < len(OWN).to_bytes(2, "big")}
    weights = {first: max(len(groups) - len(own), 1) / (5 * len(own)) if first in own else 1 for first in groups}
    rest = sum(weights.values())
    kept: list[bytes] = []
    # Small groups first: the others get the rest of their share.
    for first in sorted(groups, key=lambda first: len(groups[first]) / weights[first]):
        share = max(int((most - len(kept)) * weights[first] / rest), 1)
        rest -= weights[first]
        kept += groups[first][:: -(-len(groups[first]) // share)]
    return kept


def write(folder: Path, name: str, most: int = 2000) -> int:
    """Write the seeds of a target, and print their number."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fit = {octets for octets in seeds(name) if len(octets) <= 2 * SIZE}
    made = thinned(sorted(fit, key=lambda octets: (len(octets), octets)), most)
    for octets in made:
        (folder / hashlib.sha1(octets, usedforsecurity=False).hexdigest()).write_bytes(octets)
    return len(made)


if __name__ == "__main__":
    for name in sys.argv[2:] or TARGETS:
        print(f"{name}: {write(Path(sys.argv[1]) / name, name, int(os.environ.get('SEEDS', '2000')))} seeds")
