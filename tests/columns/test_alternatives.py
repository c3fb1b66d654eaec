"""Columns with the alternative of a CHOICE and its text equal the values of Python objects."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any

import pytest
from corpus.files import corpus
from hypothesis import given
from hypothesis import strategies as st
from support import arrow

import derlib
from derlib import BitString, Choice, Column, Explicit, Implicit, ObjectIdentifier, OctetString, Sequence, SequenceOf
from derlib._brief import on_one_line
from derlib.schemas.attributes import Name
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.x509 import Certificate

STRUCT = "struct<alternative: utf8, value: utf8>"


class Version(derlib.NamedInteger):
    v1 = 0
    v2 = 1


class Inner(Choice):
    one: str
    two: derlib.IA5String


class Mixed(Choice):
    one: str
    two: int


class Value(Choice, extensible=True):
    text: str
    number: int
    version: Annotated[Version, Implicit(0)]
    oid: ObjectIdentifier
    flag: bool
    octets: OctetString
    bits: BitString
    time: derlib.UTCTime
    inner: Annotated[Inner, Explicit(1)]
    mixed: Annotated[Mixed, Explicit(2)]
    name: Annotated[Name, Explicit(3)]
    names: Annotated[SequenceOf[ObjectIdentifier], Implicit(4)]
    wide: derlib.BMPString
    ip_address: Annotated[OctetString, Implicit(5)]


class Holder(Sequence):
    value: Annotated[Value, Explicit(0)] | None = None
    values: SequenceOf[Value] | None = None


def text_of(value: Any) -> str | None:
    """Return the text of the value of an alternative."""
    part = value.value
    if value.alternative == "ip_address" and len(part) in (4, 8, 16, 32):
        return address(part)
    if value.alternative in ("names", "flag", "mixed", "other_name", "x400_address", "edi_party_name"):
        return f"#{bytes(value.der).hex()}"
    if isinstance(part, Inner):
        part = part.value
    if isinstance(part, bytes):
        return part.hex()
    if isinstance(part, BitString):
        return part.bytes.hex()
    if isinstance(part, ObjectIdentifier):
        return part.dotted
    if value.alternative == "time":
        return str(part.strftime("%y%m%d%H%M%SZ"))
    if isinstance(part, int) and part.bit_length() > 8192:
        return None
    return str(part)


def shown(value: Any) -> str | None:
    """Return the text of a value in a column of the type "display"."""
    return None if value is None else on_one_line(derlib.pretty(value).splitlines())


def address(octets: bytes) -> str:
    half = len(octets) // 2
    if half in (4, 16):
        return f"{ipaddress.ip_address(octets[:half])}/{ipaddress.ip_address(octets[half:])}"
    return str(ipaddress.ip_address(octets))


def cell(value: Any) -> dict[str, Any] | None:
    return None if value is None else {"alternative": value.alternative, "value": text_of(value)}


def read(type: Any, data: Any, **paths: Any) -> dict[str, list[Any]]:
    return arrow.table(derlib.columns(type, data, paths))


NUMBERS = st.integers() | st.sampled_from([0x550403, 1 << 9000])
TEXT = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=4)
ASCII = st.text("abc", max_size=4)
# Python 3.13 prints IPv4-mapped addresses in another way than earlier versions.
ADDRESSES = st.sampled_from([4, 8, 16, 32]).flatmap(
    lambda size: st.lists(st.sampled_from([0, 0, 0, 1, 10, 0x7F, 0xFE, 0xFF]), min_size=size, max_size=size).map(bytes)
).filter(lambda octets: bytes(10) + b"\xff\xff" not in (octets[:12], octets[16:28]))  # fmt: skip
VALUES = {
    "text": TEXT,
    "number": NUMBERS,
    "version": st.sampled_from([0, 1, 7]),
    # The OBJECT IDENTIFIER of commonName, which has a short name in Names only.
    "oid": st.sampled_from(["2.5.4.3", "1.2.3", "2.25.340282366920938463463374607431768211455"]),
    "flag": st.booleans(),
    "octets": st.binary(max_size=5),
    "bits": st.binary(max_size=5).map(BitString),
    "time": st.just("260102030405Z"),
    "inner": st.builds(lambda text: {"one": text}, TEXT) | st.builds(lambda text: {"two": text}, ASCII),
    "mixed": st.builds(lambda number: {"two": number}, st.integers()),
    "name": st.sampled_from([{}, {"CN": "a, b", "C": "GB"}]).map(Name.of),
    "names": st.just(["1.2.3"]),
    "wide": TEXT,
    "ip_address": ADDRESSES | st.binary(max_size=5),
}
VALUE = st.one_of([each.map(lambda value, name=name: Value(**{name: value})) for name, each in VALUES.items()])


@given(st.lists(st.tuples(st.none() | VALUE, st.lists(VALUE, max_size=6))), st.sampled_from([1, 2, 65536]))
def test_cells_of_generated_values(values, batch_rows):
    columns = check_cells(values, batch_rows, "alternative", cell)
    assert columns.lost["value"] == sum(value is not None and text_of(value) is None for value, _ in values)


def check_cells(values, batch_rows, type, expected):
    """Check columns of this type; `expected` returns the cell of a value. Return the columns of the single values."""
    inputs = [Holder(value=value, values=rows).encode() for value, rows in values]
    column = Column("value", type)
    columns = derlib.columns(Holder, inputs, {"value": column}, batch_rows=batch_rows)
    assert arrow.table(columns) == {"value": [expected(value) for value, _ in values]}
    # As a constant of rows, and as the rows and the items of lists.
    paths = {"value": column, "row": Column("values[*]", type), "rows": Column("values[]", type)}
    found = arrow.table(derlib.columns(Holder, inputs, paths, batch_rows=batch_rows))
    rows = [(expected(value), expected(row), [*map(expected, rows)]) for value, rows in values for row in rows]
    assert list(zip(*found.values(), strict=True)) == rows
    return columns


@given(st.lists(VALUE, min_size=1, max_size=5), st.integers(10, 60))
def test_rows_that_templates_read(values, times):
    rows = SequenceOf[Value](values * times)
    column = Column("[*]", "alternative")
    assert read(SequenceOf[Value], rows.encode(), value=column) == {"value": [*map(cell, rows)]}
    holders = SequenceOf[Holder]([{"value": value} for value in values] * times)
    column = Column("[*].value", "alternative")
    assert read(SequenceOf[Holder], holders.encode(), value=column) == {"value": [*map(cell, rows)]}


@pytest.mark.parametrize(
    ("octets", "text"),
    [
        ("00000000", "0.0.0.0"),
        ("ff0a0064", "255.10.0.100"),
        ("00" * 16, "::"),
        ("00" * 15 + "01", "::1"),
        ("20010db8" + "00" * 11 + "01", "2001:db8::1"),
        ("20010db8000000010001000100010001", "2001:db8:0:1:1:1:1:1"),
        ("20010000000000010000000000000001", "2001:0:0:1::1"),
        ("20010db8000000000001000000000001", "2001:db8::1:0:0:1"),
        ("ff" + "00" * 15, "ff00::"),
        ("00" * 10 + "ffff" + "c0000201", "::ffff:192.0.2.1"),
        ("00" * 8 + "0000ffff" + "c0000201", "::ffff:192.0.2.1"),
        ("00" * 8 + "ffff0000" + "c0000201", "::ffff:0:c000:201"),
        ("00" * 10 + "fffe" + "c0000201", "::fffe:c000:201"),
        ("ff" * 16, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("0a000000ff000000", "10.0.0.0/255.0.0.0"),
        ("00" * 16 + "ff" * 8 + "00" * 8, "::/ffff:ffff:ffff:ffff::"),
        ("", ""),
        ("0a0000", "0a0000"),
    ],
)
def test_addresses(octets, text):
    names = GeneralNames([{"ip_address": bytes.fromhex(octets)}]).encode()
    found = read(GeneralNames, names, name=Column("[*]", "alternative"))
    assert found == {"name": [{"alternative": "ip_address", "value": text}]}


def test_all_forms_of_general_names():
    name = Name.of({"C": "GB", "CN": "a, b"})
    values: list[dict[str, Any]] = [
        {"other_name": {"type_id": "1.2.3", "value": b"\x02\x01\x05"}}, {"rfc822_name": "a@b"},
        {"dns_name": "example.org"}, {"directory_name": name}, {"edi_party_name": {"party_name": "x"}},
        {"uniform_resource_identifier": "ldap://x/"}, {"registered_id": "2.5.4.3"},
    ]  # fmt: skip
    names = GeneralNames(values)
    columns = derlib.columns(GeneralNames, names.encode(), {"names": Column("[]", "alternative")})
    assert columns.schema == {"names": f"list<{STRUCT}>"}
    assert arrow.schema_of(columns) == {"names": "+l+salternative:u,value:u"}
    assert arrow.table(columns) == {"names": [[*map(cell, names)]]}
    assert text_of(names[3]) == "CN=a\\, b,C=GB"
    assert text_of(names[6]) == "2.5.4.3"


@pytest.mark.parametrize("type_", ["alternative", "display"])
def test_unknown_alternatives_are_null(type_):
    unknown = bytes.fromhex("a9020500")
    known = bytes.fromhex("0c0161")
    data = derlib.encode([], SequenceOf[Value])[:1] + b"\x0b" + unknown + known + unknown
    value = {"alternative": "text", "value": "a"} if type_ == "alternative" else "text: a"
    for path, expected in {"[*]": [None, value, None], "[]": [[None, value, None]]}.items():
        columns = derlib.columns(SequenceOf[Value], data, {"value": Column(path, type_)})
        assert arrow.table(columns) == {"value": expected}
        assert columns.lost == {"value": 2}
    data = b"\x30\x04" + unknown
    assert read(SequenceOf[Value], [data, data], value=Column("[]", type_)) == {"value": [[None], [None]]}
    assert read(SequenceOf[Value], [data, data], value=Column("[*]", type_)) == {"value": [None, None]}


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_threads_divide(threads):
    names = GeneralNames([
        {"dns_name": f"{number}.example"} if number % 3 else {"ip_address": number.to_bytes(4, "big")}
        for number in range(100_000)
    ])  # fmt: skip
    assert len(names.encode()) > 1 << 20
    column = Column("[*]", "alternative")
    found = arrow.table(derlib.columns(GeneralNames, names.encode(), {"name": column}, threads=threads))
    assert found["name"] == [*map(cell, names)]


@given(st.lists(st.tuples(st.none() | VALUE, st.lists(VALUE, max_size=6))), st.sampled_from([1, 2, 65536]))
def test_cells_for_people(values, batch_rows):
    check_cells(values, batch_rows, "display", shown)


@given(st.lists(VALUE, min_size=1, max_size=5), st.integers(10, 60))
def test_rows_for_people_that_templates_read(values, times):
    rows = SequenceOf[Value](values * times)
    assert read(SequenceOf[Value], rows.encode(), value=Column("[*]", "display")) == {"value": [*map(shown, rows)]}


UPN, KERBEROS = "1.3.6.1.4.1.311.20.2.3", "1.3.6.1.5.2.2"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ({"dns_name": "www.example.org"}, "dns_name: www.example.org"),
        ({"dns_name": ""}, "dns_name:"),
        ({"dns_name": "a\x00\n\\b \x7f "}, r"dns_name: a\x00\x0a\\b \x7f"),
        ({"rfc822_name": "a@b.example"}, "rfc822_name: a@b.example"),
        ({"uniform_resource_identifier": "urn:x"}, "uniform_resource_identifier: urn:x"),
        ({"ip_address": bytes([192, 0, 2, 1])}, "ip_address: 192.0.2.1"),
        ({"ip_address": bytes.fromhex("20010db8" + 23 * "0" + "1")}, "ip_address: 2001:db8::1"),
        ({"ip_address": bytes([10, 0, 0, 0, 255, 0, 0, 0])}, "ip_address: 10.0.0.0/255.0.0.0"),
        ({"ip_address": b"\x01\x02"}, "ip_address: 01:02"),
        ({"registered_id": "1.2.90.0"}, "registered_id: 1.2.90.0"),
        ({"directory_name": Name.of({"C": "GB", "CN": "a, b"})}, r"directory_name: CN=a\, b, C=GB"),
        ({"directory_name": Name.of({"1.2.840.113549.1.9.1": "a@b"})}, "directory_name: emailAddress=a@b"),
        ({"directory_name": Name.of({})}, "directory_name: (empty)"),
        ({"edi_party_name": {"party_name": "x"}}, "edi_party_name: party_name: x"),
        ({"other_name": {"type_id": UPN, "value": "a@b"}}, "other_name: UPN=a@b"),
        ({"other_name": {"type_id": "1.2.3", "value": b"\x02\x01\x05"}}, "other_name: 1.2.3=02:01:05"),
        (
            {"other_name": {"type_id": KERBEROS, "value": {
                "realm": "E", "principal_name": {"name_type": 1, "name_string": ["ann", "b"]},
            }}},
            "other_name: pkinit-san: realm: E; principal_name: name_type: 1; name_string: - ann; - b",
        ),
        (
            {"x400_address": {"built_in_standard_attributes": {"organization_name": "X"}}},
            "x400_address: built_in_standard_attributes: organization_name: X",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("tolerate", [None, derlib.Deviation.STRING_ALPHABET])
def test_general_names_for_people(name, text, tolerate):
    names = GeneralNames.from_native([name])
    columns = derlib.columns(GeneralNames, names.encode(), {"n": Column("[*]", "display")}, tolerate=tolerate)
    assert columns.schema == {"n": "utf8"}
    assert arrow.table(columns) == {"n": [text]} == {"n": [str(names[0])]}


def test_names_inside_and_outside_of_a_choice_for_people():
    class Both(Sequence):
        name: Name
        value: Annotated[Value, Explicit(0)] | None = None

    name = Name.of({"1.2.840.113549.1.9.1": "a@b", "C": "GB"})
    inputs = [Both(name=name, value=Value(name=name)).encode(), Both(name=name).encode()]
    paths = {"value": Column(("value", "name"), "display"), "name": Column("name", "display")}
    text = "C=GB, emailAddress=a@b"
    assert read(Both, inputs, **paths) == {"value": [text, text], "name": [text, text]}
    assert read(SequenceOf[Value], SequenceOf[Value]([Value(name=name)]).encode(), n=Column("[0]", "display")) == {
        "n": [f"name: {text}"]
    }


def test_long_names_for_people_are_not_shortened():
    text = 1000 * "a"
    name = Name.of({"CN": text})
    names = GeneralNames([{"uniform_resource_identifier": text}, {"directory_name": name}])
    expected = [f"uniform_resource_identifier: {text}", f"directory_name: CN={text}"]
    assert read(GeneralNames, names.encode(), n=Column("[*]", "display")) == {"n": expected}


def test_names_for_people_in_another_encoding():
    tolerate = derlib.Deviation.STRING_ALPHABET
    data = bytes.fromhex("3006 8204 61e4 ad62")
    columns = derlib.columns(GeneralNames, data, {"n": Column("[*]", "display")}, tolerate=tolerate)
    name = GeneralNames.decode(data, tolerate=tolerate)[0]
    assert arrow.table(columns) == {"n": [str(name)]} == {"n": ["dns_name: a\u00e4\\xadb"]}


def test_names_for_people_that_threads_divide():
    names = GeneralNames([
        {"registered_id": f"1.2.{number}"} if number % 1000 == 0 else {"dns_name": f"{number}.example"}
        for number in range(100_000)
    ])  # fmt: skip
    assert len(names.encode()) > 1 << 20
    column = Column("[*]", "display")
    found = arrow.table(derlib.columns(GeneralNames, names.encode(), {"name": column}, threads=2))
    assert found["name"] == [
        f"registered_id: 1.2.{number}" if number % 1000 == 0 else f"dns_name: {number}.example"
        for number in range(100_000)
    ]


def test_names_of_the_corpora():
    data = [item.der for item in corpus() if item.kind == "certificate"]
    paths = {"names": Column('tbs_certificate.extensions["2.5.29.17"][]', "alternative")}
    table = arrow.table(derlib.columns(Certificate, data, paths, on_error="null", batch_rows=100))
    forms = set()
    for names, error, one in zip(table["names"], table["error"], data, strict=True):
        extensions = () if error else Certificate.decode(one).tbs_certificate.extensions or ()
        found = [each.extn_value for each in extensions if each.extn_id.dotted == "2.5.29.17"]
        assert names == ([*map(cell, found[0])] if found else None)
        forms |= {each["alternative"] for each in names or ()}
    assert {"dns_name", "ip_address", "directory_name", "rfc822_name"} <= forms


def test_wrong_columns_are_refused():
    with pytest.raises(ValueError, match=r"a column of INTEGER has the type .*, not alternative"):
        derlib.columns(SequenceOf[int], b"", {"a": Column("[*]", "alternative")})
    paths = (Column("value", "alternative"), Column("values[0]", "alternative"))
    derlib.columns(Holder, b"", {"a": Column(paths)})

    class Two(Sequence):
        value: Annotated[Value, Explicit(0)]
        name: Annotated[GeneralName, Explicit(1)]

    for type_ in ("alternative", "display"):
        with pytest.raises(ValueError, match="CHOICEs with different alternatives"):
            derlib.columns(Two, b"", {"a": Column(("value", "name"), type_)})

    with pytest.raises(ValueError, match="CHOICEs with different alternatives"):
        derlib.columns(Two, b"", {"a": Column(("value", "name"), "alternative")})


def test_arrow_libraries_take_alternatives():
    names = GeneralNames([{"dns_name": "a"}, {"ip_address": bytes(16)}])
    data = [names.encode(), None]
    columns = derlib.columns(GeneralNames, data, {"names": Column("[]", "alternative")})
    expected = [[*map(cell, names)], None]
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.table(columns)
    table.validate(full=True)
    assert table["names"].to_pylist() == expected
    rows = pyarrow.table(derlib.columns(GeneralNames, data, {"name": Column("[*]", "alternative")}))
    rows.validate(full=True)
    assert rows["name"].to_pylist() == [*(expected[0] or ()), None]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert polars.DataFrame(columns)["names"].to_list() == expected
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert duckdb.sql("select names from columns").fetchall() == [(each,) for each in expected]
