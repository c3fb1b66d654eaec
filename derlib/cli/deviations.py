"""Deviations, and their names in the option `--tolerate`: `boolean-true` for `Deviation.BOOLEAN_TRUE`."""

from __future__ import annotations

from derlib import Deviation

__all__ = ["ALL_DEVIATIONS", "DEVIATIONS", "deviation_name", "option_name"]


#: The union of all deviations.
ALL_DEVIATIONS = ~Deviation(0)


def option_name(name: str) -> str:
    """Return the name in the option for a name in Python."""
    return name.lower().replace("_", "-")


def deviation_name(deviation: Deviation) -> str:
    """Return the name of a deviation in the option."""
    return option_name(str(deviation.name))


#: The deviations by their names in the option.
DEVIATIONS = {deviation_name(member): member for member in Deviation.__members__.values()}
