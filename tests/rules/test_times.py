"""UTCTime (X.690 11.8, X.680 47) and GeneralizedTime (X.690 11.7, X.680 46)."""

import calendar
from datetime import datetime, timezone

import pytest

import derlib
from derlib import (
    ContentsError,
    Field,
    GeneralizedTime,
    IdentifierError,
    Sequence,
    StructureError,
    UTCTime,
)

from .rows import der, reads, refuses, sequence_class, table


class Stamp(Sequence):
    time: GeneralizedTime


def utc(text: str) -> bytes:
    return der("17", text.encode("latin-1"))


def generalized(text: str) -> bytes:
    return der("18", text.encode("latin-1"))


def moment(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)


UTC = [
    reads("an ordinary time", UTCTime, utc("240229123456Z"), moment(2024, 2, 29, 12, 34, 56)),
    reads("midnight", UTCTime, utc("240101000000Z"), moment(2024, 1, 1)),
    reads("the last second of a day", UTCTime, utc("231231235959Z"),
        moment(2023, 12, 31, 23, 59, 59)),
    # RFC 5280 4.1.2.5.1 gives the century: 50 to 99 are 19YY, 00 to 49 are 20YY.
    reads("the year 50 as 1950", UTCTime, utc("500101000000Z"), moment(1950, 1, 1)),
    reads("the year 99 as 1999", UTCTime, utc("991231235959Z"), moment(1999, 12, 31, 23, 59, 59)),
    reads("the year 00 as 2000", UTCTime, utc("000101000000Z"), moment(2000, 1, 1)),
    reads("the year 49 as 2049", UTCTime, utc("491231235959Z"), moment(2049, 12, 31, 23, 59, 59)),
    reads("29 February 2000", UTCTime, utc("000229000000Z"), moment(2000, 2, 29)),
    refuses("29 February 2023", UTCTime, utc("230229000000Z"), ContentsError, "11.8|47"),
    refuses("29 February 1950", UTCTime, utc("500229000000Z"), ContentsError, "11.8|47"),
    refuses("30 February", UTCTime, utc("240230000000Z"), ContentsError, "11.8|47"),
    refuses("31 April", UTCTime, utc("240431000000Z"), ContentsError, "11.8|47"),
    refuses("32 January", UTCTime, utc("240132000000Z"), ContentsError, "11.8|47"),
    refuses("day 0", UTCTime, utc("240100000000Z"), ContentsError, "11.8|47"),
    refuses("month 0", UTCTime, utc("240001000000Z"), ContentsError, "11.8|47"),
    refuses("month 13", UTCTime, utc("241301000000Z"), ContentsError, "11.8|47"),
    refuses("hour 24", UTCTime, utc("240101240000Z"), ContentsError, "11.8|47"),
    refuses("minute 60", UTCTime, utc("240101006000Z"), ContentsError, "11.8|47"),
    refuses("second 60", UTCTime, utc("240101000060Z"), ContentsError, "11.8|47"),
    refuses("no seconds", UTCTime, utc("2401010000Z"), ContentsError, "11.8"),
    refuses("no Z", UTCTime, utc("240101000000"), ContentsError, "11.8"),
    refuses("a small z", UTCTime, utc("240101000000z"), ContentsError, "11.8"),
    refuses("an offset of zero", UTCTime, utc("240101000000+0000"), ContentsError, "11.8"),
    refuses("an offset", UTCTime, utc("240101000000-0500"), ContentsError, "11.8"),
    refuses("an offset without seconds", UTCTime, utc("2401010000+0100"), ContentsError, "11.8"),
    refuses("a fraction", UTCTime, utc("240101000000.5Z"), ContentsError, "11.8"),
    refuses("four digits of the year", UTCTime, utc("20240101000000Z"), ContentsError, "11.8"),
    refuses("no contents", UTCTime, "17 00", ContentsError, "11.8"),
    refuses("only Z", UTCTime, utc("Z"), ContentsError, "11.8"),
    refuses("a letter O for zero", UTCTime, utc("24O101000000Z"), ContentsError, "11.8"),
    refuses("blanks for zeros", UTCTime, utc("24 1 1 0 0 0Z"), ContentsError, "11.8"),
    refuses("a sign in a number", UTCTime, utc("24+101000000Z"), ContentsError, "11.8"),
    refuses("an octet after Z", UTCTime, utc("240101000000Z\0"), ContentsError, "11.8"),
    refuses("two times", UTCTime, utc("240101000000Z240101000000Z"), ContentsError, "11.8"),
    refuses("the constructed form", UTCTime, der("37", utc("240101000000Z")), IdentifierError,
        "10.2|8.1.2.5"),
    refuses("a GeneralizedTime", UTCTime, generalized("20240101000000Z"), StructureError),
]

