"""The program `derlib`, which shows and converts DER and PEM files.

`main` is the entry point of the installed program and of `python -m derlib`. The program needs click, the extra
`derlib[cli]`. Importing this package does not import click.

- app.py: parses the command line, runs the command, returns the exit status
- commands/: one module for each command; base.py has the loop over documents
- documents/: read files, detect types, find elements, differences and faults
- rendering/: values and errors as text, JSON and HTML
- output/: standard output, pager, files, progress

For example, `derlib crl FILE` goes through these steps:

1. app.py imports commands/crl.py, parses the command line by its `parameters`, and creates its `Command`.
2. app.py opens the output and calls `run`, the loop in commands/base.py.
3. documents/files.py yields the documents of FILE. For each, `run` calls `decode` of commands/crl.py, which decodes the
   document by its schema class (derlib/schemas/crl.py), and then `write_text`.
4. rendering/ makes the text, and output/standard_output.py writes it.
5. app.py exits with the status that `run` returns.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

__all__ = ["main"]


def main() -> None:
    """Run the program with the arguments of this process, and exit with its status."""
    try:
        import click  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        print("derlib: the command line needs click: pip install click", file=sys.stderr)
        sys.exit(1)
    try:
        from derlib.cli.app import run

        status = run()
    except KeyboardInterrupt:
        status = _interrupted()
    sys.exit(status)


def _interrupted() -> int:
    """End this process by the signal, so that a loop of a shell ends, too; return the status where there is none."""
    with suppress(OSError, AttributeError):
        print("derlib: interrupted", file=sys.stderr)
    if os.name == "posix":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return 130
