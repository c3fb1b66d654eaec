"""The arguments and options that several commands have, as click decorators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from derlib.cli.run import How
from derlib.cli.tolerance import DEVIATIONS, option_name, tolerated

__all__ = ["as_json", "block", "color", "files", "how", "one_file", "output", "pager", "reading", "tolerate"]

F = TypeVar("F", bound=Callable[..., Any])

# Files that cannot be read are told one by one while the others are read, so click checks nothing.
_PATH = click.Path(readable=False, allow_dash=True)


def _deviation(value: str) -> str:
    """The name of a deviation, given as an error has it or as Python does."""
    name = option_name(value)
    if name not in DEVIATIONS:
        raise click.BadParameter(f"{value!a:.80} is not one of {', '.join(DEVIATIONS)}")
    return name


def _deviations(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in DEVIATIONS if name.startswith(option_name(incomplete))]


files = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=_PATH)

as_json = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document, an array, on standard output."
)
color = click.option(
    "--color/--no-color",
    default=None,
    help="Colour the text, or do not. By default, text on a terminal is coloured unless NO_COLOR is set.",
)
pager = click.option(
    "--pager",
    is_flag=True,
    help="Show the output page by page, if it goes to a terminal: by DERLIB_PAGER, PAGER, or less.",
)
tolerate = click.option(
    "--tolerate",
    multiple=True,
    type=_deviation,
    shell_complete=_deviations,
    metavar="NAME",
    help="Accept a deviation from DER, such as named-bits or wild-certificates, and report where it occurs. Can be "
    "used several times. An error names the deviation that covers it.",
)
block = click.option(
    "--block",
    type=click.IntRange(min=1),
    metavar="N",
    help="Take block N of a PEM file that has several.",
)
output = click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help="Write to this file instead of standard output.",
)


def one_file(name: str) -> Callable[[F], F]:
    """One file, by name."""
    return click.argument(name, metavar=name.upper(), type=_PATH)


def how(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that writes text or JSON; they arrive as one `How`, the first argument."""

    @wraps(command)
    def collected(
        *, as_json: bool, color: bool | None, pager: bool, tolerate: tuple[str, ...], **others: Any
    ) -> Any:
        return command(How(as_json, color, pager, tolerated(tolerate)), **others)

    return as_json(color(pager(tolerate(collected))))


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The files and the options of the commands that show what is in each of them."""
    return files(how(command))
