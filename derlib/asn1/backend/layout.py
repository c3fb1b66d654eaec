"""Breaks long lines of Python at brackets."""

from __future__ import annotations

import string

WIDTH = 120
_PAIRS = {"(": ")", "[": "]", "{": "}"}
# The ends of what a call or a subscript is of.
_NAME_ENDS = (*string.ascii_letters, *string.digits, "_", ")", "]")


def fitted(line: str) -> list[str]:
    """Return a statement as lines that fit the width, if its brackets allow that.

    The contents of the last bracket get their own lines, then the parts between commas, then the operands of an
    operator and brackets inside of these.

    >>> print(*fitted("total = first(" + ", ".join(["argument"] * 11) + ")"), sep="\\n")
    total = first(
        argument, argument, argument, argument, argument, argument, argument, argument, argument, argument, argument
    )
    """
    if len(line) <= WIDTH:
        return [line]
    pair = _outer_brackets(line)
    if pair is None:
        return [line]
    start, end = pair
    indent = _indent(line) + "    "
    inner = line[start + 1 : end]
    if len(indent) + len(inner) <= WIDTH:
        body = [indent + inner]
    else:
        parts = _parts(inner)
        # A comma would make a tuple of an expression in parentheses.
        comma = "" if len(parts) == 1 and not line[:start].endswith(_NAME_ENDS) else ","
        body = [fit for part in parts for fit in _fitted_operands(f"{indent}{part}{comma}")]
    return [line[: start + 1], *body, indent[4:] + line[end:]]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _fitted_operands(line: str) -> list[str]:
    """Return an expression in brackets as lines: each operand of its outermost operator begins one."""
    if len(line) <= WIDTH:
        return [line]
    outer = _outside_brackets(line)
    for operator in (" | ", " & ", " - "):
        places = [place for place in outer if line.startswith(operator, place)]
        if places:
            ends = [*places, len(line)]
            operands = [line[start:end].strip() for start, end in zip([0, *places], ends, strict=True)]
            return [fit for operand in operands for fit in fitted(_indent(line) + operand)]
    return fitted(line)


def _outer_brackets(line: str) -> tuple[int, int] | None:
    """Return the places of the last bracket that is in no other one, and of the bracket that closes it."""
    found: tuple[int, int] | None = None
    opened: list[int] = []
    for place in _outside_strings(line):
        if line[place] in _PAIRS:
            opened.append(place)
        elif line[place] in _PAIRS.values():
            start = opened.pop()
            if not opened and place > start + 1:
                found = start, place
    return found


def _parts(text: str) -> list[str]:
    """Return the parts between the commas that are in no bracket."""
    parts: list[str] = []
    start = 0
    for place in _outside_brackets(text):
        if text[place] == ",":
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def _outside_brackets(text: str) -> list[int]:
    """Return the places of the characters that are in no bracket, string or comment."""
    places: list[int] = []
    depth = 0
    for place in _outside_strings(text):
        if text[place] in _PAIRS:
            depth += 1
        elif text[place] in _PAIRS.values():
            depth -= 1
        elif depth == 0:
            places.append(place)
    return places


def _outside_strings(text: str) -> list[int]:
    """Return the places of the characters that are not part of a string or a comment."""
    places: list[int] = []
    quote = ""
    escaped = False
    for place, character in enumerate(text):
        if quote:
            if character == quote and not escaped:
                quote = ""
            escaped = character == "\\" and not escaped
        elif character in "\"'":
            quote = character
        elif character == "#":
            break
        else:
            places.append(place)
    return places
