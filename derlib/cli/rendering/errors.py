"""Errors and tolerated deviations in the words of the command line: `--tolerate boolean-true`, not Python names."""

from __future__ import annotations

from derlib import DecodeError, LimitError, Tolerated
from derlib.cli.deviations import deviation_name
from derlib.cli.documents.files import NO_MEMORY
from derlib.errors import format_path

__all__ = ["error_json", "error_text", "tolerated_json", "tolerated_text"]


def error_text(error: Exception) -> str:
    """Return the message of `error`, with the option `--tolerate` that accepts it.

    If the error has a hint, the input is text, and no option makes it DER.
    """
    if not isinstance(error, (DecodeError, LimitError)):
        return str(error) or NO_MEMORY
    hint = f"; {error.hint}" if error.hint else ""
    rule = f" ({error.rule})" if error.rule else ""
    remedy = ""
    if error.deviation and not error.hint:
        remedy = f"; --tolerate {deviation_name(error.deviation)} accepts it"
    return f"{_position(error.path, error.offset)}: {error.detail}{hint}{rule}{remedy}"


def error_json(error: Exception) -> dict[str, object]:
    """Return the members of `error` in JSON: its message, and those of path, offset, rule, kind and line it has."""
    found: dict[str, object] = {"message": error_text(error)}
    for name in ("path", "offset", "rule", "kind", "line"):
        value = getattr(error, name, None)
        if value is not None:
            found[name] = value
    return found


def tolerated_text(tolerated: Tolerated) -> str:
    """Return the line that reports a tolerated deviation."""
    position = _position(tolerated.path, tolerated.offset)
    return f"tolerated {position}: {deviation_name(tolerated.deviation)} ({tolerated.rule})"


def tolerated_json(tolerated: Tolerated) -> dict[str, object]:
    """Return the members of a tolerated deviation in JSON."""
    return {**tolerated._asdict(), "deviation": deviation_name(tolerated.deviation)}


def _position(path: tuple[str | int, ...], offset: int) -> str:
    return f"{format_path(path)} at offset {offset}" if path else f"at offset {offset}"
