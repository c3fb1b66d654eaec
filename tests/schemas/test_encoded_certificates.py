"""The certificates and CRLs in a SignedData, found by headers, although one of them is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.der import der

from derlib import ASN1Error, pem
from derlib.schemas.cms import ContentInfo, encoded_certificates, encoded_crls
from derlib.schemas.x509 import Certificate

EXAMPLES = Path("docs/examples")
VECTORS = Path(pytest.importorskip("cryptography_vectors").__file__).parent
FIRST, SECOND = (pem.one((EXAMPLES / name).read_bytes(), "CERTIFICATE") for name in ("ca.pem", "server.pem"))
CRL = pem.one((EXAMPLES / "revoke.pem").read_bytes(), "X509 CRL")
DATA = bytes.fromhex("06092a864886f70d010701")
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
ATTRIBUTE_CERTIFICATE = der(0xA2, b"\x30\0")
END = b"\0\0"


def definite(certificates: bytes, crls: bytes = b"") -> bytes:
    lists = der(0xA0, certificates) + der(0xA1, crls)
    return der(0x30, SIGNED_DATA, der(0xA0, der(0x30, b"\2\1\1\x31\0", der(0x30, DATA), lists, b"\x31\0")))


def indefinite(certificates: bytes, crls: bytes = b"") -> bytes:
    lists = b"\xa0\x80" + certificates + END + b"\xa1\x80" + crls + END
    signed = b"\x30\x80\2\1\1\x31\x80" + END + b"\x30\x80" + DATA + END + lists + b"\x31\x80" + END + END
    return b"\x30\x80" + SIGNED_DATA + b"\xa0\x80" + signed + END + END


@pytest.mark.parametrize("form", [definite, indefinite])
def test_they_are_in_the_order_of_the_file(form) -> None:
    for certificates in ([], [FIRST], [SECOND, FIRST], [FIRST, FIRST]):
        # Without certificates, the data is decoded, and this attribute certificate is not valid.
        data = form(b"".join(certificates) + (ATTRIBUTE_CERTIFICATE if certificates else b""), CRL)
        assert encoded_certificates(data) == certificates
        assert encoded_crls(data) == [CRL]
    assert encoded_crls(form(FIRST)) == []


MASTER_LIST = bytes.fromhex("0606678108010102")


def with_content(content: bytes, certificates: bytes = FIRST) -> bytes:
    encapsulated = der(0x30, MASTER_LIST, der(0xA0, content))
    signed = der(0x30, b"\2\1\1\x31\0", encapsulated, der(0xA0, certificates), b"\x31\0")
    return der(0x30, SIGNED_DATA, der(0xA0, signed))


def test_those_of_a_csca_master_list_follow_those_of_its_signers() -> None:
    damaged = SECOND.replace(b"\1\1\xff", b"\1\1\1", 1)
    content = der(0x30, b"\2\1\0", der(0x31, SECOND, damaged, FIRST))
    assert encoded_certificates(with_content(der(0x04, content))) == [FIRST, SECOND, damaged, FIRST]
    assert encoded_crls(with_content(der(0x04, content))) == []
    # What follows a damaged header, and a list in segments (X.690 8.7.3), are one item with an error.
    cut = der(0x30, b"\2\1\0", der(0x31, SECOND, b"\x30\x85" + FIRST))
    assert encoded_certificates(with_content(der(0x04, cut))) == [FIRST, SECOND, b"\x30\x85" + FIRST]
    for other in (der(0x24, der(0x04, content)), der(0x04, der(0x31, content)), der(0x04, b"")):
        found = encoded_certificates(with_content(other))
        assert found == [FIRST, der(0xA0, other)]
        with pytest.raises(ASN1Error):
            Certificate.decode(found[1])


def test_those_of_an_ef_sod() -> None:
    assert encoded_certificates(der(0x77, definite(FIRST + SECOND))) == [FIRST, SECOND]
    assert encoded_certificates(der(0x77, definite(b""))) == []
    assert encoded_certificates(b"\x77\x80" + indefinite(FIRST) + END) == [FIRST]
    for data in (der(0x77, FIRST), der(0x77, definite(FIRST)[:-1]), b"\x77\x80", b"\x77\0"):
        with pytest.raises(ASN1Error):
            encoded_certificates(data)


@pytest.mark.parametrize("rest", [b"\0", b"junk", definite(SECOND)])
def test_data_after_the_signed_data_are_not_lost(rest: bytes) -> None:
    for form in (definite, indefinite):
        assert encoded_certificates(form(FIRST, CRL) + rest) == [FIRST, rest]
        assert encoded_crls(form(FIRST, CRL) + rest) == [CRL, rest]


def test_a_damaged_one_does_not_hide_the_others() -> None:
    # TRUE as 01, month 13, and a tag that the type does not have.
    for old, new in ((b"\1\1\xff", b"\1\1\1"), (b"\x17\r3601", b"\x17\r3613"), (b"\x30\x05\x06", b"\x31\x05\x06")):
        damaged = FIRST.replace(old, new, 1)
        assert damaged != FIRST
        for form in (definite, indefinite):
            found = encoded_certificates(form(damaged + SECOND))
            assert found == [damaged, SECOND]
            with pytest.raises(ASN1Error):
                Certificate.decode(found[0])
    # In DER, not even the structure of a certificate must be valid.
    damaged = FIRST[:8] + b"\xff" * 20 + FIRST[28:]
    assert encoded_certificates(definite(damaged + SECOND)) == [damaged, SECOND]
    with pytest.raises(ASN1Error):
        encoded_certificates(indefinite(damaged + SECOND))


def test_nothing_is_lost_silently() -> None:
    """Damage each byte around the certificates: each is returned, or an error is raised here or by its decoding."""
    data = definite(FIRST + SECOND, CRL)
    places = [at for at in range(len(data)) if data[at : at + 8] in (FIRST[:8], SECOND[:8])]
    around = [*range(places[0]), *(at + step for at in places for step in range(6)), *range(len(data) - 8, len(data))]
    partly = 0
    for at in around:
        for change in (0x01, 0x08, 0x10, 0x80):
            damaged = bytearray(data)
            damaged[at] ^= change
            try:
                found = encoded_certificates(bytes(damaged))
                decoded = [Certificate.decode(each).encode() for each in found]
            except ASN1Error:
                partly += 1
                continue
            assert decoded == [FIRST, SECOND], (at, change)
    assert partly > 50


def test_other_data_are_an_error() -> None:
    no_signed_data = der(0x30, DATA, der(0xA0, b"\4\0"))
    wrong = (b"", b"\x30\0", FIRST, definite(FIRST)[:-1], no_signed_data, pem.encode(definite(FIRST), "PKCS7").encode())
    for data in wrong:
        for call in (encoded_certificates, encoded_crls):
            with pytest.raises(ASN1Error):
                call(data)
    with pytest.raises(ASN1Error, match="expected id-signedData, found id-data"):
        encoded_certificates(no_signed_data)
    with pytest.raises(ASN1Error, match=r"pem\.one"):
        encoded_certificates(wrong[-1])


def test_they_are_those_of_the_decoded_files() -> None:
    count = 0
    for path in sorted((VECTORS / "pkcs7").iterdir()):
        for data in pem.der_of(path.read_bytes()):
            try:
                signed = ContentInfo.decode(data, rules="ber").signed_data
            except (ASN1Error, AttributeError):
                continue
            expected = [each.encode() for each in signed.x509_certificates]
            assert [Certificate.decode(each).encode() for each in encoded_certificates(data)] == expected
            count += len(expected)
    assert count >= 5
