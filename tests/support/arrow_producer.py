"""A producer of the Arrow C data interface in ctypes, which can say anything that is wrong."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable
from typing import Any

from support.arrow import ArrowArray, ArrowSchema, ArrowStream, ReleaseArray, ReleaseSchema

_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_ReleaseStream = dict(ArrowStream._fields_)["release"]
_GetSchema = dict(ArrowStream._fields_)["get_schema"]
_GetNext = dict(ArrowStream._fields_)["get_next"]
_GetLastError = dict(ArrowStream._fields_)["get_last_error"]
# ctypes cannot keep the octets that a callback returns as `c_char_p`.
_Address = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(ArrowStream))


def capsule(one: Any, name: bytes) -> object:
    """Return a capsule of a struct, which must be kept and which the capsule does not release."""
    return _new(ctypes.addressof(one), name, None)


class Producer:
    """Keeps what the structs point to, and counts the structs that are not released."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.open = 0

    def keep(self, one: Any) -> Any:
        self.kept.append(one)
        return one

    def release(self, type: Any) -> Any:
        def released(pointer: Any) -> None:
            self.open -= 1
            # A NULL function: the struct is released.
            ctypes.memmove(ctypes.addressof(pointer.contents) + type_of(pointer).release.offset, bytes(8), 8)

        self.open += 1
        return self.keep(type(released))

    def schema(self, form: bytes | None, children: Iterable[ArrowSchema] = (), **more: Any) -> ArrowSchema:
        schema = ArrowSchema(format=form, name=b"", flags=2, release=self.release(ReleaseSchema))
        return self._filled(schema, ArrowSchema, children, more)

    def array(
        self, length: int, buffers: Iterable[bytes | None], children: Iterable[ArrowArray] = (), /, **more: Any
    ) -> ArrowArray:
        """Return an array; the buffers are copied to memory of exactly their size."""
        addresses = [
            None if one is None else ctypes.addressof(self.keep((ctypes.c_char * len(one)).from_buffer_copy(one)))
            for one in buffers
        ]
        pointers = self.keep((ctypes.c_void_p * max(len(addresses), 1))(*addresses))
        array = ArrowArray(length=length, n_buffers=len(addresses), release=self.release(ReleaseArray))
        array.buffers = ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p))
        return self._filled(array, ArrowArray, children, more)

    def _filled(self, one: Any, type: Any, children: Iterable[Any], more: dict[str, Any]) -> Any:
        pointers = [ctypes.pointer(self.keep(child)) for child in children]
        one.n_children = len(pointers)
        if pointers:
            one.children = self.keep((ctypes.POINTER(type) * len(pointers))(*pointers))
        for name, value in more.items():
            setattr(one, name, value)
        return self.keep(one)

    def binary(self, values: Iterable[bytes | None], **more: Any) -> ArrowArray:
        """Return a binary array."""
        values = list(values)
        ends = [0]
        for value in values:
            ends.append(ends[-1] + len(value or b""))
        valid = 0
        for i, value in enumerate(values):
            valid |= (value is not None) << i
        bitmap = valid.to_bytes((len(values) + 7) // 8, "little")
        buffers = [bitmap, struct.pack(f"={len(ends)}i", *ends), b"".join(value or b"" for value in values)]
        return self.array(len(values), buffers, **{"null_count": values.count(None), **more})


def type_of(pointer: Any) -> Any:
    return type(pointer.contents)


class ArrayProducer(Producer):
    """An object with `__arrow_c_array__`. `form` is the format, `make` makes the array."""

    def __init__(self, form: bytes | None, make: Callable[[Producer], ArrowArray], schema: Any = None) -> None:
        super().__init__()
        self.form, self.make, self.make_schema = form, make, schema

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        schema = self.make_schema(self) if self.make_schema else self.schema(self.form)
        # The schema belongs to its capsule: a consumer that releases it makes the count negative.
        self.open = 0
        return capsule(schema, b"arrow_schema"), capsule(self.make(self), b"arrow_array")


class StreamProducer(Producer):
    """An object with `__arrow_c_stream__`: `make` yields arrays, or the status and the message of an error."""

    def __init__(self, form: bytes | None, make: Callable[[Producer], Iterable[Any]]) -> None:
        super().__init__()
        self.form, self.make = form, make
        self.message: bytes | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        arrays = iter(self.make(self))

        def get_schema(stream: Any, out: Any) -> int:
            if self.form is None:
                return 5
            ctypes.memmove(out, ctypes.byref(self.schema(self.form)), ctypes.sizeof(ArrowSchema))
            return 0

        def get_next(stream: Any, out: Any) -> int:
            one = next(arrays, None)
            if isinstance(one, tuple):
                self.message = one[1]
                return int(one[0])
            if one is not None:
                ctypes.memmove(out, ctypes.byref(one), ctypes.sizeof(ArrowArray))
            return 0

        def get_last_error(stream: Any) -> int | None:
            if self.message is None:
                return None
            return ctypes.addressof(self.keep(ctypes.create_string_buffer(self.message)))

        stream = self.keep(ArrowStream(
            get_schema=self.keep(_GetSchema(get_schema)),
            get_next=self.keep(_GetNext(get_next)),
            get_last_error=ctypes.cast(self.keep(_Address(get_last_error)), _GetLastError),
            release=self.release(_ReleaseStream),
        ))  # fmt: skip
        return capsule(stream, b"arrow_array_stream")
