"""Run a program, and write the peak of its memory to a file: `python -m bench.ported.measure FILE PROGRAM ARGUMENT...`.

The system's figure for a child is at least that of its parent when it was started, so a process must ask for itself.
"""

import runpy
import sys
from pathlib import Path

from bench.harness.memory import peak

if __name__ == "__main__":
    report, *sys.argv = sys.argv[1:]
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        Path(report).write_text(str(peak()), encoding="utf-8")
