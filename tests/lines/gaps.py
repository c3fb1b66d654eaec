"""Lines that no test runs, each with its reason: the file, and the line as it stands.

`make coverage` fails for a line that was not run and has no reason here, for a reason whose line is gone, and for one
whose line a test does run.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """Why lines are not run, and whether they may be run all the same: by chance, or on another machine."""

    why: str
    may_run: bool = False


REASONS: dict[str, Reason] = {}
GAPS: dict[str, dict[str, list[str]]] = {}
