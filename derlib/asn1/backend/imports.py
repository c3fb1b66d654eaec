"""Which names the files of a package have while another file runs.

The files have places: Python runs them in this order. A file imports names from those before it at its top, and from
those after it at its bottom. Such an import runs the other file first, and this one the files that it imports, unless
they have begun already.
"""

from __future__ import annotations


class Imports:
    """The imports of a package: `uses` has for each file the places of those whose names it has."""

    def __init__(self, uses: list[set[int]]) -> None:
        self._uses = uses

    def is_missing(self, name_of: int, file: int, running: int) -> bool:
        """Return whether a file does not have the names of another one yet, `name_of`, when `running` runs."""
        if name_of <= file:
            return False
        waiting = [late for late in self._uses[file] if file < late <= name_of]
        reached = {file, *waiting}
        while waiting and running not in reached:
            new = {other for other in self._uses[waiting.pop()] if other > file} - reached
            reached |= new
            waiting += new
        return running in reached
