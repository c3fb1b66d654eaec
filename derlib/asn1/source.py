"""The text of ASN.1 modules, and places in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(eq=False)
class Source:
    """A text with ASN.1 modules. `name` is what error messages call it, usually the name of the file."""

    name: str
    text: str = field(repr=False)
    _line_starts: list[int] = field(default_factory=list[int], init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"expected the text of ASN.1 modules as str, got {type(self.text).__name__}")

    def place(self, offset: int) -> Place:
        """Return the place at an offset of the text."""
        return Place(self, offset)

    def line_number(self, offset: int) -> int:
        """Return the number of the line, from 1, that contains an offset."""
        if not self._line_starts:
            self._line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        return bisect_right(self._line_starts, offset)

    def line_start(self, number: int) -> int:
        """Return the offset of the first character of a line; `line_number` was called before."""
        return self._line_starts[number - 1]


class Place(NamedTuple):
    """A place in a source: each node of the syntax tree has one."""

    source: Source
    offset: int

    @property
    def line(self) -> int:
        """The number of the line, from 1."""
        return self.source.line_number(self.offset)

    @property
    def column(self) -> int:
        """The number of the column, from 1."""
        return self.offset - self.source.line_start(self.line) + 1

    @property
    def line_text(self) -> str:
        """The line, without its end."""
        start = self.source.line_start(self.line)
        end = self.source.text.find("\n", start)
        return self.source.text[start : end if end >= 0 else None]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


# The footer, the form feed and the header of a page of an RFC: "Cooper, et al.   Standards Track   [Page 104]" and
# "RFC 5280   PKIX Certificate and CRL Profile   May 2008"; a draft has the word Internet-Draft there.
_PAGE_BREAK = re.compile(
    r"^[^\n]*\[Page +\w+\][ \t]*$|^(?:RFC \d+|Internet-Draft) +[^\n]* \d{4}[ \t]*$|\f", re.MULTILINE
)
# In prose, a sentence ends between DEFINITIONS and BEGIN.
_MODULE = re.compile(r"^[ \t]*[A-Z][\w-]*\s*(?:\{[^{}]*\}\s*)?DEFINITIONS\b(?=[^.]{0,400}?\bBEGIN\b)", re.MULTILINE)
_BEGIN_OR_END = re.compile(
    r"--[^\n]*?(?:--|$)|/\*.*?\*/|\"[^\"]*\"|(?<![\w-])(?:BEGIN|END)(?![\w-])", re.MULTILINE | re.DOTALL
)


def modules_of_rfc(text: str) -> str:
    """Return the text of an RFC with blanks instead of everything that is not a module.

    Lines keep their numbers and columns. Headers and footers of pages inside a module are blanked, too.
    """
    text = _PAGE_BREAK.sub(_blanks, text.replace("\r\n", "\n"))
    kept: list[str] = []
    end = 0
    while (start := _MODULE.search(text, end)) is not None:
        kept.append(_blanked(text[end : start.start()]))
        end = _end_of_module(text, start.end())
        kept.append(text[start.start() : end])
    return "".join(kept) + _blanked(text[end:])


def _end_of_module(text: str, start: int) -> int:
    """Return the offset after the END that closes the first BEGIN; a macro has a BEGIN and END of its own."""
    depth = 0
    for match in _BEGIN_OR_END.finditer(text, start):
        depth += {"BEGIN": 1, "END": -1}.get(match[0], 0)
        if match[0] == "END" and depth <= 0:
            return match.end()
    return len(text)


def _blanks(match: re.Match[str]) -> str:
    return _blanked(match[0])


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
