"""`derlib compile`: write the Python module for ASN.1 modules."""

from __future__ import annotations

import keyword
import os
import shlex

import click

from derlib.asn1 import CompileError, Source, compile_package, compile_sources, modules_of_rfc
from derlib.cli import options
from derlib.cli.commands import base
from derlib.cli.documents.files import Unreadable
from derlib.cli.documents.schema_files import is_rfc, read_source, report
from derlib.cli.output.binary_output import BinaryOutput
from derlib.cli.output.standard_output import Output, report_error

__all__ = ["Command"]


class Command(base.Command):
    """Writes the Python module for ASN.1 modules."""

    help = """Write the Python module for the ASN.1 modules in FILEs.

    The FILEs together need all modules that they import from. If the output is a folder (its name ends with "/", or it
    exists), each ASN.1 module becomes a file of a Python package; otherwise all become one Python module.

    The result has a class for each type, with its ASN.1 text in the docstring, a constant for each value, and a table
    of types for each object set that selects open types. It depends on derlib only, and type checkers know its types.

    Each error has its file, line and column, and the line with a caret. The compiler continues after an error. If there
    is an error, nothing is written and the exit status is 1. Warnings, for example of macros, do not change the status.

    \b
    Examples:
      derlib compile shop.asn -o shop.py
      derlib compile --rfc rfc5280.txt -o pkix/
    """
    parameters = (
        options.FILES,
        options.OUTPUT,
        click.Option(["--rfc"], is_flag=True, help="The FILEs are texts of RFCs; compile the modules in them."),
    )

    def __init__(self, *, files: tuple[str, ...], output: str | None, rfc: bool) -> None:
        self.files = files
        self.rfc = rfc
        self._output = output

    def run(self, out: Output) -> int:
        sources: list[Source] = []
        for file in self.files:
            try:
                sources.append(self._source(file))
            except Unreadable as error:
                report_error(file, str(error))
        if len(sources) < len(self.files):
            return base.INVALID
        if self._output and (fault := self._fault_of_output(self._output)):
            report_error(self._output, fault)
            return base.INVALID
        folder = self._folder()
        try:
            if folder:
                files, warnings = compile_package(sources, command=self._command())
            else:
                code, warnings = compile_sources(sources, command=self._command())
                files = {"": code}
        except CompileError as error:
            report(error.diagnostics)
            for source in sources:
                if not self.rfc and is_rfc(source):
                    report_error(source.name, "this looks like the text of an RFC: use --rfc")
            return base.INVALID
        report(warnings)
        if folder:
            return self._write_folder(folder, files)
        return self._write(self._output, files[""])

    def _fault_of_output(self, output: str) -> str:
        """Return why this cannot be the output; empty if it can."""
        if any(os.path.exists(output) and os.path.samefile(output, file) for file in self.files if file != "-"):
            return "this is one of the inputs: choose another output"
        name, ending = os.path.splitext(os.path.basename(output))
        if ending == ".py" and (not name.isidentifier() or keyword.iskeyword(name)):
            return f"Python cannot import a module with the name {name!r}: choose another output"
        return ""

    def _folder(self) -> str | None:
        """Return the folder of the package, or None for one Python module."""
        if self._output and (self._output.endswith(("/", os.sep)) or os.path.isdir(self._output)):
            return self._output
        return None

    def _source(self, file: str) -> Source:
        source = read_source(file)
        return Source(file, modules_of_rfc(source.text)) if self.rfc else source

    def _command(self) -> str:
        """Return the command for the docstring of the module, without folders."""
        words = ["derlib", "compile", *(["--rfc"] if self.rfc else []), *map(os.path.basename, self.files)]
        folder = self._folder()
        if folder:
            words += ["-o", f"{os.path.basename(os.path.normpath(folder))}/"]
        elif self._output:
            words += ["-o", os.path.basename(self._output)]
        return shlex.join(words)

    def _write_folder(self, folder: str, files: dict[str, str]) -> int:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            report_error(folder, error.strerror or str(error))
            return base.INVALID
        return max(self._write(os.path.join(folder, file), code) for file, code in files.items())

    def _write(self, path: str | None, code: str) -> int:
        target = BinaryOutput(path)
        try:
            target.write(code.encode())
        except OSError as error:
            if target.path is None:
                raise
            report_error(target.path, error.strerror or str(error))
            return base.INVALID
        return base.OK
