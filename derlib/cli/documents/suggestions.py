"""Suggestions for names that are misspelt on the command line."""

from __future__ import annotations

from collections.abc import Iterable

import click

from derlib._suggestions import nearest

__all__ = ["suggestion", "unknown_name"]


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return the end of a message that suggests the nearest of `names`; empty if none is near."""
    near = nearest(name, names)
    return f"; did you mean {near}?" if near else ""


def unknown_name(value: str, name: str, names: Iterable[str]) -> click.BadParameter:
    """Return the error for `value`, whose usual spelling `name` is not one of `names`."""
    names = list(names)
    return click.BadParameter(f"{value!a:.80} is not one of {', '.join(names)}{suggestion(name, names)}")
