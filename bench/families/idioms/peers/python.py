"""Python itself: start a process."""

from bench.families.idioms.new_process import importing
from bench.harness import Task


def start(_: str) -> Task:
    """Import what every process has imported."""
    return importing("sys")
