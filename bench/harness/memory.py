"""The peak of a process's memory as the operating system reports it. Called by bench/harness/worker.py."""

import os
import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def reset_peak() -> None:
    """Set the recorded peak to the current use, if the system supports that."""
    if STATUS.exists():
        # proc(5), clear_refs: writing 5 resets VmHWM to the current resident set.
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """Return the peak of the resident memory of this process in bytes."""
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def limit_memory(share: float) -> None:
    """Limit this process to a share of the machine's memory, so that only this process fails if it needs more."""
    limit = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * share)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
