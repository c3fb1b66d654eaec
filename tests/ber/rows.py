"""The rows of the tables of BER: encodings that convert to DER, and encodings that BER does not allow.

`converts` is a row of BER with the DER of the same value and the changes: a text such as
"length-indefinite@0 boolean-true@2", with the kind of each change and its place in the input. `rejects` is a row of
invalid BER with the kind, the offset and the path of the error. Clauses and bytes are read from X.690, not from the
core. `table` puts each row into several places:

* alone: the type converts the bytes;
* field: the bytes are the second of three elements of a SEQUENCE;
* explicit: they are under the tag [5] EXPLICIT, in the indefinite form;
* list: they are an element of a SEQUENCE OF;
* untyped: they are converted without a type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from rules.rows import der, octets, sequence_class

import derlib
from derlib import ASN1Error, Explicit, Field, LimitError, Null, SequenceOf

TYPED = ("alone", "field", "explicit", "list")
EVERYWHERE = (*TYPED, "untyped")

# The clauses that the DER form follows, for each kind of change.
CLAUSES = {
    "length-indefinite": "X.690 10.1",
    "length-not-minimal": "X.690 10.1",
    "string-constructed": "X.690 10.2",
    "set-order": "X.690 10.3",
    "any-set-order": "X.690 10.3, 11.6",
    "boolean-true": "X.690 11.1",
    "bits-padding": "X.690 11.2.1",
    "bits-named": "X.690 11.2.2",
    "real-binary": "X.690 11.3.1",
    "real-exponent": "X.690 11.3.1",
    "real-mantissa": "X.690 11.3.1",
    "real-decimal": "X.690 11.3.2",
    "default-encoded": "X.690 11.5",
    "set-of-order": "X.690 11.6",
    "generalized-form": "X.690 11.7",
    "generalized-fraction": "X.690 11.7.3",
    "utc-form": "X.690 11.8",
    "time-form": "X.680 38, X.690 11.9",
    "duration-form": "X.690 8.26.5, 11.9",
}


def decode_ber(type_: Any, data: bytes) -> Any:
    """Return the value of BER."""
    return derlib.decode(type_, data, rules="ber")


def converted_or_error(data: bytes, type_: Any) -> tuple[Any, Any]:
    """Return a conversion and None, or None and its error."""
    try:
        return derlib.ber.convert(data, type_), None
    except ASN1Error as error:
        return None, error


def shown(changes: Iterable[Any]) -> list[str]:
    """Return changes as texts of kinds and places, sorted."""
    return sorted(f"{change.kind}@{change.input.offset}" for change in changes)


def moved(changes: str, shift: int) -> list[str]:
    """Return the changes of a row as `shown` does, at a place further back."""
    pairs = (change.split("@") for change in changes.split())
    return sorted(f"{kind}@{int(place) + shift}" for kind, place in pairs)


def check_changes(converted: Any, data: bytes) -> None:
    """Check what is true of the changes of every conversion."""
    assert converted.consumed == len(data)
    assert len(converted.changes) == len(list(converted.changes))
    for change in converted.changes:
        assert change.rule == CLAUSES[change.kind]
        for span, whole in ((change.input, data), (change.output, converted.der)):
            assert 0 <= span.offset <= span.end <= len(whole), (change, len(whole))
        assert data[change.input.offset : change.input.end] != converted.der[change.output.offset : change.output.end]


def check_twice(data: bytes, type_: Any) -> None:
    """Check that DER converts to itself, without a copy."""
    again = derlib.ber.convert(data, type_)
    assert again.der is data
    assert len(again.changes) == 0
    assert again.consumed == len(data)


@dataclass(frozen=True)
class Converts:
    """BER of a type, the DER of the same value, and the changes."""

    name: str
    type: Any
    ber: bytes
    der: bytes
    changes: str
    untyped: str
    places: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"converts {self.name}"

    def check(self, place: str) -> None:
        getattr(self, f"check_{place}")()

    def convert(self, type_: Any, ber: bytes, expected: bytes) -> Any:
        """Convert `ber`, check everything but the list of changes, and return the result."""
        converted = derlib.ber.convert(ber, type_)
        assert bytes(converted.der).hex(" ") == expected.hex(" ")
        check_changes(converted, ber)
        check_twice(expected, type_)
        if type_ is not None:
            with pytest.raises(ASN1Error):
                derlib.decode(type_, ber)
            try:
                value = derlib.decode(type_, expected)
            except derlib.UnrepresentableError:
                return converted
            assert decode_ber(type_, ber) == value
        return converted

    def check_alone(self) -> None:
        converted = self.convert(self.type, self.ber, self.der)
        assert shown(converted.changes) == moved(self.changes, 0)

    def check_field(self) -> None:
        holder = sequence_class("Holder", Field("before", bool), Field("value", self.type), Field("after", Null))
        ber, expected = (der("30", "01 01 ff", each, "05 00") for each in (self.ber, self.der))
        converted = self.convert(holder, ber, expected)
        assert shown(converted.changes) == moved(self.changes, len(ber) - len(self.ber) - 2)
        assert all(change.path[:1] == ("value",) for change in converted.changes)

    def check_explicit(self) -> None:
        holder = sequence_class("Holder", Field("value", Annotated[self.type, Explicit(5)]))
        ber, expected = b"\x30\x80\xa5\x80" + self.ber + bytes(4), der("30", der("a5", self.der))
        converted = self.convert(holder, ber, expected)
        assert shown(converted.changes) == sorted(
            ["length-indefinite@0", "length-indefinite@2", *moved(self.changes, 4)]
        )
        assert all(change.path[:1] == ("value",) for change in converted.changes if change.input.offset > 0)

    def check_list(self) -> None:
        ber, expected = der("30", self.der, self.ber, self.ber), der("30", self.der, self.der, self.der)
        converted = self.convert(SequenceOf[self.type], ber, expected)
        second, third = len(ber) - 2 * len(self.ber), len(ber) - len(self.ber)
        assert shown(converted.changes) == sorted([*moved(self.changes, second), *moved(self.changes, third)])
        for change in converted.changes:
            assert change.path[0] == (1 if change.input.offset < third else 2)

    def check_untyped(self) -> None:
        converted = self.convert(None, self.ber, self.der)
        assert shown(converted.changes) == moved(self.untyped, 0)
        assert len(converted.ambiguous) == 0


@dataclass(frozen=True)
class Rejects:
    """Invalid BER of a type, and the error."""

    name: str
    type: Any
    ber: bytes
    kind: str
    clause: str
    offset: int
    path: tuple[str | int, ...]
    places: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"rejects {self.name}"

    def check(self, place: str) -> None:
        getattr(self, f"check_{place}")()

    def raised(self, type_: Any, data: bytes, offset: int) -> Any:
        """Check the error of both ways to convert, and return it."""
        with pytest.raises(ASN1Error) as caught:
            derlib.ber.convert(data, type_)
        error: Any = caught.value
        assert (error.kind, error.offset) == (self.kind, offset), error
        assert bool(error.rule) != isinstance(error, LimitError)
        if self.clause:
            assert self.clause in error.rule, error.rule
        assert f"offset {offset}" in str(error)
        assert len(str(error)) < 1000
        if type_ is not None:
            with pytest.raises(ASN1Error) as caught:
                decode_ber(type_, data)
            again: Any = caught.value
            assert (again.kind, again.offset, again.path) == (error.kind, error.offset, error.path)
        return error

    def check_alone(self) -> None:
        assert self.raised(self.type, self.ber, self.offset).path == self.path

    def check_field(self) -> None:
        # The field before is not DER, so the places of the error and of the output differ.
        holder = sequence_class("Holder", Field("before", bool), Field("value", self.type), Field("after", Null))
        data = der("30", "01 82 00 01 01", self.ber, "05 00")
        error = self.raised(holder, data, len(data) - len(self.ber) - 2 + self.offset)
        assert error.path == ("value", *self.path)

    def check_explicit(self) -> None:
        holder = sequence_class("Holder", Field("value", Annotated[self.type, Explicit(5)]))
        error = self.raised(holder, b"\x30\x80\xa5\x80" + self.ber + bytes(4), 4 + self.offset)
        assert error.path == ("value", *self.path)

    def check_list(self) -> None:
        error = self.raised(SequenceOf[self.type], b"\x30\x80" + self.ber + bytes(2), 2 + self.offset)
        assert error.path == (0, *self.path)

    def check_untyped(self) -> None:
        self.raised(None, self.ber, self.offset)


def converts(
    name: str, type_: Any, ber: str | bytes, expected: str | bytes, changes: str, untyped: str | None = "same",
    places: tuple[str, ...] = TYPED,
) -> Converts:
    """A row of BER and DER. `untyped` has the changes without a type; None if they are not tested."""
    places = places if untyped is None else (*places, "untyped")
    without = changes if untyped in ("same", None) else untyped
    return Converts(name, type_, octets(ber), octets(expected), changes, without or "", places)


def rejects(
    name: str, type_: Any, ber: str | bytes, kind: str, clause: str, offset: int = 0, path: tuple[str | int, ...] = (),
    places: tuple[str, ...] = EVERYWHERE,
) -> Rejects:
    """A row of invalid BER."""
    return Rejects(name, type_, octets(ber), kind, clause, offset, path, places)


def table(rows: Iterable[Converts | Rejects]) -> pytest.MarkDecorator:
    """The rows as tests of a function of `row` and `place`."""
    return pytest.mark.parametrize(
        ("row", "place"),
        [pytest.param(row, place, id=f"{row.label} ({place})") for row in rows for place in row.places],
    )
