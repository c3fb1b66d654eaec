"""The contents octets of UTCTime and GeneralizedTime: strategies of valid ones, and mutations of these."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib.strategies._elements import Fault
from derlib.strategies._types import Type


def utc_text(moment: datetime) -> bytes:
    return f"{moment:%y%m%d%H%M%S}Z".encode()


def utc_times(_: Type, __: bool) -> SearchStrategy[bytes]:
    # The two digits of a year are read as 1950 to 2049 (RFC 5280 4.1.2.5.1).
    edges = [b"000101000000Z", b"500101000000Z", b"491231235959Z", b"991231235959Z", b"000229120000Z"]
    drawn = st.datetimes(datetime(1950, 1, 1), datetime(2049, 12, 31, 23, 59, 59))
    return st.one_of(drawn.map(utc_text), st.sampled_from(edges))


def generalized_text(moment: datetime) -> bytes:
    # The format of years differs between platforms below 1000.
    text = f"{moment.year:04}{moment:%m%d%H%M%S}"
    fraction = f".{moment.microsecond:06}".rstrip("0") if moment.microsecond else ""
    return f"{text}{fraction}Z".encode()


def generalized_times(_: Type, unrepresentable: bool) -> SearchStrategy[bytes]:
    edges = [
        b"20000101000000Z", b"20500101000000Z", b"20491231235959Z", b"19500101000000Z", b"19491231235959Z",
        b"00010101000000Z", b"99991231235959Z", b"99991231235959.999999Z", b"20000229000000.1Z", b"20400229235959Z",
    ]
    if unrepresentable:
        edges += [b"00000229000000Z", b"20260131120000.0000001Z", b"20260131120000.12345678901234567890123456789Z"]
        # Leap seconds, at the end of a month.
        edges += [b"20161231235960Z", b"20160630235960.5Z"]
    whole = st.datetimes().map(lambda moment: generalized_text(moment.replace(microsecond=0)))
    return st.one_of(whole, st.datetimes().map(generalized_text), st.sampled_from(edges))


def clock_faults(kind: str, day: bytes, time: bytes) -> Iterator[Fault]:
    """Yield impossible dates and times; `day` is a valid year, month and day, `time` is the rest."""
    year, rest = day[:-4], time[6:]
    for text, description in (
        (year + b"1301" + time, "month 13"), (year + b"0010" + time, "month 0"), (year + b"0230" + time, "30 February"),
        (year + b"0431" + time, "31 April"), (year + b"0100" + time, "day 0"), (day + b"240000" + rest, "hour 24"),
        (day + b"126000" + rest, "minute 60"), (day + b"125960" + rest, "second 60"),
    ):
        yield Fault(kind, text, f"time with {description}")


def utc_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield Fault("utc-form", contents[:-1], "UTCTime without Z")
    yield Fault("utc-form", contents[:-3] + b"Z", "UTCTime without seconds")
    yield Fault("utc-form", contents[:-1] + b"+0000", "UTCTime with an offset")
    yield Fault("utc-form", contents[:-1] + b"z", "UTCTime with a small z")
    yield Fault("utc-form", contents[:-3] + b" 0Z", "UTCTime with a blank for a digit")
    yield Fault("utc-form", b"20" + contents, "UTCTime with a year of four digits")
    yield from clock_faults("utc-range", contents[:6], contents[6:])


def generalized_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    whole = contents[:14]
    yield Fault("generalized-form", contents[:-1], "GeneralizedTime without Z")
    yield Fault("generalized-form", whole[:12] + b"Z", "GeneralizedTime without seconds")
    yield Fault("generalized-form", whole + b",5Z", "GeneralizedTime with a comma")
    yield Fault("generalized-form", contents[:-1] + b"+0000", "GeneralizedTime with an offset")
    yield Fault("generalized-form", whole[:13] + b"xZ", "GeneralizedTime with a letter for a digit")
    yield Fault("generalized-fraction", whole + b".Z", "GeneralizedTime with an empty fraction")
    yield Fault("generalized-fraction", whole + b".50Z", "GeneralizedTime with a fraction that ends in 0")
    yield from clock_faults("generalized-range", contents[:8], contents[8:])
