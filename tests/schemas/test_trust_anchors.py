"""Trust anchors and the messages of TAMP: real ones, and what derlib refuses."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from support.rebuilt import read

import derlib
from derlib import NULL
from derlib.schemas import tamp
from derlib.schemas.cms import CONTENT_TYPES, Attribute, ContentInfo, SignedData
from derlib.schemas.tamp import (
    ApexContingencyKey,
    StatusCode,
    TAMPMsgRef,
    TAMPStatusResponse,
    TAMPUpdate,
    TargetIdentifier,
    TerseOrVerbose,
)
from derlib.schemas.trust_anchors import CertPathControls, TrustAnchorInfo, TrustAnchorList
from derlib.schemas.x509 import Extension

LINES = (Path(__file__).parent / "trust_anchor_messages.txt").read_text().splitlines()
MESSAGES = {name: base64.b64decode(text) for name, text in (line.split() for line in LINES if line[0] != "#")}


def content_of(name: str) -> Any:
    signed = ContentInfo.decode(MESSAGES[name]).content
    assert isinstance(signed, SignedData)
    content = signed.encap_content_info
    return read(CONTENT_TYPES.get(content.e_content_type), content.e_content)


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_are_rebuilt_to_the_same_bytes(name: str) -> None:
    read(ContentInfo, MESSAGES[name])


def test_a_list_of_trust_anchors() -> None:
    anchors = ContentInfo.decode(MESSAGES["list"]).content
    assert isinstance(anchors, TrustAnchorList)
    assert [anchor.alternative for anchor in anchors] == ["tbs_cert", "certificate", "ta_info"]
    assert anchors[0].value.subject.get("CN") == "ripe-ncc-ta"
    info = anchors[2].value
    assert isinstance(info, TrustAnchorInfo)
    assert (info.version, info.ta_title, info.ta_title_lang_tag) == (1, "DigiCert Trust Anchor", "en")
    assert info.cert_path.ta_name.get("CN") == "DigiCert ECC Secure Server CA"
    assert info.cert_path.policy_flags.name == "inhibit_any_policy"


def test_the_status_of_a_device() -> None:
    status = content_of("status")
    assert isinstance(status, TAMPStatusResponse)
    assert (status.query.seq_num, status.query.target.alternative) == (1568307071, "all_modules")
    anchors = status.response.value.ta_info
    assert [anchor.value.cert_path.ta_name.get("CN") for anchor in anchors][:2] == ["DoD Root CA 2", "DoD Root CA 3"]


def test_an_update() -> None:
    update = content_of("update")
    assert isinstance(update, TAMPUpdate)
    assert (update.version, update.terse) == (2, TerseOrVerbose.verbose)
    [change] = update.updates
    assert (change.alternative, change.value.algorithm.algorithm.name) == ("remove", "rsaEncryption")


KEY: dict[str, Any] = {"algorithm": {"algorithm": "1.3.101.112"}, "subject_public_key": derlib.BitString(bytes(32))}
NAME: Any = {"rdn_sequence": []}
ANCHOR: Any = {"ta_info": {"pub_key": KEY, "key_id": b"k"}}
REFERENCE: Any = {"target": {"uri": "http://example.org/"}, "seq_num": 1}

BUILT: list[tuple[str, Any]] = [
    ("id_ct_tamp_status_query", {"terse": 1, "query": REFERENCE}),
    ("id_ct_tamp_status_response", {"query": REFERENCE, "response": {"terse_response": {"ta_key_ids": [b"k"]}}}),
    (
        "id_ct_tamp_update",
        {
            "msg_ref": REFERENCE,
            "updates": [
                {"add": ANCHOR},
                {"remove": KEY},
                {"change": {"ta_change": {"pub_key": KEY, "cert_path": {"ta_name": NAME}}}},
                {"change": {"tbs_cert_change": {"issuer": NAME, "subject": NAME, "subject_public_key_info": KEY}}},
            ],
            "tamp_seq_numbers": [{"key_id": b"k", "seq_number": 2}],
        },
    ),
    ("id_ct_tamp_update_confirm", {"update": REFERENCE, "confirm": {"terse_confirm": [0, 127]}}),
    (
        "id_ct_tamp_update_confirm",
        {"update": REFERENCE, "confirm": {"verbose_confirm": {"status": [0], "ta_info": [ANCHOR], "uses_apex": False}}},
    ),
    (
        "id_ct_tamp_apex_update",
        {"msg_ref": REFERENCE, "clear_trust_anchors": True, "clear_communities": False, "apex_ta": ANCHOR},
    ),
    ("id_ct_tamp_apex_update_confirm", {"apex_replace": REFERENCE, "apex_confirm": {"terse_apex_confirm": 19}}),
    (
        "id_ct_tamp_apex_update_confirm",
        {
            "apex_replace": REFERENCE,
            "apex_confirm": {"verbose_apex_confirm": {"status": 0, "ta_info": [ANCHOR], "communities": ["2.999"]}},
        },
    ),
    ("id_ct_tamp_community_update", {"msg_ref": REFERENCE, "updates": {"remove": ["2.999.1"], "add": ["2.999.2"]}}),
    ("id_ct_tamp_community_update_confirm", {"update": REFERENCE, "comm_confirm": {"terse_comm_confirm": 24}}),
    (
        "id_ct_tamp_community_update_confirm",
        {"update": REFERENCE, "comm_confirm": {"verbose_comm_confirm": {"status": 0, "communities": []}}},
    ),
    ("id_ct_tamp_error", {"msg_type": tamp.id_ct_tamp_update, "status": StatusCode.seq_num_failure}),
    ("id_ct_tamp_seq_num_adjust", {"msg_ref": REFERENCE}),
    ("id_ct_tamp_seq_num_adjust_confirm", {"adjust": REFERENCE, "status": 0}),
]


@pytest.mark.parametrize(("name", "fields"), BUILT)
def test_all_messages_can_be_built(name: str, fields: Any) -> None:
    oid = getattr(tamp, name)
    message = ContentInfo.decode(ContentInfo(content_type=oid, content=fields).encode()).content
    assert type(message) is CONTENT_TYPES.get(oid)
    assert type(message)(**fields) == message
    assert message.to_native() == type(message)(**message.to_native()).to_native()


def test_all_devices_of_a_type() -> None:
    target = TargetIdentifier(
        hw_modules=[
            {
                "hw_type": "2.999",
                "hw_serial_entries": [{"all": NULL}, {"single": b"7"}, {"block": {"low": b"1", "high": b"5"}}],
            }
        ]
    )
    assert target.encode().hex(" ") == "a1 15 30 13 06 02 88 37 30 0d 05 00 04 01 37 30 06 04 01 31 04 01 35"
    assert TargetIdentifier.decode(target.encode()) == target


@pytest.mark.parametrize(
    ("schema", "encoding"),
    [
        pytest.param(TAMPMsgRef, "300d 8300 0209 008000000000000000", id="a number of 64 bits"),
        pytest.param(TAMPMsgRef, "3005 8300 0201ff", id="a negative number"),
        pytest.param(tamp.TAMPCommunityUpdate, "3009 3005 8300 020101 3000", id="no change of communities"),
        pytest.param(tamp.KeyIdentifiers, "3000", id="no key"),
        pytest.param(TrustAnchorList, "3000", id="no trust anchor"),
        pytest.param(CertPathControls, "3005 3000 8401ff", id="a negative length of paths"),
    ],
)
def test_values_outside_of_their_constraint(schema: Any, encoding: str) -> None:
    with pytest.raises(derlib.ConstraintError):
        schema.decode(bytes.fromhex(encoding))


def test_the_version_2_is_not_encoded() -> None:
    # A default value is not encoded (X.690 11.5).
    with pytest.raises(derlib.DecodeError):
        tamp.SequenceNumberAdjust.decode(bytes.fromhex("300a 800102 3005 8300 020101"))
    assert tamp.SequenceNumberAdjust.decode(bytes.fromhex("300a 800101 3005 8300 020101")).version.name == "v1"


def test_the_encrypted_key_of_the_apex_trust_anchor() -> None:
    key = ApexContingencyKey(wrap_algorithm={"algorithm": "2.16.840.1.101.3.4.1.5"}, wrapped_contin_pub_key=b"wrapped")
    extension = Extension(extn_id=tamp.id_pe_wrapped_apex_contin_key, extn_value=key)
    assert Extension.decode(extension.encode()).extn_value == key
    attribute = Attribute(attr_type=tamp.id_aa_tamp_contingency_public_key_decrypt_key, attr_values=[b"key"])
    assert Attribute.decode(attribute.encode()).attr_values[0] == b"key"
