"""Read types from files with ASN.1 modules, for the option `--schema`."""

from __future__ import annotations

import re
from typing import Any

import click

from derlib.asn1 import CompileError, Diagnostic, Source
from derlib.asn1.compiler import load_types
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.syntax.modules import parse_modules
from derlib.asn1.syntax.tree import TypeAssignment
from derlib.cli.documents.files import Unreadable, read
from derlib.cli.documents.suggestions import suggestion
from derlib.cli.output.escapes import visible
from derlib.cli.output.standard_output import report_error

__all__ = ["is_rfc", "read_source", "report", "type_in_files", "type_in_sources"]

# The first lines of the text of an RFC have its number.
_RFC = re.compile(r"^(Request for Comments:|RFC) *[0-9]", re.MULTILINE | re.IGNORECASE)
_BEGINNING = 4000


def is_rfc(source: Source) -> bool:
    """Return whether a text looks like that of an RFC, which has prose around its modules."""
    return _RFC.search(source.text[:_BEGINNING]) is not None


def read_source(file: str) -> Source:
    """Return the text of a file. Raises `Unreadable`."""
    data = read(file)
    # Bytes 0 to 8 occur in no text, but in almost every file of BER or DER.
    if any(byte in data for byte in range(9)):
        raise Unreadable("it is not text, so it is not an ASN.1 module")
    if not data.strip():
        raise Unreadable("the file is empty")
    # Bytes that are not UTF-8 occur in comments of old modules.
    return Source(file, data.decode("utf-8-sig", "replace"))


def report(diagnostics: list[Diagnostic]) -> None:
    """Write errors and warnings on standard error."""
    for diagnostic in diagnostics:
        for line in str(diagnostic).splitlines():
            click.echo(visible(line.expandtabs()), err=True)


def type_in_files(files: tuple[str, ...], name: str) -> Any:
    """Return the Python type of an ASN.1 type in modules of these files; None if a file is invalid, which is reported.

    Raises click.UsageError as `type_in_sources` does.
    """
    sources: list[Source] = []
    for file in files:
        try:
            sources.append(read_source(file))
        except Unreadable as error:
            report_error(file, str(error))
            return None
    try:
        return type_in_sources(sources, name)
    except CompileError as error:
        report(error.diagnostics)
        for source in filter(is_rfc, sources):
            report_error(source.name, "this looks like the text of an RFC: copy its module to a file")
        return None


def type_in_sources(sources: list[Source], name: str) -> Any:
    """Return the Python type of an ASN.1 type: "Name", or "Module.Name" if several modules define it.

    Raises:
        CompileError: a text is not valid ASN.1.
        click.UsageError: the type does not exist, or two modules define it.
    """
    modules, warnings = load_types(sources)
    report(warnings)
    module, _, own = name.rpartition(".")
    found = [types[own] for known, types in modules.items() if own in types and module in ("", known)]
    if len(found) == 1:
        return found[0]
    if found:
        choices = " or ".join(f"{known}.{own}" for known, types in modules.items() if own in types)
        raise click.UsageError(f"--type: several modules define {name!a}; use {choices}")
    if own in _parametrised(sources, module):
        raise click.UsageError(f"--type: {name!a} has parameters; use a type that supplies them")
    raise click.UsageError(f"--type: {name!a} is not defined{_suggestion(name, modules)}")


def _parametrised(sources: list[Source], module: str) -> set[str]:
    """Return the names of the parametrised types of a module, or of all modules if its name is empty."""
    parsed = [one for source in sources for one in parse_modules(source, Diagnostics())]
    assignments = [made for one in parsed if module in ("", one.name) for made in one.assignments]
    return {made.name for made in assignments if made.parameters and isinstance(made, TypeAssignment)}


def _suggestion(name: str, modules: dict[str, dict[str, Any]]) -> str:
    names = [own for types in modules.values() for own in types]
    return suggestion(name, [*names, *(f"{module}.{own}" for module, types in modules.items() for own in types)])
