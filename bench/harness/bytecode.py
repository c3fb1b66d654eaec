"""The environment for measured processes that start Python, so that their imports read compiled bytecode."""

import os


def with_bytecode() -> dict[str, str]:
    """Return the environment of this process without the switch that keeps Python from storing bytecode.

    The bytecode of an installed library is stored when it is installed; that of derlib, in its checkout, at the first
    import. So the first of several measured processes can be slower.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
