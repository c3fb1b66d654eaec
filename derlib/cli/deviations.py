"""Deviations, and their names in the option `--tolerate`: `boolean-true` for `Deviation.BOOLEAN_TRUE`."""

from __future__ import annotations

from derlib import Deviation
from derlib._core import fault_deviations

__all__ = ["ALL_DEVIATIONS", "DEVIATIONS", "DEVIATION_OF_KIND", "deviation_name", "option_name"]


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

#: The names of the deviations that tolerate the kinds of faults, which tables and JSON have.
DEVIATION_OF_KIND = {kind: deviation_name(deviation) for kind, deviation in fault_deviations().items()}
