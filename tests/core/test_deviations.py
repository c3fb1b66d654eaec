"""Deviations: one table of faults with the values that are read if they are tolerated, and the limits of tolerance.

`tests/rules/rows.py` tests that each invalid row of `tests/rules` is tolerated by the deviation in its error, and
recorded with the path, offset and kind of that error.
"""

import copy
import itertools
import pickle
from datetime import datetime, timedelta, timezone
from typing import Annotated

import pytest
from rules.rows import der, plain

import derlib
from derlib import (
    Addition,
    BitString,
    BMPString,
    ConstraintError,
    DefinedBy,
    Deviation,
    Enumerated,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    Limits,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UnrepresentableError,
    UTCTime,
    UTF8String,
)

EVERYTHING = ~Deviation(0)


class Usage(NamedBits):
    sign = 1 << 0
    seal = 1 << 1


class ManyBits(NamedBits):
    bit0 = 1 << 0
    bit38 = 1 << 38
    bit64 = 1 << 64
    bit65 = 1 << 65
    bit66 = 1 << 66
    bit67 = 1 << 67
    bits64_to_67 = bit64 | bit65 | bit66 | bit67


class Colour(Enumerated):
    red = 0
    green = 1


class Flagged(Sequence):
    flag: bool = False
    number: int = 5


class Pair(Set):
    a: int
    b: bool


BODIES = OpenTypes("BODIES", {"2.999.1": int, "2.999.2": SequenceOf[int]})


class Message(Sequence):
    kind: ObjectIdentifier
    body: Annotated[OctetString, DefinedBy("kind", BODIES)]


class Opened(Sequence):
    kind: ObjectIdentifier
    body: Annotated[derlib.TLV, DefinedBy("kind", BODIES)]


UTC = timezone.utc
ONE = "06 03 88 37 01"

# Deviation, type, input, the value that is read, and path, offset and clause of the recorded fault.
TABLE = [
    ("DEFAULT_ENCODED", Flagged, "30 03 010100", {"flag": False, "number": 5}, ("flag",), 2, "X.690 11.5"),
    ("SET_OF_ORDER", SetOf[int], "31 06 020102 020101", [2, 1], (1,), 5, "X.690 11.6"),
    ("SET_ORDER", Pair, "31 06 020101 0101ff", {"a": 1, "b": True}, ("b",), 5, "X.690 10.3"),
    ("NAMED_BITS", Usage, "03 02 0080", Usage.sign, None, None, None),
    ("UNUSED_BITS", BitString, "03 02 04ff", BitString(b"\xf0", 4), None, None, None),
    ("UNUSED_BITS", Usage, "03 02 067f", Usage.seal, None, None, None),
    ("UNUSED_BITS", ManyBits, "03 06 01 0000000003", ManyBits.bit38, None, None, None),
    ("UNUSED_BITS", ManyBits, "03 0a 04 8000000000000000ff", ManyBits.bit0 | ManyBits.bits64_to_67, None, None, None),
    ("INTEGER_PADDING", int, "02 02 0005", 5, None, None, None),
    ("INTEGER_PADDING", int, "02 03 ffff80", -128, None, None, None),
    ("INTEGER_PADDING", Annotated[int, Range(0, 200)], "02 03 0000c8", 200, None, None, None),
    ("INTEGER_PADDING", Colour, "0a 03 000001", Colour.green, None, None, None),
    ("LENGTH_FORM", SequenceOf[bytes], "30 82 0004 04 81 01 61", [b"a"], (), 0, "X.690 10.1"),
    ("BOOLEAN_TRUE", bool, "01 01 01", True, None, None, None),
    ("BOOLEAN_TRUE", Annotated[bool, OneOf(True)], "01 01 01", True, None, None, None),
    ("STRING_ALPHABET", PrintableString, "13 03 61402a", "a@*", None, None, None),
    ("STRING_ALPHABET", IA5String, "16 02 61e9", "a\xe9", None, None, None),
    ("STRING_ENCODING", UTF8String, "0c 02 61e9", "a\xe9", None, None, None),
    ("STRING_ENCODING", BMPString, "1e 03 0061e9", "\0a\xe9", None, None, None),
    ("STRING_ENCODING", BMPString, "1e 02 d800", "\xd8\0", None, None, None),
    ("UTC_TIME_FORM", UTCTime, b"\x17\x0b2601020304Z", datetime(2026, 1, 2, 3, 4, tzinfo=UTC), None, None, None),
    (
        "UTC_TIME_FORM",
        UTCTime,
        b"\x17\x11260102030405-0130",
        datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(-timedelta(minutes=90))),
        None,
        None,
        None,
    ),
    (
        "GENERALIZED_TIME_FORM",
        GeneralizedTime,
        b"\x18\x0d2026010203" + b"+01",
        datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=1))),
        None,
        None,
        None,
    ),
    (
        "GENERALIZED_TIME_FORM",
        GeneralizedTime,
        b"\x18\x1220260102030405,500Z"[:1] + b"\x13" + b"20260102030405,500Z",
        datetime(2026, 1, 2, 3, 4, 5, 500000, tzinfo=UTC),
        None,
        None,
        None,
    ),
    ("EMPTY_LIST", SequenceOf[Annotated[SequenceOf[int], Size(1)]], "30 02 3000", [[]], (0,), 2, "X.680 51.5"),
    ("OPEN_TYPE", Message, f"30 09 {ONE} 0402 6161", {"kind": "2.999.1", "body": b"aa"}, ("body",), 7, "X.690 8.1.3"),
    ("TRAILING_DATA", SequenceOf[int], "30 03 020101 0500", [1], (), 5, "X.690 8.1.1.1"),
    (
        "TRAILING_DATA",
        Message,
        f"30 0c {ONE} 0405 0201070500",
        {"kind": "2.999.1", "body": 7},
        ("body",),
        12,
        "X.682 11",
    ),
]


