"""The process in which one peer works: `python -m bench.harness.worker`. Started by bench/harness/remote.py only.

It reads questions and writes answers, one JSON object a line, through copies of its standard input and output.
What a peer prints goes to standard error instead, also from C, and cannot get between the answers.
"""

import contextlib
import gc
import importlib
import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from bench.harness.memory import limit_memory, peak, reset_peak
from bench.harness.task import Task, Unavailable, digest

MEMORY_SHARE = 0.75


class Session:
    """One peer's module and the tasks that were prepared with it."""

    def __init__(self) -> None:
        self.module: ModuleType
        self.tasks: dict[str, Task] = {}

    def load(self, module: str, distribution: str) -> dict[str, Any]:
        """Import the peer's module."""
        self.module = importlib.import_module(module)
        version: str = self.module.version() if hasattr(self.module, "version") else ""
        if not version and distribution:
            version = importlib.metadata.version(distribution)
        return {"version": version, "derlib": "derlib" in sys.modules}

    def make(self, operation: str, argument: str) -> Task:
        """The task of an operation on an input."""
        maker: Callable[[str], Task] | None = getattr(self.module, operation, None)
        if maker is None:
            raise Unavailable(f"{self.module.__name__} has no {operation}")
        return maker(argument)

    def prepare(self, key: str, operation: str, argument: str) -> dict[str, Any]:
        """Make a task, and keep it for questions to come."""
        self.tasks[key] = self.make(operation, argument)
        return {"unit": self.tasks[key].unit}

    def facts(self, key: str) -> dict[str, Any]:
        """Do the work once, and say what was read or written."""
        task = self.tasks[key]
        result = task.once()
        return {"facts": digest(task.facts(result)) if task.facts else None}

    def run(self, key: str) -> dict[str, Any]:
        """Do the work, and say how long it took."""
        start = time.monotonic()
        value = self.tasks[key].run()
        return {"value": value, "seconds": time.monotonic() - start}

    def size(self, key: str) -> dict[str, Any]:
        """Do the work, and say how many octets came out."""
        result: Any = self.tasks[key].once()
        return {"octets": len(result)}

    def count(self, key: str) -> dict[str, Any]:
        """Do the work, and say which number came out."""
        result: Any = self.tasks[key].once()
        return {"value": float(result)}

    def memory(self, operation: str, argument: str, warm: str | None, facts: bool = True) -> dict[str, Any]:
        """Do the work in this process, which must not have done anything large before, and say what memory it took."""
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
        return {"growth": after - before, "peak": after, "facts": found}


def answer(session: Session, line: str) -> dict[str, Any]:
    """The answer to one question; whatever a peer raises becomes one."""
    question = json.loads(line)
    try:
        done: dict[str, Any] = getattr(session, question.pop("do"))(**question)
    except ImportError as error:
        return {"failed": "missing", "why": str(error)}
    except Unavailable as error:
        return {"failed": "unavailable", "why": str(error)}
    except MemoryError:
        return {"failed": "raised", "why": f"MemoryError: wants more than {MEMORY_SHARE:.0%} of the machine's memory"}
    # A peer may even call sys.exit; the parent wants to know.
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split())[:300]
        return {"failed": "raised", "why": f"{type(error).__name__}: {said}"}
    return done


def main() -> None:
    """Answer until there are no more questions."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # A sanitizer comes by LD_PRELOAD, and maps more than any machine has.
    if "LD_PRELOAD" not in os.environ:
        with contextlib.suppress(OSError, ValueError):
            limit_memory(MEMORY_SHARE)
    session = Session()
    for line in questions:
        answers.write(json.dumps(answer(session, line)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
