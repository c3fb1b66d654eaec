"""A plugin of coverage.py for the lines of the core: `[tool.coverage.run]` names it, `.ci/coverage` needs it.

Cython's own plugin knows which lines of an included file can be run, and that part is used here. It is not used while
tests run, for three reasons. It looks files up from the current folder, and loses those that are first reached in
another. It is asked for the file of every call and the number of every line, by calls into Python. And it takes the
lines that a module runs once, as it is imported, for lines of the included file, though they are traced as lines of
the file that includes it.
"""

from __future__ import annotations

import operator
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coverage.plugin import CoveragePlugin, FileReporter, FileTracer

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "derlib" / "_core.c"
CORE = re.compile(r"derlib/core/([\w/]+\.pxi)$")
# The function of the generated C that is run as the module is imported, to its closing brace.
IMPORTED = re.compile(r"^static CYTHON_SMALL_CODE int __pyx_pymod_exec_\w+\([^;{]*\{.*?^\}$", re.MULTILINE | re.DOTALL)


class Lines(FileTracer):
    """All code of a file says its name and its line itself."""

    # What coverage.py calls for each line that is run; this one answers without running Python.
    line_number_range: Any = operator.attrgetter("f_lineno", "f_lineno")

    def __init__(self, file: Path) -> None:
        self.file = file

    def source_filename(self) -> str:
        return str(self.file)


class CoreLines(CoveragePlugin):
    """Answers for the included files of the core, and for no other."""

    def __init__(self) -> None:
        self.cython: Any = None

    def file_tracer(self, filename: str) -> FileTracer | None:
        found = CORE.search(filename.replace("\\", "/"))
        return Lines(ROOT / "derlib" / "core" / found[1]) if found else None

    def file_reporter(self, filename: str) -> FileReporter:
        from Cython.Coverage import CythonModuleReporter

        name = Path(filename).relative_to(ROOT).as_posix()
        return CythonModuleReporter(str(SOURCE), filename, name, self.code()[name], frozenset())

    def code(self) -> dict[str, dict[int, str]]:
        """The lines of each file that can be run after the import."""
        if self.cython is None:
            from Cython.Coverage import Plugin

            with tempfile.TemporaryDirectory() as folder:
                cut = Path(folder) / "core.c"
                text, count = IMPORTED.subn("", SOURCE.read_text(encoding="utf-8"))
                if count != 1:
                    raise RuntimeError(f"{SOURCE} has {count} functions that are run as the module is imported")
                cut.write_text(text, encoding="utf-8")
                # Lines of Cython's own files that the core includes are none of ours.
                self.cython = {
                    name: lines for name, lines in Plugin()._parse_cfile_lines(str(cut)).items() if CORE.match(name)
                }
        return self.cython

    def find_executable_files(self, src_dir: str) -> Iterator[str]:
        """None, for each process would have to read the generated C: `tests.lines` looks whether one is missing."""
        return iter(())


def coverage_init(registry: Any, options: Any) -> None:
    registry.add_file_tracer(CoreLines())
