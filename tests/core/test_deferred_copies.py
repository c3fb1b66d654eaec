"""Long copies of validated bytes, which the writer defers, give the same encodings as values that are encoded anew.

A value that `replace` or a constructor builds around a long part stays in parts until something reads it. So each way
of reading it is the first one here, and each structure around the long part is compared with the general code.
"""

from __future__ import annotations

import copy
import io
import os
import pickle
import re
import tracemalloc
from collections.abc import Callable
from sysconfig import get_config_var
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import derlib
from derlib import (
    ASN1Error,
    Choice,
    Explicit,
    Implicit,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    WithComponents,
)

#: The writer defers copies of this size and longer: the size of its first buffer.
LONG = 16384
SIZES = (0, 100, LONG - 10, LONG - 4, LONG - 1, LONG, LONG + 1, 70_000)


class Blob(Sequence):
    data: bytes


DEFAULT = {"data": bytes(LONG)}


class Inner(Sequence):
    before: Annotated[int, Implicit(0)] | None = None
    blob: Blob
    after: Annotated[Blob, Explicit(1)] | None = None


class Pick(Choice):
    number: int
    inner: Inner


class Members(Set):
    number: int
    inner: Annotated[Inner, Implicit(7)]
    blob: Blob


class Outer(Sequence):
    number: int
    inner: Inner
    explicit: Annotated[Inner, Explicit(0)] | None = None
    implicit: Annotated[Inner, Implicit(1)] | None = None
    pick: Annotated[Pick, Explicit(2)] | None = None
    members: Annotated[Members, Implicit(3)] | None = None
    ordered: Annotated[SetOf[Blob], Implicit(4)] | None = None
    listed: Annotated[SequenceOf[Inner], Implicit(5)] | None = None
    union: Annotated[int, Implicit(6)] | Annotated[Blob, Implicit(7)] | None = None
    narrow: Annotated[Blob, WithComponents(data=Size(0, 16_400)), Implicit(8)] | None = None
    defaulted: Annotated[Blob, Implicit(9)] = DEFAULT  # type: ignore[assignment]


def blob(size: int) -> Any:
    return Blob(data=bytes(size))


def inner(size: int) -> Any:
    """Return a value in parts if `size` is long."""
    return Inner(before=5, blob=blob(size))


#: A value with a part of a size, by what is around the part. `test_structures` compares each with its plain data.
STRUCTURES: dict[str, Callable[[int], Any]] = {
    "a field": lambda size: Inner(blob=blob(size)),
    "between fields": lambda size: Inner(before=5, blob=blob(size), after=blob(3)),
    "after a long copy": lambda size: Inner(blob=blob(size), after=blob(size)),
    "an explicit tag": lambda size: Inner(blob=blob(1), after=blob(size)),
    "a field of a part": lambda size: Outer(number=1, inner=inner(size)),
    "a part that was read": lambda size: Outer(number=1, inner=read(inner(size))),
    "an explicit part": lambda size: Outer(number=1, inner=inner(1), explicit=inner(size)),
    "an implicit part": lambda size: Outer(number=1, inner=inner(1), implicit=inner(size)),
    "several parts": lambda size: Outer(number=1, inner=inner(size), explicit=inner(size), implicit=inner(size)),
    "a dict": lambda size: Outer(number=1, inner={"before": 1, "blob": blob(size)}),
    "an iterator": lambda size: Outer(number=1, inner=inner(0), listed=iter([inner(size), inner(1), inner(size)])),
    "a list": lambda size: Outer(number=1, inner=inner(0), listed=[inner(size), inner(1), inner(size)]),
    "a list view": lambda size: Outer(number=1, inner=inner(0), listed=Outer(
        number=1, inner=inner(0), listed=[inner(size)]).listed),
    "a SET OF": lambda size: Outer(number=1, inner=inner(0), ordered=[blob(size), blob(9), blob(size + 1), blob(1)]),
    "a SET": lambda size: Outer(
        number=1, inner=inner(0), members=Members(number=1, inner=inner(size), blob=blob(size))),
    "a CHOICE": lambda size: Outer(number=1, inner=inner(0), pick=Pick(inner=inner(size))),
    "an alternative": lambda size: Outer(number=1, inner=inner(0), pick={"inner": inner(size)}),
    "a union": lambda size: Outer(number=1, inner=inner(0), union=blob(size)),
    "a constraint": lambda size: Outer(number=1, inner=inner(0), narrow=blob(min(size, 16_400))),
    "beside a constraint": lambda size: Outer(number=1, inner=inner(size), narrow=blob(16_400)),
    "a DEFAULT": lambda size: Outer(number=1, inner=inner(0), defaulted=blob(size)),
    "a DEFAULT value": lambda size: Outer(number=1, inner=inner(size), defaulted=blob(LONG)),
    "replaced": lambda size: Outer(number=1, inner=inner(size), narrow=blob(5)).replace(number=2),
    "replaced twice": lambda size: Outer(number=1, inner=inner(size)).replace(number=2).replace(number=3),
    "a replaced part": lambda size: with_replaced_part(Outer(number=1, inner=inner(size), narrow=blob(5))),
    "a decoded part": lambda size: with_replaced_part(
        Outer.decode(Outer(number=1, inner=inner(size), narrow=blob(5)).encode())),
}


