"""The text of names in columns equals `str(name)`, for every kind of attribute value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import certifi
import cryptography_vectors
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow

import derlib
from derlib import pem
from derlib.schemas.attributes import Name, RDNSequence, RelativeDistinguishedName
from derlib.schemas.general import GeneralNames
from derlib.schemas.x509 import Certificate

VECTORS = Path(cryptography_vectors.__file__).parent / "x509"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


class Names(derlib.Sequence):
    name: Name


def texts(names: list[bytes]) -> list[Any]:
    """Return the texts of encodings of Name in a column."""
    inputs = [derlib.encode(Names(name=Name.decode(name)), Names) for name in names]
    return arrow.table(derlib.columns(Names, inputs, {"name": "name"}))["name"]


def tlv(tag: int, contents: bytes) -> bytes:
    """Return an element; `tag` is a universal number, or an identifier octet from 32 on."""
    size = len(contents)
    length = size.to_bytes(2, "big")
    length = length[1:] if size < 128 else b"\x81" + length[1:] if size < 256 else b"\x82" + length
    return (bytes([tag]) if tag < 31 or tag >= 48 else bytes([31, tag])) + length + contents


def attribute(oid: str, value: bytes) -> bytes:
    return tlv(48, derlib.encode(derlib.ObjectIdentifier(oid), derlib.ObjectIdentifier) + value)


def name_of(*values: bytes, oid: str = "2.5.4.3") -> bytes:
    """Return a Name with one attribute in each level."""
    return tlv(48, b"".join(tlv(49, attribute(oid, value)) for value in values))


VALUES = {
    "UTF8String": tlv(12, "Zoë <a>".encode()),
    "empty": tlv(12, b""),
    "a space": tlv(19, b" "),
    "spaces at the edges": tlv(12, b"  x  "),
    "number signs": tlv(12, b"#a#"),
    "special characters": tlv(12, b'"+,;<>\\='),
    "control characters": tlv(12, b"\x00\x1f\x7f\xc2\x80\xc2\x9f\xc2\xa0"),
    "long characters": tlv(12, "\u07ff\uffff\U0010ffff".encode()),
    "TeletexString": tlv(20, b" \x80\xe9\xff "),
    "BMPString": tlv(30, " #é\u20ac ".encode("utf-16-be")),
    "BMPString with a control character": tlv(30, b"\x00\x00\x00\x9f"),
    "UniversalString": tlv(28, "# \U0001f600 ".encode("utf-32-be")),
    "GeneralString": tlv(27, b"\xa3"),
    "NumericString": tlv(18, b"12 "),
    "IA5String": tlv(22, b"a@b"),
    "OID-IRI": tlv(35, b"/ISO"),
    "TIME": tlv(14, b"1985-04-12"),
    "DURATION": tlv(34, b"1Y"),
    "DATE": tlv(31, b"19850412"),
    "INTEGER": tlv(2, b"\x05"),
    "OBJECT IDENTIFIER": tlv(6, b"\x2a"),
    "UTCTime": tlv(23, b"200101000000Z"),
    "SEQUENCE": tlv(48, tlv(12, b"x")),
    "context tag": tlv(0x80, b"x"),
    "long": tlv(12, b"x" * 3000),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize(
    "oid", ["2.5.4.3", "2.5.4.6", "0.9.2342.19200300.100.1.25", "1.2.840.113549.1.9.1", "2.5.4.45"]
)
def test_each_value_has_the_text_of_its_name(value, oid):
    name = name_of(value, oid=oid)
    assert texts([name]) == [str(Name.decode(name))]


def test_the_examples_of_rfc_4514():
    levels = [
        [("2.5.4.10", "Sue, Grabbit and Runn"), ("2.5.4.3", "Before\rAfter")],
        [("1.3.6.1.4.1.1466.0", None)],
        [("2.5.4.3", "Lučić")],
    ]
    encoded = [
        tlv(49, b"".join(sorted(
            attribute(oid, tlv(4, b"Hi") if text is None else tlv(12, text.encode())) for oid, text in level
        )))
        for level in levels
    ]  # fmt: skip
    name = tlv(48, b"".join(encoded))
    text = "CN=Lučić,1.3.6.1.4.1.1466.0=#04024869,CN=Before\\0dAfter+O=Sue\\, Grabbit and Runn"
    assert texts([name]) == [str(Name.decode(name))] == [text]


def test_a_column_for_people_has_the_usual_names_of_all_attribute_types():
    bits = derlib.parse(b"\3\2\0\1")
    pairs = [("2.999.1", derlib.parse(b"\5\0")), ("2.999.2", derlib.parse(b"\x0c\1a")), ("uniqueIdentifier", bits)]
    levels = Name.of([("C", "GB"), ("serialNumber", "12"), ("emailAddress", "a,b@example.org"), *pairs]).rdn_sequence
    both = [RelativeDistinguishedName([*levels[0], *levels[1]]), *levels[2:]]
    name = Name(rdn_sequence=RDNSequence(both))
    table = arrow.table(
        derlib.columns(
            Names,
            [Names(name=name).encode()],
            {
                "display": derlib.Column("name", "display"),
                "own": derlib.Column("name", "display", words={"2.5.4.6": "country"}),
            },
        )
    )
    expected = (
        "uniqueIdentifier=#03020001, 2.999.2=a, 2.999.1=#0500, emailAddress=a\\,b@example.org, serialNumber=12 + C=GB"
    )
    assert table["display"] == [expected] == [name.display()]
    assert table["own"][0].endswith("2.5.4.5=12 + country=GB")
    with pytest.raises(ValueError, match=r"a column of OBJECT IDENTIFIER has the type text or .*, not display$"):
        derlib.columns(Names, b"", {"x": derlib.Column("name.rdn_sequence[0][0].type", "display")})


@pytest.mark.parametrize("count", [0, 1, 2, 31, 32, 33, 500])
def test_names_of_many_levels(count):
    name = Name(rdn_sequence=[[{"type": "2.5.4.11", "value": str(i)}] for i in range(count)])
    assert texts([name.encode()]) == [str(name)]


@pytest.mark.parametrize("oid", ["2.25.340282366920938463463374607431768211455", "2.999.1", "0.39"])
def test_types_without_a_short_name_are_dotted(oid):
    name = name_of(tlv(12, b"x"), oid=oid)
    assert texts([name]) == [f"{oid}=#0c0178"] == [str(Name.decode(name))]


def test_all_places_of_names_have_text():
    name = Name.of({"C": "GB", "CN": "a"})
    names = GeneralNames([{"directory_name": name}, {"dns_name": "x"}, {"directory_name": name}]).encode()
    paths: dict[str, str | derlib.Column] = {
        "text": "directory_name", "der": derlib.Column("directory_name", "encoding"),
    }  # fmt: skip
    found = arrow.table(derlib.columns(GeneralNames, names, paths))
    assert found["text"] == [["CN=a,C=GB"] * 2]
    assert found["der"] == [[name.encode()] * 2]
    inner = derlib.columns(Names, Names(name=name).encode(), {"text": "name.rdn_sequence"})
    assert arrow.table(inner)["text"] == [str(name)]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
def test_any_text(values):
    name = name_of(*(tlv(12, value.encode()[:1000].decode(errors="ignore").encode()) for value in values))
    assert texts([name]) == [str(Name.decode(name))]


def test_names_of_the_corpora():
    files = [*VECTORS.rglob("*.crt"), *VECTORS.rglob("*.pem"), *VECTORS.rglob("*.der"), Path(certifi.where())]
    files += [path for path in DATA.rglob("*") if path.suffix in (".der", ".crt", ".pem", ".cer")]
    inputs = []
    for path in files:
        data = path.read_bytes()
        try:
            blocks = [block.der for block in pem.blocks(data)] if pem.is_pem(data) else [data]
        except derlib.PEMError:
            continue
        for one in blocks:
            try:
                Certificate.decode(one)
            except derlib.ASN1Error:
                continue
            inputs.append(one)
    assert len(inputs) > 600
    paths: dict[str, str | derlib.Column] = {
        "issuer": "tbs_certificate.issuer", "subject": "tbs_certificate.subject",
    }  # fmt: skip
    found = arrow.table(derlib.columns(Certificate, inputs, paths))
    certificates = [Certificate.decode(one) for one in inputs]
    assert found["issuer"] == [str(one.issuer) for one in certificates]
    assert found["subject"] == [str(one.subject) for one in certificates]
