"""REAL and times: each form of BER, and its DER."""

import pytest
from rules.rows import der

from derlib import Duration, GeneralizedTime, ISOTime, Real, UTCTime

from .rows import converts, rejects, table


def decimal(name: str, numeral: bytes, expected: bytes):
    """A row of a decimal REAL."""
    return converts(name, Real, der("09", numeral), der("09", b"\x03" + expected), "real-decimal@0")


def utc(name: str, text: bytes, expected: bytes):
    """A row of a UTCTime."""
    return converts(name, UTCTime, der("17", text), der("17", expected), "utc-form@0")


def generalized(name: str, text: bytes, expected: bytes, kind: str = "generalized-form"):
    """A row of a GeneralizedTime."""
    return converts(name, GeneralizedTime, der("18", text), der("18", expected), f"{kind}@0")


def iso_time(name: str, text: bytes, expected: bytes):
    """A row of a TIME."""
    return converts(name, ISOTime, der("0e", text), der("0e", expected), "time-form@0")


def duration(name: str, text: bytes, expected: bytes):
    """A row of a DURATION."""
    return converts(name, Duration, der("1f 22", text), der("1f 22", expected), "duration-form@0")


# X.690 8.5.7, 11.3.1: M = S * N * 2**F, the value is M * B**E.
BINARY = [
    converts("2 * 2**-1", Real, "09 03 80 ff 02", "09 03 80 00 01", "real-mantissa@0"),
    converts("an even mantissa", Real, "09 03 80 00 06", "09 03 80 01 03", "real-mantissa@0"),
    converts("a mantissa that ends in a zero octet", Real, "09 04 80 00 01 00", "09 03 80 08 01", "real-mantissa@0"),
    converts("a mantissa of which a shift leaves one octet", Real, "09 04 80 00 01 80", "09 03 80 07 03",
        "real-mantissa@0"),
    converts("a mantissa of three octets", Real, "09 05 80 00 0a bc de", "09 05 80 01 05 5e 6f", "real-mantissa@0"),
    converts("a mantissa that begins with zero octets", Real, "09 05 80 00 00 00 01", "09 03 80 00 01",
        "real-mantissa@0"),
    converts("base 8", Real, "09 03 90 01 01", "09 03 80 03 01", "real-binary@0"),
    converts("base 8, a negative exponent", Real, "09 03 90 ff 03", "09 03 80 fd 03", "real-binary@0"),
    converts("base 16", Real, "09 03 a0 01 01", "09 03 80 04 01", "real-binary@0"),
    converts("base 16, an exponent that needs another octet", Real, "09 03 a0 20 01", "09 04 81 00 80 01",
        "real-binary@0"),
    converts("scaling factor 3", Real, "09 03 8c 00 01", "09 03 80 03 01", "real-binary@0"),
    converts("base 16, scaling factor 1", Real, "09 03 a4 ff 03", "09 03 80 fd 03", "real-binary@0"),
    converts("a negative value", Real, "09 03 c0 00 06", "09 03 c0 01 03", "real-mantissa@0"),
    converts("an exponent of two octets", Real, "09 04 81 00 00 01", "09 03 80 00 01", "real-exponent@0"),
    converts("a negative exponent of three octets", Real, "09 05 82 ff ff fe 01", "09 03 80 fe 01", "real-exponent@0"),
    converts("an exponent with its own length", Real, "09 05 83 02 01 00 01", "09 04 81 01 00 01", "real-exponent@0"),
    converts("all at once", Real, "09 07 ed 00 01 00 01 80 00", "09 03 c0 16 03", "real-binary@0"),
    converts("an exponent of 8 octets", Real, "09 0b 83 08 7f ff ff ff ff ff ff fe 02",
        "09 0b 83 08 7f ff ff ff ff ff ff ff 01", "real-mantissa@0"),
    converts("the least exponent", Real, "09 0b 83 08 80 00 00 00 00 00 00 00 02",
        "09 0b 83 08 80 00 00 00 00 00 00 01 01", "real-mantissa@0"),
    converts("the highest exponent, and a mantissa with a zero octet", Real,
        "09 0c 83 08 7f ff ff ff ff ff ff ff 00 01", "09 0b 83 08 7f ff ff ff ff ff ff ff 01", "real-mantissa@0"),
    converts("base 16, an exponent of 8 octets", Real, "09 0b a3 08 1f ff ff ff ff ff ff ff 08",
        "09 0b 83 08 7f ff ff ff ff ff ff ff 01", "real-binary@0"),
]

