"""A plugin of coverage.py for the lines of the core: `[tool.coverage.run]` names it, `.ci/coverage` needs it.

Cython's own plugin finds the executable lines of an included file, and this module uses that part. It does not use the
plugin while tests run, for three reasons: the plugin looks up files relative to the current folder, and loses those
that are first reached in another; it is called for the file of every call and the number of every line, in Python; and
it attributes the lines that a module runs once, when it is imported, to the included file, although they are traced as
lines of the including file.
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
# The function of the generated C that runs when the module is imported, to its closing brace.
IMPORTED = re.compile(r"^static CYTHON_SMALL_CODE int __pyx_pymod_exec_\w+\([^;{]*\{.*?^\}$", re.MULTILINE | re.DOTALL)


class Lines(FileTracer):
    """All code of a file has this file name and its own line numbers."""

    # coverage.py calls this for each line that runs; it returns without running Python code.
    line_number_range: Any = operator.attrgetter("f_lineno", "f_lineno")

    def __init__(self, file: Path) -> None:
        self.file = file

    def source_filename(self) -> str:
        return str(self.file)


class CoreLines(CoveragePlugin):
    """Handles the included files of the core, and no others."""

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
        """Return the lines of each file that can run after the import."""
        if self.cython is None:
            from Cython.Coverage import Plugin

            with tempfile.TemporaryDirectory() as folder:
                cut = Path(folder) / "core.c"
                text, count = IMPORTED.subn("", SOURCE.read_text(encoding="utf-8"))
                if count != 1:
                    raise RuntimeError(f"{SOURCE} has {count} functions that are run as the module is imported")
                cut.write_text(text, encoding="utf-8")
                # Ignore the lines of Cython's own files that the core includes.
                self.cython = {
                    name: lines for name, lines in Plugin()._parse_cfile_lines(str(cut)).items() if CORE.match(name)
                }
        return self.cython

    def find_executable_files(self, src_dir: str) -> Iterator[str]:
        """Return None: each process would have to read the generated C. `tests.lines` finds missing lines."""
        return iter(())


def coverage_init(registry: Any, options: Any) -> None:
    registry.add_file_tracer(CoreLines())
