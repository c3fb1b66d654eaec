"""`iter_decode`: consecutive values in a buffer or a file."""

import ctypes
import io
import mmap
import pathlib
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import derlib
from derlib import NULL, DecodeError, Deviation, LimitError, Limits, Null, Sequence, TruncatedError, _core


class Pair(Sequence):
    first: int
    second: bytes


PAIRS = [Pair(first=number, second=bytes(number * 50)) for number in range(60)]
STREAM = b"".join(pair.encode() for pair in PAIRS)


class SlowFile(io.RawIOBase):
    """A file whose `read` returns one byte at a time, as a pipe can."""

    def __init__(self, octets: bytes) -> None:
        self.octets = io.BytesIO(octets)

    def read(self, size: int = -1) -> bytes:
        return self.octets.read(1)


def mapped(octets: bytes) -> mmap.mmap:
    with tempfile.TemporaryFile() as file:
        file.write(octets)
        file.flush()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


SOURCES: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview of bytes": memoryview,
    "memoryview of a bytearray": lambda octets: memoryview(bytearray(octets)),
    "memoryview with gaps": lambda octets: memoryview(bytes(n for octet in octets for n in (octet, 0)))[::2],
    "mmap": mapped,
    "BytesIO": io.BytesIO,
    "file": lambda octets: io.BufferedReader(io.BytesIO(octets)),  # type: ignore[type-var]
    "slow file": SlowFile,
}
each_source = pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)


@each_source
def test_yields_the_consecutive_values(source: Callable[[bytes], Any]) -> None:
    assert list(derlib.iter_decode(source(STREAM), Pair)) == PAIRS
    assert [element.encode() for element in derlib.iter_decode(source(STREAM))] == [pair.encode() for pair in PAIRS]


@pytest.mark.parametrize("source", [source for name, source in SOURCES.items() if name != "mmap"])
def test_an_empty_source_has_no_values(source: Callable[[bytes], Any]) -> None:
    assert list(derlib.iter_decode(source(b""), Pair)) == []


@each_source
def test_a_value_counts_offsets_from_its_own_start(source: Callable[[bytes], Any]) -> None:
    values = list(derlib.iter_decode(source(STREAM), Pair))
    assert [value.span().offset for value in values] == [0] * len(values)
    assert [bytes(value.der) for value in values] == [pair.encode() for pair in PAIRS]


@pytest.mark.parametrize(
    ("after", "kind", "offset"),
    [
        ("30", "length-truncated", 0),
        ("1f", "identifier-truncated", 0),
        ("1f 80 01", "tag-not-minimal", 0),
        ("30 05 02 01 05", "content-truncated", 0),
        ("30 88 ff ff ff ff ff ff ff ff 02", "content-truncated", 0),
        ("30 80 02 01 05 04 00 00 00", "length-indefinite", 0),
        ("30 81 05 02 01 05 04 00", "length-not-minimal", 0),
        ("31 05 02 01 05 04 00", "unexpected-tag", 0),
        ("30 06 02 02 00 05 04 00", "integer-not-minimal", 2),
    ],
)
@each_source
def test_an_error_counts_its_offset_from_the_start_of_the_source(
    source: Callable[[bytes], Any], after: str, kind: str, offset: int
) -> None:
    values = derlib.iter_decode(source(STREAM + bytes.fromhex(after)), Pair)
    assert [next(values) for _ in PAIRS] == PAIRS
    with pytest.raises(DecodeError) as caught:
        next(values)
    assert (caught.value.kind, caught.value.offset) == (kind, len(STREAM) + offset)
    assert list(values) == []


def test_a_message_names_the_end_of_the_source() -> None:
    octets = STREAM + bytes.fromhex("30050201")
    for source in (octets, io.BytesIO(octets)):
        with pytest.raises(TruncatedError, match=f"the input ends after 2, at offset {len(octets)}"):
            list(derlib.iter_decode(source, Pair))