def octets(text):
    return text if isinstance(text, bytes) else bytes.fromhex(text)


def readable(value):
    found = plain(value)
    if isinstance(found, dict):
        return {name: str(one) if isinstance(one, ObjectIdentifier) else one for name, one in found.items()}
    return found


@pytest.mark.parametrize(
    ("name", "type_", "data", "value", "path", "offset", "rule"), TABLE, ids=lambda one: str(one)[:30]
)
def test_each_deviation_is_an_error_by_default_and_recorded_if_tolerated(
    name, type_, data, value, path, offset, rule
):
    data = octets(data)
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.decode(type_, data)
    deviation = Deviation[name]
    assert caught.value.deviation is deviation
    assert f"Deviation.{name} tolerates it" in str(caught.value)
    with pytest.raises(derlib.DecodeError):
        derlib.decode(type_, data, tolerate=EVERYTHING & ~deviation & ~Deviation.OPEN_TYPE)
    found = derlib.decode(type_, data, tolerate=EVERYTHING)
    if not isinstance(value, (dict, list)):
        assert derlib.decode(type_, data, tolerate=deviation) == found == value
        holder = SequenceOf[type_].decode(der("30", data), tolerate=deviation)
        assert holder[0] == value
        found, path, offset = holder, (0,), 2
        rule = caught.value.rule
        data = der("30", data)
    else:
        assert readable(found) == value
    noted = found.deviations[-1] if name == "LENGTH_FORM" and not path else found.deviations[0]
    if name == "LENGTH_FORM":
        assert [(one.path, one.offset) for one in found.deviations] == [((), 0), ((0,), 4)]
        noted = found.deviations[0]
    assert noted == (deviation, path, offset, rule, noted.kind)
    if name != "TRAILING_DATA" or path:
        assert found.encode() == data
        assert bytes(found.der) == data
    assert copy.deepcopy(found) == found
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        restore, arguments = found.__reduce_ex__(protocol)
        again = restore(*arguments)
        assert again == found
        assert len(again.deviations) == len(found.deviations) - (name == "TRAILING_DATA" and not path)


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        (SequenceOf[int], "30 80 020101 0000"),
        (GeneralizedTime, b"\x18\x0e20260102030405"),
        (UTCTime, b"\x17\x0b2613020304Z"),
        (UTCTime, b"\x17\x11260102030405-0160"),
        (UTCTime, b"\x17\x11260102030405+2400"),
        (GeneralizedTime, b"\x18\x1020260102030405,Z"),
        (Annotated[SequenceOf[int], Size(1)], "31 00"),
        (Annotated[bytes, Size(1)], "04 00"),
        (Pair, "31 06 020101 020102"),
        (Pair, "31 09 020101 0101ff 020101"),
        (Colour, "0a 02 0002"),
        (Annotated[int, Range(0, 9)], "02 02 000a"),
        (int, "02 00"),
        (ObjectIdentifier, "06 02 8001"),
        (bytes, "24 03 040161"),
        (int, "02 88 00000000000000 02 05"),
        (int, "02 89 000000000000000001 05 00 00"),
    ],
)
def test_faults_without_a_deviation_are_never_tolerated(type_, data):
    data = octets(data)
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.decode(type_, data, tolerate=EVERYTHING & ~Deviation.TRAILING_DATA)
    assert caught.value.deviation in (None, Deviation.TRAILING_DATA)


