"""Importing derlib: what is done at first use instead, and that this changes nothing else."""

import copy
import importlib
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import derlib
from derlib import oids, schemas
from derlib._schema.metaclass import SchemaType

ROOT = Path(derlib.__file__).parent.parent
SCHEMA_MODULES = [
    importlib.import_module(f"derlib.schemas.{module.name}") for module in pkgutil.iter_modules(schemas.__path__)
]


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


def test_fields_are_attributes_of_a_class_that_was_not_used_yet() -> None:
    code = (
        "from derlib.schemas.cms import SignedData, SignerInfo; from derlib.schemas.icao import EF_SOD;"
        "print(hasattr(SignerInfo, 'sid'), 'signer_infos' in dir(SignedData), hasattr(EF_SOD, 'content_type'))"
    )
    assert run(code).split() == ["True", "True", "True"]


def test_certificates_do_not_import_what_only_cms_and_keys_use() -> None:
    listing = "import sys, derlib.schemas.{0}; print(*(n[15:] for n in sys.modules if n.startswith('derlib.schemas.')))"
    certificates, cms = (set(run(listing.format(name)).split()) for name in ("x509", "cms"))
    only_cms = {"attribute_cert", "ciphers", "cms_attributes", "cms_recipients", "cms_signed", "crl", "keys", "keys_pq"}
    assert only_cms <= cms - certificates
    # Properties and functions import these.
    assert {"key_kinds", "tables"}.isdisjoint(cms | certificates)


def test_importing_evaluates_no_annotation_that_is_text() -> None:
    # The first call of `compile` makes a class for each kind of node of Python's syntax tree: 5 % of the import.
    code = """
import builtins
original = builtins.compile
def watched(source, filename, *args, **kwargs):
    assert filename != "<string>", source
    return original(source, filename, *args, **kwargs)
builtins.compile = watched
import derlib.schemas.crl
"""
    run(code)


def test_names_that_are_imported_at_first_use_are_names_of_the_package() -> None:
    for name in ("encode_to", "iter_decode", "pem", "pretty", "stream"):
        code = f"import derlib; assert {name!r} in dir(derlib); derlib.{name}; assert {name!r} in vars(derlib)"
        run(code)
        run(f"from derlib import {name}")
    assert set(derlib.__all__) <= set(dir(derlib))
    with pytest.raises(AttributeError, match=r"^module 'derlib' has no attribute 'no_such_name'$"):
        _ = derlib.no_such_name  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "meant"), [("loads", "decode"), ("dumps", "encode"), ("Integer", "int")])
def test_names_of_other_libraries(name, meant):
    with pytest.raises(AttributeError, match=rf"^module 'derlib' has no attribute '{name}'; did you mean '{meant}'\?$"):
        getattr(derlib, name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("sa_sha256_rsa", "sa_sha256_with_rsa_encryption"),
        ("sa_rsa_sha512", "sa_sha512_with_rsa_encryption"),
        ("sa_ecdsa_sha384", "sa_ecdsa_with_sha384"),
        ("sa_ed_25519", "sa_ed25519"),
    ],
)
def test_a_wrong_name_of_a_signature_algorithm_has_the_right_one_of_the_same_module(name, meant):
    for module in (schemas.x509, schemas.algorithms):
        with pytest.raises(AttributeError) as caught:
            getattr(module, name)
        assert str(caught.value) == f"module {module.__name__!r} has no attribute {name!r}; did you mean {meant!r}?"


SCHEMA_CLASSES = [
    pytest.param(cls, id=f"{module.__name__}.{name}")
    for module in SCHEMA_MODULES
    for name, cls in vars(module).items()
    if isinstance(cls, SchemaType) and cls.__module__ == module.__name__
]


@pytest.mark.parametrize("cls", SCHEMA_CLASSES)
def test_each_schema_class_of_derlib_compiles(cls) -> None:
    """These classes are compiled at first use, so an import does not show that they are valid."""
    cls.__plan__.ready()
    assert cls.__state__ == "complete"
    assert cls.__namespace__ is None


