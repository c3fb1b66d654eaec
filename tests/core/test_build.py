"""Building values: each invalid value is rejected, and the result is always DER."""

import copy
import io
import random
import types
from datetime import datetime, timedelta, timezone, tzinfo
from http import HTTPStatus
from typing import Annotated, Any

import pytest
from support.threads import FREE_THREADED

import derlib
from derlib import (
    NULL,
    BitString,
    BMPString,
    Choice,
    ConstraintError,
    DefinedBy,
    EncodeError,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    NamedBits,
    Null,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    PrintableString,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
    UTF8String,
    VisibleString,
)
from derlib._core import Kind


class Colour(derlib.Enumerated):
    red = 0
    green = 1


class Usage(NamedBits):
    sign = 1 << 0


class Pair(Sequence):
    x: int
    y: Annotated[int, Range(0, 9)] = 0


class Bag(Set):
    a: Annotated[int, Implicit(5)]
    b: Annotated[int, Implicit(2)]


class Arms(Choice):
    number: int
    pair: Pair


TYPED = OpenTypes("TYPED", {"2.999.1": int, "2.999.2": OctetString})


class Message(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, DefinedBy("kind", TYPED)]


class Envelope(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, OctetString, DefinedBy("kind", TYPED)]


class Attribute(Sequence):
    kind: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("kind", TYPED)]]


UTC = timezone.utc
# A type, a value that is invalid for it, the path to the fault, and a word of the message.
REFUSED = [
    (bool, 1, (), "expected bool for BOOLEAN, got int$"),
    (int, True, (), "expected int for INTEGER, got bool$"),
    (int, 1.0, (), "int"),
    (int, "1", (), "int"),
    (Annotated[int, Range(0, 9)], 10, (), "0..9"),
    (Annotated[int, Range(0, 9)], -(2**100), (), "0..9"),
    (Annotated[int, Range(0, 9)], 10**4000, (), r"INTEGER 0x\w+\.\.\. \(13288 bits\) is outside"),
    (Colour, 52, (), "^52 is not an item of Colour"),
    (Colour, 2**3000, (), r"^0x1000.*\(3001 bits\) is not an item of Colour"),
    (Colour, "blue", (), "no item 'blue'; it has red, green$"),
    (Usage, -1, (), r"expected members joined by \| for Usage, got -1$"),
    (Usage, ["other"], (), "no bit 'other'; it has sign$"),
    (Usage, [2**40], (), "below 1024"),
    (bytes, "ab", (), "expected bytes for OCTET STRING, got str$"),
    (Annotated[bytes, Size(2)], b"a", (), "SIZE"),
    (BitString, "012", (), "expected a str of 0 and 1 for BIT STRING, got '012'$"),
    (BitString, 5, (), "expected BitString, bytes or str for BIT STRING, got int$"),
    (Annotated[BitString, Size(4)], "101", (), "SIZE"),
    (Null, None, (), "expected derlib.NULL for NULL, got NoneType$"),
    (ObjectIdentifier, "1", (), "two arcs"),
    (ObjectIdentifier, "1.2.x", (), "dotted"),
    (ObjectIdentifier, 5, (), "expected ObjectIdentifier or str for OBJECT IDENTIFIER, got int$"),
    (str, b"ab", (), "expected str for UTF8String, got bytes$"),
    (str, "\ud800", (), "character at 0"),
    (PrintableString, "a@b", (), "PrintableString"),
    (NumericString, "1a", (), "NumericString"),
    (IA5String, "é", (), "character at 0"),
    (VisibleString, "\n", (), "VisibleString"),
    (BMPString, "\U0001f600", (), "BMPString"),
    (Annotated[str, Size(1, 2)], "", (), "SIZE"),
    (UTCTime, datetime(2026, 1, 1), (), r"expected a datetime with tzinfo for UTCTime, got datetime\.datetime\(2026"),
    (UTCTime, datetime(2050, 1, 1, tzinfo=UTC), (), "1950 to 2049"),
    (UTCTime, datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC), (), "whole seconds"),
    (UTCTime, "2601010000Z", (), "UTCTime"),
    (UTCTime, "260101000000+0100", (), "UTCTime"),
    (UTCTime, "260230000000Z", (), "UTCTime"),
    (UTCTime, "20260101000000Z", (), "UTCTime"),
    (UTCTime, "26010100000\N{FULLWIDTH DIGIT ZERO}Z", (), "UTCTime"),
    (UTCTime, b"260101000000Z", (), "expected datetime or str for UTCTime, got bytes$"),
    (GeneralizedTime, "20260230000000Z", (), "GeneralizedTime"),
    (GeneralizedTime, "20260101000000.50Z", (), "GeneralizedTime"),
    (SequenceOf[int], 5, (), "list"),
    (SequenceOf[int], "12", (), "list"),
    (SequenceOf[int], {"a": 1}, (), "list"),
    (SequenceOf[int], [1, "2"], (1,), "int"),
    (Annotated[SetOf[int], Size(1, None)], [], (), "SIZE"),
    (Pair, {}, ("x",), "missing"),
    (Pair, {"x": 1, "z": 2}, (), "no field 'z'"),
    (Pair, {"x": 1, "y": 10}, ("y",), "0..9"),
    (Pair, Bag(a=1, b=2), (), "Pair"),
    (SequenceOf[Pair], [{"x": 1}, {"x": "1"}], (1, "x"), "int"),
    (Arms, {}, (), "alternatives"),
    (Arms, {"number": 1, "pair": {"x": 1}}, (), "alternatives"),
    (Arms, {"other": 1}, (), "no alternative 'other'"),
    (Arms, 5, (), "expected Arms or dict for Arms, got int"),
    (SequenceOf[Pair], [5], (0,), "expected Pair or dict for Pair, got int"),
    (Arms, {"pair": {"x": None}}, ("pair", "x"), "missing"),
    (int | str, b"", (), "no alternative"),
    (derlib.TLV, 5, (), "expected bytes, TLV or a decoded or built value for ANY, got int$"),
    (derlib.TLV, b"", (), "octets"),
    (derlib.TLV, b"\x05\x00\x00", (), "follow the end"),
    (derlib.TLV, bytes.fromhex("02020001"), (), "minimal"),
    (Message, {"kind": "2.999.1", "content": b"x"}, ("content",), "int"),
    (Message, {"kind": "2.999.1", "content": derlib.parse(b"\x05\x00")}, ("content",), "INTEGER"),
    (Message, {"kind": "2.999.9", "content": 5}, ("content",), "TLV"),
    (Envelope, {"kind": "2.999.1", "content": {"$opaque": b"x"}}, ("content",), "value of INTEGER, got contents given"),
    (Annotated[Pair, Explicit(3)], {"x": "1"}, ("x",), "int"),
]