GENERALIZED = [
    reads("an ordinary time", GeneralizedTime, generalized("20240229123456Z"),
        moment(2024, 2, 29, 12, 34, 56)),
    reads("midnight", GeneralizedTime, generalized("20240101000000Z"), moment(2024, 1, 1)),
    reads("the first year that datetime holds", GeneralizedTime, generalized("00010101000000Z"),
        moment(1, 1, 1)),
    reads("the last second of all", GeneralizedTime, generalized("99991231235959Z"),
        moment(9999, 12, 31, 23, 59, 59)),
    reads("a year before 2050, RFC 5280 or not", GeneralizedTime, generalized("19500101000000Z"),
        moment(1950, 1, 1)),
    reads("29 February 2000", GeneralizedTime, generalized("20000229000000Z"), moment(2000, 2, 29)),
    refuses("29 February 1900", GeneralizedTime, generalized("19000229000000Z"), ContentsError,
        "11.7|46"),
    refuses("29 February 2100", GeneralizedTime, generalized("21000229000000Z"), ContentsError,
        "11.7|46"),
    refuses("30 February", GeneralizedTime, generalized("20240230000000Z"), ContentsError,
        "11.7|46"),
    refuses("day 0", GeneralizedTime, generalized("20240100000000Z"), ContentsError, "11.7|46"),
    refuses("month 0", GeneralizedTime, generalized("20240001000000Z"), ContentsError, "11.7|46"),
    refuses("month 13", GeneralizedTime, generalized("20241301000000Z"), ContentsError, "11.7|46"),
    refuses("hour 24, the other midnight", GeneralizedTime, generalized("20240101240000Z"),
        ContentsError, "11.7|46"),
    refuses("minute 60", GeneralizedTime, generalized("20240101006000Z"), ContentsError, "11.7|46"),
    # ISO 8601, to which X.680 46.3 refers, has second 60 for a leap second: the last of a month in UTC.
    refuses("second 60 at noon", GeneralizedTime, generalized("20161231120060Z"), ContentsError, "11.7|46"),
    refuses("second 60 an hour early", GeneralizedTime, generalized("20161231225960Z"), ContentsError, "11.7|46"),
    refuses("second 60 a day early", GeneralizedTime, generalized("20161230235960Z"), ContentsError, "11.7|46"),
    refuses("second 60 on 28 February of a leap year", GeneralizedTime, generalized("20160228235960Z"), ContentsError,
        "11.7|46"),
    refuses("second 60 on 29 February of another year", GeneralizedTime, generalized("20150229235960Z"), ContentsError,
        "11.7|46"),
    refuses("second 60 on 31 June", GeneralizedTime, generalized("20160631235960Z"), ContentsError, "11.7|46"),
    refuses("second 60 in month 13", GeneralizedTime, generalized("20161331235960Z"), ContentsError, "11.7|46"),
    refuses("second 61", GeneralizedTime, generalized("20161231235961Z"), ContentsError, "11.7|46"),
    refuses("no seconds", GeneralizedTime, generalized("202401010000Z"), ContentsError, "11.7"),
    refuses("no minutes", GeneralizedTime, generalized("2024010100Z"), ContentsError, "11.7"),
    refuses("a fraction of an hour", GeneralizedTime, generalized("2024010112.25Z"), ContentsError,
        "11.7"),
    refuses("a fraction of a minute", GeneralizedTime, generalized("202401011200.5Z"),
        ContentsError, "11.7"),
    refuses("local time", GeneralizedTime, generalized("20240101000000"), ContentsError, "11.7"),
    refuses("an offset of zero", GeneralizedTime, generalized("20240101000000+0000"), ContentsError,
        "11.7"),
    refuses("an offset of hours", GeneralizedTime, generalized("20240101000000+01"), ContentsError,
        "11.7"),
    refuses("an offset after a fraction", GeneralizedTime, generalized("20240101000000.5-0500"),
        ContentsError, "11.7"),
    refuses("two digits of the year", GeneralizedTime, generalized("240101000000Z"), ContentsError,
        "11.7"),
    refuses("a small z", GeneralizedTime, generalized("20240101000000z"), ContentsError, "11.7"),
    refuses("an octet after Z", GeneralizedTime, generalized("20240101000000Z "), ContentsError,
        "11.7"),
    refuses("no contents", GeneralizedTime, "18 00", ContentsError, "11.7"),
    refuses("only Z", GeneralizedTime, generalized("Z"), ContentsError, "11.7"),
    refuses("the constructed form", GeneralizedTime, der("38", generalized("20240101000000Z")),
        IdentifierError, "10.2|8.1.2.5"),
    refuses("a UTCTime", GeneralizedTime, utc("240101000000Z"), StructureError),
]

