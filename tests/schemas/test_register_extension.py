"""`register_extension` and the types that derlib registers itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

import derlib.schemas.x509
from derlib import OctetString, OpenTypes, SchemaError, Sequence, UTF8String
from derlib.schemas import extensions
from derlib.schemas.extensions import KeyUsage, known_extension, register_extension

KEY_USAGE = "2.5.29.15"
BADGE = "2.999.5"


def badge_class() -> type[Sequence]:
    class Badge(Sequence):
        number: int

    return Badge


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch, registered_names: None) -> OpenTypes:
    """A table of extensions with KeyUsage, for one test."""
    made = OpenTypes("EXTENSIONS")
    monkeypatch.setattr(extensions, "EXTENSIONS", made)
    known_extension(KEY_USAGE, "id-ce-keyUsage", KeyUsage)
    return made


def test_a_standard_type_is_not_replaced_silently(table: OpenTypes) -> None:
    with pytest.raises(SchemaError, match=r"^the extension id-ce-keyUsage already has the type KeyUsage; replace=True"):
        register_extension(KEY_USAGE, "usage", OctetString)
    assert table.get(KEY_USAGE) is KeyUsage
    assert derlib.ObjectIdentifier(KEY_USAGE).name == "id-ce-keyUsage"
    register_extension(KEY_USAGE, "usage", OctetString, replace=True)
    assert table.get(KEY_USAGE) is OctetString


def test_the_same_type_can_be_registered_again(table: OpenTypes) -> None:
    for syntax in (KeyUsage, KeyUsage):
        register_extension(KEY_USAGE, "id-ce-keyUsage", syntax)
    # A cell of a notebook that runs again makes an equal class.
    first, again = badge_class(), badge_class()
    for syntax in (first, again):
        register_extension(BADGE, "badge", syntax)
    assert table.get(BADGE) is again
    with pytest.raises(SchemaError, match="the extension badge already has the type Badge"):
        register_extension(BADGE, "badge", derlib.SequenceOf[int])


def test_an_invalid_type_registers_no_name() -> None:
    with pytest.raises(SchemaError):
        register_extension(BADGE, "badge", UTF8String, on_mismatch="ignore")  # type: ignore[arg-type]
    assert derlib.ObjectIdentifier(BADGE).name == BADGE


def test_a_module_of_derlib_keeps_the_type_of_the_application() -> None:
    code = (
        "from derlib import OctetString\n"
        "from derlib.schemas.extensions import EXTENSIONS, register_extension\n"
        "register_extension('2.5.29.20', 'my-number', OctetString)\n"
        "import derlib.schemas.crl\n"
        "assert EXTENSIONS.get('2.5.29.20') is OctetString\n"
        "assert derlib.schemas.crl.id_ce_crl_number.name == 'my-number'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