def test_each_schema_class_of_derlib_can_be_the_first_that_is_used() -> None:
    code = """
import sys
from derlib.schemas import crl, general, x400, x509
from derlib._schema.metaclass import SchemaType
for module in (crl, general, x400, x509):
    for cls in vars(module).values():
        if isinstance(cls, SchemaType) and cls.__module__ == module.__name__ == sys.argv[1]:
            cls.__plan__.ready()
"""
    for module in ("derlib.schemas.crl", "derlib.schemas.general", "derlib.schemas.x400", "derlib.schemas.x509"):
        command = [sys.executable, "-S", "-c", code, module]
        subprocess.run(command, check=True, cwd=ROOT, timeout=120)


@pytest.mark.parametrize("module", SCHEMA_MODULES, ids=lambda module: module.__name__)
def test_a_schema_module_has_the_names_that_it_exports(module) -> None:
    for name in getattr(module, "__all__", ()):
        assert getattr(module, name) is getattr(module, name)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = module.no_such_name
    with pytest.raises(AttributeError, match="sa_no_such_name"):
        _ = module.sa_no_such_name


def test_importing_the_schemas_compiles_none_of_them() -> None:
    run(
        "import derlib.schemas.crl, sys\n"
        "from derlib._schema.metaclass import SchemaType\n"
        "for name in [name for name in sys.modules if name.startswith('derlib.schemas.')]:\n"
        "    for cls in vars(sys.modules[name]).values():\n"
        "        if isinstance(cls, SchemaType) and cls.__module__ == name:\n"
        "            assert cls.__state__ == 'new', cls"
    )


def test_a_class_of_the_caller_is_compiled_when_its_statement_runs() -> None:
    run(
        "from derlib import Sequence; from derlib.schemas.x509 import Certificate\n"
        "assert Certificate.__state__ == 'new'\n"
        "class Signed(Sequence):\n    certificate: Certificate\n"
        "assert Signed.__state__ == Certificate.__state__ == 'complete'"
    )


def test_threads_that_use_a_schema_first_at_the_same_time_see_it_complete() -> None:
    code = """
import threading
from derlib.schemas.x509 import BasicConstraints, Certificate, Extensions

DER = bytes.fromhex("3011300f0603551d130101ff040530030101ff")
barrier = threading.Barrier(8)
found = []

def use():
    barrier.wait()
    found.append(Extensions.decode(DER).get(BasicConstraints).ca)

threads = [threading.Thread(target=use) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert found == [True] * 8, found
"""
    for _ in range(5):
        run(code)


def test_help_shows_the_fields_of_a_class_that_was_not_used() -> None:
    code = """
import inspect, pydoc
from derlib.schemas.x509 import Validity
time = "'UTCTime | GeneralizedTime'"
assert str(inspect.signature(Validity)) == f"(*, not_before: {time}, not_after: {time})"
assert "not_before" in pydoc.plain(pydoc.render_doc(Validity)).partition("Data descriptors")[2]
"""
    run(code)


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


def test_each_public_module_is_an_attribute_of_the_package() -> None:
    # Not those that need another package: `help(derlib)` reads every attribute.
    names = ["asn1", "ber", "cache", "inspect", "json", "oids", "pem", "schemas", "stream"]
    for name in names:
        assert run(f"import derlib; print(derlib.{name}.__name__)").strip() == f"derlib.{name}"
    assert set(names) <= set(dir(derlib))


def test_importing_all_names_does_not_hide_modules_of_python() -> None:
    assert run("import inspect, json; from derlib import *; print(inspect.__name__, json.__name__)") == "inspect json\n"


def test_arrow_without_pyarrow_names_the_package() -> None:
    # With -S, installed packages are not found.
    code = "try: import derlib.arrow\nexcept ImportError as error: print(error)"
    assert run(code) == "derlib.arrow needs pyarrow: pip install pyarrow\n"
