"""JSON: lossless in both directions, read by the type; invalid text raises only a ConstraintError."""

import json
import sys
import tracemalloc
from datetime import datetime, timezone
from typing import Annotated, Any

import pytest
from corpus.files import accepted_files
from hypothesis import given
from hypothesis import strategies as st
from support.examples import thorough
from support.generated import encoded_schemas

import derlib
import derlib.json
from derlib import (
    NULL,
    BitString,
    Choice,
    ConstraintError,
    Explicit,
    Field,
    GeneralizedTime,
    Implicit,
    NamedBits,
    NamedInteger,
    Null,
    ObjectIdentifier,
    PrintableString,
    Sequence,
    SequenceOf,
    UTCTime,
    UTF8String,
    _core,
)

MANY = thorough(300)


def test_every_accepted_file_survives_json():
    for item, value in accepted_files():
        assert type(value).from_json(value.to_json()).encode() == item.der, item.name


# JSON is read and written in two ways: the core handles the usual, and derlib/json.py the rest and every error.


def plain_text(value):
    """Return the JSON text as Python's encoder writes it."""
    return json.dumps(_core.native_of(value, True), ensure_ascii=False)


def read_carefully(cls, text):
    """Return the encoding of a JSON value, or the error with its path, without the core's own reader."""
    try:
        return derlib.json._decode_step_by_step(cls.__plan__, text).encode()
    except ConstraintError as error:
        return str(error), error.path


def read_either_way(cls, text):
    """Return the encoding of a JSON value, or the error with its path."""
    try:
        return cls.from_json(text).encode()
    except ConstraintError as error:
        return str(error), error.path


def read_quickly(cls, text):
    """Return the encoding of a JSON value that the core reads on its own, else None."""
    made = derlib.json._decode_valid(cls.__plan__, text)
    return None if made is None else made.encode()


def test_both_ways_agree_on_every_accepted_file():
    quick = 0
    for item, value in accepted_files():
        text = value.to_json()
        assert text == plain_text(value), item.name
        octets = read_quickly(type(value), text)
        assert octets in (None, item.der), item.name
        assert read_carefully(type(value), text) == item.der, item.name
        quick += octets is not None
    assert quick > 0.9 * len(list(accepted_files()))


def refuse(name):
    raise AssertionError(f"{name} is not JSON")


@MANY
@given(encoded_schemas())
def test_both_ways_agree_on_every_value(drawn: tuple[Any, bytes]):
    cls, octets = drawn
    value = cls.decode(octets)
    text = value.to_json()
    assert text == plain_text(value)
    json.loads(text, parse_constant=refuse)
    assert cls.from_json(text).encode() == octets
    assert read_quickly(cls, text) in (None, octets)
    assert read_carefully(cls, text) == octets


@MANY
@given(encoded_schemas(), st.data())
def test_changed_json_is_a_value_or_a_constraint_error(drawn: tuple[Any, bytes], data):
    """A random value in the text is replaced by another JSON value."""
    cls, octets = drawn
    parsed = json.loads(cls.decode(octets).to_json())
    places = [(None, None)]
    queue = [parsed]
    for inner in queue:
        steps = inner.keys() if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        for step in list(steps)[:20]:
            places.append((inner, step))
            queue.append(inner[step])
    holder, step = data.draw(st.sampled_from(places))
    strange = data.draw(st.sampled_from([None, True, 0, -1, 1.5, 2**70, "", "00", "0x1", "\ud800", "2026-01-01", [], {},
                                         [[]], {"a": 1}, {"$opaque": "00"}, {"INTEGER": 1}, "1.2.3", "'1'B"]))
    if holder is None:
        parsed = strange
    else:
        holder[step] = strange
    text = json.dumps(parsed)
    careful = read_carefully(cls, text)
    assert read_quickly(cls, text) in (None, careful)
    assert read_either_way(cls, text) == careful
    if isinstance(careful, bytes):
        assert cls.decode(careful) == cls.from_json(text)


class Version(NamedInteger):
    v1 = 0


class Usage(NamedBits):
    sign = 1 << 0


class Arms(Choice):
    number: int
    text: Annotated[str, Implicit(0)]


