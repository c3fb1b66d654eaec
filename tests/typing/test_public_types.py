"""The parts of the installed package that type checkers need: its marker, its stub, and every public name."""

from pathlib import Path

import derlib
from derlib import errors
from derlib._schema import constraints, enumerations, types

PACKAGE = Path(derlib.__file__).parent


def test_the_package_has_the_marker_of_typed_packages() -> None:
    assert (PACKAGE / "py.typed").is_file()
    assert (PACKAGE / "_core.pyi").is_file()


def test_every_public_name_can_be_imported_from_derlib() -> None:
    # `derlib/__init__.py` lists the names, since type checkers do not evaluate a computed `__all__`.
    assert {*types.__all__, *enumerations.__all__, *constraints.__all__, *errors.__all__} <= set(derlib.__all__)
    assert len(set(derlib.__all__)) == len(derlib.__all__)
    assert all(hasattr(derlib, name) for name in derlib.__all__)
