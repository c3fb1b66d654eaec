"""Make the environment that quickle works in. Called by `make bench-setup`, as a module of its own.

It is one of CPython 3.10 under build/, if there is any: the one that BENCH_QUICKLE_PYTHON names, that which runs this,
or one on PATH or of pyenv. Without it, quickle's rows say so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.families.records.quickle_python import ENVIRONMENT, SETTING

REQUIREMENT = "quickle==0.4.0"


def is_suitable(python: str) -> bool:
    """Whether this is a CPython 3.10 that works."""
    code = "import sys; sys.exit(sys.implementation.name != 'cpython' or sys.version_info[:2] != (3, 10))"
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def works(python: Path) -> bool:
    """Whether this interpreter has quickle, in the version that is wanted."""
    code = f"import quickle; assert 'quickle==' + quickle.__version__ == {REQUIREMENT!r}"
    return python.exists() and subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def candidates() -> list[str]:
    """Interpreters that may be suitable; if one is named, only that."""
    if named := os.environ.get(SETTING):
        return [named]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [sys.executable, shutil.which("python3.10"), *map(str, sorted(pyenv.glob("versions/3.10*/bin/python")))]
    return [each for each in found if each]


def main() -> int:
    """Make the environment if it is not there; that there is no interpreter for it is no failure."""
    if works(ENVIRONMENT / "bin" / "python"):
        return 0
    python = next(filter(is_suitable, candidates()), None)
    if python is None:
        print("no CPython 3.10 for quickle: its rows will say so")
        return 0
    subprocess.run([python, "-m", "venv", "--clear", ENVIRONMENT], check=True)
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    return subprocess.run([*pip, "--use-pep517", REQUIREMENT], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