UTC = timezone.utc
# A type, a value, and its JSON.
FORMS = [
    (bool, True, "true"),
    (int, 2**53 - 1, "9007199254740991"),
    (int, 2**53, '"0x20000000000000"'),
    (int, -(2**53), '"-0x20000000000000"'),
    (bytes, b"\xab\x01", '"ab01"'),
    (Null, NULL, "null"),
    (ObjectIdentifier, "2.5.29.15", '"2.5.29.15"'),
    (BitString, BitString(b"\xa0"), '"a0"'),
    (BitString, BitString(b"\xa0", 4), "\"'1010'B\""),
    (BitString, BitString(), '""'),
    (Version, Version.v1, '"v1"'),
    (Version, 7, "7"),
    (Usage, Usage(0b101), '["sign", 2]'),
    (Usage, Usage(1 << 1024), f'"{hex(1 << 1024)}"'),
    (str, "é\"", '"é\\""'),
    (UTCTime, datetime(1950, 1, 2, 3, 4, 5, tzinfo=UTC), '"1950-01-02T03:04:05Z"'),
    (UTCTime, datetime(2049, 1, 2, 3, 4, 5, tzinfo=UTC), '"2049-01-02T03:04:05Z"'),
    (GeneralizedTime, datetime(2050, 1, 2, 3, 4, 5, 250000, tzinfo=UTC), '"2050-01-02T03:04:05.25Z"'),
    (GeneralizedTime, "00000229000000.1234567Z", '"0000-02-29T00:00:00.1234567Z"'),
    (Arms, Arms(text="x"), '{"text": "x"}'),
    (SequenceOf[int], [1, 2], "[1, 2]"),
    (UTCTime | GeneralizedTime, datetime(2026, 1, 1, tzinfo=UTC), '"2026-01-01T00:00:00Z"'),
    (UTCTime | GeneralizedTime, {"GeneralizedTime": datetime(2026, 1, 1, tzinfo=UTC)},
     '{"GeneralizedTime": "2026-01-01T00:00:00Z"}'),
    (PrintableString | UTF8String, "@", '"@"'),
    (PrintableString | UTF8String, {"UTF8String": "x"}, '{"UTF8String": "x"}'),
    (int | bytes, 5, '{"INTEGER": 5}'),
    (derlib.TLV, b"\x05\x00", '"0500"'),
]


@pytest.mark.parametrize(("hint", "value", "text"), FORMS, ids=str)
def test_each_type_has_its_json(hint, value, text):
    class Holder(Sequence, fields=[Field("x", Annotated[hint, Explicit(1000)])]):
        pass

    made = Holder(x=value)
    assert made.to_json() == plain_text(made) == f'{{"x": {text}}}'
    assert Holder.from_json(made.to_json()).encode() == made.encode()
    assert read_quickly(Holder, made.to_json()) == read_carefully(Holder, made.to_json()) == made.encode()


class Everything(Sequence):
    number: Annotated[int, Implicit(0)] = 0
    octets: Annotated[bytes, Implicit(1)] = b""
    time: Annotated[UTCTime, Implicit(2)] | None = None
    oid: Annotated[ObjectIdentifier, Implicit(3)] | None = None
    text: Annotated[str, Implicit(4)] | None = None
    usage: Annotated[Usage, Implicit(5)] | None = None
    version: Annotated[Version, Implicit(6)] | None = None
    bits: Annotated[BitString, Implicit(7)] | None = None
    deep: Annotated[SequenceOf["Everything"], Implicit(8)] | None = None
    either: Annotated[PrintableString | UTF8String, Explicit(21)] | None = None
    arms: Annotated[Arms, Explicit(20)] | None = None
    nothing: Annotated[Null, Implicit(9)] | None = None
    flag: Annotated[bool, Implicit(10)] = False
    whenever: Annotated[GeneralizedTime, Implicit(11)] | None = None


