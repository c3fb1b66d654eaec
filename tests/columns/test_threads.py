"""Columns that several threads read equal those of one thread, and so do the errors."""

from __future__ import annotations

import gc
import itertools
import random
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import cryptography_vectors
import pytest
from support import arrow
from support.examples import FEW
from support.memory_ends import COUNTS, in_use

import derlib
from derlib import Limits, pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.tables import CERTIFICATE_COLUMNS, CRL_ENTRY_COLUMNS
from derlib.schemas.x509 import Certificate

VECTORS = Path(cryptography_vectors.__file__).parent / "x509"


class Part(derlib.Sequence):
    name: str
    flag: bool = False


class Row(derlib.Sequence):
    number: int
    parts: derlib.SequenceOf[Part] | None = None
    octets: bytes | None = None


class Table(derlib.Sequence):
    title: str
    rows: derlib.SequenceOf[Row]
    after: Annotated[derlib.SequenceOf[Row], derlib.Implicit(0)] | None = None


PATHS: dict[str, str | derlib.Column] = {
    "title": "title",
    "number": "rows[*].number",
    "octets": "rows[*].octets",
    "first": "rows[*].parts[0].name",
}
LISTED: dict[str, str | derlib.Column] = {**PATHS, "names": "rows[*].parts[].name"}


def encodings(*folders: str) -> list[bytes]:
    """Return the DER of the files in folders of test vectors."""
    found = []
    for folder in folders:
        for path in sorted((VECTORS / folder).iterdir()):
            data = path.read_bytes() if path.is_file() else b""
            found += list(pem.decode(data)) if pem.is_pem(data) else [data] if path.suffix in (".crt", ".crl") else []
    assert len(found) > 100
    return found


def element(tag: int, contents: bytes) -> bytes:
    """Return an element with a length of four octets or less."""
    n = len(contents)
    octets = n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([tag, n] if n < 128 else [tag, 0x80 + len(octets), *octets]) + contents


def table(rows: bytes) -> bytes:
    """Return the encoding of a Table with encoded rows."""
    return element(0x30, element(0x0C, b"title") + element(0x30, rows))


def read(type: Any, data: Any, paths: Any, **options: Any) -> tuple[dict[str, list[Any]], BaseException | None]:
    """Return the rows, or the exception without rows."""
    columns = derlib.columns(type, data, paths, **options)
    try:
        return arrow.table(columns), None
    except arrow.StreamError:
        return {}, columns.error


def assert_same(type: Any, data: Any, paths: Any, **options: Any) -> tuple[dict[str, list[Any]], BaseException | None]:
    """Check that several threads have the rows or the error of one thread, and return them."""
    rows, error = read(type, data, paths, **options)
    for threads in (2,) if FEW else (2, 3):
        others, other = read(type, data, paths, threads=threads, **options)
        assert (other.__class__, str(other)) == (error.__class__, str(error))
        if isinstance(error, derlib.DecodeError):
            assert isinstance(other, derlib.DecodeError)
            assert (other.kind, other.path, other.offset) == (error.kind, error.path, error.offset)
        assert others == rows
    return rows, error


def shapes(count: int) -> list[bytes]:
    """Return encoded rows of several shapes."""
    chance = random.Random(5)
    made = []
    for _ in range(count):
        value: dict[str, Any] = {"number": chance.randrange(-(1 << 40), 1 << 40)}
        if chance.random() < 0.5:
            value["parts"] = [{"name": "n" * chance.randrange(9), "flag": True} for _ in range(chance.randrange(4))]
        if chance.random() < 0.3:
            value["octets"] = chance.randbytes(chance.randrange(90))
        made.append(Row(**value).encode())
    return made


ROWS = shapes(60_000)


