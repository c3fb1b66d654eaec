"""Messages of a server for certificate validation: real ones, and what derlib refuses."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from support.rebuilt import read

import derlib
from derlib.schemas import scvp
from derlib.schemas.cms import ContentInfo, SignedData
from derlib.schemas.scvp import CVRequest, CVResponse, CVStatusCode, ReplyStatus, ValPolRequest, ValPolResponse

LINES = (Path(__file__).parent / "scvp_messages.txt").read_text().splitlines()
MESSAGES = {name: base64.b64decode(text) for name, text in (line.split() for line in LINES if line[0] != "#")}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_are_rebuilt_to_the_same_bytes(name: str) -> None:
    read(ContentInfo, MESSAGES[name])


def test_a_request() -> None:
    request = ContentInfo.decode(MESSAGES["cvrequest"]).content
    assert isinstance(request, CVRequest)
    assert request.cv_request_version == 1
    query = request.query
    assert query.queried_certs.alternative == "pkc_refs"
    certificate = query.queried_certs.value[0].value
    assert certificate.issuer.get_all("OU")[0] == "Department of the Treasury"
    assert [oid.name for oid in query.checks] == ["id-stc-build-status-checked-pkc-path"]
    assert query.validation_policy.validation_pol_ref.val_pol_id.dotted == "2.16.840.1.101.10.2.18.2.0.4"
    again = derlib.decode(CVRequest, request.encode())
    assert again == request


def test_a_response() -> None:
    signed = ContentInfo.decode(MESSAGES["cvresponse"]).content
    assert isinstance(signed, SignedData)
    content = signed.encap_content_info
    assert content.e_content_type == scvp.id_ct_scvp_cert_val_response
    response = CVResponse.decode(content.e_content)
    assert CVResponse.from_native(response.to_native()).encode() == content.e_content
    assert response.response_status.status_code is CVStatusCode.okay
    [reply] = response.reply_objects
    assert reply.reply_status is ReplyStatus.success
    assert [check.status for check in reply.reply_checks] == [0]
    for back in reply.reply_want_backs:
        # Each has the type of its identifier.
        assert isinstance(back.value, scvp.WANT_BACKS.get(back.wb))
    with pytest.raises(derlib.DecodeError):
        CVResponse.decode(content.e_content[:-1])


def test_policies() -> None:
    request = ContentInfo.decode(MESSAGES["valpolrequest"]).content
    assert isinstance(request, ValPolRequest)
    signed = ContentInfo.decode(MESSAGES["valpolresponse"]).content
    response = ValPolResponse.decode(signed.encap_content_info.e_content)
    assert ValPolResponse.from_native(response.to_native()).encode() == signed.encap_content_info.e_content
    assert (response.vp_response_version, response.max_cv_request_version, response.clock_skew) == (1, 1, 10)
    # The response was made ahead, so it has no nonce.
    assert (len(request.request_nonce), response.request_nonce) == (16, None)


def test_a_default_is_not_encoded() -> None:
    # The hash function of RFC 5055 section 3.2.1 is SHA-1 by default.
    value = scvp.HashValue.decode(bytes.fromhex("30020400"))
    assert value.algorithm.algorithm.dotted == "1.3.14.3.2.26"
    with pytest.raises(derlib.DefaultError):
        scvp.HashValue.decode(bytes.fromhex("300b300706052b0e03021a0400"))
    assert scvp.HashValue(value=b"").encode() == bytes.fromhex("30020400")
