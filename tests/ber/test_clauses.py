"""Contents that are invalid in BER, too: the error has the clause of BER, and that of a kept element the one of DER."""

from __future__ import annotations

from typing import Any

import pytest
from rules.rows import der

import derlib
from derlib import Duration, GeneralizedTime, ISOTime, LimitError, Real, Sequence, UTCTime, ber, stream

from .rows import converted_or_error

#: The type, the contents, the kind, the clause and the message without its position.
INVALID: list[tuple[Any, str, bytes, str, str, str]] = [
    (UTCTime, "17", b"261123096000Z", "utc-range", "X.680 47.3",
     "UTCTime '261123096000Z' is not a valid date and time"),
    (UTCTime, "17", b"2611230960Z", "utc-form", "X.680 47.3",
     "UTCTime '2611230960Z' is not a date and time YYMMDDhhmm[ss] with Z or an offset"),
    (GeneralizedTime, "18", b"2026", "generalized-form", "X.680 46.2",
     "GeneralizedTime '2026' is not a date and time YYYYMMDDhh[mm[ss]][.f] with Z or an offset"),
    (GeneralizedTime, "18", b"20261123090000.Z", "generalized-fraction", "X.680 46.2",
     "GeneralizedTime '20261123090000.Z' has a fraction without digits"),
    (GeneralizedTime, "18", b"20261123090000", "time-local", "X.690 11.7.1",
     "GeneralizedTime '20261123090000' is local time, which has no DER encoding"),
    (ISOTime, "0e", b"abc", "time-form", "X.680 38", "TIME 'abc' is not an ISO 8601 time, duration or interval"),
    (Duration, "1f22", b"abc", "duration-form", "X.690 8.26.5",
     "DURATION 'abc' is not an ISO 8601 duration, without its P"),
    (Real, "09", b"\xb0\0\1", "real-binary", "X.690 8.5.7.2", "the base of the binary REAL b0 00 01 is reserved"),
    (Real, "09", b"\x80\0\0", "real-mantissa", "X.690 8.5.2, 8.5.3", "the mantissa of REAL 80 00 00 is zero"),
    (Real, "09", b"\x90\0\0", "real-binary", "X.690 8.5.2, 8.5.3", "the mantissa of REAL 90 00 00 is zero"),
    (Real, "09", b"\x83\2\1\0\0", "real-exponent", "X.690 8.5.2, 8.5.3", "the mantissa of REAL 83 02 01 00 00 is zero"),
    (Real, "09", b"\x83\0\1", "real-exponent", "X.690 8.5.7.4",
     "the exponent of REAL 83 00 01 has no octets, or more than it needs"),
    (Real, "09", b"\x83\2\0\1\1", "real-exponent", "X.690 8.5.7.4",
     "the exponent of REAL 83 02 00 01 01 has no octets, or more than it needs"),
    (Real, "09", b"\x83\2\xff\xff\1", "real-exponent", "X.690 8.5.7.4",
     "the exponent of REAL 83 02 ff ff 01 has no octets, or more than it needs"),
    (Real, "09", b"\x80\0", "real-unfinished", "X.690 8.5.7", "REAL 80 00 ends before its mantissa"),
    (Real, "09", b"\x44", "real-special", "X.690 8.5.9", "REAL 44 is not a special value (40 to 43)"),
    (Real, "09", b"\1" + b"0", "real-decimal", "X.690 8.5.2, 8.5.8",
     "the decimal REAL 01 30 is not a numeral of the form NR1, NR2 or NR3 other than zero"),
]


class Signed(Sequence, ber="keep"):
    value: derlib.TLV


class Message(Sequence):
    signed: Signed


@pytest.mark.parametrize(("type_", "tag", "contents", "kind", "clause", "detail"), INVALID)
def test_contents_that_are_invalid_in_ber(
    type_: Any, tag: str, contents: bytes, kind: str, clause: str, detail: str
) -> None:
    value = der(tag, contents)
    _, error = converted_or_error(value, type_)
    assert (error.kind, error.rule, error.detail, error.hint, error.offset) == (kind, clause, detail, None, 0)
    with pytest.raises(derlib.DecodeError) as caught, stream.open(value, type_, rules="ber") as opened:
        _ = opened[()]
    assert (caught.value.rule, caught.value.detail) == (clause, detail)
    # A kept element must be DER.
    with pytest.raises(derlib.DecodeError) as strict:
        derlib.decode(type_, value)
    data = b"\x30\x80" + der("30", value) + bytes(2)
    converted = ber.convert(data, Message)
    [kept] = converted.kept
    with pytest.raises(derlib.DecodeError) as raised:
        _ = converted.value
    for found in (kept.error, raised.value):
        assert found is not None
        assert (found.rule, found.detail, found.offset) == (strict.value.rule, strict.value.detail, 4)


@pytest.mark.parametrize(("contents", "detail"), [
    (b"\xa3\x08\x7f" + b"\xff" * 7 + b"\1", "REAL has an exponent of 9 bytes in base 2; the limit is 8"),
    (b"\x83\x08\x7f" + b"\xff" * 7 + b"\2", "REAL has an exponent of 9 bytes in base 2; the limit is 8"),
    (b"\x83\x09\x7f" + b"\xff" * 8 + b"\1", "REAL has an exponent of 9 bytes; the limit is 8"),
    (b"\3" + b"1,0e" + b"1" * 19, "REAL has an exponent of 19 digits; the limit is 17"),
    (b"\3" + b"1,0E-" + b"1" * 19, "REAL has an exponent of 19 digits; the limit is 17"),
    (b"\1" + b"1" * 601, "REAL has a mantissa of 601 digits; the limit is 600"),
])  # fmt: skip
def test_the_limits_of_a_real(contents: bytes, detail: str) -> None:
    value = der("09", contents)
    with pytest.raises(LimitError) as caught:
        ber.convert(value, Real)
    assert caught.value.detail == detail


def test_an_index_of_changes_that_no_list_has() -> None:
    changes = ber.convert(bytes.fromhex("3080 0000")).changes
    for index in (1, -2, 1 << 70, -(1 << 70)):
        with pytest.raises(IndexError):
            _ = changes[index]
    assert changes[: 1 << 70] == tuple(changes)