def nested(count, innermost):
    return '{"deep": [' * count + innermost + "]}" * count


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ()),
        ("{", ()),
        ("nonsense", ()),
        (b"\xff\xfe\xfd", ()),
        ("[" * 100_000, ()),
        ("[" * 100_000 + "]" * 100_000, ()),
        (nested(150, "{}"), None),
        (nested(400, "{}"), ("deep", 0) * 150 + ("deep",)),
        (nested(60, '{"number": "x"}'), ("deep", 0) * 60 + ("number",)),
        ("[]", ()),
        ("null", ()),
        ("NaN", ()),
        ('{"number": 1, "number": 2}', ()),
        ('{"deep": [{"number": 1, "number": 2}]}', ("deep", 0)),
        ('{"unknown": 1}', ()),
        ('{"\\ud800": 1}', ()),
        ('{"number": 1.0}', ("number",)),
        ('{"number": 1e400}', ("number",)),
        ('{"number": 1E99999999999}', ("number",)),
        ('{"number": NaN}', ("number",)),
        ('{"number": -Infinity}', ("number",)),
        ('{"number": ' + "9" * 5000 + "}", ("number",)),
        ('{"number": ' + "9" * 10**7 + "}", ("number",)),
        ('{"number": true}', ("number",)),
        ('{"number": null}', ("number",)),
        ('{"number": "12"}', ("number",)),
        ('{"number": "0x"}', ("number",)),
        ('{"number": "0x1_0"}', ("number",)),
        ('{"number": "1x5"}', ("number",)),
        ('{"number": "0y5"}', ("number",)),
        ('{"number": "0x5g"}', ("number",)),
        ('{"octets": "0"}', ("octets",)),
        ('{"octets": "0 0"}', ("octets",)),
        ('{"octets": "٠٠"}', ("octets",)),
        ('{"octets": [0]}', ("octets",)),
        ('{"time": "2050-01-01T00:00:00Z"}', ("time",)),
        ('{"time": "2026-02-30T00:00:00Z"}', ("time",)),
        ('{"time": "2026-01-01T00:00:00.5Z"}', ("time",)),
        ('{"time": "2026-01-01T00:00:00+01:00"}', ("time",)),
        ('{"time": "٢026-01-01T00:00:00Z"}', ("time",)),
        ('{"time": 0}', ("time",)),
        ('{"whenever": "2026-02-30T00:00:00Z"}', ("whenever",)),
        ('{"oid": "1"}', ("oid",)),
        ('{"oid": "1.2.' + "9" * 100_000 + '"}', ("oid",)),
        ('{"text": "\\ud800"}', ("text",)),
        ('{"text": null}', ("text",)),
        ('{"usage": [1000000000]}', ("usage",)),
        ('{"usage": [-1]}', ("usage",)),
        ('{"usage": ["none"]}', ("usage",)),
        ('{"usage": [[]]}', ("usage", 0)),
        ('{"usage": {"digital_signature": true}}', ("usage",)),
        ('{"usage": "-0x1"}', ("usage",)),
        ('{"version": "v9"}', ("version",)),
        ('{"version": ["v1"]}', ("version",)),
        ('{"bits": "\'\'B"}', ("bits",)),
        ('{"bits": "\'2\'B"}', ("bits",)),
        ('{"either": {"IA5String": "x"}}', ("either",)),
        ('{"either": {"PrintableString": "@"}}', ("either", "PrintableString")),
        ('{"either": 5}', ("either",)),
        ('{"arms": {}}', ("arms",)),
        ('{"arms": {"number": 1, "text": "x"}}', ("arms",)),
        ('{"arms": {"other": 1}}', ("arms",)),
        ('{"arms": {"number": "x"}}', ("arms", "number")),
        ('{"nothing": 0}', ("nothing",)),
        ('{"flag": 1}', ("flag",)),
        ('{"deep": {}}', ("deep",)),
        ('{"deep": [5]}', ("deep", 0)),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_hostile_json_is_a_constraint_error_with_a_path(text, path):
    with pytest.raises(ConstraintError) as caught:
        Everything.from_json(text)
    assert path is None or caught.value.path == path
    assert len(str(caught.value)) < 1500
    assert read_quickly(Everything, text) is None
    assert read_carefully(Everything, text) == (str(caught.value), caught.value.path)


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "a", "text": "a"}',
        '{"text" : "a", "text"\n:\t"a"}',
        '{"text": ":", "text": "b"}',
        '{"text": "\\":\\"", "text": "\\":"}',
        '{"te\\u0078t": "a", "text": "b"}',
        '{"text": "\\\\", "number": 1, "text": "b"}',
        '{"text": "é", "text": "€"}',
        '{"deep": [{}, {"flag": true, "flag": true}]}',
        '{"arms": {"number": 1, "number": 1}}',
        '{"text": "a", "text": null}',
    ],
)
def test_a_repeated_name_is_rejected_whatever_the_strings_contain(text: str):
    for given_text in (text, text.encode(), text.encode("utf-16")):
        with pytest.raises(ConstraintError, match=r"an object has the name '(text|flag|number)' twice"):
            Everything.from_json(given_text)


