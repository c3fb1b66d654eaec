"""What a reader must know to judge figures: machine, interpreter, settings. Called by bench/__main__.py."""

import os
import platform
from datetime import date
from pathlib import Path

from bench.harness.run import Settings

RULES = "garbage collector emptied before and off during each timed run, on while memory is measured"


def processor() -> str:
    """Return the name that the processor gives itself."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def circumstances(settings: Settings) -> dict[str, object]:
    """The machine, Python, the load before the run, and how it was measured."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "date": date.today().isoformat(),
        "quick": settings.quick,
        "rules": RULES,
    }
