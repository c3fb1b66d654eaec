"""Objects of electronic passports, made here and signed by openssl: no file of a passport has a licence for tests."""

from __future__ import annotations

import hashlib
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from support import rebuilt
from support.damaged import survives_damage

import derlib
from derlib import NULL, ConstraintError, DecodeError
from derlib.schemas import icao
from derlib.schemas.cms import ContentInfo
from derlib.schemas.icao import CscaMasterList, DataGroupHash, LDSSecurityObject
from derlib.schemas.x509 import Certificate, Extension

START, END = datetime(2026, 1, 1, tzinfo=timezone.utc), datetime(2036, 1, 1, tzinfo=timezone.utc)
GROUPS = {1: b"P<UTOERIKSSON<<ANNA<MARIA", 2: b"a face", 15: b"a key"}


def country(code: str) -> tuple[Certificate, bytes]:
    """Return the certificate of a country, and its private key in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, code), x509.NameAttribute(NameOID.COMMON_NAME, "CSCA")])
    types = icao.DocumentTypeListSyntax(version=0, doc_type_list=["P", "ID"]).encode()
    builder = (
        x509.CertificateBuilder()
        .issuer_name(name)
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(START)
        .not_valid_after(END)
        .add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier("2.23.136.1.1.6.1"), b"\5\0"), critical=False)
        .add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier("2.23.136.1.1.6.2"), types), critical=False)
    )
    certificate = builder.sign(key, SHA256()).public_bytes(Encoding.DER)
    return Certificate.decode(certificate), key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def signed(content: bytes, content_type: str, folder: Path) -> bytes:
    """Return a SignedData by openssl."""
    certificate, key = country("UT")
    (folder / "key.pem").write_bytes(key)
    (folder / "signer.pem").write_text(derlib.pem.encode(certificate.encode(), "CERTIFICATE"))
    (folder / "content").write_bytes(content)
    command = ["openssl", "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-econtent_type", content_type]
    command += ["-in", "content", "-signer", "signer.pem", "-inkey", "key.pem", "-md", "sha256", "-nosmimecap"]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def security_object(version: int = 1) -> LDSSecurityObject:
    return LDSSecurityObject(
        version=version,
        hash_algorithm={"algorithm": "2.16.840.1.101.3.4.2.1"},
        data_group_hash_values=[
            DataGroupHash(data_group_number=number, data_group_hash_value=hashlib.sha256(data).digest())
            for number, data in GROUPS.items()
        ],
        lds_version_info={"lds_version": "0108", "unicode_version": "040000"} if version else None,
    )


@pytest.mark.parametrize("version", [0, 1])
def test_the_security_object_of_a_passport(tmp_path, version):
    content = security_object(version).encode()
    message = signed(content, "2.23.136.1.1.1", tmp_path)
    security = ContentInfo.decode(message)
    file = icao.EF_SOD(content_type=security.content_type, content=security.content).encode()
    assert file[0] == 0x77
    assert file.endswith(message)
    assert derlib.identify(file) is icao.EF_SOD
    found = icao.EF_SOD.decode(file).signed_data
    assert found.encap_content_info.e_content_type == icao.id_icao_lds_security_object
    assert found.content == content
    decoded = LDSSecurityObject.decode(found.content)
    assert decoded == security_object(version)
    assert decoded.version is icao.LDSSecurityObjectVersion(version)
    assert decoded.hash_algorithm.hash_name == "sha256"
    assert {number: decoded.hash_of(number) for number in range(1, 17) if decoded.hash_of(number)} == {
        number: hashlib.sha256(data).digest() for number, data in GROUPS.items()
    }
    assert (decoded.lds_version_info is None) == (version == 0)


def test_the_encoding_of_a_security_object():
    """Doc 9303 Part 10, section 4.6.2.3, by hand."""
    octets = bytes.fromhex(
        "302b 020101 300b 0609608648016503040201 300e 3005 020101 0400 3005 020102 0400"
        "3009 130430313038 130130"
    )
    value = LDSSecurityObject.decode(octets)
    assert value.lds_version_info.unicode_version == "0"
    assert [each.data_group_number for each in value.data_group_hash_values] == [
        icao.DataGroupNumber.data_group1,
        icao.DataGroupNumber.data_group2,
    ]
    survives_damage(LDSSecurityObject, octets)


@pytest.mark.parametrize("count", [1, 17])
def test_a_security_object_has_2_to_16_hashes(count):
    groups = [{"data_group_number": 1 + i, "data_group_hash_value": b""} for i in range(count)]
    with pytest.raises(ConstraintError, match="data_group_hash_values"):
        LDSSecurityObject(version=0, hash_algorithm={"algorithm": "2.999"}, data_group_hash_values=groups)


def test_a_master_list(tmp_path):
    countries = [country(code)[0] for code in ("DE", "FR", "UT")]
    content = CscaMasterList(version=0, cert_list=countries).encode()
    found = ContentInfo.decode(signed(content, "2.23.136.1.1.2", tmp_path)).signed_data
    assert found.encap_content_info.e_content_type == icao.id_icao_csca_master_list
    certificates = CscaMasterList.decode(found.content).cert_list
    assert {certificate.subject["C"] for certificate in certificates} == {"DE", "FR", "UT"}
    assert sorted(bytes(each.der) for each in certificates) == sorted(bytes(each.der) for each in countries)
    extensions = certificates[0].tbs_certificate.extensions
    assert extensions.get(icao.id_icao_mrtd_security_extensions_name_change) is NULL
    types = extensions.get(icao.id_icao_mrtd_security_extensions_document_type_list)
    assert sorted(types.doc_type_list) == ["ID", "P"]


def test_a_certificate_in_a_master_list_is_required_to_be_one():
    with pytest.raises(DecodeError, match=r"cert_list\[0\]"):
        CscaMasterList.decode(bytes.fromhex("3007 020100 3102 3000"))


def test_a_document_type_has_one_or_two_characters():
    value = bytes.fromhex("300a 020100 3105 1303504144")
    with pytest.raises(DecodeError, match="doc_type_list"):
        icao.DocumentTypeListSyntax.decode(value)
    extension = Extension.decode(bytes.fromhex("3017 0607 67810801010602 040c") + value)
    assert extension.extn_id == icao.id_icao_mrtd_security_extensions_document_type_list
    assert extension.extn_value == value


def deviation_list():
    """Passports with a wrong hash, and those of a period whose signer has a wrong extension."""
    return icao.DeviationList(
        version="v0",
        digest_algorithm={"algorithm": "2.16.840.1.101.3.4.2.1"},
        deviations_=[
            {
                "documents": {"document_type": "PD", "document_numbers": ["C01X0006H", "C01X0007J"]},
                "descriptions": [
                    {
                        "deviation_type": "2.23.136.1.1.7.2.2",
                        "parameters": icao.Datagroup.dg2,
                        "description": "the face",
                    }
                ],
            },
            {
                "documents": {
                    "dsc_identifier": {"subject_key_identifier": b"\7" * 20},
                    "issuing_date": {"first_issued": START, "last_issued": END},
                },
                "descriptions": [
                    {"deviation_type": "2.23.136.1.1.7.1.2", "parameters": {"extension": "2.5.29.15"}},
                    {"deviation_type": "2.23.136.1.1.7.4", "national_use": derlib.parse(b"\x0c\x01x")},
                ],
            },
        ],
    )


def test_a_deviation_list(tmp_path):
    made = deviation_list()
    message = signed(made.encode(), "2.23.136.1.1.7", tmp_path)
    found = ContentInfo.decode(message).signed_data
    assert found.encap_content_info.e_content_type == icao.id_icao_deviation_list
    read = rebuilt.read(icao.DeviationList, found.content)
    assert read == made
    wrong = {
        description.deviation_type.name: description.parameters
        for deviation in read.deviations_
        for description in deviation.descriptions
    }
    assert wrong == {
        "id-Deviation-LDS-DGHashWrong": icao.Datagroup.dg2,
        "id-Deviation-CertOrKey-DSEncoding": icao.CertField(extension="2.5.29.15"),
        "id-Deviation-Chip": None,
    }
    survives_damage(icao.DeviationList, found.content)


def test_the_encoding_of_a_deviation():
    """Doc 9303 Part 12, section 10.2, by hand; ANY has an explicit tag (X.680 31.2.7 c)."""
    octets = bytes.fromhex("3023 3009 80025044 a503 1301313116 3014 0608 6781080101070202 a003 020102 a103 0c0178")
    deviation = icao.Deviation.decode(octets)
    [description] = deviation.descriptions
    assert (deviation.documents.document_type, *deviation.documents.document_numbers) == ("PD", "1")
    assert (description.parameters, description.national_use.value) == (icao.Datagroup.dg2, "x")
    # The code of most passports, P<, is not a PrintableString.
    with pytest.raises(DecodeError, match="character outside its alphabet"):
        icao.Deviation.decode(octets.replace(b"PD", b"P<"))
    found = icao.Deviation.decode(octets.replace(b"PD", b"P<"), tolerate=derlib.Deviation.STRING_ALPHABET)
    assert found.documents.document_type == "P<"
