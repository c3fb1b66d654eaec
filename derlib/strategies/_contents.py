"""The contents octets of primitive types: strategies of valid ones, and mutations of these.

`PRIMITIVES` has one entry for each primitive kind. In this package, a new primitive kind needs only an entry there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib._intervals import IntervalSet, complement, intersection, points
from derlib.errors import SchemaError
from derlib.inspect import Kind
from derlib.strategies._elements import Fault, integer_contents
from derlib.strategies._iris import faults_of as iri_faults
from derlib.strategies._iris import iris, relative_iris
from derlib.strategies._iso_times import (
    date_faults,
    date_time_faults,
    date_times,
    dates,
    duration_faults,
    durations,
    time_faults,
    time_of_day_faults,
    times,
    times_of_day,
)
from derlib.strategies._reals import real_faults, reals
from derlib.strategies._times import generalized_faults, generalized_times, utc_faults, utc_times
from derlib.strategies._types import Type, primitive_type

# Sizes around which the number of length octets changes (X.690 10.1).
LENGTHS = (127, 128, 255, 256, 300)
# The largest size that is drawn for a SIZE without a small upper bound.
MAX_SIZE = 2000


@dataclass(frozen=True)
class Primitive:
    """The entry of a primitive kind.

    Attributes:
        contents: returns a strategy of contents octets for a type. The second argument says whether to include valid
            values that Python cannot represent.
        faults: yields invalid contents octets that are made from valid ones.
        of_size: returns contents octets of a size, if the kind has a SIZE.
        codec: the Python name of the encoding of a character string.
        characters: the code points that a character string can contain.
        string: whether BER has a constructed form, which X.690 10.2 forbids.
    """

    contents: Callable[[Type, bool], SearchStrategy[bytes]]
    faults: Callable[[Type, bytes], Iterator[Fault]]
    of_size: Callable[[int], bytes] | None = None
    string: bool = False
    codec: str | None = None
    characters: IntervalSet = ()


def no_faults(_: Type, __: bytes) -> Iterator[Fault]:
    """Yield nothing: any contents octets are valid."""
    return iter(())


def sizes(type_: Type) -> tuple[int, int]:
    """Return the smallest and largest size to draw."""
    low, high = type_.size or (0, None)
    return drawn_size((low, inf if high is None else high))


def drawn_size(interval: tuple[float, float]) -> tuple[int, int]:
    """Return the smallest and largest size to draw from an interval, no larger than useful."""
    low, high = int(interval[0]), interval[1]
    return low, int(high) if high <= max(low, MAX_SIZE) else max(low, LENGTHS[-1])


def repeated(type_: Type, some: SearchStrategy[str], one: str) -> SearchStrategy[str]:
    """Return texts of edge-case sizes. They repeat a few characters, so they are drawn fast and shrink well."""
    low, high = sizes(type_)
    edges = sorted({low, high, *(size for size in LENGTHS if low <= size <= high)} - {0}) or [0]
    return st.builds(lambda text, size: ((text or one) * size)[:size], some, st.sampled_from(edges))


def texts(type_: Type, alphabet: str | SearchStrategy[str], one: str) -> SearchStrategy[str]:
    """Return texts within SIZE, usually short ones."""
    low, high = sizes(type_)
    short = st.text(alphabet, min_size=low, max_size=min(high, low + 12)) if low <= 64 else st.nothing()
    # Short texts are listed twice, so that long texts are rare.
    return st.one_of(short, short, repeated(type_, st.text(alphabet, max_size=3), one))


# BOOLEAN, INTEGER, ENUMERATED, NULL.


def boolean_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("boolean-true", b"\x01", "TRUE is 01")
    yield Fault("boolean-true", b"\xfe", "TRUE is fe")
    yield Fault("boolean-length", b"", "BOOLEAN is empty")
    yield Fault("boolean-length", 2 * contents, "BOOLEAN has two octets")


# Numbers around which the number of contents octets changes, or where machine words end.
EDGES = sorted(
    {positive * 2**bits + more for bits in (7, 8, 15, 16, 31, 32, 63, 64, 127, 1023, 2048) for positive in (1, -1)
     for more in (-1, 0, 1)},
    key=abs,
)


def integers(type_: Type, _: bool) -> SearchStrategy[bytes]:
    low, high = type_.range or (None, None)
    ends = [end + more for end in (low, high) if end is not None for more in (0, 1, -1)]
    fitting = [edge for edge in (*ends, *EDGES) if in_range(type_, edge)]
    drawn = [st.integers(low, high)]
    if fitting:
        drawn.append(st.sampled_from(fitting))
    named = named_numbers(type_)
    if named:
        drawn.insert(0, st.sampled_from(named))
    return st.one_of(drawn).map(integer_contents)


def named_numbers(type_: Type) -> list[int]:
    """Return the named numbers that are in range."""
    return [number for number in type_.members if in_range(type_, number)]


def in_range(type_: Type, number: int) -> bool:
    low, high = type_.range or (None, None)
    return (low is None or low <= number) and (high is None or number <= high)


def padded(contents: bytes) -> bytes:
    return (b"\xff" if contents[0] >= 0x80 else b"\x00") + contents


def integer_faults(type_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("integer-not-minimal", padded(contents), "INTEGER has a redundant first octet")
    yield Fault("integer-empty", b"", "INTEGER is empty")
    low, high = type_.range or (None, None)
    if low is not None:
        yield Fault("range", integer_contents(low - 1), "INTEGER is below its range")
    if high is not None:
        yield Fault("range", integer_contents(high + 1), "INTEGER is above its range")


INTEGER = primitive_type(Kind.INTEGER, "INTEGER")


def enumerated(type_: Type, _: bool) -> SearchStrategy[bytes]:
    items = st.sampled_from([integer_contents(number) for number in type_.members])
    # X.680 20.1: an extensible type may have any further item in a later version.
    return items if type_.extension_index is None else st.one_of(items, items, integers(INTEGER, False))


def enumerated_faults(type_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("integer-not-minimal", padded(contents), "ENUMERATED has a redundant first octet")
    yield Fault("integer-empty", b"", "ENUMERATED is empty")
    if type_.extension_index is not None:
        return
    items = set(type_.members)
    unknown = (number for number in range(len(items) + 1) if number not in items)
    yield Fault("enumerated-unknown", integer_contents(next(unknown)), "a number that is not an item of the ENUMERATED")
    yield Fault("enumerated-unknown", integer_contents(2**64), "a number of nine octets, not an item of the ENUMERATED")


def null_faults(_: Type, __: bytes) -> Iterator[Fault]:
    yield Fault("null-contents", b"\x00", "NULL has contents")


# OBJECT IDENTIFIER and RELATIVE-OID.

ARCS = st.one_of(st.integers(0, 300), st.sampled_from([127, 128, 2**31, 2**32, 2**63, 2**64, 2**128, 2**140 - 1]))


def arc_octets(arc: int) -> bytes:
    groups = [arc & 0x7F]
    while arc := arc >> 7:
        groups.append(0x80 | arc & 0x7F)
    return bytes(reversed(groups))


def identifiers(_: Type, __: bool) -> SearchStrategy[bytes]:
    first = st.one_of(st.integers(0, 119), ARCS)
    return st.builds(
        lambda first, arcs: b"".join(map(arc_octets, [first, *arcs])), first, st.lists(ARCS, max_size=6)
    )


def relative_identifiers(_: Type, __: bool) -> SearchStrategy[bytes]:
    return st.lists(ARCS, min_size=1, max_size=6).map(lambda arcs: b"".join(map(arc_octets, arcs)))


def arc_faults(name: str) -> Callable[[Type, bytes], Iterator[Fault]]:
    def faults(_: Type, contents: bytes) -> Iterator[Fault]:
        yield Fault("oid-empty", b"", f"{name} is empty")
        yield Fault("oid-not-minimal", b"\x80" + contents, "first arc begins with 80")
        yield Fault("oid-not-minimal", contents + b"\x80\x01", "last arc begins with 80")
        yield Fault("oid-unfinished", contents + b"\x81", "last arc does not end")

    return faults


# BIT STRING and OCTET STRING.


def bits_contents(count: int, number: int) -> bytes:
    """Return contents octets of the first `count` bits of a number, the lowest bit last."""
    unused = -count % 8
    return bytes([unused]) + (number << unused).to_bytes((count + unused) // 8, "big")


def bit_strings(type_: Type, _: bool) -> SearchStrategy[bytes]:
    low, high = sizes(type_)
    if type_.size is None or type_.size[1] is None:
        high = max(low, 8 * LENGTHS[-1])
    counts = [st.integers(low, min(high, low + 40))]
    octets = range(low + -low % 8, min(high, low + 80) + 1, 8)
    edges = [8 * size for size in (126, 127, 255) if low <= 8 * size <= high] + [high]
    counts += [st.sampled_from(octets)] if octets else []
    short = st.one_of(counts).flatmap(
        lambda count: st.integers(0, 2 ** min(count, 80) - 1).map(
            lambda number: bits_contents(count, number << max(count - 80, 0))
        )
    )
    long = st.sampled_from(edges).map(lambda count: bits_contents(count, 2**count // 3))
    return st.one_of(short, short, long) if type_.size is None or high > low + 40 else short


def bits_faults(type_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("bits-empty", b"", "BIT STRING has no initial octet")
    yield Fault("bits-unused", b"\x08" + contents[1:], "BIT STRING declares 8 unused bits")
    yield Fault("bits-unused-empty", b"\x01", "BIT STRING declares an unused bit and has none")
    yield Fault(
        "bits-padding", bytes([contents[0] or 1]) + contents[1:-1] + bytes([(contents[-1] | 1) if contents[1:] else 1]),
        "BIT STRING has an unused bit that is set",
    )


def named_bits(type_: Type, _: bool) -> SearchStrategy[bytes]:
    low, high = sizes(type_)
    known = [member.bit_length() - 1 for member in type_.members]
    bits = st.one_of(st.sampled_from(known), st.integers(0, min(high, max([*known, low]) + 9)))

    def fit(drawn: frozenset[int]) -> bytes:
        chosen = {bit for bit in drawn if bit < high}
        if len(chosen) == 0 < low or (chosen and max(chosen) + 1 < low):
            chosen.add(low - 1)
        count = max(chosen, default=-1) + 1
        return bits_contents(count, sum(1 << count - 1 - bit for bit in chosen))

    return st.frozensets(bits, max_size=8).map(fit)


def named_bits_faults(type_: Type, contents: bytes) -> Iterator[Fault]:
    yield from bits_faults(type_, contents)
    yield Fault("bits-named", b"\x00" + contents[1:] + b"\x00", "named bits end in a zero octet")
    if contents[0]:
        yield Fault("bits-named", bytes([contents[0] - 1]) + contents[1:], "named bits end in a zero bit")


def octet_strings(type_: Type, _: bool) -> SearchStrategy[bytes]:
    low, high = sizes(type_)
    short = st.binary(min_size=low, max_size=min(high, low + 40)) if low <= 64 else st.nothing()
    some = st.text(st.characters(max_codepoint=255), max_size=3)
    return st.one_of(short, short, repeated(type_, some, "\0").map(lambda text: text.encode("latin-1")))


# Character strings.


def utf8_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("utf8", contents + b"\xff", "UTF8String has an octet ff")
    yield Fault("utf8", b"\xc0\x80" + contents, "UTF8String has NUL in two octets")
    yield Fault("utf8", contents + b"\xed\xa0\x80", "UTF8String has a surrogate")
    yield Fault("utf8", contents + b"\xf4\x90\x80\x80", "UTF8String has a character over U+10FFFF")
    yield Fault("utf8", contents + b"\xe2\x82", "UTF8String ends inside a character")


def wide_faults(kind: str, name: str, surrogate: bytes) -> Callable[[Type, bytes], Iterator[Fault]]:
    def faults(_: Type, contents: bytes) -> Iterator[Fault]:
        yield Fault(kind, contents + b"\x00", f"{name} ends inside a character")
        yield Fault(kind, contents + surrogate, f"{name} has a surrogate")
        if kind == "universal":
            yield Fault(kind, contents + b"\x00\x11\x00\x00", f"{name} has a character over U+10FFFF")

    return faults


def outside(kind: str, name: str, invalid: bytes) -> Callable[[Type, bytes], Iterator[Fault]]:
    def faults(_: Type, contents: bytes) -> Iterator[Fault]:
        for octet in invalid:
            # Replace the last character, so that SIZE is still satisfied.
            yield Fault(kind, contents[:-1] + bytes([octet]), f"{name} has an octet {octet:02x}")

    return faults


def string(
    alphabet: str | SearchStrategy[str],
    codec: str,
    faults: Callable[[Type, bytes], Iterator[Fault]],
    characters: IntervalSet = (),
) -> Primitive:
    """Return the entry of a character string type."""
    return Primitive(
        lambda type_, _: texts(type_, alphabet, "0").map(lambda text: text.encode(codec)),
        faults,
        lambda size: ("0" * size).encode(codec),
        string=True,
        codec=codec,
        characters=points(map(ord, alphabet)) if isinstance(alphabet, str) else characters,
    )


# The first and last character of each length in UTF-8, and the characters around the surrogates.
CORNERS = "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
UNICODE = st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(CORNERS))
BMP = st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])
PRINTABLE = "".join(map(chr, [*range(0x61, 0x7B), *range(0x41, 0x5B), *range(0x30, 0x3A)])) + " '()+,-./:=?"


def zeros(count: int) -> bytes:
    return bits_contents(count, 0)


SURROGATES: IntervalSet = ((0xD800, 0xDFFF),)
UNICODE_INTERVALS = intersection(((0, 0x10FFFF),), complement(SURROGATES))
LATIN1 = string(st.characters(max_codepoint=255), "latin-1", no_faults, ((0, 255),))
PRIMITIVES: dict[Kind, Primitive] = {
    Kind.BOOLEAN: Primitive(lambda _, __: st.sampled_from([b"\x00", b"\xff"]), boolean_faults),
    Kind.INTEGER: Primitive(integers, integer_faults),
    Kind.NAMED_INTEGER: Primitive(integers, integer_faults),
    Kind.ENUMERATED: Primitive(enumerated, enumerated_faults),
    Kind.BIT_STRING: Primitive(bit_strings, bits_faults, zeros, string=True),
    Kind.NAMED_BITS: Primitive(
        named_bits, named_bits_faults, lambda count: bits_contents(count, min(count, 1)), string=True
    ),
    Kind.OCTET_STRING: Primitive(octet_strings, no_faults, bytes, string=True),
    Kind.NULL: Primitive(lambda _, __: st.just(b""), null_faults),
    Kind.OBJECT_IDENTIFIER: Primitive(identifiers, arc_faults("OBJECT IDENTIFIER")),
    Kind.UTF8_STRING: string(UNICODE, "utf-8", utf8_faults, UNICODE_INTERVALS),
    Kind.NUMERIC_STRING: string("0123456789 ", "ascii", outside("numeric", "NumericString", b"a-\x00\xff")),
    Kind.PRINTABLE_STRING: string(PRINTABLE, "ascii", outside("printable", "PrintableString", b"@*_&\x00\xe9")),
    Kind.IA5_STRING: string(
        st.characters(max_codepoint=127), "ascii", outside("ia5", "IA5String", b"\x80\xff"), ((0, 127),)
    ),
    Kind.VISIBLE_STRING: string(
        st.characters(min_codepoint=32, max_codepoint=126), "ascii",
        outside("visible", "VisibleString", b"\n\x7f\x80"), ((32, 126),),
    ),
    Kind.LATIN1_STRING: LATIN1,
    Kind.BMP_STRING: string(
        BMP, "utf-16-be", wide_faults("bmp", "BMPString", b"\xd8\x00"), intersection(UNICODE_INTERVALS, ((0, 0xFFFF),))
    ),
    Kind.UNIVERSAL_STRING: string(
        UNICODE, "utf-32-be", wide_faults("universal", "UniversalString", b"\x00\x00\xd8\x00"), UNICODE_INTERVALS
    ),
    Kind.UTC_TIME: Primitive(utc_times, utc_faults, string=True),
    Kind.GENERALIZED_TIME: Primitive(generalized_times, generalized_faults, string=True),
    Kind.REAL: Primitive(reals, real_faults),
    Kind.RELATIVE_OID: Primitive(relative_identifiers, arc_faults("RELATIVE-OID")),
    Kind.OID_IRI: Primitive(iris, iri_faults("OID-IRI")),
    Kind.RELATIVE_OID_IRI: Primitive(relative_iris, iri_faults("RELATIVE-OID-IRI")),
    Kind.TIME: Primitive(times, time_faults),
    Kind.DATE: Primitive(dates, date_faults),
    Kind.TIME_OF_DAY: Primitive(times_of_day, time_of_day_faults),
    Kind.DATE_TIME: Primitive(date_times, date_time_faults),
    Kind.DURATION: Primitive(durations, duration_faults),
}


def primitive_of(type_: Type) -> Primitive:
    """Return the entry of a primitive type."""
    entry = PRIMITIVES.get(type_.kind)
    if entry is None:
        raise SchemaError(f"derlib.strategies cannot draw {type_.name}: PRIMITIVES has no entry for {type_.kind}")
    return entry


@functools.lru_cache(maxsize=1024)
def contents_of(type_: Type, unrepresentable: bool) -> SearchStrategy[bytes]:
    """Return the strategy of contents octets of a primitive type."""
    return primitive_of(type_).contents(type_, unrepresentable)
