"""JSON: lossless in both directions, read by the type; invalid text raises only a ConstraintError."""

import json
import tracemalloc
from datetime import datetime, timezone
from typing import Annotated, Any

import pytest
from corpus.files import accepted_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.generated import encoded_schemas

import derlib
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
)

MANY = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def test_every_accepted_file_survives_json():
    for item, value in accepted_files():
        assert type(value).from_json(value.to_json()).encode() == item.der, item.name


def refuse(name):
    raise AssertionError(f"{name} is not JSON")


@MANY
@given(encoded_schemas())
def test_json_keeps_every_value(drawn: tuple[Any, bytes]):
    cls, octets = drawn
    value = cls.decode(octets)
    text = value.to_json()
    json.loads(text, parse_constant=refuse)
    assert cls.from_json(text).encode() == octets


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
    try:
        made = cls.from_json(json.dumps(parsed))
    except ConstraintError:
        return
    assert cls.decode(made.encode()) == made


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
    assert made.to_json() == f'{{"x": {text}}}'
    assert Holder.from_json(made.to_json()).encode() == made.encode()


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


def test_a_megabyte_of_integer_is_read():
    """In decimal it would take minutes, and Python would raise an error."""
    value = SequenceOf[int]([1 << 8 * 10**6])
    assert SequenceOf[int].from_json(value.to_json()) == value


def test_arguments_that_are_not_json_are_a_type_error():
    with pytest.raises(TypeError):
        Everything.from_json(5)
    with pytest.raises(TypeError, match="expected a value of a schema class, got int"):
        derlib.json.encode(5)


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
    for kind, path in (('"9.9"', ("parameters",)), ('"x"', ("parameters",)), ("5", ("algorithm", "kind"))):
        with pytest.raises(ConstraintError) as caught:
            Chosen.from_json(f'{{"algorithm": {{"kind": {kind}}}, "parameters": "020105"}}')
        assert caught.value.path == path


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
