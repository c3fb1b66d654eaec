"""Names that match by RFC 5280 section 7.1, and the preparation of their texts by RFC 4518."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any
from unicodedata import ucd_3_2_0

import pytest
from rules.rows import der

from derlib import BitString
from derlib._prepared_text import _MAPPING, prepared
from derlib.schemas.attributes import Name
from derlib.schemas.cms import ContentInfo
from derlib.schemas.x509 import Certificate

CERTIFICATES = Path(pytest.importorskip("cryptography_vectors").__file__).parent / "x509/PKITS_data/certs"


def named(text: Any) -> Name:
    return Name.of({"CN": text})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Example Root", "EXAMPLE root"),
        ("Example Root", {"UTF8String": "Example Root"}),
        ("Example Root", {"BMPString": "example root"}),
        ("Example Root", {"TeletexString": "Example Root"}),
        ("Example Root", "  Example   Root "),
        ("Example Root", {"UTF8String": "Example\u00a0\tRoot"}),  # RFC 4518 2.2: spaces
        ("Example", {"UTF8String": "Ex\u00adam\u200bple\x00"}),  # RFC 4518 2.2: mapped to nothing
        ("Strasse", "Straße"),  # RFC 3454 B.2
        ("ΌΣΟΣ", "όσος"),
        ("É", "e\u0301"),  # RFC 4518 2.3: Form KC
        ("ﬁ", "FI"),
        (" ", "   "),
        ("\ue000 X", "\ue000 X"),
        ("é \u0308x", "É \u0308X"),
    ],
)
def test_names_that_match(first: Any, second: Any):
    assert named(first).matches(named(second))
    assert named(second).matches(named(first))
    assert named(first).comparison_key == named(second).comparison_key
    assert hash(named(first).comparison_key) == hash(named(second).comparison_key)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Example Root", "ExampleRoot"),
        ("Example Root", "Example Roots"),
        ("é", "e"),
        # RFC 4518 2.4: prohibited code points, so these are compared by their encodings.
        ("\ue000x", "\ue000X"),
        ("\ufffdx", "\ufffdX"),
        ("\U0001f511x", "\U0001f511X"),  # not in Unicode 3.2
        ("\ue000", " "),
        # RFC 4518 2.6.1: a space before a combining mark is none.
        ("é  \u0308", "é \u0308"),
        ("é \u0308", "é\u0308"),
    ],
)
def test_names_that_do_not_match(first: str, second: str):
    assert not named(first).matches(named(second))
    assert not named(second).matches(named(first))
    assert named(first).comparison_key != named(second).comparison_key


def level(*attributes: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"type": type, "value": value} for type, value in attributes]


def test_levels_and_types_of_attributes():
    country, organization, common_name = ("2.5.4.6", "GB"), ("2.5.4.10", "GB"), ("2.5.4.3", "GB")
    names = [
        Name(rdn_sequence=levels)
        for levels in (
            [],
            [level(country), level(common_name)],
            [level(common_name), level(country)],
            [level(country), level(organization)],
            [level(country, common_name)],
            [level(country, common_name, organization)],
            [level(common_name)],
            [level(common_name, ("2.5.4.3", "Bob"))],
            [level(common_name, ("2.5.4.3", "gb"))],
        )
    ]
    for first, second in combinations(names, 2):
        assert not first.matches(second), (first, second)
        assert first.comparison_key != second.comparison_key
    for name in names:
        assert name.matches(Name.decode(name.encode()))
    # The attributes of a level are in the order of their encodings, which differs if their string types do.
    first = Name(rdn_sequence=[level(("2.5.4.3", "ANN"), ("2.5.4.10", {"UTF8String": "ann"}))])
    second = Name(rdn_sequence=[level(("2.5.4.10", {"PrintableString": "Ann"}), ("2.5.4.3", {"BMPString": "Ann"}))])
    assert [each.type for each in first.attributes] != [each.type for each in second.attributes]
    assert first.matches(second)


def test_values_that_are_not_strings_match_by_their_encodings():
    first, second = (Name(rdn_sequence=[level(("2.5.4.45", BitString(bytes([each]))))]) for each in (1, 2))
    assert first.matches(Name.decode(first.encode()))
    assert not first.matches(second)
    # The text of a value with another type than its attribute, such as a country in a UTF8String.
    wrong = Name.decode(bytes.fromhex("300d310b300906035504060c024742"))
    assert wrong.matches(Name.of({"C": "gb"}))


def test_a_value_that_python_cannot_represent_matches_by_its_encoding():
    year_0 = bytes.fromhex("06082b06010505070901") + b"\x18\x0f00000101120000Z"  # a date of birth (RFC 3739 3.2.4)
    name = Name.decode(der("30", der("31", der("30", year_0))))
    assert name.matches(Name.decode(name.encode()))
    assert name.comparison_key == Name.decode(name.encode()).comparison_key


def test_the_mapped_code_points_are_those_of_unicode_3_2():
    """RFC 4518 2.2 lists all controls, format characters and separators, and some others by name."""
    named = {0xAD, 0x34F, 0x1806, *range(0x180B, 0x180E), 0x200B, *range(0xFE00, 0xFE10), 0xFFFC}
    for number in range(0x110000):
        category = ucd_3_2_0.category(chr(number))
        if number in named:
            expected = ""
        elif category in ("Zs", "Zl", "Zp") or number in (9, 10, 11, 12, 13, 0x85):
            expected = " "
        else:
            expected = "" if category in ("Cc", "Cf") else chr(number)
        assert _MAPPING.get(number, chr(number)) == expected, hex(number)


def test_preparation_is_idempotent():
    for text in (" A  b", "Straße \u0308", "ΌΣΟΣ", "ﬁ\u00a0ﬁ", "\u1e9b\u0323"):
        once = prepared(text)
        assert once is not None
        assert prepared(once.replace("\0", " ")) == once


@pytest.mark.parametrize(
    ("name", "issuer"),
    [
        ("ValidNameChainingWhitespaceTest3EE", "GoodCACert"),
        ("ValidNameChainingWhitespaceTest4EE", "GoodCACert"),
        ("ValidNameChainingCapitalizationTest5EE", "GoodCACert"),
        ("ValidNameUIDsTest6EE", "UIDCACert"),
        ("ValidRFC3280MandatoryAttributeTypesTest7EE", "RFC3280MandatoryAttributeTypesCACert"),
        ("ValidRFC3280OptionalAttributeTypesTest8EE", "RFC3280OptionalAttributeTypesCACert"),
        ("ValidUTF8StringEncodedNamesTest9EE", "UTF8StringEncodedNamesCACert"),
        ("ValidRolloverfromPrintableStringtoUTF8StringTest10EE", "RolloverfromPrintableStringtoUTF8StringCACert"),
        ("ValidUTF8StringCaseInsensitiveMatchTest11EE", "UTF8StringCaseInsensitiveMatchCACert"),
        ("InvalidNameChainingTest1EE", None),
        ("InvalidNameChainingOrderTest2EE", None),
    ],
)
def test_the_name_chaining_of_pkits(name: str, issuer: str | None):
    """Section 4.3 of the NIST PKITS suite: the issuer of each valid certificate is the subject of its CA."""
    subjects = {path.stem: decoded(path).subject for path in CERTIFICATES.glob("*CACert.crt")}
    assert len(subjects) > 30
    wanted = decoded(CERTIFICATES / f"{name}.crt").issuer
    found = {stem for stem, subject in subjects.items() if subject.matches(wanted)}
    assert found >= ({issuer} if issuer else set())
    assert bool(found) == bool(issuer)
    assert found == {stem for stem, subject in subjects.items() if subject.comparison_key == wanted.comparison_key}


def decoded(path: Path) -> Certificate:
    return Certificate.decode(path.read_bytes())


def test_the_same_names_match_as_with_asn1crypto():
    asn1crypto = pytest.importorskip("asn1crypto.x509")
    certificates = [decoded(path) for path in CERTIFICATES.iterdir()]
    names = {name.encode(): name for each in certificates for name in (each.issuer, each.subject)}
    assert len(names) > 300
    groups: dict[Any, set[bytes]] = {}
    expected: dict[Any, set[bytes]] = {}
    for encoding, name in names.items():
        groups.setdefault(name.comparison_key, set()).add(encoding)
        expected.setdefault(asn1crypto.Name.load(encoding).hashable, set()).add(encoding)
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, expected.values()))
    assert len(groups) < len(names)


def test_a_certificate_is_self_issued_if_its_names_match():
    certificate = decoded(CERTIFICATES / "GoodCACert.crt")
    assert not certificate.is_self_issued
    for common_name, expected in (({"UTF8String": "good  ca"}, True), ("Good CA 2", False)):
        issuer = Name.of({"C": "US", "O": "Test Certificates 2011", "CN": common_name})
        changed = certificate.replace_at("tbs_certificate.issuer", issuer)
        assert changed.is_self_issued is expected


def test_a_signer_can_name_its_certificate_by_a_name_that_matches():
    signed = ContentInfo.decode(Path("docs/examples/report.p7m").read_bytes()).signed_data
    [signer] = signed.signer_infos
    certificate = signed.certificate_of(signer)
    assert certificate is not None
    assert str(signer.issuer) == "CN=Ann Engineer,O=Example"
    for text, expected in (("ANN engineer", certificate), ("Another", None)):
        number = {"issuer": Name.of({"O": "Example", "CN": text}), "serial_number": signer.serial_number}
        assert signed.certificate_of(signer.replace(sid={"issuer_and_serial_number": number})) == expected


def test_only_names_can_be_compared():
    with pytest.raises(TypeError, match="expected a Name, got str"):
        named("Ann").matches("CN=Ann")  # type: ignore[arg-type]
