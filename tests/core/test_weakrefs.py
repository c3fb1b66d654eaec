"""Weak references are refused unless a class allows them, and then work as for any Python object."""

import gc
import pickle
import sys
import weakref

import pytest
from support.threads import FREE_THREADED

from derlib import Choice, Sequence, SequenceOf


class Point(Sequence):
    x: int


class Watched(Sequence):
    __slots__ = ("__weakref__",)
    x: int
    next: "Watched | None" = None


class WatchedList(SequenceOf[Watched]):
    __slots__ = ("__weakref__",)


class WatchedChoice(Choice):
    __slots__ = ("__weakref__",)
    x: int
    points: WatchedList


def test_values_do_not_support_weak_references_by_default():
    for value in (Point(x=1), SequenceOf[Point]([{"x": 1}])):
        with pytest.raises(TypeError, match="cannot create weak reference"):
            weakref.ref(value)


@pytest.mark.parametrize(
    "value",
    [
        Watched(x=1, next={"x": 2}),
        WatchedList([{"x": 1}, {"x": 2}]),
        WatchedChoice(x=1),
        WatchedChoice(points=[{"x": 1}]),
    ],
    ids=repr,
)
def test_a_class_can_allow_weak_references(value):
    died = []
    made = [type(value).decode(value.encode()), pickle.loads(pickle.dumps(value))]
    seen = [weakref.ref(one, died.append) for one in made]
    assert [one() for one in seen] == made == [value, value]
    del made
    gc.collect()
    assert [one() for one in seen] == [None, None]
    assert len(died) == 2


def test_nested_values_are_freed_with_their_parent():
    outer = Watched.decode(Watched(x=1, next={"x": 2, "next": {"x": 3}}).encode())
    inner = outer.next
    assert inner is outer.next
    seen = [weakref.ref(inner), weakref.ref(inner.next)]
    del inner
    gc.collect()
    assert [one().x for one in seen] == [2, 3]
    del outer
    gc.collect()
    assert [one() for one in seen] == [None, None]


def test_many_weak_references_come_and_go():
    data = WatchedList([{"x": number, "next": {"x": 0}} for number in range(1000)]).encode()
    values = weakref.WeakValueDictionary()
    for _ in range(5):
        elements = list(WatchedList.decode(data))
        values.update(enumerate(elements))
        assert [value.x for value in values.values()] == list(range(1000))
        assert {value.next.x for value in elements} == {0}
        del elements
        gc.collect()
        assert len(values) == 0


def test_the_size_of_values_that_allow_weak_references():
    # The list of references, and garbage collection, which a Point also has in a portable build, and which uses no
    # memory without the GIL.
    expected = (8, 16) if gc.is_tracked(Point(x=1)) or FREE_THREADED else (24, 32)
    assert sys.getsizeof(Watched(x=1)) - sys.getsizeof(Point(x=1)) in expected