def test_valid_input_has_no_deviations():
    message = Message.decode(bytes.fromhex(f"300a{ONE}0403020107"), tolerate=EVERYTHING)
    assert message.deviations == ()
    assert message.body == 7
    assert message.__reduce_ex__(5)[1][2:] == ()


def test_a_part_has_its_own_deviations_with_paths_from_itself():
    outer = SequenceOf[SequenceOf[bool]].decode(
        der("30", der("30", "0101ff"), der("30", "0101ff", "010101")), tolerate=Deviation.BOOLEAN_TRUE
    )
    assert [one.path for one in outer.deviations] == [(1, 1)]
    assert outer[0].deviations == ()
    assert [(one.path, one.offset) for one in outer[1].deviations] == [((1,), 12)]
    assert pickle.loads(pickle.dumps(outer[1])).deviations[0].offset == 5
    # A part without a fault is like the same part of a valid whole.
    assert outer[0].__reduce_ex__(5)[1][2:] == ()


def test_a_mismatch_of_an_open_type_stays_opaque_and_is_found_again_at_each_reading():
    data = bytes.fromhex(f"3008{ONE}0401ff"[:4]) + bytes.fromhex(ONE) + bytes.fromhex("0101ff")
    opened = Opened.decode(data, tolerate=Deviation.OPEN_TYPE)
    assert opened.body.encode().hex() == "0101ff"
    assert opened.deviations[0].path == ("body",)
    assert opened.to_native() == {"kind": "2.999.1", "body": {"$opaque": b"\x01\x01\xff"}}
    # The rules of DER still apply inside it.
    with pytest.raises(derlib.DecodeError):
        Opened.decode(data[:-1] + b"\x01", tolerate=Deviation.OPEN_TYPE)
    assert Opened.decode(data[:-1] + b"\x01", tolerate=Deviation.OPEN_TYPE | Deviation.BOOLEAN_TRUE).body.value is True


def test_deviations_inside_a_mismatch_are_not_recorded():
    data = der("30", "0603883702", der("04", der("30", "02020005", "0500")))
    message = Message.decode(data, tolerate=EVERYTHING)
    assert [(one.deviation.name, one.path) for one in message.deviations] == [("OPEN_TYPE", ("body",))]


def test_only_der_is_written():
    class Holder(Sequence):
        inner: SequenceOf[bool]
        number: int = 0
        name: PrintableString | UTF8String = "x"

    data = der("30", der("30", "010101"), "02020005", "130140")
    holder = Holder.decode(data, tolerate=EVERYTHING)
    assert (list(holder.inner), holder.number, holder.name) == ([True], 5, "@")
    for build in (
        lambda: holder.replace(number=7),
        lambda: Holder(inner=holder.inner),
        lambda: SequenceOf[Holder]([holder]),
        lambda: derlib.encode({"inner": [True], "number": holder}, Holder),
        lambda: derlib.encode(holder, derlib.TLV),
        lambda: derlib.encode(derlib.parse(der("01", "01"), tolerate=EVERYTHING), derlib.TLV),
    ):
        with pytest.raises(ConstraintError):
            build()
    assert (
        holder.replace(inner=[True], number=7, name="@").encode().hex()
        == der("30", der("30", "0101ff"), "020107", "0c0140").hex()
    )
    large = SequenceOf[bytes].decode(der("30", der("04", bytes(70000)), "0481" + "0161"), tolerate=EVERYTHING)
    with pytest.raises(ConstraintError):
        derlib.encode([large], SequenceOf[SequenceOf[bytes]])


