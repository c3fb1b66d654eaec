"""The program `derlib`: parses the command line, runs one command, and exits with its status.

The module of a command is imported when it is used, so that `derlib dump` does not load the schemas of certificates.
To add a command, add a module to derlib/cli/commands and its name below.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from derlib import __version__
from derlib._suggestions import nearest
from derlib.cli.output.pager import PagerClosed
from derlib.cli.output.standard_output import Output, report_error

if TYPE_CHECKING:
    from derlib.cli.commands.base import Command

__all__ = ["derlib", "run"]

_COMMANDS = ("show", "cert", "crl", "dump", "grep", "extract", "diff", "convert", "lint", "view", "table", "compile")

#: Commands of other programs, and the one that does their work here.
_OTHER_NAMES = {
    "asn1parse": "dump",
    "certificate": "cert",
    "cms": "show",
    "crls": "crl",
    "csr": "show",
    "dsa": "show",
    "ec": "show",
    "find": "grep",
    "help": "--help",
    "inspect": "show",
    "key": "show",
    "ocsp": "show",
    "p12": "show",
    "p7b": "show",
    "p7m": "show",
    "p7s": "show",
    "pfx": "show",
    "parse": "dump",
    "pkcs12": "show",
    "pkcs7": "show",
    "pkcs8": "show",
    "pkey": "show",
    "print": "show",
    "req": "show",
    "rsa": "show",
    "search": "grep",
    "smime": "show",
    "spkac": "show",
    "ts": "show",
    "validate": "lint",
    "version": "--version",
    "x509": "cert",
}

#: The exit status that a shell reports for a program that SIGPIPE ended.
_BROKEN_PIPE = 128 + 13


class _Program(click.Group):
    """The program; its commands are the modules of derlib/cli/commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: type[Command] = import_module(f"derlib.cli.commands.{cmd_name}").Command

        def callback(**values: Any) -> None:
            click.get_current_context().exit(_run(command(**values)))

        return click.Command(cmd_name, params=list(command.parameters), callback=callback, help=command.help)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not ctx.resilient_parsing and (near := _nearest(name)):
            raise click.UsageError(f"No such command {name!r}. Did you mean {near!r}?", ctx)
        return super().resolve_command(ctx, args)


def _nearest(name: str) -> str:
    """Return the command that was perhaps meant; empty if none is near."""
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    if os.path.exists(name):
        return f"show {name}"
    return nearest(name, _COMMANDS) or ""


def _run(command: Command) -> int:
    """Run a command and return the exit status."""
    out = command.open_output()
    try:
        status = command.run(out)
        out.close()
    except PagerClosed:
        out.abandon()
        status = 0
    except OSError as error:
        status = _output_failed(error, out, command.output_error_status)
    return status


def _output_failed(error: OSError, out: Output, status: int) -> int:
    """Report that standard output cannot be written, and return the exit status."""
    out.abandon()
    if isinstance(error, BrokenPipeError):
        return _BROKEN_PIPE
    report_error("standard output", error.strerror or str(error))
    return status


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="derlib", message="%(prog)s %(version)s")
def derlib() -> None:
    """Read DER strictly: certificates, CRLs, and anything else.

    A FILE is DER, PEM, text in hexadecimal or base64, or a mail; derlib detects which. A PEM file can contain several
    blocks, and a DER file several values. The name - means standard input. Every byte is validated against X.690
    before anything is shown. show also accepts BER, and says so; other commands accept it with --ber. Each error is
    one line on standard error, with its position; derlib then continues with the next file. Faults that --tolerate
    accepts are reported there, too, and with --json in the member "tolerated".

    The exit status is 0 if all input is valid, 1 if some input is invalid or cannot be read, and 2 if the command
    line is wrong. The --help of a command lists its other statuses.

    \b
    Examples:
      derlib show server.pem
      derlib crl revoke.crl --all
      openssl x509 -in server.pem -outform DER | derlib dump -
    """


def run() -> int:
    """Run the program with the arguments of this process and return its status. Raises KeyboardInterrupt."""
    try:
        return derlib.main(prog_name="derlib", standalone_mode=False) or 0
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except OSError as error:
        # The text of --help or --version; the other output is written in `_run`.
        return _output_failed(error, Output(False), 1)
