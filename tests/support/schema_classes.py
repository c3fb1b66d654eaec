"""Every class of derlib.schemas as a parameter of tests, and settings of hypothesis for them."""

from __future__ import annotations

import importlib
import os
import pkgutil
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import derlib.schemas


def classes_of_schemas() -> list[Any]:
    found = []
    for info in pkgutil.iter_modules(derlib.schemas.__path__):
        module = importlib.import_module(f"derlib.schemas.{info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and hasattr(value, "__plan__") and value.__module__ == module.__name__:
                found.append(value)
    return found


CLASSES = classes_of_schemas()
EVERY_CLASS = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: f"{cls.__module__[15:]}.{cls.__name__}")


def thorough(count: int) -> settings:
    """Return settings for this many examples, which may be slow; `DERLIB_FEW_EXAMPLES=1` takes a quarter of them."""
    few = os.environ.get("DERLIB_FEW_EXAMPLES", "") not in ("", "0")
    examples = max(1, count // 4) if few else count
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
