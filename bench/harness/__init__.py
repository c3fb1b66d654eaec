"""The parts that every family of the benchmark uses. The names exported here are those a family and its peers need.

Nothing here imports derlib or a measured library: a worker process imports only its own.
"""

from bench.harness.declare import Case, Counted, Family, Growth, Input, Kind, Peer, Side
from bench.harness.task import Task, Unavailable

__all__ = ["Case", "Counted", "Family", "Growth", "Input", "Kind", "Peer", "Side", "Task", "Unavailable"]