@pytest.mark.parametrize("on_error", ["null", "raise"])
def test_certificates_and_crls_of_the_corpora(on_error):
    certificates = encodings("PKITS_data/certs", "custom")
    crls = encodings("PKITS_data/crls", "custom")
    for type, inputs, paths in (
        (Certificate, certificates, CERTIFICATE_COLUMNS),
        (CertificateList, crls, CRL_ENTRY_COLUMNS),
    ):
        rows, _ = assert_same(type, inputs * 3, paths, on_error=on_error, input_column="#")
        assert on_error == "raise" or len(rows["#"]) > 300
    # Enough for all threads.
    few = {name: CERTIFICATE_COLUMNS[name] for name in ("serial_number", "dns_names", "not_after")}
    assert_same(Certificate, certificates * (20_000 // len(certificates)), few, on_error=on_error)


def test_many_inputs_with_errors_and_missing_ones():
    valid = table(b"".join(ROWS[:20]))
    inputs = [valid, None, valid[:-1], b"", valid + b"\0", bytearray(valid)] * (2000 if FEW else 10_000)
    rows, error = assert_same(Table, inputs, LISTED, on_error="null", input_column="#", batch_rows=1000)
    assert error is None
    assert rows["#"][-20:] == [len(inputs) - 1] * 20
    assert_same(Table, inputs[:2] + inputs, LISTED)


@pytest.mark.parametrize("paths", [PATHS, LISTED])
def test_a_large_list_is_split(paths):
    data = table(b"".join(ROWS))
    assert len(data) > 1 << 20
    # One batch of each thread.
    assert len(list(arrow.batches(derlib.columns(Table, data, paths, threads=2)))) == 2
    rows, error = assert_same(Table, data, paths, batch_rows=7000)
    assert error is None
    assert len(rows["number"]) == len(ROWS)
    # Between small inputs, and one after another.
    small = table(ROWS[0])
    assert_same(Table, [small, data, data, small, None, data], paths, on_error="null", input_column="#")


@pytest.mark.parametrize("place", [0, 3, 30_000, 59_999])
@pytest.mark.parametrize("row", ["30030201", "3080", "3000", "3103020105", "3006020105020105", "00"])
def test_an_invalid_row_in_a_large_list(row, place):
    data = table(b"".join([*ROWS[:place], bytes.fromhex(row), *ROWS[place + 1 :]]))
    _, error = assert_same(Table, data, PATHS)
    assert isinstance(error, derlib.DecodeError)
    rows, _ = assert_same(Table, [data, table(ROWS[0])], PATHS, on_error="null")
    assert len(rows["error"]) == 2


def test_bytes_that_look_like_rows_are_not_rows():
    row = Row(number=1).encode()
    inside = Row(number=2, octets=row * 200_000).encode()
    for rows in (inside, inside + row * 100_000, row * 100_000 + inside, row * 7 + inside * 2 + row):
        assert_same(Table, table(rows), PATHS)
    # Parts that look like rows: the last one of a row is followed by the next row.
    nested = Row(number=3, parts=[{"name": "a"}] * 40).encode()
    assert_same(Table, table(nested * 20_000), PATHS)


def test_two_lists_of_the_same_type_and_wrong_ends():
    rows = b"".join(ROWS)
    head = element(0x0C, b"title") + element(0x30, rows)
    both = element(0x30, head + element(0xA0, rows))
    _, error = assert_same(Table, both, PATHS)
    assert error is None
    for data in (element(0x30, head + b"\0\0"), both + b"\0", both[:-1], element(0x30, head + element(0xA1, b""))):
        assert assert_same(Table, data, PATHS)[1] is not None


LIMITS = [
    *(Limits(elements=n) for n in (59_999, 60_000)),
    *(Limits(depth=n) for n in range(2, 6)),
    Limits(size=1 << 20),
]
SIZES = [derlib.Size(1, None), derlib.Size(60_000), derlib.Size(1, 59_999), derlib.Size(60_001, None)]


@pytest.mark.parametrize("limits", LIMITS)
def test_limits_of_a_large_list(limits):
    assert_same(Table, table(b"".join(ROWS)), PATHS, limits=limits)
    assert_same(Table, table(Row(number=1).encode() * 400_000), PATHS, limits=limits)


@pytest.mark.parametrize("size", SIZES)
def test_sizes_of_a_large_list(size):
    assert_same(Annotated[derlib.SequenceOf[Row], size], element(0x30, b"".join(ROWS)), {"number": "[*].number"})


def test_integers_that_do_not_fit():
    wide = Row(number=1 << 70).encode()
    data = table(b"".join([*ROWS[:50_000], wide, *ROWS]))
    _, error = assert_same(Table, [table(ROWS[0]), data], PATHS)
    assert isinstance(error, OverflowError)
    assert_same(Table, [table(ROWS[0]), data], PATHS, on_error="null")
    columns = derlib.columns(Table, [data, data], PATHS, on_error="null", threads=2)
    arrow.table(columns)
    assert columns.lost["number"] == 2


def test_an_exception_in_the_iterator_comes_after_the_errors_before_it():
    small = table(ROWS[0])

    def inputs(*first: Any) -> Iterator[Any]:
        yield from first
        raise LookupError("no more")

    for threads in (1, 2):
        _, error = read(Table, inputs(*[small] * 40_000), PATHS, threads=threads)
        assert isinstance(error, LookupError)
        _, error = read(Table, inputs(*[small] * 20_000, b"\0", small), PATHS, threads=threads)
        assert isinstance(error, derlib.DecodeError)
        _, error = read(Table, inputs(small, "text"), PATHS, threads=threads)
        assert isinstance(error, TypeError)


def read_forever(stream: Any) -> None:
    while True:
        array = arrow.next_batch(stream)
        assert array is not None
        array.release(array)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the platform has no interval timers")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_endless_inputs(threads):
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    columns = derlib.columns(Table, itertools.repeat(table(ROWS[0])), PATHS, threads=threads)
    before = signal.signal(signal.SIGALRM, interrupt)
    capsule, stream = arrow.stream_of(columns)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        # The handler can run in the core, or in this loop.
        with pytest.raises((arrow.StreamError, KeyboardInterrupt)):
            read_forever(stream)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert columns.error is None or isinstance(columns.error, KeyboardInterrupt)
    del capsule


@pytest.mark.skipif(not COUNTS, reason="the C library does not count its memory, or a sanitizer keeps it")
def test_consumers_can_release_early_or_never():
    data = table(b"".join(ROWS))
    inputs = [table(ROWS[0]) * 1] * 2000 + [data]

    def use(batches: int, early: bool) -> None:
        capsule, stream = arrow.stream_of(derlib.columns(Table, inputs, PATHS, batch_rows=500, threads=2))
        arrays = [arrow.next_batch(stream) for _ in range(batches)]
        if early:
            stream.release(stream)
        for array in arrays:
            assert array is not None
            array.release(array)
        del capsule

    used = None
    for turn in range(40):
        use(turn % 8, bool(turn & 1))
        if turn == 15:
            gc.collect()
            used = in_use()
    gc.collect()
    assert used is not None
    # The streams have more than 100 MB of cells. The C library keeps some memory for each thread.
    assert in_use() - used < 8 << 20


def test_no_thread_and_no_input_is_left():
    class Inputs(list[Any]):
        pass

    inputs = Inputs([table(b"".join(ROWS)), None] + [table(ROWS[0])] * 5000)
    before = sys.getrefcount(inputs)
    count = threading.active_count()
    assert_same(Table, inputs, PATHS)
    capsule, stream = arrow.stream_of(derlib.columns(Table, inputs, PATHS, threads=2))
    array = arrow.next_batch(stream)
    assert array is not None
    array.release(array)
    del capsule, stream
    gc.collect()
    assert sys.getrefcount(inputs) == before
    assert threading.active_count() == count


@pytest.mark.parametrize("threads", [0, 257, "2", 1.0])
def test_wrong_numbers_of_threads_are_refused(threads):
    with pytest.raises(ValueError, match="threads: expected an int from 1 to 256"):
        derlib.columns(Table, b"", PATHS, threads=threads)