def test_plain_data_of_a_tolerated_value_make_der():
    found = SequenceOf[int].decode(bytes.fromhex("3004 0202 0005"), tolerate=EVERYTHING)
    assert SequenceOf[int].from_native(found.to_native()).encode().hex() == "3003020105"
    assert SequenceOf[int].from_json(found.to_json()).encode().hex() == "3003020105"


def test_an_index_finds_padded_integers():
    class Entry(Sequence):
        serial: int

    entries = SequenceOf[Entry].decode(der("30", der("30", "02020005"), der("30", "020106")), tolerate=EVERYTHING)
    index = entries.index_by("serial")
    assert index.find(5) == entries[0]
    assert index.find(6) == entries[1]
    assert index.find(7) is None


def test_many_faults_of_one_input_are_all_recorded():
    count = 50_000
    found = SequenceOf[bool].decode(der("30", b"\x01\x01\x01" * count), tolerate=Deviation.BOOLEAN_TRUE)
    noted = found.deviations
    assert len(noted) == count
    assert all(one.path == (i,) for i, one in enumerate(noted))


def test_paths_through_choices_tags_and_unions():
    class Arms(derlib.Choice):
        flag: Annotated[bool, Implicit(0)]
        row: Annotated[SequenceOf[bool], Explicit(1)]

    class Holder(Sequence):
        arms: SequenceOf[Arms]
        either: bool | int

    data = der("30", der("30", "800102", der("a1", der("30", "010103"))), "02020005")
    found = Holder.decode(data, tolerate=EVERYTHING)
    assert [one.path for one in found.deviations] == [("arms", 0, "flag"), ("arms", 1, "row", 0), ("either",)]
    data = der("30", der("30", "8081"[:2] + "8101ff"), "020105")
    found = Holder.decode(data, tolerate=EVERYTHING)
    assert [(one.path, one.kind) for one in found.deviations] == [(("arms", 0), "length-not-minimal")]


class Held(Sequence):
    number: int
    when: GeneralizedTime


def test_the_path_to_an_unrepresentable_value_ends_there():
    value = Held.decode(bytes.fromhex("3017 020105 1812") + b"00000101000000.50Z", tolerate=~Deviation(0))
    [noted] = value.deviations
    assert (noted.path, noted.offset, noted.kind) == (("when",), 5, "generalized-fraction")
    with pytest.raises(UnrepresentableError, match="has year 0000"):
        print(value.when)


def test_the_cache_stores_faults_that_it_tolerates():
    from derlib.cache import Cache

    data = bytes.fromhex("3003 010101")
    store = {}
    loose = Cache(store, tolerate=Deviation.BOOLEAN_TRUE)
    for _ in range(2):
        assert loose.decode(SequenceOf[bool], data).deviations
    assert loose.load(SequenceOf[bool], loose.key(SequenceOf[bool], data)).deviations
    assert Cache(store).load(SequenceOf[bool], loose.key(SequenceOf[bool], data)) is None
    with pytest.raises(derlib.DecodeError):
        Cache(store).decode(SequenceOf[bool], data)


def test_a_strict_cache_does_not_find_results_of_tolerated_data():
    pytest.importorskip("blake2signer", reason="derive needs the extra derlib[cache]")
    from derlib.cache import Cache

    data = bytes.fromhex("3003 010101")
    store = {}
    secret = b"0123456789abcdef"
    assert Cache(store, secret, tolerate=EVERYTHING).derive(SequenceOf[bool], data, list, name="list") == [True]
    with pytest.raises(derlib.DecodeError):
        Cache(store, secret).derive(SequenceOf[bool], data, list, name="list")


