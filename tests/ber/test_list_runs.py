"""Long uniform lists take a fast path. It gives what the general code gives, which converts each element alone."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import thorough

import derlib
from derlib import (
    ASN1Error,
    GeneralizedTime,
    Implicit,
    Limits,
    OctetString,
    PrintableString,
    Sequence,
    SequenceOf,
    UTCTime,
)
from derlib.strategies import encodings, random_ber

from .rows import converted_or_error


class Reason(Sequence):
    code: Annotated[PrintableString, Implicit(0)]
    critical: bool = False
    value: OctetString


class Entry(Sequence):
    serial: int
    date: UTCTime | GeneralizedTime
    flags: derlib.BitString | None = None
    reasons: SequenceOf[Reason] | None = None
    more: Annotated[derlib.Real, Implicit(1)] | None = None


class Forms(Random):
    """A generator that repeats its numbers, so that many elements get the same forms."""

    def __init__(self, seed: int, period: int) -> None:
        super().__init__(seed)
        self.numbers = [self.random() for _ in range(period)]
        self.at = 0

    def restart(self, at: int) -> Forms:
        self.at = at
        return self

    def randrange(self, *bounds: Any) -> int:
        start, stop = (0, *bounds)[-2:]
        self.at += 1
        return start + int(self.numbers[self.at % len(self.numbers)] * (stop - start))


@st.composite
def lists(draw: st.DrawFn) -> list[bytes]:
    """Draw a list of elements in BER: a few values and forms, with other contents of the same length in between."""
    entries = draw(st.lists(encodings(Entry), min_size=1, max_size=4))
    forms = Forms(draw(st.integers(0, 10**6)), draw(st.sampled_from([7, 40])))
    starts = draw(st.lists(st.integers(0, 50), min_size=1, max_size=3))
    kinds = [random_ber(Entry, entry, forms.restart(start)) for entry in entries for start in starts]
    random = Random(draw(st.integers(0, 10**6)))
    count = draw(st.sampled_from([1, 9, 12, 40, 200]))
    return [varied(random.choice(kinds), random) for _ in range(count)]


def varied(octets: bytes, random: Random) -> bytes:
    """Return BER with another serial number and date of the same length, if it is still BER of an entry."""
    changed = bytearray(octets)
    for _ in range(random.randrange(3)):
        place = random.randrange(len(changed))
        changed[place] = (changed[place] ^ 1) if random.randrange(2) else random.randrange(256)
    try:
        derlib.ber.convert(bytes(changed), Entry)
    except ASN1Error:
        return octets
    return bytes(changed)


def shifted(change: Any, index: int, source: int, target: int) -> tuple[Any, ...]:
    """Return a change of an element as one of the list around it."""
    path = (index, *change.path)
    return change.kind, path, change.input.offset + source, change.input.length, change.output.offset + target


def seen(changes: Any) -> list[tuple[Any, ...]]:
    return [
        (change.kind, change.path, change.input.offset, change.input.length, change.output.offset) for change in changes
    ]


@thorough(150)
@given(lists())
def test_a_list_converts_as_its_elements_do(parts):
    data = b"\x30\x80" + b"".join(parts) + bytes(2)
    converted = derlib.ber.convert(data, SequenceOf[Entry])
    alone = [derlib.ber.convert(part, Entry) for part in parts]
    contents = b"".join(one.der for one in alone)
    assert converted.der.endswith(contents)
    assert converted.der == derlib.SequenceOf[Entry].decode(converted.der).encode()
    header = len(converted.der) - len(contents)
    source, target = 2, header
    expected = [("length-indefinite", (), 0, len(data) - 2, 0)]
    for index, (part, one) in enumerate(zip(parts, alone, strict=True)):
        expected += [shifted(change, index, source, target) for change in one.changes]
        assert converted.origin(target) == source
        assert converted.destination(source) == target
        for offset in range(len(one.der)):
            assert converted.origin(target + offset) == source + one.origin(offset)
        for offset in range(len(part) - 2):
            assert converted.destination(source + offset) == target + one.destination(offset)
        source += len(part)
        target += len(one.der)
    assert sorted(seen(converted.changes)) == sorted(expected)
    # By number, too.
    assert seen([converted.changes[at] for at in range(len(expected))]) == seen(converted.changes)


@thorough(150)
@given(lists(), st.randoms(use_true_random=False))
def test_an_invalid_element_has_the_error_of_the_general_code(parts, random):
    index = random.randrange(len(parts))
    broken = bytearray(parts[index])
    broken[random.randrange(len(broken))] ^= 1 << random.randrange(8)
    parts[index] = bytes(broken)
    expected, error = converted_or_error(parts[index], Entry)
    converted, found = converted_or_error(b"\x30\x80" + b"".join(parts) + bytes(2), SequenceOf[Entry])
    if error is None:
        assert expected.der in converted.der
    elif not isinstance(error, (derlib.TruncatedError, derlib.TrailingDataError)):
        # The elements that follow could complete an element that is cut off.
        before = 2 + sum(map(len, parts[:index]))
        assert (found.kind, found.path, found.offset) == (error.kind, (index, *error.path), before + error.offset)


ENTRY = bytes.fromhex("30 80 02 01 05 17 0d") + b"260101000000Z" + bytes(2)


@pytest.mark.parametrize("count", [1, 8, 9, 10, 100, 4096, 4104, 4105, 9000])
def test_every_length_of_a_run(count):
    data = b"\x30\x80" + ENTRY * count + bytes(2)
    converted = derlib.ber.convert(data, SequenceOf[Entry])
    assert len(converted.der) == 20 * count + (2 if count < 7 else 3 if count < 13 else 4 if count < 3277 else 5)
    assert len(converted.changes) == count + 1
    last = converted.changes[-1]
    assert (last.path, last.input.offset) == ((count - 1,), 2 + (count - 1) * len(ENTRY))
    assert len(derlib.decode(SequenceOf[Entry], converted.der)) == count


@pytest.mark.parametrize("cut", range(1, len(ENTRY) + 3))
def test_a_run_that_ends_too_early(cut):
    data = b"\x30\x80" + ENTRY * 50 + bytes(2)
    with pytest.raises(derlib.TruncatedError):
        derlib.ber.convert(data[:-cut], SequenceOf[Entry])


@pytest.mark.parametrize("limit", [0, 7, 8, 9, 20, 99])
def test_the_elements_of_runs_count(limit):
    data = b"\x30\x80" + ENTRY * 100 + bytes(2)
    with pytest.raises(derlib.LimitError) as caught:
        derlib.ber.convert(data, SequenceOf[Entry], limits=Limits(elements=limit or 1))
    assert caught.value.kind == "element-limit"
    derlib.ber.convert(data, SequenceOf[Entry], limits=Limits(elements=100))


def test_faults_of_contents_are_found_at_their_place_in_the_input():
    for contents, kind in ((b"260101000000z", "utc-form"), (b"261301000000Z", "utc-range")):
        bad = ENTRY.replace(b"260101000000Z", contents)
        data = b"\x30\x80" + ENTRY * 40 + bad + ENTRY * 40 + bytes(2)
        with pytest.raises(ASN1Error) as caught:
            derlib.ber.convert(data, SequenceOf[Entry])
        found = caught.value
        assert (found.kind, found.offset, found.path) == (kind, 2 + 40 * len(ENTRY) + 5, (40, "date"))
