"""How many examples tests take: all of them, or a quarter with `DERLIB_FEW_EXAMPLES=1`, which `.ci/run` sets where each
example is slow: under the sanitizers, and in the core for other CPythons, which is built without optimisation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

FEW = os.environ.get("DERLIB_FEW_EXAMPLES", "") not in ("", "0")
Item = TypeVar("Item")


def thorough(count: int, **more: Any) -> settings:
    """Return settings for this many examples, or a quarter of them; each may be slow."""
    examples = max(1, count // 4) if FEW else count
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), **more)


def all_or_some(items: Sequence[Item]) -> Sequence[Item]:
    """Return all items, or every seventh: not a power of two, so that values of octets differ in each bit."""
    return items[::7] if FEW else items
