"""The preparation of character strings for comparison (RFC 4518), as RFC 5280 section 7.1 uses it for names."""

from __future__ import annotations

import stringprep
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import ucd_3_2_0

__all__ = ["prepared"]


def _code_points(ranges: str) -> Iterable[int]:
    """Return the numbers of code points that are written as ``00AD 2000-200A``."""
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


# RFC 4518 section 2.2. "FF00-FE0F" there means FE00-FE0F, the other variation selectors.
_IGNORED = """
    0000-0008 000E-001F 007F-0084 0086-009F 00AD 034F 06DD 070F 1806 180B-180E 200B-200F 202A-202E 2060-2063 206A-206F
    FE00-FE0F FEFF FFF9-FFFC 1D173-1D17A E0001 E0020-E007F
"""
_SPACES = "0009-000D 0085 00A0 1680 2000-200A 2028-2029 202F 205F 3000"
_MAPPING = {**dict.fromkeys(_code_points(_IGNORED), ""), **dict.fromkeys(_code_points(_SPACES), " ")}
# RFC 4518 section 2.4, by the tables of RFC 3454: unassigned code points, those for private use, no characters,
# surrogates, and those that change how text is displayed.
_PROHIBITED = (
    stringprep.in_table_a1,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c8,
)
# A space before a combining mark does not count as a space (RFC 4518 section 2.6.1). U+0000, which texts do not have
# after the mapping, takes its place.
_SPACE_WITH_MARK = "\0"


def prepared(text: str) -> str | None:
    """Return a text in the form in which caseIgnoreMatch compares it (RFC 4518 section 2).

    Return None if the text has a prohibited code point, so that it cannot be prepared. Spaces at the ends are left out,
    and others are single: these are the forms of RFC 4518 section 2.6.1 with fewer spaces.

    >>> prepared(" Example  CA ") == prepared("EXAMPLE ca"), prepared("Straße")
    (True, 'strasse')
    """
    if not (text.isascii() and text.isprintable()):
        text = text.translate(_MAPPING)
    if text.isascii():
        text = text.lower()
    else:
        text = ucd_3_2_0.normalize("NFKC", "".join(map(_folded, text)))
        if any(map(_is_prohibited, text)):
            return None
        text = _without_marked_spaces(text)
    return " ".join(text.split())


# Names consist of few characters, and the tables are slow.
@lru_cache(4096)
def _folded(character: str) -> str:
    """Return a character without the difference between upper and lower case (RFC 3454 Appendix B.2)."""
    return stringprep.map_table_b2(character)


@lru_cache(4096)
def _is_prohibited(character: str) -> bool:
    """Return whether a text with this character cannot be compared (RFC 4518 section 2.4)."""
    return character == "\N{REPLACEMENT CHARACTER}" or any(is_in_table(character) for is_in_table in _PROHIBITED)


def _without_marked_spaces(text: str) -> str:
    """Return a text with another character for each space before a combining mark."""
    characters = list(text)
    for index, each in enumerate(text[1:]):
        if text[index] == " " and ucd_3_2_0.category(each).startswith("M"):
            characters[index] = _SPACE_WITH_MARK
    return "".join(characters)
