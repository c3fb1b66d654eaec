"""Suggestions for names that are misspelt on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

import click

__all__ = ["nearest", "unknown_name"]

#: The longest name that is compared with others.
_MAX_NAME = 80


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the end of a message that suggests the nearest of `names`; empty if none is near."""
    names = list(names)
    same_letters = [known for known in names if known.lower() == name.lower()]
    near = same_letters or get_close_matches(name[:_MAX_NAME], names, 1)
    return f"; did you mean {near[0]}?" if near else ""


def unknown_name(value: str, name: str, names: Iterable[str]) -> click.BadParameter:
    """Return the error for `value`, whose usual spelling `name` is not one of `names`."""
    names = list(names)
    return click.BadParameter(f"{value!a:.80} is not one of {', '.join(names)}{nearest(name, names)}")
