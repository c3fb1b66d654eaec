"""The contents octets of TIME, DATE, TIME-OF-DAY, DATE-TIME and DURATION: valid ones, and mutations of these."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from derlib.strategies._elements import Fault
from derlib.strategies._types import Type

# DATE, TIME-OF-DAY and DATE-TIME: digits only.

# X.680 38.4: the years from 1582 to 9999.
DAYS = st.one_of(
    st.dates(date(1582, 1, 1)).map(lambda day: f"{day.year:04}{day:%m%d}".encode()),
    st.sampled_from([b"20000101", b"15820101", b"99991231", b"20000229", b"20400229"]),
)
CLOCKS = st.one_of(
    st.times().map(lambda clock: f"{clock:%H%M%S}".encode()),
    st.sampled_from([b"000000", b"235959"]),
)
# ISO 8601: the end of a day, and leap seconds, which in local time may be at any hour.
RARE_CLOCKS = st.sampled_from([b"240000", b"235960", b"120060"])


def dates(_: Type, __: bool) -> SearchStrategy[bytes]:
    return DAYS


def times_of_day(_: Type, unrepresentable: bool) -> SearchStrategy[bytes]:
    return st.one_of(CLOCKS, CLOCKS, RARE_CLOCKS) if unrepresentable else CLOCKS


def date_times(type_: Type, unrepresentable: bool) -> SearchStrategy[bytes]:
    return st.builds(bytes.__add__, DAYS, times_of_day(type_, unrepresentable))


def day_faults(year: bytes, rest: bytes) -> Iterator[Fault]:
    for text, description in (
        (b"15811231", "a day before 1582"), (year + b"1301", "month 13"), (year + b"0001", "month 0"),
        (year + b"0230", "30 February"), (b"19000229", "29 February of 1900"), (year + b"0431", "31 April"),
        (year + b"0100", "day 0"),
    ):
        yield Fault("iso-range", text + rest, f"date with {description}")


def clock_faults(day: bytes) -> Iterator[Fault]:
    for text, description in (
        (b"250000", "hour 25"), (b"240001", "a second after hour 24"), (b"126000", "minute 60"),
        (b"120061", "second 61"),
    ):
        yield Fault("iso-range", day + text, f"time of day with {description}")


def form_faults(kind: str, contents: bytes, written: bytes) -> Iterator[Fault]:
    """Yield times in an invalid form; `written` is a value in ASN.1 notation, with separators."""
    yield Fault(kind, b"", "time that is empty")
    yield Fault(kind, contents[:-1], "time without its last digit")
    yield Fault(kind, contents[:-1] + b"x", "time with a letter for a digit")
    yield Fault(kind, contents + b"Z", "time with a zone")
    yield Fault(kind, written, "time with separators, which DER leaves out")


def date_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield from form_faults("date-form", contents, b"2026-01-31")
    yield from day_faults(contents[:4], b"")


def time_of_day_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield from form_faults("time-of-day-form", contents, b"12:00:00")
    yield from clock_faults(b"")


def date_time_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    yield from form_faults("date-time-form", contents, b"2026-01-31T12:00:00")
    yield from day_faults(contents[:4], contents[8:])
    yield from clock_faults(contents[:8])


# DURATION: the text after the P.

NUMBERS = st.one_of(st.integers(1, 99), st.sampled_from([1, 10**30])).map(str)
# The last component may be zero, and may have a fraction, whose zeros count.
LAST_NUMBERS = st.one_of(NUMBERS, st.sampled_from(["0", "0.5", "1.50", "36.0"]))
UNITS = ("Y", "M", "D", "TH", "TM", "TS")


@st.composite
def duration_texts(draw: DrawFn) -> str:
    chosen = draw(st.lists(st.sampled_from(range(len(UNITS))), max_size=6, unique=True).map(sorted))
    if not chosen:
        return draw(LAST_NUMBERS) + "W"
    text = ""
    for number in chosen:
        mark, unit = UNITS[number][:-1], UNITS[number][-1]
        # The first of the hours, minutes and seconds that are present has a T before it.
        text += (mark if mark not in text else "") + draw(LAST_NUMBERS if number == chosen[-1] else NUMBERS) + unit
    return text


def durations(_: Type, __: bool) -> SearchStrategy[bytes]:
    return duration_texts().map(str.encode)


def duration_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    for text, description in (
        (b"", "that is empty"), (b"P" + contents, "with its P"), (contents + b"T", "with a T at the end"),
        (contents + b"1", "with a number at the end"), (b"0" + contents.lstrip(b"T"), "with a leading zero"),
        (b"1D2M", "in the wrong order"), (b"1W2D", "of weeks and days"), (b"1.5Y2M", "with a fraction before the last"),
        (b"0Y2M", "with a zero before the last"), (b"1,5Y", "with a comma"), (b"-1Y", "that is negative"),
        (contents.lower(), "in small letters"),
    ):
        yield Fault("duration-form", text, f"duration {description}")


# TIME: points in time, durations, intervals, and recurring intervals.

YEARS = st.one_of(
    st.integers(0, 9999).map(lambda year: f"{year:04}"), st.sampled_from(["-0001", "-9999", "+10000", "-10000"])
)
MONTHS = st.integers(1, 12).map(lambda month: f"{month:02}")
WEEKS = st.integers(1, 52).map(lambda week: f"W{week:02}")
WEEK_DAYS = st.builds(lambda week, day: f"{week}-{day}", WEEKS, st.integers(1, 7))
CALENDAR = st.one_of(st.dates().map(date.isoformat), st.sampled_from(["0000-02-29", "-0004-02-29", "+12000-02-29"]))


def of_year(part: SearchStrategy[str], *edges: str) -> SearchStrategy[str]:
    texts = st.builds(lambda year, text: f"{year}-{text}", YEARS, part)
    return st.one_of(texts, st.sampled_from(edges)) if edges else texts


def clock(form: str, *edges: str) -> SearchStrategy[str]:
    """Return times of day with the precision of `form`, with or without a fraction, with or without a zone."""
    texts = st.one_of(st.times().map(lambda moment: time.strftime(moment, form)), st.sampled_from(edges))
    fraction = st.sampled_from(["", "", ".5", ".50", ".000"])
    zone = st.sampled_from(["", "Z", "+00", "+01", "-05:30", "+15:59"])
    return st.builds(
        # Hour 24 is the end of a day, so its fraction consists of zeros.
        lambda text, fraction, zone: text + (fraction if text < "24" else ".0" if fraction else "") + zone,
        texts, fraction, zone,
    )


ORDINALS = of_year(st.integers(1, 365).map(lambda day: f"{day:03}"), "1984-366")
WEEK_POINTS = of_year(WEEK_DAYS, "2004-W53-7")
DAY_POINTS = (CALENDAR, ORDINALS, WEEK_POINTS)
CLOCK_POINTS = (clock("%H", "24"), clock("%H:%M", "24:00"), clock("%H:%M:%S", "24:00:00", "23:59:60"))
# All texts of one strategy have the same precision, so that two of them can be the ends of an interval.
POINTS: list[SearchStrategy[str]] = [
    YEARS,
    st.one_of(st.integers(0, 99).map(lambda century: f"{century:02}C"), st.sampled_from(["-01C", "+123C"])),
    of_year(MONTHS), of_year(WEEKS, "2004-W53"), *DAY_POINTS, *CLOCK_POINTS,
    *(st.builds(lambda day, moment: f"{day}T{moment}", days, moments)
      for days in DAY_POINTS for moments in CLOCK_POINTS),
]
POINT = st.sampled_from(POINTS).flatmap(lambda points: points)
PERIODS = duration_texts().map(lambda text: f"P{text}")
INTERVALS = st.one_of(
    st.sampled_from(POINTS).flatmap(lambda points: st.builds(lambda start, end: f"{start}/{end}", points, points)),
    st.builds(lambda start, period: f"{start}/{period}", POINT, PERIODS),
    st.builds(lambda period, end: f"{period}/{end}", PERIODS, POINT),
)
RECURRING = st.builds(
    lambda count, interval: f"R{count}/{interval}",
    st.sampled_from(["", "0", "5", "100"]), st.one_of(PERIODS, INTERVALS),
)


def times(_: Type, __: bool) -> SearchStrategy[bytes]:
    return st.one_of(POINT, PERIODS, INTERVALS, RECURRING).map(str.encode)


def time_faults(_: Type, contents: bytes) -> Iterator[Fault]:
    for text, description in (
        (b"", "that is empty"), (contents + b" ", "with a blank"), (contents + b"/", "with a slash at the end"),
        (b"19850412", "in the basic format"), (b"1985-13", "with month 13"), (b"1985-02-30", "with 30 February"),
        (b"1985-366", "with day 366 of 365"), (b"1985-W53", "with week 53 of 52"), (b"-0000", "with a minus zero"),
        (b"24:00:01", "after the end of a day"), (b"15:27:46.", "with an empty fraction"), (b"15,5", "with a comma"),
        (b"15:27+00:00", "with a zone of no minutes"), (b"15:27-00", "with a zone of minus zero"),
        (b"P01Y", "with a leading zero"), (b"R/1985", "that recurs without an interval"),
        (b"R01/P1D", "that recurs a number of times with a leading zero"), (b"1985/15:27", "from a year to an hour"),
        (b"P1D/P1D", "from a duration to another"),
    ):
        yield Fault("time-form", text, f"TIME {description}")