@pytest.mark.parametrize(
    "text",
    [
        '{"text": ":"}',
        '{"text":"\\":\\\\", "number":1}',
        '{ "text"\n:\r\t"{\\"a\\": [1, :]}" , "flag" : true}',
        '{"te\\u0078t": "\\u003a\\u0022"}',
        '{"text": "é€\U0001f600", "number": "0xFF", "octets": "ABcd"}',
        '{"number": "-0x10", "bits": "\'101\'B", "usage": "0x5", "version": "0x0"}',
        '{"whenever": "2026-01-31T12:00:00.5Z", "nothing": null, "arms": {"text": ""}}',
        '{"whenever": "2016-12-31T23:59:60Z", "time": "1950-01-01T00:00:00Z"}',
        '{"deep": [], "usage": ["sign", 31], "either": {"UTF8String": "a"}, "flag": false}',
    ],
)
def test_unusual_forms_of_valid_text_are_read(text: str):
    careful = read_carefully(Everything, text)
    assert isinstance(careful, bytes)
    for given_text in (text, text.encode(), bytearray(text.encode()), text.encode("utf-16"), text.encode("utf-32-le")):
        assert Everything.from_json(given_text).encode() == read_quickly(Everything, given_text) == careful


@pytest.mark.parametrize("place", range(20))
@pytest.mark.parametrize("character", ["", "0", "5", "9", "/", ":", "-", "T", "t", " ", "Z", "ZZ", "é"])
def test_both_ways_agree_on_every_change_of_a_time(place: int, character: str):
    time = "2026-11-30T12:00:00Z"
    for name in ("time", "whenever"):
        text = f'{{"{name}": "{time[:place]}{character}{time[place + 1:]}"}}'
        careful = read_carefully(Everything, text)
        assert read_quickly(Everything, text) in (None, careful)
        assert read_either_way(Everything, text) == careful


class Tree(SequenceOf["Tree"]):
    pass


class Exact(Sequence):
    version: Annotated[Everything, derlib.WithComponents(text=derlib.Size(1, 2))] | None = None


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (Tree, "[5, []]"),
        (Tree, "[[5, []]]"),
        (Exact, '{"version": {"text": "abc"}}'),
    ],
)
def test_both_ways_reject_a_value_that_is_not_valid_as_a_whole(cls: Any, text: str):
    assert read_quickly(cls, text) is None
    assert read_either_way(cls, text) == read_carefully(cls, text)
    assert not isinstance(read_either_way(cls, text), bytes)


LATER = datetime(2050, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Annotated[PrintableString, derlib.Alphabet("abc")] | UTF8String, "abc"),
        (Annotated[UTCTime, derlib.OneOf(LATER.replace(year=2026))] | GeneralizedTime, "2026-01-01T00:00:00Z"),
        (UTCTime | Annotated[GeneralizedTime, derlib.OneOf(LATER)], "2050-01-01T00:00:00Z"),
        (UTCTime | Annotated[GeneralizedTime, derlib.OneOf(LATER)], "2051-01-01T00:00:00Z"),
        (int | GeneralizedTime, "2026-01-01T00:00:00Z"),
    ],
    ids=str,
)
def test_both_ways_choose_the_same_alternative(hint: Any, text: str):
    class Holder(Sequence, fields=[Field("x", Annotated[hint, Explicit(0)])]):
        pass

    careful = read_carefully(Holder, f'{{"x": "{text}"}}')
    assert read_quickly(Holder, f'{{"x": "{text}"}}') in (None, careful)
    assert read_either_way(Holder, f'{{"x": "{text}"}}') == careful


@pytest.mark.parametrize("dotted", ["2.999." + "9" * 40, "1.2" + ".3" * 99, "1.2." + "9" * 18, "2.5"])
def test_object_identifiers_of_every_length_survive(dotted: str):
    value = SequenceOf[ObjectIdentifier]([dotted])
    assert value.to_json() == plain_text(value) == f'["{dotted}"]'


HEX_FORMS = ["0x0", "0x00", "0x7f", "0x80", "0x080", "0xfF", "0x" + "0" * 40 + "1", "0x" + "8" * 33, "0x8" + "0" * 15]


@pytest.mark.parametrize("text", HEX_FORMS)
def test_hexadecimal_numbers_are_read_in_the_fewest_octets(text: str):
    numbers = SequenceOf[int].from_json(f'["{text}"]')
    assert numbers.encode() == SequenceOf[int]([int(text, 16)]).encode()
    assert read_quickly(SequenceOf[int], f'["{text}"]') == numbers.encode()


