"""TIME and the useful time types: X.680 38, X.690 8.26, 11.9."""

import copy
import datetime as dt
import pickle
from datetime import date, datetime, time, timezone

import pytest

import derlib
from derlib import (
    ContentsError,
    Date,
    DateTime,
    Duration,
    IdentifierError,
    ISOTime,
    Sequence,
    StructureError,
    TimeOfDay,
    UnrepresentableError,
    UTCTime,
)

from .rows import der, reads, refuses, table

TAGS = {Date: "1f 1f", TimeOfDay: "1f 20", DateTime: "1f 21", Duration: "1f 22", ISOTime: "0e"}


def octets(type_, text: str) -> bytes:
    return der(TAGS[type_], text.encode("latin-1"))


def good(type_, text, value):
    return reads(text, type_, octets(type_, text), value)


def bad(type_, text, clause):
    return refuses(text or "nothing", type_, octets(type_, text), ContentsError, clause)


DATE = [
    good(Date, "20240229", date(2024, 2, 29)),
    good(Date, "15820101", date(1582, 1, 1)),
    good(Date, "99991231", date(9999, 12, 31)),
    *[bad(Date, text, "8.26.2") for text in ("", "2024-02-29", "2024022", "202402290", "2024022x", "+2024022",
                                             "240229")],
    *[bad(Date, text, "38.4") for text in ("20230229", "15811231", "00000101", "20240001", "20241301", "20240100",
                                           "20240230", "20240431", "19000229")],
    refuses("the constructed form", Date, der("3f 1f", octets(Date, "20240229")), IdentifierError, "8.26.2|8.1.2.5"),
    refuses("a TIME-OF-DAY", Date, octets(TimeOfDay, "120000"), StructureError),
]
TIME_OF_DAY = [
    good(TimeOfDay, "000000", time(0, 0, 0)),
    good(TimeOfDay, "235959", time(23, 59, 59)),
    *[bad(TimeOfDay, text, "8.26.3") for text in ("", "12:00:00", "1200", "120000Z", "120000.5", "12000x", "1200000")],
    *[bad(TimeOfDay, text, "38.4") for text in ("250000", "240001", "240100", "126000", "120061")],
    refuses("the constructed form", TimeOfDay, der("3f 20", octets(TimeOfDay, "120000")), IdentifierError, "8.1.2.5"),
]
DATE_TIME = [
    good(DateTime, "20240229123456", datetime(2024, 2, 29, 12, 34, 56)),
    *[bad(DateTime, text, "8.26.4") for text in ("", "2024-02-29T12:34:56", "20240229T123456", "202402291234",
                                                 "20240229123456Z", "2024022912345x", "x0240229123456")],
    *[bad(DateTime, text, "38.4") for text in ("20230229123456", "20240229250000", "15811231000000")],
    refuses("the constructed form", DateTime, der("3f 21", octets(DateTime, "20240229123456")), IdentifierError,
        "8.1.2.5"),
]
GOOD_DURATIONS = ("1Y", "1M", "1D", "T1H", "T1M", "T1S", "1Y2M3DT4H5M6S", "1YT1S", "2W", "0D", "T0S", "2MT0.00S", "0W",
                  "1Y1D", "T1H1S", "0.5Y", "1.5W", "T36.0H", "123456789012345678901234567890Y", "1MT1M")
BAD_DURATIONS = ("", "P1Y", "1", "Y", "T", "1YT", "1Y2", "1D2M", "1M1Y", "T1D", "1H", "1S", "1DT1S1H", "01Y", "00D",
                 "0Y2M",
                 "0YT1S", "1.5Y2M", "1,5Y", "1.Y", ".5Y", "-1Y", "1y", "1W2D", "1Y2W", "T1W", "1Y ", "1YTT1S", "1Y/",
                 "1Y1Y",
                 "T1HT1S", "T0H1S")
