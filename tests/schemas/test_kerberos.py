"""The messages of Kerberos that krb5 encodes in its own tests, and what derlib refuses in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib.schemas import kerberos, kerberos_preauth
from derlib.schemas.kerberos import AP_REQ, AS_REQ, KRB_ERROR, METHOD_DATA, PA_DATA, ErrorCode, PADataType

LINES = (Path(__file__).parent / "kerberos_messages.txt").read_text().splitlines()
MESSAGES = [tuple(line.split()) for line in LINES if not line.startswith("#")]


def type_of(name: str) -> Any:
    return getattr(kerberos, name, None) or getattr(kerberos_preauth, name)


@pytest.mark.parametrize(("name", "octets"), MESSAGES, ids=[f"{n}-{i}" for i, (n, _) in enumerate(MESSAGES)])
def test_messages_of_krb5(name: str, octets: str) -> None:
    cls, der = type_of(name), bytes.fromhex(octets)
    value = cls.decode(der)
    assert value.encode() == der
    assert cls.from_native(value.to_native()).encode() == der
    assert cls.from_json(value.to_json()).encode() == der


def test_the_messages_are_of_many_types() -> None:
    assert len(MESSAGES) > 50
    assert len({name for name, _ in MESSAGES}) > 30


def first(name: str) -> Any:
    return type_of(name).decode(bytes.fromhex(next(octets for known, octets in MESSAGES if known == name)))


def test_fields_of_a_request() -> None:
    request = first("AS_REQ")
    assert isinstance(request, AS_REQ)
    assert (request.pvno, request.msg_type) == (5, 10)
    body = request.req_body
    assert (body.realm, body.cname.name_type, list(body.cname.name_string)) == (
        "ATHENA.MIT.EDU",
        1,
        ["hftsai", "extra"],
    )
    # Bit 0 is the first one: 0xfedcba90.
    assert body.kdc_options.bytes.hex() == "fedcba90"
    assert (body.till.year, body.nonce, list(body.etype)) == (1994, 42, [0, 1])


def test_fields_of_an_error() -> None:
    error = first("KRB_ERROR")
    assert isinstance(error, KRB_ERROR)
    assert (error.error_code, error.susec) == (ErrorCode.krb_err_generic, 123456)
    # A code that derlib does not know is a plain number.
    assert error.replace(error_code=1000).error_code == 1000


def test_padata_by_its_type() -> None:
    ticket = first("AP_REQ")
    data = PA_DATA(padata_type="pa_tgs_req", padata_value=ticket)
    assert isinstance(PA_DATA.decode(data.encode()).padata_value, AP_REQ)
    asked = PA_DATA(padata_type=19, padata_value=[{"etype": "aes256_cts_hmac_sha1_96", "salt": "REALMuser"}])
    assert PA_DATA.decode(asked.encode()).padata_value[0].salt == "REALMuser"
    # Unknown types, and values of another type, are bytes.
    [unknown] = METHOD_DATA([{"padata_type": 999, "padata_value": b"x"}])
    other = PA_DATA.decode(bytes.fromhex("300aa103020101a203040178"))
    assert unknown.padata_value == other.padata_value == b"x"


def test_what_is_refused() -> None:
    # krb5 writes versions of keys from 2**31 on as negative numbers; RFC 4120 section 5.2.9 has UInt32.
    with pytest.raises(derlib.ConstraintViolation, match="kvno"):
        kerberos.EncryptedData.decode(bytes.fromhex("3013a003020100a1060204ff000000a20404026161"))
    octets = first("AS_REQ").encode()
    with pytest.raises(derlib.DecodeError, match=r"expected \[APPLICATION 12\] TGS_REQ"):
        kerberos.TGS_REQ.decode(octets)
    with pytest.raises(derlib.ConstraintViolation, match="pvno"):
        AS_REQ.decode(octets.replace(bytes.fromhex("a103020105"), bytes.fromhex("a103020104"), 1))


def test_each_padata_type_of_the_table_has_a_name() -> None:
    assert {PADataType(key).name for key in kerberos.PA_DATA_VALUES} >= {"pa_tgs_req", "pa_pk_as_req", "pa_etype_info2"}
