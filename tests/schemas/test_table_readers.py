"""`derlib.arrow`: tables of encodings in, tables of columns out, with null rows, errors and other columns."""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
import re
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")

import pyarrow as pa
from support.commands import CERTIFICATE, make_certificate, make_crl, run
from support.der import der

import derlib
from derlib import pem
from derlib.arrow import Reader, certificates_reader, entries_reader
from derlib.schemas.crl import entries_table
from derlib.schemas.tables import CERTIFICATE_COLUMNS, with_display_names
from derlib.schemas.x509 import certificates_table

ENCODINGS = [CERTIFICATE, None, CERTIFICATE[:-1], make_certificate("B", "b.example"), b""]


def table(encodings=ENCODINGS, type=None):
    numbers = pa.array(range(len(encodings)), pa.int64())
    return pa.table({"id": numbers, "der": pa.array(encodings, type or pa.binary())})


def test_the_columns_are_those_of_the_table_beside_the_columns_that_are_kept():
    reader = certificates_reader(keep=["id"], fingerprint=True)
    result = reader.read_table(table())
    assert result.schema.equals(reader.schema(table().schema))
    assert result.column("id").to_pylist() == list(range(5))
    hashes = [None if one is None else hashlib.sha256(one).digest() for one in ENCODINGS]
    assert result.column("fingerprint").to_pylist() == hashes
    expected = pa.table(certificates_table(ENCODINGS, on_error="null"))
    assert result.drop_columns(["id", "fingerprint"]).equals(expected)
    assert result.column("error").is_valid().to_pylist() == [False, False, True, False, True]


def test_a_reader_tolerates_deviations():
    tolerate = derlib.Deviation.BOOLEAN_TRUE
    source = pa.table({"der": pa.array([bytes.fromhex("3003010101")], pa.binary())})
    assert Reader(derlib.SequenceOf[bool], {"a": "[*]"}).read_table(source)["a"].to_pylist() == [None]
    reader = pickle.loads(pickle.dumps(Reader(derlib.SequenceOf[bool], {"a": "[*]"}, tolerate=tolerate)))
    assert reader.read_table(source)["a"].to_pylist() == [True]


def test_kept_columns_repeat_in_the_rows_of_one_encoding():
    crls = [make_crl(3), make_crl(0), b"0", None, make_crl(2)]
    result = entries_reader(["serial_number"], keep=("id",)).read_table(table(crls))
    assert result.column("id").to_pylist() == [0, 0, 0, 2, 3, 4, 4]
    expected = pa.table(entries_table(crls, ["serial_number"], on_error="null"))
    assert result.drop_columns(["id"]).equals(expected)


@pytest.mark.parametrize("type", [pa.binary(), pa.large_binary(), pa.binary_view()])
@pytest.mark.parametrize("rows", [1, 2, 100])
def test_batches_do_not_change_the_result(type, rows):
    reader = certificates_reader(["serial_number", "dns_names"], keep=["id"], fingerprint=True, batch_rows=rows)
    source = table(ENCODINGS * 3, type)
    whole = certificates_reader(["serial_number", "dns_names"], keep=["id"], fingerprint=True).read_table(source)
    batches = list(reader.read(source.to_batches(max_chunksize=4)))
    assert all(0 < batch.num_rows <= rows for batch in batches)
    assert pa.Table.from_batches(batches).equals(whole)


def test_a_slice_of_a_table_is_read_from_its_start():
    reader = certificates_reader(["serial_number"], keep=["id"])
    assert reader.read_table(table().slice(3)).column("id").to_pylist() == [3, 4]


def test_encodings_of_one_size_are_read():
    encodings = [CERTIFICATE, None, bytes(len(CERTIFICATE))]
    reader = certificates_reader(["serial_number"], keep=["id"], fingerprint=True)
    result = reader.read_table(table(encodings, pa.binary(len(CERTIFICATE))))
    assert result.equals(reader.read_table(table(encodings)))
    assert result.column("serial_number").is_valid().to_pylist() == [True, False, False]


