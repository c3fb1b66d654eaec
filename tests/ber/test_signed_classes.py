"""The classes of derlib.schemas whose bytes a signature covers.

The conversion of BER copies their values inside others, and an error of the outermost value does not suggest it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from derlib import DecodeError, SequenceOf, ber, parse, pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.ocsp import BasicOCSPResponse, OCSPRequest, OCSPResponse
from derlib.schemas.x509 import Certificate

EXAMPLES = Path("docs/examples")
RESPONSE = OCSPResponse.decode((EXAMPLES / "status.der").read_bytes())

SIGNED = [
    (Certificate, pem.one((EXAMPLES / "server.pem").read_bytes())),
    (CertificateList, pem.one((EXAMPLES / "revoke.pem").read_bytes())),
    (CertificationRequest, pem.one((EXAMPLES / "request.pem").read_bytes())),
    (OCSPRequest, (EXAMPLES / "status-request.der").read_bytes()),
    (BasicOCSPResponse, RESPONSE.basic.encode()),
]


def with_long_length(der: bytes) -> bytes:
    """Return BER: the same element with a longer length than it needs (X.690 10.1)."""
    contents = parse(der).content
    return der[:1] + b"\x84" + len(contents).to_bytes(4, "big") + bytes(contents)


@pytest.mark.parametrize(("schema", "der"), SIGNED)
def test_inside_another_value_it_is_copied(schema: Any, der: bytes) -> None:
    signed = with_long_length(der)
    converted = ber.convert(b"\x30\x80" + signed + b"\0\0", SequenceOf[schema])
    [kept] = converted.kept
    assert converted.der[kept.output.offset :] == signed
    assert kept.error is not None
    assert kept.error.kind == "length-not-minimal"


@pytest.mark.parametrize(("schema", "der"), SIGNED)
def test_the_error_of_the_outermost_value_names_the_deviation_that_keeps_its_bytes(schema: Any, der: bytes) -> None:
    signed = with_long_length(der)
    with pytest.raises(DecodeError) as caught:
        schema.decode(signed)
    assert "rules=" not in str(caught.value)
    assert "Deviation.LENGTH_FORM tolerates it" in str(caught.value)
