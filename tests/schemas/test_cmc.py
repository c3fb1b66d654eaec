"""A request of CMC by Windows, and controls that are written from the ASN.1, element by element."""

from __future__ import annotations

import base64

import pytest
from support.der import der, name

import derlib
from derlib.schemas import cmc
from derlib.schemas.cmc import CMCFailInfo, CMCStatus, PKIData, PKIResponse, TaggedAttribute
from derlib.schemas.cms import ContentInfo

# A request of Windows, from tests/test_rfc6402.py of pyasn1-alt-modules 0.4.6 (BSD licence).
REQUEST = base64.b64decode("""
MIIEJQYJKoZIhvcNAQcCoIIEFjCCBBICAQMxCzAJBgUrDgMCGgUAMIIDAgYIKwYBBQUHDAKgggL0BIIC8DCCAuwweDB2AgECBgorBgEEAYI3Cg
oBMWUwYwIBADADAgEBMVkwVwYJKwYBBAGCNxUUMUowSAIBBQwZcGl0dWNoYTEuZW1lYS5ocHFjb3JwLm5ldAwMRU1FQVxwaXR1Y2hhDBpDTUNS
ZXFHZW5lcmF0b3IudnNob3N0LmV4ZTCCAmqgggJmAgEBMIICXzCCAcgCAQAwADCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEA0jm7SSSm2w
yEAzuNKtFZFJKo91SrJq9wQwEhEKHDavZwMQOm1rZ2PF8NWCEbPqrhToQ7rtiGLSZa4dF4bzgmBqQ9aoSfEX4jISt31Vy+skHidXjHHpbsjT24
NPhrZgANivL7CxD6Ft+s7qS1gL4HRm2twQkqSwOLrE/q2QeXl2UCAwEAAaCCAR0wGgYKKwYBBAGCNw0CAzEMFgo2LjIuOTIwMC4yMD4GCSqGSI
b3DQEJDjExMC8wHQYDVR0OBBYEFMW2skn88gxhONWZQA4sWGBDb68yMA4GA1UdDwEB/wQEAwIHgDBXBgkrBgEEAYI3FRQxSjBIAgEFDBlwaXR1
Y2hhMS5lbWVhLmhwcWNvcnAubmV0DAxFTUVBXHBpdHVjaGEMGkNNQ1JlcUdlbmVyYXRvci52c2hvc3QuZXhlMGYGCisGAQQBgjcNAgIxWDBWAg
ECHk4ATQBpAGMAcgBvAHMAbwBmAHQAIABTAHQAcgBvAG4AZwAgAEMAcgB5AHAAdABvAGcAcgBhAHAAaABpAGMAIABQAHIAbwB2AGkAZABlAHID
AQAwDQYJKoZIhvcNAQEFBQADgYEAJZlumxjtCxSOQi27jsVdd3y8NSIlzNv0b3LqmzvAly6L+CstXcnuG2MPQqPH9R7tbJonGUniBQO9sQ7CKh
YWj2gfhiEkSID82lV5chINVUFKoUlSiEhWr0tPGgvOaqdsKQcrHfzrsBbFkhDqrFSVy7YivbnhqYszKrOjJKiiCPMwADAAMYH5MIH2AgEDgBTF
trJJ/PIMYTjVmUAOLFhgQ2+vMjAJBgUrDgMCGgUAoD4wFwYJKoZIhvcNAQkDMQoGCCsGAQUFBwwCMCMGCSqGSIb3DQEJBDEWBBTFTkK/OifaFj
wqHiJuxM7qXcg/VzANBgkqhkiG9w0BAQEFAASBgKfC6jOi1Wgy4xxDCQVK9+e5tktL8wE/j2cb9JSqq+aU5UxEgXEw7q7BoYZCAzcxMRriGzak
Xr8aXHcgkRJ7XcFvLPUjpmGg9SOZ2sGW4zQdWAwImN/i8locxicQmJP+VoMHo/ZpjFY9fYCjNZUArgKsEwK/s+p9yrVVeB1Nf8Mn
""")


def control(number: int, value: bytes) -> TaggedAttribute:
    """Return a control, after checking that it is rebuilt to the same bytes."""
    octets = der(0x30, b"\2\1\1", der(0x06, bytes.fromhex("2b0601050507 07") + bytes([number])), der(0x31, value))
    found = TaggedAttribute.decode(octets)
    assert TaggedAttribute.from_native(found.to_native()).encode() == octets
    assert TaggedAttribute.from_json(found.to_json()).encode() == octets
    return found


def test_a_request_of_windows() -> None:
    content = ContentInfo.decode(REQUEST).content.encap_content_info
    assert content.e_content_type == cmc.id_cct_pki_data
    data = PKIData.decode(content.e_content)
    assert PKIData.from_native(data.to_native()).encode() == content.e_content
    [request] = data.req_sequence
    assert request.alternative == "tcr"
    assert request.value.body_part_id == 1
    key = request.value.certification_request.certification_request_info.subject_pk_info
    assert key.subject_public_key.modulus.bit_length() == 1024
    # A control of Microsoft, which derlib does not know.
    assert isinstance(data.control_sequence[0].attr_values[0], derlib.TLV)
    with pytest.raises(derlib.DecodeError):
        PKIData.decode(content.e_content[:-1])


def test_a_response() -> None:
    status = der(0x30, b"\2\1\2", der(0x30, b"\2\1\1", der(0x30, b"\2\1\1", b"\2\1\2")), der(0x0C, b"no"), b"\2\1\7")
    attribute = der(0x30, b"\2\1\1", der(0x06, bytes.fromhex("2b0601050507 0719")), der(0x31, status))
    octets = der(0x30, der(0x30, attribute), der(0x30), der(0x30))
    response = PKIResponse.decode(octets)
    [found] = response.control_sequence[0].attr_values
    assert (found.cmc_status, found.status_string) == (CMCStatus.failed, "no")
    assert [part.alternative for part in found.body_list] == ["body_part_id", "body_part_path"]
    assert found.other_info.value is CMCFailInfo.bad_identity
    assert PKIResponse.from_native(response.to_native()).encode() == octets


def test_controls() -> None:
    assert control(5, b"\2\1\7").attr_values[0] == 7
    revoke = control(17, der(0x30, name("CA"), b"\2\1\5", der(0x0A, b"\1"), der(0x0C, b"why"))).attr_values[0]
    assert (revoke.serial_number, revoke.reason.name, revoke.comment) == (5, "key_compromise", "why")
    assert list(control(28, der(0x30, b"\2\1\1", b"\2\1\2")).attr_values[0]) == [1, 2]
    renamed = control(36, der(0x30, der(0xA1, der(0x82, b"example.org")))).attr_values[0]
    assert (renamed.subject, renamed.subject_alt[0].value) == (None, "example.org")
    with pytest.raises(derlib.DecodeError, match="attr_values"):
        control(17, der(0x30))
