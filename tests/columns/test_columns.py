"""Columns equal the values that Python objects give, and nothing leaks or crashes on the way."""

from __future__ import annotations

import gc
import io
import sys
import tracemalloc
from pathlib import Path
from typing import Annotated, Any

import cryptography_vectors
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow
from support.memory_ends import COUNTS, in_use

import derlib
from derlib import pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

VECTORS = Path(cryptography_vectors.__file__).parent / "x509"
CRLS = sorted((VECTORS / "custom").glob("crl_*.pem")) + sorted((VECTORS / "PKITS_data" / "crls").glob("*.crl"))
CERTIFICATES = sorted((VECTORS / "PKITS_data" / "certs").glob("*.crt"))
ENTRY = "tbs_cert_list.revoked_certificates[*]"
CRL_PATHS: dict[str, str | derlib.Column] = {
    "serial": derlib.Column(f"{ENTRY}.user_certificate", "binary"),
    "date": f"{ENTRY}.revocation_date",
    "reason": f'{ENTRY}.crl_entry_extensions["2.5.29.21"]',
    "extensions": f"{ENTRY}.crl_entry_extensions[].extn_id",
    "critical": f"{ENTRY}.crl_entry_extensions[].critical",
    "this_update": "tbs_cert_list.this_update",
    "algorithm": "signature_algorithm.algorithm",
    "issuer": "tbs_cert_list.issuer",
    "outer": "tbs_cert_list.crl_extensions[].extn_id",
}
CERTIFICATE_PATHS: dict[str, str | derlib.Column] = {
    "serial": derlib.Column("tbs_certificate.serial_number", "binary"),
    "version": "tbs_certificate.version",
    "not_after": "tbs_certificate.validity.not_after",
    "names": 'tbs_certificate.extensions["2.5.29.17"].dns_name',
    "is_ca": 'tbs_certificate.extensions["2.5.29.19"].ca',
    "basic": 'tbs_certificate.extensions["2.5.29.19"].critical',
    "usage": 'tbs_certificate.extensions["2.5.29.15"]',
    "purposes": 'tbs_certificate.extensions["2.5.29.37"][]',
    "key_id": 'tbs_certificate.extensions["2.5.29.14"]',
    "key": "tbs_certificate.subject_public_key_info.subject_public_key",
    "signature": "signature_value",
}


def octets(path: Path) -> bytes:
    data = path.read_bytes()
    return pem.decode(data)[0] if pem.is_pem(data) else data


def number_octets(number: int) -> bytes:
    return derlib.encode(number, int)[2:]


def crl_rows(data: bytes) -> list[dict[str, Any]]:
    crl = CertificateList.decode(data)
    tbs = crl.tbs_cert_list
    outer = None if tbs.crl_extensions is None else [str(one.extn_id.dotted) for one in tbs.crl_extensions]
    rows = []
    for entry in tbs.revoked_certificates or ():
        extensions = entry.crl_entry_extensions
        reason = None
        for one in extensions or ():
            if one.extn_id.dotted == "2.5.29.21":
                reason = int(one.extn_value)
        rows.append({
            "serial": number_octets(entry.user_certificate),
            "date": entry.revocation_date,
            "reason": reason,
            "extensions": None if extensions is None else [one.extn_id.dotted for one in extensions],
            "critical": None if extensions is None else [one.critical for one in extensions],
            "this_update": tbs.this_update,
            "algorithm": crl.signature_algorithm.algorithm.dotted,
            "issuer": str(tbs.issuer),
            "outer": outer,
        })  # fmt: skip
    return rows


def decoded(type: Any, files: list[Path]) -> list[bytes]:
    """Return the files that are values of the type."""
    found = []
    for path in files:
        data = octets(path)
        try:
            type.decode(data)
        except derlib.DecodeError:
            continue
        found.append(data)
    assert len(found) > 20
    return found


@pytest.mark.parametrize("batch_rows", [1, 3, 65536])
def test_columns_of_crls_equal_the_values_of_views(batch_rows):
    inputs = decoded(CertificateList, CRLS)
    rows = [row for data in inputs for row in crl_rows(data)]
    assert len(rows) > 50
    result = arrow.table(derlib.columns(CertificateList, inputs, CRL_PATHS, batch_rows=batch_rows))
    assert [dict(zip(result, row, strict=True)) for row in zip(*result.values(), strict=True)] == rows


