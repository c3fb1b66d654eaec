"""Breaks long lines of Python at brackets."""

from __future__ import annotations

WIDTH = 120
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def fitted(line: str) -> list[str]:
    """Return a statement as lines that fit the width, if its brackets allow that.

    The contents of the last bracket get their own lines, then the parts between commas, then brackets inside of these.

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
    indent = line[: len(line) - len(line.lstrip())] + "    "
    inner = line[start + 1 : end]
    if len(indent) + len(inner) <= WIDTH:
        body = [indent + inner]
    else:
        body = [fit for part in _parts(inner) for fit in fitted(f"{indent}{part},")]
    return [line[: start + 1], *body, indent[4:] + line[end:]]


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
    depth = start = 0
    for place in _outside_strings(text):
        if text[place] in _PAIRS:
            depth += 1
        elif text[place] in _PAIRS.values():
            depth -= 1
        elif text[place] == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


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