# Before Python 3.11, the members of a Flag are also those of several bits.
@pytest.mark.parametrize("one", [one for one in Deviation if one.value.bit_count() == 1], ids=lambda one: one.name)
def test_common_certificate_defects_has_only_the_necessary_deviations(one):
    # An empty list, unused zero bits, an encoded default and a foreign character mean the same to all readers.
    # Certificates in use do not need the other deviations, such as a length or a time in another form.
    wanted = one.name in ("NAMED_BITS", "DEFAULT_ENCODED", "STRING_ALPHABET", "EMPTY_LIST")
    assert bool(Deviation.COMMON_CERTIFICATE_DEFECTS & one) == wanted


def test_common_certificate_defects_tolerates_empty_lists():
    from derlib.schemas.x509 import Extensions, ExtKeyUsageSyntax

    for octets in ("3000", "300b 3009 0603551d25 0402 3000"):
        data = bytes.fromhex(octets)
        with pytest.raises(derlib.DecodeError, match="SIZE"):
            Extensions.decode(data)
        extensions = Extensions.decode(data, tolerate=Deviation.COMMON_CERTIFICATE_DEFECTS)
        assert [found.deviation for found in extensions.deviations] == [Deviation.EMPTY_LIST]
        assert extensions.encode() == data
        usage = extensions.get(ExtKeyUsageSyntax)
        assert (usage is None) == (len(data) == 2)
        assert list(usage or ()) == []


READINGS = [
    {},
    {"tolerate": Deviation.BOOLEAN_TRUE},
    {"tolerate": EVERYTHING},
    {"tolerate": Deviation(1)},
    {"tolerate": Deviation(16), "limits": Limits(depth=6)},
    {"tolerate": Deviation(1), "limits": Limits(depth=66)},
    {"limits": Limits(depth=9)},
    {"limits": Limits(size=9)},
    {"limits": Limits(elements=9)},
    {"limits": Limits(tag_octets=9)},
    {"limits": Limits(arc_octets=9)},
]


def test_no_name_leads_to_a_value_derived_with_other_settings():
    # The key was once a digest of the name followed by the settings, as in "list 8192 None". So a name could end like
    # the settings of another cache, and a strict cache returned what a lenient one had stored.
    pytest.importorskip("blake2signer", reason="derive needs the extra derlib[cache]")
    from derlib.cache import Cache

    data = bytes.fromhex("3003 0101ff")
    secret = b"0123456789abcdef"
    store = {}
    names = ["list", ""]
    for reading in READINGS:
        tolerated = reading.get("tolerate", Deviation(0)).value
        limits = reading.get("limits")
        names += [f"list {tolerated} {limits}", f" {tolerated} {limits}", f"list{tolerated}", f"list {tolerated}"]
    names = sorted(set(names))
    caches = [Cache(store, secret, **reading) for reading in READINGS]
    for number, cache in enumerate(caches):
        for name in names:
            cache.derive(SequenceOf[bool], data, lambda _, kept=(number, name): kept, name=name)
    assert len(store) == len(caches) * len(names)
    for number, cache in enumerate(caches):
        for name in names:
            assert cache.derive(SequenceOf[bool], data, lambda _: "made again", name=name) == (number, name)


def test_a_strict_cache_does_not_find_a_lenient_value_under_a_name_with_its_settings():
    pytest.importorskip("blake2signer", reason="derive needs the extra derlib[cache]")
    from derlib.cache import Cache

    data = bytes.fromhex("3003 010101")
    secret = b"0123456789abcdef"
    store = {}
    lenient = Cache(store, secret, tolerate=Deviation.BOOLEAN_TRUE)
    assert lenient.derive(SequenceOf[bool], data, list, name="n2") == [True]
    with pytest.raises(derlib.DecodeError):
        Cache(store, secret).derive(SequenceOf[bool], data, list, name=f"n2 {Deviation.BOOLEAN_TRUE.value} None")


def test_default_limits_and_none_have_the_same_key():
    pytest.importorskip("blake2signer", reason="derive needs the extra derlib[cache]")
    from derlib.cache import Cache

    data = bytes.fromhex("3003 0101ff")
    secret = b"0123456789abcdef"
    store = {}
    assert Cache(store, secret).derive(SequenceOf[bool], data, len, name="length") == 1
    assert Cache(store, secret, limits=Limits()).derive(SequenceOf[bool], data, lambda _: 2, name="length") == 1


