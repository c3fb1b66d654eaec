"""Delete data files that are torn: `python -m tests.lines.torn`, for `.ci/coverage` before it joins them.

Some tests kill a process, and it may be about to write what it ran. SQLite calls such a file malformed, or the lines of
the core are in it and not yet who traced them; one of them keeps coverage.py from joining all others. What that process
ran is lost either way.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

UNTRACED = """
    select count(*) from file join line_bits on line_bits.file_id = file.id left join tracer on tracer.file_id = file.id
    where file.path like '%.pxi' and tracer.tracer is null
"""


def is_torn(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as data:
        try:
            sound = data.execute("pragma integrity_check").fetchone() == ("ok",)
            return not sound or data.execute(UNTRACED).fetchone() != (0,)
        except sqlite3.DatabaseError:
            return True


def main() -> None:
    for file in sorted(Path().glob(".coverage.*")):
        if is_torn(file):
            print(f"{file.name} is torn: left out")
            file.unlink()


if __name__ == "__main__":
    main()