FRACTION = [
    reads("a tenth", GeneralizedTime, generalized("20240101000000.5Z"),
        moment(2024, 1, 1, 0, 0, 0, 500000)),
    reads("a hundredth", GeneralizedTime, generalized("20240101000000.05Z"),
        moment(2024, 1, 1, 0, 0, 0, 50000)),
    reads("milliseconds", GeneralizedTime, generalized("20240101000000.123Z"),
        moment(2024, 1, 1, 0, 0, 0, 123000)),
    reads("microseconds", GeneralizedTime, generalized("20240101000000.123456Z"),
        moment(2024, 1, 1, 0, 0, 0, 123456)),
    reads("one microsecond", GeneralizedTime, generalized("20240101000000.000001Z"),
        moment(2024, 1, 1, 0, 0, 0, 1)),
    refuses("a trailing zero", GeneralizedTime, generalized("20240101000000.50Z"), ContentsError,
        "11.7"),
    refuses("a trailing zero after microseconds", GeneralizedTime,
        generalized("20240101000000.1234560Z"), ContentsError, "11.7"),
    refuses("a fraction of zero", GeneralizedTime, generalized("20240101000000.0Z"), ContentsError,
        "11.7"),
    refuses("a point without digits", GeneralizedTime, generalized("20240101000000.Z"),
        ContentsError, "11.7"),
    refuses("a comma", GeneralizedTime, generalized("20240101000000,5Z"), ContentsError, "11.7"),
    refuses("two points", GeneralizedTime, generalized("20240101000000.1.5Z"), ContentsError,
        "11.7"),
    refuses("a letter in the fraction", GeneralizedTime, generalized("20240101000000.1a5Z"),
        ContentsError, "11.7"),
    refuses("a fraction without Z", GeneralizedTime, generalized("20240101000000.5"), ContentsError,
        "11.7"),
]


@table(UTC)
def test_utc_time(row, place):
    row.check(place)


@table([*GENERALIZED, *FRACTION])
def test_generalized_time(row, place):
    row.check(place)


def test_times_are_aware_and_of_utc():
    for value in (
        derlib.decode(UTCTime, utc("240229123456Z")),
        derlib.decode(GeneralizedTime, generalized("20240229123456.5Z")),
    ):
        assert value.utcoffset().total_seconds() == 0
        assert value.tzinfo is timezone.utc


