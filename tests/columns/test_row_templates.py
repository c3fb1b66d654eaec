"""Long lists of similar rows are read by templates; the cells equal those of Python objects."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow

import derlib
from derlib.schemas.crl import CertificateList

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1950, 1, 1, tzinfo=UTC)


class Inner(derlib.Sequence):
    text: derlib.PrintableString
    bits: derlib.BitString | None = None


class Row(derlib.Sequence):
    number: int
    time: derlib.UTCTime | None = None
    flag: bool = False
    octets: Annotated[bytes, derlib.Implicit(0)] | None = None
    inner: Inner | None = None
    oid: derlib.ObjectIdentifier | None = None
    known: Annotated[bool, derlib.Implicit(1)] | None = None
    count: Annotated[int, derlib.Implicit(2)] | None = None


Rows = derlib.SequenceOf[Row]
PATHS: dict[str, str | derlib.Column] = {
    "number": "[*].number",
    "binary": derlib.Column("[*].number", "binary"),
    "time": "[*].time",
    "time_text": derlib.Column("[*].time", "text"),
    "flag": "[*].flag",
    "octets": "[*].octets",
    "element": derlib.Column("[*].octets", "encoding"),
    "text": "[*].inner.text",
    "bits": "[*].inner.bits",
    "inner": "[*].inner",
    "oid": "[*].oid",
    "known": "[*].known",
    "count_bits": derlib.Column("[*].count", "bits"),
    "count_size": derlib.Column("[*].count", "size"),
}
WORDS = st.text("abc XYZ", max_size=20)
TIMES = st.integers(0, (1 << 31) - 1).map(lambda seconds: EPOCH + datetime.timedelta(seconds=seconds))
SHAPE = st.fixed_dictionaries(
    {"number": st.integers(-(1 << 63), (1 << 63) - 1)},
    optional={
        "time": TIMES,
        "flag": st.just(True),
        "octets": st.binary(max_size=40),
        "inner": st.fixed_dictionaries({"text": WORDS}, optional={"bits": st.binary(max_size=3).map(derlib.BitString)}),
        "oid": st.sampled_from(["1.2.3", "2.999.1"]),
        "known": st.booleans(),
        "count": st.integers(0, 300),
    },
)


def expected(rows: Any) -> list[tuple[Any, ...]]:
    """Return the cells of each row, from Python objects."""
    return [
        (
            row.number,
            derlib.encode(row.number, int)[2:],
            row.time,
            None if row.time is None else row.time.strftime("%y%m%d%H%M%SZ"),
            row.flag,
            row.octets,
            None if row.octets is None else b"\x80" + bytes([len(row.octets)]) + row.octets,
            None if row.inner is None else row.inner.text,
            None if row.inner is None or row.inner.bits is None else row.inner.bits.bytes,
            None if row.inner is None else bytes(row.inner.der),
            None if row.oid is None else row.oid.dotted,
            row.known,
            None if row.count is None else row.count.bit_length(),
            None if row.count is None else len(derlib.encode(row.count, int)),
        )
        for row in rows
    ]


def read(data: bytes, **options: Any) -> list[tuple[Any, ...]]:
    """Return the cells of each row by `columns`."""
    return list(zip(*arrow.table(derlib.columns(Rows, data, PATHS, **options)).values(), strict=True))


@given(st.lists(SHAPE, min_size=1, max_size=5), st.data())
def test_rows_of_a_few_shapes_equal_their_values(shapes, data):
    order = data.draw(st.lists(st.integers(0, len(shapes) - 1), min_size=20, max_size=60))
    rows = Rows.from_native([{**shapes[i], "number": shapes[i]["number"] ^ number} for number, i in enumerate(order)])
    assert read(rows.encode(), batch_rows=data.draw(st.sampled_from([1, 7, 65536]))) == expected(rows)


def test_blocks_without_any_cell_of_a_column():
    shapes: list[dict[str, Any]] = [{}, {"known": True, "count": 9}, {"time": EPOCH}, {"oid": "1.2.3", "octets": b"a"}]
    rows = Rows.from_native([{"number": n, **shapes[n % 7 % 4 if n % 600 > 300 else 0]} for n in range(5000)])
    assert read(rows.encode()) == expected(rows)


def row(*parts: str) -> bytes:
    """Return a row whose number is 5."""
    contents = b"\x02\x01\x05" + b"".join(bytes.fromhex(part) for part in parts)
    return bytes((0x30, len(contents))) + contents


def rows_of(*encodings: bytes) -> bytes:
    contents = b"".join(encodings)
    return b"\x30\x82" + len(contents).to_bytes(2, "big") + contents


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        pytest.param(b"260228000000Z", b"240229000000Z", id="29 February"),
        pytest.param(b"491231235959Z", b"500101000000Z", id="the first century"),
    ],
)
def test_times_in_a_block(usual, odd):
    data = rows_of(*[row("170d" + (odd if i == 30 else usual).hex()) for i in range(60)])
    times = [time for _, _, time, *_ in read(data)]
    values = {}
    for text in (usual, odd):
        year = int(text[:2]) + (1900 if text >= b"50" else 2000)
        values[text] = datetime.datetime.strptime(f"{year}{text[2:].decode()}", "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
    assert times == [values[odd if i == 30 else usual] for i in range(60)]


def test_only_nulls_then_values():
    data = rows_of(*[row()] * 600, *[row("0101ff", "8002abcd")] * 100)
    cells = read(data)
    assert [(octets, element) for _, _, _, _, _, octets, element, *_ in cells] == (
        [(None, None)] * 600 + [(b"\xab\xcd", b"\x80\x02\xab\xcd")] * 100
    )


def test_keys_and_entries_of_other_extensions_of_the_same_length():
    def entry(serial: int, oid: str) -> bytes:
        extension = bytes.fromhex(f"300c300a0603{oid}04030a0101")
        contents = b"\x02\x03" + serial.to_bytes(3, "big") + b"\x17\x0d260101000000Z" + extension
        return bytes((0x30, len(contents))) + contents

    entries = b"".join(entry(0x10000 + i, "551d15" if i % 7 else "551d63") for i in range(400))
    name = bytes.fromhex("3000")
    algorithm = bytes.fromhex("300506032a0304")
    tbs = b"\x02\x01\x01" + algorithm + name + b"\x17\x0d260101000000Z" + b"\x30\x82" + len(entries).to_bytes(2, "big")
    tbs += entries
    contents = b"\x30\x82" + len(tbs).to_bytes(2, "big") + tbs + algorithm + b"\x03\x01\x00"
    data = b"\x30\x82" + len(contents).to_bytes(2, "big") + contents
    path = "tbs_cert_list.revoked_certificates[*]"
    table = arrow.table(derlib.columns(CertificateList, data, {
        "serial": f"{path}.user_certificate", "reason": f'{path}.crl_entry_extensions["2.5.29.21"]',
    }))  # fmt: skip
    assert table["serial"] == [0x10000 + i for i in range(400)]
    assert table["reason"] == [1 if i % 7 else None for i in range(400)]