@pytest.mark.parametrize(
    "bits", [0, 1, 7, 8, 46, 47, 48, 52, 53, 54, 55, 56, 59, 60, 63, 64, 65, 127, 128, 2000, 2125, 2126, 2130]
)
def test_numbers_of_every_length_survive(bits: int):
    for number in (1 << bits, (1 << bits) - 1, -(1 << bits), 1 - (1 << bits), -1 - (1 << bits)):
        value = SequenceOf[int]([number])
        text = value.to_json()
        assert text == plain_text(value)
        assert SequenceOf[int].from_json(text) == value
        decimal = f"[{number}]"
        assert read_quickly(SequenceOf[int], decimal) in (None, read_carefully(SequenceOf[int], decimal))


@pytest.mark.parametrize("number", ["9" * 640, "-" + "9" * 639, "1" + "0" * 639])
def test_the_longest_numbers_are_read(number: str):
    value = SequenceOf[int]([int(number)])
    text, longer = f"[{number}]", f"[{number}0]"
    assert read_quickly(SequenceOf[int], text) == value.encode() == read_carefully(SequenceOf[int], text)
    assert read_quickly(SequenceOf[int], longer) is None
    with pytest.raises(ConstraintError, match="a number of 641 characters is too long"):
        SequenceOf[int].from_json(longer)


@pytest.mark.skipif(not hasattr(sys, "set_int_max_str_digits"), reason="this Python has no limit of digits")
def test_numbers_are_limited_without_python_s_limit_of_digits():
    limit = sys.get_int_max_str_digits()
    try:
        for digits in (0, 640, 10**6):
            sys.set_int_max_str_digits(digits)
            assert Everything.from_json('{"number": 5}').number == 5
            with pytest.raises(ConstraintError, match="a number of 1000000 characters is too long"):
                Everything.from_json('{"number": ' + "9" * 10**6 + "}")
    finally:
        sys.set_int_max_str_digits(limit)


def test_characters_of_every_kind_are_written_as_python_writes_them():
    texts = ["", "a", '"', "\\", "/", "\x7f", "é", "€", "\U0001f600", "\u2028", "a" * 300, *map(chr, range(32))]
    for wrap in (str, derlib.BMPString, derlib.UniversalString):
        value = SequenceOf[wrap]([text for text in texts if wrap is not derlib.BMPString or text < "\U00010000"])
        assert value.to_json() == plain_text(value)
        assert SequenceOf[wrap].from_json(value.to_json()) == value


def test_a_tolerated_fault_is_written_as_python_writes_it():
    class Holder(Sequence):
        time: UTCTime | GeneralizedTime
        number: int

    octets = bytes.fromhex("3013 170b" + b"2601311200Z".hex() + "0204 00000001")
    value = Holder.decode(octets, tolerate=derlib.Deviation.UTC_TIME_FORM | derlib.Deviation.INTEGER_PADDING)
    assert value.to_json() == plain_text(value)
    octets = bytes.fromhex("3017 170b" + b"2601311200Z".hex() + "0208 0000000000000001")
    value = Holder.decode(octets, tolerate=derlib.Deviation.UTC_TIME_FORM | derlib.Deviation.INTEGER_PADDING)
    assert value.to_json() == plain_text(value)
    shared = Holder.decode(bytearray(Holder(time=datetime(2026, 1, 1, tzinfo=UTC), number=1).encode()), copy=False)
    assert shared.to_json() == plain_text(shared) == '{"time": "2026-01-01T00:00:00Z", "number": 1}'


def test_a_megabyte_of_integer_is_read():
    """In decimal it would take minutes, and Python would raise an error."""
    value = SequenceOf[int]([1 << 8 * 10**6])
    assert SequenceOf[int].from_json(value.to_json()) == value


def test_arguments_that_are_not_json_are_a_type_error():
    with pytest.raises(TypeError):
        Everything.from_json(5)
    with pytest.raises(TypeError, match="expected a value of a schema class, got int"):
        derlib.json.encode(5)


class Disguised(bytes):
    """Bytes whose methods return something else."""

    def __bytes__(self):
        return self

    def decode(self, *_: Any) -> str:
        return DisguisedText('{"number": 9}')


class DisguisedText(str):
    pass


