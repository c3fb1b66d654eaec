"""Run a module of tests/support in its own process."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TESTS = str(Path(__file__).parents[1])


def run_script(module: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run ``python -m support.<module>`` with arguments; `options` go to `subprocess.run`."""
    path = os.pathsep.join(filter(None, [TESTS, os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", f"support.{module}", *arguments]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, **options)
