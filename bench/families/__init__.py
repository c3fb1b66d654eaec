"""The families of the benchmark: one package each, found by its name."""

import importlib
import pkgutil

from bench.harness.declare import Family

ORDER = ("crl", "signed", "columns", "idioms", "ber", "syntax", "records", "packets", "cache")
"""The order on pages; families that are not named here come after these."""


def names() -> list[str]:
    """Return the names of all families."""
    found = {module.name for module in pkgutil.iter_modules(__path__)}
    return [*(name for name in ORDER if name in found), *sorted(found - set(ORDER))]


def load(name: str) -> Family:
    """Return a family by its name."""
    family: Family = importlib.import_module(f"bench.families.{name}").FAMILY
    return family
