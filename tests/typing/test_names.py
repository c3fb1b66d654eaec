"""What type checkers look for in the installed package: its marker, its stub, and every public name."""

from pathlib import Path

import derlib
from derlib import errors
from derlib._schema import constraints, enumerations, types

PACKAGE = Path(derlib.__file__).parent


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()
    assert (PACKAGE / "_core.pyi").is_file()


def test_every_public_name_can_be_imported_from_derlib() -> None:
    # `derlib/__init__.py` spells the names out, since type checkers do not follow a computed `__all__`.
    assert {*types.__all__, *enumerations.__all__, *constraints.__all__, *errors.__all__} <= set(derlib.__all__)
    assert len(set(derlib.__all__)) == len(derlib.__all__)
    assert all(hasattr(derlib, name) for name in derlib.__all__)
