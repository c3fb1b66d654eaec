"""Errors and warnings of the ASN.1 compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from derlib.asn1.source import Place
from derlib.errors import ASN1Error

# A longer line is shown in part.
_WIDTH = 200

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning with its place. `str` returns it with the line of the source and a caret."""

    severity: Severity
    message: str
    place: Place

    def __str__(self) -> str:
        start = max(self.place.column - 1 - _WIDTH // 2, 0) if self.place.column > _WIDTH else 0
        line = self.place.line_text[start : start + _WIDTH]
        # Tabs stay tabs, so that the caret is below the place however wide a tab is.
        indent = "".join("\t" if character == "\t" else " " for character in line[: self.place.column - 1 - start])
        return f"{self.place}: {self.severity}: {self.message}\n{line}\n{indent}^"


class CompileError(ASN1Error):
    """ASN.1 text is not valid. `diagnostics` has each error and warning with its place."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


class Problem(Exception):
    """An error at a place, which the compiler catches and records: it continues after the assignment."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class Unsupported(Problem):
    """A value whose notation is valid, but not supported: a constant with it is left out, with a warning."""


class Diagnostics:
    """Collects the errors and warnings of a compilation."""

    def __init__(self) -> None:
        self._entries: dict[Diagnostic, None] = {}

    @property
    def entries(self) -> list[Diagnostic]:
        """The errors and warnings, in the order of their files, lines and columns."""
        return sorted(self._entries, key=lambda entry: (entry.place.source.name, entry.place.offset))

    def error(self, problem: Problem) -> None:
        """Record an error, unless the same one was recorded at the same place."""
        self._add(Diagnostic("error", problem.message, problem.place))

    def warn(self, message: str, place: Place) -> None:
        """Record a warning, unless the same one was recorded at the same place."""
        self._add(Diagnostic("warning", message, place))

    def _add(self, entry: Diagnostic) -> None:
        self._entries.setdefault(entry)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors, without the warnings."""
        return [entry for entry in self.entries if entry.severity == "error"]

    def raise_errors(self) -> None:
        """Raise CompileError with all errors, if any were recorded."""
        if errors := self.errors:
            raise CompileError(errors)