# X.690 8.5.8, 11.3.2: the forms of ISO 6093.
DECIMAL = [
    decimal("NR1", b"\x0115", b"15.E+0"),
    decimal("NR1 with a space, a sign and a zero", b"\x01 +015", b"15.E+0"),
    decimal("NR1 that ends in zeros", b"\x01-1500", b"-15.E2"),
    decimal("NR2", b"\x021.5", b"15.E-1"),
    decimal("NR2 with a comma", b"\x021,5", b"15.E-1"),
    decimal("NR2 without a fraction", b"\x0215.", b"15.E+0"),
    decimal("NR2 without digits before the mark", b"\x02-.15", b"-15.E-2"),
    decimal("NR2 with zeros at both ends", b"\x0200.01500", b"15.E-3"),
    decimal("NR3", b"\x030.15E1", b"15.E-1"),
    decimal("NR3 with a comma", b"\x0315,E-1", b"15.E-1"),
    decimal("NR3 with an exponent of zero", b"\x0315.E0", b"15.E+0"),
    decimal("NR3 with the exponent -0", b"\x0315.E-0", b"15.E+0"),
    decimal("NR3 with a plus and zeros in the exponent", b"\x03+15.E+0007", b"15.E7"),
    decimal("NR3 whose digits end in zeros", b"\x03150.E-1", b"15.E+0"),
    decimal("NR3 whose digits have zeros inside", b"\x03100.010E2", b"10001.E+0"),
]

# X.680 47.3, X.690 11.8. The first two are the examples of X.680.
UTC_TIMES = [
    utc("the example without seconds", b"8201021200Z", b"820102120000Z"),
    utc("the example with an offset", b"8201020700-0500", b"820102120000Z"),
    utc("an offset with minutes", b"820102120030+0530", b"820102063030Z"),
    utc("the offset +0000", b"820102120000+0000", b"820102120000Z"),
    utc("an offset into the next year", b"991231230000-0200", b"000101010000Z"),
    utc("an offset into a leap day", b"000301003000+0100", b"000229233000Z"),
    utc("an offset into the first of March", b"010228233000-0100", b"010301003000Z"),
]

# X.680 46.2, X.690 11.7. The first is the example of X.680 46.3.
GENERALIZED_TIMES = [
    generalized("the example", b"19851106210627.3-0500", b"19851107020627.3Z"),
    generalized("without seconds", b"198511062106Z", b"19851106210600Z"),
    generalized("without minutes", b"1985110621Z", b"19851106210000Z"),
    generalized("a comma", b"19851106210627,3Z", b"19851106210627.3Z"),
    generalized("a zero at the end of the fraction", b"19851106210627.30Z", b"19851106210627.3Z",
        "generalized-fraction"),
    generalized("a fraction of zeros", b"19851106210627.000Z", b"19851106210627Z", "generalized-fraction"),
    generalized("a fraction of 20 digits", b"19851106210627.12345678901234567890Z",
        b"19851106210627.1234567890123456789Z", "generalized-fraction"),
    generalized("half a minute", b"198511062106.5Z", b"19851106210630Z"),
    generalized("a hundredth of a minute", b"198511062106.01Z", b"19851106210600.6Z"),
    generalized("a quarter of an hour", b"1985110621.25Z", b"19851106211500Z"),
    generalized("a thousandth of an hour", b"1985110621,001Z", b"19851106210003.6Z"),
    generalized("an offset of hours", b"19851106210627+05", b"19851106160627Z"),
    generalized("an offset of hours and minutes", b"19851106210627+0530", b"19851106153627Z"),
    generalized("the offset -0000", b"19851106210627-0000", b"19851106210627Z"),
    generalized("an offset into the next year", b"19851231230000-0200", b"19860101010000Z"),
    generalized("an offset into the year 0000", b"00010101003000+0100", b"00001231233000Z"),
    generalized("a leap second east of UTC", b"19990101005960+0100", b"19981231235960Z"),
    generalized("a leap second west of UTC", b"19981231182960.50-0530", b"19981231235960.5Z"),
    generalized("midnight at the end of a day", b"19851106240000Z", b"19851107000000Z"),
    generalized("midnight at the end of a year", b"1985123124Z", b"19860101000000Z"),
]

