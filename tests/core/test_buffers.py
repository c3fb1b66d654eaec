"""The buffers that can be decoded, copied or shared; no byte after the end of a buffer is read."""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
import pickle
import sys

import pytest

import derlib
import derlib.json
from derlib import DecodeError, Sequence, SequenceOf, TrailingDataError, TruncatedError, UTCTime, pem


class Inner(Sequence):
    number: int
    octets: bytes


class Document(Sequence):
    inner: Inner
    text: str
    numbers: SequenceOf[int] | None = None


DATA = bytes.fromhex("3018 3009 02020102 0403aabbcc 0c03616263 3006 020105 020106")


def check(document: Document) -> None:
    assert document.inner.number == 0x0102
    assert document.inner.octets == b"\xaa\xbb\xcc"
    assert document.text == "abc"
    assert list(document.numbers) == [5, 6]
    assert bytes(document.der) == DATA
    assert (document.span().offset, document.span().end) == (0, len(DATA))


def exact(data: bytes) -> ctypes.Array:
    """Return a C array of exactly these bytes. Unlike `bytes`, it has no zero byte after its end."""
    return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)


def anonymous_mmap(data: bytes) -> mmap.mmap:
    mapped = mmap.mmap(-1, len(data))
    mapped[:] = data
    return mapped


BUFFERS = [
    pytest.param(bytes, id="bytes"),
    pytest.param(bytearray, id="bytearray"),
    pytest.param(memoryview, id="memoryview of bytes"),
    pytest.param(lambda data: memoryview(bytearray(data)), id="memoryview of a bytearray"),
    pytest.param(
        lambda data: memoryview(bytearray(data)).toreadonly(), id="read-only view of a bytearray"
    ),
    pytest.param(lambda data: memoryview(b"xyz" + data + b"z")[3:-1], id="slice of a memoryview"),
    pytest.param(
        lambda data: memoryview(bytearray(b"xyz" + data + b"z"))[3:-1], id="slice of a mutable one"
    ),
    pytest.param(lambda data: array.array("B", data), id="array of octets"),
    pytest.param(lambda data: array.array("b", data), id="array of signed octets"),
    pytest.param(exact, id="C array"),
    pytest.param(anonymous_mmap, id="mmap"),
]


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("buffer", BUFFERS)
def test_every_buffer_is_decoded(buffer, copy):
    data = buffer(DATA)
    document = Document.decode(data, copy=copy)
    check(document)
    check(Document.decode(buffer(DATA)))
    check(derlib.decode(Document, buffer(DATA)))
    assert bytes(derlib.parse(buffer(DATA)).der) == DATA


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("buffer", BUFFERS)
def test_a_view_outlives_the_last_other_reference_to_its_buffer(buffer, copy):
    number = Document.decode(buffer(DATA), copy=copy).inner
    gc.collect()
    assert number.number == 0x0102
    octets = Document.decode(buffer(DATA), copy=copy).der
    gc.collect()
    assert bytes(octets) == DATA


@pytest.mark.parametrize(
    "mutable",
    [
        pytest.param(lambda data: (lambda b: (b, b))(bytearray(data)), id="bytearray"),
        pytest.param(lambda data: (lambda b: (b, memoryview(b)))(bytearray(data)), id="memoryview"),
        pytest.param(
            lambda data: (lambda b: (b, memoryview(b).toreadonly()))(bytearray(data)),
            id="read-only memoryview of what is mutable",
        ),
        pytest.param(lambda data: (lambda b: (b, b))(array.array("B", data)), id="array"),
        pytest.param(lambda data: (lambda b: (b, b))(anonymous_mmap(data)), id="mmap"),
        pytest.param(lambda data: (lambda b: (b, b))(exact(data)), id="C array"),
    ],
)
def test_a_copy_does_not_change_with_the_buffer(mutable):
    owner, data = mutable(DATA)
    document = Document.decode(data)
    tree = derlib.parse(data)
    for place in range(len(DATA)):
        owner[place] = 0xFF
    check(document)
    assert bytes(tree.der) == DATA
    assert tree.children[1].value == "abc"