DURATION = [
    *[good(Duration, text, f"P{text}") for text in GOOD_DURATIONS],
    *[bad(Duration, text, "8.26.5|11.9") for text in BAD_DURATIONS],
    refuses("the constructed form", Duration, der("3f 22", octets(Duration, "1Y")), IdentifierError, "8.1.2.5"),
]
GOOD_TIMES = (
    # Dates: X.680 38, the settings of Date and Year.
    "19C", "00C", "-01C", "+123C", "1985", "0000", "-0002", "+11985", "-11985", "1985-04", "1985-04-12", "-0002-04-12",
    "1985-102", "1984-366", "1985-W15", "1985-W15-5", "2004-W53-7", "2009-W53", "1976-W53", "2000-02-29", "-0004-02-29",
    "0000-02-29", "+12000-02-29",
    # Times of day.
    "15", "15:27", "15:27:46", "15.5", "15:27.50", "15:27:35.5", "15:27:35.000", "24", "24:00", "24:00:00",
    "24:00:00.0",
    "23:59:60", "00:00:00", "15Z", "15:27Z", "15:27:46Z", "15:27:46+01", "15:27:46-05:30", "15:27:46+00", "15+15:59",
    # Both.
    "1985-04-12T15", "1985-04-12T15:27:46.5Z", "1985-102T15:27", "1985-W15-5T15:27+01", "2024-02-29T24:00:00",
    # Durations, intervals, and recurring intervals.
    "P1Y2M", "P2W", "PT0.5S", "1985-04-12/1985-06-25", "1985/1986", "12:30/13:30", "19C/20C",
    "1985-04-12T23:20:50Z/1985-06-25T10:30:00Z", "1985-04-12/P3M", "P3M/1985-04-12", "R12/P1D", "R/P1D",
    "R0/1985-04-12/P1D", "R/1985-04-12/1985-04-13", "R5/P1D/1985-04-12",
)  # fmt: skip
BAD_TIMES = (
    "", " ", "T", "C", "1C", "123C", "+12C", "-00C", "+012C", "198", "19850", "+1985", "-0000", "+01985", "-01985",
    "1985-", "1985-4", "1985-00", "1985-13", "1985-04-", "1985-04-1", "1985-04-00", "1985-04-31", "1985-02-29",
    "-0001-02-29", "1985-000", "1985-366", "1985-W00", "1985-W53", "1985-W1", "1985-W15-0", "1985-W15-8", "1985-W15-",
    "1985W15", "19850412", "1985-w15", "2000-W53",
    "1", "5:27", "15:", "15:2", "15:27:", "152746", "25", "24:01", "24:00:01", "24:00:00.1", "24:00:00.9",
    "15:60", "15:27:61", "15.",
    "15,5", "15:27:35,5", "15:27:46+01:00", "15:27:46+1", "15:27:46+0100", "15:27:46-00", "15:27:46+16",
    "15:27:46+01:60",
    "15:27:46z", "15:27:46ZZ", "15:27:46+", "T15", "15:27.5:30", "15:27:46Z+01", "24.1",
    "1985-04-12T", "1985-04T15", "1985T15", "1985-W15T15", "1985-04-12 15:27", "1985-04-12t15", "19CT15",
    "1985-04-12T15T15",
    "P", "p1Y", "/", "1985/", "/1985", "1985/1986/1987", "1985/04-12", "1985/1986-04", "P1Y/P1Y", "P1Y/", "/P1Y",
    "12:30/1985", "R", "R/", "R5", "R5/", "R05/P1D", "R-1/P1D", "R5/1985", "R5/15:27", "RR/P1D", "R/R/P1D",
    "1985\xe9", "\xe9",
)  # fmt: skip
TIME = [
    *[good(ISOTime, text, text) for text in GOOD_TIMES],
    *[bad(ISOTime, text, "38") for text in BAD_TIMES],
    refuses("the constructed form", ISOTime, der("2e", octets(ISOTime, "1985")), IdentifierError, "8.26.1|8.1.2.5"),
]


@table([*DATE, *TIME_OF_DAY, *DATE_TIME])
def test_useful_times(row, place):
    row.check(place)


@table(DURATION)
def test_duration(row, place):
    row.check(place)


@table(TIME)
def test_time(row, place):
    row.check(place)


def test_every_day_of_the_calendar_is_a_date_in_each_of_its_three_forms():
    for year in (1582, 1600, 1700, 1999, 2000, 2001, 2004, 2009, 2015, 2020, 2024, 2026, 2100):
        for number in range(1, 366 + (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))):
            day = date(year, 1, 1) + dt.timedelta(days=number - 1)
            assert derlib.decode(Date, octets(Date, f"{day:%Y%m%d}")) == day
            derlib.decode(ISOTime, octets(ISOTime, f"{day:%Y-%m-%d}"))
            derlib.decode(ISOTime, octets(ISOTime, f"{year}-{number:03}"))
            iso = day.isocalendar()
            derlib.decode(ISOTime, octets(ISOTime, f"{iso[0]}-W{iso[1]:02}-{iso[2]}"))


