"""The process in which one peer works: `python -m bench.harness.worker`. Started only by bench/harness/remote.py.

It reads requests and writes answers, one JSON object per line, through copies of its standard input and output.
Output of the peer, including output from C, goes to standard error and cannot mix with the answers.
"""

import contextlib
import gc
import importlib
import importlib.metadata
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from bench.harness.memory import limit_memory, peak, reset_peak
from bench.harness.task import Task, Unavailable, digest

MEMORY_SHARE = 0.75


class Session:
    """The module of one peer and the tasks that were prepared with it."""

    def __init__(self) -> None:
        self.module: ModuleType
        self.tasks: dict[str, Task] = {}

    def load(self, module: str, distribution: str) -> dict[str, Any]:
        """Import the peer's module, and return the version of the library."""
        self.module = importlib.import_module(module)
        version: str
        if hasattr(self.module, "version"):
            version = self.module.version()
        else:
            version = importlib.metadata.version(distribution) if distribution else platform.python_version()
        return {"version": version, "derlib": "derlib" in sys.modules}

    def make(self, operation: str, argument: str) -> Task:
        """Return the task of an operation on an input."""
        maker: Callable[[str], Task] | None = getattr(self.module, operation, None)
        if maker is None:
            raise Unavailable(f"{self.module.__name__} has no {operation}")
        return maker(argument)

    def prepare(self, key: str, operation: str, argument: str) -> dict[str, Any]:
        """Make a task, and keep it for later requests."""
        self.tasks[key] = self.make(operation, argument)
        return {"unit": self.tasks[key].unit}

    def facts(self, key: str) -> dict[str, Any]:
        """Do the work once, and return a digest of what was read or written."""
        task = self.tasks[key]
        result = task.once()
        return {"facts": digest(task.facts(result)) if task.facts else None}

    def run(self, key: str) -> dict[str, Any]:
        """Do the work, and return the figure and the seconds spent."""
        start = time.monotonic()
        value = self.tasks[key].run()
        return {"value": value, "seconds": time.monotonic() - start}

    def size(self, key: str) -> dict[str, Any]:
        """Do the work, and return the size of its result in bytes."""
        result: Any = self.tasks[key].once()
        return {"value": len(result)}

    def count(self, key: str) -> dict[str, Any]:
        """Do the work, and return the number that it returned."""
        result: Any = self.tasks[key].once()
        return {"value": float(result)}

    def memory(self, operation: str, argument: str, warm: str | None, facts: bool = True) -> dict[str, Any]:
        """Return by how many bytes the work raises the peak of memory; the process must be fresh."""
        if warm is not None:
            self.make(operation, warm).once()
        task = self.make(operation, argument)
        given = [task.setup()] if task.setup else []
        gc.collect()
        reset_peak()
        before = peak()
        result = task.call(*given)
        after = peak()
        found = digest(task.facts(result)) if task.facts and facts else None
        return {"value": after - before, "facts": found}


def answer(session: Session, line: str) -> dict[str, Any]:
    """Return the answer to one request; an exception of a peer becomes an answer, too."""
    request = json.loads(line)
    try:
        done: dict[str, Any] = getattr(session, request.pop("do"))(**request)
    except ImportError as error:
        return {"failed": "missing", "why": str(error)}
    except Unavailable as error:
        return {"failed": "unavailable", "why": str(error)}
    except MemoryError:
        return {"failed": "raised", "why": f"MemoryError: needs more than {MEMORY_SHARE:.0%} of the machine's memory"}
    # A peer may even call sys.exit.
    except (Exception, SystemExit) as error:
        message = " ".join(str(error).split())[:300]
        return {"failed": "raised", "why": f"{type(error).__name__}: {message}"}
    return done


def main() -> None:
    """Answer requests until standard input ends."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # A sanitizer is loaded by LD_PRELOAD, and maps more memory than any machine has.
    if "LD_PRELOAD" not in os.environ:
        with contextlib.suppress(OSError, ValueError):
            limit_memory(MEMORY_SHARE)
    session = Session()
    for line in requests:
        answers.write(json.dumps(answer(session, line)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