def test_a_copy_leaves_a_bytearray_free_to_grow():
    data = bytearray(DATA)
    document = Document.decode(data)
    data.append(0)
    data.clear()
    check(document)


def test_a_copy_leaves_an_mmap_free_to_be_closed():
    mapped = anonymous_mmap(DATA)
    document = Document.decode(mapped)
    mapped.close()
    check(document)


def test_a_shared_bytearray_is_not_copied():
    data = bytearray(DATA)
    document = Document.decode(data, copy=False)
    with pytest.raises(BufferError):
        data.append(0)
    data[7] = 0x03
    assert bytes(document.der) == bytes(data)
    assert document.inner.number == 0x0103
    del document
    gc.collect()
    data.append(0)


def test_a_shared_mmap_cannot_be_closed_under_a_view(tmp_path):
    path = tmp_path / "document.der"
    path.write_bytes(DATA)
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    document = Document.decode(mapped, copy=False)
    check(document)
    with pytest.raises(BufferError):
        mapped.close()
    del document
    gc.collect()
    mapped.close()


def read_everything(document: Document) -> None:
    """Read everything that a view offers. A changed buffer can cause wrong values or errors of derlib."""
    readers = [
        lambda: getattr(document.inner, "number", None),
        lambda: getattr(document.inner, "octets", None),
        lambda: document.text,
        lambda: list(document.numbers or ()),
        lambda: document.numbers[-1] if document.numbers else None,
        lambda: document.span("inner", "octets"),
        lambda: document.raw("text"),
        lambda: bytes(document.der),
        lambda: document.encode(),
        lambda: repr(document),
        lambda: hash(document),
        lambda: document == document.inner,
    ]
    for reader in readers:
        try:
            reader()
        except (derlib.ASN1Error, LookupError):
            continue


@pytest.mark.parametrize("octet", [0x00, 0x01, 0x04, 0x30, 0x7F, 0x80, 0x84, 0xFF])
@pytest.mark.parametrize("looked", [False, True])
def test_a_changing_shared_buffer_results_in_values_or_errors(octet, looked):
    for place in range(len(DATA)):
        data = exact(DATA)
        document = Document.decode(data, copy=False)
        if looked:
            read_everything(document)
        data[place] = octet
        read_everything(document)
    data = exact(DATA)
    document = Document.decode(data, copy=False)
    for place in range(len(DATA)):
        data[place] = octet
    read_everything(document)


@pytest.mark.parametrize("copy", [True, False])
def test_a_buffer_that_is_not_contiguous_is_never_misread(copy):
    spread = bytearray(2 * len(DATA))
    spread[::2] = DATA
    try:
        document = Document.decode(memoryview(spread)[::2], copy=copy)
    except (TypeError, BufferError):
        assert not copy, "a copy of strided octets is contiguous"
    else:
        check(document)
    try:
        document = Document.decode(memoryview(DATA[::-1])[::-1], copy=copy)
    except (TypeError, BufferError):
        assert not copy, "a copy of reversed octets is contiguous"
    else:
        check(document)