def test_columns_of_certificates_equal_the_values_of_views():
    inputs = decoded(Certificate, CERTIFICATES)
    result = arrow.table(derlib.columns(Certificate, iter(inputs), CERTIFICATE_PATHS, input_column="input"))
    assert result["input"] == list(range(len(inputs)))
    assert any(result["names"])
    assert any(result["is_ca"])
    for i, data in enumerate(inputs):
        certificate = Certificate.decode(data)
        tbs = certificate.tbs_certificate
        values = {one.extn_id.dotted: one for one in tbs.extensions or ()}
        assert result["serial"][i] == number_octets(tbs.serial_number)
        assert result["version"][i] == tbs.version
        assert result["not_after"][i] == tbs.validity.not_after
        assert result["key"][i] == tbs.subject_public_key_info.raw("subject_public_key")[1:]
        assert result["signature"][i] == certificate.signature_value.bytes
        for name, oid in {"is_ca": "2.5.29.19", "names": "2.5.29.17", "usage": "2.5.29.15", "purposes": "2.5.29.37",
                          "key_id": "2.5.29.14"}.items():  # fmt: skip
            if oid not in values:
                assert result[name][i] is None, name
                continue
            value = values[oid].extn_value
            expected: Any = value
            if name == "is_ca":
                expected = value.ca
                assert result["basic"][i] == values[oid].critical
            elif name == "names":
                expected = [one.value for one in value if one.alternative == "dns_name"]
            elif name == "usage":
                expected = int(value)
            elif name == "purposes":
                expected = [one.dotted for one in value]
            assert result[name][i] == expected, name


class Item(derlib.Sequence):
    number: int
    flag: bool = False
    text: str | None = None
    names: derlib.SequenceOf[derlib.ObjectIdentifier] | None = None


class Items(derlib.Sequence):
    items: derlib.SequenceOf[Item]
    wide: Annotated[derlib.BMPString, derlib.Implicit(0)] | None = None
    last: derlib.GeneralizedTime | None = None


ITEM = st.fixed_dictionaries(
    {"number": st.integers(-(1 << 63), (1 << 63) - 1), "flag": st.booleans()},
    optional={
        "text": st.text(st.characters(exclude_categories=["Cs"])),
        "names": st.lists(st.sampled_from(["1.2.3", "2.999.1", f"2.25.{1 << 127}", "0.39"])),
    },
)
WIDE = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]))


@given(st.lists(st.fixed_dictionaries({"items": st.lists(ITEM)}, optional={"wide": WIDE})), st.integers(1, 5))
def test_columns_of_generated_values_equal_them(values, batch_rows):
    inputs = [Items(**value).encode() for value in values]
    paths: dict[str, str | derlib.Column] = {
        "number": "items[*].number", "flag": "items[*].flag", "text": "items[*].text", "names": "items[*].names[]",
        "wide": "wide", "all": "items[].number", "second": "items[1].number",
    }  # fmt: skip
    result = arrow.table(derlib.columns(Items, inputs, paths, input_column="input", batch_rows=batch_rows))
    rows = []
    for index, value in enumerate(values):
        numbers = [item["number"] for item in value["items"]]
        for item in value["items"]:
            rows.append((item["number"], item["flag"], item.get("text"), item.get("names"), value.get("wide"), numbers,
                         numbers[1] if len(numbers) > 1 else None, index))  # fmt: skip
    assert list(zip(*result.values(), strict=True)) == rows


class Choices(derlib.Choice):
    number: Annotated[int, derlib.Implicit(0)]
    item: Annotated[Item, derlib.Implicit(1)]


