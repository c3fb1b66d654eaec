"""Properties of every input. The targets call these; an AssertionError or foreign exception is a finding.

`strict` and `tolerated` decode and then use everything that a value offers. The input is first passed in a buffer of
exactly its size, so the address sanitizer detects a read of one byte too many.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import pickle
from typing import Any

from corpus.octets import VIEWS, place, plain_walk, schema_walk, steps, touch
from support import arrow

import derlib
from derlib import TLV, ASN1Error, Deviation, Limits, SequenceOf, UnrepresentableError, ber
from derlib.errors import ConstraintError, DecodeError, LimitError

EVERYTHING = ~Deviation(0)
MESSAGE_LIMIT = 4000
MOVED = 30  # this many parts of one value are used elsewhere


def exact(data: bytes) -> Any:
    """Return the bytes in a buffer without the final NUL of `bytes`."""
    return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)


def check_error(error: ASN1Error, data: bytes) -> None:
    """Check that an error has an offset in the input, a clause, and a message of bounded length."""
    assert isinstance(error, (DecodeError, LimitError)), type(error)
    assert 0 <= error.offset <= len(data), error
    assert len(str(error)) < MESSAGE_LIMIT
    # Limits, and buffers that changed, are not in the standard.
    of_derlib = isinstance(error, LimitError) or error.kind == "buffer-changed"
    assert error.rule == "" if of_derlib else error.rule.startswith(("X.6", "RFC 5652"))
    assert error.kind
    assert isinstance(error.path, tuple)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.path, again.offset) == (str(error), error.path, error.offset)


def strict(type_: Any, data: bytes) -> Any:
    """Decode strictly; return the value after checking its properties, or None if it is rejected."""
    try:
        shared = derlib.decode(type_, exact(data), copy=False)
    except ASN1Error as error:
        check_error(error, data)
        return None
    touch(shared)
    value = derlib.decode(type_, data)
    check_accepted(type_, value, data)
    tolerated_value = derlib.decode(type_, data, tolerate=EVERYTHING)
    assert tolerated_value == value
    assert tolerated_value.deviations == ()
    return value


def columns(type_: Any, data: bytes, paths: dict[str, Any], **options: Any) -> None:
    """Read columns of an input, and of the same input after others, and check them by what `decode` returns."""
    try:
        value = derlib.decode(type_, data)
    except ASN1Error as error:
        value = None
        check_error(error, data)
        expected = (error.kind, error.offset, error.rule)
    result = arrow.table(derlib.columns(type_, [data, None, exact(data)], paths, on_error="null", input_column="input",
                                        **options))  # fmt: skip
    names = [name for name in paths if f"{name} size" in paths]
    for row in zip(*result.values(), strict=True):
        cells = dict(zip(result, row, strict=True))
        fault = cells["error"], cells["error_offset"], cells["error_rule"]
        assert fault == ((None,) * 3 if value is not None or cells["input"] == 1 else expected)
        for name in names:
            offset, size, encoding = (cells[f"{name} {kind}"] for kind in ("offset", "size", "encoding"))
            assert offset is None or data[offset : offset + size] == encoding
            assert (encoding is None) <= (cells[name] is offset is size is None)
            # Of a class with many fields, some columns are left out.
            if f"{name} dictionary" in cells:
                assert cells[f"{name} text"] == cells[f"{name} dictionary"]
    if value is not None and any("[*]" in str(column.path) for column in paths.values()):
        table = derlib.columns(type_, data, paths, threads=2)
        with contextlib.suppress(arrow.StreamError):
            alone = arrow.table(table)
            assert alone == {name: result[name][: len(cells)] for name, cells in alone.items()}
            assert not isinstance(value, SequenceOf) or len(value) == len(next(iter(alone.values())))
        assert isinstance(table.error, OverflowError | None)


def check_accepted(type_: Any, value: Any, data: bytes) -> None:
    """Check the properties of a value that strict decoding returned for all of `data`."""
    assert value.encode() == data == bytes(value.der) == bytes(value)
    assert value.deviations == ()
    assert (value.span().end, value.span(outer=True).offset) == (len(data), 0)
    touch(value)
    repr(value)
    derlib.pretty(value)
    check_places(value, data)
    check_plain(type(value), value, data)
    check_pickle(value, (2, 5))
    check_moved(value)
    prefix, rest = derlib.decode(type_, data), b""
    with contextlib.suppress(AttributeError):
        prefix, rest = type_.decode_prefix(data + b"\x00rest")
    assert prefix == value
    assert not value < prefix
    assert not value > prefix
    assert hash(prefix) == hash(value)
    assert bytes(rest) in (b"", b"\x00rest")


def check_places(value: Any, data: bytes) -> None:
    """Check that a view, the tree without a schema and a simple reader agree on the positions of elements."""
    tree = derlib.parse(data)
    places = [place(element.span) for element in tree.walk()]
    assert places == list(plain_walk(data, 0, len(data)))
    for element in tree.walk():
        span = element.span
        assert data[span.content_offset : span.end] == element.content
        assert element.encode() == data[span.offset : span.end]
    reported = list(schema_walk(data, value))
    assert len(reported) == len(set(reported))
    # A view reports more, such as the contents of an OCTET STRING. The walk does not include a tag of its class itself.
    assert set(places) <= {*reported, place(value.span(outer=True))}


def check_plain(cls: Any, value: Any, data: bytes) -> None:
    """Check that plain data and JSON convert back to the same bytes."""
    native = value.to_native()
    assert cls.from_native(native).encode() == data
    text = value.to_json()
    assert cls.from_json(text).encode() == data
    assert derlib.encode(value, cls) == data


def check_pickle(value: Any, protocols: tuple[int, ...]) -> None:
    for protocol in protocols:
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert again.encode() == value.encode()
        assert type(again) is type(value)


def check_moved(value: Any) -> None:
    """Check that each part of a strictly decoded value can be used elsewhere, and that the built value decodes."""
    parts = [value]
    for part in itertools.islice(parts, MOVED):
        parts += [inner for _, inner in steps(part) if isinstance(inner, VIEWS)]
        if getattr(type(part).__plan__.element, "table", None) is not None:
            # The value around such a list selects the types of its elements.
            continue
        elsewhere = SequenceOf[type(part)]  # type: ignore[misc]
        try:
            built = elsewhere([part])
        except derlib.EncodeError as error:
            # A list has one more level.
            assert str(error) == "the value is nested 101 or more levels deep; the limit is 100", error
            continue
        assert elsewhere.decode(built.encode()) == built
        assert built[0] == part


def tree(data: bytes) -> TLV | None:
    """Check the properties of `derlib.parse`, as `strict` does."""
    try:
        shared = derlib.parse(exact(data), copy=False)
    except ASN1Error as error:
        check_error(error, data)
        return None
    touch(shared)
    root = derlib.parse(data)
    assert root.encode() == data == bytes(root.der)
    assert root.deviations == ()
    assert [place(element.span) for element in root.walk()] == list(plain_walk(data, 0, len(data)))
    for element in root.walk():
        repr(element)
        repr(element.tag)
        assert b"".join(child.encode() for child in element.children) == (
            element.content if element.tag.constructed else b""
        )
    check_pickle(root, (2, 5))
    assert derlib.parse(data, tolerate=EVERYTHING).deviations == ()
    assert derlib.decode(TLV, data) == root
    return root


def converted(type_: Any, data: bytes, limits: Limits | None, prefix: bool, signed: bool) -> None:
    """Convert BER; check the record of changes, and that the result is DER except in kept elements that are not."""
    attributes = "convert" if signed else "refuse"
    options: dict[str, Any] = {"limits": limits, "prefix": prefix, "signed_attributes": attributes}
    try:
        shared = ber.convert(exact(data), type_, **options)
    except ASN1Error as error:
        check_error(error, data)
        return
    made = ber.convert(data, type_, **options)
    assert bytes(made.der) == bytes(shared.der)
    assert made.consumed == len(data) or (prefix and made.consumed < len(data))
    check_record(made, data)
    if type_ is not None:
        for change in itertools.islice(made.changes, 1, 200, 50):
            if change.path:
                check_kept(type_, data, change.path, options)
    if any(kept.error is not None for kept in made.kept):
        return
    octets = made.der
    again = ber.convert(octets, type_)
    assert again.der is octets
    assert len(again.changes) == 0
    value = derlib.parse(made.der) if type_ is None else derlib.decode(type_, made.der)
    touch(value)
    if type_ is not None:
        options = {"limits": limits, "rules": "ber"}
        with contextlib.suppress(DecodeError):
            assert derlib.decode(type_, data[: made.consumed], **options) == value


def check_kept(type_: Any, data: bytes, path: tuple[str | int, ...], options: dict[str, Any]) -> None:
    """Convert BER again, and keep one element that was changed, with everything inside it."""
    with contextlib.suppress(ASN1Error):
        made = ber.convert(data, type_, keep=[path], **options)
        check_record(made, data)
        with contextlib.suppress(DecodeError):
            # Lists of a SET OF have other indexes after sorting.
            strict = ber.convert(made.value.encode(), type_, keep=[path]).kept
            assert all(kept.input == kept.output and kept.error is None for kept in strict)


def check_record(made: ber.Converted, data: bytes) -> None:
    """Check the positions in the record of a conversion."""
    for change in itertools.islice(made.changes, 200):
        assert change.rule.startswith("X.6")
        assert change.kind
        assert isinstance(change.path, tuple)
        assert 0 <= change.input.offset <= change.input.end <= made.consumed
        assert 0 <= change.output.offset <= change.output.end <= len(made.der)
    assert (len(made.changes) == 0) == (made.der == data[: made.consumed])
    for kept in made.kept:
        whole = data[kept.input.offset : kept.input.end]
        assert whole == made.der[kept.output.offset : kept.output.end]
    for span in made.ambiguous:
        assert 0 <= span.offset <= span.end <= made.consumed
    for offset in range(0, len(made.der), 1 + len(made.der) // 40):
        assert 0 <= made.origin(offset) < made.consumed
    for offset in range(0, made.consumed, 1 + made.consumed // 40):
        assert 0 <= made.destination(offset) <= len(made.der)


def tolerated(type_: Any, data: bytes, tolerate: Deviation | None, limits: Limits | None) -> Any:
    """Decode with deviations and limits; check that the value can be read and that recorded faults have positions."""
    options = {"tolerate": tolerate, "limits": limits}
    try:
        shared = derlib.decode(type_, exact(data), copy=False, **options)
    except ASN1Error as error:
        check_error(error, data)
        if isinstance(error, DecodeError) and error.deviation is not None:
            assert tolerate is None or error.deviation not in tolerate, error
        return None
    touch(shared)
    check_tolerated(shared, data, tolerate)
    value = derlib.decode(type_, data, **options)
    assert value.deviations == shared.deviations
    repr(value)
    touch(value)
    if isinstance(value, VIEWS):
        derlib.pretty(value)
        value.to_native()
        value.to_json()
    check_again(value)
    return value


def check_tolerated(value: Any, data: bytes, tolerate: Deviation | None) -> None:
    """Check that each recorded fault was chosen, and that its path leads to an element at its offset."""
    before = 0
    for one in value.deviations:
        assert one.deviation in (tolerate or Deviation(0)), one
        assert len(one.deviation.name or "") > 0
        assert before <= one.offset <= len(data)
        before = one.offset
        assert one.rule.startswith("X.6") or (one.rule == "" and one.kind.endswith("-limit")), one
        assert isinstance(one.path, tuple)
        if one.kind == "trailing-data" or isinstance(value, TLV):
            assert one.path == ()
        else:
            check_path(value, one)


def check_path(value: Any, one: Any) -> None:
    """Check that the path of a fault exists, and leads to an element around the offset."""
    at = value
    span = value.span(outer=True)
    for step in one.path:
        assert isinstance(at, VIEWS), (one, at)
        span = at.span(step, outer=True)
        assert span is not None, one
        assert span.offset <= one.offset <= span.end, (one, span)
        try:
            at = at[step] if isinstance(step, int) else getattr(at, step)
        except UnrepresentableError:
            at = None
    assert span.offset <= one.offset <= span.end, (one, span)


def check_again(value: Any) -> None:
    """Check that a pickle contains enough to decode the value with its own faults again."""
    for protocol in (2, 5):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again.encode() == value.encode()
        assert again == value
        assert kinds(again) == kinds(value)


def kinds(value: Any) -> list[str]:
    """Return the faults inside a value, without those of its field, whose type can require more."""
    return [one.kind for one in value.deviations if one.kind not in ("trailing-data", "size")]


def named_deviations(type_: Any, data: bytes) -> None:
    """Check that the deviation in each error tolerates it: tolerated one by one, the result is as with all."""
    chosen = Deviation(0)
    while True:
        try:
            value = derlib.decode(type_, data, tolerate=chosen)
        except ASN1Error as error:
            if getattr(error, "deviation", None) is None:
                break
            assert error.deviation not in chosen, f"{error.deviation} does not tolerate: {error}"
            chosen |= error.deviation
        else:
            if isinstance(value, (*VIEWS, TLV)):
                assert bool(value.deviations) == bool(chosen), (chosen, value.deviations)
            return
    with contextlib.suppress(LimitError):
        try:
            derlib.decode(type_, data, tolerate=EVERYTHING)
        except DecodeError:
            return
        raise AssertionError(f"{chosen} ends in an error that names no deviation, but all together accept")


def refused(build: Any) -> Any:
    """Return the result of `build`, or None if it raises ConstraintError or EncodeError."""
    try:
        return build()
    except (ConstraintError, derlib.EncodeError) as error:
        assert len(str(error)) < MESSAGE_LIMIT, len(str(error))
        return None
