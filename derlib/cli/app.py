"""The commands and their options, as click sees them. Each hands over to the module of its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from derlib import __version__
from derlib.cli import cert as certificates
from derlib.cli import crl as lists
from derlib.cli.dump import Dump
from derlib.cli.run import DEVIATIONS, Task

__all__ = ["derlib"]

F = TypeVar("F", bound=Callable[..., Any])

# Files that cannot be read are told one by one while the others are read, so click checks nothing.
_FILES = click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(readable=False, allow_dash=True),
)
_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document, an array, on standard output."
)
_COLOR = click.option(
    "--color/--no-color",
    default=None,
    help="Colour the text, or not. Otherwise only on a terminal, and never when NO_COLOR is set.",
)


_TOLERATE = click.option(
    "--tolerate",
    multiple=True,
    type=click.Choice(list(DEVIATIONS), case_sensitive=False),
    metavar="NAME",
    help="Tolerate a breach of DER by name, such as named-bits or wild-certificates, and tell where it was met. May be "
    "given several times. An error says which name would tolerate it.",
)


def _common(command: F) -> F:
    """The files and the options that all commands have."""
    return _FILES(_JSON(_COLOR(_TOLERATE(command))))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="derlib", message="%(prog)s %(version)s")
def derlib() -> None:
    """Read DER strictly: certificates, CRLs, and anything else.

    A FILE is DER or PEM, which is found out, and may hold several PEM blocks; - is standard input.
    Every octet is checked against X.690 before anything is shown. What is wrong is told in one
    line on standard error, with its place; the other files are still read. What --tolerate lets
    pass is told there too, and with --json as "tolerated" beside the document.

    The exit status is 0 when all was sound, 1 when some input was not, 2 for a wrong call.

    \b
    Examples:
      derlib cert server.pem
      derlib crl revoke.crl --all
      openssl x509 -in server.pem -outform DER | derlib dump -
    """


@derlib.command()
@_common
def cert(files: tuple[str, ...], as_json: bool, color: bool | None, tolerate: tuple[str, ...]) -> None:
    """Show what certificates say.

    Version, serial number, names (RFC 4514), validity, public key, and each extension by name with
    its decoded value. Of a PEM file, all blocks labelled CERTIFICATE are shown.

    \b
    Examples:
      derlib cert server.pem
      derlib cert chain.pem --json | jq -r '.[].certificate.subject'

    \b
    With --json, each member of the array has file (PEM: block, label, line) and either
      error        message; path, offset, rule, kind where known; line for a PEM block
      certificate  version, serial_number, signature_algorithm, issuer, not_before,
                   not_after, subject, public_key (algorithm, parameters, key),
                   sha256, extensions (each: oid, name, critical, value)
    Octets are hexadecimal, times ISO 8601, serial numbers and other large integers "0x...",
    names RFC 4514 strings, object identifiers {"oid", "name"}, bit strings
    {"hex", "unused_bits"}; absent fields of extension values are left out.
    """
    task = Task(
        certificates.LABELS,
        certificates.decode,
        certificates.write_text,
        certificates.write_json,
        "certificate",
    )
    task.run(files, as_json=as_json, color=color, tolerate=tolerate)


@derlib.command()
@_common
@click.option(
    "--entries",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the first N entries (5 in text, all with --json).",
)
@click.option("--all", "every", is_flag=True, help="Show all entries.")
def crl(
    files: tuple[str, ...],
    as_json: bool,
    color: bool | None,
    tolerate: tuple[str, ...],
    entries: int | None,
    every: bool,
) -> None:
    """Show what certificate revocation lists say.

    Issuer, the times of this and the next update, extensions by name, how many entries there are,
    and the first of them. Of a PEM file, all blocks labelled X509 CRL are shown.

    \b
    Examples:
      derlib crl revoke.crl
      derlib crl revoke.crl --all | grep 0x1a2b3c
      derlib crl revoke.crl --json | jq '.[].crl.number_of_entries'

    \b
    With --json, each member of the array has file (PEM: block, label, line) and either
      error  message; path, offset, rule, kind where known; line for a PEM block
      crl    version, signature_algorithm, issuer, this_update, next_update (or null),
             extensions, number_of_entries, entries (each: serial_number,
             revocation_date, extensions if it has any)
    Values are written as `derlib cert --help` says.
    """
    if every and entries is not None:
        raise click.UsageError("--entries and --all exclude each other")
    summary = lists.Summary(entries, every)
    task = Task(lists.LABELS, summary.decode, summary.write_text, summary.write_json, "crl")
    task.run(files, as_json=as_json, color=color, tolerate=tolerate)


@derlib.command()
@_common
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show N levels below the outermost element; 0 shows that one alone.",
)
@click.option(
    "--offset",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show the element that starts at octet N only.",
)
@click.option(
    "--into/--no-into",
    default=True,
    help="Open OCTET STRING and BIT STRING that contain DER (this is so by default).",
)
def dump(
    files: tuple[str, ...],
    as_json: bool,
    color: bool | None,
    tolerate: tuple[str, ...],
    depth: int | None,
    offset: int,
    into: bool,
) -> None:
    """Show the elements of any DER as a tree.

    A line has the offset of the element, the lengths of its header (hl) and of its contents, all in
    octets, then its type and its value; long values are cut. "contains" says that the octets of a
    string are DER themselves, which is shown below it; all offsets count from the start of the
    document.

    \b
    Examples:
      derlib dump server.pem
      derlib dump revoke.crl --depth 2
      derlib dump server.pem --offset 4

    \b
    With --json, each member of the array has file (PEM: block, label, line) and either
      error    message; path, offset, rule, kind where known; line for a PEM block
      element  type, tag (class, number, constructed),
               offset, header_length, content_length, and one of
               children (constructed), contains (a string with DER in it),
               value (primitive), none of them below --depth;
               name (OBJECT IDENTIFIER), unused_bits (BIT STRING)
    Values are not cut: octets are hexadecimal, times ISO 8601, large integers "0x...".
    """
    tree = Dump(depth, offset, into)
    task = Task((), tree.decode, tree.write_text, tree.write_json, "element")
    task.run(files, as_json=as_json, color=color, tolerate=tolerate)
