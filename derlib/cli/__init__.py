"""The command `derlib`: summaries and dumps of DER and PEM files.

`main` is the entry point of the package and of `python -m derlib`. The commands need click, which
is the extra `derlib[cli]`; nothing here imports it before `main` runs: the library never needs it.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process, and exit with its status."""
    try:
        import click  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        print('derlib: the command line needs click: pip install "derlib[cli]"', file=sys.stderr)
        sys.exit(1)
    from derlib.cli.app import derlib

    derlib.main(prog_name="derlib")