class Parts(derlib.Sequence):
    parts: derlib.SequenceOf[Choices]
    inner: derlib.SequenceOf[Items] | None = None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("items[].number", [1, 2, 3]),
        ("items[].flag", [False, True, False]),
        ("items[].text", [None, "b", None]),
        (derlib.Column("items[].text", "dictionary"), [None, "b", None]),
        (derlib.Column("items[].text", "binary"), [None, b"b", None]),
        (derlib.Column("items[].number", "binary", width=1), [b"\1", b"\2", b"\3"]),
        ("items[].names[0]", ["1.2.3", None, None]),
        ("items[].names[1]", ["1.2.4", None, None]),
        # The items of the inner lists.
        ("items[].names[]", ["1.2.3", "1.2.4"]),
        ("items.text", [None, "b", None]),
        # Each element has the value at one or at none of these places.
        (("items[].text", "items[].names[0]"), ["1.2.3", "b", None]),
    ],
)
def test_the_items_of_list_columns_align(path, expected):
    items = [{"number": 1, "names": ["1.2.3", "1.2.4"]}, {"number": 2, "text": "b", "flag": True}, {"number": 3}]
    data = Items(items=items).encode()
    empty = Items(items=[]).encode()
    assert arrow.table(derlib.columns(Items, [data, empty, data], {"a": path})) == {"a": [expected, [], expected]}
    rows = derlib.encode([Items(items=items)] * 2, derlib.SequenceOf[Items])
    path = path if isinstance(path, derlib.Column) else derlib.Column(path)
    if isinstance(path.path, str):
        in_rows = path._replace(path=f"[*].{path.path}")
        assert arrow.table(derlib.columns(derlib.SequenceOf[Items], rows, {"a": in_rows})) == {"a": [expected] * 2}
        in_lists = path._replace(path=f"[].{path.path}")
        assert arrow.table(derlib.columns(derlib.SequenceOf[Items], rows, {"a": in_lists})) == {"a": [expected * 2]}


def test_elements_of_another_alternative_are_left_out():
    data = Parts(parts=[{"number": 1}, {"item": {"number": 2}}, {"item": {"number": 3, "text": "c"}}]).encode()
    paths: dict[str, str | derlib.Column] = {
        "numbers": "parts[].number", "items": "parts[].item.number", "texts": "parts.item.text",
        "both": derlib.Column(("parts[].number", "parts[].item.number")), "absent": "inner[].items[].text",
    }  # fmt: skip
    assert arrow.table(derlib.columns(Parts, data, paths)) == {
        "numbers": [[1]], "items": [[2, 3]], "texts": [[None, "c"]], "both": [[1, 2, 3]], "absent": [None],
    }  # fmt: skip


def test_an_entry_without_the_extension_is_a_null_item():
    data = [octets(path) for path in CRLS if path.name == "crl_all_reasons.pem"]
    entries = "tbs_cert_list.revoked_certificates"
    reason = 'crl_entry_extensions["2.5.29.21"]'
    paths: dict[str, str | derlib.Column] = {
        "serials": derlib.Column(f"{entries}[].user_certificate", "binary"), "reasons": f"{entries}[].{reason}",
    }  # fmt: skip
    [reasons] = arrow.table(derlib.columns(CertificateList, data, paths))["reasons"]
    assert reasons == arrow.table(derlib.columns(CertificateList, data, {"reason": f"{entries}[*].{reason}"}))["reason"]
    assert None in reasons
    assert any(one is not None for one in reasons)


@given(st.datetimes())
def test_times_equal_those_of_datetime(time):
    time = time.replace(microsecond=0, tzinfo=arrow.EPOCH.tzinfo)
    data = Items(items=[], last=time).encode()
    assert arrow.table(derlib.columns(Items, data, {"last": "last"})) == {"last": [time]}


def test_values_that_a_column_cannot_hold_are_counted():
    leap = b"\x30\x13\x30\x00\x18\x0f20161231235960Z"
    zero = b"\x30\x13\x30\x00\x18\x0f00000101000000Z"
    columns = derlib.columns(Items, [leap, zero], {"last": "last", "text": derlib.Column("last", "text")})
    assert arrow.table(columns) == {"last": [None, None], "text": ["20161231235960Z", "00000101000000Z"]}
    assert columns.lost == {"last": 2, "text": 0}


def test_an_integer_that_does_not_fit_is_an_error_or_null():
    data = [Items(items=[{"number": 1 << 63}]).encode(), Items(items=[{"number": -(1 << 63)}]).encode()]
    columns = derlib.columns(Items, data, {"number": "items[*].number"})
    with pytest.raises(arrow.StreamError, match="column 'number' does not fit int64"):
        arrow.table(columns)
    assert isinstance(columns.error, OverflowError)
    columns = derlib.columns(Items, data, {"number": "items[*].number"}, on_error="null")
    assert arrow.table(columns)["number"] == [None, -(1 << 63)]
    assert columns.lost["number"] == 1


