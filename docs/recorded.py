"""What was recorded in docs/figures, told on a page between two marks: for make_fuzzing.py and make_coverage.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Recorded:
    """A record, and where it is told: between the comments `mark` and `/mark` of a page."""

    page: Path
    record: Path
    mark: str
    told: Callable[[Any], str]

    def stored(self) -> Any:
        """The record."""
        return json.loads(self.record.read_text(encoding="utf-8"))

    def render(self) -> str:
        """The page as it says what the record says."""
        block = re.compile(rf"(<!-- {self.mark} -->\n).*?(<!-- /{self.mark} -->)", re.DOTALL)
        stored = self.stored()
        words = self.told(stored) if stored else "No run is recorded yet.\n"
        return block.sub(lambda match: f"{match[1]}{words}{match[2]}", self.page.read_text(encoding="utf-8"))

    def write(self) -> None:
        """Write the page."""
        self.page.write_text(self.render(), encoding="utf-8")
