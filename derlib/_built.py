"""Whether the core is there: what `derlib` imports first, to say it in words where it is not.

A checkout has no compiled core before it is built, and Python finds it before an installed derlib when it is started
there.
"""

from __future__ import annotations

from pathlib import Path

try:
    import derlib._core  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "derlib._core":
        raise
    raise ImportError(
        f"{Path(__file__).parent} has no compiled core: it is part of a checkout that was not built. "
        "Build it there with 'make build', or start Python in another folder to use a derlib that is installed"
    ) from error