def test_deviations_are_in_the_order_of_their_offsets():
    # A wrong order is found after the faults inside the element.
    bag = SetOf[SequenceOf[bool]].decode(
        der("31", der("30", "0101ff"), der("30", "010101"), der("30", "010101", "010102"), der("30", "010103")),
        tolerate=Deviation.BOOLEAN_TRUE | Deviation.SET_OF_ORDER,
    )
    assert [(one.deviation.name, one.path, one.offset) for one in bag.deviations] == [
        ("SET_OF_ORDER", (1,), 7),
        ("BOOLEAN_TRUE", (1, 0), 9),
        ("BOOLEAN_TRUE", (2, 0), 14),
        ("BOOLEAN_TRUE", (2, 1), 17),
        ("SET_OF_ORDER", (3,), 20),
        ("BOOLEAN_TRUE", (3, 0), 22),
    ]
    assert [(one.path, one.offset) for one in bag[2].deviations] == [((0,), 14), ((1,), 17)]
    assert bag[0].deviations == ()


class Growing(Sequence, extensible=True):
    flag: bool | None = None
    flags: Annotated[SequenceOf[bool], Addition()] | None = None
    last: Annotated[bool, Implicit(5), Addition()] | None = None


class GrowingSet(Set, extensible=True):
    flag: bool
    flags: Annotated[SequenceOf[bool], Implicit(1)]


class Arm(derlib.Choice):
    flag: bool
    flags: Annotated[SequenceOf[bool], Explicit(0)]
    inner: Annotated[Flagged, Implicit(1)]


class Whole(Sequence):
    flag: Annotated[bool, Explicit(0)]
    lists: SequenceOf[SequenceOf[bool]]
    growing: SequenceOf[Growing]
    sets: SequenceOf[GrowingSet]
    arms: SequenceOf[Arm]
    flags: Annotated[SequenceOf[bool], Explicit(1), Explicit(2)]


def whole(flags):
    """A value of Whole with the BOOLEANs that `flags` yields, also in its unknown additions."""

    def some(count):
        return b"".join(b"\x01\x01" + next(flags) for _ in range(count))

    def under(tag, count):
        return bytes([tag, 1]) + b"".join(next(flags) for _ in range(count))

    growing = b"".join(
        der("30", some(1), der("30", some(3)), under(0x85, 1), "8701ff", der("a6", some(1)), der("a9", some(2)))
        for _ in range(2)
    )
    sets = b"".join(der("31", some(1), "8000", der("a1", some(2)), der("a2", some(2))) for _ in range(2))
    arms = b"".join((some(1), der("a0", der("30", some(2))), der("a1", some(1), "020107"), some(1)))
    return der(
        "30",
        der("a0", some(1)),
        der("30", der("30", some(3)), der("30"), der("30", some(2))),
        der("30", growing),
        der("30", sets),
        der("30", arms),
        der("a2", der("a1", der("30", some(3)))),
    )


def test_the_path_of_a_fault_does_not_depend_on_other_faults():
    breaches = Whole.decode(whole(itertools.repeat(b"\x05")), tolerate=EVERYTHING).deviations
    assert len(breaches) == 40
    alone = []
    for number in range(len(breaches)):
        octets = whole(b"\x05" if number == other else b"\xff" for other in itertools.count())
        value = Whole.decode(octets, tolerate=EVERYTHING)
        alone += value.deviations
        # The element at the path contains the fault; an unknown addition has no path of its own.
        span = value.span(*alone[-1].path)
        assert span.offset <= alone[-1].offset < span.end
    assert tuple(sorted(alone, key=lambda one: one.offset)) == breaches
    assert {one.path for one in breaches} >= {
        ("flag",),
        ("lists", 2, 1),
        ("growing", 1),
        ("growing", 1, "flags", 2),
        ("growing", 1, "last"),
        ("sets", 0, "flags", 1),
        ("sets", 1),
        ("arms", 1, "flags", 1),
        ("arms", 2, "inner", "flag"),
        ("flags", 2),
    }
