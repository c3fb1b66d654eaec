"""The interpreter for quickle, which cannot be built for CPython 3.11 and later. Called by the family's own module."""

from bench.harness import Unavailable
from bench.places import BUILD

ENVIRONMENT = BUILD / "quickle"
SETTING = "BENCH_QUICKLE_PYTHON"


def prepared() -> str:
    """The interpreter that has quickle.

    Raises:
        Unavailable: there is none.
    """
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        raise Unavailable(
            f"quickle needs CPython 3.10, and has none here; `make bench-setup` sees to that where it finds one "
            f"({SETTING} may name it)"
        )
    return str(python)
