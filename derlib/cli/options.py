"""The arguments and options that several commands have, as click decorators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from derlib.cli.run import DEVIATIONS

__all__ = ["as_json", "block", "color", "files", "one_file", "output", "reading", "tolerate"]

F = TypeVar("F", bound=Callable[..., Any])

# Files that cannot be read are told one by one while the others are read, so click checks nothing.
_PATH = click.Path(readable=False, allow_dash=True)

files = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=_PATH)

as_json = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document, an array, on standard output."
)
color = click.option(
    "--color/--no-color",
    default=None,
    help="Colour the text, or not. Otherwise only on a terminal, and never when NO_COLOR is set.",
)
tolerate = click.option(
    "--tolerate",
    multiple=True,
    type=click.Choice(list(DEVIATIONS), case_sensitive=False),
    metavar="NAME",
    help="Tolerate a breach of DER by name, such as named-bits or wild-certificates, and tell where it was met. May be "
    "given several times. An error says which name would tolerate it.",
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
    help="Write there in place of standard output.",
)


def one_file(name: str) -> Callable[[F], F]:
    """One file, by name."""
    return click.argument(name, metavar=name.upper(), type=_PATH)


def reading(command: F) -> F:
    """The files and the options of the commands that show what is in each of them."""
    return files(as_json(color(tolerate(command))))
