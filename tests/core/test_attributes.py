"""Reading fields as attributes: the fast path returns what Python's look-up returns, whatever happens to the class."""

import gc
import sys
import types
from typing import Annotated, Any

import pytest

import derlib
from derlib import Field, Implicit, Sequence, SequenceOf, Set, _core, errors


class Inner(Sequence):
    """A nested SEQUENCE."""

    number: int


class Message(Sequence):
    """Fields of several kinds."""

    title: str
    inner: Inner
    flag: bool = False
    note: bytes | None = None
    last: int


OCTETS = bytes.fromhex("300c 0c0161 3003020105 020107".replace(" ", ""))
OCTETS = OCTETS[:1] + bytes([len(OCTETS) - 2]) + OCTETS[2:]
VALUES = {"title": "a", "inner": Inner(number=5), "flag": False, "note": None, "last": 7}


@pytest.mark.parametrize("order", [list(VALUES), list(reversed(VALUES)), ["last", "title", "last", "note", "inner"]])
def test_fields_are_read_in_any_order(order: list[str]) -> None:
    message = Message.decode(OCTETS)
    for _ in range(3):
        assert [getattr(message, name) for name in order] == [VALUES[name] for name in order]


def test_each_field_is_found_after_any_other() -> None:
    long = Message(title="x" * 300, inner=Inner(number=1), note=b"y" * 200, last=3)
    for first in VALUES:
        for second in VALUES:
            message = Message.decode(long.encode())
            assert getattr(message, first) == getattr(long, first)
            assert getattr(message, second) == getattr(long, second)
            assert (message.title, message.flag, message.last) == ("x" * 300, False, 3)


def test_a_name_that_is_another_object_is_the_same_name() -> None:
    name = "".join(["ti", "tle"])
    assert getattr(Message.decode(OCTETS), name) == "a"


def test_a_replaced_class_attribute_is_returned_instead_of_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    message = Message.decode(OCTETS)
    assert (message.title, message.last) == ("a", 7)
    with monkeypatch.context() as patch:
        patch.setattr(Message, "title", property(lambda self: "another"))
        assert (message.title, message.last) == ("another", 7)
    assert (message.title, message.last) == ("a", 7)


def test_a_subclass_can_hide_a_field_of_its_base() -> None:
    class Loud(Message):
        @property
        def loud(self) -> str:
            return self.title.upper()

    loud = Loud.decode(OCTETS)
    assert (loud.loud, loud.title) == ("A", "a")
    setattr(Loud, "title", property(lambda self: "hidden"))  # noqa: B010
    assert (loud.loud, loud.title, loud.last) == ("HIDDEN", "hidden", 7)
    assert Message.decode(OCTETS).title == "a"


def test_a_class_may_have_getattr_and_getattribute() -> None:
    class Open(Message):
        def __getattr__(self, name: str) -> Any:
            return f"no {name}"

    class Watched(Message):
        def __getattribute__(self, name: str) -> Any:
            return ("seen", super().__getattribute__(name))

    opened: Any = Open.decode(OCTETS)
    assert (opened.title, opened.absent) == ("a", "no absent")
    assert Watched.decode(OCTETS).last == ("seen", 7)


def test_getattr_that_is_added_later_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    message: Any = Message.decode(OCTETS)
    assert message.title == "a"
    with pytest.raises(AttributeError, match="absent"):
        _ = message.absent
    with monkeypatch.context() as patch:
        patch.setattr(Message, "__getattr__", lambda self, name: f"no {name}", raising=False)
        assert (message.title, message.absent) == ("a", "no absent")
    with pytest.raises(AttributeError, match="absent"):
        _ = message.absent
    assert message.title == "a"


def test_an_empty_view_has_no_fields() -> None:
    with pytest.raises(TypeError, match="title"):
        _ = Message.__new__(Message).title


def test_a_view_that_is_not_of_a_schema_class_has_no_parts() -> None:
    view = _core.View.__new__(_core.View)
    for look in (lambda: view.span("x"), lambda: view.raw(0), lambda: view.span(), lambda: view.deviations):
        with pytest.raises(TypeError, match="this View has no value"):
            look()


def test_members_of_a_set_and_of_an_extensible_sequence_are_read_by_their_tags() -> None:
    class Members(Set):
        text: str
        number: int

    class Growing(Sequence, extensible=True):
        number: int
        text: str | None = None

    members = Members(text="a", number=1)
    assert [(members.text, members.number) for _ in range(3)] == [("a", 1)] * 3
    growing = Growing.decode(bytes.fromhex("3009 020101 0c0161 800100".replace(" ", "")))
    assert [(growing.text, growing.number) for _ in range(3)] == [("a", 1)] * 3


