"""Delete incomplete data files: `python -m tests.lines.torn`, for `.ci/coverage` before it combines them.

Some tests kill a process, which can be writing its data. Such a file is malformed for SQLite, or has the lines of the
core without the plugin that traced them, and would prevent coverage.py from combining the others. The data of that
process are lost in any case.
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