def test_weeks_agree_with_the_calendar_of_python():
    for year in range(1583, 2600):
        last = date(year, 12, 28).isocalendar()[1]
        for week in (52, 53):
            data = octets(ISOTime, f"{year}-W{week}")
            if week <= last:
                derlib.decode(ISOTime, data)
            else:
                with pytest.raises(ContentsError):
                    derlib.decode(ISOTime, data)


class Times(Sequence):
    day: Date
    clock: TimeOfDay
    moment: DateTime
    length: Duration
    time: ISOTime


@pytest.mark.parametrize(
    ("native", "json"),
    [
        (
            {"day": date(2026, 1, 31), "clock": time(12, 30), "moment": datetime(2026, 1, 31, 12, 30), "length": "P1Y",
             "time": "1985-W15"},
            '{"day": "2026-01-31", "clock": "12:30:00", "moment": "2026-01-31T12:30:00", "length": "P1Y", '
            '"time": "1985-W15"}',
        ),
        (
            {"day": date(1582, 1, 1), "clock": "24:00:00", "moment": "2016-12-31T23:59:60", "length": "PT0S",
            "time": "P1Y"},
            '{"day": "1582-01-01", "clock": "24:00:00", "moment": "2016-12-31T23:59:60", "length": "PT0S", '
            '"time": "P1Y"}',
        ),
    ],
)  # fmt: skip
def test_plain_data_and_json_keep_every_value(native, json):
    times = Times.from_native(native)
    assert times.to_native() == native
    assert times.to_json() == json
    assert Times.from_json(json) == times
    assert pickle.loads(pickle.dumps(times)) == copy.copy(times) == times
    assert len(derlib.pretty(times)) < 500
    assert len(repr(times)) < 500


def test_unrepresentable_times_decode_and_raise_when_read():
    data = der("30", octets(Date, "20161231"), octets(TimeOfDay, "240000"), octets(DateTime, "20161231235960"),
               octets(Duration, "1Y"), octets(ISOTime, "24:00"))
    times = Times.decode(data)
    assert times.encode() == data
    for field in ("clock", "moment"):
        with pytest.raises(UnrepresentableError):
            getattr(times, field)
    assert bytes(times.raw("clock")) == b"240000"
    with pytest.raises(UnrepresentableError):
        derlib.parse(octets(TimeOfDay, "235960")).value  # noqa: B018 - reading is what raises


def test_python_types_can_be_annotations():
    assert derlib.decode(date, octets(Date, "20240229")) == date(2024, 2, 29)
    assert derlib.decode(time, octets(TimeOfDay, "120000")) == time(12)
    assert derlib.encode(time(12), time) == octets(TimeOfDay, "120000")


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Date, datetime(2024, 1, 1)), (Date, "20240101"), (Date, "2024-1-1"), (Date, "2024-02-30"), (Date, 5),
        (Date, date(1, 1, 1)), (TimeOfDay, time(12, 0, 0, 1)), (TimeOfDay, time(12, tzinfo=timezone.utc)),
        (TimeOfDay, "120000"), (TimeOfDay, "12:00"), (TimeOfDay, "12:00:00Z"), (TimeOfDay, None),
        (DateTime, date(2024, 1, 1)), (DateTime, datetime(2024, 1, 1, tzinfo=timezone.utc)), (DateTime,
        "20240101120000"),
        (DateTime, datetime(2024, 1, 1, 0, 0, 0, 1)), (DateTime, "2024-01-01 12:00:00"), (Duration, "1Y"), (Duration,
        ""),
        (Duration, "P01Y"), (Duration, dt.timedelta(1)), (ISOTime, ""), (ISOTime, date(2024, 1, 1)), (ISOTime, "é"),
    ],
)  # fmt: skip
def test_invalid_times_are_not_written(type_, value):
    with pytest.raises(derlib.ASN1Error):
        derlib.encode(value, type_)


def test_a_naive_time_selects_date_time_and_an_aware_one_another_type():
    class Either(Sequence):
        time: UTCTime | DateTime

    naive = Either(time=datetime(2024, 1, 1))
    aware = Either(time=datetime(2024, 1, 1, tzinfo=timezone.utc))
    assert naive.encode()[2:4] == b"\x1f\x21"
    assert aware.encode()[2] == 0x17
    for value in (naive, aware):
        assert Either.from_native(value.to_native()) == value == Either.from_json(value.to_json())
