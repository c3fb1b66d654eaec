"""The fuzz targets: functions of bytes that must not raise. To add one, write it here with `@target`.

The first `header` bytes choose the type and the options; the rest is the input of the core. The fuzzer, the replay and
the tests use `TARGETS`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import pickle
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from unittest import mock

from corpus.octets import touch
from support.der import der

import derlib
from derlib import ASN1Error, BitString, Deviation, Limits, ObjectIdentifier, PEMError, SequenceOf, _core, pem
from derlib._core import parse_again, restore, restore_lookup
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.crl import CertificateList, RevokedCertificate
from derlib.schemas.tables import CERTIFICATE_COLUMNS, CRL_ENTRY_COLUMNS
from derlib.schemas.x509 import Certificate, Name

from . import oracles
from .schemas import CLASSES, Constrained, Document, Frame, Open, Point
from .values import Maker

# Errors that reading may raise if bytes changed after they were decoded; see docs/architecture.md.
CHANGED = (ASN1Error, ValueError, OverflowError, LookupError, AttributeError)
MAIN = (Certificate, CertificateList, Document, Open, Name, AlgorithmIdentifier, Frame, Constrained)


class Target(NamedTuple):
    """A function of bytes, and what it takes."""

    run: Callable[[bytes], object]
    header: int     # how many bytes at the start are not DER
    der: bool       # whether the rest is DER
    runs: int       # how many inputs it gets in `.ci/run`: about 3 s under the sanitizers


TARGETS: dict[str, Target] = {}


def target(
    *, runs: int, header: int = 0, der: bool = True
) -> Callable[[Callable[[bytes], object]], Callable[[bytes], object]]:
    """Register a function in the table, under its name."""
    def put(run: Callable[[bytes], object]) -> Callable[[bytes], object]:
        TARGETS[run.__name__] = Target(run, header, der, runs)
        return run
    return put


def chosen(data: bytes) -> Any:
    """Return the class that the first two bytes of `data` select."""
    return CLASSES[int.from_bytes(data[:2], "big") % len(CLASSES)]


@contextlib.contextmanager
def fixed_keys() -> Iterator[None]:
    """Give hash tables the same key each time, so that a run can be repeated; it is random otherwise."""
    with mock.patch.multiple(_core, _urandom=bytes, _dictionary_key=bytes):
        yield


@target(runs=800)
def certificate(data: bytes) -> None:
    oracles.strict(Certificate, data)


@target(runs=1800)
def crl(data: bytes) -> None:
    value = oracles.strict(CertificateList, data)
    if value is not None:
        for entry in (value.tbs_cert_list.revoked_certificates or ())[:4]:
            assert value.find(entry.user_certificate).user_certificate == entry.user_certificate


@target(runs=3000, header=2)
def schema(data: bytes) -> None:
    oracles.strict(chosen(data), data[2:])


@target(runs=8000)
def parse(data: bytes) -> None:
    oracles.tree(data)


@target(runs=12000, header=4)
def deviations(data: bytes) -> None:
    """Bytes 0 and 1: the type. 2 and 3: the deviations; ffff: all, 0000: one by one, both odd: a tree."""
    if len(data) < 4:
        return
    choice, mask, data = data[:2], int.from_bytes(data[2:4], "big"), data[4:]
    type_ = derlib.TLV if mask & 0x8100 == 0x8100 and mask != 0xFFFF else chosen(choice)
    if mask == 0:
        oracles.named_deviations(type_, data)
    else:
        tolerate = oracles.EVERYTHING if mask == 0xFFFF else Deviation(mask & 0x7FFF)
        oracles.tolerated(type_, data, tolerate, None)


@target(runs=8000, header=7)
def limits(data: bytes) -> None:
    """Bytes 0 and 1: the type. 2 to 6: depth, size, elements, tag and arc octets, and whether all is tolerated."""
    if len(data) < 7:
        return
    depth, size, elements, octets, tolerate = data[2:7]
    bounds = Limits(
        depth=depth % 200 + 1, size=size * 8 or None, elements=elements or None,
        tag_octets=octets % 10 + 1, arc_octets=(octets >> 4) * 33 + 1,
    )
    rest = data[7:]
    type_ = derlib.TLV if tolerate & 2 else chosen(data)
    value = oracles.tolerated(type_, rest, oracles.EVERYTHING if tolerate & 1 else None, bounds)
    if value is not None:
        assert size == 0 or len(rest) <= size * 8
        most = Limits(depth=200, arc_octets=500)
        assert derlib.decode(type_, rest, limits=most, tolerate=oracles.EVERYTHING if tolerate & 1 else None) == value


@target(runs=12000, header=3, der=False)
def convert(data: bytes) -> None:
    """Convert BER, then decode. Bytes 0 and 1: the type. 2: no type, a prefix, signed attributes, small limits."""
    if len(data) < 3:
        return
    form, octets = data[2], data[3:]
    limits = Limits(depth=1 + (form >> 4), elements=form, size=8 * form) if form & 8 else None
    oracles.converted(None if form & 1 else chosen(data), octets, limits, bool(form & 2), bool(form & 4))


@target(runs=5000, header=12)
def changing(data: bytes) -> None:
    """Change a shared buffer under its views: errors and wrong values are allowed, reads outside it are not.

    Bytes 0 and 1: the type. 2 to 10: three changes, each a position in two bytes and the new byte. If byte 11 is odd,
    there are two halves instead: the decoded input, and the later contents of the buffer.
    """
    if len(data) < 13:
        return
    before, after = data[12:], bytearray(data[12:])
    if data[11] & 1:
        middle = (len(before) + 1) // 2
        before, after = before[:middle], bytearray((before[middle:] + before)[:middle])
    else:
        for at in (2, 5, 8):
            after[int.from_bytes(data[at : at + 2], "big") % len(after)] = data[at + 2]
    type_ = chosen(data)
    shared = oracles.exact(before)
    try:
        value = derlib.decode(type_, shared, copy=False)
    except ASN1Error:
        return
    with contextlib.suppress(TypeError, *CHANGED):
        value[20]
    memoryview(shared).cast("B")[:] = after
    for use in (
        touch, repr, derlib.pretty, len, list, bytes, hash, pickle.dumps, lambda v: v.to_native(),
        lambda v: v.to_json(), lambda v: v.replace(), lambda v: v.deviations, lambda v: v[-1], lambda v: v[:],
        lambda v: v.der, lambda v: v.alternative, lambda v: v.value, lambda v: v.unknown_additions,
        lambda v: v.index_by("x").find(1), lambda v: list(reversed(v)), lambda v: v.span(0, "x"),
        lambda v: type(v)(**{field.name: getattr(v, field.name) for field in derlib.fields(type(v))}),
        lambda v: SequenceOf[type(v)]([v, v]),
    ):
        with contextlib.suppress(TypeError, *CHANGED):
            use(value)


@target(runs=2500, header=2, der=False)
def values(data: bytes) -> None:
    """Build from plain data: the result is a ConstraintError or EncodeError, or a valid value."""
    if len(data) < 2:
        return
    type_ = MAIN[data[0] >> 1 & 7] if data[0] & 1 and data[0] >> 1 & 7 < len(MAIN) else chosen(data)
    native = Maker(data[2:]).value(type_.__plan__)
    value = oracles.refused(lambda: type_.from_native(native))
    if value is not None:
        octets = value.encode()
        oracles.check_accepted(type_, derlib.decode(type_, octets), octets)
        assert derlib.encode(native, type_) == octets


@target(runs=15000, header=3)
def pickles(data: bytes) -> None:
    """Call the functions in pickles of derlib with other arguments. Bytes 0 and 1: the class. 2: the function."""
    if len(data) < 3:
        return
    number, form, rest = data[1], data[2], data[3:]
    tolerate = oracles.EVERYTHING if form & 8 else None
    bounds = Limits(depth=form % 100 + 1) if form & 16 else None
    with contextlib.suppress(ASN1Error):
        if form % 8 < 2:
            value = restore(chosen(data), memoryview(rest) if form & 32 else rest, tolerate, bounds)
            touch(value)
            oracles.check_again(value)
        elif form % 8 == 2:
            tree = parse_again(rest, tolerate, bounds)
            touch(tree)
            oracles.check_again(tree)
        elif form % 8 == 3:
            ObjectIdentifier.from_content(rest)
            ObjectIdentifier(ObjectIdentifier.from_content(rest).dotted)
        elif form % 8 == 4:
            bits = BitString(rest, number % 8)
            assert pickle.loads(pickle.dumps(bits)) == bits
            assert len(list(bits)) == len(bits)
        else:
            forged_lookup(number, rest)


@lru_cache(maxsize=1)
def entries() -> Any:
    return SequenceOf[RevokedCertificate]([
        {"user_certificate": number % 50 * 2**60, "revocation_date": f"{1960 + number}0101000000Z"}
        for number in range(90)
    ])


@lru_cache(maxsize=1)
def points() -> Any:
    return SequenceOf[Point]([{"x": number, "y": b"ab"} for number in range(-9, 40)])


def forged_lookup(number: int, octets: bytes) -> None:
    """Use a damaged table of a Lookup, as in a pickle: it can miss elements, but returns no wrong one."""
    choices = ((entries(), "user_certificate", 2**60), (points(), "x", 7), (points(), "y", b"ab"))
    view, field, wanted = choices[number % 3]
    lookup = restore_lookup(view, field, octets)
    for value in (wanted, 2**200 if field != "y" else b""):
        for found in (lookup.find(value), *lookup.find_all(value)):
            assert found is None or getattr(found, field) == value
        assert isinstance(value in lookup, bool)
    with contextlib.suppress(ASN1Error):
        again = pickle.loads(pickle.dumps(lookup))
        assert len(again) == len(lookup)


@target(runs=200, header=4)
def columns(data: bytes) -> None:
    """Read columns. Bytes 0 and 1: the type. 2: how often a list has the input, 0 without one. 3: options."""
    if len(data) < 4:
        return
    type_, count, form, octets = chosen(data), data[2], data[3], data[4:]
    paths = dict(column_paths(type_))
    if count:
        type_, octets = SequenceOf[type_], der(0x30, octets * count)
        paths = {name: column._replace(path=f"[*].{column.path}") for name, column in paths.items()}
    elif form & 1:
        type_, paths = (Certificate, CERTIFICATE_COLUMNS) if form & 2 else (CertificateList, CRL_ENTRY_COLUMNS)
    oracles.columns(type_, octets, dict(paths), threads=1 + (form >> 2 & 1), batch_rows=1 + (form >> 3))


@lru_cache
def column_paths(type_: Any) -> dict[str, derlib.Column]:
    """Return the columns of the fields and alternatives of a class, and where they are."""
    paths = {}
    for field in derlib.fields(type_) if issubclass(type_, (derlib.Sequence, derlib.Set, derlib.Choice)) else ():
        paths[field.name] = derlib.Column(field.name)
        for kind in ("encoding", "offset", "size"):
            paths[f"{field.name} {kind}"] = derlib.Column(field.name, kind)
        text = {kind: derlib.Column(field.name, kind) for kind in ("text", "dictionary")}
        with contextlib.suppress(ValueError):
            derlib.columns(type_, [], text)
            paths.update({f"{field.name} {kind}": column for kind, column in text.items()})
        for column in (
            derlib.Column(field.name, "decimal"),
            derlib.Column(field.name, "binary", width=3),
            derlib.Column(field.name, "attributes"),
            derlib.Column(field.name, "alternative"),
            derlib.Column(field.name, "display"),
        ):
            with contextlib.suppress(ValueError):
                derlib.columns(type_, [], {"": column})
                paths[f"{field.name} as {column.type}"] = column
    return dict(islice(paths.items(), 40))


@target(runs=15000, der=False)
def pem_text(data: bytes) -> None:
    pem.is_pem(data)
    try:
        blocks = list(pem.blocks(data))
    except PEMError as error:
        assert 0 <= error.line <= 1 + data.count(b"\n") + data.count(b"\r")
        assert len(str(error)) < oracles.MESSAGE_LIMIT
        return
    for block in blocks:
        assert pem.decode(pem.encode(block.der, block.label), block.label) == [block.der]
    assert list(pem.blocks(data.decode("latin-1"))) == blocks or not data.isascii()


@target(runs=3000, header=2, der=False)
def json_text(data: bytes) -> None:
    type_ = chosen(data)
    value = oracles.refused(lambda: type_.from_json(data[2:]))
    if value is not None:
        assert type_.from_json(value.to_json()) == value
        oracles.check_accepted(type_, type_.decode(value.encode()), value.encode())


@target(runs=1000, header=1)
def command_line(data: bytes) -> None:
    """Run a command. Byte 0: the command and its options."""
    if not data:
        return
    from click.testing import CliRunner

    from derlib.cli.app import derlib as command

    form = data[0]
    arguments = [("dump", "cert", "crl", "dump")[form & 3], "-"]
    arguments += ["--json"] if form & 4 else []
    arguments += ["--color"] if form & 8 else []
    if form & 3 == 0:
        arguments += ["--offset", str(form >> 4)] if form & 16 else ["--depth", str(form >> 5)]
    result = CliRunner().invoke(command, arguments, input=data[1:])
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    # 3: no element starts at the requested offset.
    assert result.exit_code in ((0, 1, 3) if "--offset" in arguments else (0, 1))
    assert b"Traceback" not in result.stderr_bytes
    if form & 4:
        json.loads(result.stdout_bytes)


@lru_cache(maxsize=1)
def cached() -> tuple[bytes, str]:
    octets = Document(colour="red", points=[{"x": 1}, {"x": 2, "y": b"a"}]).encode()
    from derlib.cache import Cache

    return octets, Cache({}).key(Document, octets)


class Told(dict[str, bytes]):
    """A store that returns one entry for every key."""

    def __init__(self, entry: bytes) -> None:
        super().__init__()
        self.entry = entry

    def __getitem__(self, key: str) -> bytes:
        return self.entry


@target(runs=5000, header=1, der=False)
def cache_entries(data: bytes) -> None:
    """Use a store with forged entries: the value is correct nevertheless. Byte 0: the form of the entry."""
    if not data:
        return
    log = logging.getLogger("derlib.cache")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        told(data[0], data[1:])
    finally:
        log.setLevel(level)


def told(form: int, entry: bytes) -> None:
    from derlib.cache import Cache

    octets, key = cached()
    start = b"derlib-cache-1 " + key.encode() + (b" zlib\n" if form & 1 else b" plain\n")
    if form & 2:
        entry = start + (zlib.compress(entry) if form & 1 and form & 4 else entry)
    right = Document.decode(octets)
    store = Told(entry)
    cache = Cache(store)
    assert cache.decode(Document, octets) == right
    assert cache.load(Document, key) in (None, right)
    if form & 8:
        signed = Cache(store, b"0123456789abcdef")
        assert signed.load(Document, key) is None
        assert signed.derive(Document, octets, len_points, name="points") == 2


def len_points(document: Document) -> int:
    return len(document.points or ())
