"""How every command ends: with which status, and quietly when nobody reads what it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import click

from derlib import ASN1Error
from derlib.cli.inputs import Unreadable
from derlib.cli.output import Output, report_error
from derlib.cli.pager import PagerGone
from derlib.cli.sink import Sink
from derlib.cli.tolerance import message

__all__ = ["ABSENT", "FAULT", "run_and_exit", "run_one"]

#: The exit status when some input was bad, and when all was sound but something that was asked for is not there.
FAULT = 1
ABSENT = 3

#: The status of a program that the signal of a broken pipe has ended, as shells give it.
_BROKEN_PIPE = 128 + 13


def run_and_exit(out: Output, body: Callable[[Output], int], fault: int = FAULT) -> NoReturn:
    """Call `body` with `out` and exit with the status that it returns, or quietly when nobody reads `out` any more.

    `fault` is the status when `out` takes nothing for another reason.
    """
    try:
        status = body(out)
        out.close()
    except PagerGone:
        out.abandon()
        status = 0
    except BrokenPipeError:
        out.abandon()
        status = _BROKEN_PIPE
    except OSError as error:
        out.abandon()
        report_error("standard output", error.strerror or str(error))
        status = fault
    click.get_current_context().exit(status)


def run_one(file: str, output: str | None, body: Callable[[Sink], int], *, new: bool = False) -> NoReturn:
    """Call `body` with the place to write one thing to, and exit with the status that it returns.

    A document that is bad is one line on standard error, and the status 1; so is a place that takes nothing. With
    `new`, the file that is written must not exist.
    """

    def guarded(out: Output) -> int:
        sink = Sink(output, new)
        try:
            return body(sink)
        except (Unreadable, ASN1Error, MemoryError) as error:
            return sink.fault(file, message(error), FAULT)
        except OSError as error:
            if sink.path is None:
                raise
            return sink.fault(sink.path, error.strerror or str(error), FAULT)

    run_and_exit(Output(False), guarded)
