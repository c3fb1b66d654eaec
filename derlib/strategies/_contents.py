"""The contents octets of primitive types: how good ones are drawn, and how they are broken.

`RULES` has one entry for each primitive kind. A kind that is new in the core needs one here, and no more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib._core import Kind, Plan
from derlib._schema.compiler.constraints import integer_contents
from derlib.errors import SchemaError
from derlib.strategies._elements import Fault
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
from derlib.strategies._spans import Spans, both, points, without
from derlib.strategies._times import generalized_faults, generalized_times, utc_faults, utc_times

# Beyond these the length octets become one more (X.690 10.1).
LENGTHS = (127, 128, 255, 256, 300)
# The upper end of a SIZE is drawn up to here.
LONGEST = 2000


@dataclass(frozen=True)
class Rule:
    """One primitive kind.

    Attributes:
        contents: a strategy of contents octets for a plan; the second argument says whether it may draw legal values
            that Python cannot hold.
        faults: what can be made of good contents octets that breaks the rule of the type.
        of_size: contents octets of a size, as SIZE counts it, where the kind has one.
        encoding: of a character string, what Python calls the encoding of its characters.
        characters: those that it may have.
        string: whether BER has a constructed form, so that X.690 10.2 is what forbids it.
    """

    contents: Callable[[Plan, bool], SearchStrategy[bytes]]
    faults: Callable[[Plan, bytes], Iterator[Fault]]
    of_size: Callable[[int], bytes] | None = None
    string: bool = False
    encoding: str | None = None
    characters: Spans = ()


def no_faults(_: Plan, __: bytes) -> Iterator[Fault]:
    """Of a type that takes any octets."""
    return iter(())


def sizes(plan: Plan) -> tuple[int, int]:
    """The least and the greatest size to draw."""
    low, high = plan.size or (0, None)
    return drawn_size((low, inf if high is None else high))


def drawn_size(span: tuple[float, float]) -> tuple[int, int]:
    """The least and the greatest size to draw of a span: none is longer than need be."""
    low, high = int(span[0]), span[1]
    return low, int(high) if high <= max(low, LONGEST) else max(low, LENGTHS[-1])


def repeated(plan: Plan, some: SearchStrategy[str], one: str) -> SearchStrategy[str]:
    """Texts of lengths at the edges, from a few characters, so that they cost little and shrink well."""
    low, high = sizes(plan)
    edges = sorted({low, high, *(size for size in LENGTHS if low <= size <= high)} - {0}) or [0]
    return st.builds(lambda text, size: ((text or one) * size)[:size], some, st.sampled_from(edges))


def texts(plan: Plan, alphabet: str | SearchStrategy[str], one: str) -> SearchStrategy[str]:
    """Texts within SIZE: mostly short ones."""
    low, high = sizes(plan)
    short = st.text(alphabet, min_size=low, max_size=min(high, low + 12)) if low <= 64 else st.nothing()
    # Twice: long ones are for now and then.
    return st.one_of(short, short, repeated(plan, st.text(alphabet, max_size=3), one))


# BOOLEAN, INTEGER, ENUMERATED, NULL.


def boolean_faults(_: Plan, contents: bytes) -> Iterator[Fault]:
    yield Fault("boolean-true", b"\x01", "TRUE is 01")
    yield Fault("boolean-true", b"\xfe", "TRUE is fe")
    yield Fault("boolean-length", b"", "BOOLEAN is empty")
    yield Fault("boolean-length", 2 * contents, "BOOLEAN has two octets")


# Where the contents octets become one more, and where machine words end.
EDGES = sorted(
    {sign * 2**bits + more for bits in (7, 8, 15, 16, 31, 32, 63, 64, 127, 1023, 2048) for sign in (1, -1)
     for more in (-1, 0, 1)},
    key=abs,
)


def integers(plan: Plan, _: bool) -> SearchStrategy[bytes]:
    low, high = plan.range or (None, None)
    ends = [end + more for end in (low, high) if end is not None for more in (0, 1, -1)]
    fitting = [edge for edge in (*ends, *EDGES) if in_range(plan, edge)]
    drawn = [st.integers(low, high)]
    if fitting:
        drawn.append(st.sampled_from(fitting))
    named = named_numbers(plan)
    if named:
        drawn.insert(0, st.sampled_from(named))
    return st.one_of(drawn).map(integer_contents)


def named_numbers(plan: Plan) -> list[int]:
    """The numbers that have names and are in range."""
    return [int(member) for member in plan.type or () if in_range(plan, int(member))]


def in_range(plan: Plan, number: int) -> bool:
    low, high = plan.range or (None, None)
    return (low is None or low <= number) and (high is None or number <= high)


def padded(contents: bytes) -> bytes:
    return (b"\xff" if contents[0] >= 0x80 else b"\x00") + contents


def integer_faults(plan: Plan, contents: bytes) -> Iterator[Fault]:
    yield Fault("integer-not-minimal", padded(contents), "INTEGER has a redundant first octet")
    yield Fault("integer-empty", b"", "INTEGER is empty")
    low, high = plan.range or (None, None)
    if low is not None:
        yield Fault("range", integer_contents(low - 1), "INTEGER is below its range")
    if high is not None:
        yield Fault("range", integer_contents(high + 1), "INTEGER is above its range")


def enumerated(plan: Plan, _: bool) -> SearchStrategy[bytes]:
    items = st.sampled_from([integer_contents(int(member)) for member in plan.type])
    # X.680 20.1: of an extensible type, a later version may have any further item.
    return items if plan.insertion is None else st.one_of(items, items, integers(Plan(Kind.KIND_INTEGER, ""), False))


def enumerated_faults(plan: Plan, contents: bytes) -> Iterator[Fault]:
    yield Fault("integer-not-minimal", padded(contents), "ENUMERATED has a redundant first octet")
    yield Fault("integer-empty", b"", "ENUMERATED is empty")
    if plan.insertion is not None:
        return
    items = {int(member) for member in plan.type}
    unknown = (number for number in range(len(items) + 1) if number not in items)
    yield Fault("enumerated-unknown", integer_contents(next(unknown)), "a number that is not an item of the ENUMERATED")
    yield Fault("enumerated-unknown", integer_contents(2**64), "a number of nine octets, not an item of the ENUMERATED")


def null_faults(_: Plan, __: bytes) -> Iterator[Fault]:
    yield Fault("null-contents", b"\x00", "NULL has contents")


# OBJECT IDENTIFIER and RELATIVE-OID.

ARCS = st.one_of(st.integers(0, 300), st.sampled_from([127, 128, 2**31, 2**32, 2**63, 2**64, 2**128, 2**140 - 1]))


def arc_octets(arc: int) -> bytes:
    groups = [arc & 0x7F]
    while arc := arc >> 7:
        groups.append(0x80 | arc & 0x7F)
    return bytes(reversed(groups))


def identifiers(_: Plan, __: bool) -> SearchStrategy[bytes]:
    first = st.one_of(st.integers(0, 119), ARCS)
    return st.builds(
        lambda first, arcs: b"".join(map(arc_octets, [first, *arcs])), first, st.lists(ARCS, max_size=6)
    )


def relative_identifiers(_: Plan, __: bool) -> SearchStrategy[bytes]:
    return st.lists(ARCS, min_size=1, max_size=6).map(lambda arcs: b"".join(map(arc_octets, arcs)))


def arc_faults(name: str) -> Callable[[Plan, bytes], Iterator[Fault]]:
    def faults(_: Plan, contents: bytes) -> Iterator[Fault]:
        yield Fault("oid-empty", b"", f"{name} is empty")
        yield Fault("oid-not-minimal", b"\x80" + contents, "first arc begins with 80")
        yield Fault("oid-not-minimal", contents + b"\x80\x01", "last arc begins with 80")
        yield Fault("oid-unfinished", contents + b"\x81", "last arc does not end")

    return faults


# BIT STRING and OCTET STRING.


def bits_contents(count: int, number: int) -> bytes:
    """Contents octets of the first `count` bits of a number, lowest bit last."""
    unused = -count % 8
    return bytes([unused]) + (number << unused).to_bytes((count + unused) // 8, "big")


def bit_strings(plan: Plan, _: bool) -> SearchStrategy[bytes]:
    low, high = sizes(plan)
    if plan.size is None or plan.size[1] is None:
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
    return st.one_of(short, short, long) if plan.size is None or high > low + 40 else short


def bits_faults(plan: Plan, contents: bytes) -> Iterator[Fault]:
    yield Fault("bits-empty", b"", "BIT STRING has no initial octet")
    yield Fault("bits-unused", b"\x08" + contents[1:], "BIT STRING declares 8 unused bits")
    yield Fault("bits-unused-empty", b"\x01", "BIT STRING declares an unused bit and has none")
    yield Fault(
        "bits-padding", bytes([contents[0] or 1]) + contents[1:-1] + bytes([(contents[-1] | 1) if contents[1:] else 1]),
        "BIT STRING has an unused bit that is set",
    )


def named_bits(plan: Plan, _: bool) -> SearchStrategy[bytes]:
    low, high = sizes(plan)
    known = [int(member).bit_length() - 1 for member in plan.type]
    bits = st.one_of(st.sampled_from(known), st.integers(0, min(high, max([*known, low]) + 9)))

    def fit(drawn: frozenset[int]) -> bytes:
        kept = {bit for bit in drawn if bit < high}
        if len(kept) == 0 < low or (kept and max(kept) + 1 < low):
            kept.add(low - 1)
        count = max(kept, default=-1) + 1
        return bits_contents(count, sum(1 << count - 1 - bit for bit in kept))

    return st.frozensets(bits, max_size=8).map(fit)


def named_bits_faults(plan: Plan, contents: bytes) -> Iterator[Fault]:
    yield from bits_faults(plan, contents)
    yield Fault("bits-named", b"\x00" + contents[1:] + b"\x00", "named bits end in a zero octet")
    if contents[0]:
        yield Fault("bits-named", bytes([contents[0] - 1]) + contents[1:], "named bits end in a zero bit")


def octet_strings(plan: Plan, _: bool) -> SearchStrategy[bytes]:
    low, high = sizes(plan)
    short = st.binary(min_size=low, max_size=min(high, low + 40)) if low <= 64 else st.nothing()
    some = st.text(st.characters(max_codepoint=255), max_size=3)
    return st.one_of(short, short, repeated(plan, some, "\0").map(lambda text: text.encode("latin-1")))


# Character strings.


def utf8_faults(_: Plan, contents: bytes) -> Iterator[Fault]:
    yield Fault("utf8", contents + b"\xff", "UTF8String has an octet ff")
    yield Fault("utf8", b"\xc0\x80" + contents, "UTF8String has NUL in two octets")
    yield Fault("utf8", contents + b"\xed\xa0\x80", "UTF8String has a surrogate")
    yield Fault("utf8", contents + b"\xf4\x90\x80\x80", "UTF8String has a character over U+10FFFF")
    yield Fault("utf8", contents + b"\xe2\x82", "UTF8String ends inside a character")


def wide_faults(kind: str, name: str, surrogate: bytes) -> Callable[[Plan, bytes], Iterator[Fault]]:
    def faults(_: Plan, contents: bytes) -> Iterator[Fault]:
        yield Fault(kind, contents + b"\x00", f"{name} ends inside a character")
        yield Fault(kind, contents + surrogate, f"{name} has a surrogate")
        if kind == "universal":
            yield Fault(kind, contents + b"\x00\x11\x00\x00", f"{name} has a character over U+10FFFF")

    return faults


def outside(kind: str, name: str, strangers: bytes) -> Callable[[Plan, bytes], Iterator[Fault]]:
    def faults(_: Plan, contents: bytes) -> Iterator[Fault]:
        for stranger in strangers:
            # In the place of the last character, so that SIZE still holds.
            yield Fault(kind, contents[:-1] + bytes([stranger]), f"{name} has an octet {stranger:02x}")

    return faults


def string(
    alphabet: str | SearchStrategy[str],
    encoding: str,
    faults: Callable[[Plan, bytes], Iterator[Fault]],
    characters: Spans = (),
) -> Rule:
    """The rule of a character string: its alphabet, how its characters are encoded, how they are broken."""
    return Rule(
        lambda plan, _: texts(plan, alphabet, "0").map(lambda text: text.encode(encoding)),
        faults,
        lambda size: ("0" * size).encode(encoding),
        string=True,
        encoding=encoding,
        characters=points(map(ord, alphabet)) if isinstance(alphabet, str) else characters,
    )


# The last and first characters of each length in UTF-8, and those around the surrogates.
CORNERS = "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
UNICODE = st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(CORNERS))
BMP = st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])
PRINTABLE = "".join(map(chr, [*range(0x61, 0x7B), *range(0x41, 0x5B), *range(0x30, 0x3A)])) + " '()+,-./:=?"


def zeros(count: int) -> bytes:
    return bits_contents(count, 0)


SURROGATES: Spans = ((0xD800, 0xDFFF),)
UNICODE_SPANS = both(((0, 0x10FFFF),), without(SURROGATES))
LATIN1 = string(st.characters(max_codepoint=255), "latin-1", no_faults, ((0, 255),))
RULES: dict[int, Rule] = {
    Kind.KIND_BOOLEAN: Rule(lambda _, __: st.sampled_from([b"\x00", b"\xff"]), boolean_faults),
    Kind.KIND_INTEGER: Rule(integers, integer_faults),
    Kind.KIND_NAMED_INTEGER: Rule(integers, integer_faults),
    Kind.KIND_ENUMERATED: Rule(enumerated, enumerated_faults),
    Kind.KIND_BIT_STRING: Rule(bit_strings, bits_faults, zeros, string=True),
    Kind.KIND_NAMED_BITS: Rule(
        named_bits, named_bits_faults, lambda count: bits_contents(count, min(count, 1)), string=True
    ),
    Kind.KIND_OCTET_STRING: Rule(octet_strings, no_faults, bytes, string=True),
    Kind.KIND_NULL: Rule(lambda _, __: st.just(b""), null_faults),
    Kind.KIND_OBJECT_IDENTIFIER: Rule(identifiers, arc_faults("OBJECT IDENTIFIER")),
    Kind.KIND_UTF8_STRING: string(UNICODE, "utf-8", utf8_faults, UNICODE_SPANS),
    Kind.KIND_NUMERIC_STRING: string("0123456789 ", "ascii", outside("numeric", "NumericString", b"a-\x00\xff")),
    Kind.KIND_PRINTABLE_STRING: string(PRINTABLE, "ascii", outside("printable", "PrintableString", b"@*_&\x00\xe9")),
    Kind.KIND_IA5_STRING: string(
        st.characters(max_codepoint=127), "ascii", outside("ia5", "IA5String", b"\x80\xff"), ((0, 127),)
    ),
    Kind.KIND_VISIBLE_STRING: string(
        st.characters(min_codepoint=32, max_codepoint=126), "ascii",
        outside("visible", "VisibleString", b"\n\x7f\x80"), ((32, 126),),
    ),
    Kind.KIND_LATIN1_STRING: LATIN1,
    Kind.KIND_BMP_STRING: string(
        BMP, "utf-16-be", wide_faults("bmp", "BMPString", b"\xd8\x00"), both(UNICODE_SPANS, ((0, 0xFFFF),))
    ),
    Kind.KIND_UNIVERSAL_STRING: string(
        UNICODE, "utf-32-be", wide_faults("universal", "UniversalString", b"\x00\x00\xd8\x00"), UNICODE_SPANS
    ),
    Kind.KIND_UTC_TIME: Rule(utc_times, utc_faults, string=True),
    Kind.KIND_GENERALIZED_TIME: Rule(generalized_times, generalized_faults, string=True),
    Kind.KIND_REAL: Rule(reals, real_faults),
    Kind.KIND_RELATIVE_OID: Rule(relative_identifiers, arc_faults("RELATIVE-OID")),
    Kind.KIND_OID_IRI: Rule(iris, iri_faults("OID-IRI")),
    Kind.KIND_RELATIVE_OID_IRI: Rule(relative_iris, iri_faults("RELATIVE-OID-IRI")),
    Kind.KIND_TIME: Rule(times, time_faults),
    Kind.KIND_DATE: Rule(dates, date_faults),
    Kind.KIND_TIME_OF_DAY: Rule(times_of_day, time_of_day_faults),
    Kind.KIND_DATE_TIME: Rule(date_times, date_time_faults),
    Kind.KIND_DURATION: Rule(durations, duration_faults),
}


def rule_of(plan: Plan) -> Rule:
    """The entry of a primitive plan."""
    rule = RULES.get(plan.kind)
    if rule is None:
        raise SchemaError(f"derlib.strategies cannot draw {plan.name} yet: RULES has no entry for its kind {plan.kind}")
    return rule


@functools.lru_cache(maxsize=1024)
def contents_of(plan: Plan, beyond: bool) -> SearchStrategy[bytes]:
    """The strategy of contents octets of a primitive plan."""
    return rule_of(plan).contents(plan, beyond)
