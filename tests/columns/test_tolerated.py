"""Columns of values with tolerated deviations equal what `decode` reads with the same deviations."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Annotated, Any

import pytest
from support import arrow
from support.pages import example

import derlib
from derlib import BitString, Column, DefinedBy, Deviation, NamedBits, ObjectIdentifier, OpenTypes, Sequence, SequenceOf
from derlib.schemas.x509 import Certificate, Name, certificates_table

ALL = ~Deviation(0)
VALUES = OpenTypes("VALUES")
OPAQUE = OpenTypes("OPAQUE", on_mismatch="opaque")


class Usage(NamedBits):
    sign = 1 << 0
    seal = 1 << 1


class Level(derlib.Enumerated):
    low = 0
    high = 5


class Open(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", VALUES)]


class InString(Sequence):
    kind: ObjectIdentifier
    value: Annotated[bytes, DefinedBy("kind", VALUES)]


class Opaque(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OPAQUE)]


class Flag(Sequence):
    flag: bool = False


VALUES.register("1.2.3", Flag)
OPAQUE.register("1.2.3", Flag)


def read(type: Any, data: Any, column: Column, tolerate: Deviation) -> Any:
    """Return the cell of a value alone; it is the same in a list column, and in rows with and without a template."""
    encodings = [data, data]
    [alone, again] = arrow.table(derlib.columns(type, encodings, {"a": column}, tolerate=tolerate))["a"]
    assert again == alone
    path = f".{column.path}" if column.path and not str(column.path).startswith("[") else column.path
    # The list has enough elements for templates.
    rows = derlib.encode(b"".join([data] * 300), bytes)
    rows = b"\x30" + rows[1:]
    each = column._replace(path=f"[*]{path}")
    assert arrow.table(derlib.columns(SequenceOf[type], rows, {"a": each}, tolerate=tolerate))["a"] == [alone] * 300
    listed = column._replace(path=f"[]{path}")
    if column.path and '"' not in str(column.path):
        found = arrow.table(derlib.columns(SequenceOf[type], rows, {"a": listed}, tolerate=tolerate))
        assert found == {"a": [[alone] * 300]}
    return alone


def holder(type: Any) -> Any:
    """Return a SEQUENCE with the field x."""

    class Holder(Sequence, fields=[derlib.Field("x", type)]):
        pass

    return Holder


def of(tag: int, contents: bytes) -> bytes:
    return bytes([tag, len(contents)]) + contents


def noon(minute: int = 0) -> datetime:
    return datetime(2026, 1, 2, 12, minute, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("type", "encoding", "column_type", "deviation", "expected"),
    [
        (bool, of(1, b"\1"), None, Deviation.BOOLEAN_TRUE, True),
        (int, of(2, b"\0\5"), None, Deviation.INTEGER_PADDING, 5),
        (int, of(2, bytes(9) + b"\5"), None, Deviation.INTEGER_PADDING, 5),
        (int, of(2, b"\xff" * 9 + b"\xfb"), None, Deviation.INTEGER_PADDING, -5),
        (int, of(2, b"\0\5"), "text", Deviation.INTEGER_PADDING, "5"),
        (int, of(2, b"\xff\xfb"), "text", Deviation.INTEGER_PADDING, "-5"),
        (int, of(2, b"\0\5"), "bits", Deviation.INTEGER_PADDING, 3),
        (int, of(2, b"\0\5"), "binary", Deviation.INTEGER_PADDING, b"\0\5"),
        (Level, of(10, b"\0\5"), None, Deviation.INTEGER_PADDING, 5),
        (Level, of(10, b"\0\5"), "text", Deviation.INTEGER_PADDING, "high"),
        (Usage, of(3, b"\0\x80"), None, Deviation.NAMED_BITS, 1),
        (Usage, of(3, b"\0\xc0"), None, Deviation.NAMED_BITS, 3),
        (Usage, of(3, b"\0\x40" + bytes(10)), None, Deviation.NAMED_BITS, 2),
        (Usage, of(3, b"\7\xff"), None, Deviation.UNUSED_BITS, 1),
        (Usage, of(3, b"\7\xff"), "binary", Deviation.UNUSED_BITS, b"\x80"),
        (BitString, of(3, b"\4\xaa\xff"), None, Deviation.UNUSED_BITS, b"\xaa\xf0"),
        (str, of(12, b"a\xe9b"), None, Deviation.STRING_ENCODING, "a\xe9b"),
        (str, of(12, b"\xff"), None, Deviation.STRING_ENCODING, "\xff"),
        (derlib.BMPString, of(30, b"\0aa"), None, Deviation.STRING_ENCODING, "\0aa"),
        (derlib.BMPString, of(30, b"\xd8\0"), None, Deviation.STRING_ENCODING, "\xd8\0"),
        (derlib.UniversalString, of(28, b"\0\0a"), None, Deviation.STRING_ENCODING, "\0\0a"),
        (derlib.PrintableString, of(19, b"@"), None, Deviation.STRING_ALPHABET, "@"),
        (derlib.PrintableString, of(19, b"\xc3\xa9"), None, Deviation.STRING_ALPHABET, "\xc3\xa9"),
        (derlib.IA5String, of(22, b"\xe9"), None, Deviation.STRING_ALPHABET, "\xe9"),
        (derlib.IA5String, of(22, b"\xe9"), "dictionary", Deviation.STRING_ALPHABET, "\xe9"),
        (derlib.UTCTime, of(23, b"2601021200Z"), None, Deviation.UTC_TIME_FORM, noon()),
        (derlib.UTCTime, of(23, b"260102120000-0130"), None, Deviation.UTC_TIME_FORM, noon() + timedelta(minutes=90)),
        (derlib.GeneralizedTime, of(24, b"2026010212-0030"), None, Deviation.GENERALIZED_TIME_FORM, noon(30)),
        (derlib.GeneralizedTime, of(24, b"20260102120000,50Z"), None, Deviation.GENERALIZED_TIME_FORM, noon()),
        (bytes, b"\x04\x81\1a", None, Deviation.LENGTH_FORM, b"a"),
    ],
)
def test_a_tolerated_form_is_read_as_decode_reads_it(type, encoding, column_type, deviation, expected):
    data = of(0x30, encoding)
    type = holder(type)
    for tolerated in (deviation, ALL):
        assert read(type, data, Column("x", column_type), tolerated) == expected
        value = type.decode(data, tolerate=tolerated).x
        if column_type is None and not isinstance(value, BitString):
            assert (value.replace(microsecond=0) if isinstance(value, datetime) else value) == expected
    columns = derlib.columns(type, data, {"x": Column("x", column_type)})
    with pytest.raises(arrow.StreamError, match=f"Deviation.{deviation.name} tolerates it"):
        arrow.table(columns)


def test_a_padded_integer_in_a_cell_of_a_fixed_size():
    data = of(0x30, of(2, b"\0\0\0\5"))
    columns = derlib.columns(holder(int), data, {"x": Column("x", "binary", width=2)}, tolerate=ALL)
    assert arrow.table(columns) == {"x": [b"\0\5"]}


def test_an_encoded_default_and_data_after_the_value_are_read():
    assert read(Flag, bytes.fromhex("3003 010100"), Column("flag"), Deviation.DEFAULT_ENCODED) is False
    columns = derlib.columns(Flag, bytes.fromhex("3003 0101ff 0000"), {"a": "flag"}, tolerate=Deviation.TRAILING_DATA)
    assert arrow.table(columns) == {"a": [True]}


# 1.2.3, and a Flag that is true, TRUE in another form, an INTEGER, and contents with a byte after them.
GOOD = "300906022a03 3003 0101ff"
OTHER_TRUE = "300906022a03 3003 010101"
MISMATCH = "300706022a03 020105"


@pytest.mark.parametrize(
    ("type", "data", "tolerate", "expected"),
    [
        (Open, GOOD, ALL, True),
        (Open, OTHER_TRUE, ALL, True),
        (Open, OTHER_TRUE, Deviation.BOOLEAN_TRUE, True),
        (Open, OTHER_TRUE, Deviation.OPEN_TYPE | Deviation.BOOLEAN_TRUE, True),
        (Open, MISMATCH, ALL, None),
        (Open, MISMATCH, Deviation.OPEN_TYPE, None),
        (InString, "300b06022a03 0405 3003 0101ff", ALL, True),
        (InString, "300c06022a03 0406 3003 0101ff 00", ALL, True),
        (InString, "300c06022a03 0406 3003 0101ff 00", Deviation.TRAILING_DATA, True),
        (InString, "300c06022a03 0406 3003 0101ff 00", Deviation.OPEN_TYPE, None),
        (InString, "300706022a03 0401 ff", ALL, None),
        (InString, "300606022a03 0400", ALL, None),
        (Opaque, GOOD, ALL, True),
        (Opaque, OTHER_TRUE, ALL, True),
        (Opaque, MISMATCH, ALL, None),
        (Opaque, MISMATCH, None, None),
    ],
)
def test_an_open_type_with_tolerated_faults(type, data, tolerate, expected):
    data = bytes.fromhex(data)
    assert read(type, data, Column('["1.2.3"].flag'), tolerate) is expected
    value = type.decode(data, tolerate=tolerate).value
    assert isinstance(value, Flag) is (expected is not None)


def test_a_mismatch_is_found_in_each_row():
    rows = [bytes.fromhex(one) for one in [GOOD, OTHER_TRUE] * 40 + [MISMATCH] * 40 + [GOOD] * 80]
    data = b"\x30\x82" + sum(map(len, rows)).to_bytes(2, "big") + b"".join(rows)
    paths = {"a": Column('[*]["1.2.3"].flag'), "b": Column('[]["1.2.3"].flag')}
    table = arrow.table(derlib.columns(SequenceOf[Open], data, paths, tolerate=ALL))
    assert table["a"] == [True] * 80 + [None] * 40 + [True] * 80
    assert table["b"] == [table["a"]] * 200


def test_the_forms_of_one_input_do_not_change_the_next():
    good, latin = bytes.fromhex("3004 0c02c3a9"), bytes.fromhex("3003 0c01e9")
    columns = derlib.columns(holder(str), [good, latin, good], {"x": "x"}, tolerate=ALL, threads=2)
    assert arrow.table(columns) == {"x": ["\xe9", "\xe9", "\xe9"]}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_large_list_with_tolerated_faults(threads):
    class Pair(Sequence):
        number: int
        flag: bool

    element = bytes.fromhex("3007 020205dc 010101")
    count = 200_000
    data = b"\x30\x83" + (count * len(element)).to_bytes(3, "big") + element * count
    paths = {"number": "[*].number", "flag": "[*].flag"}
    columns = derlib.columns(SequenceOf[Pair], [data, data], paths, tolerate=ALL, threads=threads)
    rows = 0
    for batch in arrow.batches(columns):
        rows += len(batch["flag"])
        assert set(batch["flag"]) == {True}
        assert set(batch["number"]) == {1500}
    assert rows == 2 * count


def test_a_certificate_of_a_tpm_is_a_row():
    data = example("tpm.cer")
    with pytest.raises(arrow.StreamError, match="tolerates it"):
        arrow.table(certificates_table(data))
    tolerate = Deviation.DEFAULT_ENCODED | Deviation.NAMED_BITS
    table = arrow.table(certificates_table([data, data], tolerate=tolerate))
    certificate = Certificate.decode(data, tolerate=tolerate)
    assert table["not_after"] == [certificate.not_after] * 2
    assert table["key_usage"] == [int(certificate.key_usage)] * 2
    assert table["subject"] == [str(certificate.subject)] * 2


@pytest.mark.parametrize("tolerate", [Deviation.STRING_ALPHABET, ALL])
def test_the_text_of_a_name_with_a_tolerated_string(tolerate):
    text = "Ab\xc3\xbc"
    organization = of(0x30, of(6, b"\x55\4\x0a") + of(19, text.encode("latin-1")))
    data = of(0x30, of(0x31, organization))
    type = holder(Name)
    paths = {"text": Column("x"), "attributes": Column("x", "attributes")}
    table = arrow.table(derlib.columns(type, of(0x30, data), paths, tolerate=tolerate))
    assert table["text"] == [f"O={text}"] == [str(derlib.decode(Name, data, tolerate=tolerate))]
    assert table["attributes"][0][0]["value"] == text


def test_options_are_checked():
    with pytest.raises(TypeError, match=r"expected derlib.Deviation for tolerate, got int"):
        derlib.columns(Flag, b"", {"a": "flag"}, tolerate=1)  # type: ignore[arg-type]
