"""The deviations as the command line names them, and errors in words that name its options."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_

from derlib import Deviation

__all__ = ["DEVIATIONS", "described", "deviation_name", "is_text", "message", "option_name", "tolerated"]


def option_name(name: str) -> str:
    """The name of a deviation as the option has it, from that in Python."""
    return name.lower().replace("_", "-")


def deviation_name(deviation: Deviation) -> str:
    """The name of a deviation as the option has it."""
    return option_name(str(deviation.name))


#: What `--tolerate` takes.
DEVIATIONS = {deviation_name(member): member for member in Deviation.__members__.values()}


#: The programs that decode a text, by the function that an error of the library names.
_TOOLS = {"bytes.fromhex": "xxd -r -p", "base64.b64decode": "base64 -d"}


def tolerated(names: tuple[str, ...]) -> Deviation:
    """What `--tolerate` asks for."""
    return reduce(or_, (DEVIATIONS[name] for name in names), Deviation(0))


def message(error: Exception) -> str:
    """Return the message with options and programs of the shell in place of the names in Python.

    An error about text names no option: to tolerate a fault of text does not make it DER.
    """
    deviation = getattr(error, "deviation", None)
    text = str(error) or "not enough memory"
    for call, tool in _TOOLS.items():
        text = text.replace(f" text: decode it with {call} first", f" text: decode it with {tool} first")
    if deviation is None:
        return text
    text = text.removesuffix(f"; Deviation.{deviation.name} tolerates it")
    return text if is_text(error) else f"{text}; --tolerate {deviation_name(deviation)} lets it pass"


def is_text(error: Exception) -> bool:
    """Return whether the error says that the input is text."""
    return re.search("; the input is .*text", getattr(error, "detail", "")) is not None


def described(error: Exception) -> dict[str, object]:
    """The error as JSON has it: its message, and what it knows of path, offset, clause, line."""
    found: dict[str, object] = {"message": message(error)}
    for name in ("path", "offset", "rule", "kind", "line"):
        value = getattr(error, name, None)
        if value is not None:
            found[name] = value
    return found