@each_source
def test_limits_and_deviations_apply_to_each_value(source: Callable[[bytes], Any]) -> None:
    padded = bytes.fromhex("30 06 02 02 00 05 04 00") * 3
    values = list(derlib.iter_decode(source(padded), Pair, tolerate=Deviation.INTEGER_PADDING, limits=Limits(size=8)))
    assert [value.first for value in values] == [5, 5, 5]
    assert [value.deviations[0].offset for value in values] == [2, 2, 2]
    with pytest.raises(LimitError) as caught:
        list(derlib.iter_decode(source(padded), Pair, tolerate=Deviation.INTEGER_PADDING, limits=Limits(size=7)))
    assert caught.value.kind == "input-limit"
    # The size is that of the value, also in a buffer that is not copied.
    assert str(caught.value).endswith("input is 8 bytes; the limit is 7")


def test_a_file_is_not_read_beyond_the_limit() -> None:
    file = io.BytesIO(bytes.fromhex("0484 7fffffff") + bytes(1_000_000))
    with pytest.raises(LimitError):
        list(derlib.iter_decode(file, bytes, limits=Limits(size=1000)))
    assert file.tell() < 200_000


def test_only_the_first_element_of_a_buffer_is_copied() -> None:
    octets = bytearray(STREAM)
    value, rest = Pair.decode_prefix(octets)
    assert len(value.raw("second").obj) == len(PAIRS[0].encode())
    assert rest.obj is octets


@pytest.mark.parametrize("step", [2, -1])
def test_a_buffer_with_gaps_is_copied_as_a_whole_only_once(step: int) -> None:
    octets = STREAM if step == 2 else STREAM[::-1]
    gaps = memoryview(bytes(n for octet in octets for n in (octet,) * abs(step)))[::step]
    _, rest = Pair.decode_prefix(gaps)
    assert rest.c_contiguous
    assert rest == STREAM[len(PAIRS[0].encode()) :]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("30", "expected bytes, another buffer or a file, got str"),
        (5, "expected bytes, another buffer or a file, got int"),
        (pathlib.Path("pairs.der"), "got PosixPath|got WindowsPath"),
        (io.StringIO("30"), "open it with mode 'rb'"),
        (io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8"), "open it with mode 'rb'"),
    ],
)
def test_a_source_of_the_wrong_type_is_a_type_error_of_the_call(source: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        derlib.iter_decode(source, Pair)


def test_a_file_whose_read_returns_text_is_a_type_error() -> None:
    class Text:
        def read(self, size: int) -> str:
            return "30"

    with pytest.raises(TypeError, match="open it with mode 'rb'"):
        list(derlib.iter_decode(Text(), Pair))  # type: ignore[call-overload]


@pytest.mark.parametrize("source", [b"", STREAM, io.BytesIO(), io.BytesIO(STREAM)])
def test_wrong_options_are_an_error_of_the_call(source: Any) -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match="Limits for limits, got int"):
        derlib.iter_decode(source, Pair, limits=wrong)
    with pytest.raises(TypeError, match="Deviation for tolerate, got int"):
        derlib.iter_decode(source, Pair, tolerate=wrong)


def test_buffers_of_other_shapes() -> None:
    octet = ctypes.c_uint8
    assert list(derlib.iter_decode(((octet * 3) * 2).from_buffer_copy(bytes.fromhex("020101 020102")), int)) == [1, 2]
    assert list(derlib.iter_decode(ctypes.c_uint32.from_buffer_copy(bytes.fromhex("0500 0500")), Null)) == [NULL, NULL]
    for empty in (((octet * 3) * 0)(), ((octet * 0) * 3)()):
        assert list(derlib.iter_decode(empty, int)) == []


class PiecesFile(io.RawIOBase):
    """A file whose `read` returns these pieces; None, or raises an exception, in their place."""

    def __init__(self, *pieces: Any) -> None:
        self.pieces = list(pieces)

    def read(self, size: int = -1) -> Any:
        piece = self.pieces.pop(0) if self.pieces else b""
        if isinstance(piece, Exception):
            raise piece
        return piece