def test_a_class_can_define_how_its_views_are_freed() -> None:
    kept: list[Any] = []

    class Lasting(Sequence):
        number: int

        def __del__(self) -> None:
            kept.append(self)

    class Lists(SequenceOf[int]):
        def __del__(self) -> None:
            kept.append(self)

    Lasting.decode(bytes.fromhex("3003020105"))
    Lists.decode(bytes.fromhex("3003020106"))
    gc.collect()
    assert [kept[0].number, kept[1][0]] == [5, 6]


def test_views_do_not_leak_references() -> None:
    octets = bytes(bytearray(OCTETS))
    before = sys.getrefcount(octets), sys.getrefcount(Message), sys.getrefcount(Message.__plan__)
    for _ in range(200):
        message = Message.decode(octets)
        assert message.inner.number == 5
        assert message.title == "a"
        del message
    after = sys.getrefcount(octets), sys.getrefcount(Message), sys.getrefcount(Message.__plan__)
    assert after == before


def test_a_view_keeps_its_class() -> None:
    def made() -> Any:
        class Passing(Sequence):
            x: int

        return Passing.decode(bytes.fromhex("3003020101"))

    views = [made() for _ in range(40)]
    gc.collect()
    assert [view.x for view in views] == [1] * 40


def test_a_slice_of_a_whole_list_equals_its_elements() -> None:
    class Inners(SequenceOf[Inner]):
        pass

    inners = Inners([{"number": i} for i in range(40)])
    assert inners[:] == tuple(inners) == tuple(inners[i] for i in range(40))
    with pytest.raises(TypeError, match="has no value"):
        _ = Inners.__new__(Inners)[:]


@pytest.mark.parametrize("text", ["é", "éé", "aé", "abcdefgé", "abcdefghé" * 3, "é" * 9 + "x", "€uro", "aß€😀" * 5])
def test_non_ascii_strings_are_validated_and_read(text: str) -> None:
    octets = text.encode()
    assert SequenceOf[str].decode(SequenceOf[str]([text]).encode())[0] == text
    for at in range(len(octets)):
        for octet in (0x80, 0xC0, 0xC1, 0xC3, 0xF5, 0xFF, 0x41):
            wrong = octets[:at] + bytes([octet]) + octets[at + 1 :]
            encoding = bytes([0x30, len(wrong) + 2, 0x0C, len(wrong)]) + wrong
            try:
                expected = wrong.decode()
            except UnicodeDecodeError:
                with pytest.raises(errors.ContentsError):
                    SequenceOf[str].decode(encoding)
            else:
                assert SequenceOf[str].decode(encoding)[0] == expected


@pytest.mark.parametrize("base", [_core.SequenceView, _core.ListView])
def test_a_class_of_the_core_itself_is_not_prepared(base: type) -> None:
    count = sys.getrefcount(base)
    with pytest.raises(TypeError, match="class statement"):
        _core.prepare_class(base)
    for _ in range(5):
        base.__new__(base)
    assert sys.getrefcount(base) == count


def numbered(number: int) -> Any:
    """Return a new class whose only field has a tag of this number."""
    return types.new_class("Numbered", (Sequence,), {"fields": [Field("number", Annotated[int, Implicit(number)])]})


def test_each_of_many_classes_is_decoded_by_its_own_plan() -> None:
    classes = [numbered(number) for number in range(100)]
    for _ in range(3):
        for number, cls in enumerate(classes):
            octets = derlib.encode({"number": 5}, cls)
            assert type(cls.decode(octets)) is cls
            with pytest.raises(errors.DecodeError):
                classes[number - 1].decode(octets)


def test_a_class_that_ends_leaves_no_plan_for_a_later_one() -> None:
    for number in range(300):
        cls = numbered(number % 7)
        assert cls.decode(derlib.encode({"number": number}, cls)).number == number
        del cls
        gc.collect(0)


def test_a_changed_plan_of_a_class_is_used_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = numbered(1), numbered(2)
    one, two = (derlib.encode({"number": 5}, cls) for cls in (first, second))
    for _ in range(3):
        assert first.decode(one).number == 5
    with monkeypatch.context() as patch:
        patch.setattr(first, "__plan__", second.__plan__)
        for _ in range(3):
            assert type(first.decode(two)) is second
            with pytest.raises(errors.DecodeError):
                first.decode(one)
    assert type(first.decode(one)) is first
    derived: Any = types.new_class("Derived", (first,), {})
    for _ in range(3):
        assert derived.decode(one).number == 5