def test_text_of_other_classes_is_read_as_json_reads_it():
    """`json.loads` calls the methods of a subclass."""
    for text in (Disguised(b'{"number": 5}'), DisguisedText('{"number": 9}'), bytearray(b'{"number": 9}')):
        assert Arms.from_json(text) == Arms(number=9)


def test_the_core_itself_parses_json():
    """The encoder borrows references to the parts of parsed JSON, so no caller may have a reference to them."""
    plan = Arms.__plan__
    assert derlib._core.build_json(plan, '{"number": 5}') == Arms(number=5)
    with pytest.raises(TypeError):
        derlib._core.build_json(plan, {"number": DisguisedText("5")}, '{"number": 5}')
    with pytest.raises(TypeError):
        derlib._core.build_json(plan, {"number": 5})


def test_json_can_be_indented():
    assert Arms(number=5).to_json(indent=2) == '{\n  "number": 5\n}'


def test_fields_may_come_in_any_order():
    class Message(Sequence):
        kind: ObjectIdentifier
        content: Annotated[derlib.TLV, derlib.DefinedBy("kind", derlib.OpenTypes("T", {"2.999.1": int}))]

    message = Message(kind="2.999.1", content=5)
    assert Message.from_json('{"content": 5, "kind": "2.999.1"}') == message


TABLE = derlib.OpenTypes("TABLE", {"2.999.1": int})


class Algorithm(Sequence):
    kind: ObjectIdentifier


class Chosen(Sequence):
    algorithm: Algorithm | None = None
    parameters: Annotated[Any, derlib.DefinedBy("algorithm.kind", TABLE), Explicit(0)]


def test_an_open_type_without_a_selector_reads_as_bytes():
    assert Chosen.from_json('{"parameters": "020105"}').encode().hex() == "3005a003020105"
    with pytest.raises(ConstraintError, match="parameters: expected hexadecimal digits for open type in JSON, got"):
        Chosen.from_json('{"parameters": 5}')
    alone = SequenceOf[Annotated[Any, derlib.DefinedBy("kind", TABLE)]]
    assert alone.from_json('["020105"]').encode().hex() == "3003020105"


def test_an_open_type_with_an_invalid_selector_is_rejected():
    for kind in ('"9.9"', '"x"', "5"):
        with pytest.raises(ConstraintError) as caught:
            Chosen.from_json(f'{{"algorithm": {{"kind": {kind}}}, "parameters": "020105"}}')
        assert caught.value.path == ("algorithm", "kind")


def test_a_union_is_read_with_tags_around_it():
    times = SequenceOf[Annotated[UTCTime, Explicit(0)] | GeneralizedTime]
    value = times.decode(bytes.fromhex("3022a00f170d3236303133313132303030305a180f32303531303133313132303030305a"))
    assert times.from_json(value.to_json()) == value
    assert times.from_json('["2051-01-31T12:00:00Z"]')[0] == value[1]
    with pytest.raises(ConstraintError, match=r"a string such as '2026-01-31T12:00:00Z' for .* in JSON, got '2051"):
        times.from_json('["20510131120000Z"]')


def test_long_byte_strings_are_read_in_little_memory():
    text = '"' + "ab" * 1_000_000 + '"'
    tracemalloc.start()
    try:
        value = SequenceOf[bytes].from_json(f"[{text}]")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert value[0] == b"\xab" * 1_000_000
    assert most < 20_000_000


def test_unknown_additions_are_an_array():
    class Growing(Sequence, extensible=True):
        number: int

    assert Growing.from_json('{"number": 1, "$additions": ["0500"]}').encode().hex() == "30050201010500"
    with pytest.raises(ConstraintError, match="expected an array of unknown additions for"):
        Growing.from_json('{"number": 1, "$additions": "0500"}')


@pytest.mark.parametrize("octets", range(1, 12))
def test_named_bits_of_any_number_are_read_back(octets):
    class Bits(NamedBits):
        first = 1 << 0
        ninth = 1 << 8

    class Holder(Sequence):
        bits: Bits

    for contents in (b"\xff" * octets, b"\x00" * (octets - 1) + b"\x01"):
        encoding = bytes([0x30, octets + 3, 3, octets + 1, 0]) + contents
        value = Holder.decode(encoding)
        assert Holder.from_json(value.to_json()).encode() == encoding
        assert Holder.from_native(value.to_native()).encode() == encoding