# X.680 38, X.690 11.9.
ISO_TIMES = [
    iso_time("a comma", b"15:27:35,5", b"15:27:35.5"),
    iso_time("a difference of a whole hour", b"15:27:46+01:00", b"15:27:46+01"),
    iso_time("both, west of UTC", b"15:27:35,50-10:00", b"15:27:35.50-10"),
    iso_time("a difference at both ends of an interval", b"10:00+01:00/11:00+02:00", b"10:00+01/11:00+02"),
    iso_time("a difference with a date", b"1985-04-12T10:15+00:00", b"1985-04-12T10:15+00"),
    iso_time("a duration", b"P0Y2MT0H5,5S", b"P2MT5.5S"),
    iso_time("an interval with a duration", b"1985-04-12T10:15+04:00/P0Y15D", b"1985-04-12T10:15+04/P15D"),
    iso_time("an interval that begins with a duration", b"P0Y15D/1985-04-12", b"P15D/1985-04-12"),
    iso_time("a recurring interval", b"R5/P0M1D", b"R5/P1D"),
    iso_time("a duration that ends in zero", b"P0Y0D", b"P0D"),
    duration("a comma", b"1,5Y", b"1.5Y"),
    duration("zero years", b"0Y2M", b"2M"),
    duration("zeros in all places but the last", b"0Y0M0DT0H0M0S", b"T0S"),
    duration("zero hours after days", b"10DT0H30M", b"10DT30M"),
    duration("zero days before a T", b"1Y0DT1H", b"1YT1H"),
]


@table(ISO_TIMES)
def test_iso_time(row, place):
    row.check(place)


@table([*BINARY, *DECIMAL])
def test_real(row, place):
    row.check(place)


@table([*UTC_TIMES, *GENERALIZED_TIMES])
def test_time(row, place):
    row.check(place)


@pytest.mark.parametrize(("type_", "identifier", "contents", "expected"), [
    (UTCTime, "37", b"8201020700-0500", der("17", b"820102120000Z")),
    (GeneralizedTime, "38", b"19851106210627.3-0500", der("18", b"19851107020627.3Z")),
])
@pytest.mark.parametrize("cut", [0, 1, 7, 14])
def test_a_time_in_segments_has_other_contents_too(type_, identifier, contents, expected, cut):
    ber = der(identifier, der("04", contents[:cut]), der("04", contents[cut:]))
    form = "utc-form" if type_ is UTCTime else "generalized-form"
    row = converts("segments", type_, ber, expected, f"string-constructed@0 {form}@0")
    for place in row.places:
        row.check(place)


def real(name: str, contents: str | bytes, kind: str, clause: str):
    """A row of an invalid REAL."""
    return rejects(name, Real, der("09", contents), kind, clause)


# X.690 8.5: none of these is BER.
INVALID_REALS = [
    real("the reserved base", "b0 00 01", "real-binary", "8.5.7.2"),
    real("an unknown special value", "44", "real-special", "8.5.9"),
    real("a special value and more", "40 00", "real-special", "8.5.9"),
    real("no exponent", "80", "real-unfinished", "8.5.7"),
    real("no mantissa", "90 00", "real-unfinished", "8.5.7"),
    real("an exponent that is cut off", "83 05 00 01", "real-unfinished", "8.5.7"),
    real("an exponent of no octets", "83 00 01", "real-exponent", ""),
    # X.690 8.5.7.4 d: the first nine bits are not all equal.
    real("a needlessly long exponent with its own length", "83 02 00 01 01", "real-exponent", ""),
    # X.690 8.5.2, 8.5.3: zero has no contents octets, minus zero is a special value.
    real("a mantissa of zero", "80 00 00", "real-mantissa", ""),
    real("a mantissa of zero with base 8", "90 00 00", "real-binary", ""),
    real("zero in NR3", b"\x03+0.E-5", "real-decimal", ""),
    real("zero in NR1", b"\x010", "real-decimal", ""),
    real("NR4", b"\x041", "real-decimal", ""),
    real("NR0", b"\x001", "real-decimal", ""),
    real("no digits", b"\x01", "real-decimal", ""),
    real("a sign alone", b"\x01-", "real-decimal", ""),
    real("NR1 with a mark", b"\x011.5", "real-decimal", ""),
    real("NR2 without a mark", b"\x0215", "real-decimal", ""),
    real("NR2 with two marks", b"\x021.5.", "real-decimal", ""),
    real("NR3 without an exponent", b"\x031.5", "real-decimal", ""),
    real("NR3 with an empty exponent", b"\x031.5E", "real-decimal", ""),
    real("NR3 with a sign for an exponent", b"\x031.5E-", "real-decimal", ""),
    real("a space after the number", b"\x0115 ", "real-decimal", ""),
    real("a space inside", b"\x01- 15", "real-decimal", ""),
    real("a letter", b"\x01a", "real-decimal", ""),
]


