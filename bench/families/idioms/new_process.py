"""Import a module in a new process. Called by the peers of this family and of `signed`."""

import subprocess
import sys

from bench.harness import Task
from bench.harness.bytecode import with_bytecode


def importing(module: str) -> Task:
    """Return a task that starts Python and imports a module, whose bytecode is compiled before."""
    environment = with_bytecode()

    def call() -> int:
        return subprocess.run([sys.executable, "-c", f"import {module}"], env=environment, check=True).returncode

    return Task(call, lambda status: [status], loops=1)
