"""A reader of the Arrow C stream interface in ctypes, so that the tests of columns need no Arrow library."""

from __future__ import annotations

import ctypes
import datetime
import struct
import sys
from collections.abc import Iterator
from typing import Any


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowStream(ctypes.Structure):
    pass


ReleaseSchema = ctypes.PYFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
ReleaseArray = ctypes.PYFUNCTYPE(None, ctypes.POINTER(ArrowArray))
ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
ArrowStream._fields_ = [
    ("get_schema", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowStream), ctypes.POINTER(ArrowSchema))),
    ("get_next", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowStream), ctypes.POINTER(ArrowArray))),
    ("get_last_error", ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(ArrowStream))),
    ("release", ctypes.PYFUNCTYPE(None, ctypes.POINTER(ArrowStream))),
    ("private_data", ctypes.c_void_p),
]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class StreamError(Exception):
    pass


def stream_of(columns: Any) -> tuple[object, ArrowStream]:
    """Return the capsule of a stream, which must be kept, and the stream."""
    capsule = columns.__arrow_c_stream__()
    return capsule, ArrowStream.from_address(_pointer(capsule, b"arrow_array_stream"))


def schema_of(columns: Any) -> dict[str, str]:
    """Return the formats of the columns by `__arrow_c_schema__`."""
    capsule = columns.__arrow_c_schema__()
    return _formats(ArrowSchema.from_address(_pointer(capsule, b"arrow_schema")))


def _formats(schema: ArrowSchema) -> dict[str, str]:
    return {schema.children[i].contents.name.decode(): _format(schema.children[i].contents)
            for i in range(schema.n_children)}  # fmt: skip


def _format(schema: ArrowSchema) -> str:
    """Return the format of a column, with those of its items, or with the names and formats of its fields."""
    form = str(schema.format.decode())
    if form == "+l":
        assert schema.n_children == 1
        return form + _format(schema.children[0].contents)
    if form == "+s":
        return form + ",".join(f"{name}:{field}" for name, field in _formats(schema).items())
    assert schema.n_children == 0
    if schema.dictionary:
        assert schema.dictionary.contents.format == b"u"
        form += "u"
    return form


def next_batch(stream: ArrowStream) -> ArrowArray | None:
    array = ArrowArray()
    status = stream.get_next(stream, array)
    if status:
        raise StreamError(stream.get_last_error(stream).decode())
    return array if array.release else None


def batches(columns: Any) -> Iterator[dict[str, list[Any]]]:
    """Yield the values of each batch of a stream; free each batch, then the stream."""
    capsule, stream = stream_of(columns)
    schema = ArrowSchema()
    assert stream.get_schema(stream, schema) == 0
    formats = _formats(schema)
    assert formats == schema_of(columns)
    schema.release(schema)
    while (array := next_batch(stream)) is not None:
        yield {name: cells(array.children[i].contents, form) for i, (name, form) in enumerate(formats.items())}
        array.release(array)
        assert not array.release
    stream.release(stream)
    assert not stream.release
    del capsule


def table(columns: Any) -> dict[str, list[Any]]:
    """Return the values of all batches."""
    result: dict[str, list[Any]] = {name: [] for name in columns.schema}
    for batch in batches(columns):
        for name, values in batch.items():
            result[name] += values
    return result


def cells(array: ArrowArray, form: str) -> list[Any]:
    """Return the values of an array."""
    n = array.length
    bitmap = ctypes.string_at(array.buffers[0], (n + 7) // 8) if array.buffers[0] else None
    valid = [bitmap is None or bool(bitmap[i >> 3] >> (i & 7) & 1) for i in range(n)]
    assert valid.count(False) == array.null_count
    assert array.n_buffers == (3 if form in ("u", "z") else 1 if form.startswith("+s") else 2)
    values: list[Any]
    if form.startswith("+l"):
        offsets = struct.unpack(f"={n + 1}i", ctypes.string_at(array.buffers[1], 4 * (n + 1)))
        items = cells(array.children[0].contents, form[2:])
        assert len(items) == offsets[-1]
        values = [items[offsets[i] : offsets[i + 1]] for i in range(n)]
    elif form.startswith("+s"):
        fields = [field.split(":") for field in form[2:].split(",")]
        assert array.n_children == len(fields)
        columns = [cells(array.children[i].contents, field) for i, (_, field) in enumerate(fields)]
        values = [dict(zip((name for name, _ in fields), row, strict=True)) for row in zip(*columns, strict=True)]
        assert len(values) == n
    elif form in ("u", "z"):
        if n == 0:
            return []
        offsets = struct.unpack(f"={n + 1}i", ctypes.string_at(array.buffers[1], 4 * (n + 1)))
        octets = ctypes.string_at(array.buffers[2], offsets[-1])
        values = [octets[offsets[i] : offsets[i + 1]] for i in range(n)]
        if form == "u":
            values = [value.decode() for value in values]
    elif form == "iu":
        texts = cells(array.dictionary.contents, "u")
        assert len(set(texts)) == len(texts)
        numbers = struct.unpack(f"={n}i", ctypes.string_at(array.buffers[1], 4 * n))
        values = [texts[number] if ok else None for number, ok in zip(numbers, valid, strict=True)]
    elif form.startswith("w:"):
        width = int(form[2:])
        octets = ctypes.string_at(array.buffers[1], width * n)
        values = [octets[width * i : width * (i + 1)] for i in range(n)]
    elif form.startswith("d:"):
        digits, scale, *bits = map(int, form[2:].split(","))
        width = (bits[0] if bits else 128) // 8
        octets = ctypes.string_at(array.buffers[1], width * n)
        values = [int.from_bytes(octets[width * i : width * (i + 1)], sys.byteorder, signed=True) for i in range(n)]
        assert scale == 0
        assert all(abs(value) < 10**digits for value in values)
    elif form == "b":
        packed = ctypes.string_at(array.buffers[1], (n + 7) // 8)
        values = [bool(packed[i >> 3] >> (i & 7) & 1) for i in range(n)]
    else:
        values = list(struct.unpack(f"={n}q", ctypes.string_at(array.buffers[1], 8 * n)))
        if form == "tss:UTC":
            values = [EPOCH + datetime.timedelta(seconds=value) for value in values]
        else:
            assert form == "l"
    return [value if ok else None for value, ok in zip(values, valid, strict=True)]
