"""Docstrings and comments with the text of the ASN.1 that a class or an alias is from."""

from __future__ import annotations

import textwrap
from pathlib import PurePath

from derlib.asn1.backend.layout import WIDTH
from derlib.asn1.semantics.model import Definition
from derlib.asn1.syntax.tree import Assignment

# Each expansion of a parametrised type repeats its text, up to this number of characters for all of them.
_MOST_REPEATED = 100_000


class Texts:
    """Writes the docstrings and comments of one Python module."""

    def __init__(self) -> None:
        # The number of characters that the texts of each assignment take.
        self._lengths: dict[Assignment, int] = {}

    def docstring(self, definition: Definition) -> str:
        """Return a docstring with the place and the text of the assignment."""
        what = f"{definition.name}, {definition.remark}" if definition.remark else definition.name
        origin = _origin(definition.assignment)
        # The text of a part is in the docstring of the type that it is a part of.
        text = "" if definition.is_part else self._text(definition.assignment)
        if not text:
            what = textwrap.fill(f"{what} ({origin}).", WIDTH - 8, break_on_hyphens=False)
            return textwrap.indent(f'"""{escaped(what)}"""', "    ")
        what = textwrap.fill(f"{what}.", WIDTH - 8, break_on_hyphens=False)
        text = textwrap.indent(escaped(text), "    ")
        return textwrap.indent(f'"""{what}\n\nFrom {escaped(origin)}::\n\n{text}\n"""', "    ")

    def comment(self, definition: Definition) -> list[str]:
        """Return a comment with the text of the assignment."""
        what = definition.remark or definition.name
        text = self._text(definition.assignment) or f"{what} ({_origin(definition.assignment)})"
        return [f"# {line}" for line in text.splitlines()]

    def _text(self, assignment: Assignment) -> str:
        """Return the text of an assignment; empty if other definitions show it, and it is too long to repeat it."""
        shown = self._lengths.get(assignment, 0)
        length = shown + len(assignment.text)
        if shown and length > _MOST_REPEATED:
            return ""
        self._lengths[assignment] = length
        return _without_indentation(assignment)


def _origin(assignment: Assignment) -> str:
    # The name of a file can have any character.
    name = " ".join(PurePath(assignment.at.source.name).name.split())
    return f"{name}, line {assignment.at.line}"


def _without_indentation(assignment: Assignment) -> str:
    """Return the text of an assignment, without blank lines and common indentation."""
    at = assignment.at
    # Comments can have any character; Python source cannot have NUL.
    text = " " * (at.column - 1) + assignment.text.replace("\t", "        ").replace("\0", "")
    return "\n".join(line.rstrip() for line in textwrap.dedent(text).splitlines() if line.strip())


def escaped(text: str) -> str:
    """Return text for a docstring. The name of a file can have surrogates and NUL, which Python source cannot have."""
    text = text.encode(errors="backslashreplace").decode().replace("\0", "\\x00")
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
