"""Buffers whose owner could refer to the views of it: the garbage collector must free such a cycle.

Views take no part in garbage collection, so a source shares only the bytes of owners that refer to nothing.
"""

from __future__ import annotations

import array
import ctypes
import gc
import io
import mmap
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import derlib
from derlib import TLV, Deviation, Limits, SequenceOf

DATA = bytes.fromhex("3006 020105 020106")
Numbers = SequenceOf[int]


class OwnBytes(bytes):
    """Bytes with attributes, which can refer to anything."""


class OwnArray(bytearray):
    """A bytearray with attributes."""


class Slotted(bytearray):
    __slots__ = ("__weakref__", "views")


class OwnMap(mmap.mmap):
    """A mapping with attributes."""


class OwnCArray(ctypes.c_ubyte * len(DATA)):
    """A C array of its own class."""


def mapped(class_: type[mmap.mmap]) -> mmap.mmap:
    made = class_(-1, len(DATA))
    made[:] = DATA
    return made


REFERRING: dict[str, Callable[[], Any]] = {
    "bytes": lambda: OwnBytes(DATA),
    "bytearray": lambda: OwnArray(DATA),
    "slots": lambda: Slotted(DATA),
    "mmap": lambda: mapped(OwnMap),
    "a C array": lambda: OwnCArray(*DATA),
}
SHARED: dict[str, Callable[[], Any]] = {
    "bytearray": lambda: bytearray(DATA),
    "array": lambda: array.array("B", DATA),
    "mmap": lambda: mapped(mmap.mmap),
    "C array": lambda: (ctypes.c_ubyte * len(DATA)).from_buffer_copy(DATA),
    "memoryview": lambda: memoryview(bytearray(DATA)),
}


def instances(class_: type) -> int:
    """Return the number of live objects, because `bytes` do not support weak references."""
    return sum(type(each) is class_ for each in gc.get_objects())


@pytest.mark.parametrize("through", [lambda owner: owner, memoryview], ids=["itself", "memoryview"])
@pytest.mark.parametrize("copy", [True, False], ids=["copy", "share"])
@pytest.mark.parametrize("type_", [Numbers, TLV], ids=["list", "tree"])
@pytest.mark.parametrize("make", REFERRING.values(), ids=REFERRING)
def test_an_owner_that_refers_to_its_views_is_collected(make, type_, copy, through):
    owner = make()
    owner.views = [derlib.decode(type_, through(owner), copy=copy), derlib.decode(type_, through(owner), copy=copy)]
    assert bytes(owner.views[0].der) == DATA
    class_ = type(owner)
    before = instances(class_)
    del owner
    gc.collect()
    assert instances(class_) == before - 1


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python classes export buffers since 3.12")
def test_an_owner_that_exports_a_buffer_in_python_is_collected():
    class Exporter:
        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(DATA)

    for through in (lambda owner: owner, memoryview):
        owner = Exporter()
        owner.view = Numbers.decode(through(owner), copy=False)
        gone = weakref.ref(owner)
        del owner
        gc.collect()
        assert gone() is None


def test_a_stream_that_refers_to_a_view_of_its_buffer_is_collected():
    class Stream(io.BytesIO):
        view: Any

    stream = Stream(DATA)
    stream.view = Numbers.decode(stream.getbuffer(), copy=False)
    gone = weakref.ref(stream)
    del stream
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("tolerate", [None, Deviation.BOOLEAN_TRUE], ids=["strict", "lenient"])
def test_limits_that_refer_to_a_view_are_collected(tolerate):
    limits = Limits(depth=7)
    view = Numbers.decode(DATA, limits=limits, tolerate=tolerate)
    object.__setattr__(limits, "view", view)
    gone = weakref.ref(limits)
    del limits, view
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("make", SHARED.values(), ids=SHARED)
def test_an_owner_that_refers_to_nothing_is_shared(make):
    owner = make()
    view = Numbers.decode(owner, copy=False)
    assert list(view) == [5, 6]
    memoryview(owner).cast("B")[4] = 9
    assert list(view) == [9, 6]


@pytest.mark.parametrize("make", REFERRING.values(), ids=REFERRING)
def test_an_owner_that_may_refer_to_anything_is_copied(make):
    owner = make()
    view = Numbers.decode(owner, copy=False)
    if not isinstance(owner, bytes):
        memoryview(owner).cast("B")[4] = 9
    assert list(view) == [5, 6]
    assert type(view.encode()) is bytes


def test_bytes_are_never_copied():
    view = Numbers.decode(DATA, copy=False)
    assert view.encode() is DATA
    assert Numbers.decode(memoryview(DATA)).encode() is DATA
