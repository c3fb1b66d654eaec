"""Threads share classes, tables and values that other threads change, with and without the GIL.

tests/security/test_hostile_sharing.py tests threads that only read one view.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from support.threads import in_threads

import derlib
from derlib import (
    NULL,
    TLV,
    ASN1Error,
    BitString,
    Choice,
    DefinedBy,
    Deviation,
    Implicit,
    Limits,
    ObjectIdentifier,
    OpenTypes,
    RelativeOID,
    Sequence,
    SequenceOf,
    SetOf,
)

TIMES = 200


class Point(Sequence):
    x: int
    y: int


class Arms(Choice):
    number: int
    text: str


class Holder(Sequence):
    points: SequenceOf[Point]
    texts: SetOf[str]
    point: Point
    arms: Arms
    last: bytes | None = None


def repeated(work: Callable[[], object], times: int = TIMES) -> Callable[[], None]:
    def run() -> None:
        for _ in range(times):
            work()

    return run


def early_and_late() -> tuple[Any, Any]:
    """A class that refers to one which is defined after it, so it is compiled at first use."""

    class Early(Sequence):
        late: "Late"

    class Late(Sequence):
        number: int

    globals()["Late"] = Late
    return Early, Late


def test_a_class_is_compiled_once_if_many_threads_use_it_first():
    for _ in range(20):
        globals().pop("Late", None)
        early, late = early_and_late()
        seen: list[Any] = []

        def decode(early: Any = early, seen: list[Any] = seen) -> None:
            seen.append(early.decode(bytes.fromhex("3005 3003 020107")).late.number)

        def build(early: Any = early, late: Any = late, seen: list[Any] = seen) -> None:
            seen.append(early(late=late(number=7)).late.number)

        in_threads(decode, build, decode, build, decode, build)
        assert seen == [7] * 6


def test_a_default_is_decoded_before_other_threads_read_it():
    for _ in range(20):
        globals().pop("Late", None)

        class Early(Sequence):
            numbers: SequenceOf[int] = [0, 1]  # type: ignore[assignment]
            late: "Annotated[Late, Implicit(0)] | None" = None  # type: ignore[name-defined]

        class Outer(Sequence):
            early: Early

        class Late(Sequence):
            outer: Outer | None = None

        globals()["Late"] = Late
        seen: list[Any] = []

        def inner(outer: Any = Outer, seen: list[Any] = seen) -> None:
            seen.append(outer.decode(b"\x30\x02\x30\x00").early.numbers)

        def direct(early: Any = Early, seen: list[Any] = seen) -> None:
            seen.append(early.decode(b"\x30\x00").numbers)

        in_threads(inner, direct, inner, direct)
        assert [type(each) for each in seen] == [SequenceOf[int]] * 4


@pytest.mark.parametrize("way", ["class", "encode", "from_native"])
def test_values_that_another_thread_changes_are_encoded_consistently_or_rejected(way):
    values: dict[str, Any] = {}
    points: list[Any] = []
    texts: list[Any] = []
    arms: dict[str, Any] = {}
    done: list[bool] = []

    def fill() -> None:
        values.update(points=points, texts=texts, point={"x": 2**70, "y": -1}, arms=arms, last=bytes(300))
        points[:] = [{"x": n, "y": 2**80 + n} for n in range(20)]
        texts[:] = [f"a text that is new every time, {n}" for n in range(20)]
        arms.clear()
        arms["text"] = "another " + str(len(points))

    def change() -> None:
        try:
            for turn in range(20 * TIMES):
                fill()
                if turn % 3 == 0:
                    values.clear()
                points.clear()
                texts.clear()
        finally:
            done.append(True)

    def write() -> None:
        while not done:
            with contextlib.suppress(ASN1Error, RuntimeError):
                if way == "class":
                    octets = Holder(**values).encode()
                elif way == "encode":
                    octets = derlib.encode(values, Holder)
                else:
                    octets = Holder.from_native(values).encode()
                assert Holder.decode(octets).encode() == octets

    fill()
    in_threads(change, write, write)


def test_types_can_be_registered_while_others_decode():
    table = OpenTypes("TABLE", {"2.999.1": int})

    class Typed(Sequence):
        kind: ObjectIdentifier
        value: Annotated[Any, DefinedBy("kind", table)]

    octets = [Typed(kind=f"2.999.{n}", value=Point(x=n, y=n).encode() if n > 1 else 1).encode() for n in range(1, 200)]

    def register(part: int) -> Callable[[], None]:
        def run() -> None:
            for n in range(2 + part, 200, 2):
                table.register(f"2.999.{n}", Point)

        return run

    def decode() -> None:
        for _ in range(3):
            for n, each in enumerate(octets, 1):
                value = Typed.decode(each).value
                assert value == 1 if n == 1 else isinstance(value, (derlib.TLV, Point))

    in_threads(register(0), register(1), decode, decode)
    assert all(isinstance(Typed.decode(each).value, Point) for each in octets[1:])


def test_a_type_can_be_replaced_while_others_read_values_of_it():
    table = OpenTypes("TABLE", {"2.999.1": int})

    class Typed(Sequence):
        kind: ObjectIdentifier
        value: Annotated[Any, DefinedBy("kind", table)]

    octets = Typed(kind="2.999.1", value=5).encode()
    done: list[bool] = []

    def replace() -> None:
        try:
            for _ in range(2 * TIMES):
                table.register("2.999.1", Point, on_mismatch="opaque")
                table.register("2.999.1", SequenceOf[Point], on_mismatch="error")
                table.register("2.999.1", int)
        finally:
            done.append(True)

    def read() -> None:
        while not done:
            with contextlib.suppress(ASN1Error):
                typed = Typed.decode(octets)
                # Each read is by one of the types, and the element is an INTEGER.
                for value in (typed.value, typed.value, Typed.decode(octets, tolerate=Deviation.OPEN_TYPE).value):
                    assert value == 5 or (isinstance(value, TLV) and value.value == 5)
                assert typed.replace().encode() == octets

    in_threads(replace, read, read)
    assert Typed.decode(octets).value == 5


def test_an_iterator_over_sequences_gives_each_thread_whole_elements():
    points = SequenceOf[Point]([{"x": n, "y": n << n % 40} for n in range(4000)])
    known = {(n, n << n % 40) for n in range(4000)}
    for _ in range(3):
        iterator = iter(points)
        seen: list[tuple[int, int]] = []

        def walk(iterator: Any = iterator, seen: list[tuple[int, int]] = seen) -> None:
            for point in iterator:
                assert Point.decode(point.encode()) == point
                seen.append((point.x, point.y))

        in_threads(*[walk] * 4)
        assert set(seen) == known


def test_an_iterator_that_threads_share_gives_each_element_of_the_list_and_no_others():
    octets = SequenceOf[bytes]([bytes([n % 251]) * (n % 200) for n in range(4000)])
    known = set(octets)
    iterator = iter(octets)
    seen: list[bytes] = []

    def walk() -> None:
        for each in iterator:
            seen.append(each)

    in_threads(*[walk] * 4)
    assert set(seen) == known


def test_threads_can_index_one_list_at_the_same_time():
    for _ in range(5):
        points = SequenceOf[Point]([{"x": n, "y": n % 7} for n in range(500)])

        def look(points: Any = points) -> None:
            assert points.index_by("x").find(499).x == 499
            assert points.find_by("x", 499).x == 499
            assert len(points.index_by("y").find_all(3)) == 71
            assert points[-1].x == 499
            assert len(points) == 500

        in_threads(*[look] * 4)


def test_attributes_are_read_while_their_class_changes():
    class Changing(Sequence):
        first: int
        second: str

    view = Changing(first=2**65, second="text")
    reader = vars(Changing)["first"]

    def change() -> None:
        for _ in range(5 * TIMES):
            Changing.first = property(lambda self: -1)  # type: ignore[assignment,method-assign]
            Changing.other = 5  # type: ignore[attr-defined]
            Changing.first = reader
            del Changing.other  # type: ignore[attr-defined]

    def read() -> None:
        for _ in range(20 * TIMES):
            assert view.first in (2**65, -1)
            assert view.second == "text"

    in_threads(change, read, read)
    assert view.first == 2**65


def test_the_plan_of_a_class_can_be_replaced_while_others_decode():
    class Replaced(Sequence):
        number: int

    numbers = Replaced.decode(bytes.fromhex("3003020105"))
    own = Replaced.__plan__
    done: list[bool] = []

    def replace() -> None:
        try:
            for _ in range(TIMES):
                # Nothing else refers to this class and its plan, so they are freed when the plan is replaced again.
                class Texts(Sequence):
                    text: str

                Replaced.__plan__ = Texts.__plan__
                del Texts
                Replaced.__plan__ = own
        finally:
            done.append(True)

    def decode() -> None:
        while not done:
            for octets in (bytes.fromhex("3003020105"), bytes.fromhex("30030c0161")):
                for way in (Replaced.decode, lambda octets: derlib.decode(Replaced, octets)):
                    with contextlib.suppress(ASN1Error):
                        value: Any = way(octets)
                        # Each value is by one of the plans, and has its class.
                        read = value.number if type(value) is Replaced else value.text
                        assert read == (5 if octets[2] == 2 else "a")
                        # A TypeError says that the class has another plan now.
                        with contextlib.suppress(TypeError):
                            assert value.encode() == octets

    def build() -> None:
        while not done:
            with contextlib.suppress(ASN1Error, TypeError):
                assert Replaced.from_native({"number": 5}).number == 5
            with contextlib.suppress(ASN1Error, TypeError):
                assert Replaced(number=5).encode() == bytes.fromhex("3003020105")
            with contextlib.suppress(ASN1Error, TypeError):
                assert numbers.replace(number=6).number == 6
            with contextlib.suppress(TypeError):
                assert numbers.encode() == bytes.fromhex("3003020105")
            assert numbers.number == 5

    in_threads(replace, decode, decode, build)
    assert Replaced.decode(bytes.fromhex("3003020105")) == numbers
    with pytest.raises(ASN1Error):
        Replaced.decode(bytes.fromhex("30030c0161"))


@pytest.mark.parametrize(
    ("cls", "value"),
    [(ObjectIdentifier, "2.999.1"), (RelativeOID, "8571.1"), (BitString, b"\x01\x80")],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_value_is_filled_once_however_many_threads_try(cls, value):
    for _ in range(TIMES):
        empty = cls.__new__(cls)
        done: list[bool] = []

        def fill(empty: Any = empty, done: list[bool] = done) -> None:
            with contextlib.suppress(TypeError):
                empty.__init__(value)
                done.append(True)

        in_threads(fill, fill)
        assert done == [True]
        assert empty == cls(value)


def test_a_view_is_filled_once_however_many_threads_try():
    for cls, given in ((Point, {"x": 1, "y": 2}), (Arms, {"text": "a"})):
        for _ in range(TIMES):
            empty = cls.__new__(cls)
            done: list[bool] = []

            def fill(empty: Any = empty, done: list[bool] = done, given: dict[str, Any] = given) -> None:
                with contextlib.suppress(TypeError):
                    empty.__init__(**given)
                    done.append(True)

            in_threads(fill, fill)
            assert done == [True]
            assert empty == cls(**given)


def test_a_view_that_another_thread_fills_is_empty_or_complete():
    for cls, given, attribute in ((Point, {"x": 1, "y": 2}, "y"), (Arms, {"text": "a"}, "text")):
        value = cls(**given)
        wanted = getattr(value, attribute)
        for _ in range(TIMES):
            empty = cls.__new__(cls)

            def fill(empty: Any = empty, given: dict[str, Any] = given) -> None:
                empty.__init__(**given)

            def read(empty: Any = empty, attribute: str = attribute, expected: Any = (wanted, value)) -> None:
                for _ in range(3):
                    with contextlib.suppress(TypeError):
                        assert getattr(empty, attribute) == expected[0]
                    with contextlib.suppress(TypeError):
                        assert derlib.decode(type(empty), empty.encode()) == expected[1]

            in_threads(fill, read, read)
            assert empty == value


def test_threads_can_describe_one_value_at_the_same_time():
    holder = Holder(points=[{"x": n, "y": n} for n in range(300)], texts=["a", "b"], point={"x": 1, "y": 2},
                    arms={"number": 5})
    octets = holder.encode()
    padded = bytes.fromhex("3008 0202 0001 0202 0002")
    for _ in range(20):
        value, lax = Holder.decode(octets), Point.decode(padded, tolerate=Deviation.INTEGER_PADDING)
        tree = derlib.parse(octets)
        seen: list[Any] = []

        def describe(value: Any = value, lax: Any = lax, tree: Any = tree, seen: list[Any] = seen) -> None:
            seen.append((
                [each.path for each in lax.deviations], value.points.span(299, "y"), hash(value), repr(value),
                value.to_json(), value == Holder.decode(octets), [each.span for each in tree.walk()][-1],
                pickle.loads(pickle.dumps(value)).encode(),
            ))

        in_threads(*[describe] * 4)
        assert seen == [seen[0]] * 4


def test_code_of_an_arc_cannot_initialize_the_object_identifier_again():
    for cls in (ObjectIdentifier, RelativeOID):
        made = cls.__new__(cls)

        def arcs(made: Any = made) -> Any:
            made.__init__("2.5.4.3")
            yield from (2, 999)

        with pytest.raises(TypeError, match="is immutable"):
            made.__init__(arcs())
        assert made.dotted == "2.5.4.3"


def test_threads_can_create_and_free_many_values():
    holder = {
        "points": [Point(x=n, y=-n) for n in range(30)],
        "texts": ["b", "a"],
        "point": {"x": 0, "y": 0},
        "arms": {"number": 5},
    }
    octets = derlib.encode(holder, Holder)

    def work() -> None:
        value = Holder.decode(octets, limits=Limits(depth=10))
        assert [point.y for point in value.points] == [-n for n in range(30)]
        assert value.replace(last=b"x").last == b"x"
        assert value.arms.value == 5
        assert Holder(**holder).encode() == octets
        assert derlib.parse(octets).children[1].encode() == value.texts.encode()
        assert NULL is derlib.decode(type(NULL), b"\x05\x00")

    in_threads(*[repeated(work)] * 4)