def test_errors_become_rows_or_end_the_stream():
    good = Items(items=[{"number": 5}]).encode()
    data = [good, b"\x30\x03\x02\x01", None, good + b"\0", good]
    columns = derlib.columns(Items, data, {"number": "items[*].number"}, on_error="null", input_column="input")
    result = arrow.table(columns)
    assert result["number"] == [5, None, None, None, 5]
    assert result["input"] == [0, 1, 2, 3, 4]
    faults = zip(result["error"], result["error_offset"], result["error_rule"], strict=True)
    for i, (kind, offset, rule) in enumerate(faults):
        if i not in (1, 3):
            assert (kind, offset, rule) == (None, None, None)
            continue
        with pytest.raises(derlib.DecodeError) as caught:
            Items.decode(data[i])
        assert (kind, offset, rule) == (caught.value.kind, caught.value.offset, caught.value.rule)
    columns = derlib.columns(Items, data, {"number": "items[*].number"})
    with pytest.raises(arrow.StreamError, match="TruncatedError"):
        arrow.table(columns)
    assert isinstance(columns.error, derlib.TruncatedError)


class _ErrorWithoutText(Exception):
    def __str__(self) -> str:
        raise MemoryError


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_without_text_is_not_the_end_of_the_table(threads):
    def inputs():
        yield Items(items=[{"number": 5}]).encode()
        raise _ErrorWithoutText

    columns = derlib.columns(Items, inputs(), {"number": "items[*].number"}, threads=threads)
    with pytest.raises(arrow.StreamError, match="the exception has no text"):
        arrow.table(columns)
    assert isinstance(columns.error, _ErrorWithoutText)


@pytest.mark.parametrize(
    ("path", "message"),
    {
        "tbs_cert_list.revoked_certificate[*]": "did you mean 'revoked_certificates'",
        "tbs_cert_list.revoked_certificates[*].serial": "it has user_certificate, revocation_date",
        "tbs_cert_list[*]": "which is not a list",
        'signature_value["1.2.3"]': "which is not a list",
        'tbs_cert_list.crl_extensions["2.5.29.20"].number': "is not a part of",
    }.items(),
)
def test_a_wrong_path_names_the_nearest_part(path, message):
    with pytest.raises(KeyError, match="column 'x'") as caught:
        derlib.columns(CertificateList, b"", {"x": path})
    assert message in str(caught.value)


@pytest.mark.parametrize("path", ["", "a..b", "a[", "a[-1]", 'a["x"]', "a b", "[1", "a[*"])
def test_text_that_is_not_a_path_is_refused(path):
    with pytest.raises(ValueError, match="expected a path"):
        derlib.columns(Items, b"", {"x": path})


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="different lists"):
        derlib.columns(CertificateList, b"", {"a": f"{ENTRY}", "b": "tbs_cert_list.crl_extensions[*]"})
    with pytest.raises(ValueError, match=r"has the type timestamp or text or dictionary or .* or size, not bool"):
        derlib.columns(Items, b"", {"a": derlib.Column("last", "bool")})
    with pytest.raises(ValueError, match="is not a type of columns"):
        derlib.columns(Items, b"", {"a": derlib.Column("last", "date")})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two columns"):
        derlib.columns(Items, b"", {"error": "last"}, on_error="null")
    with pytest.raises(ValueError, match="on_error"):
        derlib.columns(Items, b"", {"a": "last"}, on_error="skip")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="batch_rows"):
        derlib.columns(Items, b"", {"a": "last"}, batch_rows=0)
    with pytest.raises(TypeError, match="got str"):
        derlib.columns(Items, "3000", {"a": "last"})


def test_an_exception_in_the_iterator_ends_the_stream():
    def inputs():
        yield Items(items=[]).encode()
        raise LookupError("no more")

    columns = derlib.columns(Items, inputs(), {"a": "last"})
    with pytest.raises(arrow.StreamError, match="LookupError: no more"):
        arrow.table(columns)
    assert isinstance(columns.error, LookupError)
    with pytest.raises(ValueError, match="has been read"):
        arrow.table(columns)