@pytest.mark.parametrize(
    ("rules", "octets"),
    [("der", "3006 020105 040161"), ("ber", "3080 020105 2480 040161 0000 0000")],
)
@pytest.mark.parametrize("obstacle", [None, TimeoutError()], ids=["not ready", "an exception"])
def test_an_exception_of_the_file_loses_no_bytes(rules: Any, octets: str, obstacle: Any) -> None:
    one = bytes.fromhex(octets)
    for cut in range(len(one)):
        file = PiecesFile(one + one[:cut], obstacle, obstacle, one[cut:], obstacle)
        values = derlib.iter_decode(file, Pair, rules=rules)
        found: list[Any] = []
        for _ in range(5):
            try:
                found.append(next(values).first)
            except OSError:
                found.append(None)
        assert found == [5, None, None, 5, None]
        assert list(values) == []


def test_a_file_that_is_not_ready_is_an_error_that_says_how_to_go_on() -> None:
    with pytest.raises(BlockingIOError, match=r"call next\(\) again"):
        next(derlib.iter_decode(PiecesFile(None), Pair))


@pytest.mark.parametrize("rules", ["der", "ber"])
@pytest.mark.parametrize("octets", ["3084 ffffffff", "3084 ffffffff 02", "30fe" + "01" * 126])
def test_a_header_that_declares_more_than_the_limit_is_enough(rules: Any, octets: str) -> None:
    values = derlib.iter_decode(PiecesFile(bytes.fromhex(octets), AssertionError()), Pair, rules=rules,
                                limits=Limits(size=4096))  # fmt: skip
    with pytest.raises(LimitError, match="bytes; the limit is 4096") as caught:
        next(values)
    assert (caught.value.kind, caught.value.offset) == ("input-limit", 0)
    assert list(values) == []


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this Python has no GIL to release")
def test_small_values_are_decoded_without_releasing_the_gil() -> None:
    """A release for each value would cost more than the value, and every other thread would interrupt the loop."""
    octets = PAIRS[0].encode() * 10_000
    # The first call imports `derlib.stream`, and reading its file releases the GIL.
    assert list(derlib.iter_decode(PAIRS[0].encode(), Pair)) == [PAIRS[0]]
    turns = 0
    running = True

    def take_turns() -> None:
        nonlocal turns
        while running:
            turns += 1
            time.sleep(0)

    before = sys.getswitchinterval()
    other = threading.Thread(target=take_turns)
    other.start()
    try:
        # The main thread gives the GIL away only if it releases it itself.
        sys.setswitchinterval(60)
        started = turns
        rest = memoryview(octets)
        while rest:
            _, rest = Pair.decode_prefix(rest)
        decoded = sum(1 for _ in derlib.iter_decode(octets, Pair))
        seen = turns
    finally:
        sys.setswitchinterval(before)
        running = False
        other.join()
    assert (decoded, seen) == (10_000, started)


BER_PAIRS = [
    bytes.fromhex("3080 020105 2480 040161 0000 0000"),
    bytes.fromhex("30840000000a 020107 04840000000162"),
    Pair(first=9, second=b"c" * 70_000).encode(),
    bytes.fromhex("3080 020108 248100 0000"),
]
BER_STREAM = b"".join(BER_PAIRS)


@each_source
def test_values_in_ber_are_those_of_decode(source: Callable[[bytes], Any]) -> None:
    found = list(derlib.iter_decode(source(BER_STREAM), Pair, rules="ber"))
    expected = [Pair.decode(octets, rules="ber") for octets in BER_PAIRS]
    assert found == expected
    assert [value.first for value in found] == [5, 7, 9, 8]
    for value, other in zip(found, expected, strict=True):
        assert value.origin is not None
        assert other.origin is not None
        assert list(value.origin.changes) == list(other.origin.changes)


@each_source
@pytest.mark.parametrize(
    ("rest", "kind", "offset"),
    [
        ("3080 020105 0401 61", "end-of-contents-missing", 0),
        ("3005 0201", "content-truncated", 0),
        ("30", "length-truncated", 0),
        ("0000", "end-of-contents-stray", 0),
        ("3080 1080 0000", "indefinite-primitive", 2),
        ("3080 0000", "component-missing", 2),
    ],
)
def test_an_error_in_ber_counts_its_offset_from_the_start_of_the_source(
    source: Callable[[bytes], Any], rest: str, kind: str, offset: int
) -> None:
    values = derlib.iter_decode(source(BER_STREAM + bytes.fromhex(rest)), Pair, rules="ber")
    assert [next(values).first for _ in BER_PAIRS] == [5, 7, 9, 8]
    with pytest.raises(DecodeError) as caught:
        next(values)
    assert (caught.value.kind, caught.value.offset) == (kind, len(BER_STREAM) + offset)


