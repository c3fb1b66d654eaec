"""Extensions and statements that no RFC defines, in the encodings of OpenSSL."""

from __future__ import annotations

import pytest
from support.openssl import OpenSSL

from derlib import TLV, Deviation, StructureError
from derlib.schemas import policies, vendor
from derlib.schemas.x509 import Certificate

SID = "S-1-5-21-2857422465-1424450445-1123984416-1104"

EXTENSIONS = f"""
[req]
distinguished_name = name
x509_extensions = extensions
[name]
[extensions]
1.3.6.1.4.1.311.25.2 = ASN1:SEQUENCE:account
1.3.6.1.5.5.7.1.3 = ASN1:SEQUENCE:statements
[account]
name = IMPLICIT:0,SEQUENCE:object_sid
[object_sid]
type = OID:1.3.6.1.4.1.311.25.2.1
value = EXPLICIT:0,FORMAT:ASCII,OCT:{SID}
[statements]
first = SEQUENCE:psd2
[psd2]
id = OID:0.4.0.19495.2
info = SEQUENCE:type
[type]
roles = SEQUENCE:roles
name = UTF8String:Financial Authority
id = UTF8String:XX-FA
[roles]
first = SEQUENCE:role
[role]
oid = OID:0.4.0.19495.1.3
name = UTF8String:PSP_AI
"""


@pytest.fixture(scope="module")
def certificate(openssl: OpenSSL) -> Certificate:
    config = openssl.folder / "vendor.conf"
    config.write_text(EXTENSIONS)
    made = openssl("req", "-x509", "-key", "ec.key", "-subj", "/CN=ann", "-config", config.name, "-outform", "DER")
    return Certificate.decode(made)


def test_the_account_of_a_certificate_of_microsoft_is_typed(certificate: Certificate) -> None:
    names = certificate.extensions.get(vendor.NtdsCaSecurityExt)
    assert [(name.type_id.name, name.value) for name in names] == [("szOID_NTDS_OBJECTSID", SID.encode())]


def test_the_roles_of_a_payment_service_provider_are_typed(certificate: Certificate) -> None:
    (statement,) = certificate.extensions.get(policies.QCStatements)
    info = statement.statement_info
    assert isinstance(info, policies.PSD2QcType)
    assert [(role.role_of_psp_oid.name, role.role_of_psp_name) for role in info.roles_of_psp] == [
        ("id-psd2-role-psp-ai", "PSP_AI")
    ]
    assert (info.nca_name, info.nca_id) == ("Financial Authority", "XX-FA")


def test_the_value_of_a_known_statement_must_have_its_type() -> None:
    # The currency is a PrintableString or an INTEGER (ETSI EN 319 412-5 section 4.3.2).
    octets = bytes.fromhex("30173015 060604008e460102 300b0c03455552020105020106")
    with pytest.raises(StructureError, match="UTF8String is not an alternative"):
        policies.QCStatements.decode(octets)
    (statement,) = policies.QCStatements.decode(octets, tolerate=Deviation.OPEN_TYPE)
    assert isinstance(statement.statement_info, TLV)
    # Nobody knows the type of other statements.
    (other,) = policies.QCStatements.decode(octets.replace(b"\x04\0\x8e\x46\x01\x02", b"\x04\0\x8e\x46\x01\x7f"))
    assert isinstance(other.statement_info, TLV)
