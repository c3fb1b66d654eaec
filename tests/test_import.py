"""Importing derlib: what is done at first use instead, and that this changes nothing else."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import derlib
from derlib import oids

ROOT = Path(derlib.__file__).parent.parent


def run(code: str) -> str:
    """Run code in a new process, without the modules that installed packages import at start-up."""
    command = [sys.executable, "-S", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=120).stdout


def test_large_modules_are_not_imported_before_they_are_used() -> None:
    code = "import sys; before = set(sys.modules); import derlib.schemas.crl; print(*set(sys.modules) - before)"
    imported = set(run(code).split())
    assert {"derlib._core", "derlib.schemas.x509"} <= imported
    large = {"dataclasses", "decimal", "hashlib", "inspect", "json", "mmap", "pathlib", "pickle", "tempfile"}
    lazy = {"derlib._oid_names", "derlib._pretty", "derlib.inspect", "derlib.json", "derlib.pem", "derlib.stream"}
    assert imported & (large | lazy) == set()


def test_names_that_are_imported_at_first_use_are_names_of_the_package() -> None:
    for name in ("encode_to", "iter_decode", "pem", "pretty", "stream"):
        code = f"import derlib; assert {name!r} in dir(derlib); derlib.{name}; assert {name!r} in vars(derlib)"
        run(code)
        run(f"from derlib import {name}")
    assert set(derlib.__all__) <= set(dir(derlib))
    with pytest.raises(AttributeError, match=r"^module 'derlib' has no attribute 'no_such_name'$"):
        _ = derlib.no_such_name  # type: ignore[attr-defined]


def test_names_of_schema_modules_are_valid() -> None:
    for dotted in oids.registered():
        name = oids.name_of(dotted)
        assert oids._is_dotted(dotted)
        assert name
        assert not oids._is_dotted(name)
        assert oids.oid_of(name) == dotted


def test_a_name_that_is_registered_before_the_first_look_up_is_the_newest() -> None:
    run(
        "from derlib import oids\n"
        "oids.register('2.5.4.3', 'mine'); oids.register('2.999.1', 'id-at-surname')\n"
        "assert oids.name_of('2.5.4.3') == 'mine' and oids.oid_of('mine') == '2.5.4.3'\n"
        "assert oids.oid_of('id-at-commonName') == '2.5.4.3'\n"
        "assert oids.oid_of('id-at-surname') == '2.999.1'\n"
        "assert oids.name_of('2.5.4.4') == 'id-at-surname'"
    )


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        (
            derlib.Limits(depth=5),
            derlib.Limits(depth=6),
            "Limits(depth=5, size=None, elements=None, tag_octets=10, arc_octets=20)",
        ),
        (derlib.Explicit(1), derlib.Implicit(1), "Explicit(number=1, tag_class='context')"),
        (derlib.Implicit(1, "private"), derlib.Implicit(1), "Implicit(number=1, tag_class='private')"),
        (derlib.Addition(), derlib.Containing(int), "Addition()"),
        (derlib.Containing(int), derlib.Containing(str), "Containing(type=<class 'int'>)"),
        (
            derlib.Field("x", int, True),
            derlib.Field("x", int),
            "Field(name='x', type=<class 'int'>, optional=True, default=MISSING, addition=False)",
        ),
        (derlib.Size(1, None), derlib.Size(1), "Size(1, None)"),
        (derlib.Range(0, 5), derlib.Range(0), "Range(0, 5)"),
    ],
)
def test_options_and_marks_are_immutable_values(one, other, text) -> None:
    assert repr(one) == text
    assert one != other
    assert one != text
    for same in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert (same, hash(same), type(same)) == (one, hash(one), type(one))
    names = list(vars(one)) or ["name"]
    with pytest.raises(AttributeError, match="cannot be set"):
        setattr(one, names[0], 5)
    with pytest.raises(AttributeError, match="cannot be deleted"):
        delattr(one, names[0])
