"""Raises an ImportError with a remedy if the core is not compiled. `derlib` imports this module first.

A checkout has no compiled core before it is built. Python started there imports the checkout, not an installed derlib.
"""

from __future__ import annotations

import os

try:
    import derlib._core  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "derlib._core":
        raise
    raise ImportError(
        f"the core of derlib in {os.path.dirname(__file__)} is not compiled: this is a checkout that was not built. "
        "Run 'make build' there, or start Python in another folder to import an installed derlib"
    ) from error