def read(value: Any) -> Any:
    """Return a value after it was encoded, which joins its parts."""
    value.encode()
    return value


def with_replaced_part(value: Any) -> Any:
    return value.replace(inner=value.inner.replace(before=300))


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize("size", SIZES)
def test_structures(name: str, size: int) -> None:
    value = STRUCTURES[name](size)
    octets = value.encode()
    # Plain data have no views, so the writer copies nothing that was encoded before.
    plain = type(value).decode(octets).to_native()
    assert octets == derlib.encode(plain, type(value))
    assert octets == derlib.encode(value, type(value))
    # Once more, read in another way first.
    other = STRUCTURES[name](size)
    assert other == value
    assert [getattr(other, field.name) for field in derlib.fields(type(value))] == [
        getattr(value, field.name) for field in derlib.fields(type(value))
    ]


def in_parts() -> Any:
    """Return a value that is in parts, with a field before and a field after the long part."""
    return Inner(before=5, blob=blob(LONG), after=blob(1))


class Watched(Inner):
    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__(name)


def unpickled_with_buffers(value: Any) -> Any:
    found: list[pickle.PickleBuffer] = []
    return pickle.loads(pickle.dumps(value, 5, buffer_callback=found.append), buffers=found)


def refused_as_blob(value: Any) -> str:
    with pytest.raises(ASN1Error) as caught:
        Outer(number=1, inner=inner(1), narrow=value)
    return str(caught.value)


#: The ways of reading a value, which must all join its parts.
READERS: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda value: value.before,
    "last attribute": lambda value: value.after,
    "view": lambda value: value.blob.data,
    "object.__getattribute__": lambda value: object.__getattribute__(value, "before"),
    "descriptor": lambda value: type(value).before.__get__(value, type(value)),
    "encode": lambda value: value.encode(),
    "bytes": bytes,
    "der": lambda value: bytes(value.der),
    "span": lambda value: value.span(),
    "span of a field": lambda value: value.span("after", "data", outer=True),
    "raw": lambda value: bytes(value.raw()),
    "raw field": lambda value: bytes(value.raw("blob")),
    "deviations": lambda value: value.deviations,
    "repr": repr,
    "hash": hash,
    "equality": lambda value: (value == in_parts(), value == Inner(blob=blob(1)), value != in_parts()),
    "order": lambda value: (value < in_parts(), value <= in_parts(), value > Inner(blob=blob(1)), value >= in_parts()),
    "to_native": lambda value: value.to_native(),
    "to_json": lambda value: value.to_json(),
    "replace": lambda value: value.replace(before=None),
    "replace nothing": lambda value: value.replace(),
    "copy": lambda value: (copy.copy(value), copy.deepcopy(value)),
    "pickle": lambda value: [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(6)],
    "buffers": unpickled_with_buffers,
    "encode_to": lambda value: derlib.encode_to(io.BytesIO(), value),
    "unknown additions": lambda value: value.unknown_additions,
    "any": lambda value: derlib.encode(value, derlib.TLV),
    "another class": refused_as_blob,
}


@pytest.mark.parametrize("name", READERS)
def test_each_way_of_reading_sees_the_whole_value(name: str) -> None:
    decoded = Inner.decode(in_parts().encode())
    value = in_parts()
    assert READERS[name](value) == READERS[name](decoded)
    assert value.encode() == decoded.encode()


@pytest.mark.parametrize("name", sorted(set(dir(Inner)) - {"__dir__", "__sizeof__", "__init_subclass__"}))
def test_every_attribute_and_method_sees_the_whole_value(name: str) -> None:
    def outcome(value: Any) -> str:
        """Return the attribute, or for a method the result or error of a call without arguments."""
        found = getattr(value, name)
        try:
            found = found() if callable(found) and not isinstance(found, type) else found
        except Exception as error:
            found = error
        return re.sub(r" at 0x[0-9a-f]+", "", repr(found))

    assert outcome(in_parts()) == outcome(Inner.decode(in_parts().encode()))


def test_subclasses_read_the_whole_value() -> None:
    value = Watched(before=5, blob=blob(LONG), after=blob(1))
    assert (value.before, value.after, len(value.blob.data)) == (5, blob(1), LONG)


def test_a_value_in_parts_cannot_be_built_again() -> None:
    value = in_parts()
    with pytest.raises(TypeError, match="immutable"):
        value.__init__(blob=blob(1))
    assert value == in_parts()