@pytest.mark.parametrize("bad", ["/", ":", "\0", "\xff", " ", "A", "Z", ".", "\xb0"])
def test_a_character_that_is_not_a_digit_is_found_at_any_position(bad):
    for text, wrap, type_ in (
        ("240229123456Z", utc, UTCTime),
        ("20240229123456Z", generalized, GeneralizedTime),
    ):
        for place in range(len(text) - 1):
            with pytest.raises(ContentsError):
                derlib.decode(type_, wrap(text[:place] + bad + text[place + 1 :]))


def test_every_last_byte_other_than_z_is_rejected():
    for octet in range(256):
        last = chr(octet)
        if last == "Z":
            continue
        with pytest.raises(ContentsError):
            derlib.decode(UTCTime, utc("240229123456" + last))
        with pytest.raises(ContentsError):
            derlib.decode(GeneralizedTime, generalized("20240229123456" + last))


@pytest.mark.parametrize("year", [1900, 1904, 1999, 2000, 2001, 2004, 2023, 2024, 2100, 2400])
def test_every_two_digit_month_and_day_is_in_the_calendar_or_rejected(year):
    for month in range(100):
        last = calendar.monthrange(year, month)[1] if 1 <= month <= 12 else 0
        for day in (*range(34), 40, 99):
            cases = [(GeneralizedTime, generalized(f"{year:04}{month:02}{day:02}000000Z"))]
            if 1950 <= year < 2050:
                cases.append((UTCTime, utc(f"{year % 100:02}{month:02}{day:02}000000Z")))
            for type_, data in cases:
                if 1 <= day <= last:
                    assert derlib.decode(type_, data) == moment(year, month, day)
                else:
                    with pytest.raises(ContentsError):
                        derlib.decode(type_, data)


def test_every_two_digit_hour_minute_and_second_is_on_the_clock_or_rejected():
    for number in range(100):
        for place, end in ((0, 24), (1, 60), (2, 60)):
            clock = [12, 34, 56]
            clock[place] = number
            digits = "".join(f"{part:02}" for part in clock)
            for type_, data in (
                (UTCTime, utc(f"240229{digits}Z")),
                (GeneralizedTime, generalized(f"20240229{digits}Z")),
            ):
                if number < end:
                    assert derlib.decode(type_, data) == moment(2024, 2, 29, *clock)
                else:
                    with pytest.raises(ContentsError):
                        derlib.decode(type_, data)


def test_every_year_of_utc_time_falls_between_1950_and_2049():
    for digits in range(100):
        value = derlib.decode(UTCTime, utc(f"{digits:02}0615120000Z"))
        assert value.year == (1900 + digits if digits >= 50 else 2000 + digits)


@pytest.mark.parametrize(
    "text",
    ["20161231235960Z", "20160630235960.5Z", "20160229235960Z",
     "00000101000000Z", "00001231235959.5Z", "20240101000000.1234567Z", "20240101000000.0000001Z"],
)
def test_an_unrepresentable_time_decodes_and_raises_when_it_is_read(text):
    data = der("30", generalized(text))
    view = Stamp.decode(data)
    assert bytes(view.raw("time")).decode() == text
    assert bytes(view.der) == data
    with pytest.raises(derlib.ASN1Error) as caught:
        view.time  # noqa: B018 - reading is what raises
    assert text[:14] in str(caught.value)
    assert len(repr(view)) < 1000


def test_a_fraction_of_a_million_digits_is_legal_and_its_message_short():
    text = "20240101000000." + "1" * 1_000_000 + "Z"
    view = Stamp.decode(der("30", generalized(text)))
    assert len(view.raw("time")) == len(text)
    with pytest.raises(derlib.ASN1Error) as caught:
        view.time  # noqa: B018 - reading is what raises
    assert len(str(caught.value)) < 1000


def test_a_time_of_either_type_reads_as_the_same_moment():
    holder = sequence_class("Either", Field("time", UTCTime | GeneralizedTime))
    short = holder.decode(der("30", utc("240229123456Z")))
    long = holder.decode(der("30", generalized("20240229123456Z")))
    assert short.time == long.time == moment(2024, 2, 29, 12, 34, 56)
    assert short != long
