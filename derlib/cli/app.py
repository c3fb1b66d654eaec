"""The command `derlib` as a whole. Each of its commands is the module of its name, imported when it is asked for.

So `derlib dump` does not wait for the schemas of certificates. A new command is a module and a name below.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click

from derlib import __version__

__all__ = ["derlib"]

_COMMANDS = ("cert", "crl", "dump", "grep", "extract", "diff", "convert", "lint", "view")


class _Commands(click.Group):
    """A group whose commands are the `command` of the modules that are named like them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"derlib.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], _COMMANDS, 1)
            if near and "Did you mean" not in error.message:
                raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from None
            raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="derlib", message="%(prog)s %(version)s")
def derlib() -> None:
    """Read DER strictly: certificates, CRLs, and anything else.

    A FILE is DER or PEM; derlib detects which. A PEM file can contain several blocks. - is standard
    input. Every byte is validated against X.690 before anything is shown. Each error is one line on
    standard error, with its position; derlib then continues with the next file. Faults that
    --tolerate accepts are reported there, too, and with --json in the member "tolerated".

    The exit status is 0 if all input is valid, 1 if some input is invalid, and 2 if the command
    line is wrong; the --help of a command lists others.

    \b
    Examples:
      derlib cert server.pem
      derlib crl revoke.crl --all
      openssl x509 -in server.pem -outform DER | derlib dump -
    """