@pytest.mark.parametrize(("hint", "value", "path", "words"), REFUSED, ids=lambda value: ascii(value)[:40])
def test_an_invalid_value_is_rejected(hint, value, path, words):
    with pytest.raises(ConstraintError, match=words) as caught:
        derlib.encode(value, hint)
    assert caught.value.path == path


@pytest.mark.parametrize("call", [lambda: SequenceOf[int](1, 2), lambda: SequenceOf[int](elements=[1])])
def test_a_list_takes_its_elements_as_one_iterable(call):
    with pytest.raises(TypeError, match=r"one iterable: SequenceOf\[int\]\(\[...\]\)"):
        call()


def test_the_message_about_an_enumeration_of_many_items_is_bounded():
    many = derlib.Enumerated("Many", {f"item{number}": number for number in range(100)})
    with pytest.raises(ConstraintError, match=r"item15, \.\.\.$"):
        derlib.encode("other", many)


def test_members_of_a_set_and_elements_of_a_set_of_are_put_in_order():
    assert Bag(a=1, b=2).encode().hex() == "3106820102850101"
    numbers = [1, 300, -1, 0, 2**70]
    random.Random(1).shuffle(numbers)
    assert derlib.encode(numbers, SetOf[int]) == derlib.encode(sorted(numbers), SetOf[int])
    assert derlib.encode(numbers, SetOf[int])[2:].hex() == "0201000201010201ff0202012c0209400000000000000000"


def test_a_value_equal_to_its_default_is_not_encoded():
    assert Pair(x=1, y=0) == Pair(x=1)
    assert Pair(x=1, y=0).encode().hex() == "3003020101"


def test_after_an_invalid_object_identifier_the_next_alternative_is_tried():
    # This raised an EncodeError, because the alternatives were tried without catching it.
    assert derlib.encode("hello", ObjectIdentifier | BMPString)[:2].hex() == "1e0a"


class Nest(SequenceOf["Nest"]):
    pass


def test_deep_values_are_rejected_before_the_stack_overflows():
    # This was a segmentation fault, because the recursion in C was not bounded.
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    endless: list[Any] = []
    endless.append(endless)
    for value in (deep, endless):
        with pytest.raises(EncodeError, match="nested"):
            Nest(value)
    fits: list[Any] = []
    for _ in range(99):
        fits = [fits]
    assert Nest.decode(Nest(fits).encode()) == Nest(fits)


