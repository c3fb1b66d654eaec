"""Other BER forms of the contents octets of times (X.680 38, 46 and 47)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from random import Random

# The largest offset from UTC that four digits can write, in minutes.
MOST_OFFSET = 24 * 60 - 1
# A time of day with a difference to UTC of whole hours.
WHOLE_HOURS = re.compile(r"(?:^|(?<=[T/]))\d\d(:\d\d)*(\.\d+)?[+-]\d\d(?=/|$)")


def utc_form(random: Random, contents: bytes) -> bytes:
    """Return a UTCTime in a random form: seconds 00 left out, and an offset instead of Z (X.680 47.3)."""
    text = contents.decode("ascii")
    year = int(text[:2])
    moment = datetime.strptime(f"{1900 + year if year >= 50 else 2000 + year}{text[2:12]}", "%Y%m%d%H%M%S")
    local, offset = _local(random, moment, 1950, 2049)
    return (f"{local:%y%m%d%H%M}" + _seconds(random, local) + _zone(random, offset)).encode()


def generalized_form(random: Random, contents: bytes) -> bytes:
    """Return a GeneralizedTime in a random form (X.680 46.2): reduced accuracy, other fractions, 24:00, an offset."""
    text = contents.decode("ascii")
    fraction = text[14:-1].lstrip(".")
    if text[:4] == "0000" or text[12:14] == "60":
        # `datetime` has neither the year 0000 nor leap seconds.
        return (text[:14] + _fraction(random, fraction) + "Z").encode()
    moment = datetime.strptime(text[:14], "%Y%m%d%H%M%S")
    local, offset = _local(random, moment, 1, 9999)
    zone = _zone(random, offset)
    if zone.endswith("00") and random.randrange(2):
        zone = zone[:3]
    form = random.randrange(4)
    clock, digits = f"{local:%H%M%S}", fraction
    if not fraction and clock == "000000" and form == 1 and local.year > 1:
        local, clock = local - timedelta(days=1), ("240000", "2400", "24")[random.randrange(3)]
    elif not fraction and form == 2 and local.second % 3 == 0:
        # A fraction of a minute: a multiple of 3 seconds is one of 0.05 minutes.
        clock, digits = clock[:4], _decimals(local.second, 60, 2)
    elif not fraction and form == 3 and (60 * local.minute + local.second) % 9 == 0:
        clock, digits = clock[:2], _decimals(60 * local.minute + local.second, 3600, 4)
    return (f"{local.year:04}{local:%m%d}" + clock + _fraction(random, digits) + zone).encode()


def iso_form(random: Random, contents: bytes) -> bytes:
    """Return a TIME in a random form: a comma, the difference +01:00, zeros in durations (X.680 38)."""
    text = WHOLE_HOURS.sub(lambda found: found[0] + _chosen(random, ":00"), contents.decode("ascii"))
    return re.sub("(?<=P)[^/]*", lambda found: _duration(random, found[0]), _decimal_mark(random, text)).encode()


def duration_form(random: Random, contents: bytes) -> bytes:
    """Return a DURATION in a random form: a comma, and components that are zero (X.680 38.4)."""
    return _duration(random, _decimal_mark(random, contents.decode("ascii"))).encode()


def _duration(random: Random, text: str) -> str:
    """Return a duration, perhaps with years or hours that are zero."""
    if re.match(r"\d+[MD]", text):
        text = _chosen(random, "0Y") + text
    return re.sub(r"T(?=\d+[MS])", lambda _: "T" + _chosen(random, "0H"), text)


def _chosen(random: Random, text: str) -> str:
    return text if random.randrange(2) else ""


def _decimal_mark(random: Random, text: str) -> str:
    return text.replace(".", ",") if random.randrange(2) else text


def _local(random: Random, moment: datetime, first: int, last: int) -> tuple[datetime, int | None]:
    """Return the local time at a random offset in minutes; None is Z. The year stays between two years."""
    if random.randrange(2) == 0:
        return moment, None
    offset = random.randrange(-MOST_OFFSET, MOST_OFFSET + 1)
    if random.randrange(2):
        offset = int(offset / 60) * 60
    try:
        local = moment + timedelta(minutes=offset)
    except OverflowError:
        return moment, None
    return (local, offset) if first <= local.year <= last else (moment, None)


def _zone(random: Random, offset: int | None) -> str:
    """Return Z, or an offset in hours and minutes; an offset of zero has any sign."""
    if offset is None:
        return "Z"
    is_behind = offset < 0 or (offset == 0 and random.randrange(2))
    return f"{'-' if is_behind else '+'}{abs(offset) // 60:02}{abs(offset) % 60:02}"


def _seconds(random: Random, local: datetime) -> str:
    return "" if local.second == 0 and random.randrange(2) else f"{local:%S}"


def _fraction(random: Random, digits: str) -> str:
    """Return a decimal mark and digits, perhaps with trailing zeros."""
    digits += "0" * max(random.randrange(6) - 2, 0)
    return (".", ",")[random.randrange(2)] + digits if digits else ""


def _decimals(part: int, whole: int, places: int) -> str:
    """Return the decimal places of `part / whole`, without zeros at the end."""
    digits, remainder = divmod(10**places * part, whole)
    assert remainder == 0, (part, whole)
    return re.sub("0+$", "", f"{digits:0{places}}")
