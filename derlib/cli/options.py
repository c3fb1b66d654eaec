"""The arguments and options that several commands have. app.py passes their values to the command by name."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import NamedTuple

import click

from derlib import Deviation
from derlib.cli.deviations import DEVIATION_OF_KIND, DEVIATIONS, option_name
from derlib.cli.documents.suggestions import unknown_name
from derlib.cli.output.standard_output import Output

__all__ = [
    "BER",
    "BLOCK",
    "FILES",
    "OUTPUT",
    "SCHEMA",
    "SECRETS",
    "TEXT_OPTIONS",
    "TOLERATE",
    "OutputOptions",
    "check_schema",
    "file_argument",
    "require_at_most_one",
    "tolerate_option",
]


class OutputOptions(NamedTuple):
    """The options `--json` and `--jsonl`, `--color` and `--pager`. `as_json` is set for both of the first."""

    as_json: bool = False
    color: bool | None = None
    pager: bool = False
    as_lines: bool = False

    def open_output(self) -> Output:
        """Return standard output with these options."""
        return Output(False if self.as_json else self.color, pager=self.pager, joins_lines=self.as_lines)


def check_schema(schema: tuple[str, ...], type_name: str | None) -> None:
    """Raise UsageError if only one of the options `SCHEMA` is given."""
    if bool(schema) != bool(type_name):
        raise click.UsageError("--schema and --type must be used together")


def require_at_most_one(*options_given: tuple[str, bool]) -> None:
    """Raise UsageError if more than one of the options is given."""
    names = [name for name, given in options_given if given]
    if len(names) > 1:
        raise click.UsageError(f"{' and '.join(names)} cannot be combined")


def _deviation(value: str) -> str:
    """Return the name of a deviation in the option, given that name, the one in Python, or the kind of a fault."""
    name = option_name(value)
    name = DEVIATION_OF_KIND.get(name, name)
    if name not in DEVIATIONS:
        raise unknown_name(value, name, DEVIATIONS)
    return name


def _complete(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in DEVIATIONS if name.startswith(option_name(incomplete))]


def _combine(_ctx: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> Deviation:
    return reduce(or_, (DEVIATIONS[name] for name in names), Deviation(0))


# A file that cannot be read is reported while the others are processed, so click does not check it.
_PATH = click.Path(readable=False, allow_dash=True)

SECRETS = click.Option(["--secrets"], is_flag=True, help="Also show private keys.")

FILES = click.Argument(["files"], metavar="FILE...", nargs=-1, required=True, type=_PATH)


def file_argument(name: str) -> click.Argument:
    """Return the argument for one file."""
    return click.Argument([name], metavar=name.upper(), type=_PATH)


def tolerate_option(report: str) -> click.Option:
    """Return the option `--tolerate`, whose value is a `Deviation`. `report` says where the command shows them."""
    return click.Option(
        ["--tolerate"],
        multiple=True,
        type=_deviation,
        callback=_combine,
        shell_complete=_complete,
        metavar="NAME",
        help=f"Accept a deviation from DER, such as named-bits or common-certificate-defects. {report} Can be used "
        "several times. An error names the deviation that covers it.",
    )


TOLERATE = tolerate_option("The output says where it occurs.")
BER = click.Option(
    ["--ber"],
    is_flag=True,
    help="Accept BER. dump and view show it as it is, the other commands convert it to DER first. Offsets are those in "
    "the BER file.",
)
BLOCK = click.Option(
    ["--block"],
    type=click.IntRange(min=1),
    metavar="N",
    help="Use block N of a PEM file, or value N of a DER file, that has several.",
)
OUTPUT = click.Option(
    ["-o", "--output"],
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help="Write to this file instead of standard output.",
)

#: The options of every command that writes text or JSON.
SCHEMA = (
    click.Option(
        ["--schema"],
        multiple=True,
        metavar="MODULE",
        type=click.Path(readable=False),
        help="Decode with the ASN.1 modules in this file. Can be used several times.",
    ),
    click.Option(
        ["--type", "type_name"],
        metavar="NAME",
        help="The type in the --schema, such as Order, or Shop.Order if several modules have an Order.",
    ),
)

TEXT_OPTIONS = (
    click.Option(["--json", "as_json"], is_flag=True, help="Write one JSON document, an array, on standard output."),
    click.Option(["--jsonl"], is_flag=True, help="Write one line of JSON for each document, as soon as it is read."),
    click.Option(
        ["--color/--no-color"],
        default=None,
        help="Write text with or without colours. By default, text on a terminal is coloured unless NO_COLOR is set; "
        "with FORCE_COLOR, text in a pipe or a file is, too.",
    ),
    click.Option(
        ["--pager"],
        is_flag=True,
        help="Show the output page by page, if it goes to a terminal: by DERLIB_PAGER, PAGER, or less.",
    ),
    TOLERATE,
    BER,
)