def test_an_empty_table_has_the_columns():
    reader = certificates_reader(keep=["id"])
    result = reader.read_table(table([]))
    assert (result.num_rows, result.schema) == (0, reader.schema(table().schema))
    assert list(reader.read([])) == []


def test_a_column_of_nulls_without_a_type_is_a_column_without_encodings():
    result = certificates_reader(["version"], fingerprint=True).read_table(pa.table({"der": pa.nulls(2)}))
    assert result.to_pydict() == {name: [None, None] for name in result.schema.names}
    assert result.column("fingerprint").type == pa.binary()


def test_a_reader_is_pickled_for_the_workers():
    reader = entries_reader(["reason"], keep=["id"], limits=derlib.Limits(size=100))
    copy = pickle.loads(pickle.dumps(reader))
    assert copy == reader
    result = copy.read_table(table([make_crl(9)]))
    assert result.column("error").to_pylist() == ["input-limit"]


def test_errors_stop_the_reading_if_the_user_wants_that():
    reader = certificates_reader(["version"], on_error="raise")
    assert reader.schema(table().schema).names == ["version"]
    with pytest.raises(derlib.DecodeError, match="ends"):
        reader.read_table(table())


class Pair(derlib.Sequence):
    x: int
    y: int | None = None


def test_other_types_and_columns():
    source = pa.table({"data": pa.array([Pair(x=1).encode(), Pair(x=2, y=3).encode()])})
    result = Reader(Pair, {"x": "x", "y": "y"}, der="data", on_error="raise").read_table(source)
    assert result.to_pydict() == {"x": [1, 2], "y": [None, 3]}
    # A number that does not fit is null.
    source = pa.table({"data": pa.array([Pair(x=1 << 70).encode()])})
    assert Reader(Pair, {"x": "x"}, der="data").read_table(source).column("x").to_pylist() == [None]
    with pytest.raises(OverflowError):
        Reader(Pair, {"x": "x"}, der="data", on_error="raise").read_table(source)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"der": "cert"}, KeyError, "the table has no column 'cert'; it has id, der"),
        ({"keep": ["ids"]}, KeyError, "the table has no column 'ids'; it has id, der"),
        ({"der": "id"}, TypeError, "the column 'id' has the type int64, not binary"),
    ],
)
def test_a_table_that_does_not_fit_is_an_error(options, error, message):
    reader = certificates_reader(["version"], **options)
    with pytest.raises(error, match=message):
        reader.read_table(table())
    with pytest.raises(error, match=message):
        reader.schema(table().schema)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"keep": "id"}, TypeError, "keep: expected the names of columns, got str"),
        ({"keep": ["version"]}, ValueError, "there are two columns with the name 'version'"),
        ({"keep": ["error"]}, ValueError, "there are two columns with the name 'error'"),
        ({"keep": ["fingerprint"], "fingerprint": True}, ValueError, "two columns with the name 'fingerprint'"),
        ({"on_error": "drop"}, ValueError, "on_error: expected 'raise' or 'null', got 'drop'"),
        ({"extra": {"x": "y"}}, KeyError, "'y' is not a part of Certificate"),
        ({"names": ["x"]}, ValueError, "'x' is not a column of this table"),
    ],
)
def test_a_wrong_reader_is_an_error_before_any_worker_starts(options, error, message):
    with pytest.raises(error, match=message):
        certificates_reader(**{"names": ["version"], **options})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files as the command line has them: DER, PEM with an invalid block, an empty file, a link to a missing file."""
    monkeypatch.chdir(tmp_path)
    block = pem.encode(CERTIFICATE, "CERTIFICATE")
    Path("in").mkdir()
    Path("in/a.der").write_bytes(CERTIFICATE)
    Path("in/b.pem").write_text(block + block.replace("\nM", "\n!") + block)
    Path("in/c.der").write_bytes(CERTIFICATE[:-1])
    Path("in/d.der").write_bytes(b"")
    Path("in/e.der").symlink_to("missing")
    Path("in/f.pem").write_text(block)
    return Path("in")


def test_files_are_the_rows_of_the_command_line(folder):
    unread = []
    reader = certificates_reader(with_display_names(CERTIFICATE_COLUMNS), fingerprint=True)
    table = reader.read_files(folder, on_unread=unread.append).read_all()
    assert [(row["file"], row["block"], row["error"]) for row in table.to_pylist()] == [
        (os.path.join("in", "a.der"), None, None),
        (os.path.join("in", "b.pem"), 1, None),
        (os.path.join("in", "b.pem"), 2, "pem-invalid"),
        (os.path.join("in", "b.pem"), 3, None),
        (os.path.join("in", "c.der"), None, "content-truncated"),
        (os.path.join("in", "d.der"), None, "not-asn1"),
        (os.path.join("in", "f.pem"), None, None),
    ]
    assert [Path(error.filename) for error in unread] == [folder / "e.der"]
    result = run("table", "in", "-o", "t.arrow", status=1)
    assert f"{folder / 'e.der'}: No such file" in result.stderr
    assert table.equals(pa.ipc.open_file("t.arrow").read_all())


def test_a_truncated_value_is_one_row(tmp_path):
    (tmp_path / "a.der").write_bytes(CERTIFICATE * 2 + CERTIFICATE[:-9])
    rows = certificates_reader(["version"]).read_files(tmp_path).read_all().to_pylist()
    assert [(row["block"], row["version"], row["error"], row["error_offset"]) for row in rows] == [
        (1, 2, None, None), (2, 2, None, None), (3, None, "content-truncated", 0)
    ]


def test_files_of_a_reader_that_raises(folder):
    reader = certificates_reader(["version"], on_error="raise")
    assert reader.read_files([folder / "a.der", str(folder / "f.pem")]).read_all().to_pydict() == {
        "file": [str(folder / "a.der"), str(folder / "f.pem")],
        "block": [None, None],
        "version": [2, 2],
    }
    assert reader.read_files([]).read_all().schema.names == ["file", "block", "version"]
    for name, error in (("b.pem", derlib.PEMError), ("c.der", derlib.TruncatedError), ("d.der", derlib.TruncatedError)):
        with pytest.raises(error, match=re.escape(f"({folder / name})")):
            reader.read_files([folder / "a.der", folder / name]).read_all()
    with pytest.raises(FileNotFoundError):
        certificates_reader(["version"]).read_files(folder / "e.der").read_all()


@pytest.fixture
def signed(tmp_path, monkeypatch):
    """Objects with two certificates and a CRL: in DER, with a damaged certificate, with a damaged list, and in PEM."""
    monkeypatch.chdir(tmp_path)
    certificates, crls = der(0xA0, CERTIFICATE * 2), der(0xA1, make_crl(2))
    parts = b"\2\1\1", b"\x31\0", der(0x30, bytes.fromhex("06092a864886f70d010701")), certificates, crls, b"\x31\0"
    data = der(0x30, bytes.fromhex("06092a864886f70d010702"), der(0xA0, der(0x30, *parts)))
    Path("a.p7b").write_bytes(data)
    start = data.index(CERTIFICATE)
    Path("b.p7b").write_bytes(data[:start] + data[start:].replace(b"\x17\x0d", b"\x18\x0d", 1))
    Path("c.p7b").write_bytes(data.replace(certificates[:4], b"\xa7" + certificates[1:4]))
    Path("d.p7b").write_text(pem.encode(data, "PKCS7"))
    Path("e.pem").write_text(pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(data, "CMS"))
    Path("f.p7b").write_bytes(data[:-1])
    Path("g.p7b").write_bytes(data + b"junk")
    Path("h.p7b").write_bytes(data + CERTIFICATE)
    return sorted(Path().glob("*.p*"))


def test_the_certificates_and_crls_of_signed_data_are_rows(signed):
    reader = certificates_reader(["version"], fingerprint=True)
    rows = reader.read_files(signed).read_all().to_pylist()
    assert [(row["file"], row["block"], row["error"]) for row in rows] == [
        ("a.p7b", 1, None),
        ("a.p7b", 2, None),
        ("b.p7b", 1, "generalized-form"),
        ("b.p7b", 2, None),
        ("c.p7b", None, "unexpected-tag"),
        ("d.p7b", 1, None),
        ("d.p7b", 2, None),
        ("e.pem", 1, None),
        ("e.pem", 2, None),
        ("e.pem", 2, None),
        ("f.p7b", None, "content-truncated"),
        ("g.p7b", 1, None),
        ("g.p7b", 2, None),
        ("g.p7b", 3, "content-truncated"),
        ("h.p7b", 1, None),
        ("h.p7b", 1, None),
        ("h.p7b", 2, None),
    ]
    assert {row["fingerprint"] for row in rows if not row["error"]} == {hashlib.sha256(CERTIFICATE).digest()}
    entries = entries_reader(["reason"]).read_files(signed[0]).read_all().to_pydict()
    assert (entries["block"], entries["reason"]) == ([None, None], [None, 1])
    table = certificates_table(signed, ["version"], on_error="null", input_column="input")
    assert pa.table(table)["error"].to_pylist() == [row["error"] for row in rows]
    with pytest.raises(derlib.DecodeError, match=r"\(b\.p7b\)"):
        certificates_reader(["version"], on_error="raise").read_files(signed[:2]).read_all()


def test_tolerated_data_after_signed_data_are_not_a_row(signed):
    [junk] = (path for path in signed if path.name == "g.p7b")
    tolerate = derlib.Deviation.TRAILING_DATA
    rows = certificates_reader(["version"], tolerate=tolerate).read_files(junk).read_all().to_pylist()
    assert [(row["block"], row["error"]) for row in rows] == [(1, None), (2, None)]
    assert len(pa.table(certificates_table([junk], ["version"], tolerate=tolerate))) == 2
    # The values in BER are found by their headers, too: a certificate after it is not lost.
    octets = signed[0].read_bytes()
    Path("i.p7b").write_bytes(b"\x30\x80" + derlib.parse(octets).content + b"\0\0" + CERTIFICATE)
    assert len(pa.table(certificates_table([Path("i.p7b")], ["version"], tolerate=tolerate))) == 3


def test_a_reader_of_files_has_no_columns_to_keep():
    with pytest.raises(ValueError, match="files have no columns to keep, such as 'id'"):
        certificates_reader(keep=["id"]).read_files([])
    with pytest.raises(ValueError, match="there are two columns with the name 'file'"):
        certificates_reader(extra={"file": "tbs_certificate.version"}).read_files([])


@pytest.mark.parametrize(
    ("function", "like", "own"),
    [
        (certificates_table, derlib.columns, {"data", "names", "extra"}),
        (entries_table, derlib.columns, {"data", "names", "extra"}),
        (certificates_reader, Reader, {"names", "extra"}),
        (entries_reader, Reader, {"names", "extra"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_options_are_named_and_have_the_same_defaults(function, like, own):
    def options(call, left_out):
        found = inspect.signature(call).parameters.values()
        return {each.name: (each.default, str(each.annotation)) for each in found if each.name not in left_out}

    assert options(function, own) == options(like, {"type", "data", "paths"})


@pytest.mark.parametrize("function", [certificates_table, entries_table])
def test_a_table_passes_its_options_on(function):
    options = {"on_error": "null", "input_column": "input", "batch_rows": 1, "threads": 2}
    limits = derlib.Limits(size=1)
    read = function([b"00"], [], tolerate=derlib.Deviation.BOOLEAN_TRUE, limits=limits, **options)
    assert read.schema == {"input": "int64", "error": "utf8", "error_offset": "int64", "error_rule": "utf8"}
    assert pa.table(read)["error"].to_pylist() == ["input-limit"]
    with pytest.raises(ValueError, match="threads: expected an int from 1 to 256, got 0"):
        function([], threads=0)
    with pytest.raises(ValueError, match="batch_rows: expected an int from 1"):
        function([], batch_rows=0)
    with pytest.raises(TypeError, match="tolerate"):
        function([], tolerate="all")
