"""The conditions of a run that a reader needs to judge its figures. Called by bench/__main__.py."""

import os
import platform
from datetime import date
from pathlib import Path


def processor() -> str:
    """Return the name of the processor."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def conditions(*, quick: bool) -> dict[str, object]:
    """Return the machine, the interpreter, and the load before the run."""
    return {
        "date": date.today().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "quick": quick,
    }