def utc_rejects(name: str, text: bytes, kind: str = "utc-form"):
    """A row of an invalid UTCTime."""
    return rejects(name, UTCTime, der("17", text), kind, "")


def generalized_rejects(name: str, text: bytes, kind: str, clause: str = ""):
    """A row of an invalid GeneralizedTime."""
    return rejects(name, GeneralizedTime, der("18", text), kind, clause)


INVALID_TIMES = [
    rejects("a UTCTime without segments", UTCTime, "37 00", "utc-form", "X.680 47.3"),
    rejects("a GeneralizedTime without segments", GeneralizedTime, "38 80 00 00", "generalized-form", "X.680 46.2"),
    # X.680 47.3: a UTCTime has Z or an offset.
    utc_rejects("no zone", b"820102120000"),
    utc_rejects("an offset of hours alone", b"820102120000+05"),
    utc_rejects("no minutes", b"82010212Z"),
    utc_rejects("a fraction", b"820102120000.5Z"),
    utc_rejects("an offset of 60 minutes", b"820102120000+0060"),
    utc_rejects("an offset of 24 hours", b"820102120000+2400"),
    utc_rejects("a small z", b"8201021200z"),
    utc_rejects("letters", b"820102aaaaZ"),
    generalized_rejects("local time", b"19851106210627.3", "time-local", "11.7"),
    generalized_rejects("local time without seconds", b"1985110621", "time-local", "11.7"),
    generalized_rejects("no hour", b"19851106Z", "generalized-form"),
    generalized_rejects("an empty fraction", b"19851106210627.Z", "generalized-fraction"),
    generalized_rejects("an offset of three digits", b"19851106210627+053", "generalized-form"),
    generalized_rejects("an offset of 60 minutes", b"19851106210627+0060", "generalized-form"),
    generalized_rejects("a small z", b"198511062106z", "generalized-form"),
    generalized_rejects("24:01", b"19851106240100Z", "generalized-range"),
    generalized_rejects("30 February", b"19850230210627Z", "generalized-range"),
    generalized_rejects("a year before 0000", b"00000101000000+0100", "generalized-range"),
    generalized_rejects("the year 10000", b"99991231235959-0100", "generalized-range"),
]

INVALID_ISO_TIMES = [
    *[rejects(text, ISOTime, der("0e", text.encode()), "time-form", "X.680 38") for text in (
        "", ",", "15:27:35,", "15:27+00:60", "15:27-00:00", "15:27+01:0", "15:27+01:000", "15:27Z+01:00", "+01:00",
        "P", "P0Y/", "P0,0Y2M", "P00Y2M", "P0Y2M0Y1D", "0Y2M", "P0Y+01:00", "R/P0Y2", "1985-04-12+01:00",
    )],
    *[rejects(text, Duration, der("1f 22", text.encode()), "duration-form", "8.26.5") for text in (
        "", "0", "P0Y2M", "00Y2M", "0,0Y2M", "0Y0W", "1,Y", ",5Y", "0X1Y", "0D0Y2M", "0YT", "1Y/0Y2M",
    )],
]


@table(INVALID_ISO_TIMES)
def test_invalid_iso_time(row, place):
    row.check(place)


@table(INVALID_REALS)
def test_invalid_real(row, place):
    row.check(place)


@table(INVALID_TIMES)
def test_invalid_time(row, place):
    row.check(place)