def test_a_failed_alternative_does_not_use_up_depth():
    hint = SequenceOf[SequenceOf[int] | bytes]
    assert len(derlib.decode(hint, derlib.encode([b""] * 300, hint))) == 300


def test_a_large_list_of_open_values_is_validated_again_with_another_selector():
    # The result was not DER of the class, because large copies were trusted whatever selected their types.
    values = Attribute(kind="2.999.2", values=[b"x" * 70_000]).values
    with pytest.raises(ConstraintError, match="expected INTEGER, found OCTET STRING"):
        Attribute(kind="2.999.1", values=values)


def test_a_large_value_from_before_a_registration_is_validated_again():
    table = OpenTypes("LATE")

    class Late(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", table)]

    class Outer(Sequence):
        late: Late

    late = Late(kind="2.999.1", content=derlib.encode(b"x" * 70_000, bytes))
    table.register("2.999.1", int)
    with pytest.raises(ConstraintError, match="expected INTEGER, found OCTET STRING"):
        Outer(late=late)


class Scale(derlib.Enumerated):
    small = 0
    large = 1


class Version(derlib.NamedInteger):
    v1 = 0


class Mode(NamedBits):
    read = 1 << 0
    write = 1 << 1


@pytest.mark.parametrize("other", [Scale.large, Version.v1, HTTPStatus.OK, Usage.sign, 1.0, True, None, b"red"])
@pytest.mark.parametrize("type_", [Colour, Version, Mode])
def test_an_item_of_another_enumeration_is_rejected(type_, other):
    if type(other) is type_:
        assert derlib.decode(type_, derlib.encode(other, type_)) is other
        return
    name = type_.__name__
    with pytest.raises(ConstraintError, match=f"^expected {name}.* for {name}, got {type(other).__name__}$"):
        derlib.encode(other, type_)
    # The number alone is accepted, and so is an item of an enumeration for a plain INTEGER.
    if isinstance(other, int) and not isinstance(other, bool) and other < 2 and (type_, int(other)) != (Version, 1):
        assert derlib.decode(type_, derlib.encode(int(other), type_)) == int(other)
        assert derlib.decode(int, derlib.encode(other, int)) == int(other)


def test_listed_bits_are_members_names_or_numbers():
    for bits in (Mode.write, [Mode.write], ["write"], [1], [Mode.write, 1, "write"], (Mode.write,)):
        assert derlib.decode(Mode, derlib.encode(bits, Mode)) is Mode.write
    assert derlib.decode(Mode, derlib.encode([Mode.read | Mode.write], Mode)).names == ("read", "write")
    for wrong in ([Usage.sign], [Colour.red], [True], [-1], [1.0]):
        with pytest.raises(ConstraintError, match=r"a (list of Mode, str or int|bit number below 1024) for Mode"):
            derlib.encode(wrong, Mode)


def test_replace_of_a_choice_selects_the_named_alternative():
    arms = Arms(number=5)
    assert arms.replace(number=6) == Arms(number=6)
    assert arms.replace(pair=Pair(x=1)) == Arms(pair={"x": 1})
    assert arms.replace() is arms
    assert arms == Arms(number=5)
    if hasattr(copy, "replace"):
        assert copy.replace(arms, number=6) == Arms(number=6)
    for wrong in ({"number": 1, "pair": {"x": 1}}, {"other": 1}, {"number": "1"}):
        with pytest.raises(ConstraintError):
            arms.replace(**wrong)
    with pytest.raises(TypeError, match="has no value"):
        Arms.__new__(Arms).replace(number=1)


def test_the_error_for_changing_a_value_names_replace():
    for value, remedy in ((Pair(x=1), "replace"), (Arms(number=5), "replace"), (SetOf[int]([1]), "build another one")):
        with pytest.raises(TypeError, match=f"values are immutable; {remedy}"):
            value.__init__()
    assert not hasattr(SetOf[int]([1]), "replace")


def test_replace_keeps_the_octets_of_an_opaque_mismatch():
    # The opaque bytes were wrapped in another OCTET STRING, because they were taken for a value of the registered type.
    opaque = OpenTypes("OPAQUE", {"2.999.1": OctetString}, on_mismatch="opaque")

    class Held(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, OctetString, DefinedBy("kind", opaque)]
        number: int

    held = Held.decode(bytes.fromhex("300c 0603883701 04020500 020101"))
    assert held.replace(number=2).encode() == bytes.fromhex("300c 0603883701 04020500 020102")


def test_replace_keeps_the_alternative_of_a_choice_in_an_open_type():
    text = OpenTypes("TEXT", {"2.999.1": PrintableString | UTF8String, "2.999.2": PrintableString})

    class Held(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", text)]
        number: int

    class Several(Sequence):
        kind: ObjectIdentifier
        contents: SequenceOf[Annotated[Any, DefinedBy("kind", text)]]

    held = Held.decode(bytes.fromhex("300b 0603883701 0c0141 020101"))
    assert held.replace(number=2).encode() == bytes.fromhex("300b 0603883701 0c0141 020102")
    # A selector that changes can select another type: then the value counts.
    assert held.replace(kind="2.999.2").encode() == bytes.fromhex("300b 0603883702 130141 020101")
    several = Several.decode(bytes.fromhex("300d 0603883701 3006 0c0141 0c0142"))
    changed = several.replace_at("contents[1]", "C")
    assert changed.encode() == bytes.fromhex("300d 0603883701 3006 0c0141 130143")


def test_a_value_of_an_unknown_type_can_be_an_element():
    octets = derlib.encode(Pair(x=1), Pair)
    for value in (octets, bytearray(octets), derlib.parse(octets), Pair(x=1), {"$opaque": octets}):
        assert Message(kind="2.999.9", content=value).raw("content") == octets[2:]
        assert Envelope(kind="2.999.9", content=value).content == octets
    assert Message(kind="2.999.1", content=derlib.parse(b"\x02\x01\x05")).content == 5
    for value in (5, "5", None, [5], {"x": 1}, {"$opaque": 5}):
        for type_ in (Message, Envelope):
            with pytest.raises(ConstraintError) as caught:
                type_(kind="2.999.9", content=value)
            assert caught.value.path[:1] == ("content",)


def test_an_element_that_is_not_of_the_selected_type_goes_to_another_alternative():
    class Either(Sequence):
        kind: ObjectIdentifier
        content: (
            Annotated[Any, DefinedBy("kind", TYPED), Explicit(0)] | Annotated[derlib.TLV, Explicit(1)]
        )

    number, null = derlib.parse(b"\x02\x01\x05"), derlib.parse(b"\x05\x00")
    assert Either(kind="2.999.1", content=number).encode().endswith(bytes.fromhex("a003020105"))
    assert Either(kind="2.999.1", content=null).encode().endswith(bytes.fromhex("a1020500"))


def test_a_selector_with_a_default_selects_when_it_is_left_out():
    class Short(Sequence):
        kind: ObjectIdentifier = ObjectIdentifier("2.999.1")
        content: Annotated[Any, OctetString, DefinedBy("kind", TYPED)]

    short = Short.decode(bytes.fromhex("3005 0403020105"))
    assert short.content == 5
    assert Short(content=5) == short
    assert Short(kind="2.999.1", content=5) == short
    with pytest.raises(derlib.DecodeError):
        Short.decode(bytes.fromhex("3005 0403040105"))


def test_alternatives_of_one_type_have_names_of_their_own():
    hint = Annotated[int, Implicit(0)] | Annotated[int, Implicit(1)]
    assert derlib.encode(5, hint).hex() == "800105"
    assert derlib.encode({"[1] INTEGER": 5}, hint).hex() == "810105"


class Meddler(tzinfo):
    """A time zone whose methods empty the container of the time."""

    def __init__(self, holder):
        self.holder = holder

    def utcoffset(self, _):
        self.holder.clear()
        return timedelta(0)

    def tzname(self, _):
        return "zone"

    def dst(self, _):
        return None


@pytest.mark.parametrize(
    ("hint", "text", "octets"),
    [
        (UTCTime, "240229123456Z", "170d3234303232393132333435365a"),
        (Annotated[UTCTime, OneOf("240229123456Z")], "240229123456Z", "170d3234303232393132333435365a"),
        (GeneralizedTime, "00000229123456.1234567Z", "181730303030303232393132333435362e313233343536375a"),
        (UTCTime | GeneralizedTime, "240229123456Z", "170d3234303232393132333435365a"),
        (UTCTime | GeneralizedTime, "20240229123456Z", "180f32303234303232393132333435365a"),
        # A value that is not a time goes to the alternative that accepts it.
        (UTCTime | str, "240230123456Z", "0c0d3234303233303132333435365a"),
    ],
)
def test_a_time_accepts_the_text_of_its_contents(hint, text, octets):
    assert derlib.encode(text, hint).hex() == octets
    assert SequenceOf[hint]([text]).encode().hex() == f"30{len(octets) // 2:02x}{octets}"


class When(Sequence):
    time: UTCTime
    mark: Null | None = None


def test_a_value_can_empty_its_dict_while_it_is_encoded():
    # This was a segmentation fault, because the name of an unknown field was looked up in an empty dict.
    values = {"mark": NULL}
    values["time"] = datetime(2026, 1, 1, tzinfo=Meddler(values))
    if FREE_THREADED:  # the writer has a copy of the dict
        assert When.decode(derlib.encode(values, When)).mark is NULL
        return
    with pytest.raises(ConstraintError, match="changed"):
        derlib.encode(values, When)


def test_a_value_can_empty_its_list_while_it_is_encoded():
    # Elements were read past the end of the list that had been emptied.
    times = []
    times.extend(datetime(2026, 1, 1, tzinfo=Meddler(times)) for _ in range(1000))
    hint = SequenceOf[UTCTime]
    assert len(derlib.decode(hint, derlib.encode(times, hint))) == 1000


class Defaulted(Sequence):
    numbers: SequenceOf[int] = SequenceOf[int]([0, 1])


class Lists(Set):
    a: Annotated[SequenceOf[int], Implicit(1)]
    b: Annotated[SequenceOf[int], Implicit(0)]


@pytest.mark.parametrize(
    ("hint", "lists", "plain"),
    [
        (Defaulted, lambda: {"numbers": iter([0, 1])}, {"numbers": [0, 1]}),
        (Lists, lambda: {"a": iter(range(5)), "b": iter(range(300))}, {"a": range(5), "b": range(300)}),
        (Nest, lambda: iter([[], [[]]]), [[], [[]]]),
        (
            Attribute,
            lambda: {"kind": "2.999.1", "values": iter([1, 2])},
            {"kind": "2.999.1", "values": [1, 2]},
        ),
    ],
)
def test_streamed_lists_are_encoded_as_lists_in_memory(hint, lists, plain):
    # A default was encoded, and the members of a SET were in the wrong order.
    file = io.BytesIO()
    derlib.encode_to(file, lists(), hint)
    assert file.getvalue() == derlib.encode(plain, hint)


class Small(Sequence):
    number: int
    values: SequenceOf[Annotated[int, Range(0, 10)]]


class Either(Sequence):
    kind: ObjectIdentifier
    values: SequenceOf[int | Annotated[Any, DefinedBy("kind", TYPED), Explicit(0)]]


class Restarting:
    """An iterator whose `__iter__` starts again from the beginning."""

    def __init__(self) -> None:
        self.asked = 0

    def __iter__(self) -> Any:
        self.asked += 1
        # Without this, a loop that takes a new iterator for each chunk would not end.
        return iter(range(5) if self.asked == 1 else ())

    def __next__(self) -> int:
        return 7


def test_iter_is_called_once_for_a_streamed_list():
    # A new iterator was taken for each chunk, so the first chunk was written until the disk was full.
    values, file = Restarting(), io.BytesIO()
    derlib.encode_to(file, values, SequenceOf[int])
    assert values.asked == 1
    assert file.getvalue() == SequenceOf[int](range(5)).encode()


def test_an_error_in_a_stream_has_the_whole_path():
    file = io.BytesIO()
    with pytest.raises(ConstraintError, match=r"^values\[5000\]: INTEGER 11 is outside"):
        derlib.encode_to(file, {"number": 1, "values": iter([1] * 5000 + [11])}, Small)
    with pytest.raises(ConstraintError, match=r"^\[2\]: INTEGER 11 is outside"):
        derlib.encode_to(file, iter([1, 2, 11]), SequenceOf[Annotated[int, Range(0, 10)]])
    assert file.getvalue() == b""


def test_a_list_that_a_field_around_it_selects_is_streamed_in_a_union_too():
    file = io.BytesIO()
    derlib.encode_to(file, {"kind": "2.999.1", "values": iter([1, 2])}, Either)
    assert list(Either.decode(file.getvalue()).values) == [1, 2]


class Sink:
    """A writer that, unlike Python's files, does not return how much it wrote."""

    octets = b""

    def write(self, octets: bytes) -> None:
        self.octets += octets


def test_a_value_of_a_class_needs_no_type_to_be_written_to_a_file():
    value = Small(number=1, values=[2, 3])
    for file in (io.BytesIO(), Sink()):
        assert derlib.encode_to(file, value) == len(value.encode())
        assert (file.octets if isinstance(file, Sink) else file.getvalue()) == value.encode()
    with pytest.raises(TypeError, match=r"pass the type: encode_to\(file, value, type\)"):
        derlib.encode_to(io.BytesIO(), 5)


class Mixed(Sequence):
    number: Annotated[int, Implicit(0)] = 1
    value: int | bytes


def test_a_lookup_distinguishes_tags_and_finds_defaults():
    rows = SequenceOf[Mixed]([{"value": 5}, {"number": 2, "value": b"\x05"}, {"value": 5}])
    by_value = rows.index_by("value")
    assert by_value.find(5) == rows[0]
    assert by_value.find(b"\x05") == rows[1]
    assert by_value.find_all(5) == (rows[0], rows[2])
    assert rows.index_by("number").find_all(1) == (rows[0], rows[2])


class And(Sequence):
    both: Annotated[SequenceOf["Filter"], Implicit(0)]
    mark: int


class Or(Sequence):
    either: Annotated[SequenceOf["Filter"], Implicit(1)]
    mark: bool


class Filter(Sequence):
    of: "Annotated[And, Implicit(0)] | Annotated[Or, Implicit(1)] | int"


class Count:
    """An empty list that counts how often it is iterated."""

    looks = 0

    def __iter__(self):
        self.looks += 1
        return iter(())


def test_constructed_values_are_not_tried_with_each_alternative():
    innermost = Count()
    value = {"of": {"both": innermost, "mark": 0}}
    for _ in range(20):
        value = {"of": {"both": [value], "mark": 0}}
    assert len(derlib.encode(value, Filter)) > 100
    assert innermost.looks == 1
    with pytest.raises(ConstraintError, match=r"no alternative of .* accepts this dict"):
        derlib.encode({"of": {"both": [], "mark": 0, "more": 1}}, Filter)


def test_a_value_that_fits_several_constructed_alternatives_needs_a_name():
    either = SequenceOf[int] | SetOf[int]
    with pytest.raises(ConstraintError, match=r"fits SequenceOf\[int\] and SetOf\[int\] of .*; name one: "):
        derlib.encode([1], either)
    assert derlib.encode({"SetOf[int]": [1]}, either).hex() == "3103020101"
    assert derlib.encode(SetOf[int]([1]), either).hex() == "3103020101"
    assert derlib.encode({"x": 1}, Pair | SetOf[int]).hex() == "3003020101"
    assert derlib.encode(iter([1]), Pair | SetOf[int]).hex() == "3103020101"


Lists = Annotated[SequenceOf[int], Explicit(0)] | Annotated[SequenceOf[bytes], Explicit(1)]


Same = Annotated[SequenceOf[int], Explicit(0)] | Annotated[SequenceOf[int], Explicit(1)]
Alike = Annotated[SequenceOf[int], Implicit(0)] | Annotated[SequenceOf[int], Implicit(1)]


class Having(Sequence):
    numbers: SequenceOf[int]


class Holder(Sequence):
    plain: Lists | None = None
    tagged: Annotated[Lists, Explicit(7)] | None = None


@pytest.mark.parametrize(
    ("type_", "octets"),
    [
        (Lists, "a005 3003 020101"),
        (Lists, "a105 3003 040101"),
        (Annotated[Lists, Explicit(0)], "a007 a105 3003 040101"),
        (Annotated[Lists, Explicit(0)] | Annotated[SequenceOf[bool], Explicit(1)], "a007 a105 3003 040101"),
        (Annotated[Lists, Explicit(0)] | Annotated[SequenceOf[bool], Explicit(1)], "a105 3003 0101ff"),
        (Annotated[SetOf[int], Explicit(0)] | Annotated[SequenceOf[int], Explicit(1)], "a105 3003 020101"),
        (Annotated[Pair, Explicit(0)] | Annotated[SequenceOf[int], Explicit(1)], "a005 3003 020101"),
        (Annotated[Lists, Explicit(2)] | SequenceOf[int], "3003 020101"),
        (Same, "a005 3003 020101"),
        (Same, "a105 3003 020101"),
        (Alike, "a103 020101"),
        (Annotated[Alike, Explicit(0)], "a005 a103 020101"),
        (Annotated[Same, Explicit(2)] | Annotated[SequenceOf[int], Explicit(3)], "a207 a105 3003 020101"),
        (Annotated[SequenceOf[int], Explicit(3)] | Annotated[Same, Explicit(2)], "a207 a105 3003 020101"),
    ],
)
def test_a_union_accepts_its_own_decoded_values_without_a_name(type_: Any, octets: str):
    value = derlib.decode(type_, bytes.fromhex(octets))
    assert derlib.encode(value, type_) == bytes.fromhex(octets)
    assert SequenceOf[type_]([value, value])[1] == value
    with pytest.raises(ConstraintError):
        derlib.encode(SetOf[str](["a"]), type_)


def test_a_value_of_a_union_can_be_used_in_another_field():
    numbers, octets = (derlib.decode(Lists, bytes.fromhex(text)) for text in ("a0053003020101", "a1053003040101"))
    holder = Holder(plain=octets, tagged=numbers)
    assert holder.encode().hex() == "3010" "a1053003040101" "a707a0053003020101"
    assert Holder(plain=holder.tagged, tagged=holder.plain).encode().hex() == (
        "3010" "a0053003020101" "a707a1053003040101"
    )
    assert derlib.encode(SequenceOf[int]([1]), Lists).hex() == "a0053003020101"


@pytest.mark.parametrize(
    ("value", "type_", "octets"),
    [
        # Tags of other types are not names.
        ((Annotated[SequenceOf[bytes], Implicit(0)], "a003 040101"),
         Annotated[SequenceOf[int], Implicit(0)] | Annotated[SequenceOf[bytes], Implicit(1)], "a103 040101"),
        ((Annotated[Annotated[SequenceOf[int], Explicit(2)], Explicit(0)], "a007 a205 3003 020101"),
         Annotated[SequenceOf[int], Explicit(3)] | Annotated[Annotated[SequenceOf[int], Explicit(1)], Explicit(0)],
         "a305 3003 020101"),
        # Values that were built have only the tag of their class.
        ((SequenceOf[bytes], "3003 040101"), Annotated[Lists, Explicit(2)] | SequenceOf[int], "a207 a105 3003 040101"),
        ((SequenceOf[int], "3003 020101"), Annotated[Having, Explicit(0)] | Annotated[SequenceOf[int], Explicit(1)],
         "a105 3003 020101"),
        ((SequenceOf[bool], "3003 0101ff"), Annotated[Lists, Explicit(2)] | Annotated[SequenceOf[bool], Implicit(5)],
         "a503 0101ff"),
    ],
)
def test_a_value_of_another_field_selects_the_alternative_of_its_type(value: Any, type_: Any, octets: str):
    decoded = derlib.decode(value[0], bytes.fromhex(value[1]))
    assert derlib.encode(decoded, type_) == bytes.fromhex(octets)


def test_unions_keep_the_order_in_which_they_are_written():
    assert derlib.encode(b"a", OctetString | BitString).hex() == "040161"
    assert derlib.encode(b"a", BitString | OctetString).hex() == "03020061"
    assert SequenceOf[OctetString | BitString]([b"a"]).encode().hex() == "3003040161"
    assert SequenceOf[BitString | OctetString]([b"a"]).encode().hex() == "300403020061"


def test_an_encoded_list_file_is_not_a_value():
    spool = derlib._core.EncodedListFile(io.BytesIO(), 3, 1, 0)
    for make in (SequenceOf[int], lambda value: derlib.encode(value, SequenceOf[int])):
        with pytest.raises(EncodeError, match="encode_to"):
            make(spool)


class Streams(Set):
    list: SequenceOf[int]
    octets: bytes


class Numbers(SequenceOf[int]):
    pass


def unsealed_list() -> Any:
    plan = derlib._core.Plan(Kind.KIND_EMPTY, "Numbers", 129, Numbers)
    plan.set_element(Kind.KIND_SEQUENCE_OF, Numbers.__plan__.element)
    return plan


# Ways to write an EncodedListFile whose position in the output would be unknown: (write, the plan, the value around
# it).
LOST: list[tuple[Any, Any, Any]] = [
    (derlib._core.encode_plan, unsealed_list, lambda spool: spool),
    (derlib._core.encode_elements, lambda: SequenceOf[Numbers].__plan__, lambda spool: [spool]),
    (derlib._core.encode_pieces, lambda: Streams.__plan__, lambda spool: {"list": spool, "octets": bytes(20000)}),
    (derlib._core.encode_pieces, lambda: SetOf[Numbers].__plan__, lambda spool: [[1], spool, [2]]),
    (derlib._core.encode_pieces, lambda: SetOf[SequenceOf[Numbers]].__plan__, lambda spool: [[[1], spool]]),
]


@pytest.mark.parametrize("count", [0, 1000])
@pytest.mark.parametrize(("write", "plan", "value"), LOST)
def test_an_encoded_list_file_without_a_known_position_is_rejected(write: Any, plan: Any, value: Any, count: int):
    spool = derlib._core.EncodedListFile(io.BytesIO(b"\x02\x01\x05" * count), 3 * count, count, 0)
    with pytest.raises(EncodeError, match="encode_to"):
        write(plan(), value(spool))


def test_an_encoded_list_file_in_a_list_keeps_its_position():
    spool = derlib._core.EncodedListFile(io.BytesIO(b"\x02\x01\x05" * 1000), 3000, 1000, 0)
    pieces, proved = derlib._core.encode_pieces(SequenceOf[Numbers].__plan__, [[1], spool])
    assert (pieces, proved) == ([bytes.fromhex("30820bc1 3003020101 30820bb8"), spool, b""], True)


@pytest.mark.parametrize("base", [Sequence, Set])
def test_a_class_without_fields_rejects_positional_arguments(base: Any):
    empty = types.new_class("Empty", (base,))
    assert empty().encode() == derlib.encode({}, empty)
    for call in (lambda: empty({}), lambda: empty(1, 2), lambda: empty({}, x=1)):
        with pytest.raises(TypeError, match=r"pass fields by name: Empty\(\)"):
            call()
    with pytest.raises(TypeError, match=r"pass fields by name: Pair\(x=\.\.\.\)"):
        Pair(1)


class Wrapped(Sequence, tag=Explicit(0)):
    x: int


def test_positional_arguments_are_rejected_by_any_class():
    # The plan that names the fields can be inside that of an explicit tag, not compiled yet, or missing.
    with pytest.raises(TypeError, match=r"pass fields by name: Wrapped\(x=\.\.\.\)"):
        Wrapped(1)
    with pytest.raises(TypeError, match=r"pass fields by name: Late\(later=\.\.\.\)"):
        Late(1)
    for base in (Sequence, Set):
        with pytest.raises(SchemaError, match="is a base class; derive a class from it"):
            base(1)


class Late(Sequence):
    later: "Later"


class Later(Sequence):
    x: int


def test_fields_are_found_by_their_names_in_any_order():
    assert Pair(y=1, x=2).encode() == Pair(x=2, y=1).encode() == bytes.fromhex("3006020102020101")
    assert Pair(**{"".join(["", "y"]): 1, "".join(["x", ""]): 2}) == Pair(x=2, y=1)
    for call in (lambda: Pair(1, y=2), lambda: Pair(1, 2, x=3)):
        with pytest.raises(TypeError, match="pass fields by name"):
            call()
    for values in ({"y": 1}, {"x": None}, {"x": None, "y": 1}, {"x": 1, "z": 2}, {"x": 1, "y": 2, "z": 3}, {"z": 1}):
        with pytest.raises(ConstraintError):
            Pair(**values)
    assert Pair(x=1, y=None) == Pair(x=1)


def test_a_call_method_that_is_added_to_the_metaclass_is_used():
    class Asking(type(Sequence)):  # type: ignore[misc]
        pass

    class One(Sequence, metaclass=Asking):
        x: int

    assert One(x=1).x == 1
    Asking.__call__ = lambda cls, *args, **values: (cls, args, values)
    assert One(x=1) == (One, (), {"x": 1})
    assert One(5) == (One, (5,), {})
    del Asking.__call__
    assert One(x=1).x == 1


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class OddText(str):
    """A long text that reports other lengths, and cannot be cut or shown."""

    def __len__(self) -> int:
        return 5

    def __getitem__(self, key: Any) -> Any:
        raise RuntimeError("no part")

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


@pytest.mark.parametrize("name", [NoRepr(), OddText("x" * 100)], ids=["object", "str"])
def test_a_repr_that_fails_does_not_replace_the_error(name: Any):
    shown = f"<{type(name).__name__}>"
    for make, error, words in (
        (lambda: Pair.from_native({name: 1}), ConstraintError, f"Pair has no field {shown}"),
        (lambda: SequenceOf[Pair]().find_by(name, 1), SchemaError, f"Pair has no field {shown}"),
        (lambda: SequenceOf[Pair]().index_by(name), SchemaError, f"Pair has no field {shown}"),
        (lambda: Pair(x=1, y=2).raw(name), KeyError, f"{shown} is not a field of Pair"),
        (lambda: SequenceOf[Pair]().span(name), KeyError, f"{shown} is not an index of"),
    ):
        with pytest.raises(error, match=words):
            make()
