"""The machinery that every family of the benchmark runs on; bench/__init__.py says how to write one.

What is exported here is all that a family and its peers need. Nothing here imports derlib or a peer: a worker must be
free of all libraries but its own.
"""

from bench.harness.declare import Case, Counted, Family, Fit, Input, Peer, Published, Scaling, Side, Target
from bench.harness.task import Task, Unavailable

__all__ = [
    "Case",
    "Counted",
    "Family",
    "Fit",
    "Input",
    "Peer",
    "Published",
    "Scaling",
    "Side",
    "Target",
    "Task",
    "Unavailable",
]
