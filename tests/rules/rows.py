"""The rows of the tables of rules in this folder.

`reads` is a row of valid octets and their value. `refuses` is a row of invalid octets and their error: its class,
clause and offset. `table` makes tests of rows. Each row runs in several places, because a rule can be enforced at the
top of the input, and not in a field:

* alone: the type decodes the octets;
* field: the octets are the second of three elements of a SEQUENCE;
* explicit: they are under the tag [5] EXPLICIT;
* list: they are elements of a SEQUENCE OF;
* parsed: `derlib.parse` reads them without a schema.

Clauses are those of X.690 (2021) unless the row says otherwise. "8.3" is satisfied by an error that cites 8.3.2. If
several clauses have the same rule, a row names all of them ("8.2.1|8.1.2.5"). If the standard is ambiguous, a row has
several classes or offsets in a tuple, or no clause.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from support.der import length_octets

import derlib
from derlib import (
    BitString,
    Choice,
    ContentsError,
    DecodeError,
    Deviation,
    Explicit,
    Field,
    IdentifierError,
    LengthError,
    LimitError,
    Null,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    TrailingDataError,
    TruncatedError,
)

ALONE = ("alone",)
WITH_SCHEMA = ("alone", "field", "explicit", "list")
EVERYWHERE = (*WITH_SCHEMA, "parsed")

# The faults that need no schema to be seen, when the tag is universal.
SEEN_WITHOUT_SCHEMA = (ContentsError, IdentifierError, LengthError, LimitError)


def octets(text: str | bytes) -> bytes:
    """The octets of a hexadecimal text; blanks are for the reader."""
    return text if isinstance(text, bytes) else bytes.fromhex(text)


def der(identifier: str, *contents: str | bytes) -> bytes:
    """One element: identifier octets in hexadecimal, its length, the contents put together."""
    body = b"".join(octets(part) for part in contents)
    return octets(identifier) + length_octets(len(body)) + body


def sequence_class(name: str, *fields: Field) -> Any:
    """A Sequence class in the dynamic form."""
    return types.new_class(name, (Sequence,), {"fields": list(fields)})


def plain(value: Any) -> Any:
    """A value without views: a dict of fields, a list, (arm, value), a text of bits, TLV octets."""
    if isinstance(value, (SequenceOf, SetOf)):
        return [plain(element) for element in value]
    if isinstance(value, (Sequence, Set)):
        return {field.name: plain(getattr(value,
        field.name)) for field in derlib.fields(type(value))}
    if isinstance(value, Choice):
        return (value.alternative, plain(value.value))
    if isinstance(value, BitString):
        return "".join("1" if bit else "0" for bit in value)
    if isinstance(value, derlib.TLV):
        return bytes(value.der)
    return value


def cites(rule: str | None, clause: str) -> bool:
    """Whether `rule` names `clause`, one of its alternatives, or a subclause of it."""
    return any(
        re.search(rf"(?<![\d.]){re.escape(one)}(?!\d)", rule or "") for one in clause.split("|")
    )


def check_error(
    error: BaseException,
    classes: Any,
    clause: str,
    offsets: int | tuple[int, ...],
) -> None:
    """What every refusal owes to the person who reads it."""
    assert isinstance(error, classes), f"{type(error).__name__}: {error}"
    assert isinstance(error, derlib.ASN1Error)
    assert isinstance(error, ValueError)
    assert isinstance(error, (DecodeError, LimitError))
    allowed = (offsets,) if isinstance(offsets, int) else offsets
    assert error.offset in allowed, f"offset {error.offset}, not {allowed}: {error}"
    assert re.search(rf"\boffset {error.offset}\b", str(error)), str(error)
    # Limits are derlib's own: no clause demands them.
    assert bool(error.rule) != isinstance(error, LimitError), error
    if clause:
        assert cites(error.rule, clause), f"rule {error.rule!r}, not {clause}: {error}"
    assert len(str(error)) < 1000


def check_tolerance(decode: Any, data: bytes, error: Any) -> None:
    """What deviations owe: the one that an error names tolerates it, notes it, and leaves the octets as they are."""
    tolerated = Deviation(0)
    met = error
    value = None
    while value is None and met.deviation is not None:
        assert met.deviation not in tolerated, f"{met.deviation} does not tolerate what it says: {met}"
        tolerated |= met.deviation
        try:
            value = decode(data, tolerate=tolerated)
        except derlib.ASN1Error as another:
            met = another
    if value is None:
        with pytest.raises(derlib.ASN1Error):
            decode(data, tolerate=~Deviation(0))
        return
    if not isinstance(value, (Sequence, Set, SequenceOf, SetOf, Choice, derlib.TLV)):
        return
    assert value.deviations
    if error.deviation is not Deviation.OPEN_TYPE:
        place = None if isinstance(value, derlib.TLV) else error.path
        noted = [(None if place is None else one.path, one.offset, one.kind) for one in value.deviations]
        assert (place, error.offset, error.kind) in noted
    plain(value)
    repr(value)
    for protocol in (2, 5):
        # What a pickle does, without looking up classes that only this test has.
        restore, arguments = value.__reduce_ex__(protocol)
        again = restore(*arguments)
        assert again == value
        assert again.encode() == value.encode()
        assert kinds_inside(again) == kinds_inside(value)
    if error.kind != "trailing-data":
        assert data.endswith(value.der)


def kinds_inside(value: Any) -> list[str]:
    """The breaches that a value takes with it: not those of its place, where more is asked of its type."""
    return [one.kind for one in value.deviations if one.kind not in ("trailing-data", "size")]


@dataclass(frozen=True)
class Reads:
    """Octets that are DER for the type, and the value that they have."""

    name: str
    type: Any
    octets: bytes
    value: Any
    places: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"reads {self.name}"

    def check(self, place: str) -> None:
        getattr(self, f"check_{place}")()

    def check_value(self, value: Any) -> None:
        seen = plain(value)
        assert seen == self.value
        assert type(seen) is type(self.value)

    def check_alone(self) -> None:
        value = derlib.decode(self.type, self.octets)
        self.check_value(value)
        if isinstance(value, (Sequence, Set, SequenceOf, SetOf, Choice)):
            again = derlib.decode(self.type, self.octets)
            assert value == again
            assert hash(value) == hash(again)
            outer = value.span(outer=True)
            assert (outer.offset, outer.end) == (0, len(self.octets))
            span = value.span()
            assert span.content_offset == span.offset + span.header_length
            assert span.end == span.content_offset + span.content_length == len(self.octets)
            # A tag of the class itself belongs to `der`; one that only this place has does not.
            assert self.octets.endswith(bytes(value.der))
            assert len(value.der) >= span.length
            # A view encodes itself as its class says, without tags that only its place gave it.
            assert value.encode().endswith(self.octets[span.content_offset :])
            if isinstance(self.type, type):
                assert value.encode() == bytes(value.der)

    def check_field(self) -> None:
        holder = sequence_class(
            "Holder", Field("before", bool), Field("value", self.type), Field("after", Null)
        )
        data = der("30", "01 01 ff", self.octets, "05 00")
        start = len(data) - len(self.octets) - 2
        view = holder.decode(data)
        self.check_value(view.value)
        outer = view.span("value", outer=True)
        assert data[outer.offset : outer.end] == self.octets
        assert outer.offset == start
        inner = view.span("value")
        assert outer.offset <= inner.offset <= inner.content_offset <= inner.end == outer.end
        assert bytes(view.raw("value")) == data[inner.content_offset : inner.end]
        assert bytes(view.der) == view.encode() == data

    def check_explicit(self) -> None:
        holder = sequence_class("Holder", Field("value", Annotated[self.type, Explicit(5)]))
        tagged = der("a5", self.octets)
        data = der("30", tagged)
        view = holder.decode(data)
        self.check_value(view.value)
        outer = view.span("value", outer=True)
        assert data[outer.offset : outer.end] == tagged
        assert view.span("value").end == outer.end

    def check_list(self) -> None:
        data = der("30", self.octets, self.octets)
        view = derlib.decode(SequenceOf[self.type], data)
        assert len(view) == 2
        self.check_value(view[0])
        self.check_value(view[1])
        assert view.span(0).end == len(data) - len(self.octets)
        assert view.span(1).end == len(data)

    def check_parsed(self) -> None:
        tree = derlib.parse(self.octets)
        assert bytes(tree.der) == self.octets
        for element in tree.walk():
            span = element.span
            assert self.octets[span.offset : span.end] == bytes(element.der)
            assert self.octets[span.content_offset : span.end] == bytes(element.content)
            if element.children:
                assert b"".join(bytes(child.der) for child in element.children) == element.content


@dataclass(frozen=True)
class Refuses:
    """Octets that are not DER for the type, and the error that says so."""

    name: str
    type: Any
    octets: bytes
    error: Any
    clause: str
    offset: int | tuple[int, ...]
    places: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"refuses {self.name}"

    def check(self, place: str) -> None:
        getattr(self, f"check_{place}")()

    def raised(self, type_: Any, data: bytes, shift: int) -> Any:
        with pytest.raises(derlib.ASN1Error) as caught:
            derlib.decode(type_, data)
        offsets = (self.offset,) if isinstance(self.offset, int) else self.offset
        check_error(caught.value, self.error, self.clause, tuple(one + shift for one in offsets))
        check_tolerance(functools.partial(derlib.decode, type_), data, caught.value)
        return caught.value

    def check_alone(self) -> None:
        self.raised(self.type, self.octets, 0)

    def check_field(self) -> None:
        holder = sequence_class(
            "Holder", Field("before", bool), Field("value", self.type), Field("after", Null)
        )
        data = der("30", "01 01 ff", self.octets, "05 00")
        error = self.raised(holder, data, len(data) - len(self.octets) - 2)
        assert error.path[:1] == ("value",)

    def check_explicit(self) -> None:
        holder = sequence_class("Holder", Field("value", Annotated[self.type, Explicit(5)]))
        data = der("30", der("a5", self.octets))
        error = self.raised(holder, data, len(data) - len(self.octets))
        assert error.path[:1] == ("value",)

    def check_list(self) -> None:
        data = der("30", self.octets)
        error = self.raised(SequenceOf[self.type], data, len(data) - len(self.octets))
        assert error.path[:1] == (0,)

    def check_parsed(self) -> None:
        with pytest.raises(derlib.ASN1Error) as caught:
            derlib.parse(self.octets)
        check_error(caught.value, self.error, self.clause, self.offset)
        check_tolerance(derlib.parse, self.octets, caught.value)


def reads(
    name: str,
    type_: Any,
    text: str | bytes,
    value: Any,
    places: tuple[str, ...] = EVERYWHERE,
) -> Reads:
    """A row of good octets."""
    return Reads(name, type_, octets(text), value, places)


def refuses(
    name: str,
    type_: Any,
    text: str | bytes,
    error: Any,
    clause: str = "",
    offset: int | tuple[int, ...] = 0,
    places: tuple[str, ...] | None = None,
) -> Refuses:
    """A row of invalid octets; truncation and trailing data are faults of the whole input, so they run alone only."""
    data = octets(text)
    if places is None:
        if error in (TruncatedError, TrailingDataError):
            places = ("alone", "parsed")
        elif error in SEEN_WITHOUT_SCHEMA and data[0] < 0x40:
            places = EVERYWHERE
        else:
            places = WITH_SCHEMA
    return Refuses(name, type_, data, error, clause, offset, places)


def table(rows: Iterable[Reads | Refuses]) -> pytest.MarkDecorator:
    """The rows as tests of a function of `row` and `place`, each named after what would break."""
    return pytest.mark.parametrize(
        ("row", "place"),
        [
            pytest.param(row, place, id=f"{row.label} ({place})")
            for row in rows
            for place in row.places
        ],
    )