@pytest.mark.parametrize("copy", [True, False])
def test_items_of_several_bytes_are_read_as_their_bytes(copy):
    assert len(DATA) % 2 == 0
    mutable = memoryview(bytearray(DATA))
    for buffer in (array.array("H", DATA), memoryview(DATA).cast("H"), mutable.cast("H")):
        check(Document.decode(buffer, copy=copy))
    grid = mutable.cast("B", (2, len(DATA) // 2))
    check(Document.decode(grid, copy=copy))


@pytest.mark.parametrize("wrong", [None, 5, "3000", [0x30, 0x00], object(), ("30",)])
def test_an_object_without_a_buffer_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        Document.decode(wrong)
    with pytest.raises(TypeError):
        derlib.decode(int, wrong)
    with pytest.raises(TypeError):
        derlib.parse(wrong)


class Key:
    """A key or a certificate of cryptography."""

    def public_bytes(self, encoding):
        raise AssertionError("not called")


def test_the_error_for_an_object_says_how_to_get_its_bytes(tmp_path):
    with pytest.raises(TypeError, match=r"got list; decode its elements one by one"):
        derlib.decode(int, [b"\2\1\0"])
    with pytest.raises(TypeError, match=r"got Key; pass the result of its public_bytes\(Encoding.DER, ...\)$"):
        derlib.parse(Key())
    with pytest.raises(TypeError, match=r"got int$"):
        derlib.parse(5)
    with pytest.raises(TypeError, match=r"got (Posix|Windows)Path; read a file first"):
        Document.decode(tmp_path)
    with pytest.raises(TypeError, match=r"got PEMBlock; pass its \.der"):
        Document.decode(next(pem.blocks(pem.encode(b"\5\0", "NOTHING"))))


def test_pem_text_is_distinguished_from_der():
    for data in (b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n", b"-----BEGIN"):
        with pytest.raises(DecodeError, match=r"PEM text: decode it with pem\.one first") as caught:
            Document.decode(data)
        assert caught.value.offset == 0
    with pytest.raises(DecodeError) as caught:
        Document.decode(b"-----BEGI")
    assert "PEM" not in str(caught.value)


@pytest.mark.parametrize("copy", [True, False])
def test_an_empty_buffer_is_a_truncation(copy):
    for empty in (b"", bytearray(), memoryview(b""), array.array("B"), memoryview(DATA)[4:4]):
        with pytest.raises(TruncatedError) as caught:
            Document.decode(empty, copy=copy)
        assert caught.value.offset == 0


@pytest.mark.parametrize("copy", [True, False])
def test_no_byte_after_the_end_of_a_buffer_is_read(copy):
    # The array ends where the input ends, so the sanitizers detect a read of one more byte.
    for end in range(len(DATA)):
        with pytest.raises(TruncatedError):
            Document.decode(exact(DATA[:end]), copy=copy)
        with pytest.raises(TruncatedError):
            derlib.parse(exact(DATA[:end]), copy=copy)
    # The bytes around a slice are not part of the input.
    for end in range(len(DATA)):
        around = memoryview(bytearray(b"\xff" + DATA + b"\xff"))
        with pytest.raises(TruncatedError):
            Document.decode(around[1 : 1 + end], copy=copy)
        check(Document.decode(around[1:-1], copy=copy))


@pytest.mark.parametrize("copy", [True, False])
def test_every_type_ends_with_an_exact_buffer(copy):
    elements = [
        (bool, "0101ff"),
        (int, "020900ffffffffffffffff"),
        (bytes, "0400"),
        (str, "0c09616263646566676869"),
        (str, "0c08c3a9c3a9c3a9c3a9"),
        (derlib.BitString, "03020780"),
        (derlib.ObjectIdentifier, "06062a864886f70d"),
        (UTCTime, "170d3234303232393132333435365a"),
        (derlib.GeneralizedTime, "180f32303234303232393132333435365a"),
        (derlib.TLV, "9f8100820100" + "00" * 256),
    ]
    for type_, text in elements:
        data = bytes.fromhex(text)
        derlib.decode(type_, exact(data), copy=copy)
        for end in range(len(data)):
            with pytest.raises(DecodeError):
                derlib.decode(type_, exact(data[:end]), copy=copy)


@pytest.mark.parametrize("buffer", BUFFERS)
def test_decode_prefix_returns_the_rest(buffer):
    stream = buffer(DATA + b"\x02\x01\x07rest")
    document, rest = Document.decode_prefix(stream)
    check(document)
    assert isinstance(rest, memoryview)
    assert bytes(rest) == b"\x02\x01\x07rest"
    with pytest.raises(TrailingDataError) as caught:
        Document.decode(stream)
    assert caught.value.offset == len(DATA)


def test_decode_prefix_walks_a_stream_without_copies():
    stream = bytearray(DATA * 3)
    rest = memoryview(stream)
    count = 0
    while rest:
        document, rest = Document.decode_prefix(rest)
        check(document)
        count += 1
    assert count == 3
    with pytest.raises(TruncatedError):
        Document.decode_prefix(rest)


def test_decode_prefix_of_exactly_one_value_returns_an_empty_rest():
    document, rest = Document.decode_prefix(DATA)
    check(document)
    assert len(rest) == 0


def test_offsets_count_from_the_start_of_the_decoded_input():
    data = memoryview(b"\xff" * 10 + DATA)[10:]
    document = Document.decode(data)
    assert document.span().offset == 0
    assert document.inner.span("octets").offset == 8
    assert document.numbers.span(1).offset == 23
    with pytest.raises(DecodeError) as caught:
        Document.decode(memoryview(b"\xff" * 10 + DATA[:5] + b"\x00" + DATA[6:])[10:])
    assert caught.value.offset == 4


@pytest.mark.parametrize(("before", "after"), [(0, 0), (0, 5), (10, 0), (10, 5)])
@pytest.mark.parametrize("copy", [True, False])
def test_a_memoryview_of_bytes_is_used_in_place_and_keeps_only_the_bytes(before: int, after: int, copy: bool) -> None:
    whole = b"\xff" * before + DATA + b"\xff" * after
    references = sys.getrefcount(whole)
    outer = memoryview(whole)
    part = outer[before : before + len(DATA)]
    document = Document.decode(part, copy=copy)
    # Release the memoryviews: the value keeps the bytes, not them.
    part.release()
    outer.release()
    assert sys.getrefcount(whole) == references + 1
    check(document)
    assert document.der.obj is whole
    assert document.der == DATA
    assert document.inner.span().offset == 2
    assert document.inner.der == DATA[2:13]
    assert (document.encode() is whole) == (before == after == 0)
    assert derlib.json.encode(document) == derlib.json.encode(Document.decode(DATA))
    assert pickle.loads(pickle.dumps(document)) == document
    del document
    assert sys.getrefcount(whole) == references


@pytest.mark.parametrize("size", [1, 2])
def test_a_reversed_memoryview_of_bytes_is_read_in_its_order(size: int) -> None:
    # One byte is contiguous, and is the last one of the bytes object.
    data = memoryview(b"\x00\x05"[-size:])[::-1]
    if size == 2:
        assert derlib.parse(data).encode() == b"\x05\x00"
    else:
        with pytest.raises(DecodeError):
            derlib.parse(data)


def test_the_octets_of_a_view_cannot_be_changed_through_it():
    for copy in (True, False):
        document = Document.decode(bytearray(DATA), copy=copy)
        for octets in (document.der, document.raw("text"), document.inner.der):
            assert octets.readonly
            with pytest.raises(TypeError):
                octets[0] = 0


def test_encode_returns_the_decoded_bytes_object():
    document = Document.decode(DATA)
    assert document.encode() is DATA
    assert derlib.parse(DATA).encode() is DATA
    built = document.replace(text="d" * 100_000)
    assert built.encode() is built.encode()
    assert Document.decode(built.encode()) == built


def test_encode_of_a_part_is_a_copy():
    longer = b"\x00" + DATA
    document = Document.decode(memoryview(longer)[1:])
    assert document.encode() == DATA
    assert document.inner.encode() == DATA[2:13]
    prefix, rest = Document.decode_prefix(DATA + b"\x00")
    assert (prefix.encode(), bytes(rest)) == (DATA, b"\x00")


def test_encode_returns_plain_bytes_for_other_buffers():
    class Named(bytes):
        pass

    for given in (Named(DATA), bytearray(DATA)):
        for copy in (True, False):
            made = Document.decode(given, copy=copy).encode()
            assert type(made) is bytes
            assert made == DATA