@pytest.mark.parametrize("source", [b"", bytearray(), io.BytesIO()])
def test_an_empty_source_has_no_values_in_ber(source: Any) -> None:
    assert list(derlib.iter_decode(source, Pair, rules="ber")) == []


def test_values_in_ber_are_read_as_soon_as_they_arrive() -> None:
    file = SlowFile(BER_STREAM)
    values = derlib.iter_decode(file, Pair, rules="ber")
    for number, octets in enumerate(BER_PAIRS):
        assert next(values) == Pair.decode(octets, rules="ber")
        assert file.octets.tell() == len(b"".join(BER_PAIRS[: number + 1]))


@pytest.mark.parametrize(
    ("octets", "limits"),
    [
        (b"\x30\x80" + b"\x02\x01\x01" * 500_000, Limits(size=1000)),
        (bytes.fromhex("0484 7fffffff") + bytes(1_000_000), Limits(size=1000)),
        (b"\x30\x80" * 500_000, None),
        (bytes.fromhex("3080") + bytes.fromhex("1f80") * 500_000, None),
        (bytes.fromhex("0000") + bytes(1_000_000), None),
    ],
    ids=["endless", "long", "deep", "invalid", "end of contents"],
)
def test_hostile_ber_is_not_read_beyond_the_limits(octets: bytes, limits: Limits | None) -> None:
    file = io.BytesIO(octets)
    with pytest.raises((DecodeError, LimitError)) as caught:
        list(derlib.iter_decode(file, rules="ber", limits=limits))
    assert limits is None or (caught.value.kind, caught.value.offset) == ("input-limit", 0)
    assert file.tell() < 200_000


def test_limits_and_deviations_apply_to_each_value_in_ber() -> None:
    padded = bytes.fromhex("3080 02020005 0400 0000") * 3
    tolerate = Deviation.INTEGER_PADDING
    values = list(derlib.iter_decode(padded, Pair, rules="ber", tolerate=tolerate, limits=Limits(size=10)))
    assert [(value.first, value.deviations[0].path) for value in values] == [(5, ("first",))] * 3
    with pytest.raises(LimitError, match="input is 10 bytes; the limit is 9"):
        list(derlib.iter_decode(padded, Pair, rules="ber", tolerate=tolerate, limits=Limits(size=9)))


def test_wrong_rules_are_an_error_of_the_call() -> None:
    wrong: Any = "cer"
    with pytest.raises(ValueError, match="'ber' also accepts CER"):
        derlib.iter_decode(b"", Pair, rules=wrong)
    wrong = 5
    with pytest.raises(TypeError, match="for rules, got int"):
        derlib.iter_decode(b"", Pair, rules=wrong)


def test_the_work_for_ber_is_linear_in_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    work = 0

    def find_end(data: bytearray, start: int, levels: int) -> tuple[int, int, bool]:
        nonlocal work
        found = find(data, start, levels)
        work += found[0] - start + 1
        return found

    def decode_prefix(plan: Any, data: bytes, *options: Any) -> Any:
        nonlocal work
        work += len(data)
        return decode(plan, data, *options)

    find, decode = _core.find_ber_end, _core.decode_plan_prefix
    monkeypatch.setattr(_core, "find_ber_end", find_end)
    monkeypatch.setattr(_core, "decode_plan_prefix", decode_prefix)
    one = bytes.fromhex("3080 020101 0000")
    # The second is one value, whose headers are read in many chunks.
    for octets in (one * 40_000, bytes.fromhex("3080") + one * 40_000 + bytes(2)):
        work = 0
        assert list(derlib.iter_decode(octets, rules="ber"))
        assert len(octets) < work < 3 * len(octets)