def test_the_octets_of_the_first_value_stay_valid() -> None:
    first = Inner.decode(Inner(before=1, blob=blob(LONG)).encode())
    value = first.replace(before=2)
    del first
    assert value.encode() == derlib.encode({"before": 2, "blob": {"data": bytes(LONG)}}, Inner)


def test_a_buffer_that_can_change_is_copied_at_once() -> None:
    buffer = bytearray(Inner(before=1, blob=blob(LONG)).encode())
    value = Inner.decode(buffer, copy=False).replace(before=2)
    buffer[-1] = 1
    assert value.blob.data == bytes(LONG)


@pytest.mark.parametrize("size", [LONG, 70_000])
def test_a_fault_beside_a_deferred_copy_is_found(size: int) -> None:
    for wrong in (
        {"narrow": blob(16_401)}, {"number": "x"}, {"pick": {"number": b""}}, {"members": {"number": 1}},
        {"ordered": [blob(1), 5]}, {"listed": [inner(1), blob(size)]}, {"union": "x"}, {"missing": 1},
    ):
        with pytest.raises(ASN1Error):
            Outer(**{"number": 1, "inner": inner(size), **wrong})
        with pytest.raises(ASN1Error):
            Outer(number=1, inner=inner(size)).replace(**wrong)


class Text(str):
    """A value that the fast path leaves to the general encoder."""


class Numbered(Sequence):
    text: SequenceOf[str]
    blob: Blob


def test_a_fast_path_that_is_aborted_keeps_the_deferred_copy_after_it() -> None:
    built = Numbered(text=["a", Text("b"), "c"], blob=blob(LONG))
    assert built.encode() == derlib.encode({"text": ["a", "b", "c"], "blob": {"data": bytes(LONG)}}, Numbered)


def test_a_list_in_a_file_keeps_its_place_beside_a_long_copy() -> None:
    count = 30_000
    fields = {"number": 1, "inner": inner(1), "explicit": inner(LONG), "implicit": inner(LONG)}
    listed = [{"blob": {"data": b"abcde"}}] * count
    made = io.BytesIO()
    derlib.encode_to(made, {**fields, "listed": iter(listed), "narrow": blob(LONG)}, Outer)
    assert made.getvalue() == derlib.encode({**fields, "listed": listed, "narrow": blob(LONG)}, Outer)


def test_replace_and_encode_copy_a_long_part_once() -> None:
    size = 1 << 20
    # Portable builds, and those without the GIL, copy for each value that is built.
    copied = 2.1 * size if os.environ.get("DERLIB_PORTABLE") or get_config_var("Py_GIL_DISABLED") else size / 10
    value = Outer.decode(Outer(number=1, inner=inner(size), narrow=blob(5)).encode())
    tracemalloc.start()
    try:
        changed = with_replaced_part(value)
        held, most = tracemalloc.get_traced_memory()
        assert most < copied
        octets = changed.encode()
        assert tracemalloc.get_traced_memory()[1] < held + 1.1 * size
    finally:
        tracemalloc.stop()
    assert Outer.decode(octets).inner.before == 300
    assert changed.encode() is octets


SMALL_SIZES = st.sampled_from((0, 1, 120, 130, LONG - 20, LONG - 4, LONG, LONG + 5))
BLOBS = st.builds(blob, SMALL_SIZES)
INNERS = st.builds(Inner, before=st.none() | st.integers(-200, 200), blob=BLOBS, after=st.none() | BLOBS)
FIELDS = {
    "number": st.integers(-(2**40), 2**40),
    "inner": INNERS,
    "explicit": st.none() | INNERS,
    "implicit": st.none() | INNERS,
    "pick": st.none() | st.builds(lambda value: Pick(inner=value), INNERS),
    "members": st.none() | st.builds(Members, number=st.integers(0, 9), inner=INNERS, blob=BLOBS),
    "ordered": st.none() | st.lists(BLOBS, max_size=4),
    "listed": st.none() | st.lists(INNERS, max_size=3),
    "union": st.none() | st.integers(0, 9) | BLOBS,
    "narrow": st.none() | st.builds(blob, st.sampled_from((0, LONG, 16_400))),
    "defaulted": st.none() | BLOBS,
}


@given(
    st.fixed_dictionaries(FIELDS),
    st.lists(st.tuples(st.fixed_dictionaries({}, optional=FIELDS), st.booleans()), max_size=3),
)
def test_values_that_are_replaced_are_those_that_are_encoded_anew(fields: dict[str, Any], changes: Any) -> None:
    value = Outer(**fields)
    for changed, read_first in changes:
        if read_first:
            read(value)
        value = value.replace(**changed)
        fields |= changed
    assert value.encode() == derlib.encode({name: anew_of(field) for name, field in fields.items()}, Outer)


def anew_of(value: Any) -> Any:
    """Return views as plain data."""
    if isinstance(value, list):
        return list(map(anew_of, value))
    return value if value is None or isinstance(value, int) else value.to_native()
