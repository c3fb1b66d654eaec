"""The registry of OID names: look-up in both directions, registration, and the consistency of the table."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from derlib import _oid_names, oids


class Dotted:
    def __init__(self, dotted: str) -> None:
        self.dotted = dotted


pytestmark = pytest.mark.usefixtures("registered_names")

# Numbers copied from the standards, not from the table: an error in the table shows here.
WELL_KNOWN = {
    "1.2.840.113549.1.1.1": "rsaEncryption",
    "1.2.840.113549.1.1.11": "sha256WithRSAEncryption",
    "1.2.840.10045.4.3.2": "ecdsa-with-SHA256",
    "1.2.840.10045.3.1.7": "secp256r1",
    "1.3.132.0.34": "secp384r1",
    "1.3.101.112": "id-Ed25519",
    "2.16.840.1.101.3.4.2.1": "id-sha256",
    "1.3.14.3.2.26": "id-sha1",
    "1.3.6.1.5.5.7.3.1": "id-kp-serverAuth",
    "1.2.840.113549.1.7.2": "id-signedData",
    "1.2.840.113549.1.9.1": "id-emailAddress",
    "1.2.643.7.1.1.1.1": "id-tc26-gost3410-12-256",
    "2.23.140.1.2.1": "domain-validated",
    "2.5.4.3": "id-at-commonName",
    "2.5.29.19": "id-ce-basicConstraints",
    "1.3.6.1.5.5.7.1.1": "id-pe-authorityInfoAccess",
}


@pytest.mark.parametrize(("dotted", "name"), WELL_KNOWN.items())
def test_well_known_names(dotted: str, name: str) -> None:
    assert oids.name_of(dotted) == name
    assert oids.name_of(Dotted(dotted)) == name
    assert oids.oid_of(name) == dotted


def test_an_unknown_identifier_is_its_own_name() -> None:
    assert oids.name_of("2.999.7") == "2.999.7"
    assert oids.name_of(Dotted("2.999.7")) == "2.999.7"
    assert oids.oid_of("2.999.7") == "2.999.7"
    with pytest.raises(KeyError, match="no-such-name"):
        oids.oid_of("no-such-name")


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("prime256v1", "secp256r1"),
        ("ed25519", "id-Ed25519"),
        ("sha256", "id-sha256"),
        ("P-384", "secp384r1"),
    ],
)
def test_aliases_are_accepted_but_not_returned(alias: str, name: str) -> None:
    assert oids.name_of(oids.oid_of(alias)) == name


def test_register_takes_strings_and_object_identifiers() -> None:
    oids.register("2.999.1", "one")
    oids.register(Dotted("2.999.2"), "two")
    oids.register_all({"2.999.3": "three"})
    assert [oids.name_of(f"2.999.{n}") for n in (1, 2, 3)] == ["one", "two", "three"]
    assert [oids.oid_of(name) for name in ("one", "two", "three")] == [
        "2.999.1",
        "2.999.2",
        "2.999.3",
    ]


def test_the_last_registration_wins_both_ways() -> None:
    oids.register("2.999.1", "old")
    oids.register("2.999.1", "new")
    assert oids.name_of("2.999.1") == "new"
    assert oids.oid_of("old") == oids.oid_of("new") == "2.999.1"
    oids.register("2.999.2", "new")
    assert oids.oid_of("new") == "2.999.2"


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "1",
        "3.1",
        "0.40",
        "1.40.1",
        "1.02",
        "1.2.",
        ".1.2",
        "1..2",
        "1.-2",
        "1.2\n",
        "1.2.\u0661",
    ],
)
def test_register_rejects_invalid_object_identifiers(wrong: str) -> None:
    with pytest.raises(ValueError, match="dotted form"):
        oids.register(wrong, "name")
    assert oids.name_of(wrong) == wrong


@pytest.mark.parametrize("wrong", [None, 5, [], b"1.2.3", Dotted(5)])
@pytest.mark.parametrize("call", [oids.name_of, oids.oid_of, lambda wrong: oids.register(wrong, "name")])
def test_objects_without_a_dotted_form_are_a_type_error(call, wrong) -> None:
    with pytest.raises(TypeError, match=r"^expected a (name as str|dotted form or an ObjectIdentifier), got "):
        call(wrong)


@pytest.mark.parametrize("name", ["", "1.2.3"])
def test_register_rejects_invalid_names(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        oids.register("2.999.1", name)


def _seed(rows: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    for arc, text in rows:
        words = text.split()
        for suffix, name in zip(words[::2], words[1::2], strict=True):
            yield f"{arc}.{suffix}", name


def test_each_number_and_each_name_is_in_the_table_once() -> None:
    rows = list(_seed(_oid_names.TABLE))
    for column in zip(*rows, strict=True):
        assert [entry for entry, times in Counter(column).items() if times > 1] == []
    for dotted, name in rows:
        assert oids._is_dotted(dotted)
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name)


def test_aliases_have_numbers_of_the_table_and_names_that_are_not_in_it() -> None:
    table = dict(_seed(_oid_names.TABLE))
    for dotted, name in _seed(_oid_names.ALIASES):
        assert dotted in table
        assert name not in table.values()


def test_the_table_agrees_with_the_names_that_cryptography_knows() -> None:
    known = pytest.importorskip("cryptography.x509.oid", reason="cryptography is a test dependency")
    agreed = 0
    for group in (
        known.NameOID,
        known.ExtensionOID,
        known.ExtendedKeyUsageOID,
        known.SignatureAlgorithmOID,
    ):
        for spelling, oid in vars(group).items():
            if isinstance(oid, known.ObjectIdentifier):
                agreed += _letters(oids.name_of(oid.dotted_string)).endswith(_letters(spelling))
    # It often spells names differently; if the table were shifted by one, hardly any name would agree.
    assert agreed > 60


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_the_module_does_not_import_the_core() -> None:
    script = (
        "import sys; sys.modules['derlib._core'] = None\n"
        "import importlib.machinery, types\n"
        "import importlib.util as u\n"
        "root = u.find_spec('derlib').submodule_search_locations\n"
        "package = types.ModuleType('derlib'); package.__path__ = list(root)\n"
        "sys.modules['derlib'] = package\n"
        "from derlib import oids\n"
        "assert oids.name_of('2.5.29.15') == 'id-ce-keyUsage'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.parametrize(
    ("dotted", "usual"),
    [
        ("2.5.4.3", "commonName"),
        ("2.5.29.17", "subjectAltName"),
        ("1.3.6.1.5.5.7.3.1", "serverAuth"),
        ("1.3.6.1.5.5.7.48.1", "ocsp"),
        ("1.2.840.113549.1.1.1", "rsaEncryption"),
        ("1.2.840.113549.1.1.11", "sha256WithRSAEncryption"),
        ("1.2.840.113549.1.9.1", "emailAddress"),
        ("1.2.840.113549.1.9.7", "challengePassword"),
        ("1.2.840.113549.1.7.2", "signedData"),
        # Another object identifier has, or would have, the same name.
        ("1.3.6.1.5.5.7.3.8", "id-kp-timeStamping"),
        ("1.3.6.1.5.5.7.48.3", "id-ad-timeStamping"),
        ("1.2.840.10040.4.1", "id-dsa"),
        ("1.3.14.3.2.12", "dsa"),
        ("2.999.7", "2.999.7"),
    ],
)
def test_usual_names_have_no_prefix_and_are_unique(dotted: str, usual: str) -> None:
    assert oids.usual_name_of(dotted) == oids.usual_name_of(Dotted(dotted)) == usual
    assert oids.oid_of(usual) == oids.oid_of(oids.name_of(dotted)) == dotted


def test_usual_names_follow_registrations() -> None:
    assert oids.usual_name_of("2.5.4.3") == "commonName"
    oids.register("2.999.1", "commonName")
    assert oids.usual_name_of("2.999.1") == "commonName"
    assert oids.usual_name_of("2.5.4.3") == "id-at-commonName"
    oids.register("2.999.2", "id-at-commonName")
    assert oids.usual_name_of("2.5.4.3") == "2.5.4.3"
    oids.register("2.999.3", "id-kp-lorry")
    assert oids.usual_name_of("2.999.3") == "lorry"
    oids.register("2.999.4", "id-ce-lorry")
    assert [oids.usual_name_of(f"2.999.{n}") for n in (3, 4)] == ["id-kp-lorry", "id-ce-lorry"]
    with pytest.raises(KeyError, match="no object identifier is registered under the name 'lorry'"):
        oids.oid_of("lorry")


def test_usual_names_do_not_depend_on_the_imported_schemas() -> None:
    # In a process of its own: here, other tests have imported schema modules.
    program = """if True:
        import importlib, pkgutil
        from derlib import oids
        before = {oid: oids.usual_name_of(oid) for oid in oids.registered()}
        import derlib.schemas
        for module in pkgutil.iter_modules(derlib.schemas.__path__):
            importlib.import_module(f"derlib.schemas.{module.name}")
        names = {oid: oids.usual_name_of(oid) for oid in oids.registered()}
        assert len(names) > len(before) > 600
        assert before == {oid: names[oid] for oid in before}
        for oid, name in names.items():
            assert oids.oid_of(name) == oids.oid_of(oids.name_of(oid)) == oid, (oid, name)
        with_prefix = {name for oid, name in names.items() if oids.without_prefix(name) != name}
        print(*sorted(with_prefix))
    """
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == [
        "id-ad-rpkiManifest",
        "id-ad-timeStamping",
        "id-ct-rpkiManifest",
        "id-dsa",
        "id-kp-timeStamping",
        "id-krb5",
    ]
