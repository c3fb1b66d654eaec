"""Every class of derlib.schemas as a parameter of tests, and a limit of the values that are drawn for each."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

import derlib.schemas
from derlib.strategies import _draw


def classes_of_schemas() -> list[Any]:
    found = []
    for info in pkgutil.iter_modules(derlib.schemas.__path__):
        module = importlib.import_module(f"derlib.schemas.{info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and hasattr(value, "__plan__") and value.__module__ == module.__name__:
                found.append(value)
    # Some modules have a second name for a class.
    return list(dict.fromkeys(found))


CLASSES = classes_of_schemas()
EVERY_CLASS = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: f"{cls.__module__[15:]}.{cls.__name__}")


def draw_few_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let strategies draw about 12 elements for each value: most parts of a class are classes, which are drawn, too."""
    monkeypatch.setattr(_draw, "BUDGET", 12)