def test_an_iterator_that_reads_its_own_stream_is_refused():
    statuses = []

    class Inputs:
        def __iter__(self):
            return self

        def __next__(self):
            with pytest.raises(arrow.StreamError):
                arrow.next_batch(stream)
            statuses.append(True)
            raise StopIteration

    capsule, stream = arrow.stream_of(derlib.columns(Items, Inputs(), {"a": "last"}))
    assert arrow.next_batch(stream) is None
    assert statuses == [True]
    del capsule


@pytest.mark.skipif(not COUNTS, reason="the C library does not count its memory, or a sanitizer keeps it")
def test_consumers_can_release_early_or_never():
    data = [Items(items=[{"number": 5, "text": "x" * 1000}] * 100).encode()] * 20
    paths: dict[str, str | derlib.Column] = {"number": "items[*].number", "text": "items[*].text"}

    def use(early: bool) -> None:
        capsule, stream = arrow.stream_of(derlib.columns(Items, data, paths, batch_rows=100))
        array = arrow.next_batch(stream)
        if early:
            # The batch outlives its stream.
            stream.release(stream)
        assert array is not None
        assert arrow.cells(array.children[0].contents, "l") == [5] * 100
        array.release(array)
        del capsule

    for early in (True, False):
        use(early)
        gc.collect()
        before = in_use()
        for _ in range(300):
            use(early)
        gc.collect()
        # The 300 streams have 60 MB of cells.
        assert in_use() - before < 1 << 20


def test_streams_and_inputs_are_freed():
    class Inputs(list[bytes]):
        pass

    inputs = Inputs([Items(items=[]).encode()])
    before = sys.getrefcount(inputs)
    columns = derlib.columns(Items, inputs, {"a": "last"})
    arrow.table(columns)
    capsule = columns.__arrow_c_stream__()
    del columns, capsule
    gc.collect()
    assert sys.getrefcount(inputs) == before


@pytest.mark.skipif(not COUNTS, reason="the C library does not count its memory, or a sanitizer keeps it")
def test_memory_does_not_grow_with_the_number_of_inputs():
    data = Items(items=[{"number": 5}] * 10).encode()
    columns = derlib.columns(Items, (data for _ in range(20000)), {"a": "items[*].number"}, batch_rows=1000)
    tracemalloc.start()
    before = in_use()
    assert sum(len(batch["a"]) for batch in arrow.batches(columns)) == 200000
    assert in_use() - before < 16 << 20
    assert tracemalloc.get_traced_memory()[1] < 4 << 20
    tracemalloc.stop()


def test_a_large_constant_does_not_multiply_in_one_batch():
    data = Items(items=[{"number": 5}] * 1000, wide="x" * 100000).encode()
    columns = derlib.columns(Items, data, {"number": "items[*].number", "wide": "wide"})
    sizes = [len(batch["number"]) for batch in arrow.batches(columns)]
    assert sum(sizes) == 1000
    assert max(sizes) < 400


def test_a_batch_of_long_rows_ends_before_the_most_rows():
    data = Items(items=[{"number": 5, "text": "x" * 300000}] * 200).encode()
    sizes = [len(batch["text"]) for batch in arrow.batches(derlib.columns(Items, data, {"text": "items[*].text"}))]
    assert sum(sizes) == 200
    assert max(sizes) < 60


def test_arrow_libraries_take_the_columns():
    columns = derlib.columns(Items, Items(items=[{"number": 5, "names": ["1.2.3"]}]).encode(),
                             {"number": "items[*].number", "names": "items[*].names[]", "last": "last"})  # fmt: skip
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.table(columns)
    table.validate(full=True)
    assert table.to_pylist() == [{"number": 5, "names": ["1.2.3"], "last": None}]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert polars.DataFrame(columns).rows() == [(5, ["1.2.3"], None)]


def test_other_buffers_are_inputs():
    data = Items(items=[{"number": 5}]).encode()
    for one in (bytearray(data), memoryview(data), [bytearray(data)], io.BytesIO(data).getbuffer()):
        assert arrow.table(derlib.columns(Items, one, {"a": "items[*].number"})) == {"a": [5]}
    columns = derlib.columns(Items, [data, 5], {"a": "items[*].number"}, on_error="null")
    with pytest.raises(arrow.StreamError, match="TypeError: expected bytes"):
        arrow.table(columns)
